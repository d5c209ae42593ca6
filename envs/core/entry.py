"""The C entry point of a rule set; `build()` makes one instance of this file per rule set and binds the names below.

The functions are the game contract over one state record `s` (modified in place) and one parameter record `p`
(read only). Chance is outside the state: a driver asks `die`, throws it, and reports with `fall`.
"""

from __future__ import annotations

from typing import Any

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
    uint64_at,
)
from .jit import kernel
from .rng import rand_below

WORDS = 1  # words of a legal-action set
SEATS = 1  # capacity in seats
OBSERVATION = 1  # length of an observation


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
    """0, or the number of faces of the fair die that must fall now."""
    return 0


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """Apply a chance outcome 0..die-1."""


@kernel
def to_act(s: Any, p: Any) -> int:
    """Bit set of the seats that owe a decision now; several bits = simultaneous."""
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
def entry(op: int, s_address: int, p_address: int, a: int, b: int, out: int) -> int:
    """Dispatch one operation of the contract; all arguments int64 (see `abi`)."""
    s = state_at(s_address)
    p = params_at(p_address)
    if op == APPLY:
        apply(s, p, a, b)
    elif op == DIE:
        return die(s, p)
    elif op == FALL:
        fall(s, p, a)
    elif op == TO_ACT:
        return to_act(s, p)
    elif op == LEGAL:
        words = int64_at(out, WORDS)
        for i in range(WORDS):
            words[i] = 0
        legal(s, p, a, words)
    elif op == ROLL:
        return roll(s, p, uint64_at(out, 1))
    elif op == OVER:
        return over(s, p)
    elif op == RETURNS:
        returns(s, p, float64_at(out, SEATS))
    elif op == OBSERVE:
        return observe(s, p, a, float32_at(out, OBSERVATION))
    elif op == SETUP:
        setup(s, p)
    elif op == DETERMINIZE:
        determinize(s, p, a)
    elif op == KEY:
        return key(s, p, a)
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
