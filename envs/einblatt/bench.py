"""Scenarios on the test bench: an even duel, more cards for a side, seats exchanged, fields that a module needs."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.errors import RulesetError
from ..core.modules import ModuleSet

# counters, histories and buffers: two positions that differ in nothing else are the same
BOOKKEEPING = ("decisions", "public", "private", "n_events", "events", "scratch", "epoch", "unseen")

# the stack of questions, which keeps what lay above its top
CONTROL = (
    "f_phase", "f_owner", "f_seat", "f_bits", "f_a", "f_b", "f_c", "die_kind", "die_faces", "die_deck", "die_pile",
)  # fmt: skip


def even_duel() -> dict[str, Any]:
    """Two pcs of the same strength with one trump suit each."""
    seats = [
        {"name": name, "kind": "pc", "attribute": 6, "relation": "own", "suits": suit}
        for name, suit in (("Ada", "C"), ("Bea", "S"))
    ]
    return {"level": "duel", "config": {}, "seats": seats, "modules": {}}


def equip(setup: Mapping[str, Any], modules: ModuleSet) -> dict[str, Any]:
    """The setup with the seat fields that a module needs to do anything, where the scenario names them nowhere."""
    out = copy.deepcopy(dict(setup))
    for module in modules:
        for name, value in module.bench.items():
            given = [seat.get(name) for seat in out["seats"]]
            given += [
                fields.get(name) for c in out.get("conflicts") or () for fields in (c.get("seats") or {}).values()
            ]
            if not any(given):
                for seat in out["seats"]:
                    seat[name] = value
    return out


def _more(fields: dict[str, Any], name: str, n: int, low: int, where: str) -> None:
    value = fields[name] + n
    if not low <= value <= 32:
        raise RulesetError(f"{where}: {n:+d} cards would make {name} {value}: {low}..32")
    fields[name] = value


def handicap(setup: Mapping[str, Any], seats: Sequence[str], n: int) -> dict[str, Any]:
    """The setup with `n` hand cards more (below 0: fewer) for some seats in every test; raises RulesetError.

    A pc's attributes rise by as many points as cards that gives (twice as many without the skill, R31).
    """
    out = copy.deepcopy(dict(setup))
    for seat in out["seats"]:
        if seat.get("name") not in seats:
            continue
        where = f"seat {seat['name']}"
        changes = [
            c["seats"][seat["name"]] for c in out.get("conflicts") or () if seat["name"] in (c.get("seats") or {})
        ]
        if seat.get("kind", "pc") == "npc":
            for fields in (seat, *changes):
                if "cards" in fields:
                    _more(fields, "cards", n, 1, where)
            continue
        points = n * (2 if seat.get("relation", "own") == "none" else 1)
        for fields in (seat, *changes):
            if "attribute" in fields:
                _more(fields, "attribute", points, 1, where)
        for name, entry in (seat.get("attributes") or {}).items():
            if isinstance(entry, Mapping):
                seat["attributes"][name] = dict(entry)
                _more(seat["attributes"][name], "attribute", points, 1, where)
            else:
                _more(seat["attributes"], name, points, 1, where)
    return out


def mirrored(setup: Mapping[str, Any]) -> dict[str, Any]:
    """The setup with the order of its seats reversed; who they are stays the same."""
    out = copy.deepcopy(dict(setup))
    last = len(out["seats"]) - 1
    out["seats"].reverse()
    for values in (out.get("modules") or {}).values():
        if values and values.get("seats") is not None:
            values["seats"] = [last - s if isinstance(s, int) else s for s in values["seats"]]
    return out
