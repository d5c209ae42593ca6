"""Games as environments of gymnasium, one table and many: its own checks, equal seeds, forfeits, who answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from probespiel.agents.base import AgentError
from probespiel.agents.learner_env import ProbespielEnv, ProbespielVectorEnv
from probespiel.agents.registration import register_all
from probespiel.envs.core.errors import IllegalAction, ProbespielError
from probespiel.envs.core.registry import game_names
from probespiel.envs.registration import env_id

REMEMBERS = '''
class Second:
    """Passes in its first decision of a game and bets later; raises if it meets a game that it did not see begin."""

    def __init__(self):
        self.count = 0

    def act(self, view):
        self.count += 1
        return view.legal[0] if self.count == 1 else view.legal[-1]
'''


def masked(env: Any, rng: np.random.Generator, seen: Any, info: Any) -> int:
    """A random legal action."""
    mask = info["action_mask"] if "action_mask" in info else seen["action_mask"]
    assert np.array_equal(mask, env.unwrapped.action_masks())
    return int(rng.choice(np.flatnonzero(mask)))


def test_every_game_is_registered() -> None:
    assert {env_id(game) for game in game_names()} <= set(gymnasium.registry)
    before = dict(gymnasium.registry)
    register_all()
    assert gymnasium.registry == before, "what is registered stays as it is"


@pytest.mark.parametrize("mask", ["observation", "info"])
@pytest.mark.parametrize("game", ["kuhn", "goofspiel", "konfrontation-clash", "einblatt-duel"])
def test_gymnasium_checks_it(game: str, mask: str) -> None:
    """Its own test plays without masks: an illegal action loses the game."""
    env = gymnasium.make(env_id(game), mask=mask, render_mode="ansi")
    check_env(env.unwrapped)
    text = env.unwrapped.render()
    assert isinstance(text, str) and text.strip()


@pytest.mark.parametrize("mask", ["observation", "info"])
@pytest.mark.parametrize("game", ["leduc", "ews_rps"])
def test_one_table_and_many_play_the_same_games(game: str, mask: str) -> None:
    """`make` and `make_vec` with one table, with equal seeds and actions; rewards add up to the payoff of the seat."""
    one = gymnasium.make(env_id(game), mask=mask, opponent="random")
    many = gymnasium.make_vec(env_id(game), num_envs=1, mask=mask, opponent="random")
    assert many.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    table: Any = one.unwrapped
    rng, (low, high) = np.random.default_rng(1), table.game.spec.payoff_range

    def flat(seen: Any) -> np.ndarray:
        return seen if mask == "info" else seen["observation"]

    (seen, info), (rows, infos) = one.reset(seed=5), many.reset(seed=5)
    returns, games = 0.0, 0
    while games < 6:
        assert seen in one.observation_space and rows in many.observation_space
        assert np.array_equal(flat(rows)[0], flat(seen)) and info["seat"] == infos["seat"][0]
        action = masked(one, rng, seen, info)
        seen, reward, ended, stopped, info = one.step(action)
        rows, rewards, ends, stops, infos = many.step(np.array([action]))
        assert (reward, ended, stopped) == (rewards[0], ends[0], stops[0])
        returns += float(reward)
        if ended or stopped:
            assert infos["_final_obs"].tolist() == [True] and not infos["illegal"].any()
            assert np.array_equal(flat(infos["final_obs"][0]), flat(seen))
            assert not (info["action_mask"] if mask == "info" else seen["action_mask"]).any()
            assert info["seat"] == infos["final_info"]["seat"][0] == games % 2
            assert low - 1e-6 <= returns <= high + 1e-6
            games, returns = games + 1, 0.0
            with pytest.raises(ProbespielError, match="reset"):
                table.step(0)
            seen, info = one.reset()


def test_equal_seeds_give_equal_games_and_others_do_not() -> None:
    env = ProbespielVectorEnv("leduc", 40, "random", mask="info")
    first, _ = env.reset(seed=3)
    start = first.copy()
    env.step(env.action_masks().argmax(axis=1))
    again, infos = env.reset(seed=3)
    assert np.array_equal(start, again) and infos["seat"].tolist() == [i % 2 for i in range(40)]
    other, _ = env.reset(seed=4)
    assert not np.array_equal(start, other)
    assert not np.array_equal(env.reset()[0], other), "the dice go on"


def test_an_illegal_action_loses_that_game_alone() -> None:
    """Kuhn poker, where 1 and 2 can be lost: whoever plays what there is not loses 2, whatever was paid."""
    env = ProbespielVectorEnv("kuhn", 6, "random")
    seen, _ = env.reset(seed=1)
    actions = seen["action_mask"].argmax(axis=1)
    actions[[1, 4]] = 99, -1
    before = seen["observation"].copy()
    seen, rewards, ended, stopped, infos = env.step(actions)
    assert infos["illegal"].tolist() == [False, True, False, False, True, False]
    assert rewards[[1, 4]].tolist() == [-2.0, -2.0] and ended[[1, 4]].all() and not stopped.any()
    for table in (1, 4):
        assert np.array_equal(infos["final_obs"][table]["observation"], before[table])
        assert seen["action_mask"][table].any() and env.position(table).to_act() == [int(infos["seat"][table])]
    with pytest.raises(IllegalAction, match="table 1, the learner"):
        strict = ProbespielVectorEnv("kuhn", 6, "random", illegal="raise")
        strict.reset(seed=1)
        strict.step(actions)


def test_who_answers(tmp_path: Path) -> None:
    """Levels are those of the game; who remembers has an instance for every game, so that games do not mix."""
    path = tmp_path / "second.py"
    path.write_text(REMEMBERS)
    env = ProbespielVectorEnv("kuhn", 3, f"{path}:Second", seat=0)
    env.reset(seed=2)
    for _ in range(4):  # the learner bets: the other's first decision is its only one, and it passes
        _, rewards, ended, _, _ = env.step(np.ones(3, dtype=np.int64))
        assert rewards.tolist() == [1.0] * 3 and ended.all()
    env.close()
    assert isinstance(ProbespielEnv("kuhn", "level:2").reset(seed=1)[0], dict)
    with pytest.raises(AgentError, match="kuhn has level:1 to level:8"):
        ProbespielEnv("kuhn", "level:9")
    with pytest.raises(AgentError, match="nobody_knows"):
        ProbespielEnv("kuhn", "nobody_knows")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"mask": "both"}, "mask 'both': one of observation, info"),
        ({"illegal": "ignore"}, "illegal 'ignore': one of forfeit, raise"),
        ({"render_mode": "rgb"}, "render_mode = 'rgb' is not allowed: None, human, ansi, rgb_array"),
        ({"lang": "fr"}, "lang 'fr': one of en, de"),
        ({"seat": "nobody"}, "'nobody'"),
        ({"num_envs": 0}, "0"),
        ({"spelled_wrongly": 1}, "spelled_wrongly"),
    ],
)
def test_what_is_refused(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ProbespielError, match=text):
        ProbespielVectorEnv("kuhn", **{"num_envs": 2, **options})
    env = ProbespielVectorEnv("kuhn", 2)
    with pytest.raises(ProbespielError, match="reset"):
        env.step(np.zeros(2, dtype=np.int64))
    with pytest.raises(ProbespielError, match="seed = -1"):
        env.reset(seed=-1)
