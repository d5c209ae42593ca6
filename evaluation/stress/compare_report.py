"""A comparison of stress reports in words, as a page and in JSON."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from ...envs.core.disk import write_text
from ..report.pages import render_page
from ..report.phrases import Phrasebook
from ..report.wording import clean_name, listing, signed
from .basis import LEVELS
from .compare import Change, Comparison, Row, Version, comparison_json
from .deciding import beyond
from .findings import Interval
from .game_verdict import GUESSING, SIDED
from .texts import words

# figures by which the verdict for the game goes, and those of its words that go by something else
OF_GAME = frozenset({
    "length", "unresolved", "luck", "draws", "comebacks", "lead changes", "skill", "search", "decisions", "strategies",
    "cycles", "first seat",
})  # fmt: skip
OF_OTHERS = frozenset({"broken", "open", "decoration", GUESSING, SIDED})
SIGNED = ("worth", "first seat", "gain", "exploit")  # figures that may be below nothing


def value_text(row: Row, value: float) -> str:
    """A value of a figure."""
    if row.percent:
        return f"{100 * value:.{row.digits}f} %"
    return signed(value, row.digits) if row.name.startswith(SIGNED) else f"{value:.{row.digits}f}"


def change_text(row: Row, value: float) -> str:
    """A difference of a figure; those of shares are percentage points."""
    return f"{signed(100 * value, row.digits)} points" if row.percent else signed(value, row.digits)


def span_text(row: Row, found: Interval) -> str:
    """An interval of a figure, no further than the figure can go; "exact" where it has no width."""
    if found.low == found.high:
        return "exact"
    least, most = (0.0, 1.0) if row.percent else (1.0, math.inf) if row.name == "strategies" else (-math.inf, math.inf)
    low, high = (min(max(end, least), most) for end in (found.low, found.high))
    return f"{value_text(row, low)} to {value_text(row, high)}"


def ends_text(row: Row, change: Change) -> str:
    """The ends of a difference, in the unit that `change_text` has told; "exact" where it has no width."""
    if change.low == change.high:
        return "exact"
    scale = 100 if row.percent else 1
    return f"{signed(scale * change.low, row.digits)} to {signed(scale * change.high, row.digits)}"


def changed_text(row: Row, version: int, change: Change) -> str:
    """ "worth +0.140 → +0.050 (−0.090; −0.120 to −0.060)"."""
    before, after = row.values[0], row.values[version]
    assert before is not None and after is not None
    return (
        f"{row.name} {value_text(row, before.value)} → {value_text(row, after.value)} "
        f"({change_text(row, change.value)}; {ends_text(row, change)})"
    )


def differing(versions: tuple[Version, ...], version: int) -> str:
    """Which parameters a version has that the first one has not."""
    mine, first = versions[version].params, versions[0].params
    names = [name for name in {**first, **mine} if mine.get(name) != first.get(name)]
    return ", ".join(f"{name} {first.get(name, 'default')} → {mine.get(name, 'default')}" for name in names)


def sentences(found: Comparison, version: int) -> list[str]:
    """What a version changes: its verdict, what changed beyond chance, and what did not."""
    return [line for line, _ in _claims(found, version)]


def _claims(found: Comparison, version: int) -> list[tuple[str, list[str]]]:
    """The same, each with anchors of the page on which it rests."""
    first, mine = found.versions[0], found.versions[version]
    more = differing(found.versions, version)
    head = f"{clean_name(mine.name)} against {clean_name(first.name)}" + (f" ({clean_name(more, 200)})" if more else "")
    said = f"stays {mine.verdict}{_turned(found, version)}"
    if first.verdict != mine.verdict:
        said = f"changes from {first.verdict} to {mine.verdict}{_worth_by_chance(found, version)}"
    of_game = f"stays “{mine.game_verdict}”"
    if first.game_verdict != mine.game_verdict:
        of_game = f"changes from “{first.game_verdict}” to “{mine.game_verdict}”{_by_chance(found, version)}"
    out = [
        (f"{head}: the verdict for its holder {said}.", ["verdicts"]),
        (f"The verdict for the game {of_game}.", ["game-verdicts"]),
    ]
    known = [(k, row, row.changes[version]) for k, row in enumerate(found.rows)]
    beyond = [(k, row, c) for k, row, c in known if c is not None and c.beyond]
    others = [(k, row) for k, row, c in known if c is not None and not c.beyond]
    gone = [
        (k, row) for k, row, c in known if c is None and (row.values[0] is None) != (row.values[version] is None)
    ]  # fmt: skip
    out += [(f"Changed: {changed_text(row, version, c)}.", [f"row-{k}"]) for k, row, c in beyond]
    if not beyond:
        out.append(("Nothing changed beyond chance.", ["rows"]))
    if others:
        out.append((f"No difference beyond chance: {listing([row.name for _, row in others], 20)}.", ["rows"]))
    if gone:
        out.append((f"In one of both only: {listing([row.name for _, row in gone], 20)}.", ["rows"]))
    return out


def _by_chance(found: Comparison, version: int) -> str:
    """That no figure on which the verdict for the game may rest differs, although figures were compared; else ""."""
    if not OF_OTHERS.isdisjoint(found.versions[k].game_verdict for k in (0, version)):
        return ""
    compared = [row.changes[version] for row in found.rows if row.name in OF_GAME]
    known = [change for change in compared if change is not None]
    if not known or any(change.beyond for change in known):
        return ""
    return ", but no figure of the game is shown to differ: one test shows what another leaves open"


def _worth_by_chance(found: Comparison, version: int) -> str:
    """That what having it is worth does not differ, although two verdicts that go by that do; else ""."""
    change = next((row.changes[version] for row in found.rows if row.name == "worth"), None)
    by_worth = {found.versions[k].verdict for k in (0, version)} <= {*LEVELS, "undecided"}
    if not by_worth or change is None or change.beyond:
        return ""
    return ", but what it is worth is not shown to differ: one test shows what another leaves open"


def _turned(found: Comparison, version: int) -> str:
    """That it is an advantage now and was a handicap, or the other way; "" where it is the same, or not shown."""
    worth = next((row.values for row in found.rows if row.name == "worth"), None)
    before, after = (worth[0], worth[version]) if worth is not None else (None, None)
    if before is None or after is None or not beyond(before) or not beyond(after):
        return ""
    if before.value * after.value > 0:
        return ""
    return (
        ", of an advantage now and not of a handicap"
        if after.value > 0
        else ", of a handicap now and not of an advantage"
    )


def comparison_lines(found: Comparison, lang: str = "en") -> list[str]:
    """What a terminal shows, in `en` or `de`."""
    out: list[str] = []
    t = words(lang, found.german)
    for version in range(1, len(found.versions)):
        lead, *rest = t.all(sentences(found, version))
        out += [lead, *(f"  {line}" for line in rest)]
    return [*out, *t.all(found.notes)]


def render(found: Comparison, lang: str = "en") -> str:
    """One HTML page, inline CSS, no scripts, no outside references; `lang` is `en` or `de`."""
    return render_in(found, words(lang, found.german))


def render_in(found: Comparison, t: Phrasebook) -> str:
    """The same in the language of a phrasebook."""
    filters: dict[str, Any] = dict(clean=clean_name, t=t, word=t.word, num=t.number)
    told = [[(t(line), at) for line, at in _claims(found, version)] for version in range(1, len(found.versions))]
    shown = [f"version-{k}" for k, version in enumerate(found.versions) if version.replay]
    content = dict(f=found, told=told, shown=shown, value=value_text, span=span_text, change=change_text)
    content |= dict(ends=ends_text, lang=t.lang)
    return render_page("compare.html.j2", filters, content)


def write_comparison(folder: Path, found: Comparison, lang: str = "en") -> Path:
    """Write `compare.html` and `compare.json` to a folder, the page in `en` or `de`; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "compare.html"
    write_text(page, render(found, lang))
    write_text(folder / "compare.json", comparison_json(found))
    return page


__all__ = ["comparison_lines", "render", "sentences", "write_comparison"]
