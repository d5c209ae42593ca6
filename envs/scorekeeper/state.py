"""The state record of Scorekeeper, its codes, and the parameter record; one named field a line.

Fighters are numbered in setup order. Zones: 0 none or not aimed, 1..7 in table order. Wound classes: 0 none, 1 KR,
2 LW, 3 SW, 4 TW.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..core.codes import names_of

MAXF = 8  # capacity in fighters: 2 or 8, bound by build
EVENTS = 96  # capacity of the event list of one step, bound by build
EVENTS_DUEL = 40
TEAM = 4  # fighters of a team at most
MAX_REDUCTION = 4  # fate points against one wound
SCRIPTED = 64  # capacity in scripted events (4.5)
WORDS = 4

Zone = IntEnum("Zone", "NONE RIGHT_LEG LEFT_LEG ABDOMEN CHEST RIGHT_ARM LEFT_ARM HEAD", start=0)
ZONES = len(Zone)  # not aimed or none, and the seven zones
ZONE_CODES = ("any", *names_of(Zone)[1:])
_D20 = {"RIGHT_LEG": 4, "LEFT_LEG": 4, "ABDOMEN": 2, "CHEST": 4, "RIGHT_ARM": 2, "LEFT_ARM": 2, "HEAD": 2}  # R42
ZONE_OF_D20 = (0, *(int(Zone[name]) for name, faces in _D20.items() for _ in range(faces)))  # by the number thrown
AIM = (0, 3, 3, 2, 2, 4, 4, 6)  # R23, by zone
Wound = IntEnum("Wound", "NONE KR LW SW TW", start=0)
CLASS_CODES = ("none", *(wound.name for wound in Wound if wound))
KINDS = ("character", "vehicle", "aircraft", "ship")


class Action(IntEnum):
    """First id of every block of actions (4.7): aid by ally slot, attacks by enemy slot and zone."""

    PASS = 0
    FULL_DEFENCE = PASS + 1
    RELOAD = FULL_DEFENCE + 1
    ADVANCE = RELOAD + 1
    RETREAT = ADVANCE + 1
    AID = RETREAT + 1
    MELEE = AID + TEAM
    RUN = MELEE + TEAM * ZONES
    SHOOT = RUN + TEAM * ZONES
    TAKE = SHOOT + TEAM * ZONES
    SAVE = TAKE + 1
    PARRY = SAVE + 1
    NO_COUNTER = PARRY + 1
    COUNTER = NO_COUNTER + 1
    KEEP = COUNTER + ZONES
    REROLL = KEEP + 1
    REDUCE = REROLL + 1
    EXECUTE = REDUCE + MAX_REDUCTION + 1
    FORGO = EXECUTE + 1


ACTIONS = Action.FORGO + 1  # those of modules follow
MODULE_ACTIONS = 2

# phases in which somebody is asked (4.3); phases of modules follow
Phase = IntEnum("Phase", "DECLARE FORGO REACT COUNTER FATE_REROLL FATE_REDUCE", start=0)
PHASES = names_of(Phase)
PH_CUSTOM = len(Phase)
ASK_NOBODY = -1

# stations of the main program, in the order of play (4.2): a later one has a higher number
Station = IntEnum(
    "Station",
    """
    ROUND EVENTS ROUND_STEPS REACTION REACTION_FATE ORDER TIES DECLARE TURN PERFORM BLEED DEATH WAKE END_STEPS END
    """,
    start=0,
)
_FIRST_OF_STAGE = {  # parts of a round (section 9), by the station that they begin with
    Station.ROUND: "events",
    Station.ROUND_STEPS: "reaction",
    Station.DECLARE: "declare",
    Station.TURN: "act",
    Station.BLEED: "upkeep",
}
STAGES = (*_FIRST_OF_STAGE.values(), "over")
STAGE_OF_PC = tuple(sum(first <= station for first in _FIRST_OF_STAGE) - 1 for station in Station)

# declarations, as they are observed (4.8); OWN: an action of a module
Declared = IntEnum(
    "Declared",
    "NOT_YET NONE_POSSIBLE PASS FULL_DEFENCE RELOAD ADVANCE RETREAT AID MELEE RUN SHOOT OWN",
    start=0,
)
DECLARED = names_of(Declared)[: Declared.OWN]
ATTACKS = (Declared.MELEE, Declared.RUN, Declared.SHOOT)
NO_TURN = (Declared.NOT_YET, Declared.NONE_POSSIBLE, Declared.PASS, Declared.FULL_DEFENCE)  # nothing to carry out

# modes of an exchange
Mode = IntEnum("Mode", "MELEE RUN COUNTER SHOOT", start=0)
MODES = names_of(Mode)

# kinds of rolls (4.4)
Roll = IntEnum("Roll", "REACTION ATTACK ZONE DAMAGE SAVE PARRY SHOCK DURATION DEATH FIRST_AID", start=0)
ROLLS = names_of(Roll)
PENALTY_ROLLS = ("attack", "parry", "save", "first_aid", "reaction", "shock")  # option wound_penalty_rolls

# purposes of a shock roll and of a duration; CHECK: the roll means what its kind says
Purpose = IntEnum("Purpose", "NONE CHECK HAZARD HAZARD_EVENT ORDEAL TRAUMA WAKE", start=0)

# dice
Die = IntEnum("Die", "NONE ROLL TIE PICK MODULE", start=0)

# where a wound comes from
Source = IntEnum("Source", "ATTACK EVENT FALL BLEEDING", start=0)

# scripted events (4.5)
Script = IntEnum("Script", "WOUND FALL ELECTRIC ORDEAL TRAUMA", start=0)
SCRIPT_KINDS = names_of(Script)

# status (4.8): of several the last
Status = IntEnum("Status", "ABLE UNCONSCIOUS TRAUMA STRUGGLE STABILISED DEAD", start=0)
STATUSES = names_of(Status)

# options
Victory = IntEnum("Victory", "INCAPACITATED DEATH FIRST_BLOOD", start=0)
VICTORIES = names_of(Victory)
Utility = IntEnum("Utility", "WIN MARGIN SURVIVAL", start=0)
UTILITIES = names_of(Utility)
CounterRule = IntEnum("CounterRule", "OFF DECLARED HALF ANY", start=0)
COUNTER_RULES = names_of(CounterRule)
Fumble = IntEnum("Fumble", "NONE JAM BREAK ALLY", start=0)
FUMBLES = names_of(Fumble)
HardBonus = IntEnum("HardBonus", "UNAFFECTED NEEDS_DIE AS_DIE", start=0)
HARD_BONUS = names_of(HardBonus)

# results
Result = IntEnum("Result", "RUNNING WON_A WON_B DRAWN", start=0)

# steps and windows of modules, in the order of the table in hooks.py
Moment = IntEnum("Moment", "ROUND_START TURN ROUND_END", start=0)
WIN_DECLARE = 0

# kinds of events for the log (see text.py); packed by services.emit
Event = IntEnum(
    "Event",
    """
    ROUND ORDER ROLL DECLARE VOID MOVE RELOAD ATTACK FUMBLE STRAY REACT COUNTER WOUND NO_WOUND MERGE REDUCE REROLL FAINT
    LOST_ACTION STRUGGLE DEAD AID BLEED TRAUMA WAKE SCRIPT FORGO END
    """,
    start=0,
)


def state_dtype(fighters: int, extra: list[tuple] | None = None) -> np.dtype:
    """The state record for a capacity in fighters, with `extra` fields of rule modules."""
    F = (fighters,)
    events = EVENTS if fighters > 2 else EVENTS_DUEL
    return np.dtype(
        [
            # where the fight stands
            ("status", "i8"),  # 0 running, 1 ended, 2 stopped by max_decisions
            ("result", "i8"),  # Result
            ("pc", "i8"),  # station of the main program
            ("at", "i8"),  # fighter, place in the order or scripted event that a station has come to
            ("round_no", "i8"),
            ("decisions", "i8"),
            ("ask_phase", "i8"),  # phase of the question, ASK_NOBODY
            ("ask_fighter", "i8"),
            ("ask_owner", "i8"),  # index of the module that asks, -1 the core
            ("step_event", "i8"),  # stepped hook under way, -1 none
            ("step_module", "i8"),
            ("step_fighter", "i8"),
            # the die that is due
            ("die_kind", "i8"),
            ("die_faces", "i8"),
            ("die_owner", "i8"),  # of a module's die
            ("die_what", "i8"),
            ("die_fighter", "i8"),
            # the sheet
            ("kr", "i8", F),
            ("lw", "i8", F),
            ("sw", "i8", F),
            ("tw", "i8", F),
            ("dead", "i8", F),
            ("struggle", "i8", F),
            ("stable", "i8", F),
            ("trauma", "i8", F),
            ("ko_until", "i8", F),  # last round of unconsciousness
            ("struggle_round", "i8", F),  # round in which the death struggle began
            ("death_rolls", "i8", F),
            ("bleeding", "i8", F),
            ("head_penalty", "i8", F),
            ("fate", "i8", F),
            ("pos", "i8", F),
            ("loaded", "i8", F),
            ("reserve", "i8", F),
            ("jammed", "i8", F),
            ("broken", "i8", F),
            ("skip_next", "i8", F),
            # the round
            ("rolled", "i8", F),  # the reaction value is set
            ("react_die", "i8", F),
            ("reaction", "i8", F),
            ("declared", "i8", F),  # Declared
            ("d_target", "i8", F),  # fighter aimed at or aided, -1 none
            ("d_zone", "i8", F),  # zone, or the id of a module's action
            ("acted", "i8", F),
            ("full_defence", "i8", F),
            ("saves_lost", "i8", F),
            ("action_lost", "i8", F),
            ("forfeited", "i8", F),
            ("parries", "i8", F),
            ("counters", "i8", F),
            ("order", "i8", F),  # fighters in acting order
            ("n_order", "i8"),
            ("tie_at", "i8"),  # place in the order that is being drawn
            ("tie_end", "i8"),
            ("fate_done", "i8"),  # fighters who have kept their reaction (bit set)
            ("actor", "i8"),  # fighter whose turn it is, -1 none
            ("bleed_left", "i8"),
            # the exchange under way
            ("x_on", "i8"),
            ("x_attacker", "i8"),
            ("x_target", "i8"),
            ("x_mode", "i8"),
            ("x_zone", "i8"),  # declared
            ("x_hit", "i8"),  # struck zone, 0 not known
            # the roll under way, or the last one
            ("roll_kind", "i8"),  # Roll, -1 none so far
            ("roll_for", "i8"),  # Purpose
            ("roll_owner", "i8"),
            ("roll_other", "i8"),  # the other fighter of the exchange, -1 none
            ("roll_value", "i8"),  # a check succeeds below it
            ("roll_faces", "i8"),
            ("roll_left", "i8"),  # dice still to fall
            ("roll_sum", "i8"),
            ("roll_through", "i8"),  # damage: sum behind hard armour
            ("roll_pack", "i8"),  # the dice, 5 bits each, the first one highest
            ("roll_ok", "i8"),  # a check has succeeded
            ("roll_points", "i8"),  # damage: behind all armour
            ("fate_stage", "i8"),  # who is asked for a repetition: 0 the owner, 1 the other
            # the wound under way
            ("w_on", "i8"),
            ("w_target", "i8"),
            ("w_dealer", "i8"),  # -1 nobody
            ("w_class", "i8"),
            ("w_zone", "i8"),
            ("w_from", "i8"),
            ("ko_faces", "i8"),  # die of the faint that a failed shock roll leads to
            ("ko_head", "i8"),  # it comes from a severe wound at the head
            ("bled", "i8"),  # first blood: teams that have lost (bit set)
            *(extra or []),
            ("n_events", "i8"),
            ("events", "i8", (events,)),
        ],
        align=True,
    )


def param_dtype(fighters: int, extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record: options and fighters; names are those of section 5 where one exists."""
    F, S = (fighters,), (SCRIPTED,)
    return np.dtype(
        [
            ("fighters", "i8"),
            ("by_team", "i8"),  # control = team: seats are teams
            ("private_sheets", "i8"),
            ("max_decisions", "i8"),
            # options
            ("field_length", "i8"),
            ("max_rounds", "i8"),
            ("victory", "i8"),
            ("first_blood_class", "i8"),
            ("utility", "i8"),
            ("draw_by_margin", "i8"),
            ("ties_by_base", "i8"),
            ("surprise_penalty", "i8"),
            ("aiming", "i8"),
            ("allow_full_run", "i8"),
            ("allow_forgo", "i8"),
            ("declare_out_of_reach", "i8"),
            ("full_run_modifier", "i8"),
            ("full_run_damage_bonus", "i8"),
            ("full_run_forfeits_saves", "i8"),
            ("parry_limit", "i8"),
            ("declared_defence_bonus", "i8"),
            ("counter_rule", "i8"),
            ("counter_modifier", "i8"),
            ("counters_per_round", "i8"),
            ("range_mod_medium", "i8"),
            ("range_mod_long", "i8"),
            ("fumble_on", "i8"),
            ("ranged_fumble", "i8"),
            ("cover_available", "i8"),
            ("hard_vs_bonus", "i8"),
            ("shock_on_cumulation", "i8"),
            ("half_shock_up", "i8"),
            ("head_sw_extra_penalty", "i8"),
            ("tw_penalty", "i8"),
            ("hazard_faints", "i8"),
            ("hazard_penalty", "i8"),
            ("bleeds", "i8"),
            ("death_first_penalty", "i8"),
            ("death_step", "i8"),
            ("death_next_round", "i8"),
            ("fate_enabled", "i8"),
            ("fate_involved", "i8"),
            ("fate_always", "i8"),
            ("fate_rolls", "i8"),  # bit set of Roll
            ("penalty_rolls", "i8"),  # bit set of Roll
            # fighters
            ("team", "i8", F),
            ("seat_of", "i8", F),  # seat that decides for the fighter
            ("character", "i8", F),
            ("wah", "i8", F),
            ("agl", "i8", F),
            ("res", "i8", F),
            ("wil", "i8", F),
            ("melee_skill", "i8", F),
            ("ranged_skill", "i8", F),
            ("first_aid", "i8", F),
            ("magic_resistance", "i8", F),
            ("damage_bonus", "i8", F),
            ("fate", "i8", F),
            ("position", "i8", F),
            ("reaction_mod", "i8", F),
            ("roll_mod", "i8", F),
            ("tw_capacity", "i8", F),
            ("surprised", "i8", F),
            ("kr", "i8", F),
            ("lw", "i8", F),
            ("sw", "i8", F),
            ("bleeding", "i8", F),
            ("loaded", "i8", F),
            # what follows from them
            ("shock", "i8", F),  # S = RES + WIL
            ("cap_kr", "i8", F),
            ("cap_lw", "i8", F),
            ("cap_sw", "i8", F),
            ("reach", "i8", F),  # metres within which a covered attack reaches (R13, R15)
            ("run_reach", "i8", F),  # the same of a full run (R20)
            ("run_distance", "i8", F),  # metres of a move (R17)
            ("hard", "i8", (fighters, ZONES)),
            ("soft", "i8", (fighters, ZONES)),
            ("m_dice", "i8", F),  # melee weapon
            ("m_sides", "i8", F),
            ("m_electric", "i8", F),
            ("m_bonus", "i8", F),
            ("r_has", "i8", F),  # ranged weapon
            ("r_dice", "i8", F),
            ("r_sides", "i8", F),
            ("r_electric", "i8", F),
            ("r_bonus", "i8", F),
            ("r_range", "i8", F),
            ("r_capacity", "i8", F),
            ("r_reserve", "i8", F),
            ("r_magic", "i8", F),
            ("enemy", "i8", (fighters, TEAM)),  # fighter in an enemy slot, -1 none
            ("ally", "i8", (fighters, TEAM)),  # fighter in an ally slot, 0 oneself
            ("block", "i8", (fighters, fighters)),  # observation block of a fighter (column) for another (row)
            # scripted events
            ("scripted", "i8"),
            ("s_round", "i8", S),
            ("s_fighter", "i8", S),
            ("s_kind", "i8", S),
            ("s_wound", "i8", S),
            ("s_zone", "i8", S),
            *(extra or []),
        ],
        align=True,
    )
