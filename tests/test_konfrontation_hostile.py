"""Wrong input of every kind to konfrontation: a specific error each time, the state unchanged, nothing crashes."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from probespiel.envs import make_game
from probespiel.envs.core.errors import IllegalAction, RulesetError
from probespiel.envs.core.game import Game
from probespiel.envs.konfrontation.params import OPTIONS, STRUCTURE
from probespiel.envs.konfrontation.presets import presets
from probespiel.envs.konfrontation.system import SYSTEM
from tests.test_hostile import WEIRD, weird_action

ACTIONS = 60_000
PARAMETERS = 8_000
WORDS = [
    *OPTIONS, *STRUCTURE, "nonsense", "", "power", "units", "resources", "kind", "nature", "extra", "size", "target",
    "type", "commit", "defence", "name", "faction",
]  # fmt: skip
VALUES: list[Any] = [
    *WEIRD, "attacker", "defender", "a1", "d1", "d2", "tavern", "campaign", "clash", "unit", "resource", "combative",
    "support", ["character", "shady"], ["support", "shady", 3], ["character"], {"kind": "power"}, {"kind": "unit"},
    {"kind": "unit", "name": "d1"}, {"A": {}, "B": {}}, {"units": {"x": []}}, ["a1", "a1"], ["d1"], 5, 20, 21, 30, 31,
]  # fmt: skip


@pytest.mark.parametrize("name", SYSTEM.games)
def test_hostile_actions(name: str) -> None:
    """Random and adversarial actions by random seats: legal ones are taken, all others refused without a trace."""
    rng = random.Random(1)
    stage: dict[str, Any] = {"stage": "full"} if "clash" in name else {}
    games = [make_game(name, scenario, **stage) for scenario in SYSTEM.scenarios(name)]
    position = games[0].position(seed=1)
    refused = taken = 0
    for number in range(ACTIONS // 2):
        if position.over:
            position = rng.choice(games).position(seed=number)
        seats = position.to_act()
        seat: Any = rng.choice(seats) if rng.random() < 0.8 else rng.choice([*range(-2, 7), *WEIRD])
        action = weird_action(rng) if rng.random() < 0.9 else rng.choice(position.legal(seats[0]))
        before = position.to_bytes()
        try:
            position.apply(seat, action)
        except IllegalAction as error:
            assert position.to_bytes() == before
            assert "legal" in str(error) or "owes no decision" in str(error)
            refused += 1
        else:
            position.roll()
            taken += 1
    assert refused > ACTIONS // 4 and taken > 1000


def mutate(rng: random.Random, value: Any) -> Any:
    """The value with one random part replaced, removed or added."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        roll = rng.random()
        if roll < 0.1:
            del value[key]
        elif roll < 0.25:
            value[rng.choice(WORDS)] = rng.choice(VALUES)
        else:
            value[key] = mutate(rng, value[key])
        return value
    if isinstance(value, list) and value and rng.random() < 0.85:
        index = rng.randrange(len(value))
        value[index] = mutate(rng, value[index])
        return value
    return rng.choice(VALUES)


@pytest.mark.parametrize("seed", [2, *(pytest.param(s, marks=pytest.mark.slow) for s in (3, 4))])
def test_hostile_parameters(seed: int) -> None:
    """Broken set-ups: a RulesetError with a text that says something, or a game that can be declared."""
    rng = random.Random(seed)
    refused = 0
    all_presets = list(presets().values())
    for _ in range(PARAMETERS):
        setup = copy.deepcopy(rng.choice(all_presets))
        for name in rng.sample(list(OPTIONS), 3):
            setup.setdefault(name, copy.deepcopy(OPTIONS[name].default))
        for _ in range(rng.choice([1, 1, 2, 3])):
            mutate(rng, setup)
        try:
            spec = SYSTEM.spec_of_setup(setup)
        except RulesetError as error:
            assert len(str(error)) > 10
            refused += 1
        else:
            assert 2 <= len(spec.seats) <= 5
    assert PARAMETERS // 3 < refused < PARAMETERS


def test_accepted_set_ups_can_be_played() -> None:
    """What the door lets in neither sticks nor crashes: whole random games."""
    rng = random.Random(3)
    played = 0
    while played < 60:
        setup = copy.deepcopy(rng.choice(list(presets().values())))
        mutate(rng, setup)
        setup[rng.choice(list(OPTIONS))] = rng.choice([0, 1, 2, 5, 20, True, False, "full", "random", "margin"])
        try:
            game = Game(SYSTEM.spec_of_setup(setup))
        except RulesetError:
            continue
        position = game.position(seed=played)
        for _ in range(game.spec.max_decisions):
            if position.over:
                break
            seat = rng.choice(position.to_act())
            position.apply(seat, rng.choice(position.legal(seat)))
            game.layout.check(position.observe(seat))
        assert position.over
        low, high = game.spec.payoff_range
        assert low <= position.returns().min() and position.returns().max() <= high
        played += 1


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_names_itself_and_the_value(name: str) -> None:
    for value in (object, "nonsense", -99, 10**9, {"nobody": "nowhere"}, [[1, 2]]):
        with pytest.raises(RulesetError) as caught:
            SYSTEM.spec_of_setup({**presets()["duel"], name: value})
        assert name in str(caught.value)


def test_declared_defaults_are_valid() -> None:
    for mode in ("duel", "debate"):
        SYSTEM.spec_of_setup({**{n: o.default for n, o in OPTIONS.items()}, **presets()[mode]})
