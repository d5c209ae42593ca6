"""The screen of Scorekeeper: a metre line with the fighters, what they have declared, wounds, and chances to hit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from ...envs.scorekeeper.text import CLASS_TEXTS
from ..web.screens import Drawn, Screen, Sight
from .aim import aims
from .fight import Fight

_WIDTHS = {"wide": 720, "narrow": 340}  # of the drawing: on a phone nothing of it is to lie beside the screen
_EDGE, _ROW, _NAME = 30, 28, 110  # its margin, the height of a row, and room for a name
_HEAD = 11  # half the room for a figure
_TICK = 48  # room for the number of a tick
_NUMBER = 11  # half the room for the number of an arrow
_BESIDE, _LETTER = 13, 7.5  # where a name begins beside its figure, and room for a letter of it


def _declarations(sight: Sight) -> list[dict[str, str]]:
    """Who has declared what in this round, in that order."""
    found: list[dict[str, str]] = []
    for line in sight.events:
        told = re.fullmatch(r"(.+?) (?:declares|erklärt): (.+)", line)
        if line.startswith("--- "):
            found = []
        elif told is not None:
            found.append({"name": told[1], "text": told[2]})
    return found


def _middle(y1: float, y2: float, top: float) -> float:
    """The height of an arrow's number: the middle of its curve."""
    return round((y1 + y2 - 18) / 4 + top / 2, 1)


def _touch(x: float, y: float, arrow: Mapping[str, Any]) -> bool:
    """Whether a number would touch that of another arrow."""
    return abs(arrow["x"] - x) < 2 * _NUMBER and abs(arrow["y"] - y) < 2 * _NUMBER


def _on_mark(x: float, y: float, mark: Mapping[str, Any], height: float) -> bool:
    """Whether a number would lie on a figure at that height or on its name."""
    room = _BESIDE + _LETTER * len(mark["name"])
    low, high = (mark["x"] - room, mark["x"] + _HEAD) if mark["left"] else (mark["x"] - _HEAD, mark["x"] + room)
    return low - _NUMBER < x < high + _NUMBER and abs(y - height) < _HEAD + _NUMBER


def _gap(apart: float, right: bool) -> float:
    """How far to the right of a figure an arrow to another, so far apart, begins, and to the left of that it ends.

    Never so that its ends meet: it would go up and down on one line. Those to the left begin and end further in, so
    that two figures that aim at each other have two arrows.
    """
    most, least = (12, 24) if right else (6, 36)
    gap = round(min(most, (apart - least) / 2), 1)
    return gap if right else -gap


def _apart(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """How far two figures with their names lie from each other; below 0 they touch."""
    (low, high), (first, last) = (
        (mark["x"] - _NAME, mark["x"] + _HEAD) if mark["left"] else (mark["x"] - _HEAD, mark["x"] + _NAME)
        for mark in (one, other)
    )
    return max(low - last, first - high)


def _line(fight: Fight, fighters: list[dict[str, Any]], order: list[str], width: int) -> dict[str, Any]:
    """The metre line, so many units wide: where everybody stands, and an arrow for each declaration at somebody."""
    low = min(f["metre"] for f in fighters)
    high = max(f["metre"] for f in fighters)
    span = max(4, high - low)
    low = max(0, min(low - 2, fight.length - span - 2))
    high = low + span + 4
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200) if (high - low) / s <= width // _TICK)

    def x(metre: float) -> float:
        return round(_EDGE + (metre - low) * (width - 2 * _EDGE) / (high - low), 1)

    marks: list[dict[str, Any]] = []
    for f in fighters:  # one above the other where their names would touch
        mark = {**f, "x": x(f["metre"]), "left": x(f["metre"]) > width - _NAME}
        near = {other["level"] for other in marks if _apart(mark, other) < 0}
        marks.append({**mark, "level": next(n for n in range(len(fighters)) if n not in near)})
    depth = 1 + max(mark["level"] for mark in marks)
    base = 56 + _ROW * depth
    blocks = dict(zip(sorted(fight.at), marks))
    heights = [base - 14 - _ROW * mark["level"] for mark in marks]

    def taken(x: float, y: float) -> bool:
        """Whether a number or a name lies there."""
        return any(_touch(x, y, arrow) for arrow in arrows) or any(map(partial(_on_mark, x, y), marks, heights))

    arrows: list[dict[str, Any]] = []
    for mark in marks:
        other = blocks.get(mark["target"])
        if other is not None and other is not mark:
            y1, y2 = base - 14 - _ROW * mark["level"], base - 14 - _ROW * other["level"]
            right = (other["x"], other["level"]) > (mark["x"], mark["level"])  # on one spot one is above
            gap = _gap(abs(other["x"] - mark["x"]), right)
            middle = round((mark["x"] + other["x"]) / 2, 1)
            top = min(y1, y2) - 30
            while taken(middle, _middle(y1, y2, top)):
                top -= 10  # numbers do not lie on each other, nor on names, nor do arrows of one pair
            path = f"M{mark['x'] + gap:g} {y1 - 9} Q{middle} {top} {other['x'] - gap:g} {y2 - 9}"
            label = {"x": middle, "y": _middle(y1, y2, top)}
            number_of = order.index(mark["name"]) + 1 if mark["name"] in order else 0
            arrows.append({"path": path, "foe": mark["foe"], "number": number_of, **label})
    return {
        "width": width,
        "top": min([0.0, *(arrow["y"] - _NUMBER for arrow in arrows)]),
        "height": base + 34,
        "base": base,
        "left": _EDGE,
        "right": width - _EDGE,
        "row": _ROW,
        "ticks": [{"x": x(m), "metre": m} for m in range(-(-low // step) * step, high + 1, step)],
        "marks": marks,
        "arrows": arrows,
    }


def draw(sight: Sight) -> Drawn | None:
    """The values of the template."""
    fight = Fight(sight)
    fighters = [fight.fighter(block) for block in sorted(fight.at)]
    order = sorted((f for f in fighters if f["place"]), key=lambda f: f["place"])
    declared = _declarations(sight)
    aimed = aims(fight)
    values = {
        "head": sight.head,
        "lines": {
            kind: _line(fight, fighters, [one["name"] for one in declared], width) for kind, width in _WIDTHS.items()
        },
        "declared": declared,
        "aims": aimed,
        "classes": CLASS_TEXTS[sight.lang],
        "fighters": fighters,
        "order": [f["name"] for f in order],
    }
    placed = [zone["choice"] for one in aimed for zone in one["zones"]]
    return Drawn.of(values, placed)


SCREEN = Screen(draw, keyless=("melee", "run", "shoot"))
