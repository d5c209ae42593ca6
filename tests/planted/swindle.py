"""Planted flaw, known exactly: a ticket for sixteen hundredths brings ten on the average (ews_rps: dead rule)."""

from typing import Any

from probespiel.envs.ews_rps.module import ME, Module
from probespiel.envs.ews_rps.services import allow, throw_die

module = Module("swindle", "A ticket before the test; a six pays less than six tickets cost.", payoff_shift=0.6)
module.param("fee", 16, 0, 20, doc="price of a ticket in hundredths")
TICKET = module.die("ticket", sides=6, en="ticket", de="Los")
BUY = module.action("buy", en="buy a ticket (swindle)", de="ein Los kaufen (swindle)")
module.state("net", scope="match", doc="hundredths won")
module.piece("net", 1, -2000, 2000, "own hundredths")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Once a test."""
    allow(words, BUY)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Paid at once."""
    s.swindle_net[seat] -= p.swindle_fee
    throw_die(s, ME, TICKET, seat)


@module.hook
def fell(s: Any, p: Any, what: int, seat: int, outcome: int) -> None:
    """A six."""
    if outcome == 5:
        s.swindle_net[seat] += 60


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Mean over the tests."""
    return value + s.swindle_net[seat] / 100 / p.n_tests


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Own."""
    out[0] = s.swindle_net[seat]
