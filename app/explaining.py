"""What a term, an abbreviation, an option or a rule means: the same answer for the command line and at the table."""

from __future__ import annotations

import re

from ..envs.core.errors import ProbespielError
from ..envs.core.registry import system_names, system_of
from ..envs.core.rulebook import passages_of
from ..envs.core.rulebook.glossary import CORE, Entry, explain_all, near_terms
from ..envs.core.rulebook.pages import page_of, passage_about

_RULE = re.compile(r"[Rr]\d+[a-z]?")


def explained(term: str, game: str | None, lang: str) -> str:
    """The explanation in Markdown, for a game, a system or all of them (None).

    Raises ProbespielError with near terms if there is none.
    """
    if game is not None and game not in system_names():
        system_of(game)  # raises if there is none
    if _RULE.fullmatch(term):
        return _rule(f"R{term[1:]}", game, lang)
    found = explain_all(term, game, lang)
    if found:
        return "\n".join(entry_text(entry, lang) for entry in found)
    for name in _subjects(game):
        if told := passage_about(term, page_of(name, lang)):
            return told
    near = near_terms(term, game, lang)
    hint = f"did you mean {', '.join(map(repr, near))}?" if near else "`probespiel rules GAME` tells all rules"
    raise ProbespielError(f"term {term!r} is unknown{f' in {game}' if game else ''}: {hint}")


def entry_text(entry: Entry, lang: str) -> str:
    """An entry of the glossary in Markdown."""
    also = f" ({', '.join(entry.also)})" if entry.also else ""
    where = ""
    if entry.rule:
        command = f"`probespiel rules {entry.system}{' --lang de' if lang == 'de' else ''}`"
        where = f" [{entry.rule}] {command}"
    of = f"*{entry.system}:* " if entry.system != CORE else ""
    return f"{of}**{entry.term}**{also}: {entry.text}{where}\n"


def _subjects(game: str | None) -> tuple[str, ...]:
    if game is None:
        return system_names()
    return (game if game in system_names() else system_of(game).name,)


def _rule(rule: str, game: str | None, lang: str) -> str:
    if game is None:
        raise ProbespielError(f"rule {rule}: of which game? Every system has its own numbers: explain {rule} GAME")
    name = _subjects(game)[0]
    told = passages_of(rule, page_of(name, lang))
    if not told:
        raise ProbespielError(f"rule {rule} is not told of on the page of {name}")
    return "\n\n".join(told)


__all__ = ["entry_text", "explained"]
