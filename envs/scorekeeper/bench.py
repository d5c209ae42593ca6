"""What the stress lab and the checks of rule modules ask of Scorekeeper: an even duel, a handicap, invariants."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..core.errors import RulesetError
from ..core.game import Position
from .presets import DERMAN

BOOKKEEPING = ("events", "n_events", "decisions")  # fields of the record that do not make up the position
# that only tell how a question came about; who was asked last stands there still when nobody is
CONTROL = ("ask_owner", "ask_fighter", "step_event", "step_module", "step_fighter")
MOST = 20  # of reaction_mod (section 5)


def even_duel() -> dict[str, Any]:
    """Two of the same, each with sword and gun, a few metres apart."""
    armed = {**DERMAN, "melee": "sword", "ranged": "magnum", "armour": ["leather_jacket"]}
    fighters = [
        {"name": name, "team": team, "position": position, **copy.deepcopy(armed)}
        for name, team, position in (("one", "a", 8), ("other", "b", 12))
    ]
    return {"config": {"field_length": 20}, "fighters": fighters}


def handicap(options: Mapping[str, Any], seats: Sequence[str], amount: int) -> dict[str, Any]:
    """Options with `amount` more on the reaction rolls of some seats (names of fighters or `team_a`, `team_b`)."""
    out = copy.deepcopy(dict(options))
    for fighter in out["fighters"]:
        if fighter["name"] in seats or f"team_{fighter['team']}" in seats:
            value = fighter.get("reaction_mod", 0) + amount
            if abs(value) > MOST:
                raise RulesetError(f"{fighter['name']}: reaction_mod would be {value}; allowed: {-MOST}..{MOST}")
            fighter["reaction_mod"] = value
    return out


def broken(position: Position) -> Iterator[str]:
    """What does not hold in a position although it always should (7.10), in words."""
    s, p, game = position.record, position.game.params, position.game
    names = [fighter["name"] for fighter in game.spec.options["fighters"]]
    for f, name in enumerate(names):
        for wound, limit in (("kr", "cap_kr"), ("lw", "cap_lw"), ("sw", "cap_sw")):
            if not 0 <= getattr(s, wound)[f] < getattr(p, limit)[f]:
                yield f"{name} has {getattr(s, wound)[f]} {wound.upper()}; they merge at {getattr(p, limit)[f]}"
        if not 0 <= s.bleeding[f] <= s.sw[f]:
            yield f"{name} bleeds from {s.bleeding[f]} of {s.sw[f]} severe wounds"
        if not 0 <= s.pos[f] <= p.field_length:
            yield f"{name} stands at {s.pos[f]}; the field ends at {p.field_length}"
        if not 0 <= s.fate[f] <= p.fate[f]:
            yield f"{name} has {s.fate[f]} fate points of {p.fate[f]}"
        if s.loaded[f] < 0 or s.reserve[f] < 0 or s.loaded[f] + s.reserve[f] > p.loaded[f] + p.r_reserve[f]:
            yield f"{name} has {s.loaded[f]} + {s.reserve[f]} rounds of {p.loaded[f]} + {p.r_reserve[f]}"
        if s.dead[f] and position.to_act() and s.ask_fighter == f:
            yield f"{name} is dead and is asked"


__all__ = ["BOOKKEEPING", "CONTROL", "broken", "even_duel", "handicap"]
