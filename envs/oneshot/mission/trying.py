"""What heroes bring to the tests of a mission: modifiers and tools, as values and in words (R21, R22, R106)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...core.texts import number_in, signed
from ..dicing import skill_value
from ..skirmish.numbers import malus
from ..state import AGILITY, Item, Skill
from ..text import ITEMS, called, pick
from .generator import half
from .rooms import sneak_modifier

SNEAK, TRAP, PUZZLE = range(3)  # the tests, in the order in which they are told
_CARRIES = ("carries", "trägt")
_ALWAYS = ("always works", "gelingt immer")
NEEDED = 4  # by each of them
_NEVER_FAILS = 2  # the kind of a tool that always works
_MOST = 99  # a bonus that no tool has: that of one that always works


@dataclass(frozen=True)
class Trial:
    """What is added to a hero's die in each test, and the tools that he carries: the kit's name of each, and what it
    adds (None: it always works)."""

    modifiers: tuple[int, int, int]
    tools: tuple[tuple[str, int | None], ...] = ()

    @property
    def best(self) -> tuple[str, int | None] | None:
        """The tool that he would use: one that always works, else the one that adds most."""
        return max(self.tools, key=lambda tool: _MOST if tool[1] is None else tool[1], default=None)


def modifiers(s: Any, p: Any, i: int) -> tuple[int, int, int]:
    """R21, R22, R106: what is added to the die of hero `i` when he sneaks, and without a tool at a trap or a puzzle."""
    off = half(p, p.sg) + malus(s, i)
    mechanics, lore = (
        skill_value(p, s.rank[i, skill], s.value[i, 1]) for skill in (Skill.MECHANICS, Skill.LORE_ARCHITECTURE)
    )
    trap = s.physical[i, AGILITY] - s.armour_malus[i] + mechanics - off
    return int(sneak_modifier(s, p, i)), int(trap), int(lore - off)


def trial_of(s: Any, p: Any, i: int, tools: Sequence[str]) -> Trial:
    """What hero `i` brings to tests; `tools` are the names of the kit's."""
    carried = (
        (name, None if p.tool_kind[k] == _NEVER_FAILS else int(p.tool_bonus[k]))
        for k, name in enumerate(tools)
        if s.tools[i, k]
    )
    return Trial(modifiers(s, p, i), tuple(carried))


def trial_line(s: Any, p: Any, i: int, tools: Sequence[str], lang: str) -> str:
    """A line on hero `i`: what is added to his dice, and what he carries; `tools` are the names of the kit's."""
    words = (("sneaking", "Schleichen"), ("traps", "Fallen"), ("puzzles", "Rätsel"))
    values = (number_in(signed(value), lang) for value in modifiers(s, p, i))
    head = pick(lang, f"tests ({NEEDED} needed)", f"Proben ({NEEDED} gebraucht)")
    line = f"   {head}: " + ", ".join(f"{pick(lang, *word)} {value}" for word, value in zip(words, values, strict=True))
    bag = []
    for k, name in enumerate(tools):
        if left := int(s.tools[i, k]):
            does = pick(lang, *_ALWAYS) if p.tool_kind[k] == _NEVER_FAILS else f"+{int(p.tool_bonus[k])}"
            uses = pick(lang, f", uses left {left}", f", noch {left} Mal") if left > 0 else ""
            bag.append(f"{called(name, lang)} ({does}{uses})")
    for item in Item:
        if n := int(s.items[i, item]):
            bag.append(pick(lang, *ITEMS[item]) + (f" × {n}" if n > 1 else ""))
    return line + (f"; {pick(lang, *_CARRIES)} {', '.join(bag)}" if bag else "")


__all__ = ["NEEDED", "PUZZLE", "SNEAK", "TRAP", "Trial", "modifiers", "trial_line", "trial_of"]
