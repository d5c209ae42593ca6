"""The records of OneShot's games: named fields, and the numbers that the kernels share.

Over 500 lines because a mission holds a fight and a talk: their fields and codes are the same ones.
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
    PHASE,
    WHOLE,
    Number,
    Size,
    Values,
    number,
    record_of,
    span,
)
from .character.kit import MAX_TOOLS, PERKS
from .choices import *  # noqa: F403  hooks import all constants from this file
from .choices import Scenario, Tier
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


LEVELS_OF_PLAY = ("skirmish", "parley", "build", "mission")
MAX_CUSTOM = 32  # most actions of all modules together
CUSTOM = Action.GO.value  # first action of modules: that of skirmishes, bound for missions
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
NO_FIGURE = Values("a figure, -1 none", -1)
SHEET: tuple[Number, ...] = (
    number("value", COUNT, "body, mind, charisma", (Size(3, "value"),)),
    number("physical", WHOLE, "strength, stamina, agility", (Size(3, "value"),)),
    number("combat", WHOLE, "base attack, base defence, base initiative", (Size(3, "value"),)),
    number("social", WHOLE, "aggressive, cunning, diplomatic", (Size(3, "method"),)),
    number("attack", WHOLE, "attack value"),
    number("defence", WHOLE, "defence, armour included"),
    number("initiative", WHOLE, "initiative value"),
    number("limit", WHOLE, "wound limit"),
    number("hardened", FLAG, "wounds do not hinder the figure"),
    number("armour_malus", WHOLE, "malus of the armour"),
    number("move_range", COUNT, "steps of a move"),
    number("rank", WHOLE, "skill ranks (Skill)", (Size(5, "skill"),)),
    number("w_kind", span(0, 2), "weapon of each slot: 0 none, MELEE, RANGED", (Size(2, "slot"),)),
    number("w_damage", WHOLE, "damage of each weapon slot", (Size(2, "slot"),)),
    number("w_range", COUNT, "range of each weapon slot", (Size(2, "slot"),)),
    number("w_rank", WHOLE, "skill rank of each weapon slot", (Size(2, "slot"),)),
    number("w_number", WHOLE, "place in the kit of each weapon", (Size(2, "slot"),)),
    number("perks", COUNT, "perks (bit set)"),
    number("items", COUNT, "items of each kind (Item)", (Size(3, "item"),)),
)
SHEET_SIZE = sum(int(np.prod(n.shape)) for n in SHEET)
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
EVENT = EventLayout(kind=(8, 0), who=(8, -1), a=(12, -500), b=(12, -500))
Event = IntEnum(
    "Event",
    """
    NONE INITIATIVE TURN MOVE ATTACK HIT MISS DAMAGE WOUND AVERTED SURVIVAL EDGE NO_EDGE EXECUTE HEAL WAKE FLASK COUNT
    END LUCK SAGA WEAK_SPOT TALK RECOVER READ LEAVE CHOICE ENTER ROOM EVENT CHECK ALARM CONDITION MISSION TELL SIGN
    JUDGE HEALED EDGE_END DIE EDGE_DIE
    """,
    start=0,
)

# Numbers that the rule set binds (constants of Sources); these stand for the skirmish.
FIGURES = 8  # capacity in figures
SEATS_MAX = 8
MISSION = False
MACRO = False
GRID_MAX = 24


def sheet_fields(figures: int) -> list[Number]:
    """Fields of the sheets of all figures."""
    return [n._replace(shape=(Size(figures, "figure"), *n.shape)) for n in SHEET]


COMMON: list[Number] = [
    number("status_of_game", span(0, 2), "0 running, 1 ended, 2 stopped"),
    number("decisions", COUNT, "decisions taken so far"),
    number("node", WHOLE, "decision that is due, NOBODY none"),
    number("ask_phase", PHASE, "phase of the question"),
    number("asked", NO_FIGURE, "figure (or talker) that decides"),
    number("die_kind", Die, "what the die that is due decides"),
    number("die_faces", COUNT, "its faces, 0 none"),
    number("die_at", NO_FIGURE, "figure whose die it is"),
    number("winner", span(-1, 2), "team, -1 draw or none"),
    number("public", HASH, "what everybody has seen"),
    # the check that is being made
    number("ck_kind", Check, "what is being checked"),
    number("ck_done", FLAG, "the check is decided"),
    number("ck_who", NO_FIGURE, "figure that makes it"),
    number("ck_mod", WHOLE, "modifier of the die"),
    number("ck_need", WHOLE, "total from which on it succeeds"),
    number("ck_conf", FLAG, "natural 1 and 6 are confirmed"),
    number("ck_stake", FLAG, "a critical failure has an effect"),
    number("ck_bonus", FLAG, "a critical success has an effect"),
    number("ck_natural", span(0, 6), "the die as it fell, 0 not yet"),
    number("ck_confirm", span(0, 6), "the die that confirms, 0 none"),
    number("ck_total", WHOLE, "die and modifier"),
    number("ck_plain", WHOLE, "the same without what was spent on it"),
    number("ck_auto", span(-1, 1), "-1 automatic failure, 1 automatic success"),
    number("ck_crit", FLAG, "it is critical"),
    number("ck_win", FLAG, "it has succeeded"),
    number("re_saga", FLAG, "the reaction may be a saga point"),
    number("re_luck", FLAG, "the reaction may be luck"),
]


def fight_fields(figures: int) -> list[Number]:
    """Fields of a fight."""
    F, M = (Size(figures, "figure"),), Size(3, "method")
    return [
        *sheet_fields(figures),
        number(
            "team", span(0, 3), "team: 0 red or the party, 1 blue or the enemies, 2 the object, 3 an empty place", F
        ),
        number("span", COUNT, "size of the footprint", F),
        number("auto", FLAG, "played by the environment", F),
        number("x", WHOLE, "column on the ground", F),
        number("y", WHOLE, "row on the ground", F),
        number("wounds", COUNT, "wounds", F),
        number("standing", Status, "status", F),
        number("saga", COUNT, "saga points left", F),
        number("luck", COUNT, "uses of luck left", F),
        number("init_mod", WHOLE, "modifier of initiative rolls", F),
        number("target_mod", WHOLE, "modifier of attacks against the figure", F),
        number("burden", WHOLE, "further malus on every die but initiative", F),
        number("start_wounds", COUNT, "wounds when the turn began", F),
        number("start_up", FLAG, "the figure was up when the group's turn began", F),
        number("c_init", WHOLE, "combat initiative, 0 none", F),
        number("due", WHOLE, "next count with a turn", F),
        number("moved", FLAG, "has moved in this turn", F),
        number("acted", FLAG, "has acted in this turn", F),
        number("stage", FightStage, "stage of the fight"),
        number("surprise", FLAG, "the surprise turns are going on"),
        number("count", COUNT, "count of the fight"),
        number("last_init", WHOLE, "group that had its turns last"),
        number("last_key", WHOLE, "order of the group that had its turns last"),
        number("group", COUNT, "bits of the members"),
        number("waiting", COUNT, "members still to have their turn"),
        number("deferred", FLAG, "effects wait for the end of the group: it has several members"),
        number("order", NO_FIGURE, "members in the order of their turns", F),
        number("order_n", COUNT, "how many members have a place in it"),
        number("order_at", COUNT, "place of the member whose turn it is"),
        number("actor", NO_FIGURE, "figure whose turn it is"),
        number("task", Task, "Task"),
        number("weapon", NO_FIGURE, "weapon slot of the attack"),
        number("target", NO_FIGURE, "figure attacked"),
        number("victims", COUNT, "figures whose flask die is still to fall"),
        number("steps", WHOLE, "range steps of the attack"),
        number("weak", span(-1, 1), "-1, 0, 1 on the damage"),
        number("edge", COUNT, "rounds left (method, performer, target)", (M, *F, *F)),
        number("fresh", COUNT, "targets of edges gained in the running group, bit set", (M, *F)),
        number("edges", COUNT, "number of edges in force"),
        number("pending", COUNT, "effects that wait for the end of the group"),
        number("pend_heal", COUNT, "wounds that will be healed", F),
        number("pend_wake", COUNT, "figures that will be woken (bit set)"),
        number("pend_kill", COUNT, "figures that will be killed (bit set)"),
        number("pend_break", COUNT, "figures over whom the diplomatic edge will end (bit set)", F),
        number("pend_edge", COUNT, "edges that will be gained", (M, *F, *F)),
        number("pend_edges", COUNT, "how many edges will be gained"),
        number("pend_wound", WHOLE, "wounds that will be received", F),
        number("resolving", COUNT, "how far the effects of the group have been applied"),
        number("wakers", COUNT, "figures whose waking roll is still to fall (bit set)"),
        number("falling", COUNT, "figures whose survival roll is still to fall (bit set)"),
        number("allowed", WHOLE, "legal actions of the turn", (Size(5, "word"),)),
        number("plan_flask", WHOLE, "flask that a pilot means to throw"),
        number("plan_target", NO_FIGURE, "figure that a pilot means to attack"),
        number("plan_weapon", WHOLE, "weapon slot that a pilot means to use"),
        number("plan_x", WHOLE, "column that a pilot means to go to"),
        number("plan_y", WHOLE, "row that a pilot means to go to"),
        number("to_enter", COUNT, "enemies that are still to come"),
        number("entered_on", WHOLE, "count at which enemies came last"),
        number("object_in", FLAG, "the object of `protect` stands on the ground"),
        number("round_limit", COUNT, "count at which the fight ends in the party's favour, 0 none"),
        number("reach", WHOLE, "rows that the figure on turn can reach (bits)", (Size(16, "row"),)),
        number("free", WHOLE, "rows that are free for it (bits)", (Size(16, "row"),)),
        # since the last decision: -99 nothing
        number("l_attack", WHOLE, "attack roll"),
        number("l_need", WHOLE, "what it needed"),
        number("l_hit", WHOLE, "1 hit, 0 miss"),
        number("l_damage", WHOLE, "damage roll"),
        number("l_defence", WHOLE, "defence against it"),
        number("l_wound", WHOLE, "wounds"),
        number("l_survival", WHOLE, "survival roll"),
        number("l_weak", WHOLE, "check for a weak spot"),
        number("l_success", WHOLE, "1 an edge was gained"),
        number("l_rounds", WHOLE, "rounds of the edge"),
        number("l_hurt", WHOLE, "figures hurt by a flask (bit set)"),
        number("l_natural", WHOLE, "die of the last check as it fell"),
        number("l_total", WHOLE, "its total"),
        number("l_goal", WHOLE, "what it needed"),
        number("l_secret", WHOLE, "figure whose hidden value the threshold is, -1 none"),
    ]


TAIL: list[Number] = [
    number("n_events", COUNT, "events of the last step"),
    number("events", WHOLE, "the events, packed", (Size(EVENTS, "event"),)),
]


def talk_fields(talkers: int = 2) -> list[Number]:
    """Fields of a talk; talker 0 is the speaker of a solo talk, 1 the counterpart."""
    T = (Size(talkers, "talker"),)
    return [
        number("t_value", WHOLE, "body, mind, charisma", (*T, Size(3, "value"))),
        number("t_social", WHOLE, "values of the methods: aggressive, cunning, diplomatic", (*T, Size(3, "method"))),
        number("t_insight", WHOLE, "rank of insight", T),
        number("t_malus", WHOLE, "malus on checks", T),
        number("t_perks", COUNT, "perks (bit set)", T),
        number("t_wounds", COUNT, "wounds", T),
        number("t_limit_mod", WHOLE, "wound limit = 2 + body + this", T),
        number("t_saga", COUNT, "saga points left", T),
        number("t_luck", COUNT, "uses of luck left", T),
        number("mood_relation", WHOLE, "mood, its part from the relation", T),
        number("mood_wounds", WHOLE, "mood, its part from wounds", T),
        number("fails", COUNT, "failures", T),
        number("successes", COUNT, "successes", T),
        number("recover_left", COUNT, "attempts to recover that are left", T),
        number("known", FLAG, "this talker has read the moods", T),
        number("possible", COUNT, "triples of the other that fit what this talker has seen, bit set", T),
        number("mood_of", WHOLE, "mood by wounds if the other's triple were this one", (*T, Size(N_TRIPLES, "triple"))),
        number("tally", COUNT, "outcomes by method", (*T, Size(3, "method"), Size(5, "outcome"))),
        number("l_method", WHOLE, "method used last, -1 none", T),
        number("l_outcome", WHOLE, "its outcome (Outcome), -1 none", T),
        number("l_nat", WHOLE, "its die", T),
        number("l_conf", WHOLE, "the die that confirmed it", T),
        number("l_sum", WHOLE, "its total", T),
        number("talking", FLAG, "a talk is going on"),
        number("solo", FLAG, "the counterpart is played by the environment"),
        number("speaker", COUNT, "talker to move"),
        number("step_no", COUNT, "steps of the talk so far"),
        number("method", WHOLE, "move that is being carried out"),
        number("ck_mood", WHOLE, "mood in the modifier of the check"),
        number("ck_paid", span(0, 3), "1 a saga point, 2 luck was spent on the check"),
        number("result", span(0, 4), "0 none, 1 success, 2 left, 3 broken, 4 draw"),
        number("talk_winner", span(-1, 1), "talker who has won, -1 nobody"),
        number("triple", WHOLE, "secret triple of values, -1 not chosen", T),
        number("split", WHOLE, "secret split of the points of charisma, -1 not chosen", T),
        number("sealed", WHOLE, "choice that is not revealed yet", T),
        number("held_kind", Die, "die that falls after those that deal hidden things again"),
        number("held_faces", COUNT, "its faces"),
        number("held_at", NO_FIGURE, "talker whose die it is"),
        number("observer", NO_FIGURE, "seat for which the search deals, -1 none"),
        number("dealt", COUNT, "triples that may be dealt again"),
        number("truth", span(-1, 1), "claim: 1 true, 0 a lie, -1 not decided"),
        number("probed", WHOLE, "the statement was probed"),
        number("sign", WHOLE, "sign of a lie: 1 one, 0 none, -1 not looked for"),
        number("liar_roll", WHOLE, "roll of whoever makes the statement"),
        number("judged", WHOLE, "judgement: 1 believed, 0 doubted, -1 not yet"),
        number("private", HASH, "what the seat alone has seen", T),
    ]


def fight_params(figures: int) -> list[Number]:
    """Parameters of a fight: figures as they start, the ground, consumables."""
    F, T, R = (Size(figures, "figure"),), (Size(2, "team"),), Size(GRID_MAX, "row")
    return [
        *[n._replace(name=f"f_{n.name}", meaning=f"{n.meaning}, at the start", shape=(*F, *n.shape)) for n in SHEET],
        number("n", COUNT, "figures"),
        number("seats", COUNT, "seats"),
        number("seat_of", NO_SEAT, "seat that decides for the figure, -1 the environment", F),
        number(
            "f_team", span(0, 3), "team: 0 red or the party, 1 blue or the enemies, 2 the object, 3 an empty place", F
        ),
        number("f_span", COUNT, "size of the footprint", F),
        number("f_x", WHOLE, "column at the start", F),
        number("f_y", WHOLE, "row at the start", F),
        number("f_wounds", COUNT, "wounds at the start", F),
        number("f_standing", Status, "status at the start", F),
        number("f_saga", COUNT, "saga points at the start", F),
        number("f_init_mod", WHOLE, "modifier of initiative rolls", F),
        number("f_target_mod", WHOLE, "modifier of attacks against the figure", F),
        number("object_at", NO_FIGURE, "figure that is the object of `protect`, -1 none"),
        number("first", COUNT, "first figure of each team", T),
        number("members", COUNT, "figures of each team", T),
        number("free_rows", WHOLE, "legal positions by size, bit x + 6", (Size(4, "size"), R)),
        number("cover_rows", WHOLE, "squares with cover (bits)", (R,)),
        number("obstacle_rows", WHOLE, "squares that nobody can enter (bits)", (R,)),
        number("heal_amount", COUNT, "wounds that a remedy heals"),
        number("heal_reach", COUNT, "distance at which a remedy is given"),
        number("salts_reach", COUNT, "distance at which salts wake"),
        number("flask_damage", WHOLE, "damage of a flask"),
        number("flask_reach", COUNT, "distance to which a flask is thrown"),
        number("flask_area", COUNT, "distance around the target in which it burns"),
    ]


MAX_DECISIONS = number("max_decisions", COUNT, "decisions after which the game is stopped")


def skirmish_state(figures: int, extra: list[tuple] | None = None) -> np.dtype:
    """The state record of a skirmish."""
    return record_of([*COMMON, *fight_fields(figures), *TAIL, *(extra or [])], align=True)


def skirmish_params(figures: int, extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record of a skirmish."""
    return record_of([*OPTION_FIELDS, MAX_DECISIONS, *fight_params(figures), *(extra or [])], align=True)


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


def parley_state(extra: list[tuple] | None = None) -> np.dtype:
    """The state record of a parley."""
    return record_of([*COMMON, *talk_fields(), *TAIL, *(extra or [])], align=True)


def parley_params(extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record of a parley."""
    return record_of([*OPTION_FIELDS, MAX_DECISIONS, *PARLEY_PARAMS, *(extra or [])], align=True)


Parley = IntEnum("Parley", "SOLO VERSUS CLAIM CLAIM_SOLO", start=0)  # modes
PARLEY_MODES = names_of(Parley)

# --- missions ---------------------------------------------------------------------------------------------------------
TAPE, ROOMS, EXITS, UNITS = 640, 56, 192, 48
Condition = IntEnum("Condition", "UNSEEN TIME_LIMIT CIVILIANS COMBINED", start=0)
CONDITIONS = names_of(Condition)
ConditionLevel = IntEnum("ConditionLevel", "OPTIONAL CRITICAL NECESSARY", start=0)
LEVELS = names_of(ConditionLevel)
Room = IntEnum("Room", "ENTRANCE DEAD_END CORRIDOR T_JUNCTION CROSSING EVENT_ROOM TARGET_AREA", start=0)
ROOM_TYPES = names_of(Room)
AT_TARGET = (Scenario.DESTROY, Scenario.CLEANSE, Scenario.RETRIEVE, Scenario.TRAVERSE)  # met in the target area
TIERS = names_of(Tier)
NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
STEP_X = np.array([0, 1, 0, -1], dtype=np.int64)
STEP_Y = np.array([1, 0, -1, 0], dtype=np.int64)

GENERATOR: list[Number] = [
    number("tape", WHOLE, "dice that the generator has been given", (Size(TAPE, "die"),)),
    number("tape_n", COUNT, "how many dice it has been given"),
    number("tape_at", COUNT, "how many of them it has used"),
    number("starved", FLAG, "the generator needs another die"),
    number("scenarios", WHOLE, "in the order in which they were rolled", (Size(5, "scenario"),)),
    number("n_scenarios", COUNT, "scenarios of the mission"),
    number("n_extra", COUNT, "further scenarios"),
    number("defensive", FLAG, "the mission is defensive"),
    number("penalty", WHOLE, "penalty of the conditions"),
    number("cond_kind", WHOLE, "kind of each condition (Condition)", (Size(4, "condition"),)),
    number("cond_level", ConditionLevel, "level of each condition", (Size(4, "condition"),)),
    number("cond_rolls", COUNT, "dice of each condition", (Size(4, "condition"),)),
    number("cond_sum", WHOLE, "their sums", (Size(4, "condition"), Size(2, "part"))),
    number("cond_value", WHOLE, "minutes or rounds; civilians and hostages", (Size(4, "condition"), Size(2, "part"))),
    number("cond_scenario", WHOLE, "scenario that each condition belongs to", (Size(4, "condition"),)),
    number("n_cond", COUNT, "conditions"),
    number("room_type", Room, "kind of each room", (Size(ROOMS, "room"),)),
    number("room_x", WHOLE, "column of each room on the map", (Size(ROOMS, "room"),)),
    number("room_y", WHOLE, "row of each room on the map", (Size(ROOMS, "room"),)),
    number("room_links", WHOLE, "room behind each direction, -1 none", (Size(ROOMS, "room"), Size(4, "direction"))),
    number("n_rooms", COUNT, "rooms"),
    number("queue_room", WHOLE, "rooms with an exit that the generator has still to follow", (Size(EXITS, "exit"),)),
    number("queue_way", WHOLE, "directions of those exits", (Size(EXITS, "exit"),)),
    number("queue_at", COUNT, "the next one of them"),
    number("queue_n", COUNT, "how many there are"),
    number("unit_points", WHOLE, "points of each enemy", (Size(UNITS, "unit"),)),
    number("unit_type", WHOLE, "archetype of each enemy", (Size(UNITS, "unit"),)),
    number("n_units", COUNT, "enemies"),
]


HEROES = 4
OBJECT = 2 * HEROES
PARTY_FIGURES = OBJECT + 1
Mode = IntEnum("Mode", "GENERATE EXPLORE FIGHT TALK TRAP GROUP REDEAL", start=1)
RoomEvent = IntEnum("RoomEvent", "NONE CONFRONTATION TRAP PUZZLE TALK TARGET", start=0)
Purpose = IntEnum("Purpose", "ROOM TARGET WAVES", start=0)  # what a group or a fight is for
PACKED = 7  # numbers that hold a group: 7 units of 8 bits each

MISSION_FIELDS: list[Number] = [
    number("mode", span(0, 7), "what the mission is about now (Mode)"),
    number("purpose", Purpose, "what the group or the fight is for"),
    number("room", WHOLE, "where the party is"),
    number("entered", COUNT, "rooms entered so far"),
    number("minutes", COUNT, "minutes gone"),
    number("alarm", FLAG, "the alarm was raised"),
    number("quiet", FLAG, "the fight was opened by a successful ambush"),
    number("carrying", FLAG, "`retrieve`: the thing is found"),
    number("visited", COUNT, "place in the order of visits, 0 not visited", (Size(ROOMS, "room"),)),
    number("n_visited", COUNT, "rooms visited"),
    number("cleared", FLAG, "nothing more happens in the room", (Size(ROOMS, "room"),)),
    number("room_event", RoomEvent, "event of each room, NONE until it is rolled", (Size(ROOMS, "room"),)),
    number("group_n", COUNT, "enemies in each room", (Size(ROOMS, "room"),)),
    number("group_units", WHOLE, "those enemies, packed", (Size(ROOMS, "room"), Size(PACKED, "pack"))),
    number("known_rooms", COUNT, "rooms that stay when the map is dealt again"),
    number("unit_at", COUNT, "next unit that enters"),
    number("waves_left", COUNT, "waves that are still to come"),
    number("hero", NO_FIGURE, "who makes the test or the talk"),
    number("tool", WHOLE, "tool in use, -1 none"),
    number("plan", WHOLE, "action of the node approach that the sneaking test is for"),
    number("tools", WHOLE, "uses left, -1 unlimited, 0 none", (Size(HEROES, "hero"), Size(TOOL_SLOTS, "tool"))),
    number("m_relation", WHOLE, "relation of the counterpart of a talk"),
    number("more", COUNT, "further units of later groups (critical_effect)"),
    number("stronger", COUNT, "how much stronger later units are (critical_effect)"),
    number("cond_failed", FLAG, "the condition is broken", (Size(4, "condition"),)),
    number("met", FLAG, "scenarios that are met", (Size(5, "scenario"),)),
    number("hostages_dead", COUNT, "hostages that are dead"),
    number("success", FLAG, "the mission has succeeded"),
    number("hard_end", FLAG, "the fight reached max_count"),
]


def mission_numbers() -> list[Number]:
    """The fields of the state record of a mission, those of rule modules and the events apart."""
    return [*COMMON, *fight_fields(PARTY_FIGURES), *talk_fields(), *GENERATOR, *MISSION_FIELDS]


def mission_state(extra: list[tuple] | None = None) -> np.dtype:
    """The state record of a mission."""
    return record_of([*mission_numbers(), *TAIL, *(extra or [])], align=True)


def mission_param_numbers() -> list[Number]:
    """The fields of the parameter record of a mission, those of rule modules apart."""
    tools = Size(TOOL_SLOTS, "tool")
    sheets = (Size(ARCHETYPES * (MAX_POINTS + 1), "enemy"), Size(SHEET_SIZE, "number"))
    return [
        *OPTION_FIELDS,
        MAX_DECISIONS,
        *fight_params(PARTY_FIGURES),
        number("mode", WHOLE, "not used in missions"),
        number("party", span(0, HEROES), "heroes of the party"),
        number("events_of", RoomEvent, "event of each face of the room's die", (Size(6, "face"),)),
        number("archetype", WHOLE, "sheets of enemies", sheets),
        number("tool_bonus", WHOLE, "bonus of each tool", (tools,)),
        number("tool_kind", span(0, 2), "each tool: 0 plain, 1 limited, 2 automatic", (tools,)),
        number("f_tools", WHOLE, "uses at the start, -1 unlimited", (Size(HEROES, "hero"), tools)),
    ]


def mission_params(extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record of a mission."""
    return record_of([*mission_param_numbers(), *(extra or [])], align=True)


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
        return record_of([*BUILD_STATE, *TAIL, *(extra or [])], align=True)
    known = {field.name for field in COMMON}
    own = [field for field in BUILD_STATE if field[0] not in known]
    return record_of([*COMMON, *own, *fight_fields(2), *TAIL, *(extra or [])], align=True)


def build_params(fight: bool = False, extra: list[tuple] | None = None) -> np.dtype:
    """The parameter record of the build game; `fight`: with `pilot = grid`."""
    more = [*(fight_params(2) if fight else []), *(extra or [])]
    return record_of([*OPTION_FIELDS, MAX_DECISIONS, *BUILD_PARAMS, *more], align=True)


# what the constants mean that hooks may import from here; several of one meaning together
MEANINGS = {
    "Action": "first id of every block of actions of a fight and of a mission",
    "ParleyAction": "first id of every block of actions of a parley",
    "Talk": "moves of a talk; the methods come first",
    "Phase": "what is asked",
    "Stage": "stages of a build",
    "Status": "how a figure is",
    "MELEE RANGED": "kinds of weapons",
    "STRENGTH STAMINA AGILITY": "places of the physical values",
    "Skill": "places of the skill ranks",
    "Item": "places of the items",
    "P_WEAK_SPOT P_LUCK P_FINESSE": "bits of the perks",
    "Die": "what a die decides",
    "Check": "kinds of checks",
    "Outcome": "outcomes of a move of a talk",
    "Result": "results of a talk",
    "FightStage": "stages of a fight",
    "Task": "what a wound comes from",
    "Event": "kinds of events",
    "Parley": "modes of a parley",
    "Condition": "side conditions of missions",
    "ConditionLevel": "what a failed side condition means",
    "Room": "kinds of rooms",
    "Mode": "what a mission is about at the moment",
    "RoomEvent": "what happens in a room",
    "Purpose": "what a group of enemies or a fight is for",
    "NOBODY": "no figure",
    "HEROES OBJECT": "figures of a mission: from 0 the heroes, from 4 the enemies, at last the object of `protect`",
}
