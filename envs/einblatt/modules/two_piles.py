"""two_piles (R140..R142): discards go to two piles, which become two draw piles to choose from."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from ...core.abi import popcount
from ..hooks import ASKED, PASS_ON
from ..module import ME, Module
from ..services import DRAW_MORE, EVERYBODY, allow, ask, emit, new_pile, next_played
from ..services import task as later
from ..state import Action, Event, Phase, Reason, Zone

Rule = IntEnum("Rule", "USED_UNUSED WON_REST RED_BLACK PICTURES_NUMBERS FREE", start=0)
ALONE = 2  # added to a choice: the other pile has no cards

module = Module(
    "two_piles",
    "Discards are sorted onto two piles; used up, they are shuffled apart and become two draw piles to choose from.",
    rank={"discard": 1, "exhausted": 1},
)
module.param(
    "rule",
    "used_unused",
    choices=Rule,
    doc="what goes onto pile A, and what onto pile B",
)
module.param("switch", True, doc="the pile is chosen card by card, not once for a draw")
module.param("ace_is_picture", True, doc="aces go with the pictures")
module.state("choice", scope="campaign", doc="1 + the pile chosen, 0 none; + ALONE if it alone has cards")
module.state(
    "pending", scope="campaign", private=True, doc="discards on pile A that their owner has still to sort", bits=True
)
module.state("since", scope="campaign", doc="when the first of those discards came, as a running number")
module.state("sorting", per_seat=False, scope="campaign", doc="a sorting is under way: discards to be sorted so far")


@module.hook
def draw(s: Any, p: Any, seat: int, purpose: int, n: int) -> int:
    """R142: a new draw, a new choice; where one pile alone has cards it is chosen."""
    if purpose != DRAW_MORE:
        d = s.deck_of[seat]
        s.two_piles_choice[seat] = 0
        if not p.two_piles_switch and (s.draw[d, 0] == 0 or s.draw[d, 1] == 0):
            s.two_piles_choice[seat] = 1 + ALONE + (1 if s.draw[d, 0] == 0 else 0)
    return n


@module.hook
def draw_pile(s: Any, p: Any, seat: int, deck: int) -> int:
    """R142: the owner chooses, card by card or once for the whole draw."""
    choice = s.two_piles_choice[seat]
    if choice == 0:
        ask(s, ME, Phase.PICK_PILE, seat)
        return ASKED
    if p.two_piles_switch:
        s.two_piles_choice[seat] = 0
    return (choice - 1) % ALONE


@module.hook
def exhausted(s: Any, p: Any, deck: int) -> int:
    """R141: both discard piles are shuffled apart and become the draw piles.

    R142: a choice for a whole draw holds, but once its pile had run out the other became the choice.
    """
    a, b = s.disc[deck, 0], s.disc[deck, 1]
    if a | b == 0:
        return PASS_ON
    s.disc[deck, 0] = 0
    s.disc[deck, 1] = 0
    if a:
        new_pile(s, deck, 0, a)
    if b:
        new_pile(s, deck, 1, b)
    emit(s, Event.MODULE, -1, popcount(a), popcount(b), EVERYBODY)  # everybody sees how large the piles are
    for o in range(p.seats):
        choice = s.two_piles_choice[o]
        if s.deck_of[o] == deck and choice > 0:
            last = (choice - 1) % ALONE  # the pile drawn from last
            if choice <= ALONE:
                last = 1 - last
            if a and b:
                s.two_piles_choice[o] = 1 + last
            else:
                s.two_piles_choice[o] = 1 + ALONE + (0 if a else 1)
    return 1


@module.hook
def discard(s: Any, p: Any, seat: int, card: int, reason: int) -> int:
    """R140: the pile by rule; where the owner is free, onto A until it is asked."""
    rule = p.two_piles_rule
    rank = card & 7
    if rule == Rule.USED_UNUSED:
        first = reason not in (Reason.UNUSED, Reason.EXCHANGED)
    elif rule == Rule.WON_REST:
        first = reason == Reason.WON
    elif rule == Rule.RED_BLACK:
        first = card >= 16
    elif rule == Rule.PICTURES_NUMBERS:
        first = 4 <= rank <= 6 or (rank == 7 and p.two_piles_ace_is_picture)
    else:
        first = True
        if not s.two_piles_sorting:
            later(s, ME, 0, 0)
        s.two_piles_sorting += 1
        if s.two_piles_pending[seat] == 0:
            s.two_piles_since[seat] = s.two_piles_sorting
        s.two_piles_pending[seat] |= 1 << card
    return Zone.DISC_A if first else Zone.DISC_B


@module.hook
def task(s: Any, p: Any, what: int, seat: int) -> None:
    """Ask the seat that discarded first, for the card that it played first; what is shuffled needs none."""
    first = -1
    for o in range(p.seats):
        pending = s.two_piles_pending[o] & s.disc[s.deck_of[o], 0]
        s.two_piles_pending[o] = pending
        if pending and (first < 0 or s.two_piles_since[o] < s.two_piles_since[first]):
            first = o
    if first < 0:
        s.two_piles_sorting = 0
        return
    s.looked[first] |= 1 << next_played(s, p, first, s.two_piles_pending[first])
    ask(s, ME, Phase.SORT, first)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """Pile A or pile B."""
    allow(words, Action.PILE_A)
    allow(words, Action.PILE_B)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Remember the pile to draw from, or lay the card that was looked at onto its pile."""
    emit(s, Event.PILE, seat, action, phase, EVERYBODY)
    if phase == Phase.PICK_PILE:
        s.two_piles_choice[seat] = 1 + action - Action.PILE_A
        return
    pending = s.two_piles_pending[seat]
    if pending:
        card = next_played(s, p, seat, pending)
        s.two_piles_pending[seat] = pending & ~(1 << card)
        s.looked[seat] &= ~(1 << card)
        if action == Action.PILE_B:
            d = s.deck_of[seat]
            s.disc[d, 0] &= ~(1 << card)
            s.disc[d, 1] |= 1 << card
    later(s, ME, 0, 0)
