"""Many actions as a short list: those of one kind together, then those at one target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .seen import Option

MOST = 12  # options that are listed one by one


@dataclass(frozen=True)
class Group:
    """Options that have something in common, and how that is called."""

    label: str
    options: tuple[Option, ...]


def grouped(options: Sequence[Option], most: int = MOST) -> list[Option | Group]:
    """Options as they are if there are at most `most`, else by verb; those of one verb by target.

    Where codes tell nothing, what the texts list between commas does: the first thing, then the second, and so on. A
    group of one is that option itself; where nothing can be grouped, all options stand for themselves.
    """
    if len(options) <= most:
        return list(options)
    for part in ("verb", "target"):
        groups: dict[str, list[Option]] = {}
        for option in options:
            groups.setdefault(getattr(option, part), []).append(option)
        if 1 < len(groups) < len(options):
            return [
                found[0] if len(found) == 1 else Group(_label(found, name), tuple(found))
                for name, found in groups.items()
            ]
    return _by_words(options)


def _by_words(options: Sequence[Option]) -> list[Option | Group]:
    """Options by the first of the things that their texts list in which they differ."""
    lists = [option.text.split(", ") for option in options]
    for depth in range(1, max(map(len, lists))):
        groups: dict[str, list[Option]] = {}
        for option, things in zip(options, lists, strict=True):
            groups.setdefault(", ".join(things[:depth]), []).append(option)
        if 1 < len(groups) < len(options):
            return [found[0] if len(found) == 1 else Group(name, tuple(found)) for name, found in groups.items()]
    return list(options)


def shared_start(texts: Sequence[str]) -> str:
    """The words with which all texts begin, but never a whole text that is the only one."""
    if len(texts) < 2:
        return ""
    rows = [text.split(" ") for text in texts]
    count = 0
    for words in zip(*rows):
        if len({word.rstrip(":,") for word in words}) > 1:
            break
        count += 1
    return " ".join(rows[0][:count]).rstrip(":, ")


def shared_words(texts: Sequence[str]) -> str:
    """The words that all texts share, in their places, with "…" for the others; what follows the last is left out.

    `einen … Charakter anwerben` of texts that say which character. Empty if they share none, or differ in length.
    """
    rows = [text.split(" ") for text in texts]
    if len(texts) < 2 or len(set(map(len, rows))) > 1:
        return ""
    found: list[str] = []
    for words in zip(*rows):
        if len(set(words)) == 1:
            found.append(words[0])
        elif found[-1:] != ["…"]:
            found.append("…")
    while found[-1:] == ["…"]:
        found.pop()
    return " ".join(found).rstrip(":, ")


def _label(options: Sequence[Option], name: str) -> str:
    """What is done, if the game has words for it; else the words that all share; else that part of their codes."""
    texts = [option.text for option in options]
    kind = options[0].kind if name == options[0].verb else ""
    return kind or max(shared_start(texts), shared_words(texts), key=len) or name.replace("_", " ")


__all__ = ["MOST", "Group", "grouped", "shared_start", "shared_words"]
