"""Adapters, exact trees and matches by small cases: what is paid to whom by name, in which order agents leave."""

from __future__ import annotations

import copy
import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import Agent, View
from probespiel.agents.learner_env import ProbespielEnv, ProbespielVectorEnv
from probespiel.agents.match import FORFEITED, ILLEGAL, Match, Outcome, Schedule
from probespiel.agents.match_kernel import Agents, Games, Sheet, play_compiled
from probespiel.agents.native import BaselineAgent
from probespiel.envs import make_game
from probespiel.envs.core.abi import OVER, TO_ACT
from probespiel.envs.core.aec import ProbespielAEC
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.parallel import ProbespielParallel
from probespiel.envs.core.rng import rng_table
from tests.games import rps_game
from tests.games_adapters.clash import clash


class First(Agent):
    """Takes the first of what is legal, in Python."""

    name = "python first"

    def act(self, view: View) -> int:
        return view.legal[0]


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


# --- matches


def test_compiled_players_forfeit_what_is_not_legal() -> None:
    """Nobody's decisions of that moment are entered; the answers of offenders are kept.

    The players are the rules themselves, asked something else: whose turn it is (3: both), and whether it is over (0).
    """
    game = rps_game()
    seating = np.array([[0, 1], [1, 0], [1, 1], [0, 0]])
    sheet = Sheet(seating, np.zeros((4, 2), np.int32), np.zeros((4, 2), np.int8), np.zeros((4, 2), np.int64))
    games = Games(rng_table(1, 4, "test"), rng_table(2, 4, "test"), np.zeros((4, game.capacity)), np.zeros(4, np.int8))
    agents = Agents(np.array([game.address] * 2), np.array([TO_ACT, OVER]), np.zeros(2, np.uint64))
    play_compiled(
        game.address, game.params_address, game.state_size, game.words, agents=agents, sheets=sheet, games=games
    )
    assert games.status.tolist() == [FORFEITED, FORFEITED, 1, FORFEITED]
    assert sheet.offences.tolist() == [[ILLEGAL, 0], [0, ILLEGAL], [0, 0], [ILLEGAL, ILLEGAL]]
    assert sheet.answers.tolist() == [[3, 0], [0, 3], [0, 0], [3, 3]]
    assert sheet.decisions.tolist() == [[0, 0], [0, 0], [1, 1], [0, 0]] and not games.payoffs.any()


def test_sides_are_compared_by_what_their_seats_got_in_the_mean() -> None:
    """One seat against two; who forfeits has the lowest ordinary payoff, and the middle if both sides do."""
    payoffs = [[1, 0.75, 0.75], [-1, -0.75, -0.75], [0.5, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    offences = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 1], [2, 0, 0], [1, 2, 0]]
    status = np.array([1, 1, 2, FORFEITED, FORFEITED, FORFEITED])
    nothing = np.zeros((6, 3), np.int8)
    found = Outcome(np.array(payoffs, dtype=float), nothing, np.zeros((6, 3), np.int32), np.array(offences), status)
    sides = (("one", (0,)), ("two", (1, 2)))
    match: Any = SimpleNamespace(game=SimpleNamespace(sides=sides), ordinary_range=(-4.0, 2.0))
    Match._score(match, found)
    assert found.results.tolist() == [[1, -1, -1], [-1, 1, 1], [0, 0, 0], [1, -1, -1], [-1, 1, 1], [0, 0, 0]]
    assert found.payoffs[3:].tolist() == [[2, -4, -4], [-4, 2, 2], [-1, -1, -1]]


def test_who_is_absent_forfeits_wherever_he_sits() -> None:
    agents = [BaselineAgent("first"), BaselineAgent("random"), First()]
    with Match(rps_game(), agents, 1) as match:
        for absent in (0, 1, 2):
            played = match.play(Schedule.of(1, [0, 1, 2], [[0, 1], [1, 2], [2, 0]]), (absent,))
            missing = np.array([[0, 1], [1, 2], [2, 0]]) == absent
            if match.players[absent].native is None:  # compiled ones are not asked anyway: they choose at once
                assert ((played.offences != 0) == missing).all()
            else:
                assert not played.offences.any()
        assert match.players[2].native is None
        assert not match.play(Schedule.of(1, [0], [[2, 0]])).offences.any()


# --- gymnasium's forms


@pytest.mark.parametrize("wrong", ["too large", "below nothing", "masked"])
def test_who_plays_what_is_not_there_loses_all_in_all(wrong: str) -> None:
    """With what was paid before it makes the lowest payoff; the other tables go on, and a new game begins at this."""
    game = clash(2, rounds=9, compiled=False)
    env = ProbespielVectorEnv(game, 3, "random", seat=0)
    seen, _ = env.reset(seed=4)
    rng, total, low = np.random.default_rng(2), np.zeros(3), game.spec.payoff_range[0]

    def legal() -> np.ndarray:
        return np.array([rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()])

    while not total[1]:
        seen, rewards, ended, *_ = env.step(legal())
        total += rewards
        assert not ended.any()
    for i in range(3):
        assert total[i] == env.position(i).returns()[0]
    masked = np.flatnonzero(env.action_masks()[1] == 0)
    actions, shown = legal(), seen["observation"][1].copy()
    actions[1] = {"too large": game.n_actions, "below nothing": -1, "masked": masked[0]}[wrong]
    seen, rewards, ended, stopped, infos = env.step(actions)
    assert total[1] + rewards[1] == low and infos["illegal"].tolist() == [False, True, False]
    assert ended.tolist() == [False, True, False] and not stopped.any()
    assert infos["_final_obs"].tolist() == ended.tolist() and infos["final_info"]["seat"][1] == 0
    np.testing.assert_array_equal(infos["final_obs"][1]["observation"], shown)
    assert not infos["final_obs"][1]["action_mask"].any()
    assert not env.position(1).returns().any() and env.position(0).returns()[0] == total[0] + rewards[0]


def test_the_seat_that_is_told_is_that_of_the_game_that_has_ended() -> None:
    """It changes from game to game; a game that its limit stops is truncated, not ended."""
    for limit in (1000, 4):
        env = ProbespielVectorEnv(clash(2, rounds=3, limit=limit, compiled=False), 2, "random")
        _, infos = env.reset(seed=1)
        assert infos["seat"].tolist() == [0, 1]
        before, ended, stopped = [0, 1], np.zeros(2, dtype=bool), np.zeros(2, dtype=bool)
        while not (ended | stopped).any():
            before = infos["seat"].tolist()
            _, _, ended, stopped, infos = env.step(env.action_masks().argmax(axis=1))
        over = ended | stopped
        assert not (ended & stopped).any()
        assert stopped.tolist() == (over if limit == 4 else np.zeros(2, dtype=bool)).tolist()
        for i in np.flatnonzero(over):
            assert infos["final_info"]["seat"][i] == before[i] == 1 - infos["seat"][i]


def test_one_table_begins_the_next_game_or_that_of_a_seed() -> None:
    """Without a seed the game that has begun is taken up; with one it is dropped. What was illegal is told once."""
    env = ProbespielEnv(clash(2, rounds=3, compiled=False), "random", mask="info")
    first, info = env.reset(seed=3)
    assert info["seat"] == 0
    last, reward, ended, stopped, told = env.step(env.game.n_actions)
    assert (ended, stopped, told["illegal"], told["seat"]) == (True, False, True, 0)
    assert reward == env.game.spec.payoff_range[0] and not told["action_mask"].any()
    with pytest.raises(ProbespielError, match="the game is over: call reset"):
        env.step(0)
    np.testing.assert_array_equal(last, first)
    _, info = env.reset()
    assert info["seat"] == 1 and "illegal" not in info and info["action_mask"].any()
    env.step(env.game.n_actions)
    assert env.reset()[1]["seat"] == 0
    env.step(env.game.n_actions)  # in the next game the seat would be 1
    again, info = env.reset(seed=3)
    assert info["seat"] == 0
    np.testing.assert_array_equal(again, first)
    assert env.step(int(info["action_mask"].argmax()))[2:4] == (False, False)
