"""The state record of einBlatt, its codes, and the parameter record; one named field a line.

Sets of cards are int64 bit sets (bit = card id = 8 * suit + rank). Capacities are bound when a rule set is built.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..core.codes import names_of
from ..core.events import EventLayout
from ..core.fields import (
    COUNT,
    FLAG,
    HASH,
    NO_SEAT,
    OWNER,
    PHASE,
    REAL,
    SEATS,
    WHOLE,
    Number,
    Size,
    Values,
    number,
    record_of,
    span,
)

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


WORDS = 3
CUSTOM_ACTIONS = 32 * WORDS - Action.CUSTOM  # most actions of further modules, from Action.CUSTOM on
FREE_ACTIONS = 8  # places for them that every game has
ACTIONS = Action.CUSTOM + FREE_ACTIONS
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
ContinueBy = IntEnum("ContinueBy", "ANY ALL LOSER ALWAYS", start=0)
ContinuationDraw = IntEnum("ContinuationDraw", "REDRAW KEEP TOP_UP", start=0)
ReactionDecline = IntEnum("ReactionDecline", "FORBIDDEN LOSE COLOURLESS_SEVEN", start=0)
InitiativeTie = IntEnum("InitiativeTie", "SIMULTANEOUS SEAT RANDOM", start=0)
Disobedience = IntEnum("Disobedience", "LEADER_BEST FOLLOWER_BEST NONE", start=0)
Reshuffle = IntEnum("Reshuffle", "ON_EMPTY EACH_TEST ON_SESSION", start=0)
Payoff = IntEnum("Payoff", "EP EP_CLIPPED CLASS WIN TEAM_SUM TEAM_MAX", start=0)
WindowOrder = IntEnum("WindowOrder", "SEAT REVERSE ATTRIBUTE", start=0)
Relation = IntEnum("Relation", "OWN OTHER NONE", start=0)  # of a seat in a conflict, not an option

# kinds of events (see text.py); packed by services.emit
SEEN = 0xFFFF  # all seats saw it
EVENT = EventLayout(kind=(8, 0), seat=(8, -1), a=(8, -64), b=(16, -64), seen=(16, 0))
Event = IntEnum(
    "Event",
    """
    SESSION CONFLICT TEST ROUND RESHUFFLE DRAWS CARD COMMITTED REVEAL WAIT ATTACK REACT COMPARE DISCARD ORDER DISOBEY EP
    RESULT RESTRICT OPTION REPLACE OPEN PILE LOOK TRUMP VOTE DEAD MODULE CHOICE INITIATIVE END HEAL EXPERIENCE REGAIN
    CONFIDENCE THROW_OFF MOTIVE WRATH DUE
    """,
    start=0,
)


# of the confidence hand: what is told (last number of CONFIDENCE), and why a card left it (of THROW_OFF)
Confidence = IntEnum("Confidence", "PLAYED SHOWN KEPT DECLINED", start=0)
ThrowOff = IntEnum("ThrowOff", "HIGHEST LOWEST TOO_MANY OLD", start=0)

COMPARED = 2  # bits of who has won in the last number of COMPARE; above them who had a trump that everybody knows


def compared(b: int) -> tuple[int, int]:
    """Of the last number of COMPARE: who has won (1, 0, -1), and a bit for each of both whose card is a known trump."""
    return ((b + 1) & 3) - 1, b + 1 >> COMPARED


CARD_SET = Values("a set of cards: bit = 8 * suit + rank", 0, ALL_CARDS)
NO_CARD_OR = Values("an action or card, -1 none", -1)
SLOT = Values("a play (action id), -1 no card, -2 none", -2)
SUIT_SET = Values("a set of suits: C 1, S 2, D 4, H 8", 0, 15)


def state_numbers(seats: int, entries: int) -> list[Number]:
    """The fields of the state record for `seats` seats of capacity, those of rule modules apart."""
    S, D = (Size(seats, "seat"),), (Size(seats + 1, "deck"),)
    A, P, R = Size(ATTRIBUTES, "attribute"), Size(2, "pile"), Size(3, "round")
    E, F = (Size(entries, "comparison"),), (Size(STACK, "frame"),)
    events = EVENTS if seats > 2 else EVENTS_DUEL
    return [
        number("status", span(0, 2), "0 running, 1 ended, 2 stopped by max_decisions"),
        number("ask_phase", PHASE, "phase of the question on top of the stack"),
        number("depth", span(0, STACK), "frames on the stack"),
        number("f_phase", COUNT, "a phase (somebody is asked) or a Frame", F),
        number("f_owner", OWNER, "index of the module that asked, -1 the core", F),
        number("f_seat", NO_SEAT, "seat that the frame is about", F),
        number("f_bits", SEATS, "seats that still owe an answer", F),
        number("f_a", WHOLE, "first argument of the frame", F),
        number("f_b", WHOLE, "second argument of the frame", F),
        number("f_c", WHOLE, "third argument of the frame", F),
        number("pc", Station, "station of the main program"),
        number("at", COUNT, "seat that a station has come to"),
        number("conflict", span(0, CONFLICTS), "number of the running conflict, from 0"),
        number("session", COUNT, "number of the running session, from 1"),
        number("test", COUNT, "number of the running test of the conflict, from 0"),
        number("round_no", span(0, 3), "number of the running round of the test, from 0"),
        number("decisions", COUNT, "decisions taken so far"),
        number("close", FLAG, "the open window is to close"),
        number("cut", FLAG, "the test ends at once"),
        # the die that is due
        number("die_kind", Die, "what the die that is due decides"),
        number("die_faces", COUNT, "its faces, 0 none"),
        number("die_deck", NO_SEAT, "deck that a card is drawn from"),
        number("die_pile", WHOLE, "pile, or the set of tied seats"),
        # decks: index = deck; the last one holds the wrath cards of module mercy
        number("deck_of", COUNT, "deck of each seat", S),
        number("draw", CARD_SET, "card sets of the draw piles A, B", (*D, P)),
        number("disc", CARD_SET, "card sets of the discard piles A, B", (*D, P)),
        number("top", NO_CARD_OR, "cards known to lie on top, in order", (*D, P, Size(8, "place"))),
        number("top_n", span(0, 8), "how many cards are known to lie on top", (*D, P)),
        number("epoch", COUNT, "how often this draw pile was shuffled", (*D, P)),
        number("seen", CARD_SET, "cards seen since the deck's last reshuffle", D),
        number("cards", CARD_SET, "all cards of the deck", D),
        # zones of a seat
        number("hand", CARD_SET, "hand cards", S),
        number("conf", CARD_SET, "confidence cards", S),
        number("sleeve", CARD_SET, "card in the sleeve", S),
        number("aside", CARD_SET, "cards set aside", S),
        number("looked", CARD_SET, "cards looked at, to be put back", S),
        number("area", CARD_SET, "conflict area", S),
        number("further", COUNT, "cards played in this test beyond the rounds, in order, six bits each, 1 + card", S),
        number("shown", CARD_SET, "hand cards that everybody knows", S),
        number("unseen", CARD_SET, "cards that this seat discarded unseen by the others", S),
        number("played", CARD_SET, "cards seen in this conflict", S),
        number("wrath", CARD_SET, "wrath cards (module mercy)"),
        # the seat's test
        number("tested", span(0, ATTRIBUTES - 1), "attribute that is tested", S),
        number("attr", span(0, 32), "value of each attribute, restrictions not subtracted", (*S, A)),
        number("restr", COUNT, "restriction points of each attribute", (*S, A)),
        number("perm", COUNT, "restriction points among them that stay", (*S, A)),
        number("skills", COUNT, "skills of each attribute", (*S, A)),
        number("suits", SUIT_SET, "trump suits of each attribute", (*S, A)),
        number("forbid", span(0, 2), "colour that may not be played: 0 none, 1 red, 2 black", (*S, A)),
        number("npc_cards", span(0, 32), "cards of an npc, 0 of a pc", S),
        number("relation", Relation, "whose attribute gives the trump suits", S),
        number("malus", span(0, 5), "cards fewer in the hand", S),
        number("known", SUIT_SET, "trump suits that everybody knows about (bit set of suits)", S),
        number("drawn", span(0, 32), "cards drawn for this test's hand", S),
        number("opened", span(0, 3), "open (handicap) of this conflict", S),
        number("prepared", span(0, 5), "cards looked at before the draw (R120)", S),
        number("traits", span(0, 10), "traits that count in this conflict", S),
        number("voluntary", FLAG, "the seat entered the conflict of its own will", S),
        number("risk", FLAG, "the conflict is a risk for the seat", S),
        number("conf_value", span(0, 32), "confidence value", S),
        number("dead", FLAG, "the seat has died", S),
        # the round
        number("sealed", NO_CARD_OR, "choice that is not yet revealed, -1 none", S),
        number("slot", SLOT, "play laid for a round, -2 none", (*S, R)),
        number("slot_class", span(-1, 15), "class of the play in the slot", (*S, R)),
        number("slot_open", FLAG, "everybody sees it", (*S, R)),
        number("is_open", FLAG, "the play of this round lies open", S),
        number("spent", FLAG, "the round's play was used up", S),
        number("passed", FLAG, "the seat has passed in this round", S),
        number("waited", FLAG, "the seat has waited in this round", S),
        number("king", FLAG, "a short draw allows a king slot", S),
        number("order", WHOLE, "order of the leader: -1 none, WAIT, ATTACK + target", S),
        number("group", SEATS, "seats on turn"),
        number("attacker", NO_SEAT, "seat whose attack is being resolved, -1 none"),
        number("target", NO_SEAT, "seat that is attacked, -1 none"),
        number("todo", SEATS, "attackers still to be resolved"),
        number("focus", NO_CARD_OR, "card in question, -1 none"),
        # the record of this test
        number("n_entries", COUNT, "comparisons in the record"),
        number("e_a", COUNT, "first seat of each comparison", E),
        number("e_b", COUNT, "second seat of each comparison", E),
        number("e_play_a", WHOLE, "play of the first seat, NO_CARD none", E),
        number("e_play_b", WHOLE, "play of the second seat, NO_CARD none", E),
        number("e_class_a", span(-1, 15), "class of the first seat's play", E),
        number("e_class_b", span(-1, 15), "class of the second seat's play", E),
        number("e_won", span(-1, 1), "how each comparison came out for the first seat: 1 won, 0 tied, -1 lost", E),
        number("e_round", span(0, 3), "round of each comparison", E),
        number("ep", WHOLE, "effect points of the seat in this conflict", S),
        number("ep_carried", WHOLE, "effect points of the tests before", S),
        number("ep_set", FLAG, "the result of this seat is set, the record no longer counts", S),
        number("ep_final", WHOLE, "result of the conflict ended last", S),
        number("extra_restr", COUNT, "restriction points of modules, due at the end of the conflict", S),
        number("tests_played", COUNT, "tests of the conflict that are over"),
        number("xp", COUNT, "experience points", S),
        number("xp_free", COUNT, "experience points that can be spent", S),
        number("total", REAL, "payoff of the conflicts that are over", S),
        number("scored", FLAG, "the payoff of the running conflict is in `total`"),
        # what was seen
        number("public", HASH, "what everybody has seen"),
        number("private", HASH, "what the seat alone has seen", S),
        # cards to be dealt again (search)
        number("pool", CARD_SET, "cards to be dealt again in search, of each deck", D),
        number("need", span(0, 32), "how many of them go where, by zone", (*S, Size(8, "zone"))),
        number("observer", NO_SEAT, "seat for which the search deals, -1 none"),
        number("scratch", WHOLE, "a legal-action set that the rules work on", (Size(WORDS, "word"),)),
        number("n_events", COUNT, "events of the last step"),
        number("events", WHOLE, "the events, packed (service emit)", (Size(events, "event"),)),
    ]


def state_dtype(seats: int, entries: int, extra: list[tuple] | None = None) -> np.dtype:
    """The state record, with `extra` fields of rule modules."""
    return record_of([*state_numbers(seats, entries), *(extra or [])], align=True)


# what a conflict sets at a seat
_IN_CONFLICT = {
    "hand": (Values("a set of cards, -1 as dealt", -1, ALL_CARDS), "given hand cards"),
    "tested": (span(-1, ATTRIBUTES - 1), "attribute that is tested, -1 as before"),
    "attr": (span(-1, 32), "value of that attribute, -1 as before"),
    "cards": (span(-1, 32), "cards of an npc, -1 as before"),
    "relation": (span(-1, 2), "`Relation`, -1 as before"),
    "malus": (span(-1, 5), "cards fewer in the hand, -1 as before"),
    "suits": (span(-1, 15), "trump suits (bits), -1 as before"),
    "forbid": (span(-1, 2), "colour that may not be played, -1 as before"),
    "skills": (WHOLE, "skills of the tested attribute, -1 as before"),
    "open": (span(-1, 3), "cards laid open as a handicap, -1 as before"),
    "prepared": (span(-1, 5), "cards looked at before the draw (R120), -1 as before"),
    "traits": (span(-1, 10), "traits that count, -1 as before"),
    "voluntary": (span(-1, 1), "the seat enters of its own will, -1 as before"),
    "risk": (span(-1, 1), "the conflict is a risk for the seat, -1 as before"),
    "conf_value": (span(-1, 32), "confidence value, -1 as before"),
}
SEAT_IN_CONFLICT = tuple(f"c_{name}" for name in _IN_CONFLICT)  # the fields of the parameter record for it


def param_numbers(seats: int) -> list[Number]:
    """The fields of the parameter record: options, seats, conflicts; names are those of section 5 where one exists."""
    S, D = (Size(seats, "seat"),), (Size(seats + 1, "deck"),)
    A, P = Size(ATTRIBUTES, "attribute"), Size(2, "pile")
    C, G = (Size(CONFLICTS, "conflict"),), (Size(GIVEN_EVENTS, "event"),)
    CS = (*C, *S)
    return [
        number("seats", span(2, 12), "seats of the game"),
        number("conflicts", span(1, CONFLICTS), "conflicts of the game"),
        number("campaign", FLAG, "the game is a campaign"),
        number("sessions", COUNT, "sessions of the game"),
        number("rounds", span(1, 3), "rounds of a duel's test"),
        number("slots", FLAG, "layout slots: plays are laid for all rounds at once"),
        number("max_tests", span(1, 20), "tests of a conflict at most"),
        number("continue_by", ContinueBy, "who may ask for a further test"),
        number("continuation_draw", ContinuationDraw, "hands of a further test"),
        number("fresh", FLAG, "a further test starts from 0 effect points"),
        number("penalty_each_test", FLAG, "restrictions are due after each test, not after the conflict"),
        number("colours_count", FLAG, "cards have trump colours at all"),
        number("leader", NO_SEAT, "leader of the seat's team, -1 none (or the seat itself)", S),
        number("disobedience", Disobedience, "whose best card disobeying a leader costs"),
        number("reaction_decline", ReactionDecline, "melee, no reaction"),
        number("forfeit", FLAG, "melee: who waits to the end loses the turn"),
        number("return_round_card", FLAG, "a card that was not used in the round returns to the hand"),
        number("initiative_tie", InitiativeTie, "equal initiative"),
        number("tie_base", FLAG, "ties of initiative go by the attribute without restrictions"),
        number("reshuffle", Reshuffle, "when discards are shuffled in"),
        number("on_demand", FLAG, "an empty pile is renewed only when a card is wanted"),
        number("trump_hidden", FLAG, "the trump suits of npcs are hidden until they play one"),
        number("discard_public", FLAG, "everybody sees what is discarded"),
        number("payoff", Payoff, "what a conflict is worth"),
        number(
            "class_weights",
            REAL,
            "payoff of each result from a perfect defeat to a perfect success",
            (Size(7, "result"),),
        ),
        number("restriction", span(0, 10), "restriction points", (Size(4, "result"),)),
        number("restriction_permanent", span(0, 10), "of those the ones that stay"),
        number("heal_per_session", span(0, 10), "restriction points healed when a session starts"),
        number("heal_per_conflict", span(0, 10), "restriction points healed before a conflict"),
        number("unplayed", span(-3, 0), "payoff of a conflict that is not played", kind="f8"),
        number("npc_restrictions", FLAG, "npcs suffer restrictions too"),
        number("window_order", WindowOrder, "who is asked first in a window"),
        number("max_decisions", COUNT, "decisions after which the game is stopped"),
        # seats
        number("pc", FLAG, "the seat is a pc", S),
        number("team", COUNT, "number of the seat's team", S),
        number("targets", SEATS, "permitted targets (bit set of seats)", S),
        number("deck_of", COUNT, "deck of each seat", S),
        number("attributes", span(0, ATTRIBUTES), "attributes of the seat", S),
        number("attr", span(0, 32), "value of each attribute at the start", (*S, A)),
        number("skills", COUNT, "skills of each attribute at the start", (*S, A)),
        number("suits", SUIT_SET, "trump suits of each attribute at the start", (*S, A)),
        number("forbid", span(0, 2), "colour that may not be played: 0 none, 1 red, 2 black", (*S, A)),
        number("npc_attribute", span(-1, 32), "-1: the card count stands in (A9)", S),
        number("restr", COUNT, "restriction points at the start", S),
        number("perm", COUNT, "restriction points at the start that stay", S),
        number("sleeve", CARD_SET, "card in the sleeve at the start", S),
        number("conf", CARD_SET, "confidence cards at the start", S),
        number("aside", CARD_SET, "cards set aside at the start", S),
        number("aside_given", FLAG, "decks whose set-aside cards stand as the scenario gives them", D),
        number("xp", COUNT, "experience points at the start", S),
        number("xp_free", COUNT, "experience points at the start that can be spent", S),
        number("draw", Values("a set of cards, -1 the rest of the deck", -1, ALL_CARDS), "given draw piles", (*D, P)),
        number("disc", CARD_SET, "given discard piles", (*D, P)),
        number("wrath", CARD_SET, "given wrath cards"),
        number("wrath_deck", NO_SEAT, "deck that wrath cards come from, -1 without mercy"),
        # conflicts
        number("melee", FLAG, "the conflict is a melee", C),
        number("new_session", FLAG, "a session starts before the conflict", C),
        number("events_only", FLAG, "nothing is played, only its events happen", C),
        number("all_in", FLAG, "all in is allowed in the conflict", C),
        number("lethal", FLAG, "whoever is defeated perfectly dies", C),
        number("restrict", FLAG, "the conflict leaves restrictions", C),
        number("weight", span(0, 100), "factor of the conflict's payoff", C, kind="f8"),
        number("events_given", FLAG, "the scenario gives the behaviour events of the conflict", C),
        number("event_end", COUNT, "behaviour events of module incentive: those before the end of each conflict's", C),
        number(
            "event",
            span(0, 4),
            "each behaviour event: 0 none, 1 against, 2 against severely, 3 accord, 4 accord with a sacrifice",
            G,
        ),
        number("event_seat", COUNT, "seat of each behaviour event", G),
        number("event_suit", span(-1, 3), "-1: by lot", G),
        # seats in conflicts; -1: as before
        *[number(f"c_{name}", values, meaning, CS) for name, (values, meaning) in _IN_CONFLICT.items()],
    ]


def param_dtype(seats: int, extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record, with `extra` fields of rule modules."""
    return record_of([*param_numbers(seats), *(extra or [])], align=True)


# what the constants mean that hooks may import from here; several of one meaning together
MEANINGS = {
    "Action": "first id of every block of actions; a card's play is its number",
    "PASS_ON": "answer of an override: as usual",
    "ASKED": "answer of the hook `draw_pile`: a question was asked",
    "NO_CARD": "a play that is no card",
    "ALL_CARDS": "the set of all cards",
    "MAXS": "capacity in seats",
    "Phase": "what is asked; windows are phases too",
    "Zone": "where a card can be; the last three are answers of the hook `discard` alone",
    "Purpose": "what a play is for (hook `playable`)",
    "Reason": "why a card is discarded (hook `discard`), and how a comparison ended (service `outcome_for`)",
    "DrawFor": "what cards are drawn for (hook `draw`)",
    "Event": "kinds of events (service `emit`)",
    "Confidence": "last number of the event CONFIDENCE",
    "ThrowOff": "last number of the event THROW_OFF",
    "Station": "stations of the main program, in the order of play",
    "Frame": "frames of the stack that ask nobody",
    "Moment": "hooks that are told step by step",
    "Die": "what a die decides",
    "ContinueBy": "option continue_by",
    "ContinuationDraw": "option continuation_draw",
    "ReactionDecline": "option reaction_decline",
    "InitiativeTie": "option initiative_tie",
    "Disobedience": "option disobedience",
    "Reshuffle": "option reshuffle",
    "Payoff": "option payoff",
    "WindowOrder": "option window_order",
    "Relation": "relation: whose attribute gives the trump suits",
}
