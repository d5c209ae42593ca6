"""What a term, an abbreviation, an option or a rule means: the same answer for the command line and at the table."""

from __future__ import annotations

import re

from ..envs.core.errors import ProbespielError
from ..envs.core.registry import system_names, system_of
from ..envs.core.rulebook import passages_of
from ..envs.core.rulebook.glossary import CORE, Entry, explain_all, near_terms
from ..envs.core.rulebook.pages import page_of, passage_about
from ..envs.core.texts import minus_signs

_RULE = re.compile(r"[Rr]\d+[a-z]?")
_TEXT: dict[str, tuple[str, str]] = {
    "unknown": ("term {term!r} is unknown{where}: {hint}", "der Begriff {term!r} ist{where} unbekannt: {hint}"),
    "where": (" in {game}", " in {game}"),
    "meant": ("did you mean {near}?", "meintest du {near}?"),
    "table": ("`rules` tells all rules", "`regeln` nennt alle Regeln"),
    "all": ("`probespiel rules GAME` tells all rules", "`probespiel rules SPIEL --lang de` nennt alle Regeln"),
    "which": (
        "rule {rule}: of which game? Every system has its own numbers: explain {rule} GAME",
        "Regel {rule}: von welchem Spiel? Jedes System hat eigene Nummern: explain {rule} SPIEL",
    ),
    "untold": (
        "rule {rule} is not told of on the page of {name}",
        "von Regel {rule} steht nichts auf der Seite von {name}",
    ),
}


def _say(lang: str, key: str, **values: object) -> str:
    return _TEXT[key][lang == "de"].format(**values)


def explained(term: str, game: str | None, lang: str, at_table: bool = False) -> str:
    """The explanation in Markdown, for a game, a system or all of them (None).

    `at_table`: it is asked for while the game is played, where `rules` is a command. Raises ProbespielError with near
    terms if there is none.
    """
    if game is not None and game not in system_names():
        system_of(game)  # raises if there is none
    if _RULE.fullmatch(term):
        return _rule(f"R{term[1:]}", game, lang)
    found = explain_all(term, game, lang)
    if found:
        return "\n".join(entry_text(entry, lang, at_table) for entry in found)
    for name in _subjects(game):
        if told := passage_about(term, page_of(name, lang)):
            return told
    near = near_terms(term, game, lang)
    hint = _say(lang, "meant", near=", ".join(map(repr, near))) if near else _say(lang, "table" if at_table else "all")
    raise ProbespielError(
        _say(lang, "unknown", term=term, where=_say(lang, "where", game=game) if game else "", hint=hint)
    )


def entry_text(entry: Entry, lang: str, at_table: bool = False) -> str:
    """An entry of the glossary in Markdown; at the table without the system, which is played, and its command."""
    also = f" ({', '.join(entry.also)})" if entry.also else ""
    where = ""
    if entry.rule:
        command = f"`probespiel rules {entry.system}{' --lang de' if lang == 'de' else ''}`"
        where = f" [{entry.rule}]" + ("" if at_table else f" {command}")
    of = f"*{entry.system}:* " if entry.system != CORE and not at_table else ""
    return f"{of}**{entry.term}**{also}: {minus_signs(entry.text, lang)}{where}\n"


def _subjects(game: str | None) -> tuple[str, ...]:
    if game is None:
        return system_names()
    return (game if game in system_names() else system_of(game).name,)


def _rule(rule: str, game: str | None, lang: str) -> str:
    if game is None:
        raise ProbespielError(_say(lang, "which", rule=rule))
    name = _subjects(game)[0]
    told = passages_of(rule, page_of(name, lang))
    if not told:
        raise ProbespielError(_say(lang, "untold", rule=rule, name=name))
    return "\n\n".join(told)


__all__ = ["entry_text", "explained"]
