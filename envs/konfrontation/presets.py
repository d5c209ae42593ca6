"""The named scenarios (section 4, Presets), in the shape of a worked example's options and set-up."""

from __future__ import annotations

from typing import Any


def _units(prefix: str, units: tuple[Any, ...]) -> dict[str, list[Any]]:
    return {
        f"{prefix}{i + 1}": ["character", unit] if isinstance(unit, str) else list(unit) for i, unit in enumerate(units)
    }


def _clash(
    kind: str,
    target: dict[str, Any],
    attacker: tuple[int, tuple[Any, ...]],
    defender: tuple[int, tuple[Any, ...]],
    resources: dict[str, int] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """A declared attack in which the attacker commits everything; (power, units) of both sides."""
    mine, theirs = _units("a", attacker[1]), _units("d", defender[1])
    return {
        "mode": "clash",
        "stage": "defence",
        **options,
        "factions": {
            "attacker": {"power": attacker[0], "units": mine},
            "defender": {"power": defender[0], "units": theirs, "resources": resources or {}},
        },
        "attacker": "attacker",
        "attack": {"faction": "defender", "target": target, "type": kind, "commit": list(mine)},
    }


def presets() -> dict[str, dict[str, Any]]:
    """All presets by name, the default of each mode first; fresh objects on every call."""
    combative, social, shady, intellectual = "combative", "social", "shady", "intellectual"
    power, other = {"kind": "power"}, {"kind": "other"}
    return {
        "tavern_takeover": _clash(
            social,
            {"kind": "resource", "name": "tavern"},
            (4, (social, combative)),
            (3, (social, shady)),
            {"tavern": 2},
        ),
        "assassination": _clash(
            shady, {"kind": "unit", "name": "d1"}, (5, (shady, shady)), (4, (combative, shady, social))
        ),
        "strongbox": _clash(shady, power, (2, (shady, intellectual)), (4, (combative, combative))),
        "burn_the_books": _clash(intellectual, other, (3, (intellectual, shady)), (3, (intellectual,)), other_points=3),
        "debate": _clash(intellectual, power, (5, (intellectual, social)), (4, (intellectual, social))),
        "monster": _clash(
            combative,
            {"kind": "resource", "name": "treasure"},
            (3, (social, ("support", combative, 2))),
            (4, (combative, combative, shady)),
            {"treasure": 3},
        ),
        "duel": {"mode": "campaign", "n_factions": 2, "turns": 8, "destroyed_resource_pays": True},
        "triad": {"mode": "campaign", "n_factions": 3, "turns": 8, "destroyed_resource_pays": True},
        "council": {"mode": "campaign", "n_factions": 5, "turns": 10, "destroyed_resource_pays": True},
        "raid_lab": {
            "mode": "campaign",
            "n_factions": 2,
            "turns": 2,
            "first_seat": 0,
            "gather_amount": 2,
            "max_ties": 3,
            "victory": "power",
            "utility": "margin",
            "allowed_actions": ["gather", "attack"],
            "allowed_targets": ["power"],
            "allowed_types": [combative, social],
            "factions": {
                "A": {"power": 2, "units": {"a1": ["character", combative]}},
                "B": {"power": 2, "units": {"b1": ["character", social]}},
            },
        },
    }
