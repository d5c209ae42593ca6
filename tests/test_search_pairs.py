"""Actions compared on the same dice: rounds by hand, and what a search finds by them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import View
from probespiel.agents.konfrontation.declaration import NEVER_LEFT, matrix_solves, raid_policy_solves
from probespiel.agents.registry import make_agent
from probespiel.agents.search import SearchAgent
from probespiel.agents.search_answer import error_between, nothing_better
from probespiel.agents.search_pairs import (
    FEWEST,
    GIVEN_UP,
    KNOWN,
    PLAYED,
    QUEUED,
    ROUNDS,
    Pairs,
    begin_round,
    enter,
    forget,
    gain_error,
    join,
    mean_gain,
    next_action,
    no_pairs,
    place_of,
    settle,
    throw,
    worth_it,
)
from probespiel.agents.search_tree import COUNT, REGRET, STRATEGY, add_edge, add_node, find_node
from probespiel.envs import make_game
from probespiel.envs.core.game import Game
from probespiel.envs.core.rng import rng_array
from probespiel.envs.konfrontation.presets import presets
from probespiel.envs.konfrontation.system import SYSTEM
from probespiel.evaluation.exploit.exact import Answered, answer_by_positions
from tests.games import rps_game
from tests.test_exact_agents import tree_of
from tests.test_exact_search import options_of


def played(*rounds: dict[int, float]) -> Pairs:
    """Rounds of what each action came to."""
    pairs = no_pairs(32)
    for told in rounds:
        pairs.used[PLAYED] = 0
        for action, found in told.items():
            place_of(pairs, action)
            enter(pairs, action, found)
        pairs.used[ROUNDS] += 1
    return pairs


def test_gains_by_hand() -> None:
    """Gains of 5 on 3: 1, 3 and -1; mean 1, mean square 11/3, deviation sqrt(8/3), error sqrt(8/3/2)."""
    pairs = played({3: 1.0, 5: 2.0}, {3: 0.0, 5: 3.0}, {3: 2.0, 5: 1.0}, {3: 7.0, 8: 0.0})
    three, five, eight = (int(pairs.places[a]) - 1 for a in (3, 5, 8))
    assert pairs.used[KNOWN] == 3 and pairs.used[ROUNDS] == 4
    assert mean_gain(pairs, five, three) == 1 and mean_gain(pairs, three, five) == -1
    assert gain_error(pairs, five, three) == gain_error(pairs, three, five) == pytest.approx(np.sqrt(4 / 3))
    assert mean_gain(pairs, eight, three) == -7 and mean_gain(pairs, eight, five) == 0
    assert gain_error(pairs, eight, three) == np.inf, "one round tells nothing of the deviation"
    forget(pairs)
    assert not pairs.places.any() and not pairs.used.any() and not pairs.rounds.any()
    assert not pairs.gains.any() and not pairs.squares.any()


def test_a_round_keeps_its_dice() -> None:
    pairs, rng = no_pairs(32), rng_array(1, "test")
    throw(pairs, rng)
    first = int(pairs.thrown[0])
    assert int(pairs.asked[0]) != first
    pairs.used[QUEUED], pairs.thrown[0] = 1, 5
    throw(pairs, rng)
    assert int(pairs.thrown[0]) == first, "the second action of the round meets what the first met"
    pairs.used[QUEUED] = 0
    throw(pairs, rng)
    assert int(pairs.thrown[0]) != first


def test_rounds_are_given_up_where_dice_decide_little() -> None:
    """Utilities deviate by 1: a mean square of differences of 1 is a correlation of 1/2."""
    for gap, stays in ((0.9, True), (1.1, False)):
        pairs = played(*[{0: 0.0, 1: gap}] * FEWEST)
        assert worth_it(pairs, 1.0) == stays
        assert (pairs.used[GIVEN_UP] == 0) == stays and (pairs.used[KNOWN] == 0) != stays
        assert worth_it(pairs, 1.0) == stays, "for the rest of the decision"
    assert worth_it(played(*[{0: 0.0, 1: 9.0}] * (FEWEST - 1)), 1.0), "not asked before there are enough"


def test_all_regrets_of_a_round_are_matched_at_once() -> None:
    """Regrets 3 and 1 mix 3/4 and 1/4; the round came to 2 and 6, 3 on the mean: regrets 3 - 1 and 1 + 3."""
    tree, pairs, rng = tree_of(), no_pairs(32), rng_array(1, "test")
    add_node(tree, 7, -1 - find_node(tree, 7))
    tree.stats[0] = 5, 0
    first = set()
    for stamp in range(1, 40):
        words = np.array([0b11], np.int64)
        forget(pairs)
        for action, regret in ((0, 3.0), (1, 1.0)):
            edge = action if stamp > 1 else add_edge(tree, 0, action, 0)
            tree.sums[edge, REGRET], tree.sums[edge, STRATEGY] = regret, 0.0
        assert begin_round(pairs, tree, 0, words, 0.2, stamp, rng)
        assert tree.sums[:2, STRATEGY] == pytest.approx([3.75, 1.25])
        order = [int(next_action(pairs)) for _ in range(2)]
        first.add(order[0])
        assert sorted(order) == [0, 1]
        for action in order:
            enter(pairs, action, (2.0, 6.0)[action])
        settle(pairs, tree, 0)
        assert tree.sums[:2, REGRET] == pytest.approx([2, 4])
    assert first == {0, 1}, "whoever is drawn comes first"
    tree.sums[:2, REGRET] = 0.5, 0.0
    settle(pairs, tree, 0)
    assert tree.sums[:2, REGRET] == pytest.approx([0.5, 4]), "all on the first, which came to 2: 0 and 4 more"
    settle(pairs, tree, 0)
    assert tree.sums[0, REGRET] == 0, "floored"


def test_rounds_of_other_trees_are_added() -> None:
    one, other = played({3: 1.0, 5: 2.0}), played({5: 4.0, 9: 1.0}, {5: 1.0, 3: 0.0}, {5: 4.0, 3: 0.0})
    join(one, other)
    three, five, nine = (int(one.places[a]) - 1 for a in (3, 5, 9))
    assert one.rounds[five, three] == 3 and one.gains[five, three] == 6 and one.squares[three, five] == 1 + 16 + 1
    assert one.gains[nine, five] == -3 and one.used[ROUNDS] == 4


def test_what_is_better_than_the_baseline_goes_by_differences() -> None:
    """Action 3 gained 1 on 5 in each of eight rounds, though what both came to differs by up to 70."""
    pairs = played(*[{5: 10.0 * i, 3: 10.0 * i + 1.0 + (0.1 if i % 2 else -0.1)} for i in range(8)])
    out, prior = np.zeros((32, 4)), np.zeros(32)
    out[5, :2], out[3, :2], prior[5] = (8, 35.0), (8, 36.0), 8.0
    assert error_between(pairs, out, 3, 5, noise=100.0) == pytest.approx(0.1 / np.sqrt(7))
    assert error_between(no_pairs(32), out, 3, 5, noise=100.0) == pytest.approx(50.0)
    assert not nothing_better(options_of(), prior, out, noise=100.0, pairs=pairs)
    assert nothing_better(options_of(), prior, out, noise=100.0, pairs=no_pairs(32))
    assert nothing_better(options_of(margin=14.0), prior, out, noise=0.0, pairs=pairs), "28 errors are 1.06"
    assert not nothing_better(options_of(indifferent=0.9), prior, out, noise=1.0, pairs=pairs), "and 2 errors: 0.976"
    assert nothing_better(options_of(indifferent=0.95), prior, out, noise=1.0, pairs=pairs), "1.026"
    prior[7], out[7, :2] = 8.0, (8, 35.0)  # half of the mixture never met it
    assert nothing_better(options_of(), prior, out, noise=2.0, pairs=pairs), "0.5 of an error of 1, twice, is 1"
    assert not nothing_better(options_of(margin=0.9), prior, out, noise=2.0, pairs=pairs)


def test_others_learn_from_what_was_drawn_alone() -> None:
    """A first simulation, and rounds with three of the seat that searches, of which the other one enters one."""
    game = rps_game()
    agent = SearchAgent(sims=1 + 3 * FEWEST)
    agent.analyse(View.of(game.position(0), 0, 1))
    tree = agent._planned(game).shares[0].tree
    assert tree.stats[0, 0] == 1 + 3 * FEWEST and tree.stats[1, 0] == 1 + FEWEST
    assert sorted(tree.edges[:3, COUNT]) == [FEWEST, FEWEST, FEWEST + 1]


def test_advice_is_asked_once_a_round() -> None:
    """The baseline bets, at first and in eight rounds of passing and betting; a search that selects always asks it."""
    position = make_game("kuhn").position()
    position.fall(1)
    position.fall(0)
    for root, asked in (("paired", 1 + FEWEST), ("select", 1 + 2 * FEWEST)):
        agent = SearchAgent(sims=1 + 2 * FEWEST, rollout="always_bet", root=root, select="rm")
        agent.analyse(View.of(position, 0, 1))
        assert agent._planned(position.game).scratch.prior[:2].tolist() == [0, asked]


def test_a_search_tells_hands_apart_from_what_was_dealt() -> None:
    """One decision of the campaign, by 40 searches of 200: means deviate less than half as much on the same dice."""
    game = make_game("einblatt-campaign")
    position = game.position(3)
    while len(position.to_act()) < 2 or len(position.legal(0)) < 3:
        for seat in position.to_act():
            position.apply(seat, position.legal(seat)[0])
    spread = {}
    for root in ("paired", "select"):
        found = [SearchAgent(sims=200, root=root).analyse(View.of(position, 0, seed)) for seed in range(40)]
        values = np.array([np.where(one.visits > 0, one.values, np.nan) for one in found])[:, position.legal(0)]
        spread[root] = float(np.nanstd(values - np.nanmean(values, axis=1, keepdims=True), axis=0).mean())
    assert spread["paired"] < 0.5 * spread["select"]


@pytest.mark.parametrize(
    ("scenario", "given", "expected"),
    [
        ("even_duel", {}, 0.15),
        ("duel_tricks", {}, 0.0),  # modules, for which the three best cards are no solution
        ("even_duel", {"rollout": "highest_first"}, 0.0),  # nor is what others do
        ("even_duel", {"prior": "policy"}, 0.0),
        ("even_duel", {"indifferent": 0.02}, 0.02),
        ("even_duel", {"indifferent": 0}, 0.0),
        ("duel_tricks", {"indifferent": 0.3}, 0.3),
    ],
)
def test_a_known_solution_is_left_for_no_small_gain(scenario: str, given: dict[str, Any], expected: float) -> None:
    agent = SearchAgent(sims=4, **given)
    plan = agent._planned(make_game("einblatt-duel", scenario))
    assert [share.options.indifferent for share in plan.shares] == [expected]
    kept = expected > 0 and scenario == "even_duel"  # a solution is kept to where one decides alone, too
    led = "prior" in given or scenario == "duel_tricks"  # by a policy
    assert [share.options.stay for share in plan.shares] == [kept or led]


@pytest.mark.parametrize(("stage", "modules", "expected"), [
    ("defence", {}, NEVER_LEFT), ("bid", {}, NEVER_LEFT), ("full", {}, 0.0), ("defence", {"all_pay": {}}, 0.0),
])  # fmt: skip
def test_what_clashes_are_solved(stage: str, modules: dict[str, Any], expected: float) -> None:
    """From the defence on `matrix` is an equilibrium: nobody gains anything from it on either side."""
    setup = presets()["strongbox"]
    setup["stage"] = stage
    if stage == "bid":
        setup["attack"]["defence"] = ["d1"]
    if stage == "full":
        del setup["attack"]
    game = Game(SYSTEM.spec_of_setup({**setup, "modules": modules}))
    assert matrix_solves(game) == expected
    if expected:
        agent = make_agent("matrix", game.name)
        agent.name = "matrix"
        found = answer_by_positions(game, agent)
        assert isinstance(found, Answered) and found.exact and found.bound == pytest.approx(0.0, abs=1e-9)
        assert sum(side.payoff.value for side in found.sides) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_defender_stands_where_that_is_right(seed: int) -> None:
    """In `assassination` running home pays -1 and standing -0.75, which a tree of 1,000 simulations takes for -2.4."""
    position = Game(SYSTEM.spec_of_setup(presets()["assassination"])).position()
    home, stand = position.legal(1)
    assert [position.game.actions.codes[action] for action in (home, stand)] == ["run_home", "stand"]
    found = SearchAgent(sims=1000).analyse(View.of(position, 1, seed))
    assert found.values[stand] < -1.5 and found.values[home] == -1.0, "where this changes, it shows nothing any more"
    assert found.action == stand


@pytest.mark.parametrize(
    ("scenario", "changed", "given", "expected"),
    [
        ("raid_lab", {}, {}, NEVER_LEFT),
        ("raid_lab", {}, {"prior": "policy"}, NEVER_LEFT),
        ("raid_lab", {}, {"prior": "rollout"}, 0.0),  # the heuristic of the rollouts is no solution
        ("raid_lab", {}, {"rollout": "matrix"}, 0.0),
        ("raid_lab", {"turns": 5}, {}, 0.0),  # nobody has solved that
        ("duel", {}, {}, 0.0),
    ],
)
def test_the_policy_of_a_solved_campaign_is_never_left(
    scenario: str, changed: dict[str, Any], given: dict[str, Any], expected: float
) -> None:
    """Its best answer wins 0.0046 a game (`benchmarks.exact`), less than a search gives away by leaving it."""
    game = make_game("konfrontation-campaign", scenario, **changed)
    assert raid_policy_solves(game) == (NEVER_LEFT if scenario == "raid_lab" and not changed else 0.0)
    (share,) = SearchAgent(sims=4, **given)._planned(game).shares
    assert share.options.indifferent == expected
    assert share.options.stay == (given.get("prior") != "rollout")
