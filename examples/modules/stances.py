"""Sample rule module: on its turn a fighter takes a stance for the rest of the round (several actions of its own)."""

from typing import Any

from probespiel.envs.scorekeeper.module import ME, Module
from probespiel.envs.scorekeeper.services import allow_bits, ask_module

module = Module("stances", "A stance makes attacks easier to make or harder to land.")
module.state("now", scope="round", doc="the stance: 0 steady, 1 bold, 2 guarded")
module.piece("now", 2, 0, 2, "the stances of the first two fighters")
TAKEN = module.phase("stances_taken", "how do you stand?", "wie stehst du?")
STEADY = module.action("steady", "stand steady", "fest stehen")
BOLD = module.action("bold", "press on", "nachsetzen")
GUARDED = module.action("guarded", "guard yourself", "sich decken")


@module.hook
def turn(s: Any, p: Any, seat: int) -> None:
    ask_module(s, ME, TAKEN, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    allow_bits(words, STEADY, 7)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    s.stances_now[seat] = action - STEADY


@module.hook
def attack_value(s: Any, p: Any, seat: int, target: int, mode: int, zone: int, value: int) -> int:
    return value + 2 * (s.stances_now[seat] == 1) - 2 * (s.stances_now[target] == 2)


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    out[0], out[1] = s.stances_now[0], s.stances_now[1]
