"""The pictures of a search for balance, as inline SVG in the page's colours."""

from __future__ import annotations

import matplotlib as mpl
from matplotlib import ticker

from ..report.phrases import Phrasebook
from ..report.plots import _RC, ACCENT, CARD, INK, MUTED, SOFT, svg
from ..stress.plots import axes_of
from .records import Along, Balance, Line
from .targets import FIGURES, Target

_FILL = {"yes": ACCENT, "maybe": SOFT, "no": CARD}  # of the marks of points


def line_plot(along: Along, line: Line, target: Target, found: Balance, t: Phrasebook) -> str:
    """A figure along a parameter: its line with the band, the target, and on one axis what was measured."""
    with mpl.rc_context(_RC):
        figure, axes = axes_of()
        axes.fill_between(line.x, line.low, line.high, color=SOFT, linewidth=0, zorder=1)
        axes.plot(line.x, line.mid, color=ACCENT, linewidth=1.4, zorder=3)
        low, high = target.ends
        for end in target.edges:
            axes.axhline(end, color=INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=2)
        if len(found.axes) == 1:
            for point in found.points:
                known = point.figure(line.figure)
                if known is not None:
                    at = point.params[along.param]
                    axes.plot([at, at], [known.low, known.high], color=MUTED, linewidth=1, zorder=3)
                    fill = _FILL[target.holds(known.low, known.high)]
                    axes.plot([at], [known.value], "o", color=fill, markersize=5.5, markeredgecolor=ACCENT,
                              markeredgewidth=1, zorder=4)  # fmt: skip
        bottom, top = axes.get_ylim()
        axes.set_ylim(bottom, top)
        axes.axhspan(max(low, bottom), min(high, top), color=MUTED, alpha=0.12, linewidth=0, zorder=0)
        axes.xaxis.set_major_locator(ticker.MaxNLocator(integer=True))
        axes.set_xlabel(along.param, color=MUTED, fontsize=9.5)
        unit = " (%)" if FIGURES[line.figure].percent else ""
        axes.set_ylabel(f"{t.word(line.figure)}{unit}", color=MUTED, fontsize=9.5)
        told = t(f"{line.figure} along {along.param}, with 95 % band and target")
        return svg(figure, f"{along.param}-{line.figure}", told)


def trade_plot(found: Balance, t: Phrasebook) -> str:
    """The points by the first two targets with their intervals, those of the front filled; "" with fewer targets."""
    if len(found.targets) < 2:
        return ""
    a, b = found.targets[:2]
    with mpl.rc_context(_RC):
        figure, axes = axes_of()
        for point in sorted(found.points, key=lambda p: p.front):
            x, y = point.figure(a.figure), point.figure(b.figure)
            if x is None or y is None:
                continue
            color = ACCENT if point.front else MUTED
            axes.plot([x.low, x.high], [y.value, y.value], color=color, linewidth=0.9, zorder=2)
            axes.plot([x.value, x.value], [y.low, y.high], color=color, linewidth=0.9, zorder=2)
            axes.plot([x.value], [y.value], "o", color=ACCENT if point.front else CARD, markersize=5.5,
                      markeredgecolor=color, markeredgewidth=1, zorder=3)  # fmt: skip
        for target, draw in ((a, axes.axvline), (b, axes.axhline)):
            for end in target.edges:
                draw(end, color=INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
        for target, label in ((a, axes.set_xlabel), (b, axes.set_ylabel)):
            unit = " (%)" if FIGURES[target.figure].percent else ""
            label(f"{t.word(target.figure)}{unit}", color=MUTED, fontsize=9.5)
        return svg(figure, "trade", t(f"{a.figure} and {b.figure} of every point, with 95 % intervals"))


__all__ = ["line_plot", "trade_plot"]
