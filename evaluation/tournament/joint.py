"""The whole table of a few agents: every joint strategy is played, also those of three and more agents at one table.

A tournament of more than two sides plays every agent alone among copies of every other one (`plan.py`), which is cheap
and says nothing of tables at which three different agents meet. Here the sides are given agents in all ways, and each
way plays the same deals. The payoff of a side is the mean of its seats. Of the means two ratings are made, which follow
them and say nothing about chance: deviation ratings of the game itself, and alpha-rank with a population for each side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from ...agents.entrants import AnyMatch
from ...agents.match import Schedule
from .deviation import deviation_ratings, joint_alpha_rank
from .plan import TournamentError

MOST = 1024  # joint strategies
_GAMES = 20_000  # that are played in one call
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class JointTable:
    """What every joint strategy earned, and how the agents are rated by that.

    `payoffs` and `errors` (of the means, over deals) float64[sides, agents of side 0, ..., of the last side];
    `deviation` float64[sides, agents], at most 0, and `alpha` float64[sides, agents], the shares of each side's
    population.
    """

    names: tuple[str, ...]
    sides: tuple[str, ...]
    deals: int
    payoffs: Floats
    errors: Floats
    deviation: Floats
    alpha: Floats

    @property
    def ratings(self) -> list[tuple[str, float, float]]:
        """Every agent with the means over the sides of its deviation rating and of its share, the best first."""
        rows = zip(self.names, self.deviation.mean(axis=0).tolist(), self.alpha.mean(axis=0).tolist(), strict=True)
        return sorted(rows, key=lambda row: (-round(row[1], 9), -row[2]))

    def record(self) -> dict[str, Any]:
        """All of it in plain values."""
        return {
            "names": self.names,
            "sides": self.sides,
            "deals": self.deals,
            **{name: getattr(self, name).tolist() for name in ("payoffs", "errors", "deviation", "alpha")},
        }


def check_joint(names: Sequence[str], sides: Sequence[str], outside: Sequence[str] = ()) -> None:
    """Raise TournamentError for too many joint strategies, and for agents from `outside`.

    The tournament comes first: when it is over, its seed and deals are no secret any more.
    """
    if outside:
        raise TournamentError(
            f"{', '.join(outside)} could know the deals of joint strategies from the tournament before: agents from "
            "outside cannot take part in them"
        )
    if (count := len(names) ** len(sides)) > MOST:
        raise TournamentError(
            f"{len(names)} agents on {len(sides)} sides make {count:,} joint strategies; at most {MOST:,} are played: "
            "name fewer agents"
        )


def play_joint(match: AnyMatch, names: Sequence[str], deals: int, seed: int) -> JointTable:
    """Play every joint strategy on the same deals; raises TournamentError for too many of them or too few deals."""
    sides = [side for side, _ in match.game.sides]
    check_joint(names, sides)
    if deals < 2:
        raise TournamentError(f"{deals} deals of a joint strategy have no error: at least 2")
    side_of = {seat: index for index, (_, seats) in enumerate(match.game.sides) for seat in seats}
    joint = np.array(list(product(range(len(names)), repeat=len(sides))))
    seating = joint[:, [side_of[seat] for seat in range(match.game.n_seats)]]
    earned = np.zeros((deals, len(joint), len(sides)))
    step = max(1, _GAMES // len(joint))
    for first in range(0, deals, step):
        numbers = np.arange(first, min(first + step, deals))
        schedule = Schedule.of(seed, np.repeat(numbers, len(joint)), np.tile(seating, (len(numbers), 1)))
        paid = match.play(schedule, ()).payoffs.reshape(len(numbers), len(joint), -1)
        for side, (_, seats) in enumerate(match.game.sides):
            earned[numbers, :, side] = paid[:, :, list(seats)].mean(axis=2)
    shape = (len(sides), *(len(names),) * len(sides))
    payoffs = earned.mean(axis=0).T.reshape(shape)
    errors = (earned.std(axis=0, ddof=1) / deals**0.5).T.reshape(shape)
    deviation = np.array(deviation_ratings(list(payoffs)))
    return JointTable(
        tuple(names), tuple(sides), deals, payoffs, errors, deviation, np.array(joint_alpha_rank(list(payoffs)))
    )


__all__ = ["MOST", "JointTable", "check_joint", "play_joint"]
