"""Whom a person meets who names nobody."""

from __future__ import annotations

from ..agents.declaration import lineup_of
from ..envs.core.game import Game

MOST_SIMULATIONS = 4000  # of a search: enough where they are fast
SHORTEST = 0.1  # seconds a decision, however many opponents share the time


def opponent_for(game: Game, think: float, people: int = 1) -> str:
    """The default opponent in a game: as its line-up says, and a search within the time.

    Opponents decide one after the other, so that more than two share the time of two.
    """
    name = lineup_of(game).opponent_in(game)
    return searching(game, think, people) if name == "search" else name


def searching(game: Game, think: float, people: int = 1) -> str:
    """A search within the time (see `opponent_for`)."""
    others = max(game.n_seats - people, 1)
    seconds = max(think * min(1.0, 2 / others), SHORTEST)
    return f"search:sims={MOST_SIMULATIONS},seconds={seconds:g}"


__all__ = ["MOST_SIMULATIONS", "SHORTEST", "opponent_for", "searching"]
