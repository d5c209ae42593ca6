"""The state record of einBlatt, its codes, and the parameter record; one named field a line.

Sets of cards are int64 bit sets (bit = card id = 8 * suit + rank). Capacities are bound when a rule set is built.
"""

from __future__ import annotations

import numpy as np

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

# actions (4.6)
PASS, WAIT, ATTACK, YES, NO, DONE, PILE_A, PILE_B, KING_SLOT = 32, 33, 34, 46, 47, 48, 49, 50, 51
OPEN_PLAY, TABLE_REDRAW, SLEEVE_STASH, SLEEVE_USE = 52, 53, 54, 55
XP_IGNORE, XP_EXTRA, XP_REDRAW, XP_STRIKE, XP_SURVIVE = 56, 57, 58, 59, 60
MERCY, SWAP, ALL_IN, AFTER_CARD, XP_RAISE, XP_LEARN, CUSTOM, ACTIONS = 61, 62, 63, 64, 65, 71, 72, 80
WORDS = 3
NO_CARD = -1  # a play that is no card at all (class -1)

# phases in which somebody is asked (4.2); phases of further modules follow from 31
PHASES = (
    "advance", "trim_confidence", "seven", "reward", "prepare", "mark", "reorder", "pick_pile", "after_draw", "stash",
    "mercy_assign", "open_commit", "before_commit", "open_card", "exchange", "commit", "after_reveal", "replace",
    "strike_target", "replay", "command", "act", "react", "after_test", "after_card", "answer", "sort", "continue",
    "survive", "gain_confidence", "drop_confidence",
)  # fmt: skip
(
    PH_ADVANCE, PH_TRIM, PH_SEVEN, PH_REWARD, PH_PREPARE, PH_MARK, PH_REORDER, PH_PICK_PILE, PH_AFTER_DRAW, PH_STASH,
    PH_MERCY_ASSIGN, PH_OPEN_COMMIT, PH_BEFORE_COMMIT, PH_OPEN_CARD, PH_EXCHANGE, PH_COMMIT, PH_AFTER_REVEAL,
    PH_REPLACE, PH_STRIKE, PH_REPLAY, PH_COMMAND, PH_ACT, PH_REACT, PH_AFTER_TEST, PH_AFTER_CARD, PH_ANSWER, PH_SORT,
    PH_CONTINUE, PH_SURVIVE, PH_GAIN, PH_DROP,
) = range(31)  # fmt: skip
PH_CUSTOM = 31

# frames that ask nobody; all codes from 1000 on
FR_MAIN, FR_WINDOW, FR_DRAW, FR_PEEK, FR_REDEAL, FR_EVENT, FR_TASK = range(1000, 1007)

# stations of the main program, in the order of play
(
    PC_CONFLICT, PC_BETWEEN, PC_OPENING, PC_TEST, PC_DRAW, PC_DRAWN, PC_PRE, PC_ROUND, PC_COMMIT, PC_REVEAL,
    PC_COMPARE, PC_TURN, PC_COMMAND, PC_ACT, PC_RESOLVE, PC_ACTED, PC_ROUND_END, PC_NEXT_ROUND, PC_TEST_END,
    PC_JUDGE, PC_VOTED, PC_CONFLICT_END, PC_CLOSE,
) = range(23)  # fmt: skip

# windows, numbered by their phase; and hooks that are stepped through modules and seats
EV_SESSION, EV_BETWEEN, EV_CONFLICT_START, EV_PRE_COMMIT, EV_ROUND_END, EV_CONFLICT_END = range(6)

# dice
DIE_NONE, DIE_CARD, DIE_INITIATIVE, DIE_REDEAL, DIE_TRUMP, DIE_MODULE = range(6)

# zones a card can be in, besides the four piles
Z_HAND, Z_CONF, Z_SLEEVE, Z_ASIDE, Z_LOOKED, Z_WRATH, Z_AREA = range(7)
Z_DISC_A, Z_DISC_B, Z_LIMBO = 8, 9, 10  # answers of the discard hook; limbo: the module keeps it for now

# purposes of a play (hook `playable`), and reasons of a discard (hook `discard`)
FOR_COMMIT, FOR_OPEN, FOR_LOOK, FOR_REACT, FOR_CHALLENGE, FOR_ANSWER, FOR_REPLAY = range(7)
WON, LOST, TIED, PLAYED, UNUSED, EXCHANGED = range(6)
# purposes of a draw
DRAW_HAND, DRAW_EXTRA, DRAW_TURN, DRAW_CONF, DRAW_WRATH, DRAW_EXCHANGE = range(6)

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
(
    E_SESSION, E_CONFLICT, E_TEST, E_ROUND, E_RESHUFFLE, E_DRAWS, E_CARD, E_COMMITTED, E_REVEAL, E_WAIT, E_ATTACK,
    E_REACT, E_COMPARE, E_DISCARD, E_ORDER, E_DISOBEY, E_EP, E_RESULT, E_RESTRICT, E_OPTION, E_REPLACE, E_OPEN,
    E_PILE, E_LOOK, E_TRUMP, E_VOTE, E_DEAD, E_MODULE, E_CHOICE, E_INITIATIVE, E_END,
) = range(31)  # fmt: skip


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
            ("f_phase", "i8", (STACK,)),  # a phase (somebody is asked) or a frame code
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
            ("c_hand", "i8", CS),
            ("c_tested", "i8", CS),
            ("c_attr", "i8", CS),
            ("c_cards", "i8", CS),
            ("c_relation", "i8", CS),
            ("c_malus", "i8", CS),
            ("c_suits", "i8", CS),
            ("c_forbid", "i8", CS),
            ("c_skills", "i8", CS),
            ("c_open", "i8", CS),
            ("c_prepared", "i8", CS),
            ("c_traits", "i8", CS),
            ("c_voluntary", "i8", CS),
            ("c_risk", "i8", CS),
            ("c_conf_value", "i8", CS),
            *(extra or []),
        ],
        align=True,
    )
