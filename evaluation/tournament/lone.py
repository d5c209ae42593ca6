"""Games of one side in a tournament: every agent plays each deal by itself, and who gets more from it wins it.

A party on a mission meets no other party, but all can have the same mission, with the same dice. A *game* is then what
one agent made of a deal, alone on all seats. The two games of a pair on one deal are one meeting (`counting.py`): their
results say who got more. What an agent makes of a deal is the same in all its pairings, and is played once a block.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

import numpy as np

from ...agents.entrants import AnyMatch
from ...agents.match import Outcome, Schedule


def lone_seatings(seats: int) -> list[tuple[int, ...]]:
    """The seatings of a pair: the first agent on all seats, then the second."""
    return [(0,) * seats, (1,) * seats]


def play_once(match: AnyMatch, schedule: Schedule, absent: Collection[int] = ()) -> Outcome:
    """Play a schedule in whose rows one agent has all seats, two rows a deal; equal games are played once.

    `results` are +1 and -1 for the rows of a deal by the mean of their seats' payoffs, or 0 for both.
    """
    agents = schedule.seating[:, 0].astype(np.uint64)
    keys = np.stack([agents, schedule.dice, schedule.tables], axis=1)
    _, first, at = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    first, row_of = np.unique(first), first[np.ravel(at)]  # in the order of the schedule
    at = np.searchsorted(first, row_of)
    found = match.play(Schedule(schedule.seating[first], schedule.dice[first], schedule.tables[first]), absent)
    messages = {
        (row, seat): text for (one, seat), text in found.messages.items() for row in np.flatnonzero(at == one).tolist()
    }
    means = found.payoffs.mean(axis=1)[at].reshape(-1, 2)
    ahead = np.sign(means[:, 0] - means[:, 1]).astype(np.int8)
    results = np.stack([ahead, -ahead], axis=1).reshape(-1, 1)
    return dataclasses.replace(
        found,
        payoffs=found.payoffs[at],
        results=np.ascontiguousarray(np.broadcast_to(results, schedule.seating.shape)),
        decisions=found.decisions[at],
        offences=found.offences[at],
        status=found.status[at],
        messages=messages,
    )


def leads(schedule: Schedule, outcome: Outcome) -> np.ndarray:
    """What agent 0 got more than agent 1 in each row, by the means of their seats, float64[n].

    In games of one side that is what it got more in the deal: the other's game is the row beside.
    """
    first = schedule.seating == 0
    if (first.all(axis=1) | ~first.any(axis=1)).all():
        means = outcome.payoffs.mean(axis=1).reshape(-1, 2)
        return np.repeat(means[:, 0] - means[:, 1], 2)
    own, other = ((outcome.payoffs * who).sum(axis=1) / who.sum(axis=1) for who in (first, ~first))
    return own - other


__all__ = ["leads", "lone_seatings", "play_once"]
