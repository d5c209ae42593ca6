"""A finished game analysed: the course of its value, what every decision lost, and luck told apart from decisions.

Two questions, two measures. *What was the position worth?* From each moment the rest is played many times by a baseline
in all seats; the mean payoff is the value. Where every moment can be solved, it is what the moment pays if nobody errs
from there on. It changes by chance (dice, cards: luck) and by decisions; both add up to the way from the value of the
start to the payoff, so that nothing is left over. Where several choose without seeing each other, each is told by what
it was worth while the others were still to choose; how the choices met is luck. In a solved game with something hidden
each is told by what it was worth to whoever knows what its seat knew; the rest of it is luck. *What did a decision
lose?* A search in the place of the seat, which knows no more than the seat did, values the actions, or exactly what
solves the rest of the game; lost is the difference between the one that it prefers and the one that was taken. From the
worst of them the game is played on once more, by searches in all seats with dice of their own: the best line.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist

import numpy as np

from ...agents.base import Agent, View
from ...agents.intervals import LEVEL, NORMAL, error_of
from ...agents.judge import SAME, Verdict, Worths
from ...agents.playouts import Playouts
from ...agents.registry import make_agent
from ...envs.core.errors import ProbespielError
from ...envs.core.replay import Choice, Die, loads
from .advice import Exactly, Found, analysed, as_played, engine_in, half_width, in_order
from .course import Course

FEWEST, MOST = 100, 2_000  # games played on from a moment
SHORTEST, LONGEST = 0.02, 1.0  # seconds of search for a decision
LINE = 12  # decisions of the best line
_TRIAL = 50


@dataclass(frozen=True)
class Valued:
    """An action that was possible: its value, half the width of its interval, how often a search would play it.

    Value and error are None where the search did not try it. An exact value has the error 0; then the share is that of
    play without error.
    """

    action: int
    value: float | None
    error: float | None
    share: float


@dataclass(frozen=True)
class Judged:
    """A decision in which there was a choice: the step, its seat, what was taken, and what a search prefers.

    `lost` is the difference of their values, never below 0, and `error` half the width of its 95 % interval; both are
    None where the search did not try what was taken. `options` are all actions, those that a search would play first.
    `doubt` is how many times its interval a loss must be to be sure (at least 1): of many decisions in which nothing
    was lost, some look by chance as if there were (see `doubt_of`).
    """

    number: int
    seat: int
    action: int
    best: int
    lost: float | None
    error: float | None
    options: tuple[Valued, ...] = ()
    doubt: float = 1.0

    @property
    def sure(self) -> bool:
        """Whether something was lost beyond doubt."""
        return self.lost is not None and self.error is not None and self.lost > self.doubt * self.error


@dataclass(frozen=True)
class Review:
    """An analysed game of s seats with m moments.

    `numbers` int64[m]: the steps after which the value was measured, from 0 (or the first that is solved) to the last
    after which all was forced; `values`, `errors` float64[m, s]: the mean payoff of each seat and half the width of its
    interval; `movers` int64[m]: whose decision led to a moment, -1 for chance (and the start). `alone`, `unsure`
    float64[m, s]: where it was taken while others chose, too, what the position was worth with this choice and none of
    theirs, and half the width of its interval, else nan; `since` int64[m]: the moment at which they all were still to
    choose (by its place). `games` were played on from each moment by `baseline`; none if the values are `exact`.
    `hidden`: then something was hidden, and a choice alone is worth what it was to whoever knew what its seat knew.
    `line`: how the game could have gone on from the decision that surely lost most, if one did, the first step being
    that decision.
    """

    numbers: np.ndarray
    values: np.ndarray
    errors: np.ndarray
    movers: np.ndarray
    games: int
    baseline: str
    judged: tuple[Judged, ...]
    line: tuple[Die | Choice, ...] = ()
    alone: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    unsure: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    since: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    exact: bool = False
    hidden: bool = False

    @property
    def worst(self) -> Judged | None:
        """The decision that surely lost most, with which the best line begins; None if none surely lost anything."""
        return max((one for one in self.judged if one.sure), key=lambda one: one.lost or 0.0, default=None)

    def moves(self, seat: int, mover: int) -> list[tuple[int, float, float]]:
        """What each move of `mover` (-1: chance) did to the value of a seat: moment by its place, change, interval.

        How choices met that did not see each other, or something hidden, is chance.
        """
        found = []
        for place in range(1, len(self.numbers)):
            if mover == self.movers[place] or (mover < 0 and self.met(place)):
                found.append((place, *self._spread(self._weights(place, mover), seat)))
        return found

    def met(self, place: int) -> bool:
        """Whether at a moment choices met that did not see each other, or one met what was hidden."""
        return place < len(self.alone) and not bool(np.isnan(self.alone[place, 0]))

    def share(self, seat: int, mover: int) -> tuple[float, float]:
        """What decisions of `mover` (-1: chance) did to the payoff of a seat, and half the width of the interval."""
        weights = np.zeros((2, len(self.numbers)))
        for place in range(1, len(self.numbers)):
            weights += self._weights(place, mover)
        return self._spread(weights, seat)

    def _weights(self, place: int, mover: int) -> np.ndarray:
        """By how much values (row 0) and those of choices alone (row 1) count for what `mover` did at a moment."""
        change, own = np.zeros((2, len(self.numbers))), np.zeros((2, len(self.numbers)))
        change[0, [place, place - 1]] = 1.0, -1.0
        if self.met(place):
            own[1, place], own[0, self.since[place]] = 1.0, -1.0
        else:
            own = change
        if self.movers[place] == mover:
            return own
        return change - own if mover < 0 and self.movers[place] >= 0 else np.zeros_like(change)

    def _spread(self, weights: np.ndarray, seat: int) -> tuple[float, float]:
        values, errors = [self.values[:, seat]], [self.errors[:, seat]]
        if len(self.alone):
            values.append(np.nan_to_num(self.alone[:, seat]))
            errors.append(np.nan_to_num(self.unsure[:, seat]))
        used = zip(weights, values, errors)  # where nothing met the second row is empty
        total, spread = 0.0, 0.0
        for weight, value, error in used:
            total += float(weight @ value)
            spread += float(((weight * error) ** 2).sum())
        return total, float(np.sqrt(spread))

    def turning_point(self, seat: int) -> int | None:
        """The moment to which the value of a seat moved farthest, by its place; None if it never moved."""
        moves = np.abs(np.diff(self.values[:, seat]))
        return int(moves.argmax()) + 1 if len(moves) and moves.max() > 0 else None

    def lost_by(self, seat: int) -> tuple[float, float, int]:
        """What a seat's decisions surely lost, half the width of the interval, and how many decisions that were.

        Losses within their intervals do not count: none is below 0, so that their errors would add up to a loss where
        all actions are worth the same.
        """
        sure = [(one.lost or 0.0, one.error or 0.0) for one in self.judged if one.seat == seat and one.sure]
        return sum(lost for lost, _ in sure), float(np.sqrt(sum(error**2 for _, error in sure))), len(sure)


def doubt_of(decisions: int) -> float:
    """How many times its 95 % interval a loss must be to be sure, if it is one of so many (at least one).

    Then a game in which nothing was lost shows a sure loss by chance in at most one case of twenty (Bonferroni).
    """
    return max(1.0, NormalDist().inv_cdf(1.0 - (1.0 - LEVEL) / 2 / decisions) / NORMAL)


def review(course: Course, seconds: float = 10.0, seed: int = 0) -> Review:
    """Analyse a finished game within about so many seconds (once everything is compiled).

    The course must be of a compiled game. Raises ProbespielError for a game that is not over, AgentError.
    """
    if not course.over:
        raise ProbespielError("the game is not over: only finished games are analysed")
    numbers = [n for n in range(len(course)) if course.to_decide(n)]
    moments, together = _moments(course, numbers), _together(course)
    verdicts, worths = _solved(course, numbers)
    if worths is not None:
        moments = [number for number in moments if number >= worths.first]
    places = _places(course, moments, set(numbers), together)
    think = float(np.clip(seconds / 2 / max(len(numbers), 1), SHORTEST, LONGEST))
    search = make_agent(f"{engine_in(course.game)}:seconds={think:g}")
    search.prepare(course.game)
    judged = tuple(
        replace(_judge(course, n, search, seed, verdicts.get(n)), doubt=doubt_of(len(numbers))) for n in numbers
    )
    if worths is None:
        measured = _played_on(course, moments, places, seconds / 2, seed)
    else:
        measured = _known(course, moments, places, judged, worths)
    found = Review(
        np.array(moments),
        measured.values,
        measured.errors,
        np.array([place.mover for place in places]),
        measured.games,
        measured.baseline,
        judged,
        alone=measured.alone,
        unsure=measured.unsure,
        since=np.array([place.since for place in places], np.int64),
        exact=worths is not None,
        hidden=worths is not None and worths.hidden,
    )
    worst = found.worst
    return found if worst is None else replace(found, line=_line(course, worst, search, seed))


@dataclass(frozen=True)
class _Place:
    """A moment: whose decision led to it (-1: chance), and where all were still to choose who chose at once.

    `first` is the step after which that was (None: it was no such decision), `since` that moment by its place.
    """

    mover: int
    first: int | None
    since: int


@dataclass(frozen=True)
class _Measured:
    """The numbers of a `Review` about its moments."""

    values: np.ndarray
    errors: np.ndarray
    alone: np.ndarray
    unsure: np.ndarray
    games: int = 0
    baseline: str = ""


def _places(course: Course, moments: Sequence[int], decided: set[int], together: dict[int, int]) -> list[_Place]:
    """What is to be known of each moment beside its value."""
    found = []
    for place, number in enumerate(moments):
        before = moments[place - 1] if place else -1
        step = course.step(number) if number else None
        chosen = isinstance(step, Choice) and number - 1 in decided and not has_dice(course, before, number)
        first = together.get(number) if chosen else None
        since = max((at for at, one in enumerate(moments) if first is not None and one <= first), default=0)
        found.append(_Place(step.seat if chosen and isinstance(step, Choice) else -1, first, since))
    return found


def _worth_at(course: Course, moments: Sequence[int], number: int) -> int:
    """The step by whose position a moment is valued: what came after the last one was forced, and changed nothing."""
    return len(course) if number == moments[-1] else number


def _played_on(
    course: Course, moments: Sequence[int], places: Sequence[_Place], seconds: float, seed: int
) -> _Measured:
    """The values of moments by games of a baseline, within about so many seconds; raises AgentError."""
    playouts = Playouts(course.game)
    games = _affordable(course, playouts, seconds / (len(moments) + sum(place.first is not None for place in places)))
    values, errors, alone, unsure = [], [], [], []
    for number, place in zip(moments, places, strict=True):
        worth = _worth_at(course, moments, number)
        payoffs = playouts.play(course.positions[worth], games, seed * 1_000_003 + number)
        values.append(payoffs.mean(axis=0))
        errors.append(NORMAL * errors_of(payoffs, course, worth))
        alone.append(np.full_like(values[-1], np.nan))
        unsure.append(alone[-1])
        step = course.step(number) if number else None
        if place.first is not None and isinstance(step, Choice):
            position = course.positions[place.first].clone()
            position.apply(step.seat, step.action)
            payoffs = playouts.play(position, games, seed * 1_000_003 + len(course) + number)
            alone[-1], unsure[-1] = payoffs.mean(axis=0), NORMAL * errors_of(payoffs, course, place.first)
    return _Measured(np.array(values), np.array(errors), np.array(alone), np.array(unsure), games, playouts.agent)


def _known(
    course: Course, moments: Sequence[int], places: list[_Place], judged: Sequence[Judged], worths: Worths
) -> _Measured:
    """The exact values of moments; where something is hidden, `places` get to know what every decision began with.

    Then a decision counts by what it surely lost: the rest is what nobody in its seat could know.
    """
    worth = worths.worth[[_worth_at(course, moments, number) for number in moments]]
    values = np.stack([worth, -worth], axis=1)
    alone, unsure = np.full_like(values, np.nan), np.full_like(values, np.nan)
    lost = {one.number: (one.lost or 0.0, one.error or 0.0) if one.sure else (0.0, 0.0) for one in judged}
    for at, (number, place) in enumerate(zip(moments, places, strict=True)):
        if place.mover < 0 or (place.first is None and not worths.hidden):
            continue
        if place.first is None:
            places[at] = replace(place, since=at - 1)
        value, unsure[at] = lost[number]
        alone[at] = values[places[at].since] + np.where(np.arange(2) == place.mover, -value, value)
    return _Measured(values, np.zeros_like(values), alone, unsure)


def _together(course: Course) -> dict[int, int]:
    """Steps by which somebody chose while others had chosen, unseen, before: where they all were still to choose.

    The first of them is told as it stands: then nobody else has chosen.
    """
    found, first, waiting = dict[int, int](), 0, set[int]()
    for number in range(1, len(course) + 1):
        step, due = course.step(number), set(course.positions[number - 1].to_act())
        if not isinstance(step, Choice):
            waiting = set()
            continue
        if due != waiting or not due:  # somebody new is asked, or somebody once more
            first = number - 1
        elif step.seat in due:
            found[number] = first
        waiting = due - {step.seat}
    return found


def _solved(course: Course, numbers: Sequence[int]) -> tuple[dict[int, Verdict], Worths | None]:
    """Exact verdicts on decisions, from the last one back to where too much is left of the game, and on all positions.

    There are those on positions only where all are known: values of two kinds would jump where one follows the other.
    """
    judge, found = Exactly(course.game), dict[int, Verdict]()
    for number in reversed(numbers):
        step = course.step(number + 1)
        verdict = (
            judge.of(View.of(course.positions[number], step.seat, 0, 0, number)) if isinstance(step, Choice) else None
        )
        if verdict is not None:
            found[number] = verdict
        elif judge.too_much:
            return found, None
    return found, judge.worths(course.positions, course.replay.steps)


def has_dice(course: Course, before: int, number: int) -> bool:
    """Whether anything fell by chance after a step and up to another one; what can fall one way alone is no chance."""
    steps = (course.step(n) for n in range(before + 1, number + 1))
    return any(isinstance(step, Die) and step.faces > 1 for step in steps)


def _moments(course: Course, numbers: Sequence[int]) -> list[int]:
    """The steps after which the value is measured: start, end, and before and after each decision.

    Where nothing fell by chance since the moment before, a decision begins with that one, and so does a forced end:
    what is forced changes no value.
    """
    found = [0]
    for number in sorted({len(course), *numbers, *(n + 1 for n in numbers)} - {0}):
        if number - 1 in numbers or has_dice(course, found[-1], number):
            found.append(number)
    return found


def errors_of(payoffs: np.ndarray, course: Course, number: int) -> np.ndarray:
    """Standard errors of the value of a moment for every seat, float64[seats]; 0 where the game was over."""
    if number == len(course):
        return np.zeros(payoffs.shape[1])
    bounds = course.game.spec.bounds_of_seats
    return np.array([error_of(paid, bounds[seat]) for seat, paid in enumerate(payoffs.T)])


def _affordable(course: Course, playouts: Playouts, seconds: float) -> int:
    """How many games can be played on from a moment, measured at the start, where they are longest."""
    playouts.play(course.positions[0], 1, 0)  # compiled by now
    began = time.perf_counter()
    playouts.play(course.positions[0], _TRIAL, 0)
    each = max(time.perf_counter() - began, 1e-6) / _TRIAL
    return int(np.clip(2 * seconds / each, FEWEST, MOST))


def _judge(course: Course, number: int, search: Agent, seed: int, exact: Verdict | None = None) -> Judged:
    """The decision at a number, as a search sees it in the place of the seat, or by its exact values."""
    step, position = course.step(number + 1), course.positions[number]
    assert isinstance(step, Choice)
    result = analysed(search, View.of(position, step.seat, seed, seed, number))
    legal = position.legal(step.seat)
    if exact is not None:
        return _judged_exactly(number, step, exact, in_order(exact, legal, result))
    legal = as_played(legal, result)
    ends = course.game.spec.bounds_of_seats[step.seat]
    options = tuple(
        Valued(a, float(result.values[a]), half_width(ends, result, a), float(result.strategy[a]))
        if result.visits[a] > 0
        else Valued(a, None, None, 0.0)
        for a in legal
    )
    best = next((one for one in options if one.value is not None), Valued(result.action, None, None, 0.0))
    taken = next(one for one in options if one.action == step.action)
    lost = error = None
    if taken.action == best.action:
        lost = error = 0.0
    elif taken.value is not None and best.value is not None:
        lost = max(best.value - taken.value, 0.0)
        error = float(np.hypot(best.error or 0.0, taken.error or 0.0))
        if lost > error:
            again = analysed(search, View.of(position, step.seat, seed + 1, seed + 1, number))
            error = _apart(lost, error, again, best.action, taken.action)
    return Judged(number + 1, step.seat, step.action, best.action, lost, error, options)


def _apart(lost: float, error: float, again: Found, best: int, taken: int) -> float:
    """The error of a loss after another search with a seed of its own: by so much the two may differ.

    Values rest on what a search learned of the replies of others and of its own later choices, of which no interval
    knows. What the other search did not try is not sure.
    """
    if not (again.visits[best] > 0 and again.visits[taken] > 0):
        return max(lost, error)
    return float(np.hypot(error, lost - float(again.values[best] - again.values[taken])))


def _judged_exactly(number: int, step: Choice, exact: Verdict, order: Sequence[int]) -> Judged:
    """The decision by what its actions are worth for certain; whoever takes one of the best has lost nothing."""
    values, shares = exact.values, exact.shares or {a: float(a == order[0]) for a in order}
    options = tuple(Valued(a, values[a], 0.0, shares[a]) for a in order)
    lost = max(values.values()) - values[step.action]
    if lost < SAME:
        return Judged(number + 1, step.seat, step.action, step.action, 0.0, 0.0, options)
    return Judged(number + 1, step.seat, step.action, order[0], lost, 0.0, options)


def _line(course: Course, worst: Judged, search: Agent, seed: int) -> tuple[Die | Choice, ...]:
    """How the game could have gone on from a decision: what a search prefers, then what searches in all seats do."""
    position = course.positions[worst.number - 1].clone()
    steps: list[Die | Choice] = [Choice(worst.seat, worst.best)]
    position.apply(worst.seat, worst.best)
    dice, chosen = np.random.default_rng(seed), 1
    while not position.over and chosen < LINE:
        if faces := position.die():
            thrown = Die(faces, int(dice.integers(faces)))
            steps.append(thrown)
            position.fall(thrown.fell)
            continue
        seat = position.to_act()[0]
        action = search.act(View.of(position, seat, seed, seed, worst.number + len(steps)))
        steps.append(Choice(seat, action))
        position.apply(seat, action)
        chosen += 1
    return tuple(steps)


def review_text(text: str, seconds: float = 10.0) -> Review:
    """`review` for the text of a replay that this program has read before, in a process that has yet to compile it.

    Modules that it names by their files run: they ran when it was read.
    """
    return review(Course(loads(text, trust=True)), seconds)


__all__ = ["Judged", "Review", "Valued", "review", "review_text"]
