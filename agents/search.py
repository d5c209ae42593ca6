"""Information-set Monte Carlo tree search as an agent: `search:sims=...,seconds=...`.

Any number of seats, hidden information, dice and simultaneous choices. Every simulation deals anew what the searching
seat cannot know and descends the trees of all seats at once (Cowling, Powley and Whitehouse 2012, Information Set Monte
Carlo Tree Search, IEEE TCIAIG 4(2)). Where several seats choose at the same moment, strategies are mixed by regret
matching (Lanctot, Lisý and Winands 2013, Monte Carlo Tree Search in Simultaneous Move Games with Applications to
Goofspiel); elsewhere actions are selected by UCB1 with availability counts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..envs.core.game import Game
from ..envs.core.rng import mix
from .base import Agent, AgentError, NativePolicy, Requests, View
from .declaration import lineup_of
from .gumbel import Draw, halving
from .native import Ahead, ahead_of, bulky_of, native_policy, raise_status
from .pacing import slices
from .policy import PolicyAgent
from .policy_net import draw as pick
from .rollouts import SHIPPED, follows_policy, rollouts_of
from .search_answer import ROOT, answer, deviation
from .search_kernel import Options, Rows, Scratch, Table, merge, plant, search, search_rows
from .search_pairs import join, no_pairs
from .search_params import DEFAULT_SIMS, DOUBT, OBSERVERS, PARAMS, SELECTS
from .search_tree import (
    ACTION,
    COUNT,
    EDGES_OF_NODE,
    FIRST,
    NEXT,
    NODE_MANY,
    NODES,
    SIMULATIONS,
    SQUARES,
    TOTAL,
    Tree,
    clear,
    empty_tree,
)  # fmt: skip

SIMS_TOGETHER = 512  # of small searches at many tables, in one call; even the slowest games take 0.1 ms for each
NODE_BYTES = 4 * 8 + 8 + 3 * 8 + 2 * 8 + EDGES_OF_NODE * (5 * 8 + 4 * 8)  # with its edges, and places in the table
_PATH = 4096  # nodes of all seats on the way of one simulation


@dataclass(frozen=True)
class SearchResult:
    """What a search found for one decision: the answer, and for every action id its numbers (float64[A] each)."""

    action: int
    simulations: int
    nodes: int
    visits: np.ndarray
    values: np.ndarray  # mean utility of the seat where the action was tried, else 0
    strategy: np.ndarray  # average strategy (regret matching) or share of visits
    chances: np.ndarray  # with which each action is the answer
    errors: np.ndarray  # standard error of each value where the action was tried, else 0


def deviations(tree: Any, node: int, actions: int) -> np.ndarray:
    """Standard deviations of the utilities of actions at a node, float64[actions]: their own, or that of all if larger.

    An action that was tried seldom may have met less than there is; but that of all is mostly that of the best one,
    which says little of an action that pays now this and now that.
    """
    found = np.full(actions, float(deviation(tree, node)))
    edge = int(tree.nodes[node, FIRST])
    while edge >= 0:
        count, total, squares = float(tree.edges[edge, COUNT]), tree.sums[edge, TOTAL], tree.sums[edge, SQUARES]
        if count > 1:
            own = max(squares - total * total / count, 0.0) / (count - 1)
            action = int(tree.edges[edge, ACTION])
            found[action] = max(found[action], own**0.5)
        edge = int(tree.edges[edge, NEXT])
    return found


@dataclass(frozen=True)
class _Share:
    """A tree with all that is written while it is searched: no two threads write the same."""

    tree: Tree
    scratch: Scratch
    options: Options
    policies: tuple[NativePolicy, ...]  # all that the options speak of, with memories of their own
    ahead: Ahead


@dataclass(frozen=True)
class _Plan:
    """A game prepared for search."""

    game: Game
    table: Table
    shares: tuple[_Share, ...]
    root: Tree  # the roots of all trees added up; where there is one tree, that tree
    out: np.ndarray
    prior: PolicyAgent | None

    @property
    def options(self) -> Options:
        """How to search and to answer."""
        return self.shares[0].options

    @property
    def scratch(self) -> Scratch:
        """The working space of the first tree."""
        return self.shares[0].scratch

    def followed(self, requests: Requests) -> np.ndarray:
        """What the trained policy would do, int64[m]; -1 without one."""
        if self.prior is None:
            return np.full(len(requests), -1, dtype=np.int64)
        return self.prior.act_batch(requests)

    def check(self, status: int) -> None:
        """Raise what went wrong in compiled code."""
        policies = (policy for share in self.shares for policy in share.policies)
        raise_status(self.game, status, policies, (share.ahead for share in self.shares))


class SearchAgent(Agent):
    """Monte Carlo tree search over what a seat cannot know.

    With `seconds` the number of simulations depends on the machine; with `sims` alone the same seed gives the same
    answer, on any number of threads. Positions that a seat cannot tell apart give the same answer.
    """

    params = PARAMS

    def __init__(
        self,
        sims: int | None = None,
        seconds: float | None = None,
        select: str = "auto",
        observer: str = "multi",
        root: str = "paired",
        c: float | None = None,
        gamma: float = 0.1,
        rollout: str = "auto",
        prior: str = "auto",
        epsilon: float = 0.0,
        trust: int = 20,
        depth: int = 0,
        outlook: str = "auto",
        horizon: int | None = None,
        utility: str = "own",
        scale: str = "seen",
        temperature: float = 1.0,
        margin: float | None = None,
        indifferent: float | None = None,
        doubt: float | None = None,
        narrow: bool = True,
        nodes: int | None = None,
        memory: int = 256,
        trees: int = 1,
        threads: int | None = None,
    ) -> None:
        given = locals()
        values = {p.name: p.check(given[p.name]) for p in self.params}
        self.sims: int | None = values["sims"]
        self.seconds: float | None = values["seconds"]
        if self.sims is None and self.seconds is None:
            self.sims = DEFAULT_SIMS
        self.values: dict[str, Any] = values
        if values["root"] == "gumbel" and (self.sims is None or self.seconds is not None or values["trees"] > 1):
            raise AgentError("root = gumbel shares out a known number of simulations: give sims, one tree, no seconds")
        self.name = "search"
        self._plan: _Plan | None = None
        self._pool: ThreadPoolExecutor | None = None

    def prepare(self, game: Game) -> None:
        """Set the working space up and compile what searches; raises AgentError for an unknown rollout."""
        plan = self._planned(game)
        # Compiled code is there before the clock of the first decision runs: a search of no simulations.
        self._begin(plan, np.int64(0), 0, np.int64(-1))
        world, rng = game.position().to_bytes(), np.zeros(1, dtype=np.uint64)
        at = np.frombuffer(bytearray(world), dtype=np.uint8)
        first = plan.shares[0]
        search(first.tree, plan.table, first.options, first.scratch, world=at.ctypes.data, me=0, sims=0, rng=rng)
        self._gather(plan)
        deviation(plan.root, ROOT)
        answer(
            plan.root,
            plan.options,
            plan.scratch.prior,
            np.ones(game.words, np.int64),
            out=plan.out,
            rng=rng,
            pairs=plan.scratch.pairs,
        )

    def _planned(self, game: Game) -> _Plan:
        if self._plan is None or self._plan.game is not game:
            self._plan = self._make_plan(game)
        return self._plan

    def _make_plan(self, game: Game) -> _Plan:
        v = self.values
        side_of = {seat: i for i, (_, seats) in enumerate(game.sides) for seat in seats}
        sides = np.array([side_of[s] if v["utility"] == "side" else s for s in range(game.n_seats)], dtype=np.int64)
        first = {seat: seats[0] for _, seats in game.sides for seat in seats}
        teams = np.array([first[seat] for seat in range(game.n_seats)], dtype=np.int64)
        table = Table(k=game.address, p=game.params_address, n_words=game.words, sides=sides, teams=teams)
        prior, trees = self._prior(game), int(v["trees"])
        nodes = (int(v["memory"]) << 20) // trees // NODE_BYTES
        nodes = max(nodes if v["nodes"] is None else min(nodes, int(v["nodes"])), 1)
        if self.sims is not None:
            nodes = min(nodes, -(-self.sims // trees) * game.n_seats + 1)
        shares = tuple(self._share(game, nodes, prior is not None) for _ in range(trees))
        root = shares[0].tree if trees == 1 else empty_tree(1, game.n_actions)
        return _Plan(game, table, shares, root, np.zeros((game.n_actions, 4)), prior)

    def _share(self, game: Game, nodes: int, guided: bool) -> _Share:
        """Working space of a tree of so many nodes; `guided`: a trained policy is followed."""
        v = self.values
        policies, which = rollouts_of(game, v["rollout"], guided and v["prior"] in ("auto", SHIPPED))
        policy = next((found for found in policies if found is not None), None)
        halved = v["root"] == "gumbel"  # it says itself what is tried
        advice = lineup_of(game).advisers if v["narrow"] and policy is not None and not halved else ()
        advising = [native_policy(game, name) for name in advice]
        advisers = np.array([found.which for found in advising], dtype=np.int64)
        low, high = game.spec.payoff_range
        if v["utility"] == "side":
            largest = max(len(seats) for _, seats in game.sides)
            low, high = low * largest, high * largest
        path = min(_PATH, game.spec.max_decisions + 1)
        scratch = Scratch(
            state=np.zeros(game.state_size, dtype=np.uint8),
            words=np.zeros(game.words, dtype=np.int64),
            left=np.zeros(game.words, dtype=np.int64),
            seats=np.zeros(64, dtype=np.int64),
            actions=np.zeros(64, dtype=np.int64),
            which=np.zeros(game.capacity, dtype=np.int64),
            followed=np.full(1, -1, dtype=np.int64),
            forced=np.full(1, -1, dtype=np.int64),
            prior=np.zeros(32 * game.words, dtype=np.float64),
            taken=np.zeros(game.words, dtype=np.int64),
            path=np.zeros((path, 3), dtype=np.int64),
            probs=np.zeros(path, dtype=np.float64),
            payoff=np.zeros(game.capacity, dtype=np.float64),
            utility=np.zeros(game.capacity, dtype=np.float64),
            bounds=np.zeros((game.capacity, 2), dtype=np.float64),
            pairs=no_pairs(32 * game.words),
        )
        ahead = ahead_of(game, v["horizon"], v["outlook"])
        c, margin = ahead.c, ahead.margin
        if guided:
            margin = lineup_of(game).policy_margin or margin
        solved = lineup_of(game).policy_solved if guided else lineup_of(game).solved
        # Means of actions that were tried at different times, against opponents that learned meanwhile, differ where
        # nothing does: no reason to leave a solution, however many simulations say so.
        usual = v["rollout"] == "auto" and v["prior"] in ("auto", SHIPPED if guided else "rollout")
        game_says = solved(game) if solved is not None and usual else 0.0
        indifferent = float(game_says if v["indifferent"] is None else v["indifferent"])
        # where the policy plays the imagined games, too, it is not shown to gain
        doubt = DOUBT if guided and not lineup_of(game).policy_plays else 0.0
        options = Options(
            select=SELECTS[v["select"]],
            observer=OBSERVERS[v["observer"]],
            c=float(c if v["c"] is None else v["c"]),
            gamma=float(v["gamma"]),
            policy=policy.address if policy else 0,
            which=which,
            advisers=advisers,
            epsilon=float(v["epsilon"]),
            trust=int(v["trust"]) if policy else 0,
            depth=int(v["depth"]),
            scale_seen=v["scale"] == "seen",
            low=float(low),
            high=float(high),
            temperature=float(v["temperature"]),
            margin=float(margin if v["margin"] is None else v["margin"]),
            indifferent=indifferent,
            doubt=float(doubt if v["doubt"] is None else v["doubt"]),
            stay=guided
            or min(game_says, indifferent) > 0.0
            or (bool(v["narrow"]) and policy is not None and bool(bulky_of(game).any())),
            outlook=ahead.outlook,
            memory=ahead.memory,
            horizon=ahead.horizon,
            ticks=ahead.ticks,
            paired=v["root"] == "paired",
            bulky=bulky_of(game) if v["narrow"] and policy and not halved else np.zeros(game.words, dtype=np.int64),
        )
        called = (*(found for found in policies if found is not None), *advising)
        return _Share(empty_tree(nodes, game.n_actions), scratch, options, called, ahead)

    def _prior(self, game: Game) -> PolicyAgent | None:
        """The trained policy to follow; raises AgentError if it is missing or does not fit the game."""
        asked = self.values["prior"]
        if asked == "rollout" or (asked == "auto" and not follows_policy(game)):
            return None
        agent = PolicyAgent(None if asked in ("auto", "policy") else asked)
        agent.prepare(game)
        return agent

    def act(self, view: View) -> int:
        """One decision; Ctrl-C interrupts it at once."""
        return self.analyse(view).action

    def act_batch(self, requests: Requests) -> np.ndarray:
        """Many decisions, int64[m]; one after the other, so that each has its full number of simulations."""
        v = self.values
        alone = self.sims is None or self.seconds is not None or v["trees"] > 1 or v["root"] == "gumbel"
        together = 1 if alone else max(1, SIMS_TOGETHER // (self.sims or 1))
        actions = np.zeros(len(requests), dtype=np.int64)
        for first in range(0, len(requests), together):  # Ctrl-C is answered in between
            part = requests[first : first + together]
            if together == 1:
                actions[first] = self.analyse(part).action
            else:
                actions[first : first + together] = self._rows(self._planned(requests.game), part)
        return actions

    def _rows(self, plan: _Plan, requests: Requests) -> np.ndarray:
        actions = np.zeros(len(requests), dtype=np.int64)
        status = search_rows(
            plan.shares[0].tree,
            plan.table,
            plan.options,
            plan.scratch,
            rows=Rows(
                worlds=requests.worlds(),
                seats=requests.seats,
                keys=requests.keys,
                legal=requests.words,
                followed=plan.followed(requests),
                seeds=requests.seeds,
                rngs=np.zeros(len(requests), dtype=np.uint64),
                actions=actions,
            ),
            sims=self.sims or 0,
            out=plan.out,
        )
        plan.check(status)
        return actions

    def analyse(self, decision: View | Requests) -> SearchResult:
        """Search one decision and tell what was found."""
        requests = decision.requests if isinstance(decision, View) else decision
        plan = self._planned(requests.game)
        if int(requests.masks[0].sum()) == 1:
            clear(plan.root)  # a forced move searches nothing
            action = int(self._rows(plan, requests)[0])
        elif self.values["root"] == "gumbel":
            action = self._halved(plan, requests)
        else:
            action = self._sliced(plan, requests)
        visits, values, strategy, chances = plan.out.T.copy()
        used = plan.root.used
        spread = deviations(plan.root, ROOT, len(visits)) if visits.any() else np.zeros_like(visits)
        errors = np.divide(spread, np.sqrt(visits), out=np.zeros_like(visits), where=visits > 0)
        nodes = sum(int(share.tree.used[NODES]) for share in plan.shares)
        return SearchResult(action, int(used[SIMULATIONS]), nodes, visits, values, strategy, chances, errors)

    def _sliced(self, plan: _Plan, requests: Requests) -> int:
        """Search one decision slice by slice until its time or its simulations are used up.

        The slices change nothing: with `sims` alone, and one tree, the answer is that of `_rows`. Every tree has its
        share of the simulations and dice of its own, so that it does not matter how many are searched at once.
        """
        trees = len(plan.shares)
        paced = slices(None if self.sims is None else -(-self.sims // trees), self.seconds)
        world, seat = requests.worlds(), int(requests.seats[0])
        left = None if self.sims is None else [len(range(i, self.sims, trees)) for i in range(trees)]
        rngs = [requests.seeds.copy()]
        rngs += [np.array([mix(int(requests.seeds[0].view(np.int64)), i)]).view(np.uint64) for i in range(1, trees)]
        self._begin(plan, requests.keys[0], seat, plan.followed(requests)[0])

        def add(number: int, sims: int) -> int:
            share, at = plan.shares[number], world.ctypes.data
            rng = rngs[number]
            return search(share.tree, plan.table, share.options, share.scratch, world=at, me=seat, sims=sims, rng=rng)

        for size in paced:
            sizes = [size] * trees if left is None else [min(size, rest) for rest in left]
            for status in self._each(add, sizes):
                plan.check(status)
            left = left and [rest - done for rest, done in zip(left, sizes, strict=True)]
        self._gather(plan)
        plan.out[:] = 0.0
        prior: np.ndarray = np.sum([share.scratch.prior for share in plan.shares], axis=0)
        return self._answer(plan, prior, requests.words[0], rngs[0])

    def _answer(self, plan: _Plan, prior: np.ndarray, words: np.ndarray, rng: np.ndarray) -> int:
        return int(answer(plan.root, plan.options, prior, words, out=plan.out, rng=rng, pairs=plan.scratch.pairs))

    def _halved(self, plan: _Plan, requests: Requests) -> int:
        """Search one decision by sequential halving at the root."""
        share, seat, world = plan.shares[0], int(requests.seats[0]), requests.worlds()
        chances = None if plan.prior is None else plan.prior.probabilities(requests)[0]
        draw = Draw.of(np.flatnonzero(requests.masks[0]), chances, int(requests.seeds[0]), self.values["temperature"])
        rng, kept = requests.seeds.copy(), np.arange(len(draw.actions))
        self._begin(plan, requests.keys[0], seat, np.int64(-1))
        visits = values = np.zeros(len(draw.actions))
        for left, each in halving(self.sims or 0, len(draw.actions)):
            for place in kept[:left]:
                share.scratch.forced[0] = draw.actions[place]
                for size in slices(each, None):
                    at = world.ctypes.data
                    status = search(
                        share.tree, plan.table, share.options, share.scratch, world=at, me=seat, sims=size, rng=rng
                    )
                    plan.check(status)
            plan.out[:] = 0.0
            answer(
                share.tree,
                share.options,
                share.scratch.prior,
                requests.words[0],
                out=plan.out,
                rng=rng,
                pairs=share.scratch.pairs,
            )
            low, high = share.scratch.bounds[seat]
            visits = plan.out[draw.actions, 0]
            values = (plan.out[draw.actions, 1] - low) / (high - low) if high > low else np.full(len(visits), 0.5)
            order = draw.ranked(visits, values)
            kept = order[np.isin(order, kept[:left])]
        plan.out[:, 3] = 0.0
        if share.tree.nodes[ROOT, NODE_MANY]:
            plan.out[draw.actions, 3] = draw.improved(visits, values)
            return int(pick(plan.out[None, :, 3], requests.seeds)[0])
        action = int(draw.actions[kept[0]])
        plan.out[action, 3] = 1.0
        return action

    def _each(self, add: Callable[[int, int], int], sizes: list[int]) -> Iterable[int]:
        """Search every tree for a slice, several at once; what each search answers."""
        threads = min(len(sizes), self.values["threads"] or len(os.sched_getaffinity(0)))
        if threads == 1:
            return [add(i, size) for i, size in enumerate(sizes)]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(threads, thread_name_prefix="search")
        return self._pool.map(add, range(len(sizes)), sizes)

    def _begin(self, plan: _Plan, key: np.int64, seat: int, followed: np.int64) -> None:
        """Begin all trees anew at an information state."""
        for share in plan.shares:
            plant(share.tree, share.scratch, key, seat, followed=followed)
        if len(plan.shares) > 1:
            plant(plan.root, plan.scratch, key, seat, followed=followed)

    def _gather(self, plan: _Plan) -> None:
        """Add the roots of all trees up, always in the same order."""
        if len(plan.shares) > 1:
            for share in plan.shares:
                merge(plan.root, share.tree)
            for share in plan.shares[1:]:
                join(plan.scratch.pairs, share.scratch.pairs)

    def close(self) -> None:
        """Release the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


__all__ = ["SearchAgent", "SearchResult"]
