"""Planted edge, known exactly: the acting holder guesses under which of three cups a stone lies (ews_rps: small)."""

from typing import Any

from probespiel.envs.ews_rps.module import ME, Module
from probespiel.envs.ews_rps.services import allow_for, amount_of, answer_of, ask_all, has

module = Module("seer", "The acting holder guesses where the other side hides a stone.", payoff_shift=0.3)
CUPS = module.phase("seer_cups", en="which cup?", de="welcher Becher?", sealed=True)
CUP = module.action("cup", "cup {amount} (seer)", "Becher {amount} (seer)", amounts=range(1, 4))
module.counter("found", 40, en="stones found", de="gefundene Steine", scope="match", doc="stones found")
module.piece("found", 2, 0, 40, "own stones found, those of the other seat")


@module.hook
def test_start(s: Any, p: Any) -> None:
    """Both at once, where the acting side is a seer."""
    if has(s, p, s.acting):
        ask_all(s, ME, CUPS, 3)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of three."""
    allow_for(words, CUP, 0, 3)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Compared."""
    if seat == s.acting and amount_of(answer_of(s, 0)) == amount_of(answer_of(s, 1)):
        s.seer_found[seat] += 1


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Three tenths a stone."""
    return value + 0.3 * s.seer_found[seat] / p.n_tests


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Own ones first."""
    out[0], out[1] = s.seer_found[seat], s.seer_found[1 - seat]
