"""What lies outside of its range where an observation does: the number of the rules, and where the module writes it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ...envs.core.fields import Number
from ...envs.core.game import Game
from ...envs.core.modules.check import source_of
from ...envs.core.observe import Layout
from .drawing import drawn
from .lab import Lab, source_of_module


def out_of_range(lab: Lab, made: Game, dice: np.ndarray, decisions: Sequence[Sequence[int]]) -> str:
    """What is out of its range after some decisions (seat, action) of a game of wilful play; "" if nothing is found.

    `dice` uint64[1]: the generator that the game began with.
    """
    rng = dice.copy()
    drawn(rng)  # the choices have a generator of their own, seeded first
    position = made.position()
    position.roll(rng)
    for decision in decisions:
        position.apply(*(int(part) for part in decision))
        position.roll(rng)
    found = astray(position.record, lab.bench.system.interface.state, source_of_module(lab.bench))
    views = (piece_astray(position.observe(seat), made.layout) for seat in position.to_act())
    return found or next(filter(None, views), "")


def astray(record: Any, numbers: Sequence[Number], module: ModuleType) -> str:
    """The first number of a position outside of its values, in words; first those that the module writes; "" if none.

    `numbers` are those of the rules, with the values that they may have; `module` is the file of the rule module.
    """
    written = _written(module)
    found: dict[str, str] = {}
    for number in numbers:
        values = np.atleast_1d(np.asarray(getattr(record, number.name)))
        wrong = np.argwhere(~((values >= number.values.low) & (values <= number.values.high)))
        if not len(wrong):
            continue
        at = tuple(int(i) for i in wrong[0])
        name = f"s.{number.name}{''.join(f'[{i}]' for i in at) if number.shape else ''}"
        value = f"{values[at]:,}".replace("-", "−")
        found[number.name] = f"{name} ({number.meaning}) is {value}, its values are {number.values.text}"
    for name, text in found.items():
        if name in written:
            lines = ", ".join(map(str, written[name]))
            return f"{text}; it is written in {Path(module.__file__ or '').name}:{lines}"
    return next(iter(found.values()), "")


def piece_astray(seen: np.ndarray, layout: Layout) -> str:
    """The first value of an observation that its piece does not hold, in words; "" if all do."""
    low, high = layout.bounds()
    bad = np.flatnonzero(~((seen >= low) & (seen <= high)))
    if not len(bad):
        return ""
    index = int(bad[0])
    piece = next(p for p in reversed(layout.pieces) if layout.offsets[p.name] <= index)
    return f"piece {piece.name} holds {seen[index]:g}, its range is {piece.low:g} to {piece.high:g}".replace("-", "−")


def _written(module: ModuleType) -> dict[str, list[int]]:
    """Fields of the state that the file of a module assigns to, with the lines in which it does."""
    out: dict[str, list[int]] = {}
    for node in ast.walk(ast.parse(source_of(module))):
        if not isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            for part in target.elts if isinstance(target, ast.Tuple) else [target]:
                while isinstance(part, ast.Subscript):
                    part = part.value
                if isinstance(part, ast.Attribute) and node.lineno not in out.setdefault(part.attr, []):
                    out[part.attr].append(node.lineno)
    return out


__all__ = ["astray", "out_of_range", "piece_astray"]
