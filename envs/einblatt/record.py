"""From a checked scenario to the parameter record that the kernel reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.checks import fail
from ..core.errors import RulesetError
from ..core.modules import ModuleSet
from ..core.modules.declare import place_of
from ..core.options import filled
from . import state as st
from .module import BEHAVIOUR, LEVELS
from .params import OPTIONS, card_id, card_set, check_conflicts, check_seats, skill_count

SETUP_FIELDS = ("level", "config", "seats", "modules", "conflicts", "wrath")
DUEL_ONLY = ("after_card", "all_in")


CODED = (
    "continue_by", "continuation_draw", "disobedience", "reaction_decline", "initiative_tie", "reshuffle", "payoff",
    "window_order",
)  # fmt: skip
FLAGS = {  # field of the record: (option, value that sets it)
    "slots": ("layout", "slots"),
    "fresh": ("continuation_ep", "fresh"),
    "penalty_each_test": ("penalty_timing", "test"),
    "colours_count": ("colours_count", True),
    "forfeit": ("wait_mode", "forfeit"),
    "return_round_card": ("unused_round_card", "return"),
    "tie_base": ("tie_attribute", "base"),
    "on_demand": ("reshuffle_timing", "on_demand"),
    "trump_hidden": ("npc_trump_hidden", True),
    "discard_public": ("discard_visibility", "public"),
    "npc_restrictions": ("npc_restrictions", True),
}
PLAIN = (
    "rounds",
    "max_tests",
    "restriction_permanent",
    "heal_per_session",
    "heal_per_conflict",
    "unplayed",
    "max_decisions",
)
FORBID = {None: 0, "red": 1, "black": 2}


def suit_bits(suits: str) -> int:
    """Bit set of trump suits."""
    return sum(1 << st.SUITS.index(s) for s in suits)


def check_setup(setup: Mapping[str, Any], modules: ModuleSet) -> dict[str, Any]:
    """A complete, checked scenario; raises RulesetError."""
    for name in setup:
        if name not in SETUP_FIELDS:
            raise fail("setup", name, "fields " + ", ".join(SETUP_FIELDS))
    level = setup.get("level", "duel")
    if level not in LEVELS:
        raise fail("level", level, "one of " + ", ".join(LEVELS))
    config = setup.get("config") or {}
    if not isinstance(config, Mapping):
        raise fail("config", config, "a mapping of options")
    checked = {
        "level": level,
        "config": filled(OPTIONS, config),
        "seats": check_seats(level, setup.get("seats")),
        "modules": modules.values,
        "wrath": setup.get("wrath"),
    }
    checked["conflicts"] = check_conflicts(level, setup.get("conflicts"), checked["seats"])
    if checked["config"]["layout"] == "slots" and any(c["conflict_level"] == "melee" for c in checked["conflicts"]):
        raise fail("layout", "slots", "rounds (slots is for duels only)")
    modules.check_level(level)
    if "mercy" in checked["modules"] and checked["modules"]["mercy"].get("deck") == "npc":
        if not any(s["kind"] == "npc" for s in checked["seats"]):
            raise fail("module mercy: deck", "npc", "separate (no seat is an npc)")
    return checked


def check_characters(modules: ModuleSet, checked: Mapping[str, Any]) -> None:
    """Refuse pcs that break a rule of creation (R10..R16) of a module, naming module, seat and rule."""
    for module in modules:
        for number, seat in enumerate(checked["seats"]):
            if module.creation and seat["kind"] == "pc" and modules.has(module.name, seat["name"], number):
                for text in broken_rules(module, seat, checked["modules"][module.name]):
                    raise RulesetError(f"module {module.name}: seat {seat['name']}: {text}")


def broken_rules(module: Any, seat: Mapping[str, Any], params: Mapping[str, Any]) -> list[str]:
    """The rules of creation of a module that a seat violates, as texts; raises RulesetError for what an author did."""
    place = place_of(module.creation)
    try:
        texts = module.creation(seat, params)
    except Exception as error:  # an author's function may fail in any way
        raise module.error(f"character: {type(error).__name__}: {error}", place) from error
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise module.error(f"character must return a list of texts, not {texts!r}", place)
    return texts


def team_members(checked: Mapping[str, Any]) -> dict[str, list[int]]:
    """Teams in order of their first seat."""
    teams: dict[str, list[int]] = {}
    for index, seat in enumerate(checked["seats"]):
        teams.setdefault(seat["team"], []).append(index)
    return teams


def leaders_of(checked: Mapping[str, Any]) -> list[int]:
    """Leader of each seat's team, -1 if it has none (R63)."""
    leaders = checked["config"]["leaders"]
    if not isinstance(leaders, Mapping):
        raise fail("leaders", leaders, "a mapping team -> member seat")
    teams = team_members(checked)
    names = [s["name"] for s in checked["seats"]]
    out = [-1] * len(names)
    for team, leader in leaders.items():
        if team not in teams:
            raise fail("leaders", team, "one of the teams " + ", ".join(teams))
        members = [names[i] for i in teams[team]]
        if leader not in members:
            raise fail(f"leaders: team {team}", leader, "one of its members " + ", ".join(members))
        for i in teams[team]:
            out[i] = names.index(leader)
    return out


def targets_of(checked: Mapping[str, Any]) -> list[int]:
    """Permitted targets of each seat as bit sets (R54)."""
    seats = checked["seats"]
    names = [s["name"] for s in seats]
    given = checked["config"]["targets"]
    if given is None:
        everyone = checked["config"]["permission"] == "all"
        return [
            sum(1 << t for t, o in enumerate(seats) if t != i and (everyone or o["team"] != s["team"]))
            for i, s in enumerate(seats)
        ]
    if not isinstance(given, Mapping):
        raise fail("targets", given, "None, or a mapping seat -> list of seats")
    out = [0] * len(seats)
    for name, targets in given.items():
        if name not in names:
            raise fail("targets", name, "one of " + ", ".join(names))
        if not isinstance(targets, (list, tuple)):
            raise fail(f"targets: seat {name}", targets, "a list of seats")
        for target in targets:
            if target not in names or target == name:
                raise fail(f"targets: seat {name}", target, "another seat: " + ", ".join(n for n in names if n != name))
            out[names.index(name)] |= 1 << names.index(target)
    return out


def decks_of(checked: Mapping[str, Any]) -> list[int]:
    """Deck index of each seat (R20): the first seat that uses it."""
    seats, deck = checked["seats"], checked["config"]["deck"]
    if deck == "shared_all":
        return [0] * len(seats)
    if deck == "shared_npc":
        npcs = [i for i, s in enumerate(seats) if s["kind"] == "npc"]
        total = sum(seats[i]["cards"] for i in npcs)
        if total > 32:
            raise fail("deck", "shared_npc", f"npc card counts together at most 32 (they are {total})")
        return [npcs[0] if s["kind"] == "npc" else i for i, s in enumerate(seats)]
    return list(range(len(seats)))


def fill_seats(r: Any, checked: Mapping[str, Any]) -> None:
    """Seats: attributes, zones, decks, teams."""
    seats = checked["seats"]
    teams = list(team_members(checked))
    decks = decks_of(checked)
    r.draw[:] = -1
    used: dict[int, int] = {}
    for i, seat in enumerate(seats):
        name = seat["name"]
        r.pc[i] = seat["kind"] == "pc"
        r.team[i] = teams.index(seat["team"])
        r.deck_of[i] = decks[i]
        r.attributes[i] = len(seat["entries"])
        for a, entry in enumerate(seat["entries"].values()):
            r.attr[i, a] = max(0, entry["attribute"])
            r.suits[i, a] = suit_bits(entry["suits"])
            r.forbid[i, a] = FORBID[entry["forbidden"]]
            count = entry["attribute"] if entry.get("skills") is None else skill_count(name, entry["skills"])
            r.skills[i, a] = max(0, count)
        r.npc_attribute[i] = seat.get("attribute", -1) if seat["kind"] == "npc" else -1
        r.restr[i] = seat.get("restriction", 0)
        r.perm[i] = min(seat.get("permanent", 0), seat.get("restriction", 0))
        r.xp[i] = seat.get("xp", 0)
        r.xp_free[i] = seat.get("xp_free", seat.get("xp", 0))
        zones = 0

        def zone(field: str, seat: Mapping[str, Any] = seat, name: str = name, i: int = i) -> int:
            nonlocal zones
            cards = card_set(f"seat {name}: {field}", seat.get(field) or [])
            twice = cards & (zones | used.get(decks[i], 0))
            if twice:
                code = st.CARD_CODES[(twice & -twice).bit_length() - 1]
                raise fail(f"seat {name}: {field}", code, "a card at most once per deck")
            zones |= cards
            return cards

        zone("hand")
        r.sleeve[i] = 0
        if seat.get("sleeve") is not None:
            bit = 1 << card_id(f"seat {name}: sleeve", seat["sleeve"])
            if bit & zones:
                raise fail(f"seat {name}: sleeve", seat["sleeve"], "a card at most once per deck")
            zones |= bit
            r.sleeve[i] = bit
        r.conf[i] = zone("conf")
        r.aside[i] = zone("aside")
        d = decks[i]
        r.aside_given[d] |= seat.get("aside") is not None
        for field, array, pile in (
            ("draw", r.draw, 0),
            ("draw_b", r.draw, 1),
            ("discard", r.disc, 0),
            ("discard_b", r.disc, 1),
        ):
            if seat.get(field) is not None:
                cards = zone(field)
                if field in ("draw", "draw_b"):
                    r.draw[d] = np.maximum(r.draw[d], 0)
                array[d, pile] |= cards
        used[d] = used.get(d, 0) | zones


def fill_conflicts(r: Any, checked: Mapping[str, Any]) -> None:
    """Conflicts and what they set at seats; -1 where a field stays as it is."""
    seats, conflicts = checked["seats"], checked["conflicts"]
    names = [s["name"] for s in seats]
    for field in st.SEAT_IN_CONFLICT:
        r[field][:] = -1
    r.event_suit[:] = -1
    given = 0
    for c, conflict in enumerate(conflicts):
        r.melee[c] = conflict["conflict_level"] == "melee"
        for field in ("new_session", "events_only", "all_in", "lethal", "restrict"):
            r[field][c] = conflict[field]
        r.weight[c] = conflict["weight"]
        r.events_given[c] = conflict["events"] is not None
        for event in conflict["events"] or []:
            if given == st.GIVEN_EVENTS:
                raise fail(f"conflict {c}: events", len(conflict["events"]), f"{given} in all conflicts together")
            r.event_seat[given] = names.index(event["seat"])
            r.event[given] = 1 + BEHAVIOUR.index(event["event"])
            if event.get("suit"):
                r.event_suit[given] = st.SUITS.index(event["suit"])
            given += 1
        r.event_end[c] = given
        for i, seat in enumerate(seats):
            base = {} if c else {"relation": "own", "malus": 0, "open": 0, "prepared": 0, "traits": 0}
            if c == 0:
                base.update(voluntary=False, risk=False, conf_value=0)
                base.update({k: seat[k] for k in (*base, "cards", "hand", "test") if seat.get(k) is not None})
            fill_seat_conflict(r, c, i, seat, {**base, **conflict["seats"].get(seat["name"], {})})


def fill_seat_conflict(r: Any, c: int, i: int, seat: Mapping[str, Any], fields: Mapping[str, Any]) -> None:
    """What conflict c sets at seat i."""
    name = f"seat {seat['name']} (conflict {c})"
    for field, value in fields.items():
        if field == "hand":
            cards = card_set(f"{name}: hand", value)
            for zone in ("sleeve", "conf", "aside") if c == 0 else ():
                twice = cards & int(r[zone][i])
                if twice:
                    code = st.CARD_CODES[(twice & -twice).bit_length() - 1]
                    raise fail(f"{name}: hand", code, "a card at most once per deck")
            r.c_hand[c, i] = cards
        elif field == "test":
            entries = list(seat["entries"])
            if value not in entries:
                raise fail(f"{name}: test", value, "one of its attributes " + ", ".join(entries))
            r.c_tested[c, i] = entries.index(value)
        elif field == "cards":
            if seat["kind"] != "npc":
                raise fail(f"{name}: cards", value, "only an npc has cards")
            r.c_cards[c, i] = value
        elif field == "attribute":
            if seat["kind"] == "pc":
                r.c_attr[c, i] = value
        elif field == "suits":
            r.c_suits[c, i] = suit_bits(value)
        elif field == "forbidden":
            r.c_forbid[c, i] = FORBID[value]
        elif field == "relation":
            r.c_relation[c, i] = st.Relation[value.upper()]
        elif field == "skills":
            r.c_skills[c, i] = skill_count(name, value)
        else:
            r[f"c_{field}"][c, i] = value


def param_record(checked: Mapping[str, Any], modules: ModuleSet, dtype: np.dtype) -> np.ndarray:
    """The parameter record (one item of `dtype`) of a checked scenario."""
    array = np.zeros(1, dtype=dtype)
    r = array.view(np.recarray)[0]
    config = checked["config"]
    r.seats = len(checked["seats"])
    r.conflicts = len(checked["conflicts"])
    r.campaign = checked["level"] == "campaign"
    r.sessions = 1 + sum(bool(c["new_session"]) for c in checked["conflicts"][1:])
    for field in CODED:
        r[field] = OPTIONS[field].number(config[field])
    for field, (option, value) in FLAGS.items():
        r[field] = config[option] == value
    for field in PLAIN:
        r[field] = config[field]
    r.class_weights[:] = config["class_weights"]
    r.restriction[:] = [0, config["restriction_narrow"], config["restriction_clear"], config["restriction_perfect"]]
    n = len(checked["seats"])
    r.leader[:] = -1
    r.leader[:n] = leaders_of(checked)
    r.targets[:n] = targets_of(checked)
    fill_seats(r, checked)
    fill_conflicts(r, checked)
    r.wrath_deck = -1
    mercy = checked["modules"].get("mercy")
    if mercy is not None:
        npcs = [i for i in range(n) if not r.pc[i]]
        r.wrath_deck = int(r.deck_of[npcs[0]]) if mercy.get("deck") == "npc" else len(r.draw) - 1
        fill_wrath(r, checked["wrath"])
    elif checked["wrath"] is not None:
        raise fail("wrath", checked["wrath"], "only together with module mercy")
    modules.fill_params(r, [seat["name"] for seat in checked["seats"]])
    return array


def fill_wrath(r: Any, wrath: Any) -> None:
    """Set-aside wrath cards and the wrath pile of a worked example."""
    d = int(r.wrath_deck)
    if wrath is None:
        return
    if not isinstance(wrath, Mapping) or set(wrath) - {"cards", "draw"}:
        raise fail("wrath", wrath, "a mapping with cards and draw")
    cards = card_set("wrath: cards", wrath.get("cards") or [])
    draw = card_set("wrath: draw", wrath.get("draw") or [])
    if cards & draw:
        raise fail("wrath: draw", wrath.get("draw"), "a card at most once per deck")
    r.wrath = cards
    if d == len(r.draw) - 1 and wrath.get("draw") is not None:
        r.draw[d, 0], r.draw[d, 1] = draw, 0
