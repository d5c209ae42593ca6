"""Sample rule module: in its first turn of a fight a figure chooses a cry (a question of its own)."""

from typing import Any

from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow_bits, ask

module = Module("battle_cry", "A cry in the first turn: strike better, or be harder to hurt.", levels=("skirmish",))
CRY = module.phase("battle_cry", en="what do you cry?", de="was rufst du?")
CHARGE = module.action("charge", en="cry: charge!", de="Angriff!")
HOLD = module.action("hold", en="cry: hold!", de="Standhalten!")
module.state("cried", doc="0 not asked yet, 1 charge, 2 hold")
module.piece("cried", 8, 0, 2, "the cries of all figures")


@module.hook
def turn_begins(s: Any, p: Any, who: int) -> None:
    if s.battle_cry_cried[who] == 0:
        ask(s, ME, CRY, who)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    allow_bits(words, CHARGE, 3)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    s.battle_cry_cried[seat] = 1 if action == CHARGE else 2


@module.hook
def attack_bonus(s: Any, p: Any, who: int, target: int, weapon: int, value: int) -> int:
    return value + (s.battle_cry_cried[who] == 1) - (s.battle_cry_cried[target] == 2)


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    out[: len(s.battle_cry_cried)] = s.battle_cry_cried
