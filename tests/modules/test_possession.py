"""Modules that only some seats have: without any holder the game is the old one; others are never offered anything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game
from probespiel.envs.core.modules import load_modules
from probespiel.envs.core.rng import rand_below, rng_array
from probespiel.envs.einblatt.module import INTERFACE
from probespiel.envs.einblatt.system import SYSTEM

from . import play

NAMES = [name for name in play.VARIANTS if name not in ("point_buy", "specialist_buy")]


def random_game(game: Game, seed: int) -> tuple[list[tuple[int, int]], np.ndarray]:
    """Decisions and payoffs of a random game whose dice and choices depend on the seed alone."""
    position, rng = game.position(seed), rng_array(seed, "choices")
    taken = []
    while not position.over:
        for seat in position.to_act():
            legal = position.legal(seat)
            action = legal[rand_below(rng, len(legal))]
            position.apply(seat, action)
            taken.append((seat, action))
        position.roll()
    return taken, position.returns()


@pytest.mark.parametrize("name", NAMES)
def test_a_module_that_nobody_has_changes_nothing(name: str) -> None:
    """Same decisions, same payoffs, for the same dice."""
    level = "campaign" if name in ("sleeve", "full_hand", "confidence", "experience", "incentive") else "duel"
    setup = play.LEVELS[level]({name: {"seats": []}})
    with_it = play.make(setup)
    for seat in setup["seats"]:
        if name == "confidence":
            seat.pop("conf", None)
    without = play.make({**setup, "modules": {}})
    for seed in range(4):
        a, b = random_game(with_it, seed), random_game(without, seed)
        assert a[0] == b[0]
        assert np.array_equal(a[1], b[1])


@pytest.mark.parametrize("name", ["table_redraw", "open_look", "swap_card", "mercy"])
def test_only_holders_are_offered_its_actions(name: str) -> None:
    """The other seat never sees an action of the module; the holder does."""
    setup = play.duel({name: {"seats": ["Foe"], **({"who": "all"} if name in ("swap_card", "mercy") else {})}})
    game = play.make(setup)
    own = SYSTEM.spec_of_setup(setup).options  # the options keep who has it
    assert own["modules"][name]["seats"] == ["Foe"]
    actions, _ = load_modules(INTERFACE, setup["modules"]).parts_of(name)
    takers: set[int] = set()
    for seed in range(30):
        takers |= {seat for seat, action in random_game(game, seed)[0] if action in actions}
    assert takers == {1}


@pytest.mark.parametrize("value", [["Nobody"], [0, 0], "Ada", [7], [True], 3, {"Ada": 1}])
def test_bad_holders_are_refused(value: Any) -> None:
    """The error names the module, the parameter, and what is allowed."""
    with pytest.raises(RulesetError, match="module table_redraw: seats"):
        make_game("einblatt-duel", modules={"table_redraw": {"seats": value}}, compiled=False)
