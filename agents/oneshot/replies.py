"""Builds that answer those that somebody was seen to choose."""

from __future__ import annotations

import numpy as np

from ...envs.core.game import Game
from ...envs.oneshot.state import STAGES
from .books import LIST, SAMPLE, STARTS, best_reply, plainly, uniform_builds, unlike, worths
from .duels import Duels

FEW = 12  # kinds of builds up to which replies are looked for from several starts


def replies(game: Game, seen: np.ndarray) -> list[np.ndarray]:
    """Builds int64[STAGES] against the mixture of those seen, int64[m, STAGES], by exact duels, the best first.

    Each is bettered stage by stage until nothing is gained. The fewer kinds are seen, the more such searches there are,
    from builds of different perks: uniform ones and those seen. Of many kinds only the first `SAMPLE` lines count.
    Duels are those of the rules without modules. None where a module asks for more than builds.
    """
    if seen.shape[1] != STAGES:
        return []
    plain = plainly(game)
    duels = Duels(plain)
    figures = duels.figures(seen)
    if len(np.unique(figures, axis=0)) > SAMPLE:
        figures = figures[:SAMPLE]
    against, counts = np.unique(figures, axis=0, return_counts=True)
    chances = counts / counts.sum()
    builds = np.concatenate([uniform_builds(plain, LIST, 3), np.unique(seen, axis=0)])
    starts = unlike(builds, worths(duels, builds, against, chances))
    tried = min(STARTS, max(1, STARTS * FEW // len(against)))
    found = [best_reply(duels, against, chances, start[None, :]) for start in starts[:tried]]
    return [build for build, _ in sorted(found, key=lambda reply: -reply[1])]


__all__ = ["replies"]
