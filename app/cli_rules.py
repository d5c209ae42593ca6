"""`probespiel rules`, `explain` and `tutorial`: the rules at the table. Nothing here is compiled."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Annotated, Any

import typer

from ..envs.core.errors import ProbespielError
from ..envs.core.game import GameSpec
from ..envs.core.registry import game_names, system_names, system_of
from ..envs.core.rulebook import rules_of, tutorial_of
from ..envs.core.rulebook.pages import page_of
from .common import Lang, Language, Modules, Options, Scenario, modules_of, pairs
from .explaining import explained
from .terminal.screen import fold, page, width_of

Subject = Annotated[str, typer.Argument(metavar="GAME", help="a game, as listed by `probespiel games`, or a system")]


def rules(
    game: Subject,
    scenario: Scenario = None,
    module: Modules = None,
    options: Options = None,
    lang: Language = Lang.en,
) -> None:
    """Tell the rules of a game as it is played: its options, its modules. Markdown, formatted in a terminal.

    The name of a system gives the page of all its games.
    """
    if game not in game_names() and game in system_names():
        if scenario or module or options:
            raise ProbespielError(f"{game!r} is a system: --scenario, --module and --set need one of its games")
        show(page_of(game, lang.value))
        return
    show(rules_of(_spec(game, scenario, module, options), lang.value))


def explain(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="TERM [GAME]",
            help="a term, an abbreviation, an option, a module, a rule such as R31; a game or system (default: all)",
        ),
    ],
    lang: Language = Lang.en,
) -> None:
    """Explain a term or an abbreviation that a game shows; near ones are named if there is none."""
    term, game = _term_and_game(words)
    show(explained(term, game, lang.value))


def _term_and_game(words: Sequence[str]) -> tuple[str, str | None]:
    """What is asked about, perhaps in several words, and where: the game stands behind it or, as elsewhere, before."""
    names = (*game_names(), *system_names())
    if len(words) > 1:
        if words[-1] in names:
            return " ".join(words[:-1]), words[-1]
        if words[0] in names:
            return " ".join(words[1:]), words[0]
        if get_close_matches(words[-1], names, cutoff=0.8):
            system_of(words[-1])  # raises, and names those that there are
    return " ".join(words), None


def tutorial(game: Subject, lang: Language = Lang.en) -> None:
    """Learn a system by a short game with a comment before each of your decisions."""
    from .terminal.tutorial import Lesson

    name = game if game in system_names() else system_of(game).name
    found = tutorial_of(name, lang.value)
    if found is None:
        having = ", ".join(other for other in system_names() if tutorial_of(other) is not None)
        raise ProbespielError(f"there is no tutorial for {name}: one of {having}")
    Lesson(found, lang.value, write=_narrow if sys.stdout.isatty() else print).run()


def show(markdown: str) -> None:
    """Print Markdown: as it is, or formatted where a terminal reads it, page by page if it is longer than that."""
    if not sys.stdout.isatty():
        print(markdown.rstrip("\n"))  # not typer's echo, which writes umlauts where they cannot be read
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    with console.capture() as caught:
        console.print(Markdown(markdown))
    page(caught.get(), console.height)


def _narrow(text: str) -> None:
    """Print lines no wider than the terminal."""
    for line in fold(text, max(40, width_of(sys.stdout))):
        print(line)


def _spec(game: str, scenario: str | None, module: Any, options: Any) -> GameSpec:
    config = pairs(options or (), "option")
    return system_of(game).spec(game, scenario, config, modules_of(module or ()))


__all__ = ["explain", "rules", "show", "tutorial"]
