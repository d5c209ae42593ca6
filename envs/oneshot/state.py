"""The records of OneShot's games: named fields, and the numbers that the kernels share.

Over 500 lines because all records of the system and the numbers that its kernels share stand in one place.
"""

from __future__ import annotations

import numpy as np

from .character.kit import MAX_TOOLS
from .params import OPTION_FIELDS

# --- actions ----------------------------------------------------------------------------------------------------------
END_TURN, MOVE, ATTACK, EDGE, EXECUTE, HEAL, SALTS, FLASK = 0, 1, 85, 93, 105, 109, 113, 117
DECLINE, SAGA, LUCK, WEAK_SPOT = 121, 122, 123, 124
GO, ABORT, ASSIGN, USE_TOOL, NO_TOOL, FIGHT, AMBUSH, BYPASS, TALK = 125, 129, 130, 134, 135, 136, 137, 138, 139
T_RECOVER, T_READ, T_LEAVE = 3, 4, 5  # added to TALK, which the rule set binds (0 in parley)
PARLEY_DECLINE, PARLEY_SAGA, PARLEY_LUCK, TRIPLE, SPLIT = 6, 7, 8, 9, 21
PROBE, BELIEVE, DOUBT, TELL_TRUTH, TELL_LIE = 31, 32, 33, 34, 35
MOVES = 84
_OFFSETS = sorted(
    ((dx, dy) for dx in range(-6, 7) for dy in range(-6, 7) if 1 <= abs(dx) + abs(dy) <= 6),
    key=lambda o: (abs(o[0]) + abs(o[1]), o[1], o[0]),
)
OFFSET_X = np.array([x for x, _ in _OFFSETS], dtype=np.int64)
OFFSET_Y = np.array([y for _, y in _OFFSETS], dtype=np.int64)
# the 12 attribute triples that sum to 5, ascending lexicographic: body, mind, charisma
_TRIPLES = [(b, m, 5 - b - m) for b in range(4) for m in range(4) if 0 <= 5 - b - m <= 3]
TRIPLES = np.array(_TRIPLES, dtype=np.int64)
N_TRIPLES = 12
MACROS = ("hold", "nearest", "weakest", "retreat", "range", "ally", "cover")

# --- nodes ------------------------------------------------------------------------------------------------------------
PHASES = (
    "turn", "react_fail", "react_six", "react_wound", "react_weak_spot", "talk", "explore", "approach", "assign",
    "tool", "triple", "split", "claim_tell", "claim_probe", "claim_judge",
    "build_perks", "build_attributes", "build_physical", "build_combat", "build_social", "build_skills", "build_weapon",
    "build_armour", "build_item", "build_tactic",
)  # fmt: skip
(
    N_TURN, N_FAIL, N_SIX, N_WOUND, N_WEAK, N_TALK, N_EXPLORE, N_APPROACH, N_ASSIGN, N_TOOL, N_TRIPLE, N_SPLIT, N_TELL,
    N_PROBE, N_JUDGE, N_BUILD,
) = range(16)  # fmt: skip
NOBODY = -1

# --- figures ----------------------------------------------------------------------------------------------------------
UP, UNCONSCIOUS, DEAD, ABSENT = 0, 1, 2, 3
STATUS = ("up", "unconscious", "dead", "absent")
STRENGTH, STAMINA, AGILITY = 0, 1, 2
AGGRESSIVE, CUNNING, DIPLOMATIC = 0, 1, 2
MELEE, RANGED = 1, 2
RANKS = ("lore_race", "insight", "sneaking", "mechanics", "lore_architecture")
K_LORE, K_INSIGHT, K_SNEAKING, K_MECHANICS, K_ARCHITECTURE = range(5)
I_HEAL, I_SALTS, I_FLASK = 0, 1, 2
P_WEAK_SPOT, P_LUCK, P_FINESSE = 1 << 4, 1 << 5, 1 << 3  # bits of `perks`, in the order of kit.PERKS
SHEET: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("value", (3,)),  # body, mind, charisma
    ("physical", (3,)),  # strength, stamina, agility
    ("combat", (3,)),  # base attack, base defence, base initiative
    ("social", (3,)),  # aggressive, cunning, diplomatic
    ("attack", ()),
    ("defence", ()),  # with armour
    ("initiative", ()),
    ("limit", ()),
    ("hardened", ()),
    ("armour_malus", ()),
    ("move_range", ()),
    ("rank", (5,)),  # see RANKS
    ("w_kind", (2,)),  # 0 none, MELEE, RANGED
    ("w_damage", (2,)),
    ("w_range", (2,)),
    ("w_rank", (2,)),
    ("w_number", (2,)),  # place in the kit
    ("perks", ()),
    ("items", (3,)),
)
SHEET_SIZE = sum(int(np.prod(shape)) for _, shape in SHEET)
ARCHETYPES, MAX_POINTS = 6, 24

# --- dice and checks --------------------------------------------------------------------------------------------------
DIE_NONE, DIE_INITIATIVE, DIE_ORDER, DIE_CHECK, DIE_CONFIRM, DIE_DAMAGE, DIE_WAKE, DIE_ENTER = range(8)
DIE_TRIPLE, DIE_COIN, DIE_LIAR, DIE_LISTENER, DIE_TRUTH, DIE_REDEAL, DIE_TAPE, DIE_EVENT, DIE_RELATION = range(8, 17)
DIE_SPLIT, DIE_TRAP, DIE_STAGE = 17, 18, 19
OUTCOMES = (
    "success", "critical_success", "near_miss", "failure", "critical_failure", "recovered", "not_recovered", "read",
    "unread",
)  # fmt: skip
O_SUCCESS, O_CRITICAL, O_NEAR, O_FAILURE, O_DISASTER, O_RECOVERED, O_NOT_RECOVERED, O_READ, O_UNREAD = range(9)
RESULTS = ("", "success", "left", "broken", "draw")
X_NONE, X_SUCCESS, X_LEFT, X_BROKEN, X_DRAW = range(5)
(
    CK_NONE, CK_ATTACK, CK_WEAK, CK_EDGE, CK_SURVIVE, CK_TALK, CK_RECOVER, CK_READ, CK_SNEAK, CK_TRAP, CK_PUZZLE,
) = range(11)  # fmt: skip

# --- stages of a fight ------------------------------------------------------------------------------------------------
F_NONE, F_INIT, F_PICK, F_ORDER, F_MEMBER, F_TURN, F_RESOLVE, F_CLOSE, F_OVER, F_ENTER = range(10)
T_NONE, T_ATTACK, T_FLASK = 0, 1, 2  # what a wound comes from

# --- events for the reader --------------------------------------------------------------------------------------------
EVENTS = 48
EVENT_KINDS = (
    "none", "initiative", "turn", "move", "attack", "hit", "miss", "damage", "wound", "averted", "survival", "edge",
    "no_edge", "execute", "heal", "wake", "flask", "count", "end", "luck", "saga", "weak_spot", "talk", "recover",
    "read", "leave", "choice", "enter", "room", "event", "check", "alarm", "condition", "mission", "tell", "sign",
    "judge", "healed",
)  # fmt: skip
(
    E_NONE, E_INITIATIVE, E_TURN, E_MOVE, E_ATTACK, E_HIT, E_MISS, E_DAMAGE, E_WOUND, E_AVERTED, E_SURVIVAL, E_EDGE,
    E_NO_EDGE, E_EXECUTE, E_HEAL, E_WAKE, E_FLASK, E_COUNT, E_END, E_LUCK, E_SAGA, E_WEAK, E_TALK, E_RECOVER, E_READ,
    E_LEAVE, E_CHOICE, E_ENTER, E_ROOM, E_EVENT, E_CHECK, E_ALARM, E_CONDITION, E_MISSION, E_TELL, E_SIGN, E_JUDGE,
    E_HEALED,
) = range(38)  # fmt: skip

# Numbers that the rule set binds (constants of Sources); these stand for the skirmish.
FIGURES = 8  # capacity in figures
SEATS_MAX = 8
MISSION = False
MACRO = False
GRID_MAX = 24


def sheet_fields(figures: int) -> list[tuple]:
    """Fields of the sheets of all figures."""
    return [(name, "i8", (figures, *shape)) for name, shape in SHEET]


COMMON: list[tuple] = [
    ("status_of_game", "i8"),  # 0 running, 1 ended, 2 stopped
    ("decisions", "i8"),
    ("node", "i8"),  # decision that is due, NOBODY none
    ("ask_phase", "i8"),
    ("asked", "i8"),  # figure (or talker) that decides
    ("die_kind", "i8"),
    ("die_faces", "i8"),
    ("die_at", "i8"),  # figure whose die it is
    ("winner", "i8"),  # team, -1 draw or none
    ("public", "i8"),
    # the check that is being made
    ("ck_kind", "i8"),
    ("ck_done", "i8"),
    ("ck_who", "i8"),
    ("ck_mod", "i8"),
    ("ck_need", "i8"),
    ("ck_conf", "i8"),  # natural 1 and 6 are confirmed
    ("ck_stake", "i8"),  # a critical failure has an effect
    ("ck_bonus", "i8"),  # a critical success has an effect
    ("ck_natural", "i8"),
    ("ck_confirm", "i8"),
    ("ck_total", "i8"),
    ("ck_plain", "i8"),
    ("ck_auto", "i8"),  # -1 automatic failure, 1 automatic success
    ("ck_crit", "i8"),
    ("ck_win", "i8"),
    ("re_saga", "i8"),  # options of the reaction node
    ("re_luck", "i8"),
]


def fight_fields(figures: int) -> list[tuple]:
    """Fields of a fight."""
    F = (figures,)
    return [
        *sheet_fields(figures),
        ("team", "i8", F),
        ("span", "i8", F),  # size of the footprint
        ("auto", "i8", F),  # played by the environment
        ("x", "i8", F),
        ("y", "i8", F),
        ("wounds", "i8", F),
        ("standing", "i8", F),  # status
        ("saga", "i8", F),
        ("luck", "i8", F),
        ("init_mod", "i8", F),
        ("target_mod", "i8", F),
        ("burden", "i8", F),  # further malus on every die but initiative
        ("start_wounds", "i8", F),
        ("start_up", "i8", F),
        ("c_init", "i8", F),  # combat initiative, 0 none
        ("due", "i8", F),  # next count with a turn
        ("late", "i8", F),  # rolled after the fight had begun
        ("moved", "i8", F),
        ("acted", "i8", F),
        ("stage", "i8"),
        ("surprise", "i8"),  # the surprise turns are going on
        ("count", "i8"),
        ("last_init", "i8"),  # group that had its turns last
        ("last_key", "i8"),
        ("group", "i8"),  # bits of the members
        ("waiting", "i8"),  # members still to have their turn
        ("deferred", "i8"),
        ("order", "i8", F),
        ("order_n", "i8"),
        ("order_at", "i8"),
        ("actor", "i8"),
        ("task", "i8"),  # T_ATTACK, T_FLASK
        ("weapon", "i8"),
        ("target", "i8"),
        ("victims", "i8"),  # figures whose flask die is still to fall
        ("steps", "i8"),  # range steps of the attack
        ("weak", "i8"),  # -1, 0, 1 on the damage
        ("edge", "i8", (3, figures, figures)),  # rounds left (method, performer, target)
        ("fresh", "i8", (3, figures)),  # targets of edges gained in the running group, bit set
        ("edges", "i8"),  # number of edges in force
        ("pending", "i8"),
        ("pend_heal", "i8", F),
        ("pend_wake", "i8"),
        ("pend_kill", "i8"),
        ("pend_break", "i8", F),
        ("pend_edge", "i8", (3, figures, figures)),
        ("pend_edges", "i8"),
        ("pend_wound", "i8", F),
        ("resolving", "i8"),
        ("wakers", "i8"),
        ("falling", "i8"),
        ("allowed", "i8", (5,)),  # legal actions of the turn
        ("plan_flask", "i8"),
        ("plan_target", "i8"),
        ("plan_weapon", "i8"),
        ("plan_x", "i8"),
        ("plan_y", "i8"),
        ("to_enter", "i8"),  # enemies that are still to come
        ("entered_on", "i8"),
        ("object_in", "i8"),  # the object of `protect` stands on the ground
        ("round_limit", "i8"),  # count at which the fight ends in the party's favour, 0 none
        ("reach", "i8", (16,)),
        ("free", "i8", (16,)),
        # since the last decision: -99 nothing
        ("l_attack", "i8"),
        ("l_need", "i8"),
        ("l_hit", "i8"),
        ("l_damage", "i8"),
        ("l_defence", "i8"),
        ("l_wound", "i8"),
        ("l_survival", "i8"),
        ("l_weak", "i8"),
        ("l_success", "i8"),
        ("l_rounds", "i8"),
        ("l_hurt", "i8"),
        ("l_natural", "i8"),
        ("l_total", "i8"),
        ("l_goal", "i8"),
        ("l_secret", "i8"),  # figure whose hidden value the threshold is, -1 none
    ]


TAIL: list[tuple] = [("n_events", "i8"), ("events", "i8", (EVENTS,))]


def talk_fields(talkers: int = 2) -> list[tuple]:
    """Fields of a talk; talker 0 is the speaker of a solo talk, 1 the counterpart."""
    T = (talkers,)
    return [
        ("t_value", "i8", (talkers, 3)),  # body, mind, charisma
        ("t_social", "i8", (talkers, 3)),
        ("t_insight", "i8", T),
        ("t_malus", "i8", T),
        ("t_perks", "i8", T),
        ("t_wounds", "i8", T),
        ("t_limit_mod", "i8", T),  # wound limit = 2 + body + this
        ("t_saga", "i8", T),
        ("t_luck", "i8", T),
        ("mood_relation", "i8", T),
        ("mood_wounds", "i8", T),
        ("fails", "i8", T),
        ("successes", "i8", T),
        ("recover_left", "i8", T),
        ("known", "i8", T),  # this talker has read the moods
        ("possible", "i8", T),  # triples of the other that fit what this talker has seen, bit set
        ("mood_of", "i8", (talkers, 12)),  # mood by wounds if the other's triple were this one
        ("tally", "i8", (talkers, 3, 5)),  # outcomes by method
        ("l_method", "i8", T),
        ("l_outcome", "i8", T),
        ("l_nat", "i8", T),
        ("l_conf", "i8", T),
        ("l_sum", "i8", T),
        ("talking", "i8"),
        ("solo", "i8"),
        ("speaker", "i8"),  # talker to move
        ("step_no", "i8"),
        ("method", "i8"),
        ("ck_mood", "i8"),  # mood in the modifier of the check
        ("ck_paid", "i8"),  # 1 a saga point, 2 luck was spent on the check
        ("result", "i8"),  # 0 none, 1 success, 2 left, 3 broken, 4 draw
        ("talk_winner", "i8"),
        ("triple", "i8", T),
        ("split", "i8", T),
        ("sealed", "i8", T),
        ("held_kind", "i8"),  # die that falls after those that deal hidden things again
        ("held_faces", "i8"),
        ("held_at", "i8"),
        ("observer", "i8"),
        ("dealt", "i8"),  # triples that may be dealt again
        ("truth", "i8"),  # claim: 1 true, 0 a lie, -1 not decided
        ("probed", "i8"),
        ("sign", "i8"),
        ("liar_roll", "i8"),
        ("judged", "i8"),
        ("private", "i8", T),
    ]


def fight_params(figures: int) -> list[tuple]:
    """Parameters of a fight: figures as they start, the ground, consumables."""
    F = (figures,)
    return [
        *[(f"f_{name}", "i8", (figures, *shape)) for name, shape in SHEET],
        ("n", "i8"),
        ("seats", "i8"),
        ("seat_of", "i8", F),
        ("f_team", "i8", F),
        ("f_span", "i8", F),
        ("f_x", "i8", F),
        ("f_y", "i8", F),
        ("f_wounds", "i8", F),
        ("f_standing", "i8", F),
        ("f_saga", "i8", F),
        ("f_init_mod", "i8", F),
        ("f_target_mod", "i8", F),
        ("object_at", "i8"),  # figure that is the object of `protect`, -1 none
        ("first", "i8", (2,)),  # first figure of each team
        ("members", "i8", (2,)),
        ("free_rows", "i8", (4, GRID_MAX)),  # legal positions by size, bit x + 6
        ("cover_rows", "i8", (GRID_MAX,)),
        ("obstacle_rows", "i8", (GRID_MAX,)),
        ("heal_amount", "i8"),
        ("heal_reach", "i8"),
        ("salts_reach", "i8"),
        ("flask_damage", "i8"),
        ("flask_reach", "i8"),
        ("flask_area", "i8"),
    ]


def skirmish_state(figures: int, extra: list[tuple] | None = None) -> np.dtype:
    """The state record of a skirmish."""
    return np.dtype([*COMMON, *fight_fields(figures), *(extra or []), *TAIL], align=True)


def skirmish_params(figures: int, extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record of a skirmish."""
    return np.dtype([*OPTION_FIELDS, ("max_decisions", "i8"), *fight_params(figures), *(extra or [])], align=True)


PARLEY_PARAMS: list[tuple] = [
    ("mode", "i8"),  # 0 solo, 1 versus, 2 claim of two, 3 claim solo
    ("given", "i8"),  # the counterpart's values are no secret chance
    ("c_value", "i8", (2, 3)),
    ("c_social", "i8", (2, 3)),
    ("c_insight", "i8", (2,)),
    ("c_perks", "i8", (2,)),
    ("c_saga", "i8", (2,)),
    ("c_wounds", "i8", (2,)),
    ("c_limit_mod", "i8", (2,)),
    ("c_hardened", "i8", (2,)),
]
TOOL_SLOTS = MAX_TOOLS


def parley_state() -> np.dtype:
    """The state record of a parley."""
    return np.dtype([*COMMON, *talk_fields(), *TAIL], align=True)


def parley_params() -> np.dtype:
    """The parameter record of a parley."""
    return np.dtype([*OPTION_FIELDS, ("max_decisions", "i8"), *PARLEY_PARAMS], align=True)


# --- missions ---------------------------------------------------------------------------------------------------------
TAPE, ROOMS, EXITS, UNITS = 640, 56, 192, 48
C_UNSEEN, C_TIME, C_CIVILIANS, C_COMBINED = 0, 1, 2, 3
CONDITIONS = ("unseen", "time_limit", "civilians", "combined")
LEVELS = ("optional", "critical", "necessary")
R_ENTRANCE, R_DEAD_END, R_CORRIDOR, R_T, R_CROSSING, R_EVENT, R_TARGET = range(7)
ROOM_TYPES = ("entrance", "dead_end", "corridor", "t_junction", "crossing", "event_room", "target_area")
S_DESTROY, S_CLEANSE, S_RETRIEVE, S_TRAVERSE, S_PROTECT = range(5)
TIERS = ("weak", "normal", "strong")
NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
STEP_X = np.array([0, 1, 0, -1], dtype=np.int64)
STEP_Y = np.array([1, 0, -1, 0], dtype=np.int64)

GENERATOR: list[tuple] = [
    ("tape", "i8", (TAPE,)),  # dice that the generator has been given
    ("tape_n", "i8"),
    ("tape_at", "i8"),
    ("starved", "i8"),  # the generator needs another die
    ("scenarios", "i8", (5,)),  # in the order in which they were rolled
    ("n_scenarios", "i8"),
    ("n_extra", "i8"),
    ("defensive", "i8"),
    ("penalty", "i8"),
    ("cond_kind", "i8", (4,)),
    ("cond_level", "i8", (4,)),
    ("cond_rolls", "i8", (4,)),
    ("cond_sum", "i8", (4, 2)),
    ("cond_value", "i8", (4, 2)),  # minutes or rounds; civilians and hostages
    ("cond_scenario", "i8", (4,)),
    ("n_cond", "i8"),
    ("room_type", "i8", (ROOMS,)),
    ("room_x", "i8", (ROOMS,)),
    ("room_y", "i8", (ROOMS,)),
    ("room_links", "i8", (ROOMS, 4)),  # room behind each direction, -1 none
    ("n_rooms", "i8"),
    ("queue_room", "i8", (EXITS,)),
    ("queue_way", "i8", (EXITS,)),
    ("queue_at", "i8"),
    ("queue_n", "i8"),
    ("unit_points", "i8", (UNITS,)),
    ("unit_type", "i8", (UNITS,)),
    ("n_units", "i8"),
]


HEROES, OBJECT, PARTY_FIGURES = 4, 8, 9
M_GENERATE, M_EXPLORE, M_FIGHT, M_TALK, M_TRAP, M_GROUP, M_REDEAL = 1, 2, 3, 4, 5, 6, 7
EV_NONE, EV_CONFRONTATION, EV_TRAP, EV_PUZZLE, EV_TALK, EV_TARGET = range(6)
FOR_ROOM, FOR_TARGET, FOR_WAVES = 0, 1, 2  # what a group or a fight is for
PACKED = 7  # numbers that hold a group: 7 units of 8 bits each

MISSION_FIELDS: list[tuple] = [
    ("mode", "i8"),
    ("purpose", "i8"),  # FOR_ROOM, FOR_TARGET, FOR_WAVES
    ("room", "i8"),  # where the party is
    ("entered", "i8"),  # rooms entered so far
    ("minutes", "i8"),
    ("alarm", "i8"),
    ("quiet", "i8"),  # the fight was opened by a successful ambush
    ("carrying", "i8"),  # `retrieve`: the thing is found
    ("visited", "i8", (ROOMS,)),  # place in the order of visits, 0 not visited
    ("n_visited", "i8"),
    ("cleared", "i8", (ROOMS,)),
    ("room_event", "i8", (ROOMS,)),
    ("group_n", "i8", (ROOMS,)),
    ("group_units", "i8", (ROOMS, PACKED)),
    ("known_rooms", "i8"),  # rooms that stay when the map is dealt again
    ("unit_at", "i8"),  # next unit that enters
    ("waves_left", "i8"),
    ("hero", "i8"),  # who makes the test or the talk
    ("tool", "i8"),  # tool in use, -1 none
    ("plan", "i8"),  # action of the node approach that the sneaking test is for
    ("tools", "i8", (HEROES, TOOL_SLOTS)),  # uses left, -1 unlimited, 0 none
    ("m_relation", "i8"),
    ("more", "i8"),  # further units of later groups (critical_effect)
    ("stronger", "i8"),
    ("cond_failed", "i8", (4,)),
    ("met", "i8", (5,)),  # scenarios that are met
    ("hostages_dead", "i8"),
    ("success", "i8"),
    ("hard_end", "i8"),  # the fight reached max_count
]


def mission_state(extra: list[tuple] | None = None) -> np.dtype:
    """The state record of a mission."""
    fields = [*COMMON, *fight_fields(PARTY_FIGURES), *talk_fields(), *GENERATOR, *MISSION_FIELDS]
    return np.dtype([*fields, *(extra or []), *TAIL], align=True)


def mission_params(extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record of a mission."""
    more: list[tuple] = [
        ("mode", "i8"),
        ("party", "i8"),
        ("events_of", "i8", (6,)),  # event of each face
        ("archetype", "i8", (ARCHETYPES * (MAX_POINTS + 1), SHEET_SIZE)),  # sheets of enemies
        ("tool_bonus", "i8", (TOOL_SLOTS,)),
        ("tool_kind", "i8", (TOOL_SLOTS,)),  # 0 plain, 1 limited, 2 automatic
        ("f_tools", "i8", (HEROES, TOOL_SLOTS)),
    ]
    return np.dtype(
        [*OPTION_FIELDS, ("max_decisions", "i8"), *fight_params(PARTY_FIGURES), *more, *(extra or [])], align=True
    )


# --- builds -----------------------------------------------------------------------------------------------------------
STAGES, OPTIONS_MAX, TRIPLES_MAX = 10, 93, 93
B_PERKS, B_TRIPLE, B_PHYSICAL, B_COMBAT, B_SOCIAL, B_PLAN, B_WEAPON, B_ARMOUR, B_ITEM, B_TACTIC = range(10)
(
    D_ATTACK, D_BONUS, D_DEFENCE, D_DAMAGE, D_INITIATIVE, D_LIMIT, D_HARDENED, D_KEY, D_LORE, D_TALK, D_CHARM, D_TACTIC,
    D_ROUNDS,
) = range(13)  # fmt: skip
DUELLIST = 13
NO_LORE = -99  # no perk `weak_spot`
W_MAX, E_MAX = 16, 16  # wounds and rounds of an edge that a duel of builds can reach

BUILD_STATE: list[tuple] = [
    ("status_of_game", "i8"),
    ("decisions", "i8"),
    ("ask_phase", "i8"),
    ("stage_no", "i8"),
    ("sealed", "i8", (2,)),
    ("choice", "i8", (2, STAGES)),
    ("figure", "i8", (2, DUELLIST)),
    ("worth", "f8"),
    ("die_faces", "i8"),
    ("observer", "i8"),
    ("words", "i8", (3,)),
    ("private", "i8", (2,)),
]
BUILD_PARAMS: list[tuple] = [
    ("perk_bits", "i8", (OPTIONS_MAX,)),
    ("perk_open", "i8", (OPTIONS_MAX,)),
    ("n_triples", "i8", (2,)),  # without and with luck
    ("triples", "i8", (2, 2, TRIPLES_MAX, 3)),  # luck, gift; with a gift: raised
    ("triple_open", "i8", (2, 2, TRIPLES_MAX)),
    ("n_weapons", "i8"),
    ("weapons", "i8", (40, 4)),  # kind, damage, price, range
    ("n_armours", "i8"),
    ("armours", "i8", (40, 3)),  # bonus, malus, price
    ("item_price", "i8", (3,)),
]


def build_state(fight: bool = False, extra: list[tuple] | None = None) -> np.dtype:
    """The state record of the build game; `fight`: with `pilot = grid`."""
    if not fight:
        return np.dtype([*BUILD_STATE, *TAIL], align=True)
    known = {name for name, *_ in COMMON}
    own = [field for field in BUILD_STATE if field[0] not in known]
    return np.dtype([*COMMON, *own, *fight_fields(2), *(extra or []), *TAIL], align=True)


def build_params(fight: bool = False, extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record of the build game; `fight`: with `pilot = grid`."""
    more = [*fight_params(2), *(extra or [])] if fight else []
    return np.dtype([*OPTION_FIELDS, ("max_decisions", "i8"), *BUILD_PARAMS, *more], align=True)
