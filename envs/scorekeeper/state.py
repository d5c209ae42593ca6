"""The state record of Scorekeeper, its codes, and the parameter record; one named field a line.

Fighters are numbered in setup order. Zones: 0 none or not aimed, 1..7 in table order. Wound classes: 0 none, 1 KR,
2 LW, 3 SW, 4 TW.
"""

from __future__ import annotations

import numpy as np

MAXF = 8  # capacity in fighters: 2 or 8, bound by build
EVENTS = 96  # capacity of the event list of one step, bound by build
EVENTS_DUEL = 40
TEAM = 4  # fighters of a team at most
ZONES = 8  # not aimed or none, and the seven zones
SCRIPTED = 64  # capacity in scripted events (4.5)
WORDS = 4

ZONE_CODES = ("any", "right_leg", "left_leg", "abdomen", "chest", "right_arm", "left_arm", "head")
Z_NONE, Z_RIGHT_LEG, Z_LEFT_LEG, Z_ABDOMEN, Z_CHEST, Z_RIGHT_ARM, Z_LEFT_ARM, Z_HEAD = range(8)
ZONE_OF_D20 = (0, *[1] * 4, *[2] * 4, *[3] * 2, *[4] * 4, *[5] * 2, *[6] * 2, *[7] * 2)  # R42, by the number thrown
AIM = (0, 3, 3, 2, 2, 4, 4, 6)  # R23
CLASS_CODES = ("none", "KR", "LW", "SW", "TW")
KR, LW, SW, TW = 1, 2, 3, 4
KINDS = ("character", "vehicle", "aircraft", "ship")

# actions (4.7)
PASS, FULL_DEFENCE, RELOAD, ADVANCE, RETREAT, AID, MELEE, RUN, SHOOT = 0, 1, 2, 3, 4, 5, 9, 41, 73
TAKE, SAVE, PARRY, NO_COUNTER, COUNTER, KEEP, REROLL, REDUCE, EXECUTE, FORGO = (
    105, 106, 107, 108, 109, 117, 118, 119, 124, 125,
)  # fmt: skip
ACTIONS = 126  # those of modules follow
MODULE_ACTIONS = 2

# phases in which somebody is asked (4.3); phases of modules follow
PHASES = ("declare", "forgo", "react", "counter", "fate_reroll", "fate_reduce")
PH_DECLARE, PH_FORGO, PH_REACT, PH_COUNTER, PH_REROLL, PH_REDUCE, PH_CUSTOM = range(7)
ASK_NOBODY = -1

# stations of the main program, in the order of play (4.2)
(
    PC_ROUND, PC_EVENTS, PC_ROUND_STEPS, PC_REACTION, PC_REACTION_FATE, PC_ORDER, PC_TIES, PC_DECLARE, PC_TURN,
    PC_PERFORM, PC_BLEED, PC_DEATH, PC_WAKE, PC_END_STEPS, PC_END,
) = range(15)  # fmt: skip
STAGES = ("events", "reaction", "declare", "act", "upkeep", "over")  # names of the parts of a round (section 9)
STAGE_OF_PC = (0, 0, 1, 1, 1, 1, 1, 2, 3, 3, 4, 4, 4, 4, 4)

# declarations, as they are observed (4.8)
DECLARED = (
    "not_yet", "none_possible", "pass", "full_defence", "reload", "advance", "retreat", "aid", "melee", "run", "shoot",
)  # fmt: skip
(
    D_NOT_YET, D_NONE, D_PASS, D_FULL_DEFENCE, D_RELOAD, D_ADVANCE, D_RETREAT, D_AID, D_MELEE, D_RUN, D_SHOOT, D_OWN,
) = range(12)  # fmt: skip

# modes of an exchange
MODES = ("melee", "run", "counter", "shoot")
M_MELEE, M_RUN, M_COUNTER, M_SHOOT = range(4)

# kinds of rolls (4.4), and what a roll is for
ROLLS = ("reaction", "attack", "zone", "damage", "save", "parry", "shock", "duration", "death", "first_aid")
(
    K_REACTION, K_ATTACK, K_ZONE, K_DAMAGE, K_SAVE, K_PARRY, K_SHOCK, K_DURATION, K_DEATH, K_FIRST_AID,
) = range(10)  # fmt: skip
PENALTY_ROLLS = ("attack", "parry", "save", "first_aid", "reaction", "shock")  # option wound_penalty_rolls
R_NONE, R_CHECK, R_HAZARD, R_HAZARD_EVENT, R_ORDEAL, R_TRAUMA, R_WAKE = range(7)  # purposes of a shock roll and of a
# duration; R_CHECK: the roll means what its kind says

# dice
DIE_NONE, DIE_ROLL, DIE_TIE, DIE_PICK, DIE_MODULE = range(5)

# where a wound comes from
W_ATTACK, W_EVENT, W_FALL, W_BLEEDING = range(4)

# scripted events (4.5)
SCRIPT_KINDS = ("wound", "fall", "electric", "ordeal", "trauma")
S_WOUND, S_FALL, S_ELECTRIC, S_ORDEAL, S_TRAUMA = range(5)

# status (4.8): of several the last
STATUSES = ("able", "unconscious", "trauma", "struggle", "stabilised", "dead")
ABLE, UNCONSCIOUS, TRAUMA, STRUGGLE, STABILISED, DEAD = range(6)

# options
VICTORIES = ("incapacitated", "death", "first_blood")
BY_INCAPACITY, BY_DEATH, BY_FIRST_BLOOD = range(3)
UTILITIES = ("win", "margin", "survival")
PAY_WIN, PAY_MARGIN, PAY_SURVIVAL = range(3)
COUNTER_RULES = ("off", "declared", "half", "any")
COUNTER_OFF, COUNTER_DECLARED, COUNTER_HALF, COUNTER_ANY = range(4)
FUMBLES = ("none", "jam", "break", "ally")
FUMBLE_NONE, FUMBLE_JAM, FUMBLE_BREAK, FUMBLE_ALLY = range(4)
HARD_BONUS = ("unaffected", "needs_die", "as_die")
HB_UNAFFECTED, HB_NEEDS_DIE, HB_AS_DIE = range(3)

# results
RUNNING, WON_A, WON_B, DRAWN = range(4)

# steps and windows of modules
EV_ROUND_START, EV_TURN, EV_ROUND_END = range(3)
WIN_DECLARE = 0

# kinds of events for the log (see text.py); packed by services.emit
(
    E_ROUND, E_ORDER, E_ROLL, E_DECLARE, E_VOID, E_MOVE, E_RELOAD, E_ATTACK, E_FUMBLE, E_STRAY, E_REACT, E_COUNTER,
    E_WOUND, E_NO_WOUND, E_MERGE, E_REDUCE, E_REROLL, E_FAINT, E_LOST_ACTION, E_STRUGGLE, E_DEAD, E_AID, E_BLEED,
    E_TRAUMA, E_WAKE, E_SCRIPT, E_FORGO, E_END,
) = range(28)  # fmt: skip


def state_dtype(fighters: int, extra: list[tuple] | None = None) -> np.dtype:
    """The state record for a capacity in fighters, with `extra` fields of rule modules."""
    F = (fighters,)
    events = EVENTS if fighters > 2 else EVENTS_DUEL
    return np.dtype(
        [
            # where the fight stands
            ("status", "i8"),  # 0 running, 1 ended, 2 stopped by max_decisions
            ("result", "i8"),  # RUNNING, WON_A, WON_B, DRAWN
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
            ("declared", "i8", F),  # D_...
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
            ("roll_kind", "i8"),  # K_..., -1 none so far
            ("roll_for", "i8"),  # R_...
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
            ("fate_rolls", "i8"),  # bit set of K_...
            ("penalty_rolls", "i8"),  # bit set of K_...
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
