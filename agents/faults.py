"""What is wrong with an agent's answer, in a code and in words."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..envs.core.brief import brief, without_addresses
from ..envs.core.game import Game
from ..envs.core.modules.kept import Changed
from .base import Agent, AgentError, Requests
from .match_kernel import EXCEPTION, ILLEGAL, TIME, mark_illegal

_LONGEST = 300  # characters of a message


@dataclass(frozen=True)
class Fault:
    """Why a seat forfeits: the code (ILLEGAL, EXCEPTION or TIME) and what happened, in words."""

    code: int
    message: str


def judge(game: Game, answer: Any, legal: Sequence[int]) -> int | Fault:
    """The action that an answer of any type stands for, or what is wrong with it."""
    if isinstance(answer, bool) or not isinstance(answer, (int, np.integer)):
        return Fault(ILLEGAL, f"answered {shown(answer)} ({type(answer).__name__}), not the id of an action")
    return int(answer) if answer in legal else illegal(game, int(answer))


def illegal(game: Game, action: int) -> Fault:
    """What is wrong with an integer that is no legal action."""
    code = f" ({game.actions.codes[action]})" if 0 <= action < game.n_actions else ""
    return Fault(ILLEGAL, f"answered {shown(action)}{code}, not legal now")


def check_batch(answer: Any, requests: Requests) -> tuple[np.ndarray, dict[int, Fault]]:
    """The answer of `act_batch` as int64[m], and what is wrong with it by row; TypeError if it is not m integers."""
    actions = np.asarray(answer)
    if actions.shape != (len(requests),) or actions.dtype.kind not in "iu":
        raise TypeError(
            f"act_batch answered shape {actions.shape} of {actions.dtype}, not {len(requests)} ids of actions"
        )
    actions = actions.astype(np.int64)
    wrong = np.zeros(len(requests), dtype=np.int8)
    mark_illegal(requests.words, actions, wrong)
    return actions, {int(i): illegal(requests.game, int(actions[i])) for i in np.flatnonzero(wrong)}


def check_chances(answer: Any, requests: Requests) -> list[list[float]] | None:
    """The answer of `probabilities` as lists; TypeError if it is no number for every action, None: not known."""
    if answer is None:
        return None
    found = np.asarray(answer, dtype=np.float64)
    if found.shape != requests.masks.shape:
        raise TypeError(f"probabilities answered shape {found.shape}, not {requests.masks.shape}")
    if not (found >= 0).all():
        raise TypeError("probabilities answered what is no chance")
    return np.minimum(found, 1.0).tolist()  # 1 may be missed by rounding


def asked(agent: Agent, requests: Requests) -> np.ndarray:
    """What an agent answers, int64[m], where nobody can forfeit; AgentError if it raises or answers wrongly."""
    try:
        actions, faults = check_batch(agent.act_batch(requests), requests)
    except AgentError:
        raise
    except Exception as error:  # an agent may fail in any way, and that is no fault of whoever asks
        raise AgentError(f"{agent.name or type(agent).__name__} raised {told(error)}") from error
    if faults:
        raise AgentError(f"{agent.name or type(agent).__name__} {next(iter(faults.values())).message}")
    return actions


def shown(value: Any) -> str:
    """A short text for any value, even one that cannot be printed."""
    return brief(value, 60)


def told(error: BaseException) -> str:
    """An exception in one line, with the place in which it was raised."""
    if isinstance(error, Changed):  # raised by us, and says all
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    try:
        text = without_addresses(" ".join(str(error).split()))[:_LONGEST]
    except Exception:  # a bot's __str__
        text = ""
    return f"{type(error).__name__}{': ' if text else ''}{text}{place}"


__all__ = [
    "EXCEPTION",
    "ILLEGAL",
    "TIME",
    "Fault",
    "asked",
    "check_batch",
    "check_chances",
    "illegal",
    "judge",
    "shown",
    "told",
]
