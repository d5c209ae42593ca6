"""Baselines of einBlatt (section 6 of its specification): compiled, and blind to what their seat cannot know.

Round cards, acts, reactions and options are what a baseline's own line says. The rest is common to all of them:

- orders (R63): as leaders they give none, since an order can only cost its giver a card; as followers they obey
  while disobedience has a price, whatever their own line says
- nobody attacks a seat of the own team; among equal targets the next one round the table is taken
- a reaction is the cheapest card that beats the attack, else that ties it; a lost one costs a pass if it may be
  declined, else the lowest card
- votes (R72): yes with EP below 0, no otherwise
- a question of a module is answered by `asked`; a phase of a module that is not known here by `done`, `no` or `pass` if
  one of them is legal, else by the lowest legal card, else by the first legal action
- among cards of one class the suit does not matter to a comparison (R5), so that any of them may be taken
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.abi import lowest_bit, popcount
from ...envs.core.jit import kernel
from ...envs.core.rng import rand_below
from ...envs.einblatt import hooks
from ...envs.einblatt.observe import MOD_BITS
from ...envs.einblatt.rules import legal
from ...envs.einblatt.services import class_of, free_slots, plays_of
from ...envs.einblatt.state import MELEE, WORDS, Action, Disobedience, Phase, Purpose, ReactionDecline
from ..declaration import Baseline
from .questions import answer_module
from .values import number
from .windows import best_option

HIGHEST, BEST3, LOWEST, HUNTER, TURTLE, GREEDY = range(6)
SAFE = 12  # class from which the hunter attacks seats that can still react from hand
BEST_OF_MELEE = 3  # a melee's round card of best3_shuffled is one of so many


# --- round cards ------------------------------------------------------------------------------------------------------


@kernel
def highest(s: Any, p: Any, seat: int, plays: int) -> int:
    """The play of the highest class in a bit set of action ids (a king slot before a card, which it saves); or PASS."""
    best = -1
    play = Action.PASS
    while plays:
        one = lowest_bit(plays)
        plays &= plays - 1
        value = class_of(s, p, seat, one)
        if value >= best:
            best = value
            play = one
    return play


@kernel
def lowest(s: Any, p: Any, seat: int, plays: int) -> int:
    """The play of the lowest class in a bit set of action ids, or PASS for none."""
    best = 99
    play = Action.PASS
    while plays:
        one = lowest_bit(plays)
        plays &= plays - 1
        value = class_of(s, p, seat, one)
        if value < best:
            best = value
            play = one
    return play


@kernel
def nth_best(s: Any, p: Any, seat: int, plays: int, n: int) -> int:
    """The n-th best play (0: best, at most 2) of a bit set of action ids, or PASS if there are not so many."""
    a = -1
    b = -1
    c = -1
    while plays:
        one = lowest_bit(plays)
        plays &= plays - 1
        key = class_of(s, p, seat, one) << 6 | one
        if key > a:
            c = b
            b = a
            a = key
        elif key > b:
            c = b
            b = key
        elif key > c:
            c = key
    key = a if n == 0 else (b if n == 1 else c)
    return key & 63 if key >= 0 else Action.PASS


@kernel
def round_card(s: Any, p: Any, seat: int, rng: Any, style: int, plays: int) -> int:
    """The round card out of a bit set of plays, or PASS.

    In a duel the plays of the remaining rounds are the best that there are, missing ones filled with passes (E1):
    shuffled, best first or best last. In a melee a seat with cards never passes.
    """
    n = popcount(plays)
    if n == 0:
        return Action.PASS
    if style == HIGHEST:
        return highest(s, p, seat, plays)
    if MELEE and p.melee[s.conflict]:
        if style == HUNTER:
            return highest(s, p, seat, plays)
        if style == TURTLE:
            return lowest(s, p, seat, plays)
        if style == LOWEST:
            return nth_best(s, p, seat, plays, min(n, popcount(free_slots(s, p, seat))) - 1)
        return nth_best(s, p, seat, plays, rand_below(rng, min(n, BEST_OF_MELEE)))
    k = popcount(free_slots(s, p, seat))
    if k <= 1:
        return highest(s, p, seat, plays)
    return nth_best(s, p, seat, plays, k - 1 if style == LOWEST else rand_below(rng, k))


# --- the turns of a melee ---------------------------------------------------------------------------------------------


@kernel
def prey(s: Any, p: Any, seat: int, style: int) -> int:
    """Whom a seat on turn attacks, -1 for nobody.

    First the strongest open card that it beats, then passers, then spent seats without cards: no risk (E6). Then spent
    seats with the fewest cards; the hunter and the turtle only with a card of at least SAFE.
    """
    r = s.round_no
    mine = s.slot_class[seat, r]
    targets = hooks.permit(s, p, seat, p.targets[seat])
    n = p.seats
    best = 0
    found = -1
    for i in range(1, n):
        t = seat + i
        if t >= n:
            t -= n
        if not targets >> t & 1 or p.team[t] == p.team[seat]:
            continue
        worth = 0
        if s.is_open[t]:
            if s.slot_class[t, r] < mine:
                worth = 200 + s.slot_class[t, r]
        elif s.passed[t]:
            if mine > 0:
                worth = 190
        elif s.hand[t] == 0:
            worth = 180
        elif mine >= SAFE or (style != HUNTER and style != TURTLE):
            worth = 100 - popcount(s.hand[t])
        if worth > best:
            best = worth
            found = t
    return found


@kernel
def is_highest(s: Any, p: Any, seat: int) -> bool:
    """Whether no other team has an open card of a higher class."""
    r = s.round_no
    for o in range(p.seats):
        if s.is_open[o] and p.team[o] != p.team[seat] and s.slot_class[o, r] > s.slot_class[seat, r]:
            return False
    return True


@kernel
def act(s: Any, p: Any, seat: int, style: int) -> int:
    """R53: wait or attack."""
    order = s.order[seat]
    if order >= 0 and p.disobedience != Disobedience.NONE:
        if order == Action.WAIT or hooks.permit(s, p, seat, p.targets[seat]) >> (order - Action.ATTACK) & 1:
            return order
    if style == TURTLE and is_highest(s, p, seat):
        return Action.WAIT
    t = prey(s, p, seat, style)
    return Action.WAIT if t < 0 else Action.ATTACK + t


@kernel
def react(s: Any, p: Any, seat: int, style: int, plays: int) -> int:
    """R55c: the play against an attack; `plays` is a bit set of action ids, PASS among them if it is legal."""
    cards = plays & ~(1 << Action.PASS)
    may_pass = plays >> Action.PASS & 1
    if style == HIGHEST and cards:
        return highest(s, p, seat, cards)
    if style == LOWEST and cards:
        return lowest(s, p, seat, cards)
    attack = s.slot_class[s.attacker, s.round_no]
    beating = 0
    tying = 0
    bits = cards
    while bits:
        play = lowest_bit(bits)
        bits &= bits - 1
        value = class_of(s, p, seat, play)
        if value > attack:
            beating |= 1 << play
        elif value == attack:
            tying |= 1 << play
    if beating:
        return lowest(s, p, seat, beating)
    if (
        may_pass
        and attack == 0
        and p.reaction_decline != ReactionDecline.LOSE
        and p.reaction_decline != ReactionDecline.FORBIDDEN
    ):
        return Action.PASS
    if tying:
        return lowest(s, p, seat, tying)
    if may_pass:
        return Action.PASS
    return lowest(s, p, seat, cards)


# --- every decision ---------------------------------------------------------------------------------------------------


@kernel
def asked(s: Any, p: Any, seat: int, rng: Any, style: int, phase: int) -> int:
    """Answers in windows and to questions of modules."""
    words = np.zeros(WORDS, np.int64)
    legal(s, p, seat, words)
    if phase in (Phase.AFTER_DRAW, Phase.BEFORE_COMMIT, Phase.AFTER_REVEAL, Phase.AFTER_TEST):
        if style == GREEDY:
            return best_option(s, p, seat, phase, words)
        if style == HIGHEST and words[Action.AFTER_CARD >> 5] >> (Action.AFTER_CARD & 31) & 1:
            return Action.AFTER_CARD
        return Action.DONE
    if phase in (Phase.OPEN_COMMIT, Phase.REPLAY):
        plays = words[0] | (words[1] >> (Action.KING_SLOT & 31) & 1) << Action.KING_SLOT
        if phase == Phase.OPEN_COMMIT:
            return round_card(s, p, seat, rng, style, plays)
        if plays:
            return highest(s, p, seat, plays)
    return answer_module(s, p, seat, phase, words, style == GREEDY)


@kernel
def decide(s: Any, p: Any, seat: int, rng: Any, style: int) -> int:
    """The answer of a baseline to whatever its seat is asked.

    Callers give the style as `number(...)`, so that this is compiled once.
    """
    f = s.depth - 1
    phase = s.f_phase[f]
    if phase == Phase.COMMIT:
        return round_card(s, p, seat, rng, style, plays_of(s, p, seat, Purpose.COMMIT))
    if MELEE:
        if phase == Phase.ACT:
            return act(s, p, seat, style)
        if phase == Phase.REACT:
            return react(s, p, seat, style, s.f_a[f])
        if phase == Phase.COMMAND:
            return Action.NO
    if phase == Phase.CONTINUE:
        return Action.YES if s.ep[seat] < 0 else Action.NO
    if MOD_BITS:  # known when the rule set is built: without modules nothing of this is compiled
        return asked(s, p, seat, rng, style, phase)
    return -1


@kernel
def highest_first(s: Any, p: Any, seat: int, rng: Any) -> int:
    """The best card first, in rounds, reactions and challenges; on turn it attacks whenever its card can win."""
    return decide(s, p, seat, rng, number(HIGHEST))


@kernel
def best3_shuffled(s: Any, p: Any, seat: int, rng: Any) -> int:
    """The best cards of the remaining rounds in random order: minimax in the base duel (E1); a melee's turns as above.

    A melee's round card is a random one of the best three.
    """
    return decide(s, p, seat, rng, number(BEST3))


@kernel
def lowest_first(s: Any, p: Any, seat: int, rng: Any) -> int:
    """The same cards, the best one last; reacts with the lowest card."""
    return decide(s, p, seat, rng, number(LOWEST))


@kernel
def hunter(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Attacks where there is no risk (E6), and seats with cards in hand only with a trump jack or better."""
    return decide(s, p, seat, rng, number(HUNTER))


@kernel
def turtle(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Plays its lowest card and waits while no enemy's open card is higher; keeps the best for reactions."""
    return decide(s, p, seat, rng, number(TURTLE))


@kernel
def greedy_rescore(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Plays like best3_shuffled, and takes the option of the highest expected utility in every window."""
    return decide(s, p, seat, rng, number(GREEDY))


_MELEES = ("einblatt-melee", "einblatt-campaign")

BASELINES = {
    "highest_first": Baseline(highest_first, "best card first; attacks whenever its card can win"),
    "best3_shuffled": Baseline(best3_shuffled, "the best three cards in random order: minimax in the base duel"),
    "lowest_first": Baseline(lowest_first, "the best three cards, lowest first"),
    "hunter": Baseline(hunter, "melee: attacks where there is no risk; duels like best3_shuffled", _MELEES),
    "turtle": Baseline(turtle, "melee: waits behind low cards, reacts with high ones; duels as above", _MELEES),
    "greedy_rescore": Baseline(greedy_rescore, "best3_shuffled that takes the option of the highest expected utility"),
}
