"""The state record of ews_rps, its codes, and the parameter record; one named field a line.

Seats are 0 (player) and 1 (gm). The acting side of a test is the player of a simple test or the attacker of a contest;
`net`, `outcome` and the bonuses are written from its view. A symbol is a number: rock 0, paper 1, scissors 2, and from
3 on those of rule modules. Capacities are bound when a rule set is built.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..core.codes import names_of
from ..core.events import EventLayout
from ..core.fields import COUNT, FLAG, HASH, PHASE, REAL, WHOLE, Number, Size, number, record_of, span

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
MAX_CUSTOM = 26  # most actions of all modules together, so that all fit into one word
MOST_SYMBOLS = 16  # those of the rules and of modules, four bits in the history
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
Payoff = IntEnum("Payoff", "PASS MARGIN STAKES", start=0)
UNLIMITED = -1  # of pm_reroll_limit

# kinds of events (see text.py); packed by rules.emit
Event = IntEnum("Event", "TEST CHOICE REVEAL ROLL RESULT", start=0)
EVENT = EventLayout(kind=(6, 0), a=(16, -(1 << 15)), b=(16, -(1 << 15)), c=(16, -(1 << 15)), acting=(1, 0))

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


def state_numbers(tests: int, history: int, symbols: int) -> list[Number]:
    """The fields of the state record, those of rule modules apart."""
    T, B = Size(2, "seat"), Size(2, "side")
    Y = Size(symbols, "symbol")
    return [
        number("status", FLAG, "0 running, 1 ended"),
        number("ask_phase", PHASE, "what is asked"),
        number("test", COUNT, "index of the running test, counted from 0"),
        number("drawn", COUNT, "tests that are known"),
        number("sealed", COUNT, "symbol + 1 of a seat that has chosen; 0: not yet", (T,)),
        number("score", REAL, "seat 0's utilities so far, added up"),
        # the running test
        number("kind", Kind, "whether a simple test or a contest"),
        number("acting", span(0, 1), "seat of the acting side"),
        number("mine", span(-99, 99), "its value"),
        number("other", span(-99, 99), "the target, or the defender's value"),
        number("gap", span(-198, 198), "the difference d = other - mine (R3)"),
        number("need", WHOLE, "smallest net with which the acting side succeeds (R4); without meaning for the die"),
        number("win_points", REAL, "what a success is worth to the acting side (payoff stakes)"),
        number("loss_points", REAL, "what a failure costs the acting side (payoff stakes)"),
        number("rounds", span(0, 200), "rounds played"),
        number("net", span(-200, 200), "wins minus losses of the streak (+2: two wins)"),
        number("bonus", WHOLE, "points won so far by the acting side and by the other one", (B,)),
        number("decided", FLAG, "1 once the verdict cannot change any more (A5)"),
        number("asked", COUNT, "bit set of the modules' actions taken before this test"),
        number("outcome", span(-1, 1), "of the last round: 1 win, 0 draw, -1 loss"),
        # the comparison die
        number("roll_side", FLAG, "0 the acting side rolls, 1 the other one"),
        number("face", span(0, 6), "the extreme that was rolled, 0: no chain"),
        number("rerolls", COUNT, "how often the extreme was rolled again"),
        # the test that ended last
        number("last_test", span(-1, 999), "its index, -1 before the first one has ended"),
        number("last_kind", Kind, "its kind"),
        number("last_acting", span(0, 1), "its acting seat"),
        number("last_verdict", Verdict, "its verdict"),
        number("last_ending", Ending, "how it ended"),
        number("last_rounds", span(0, 200), "its rounds"),
        number("last_net", span(-200, 200), "its net wins"),
        number("last_mine", span(-99, 99), "value of its acting side"),
        number("last_other", span(-99, 99), "its target, or the defender's value"),
        number("last_bonus", WHOLE, "points won in it by the acting side and by the other one", (B,)),
        number("last_utility", REAL, "its utility for the acting side"),
        # what was seen
        number("past", COUNT, "rounds of the match"),
        number("road", HASH, "rolling hash of everything public"),
        number("road_before", HASH, "the same before the last round"),
        number("n_events", span(0, EVENTS), "events of the last step"),
        number("events", WHOLE, "the events, packed", (Size(EVENTS, "event"),)),
        number("shown", COUNT, "how often a seat showed a symbol", (T, Y)),
        number("after", COUNT, "the same by the symbol that it had shown in the round before", (T, Y, Y)),
        number("picks", COUNT, "index of every known test in the parameter record", (Size(tests, "test"),), kind="i2"),
        number("hist", COUNT, "all rounds, packed (H_...)", (Size(history, "round"),), kind="u2"),
    ]


def state_dtype(tests: int, history: int, symbols: int, extra: list[tuple] | None = None) -> np.dtype:
    """The state record, with `extra` fields of rule modules."""
    return record_of([*state_numbers(tests, history, symbols), *(extra or [])])


def param_numbers(tests: int) -> list[Number]:
    """The fields of the parameter record; `pool_...` are the tests themselves, or those that are drawn from."""
    T = (Size(tests, "test"),)
    return [
        number("n_tests", span(1, 1000), "tests of the match"),
        number("faces", COUNT, "0: the tests are those of the pool in order; else tests drawn from so many"),
        number("bonus_step", span(1, 12), "points of one round of the streak"),
        number("max_rounds", span(1, 200), "rounds after which a test ends"),
        number("down", FLAG, "shortfall_rounding = down: a started block counts for nothing"),
        number("malus", FLAG, "contest_loser_malus: the loser of a contest's round loses points"),
        number("tie", Tie, "contest_tie: who wins equal totals"),
        number("early", FLAG, "early_stop: a test ends once its verdict cannot change"),
        number("fixed_roles", FLAG, "roles = fixed: seat 0 attacks in every contest"),
        number("gm_uniform", FLAG, "gm_policy = uniform: seat 1 is chance"),
        number("die", FLAG, "procedure pm_d6"),
        number("reroll_limit", span(-1, 20), "re-rolls of the comparison die, UNLIMITED (-1) without end"),
        number("may_decline", FLAG, "the acting side may refuse a test for 0 points"),
        number("payoff", Payoff, "what a test is worth"),
        number("margin_clip", span(1, 60), "largest margin that counts (payoff margin)"),
        number("window", span(0, 512), "history_window"),
        number("pool_kind", Kind, "kind of each test", T),
        number("pool_mine", span(-99, 99), "value of the acting side of each test", T),
        number("pool_other", span(-99, 99), "target, or the defender's value, of each test", T),
        number("pool_need", WHOLE, "smallest net with which the acting side succeeds", T),
        number("pool_acting", span(-1, 1), "-1: by the kind of the test and the rule of roles", T),
        number("pool_win", REAL, "win points of each test", T),
        number("pool_loss", REAL, "loss points of each test", T),
    ]


def param_dtype(tests: int, extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record, with `extra` fields of rule modules."""
    return record_of([*param_numbers(tests), *(extra or [])])


# what the constants mean that hooks may import from here; several of one meaning together
MEANINGS = {
    "Action": "ids of the actions; a symbol of the base is its number",
    "SYMBOL_SHIFT": "a module's symbol as a number: its action minus this",
    "CUSTOM": "first action of modules",
    "SEATS": "names of the seats",
    "Phase": "what is asked",
    "Kind": "kinds of tests",
    "Verdict": "how a test is judged (hook `verdict`)",
    "Ending": "why a test ended",
    "Tie": "option contest_tie",
    "Payoff": "option payoff",
    "UNLIMITED": "option pm_reroll_limit: without end",
    "Event": "kinds of events",
}
