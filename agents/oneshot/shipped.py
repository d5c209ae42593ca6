"""Books of builds that ship with the package: those of the built-in scenarios, as making them takes minutes.

`python -m probespiel.agents.oneshot.ship_books` makes them anew, after a change of what builds are worth to each other.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ...envs.core.jit import digest

FILE = Path(__file__).with_name("books.npz")


def name_of(kind: str, params: Any) -> str:
    """What a book of that kind is called, made by rules of these parameters (a record)."""
    return f"{kind}-{digest([params.tobytes().hex()])}"


def shipped(kind: str, params: Any) -> dict[str, np.ndarray] | None:
    """The arrays of a book that ships, by name; None for rules of which none does."""
    begin = f"{name_of(kind, params)}/"
    found = {name.removeprefix(begin): array for name, array in _all().items() if name.startswith(begin)}
    return found or None


@cache
def _all() -> dict[str, np.ndarray]:
    with np.load(FILE, allow_pickle=False) as arrays:
        return dict(arrays)


__all__ = ["FILE", "name_of", "shipped"]
