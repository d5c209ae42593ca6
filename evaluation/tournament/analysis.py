"""From a results table to a `Summary`: ratings, matrix, metagame, verdicts, and how sure each of them is."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from . import metagame as mg
from . import ratings as bt
from .blocks import BlockSums, Sums, block_sums, expanded_tail, percentile_interval
from .results import FORFEITS, column, validate
from .summary import AgentRow, Forfeit, Interval, Matrix, Metagame, SeatRow, Summary, Verdict

Floats = npt.NDArray[np.float64]

FEW_BLOCKS = 20
_NASH_RESAMPLES = 300  # linear programs are the slow part; the spread of a mixture needs no more


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
    table = validate(table, len(names))
    sums = block_sums(table, len(names))
    total = sums.totals()
    sure = resamples > 0 and sums.independent >= 2
    drawn = sums.resample(resamples, seed) if sure else None
    return _Analysis(table, names, sums, total, drawn, level, prior_draws, seed, resamples).summary()


class _Analysis:
    """The intermediate results of `analyse`, so that each part of the summary can be built by a short method."""

    def __init__(
        self, table: pa.Table, names: tuple[str, ...], sums: BlockSums, total: Sums, drawn: Sums | None,
        level: float, prior_draws: float, seed: int, resamples: int,
    ) -> None:  # fmt: skip
        self.table, self.names, self.sums, self.total, self.drawn = table, names, sums, total, drawn
        self.level, self.seed, self.resamples = level, seed, resamples
        self.theta = bt.bradley_terry(total.wins, prior_draws)
        self.ratings = bt.elo(self.theta)
        self.matrix = mg.payoff_matrix(total)
        self.separation = bt.separated(total.wins)
        self.rating_samples: Floats | None = None
        self.matrix_samples: Floats | None = None
        if drawn is not None:
            self.rating_samples = bt.elo(bt.bradley_terry_many(drawn.wins, prior_draws, self.theta))
            self.matrix_samples = mg.payoff_matrix(drawn)

    def interval(self, samples: Floats) -> list[Interval | None]:
        """One interval for each column of samples (resamples, columns); None where a column holds NaN."""
        low, high = percentile_interval(samples, self.level, self.sums.independent)
        return [
            Interval(float(a), float(b)) if np.isfinite(a) and np.isfinite(b) else None
            for a, b in zip(low, high, strict=True)
        ]

    def summary(self) -> Summary:
        deals = len(np.unique((column(self.table, "block").astype(np.int64) << 32) + column(self.table, "deal")))
        game, length = column(self.table, "game"), column(self.table, "length")
        first = np.append(True, game[1:] != game[:-1])
        leaderboard = self.leaderboard()
        low, high = self.matrix_bounds()
        return Summary(
            names=self.names,
            seed=self.seed,
            resamples=self.resamples if self.drawn is not None else 0,
            level=self.level,
            games=int(first.sum()),
            deals=deals,
            blocks=self.sums.blocks,
            independent=self.sums.independent,
            decisions=int(column(self.table, "decisions").sum()),
            mean_length=float(length[first].mean()),
            leaderboard=leaderboard,
            tied_with_best=self.tied(leaderboard[0].agent),
            matrix=_matrix(self.matrix),
            matrix_error=None if self.matrix_samples is None else _matrix(_std(self.matrix_samples)),
            matrix_low=low,
            matrix_high=high,
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
        draws = self.sums.draws.sum(axis=1)
        wins = self.total.wins.sum(axis=1) - draws / 2
        rank = bt.ranks(self.ratings)
        agent, decisions = column(self.table, "agent"), column(self.table, "decisions")
        rows_of = np.bincount(agent, minlength=n)
        decided = np.bincount(agent, decisions, n) / np.maximum(rows_of, 1)
        forfeit = column(self.table, "forfeit")
        lost = np.stack([np.bincount(agent[forfeit == k], minlength=n) for k in range(1, len(FORFEITS))], axis=1)
        alone = {g[0] for g in self.separation.groups if len(g) == 1} if self.separation.separated else set()
        rating_intervals: list[Interval | None] = [None] * n
        payoff_intervals: list[Interval | None] = [None] * n
        rank_intervals: list[tuple[int, int] | None] = [None] * n
        best: list[float | None] = [None] * n
        if self.drawn is not None and self.rating_samples is not None:
            # Where the prior alone sets a rating, the resamples cannot say how sure it is.
            rating_intervals = [None if i in alone else r for i, r in enumerate(self.interval(self.rating_samples))]
            payoff_intervals = self.interval(_over_opponents(mg.mean_payoffs(self.drawn), self.drawn))
            drawn_ranks = bt.ranks(self.rating_samples)
            lows, highs = bt.rank_interval(drawn_ranks, expanded_tail(self.level, self.sums.independent))
            rank_intervals = [(int(a), int(b)) for a, b in zip(lows, highs, strict=True)]
            firsts = drawn_ranks == 1
            best = [float(x) for x in (firsts / firsts.sum(axis=1, keepdims=True)).mean(axis=0)]
        rows = [
            AgentRow(
                agent=i,
                name=self.names[i],
                rank=int(rank[i]),
                rank_interval=rank_intervals[i],
                rating=float(self.ratings[i]),
                rating_interval=rating_intervals[i],
                best_share=best[i],
                bounded=i not in alone,
                payoff=_number(payoff[i]),
                payoff_interval=payoff_intervals[i],
                games=float(games[i]),
                wins=float(wins[i] / max(games[i], 1e-300)),
                draws=float(draws[i] / max(games[i], 1e-300)),
                losses=float((games[i] - wins[i] - draws[i]) / games[i]) if games[i] else 0.0,
                decisions=float(decided[i]),
                forfeits=(int(lost[i, 0]), int(lost[i, 1]), int(lost[i, 2])),
                seats=self.seats(i),
            )
            for i in range(n)
        ]
        return tuple(sorted(rows, key=lambda r: (r.rank, -(r.payoff if r.payoff is not None else 0.0), r.name)))

    def tied(self, best: int) -> tuple[int, ...]:
        """Agents whose rating is not lower than the best one's in more than a tail of the resamples."""
        if self.rating_samples is None:
            return ()
        share = (self.rating_samples >= self.rating_samples[:, best : best + 1] - 1e-9).mean(axis=0)
        tail = (1 - self.level) / 2
        order = sorted(np.flatnonzero(share > tail), key=lambda i: (-self.ratings[i], self.names[i]))
        return tuple(int(i) for i in order if i != best)

    def seats(self, agent: int | None) -> tuple[SeatRow, ...]:
        """The split by seat of one agent, or of all agents together."""

        def pick(values: Floats) -> Floats:
            return values.sum(axis=-2) if agent is None else values[..., agent, :]

        rows, payoff, score = (pick(v) for v in (self.total.seat_rows, self.total.seat_payoff, self.total.seat_score))
        intervals: list[Interval | None] = [None] * len(rows)
        if self.drawn is not None:
            intervals = self.interval(_ratio(pick(self.drawn.seat_payoff), pick(self.drawn.seat_rows)))
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
        low, high = percentile_interval(self.matrix_samples, self.level, self.sums.independent)
        return _matrix(low), _matrix(high)

    def metagame(self) -> Metagame | None:
        if not np.isfinite(self.matrix).all():
            return None
        samples = self.matrix_samples
        nash = mg.max_entropy_nash(self.matrix)
        mean = low = high = None
        if samples is not None:
            mixtures = mg.nash_many(samples[:_NASH_RESAMPLES])
            mean = _floats(mixtures.mean(axis=0))
            low, high = (_floats(q) for q in percentile_interval(mixtures, self.level, self.sums.independent))
        return Metagame(
            value=mg.solve(self.matrix).value,
            nash=_floats(nash),
            nash_mean=mean,
            nash_low=low,
            nash_high=high,
            verdicts=self.verdicts(samples),
        )

    def verdicts(self, samples: Floats | None) -> tuple[Verdict, ...]:
        n, m = len(self.names), self.matrix
        strict, weak = mg.pure_dominance(m)
        exploited = mg.exploitability(m)
        dominated_share = pure_share = cross = bounds = None
        if samples is not None:
            pure_share = mg.pure_dominance(samples)[1].mean(axis=0)
            dominated_share = mg.dominated_many(samples).mean(axis=0)
            bounds = mg.simultaneous_bounds(m, samples, (1 + self.level) / 2, self.sums.independent)
            halves = [mg.payoff_matrix(half) for half in self.sums.halves()]
            if all(np.isfinite(half).all() for half in halves):
                cross = mg.cross_fitted_exploitability(halves[0], halves[1])
        found: list[Verdict] = []
        for k in range(n):
            others = [j for j in range(n) if j != k]
            worst = min(others, key=lambda j: (m[k, j], self.names[j])) if others else None
            mixed = mg.mixed_domination(m, k)
            single = self.dominator(k, weak[:, k], pure_share)
            margin = mixed.margin
            if single is not None:
                margin = float(np.min(m[single] - m[k]))
            found.append(
                Verdict(
                    agent=k,
                    beats=() if bounds is None else tuple(j for j in others if bounds[0][k, j] > 0),
                    beaten_by=() if bounds is None else tuple(j for j in others if bounds[1][k, j] < 0),
                    unbeaten=None if bounds is None else not any(bounds[1][k, j] < 0 for j in others),
                    worst_opponent=worst,
                    worst_payoff=0.0 if worst is None else float(m[k, worst]),
                    worst_interval=None
                    if bounds is None or worst is None
                    else Interval(float(bounds[0][k, worst]), float(bounds[1][k, worst])),
                    exploitability=float(exploited[k]),
                    cross_exploitability=None if cross is None else float(cross[k]),
                    dominated=single is not None or mixed.weak,
                    strict=bool(strict[single, k]) if single is not None else mixed.strict,
                    dominator=single,
                    mixture=_floats(mixed.weights) if single is None and mixed.weak else None,
                    margin=margin,
                    dominated_share=None if dominated_share is None else float(dominated_share[k]),
                    dominator_share=None if pure_share is None or single is None else float(pure_share[single, k]),
                )
            )
        return tuple(found)

    def dominator(self, k: int, candidates: npt.NDArray[np.bool_], share: Floats | None) -> int | None:
        """Of the strategies that dominate k, the surest one; then the one with the largest smallest lead."""
        m = self.matrix
        options = [int(i) for i in np.flatnonzero(candidates)]
        if not options:
            return None
        surety = np.zeros(len(m)) if share is None else share[:, k]
        return min(options, key=lambda i: (-surety[i], -float(np.min(m[i] - m[k])), self.names[i]))

    def forfeits(self) -> tuple[Forfeit, ...]:
        kind = column(self.table, "forfeit")
        at = np.flatnonzero(kind)
        game, seat, agent = (column(self.table, name)[at] for name in ("game", "seat", "agent"))
        rows = zip(game.tolist(), seat.tolist(), agent.tolist(), kind[at].tolist(), strict=True)
        return tuple(Forfeit(g, s, a, k) for g, s, a, k in rows)

    def warnings(self) -> tuple[str, ...]:
        found: list[str] = []
        n, independent = len(self.names), self.sums.independent
        if independent < 2:
            found.append("Fewer than two seed blocks for some pair of strategies: no intervals can be given.")
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
        if self.separation.separated and n > 1 and len(never) < n * (n - 1) // 2:
            groups = " > ".join("{" + ", ".join(self.names[i] for i in g) + "}" for g in self.separation.groups)
            found.append(
                "Some strategies never took a point from others, so that the distances between these groups are lower "
                f"bounds, set by the prior: {groups}."
            )
        return tuple(found)


def _ratio(a: Floats, b: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(a / b)


def _std(samples: Floats) -> Floats:
    return samples.std(axis=0, ddof=1) if len(samples) > 1 else np.zeros(samples.shape[1:])


def _over_opponents(own: Floats, sums: Sums) -> Floats:
    """Mean over the opponents met of the mean payoff against each, (..., agents); without any, over its own seats."""
    met = np.isfinite(own)
    count = met.sum(axis=-1)
    mean = _ratio(np.where(met, own, 0.0).sum(axis=-1), count.astype(np.float64))
    alone = _ratio(sums.seat_payoff.sum(axis=-1), sums.seat_rows.sum(axis=-1))
    return np.where(count > 0, mean, alone)


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
