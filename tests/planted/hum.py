"""No flaw: before a talk one may hum a tune, and nobody minds (OneShot: decoration)."""

from typing import Any

from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow_bits, ask

module = Module("hum", "A tune before the talk.", levels=("parley",))
TUNE = module.phase("hum_tune", en="hum a tune?", de="ein Lied summen?")
HUM = module.action("hum", en="hum a tune (hum)", de="ein Lied summen (hum)")
NOT = module.action("not", en="keep silent (hum)", de="schweigen (hum)", decline=True)
module.state("tunes", doc="1 hummed")


@module.hook
def talk_begins(s: Any, p: Any, who: int) -> None:
    """Asked once."""
    ask(s, ME, TUNE, who)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of two."""
    allow_bits(words, HUM, 3)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Noted."""
    s.hum_tunes[seat] = action == HUM
