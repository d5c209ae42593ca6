"""Games of wilful random play: what is watched in them, and how their seats play."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.game import Game
from .guided import Marks
from .lab import Lab, module_of, position_bytes
from .own_fields import counting
from .probe_kernel import Found, Habits, Watch

WILLS = (0.0, 0.5, 0.97)  # chances with which a game's players use the module wherever they can
# Shares of all actions that a seat of a game likes, and keeps to where it can; 0: it likes none better. Who takes the
# same few again and again comes to where a uniform draw never comes (swarm testing: Groce et al. 2012).
LIKES = (0.0, 0.05, 0.15, 0.4)
FAR = 10.0  # so many times the declared range a payoff has no bound


def watch_of(lab: Lab, game: Game) -> Watch:
    """What is watched in a game."""
    keep = position_bytes(lab, game)
    fields: Any = game.state_dtype.fields
    module = module_of(lab.bench)
    counters = []
    for name in counting(module):
        dtype, offset = fields[f"{module.name}_{name}"][:2]
        counters += list(range(offset, offset + dtype.itemsize, 8))
    low, high = game.layout.bounds()
    slack = 1e-5 * np.maximum(1.0, np.maximum(np.abs(low), np.abs(high)))
    return Watch(
        Marks(lab.marks.actions).words(game), keep, np.array(counters, dtype=np.int64),
        (low - slack).astype(np.float32), (high + slack).astype(np.float32),
        FAR * np.array(game.spec.payoff_range, dtype=np.float64),
        int(fields["ask_phase"][1]), *fault_places(game),
    )  # fmt: skip


def room_for(games: int, watch: Watch) -> Found:
    """Room for what some games show."""
    kinds, lengths, cycles = (np.zeros(games, dtype=np.int64) for _ in range(3))
    return Found(
        kinds,
        lengths,
        cycles,
        payoffs=np.zeros(games),
        faults=np.zeros((games, 2)),
        most=np.zeros((len(watch.counters), 3), dtype=np.int64),
        phases=np.zeros(64, dtype=np.int64),
        used=np.zeros(2, dtype=np.int64),
    )


def fault_places(game: Game) -> tuple[int, int]:
    """Offsets of a module's fault and of its value in the parameter record; -1 where no module can make one."""
    fields: Any = game.spec.params.dtype.fields
    return (fields["fault"][1], fields["fault_value"][1]) if game.spec.sources.faults else (-1, -1)


def counter_names(lab: Lab, game: Game) -> list[str]:
    """Names of the module's numbers, in the order of `Watch.counters`."""
    module = module_of(lab.bench)
    fields: Any = game.state_dtype.fields
    out = []
    for name in counting(module):
        size = fields[f"{module.name}_{name}"][0].itemsize // 8
        out += [f"{name}[{i}]" if size > 1 else name for i in range(size)]
    return out


def players(games: int, choosy: bool) -> Habits:
    """How the seats of so many games play; with `choosy` those of three games in four like few actions."""
    numbers = np.arange(games)
    likes = np.array(LIKES)[numbers // len(WILLS) % len(LIKES)] if choosy else np.zeros(games)
    return Habits(np.array(WILLS)[numbers % len(WILLS)], likes)


__all__ = ["FAR", "LIKES", "WILLS", "counter_names", "fault_places", "players", "room_for", "watch_of"]
