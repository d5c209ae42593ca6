"""No flaw: both who build raise a banner in secret, and each banner beats another (OneShot: a guessing game)."""

from typing import Any

from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow_bits, answer_of, ask_all
from probespiel.envs.oneshot.state import Stage

module = Module(
    "three_banners", "Ox beats owl, owl beats eel, eel beats ox.", levels=("build",), table=True, payoff_shift=0.3
)
ASKED = module.phase("three_banners_asked", en="which banner?", de="welches Banner?", sealed=True)
OX = module.action("ox", en="raise the ox (three_banners)", de="den Ochsen hissen (three_banners)")
OWL = module.action("owl", en="raise the owl (three_banners)", de="die Eule hissen (three_banners)")
EEL = module.action("eel", en="raise the eel (three_banners)", de="den Aal hissen (three_banners)")
module.state("asked", per_seat=False, scope="game", doc="1 asked")
module.state("won", per_seat=False, scope="game", doc="1 the first, -1 the second")


@module.hook
def stage_begins(s: Any, p: Any, who: int, stage: int) -> None:
    """First of all, once."""
    if stage == Stage.PERKS and not s.three_banners_asked:
        s.three_banners_asked = 1
        ask_all(s, ME, ASKED, 3)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of three."""
    allow_bits(words, OX, 7)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Compared."""
    if seat == 0:
        turn = (answer_of(s, 1) - action) % 3
        s.three_banners_won = 1 if turn == 1 else (-1 if turn == 2 else 0)


@module.hook
def payoff(s: Any, p: Any, who: int, value: float) -> float:
    """Three tenths."""
    return value + 0.3 * s.three_banners_won * (1 if who == 0 else -1)
