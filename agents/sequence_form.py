"""Exact values of small games in which something is hidden: a linear program over sequences of own decisions.

For two seats that remember what they did (Koller, Megiddo and von Stengel 1996, Efficient computation of equilibria for
extensive two-person games). The whole tree is enumerated (see `exact`).
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, csr_array, hstack

from ..envs.core.game import Game
from .base import AgentError
from .exact import GameTree
from .exact_kernel import CHANCE, TERMINAL
from .public_game import NotSolved


def hidden_value(game: Game, nodes: int) -> float:
    """Half of the lead of seat 0 if both seats play best for it, in a game of at most so many nodes.

    Raises NotSolved for more nodes, for seats of one side, and for seats that forget.
    """
    where = f"{game.name} ({game.spec.scenario})"
    if game.n_seats != 2 or game.seats[0].side == game.seats[1].side:
        raise NotSolved(f"{where}: two seats of different sides are needed")
    try:
        tree = GameTree(game, nodes)
    except AgentError as reason:
        raise NotSolved(str(reason)) from None
    parent_sequence, payoffs = _sequences(tree, where)
    return _program(tree, parent_sequence, payoffs)


def _sequences(tree: GameTree, where: str) -> tuple[np.ndarray, csr_array]:
    """By information state the own sequence before it, int64[M]; half of seat 0's lead by the sequences of both.

    Sequence 0 is the empty one, entry e of a profile belongs to sequence e + 1.
    """
    nodes = tree._nodes
    n = tree.n_nodes
    last = np.zeros((n, 2), dtype=np.int64)  # the last sequence of both seats at a node
    chance = np.ones(n)
    before = np.full(tree.n_states, -1, dtype=np.int64)
    rows, columns, values = [], [], []
    for node in range(n):
        parent = int(nodes.parent[node])
        if parent >= 0:
            last[node], chance[node] = last[parent], chance[parent]
            kind = int(nodes.kind[parent])
            if kind == CHANCE:
                chance[node] /= int(nodes.fan[parent])
            else:
                last[node, kind] = tree.starts[int(nodes.ref[parent])] + int(nodes.branch[node]) + 1
        kind, ref = int(nodes.kind[node]), int(nodes.ref[node])
        if kind == TERMINAL:
            payoff = tree._payoffs[ref]
            rows.append(last[node, 0])
            columns.append(last[node, 1])
            values.append(chance[node] * (payoff[0] - payoff[1]) / 2)
        elif kind != CHANCE:
            if before[ref] not in (-1, last[node, kind]):
                raise NotSolved(f"{where}: a seat forgets what it did")
            before[ref] = last[node, kind]
    size = int(tree.starts[-1]) + 1
    return before, coo_array((values, (rows, columns)), shape=(size, size)).tocsr()


def _program(tree: GameTree, before: np.ndarray, payoffs: csr_array) -> float:
    """The value of the game: seat 0 chooses weights of its sequences, the dual of seat 1's best answer bounds it."""
    flows = [_flow(tree, before, seat) for seat in (0, 1)]
    (mine, start), (theirs, other) = flows
    m, d = int(tree.starts[-1]) + 1, len(other)
    # maximise other @ v over x >= 0 and free v, with mine @ x = start and theirs.T @ v <= payoffs.T @ x
    found = linprog(
        np.concatenate([np.zeros(m), -other]),
        A_ub=hstack([-payoffs.T, theirs.T]).tocsr(),
        b_ub=np.zeros(m),
        A_eq=hstack([mine, csr_array((len(start), d))]).tocsr(),
        b_eq=start,
        bounds=[(0, None)] * m + [(None, None)] * d,
    )
    if not found.success:
        raise NotSolved(f"{tree.game.name} ({tree.game.spec.scenario}): its linear program has no solution")
    return float(-found.fun)


def _flow(tree: GameTree, before: np.ndarray, seat: int) -> tuple[csr_array, np.ndarray]:
    """What goes into a seat's information states comes out of them: a matrix over all sequences, and its right side."""
    states = tree.states_of(seat)
    cells = [(0, 0, 1.0)]
    for row, state in enumerate(states, start=1):
        cells.append((row, int(before[state]), -1.0))
        cells += [(row, e + 1, 1.0) for e in range(int(tree.starts[state]), int(tree.starts[state + 1]))]
    rows, columns, values = zip(*cells)
    right = np.zeros(len(states) + 1)
    right[0] = 1.0
    shape = (len(states) + 1, int(tree.starts[-1]) + 1)
    return coo_array((values, (rows, columns)), shape=shape).tocsr(), right


__all__ = ["hidden_value"]
