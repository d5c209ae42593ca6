"""The state record of konfrontation, its codes, and the parameter record; one named field a line.

Units of a faction have numbers 0..11: characters in slots 0..7, supports in slots 0..3 behind them. Sets of units and
of resources are bit sets. Targets (R2) are numbered alike: units 0..11, resources 12..19, power 20, other 21.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..core.codes import names_of

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
WORDS = 3
MAX_CUSTOM = 32 * WORDS - CUSTOM  # most actions of modules

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
    "Station", "WAITING TURN SEAT ACTION DECLARED EVADE DEFENDED BID REVEALED COMPARE ACTED CLOSED", start=0
)

# moments of `step` hooks, in the order of the table in hooks.py
Moment = IntEnum("Moment", "TURN_START SEAT_START DECLARED DEFENDED REVEALED CONFRONTATION_END", start=0)

# results of a confrontation
Result = IntEnum("Result", "NONE ATTACKER DEFENDER DRAW EVADED", start=0)
RESULTS = ("", *names_of(Result)[1:])
TIE = int(Result.EVADED)  # in the history, which an evaded confrontation never enters: a tie, and the bids went on

# options
STAGE_BID, STAGE_DEFENCE, STAGE_FULL = range(3)
PAUSE, LOCKED, LOST = range(3)
BY_CP, BY_POWER, BY_WORTH = range(3)
WIN_LOSS, MARGIN = range(2)
MAY_GATHER, MAY_RECRUIT, MAY_RESOURCE, MAY_SUPPORT, MAY_ATTACK = (1 << i for i in range(5))
ON_UNIT, ON_RESOURCE, ON_POWER, ON_OTHER = (1 << i for i in range(4))
P_RESOURCE, P_SUPPORT = 1, 2  # kinds of projects

# kinds of events (see text.py); packed by services.emit
Event = IntEnum(
    "Event",
    """
    TURN ACTION POWER PROJECT LOST ATTACK TYPE UNIT NOBODY EVADED BID TIE VOTE RESULT GONE HANDED SPECIAL SPOILS DEMAND
    NATURE MODULE END
    """,
    start=0,
)


def state_dtype(factions: int, extra: list[tuple] | None = None) -> np.dtype:
    """The state record for `factions` factions of capacity, with `extra` fields of rule modules."""
    F = (factions,)
    return np.dtype(
        [
            # where the game stands
            ("status", "i8"),  # 0 running, 1 ended, 2 stopped by max_decisions
            ("ask_phase", "i8"),  # phase of the question that is open
            ("phase", "i8"),  # phase of the core's own question
            ("pc", "i8"),  # station of the main program
            ("decisions", "i8"),
            ("depth", "i8"),  # frames on the stack
            ("f_phase", "i8", (STACK,)),  # a phase of a module, or a frame code
            ("f_owner", "i8", (STACK,)),  # index of the module
            ("f_seat", "i8", (STACK,)),
            ("f_a", "i8", (STACK,)),
            ("f_b", "i8", (STACK,)),
            # dice
            ("due_first", "i8"),  # the starting seat is to be drawn
            ("due_natures", "i8"),  # characters whose nature is to be drawn
            # the turn
            ("turn", "i8"),  # from 1
            ("first", "i8"),  # starting seat of this turn
            ("place", "i8"),  # place in this turn's order
            ("actions_left", "i8"),
            ("attacked", "i8"),
            ("worked", "i8"),
            # what a faction holds
            ("power", "i8", F),
            ("special", "i8", F),
            ("bonus", "i8", F),  # control points out of anybody's reach (A5)
            ("units", "i8", F),  # bit set
            ("nature", "i8", (factions, UNITS)),
            ("value", "i8", (factions, UNITS)),  # undoubled
            ("resources", "i8", F),  # bit set
            ("extent", "i8", (factions, RESOURCES)),  # sizes
            ("project", "i8", F),  # 0 none, else its kind
            ("project_nature", "i8", F),
            ("project_size", "i8", F),  # size of the resource, or extra turns of the support
            ("project_left", "i8", F),  # turns of work
            ("worth", "f8", F),  # net worth at the start
            # the confrontation; all but `active` stays until the next one begins
            ("active", "i8"),
            ("attacker", "i8"),  # -1: none yet, as in the following
            ("defender", "i8"),
            ("target", "i8"),
            ("kind", "i8"),  # type (nature)
            ("commit", "i8", (2,)),  # units of the attacker, of the defender (bit sets)
            ("strength", "i8", (2,)),
            ("sealed", "i8", (2,)),  # bid or vote that is not yet revealed: action + 1, or 0
            ("bid", "i8", (2,)),  # revealed last, -1 before
            ("total", "i8", (2,)),
            ("vote", "i8", (2,)),  # revealed since the last bids: 1 draw, -1 fight, else 0
            ("ties", "i8"),
            ("winner", "i8"),  # 0 attacker, 1 defender
            ("spoils", "i8"),  # SPOILS_... chosen
            ("question", "i8"),  # unit or resource whose fate is decided (numbered like a target)
            ("result", "i8"),
            # what was seen
            ("n_history", "i8"),
            ("history", "i8", (HISTORY,)),  # packed reveals, a ring
            ("public", "i8"),
            *(extra or []),
            ("n_events", "i8"),
            ("events", "i8", (EVENTS,)),
        ],
        align=True,
    )


def param_dtype(factions: int, extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record; names are those of section 5 where one exists."""
    F = (factions,)
    return np.dtype(
        [
            ("factions", "i8"),
            ("clash", "i8"),
            ("stage", "i8"),
            ("max_ties", "i8"),
            ("draw_votes", "i8"),
            ("run_home_cost", "i8"),
            ("supports_run", "i8"),  # run_home_targets
            ("undefended_goes", "i8"),  # undefended_target
            ("nature_multiplier", "i8"),
            ("double_base", "i8"),  # support_doubling
            ("support_bonus", "i8"),  # value of a support beyond 1 + extra
            ("protected", "i8"),  # support_nonmatching
            ("destroyed_resource_pays", "i8"),
            ("min_loot", "i8"),
            ("power_spoils", "i8"),
            ("demand_any", "i8"),
            ("loser_chooses", "i8"),  # spoils_chooser
            ("power_cap", "i8"),
            ("hidden_power", "i8"),
            ("other_points", "i8"),
            ("other_cost", "i8"),
            ("w_power", "f8"),
            ("w_cp", "f8"),
            ("w_unit", "f8"),
            ("w_other", "f8"),
            ("turns", "i8"),
            ("actions_per_turn", "i8"),
            ("first_seat", "i8"),  # -1: by lot
            ("rotate_first", "i8"),
            ("random_natures", "i8"),
            ("gather_amount", "i8"),
            ("recruit_cost", "i8"),
            ("resource_max_turns", "i8"),
            ("project_interrupt", "i8"),
            ("victory", "i8"),
            ("cp_goal", "i8"),  # 0: none
            ("utility", "i8"),
            ("allowed_actions", "i8"),  # bit sets
            ("allowed_targets", "i8"),
            ("allowed_types", "i8"),
            ("max_decisions", "i8"),
            # the start
            ("power", "i8", F),
            ("units", "i8", F),
            ("nature", "i8", (factions, UNITS)),
            ("value", "i8", (factions, UNITS)),
            ("resources", "i8", F),
            ("extent", "i8", (factions, RESOURCES)),
            # a given declaration and defence (clash)
            ("attacker", "i8"),
            ("defender", "i8"),
            ("target", "i8"),
            ("kind", "i8"),
            ("commit", "i8", (2,)),
            *(extra or []),
        ],
        align=True,
    )
