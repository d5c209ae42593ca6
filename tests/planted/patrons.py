"""Planted flaw: anybody may call one of three spirits in secret, each of which beats another (einBlatt: a guess)."""

from typing import Any

from probespiel.envs.einblatt.module import ME, Module
from probespiel.envs.einblatt.services import allow, allow_for, answer_of, ask_all, has

module = Module("patrons", "Fox beats crow, crow beats hare, hare beats fox; each beats nobody.", payoff_shift=0.8)
CALL = module.phase("patrons", en="which spirit?", de="welcher Geist?", sealed=True)
NOBODY = module.action("nobody", en="call nobody (patrons)", de="niemanden rufen (patrons)", decline=True)
SPIRIT = module.action("spirit", en="call spirit {amount} (patrons)", de="Geist {amount} rufen (patrons)",
                       amounts=range(1, 4))  # fmt: skip
module.state("asked", per_seat=False, doc="1 asked in this conflict")
module.state("won", scope="campaign", doc="tenths of EP won by spirits")


@module.hook
def conflict_start(s: Any, p: Any, seat: int) -> None:
    """Once, all that may call at once."""
    if not s.patrons_asked:
        s.patrons_asked = 1
        ask_all(s, ME, CALL, has(s, p, 0) | has(s, p, 1) << 1)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of three, or nobody."""
    allow(words, NOBODY)
    allow_for(words, SPIRIT, 0, 3)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Whose spirit beats that of the other, or nobody, is better off by eight tenths of an EP, and the other worse."""
    other = answer_of(s, 1 - seat)
    if action != NOBODY and (other < SPIRIT or (other - action) % 3 == 1):
        s.patrons_won[seat] += 8
        s.patrons_won[1 - seat] -= 8


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """What the spirits have brought."""
    return value + s.patrons_won[seat] / 10
