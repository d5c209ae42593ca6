"""What a tournament of one side says: nobody meets anybody, so that a margin is all that one gets more than another.

Where two sides meet, half of the difference of their payoffs is what one takes from the other. On a mission nobody
takes anything from anybody: the whole difference counts, and there is no game of choosing strategies behind it, hence
no equilibrium, no circle, and no dominance beyond the order itself.
"""

from __future__ import annotations

import dataclasses

from .summary import Interval, Matrix, Summary

HALF, WHOLE = 0.5, 1.0  # of a difference of payoffs, in games of several sides and of one


def apart(summary: Summary) -> Summary:
    """The summary of a tournament of one side, from that of its meetings, whose margins are half differences."""
    rows = tuple(
        dataclasses.replace(row, rating=2 * row.rating, rating_interval=_doubled(row.rating_interval))
        for row in summary.leaderboard
    )
    return dataclasses.replace(
        summary,
        leaderboard=rows,
        matrix=_twice(summary.matrix),
        matrix_error=_twice_or_none(summary.matrix_error),
        matrix_low=_twice_or_none(summary.matrix_low),
        matrix_high=_twice_or_none(summary.matrix_high),
        joint_low=_twice_or_none(summary.joint_low),
        joint_high=_twice_or_none(summary.joint_high),
        metagame=None,
        lone=True,
    )


def _doubled(interval: Interval | None) -> Interval | None:
    return None if interval is None else Interval(2 * interval.low, 2 * interval.high)


def _twice(matrix: Matrix) -> Matrix:
    return tuple(tuple(None if value is None else 2 * value for value in row) for row in matrix)


def _twice_or_none(matrix: Matrix | None) -> Matrix | None:
    return None if matrix is None else _twice(matrix)


__all__ = ["HALF", "WHOLE", "apart"]
