"""Switching between whole ways to play as an agent: `switch:sims=...,among=...`.

A stretch of the game (a fight of a mission, say) is played like one baseline or another, and the rest as usual, many
times and to the end; the best of these ways is kept until the stretch is over (Chang, Givan and Chong 2004, Parallel
Rollout for Online Solution of Partially Observable Markov Decision Processes, Discrete Event Dynamic Systems 14(3)).
Where single actions hardly matter, and only many of one kind together do, this sees what a search of actions cannot.
The ways share dice and deals; simulations are given out by sequential halving (Karnin, Koren and Somekh 2013), or,
where at every decision what the ways would do is compared, by a race (`switch_race.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..envs.core.build import Function
from ..envs.core.game import Game
from .base import Agent, AgentError, NativePolicy, Param, View
from .declaration import Plans, lineup_of
from .native import (
    HORIZON_PARAM,
    OUTLOOK,
    Ahead,
    ahead_of,
    bulky_of,
    heuristics_of,
    native_clock,
    play_native,
    raise_status,
)
from .pacing import slices
from .rollouts import rollout_policy
from .search import SearchResult
from .switch_kernel import (
    EARNED,
    EARNED_SQUARES,
    ROUNDS,
    SQUARES,
    TOTAL,
    Room,
    Ways,
    acting_at,
    begin_of,
    try_ways,
)
from .switch_race import race

DEFAULT_SIMS = 2000
BEGUN = ("legal", "ways")


@dataclass(frozen=True)
class Found:
    """What was found of the ways at the beginning of a stretch; float64[n] each, the usual way first.

    `actions` int64[n]: what the seat does first by each; `more`: by how much each earns more than the usual one,
    `errors` its standard error; `earned`: what the seat gets by it, `spread` its standard error; `rounds` the games of
    each. `chosen` is the number of the way that is kept. Ways that begin alike, and go on as usual, are one, named by
    the first of them; an action that is none of theirs has no name.
    """

    names: tuple[str, ...]
    actions: np.ndarray
    chosen: int
    rounds: np.ndarray
    more: np.ndarray
    errors: np.ndarray
    earned: np.ndarray
    spread: np.ndarray


@dataclass(frozen=True)
class _Arms:
    """What is tried: ways by name, with their policies and what they begin with (see `Ways`), int64[n] each."""

    names: tuple[str, ...]
    which: np.ndarray
    first: np.ndarray
    actions: np.ndarray


@dataclass(frozen=True)
class _Plan:
    """A game prepared: the ways by name, the usual one first, and what is needed to try them."""

    game: Game
    names: tuple[str, ...]
    policies: tuple[NativePolicy, ...]
    which: np.ndarray
    sides: dict[int, np.ndarray]  # of each seat: 1 where a seat is of its side
    stretch: Function | None
    every: bool
    legal: bool  # with `every`, each legal action begins a way
    margin: float
    bulky: np.ndarray  # actions that are tried only where a way begins with them, int64[W]
    ahead: Ahead
    room: Room

    def ways(self, seat: int, arms: _Arms) -> Ways:
        """Between what the seat chooses."""
        game, ahead, side = self.game, self.ahead, self.sides[seat]
        return Ways(
            game.address, game.params_address, self.policies[0].address, arms.which, arms.first, seat, side, side,
            0 if self.stretch is None else self.stretch.address, ahead.outlook, ahead.memory, ahead.horizon,
        )  # fmt: skip

    def is_bulky(self, action: int) -> bool:
        """Whether an action is one of too many to try them all."""
        return bool(self.bulky[action >> 5] >> (action & 31) & 1)

    def check(self, status: int) -> None:
        """Raise what went wrong in compiled code."""
        raise_status(self.game, status, self.policies, [self.ahead], "among")


class SwitchAgent(Agent):
    """Plays every stretch of the game like the baseline that then earns most, as games played to their end say.

    Its side plays the stretch alike in these games, and as usual afterwards, as everybody else does throughout. A way
    may be a trained policy: with that as the usual one and `every` action as a beginning, each decision improves on it
    (Tesauro and Galperin 1996, On-line Policy Improvement using Monte-Carlo Search). With `sims` alone the same seed
    gives the same answer.
    """

    per_table = True
    params = (
        Param("sims", None, f"games a stretch; {DEFAULT_SIMS} without seconds", 1, 10**9, (), int, True),
        Param("seconds", None, "time a stretch; what is reached first ends it", 0.0, 86400.0, (), float, True),
        Param(
            "among",
            "auto",
            "baselines, policy (the trained one that ships) or files of policies, joined by +; auto: the baselines "
            "that the game names, else all of them",
        ),
        Param(
            "usual",
            "auto",
            "who plays the rest: a baseline, policy (the trained one that ships), a file of a policy, or auto: as the "
            "game says, else the first of rollouts",
        ),
        Param(
            "margin",
            None,
            "standard errors by which a way must be better than the usual one; none: as the game says, else 1",
            0.0,
            1e9,
            (),
            float,
            True,
        ),
        Param(
            "every",
            None,
            "it is chosen anew at every decision, and more than the ways may be tried (see begun); as the game says "
            "without it",
            None,
            None,
            (),
            bool,
            True,
        ),
        Param(
            "begun",
            None,
            "with every, what is tried: legal (every legal action begins a way, too, of moves on a grid those that a "
            "way makes) or ways (what one of the ways would do, which ends as soon as none of it may be better); as "
            "the game says without it",
            choices=BEGUN,
            optional=True,
        ),
        replace(OUTLOOK, default="plans", doc=f"{OUTLOOK.doc}; plans: auto or none, as the game says of its ways"),
        HORIZON_PARAM,
    )

    def __init__(
        self,
        sims: int | None = None,
        seconds: float | None = None,
        among: str = "auto",
        usual: str = "auto",
        margin: float | None = None,
        every: bool | None = None,
        begun: str | None = None,
        outlook: str = "plans",
        horizon: int | None = None,
    ) -> None:
        given = locals()
        values = {p.name: p.check(given[p.name]) for p in self.params}
        self.sims: int | None = values["sims"]
        self.seconds: float | None = values["seconds"]
        if self.sims is None and self.seconds is None:
            self.sims = DEFAULT_SIMS
        self.values: dict[str, Any] = values
        self.name = "switch"
        self._plan: _Plan | None = None
        self._here: int | None = None  # the stretch that a way was chosen for
        self._way = 0

    def reset(self, seed: int) -> None:
        """Forget the way of the last game."""
        self._here, self._way = None, 0

    def prepare(self, game: Game) -> None:
        """Compile the baselines; raises AgentError for one that does not play the game."""
        self._planned(game)

    def names(self, game: Game) -> tuple[str, ...]:
        """The ways between which it chooses in a game, the usual one first; raises AgentError."""
        return self._planned(game).names

    def _planned(self, game: Game) -> _Plan:
        if self._plan is None or self._plan.game is not game:
            self._plan, self._here = self._make_plan(game), None
        return self._plan

    def _make_plan(self, game: Game) -> _Plan:
        lineup, v = lineup_of(game), self.values
        named = lineup.plans or Plans(lineup.rollout_in(game).split("+")[0])
        plans = named if isinstance(named, Plans) else named(game)
        usual = plans.usual if v["usual"] == "auto" else v["usual"].strip()
        ready = {usual: rollout_policy(game, usual)}
        asked = [] if v["among"] == "auto" else [name.strip() for name in v["among"].split("+")]
        for name in asked or plans.among or heuristics_of(game):
            try:
                ready.setdefault(name, rollout_policy(game, name))
            except AgentError:
                if name in asked:
                    raise  # others do not play this scenario, which nobody asked them to
        names, policies = tuple(ready), tuple(ready.values())
        outlook = v["outlook"] if v["outlook"] != "plans" else "auto" if plans.ahead else "none"
        every = plans.every if v["every"] is None else v["every"]
        sides = {}
        for _, seats in game.sides:
            side = np.isin(np.arange(game.n_seats), seats).astype(np.int64)
            sides |= dict.fromkeys(seats, side)
        room = Room(
            np.zeros(game.state_size, np.uint8), np.zeros(game.words, np.int64), np.zeros(64, np.int64),
            np.zeros(64, np.int64), np.zeros(game.capacity), np.zeros(1, np.uint64),
            np.zeros(len(names) + len(game.actions)),
        )  # fmt: skip
        return _Plan(
            game,
            names,
            policies,
            np.array([policy.which for policy in policies], dtype=np.int64),
            sides,
            None if plans.stretch is None or every else native_clock(game, plans.stretch, "stretch"),
            every,
            (v["begun"] or plans.begun) == "legal",
            plans.margin if v["margin"] is None else v["margin"],
            bulky_of(game),
            ahead_of(game, v["horizon"], outlook),
            room,
        )

    def act(self, view: View) -> int:
        """One decision; Ctrl-C interrupts it at once."""
        requests, plan = view.requests, self._planned(view.game)
        if len(view.legal) == 1:
            return view.legal[0]
        if plan.stretch is None:
            found = self.compare(view)
            return int(found.actions[found.chosen])
        record = requests.deals()
        here = int(begin_of(plan.stretch.address, plan.game.params_address, record.ctypes.data))
        if here != self._here:
            self._here, self._way = here, 0 if here < 0 else self.compare(view).chosen
        return int(play_native(plan.policies[self._way], requests)[0])

    def analyse(self, view: View) -> SearchResult:
        """What every action is worth that begins a way; values are those of games to the end."""
        game = self._planned(view.game).game
        found = self.compare(view, every=True)
        visits, values, errors, chances = np.zeros((4, len(game.actions)))
        for way in np.argsort(found.more, kind="stable"):  # the best of those that begin alike stands in the end
            action = found.actions[way]
            visits[action] += found.rounds[way]
            values[action], errors[action] = found.earned[way], found.spread[way]
        chances[found.actions[found.chosen]] = 1.0
        total = int(found.rounds.sum())
        shares = visits / total if total else chances
        return SearchResult(int(found.actions[found.chosen]), total, 0, visits, values, shares, chances, errors)

    def _arms(self, view: View, plan: _Plan, every: bool) -> _Arms:
        """The ways of a decision; with `every` each legal action begins one."""
        requests = view.requests
        actions = [int(play_native(policy, requests)[0]) for policy in plan.policies]
        arms = list(zip(plan.names, plan.which, [-1] * len(actions), actions, strict=True))
        if plan.stretch is None:
            world = requests.deals()
            acting = int(acting_at(plan.game.address, plan.game.params_address, world.ctypes.data))
            if sum(acting >> seat & 1 for seat in np.flatnonzero(plan.sides[view.seat]).tolist()) == 1:
                # what follows is as usual, so that the action alone tells them apart
                kept = {action: (name, plan.which[0], action, action) for name, _, _, action in reversed(arms)}
                arms = [kept[action] for action in dict.fromkeys(actions)]
        if every or (plan.every and plan.legal):
            begun = {arm[3] for arm in arms}
            rest = [action for action in view.legal if action not in begun and (every or not plan.is_bulky(action))]
            arms += [("", plan.which[0], action, action) for action in rest]
        names, *numbers = zip(*arms, strict=True)
        return _Arms(names, *(np.array(column, dtype=np.int64) for column in numbers))

    def compare(self, view: View, every: bool = False) -> Found:
        """Try all ways from a decision on; with `every` each legal action begins one."""
        plan, requests = self._planned(view.game), view.requests
        arms = self._arms(view, plan, every)
        n, ways = len(arms.names), plan.ways(view.seat, arms)
        world, rng = requests.worlds(), requests.seeds.copy()
        found = np.zeros((n, 5))

        def play(kept: np.ndarray, rounds: int | None, seconds: float | None) -> None:
            for size in slices(rounds, seconds):
                plan.check(try_ways(ways, plan.room, world.ctypes.data, tried=kept, rounds=size, rng=rng, found=found))

        raced = plan.every and not plan.legal and not every  # of many actions no few games tell who may be better
        best, gain, error = race(play, found, self.sims, self.seconds) if raced else self._halved(play, found)
        more, errors = _mean(found, TOTAL, SQUARES)
        earned, spread = _mean(found, EARNED, EARNED_SQUARES) / plan.sides[view.seat].sum()
        # a single round shows nothing, whose error would be 0
        shown = found[best, ROUNDS] > 1 and gain > plan.margin * error
        chosen = best if shown and gain > 0 else 0
        return Found(arms.names, arms.actions, chosen, found[:, ROUNDS], more, errors, earned, spread)

    def _halved(
        self, play: Callable[[np.ndarray, int | None, float | None], None], found: np.ndarray
    ) -> tuple[int, float, float]:
        """Play the ways by sequential halving: the best beside the usual one, by how much it is better, the error."""
        n, kept = len(found), np.arange(len(found), dtype=np.int64)
        phases = max(1, math.ceil(math.log2(n - 1))) if n > 1 else 0
        for _ in range(phases):
            rounds = None if self.sims is None else max(1, self.sims // phases // len(kept))
            play(kept, rounds, None if self.seconds is None else self.seconds / phases)
            order = kept[1:][np.argsort(-(found[kept[1:], TOTAL] / found[kept[1:], ROUNDS]), kind="stable")]
            kept = np.concatenate([kept[:1], order[: max(1, len(order) // 2)]])
        best = int(kept[1]) if n > 1 else 0
        more, errors = _mean(found, TOTAL, SQUARES)
        return best, float(more[best]), float(errors[best])


def _mean(found: np.ndarray, total: int, squares: int) -> np.ndarray:
    """The means of a column of sums, and their standard errors, float64[2, n]."""
    rounds = np.maximum(found[:, ROUNDS], 1.0)
    mean = found[:, total] / rounds
    return np.array(
        [mean, np.sqrt(np.maximum(found[:, squares] / rounds - mean**2, 0.0) / np.maximum(rounds - 1, 1.0))]
    )


__all__ = ["DEFAULT_SIMS", "Found", "SwitchAgent"]
