"""`probespiel rules`, `explain` and `tutorial`: the rules at the table. Nothing here is compiled."""

from __future__ import annotations

import re
import sys
from typing import Annotated, Any

import typer

from ..envs.core.errors import ProbespielError
from ..envs.core.game import GameSpec
from ..envs.core.registry import game_names, system_names, system_of
from ..envs.core.rulebook import passages_of, rules_of, tutorial_of
from ..envs.core.rulebook.glossary import CORE, Entry, explain_all, near_terms
from ..envs.core.rulebook.pages import page_of
from .common import Lang, Language, Modules, Options, Scenario, modules_of, pairs

_RULE = re.compile(r"[Rr]\d+[a-z]?")
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
    term: Annotated[str, typer.Argument(metavar="TERM", help="a term, an abbreviation, an option, a rule such as R31")],
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="a game or system (default: all of them)")
    ] = None,
    lang: Language = Lang.en,
) -> None:
    """Explain a term or an abbreviation that a game shows; near ones are named if there is none."""
    if game is not None and game not in system_names():
        system_of(game)  # raises if there is none
    if _RULE.fullmatch(term):
        _rule(f"R{term[1:]}", game, lang.value)
        return
    found = explain_all(term, game, lang.value)
    for entry in found:
        show(entry_text(entry, lang.value))
    if found:
        return
    for name in _subjects(game):
        told = [
            line for line in page_of(name, lang.value).splitlines() if line.startswith("- ") and f"`{term}` =" in line
        ]
        if told:
            show("\n".join(told))
            return
    near = near_terms(term, game, lang.value)
    hint = f"did you mean {', '.join(map(repr, near))}?" if near else "`probespiel rules GAME` tells all rules"
    raise ProbespielError(f"term {term!r} is unknown{f' in {game}' if game else ''}: {hint}")


def tutorial(game: Subject, lang: Language = Lang.en) -> None:
    """Learn a system by a short game with a comment before each of your decisions."""
    from .tutorial import Lesson

    name = game if game in system_names() else system_of(game).name
    found = tutorial_of(name, lang.value)
    if found is None:
        having = ", ".join(other for other in system_names() if tutorial_of(other) is not None)
        raise ProbespielError(f"there is no tutorial for {name}: one of {having}")
    Lesson(found, lang.value).run()


def entry_text(entry: Entry, lang: str) -> str:
    """An entry of the glossary in Markdown."""
    also = f" ({', '.join(entry.also)})" if entry.also else ""
    where = ""
    if entry.rule:
        command = f"`probespiel rules {entry.system}{' --lang de' if lang == 'de' else ''}`"
        where = f" [{entry.rule}] {command}"
    of = f"*{entry.system}:* " if entry.system != CORE else ""
    return f"{of}**{entry.term}**{also}: {entry.text}{where}\n"


def show(markdown: str) -> None:
    """Print Markdown: as it is, or formatted where a terminal reads it."""
    if not sys.stdout.isatty():
        typer.echo(markdown.rstrip("\n"))
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(markdown))


def _spec(game: str, scenario: str | None, module: Any, options: Any) -> GameSpec:
    config = pairs(options or (), "option")
    return system_of(game).spec(game, scenario, config, modules_of(module or ()))


def _subjects(game: str | None) -> tuple[str, ...]:
    if game is None:
        return system_names()
    return (game if game in system_names() else system_of(game).name,)


def _rule(rule: str, game: str | None, lang: str) -> None:
    if game is None:
        raise ProbespielError(f"rule {rule}: of which game? Every system has its own numbers: explain {rule} GAME")
    name = _subjects(game)[0]
    told = passages_of(rule, page_of(name, lang))
    if not told:
        raise ProbespielError(f"rule {rule} is not told of on the page of {name}")
    show("\n\n".join(told))


__all__ = ["entry_text", "explain", "rules", "show", "tutorial"]
