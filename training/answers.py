"""Best answers to an agent: the settings of trainings against it alone, of which the best that one finds counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..envs.core.game import Game
from .config import TrainConfig, train_config
from .declaration import training_of
from .legs import own_policy

# A best answer needs no spread: it learns fast, and ends with next to no entropy.
SETTINGS: dict[str, Any] = {
    "learner": "native", "tables": 256, "steps": 8, "batch": 1024, "epochs": 2, "learning_rate": 3e-3,
    "learning_rate_end": 2e-4, "entropy": 0.03, "entropy_end": 0.0005, "even": 0.0, "even_end": 0.0, "clip": 0.15,
    "anchor": 0.0, "average": 0.02, "hold": 0.3, "loss": "ppo", "teacher": None, "review": 0, "settle": 0,
    "temperature": 1.0, "evaluate_every": 0, "discount": 1.0, "advisers": (), "groups": True, "hidden": 64,
}  # fmt: skip
# Of games so long that advisers show what pays: how much is looked at between two steps, as by their own trainings.
SIZES = ("tables", "steps", "batch", "epochs", "learning_rate", "clip", "trace", "hidden", "groups", "advisers", "heed",
         "lead")  # fmt: skip
SETTLE = 60_000  # decisions in which values alone are learned, where the rest is known: wrong ones would spoil it


def answer_to(
    agent: str, game: Game, scenarios: Sequence[Mapping[str, Any]], number: int, seed: int, **length: float
) -> tuple[TrainConfig, bool]:
    """The settings of a training against an agent, and whether it begins with its own weights: every second one does.

    In long games two of four learn as the game's own trainings do, and two in small steps, which finds more in some.

    `scenarios` are what it is to be answered in, the first of them in `game`; `number` is that of the training, `seed`
    a hash, and `length` its `decisions` or its `minutes`.
    """
    declared = training_of(game.spec.system).defaults.get(game.name, {})
    long = declared.get("advisers") and number % 4 < 2
    more = {name: declared[name] for name in SIZES if name in declared} if long else {}
    own = own_policy(agent, game) if number % 2 == 0 else None
    if own is not None:
        network = own.manifest.network
        more |= {"hidden": network.hidden, "groups": bool(network.groups), "advisers": network.advisers}
        more["adopted"] = True
    if own is not None or more.get("advisers"):
        sizes = {**SETTINGS, **more}
        more["settle"] = max(4, SETTLE // (sizes["tables"] * sizes["steps"]))
    many = any(len(seats) > 1 for _, seats in game.sides)
    config = train_config(
        game.name, scenarios=tuple(scenarios), seed=seed >> 1, opponents={agent: 1.0}, whole_side=many,
        evaluate_against=(agent,), **{**SETTINGS, **more, **length},
    )  # fmt: skip
    return config, own is not None


__all__ = ["SETTINGS", "answer_to"]
