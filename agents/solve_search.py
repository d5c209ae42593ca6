"""Search that solves what it grows, as an agent: `solve_search:sims=...,seconds=...`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..envs.core.game import Game
from ..envs.core.rng import mix, rand_float
from .base import Agent, AgentError, NativePolicy, Param, Requests, View
from .declaration import lineup_of
from .native import HORIZON_PARAM, OUTLOOK, Ahead, ahead_of, raise_status
from .pacing import slices
from .rollouts import follows_policy, rollouts_of
from .search import NODE_BYTES as TREE_NODE_BYTES
from .search import SearchAgent
from .solve_answer import nothing_better
from .solve_deal import in_the_open
from .solve_kernel import plant, plant_start, read, search
from .solve_play import Options, Scratch, Seeker, Study, Table
from .solve_tree import (
    BELIEF_COLUMNS,
    DECISION,
    ENTRY_COLUMNS,
    FLOAT_COLUMNS,
    INFO,
    INFO_COLUMNS,
    INFOS,
    KIND,
    NODE_COLUMNS,
    NODES,
    OPEN,
    PASSES,
    ROOTS,
    SIMULATIONS,
    USED,
    VISITS,
    Roots,
    Tree,
    find_info,
    settle,
)

DEFAULT_SIMS = 1000
_PATH = 512  # decisions and dice from a root to a leaf
_SEED = 0x5017E  # of what is dealt and played in all searches: what is thought does not depend on the decision's seed
# bytes a node takes with all that may hang on it: see `Tree`
_NODE_BYTES = 4 * NODE_COLUMNS + 8 + 8 * FLOAT_COLUMNS + 8 + 4 * INFO_COLUMNS + 16 + 8 * ENTRY_COLUMNS + 4
_NODE_BYTES += 8 + 8 * BELIEF_COLUMNS + 8 * 8


@dataclass(frozen=True)
class Solved:
    """What was found for one decision."""

    strategy: np.ndarray  # float64[A], the chances of all actions
    simulations: int
    nodes: int
    passes: int  # of the solver
    positions: int  # at which the tree began
    kept: bool  # the strategy is that of the tree from the start of the game
    followed: bool = False  # it is what the rollout baselines do: nothing was shown to be better
    handed_over: bool = False  # the tree search answered


@dataclass(frozen=True)
class _Plan:
    """A game prepared for search."""

    game: Game
    table: Table
    options: Options
    scratch: Scratch
    start: Tree
    begin: Roots
    tree: Tree
    roots: Roots
    from_start: Study
    present: Study
    caution: np.ndarray  # float64[2] as in `solve_answer.nothing_better`
    kept: np.ndarray  # bool[.]: which information states of the tree from the start it answers itself
    whole: np.ndarray  # bool[.]: those below which nothing is left to grow
    policies: tuple[NativePolicy, ...]
    ahead: Ahead
    other: SearchAgent | None  # who answers what is decided in the open
    led: bool  # and everything else but what follows whole in the tree from the start

    def check(self, status: int) -> None:
        """Raise what went wrong in compiled code."""
        raise_status(self.game, status, self.policies, [self.ahead])


class SolveSearchAgent(Agent):
    """A mixed strategy from a growing tree over what every seat knows, solved by PCFR+.

    What it thinks depends on what the seat knows and on nothing else; only the draw from its mixed answer depends on
    the seed of the decision (with `seconds` the number of simulations depends on the machine).
    """

    params = (
        Param("sims", None, f"simulations a decision; {DEFAULT_SIMS} without seconds", 1, 10**9, (), int, True),
        Param("seconds", None, "time a decision; what is reached first ends it", 0.0, 86400.0, (), float, True),
        Param("start", 10, "times as much at first, from the start of the game, for all decisions", 1, 10**6, (), int),
        Param("effort", 500, "nodes that the solver visits for each simulation", 0, 10**6, (), int),
        Param("explore", 0.5, "chance of a random action of the side that explores", 0.0, 1.0, (), float),
        Param("ripe", 1, "plays from a leaf before it gets children", 1, 10**6, (), int),
        Param("positions", 200, "of those that agree with what is known, as many are searched", 1, 10**5, (), int),
        Param("floor", 0.05, "of the chance with which a position is thought to be reached", 0.0, 1.0, (), float),
        Param(
            "rollout",
            "auto",
            "who plays beyond the tree: random, baselines, policy (the trained one that ships) or files of policies, "
            "joined by +, or auto: the game's choice",
        ),
        Param("epsilon", 0.0, "chance of a random action in a rollout", 0.0, 1.0, (), float),
        OUTLOOK,
        HORIZON_PARAM,
        Param(
            "margin",
            None,
            "twice as many standard errors must an action gain on what those of the rollouts do for the answer not to "
            "be that; none: 1 where they play a known solution or are a trained policy, else 0; 0: the answer is the "
            "solution",
            0.0,
            1e9,
            (),
            float,
            True,
        ),
        Param(
            "indifferent",
            None,
            "standard deviations of payoffs that it must gain, too; none: the game's where the baselines play a known "
            "solution, else 0",
            0.0,
            100.0,
            (),
            float,
            True,
        ),
        Param(
            "handover",
            "auto",
            "auto: the tree search answers where nothing is hidden and all will see the choice, so that nothing is to "
            "be mixed, and where a trained policy leads it and solving gains nothing; none: nowhere",
            choices=("auto", "none"),
        ),
        Param("memory", 256, "MB that all trees may take together; then they do not grow", 1, 10**6, (), int),
    )

    def __init__(
        self,
        sims: int | None = None,
        seconds: float | None = None,
        start: int = 10,
        effort: int = 500,
        explore: float = 0.5,
        ripe: int = 1,
        positions: int = 200,
        floor: float = 0.05,
        rollout: str = "auto",
        epsilon: float = 0.0,
        outlook: str = "auto",
        horizon: int | None = None,
        margin: float | None = None,
        indifferent: float | None = None,
        handover: str = "auto",
        memory: int = 256,
    ) -> None:
        given = locals()
        values = {p.name: p.check(given[p.name]) for p in self.params}
        self.sims: int | None = values["sims"]
        self.seconds: float | None = values["seconds"]
        if self.sims is None and self.seconds is None:
            self.sims = DEFAULT_SIMS
        self.values: dict[str, Any] = values
        self.name = "solve_search"
        self._plan: _Plan | None = None

    def prepare(self, game: Game) -> None:
        """Search from the start of the game; raises AgentError for a game of more than two sides, or a bad rollout."""
        self._planned(game)

    def _planned(self, game: Game) -> _Plan:
        if self._plan is None or self._plan.game is not game:
            plan = self._make_plan(game)
            # Compiled code is there before any clock runs: a search of no simulations, whose answer is read.
            search(plan.present, Seeker(0, 0, 0), sims=0, rng=np.zeros(1, dtype=np.uint64))
            settle(plan.tree, plan.roots, plan.table.sides)
            find_info(plan.tree, 0)
            nothing_better(
                plan.tree, plan.roots, plan.table.sides, key=0, prior=plan.scratch.prior, caution=plan.caution
            )
            in_the_open(plan.table, plan.scratch, Seeker(game.params_address - game.state_size, 0, 0), _dice())
            read(plan.tree, 0, np.zeros(game.words, dtype=np.int64), np.zeros(game.n_actions))
            plant(plan.tree, plan.scratch)
            plant_start(plan.start, plan.table, plan.begin, plan.scratch)
            times = 1 if plan.led else int(self.values["start"])
            self._think(plan, plan.from_start, Seeker(0, 0, 0), times=times)
            if plan.other is not None:
                plan.other.prepare(game)
            kept, whole = _kept(plan.start, times)
            self._plan = replace(plan, kept=kept, whole=whole)
        return self._plan

    def _make_plan(self, game: Game) -> _Plan:
        v = self.values
        if len(game.sides) > 2:
            names = ", ".join(name for name, _ in game.sides)
            raise AgentError(
                f"solve_search does not play {game.name}: it has {len(game.sides)} sides ({names}), at most two are "
                "allowed; search plays games of any number"
            )
        policies, which = rollouts_of(game, v["rollout"], guided=lineup_of(game).policy_solves)
        known = tuple(found for found in policies if found is not None)
        ahead = ahead_of(game, v["horizon"], v["outlook"])
        options = Options(
            policy=known[0].address if known else 0,
            which=which,
            epsilon=float(v["epsilon"]),
            outlook=ahead.outlook,
            memory=ahead.memory,
            horizon=ahead.horizon,
            ticks=ahead.ticks,
            effort=int(v["effort"]),
            explore=float(v["explore"]),
            ripe=int(v["ripe"]),
            floor=float(v["floor"]),
        )
        side_of = {seat: i for i, (_, seats) in enumerate(game.sides) for seat in seats}
        first = {seat: seats[0] for _, seats in game.sides for seat in seats}
        table = Table(
            k=game.address,
            p=game.params_address,
            n_words=game.words,
            sides=np.array([side_of[seat] for seat in range(game.n_seats)], dtype=np.int64),
            teams=np.array([first[seat] for seat in range(game.n_seats)], dtype=np.int64),
        )
        size, positions = game.state_size, int(v["positions"])
        dealt = np.zeros(size, dtype=np.uint8)
        scratch = Scratch(
            state=np.zeros(size, dtype=np.uint8),
            play=np.zeros(size, dtype=np.uint8),
            dealt=dealt,
            dealt_words=dealt[: size // 8 * 8].view(np.int64),
            words=np.zeros(game.words, dtype=np.int64),
            path=np.zeros(_PATH, dtype=np.int64),
            which=np.zeros(game.capacity, dtype=np.int64),
            payoff=np.zeros(game.capacity, dtype=np.float64),
            found=np.zeros(2, dtype=np.float64),
            digits=np.zeros(64, dtype=np.int64),
            faces=np.zeros(64, dtype=np.int64),
            chosen=np.zeros(64, dtype=np.int64),
            deals=np.zeros(4, dtype=np.int64),
            link=np.zeros(size, dtype=np.uint8),
            seed=np.zeros(1, dtype=np.uint64),
            prior=np.zeros(32 * game.words, dtype=np.float64),
            asked=np.zeros(1, dtype=np.uint64),
        )
        other = self._other(game)
        nodes = (int(v["memory"]) << 20) // (2 if other is None else 3) // _NODE_BYTES
        start, begin, tree, roots = _tree(nodes), _roots(1, size), _tree(nodes), _roots(positions, size)
        return _Plan(
            game,
            table,
            options,
            scratch,
            start,
            begin,
            tree,
            roots,
            from_start=Study(tree=start, known=_tree(1), roots=begin, game=table, options=options, scratch=scratch),
            present=Study(tree=tree, known=start, roots=roots, game=table, options=options, scratch=scratch),
            caution=self._caution(game, ahead),
            kept=np.zeros(0, dtype=bool),
            whole=np.zeros(0, dtype=bool),
            policies=known,
            ahead=ahead,
            other=other,
            led=other is not None and self._led(game),
        )

    def _led(self, game: Game) -> bool:
        """Whether the tree search follows a trained policy here, which a solution of single plays does not match."""
        return self.values["rollout"] == "auto" and not lineup_of(game).policy_solves and follows_policy(game)

    def _other(self, game: Game) -> SearchAgent | None:
        """The tree search that answers what is handed over, and imagines the games that are asked for."""
        v = self.values
        if v["handover"] == "none":
            return None
        return SearchAgent(
            sims=self.sims,
            seconds=self.seconds,
            rollout=v["rollout"],
            prior="auto" if v["rollout"] == "auto" else "rollout",
            epsilon=v["epsilon"],
            outlook=v["outlook"],
            horizon=v["horizon"],
            margin=v["margin"],
            indifferent=v["indifferent"],
            nodes=max(1, (int(v["memory"]) << 20) // 3 // TREE_NODE_BYTES),
            memory=int(v["memory"]),
        )

    def _caution(self, game: Game, ahead: Ahead) -> np.ndarray:
        """Margin and indifference in a game, float64[2]: the answer keeps to a known solution or a trained policy."""
        margin, indifferent = self.values["margin"], self.values["indifferent"]
        lineup, auto = lineup_of(game), self.values["rollout"] == "auto"
        known = lineup.solved(game) if lineup.solved is not None and auto else 0.0
        cautious = ahead.margin if known > 0.0 else 0.0
        if auto and lineup.policy_solves and follows_policy(game):
            cautious = lineup.policy_margin or 0.0
        return np.array([cautious if margin is None else margin, known if indifferent is None else indifferent])

    def act(self, view: View) -> int:
        """One decision; Ctrl-C interrupts it at once."""
        return int(self.act_batch(view.requests)[0])

    def act_batch(self, requests: Requests) -> np.ndarray:
        """Many decisions, int64[m]: draws from the answers by the seeds of the decisions."""
        actions = np.zeros(len(requests), dtype=np.int64)
        for i in range(len(requests)):
            strategy = self.analyse(requests[[i]]).strategy
            at = rand_float(requests.seeds[i : i + 1].copy()) * strategy.sum()
            likely = np.flatnonzero(strategy > 0)
            drawn = np.searchsorted(np.cumsum(strategy[likely]), at, side="right")
            actions[i] = likely[min(int(drawn), len(likely) - 1)]
        return actions

    def probabilities(self, requests: Requests) -> np.ndarray:
        """The chances of all actions, float64[m, A]."""
        found = [self.analyse(requests[[i]]).strategy for i in range(len(requests))]
        return np.array(found).reshape(len(requests), requests.game.n_actions)

    def analyse(self, decision: View | Requests) -> Solved:
        """Search one decision and tell what was found."""
        requests = decision.requests if isinstance(decision, View) else decision
        plan = self._planned(requests.game)
        words, strategy = requests.words[0], np.zeros(requests.game.n_actions)
        legal = requests.masks[0] != 0
        if legal.sum() == 1:
            return Solved(legal.astype(np.float64), 0, 0, 0, 0, False)
        seat, key = int(requests.seats[0]), int(requests.keys[0])
        name = mix(key, seat)
        used, info = plan.start.used, find_info(plan.start, name)
        kept = info >= 0 and bool(plan.kept[info]) and read(plan.start, name, words, strategy)
        if kept and plan.whole[info]:
            return Solved(strategy, int(used[SIMULATIONS]), int(used[NODES]), int(used[PASSES]), 1, True)
        world = requests.worlds()
        seeker = Seeker(world.ctypes.data, seat, key)
        if plan.other is not None and (plan.led or in_the_open(plan.table, plan.scratch, seeker, _dice())):
            return self._hand_over(plan.other, requests, name)
        if kept:
            return Solved(strategy, int(used[SIMULATIONS]), int(used[NODES]), int(used[PASSES]), 1, True)
        plant(plan.tree, plan.scratch)
        self._think(plan, plan.present, seeker)
        followed = False
        if not read(plan.tree, name, words, strategy):
            strategy[legal] = 1.0 / legal.sum()
        elif nothing_better(
            plan.tree, plan.roots, plan.table.sides, key=name, prior=plan.scratch.prior, caution=plan.caution
        ):
            strategy, followed = plan.scratch.prior[: len(strategy)] / plan.scratch.prior.sum(), True
        used = plan.tree.used
        found = (int(used[SIMULATIONS]), int(used[NODES]), int(used[PASSES]), int(used[ROOTS]))
        return Solved(strategy, *found, False, followed)

    def _hand_over(self, other: SearchAgent, requests: Requests, name: int) -> Solved:
        """What the tree search finds, on dice that depend on what is known alone."""
        found = other.analyse(replace(requests, seeds=np.array([name]).view(np.uint64)))
        return Solved(found.chances, found.simulations, found.nodes, 0, 1, False, handed_over=True)

    def _think(self, plan: _Plan, study: Study, seeker: Seeker, times: int = 1) -> None:
        """Search slice by slice until time or simulations are used up, `times` those of a decision."""
        sims = None if self.sims is None else times * self.sims
        seconds = None if self.seconds is None else times * self.seconds
        rng = _dice()
        for size in slices(sims, seconds):
            plan.check(search(study, seeker, sims=size, rng=rng))
        settle(study.tree, study.roots, plan.table.sides)


def _dice() -> np.ndarray:
    """What is dealt and thrown in a search begins alike in all of them, uint64[1]."""
    return np.array([_SEED], dtype=np.uint64)


def _kept(tree: Tree, times: int) -> tuple[np.ndarray, np.ndarray]:
    """Which information states need no other search than that from the start, and which are whole, bool[I] each.

    Those below which nothing is left to grow, and those through which no fewer simulations went than a decision gets
    (`times` as many were made in all): there the solution from the start knows as much, and fits in with the others.
    """
    nodes = tree.nodes[: tree.used[NODES]]
    nodes = nodes[nodes[:, KIND] == DECISION]
    n = int(tree.used[INFOS])
    visits = np.bincount(nodes[:, INFO], weights=nodes[:, VISITS], minlength=n)
    growing = np.bincount(nodes[:, INFO], weights=nodes[:, OPEN], minlength=n)
    return (growing == 0) | (visits * times >= tree.used[SIMULATIONS]), growing == 0


def _tree(n: int) -> Tree:
    """An empty tree of n nodes; memory is taken as it is touched, but for the hash table, which is cleared."""
    return Tree(
        nodes=np.empty((n, NODE_COLUMNS), dtype=np.int32),
        codes=np.empty(n, dtype=np.int64),
        floats=np.empty((n, FLOAT_COLUMNS), dtype=np.float64),
        table=np.zeros(1 << (3 * n).bit_length(), dtype=np.int64),
        keys=np.empty(n, dtype=np.int64),
        infos=np.empty((n, INFO_COLUMNS), dtype=np.int32),
        weights=np.zeros((n, 2), dtype=np.float64),
        entries=np.empty((n, ENTRY_COLUMNS), dtype=np.float64),
        actions=np.empty(n, dtype=np.int32),
        belief_keys=np.empty(n, dtype=np.int64),
        beliefs=np.empty((n, BELIEF_COLUMNS), dtype=np.float64),
        used=np.zeros(USED, dtype=np.int64),
    )


def _roots(n: int, size: int) -> Roots:
    """Room for n roots."""
    return Roots(
        states=np.zeros((n, size), dtype=np.uint8),
        hashes=np.zeros(n, dtype=np.int64),
        nodes=np.zeros(n, dtype=np.int64),
        mine=np.zeros(n, dtype=np.int64),
        counts=np.zeros(n, dtype=np.float64),
        expected=np.zeros((n, 2), dtype=np.float64),
        ranges=np.zeros((n, 2), dtype=np.float64),
        weights=np.zeros(n, dtype=np.float64),
    )


__all__ = ["SolveSearchAgent", "Solved"]
