"""Planted flaw: both sides must choose among three schools in secret, each of which beats another (konfrontation)."""

from typing import Any

from probespiel.envs.konfrontation.module import ME, Module
from probespiel.envs.konfrontation.services import allow_bits, ask

module = Module("schools", "Crane beats tiger, tiger beats snake, snake beats crane: four strength more.", table=True)
module.state("pick", scope="confrontation", private=True, doc="1 crane, 2 tiger, 3 snake")
PICKED = module.phase("schools_picked")
CRANE = module.action("crane", en="fight like a crane (schools)", de="wie ein Kranich kämpfen (schools)")
TIGER = module.action("tiger", en="fight like a tiger (schools)", de="wie ein Tiger kämpfen (schools)")
SNAKE = module.action("snake", en="fight like a snake (schools)", de="wie eine Schlange kämpfen (schools)")


@module.hook
def declared(s: Any, p: Any, seat: int) -> None:
    """The attacker chooses first; nobody sees it."""
    ask(s, ME, PICKED, s.attacker)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of three."""
    allow_bits(words, CRANE, 7)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Then the defender."""
    s.schools_pick[seat] = 1 + action - CRANE
    if seat == s.attacker:
        ask(s, ME, PICKED, s.defender)


@module.hook
def total(s: Any, p: Any, seat: int, value: int) -> int:
    """Four more for the school that beats the other."""
    mine = s.schools_pick[seat]
    other = s.schools_pick[s.defender if seat == s.attacker else s.attacker]
    return value + 4 if mine and other and (other - mine) % 3 == 1 else value
