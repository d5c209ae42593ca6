"""What one table of a game says step by step: which actions are none, when a cycle ends, and who may see what."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core import single
from probespiel.envs.core.abi import ENDED, OVER, ROLL, STOPPED, TO_ACT
from probespiel.envs.core.aec import ProbespielAEC
from probespiel.envs.core.single import FAILED, STUCK, close_cycle


@pytest.fixture
def env() -> ProbespielAEC:
    found = ProbespielAEC(make_game("kuhn", compiled=False), render_mode="ansi")
    found.reset(seed=4)
    return found


def test_what_is_no_action(env: ProbespielAEC) -> None:
    """Whole numbers of any type from 0 on and below the number of actions are actions."""
    most = env.game.n_actions
    assert [env._index(action) for action in (0, most - 1, np.int8(1))] == [0, most - 1, 1]
    nothing: tuple[Any, ...] = (most, -1, True, np.True_, 1.0, "1", None)
    assert [env._index(action) for action in nothing] == [-1] * len(nothing)


@pytest.mark.parametrize(
    ("bits", "status", "cycles", "limit", "found"),
    [
        (0, ENDED, 3, -1, single.ENDED),
        (0, STOPPED, 3, -1, single.STOPPED),
        (0, 0, 3, -1, STUCK),  # nobody acts, and the game goes on
        (-5, 0, 3, -1, FAILED),
        (2, 0, 3, -1, 0),
        (2, 0, 3, 5, 0),
        (2, 0, 3, 4, single.STOPPED),  # the cycle that ends now is the fourth
        (0, ENDED, 3, 4, single.ENDED),  # an end is an end, whatever the limit
    ],
)
def test_how_a_cycle_ends(
    bits: int, status: int, cycles: int, limit: int, found: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By who acts next, what the rules say of the end, and how many cycles may be played."""
    context = np.zeros(single.CONTEXT + 1, dtype=np.int64)
    context[single.CYCLES], context[single.LIMIT] = cycles, limit
    answers = {ROLL: 0, TO_ACT: bits, OVER: status}
    monkeypatch.setattr(single, "int64_at", lambda address, length: context)
    monkeypatch.setattr(single, "call_kernel", lambda kernel, what, *rest: answers[what])
    assert getattr(close_cycle, "py_func", close_cycle)(0) == found
    assert context[single.CYCLES] == cycles + 1 and context[single.BITS] == bits


def test_who_watches_sees_no_hand(env: ProbespielAEC) -> None:
    """What is rendered is the same for all cards that could have been dealt."""
    texts, seen = set(), set()
    for seed in range(12):
        env.reset(seed=seed)
        texts.add(env.render())
        seen.add(env.position.told(0, "en"))
    assert len(texts) == 1 and len(seen) == 3, "three cards"


def test_a_position_is_a_copy(env: ProbespielAEC) -> None:
    """Whoever plays on from it does not play at the table."""
    before, position = env.state(), env.position
    seat = position.to_act()[0]
    position.apply(seat, position.legal(seat)[0])
    assert np.array_equal(env.state(), before) and env.position.to_act() == [seat]


def test_the_empty_mask_is_nobodys_to_write(env: ProbespielAEC) -> None:
    """All seats that owe nothing share it."""
    seat = env.position.to_act()[0]
    other = env.possible_agents[1 - seat]
    mask = env.observe(other)["action_mask"]  # type: ignore[index]
    assert not mask.any()
    with pytest.raises(ValueError, match="read-only"):
        mask[0] = 1
