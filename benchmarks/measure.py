"""Rows of the table, and how they are measured: medians of CPU seconds, ours and a peer's in turn."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass
class Row:
    """One line of the table: rates in 1/s, and the ratio if there is a peer."""

    what: str
    unit: str
    rate: float
    peer: str = ""
    peer_rate: float | None = None

    def cells(self) -> tuple[str, ...]:
        """The columns as text."""
        peer = shown(self.peer_rate) if self.peer_rate is not None else ""
        ratio = f"{self.rate / self.peer_rate:.1f}x" if self.peer_rate else ""
        return self.what, self.unit, shown(self.rate), self.peer, peer, ratio


def shown(rate: float) -> str:
    """A rate: whole if it is 100 and more, else with three figures."""
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def rate(work: Callable[[], int], seconds: float) -> float:
    """Units of work a CPU second: `work()` is repeated for about `seconds`."""
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        done += work()
    return done / spent


def versus(what: str, unit: str, ours: Callable[[], int], peer: str, theirs: Callable[[], int], t: float) -> Row:
    """Alternate five rounds of ours and of the peer; medians."""
    for once in (ours, theirs):  # compiled before it is timed
        once()
    pairs = [(rate(ours, t), rate(theirs, t)) for _ in range(5)]
    return Row(what, unit, median(a for a, _ in pairs), peer, median(b for _, b in pairs))


def alone(what: str, unit: str, ours: Callable[[], int], t: float) -> Row:
    """Median of five rounds of ours."""
    ours()
    return Row(what, unit, median(rate(ours, t) for _ in range(5)))


def random_play(what: str, unit: str, game: Any, tables: int, games: int, t: float) -> Row:
    """Random play of a game in the batch driver; `games` at each table in a round."""
    from probespiel.envs.core.batch import Batch

    batch = Batch(game, tables)
    return alone(what, unit, lambda: batch.play_random(games).decisions, t)


def aec_work(env: Any, masked: bool) -> Callable[[], int]:
    """Whole games of an AEC environment in PettingZoo's own loop; agent steps."""

    def work() -> int:
        env.reset(seed=int(random.random() * 1e9))
        steps = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                action = None
            elif masked:
                legal = observation["action_mask"].nonzero()[0]
                action = int(legal[int(random.random() * len(legal))])
            else:
                action = int(random.random() * 3)
            env.step(action)
            steps += 1
        return steps

    return work


def parallel_work(env: Any, masked: bool) -> Callable[[], int]:
    """Whole games of a parallel environment; agent steps."""

    def work() -> int:
        observations, _ = env.reset(seed=int(random.random() * 1e9))
        steps = 0
        while env.agents:
            actions = {}
            for agent in env.agents:
                if masked:
                    legal = observations[agent]["action_mask"].nonzero()[0]
                    actions[agent] = int(legal[int(random.random() * len(legal))])
                else:
                    actions[agent] = int(random.random() * 3)
            observations, *_ = env.step(actions)
            steps += len(actions)
        return steps

    return work
