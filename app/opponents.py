"""Whom a person meets: by default, at a level, and within how much time."""

from __future__ import annotations

from ..agents.declaration import lineup_of
from ..agents.registry import parse_agent
from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game

MOST_SIMULATIONS = 4000  # of a search: enough where they are fast
SHORTEST = 0.1  # seconds a decision, however many opponents share the time


def opponent_for(game: Game, think: float, people: int = 1) -> str:
    """The default opponent in a game: as its line-up says, and a search within the time.

    Opponents decide one after the other, so that more than two share the time of two.
    """
    name = lineup_of(game).opponent_in(game)
    return searching(game, think, people) if name == "search" else _timed(name, game, think, people)


def opponent_of_level(game: Game, level: int, think: float, people: int = 1) -> str:
    """The opponent of a level of a game, from 1, within the time; raises ProbespielError."""
    levels = lineup_of(game).levels
    if not 1 <= level <= len(levels):
        raise ProbespielError(f"--level {level} is not allowed: {game.name} has levels 1 to {len(levels)}")
    return _timed(levels[level - 1], game, think, people)


def searching(game: Game, think: float, people: int = 1) -> str:
    """A search within the time (see `opponent_for`)."""
    return _timed(f"search:sims={MOST_SIMULATIONS}", game, think, people)


def _timed(agent: str, game: Game, think: float, people: int) -> str:
    """The agent with a time limit, if it searches and has none."""
    parsed = parse_agent(agent)
    if parsed.name not in ("search", "switch", "casual") or "seconds" in parsed.values:
        return agent
    others = max(game.n_seats - people, 1)
    seconds = max(think * min(1.0, 2 / others), SHORTEST)
    return f"{agent}{',' if parsed.values else ':'}seconds={seconds:g}"


__all__ = ["MOST_SIMULATIONS", "SHORTEST", "opponent_for", "opponent_of_level", "searching"]
