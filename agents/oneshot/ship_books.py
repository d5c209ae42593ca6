"""Makes the books of builds that ship, for all built-in scenarios: `python -m probespiel.agents.oneshot.ship_books`."""

from __future__ import annotations

import numpy as np

from ...envs.core.registry import make_game, system_of
from .books import find_equilibrium, find_reply, plainly
from .duels import Duels
from .shipped import FILE, name_of
from .tries import TRIES, listed

GAME = "oneshot-build"


def main() -> None:
    """Make the books anew, from nothing that was kept, and write them; takes minutes."""
    found: dict[str, np.ndarray] = {}
    for scenario in system_of(GAME).scenarios(GAME):
        base = plainly(make_game(GAME, scenario))
        duels, params = Duels(base), base.spec.params
        reply = find_reply(duels)
        best = find_equilibrium(duels, reply["choices"])
        lists = listed(duels, best["choices"], best["chances"])
        for kind, arrays in ((find_reply.__name__, reply), (find_equilibrium.__name__, best), (TRIES, lists)):
            found |= {f"{name_of(kind, params)}/{name}": array for name, array in arrays.items()}
    np.savez_compressed(FILE, **found)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()


__all__ = ["main"]
