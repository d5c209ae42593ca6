"""The flow of einBlatt: conflict, test, round, window, vote (R30..R43, R70..R75, R90..R93); the contract functions.

The main program is a frame at the bottom of the stack that goes from station to station (`s.pc`); whatever it asks,
draws or lets modules do lies above it and is finished first. Melee turns are in `melee.py`.
"""

from __future__ import annotations

from typing import Any

from ..core.abi import lowest_bit, popcount
from ..core.jit import kernel
from ..core.rng import mix, rand_below
from . import hooks
from .melee import melee_station, react_answered
from .redeal import forget, redeal_fell, redeal_step, release_hidden
from .services import (
    EVERYBODY,
    FR_LOT,
    allow,
    allow_plays,
    attribute_of,
    card_fell,
    compare,
    deal_run,
    discard,
    discard_cards,
    draw,
    draw_step,
    emit,
    hand_size_of,
    know_trump,
    lay,
    note,
    outcome_for,
    peek_step,
    plays_of,
    pull,
    push,
    renew,
    reveal,
    score,
    shuffle_all,
    sign,
    take_play,
    whisper,
)
from .state import (
    ALL,
    ALL_CARDS,
    ALWAYS,
    ATTACK,
    ATTRIBUTES,
    DIE_CARD,
    DIE_INITIATIVE,
    DIE_MODULE,
    DIE_NONE,
    DIE_REDEAL,
    DIE_TRUMP,
    DONE,
    DRAW_HAND,
    E_CHOICE,
    E_CONFLICT,
    E_DEAD,
    E_END,
    E_OPTION,
    E_ORDER,
    E_RESTRICT,
    E_RESULT,
    E_REVEAL,
    E_ROUND,
    E_SESSION,
    E_TEST,
    E_VOTE,
    EACH_TEST,
    EV_BETWEEN,
    EV_CONFLICT_END,
    EV_CONFLICT_START,
    EV_PRE_COMMIT,
    EV_ROUND_END,
    EV_SESSION,
    FOR_COMMIT,
    FR_DRAW,
    FR_EVENT,
    FR_MAIN,
    FR_PEEK,
    FR_REDEAL,
    FR_TASK,
    FR_WINDOW,
    KEEP,
    LOSER,
    MAXS,
    MELEE,
    NO,
    NO_CARD,
    ON_SESSION,
    ORDER_ATTRIBUTE,
    ORDER_REVERSE,
    PASS,
    PAY_CLASS,
    PAY_CLIPPED,
    PAY_TEAM_MAX,
    PAY_TEAM_SUM,
    PAY_WIN,
    PC_BETWEEN,
    PC_CLOSE,
    PC_COMMIT,
    PC_COMPARE,
    PC_CONFLICT,
    PC_CONFLICT_END,
    PC_DRAW,
    PC_DRAWN,
    PC_JUDGE,
    PC_NEXT_ROUND,
    PC_OPENING,
    PC_PRE,
    PC_REVEAL,
    PC_ROUND,
    PC_ROUND_END,
    PC_TEST,
    PC_TEST_END,
    PC_TURN,
    PC_VOTED,
    PH_ACT,
    PH_AFTER_DRAW,
    PH_AFTER_REVEAL,
    PH_AFTER_TEST,
    PH_BEFORE_COMMIT,
    PH_COMMAND,
    PH_COMMIT,
    PH_CONTINUE,
    PH_REACT,
    PLAYED,
    TOP_UP,
    UNUSED,
    WAIT,
    YES,
    Z_HAND,
)

# --- set-up ---------------------------------------------------------------------------------------------------------


@kernel
def setup(s: Any, p: Any) -> None:
    """R20, R21: piles, seats, and on to the first die or decision."""
    n = p.seats
    s.attacker = -1
    s.target = -1
    s.focus = -1
    for seat in range(MAXS):
        s.sealed[seat] = -1
        s.order[seat] = -1
        for r in range(3):
            s.slot[seat, r] = -2
        s.deck_of[seat] = p.deck_of[seat] if seat < n else MAXS
        if seat >= n:
            continue
        for a in range(p.attributes[seat]):
            s.attr[seat, a] = p.attr[seat, a]
            s.skills[seat, a] = p.skills[seat, a]
            s.suits[seat, a] = p.suits[seat, a]
            s.forbid[seat, a] = p.forbid[seat, a]
        s.restr[seat, 0] = p.restr[seat]
        s.perm[seat, 0] = p.perm[seat]
        s.sleeve[seat] = p.sleeve[seat]
        s.conf[seat] = p.conf[seat]
        s.aside[seat] = p.aside[seat]
        s.xp[seat] = p.xp[seat]
        s.xp_free[seat] = p.xp_free[seat]
        s.known[seat] = 0 if p.trump_hidden and not p.pc[seat] else 15
    s.wrath = p.wrath
    for seat in range(n):
        d = s.deck_of[seat]
        s.cards[d] = ALL_CARDS
    s.cards[MAXS] = ALL_CARDS
    for d in range(MAXS + 1):
        if s.cards[d]:
            zones = 0
            for seat in range(n):
                if s.deck_of[seat] == d:
                    zones |= s.sleeve[seat] | s.conf[seat] | s.aside[seat]
                    hand = p.c_hand[0, seat]
                    zones |= hand if hand >= 0 else 0
            if d == p.wrath_deck:
                zones |= s.wrath
            for pile in range(2):
                s.disc[d, pile] = p.disc[d, pile]
                zones |= p.disc[d, pile]
            if p.draw[d, 0] >= 0:
                s.draw[d, 0] = p.draw[d, 0]
                s.draw[d, 1] = p.draw[d, 1]
            else:
                s.draw[d, 0] = ALL_CARDS & ~zones
            if p.draw[d, 0] >= 0:
                s.cards[d] = zones | s.draw[d, 0] | s.draw[d, 1]
            s.seen[d] = s.disc[d, 0] | s.disc[d, 1]
            if d < MAXS:
                hooks.build_deck(s, p, d)
    s.pc = PC_CONFLICT
    push(s, FR_MAIN, -1, 0, 0, 0, 0, 0)
    pump(s, p)


# --- stations -------------------------------------------------------------------------------------------------------


@kernel
def begin_conflict(s: Any, p: Any) -> None:
    """R30, R90: the fields that the coming conflict sets; -1 leaves a field as it is."""
    c = s.conflict
    for seat in range(p.seats):
        if p.c_tested[c, seat] >= 0:
            s.tested[seat] = p.c_tested[c, seat]
        t = s.tested[seat]
        if p.c_attr[c, seat] >= 0:
            s.attr[seat, t] = p.c_attr[c, seat]
        if p.c_suits[c, seat] >= 0:
            s.suits[seat, t] = p.c_suits[c, seat]
            if p.trump_hidden and not p.pc[seat]:
                s.known[seat] = 0
        if p.c_forbid[c, seat] >= 0:
            s.forbid[seat, t] = p.c_forbid[c, seat]
        if p.c_skills[c, seat] >= 0:
            s.skills[seat, t] = p.c_skills[c, seat]
        if p.c_cards[c, seat] >= 0:
            s.npc_cards[seat] = p.c_cards[c, seat]
        if p.c_relation[c, seat] >= 0:
            s.relation[seat] = p.c_relation[c, seat]
        if p.c_malus[c, seat] >= 0:
            s.malus[seat] = p.c_malus[c, seat]
        if p.c_open[c, seat] >= 0:
            s.opened[seat] = p.c_open[c, seat]
        if p.c_prepared[c, seat] >= 0:
            s.prepared[seat] = p.c_prepared[c, seat]
        if p.c_traits[c, seat] >= 0:
            s.traits[seat] = p.c_traits[c, seat]
        if p.c_voluntary[c, seat] >= 0:
            s.voluntary[seat] = p.c_voluntary[c, seat]
        if p.c_risk[c, seat] >= 0:
            s.risk[seat] = p.c_risk[c, seat]
        if p.c_conf_value[c, seat] >= 0:
            s.conf_value[seat] = p.c_conf_value[c, seat]
        s.played[seat] = 0
        s.ep[seat] = 0
        s.ep_carried[seat] = 0
        s.ep_set[seat] = 0
        s.extra_restr[seat] = 0
        for r in range(3):
            s.slot[seat, r] = -2
            s.slot_open[seat, r] = 0
    s.n_entries = 0
    s.round_no = 0
    s.test = 0
    s.tests_played = 0
    s.scored = 0
    hooks.reset_fields(s, p, 1)
    note(s, E_CONFLICT, -1, c, 0)


@kernel
def heal(s: Any, p: Any, seat: int, points: int) -> None:
    """R75: every attribute of a seat heals; permanent points stay."""
    if points == 0:
        return
    for a in range(ATTRIBUTES):
        s.restr[seat, a] = max(min(s.restr[seat, a], s.perm[seat, a]), s.restr[seat, a] - points)


@kernel
def begin_session(s: Any, p: Any) -> None:
    """R90: heal (not at the first), shuffle (R24), then the modules."""
    hooks.reset_fields(s, p, 2)
    for seat in range(p.seats):
        if s.session > 0:
            heal(s, p, seat, p.heal_per_session)
    if p.reshuffle == ON_SESSION:
        for d in range(MAXS):
            if s.cards[d]:
                shuffle_all(s, d)
    s.session += 1
    note(s, E_SESSION, -1, s.session, 0)
    run_event(s, EV_SESSION)


@kernel
def begin_test(s: Any, p: Any) -> None:
    """R33, R24: old hands go, decks may be shuffled, the record is cleared."""
    s.n_entries = 0
    s.round_no = 0
    s.cut = 0
    hooks.reset_fields(s, p, 0)
    keep = s.test > 0 and p.continuation_draw != 0
    for seat in range(p.seats):
        s.ep_set[seat] = 0
        s.ep_carried[seat] = 0 if p.fresh else s.ep[seat]
        s.ep[seat] = s.ep_carried[seat]
        s.king[seat] = 0
        s.drawn[seat] = 0
        for r in range(3):
            s.slot[seat, r] = -2
            s.slot_open[seat, r] = 0
        if not keep:
            cards = s.hand[seat]
            s.hand[seat] = 0
            s.shown[seat] = 0
            discard_cards(s, p, seat, cards, UNUSED)
    s.at = 0
    note(s, E_TEST, -1, s.test, 0)


@kernel
def fix_hand(s: Any, p: Any, seat: int, cards: int) -> None:
    """A hand given by the scenario leaves whatever piles and zones of its deck hold it."""
    d = s.deck_of[seat]
    left = cards
    while left:
        card = lowest_bit(left)
        left &= left - 1
        pull(s, d, card)
        whisper(s, E_CHOICE, seat, card, 0)
    for o in range(MAXS):
        if s.deck_of[o] == d:
            s.conf[o] &= ~cards
            s.sleeve[o] &= ~cards
            s.aside[o] &= ~cards
    if p.wrath_deck == d:
        s.wrath &= ~cards
    s.hand[seat] = cards
    renew(s, p, d)


@kernel
def run_event(s: Any, event: int) -> None:
    """Step a hook through modules and seats (a frame), if any module has it."""
    if hooks.event_modules(event) > 0:
        push(s, FR_EVENT, -1, 0, 0, event, 0, 0)


@kernel
def run_window(s: Any, window: int) -> None:
    """Open a window (a frame), if any module has options at all."""
    if hooks.has_window(window):
        s.close = 0
        push(s, FR_WINDOW, -1, 0, 0, window, 0, 0)


@kernel
def fill_slots(s: Any, p: Any) -> None:
    """All sealed commits are in: they leave the hands and lie in the slots of this round."""
    r = s.round_no
    for seat in range(p.seats):
        if s.sealed[seat] >= 0:
            play = s.sealed[seat]
            s.sealed[seat] = -1
            take_play(s, p, seat, play)
            lay(s, p, seat, play, r, 0)


@kernel
def reveal_round(s: Any, p: Any, r: int) -> None:
    """R40, R50: everybody sees the round cards."""
    for seat in range(p.seats):
        play = s.slot[seat, r]
        if play == -2:
            s.slot[seat, r] = NO_CARD  # a seat that could not lay anything (never in the base rules)
            play = NO_CARD
        if not s.slot_open[seat, r]:
            s.slot_open[seat, r] = 1
            if 0 <= play < 32:
                reveal(s, seat, play)
            emit(s, E_REVEAL, seat, play, r, EVERYBODY)
        if MELEE and p.melee[s.conflict] and 0 <= play < 32 and p.colours_count:
            know_trump(s, seat, play >> 3)


@kernel
def commit_bits(s: Any, p: Any) -> int:
    """Seats that have a slot to fill."""
    bits = 0
    for seat in range(p.seats):
        if p.slots:
            for r in range(p.rounds):
                if s.slot[seat, r] == -2:
                    bits |= 1 << seat
        elif s.slot[seat, s.round_no] == -2:
            bits |= 1 << seat
    return bits


@kernel
def conflict_goes_on(s: Any, p: Any) -> bool:
    """R73: nobody has a perfect result, and tests are left."""
    for seat in range(p.seats):
        if abs(s.ep[seat]) >= 3:
            return False
    return s.tests_played < p.max_tests


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
        emit(s, E_RESTRICT, seat, points, 0, EVERYBODY)


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
            reason = PLAYED
            for i in range(s.n_entries):
                if (s.e_a[i] == seat and s.e_play_a[i] == card) or (s.e_b[i] == seat and s.e_play_b[i] == card):
                    reason = outcome_for(s, i, seat)
            discard(s, p, seat, card, reason)


@kernel
def compare_duel(s: Any, p: Any, r: int) -> None:
    """R41: the two slots of a round."""
    compare(s, p, 0, s.slot[0, r], s.slot_class[0, r], 1, s.slot[1, r], s.slot_class[1, r])


@kernel
def utility(s: Any, p: Any, seat: int) -> float:
    """Payoff of the running conflict for a seat as it stands (4.5, R62, R71)."""
    ep = s.ep[seat]
    if p.payoff == PAY_CLIPPED:
        return float(min(3, max(-3, ep)))
    if p.payoff == PAY_CLASS:
        return p.class_weights[min(3, max(-3, ep)) + 3]
    if p.payoff == PAY_WIN:
        return float(sign(ep))
    if p.payoff == PAY_TEAM_SUM or p.payoff == PAY_TEAM_MAX:
        total = 0
        best = -1000
        for o in range(p.seats):
            if p.team[o] == p.team[seat]:
                total += s.ep[o]
                best = max(best, s.ep[o])
        return float(total if p.payoff == PAY_TEAM_SUM else best)
    return float(ep)


@kernel
def end_conflict(s: Any, p: Any) -> None:
    """R74, R75: healing, then restriction."""
    c = s.conflict
    for seat in range(p.seats):
        heal(s, p, seat, p.heal_per_conflict)
        s.ep_final[seat] = s.ep[seat]
        if not p.penalty_each_test:
            enter_restriction(s, p, seat, s.ep[seat], p.restrict[c])
        if s.extra_restr[seat] and (p.pc[seat] or p.npc_restrictions):
            s.restr[seat, s.tested[seat]] += s.extra_restr[seat]
            emit(s, E_RESTRICT, seat, s.extra_restr[seat], 1, EVERYBODY)
        s.extra_restr[seat] = 0
        if p.lethal[c] and p.campaign and p.pc[seat] and s.ep[seat] <= -3:
            s.dead[seat] = 1
        note(s, E_RESULT, seat, s.ep[seat], s.restr[seat, s.tested[seat]])
    run_event(s, EV_CONFLICT_END)


@kernel
def close_conflict(s: Any, p: Any) -> None:
    """R25, R92, R93: leftover hands, payoff, death, and on to the next conflict or the end."""
    c = s.conflict
    died = 0
    for seat in range(p.seats):
        cards = s.hand[seat]
        s.hand[seat] = 0
        s.shown[seat] = 0
        discard_cards(s, p, seat, cards, UNUSED)
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
                emit(s, E_DEAD, seat, 0, 0, EVERYBODY)
        s.conflict = p.conflicts


@kernel
def ask_vote(s: Any, p: Any) -> None:
    """R72: who may insist on another test."""
    bits = 0
    for seat in range(p.seats):
        s.sealed[seat] = -1
        if p.continue_by != LOSER or s.ep[seat] < 0:
            bits |= 1 << seat
    if bits:
        push(s, PH_CONTINUE, -1, lowest_bit(bits), bits, 0, 0, 0)


@kernel
def vote_passed(s: Any, p: Any) -> bool:
    """Any, all, or one of the losers (A14)."""
    asked = 0
    yes = 0
    for seat in range(p.seats):
        if s.sealed[seat] >= 0:
            asked += 1
            yes += s.sealed[seat] == YES
            emit(s, E_VOTE, seat, s.sealed[seat], 0, EVERYBODY)
        s.sealed[seat] = -1
    if p.continue_by == ALL:
        return yes == asked and asked > 0
    return yes > 0


@kernel
def idle(s: Any) -> bool:
    """Whether the main program may go on at once: nothing asked, drawn or done by modules lies above it."""
    return s.depth == 1 and s.die_kind == DIE_NONE and s.status == 0


@kernel
def main_step(s: Any, p: Any) -> None:
    """Do what the station `s.pc` asks for and go on to the next ones, as long as nothing else is to be done first.

    The stations stand in the order of play from the moment at which all plays of a round are in.
    """
    pc = s.pc
    if pc == PC_REVEAL:
        if p.slots:
            for r in range(p.rounds):
                reveal_round(s, p, r)
        else:
            fill_slots(s, p)
            reveal_round(s, p, s.round_no)
        if MELEE and p.melee[s.conflict]:
            s.pc = PC_TURN
            for seat in range(p.seats):
                play = s.slot[seat, s.round_no]
                s.passed[seat] = play in (PASS, NO_CARD)
                s.is_open[seat] = play not in (PASS, NO_CARD)
                s.spent[seat] = 0
                s.waited[seat] = 0
            run_window(s, PH_AFTER_REVEAL)
            return
        s.pc = PC_COMPARE
        run_window(s, PH_AFTER_REVEAL)
        if not idle(s):
            return
        pc = PC_COMPARE
    if pc == PC_COMPARE:
        s.pc = PC_ROUND_END
        if not s.cut:
            if p.slots:
                for r in range(p.rounds):
                    s.round_no = r
                    compare_duel(s, p, r)
            else:
                compare_duel(s, p, s.round_no)
        if not idle(s):
            return
        pc = PC_ROUND_END
    if pc == PC_ROUND_END:
        s.pc = PC_NEXT_ROUND
        run_event(s, EV_ROUND_END)
        if not idle(s):
            return
        pc = PC_NEXT_ROUND
    if pc == PC_NEXT_ROUND:
        s.round_no += 1
        pc = PC_ROUND if s.round_no < p.rounds and not s.cut else PC_TEST_END
        s.pc = pc
    if pc == PC_ROUND:
        note(s, E_ROUND, -1, s.round_no, 0)
        s.pc = PC_COMMIT
        run_window(s, PH_BEFORE_COMMIT)
        if not idle(s):
            return
        pc = PC_COMMIT
    if pc == PC_COMMIT:
        if s.cut:
            s.pc = PC_TEST_END
            return
        s.pc = PC_REVEAL
        bits = commit_bits(s, p)
        if bits:
            push(s, PH_COMMIT, -1, lowest_bit(bits), bits, 0, 0, 0)
        return
    if pc == PC_TEST_END:
        s.round_no = min(s.round_no, p.rounds - 1)
        score(s, p)
        s.pc = PC_JUDGE
        run_window(s, PH_AFTER_TEST)
        if not idle(s):
            return
        pc = PC_JUDGE
    if pc == PC_JUDGE:
        judge(s, p)
        return
    if pc == PC_VOTED:
        s.pc = PC_CONFLICT_END
        if vote_passed(s, p):
            s.test += 1
            s.pc = PC_TEST
    elif pc == PC_CONFLICT_END:
        s.pc = PC_CLOSE
        end_conflict(s, p)
    elif pc == PC_CLOSE:
        close_conflict(s, p)
        s.pc = PC_CONFLICT
    elif pc == PC_CONFLICT:
        if s.conflict >= p.conflicts:
            s.status = 1
            s.depth = 0
            note(s, E_END, -1, 0, 0)
            return
        begin_conflict(s, p)
        s.pc = PC_BETWEEN
        if p.campaign and (s.conflict == 0 or p.new_session[s.conflict]):
            begin_session(s, p)
    elif pc == PC_BETWEEN:
        s.pc = PC_OPENING
        run_event(s, EV_BETWEEN)
    elif pc == PC_OPENING:
        if p.events_only[s.conflict]:
            s.scored = 1
            s.conflict += 1
            s.pc = PC_CONFLICT
            return
        s.pc = PC_TEST
        run_event(s, EV_CONFLICT_START)
    elif pc == PC_TEST:
        begin_test(s, p)
        s.pc = PC_DRAW
    elif pc == PC_DRAW:
        draw_hand(s, p)
    elif pc == PC_DRAWN:
        for seat in range(p.seats):
            s.drawn[seat] = popcount(s.hand[seat])
        s.pc = PC_PRE
        run_window(s, PH_AFTER_DRAW)
    elif pc == PC_PRE:
        if s.cut:
            s.pc = PC_TEST_END
            return
        s.pc = PC_ROUND
        run_event(s, EV_PRE_COMMIT)
    elif MELEE:
        melee_station(s, p)


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
    s.pc = PC_CONFLICT_END
    if conflict_goes_on(s, p):
        if p.continue_by == ALWAYS:
            s.test += 1
            s.pc = PC_TEST
        else:
            s.pc = PC_VOTED
            ask_vote(s, p)


@kernel
def draw_hand(s: Any, p: Any) -> None:
    """R31..R33: the next seat draws its hand."""
    seat = s.at
    if seat >= p.seats:
        s.pc = PC_DRAWN
        return
    s.at = seat + 1
    fixed = p.c_hand[s.conflict, seat]
    if s.test == 0 and fixed >= 0:
        fix_hand(s, p, seat, fixed)
        return
    if s.test > 0 and p.continuation_draw == KEEP:
        return
    if p.reshuffle == EACH_TEST:
        shuffle_all(s, s.deck_of[seat])
    n = hand_size_of(s, p, seat)
    if s.test > 0 and p.continuation_draw == TOP_UP:
        n -= popcount(s.hand[seat])
    if n > 0:
        draw(s, seat, n, DRAW_HAND, Z_HAND)


# --- windows and stepped hooks --------------------------------------------------------------------------------------


@kernel
def window_seat(s: Any, p: Any, position: int) -> int:
    """The seat at a position of `window_order` (ties: seat order)."""
    if p.window_order == ORDER_REVERSE:
        return p.seats - 1 - position
    if p.window_order == ORDER_ATTRIBUTE:
        for seat in range(p.seats):
            before = 0
            mine = attribute_of(s, p, seat)
            for o in range(p.seats):
                theirs = attribute_of(s, p, o)
                if theirs > mine or (theirs == mine and o < seat):
                    before += 1
            if before == position:
                return seat
    return position


@kernel
def options_of(s: Any, p: Any, seat: int, window: int, words: Any) -> int:
    """Write the options of a seat in a window; return how many there are."""
    for w in range(len(words)):
        words[w] = 0
    if s.ep_set[seat]:  # its result is final
        return 0
    hooks.options(s, p, seat, window, words)
    count = 0
    for w in range(len(words)):
        bits = words[w]
        while bits:
            b = lowest_bit(bits)
            bits &= bits - 1
            if hooks.offer(s, p, seat, window, 32 * w + b, 1):
                count += 1
            else:
                words[w] &= ~(1 << b)
    return count


@kernel
def window_step(s: Any, p: Any) -> None:
    """2.9: ask seat after seat; repeat the pass until nobody takes an option."""
    f = s.depth - 1
    window = s.f_a[f]
    while True:
        if s.close:
            s.close = 0
            s.depth = f
            return
        if s.f_b[f] >= p.seats:
            if s.f_c[f] == 0:
                s.depth = f
                return
            s.f_b[f] = 0
            s.f_c[f] = 0
        seat = window_seat(s, p, s.f_b[f])
        s.f_b[f] += 1
        if options_of(s, p, seat, window, s.scratch) > 0:
            push(s, window, -1, seat, 1 << seat, 0, 0, 0)
            return


@kernel
def event_step(s: Any, p: Any) -> None:
    """Call the stepped hook for the next module and seat."""
    f = s.depth - 1
    event, module, seat = s.f_a[f], s.f_b[f], s.f_c[f]
    if module >= hooks.event_modules(event):
        s.depth = f
        return
    if seat + 1 < p.seats:
        s.f_c[f] = seat + 1
    else:
        s.f_c[f] = 0
        s.f_b[f] = module + 1
    hooks.event_call(s, p, event, module, seat)


@kernel
def pump(s: Any, p: Any) -> None:
    """Go on until a die is due, somebody is asked, or the game is over."""
    while s.status == 0 and s.die_kind == DIE_NONE and s.depth > 0:
        f = s.depth - 1
        if f == 0:  # the main program is the lowest frame
            main_step(s, p)
            continue
        phase = s.f_phase[f]
        if phase < FR_MAIN:
            s.ask_phase = phase
            return
        if phase == FR_DRAW:
            draw_step(s, p)
        elif phase == FR_WINDOW:
            window_step(s, p)
        elif phase == FR_EVENT:
            event_step(s, p)
        elif phase == FR_TASK:
            s.depth = f
            hooks.run_task(s, p, s.f_owner[f], s.f_a[f], s.f_seat[f])
        elif phase == FR_PEEK:
            peek_step(s)
        elif phase == FR_LOT:
            s.die_kind = DIE_MODULE
            s.die_faces = s.f_b[f]
        elif phase == FR_REDEAL:
            redeal_step(s, p)


# --- the contract ---------------------------------------------------------------------------------------------------


@kernel
def die(s: Any, p: Any) -> int:
    """Faces of the die that must fall (4.3)."""
    return s.die_faces if s.status == 0 else 0


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """A card of those left in a pile, a seat of an initiative lot, or a card dealt again."""
    s.n_events = 0
    kind = s.die_kind
    if kind == DIE_CARD:
        card_fell(s, p, outcome)
    elif kind in (DIE_REDEAL, DIE_TRUMP):
        redeal_fell(s, p, outcome)
    elif kind == DIE_INITIATIVE:
        bits = s.die_pile
        for _ in range(outcome):
            bits &= bits - 1
        s.group = 1 << lowest_bit(bits)
        s.die_kind = DIE_NONE
        s.die_faces = 0
    elif kind == DIE_MODULE:
        s.die_kind = DIE_NONE
        s.die_faces = 0
        f = s.depth - 1
        s.depth = f
        hooks.run_lot(s, p, s.f_owner[f], s.f_a[f], s.f_seat[f], outcome)
    pump(s, p)


@kernel
def roll(s: Any, p: Any, rng: Any) -> int:
    """Throw dice until somebody owes a decision or the game is over; return how many."""
    thrown = 0
    while True:
        if s.die_kind == DIE_CARD and s.status == 0:
            thrown += deal_run(s, rng)
        faces = die(s, p)
        if faces == 0:
            return thrown
        fall(s, p, rand_below(rng, faces))
        thrown += 1


@kernel
def to_act(s: Any, p: Any) -> int:
    """Seats that owe an answer to the question on top of the stack."""
    if s.status or s.die_kind != DIE_NONE or s.depth == 0:
        return 0
    f = s.depth - 1
    return s.f_bits[f] if s.f_phase[f] < FR_MAIN else 0


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Legal answers of a seat (4.2)."""
    f = s.depth - 1
    phase = s.f_phase[f]
    owner = s.f_owner[f]
    if owner >= 0:
        hooks.legal_of(s, p, owner, phase, seat, words)
    elif phase == PH_COMMIT:
        allow_plays(words, plays_of(s, p, seat, FOR_COMMIT))
        allow(words, PASS)
    elif phase == PH_CONTINUE:
        allow(words, YES)
        allow(words, NO)
    elif MELEE and phase == PH_REACT:
        allow_plays(words, s.f_a[f])
    elif MELEE and phase in (PH_ACT, PH_COMMAND):
        allow(words, WAIT)
        who = seat if phase == PH_ACT else s.f_a[f]
        bits = hooks.permit(s, p, who, p.targets[who])
        for t in range(p.seats):
            if bits >> t & 1:
                allow(words, ATTACK + t)
        if phase == PH_COMMAND:
            allow(words, NO)
    else:
        options_of(s, p, seat, phase, words)
        allow(words, DONE)


@kernel
def commit(s: Any, p: Any, seat: int, action: int) -> None:
    """R40, R43, R50: a sealed choice; with layout `slots` it is laid face down at once."""
    if p.slots:
        take_play(s, p, seat, action)
        r = 0
        while s.slot[seat, r] != -2:
            r += 1
        lay(s, p, seat, action, r, 0)
        whisper(s, E_CHOICE, seat, action, r)
        for later in range(r + 1, p.rounds):
            if s.slot[seat, later] == -2:
                return
    else:
        s.sealed[seat] = action
        whisper(s, E_CHOICE, seat, action, s.round_no)
    f = s.depth - 1
    s.f_bits[f] &= ~(1 << seat)
    if s.f_bits[f] == 0:
        s.depth = f


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Take a legal answer and go on."""
    s.n_events = 0
    s.decisions += 1
    f = s.depth - 1
    phase = s.f_phase[f]
    owner = s.f_owner[f]
    if owner >= 0:
        s.depth = f
        whisper(s, E_CHOICE, seat, action, phase)
        emit(s, E_CHOICE, seat, -1, phase, EVERYBODY)  # everybody sees that it has answered
        hooks.answered(s, p, owner, phase, seat, action)
    elif phase == PH_COMMIT:
        commit(s, p, seat, action)
    elif phase == PH_CONTINUE or (MELEE and phase == PH_ACT):
        s.sealed[seat] = action
        whisper(s, E_CHOICE, seat, action, 0)
        s.f_bits[f] &= ~(1 << seat)
        if s.f_bits[f] == 0:
            s.depth = f
    elif MELEE and phase == PH_REACT:
        s.depth = f
        react_answered(s, p, seat, action)
    elif MELEE and phase == PH_COMMAND:
        follower = s.f_a[f]
        s.depth = f
        s.order[follower] = -1 if action == NO else action
        emit(s, E_ORDER, follower, action, 0, EVERYBODY)
    else:  # a window
        s.depth = f
        if action != DONE:
            s.f_c[f - 1] = 1
            emit(s, E_OPTION, seat, action, phase, EVERYBODY)
            hooks.choose(s, p, seat, phase, action)
            hooks.taken(s, p, seat, phase, action)
        else:
            emit(s, E_CHOICE, seat, DONE, phase, EVERYBODY)
    if s.decisions >= p.max_decisions and s.status == 0:
        pump(s, p)
        if s.status == 0:
            s.status = 2
            s.die_kind = DIE_NONE
            s.die_faces = 0
        return
    pump(s, p)


@kernel
def over(s: Any, p: Any) -> int:
    """0 running, 1 ended, 2 stopped by `max_decisions`."""
    return s.status


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """Conflicts that are over, and the running one as it stands."""
    for seat in range(p.seats):
        out[seat] = s.total[seat]
        if not s.scored:
            out[seat] += p.weight[s.conflict] * utility(s, p, seat)


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Forget what a seat cannot know (4.4); chance deals it again from the stack's top."""
    if s.status == 0 and s.depth > 0:
        release_hidden(s, p, seat)
    forget(s, p, seat)
    pump(s, p)


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """What everybody saw and what this seat alone saw."""
    return mix(mix(s.public, s.private[seat]), seat + 1)
