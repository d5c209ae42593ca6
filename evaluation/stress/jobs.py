"""What workers of the stress lab do: one function a job, with plain arguments and plain answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...envs.core.abi import STOPPED
from . import (
    actions,
    breakage,
    building,
    declining,
    dynamics,
    exact,
    exploit,
    forecast,
    further,
    game_levels,
    inert,
    learning,
    oversights,
    paid,
    sample,
    stakes,
    typical,
    usage,
)
from .conditions import Condition, Settings
from .lab import Lab, open_lab
from .play import by_mixtures, matrix, play
from .strategies import Mixture
from .workers import serve


def prepare(first: Mapping[str, Any]) -> Lab:
    """The lab of a worker, from settings and folder."""
    return open_lab(Settings(**first["settings"]), Path(first["folder"]))


def measure(
    lab: Lab, condition: Condition, mixtures: Sequence[tuple[Mixture, Mixture]], deals: tuple[int, int], seed: int,
    hero: int = 0,
) -> dict[str, Any]:  # fmt: skip
    """Margins float32[deals] of side `hero`; deal i is played by the pair of mixtures `mixtures[i % len(mixtures)]`.

    The first of a pair plays on that side, the second on all others.
    """
    numbers = np.arange(*deals)
    out = np.zeros(len(numbers))
    stopped = 0
    for mine, players, pairs in by_mixtures(mixtures, numbers % len(mixtures), numbers, seed):
        played = play(lab, condition, players, pairs, numbers[mine], seed, hero=hero)
        out[mine] = played.margins
        stopped += int((played.status == STOPPED).sum())
    return {"margins": out.astype(np.float32), "stopped": stopped}


JOBS: dict[str, Callable[..., Any]] = {
    "alive": building.alive,
    "build": building.compile_all,
    "probe": breakage.search,
    "again": breakage.again,
    "follow": breakage.follow,
    "raised": breakage.raised,
    "why": breakage.why,
    "pace": forecast.pace,
    "train": learning.train,
    "matrix": matrix,
    "measure": measure,
    "exact": exact.solve_all,
    "exact_use": exact.losses_of_use,
    "use_rates": usage.use_rates,
    "rates": usage.rates,
    "paid": paid.paid,
    "dealt": paid.dealt,
    "level": game_levels.level,
    "held_rate": oversights.held_rate,
    "worths": usage.worths,
    "trials": actions.trials,
    "counters": actions.counters,
    "declining": declining.declining,
    "further": further.further,
    "inert": inert.inert,
    "course": dynamics.course,
    "rung": dynamics.rung,
    "stakes": stakes.stakes,
    "sample": sample.show,
    "exploit": exploit.show,
    "typical": typical.show,
}


def host(descriptor: int) -> None:
    """The process of a worker: it serves jobs at the pipe of this file descriptor."""
    serve(descriptor, prepare, JOBS)


__all__ = ["JOBS", "host", "prepare"]
