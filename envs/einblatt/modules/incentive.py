"""incentive (R230..R233): aces, kings and sevens lie aside; behaviour brings them into the deck and back."""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ..hooks import PASS_ON
from ..module import ME, Module
from ..services import (
    EVERYBODY,
    allow,
    allow_cards,
    ask,
    discard_openly,
    emit,
    has,
    lot,
    pull,
    renew,
)
from ..services import task as later
from ..state import MAXS, Action, Event, Phase, Reason, Zone

SEVENS, KINGS, ACES = 0x01010101, 0x40404040, 0x80808080
NOTHING, AGAINST, AGAINST_SEVERE, ACCORD, ACCORD_SACRIFICE = range(5)
EVENT_LOT, SUIT_LOT = 0, 1  # dice
NEXT_EVENT = 0  # task

module = Module(
    "incentive",
    "Aces, kings and sevens are set aside; acting by one's motives brings high cards back, else sevens.",
)
module.param("gm_too", False, doc="decks of npcs lose their aces, kings and sevens as well")
module.param(
    "odds",
    {"none": 0.5, "against": 0.15, "against_severe": 0.05, "accord": 0.2, "accord_sacrifice": 0.1},
    doc="chance of each behaviour event before a conflict where no script gives the events",
)
module.state("event", doc="behaviour event before this conflict")
module.state("suit", doc="its suit")
module.state("due", doc="sevens that the seat has still to choose")
module.state("handled", per_seat=False, doc="1 + how many events of the scenario have been handled, of all conflicts")


@kernel
def takes_part(s: Any, p: Any, deck: int) -> bool:
    """R231: decks of pcs, and those of npcs with `gm_too`."""
    if p.incentive_gm_too:
        return True
    for o in range(p.seats):
        if s.deck_of[o] == deck and p.pc[o]:
            return True
    return False


@kernel
def set_aside(s: Any, deck: int) -> int:
    """All set-aside cards of a deck (bit set)."""
    cards = 0
    for o in range(MAXS):
        if s.deck_of[o] == deck:
            cards |= s.aside[o]
    return cards


@module.hook
def build_deck(s: Any, p: Any, deck: int) -> None:
    """R231: a 20-card deck; piles and set-aside cards that a scenario gives stay as they are."""
    if p.draw[deck, 0] >= 0 or p.aside_given[deck] or not takes_part(s, p, deck):
        return
    for o in range(p.seats - 1, -1, -1):
        if s.deck_of[o] == deck:
            cards = s.draw[deck, 0] & (SEVENS | KINGS | ACES)
            s.draw[deck, 0] &= ~cards
            s.aside[o] |= cards


@module.hook
def card_class(s: Any, p: Any, seat: int, play: int, value: int) -> int:
    """R230: sevens are colourless."""
    return 0 if play < 32 and play & 7 == 0 else value


@module.hook
def discard(s: Any, p: Any, seat: int, card: int, reason: int) -> int:
    """R233: aces and kings that were played go back to the set-aside cards."""
    if (
        (KINGS | ACES) >> card & 1
        and reason not in (Reason.UNUSED, Reason.EXCHANGED)
        and takes_part(s, p, s.deck_of[seat])
    ):
        return Zone.ASIDE
    return PASS_ON


# --- behaviour events (R232) ---------------------------------------------------------------------------------------


@kernel
def scripted(p: Any) -> bool:
    """Whether the scenario gives the events."""
    for c in range(p.conflicts):
        if p.events_given[c]:
            return True
    return False


@module.hook
def between(s: Any, p: Any, seat: int) -> None:
    """R232: all events of the script in its order, or one by lot for every pc before a conflict."""
    c = s.conflict
    if not scripted(p):
        if p.pc[seat] and not p.events_only[c]:
            lot(s, ME, EVENT_LOT, seat, 100)
    elif not s.incentive_handled:
        s.incentive_handled = 1 + (p.event_end[c - 1] if c > 0 else 0)
        later(s, ME, NEXT_EVENT, seat)


@module.hook
def task(s: Any, p: Any, what: int, seat: int) -> None:
    """R232: the next event of the script, with its questions, before the one after it."""
    i = s.incentive_handled - 1
    while i < p.event_end[s.conflict] and not has(s, p, p.event_seat[i]):
        i += 1
    if i >= p.event_end[s.conflict]:
        return
    s.incentive_handled = i + 2
    later(s, ME, NEXT_EVENT, seat)
    who = p.event_seat[i]
    s.incentive_event[who] = p.event[i]
    s.incentive_suit[who] = p.event_suit[i]
    if p.event[i] >= ACCORD and p.event_suit[i] < 0:
        lot(s, ME, SUIT_LOT, who, 4)
    else:
        begin(s, p, who)


@module.hook
def fell(s: Any, p: Any, what: int, seat: int, outcome: int) -> None:
    """R232: the event by lot, with a uniformly random suit."""
    if what == SUIT_LOT:
        s.incentive_suit[seat] = outcome
        begin(s, p, seat)
        return
    event = 0
    while outcome >= p.incentive_odds[event]:
        outcome -= p.incentive_odds[event]
        event += 1
    s.incentive_event[seat] = event
    if event >= ACCORD:
        lot(s, ME, SUIT_LOT, seat, 4)
    else:
        begin(s, p, seat)


@kernel
def begin(s: Any, p: Any, seat: int) -> None:
    """The event is known: everybody hears of it, and the seat chooses what there is to choose."""
    event = s.incentive_event[seat]
    if event == NOTHING:
        return
    emit(s, Event.MOTIVE, seat, event, s.incentive_suit[seat], EVERYBODY)
    if event <= AGAINST_SEVERE:
        s.incentive_due[seat] = event  # one, or two
        next_seven(s, seat)
    elif reward(s, seat) | returnable(s, p, seat):
        ask(s, ME, Phase.REWARD, seat)


@kernel
def next_seven(s: Any, seat: int) -> None:
    """R232: acting against a motive costs sevens, as long as any lie aside."""
    if s.incentive_due[seat] > 0 and set_aside(s, s.deck_of[seat]) & SEVENS:
        ask(s, ME, Phase.SEVEN, seat)


@kernel
def pair_due(s: Any, seat: int) -> bool:
    """R232: king and ace of the suit together, for a special sacrifice."""
    pair = 0xC0 << 8 * s.incentive_suit[seat]
    return s.incentive_event[seat] == ACCORD_SACRIFICE and set_aside(s, s.deck_of[seat]) & pair == pair


@kernel
def reward(s: Any, seat: int) -> int:
    """R232: king of the suit, else its ace, else any king, else any ace (bit set)."""
    aside = set_aside(s, s.deck_of[seat])
    suit = 8 * s.incentive_suit[seat]
    if aside >> suit + 6 & 1:
        return 1 << suit + 6
    if aside >> suit + 7 & 1:
        return 1 << suit + 7
    return aside & KINGS if aside & KINGS else aside & ACES


@kernel
def returnable(s: Any, p: Any, seat: int) -> int:
    """R232, A41: sevens in the discard and draw piles (bit set)."""
    d = s.deck_of[seat]
    return (s.draw[d, 0] | s.draw[d, 1] | s.disc[d, 0] | s.disc[d, 1]) & SEVENS


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """R232: set-aside sevens; or the reward, a seven to be returned, or nothing."""
    if phase == Phase.SEVEN:
        allow_cards(words, set_aside(s, s.deck_of[seat]) & SEVENS)
        return
    if pair_due(s, seat):
        allow(words, Action.YES)
    else:
        allow_cards(words, reward(s, seat))
    allow_cards(words, returnable(s, p, seat))
    allow(words, Action.NO)


@kernel
def into_play(s: Any, p: Any, seat: int, card: int) -> None:
    """A set-aside card goes openly to the discard pile; then the next seven is chosen, if one is due."""
    for o in range(MAXS):
        if s.deck_of[o] == s.deck_of[seat]:
            s.aside[o] &= ~(1 << card)
    next_seven(s, seat)
    discard_openly(s, p, seat, card, Reason.UNUSED)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """R232: sevens and rewards go to the discard pile, a returned seven to the set-aside cards."""
    d = s.deck_of[seat]
    if phase == Phase.SEVEN:
        s.incentive_due[seat] -= 1
        into_play(s, p, seat, action)
    elif action == Action.YES:
        suit = 8 * s.incentive_suit[seat]
        into_play(s, p, seat, suit + 6)
        into_play(s, p, seat, suit + 7)
    elif action == Action.NO:
        emit(s, Event.MODULE, seat, Action.NO, ME, EVERYBODY)
    elif returnable(s, p, seat) >> action & 1:
        emit(s, Event.MODULE, seat, action, ME, EVERYBODY)
        pull(s, d, action)
        s.aside[seat] |= 1 << action
        renew(s, p, d)
    else:
        into_play(s, p, seat, action)
