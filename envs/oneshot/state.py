"""The records of OneShot's games: named fields, and the numbers that the kernels share.

Over 500 lines because a mission holds a fight and a talk: their fields and codes are the same ones.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ..core.codes import names_of
from .character.kit import MAX_TOOLS, PERKS
from .params import OPTION_FIELDS

# --- actions ----------------------------------------------------------------------------------------------------------
_OFFSETS = sorted(
    ((dx, dy) for dx in range(-6, 7) for dy in range(-6, 7) if 1 <= abs(dx) + abs(dy) <= 6),
    key=lambda o: (abs(o[0]) + abs(o[1]), o[1], o[0]),
)
MOVES = len(_OFFSETS)
OFFSET_X = np.array([x for x, _ in _OFFSETS], dtype=np.int64)
OFFSET_Y = np.array([y for _, y in _OFFSETS], dtype=np.int64)
# the 12 attribute triples that sum to 5, ascending lexicographic: body, mind, charisma
_TRIPLES = [(b, m, 5 - b - m) for b in range(4) for m in range(4) if 0 <= 5 - b - m <= 3]
TRIPLES = np.array(_TRIPLES, dtype=np.int64)
N_TRIPLES = len(_TRIPLES)
MACROS = ("hold", "nearest", "weakest", "retreat", "range", "ally", "cover")
TARGETS, WEAPONS, METHODS = 4, 2, 3  # slots of enemies or allies, of weapons; ways to talk or to gain an edge
SPLITS = 10  # ways to distribute up to 3 points of charisma
# moves of a talk; the methods come first, in the order of the social values
Talk = IntEnum("Talk", "AGGRESSIVE CUNNING DIPLOMATIC RECOVER READ LEAVE", start=0)


class Action(IntEnum):
    """First id of every block of actions of a fight and, behind it, of a mission (4.3, 4.6)."""

    END_TURN = 0
    MOVE = END_TURN + 1
    ATTACK = MOVE + MOVES
    EDGE = ATTACK + WEAPONS * TARGETS
    EXECUTE = EDGE + METHODS * TARGETS
    HEAL = EXECUTE + TARGETS
    SALTS = HEAL + TARGETS
    FLASK = SALTS + TARGETS
    DECLINE = FLASK + TARGETS
    SAGA = DECLINE + 1
    LUCK = SAGA + 1
    WEAK_SPOT = LUCK + 1
    GO = WEAK_SPOT + 1
    ABORT = GO + 4
    ASSIGN = ABORT + 1
    USE_TOOL = ASSIGN + TARGETS
    NO_TOOL = USE_TOOL + 1
    FIGHT = NO_TOOL + 1
    AMBUSH = FIGHT + 1
    BYPASS = AMBUSH + 1
    TALK = BYPASS + 1


class ParleyAction(IntEnum):
    """First id of every block of actions of a parley (4.4)."""

    TALK = 0
    DECLINE = TALK + len(Talk)
    SAGA = DECLINE + 1
    LUCK = SAGA + 1
    TRIPLE = LUCK + 1
    SPLIT = TRIPLE + N_TRIPLES
    PROBE = SPLIT + SPLITS
    BELIEVE = PROBE + 1
    DOUBT = BELIEVE + 1
    TELL_TRUTH = DOUBT + 1
    TELL_LIE = TELL_TRUTH + 1


# what fights, talks and missions share goes by numbers that the rule set binds; these stand for all but parleys
DECLINE, SAGA, LUCK, TALK = (action.value for action in (Action.DECLINE, Action.SAGA, Action.LUCK, Action.TALK))

# --- nodes ------------------------------------------------------------------------------------------------------------
Phase = IntEnum(
    "Phase",
    """
    TURN REACT_FAIL REACT_SIX REACT_WOUND REACT_WEAK_SPOT TALK EXPLORE APPROACH ASSIGN TOOL TRIPLE SPLIT CLAIM_TELL
    CLAIM_PROBE CLAIM_JUDGE
    """,
    start=0,
)
Stage = IntEnum(
    "Stage", "PERKS ATTRIBUTES PHYSICAL COMBAT SOCIAL SKILLS WEAPON ARMOUR ITEM TACTIC", start=0
)  # of a build
PHASES = (*names_of(Phase), *(f"build_{name}" for name in names_of(Stage)))
SPLITTING = (Stage.PHYSICAL, Stage.COMBAT, Stage.SOCIAL)  # points of an attribute are distributed
N_BUILD = len(Phase)  # phase of a build's first stage
NOBODY = -1
TALKING = (Phase.TALK, Phase.REACT_FAIL, Phase.REACT_SIX)  # what a talker is asked

# --- figures ----------------------------------------------------------------------------------------------------------
Status = IntEnum("Status", "UP UNCONSCIOUS DEAD ABSENT", start=0)
STATUS = names_of(Status)
ALIVE = (Status.UP, Status.UNCONSCIOUS)
STRENGTH, STAMINA, AGILITY = 0, 1, 2
MELEE, RANGED = 1, 2
Skill = IntEnum("Skill", "LORE_RACE INSIGHT SNEAKING MECHANICS LORE_ARCHITECTURE", start=0)
RANKS = names_of(Skill)
Item = IntEnum("Item", "HEAL SALTS FLASK", start=0)
P_WEAK_SPOT, P_LUCK, P_FINESSE = (1 << PERKS.index(perk) for perk in ("weak_spot", "luck", "finesse"))  # in `perks`
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
Die = IntEnum(
    "Die",
    """
    NONE INITIATIVE ORDER CHECK CONFIRM DAMAGE WAKE ENTER TRIPLE COIN LIAR LISTENER TRUTH REDEAL TAPE EVENT RELATION
    SPLIT TRAP STAGE
    """,
    start=0,
)
FIGHT_DICE = (Die.INITIATIVE, Die.ORDER, Die.DAMAGE, Die.WAKE, Die.ENTER)  # besides those of checks
Outcome = IntEnum(
    "Outcome",
    "SUCCESS CRITICAL_SUCCESS NEAR_MISS FAILURE CRITICAL_FAILURE RECOVERED NOT_RECOVERED READ UNREAD",
    start=0,
)
OUTCOMES = names_of(Outcome)
Result = IntEnum("Result", "NONE SUCCESS LEFT BROKEN DRAW", start=0)
RESULTS = ("", *names_of(Result)[1:])
Check = IntEnum("Check", "NONE ATTACK WEAK EDGE SURVIVE TALK RECOVER READ SNEAK TRAP PUZZLE", start=0)
TALK_CHECKS = (Check.TALK, Check.RECOVER, Check.READ)

# --- stages of a fight ------------------------------------------------------------------------------------------------
FightStage = IntEnum("FightStage", "NONE INIT PICK ORDER MEMBER TURN RESOLVE CLOSE OVER ENTER", start=0)
Task = IntEnum("Task", "NONE ATTACK FLASK", start=0)  # what a wound comes from

# --- events for the reader --------------------------------------------------------------------------------------------
EVENTS = 48
Event = IntEnum(
    "Event",
    """
    NONE INITIATIVE TURN MOVE ATTACK HIT MISS DAMAGE WOUND AVERTED SURVIVAL EDGE NO_EDGE EXECUTE HEAL WAKE FLASK COUNT
    END LUCK SAGA WEAK_SPOT TALK RECOVER READ LEAVE CHOICE ENTER ROOM EVENT CHECK ALARM CONDITION MISSION TELL SIGN
    JUDGE HEALED
    """,
    start=0,
)

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
        ("task", "i8"),  # Task
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


Parley = IntEnum("Parley", "SOLO VERSUS CLAIM CLAIM_SOLO", start=0)  # modes
PARLEY_MODES = names_of(Parley)

# --- missions ---------------------------------------------------------------------------------------------------------
TAPE, ROOMS, EXITS, UNITS = 640, 56, 192, 48
Condition = IntEnum("Condition", "UNSEEN TIME_LIMIT CIVILIANS COMBINED", start=0)
CONDITIONS = names_of(Condition)
LEVELS = ("optional", "critical", "necessary")
Room = IntEnum("Room", "ENTRANCE DEAD_END CORRIDOR T_JUNCTION CROSSING EVENT_ROOM TARGET_AREA", start=0)
ROOM_TYPES = names_of(Room)
Scenario = IntEnum("Scenario", "DESTROY CLEANSE RETRIEVE TRAVERSE PROTECT", start=0)  # see params.SCENARIOS
AT_TARGET = (Scenario.DESTROY, Scenario.CLEANSE, Scenario.RETRIEVE, Scenario.TRAVERSE)  # met in the target area
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


HEROES = 4
OBJECT = 2 * HEROES
PARTY_FIGURES = OBJECT + 1
Mode = IntEnum("Mode", "GENERATE EXPLORE FIGHT TALK TRAP GROUP REDEAL", start=1)
RoomEvent = IntEnum("RoomEvent", "NONE CONFRONTATION TRAP PUZZLE TALK TARGET", start=0)
Purpose = IntEnum("Purpose", "ROOM TARGET WAVES", start=0)  # what a group or a fight is for
PACKED = 7  # numbers that hold a group: 7 units of 8 bits each

MISSION_FIELDS: list[tuple] = [
    ("mode", "i8"),
    ("purpose", "i8"),  # Purpose
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
STAGES = len(Stage)
OPTIONS_MAX, TRIPLES_MAX = 93, 93
(
    D_ATTACK, D_BONUS, D_DEFENCE, D_DAMAGE, D_INITIATIVE, D_LIMIT, D_HARDENED, D_KEY, D_LORE, D_TALK, D_CHARM, D_TACTIC,
    D_ROUNDS,
) = range(13)  # fmt: skip
DUELLIST = D_ROUNDS + 1
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
