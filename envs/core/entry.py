"""The C entry point of a rule set; `build()` makes one instance of this file per rule set and binds the names below.

The functions are the game contract over one state record `s` (modified in place) and one parameter record `p`
(read only). Chance is outside the state: a driver asks `die`, throws it, and reports with `fall`.

What modules ask and throw beside the rules (`modules.asking`) stands between the two: as long as there is anything of
that, the functions called `..._now` answer for it, and the rules wait.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .abi import (
    APPLY,
    DETERMINIZE,
    DIE,
    FALL,
    KEY,
    LEGAL,
    OBSERVE,
    OVER,
    RETURNS,
    ROLL,
    RULE_ERROR,
    SETUP,
    TO_ACT,
    float32_at,
    float64_at,
    int64_at,
    lowest_bit,
    uint64_at,
)
from .jit import kernel
from .modules import asking
from .rng import mix, rand_below

WORDS = 1  # words of a legal-action set
SEATS = 1  # capacity in seats
OBSERVATION = 1  # length of an observation
ASKING = False  # whether modules may ask and throw beside the rules


@kernel
def state_at(address: int) -> Any:
    """The state record at an address (bound by build)."""


@kernel
def params_at(address: int) -> Any:
    """The parameter record at an address (bound by build)."""


@kernel
def setup(s: Any, p: Any) -> None:
    """Fill a zeroed record from the parameters and go on to the first die or decision."""


@kernel
def die(s: Any, p: Any) -> int:
    """0, or the number of faces of the fair die that must fall now; 0 once the game is over."""
    return 0


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """Apply a chance outcome 0..die-1."""


@kernel
def to_act(s: Any, p: Any) -> int:
    """Bit set of the seats that owe a decision now, several = simultaneous; 0 while a die is due, and at the end."""
    return 0


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Write the legal actions of a seat: int64[WORDS], zeroed before, 32 actions a word."""


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Take a legal action; simultaneous choices stay sealed in the record until all are in."""


@kernel
def over(s: Any, p: Any) -> int:
    """0 running, 1 ended by the rules, 2 stopped by the safety limit of decisions."""
    return 0


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """Write the payoff of every seat so far: float64[SEATS]."""


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """Write what a seat may know: float32[OBSERVATION], zeroed before; return the length written."""
    return 0


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Forget what a seat cannot know, so that chance deals it again."""


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """The hash of all that a seat has seen and done (its information state, perfect recall)."""
    return 0


@kernel
def roll(s: Any, p: Any, rng: Any) -> int:
    """Throw dice until somebody owes a decision or the game is over; return how many.

    A rule set may have its own, faster one; dice, order and the resulting state must be the same.
    """
    thrown = 0
    while True:
        k = die(s, p)
        if k == 0:
            return thrown
        fall(s, p, rand_below(rng, k))
        thrown += 1


@kernel
def go_on(s: Any, p: Any) -> None:
    """Go on to the next halt, if the rules have stopped because a module had asked for something (`asking.held`)."""


@kernel
def seat_for(s: Any, p: Any, who: int) -> int:
    """The seat that answers what `who` is asked (a seat, or a figure where modules belong to figures); -1 nobody."""
    return who


# --- what modules ask and throw beside the rules ----------------------------------------------------------------------


@kernel
def die_now(s: Any, p: Any) -> int:
    """Faces of the die that must fall: of a module, or of the rules."""
    if ASKING:
        if asking.held(s) and s.mq_redeal == 0:
            return asking.faces_on_top(s)
    return die(s, p)


@kernel
def to_act_now(s: Any, p: Any) -> int:
    """Seats that owe a decision: an answer to a module, or one of the rules."""
    if ASKING:
        if asking.held(s):
            bits = 0
            if s.mq_redeal == 0:
                asked = asking.owing(s)
                while asked:
                    seat = seat_for(s, p, lowest_bit(asked))
                    asked &= asked - 1
                    if seat >= 0:
                        bits |= 1 << seat
            return bits
    return to_act(s, p)


@kernel
def asked_of(s: Any, p: Any, seat: int) -> int:
    """Who answers next where a module asks and this seat owes an answer."""
    asked = asking.owing(s)
    while asked and seat_for(s, p, lowest_bit(asked)) != seat:
        asked &= asked - 1
    return lowest_bit(asked) if asked else -1


@kernel
def legal_now(s: Any, p: Any, seat: int, words: Any) -> None:
    """Legal actions of a seat that owes a decision."""
    if ASKING:
        if asking.held(s):
            who = asked_of(s, p, seat)
            if who >= 0:
                asking.legal_answers(s, p, who, words)
            return
    legal(s, p, seat, words)


@kernel
def settle_asked(s: Any, p: Any, done: bool) -> None:
    """Deal with what modules have asked for until somebody must answer or a die must fall; `done`: something is dealt
    with already, so that the rules go on where nothing else is left."""
    while s.mq_stopped == 0 and s.mq_redeal == 0:
        kind = asking.kind_on_top(s)
        if kind == 0:
            if not done:
                return
            done = False
            asking.hide(s)
            go_on(s, p)
        elif kind == asking.TASK:
            asking.run_task(s, p)
            done = True
        elif kind == asking.QUESTION and asking.owing(s) < 0:
            asking.name_all(s, p)
        elif kind == asking.QUESTION and to_act_now(s, p) == 0:
            who = lowest_bit(asking.owing(s))  # nobody decides for them: the first thing that is possible
            words = np.zeros(WORDS, np.int64)
            asking.legal_answers(s, p, who, words)
            action = 0
            for w in range(WORDS - 1, -1, -1):
                if words[w]:
                    action = 32 * w + lowest_bit(words[w])
            asking.answer(s, p, who, action)
            done = True
        else:
            asking.present(s)
            return


@kernel
def apply_now(s: Any, p: Any, seat: int, action: int) -> None:
    """Take a legal action: an answer to a module, or one of the rules."""
    if ASKING:
        asking.clear_log(s)
        held = asking.held(s)
        if held:
            s.n_events = 0
            asking.answer(s, p, asked_of(s, p, seat), action)
        else:
            apply(s, p, seat, action)
        settle_asked(s, p, held)
    else:
        apply(s, p, seat, action)


@kernel
def fall_now(s: Any, p: Any, outcome: int) -> None:
    """Apply a chance outcome: of a module's die, or of the rules."""
    if ASKING:
        asking.clear_log(s)
        held = asking.held(s) and s.mq_redeal == 0
        if held:
            s.n_events = 0
            asking.fell(s, p, outcome)
        else:
            fall(s, p, outcome)
            if s.mq_redeal and die(s, p) == 0:
                s.mq_redeal = 0
        settle_asked(s, p, held)
    else:
        fall(s, p, outcome)


@kernel
def roll_now(s: Any, p: Any, rng: Any) -> int:
    """Throw dice until somebody owes a decision or the game is over; return how many."""
    if ASKING:
        thrown = 0
        while True:
            faces = die_now(s, p)
            if faces == 0:
                return thrown
            fall_now(s, p, rand_below(rng, faces))
            thrown += 1
    return roll(s, p, rng)


@kernel
def over_now(s: Any, p: Any) -> int:
    """0 running, 1 ended, 2 stopped; what a module has asked for is dealt with before the end."""
    if ASKING:
        if s.mq_stopped:
            return 2
        if asking.held(s):
            return 2 if over(s, p) == 2 else 0
    return over(s, p)


@kernel
def determinize_now(s: Any, p: Any, seat: int) -> None:
    """Forget what a seat cannot know, answers of others that are still sealed included."""
    if ASKING:
        asking.clear_log(s)
        asking.hide(s)
        f = s.mq_depth - 1
        for who in range(len(s.mq_sealed)):
            if s.mq_sealed[who] and seat_for(s, p, who) != seat:
                s.mq_sealed[who] = 0
                s.mq_owing[f] |= 1 << who
                s.mq_taken -= 1
        due = die(s, p)
        determinize(s, p, seat)
        if asking.held(s) and due == 0 and die(s, p):  # what is forgotten is dealt again before anybody answers
            s.mq_redeal = 1
        settle_asked(s, p, False)
    else:
        determinize(s, p, seat)


@kernel
def key_now(s: Any, p: Any, seat: int) -> int:
    """The hash of all that a seat has seen and done, answers and dice of modules included."""
    value = key(s, p, seat)
    if ASKING:
        value = mix(value, s.mq_public)
        for who in range(len(s.mq_sealed)):
            if s.mq_sealed[who] and seat_for(s, p, who) == seat:
                value = mix(value, s.mq_sealed[who] << 8 | who)
    return value


@kernel
def entry(op: int, s_address: int, p_address: int, a: int, b: int, out: int) -> int:
    """Dispatch one operation of the contract; all arguments int64 (see `abi`)."""
    s = state_at(s_address)
    p = params_at(p_address)
    if op == APPLY:
        apply_now(s, p, a, b)
    elif op == DIE:
        return die_now(s, p)
    elif op == FALL:
        fall_now(s, p, a)
    elif op == TO_ACT:
        return to_act_now(s, p)
    elif op == LEGAL:
        words = int64_at(out, WORDS)
        for i in range(WORDS):
            words[i] = 0
        legal_now(s, p, a, words)
    elif op == ROLL:
        return roll_now(s, p, uint64_at(out, 1))
    elif op == OVER:
        return over_now(s, p)
    elif op == RETURNS:
        returns(s, p, float64_at(out, SEATS))
    elif op == OBSERVE:
        return observe(s, p, a, float32_at(out, OBSERVATION))
    elif op == SETUP:
        setup(s, p)
        if ASKING:
            settle_asked(s, p, False)
    elif op == DETERMINIZE:
        determinize_now(s, p, a)
    elif op == KEY:
        return key_now(s, p, a)
    return 0


@kernel
def guarded_entry(op: int, s_address: int, p_address: int, a: int, b: int, out: int) -> int:
    """`entry` for rules with modules of other authors: after a fault (see `modules.bind`) every game is over."""
    p = params_at(p_address)
    if p.fault == 0:
        if op in (APPLY, ROLL, SETUP, DETERMINIZE):
            p.chain = 0
        answer = 0
        try:
            answer = entry(op, s_address, p_address, a, b, out)
        except Exception:
            p.fault = 1
        if p.fault == 0:
            return answer
    if op == LEGAL:
        words = int64_at(out, WORDS)
        for i in range(WORDS):
            words[i] = 0
    if op == OVER:
        return 2
    return 0 if op in (DIE, TO_ACT, ROLL) else RULE_ERROR
