"""What the baselines of einBlatt expect: chances, and what hands and results are worth to a seat that knows its part.

Everything is measured in payoff of the running conflict; in a campaign restriction points cost INJURY each for every
later test of the attribute. Cards to come are taken from what may lie in the own draw pile as far as the seat knows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from ...envs.core.abi import lowest_bit, popcount
from ...envs.core.jit import kernel
from ...envs.einblatt.observe import hidden_discards, unknown_cards
from ...envs.einblatt.services import allowed_colour, class_of, free_slots
from ...envs.einblatt.state import ALL_CARDS, MELEE, Frame, Payoff, Phase

CLASSES = 16
NOBODY = (0,) * 12  # default of a module's field that counts for each seat
INJURY = 0.4  # EP that a card less costs in a test of about equal hands (E4)


def field_of(record: Any, name: str, default: Any) -> Any:
    """A field of a record, or the default in rule sets whose record lacks it: for fields of rule modules."""
    return getattr(record, name, default)


@overload(field_of)
def _field_of(record, name, default):  # numba wants the same signature as that of the answers below
    literal = getattr(name, "literal_value", None)
    if not isinstance(literal, str):
        return None
    if literal in record.fields:
        return lambda record, name, default: getattr(record, name)
    return lambda record, name, default: default


@kernel
def number(n: int) -> int:
    """The number itself: numba compiles a callee anew for every literal that it is called with, and this is none."""
    return n + 0  # a sum is no literal


@kernel
def sign(a: int, b: int) -> int:
    """R41: EP of class a against class b."""
    if a == b:
        return 0
    return 1 if a > b else -1


# --- chances ----------------------------------------------------------------------------------------------------------


@kernel
def choose(n: int, k: int) -> float:
    """Binomial coefficient; 0 if k is not in 0..n."""
    if k < 0 or k > n:
        return 0.0
    out = 1.0
    for i in range(min(k, n - k)):
        out = out * (n - i) / (i + 1)
    return out


@kernel
def chance_of(x: int, total: int, good: int, drawn: int) -> float:
    """Chance of exactly x good cards among `drawn` of `total` cards, `good` of which are good."""
    return choose(good, x) * choose(total - good, drawn - x) / choose(total, drawn)


@kernel
def mean_capped(k: int, total: int, good: int, drawn: int) -> float:
    """Mean of min(k, good cards among those drawn)."""
    drawn = min(drawn, total)
    if k <= 0 or drawn <= 0 or good <= 0:
        return 0.0
    out = float(k)
    for x in range(k):
        out -= (k - x) * chance_of(x, total, good, drawn)
    return out


# --- what a seat knows ------------------------------------------------------------------------------------------------


@kernel
def as_seen(s: Any, seat: int, who: int, play: int, value: int) -> int:
    """Class of a play of `who` as `seat` knows it: a suit that may be trump for all that is known counts as plain."""
    if who != seat and value >= 8 and 0 <= play < 32 and not s.known[who] >> (play >> 3) & 1:
        return value - 8
    return value


@kernel
def at_least(s: Any, p: Any, seat: int, who: int, cards: int, value: int) -> int:
    """How many cards of a set would be of class `value` or higher for `who`, as `seat` knows it."""
    n = 0
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        n += as_seen(s, seat, who, card, class_of(s, p, who, card)) >= value
    return n


@kernel
def own_pool(s: Any, p: Any, seat: int, n: int) -> int:
    """Cards that the next n draws of a seat may bring, as far as it knows (bit set)."""
    d = s.deck_of[seat]
    cards = s.draw[d, 0] | s.draw[d, 1]
    lying = popcount(cards)
    hidden = unknown_cards(s, p, seat, d)
    cards |= hidden
    if lying < n:  # the discard pile comes in (R22)
        cards |= (s.disc[d, 0] | s.disc[d, 1]) & ~hidden_discards(s, p, seat, d)
    return cards & ALL_CARDS


@kernel
def next_card(s: Any, p: Any, seat: int) -> int:
    """What the next card turned over may be (bit set): one card if the seat has looked at the top of its pile."""
    d = s.deck_of[seat]
    if s.draw[d, 1] == 0 and s.top_n[d, 0] > 0 and s.looked[seat] >> s.top[d, 0, 0] & 1:
        return 1 << s.top[d, 0, 0]
    return own_pool(s, p, seat, number(1))


@kernel
def unseen_of(s: Any, p: Any, seat: int, who: int) -> int:
    """Cards that `who` may hold in its hand as far as `seat` knows (bit set), besides those it has shown."""
    d = s.deck_of[who]
    cards = s.cards[d] & ~s.seen[d]
    if s.deck_of[seat] == d:
        cards &= ~(s.hand[seat] | s.conf[seat] | s.sleeve[seat] | s.aside[seat] | s.looked[seat] | s.unseen[seat])
    return cards & ~s.shown[who] & ALL_CARDS


@kernel
def chance_none(s: Any, p: Any, seat: int, who: int, drawn: int, value: int) -> float:
    """Chance that none of `drawn` unseen cards of `who` may be played with class `value` or higher."""
    cards = unseen_of(s, p, seat, who)
    total = popcount(cards)
    if drawn <= 0 or total == 0:
        return 1.0
    good = at_least(s, p, seat, who, allowed_colour(s, who, cards), value)
    return chance_of(0, total, good, min(drawn, total))


@kernel
def open_window(s: Any) -> int:
    """Phase number of the window that is open, -1 for none."""
    for f in range(s.depth - 1, -1, -1):
        if s.f_phase[f] == Frame.WINDOW:
            return s.f_a[f]
    return -1


# --- what a result is worth -------------------------------------------------------------------------------------------


@kernel
def later_tests(s: Any, p: Any, seat: int) -> int:
    """Later conflicts that test the attribute tested now, up to a session in which it heals."""
    n = 0
    t = s.tested[seat]
    for c in range(s.conflict + 1, p.conflicts):
        if p.new_session[c] and p.heal_per_session > 0:
            break
        if p.c_tested[c, seat] >= 0:
            t = p.c_tested[c, seat]
        n += t == s.tested[seat] and not p.events_only[c]
    return n


@kernel
def injury(s: Any, p: Any, seat: int, points: int) -> float:
    """What restriction points will cost in the conflicts to come."""
    if not p.campaign or (not p.pc[seat] and not p.npc_restrictions):
        return 0.0
    return INJURY * points * later_tests(s, p, seat)


@kernel
def worth(s: Any, p: Any, seat: int, ep: int) -> float:
    """Payoff of the running conflict if the seat's result were `ep`, less what it will cost later."""
    c = s.conflict
    clipped = min(3, max(-3, ep))
    value = float(ep)
    if p.payoff == Payoff.EP_CLIPPED:
        value = float(clipped)
    elif p.payoff == Payoff.CLASS:
        value = p.class_weights[clipped + 3]
    elif p.payoff == Payoff.WIN:
        value = float((ep > 0) - (ep < 0))
    elif p.payoff == Payoff.TEAM_SUM or p.payoff == Payoff.TEAM_MAX:
        total = ep
        best = ep
        for o in range(p.seats):
            if o != seat and p.team[o] == p.team[seat]:
                total += s.ep[o]
                best = max(best, s.ep[o])
        value = float(total if p.payoff == Payoff.TEAM_SUM else best)
    points = p.restriction[max(0, -clipped)] if p.restrict[c] else 0
    return p.weight[c] * value - injury(s, p, seat, points)


@kernel
def prospects(s: Any, p: Any, seat: int, out: Any) -> None:
    """Write for every class 0..15 the mean EP of one play against what the enemies will play in the coming rounds.

    Against a hidden hand of h cards: its best ones, missing ones passes, in random order (E1). Laid open cards are
    known. Several enemies count equally.
    """
    enemies = 0
    rounds = max(1, p.rounds - s.round_no)
    for v in range(CLASSES):
        out[v] = 0.0
    for o in range(p.seats):
        if o == seat or p.team[o] == p.team[seat]:
            continue
        enemies += 1
        laid = 0
        for r in range(s.round_no, p.rounds):
            if s.slot[o, r] != -2 and s.slot_open[o, r]:
                laid += 1
                theirs = as_seen(s, seat, o, s.slot[o, r], s.slot_class[o, r])
                for v in range(CLASSES):
                    out[v] += sign(v, theirs) / rounds
        k = rounds - laid
        pool = unseen_of(s, p, seat, o)
        shown = allowed_colour(s, o, s.hand[o] & s.shown[o])
        total = popcount(pool)
        pool = allowed_colour(s, o, pool)
        drawn = popcount(s.hand[o]) - popcount(s.hand[o] & s.shown[o])
        above = 0.0  # mean number of their plays of a class above v
        for v in range(CLASSES - 1, -1, -1):
            same_or_above = float(k)
            if v > 0:
                open_ones = min(k, at_least(s, p, seat, o, shown, v))
                same_or_above = open_ones + mean_capped(k - open_ones, total, at_least(s, p, seat, o, pool, v), drawn)
            out[v] += (k - same_or_above - above) / rounds
            above = same_or_above
    for v in range(CLASSES):
        out[v] /= max(1, enemies)


@kernel
def hand_worth(s: Any, p: Any, seat: int, kept: int, draws: int, edge: Any) -> float:
    """Mean EP of the coming rounds with the cards `kept` and so many cards drawn besides; `edge` as of `prospects`."""
    k = popcount(free_slots(s, p, seat))
    pool = own_pool(s, p, seat, draws) & ~kept
    total = popcount(pool)
    kept = allowed_colour(s, seat, kept)
    playable = allowed_colour(s, seat, pool)
    out = k * edge[0]
    for v in range(1, CLASSES):
        sure = min(k, at_least(s, p, seat, seat, kept, v))
        drawn = mean_capped(k - sure, total, at_least(s, p, seat, seat, playable, v), draws)
        out += (edge[v] - edge[v - 1]) * (sure + drawn)
    return out


@kernel
def redraw_gain(s: Any, p: Any, seat: int, kept: int, draws: int) -> float:
    """What the cards `kept` and so many new ones are worth beyond the hand as it is."""
    edge = np.empty(CLASSES, np.float64)
    prospects(s, p, seat, edge)
    return hand_worth(s, p, seat, kept, draws, edge) - hand_worth(s, p, seat, s.hand[seat], 0, edge)


# --- replacing a played card --------------------------------------------------------------------------------------


@kernel
def replacement(s: Any, p: Any, seat: int, old: int, value: int, window: int) -> int:
    """Change of the own EP if the played card `old` were of class `value`.

    By the record, or in the window before the comparison of a duel by the slots that lie open.
    """
    gain = 0
    if old < 0:
        return 0
    if window == Phase.AFTER_REVEAL and not (MELEE and p.melee[s.conflict]):
        o = 1 - seat
        for r in range(p.rounds):
            if s.slot[seat, r] == old and s.slot_open[seat, r]:
                mine = s.slot_class[seat, r]
                theirs = as_seen(s, seat, o, s.slot[o, r], s.slot_class[o, r])
                gain += sign(value, theirs) - sign(mine, theirs)
        return gain
    for i in range(s.n_entries):
        if s.e_a[i] == seat and s.e_play_a[i] == old:
            mine = s.e_class_a[i]
            theirs = as_seen(s, seat, s.e_b[i], s.e_play_b[i], s.e_class_b[i])
        elif s.e_b[i] == seat and s.e_play_b[i] == old:
            mine = s.e_class_b[i]
            theirs = as_seen(s, seat, s.e_a[i], s.e_play_a[i], s.e_class_a[i])
        else:
            continue
        gain += sign(value, theirs) - sign(mine, theirs)
    return gain
