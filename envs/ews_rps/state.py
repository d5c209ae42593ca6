"""The state record of ews_rps, its codes, and the parameter record; one named field a line.

Seats are 0 (player) and 1 (gm). The acting side of a test is the player of a simple test or the attacker of a contest;
`net`, `outcome` and the bonuses are written from its view. A symbol is a number: rock 0, paper 1, scissors 2, and from
3 on those of rule modules. Capacities are bound when a rule set is built.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..core.codes import names_of

TESTS = 32  # capacity in tests
HISTORY = 1024  # capacity in rounds of a match
SYMBOLS = 3  # symbols of the game, those of modules included
ACTIONS = 6  # all actions
CAPACITIES = ((32, 1024), (256, 8192), (1024, 1024), (1024, 32768), (1024, 262144))  # (TESTS, HISTORY) that are built
EVENTS = 12  # capacity of the event list of one step

SEATS = ("player", "gm")

# actions (section 4)
Action = IntEnum("Action", "ROCK PAPER SCISSORS ATTEMPT DECLINE WAIT", start=0)
BASE_CODES = names_of(Action)
CUSTOM = len(Action)  # actions of modules follow
MAX_CUSTOM = 8  # most actions of all modules together
SYMBOL_SHIFT = CUSTOM - Action.ATTEMPT  # a module's symbol as a number: action - SYMBOL_SHIFT

Phase = IntEnum("Phase", "CHOICE ROUND ROLL DRAW OVER", start=0)
PHASES = names_of(Phase)

Kind = IntEnum("Kind", "SIMPLE CONTEST", start=0)
KINDS = names_of(Kind)
Verdict = IntEnum("Verdict", "SUCCESS FAILURE EQUAL DECLINED", start=0)  # names by kind in `verdict_name`
_VERDICT_NAMES = {
    Kind.SIMPLE: {Verdict.SUCCESS: "passed", Verdict.FAILURE: "failed"},
    Kind.CONTEST: {Verdict.SUCCESS: "attacker", Verdict.FAILURE: "defender"},
}
_OTHER_VERDICTS = {Verdict.EQUAL: "draw", Verdict.DECLINED: "declined"}
VERDICTS = (*(name for names in _VERDICT_NAMES.values() for name in names.values()), *_OTHER_VERDICTS.values())
Ending = IntEnum("Ending", "DRAW LUCK_TURNED MAX_ROUNDS DECIDED ROLLED DECLINED", start=0)
ENDINGS = names_of(Ending)

# options
Tie = IntEnum("Tie", "ATTACKER DEFENDER DRAW", start=0)
TIES = names_of(Tie)
Payoff = IntEnum("Payoff", "PASS MARGIN STAKES", start=0)
PAYOFFS = names_of(Payoff)
UNLIMITED = -1  # of pm_reroll_limit

# kinds of events (see text.py); packed by rules.emit
Event = IntEnum("Event", "TEST CHOICE REVEAL ROLL RESULT", start=0)
E_BIAS = 1 << 15  # added to the three numbers of an event

# bits of an entry of `hist`
H_SYMBOL = 4  # bits of a symbol: seat 0's, then seat 1's
H_FIRST = 2 * H_SYMBOL
H_DECIDED = H_FIRST + 1
H_ACTING = H_DECIDED + 1
H_OUTCOME = H_ACTING + 1  # outcome + 1, in two bits
H_LACK = H_OUTCOME + 2  # in three bits
LACK_LOW, LACK_HIGH = -3, 4  # need minus net before the round, cut off; LACK_LOW is stored as 0


def verdict_name(kind: int, verdict: int) -> str:
    """The verdict of a test in the words of the specification."""
    return {**_OTHER_VERDICTS, **_VERDICT_NAMES[Kind(kind)]}[Verdict(verdict)]


def capacity(tests: int, rounds: int) -> tuple[int, int]:
    """The smallest built capacity (TESTS, HISTORY) for a match of so many tests and rounds."""
    return next(c for c in CAPACITIES if tests <= c[0] and rounds <= c[1])


def state_dtype(tests: int, history: int, symbols: int, extra: list[tuple] | None = None) -> np.dtype:
    """The state record, with `extra` fields of rule modules."""
    return np.dtype(
        [
            # where the match stands
            ("status", "i8"),  # 0 running, 1 ended
            ("ask_phase", "i8"),  # Phase
            ("test", "i8"),  # index of the running test, counted from 0
            ("drawn", "i8"),  # tests that are known
            ("sealed", "i8", (2,)),  # symbol + 1 of a seat that has chosen; 0: not yet
            ("score", "f8"),  # seat 0's utilities so far, added up
            # the running test
            ("kind", "i8"),
            ("acting", "i8"),  # seat of the acting side
            ("mine", "i8"),  # its value
            ("other", "i8"),  # the target, or the defender's value
            ("gap", "i8"),  # the difference d = other - mine (R3)
            ("need", "i8"),  # smallest net with which the acting side succeeds (R4); without meaning for the die
            ("win_points", "f8"),
            ("loss_points", "f8"),
            ("rounds", "i8"),  # rounds played
            ("net", "i8"),  # wins minus losses of the streak (+2: two wins)
            ("bonus", "i8", (2,)),  # of the acting side and of the other one
            ("decided", "i8"),  # 1 once the verdict cannot change any more (A5)
            ("asked", "i8"),  # bit set of the modules' actions taken before this test
            ("outcome", "i8"),  # of the last round: 1 win, 0 draw, -1 loss
            # the comparison die
            ("roll_side", "i8"),  # 0 the acting side rolls, 1 the other one
            ("face", "i8"),  # the extreme that was rolled, 0: no chain
            ("rerolls", "i8"),
            # the test that ended last
            ("last_test", "i8"),  # its index, -1 before the first one has ended
            ("last_kind", "i8"),
            ("last_acting", "i8"),
            ("last_verdict", "i8"),
            ("last_ending", "i8"),
            ("last_rounds", "i8"),
            ("last_net", "i8"),
            ("last_mine", "i8"),
            ("last_other", "i8"),
            ("last_bonus", "i8", (2,)),
            ("last_utility", "f8"),  # of the acting side
            # what was seen
            ("past", "i8"),  # rounds of the match
            ("road", "i8"),  # rolling hash of everything public
            ("road_before", "i8"),  # the same before the last round
            ("n_events", "i8"),
            ("events", "i8", (EVENTS,)),
            ("shown", "i8", (2, symbols)),  # how often a seat showed a symbol
            ("after", "i8", (2, symbols, symbols)),  # the same by the symbol that it had shown in the round before
            *(extra or []),
            ("picks", "i2", (tests,)),  # index of every known test in the parameter record
            ("hist", "u2", (history,)),  # all rounds, packed (H_...)
        ]
    )


def param_dtype(tests: int, extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record; `pool_...` are the tests themselves, or those that are drawn from."""
    return np.dtype(
        [
            ("n_tests", "i8"),
            ("faces", "i8"),  # 0: the tests are those of the pool in order; else tests drawn from so many
            ("bonus_step", "i8"),
            ("max_rounds", "i8"),
            ("down", "i8"),  # shortfall_rounding
            ("malus", "i8"),  # contest_loser_malus
            ("tie", "i8"),
            ("early", "i8"),
            ("fixed_roles", "i8"),
            ("gm_uniform", "i8"),
            ("die", "i8"),  # procedure pm_d6
            ("reroll_limit", "i8"),
            ("may_decline", "i8"),
            ("payoff", "i8"),
            ("margin_clip", "i8"),
            ("window", "i8"),  # history_window
            *(extra or []),
            ("pool_kind", "i8", (tests,)),
            ("pool_mine", "i8", (tests,)),
            ("pool_other", "i8", (tests,)),
            ("pool_need", "i8", (tests,)),  # smallest net with which the acting side succeeds
            ("pool_acting", "i8", (tests,)),  # -1: by the kind of the test and the rule of roles
            ("pool_win", "f8", (tests,)),
            ("pool_loss", "f8", (tests,)),
        ]
    )
