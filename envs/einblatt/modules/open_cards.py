"""open_cards (R190): a handicapped seat lays its first plays openly before anybody else commits."""

from __future__ import annotations

from typing import Any

from ...core.abi import lowest_bit, popcount
from ..module import ME, Module
from ..services import allow, allow_plays, ask, free_slots, lay_open, plays_of
from ..state import Action, Phase, Purpose

module = Module(
    "open_cards",
    "A handicapped seat lays its plays for the first rounds openly before any other seat commits.",
    bench={"open": 1},
)


@module.hook
def pre_commit(s: Any, p: Any, seat: int) -> None:
    """R190: rounds 1..n are laid openly, n being the seat's handicap in this conflict."""
    if s.opened[seat] > 0:
        ask(s, ME, Phase.OPEN_COMMIT, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """R190: as in a commit; passing openly is allowed."""
    allow_plays(words, plays_of(s, p, seat, Purpose.OPEN))
    allow(words, Action.PASS)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Lay the play, and go on until n slots are filled."""
    free = free_slots(s, p, seat)
    lay_open(s, p, seat, action, lowest_bit(free))
    laid = p.rounds - popcount(free) + 1
    if laid < min(s.opened[seat], p.rounds):
        ask(s, ME, Phase.OPEN_COMMIT, seat)
