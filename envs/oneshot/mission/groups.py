"""Groups of enemies on a mission: when they are rolled, and how a room remembers its own (R170, 4.7)."""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ..choices import Scenario, Tier
from ..state import MAX_POINTS, PACKED, FightStage, Mode, Purpose
from .generator import generate_group, has_scenario


@kernel
def begin_group_dice(s: Any) -> None:
    """R170: the group of this room is rolled."""
    s.mode = Mode.GROUP
    s.tape_n = 0


@kernel
def roll_group(s: Any, p: Any) -> None:
    """R170, R171, R155: with the tier and the boss of the purpose."""
    tier = p.tier_event
    boss = 0
    if s.purpose == Purpose.TARGET:
        tier = p.tier_target
        boss = 1 if has_scenario(s, Scenario.DESTROY) else 0
        if s.n_scenarios == 1 and s.scenarios[0] == Scenario.TRAVERSE:
            tier = Tier.WEAK.value
    elif s.purpose == Purpose.WAVES:
        tier = Tier.WEAK.value
    s.tape_at = 0
    s.starved = 0
    generate_group(s, p, tier, boss, s.more, s.stronger)


@kernel
def pack_group(s: Any, room: int) -> None:
    """Remember the group of a room."""
    s.group_n[room] = s.n_units
    for k in range(PACKED):
        s.group_units[room, k] = 0
    for i in range(s.n_units):
        points = min(MAX_POINTS, s.unit_points[i])
        s.group_units[room, i % PACKED] |= (points * 6 + s.unit_type[i]) << 8 * (i // PACKED)


@kernel
def unpack_group(s: Any, room: int) -> None:
    """The group that waits in a room."""
    s.n_units = s.group_n[room]
    for i in range(s.n_units):
        code = s.group_units[room, i % PACKED] >> 8 * (i // PACKED) & 255
        s.unit_points[i] = code // 6
        s.unit_type[i] = code % 6


@kernel
def begin_waves(s: Any, p: Any) -> None:
    """4.7.6: `protect`: the object stands between, the first wave comes."""
    s.purpose = Purpose.WAVES
    s.waves_left = p.sg + 1
    s.stage = FightStage.NONE
    begin_group_dice(s)
