"""Bots written by others, in a process of their own: one that hangs, dies or eats the stack stops nothing else.

The parent asks over a pipe and waits no longer than the time limit; then it kills the process and starts another. What
the bot prints is dropped. Answers come back as JSON, so that nothing a bot makes is unpickled.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from ..envs.core.game import Game
from ..envs.core.replay import rebuild, recipe_of
from .base import Agent, AgentError, Requests, View
from .faults import EXCEPTION, TIME, Fault, check_batch, judge, told
from .registry import ForeignAgent, make_agent

START_SECONDS = 60.0  # to import a bot and to make an instance, whatever the limit of a move
GRACE_SECONDS = 5.0  # after which a bot that its parent cannot stop any more is ended by the system


class BotProcess:
    """One outside bot in a process of its own; started again by itself after it had to be stopped.

    `per_table` says that the bot remembers things, so that every seat of every game has an instance of its own.
    `stops` counts how often the process died or was killed. Raises AgentError if the bot cannot be made.
    """

    def __init__(self, text: str, game: Game, agent_seed: int, move_seconds: float | None) -> None:
        self.text = text
        self.limit = move_seconds
        self.stops = 0
        self._first = (text, recipe_of(game), agent_seed, move_seconds)
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        traits = self._start()
        self.per_table = bool(traits["per_table"])
        self._batched = bool(traits["batched"])  # until a batch fails: then the decisions are asked one by one

    def _start(self) -> dict[str, Any]:
        ours, theirs = Pipe()
        with theirs:
            code = f"from {__name__} import host; host({theirs.fileno()})"
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", code],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,  # an interrupt at the keyboard is the parent's business
            )
        self._pipe = ours
        answer = self._exchange(self._first, max(START_SECONDS, self.limit or 0.0))
        if isinstance(answer, Fault):
            raise AgentError(f"agent {self.text!r} cannot be started: {answer.message}")
        if "error" in answer:
            self.close()
            raise AgentError(str(answer["error"]))
        return answer

    def _exchange(self, message: tuple[Any, ...], seconds: float | None) -> dict[str, Any] | Fault:
        """Send and wait for the answer; a fault if none comes in time or the process has ended."""
        assert self._pipe is not None and self._process is not None
        try:
            self._pipe.send_bytes(pickle.dumps(message, protocol=5))
            if self._pipe.poll(seconds):
                answer = json.loads(self._pipe.recv_bytes())
                if isinstance(answer, dict):
                    return answer
            fault = Fault(TIME, f"no answer within {seconds:g} s")
        except (EOFError, OSError, ValueError):  # the process is gone, or wrote what is no answer
            fault = Fault(EXCEPTION, self._last_words())
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

    def close(self) -> None:
        """Kill the process; the next question starts another."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def begin(self, seeds: Mapping[int, int]) -> Fault | None:
        """Start a game of a bot that remembers: a seed (0..2**63-1) for each seat that it takes."""
        answer = self._ask(("game", dict(seeds)), max(START_SECONDS, self.limit or 0.0))
        return answer if isinstance(answer, Fault) else _fault_in(answer)

    def ask_batch(self, requests: Requests) -> np.ndarray | None:
        """Legal actions for many decisions in one call, int64[m]; None if the bot does not answer in batches."""
        if not self._batched or len(requests) < 2:
            return None
        answer = self._ask(("batch", _packed(requests)), self.limit)
        if isinstance(answer, dict) and "actions" in answer:
            return np.array(answer["actions"], dtype=np.int64)
        self._batched = False
        return None

    def ask_one(self, request: Requests) -> int | Fault:
        """The answer to one decision (requests of one row), legal if it is an integer."""
        answer = self._ask(("one", _packed(request)), self.limit)
        if isinstance(answer, Fault):
            return answer
        return _fault_in(answer) or int(answer["action"])

    def _ask(self, message: tuple[Any, ...], seconds: float | None) -> dict[str, Any] | Fault:
        if self._process is None:
            try:
                self._start()
            except AgentError as error:
                self.stops += 1
                return Fault(EXCEPTION, str(error))
        return self._exchange(message, seconds)


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


class _Host:
    """The bot's side of the pipe."""

    def __init__(self, text: str, recipe: Mapping[str, Any], seed: int, limit: float | None) -> None:
        self.text, self.limit = text, limit
        self.game = rebuild(recipe)
        self.agent = self._make()
        self.agent.reset(seed)
        self.seats: dict[int, Agent] = {}
        # What a view can do is loaded before the clock runs for the first time.
        position = self.game.position(0)
        for seat in position.to_act():
            View.of(position, seat).world().roll(np.zeros(1, dtype=np.uint64))
        own = type(self.agent).act_batch
        self.traits = {
            "per_table": bool(self.agent.per_table),
            "batched": not self.agent.per_table and own not in (Agent.act_batch, ForeignAgent.act_batch),
        }

    def _make(self) -> Agent:
        agent = make_agent(self.text)
        agent.prepare(self.game)
        return agent

    def answer(self, kind: str, content: Any) -> dict[str, Any]:
        """What goes back for a message; whatever the bot raises is told."""
        try:
            if kind == "game":
                self.seats = {seat: self._make() for seat in content}
                for seat, agent in self.seats.items():
                    agent.reset(content[seat])
                return {}
            requests = Requests(self.game, *content)
            if kind == "batch":
                actions, faults = check_batch(self.agent.act_batch(requests), requests)
                return {} if faults else {"actions": actions.tolist()}
            view = requests.view(0)
            agent = self.seats[view.seat] if self.agent.per_table else self.agent
            verdict = judge(self.game, agent.act(view), view.legal)
        except BaseException as error:  # sys.exit and the like are the bot's, too
            return {"fault": EXCEPTION, "message": told(error)}
        return (
            {"fault": verdict.code, "message": verdict.message} if isinstance(verdict, Fault) else {"action": verdict}
        )


def host(descriptor: int) -> None:
    """The main loop of a bot's process: messages come from the pipe with this file descriptor, until it closes."""
    pipe = Connection(descriptor)
    text, recipe, seed, limit = pickle.loads(pipe.recv_bytes())
    # The system's alarm ends the process even where Python code cannot, should the parent be gone.
    alarm = getattr(signal, "alarm", lambda seconds: 0)
    start = max(START_SECONDS, limit or 0.0)
    alarm(int(start + GRACE_SECONDS))
    try:
        made = _Host(text, recipe, seed, limit)
    except BaseException as error:  # told to the parent, which raises it for its user
        reason = str(error) if isinstance(error, AgentError) else f"agent {text!r}: {told(error)}"
        pipe.send_bytes(json.dumps({"error": reason}).encode())
        return
    pipe.send_bytes(json.dumps(made.traits).encode())
    while True:
        alarm(0)
        try:
            kind, content = pickle.loads(pipe.recv_bytes())
        except EOFError:
            os._exit(0)  # past any handlers that a bot has left
        if limit is not None:
            alarm(int((start if kind == "game" else limit) + GRACE_SECONDS) + 1)
        pipe.send_bytes(json.dumps(made.answer(kind, content)).encode())
