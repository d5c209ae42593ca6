"""No flaw: a guess with unequal stakes; to mix left and right as one to two is best, and brings a thirtieth (clash)."""

from typing import Any

from probespiel.envs.konfrontation.module import ME, Module
from probespiel.envs.konfrontation.services import allow_bits, answer_of, ask_all

module = Module(
    "ambush", "Left or right: the attacker gains three tenths or one, or loses one.", table=True, payoff_shift=0.3
)
SIDE = module.phase("ambush_side", en="which side of the gorge?", de="welche Seite der Schlucht?", sealed=True)
LEFT = module.action("left", en="go left (ambush)", de="links gehen (ambush)")
RIGHT = module.action("right", en="go right (ambush)", de="rechts gehen (ambush)")
module.state("asked", per_seat=False, scope="game", doc="1 asked")
module.state("won", per_seat=False, scope="game", doc="tenths for the attacker")


@module.hook
def defended(s: Any, p: Any, seat: int) -> None:
    """Both at once."""
    if not s.ambush_asked:
        s.ambush_asked = 1
        ask_all(s, ME, SIDE, 1 << s.attacker | 1 << s.defender)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of two."""
    allow_bits(words, LEFT, 3)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Both left: 3; both right: 1; else -1."""
    if seat == s.attacker:
        same = answer_of(s, s.defender) == action
        s.ambush_won = (3 if action == LEFT else 1) if same else -1


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """From the defender to the attacker."""
    return value + s.ambush_won / 10 * (1 if seat == s.attacker else -1)
