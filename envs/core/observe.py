"""Named pieces of an observation: their order gives the offsets, the space, views by name and the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np

from .errors import RulesetError


class Part(NamedTuple):
    """One number of a row of an observation: what it is, and what 1.0 stands for."""

    name: str
    unit: float = 1.0


def parts(text: str) -> tuple[Part, ...]:
    """Parts from a list of names between commas, each followed by its unit after a stroke: ``ep / 8, passed``."""
    found = []
    for item in text.split(", "):
        name, _, unit = item.partition("/")
        found.append(Part(name.strip(), float(unit) if unit else 1.0))
    return tuple(found)


@dataclass(frozen=True)
class Piece:
    """One named block of an observation: shape, range of its values, and what they mean.

    `parts` say what the numbers of the last axis are, where they are not all of one kind. `unit` is what 1.0 stands for
    where they are.
    """

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    doc: str
    parts: tuple[Part, ...] = ()
    unit: float = 1.0

    def __post_init__(self) -> None:
        if self.parts and len(self.parts) != self.shape[-1]:
            raise RulesetError(
                f"observation piece {self.name!r}: {len(self.parts)} parts are named, but a row has {self.shape[-1]}"
            )

    def number(self, index: int) -> Part:
        """What one of its values is, by its index in the flat piece, with the rows before it in brackets."""
        if self.size == 1:
            return self.parts[0]._replace(name=self.name) if self.parts else Part(self.name, self.unit)
        width = self.shape[-1]
        rows = [int(at) for at in np.unravel_index(index // width, self.shape[:-1])] if len(self.shape) > 1 else []
        place = "".join(f"[{row}]" for row in rows)
        if self.parts:
            part = self.parts[index % width]
            return part._replace(name=f"{self.name}{place}.{part.name}")
        return Part(f"{self.name}{place}[{index % width}]", self.unit)

    @property
    def size(self) -> int:
        """Number of float32 values."""
        return prod(self.shape)


class Layout:
    """The ordered pieces of an observation vector (float32[size])."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = tuple(pieces)
        self.offsets: dict[str, int] = {}
        offset = 0
        for piece in self.pieces:
            if piece.name in self.offsets:
                raise RulesetError(f"observation piece {piece.name!r} is declared twice")
            self.offsets[piece.name] = offset
            offset += piece.size
        self.size = offset

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest values, float32[size] each."""
        low = np.concatenate([np.full(p.size, p.low, np.float32) for p in self.pieces])
        high = np.concatenate([np.full(p.size, p.high, np.float32) for p in self.pieces])
        return low, high

    def view(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """The pieces of an observation (float32[..., size]) by name, shaped, without copying."""
        return {
            p.name: observation[..., self.offsets[p.name] : self.offsets[p.name] + p.size].reshape(
                *observation.shape[:-1], *p.shape
            )
            for p in self.pieces
        }

    def check(self, observation: np.ndarray) -> None:
        """Raise RulesetError naming the piece of the first value out of its declared range (or not finite)."""
        low, high = self.bounds()
        bad = np.flatnonzero(~((observation >= low) & (observation <= high)))
        if len(bad):
            index = int(bad[0])
            piece = next(p for p in reversed(self.pieces) if self.offsets[p.name] <= index)
            raise RulesetError(
                f"observation piece {piece.name!r}, value {index - self.offsets[piece.name]}: "
                f"{observation[index]!r} is outside {piece.low}..{piece.high}"
            )

    def table(self) -> list[tuple[str, str, str, str]]:
        """Rows (name, shape, range, doc) for documentation."""
        return [(p.name, " x ".join(map(str, p.shape)), f"{p.low:g}..{p.high:g}", p.doc) for p in self.pieces]
