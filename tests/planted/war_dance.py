"""No flaw: both leaders dance once, and each dance beats another (Scorekeeper: a guessing game)."""

from typing import Any

from probespiel.envs.scorekeeper.module import ME, Module
from probespiel.envs.scorekeeper.services import allow_bits, answer_of, ask_all

module = Module("war_dance", "Wolf beats deer, deer beats bear, bear beats wolf.", table=True, payoff_shift=0.6)
DANCE = module.phase("war_dance", en="which dance?", de="welcher Tanz?", sealed=True)
WOLF = module.action("wolf", en="dance the wolf (war_dance)", de="den Wolf tanzen (war_dance)")
DEER = module.action("deer", en="dance the deer (war_dance)", de="den Hirsch tanzen (war_dance)")
BEAR = module.action("bear", en="dance the bear (war_dance)", de="den Bären tanzen (war_dance)")
module.state("danced", per_seat=False, scope="fight", doc="1 danced")
module.state("won", per_seat=False, scope="fight", doc="1 the first leader has won, -1 the other")
module.param("leader", 4, 1, 7, doc="number of the second team's leader")


@module.hook
def round_start(s: Any, p: Any, seat: int) -> None:
    """Once, the two leaders at once."""
    if not s.war_dance_danced:
        s.war_dance_danced = 1
        ask_all(s, ME, DANCE, 1 | 1 << p.war_dance_leader)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of three."""
    allow_bits(words, WOLF, 7)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Compared."""
    if seat == 0:
        turn = (answer_of(s, p.war_dance_leader) - action) % 3
        s.war_dance_won = 1 if turn == 1 else (-1 if turn == 2 else 0)


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Three tenths for each fighter of the side that won."""
    sign = 1 if p.team[seat] == p.team[0] else -1
    return value + 0.3 * sign * s.war_dance_won
