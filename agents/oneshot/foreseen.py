"""What an option of the build game is worth against who builds as the equilibrium does, by the exact odds of duels."""

from __future__ import annotations

import time

import numpy as np

from ...envs.core.game import Game
from ...envs.oneshot.state import STAGES
from ..base import View
from .books import equilibrium_book, find_equilibrium, plainly, variants, worths
from .duels import Duels
from .shipped import shipped

ROUNDS = 6  # times that an option's build is bettered in all its later stages, at most


class Ahead:
    """What lies behind the options of one game: its duels, and the book of the equilibrium."""

    def __init__(self, game: Game) -> None:
        self.plain = plainly(game)
        self.duels, self.book = Duels(self.plain), equilibrium_book(game)
        self.against = self.duels.figures(self.book.choices)

    def worths(self, builds: np.ndarray) -> np.ndarray:
        """Mean payoffs, float64[n], of builds int64[n, STAGES]."""
        return worths(self.duels, builds, self.against, self.book.chances)


_AHEAD: dict[tuple[str, bytes], Ahead | None] = {}


def _ahead_of(game: Game) -> Ahead | None:
    """What is known of a game's builds; None where they are fought out, modules change them, or no book ships."""
    if not game.kernel.compiled:  # interpreted rules take half a second for each duel
        return None
    key = game.ruleset, game.spec.params.tobytes()
    if key not in _AHEAD:
        plain = plainly(game)
        known = (plain.ruleset, plain.spec.params.tobytes()) == key
        known = known and shipped(find_equilibrium.__name__, plain.spec.params) is not None
        _AHEAD[key] = Ahead(game) if known else None
    return _AHEAD[key]


def foreseen(game: Game, view: View, seconds: float | None = None) -> dict[int, float] | None:
    """What the best build found behind each option earns from the equilibrium's builds; None where that is unknown.

    The best ones come first, of equal ones those that the book takes most. It is known where builds fight by their
    odds, without modules, and a book ships for the rules. Each option begins with the builds of the book that are
    nearest to what was chosen; then the builds of the best options are bettered stage by stage, until nothing is gained
    or the time is over, so that no value is higher than that of the best build there is.
    """
    end = None if seconds is None else time.monotonic() + seconds
    ahead = _ahead_of(game)
    if ahead is None:
        return None
    chosen = [int(row.argmax()) for row in game.layout.view(view.observation)["choices"] if row.any()]
    stage = len(chosen)
    starts = np.array([begun(ahead, chosen, build) for build in ahead.book.choices])
    # every option is tried with the build that the book takes most, however long it takes; the others if there is time
    around = [variants(ahead.plain, starts[i], stage) for i in np.argsort(-ahead.book.chances, kind="stable")]
    best: dict[int, tuple[float, np.ndarray]] = {}
    for part in (np.concatenate([starts, around[0]]), *around[1:]):
        if best and end is not None and time.monotonic() > end:
            break
        for build, worth in zip(part, ahead.worths(part), strict=True):
            option = int(build[stage])
            if option not in best or worth > best[option][0]:
                best[option] = float(worth), build
    _better(ahead, best, stage, end)
    likely = {option: float(ahead.book.chances[starts[:, stage] == option].sum()) for option in best}
    return {o: best[o][0] for o in sorted(best, key=lambda o: (-round(best[o][0], 6), -likely[o], o))}


def begun(ahead: Ahead, first: list[int], build: np.ndarray) -> np.ndarray:
    """A build that begins with some choices and goes on like another one, as far as it may."""
    position, out = ahead.plain.position(), build.copy()
    for stage in range(STAGES):
        legal = position.legal(0)
        wanted = first[stage] if stage < len(first) else int(build[stage])
        out[stage] = wanted if wanted in legal else legal[-1]
        if stage < STAGES - 1:
            position.apply(0, int(out[stage]))
            position.apply(1, position.legal(1)[0])
    return out


def _better(ahead: Ahead, best: dict[int, tuple[float, np.ndarray]], stage: int, end: float | None) -> None:
    """Better the builds of the options, those that are worth the most first, in their later stages."""
    settled: set[int] = set()
    for _ in range(ROUNDS):
        for option in sorted(best, key=lambda option: -best[option][0])[:ROUNDS]:
            before = best[option][0]
            for later in range(stage + 1, STAGES) if option not in settled else ():
                if end is not None and time.monotonic() > end:
                    return
                worth, build = best[option]
                around = variants(ahead.plain, build, later)
                values = ahead.worths(around) if len(around) else np.array([worth])
                if float(values.max()) > worth + 1e-9:
                    best[option] = float(values.max()), around[int(values.argmax())]
            if best[option][0] <= before:
                settled.add(option)


__all__ = ["begun", "foreseen"]
