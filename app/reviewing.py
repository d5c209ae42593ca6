"""The analysis of a finished game in words and rows: the same for the terminal and the browser."""

from __future__ import annotations

from dataclasses import dataclass

from .session.course import Course
from .session.review import Judged, Review

_TEXT: dict[str, tuple[str, str]] = {
    "method": (
        "From each of {m} moments the rest was played {n} times by {agent} in all seats: the mean payoff is what the "
        "position was worth between equals. What a decision lost is judged by a search that knows what the seat knew. "
        "± is half the width of a 95 % interval.",
        "Von jedem von {m} Zeitpunkten an wurde der Rest {n}-mal von {agent} auf allen Plätzen gespielt: die mittlere "
        "Auszahlung ist, was die Lage unter Gleichen wert war. Was eine Entscheidung verlor, beurteilt eine Suche, die "
        "weiß, was der Platz wusste. ± ist die halbe Breite eines 95-%-Intervalls.",
    ),
    "chance": ("chance (luck)", "Zufall (Glück)"),
    "decisions": ("decisions of {seat} (skill)", "Entscheidungen von {seat} (Können)"),
    "way": (
        "For {seat}: worth {start} at the start, {end} at the end. The difference comes from:",
        "Für {seat}: wert {start} am Anfang, {end} am Ende. Der Unterschied kommt von:",
    ),
    "turned": (
        "Turning point: step {number}, {title} ({before} → {after})",
        "Wendepunkt: Schritt {number}, {title} ({before} → {after})",
    ),
    "luck": ("what chance brought", "was der Zufall brachte"),
    "still": ("The value never moved.", "Der Wert hat sich nie bewegt."),
    "lost": (
        "{seat} lost {lost} by {n} decisions with a choice",
        "{seat} verlor {lost} durch {n} Entscheidungen mit einer Wahl",
    ),
    "values": ("Value for {seat}", "Wert für {seat}"),
    "start": ("the start", "der Anfang"),
    "unknown": ("not tried by the search", "von der Suche nicht versucht"),
    "best": ("the same", "dasselbe"),
}  # fmt: skip


@dataclass(frozen=True)
class Point:
    """The value at a moment: step, title, value, half the width of its interval, and whether chance led to it."""

    number: int
    title: str
    value: float
    error: float
    chance: bool


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
class Told:
    """An analysis for the reader of one seat."""

    seat: str
    method: str
    way: str
    parts: tuple[tuple[str, str], ...]
    turned: str
    turning: int | None
    heading: str
    points: tuple[Point, ...]
    totals: tuple[str, ...]
    losses: tuple[Loss, ...]


def say(lang: str, key: str, /, **values: object) -> str:
    """A text of this file in a language."""
    return _TEXT[key][lang == "de"].format(**values)


def told_of(course: Course, review: Review, seat: int, lang: str) -> Told:
    """The analysis in words, the value being that of a seat."""
    names = [info.name for info in course.game.seats]
    values, errors = review.values[:, seat], review.errors[:, seat]
    points = tuple(
        Point(
            int(number),
            _title(course, int(number), chance=review.movers[place] < 0, lang=lang),
            float(values[place]),
            float(errors[place]),
            bool(review.movers[place] < 0),
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
            before=f"{before.value:+.2f}",
            after=f"{point.value:+.2f}",
        )
    parts = [(say(lang, "chance"), _spread(*review.share(seat, -1)))]
    parts += [
        (say(lang, "decisions", seat=name), _spread(*review.share(seat, mover))) for mover, name in enumerate(names)
    ]
    counts = [sum(one.seat == mover for one in review.judged) for mover in range(len(names))]
    totals = tuple(
        say(lang, "lost", seat=name, lost=_spread(*review.lost_by(mover), sign=False), n=counts[mover])
        for mover, name in enumerate(names)
        if counts[mover]
    )
    return Told(
        seat=names[seat],
        method=say(lang, "method", m=len(points), n=review.games, agent=review.baseline),
        way=say(lang, "way", seat=names[seat], start=f"{values[0]:+.2f}", end=f"{values[-1]:+.2f}"),
        parts=tuple(parts),
        turned=turned,
        turning=None if turning is None else points[turning].number,
        heading=say(lang, "values", seat=names[seat]),
        points=points,
        totals=totals,
        losses=tuple(_loss(course, one, names[one.seat], lang) for one in review.judged),
    )


def _title(course: Course, number: int, *, chance: bool, lang: str) -> str:
    if number == 0:
        return say(lang, "start")
    return say(lang, "luck") if chance else course.title(number, None, lang)


def _loss(course: Course, one: Judged, seat: str, lang: str) -> Loss:
    better = say(lang, "best") if one.best == one.action else course.words(one.number, one.best, lang)
    known = one.lost is not None and one.error is not None
    text = _spread(one.lost or 0.0, one.error or 0.0, sign=False) if known else say(lang, "unknown")
    return Loss(one.number, seat, course.words(one.number, one.action, lang), better, text, one.lost or 0.0, one.sure)


def _spread(value: float, error: float, sign: bool = True) -> str:
    return f"{value:{'+' if sign else ''}.2f} ± {error:.2f}"


__all__ = ["Loss", "Point", "Told", "say", "told_of"]
