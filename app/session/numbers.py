"""The numbers of a list of choices: those that their texts name, as in `bid 3` or `3 setzen`, or else their places."""

from __future__ import annotations

from collections.abc import Sequence

from ...agents.human import Speech, no_number, understand
from .groups import Group
from .seen import Option

MOST = 99  # a number has one digit or two


def own_numbers(options: Sequence[Option]) -> list[int] | None:
    """The number that each choice names itself, or None where the numbers of the list have to be its places.

    All begin with the same word and a number, in one order or the other, and each names in its text and in its code one
    number that no other names. One of them may be of another kind, such as an end of the choosing: it has 0 then, if no
    other has.
    """
    named = [_named(option) for option in options]
    numbers = [0 if found is None else found[0] for found in named]
    words = {found[1] for found in named if found is not None}
    others = named.count(None)
    if len(options) - others < 2 or others > 1 or len(words) > 1 or len(set(numbers)) < len(numbers):
        return None
    return numbers


def _named(option: Option) -> tuple[int, str] | None:
    """The number of a choice such as `character 2 (shady)`, whose code is `character:2`, and the word beside it."""
    said, begins = option.target or option.verb, option.text.split()[:2]
    plain = said.isascii() and said.isdecimal() and not option.detail and len(begins) == 2 and said in begins
    return (int(said), begins[begins[0] == said]) if plain and int(said) <= MOST else None


def numbers_of(entries: Sequence[Option | Group]) -> list[int]:
    """The number by which each entry of a list is chosen; those of a list with groups are their places, from 1."""
    options = [entry for entry in entries if isinstance(entry, Option)]
    own = own_numbers(options) if len(options) == len(entries) else None
    return own if own is not None else list(range(1, len(entries) + 1))


def entry_of(typed: str, entries: Sequence[Option | Group], speech: Speech, lang: str) -> Option | Group:
    """The entry of a list whose number a person has typed (digits alone); raises NotUnderstood."""
    numbers = [str(number) for number in numbers_of(entries)]
    plain = typed.lstrip("0") or "0"
    if plain in numbers:
        return entries[numbers.index(plain)]
    if numbers == [str(number) for number in range(1, len(entries) + 1)]:
        return entries[understand(typed, speech, range(len(entries)), lang)]  # says which there are
    raise no_number(typed, ", ".join(numbers), lang)


__all__ = ["MOST", "entry_of", "numbers_of", "own_numbers"]
