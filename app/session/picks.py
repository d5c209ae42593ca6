"""Several things that a seat names one by one, as one question: in any order, and taken back until they are final.

The rules ask for such things in ascending order, so that no set can be named in two ways (`GameSpec.picking`). Faces
show all that can be named, let a person pick and unpick, and give the whole set to `choose_set`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...agents.human import Speech
from ...envs.core.errors import IllegalAction
from ...envs.core.game import Position
from .seen import Option
from .table import Table


@dataclass(frozen=True)
class Picks:
    """What a seat may name now, and the option that closes the question (it may need some of the others first)."""

    options: tuple[Option, ...]
    close: Option


def picks_of(table: Table, seat: int, lang: str) -> Picks | None:
    """What a seat is to name now; None if it is asked for a single action, or owes no decision."""
    position = table.position
    close = _closing(table, seat)
    if close is None:
        return None
    speech = Speech(table.game, position, seat)
    items = sorted(_reachable(position, seat, close))
    return Picks(tuple(Option.of(speech, item, lang) for item in items), Option.of(speech, close, lang))


def in_order(table: Table, seat: int, actions: Iterable[int]) -> list[int]:
    """The actions that name all of `actions` and close the question; raises IllegalAction if that cannot be."""
    close = _closing(table, seat)
    if close is None:
        raise IllegalAction(f"seat {table.game.seats[seat].name} is not asked for several things now")
    wanted = [*sorted(set(actions) - {close}), close]
    trial = table.position.clone()
    for action in wanted:
        trial.apply(seat, action)
    return wanted


def choose_set(table: Table, seat: int, actions: Iterable[int]) -> None:
    """Name all of `actions` and close the question; raises IllegalAction (nothing has changed then), OSError."""
    for action in in_order(table, seat, actions):
        table.choose(seat, action)


def _closing(table: Table, seat: int) -> int | None:
    """The action that closes what the seat is asked for; None if that is not several things."""
    return table.game.spec.picking.get(table.position.phase()) if table.legal(seat) else None


def _reachable(position: Position, seat: int, close: int) -> set[int]:
    """All that can be named now or after something else was."""
    phase = position.phase()
    found: set[int] = set()
    open_ends = [position]
    while open_ends:
        at = open_ends.pop()
        for action in at.legal(seat) if at.phase() == phase else ():
            if action != close and action not in found:
                found.add(action)
                after = at.clone()
                after.apply(seat, action)
                open_ends.append(after)
    return found


__all__ = ["Picks", "choose_set", "in_order", "picks_of"]
