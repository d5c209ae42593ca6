"""The bot's side of the pipe: the main loop of a process in which a bot from outside lives."""

from __future__ import annotations

import os
import pickle
import socket
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..envs.core.recipes import rebuild
from .base import Agent, AgentError, Requests, View
from .by_position import known_apart
from .faults import EXCEPTION, Fault, check_batch, check_chances, judge, told
from .pipe import Pipe, packed, printable
from .registry import ForeignAgent, make_agent


class _Host:
    def __init__(self, text: str, recipe: Mapping[str, Any], compiled: bool = True) -> None:
        self.text = text
        self.game = rebuild(recipe, compiled)
        self.agent = self._make()
        self.seats: dict[int, Agent] = {}
        # What a view can do is loaded before the clock runs for the first time.
        position = self.game.position(0)
        for seat in position.to_act():
            View.of(position, seat).world().roll(np.zeros(1, dtype=np.uint64))
        own = type(self.agent).act_batch
        self.traits = {
            "per_table": bool(self.agent.per_table),
            "batched": not self.agent.per_table and own not in (Agent.act_batch, ForeignAgent.act_batch),
            "apart": known_apart(self.agent),
            "tells": type(self.agent).probabilities is not Agent.probabilities,
        }

    def _make(self) -> Agent:
        agent = make_agent(self.text, apart=True)
        agent.prepare(self.game)
        return agent

    def answer(self, kind: str, content: Any) -> dict[str, Any]:
        """What goes back for a question; whatever the bot raises is told."""
        try:
            if kind == "reset":
                self.agent.reset(content)
                return {}
            if kind == "game":
                self.seats = {seat: self._make() for seat in content}
                for seat, agent in self.seats.items():
                    agent.reset(content[seat])
                return {}
            if kind == "batch":
                requests = Requests(self.game, *content)
                actions, faults = check_batch(self.agent.act_batch(requests), requests)
                return {} if faults else {"actions": actions.tolist()}
            if kind == "chances":
                requests = Requests(self.game, *content)
                return {"chances": check_chances(self.agent.probabilities(requests), requests)}
            request, history = content
            view = Requests(self.game, *request).view(0, history)
            agent = self.seats[view.seat] if self.agent.per_table else self.agent
            verdict = judge(self.game, agent.act(view), view.legal)
        except BaseException as error:  # sys.exit and the like are the bot's, too
            if kind == "batch":
                return {}  # asked one by one, it shows at which decision it fails
            return {"fault": EXCEPTION, "message": printable(told(error))}
        if isinstance(verdict, Fault):
            return {"fault": verdict.code, "message": printable(verdict.message)}
        return {"action": verdict}


def host(descriptor: int) -> None:
    """Answer the questions that come from the socket with this file descriptor, until it closes."""
    pipe = Pipe(socket.socket(fileno=descriptor))
    text, recipe, compiled = pickle.loads(pipe.receive(None, None))
    try:
        made = _Host(text, recipe, compiled)
    except BaseException as error:  # told to the parent, which raises it for its user
        reason = str(error) if isinstance(error, AgentError) else f"agent {text!r}: {told(error)}"
        pipe.send(packed({"error": printable(reason)}), None)
        os._exit(1)
    pipe.send(packed(made.traits), None)
    while True:
        try:
            kind, content = pickle.loads(pipe.receive(None, None))
        except EOFError:
            os._exit(0)
        pipe.send(packed(made.answer(kind, content)), None)


__all__ = ["host"]
