"""How environments show a game: as a text, on the screen or in the caller's hands, or as a picture of that text."""

from __future__ import annotations

import textwrap

import gymnasium
import numpy as np

from .brief import brief
from .errors import ProbespielError

RENDER_MODES = ("human", "ansi", "rgb_array")
WIDTH, HEIGHT = 800, 600  # pixels of a picture, which is as large for any text, as videos want it
LARGEST = 12.0  # points of its letters, where there is room
COLUMNS = 110  # beyond which a line is broken
DOTS = 100  # pixels an inch, of which 72 points are one
WIDE, HIGH = 0.602, 1.2  # a letter and a line of the font, in its size


def check_render_mode(mode: object) -> None:
    """Raise ProbespielError for what is no mode; None is: nothing is shown."""
    if mode is not None and mode not in RENDER_MODES:
        raise ProbespielError(f"render_mode = {brief(mode)} is not allowed: None, {', '.join(RENDER_MODES)}")


def warn_of_no_mode() -> None:
    """Say as gymnasium does that there is nothing to be shown."""
    gymnasium.logger.warn("render() was called, but the environment was made without a render_mode.")


def picture_of(text: str) -> np.ndarray:
    """A text as it stands, uint8[600, 800, 3]: letters shrink until all of it is there."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # takes half a second, for those who want pictures
    from matplotlib.figure import Figure

    lines = [part for line in text.splitlines() for part in textwrap.wrap(line, COLUMNS, drop_whitespace=False) or [""]]
    points = 72 / DOTS
    size = min(
        LARGEST,
        0.96 * WIDTH * points / (WIDE * max(map(len, lines), default=1)),
        0.96 * HEIGHT * points / (HIGH * max(len(lines), 1)),
    )
    figure = Figure(figsize=(WIDTH / DOTS, HEIGHT / DOTS), dpi=DOTS)
    canvas = FigureCanvasAgg(figure)
    figure.text(
        0.02, 0.98, "\n".join(lines), size=size, family="monospace", va="top", linespacing=HIGH, parse_math=False
    )  # fmt: skip
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()


__all__ = ["RENDER_MODES", "check_render_mode", "picture_of", "warn_of_no_mode"]
