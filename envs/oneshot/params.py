"""The options of section 5: defaults, checks, and the numbers that the kernel reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.brief import brief
from ..core.checks import anything, fail, near
from ..core.codes import names_of
from ..core.errors import RulesetError
from ..core.fields import FLAG, REAL, Number, Size, Values, code, number
from ..core.options import Option, coded, filled, flag
from .choices import (
    BuildChoice,
    Critical,
    CriticalEffect,
    EdgeClock,
    ExtraPoints,
    FirstSpeaker,
    LieTie,
    LimitResult,
    LuckScope,
    MoodTracks,
    Patience,
    Rounding,
    SagaConfirm,
    Scenario,
    Simultaneous,
    SocialTie,
    Surcharge,
    TieBreak,
    Tier,
    Untrained,
    Utility,
)

GAMES = ("skirmish", "parley", "build", "mission")
SCENARIOS = names_of(Scenario)


def whole(default: int | None, low: int, high: int, none: bool = False, doc: str = "") -> Option:
    """A whole number, or None where that is allowed."""
    allowed = f"{low}..{high}{' or None' if none else ''}"

    def check(name: str, value: Any) -> int | None:
        if none and value is None:
            return None
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
            raise fail(name, value, allowed)
        return int(value)

    return Option(default, check, allowed, doc)


def word(default: str | None, *words: str, none: bool = False, doc: str = "") -> Option:
    """One of some words."""
    allowed = ", ".join(words) + (" or None" if none else "")

    def check(name: str, value: Any) -> str | None:
        if none and value is None:
            return None
        if not isinstance(value, str) or value not in words:
            raise fail(name, value, f"one of {allowed}")
        return value

    return Option(default, check, allowed, doc, words)


def payoffs(name: str, value: Any) -> list[float]:
    """Three numbers -10..10: success >= left >= broken."""
    ok = isinstance(value, (list, tuple)) and len(value) == 3
    ok = ok and all(isinstance(v, (int, float)) and not isinstance(v, bool) and -10 <= v <= 10 for v in value)
    if not ok or not value[0] >= value[1] >= value[2]:
        raise fail(name, value, "three numbers, each -10..10, success >= left >= broken")
    return [float(v) for v in value]


OPTIONS: dict[str, Option] = {
    "attribute_points": whole(5, 0, 12, doc="points that a character distributes over attributes"),
    "attribute_cap": whole(3, 1, 6, doc="highest attribute of a new character"),
    "spend_all_points": flag(True, "all points must be spent"),
    "max_perks": whole(3, 0, 8, doc="most perks of a character"),
    "allow_will_to_live": flag(False, "the perk will_to_live may be chosen"),
    "skill_surcharge": coded(Surcharge.LINEAR, "how higher skill ranks are priced"),
    "patient_attack": coded(Patience.IMPROVES, "what patience does to attacks"),
    "untrained_rule": coded(Untrained.LITERAL, "how checks without a skill are made"),
    "critical_means": coded(Critical.CONFIRMED, "what makes a success or failure critical"),
    "attack_automatics": flag(False, "natural 1 and 6 decide attacks by themselves"),
    "survival_is_test": flag(False, "survival rolls are tests, so that luck and saga points help"),
    "luck_scope": coded(LuckScope.ALL, "rolls that luck repeats"),
    "luck_uses": whole(1, 0, 5, doc="uses of luck"),
    "saga_confirm": coded(SagaConfirm.CRITICAL_ONLY, "what a saga point does to a natural 6"),
    "turn_at_zero": flag(False, "a figure with initiative 0 has a turn"),
    "zero_initiative": whole(1, 1, 12, doc="initiative of whoever would have 0"),
    "tie_break": coded(TieBreak.BASE_INITIATIVE_LOW, "who acts first with equal initiative"),
    "simultaneous_order": coded(Simultaneous.RANDOM, "order of decisions within a group"),
    "social_tie": coded(SocialTie.SUCCESS, "what an equal total is in a talk"),
    "social_offset": whole(0, 0, 4, doc="what is subtracted from the modifier of talks"),
    "mood_tracks": coded(MoodTracks.LINKED, "whether both parts of the mood move together"),
    "critical_mood_double": flag(False, "critical results move the mood twice"),
    "recover_adds_untrained": flag(False, "attempts to recover count as untrained"),
    "recover_limit": whole(1, 0, 10, doc="attempts to recover"),
    "read_difficulty": whole(0, -3, 1, doc="modifier of reading the mood"),
    "lie_tie": coded(LieTie.LIAR, "who wins an equal total of liar and listener"),
    "edge_clock": coded(EdgeClock.PERFORMER, "by whose turns an edge runs out"),
    "edge_stacking": flag(False, "edges of one kind add up"),
    "edge_uses_mood": flag(False, "edges are checked with the mood"),
    "diplomatic_breaks_on_attack": flag(False, "an attack ends a diplomatic edge"),
    "edge_range": whole(None, 1, 100, none=True, doc="distance at which an edge is gained"),
    "advancement_basis": word("target", "target", "current", doc="what the price of advancement goes by"),
    "advancement_cap": whole(4, 1, 10, doc="highest value that can be bought"),
    "advancement_sum": whole(9, 3, 30, doc="highest sum of attributes"),
    "secondary_cap": whole(4, 1, 20, none=True, doc="highest secondary value"),
    "saga_skill_surcharge": flag(False, "skills bought with saga points cost more"),
    "successor_saga": word("none", "none", "half", doc="saga points that a successor inherits"),
    "will_to_live_wound": word("if_wounded", "if_wounded", "always", doc="when the perk will_to_live takes a wound"),
    "half_rounding": coded(Rounding.FLOOR, "how halves are rounded"),
    "extra_points": coded(ExtraPoints.WEAKEST, "who gets points left over in a group of enemies"),
    "extra_scenarios": flag(False, "a mission may have further scenarios"),
    "enemy_attribute_cap": whole(4, 1, 6, doc="highest attribute of enemies"),
    "gear_budget": whole(6, 0, 20, none=True, doc="what a character may spend on gear"),
    "grid_width": whole(12, 6, 24, doc="columns of the ground"),
    "grid_height": whole(12, 6, 24, doc="rows of the ground"),
    "max_count": whole(120, 10, 1000, doc="count at which a fight ends"),
    "limit_result": coded(LimitResult.STANDING, "who wins then"),
    "cover_modifier": whole(-1, -3, 0, doc="modifier of shots at a target in cover"),
    "relation": whole(0, -2, 2, doc="relation of the counterpart at the start"),
    "request_difficulty": whole(0, -3, 1, doc="modifier of what is asked for"),
    "goal_successes": whole(1, 1, 5, doc="successes that a talk needs"),
    "max_steps": whole(20, 1, 200, doc="steps after which a talk ends"),
    "sg": whole(1, 1, 6, doc="degree of difficulty"),
    "party_size": whole(3, 1, 4, doc="heroes of a party"),
    "hidden_stats": flag(False, "the counterpart's values are hidden"),
    "control": word("figure", "figure", "team", doc="whether a seat decides for a figure or for a team"),
    "move_mode": word("diamond", "diamond", "macro", doc="moves step by step, or by intention"),
    "npc_prior": word("uniform", "uniform", "given", doc="what is known of hidden values"),
    "build_choice": coded(BuildChoice.GIVEN, "whether hidden values are chosen or given"),
    "first_speaker": coded(FirstSpeaker.RANDOM, "who speaks first"),
    "claim_truth": whole(50, 0, 100, doc="chance in per cent that a statement is true"),
    "payoffs": Option(
        [1.0, 0.0, -1.0], payoffs, "three numbers, each -10..10", "payoff of a talk that succeeds, is left, is broken"
    ),
    "pilot": word("exact", "exact", "grid", doc="how builds are compared: by exact odds, or fought out on the grid"),
    "tier_event": coded(Tier.WEAK, "strength of enemies met on the way"),
    "tier_target": coded(Tier.NORMAL, "strength of enemies in the target area"),
    "wave_size": whole(4, 1, 4, doc="enemies of a wave"),
    "sneak_difficulty": whole(-1, -3, 1, doc="modifier of sneaking"),
    "ambush_modifier": whole(-16, -20, 0, doc="modifier of the initiative of ambushed enemies"),
    "minutes_per_room": whole(1, 0, 10, doc="minutes that a room takes"),
    "counts_per_minute": whole(20, 1, 1000, doc="counts of a fight that make a minute"),
    "alarm_counts": whole(60, 1, 1000, doc="counts after which a fight raises the alarm"),
    "critical_effect": coded(CriticalEffect.MALUS, "what a broken critical condition does"),
    "max_rooms": whole(80, 1, 1000, doc="most rooms of a mission"),
    "utility": coded(Utility.WIN, "what the payoffs are"),
    "scenario": word(None, *SCENARIOS, none=True, doc="scenario of the mission, None by lot"),
    "strict_builds": flag(False, "characters must be legal builds"),
    "kit": Option(
        None, anything, "None, the path of a JSON file, or an object", "genre kit: prices, weapons, armour, tools"
    ),
}
PER_FIGURE: dict[str, Option] = {
    "initiative_modifier": whole(0, -20, 20),
    "target_modifier": whole(0, -3, 3),
    "wounds": whole(0, 0, 20),
    "size": whole(2, 1, 4),
    "saga_points": whole(1, 0, 20),
}
UTILITIES = {"mission": ("success", "saga")}


def check_options(config: Mapping[str, Any], game: str = "skirmish") -> dict[str, Any]:
    """All options with the given ones on top of the defaults; raises RulesetError naming option, value and range."""
    if not isinstance(config, Mapping):
        raise fail("config", config, "a mapping option -> value")
    for name in config:
        if name not in OPTIONS:
            raise RulesetError(
                f"option {brief(name)} is unknown; known: {', '.join(OPTIONS)}{near(str(name), OPTIONS)}"
            )
    own = {"utility": "success" if game == "mission" else "win", "strict_builds": game in ("build", "mission")}
    out = filled(OPTIONS, {**own, **config})
    words = UTILITIES.get(game, ("win", "margin"))
    if out["utility"] not in words:
        raise fail("utility", out["utility"], "one of " + ", ".join(words))
    return out


KERNEL_OPTIONS = tuple(name for name in OPTIONS if name not in ("payoffs", "kit"))


def _option_number(name: str) -> Number:
    """The field of an option: a word by its place, None as -1."""
    option = OPTIONS[name]
    if option.code is not None:
        values = code(option.code)
    elif option.words:
        values = Values(", ".join(f"{i} {word}" for i, word in enumerate(option.words)), -1, len(option.words) - 1)
    elif isinstance(option.default, bool):
        values = FLAG
    else:
        values = Values(option.allowed.replace("None", "-1 for None"))
    return number(name, values, option.doc)


OPTION_FIELDS = [*map(_option_number, KERNEL_OPTIONS)] + [
    number("payoffs", REAL, OPTIONS["payoffs"].doc, (Size(3, "result"),))
]


def fill_options(record: Any, options: Mapping[str, Any]) -> None:
    """Write checked options into a parameter record: words by their place, None as -1."""
    for name in KERNEL_OPTIONS:
        value = options[name]
        if value is None:
            value = -1
        elif OPTIONS[name].words:
            value = OPTIONS[name].number(value)
        record[name] = int(value)
    record["payoffs"] = options["payoffs"]
