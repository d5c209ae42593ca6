"""The state record of konfrontation, its codes, and the parameter record; one named field a line.

Units of a faction have numbers 0..11: characters in slots 0..7, supports in slots 0..3 behind them. Sets of units and
of resources are bit sets. Targets (R2) are numbered alike: units 0..11, resources 12..19, power 20, other 21.
"""

from __future__ import annotations

import numpy as np

MAXF = 5  # capacity in factions: 2 or 5, bound by build
EVENTS = 48  # capacity of the list of events of one step
STACK = 16  # capacity of the stack of what modules have asked for
CHARACTERS, SUPPORTS, RESOURCES = 8, 4, 8  # R33
UNITS = CHARACTERS + SUPPORTS
HISTORY = 16  # reveals that are remembered

NATURES = ("combative", "social", "shady", "intellectual")
ALL_CHARACTERS, ALL_SUPPORTS, ALL_RESOURCES = 0xFF, 0xF00, 0xFF
T_RESOURCE, T_POWER, T_OTHER = 12, 20, 21  # targets beyond the units
NONE = -1

# actions (section 4)
PASS, GATHER, CONTINUE, RECRUIT, RESOURCE, SUPPORT, ATTACK, FACTION = 0, 1, 2, 3, 7, 10, 22, 23
ITEM, TYPE, DONE, RUN_HOME, STAND, BID, VOTE_DRAW, VOTE_FIGHT = 27, 49, 53, 54, 55, 56, 77, 78
REMOVE, HANDOVER, SPOILS_REMOVE, SPOILS_POWER, SPOILS_DEMAND, WAIT, CUSTOM = 79, 80, 81, 82, 83, 84, 85
WORDS = 3
MAX_BID = 20
MAX_CUSTOM = 32 * WORDS - CUSTOM  # actions of modules

# phases in which somebody is asked (section 4); phases of modules follow from 15
PHASES = (
    "action", "decl_faction", "decl_target", "decl_type", "decl_commit", "evade", "defend", "bid", "vote", "victim",
    "fate", "spoils", "spoils_unit", "response", "over",
)  # fmt: skip
(
    PH_ACTION, PH_FACTION, PH_TARGET, PH_TYPE, PH_COMMIT, PH_EVADE, PH_DEFEND, PH_BID, PH_VOTE, PH_VICTIM, PH_FATE,
    PH_SPOILS, PH_SPOILS_UNIT, PH_RESPONSE, PH_OVER,
) = range(15)  # fmt: skip
PH_CUSTOM = 15

# frames of the stack that ask nobody; questions of modules stand there with their phase
FR_STEP, FR_TASK, FR_LOT = 1000, 1001, 1002

# stations of the main program; WAITING: an answer of the core's own phase is due
(
    WAITING, AT_TURN, AT_SEAT, AT_ACTION, AT_DECLARED, AT_EVADE, AT_DEFENDED, AT_BID, AT_REVEALED, AT_COMPARE, AT_ACTED,
    AT_CLOSED,
) = range(12)  # fmt: skip

# moments of `step` hooks, in the order of the table in hooks.py
EV_TURN, EV_SEAT, EV_DECLARED, EV_DEFENDED, EV_REVEALED, EV_CLOSED = range(6)

# results of a confrontation
R_NONE, R_ATTACKER, R_DEFENDER, R_DRAW, R_EVADED = range(5)
RESULTS = ("", "attacker", "defender", "draw", "evaded")
TIE = 4  # in the history: a tie after which the bids went on

# options
STAGE_BID, STAGE_DEFENCE, STAGE_FULL = range(3)
PAUSE, LOCKED, LOST = range(3)
BY_CP, BY_POWER, BY_WORTH = range(3)
WIN_LOSS, MARGIN = range(2)
MAY_GATHER, MAY_RECRUIT, MAY_RESOURCE, MAY_SUPPORT, MAY_ATTACK = (1 << i for i in range(5))
ON_UNIT, ON_RESOURCE, ON_POWER, ON_OTHER = (1 << i for i in range(4))
P_RESOURCE, P_SUPPORT = 1, 2  # kinds of projects

# kinds of events (see text.py); packed by services.emit
(
    E_TURN, E_ACTION, E_POWER, E_PROJECT, E_LOST, E_ATTACK, E_TYPE, E_UNIT, E_NOBODY, E_EVADED, E_BID, E_TIE, E_VOTE,
    E_RESULT, E_GONE, E_HANDED, E_SPECIAL, E_SPOILS, E_DEMAND, E_NATURE, E_MODULE, E_END,
) = range(22)  # fmt: skip


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
