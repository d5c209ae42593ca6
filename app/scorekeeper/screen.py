"""The screen of Scorekeeper: a metre line with the fighters, what they have declared, wounds, and chances to hit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...envs.scorekeeper.text import CLASS_TEXTS
from ..web.screens import Drawn, Screen, Sight
from .aim import aims
from .fight import Fight

_WIDTH, _EDGE, _ROW, _NAME = 720, 30, 28, 110  # of the drawing, and room for a name
_NUMBER = 11  # half the room for the number of an arrow


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


def _line(fight: Fight, fighters: list[dict[str, Any]], order: list[str]) -> dict[str, Any]:
    """The metre line: where everybody stands, ticks, and an arrow for each declaration at somebody."""
    low = min(f["metre"] for f in fighters)
    high = max(f["metre"] for f in fighters)
    span = max(4, high - low)
    low = max(0, min(low - 2, fight.length - span - 2))
    high = low + span + 4
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200) if (high - low) / s <= 12)

    def x(metre: float) -> float:
        return round(_EDGE + (metre - low) * (_WIDTH - 2 * _EDGE) / (high - low), 1)

    marks: list[dict[str, Any]] = []
    for f in fighters:  # one above the other where their names would touch
        near = {mark["level"] for mark in marks if abs(mark["x"] - x(f["metre"])) < _NAME}
        level = next(n for n in range(len(fighters)) if n not in near)
        marks.append({**f, "x": x(f["metre"]), "level": level, "left": x(f["metre"]) > _WIDTH - _NAME})
    depth = 1 + max(mark["level"] for mark in marks)
    base = 56 + _ROW * depth
    blocks = dict(zip(sorted(fight.at), marks))
    arrows = []
    for mark in marks:
        other = blocks.get(mark["target"])
        if other is not None and other is not mark:
            y1, y2 = base - 14 - _ROW * mark["level"], base - 14 - _ROW * other["level"]
            gap = 12 if other["x"] >= mark["x"] else -12
            middle = round((mark["x"] + other["x"]) / 2, 1)
            top = min(y1, y2) - 30
            while any(_touch(middle, _middle(y1, y2, top), arrow) for arrow in arrows):
                top -= 10  # numbers do not lie on each other, nor do arrows of one pair
            path = f"M{mark['x'] + gap} {y1 - 9} Q{middle} {top} {other['x'] - gap} {y2 - 9}"
            label = {"x": middle, "y": _middle(y1, y2, top)}
            number_of = order.index(mark["name"]) + 1 if mark["name"] in order else 0
            arrows.append({"path": path, "foe": mark["foe"], "number": number_of, **label})
    return {
        "width": _WIDTH,
        "top": min([0.0, *(arrow["y"] - _NUMBER for arrow in arrows)]),
        "height": base + 34,
        "base": base,
        "left": _EDGE,
        "right": _WIDTH - _EDGE,
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
        "line": _line(fight, fighters, [one["name"] for one in declared]),
        "declared": declared,
        "aims": aimed,
        "classes": CLASS_TEXTS[sight.lang],
        "fighters": fighters,
        "order": [f["name"] for f in order],
    }
    placed = [zone["choice"] for one in aimed for zone in one["zones"]]
    return Drawn.of(values, placed)


SCREEN = Screen(draw, keyless=("melee", "run", "shoot"))
