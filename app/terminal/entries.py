"""The lines of a list of actions: what each is called, its code where that is shorter, and what stands beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..session.groups import Group
from ..session.seen import Option
from .messages import say
from .plain import plain

_SHORT = 4  # signs of a code that is quicker to type than the text, such as that of a card


def entries(menu: Sequence[Option | Group], legal: Sequence[Option], notes: Mapping[int, str], lang: str) -> list[str]:
    """The texts of a list; `legal` are all actions that are possible, `notes` what stands beside some of them."""
    bare = _numbers_alone(legal)
    return [
        say(lang, "group", label=entry.label, n=len(entry.options))
        if isinstance(entry, Group)
        else _entry(entry, bare, notes.get(entry.id, ""))
        for entry in menu
    ]


def _entry(option: Option, bare: bool, note: str) -> str:
    said = f" {_parts(option.text)} "
    known = all(f" {word} " in said for word in _parts(option.code).split())
    word = option.code.islower() or len(option.code) > _SHORT  # an internal name, which says nothing to a reader
    code = "" if bare or known or word else f"  ({option.code})"
    return f"{option.text}{code}{f'  - {note}' if note else ''}"


def _numbers_alone(options: Sequence[Option]) -> bool:
    """Whether codes are but another number beside that of the list: one verb, and a number for each option."""
    verbs = {option.verb for option in options}
    return len(verbs) == 1 and all(option.target.isdecimal() and not option.detail for option in options)


def near_to(typed: str, legal: Sequence[Option]) -> list[Option]:
    """The options that a line may mean, written without umlauts, perhaps, or with only some of their words."""
    folded = plain(typed).casefold().replace("_", " ")
    said = [(plain(f"{o.text}\n{o.code}").casefold().replace("_", " ").split("\n"), o) for o in legal]
    exact = [option for texts, option in said if folded in texts]
    return exact or [option for option in legal if f" {folded} " in f" {words_of(option)} "]


def words_of(option: Option) -> str:
    """The words of an option's text and code, blanks between them."""
    return _parts(f"{option.text} {option.code}")


def _parts(text: str) -> str:
    """The words of a text, written without umlauts and in small letters, blanks between them."""
    signs = plain(text).casefold()
    return " ".join("".join(sign if sign.isalnum() or sign == "-" else " " for sign in signs).split())


__all__ = ["entries", "near_to", "words_of"]
