"""Wrong input of every kind: a specific error each time, the state unchanged, nothing crashes."""

from __future__ import annotations

import copy
import random
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as hs

from probespiel.envs import make_game
from probespiel.envs.core.errors import IllegalAction, ProbespielError, RulesetError, UnparsableAction
from probespiel.envs.core.game import Position
from probespiel.envs.einblatt.params import CONFLICT_FIELDS, OPTIONS, SEAT_FIELDS
from probespiel.envs.einblatt.presets import presets
from probespiel.envs.einblatt.system import SYSTEM

ACTIONS = 100_000
PARAMETERS = 3_000
WEIRD: list[Any] = [
    None, True, False, -1, 0, 1, 2, 3, 4, 33, 10**6, -(10**9), 2**63, 2**70, 0.5, -0.0, float("nan"), float("inf"),
    "", "C", "CC", "X", "pc", "npc", "own", "all", "C10", "card:C10", "\x00", "ä" * 50, b"bytes", [], [1], ["C10"],
    ["C10", "C10"], ["C11"], (), {}, {"a": 1}, {"Billy": {}}, object(), np.int64(3), np.float32(2.5),
    np.array([1, 2]), 3j,
]  # fmt: skip


def weird_action(rng: random.Random) -> Any:
    """Something that somebody might pass as an action."""
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randrange(-5, 90)
    if kind == 1:
        return rng.choice(WEIRD)
    return np.int64(rng.randrange(80)) if kind == 2 else rng.randrange(80)


@pytest.mark.parametrize("name", ["einblatt-duel", "einblatt-melee"])
def test_hostile_actions(name: str) -> None:
    """Random and adversarial actions by random seats: legal ones are taken, all others refused without a trace."""
    rng = random.Random(1)
    game = make_game(name)
    position = game.position(seed=1)
    refused = taken = 0
    for number in range(ACTIONS // 2):
        if position.over:
            position = game.position(seed=number)
        seats = position.to_act()
        seat: Any = rng.choice(seats) if rng.random() < 0.8 else rng.choice([*range(-2, 14), *WEIRD])
        action = weird_action(rng) if rng.random() < 0.97 else rng.choice(position.legal(seats[0]))
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
    assert refused > ACTIONS // 4 and taken > 500


def mutate(rng: random.Random, value: Any, depth: int = 0) -> Any:
    """The value with one random part replaced, removed or added."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        roll = rng.random()
        if roll < 0.1:
            del value[key]
        elif roll < 0.2:
            value[rng.choice([*OPTIONS, *SEAT_FIELDS, *CONFLICT_FIELDS, "nonsense", 3, ""])] = rng.choice(WEIRD)
        else:
            value[key] = mutate(rng, value[key], depth + 1)
        return value
    if isinstance(value, list) and value and rng.random() < 0.85:
        index = rng.randrange(len(value))
        value[index] = mutate(rng, value[index], depth + 1)
        return value
    return rng.choice(WEIRD)


def base_setup(rng: random.Random) -> dict[str, Any]:
    """A valid scenario with some valid options."""
    name = rng.choice(["billy_tree", "storm", "tug_of_war", "free_for_all", "table32_session"])
    setup = copy.deepcopy(presets()[name])
    setup.setdefault("conflicts", [{}])
    for name in rng.sample(list(OPTIONS), 3):
        setup["config"][name] = copy.deepcopy(OPTIONS[name].default)
    return setup


@pytest.mark.parametrize("seed", [2, *(pytest.param(s, marks=pytest.mark.slow) for s in (3, 4, 5))])
def test_hostile_parameters(seed: int) -> None:
    """Broken scenarios: a RulesetError with a text that names the culprit, or a game that can be declared."""
    rng = random.Random(seed)
    refused = 0
    for _ in range(PARAMETERS):
        setup = base_setup(rng)
        for _ in range(rng.choice([1, 1, 2, 3])):
            mutate(rng, setup)
        try:
            SYSTEM.spec_of_setup(setup)
        except RulesetError as error:
            assert len(str(error)) > 10
            refused += 1
    assert refused > PARAMETERS // 3


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_names_itself_value_and_range(name: str) -> None:
    """Section 5: the message holds the name, the offending value and what is allowed."""
    for value in (object, "nonsense", -99, 10**9, {"nobody": "nowhere"}, [1, 2]):
        setup = presets()["billy_tree"]
        setup["config"] = {name: value}
        with pytest.raises(RulesetError) as caught:
            SYSTEM.spec_of_setup(setup)
        text = str(caught.value)
        assert name in text
        assert re.search(r"\.\.|one of|True|None|numbers|mapping|team|whole|seat", text)


def test_declared_defaults_are_valid() -> None:
    setup = presets()["tug_of_war"]
    setup["config"] = {name: option.default for name, option in OPTIONS.items()}
    SYSTEM.spec_of_setup(setup)


KUHN = make_game("kuhn", compiled=False).actions


@settings(max_examples=300, deadline=None)
@given(hs.text(max_size=20))
def test_parsing_never_crashes(text: str) -> None:
    """Any text is an action or an UnparsableAction."""
    table = KUHN
    try:
        assert 0 <= table.parse(text) < len(table)
    except UnparsableAction as error:
        assert repr(text) in str(error)


def test_texts_of_all_actions_are_parsed_back() -> None:
    """`parse(describe(a)) == a` in both languages."""
    for name in ("kuhn", "einblatt-duel", "einblatt-melee"):
        table = make_game(name).actions
        for action in range(len(table)):
            assert table.parse(table.codes[action]) == action
            for lang in ("en", "de"):
                assert table.parse(table.describe(action, lang)) == action


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("einblat-duel",), "did you mean einblatt-duel"),
        (("einblatt-duel", "bily_tree"), "did you mean billy_tree"),
        (("einblatt-duel", "tug_of_war"), "einblatt-melee"),
        (("einblatt-duel", "nowhere.json"), "cannot be read"),
        (("einblatt-duel", None, {"nonsense": {}}), "unknown"),
        (("einblatt-duel", None, {"nowhere.py": {}}), "does not exist"),
    ],
)
def test_wrong_names(arguments: tuple[Any, ...], part: str) -> None:
    with pytest.raises(ProbespielError, match=re.escape(part)):
        make_game(*arguments)


def test_wrong_dice() -> None:
    """An outcome out of range is refused, and so is a die that is not due."""
    position = Position(make_game("einblatt-duel"))
    for outcome in (-1, 32, "1", None, 1.0, True):
        before = position.to_bytes()
        with pytest.raises(IllegalAction, match=r"0\.\.31"):
            position.fall(outcome)  # type: ignore[arg-type]
        assert position.to_bytes() == before
    ready = make_game("einblatt-duel").position(seed=1)
    with pytest.raises(IllegalAction, match="no die is due"):
        ready.fall(0)
