"""Options of einBlatt's windows by expected gain: what `greedy_rescore` takes.

A module is known by the option that it offers, so that none of this depends on which modules are active; a parameter of
a module is read with `field_of`. To make another option known, add its gain to `gain_of`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.abi import lowest_bit, popcount
from ...envs.core.jit import kernel
from ...envs.einblatt.services import allowed_colour, class_of, free_slots, open_cards_of, recorded_cards
from ...envs.einblatt.state import MAXS, MELEE, Action, Phase
from .values import (
    CLASSES,
    NOBODY,
    as_seen,
    chance_none,
    chance_of,
    choose,
    field_of,
    hand_worth,
    injury,
    next_card,
    number,
    own_pool,
    prospects,
    redraw_gain,
    replacement,
    sign,
    worth,
)

POINT = 0.1  # EP that a point of experience must bring
OPENNESS = (0.33, 0.48, 0.0)  # EP that the first, second and third open card cost (E11)
# EP that a card of each class brings from the sleeve after the last reveal of a random test of three cards each (E11)
SLEEVE = (0.0, 0.04, 0.13, 0.28, 0.47, 0.71, 0.92, 1.12, 1.27, 1.34, 1.41, 1.48, 1.54, 1.61, 1.67, 1.71)
EPSILON = 1e-9
MOST_PLAYED = 16  # own cards of a test that mercy looks at; more are left as they are


# --- options of windows -----------------------------------------------------------------------------------------------


@kernel
def replaced(s: Any, p: Any, seat: int, cards: int, value: int, window: int) -> int:
    """Which card of a set is best replaced by one of class `value`: most EP, then the lowest class; -1 for none."""
    best = -99
    found = -1
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        key = replacement(s, p, seat, card, value, window) * CLASSES - class_of(s, p, seat, card)
        if found < 0 or key > best:
            best = key
            found = card
    return found


@kernel
def turn_gain(s: Any, p: Any, seat: int, window: int, all_in: bool) -> float:
    """Swap (R100) and all in (R180): the mean over the cards that may be turned over, each put where it does best."""
    cards = recorded_cards(s, seat, 0 if all_in else 1)
    now = worth(s, p, seat, s.ep[seat])
    coming = next_card(s, p, seat)
    total = 0.0
    n = 0
    while coming:
        card = lowest_bit(coming)
        coming &= coming - 1
        value = class_of(s, p, seat, card)
        gain = replacement(s, p, seat, replaced(s, p, seat, cards, value, window), value, window)
        if all_in and gain <= 0:
            total += worth(s, p, seat, number(-3))
        else:
            total += worth(s, p, seat, s.ep[seat] + gain)
        n += 1
    if n == 0:
        return 0.0
    return total / n - now - (0.0 if all_in else injury(s, p, seat, field_of(p, "swap_card_cost", 2)))


@kernel
def best_assignment(gains: Any, n: int, banned: int, a: int, b: int, c: int) -> int:
    """The most EP that cards of classes a, b, c (-1: no card) bring in n places, each in one place or none."""
    best = 0
    for x in range(-1, n if a >= 0 else 0):
        if x >= 0 and banned >> x & 1:
            continue
        first = gains[a, x] if x >= 0 else 0
        for y in range(-1, n if b >= 0 else 0):
            if y >= 0 and (banned >> y & 1 or y == x):
                continue
            second = first + (gains[b, y] if y >= 0 else 0)
            best = max(best, second)
            if c >= 0:
                for z in range(n):
                    if not banned >> z & 1 and z != x and z != y:
                        best = max(best, second + gains[c, z])
    return best


@kernel
def places(s: Any, p: Any, seat: int, cards: int, window: int, gains: Any) -> int:
    """Write what a card of each class would gain in the place of each played card of a set; return how many there are.

    `gains` int64[16, MOST_PLAYED]; the places are in order of the cards' ids.
    """
    n = 0
    while cards and n < MOST_PLAYED:
        card = lowest_bit(cards)
        cards &= cards - 1
        for v in range(CLASSES):
            gains[v, n] = replacement(s, p, seat, card, v, window)
        n += 1
    return n


@kernel
def after_mercy(s: Any, p: Any, seat: int, window: int) -> float:
    """Mean worth of the result after three mercy cards, each put where it does best, as long as nothing matches."""
    gains = np.zeros((CLASSES, MOST_PLAYED), np.int64)
    n = places(s, p, seat, recorded_cards(s, seat, 0), window, gains)
    count = np.zeros(CLASSES, np.int64)
    pool = own_pool(s, p, seat, number(3))
    total = popcount(pool)
    while pool:
        count[class_of(s, p, seat, lowest_bit(pool))] += 1
        pool &= pool - 1
    out = 0.0
    for a in range(CLASSES):
        for b in range(a, CLASSES):
            for c in range(b, CLASSES):
                if a == b and b == c:
                    ways = choose(count[a], 3)
                elif a == b:
                    ways = choose(count[a], 2) * count[c]
                elif b == c:
                    ways = count[a] * choose(count[b], 2)
                else:
                    ways = float(count[a] * count[b] * count[c])
                if ways > 0.0:
                    gain = best_assignment(gains, n, 0, a, b, c)
                    out += ways * worth(s, p, seat, s.ep[seat] + gain)
    return out / max(1.0, choose(total, 3))


@kernel
def mercy_gain(s: Any, p: Any, seat: int, window: int) -> float:
    """R201..R205: the gain by the cards against the risk of E8 with the number of wrath cards, which is public."""
    n = 32
    if p.wrath_deck >= 0 and p.wrath_deck < MAXS:  # the GM's deck: cards of it that were seen are no wrath cards
        n = max(3, popcount(s.cards[p.wrath_deck] & ~s.seen[p.wrath_deck]))
    w = min(popcount(s.wrath), n)
    none = chance_of(number(0), n, w, number(3))
    lost = worth(s, p, seat, number(-3))
    if window == Phase.AFTER_DRAW:  # variant 4: hand cards are replaced, a match loses the conflict
        return none * redraw_gain(s, p, seat, s.hand[seat], number(3)) + (1.0 - none) * lost
    return none * after_mercy(s, p, seat, window) + (1.0 - none) * lost - worth(s, p, seat, s.ep[seat])


@kernel
def challenge_gain(s: Any, p: Any, seat: int) -> float:
    """R130: the best card as a challenge, and what the opponent may then do, against his own challenge otherwise."""
    o = 1 - seat
    cards = allowed_colour(s, seat, s.hand[seat])
    best = -1
    second = -1
    while cards:
        value = class_of(s, p, seat, lowest_bit(cards))
        cards &= cards - 1
        if value > best:
            second = best
            best = value
        elif value > second:
            second = value
    h = popcount(s.hand[o])
    won = worth(s, p, seat, s.ep[seat] + 1) - worth(s, p, seat, s.ep[seat])
    lost = worth(s, p, seat, s.ep[seat] - 1) - worth(s, p, seat, s.ep[seat])
    refused = chance_none(s, p, seat, o, h, best)
    beaten_later = 0.0
    beaten_now = 0.0
    if not field_of(s, "after_card_used", NOBODY)[o]:
        beaten_later = 1.0 - chance_none(s, p, seat, o, h - 1, second + 1)
        beaten_now = 1.0 - chance_none(s, p, seat, o, h, best + 1)
    return refused * won + (1.0 - refused) * beaten_later * lost - beaten_now * lost


@kernel
def best_exchange(s: Any, p: Any, seat: int, laid: int) -> float:
    """R110: the most that throwing off the lowest hand cards and drawing as many brings, with the card `laid` kept."""
    edge = np.empty(CLASSES, np.float64)
    prospects(s, p, seat, edge)
    now = hand_worth(s, p, seat, s.hand[seat], number(0), edge)
    best = 0.0
    kept = s.hand[seat]
    d = s.deck_of[seat]
    most = popcount(s.draw[d, 0]) + popcount(s.draw[d, 1])
    for n in range(1, min(popcount(s.hand[seat]) - 1, most) + 1):
        kept &= ~(1 << weakest(s, p, seat, kept & ~(1 << laid)))
        best = max(best, hand_worth(s, p, seat, kept, n, edge) - now)
    return best


@kernel
def weakest(s: Any, p: Any, seat: int, cards: int) -> int:
    """The card of the lowest class in a set that is not empty; those that may not be played (R15) first."""
    free = cards & ~allowed_colour(s, seat, cards)
    if free:
        return lowest_bit(free)
    best = 99
    found = -1
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        value = class_of(s, p, seat, card)
        if value < best:
            best = value
            found = card
    return found


@kernel
def strongest(s: Any, p: Any, seat: int, cards: int) -> int:
    """The card of the highest class in a set, -1 for an empty one."""
    best = -1
    found = -1
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        value = class_of(s, p, seat, card)
        if value > best:
            best = value
            found = card
    return found


@kernel
def to_lay(s: Any, p: Any, seat: int, cards: int) -> int:
    """The card of a set that is laid open: the lowest of the best ones of the coming rounds."""
    for _ in range(popcount(free_slots(s, p, seat)) - 1):
        rest = cards & ~(1 << strongest(s, p, seat, cards))
        if rest == 0:
            break
        cards = rest
    return strongest(s, p, seat, cards)


@kernel
def open_gain(s: Any, p: Any, seat: int) -> float:
    """R110: what the exchange brings, less what the open card gives away (E11)."""
    laid = 0
    for r in range(p.rounds):
        laid += s.slot[seat, r] != -2 and s.slot_open[seat, r] and r >= s.round_no
    card = to_lay(s, p, seat, allowed_colour(s, seat, s.hand[seat]))
    return best_exchange(s, p, seat, card) - p.weight[s.conflict] * OPENNESS[min(2, laid)] if card >= 0 else 0.0


@kernel
def stash_card(s: Any, p: Any, seat: int, cards: int, window: int) -> int:
    """R160: the card of a set that is worth more in the sleeve (E11) than in hand, or -1."""
    edge = np.zeros(CLASSES, np.float64)
    if window == Phase.AFTER_DRAW:  # otherwise the conflict is over, and the hand is worth nothing any more
        prospects(s, p, seat, edge)
    now = hand_worth(s, p, seat, s.hand[seat], number(0), edge)
    best = EPSILON
    found = -1
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        gain = SLEEVE[max(0, class_of(s, p, seat, card))]
        gain -= now - hand_worth(s, p, seat, s.hand[seat] & ~(1 << card), number(0), edge)
        if gain > best:
            best = gain
            found = card
    return found


@kernel
def sleeve_gain(s: Any, p: Any, seat: int, window: int, value: int) -> float:
    """R161: a whole comparison turned counts; half of one only when no later chance is left.

    In a melee: the own open card becomes the highest one of the enemies'.
    """
    r = min(s.round_no, p.rounds - 1)
    if MELEE and p.melee[s.conflict]:
        mine = s.slot_class[seat, r]
        above = 0
        beaten = 0
        for o in range(p.seats):
            if p.team[o] != p.team[seat] and s.is_open[o]:
                above += s.slot_class[o, r] > mine
                beaten += s.slot_class[o, r] < value
        return 1.0 if above and beaten and value > mine and s.is_open[seat] else 0.0
    cards = open_cards_of(s, p, seat, field_of(p, "sleeve_scope", 0))
    old = replaced(s, p, seat, cards, value, window)
    gain = replacement(s, p, seat, old, value, window) if old >= 0 else 0
    last = (r == p.rounds - 1 or p.slots) and s.conflict == p.conflicts - 1 and s.test == p.max_tests - 1
    return float(gain) if gain >= 2 or last else 0.0


@kernel
def strike_gain(s: Any, p: Any, seat: int) -> float:
    """R212: the strongest enemy's revealed card goes; he answers with the cheapest card that beats the own one."""
    o = strike_target(s, p, seat, number(-1))
    if o < 0:
        return 0.0
    r = s.round_no
    mine = s.slot_class[seat, r]
    theirs = as_seen(s, seat, o, s.slot[o, r], s.slot_class[o, r])
    h = popcount(s.hand[o])
    before = sign(mine, theirs)
    none_higher = chance_none(s, p, seat, o, h, mine + 1)
    after = chance_none(s, p, seat, o, h, mine) - (1.0 - none_higher)
    return p.weight[s.conflict] * (after - before) - 4 * POINT


@kernel
def strike_target(s: Any, p: Any, seat: int, allowed: int) -> int:
    """The enemy with the highest revealed round card among a bit set of seats, -1 for nobody."""
    r = min(s.round_no, p.rounds - 1)
    best = -1
    found = -1
    for o in range(p.seats):
        if o != seat and p.team[o] != p.team[seat] and allowed >> o & 1 and s.slot_open[o, r] and s.slot[o, r] < 32:
            value = as_seen(s, seat, o, s.slot[o, r], s.slot_class[o, r])
            if s.slot[o, r] >= 0 and value > best:
                best = value
                found = o
    return found


@kernel
def gain_of(s: Any, p: Any, seat: int, window: int, action: int) -> float:
    """Expected gain of an option beyond doing nothing; 0 for options of modules that are not known here."""
    hand = s.hand[seat]
    if action in (Action.SWAP, Action.ALL_IN):
        return turn_gain(s, p, seat, window, action == Action.ALL_IN)
    if action == Action.MERCY:
        return mercy_gain(s, p, seat, window)
    if action == Action.AFTER_CARD:
        return challenge_gain(s, p, seat)
    if action in (Action.TABLE_REDRAW, Action.XP_EXTRA, Action.XP_REDRAW):
        kept = hand if action == Action.XP_EXTRA else 0
        draws = 1 if action == Action.XP_EXTRA else popcount(hand) - (action == Action.TABLE_REDRAW)
        price = 1 if action == Action.XP_EXTRA else (3 if action == Action.XP_REDRAW else 0)
        return redraw_gain(s, p, seat, kept, draws) - price * POINT
    if action == Action.OPEN_PLAY:
        return open_gain(s, p, seat)
    if action == Action.SLEEVE_STASH:
        later = s.conflict < p.conflicts - 1
        return 1.0 if later and stash_card(s, p, seat, hand, window) >= 0 else 0.0
    if action == Action.SLEEVE_USE:
        return sleeve_gain(s, p, seat, window, class_of(s, p, seat, lowest_bit(s.sleeve[seat])))
    if action == Action.XP_STRIKE:
        return strike_gain(s, p, seat)
    return 0.0


@kernel
def best_option(s: Any, p: Any, seat: int, window: int, words: Any) -> int:
    """The option with the highest expected gain, or DONE if none has any."""
    best = EPSILON
    found = Action.DONE
    for w in range(len(words)):
        bits = words[w]
        while bits:
            action = 32 * w + lowest_bit(bits)
            bits &= bits - 1
            if action == Action.DONE:
                continue
            gain = gain_of(s, p, seat, window, action)
            if gain > best:
                best = gain
                found = action
    return found
