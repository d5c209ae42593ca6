"""Kuhn poker by all plans of both seats: values without a kernel, for cards that count differently for the seats."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
from scipy.optimize import linprog

PLAIN = (0, 1, 2)  # what jack, queen and king count
ALL = ({0, 1}, {0, 1}, {0, 1})  # with each card: 0 to pass, 1 to bet or call
Moves = tuple[set[int], set[int], set[int]]


def kuhn_value(
    first: tuple[int, int, int], second: tuple[int, int, int], mine_may: Moves = ALL, theirs_may: Moves = ALL
) -> float:
    """What the first seat gets if both play best; a plan says what is done with each card.

    `mine_may`, `theirs_may`: the moves that the seats may make with each card, wherever they are asked.
    """
    does = {"bet": {1}, "fold": {0}, "call": {0, 1}}  # bet, or pass and then answer a bet
    plans = [x for x in product(does, repeat=3) if all(does[word] <= may for word, may in zip(x, mine_may))]
    pairs = product((False, True), repeat=2)  # bet after a pass, call a bet
    answers = [
        x for x in product(pairs, repeat=3) if all(set(map(int, pair)) <= may for pair, may in zip(x, theirs_may))
    ]
    table = np.zeros((len(plans), len(answers)))
    for mine, theirs in permutations(range(3), 2):
        won = int(first[mine] > second[theirs]) - int(first[mine] < second[theirs])
        for i, plan in enumerate(plans):
            for j, answer in enumerate(answers):
                bets, calls = answer[theirs]
                if plan[mine] == "bet":
                    paid = 2 * won if calls else 1
                elif not bets:
                    paid = won
                else:
                    paid = 2 * won if plan[mine] == "call" else -1
                table[i, j] += paid / 6
    found = linprog(
        [*np.zeros(len(plans)), -1],
        A_ub=np.c_[-table.T, np.ones(len(answers))],
        b_ub=np.zeros(len(answers)),
        A_eq=[[*np.ones(len(plans)), 0]],
        b_eq=[1],
        bounds=[(0, None)] * len(plans) + [(None, None)],
    )
    return float(-found.fun)
