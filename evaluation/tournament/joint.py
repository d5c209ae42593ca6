"""The whole table of a few agents: every joint strategy is played, also those of three and more agents at one table.

A tournament of more than two sides plays every agent alone among copies of every other one (`plan.py`), which is cheap
and says nothing of tables at which three different agents meet. Here the sides are given agents in all ways, and each
way plays the same deals. The payoff of a side is the mean of its seats. Of the means two ratings are made: deviation
ratings of the game itself, and alpha-rank with a population for each side. How far chance moves them is told by the
bootstrap over deals.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are called

from ...agents.entrants import AnyMatch
from ...agents.intervals import ALIKE, room, unseen
from ...agents.match import Schedule
from ...agents.recording import recorded
from ...envs.core.brief import brief
from ...envs.core.replay import Replay
from .blocks import percentile_interval
from .deviation import deviation_ratings, joint_alpha_rank
from .examples import LOOKED
from .plan import TournamentError
from .summary import Interval, JointRating, JointRatings

MOST = 20_000  # joint strategies: three agents on nine sides, six on five, 27 on three
MOST_ROWS = 81  # agents, counted once for each side: as many programs a rating, which grow with them
MOST_PAYOFFS = 50_000_000  # kept in memory: 400 MB
RESAMPLES = (20, 200)  # of the deals: fewer where there are many joint strategies, whose ratings take long
_RATED = 10_000  # joint strategies that are rated in all resamples
_ARRAYS = ("payoffs", "errors", "deviation", "alpha", "spans")
_LEVEL = 0.95  # of the resamples in an interval of many deals; of few it is wider
_GAMES = 20_000  # that are played in one call
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class JointTable:
    """What every joint strategy earned, and how the agents are rated by that.

    `payoffs` and `errors` (of the means, over deals) float64[sides, agents of side 0, ..., of the last side];
    `deviation` float64[sides, agents], at most 0, and `alpha` float64[sides, agents], the shares of each side's
    population; `spans` float64[2, agents, low and high] of the means of both over the sides; `replay` is a file beside
    it that shows a table.
    """

    names: tuple[str, ...]
    sides: tuple[str, ...]
    deals: int
    payoffs: Floats
    errors: Floats
    deviation: Floats
    alpha: Floats
    spans: Floats
    replay: str = ""

    @property
    def ratings(self) -> JointRatings:
        """Every agent with the means over the sides of its deviation rating and of its share, the best first."""
        deviation, alpha = self.deviation.mean(axis=0).tolist(), self.alpha.mean(axis=0).tolist()
        ends = [[Interval(*span) for span in spans] for spans in self.spans.tolist()]
        rows = map(JointRating, self.names, deviation, ends[0], alpha, ends[1])
        order = sorted(rows, key=lambda row: (-round(row.deviation, 9), -row.alpha))
        return JointRatings(len(self.names) ** len(self.sides), self.deals, tuple(order), self.replay)

    def record(self) -> dict[str, Any]:
        """All of it in plain values."""
        return {
            "names": self.names,
            "sides": self.sides,
            "deals": self.deals,
            "replay": self.replay,
            **{name: getattr(self, name).tolist() for name in _ARRAYS},
        }


def kept_joint(file: Path) -> JointRatings | None:
    """The ratings of a table that was kept; None where there is none, or a file that is damaged or older."""
    try:
        content = json.loads(file.read_text("utf-8"))
        arrays = {name: np.array(content[name], dtype=np.float64) for name in _ARRAYS}
        names, sides = tuple(map(str, content["names"])), tuple(map(str, content["sides"]))
        shapes = [arrays[name].shape for name in ("deviation", "alpha", "spans")]
        if shapes != [(len(sides), len(names))] * 2 + [(2, len(names), 2)]:
            return None
        return JointTable(names, sides, int(content["deals"]), **arrays, replay=str(content.get("replay", ""))).ratings
    except (OSError, ValueError, TypeError, LookupError):
        return None


def most_agents(sides: int) -> int:
    """How many agents a joint table of so many sides may have."""
    return max(count for count in range(1, MOST_ROWS + 1) if count**sides <= MOST and count * sides <= MOST_ROWS)


def check_joint(names: Sequence[str], sides: Sequence[str], deals: int, outside: Sequence[str] = ()) -> None:
    """Raise TournamentError for too many joint strategies or too few or many deals, and for agents from `outside`.

    The tournament comes first: when it is over, its seed and deals are no secret any more.
    """
    if outside:
        raise TournamentError(
            f"{', '.join(outside)} could know the deals of joint strategies from the tournament before: agents from "
            "outside cannot take part in them"
        )
    if len(sides) < 2:
        raise TournamentError(
            f"--joint: there is one side ({sides[0]}), so that no two strategies sit at one table; leave --joint out"
        )
    count = len(names) ** len(sides)
    if len(names) > (most := most_agents(len(sides))):
        raise TournamentError(
            f"--joint: {len(names)} agents on {len(sides)} sides make {count:,} joint strategies: name {most} agents "
            "at most, or leave --joint out, which rates any number by tables of one agent among copies of another"
        )
    if deals < 2:
        raise TournamentError(f"{deals} deals of a joint strategy have no error: at least 2")
    if deals * count * len(sides) > MOST_PAYOFFS:
        raise TournamentError(
            f"--joint: {brief(deals)} deals of {count:,} joint strategies are too many payoffs to keep: at most "
            f"{MOST_PAYOFFS // (count * len(sides)):,} deals"
        )


def play_joint(match: AnyMatch, names: Sequence[str], deals: int, seed: int) -> JointTable:
    """Play every joint strategy on the same deals; raises TournamentError for too many of them or too few deals."""
    sides = [side for side, _ in match.game.sides]
    check_joint(names, sides, deals)
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
    deviation, alpha = rated(payoffs)
    bounds = match.game.spec.bounds_of_seats
    reach = np.array([np.mean([bounds[seat] for seat in seats], axis=0) for _, seats in match.game.sides])
    if match.may_forfeit:  # it may pay a seat what another one can get
        reach[:] = np.min(bounds), np.max(bounds)
    spans = spans_of(earned, shape, seed, reach)
    return JointTable(tuple(names), tuple(sides), deals, payoffs, errors, deviation, alpha, spans)


def shown_table(match: AnyMatch, table: JointTable, seed: int) -> Replay | None:
    """A table at which the agents sit in the order of their ratings, the first at side 0, played step by step.

    Of the first deals it is the one at which that side gets the middle payoff. None where somebody forfeits in it.
    """
    order = [table.names.index(row.name) for row in table.ratings.rows]
    seating = np.zeros((1, match.game.n_seats), dtype=np.int64)
    for side, (_, seats) in enumerate(match.game.sides):
        seating[0, list(seats)] = order[side % len(order)]
    count = min(table.deals, LOOKED)
    schedule = Schedule.of(seed, np.arange(count), np.repeat(seating, count, axis=0))
    earned = match.play(schedule, ()).payoffs[:, list(match.game.sides[0][1])].mean(axis=1)
    row = int(np.argsort(earned, kind="stable")[(count - 1) // 2])
    one = Schedule(schedule.seating[[row]], schedule.dice[[row]], schedule.tables[[row]])
    found = recorded(match, one, table.names)
    return None if found.faults else found.replay


def rated(payoffs: Floats) -> tuple[Floats, Floats]:
    """Deviation ratings and shares by alpha-rank, each float64[sides, agents], of the payoffs of a joint table."""
    return np.array(deviation_ratings(list(payoffs))), np.array(joint_alpha_rank(list(payoffs)))


def _unmoved(earned: Floats, reach: Floats) -> Floats:
    """How far below and above its mean each payoff may lie that was the same in all deals; 0 for all others."""
    low, high = reach.T
    most = np.array([earned[0] - low, high - earned[0]])  # float64[2, joint strategies, sides]
    alike = np.ptp(earned, axis=0) <= ALIKE * (high - low)
    return np.where(alike, unseen(len(earned)) * np.maximum(most, 0.0), 0.0)


def _stretched(earned: Floats, reach: Floats) -> Floats:
    """How much further below and above its mean each payoff may lie than its deviation says, float64[2, ...] from 1 on.

    Where few deals differ from the others their number alone bounds the mean (`room`), as in tournaments; the normal
    law, which resamples follow, is too short there.
    """
    n = len(earned)
    out = np.ones((2, *earned.shape[1:]))
    half = scipy.special.stdtrit(max(n - 1, 1), 0.5 + _LEVEL / 2) * earned.std(axis=0) / max(n - 1, 1) ** 0.5
    ordered, most = np.sort(earned, axis=0), reach[:, 1] - reach[:, 0]
    apart = max(2, math.ceil(n / 3)) - 1
    alike = (ordered[apart:] - ordered[: n - apart] <= ALIKE * most).any(axis=0)  # else nothing is common
    for row, side in zip(*np.nonzero(alike & (ordered[-1] - ordered[0] > ALIKE * most))):
        found = room(earned[:, row, side], (float(reach[side, 0]), float(reach[side, 1])), _LEVEL)
        out[:, row, side] = np.maximum(1.0, found / half[row, side])
    return out


def spans_of(earned: Floats, shape: tuple[int, ...], seed: int, reach: Floats | None = None) -> Floats:
    """Intervals of the agents' mean ratings, float64[2, agents, low and high], by the bootstrap over deals.

    `earned` float64[deals, joint strategies, sides]. `reach` float64[sides, 2]: between what the payoffs of a side lie.
    The ratings of moved payoffs lie off to one side, as a best of many does: an interval reaches as far to the other
    side of the ratings of the means, within what a rating can be.
    """
    low, high = _resampled(earned, shape, seed, reach)
    seen = np.array([ratings.mean(axis=0) for ratings in rated(earned.mean(axis=0).T.reshape(shape))])
    least = np.array([[-np.inf if reach is None else float((reach[:, 0] - reach[:, 1]).mean())], [0.0]])
    most = np.array([[0.0], [1.0]])
    low, high = np.minimum(low, 2 * seen - high), np.maximum(high, 2 * seen - low)
    return np.stack([np.maximum(low, least), np.minimum(high, most)], axis=-1)


def _resampled(earned: Floats, shape: tuple[int, ...], seed: int, reach: Floats | None = None) -> tuple[Floats, Floats]:
    """The middle of resampled ratings, low and high, float64[2, agents] each.

    All joint strategies of a deal are drawn together. Where all deals paid alike, no resample differs either: each then
    moves by what so many deals may not have shown, to one end or the other. Where few deals differ, resamples go as
    much further away as their number allows.
    """
    least, most = RESAMPLES
    count = max(least, min(most, _RATED // earned.shape[1]))
    rng = np.random.Generator(np.random.Philox(key=seed % 2**64))
    found = np.empty((count, 2, shape[1]))
    unmoved, further = (None, None) if reach is None else (_unmoved(earned, reach), _stretched(earned, reach))
    middle = earned.mean(axis=0)
    for row in range(count):
        weights = rng.multinomial(len(earned), np.full(len(earned), 1 / len(earned))) / len(earned)
        means = np.tensordot(weights, earned, axes=1)
        if further is not None and (further > 1.0).any():
            means += (means - middle) * (np.where(means < middle, further[0], further[1]) - 1.0)
        if unmoved is not None and unmoved.any():
            means += np.where(rng.random(means.shape) < 0.5, -unmoved[0], unmoved[1])
        payoffs = means.T.reshape(shape)
        found[row] = [ratings.mean(axis=0) for ratings in rated(payoffs)]
    return percentile_interval(found, _LEVEL, len(earned))


__all__ = ["MOST", "JointTable", "check_joint", "kept_joint", "play_joint", "shown_table", "spans_of"]
