"""Bots written by others, in processes of their own: one that hangs, dies, lies or eats the memory stops nothing else.

The match asks over a pipe (`pipe.py`) and waits no longer than the time limit; then it ends the process and starts
another. What the bot prints is dropped. Above each bot's process stands a keeper (`keeper.py`), which sets its limits
and ends whatever it has started; within (`bot_host.py`) its code is loaded and asked. Both are forked by a process that
has imported all that is not the bot's own (`envs/core/nursery.py`).
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..envs.core.game import Game
from ..envs.core.nursery import Child, nursery
from ..envs.core.recipes import recipe_of
from .base import AgentError, Requests
from .faults import EXCEPTION, TIME, Fault
from .keeper import landlock_version
from .pipe import A_CHANCE, A_NUMBER, LONGEST, Pipe, Unfit, checked

START_SECONDS = 60.0  # to import a bot and to make an instance, whatever the limit of a move
GRACE_SECONDS = 5.0  # for a process that has been told to end
MEMORY = 2048  # MiB for a bot's process, unless somebody says another
LEAST_MEMORY = 512  # an interpreter with this package needs about half of it
FULL_MOVES = 2000  # so many moves of the whole time limit a process may compute, on all processors
HOST = f"{__package__}.bot_host"


@dataclass(frozen=True)
class BotTerms:
    """Terms for bots from outside: `memory` in MiB for a process; `shared`: one process for all seats of a bot.

    Raises AgentError for too little memory.
    """

    memory: int = MEMORY
    shared: bool = False

    def __post_init__(self) -> None:
        if self.memory < LEAST_MEMORY:
            raise AgentError(f"bot_memory = {self.memory!r} is not allowed: at least {LEAST_MEMORY} (MiB)")


TERMS = BotTerms()


def fences() -> str:
    """What bots from outside could do on this machine that they should not, in a sentence; empty where they cannot."""
    if landlock_version():
        return ""
    return (
        "This system has no Landlock: bots from outside could write files with the rights of whoever ran the "
        "tournament, its results among them."
    )


class BotProcess:
    """One outside bot in a process of its own, which starts with the first question, and again after it was stopped.

    `per_table`, known after the first start, says that the bot remembers things, so that every seat of every game has
    an instance of its own; likewise `apart` (see `known_apart`), and `tells` that it knows its chances. `seed` is what
    a bot gets by `reset` that does not. `stops` counts how often the process died or was ended because of what it did.
    `together`: one that knows no batches is asked for many decisions at once all the same, as nobody counts the seconds
    of each.
    """

    def __init__(
        self, text: str, game: Game, seed: int, move_seconds: float | None, terms: BotTerms = TERMS,
        together: bool = False,
    ) -> None:  # fmt: skip
        self.text, self.limit, self.terms, self._together = text, move_seconds, terms, together
        self.stops = 0
        self._first = (text, recipe_of(game), game.kernel.compiled)
        self._seed = seed
        self._process: Child | None = None
        self._sign = (
            -1
        )  # a descriptor: when it is closed, by us or because this process is gone, the keeper ends the bot
        self._pipe: Pipe | None = None
        self._waited = 0.0  # seconds for answers of this process
        self._needed = START_SECONDS  # seconds for the start of the last process
        self._fresh = True  # nobody has called `reset` yet
        self._batched = True  # until a batch fails: then the decisions are asked one by one
        self.per_table = False
        self.apart = self.tells = False

    def check(self) -> None:
        """Start the process; raises AgentError if the bot cannot be made."""
        fault = self._ready()
        if fault is not None:
            self.stops = 0
            raise AgentError(fault.message)

    def _ready(self) -> Fault | None:
        """Start the process if there is none."""
        if self._process is not None:
            return None
        ours, theirs = socket.socketpair()
        seconds = None
        if self.limit is not None:
            seconds = int((START_SECONDS + FULL_MOVES * self.limit) * (os.cpu_count() or 1))
        read, self._sign = os.pipe()
        try:
            self._process = nursery(f"{__package__}.bot_host").start(
                f"{__package__}.keeper:keep", HOST, self.terms.memory, seconds, files=[theirs.fileno()], stdin=read
            )
        except OSError as error:
            ours.close()
            os.close(self._sign)
            raise AgentError(f"agent {self.text!r} cannot be started: {error}") from error
        finally:
            theirs.close()
            os.close(read)
        self._pipe = Pipe(ours)
        self._waited, self._fresh = 0.0, True
        answer = self._exchange("start", self._first, max(START_SECONDS, self.limit or 0.0), LONGEST)
        if isinstance(answer, Fault):
            return Fault(answer.code, f"agent {self.text!r} cannot be started: {answer.message}")
        if "error" in answer:
            self.stops += 1
            self.close()
            return Fault(EXCEPTION, answer["error"])
        self._needed = self._waited
        self.per_table, self.apart, self.tells = answer["per_table"], answer["apart"], answer["tells"]
        self._batched = self._batched and (answer["batched"] or (self._together and not self.per_table))
        return None

    def _exchange(
        self, kind: str, content: Any, seconds: float | None, longest: int, count: int = 0, width: int = 0
    ) -> dict[str, Any] | Fault:
        """Ask and wait for the answer; a fault if none comes in time, another thing comes, or the process has ended."""
        assert self._pipe is not None and self._process is not None
        begun = time.monotonic()
        until = None if seconds is None else begun + seconds
        try:
            self._pipe.check_silent()
            self._pipe.number += 1
            self._pipe.send(pickle.dumps(content if kind == "start" else (kind, content), protocol=5), until)
            answer = checked(kind, self._pipe.receive(longest, until), count, width)
        except TimeoutError:
            fault = Fault(TIME, f"no answer within {seconds:g} s")
        except Unfit as error:
            fault = Fault(EXCEPTION, f"broke the protocol: {error}")
        except (EOFError, OSError):
            fault = Fault(EXCEPTION, self._last_words())
        else:
            self._waited += time.monotonic() - begun
            return answer
        self.stops += 1
        self.close()
        return fault

    def _last_words(self) -> str:
        assert self._process is not None
        try:
            code = self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            return "its process broke the connection"
        if code >= 0:
            return f"its process ended with exit code {code}"
        known = {s.value: s.name for s in signal.Signals}
        return f"its process was ended by {known.get(-code, f'signal {-code}')}"

    @property
    def running(self) -> bool:
        """Whether there is a process: it has not ended, nor been ended for what it did."""
        return self._process is not None

    def close(self) -> None:
        """End the process and all that it has started; the next question starts another."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            os.close(self._sign)
            try:
                self._process.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:  # the bot has stopped its keeper: it dies with it all the same
                self._process.kill()
                self._process.wait()
            self._process = None

    def begin(self, seeds: Mapping[int, int]) -> Fault | None:
        """Start a game of a bot that remembers: a seed (0..2**63-1) for each seat that it takes."""
        if self.limit is not None and self._waited > FULL_MOVES / 2 * self.limit:
            self.close()  # before its processor time is spent: a new game needs nothing of the old ones
        fault = self._ready()
        if fault is not None:
            return fault
        # To make an instance takes no longer than to start did, which includes one.
        seconds = None if self.limit is None else self._needed * len(seeds) + self.limit
        answer = self._ask("game", dict(seeds), seconds)
        return answer if isinstance(answer, Fault) else _fault_in(answer)

    def ask_batch(self, requests: Requests) -> np.ndarray | None:
        """Legal actions for many decisions in one call, int64[m]; None if the bot does not answer in batches."""
        if len(requests) < 2 or self._ready() is not None or not self._batched:
            return None
        m = len(requests)
        answer = self._ask("batch", _packed(requests), self.limit, LONGEST + A_NUMBER * m, m)
        if isinstance(answer, dict) and "actions" in answer:
            return np.array(answer["actions"], dtype=np.int64)
        self._batched = False
        return None

    def ask_chances(self, requests: Requests) -> np.ndarray | Fault | None:
        """The chances of all actions at many decisions, float64[m, A]; None if the bot does not know them."""
        m, width = requests.masks.shape
        longest = LONGEST + A_CHANCE * m * width
        answer = self._ask("chances", _packed(requests), self.limit, longest, m, width)
        if isinstance(answer, Fault):
            return answer
        if fault := _fault_in(answer):
            return fault
        return None if answer["chances"] is None else np.array(answer["chances"], dtype=np.float64)

    def reset(self, seed: int) -> None:
        """The next question comes after a `reset` with this seed (0..2**63-1), unless the bot remembers things."""
        self._seed, self._fresh = seed, True

    def ask_one(self, request: Requests, history: Sequence[str] = ()) -> int | Fault:
        """The answer to one decision (requests of one row), legal if it is an integer.

        `history`: the lines that a person in its place has read.
        """
        answer = self._ask("one", (_packed(request), tuple(history)), self.limit)
        if isinstance(answer, Fault):
            return answer
        return _fault_in(answer) or int(answer["action"])

    def _ask(
        self, kind: str, content: Any, seconds: float | None, longest: int = LONGEST, count: int = 0, width: int = 0
    ) -> dict[str, Any] | Fault:
        fault = self._ready()
        if fault is not None:
            return fault
        if self._fresh and not self.per_table:
            answer = self._exchange("reset", self._seed, self.limit, LONGEST)
            if isinstance(answer, Fault) or "fault" in answer:
                return answer
        self._fresh = False
        return self._exchange(kind, content, seconds, longest, count, width)


def _fault_in(answer: Mapping[str, Any]) -> Fault | None:
    return Fault(int(answer["fault"]), str(answer["message"])) if "fault" in answer else None


def _packed(requests: Requests) -> tuple[np.ndarray, ...]:
    return (
        requests.seats,
        requests.observations,
        requests.masks,
        requests.words,
        requests.keys,
        requests.seeds,
        requests.phases,
        requests.worlds(),
    )


__all__ = ["TERMS", "BotProcess", "BotTerms", "fences"]
