"""The report's plots: matplotlib figures turned into inline SVG that follows the page's colours, light or dark.

Figures are drawn with placeholder colours which are then replaced by CSS variables, and with text left as text. Element
ids and hashes are fixed, so that the same summary gives the same bytes.
"""

import io
import re
import warnings
from collections.abc import Sequence
from html import escape
from typing import Any

import matplotlib as mpl
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..tournament.summary import Summary
from .phrases import ENGLISH, Phrasebook
from .wording import clean_name

INK, MUTED, LINE, ACCENT, SOFT, CARD = "#010101", "#020202", "#030303", "#040404", "#050505", "#060606"
_VARIABLES = {INK: "ink", MUTED: "muted", LINE: "line", ACCENT: "accent", SOFT: "accent-soft", CARD: "card"}
_WIDTH = 5.6  # inches at 72 points: wide enough for labels, narrow enough to be read on a phone
_RC: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "probespiel",
    "font.size": 10.5,
    "font.family": "sans-serif",
    "axes.unicode_minus": True,
    "text.parse_math": False,
}


def _axes(rows: int, extra: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(_WIDTH, 0.36 * rows + extra))
    axes = figure.add_axes((0.34, 0.62 / (0.36 * rows + extra), 0.61, 1 - (0.62 + 0.1) / (0.36 * rows + extra)))
    axes.set_facecolor("none")
    figure.patch.set_alpha(0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(LINE)
    axes.tick_params(axis="y", length=0, pad=8)
    axes.tick_params(axis="x", colors=MUTED, labelcolor=MUTED, color=LINE, labelsize=9.5)
    axes.grid(axis="x", color=LINE, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_ylim(rows - 0.5, -0.5)
    return figure, axes


def _labels(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), [clean_name(n, 24) for n in names], color=INK, fontsize=10.5)


def svg(figure: Figure, prefix: str, label: str) -> str:
    """A figure as one inline ``<svg>`` element: ids prefixed, colours as CSS variables, `label` for screen readers."""
    buffer = io.StringIO()
    with mpl.rc_context(_RC), warnings.catch_warnings():
        # A name may use signs that the font at hand lacks; the reader's browser draws the text, not this font.
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from")
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"<style[^>]*>.*?</style>", "", text, flags=re.S)  # its rules would apply to the whole page
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{prefix}-", text)
    for color, variable in _VARIABLES.items():
        text = text.replace(color, f"var(--{variable})")
    head, rest = text.split(">", 1)
    box = re.search(r'viewBox="[^"]*"', head)
    assert box is not None
    space = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg"'
    return f'<svg class="plot" role="img" aria-label="{escape(label)}" {space} {box.group()}>{rest}'.strip()


def write_numbers(axes: Axes, t: Phrasebook) -> None:
    """Write the numbers along both axes as a language does; texts that are no numbers stay."""
    if t.english:
        return
    for axis, limits, again in (
        (axes.xaxis, axes.get_xlim, axes.set_xlim),
        (axes.yaxis, axes.get_ylim, axes.set_ylim),
    ):
        ends = limits()
        if not isinstance(axis.get_major_formatter(), ticker.ScalarFormatter | ticker.PercentFormatter):
            continue
        at = [place for place in axis.get_majorticklocs() if min(ends) <= place <= max(ends)]
        axis.set_ticks(at, [t.number(text) for text in axis.get_major_formatter().format_ticks(at)])
        again(ends)


def ratings_plot(summary: Summary, t: Phrasebook = ENGLISH) -> str:
    """Each strategy's rating by payoff as a dot with its interval as a bar, best on top, as inline SVG."""
    rows = summary.leaderboard
    with mpl.rc_context(_RC):
        figure, axes = _axes(len(rows), 0.85)
        for y, row in enumerate(rows):
            if row.rating_interval is not None:
                axes.plot([row.rating_interval.low, row.rating_interval.high], [y, y], color=SOFT, linewidth=13,
                          solid_capstyle="butt", zorder=2)  # fmt: skip
            axes.plot([row.rating], [y], "o", color=ACCENT, markersize=5, markeredgecolor=CARD,
                      markeredgewidth=0.8, zorder=3)  # fmt: skip
        _labels(axes, [row.name for row in rows])
        low, high = axes.get_xlim()
        margin = 0.06 * (high - low)
        axes.set_xlim(low - margin, high + margin)
        axes.xaxis.set_major_locator(ticker.MaxNLocator(5))
        bars = f"; bars are {summary.level * 100:g}% intervals, all at once" if rows[0].rating_interval else ""
        axes.set_xlabel(t(f"payoff a game{bars}"), color=MUTED, fontsize=9.5)
        write_numbers(axes, t)
        return svg(figure, "ratings", t("Ratings by payoff with intervals, best first"))


def nash_plot(summary: Summary, t: Phrasebook = ENGLISH, most: int = 30) -> str:
    """The maximum-entropy Nash mixture as bars, with the bounds of all equilibrium weights; "" if there is none."""
    game = summary.metagame
    if game is None:
        return ""
    order = [row.agent for row in summary.leaderboard]
    weight = [max(game.nash[i], game.nash_high[i] if game.nash_high else 0.0) for i in range(len(order))]
    shown = order  # all of them while they fit, in line with the ratings
    if len(order) > most:
        shown = [i for i in order if weight[i] >= 0.005]
        keep = set(sorted(shown, key=lambda i: (-weight[i], i))[:most])
        shown = [i for i in shown if i in keep]
    with mpl.rc_context(_RC):
        figure, axes = _axes(len(shown), 0.85)
        for y, i in enumerate(shown):
            if weight[i] < 0.0005:
                continue
            axes.barh(y, game.nash[i], height=0.52, color=SOFT, zorder=2)
            if game.nash_low is not None and game.nash_high is not None:
                axes.plot([game.nash_low[i], game.nash_high[i]], [y, y], color=ACCENT, linewidth=1.4, clip_on=False,
                          zorder=3)  # fmt: skip
        _labels(axes, [summary.names[i] for i in shown])
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(ticker.PercentFormatter(1, symbol="%"))
        axes.set_xlabel(t("weight in the mixture"), color=MUTED, fontsize=9.5)
        write_numbers(axes, t)
        return svg(figure, "nash", t("Weights of the Nash mixture"))
