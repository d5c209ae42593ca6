"""Planted edge, known exactly: an enemy to be challenged, four fighters a side (Scorekeeper: small, not undecided)."""

from typing import Any

from probespiel.envs.scorekeeper.module import ME, Module
from probespiel.envs.scorekeeper.services import allow_for, ask_module, target_of

module = Module("gauntlet", "A fighter challenges somebody: an enemy pays.", levels=("skirmish",), payoff_shift=0.2)
ASKED = module.phase("gauntlet_asked", en="whom do you challenge?", de="wen forderst du heraus?")
CALL = module.action("call", en="challenge {target}", de="{target} herausfordern", targets="seats")
module.state("asked", doc="1 asked")
module.state("got", doc="1 an enemy, -1 a friend or himself")


@module.hook
def round_start(s: Any, p: Any, seat: int) -> None:
    """Each once."""
    if not s.gauntlet_asked[seat]:
        s.gauntlet_asked[seat] = 1
        ask_module(s, ME, ASKED, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """Anybody."""
    allow_for(words, CALL, (1 << p.fighters) - 1, 0)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Enemies alone are right."""
    s.gauntlet_got[seat] = 1 if p.team[target_of(action)] != p.team[seat] else -1


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Two tenths."""
    return value + 0.2 * s.gauntlet_got[seat]
