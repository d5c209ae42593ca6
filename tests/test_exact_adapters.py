"""Adapters by small sums: what is paid over a reset, a forfeit or the next game, and that every action is drawn."""

from __future__ import annotations

import random

import numpy as np
import pytest

from probespiel.envs.core.aec import ProbespielAEC
from probespiel.envs.core.batch import Batch, random_legal
from probespiel.envs.core.game import Position
from probespiel.envs.core.parallel import ProbespielParallel
from probespiel.envs.core.rng import rng_array
from tests.games_adapters.clash import clash
from tests.games_adapters.play import play_aec


def earned(env: ProbespielAEC, steps: int) -> dict[str, float]:
    """Play on; the payoffs then, which are not all 0."""
    play_aec(env, random.Random(1), steps)
    payoffs = env.payoffs()
    assert env.agents and any(payoffs.values())
    return payoffs


def test_a_forfeit_pays_what_is_missing() -> None:
    """The rewards of a game add up to its last payoffs, whatever was paid before somebody forfeited."""
    env = ProbespielAEC(clash(3, rounds=9, compiled=False), illegal="forfeit")
    env.reset(seed=1)
    before = earned(env, 9)
    env.step(-1)
    after = env.payoffs()
    assert env.rewards == {agent: pytest.approx(after[agent] - before[agent]) for agent in env.possible_agents}


def test_what_was_seen_stays_as_it_was() -> None:
    """What was handed out is nobody else's: not of who looks next, nor of the same one after a move."""
    env = ProbespielAEC(clash(3, rounds=9, compiled=False))
    env.reset(seed=1)
    kept: list[tuple[np.ndarray, np.ndarray]] = []
    rng = random.Random(1)
    for _ in range(6):
        for agent in env.possible_agents:
            seen = env.observe(agent)["observation"]  # type: ignore[index]
            assert not any(seen is old for old, _ in kept)
            if agent != env.agent_selection:
                kept.append((seen, seen.copy()))
        play_aec(env, rng, 1)
    assert len({id(seen) for seen, _ in kept}) == len(kept) == 12
    assert all(np.array_equal(seen, then) for seen, then in kept)
    assert len({then.tobytes() for _, then in kept}) > 3


def test_a_person_is_shown_every_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the mode for people: the first one, and after every move."""
    shown: list[int] = []
    monkeypatch.setattr(ProbespielParallel, "render", lambda self: shown.append(1))
    for mode, wanted in (("human", 2), ("ansi", 0)):
        env = ProbespielParallel(clash(2, rounds=9, compiled=False), render_mode=mode)
        shown.clear()
        seen, _ = env.reset(seed=1)
        env.step({agent: int(np.flatnonzero(found["action_mask"])[0]) for agent, found in seen.items()})
        assert len(shown) == wanted


def test_a_new_game_begins_with_nothing_paid() -> None:
    game = clash(3, rounds=9, compiled=False)
    env, parallel = ProbespielAEC(game), ProbespielParallel(game)
    env.reset(seed=1)
    earned(env, 9)
    env.reset(seed=2)
    total = dict.fromkeys(env.agents, 0.0)
    rng = random.Random(2)
    while not any(env.terminations.values()):
        observation = env.last()[0]
        assert observation is not None
        env.step(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
        for agent, reward in env.rewards.items():
            total[agent] += reward
    assert total == pytest.approx(env.payoffs())
    for seed in (1, 2):  # the first one is broken off
        observations, _ = parallel.reset(seed=seed)
        total = dict.fromkeys(parallel.agents, 0.0)
        for _ in range(8 if seed == 1 else 10**6):
            masks = {agent: observations[agent]["action_mask"] for agent in parallel.agents}
            observations, rewards, *_ = parallel.step({a: int(mask.argmax()) for a, mask in masks.items()})
            for agent, reward in rewards.items():
                total[agent] += reward
            if not parallel.agents:
                break
        assert total == pytest.approx(parallel.payoffs())


def test_rewards_of_a_batch_begin_anew_with_every_game() -> None:
    game = clash(2, rounds=3, compiled=False)
    batch = Batch(game, 4, seed=3)
    batch.start()
    total, ended = np.zeros((4, 2)), 0
    for _ in range(40):
        batch.read()
        batch.draw_random()
        batch.step()
        total += batch.rewards
        ended += int((batch.done != 0).sum())
        total[batch.done != 0] = 0
        for i in range(4):
            position = Position(game, data=batch.states[i].copy().view(game.state_dtype))
            assert total[i] == pytest.approx(position.returns())
    assert ended > 8


@pytest.mark.parametrize("words", [[0b10110], [0b1], [0b100, 0b11], [0, 1 << 31], [1 << 31, 1]])
def test_every_legal_action_is_drawn_equally_often(words: list[int]) -> None:
    """Four standard deviations."""
    legal = [32 * w + a for w, word in enumerate(words) for a in range(32) if word >> a & 1]
    rng = rng_array(5, "test")
    drawn = [int(random_legal(np.array(words, dtype=np.int64), rng)) for _ in range(900)]
    n = len(legal)
    for action in legal:
        assert abs(drawn.count(action) - 900 / n) <= 4 * (900 / n * (1 - 1 / n)) ** 0.5
    assert set(drawn) == set(legal)


def test_nothing_is_drawn_where_nothing_is_legal() -> None:
    assert random_legal(np.zeros(1, dtype=np.int64), rng_array(1, "test")) == -1
    assert random_legal(np.zeros(2, dtype=np.int64), rng_array(1, "test")) == -1
