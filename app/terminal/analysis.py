"""The analysis of a finished game at the terminal."""

from __future__ import annotations

from itertools import pairwise

from ..reviewing import Told

_HEADS = {
    "en": ("Decisions that lost most (step: taken; better; lost)", "Nothing was lost beyond doubt."),
    "de": ("Was am meisten verlor (Schritt: gewählt; besser; verloren)", "Nichts ging zweifelsfrei verloren."),
}
MOST_LOSSES, MOST_POINTS, WIDE = 12, 40, 16


def lines_of(told: Told, lang: str) -> list[str]:
    """The analysis in lines: what it rests on, value by value, luck and skill, the turning point, and what was lost."""
    head, nothing = _HEADS[lang]
    lines = [told.verdict, "", told.heading, *_graph(told), "", told.way]
    widest = max(len(name) for name, _ in told.parts)
    lines += [f"  {name.ljust(widest)}  {value}" for name, value in told.parts]
    lines += [told.turned, "", *told.totals]
    worst = sorted((loss for loss in told.losses if loss.sure), key=lambda loss: -loss.lost)[:MOST_LOSSES]
    if not worst:
        return [*lines, nothing, "", told.method]
    losses = [f"  {x.number}: {x.seat}: {x.taken}; {x.better}; {x.text}" for x in worst]
    return [*lines, head, *losses, "", told.method]


def details_of(told: Told) -> list[str]:
    """Every decision with the value of every action, what chance did, and the best line."""
    lines = [told.decided]
    for one in told.decisions:
        widest = max(len(words) for words, *_ in one.options)
        lines.append(f"  {one.number}: {one.seat}")
        for words, value, share, taken in one.options:
            lines.append(f"  {'*' if taken else ' '}   {words.ljust(widest)}  {value}  {100 * share:3.0f} %")
    lines += ["", told.chanced, *(f"  {number:>5}  {value}  {fell}" for number, fell, value in told.chances)]
    if told.line:
        lines += ["", told.lined, *(f"  {text}" for text in told.line)]
    return lines


def _graph(told: Told) -> list[str]:
    """A bar for each moment; of many the ones to which the value moved farthest."""
    points = told.points
    low, high = min(p.value for p in points), max(p.value for p in points)
    moved = [abs(b.value - a.value) for a, b in pairwise(points)]
    shown = {0, *sorted(range(1, len(points)), key=lambda n: -moved[n - 1])[: MOST_POINTS - 1]}
    rows, widest = [], max(len(points[place].text) for place in shown)
    for place in sorted(shown):
        point = points[place]
        place_of = round((point.value - low) / (high - low) * (WIDE - 1)) if high > low else 0
        bar = "".join("#" if n == place_of else "." for n in range(WIDE))
        rows.append(f"  {point.number:>5}  {point.text.rjust(widest)}  {bar}  {point.title}")
    return rows


__all__ = ["details_of", "lines_of"]
