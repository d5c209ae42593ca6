"""What a clash can come to at most, from the holdings of both sides: nearer than the range that all clashes share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from . import state as st
from .params import Checked, Faction, legal_targets, support_value

Bounds = tuple[float, float]


def payoff_bounds(checked: Checked) -> tuple[Bounds, ...]:
    """The least and the most payoff of each seat of a clash without rule modules; of a campaign nothing, ().

    A clash is one confrontation and its payoffs add up to 0, so that it is enough to bound what the attacker gets. A
    draw brings 0 (R15, R34), running home what it costs the defender, weighed by w_power (R8). Otherwise a side wins,
    and `_won` tries all bids with all that may follow. It may try what cannot happen together, but leaves out nothing
    that can: a tie changes neither stocks nor strengths (R14), and all other choices before the bids come to no more
    than a target, a type, and how far the strengths are apart.
    """
    options = checked.options
    if options["mode"] != "clash":
        return ()
    attacker, defender = checked.factions[checked.attacker], checked.factions[1 - checked.attacker]
    found = [0.0, *_attacker_won(checked, attacker, defender)]
    found += [-gain for gain in _defender_won(checked, attacker, defender)]
    if options["stage"] != "bid":
        found.append(options["w_power"] * min(options["run_home_cost"], defender.power))
    low, high = float(min(found)), float(max(found))
    bounds = [(-high, -low), (-high, -low)]
    bounds[checked.attacker] = (low, high)
    return tuple(bounds)


def _attacker_won(checked: Checked, attacker: Faction, defender: Faction) -> list[float]:
    """What the attacker may gain if it wins: the target (R16..R19), where a unit of the defender may take its place."""
    options, attack = checked.options, checked.attack
    prizes: list[float | None] = []
    for target in legal_targets(options, defender) if attack is None else [attack[1]]:
        if target == st.T_POWER:
            prizes.append(None)
        elif target == st.T_OTHER:
            prizes.append(options["w_other"] * (options["other_points"] + options["other_cost"]))
        elif target >= st.T_RESOURCE:
            size = options["w_cp"] * defender.resources[target - st.T_RESOURCE]
            room = len(attacker.resources) < st.RESOURCES
            # R17, A5: what one loses may be what the other gains
            prizes += [size, size * 2] if room or options["destroyed_resource_pays"] else [size]
        else:
            known = attack is not None and options["stage"] == "bid"
            units = _bits(attack[4] | 1 << target) if known and attack is not None else defender.units
            prizes += _units_worth(options, defender, units, attacker)
            prizes += [] if options["undefended_target"] == "target" else [0.0]  # A4
    return _won(options, attacker, defender, max(_leads(checked, attacker, defender, 1)), prizes)


def _defender_won(checked: Checked, attacker: Faction, defender: Faction) -> list[float]:
    """What the defender may gain if it wins: power, or a unit of the attacker (R20)."""
    options, attack = checked.options, checked.attack
    known = attack is not None and options["demand_scope"] == "involved"
    units = _bits(attack[3]) if known and attack is not None else attacker.units
    prizes = [None, *_units_worth(options, attacker, units, defender)]
    return _won(options, defender, attacker, max(_leads(checked, attacker, defender, -1)), prizes)


def _won(
    options: Mapping[str, Any], winner: Faction, loser: Faction, lead: int, prizes: Iterable[float | None]
) -> list[float]:
    """What a winner may gain, its own change of worth less the loser's; [] if it cannot win.

    With bids b and c it wins only if its strength and b are more than the loser's strength and c (R11), and b and c are
    at most the stocks; `lead` is the most by which its strength can be the greater. Then its power becomes
    min(cap, power - b + max(min_loot, c)) and the loser's power - c (R12, R13, R33): all pairs of b and c are tried.
    What follows is one of the `prizes`, by what it is worth; None is power that goes over (R18, R20).
    """
    cap, weight, gains = options["power_cap"], options["w_power"], list[float]()
    for prize, bid in product(dict.fromkeys(prizes), range(winner.power + 1)):
        for other in range(min(loser.power, bid + lead - 1) + 1):
            mine, theirs = min(cap, winner.power - bid + max(options["min_loot"], other)), loser.power - other
            if prize is None:
                mine, theirs = min(cap, mine + options["power_spoils"]), max(0, theirs - options["power_spoils"])
            gains.append(weight * ((mine - winner.power) - (theirs - loser.power)) + (prize or 0.0))
    return gains


def _leads(checked: Checked, attacker: Faction, defender: Faction, sign: int) -> Iterator[int]:
    """For each type that may be chosen, the most by which the attacker (sign 1) or the defender (-1) is the stronger.

    Multipliers and values are at least 1, so that more units are never weaker: the most is all units, the least what is
    given, else one character of the attacker, and nobody of the defender.
    """
    options, attack = checked.options, checked.attack
    kinds = [st.NATURES.index(kind) for kind in options["allowed_types"]] if attack is None else [attack[2]]
    for kind in kinds:
        if attack is None:
            own = [strength(options, attacker, [unit], kind) for unit in attacker.units if unit < st.CHARACTERS]
            attacking = min(own), strength(options, attacker, attacker.units, kind)
        else:
            attacking = (strength(options, attacker, _bits(attack[3]), kind),) * 2
        if attack is not None and options["stage"] == "bid":
            defending = (strength(options, defender, _bits(attack[4]), kind),) * 2
        else:
            led = any(unit < st.CHARACTERS for unit in defender.units)  # R22
            defending = 0, strength(options, defender, defender.units, kind) if led else 0
        yield attacking[1] - defending[0] if sign == 1 else defending[1] - attacking[0]


def strength(options: Mapping[str, Any], faction: Faction, units: Iterable[int], kind: int) -> int:
    """What some units of a faction count in a confrontation of a type, without rule modules (R3, R5, R25, A10)."""
    total, times = 0, options["nature_multiplier"]
    for unit in units:
        nature, value = faction.units[unit]
        if nature == kind:
            value = value - 1 + times if options["support_doubling"] == "base" else value * times
        total += value
    return total


def _units_worth(options: Mapping[str, Any], owner: Faction, units: Iterable[int], taker: Faction) -> Iterator[float]:
    """What it is worth that a unit goes: once if it leaves the game, twice if it changes sides (R16, R20, R33)."""
    for unit in units:
        support = unit >= st.CHARACTERS
        worth = options["w_unit"] * owner.units[unit][1]
        yield worth
        if sum((other >= st.CHARACTERS) == support for other in taker.units) < (
            st.SUPPORTS if support else st.CHARACTERS
        ):
            yield worth * 2


def _bits(units: int) -> list[int]:
    return [unit for unit in range(st.UNITS) if units >> unit & 1]


def payoff_range(options: Mapping[str, Any]) -> Bounds:
    """Bounds of the payoff of a seat whatever both sides hold, by which learners and searches scale it (section 4)."""
    n, cap = options["n_factions"], options["power_cap"]
    top_value = support_value(options, 3)
    if options["mode"] == "clash":
        change = options["w_power"] * 2 * cap + options["w_cp"] * 6 + options["w_unit"] * 2 * top_value
        change += options["w_other"] * (options["other_points"] + options["other_cost"])
        return (-float(change), float(change)) if change else (-1.0, 1.0)
    if options["utility"] == "win_loss":
        return -1.0 / (n - 1), 1.0
    cp = 3 * st.RESOURCES + 3 * options["turns"]
    points = st.CHARACTERS + st.SUPPORTS * top_value
    special = options["turns"] * (options["other_points"] + n * options["other_cost"])
    worth = options["w_power"] * cap + options["w_cp"] * cp + options["w_unit"] * points + options["w_other"] * special
    top = float({"control_points": cp, "power": cap, "net_worth": worth}[options["victory"]]) or 1.0
    return -top, top
