"""Scenario parameters: validation with specific errors, defaults, and the parameter record (section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.brief import brief
from ..core.checks import Check, choice, fail, integer, near
from ..core.errors import RulesetError
from ..core.modules import ModuleSet
from ..core.options import Option, coded, filled, flag, real, whole, word
from . import state as st

ACTION_KINDS = ("gather", "recruit", "resource", "support", "attack")
TARGET_KINDS = ("unit", "resource", "power", "other")
CAMPAIGN_TARGETS = TARGET_KINDS[:3]
UNIT_KINDS = ("character", "support")
MAX_NAME = 40


def some(allowed: Sequence[str], most: int | None = None) -> Check:
    """A list of some texts: distinct and not none, or (with `most`) at most so many."""
    words = f"at most {most} of " if most is not None else "one or more of "

    def check(name: str, value: Any) -> list[str]:
        right = isinstance(value, (list, tuple)) and all(isinstance(v, str) and v in allowed for v in value)
        if right and most is None:
            right = 0 < len(value) == len(set(value))
        if not right or (most is not None and len(value) > most):
            raise fail(name, value, words + ", ".join(allowed))
        return list(value)

    return check


def subset(allowed: Sequence[str]) -> Check:
    """A list of distinct texts, perhaps empty."""
    inner = some(allowed)

    def check(name: str, value: Any) -> list[str]:
        if isinstance(value, (list, tuple)) and not value:
            return []
        return inner(name, value)

    return check


def sizes(name: str, value: Any) -> list[int]:
    """At most 8 sizes 1..3."""
    right = isinstance(value, (list, tuple)) and len(value) <= st.RESOURCES
    if not right or not all(type(v) is int and 1 <= v <= 3 for v in value):
        raise fail(name, value, f"at most {st.RESOURCES} sizes 1..3")
    return list(value)


def first_seat(name: str, value: Any) -> int | str:
    """`random` or a seat; its upper end is checked with n_factions."""
    if value != "random" and (type(value) is not int or value < 0):
        raise fail(name, value, "'random' or a seat 0..n_factions - 1")
    return value


def goal(name: str, value: Any) -> int | None:
    """None or 1..50."""
    if value is not None and (type(value) is not int or not 1 <= value <= 50):
        raise fail(name, value, "None or a whole number 1..50")
    return value


def maybe(inner: Check) -> Check:
    """None, or what `inner` takes."""
    return lambda name, value: None if value is None else inner(name, value)


OPTIONS: dict[str, Option] = {
    "mode": word("clash", "clash", "campaign"),
    "stage": coded(st.Start.BID),
    "max_ties": whole(10, 1, 100),
    "draw_votes": flag(True),
    "run_home_cost": whole(1, 0, 20),
    "run_home_targets": word("units", "units", "characters"),
    "undefended_target": word("target", "target", "none"),
    "nature_multiplier": whole(2, 1, 4),
    "support_doubling": word("whole", "whole", "base"),
    "support_bonus_counts": word("extra", "extra", "all_turns"),
    "support_nonmatching": word("handover", "handover", "protected"),
    "destroyed_resource_pays": flag(False),
    "min_loot": whole(1, 0, 5),
    "power_spoils": whole(2, 0, 10),
    "demand_scope": word("involved", "involved", "any"),
    "spoils_chooser": word("winner", "winner", "loser"),
    "power_cap": whole(20, 1, 20),
    "hidden_power": flag(False),
    "other_points": whole(2, 0, 20),
    "other_cost": whole(0, 0, 20),
    "w_power": real(1, 0, 100),
    "w_cp": real(2, 0, 100),
    "w_unit": real(3, 0, 100),
    "w_other": real(1, 0, 100),
    "n_factions": whole(2, 2, 5),
    "turns": whole(8, 1, 30),
    "actions_per_turn": whole(1, 1, 3),
    "first_seat": Option("random", first_seat, "random, or a seat 0..n_factions - 1"),
    "rotate_first": flag(True),
    "start_power": whole(3, 0, 20),
    "start_characters": Option(list(st.NATURES), some(st.NATURES, st.CHARACTERS), f"at most {st.CHARACTERS} natures"),
    "random_natures": flag(False),
    "start_resources": Option([1], sizes, f"at most {st.RESOURCES} sizes 1..3"),
    "gather_amount": whole(2, 0, 10),
    "recruit_cost": whole(0, 0, 20),
    "resource_max_turns": whole(3, 1, 3),
    "project_interrupt": coded(st.Interrupt.PAUSE),
    "victory": coded(st.Victory.CONTROL_POINTS),
    "cp_goal": Option(None, goal, "None, 1..50"),
    "utility": coded(st.Utility.WIN_LOSS),
    "allowed_actions": Option(list(ACTION_KINDS), subset(ACTION_KINDS), "some of " + ", ".join(ACTION_KINDS)),
    "allowed_targets": Option(None, maybe(some(TARGET_KINDS)), "None, or some of " + ", ".join(TARGET_KINDS)),
    "allowed_types": Option(list(st.NATURES), some(st.NATURES), "one or more of " + ", ".join(st.NATURES)),
}
STRUCTURE = ("factions", "attacker", "attack", "modules")


@dataclass
class Faction:
    """The start of a faction: nature and value of its units by number, sizes of resources by slot, labels of both."""

    name: str
    power: int
    units: dict[int, tuple[int, int]]
    resources: dict[int, int]
    labels: dict[str, int]  # label -> target number


@dataclass
class Checked:
    """A complete, checked set-up. `attack` holds defender, target, type and the two sets of units, or is None."""

    options: dict[str, Any]
    factions: list[Faction]
    attacker: int
    attack: tuple[int, int, int, int, int] | None
    modules: ModuleSet


def check_setup(setup: Mapping[str, Any], modules: ModuleSet) -> Checked:
    """Check options and what stands beside them; raises RulesetError naming parameter, value and allowed range."""
    for name in setup:
        if name not in OPTIONS and name not in STRUCTURE:
            known = [*OPTIONS, *STRUCTURE]
            raise RulesetError(
                f"option {brief(name)} = {brief(setup[name])} is unknown; known: {', '.join(known)}{near(name, known)}"
            )
    options = filled(OPTIONS, {name: value for name, value in setup.items() if name in OPTIONS})
    clash = options["mode"] == "clash"
    n = options["n_factions"]
    if clash and n != 2:
        raise fail("n_factions", n, "2 in a clash")
    if options["first_seat"] != "random" and options["first_seat"] >= n:
        raise fail("first_seat", options["first_seat"], f"'random' or a seat 0..{n - 1}")
    if "start_power" in setup and options["start_power"] > options["power_cap"]:
        raise fail("start_power", options["start_power"], f"0..power_cap = {options['power_cap']}")
    if options["allowed_targets"] is None:
        options["allowed_targets"] = list(TARGET_KINDS if clash else CAMPAIGN_TARGETS)
    modules.check_level(options["mode"])
    given = setup.get("factions")
    if given is None:
        factions = [_default_faction(options, "ABCDE"[i]) for i in range(n)]
    else:
        factions = _factions(options, given)
    attacker, attack = _attack(options, factions, setup) if clash else (0, None)
    if not clash:
        for name in ("attacker", "attack"):
            if setup.get(name) is not None:
                raise fail(name, setup[name], "None in a campaign: it belongs to mode clash")
    return Checked(options, factions, attacker, attack, modules)


# --- factions ---------------------------------------------------------------------------------------------------------


def support_value(options: Mapping[str, Any], extra: int) -> int:
    """R24, A12."""
    return 1 + extra + (2 if options["support_bonus_counts"] == "all_turns" else 0)


def _start_power(options: Mapping[str, Any]) -> int:
    if options["start_power"] > options["power_cap"]:
        raise fail("start_power", options["start_power"], f"0..power_cap = {options['power_cap']}")
    return options["start_power"]


def _default_faction(options: Mapping[str, Any], name: str) -> Faction:
    faction = Faction(name, _start_power(options), {}, {}, {})
    for i, nature in enumerate(options["start_characters"]):
        _add_unit(options, faction, f"c{i + 1}", "character", nature, 0, "start_characters")
    for i, size in enumerate(options["start_resources"]):
        _add_resource(faction, f"r{i + 1}", size)
    return faction


def _add_unit(
    options: Mapping[str, Any], faction: Faction, label: str, kind: str, nature: str, extra: int, where: str
) -> None:
    support = kind == "support"
    first, room = (st.CHARACTERS, st.SUPPORTS) if support else (0, st.CHARACTERS)
    number_ = first + sum(1 for u in faction.units if (u >= st.CHARACTERS) == support)
    if number_ >= first + room:
        raise RulesetError(f"{where}: faction {faction.name} has more than {room} {kind}s; allowed are 0..{room}")
    faction.units[number_] = (st.NATURES.index(nature), support_value(options, extra) if support else 1)
    faction.labels[label] = number_


def _add_resource(faction: Faction, label: str, size: int) -> None:
    slot = len(faction.resources)
    if slot >= st.RESOURCES:
        raise RulesetError(
            f"resources: faction {faction.name} has more than {st.RESOURCES}; allowed are 0..{st.RESOURCES}"
        )
    faction.resources[slot] = size
    faction.labels[label] = st.T_RESOURCE + slot


def _named(name: str, value: Any, prefix: str) -> dict[str, Any]:
    """A mapping label -> item; a list gets labels."""
    if isinstance(value, (list, tuple)):
        return {f"{prefix}{i + 1}": item for i, item in enumerate(value)}
    if isinstance(value, Mapping) and all(isinstance(key, str) and key.strip() for key in value):
        return dict(value)
    raise fail(name, value, "a mapping from names, or a list")


def _factions(options: Mapping[str, Any], given: Any) -> list[Faction]:
    n = options["n_factions"]
    if not isinstance(given, Mapping):
        raise fail("factions", given, "a mapping name -> power, units, resources")
    if len(given) != n:
        raise fail("factions", list(given), f"n_factions = {n} of them")
    return [_faction(options, name, value) for name, value in given.items()]


def _faction(options: Mapping[str, Any], name: Any, value: Any) -> Faction:
    if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME or not name.isprintable():
        raise fail("factions", name, f"names of 1..{MAX_NAME} printable characters")
    where = f"faction {name}: "
    if not isinstance(value, Mapping):
        raise fail(f"{where}factions", value, "a mapping with power, units, resources")
    for key in value:
        if key not in ("power", "units", "resources"):
            raise fail(f"{where}field", key, "power, units, resources")
    power = value.get("power")
    if power is None:
        power = _start_power(options)
    else:
        power = integer(0, options["power_cap"])(f"{where}power", power)
    faction = Faction(name, power, {}, {}, {})
    for label, unit in _named(f"{where}units", value.get("units", {}), "u").items():
        kind, nature, extra = _unit(f"{where}{label}: ", unit)
        _add_unit(options, faction, label, kind, nature, extra, f"{where}units")
    for label, size in _named(f"{where}resources", value.get("resources", {}), "r").items():
        if isinstance(size, Mapping):
            size = _fields(f"{where}{label}: ", size, ("size",)).get("size")
        if label in faction.labels:
            raise fail(f"{where}resources", label, "a name that no unit has")
        _add_resource(faction, label, integer(1, 3)(f"{where}{label}: size", size))
    return faction


def _fields(where: str, value: Mapping[Any, Any], known: Sequence[str]) -> Mapping[Any, Any]:
    for key in value:
        if key not in known:
            raise fail(f"{where}field", key, ", ".join(known))
    return value


def _unit(where: str, unit: Any) -> tuple[str, str, int]:
    """Kind, nature and extra turns of a unit, given as a list or a mapping."""
    if isinstance(unit, Mapping):
        fields = _fields(where, unit, ("kind", "nature", "extra"))
        parts = [fields[key] for key in ("kind", "nature", "extra") if key in fields]
        if "kind" not in fields or "nature" not in fields:
            raise fail(f"{where}kind", dict(unit), "kind, nature, and for supports extra")
    elif isinstance(unit, (list, tuple)) and unit:
        parts = list(unit)
    else:
        raise fail(f"{where}kind", unit, "[character, nature] or [support, nature, extra]")
    kind = choice(*UNIT_KINDS)(f"{where}kind", parts[0])
    nature = choice(*st.NATURES)(f"{where}nature", parts[1] if len(parts) > 1 else None)
    if kind == "support":
        extra = integer(1, 3)(f"{where}extra", parts[2] if len(parts) > 2 else None)
        if len(parts) > 3:
            raise fail(f"{where}extra", parts[2:], "one whole number 1..3")
        return kind, nature, extra
    if len(parts) > 2:
        raise fail(f"{where}extra", parts[2:], "nothing for a character: it belongs to supports")
    return kind, nature, 0


# --- the given attack of a clash --------------------------------------------------------------------------------------


def _seat_named(factions: Sequence[Faction], name: str, value: Any) -> int:
    names = [f.name for f in factions]
    if not isinstance(value, str) or value not in names:
        raise fail(name, value, "one of " + ", ".join(names))
    return names.index(value)


def _attack(
    options: Mapping[str, Any], factions: Sequence[Faction], setup: Mapping[str, Any]
) -> tuple[int, tuple[int, int, int, int, int] | None]:
    name = setup.get("attacker")
    attacker = 0 if name is None else _seat_named(factions, "attacker", name)
    mine, theirs = factions[attacker], factions[1 - attacker]
    if options["stage"] == "full":
        if not any(u < st.CHARACTERS for u in mine.units):
            raise RulesetError(f"attack: {mine.name} has no character, so it has no legal declaration")
        if not legal_targets(options, theirs):
            kinds = ", ".join(options["allowed_targets"])
            raise RulesetError(f"attack: {theirs.name} has no legal target (allowed_targets: {kinds})")
        return attacker, None
    given = setup.get("attack")
    wanted = "faction, target, type, commit" + (", defence" if options["stage"] == "bid" else "")
    if not isinstance(given, Mapping):
        raise fail("attack", given, f"a mapping with {wanted} (stage {options['stage']})")
    for key in given:
        if key not in ("faction", "target", "type", "commit", "defence"):
            raise fail("attack: field", key, "faction, target, type, commit, defence")
    defender = _seat_named(factions, "attack: faction", given.get("faction", theirs.name))
    if defender == attacker:
        raise fail("attack: faction", given["faction"], f"{theirs.name}: nobody attacks itself")
    target = _target(options, theirs, given.get("target"))
    kind = choice(*options["allowed_types"])("attack: type", given.get("type"))
    nature = st.NATURES.index(kind)
    if options["support_nonmatching"] == "protected" and st.CHARACTERS <= target < st.UNITS:
        if theirs.units[target][0] != nature:
            own = st.NATURES[theirs.units[target][0]]
            raise fail("attack: type", kind, f"{own}, the nature of the targeted support (support_nonmatching)")
    commit = _party("attack: commit", mine, given.get("commit"), leader=True)
    defence = 0
    if options["stage"] == "bid":
        if "defence" not in given:
            raise fail("attack: defence", None, "a list of the defender's units, required for stage bid")
        defence = _party("attack: defence", theirs, given["defence"], leader=False)
    return attacker, (defender, target, nature, commit, defence)


def legal_targets(options: Mapping[str, Any], defender: Faction) -> list[int]:
    """What an attacker may name at a defender at the start (R2, A9), numbered like targets."""
    allowed, out = options["allowed_targets"], []
    if "unit" in allowed:
        for unit, (nature, _) in defender.units.items():
            shielded = options["support_nonmatching"] == "protected" and unit >= st.CHARACTERS
            if not shielded or st.NATURES[nature] in options["allowed_types"]:
                out.append(unit)
    if "resource" in allowed:
        out += [st.T_RESOURCE + slot for slot in defender.resources]
    return out + [t for t, kind in ((st.T_POWER, "power"), (st.T_OTHER, "other")) if kind in allowed]


def _target(options: Mapping[str, Any], defender: Faction, given: Any) -> int:
    if isinstance(given, str):
        given = {"kind": given}
    if not isinstance(given, Mapping) or not set(given) <= {"kind", "name"}:
        raise fail("attack: target", given, "a mapping with kind and, for units and resources, name")
    kind = choice(*TARGET_KINDS)("attack: target kind", given.get("kind"))
    if kind in ("power", "other"):
        target = st.T_POWER if kind == "power" else st.T_OTHER
    else:
        have = {n: t for n, t in defender.labels.items() if (t < st.UNITS) == (kind == "unit")}
        label = given.get("name")
        if not isinstance(label, str) or label not in have:
            raise fail(f"attack: target {kind}", label, f"one of {', '.join(have) or 'none'} ({defender.name})")
        target = have[label]
    if target not in legal_targets(options, defender):
        raise fail("attack: target", dict(given), "legal targets: " + ", ".join(options["allowed_targets"]))
    return target


def _party(name: str, faction: Faction, given: Any, leader: bool) -> int:
    """A set of units by their labels; supports, and the attacker, need a character."""
    if not isinstance(given, (list, tuple)):
        raise fail(name, given, f"a list of units of {faction.name}")
    units = 0
    for label in given:
        number_ = faction.labels.get(label) if isinstance(label, str) else None
        if number_ is None or number_ >= st.UNITS:
            have = ", ".join(n for n, u in faction.labels.items() if u < st.UNITS) or "none"
            raise fail(name, label, f"units of {faction.name}: {have}")
        if units >> number_ & 1:
            raise fail(name, label, "each unit at most once")
        units |= 1 << number_
    led = units & st.ALL_CHARACTERS
    if leader and not led:
        raise fail(name, list(given), "at least one character")
    if units and not led:
        raise fail(name, list(given), "supports only together with a character")
    return units


# --- the record -------------------------------------------------------------------------------------------------------

_CODED = ("stage", "project_interrupt", "victory", "utility")
_FLAGS = {  # field of the record: (option, word that sets it)
    "supports_run": ("run_home_targets", "units"),
    "undefended_goes": ("undefended_target", "target"),
    "double_base": ("support_doubling", "base"),
    "protected": ("support_nonmatching", "protected"),
    "demand_any": ("demand_scope", "any"),
    "loser_chooses": ("spoils_chooser", "loser"),
}
_SETS: dict[str, tuple[str, ...]] = {
    "allowed_actions": ACTION_KINDS,
    "allowed_targets": TARGET_KINDS,
    "allowed_types": st.NATURES,
}
_PLAIN = (
    "max_ties", "draw_votes", "run_home_cost", "nature_multiplier", "destroyed_resource_pays", "min_loot",
    "power_spoils", "power_cap", "hidden_power", "other_points", "other_cost", "w_power", "w_cp", "w_unit", "w_other",
    "turns", "actions_per_turn", "rotate_first", "gather_amount", "recruit_cost", "resource_max_turns",
)  # fmt: skip


def longest(options: Mapping[str, Any]) -> int:
    """Most decisions of a game (section 4, Length)."""
    confrontation = 17 + 1 + 13 + 2 * options["max_ties"] + 2 * (options["max_ties"] - 1) + 3
    if options["mode"] == "clash":
        return confrontation
    return options["n_factions"] * options["turns"] * (confrontation + options["actions_per_turn"] - 1)


def param_record(checked: Checked, modules: ModuleSet, dtype: np.dtype) -> np.ndarray:
    """The parameter record of a checked set-up, one record of `dtype`."""
    options, array = checked.options, np.zeros(1, dtype=dtype)
    p = array.view(np.recarray)[0]
    for name in _PLAIN:
        p[name] = options[name]
    for name in _CODED:
        p[name] = OPTIONS[name].number(options[name])
    for field, (name, text) in _FLAGS.items():
        p[field] = options[name] == text
    for name, texts in _SETS.items():
        p[name] = sum(1 << i for i, text in enumerate(texts) if text in options[name])
    clash = options["mode"] == "clash"
    p.factions, p.clash = options["n_factions"], clash
    p.support_bonus = support_value(options, 0) - 1
    p.random_natures = options["random_natures"] and not clash
    p.first_seat = -1 if options["first_seat"] == "random" else options["first_seat"]
    p.cp_goal = options["cp_goal"] or 0
    # modules may ask for more; the limit is then only a stop for endless games
    p.max_decisions = longest(options) * (4 if len(checked.modules) else 1) + 1
    for f, faction in enumerate(checked.factions):
        p.power[f] = faction.power
        for unit, (nature, value) in faction.units.items():
            p.units[f] |= 1 << unit
            p.nature[f, unit], p.value[f, unit] = nature, value
        for slot, size in faction.resources.items():
            p.resources[f] |= 1 << slot
            p.extent[f, slot] = size
    p.attacker = checked.attacker
    if checked.attack is not None:
        p.defender, p.target, p.kind, p.commit[0], p.commit[1] = checked.attack
    modules.fill_params(p, [faction.name for faction in checked.factions])
    return array
