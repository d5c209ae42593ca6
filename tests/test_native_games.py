"""Whole updates of games in compiled code: bit by bit what is played one decision after the other from Python."""

import threading
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from probespiel.envs.core import learner_tables
from probespiel.envs.core.abi import STOPPED
from probespiel.envs.core.errors import ProbespielError, RulesetError
from probespiel.envs.core.learner_tables import LearnerTables
from probespiel.envs.core.listed_play import ListedPlay, lists
from probespiel.envs.core.registry import make_game
from probespiel.training import native_games
from probespiel.training.config import train_config
from probespiel.training.native import NativeLearner
from probespiel.training.selfplay import SelfPlay, limit_threads

SMALL: dict[str, Any] = {
    "learner": "native", "tables": 192, "steps": 8, "batch": 768, "hidden": 16, "advisers": (), "settle": 0,
    "opponents": {"self": 1.0},
}  # fmt: skip


def native_of(training: SelfPlay) -> NativeLearner:
    """The native learner of a training."""
    assert isinstance(training.learner, NativeLearner)
    return training.learner


def both_ways(game: str, updates: int = 3, **settings: Any) -> tuple[NativeLearner, NativeLearner]:
    """Learners after some updates, whose games went on in compiled code, and step by step; all else is asserted."""
    config = train_config(game, **({"seed": 3} | SMALL | settings))
    one, other = SelfPlay(config), SelfPlay(config)
    assert native_of(one).throughout is not None
    native_of(other).throughout = None
    for _ in range(updates):
        assert one.update() == other.update()
    return native_of(one), native_of(other)


def same(one: NativeLearner, other: NativeLearner) -> None:
    """Both learners know and have kept the same, and their tables stand alike."""
    for (name, array), (_, known) in zip(one.state()[0].items(), other.state()[0].items(), strict=True):
        np.testing.assert_array_equal(array, known, err_msg=name)
    np.testing.assert_array_equal(one.rewards, other.rewards)
    np.testing.assert_array_equal(one.ends, other.ends)
    for a, b in zip(one.tables.tables.envs, other.tables.tables.envs, strict=True):
        stored, known = a.state_dict(), b.state_dict()
        assert {name for name in stored if not np.array_equal(stored[name], known[name])} == set()
    for mine, its in ((one.decided, other.decided), (one.judged, other.judged)):
        for d in range(0, len(mine.starts), 7):
            at, to, n = mine.starts[d], its.starts[d], mine.totals[d]
            assert (mine.observed[d], n) == (its.observed[d], its.totals[d])
            np.testing.assert_array_equal(mine.index[at : at + n], its.index[to : to + n])
            np.testing.assert_array_equal(mine.values[at : at + n], its.values[to : to + n])


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("kuhn", {}),  # games end so soon that more are needed than were assigned beforehand
        ("einblatt-duel", {"scenarios": [{"scenario": "billy_tree"}, {"scenario": "rock_face"}], "anchor": 0.1}),
        ("einblatt-melee", {"whole_side": True}),
        ("konfrontation-campaign", {"critic": "all"}),
        ("leduc", {"loss": "hedge", "critic": "actions"}),
    ],
)
def test_games_are_the_same_step_by_step(game, settings):
    same(*both_ways(game, **settings))


def test_room_for_decisions_grows_when_it_is_full(monkeypatch):
    """Rooms that are far too small, for all three lists, are widened in the middle of an update."""
    widened = []
    widen = native_games.Throughout.widen
    monkeypatch.setattr(native_games.Throughout, "widen", lambda self: widened.append(1) or widen(self))
    monkeypatch.setattr(native_games, "CHUNK", 50)
    config = train_config("konfrontation-campaign", **{"seed": 3, "critic": "all", **SMALL})
    one, other = SelfPlay(config), SelfPlay(config)
    native_of(other).throughout = None
    throughout = native_of(one).throughout
    assert throughout is not None and [chunk.end - chunk.begin for chunk in throughout.chunks] == [50, 50, 50, 42]
    native_of(one).tables.show()
    throughout.lay_out(throughout.needed() * 3 // 2)
    for _ in range(2):
        assert one.update() == other.update()
    assert len(widened) >= 2
    same(native_of(one), native_of(other))


def near_the_limit(training: SelfPlay) -> None:
    """Have the games at every second table stopped by the safety limit, three decisions from now."""
    env = training.tables.envs[0]
    records = env.states.view(env.game.state_dtype)
    records["decisions"][::2] = env.game.spec.max_decisions - 3


def test_games_that_are_stopped_are_worth_what_the_critic_expects():
    config = train_config("einblatt-campaign", **{**SMALL, "seed": 3, "discount": 0.9})
    one, other = SelfPlay(config), SelfPlay(config)
    native_of(other).throughout = None
    for training in (one, other):
        training.update()
        near_the_limit(training)
    assert one.update() == other.update()
    learner = native_of(one)
    assert 20 < (learner.ends == STOPPED).sum() < 97
    same(learner, native_of(other))
    assert len(np.unique(learner.rewards[learner.ends == STOPPED])) > 10  # what the critic expects of each differs


def test_a_critic_of_actions_refuses_games_that_are_stopped():
    config = train_config("einblatt-campaign", **{**SMALL, "loss": "hedge", "critic": "actions"})
    training = SelfPlay(config)
    assert native_of(training).throughout is not None
    training.update()
    near_the_limit(training)
    with pytest.raises(ProbespielError, match="critic = 'actions', but games of einblatt-campaign are stopped"):
        training.update()


def test_opponents_are_drawn_for_every_game():
    """Of many short games a third are against the past, by the shares; who sits there changes from game to game."""
    config = train_config("kuhn", **{**SMALL, "seed": 5, "offer_every": 1, "opponents": {"self": 2.0, "past": 1.0}})
    training = SelfPlay(config)
    training.update()  # the first policies of the past
    told = [training.update() for _ in range(5)]
    learner = native_of(training)
    games = sum(m["play/games"] for m in told)
    ids = learner.tables.tables.envs[0].opponent_ids
    assert games > 1000 and ids.max() > 0
    throughout = learner.throughout
    assert throughout is not None
    kept = [throughout.play() for _ in range(5)]
    who = np.concatenate([k.who[k.ends != 0] for k in kept])
    share, m = float((who.max(axis=1) > 0).mean()), len(who)
    assert abs(share - 1 / 3) < 4 * (2 / 9 / m) ** 0.5
    games_of = [np.flatnonzero(k.ends[table]) for k in kept for table in range(192)]
    of = [k.who[table].max(axis=1) for k in kept for table in range(192)]
    again = [who[a] == who[b] for who, ended in zip(of, games_of, strict=True) for a, b in pairwise(ended)]
    assert len(again) > 500 and 0.4 < np.mean(again) < 0.8  # 4/9 and what the past has alike, were it but one for all


def test_games_without_a_decision_are_counted():
    """Whoever bids the most at once leaves the second seat nothing but to doubt it."""
    one, other = both_ways("liars_dice", updates=4)
    played, env = one.tables.tables.envs[0], other.tables.tables.envs[0]
    assert played.unplayed == env.unplayed > 0


def test_who_sits_opposite_is_asked_for_the_seats_to_come():
    """Seats go round with the games of a table: after game 3 at table 5 the learner sits at seats 9 and 10 of 2."""
    env = LearnerTables(make_game("kuhn"), 7, seed=1, assign=lambda tables, seats: tables * 100 + seats)
    env.restart()
    env.episodes[:] = np.arange(7) % 4 + 2
    play = ListedPlay(env, lists(env.game, 7), lambda *question: np.zeros(0))
    following = play.follow(2)
    expected = [[table * 100 + (table + env.episodes[table] + game) % 2 for game in (1, 2)] for table in range(7)]
    assert following.ids[:, :, 0].tolist() == expected and following.ids.shape == (7, 2, 2)
    following.taken[:] = [2, 0, 1, 2, 0, 0, 0]
    play.assign(following, np.array([0, 3]))
    assert following.taken.tolist() == [0, 0, 1, 0, 0, 0, 0]
    env.seat = 1
    assert (play.follow(1).ids[:, 0, 0] % 100 == 1).all()


def test_chunks_are_shared_out_among_threads():
    """Two jobs that wait for one another are done by two threads, each with a part of its own."""
    try:
        limit_threads(2)
        learner = native_of(SelfPlay(train_config("kuhn", **SMALL)))
    finally:
        limit_threads(1)
    together, parts = threading.Barrier(2), []

    def job(part: int) -> None:
        together.wait(timeout=20)
        parts.append(part)

    learner.crew.do([job, job])
    assert sorted(parts) == [0, 1]


def test_what_stops_compiled_play_is_told():
    training = SelfPlay(train_config("kuhn", **SMALL))
    learner = native_of(training)
    throughout, env = learner.throughout, learner.tables.tables.envs[0]
    assert throughout is not None
    following, chunk = learner.tables.plays[0].follow(1), throughout.chunks[1]
    assert (chunk.begin, chunk.end) == (128, 192)
    env._idle[130] = learner_tables.MAX_UNPLAYED + 1
    for why, error, told in (
        (native_games.IDLE, RulesetError, "nothing to decide in 10000 games in a row at table 130"),
        (native_games.UNJUDGED, ProbespielError, "no action is left to be judged"),
        (native_games.OPEN, AssertionError, "a question is open"),
        (-1 - 129, RulesetError, "table 129: the game goes on"),
    ):
        chunk.why = why
        with pytest.raises(error, match=told):
            throughout.help(chunk, following)


def test_without_policies_alone_it_goes_step_by_step():
    for settings in ({"opponents": {"self": 0.5, "random": 0.5}}, {"advisers": ("random",)}):
        assert native_of(SelfPlay(train_config("kuhn", **{**SMALL, **settings}))).throughout is None
