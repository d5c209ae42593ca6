"""confidence (R220..R224): a second, hidden hand that is drawn at the start of a session and helps where it matters."""

from __future__ import annotations

from typing import Any

from ...core.abi import lowest_bit, popcount
from ...core.jit import kernel
from ..hooks import PASS_ON
from ..module import ME, Module
from ..services import (
    EVERYBODY,
    allow,
    allow_cards,
    allowed_colour,
    ask,
    discard,
    discard_cards,
    draw,
    emit,
    move,
    whisper,
)
from ..services import task as later
from ..state import Action, Confidence, DrawFor, Event, Phase, Purpose, Reason, ThrowOff, Zone

HIGHEST, LOWEST = 0, 1  # tasks

module = Module(
    "confidence",
    "A hidden confidence hand is drawn at each session start; cards of it may be played where the character cares.",
    rank={"session_start": 1, "conflict_end": 1},
    bench={"conf_value": 4, "traits": 1},
)
module.state("spent", doc="cards of the confidence hand played in this conflict")
module.state("down", private=True, doc="those of them that lie face down (layout slots)")
module.state("lowest", per_seat=False, scope="session", doc="the lowest card is being thrown off, not the highest")


@kernel
def extreme(cards: int, lowest: int) -> int:
    """R221, A40: the cards of the highest or lowest rank (bit set)."""
    best = -1
    found = 0
    while cards:
        bit = cards & -cards
        rank = lowest_bit(cards) & 7
        if lowest:
            rank = 7 - rank
        cards &= cards - 1
        if rank > best:
            best = rank
            found = bit
        elif rank == best:
            found |= bit
    return found


@kernel
def throw_off(s: Any, p: Any, seat: int, card: int, why: int) -> None:
    """A card of the confidence hand is discarded, `why`: `ThrowOff`."""
    s.conf[seat] &= ~(1 << card)
    whisper(s, Event.THROW_OFF, seat, card, why)
    discard(s, p, seat, card, Reason.UNUSED)


@module.hook
def session_start(s: Any, p: Any, seat: int) -> None:
    """R221, R224: the old confidence hand goes, a new one is drawn."""
    if s.conf_value[seat] > 0:
        later(s, ME, HIGHEST, seat)
        draw(s, seat, s.conf_value[seat], DrawFor.CONF, Zone.CONF)
    cards = s.conf[seat]
    s.conf[seat] = 0
    left = cards
    while left:
        whisper(s, Event.THROW_OFF, seat, lowest_bit(left), ThrowOff.OLD)
        left &= left - 1
    discard_cards(s, p, seat, cards, Reason.UNUSED)


@module.hook
def task(s: Any, p: Any, what: int, seat: int) -> None:
    """R221: throw off the highest card, then the lowest; ask only among equals."""
    cards = extreme(s.conf[seat], what)
    if what == HIGHEST:
        later(s, ME, LOWEST, seat)
    if popcount(cards) > 1:
        s.confidence_lowest = what
        ask(s, ME, Phase.TRIM_CONFIDENCE, seat)
    elif cards:
        throw_off(s, p, seat, lowest_bit(cards), ThrowOff.LOWEST if what == LOWEST else ThrowOff.HIGHEST)


@kernel
def quota(s: Any, seat: int) -> int:
    """R222: cards of the confidence hand that may be played in this conflict."""
    if s.traits[seat] > 0:
        return s.traits[seat]
    return 1 if s.voluntary[seat] and s.risk[seat] else 0


@module.hook
def playable(s: Any, p: Any, seat: int, purpose: int, plays: int) -> int:
    """R222: as if from hand, within the quota; forbidden colours stay forbidden."""
    if purpose == Purpose.LOOK or s.confidence_spent[seat] >= quota(s, seat):
        return plays
    return plays | allowed_colour(s, seat, s.conf[seat])


@module.hook
def take(s: Any, p: Any, seat: int, play: int, zone: int) -> None:
    """R222: count the cards played; everybody sees where a card comes from, unless it is laid face down."""
    if zone == Zone.CONF:
        s.confidence_spent[seat] += 1
        if p.slots:
            s.confidence_down[seat] |= 1 << play
        else:
            emit(s, Event.CONFIDENCE, seat, s.confidence_spent[seat], Confidence.PLAYED, EVERYBODY)
    elif play < 32:
        s.confidence_down[seat] &= ~(1 << play)


@module.hook
def untake(s: Any, p: Any, seat: int, play: int) -> int:
    """Search: a card laid face down returns to the confidence hand."""
    if play < 32 and s.confidence_down[seat] >> play & 1:
        s.confidence_down[seat] &= ~(1 << play)
        s.confidence_spent[seat] -= 1
        return Zone.CONF
    return PASS_ON


@module.hook
def hand_count(s: Any, p: Any, seat: int, n: int) -> int:
    """Cards laid face down from the confidence hand are no hand cards."""
    for r in range(p.rounds):
        play = s.slot[seat, r]
        if 0 <= play < 32 and not s.slot_open[seat, r] and s.confidence_down[seat] >> play & 1:
            n -= 1
    return n


@module.hook
def round_end(s: Any, p: Any, seat: int) -> None:
    """In layout slots it shows at the reveal where the cards came from."""
    if p.slots:
        s.confidence_down[seat] = 0
        emit(s, Event.CONFIDENCE, seat, s.confidence_spent[seat], Confidence.SHOWN, EVERYBODY)


@module.hook
def conflict_end(s: Any, p: Any, seat: int) -> None:
    """R223: after a conflict that touched a trait and used no confidence, one unused hand card may be kept."""
    if p.pc[seat] and s.conf_value[seat] > 0 and s.traits[seat] > 0 and not s.confidence_spent[seat] and s.hand[seat]:
        ask(s, ME, Phase.GAIN_CONFIDENCE, seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """R221: equals; R223: unused hand cards, then a card of a confidence hand grown too large."""
    if phase == Phase.TRIM_CONFIDENCE:
        allow_cards(words, extreme(s.conf[seat], s.confidence_lowest))
    elif phase == Phase.GAIN_CONFIDENCE:
        allow_cards(words, s.hand[seat])
        allow(words, Action.NO)
    else:
        allow_cards(words, s.conf[seat])


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """R221, R223: throw off or keep."""
    if phase == Phase.TRIM_CONFIDENCE:
        throw_off(s, p, seat, action, ThrowOff.LOWEST if s.confidence_lowest else ThrowOff.HIGHEST)
        return
    if phase == Phase.DROP_CONFIDENCE:
        throw_off(s, p, seat, action, ThrowOff.TOO_MANY)
        return
    emit(s, Event.CONFIDENCE, seat, 0, Confidence.DECLINED if action == Action.NO else Confidence.KEPT, EVERYBODY)
    if action != Action.NO:
        move(s, seat, action, Zone.CONF)
        if popcount(s.conf[seat]) > s.conf_value[seat]:
            ask(s, ME, Phase.DROP_CONFIDENCE, seat)
