"""What a system declares about what is found out: units, what reports speak of, worked examples, and commands.

`evaluation/<system>/declaration.py` holds the record `ANALYSIS`; `envs/core/rooms.py` says how rooms are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from ..envs.core.rooms import declaration
from ..envs.core.verify import CaseRunner


@runtime_checkable
class Answer(Protocol):
    """What a command found out."""

    def text(self) -> str:
        """For reading, with the last line's end."""
        ...

    def write(self, path: Path) -> object:
        """Write it to where `--out` says: files that were written if it is a folder. Raises ProbespielError."""
        ...


@dataclass(frozen=True)
class Command:
    """A command of a system: `probespiel NAME SYSTEM`, or `probespiel NAME` where it is `alone`.

    `run` is a function of plain values that returns an `Answer`. Its parameters become options of the command line:
    their annotation is `Annotated[type, "help"]`, with a third entry (low, high) where there are bounds, their
    default that of the option. The names `options` (values of the rules), `scenario`, `lang`, `jobs` (one a core
    unless asked for) and `tell` (a function of what, done and total, for progress) mean the same everywhere.
    `several`: `--out` may be given more than once; `out`: its help; `folder`: it names a folder; `check_out` raises
    ProbespielError for a path that `write` would refuse, so that nothing is computed in vain. `agents`: names of those
    that a call with some values makes; files of others are tried in a process of their own first.
    """

    run: Callable[..., Answer]
    out: str = "file to write, by suffix .csv, .txt, .svg or .png; repeatable"
    several: bool = True
    folder: bool = False
    alone: bool = False
    check_out: Callable[[Path], None] = field(default=lambda path: None)
    agents: Callable[[Mapping[str, Any]], Iterable[str]] = field(default=lambda values: ())


@dataclass(frozen=True)
class Analysis:
    """How a system is judged.

    `unit`: of payoffs under some options of the rules (an empty text: there is none). `pace`: microseconds that one
    decision of a game takes a processor of today where a baseline plays on, by game, or by `GAME/SCENARIO` where that
    differs (`python -m benchmarks.lab --forecast` measures it). `focus`: strategies of which the answer of a tournament
    speaks in any case, by game. `examples`: kinds of worked examples that need more than the rules, each with what
    checks a case; made when it is asked for. `commands` by name.
    """

    unit: Callable[[Mapping[str, Any]], str] = field(default=lambda config: "")
    pace: Mapping[str, float] = field(default_factory=dict)
    focus: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    examples: Callable[[], Mapping[str, CaseRunner]] = field(default=dict[str, Any])
    commands: Mapping[str, Command] = field(default_factory=dict)


_NOTHING = Analysis()


def analysis_of(system: str) -> Analysis:
    """What a system declares on this floor; raises RulesetError."""
    return declaration(system, "evaluation", "ANALYSIS", Analysis) or _NOTHING


def unit_of(system: str, options: Mapping[str, Any]) -> str:
    """The unit of payoffs in a game with these options, or an empty text."""
    config = options.get("config")
    return analysis_of(system).unit(config if isinstance(config, Mapping) else {})


__all__ = ["Analysis", "Answer", "Command", "analysis_of", "unit_of"]
