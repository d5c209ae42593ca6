"""Scenario parameters: validation with specific errors, defaults, and the parameter record (section 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from ..core.brief import brief
from ..core.checks import Check, anything, boolean, choice, fail, integer, near
from ..core.codes import names_of
from ..core.errors import RulesetError
from ..core.options import Option, coded, flag, real, whole, word
from . import state as st
from .module import BEHAVIOUR


def suit_set(name: str, value: Any) -> str:
    """Distinct letters of CSDH; order does not matter."""
    if not isinstance(value, str) or len(set(value)) != len(value) or not set(value) <= set(st.SUITS):
        raise fail(name, value, "letters of CSDH without repeats, or an empty text")
    return "".join(s for s in st.SUITS if s in value)


def forbidden(name: str, value: Any) -> str | None:
    """None, red or black."""
    if value not in (None, "red", "black"):
        raise fail(name, value, "None, 'red' or 'black'")
    return value


def weights(name: str, value: Any) -> list[float]:
    """Seven non-decreasing numbers."""
    ok = isinstance(value, (list, tuple)) and len(value) == 7
    ok = ok and all(isinstance(v, (int, float)) and not isinstance(v, bool) and abs(v) < 1e6 for v in value)
    if not ok or any(a > b for a, b in pairwise(value)):
        raise fail(name, value, "seven non-decreasing numbers")
    return [float(v) for v in value]


OPTIONS: dict[str, Option] = {
    "rounds": whole(3, 1, 3),
    "layout": word("rounds", "rounds", "slots"),
    "max_tests": whole(1, 1, 20),
    "continue_by": coded(st.ContinueBy.ANY),
    "continuation_draw": coded(st.ContinuationDraw.REDRAW),
    "continuation_ep": word("cumulative", "cumulative", "fresh"),
    "penalty_timing": word("conflict", "conflict", "test"),
    "colours_count": flag(True),
    "permission": word("other_teams", "other_teams", "all"),
    "targets": Option(None, anything, "None, or seat -> list of seats"),
    "leaders": Option({}, anything, "team -> member seat"),
    "disobedience": coded(st.Disobedience.LEADER_BEST),
    "reaction_decline": coded(st.ReactionDecline.FORBIDDEN),
    "wait_mode": word("hold", "hold", "forfeit"),
    "unused_round_card": word("discard", "discard", "return"),
    "initiative_tie": coded(st.InitiativeTie.SIMULTANEOUS),
    "tie_attribute": word("current", "current", "base"),
    "deck": word("own", "own", "shared_npc", "shared_all"),
    "reshuffle": coded(st.Reshuffle.ON_EMPTY),
    "reshuffle_timing": word("immediate", "immediate", "on_demand"),
    "npc_trump_hidden": flag(False),
    "discard_visibility": word("hidden", "hidden", "public"),
    "payoff": coded(st.Payoff.EP),
    "class_weights": Option([-4, -3, -1, 0, 1, 3, 4], weights, "seven non-decreasing numbers"),
    "restriction_narrow": whole(1, 0, 10),
    "restriction_clear": whole(3, 0, 10),
    "restriction_perfect": whole(4, 0, 10),
    "restriction_permanent": whole(1, 0, 10),
    "heal_per_session": whole(1, 0, 10),
    "heal_per_conflict": whole(0, 0, 10),
    "unplayed": real(0, -3, 0),
    "npc_restrictions": flag(False),
    "window_order": coded(st.WindowOrder.SEAT),
    "max_decisions": whole(10000, 100, 10**6),
}

ATTRIBUTE_FIELDS: dict[str, Check] = {
    "attribute": integer(0, 32),
    "suits": suit_set,
    "forbidden": forbidden,
    "skills": anything,
}
CONFLICT_SEAT_FIELDS: dict[str, Check] = {
    **ATTRIBUTE_FIELDS,
    "cards": integer(1, 32),
    "relation": choice(*names_of(st.Relation)),
    "malus": integer(0, 5),
    "open": integer(0, 3),
    "prepared": integer(0, 5),
    "traits": integer(0, 10),
    "voluntary": boolean,
    "risk": boolean,
    "conf_value": integer(0, 32),
    "hand": anything,
    "test": anything,
}
SEAT_FIELDS: dict[str, Check] = {
    **CONFLICT_SEAT_FIELDS,
    "name": anything,
    "kind": choice("pc", "npc"),
    "team": anything,
    "attributes": anything,
    "restriction": integer(0, 32),
    "permanent": integer(0, 32),
    "xp": integer(0, 10**6),
    "xp_free": integer(0, 10**6),
    "sleeve": anything,
    "conf": anything,
    "aside": anything,
    "draw": anything,
    "draw_b": anything,
    "discard": anything,
    "discard_b": anything,
}
CONFLICT_FIELDS: dict[str, Option] = {
    "seats": Option({}, anything, "seat -> fields"),
    "all_in": flag(True),
    "lethal": flag(False),
    "restrict": flag(True),
    "weight": real(1, 0, 100),
    "new_session": flag(False),
    "conflict_level": Option(None, anything, "None, duel, melee"),
    "events": Option(None, anything, "None, or what happens in the conflict"),
    "events_only": flag(False),
}


def card_id(name: str, value: Any) -> int:
    """Card id of a code such as `C10`."""
    if not isinstance(value, str) or value not in st.CARD_CODES:
        raise fail(name, value, "a card: suit C S D H and rank 7 8 9 10 J Q K A, e.g. 'C10'")
    return st.CARD_CODES.index(value)


def card_set(name: str, value: Any) -> int:
    """Bit set of a list of distinct cards."""
    if not isinstance(value, (list, tuple)):
        raise fail(name, value, "a list of cards")
    bits = 0
    for code in value:
        bit = 1 << card_id(name, code)
        if bits & bit:
            raise fail(name, code, "a card at most once per deck")
        bits |= bit
    return bits


def seat_field(who: str, name: str, value: Any, table: Mapping[str, Check]) -> Any:
    """One checked field of a seat."""
    if name not in table:
        raise RulesetError(
            f"seat {who}: field {brief(name)} = {brief(value)} is unknown: one of {', '.join(table)}"
            f"{near(str(name), list(table))}"
        )
    return table[name](f"seat {who}: {name}", value)


def skill_count(who: str, value: Any) -> int:
    """Number of skills: a number, or a list."""
    if isinstance(value, (list, tuple)):
        return len(value)
    return integer(0, 1000)(f"seat {who}: skills", value)


def check_seats(level: str, seats: Any) -> list[dict[str, Any]]:
    """The seats with names, kinds, teams and attribute entries; raises RulesetError."""
    low, high = (2, 2) if level == "duel" else (2, 12)
    if not isinstance(seats, (list, tuple)) or not low <= len(seats) <= high:
        count = len(seats) if isinstance(seats, (list, tuple)) else seats
        raise fail("seats", count, f"a list of {low}..{high} seats at level {level}")
    out: list[dict[str, Any]] = []
    names: set[str] = set()
    for index, given in enumerate(seats):
        if not isinstance(given, Mapping):
            raise fail(f"seat {index}", given, "a mapping of fields")
        name = given.get("name", f"seat{index}")
        if not isinstance(name, str) or not name.strip() or len(name) > 40 or not re.fullmatch(r"[^\x00-\x1f]+", name):
            raise fail(f"seat {index}: name", name, "a text of 1..40 printable characters")
        if name in names:
            raise fail(f"seat {index}: name", name, "names must be unique")
        names.add(name)
        seat: dict[str, Any] = {"name": name}
        for field, value in given.items():
            seat[field] = seat_field(name, field, value, SEAT_FIELDS)
        kind = seat.setdefault("kind", "pc")
        team = seat.get("team")
        if team is not None and (not isinstance(team, str) or not team):
            raise fail(f"seat {name}: team", team, "a text")
        seat["team"] = name if team is None else team
        if kind == "npc":
            if "cards" not in seat:
                raise fail(f"seat {name}: cards", None, "an npc needs cards, a whole number 1..32")
            if "attributes" in seat:
                raise fail(f"seat {name}: attributes", seat["attributes"], "an npc has none, only `cards` and `suits`")
        elif "cards" in seat:
            raise fail(f"seat {name}: cards", seat["cards"], "a pc has an attribute instead")
        seat["entries"] = check_attributes(name, seat)
        out.append(seat)
    return out


def check_attributes(name: str, seat: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The attribute entries of a seat, in order; a single one is called `attribute`."""
    entries = seat.get("attributes")
    if entries is None:
        if seat.get("kind") == "pc" and "attribute" not in seat:
            raise fail(f"seat {name}: attribute", None, "a pc needs attribute (0..32) or attributes")
        single = {
            "attribute": seat.get("attribute", -1),
            "suits": seat.get("suits", ""),
            "forbidden": seat.get("forbidden"),
        }
        return {"attribute": {**single, "skills": seat.get("skills")}}
    if not isinstance(entries, Mapping) or not 1 <= len(entries) <= st.ATTRIBUTES:
        raise fail(f"seat {name}: attributes", entries, f"a mapping of 1..{st.ATTRIBUTES} names")
    for field in ("attribute", "suits", "forbidden"):
        if field in seat:
            raise fail(f"seat {name}: {field}", seat[field], "not together with attributes")
    out = {}
    for attribute, fields in entries.items():
        who = f"{name}, attribute {attribute}"
        if isinstance(fields, int) and not isinstance(fields, bool):
            fields = {"attribute": fields}
        if not isinstance(fields, Mapping):
            raise fail(f"seat {who}", fields, "a mapping with attribute, suits, forbidden, skills")
        entry: dict[str, Any] = {"suits": "", "forbidden": None, "skills": None}
        for field, value in fields.items():
            entry[field] = seat_field(who, field, value, ATTRIBUTE_FIELDS)
        if "attribute" not in entry:
            raise fail(f"seat {who}: attribute", None, "a whole number 0..32")
        out[str(attribute)] = entry
    return out


def check_conflicts(level: str, given: Any, seats: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The conflicts with defaults filled in; raises RulesetError naming conflict, field and value."""
    if given is None:
        given = [{}]
    if not isinstance(given, (list, tuple)) or not 1 <= len(given) <= st.CONFLICTS:
        raise fail(
            "conflicts", given if not isinstance(given, (list, tuple)) else len(given), f"a list of 1..{st.CONFLICTS}"
        )
    if level != "campaign" and len(given) != 1:
        raise fail("conflicts", len(given), f"level {level} is a single conflict; use level campaign")
    names = [seat["name"] for seat in seats]
    out = []
    for index, conflict in enumerate(given):
        if not isinstance(conflict, Mapping):
            raise fail(f"conflict {index}", conflict, "a mapping of fields")
        entry = {name: option.default for name, option in CONFLICT_FIELDS.items()}
        for field, value in conflict.items():
            if field not in CONFLICT_FIELDS:
                raise RulesetError(
                    f"conflict {index}: field {brief(field)} = {brief(value)} is unknown: one of "
                    f"{', '.join(CONFLICT_FIELDS)}{near(str(field), list(CONFLICT_FIELDS))}"
                )
            entry[field] = CONFLICT_FIELDS[field].check(f"conflict {index}: {field}", value)
        kind = entry["conflict_level"]
        if kind is None:
            kind = "melee" if level == "melee" or len(seats) > 2 else "duel"
        if kind not in ("duel", "melee") or (kind == "duel" and len(seats) != 2):
            raise fail(f"conflict {index}: conflict_level", kind, "duel (2 seats) or melee")
        entry["conflict_level"] = "duel" if level == "duel" else ("melee" if level == "melee" else kind)
        if not isinstance(entry["seats"], Mapping):
            raise fail(f"conflict {index}: seats", entry["seats"], "seat name -> changed fields")
        changed = {}
        for who, fields in entry["seats"].items():
            if who not in names:
                raise fail(f"conflict {index}: seats", who, "one of " + ", ".join(names))
            if not isinstance(fields, Mapping):
                raise fail(f"conflict {index}: seat {who}", fields, "a mapping of fields")
            changed[who] = {
                f: seat_field(f"{who} (conflict {index})", f, v, CONFLICT_SEAT_FIELDS) for f, v in fields.items()
            }
        entry["seats"] = changed
        if entry["events"] is not None:
            entry["events"] = check_events(index, entry["events"], names)
        out.append(entry)
    return out


def check_events(index: int, events: Any, names: Sequence[str]) -> list[dict[str, Any]]:
    """Behaviour events of module incentive (R232)."""
    if not isinstance(events, (list, tuple)):
        raise fail(f"conflict {index}: events", events, "a list")
    for event in events:
        if not isinstance(event, Mapping) or event.get("seat") not in names:
            raise fail(f"conflict {index}: events", event, "each with seat, one of " + ", ".join(names))
        choice(*BEHAVIOUR)(f"conflict {index}: event of {event['seat']}", event.get("event"))
        if event.get("suit") is not None:
            choice(*st.SUITS)(f"conflict {index}: suit of {event['seat']}", event["suit"])
        unknown = set(event) - {"seat", "event", "suit"}
        if unknown:
            raise fail(f"conflict {index}: events", sorted(unknown), "fields seat, event, suit")
    return [dict(e) for e in events]
