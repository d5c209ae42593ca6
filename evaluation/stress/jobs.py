"""What workers of the stress lab do: one function a job, with plain arguments and plain answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import (
    breakage as stress_breakage,
)
from . import (
    dynamics as stress_dynamics,
)
from . import (
    exploit as stress_exploit,
)
from . import (
    training as stress_training,
)
from . import (
    usage as stress_usage,
)
from .conditions import Condition, Settings, Strategy
from .lab import Lab, build, open_lab
from .play import draw_pairs, matrix, play
from .usage import Mixture, joined


def prepare(first: Mapping[str, Any]) -> Lab:
    """The lab of a worker, from settings and folder."""
    return open_lab(Settings(**first["settings"]), Path(first["folder"]))


def measure(
    lab: Lab, condition: Condition, mixtures: Sequence[tuple[Mixture, Mixture]], deals: tuple[int, int], seed: int
) -> dict[str, Any]:
    """Margins float32[deals] of side 0; deal i is played by the pair of mixtures `mixtures[i % len(mixtures)]`."""
    numbers = np.arange(*deals)
    out = np.zeros(len(numbers))
    stopped = 0
    for which, (rows, columns) in enumerate(mixtures):
        mine = np.flatnonzero(numbers % len(mixtures) == which)
        if not len(mine):
            continue
        players, first, second = joined(rows, columns)
        played = play(lab, condition, players, draw_pairs(first, second, numbers[mine], seed), numbers[mine], seed)
        out[mine] = played.margins
        stopped += int((played.status == 2).sum())
    return {"margins": out.astype(np.float32), "stopped": stopped}


def use_rates(
    lab: Lab, condition: Condition, strategies: Sequence[Strategy], opponent: Strategy, deals: int, seed: int
) -> dict[str, Any]:
    """How often each strategy uses the module where it can, on any side, against one opponent; None: never offered."""
    out: list[float | None] = []
    numbers = np.arange(deals)
    for strategy in strategies:
        pairs = [(0, 1) if i % 2 else (1, 0) for i in range(deals)]
        players = [strategy, opponent] if strategy.name != opponent.name else [strategy]
        if len(players) == 1:
            pairs = [(0, 0)] * deals
        played = play(lab, condition, players, pairs, numbers, seed, logged=True)
        log = played.log
        assert log is not None
        game_of = played.games_of_log()[: len(log)]
        own = set(lab.bench.side_seats(condition, 0))
        on_first = np.isin(log.seats, sorted(own))
        mine = (on_first == (game_of % 2 == 1)) if len(players) == 2 else np.ones(len(log), dtype=bool)
        offered = log.offered & mine
        out.append(float(log.taken[offered].mean()) if offered.any() else None)
    return {"rates": out}


def build_all(lab: Lab, live: str) -> dict[str, Any]:
    """Compile everything that has to do with the rules before any rule is run against the clock."""
    return build(lab, live, [lambda lab: stress_breakage.search(lab, lab.bench.everybody(), 0, 0)])


JOBS: dict[str, Callable[..., Any]] = {
    "build": build_all,
    "probe": stress_breakage.search,
    "again": stress_breakage.again,
    "follow": stress_breakage.follow,
    "raised": stress_breakage.raised,
    "train": stress_training.train,
    "matrix": matrix,
    "measure": measure,
    "use_rates": use_rates,
    "rates": stress_usage.rates,
    "worths": stress_usage.worths,
    "course": stress_dynamics.course,
    "rung": stress_dynamics.rung,
    "exploit": stress_exploit.show,
}


__all__ = ["JOBS", "prepare"]
