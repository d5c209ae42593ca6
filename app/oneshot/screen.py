"""The screens of OneShot: a skirmish on a ground to click on; talks and builds have files of their own beside this."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..web.screens import Drawn, Screen, Sight, hot, number
from .build import draw as draw_build
from .talk import draw as draw_talk

ELSEWHERE = {"oneshot-parley": draw_talk, "oneshot-build": draw_build}  # games with a file of their own
CELL = 40  # of the drawing
STATUS = (("up", "steht"), ("unconscious", "bewusstlos"), ("dead", "tot"))
EDGES = (("intimidated", "eingeschüchtert"), ("feinted", "getäuscht"), ("appeased", "beschwichtigt"))
_STEP = re.compile(r"(-?\d+),(-?\d+)")


def _figures_by_row(sight: Sight) -> dict[int, int]:
    """Which figure stands in which row of the piece `figures`: oneself, allies, enemies, in seat order.

    Oneself is the figure on turn if it is the seat's (marked in the told position), else the seat's first.
    """
    params = sight.game.params
    names = sight.game.spec.texts.names  # type: ignore[attr-defined]
    own = [i for i in range(int(params.n)) if params.seat_of[i] == sight.seat]
    turn = [line[2:].split(" ", 1)[-1].strip() for line in sight.told.splitlines() if line.startswith(">")]
    me = next((i for i in own if any(text.startswith(f"{names[i]} ") for text in turn)), own[0])
    team = next(t for t in range(2) if params.first[t] <= me < params.first[t] + params.members[t])
    mine = range(int(params.first[team]), int(params.first[team] + params.members[team]))
    foes = range(int(params.first[1 - team]), int(params.first[1 - team] + params.members[1 - team]))
    return dict(enumerate([me, *(i for i in mine if i != me), *foes]))


def _figure(sight: Sight, row: np.ndarray, index: int) -> dict[str, Any]:
    foe = not (row[1] == 1.0 or row[2] == 1.0)
    limit = number(row[12], 8)
    return {
        "name": sight.game.spec.texts.names[index],  # type: ignore[attr-defined]
        "me": bool(row[1] == 1.0),
        "foe": foe,
        "status": max(0, hot(row[3:6])),
        "x": number(row[6], 24),
        "y": number(row[7], 24),
        "span": max(1, number(row[10], 4)),
        "wounds": number(row[11], 8),
        "limit": limit or "?",
        "attack": number(row[14], 8) if limit else None,
        "defence": number(row[15], 12) if limit else None,
        "due": number(row[19], 16) if row[18] > 0 else None,
        "saga": number(row[43], 10),
        "moved": bool(row[53] == 1.0),
        "acted": bool(row[54] == 1.0),
    }


def _ground(sight: Sight, figures: list[dict[str, Any]]) -> dict[str, Any]:
    """Walls, cover, figures, and a button for each cell that a move leads to; the drawing has north above."""
    walls, cover = sight.pieces["map"]
    height, width = walls.shape

    def top(y: float, cells: float = 1) -> float:
        return (height - y - cells) * CELL

    me = next(figure for figure in figures if figure["me"])
    moves = []
    for choice in sight.of_verb("move"):
        step = _STEP.fullmatch(choice.target)
        if step is not None:
            x, y = me["x"] + int(step[1]), me["y"] + int(step[2])
            moves.append({"choice": choice, "x": x * CELL, "y": top(y), "place": f"{x},{y}"})
    return {
        "width": width * CELL,
        "height": height * CELL,
        "cell": CELL,
        "lines_x": [x * CELL for x in range(width + 1)],
        "lines_y": [y * CELL for y in range(height + 1)],
        "walls": [{"x": int(x) * CELL, "y": top(int(y))} for y, x in zip(*np.nonzero(walls))],
        "cover": [{"x": int(x) * CELL, "y": top(int(y))} for y, x in zip(*np.nonzero(cover))],
        "figures": [
            {
                **figure,
                "cx": (figure["x"] + figure["span"] / 2) * CELL,
                "cy": top(figure["y"], figure["span"]) + figure["span"] * CELL / 2,
                "r": figure["span"] * CELL / 2 - 4,
                "letter": figure["name"].rpartition("_")[2][:2],
            }
            for figure in figures
            if figure["status"] != 2
        ],
        "moves": moves,
        "columns": [{"x": (x + 0.5) * CELL, "text": x} for x in range(width)],
        "rows": [{"y": top(y) + CELL / 2, "text": y} for y in range(height)],
    }


def _edges(sight: Sight, rows: dict[int, int]) -> list[str]:
    names = sight.game.spec.texts.names  # type: ignore[attr-defined]
    found = []
    for kind, a, b in zip(*np.nonzero(sight.pieces["edges"] > 0)):
        if int(a) in rows and int(b) in rows:
            left = number(sight.pieces["edges"][kind, a, b], 10)
            by = sight.pick("by", "von")
            found.append(f"{names[rows[int(b)]]}: {sight.pick(*EDGES[int(kind)])} {by} {names[rows[int(a)]]} ({left})")
    return found


def draw(sight: Sight) -> Drawn | None:
    """The values of the template; None for a fight by words alone (moves without a place on the ground)."""
    if sight.game.name in ELSEWHERE:
        return ELSEWHERE[sight.game.name](sight)
    rows = _figures_by_row(sight)
    data = sight.pieces["figures"]
    figures = [_figure(sight, data[row], index) for row, index in rows.items() if row < len(data) and data[row, 0]]
    if not any(figure["me"] for figure in figures):
        return None
    ground = _ground(sight, figures)
    coming = sorted((f for f in figures if f["due"] is not None and f["status"] == 0), key=lambda f: f["due"])
    values = {
        "kind": "ground",
        "head": sight.told.partition("\n")[0],
        "figures": figures,
        "ground": ground,
        "coming": coming,
        "edges": _edges(sight, rows),
        "status": [sight.pick(*words) for words in STATUS],
    }
    return Drawn.of(values, [move["choice"] for move in ground["moves"]])


SCREEN = Screen(draw, games=("oneshot-skirmish", *ELSEWHERE), keyless=("move",))
