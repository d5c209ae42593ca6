"""What a stress test has found out: plain frozen records, numbers and words only, one for each step.

`Findings` puts them together. A step that was not reached is None. The page, the words, the verdict and `report.json`
are made of these records alone, and `from_json` gives them back.

Over 500 lines because it is one vocabulary: whoever reads a report's JSON finds every word of it here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..report.records import record
from ..tournament.summary import plain

FINE = 0.4  # deviation of a game's result below which a twentieth of it, which counts, is less than two hundredths


@dataclass(frozen=True)
class Interval:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Sample(Interval):
    """The same, with the number of games on which it rests."""

    games: int


@dataclass(frozen=True)
class Mean:
    """A mean with its standard error; None where there were no values, or not two."""

    mean: float | None
    error: float | None


# What breaks


@dataclass(frozen=True)
class Move:
    """A decision in words."""

    who: str
    what: str


@dataclass(frozen=True)
class Fault:
    """Something that is broken: what, in which condition, in how many of how many games, and the shortest such game.

    `length` are the decisions of that game, `cycle` the one to which a position goes back, `replay` its file, `moves`
    its last decisions, `final` the decision that the rules do not survive.
    """

    kind: str
    text: str
    where: str
    count: int = 1
    games: int | None = None
    length: int | None = None
    cycle: int | None = None
    replay: str | None = None
    moves: tuple[Move, ...] = ()
    final: Move | None = None


@dataclass(frozen=True)
class Breakage:
    """Faults, and the games and decisions of wilful random play in which they were looked for."""

    faults: tuple[Fault, ...] = ()
    games: int = 0
    decisions: int = 0


@dataclass(frozen=True)
class Sizes:
    """Sizes of the game: factor of the budget, longest game allowed, mean length, deviation of results.

    `shares`: what of every budget the time of the budget allows; 1 where none is named. `heuristics`: how many of all
    that are known are played with, 0 where it was not told.
    """

    factor: float
    longest: int
    mean_length: float
    scale: float
    shares: Mapping[str, float] = field(default_factory=dict)
    heuristics: int = 0
    known_heuristics: int = 0

    def share(self, budget: str) -> float:
        """What of a budget is played."""
        return self.shares.get(budget, 1.0)


# Strategies


@dataclass(frozen=True)
class Course:
    """A course of learning: decisions branched, games, mean squared error."""

    condition: str
    strategy: str
    branched: int
    games: int
    error: float


@dataclass(frozen=True)
class SideMixture:
    """What a side plays: weights of strategies by name."""

    side: str
    mixture: dict[str, float]


# What having it is worth


@dataclass(frozen=True)
class WorthRow:
    """Worth of having the module alone, at a handicap of `amount` units for the holder."""

    amount: int
    worth: Sample
    odds: Interval
    with_it: float
    without: float
    score_with: float
    score_without: float


@dataclass(frozen=True)
class SideWorth:
    """The same for a side at every handicap, at none for each learner's seed, and against an opponent who has it."""

    side: str
    by_amount: tuple[WorthRow, ...]
    seeds: tuple[float, ...]
    answer: Sample | None = None

    @property
    def even(self) -> WorthRow:
        """The row without a handicap."""
        return next(row for row in self.by_amount if row.amount == 0)


@dataclass(frozen=True)
class WorthBounds:
    """Between what the worth lies, overall and by side, if nobody answers better than by the best answers found."""

    overall: Interval
    sides: tuple[Interval, ...]
    games: int


@dataclass(frozen=True)
class Reach:
    """By what the interval of the worth reaches beyond what lies between `low` and `high`, to either side.

    `deals`: by the deals that were played; `seeds`: by two standard errors between learners of different seeds; the
    larger of both counts. `low` and `high` are the value itself, or the ends where the worth is told between two.
    """

    low: float
    high: float
    deals: float
    seeds: float = 0.0


@dataclass(frozen=True)
class Deciding:
    """What would decide an undecided worth.

    The interval reaches `reach` to either side of the middle, and `needed` would do if the value stayed where it is (0:
    no reach would). `budget` is the smallest of the lab that should do ("" none); with it, or with the `largest` there
    is, `expected` is what to expect. `times` the games of this test would do (None: hardly any number). `seeds` is what
    learners of other seeds are expected to be apart then, `gap` lies between two ends that no number of games narrows.
    """

    budget: str
    reach: float
    needed: float
    largest: str
    expected: float
    times: float | None
    seeds: float
    gap: float


@dataclass(frozen=True)
class Worth:
    """Worth by sides and overall, in payoff and in the log odds of winning; `deviation` of a result without it.

    `exact`: payoffs are values of solved games, without an error; odds are those of the strategies found all the same.
    `bounds`: between what it lies, whatever the learners have missed; None where it is exact or was not asked.
    `alike`: against several others, who stay as they are with the module and without. `reach`: what makes the interval
    as wide as it is; None where it is exact. `found`: what the strategies found make of an exact worth, else None.
    `sure`: in so many games of random play the rule did nothing but pay, and pays the same to strong play; 1 of a rule
    without actions that pays without a look at the game; 0 of other rules. `dealt`: what it pays so goes by its own
    dice, so that it is known on the average.
    """

    sides: tuple[SideWorth, ...]
    overall: Sample
    deviation: float
    odds: Interval
    exact: bool = False
    bounds: WorthBounds | None = None
    alike: bool = False
    reach: Reach | None = None
    found: Sample | None = None
    sure: int = 0
    dealt: bool = False

    @property
    def played(self) -> Sample:
        """What the strategies found make of it, whatever it is worth to those who play best."""
        return self.found or self.overall


@dataclass(frozen=True)
class Paid:
    """What sides are paid more where one alone has the module, and where all have it, by the same players.

    `own`: the side that has it, `others`: each of the others, `together`: all sides added up; None where nobody can
    have it alone.
    """

    own: Sample | None
    others: Sample | None
    together: Sample | None
    everybody: Sample


@dataclass(frozen=True)
class HandicapRow(Sample):
    """Worth of the module in units of the handicap at `amount`; `most` and `least` are the ends of the scale."""

    amount: int
    most: float
    least: float

    @property
    def at_an_end(self) -> bool:
        """Whether it is worth as many units as the scale has, or more."""
        return self.value >= self.most - 1e-9 or self.value <= self.least + 1e-9


@dataclass(frozen=True)
class SideHandicap:
    """How many units are worth as much as the module to a side, and the value of the game without it at `points`."""

    side: str
    points: tuple[int, ...]
    values: tuple[float, ...]
    by_amount: tuple[HandicapRow, ...]


@dataclass(frozen=True)
class SeatEffect:
    """What sitting first is worth, with nobody and with everybody having the module, and the change.

    `side`: what the first of two sides gains where everybody has it, whoever sits first; None if they are seats.
    """

    mirrored: bool
    nobody: Sample
    everybody: Sample
    change: Sample
    side: Sample | None = None


# Use


@dataclass(frozen=True)
class Situation:
    """How often the module is used in a phase and standing."""

    phase: str
    standing: str
    opportunities: int
    rate: float
    error: float | None


@dataclass(frozen=True)
class SituationGain:
    """What a use gains in a phase and standing."""

    phase: str
    standing: str
    count: int
    gain: float
    error: float | None


@dataclass(frozen=True)
class ActionGain:
    """What the use of an action gains."""

    action: str
    count: int
    gain: float
    error: float | None


@dataclass(frozen=True)
class Place:
    """A situation found by a tree over the observation, in words, its share of all, and what a use gains there."""

    where: str
    share: float
    gain: float
    error: float | None
    count: int
    german: str = ""


@dataclass(frozen=True)
class UseWorth:
    """What a use gains: opportunities tried both ways, their games, shares with an effect, better, and worse.

    `own`: what the user's side is paid more by it, in the mean of its seats, which is not the same where payoffs need
    not add up to nothing.
    """

    count: int
    games: int
    gain: float | None
    error: float | None
    effect: float | None
    better: float | None
    worse: float | None
    situations: tuple[SituationGain, ...] = ()
    actions: tuple[ActionGain, ...] = ()
    leaves: tuple[Place, ...] = ()
    own: float | None = None
    own_error: float | None = None


@dataclass(frozen=True)
class Restricted:
    """What a holder loses by using the module always, never, by a coin, or blindly, instead of as it likes."""

    always: Sample
    never: Sample
    coin: Sample
    random: Sample


@dataclass(frozen=True)
class SolvedUse:
    """What a holder loses by never using the module, and by using it wherever it can, if both sides play best else.

    `answers`: what it loses by taking one of several actions of the module wherever that is legal; empty if not solved.
    """

    never: float
    always: float
    answers: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Choice:
    """How often an action is chosen at a question to which the module has all the answers.

    `gain`: of the action over what is chosen there on the average, with its standard error; None where not tried.
    `seats`: of each seat that was asked, the share of its answers that this one is.
    """

    phase: str
    action: str
    count: int
    share: float
    gain: float | None = None
    error: float | None = None
    seats: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Stake:
    """What depends on a question of the module: by how much the best answer beats the worst, with its standard error.

    Best and worst are told on some continuations of `count` decisions and measured on others. `played`: by how much
    what is answered there beats an answer drawn by how often each is given, with its standard error (None: not looked
    at): more than nothing if the situation tells which answer is right. `among`: the spread of those answers alone that
    are given now and then, with its standard error (None: not looked at); whether it is a guess goes by them, as an
    answer that nobody gives makes none of the others a rival.
    """

    phase: str
    count: int
    spread: float
    error: float | None
    played: float | None = None
    played_error: float | None = None
    among: float | None = None
    among_error: float | None = None

    @property
    def rivals(self) -> tuple[float, float | None]:
        """What depends on which of the answers is given that are given at all, with its standard error."""
        return (self.spread, self.error) if self.among is None else (self.among, self.among_error)


@dataclass(frozen=True)
class Ways:
    """Several ways of using the module where it need not be used: what depends on which one, and what each gains.

    Of a phase in which two of its actions or more are legal, and others besides. `used` is how often one of them is
    taken; shares of the `answers` and the `stake` are of uses, and gains are over what is taken then on the average.
    """

    used: float
    stake: Stake
    answers: tuple[Choice, ...]


@dataclass(frozen=True)
class ActionLine:
    """An action of the module where it and another one are legal: how often it is taken, and what taking it gains.

    `chances` are decisions that were tried; `gain` is over what the strongest strategies do at the same decisions;
    `declines`: it stands for not using the module.
    """

    action: str
    chances: int
    rate: float | None = None
    rate_error: float | None = None
    gain: float | None = None
    error: float | None = None
    declines: bool = False


@dataclass(frozen=True)
class CounterLine:
    """A counter of the module at the end of a game: its mean over games, the least and the most that was seen.

    `low`..`high` is the range that it is declared to have.
    """

    name: str
    games: int
    mean: float
    error: float | None
    least: int
    most: int
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True)
class Use:
    """How often the module is used where it is offered, and whether that is right; 0 `actions`: it works by itself.

    An opportunity can be declined; `forced` counts decisions in which every legal action is one of the module, and
    `choices` tells what is chosen there, `stakes` what depends on it. `lines` has one entry an action, `ways` one a
    phase in which it can be used in several ways. `solved` has one entry a side, or none where games are not solved.
    """

    actions: int
    games: int = 0
    opportunities: int = 0
    uses: int = 0
    rate: float | None = None
    error: float | None = None
    games_with_offer: int = 0
    games_with_use: int = 0
    situations: tuple[Situation, ...] = ()
    forced: int = 0
    choices: tuple[Choice, ...] = ()
    worth: UseWorth | None = None
    restricted: dict[str, Restricted] = field(default_factory=dict)
    stakes: tuple[Stake, ...] = ()
    lines: tuple[ActionLine, ...] = ()
    ways: tuple[Ways, ...] = ()
    solved: dict[str, SolvedUse] = field(default_factory=dict)


# Dominance


@dataclass(frozen=True)
class StrategyRow:
    """A strategy in the matrix game: its weight in equilibrium, what dominates it, exploitability, rate of use."""

    name: str
    nash: float
    nash_mean: float
    dominated: bool
    dominated_share: float
    margin: float
    by: str
    exploitability: float
    use_rate: float | None


@dataclass(frozen=True)
class Dominant:
    """The strategy that is best against all worth playing in the largest share of resamples.

    Worth playing is what is left when dominated strategies drop out again and again. `alike` counts the strategies that
    hardly differ from it, itself among them: they may do as well or better. `within` is the payoff by which what they
    get differs at most, in the root mean square over all they meet; 0 where that was not kept, or there is none but
    itself.
    """

    name: str
    share: float
    alike: int = 1
    within: float = 0.0


@dataclass(frozen=True)
class MatrixGame:
    """The matrix game of all strategies: its equilibrium, dominance, cyclic share, and the module's share of uses.

    `effective` strategies of the equilibrium; `different` ones, if such that hardly differ count as one. The intervals
    of `effective`, `cyclic` and `module_mass` hold the luck of learning, told by so many `learned` strategies (fewer
    than two tell nothing of it; None: it was not looked at).
    """

    strategies: tuple[StrategyRow, ...]
    matrix: tuple[tuple[float, ...], ...]
    error: tuple[tuple[float, ...], ...]
    dominant: Dominant
    effective: Interval
    cyclic: Interval
    module_mass: Interval | None
    blocks: int
    games: int = 0
    different: Interval | None = None
    learned: int | None = None


@dataclass(frozen=True)
class Dominance:
    """The matrix games without the module and with it."""

    nobody: MatrixGame
    everybody: MatrixGame


# Dynamics


@dataclass(frozen=True)
class Luck:
    """Share of the variance of results that the deal decides, with its standard error and both variances."""

    share: float
    error: float
    between: float
    within: float


@dataclass(frozen=True)
class Rung:
    """Score of a search against one with half its simulations."""

    search: str
    score: float
    error: float | None
    games: int


@dataclass(frozen=True)
class Play:
    """How games go: luck, tension and length, shares of draws and of games without an end, the ladder of searches."""

    luck: Luck
    games: int
    drama: Mean
    comeback: Mean
    changes: Mean
    lengths: Mean
    draws: float
    ladder: tuple[Rung, ...]
    unresolved: float = 0.0


@dataclass(frozen=True)
class Dynamics:
    """How games go without the module and with it."""

    nobody: Play
    everybody: Play


# What it does to the game

SMALLEST = 1e-9  # what rounding may miss


def _sign(found: Interval) -> int:
    """On which side of 0 an interval lies; 0 if it holds it."""
    return int(found.low > SMALLEST) - int(found.high < -SMALLEST)


@dataclass(frozen=True)
class Figure:
    """A figure of how games go, with nobody and with everybody having the module.

    `before` and `after` are 95 % intervals of their own; `change` (after - before) holds together with those of all
    other figures. A change counts from `counts` on. `games` is the number of games or blocks behind it. `direct` are
    changes by the rule with the same strategies both times: with those found without it, and with those found with it
    (empty: the strategies are the same anyway, or values are exact). They hold together like `change`. `learned` is the
    part of the half width of `change` that the luck of learning makes: squares of it and of that of the games add up.
    """

    name: str
    before: Interval
    after: Interval
    change: Interval
    counts: float
    games: int
    direct: tuple[Interval, ...] = ()
    learned: float = 0.0

    @property
    def shown(self) -> bool:
        """Whether it is shown to change, by however little, and so with the same strategies, too.

        Strategies are found anew for every condition, and may differ by the luck of learning alone.
        """
        sign = _sign(self.change)
        return sign != 0 and (not self.direct or any(_sign(x) == sign for x in self.direct))

    @property
    def untouched(self) -> bool:
        """Whether with the same strategies it was the same in every game."""
        return bool(self.direct) and all(abs(x.low) < SMALLEST and abs(x.high) < SMALLEST for x in self.direct)

    @property
    def matters(self) -> bool:
        """Whether it is shown to change, and by as much as counts."""
        return self.shown and abs(self.change.value) >= self.counts

    @property
    def drifted(self) -> bool:
        """Whether it differs, but is not shown to with the same strategies."""
        return not self.shown and _sign(self.change) != 0

    @property
    def strays(self) -> bool:
        """Whether it differs by as much as counts, but is not shown to with the same strategies."""
        return self.drifted and abs(self.change.value) >= self.counts

    @property
    def within(self) -> bool:
        """Whether it is shown that it changes by less than counts."""
        return max(-self.change.low, self.change.high) < self.counts


@dataclass(frozen=True)
class Effect:
    """What the module does to the game when everybody has it: figures, and why others are left out, by name.

    `own`: the module's own decisions a game: its own questions, and actions after which the same is asked again; they
    do not count for the length.
    """

    figures: tuple[Figure, ...]
    left_out: dict[str, str] = field(default_factory=dict)
    own: float = 0.0

    def of(self, name: str) -> Figure | None:
        """The figure with a name, or None."""
        return next((figure for figure in self.figures if figure.name == name), None)

    @property
    def untouched(self) -> bool:
        """Whether with the same strategies no game was seen to go otherwise, in any figure."""
        return all(figure.untouched for figure in self.figures if figure.direct)

    def stays(self, figure: Figure) -> bool:
        """Whether it is shown that a figure changes by less than counts, or that the rule never touched it.

        Where the rule touches some games, players may adapt to it so that those are never played: what differs then by
        as much as counts is no luck of learning alone.
        """
        return figure.within or (figure.untouched and (self.untouched or not figure.strays))


# Who it is for


@dataclass(frozen=True)
class Level:
    """Players of a strength: how they play, what the module is worth among them, how often they use it.

    `player` and `using` are a strategy in words and how it uses the module; `worth` is None for a rule of the whole
    table, `rate` where its use was never offered or could not be counted.
    """

    name: str
    player: str
    using: str
    worth: Sample | None
    rate: float | None
    error: float | None


@dataclass(frozen=True)
class Oversight:
    """What the module is worth if it, or its use by others, is overlooked in some way; `rate` of use by its holder.

    `use` is a way of using it (see `guided.USES`), `overlook`: it is not seen with a `chance`, or `unseen`: those who
    play against its holder play as where nobody has it.
    """

    use: str
    worth: Sample
    rate: float | None
    error: float | None
    chance: float = 0.0


# Games that are shown


@dataclass(frozen=True)
class Line:
    """A decision of a game in words, with what followed; `step` counts the replay's steps; a comment, if any."""

    who: str
    what: str
    then: tuple[str, ...]
    step: int
    decisive: bool
    comment: str = ""


@dataclass(frozen=True)
class SampleGame:
    """One deal without and with the module, by the same players, with another winner; `found`: whether there is one.

    `side` has the module in the game with it ("" : everybody); `flips` of `deals` deals have another winner; `passive`:
    the moment is one at which the rule acts by itself; `gained`: a use that gained enough to measure; `reckoned`: the
    rule does nothing, but somebody decides otherwise. `moment` tells it, `parted` the decision from which on the games
    differ (None: from the start). `idle`: the module has actions, and nobody uses it in any of the `flips`. `alike`: in
    so many of them all is decided the same in both games but for the module's own questions and actions. `shifted`:
    with the module other dice are thrown, or more, after which all others fall otherwise; `pure`: all dice and
    decisions but its own are the same in the game that is shown. `german`: what decisions are called there, by their
    English words, where that goes by the position.
    """

    found: bool
    deals: int = 0
    flips: int = 0
    side: str = ""
    deal: int = 0
    players: dict[str, str] = field(default_factory=dict)
    margin: float = 0.0
    margin_without: float = 0.0
    passive: bool = False
    moment: str = ""
    parted: int | None = None
    lines: tuple[Line, ...] = ()
    lines_without: tuple[Line, ...] = ()
    replay: str = ""
    replay_without: str = ""
    gained: bool = True
    reckoned: bool = False
    idle: bool = False
    alike: int = 0
    shifted: bool = False
    pure: bool = False
    german: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Typical:
    """A game as it is played in a condition or by a level of players: the deal, the result of side A, its file."""

    name: str
    deal: int
    result: float
    replay: str


@dataclass(frozen=True)
class Shown:
    """A game that shows an exploit, with its decisive decision (entry `step` of `lines`); `why` there is none.

    `own`: that decision takes an action of the module, so that what it gains is gained by the module. `german`: what
    decisions are called there, by their English words, where that goes by the position.
    """

    found: bool
    why: str = ""
    deal: int = 0
    swing: float = 0.0
    action: str = ""
    instead: str = ""
    step: int = 0
    margin: float = 0.0
    margin_without: float = 0.0
    used: bool = False
    turned: bool = False
    own: bool = True
    lines: tuple[Line, ...] = ()
    replay: str = ""
    agents: dict[str, str] = field(default_factory=dict)
    german: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Exploit:
    """The best answers of a side to the strongest play that does not know the module: with it and `without` it."""

    side: str
    strategy: str
    target: dict[str, float]
    value: float
    without: float
    gain: Sample
    game: Shown


@dataclass(frozen=True)
class Verdict:
    """A verdict's word, its reasons, remarks that do not decide it, the level of the worth, the kind of use.

    `next` are the next steps that follow from the findings, in words. `deciding`: what would decide what is undecided.
    `basis`: what the word rests on, `exact`, `bounds`, `strategies` (those found), `nothing changed` (in random play),
    or "" where it claims nothing about what play is worth.
    """

    word: str
    why: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    level: str | None = None
    use: str | None = None
    next: tuple[str, ...] = ()
    deciding: Deciding | None = None
    basis: str = ""


@dataclass(frozen=True)
class HookNumber:
    """A number in a hook of a module, by its line in the file; `less`: it is subtracted.

    `also`: further lines of the hook that have the same number, as one side gets what another one pays.
    """

    module: str
    hook: str
    value: float
    line: int
    less: bool = False
    also: tuple[int, ...] = ()


@dataclass(frozen=True)
class Findings:
    """All that is known of a module: what was tested, and the result of every step that was finished.

    `unit` names the handicap, one and many, `payoff_unit` the unit of payoffs (may be empty). `whole_table`: the rule
    concerns all seats, nobody has it alone. `zero_sum`: payoffs add up to nothing, with it too. `ranges` are the
    numbers that the module takes as parameters and that its hooks do something by, lowest and highest by name, those
    first that its answers are made of, `numbers` those that stand in its hooks,
    and `hooks` the names of those in which an amount could be paid (`whole`: in whole numbers of the hook's own kind).
    `exploit` is None until it was looked for. `inert`: games of random play in which it changed nothing at all, 0 if it
    did in one. `idle`: games in which it changed nothing as long as nobody used it, `voluntary` the same if it cannot
    be a handicap by that, else 0. `dice`: it throws some. `unseen`: it remembers or throws something, and no
    observation tells of it. `paid`: what sides are paid more, where payoffs need not add up to nothing. `verdict` is
    what it does for its holder, `game_verdict` what it does to the game. `games` are played on the same deal, in every
    condition and by every level.
    `glossary` says what the names of strategies mean, where they have been given a meaning. `options` stand on top of
    the scenario, `also` are other modules that everybody has with their parameters, both None where that was not kept.
    `questions` are those of modules by their phases, `german` the German names of the actions, counters and questions
    that stand in the report. `seats` is how many the largest side has: what a side gains is the mean of its seats.
    """

    game: str
    module: str
    scenario: str
    params: dict[str, Any]
    budget: str
    seed: int
    sides: tuple[str, ...]
    unit: tuple[str, str]
    payoff_unit: str
    ruleset: str
    version: str
    command: str = ""
    notes: tuple[str, ...] = ()
    breakage: Breakage | None = None
    sizes: Sizes | None = None
    offered: bool | None = None
    inert: int = 0
    idle: int = 0
    voluntary: int = 0
    anchor: str | None = None
    learning: tuple[Course, ...] | None = None
    mixtures: dict[str, tuple[SideMixture, ...]] | None = None
    worth: Worth | None = None
    paid: Paid | None = None
    handicap: tuple[SideHandicap, ...] | None = None
    seat: SeatEffect | None = None
    use: Use | None = None
    dominance: Dominance | None = None
    dynamics: Dynamics | None = None
    exploit: tuple[Exploit, ...] | None = None
    complete: bool = False
    verdict: Verdict | None = None
    whole_table: bool = False
    zero_sum: bool = True
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    numbers: tuple[HookNumber, ...] = ()
    hooks: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    options: dict[str, Any] | None = None
    also: dict[str, Any] | None = None
    dice: bool = False
    unseen: bool = False
    counters: tuple[CounterLine, ...] | None = None
    levels: tuple[Level, ...] | None = None
    oversights: tuple[Oversight, ...] | None = None
    effect: Effect | None = None
    sample: SampleGame | None = None
    games: tuple[Typical, ...] = ()
    game_verdict: Verdict | None = None
    glossary: dict[str, str] = field(default_factory=dict)
    questions: dict[str, str] = field(default_factory=dict)
    seats: int = 1
    german: dict[str, str] = field(default_factory=dict)

    def asked(self, phase: str) -> str:
        """What somebody is asked in a phase, to go behind "asked": the question in words, or "for" its name."""
        return f"“{self.questions[phase]}”" if phase in self.questions else f"for {phase}"

    @property
    def digits(self) -> int:
        """Digits behind the point of what is won or lost: three where hundredths may count (see `FINE`)."""
        return 2 if self.worth is None or self.worth.deviation >= FINE else 3

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What is broken, as far as it was looked for."""
        return self.breakage.faults if self.breakage else ()

    def to_json(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and texts, without the steps that were not reached; 10 significant digits."""
        content = plain(dataclasses.asdict(self))
        return {name: value for name, value in content.items() if value is not None}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Findings:
        """The findings of which `to_json` made the content; raises KeyError, TypeError or ValueError else."""
        return record(cls, content)


__all__ = [
    "ActionGain", "ActionLine", "Breakage", "Choice", "CounterLine", "Course", "Deciding", "Dominance", "Dominant",
    "Dynamics", "Effect", "Exploit", "Fault", "Figure", "Findings", "HandicapRow", "HookNumber", "Interval", "Level",
    "Line", "Luck", "MatrixGame", "Mean", "Move", "Oversight", "Paid", "Place", "Play", "Reach", "Restricted", "Rung",
    "Sample", "SampleGame", "SeatEffect", "Shown", "SideHandicap", "SideMixture", "SideWorth", "Situation",
    "SituationGain", "Sizes", "Stake", "StrategyRow", "Typical", "Use", "UseWorth", "Verdict", "Ways", "Worth",
    "WorthBounds", "WorthRow",
]  # fmt: skip
