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


def usual_route(game: str) -> Callable[[], int]:
    """Updates of MaskablePPO over eight single environments, in which others play at random; decisions.

    One epoch with as many decisions an update and a batch as ours and two layers of 64 units for policy and value each,
    which is what MaskablePPO has where nothing is said.
    """
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    from probespiel.envs import make_game

    from .usual import SingleEnv

    torch.set_num_threads(1)
    size = SETTINGS["tables"] * SETTINGS["steps"]
    made = make_game(game)
    envs = DummyVecEnv([lambda: SingleEnv(made) for _ in range(8)])
    batch, epochs = SETTINGS["batch"], SETTINGS["epochs"]
    model = MaskablePPO("MlpPolicy", envs, n_steps=size // 8, batch_size=batch, n_epochs=epochs, device="cpu", seed=1)

    def update() -> int:
        model.learn(size, reset_num_timesteps=False)
        return size

    return update


def learning_rows(t: float) -> list[Row]:
    """Self-play by each learner, the route most people take, and learning with a game's own advisers and opponents."""
    rows = []
    for game in GAMES:
        native = work(game, "native", **SELF)
        for peer, theirs in (
            ("learner torch", work(game, "torch", **SELF)),
            ("learner sb3", work(game, "sb3", **SELF)),
            ("MaskablePPO, DummyVecEnv, 8 envs", usual_route(game)),
        ):
            rows.append(versus(f"{game}, learning", "decisions", native, peer, theirs, t))
    for game in GAMES[1:]:
        rows.append(alone(f"{game}, learning with its advisers", "decisions", work(game, "native"), t))
    return rows


GROUPS = {"learning": learning_rows}
