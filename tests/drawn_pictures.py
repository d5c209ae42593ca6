"""The numbers and words behind the pictures of reports: `python -m tests.drawn_pictures` writes them anew.

Every function that draws gets something made up by hand or by a seed. Of what it hands to matplotlib tests/golden/
pictures.json keeps every number (those of one place are added up, each by a weight of its own) and a hash of the texts
and colours; nothing is rendered. It does not tell what is right; it notices a dot, a bar or a word at another place.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from probespiel.evaluation.balance import plots as balance_plots
from probespiel.evaluation.balance.records import Axis
from probespiel.evaluation.balance.texts import words as balance_words
from probespiel.evaluation.ews_rps.odds import odds_table as ews_odds
from probespiel.evaluation.exploit.records import Point as CoursePoint
from probespiel.evaluation.exploit.records import Run
from probespiel.evaluation.exploit.report import course_plot
from probespiel.evaluation.exploit.texts import words as exploit_words
from probespiel.evaluation.oneshot import builds, builds_report
from probespiel.evaluation.oneshot.odds import Odds, Table
from probespiel.evaluation.report import plots
from probespiel.evaluation.scorekeeper.odds import odds_table as scorekeeper_odds
from probespiel.evaluation.stress import combine_report
from probespiel.evaluation.stress import plots as stress_plots
from probespiel.evaluation.stress.findings import (
    Dynamics,
    Interval,
    Rung,
    Sample,
    SideWorth,
    Worth,
    WorthRow,
)
from probespiel.evaluation.stress.texts import words as stress_words
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.texts import words as tournament_words
from tests.drawn_tournaments import RESAMPLES, TABLES, figures_of
from tests.playthroughs import Hashes

FILE = Path(__file__).parent / "golden" / "pictures.json"


def _drawn(axes: Axes) -> Iterator[tuple[str, Any]]:
    """(what, numbers or words) of everything that stands in axes."""
    yield "limits", [*axes.get_xlim(), *axes.get_ylim()]
    yield "words", [axes.get_title(), axes.get_xlabel(), axes.get_ylabel(), axes.get_visible(), axes.axison]
    for name, axis in (("x ticks", axes.xaxis), ("y ticks", axes.yaxis)):
        yield name, [float(place) for place in axis.get_majorticklocs()]
        if isinstance(axis.get_major_locator(), ticker.FixedLocator):
            yield "words", [label.get_text() for label in axis.get_ticklabels()]
        yield "words", [type(axis.get_major_locator()).__name__, type(axis.get_major_formatter()).__name__]
    for line in axes.get_lines():
        at = np.asarray(line.get_xydata(), dtype=np.float64)
        style = [line.get_linewidth(), line.get_markersize(), line.get_zorder()]
        yield "lines", [*np.where(np.isnan(at), -123.0, at).ravel().tolist(), *style]
        yield "words", [to_hex(line.get_color()), str(line.get_marker()), str(line.get_linestyle())]
    for patch in axes.patches:
        corners = patch.get_path().vertices
        yield "patches", patch.get_patch_transform().transform(corners).ravel().tolist()
        yield "words", [to_hex(patch.get_facecolor(), True), to_hex(patch.get_edgecolor(), True)]
    for collection in axes.collections:
        for path in collection.get_paths():
            yield "areas", np.asarray(path.vertices).ravel().tolist()
    for image in axes.images:
        yield "images", [*np.asarray(image.get_array()).ravel().tolist(), *image.get_clim()]
    for text in axes.texts:
        yield "texts", [*map(float, text.get_position()), *map(float, getattr(text, "xy", ())), text.get_rotation()]
        yield (
            "words",
            [text.get_text(), to_hex(text.get_color()), text.get_horizontalalignment(), text.get_verticalalignment()],
        )
        arrow = getattr(text, "arrowprops", None) or {}
        yield "arrows", [float(arrow[key]) for key in sorted(arrow) if isinstance(arrow[key], int | float)]
        yield "words", [str(arrow[key]) for key in sorted(arrow) if isinstance(arrow[key], str)]
    legend = axes.get_legend()
    if legend is not None:
        yield "words", [text.get_text() for text in legend.get_texts()]


def row_of(figures: list[Figure], told: Any = None) -> dict[str, Any]:
    """The numbers of some figures, and a hash of their words."""
    numbers: dict[str, list[Any]] = {}
    hashes = Hashes()
    hashes.add("words", told)
    for at, figure in enumerate(figures, 1):
        numbers.setdefault("size", []).extend(float(x) for x in figure.get_size_inches())
        hashes.add("words", [text.get_text() for text in figure.texts])
        for axes in figure.axes:
            if axes.get_label() == "<colorbar>":
                continue  # matplotlib's own
            for what, found in _drawn(axes):
                if what == "words":
                    hashes.add(what, found)
                else:
                    numbers.setdefault(f"{what} of {at}", []).extend(found)
    return {"figures": figures_of(numbers), "said": hashes.told()}


@contextmanager
def unrendered() -> Iterator[list[Figure]]:
    """The figures that are drawn meanwhile, none of which is rendered."""
    seen: list[Figure] = []

    def kept(figure: Figure, file: Any, **_: Any) -> None:
        seen.append(figure)
        if hasattr(file, "write"):
            file.write('<svg viewBox="0 0 1 1">\n</svg>')

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Figure, "savefig", kept)
        yield seen


def _summary(name: str, **change: Any) -> Any:
    found = analyse(table := TABLES[name](), [f"agent_{i}" for i in range(1 + int(table["agent"].to_numpy().max()))], 1,
                    resamples=RESAMPLES)  # fmt: skip
    return replace(found, **change)


def tournaments() -> list[Any]:
    """Ratings, mixtures, ladders and wheels."""
    told: list[Any] = []
    for name in ("two", "circle", "dominated", "many", "unmet"):
        found = _summary(name)
        for lang in ("en", "de"):
            t = tournament_words(lang)
            told += [plots.ratings_plot(found, t), plots.nash_plot(found, t), plots.nash_plot(found, t, 3)]
        told += [plots.ladder_plot(found, "a label", "an axis"), plots.wheel_plot(found, "a wheel", 12)]
        told.append(plots.wheel_plot(found, "a wheel", 4))
    alone = _summary("circle", metagame=None)
    return [*told, plots.nash_plot(alone), plots.ladder_plot(alone, "", ""), plots.wheel_plot(alone, "")]


def courses() -> list[Any]:
    """Values over something counted."""
    games = [np.array([0.0, 500.0, 1500.0, 2500.0]), np.array([500.0, 1000.0]), np.array([0.0, 2500.0])]
    values = [np.array([np.nan, 0.25, 0.75, 0.5]), np.array([0.5, 0.48]), np.array([-1.0, 0.49])]
    lines = list(zip(("one_of_a_long_name_beyond_all", "two", "three"), games, values, strict=True))
    course = tuple(CoursePoint(100 * k, 0.1 * k * k) for k in range(30))
    runs = [
        Run(1, False, 5, 1.0, "a", course[:1]),
        Run(2, False, 5, 1.0, "b", course),
        Run(3, False, 5, 1.0, "c", course[9:]),
    ]
    return [
        plots.lines_plot(lines, "label", "axis", "prefix", tournament_words("de")),
        plots.history_plot(("a", "b"), np.array([1.0, 2.0, 3.0]), [np.array([1.0, 4.0, 2.0]), np.array([np.nan, 0, 1])],
                           "label", "axis"),
        course_plot(runs, exploit_words("en")), course_plot(runs, exploit_words("de")),
        course_plot(runs[:1], exploit_words("en")),
    ]  # fmt: skip


def lab() -> list[Any]:
    """Worth by handicap and the ladder of searches."""

    def row(amount: int, value: float) -> WorthRow:
        worth = Sample(value, value - 0.1, value + 0.25, 100)
        return WorthRow(amount, worth, Interval(0.0, -0.1, 0.1), 0.0, 0.0, 0.5, 0.5)

    first = SideWorth("A", (row(-1, 0.5), row(0, 0.2), row(1, -0.3)), (0.2,))
    second = SideWorth("B", (row(0, 0.1), row(2, -0.75)), (0.1,))
    even = SideWorth("B", (row(0, 0.1),), (0.1,))
    whole = Sample(0.15, 0.1, 0.2, 100)

    def rungs(*scores: float) -> tuple[Rung, ...]:
        return tuple(
            Rung(f"search:sims={50 * 2**k}", score, None if k == 1 else 0.02 * (k + 1), 100)
            for k, score in enumerate(scores)
        )

    def games(ladder: tuple[Rung, ...]) -> Any:
        return cast(Any, type("Play", (), {"ladder": ladder}))

    told: list[Any] = []
    for lang in ("en", "de"):
        t = stress_words(lang)
        for sides in ((first, second), (first, even), (even,)):
            told.append(stress_plots.worth_plot(Worth(sides, whole, 1.0, Interval(0, 0, 0)), "cards", " (EP)", t))
        for rows in (rungs(0.5, 0.75, 0.6), ()):
            told.append(stress_plots.ladder_plot(Dynamics(games(rungs(0.4, 0.55, 0.7)), games(rows)), t))
    return told


def matrices() -> list[Any]:
    """Modules together with others."""
    from tests.test_combine import made

    found = [made(pairs) for pairs in (False, True)]
    found.append(replace(found[1], pairings=()))
    return [combine_report.picture(one, stress_words(lang)) for one in found for lang in ("en", "de")]


def balances() -> list[Any]:
    """Figures along a parameter, and two of them of every point."""
    from tests.test_balance_german import told_balance

    two = told_balance(0.25, 0.6, False)
    one = replace(two, axes=(Axis("fee", (1, 2, 3), True, 0, 9),))
    told: list[Any] = []
    for found, lang in ((two, "en"), (one, "de"), (one, "en")):
        t = balance_words(lang)
        for line, target in zip(found.along[0].lines, found.targets, strict=True):
            told.append(balance_plots.line_plot(found.along[0], line, target, found, t))
        told += [
            balance_plots.trade_plot(found, t),
            balance_plots.trade_plot(replace(found, targets=found.targets[:1]), t),
        ]
    return told


def odds() -> list[Any]:
    """Exact tables of three systems."""
    ews_odds(low=-2, high=3).plot(Path("x.svg"))
    ews_odds({"contest_tie": "draw"}, -1, 1, (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)), lang="de").plot(
        Path("x.png")
    )
    scorekeeper_odds(("club", "bow"), ("none", "bristol_vest")).plot(Path("x.svg"))
    scorekeeper_odds(("club", "magnum", "bow", "shotgun", "copkiller"), ("none",), lang="de").plot(Path("x.svg"))
    tables = [
        Table("tests", "Skill tests", ["", "+0", "+1"], [["-1", "1/6", "1/4"], ["0", "1/2", "2/3"]]),
        Table("attack", "Attacks", ["", "1", "2"], [["1", "5/6", "1/3"], ["2", "1/6", "0"]]),
        Table("mean_turns", "Turns", ["", "n"], [["1", "3/2"], ["2", "7/3"]]),
        Table("heroes", "Heroes", ["", "elf", "orc", "sage"], [["elf", "1/2", "1/4", "1"], ["orc", "3/4", "1/2", "0"]]),
    ]
    Odds(tables).plot(Path("x.svg"))
    return []


def builds_of() -> list[Any]:
    """A search for builds: three examined ones of four."""
    attributes = {name: k for k, name in enumerate(builds.ATTRIBUTES)}
    chars: list[Any] = [
        {**{name: 1 + (k + i) % 4 for name, k in attributes.items()}, "perks": (), "weapon": "axe"} for i in range(4)
    ]
    payoffs = np.array([[0.0, 0.5, -0.25], [-0.5, 0.0, 0.75], [0.25, -0.75, 0.0], [-0.5, -0.25, -1.0]])
    weights = np.array([0.5, 0.125, 0.375])
    field = builds.Field(chars, ["none"] * 4, np.zeros((4, 3), np.int64), np.ones(4, np.int64))
    equilibrium = builds.Equilibrium(np.array([0, 1, 2]), payoffs, weights, payoffs @ weights)
    found = builds.BuildSearch("axe", {}, 9, field, equilibrium, [], None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builds_report, "describe", lambda char, tactic: f"{char[builds.ATTRIBUTES[0]]}; - of {tactic}")
        for lang in ("en", "de"):
            builds_report.plot(found, Path("x.svg"), lang)
    return []


KINDS: dict[str, Callable[[], list[Any]]] = {
    "tournaments": tournaments, "courses": courses, "lab": lab, "matrices": matrices, "balances": balances,
    "odds": odds, "builds": builds_of,
}  # fmt: skip


def made_of(name: str) -> dict[str, Any]:
    """The row of a kind of pictures."""
    with unrendered() as figures:
        told = KINDS[name]()
        return {"pictures": len(figures), **row_of(figures, told)}


def written() -> str:
    """The file as it would be written now."""
    lines = [f"{json.dumps(name)}: {json.dumps(made_of(name))}" for name in KINDS]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
