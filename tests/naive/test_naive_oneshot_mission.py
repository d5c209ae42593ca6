"""OneShot's generator against the plain one of `oneshot_mission.py`, die by die; and its invariants (7.8)."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import pytest

from probespiel.envs.oneshot.verify import run_group, run_layout, run_mission
from tests.naive.oneshot_mission import SCENARIOS, roll_group, roll_map, roll_mission


def recorded(rng: random.Random) -> tuple[Any, list[int]]:
    """Dice from `rng`, and the list of those that have been taken."""
    taken: list[int] = []

    def dice() -> Any:
        while True:
            taken.append(rng.randint(1, 6))
            yield taken[-1]

    return dice(), taken


def compare(rng: random.Random) -> None:
    """One mission, map and group on both."""
    sg = rng.randint(1, 6)
    options = {
        "half_rounding": rng.choice(["floor", "ceil"]),
        "extra_scenarios": rng.random() < 0.5,
        "extra_points": rng.choice(["weakest", "strongest", "none"]),
    }
    config = {"sg": sg, **options}
    scenario = rng.choice([None, *SCENARIOS])
    dice, taken = recorded(rng)
    want = roll_mission(dice, sg, options, scenario)
    setup = {"dice": taken} if scenario is None else {"dice": taken, "scenario": scenario}
    have = run_mission({"config": config, "setup": setup, "expect": {}})
    assert have == {**want, "dice_left": 0}, (config, setup)
    kinds = [c["kind"] for c in want["conditions"]]
    assert len(kinds) == len(set(kinds)) <= min(4, sg if not have["extra"] else 4)
    assert not (want["defensive"] and "unseen" in kinds)
    if sg >= 3 and kinds:
        assert want["conditions"][0]["level"] in (("necessary",) if sg >= 5 else ("critical", "necessary"))
    for condition in have["conditions"]:
        assert condition.get("hostages", 0) <= condition.get("civilians", 0)

    dice, taken = recorded(rng)
    layout = roll_map(dice, sg)
    have = run_layout({"config": config, "setup": {"dice": taken}, "expect": {}})
    assert have == {**layout, "dice_left": 0}, (config, taken)
    types = [kind for kind, _ in have["rooms"]]
    assert types.count("target_area") == 1 == types.index("target_area") - len(types) + 2
    assert types.count("event_room") >= 2 * sg and 4 * sg <= len(types) - 1 <= 8 * sg
    reached, border = {0}, deque([0])
    while border:
        at = border.popleft()
        for pair in have["links"]:
            if at in pair:
                other = sum(pair) - at
                if other not in reached:
                    reached.add(other)
                    border.append(other)
    assert len(reached) == len(types)

    tier, boss = rng.choice(["weak", "normal", "strong"]), rng.random() < 0.5
    dice, taken = recorded(rng)
    units = roll_group(dice, sg, options, tier, boss)
    have = run_group({"config": config, "setup": {"dice": taken, "tier": tier, "boss": boss}, "expect": {}})
    assert have["units"] == units and have["dice_left"] == 0, (config, taken, tier, boss)
    low, high = {"weak": (1, 3 * sg), "normal": (sg, 6 * sg), "strong": (2 * sg, 7 * sg)}[tier]
    assert low <= len(units) <= high


def test_generator_agrees_with_the_oracle() -> None:
    rng = random.Random(11)
    for _ in range(60):
        compare(rng)


@pytest.mark.slow
def test_generator_agrees_with_the_oracle_at_length() -> None:
    rng = random.Random(12)
    for _ in range(2000):
        compare(rng)
