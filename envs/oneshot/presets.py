"""The named scenarios (4.3, 4.4, 4.6, 4.7), in the shape that a user may write himself."""

from __future__ import annotations

from collections import Counter
from typing import Any

LIMITS = {"social_offset": 3, "max_count": 180}


def _team(team: str, *chars: Any, **more: Any) -> dict[str, dict[str, Any]]:
    out, number = {}, Counter[str]()
    for char in chars:
        hero = char if isinstance(char, str) else char.get("hero") or char["archetype"]
        number[hero] += 1
        out[f"{team}_{hero}" + (f"_{number[hero]}" if number[hero] > 1 else "")] = {"team": team, "char": char, **more}
    return out


def skirmishes() -> dict[str, dict[str, Any]]:
    """Presets of `oneshot-skirmish`; fresh objects on every call."""
    guards: list[Any] = [{"archetype": "guard", "points": 2}, {"archetype": "guard", "points": 2}]
    strip = [[x, y] for x in (7, 8) for y in range(3, 9)]
    return {
        "duel_mirror": {
            "config": dict(LIMITS),
            "figures": {**_team("red", "fighter", saga_points=0), **_team("blue", "fighter", saga_points=0)},
        },
        "melee_vs_bow": {
            "config": dict(LIMITS),
            "figures": {
                **_team("red", {"hero": "fighter", "armour": "leather"}, saga_points=0),
                **_team("blue", "archer", saga_points=0),
            },
        },
        "diplomat_duel": {
            "config": {**LIMITS, "social_offset": 4},
            "figures": {**_team("red", "diplomat", saga_points=0), **_team("blue", "fighter", saga_points=0)},
        },
        "ambush": {
            "config": dict(LIMITS),
            "figures": {
                **_team("red", "fighter", "archer", saga_points=1, initiative_modifier=-16),
                **_team("blue", "fighter", "skirmisher", saga_points=1),
            },
        },
        "party_battle": {
            "config": {**LIMITS, "grid_width": 16},
            "figures": {
                **_team("red", "fighter", "archer", "diplomat", "scholar", saga_points=1),
                **_team("blue", "bulwark", "skirmisher", "archer", "fighter", saga_points=1),
            },
            "cover": strip,
        },
        "wounded_last_stand": {
            "config": {**LIMITS, "limit_result": "losses"},
            "figures": {
                **_team("red", "fighter", saga_points=2, wounds=3),
                **_team("blue", *guards, saga_points=0),
            },
        },
    }


def parleys() -> dict[str, dict[str, Any]]:
    """Presets of `oneshot-parley`, the one of two seats first; fresh objects on every call."""

    def solo(hero: str, counterpart: Any = None, wounds: int = 0, **config: Any) -> dict[str, Any]:
        setup: dict[str, Any] = {"mode": "solo", "config": config, "speaker": {"char": hero}}
        if counterpart is not None:
            body, mind, charisma = counterpart
            char = {"body": body, "mind": mind, "charisma": charisma}
            setup["counterpart"] = {"char": char, "wounds": wounds}
            config["npc_prior"] = "given"
        return setup

    return {
        "council": {
            "mode": "versus",
            "config": {
                "build_choice": "choose",
                "goal_successes": 2,
                "relation": -1,
                "request_difficulty": -1,
                "social_offset": 3,
            },
        },
        "market": solo("archer", request_difficulty=-2),
        "hostile_guard": solo("archer", (3, 1, 1), relation=-2, request_difficulty=-3),
        "old_friend": solo("fighter", relation=2, request_difficulty=-3, goal_successes=2),
        "interrogation": solo("fighter", (3, 0, 2), 5, relation=-2, request_difficulty=-3),
        "stern_rules": solo("archer", social_offset=3),
        "claim": {"mode": "claim", "config": {}},
        "lone_claim": {"mode": "claim_solo", "config": {}},
    }  # fmt: skip


def builds() -> dict[str, dict[str, Any]]:
    """Presets of `oneshot-build`; fresh objects on every call."""
    return {
        "arena": {"config": {"diplomatic_breaks_on_attack": True, "max_count": 180}},
        "literal": {"config": {}},
    }


def missions() -> dict[str, dict[str, Any]]:
    """Presets of `oneshot-mission`; fresh objects on every call."""

    def mission(heroes: list[Any], saga: int = 1, **config: Any) -> dict[str, Any]:
        config = {"social_offset": 3, "max_count": 400, "party_size": len(heroes), **config}
        return {"config": config, "heroes": [{"char": hero, "saga_points": saga} for hero in heroes]}

    thief = {"hero": "scholar", "items": {"fire_flask": 1}, "tools": ["lockpicks"]}
    return {
        "cellar_cleanse": mission(["fighter", "archer", "diplomat"], scenario="cleanse"),
        "courier": mission(["skirmisher", "scholar"], scenario="traverse"),
        "heist": mission(["archer", "fighter", "skirmisher", thief], sg=2, scenario="retrieve", tier_target="weak"),
        "boss_hunt": mission(["archer", "bulwark", "fighter", "skirmisher"], 2, sg=2, scenario="destroy"),
        "last_stand": mission(["fighter", "bulwark"], scenario="protect"),
        "random": mission(["fighter", "archer", "diplomat"]),
    }


def presets(game: str) -> dict[str, dict[str, Any]]:
    """Presets of one of `params.GAMES`."""
    return {"skirmish": skirmishes, "parley": parleys, "build": builds, "mission": missions}[game]()
