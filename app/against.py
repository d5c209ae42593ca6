"""Two tournaments of a game side by side: what changed from the older to the newer one, and is it more than chance?

Differences of ratings and of pairs have intervals from those of both tournaments, which are taken as independent
(`stress/compare.py`), and all of them hold at once. Ratings are compared where the same strategies took part, since
they tell of the whole field. Who comes first, and what is dominated, changed beyond chance if each tournament shows
its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..envs.core.errors import ProbespielError
from ..evaluation.report.pages import render_page
from ..evaluation.report.phrases import Phrasebook
from ..evaluation.report.records import check_version, content_of, format_of
from ..evaluation.report.wording import clean_name, listing, payoff_digits, signed
from ..evaluation.stress.compare import LEVEL, Change, difference
from ..evaluation.stress.findings import Interval
from ..evaluation.tournament.report import NAME, VERSION, RunInfo, read_summary, replay_command
from ..evaluation.tournament.summary import Summary
from ..evaluation.tournament.texts import words
from .results import refused

MOST_PAIRS = 5  # that are told in sentences
_STATES = {True: "dominated", False: "no", None: "not shown"}


@dataclass(frozen=True)
class Row:
    """A rating (`other` is empty) or a pair: before, now, and the difference, None where it is not compared."""

    name: str
    other: str
    before: Interval | None
    now: Interval | None
    change: Change | None


@dataclass(frozen=True)
class Standing:
    """Whether a strategy is dominated (None: not shown) and its weight in the equilibrium, before and now.

    `weight_beyond`: whether the bounds of both weights have nothing in common.
    """

    name: str
    dominated: tuple[bool | None, bool | None]
    weights: tuple[float, float]
    weight_beyond: bool


@dataclass(frozen=True)
class Side:
    """A tournament: how it is called here, who came first, games, seed, rule set, command.

    `shown` are games of two strategies: both names, and the command that plays one again in the tournament's folder.
    """

    name: str
    best: str
    games: int
    seed: int
    ruleset: str
    command: str
    shown: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True)
class Told:
    """A sentence, the anchors of the page on which it rests, and the strategies that it speaks of."""

    text: str
    anchors: tuple[str, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Against:
    """Two tournaments side by side, the older one first; `compared`: how many differences hold at once."""

    game: str
    unit: str
    digits: int
    before: Side
    now: Side
    ratings: tuple[Row, ...]
    pairs: tuple[Row, ...]
    standings: tuple[Standing, ...]
    compared: int
    told: tuple[Told, ...]
    notes: tuple[str, ...]


def compared(old: Path, new: Path) -> Against:
    """The comparison of two files `summary.json`. Raises ProbespielError for what is none, or of another game."""
    found = [_read(path) for path in (old, new)]
    (first, first_info), (second, second_info) = found
    if first_info.game != second_info.game:
        raise ProbespielError(
            f"{new} is of {second_info.game}, {old} of {first_info.game}: tournaments are compared in one game"
        )
    names = [path.parent.name or path.stem for path in (old, new)]
    if names[0] == names[1]:
        names = [str(path) for path in (old, new)]
    sides = [
        Side(name, summary.best.name, summary.games, summary.seed, info.ruleset_hash, info.command,
             tuple((summary.names[e.first], summary.names[e.second], replay_command(".", e.game, info))
                   for e in info.examples))
        for name, (summary, info) in zip(names, found, strict=True)
    ]  # fmt: skip
    with refused(new):
        return _against(sides, first, second, first_info, second_info)


def _read(path: Path) -> tuple[Summary, RunInfo]:
    content = content_of(path)
    name, version = format_of(path, content)
    if name != NAME:
        raise ProbespielError(f"{path} is no tournament ({name}): --against holds two tournaments side by side")
    check_version(path, name, version, VERSION)
    with refused(path):
        return read_summary(content)


def _against(sides: list[Side], old: Summary, new: Summary, old_info: RunInfo, new_info: RunInfo) -> Against:
    same_unit = old_info.payoff_unit == new_info.payoff_unit and old.lone == new.lone
    same_field = set(old.names) == set(new.names)
    both = [name for name in new.names if name in old.names]
    known: list[tuple[str, str, Interval | None, Interval | None, bool]] = []
    for name in [row.name for row in new.leaderboard if row.name in both]:
        known.append((name, "", _rating(old, name), _rating(new, name), same_field and same_unit))
    for i, name in enumerate(both):
        known += [(name, other, _pair(old, name, other), _pair(new, name, other), same_unit) for other in both[i + 1 :]]
    count = sum(a is not None and b is not None and fair for _, _, a, b, fair in known)
    rows = [
        Row(name, other, a, b, difference(a, b, max(count, 1)) if a is not None and b is not None and fair else None)
        for name, other, a, b, fair in known
    ]
    ratings = tuple(row for row in rows if not row.other)
    pairs = tuple(row for row in rows if row.other)
    standings = tuple(_standings(old, new, both))
    digits = max(payoff_digits(old), payoff_digits(new))
    told = [*_of_best(old, new), *_of_rows(ratings, pairs, digits), *_of_standings(standings)]
    notes = list(_notes(old, new, old_info, new_info))
    return Against(
        new_info.game, new_info.payoff_unit, digits, sides[0], sides[1], ratings, pairs, standings, count,
        tuple(told), tuple(notes),
    )  # fmt: skip


def _rating(summary: Summary, name: str) -> Interval | None:
    row = summary.row(name)
    found = row.rating_interval
    return None if found is None else Interval(row.rating, found.low, found.high)


def _pair(summary: Summary, name: str, other: str) -> Interval | None:
    i, j = summary.names.index(name), summary.names.index(other)
    value = summary.matrix[i][j]
    low = summary.matrix_low[i][j] if summary.matrix_low else None
    high = summary.matrix_high[i][j] if summary.matrix_high else None
    return None if value is None or low is None or high is None else Interval(value, low, high)


def _standings(old: Summary, new: Summary, both: list[str]) -> Iterator[Standing]:
    """Dominance and weights of the strategies of both, as far as both have an equilibrium."""
    first, second = old.metagame, new.metagame
    if first is None or second is None:
        return
    for name in both:
        i, j = old.names.index(name), new.names.index(name)
        apart = False
        if first.nash_low and first.nash_high and second.nash_low and second.nash_high:
            apart = first.nash_low[i] > second.nash_high[j] or first.nash_high[i] < second.nash_low[j]
        yield Standing(
            name,
            (first.verdicts[i].dominated, second.verdicts[j].dominated),
            (first.nash[i], second.nash[j]),
            apart and set(old.names) == set(new.names),
        )


def _of_best(old: Summary, new: Summary) -> Iterator[Told]:
    """Who came first, and who does now."""
    before, now = old.best.name, new.best.name
    if before == now:
        yield Told(f"{clean_name(now)} came first before and comes first now.", ("ratings",), (now,))
        return
    told = f"{clean_name(before)} came first before, {clean_name(now)} comes first now."
    if now not in old.names:
        told += f" {clean_name(now)} did not take part before."
    elif before not in new.names:
        told += f" {clean_name(before)} does not take part any more."
    elif _sure(old, now) and _sure(new, before):
        told += " That is more than chance: each is shown to be better than the other one in its tournament."
    else:
        told += " That may be chance: in one of the tournaments the two cannot be told apart."
    yield Told(told, ("ratings",), (before, now))


def _sure(summary: Summary, other: str) -> bool:
    """Whether another strategy is shown to be worse than the first one."""
    shown = summary.best.rank_interval is not None and summary.row(other).rank != 1
    return shown and summary.names.index(other) not in summary.tied_with_best


def _of_rows(ratings: tuple[Row, ...], pairs: tuple[Row, ...], digits: int) -> Iterator[Told]:
    """What changed beyond chance: all ratings, and the pairs that changed most."""
    rows = [(f"rating-{k}", row) for k, row in enumerate(ratings)] + [(f"pair-{k}", r) for k, r in enumerate(pairs)]
    known = [(anchor, row) for anchor, row in rows if row.change is not None]
    if not known:
        yield Told("There is nothing that both tournaments have measured.", ("run",))
        return
    beyond = [(anchor, row) for anchor, row in known if row.change is not None and row.change.beyond]
    if not beyond:
        yield Told("No rating and no pair changed beyond chance.", ("ratings", "pairs"))
    told = sorted(
        (found for found in beyond if found[1].other),
        key=lambda found: -abs(found[1].change.value) if found[1].change is not None else 0.0,
    )
    for anchor, row in [*(found for found in beyond if not found[1].other), *told[:MOST_PAIRS]]:
        yield Told(_changed(row, digits), (anchor,), (row.name, row.other) if row.other else (row.name,))
    if len(told) > MOST_PAIRS:
        yield Told(f"{len(told) - MOST_PAIRS} more pairs changed beyond chance; the table has them all.", ("pairs",))


def _changed(row: Row, digits: int) -> str:
    a, b, change = row.before, row.now, row.change
    assert a is not None and b is not None and change is not None
    who = (
        f"{clean_name(row.name)} against {clean_name(row.other)}" if row.other else f"rating of {clean_name(row.name)}"
    )
    ends = f"{signed(change.low, digits)} to {signed(change.high, digits)}"
    values = f"{signed(a.value, digits)} → {signed(b.value, digits)}"
    return f"Changed beyond chance: {who} {values} ({signed(change.value, digits)}; {ends})."


def _of_standings(standings: tuple[Standing, ...]) -> Iterator[Told]:
    """What is dominated now and was not, or the other way round, and weights that moved."""
    if standings and all(row.dominated[0] is row.dominated[1] for row in standings):
        yield Told("No verdict on dominance has changed.", ("dominance",))
    for k, row in enumerate(standings):
        name, text = clean_name(row.name), ""
        if row.dominated == (True, False):
            text = (
                f"It was shown before that {name} is dominated; now it is shown that nothing dominates it. "
                "That is more than chance."
            )
        elif row.dominated == (False, True):
            text = (
                f"It was shown before that nothing dominates {name}; now it is shown to be dominated. "
                "That is more than chance."
            )
        elif row.dominated == (None, True):
            text = f"{name} is shown to be dominated now; before, that was not shown. It may have been so all along."
        elif row.dominated == (True, None):
            text = f"{name} was shown to be dominated before; now that is not shown. It may still be so."
        if text:
            yield Told(text, (f"standing-{k}",), (row.name,))
    for k, row in enumerate(standings):
        if row.weight_beyond:
            a, b = row.weights
            text = (
                f"The weight of {clean_name(row.name)} in the equilibrium changed beyond chance: {a * 100:.0f}% → "
                f"{b * 100:.0f}%."
            )
            yield Told(text, (f"standing-{k}",), (row.name,))


def _games(found: Against, told: Told) -> list[str]:
    """Anchors of a game of each tournament that shows a sentence: of all its strategies, else of one of them."""
    out: list[str] = []
    for when, side in (("before", found.before), ("now", found.now)):
        both = [set(told.names) & {first, second} for first, second, _ in side.shown]
        most = max(map(len, both), default=0)
        if both and (most or not told.names):
            out.append(f"game-of-{when}-{[len(one) for one in both].index(most)}")
    return out


def _notes(old: Summary, new: Summary, old_info: RunInfo, new_info: RunInfo) -> Iterator[str]:
    """What stands in the way of comparing."""
    alone = [clean_name(name) for name in dict.fromkeys((*old.names, *new.names)) if (name in old.names) !=
             (name in new.names)]  # fmt: skip
    if alone:
        yield f"Only one of them has: {listing(alone, 12)}."
        yield "The fields differ, so that ratings tell of other opponents: they are shown, but only pairs are compared."
    if old_info.scenario != new_info.scenario:
        yield f"The scenarios differ ({clean_name(old_info.scenario)} before, {clean_name(new_info.scenario)} now)."
    if old_info.ruleset_hash != new_info.ruleset_hash:
        a, b = (clean_name(info.ruleset_hash, 12) for info in (old_info, new_info))
        yield f"The rules differ (rule set {a} before, {b} now): what changed may come from that."
    if old_info.payoff_unit != new_info.payoff_unit:
        a, b = (clean_name(info.payoff_unit) or "none" for info in (old_info, new_info))
        yield f"The units of payoffs differ ({a} before, {b} now): numbers cannot be compared."
    if old.lone != new.lone:
        yield "One of them counts whole differences of payoffs, the other one half of them: numbers cannot be compared."
    if old.seed == new.seed:
        yield "Both have the same seed, and so the same deals: differences are surer than said here."


def lines(found: Against, lang: str = "en") -> list[str]:
    """What a terminal shows, in `en` or `de`."""
    return words(lang).all([*(told.text for told in found.told), *found.notes])


def render(found: Against, lang: str = "en") -> str:
    """One HTML page, inline CSS, no scripts, no outside references; `lang` is `en` or `de`."""
    return render_in(found, words(lang))


def render_in(found: Against, t: Phrasebook) -> str:
    """The same in the language of a phrasebook."""
    filters: dict[str, Any] = dict(
        clean=clean_name,
        t=t,
        word=t.word,
        num=t.number,
        signed=lambda value: t.number(signed(value, found.digits)),
        value=lambda value: t.number(signed(value, found.digits)),
        thousands=lambda value: t.number(f"{value:,.0f}"),
        share=lambda value: t.number(f"{value * 100:.0f}%"),
    )
    told = [(t(told.text), told.anchors, _games(found, told)) for told in found.told]
    seen = [
        {"id": f"game-of-{when}-{k}", "side": side.name, "when": when, "command": command,
         "of": f"{clean_name(first)} – {clean_name(second)}"}
        for when, side in (("before", found.before), ("now", found.now))
        for k, (first, second, command) in enumerate(side.shown)
    ]  # fmt: skip
    content = dict(
        f=found, told=told, seen=seen, notes=t.all(found.notes), lang=t.lang, states=_STATES,
        level=f"{LEVEL * 100:g}%",
        title=f"Tournament {clean_name(found.now.name, 60)} against {clean_name(found.before.name, 60)}",
    )  # fmt: skip
    return render_page("against.html.j2", filters, content)


__all__ = ["Against", "Row", "Side", "Standing", "Told", "compared", "lines", "render", "render_in"]
