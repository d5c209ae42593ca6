"""The PettingZoo forms of all games: PettingZoo's own tests, and what those leave out."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium import spaces
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test

from probespiel.envs import make_game
from probespiel.envs.core.aec import ProbespielAEC
from probespiel.envs.core.errors import IllegalAction, ProbespielError, RulesetError
from probespiel.envs.core.game import Game
from probespiel.envs.core.parallel import ProbespielParallel
from probespiel.envs.registration import env_id, register_all
from tests.games_adapters.clash import clash
from tests.games_adapters.play import EVERY, GAMES, TINY, game_of, play_aec, play_parallel, whole_games

ROOT = Path(__file__).resolve().parent.parent

# PettingZoo's api_test warns that seats have names instead of numbers, and that a finished agent's mask is all zero.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo.test.api_test")


@EVERY
def test_pettingzoo_aec(name: str) -> None:
    game = game_of(name)
    api_test(ProbespielAEC(game), num_cycles=60)
    seed_test(lambda: ProbespielAEC(game), num_cycles=60)


@EVERY
def test_pettingzoo_parallel(name: str) -> None:
    game = game_of(name)
    parallel_api_test(ProbespielParallel(game), num_cycles=60)
    # it samples without masks, so that illegal actions must be answered by a forfeit
    parallel_seed_test(lambda: ProbespielParallel(game, illegal="forfeit"), num_cycles=60)


@EVERY
def test_pettingzoo_render(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = game_of(name)
    render_test(lambda render_mode: ProbespielAEC(game, render_mode=render_mode))  # type: ignore[arg-type]
    assert capsys.readouterr().out.strip()
    env = ProbespielParallel(game, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert isinstance(text, str) and text.strip()


class LegalSampling(spaces.Discrete):
    """An action space whose samples are legal, for tests of PettingZoo that sample without a mask."""

    def __init__(self, n: int, mask: Callable[[], np.ndarray]) -> None:
        super().__init__(n, seed=1)
        self._legal = mask

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """A legal action."""
        return super().sample(self._legal())


def legal_module(game: Game) -> Any:
    """What max_cycles_test takes for a module of PettingZoo: both forms, sampling legal actions."""

    def env(max_cycles: int) -> ProbespielAEC:
        made = ProbespielAEC(game, max_cycles=max_cycles)
        for agent in made.possible_agents:
            mask = lambda agent=agent: made.observe(agent)["action_mask"]  # noqa: E731
            made.action_spaces[agent] = LegalSampling(game.n_actions, mask)
        made.reset(seed=2)  # the test resets without a seed, which goes on with these dice
        return made

    class Parallel(ProbespielParallel):
        def _handed_out(self, row: int) -> Any:
            handed = super()._handed_out(row)
            self.handed = handed[0]
            return handed

    def parallel_env(max_cycles: int) -> ProbespielParallel:
        made = Parallel(game, max_cycles=max_cycles)
        for agent in made.possible_agents:
            mask = lambda agent=agent: made.handed[agent]["action_mask"]  # noqa: E731
            made.action_spaces[agent] = LegalSampling(game.n_actions, mask)
        made.reset(seed=2)  # the test resets without a seed, which goes on with these dice
        return made

    return SimpleNamespace(env=env, parallel_env=parallel_env)


def test_pettingzoo_max_cycles() -> None:
    # This test of PettingZoo's takes for granted that every agent acts in each of the first four cycles; for all other
    # games see the next test.
    max_cycles_test(legal_module(clash(3, rounds=9, bows=False)))
    max_cycles_test(legal_module(make_game("einblatt-duel", max_tests=3, continue_by="always")))


@EVERY
def test_masks_in_infos(name: str) -> None:
    """The same game with plain observations, its masks in the infos instead."""
    game, rng = game_of(name), random.Random(4)
    nested, plain = ProbespielAEC(game), ProbespielAEC(game, mask="info")
    for env in (nested, plain):
        env.reset(seed=6)
    seen: Any
    flat: Any
    for agent in nested.agent_iter(300):
        seen, *others, info = nested.last()
        flat, *same, told = plain.last()
        assert isinstance(flat, np.ndarray) and flat in plain.observation_space(agent) and info == {}
        np.testing.assert_array_equal(flat, seen["observation"])
        np.testing.assert_array_equal(told["action_mask"], seen["action_mask"])
        assert same == others
        for other in nested.agents:
            np.testing.assert_array_equal(plain.observe(other), nested.observe(other)["observation"])
            assert other == agent or not plain.infos[other]["action_mask"].any()  # who is not asked is offered nothing
        action = None if any(others[1:]) else rng.choice(np.flatnonzero(seen["action_mask"]).tolist())
        nested.step(action)
        plain.step(action)
    nested, plain = ProbespielParallel(game), ProbespielParallel(game, mask="info")
    (seen, infos), (flat, told) = nested.reset(seed=6), plain.reset(seed=6)
    for _ in range(100):
        for agent in nested.possible_agents:
            assert flat[agent] in plain.observation_space(agent) and seen[agent] in nested.observation_space(agent)
            np.testing.assert_array_equal(flat[agent], seen[agent]["observation"])
            np.testing.assert_array_equal(told[agent]["action_mask"], seen[agent]["action_mask"])
            assert {**infos[agent], "action_mask": told[agent]["action_mask"]} == told[agent]
        if not nested.agents:
            break
        actions = {a: rng.choice(np.flatnonzero(seen[a]["action_mask"]).tolist()) for a in nested.agents}
        seen, *same, infos = nested.step(actions)
        flat, *other, told = plain.step(actions)
        assert same == other


def test_masks_stand_in_observations_or_infos() -> None:
    """PettingZoo's own tests find them in both places; another place is refused."""
    api_test(ProbespielAEC("kuhn", mask="info"), num_cycles=50)
    with pytest.raises(ProbespielError, match="mask 'both': observation, info"):
        ProbespielAEC("kuhn", mask="both")


@EVERY
@pytest.mark.parametrize("cycles", [1, 2, 4])
def test_max_cycles(name: str, cycles: int) -> None:
    game = game_of(name)
    rng = random.Random(1)
    parallel = ProbespielParallel(game, max_cycles=cycles)
    assert parallel.max_cycles == cycles
    observations, infos = parallel.reset(seed=3)
    aec = ProbespielAEC(game, max_cycles=cycles)
    aec.reset(seed=3)
    steps = 0
    while parallel.agents:
        asked = [agent for agent in parallel.agents if infos[agent]["to_act"]]
        actions = {a: rng.choice(np.flatnonzero(observations[a]["action_mask"]).tolist()) for a in asked}
        observations, _, terminated, truncated, infos = parallel.step(actions)
        for agent in asked:  # one cycle of the parallel form is that of the other
            assert aec.agent_selection == agent and not any(aec.truncations.values())
            aec.step(actions[agent])
        steps += 1
        assert aec.truncations == truncated and aec.terminations == terminated
    assert steps == cycles or (steps < cycles and all(aec.terminations.values()))
    assert sum(aec.truncations.values()) in (0, game.n_seats)


def test_registry() -> None:
    register_all()  # again: no warning that something is overridden
    for name in GAMES:
        aec = pettingzoo.make("aec", env_id(name), max_cycles=3, render_mode="ansi")
        assert isinstance(aec, ProbespielAEC) and aec.game.name == name and aec.max_cycles == 3
        parallel = pettingzoo.make("parallel", env_id(name))
        assert isinstance(parallel, ProbespielParallel) and parallel.max_cycles is None
    small: Any = pettingzoo.make("aec", "probespiel/kuhn-v0", scenario="standard", ante=3)
    assert small.game.spec.options["ante"] == 3
    with pytest.raises(RulesetError, match="scenario 'huge'"):
        pettingzoo.make("aec", "probespiel/kuhn-v0", scenario="huge")


def test_a_game_loads_its_system_and_the_registry_waits() -> None:
    code = (
        "import sys, probespiel.envs\n"
        "probespiel.envs.make_game('kuhn').position(1).legal(0)\n"
        "heavy = ['torch', 'stable_baselines3', 'pyspiel', 'probespiel.envs.core.aec', 'probespiel.envs.leduc',\n"
        "         'scipy.linalg', 'gymnasium', 'pettingzoo']\n"
        "print([name for name in heavy if name in sys.modules])\n"
        "import pettingzoo\n"
        "print(pettingzoo.make('aec', 'probespiel/leduc-v0'), pettingzoo.make('parallel', 'probespiel/kuhn-v0'))\n"
        "print(sum('_WhenImported' in str(finder) for finder in sys.meta_path), vars(pettingzoo.__loader__).keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "leduc_v0 kuhn_v0", "0 dict_keys(['name', 'path'])"]


def test_same_games_in_every_process() -> None:
    """In this one, whose hashes are others, and in a fresh one."""
    here = os.environ.get("PYTHONHASHSEED")
    environment = {**os.environ, "PYTHONHASHSEED": "0" if here == "4321" else "4321"}
    code = "from tests.games_adapters.play import whole_games; print(hash('hash'), whole_games())"
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    there, digest = done.stdout.split()
    assert int(there) != hash("hash") and digest == whole_games()


@EVERY
def test_follows_the_position(name: str) -> None:
    """Both forms against the checked position: same dice, seats, masks, observations, payoffs."""
    game = game_of(name)
    aec, parallel = ProbespielAEC(game), ProbespielParallel(game)
    rng = random.Random(5)
    for seed in range(4):
        position = game.position(seed)
        aec.reset(seed=seed)
        observations, infos = parallel.reset(seed=seed)
        total = np.zeros(game.n_seats)
        while not position.over:
            seats = position.to_act()
            assert [bool(i["to_act"]) for i in infos.values()] == [s in seats for s in range(game.n_seats)]
            for seat, (agent, observation) in enumerate(observations.items()):
                np.testing.assert_array_equal(observation["observation"], position.observe(seat))
                expected = position.mask(seat) if seat in seats else np.arange(game.n_actions) == game.spec.no_op
                np.testing.assert_array_equal(observation["action_mask"], expected)
                assert set(infos[agent]) == {"to_act"}, "the mask stands in one place"
            chosen = {game.seats[seat].name: rng.choice(position.legal(seat)) for seat in seats}
            for seat, (agent, action) in zip(seats, chosen.items()):
                if seat not in position.to_act():
                    continue  # the limit of decisions struck in the middle of a cycle
                assert aec.agent_selection == agent
                seen = aec.last()[0]
                assert seen is not None
                np.testing.assert_array_equal(seen["observation"], position.observe(seat))
                np.testing.assert_array_equal(seen["action_mask"], position.mask(seat))
                for other in range(game.n_seats):
                    peek = aec.observe(game.seats[other].name)
                    np.testing.assert_array_equal(peek["observation"], position.observe(other))
                    np.testing.assert_array_equal(peek["action_mask"], position.mask(other))
                np.testing.assert_array_equal(
                    aec.state(), np.concatenate([position.observe(s) for s in range(game.n_seats)])
                )
                position.apply(seat, action)
                aec.step(action)
            position.roll()
            observations, rewards, *_, infos = parallel.step(chosen)
            total += list(rewards.values())
        ended = position.status == 1
        assert all(v is ended for v in aec.terminations.values())
        assert all(v is not ended for v in aec.truncations.values())
        np.testing.assert_allclose(total, position.returns(), atol=1e-9)
        assert list(aec.payoffs().values()) == position.returns().tolist() == list(parallel.payoffs().values())
        assert aec.state_space.contains(aec.state())


@EVERY
def test_rewards_of_aec_add_up(name: str) -> None:
    env = ProbespielAEC(game_of(name))
    env.reset(seed=2)
    sums = dict.fromkeys(env.agents, 0.0)
    rng = random.Random(3)
    payoffs: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        sums[agent] += reward
        assert observation is not None
        if terminated or truncated:
            payoffs = env.payoffs()
            assert not observation["action_mask"].any()
            env.step(None)
        else:
            env.step(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    assert sums == pytest.approx(payoffs, abs=1e-9)
    with pytest.raises(ProbespielError, match="reset"):
        env.step(0)
    env.reset()
    assert env.agents == env.possible_agents


@EVERY
def test_handed_out_is_never_written_again(name: str) -> None:
    game = game_of(name)
    kept: list[tuple[Any, Any]] = []

    def keep(*things: Any) -> None:
        kept.extend((thing, copy.deepcopy(thing)) for thing in things)

    aec, parallel = ProbespielAEC(game), ProbespielParallel(game)
    rng = random.Random(1)
    for _ in range(12):
        if len(kept) > 5_000:  # a few long games show as much as many short ones
            break
        aec.reset()
        for agent in aec.agent_iter():
            seen = aec.last()
            keep(*seen, aec.observe(aec.possible_agents[-1]), aec.infos[agent], aec.state())
            assert seen[0] is not None
            done = seen[2] or seen[3]
            aec.step(None if done else rng.choice(np.flatnonzero(seen[0]["action_mask"]).tolist()))
        observations, infos = parallel.reset()
        keep(observations, infos)
        while parallel.agents:
            masks = {a: np.flatnonzero(observations[a]["action_mask"]).tolist() for a in parallel.agents}
            handed = parallel.step({a: rng.choice(m) for a, m in masks.items()})
            keep(*handed)
            observations = handed[0]
    for thing, before in kept:
        np.testing.assert_equal(thing, before)


COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize(
    ("how", "name"), [(h, n) for h in COPIES for n in [*GAMES, *TINY] if h != "pickle" or n in GAMES]
)
def test_copies_keep_the_position(name: str, how: str) -> None:
    env = ProbespielAEC(game_of(name), max_cycles=100)
    env.reset(seed=7)
    rng = random.Random(1)
    for _ in range(12):  # at every point of a game, sealed choices and finished agents included
        twin = COPIES[how](env)
        seen = [play_aec(copy.deepcopy(made), random.Random(2)) for made in (twin, env)]
        assert seen[0] == seen[1] and twin.max_cycles == 100
        play_aec(twin, random.Random(3))  # what the twin does, the other does not notice
        if not env.agents:
            env.reset()
        play_aec(env, rng, 1)
    parallel = ProbespielParallel(game_of(name))
    observations, _ = parallel.reset(seed=7)
    twin = COPIES[how](parallel)
    played = play_parallel(twin, observations, random.Random(4))
    assert played and played == play_parallel(parallel, observations, random.Random(4))
    assert twin.payoffs() == parallel.payoffs()


def test_a_game_of_no_system_is_not_pickled() -> None:
    with pytest.raises(RulesetError, match="'clash' is unknown"):
        pickle.dumps(ProbespielAEC(clash()))


WRONG = [
    -1,
    10**6,
    2**70,
    -(2**70),
    0.0,
    1.5,
    None,
    "0",
    True,
    np.bool_(True),
    np.float32(1),
    np.array([0, 1]),
    [0],
    (),
]


@EVERY
def test_illegal_actions_raise_and_change_nothing(name: str) -> None:
    game = game_of(name)
    env = ProbespielAEC(game)
    env.reset(seed=1)
    parallel = ProbespielParallel(game)
    observations, infos = parallel.reset(seed=1)
    before = play_aec(copy.deepcopy(env), random.Random(1))
    parallel_before = play_parallel(copy.deepcopy(parallel), observations, random.Random(1))
    asked = [agent for agent in parallel.agents if infos[agent]["to_act"]]
    masks = {agent: observations[agent]["action_mask"] for agent in asked}
    good = {agent: int(mask.argmax()) for agent, mask in masks.items()}
    for agent in asked:
        for action in [*WRONG, *np.flatnonzero(masks[agent] == 0).tolist()]:
            if agent == env.agent_selection:
                with pytest.raises(IllegalAction, match="legal"):
                    env.step(action)
            with pytest.raises(IllegalAction, match=agent):
                parallel.step({**good, agent: action})
    for agent in asked:
        with pytest.raises(IllegalAction, match=f"{agent} gave no action"):
            parallel.step({other: action for other, action in good.items() if other != agent})
    with pytest.raises(ProbespielError, match="nobody_"):
        parallel.step({**good, "nobody_": 0})
    assert play_aec(env, random.Random(1)) == before
    assert play_parallel(parallel, observations, random.Random(1)) == parallel_before


@EVERY
def test_forfeit(name: str) -> None:
    game = game_of(name)
    low, high = game.spec.payoff_range
    env = ProbespielAEC(game, illegal="forfeit")
    env.reset(seed=1)
    play_aec(env, random.Random(1), 1)
    offender = env.agent_selection
    side = game.seats[game.seat_index(offender)].side
    expected = {seat.name: low if seat.side == side else high for seat in game.seats}
    earned = env.payoffs()
    env.step(-1)
    assert all(env.terminations.values()) and not any(env.truncations.values())
    assert env.payoffs() == expected
    assert env.rewards == {agent: pytest.approx(expected[agent] - earned[agent]) for agent in env.agents}
    while env.agents:
        env.step(None)
    env.reset(seed=1)
    assert env.payoffs() == dict.fromkeys(env.agents, 0.0)

    parallel = ProbespielParallel(game, illegal="forfeit")
    _, infos = parallel.reset(seed=1)
    asked = [agent for agent in parallel.agents if infos[agent]["to_act"]]
    sides = {game.seats[game.seat_index(agent)].side for agent in asked}
    _, rewards, terminated, truncated, infos = parallel.step(dict.fromkeys(asked, "?"))
    assert rewards == {seat.name: low if seat.side in sides else high for seat in game.seats}
    assert all(terminated.values()) and not any(truncated.values()) and not parallel.agents
    assert not any(info["to_act"] for info in infos.values())
    with pytest.raises(ProbespielError, match="reset"):
        parallel.step({})


def test_actions_may_have_any_integer_type() -> None:
    env = ProbespielAEC(clash())
    parallel = ProbespielParallel(clash())
    for kind in (int, np.int8, np.int32, np.int64, np.uint16, np.array):
        env.reset(seed=1)
        env.step(kind(1))  # type: ignore[arg-type]
        parallel.reset(seed=1)
        parallel.step({"player_0": kind(1), "player_1": kind(2)})


def test_sealed_choices_are_hidden() -> None:
    env = ProbespielAEC(clash())
    seen = []
    for action in (0, 1, 2):
        env.reset(seed=1)
        env.step(action)
        observation = env.last()[0]
        assert env.agent_selection == "player_1" and observation is not None
        seen.append(observation["observation"].tobytes())
    assert len(set(seen)) == 1


def test_a_seat_without_legal_actions_is_an_error() -> None:
    game = clash(broken=1)
    env = ProbespielAEC(game)
    parallel = ProbespielParallel(game)
    env.reset(seed=1)
    env.step(0)
    with pytest.raises(RulesetError, match=r"player_0.*no legal action"):
        env.step(1)
    parallel.reset(seed=1)
    with pytest.raises(RulesetError, match="no legal action"):
        parallel.step({"player_0": 0, "player_1": 1})


def test_interpreted_rules_play_the_same() -> None:
    compiled, interpreted = clash(3, rounds=3), clash(3, rounds=3, compiled=False)
    seen = []
    for game in (compiled, interpreted):
        aec, parallel = ProbespielAEC(game), ProbespielParallel(game)
        aec.reset(seed=4)
        observations, _ = parallel.reset(seed=4)
        seen.append((play_aec(aec, random.Random(1)), play_parallel(parallel, observations, random.Random(1))))
    assert seen[0] == seen[1]


def test_an_error_of_interpreted_rules_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    game = clash(compiled=False)
    rules = game.kernel.namespaces["tests.games_adapters.clash_rules"]  # other tests of this process have the same
    monkeypatch.setattr(rules, "beats", lambda a, b: 1 // 0)
    env = ProbespielAEC(game)
    env.reset(seed=1)
    env.step(0)
    with pytest.raises(ZeroDivisionError):
        env.step(1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"render_mode": "rgb"}, "render_mode = 'rgb' is not allowed: None, human, ansi, rgb_array"),
        ({"illegal": "ignore"}, "illegal 'ignore'"),
        ({"lang": "fr"}, "lang 'fr'"),
        ({"max_cycles": 0}, "max_cycles 0"),
        ({"max_cycles": True}, "max_cycles True"),
        ({"ante": 0}, "ante"),
        ({"anti": 1}, "anti"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], message: str) -> None:
    for form in (ProbespielAEC, ProbespielParallel):
        with pytest.raises(ProbespielError, match=message):
            form("kuhn", **arguments)
    with pytest.raises(ProbespielError, match="given by name"):
        ProbespielAEC(clash(), scenario="standard")


def test_before_reset() -> None:
    with pytest.raises(ProbespielError, match="reset"):
        ProbespielAEC("kuhn").step(0)
    with pytest.raises(ProbespielError, match="reset"):
        ProbespielAEC("kuhn").observe("first")
    with pytest.raises(ProbespielError, match="reset"):
        ProbespielParallel("kuhn").step({})
