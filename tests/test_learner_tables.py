"""Tables of learners at their edges: games that are given up, loaded or stuck, and what is asked of whom."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core.errors import IllegalAction, ProbespielError, RulesetError
from probespiel.envs.core.game import Game
from probespiel.envs.core.learner_tables import LearnerTables, random_opponents
from probespiel.envs.core.listed_play import ListedPlay, lists
from probespiel.envs.core.rows import Rows
from tests.games_adapters.clash import clash


def first_legal(env: LearnerTables) -> np.ndarray:
    """The first legal action of the learner at every table."""
    return env.masks.argmax(axis=1)


def test_a_game_that_asks_nobody_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that take a game for stopped when they say who is to act, and not when they say whether it is over."""
    game = clash(2, rounds=4, bows=False, compiled=False)
    env = LearnerTables(game, 2, seed=1)
    env.reset()
    rules = game.kernel.namespaces["tests.games_adapters.clash_rules"]
    monkeypatch.setattr(rules, "stopped", lambda s, p: sys._getframe(1).f_code.co_name == "to_act")
    with pytest.raises(RulesetError, match="table 0: the game goes on, but nobody is to act"):
        env.step(first_legal(env))


@pytest.mark.parametrize("skip", [True, False])
def test_opponents_are_asked_what_is_forced_if_nothing_is_skipped(skip: bool) -> None:
    """In the last round nobody may bow, so that whoever is asked must stay."""
    legal: set[int] = set()

    def opponents(observations: np.ndarray, masks: np.ndarray, *further: np.ndarray) -> np.ndarray:
        legal.update(masks.sum(axis=1).tolist())
        return random_opponents(observations, masks, *further)

    env = LearnerTables(clash(3, rounds=2), 8, opponents, skip_forced=skip, seed=2)
    env.reset()
    for _ in range(20):
        env.step(first_legal(env))
    assert (1 in legal) is not skip and legal >= {2, 3}


def test_a_table_plays_alike_whatever_tables_are_beside_it() -> None:
    """Dice and the seeds of answers are a table's own."""
    few, many = (LearnerTables(clash(3, rounds=3), n, seed=4) for n in (2, 5))
    a, b = few.reset(), many.reset()
    for _ in range(20):
        np.testing.assert_array_equal(a, b[:2])
        (a, won, over, _), (b, won_too, over_too, _) = few.step(first_legal(few)), many.step(first_legal(many))
        assert won.tolist() == won_too[:2].tolist() and over.tolist() == over_too[:2].tolist()


GAMES: dict[str, Callable[[], Game]] = {"kuhn": lambda: make_game("kuhn"), "clash": lambda: clash(2, rounds=6, rock=3)}


@pytest.mark.parametrize("name", GAMES)
def test_games_that_are_given_up_leave_nothing(name: str) -> None:
    """After a game is given up, the next at its table counts its own decisions and payoffs alone."""

    def opponents(observations: np.ndarray, masks: np.ndarray, *further: np.ndarray) -> np.ndarray:
        for seat, table in zip(further[0].tolist(), further[1].tolist()):
            assert seat in env.position(table).to_act()
        return random_opponents(observations, masks, *further)

    env = LearnerTables(GAMES[name](), 6, opponents, seed=3)
    env.reset()
    rng = np.random.default_rng(1)
    sums, moves = np.zeros(6), np.zeros(6, int)
    given_up = after_some = ended = 0
    episodes = env.episodes.copy()
    for step in range(120):
        actions = random_opponents(env.masks, env.masks, env.seats, env.seats, rng.integers(1 << 60, size=6))
        _, rewards, over, infos = env.step(actions)
        sums, moves = sums + rewards, moves + 1
        for i in np.flatnonzero(over):
            assert infos[i]["episode"]["l"] == moves[i] and infos[i]["episode"]["r"] == pytest.approx(sums[i])
            assert infos[i]["seat"] == (i + episodes[i]) % 2
            ended += 1
        sums[over], moves[over] = 0.0, 0
        if step % 3 == 0:
            tables = np.flatnonzero(rng.random(6) < 0.5)
            others = np.setdiff1d(np.arange(6), tables)
            before, seats = env.states[others].copy(), env.seats[tables] + 0
            after_some += int((moves[tables] > 0).sum())
            env.begin_again(tables)
            assert (env.states[others] == before).all()
            if name == "clash":  # in Kuhn poker a game may be over before the learner is asked
                assert (env.seats[tables] == 1 - seats).all()
            for i in tables.tolist():
                np.testing.assert_array_equal(env.masks[i], env.position(i).mask(int(env.seats[i])))
                np.testing.assert_array_equal(env.observations[i], env.position(i).observe(int(env.seats[i])))
            given_up += len(tables)
            sums[tables], moves[tables] = 0.0, 0
        episodes = env.episodes.copy()
    assert given_up > 50 and ended > 20 and (after_some > 20 or name == "kuhn")


def test_actions_below_nothing_are_illegal() -> None:
    """In Kuhn poker the last action is legal, and a list begins with what is seen."""
    game = make_game("kuhn")
    env = LearnerTables(game, 3, seed=1)
    env.reset()
    assert (env.masks[:, -1] == 1).all()
    with pytest.raises(IllegalAction, match="table 1, the learner"):
        env.step(np.array([1, -1, 1]))
    play = ListedPlay(LearnerTables(game, 3, seed=1), lists(game, 3), lambda rows, *asked: np.zeros(len(asked[0]), int))
    play.begin()
    seen = int(play.own.index[0, 0])
    with pytest.raises(IllegalAction, match="table 0, the learner"):
        play.play(np.array([seen - game.layout.size, 1, 1]))


def test_random_opponents_take_every_legal_action_alike() -> None:
    masks = np.tile(np.array([1, 0, 1, 1, 0], np.int8), (3000, 1))
    nothing = np.zeros(3000, np.int64)
    taken = random_opponents(masks, masks, nothing, nothing, np.arange(3000, dtype=np.uint64))
    counts = np.bincount(taken, minlength=5)
    assert counts[[1, 4]].tolist() == [0, 0]
    assert np.abs(counts[[0, 2, 3]] - 1000).max() < 130  # five standard deviations


def test_keys_of_many_tables_are_those_of_each() -> None:
    env = LearnerTables(clash(3, rounds=5), 6, seed=2)
    env.reset()
    for _ in range(2):
        env.step(first_legal(env))
    tables, seats = np.array([4, 1, 4, 0]), np.array([2, 0, 1, 2])
    expected = [env.position(int(t)).key(int(s)) for t, s in zip(tables, seats)]
    assert env.keys(tables, seats).tolist() == expected and len(set(expected)) == 4


def test_what_is_loaded_is_looked_at() -> None:
    env = LearnerTables(clash(2, rounds=9, broken=7), 2, seed=1)
    env.reset()
    stored = env.state_dict()
    env.choose(first_legal(env))
    with pytest.raises(ProbespielError, match="between two steps"):
        env.state_dict()
    env.load_state_dict(stored)
    with pytest.raises(ProbespielError, match="choose them"):
        env.go_on()
    stuck: dict[str, Any] = {name: value.copy() for name, value in stored.items()}
    stuck["states"][1].view(env.game.state_dtype)["turn"] = 7
    with pytest.raises(RulesetError, match=r"table 1.*no legal action"):
        env.load_state_dict(stuck)


def test_unplayed_games_are_counted_and_stored() -> None:
    """Who bids the most at once leaves the second seat nothing but to doubt it: every other game of a table."""

    def highest(observations: np.ndarray, masks: np.ndarray, *further: np.ndarray) -> np.ndarray:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    env = LearnerTables(make_game("liars_dice"), 3, highest, seed=1)
    env.reset()
    played, idle, sums = 0, [], np.zeros(3)
    for _ in range(24):
        _, rewards, over, infos = env.step(first_legal(env))
        sums += rewards
        for i in np.flatnonzero(over):  # whatever comes in the games after it
            assert sums[i] == infos[i]["episode"]["r"]
        played, sums[over] = played + int(over.sum()), 0.0
        idle.append(env.state_dict()["idle"])
    assert env.unplayed == int(env.episodes.sum()) - played > 10
    assert np.max(idle) == 1  # never two in a row
    stored = env.state_dict()
    assert stored["idle"].any()
    twin = LearnerTables(env.game, 3, highest, seed=9)
    twin.load_state_dict(stored)
    assert twin.unplayed == env.unplayed and twin.state_dict()["idle"].tolist() == stored["idle"].tolist()


def test_lists_name_who_sat_at_the_tables_that_ended() -> None:
    game = clash(3, rounds=2)
    env = LearnerTables(game, 7, seed=5, assign=lambda tables, seats: tables[:, None] * 10 + np.arange(3))

    def answer(rows: Rows, *further: np.ndarray) -> np.ndarray:
        return first(rows)

    def first(rows: Rows) -> np.ndarray:
        return np.array([rows.index[i, rows.sizes[i, 0]] for i in range(len(rows.sizes))]) - game.layout.size

    play = ListedPlay(env, lists(game, 7), answer)
    play.begin()
    alone = 0
    for _ in range(30):
        _, ends, ended = play.play(first(play.own))
        assert ended.tables.tolist() == np.flatnonzero(ends).tolist()
        assert ended.opponents.tolist() == [[10 * t, 10 * t + 1, 10 * t + 2] for t in ended.tables.tolist()]
        alone += 0 < len(ended.tables) < 7 and ended.tables.tolist() != list(range(len(ended.tables)))
    assert alone
