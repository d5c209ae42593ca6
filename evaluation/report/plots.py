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
import numpy as np
import numpy.typing as npt
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from ..tournament.summary import Summary
from .phrases import ENGLISH, Phrasebook
from .wording import clean_name

Floats = npt.NDArray[np.float64]

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


def ladder_plot(summary: Summary, label: str, axis: str) -> str:
    """The transitive part of the payoff matrix: every strategy a rung at its height, best on top; "" without one.

    `label` is read to those who cannot see, `axis` stands at the scale.
    """
    game = summary.metagame
    if game is None:
        return ""
    order = sorted(range(len(summary.names)), key=lambda i: (-game.cycles.heights[i], i))
    heights = np.array([game.cycles.heights[i] for i in order])
    inches = max(2.6, 0.27 * len(order) + 0.5)
    with mpl.rc_context(_RC):
        figure = Figure(figsize=(_WIDTH, inches + 0.3))
        axes = figure.add_axes((0.2, 0.06, 0.75, 0.88))
        axes.set_facecolor("none")
        figure.patch.set_alpha(0)
        for side in ("top", "right", "bottom"):
            axes.spines[side].set_visible(False)
        axes.spines["left"].set_color(LINE)
        axes.tick_params(axis="y", colors=MUTED, labelcolor=MUTED, color=LINE, labelsize=9.5)
        axes.set_xticks([])
        axes.set_xlim(0, 1)
        extent = float(heights[0] - heights[-1]) or 1.0
        places = _apart(heights, extent * 0.24 / (0.88 * inches))
        axes.set_ylim(min(places[-1], heights[-1]) - 0.06 * extent, max(places[0], heights[0]) + 0.06 * extent)
        axes.vlines([0.04, 0.16], heights[-1], heights[0], color=LINE, linewidth=2.5)
        for i, height, place in zip(order, heights, places, strict=True):
            axes.plot([0.04, 0.16], [height, height], color=ACCENT, linewidth=3.5, zorder=3)
            axes.plot([0.175, 0.24], [height, place], color=LINE, linewidth=0.9)
            axes.text(0.255, place, clean_name(summary.names[i], 30), color=INK, fontsize=10.5, va="center")
        axes.yaxis.set_major_locator(ticker.MaxNLocator(5))
        axes.set_ylabel(axis, color=MUTED, fontsize=9.5)
        return svg(figure, "ladder", label)


def _apart(heights: Floats, gap: float) -> Floats:
    """Places for labels at falling heights, `gap` apart at least, each as near to its height as the others allow.

    Neighbours that are too near become one group around the mean of their heights (isotonic regression).
    """
    groups: list[list[float]] = []  # mean of heights + steps, number
    for step, height in enumerate(heights):
        groups.append([float(height) + step * gap, 1.0])
        while len(groups) > 1 and groups[-2][0] < groups[-1][0]:
            mean, count = groups.pop()
            before, many = groups[-1]
            groups[-1] = [(before * many + mean * count) / (many + count), many + count]
    flat = np.concatenate([np.full(int(count), mean) for mean, count in groups])
    return np.asarray(flat - np.arange(len(heights)) * gap, np.float64)


def wheel_plot(summary: Summary, label: str, most: int = 12) -> str:
    """The cyclic part of the payoff matrix: arrows from winners to losers beyond the ladder; "" if there is none.

    At most `most` strategies, those with the largest remainders, stand in the order in which the largest cycle runs.
    """
    game = summary.metagame
    if game is None or len(summary.names) < 3:
        return ""
    rest = np.array([[0.0 if value is None else value for value in row] for row in game.cycles.remainder])
    margins = np.array([[0.0 if value is None else value for value in row] for row in summary.matrix])
    largest = float(np.abs(rest).max())
    if largest <= 1e-9 * float(np.abs(margins).max()):
        return ""
    order = _round_the_wheel(rest, most)
    rest = rest[np.ix_(order, order)]
    n = len(order)
    angles = np.pi / 2 - 2 * np.pi * np.arange(n) / n
    x, y = np.cos(angles), np.sin(angles)
    pairs = [(i, j) for i in range(n) for j in range(n) if rest[i, j] >= 0.12 * largest]
    pairs = sorted(pairs, key=lambda pair: -rest[pair])[: 3 * n]
    with mpl.rc_context(_RC):
        figure = Figure(figsize=(_WIDTH, 4.2))
        axes = figure.add_axes((0.02, 0.02, 0.96, 0.96))
        figure.patch.set_alpha(0)
        axes.set_axis_off()
        axes.set_aspect("equal")
        axes.set_xlim(-2.0, 2.0)
        axes.set_ylim(-1.45, 1.45)
        axes.add_patch(Circle((0, 0), 1.0, fill=False, edgecolor=LINE, linewidth=1.2))
        for i, j in reversed(pairs):
            size = float(rest[i, j] / largest)
            axes.annotate(
                "", (x[j], y[j]), (x[i], y[i]), zorder=2,
                arrowprops={"arrowstyle": "-|>", "color": ACCENT if size > 0.5 else SOFT, "linewidth": 0.6 + 2.6 * size,
                            "shrinkA": 7, "shrinkB": 7, "mutation_scale": 9 + 7 * size},
            )  # fmt: skip
        for k, agent in enumerate(order):
            axes.plot([x[k]], [y[k]], "o", color=ACCENT, markersize=8, markeredgecolor=CARD, zorder=3)
            side = "center" if abs(x[k]) < 0.15 else "left" if x[k] > 0 else "right"
            up = "center" if side != "center" else "bottom" if y[k] > 0 else "top"
            axes.text(1.12 * x[k], 1.13 * y[k], clean_name(summary.names[agent], 22), color=INK, fontsize=10.5, ha=side,
                      va=up)  # fmt: skip
        return svg(figure, "wheel", label)


def _round_the_wheel(rest: Floats, most: int) -> list[int]:
    """Strategies with the largest remainders, the largest on top, in the order in which they beat each other.

    By the angles in the plane that the remainder turns most (its leading eigenvector, Balduzzi et al. 2018).
    """
    size = np.abs(rest).sum(axis=1)
    chosen = sorted(range(len(rest)), key=lambda i: (-round(float(size[i]), 12), i))[:most]
    part = rest[np.ix_(chosen, chosen)]
    vector = np.linalg.eigh(1j * part)[1][:, -1]
    angle = np.angle(vector / vector[0]) % (2 * np.pi)
    angle[0] = 0.0
    turned = sorted(range(1, len(chosen)), key=lambda k: (round(float(angle[k]), 9), k))
    ring = [0, *turned]
    if sum(part[a, b] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)) < 0:
        ring = [0, *turned[::-1]]
    return [chosen[k] for k in ring]


def history_plot(names: Sequence[str], games: Floats, ratings: Sequence[Floats], label: str, axis: str) -> str:
    """Ratings over time as lines, one a player, NaN before its first game; `games` counts all games so far."""
    return lines_plot([(name, games, values) for name, values in zip(names, ratings)], label, axis, "history")


def lines_plot(
    lines: Sequence[tuple[str, Floats, Floats]], label: str, axis: str, prefix: str, t: Phrasebook = ENGLISH
) -> str:
    """Values over something counted as lines, each with its name at its end, the first one the strongest."""
    with mpl.rc_context(_RC):
        figure = Figure(figsize=(_WIDTH, 3.6))
        axes = figure.add_axes((0.1, 0.14, 0.58, 0.82))
        axes.set_facecolor("none")
        figure.patch.set_alpha(0)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
        axes.spines["bottom"].set_color(LINE)
        axes.tick_params(colors=MUTED, labelcolor=MUTED, color=LINE, labelsize=9.5)
        axes.grid(axis="y", color=LINE, linewidth=0.8)
        for k, (_, at, values) in enumerate(lines):
            axes.plot(at, values, color=ACCENT, linewidth=2.2 if k == 0 else 1.2, alpha=1 - 0.6 * k / len(lines))
        last = np.array([float(values[-1]) for _, _, values in lines])
        order = sorted(range(len(lines)), key=lambda k: (-last[k], k))
        low, high = axes.get_ylim()
        places = _apart(last[order], (high - low) * 0.055)
        for k, place in zip(order, places, strict=True):
            axes.annotate(
                clean_name(lines[k][0], 20), (lines[k][1][-1], last[k]), (1.05, place),
                textcoords=axes.get_yaxis_transform(), color=INK, fontsize=9.5, va="center",
                arrowprops={"arrowstyle": "-", "color": LINE, "linewidth": 0.8},
            )  # fmt: skip
        axes.set_ylim(min(low, places[-1]), max(high, places[0]))
        axes.xaxis.set_major_locator(ticker.MaxNLocator(4, integer=True))
        axes.set_xlabel(axis, color=MUTED, fontsize=9.5)
        write_numbers(axes, t)
        return svg(figure, prefix, label)
