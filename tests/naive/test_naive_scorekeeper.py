"""The kernel of Scorekeeper against the plain oracle: the same dice, the same decisions, the same fight."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from probespiel.envs.scorekeeper.presets import presets
from tests.naive.scorekeeper_random import Pair, game_of_setup, random_setup


@pytest.mark.parametrize("name", presets())
def test_presets(name: str) -> None:
    setup = presets()[name]
    game = game_of_setup(setup)
    rng = random.Random(name)
    for _ in range(3):
        Pair(game, setup).play(rng)


def play_random(first: int, count: int) -> Counter[str]:
    """Random fights; how they ended."""
    ends: Counter[str] = Counter()
    for seed in range(first, first + count):
        rng = random.Random(seed)
        setup = random_setup(rng, duel=seed % 3 == 0)
        pair = Pair(game_of_setup(setup), setup)
        try:
            pair.play(rng)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
        ends[str(pair.fight.winner)] += 1
    return ends


def test_random_skirmishes() -> None:
    ends = play_random(0, 80)
    assert min(ends["a"], ends["b"], ends["draw"]) > 5


def test_interpreted_kernel() -> None:
    """The same rules without the compiler."""
    for seed in range(3):
        rng = random.Random(seed)
        setup = random_setup(rng, duel=True)
        Pair(game_of_setup(setup, compiled=False), setup).play(rng)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_skirmishes(part: int) -> None:
    ends = play_random(1000 + 1000 * part, 1000)
    assert sum(ends.values()) == 1000
