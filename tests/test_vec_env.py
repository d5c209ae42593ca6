"""The Stable-Baselines3 VecEnv against a slow model of it, and its edges."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from probespiel.envs import make_game
from probespiel.envs.core.abi import STOPPED
from probespiel.envs.core.errors import IllegalAction, ProbespielError, RulesetError
from probespiel.envs.core.game import Game
from probespiel.envs.core.listed_play import ListedPlay, lists
from probespiel.envs.core.rng import rng_table
from probespiel.envs.core.rows import Rows
from probespiel.envs.core.vec_env import ProbespielVecEnv, random_opponents
from tests.games_adapters.clash import clash

GAMES: dict[str, Callable[[], Game]] = {
    "kuhn": lambda: make_game("kuhn"),
    "clash": lambda: clash(2, rounds=4),
    "clash-teams": lambda: clash(4, (0, 0, 1, 1), rounds=3),
    "clash-stopped": lambda: clash(3, rounds=50, limit=18),
    "einblatt-duel": lambda: make_game("einblatt-duel"),
    "einblatt-melee": lambda: make_game("einblatt-melee"),
    "ews_rps": lambda: make_game("ews_rps", n_tests=4, may_decline=True),
    "ews_rps-die": lambda: make_game("ews_rps", n_tests=4, procedure="pm_d6", may_decline=True),
    "scorekeeper-duel": lambda: make_game("scorekeeper-duel"),
    "scorekeeper-skirmish": lambda: make_game("scorekeeper-skirmish"),
    "konfrontation-clash": lambda: make_game("konfrontation-clash", "debate", stage="full", max_ties=3),
    "konfrontation-campaign": lambda: make_game("konfrontation-campaign", "triad", turns=2),
    "oneshot-skirmish": lambda: make_game("oneshot-skirmish", max_count=40),
    "oneshot-parley": lambda: make_game("oneshot-parley"),
}
EVERY = pytest.mark.parametrize("name", GAMES)


def pick(observation: np.ndarray, mask: np.ndarray) -> int:
    """A legal action that depends on all that a seat sees."""
    legal = np.flatnonzero(mask)
    return int(legal[int(np.dot(observation, np.arange(len(observation)) % 7)) % len(legal)])


def pick_all(observations: np.ndarray, masks: np.ndarray, *_: Any) -> np.ndarray:
    """`pick` for many."""
    return np.array([pick(o, m) for o, m in zip(observations, masks)])


def draw(env: ProbespielVecEnv, rng: np.random.Generator) -> np.ndarray:
    """Random legal actions of the learner."""
    return random_opponents(env.masks, env.masks, env.seats, env.seats, rng.integers(1 << 60, size=env.num_envs))


class Model:
    """One table of the VecEnv, by the book."""

    def __init__(self, game: Game, table: int, rng: np.ndarray, skip_forced: bool) -> None:
        self.game, self.table, self.rng, self.skip_forced = game, table, rng, skip_forced
        self.episode = -1
        self.begin()

    def begin(self) -> None:
        self.episode += 1
        self.seat = (self.table + self.episode) % self.game.n_seats
        self.position = self.game.position()
        self.position.roll(self.rng)
        self.paid = 0.0
        self.moves = 0

    def to_move(self) -> bool:
        """Whether the learner is to move, after playing on as far as that takes the same game."""
        position = self.position
        while not position.over:
            asked = position.to_act()
            if self.seat in asked:
                legal = position.legal(self.seat)
                if len(legal) > 1 or not self.skip_forced:
                    return True
                position.apply(self.seat, legal[0])
                asked.remove(self.seat)
            self.others(asked)
        return False

    def others(self, asked: list[int]) -> None:
        """Answer for the other seats of a cycle, and throw the dice."""
        for seat in asked:
            if seat in self.position.to_act():
                self.position.apply(seat, pick(self.position.observe(seat), self.position.mask(seat)))
        self.position.roll(self.rng)

    def step(self, action: int) -> tuple[float, int, np.ndarray | None]:
        """Reward, status and final observation of the game."""
        asked = self.position.to_act()
        self.position.apply(self.seat, action)
        self.moves += 1
        self.others([seat for seat in asked if seat != self.seat])
        running = self.to_move()
        payoff = float(self.position.returns()[self.seat])
        reward, self.paid = payoff - self.paid, payoff
        if running:
            return reward, 0, None
        status, final = self.position.status, self.position.observe(self.seat)
        self.begin()
        while not self.to_move():
            self.begin()
        return reward, status, final


@EVERY
@pytest.mark.parametrize("skip_forced", [True, False])
def test_against_the_model(name: str, skip_forced: bool) -> None:
    game = GAMES[name]()
    n = 7
    env = ProbespielVecEnv(game, n, pick_all, seed=5, skip_forced=skip_forced)
    observations = env.reset()
    dice = rng_table(5, n, "vec-dice")
    models = [Model(game, i, dice[i : i + 1], skip_forced) for i in range(n)]
    for model in models:
        while not model.to_move():
            model.begin()
    rng = np.random.default_rng(1)
    finished = 0
    rewards, dones = np.zeros(n, np.float32), np.zeros(n, bool)
    for _ in range(40 if game.layout.size < 1000 else 12):
        for i, model in enumerate(models):
            assert env.seats[i] == model.seat and env.episodes[i] == model.episode
            np.testing.assert_array_equal(observations[i], model.position.observe(model.seat))
            np.testing.assert_array_equal(env.masks[i], model.position.mask(model.seat))
            assert env.keys(np.array([i]), np.array([model.seat]))[0] == model.position.key(model.seat)
            assert env.position(i).to_bytes() == model.position.to_bytes()
        actions = draw(env, rng)
        seats, moves = env.seats.copy(), [model.moves for model in models]
        observations, rewards, dones, infos = env.step(actions)
        for i, model in enumerate(models):
            reward, status, final = model.step(int(actions[i]))
            assert rewards[i] == np.float32(reward)
            assert dones[i] == (status > 0)
            if status:
                finished += 1
                np.testing.assert_array_equal(infos[i]["terminal_observation"], final)
                assert infos[i]["TimeLimit.truncated"] is (status == 2)
                assert infos[i]["seat"] == seats[i] and infos[i]["episode"]["l"] == moves[i] + 1
            else:
                assert infos[i] == {}
    assert finished or game.layout.size >= 1000
    assert rewards.dtype == np.float32 and dones.dtype == bool and observations.dtype == np.float32


@EVERY
def test_rewards_add_up_and_handed_out_arrays_stay(name: str) -> None:
    env = ProbespielVecEnv(GAMES[name](), 16, seed=2)
    kept: list[tuple[np.ndarray, np.ndarray]] = []
    rng = np.random.default_rng(3)
    observations = env.reset()
    sums = np.zeros(16)
    finished = 0
    for _ in range(60):
        assert env.observation_space.contains(observations[3])
        assert env.masks.any(axis=1).all() and (not env.skip_forced or (env.masks.sum(axis=1) > 1).all())
        kept += [(a, a.copy()) for a in (observations, env.masks)]
        observations, rewards, dones, infos = env.step(draw(env, rng))
        kept += [(rewards, rewards.copy()), (dones, dones.copy())]
        sums += rewards
        for i in np.flatnonzero(dones):
            assert infos[i]["episode"]["r"] == pytest.approx(sums[i], abs=1e-4)
            finished += 1
        sums[dones] = 0.0
    assert finished
    for array, before in kept:
        np.testing.assert_array_equal(array, before)


def test_equal_seeds_give_equal_games() -> None:
    def played(env: ProbespielVecEnv, seed: int | None) -> list[bytes]:
        if seed is not None:
            env.seed(seed)
        out = [env.reset().tobytes()]
        rng = np.random.default_rng(1)
        for _ in range(30):
            observations, rewards, dones, _ = env.step(draw(env, rng))
            out += [observations.tobytes(), rewards.tobytes(), dones.tobytes(), env.masks.tobytes()]
        return out

    env = ProbespielVecEnv(clash(3, rounds=3), 9, seed=4)
    first = played(env, None)
    assert played(env, 4) == first
    assert played(env, None) != first  # goes on with its dice
    assert played(env, 5) != first
    assert played(ProbespielVecEnv(clash(3, rounds=3), 9), 4) == first


@EVERY
def test_stored_state_goes_on_exactly(name: str) -> None:
    game = GAMES[name]()
    env = ProbespielVecEnv(game, 8, seed=1, assign=lambda tables, seats: tables + 10)
    env.reset()
    rng = np.random.default_rng(2)
    for _ in range(5):
        env.step(draw(env, rng))
    state = {key: np.array(value) for key, value in env.state_dict().items()}
    twin = ProbespielVecEnv(game, 8, seed=99, assign=lambda tables, seats: tables + 10)
    np.testing.assert_array_equal(twin.load_state_dict(state), env._observations)
    for _ in range(20):
        np.testing.assert_array_equal(twin.masks, env.masks)
        actions = draw(env, rng)
        ours, theirs = env.step(actions), twin.step(actions)
        for a, b in zip(ours[:3], theirs[:3]):
            np.testing.assert_array_equal(a, b)
        for a, b in zip(ours[3], theirs[3]):
            assert a.get("episode", {}).get("r") == b.get("episode", {}).get("r")
    np.testing.assert_array_equal(env.opponent_ids, twin.opponent_ids)
    with pytest.raises(ProbespielError, match="states"):
        ProbespielVecEnv(game, 7).load_state_dict(state)
    with pytest.raises(ProbespielError, match="rules"):
        ProbespielVecEnv(game, 8).load_state_dict({**state, "ruleset": np.array("other")})
    with pytest.raises(ProbespielError, match="reset"):
        ProbespielVecEnv(game, 8).state_dict()


def test_fixed_seat_and_rotation() -> None:
    env = ProbespielVecEnv("kuhn", 4, seat="second", seed=1)
    env.reset()
    rng = np.random.default_rng(0)
    for _ in range(10):
        env.step(draw(env, rng))
        assert (env.seats == 1).all()
    env = ProbespielVecEnv(clash(3), 4, seed=1)
    seen: list[list[int]] = [[] for _ in range(4)]
    env.reset()
    for _ in range(60):
        *_, infos = env.step(draw(env, rng))
        for i, info in enumerate(infos):
            if info:
                seen[i].append(info["seat"])
    for i, seats in enumerate(seen):
        assert seats == [(i + e) % 3 for e in range(len(seats))] and len(seats) > 5


def test_a_learner_for_a_whole_side() -> None:
    game = make_game("einblatt-melee")  # two sides
    side = {seat: number for number, (_, members) in enumerate(game.sides) for seat in members}
    asked: list[int] = []

    def opponents(
        observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, tables: np.ndarray, seeds: np.ndarray
    ) -> np.ndarray:
        for table, seat in zip(tables.tolist(), seats.tolist()):
            assert side[seat] != side[int(env.seats[table])]
            asked.append(seat)
        return random_opponents(observations, masks, seats, tables, seeds)

    env = ProbespielVecEnv(game, 16, opponents, whole_side=True, seed=3)
    observations = env.reset()
    rng = np.random.default_rng(0)
    own: set[int] = set()
    games = 0
    while games < 60:
        for i in range(16):
            np.testing.assert_array_equal(observations[i], env.position(i).observe(int(env.seats[i])))
            np.testing.assert_array_equal(env.masks[i], env.position(i).mask(int(env.seats[i])))
        own |= set(env.seats.tolist())
        sides = [side[int(seat)] for seat in env.seats]
        moved = env.episodes.copy()
        observations, *_, dones, infos = env.step(draw(env, rng))
        for i in range(16):
            if dones[i]:
                assert side[infos[i]["seat"]] == sides[i]
                games += 1
            elif moved[i] == env.episodes[i]:
                assert side[int(env.seats[i])] == sides[i]  # the learner stays on its side
    assert own == set(asked) == set(range(game.n_seats))
    assert env.episodes.min() > 0


def test_opponent_ids_and_assignment() -> None:
    given: list[np.ndarray] = []
    asked: list[tuple[int, int, int]] = []

    def assign(tables: np.ndarray, seats: np.ndarray) -> np.ndarray:
        given.append(tables)
        np.testing.assert_array_equal(env.seats[tables], seats)
        ids = 100 * tables[:, None] + 10 * env.episodes[tables][:, None] + np.arange(3)
        return ids

    def opponents(
        observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, tables: np.ndarray, seeds: np.ndarray
    ) -> np.ndarray:
        assert len(set(seeds.tolist())) == len(seeds)
        assert not (seats == env.seats[tables]).any()
        expected = 100 * tables + 10 * env.episodes[tables] + seats
        np.testing.assert_array_equal(env.opponent_ids[tables, seats], expected)
        asked.extend(zip(tables.tolist(), env.episodes[tables].tolist(), seats.tolist()))
        for row, (table, seat) in enumerate(zip(tables.tolist(), seats.tolist())):
            np.testing.assert_array_equal(observations[row], env.position(table).observe(seat))
        return random_opponents(observations, masks, seats, tables, seeds)

    env = ProbespielVecEnv(clash(3), 5, opponents, assign=assign, seed=1)
    env.reset()
    rng = np.random.default_rng(0)
    for _ in range(30):
        before, episodes = env.opponent_ids.copy(), env.episodes.copy()
        *_, infos = env.step(draw(env, rng))
        for i, info in enumerate(infos):
            if info:
                np.testing.assert_array_equal(info["opponent_ids"], before[i])
                assert before[i, 0] == 100 * i + 10 * episodes[i]
    assert sum(map(len, given)) == int((env.episodes + 1).sum()) and asked
    one_id = ProbespielVecEnv(clash(3), 2, assign=lambda tables, seats: tables + 1)
    one_id.reset()
    assert one_id.opponent_ids.tolist() == [[1, 1, 1], [2, 2, 2]]
    wrong: Any
    for wrong in (lambda t, s: np.zeros(len(t)), lambda t, s: np.zeros((len(t), 7), int), lambda t, s: 3):
        with pytest.raises(ProbespielError, match="assign gave"):
            ProbespielVecEnv(clash(3), 2, assign=wrong).reset()


def test_few_rows_for_questions_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    played = []
    for size in (1 << 26, 1):
        monkeypatch.setattr("probespiel.envs.core.learner_tables.QUESTION_BYTES", size)
        env = ProbespielVecEnv(clash(4, rounds=3), 6, pick_all, seed=3)
        assert env._rows == (18 if size > 1 else 3)
        seen = [env.reset()]
        rng = np.random.default_rng(1)
        for _ in range(25):
            seen += env.step(draw(env, rng))[:3]
        played.append(seen)
    for a, b in zip(*played):
        np.testing.assert_array_equal(a, b)


def test_illegal_actions() -> None:
    env = ProbespielVecEnv(clash(2, rounds=4), 3, seed=1)
    with pytest.raises(ProbespielError, match="reset"):
        env.step(np.zeros(3, int))
    observations = env.reset()
    before = env.states.copy()
    with pytest.raises(IllegalAction, match="table 1, the learner: seat player_1, phase throw: action bow"):
        env.step(np.array([0, 4, 0]))
    for wrong in (np.zeros(3), np.zeros(2, int), np.zeros((3, 1), int), [None] * 3, np.array([0, -1, 0])):
        with pytest.raises(IllegalAction):
            env.step(wrong)  # type: ignore[arg-type]
    with pytest.raises(ProbespielError, match="choose them"):
        env.step_wait()
    np.testing.assert_array_equal(env.states, before)
    assert env._observations is observations


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda m: np.full(m, 9), "opponent 0: seat player_"),
        (lambda m: np.full(m, -1), "opponent 0: seat player_"),
        (lambda m: np.zeros(m), "the opponents gave float64"),
        (lambda m: np.zeros(m + 1, int), "integers of shape"),
        (lambda m: None, "the opponents gave object"),
    ],
)
def test_wrong_opponents(answer: Callable[[int], Any], message: str) -> None:
    env = ProbespielVecEnv(clash(2, rounds=4), 3, lambda o, m, s, t, k: answer(len(o)), seed=1)
    env.reset()
    with pytest.raises(IllegalAction, match=message):
        env.step(np.zeros(3, int))


def test_a_seat_without_legal_actions_is_an_error() -> None:
    with pytest.raises(RulesetError, match=r"table 0.*no legal action"):
        ProbespielVecEnv(clash(2, broken=0), 3).reset()
    env = ProbespielVecEnv(clash(2, rounds=9, broken=2), 3)
    env.reset()
    with pytest.raises(RulesetError, match="no legal action"):
        for _ in range(9):
            env.step(env.masks.argmax(axis=1))


def test_an_error_of_interpreted_rules_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    game = clash(2, compiled=False)
    env = ProbespielVecEnv(game, 2, seed=1)
    env.reset()
    rules = game.kernel.namespaces["tests.games_adapters.clash_rules"]  # other tests of this process have the same
    monkeypatch.setattr(rules, "beats", lambda a, b: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        env.step(np.array([0, 1]))


def test_games_without_a_decision_of_the_learner(monkeypatch: pytest.MonkeyPatch) -> None:
    # nobody may ever bow in a game of one round, and a limit of one decision leaves the second seat without any
    env = ProbespielVecEnv(clash(2, rounds=1, limit=1), 2, seed=1)
    env.reset()
    rng = np.random.default_rng(0)
    for _ in range(10):
        _, _, dones, infos = env.step(draw(env, rng))
        assert dones.all() and all(info["TimeLimit.truncated"] and info["episode"]["l"] == 1 for info in infos)
    monkeypatch.setattr("probespiel.envs.core.learner_tables.MAX_UNPLAYED", 50)
    with pytest.raises(RulesetError, match="nothing to decide in 50 games"):
        ProbespielVecEnv(clash(2, rounds=1, limit=0), 2).reset()


def test_what_stable_baselines_asks_for() -> None:
    env = ProbespielVecEnv("kuhn", 6, scenario="standard", ante=2, seed=1)
    assert is_masking_supported(env) and not env.has_attr("nonsense")
    env.reset()
    np.testing.assert_array_equal(get_action_masks(env), env.masks)
    np.testing.assert_array_equal(np.stack(env.env_method("action_masks", indices=[4, 2])), env.masks[[4, 2]])
    env.masks[4, -1] ^= True  # a table that differs from the others
    assert [mask.tolist() for mask in env.env_method("action_masks", indices=[4, 2])] == env.masks[[4, 2]].tolist()
    assert env.masks[4].tolist() != env.masks[2].tolist()
    env.masks[4, -1] ^= True
    assert env.get_attr("num_envs", [0, 3]) == [6, 6]
    assert env.env_method("position", indices=1)[0].to_bytes() == env.position(1).to_bytes()
    with pytest.raises(AttributeError, match="'jump'"):
        env.env_method("jump")
    env.set_attr("skip_forced", False)
    assert env.skip_forced is False
    with pytest.raises(ProbespielError, match="share"):
        env.set_attr("skip_forced", True, [0])
    with pytest.raises(AttributeError):
        env.set_attr("nonsense", 1)
    assert env.env_is_wrapped(VecMonitor) == [False] * 6
    assert list(env.get_images()) == [None] * 6
    env.close()


@pytest.mark.parametrize("n", [0, -1, True, 1.5])
def test_wrong_arguments(n: Any) -> None:
    with pytest.raises(ProbespielError, match="n "):
        ProbespielVecEnv("kuhn", n)
    with pytest.raises(ProbespielError, match="given by name"):
        ProbespielVecEnv(clash(), 2, scenario="standard")
    with pytest.raises(ProbespielError, match="seat 'third'"):
        ProbespielVecEnv("kuhn", 2, seat="third")


def test_maskable_ppo_learns_on_it() -> None:
    env = VecMonitor(ProbespielVecEnv("kuhn", 32, seed=1))
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=128, n_epochs=1, seed=1, device="cpu")
    model.learn(1024)
    assert model.num_timesteps == 1024
    assert model.ep_info_buffer and all(-2 <= info["r"] <= 2 for info in model.ep_info_buffer)


def written(game: Game, rows: Rows, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Observation and mask of list i."""
    observation, mask = np.zeros(game.layout.size, np.float32), np.zeros(game.n_actions, np.int8)
    seen, end = rows.sizes[i]
    index, values = rows.index[i, :end].astype(np.int64), rows.values[i, :end]
    assert (np.diff(index) > 0).all() and (values != 0).all() and (values[seen:] == 1).all()
    observation[index[:seen]], mask[index[seen:] - game.layout.size] = values[:seen], 1
    return (observation + rows.usual if len(rows.usual) else observation), mask


def all_written(game: Game, rows: Rows, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The first n lists as observations and masks."""
    both = [written(game, rows, i) for i in range(n)]
    return np.array([row[0] for row in both]), np.array([row[1] for row in both])


@EVERY
@pytest.mark.parametrize("from_usual", [False, True])
def test_lists_hold_what_is_written_out(name: str, from_usual: bool) -> None:
    """Two environments with the same dice, the one shown as lists, of what is not 0 or not usual; the same moves."""
    game, n, rng = GAMES[name](), 12, np.random.default_rng(5)
    dense, sparse = (ProbespielVecEnv(game, n, seed=3, skip_forced=False) for _ in range(2))
    told: list[tuple[np.ndarray, np.ndarray]] = []
    asked: list[tuple[np.ndarray, np.ndarray]] = []

    def tell(observations: np.ndarray, masks: np.ndarray, *further: np.ndarray) -> np.ndarray:
        told.append((observations.copy(), masks.copy()))
        return random_opponents(observations, masks, *further)

    def ask(rows: Rows, *further: np.ndarray) -> np.ndarray:
        asked.append(all_written(game, rows, len(further[0])))
        return random_opponents(*asked[-1], *further)

    dense.opponents = tell
    observations = dense.reset()
    usual = observations[0].copy() if from_usual else None
    play, same = ListedPlay(sparse, lists(game, n, usual), ask), partial(np.allclose, rtol=0, atol=1e-6 * from_usual)
    play.begin()
    if from_usual:
        assert play.own.sizes[0, 0] == 0 < np.count_nonzero(observations[0])
    for _ in range(12):
        seen, masks = all_written(game, play.own, n)
        assert same(seen, observations) and (masks == dense.masks).all()
        actions = draw(dense, rng)
        observations, rewards, _, infos = dense.step(actions)
        found, ends, ended = play.play(actions)
        assert (found.astype(np.float32) == rewards).all() and (ends == dense._done).all()
        assert set(ended.tables) == {i for i, info in enumerate(infos) if info}
        for table, result, ids in zip(*ended):
            assert infos[table]["episode"]["r"] == result and (infos[table]["opponent_ids"] == ids).all()
        stopped = np.flatnonzero(ends == STOPPED)
        assert stopped.tolist() == [i for i, info in enumerate(infos) if info.get("TimeLimit.truncated")]
        last = all_written(game, play.last_words(stopped), len(stopped))[0]
        for observation, table in zip(last, stopped.tolist()):
            assert same(observation, infos[table]["terminal_observation"])
    assert (sparse.states == dense.states).all() and len(asked) == len(told)
    for (seen, masks), (wanted, allowed) in zip(asked, told):
        assert same(seen, wanted) and (masks == allowed).all()
    with pytest.raises(IllegalAction, match="table 0, the learner"):
        play.play(np.full(n, game.n_actions))
    play.answer = lambda *question: np.full(len(question[1]), -1)
    if told:
        with pytest.raises(IllegalAction, match="opponent 0"):
            for _ in range(50):
                play.play(draw_listed(play))


def draw_listed(play: ListedPlay) -> np.ndarray:
    """The first legal action of every table."""
    rows = play.own
    return np.array([rows.index[i, rows.sizes[i, 0]] for i in range(len(rows.sizes))]) - play.env.game.layout.size
