"""What a clash can come to: the bounds of its payoffs against whole game trees, random play, and cases by hand."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as hs

from probespiel.envs.core.game import Game, Position
from probespiel.envs.konfrontation.presets import presets
from probespiel.envs.konfrontation.system import SYSTEM
from tests.naive.konfrontation_random import random_setup

Bounds = tuple[tuple[float, float], ...]
CLASHES = [name for name, setup in presets().items() if setup["mode"] == "clash"]
PAYS = """
from probespiel.envs.konfrontation.module import Module

module = Module("pays", "Pays the attacker more.", payoff_shift=1.5)


@module.hook
def payoff(s, p, seat, value):
    \"\"\"The attacker gets more.\"\"\"
    return value + 1.5 * (seat == s.attacker)
"""
SCHEMES = """

@module.hook
def loot(s, p, seat, loser, amount):
    \"\"\"The winner takes more.\"\"\"
    return amount + 3
"""


def reached(position: Position) -> Bounds:
    """The least and the most payoff of each seat over all ways to go on."""
    if position.over:
        return tuple((float(x), float(x)) for x in position.returns())
    seat = position.to_act()[0]
    found: list[Bounds] = []
    for action in position.legal(seat):
        child = position.clone()
        child.apply(seat, action)
        found.append(reached(child))
    return tuple((min(a for a, _ in ends), max(b for _, b in ends)) for ends in zip(*found, strict=True))


def clash(mine: dict[str, Any], theirs: dict[str, Any], attack: dict[str, Any], **options: Any) -> dict[str, Any]:
    """A clash of A against B, with at most one bid of each side: ties change nothing of what can be reached."""
    declared = {"type": "social", "commit": ["a"], "defence": [], **attack}
    return {"stage": "bid", "max_ties": 1, "factions": {"A": mine, "B": theirs}, "attack": declared, **options}


def one(power: int, *unit: Any, label: str = "a", **more: Any) -> dict[str, Any]:
    """A faction with a unit and power."""
    return {"power": power, "units": {label: list(unit)} if unit else {}, **more}


SOCIAL, SHADY, HELPER = ("character", "social"), ("character", "shady"), ("support", "shady", 3)
POWER = {"target": "power"}
RESOURCE = {"target": {"kind": "resource", "name": "r"}}
FULL = {f"x{i}": 1 for i in range(8)}
BY_HAND: dict[str, tuple[dict[str, Any], tuple[float, float], tuple[float, float]]] = {
    # Strength 1 against 0. A gains most with bids 0 and 0: 1 of loot, 2 of spoils, and B loses 2. B must bid 2 to win,
    # A 0: B pays 2, gets 1 of loot, and A's character, which is worth 3 to both.
    "power": (clash(one(3, *SHADY), one(2), POWER), (-5.0, 5.0), (-5.0, 5.0)),
    # Strength 2 of its own nature: B cannot win. It bids 1, A 0: 1 of loot, 1 lost, and size 3 at 2 for both.
    # With bids 0 and 0 a destroyed resource brings 1 of loot and 6. A draw, 0, is out of reach, which nobody needs.
    "a resource": (clash(one(0, *SOCIAL), one(1, resources={"r": 3}), RESOURCE), (0.0, 14.0), (7.0, 14.0)),
    "no room for it": (
        clash(one(0, *SOCIAL, resources=FULL), one(1, resources={"r": 3}), RESOURCE), (0.0, 8.0), (7.0, 8.0)
    ),
    "no room, but it pays": (
        clash(one(0, *SOCIAL, resources=FULL), one(1, resources={"r": 3}), RESOURCE, destroyed_resource_pays=True),
        (0.0, 14.0), (13.0, 14.0),
    ),
    # A holds all the power that it may: what it gets is lost unless it pays first. At most B alone loses 2, in spoils
    # or in a bid with them. A at its worst bids 8 against 0: -8 + 1 + 2 and 2 from B; B at its best bids 2 against 0,
    # -2 + 1 + 2 and 2 from A.
    "a full stock": (clash(one(8, *SHADY), one(2), POWER, power_cap=8, w_unit=0), (-3.0, 2.0), (-3.0, 2.0)),
    # Strengths 1 + 4 and 2. B wins with 4 against 0 at the earliest: 4 less 1 of loot, and the support changes sides, 4
    # at 3 for both. A wins with 1 against 3: 3 of loot less 1, 3 from B, and 2 and 2 of spoils.
    "a support": (
        clash(
            {"power": 1, "units": {"a": list(SHADY), "s": list(HELPER)}}, one(8, *SOCIAL, label="b"),
            {**POWER, "commit": ["a", "s"], "defence": ["b"]},
        ),
        (-21.0, 9.0), (-21.0, 9.0),
    ),
    # Nobody has power or bids; 4 for A and 1 from B, weighed by 2, and 1 of loot.
    "other": (
        clash(one(0, *SHADY), one(0), {"target": "other"}, other_points=4, other_cost=1, w_other=2),
        (0.0, 11.0), (11.0, 11.0),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_HAND)
def test_a_case_by_hand(name: str) -> None:
    setup, (low, high), (least, most) = BY_HAND[name]
    game = Game(SYSTEM.spec_of_setup(setup))
    assert game.spec.payoff_bounds == ((low, high), (-high, -low))
    assert reached(game.position()) == ((least, most), (-most, -least))


@pytest.mark.parametrize("name", CLASHES)
def test_the_bounds_of_the_presets_are_reached(name: str) -> None:
    game = Game(SYSTEM.spec_of_setup({**presets()[name], "max_ties": 1}))
    assert reached(game.position()) == game.spec.payoff_bounds
    assert SYSTEM.spec(SYSTEM.games[0], name, {}, {}).payoff_bounds == game.spec.payoff_bounds, "whatever ties"
    assert game.spec.payoff_range[1] >= 78, "the scale of learners and searches stays"


@settings(max_examples=150, deadline=None)
@given(hs.integers(0, 2**32))
def test_no_game_leaves_the_bounds(seed: int) -> None:
    """Random set-ups of all stages, played at random and at the ends of the legal actions."""
    rng = random.Random(seed)
    game = Game(SYSTEM.spec_of_setup(random_setup(rng, "clash")[1]))
    (low, high), other = game.spec.bounds_of_seats
    assert len(game.spec.payoff_bounds) == 2 and other == (-high, -low) and low <= 0 <= high
    for number in range(12):
        position = game.position(seed=number)
        while not position.over:
            seat = rng.choice(position.to_act())
            legal = position.legal(seat)
            position.apply(seat, rng.choice([legal[0], legal[-1], rng.choice(legal)]))
        assert low - 1e-9 <= position.returns()[0] <= high + 1e-9


def test_modules_shift_the_bounds_or_leave_them_out(tmp_path: Path) -> None:
    pays, schemes = tmp_path / "pays.py", tmp_path / "schemes.py"
    pays.write_text(PAYS)
    schemes.write_text(PAYS.replace('"pays"', '"schemes"') + SCHEMES)
    setup = {**presets()["debate"], "max_ties": 1}
    plain = SYSTEM.spec_of_setup(setup)
    game = Game(SYSTEM.spec_of_setup({**setup, "modules": {str(pays): {}}}), compiled=False)
    assert game.spec.payoff_bounds == tuple((low - 1.5, high + 1.5) for low, high in plain.payoff_bounds)
    (low, high), _ = reached(game.position())
    assert (low, high) == (plain.payoff_bounds[0][0] + 1.5, plain.payoff_bounds[0][1] + 1.5)
    for modules in ({str(schemes): {}}, {"all_pay": {}}, {str(pays): {}, "blackmail": {}}):
        spec = SYSTEM.spec_of_setup({**setup, "modules": modules})
        assert spec.payoff_bounds == () and set(spec.bounds_of_seats) == {spec.payoff_range}, modules


def test_a_campaign_declares_its_range_alone() -> None:
    spec = SYSTEM.spec_of_setup(presets()["council"])
    assert spec.payoff_bounds == () and spec.bounds_of_seats == ((-0.25, 1.0),) * 5
