"""Adapters, exact trees and matches by small cases: what is paid to whom by name, in which order agents leave."""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core.aec import ProbespielAEC
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.parallel import ProbespielParallel
from tests.games_adapters.clash import clash


def test_everybody_gets_his_own_reward() -> None:
    """By name, in both forms, at every step: what the position pays the seat more than before."""
    game = clash(3, rounds=6, compiled=False)
    position, parallel, aec = game.position(1), ProbespielParallel(game), ProbespielAEC(game)
    observations, _ = parallel.reset(seed=1)
    aec.reset(seed=1)
    rng, before, told = random.Random(4), np.zeros(3), set()
    while not position.over:
        chosen = {game.seats[seat].name: rng.choice(position.legal(seat)) for seat in position.to_act()}
        for seat, action in zip(list(position.to_act()), chosen.values(), strict=True):
            position.apply(seat, action)
            aec.step(action)
        position.roll()
        observations, rewards, *_ = parallel.step(chosen)
        gained = dict(zip(parallel.possible_agents, position.returns() - before, strict=True))
        assert rewards == pytest.approx(gained) and aec.rewards == pytest.approx(gained)
        for agent, seen in observations.items():
            payoffs = game.layout.view(seen["observation"])["payoff"]
            np.testing.assert_allclose(payoffs, position.returns())
            assert parallel.payoffs()[agent] == position.returns()[game.seat_index(agent)]
        before = position.returns()
        told.add(tuple(rewards.values()))
    assert len(told) > 2


def test_agents_leave_in_their_order() -> None:
    """At the end of a game the first is asked first, each gets its own payoff, and the last closes the table."""
    env = ProbespielAEC(clash(3, rounds=1, compiled=False))
    env.reset(seed=1)
    while not any(env.terminations.values()):
        mask = env.last()[0]["action_mask"]  # type: ignore[index]
        env.step(int(mask.argmax()))
    payoffs, left = env.payoffs(), []
    while env.agents:
        assert env.agent_selection == env.agents[0]
        left.append(env.agent_selection)
        assert env.last()[2:4] == (True, False)
        env.step(None)
    assert left == env.possible_agents and set(payoffs) == set(left)


@pytest.mark.parametrize("cycles", [0, -1, True, 1.0, "3"])
def test_cycles_that_are_none(cycles: Any) -> None:
    game = clash(2, compiled=False)
    with pytest.raises(ProbespielError, match=f"max_cycles {cycles!r}: an integer from 1 on, or None"):
        ProbespielAEC(game, max_cycles=cycles)
    env = ProbespielParallel(game, max_cycles=1)
    assert env.max_cycles == 1
    env.max_cycles = None
    assert env.max_cycles is None


def test_a_forfeit_ends_with_its_game() -> None:
    """In the next one nothing is paid yet, in both forms."""
    game = clash(2, rounds=9, compiled=False)
    aec, parallel = ProbespielAEC(game, illegal="forfeit"), ProbespielParallel(game, illegal="forfeit")
    nothing = dict.fromkeys(aec.possible_agents, 0.0)
    aec.reset(seed=1)
    aec.step(-1)
    parallel.reset(seed=1)
    parallel.step({})
    assert all(aec.payoffs().values()) and all(parallel.payoffs().values())
    for env in (aec, parallel):
        env.reset(seed=2)
        assert env.payoffs() == nothing


def test_a_twin_throws_dice_of_its_own() -> None:
    """What a copy throws does not change what comes at the other table."""
    game = make_game("kuhn", compiled=False)

    def dice(env: ProbespielAEC) -> list[int]:
        thrown = []
        for _ in range(3):
            env.reset()
            thrown.append(int(env._rng[0]))
        return thrown

    env = ProbespielAEC(game)
    env.reset(seed=5)
    twin, other = copy.deepcopy(env), copy.copy(env)
    expected = dice(copy.deepcopy(env))
    assert len(set(expected)) == 3
    assert dice(twin) == dice(other) == dice(env) == expected
