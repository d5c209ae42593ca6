"""Builders who compare some builds and take the best: the more they compare, the better they build."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...envs.core.abi import float64_at, int64_at
from ...envs.core.game import Game
from ...envs.core.jit import digest, kernel, source_digest
from ...envs.core.kept import kept_arrays
from ...envs.oneshot.state import OPTIONS_MAX, STAGES
from .books import equilibrium_book, options_at, plainly, uniform_builds
from .build import begins_like, drawn_from, stage_weights
from .duels import Duels
from .shipped import shipped

UNIFORM = 64  # builds of the list that are uniform
LIKE = 48  # others, which share from one choice to nearly all with the best
EACH = 16  # of both kinds, against which all are compared
AS_GOOD = 1e-3  # a game: a build that loses no more to the equilibrium is not told from it
TRIES = "tries"  # what such a list is called where it is kept or ships
HEAD = 4  # number of builds, addresses of their choices, of their ranks and of their shares
_LISTS: dict[str, Ranked] = {}


class Ranked:
    """Builds from the worst to the best at addresses that compiled code can use.

    `ranks` float64[n, 2]: the share of the list that is worse, and that is not better; the builds of the equilibrium
    are one rank, of which `shares` float64[n] are their chances (1 for all others).
    """

    def __init__(self, choices: np.ndarray, ranks: np.ndarray, shares: np.ndarray) -> None:
        self.choices = np.ascontiguousarray(choices, dtype=np.int64)
        self.ranks = np.ascontiguousarray(ranks, dtype=np.float64)
        self.shares = np.ascontiguousarray(shares, dtype=np.float64)
        places = [array.ctypes.data for array in (self.choices, self.ranks, self.shares)]
        self._head = np.array([len(self.choices), *places], dtype=np.int64)

    @property
    def address(self) -> int:
        """Address of the head, int64[4]."""
        return self._head.ctypes.data

    def chances(self, tried: float) -> np.ndarray:
        """Chances float64[n] that each is the best of so many that are drawn at random."""
        return self.shares * (self.ranks[:, 1] ** tried - self.ranks[:, 0] ** tried)


def like(game: Game, build: np.ndarray, best: np.ndarray, stages: set[int]) -> np.ndarray:
    """A build int64[STAGES] with the best one's choices in some stages; the last that is legal where one is not."""
    out = build.copy()
    for stage in range(STAGES):
        wanted, legal = best[stage] if stage in stages else build[stage], options_at(game, out, stage)
        out[stage] = wanted if wanted in legal else legal[-1]
    return out


def listed(duels: Duels, best: np.ndarray, chances: np.ndarray) -> dict[str, np.ndarray]:
    """The list, from the worst to the equilibrium int64[m, STAGES], float64[m], ordered by exact duels."""
    game, rng = duels.game, np.random.default_rng(8)
    plain = uniform_builds(game, UNIFORM, 7)
    near = [
        like(game, plain[i % UNIFORM], best[i % len(best)], set(rng.permutation(STAGES)[: 1 + i % (STAGES - 1)]))
        for i in range(LIKE)
    ]
    builds = np.concatenate([plain, np.array(near)])
    figures, top = duels.figures(builds), duels.figures(best)
    builds, figures = (part[duels.matrix(figures, top) @ chances < -AS_GOOD] for part in (builds, figures))
    others = np.concatenate([duels.figures(plain[:EACH]), duels.figures(np.array(near[:: LIKE // EACH]))])
    worth = duels.matrix(figures, others).mean(axis=1)
    return ranked(builds[np.argsort(worth, kind="stable")], best, chances)


def ranked(builds: np.ndarray, best: np.ndarray, chances: np.ndarray) -> dict[str, np.ndarray]:
    """Builds from the worst to the best, and the equilibrium above them, with their ranks and shares."""
    n, m = len(builds), len(best)
    worse = np.concatenate([np.arange(n), np.full(m, n)])
    ranks = np.stack([worse, worse + 1], axis=1) / (n + 1)
    return {
        "choices": np.concatenate([builds, best]), "ranks": ranks, "shares": np.concatenate([np.ones(n), chances]),
    }  # fmt: skip


def ranked_builds(game: Game) -> Ranked:
    """The list for the builds of a game, made once for all games whose builds fight alike."""
    base, here = plainly(game), Path(__file__).resolve()
    facts = [source_digest(here), source_digest(here.with_name("books.py")), base.spec.params.tobytes().hex()]
    name = f"{TRIES}-{digest(facts)}"
    if name not in _LISTS:
        kept = shipped(TRIES, base.spec.params)
        if kept is None:
            book = equilibrium_book(game)
            kept = kept_arrays(name, lambda: listed(Duels(base), book.choices, book.chances))
        _LISTS[name] = Ranked(**kept)
    return _LISTS[name]


@kernel
def best_of_some(s: Any, p: Any, seat: int, rng: Any, tried: float, memory: int) -> int:
    """The next choice of the best of `tried` builds of the list, given the own choices so far."""
    head = int64_at(memory, HEAD)
    n = head[0]
    choices = int64_at(head[1], n * STAGES)
    ranks = float64_at(head[2], n * 2)
    shares = float64_at(head[3], n)
    weights = np.zeros(OPTIONS_MAX)
    for i in range(n):
        if begins_like(s, seat, choices, i):
            chance = ranks[2 * i + 1] ** tried - ranks[2 * i] ** tried
            weights[choices[i * STAGES + s.stage_no]] += shares[i] * chance
    option = drawn_from(weights, rng)
    if option >= 0:
        return option
    stage_weights(s, p, seat, weights)  # the seat has left the list
    return drawn_from(weights, rng)


__all__ = ["Ranked", "best_of_some", "like", "listed", "ranked", "ranked_builds"]
