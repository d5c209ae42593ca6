"""Compiled rules against the same rules interpreted: the same dice and decisions, the same records, all the way.

    pytest -m slow tests/test_compiled_play.py
    PROBESPIEL_CONFIGURATIONS=10000   so many accepted configurations a system instead of 50
    NUMBA_BOUNDSCHECK=1               with every index of the compiled code checked, too

Options change no rule set, so that all configurations of a game share its compiled code.
"""

from __future__ import annotations

import os
import random
import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.options import Option
from probespiel.envs.core.registry import game_names, system, system_names, system_of

COUNT = int(os.environ.get("PROBESPIEL_CONFIGURATIONS", "50"))
DECISIONS = 150  # of one game; those that follow are like those before
_RANGE = re.compile(r"(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)")
_AMOUNT = re.compile(r"more than 0, at most (\d+(?:\.\d+)?)")


def value_of(option: Option, rng: random.Random) -> Any:
    """A value that the option names as allowed, or its default."""
    if option.allowed == "True, False":
        return rng.random() < 0.5
    if words := option.words or (option.allowed.split(" | ") if " | " in option.allowed else ()):
        return rng.choice(words)
    if found := _RANGE.fullmatch(option.allowed):
        low, high = (float(end) for end in found.groups())
        if isinstance(option.default, int):
            near = [option.default + step for step in (-2, -1, 1, 2) if low <= option.default + step <= high]
            return rng.choice([int(low), rng.randint(int(low), int(high)), *near])
        return round(rng.uniform(low, high), 3)
    if found := _AMOUNT.fullmatch(option.allowed):
        return round(rng.uniform(0.001, float(found[1])), 3)
    return option.default


def configurations(game: str, rng: random.Random, most: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Accepted configurations: the scenarios as they are, then with some options changed."""
    found = system_of(game)
    scenarios, options = found.scenarios(game), found.declared(game)
    yield from ((name, {}) for name in scenarios[:most])
    left, tries = most - len(scenarios), 40 * most
    while left > 0 and tries:
        tries -= 1
        names = rng.sample(sorted(options), min(len(options), rng.choice((1, 2, 4, 8))))
        scenario, config = rng.choice(scenarios), {name: value_of(options[name], rng) for name in names}
        try:
            found.spec(game, scenario, config, {})
        except RulesetError:
            continue
        left -= 1
        yield scenario, config


def same(ours: Position, theirs: Position, where: str) -> None:
    """Both hold the same record, and show everybody the same."""
    assert ours.to_bytes() == theirs.to_bytes(), where
    assert (ours.over, ours.die(), ours.to_act()) == (theirs.over, theirs.die(), theirs.to_act()), where
    for seat in range(ours.game.n_seats):
        np.testing.assert_array_equal(ours.observe(seat), theirs.observe(seat), err_msg=where)
        assert ours.key(seat) == theirs.key(seat), where
    np.testing.assert_array_equal(ours.returns(), theirs.returns(), err_msg=where)


def play_both(compiled: Game, interpreted: Game, rng: random.Random, where: str) -> int:
    """One game on both, compared now and then, and what is forgotten for a search as well; the decisions taken."""
    ours, theirs = compiled.position(), interpreted.position()
    decisions = 0
    while not ours.over and decisions < DECISIONS:
        if faces := ours.die():
            assert faces == theirs.die(), where
            outcome = rng.randrange(faces)
            ours.fall(outcome)
            theirs.fall(outcome)
            continue
        seats = ours.to_act()
        assert seats == theirs.to_act(), where
        seat = rng.choice(seats)
        legal = ours.legal(seat)
        assert legal == theirs.legal(seat), where
        if rng.random() < 0.1:
            same(ours, theirs, where)
            assert ours.forget(seat).to_bytes() == theirs.forget(seat).to_bytes(), where
        action = rng.choice(legal)
        ours.apply(seat, action)
        theirs.apply(seat, action)
        decisions += 1
    same(ours, theirs, where)
    return decisions


@pytest.fixture
def unheard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Errors of compiled callbacks, which have nobody to go to: an index out of range ends there."""
    found: list[str] = []

    def hear(raised: Any) -> None:
        found.append(f"{type(raised.exc_value).__name__}: {raised.exc_value}")

    monkeypatch.setattr(sys, "unraisablehook", hear)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_configurations(game: str, unheard: list[str]) -> None:
    found = system_of(game)
    count = max(1, COUNT // len(found.games))
    tried = decisions = 0
    for number, (scenario, config) in enumerate(configurations(game, random.Random(game), count)):
        spec, where = found.spec(game, scenario, config, {}), f"{game} {scenario} {config}"
        decisions += play_both(Game(spec), Game(spec, compiled=False), random.Random(number), where)
        assert not unheard, f"{where}: {unheard[0]}"
        tried += 1
    print(f"\n{game}: {tried} configurations, {decisions} decisions")
    assert tried == count


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "module"), [(name, module) for name in system_names() for module in system(name).modules()]
)
def test_modules(name: str, module: str, unheard: list[str]) -> None:
    """Every rule module of the house where it is put to the test; each has a rule set of its own to compile."""
    found, played = system(name), 0
    for game in found.games:
        try:
            spec = found.bench(game, None, {}, {module: {}})
        except RulesetError:
            continue  # it belongs to another game of the system
        for seed in range(5):
            where = f"{game} with {module}, game {seed}"
            play_both(Game(spec), Game(spec, compiled=False), random.Random(seed), where)
            assert not unheard, f"{where}: {unheard[0]}"
        played += 1
        break
    assert played, f"{module} belongs to no game of {name}"


def test_values_of_options_are_those_that_are_named() -> None:
    """What is drawn is allowed, and not the default alone."""
    rng = random.Random(1)
    for game in ("kuhn", "liars_dice"):
        found = list(configurations(game, rng, 9))
        assert len(found) == 9
        assert len({str(config) for _, config in found}) > 5
