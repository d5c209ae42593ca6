"""The analysis of a finished game in words and rows: the same for the terminal and the browser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..agents.judge import SAME
from ..envs.core.replay import STATUS, Die
from ..envs.core.texts import number_in
from .naming import agent_called
from .reasons import interval_within, worth_text
from .session.course import Course
from .session.review import Judged, Review

MOST_DICE = 5  # of one moment, in words
_TEXT: dict[str, tuple[str, str]] = {
    "method": (
        "From each of {m} moments the rest was played {n} times, all seats by this agent: {agent}. The mean payoff is "
        "what the position was worth between equals. What a decision lost is judged by a search that knows what the "
        "seat knew. ± is half the width of a 95 % interval. Beyond doubt is what chance alone shows in at most one "
        "game of twenty, and what a second search found, too.",
        "Von jedem von {m} Zeitpunkten an wurde der Rest {n}-mal gespielt, auf allen Plätzen so: {agent}. Die mittlere "
        "Auszahlung ist, was die Lage unter Gleichen wert war. Was eine Entscheidung verlor, beurteilt eine Suche, die "
        "weiß, was der Platz wusste. ± ist die halbe Breite eines 95-%-Intervalls. Zweifelsfrei ist, was der Zufall "
        "allein in höchstens einem Spiel von zwanzig zeigt, und was auch eine zweite Suche fand.",
    ),
    "solved": (
        "The game is solved: at each of {m} moments its value is what it pays if nobody errs from there on, whatever "
        "the players did later. What a decision lost is what the best action was worth more to somebody who knows what "
        "the seat knew.",
        "Das Spiel ist gelöst: Sein Wert ist zu jedem von {m} Zeitpunkten, was es auszahlt, wenn von da an niemand "
        "irrt, was auch immer danach geschah. Was eine Entscheidung verlor, ist, was die beste Aktion mehr wert war "
        "für jemanden, der weiß, was der Platz wusste.",
    ),
    "all_exact": ("All of it is exact.", "Alles davon ist genau."),
    "astray": (
        "Where an error led to what play without error never comes to, a search judged decisions (values with ±).",
        "Wo ein Irrtum zu Lagen führte, in die fehlerloses Spiel nie kommt, beurteilte eine Suche die Entscheidungen "
        "(Werte mit ±).",
    ),
    "unseen": (
        "A decision counts by what it lost; whatever else it brought about, through what its seat could not see, is "
        "luck.",
        "Eine Entscheidung zählt, was sie verlor; was sie sonst bewirkte, durch das, was ihr Platz nicht sehen konnte, "
        "ist Glück.",
    ),
    "sight": ("how the choice met what was hidden", "wie die Wahl auf Verborgenes traf"),
    "exact": (
        "Values without ± are exact, those of {exact} of {n} decisions: what was left of the game is solved, and "
        "nobody errs from there on.",
        "Werte ohne ± sind genau, die von {exact} von {n} Entscheidungen: was vom Spiel noch kam, ist gelöst, und "
        "niemand irrt mehr.",
    ),
    "inexact": (
        "No decision has an exact value here: what could follow is not solved, it was searched.",
        "Keine Entscheidung hat hier einen genauen Wert: was folgen konnte, ist nicht gelöst, es wurde durchsucht.",
    ),
    "met": (
        "Where several choose without seeing each other, a decision counts by what it was worth before the others had "
        "chosen; how the choices met is luck.",
        "Wo mehrere wählen, ohne einander zu sehen, zählt eine Entscheidung, was sie wert war, ehe die anderen gewählt "
        "hatten; wie die Wahlen zusammentrafen, ist Glück.",
    ),
    "meeting": ("how the choices met", "wie die Wahlen zusammentrafen"),
    "chance": ("chance (luck)", "Zufall (Glück)"),
    "decisions": ("decisions of {seat} (skill)", "Entscheidungen: {seat} (Können)"),
    "way": (
        "For {seat}: worth {start} at the start, {end} at the end. The difference comes from:",
        "{seat}: wert {start} am Anfang, {end} am Ende. Der Unterschied kommt von:",
    ),
    "dealt": (
        "For {seat}: worth {start} after step {number}, before anybody chose, {end} at the end. The difference comes "
        "from:",
        "{seat}: wert {start} nach Schritt {number}, ehe jemand wählte, {end} am Ende. Der Unterschied kommt von:",
    ),
    "even_exact": ("Chance and decisions made no difference.", "Zufall und Entscheidungen machten keinen Unterschied."),
    "turned": (
        "Turning point: step {number}, {title} ({before} → {after})",
        "Wendepunkt: Schritt {number}, {title} ({before} → {after})",
    ),
    "luck": ("what chance brought", "was der Zufall brachte"),
    "still": ("The value never moved.", "Der Wert hat sich nie bewegt."),
    "lost": (
        "{seat} lost {lost} beyond doubt, by {sure} of {n} decisions with a choice",
        "{seat}: {lost} zweifelsfrei verloren, durch {sure} von {n} Entscheidungen mit einer Wahl",
    ),
    "lost_once": (
        "{seat} lost {lost} beyond doubt, by its 1 decision with a choice",
        "{seat}: {lost} zweifelsfrei verloren, durch die 1 Entscheidung mit einer Wahl",
    ),
    "lost_none": (
        "{seat} lost nothing beyond doubt, by {n} decisions with a choice",
        "{seat}: nichts zweifelsfrei verloren, durch {n} Entscheidungen mit einer Wahl",
    ),
    "lost_none_once": (
        "{seat} lost nothing beyond doubt, by 1 decision with a choice",
        "{seat}: nichts zweifelsfrei verloren, durch 1 Entscheidung mit einer Wahl",
    ),
    "values": ("Value for {seat}", "Wert: {seat}"),
    "cost": (
        "{seat}: the costliest decision was step {number}, \u201c{taken}\u201d: \u201c{better}\u201d was worth {lost} "
        "more.",
        "{seat}: die teuerste Entscheidung war Schritt {number}, „{taken}“: „{better}“ war {lost} mehr wert.",
    ),
    "sound": (
        "{seat}: no decision lost anything beyond doubt.",
        "{seat}: keine Entscheidung verlor zweifelsfrei etwas.",
    ),
    "moved": (
        "What moved the value most in all: {part}, {value}.",
        "Am meisten bewegte den Wert im Ganzen: {part}, {value}.",
    ),
    "even": (
        "Chance and decisions made no difference beyond their errors.",
        "Zufall und Entscheidungen machten keinen Unterschied, der größer als seine Fehler wäre.",
    ),
    "start": ("the start", "der Anfang"),
    "unknown": ("not tried by the search", "von der Suche nicht versucht"),
    "best": ("the same", "dasselbe"),
    "untried": ("not tried", "nicht versucht"),
    "chances": (
        "What chance did (step; change of the value for {seat}; what fell)",
        "Was der Zufall tat (Schritt; Änderung des Werts, Platz {seat}; was fiel)",
    ),
    "line": (
        "Best line from step {number}, by searches in all seats with chance of their own",
        "Bester Weg ab Schritt {number}, von Suchen auf allen Plätzen mit eigenem Zufall",
    ),
    "decided": (
        "Every decision (value of each action, share with which a search, or play without error, takes it; * is taken)",
        "Jede Entscheidung (Wert jeder Aktion, Anteil, mit dem eine Suche oder fehlerloses Spiel sie wählt; * wurde "
        "gewählt)",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Point:
    """The value at a moment: step, title, value, its interval, whether chance led to it, the value in words."""

    number: int
    title: str
    value: float
    low: float
    high: float
    chance: bool
    text: str


@dataclass(frozen=True)
class Loss:
    """A decision: step, seat, what was taken, what a search prefers, and what that lost, as a text and as a number."""

    number: int
    seat: str
    taken: str
    better: str
    text: str
    lost: float
    sure: bool


@dataclass(frozen=True)
class Decision:
    """A decision: step, seat, and of every action its words, value in words, share, and whether it was taken."""

    number: int
    seat: str
    options: tuple[tuple[str, str, float, bool], ...]


@dataclass(frozen=True)
class Told:
    """An analysis for the reader of one seat, in a language."""

    lang: str
    seat: str
    method: str
    verdict: str
    way: str
    parts: tuple[tuple[str, str], ...]
    turned: str
    turning: int | None
    heading: str
    points: tuple[Point, ...]
    totals: tuple[str, ...]
    losses: tuple[Loss, ...]
    decided: str
    decisions: tuple[Decision, ...]
    chanced: str
    chances: tuple[tuple[int, str, str], ...]  # the step, what fell, and what that did to the value
    lined: str
    line: tuple[str, ...]  # the best line, a step each; empty if nothing was surely lost


def say(lang: str, key: str, /, **values: object) -> str:
    """A text of this file in a language."""
    return _TEXT[key][lang == "de"].format(**values)


def told_of(course: Course, review: Review, seat: int, lang: str) -> Told:
    """The analysis in words, the value being that of a seat."""
    names = [info.called(lang) for info in course.game.seats]
    values, errors, ends = review.values[:, seat], review.errors[:, seat], course.game.spec.bounds_of_seats[seat]
    points = tuple(
        Point(
            int(number),
            _title(course, int(number), chance=bool(review.movers[place] < 0), lang=lang),
            float(values[place]),
            *interval_within(float(values[place]), float(errors[place]), ends),
            bool(review.movers[place] < 0),
            worth_text(float(values[place]), float(errors[place]), ends, 2, lang),
        )
        for place, number in enumerate(review.numbers)
    )
    turning = review.turning_point(seat)
    turned = say(lang, "still")
    if turning is not None:
        point, before = points[turning], points[turning - 1]
        turned = say(
            lang,
            "turned",
            number=point.number,
            title=point.title,
            before=_signed(before.value, lang),
            after=_signed(point.value, lang),
        )
    parts = [(say(lang, "chance"), _spread(*review.share(seat, -1), lang, exact=review.exact))]
    parts += [
        (say(lang, "decisions", seat=name), _spread(*review.share(seat, mover), lang, exact=review.exact))
        for mover, name in enumerate(names)
    ]
    counts = [sum(one.seat == mover for one in review.judged) for mover in range(len(names))]
    totals = tuple(
        _total(name, *review.lost_by(mover), counts[mover], lang) for mover, name in enumerate(names) if counts[mover]
    )
    return Told(
        lang=lang,
        seat=names[seat],
        method=_method(course, review, lang),
        verdict=_verdict(course, review, seat, names, lang),
        way=say(
            lang,
            "dealt" if review.numbers[0] else "way",
            seat=names[seat],
            number=int(review.numbers[0]),
            start=_signed(values[0], lang),
            end=_signed(values[-1], lang),
        ),
        parts=tuple(parts),
        turned=turned,
        turning=None if turning is None else points[turning].number,
        heading=say(lang, "values", seat=names[seat]),
        points=points,
        totals=totals,
        losses=tuple(_loss(course, one, names[one.seat], lang) for one in review.judged),
        decided=say(lang, "decided"),
        decisions=tuple(_decision(course, one, names[one.seat], lang) for one in review.judged),
        chanced=say(lang, "chances", seat=names[seat]),
        chances=tuple(
            (
                int(review.numbers[place]),
                say(lang, "sight" if review.hidden else "meeting")
                if review.met(place)
                else _fallen(course, int(review.numbers[place - 1]), int(review.numbers[place]), lang),
                _spread(change, error, lang, exact=review.exact),
            )
            for place, change, error in review.moves(seat, -1)
        ),
        lined="" if review.worst is None else say(lang, "line", number=review.worst.number),
        line=_line(course, review, lang),
    )


def _method(course: Course, review: Review, lang: str) -> str:
    """What an analysis rests on; of exact values and of choices that met, where there are any."""
    if review.exact:
        astray = any(option.error != 0.0 for one in review.judged for option in one.options)
        told = [say(lang, "solved", m=len(review.numbers)), say(lang, "astray" if astray else "all_exact")]
        if review.hidden:
            return " ".join([*told, say(lang, "unseen")])
        return " ".join([*told, say(lang, "met")] if _choices_met(review) else told)
    told = [
        say(
            lang,
            "method",
            m=len(review.numbers),
            n=review.games,
            agent=agent_called(review.baseline, course.game.name, lang),
        )
    ]
    solved = sum(any(option.error == 0.0 for option in one.options) for one in review.judged)
    if solved:
        told.append(say(lang, "exact", exact=solved, n=len(review.judged)))
    elif review.judged:
        told.append(say(lang, "inexact"))
    if _choices_met(review):
        told.append(say(lang, "met"))
    return " ".join(told)


def _choices_met(review: Review) -> bool:
    return any(review.met(place) for place in range(len(review.numbers)))


def _verdict(course: Course, review: Review, seat: int, names: Sequence[str], lang: str) -> str:
    """Where the game was lost: the seat's costliest decision, and who or what moved the value most."""
    own = [one for one in review.judged if one.seat == seat and one.sure]
    if own:
        worst = max(own, key=lambda one: one.lost or 0.0)
        loss = _loss(course, worst, names[seat], lang)
        cost = say(
            lang, "cost", seat=names[seat], number=loss.number, taken=loss.taken, better=loss.better, lost=loss.text
        )
    else:
        cost = say(lang, "sound", seat=names[seat])
    shares = {mover: review.share(seat, mover) for mover in range(-1, len(names))}
    clear = [mover for mover, (value, error) in shares.items() if abs(value) > max(error, SAME)]
    if not clear:
        return f"{cost} {say(lang, 'even_exact' if review.exact else 'even')}"
    mover = max(clear, key=lambda one: abs(shares[one][0]))
    part = say(lang, "chance") if mover < 0 else say(lang, "decisions", seat=names[mover])
    return f"{cost} {say(lang, 'moved', part=part, value=_spread(*shares[mover], lang, exact=review.exact))}"


def _decision(course: Course, one: Judged, seat: str, lang: str) -> Decision:
    return Decision(
        one.number,
        seat,
        tuple(
            (
                course.words(one.number, x.action, lang),
                say(lang, "untried")
                if x.value is None
                else worth_text(x.value, x.error or 0.0, course.game.spec.bounds_of_seats[one.seat], 2, lang),
                x.share,
                x.action == one.action,
            )
            for x in one.options
        ),
    )


def _total(name: str, lost: float, error: float, sure: int, decisions: int, lang: str) -> str:
    """What a seat surely lost in all, by how many of its decisions."""
    key = f"lost{'' if sure else '_none'}{'_once' if decisions == 1 else ''}"
    return say(
        lang, key, seat=name, lost=_spread(lost, error, lang, sign=False, exact=error == 0.0), sure=sure, n=decisions
    )


def _fallen(course: Course, before: int, number: int, lang: str) -> str:
    """The dice between two moments in words; of many the last ones."""
    fallen = [course.title(n, None, lang) for n in range(before + 1, number + 1) if isinstance(course.step(n), Die)]
    told = [text for text in fallen if text]
    return "; ".join(["…"] * (len(told) > MOST_DICE) + told[-MOST_DICE:]) or say(lang, "luck")


def _line(course: Course, review: Review, lang: str) -> tuple[str, ...]:
    if review.worst is None:
        return ()
    first = review.worst.number
    steps = (*course.replay.steps[: first - 1], *review.line)
    other = Course(replace(course.replay, steps=steps, status=STATUS[0], payoffs=()))
    return tuple(text for n in range(first, len(steps) + 1) if (text := other.title(n, None, lang)))


def _title(course: Course, number: int, *, chance: bool, lang: str) -> str:
    if number == 0:
        return say(lang, "start")
    return say(lang, "luck") if chance else course.title(number, None, lang)


def _loss(course: Course, one: Judged, seat: str, lang: str) -> Loss:
    better = say(lang, "best") if one.best == one.action else course.words(one.number, one.best, lang)
    known = one.lost is not None and one.error is not None
    exact = any(option.error == 0.0 for option in one.options)
    text = _spread(one.lost or 0.0, one.error or 0.0, lang, sign=False, exact=exact) if known else say(lang, "unknown")
    return Loss(one.number, seat, course.words(one.number, one.action, lang), better, text, one.lost or 0.0, one.sure)


def _signed(value: float, lang: str) -> str:
    return _spread(value, 0.0, lang, exact=True)


def _spread(value: float, error: float, lang: str, sign: bool = True, exact: bool = False) -> str:
    told = f"{round(value, 2) + 0.0:{'+' if sign else ''}.2f}"
    return number_in(told if exact and error == 0.0 else f"{told} ± {error:.2f}", lang)


__all__ = ["Decision", "Loss", "Point", "Told", "say", "told_of"]
