"""The state record of einBlatt, its codes, and the parameter record; one named field a line.

Sets of cards are int64 bit sets (bit = card id = 8 * suit + rank). Capacities are bound when a rule set is built.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..core.codes import names_of

MAXS = 12  # capacity in seats: 2 or 12, bound by build
ATTRIBUTES = 6  # capacity in attributes per seat
ENTRIES = 48  # capacity of the record of comparisons of one test, bound by build
EVENTS = 96  # capacity of the event list of one step, bound by build
EVENTS_DUEL = 40
STACK = 16  # capacity of the stack of frames
CONFLICTS = 64  # capacity of a campaign
GIVEN_EVENTS = 256  # capacity in behaviour events that a scenario gives
MELEE = True  # False: a rule set that can only play duels

SUITS, RANKS, CARDS = "CSDH", ("7", "8", "9", "10", "J", "Q", "K", "A"), 32
CARD_CODES = tuple(suit + rank for suit in SUITS for rank in RANKS)
ALL_CARDS = (1 << 32) - 1


class Action(IntEnum):
    """First id of every block of actions (4.6); some belong to a module."""

    CARD = 0
    PASS = CARD + CARDS
    WAIT = PASS + 1
    ATTACK = WAIT + 1
    YES = ATTACK + MAXS
    NO = YES + 1
    DONE = NO + 1
    PILE_A = DONE + 1
    PILE_B = PILE_A + 1
    KING_SLOT = PILE_B + 1
    OPEN_PLAY = KING_SLOT + 1
    TABLE_REDRAW = OPEN_PLAY + 1
    SLEEVE_STASH = TABLE_REDRAW + 1
    SLEEVE_USE = SLEEVE_STASH + 1
    XP_IGNORE = SLEEVE_USE + 1
    XP_EXTRA = XP_IGNORE + 1
    XP_REDRAW = XP_EXTRA + 1
    XP_STRIKE = XP_REDRAW + 1
    XP_SURVIVE = XP_STRIKE + 1
    MERCY = XP_SURVIVE + 1
    SWAP = MERCY + 1
    ALL_IN = SWAP + 1
    AFTER_CARD = ALL_IN + 1
    XP_RAISE = AFTER_CARD + 1
    XP_LEARN = XP_RAISE + ATTRIBUTES
    CUSTOM = XP_LEARN + 1


CUSTOM_ACTIONS = 8  # actions of further modules, from Action.CUSTOM on
ACTIONS = Action.CUSTOM + CUSTOM_ACTIONS
WORDS = 3
NO_CARD = -1  # a play that is no card at all (class -1)

# phases in which somebody is asked (4.2); phases of further modules follow
Phase = IntEnum(
    "Phase",
    """
    ADVANCE TRIM_CONFIDENCE SEVEN REWARD PREPARE MARK REORDER PICK_PILE AFTER_DRAW STASH MERCY_ASSIGN OPEN_COMMIT
    BEFORE_COMMIT OPEN_CARD EXCHANGE COMMIT AFTER_REVEAL REPLACE STRIKE_TARGET REPLAY COMMAND ACT REACT AFTER_TEST
    AFTER_CARD ANSWER SORT CONTINUE SURVIVE GAIN_CONFIDENCE DROP_CONFIDENCE
    """,
    start=0,
)
PHASES = names_of(Phase)
PH_CUSTOM = len(Phase)

# frames that ask nobody; all codes from Frame.MAIN on, beyond those of phases
Frame = IntEnum("Frame", "MAIN WINDOW DRAW PEEK REDEAL EVENT TASK", start=1000)

# stations of the main program, in the order of play
Station = IntEnum(
    "Station",
    """
    CONFLICT BETWEEN OPENING TEST DRAW DRAWN PRE ROUND COMMIT REVEAL COMPARE TURN COMMAND ACT RESOLVE ACTED ROUND_END
    NEXT_ROUND TEST_END JUDGE VOTED CONFLICT_END CLOSE
    """,
    start=0,
)

# hooks that are stepped through modules and seats, in the order of the table in hooks.py; windows go by their phase
Moment = IntEnum("Moment", "SESSION_START BETWEEN CONFLICT_START PRE_COMMIT ROUND_END CONFLICT_END", start=0)

# dice
Die = IntEnum("Die", "NONE CARD INITIATIVE REDEAL TRUMP MODULE", start=0)


class Zone(IntEnum):
    """Where a card can be, besides the four piles; the last three are answers of the discard hook alone."""

    HAND = 0
    CONF = 1
    SLEEVE = 2
    ASIDE = 3
    LOOKED = 4
    WRATH = 5
    AREA = 6
    DISC_A = 8
    DISC_B = 9
    LIMBO = 10  # the module keeps it for now


# purposes of a play (hook `playable`), and reasons of a discard (hook `discard`)
Purpose = IntEnum("Purpose", "COMMIT OPEN LOOK REACT CHALLENGE ANSWER REPLAY", start=0)
Reason = IntEnum("Reason", "WON LOST TIED PLAYED UNUSED EXCHANGED", start=0)
# purposes of a draw
DrawFor = IntEnum("DrawFor", "HAND EXTRA TURN CONF WRATH EXCHANGE", start=0)

# options
ANY, ALL, LOSER, ALWAYS = range(4)  # continue_by
REDRAW, KEEP, TOP_UP = range(3)  # continuation_draw
FORBIDDEN, LOSE, COLOURLESS_SEVEN = range(3)  # reaction_decline
TIE_SIMULTANEOUS, TIE_SEAT, TIE_RANDOM = range(3)
LEADER_BEST, FOLLOWER_BEST, NO_PENALTY = range(3)
ON_EMPTY, EACH_TEST, ON_SESSION = range(3)
PAY_EP, PAY_CLIPPED, PAY_CLASS, PAY_WIN, PAY_TEAM_SUM, PAY_TEAM_MAX = range(6)
ORDER_SEAT, ORDER_REVERSE, ORDER_ATTRIBUTE = range(3)
OWN, OTHER, NONE = range(3)  # relation

# kinds of events (see text.py); packed by services.emit
Event = IntEnum(
    "Event",
    """
    SESSION CONFLICT TEST ROUND RESHUFFLE DRAWS CARD COMMITTED REVEAL WAIT ATTACK REACT COMPARE DISCARD ORDER DISOBEY EP
    RESULT RESTRICT OPTION REPLACE OPEN PILE LOOK TRUMP VOTE DEAD MODULE CHOICE INITIATIVE END
    """,
    start=0,
)


def state_dtype(seats: int, entries: int, extra: list[tuple] | None = None) -> np.dtype:
    """The state record for `seats` seats of capacity, with `extra` fields of rule modules."""
    S, D = (seats,), (seats + 1,)
    events = EVENTS if seats > 2 else EVENTS_DUEL
    return np.dtype(
        [
            # where the game stands
            ("status", "i8"),  # 0 running, 1 ended, 2 stopped by max_decisions
            ("ask_phase", "i8"),  # phase of the question on top of the stack
            ("depth", "i8"),  # frames on the stack
            ("f_phase", "i8", (STACK,)),  # a phase (somebody is asked) or a Frame
            ("f_owner", "i8", (STACK,)),  # index of the module that asked, -1 the core
            ("f_seat", "i8", (STACK,)),
            ("f_bits", "i8", (STACK,)),  # seats that still owe an answer
            ("f_a", "i8", (STACK,)),
            ("f_b", "i8", (STACK,)),
            ("f_c", "i8", (STACK,)),
            ("pc", "i8"),  # station of the main program
            ("at", "i8"),  # seat that a station has come to
            ("conflict", "i8"),
            ("session", "i8"),
            ("test", "i8"),
            ("round_no", "i8"),
            ("decisions", "i8"),
            ("close", "i8"),  # the open window is to close
            ("cut", "i8"),  # the test ends at once
            # the die that is due
            ("die_kind", "i8"),
            ("die_faces", "i8"),
            ("die_deck", "i8"),
            ("die_pile", "i8"),  # pile, or the set of tied seats
            # decks: index = deck; the last one holds the wrath cards of module mercy
            ("deck_of", "i8", S),
            ("draw", "i8", (*D, 2)),  # card sets of the draw piles A, B
            ("disc", "i8", (*D, 2)),  # card sets of the discard piles A, B
            ("top", "i8", (*D, 2, 8)),  # cards known to lie on top, in order
            ("top_n", "i8", (*D, 2)),
            ("epoch", "i8", (*D, 2)),  # how often this draw pile was shuffled
            ("seen", "i8", D),  # cards seen since the deck's last reshuffle
            ("cards", "i8", D),  # all cards of the deck
            # zones of a seat
            ("hand", "i8", S),
            ("conf", "i8", S),
            ("sleeve", "i8", S),
            ("aside", "i8", S),
            ("looked", "i8", S),
            ("area", "i8", S),  # conflict area
            ("further", "i8", S),  # cards played in this test beyond the rounds, in order, six bits each, 1 + card
            ("shown", "i8", S),  # hand cards that everybody knows
            ("unseen", "i8", S),  # cards that this seat discarded unseen by the others
            ("played", "i8", S),  # cards seen in this conflict
            ("wrath", "i8"),
            # the seat's test
            ("tested", "i8", S),
            ("attr", "i8", (*S, ATTRIBUTES)),
            ("restr", "i8", (*S, ATTRIBUTES)),
            ("perm", "i8", (*S, ATTRIBUTES)),
            ("skills", "i8", (*S, ATTRIBUTES)),
            ("suits", "i8", (*S, ATTRIBUTES)),
            ("forbid", "i8", (*S, ATTRIBUTES)),
            ("npc_cards", "i8", S),
            ("relation", "i8", S),
            ("malus", "i8", S),
            ("known", "i8", S),  # trump suits that everybody knows about (bit set of suits)
            ("drawn", "i8", S),  # cards drawn for this test's hand
            ("opened", "i8", S),  # open (handicap) of this conflict
            ("prepared", "i8", S),
            ("traits", "i8", S),
            ("voluntary", "i8", S),
            ("risk", "i8", S),
            ("conf_value", "i8", S),
            ("dead", "i8", S),
            # the round
            ("sealed", "i8", S),  # choice that is not yet revealed, -1 none
            ("slot", "i8", (*S, 3)),  # play laid for a round, -2 none
            ("slot_class", "i8", (*S, 3)),
            ("slot_open", "i8", (*S, 3)),  # everybody sees it
            ("is_open", "i8", S),
            ("spent", "i8", S),
            ("passed", "i8", S),
            ("waited", "i8", S),
            ("king", "i8", S),  # a short draw allows a king slot
            ("order", "i8", S),  # order of the leader: -1 none, WAIT, ATTACK + target
            ("group", "i8"),  # seats on turn
            ("attacker", "i8"),  # seat whose attack is being resolved, -1 none
            ("target", "i8"),
            ("todo", "i8"),  # attackers still to be resolved
            ("focus", "i8"),  # card in question, -1 none
            # the record of this test
            ("n_entries", "i8"),
            ("e_a", "i8", (entries,)),
            ("e_b", "i8", (entries,)),
            ("e_play_a", "i8", (entries,)),
            ("e_play_b", "i8", (entries,)),
            ("e_class_a", "i8", (entries,)),
            ("e_class_b", "i8", (entries,)),
            ("e_round", "i8", (entries,)),
            ("ep", "i8", S),
            ("ep_carried", "i8", S),
            ("ep_set", "i8", S),  # the result of this seat is set, the record no longer counts
            ("ep_final", "i8", S),  # result of the conflict ended last
            ("extra_restr", "i8", S),  # restriction points of modules, due at the end of the conflict
            ("tests_played", "i8"),
            ("xp", "i8", S),
            ("xp_free", "i8", S),
            ("total", "f8", S),  # payoff of the conflicts that are over
            ("scored", "i8"),  # the payoff of the running conflict is in `total`
            # what was seen
            ("public", "i8"),
            ("private", "i8", S),
            # cards to be dealt again (search)
            ("pool", "i8", D),
            ("need", "i8", (seats, 8)),
            ("observer", "i8"),
            ("scratch", "i8", (WORDS,)),
            *(extra or []),
            ("n_events", "i8"),
            ("events", "i8", (events,)),
        ],
        align=True,
    )


SEAT_IN_CONFLICT = (
    "c_hand", "c_tested", "c_attr", "c_cards", "c_relation", "c_malus", "c_suits", "c_forbid", "c_skills", "c_open",
    "c_prepared", "c_traits", "c_voluntary", "c_risk", "c_conf_value",
)  # fmt: skip
"""Fields of the parameter record for what a conflict sets at a seat; -1: it stays as before."""


def param_dtype(seats: int, extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record: options, seats, conflicts; names are those of section 5 where one exists."""
    S, C = (seats,), (CONFLICTS,)
    CS = (CONFLICTS, seats)
    return np.dtype(
        [
            ("seats", "i8"),
            ("conflicts", "i8"),
            ("campaign", "i8"),
            ("sessions", "i8"),
            ("rounds", "i8"),
            ("slots", "i8"),
            ("max_tests", "i8"),
            ("continue_by", "i8"),
            ("continuation_draw", "i8"),
            ("fresh", "i8"),
            ("penalty_each_test", "i8"),
            ("colours_count", "i8"),
            ("leader", "i8", S),  # leader of the seat's team, -1 none (or the seat itself)
            ("disobedience", "i8"),
            ("reaction_decline", "i8"),
            ("forfeit", "i8"),
            ("return_round_card", "i8"),
            ("initiative_tie", "i8"),
            ("tie_base", "i8"),
            ("reshuffle", "i8"),
            ("on_demand", "i8"),
            ("trump_hidden", "i8"),
            ("discard_public", "i8"),
            ("payoff", "i8"),
            ("class_weights", "f8", (7,)),
            ("restriction", "i8", (4,)),  # by -EP: 0, narrow, clear, perfect
            ("restriction_permanent", "i8"),
            ("heal_per_session", "i8"),
            ("heal_per_conflict", "i8"),
            ("unplayed", "f8"),
            ("npc_restrictions", "i8"),
            ("window_order", "i8"),
            ("max_decisions", "i8"),
            # seats
            ("pc", "i8", S),
            ("team", "i8", S),
            ("targets", "i8", S),  # permitted targets (bit set of seats)
            ("deck_of", "i8", S),
            ("attributes", "i8", S),
            ("attr", "i8", (*S, ATTRIBUTES)),
            ("skills", "i8", (*S, ATTRIBUTES)),
            ("suits", "i8", (*S, ATTRIBUTES)),
            ("forbid", "i8", (*S, ATTRIBUTES)),
            ("npc_attribute", "i8", S),  # -1: the card count stands in (A9)
            ("restr", "i8", S),
            ("perm", "i8", S),
            ("sleeve", "i8", S),
            ("conf", "i8", S),
            ("aside", "i8", S),
            ("aside_given", "i8", (seats + 1,)),  # decks whose set-aside cards stand as the scenario gives them
            ("xp", "i8", S),
            ("xp_free", "i8", S),
            ("draw", "i8", (seats + 1, 2)),  # given piles; -1: the rest of the deck
            ("disc", "i8", (seats + 1, 2)),
            ("wrath", "i8"),
            ("wrath_deck", "i8"),  # deck that wrath cards come from, -1 without mercy
            # conflicts
            ("melee", "i8", C),
            ("new_session", "i8", C),
            ("events_only", "i8", C),
            ("all_in", "i8", C),
            ("lethal", "i8", C),
            ("restrict", "i8", C),
            ("weight", "f8", C),
            ("events_given", "i8", C),
            ("event_end", "i8", C),  # behaviour events of module incentive: those before the end of each conflict's
            ("event", "i8", (GIVEN_EVENTS,)),
            ("event_seat", "i8", (GIVEN_EVENTS,)),
            ("event_suit", "i8", (GIVEN_EVENTS,)),  # -1: by lot
            # seats in conflicts; -1: as before
            *[(name, "i8", CS) for name in SEAT_IN_CONFLICT],
            *(extra or []),
        ],
        align=True,
    )
