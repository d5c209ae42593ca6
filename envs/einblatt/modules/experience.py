"""experience (R210..R215): points for what was risked in conflicts; used they come back, spent they are gone."""

from __future__ import annotations

from typing import Any

from ...core.abi import lowest_bit, popcount
from ...core.jit import kernel
from .. import hooks
from ..module import ME, Module
from ..services import (
    EVERYBODY,
    allow,
    allow_plays,
    ask,
    attribute_of,
    discard,
    draw,
    emit,
    lay_open,
    note,
    plays_of,
    supply,
    take_out,
    trump_suits,
)
from ..state import NO_CARD, Action, DrawFor, Event, Phase, Purpose, Reason, Relation, Zone

IGNORE_PRICE, SURVIVE_PRICE, MAXIMUM = 2, 3, 10
PICTURES = 0xF0F0F0F0  # jack, queen, king and ace of every suit

module = Module(
    "experience",
    "Conflicts yield experience points: used for redraws and the like they return next session, spent they are gone.",
    windows=("after_draw", "before_commit", "after_reveal"),
    base_actions=(Action.XP_EXTRA, Action.XP_REDRAW, Action.XP_STRIKE),
    bench={"xp": 6},
)
module.param("own_picture", -2, -5, 5, doc="points per own picture or ace played")
module.param("stronger_by", "hand_size", choices=("hand_size", "attribute"), doc="what makes an opponent stronger")
module.param("costs", {}, doc="price in points of further window actions")
module.state("ignore", doc="restrictions are ignored in this conflict")
module.state("pictures", doc="pictures and aces played")
module.state("trumps", doc="trumps played")
module.state("foes", doc="seats it was compared with (bit set)", bits=True)
module.state("weaker", doc="one of them was stronger")
module.state("value", doc="attribute value in force in this conflict, before the restrictions that it brings")
module.state("noted", per_seat=False, doc="those values are noted")


@kernel
def price(p: Any, action: int) -> int:
    """R212, R215: what a window action costs."""
    own = 0
    if action == Action.XP_EXTRA:
        own = 1
    elif action == Action.XP_REDRAW:
        own = 3
    elif action == Action.XP_STRIKE:
        own = 4
    return own + p.experience_costs[action]


@kernel
def pay(s: Any, seat: int, points: int, spent: int) -> None:
    """Points are used, or spent for good."""
    s.xp_free[seat] -= points
    if spent:
        s.xp[seat] -= points


@module.hook
def offer(s: Any, p: Any, seat: int, window: int, action: int, ok: int) -> int:
    """R215: what one cannot pay for is not offered; an npc has no points."""
    points = s.xp_free[seat] if p.pc[seat] else 0
    return ok if points >= price(p, action) else 0


@module.hook
def taken(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """R212, R215: pay."""
    pay(s, seat, price(p, action), 0)


# --- gaining -------------------------------------------------------------------------------------------------------


@kernel
def count(s: Any, p: Any, seat: int, card: int) -> None:
    """R211: one more card that stands in the end."""
    s.experience_pictures[seat] += PICTURES >> card & 1
    s.experience_trumps[seat] += p.colours_count and trump_suits(s, seat) >> (card >> 3) & 1


@module.hook
def test_end(s: Any, p: Any, seat: int) -> None:
    """R211: opponents and cards of this test: those of the record, unused round cards, and cards of after_card."""
    if not s.experience_noted:
        s.experience_noted = 1
        for o in range(p.seats):
            s.experience_value[o] = attribute_of(s, p, o)
    others = s.area[seat]
    for r in range(p.rounds):
        play = s.slot[seat, r]
        if 0 <= play < 32 and s.slot_open[seat, r] and not p.return_round_card:
            others |= 1 << play
    for i in range(s.n_entries):
        play = -1
        foe = -1
        if s.e_a[i] == seat:
            play, foe = s.e_play_a[i], s.e_b[i]
        elif s.e_b[i] == seat:
            play, foe = s.e_play_b[i], s.e_a[i]
        if foe >= 0:
            s.experience_foes[seat] |= 1 << foe
            if p.experience_stronger_by == 0:
                stronger = s.drawn[foe] > s.drawn[seat]
            else:
                stronger = s.experience_value[foe] > s.experience_value[seat]
            if stronger:
                s.experience_weaker[seat] = 1
            if 0 <= play < 32:
                count(s, p, seat, play)
                others &= ~(1 << play)
    while others:
        count(s, p, seat, lowest_bit(others))
        others &= others - 1


@kernel
def gained(s: Any, p: Any, seat: int) -> int:
    """R210, R211: points that a pc has earned in this conflict."""
    seen = 0
    most = 0
    for o in range(p.seats):
        if s.experience_foes[seat] >> o & 1:
            seen += s.experience_pictures[o]
            most = max(most, s.experience_pictures[o])
    own = s.experience_pictures[seat]
    lost = s.ep[seat] < 0
    if not (lost or own == 0 or s.experience_trumps[seat] == 0 or (s.ep[seat] > 0 and most >= 3)):
        return 0
    points = 2 + seen + p.experience_own_picture * own
    if s.experience_weaker[seat]:
        points += 3
    if lost:
        points += 1
    return max(0, points)


@module.hook
def conflict_end(s: Any, p: Any, seat: int) -> None:
    """R210, R211: gain; R214: death can be bought off."""
    if not p.pc[seat]:
        return
    points = gained(s, p, seat)
    s.xp[seat] += points
    s.xp_free[seat] += points
    emit(s, Event.EXPERIENCE, seat, min(points, 100), s.xp_free[seat], EVERYBODY)
    if s.dead[seat] and s.xp_free[seat] >= SURVIVE_PRICE:
        ask(s, ME, Phase.SURVIVE, seat)


# --- spending ------------------------------------------------------------------------------------------------------


@kernel
def raise_price(s: Any, seat: int, i: int) -> int:
    """R213: from v to v + 1 costs v * v."""
    return s.attr[seat, i] * s.attr[seat, i]


@kernel
def learn_price(s: Any, seat: int) -> int:
    """R213: v, or 3v if the attribute has as many skills as points."""
    t = s.tested[seat]
    v = s.attr[seat, t]
    return v if v > s.skills[seat, t] else 3 * v


@kernel
def raisable(s: Any, p: Any, seat: int) -> int:
    """Attributes that a seat can pay to raise (bit set)."""
    bits = 0
    for i in range(p.attributes[seat]):
        if s.attr[seat, i] < MAXIMUM and raise_price(s, seat, i) <= s.xp_free[seat]:
            bits |= 1 << i
    return bits


@kernel
def learnable(s: Any, seat: int) -> bool:
    """Whether the next test's skill is missing and can be paid for."""
    return s.relation[seat] != Relation.OWN and learn_price(s, seat) <= s.xp_free[seat]


@kernel
def advance(s: Any, p: Any, seat: int) -> None:
    """R213: ask while there is something to buy."""
    if raisable(s, p, seat) or learnable(s, seat):
        ask(s, ME, Phase.ADVANCE, seat)


@module.hook
def session_start(s: Any, p: Any, seat: int) -> None:
    """R212: used points come back; R213."""
    if s.xp_free[seat] != s.xp[seat]:
        s.xp_free[seat] = s.xp[seat]
        note(s, Event.REGAIN, seat, 0, s.xp[seat])
    if p.pc[seat]:
        advance(s, p, seat)


# --- using ---------------------------------------------------------------------------------------------------------


@module.hook
def conflict_start(s: Any, p: Any, seat: int) -> None:
    """R212: injuries may be ignored for one conflict."""
    if p.pc[seat] and s.restr[seat, s.tested[seat]] > 0 and s.xp_free[seat] >= IGNORE_PRICE:
        ask(s, ME, Phase.PREPARE, seat)


@module.hook
def attribute(s: Any, p: Any, seat: int, value: int) -> int:
    """R212: the value without restrictions."""
    return s.attr[seat, s.tested[seat]] if s.experience_ignore[seat] else value


@kernel
def strikable(s: Any, p: Any, seat: int) -> int:
    """Opponents with a revealed round card that can be struck (bit set of seats)."""
    bits = 0
    if p.slots:
        return bits
    allowed = hooks.permit(s, p, seat, p.targets[seat]) if p.melee[s.conflict] else ~(1 << seat)
    for o in range(p.seats):
        if allowed >> o & 1 and 0 <= s.slot[o, s.round_no] < 32:
            bits |= 1 << o
    return bits


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """R212: one more card, a new hand, a strike; what is too dear is sorted out by `offer`."""
    if window == Phase.AFTER_REVEAL:
        if strikable(s, p, seat):
            allow(words, Action.XP_STRIKE)
        return
    if supply(s, seat) > 0:
        allow(words, Action.XP_EXTRA)
    if s.hand[seat]:
        allow(words, Action.XP_REDRAW)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """R212: draw, redraw, or strike."""
    if action == Action.XP_STRIKE:
        ask(s, ME, Phase.STRIKE_TARGET, seat)
    elif action == Action.XP_EXTRA:
        draw(s, seat, 1, DrawFor.EXTRA, Zone.HAND)
    else:
        cards = s.hand[seat]
        draw(s, seat, popcount(cards), DrawFor.HAND, Zone.HAND)
        while cards:
            card = lowest_bit(cards)
            cards &= cards - 1
            take_out(s, seat, card)
            discard(s, p, seat, card, Reason.EXCHANGED)


@kernel
def strike(s: Any, p: Any, victim: int) -> None:
    """R212: the round card is discarded; the victim plays a new one, or has no card at all."""
    r = s.round_no
    card = s.slot[victim, r]
    s.slot[victim, r] = NO_CARD
    s.slot_class[victim, r] = -1
    if p.melee[s.conflict]:
        s.is_open[victim] = 0
        s.spent[victim] = 1
    if plays_of(s, p, victim, Purpose.REPLAY):
        ask(s, ME, Phase.REPLAY, victim)
    take_out(s, victim, card)
    discard(s, p, victim, card, Reason.PLAYED)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """R212..R214, by phase."""
    if phase == Phase.STRIKE_TARGET:
        targets = strikable(s, p, seat)
        for o in range(p.seats):
            if targets >> o & 1:
                allow(words, Action.ATTACK + o)
    elif phase == Phase.REPLAY:
        allow_plays(words, plays_of(s, p, seat, Purpose.REPLAY))
    elif phase == Phase.ADVANCE:
        bits = raisable(s, p, seat)
        for i in range(p.attributes[seat]):
            if bits >> i & 1:
                allow(words, Action.XP_RAISE + i)
        if learnable(s, seat):
            allow(words, Action.XP_LEARN)
        allow(words, Action.DONE)
    else:
        allow(words, Action.XP_IGNORE if phase == Phase.PREPARE else Action.XP_SURVIVE)
        allow(words, Action.DONE)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """R212..R214, by phase; what is bought is public."""
    if phase == Phase.REPLAY:
        lay_open(s, p, seat, action, s.round_no)
        if p.melee[s.conflict]:
            s.is_open[seat] = 1
            s.spent[seat] = 0
        return
    emit(s, Event.OPTION, seat, action, phase, EVERYBODY)
    if phase == Phase.STRIKE_TARGET:
        strike(s, p, action - Action.ATTACK)
    elif action == Action.XP_IGNORE:
        pay(s, seat, IGNORE_PRICE, 0)
        s.experience_ignore[seat] = 1
    elif action == Action.XP_SURVIVE:
        pay(s, seat, SURVIVE_PRICE, 1)
        s.dead[seat] = 0
    elif action == Action.XP_LEARN:
        pay(s, seat, learn_price(s, seat), 1)
        s.skills[seat, s.tested[seat]] += 1
        s.relation[seat] = Relation.OWN
        advance(s, p, seat)
    elif action != Action.DONE:
        i = action - Action.XP_RAISE
        pay(s, seat, raise_price(s, seat, i), 1)
        s.attr[seat, i] += 1
        advance(s, p, seat)
