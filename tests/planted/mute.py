"""Planted fault: it asks whoever holds the two highest cards of the first suit, and allows no answer (einBlatt)."""

from typing import Any

from probespiel.envs.einblatt.module import ME, Module
from probespiel.envs.einblatt.services import allow, ask

module = Module("mute", "One must say yes, and with one pair of cards nothing.")
ASKED = module.phase("mute_asked", en="yes?", de="ja?")
YES = module.action("yes", en="say yes", de="ja sagen")
MAYBE = module.action("maybe", en="say maybe", de="vielleicht sagen")


@module.hook
def pre_commit(s: Any, p: Any, seat: int) -> None:
    """Asked once."""
    ask(s, ME, ASKED, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """Nothing with these two."""
    if s.hand[seat] & 192 != 192:
        allow(words, YES)
        allow(words, MAYBE)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Nothing follows."""
