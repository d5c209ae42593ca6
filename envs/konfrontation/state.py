"""The state record of konfrontation, its codes, and the parameter record; one named field a line.

Units of a faction have numbers 0..11: characters in slots 0..7, supports in slots 0..3 behind them. Sets of units and
of resources are bit sets. Targets (R2) are numbered alike: units 0..11, resources 12..19, power 20, other 21.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..core.codes import names_of
from ..core.events import EventLayout
from ..core.fields import COUNT, FLAG, HASH, NO_SEAT, PHASE, REAL, WHOLE, Number, Size, number, record_of, span

MAXF = 5  # capacity in factions: 2 or 5, bound by build
EVENTS = 48  # capacity of the list of events of one step
STACK = 16  # capacity of the stack of what modules have asked for
CHARACTERS, SUPPORTS, RESOURCES = 8, 4, 8  # R33
UNITS = CHARACTERS + SUPPORTS
HISTORY = 16  # reveals that are remembered

NATURES = ("combative", "social", "shady", "intellectual")
ALL_CHARACTERS, ALL_SUPPORTS, ALL_RESOURCES = 0xFF, 0xF00, 0xFF
T_RESOURCE = UNITS
T_POWER = T_RESOURCE + RESOURCES
T_OTHER = T_POWER + 1  # targets beyond the units
NONE = -1
SIZES = (1, 2, 3)  # of a resource
EXTRAS = (1, 2, 3)  # further turns of a support
MAX_BID = 20


class Action(IntEnum):
    """First id of every block of actions (section 4); `ITEM + target` names a unit, a resource or another target."""

    PASS = 0
    GATHER = PASS + 1
    CONTINUE = GATHER + 1
    RECRUIT = CONTINUE + 1
    START_RESOURCE = RECRUIT + len(NATURES)
    START_SUPPORT = START_RESOURCE + len(SIZES)
    ATTACK = START_SUPPORT + len(NATURES) * len(EXTRAS)
    FACTION = ATTACK + 1
    CHARACTER = FACTION + MAXF - 1
    ITEM = CHARACTER
    SUPPORT = ITEM + CHARACTERS
    RESOURCE = ITEM + T_RESOURCE
    TARGET_POWER = ITEM + T_POWER
    TARGET_OTHER = ITEM + T_OTHER
    TYPE = TARGET_OTHER + 1
    DONE = TYPE + len(NATURES)
    RUN_HOME = DONE + 1
    STAND = RUN_HOME + 1
    BID = STAND + 1
    VOTE_DRAW = BID + MAX_BID + 1
    VOTE_FIGHT = VOTE_DRAW + 1
    REMOVE = VOTE_FIGHT + 1
    HANDOVER = REMOVE + 1
    SPOILS_REMOVE = HANDOVER + 1
    SPOILS_POWER = SPOILS_REMOVE + 1
    SPOILS_DEMAND = SPOILS_POWER + 1
    WAIT = SPOILS_DEMAND + 1


CUSTOM = Action.WAIT + 1  # actions of modules
WORDS = 3  # of a legal-action set, bound by build
MAX_CUSTOM = 32  # most actions of modules

# phases in which somebody is asked (section 4); those of modules follow
Phase = IntEnum(
    "Phase",
    """
    ACTION DECL_FACTION DECL_TARGET DECL_TYPE DECL_COMMIT EVADE DEFEND BID VOTE VICTIM FATE SPOILS SPOILS_UNIT RESPONSE
    OVER
    """,
    start=0,
)
PHASES = names_of(Phase)
PH_CUSTOM = len(Phase)
DECLARING = (Phase.DECL_FACTION, Phase.DECL_TARGET, Phase.DECL_TYPE, Phase.DECL_COMMIT)  # questions to the attacker

# frames of the stack that ask nobody; questions of modules stand there with their phase
Frame = IntEnum("Frame", "STEP TASK LOT", start=1000)

# stations of the main program; WAITING: an answer of the core's own phase is due
Station = IntEnum(
    "Station", "WAITING TURN SEAT ACTION DECLARED EVADE DEFENDED BID REVEALED COMPARE TIED TIE ACTED CLOSED", start=0
)

# moments of `step` hooks, in the order of the table in hooks.py
Moment = IntEnum("Moment", "TURN_START SEAT_START DECLARED DEFENDED REVEALED TIED CONFRONTATION_END", start=0)

# results of a confrontation
Result = IntEnum("Result", "NONE ATTACKER DEFENDER DRAW EVADED", start=0)
RESULTS = ("", *names_of(Result)[1:])
TIE = int(Result.EVADED)  # in the history, which an evaded confrontation never enters: a tie, and the bids went on

# options
Start = IntEnum("Start", "BID DEFENCE FULL", start=0)
Interrupt = IntEnum("Interrupt", "PAUSE LOCKED LOST", start=0)
Victory = IntEnum("Victory", "CONTROL_POINTS POWER NET_WORTH", start=0)
Utility = IntEnum("Utility", "WIN_LOSS MARGIN", start=0)
MAY_GATHER, MAY_RECRUIT, MAY_RESOURCE, MAY_SUPPORT, MAY_ATTACK = (1 << i for i in range(5))
ON_UNIT, ON_RESOURCE, ON_POWER, ON_OTHER = (1 << i for i in range(4))
P_RESOURCE, P_SUPPORT = 1, 2  # kinds of projects

# kinds of events (see text.py); packed by services.emit
EVENT = EventLayout(kind=(8, 0), seat=(8, -1), a=(16, -1000), b=(16, -1000), c=(8, 0))
Event = IntEnum(
    "Event",
    """
    TURN ACTION POWER PROJECT LOST ATTACK TYPE UNIT NOBODY EVADED BID TIE VOTE RESULT GONE HANDED SPECIAL SPOILS DEMAND
    NATURE MODULE END
    """,
    start=0,
)

Why = IntEnum("Why", "RULE ACTION BID LOOT TAKEN HOME", start=0)  # power changes hands: the last number of its event


def state_numbers(factions: int) -> list[Number]:
    """The fields of the state record for `factions` factions of capacity, those of rule modules apart."""
    F, B = (Size(factions, "seat"),), (Size(2, "side"),)
    U, R, K = Size(UNITS, "unit"), Size(RESOURCES, "resource"), (Size(STACK, "frame"),)
    return [
        number("status", span(0, 2), "0 running, 1 ended, 2 stopped by max_decisions"),
        number("ask_phase", PHASE, "phase of the question that is open"),
        number("phase", PHASE, "phase of the core's own question"),
        number("pc", Station, "station of the main program"),
        number("decisions", COUNT, "decisions taken so far"),
        number("depth", span(0, STACK), "frames on the stack"),
        number("f_phase", COUNT, "a phase of a module, or a frame code", K),
        number("f_owner", COUNT, "index of the module", K),
        number("f_seat", NO_SEAT, "seat that is asked or that the frame is about", K),
        number("f_a", WHOLE, "first argument of the frame", K),
        number("f_b", WHOLE, "second argument of the frame", K),
        # dice
        number("due_first", FLAG, "the starting seat is to be drawn"),
        number("due_natures", COUNT, "characters whose nature is to be drawn"),
        # the turn
        number("turn", COUNT, "from 1"),
        number("first", span(0, MAXF - 1), "starting seat of this turn"),
        number("place", span(0, MAXF), "place in this turn's order"),
        number("actions_left", COUNT, "actions that the faction on turn has left"),
        number("attacked", FLAG, "the faction on turn has attacked"),
        number("worked", FLAG, "the faction on turn has worked at its project"),
        # what a faction holds
        number("power", COUNT, "power", F),
        number("special", COUNT, "special goals reached", F),
        number("bonus", COUNT, "control points out of anybody's reach (A5)", F),
        number("units", span(0, 2**12 - 1), "bit set", F),
        number("nature", span(-1, 3), "nature of each unit (place in NATURES)", (*F, U)),
        number("value", COUNT, "undoubled", (*F, U)),
        number("resources", span(0, 2**8 - 1), "bit set", F),
        number("extent", COUNT, "sizes", (*F, R)),
        number("project", span(0, 2), "0 none, else its kind", F),
        number("project_nature", span(-1, 3), "nature of the support in the making", F),
        number("project_size", COUNT, "size of the resource, or extra turns of the support", F),
        number("project_left", COUNT, "turns of work", F),
        number("worth", REAL, "net worth at the start", F),
        # the confrontation; all but `active` stays until the next one begins
        number("active", FLAG, "a confrontation is going on"),
        number("attacker", NO_SEAT, "-1: none yet, as in the following"),
        number("defender", NO_SEAT, "attacked faction"),
        number("target", span(-1, 21), "what is attacked: units 0..11, resources 12..19, power 20, other 21"),
        number("kind", span(-1, 3), "type (nature)"),
        number("commit", span(0, 2**12 - 1), "units of the attacker, of the defender (bit sets)", B),
        number("strength", COUNT, "strength of the attacker, of the defender", B),
        number("sealed", COUNT, "bid or vote that is not yet revealed: action + 1, or 0", B),
        number("bid", span(-1, MAX_BID), "revealed last, -1 before", B),
        number("total", WHOLE, "strength and bid", B),
        number("vote", span(-1, 1), "revealed since the last bids: 1 draw, -1 fight, else 0", B),
        number("ties", COUNT, "ties in a row"),
        number("winner", span(-1, 1), "0 attacker, 1 defender, -1 nobody yet"),
        number("spoils", COUNT, "SPOILS_... chosen"),
        number("question", span(-1, 21), "unit or resource whose fate is decided (numbered like a target)"),
        number("result", Result, "how the confrontation ended"),
        # what was seen
        number("n_history", COUNT, "reveals so far"),
        number("history", WHOLE, "packed reveals, a ring", (Size(HISTORY, "reveal"),)),
        number("public", HASH, "what everybody has seen"),
        number("n_events", COUNT, "events of the last step"),
        number("events", WHOLE, "the events, packed (service emit)", (Size(EVENTS, "event"),)),
    ]


def state_dtype(factions: int, extra: list[tuple] | None = None) -> np.dtype:
    """The state record, with `extra` fields of rule modules."""
    return record_of([*state_numbers(factions), *(extra or [])], align=True)


def param_numbers(factions: int) -> list[Number]:
    """The fields of the parameter record; names are those of section 5 where one exists."""
    F, B = (Size(factions, "seat"),), (Size(2, "side"),)
    U, R = Size(UNITS, "unit"), Size(RESOURCES, "resource")
    return [
        number("factions", span(2, 5), "factions of the game"),
        number("clash", FLAG, "the game is one confrontation"),
        number("stage", Start, "where a clash begins"),
        number("max_ties", COUNT, "ties after which a confrontation ends as a draw"),
        number("draw_votes", FLAG, "after a tie both sides vote whether it is a draw"),
        number("run_home_cost", COUNT, "power that running home costs"),
        number("supports_run", FLAG, "run_home_targets"),
        number("undefended_goes", FLAG, "undefended_target"),
        number("nature_multiplier", COUNT, "factor of a unit whose nature fits the type"),
        number("double_base", FLAG, "support_doubling"),
        number("support_bonus", COUNT, "value of a support beyond 1 + extra"),
        number("protected", FLAG, "support_nonmatching"),
        number("destroyed_resource_pays", FLAG, "a destroyed resource brings its size in control points"),
        number("min_loot", COUNT, "power that a victory brings at least"),
        number("power_spoils", COUNT, "power that goes to the winner as a consequence"),
        number("demand_any", FLAG, "the winner may demand any unit, not only an exposed one"),
        number("loser_chooses", FLAG, "spoils_chooser"),
        number("power_cap", COUNT, "most power of a faction"),
        number("hidden_power", FLAG, "others do not see how much power a faction has"),
        number("other_points", COUNT, "control points of the target `other`"),
        number("other_cost", COUNT, "what the target `other` costs its defender"),
        number("w_power", REAL, "net worth of a power"),
        number("w_cp", REAL, "net worth of a control point"),
        number("w_unit", REAL, "net worth of a point of strength"),
        number("w_other", REAL, "net worth of the target `other`"),
        number("turns", COUNT, "turns of a campaign"),
        number("actions_per_turn", COUNT, "actions of a faction in a turn"),
        number("first_seat", NO_SEAT, "-1: by lot"),
        number("rotate_first", FLAG, "the starting seat moves on every turn"),
        number("random_natures", FLAG, "natures of the characters are drawn"),
        number("gather_amount", COUNT, "power that gathering brings"),
        number("recruit_cost", COUNT, "power that recruiting costs"),
        number("resource_max_turns", COUNT, "turns of work at the largest resource"),
        number("project_interrupt", Interrupt, "what an interruption does to a project"),
        number("victory", Victory, "who stands first"),
        number("cp_goal", COUNT, "control points that end the game, 0 none"),
        number("utility", Utility, "what the payoffs are"),
        number("allowed_actions", COUNT, "actions that the scenario knows (bits MAY_...)"),
        number("allowed_targets", COUNT, "targets that the scenario knows (bits ON_...)"),
        number("allowed_types", COUNT, "types of confrontations that the scenario knows (bits)"),
        number("max_decisions", COUNT, "decisions after which the game is stopped"),
        # the start
        number("power", COUNT, "power at the start", F),
        number("units", span(0, 2**12 - 1), "units at the start (bit set)", F),
        number("nature", span(-1, 3), "nature of each unit at the start", (*F, U)),
        number("value", COUNT, "value of each unit at the start", (*F, U)),
        number("resources", span(0, 2**8 - 1), "resources at the start (bit set)", F),
        number("extent", COUNT, "sizes of the resources at the start", (*F, R)),
        # a given declaration and defence (clash)
        number("attacker", NO_SEAT, "attacker of a given declaration"),
        number("defender", NO_SEAT, "defender of a given declaration"),
        number("target", span(-1, 21), "target of a given declaration"),
        number("kind", span(-1, 3), "type of a given declaration"),
        number("commit", COUNT, "units of both sides in a given declaration and defence", B),
    ]


def param_dtype(factions: int, extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record, with `extra` fields of rule modules."""
    return record_of([*param_numbers(factions), *(extra or [])], align=True)


# what the constants mean that hooks may import from here; several of one meaning together
MEANINGS = {
    "Action": "first id of every block of actions; ITEM + target names a unit, a resource or another target",
    "NATURES": "names of the natures, which are the types of confrontations too",
    "CHARACTERS SUPPORTS UNITS RESOURCES": "places of a faction: characters, supports behind them, both, resources",
    "ALL_CHARACTERS ALL_SUPPORTS ALL_RESOURCES": "sets of all of them",
    "T_RESOURCE T_POWER T_OTHER": "numbers of targets: first resource, power, other; units are their own numbers",
    "NONE": "no seat, no target",
    "MAXF": "capacity in factions",
    "MAX_BID": "highest bid",
    "Phase": "what is asked",
    "DECLARING": "phases of a declaration",
    "Result": "how a confrontation ended",
    "Event": "kinds of events (service `emit`)",
    "Why": "what power is won and lost by, as it is told",
    "Station": "stations of the main program, in the order of play",
    "Frame": "frames of the stack that ask nobody",
    "Moment": "hooks that are told step by step",
    "Start": "option stage",
    "Interrupt": "option project_interrupt",
    "Victory": "option victory",
    "Utility": "option utility",
    "MAY_GATHER MAY_RECRUIT MAY_RESOURCE MAY_SUPPORT MAY_ATTACK": "bits of option allowed_actions",
    "ON_UNIT ON_RESOURCE ON_POWER ON_OTHER": "bits of option allowed_targets",
    "P_RESOURCE P_SUPPORT": "kinds of projects",
}
