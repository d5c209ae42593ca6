"""Compiled counts over the rows of a block of games: the sums of a tally, and whether rows are as they should be.

A game's rows become *entries*, one for each (side, agent): the agents of one side normally agree, and then it is one
entry a side. Every ordered pair of entries of different sides and agents is a *meeting*. A game of one side has one
entry; the two games of a pair on one deal (`lone.py`) are two entries that meet.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...envs.core.jit import driver


class Rows(NamedTuple):
    """Columns of a results table, sorted by game and seat: as in `results.SCHEMA`, shape (rows,) each."""

    game: Any
    seat: Any
    team: Any
    agent: Any
    payoff: Any
    result: Any
    decisions: Any
    forfeit: Any


class Shared(NamedTuple):
    """Columns that all rows of a game share: as in `results.SCHEMA`, shape (rows,) each."""

    pairing: Any
    block: Any
    deal: Any
    seating: Any
    length: Any


class Counts(NamedTuple):
    """What `count` adds to: the fields of `tally.Tally` with these names, `ends` with infinities before."""

    pairs: Any
    seats: Any
    order: Any
    agents: Any
    ends: Any
    alone: Any


class Entries(NamedTuple):
    """The entries of one game: `agent`, `side` (numbered from 0), `seats` and `result` int64[k], `payoff` float64[k].

    `payoff` is the mean of the entry's seats, and `part` float64[k] its part of the side's seats. `order` int64[k] is
    working space.
    """

    order: Any
    agent: Any
    side: Any
    seats: Any
    result: Any
    payoff: Any
    part: Any


@driver(allocates=False)
def in_order(rows, shared):
    """Whether rows are sorted, no seat is listed twice, games agree with themselves and sides have one result."""
    first = 0
    for i in range(1, len(rows.game)):
        if rows.game[i] != rows.game[i - 1]:
            if rows.game[i] < rows.game[i - 1]:
                return False
            first = i
            continue
        if rows.seat[i] <= rows.seat[i - 1] or shared.length[i] != shared.length[i - 1]:
            return False
        if shared.pairing[i] != shared.pairing[i - 1] or shared.block[i] != shared.block[i - 1]:
            return False
        if shared.deal[i] != shared.deal[i - 1] or shared.seating[i] != shared.seating[i - 1]:
            return False
        for j in range(first, i):
            if rows.team[j] == rows.team[i] and rows.result[j] != rows.result[i]:
                return False
    return True


@driver(allocates=False)
def largest_game(game):
    """The most rows of a game, of `game` sorted."""
    most, size = 0, 0
    for i in range(len(game)):
        size = size + 1 if i and game[i] == game[i - 1] else 1
        most = max(most, size)
    return most


@driver(allocates=False, inline="always")
def enter(rows, first, last, entries):
    """Write the entries of the game in rows `first` to `last` - 1, by side and agent. Returns their number."""
    order, agent, side, seats, result, payoff, part = entries
    team_of, agent_of, payoffs, results = rows.team, rows.agent, rows.payoff, rows.result
    for i in range(first, last):
        at = i - first
        while at > 0:
            other = order[at - 1]
            if team_of[other] < team_of[i] or (team_of[other] == team_of[i] and agent_of[other] <= agent_of[i]):
                break
            order[at] = other
            at -= 1
        order[at] = i
    k, sides = 0, 0
    for at in range(last - first):
        i = order[at]
        new_side = at == 0 or team_of[i] != team_of[order[at - 1]]
        sides += new_side
        if new_side or agent_of[i] != agent_of[order[at - 1]]:
            agent[k], side[k], result[k], seats[k], payoff[k] = agent_of[i], sides - 1, results[i], 0, 0.0
            k += 1
        seats[k - 1] += 1
        payoff[k - 1] += payoffs[i]
    for a in range(k):
        whole = 0
        for b in range(k):
            if side[b] == side[a]:
                whole += seats[b]
        part[a] = seats[a] / whole
        payoff[a] /= seats[a]
    return k


@driver(allocates=False, inline="always")
def meet(entries, k, pairs):
    """Add the meetings of the first `k` entries to `pairs`: every side weighs one game, shared out by seats."""
    agent, side, result, payoff, part = entries.agent, entries.side, entries.result, entries.payoff, entries.part
    sides = side[k - 1] + 1
    for a in range(k):
        for b in range(k):
            row, col = agent[a], agent[b]
            if side[a] == side[b] or row == col:
                continue
            weight = part[a] * part[b] / (sides - 1)
            score = 0.5 + 0.5 * np.sign(result[a] - result[b])
            pairs[0, row, col] += weight
            pairs[1, row, col] += weight * score
            pairs[2, row, col] += weight * payoff[a]
            if score == 0.5:
                pairs[3, row, col] += weight


@driver(allocates=False, inline="always")
def stand_alone(entries, k, alone):
    """Add to `alone` what an agent earns that has one side while another agent has all others.

    The gain is above the mean of the table, in which each side counts once.
    """
    agent, payoff, part = entries.agent, entries.payoff, entries.part
    low, high, whole, mean = agent[0], agent[0], 0, 0.0
    for a in range(k):
        low, high = min(low, agent[a]), max(high, agent[a])
        whole += part[a] == 1
        mean += payoff[a] * part[a]
    if low == high or whole < k:
        return
    mean /= k
    lows, highs = 0, 0
    for a in range(k):
        lows += agent[a] == low
        highs += agent[a] == high
    if lows + highs < k:
        return
    for a in range(k):
        if (lows if agent[a] == low else highs) == 1:
            other = high if agent[a] == low else low
            alone[0, agent[a], other] += 1
            alone[1, agent[a], other] += payoff[a] - mean


@driver(allocates=False, inline="always")
def same_deal(shared, i, j):
    """Whether the games of two rows of `shared` Shared are of one pairing and one deal."""
    same = shared.pairing[i] == shared.pairing[j] and shared.block[i] == shared.block[j]
    return same and shared.deal[i] == shared.deal[j]


@driver(allocates=False, inline="always")
def beside(entries, agent, result, payoff):
    """Set the only entry of another game of one side beside the first: its side is another. Returns 2.

    `payoff` are those of its seats.
    """
    whole = 0.0
    for paid in payoff:
        whole += paid
    entries.agent[1], entries.side[1], entries.result[1] = agent, entries.side[0] + 1, result
    entries.seats[1], entries.payoff[1], entries.part[1] = len(payoff), whole / len(payoff), 1.0
    return 2


@driver(allocates=False)
def count(rows, shared, counts, entries):
    """Add all games of `rows` Rows and `shared` Shared, which are in order, to `counts` Counts.

    `entries` Entries are working space, for two at least.
    """
    n = len(rows.game)
    game, seat_of, agent_of, payoffs, results = rows.game, rows.seat, rows.agent, rows.payoff, rows.result
    decisions, forfeit = rows.decisions, rows.forfeit
    pairs, seats, order, agents, ends, alone = counts
    kinds = agents.shape[1] - 6  # kinds of forfeits
    first, other = 0, -1
    for i in range(n):
        agent, seat, payoff, result = agent_of[i], seat_of[i], payoffs[i], np.int64(results[i])
        seats[0, agent, seat] += 1
        seats[1, agent, seat] += payoff
        seats[2, agent, seat] += 0.5 + 0.5 * result
        agents[agent, 0] += 1
        agents[agent, 1] += decisions[i]
        if forfeit[i]:
            agents[agent, 1 + forfeit[i]] += 1
        if result:
            at = kinds + 2 if result > 0 else kinds + 4
            agents[agent, at] += 1
            agents[agent, at + 1] += payoff
        ends[result + 1, 0] = min(ends[result + 1, 0], payoff)
        ends[result + 1, 1] = max(ends[result + 1, 1], payoff)
        if i + 1 < n and game[i + 1] == game[i]:
            continue
        k = enter(rows, first, i + 1, entries)
        if k == 2:
            order[entries.agent[0], entries.agent[1]] += 1
        if k == 1 and other >= 0 and same_deal(shared, other, i):
            enter(rows, other, first, entries)
            k = beside(entries, agent_of[i], results[i], payoffs[first : i + 1])
        other = first if k == 1 else -1  # where the game before began, if it had one entry that met nobody
        if k > 1:
            meet(entries, k, pairs)
            stand_alone(entries, k, alone)
        first = i + 1
