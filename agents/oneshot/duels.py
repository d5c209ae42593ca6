"""Stationary duels of OneShot between many characters, exactly and compiled (section 7.5 of its specification)."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ...envs.core.build import Function, build_function
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game
from ...envs.oneshot.state import DUELLIST, STAGES
from ..native_kernel import call_unlocked
from . import duel_kernel as kernel

GLUE = f"""
def duels(op, s_address, p_address, n, block_address, out_address):
    block = int64_at(block_address, 4)
    p = params_at(p_address)
    if op == 0:
        derive_all(state_at(s_address), p, n, int64_at(block[0], n * {STAGES}), int64_at(out_address, n * {DUELLIST}))
    else:
        figures = int64_at(block[1], block[2] * {DUELLIST})
        play_all(p, block[3], n, int64_at(block[0], 2 * n), figures, float64_at(out_address, 3 * n))
    return 0
"""
CHUNK = 64  # duels that a thread takes at once
_BUILT: dict[str, Function] = {}


class Duels:
    """Duels under the rules of a build game: characters by their ten choices, results by pairs."""

    def __init__(self, game: Game) -> None:
        """Compile; raises ProbespielError for another game."""
        if game.name != "oneshot-build":
            raise ProbespielError(f"game {game.name!r}: duels of builds belong to oneshot-build")
        self.game = game
        key = f"{game.kernel.key} {game.kernel.compiled}"
        if key not in _BUILT:
            names = {"derive_all": kernel.derive_all, "play_all": kernel.play_all}
            _BUILT[key] = build_function(game.kernel, game.spec.sources, (kernel,), GLUE, "duels", -1, names)
        self._built = _BUILT[key]
        self._state = np.zeros(game.state_size, dtype=np.uint8)

    def figures(self, choices: np.ndarray) -> np.ndarray:
        """What duels need of characters: int64[n, DUELLIST] of their choices int64[n, STAGES]."""
        given = np.ascontiguousarray(choices, dtype=np.int64)
        out = np.zeros((len(given), DUELLIST), dtype=np.int64)
        self._call(0, len(given), np.array([given.ctypes.data, 0, 0, 0], dtype=np.int64), out)
        return out

    def play(self, figures: np.ndarray, pairs: np.ndarray, limit: int | None = None) -> np.ndarray:
        """Chances of win, loss, draw, float64[n, 3], of the first figure of each pair int64[n, 2].

        `figures` int64[m, DUELLIST]; `limit`: the last count, that of the game if None.
        """
        who = np.ascontiguousarray(figures, dtype=np.int64)
        two = np.ascontiguousarray(pairs, dtype=np.int64)
        if len(two) and not (two.min() >= 0 and two.max() < len(who)):
            raise ProbespielError(f"pairs: numbers of figures 0..{len(who) - 1} are needed")
        count = int(self.game.params.max_count) if limit is None else limit
        out = np.zeros((len(two), 3))
        block = np.array([two.ctypes.data, who.ctypes.data, len(who), count], dtype=np.int64)
        self._call(1, len(two), block, out)
        return out

    def matrix(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """P(win) - P(loss), float64[n, m], of figures int64[n, DUELLIST] against figures int64[m, DUELLIST].

        All processors play them.
        """
        who = np.concatenate([rows, columns])
        first, second = np.meshgrid(np.arange(len(rows)), len(rows) + np.arange(len(columns)), indexing="ij")
        pairs = np.stack([first.ravel(), second.ravel()], axis=1)
        parts = [pairs[k : k + CHUNK] for k in range(0, len(pairs), CHUNK)]
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            found = np.concatenate([np.zeros((0, 3)), *pool.map(lambda part: self.play(who, part), parts)])
        return (found[:, 0] - found[:, 1]).reshape(len(rows), len(columns))

    def _call(self, op: int, n: int, block: np.ndarray, out: np.ndarray) -> None:
        s, p = self._state.ctypes.data, self.game.params_address
        call_unlocked(self._built.address, op, s, p, a=n, b=block.ctypes.data, out=out.ctypes.data)
        if self._built.pending:
            raise self._built.pending.pop(0)


__all__ = ["Duels"]
