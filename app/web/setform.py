"""The form for sets of things that are one action each: the things to tick, and what stands beside every set."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from ...envs.core.game import GameSpec
from ..session.seen import Seen
from ..session.sets import abouts, sets_of


@dataclass(frozen=True)
class Thing:
    """A thing to tick: what it is called, what the glossary says of it, and what stands beside it alone."""

    text: str
    about: str
    note: str


@dataclass(frozen=True)
class SetForm:
    """The things, in the order of their places; `notes` of all sets as JSON: places joined by commas, and the note."""

    things: tuple[Thing, ...]
    most: int
    total: int
    notes: str


def named_together(seen: Seen, notes: Mapping[int, str], spec: GameSpec) -> SetForm | None:
    """The form for what a seat may choose; None where that is no set of things."""
    sets = sets_of(seen.choices)
    if sets is None:
        return None
    things = []
    for place, (text, about) in enumerate(zip(sets.things, abouts(sets, spec, seen.lang), strict=True)):
        alone = sets.option([place])
        things.append(Thing(text, about, notes.get(alone.id, "") if alone is not None else ""))
    told = {",".join(map(str, sorted(named))): notes.get(option.id, "") for named, option in sets.options.items()}
    return SetForm(tuple(things), sets.most, len(sets.options), json.dumps(told, ensure_ascii=False))


__all__ = ["SetForm", "Thing", "named_together"]
