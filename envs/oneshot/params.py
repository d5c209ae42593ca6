"""The options of section 5: defaults, checks, and the numbers that the kernel reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.checks import anything, fail, near
from ..core.errors import RulesetError
from ..core.options import Option, filled, flag

GAMES = ("skirmish", "parley", "build", "mission")
SCENARIOS = ("destroy", "cleanse", "retrieve", "traverse", "protect")


def whole(default: int | None, low: int, high: int, none: bool = False) -> Option:
    """A whole number, or None where that is allowed."""
    allowed = f"{low}..{high}{' or None' if none else ''}"

    def check(name: str, value: Any) -> int | None:
        if none and value is None:
            return None
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
            raise fail(name, value, allowed)
        return int(value)

    return Option(default, check, allowed)


def word(default: str | None, *words: str, none: bool = False) -> Option:
    """One of some words."""
    allowed = ", ".join(words) + (" or None" if none else "")

    def check(name: str, value: Any) -> str | None:
        if none and value is None:
            return None
        if not isinstance(value, str) or value not in words:
            raise fail(name, value, f"one of {allowed}")
        return value

    return Option(default, check, allowed, words=words)


def payoffs(name: str, value: Any) -> list[float]:
    """Three numbers -10..10: success >= left >= broken."""
    ok = isinstance(value, (list, tuple)) and len(value) == 3
    ok = ok and all(isinstance(v, (int, float)) and not isinstance(v, bool) and -10 <= v <= 10 for v in value)
    if not ok or not value[0] >= value[1] >= value[2]:
        raise fail(name, value, "three numbers, each -10..10, success >= left >= broken")
    return [float(v) for v in value]


OPTIONS: dict[str, Option] = {
    "attribute_points": whole(5, 0, 12),
    "attribute_cap": whole(3, 1, 6),
    "spend_all_points": flag(True),
    "max_perks": whole(3, 0, 8),
    "allow_will_to_live": flag(False),
    "skill_surcharge": word("linear", "linear", "progressive"),
    "patient_attack": word("improves", "improves", "worsens"),
    "untrained_rule": word("literal", "literal", "best"),
    "critical_means": word("confirmed", "confirmed", "automatic"),
    "attack_automatics": flag(False),
    "survival_is_test": flag(False),
    "luck_scope": word("all", "all", "tests"),
    "luck_uses": whole(1, 0, 5),
    "saga_confirm": word("critical_only", "critical_only", "auto_success"),
    "turn_at_zero": flag(False),
    "zero_initiative": whole(1, 1, 12),
    "tie_break": word("base_initiative_low", "base_initiative_low", "initiative_low"),
    "simultaneous_order": word("random", "random", "seat"),
    "social_tie": word("success", "success", "failure"),
    "social_offset": whole(0, 0, 4),
    "mood_tracks": word("linked", "linked", "separate"),
    "critical_mood_double": flag(False),
    "recover_adds_untrained": flag(False),
    "recover_limit": whole(1, 0, 10),
    "read_difficulty": whole(0, -3, 1),
    "lie_tie": word("liar", "liar", "listener"),
    "edge_clock": word("performer", "performer", "target"),
    "edge_stacking": flag(False),
    "edge_uses_mood": flag(False),
    "diplomatic_breaks_on_attack": flag(False),
    "edge_range": whole(None, 1, 100, none=True),
    "advancement_basis": word("target", "target", "current"),
    "advancement_cap": whole(4, 1, 10),
    "advancement_sum": whole(9, 3, 30),
    "secondary_cap": whole(4, 1, 20, none=True),
    "saga_skill_surcharge": flag(False),
    "successor_saga": word("none", "none", "half"),
    "will_to_live_wound": word("if_wounded", "if_wounded", "always"),
    "half_rounding": word("floor", "floor", "ceil"),
    "extra_points": word("weakest", "weakest", "strongest", "none"),
    "extra_scenarios": flag(False),
    "enemy_attribute_cap": whole(4, 1, 6),
    "gear_budget": whole(6, 0, 20, none=True),
    "grid_width": whole(12, 6, 24),
    "grid_height": whole(12, 6, 24),
    "max_count": whole(120, 10, 1000),
    "limit_result": word("standing", "standing", "losses", "draw"),
    "cover_modifier": whole(-1, -3, 0),
    "relation": whole(0, -2, 2),
    "request_difficulty": whole(0, -3, 1),
    "goal_successes": whole(1, 1, 5),
    "max_steps": whole(20, 1, 200),
    "sg": whole(1, 1, 6),
    "party_size": whole(3, 1, 4),
    "hidden_stats": flag(False),
    "control": word("figure", "figure", "team"),
    "move_mode": word("diamond", "diamond", "macro"),
    "npc_prior": word("uniform", "uniform", "given"),
    "build_choice": word("given", "given", "choose"),
    "first_speaker": word("random", "random", "first"),
    "claim_truth": whole(50, 0, 100),
    "payoffs": Option([1.0, 0.0, -1.0], payoffs, "three numbers, each -10..10"),
    "pilot": word("exact", "exact", "grid"),
    "tier_event": word("weak", "weak", "normal", "strong"),
    "tier_target": word("normal", "weak", "normal", "strong"),
    "wave_size": whole(4, 1, 4),
    "sneak_difficulty": whole(-1, -3, 1),
    "ambush_modifier": whole(-16, -20, 0),
    "minutes_per_room": whole(1, 0, 10),
    "counts_per_minute": whole(20, 1, 1000),
    "alarm_counts": whole(60, 1, 1000),
    "critical_effect": word("malus", "malus", "more", "stronger"),
    "max_rooms": whole(80, 1, 1000),
    "utility": word("win", "win", "margin", "success", "saga"),
    "scenario": word(None, *SCENARIOS, none=True),
    "strict_builds": flag(False),
    "kit": Option(None, anything, "None, the path of a JSON file, or an object"),
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
            raise RulesetError(f"option {name!r} is unknown{near(str(name), OPTIONS)}")
    own = {"utility": "success" if game == "mission" else "win", "strict_builds": game in ("build", "mission")}
    out = filled(OPTIONS, {**own, **config})
    words = UTILITIES.get(game, ("win", "margin"))
    if out["utility"] not in words:
        raise fail("utility", out["utility"], "one of " + ", ".join(words))
    return out


KERNEL_OPTIONS = tuple(name for name in OPTIONS if name not in ("payoffs", "kit"))
OPTION_FIELDS: list[tuple] = [(name, "i8") for name in KERNEL_OPTIONS] + [("payoffs", "f8", (3,))]


def fill_options(record: Any, options: Mapping[str, Any]) -> None:
    """Write checked options into a parameter record: words by their place, None as -1."""
    for name in KERNEL_OPTIONS:
        value = options[name]
        if value is None:
            value = -1
        elif OPTIONS[name].words:
            value = OPTIONS[name].words.index(value)
        record[name] = int(value)
    record["payoffs"] = options["payoffs"]
