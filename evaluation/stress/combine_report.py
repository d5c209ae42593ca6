"""Combinations of a module with others: in words, as a page with a matrix of all of them, and in JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ...envs.core.disk import write_text
from ..report.pages import render_page
from ..report.phrases import ENGLISH, Phrasebook
from ..report.plots import _RC, INK, LINE, MUTED, svg
from ..report.records import record_text
from ..report.wording import clean_name, signed
from .combine import NAME, VERSION, WORDS, Combinations, Pairing
from .findings import Interval
from .setting import setting_of, trust_of
from .texts import words

MORE, LESS, WRONG = "#2f9e6e", "#c9643c", "#c23b4a"  # more and less worth than by itself, rules that fail
CELL, LABELS = 0.62, 1.7  # inches
MARKS = {"refused": "–", "not measured": "?"}  # of combinations without a worth; all others fail
LINKED = 3  # rows to which a sentence about many of them is linked


def name_of(others: tuple[str, ...]) -> str:
    """The other modules of a combination."""
    return " and ".join(clean_name(Path(name).stem, 30) for name in others) or "by itself"


def estimate_text(found: Interval | None, exact: bool, digits: int) -> str:
    """A worth, or its change, with its interval; "–" where that is not known."""
    if found is None:
        return "–"
    ends = "exact" if exact else f"{signed(found.low, digits)} to {signed(found.high, digits)}"
    return f"{signed(found.value, digits)} ({ends})"


def sentence(row: Pairing, digits: int = 2) -> str:
    """A combination in one line."""
    head = f"With {name_of(row.others)}: {row.word}"
    if row.worth is None:
        return f"{head} ({clean_name(row.why, 300)})."
    there = f"{head}; having it is worth {estimate_text(row.worth, row.exact, digits)} there"
    if row.change is None:
        return f"{there}; {row.why}."
    return f"{there}, a change of {estimate_text(row.change, row.exact, digits)}."


def combination_lines(found: Combinations, lang: str = "en") -> list[str]:
    """What a terminal shows, in `en` or `de`: by itself, what stands out, and how many do not."""
    return words(lang).all(line for line, _ in _claims(found))


def _claims(found: Combinations) -> list[tuple[str, list[int]]]:
    """The sentences, each with the rows of the table on which it rests: 0 is the module by itself."""
    unit = f" {found.payoff_unit}" if found.payoff_unit else ""
    d = found.digits
    worth = estimate_text(found.alone.worth, found.alone.exact, d)
    out = [(f"By itself: {found.alone.word}; having it is worth {worth}{unit}.", [0])]
    if found.alone.worth is None:
        out = [(f"By itself: {found.alone.word} ({found.alone.why}).", [0])]
    quiet: list[int] = []
    for number, row in enumerate(found.pairings, 1):
        if row.word == "no interplay shown":
            quiet.append(number)
        else:
            out.append((sentence(row, d), [number]))
    if quiet:
        out.append((f"No interplay shown in {len(quiet)} of {len(found.pairings)} combinations.", quiet))
    if found.missing:
        every = len(found.pairings) + len(found.missing)
        out.append((f"Not measured yet: {len(found.missing)} of {every} combinations.", []))
    return out


def picture(found: Combinations, t: Phrasebook = ENGLISH) -> str:
    """The matrix: rows and columns are other modules, the diagonal has each by itself; without pairs one row."""
    names = list(dict.fromkeys(name for row in found.pairings for name in row.others))
    pairs = any(len(row.others) > 1 for row in found.pairings)
    if not names:
        return ""
    height = len(names) if pairs else 1
    most = max((abs(row.change.value) for row in found.pairings if row.change), default=0.0) or 1.0
    size = (LABELS + CELL * len(names), LABELS + CELL * height)
    with mpl.rc_context(_RC):
        figure = Figure(figsize=size)
        figure.patch.set_alpha(0)
        axes = figure.add_axes((LABELS / size[0], 0.0, 1 - LABELS / size[0], 1 - LABELS / size[1]))
        axes.set_xlim(0, len(names))
        axes.set_ylim(height, 0)
        axes.axis("off")
        labels = [clean_name(Path(name).stem, 16) for name in names]
        for x, label in enumerate(labels):
            axes.text(x + 0.5, -0.1, label, color=INK, rotation=60, ha="left", va="bottom", fontsize=9.5)
        for y, label in enumerate(labels if pairs else [t("with")]):
            axes.text(-0.1, y + 0.5, label, color=INK, ha="right", va="center", fontsize=9.5)
        for y in range(height):
            for x in range(y if pairs else 0, len(names)):
                row = found.of(names[x]) if not pairs or x == y else found.of(names[y], names[x])
                if row is not None:
                    _cell(axes, x, y, row, most, found.digits, t)
        what = "Worth of having the module with others, shaded by how that changes it"
        return svg(figure, "combinations", t(what))


def _cell(axes: Any, x: int, y: int, row: Pairing, most: float, digits: int, t: Phrasebook) -> None:
    """One combination: its worth, shaded by its change, or its mark."""
    shade, strength = LINE, 0.35
    if row.word in ("breaks", "broken without it", "broken"):
        shade, strength = WRONG, 0.6
    elif row.change is not None and row.word != "no interplay shown":
        before = row.worth.value - row.change.value if row.worth else 0.0
        grows = row.worth is not None and row.worth.value * before >= 0 and abs(row.worth.value) > abs(before)
        shade, strength = (MORE if grows else LESS), 0.25 + 0.6 * min(1.0, abs(row.change.value) / most)
    axes.add_patch(Rectangle((x + 0.03, y + 0.03), 0.94, 0.94, facecolor=shade, alpha=strength, edgecolor="none"))
    text = MARKS.get(row.word, "×") if row.worth is None else signed(row.worth.value, digits)
    axes.text(x + 0.5, y + 0.5, t.number(text), color=INK if row.worth else MUTED, ha="center", va="center", fontsize=9)


def render(found: Combinations, lang: str = "en") -> str:
    """One HTML page, inline CSS and SVG, no scripts, no outside references; `lang` is `en` or `de`."""
    return render_in(found, words(lang))


def render_in(found: Combinations, t: Phrasebook) -> str:
    """The same in the language of a phrasebook."""
    rows = (found.alone, *found.pairings)

    def told_of(estimate: Interval | None, exact: bool) -> str:
        return estimate_text(estimate, exact, found.digits)

    content = dict(
        f=found, setting=setting_of(found.options, found.also), trust=trust_of(found),
        lines=[(t(line), [f"row-{row}" for row in told[:LINKED]]) for line, told in _claims(found)],
        shown=lambda anchors: [a.replace("row", "replay") for a in anchors if rows[int(a[4:])].replay],
        picture=Markup(picture(found, t)), name=name_of,
        told_of=told_of,
        words=WORDS, lang=t.lang, module=Path(found.module).stem,
    )  # fmt: skip
    return render_page("combine.html.j2", dict(clean=clean_name, t=t, word=t.word, num=t.number), content)


def write_combinations(folder: Path, found: Combinations, lang: str = "en") -> Path:
    """Write `combinations.html` and `combinations.json` to a folder, the page in `en` or `de`; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "combinations.html"
    write_text(page, render(found, lang))
    write_text(folder / "combinations.json", record_text(NAME, VERSION, found))
    return page


__all__ = ["combination_lines", "picture", "render", "sentence", "write_combinations"]
