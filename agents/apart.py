"""Agents from outside in a process of their own, whose end ends nothing else: at a table with people, in a training."""

from __future__ import annotations

import weakref

import numpy as np

from ..envs.core.game import Game
from .base import Agent, AgentError, Requests, View
from .by_position import known_apart
from .faults import EXCEPTION, Fault
from .outside import MEMORY, BotProcess, BotTerms
from .registry import AgentText, make_agent, parse_agent

ROOM = BotTerms(memory=8 * MEMORY)  # one game is played: there is room for it
TOGETHER = 64  # decisions that are asked at once: enough for the way to another process to cost little
UNEVEN = 1e-6  # so far from 1 chances may add up by rounding, in 32 bits too
QUESTION_SECONDS = 300.0  # for their answers; whoever needs longer never answers


class Failed(AgentError):
    """What became of an agent that did not answer, in words; it has to be prepared again."""


class ApartAgent(Agent):
    """The agent that a text names, for one seat of one table; it is asked as long as it takes, or so many seconds.

    Like the bots of tournaments it writes no files where the system can see to that, and what it prints is dropped.
    `per_table` is known once it is prepared; `seat` may be another one in the next game.
    """

    def __init__(self, text: str, seat: int, seconds: float | None = None) -> None:
        self.name, self.seat, self._seconds = text, seat, seconds
        self._process: BotProcess | None = None

    def prepare(self, game: Game) -> None:
        """Start the process, unless it runs; raises AgentError if the agent cannot be made there."""
        if self._process is None:
            self._process = BotProcess(self.name, game, 0, self._seconds, ROOM)
        self._process.check()
        self.per_table = self._process.per_table  # type: ignore[misc]

    def reset(self, seed: int) -> None:
        """A new game, of an agent that remembers nothing before its next decision; raises Failed."""
        assert self._process is not None, "prepare comes first"
        if not self.per_table:
            self._process.reset(seed)
        elif fault := self._process.begin({self.seat: seed}):
            raise Failed(fault.message)

    def act(self, view: View) -> int:
        """One of `view.legal`, for which it may take any time; raises Failed."""
        assert self._process is not None, "prepare comes first"
        try:
            found = self._process.ask_one(view.requests, view.history)
        except BaseException:  # whoever waited was interrupted: the answer may still come
            self.close()
            raise
        if isinstance(found, Fault):
            raise Failed(found.message)
        return found

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def __del__(self) -> None:  # a table that nobody closes, such as one that could not begin
        self.close()


class AskedApart(Agent):
    """The agent that a text names, for many decisions of many tables, which it answers one like the other.

    It has a process for each game that it is prepared for, where it is asked TOGETHER decisions at once; `tells`: for
    its chances, too.
    """

    def __init__(self, agent: AgentText, tells: bool = False) -> None:
        self.name, self._text, self._tells = agent.text, agent.here, tells
        self._processes: list[tuple[Game, BotProcess]] = []
        # A training ends with whoever holds its players, often in a circle, where `__del__` comes in any order.
        weakref.finalize(self, _end, self._processes)

    def prepare(self, game: Game) -> None:
        """Start the process of the game, unless it runs; raises AgentError if the agent cannot be made there."""
        self._of(game)

    def _of(self, game: Game) -> BotProcess:
        for known, process in self._processes:
            if known is game:
                return process
        process = BotProcess(self._text, game, 0, QUESTION_SECONDS, ROOM, together=True)
        process.check()
        self._processes.append((game, process))
        return process

    def remembers(self, game: Game) -> bool:
        """Whether it remembers what happened, and so would have a seat."""
        return self._of(game).per_table

    def suits(self, game: Game, answers: bool) -> bool:
        """Whether it is asked in its process; if so, for its chances, too, unless its `answers` are all."""
        process = self._of(game)
        self._tells = not answers and process.tells
        return not process.per_table and (answers or process.apart)

    def reset(self, seed: int) -> None:
        """Before its next decisions."""
        for _, process in self._processes:
            process.reset(seed)

    def act(self, view: View) -> int:
        """One of `view.legal`; raises Failed."""
        return int(self.act_batch(view.requests)[0])

    def act_batch(self, requests: Requests) -> np.ndarray:
        """Legal actions, int64[m]; raises Failed, naming what became of it."""
        process, out = self._of(requests.game), np.empty(len(requests), np.int64)
        for begin in range(0, len(requests), TOGETHER):
            rows = slice(begin, min(begin + TOGETHER, len(requests)))
            found = process.ask_batch(requests[rows])
            out[rows] = found if found is not None else self._one_by_one(process, requests[rows])
        return out

    def probabilities(self, requests: Requests) -> np.ndarray | None:
        """The chances of all actions, float64[m, A], None if it does not know them; raises Failed."""
        process, parts = self._of(requests.game), [np.zeros((0, requests.masks.shape[1]))]
        for begin in range(0, len(requests) if self._tells else 0, TOGETHER):
            found = process.ask_chances(requests[begin : begin + TOGETHER])
            if isinstance(found, Fault):
                raise Failed(self._told(found, process.running))
            if found is None:
                return None
            masks = requests.masks[begin : begin + TOGETHER]
            if found[masks == 0].any() or np.abs(found.sum(axis=1) - 1).max() > UNEVEN:
                raise Failed(f"{self.name} told chances that are not those of the legal actions")
            parts.append(found)
        return np.concatenate(parts) if self._tells else None

    def _one_by_one(self, process: BotProcess, requests: Requests) -> list[int]:
        found: list[int] = []
        for i in range(len(requests)):
            answer = process.ask_one(requests[[i]])
            if isinstance(answer, Fault):
                raise Failed(self._told(answer, process.running))
            found.append(answer)
        return found

    def _told(self, fault: Fault, running: bool) -> str:
        """What it did, in the words of agents that are asked here (`asked`), or what became of its process."""
        if not running:
            return f"agent {self.name!r}: {fault.message}"
        return f"{self.name} {'raised ' if fault.code == EXCEPTION else ''}{fault.message}"

    def close(self) -> None:
        """End the processes."""
        _end(self._processes)


def _end(processes: list[tuple[Game, BotProcess]]) -> None:
    while processes:
        processes.pop()[1].close()


def asked_apart(agent: str | AgentText, game: Game | None = None, answers: bool = False) -> Agent:
    """The agent that is named; one from outside in a process of its own, if what it answers and its chances are all.

    Not so one that remembers things, which has a seat, or that has compiled code or tells by what it goes, which are
    asked here unless nothing but its `answers` is wanted. With a `game` it is made in a process of its own first, which
    says what it is and goes on to be asked: one that ends it, or never returns, ends nothing else, and only who is
    asked here is made a second time. Without one, for answers alone, that comes when it is prepared, and `remembers`
    tells then who has a seat. Raises AgentError as `make_agent`, and if that fails.
    """
    parsed = parse_agent(agent) if isinstance(agent, str) else agent
    name = None if game is None else game.name
    if not parsed.outside:
        return make_agent(parsed, name)
    if game is None:
        if answers:
            return AskedApart(parsed)
        made = make_agent(parsed, name)
        if made.per_table or not known_apart(made):
            return made
        made.close()
        return AskedApart(parsed, type(made).probabilities is not Agent.probabilities)
    tried = AskedApart(parsed)
    if tried.suits(game, answers):
        return tried
    tried.close()
    return make_agent(parsed, name)


__all__ = ["QUESTION_SECONDS", "ApartAgent", "AskedApart", "Failed", "asked_apart"]
