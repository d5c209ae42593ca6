"""Lines that a person types: with history, completion and arrow keys at a terminal, plainly from a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ...agents.human import read_line
from .ending import at_the_terminal


class Reader(Protocol):
    """Answers a line to a prompt; EOFError when there is no more, KeyboardInterrupt for Ctrl-C.

    Terminated if the terminal is gone.
    """

    def __call__(self, prompt: str) -> str:
        """The line without its end."""
        ...


def reader(words: Callable[[], Sequence[str]]) -> Callable[[str], str]:
    """How lines are read here; `words` gives what can be completed at the moment."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    read = _editing(words) if terminal else read_line

    def line(prompt: str) -> str:
        with at_the_terminal():
            return read(prompt)

    return line


def _editing(words: Callable[[], Sequence[str]]) -> Callable[[str], str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.history import InMemoryHistory

    class Words(Completer):
        """What may be typed now and begins like the line, letter case aside."""

        def get_completions(self, document: Any, complete_event: Any) -> Any:
            typed = document.text_before_cursor.lstrip()
            for word in words():
                if word.casefold().startswith(typed.casefold()):
                    yield Completion(word, start_position=-len(typed))

    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory(), completer=Words(), complete_while_typing=False, enable_history_search=True
    )
    return session.prompt


__all__ = ["Reader", "reader"]
