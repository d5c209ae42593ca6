"""Sample rule module: before a test both sides stare each other down (a sealed question for both at once)."""

from typing import Any

from probespiel.envs.ews_rps.module import ME, Module
from probespiel.envs.ews_rps.services import allow, answer_of, ask_all

module = Module("standoff", "Who alone stares is paid; if both do, both pay.", table=True, payoff_shift=0.1)
FACING = module.phase("standoff", en="stare, or blink?", de="starren oder blinzeln?", sealed=True)
STARE = module.action("stare", en="stare", de="starren")
BLINK = module.action("blink", en="blink", de="blinzeln", decline=True)
module.state("sum", scope="match", doc="stand-offs won minus those that hurt")
module.piece("sum", 2, -1000, 1000, "own ones, those of the other seat")


@module.hook
def test_start(s: Any, p: Any) -> None:
    ask_all(s, ME, FACING, 3)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    allow(words, STARE)
    allow(words, BLINK)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    s.standoff_sum[seat] += (action == STARE) * (1 if answer_of(s, 1 - seat) == BLINK else -1)


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    return value + 0.1 * s.standoff_sum[seat] / p.n_tests


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    out[0], out[1] = s.standoff_sum[seat], s.standoff_sum[1 - seat]
