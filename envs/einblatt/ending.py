"""How tests and conflicts end: restriction, another test or not, payoff, death (R70..R75, R92, R93)."""

from __future__ import annotations

from typing import Any

from ..core.abi import lowest_bit
from ..core.jit import kernel
from . import hooks
from .frames import EVERYBODY, emit, note, push, sign
from .opening import heal
from .piles import discard, discard_cards
from .reckoning import outcome_for
from .state import Action, ContinueBy, Event, Moment, Payoff, Phase, Reason, Station
from .windows import run_event


@kernel
def enter_restriction(s: Any, p: Any, seat: int, ep: int, restrict: int) -> None:
    """R70, R74: restriction points for a result; pc, and npc only with `npc_restrictions` (A21)."""
    if not p.pc[seat] and not p.npc_restrictions:
        return
    step = min(3, max(0, -ep))
    points = p.restriction[step] if restrict else 0
    points = hooks.penalty(s, p, seat, ep, points)
    t = s.tested[seat]
    if step == 3 and restrict:
        s.perm[seat, t] += min(p.restriction_permanent, points)
    s.restr[seat, t] += points
    if points:
        emit(s, Event.RESTRICT, seat, points, t << 1, EVERYBODY)


@kernel
def clear_area(s: Any, p: Any) -> None:
    """R25: the cards of the conflict area go to their owners' discard piles."""
    for seat in range(p.seats):
        cards = s.area[seat]
        s.area[seat] = 0
        if not hooks.discards_change():  # the reason makes no difference
            s.disc[s.deck_of[seat], 0] |= cards
            continue
        while cards:
            card = lowest_bit(cards)
            cards &= cards - 1
            reason = Reason.PLAYED
            for i in range(s.n_entries):
                if (s.e_a[i] == seat and s.e_play_a[i] == card) or (s.e_b[i] == seat and s.e_play_b[i] == card):
                    reason = outcome_for(s, i, seat)
            discard(s, p, seat, card, reason)


@kernel
def conflict_goes_on(s: Any, p: Any) -> bool:
    """R73: nobody has a perfect result, and tests are left."""
    for seat in range(p.seats):
        if abs(s.ep[seat]) >= 3:
            return False
    return s.tests_played < p.max_tests


@kernel
def ask_vote(s: Any, p: Any) -> None:
    """R72: who may insist on another test."""
    bits = 0
    for seat in range(p.seats):
        s.sealed[seat] = -1
        if p.continue_by != ContinueBy.LOSER or s.ep[seat] < 0:
            bits |= 1 << seat
    if bits:
        push(s, Phase.CONTINUE, -1, lowest_bit(bits), bits, 0, 0, 0)


@kernel
def vote_passed(s: Any, p: Any) -> bool:
    """Any, all, or one of the losers (A14)."""
    asked = 0
    yes = 0
    for seat in range(p.seats):
        if s.sealed[seat] >= 0:
            asked += 1
            yes += s.sealed[seat] == Action.YES
            emit(s, Event.VOTE, seat, s.sealed[seat], 0, EVERYBODY)
        s.sealed[seat] = -1
    if p.continue_by == ContinueBy.ALL:
        return yes == asked and asked > 0
    return yes > 0


@kernel
def judge(s: Any, p: Any) -> None:
    """R70..R73: the test is over; restrictions due at once, and whether another test follows."""
    s.tests_played += 1
    for seat in range(p.seats):
        hooks.test_end(s, p, seat)
    if p.penalty_each_test:
        for seat in range(p.seats):
            enter_restriction(s, p, seat, s.ep[seat] - s.ep_carried[seat], p.restrict[s.conflict])
    clear_area(s, p)
    s.pc = Station.CONFLICT_END
    if conflict_goes_on(s, p):
        if p.continue_by == ContinueBy.ALWAYS:
            s.test += 1
            s.pc = Station.TEST
        else:
            s.pc = Station.VOTED
            ask_vote(s, p)


@kernel
def end_conflict(s: Any, p: Any) -> None:
    """R74, R75: healing, then restriction."""
    c = s.conflict
    for seat in range(p.seats):
        note(s, Event.RESULT, seat, s.ep[seat], 0)
        heal(s, p, seat, p.heal_per_conflict)
        s.ep_final[seat] = s.ep[seat]
        if not p.penalty_each_test:
            enter_restriction(s, p, seat, s.ep[seat], p.restrict[c])
        if s.extra_restr[seat] and (p.pc[seat] or p.npc_restrictions):
            s.restr[seat, s.tested[seat]] += s.extra_restr[seat]
            emit(s, Event.RESTRICT, seat, s.extra_restr[seat], s.tested[seat] << 1 | 1, EVERYBODY)
        s.extra_restr[seat] = 0
        if p.lethal[c] and p.campaign and p.pc[seat] and s.ep[seat] <= -3:
            s.dead[seat] = 1
    run_event(s, Moment.CONFLICT_END)


@kernel
def close_conflict(s: Any, p: Any) -> None:
    """R25, R92, R93: leftover hands, payoff, death, and on to the next conflict or the end."""
    c = s.conflict
    died = 0
    for seat in range(p.seats):
        cards = s.hand[seat]
        s.hand[seat] = 0
        s.shown[seat] = 0
        discard_cards(s, p, seat, cards, Reason.UNUSED)
        s.total[seat] += p.weight[c] * utility(s, p, seat)
        died |= s.dead[seat] << seat
    s.scored = 1
    s.conflict = c + 1
    if died:
        lost = 0.0
        for rest in range(c + 1, p.conflicts):
            if not p.events_only[rest]:
                lost += p.weight[rest] * p.unplayed
        for seat in range(p.seats):
            if died >> seat & 1:
                s.total[seat] += lost
                emit(s, Event.DEAD, seat, 0, 0, EVERYBODY)
        s.conflict = p.conflicts


@kernel
def utility(s: Any, p: Any, seat: int) -> float:
    """Payoff of the running conflict for a seat as it stands (4.5, R62, R71)."""
    ep = s.ep[seat]
    if p.payoff == Payoff.EP_CLIPPED:
        return float(min(3, max(-3, ep)))
    if p.payoff == Payoff.CLASS:
        return p.class_weights[min(3, max(-3, ep)) + 3]
    if p.payoff == Payoff.WIN:
        return float(sign(ep))
    if p.payoff == Payoff.TEAM_SUM or p.payoff == Payoff.TEAM_MAX:
        total = 0
        best = -1000
        for o in range(p.seats):
            if p.team[o] == p.team[seat]:
                total += s.ep[o]
                best = max(best, s.ep[o])
        return float(total if p.payoff == Payoff.TEAM_SUM else best)
    return float(ep)
