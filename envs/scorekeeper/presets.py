"""The named scenarios (4.9), in the shape of a worked example's `setup`."""

from __future__ import annotations

from typing import Any

FEWER_REPEATS = ["attack", "damage", "save", "parry", "shock", "death", "first_aid"]  # halves the questions of fate

DERMAN = {"wah": 8, "agl": 6, "res": 7, "wil": 6, "melee_skill": 6, "ranged_skill": 6, "first_aid": 7}


def _fighter(name: str, team: str, position: int, values: str, **more: Any) -> dict[str, Any]:
    """`values`: wah, agl, res, wil, melee skill, ranged skill, first aid."""
    fields = ("wah", "agl", "res", "wil", "melee_skill", "ranged_skill", "first_aid")
    numbers = dict(zip(fields, map(int, values.split()), strict=True))
    return {"name": name, "team": team, **numbers, "position": position, **more}


def _derman(position: int, fate: int, **more: Any) -> dict[str, Any]:
    return {"name": "derman", "team": "a", **DERMAN, "damage_bonus": 1, "fate": fate, "position": position, **more}


def presets() -> dict[str, dict[str, Any]]:
    """All presets by name; fresh objects on every call."""
    vest, kevlar, leather = ["bristol_vest"], ["kevlar_clothing"], ["leather_jacket"]
    return {
        "mafia_club": {
            "config": {"field_length": 20, "max_rounds": 60, "fate_reroll_rolls": list(FEWER_REPEATS)},
            "fighters": [_derman(9, 1), _fighter("bouncer", "b", 11, "5 6 8 5 6 6 4", damage_bonus=1)],
        },
        "drug_flat": {
            "config": {"field_length": 12, "fate_reroll_rolls": list(FEWER_REPEATS)},
            "fighters": [
                _derman(2, 1, ranged="magnum", armour=list(vest)),
                _fighter("dealer", "b", 8, "8 7 7 7 6 6 6", fate=1, melee="knife", ranged="shotgun", armour=leather),
            ],
        },
        "rooftop_chase": {
            "config": {"field_length": 60, "fate_reroll_rolls": list(FEWER_REPEATS)},
            "fighters": [
                _derman(10, 2, ranged="magnum", armour=list(vest), wounds={"kr": 1}),
                _fighter("killer", "b", 28, "7 7 7 7 6 7 6", fate=1, melee="knife", ranged="copkiller", armour=kevlar),
            ],
        },
        "blade_mirror": {
            "config": {"field_length": 1, "victory": "first_blood", "allow_full_run": False},
            "fighters": [
                _fighter("left", "a", 0, "6 6 6 6 6 6 6", melee="sword"),
                _fighter("right", "b", 1, "6 6 6 6 6 6 6", melee="sword"),
            ],
        },
        "street_raid": {
            "config": {"field_length": 40, "draw_rule": "margin", "fate_reroll_rolls": list(FEWER_REPEATS)},
            "fighters": [
                _derman(8, 1, melee="club", ranged="magnum", armour=list(vest)),
                _fighter("officer_1", "a", 6, "7 6 7 6 6 6 6", melee="club", ranged="magnum", armour=list(vest)),
                _fighter("officer_2", "a", 6, "6 6 7 6 6 6 6", melee="club", ranged="shotgun", armour=list(vest)),
                _fighter("medic", "a", 4, "6 6 6 7 4 4 14", melee="stun_baton", ranged="magnum", armour=list(kevlar)),
                _fighter("killer", "b", 24, "7 7 7 7 6 7 6", fate=1, melee="knife", ranged="copkiller", armour=kevlar),
                _fighter("dealer", "b", 22, "7 6 6 6 5 7 6", melee="knife", ranged="magnum", armour=list(kevlar)),
                _fighter(
                    "thug_1",
                    "b",
                    18,
                    "6 7 8 6 7 6 6",
                    damage_bonus=2,
                    melee="sword",
                    ranged="throwing_knife",
                    armour=["leather_jacket", "steel_helmet"],
                ),
                _fighter(
                    "thug_2", "b", 22, "6 6 7 6 6 6 6", damage_bonus=1, melee="club", ranged="bow", armour=list(kevlar)
                ),
            ],
        },
        "stairwell_rescue": {
            "config": {"field_length": 30, "victory": "death", "utility": "win", "max_rounds": 30},
            "events": [{"round": 1, "fighter": "derman", "kind": "wound", "wound": "KR"}],
            "fighters": [
                _derman(6, 0, wounds={"kr": 3, "lw": 2, "sw": 2}),
                _fighter("partner", "a", 5, "7 7 7 7 6 6 13", fate=2, ranged="magnum"),
                _fighter("thug_1", "b", 18, "5 6 7 5 5 6 6", damage_bonus=1, melee="club"),
                _fighter("thug_2", "b", 18, "6 6 6 5 5 6 6", damage_bonus=1, melee="knife"),
            ],
        },
    }
