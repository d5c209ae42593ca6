"""Planted guess: both say heads or tails in secret, and nobody gains by having it alone (einBlatt: a guessing game)."""

from typing import Any

from probespiel.envs.einblatt.module import ME, Module
from probespiel.envs.einblatt.services import allow, answer_of, ask_all, has

module = Module("pennies", "Who sits first wins eight tenths if both say the same, else the other.", payoff_shift=0.8)
CALL = module.phase("pennies", en="heads or tails?", de="Kopf oder Zahl?", sealed=True)
HEADS = module.action("heads", en="say heads", de="Kopf sagen")
TAILS = module.action("tails", en="say tails", de="Zahl sagen")
module.state("asked", per_seat=False, doc="1 asked in this conflict")
module.state("won", scope="campaign", doc="tenths of EP won")


@module.hook
def conflict_start(s: Any, p: Any, seat: int) -> None:
    """Asked once, where both have it."""
    if not s.pennies_asked and has(s, p, 0) and has(s, p, 1):
        s.pennies_asked = 1
        ask_all(s, ME, CALL, 3)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of two."""
    allow(words, HEADS)
    allow(words, TAILS)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Compared when both have answered."""
    same = answer_of(s, 0) == answer_of(s, 1)
    s.pennies_won[seat] += 8 if same == (seat == 0) else -8


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Paid."""
    return value + s.pennies_won[seat] / 10
