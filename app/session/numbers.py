"""The numbers of a list of choices: those that their texts name, as in `bid 3` or `card 11`, or else their places."""

from __future__ import annotations

from collections.abc import Sequence

from ...agents.human import Speech, no_number, understand
from .groups import Group
from .seen import Option

MOST = 99  # a number has one digit or two


def own_numbers(options: Sequence[Option]) -> list[int] | None:
    """The number that each choice names itself, or None where the numbers of the list have to be its places.

    All begin with the same word, and each names in its text and in its code one number that no other names. One of
    them may be of another kind, such as an end of the choosing: it has 0 then, if no other has.
    """
    named = [_named(option) for option in options]
    numbers = [0 if number is None else number for number in named]
    words = {option.text.split()[0] for option, number in zip(options, named, strict=True) if number is not None}
    others = named.count(None)
    if len(options) - others < 2 or others > 1 or len(words) > 1 or len(set(numbers)) < len(numbers):
        return None
    return numbers


def _named(option: Option) -> int | None:
    """The number of a choice such as `character 2 (shady)`, whose code is `character:2`."""
    said = option.target or option.verb
    plain = said.isascii() and said.isdecimal() and not option.detail and option.text.split()[1:2] == [said]
    return int(said) if plain and int(said) <= MOST else None


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
