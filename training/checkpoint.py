"""Checkpoints of a training: one file, written in one piece, from which it goes on as if it had never stopped.

A checkpoint holds the settings, what the learner gives as its state, the tables with their dice, the league, and the
counters: arrays in the safetensors format and a text of JSON, which can hold no code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..agents.policy_file import read_tensors, write_tensors
from ..agents.registry import parse_agent
from ..envs.core.errors import ProbespielError
from .config import TrainConfig, checked
from .evaluate import Evaluation
from .learner_state import below
from .protocol import diverged
from .selfplay import SelfPlay

FORMAT = 3
KEY = "checkpoint"
LARGEST = 1 << 33  # bytes


def save_checkpoint(training: SelfPlay, path: str | Path) -> None:
    """Write a checkpoint between two updates; raises ProbespielError if it cannot be written.

    Diverged where the learner holds what is no number any more: the file stays as it was.
    """
    learned, learner = training.learner.state()
    wild = [name for name, array in learned.items() if array.dtype.kind == "f" and not np.isfinite(array).all()]
    if wild:  # a loss may still have been finite before the last step
        raise diverged(training.config, training.decisions, f"{wild[0]} is not finite")
    past, league = training.league.state_dict()
    arrays = {f"learner.{name}": array for name, array in learned.items()}
    arrays |= {f"league.{name}": array for name, array in past.items()}
    begun = training.tables.begun
    if begun:
        arrays |= {f"tables.{name}": array for name, array in training.tables.state_dict().items()}
    values = {
        "format": FORMAT,
        "config": training.config.model_dump(mode="json"),
        "learner": learner,
        "league": league,
        "begun": begun,
        "reviewed": training.reviewed,
        "seconds": training.seconds,
        "evaluations": [e.as_dict() for e in training.evaluations],
    }
    try:
        write_tensors(Path(path), arrays, {KEY: json.dumps(values)})
    except OSError as error:
        raise ProbespielError(f"{path} cannot be written: {error.strerror or error}") from None


def _read(path: str | Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    arrays, texts = read_tensors(Path(path), LARGEST)
    if KEY not in texts:
        raise ProbespielError(f"{path} is no checkpoint of a training")
    try:
        values = json.loads(texts[KEY])
    except (ValueError, RecursionError) as error:
        raise ProbespielError(f"{path} is damaged: {error}") from None
    found = values.get("format") if isinstance(values, dict) else None
    if found != FORMAT:
        raise ProbespielError(
            f"{path} is a checkpoint of format {found!r}, and only format {FORMAT} can be resumed: go on with the "
            "version of probespiel that began the training, or begin it anew"
        )
    return arrays, values


def read_config(path: str | Path) -> TrainConfig:
    """The settings in a checkpoint; raises ProbespielError."""
    values = _read(path)[1]
    if not isinstance(values.get("config"), Mapping):
        raise ProbespielError(f"{path} is damaged: it holds no settings")
    return checked({"learner": "torch", **values["config"]})  # before there was a choice, it was torch


def foreign_files(config: TrainConfig) -> list[str]:
    """Python files that a training with these settings would run: agents and rule modules given by path."""
    found = [str(parsed.path) for parsed in map(parse_agent, config.agents) if parsed.path is not None]
    return sorted({*found, *[m for s in config.scenarios for m in s.modules if m.endswith(".py")]})


def load_checkpoint(
    path: str | Path,
    device: str = "auto",
    tensorboard: str | Path | None = None,
    trust: bool = False,
    config: TrainConfig | None = None,
) -> SelfPlay:
    """The training that a checkpoint holds, ready to go on.

    A checkpoint may name Python files (agents, rule modules), which would then be run: it is refused unless `trust`.
    `config` are its settings where those files lie elsewhere. Raises ProbespielError for a file that is missing,
    damaged, or made with other rules.
    """
    arrays, values = _read(path)
    config = config or read_config(path)
    foreign = foreign_files(config)
    if foreign and not trust:
        raise ProbespielError(f"{path} would run {', '.join(foreign)}: say that you trust them to go on")
    training = SelfPlay(config, device, tensorboard)
    try:
        _restore(training, arrays, values)
    except ProbespielError as error:
        raise ProbespielError(f"{path} cannot be resumed: {error}") from None
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, RuntimeError, OverflowError) as error:
        reason = str(error).partition("\n")[0]
        raise ProbespielError(f"{path} is damaged: {type(error).__name__}: {reason}") from None
    return training


def _restore(training: SelfPlay, arrays: Mapping[str, np.ndarray], values: Mapping[str, Any]) -> None:
    training.learner.load(dict(below(arrays, "learner.")), values["learner"])
    training.league.load_state_dict(dict(below(arrays, "league.")), values["league"])
    if values["begun"]:
        training.tables.load_state_dict(dict(below(arrays, "tables.")))
    training.reviewed = bool(values["reviewed"])
    training.seconds = float(values["seconds"])
    training.evaluations = [
        Evaluation(**{**e, "seats": tuple(tuple(row) for row in e["seats"])}) for e in values["evaluations"]
    ]


__all__ = ["foreign_files", "load_checkpoint", "read_config", "save_checkpoint"]
