"""From a results table to a `Summary`: ratings, matrix, metagame, verdicts, and how sure each of them is.

The interval of a payoff, of a pair or of a rating by wins is a bootstrap interval by itself (`blocks`); what is said of
several strategies at once rests on simultaneous bounds (`simultaneous`, `region`).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from . import metagame as mg
from . import ratings as bt
from . import simultaneous as joint
from .blocks import BlockSums, Sums, percentile_interval, sums_of
from .deviation import alone_gains, alone_told, alpha_rank, crowd_ratings
from .rare import deals_of, mean_met, payoffs_of_units, rare, rare_margins
from .rating_ends import ends_of_blocks
from .region import Region
from .results import ResultsError, validate
from .summary import (
    AgentRow,
    Cycles,
    Forfeit,
    Interval,
    Matrix,
    Metagame,
    OtherRatings,
    SeatRow,
    Summary,
    Verdict,
)
from .tally import Tally, merged, tallies_of

Floats = npt.NDArray[np.float64]

FEW_BLOCKS = 20


def analyse(
    table: pa.Table,
    agents: Sequence[str],
    seed: int,
    resamples: int = 1000,
    *,
    level: float = 0.95,
    prior_draws: float = bt.PRIOR_DRAWS,
) -> Summary:
    """Analyse a finished (or interrupted) tournament.

    `table` has the columns of `results.SCHEMA` in any order of rows; `agents` the names by index, all different; `seed`
    decides the bootstrap alone (the same input gives the same summary); `resamples` 0 leaves all intervals out; `level`
    lies between 0 and 1. Raises `ResultsError` for a bad table and `ValueError` for a bad argument.
    """
    tallies = list(tallies_of(validate(table, len(agents)), len(agents)).values()) if agents else []
    return analyse_tallies(tallies, agents, seed, resamples, level=level, prior_draws=prior_draws)


def analyse_tallies(
    tallies: Sequence[Tally],
    agents: Sequence[str],
    seed: int,
    resamples: int = 1000,
    *,
    level: float = 0.95,
    prior_draws: float = bt.PRIOR_DRAWS,
) -> Summary:
    """As `analyse`, from the tallies of the blocks in their order; raises `ResultsError` if there are none."""
    names = tuple(str(a) for a in agents)
    if not names:
        raise ValueError("agents is empty; name at least one")
    twice = [a for a in names if names.count(a) > 1]
    if twice:
        raise ValueError(f"agents names {twice[0]!r} twice; give each agent its own name")
    if resamples < 0:
        raise ValueError(f"resamples is {resamples}; it must be at least 0")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; it must lie between 0 and 1, for instance 0.95")
    if not tallies:
        raise ResultsError("there are no finished games; play at least one block before analysing")
    sums = sums_of(tallies)
    total = sums.totals()
    sure = resamples > 0 and sums.independent >= 2
    drawn = sums.resample(resamples, seed) if sure else None
    return _Analysis(merged(tallies), names, sums, total, drawn, level, prior_draws, seed, resamples).summary()


class _Analysis:
    """The intermediate results of `analyse`, so that each part of the summary can be built by a short method."""

    def __init__(
        self, tally: Tally, names: tuple[str, ...], sums: BlockSums, total: Sums, drawn: Sums | None,
        level: float, prior_draws: float, seed: int, resamples: int,
    ) -> None:  # fmt: skip
        self.tally, self.names, self.sums, self.total, self.drawn = tally, names, sums, total, drawn
        self.level, self.seed, self.resamples, self.prior_draws = level, seed, resamples, prior_draws
        n = len(names)
        self.matrix = mg.payoff_matrix(total)
        self.ratings = bt.payoff_ratings(self.matrix)
        self.separation = bt.separated(total.wins)
        # Every opponent counts once, though a race gives some pairs more games than others.
        self.weight = np.where(total.games > 0, total.games.max() / np.where(total.games > 0, total.games, 1.0), 0.0)
        self.wins = total.wins * self.weight
        self.matrix_samples = None if drawn is None else mg.payoff_matrix(drawn)
        ends = tally.ends[np.isfinite(tally.ends)]
        self.reach = (float(ends.min()), float(ends.max()))  # of payoffs, as far as these games tell
        self.region: Region | None = None
        self.rating_room: Floats | None = None  # [below or above, agent]
        self.better = np.zeros((n, n), dtype=bool)  # [i, j]: i is shown to have the higher rating
        if drawn is not None and sums.independent >= joint.least_blocks(level):
            self.bound()

    def bound(self) -> None:
        """The three families of simultaneous statements: margins, ratings, differences of ratings.

        Where something was rare in the games of a pair, its margin has further room, and so has what rests on it.
        """
        n, met = len(self.names), np.isfinite(self.matrix)
        scale = self.tally.largest
        pairs = joint.pair_residuals(self.sums, self.total)

        def widths(errors: Floats) -> Floats:
            return joint.half_widths(errors, self.sums.independent, self.level)

        def square(one: Floats, other: Floats) -> Floats:
            both = np.zeros((n, n))
            both[pairs.row, pairs.col], both[pairs.col, pairs.row] = one, other
            return both

        errors = joint.standard_errors(pairs.values, scale)
        half = widths(np.where(met[pairs.row, pairs.col], errors, np.nan))
        level = joint.member_level(int(met[pairs.row, pairs.col].sum()), self.level)
        # Of a margin without bounds, as it was the same in too few blocks, all of the room is left to what rests on it.
        known = np.where(np.isinf(half), 0.0, half)
        room = rare_margins(self.sums, self.reach, level)[:, pairs.row, pairs.col]
        below, above = np.maximum(np.nan_to_num(room - known), 0.0)
        self.region = Region(
            self.matrix - square(half + below, half + above), self.matrix + square(half + above, half + below)
        )
        operator = bt.payoff_operator(met)
        ratings, pull = pairs.summed(n) @ operator, operator[pairs.row] - operator[pairs.col]  # of a margin on each
        some = (below > 0) | (above > 0)
        pull, below, above = pull[some], below[some], above[some]

        def lower(pull: Floats) -> Floats:
            """How much lower sums of margins may be, each times what it pulls."""
            return below @ np.maximum(pull, 0.0) + above @ np.maximum(-pull, 0.0)

        half = widths(joint.standard_errors(ratings, scale))
        self.rating_room = half + np.array([lower(pull), lower(-pull)])
        errors, worse, better = (np.empty(len(pairs.row)) for _ in range(3))
        for k in range(n - 1):
            of_row = pairs.row == k
            errors[of_row] = joint.standard_errors(ratings[:, [k]] - ratings[:, pairs.col[of_row]], scale)
            apart = pull[:, [k]] - pull[:, pairs.col[of_row]]
            worse[of_row], better[of_row] = lower(apart), lower(-apart)
        errors[~bt.comparable(met)[pairs.row, pairs.col]] = np.nan
        lead = self.ratings[:, None] - self.ratings[None, :]
        with np.errstate(invalid="ignore"):
            half = widths(errors)
            self.better = lead > square(half + worse, half + better) + mg.TOLERANCE * scale

    def ends(self, samples: Floats) -> tuple[Floats, Floats]:
        """The ends of one interval for each column of samples (resamples, ...)."""
        return percentile_interval(samples, self.level, self.sums.independent)

    def interval(self, samples: Floats) -> list[Interval | None]:
        """One interval for each column of samples (resamples, columns); None where a column holds NaN."""
        return _intervals(*self.ends(samples))

    def payoff_interval(self, samples: Floats, mean: Floats, units: Floats, cases: Floats) -> list[Interval | None]:
        """The same of mean payoffs, (columns,), with room for what is rare in `units` (units, columns), see `rare`."""
        low, high = self.ends(samples)
        below, above = rare(units, self.reach, self.level, cases)
        return _intervals(np.minimum(low, mean - below), np.maximum(high, mean + above))

    def summary(self) -> Summary:
        leaderboard = self.leaderboard()
        low, high = self.matrix_bounds()
        return Summary(
            names=self.names,
            seed=self.seed,
            resamples=self.resamples if self.drawn is not None else 0,
            level=self.level,
            games=self.tally.games,
            deals=int(self.tally.deals[0]),
            blocks=self.sums.blocks,
            independent=self.sums.independent,
            decisions=int(self.tally.agents[:, 1].sum()),
            mean_length=float(np.prod(self.tally.lengths, axis=1).sum() / self.tally.games),
            leaderboard=leaderboard,
            tied_with_best=self.tied([row.agent for row in leaderboard]),
            graded=self.graded(),
            matrix=_matrix(self.matrix),
            matrix_error=None if self.matrix_samples is None else _matrix(_std(self.matrix_samples)),
            matrix_low=low,
            matrix_high=high,
            joint_low=None if self.region is None else _matrix(self.region.low),
            joint_high=None if self.region is None else _matrix(self.region.high),
            scores=_matrix(_ratio(self.total.wins, self.total.games)),
            meetings=_matrix(self.total.games),
            seats=self.seats(None),
            metagame=self.metagame(),
            forfeits=self.forfeits(),
            warnings=self.warnings(),
        )

    def leaderboard(self) -> tuple[AgentRow, ...]:
        n = len(self.names)
        own = mg.mean_payoffs(self.total)
        payoff = _over_opponents(own, self.total)
        games = self.total.games.sum(axis=1)
        weighted = (self.total.games * self.weight).sum(axis=1)
        draws = (self.sums.draws * self.weight).sum(axis=1)
        wins = self.wins.sum(axis=1) - draws / 2
        rank = bt.ranks(self.ratings)
        counted = self.tally.agents
        decided = counted[:, 1] / np.maximum(counted[:, 0], 1)
        lost = counted[:, 2:5].astype(np.int64)
        size = {1: _ratio(counted[:, 6], counted[:, 5]), -1: _ratio(counted[:, 8], counted[:, 7])}
        wins_rating, wins_interval = self.by_wins()
        wins_rank = bt.ranks(bt.bradley_terry(self.wins, self.prior_draws))
        rating_intervals: list[Interval | None] = [None] * n
        payoff_intervals: list[Interval | None] = [None] * n
        rank_intervals: list[tuple[int, int] | None] = [None] * n
        if self.drawn is not None:
            cases = np.array([deals_of(self.sums, [i], int(self.tally.deals[0])) for i in range(n)])
            payoff_intervals = self.payoff_interval(
                _over_opponents(mg.mean_payoffs(self.drawn), self.drawn), payoff, payoffs_of_units(self.sums), cases
            )
        if self.rating_room is not None:
            rating_intervals = _intervals(self.ratings - self.rating_room[0], self.ratings + self.rating_room[1])
            rank_intervals = [(int(a), int(b)) for a, b in zip(*bt.rank_intervals(self.better), strict=True)]
        rows = [
            AgentRow(
                agent=i,
                name=self.names[i],
                rank=int(rank[i]),
                rank_interval=rank_intervals[i],
                rating=float(self.ratings[i]),
                rating_interval=rating_intervals[i],
                wins_rank=int(wins_rank[i]),
                wins_rating=wins_rating[i],
                wins_interval=wins_interval[i],
                payoff=_number(payoff[i]),
                payoff_interval=payoff_intervals[i],
                win_payoff=_number(size[1][i]),
                loss_payoff=_number(size[-1][i]),
                games=float(games[i]),
                wins=float(wins[i] / max(weighted[i], 1e-300)),
                draws=float(draws[i] / max(weighted[i], 1e-300)),
                losses=float((weighted[i] - wins[i] - draws[i]) / weighted[i]) if games[i] else 0.0,
                decisions=float(decided[i]),
                forfeits=(int(lost[i, 0]), int(lost[i, 1]), int(lost[i, 2])),
                seats=self.seats(i),
            )
            for i in range(n)
        ]
        return tuple(sorted(rows, key=lambda r: (r.rank, -(r.payoff if r.payoff is not None else 0.0), r.name)))

    def by_wins(self) -> tuple[list[float | None], list[Interval | None]]:
        """Ratings by wins and their intervals; None outside the group whose wins determine them."""
        n, group = len(self.names), list(self.separation.rated_group)
        ratings: list[float | None] = [None] * n
        intervals: list[Interval | None] = [None] * n
        if not group:
            return ratings, intervals
        inside = np.ix_(group, group)
        theta = bt.bradley_terry(self.wins[inside], self.prior_draws)
        found: list[Interval | None] = [None] * len(group)
        if self.drawn is not None:
            samples = bt.bradley_terry_many((self.drawn.wins * self.weight)[:, *inside], self.prior_draws, theta)
            low, high = self.ends(bt.elo(samples))
            least, most = ends_of_blocks(self.sums, group, theta, self.weight, self.prior_draws, self.level)
            found = _intervals(np.minimum(low, least), np.maximum(high, most))
        for at, rating, interval in zip(group, bt.elo(theta), found, strict=True):
            ratings[at], intervals[at] = float(rating), interval
        return ratings, intervals

    def tied(self, order: list[int]) -> tuple[int, ...]:
        """Agents, of all in order of rank, that are not shown to be worse than the first; () without intervals."""
        if self.region is None:
            return ()
        return tuple(i for i in order[1:] if not self.better[order[0], i])

    def graded(self) -> bool:
        """Whether payoffs say more than who won: not all are +w for a win, -w for a loss and 0 for a draw."""
        largest = self.tally.largest
        away = np.abs(self.tally.ends - largest * np.array([-1, 0, 1])[:, None])
        return bool((away[np.isfinite(away)] > mg.TOLERANCE * largest).any())

    def seats(self, agent: int | None) -> tuple[SeatRow, ...]:
        """The split by seat of one agent, or of all agents together."""

        def pick(values: Floats) -> Floats:
            return values.sum(axis=-2) if agent is None else values[..., agent, :]

        rows, payoff, score = (pick(v) for v in (self.total.seat_rows, self.total.seat_payoff, self.total.seat_score))
        intervals: list[Interval | None] = [None] * len(rows)
        if self.drawn is not None:
            shape = (-1, *self.total.seat_rows.shape)
            units = _ratio(*(pick(self.sums.matrices[k].toarray().reshape(shape)) for k in (4, 3)))
            agents = range(len(self.names)) if agent is None else [agent]
            cases = np.full(len(rows), deals_of(self.sums, agents, int(self.tally.deals[0])))
            intervals = self.payoff_interval(
                _ratio(pick(self.drawn.seat_payoff), pick(self.drawn.seat_rows)), _ratio(payoff, rows), units, cases
            )
        return tuple(
            SeatRow(
                seat=s,
                games=int(rows[s]),
                payoff=float(payoff[s] / rows[s]) if rows[s] else None,
                payoff_interval=intervals[s],
                score=float(score[s] / rows[s]) if rows[s] else None,
            )
            for s in range(len(rows))
        )

    def matrix_bounds(self) -> tuple[Matrix | None, Matrix | None]:
        if self.matrix_samples is None:
            return None, None
        low, high = self.ends(self.matrix_samples)
        below, above = rare_margins(self.sums, self.reach, self.level)
        return _matrix(np.minimum(low, self.matrix - below)), _matrix(np.maximum(high, self.matrix + above))

    def metagame(self) -> Metagame | None:
        if not np.isfinite(self.matrix).all():
            return None
        nash = mg.max_entropy_nash(self.matrix)
        low = high = most = least = None
        if self.region is not None:
            low, high = (_floats(w) for w in self.region.equilibrium_weights())
            most, least = _number(self.region.most_gained(nash)), self.region.least_gained(nash)
        return Metagame(
            value=mg.solve(self.matrix).value,
            nash=_floats(nash),
            nash_low=low,
            nash_high=high,
            most_gained=most,
            least_gained=least,
            verdicts=self.verdicts(),
            ratings=self.other_ratings(nash),
            cycles=self.cycles(),
        )

    def other_ratings(self, nash: Floats) -> OtherRatings:
        gains = alone_gains(self.tally.alone)
        deviation = crowds = None
        if np.isfinite(gains).all():
            deviation, crowds = (_floats(values) for values in crowd_ratings(gains))
        return OtherRatings(
            nash_average=_floats(self.matrix @ nash),
            deviation=deviation,
            crowds=crowds,
            gains=None if deviation is None else _matrix(gains),
            alpha_rank=_floats(alpha_rank(self.matrix)),
        )

    def cycles(self) -> Cycles:
        heights, remainder = mg.hodge(self.matrix)
        halves = self.halves()
        first, second = (self.matrix, self.matrix) if halves is None else halves
        share = mg.cyclic_share(first, second)
        return Cycles(_floats(heights), _matrix(remainder), share, halves is not None)

    def halves(self) -> tuple[Floats, Floats] | None:
        """The payoff matrices of both halves of the blocks; None without intervals, or if a pair is missing in one."""
        if self.drawn is None:
            return None
        first, second = (mg.payoff_matrix(half) for half in self.sums.halves())
        return (first, second) if np.isfinite(first).all() and np.isfinite(second).all() else None

    def verdicts(self) -> tuple[Verdict, ...]:
        n, m, region = len(self.names), self.matrix, self.region
        strict, weak = mg.pure_dominance(m)
        exploited = mg.exploitability(m)
        seeming = mg.dominated_many(m[None])[0]
        halves = self.halves()
        cross = None if halves is None else mg.cross_fitted_exploitability(*halves)
        found: list[Verdict] = []
        for k in range(n):
            others = [j for j in range(n) if j != k]
            worst = min(others, key=lambda j: (m[k, j], self.names[j])) if others else None
            beats = beaten = ()
            if region is not None:
                beats = tuple(j for j in others if region.low[k, j] > region.tolerance)
                beaten = tuple(j for j in others if region.high[k, j] < -region.tolerance)
            single = self.dominator(k, weak[:, k])
            seems = bool(seeming[k])
            # What holds for all matrices of the region holds for the mean payoffs, so one question is enough.
            sure = None if region is None or not seems else region.dominator(k)
            answer = None if region is None or seems else region.best_answer_to(k)
            alone = None if sure is None or np.count_nonzero(sure[0]) > 1 else int(sure[0].argmax())
            found.append(
                Verdict(
                    agent=k,
                    beats=beats,
                    beaten_by=beaten,
                    unbeaten=None if region is None else not beaten,
                    worst_opponent=worst,
                    worst_payoff=0.0 if worst is None else float(m[k, worst]),
                    worst_interval=None
                    if region is None or worst is None
                    else _interval(region.low[k, worst], region.high[k, worst]),
                    exploitability=float(exploited[k]),
                    most_exploitability=None if region is None else _number(region.most_gained(np.eye(n)[k])),
                    cross_exploitability=None if cross is None else float(cross[k]),
                    dominated=True if sure is not None else False if answer is not None else None,
                    dominator=alone,
                    mixture=None if sure is None or alone is not None else _floats(sure[0]),
                    margin=None if sure is None else sure[1],
                    best_answer_to=None if answer is None else _floats(answer),
                    seems_dominated=seems,
                    seems_dominator=single,
                    strict=seems
                    and (bool(strict[single, k]) if single is not None else mg.mixed_domination(m, k).strict),
                )
            )
        return tuple(found)

    def dominator(self, k: int, candidates: npt.NDArray[np.bool_]) -> int | None:
        """Of the strategies that dominate k by the mean payoffs, the one with the largest smallest lead."""
        options = [int(i) for i in np.flatnonzero(candidates)]
        return min(
            options, key=lambda i: (-float(np.min(self.matrix[i] - self.matrix[k])), self.names[i]), default=None
        )

    def forfeits(self) -> tuple[Forfeit, ...]:
        return tuple(Forfeit(*row) for row in self.tally.forfeits.tolist())

    def warnings(self) -> tuple[str, ...]:
        found: list[str] = []
        n, independent = len(self.names), self.sums.independent
        needed = joint.least_blocks(self.level)
        if independent < 2:
            found.append("Fewer than two seed blocks for some pair of strategies: no intervals can be given.")
        elif independent < needed:
            found.append(
                f"Only {independent} seed blocks for some pair: the intervals are rough, and no difference between "
                f"strategies can be shown with fewer than {needed}; play more blocks."
            )
        elif independent < FEW_BLOCKS:
            found.append(f"Only {independent} seed blocks for some pair: the intervals are rough; play more blocks.")
        if not self.sums.balanced:
            found.append("Some pair sat more often one way round than the other; payoffs may favour the better seat.")
        never = [(i, j) for i in range(n) for j in range(i) if not self.total.games[i, j]]
        if never:
            i, j = never[0]
            more = f" and {len(never) - 1} other pairs" if len(never) > 1 else ""
            found.append(
                f"{self.names[j]} and {self.names[i]}{more} never met: no equilibrium or dominance can be given."
            )
        found += alone_told(self.names, alone_gains(self.tally.alone), self.matrix)
        if self.separation.separated and n > 1 and len(never) < n * (n - 1) // 2:
            groups = " > ".join("{" + ", ".join(self.names[i] for i in g) + "}" for g in self.separation.groups)
            inside = "only within the largest group" if self.separation.rated_group else "for nobody"
            found.append(
                f"Some strategies never took a point from others: {groups}. No number of points separates such groups, "
                f"so that a rating by wins is given {inside}."
            )
        return tuple(found)


def _ratio(a: Floats, b: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(a / b)


def _interval(low: float, high: float) -> Interval | None:
    return Interval(float(low), float(high)) if np.isfinite(low) and np.isfinite(high) else None


def _intervals(low: Floats, high: Floats) -> list[Interval | None]:
    return [_interval(a, b) for a, b in zip(low, high, strict=True)]


def _std(samples: Floats) -> Floats:
    return samples.std(axis=0, ddof=1) if len(samples) > 1 else np.zeros(samples.shape[1:])


def _over_opponents(own: Floats, sums: Sums) -> Floats:
    """Mean over the opponents met of the mean payoff against each, (..., agents); without any, over its own seats."""
    return mean_met(own, _ratio(sums.seat_payoff.sum(axis=-1), sums.seat_rows.sum(axis=-1)))


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _floats(values: Floats) -> tuple[float, ...]:
    return tuple(float(v) for v in values)


def _matrix(values: Floats) -> Matrix:
    """Nested tuples with None for NaN and on the diagonal."""
    return tuple(
        tuple(None if i == j or not np.isfinite(v) else float(v) for j, v in enumerate(row))
        for i, row in enumerate(values)
    )
