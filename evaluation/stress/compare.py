"""Versions of a rule side by side: what changed between stress reports, and whether it is beyond chance.

The interval of a difference comes from the intervals of both figures, which are taken as independent (MOVER: Zou and
Donner 2008, Construction of confidence limits about effect measures), and all differences of a comparison hold at once
(Bonferroni). Reports of the same seed share their deals, which makes differences surer than that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import scipy  # its parts are loaded when they are called

from ...envs.core.errors import ProbespielError
from ..report.records import read_record, record_text
from ..report.wording import clean_name
from .budget import BUDGETS
from .findings import Findings, Interval, Mean, Verdict
from .proof import shown_game
from .report import read_report
from .setting import setting_line, trust_of

VERSION = 1  # of the file
LEVEL = 0.95
TINY = 1e-9  # what exact figures may differ by
LEADS = frozenset({"comebacks", "drama", "lead changes"})  # figures of who is ahead, which some games do not show
FEW = 8  # replicates of a deal where the budget is unknown
_Z = float(scipy.special.ndtri(0.5 + LEVEL / 2))


@dataclass(frozen=True)
class Version:
    """A report: how it is called here, the module with its parameters, its two verdicts, and a game in its folder.

    `verdict` is the one for whoever has the module, `game_verdict` the one for the game when everybody has it.
    `trust`: its games run rules that are not built in.
    """

    name: str
    module: str
    params: dict[str, Any]
    verdict: str
    why: tuple[str, ...]
    budget: str
    seed: int
    version: str
    replay: str = ""
    game_verdict: str = "open"
    game_why: tuple[str, ...] = ()
    trust: bool = True


@dataclass(frozen=True)
class Change(Interval):
    """A difference to the first version, with an interval that holds together with all others."""

    beyond: bool


@dataclass(frozen=True)
class Row:
    """A figure in every version (None: it has none), and its changes, None for the first version."""

    name: str
    what: str
    percent: bool
    digits: int
    values: tuple[Interval | None, ...]
    changes: tuple[Change | None, ...]


@dataclass(frozen=True)
class Comparison:
    """Versions of a rule in a game, and all figures; `compared`: how many differences hold at once.

    `german` are the German names of what the reports name.
    """

    game: str
    scenario: str
    payoff_unit: str
    versions: tuple[Version, ...]
    rows: tuple[Row, ...]
    compared: int
    notes: tuple[str, ...] = ()
    german: dict[str, str] = field(default_factory=dict)


Getter = Callable[[Findings], Interval | None]


@dataclass(frozen=True)
class Figure:
    """A figure of a report: what it is in words, how to get it, and how it is written."""

    what: str
    get: Getter
    percent: bool = False
    digits: int = 2


def _mean(found: Mean | None) -> Interval | None:
    if found is None or found.mean is None or found.error is None:
        return None
    return Interval(found.mean, found.mean - _Z * found.error, found.mean + _Z * found.error)


def _use(f: Findings) -> Interval | None:
    return _mean(Mean(f.use.rate, f.use.error)) if f.use is not None and f.use.opportunities else None


def _gain(f: Findings) -> Interval | None:
    return _mean(Mean(f.use.worth.gain, f.use.worth.error)) if f.use is not None and f.use.worth is not None else None


def _luck(f: Findings) -> Interval | None:
    luck = f.dynamics.everybody.luck if f.dynamics is not None else None
    return None if luck is None else _mean(Mean(luck.share, luck.error))


def _draws(f: Findings) -> Interval | None:
    """Draws of the same deal are not independent: the interval counts deals, and never has no width (Wilson 1927)."""
    if f.dynamics is None:
        return None
    play = f.dynamics.everybody
    each = BUDGETS[f.budget].replicates if f.budget in BUDGETS else FEW
    n, p = max(play.games / each, 1.0), play.draws
    middle = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z / (1 + _Z**2 / n) * (p * (1 - p) / n + _Z**2 / (4 * n**2)) ** 0.5
    return Interval(p, min(p, middle - half), max(p, middle + half))


def _played(name: str) -> Getter:
    return lambda f: _mean(getattr(f.dynamics.everybody, name)) if f.dynamics is not None else None


def _among(name: str, otherwise: Getter) -> Getter:
    """As it stands among the figures of the game, whose intervals hold the luck of learning; else of what was played.

    Versions are learned anew each: by the games alone two tests of one rule would differ.
    """

    def get(f: Findings) -> Interval | None:
        if f.effect is not None and (name in f.effect.left_out or (name in LEADS and LEADS & {*f.effect.left_out})):
            return None  # it says nothing of this game, whatever was played
        figure = f.effect.of(name) if f.effect is not None else None
        return otherwise(f) if figure is None else figure.after

    return get


def _of_game(name: str) -> Getter:
    """As it stands among the figures of the game, where its interval holds the luck of learning, too."""
    return _among(name, lambda _: None)


def _matrix(name: str) -> Getter:
    """A number of the matrix game, if its interval holds the luck of learning: else any two tests would differ."""

    def get(f: Findings) -> Interval | None:
        game = f.dominance.everybody if f.dominance is not None else None
        return getattr(game, name) if game is not None and game.learned not in (None, 1) else None

    return get


FIGURES: dict[str, Figure] = {
    "worth": Figure("what having it alone is worth", lambda f: f.worth.overall if f.worth else None, digits=3),
    "first seat": Figure(
        "what sitting first is worth when all have it", lambda f: f.seat.everybody if f.seat else None
    ),
    "use": Figure("how often it is used where it can be", _use, True, 0),
    "gain": Figure("what a use gains", _gain),
    "strategies": Figure("effective number of strategies in equilibrium", _matrix("effective"), digits=1),
    "cycles": Figure("cyclic share of the differences between strategies", _of_game("cycles"), True, 0),
    "in equilibrium": Figure("share of its chances that are taken in equilibrium", _matrix("module_mass"), True, 0),
    "luck": Figure("share of the results that the deal decides", _among("luck", _luck), True, 0),
    "length": Figure("decisions of a game", _among("length", _played("lengths")), digits=1),
    "draws": Figure("share of drawn games", _among("draws", _draws), True, 1),
    "comebacks": Figure(
        "share of decided games whose winner was behind", _among("comebacks", _played("comeback")), True, 0
    ),
    "drama": Figure("drama", _among("drama", _played("drama"))),
    "lead changes": Figure("changes of the lead in a game", _among("lead changes", _played("changes"))),
    "unresolved": Figure("share of games that are stopped by the limit of decisions", _of_game("unresolved"), True, 1),
    "skill": Figure("score of a stronger level against the one below it", _of_game("skill"), True, 0),
    "search": Figure("score of twice the search", _of_game("search"), True, 0),
    "decisions": Figure("decisions of a game that matter", _of_game("decisions"), digits=1),
}


def _of_sides(found: Findings) -> dict[str, Figure]:
    """Figures of each side."""
    out: dict[str, Figure] = {}
    for side in found.sides if len(found.sides) > 1 else ():
        out[f"worth for {side}"] = Figure(f"what having it alone is worth to {side}", _worth_of(side), digits=3)
        out[f"exploit of {side}"] = Figure(f"what {side} gains from play that does not know it", _exploit_of(side))
    return out


def _worth_of(side: str) -> Getter:
    return lambda f: next((s.even.worth for s in f.worth.sides if s.side == side), None) if f.worth else None


def _exploit_of(side: str) -> Getter:
    return lambda f: next((e.gain for e in f.exploit if e.side == side), None) if f.exploit else None


def _one_file(one: str, other: str) -> bool:
    """Whether two scenarios are files that hold the same, wherever they lie and however they were named."""
    files = [Path(name) for name in (one, other)]
    return all(file.is_file() for file in files) and files[0].read_bytes() == files[1].read_bytes()


def compare(reports: Sequence[tuple[str, Findings]]) -> Comparison:
    """Two or more named reports of one game and scenario; raises ProbespielError for fewer, or others."""
    if len(reports) < 2:
        raise ProbespielError(f"{len(reports)} report is not enough: two or more are compared")
    _, first = reports[0]
    for name, found in reports:
        for what in ("game", "scenario", "sides"):
            mine, theirs = getattr(found, what), getattr(first, what)
            if mine != theirs and not (what == "scenario" and _one_file(mine, theirs)):
                raise ProbespielError(
                    f"{name}: {what} is {_shown(mine)}, that of {reports[0][0]} is {_shown(theirs)}: versions of a "
                    "rule are compared in one game and scenario"
                )
        if found.worth is None and not found.faults:
            raise ProbespielError(f"{name} holds an unfinished stress test: go on with --resume first")
    figures = {**FIGURES, **_of_sides(first)}
    values = {name: [figure.get(found) for _, found in reports] for name, figure in figures.items()}
    known = {name: row for name, row in values.items() if sum(v is not None for v in row) > 0}
    count = sum(row[0] is not None and v is not None for row in known.values() for v in row[1:])
    rows = []
    for name, row in known.items():
        base = row[0]
        changes = [
            None if base is None or v is None else difference(base, v, max(count, 1)) for v in row[1:]
        ]  # fmt: skip
        figure = figures[name]
        rows.append(
            Row(name, figure.what, figure.percent, figure.digits, tuple(map(_bare, row)), (None, *changes))
        )  # fmt: skip
    return Comparison(
        first.game,
        first.scenario,
        first.payoff_unit,
        tuple(_version(name, found) for name, found in reports),
        tuple(rows),
        count,
        tuple(_notes(reports)),
        {english: german for _, found in reports for english, german in found.german.items()},
    )


def difference(first: Interval, second: Interval, compared: int) -> Change:
    """second - first, with an interval that holds together with all `compared` ones."""
    wider = float(scipy.special.ndtri(1 - (1 - LEVEL) / 2 / compared)) / _Z
    change = second.value - first.value
    below = ((second.value - second.low) ** 2 + (first.high - first.value) ** 2) ** 0.5
    above = ((second.high - second.value) ** 2 + (first.value - first.low) ** 2) ** 0.5
    low, high = change - wider * below, change + wider * above
    return Change(change, low, high, low > TINY or high < -TINY)


def _bare(found: Interval | None) -> Interval | None:
    return None if found is None else Interval(found.value, found.low, found.high)


def _shown(value: Any) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _version(name: str, found: Findings) -> Version:
    held, game = (verdict or Verdict("open", ()) for verdict in (found.verdict, found.game_verdict))
    return Version(
        name, found.module, dict(found.params), held.word, held.why, found.budget, found.seed, found.version,
        shown_game(found), game.word, game.why, trust_of(found),
    )  # fmt: skip


def _notes(reports: Sequence[tuple[str, Findings]]) -> list[str]:
    out = []
    for what in ("budget", "version"):
        seen = list(dict.fromkeys(str(getattr(found, what)) for _, found in reports))
        if len(seen) > 1:
            word = "budgets" if what == "budget" else "versions of probespiel"
            out.append(f"The reports have different {word} ({', '.join(seen)}).")
    known = [(name, setting_line(f.options, f.also)) for name, f in reports if f.options is not None]
    if len({line for _, line in known}) > 1:
        told = ", ".join(f"{clean_name(name)}: {line}" for name, line in known)
        out.append(f"The games differ in what was set on top of the scenario ({told}).")
    exact = {found.worth.exact for _, found in reports if found.worth is not None}
    if len(exact) > 1:
        out.append("The worth is exact in some reports and estimated in others: what estimates miss counts as change.")
    return out


def named_reports(paths: Sequence[Path]) -> list[tuple[str, Findings]]:
    """The reports of files or folders, named by their folders, or by their whole paths where those are the same.

    Raises ProbespielError for what is no stress report, or given twice.
    """
    files = [path / "report.json" if path.is_dir() else path for path in paths]
    if len(set(files)) < len(files):
        raise ProbespielError("a report is given twice")
    short = [file.parent.name if file.name == "report.json" else file.stem for file in files]
    names = short if len(set(short)) == len(short) and all(short) else [str(path) for path in paths]
    return [(name, read_report(file)) for name, file in zip(names, files)]


def comparison_json(found: Comparison) -> str:
    """`compare.json`."""
    return record_text("comparison", VERSION, found, level=LEVEL)


def read_comparison(path: Path) -> Comparison:
    """What a `compare.json` holds; raises ProbespielError if it is none of this version."""
    return read_record(Comparison, "comparison", VERSION, path)


__all__ = [
    "FIGURES", "Change", "Comparison", "Row", "Version", "compare", "comparison_json", "difference", "named_reports",
    "read_comparison",
]  # fmt: skip
