"""The search by hand: what a simulation enters, which action is answered, and values of games that are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import View
from probespiel.agents.perfect_information import game_value
from probespiel.agents.scorekeeper.outlook import FEATURES, SIDE, features
from probespiel.agents.search import SearchAgent, deviations
from probespiel.agents.search_answer import answer, best_known, nothing_better
from probespiel.agents.search_kernel import Options, Scratch, back_up, plant
from probespiel.agents.search_pairs import no_pairs
from probespiel.agents.search_tree import NODE_MANY, Tree, add_edge, add_node, find_node, select_ucb
from probespiel.envs.core.game import Game
from probespiel.envs.core.rng import rng_array
from probespiel.envs.oneshot.system import SYSTEM as ONESHOT
from probespiel.envs.scorekeeper.system import SYSTEM as SCOREKEEPER
from tests.games import nim_game
from tests.test_exact_agents import tree_of


def options_of(**more: Any) -> Options:
    """Options of a plain search."""
    plain: dict[str, Any] = {
        "select": 0, "observer": 0, "c": 1.0, "gamma": 0.1, "policy": 0, "which": np.full(1, -1, np.int64),
        "advisers": np.zeros(0, np.int64), "epsilon": 0.0, "trust": 0, "depth": 0, "scale_seen": True, "low": -1.0,
        "high": 1.0, "temperature": 1.0, "margin": 1.0, "indifferent": 0.0, "doubt": 0.0, "stay": False, "outlook": 0,
        "memory": 0, "horizon": 0, "ticks": False, "paired": False, "bulky": np.zeros(1, np.int64),
    }  # fmt: skip
    return Options(**{**plain, **more})


def scratch_of(seats: int = 2, path: int = 4) -> Scratch:
    """Working space for a table of few seats."""
    return Scratch(
        state=np.zeros(8, np.uint8), words=np.zeros(1, np.int64), left=np.zeros(1, np.int64),
        seats=np.zeros(64, np.int64), actions=np.zeros(64, np.int64), which=np.zeros(seats, np.int64),
        followed=np.full(1, -1, np.int64), forced=np.full(1, -1, np.int64), prior=np.zeros(32),
        taken=np.zeros(1, np.int64),
        path=np.zeros((path, 3), np.int64), probs=np.zeros(path), payoff=np.zeros(seats), utility=np.zeros(seats),
        bounds=np.zeros((seats, 2)), pairs=no_pairs(32),
    )  # fmt: skip


def planted(edges: list[tuple[int, int, float, float]], many: int = 1) -> Tree:
    """A tree of its root, with edges (action, visits, mean, mean square)."""
    tree = tree_of()
    add_node(tree, 7, -1 - find_node(tree, 7))
    tree.nodes[0, NODE_MANY] = many
    for action, count, mean, square in edges:
        edge = add_edge(tree, 0, action, 0)
        tree.edges[edge, 2], tree.sums[edge, 0], tree.sums[edge, 1] = count, mean * count, square * count
    return tree


def test_an_action_has_the_spread_of_its_own_utilities() -> None:
    """A pass that always paid -1, and a bet that paid -2 in 22 games of 23 and 1 in one: 43/23 is its mean.

    The spread of all is that of the pass, almost; the bet's own is sqrt((22 * 4 + 1 - 43 * 43 / 23) / 22), 0.626.
    """
    tree = planted([(0, 30_000, -1.0, 1.0), (2, 23, -43 / 23, 89 / 23), (3, 1, 5.0, 25.0), (1, 400, 0.5, 1.25)])
    count, total, squares = 30_424, -30_000 - 43 + 5 + 200, 30_000 + 89 + 25 + 500
    pooled = (squares / count - (total / count) ** 2) ** 0.5
    assert 0.15 < pooled < 0.25
    found = deviations(tree, 0, 5)
    # action 3 was tried once, 4 not at all: they have the spread of all; 1 has a mean square of 1.25 around 0.5
    assert found == pytest.approx([pooled, (400 / 399) ** 0.5, ((89 - 43 * 43 / 23) / 22) ** 0.5, pooled, pooled])


def test_every_node_gets_the_utility_of_its_own_seat() -> None:
    tree, scratch = tree_of(), scratch_of()
    for key in (7, 8):
        add_edge(tree, add_node(tree, key, -1 - find_node(tree, key)), 0, 0)
    scratch.path[:2] = [[0, 0, 0], [1, 1, 1]]
    scratch.utility[:] = 3.0, -5.0
    back_up(tree, scratch, 2, only=-1)
    assert tree.sums[:2, 0].tolist() == [3, -5] and tree.sums[:2, 1].tolist() == [9, 25]
    assert tree.stats[:2].tolist() == [[1, 3], [1, -5]] and tree.edges[:2, 2].tolist() == [1, 1]


def test_a_full_tree_names_the_action_without_an_edge() -> None:
    tree, rng = tree_of(2, 1), rng_array(1, "test")
    add_node(tree, 7, -1 - find_node(tree, 7))
    add_edge(tree, 0, 3, 0)
    assert select_ucb(tree, 0, np.array([1 << 3 | 1 << 5], dtype=np.int64), 1.0, -1.0, 1.0, 0, rng) == -1 - 5


def test_a_new_search_forgets_the_last_one() -> None:
    tree, scratch = planted([(0, 3, 1.0, 1.0)]), scratch_of()
    scratch.prior[2], scratch.taken[0], scratch.bounds[:] = 5.0, 7, 3.0
    plant(tree, scratch, 11, 0, followed=-1)
    assert not scratch.prior.any() and not scratch.taken.any() and scratch.followed[0] == -1
    assert scratch.bounds.tolist() == [[np.inf, -np.inf]] * 2 and tree.used.tolist() == [1, 0, 0]


@pytest.mark.parametrize(("lead", "chosen"), [(1.0, 0), (1.4, 0), (1.5, 2), (3.0, 2)])
def test_the_baselines_action_stays_unless_another_is_better_by_twice_the_margin(lead: float, chosen: int) -> None:
    """Noise 1 over 4 visits each: a standard error of sqrt(1/2) = 0.707, twice of which are 1.414."""
    out = np.zeros((3, 4))
    out[:, 0], out[:, 1] = 4, (1.0, 0.5, 1.0 + lead)
    prior = np.array([3.0, 5.0, 0.0])
    assert best_known(options_of(), prior, out, 2, noise=1.0) == chosen
    assert best_known(options_of(), np.zeros(3), out, 2, noise=1.0) == 2


def test_what_was_never_tried_is_not_known_to_be_worse() -> None:
    """Of few simulations none took what the baselines do, actions 0 and 1: no other one is shown to be better."""
    out, prior = np.zeros((3, 4)), np.array([3.0, 5.0, 0.0])
    out[2, :2] = 4, 9.0
    assert best_known(options_of(), prior, out, 2, noise=1.0) == 1
    assert nothing_better(options_of(), prior, out, noise=1.0, pairs=no_pairs(3))
    assert not nothing_better(options_of(), np.zeros(3), out, noise=1.0, pairs=no_pairs(3)), "nobody was asked"
    out[0, :2] = 1, 0.0  # known to be worse by 9, and twice the error is 2.236
    assert best_known(options_of(), prior, out, 2, noise=1.0) == 2
    assert not nothing_better(options_of(), prior, out, noise=1.0, pairs=no_pairs(3))


@pytest.mark.parametrize(("indifferent", "noise", "chosen"), [(0.05, 1.0, 2), (0.1, 1.0, 0), (0.1, 0.5, 2)])
def test_the_best_known_action_is_left_only_for_more_than_it_is_indifferent_to(
    indifferent: float, noise: float, chosen: int
) -> None:
    """A lead of 1.5: of 1.414 for the noise 0.086 are left, or with half the noise 0.793."""
    out = np.zeros((3, 4))
    out[:, 0], out[:, 1] = 4, (1.0, 0.5, 2.5)
    prior = np.array([3.0, 5.0, 0.0])
    assert best_known(options_of(indifferent=indifferent), prior, out, 2, noise=noise) == chosen


@pytest.mark.parametrize(("doubt", "times", "chosen"), [(0.0, 1, 1), (1.0, 1, 0), (4.0, 1, 0), (4.0, 10, 1)])
def test_an_action_that_has_failed_twice_is_not_known_to_be_bad(doubt: float, times: int, chosen: int) -> None:
    """Two defeats beside seven victories and three defeats, where the mean is 1/6. By themselves these are better by
    1.4, twice the error being 1.394; with one more of either by 0.990 (1.172), with four by 0.556 (0.878); if ten times
    as many say so, by 1.197 (0.408)."""
    out, prior = np.zeros((2, 4)), np.array([1.0, 0.0])
    out[:, 0], out[:, 1] = np.array([2, 10]) * times, (-1.0, 0.4)
    assert best_known(options_of(doubt=doubt), prior, out, 1, noise=0.9) == chosen


@pytest.mark.parametrize(("lead", "better"), [(1.0, False), (1.3, False), (1.5, True)])
def test_a_mixed_answer_stays_unless_an_action_is_better_by_twice_the_margin(lead: float, better: bool) -> None:
    """The baselines' mixture 3 : 1 of means 1 and 2 is worth 1.25; noise 1 by 4 of each: 2 sqrt(1/4 + 1/4) = 1.414."""
    out = np.zeros((3, 4))
    out[:, 0], out[:, 1] = 4, (1.0, 2.0, 1.25 + lead)
    prior = np.array([3.0, 1.0, 0.0])
    assert nothing_better(options_of(), prior, out, noise=1.0, pairs=no_pairs(3)) != better


def test_equal_actions_share_the_answer_without_any_margin() -> None:
    """Means 1 and 1 of 6 and 2 visits; 0.5 is out: without a margin 0.05 deviations are tolerated, no more."""
    tree = planted([(0, 6, 1.0, 1.5), (1, 2, 1.0, 1.5), (2, 2, 0.5, 1.0)])
    out = np.zeros((3, 4))
    legal, rng = np.array([7], np.int64), rng_array(1, "test")
    answer(tree, options_of(margin=0.0), np.zeros(32), legal, out=out, rng=rng, pairs=no_pairs(32))
    assert out[:, 3] == pytest.approx([0.75, 0.25, 0])


def test_nim_is_solved() -> None:
    """Who is to move wins unless a multiple of three lies there: 3 is lost, 4 and 5 are won."""
    assert game_value(nim_game()) == pytest.approx(1 / 3)
    assert game_value(nim_game(), seat=1) == pytest.approx(-1 / 3)


@pytest.mark.parametrize("depth", [1, 2])
def test_as_many_decisions_are_simulated_as_the_depth_says(depth: int) -> None:
    """The first one is that of the seat that searches; nobody has won a pile of five after two."""
    position = nim_game().position()
    position.fall(2)
    found = SearchAgent(sims=6, depth=depth).analyse(View.of(position, 0, 1))
    assert found.visits.sum() == 6 and not found.values.any()


def skirmish() -> Game:
    """A duel of a bulwark and somebody who cannot hit."""
    weak = {"body": -1, "weapons": ["dagger"]}
    figures = {
        "one": {"team": "red", "pos": [4, 5], "char": "fighter"},
        "two": {"team": "blue", "pos": [6, 5], "char": weak, "wounds": 1},
    }
    setup = {"config": {"max_count": 200}, "figures": figures}
    return Game(ONESHOT.spec_of_setup(setup, "oneshot-skirmish"), compiled=False)


def test_an_outlook_values_what_lies_beyond_the_horizon_alone() -> None:
    """Games that end before it are worth what they pay; and the first decision lies before the nearest one."""
    position = skirmish().position(seed=2)
    seat = position.to_act()[0]
    view = View.of(position, seat, 1)
    whole = SearchAgent(sims=12, horizon=10**6).analyse(view)
    assert whole.visits.sum() == 12
    played = float(whole.values[whole.visits > 0] @ whole.visits[whole.visits > 0])
    assert abs(played) > 6  # of twelve fights nearly all are won by the same figure; the outlook of a fight over is 0
    near = SearchAgent(sims=5, horizon=1).analyse(view)
    assert near.visits.sum() == 5


def test_the_outlook_sees_who_acts_first() -> None:
    fighter = {"melee": "sword", "agl": 6, "wah": 6}
    fighters = [{**fighter, "name": f"f{i}", "team": "ab"[i], "position": i} for i in range(2)]
    game = Game(SCOREKEEPER.spec_of_setup({"config": {"fate_enabled": False}, "fighters": fighters}), compiled=False)
    for dice, first in (((9, 2), 0), ((2, 9), 1)):
        position = game.position()
        for die in dice:
            position.fall(die - 1)
        found = np.zeros(FEATURES)
        assert features(position.record, game.params, found) == 1 + 16
        assert found[13] == (first == 0) and found[SIDE + 13] == (first == 1)
