"""The flow of einBlatt: conflict, test, round, window, vote (R30..R43, R70..R75, R90..R93); the contract functions.

The main program is a frame at the bottom of the stack that goes from station to station (`s.pc`); whatever it asks,
draws or lets modules do lies above it and is finished first. Melee turns are in `melee.py`.
"""

from __future__ import annotations

from typing import Any

from ..core.abi import ENDED, STOPPED, lowest_bit, popcount
from ..core.jit import kernel
from ..core.legal import allow
from ..core.modules.asking import held
from ..core.rng import mix, rand_below
from . import hooks
from .ending import close_conflict, end_conflict, judge, utility, vote_passed
from .frames import EVERYBODY, FR_LOT, emit, note, push, whisper
from .melee import melee_station, react_answered
from .opening import begin_conflict, begin_game, begin_session, begin_test, draw_hand
from .piles import card_fell, deal_run, draw_step, peek_step, reveal
from .plays import allow_plays, know_trump, lay, plays_of, take_play
from .reckoning import compare, score
from .redeal import forget, redeal_fell, redeal_step, release_hidden
from .state import MELEE, NO_CARD, Action, Die, Event, Frame, Moment, Phase, Purpose, Station
from .windows import event_step, options_of, run_event, run_window, window_step

# --- stations -------------------------------------------------------------------------------------------------------


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
            emit(s, Event.REVEAL, seat, play, r, EVERYBODY)
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
def compare_duel(s: Any, p: Any, r: int) -> None:
    """R41: the two slots of a round."""
    compare(s, p, 0, s.slot[0, r], s.slot_class[0, r], 1, s.slot[1, r], s.slot_class[1, r])


@kernel
def idle(s: Any) -> bool:
    """Whether the main program may go on at once: nothing asked, drawn or done by modules lies above it."""
    return s.depth == 1 and s.die_kind == Die.NONE and s.status == 0 and not held(s)


@kernel
def main_step(s: Any, p: Any) -> None:
    """Do what the station `s.pc` asks for and go on to the next ones, as long as nothing else is to be done first.

    The stations stand in the order of play from the moment at which all plays of a round are in.
    """
    pc = s.pc
    if pc == Station.REVEAL:
        if p.slots:
            for r in range(p.rounds):
                reveal_round(s, p, r)
            if not s.cut:
                for r in range(p.rounds):
                    s.round_no = r
                    compare_duel(s, p, r)
        else:
            fill_slots(s, p)
            reveal_round(s, p, s.round_no)
        if MELEE and p.melee[s.conflict]:
            s.pc = Station.TURN
            for seat in range(p.seats):
                play = s.slot[seat, s.round_no]
                s.passed[seat] = play == Action.PASS or play == NO_CARD
                s.is_open[seat] = s.passed[seat] == 0
                s.spent[seat] = 0
                s.waited[seat] = 0
            run_window(s, Phase.AFTER_REVEAL)
            return
        s.pc = Station.COMPARE
        run_window(s, Phase.AFTER_REVEAL)
        if not idle(s):
            return
        pc = Station.COMPARE
    if pc == Station.COMPARE:
        s.pc = Station.ROUND_END
        if not s.cut and not p.slots:  # R43: slots are compared before their one window opens
            compare_duel(s, p, s.round_no)
        if not idle(s):
            return
        pc = Station.ROUND_END
    if pc == Station.ROUND_END:
        s.pc = Station.NEXT_ROUND
        run_event(s, Moment.ROUND_END)
        if not idle(s):
            return
        pc = Station.NEXT_ROUND
    if pc == Station.NEXT_ROUND:
        s.round_no += 1
        pc = Station.ROUND if s.round_no < p.rounds and not s.cut else Station.TEST_END
        s.pc = pc
    if pc == Station.ROUND:
        note(s, Event.ROUND, -1, s.round_no, 0)
        s.pc = Station.COMMIT
        run_window(s, Phase.BEFORE_COMMIT)
        if not idle(s):
            return
        pc = Station.COMMIT
    if pc == Station.COMMIT:
        if s.cut:
            s.pc = Station.TEST_END
            return
        s.pc = Station.REVEAL
        bits = commit_bits(s, p)
        if bits:
            push(s, Phase.COMMIT, -1, lowest_bit(bits), bits, 0, 0, 0)
        return
    if pc == Station.TEST_END:
        s.round_no = min(s.round_no, p.rounds - 1)
        score(s, p)
        s.pc = Station.JUDGE
        run_window(s, Phase.AFTER_TEST)
        if not idle(s):
            return
        pc = Station.JUDGE
    if pc == Station.JUDGE:
        judge(s, p)
        return
    if pc == Station.VOTED:
        s.pc = Station.CONFLICT_END
        if vote_passed(s, p):
            s.test += 1
            s.pc = Station.TEST
    elif pc == Station.CONFLICT_END:
        s.pc = Station.CLOSE
        end_conflict(s, p)
    elif pc == Station.CLOSE:
        close_conflict(s, p)
        s.pc = Station.CONFLICT
    elif pc == Station.CONFLICT:
        if s.conflict >= p.conflicts:
            s.status = ENDED
            s.depth = 0
            note(s, Event.END, -1, 0, 0)
            return
        begin_conflict(s, p)
        s.pc = Station.BETWEEN
        if p.campaign and (s.conflict == 0 or p.new_session[s.conflict]):
            begin_session(s, p)
        note(s, Event.CONFLICT, -1, s.conflict, 0)
    elif pc == Station.BETWEEN:
        s.pc = Station.OPENING
        run_event(s, Moment.BETWEEN)
    elif pc == Station.OPENING:
        if p.events_only[s.conflict]:
            s.scored = 1
            s.conflict += 1
            s.pc = Station.CONFLICT
            return
        s.pc = Station.TEST
        run_event(s, Moment.CONFLICT_START)
    elif pc == Station.TEST:
        begin_test(s, p)
        s.pc = Station.DRAW
    elif pc == Station.DRAW:
        draw_hand(s, p)
    elif pc == Station.DRAWN:
        for seat in range(p.seats):
            s.drawn[seat] = popcount(s.hand[seat])
        s.pc = Station.PRE
        run_window(s, Phase.AFTER_DRAW)
    elif pc == Station.PRE:
        if s.cut:
            s.pc = Station.TEST_END
            return
        s.pc = Station.ROUND
        run_event(s, Moment.PRE_COMMIT)
    elif MELEE:
        melee_station(s, p)


@kernel
def pump(s: Any, p: Any) -> None:
    """Go on until a die is due, somebody is asked, or the game is over."""
    while s.status == 0 and s.die_kind == Die.NONE and s.depth > 0:
        f = s.depth - 1
        if held(s) and s.f_phase[f] != Frame.REDEAL:
            return
        if f == 0:  # the main program is the lowest frame
            main_step(s, p)
            continue
        phase = s.f_phase[f]
        if phase < Frame.MAIN:
            s.ask_phase = phase
            return
        if phase == Frame.DRAW:
            draw_step(s, p)
        elif phase == Frame.WINDOW:
            window_step(s, p)
        elif phase == Frame.EVENT:
            event_step(s, p)
        elif phase == Frame.TASK:
            s.depth = f
            hooks.task(s, p, s.f_owner[f], s.f_a[f], s.f_seat[f])
        elif phase == Frame.PEEK:
            peek_step(s)
        elif phase == FR_LOT:
            s.die_kind = Die.MODULE
            s.die_faces = s.f_b[f]
        elif phase == Frame.REDEAL:
            redeal_step(s, p)


# --- the contract ---------------------------------------------------------------------------------------------------


@kernel
def setup(s: Any, p: Any) -> None:
    """A fresh record, and on to the first die or decision."""
    begin_game(s, p)
    pump(s, p)


@kernel
def go_on(s: Any, p: Any) -> None:
    """What modules had asked for beside the stack is done."""
    pump(s, p)


@kernel
def die(s: Any, p: Any) -> int:
    """Faces of the die that must fall (4.3)."""
    return s.die_faces if s.status == 0 else 0


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """A card of those left in a pile, a seat of an initiative lot, or a card dealt again."""
    s.n_events = 0
    kind = s.die_kind
    if kind == Die.CARD:
        card_fell(s, p, outcome)
    elif kind in (Die.REDEAL, Die.TRUMP):
        redeal_fell(s, p, outcome)
    elif kind == Die.INITIATIVE:
        bits = s.die_pile
        for _ in range(outcome):
            bits &= bits - 1
        s.group = 1 << lowest_bit(bits)
        s.die_kind = Die.NONE
        s.die_faces = 0
    elif kind == Die.MODULE:
        s.die_kind = Die.NONE
        s.die_faces = 0
        f = s.depth - 1
        s.depth = f
        hooks.fell(s, p, s.f_owner[f], s.f_a[f], s.f_seat[f], outcome)
    pump(s, p)


@kernel
def roll(s: Any, p: Any, rng: Any) -> int:
    """Throw dice until somebody owes a decision or the game is over; return how many."""
    thrown = 0
    while True:
        if s.die_kind == Die.CARD and s.status == 0:
            thrown += deal_run(s, rng)
        faces = die(s, p)
        if faces == 0:
            return thrown
        fall(s, p, rand_below(rng, faces))
        thrown += 1


@kernel
def to_act(s: Any, p: Any) -> int:
    """Seats that owe an answer to the question on top of the stack."""
    if s.status or s.die_kind != Die.NONE or s.depth == 0:
        return 0
    f = s.depth - 1
    return s.f_bits[f] if s.f_phase[f] < Frame.MAIN else 0


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Legal answers of a seat (4.2)."""
    f = s.depth - 1
    phase = s.f_phase[f]
    owner = s.f_owner[f]
    if owner >= 0:
        hooks.legal_of(s, p, owner, phase, seat, words)
    elif phase == Phase.COMMIT:
        allow_plays(words, plays_of(s, p, seat, Purpose.COMMIT))
        allow(words, Action.PASS)
    elif phase == Phase.CONTINUE:
        allow(words, Action.YES)
        allow(words, Action.NO)
    elif MELEE and phase == Phase.REACT:
        allow_plays(words, s.f_a[f])
    elif MELEE and phase in (Phase.ACT, Phase.COMMAND):
        allow(words, Action.WAIT)
        who = seat if phase == Phase.ACT else s.f_a[f]
        bits = hooks.permit(s, p, who, p.targets[who])
        for t in range(p.seats):
            if bits >> t & 1:
                allow(words, Action.ATTACK + t)
        if phase == Phase.COMMAND:
            allow(words, Action.NO)
    else:
        options_of(s, p, seat, phase, words)
        allow(words, Action.DONE)


@kernel
def commit(s: Any, p: Any, seat: int, action: int) -> None:
    """R40, R43, R50: a sealed choice; with layout `slots` it is laid face down at once."""
    if p.slots:
        take_play(s, p, seat, action)
        r = 0
        while s.slot[seat, r] != -2:
            r += 1
        lay(s, p, seat, action, r, 0)
        whisper(s, Event.CHOICE, seat, action, r)
        for later in range(r + 1, p.rounds):
            if s.slot[seat, later] == -2:
                return
    else:
        s.sealed[seat] = action
        whisper(s, Event.CHOICE, seat, action, s.round_no)
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
        whisper(s, Event.CHOICE, seat, action, phase)
        emit(s, Event.CHOICE, seat, -1, phase, EVERYBODY)  # everybody sees that it has answered
        hooks.answered(s, p, owner, phase, seat, action)
    elif phase == Phase.COMMIT:
        commit(s, p, seat, action)
    elif phase == Phase.CONTINUE or (MELEE and phase == Phase.ACT):
        s.sealed[seat] = action
        whisper(s, Event.CHOICE, seat, action, 0)
        s.f_bits[f] &= ~(1 << seat)
        if s.f_bits[f] == 0:
            s.depth = f
    elif MELEE and phase == Phase.REACT:
        s.depth = f
        react_answered(s, p, seat, action)
    elif MELEE and phase == Phase.COMMAND:
        follower = s.f_a[f]
        s.depth = f
        s.order[follower] = -1 if action == Action.NO else action
        emit(s, Event.ORDER, follower, action, 0, EVERYBODY)
    else:  # a window
        s.depth = f
        if action != Action.DONE:
            s.f_c[f - 1] = 1
            emit(s, Event.OPTION, seat, action, phase, EVERYBODY)
            hooks.choose(s, p, seat, phase, action)
            hooks.taken(s, p, seat, phase, action)
        else:
            emit(s, Event.CHOICE, seat, Action.DONE, phase, EVERYBODY)
    if s.decisions >= p.max_decisions and s.status == 0:
        pump(s, p)
        if s.status == 0:
            s.status = STOPPED
            s.die_kind = Die.NONE
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
        out[seat] = hooks.payoff(s, p, seat, out[seat])


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
