"""No flaw: both show one or two fingers at once, equal ones favour the acting side (ews_rps: neutral)."""

from typing import Any

from probespiel.envs.ews_rps.module import ME, Module
from probespiel.envs.ews_rps.services import allow_for, amount_of, answer_of, ask_all

module = Module("morra", "Fingers before a test: equal ones are good for the acting side.", payoff_factor=1.2)
FINGERS = module.phase("morra_fingers", en="how many fingers?", de="wie viele Finger?", sealed=True)
SHOW = module.action("show", "show {amount} (morra)", "{amount} zeigen (morra)", amounts=range(1, 3))
module.state("equal", per_seat=False, doc="1 equal, -1 not")


@module.hook
def test_start(s: Any, p: Any) -> None:
    """Both at once."""
    ask_all(s, ME, FINGERS, 3)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One or two."""
    allow_for(words, SHOW, 0, 2)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Compared."""
    s.morra_equal = 1 if amount_of(answer_of(s, 0)) == amount_of(answer_of(s, 1)) else -1


@module.hook
def utility(s: Any, p: Any, value: float) -> float:
    """A fifth of a success for the side that guesses right."""
    return value + 0.2 * s.morra_equal
