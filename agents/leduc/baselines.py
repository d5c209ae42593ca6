"""Baselines of Leduc poker: players who play their cards, and two who do not look at them."""

from __future__ import annotations

from typing import Any

from ...envs.core.abi import lowest_bit
from ...envs.core.jit import kernel
from ...envs.core.rng import rand_below
from ...envs.leduc.rules import open_moves
from ..declaration import Baseline

FOLD, CALL, RAISE = 0, 1, 2
JACK, QUEEN, KING = 0, 1, 2


@kernel
def if_allowed(s: Any, p: Any, seat: int, wish: int) -> int:
    """A move, or a call where it is not open: a third raise, a fold with nothing to pay, what a module forbids."""
    bits = open_moves(s, p, seat)
    if bits >> wish & 1:
        return wish
    return CALL if bits >> CALL & 1 else lowest_bit(bits)


@kernel
def paired(s: Any, seat: int) -> bool:
    """Whether a seat's card has the rank of the public one."""
    return s.board >= 0 and s.card[seat] // 2 == s.board // 2


@kernel
def tight(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Raises a king or a pair, calls with a queen, gives up all else."""
    rank = s.card[seat] // 2
    if paired(s, seat) or (s.street == 0 and rank == KING):
        return if_allowed(s, p, seat, RAISE)
    return if_allowed(s, p, seat, CALL if rank >= QUEEN else FOLD)


@kernel
def mixed(s: Any, p: Any, seat: int, rng: Any) -> int:
    """As tight, but bluffs with a jack one time in six, and calls with a king or half its queens to the end."""
    rank = s.card[seat] // 2
    chance = rand_below(rng, 6)
    if paired(s, seat):
        return if_allowed(s, p, seat, RAISE)
    if rank == KING:
        return if_allowed(s, p, seat, RAISE if s.street == 0 or chance == 0 else CALL)
    if rank == QUEEN:
        return if_allowed(s, p, seat, CALL if s.street == 0 or chance < 3 else FOLD)
    return if_allowed(s, p, seat, RAISE if chance == 0 else FOLD)


@kernel
def caller(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Calls whatever comes."""
    return if_allowed(s, p, seat, CALL)


@kernel
def raiser(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Raises as often as it may."""
    return if_allowed(s, p, seat, RAISE)


BASELINES = {
    "tight": Baseline(tight, "raises a king or a pair, calls with a queen, gives up all else"),
    "mixed": Baseline(mixed, "as tight, with some bluffs and some calls to the end"),
    "caller": Baseline(caller, "calls whatever comes"),
    "raiser": Baseline(raiser, "raises as often as it may"),
}
