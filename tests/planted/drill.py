"""Planted edge, known exactly: a forced answer of which one is one stronger, the other one weaker (konfrontation)."""

from typing import Any

from probespiel.envs.konfrontation.module import ME, Module
from probespiel.envs.konfrontation.services import allow_bits, ask

module = Module("drill", "Firm is one stronger, loose one weaker.")
STAND = module.phase("drill_stand", en="how do you stand?", de="wie steht ihr?")
FIRM = module.action("firm", en="stand firm (drill)", de="fest stehen (drill)")
LOOSE = module.action("loose", en="stand loose (drill)", de="locker stehen (drill)")
module.state("way", scope="confrontation", doc="1 firm, -1 loose")
module.piece("way", 5, -1, 1, "how all stand")


@module.hook
def defended(s: Any, p: Any, seat: int) -> None:
    """Both sides in turn."""
    ask(s, ME, STAND, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of two."""
    allow_bits(words, FIRM, 3)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Noted."""
    s.drill_way[seat] = 1 if action == FIRM else -1


@module.hook
def total(s: Any, p: Any, seat: int, value: int) -> int:
    """One more or less."""
    return value + s.drill_way[seat]


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Everybody's."""
    for i in range(p.factions):
        out[i] = s.drill_way[i]
