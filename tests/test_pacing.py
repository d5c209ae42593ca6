"""Searches keep their time and answer interrupts: by counting work on a clock that the tests turn, not by waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest

from probespiel.agents import search
from probespiel.agents.base import Requests, View
from probespiel.agents.pacing import MOST_IN_A_SLICE, SLICE_SECONDS, slices
from probespiel.agents.registry import make_agent
from probespiel.envs.core.registry import make_game

INTERRUPT = 0.05  # seconds within which Ctrl-C is answered


class Clock:
    """A clock that work moves on: a unit of it takes `cost(number)` seconds, and a pause comes with every slice."""

    def __init__(self, cost: Callable[[int], float], pause: float = 0.0) -> None:
        self.now, self.units, self.cost, self.pause = 0.0, 0, cost, pause

    def __call__(self) -> float:
        return self.now

    def work(self, size: int) -> float:
        """Do so many units; what they took."""
        begin = self.now
        for _ in range(size):
            self.now += self.cost(self.units)
            self.units += 1
        self.now += self.pause
        return self.now - begin


COSTS: dict[str, Callable[[int], float]] = {
    "quick": lambda n: 1e-6 + 1e-5 * (n < 5),
    "slow": lambda n: 2e-4,
    "slower and slower": lambda n: 1e-6 * (1 + n / 1000),
    "four times as slow at once": lambda n: 4e-5 if n > 3000 else 1e-5,
    "uneven": lambda n: 3e-5 * (1 + n % 7),
}


@pytest.mark.parametrize("seconds", [0.02, 0.1, 1.0])
@pytest.mark.parametrize("cost", COSTS)
def test_time_is_kept_and_interrupts_are_seen(cost: str, seconds: float) -> None:
    """The time is used to nine tenths and overstepped by no tenth; no slice takes as long as an interrupt may."""
    clock = Clock(COSTS[cost])
    took = [clock.work(size) for size in slices(None, seconds, clock)]
    assert 0.9 * seconds <= clock.now <= 1.1 * seconds
    assert max(took) < INTERRUPT


@pytest.mark.parametrize("pause", [0.001, 0.005])
def test_time_is_kept_under_load(pause: float) -> None:
    """Where somebody else has the processor for a while in every slice."""
    clock = Clock(COSTS["quick"], pause)
    took = [clock.work(size) for size in slices(None, 0.1, clock)]
    assert 0.09 <= clock.now <= 0.11 and max(took) < INTERRUPT


def test_limits_of_units() -> None:
    clock = Clock(COSTS["quick"])
    sizes = []
    for size in slices(100_000, None, clock):
        sizes.append(size)
        clock.work(size)
    assert sum(sizes) == 100_000 and sizes[0] == 1 and max(sizes) <= min(MOST_IN_A_SLICE, 1.01e6 * SLICE_SECONDS)
    assert all(later <= 2 * size for size, later in pairwise(sizes))
    still = Clock(lambda _: 0.0)
    assert sum(slices(100_000, None, still)) == 100_000
    endless = Clock(lambda _: 3.0)
    one = [endless.work(size) for size in slices(None, 0.0, endless)]
    assert len(one) == 1, "one unit is done, however little time there is"


class Interrupted(Exception):
    """Stands for Ctrl-C, which Python sees between two calls of compiled code."""


def test_searches_are_interrupted_between_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """One decision and many at once: with whatever number of simulations, no more than a slice is done in one go."""
    interrupt_between_slices("search", search, monkeypatch)


def interrupt_between_slices(name: str, module: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Break a search of `module` off after six slices."""
    done: list[int] = []
    real, whole = module.search, getattr(module, "search_rows", None)  # type: ignore[attr-defined]

    def counted(*args: object, sims: int, **named: object) -> int:
        done.append(sims)
        if len(done) == 6:
            raise Interrupted
        return real(*args, sims=sims, **named)

    def rows(*args: object, rows: search.Rows, sims: int, **named: object) -> int:
        assert whole is not None and len(rows.actions) * sims <= search.SIMS_TOGETHER
        return whole(*args, rows=rows, sims=sims, **named)

    def even(limit: int | None, seconds: float | None) -> Iterator[int]:
        clock = Clock(COSTS["quick"])
        for size in slices(limit, seconds, clock):
            yield size
            clock.work(size)

    game = make_game("leduc")
    position = game.position(seed=1)
    agent = make_agent(f"{name}:sims=1000000000" + (",start=1" if name == "solve_search" else ""))
    monkeypatch.setattr(module, "search", counted)
    monkeypatch.setattr(module, "slices", even)
    with pytest.raises(Interrupted):
        agent.act(View.of(position, 0))
    assert sum(done) <= 64, "six slices, each at most twice the one before"
    if name == "search":
        monkeypatch.setattr(module, "search_rows", rows)
        many = Requests.gather(game, np.repeat(raw(position), 40, axis=0), range(40), [0] * 40, 0, range(40), 0)
        make_agent("search:sims=50").act_batch(many)
        done.clear()
        with pytest.raises(Interrupted):
            agent.act_batch(many)


def raw(position: object) -> np.ndarray:
    """The record of a position, uint8[1, size]."""
    return np.frombuffer(position.to_bytes(), dtype=np.uint8).reshape(1, -1)  # type: ignore[attr-defined]
