"""The plots of a stress report, as inline SVG in the page's colours."""

from __future__ import annotations

import matplotlib as mpl
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..report.phrases import ENGLISH, Phrasebook
from ..report.plots import _RC, ACCENT, CARD, INK, LINE, MUTED, SOFT, svg, write_numbers
from ..report.wording import clean_name
from .findings import Dynamics, Worth

_WIDTH, _HEIGHT = 5.6, 2.9  # inches


def axes_of() -> tuple[Figure, Axes]:
    """A figure and its axes in the style of the page."""
    figure = Figure(figsize=(_WIDTH, _HEIGHT))
    axes = figure.add_axes((0.12, 0.19, 0.84, 0.72))
    axes.set_facecolor("none")
    figure.patch.set_alpha(0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("bottom", "left"):
        axes.spines[side].set_color(LINE)
    axes.tick_params(colors=MUTED, labelcolor=MUTED, color=LINE, labelsize=9.5)
    axes.grid(color=LINE, linewidth=0.8)
    axes.set_axisbelow(True)
    return figure, axes


def worth_plot(worth: Worth, many: str, unit: str, t: Phrasebook = ENGLISH) -> str:
    """Worth of having the module by handicap in units named `many`, with intervals, one line a side; "" without."""
    sides = [s for s in worth.sides if len(s.by_amount) > 1]
    if not sides:
        return ""
    with mpl.rc_context(_RC):
        figure, axes = axes_of()
        for k, side in enumerate(sides):
            rows = side.by_amount
            x = [r.amount + (k - 0.5) * 0.12 * (len(sides) > 1) for r in rows]
            y = [r.worth.value for r in rows]
            color = ACCENT if k == 0 else MUTED
            for at, r in zip(x, rows):
                ends = [r.worth.low, r.worth.high]
                shade = SOFT if k == 0 else LINE
                axes.plot([at, at], ends, color=shade, linewidth=6, solid_capstyle="butt", zorder=2)
            axes.plot(x, y, "o-", color=color, markersize=5, markeredgecolor=CARD, linewidth=1.4, zorder=3,
                      label=clean_name(t.word(side.side), 24))  # fmt: skip
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.xaxis.set_major_locator(ticker.MaxNLocator(integer=True))
        axes.set_xlabel(t(f"{many} more than in the scenario"), color=MUTED, fontsize=9.5)
        axes.set_ylabel(t(f"worth{unit}"), color=MUTED, fontsize=9.5)
        if len(sides) > 1:
            axes.legend(frameon=False, labelcolor=INK, fontsize=9.5)
        write_numbers(axes, t)
        return svg(figure, "worth", t(f"Worth of having the module by {many} more"))


def ladder_plot(dynamics: Dynamics, t: Phrasebook = ENGLISH) -> str:
    """Score of twice the search budget against once, without and with the module; "" without a ladder."""
    both = [("without it", dynamics.nobody.ladder, MUTED), ("with it", dynamics.everybody.ladder, ACCENT)]
    if not all(rows for _, rows, _ in both):
        return ""
    with mpl.rc_context(_RC):
        figure, axes = axes_of()
        for name, rows, color in both:
            x = list(range(len(rows)))
            y = [r.score * 100 for r in rows]
            errors = [196 * (r.error or 0) for r in rows]
            axes.errorbar(x, y, yerr=errors, fmt="o-", color=color, markersize=5, markeredgecolor=CARD, linewidth=1.4,
                          elinewidth=1, label=t(name))  # fmt: skip
        axes.axhline(50, color=INK, linewidth=0.8)
        axes.set_xticks(range(len(both[0][1])), [r.search.rpartition("=")[2] for r in both[0][1]])
        axes.set_xlabel(t("simulations, against half as many"), color=MUTED, fontsize=9.5)
        axes.set_ylabel(t("score, %"), color=MUTED, fontsize=9.5)
        axes.legend(frameon=False, labelcolor=INK, fontsize=9.5)
        return svg(figure, "ladder", t("Score of twice the search budget, without and with the module"))


__all__ = ["axes_of", "ladder_plot", "worth_plot"]
