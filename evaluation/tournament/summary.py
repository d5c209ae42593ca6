"""What is known after a tournament: plain frozen records, numbers only, ready for JSON."""

import dataclasses
import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

Row = tuple[float | None, ...]
Matrix = tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval of the summary's level."""

    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the interval's length."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class SeatRow:
    """How an agent (or all agents) did on one seat: games there, mean payoff, share of points (tie = half)."""

    seat: int
    games: int
    payoff: float | None
    payoff_interval: Interval | None
    score: float | None


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One line of the leaderboard.

    `rating` and its interval are on the Elo-like scale of mean 1500; `best_share` is the share of resamples in which
    the agent is first; `payoff` averages the mean payoffs against each opponent; `wins`, `draws` and `losses` are
    shares of `games` that add up to 1 (0 games: all 0); `forfeits` counts illegal actions, exceptions and overruns;
    `bounded` is false if the rating rests on the prior because nobody took (or gave) a point; it then has no interval.
    """

    agent: int
    name: str
    rank: int
    rank_interval: tuple[int, int] | None
    rating: float
    rating_interval: Interval | None
    best_share: float | None
    bounded: bool
    payoff: float | None
    payoff_interval: Interval | None
    games: float
    wins: float
    draws: float
    losses: float
    decisions: float
    forfeits: tuple[int, int, int]
    seats: tuple[SeatRow, ...]

    @property
    def score(self) -> float:
        """Share of points, a tie counting half."""
        return self.wins + self.draws / 2


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the metagame says about one strategy.

    `beats` and `beaten_by` list opponents whose difference is certain at the summary's level for all opponents at once;
    `unbeaten` is None without intervals. `worst_opponent` is the strategy that earns most from it, `worst_payoff` what
    it gets there (`worst_interval` simultaneous). `exploitability` is what the best opponent in the pool earns from it,
    `cross_exploitability` the same without the winner's curse. `dominated` and `strict` say what the mean payoffs show,
    `dominator` is the single strategy that does it, or `mixture` the weights of a mixture; `dominated_share` is the
    share of resamples in which anything dominates it at least weakly, `dominator_share` that of this dominator.
    """

    agent: int
    beats: tuple[int, ...]
    beaten_by: tuple[int, ...]
    unbeaten: bool | None
    worst_opponent: int | None
    worst_payoff: float
    worst_interval: Interval | None
    exploitability: float
    cross_exploitability: float | None
    dominated: bool
    strict: bool
    dominator: int | None
    mixture: tuple[float, ...] | None
    margin: float
    dominated_share: float | None
    dominator_share: float | None


@dataclass(frozen=True, slots=True)
class Metagame:
    """The matrix game of all strategies: its value, the maximum-entropy Nash mixture, and a verdict on each strategy.

    `nash_mean`, `nash_low` and `nash_high` describe the mixtures of the resamples. All tuples are in agent order.
    """

    value: float
    nash: tuple[float, ...]
    nash_mean: tuple[float, ...] | None
    nash_low: tuple[float, ...] | None
    nash_high: tuple[float, ...] | None
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Forfeit:
    """One lost game by forfeit: game number, seat, agent index and the kind (`results.FORFEITS`)."""

    game: int
    seat: int
    agent: int
    kind: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of `analyse`: everything that the report, the terminal and other programs need.

    `names` are in agent order, `leaderboard` in order of rank. `matrix[i][j]` is what i earns from j (None: never met,
    or i = j), with standard errors and pairwise intervals; `scores` the share of points. `metagame` is None if some
    pair never met. `level` is that of all intervals, `independent` the number of seed blocks on which the weakest of
    them rests.
    """

    names: tuple[str, ...]
    seed: int
    resamples: int
    level: float
    games: int
    deals: int
    blocks: int
    independent: int
    decisions: int
    mean_length: float
    leaderboard: tuple[AgentRow, ...]
    tied_with_best: tuple[int, ...]
    matrix: Matrix
    matrix_error: Matrix | None
    matrix_low: Matrix | None
    matrix_high: Matrix | None
    scores: Matrix
    meetings: Matrix
    seats: tuple[SeatRow, ...]
    metagame: Metagame | None
    forfeits: tuple[Forfeit, ...]
    warnings: tuple[str, ...]

    @property
    def best(self) -> AgentRow:
        """The first line of the leaderboard."""
        return self.leaderboard[0]

    def row(self, name: str) -> AgentRow:
        """The leaderboard line of an agent. Raises `KeyError` for a name that did not take part."""
        for row in self.leaderboard:
            if row.name == name:
                return row
        raise KeyError(f"no agent {name!r} took part; there are {', '.join(self.names)}")

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and None; numbers are rounded to 10 significant digits."""
        return plain(dataclasses.asdict(self))

    def to_json(self) -> str:
        """`to_dict` as indented JSON with a final newline."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def plain(value: Any) -> Any:
    """Make a value JSON-ready: tuples become lists, NaN and infinity None, floats have 10 significant digits."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return float(f"{value:.10g}") + 0.0 if math.isfinite(value) else None
    return value
