"""Learned decisions a second: rules, opponents, advantages and update together; the three learners in one run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .measure import Row, alone, versus

GAMES = ("einblatt-duel", "konfrontation-campaign", "scorekeeper-duel", "oneshot-skirmish")
SETTINGS: dict[str, Any] = {"tables": 1024, "steps": 8, "batch": 2048, "epochs": 1, "hidden": 64, "settle": 0}
SELF: dict[str, Any] = {"advisers": (), "opponents": {"self": 0.7, "past": 0.3}}


def work(game: str, learner: str, **more: Any) -> Callable[[], int]:
    """Updates of a training; decisions."""
    from probespiel.training.config import train_config
    from probespiel.training.selfplay import SelfPlay, limit_threads

    limit_threads(1)
    training = SelfPlay(train_config(game, learner=learner, seed=1, **SETTINGS, **more), device="cpu")

    def update() -> int:
        training.update()
        return training.config.per_update

    return update


def learning_rows(t: float) -> list[Row]:
    """Self-play by each learner, and with the advisers and opponents that a game's own settings name."""
    rows = []
    for game in GAMES:
        native = work(game, "native", **SELF)
        for peer in ("torch", "sb3"):
            rows.append(
                versus(f"{game}, learning", "decisions", native, f"learner {peer}", work(game, peer, **SELF), t)
            )
    for game in GAMES[1:]:
        rows.append(alone(f"{game}, learning with its advisers", "decisions", work(game, "native"), t))
    return rows


GROUPS = {"learning": learning_rows}
