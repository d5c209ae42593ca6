"""A question with numbered answers at the terminal, for choices that belong to no game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...envs.core.errors import ProbespielError
from ..explaining import explained
from .messages import command_of, say
from .plain import plain
from .screen import Screen, in_columns

_LONG = 14  # options from which on they stand side by side


class Left(Exception):
    """The person has left; everything so far is kept."""


def choose(
    screen: Screen, read: Callable[[str], str], lang: str, question: str, options: Sequence[str], system: str
) -> int:
    """The place of the option that a person names by number or by its words; raises Left. Terms are the system's."""

    def show() -> None:
        screen.line()
        screen.line(question, "bold")
        cells = [f"{number:3}  {text}" for number, text in enumerate(options, 1)]
        if len(cells) > _LONG and max(map(len, cells)) < 36:
            screen.lines(in_columns(cells, screen.width))
        else:
            for cell in cells:
                screen.pieces((cell[:3], "cyan"), (cell[3:], ""))

    show()
    while True:
        try:
            typed = " ".join(read("> ").split())
        except EOFError:
            raise Left from None
        if typed.isdecimal() and 1 <= int(typed) <= len(options):
            return int(typed) - 1
        folded = plain(typed).casefold()
        whole = [n for n, text in enumerate(options) if plain(text).casefold() == folded]
        near = whole or [n for n, text in enumerate(options) if folded and plain(text).casefold().startswith(folded)]
        if len(near) == 1:
            return near[0]
        command = command_of(typed)
        if command is not None and command[0] == "quit":
            raise Left
        if command is not None and command[0] == "explain":
            explain(screen, command[1], system, lang)
        elif not typed:
            show()
        else:
            screen.line(say(lang, "pick_of", n=len(options)))


def explain(screen: Screen, term: str, game: str, lang: str) -> None:
    """Show what a term of a game or a system means, or which terms are near it."""
    if not term:
        screen.line(say(lang, "explain_what"))
        return
    try:
        screen.markdown(explained(term, game, lang, at_table=True))
    except ProbespielError as error:
        screen.line(str(error))


__all__ = ["Left", "choose", "explain"]
