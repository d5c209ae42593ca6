"""Sets of things that are chosen by one action each, as one question: what belongs to the set, item by item.

A game may offer every set as an action of its own, called by its things between commas (`hardy, calm`). Faces show the
things, let a person name some of them, and take the action of that set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...envs.core.game import GameSpec
from ...envs.core.rulebook import Entry, explain
from .seen import Option

FEW = 9  # options up to which a list is shorter than a question
_MOST = 12  # things that can be named


@dataclass(frozen=True)
class Sets:
    """The things that can be named, in the order in which they first come, and the option of every set of them."""

    things: tuple[str, ...]
    options: Mapping[frozenset[int], Option]

    def option(self, named: Iterable[int]) -> Option | None:
        """The option of a set, given by the places of its things; None if it cannot be chosen."""
        return self.options.get(frozenset(named))

    @property
    def most(self) -> int:
        """How many things the largest set has."""
        return max(map(len, self.options))


def sets_of(options: Sequence[Option]) -> Sets | None:
    """The sets that the options are; None where they are few, or are not sets of a few things.

    They are sets if all have one verb, their texts list things that are no numbers, no set is there twice, there are
    twice as many sets as things, and only the first option may name what stands in no other: that is the empty set.
    """
    if len(options) <= FEW or len({option.verb for option in options}) > 1:
        return None
    lists = [option.text.split(", ") for option in options]
    count = dict[str, int]()
    for thing in (thing for things in lists for thing in things):
        count[thing] = count.get(thing, 0) + 1
    none = lists[0][0] if len(lists[0]) == 1 and count[lists[0][0]] == 1 else ""
    things = [thing for thing in count if thing != none]
    if not 2 <= len(things) <= _MOST or 2 * len(things) > len(options):
        return None
    if any(sign.isdigit() for thing in things for sign in thing):
        return None
    place = {thing: number for number, thing in enumerate(things)}
    found = {frozenset(place[t] for t in names if t in place): o for names, o in zip(lists, options, strict=True)}
    return Sets(tuple(things), found) if len(found) == len(options) else None


_END = re.compile(r"(?<=\.) (?=[A-ZÄÖÜ])")  # between two sentences


def abouts(sets: Sets, spec: GameSpec, lang: str) -> list[str]:
    """What the glossary says of each thing, in the order of the places; empty for what is not in it.

    A sentence that it says of all of them tells none from another and is left out.
    """
    found = [explain(thing, spec.system, lang) for thing in sets.things]
    texts = [entry.text if isinstance(entry, Entry) else "" for entry in found]
    sentences = [_END.split(text) for text in texts]
    shared = set[str]().union(*sentences).intersection(*sentences) if len(texts) > 1 else set[str]()
    return [" ".join(one for one in said if one not in shared) for said in sentences]


def things_told(options: Sequence[Option], spec: GameSpec, lang: str) -> list[str]:
    """A line of the glossary for each thing, where the options are sets of things; empty elsewhere."""
    sets = sets_of(options)
    if sets is None:
        return []
    return [f"{thing}: {about}" for thing, about in zip(sets.things, abouts(sets, spec, lang), strict=True) if about]


__all__ = ["FEW", "Sets", "abouts", "sets_of", "things_told"]
