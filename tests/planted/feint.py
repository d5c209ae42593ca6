"""Planted edge, known exactly: both look left or right in secret, and the holder wants to differ (konfrontation)."""

from typing import Any

from probespiel.envs.konfrontation.module import ME, Module
from probespiel.envs.konfrontation.services import allow_bits, answer_of, ask_all, has

module = Module("feint", "A feint to the left or the right; who looks the wrong way has the weaker stand.")
SIDE = module.phase("feint_side", en="left or right?", de="links oder rechts?", sealed=True)
LEFT = module.action("left", en="to the left (feint)", de="nach links (feint)")
RIGHT = module.action("right", en="to the right (feint)", de="nach rechts (feint)")
module.state("caught", scope="confrontation", doc="1 the other looked the wrong way")
module.state("asked", per_seat=False, scope="confrontation", doc="1 asked")


@module.hook
def defended(s: Any, p: Any, seat: int) -> None:
    """Both at once, and once only, whoever has it."""
    if not s.feint_asked:
        s.feint_asked = 1
        ask_all(s, ME, SIDE, 1 << s.attacker | 1 << s.defender)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of two."""
    allow_bits(words, LEFT, 3)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """With two holders the attacker wants them to differ, the defender to match."""
    differ = answer_of(s, s.attacker) != answer_of(s, s.defender)
    if seat == s.attacker:
        s.feint_caught[seat] = differ
    else:
        s.feint_caught[seat] = not differ if has(s, p, s.attacker) else differ


@module.hook
def total(s: Any, p: Any, seat: int, value: int) -> int:
    """Three more."""
    return value + 3 * s.feint_caught[seat]
