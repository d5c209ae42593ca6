"""What a choice on a mission is worth: valued by other dice than it was chosen by, and all choices on the same ones."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from benchmarks.choices import Found, Walk, _row, crossed, noise, tried
from benchmarks.missions import gained, played
from benchmarks.playing_on import Rules, choice_of, take_all
from probespiel.agents.native import native_policy
from probespiel.envs import make_game
from probespiel.envs.core.game import Game
from probespiel.envs.oneshot.state import Action


@pytest.fixture(scope="module")
def courier() -> Game:
    return make_game("oneshot-mission", "courier", sg=3)


def test_what_was_lucky_in_one_half_gains_nothing_by_the_other() -> None:
    assert crossed(np.array([[0, 0, 0, 0], [1, 1, 0, 0]])) == 0.0
    assert crossed(np.array([[0, 0, 0, 0], [1, 0, 0, 1]])) == 0.5
    assert crossed(np.array([[1, 1, 0, 0], [0, 0, 1, 1]])) == -0.5  # each half's choice is worse in the other
    assert crossed(np.array([[1, 0, 1, 1]])) == 0.0


def test_noise_is_what_differences_vary_by() -> None:
    """A row that is the first one moved varies by nothing against it, though both vary; one of its own by both."""
    first = np.array([0.0, 1.0, 0.0, 1.0])
    assert noise(np.array([first, first + 2.0])) == (0.0, 0.5)
    assert noise(np.array([first, [0.0, 0.0, 1.0, 1.0]])) == (0.5, 0.5)
    assert noise(np.array([first, 1.0 - first, first])) == (1.0, 1.0)


def test_bulky_actions_are_tried_where_a_party_takes_them() -> None:
    bulky = np.array([0b0110, 0b1], dtype=np.int64)  # the actions 1, 2 and 32
    assert tried([0, 1, 2, 3, 32], 3, {1, 3}, bulky) == [3, 0, 1]
    assert tried([0, 2, 32], 2, {2}, bulky) == [2, 0]


def test_choices_meet_the_same_dice_and_the_party_goes_on(courier: Game) -> None:
    """Who gives up has failed; the party's own way completes what it completes in whole missions."""
    policy = native_policy(courier, "ghost")
    rules = Rules.of(courier, policy)
    position = courier.position(1)
    position.roll(np.array([7], dtype=np.uint64))
    record = np.frombuffer(position.to_bytes(), dtype=np.uint8).copy()
    (seat,) = position.to_act()
    own = int(choice_of(rules, record, seat, np.uint64(1)))
    assert own in position.legal(seat) and Action.ABORT in position.legal(seat)
    world = np.frombuffer(position.forget(seat).to_bytes(), dtype=np.uint8).copy()
    out, seeds = np.zeros((3, 600)), np.arange(1, 601, dtype=np.uint64)
    take_all(rules, world, seat, np.array([own, Action.ABORT, own]), seeds, out)
    assert (out[0] == out[2]).all() and not out[1].any()
    assert set(out[0]) == {0.0, 1.0}
    half = np.zeros((1, 300))
    take_all(rules, world, seat, np.array([own]), seeds[300:], half)
    assert (half[0] == out[0, 300:]).all()  # a seed says all


def test_a_mission_counts_what_was_not_looked_at_as_well(courier: Game) -> None:
    """Half of the decisions were drawn, so that each stands for two; missions without any count as 0."""
    walk = cast("Walk", SimpleNamespace(game=courier, share=0.5))
    found = [
        Found(0, "talk", 4, 0.5, 0.02, 0.1, 0.5),
        Found(0, "talk", 6, 0.7, 0.04, 0.2, 0.25),
        Found(2, "talk", 5, 0.3, -0.03, 0.0, 0.0),
    ]
    told = _row(walk, "ghost", "talk", found, missions=3, met=6)
    gains = np.array([12.0, 0.0, -6.0])
    half = 1.96 * gains.std(ddof=1) / 3**0.5
    assert told == f"| `courier` | `ghost` | talk | 2.0 | 5.0 | 50.0 % | 40 % | +1.00 | +2.00 ± {half:.2f} |"


def test_missions_are_walked_as_the_party_walks_them(courier: Game) -> None:
    """Every decision with a choice is met, and looked at if all are; a kind is the phase of the mission."""
    walk = Walk(courier, "ghost", rounds=4, share=1.0, seed=1)
    found = list(walk.mission(0))
    assert len(found) == sum(walk.met.values()) > 3
    assert found[0].kind == "explore" and {one.kind for one in found} == set(walk.met)
    assert [one.mission for one in found] == [0] * len(found)
    assert found == list(Walk(courier, "ghost", rounds=4, share=1.0, seed=1).mission(0))


def test_what_choices_gain_is_by_how_much_more_is_completed(courier: Game) -> None:
    """Who does as the party does gains nothing; who plays by chance loses what the party completes."""
    completed, gains = gained(courier, "ghost", "ghost", missions=20, seed=3, rounds=2)
    assert not gains.any() and set(completed) <= {0.0, 1.0}
    completed, gains = gained(courier, "random", "ghost", missions=300, seed=3, rounds=20)
    party = played(courier, "ghost", 4000, 4).payoffs[:, 0]
    error = np.hypot(np.std(gains - completed) / 300**0.5, party.std() / 4000**0.5)
    assert np.mean(gains - completed) == pytest.approx(-party.mean(), abs=4 * error)
    assert 4 * error < party.mean() / 2


def test_every_choice_that_differs_counts(courier: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []

    def one_point_better(rules: Rules, record: np.ndarray, seat: int, actions: np.ndarray, *rest: np.ndarray) -> None:
        told.append((int(actions[0]), int(actions[1])))
        rest[-1][1] = 1.0

    monkeypatch.setattr("benchmarks.missions.take_all", one_point_better)
    _, gains = gained(courier, "prowler", "ghost", missions=10, seed=3, rounds=2)
    assert gains.sum() == len(told) and gains.max() > 1
    assert all(usual != taken for usual, taken in told)
