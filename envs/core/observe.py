"""Named pieces of an observation: their order gives the offsets, the space, views by name and the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from .errors import RulesetError


@dataclass(frozen=True)
class Piece:
    """One named block of an observation: shape, range of its values, and what they mean."""

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    doc: str

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
