"""blackmail: an attacker may offer to call the attack off for power; the defender pays, or lets it come."""

from __future__ import annotations

from typing import Any

from ..module import ME, Module
from ..services import allow, ask, close_confrontation, emit, gain, lose
from ..state import Event, Result

module = Module(
    "blackmail",
    "Once the attack is declared, the attacker may offer to call it off for power.",
    title={"en": "Blackmail", "de": "Erpressung"},
)
module.param("price", 2, 1, 20, doc="power that calling the attack off costs the defender, and brings the attacker")
module.state("offered", per_seat=False, doc="1: the attacker has offered")
module.piece("offered", 1, 0, 1, "the attacker has offered to call the attack off")
OFFERING = module.phase(
    "blackmail_offer",
    "offer to call it off for {price} power?",
    "anbieten, gegen {price} Power zu verzichten?",
)
ANSWERING = module.phase(
    "blackmail_answer",
    "pay {price} power, or refuse to pay?",
    "{price} Power zahlen oder nicht zahlen?",
)
OFFER = module.action("offer", "offer to call it off for power", "anbieten, gegen Power zu verzichten")
ATTACK_ON = module.action("no_offer", "make no offer", "kein Angebot machen")
PAY = module.action("pay", "pay", "zahlen")
REFUSE = module.action("refuse", "refuse to pay", "nicht zahlen")


@module.hook
def declared(s: Any, p: Any, seat: int) -> None:
    """Called for the defender; who cannot pay is not blackmailed."""
    if s.power[seat] >= p.blackmail_price:
        ask(s, ME, OFFERING, s.attacker)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """Both may always refuse."""
    if phase == OFFERING:
        allow(words, OFFER)
        allow(words, ATTACK_ON)
    else:
        allow(words, PAY)
        allow(words, REFUSE)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Whoever pays ends the confrontation before it takes place; the attack is used up."""
    emit(s, Event.ACTION, seat, action, 0, 0)
    if action == OFFER:
        s.blackmail_offered = 1
        ask(s, ME, ANSWERING, s.defender)
    elif action == PAY:
        lose(s, p, seat, p.blackmail_price)
        gain(s, p, s.attacker, p.blackmail_price)
        close_confrontation(s, Result.EVADED)


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Whether there is an offer."""
    out[0] = s.blackmail_offered
