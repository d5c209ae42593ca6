"""Books of builds that ship with the package: those of the built-in scenarios, as making them takes minutes.

`python -m probespiel.agents.oneshot.shipped` makes them anew, after a change of what builds are worth to each other.
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
    if not FILE.is_file():  # while they are made anew
        return {}
    with np.load(FILE, allow_pickle=False) as arrays:
        return dict(arrays)


def main() -> None:
    """Make the books of all built-in scenarios, and write them."""
    from ...envs.core.registry import make_game, system_of
    from .books import find_equilibrium, find_reply, plainly
    from .duels import Duels
    from .tries import TRIES, listed

    FILE.unlink(missing_ok=True)
    _all.cache_clear()
    found: dict[str, np.ndarray] = {}
    for scenario in system_of("oneshot-build").scenarios("oneshot-build"):
        base = plainly(make_game("oneshot-build", scenario))
        duels, params = Duels(base), base.spec.params
        best = find_equilibrium(duels)
        made = {
            find_reply.__name__: find_reply(duels),
            find_equilibrium.__name__: best,
            TRIES: listed(duels, best["choices"], best["chances"]),
        }
        for kind, arrays in made.items():
            found |= {f"{name_of(kind, params)}/{name}": array for name, array in arrays.items()}
    np.savez_compressed(FILE, **found)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()


__all__ = ["FILE", "main", "name_of", "shipped"]
