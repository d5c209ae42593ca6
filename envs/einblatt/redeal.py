"""Forgetting what a seat cannot know, and dealing it again (4.4); this is what search sees of a game."""

from __future__ import annotations

from typing import Any

from ..core.abi import popcount
from ..core.jit import kernel
from ..core.rng import mix
from . import hooks
from .frames import push
from .hooks import PASS_ON
from .piles import nth_card, put
from .plays import class_of, trump_suits
from .state import ATTRIBUTES, MAXS, STACK, WORDS, Die, Frame, Phase, Zone

# what a hidden card can be: the zones dealt again, in this order; the rest of the pool is draw pile A
N_HAND, N_CONF, N_SLEEVE, N_DISC_A, N_DISC_B, N_DRAW_B, N_WRATH = range(7)


@kernel
def release_hidden(s: Any, p: Any, me: int) -> None:
    """Take back what others have chosen in secret: they will be asked again."""
    f = s.depth - 1
    phase = s.f_phase[f]
    if phase != Phase.COMMIT and phase != Phase.CONTINUE and phase != Phase.ACT:
        return
    for o in range(p.seats):
        if o == me:
            continue
        if phase == Phase.COMMIT and p.slots:
            for r in range(p.rounds):
                play = s.slot[o, r]
                if play != -2 and not s.slot_open[o, r]:
                    s.slot[o, r] = -2
                    s.slot_class[o, r] = 0
                    zone = hooks.untake(s, p, o, play)
                    if 0 <= play < 32:
                        s.area[o] &= ~(1 << play)
                        put(s, o, play, zone if zone != PASS_ON else Zone.HAND)
                    s.f_bits[f] |= 1 << o
        elif s.sealed[o] >= 0:
            s.sealed[o] = -1
            s.f_bits[f] |= 1 << o


@kernel
def trump_worth(s: Any, p: Any, o: int, play: int) -> int:
    """What it adds to the class of a play that its suit is trump; 0 if it is not, or if everybody knows it."""
    if not 0 <= play < 32 or s.known[o] >> (play >> 3) & 1 or not trump_suits(s, o) >> (play >> 3) & 1:
        return 0
    t = s.tested[o]
    suits = s.suits[o, t]
    value = class_of(s, p, o, play)
    s.suits[o, t] = suits & ~(1 << (play >> 3))
    value -= class_of(s, p, o, play)
    s.suits[o, t] = suits
    return value


@kernel
def reclass(s: Any, p: Any, o: int, sign: int) -> None:
    """Take the worth of hidden trump suits out of the classes of what a seat has played (-1), or put it in (1)."""
    for r in range(3):
        s.slot_class[o, r] += sign * trump_worth(s, p, o, s.slot[o, r])
    for i in range(s.n_entries):
        if s.e_a[i] == o:
            s.e_class_a[i] += sign * trump_worth(s, p, o, s.e_play_a[i])
        if s.e_b[i] == o:
            s.e_class_b[i] += sign * trump_worth(s, p, o, s.e_play_b[i])


@kernel
def forget(s: Any, p: Any, me: int) -> None:
    """Pool all cards whose place `me` cannot know, deck by deck, and wipe every trace of where they were."""
    s.n_events = 0
    s.observer = me
    for i in range(len(s.events)):
        s.events[i] = 0
    for w in range(WORDS):
        s.scratch[w] = 0
    hooks.forget_fields(s, me)
    for f in range(s.depth, STACK):  # residues of frames that are gone
        s.f_phase[f] = 0
        s.f_owner[f] = 0
        s.f_seat[f] = 0
        s.f_bits[f] = 0
        s.f_a[f] = 0
        s.f_b[f] = 0
        s.f_c[f] = 0
    todo = 0
    for d in range(MAXS + 1):
        s.pool[d] = 0
        if s.cards[d] == 0:
            continue
        mine = s.deck_of[me] == d
        pool = 0
        for pile in range(2):
            known = 0
            if mine:
                keep = 0
                for i in range(s.top_n[d, pile]):
                    if s.looked[me] >> s.top[d, pile, i] & 1 and keep == i:
                        known |= 1 << s.top[d, pile, i]
                        keep = i + 1
                for i in range(keep, 8):
                    s.top[d, pile, i] = 0
                s.top_n[d, pile] = keep
            else:
                s.top_n[d, pile] = 0
                for i in range(8):
                    s.top[d, pile, i] = 0
            pool |= s.draw[d, pile] & ~known
        for o in range(p.seats):
            for z in range(8):
                if s.deck_of[o] == d:
                    s.need[o, z] = 0
        count_b = popcount(s.draw[d, 1] & pool)
        others = False
        for o in range(p.seats):
            if o == me or s.deck_of[o] != d:
                continue
            others = True
            hidden = s.hand[o] & ~s.shown[o]
            s.need[o, N_HAND] = popcount(hidden)
            s.need[o, N_CONF] = popcount(s.conf[o])
            s.need[o, N_SLEEVE] = popcount(s.sleeve[o])
            s.need[o, N_DISC_A] = popcount(s.unseen[o] & s.disc[d, 0])
            s.need[o, N_DISC_B] = popcount(s.unseen[o] & s.disc[d, 1])
            gone = s.unseen[o] & (s.disc[d, 0] | s.disc[d, 1])
            pool |= hidden | s.conf[o] | s.sleeve[o] | gone
            s.hand[o] &= s.shown[o]
            s.conf[o] = 0
            s.sleeve[o] = 0
            s.disc[d, 0] &= ~gone
            s.disc[d, 1] &= ~gone
            s.unseen[o] &= ~gone
        wrath_here = s.wrath & s.cards[d] if d == p.wrath_deck else 0
        if wrath_here:
            pool |= wrath_here
        if not others and not wrath_here:
            continue
        if d == p.wrath_deck:
            s.need[0, N_WRATH] = popcount(wrath_here)
            s.wrath = 0
        holder = 0
        for o in range(p.seats - 1, -1, -1):
            if s.deck_of[o] == d:
                holder = o
        if d < MAXS:  # a separate wrath deck has one pile and no seat
            s.need[holder, N_DRAW_B] = count_b
        for pile in range(2):
            s.draw[d, pile] &= ~pool
        s.pool[d] = pool
        todo |= 1
    for o in range(p.seats):
        if o == me:
            continue
        s.private[o] = 0
        for d in range(MAXS + 1):  # what it has looked at lies in the pool again
            if s.deck_of[o] == d:
                s.looked[o] &= ~(s.pool[d] | s.draw[d, 0] | s.draw[d, 1])
        t = s.tested[o]
        unknown = ~s.known[o] & 15
        if unknown:
            todo |= 1
            reclass(s, p, o, -1)
            for a in range(ATTRIBUTES):
                if a == t:
                    s.suits[o, a] &= s.known[o]
    if todo:
        push(s, Frame.REDEAL, -1, me, 0, 0, 0, 0)


@kernel
def redeal_step(s: Any, p: Any) -> None:
    """Find the next hidden card (or hidden trump suit) that chance must settle; then the frame goes."""
    f = s.depth - 1
    while s.f_a[f] < p.seats:  # hidden trump suits first: each is trump or not with equal chance
        o = s.f_a[f]
        if o != s.observer and s.f_b[f] < 4:
            suit = s.f_b[f]
            s.f_b[f] += 1
            if not s.known[o] >> suit & 1:
                s.die_kind = Die.TRUMP
                s.die_deck = o
                s.die_pile = suit
                s.die_faces = 2
                return
        else:
            s.f_a[f] += 1
            s.f_b[f] = 0
    for o in range(p.seats):
        for z in range(7):
            if s.need[o, z] > 0:
                d = p.wrath_deck if z == N_WRATH else s.deck_of[o]
                s.die_kind = Die.REDEAL
                s.die_deck = o
                s.die_pile = z
                s.die_faces = popcount(s.pool[d])
                return
    for d in range(MAXS + 1):
        s.draw[d, 0] |= s.pool[d]
        s.pool[d] = 0
    for o in range(p.seats):  # classes of plays whose trump state has just been dealt
        if o != s.observer and s.known[o] != 15:
            reclass(s, p, o, 1)
    s.depth = f


@kernel
def redeal_fell(s: Any, p: Any, outcome: int) -> None:
    """Settle one hidden card or trump suit."""
    o, z = s.die_deck, s.die_pile
    kind = s.die_kind
    s.die_kind = Die.NONE
    s.die_faces = 0
    if kind == Die.TRUMP:
        s.suits[o, s.tested[o]] |= outcome << z
        s.private[o] ^= mix(100 + z, outcome + 1)
        return
    d = p.wrath_deck if z == N_WRATH else s.deck_of[o]
    card = nth_card(s.pool[d], outcome)
    bit = 1 << card
    s.pool[d] &= ~bit
    s.need[o, z] -= 1
    if z == N_HAND:
        s.hand[o] |= bit
    elif z == N_CONF:
        s.conf[o] |= bit
    elif z == N_SLEEVE:
        s.sleeve[o] |= bit
    elif z == N_DISC_A:
        s.disc[d, 0] |= bit
        s.unseen[o] |= bit
    elif z == N_DISC_B:
        s.disc[d, 1] |= bit
        s.unseen[o] |= bit
    elif z == N_DRAW_B:
        s.draw[d, 1] |= bit
    else:
        s.wrath |= bit
    if z <= N_SLEEVE:
        # order of dealing must not matter to what the seat will remember
        s.private[o] ^= mix(card + 1, z + 1)
