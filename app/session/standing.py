"""How a run stands: all that was told so far, and what comes next, as its file says; nothing is asked of anybody.

A face that cannot wait in the middle of a course (a server of pages) reads the standing, shows it, and writes the next
answer into the file; then it reads the standing again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...envs.core.game import Game, GameSpec, Position
from .solo import Host, Notes, RunError, Score, SoloRun


@dataclass(frozen=True)
class Pick:
    """A choice that is due."""

    question: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class Due:
    """A game that is due, or under way by a `name` (see `Host.game`)."""

    make: Callable[[], GameSpec]
    cast: Callable[[Game], Mapping[int, str]]
    seed: int
    outcome: Callable[[Position], dict[str, Any]]
    name: str | None


@dataclass(frozen=True)
class Standing:
    """How a run stands: what was told before the last answer and since, what comes next, how many answers there are.

    `picked` are the choices since the last game, each with its question.
    """

    before: tuple[str, ...]
    since: tuple[str, ...]
    next: Pick | Due | Score
    answers: int
    picked: tuple[tuple[str, str], ...] = ()
    can_take_back: bool = False


class _Stop(Exception):
    """What comes next is not known."""

    def __init__(self, next: Pick | Due) -> None:
        super().__init__()
        self.next = next


@dataclass
class _Told:
    before: list[str] = field(default_factory=list)
    since: list[str] = field(default_factory=list)
    picked: list[tuple[str, str]] = field(default_factory=list)


class _Reader(Host):
    """Answers as the file does and stops where it ends."""

    def __init__(self, notes: Notes, lang: str) -> None:
        super().__init__(notes)
        self.lang, self.told = lang, _Told()

    def tell(self, text: str) -> None:
        """Keep the text."""
        (self.told.before if self.notes.known else self.told.since).append(text)

    def pick(self, question: str, options: Sequence[str]) -> int:
        """The choice that is known; else stop."""
        found = super().pick(question, options)
        if len(options) > 1:
            self.told.picked.append((question, options[found]))
        return found

    def ask(self, question: str, options: Sequence[str]) -> int:
        """Stop: a choice is due."""
        raise _Stop(Pick(question, tuple(options)))

    def game(
        self,
        make: Callable[[], GameSpec],
        cast: Callable[[Game], Mapping[int, str]],
        seed: int,
        outcome: Callable[[Position], dict[str, Any]],
    ) -> dict[str, Any]:
        """The outcome that is known; else stop: a game is due."""
        name, found = self.known_game()
        if found is None:
            raise _Stop(Due(make, cast, seed, outcome, name))
        self.told.picked.clear()
        return found


def standing(path: Path, run: SoloRun, lang: str) -> Standing:
    """How the run of a file stands, in a language; raises RunError, InUse, OSError."""
    notes = Notes.go_on(path)
    try:
        reader = _Reader(notes, lang)
        try:
            found: Pick | Due | Score = run.course(reader)
        except _Stop as stop:
            found = stop.next
        if notes.known:
            raise RunError(f"{path}: {notes.known[0]} stands after the end of the run")
        told = reader.told
        picked = tuple(told.picked)
        return Standing(tuple(told.before), tuple(told.since), found, notes.answers, picked, notes.can_take_back)
    finally:
        notes.close()


__all__ = ["Due", "Pick", "Standing", "standing"]
