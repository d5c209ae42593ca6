"""The best actions of a moment as a search sees them, within a time limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...agents.base import Agent, AgentError, View
from ...agents.declaration import lineup_of
from ...agents.intervals import NORMAL, unseen
from ...agents.judge import Judge, Verdict, Worths
from ...agents.perfect_information import TooLarge, position_value
from ...agents.registry import make_agent, parse_agent
from ...envs.core.game import Game, Position
from ...envs.core.replay import Choice, Die
from .reply import AGENT, Reply, reply_to

BEST = 3
NODES = 20_000  # positions behind an action that are counted out


class Found(Protocol):
    """What a search tells of one decision; see `SearchResult`."""

    action: int
    simulations: int
    visits: np.ndarray
    values: np.ndarray
    errors: np.ndarray
    strategy: np.ndarray
    chances: np.ndarray


@dataclass(frozen=True)
class Advice:
    """One action, what it is expected to pay, half the width of the interval, and how often a search would play it.

    `exact`: what is left of the game was solved, and both sides play without error from there on; or it was foreseen
    (see `Counsel`).
    """

    action: int
    value: float
    error: float
    share: float
    exact: bool = False


@dataclass(frozen=True)
class Counsel:
    """What a search advises in so many simulations, what it would play first, and what it did not try at all.

    `mixed`: it draws what it plays, and the likeliest comes first; else the others stand by their values (exact ones
    stand by their values first, and then by how often they are drawn). `blind`: its
    values take what is hidden from the seat as chance deals it, whatever the decisions of others may tell. `foreseen`:
    no search was asked; each value is what the best found behind the action earns from who plays an equilibrium.
    """

    simulations: int
    best: tuple[Advice, ...]
    untried: tuple[int, ...] = ()
    mixed: bool = False
    blind: bool = False
    foreseen: bool = False


def engine_in(game: Game) -> str:
    """The agent that values actions for people: `switch` where a person meets it, else `search`."""
    return "switch" if parse_agent(lineup_of(game).opponent_in(game)).name == "switch" else "search"


def analysed(agent: Agent, view: View) -> Found:
    """What an agent finds of a decision; raises AgentError if it tells no values."""
    analyse = getattr(agent, "analyse", None)
    if analyse is None:
        raise AgentError(f"{agent.name} tells no values")
    return analyse(view)


class Adviser:
    """A search that answers what it would do in the place of a seat; made when it is first asked.

    It thinks for so many seconds a decision or, where the answer must not depend on the machine, so many simulations.
    """

    def __init__(self, seconds: float = 1.0, sims: int | None = None) -> None:
        self._within = f"seconds={seconds:g}" if sims is None else f"sims={sims}"
        self._seconds = seconds if sims is None else None
        self._agents: dict[str, Agent] = {}  # by name: of whatever was asked about
        self._others: Agent | None = None  # who answers in the places of others
        self._exact: Exactly | None = None  # of the game that was asked about last

    def name_in(self, game: Game) -> str:
        """The agent that answers in a game."""
        return f"{engine_in(game)}:{self._within}"

    def best(self, game: Game, view: View) -> Counsel:
        """Up to `BEST` actions, the first of them what would be played; raises AgentError.

        Behind it stand the likeliest of a mixed answer, else those that are surely worth the most, by their values.
        `view` is that of an agent called as `name_in` says (see `Table.view`). Where what is left of a game can be
        solved, all values are exact; among equals the one comes first that a solution draws most, then the one that
        the search prefers. Where a game foresees what lies behind each action no search is asked.
        """
        ahead = lineup_of(game).foreseen
        values = ahead(game, view, self._seconds) if ahead is not None and len(view.legal) > 1 else None
        if values is not None:
            best = tuple(Advice(a, worth, 0.0, 0.0, exact=True) for a, worth in list(values.items())[:BEST])
            return Counsel(len(values), best, foreseen=True)
        found = self._analyse(game, view)
        if self._exact is None or self._exact.game is not game:
            self._exact = Exactly(game)
        exact = self._exact.of(view)
        if exact is not None:
            shares, order = exact.shares, in_order(exact, view.legal, found)
            share = {a: shares[a] if shares else float(a == order[0]) for a in order}
            best = tuple(Advice(a, exact.values[a], 0.0, share[a], exact=True) for a in order[:BEST])
            return Counsel(found.simulations, best, mixed=exact.mixed)
        tried = as_played([a for a in view.legal if found.visits[a] > 0] or [found.action], found)
        ends = game.spec.bounds_of_seats[view.seat]
        worth = {a: measured(ends, found, a) for a in (*tried, found.action)}
        mixed = bool(np.count_nonzero(found.chances) > 1)
        share = found.chances if mixed else found.strategy
        named = tried[:BEST]
        if not mixed:  # behind it what is surely worth the most, so that luck of few tries brings nothing in
            surely = sorted((a for a in tried if a != found.action), key=lambda a: worth[a][1] - worth[a][0])
            named = [found.action, *sorted(surely[: BEST - 1], key=lambda a: -worth[a][0])]
        best = tuple(Advice(a, *worth[a], float(share[a])) for a in named)
        blind = engine_in(game) == "search" and view.world().forget(view.seat).die() > 0
        return Counsel(found.simulations, best, tuple(a for a in view.legal if a not in tried), mixed, blind)

    def reply(self, game: Game, view: View, action: int) -> Reply | None:
        """What others may be expected to do after an action (see `reply_to`); raises AgentError."""
        if self._others is None:
            self._others = make_agent(AGENT)
            self._others.prepare(game)
        return reply_to(game, view, action, self._others)

    def _analyse(self, game: Game, view: View) -> Found:
        name = self.name_in(game)
        if name not in self._agents:
            self._agents[name] = make_agent(name)
            self._agents[name].prepare(game)
        return analysed(self._agents[name], view)

    def close(self) -> None:
        """Release the searches."""
        for agent in (*self._agents.values(), self._others):
            if agent is not None:
                agent.close()


class Exactly:
    """Exact verdicts on the decisions of one game, by whatever solves what is left of it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.too_much = False  # whether the last question found nothing because too much is left of the game
        self._judge = Judge(game)

    def of(self, view: View) -> Verdict | None:
        """What the actions of a decision are worth for certain; None where that cannot be told."""
        counted = counted_out(self.game, view)
        found = self._judge.of(view) if counted is None else Verdict(counted)
        self.too_much = found is None and self._judge.too_much
        return found

    def worths(self, positions: Sequence[Position], steps: Sequence[Die | Choice]) -> Worths | None:
        """What every position of a recorded game is worth to seat 0 (see `Judge.worths`); None if one is not known."""
        if self.game.n_seats != 2 or not self.game.spec.zero_sum:
            return None
        counted = lineup_of(self.game).counted
        if counted is None or not counted(self.game):
            return self._judge.worths(positions, steps)
        try:
            found = [float(here.returns()[0]) if here.over else position_value(here, NODES) for here in positions]
        except TooLarge:
            return None
        return Worths(np.array(found), hidden=False)


def as_played(actions: Sequence[int], found: Found) -> list[int]:
    """Actions by how likely a search plays them, then by how often it did while it searched, then by their values.

    What it plays need not be what it tried most: it keeps to a policy or a heuristic until something is surely better.
    """
    return sorted(actions, key=lambda a: (-found.chances[a], -found.strategy[a], -found.values[a]))


def in_order(verdict: Verdict, legal: Sequence[int], found: Found) -> list[int]:
    """Actions by their exact values, equal ones by how often a solution draws them, then by what a search prefers."""
    shares = verdict.shares or dict.fromkeys(legal, 0.0)
    return sorted(
        legal, key=lambda a: (-round(verdict.values[a], 6), -round(shares[a], 6), -found.strategy[a], -found.visits[a])
    )


def counted_out(game: Game, view: View) -> dict[int, float] | None:
    """The value of each action of a seat for its side by complete search; None where that is too much or not possible.

    It is made of what the seat knows, which is everything in the games that declare it.
    """
    counted = lineup_of(game).counted
    if counted is None or len(view.legal) < 2 or not counted(game):
        return None
    here, found = view.world(), dict[int, float]()
    for action in view.legal:
        after = here.clone()
        after.apply(view.seat, action)
        try:
            found[action] = position_value(after, NODES, view.seat)
        except TooLarge:
            return None
    return found


def measured(ends: tuple[float, float], found: Found, action: int) -> tuple[float, float]:
    """The value of an action, and half of its 95 % interval; what was never tried may be worth whatever there is."""
    if found.visits[action] == 0:
        return sum(ends) / 2, (ends[1] - ends[0]) / 2
    return float(found.values[action]), half_width(ends, found, action)


def half_width(ends: tuple[float, float], found: Found, action: int) -> float:
    """Half of the 95 % interval of an action's value; `ends` are the least and the most that its seat may get.

    Where all simulations of all actions ended alike, their spread says nothing; then something else may happen with the
    chance `unseen`, and be worth all that there is to get.
    """
    if found.errors[action] > 0:
        return NORMAL * float(found.errors[action])
    low, high = ends
    visits = float(found.visits[action])
    return (high - low) * (unseen(visits) if visits > 1 else 1.0)


__all__ = [
    "BEST", "Advice", "Adviser", "Counsel", "Exactly", "analysed", "as_played", "counted_out", "engine_in",
    "half_width", "in_order",
]  # fmt: skip
