"""Baselines of Kuhn poker: two ends of the line of equilibria, and two players to beat."""

from __future__ import annotations

from typing import Any

from ...envs.core.jit import kernel
from ...envs.core.rng import rand_below
from ...envs.kuhn import hooks
from ..declaration import Baseline

JACK, QUEEN, KING = 0, 1, 2
PASS, BET = 0, 1


@kernel
def if_allowed(s: Any, p: Any, seat: int, wish: int) -> int:
    """A move, or the other one where a module forbids it."""
    return wish if hooks.moves(s, p, seat, 3) >> wish & 1 else 1 - wish


@kernel
def nash(s: Any, p: Any, seat: int, rng: Any, bluff: int) -> int:
    """An equilibrium (Kuhn 1950): the first seat bets a jack with chance `bluff`/3, a king three times as often."""
    card = s.card[seat]
    chance = 0  # of betting, in thirds
    if s.turn == 0:
        chance = bluff if card == JACK else (3 * bluff if card == KING else 0)
    elif s.turn == 1 and s.moves[0] == PASS:
        chance = 1 if card == JACK else (3 if card == KING else 0)
    elif s.turn == 1:
        chance = 1 if card == QUEEN else (3 if card == KING else 0)
    else:
        chance = 1 + bluff if card == QUEEN else (3 if card == KING else 0)
    return if_allowed(s, p, seat, BET if rand_below(rng, 3) < chance else PASS)


@kernel
def honest(s: Any, p: Any, seat: int, rng: Any) -> int:
    """The equilibrium in which the first seat never bluffs."""
    return nash(s, p, seat, rng, 0)


@kernel
def bluffer(s: Any, p: Any, seat: int, rng: Any) -> int:
    """The equilibrium in which the first seat bluffs most."""
    return nash(s, p, seat, rng, 1)


@kernel
def card_only(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Bets a king and nothing else."""
    return if_allowed(s, p, seat, BET if s.card[seat] == KING else PASS)


@kernel
def always_bet(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Bets and calls with any card."""
    return if_allowed(s, p, seat, BET)


BASELINES = {
    "honest": Baseline(honest, "an equilibrium: the first seat never bluffs"),
    "bluffer": Baseline(bluffer, "an equilibrium: the first seat bluffs with a third of its jacks"),
    "card_only": Baseline(card_only, "bets a king and nothing else"),
    "always_bet": Baseline(always_bet, "bets and calls with any card"),
}
