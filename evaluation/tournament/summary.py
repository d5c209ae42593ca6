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
class JointRating:
    """An agent with the means over the sides of its deviation rating (at most 0) and of its share by alpha-rank."""

    name: str
    deviation: float
    deviation_interval: Interval
    alpha: float
    alpha_interval: Interval


@dataclass(frozen=True, slots=True)
class JointRatings:
    """What the report keeps of a joint table: all agents, the best first, how much was played, a table to be seen.

    `replay` is a file in the folder, "" without one.
    """

    tables: int
    deals: int
    rows: tuple[JointRating, ...]
    replay: str = ""


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
    """One line of the leaderboard, which is in order of `rating`.

    `rating` is the rating by payoff: what the agent earns a game from the others on average, in units of payoff and of
    mean 0 (`ratings.payoff_ratings`); its interval and `rank_interval` hold for all agents at once. `wins_rating` is
    the rating by wins (Bradley-Terry, mean 1500, 400 points for odds of ten to one), None where the wins determine none
    (`ratings.separated`), and `wins_rank` the rank by it. `payoff` averages the mean payoffs against each opponent;
    `win_payoff` and `loss_payoff` are the mean payoffs of its seats in games won and lost; `wins`, `draws` and `losses`
    are shares of the games, every opponent counting once, that add up to 1 (0 games: all 0); `forfeits` counts illegal
    actions, exceptions and overruns.
    """

    agent: int
    name: str
    rank: int
    rank_interval: tuple[int, int] | None
    rating: float
    rating_interval: Interval | None
    wins_rank: int
    wins_rating: float | None
    wins_interval: Interval | None
    payoff: float | None
    payoff_interval: Interval | None
    win_payoff: float | None
    loss_payoff: float | None
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

    @property
    def never_lost(self) -> bool:
        """Whether it won every point of its games, so that its rating by wins has no upper end."""
        return self.games > 0 and self.losses == self.draws == 0

    @property
    def never_won(self) -> bool:
        """Whether it lost every point of its games, so that its rating by wins has no lower end."""
        return self.games > 0 and self.wins == self.draws == 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the metagame says about one strategy. Everything called shown holds at the summary's level, all at once.

    `beats` and `beaten_by` list opponents that it is shown to beat or lose to; `unbeaten` says that none is shown to
    beat it, None without intervals. `worst_opponent` is the strategy that earned most from it, `worst_payoff` what it
    got there (`worst_interval` simultaneous). `exploitability` is what the best opponent in the pool earned from it,
    `most_exploitability` the most that any can earn on average (None: unknown), `cross_exploitability` a measurement
    without the winner's curse.

    `dominated` is True if it is shown that some strategy or mixture is better against every strategy, False if it is
    shown that none dominates it, else None. For True, `dominator` is the single strategy or `mixture` the weights of
    the mixture that does it and `margin` its smallest lead, at least; for False, `best_answer_to` is a mixture of
    opponents against which it is shown to be the best answer. `seems_dominated` and `seems_dominator` say what the mean
    payoffs show by themselves (`strict`: better against every strategy, else never worse and somewhere better).
    """

    agent: int
    beats: tuple[int, ...]
    beaten_by: tuple[int, ...]
    unbeaten: bool | None
    worst_opponent: int | None
    worst_payoff: float
    worst_interval: Interval | None
    exploitability: float
    most_exploitability: float | None
    cross_exploitability: float | None
    dominated: bool | None
    dominator: int | None
    mixture: tuple[float, ...] | None
    margin: float | None
    best_answer_to: tuple[float, ...] | None
    seems_dominated: bool
    seems_dominator: int | None
    strict: bool


@dataclass(frozen=True, slots=True)
class OtherRatings:
    """What strategies are worth where players may choose, by the mean payoffs alone; tuples in agent order.

    `nash_average` is what each earns from the equilibrium mixture; `deviation` the deviation ratings of the table
    `gains` (row alone among copies of column, above the mean of the table; None on the diagonal) with `crowds`, a
    mixture of columns that shows them, None where the games were not of one agent among copies of another; `alpha_rank`
    adds up to 1.
    """

    nash_average: tuple[float, ...]
    deviation: tuple[float, ...] | None
    crowds: tuple[float, ...] | None
    gains: Matrix | None
    alpha_rank: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Cycles:
    """The payoff matrix as the sum of a ladder and a wheel (Hodge decomposition).

    `heights` on the ladder (mean 0), `remainder` what they do not tell of each pair, `cyclic_share` its share of the
    matrix in squares, 0..1; `measured` says that both halves of the blocks were compared, so that noise does not count.
    """

    heights: tuple[float, ...]
    remainder: Matrix
    cyclic_share: float
    measured: bool


@dataclass(frozen=True, slots=True)
class Metagame:
    """The matrix game of all strategies: its value, the maximum-entropy Nash mixture, and a verdict on each strategy.

    `nash` is the mixture of the mean payoffs, `most_gained` what no strategy gains more than against it, `least_gained`
    what the best one gains at least; `nash_low` and `nash_high` bound the weights in every equilibrium of the real
    matrix, all at once (None without intervals). `ratings` and `cycles` follow the mean payoffs. All tuples are in
    agent order.
    """

    value: float
    nash: tuple[float, ...]
    nash_low: tuple[float, ...] | None
    nash_high: tuple[float, ...] | None
    most_gained: float | None
    least_gained: float | None
    verdicts: tuple[Verdict, ...]
    ratings: OtherRatings
    cycles: Cycles


@dataclass(frozen=True, slots=True)
class Forfeit:
    """One lost game by forfeit: game number, seat, agent index and the kind (`results.FORFEITS`)."""

    game: int
    seat: int
    agent: int
    kind: int


@dataclass(frozen=True, slots=True)
class Decision:
    """What a tournament that may stop has found out.

    `pairs` are those that were compared, with the intervals `low` and `high` of what the first earns more and the
    number of `deals` they rest on; `blocks` of `planned` were played, `decided` says whether the goal was reached.
    """

    goal: str
    decided: bool
    blocks: int
    planned: int
    level: float
    within: float
    pairs: tuple[tuple[int, int], ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    deals: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Wish:
    """A game that would show a claim: `ahead`: one in which agent `first` got more than `second`; `level`: any."""

    kind: str
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Example:
    """The game that is shown for a wish: number `game` in block `block`.

    `payoffs` are the mean payoffs of the two agents' seats in it. It is the middle one, by what `first` got more, of
    `among` games: of the first `looked` games of the two those that fit the wish.
    """

    kind: str
    first: int
    second: int
    game: int
    block: int
    payoffs: tuple[float, float]
    among: int
    looked: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of `analyse`: everything that the report, the terminal and other programs need.

    `names` are in agent order, `leaderboard` in order of rank. `tied_with_best` are the agents that cannot be told
    apart from the first: all others are shown to earn less than it. `graded` says whether payoffs tell more than who
    won. `matrix[i][j]` is what i earns from j (None: never met, or i = j), with standard errors and the interval of
    each pair by itself; `joint_low` and `joint_high` bound all pairs at once (None: unbounded); `scores` are shares of
    points. `metagame` is None if some pair never met. `level` is that of each interval by itself, and of everything
    that is stated of several strategies at once; `independent` is the number of seed blocks on which the weakest
    interval rests, `resamples` 0 if there are none. `decision` is that of a tournament that stops when it knows. `lone`
    says that all seats were on one side, see `apart`: margins and ratings are then whole differences of payoffs.
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
    graded: bool
    matrix: Matrix
    matrix_error: Matrix | None
    matrix_low: Matrix | None
    matrix_high: Matrix | None
    joint_low: Matrix | None
    joint_high: Matrix | None
    scores: Matrix
    meetings: Matrix
    seats: tuple[SeatRow, ...]
    metagame: Metagame | None
    forfeits: tuple[Forfeit, ...]
    warnings: tuple[str, ...]
    decision: Decision | None = None
    lone: bool = False

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
        found = plain(dataclasses.asdict(self))
        left_out = {name for name, there in (("decision", self.decision is not None), ("lone", self.lone)) if not there}
        return {name: value for name, value in found.items() if name not in left_out}

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
