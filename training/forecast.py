"""What a training will take: two of its updates are rehearsed on tables of their own, and the second is timed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .config import TrainConfig
from .selfplay import SelfPlay

LEARNING, ADVISERS, OPPONENTS, PLAYING = "learning", "advisers", "opponents", "playing"


@dataclass(frozen=True)
class Forecast:
    """Decisions a second, and shares of the time, 0..1: of learning, advisers, opponents that are agents, playing."""

    rate: float
    shares: dict[str, float]

    @property
    def dearest(self) -> str:
        """What costs most."""
        return max(self.shares, key=lambda name: self.shares[name])

    def seconds(self, decisions: int) -> float:
        """Time for so many decisions, without lessons, reviews and evaluations."""
        return decisions / self.rate


def forecast(config: TrainConfig, device: str = "auto") -> Forecast:
    """Rehearse a training without its lessons; raises ProbespielError as `SelfPlay`."""
    alone = config.model_copy(update={"teacher": None, "review": 0, "settle": 0, "evaluate_every": 0})
    training = SelfPlay(alone, device)
    training.update()  # compiles and warms up
    spent: dict[str, float] = dict.fromkeys((LEARNING, ADVISERS, OPPONENTS), 0.0)

    def timed(owner: Any, name: str, what: str) -> None:
        inner: Callable[..., Any] = getattr(owner, name)

        def outer(*given: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return inner(*given, **named)
            finally:
                spent[what] += time.perf_counter() - began

        setattr(owner, name, outer)

    timed(training.learner, "learn", LEARNING)
    timed(training.league.advice, "columns", ADVISERS)
    for agent in training.league.agents:
        timed(agent, "act_batch", OPPONENTS)
    began = time.perf_counter()
    training.update()
    whole = time.perf_counter() - began
    spent[PLAYING] = max(whole - sum(spent.values()), 0.0)
    total = sum(spent.values())
    return Forecast(config.per_update / whole, {name: seconds / total for name, seconds in spent.items()})


__all__ = ["ADVISERS", "LEARNING", "OPPONENTS", "PLAYING", "Forecast", "forecast"]
