"""The state record of Scorekeeper, its codes, and the parameter record; one named field a line.

Fighters are numbered in setup order. Zones: 0 none or not aimed, 1..7 in table order. Wound classes: 0 none, 1 KR,
2 LW, 3 SW, 4 TW.
"""

from __future__ import annotations

from enum import IntEnum
from math import inf

import numpy as np

from ..core.codes import names_of
from ..core.events import EventLayout
from ..core.fields import COUNT, FLAG, OWNER, WHOLE, Number, Size, Values, number, record_of, span

MAXF = 8  # capacity in fighters: 2 or 8, bound by build
EVENTS = 96  # capacity of the event list of one step, bound by build
EVENTS_DUEL = 40
TEAM = 4  # fighters of a team at most
MAX_REDUCTION = 4  # fate points against one wound
SCRIPTED = 64  # capacity in scripted events (4.5)
WORDS = 4  # of a legal-action set, bound by build

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
MODULE_ACTIONS = 32  # most actions of all modules together

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
EVENT = EventLayout(kind=(6, 0), who=(5, -1), a=(16, -4096), b=(36, 0))
Event = IntEnum(
    "Event",
    """
    ROUND ORDER ROLL DECLARE VOID MOVE RELOAD ATTACK FUMBLE STRAY REACT COUNTER WOUND NO_WOUND MERGE REDUCE REROLL FAINT
    LOST_ACTION STRUGGLE DEAD AID BLEED TRAUMA WAKE SCRIPT FORGO END
    """,
    start=0,
)


NO_FIGHTER = Values("a fighter, -1 none", -1, MAXF - 1)


def state_numbers(fighters: int) -> list[Number]:
    """The fields of the state record for a capacity in fighters, those of rule modules apart."""
    F = (Size(fighters, "fighter"),)
    events = EVENTS if fighters > 2 else EVENTS_DUEL
    return [
        number("status", span(0, 2), "0 running, 1 ended, 2 stopped by max_decisions"),
        number("result", Result, "how the fight ended"),
        number("pc", Station, "station of the main program"),
        number("at", span(-1, inf), "fighter, place in the order or scripted event that a station has come to"),
        number("round_no", COUNT, "number of the running round, from 1"),
        number("decisions", COUNT, "decisions taken so far"),
        number("ask_phase", WHOLE, "phase of the question, ASK_NOBODY"),
        number("ask_fighter", NO_FIGHTER, "fighter who is asked"),
        number("ask_owner", OWNER, "index of the module that asks, -1 the core"),
        number("step_event", span(-1, 2), "stepped hook under way, -1 none"),
        number("step_module", COUNT, "place of the module that is told"),
        number("step_fighter", COUNT, "fighter whom it is told of"),
        # the die that is due
        number("die_kind", Die, "what the die that is due decides"),
        number("die_faces", COUNT, "its faces, 0 none"),
        number("die_owner", OWNER, "module whose die it is"),
        number("die_what", WHOLE, "what a module's die decides, a number of its own"),
        number("die_fighter", NO_FIGHTER, "fighter whose die it is"),
        # the sheet
        number("kr", COUNT, "scratches (KR)", F),
        number("lw", COUNT, "light wounds (LW)", F),
        number("sw", COUNT, "severe wounds (SW)", F),
        number("tw", COUNT, "deadly wounds (TW)", F),
        number("dead", FLAG, "the fighter is dead", F),
        number("struggle", FLAG, "in death struggle", F),
        number("stable", FLAG, "in death struggle, but stabilised", F),
        number("trauma", FLAG, "in trauma", F),
        number("ko_until", COUNT, "last round of unconsciousness", F),
        number("struggle_round", COUNT, "round in which the death struggle began", F),
        number("death_rolls", COUNT, "rolls of the death struggle so far", F),
        number("bleeding", COUNT, "wounds that bleed", F),
        number("head_penalty", WHOLE, "penalty for severe wounds at the head", F),
        number("fate", COUNT, "fate points left", F),
        number("pos", COUNT, "place on the field in metres", F),
        number("loaded", COUNT, "shots in the ranged weapon", F),
        number("reserve", COUNT, "shots in reserve", F),
        number("jammed", FLAG, "the ranged weapon is jammed", F),
        number("broken", FLAG, "the ranged weapon is broken", F),
        number("skip_next", FLAG, "the fighter loses the next action", F),
        # the round
        number("rolled", FLAG, "the reaction value is set", F),
        number("react_die", span(0, 20), "die of the reaction roll", F),
        number("reaction", WHOLE, "reaction value of the round", F),
        number("declared", Declared, "what the fighter has declared", F),
        number("d_target", NO_FIGHTER, "fighter aimed at or aided, -1 none", F),
        number("d_zone", COUNT, "zone, or the id of a module's action", F),
        number("acted", FLAG, "the fighter's turn is over", F),
        number("full_defence", FLAG, "in full defence", F),
        number("saves_lost", FLAG, "no saving throws in this round", F),
        number("action_lost", FLAG, "the action of this round is lost", F),
        number("forfeited", FLAG, "the action was forgone", F),
        number("parries", COUNT, "parries of this round", F),
        number("counters", COUNT, "counter-attacks of this round", F),
        number("order", NO_FIGHTER, "fighters in acting order", F),
        number("n_order", COUNT, "how many fighters have a place in the order"),
        number("tie_at", COUNT, "place in the order that is being drawn"),
        number("tie_end", COUNT, "place behind the tie that is being drawn"),
        number("fate_done", COUNT, "fighters who have kept their reaction (bit set)"),
        number("actor", NO_FIGHTER, "fighter whose turn it is, -1 none"),
        number("bleed_left", span(-1, inf), "wounds of the fighter that are still to bleed, -1 not begun"),
        # the exchange under way
        number("x_on", FLAG, "an exchange is going on"),
        number("x_attacker", NO_FIGHTER, "attacker"),
        number("x_target", NO_FIGHTER, "fighter attacked"),
        number("x_mode", Mode, "mode of the attack"),
        number("x_zone", Zone, "declared"),
        number("x_hit", Zone, "struck zone, 0 not known"),
        # the roll under way, or the last one
        number("roll_kind", span(-1, 9), "Roll, -1 none so far"),
        number("roll_for", Purpose, "Purpose"),
        number("roll_owner", NO_FIGHTER, "fighter who rolls"),
        number("roll_other", NO_FIGHTER, "the other fighter of the exchange, -1 none"),
        number("roll_value", WHOLE, "a check succeeds below it"),
        number("roll_faces", COUNT, "faces of its dice"),
        number("roll_left", COUNT, "dice still to fall"),
        number("roll_sum", WHOLE, "sum of the dice that have fallen"),
        number("roll_through", WHOLE, "damage: sum behind hard armour"),
        number("roll_pack", COUNT, "the dice, 5 bits each, the first one highest"),
        number("roll_ok", FLAG, "a check has succeeded"),
        number("roll_points", COUNT, "damage: behind all armour"),
        number("fate_stage", FLAG, "who is asked for a repetition: 0 the owner, 1 the other"),
        # the wound under way
        number("w_on", FLAG, "a wound is being dealt with"),
        number("w_target", NO_FIGHTER, "fighter wounded"),
        number("w_dealer", NO_FIGHTER, "-1 nobody"),
        number("w_class", Wound, "its class"),
        number("w_zone", Zone, "its zone"),
        number("w_from", Source, "where it comes from"),
        number("ko_faces", COUNT, "die of the faint that a failed shock roll leads to"),
        number("ko_head", FLAG, "it comes from a severe wound at the head"),
        number("bled", span(0, 3), "first blood: teams that have lost (bit set)"),
        number("n_events", COUNT, "events of the last step"),
        number("events", WHOLE, "the events, packed (service emit)", (Size(events, "event"),)),
    ]


def state_dtype(fighters: int, extra: list[tuple] | None = None) -> np.dtype:
    """The state record, with `extra` fields of rule modules."""
    return record_of([*state_numbers(fighters), *(extra or [])], align=True)


def param_numbers(fighters: int) -> list[Number]:
    """The fields of the parameter record: options and fighters; names are those of section 5 where one exists."""
    F, S = (Size(fighters, "fighter"),), (Size(SCRIPTED, "script"),)
    Z, T = Size(ZONES, "zone"), Size(TEAM, "slot")
    return [
        number("fighters", span(2, 8), "fighters"),
        number("by_team", FLAG, "control = team: seats are teams"),
        number("private_sheets", FLAG, "each seat sees its own sheets only"),
        number("max_decisions", COUNT, "decisions after which the game is stopped"),
        # options
        number("field_length", span(1, 200), "length of the field in metres"),
        number("max_rounds", span(1, 200), "rounds after which the fight is over"),
        number("victory", Victory, "what loses a fight"),
        number("first_blood_class", Wound, "class of the wound that counts as first blood"),
        number("utility", Utility, "what the payoffs are"),
        number("draw_by_margin", FLAG, "a draw goes to the side that stands better"),
        number("ties_by_base", FLAG, "equal reactions go by the base value, not by lot"),
        number("surprise_penalty", span(0, 20), "penalty of the surprised"),
        number("aiming", FLAG, "attacks may be aimed at a zone"),
        number("allow_full_run", FLAG, "attacks may be made from a full run"),
        number("allow_forgo", FLAG, "an action may be forgone"),
        number("declare_out_of_reach", FLAG, "attacks may be declared that do not reach"),
        number("full_run_modifier", span(-10, 10), "modifier of attacks from a full run"),
        number("full_run_damage_bonus", span(0, 10), "damage that a full run adds"),
        number("full_run_forfeits_saves", FLAG, "who runs has no saving throws"),
        number("parry_limit", COUNT, "parries of a round, 0 without limit"),
        number("declared_defence_bonus", span(0, 10), "bonus of parries in a declared full defence"),
        number("counter_rule", CounterRule, "who may counter"),
        number("counter_modifier", span(-10, 10), "modifier of counter-attacks"),
        number("counters_per_round", span(1, 8), "counter-attacks of a round"),
        number("range_mod_medium", WHOLE, "modifier at medium range"),
        number("range_mod_long", WHOLE, "modifier at long range"),
        number("fumble_on", COUNT, "d20 from which on an attack is a fumble"),
        number("ranged_fumble", Fumble, "what a fumbled shot does"),
        number("cover_available", FLAG, "there is cover to take"),
        number("hard_vs_bonus", HardBonus, "what hard armour does to fixed bonuses"),
        number("shock_on_cumulation", FLAG, "cumulated wounds cost a shock roll too"),
        number("half_shock_up", FLAG, "half of the shock value is rounded up"),
        number("head_sw_extra_penalty", WHOLE, "further penalty for a severe wound at the head"),
        number("tw_penalty", WHOLE, "penalty of a deadly wound"),
        number("hazard_faints", FLAG, "a failed shock roll of a hazard faints"),
        number("hazard_penalty", WHOLE, "penalty of shock rolls of hazards"),
        number("bleeds", FLAG, "wounds bleed"),
        number("death_first_penalty", WHOLE, "penalty of the first roll of a death struggle"),
        number("death_step", WHOLE, "what every further roll adds to it"),
        number("death_next_round", FLAG, "the first roll falls in the round after"),
        number("fate_enabled", FLAG, "fate points are in play"),
        number("fate_involved", FLAG, "both fighters of a roll may have it repeated"),
        number("fate_always", FLAG, "fate_ask = always: whoever rolls is asked every time, not only where it matters"),
        number("fate_rolls", COUNT, "rolls that fate repeats (bit set of Roll)"),
        number("penalty_rolls", COUNT, "rolls that wounds make harder (bit set of Roll)"),
        # fighters
        number("team", FLAG, "team: 0 a, 1 b", F),
        number("seat_of", COUNT, "seat that decides for the fighter", F),
        number("character", FLAG, "a person, no vehicle", F),
        number("wah", COUNT, "perception (WAH)", F),
        number("agl", COUNT, "agility (AGL)", F),
        number("res", COUNT, "resistance (RES)", F),
        number("wil", COUNT, "will (WIL)", F),
        number("melee_skill", WHOLE, "melee skill", F),
        number("ranged_skill", WHOLE, "ranged skill", F),
        number("first_aid", WHOLE, "skill in first aid", F),
        number("magic_resistance", WHOLE, "magic resistance", F),
        number("damage_bonus", WHOLE, "damage bonus in melee", F),
        number("fate", COUNT, "fate points at the start", F),
        number("position", COUNT, "place at the start in metres", F),
        number("reaction_mod", WHOLE, "modifier of reaction rolls", F),
        number("roll_mod", WHOLE, "modifier of all other rolls", F),
        number("tw_capacity", COUNT, "deadly wounds that a fighter bears", F),
        number("surprised", FLAG, "surprised in the first round", F),
        number("kr", COUNT, "scratches at the start", F),
        number("lw", COUNT, "light wounds at the start", F),
        number("sw", COUNT, "severe wounds at the start", F),
        number("bleeding", COUNT, "bleeding wounds at the start", F),
        number("loaded", COUNT, "shots in the weapon at the start", F),
        # what follows from them
        number("shock", WHOLE, "S = RES + WIL", F),
        number("cap_kr", COUNT, "scratches that make a light wound", F),
        number("cap_lw", COUNT, "light wounds that make a severe wound", F),
        number("cap_sw", COUNT, "severe wounds that make a deadly wound", F),
        number("reach", COUNT, "metres within which a covered attack reaches (R13, R15)", F),
        number("run_reach", COUNT, "the same of a full run (R20)", F),
        number("run_distance", COUNT, "metres of a move (R17)", F),
        number("hard", COUNT, "hard armour of each zone", (*F, Z)),
        number("soft", COUNT, "soft armour of each zone", (*F, Z)),
        number("m_dice", COUNT, "melee weapon: dice of damage", F),
        number("m_sides", COUNT, "melee weapon: faces of its dice", F),
        number("m_electric", COUNT, "melee weapon: number of its electric charge, 0 none", F),
        number("m_bonus", WHOLE, "melee weapon: added to the damage", F),
        number("r_has", FLAG, "there is a ranged weapon", F),
        number("r_dice", COUNT, "ranged weapon: dice of damage", F),
        number("r_sides", COUNT, "ranged weapon: faces of its dice", F),
        number("r_electric", COUNT, "ranged weapon: number of its electric charge, 0 none", F),
        number("r_bonus", WHOLE, "ranged weapon: added to the damage", F),
        number("r_range", COUNT, "ranged weapon: range in metres", F),
        number("r_capacity", COUNT, "ranged weapon: shots of a magazine", F),
        number("r_reserve", COUNT, "ranged weapon: shots in reserve at the start", F),
        number("r_magic", FLAG, "ranged weapon: magic", F),
        number("enemy", NO_FIGHTER, "fighter in an enemy slot, -1 none", (*F, T)),
        number("ally", NO_FIGHTER, "fighter in an ally slot, 0 oneself", (*F, T)),
        number("block", WHOLE, "observation block of a fighter (column) for another (row)", (*F, *F)),
        # scripted events
        number("scripted", COUNT, "scripted events"),
        number("s_round", COUNT, "round of each scripted event", S),
        number("s_fighter", NO_FIGHTER, "fighter whom it befalls", S),
        number("s_kind", Script, "its kind", S),
        number("s_wound", Wound, "class of its wound", S),
        number("s_zone", Zone, "zone of its wound", S),
    ]


def param_dtype(fighters: int, extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record, with `extra` fields of rule modules."""
    return record_of([*param_numbers(fighters), *(extra or [])], align=True)


# what the constants mean that hooks may import from here; several of one meaning together
MEANINGS = {
    "Action": "first id of every block of actions: aid by ally slot, attacks by enemy slot and zone",
    "MAXF": "capacity in fighters",
    "TEAM": "fighters of a team at most",
    "Zone": "where a blow lands",
    "Wound": "classes of wounds, from a scratch (KR) to a deadly one (TW)",
    "Declared": "what a fighter has declared; OWN: an action of a module",
    "ATTACKS": "declarations that are attacks",
    "NO_TURN": "declarations with nothing to carry out",
    "Mode": "kinds of attacks",
    "Roll": "kinds of rolls (hook `check`)",
    "Purpose": "what a shock roll is for (hook `shock_value`)",
    "Status": "how a fighter is; of several the last",
    "Result": "how the fight ended",
    "Phase": "what is asked",
    "ASK_NOBODY": "no phase: nobody is asked",
    "Event": "kinds of events (service `emit`)",
    "Station": "stations of the main program, in the order of play",
    "Moment": "hooks that are told step by step",
    "WIN_DECLARE": "the window in which actions are declared",
    "Die": "what a die decides",
    "Source": "where a wound comes from",
    "Script": "kinds of scripted events",
    "Victory": "option victory",
    "Utility": "option utility",
    "CounterRule": "option counter_rule",
    "Fumble": "option ranged_fumble",
    "HardBonus": "option hard_vs_bonus",
}
