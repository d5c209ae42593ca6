"""Sample rule module: before each round a die tells whom fortune favours (a die with a name)."""

from typing import Any

from probespiel.envs.scorekeeper.module import ME, Module
from probespiel.envs.scorekeeper.services import able, throw_die

module = Module("omen", "An omen before the round: on a six a fighter strikes better, on a one worse.")
module.param("bonus", 3, 1, 6, doc="added to attacks, or subtracted")
OMEN = module.die("omen", sides=6, en="omen", de="Omen")
module.state("sign", scope="round", doc="1 favour, -1 disfavour")
module.piece("sign", 8, -1, 1, "the signs of all fighters")


@module.hook
def round_start(s: Any, p: Any, seat: int) -> None:
    if able(s, seat):
        throw_die(s, ME, OMEN, seat)


@module.hook
def fell(s: Any, p: Any, what: int, seat: int, outcome: int) -> None:
    s.omen_sign[seat] = (outcome == 5) - (outcome == 0)


@module.hook
def attack_value(s: Any, p: Any, seat: int, target: int, mode: int, zone: int, value: int) -> int:
    return value + p.omen_bonus * s.omen_sign[seat]


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    out[: len(s.omen_sign)] = s.omen_sign
