"""Restricted Nash response in one round of a repeated game: a model of the opponent is exploited, but safely.

A seat plays a zero-sum game round after round, has a forecast q of what the other does next, and knows the payoffs M
of the round (own action, other's action) with its value v. Between the equilibrium, which exploits nobody, and the best
response to q, which anybody can exploit, lie the restricted Nash responses (Johanson, Zinkevich and Bowling 2007,
Computing Robust Counter-Strategies, NIPS 20): equilibria of the game in which the other is as forecast with chance p
and otherwise does what is worst for us. Two bounds hold for such a mixture x, whatever the other does:

1. `loss`: v - min_b (x M)_b <= p / (1 - p) * (x M q - v). What it can lose is at most p / (1 - p) times what it would
   win if the forecast were right. (x maximises p x M q + (1 - p) min_b (x M)_b, and an equilibrium has p v + (1 - p) v
   there or more.)
2. `floor`: min_b (x M)_b >= v - k, if a purse of k >= 0 is what may be lost in this round: p is made smaller until it
   is so (k-safe best responses, McCracken and Bowling 2004, Safe Strategies for Agent Modelling in Games).

A whole match is bounded by the purse (Ganzfried and Sandholm 2015, Safe Opponent Exploitation, TEAC 3(2): risk what you
have won in expectation). It begins with k and after every round changes by (x M)_b - v, where b is what the other did:
the mixture counts, not the luck of the draw. It never falls below 0, and E[payoff] = sum of values + E[last purse] - k.
So **the expected payoff of the match is at least its value less the first purse**, against everybody, also against who
knows the forecast and the purse.
"""

from __future__ import annotations

import numpy as np

from ..envs.core.jit import driver
from .simplex import pivot

_STEPS = 1000  # pivots; a program of n actions takes about 2 n
_SMALL = 1e-11


@driver
def restricted_response(payoffs, reward, trust, floor, mixture, work):
    """The restricted Nash response with trust p <= `trust` that earns at least `floor` against everybody; p.

    Maximises x . reward + (1 - trust) / trust * min_b (x payoffs)_b over mixtures x with (x payoffs)_b >= floor.
    `payoffs` float64[rows, columns]: what the own action earns against the other's; `reward` float64[rows]: what it
    earns against the forecast; 0 < trust <= 1; `floor` at most the value of the game. The answer is written to
    `mixture` float64[rows]. Returns the p for which it is the response, or -1 (the mixture is even then) if `floor` is
    above the value. `work` float64[rows + 1, rows + columns + 2] is overwritten.

    The dual program is solved by the simplex method with Bland's rule, which knows a feasible start: minimise t over
    y >= 0 with sum(y) >= Y = (1 - trust) / trust and t >= reward_a + sum_b y_b (payoffs_ab - floor) for every a. The
    mixture is found in the reduced costs, and p = 1 / (1 + sum(y)).
    """
    rows, columns = payoffs.shape
    width = columns + rows + 1
    scale = _SMALL
    for a in range(rows):
        for b in range(columns):
            scale = max(scale, abs(payoffs[a, b] - floor))
    least = scale * (1.0 - trust) / trust
    # columns: the surplus of sum(y), y_1 and so on, a slack for every a, and y_0 = least + surplus - (other y), which
    # is basic in the last row at first
    top = 0
    for a in range(rows):
        if (
            reward[a] + least * (payoffs[a, 0] - floor) / scale
            > reward[top] + least * (payoffs[top, 0] - floor) / scale
        ):
            top = a
    work[:] = 0.0
    for a in range(rows):
        base = (payoffs[a, 0] - floor) / scale
        best = (payoffs[top, 0] - floor) / scale
        sign = -1.0 if a == top else 1.0  # the row of the best action is the objective
        own = 0.0 if a == top else 1.0
        work[a, 0] = sign * (own * base - best)
        for b in range(1, columns):
            here = (payoffs[a, b] - floor) / scale - base
            there = (payoffs[top, b] - floor) / scale - best
            work[a, b] = sign * (own * here - there)
        work[a, columns + top] = -sign
        if a != top:
            work[a, columns + a] = 1.0
            work[a, width] = reward[top] - reward[a] + least * (best - base)
    for b in range(1, columns):
        work[rows, b] = 1.0
    work[rows, 0] = -1.0
    work[rows, columns + rows] = 1.0
    work[rows, width] = least
    basic = np.empty(rows + 1, np.int64)  # the column that is basic in a row
    for a in range(rows + 1):
        basic[a] = columns + a
    for _ in range(_STEPS):
        enter = -1
        for j in range(width):
            if work[top, j] < -_SMALL:
                enter = j
                break
        if enter < 0:
            break
        leave, ratio = -1, np.inf
        for i in range(rows + 1):
            if i != top and work[i, enter] > _SMALL:
                found = work[i, width] / work[i, enter]
                if leave < 0 or found < ratio - 1e-15 or (found <= ratio and basic[i] < basic[leave]):
                    leave, ratio = i, found
        if leave < 0:
            break
        basic[leave] = enter
        pivot(work, leave, enter, rows=rows + 1, width=width + 1)
    total = 0.0
    for a in range(rows):
        mixture[a] = max(work[top, columns + a], 0.0)
        total += mixture[a]
    for j in range(width):
        if work[top, j] < -_SMALL or total <= 0.0:
            mixture[:] = 1.0 / rows
            return -1.0
    for a in range(rows):
        mixture[a] /= total
    surplus = 0.0
    for i in range(rows + 1):
        if i != top and basic[i] == 0:
            surplus = work[i, width]
    return 1.0 / (1.0 + (least + surplus) / scale)
