"""Planted edge, known exactly: of two pockets one holds three tenths, the other nothing (OneShot: always-use)."""

from typing import Any

from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow_bits, ask

module = Module("old_coat", "An old coat has two pockets.", levels=("parley",), payoff_shift=0.3)
ASKED = module.phase("old_coat_asked", en="which pocket?", de="welche Tasche?")
LEFT = module.action("left", en="reach into the left pocket", de="in die linke Tasche greifen")
RIGHT = module.action("right", en="reach into the right pocket", de="in die rechte Tasche greifen")
module.state("got", doc="tenths found")


@module.hook
def talk_begins(s: Any, p: Any, who: int) -> None:
    """Asked once."""
    ask(s, ME, ASKED, who)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of two."""
    allow_bits(words, LEFT, 3)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Three tenths, or nothing."""
    s.old_coat_got[seat] += 3 if action == LEFT else 0


@module.hook
def payoff(s: Any, p: Any, who: int, value: float) -> float:
    """Paid."""
    return value + s.old_coat_got[who] / 10
