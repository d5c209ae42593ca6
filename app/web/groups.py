"""The choices of a page in groups: by what is done, and to whom; what all texts of a group share becomes its title."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..session.groups import shared_start, shared_words
from .screens import Choice

MANY = 8  # a verb with more choices is split by target


@dataclass(frozen=True)
class Labelled:
    """A choice as a button: the whole text, and the shorter one that stands on it below its title."""

    choice: Choice
    label: str


@dataclass(frozen=True)
class Group:
    """Choices under one title; an empty title needs no heading."""

    title: str
    items: tuple[Labelled, ...]

    def shared_note(self, notes: Mapping[int, str]) -> str:
        """What stands beside all of them, if it is the same and there are several; else nothing."""
        told = {notes.get(item.choice.action, "") for item in self.items}
        return told.pop() if len(self.items) > 1 and len(told) == 1 and self.title else ""


def _group(choices: Sequence[Choice], several: bool = False) -> Group:
    """Choices under what they share; of `several` groups of one verb each says to whom, too."""
    texts = [choice.text for choice in choices]
    start, pattern = shared_start(texts), shared_words(texts)
    if len(pattern) > len(start) and len({text.split()[-1] for text in texts}) == 1:  # `einen … Charakter anwerben`
        kind, whom = choices[0].kind, pattern.removeprefix("… ")
        title = f"{kind}: {whom}" if kind and several else kind or whom
        return Group(title, tuple(Labelled(choice, choice.text) for choice in choices))
    if start and any(
        choice.text[len(start) :].startswith(" ") and choice.text[len(start) + 1 :][:1].isdigit() for choice in choices
    ):  # `aggressive 0, cunning 2`: what is shared names the first number alone
        return Group("", tuple(Labelled(choice, choice.text) for choice in choices))
    if any(0 < len(choice.text) - len(start) < 4 for choice in choices):  # a bare number says too little
        return Group(start, tuple(Labelled(choice, choice.text) for choice in choices))
    items = []
    for choice in choices:
        rest = choice.text[len(start) :].lstrip(":, ") if start else choice.text
        items.append(Labelled(choice, rest or choice.text))
    return Group(start, tuple(items))


def _by_first_thing(choices: Sequence[Choice]) -> list[list[Choice]]:
    """Choices by the first of the things that their texts list between commas."""
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        groups.setdefault(choice.text.split(", ")[0], []).append(choice)
    return list(groups.values())


def _numbers(choices: Sequence[Choice]) -> bool:
    """Whether all that the texts list are amounts (`bold 0, calm 2`): the first says no more than the others."""
    return all(thing[-1:].isdigit() for choice in choices for thing in choice.text.split(", "))


def grouped(choices: Iterable[Choice]) -> list[Group]:
    """All choices in groups: single ones first and without a title, then those of one verb together.

    Where they are many, by target; where every one has a target of its own, by the first thing that their texts list.
    """
    verbs: dict[str, list[Choice]] = {}
    for choice in choices:
        verbs.setdefault(choice.verb, []).append(choice)
    groups: list[Group] = []
    single: list[Choice] = []
    for found in verbs.values():
        targets: dict[str, list[Choice]] = {}
        for choice in found:
            targets.setdefault(choice.target, []).append(choice)
        if len(found) == 1:
            single += found
        elif len(found) > MANY and 1 < len(targets) < len(found):
            groups += [_group(part, several=True) for part in targets.values()]
        elif len(found) > MANY and not _numbers(found) and 1 < len(parts := _by_first_thing(found)) < len(found):
            groups += [_group(part) for part in parts if len(part) > 1]
            single += [part[0] for part in parts if len(part) == 1]
        else:
            groups.append(_group(found))
    first = [Group("", tuple(Labelled(choice, choice.text) for choice in single))] if single else []
    return [*first, *groups]


__all__ = ["Group", "Labelled", "grouped"]
