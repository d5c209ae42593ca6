"""An agent from outside at a table with people: it lives in a process of its own, whose end ends nothing else."""

from __future__ import annotations

from ..envs.core.game import Game
from .base import Agent, AgentError, View
from .faults import Fault
from .outside import MEMORY, BotProcess, BotTerms

ROOM = BotTerms(memory=8 * MEMORY)  # one game is played: there is room for it


class Failed(AgentError):
    """What became of an agent that did not answer, in words; it has to be prepared again."""


class ApartAgent(Agent):
    """The agent that a text names, for one seat of one table; it is asked as long as it takes.

    Like the bots of tournaments it writes no files where the system can see to that, and what it prints is dropped.
    `per_table` is known once it is prepared.
    """

    def __init__(self, text: str, seat: int) -> None:
        self.name, self._seat = text, seat
        self._process: BotProcess | None = None

    def prepare(self, game: Game) -> None:
        """Start the process, unless it runs; raises AgentError if the agent cannot be made there."""
        if self._process is None:
            self._process = BotProcess(self.name, game, 0, None, ROOM)
        self._process.check()
        self.per_table = self._process.per_table  # type: ignore[misc]

    def reset(self, seed: int) -> None:
        """A new game, of an agent that remembers nothing before its next decision; raises Failed."""
        assert self._process is not None, "prepare comes first"
        if not self.per_table:
            self._process.reset(seed)
        elif fault := self._process.begin({self._seat: seed}):
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


__all__ = ["ApartAgent", "Failed"]
