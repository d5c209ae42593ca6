"""Small games in which something is hidden, over sequences of own decisions: exact values, answers, exploitability.

For two seats that remember what they did (Koller, Megiddo and von Stengel 1996, Efficient computation of equilibria for
extensive two-person games). The whole tree is enumerated once (see `exact`); after that nobody asks the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy  # its parts are loaded when they are called

from ..envs.core.game import Game
from .base import AgentError
from .exact import DEFAULT_BUDGET, GameTree
from .exact_kernel import TERMINAL
from .public_game import NotSolved
from .sequence_kernel import FORGETS, Side, best_answer, sequences_of, set_plan, value_of


class SequenceForm:
    """The sequence form of a game of two seats: `sides` for each of them, over a tree of at most `budget` nodes.

    Strategies of a seat are chances by its sequences, float64[`sizes[seat]`], see `sequence_kernel`. Raises
    TreeTooLarge, and NotSolved for another number of seats or seats that forget what they did.
    """

    def __init__(self, game: Game, budget: int = DEFAULT_BUDGET) -> None:
        self.game = game
        self.where = f"{game.name} ({game.spec.scenario})"
        if game.n_seats != 2:
            raise NotSolved(f"{self.where}: two seats are needed, there are {game.n_seats}")
        self.tree = tree = GameTree(game, budget)
        sizes = np.diff(tree.starts)
        own = np.zeros(tree.n_states, np.int64)
        self.states = tuple(tree.states_of(seat) for seat in (0, 1))
        for states in self.states:
            own[states] = 1 + np.cumsum(sizes[states]) - sizes[states]
        self._chance, self._last = chance, last = np.zeros(tree.n_nodes), np.zeros((tree.n_nodes, 2), np.int64)
        before = np.full(tree.n_states, -1, np.int64)
        if sequences_of(tree._nodes, tree.starts, own, chance, last=last, before=before) == FORGETS:
            raise NotSolved(f"{self.where}: a seat forgets what it did")
        self.sizes = tuple(1 + int(sizes[states].sum()) for states in self.states)
        ends = np.flatnonzero(tree._nodes.kind == TERMINAL)
        self._ends = last[ends].T, chance[ends], tree._payoffs[tree._nodes.ref[ends]]
        self.sides = tuple(
            self._side(seat, before[self.states[seat]], np.append(own[self.states[seat]], self.sizes[seat]))
            for seat in (0, 1)
        )

    def _side(self, seat: int, parent: np.ndarray, starts: np.ndarray) -> Side:
        found = self.payoffs(seat)
        found = found if seat == 0 else found.T.tocsr()
        rows, columns = found.indptr.astype(np.int64), found.indices.astype(np.int32)
        return Side(parent=parent, starts=starts, rows=rows, columns=columns, values=found.data)

    def payoffs(self, seat: int) -> scipy.sparse.csr_array:
        """What a seat gets, times the chance of dice, by the sequences of seat 0 (rows) and of seat 1."""
        (first, second), chance, payoffs = self._ends
        return scipy.sparse.coo_array((chance * payoffs[:, seat], (first, second)), shape=self.sizes).tocsr()

    @cached_property
    def entries(self) -> tuple[np.ndarray, np.ndarray]:
        """Where in a profile of the tree the sequences of each seat but the empty one stand."""
        owners = np.repeat(self.tree.seats, np.diff(self.tree.starts))
        return tuple(np.flatnonzero(owners == seat) for seat in (0, 1))  # type: ignore[return-value]

    def chances(self, seat: int, profile: np.ndarray) -> np.ndarray:
        """The strategy of a seat in a profile of the tree (see `GameTree`)."""
        return np.concatenate([[1.0], profile[self.entries[seat]]])

    def taken(self, seat: int, without: Collection[int]) -> np.ndarray:
        """Which sequences a seat uses that does not take some actions where it has another one, bool[sequences]."""
        barred = self.game.actions.ids_to_words(sorted(without))
        out = [True]
        for words in self.tree._infos.words[self.states[seat]]:
            legal = self.game.actions.words_to_ids(words)
            kept = set(self.game.actions.words_to_ids(words & ~barred)) or set(legal)
            out += [action in kept for action in legal]
        return np.array(out)

    def plan(self, seat: int, chances: np.ndarray) -> np.ndarray:
        """The plan of a strategy: the chance that the seat contributes to each of its sequences."""
        plan = np.empty(self.sizes[seat])
        set_plan(self.sides[seat], np.ascontiguousarray(chances, np.float64), plan)
        return plan

    def value(self, seat: int, chances: np.ndarray, other: np.ndarray) -> float:
        """What a strategy of a seat gets against a plan of the other."""
        return float(value_of(self.sides[seat], other, np.empty(self.sizes[seat]), chances))

    def best(self, seat: int, other: np.ndarray) -> tuple[float, np.ndarray]:
        """The most that a seat gets against a plan of the other, and a strategy with which it does."""
        chances = np.ones(self.sizes[seat])
        value = best_answer(self.sides[seat], other, np.empty(self.sizes[seat]), chances)
        return float(value), chances

    def answers(self, seat: int, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What a seat gets from each of its information states on by each of its actions, against a plan of the other.

        It plays best afterwards. float64[sequences], the first being the whole game; and the chance with which chance
        and the other bring it to each of its information states, float64[states], by which those are already divided;
        where it is 0 they are what they are.
        """
        side, gains = self.sides[seat], np.empty(self.sizes[seat])
        best_answer(side, other, gains, np.ones(self.sizes[seat]))
        tree, reach = self.tree, np.zeros(self.tree.n_states)
        nodes = np.flatnonzero(tree._nodes.kind == seat)
        np.add.at(reach, tree._nodes.ref[nodes], self._chance[nodes] * other[self._last[nodes, 1 - seat]])
        own = reach[self.states[seat]]
        gains[1:] /= np.repeat(np.where(own > 0, own, 1.0), np.diff(side.starts))
        return gains, own

    def nash_conv(self, first: np.ndarray, second: np.ndarray) -> float:
        """What both seats could gain by deviating from their strategies, one at a time, summed."""
        plans = self.plan(0, first), self.plan(1, second)
        total = 0.0
        for seat, chances in enumerate((first, second)):
            total += self.best(seat, plans[1 - seat])[0] - self.value(seat, chances, plans[1 - seat])
        return total

    def exploitability(self, first: np.ndarray, second: np.ndarray) -> float:
        """`nash_conv` divided by the number of seats."""
        return self.nash_conv(first, second) / 2

    def flow(self, seat: int) -> tuple[scipy.sparse.csr_array, np.ndarray]:
        """What goes into a seat's information states comes out of them: a matrix over its sequences, its right side."""
        side, m = self.sides[seat], len(self.states[seat])
        lengths = np.diff(side.starts)
        each = np.arange(1, m + 1)
        values = np.concatenate([[1.0], np.full(m, -1.0), np.ones(lengths.sum())])
        rows = np.concatenate([[0], each, np.repeat(each, lengths)])
        columns = np.concatenate([[0], side.parent, np.arange(1, self.sizes[seat])])
        right = np.zeros(m + 1)
        right[0] = 1.0
        return scipy.sparse.coo_array((values, (rows, columns)), shape=(m + 1, self.sizes[seat])).tocsr(), right


def hidden_value(game: Game, nodes: int, without: Mapping[int, Collection[int]] | None = None) -> float:
    """Half of the lead of seat 0 if both seats play best for it, in a game of at most so many nodes.

    `without`: actions (ids) that a seat does not take where it has another one. Raises NotSolved for more nodes, for
    seats of one side, and for seats that forget.
    """
    where = f"{game.name} ({game.spec.scenario})"
    if game.n_seats != 2 or game.seats[0].side == game.seats[1].side:
        raise NotSolved(f"{where}: two seats of different sides are needed")
    try:
        form = SequenceForm(game, nodes)
    except AgentError as reason:
        raise NotSolved(str(reason)) from None
    return _program(form, 0, without or {}).value


@dataclass(frozen=True)
class Best:
    """A best plan of a seat (see `SequenceForm`), and half of the lead that it is sure of by it."""

    value: float
    plan: np.ndarray


LIKELY = 0.1  # of a plan that keeps all it can: more than this counts for no more
_SLACK = 1e-9  # what such a plan may lose, of payoffs up to 1


def best_plan(form: SequenceForm, seat: int) -> Best:
    """A plan that guarantees a seat the value of the game, and takes as many sequences as any such plan does.

    Whoever answers it then knows what is right wherever play without error may lead. Raises NotSolved.
    """
    return _program(form, seat, {}, spread=True)


def _program(form: SequenceForm, seat: int, without: Mapping[int, Collection[int]], spread: bool = False) -> Best:
    """The linear program of a seat's best plan; see `hidden_value` and `best_plan`."""
    payoffs = (form.payoffs(0) - form.payoffs(1)) / 2
    payoffs = payoffs if seat == 0 else -payoffs.T
    (mine, start), (theirs, other) = (form.flow(one) for one in (seat, 1 - seat))
    mine_taken, theirs_taken = (form.taken(one, without.get(one, ())) for one in (seat, 1 - seat))
    m, d = form.sizes[seat], len(other)
    # maximise other @ v over x >= 0 and free v, with mine @ x = start and theirs.T @ v <= payoffs.T @ x
    goal = np.concatenate([np.zeros(m), -other])
    below = scipy.sparse.hstack([-payoffs.T, theirs.T]).tocsr()[theirs_taken]  # what is not taken binds nobody
    alike = scipy.sparse.hstack([mine, scipy.sparse.csr_array((len(start), d))]).tocsr()
    bounds: list[tuple[float | None, float | None]] = [(0, None if taken else 0) for taken in mine_taken]
    bounds += [(None, None)] * d
    found = scipy.optimize.linprog(
        goal, A_ub=below, b_ub=np.zeros(theirs_taken.sum()), A_eq=alike, b_eq=start, bounds=bounds
    )
    if not found.success:
        raise NotSolved(f"{form.where}: its linear program has no solution")
    value = float(-found.fun)
    if not spread:
        return Best(value, found.x[:m])
    # of all plans that guarantee it, one with the greatest sum of t <= x, t <= LIKELY
    scale = max(1.0, float(abs(payoffs).max()))
    rows = [
        scipy.sparse.hstack([below, scipy.sparse.csr_array((below.shape[0], m))]),
        scipy.sparse.csr_array(np.concatenate([goal, np.zeros(m)])[None, :]),
        scipy.sparse.hstack([-scipy.sparse.eye_array(m), scipy.sparse.csr_array((m, d)), scipy.sparse.eye_array(m)]),
    ]
    wide = scipy.optimize.linprog(
        np.concatenate([np.zeros(m + d), -np.ones(m)]),
        A_ub=scipy.sparse.vstack(rows).tocsr(),
        b_ub=np.concatenate([np.zeros(below.shape[0]), [_SLACK * scale - value], np.zeros(m)]),
        A_eq=scipy.sparse.hstack([alike, scipy.sparse.csr_array((len(start), m))]).tocsr(),
        b_eq=start,
        bounds=[*bounds, *[(0, LIKELY)] * m],
    )
    if not wide.success:
        raise NotSolved(f"{form.where}: its linear program has no solution")
    return Best(value, np.maximum(wide.x[:m], 0.0))


__all__ = ["Best", "SequenceForm", "best_plan", "hidden_value"]
