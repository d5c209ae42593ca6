"""Checkpoints of a training: one file, written in one piece, from which it goes on as if it had never stopped.

A checkpoint holds the settings, the weights of actor, critic and average, the optimizer's moments, the tables with
their dice, the league, the generators of random numbers, and the counters: arrays in the safetensors format and a text
of JSON, which can hold no code.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch as th

from ..agents.policy_file import read_tensors, write_tensors
from ..agents.registry import parse_agent
from ..envs.core.errors import ProbespielError
from .config import TrainConfig, checked
from .evaluate import Evaluation
from .selfplay import SelfPlay, own_random_numbers

FORMAT = 2
KEY = "checkpoint"
LARGEST = 1 << 33  # bytes


def save_checkpoint(training: SelfPlay, path: str | Path) -> None:
    """Write a checkpoint between two updates; raises ProbespielError if it cannot be written."""
    arrays: dict[str, np.ndarray] = {}
    model = training.model
    for name, tensor in model.policy.state_dict().items():
        arrays[f"policy.{name}"] = _array(tensor)
    for name, tensor in model.average.state_dict().items():
        arrays[f"average.{name}"] = _array(tensor)
    for number, moments in model.policy.optimizer.state_dict()["state"].items():
        for name, tensor in moments.items():
            arrays[f"optimizer.{number}.{name}"] = _array(tensor)
    past, league = training.league.state_dict()
    arrays |= {f"league.{name}": array for name, array in past.items()}
    if training.begun:
        arrays |= {f"tables.{name}": array for name, array in training.tables.state_dict().items()}
        arrays["starts"] = np.asarray(model._last_episode_starts, dtype=bool)
    numpy_state = training.random["numpy"]
    arrays["random.torch"] = training.random["torch"].numpy()
    arrays["random.numpy"] = numpy_state[1]
    values = {
        "format": FORMAT,
        "config": training.config.model_dump(mode="json"),
        "begun": training.begun,
        "reviewed": training.reviewed,
        "updates": training.updates,
        "seconds": training.seconds,
        "decisions": training.decisions,
        "gradient_updates": model._n_updates,
        "averaged": model.averaged,
        "league": league,
        "numpy": [int(numpy_state[2]), int(numpy_state[3]), float(numpy_state[4])],
        "evaluations": [e.as_dict() for e in training.evaluations],
    }
    try:
        write_tensors(Path(path), arrays, {KEY: json.dumps(values)})
    except OSError as error:
        raise ProbespielError(f"{path} cannot be written: {error.strerror or error}") from None


def _array(tensor: th.Tensor) -> np.ndarray:
    return tensor.detach().cpu().numpy()


def _read(path: str | Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    arrays, texts = read_tensors(Path(path), LARGEST)
    if KEY not in texts:
        raise ProbespielError(f"{path} is no checkpoint of a training")
    try:
        values = json.loads(texts[KEY])
        if not isinstance(values, dict) or values.get("format") != FORMAT:
            raise ProbespielError(f"{path} is a checkpoint of another format than {FORMAT}")
    except (ValueError, RecursionError) as error:
        raise ProbespielError(f"{path} is damaged: {error}") from None
    return arrays, values


def read_config(path: str | Path) -> TrainConfig:
    """The settings in a checkpoint; raises ProbespielError."""
    values = _read(path)[1]
    if not isinstance(values.get("config"), Mapping):
        raise ProbespielError(f"{path} is damaged: it holds no settings")
    return checked(values["config"])


def foreign_files(config: TrainConfig) -> list[str]:
    """Python files that a training with these settings would run: agents and rule modules given by path."""
    named = [name for name in (*config.opponents, *config.evaluate_against) if name not in ("self", "past")]
    named += [name for name in (config.teacher, *(s.reviewer for s in config.scenarios)) if name is not None]
    found = [str(parsed.path) for parsed in map(parse_agent, named) if parsed.path is not None]
    return sorted({*found, *[m for s in config.scenarios for m in s.modules if m.endswith(".py")]})


def load_checkpoint(
    path: str | Path, device: str = "auto", tensorboard: str | Path | None = None, trust: bool = False
) -> SelfPlay:
    """The training that a checkpoint holds, ready to go on.

    A checkpoint may name Python files (agents, rule modules), which would then be run: it is refused unless `trust`.
    Raises ProbespielError for a file that is missing, damaged, or made with other rules.
    """
    arrays, values = _read(path)
    config = read_config(path)
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


def _below(arrays: Mapping[str, np.ndarray], prefix: str) -> Iterator[tuple[str, np.ndarray]]:
    for name, array in arrays.items():
        if name.startswith(prefix):
            yield name.removeprefix(prefix), array


def _restore(training: SelfPlay, arrays: Mapping[str, np.ndarray], values: Mapping[str, Any]) -> None:
    model = training.model
    _load_module(model.policy, dict(_below(arrays, "policy.")))
    _load_module(model.average, dict(_below(arrays, "average.")))
    moments: dict[int, dict[str, th.Tensor]] = {}
    for name, array in _below(arrays, "optimizer."):
        number, _, moment = name.partition(".")
        moments.setdefault(int(number), {})[moment] = th.from_numpy(array.copy())
    groups = model.policy.optimizer.state_dict()["param_groups"]
    model.policy.optimizer.load_state_dict({"state": moments, "param_groups": groups})
    training.league.load_state_dict(dict(_below(arrays, "league.")), values["league"])
    model.num_timesteps = int(values["decisions"])
    model._n_updates = int(values["gradient_updates"])
    model.averaged = int(values["averaged"])
    training.updates = int(values["updates"])
    training.reviewed = bool(values["reviewed"])
    training.seconds = float(values["seconds"])
    training.evaluations = [
        Evaluation(**{**e, "seats": tuple(tuple(row) for row in e["seats"])}) for e in values["evaluations"]
    ]
    if values["begun"]:
        observations = training.tables.load_state_dict(dict(_below(arrays, "tables.")))
        starts = arrays["starts"].astype(bool)
        if starts.shape != (training.tables.num_envs,):
            raise ProbespielError(f"the marks of new games have shape {starts.shape}")
        training.begin(observations, starts)
    position, has_gauss, gauss = values["numpy"]
    training.random = {
        "torch": th.from_numpy(arrays["random.torch"].copy()),
        "numpy": ("MT19937", arrays["random.numpy"], int(position), int(has_gauss), float(gauss)),
    }
    with own_random_numbers(training.random):  # raises where the states are none
        pass


def _load_module(module: th.nn.Module, arrays: Mapping[str, np.ndarray]) -> None:
    module.load_state_dict({name: th.from_numpy(array.copy()) for name, array in arrays.items()})


__all__ = ["foreign_files", "load_checkpoint", "read_config", "save_checkpoint"]
