"""Two results of a kind side by side: what changed from the older to the newer one, and is it more than chance?

Tournaments are held against each other by `against.py`, stress reports by the comparison of rules. Ladders, exploits,
trainings, combinations of rules and searches for balance have figures with intervals each: the differences of those
that both have, taken as independent, with intervals that hold all at once (`stress/compare.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..envs.core.errors import ProbespielError
from ..evaluation.balance.records import Balance, Crossing
from ..evaluation.balance.texts import NAMES, RANGES
from ..evaluation.balance.words import values_text
from ..evaluation.exploit.records import EXACT, Exploited
from ..evaluation.report.pages import render_page
from ..evaluation.report.phrases import Phrasebook
from ..evaluation.report.records import content_of, record
from ..evaluation.report.trained import Trained
from ..evaluation.report.wording import clean_name, listing, replay_line, signed
from ..evaluation.stress.combine import Combinations
from ..evaluation.stress.combine_report import name_of
from ..evaluation.stress.compare import LEVEL, compare, difference, named_reports
from ..evaluation.stress.findings import Interval
from ..evaluation.stress.setting import trust_of
from ..evaluation.stress.texts import COMBINE
from ..evaluation.stress.texts import NAMES as VERDICTS
from ..evaluation.tournament.ladder_page import Row as Line
from ..evaluation.tournament.ladder_page import Standing, command_of, seen
from ..evaluation.tournament.texts import AGAINST
from . import against
from .against import Row
from .results import Report, Result, opened, refused

GERMAN = {
    "Ladder {new} against {old}": "Rangliste {new} gegen {old}",
    "Exploit {new} against {old}": "Ausnutzung {new} gegen {old}",
    "Training {new} against {old}": "Training {new} gegen {old}",
    "Combinations {new} against {old}": "Kombinationen {new} gegen {old}",
    "Balance {new} against {old}": "Balance {new} gegen {old}",
    "two tests of combinations": "zwei Prüfungen von Kombinationen",
    "two searches for balance": "zwei Suchen nach Balance",
    "worth by itself": "Wert allein",
    "worth with {names:l}": "Wert mit {names}",
    "By itself: {a:p} before, {b:p} now.": "Allein: vorher {a}, jetzt {b}.",
    "With {names:l}: {a:p} before, {b:p} now.": "Mit {names}: vorher {a}, jetzt {b}.",
    "The modules differ ({a} before, {b} now).": "Die Module sind verschieden (vorher {a}, jetzt {b}).",
    "The units differ ({a} before, {b} now): worths are not compared.": (
        "Die Einheiten sind verschieden (vorher {a}, jetzt {b}): Werte werden nicht verglichen."
    ),
    "The test of {name} was interrupted: not all is measured.": (
        "Die Prüfung {name} wurde abgebrochen: nicht alles ist gemessen."
    ),
    "{figure:p} for {values}": "{figure} bei {values}",
    "{param} at which {figure:p} is {x:n}": "{param}, bei dem {figure} {x} ist",
    "Suggested are {a} before, {b} now.": "Vorgeschlagen sind vorher {a}, jetzt {b}.",
    "Suggested are {a}, as before.": "Vorgeschlagen sind {a}, wie vorher.",
    "Nothing is suggested in either.": "Weder vorher noch jetzt wird etwas vorgeschlagen.",
    "Nothing was suggested before.": "Vorher wurde nichts vorgeschlagen.",
    "Nothing is suggested now.": "Jetzt wird nichts vorgeschlagen.",
    "The targets differ ({a:s} before; {b:s} now).": "Die Ziele sind verschieden (vorher {a}; jetzt {b}).",
    "Parameters that stay as they are differ ({a} before; {b} now).": (
        "Parameter, die bleiben, wie sie sind, sind verschieden (vorher {a}; jetzt {b})."
    ),
    "two ladders": "zwei Ranglisten",
    "two exploits": "zwei Ausnutzungen",
    "two trainings": "zwei Trainings",
    "rating of {name}": "Wertung von {name}",
    "exploitable by": "auszunutzen um",
    "the best answer for {side}": "die beste Antwort für {side}",
    "against {name}": "gegen {name}",
    "Changed beyond chance: {what:p} {a:n} → {b:n} ({x:n}; {ends:i}).": (
        "Über den Zufall hinaus geändert: {what} {a} → {b} ({x}; {ends})."
    ),
    "Nothing changed beyond chance.": "Nichts änderte sich über den Zufall hinaus.",
    "There is nothing that both have measured.": "Es gibt nichts, was beide gemessen haben.",
    "In one of both only: {names:s}.": "Nur in einem der beiden: {names}.",
    "The players differ: ratings are told around the mean of those that both have in the same version ({n:n}), with "
    "intervals that hold at least.": (
        "Die Spieler sind verschieden: Wertungen stehen um das Mittel derer in beiden mit derselben Fassung ({n}), "
        "mit Intervallen, die mindestens gelten."
    ),
    "The players differ, and none whose rating is known is the same in both: ratings cannot be compared.": (
        "Die Spieler sind verschieden, und keiner mit bekannter Wertung ist in beiden derselbe: Wertungen sind nicht "
        "vergleichbar."
    ),
    "Both hold the same first games: differences are surer than said here.": (
        "Beide haben dieselben ersten Spiele: Unterschiede sind sicherer, als hier steht."
    ),
    "{name} is another version now.": "{name} ist jetzt eine andere Fassung.",
    "The agents differ ({a} before, {b} now).": "Die Spieler sind verschieden (vorher {a}, jetzt {b}).",
    "What is gained is a lower bound: what changed may be how good an answer was found.": (
        "Was gewonnen wird, ist eine untere Schranke: Geändert haben kann sich, wie gut die gefundene Antwort ist."
    ),
    "All {n:n} differences on this page hold at once at {level:n}; both results are taken as independent.": (
        "Alle {n} Unterschiede dieser Seite gelten zugleich zu {level}; beide Ergebnisse gelten als unabhängig."
    ),
    "no": "nein",
    "figure": "Zahl",
    "Games that show it": "Spiele, die es zeigen",
    "command, in its folder": "Befehl, in seinem Ordner",
    "The results": "Die Ergebnisse",
    "result": "Ergebnis",
    "of": "von",
    "rule set": "Regelsatz",
    "Made by probespiel. This page contains no scripts and loads nothing.": (
        "Erstellt von probespiel. Diese Seite enthält keine Skripte und lädt nichts nach."
    ),
}
_ENGLISH = Phrasebook()


@dataclass(frozen=True)
class Side:
    """A result: how it is called here, what it is of, its game, scenario, rule set and command; its figures by name.

    `games` are commands that show what a figure says, given in the folder of the result, by the figure's name.
    """

    name: str
    about: str
    game: str
    scenario: str
    ruleset: str
    command: str
    figures: Mapping[str, Interval | None]
    games: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sheet:
    """Two results of a kind, the older one first; `compared`: how many differences hold at once.

    `signs`: whether figures, and not only differences, are told with their signs.
    """

    kind: str
    digits: int
    signs: bool
    before: Side
    now: Side
    rows: tuple[Row, ...]
    compared: int
    told: tuple[str, ...]
    notes: tuple[str, ...]


def words(lang: str) -> Phrasebook:
    """The texts of such pages in a language, `en` or `de`."""
    return _ENGLISH if lang == "en" else Phrasebook(lang, (AGAINST, VERDICTS, COMBINE, NAMES, RANGES, GERMAN))


def beside(old: Path, new: Result) -> Report:
    """The newer result held against the older one. Raises ProbespielError for others that cannot be compared."""
    first = opened(old)
    if first.name != new.name:
        raise ProbespielError(
            f"{first.path} is of another kind ({first.kind.title}) than {new.path} ({new.kind.title}): two of a kind "
            "are held side by side"
        )
    if new.name == "summary":
        found = against.compared(first.path, new.path)
        return Report(lambda lang: against.render(found, lang), lambda lang, _: _text(against.lines(found, lang)))
    if new.name == "stress-report":
        from ..evaluation.stress.compare_report import comparison_lines
        from ..evaluation.stress.compare_report import render as rendered

        both = compare(named_reports([first.path, new.path]))
        return Report(lambda lang: rendered(both, lang), lambda lang, _: _text(comparison_lines(both, lang)))
    if new.name not in _KINDS:
        raise ProbespielError(
            f"{new.path} is a {new.kind.title}: --against goes with tournaments, stress tests, combinations, searches "
            "for balance, ladders, exploits and trainings"
        )
    with refused(new.path):
        sheet = _sheet(first, new)
    return Report(lambda lang: render(sheet, lang), lambda lang, _: _text(lines(sheet, lang)))


def _text(told: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in told)


def _sheet(old: Result, new: Result) -> Sheet:
    kind = _KINDS[new.name]
    names = [result.path.parent.name or result.path.stem for result in (old, new)]
    if names[0] == names[1]:
        names = [str(result.path) for result in (old, new)]
    before, now, notes = kind.read(content_of(old.path), content_of(new.path), names)
    if before.game != now.game:
        raise ProbespielError(f"{new.path} is of {now.game}, {old.path} of {before.game}: one game is compared")
    whole = new.name == "ladder" and not any(note.startswith("The players differ") for note in notes)
    return sheet_of(kind.told, kind.digits, not whole, before, now, notes)


def sheet_of(kind: str, digits: int, signs: bool, before: Side, now: Side, notes: Sequence[str]) -> Sheet:
    """All figures of two results, and what changed beyond chance."""
    both = [name for name, value in now.figures.items() if value is not None and before.figures.get(name) is not None]
    rows = []
    for name in dict.fromkeys((*now.figures, *before.figures)):
        a, b = before.figures.get(name), now.figures.get(name)
        change = difference(a, b, len(both)) if a is not None and b is not None else None
        rows.append(Row(name, "", a, b, change))
    told = [_changed(row, digits, signs) for row in rows if row.change is not None and row.change.beyond]
    if not told:
        told = ["Nothing changed beyond chance." if both else "There is nothing that both have measured."]
    alone = [name for name in dict.fromkeys((*before.figures, *now.figures))
             if (name in before.figures) != (name in now.figures)]  # fmt: skip
    found = [f"In one of both only: {listing(alone, 12)}."] if alone else []
    if before.scenario != now.scenario:
        found.append(f"The scenarios differ ({clean_name(before.scenario)} before, {clean_name(now.scenario)} now).")
    if before.ruleset != now.ruleset:
        a, b = (clean_name(side.ruleset, 12) for side in (before, now))
        found.append(f"The rules differ (rule set {a} before, {b} now): what changed may come from that.")
    return Sheet(kind, digits, signs, before, now, tuple(rows), len(both), tuple(told), (*found, *notes))


def _value(value: float, digits: int, signs: bool) -> str:
    return signed(value, digits) if signs else f"{value:,.{digits}f}"


def _changed(row: Row, digits: int, signs: bool) -> str:
    assert row.before is not None and row.now is not None and row.change is not None
    change = row.change
    ends = f"{signed(change.low, digits)} to {signed(change.high, digits)}" if change.low < change.high else "exact"
    values = f"{_value(row.before.value, digits, signs)} → {_value(row.now.value, digits, signs)}"
    return f"Changed beyond chance: {row.name} {values} ({signed(change.value, digits)}; {ends})."


# What is read of each kind


def _ladders(old: Mapping[str, Any], new: Mapping[str, Any], names: Sequence[str]) -> tuple[Side, Side, list[str]]:
    """Ratings of players by name; those of earlier versions with their version."""
    both = [record(Standing, content["ladder"]) for content in (old, new)]
    known = [
        {row.name if row.kind != "old" else f"{row.name} ({row.version[:8]})": row for row in found.rows}
        for found in both
    ]
    first, second = known
    notes = [
        f"{clean_name(name)} is another version now."
        for name in second if name in first and second[name].version != first[name].version
    ]  # fmt: skip
    figures = [
        {name: None if row.half is None else Interval(row.rating, row.rating - row.half, row.rating + row.half)
         for name, row in rows.items()}
        for rows in known
    ]  # fmt: skip
    if {(row.name, row.version) for row in first.values()} != {(row.name, row.version) for row in second.values()}:
        same = [
            name for name in second
            if name in first and first[name].version == second[name].version
            and figures[0][name] is not None and figures[1][name] is not None
        ]  # fmt: skip
        figures = [around(found, same) for found in figures]
        notes.append(
            "The players differ: ratings are told around the mean of those that both have in the same version "
            f"({len(same)}), with intervals that hold at least." if same else
            "The players differ, and none whose rating is known is the same in both: ratings cannot be compared."
        )  # fmt: skip
    if both[0].first and both[0].first == both[1].first:
        notes.append("Both hold the same first games: differences are surer than said here.")
    sides = [
        Side(name, f"{found.game} {found.scenario}", found.game, found.scenario, found.ruleset, "",
             {f"rating of {clean_name(player)}": value for player, value in values.items()}, _of_pairs(found, rows))
        for name, found, values, rows in zip(names, both, figures, known, strict=True)
    ]  # fmt: skip
    return sides[0], sides[1], notes


def _of_pairs(found: Standing, rows: Mapping[str, Line]) -> dict[str, str]:
    """For each rating a game of that player: of the first pair in the list that can be played again."""
    out: dict[str, str] = {}
    for player, row in rows.items():
        at = found.rows.index(row)
        pair = next((pair for pair in found.pairs if at in (pair.first, pair.second) and seen(pair)), None)
        if pair is not None:
            out[f"rating of {clean_name(player)}"] = command_of(found, pair)
    return out


def around(found: Mapping[str, Interval | None], anchors: Sequence[str]) -> dict[str, Interval | None]:
    """Ratings as differences to the mean of some of them; without any, none can be compared.

    The standard error of a difference is at most the sum of both, and that of a mean the mean of them at most.
    """
    values = [value for name in anchors if (value := found[name]) is not None]
    if not values:
        return dict.fromkeys(found)
    middle = sum(value.value for value in values) / len(values)
    wider = sum((value.high - value.low) / 2 for value in values) / len(values)
    return {
        name: None if v is None else Interval(v.value - middle, v.low - middle - wider, v.high - middle + wider)
        for name, v in found.items()
    }


def _exploits(old: Mapping[str, Any], new: Mapping[str, Any], names: Sequence[str]) -> tuple[Side, Side, list[str]]:
    contents = [{key: value for key, value in content.items() if key != "format"} for content in (old, new)]
    both = [record(Exploited, content) for content in contents]
    notes = []
    if both[0].agent != both[1].agent:
        a, b = (clean_name(found.agent) for found in both)
        notes.append(f"The agents differ ({a} before, {b} now).")
    if any(found.method != EXACT for found in both):
        notes.append("What is gained is a lower bound: what changed may be how good an answer was found.")
    sides = [
        Side(name, found.agent, found.game, found.scenario, "", found.command,
             {"exploitable by": _interval(found.bound),
              **{f"the best answer for {clean_name(side.name)}": _interval(side.payoff) for side in found.sides}},
             {"exploitable by": replay_line(found.replay, found.trust)} if found.replay else {})
        for name, found in zip(names, both, strict=True)
    ]  # fmt: skip
    return sides[0], sides[1], notes


def _interval(found: Any) -> Interval:
    return Interval(found.value, found.low, found.high)


def _trainings(old: Mapping[str, Any], new: Mapping[str, Any], names: Sequence[str]) -> tuple[Side, Side, list[str]]:
    both = [record(Trained, content["training"]) for content in (old, new)]
    sides = [
        Side(name, found.policy, found.game, ", ".join(found.scenarios), found.ruleset, found.command,
             {f"against {clean_name(r.opponent)}": Interval(r.edge, r.low, r.high) for r in found.results},
             {f"against {clean_name(r.opponent)}": replay_line(r.replay, found.trust)
              for r in found.results if r.replay})
        for name, found in zip(names, both, strict=True)
    ]  # fmt: skip
    return sides[0], sides[1], []


def _combinations(old: Mapping[str, Any], new: Mapping[str, Any], names: Sequence[str]) -> tuple[Side, Side, list[str]]:
    """What having the module is worth by itself and with others; what became of it is told where the words differ."""
    both = [record(Combinations, content["combinations"]) for content in (old, new)]
    rows = [{row.others: row for row in (found.alone, *found.pairings)} for found in both]
    notes = _modules(*(found.module for found in both))
    units = [found.payoff_unit for found in both]
    if units[0] != units[1]:
        a, b = (clean_name(unit) or "–" for unit in units)
        notes.append(f"The units differ ({a} before, {b} now): worths are not compared.")
    notes += [
        f"The test of {clean_name(name)} was interrupted: not all is measured."
        for name, found in zip(names, both, strict=True) if not found.complete
    ]  # fmt: skip
    for others, now in rows[1].items():
        before = rows[0].get(others)
        if before is not None and before.word != now.word:
            what = f"With {name_of(others)}" if others else "By itself"
            notes.append(f"{what}: {before.word} before, {now.word} now.")
    same = units[0] == units[1]
    sides = [
        Side(name, Path(found.module).stem, found.game, found.scenario, "", found.command,
             {f"worth with {name_of(others)}" if others else "worth by itself":
                 Interval(row.worth.value, row.worth.low, row.worth.high) if row.worth is not None and same else None
              for others, row in known.items()},
             {f"worth with {name_of(others)}" if others else "worth by itself":
                 replay_line(row.replay, trust_of(found)) for others, row in known.items() if row.replay})
        for name, found, known in zip(names, both, rows, strict=True)
    ]  # fmt: skip
    return sides[0], sides[1], notes


def _modules(before: str, now: str) -> list[str]:
    """That the modules are others, by the names of their files."""
    a, b = (clean_name(Path(name).stem) for name in (before, now))
    return [f"The modules differ ({a} before, {b} now)."] if a != b else []


def _balances(old: Mapping[str, Any], new: Mapping[str, Any], names: Sequence[str]) -> tuple[Side, Side, list[str]]:
    """Figures of the values that both have measured, and where along a parameter they are what is aimed at."""
    both = [record(Balance, content["balance"]) for content in (old, new)]
    notes = _modules(*(found.module for found in both))
    fixed = [clean_name(values_text(found.fixed)) or "–" for found in both]
    if fixed[0] != fixed[1]:
        notes.append(f"Parameters that stay as they are differ ({fixed[0]} before; {fixed[1]} now).")
    targets = [", ".join(target.text() for target in found.targets) for found in both]
    if targets[0] != targets[1]:
        notes.append(f"The targets differ ({targets[0]} before; {targets[1]} now).")
    notes += [
        f"The test of {clean_name(name)} was interrupted: not all is measured."
        for name, found in zip(names, both, strict=True) if not found.complete
    ]  # fmt: skip
    best = [clean_name(values_text(found.suggestion.params)) if found.suggestion else "" for found in both]
    if not all(best):
        neither, never = "Nothing is suggested in either.", "Nothing was suggested before."
        notes.append(neither if not any(best) else never if best[1] else "Nothing is suggested now.")
    elif best[0] == best[1]:
        notes.append(f"Suggested are {best[1]}, as before.")
    else:
        notes.append(f"Suggested are {best[0]} before, {best[1]} now.")
    sides = [
        Side(
            name,
            Path(found.module).stem,
            found.game,
            found.scenario,
            found.ruleset,
            found.command,
            _measured(found),
            _of_points(found),
        )
        for name, found in zip(names, both, strict=True)
    ]
    return sides[0], sides[1], notes


def _measured(found: Balance) -> dict[str, Interval | None]:
    """The figures of a search by name: crossings first, then those of every point."""
    out: dict[str, Interval | None] = {}
    for along in found.along:
        for crossing in along.crossings:
            name = f"{clean_name(along.param)} at which {crossing.figure} is {crossing.aim:g}"
            out[name] = None if name in out else _place(crossing)  # passed twice: there is no one place
    for point in found.points:
        for figure in point.figures:
            name = f"{figure.name} for {clean_name(values_text(point.params))}"
            out[name] = Interval(figure.value, figure.low, figure.high)
    return out


def _of_points(found: Balance) -> dict[str, str]:
    """Games as they are played at the points, by the figures of these."""
    trust = trust_of(found)
    return {
        f"{figure.name} for {clean_name(values_text(point.params))}": replay_line(point.replay, trust)
        for point in found.points if point.replay for figure in point.figures
    }  # fmt: skip


def _place(found: Crossing) -> Interval | None:
    """Where a figure is what is aimed at, if both ends of that are known."""
    if found.value is None or found.open_low or found.open_high:
        return None
    return Interval(found.value, found.low, found.high)


@dataclass(frozen=True)
class _Kind:
    told: str
    title: str
    digits: int
    read: Callable[[Mapping[str, Any], Mapping[str, Any], Sequence[str]], tuple[Side, Side, list[str]]]


_KINDS = {
    "ladder": _Kind("two ladders", "Ladder", 0, _ladders),
    "exploit": _Kind("two exploits", "Exploit", 4, _exploits),
    "training": _Kind("two trainings", "Training", 4, _trainings),
    "combinations": _Kind("two tests of combinations", "Combinations", 3, _combinations),
    "balance": _Kind("two searches for balance", "Balance", 3, _balances),
}
_TITLES = {kind.told: kind.title for kind in _KINDS.values()}


def lines(found: Sheet, lang: str = "en") -> list[str]:
    """What a terminal shows, in `en` or `de`."""
    return words(lang).all([*found.told, *found.notes])


def render(found: Sheet, lang: str = "en") -> str:
    """One HTML page, inline CSS, no scripts, no outside references; `lang` is `en` or `de`."""
    return render_in(found, words(lang))


def render_in(found: Sheet, t: Phrasebook) -> str:
    """The same in the language of a phrasebook."""
    filters: dict[str, Any] = dict(
        clean=clean_name, t=t, word=t.word, num=t.number, signed=lambda value: t.number(signed(value, found.digits)),
        value=lambda value: t.number(_value(value, found.digits, found.signs)),
    )  # fmt: skip
    sides = ((found.before, "before"), (found.now, "now"))
    games = {
        name: [f"game-of-{when}-{k}" for side, when in sides for k, other in enumerate(side.games) if other == name]
        for name in dict.fromkeys((*found.before.games, *found.now.games))
    }
    every = [anchor for anchors in games.values() for anchor in anchors]
    changed = [(k, row) for k, row in enumerate(found.rows) if row.change is not None and row.change.beyond]
    told = [
        (t(line), [f"figure-{k}"], games.get(row.name, every[:2]))
        for line, (k, row) in zip(found.told, changed)
    ] or [(t(line), ["figures"], every[:2]) for line in found.told]  # fmt: skip
    seen_games = [
        {"id": f"game-of-{when}-{k}", "side": side.name, "when": when, "of": name, "command": command}
        for side, when in sides for k, (name, command) in enumerate(side.games.items())
    ]  # fmt: skip
    title = f"{_TITLES[found.kind]} {clean_name(found.now.name, 60)} against {clean_name(found.before.name, 60)}"
    content = dict(
        f=found, told=told, seen=seen_games, notes=t.all(found.notes), lang=t.lang, level=f"{LEVEL * 100:g}%",
        title=title, figures=[replace(row, name=t(row.name)) for row in found.rows],
    )  # fmt: skip
    return render_page("figures.html.j2", filters, content)


__all__ = ["Sheet", "Side", "around", "beside", "lines", "render", "render_in", "sheet_of", "words"]
