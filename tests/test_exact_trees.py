"""Trees of the search that solves, and rounds of ways to play, by hand.

Runs interpreted, in a process of its own: what only compiled code calls cannot be called here otherwise.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.agents.solve_answer import deviation
from probespiel.agents.solve_play import Options, Table, play_out
from probespiel.agents.solve_tree import (
    AVERAGE,
    BELIEF,
    CHANCE,
    CHANCE_OF,
    DEALT,
    DECISION,
    END,
    GAIN,
    GUESS,
    INFO,
    KIND,
    NOW,
    PASSES,
    REACH,
    REGRET,
    ROOTS,
    SAMPLED,
    SEAT,
    SIMULATIONS,
    VALUE,
    Roots,
    Tree,
    add_belief,
    add_info,
    add_node,
    gather,
    iterate,
    learn,
    settle,
    spread,
)
from probespiel.agents.switch_kernel import EARNED, EARNED_SQUARES, ROUNDS, SQUARES, TOTAL, try_ways
from probespiel.envs.core.jit import config
from probespiel.envs.core.rng import rand_below
from tests.games import rps_game
from tests.interpreted import pass_interpreted

interpreted = pytest.mark.skipif(not config.DISABLE_JIT, reason="runs interpreted, in a process of its own")


def grown() -> tuple[Tree, Roots, np.ndarray]:
    """Two positions, which the first side plays to with chance 1/2; it knows one thing of both, and plays 1/4, 3/4.

    A: its action 0 leads to dice (1/4: 4, 3/4: 0), action 1 to the other seat, who has 2 and -6. B: half of it is 8
    (-3 for the other), half has the first seat choose between 1 and 3 without knowing where it is.
    """
    tree = Tree(
        nodes=np.zeros((16, 11), np.int32), codes=np.zeros(16, np.int64), floats=np.zeros((16, 7)),
        table=np.zeros(64, np.int64), keys=np.zeros(16, np.int64), infos=np.zeros((16, 3), np.int32),
        weights=np.zeros((16, 2)), entries=np.zeros((8, 4)), actions=np.zeros(8, np.int32),
        belief_keys=np.zeros(16, np.int64), beliefs=np.ones((16, 3)), used=np.zeros(9, np.int64),
    )  # fmt: skip
    first, second = add_info(tree, 10, 0, 2), add_info(tree, 20, 1, 2)
    a, b = add_node(tree, -1), add_node(tree, -1)
    dice, other = add_node(tree, a), add_node(tree, a)
    leaves = [add_node(tree, parent) for parent in (dice, dice, other, other, b)]
    again = add_node(tree, b)
    leaves += [add_node(tree, again), add_node(tree, again)]
    for node, kind, seat, info in ((a, DECISION, 0, first), (other, DECISION, 1, second), (again, DECISION, 0, first),
                                   (dice, CHANCE, 0, -1), (b, SAMPLED, 0, -1)):  # fmt: skip
        tree.nodes[node, [KIND, SEAT, INFO]] = kind, seat, info
    tree.nodes[leaves[-1], KIND] = END
    for leaf, worth in zip(leaves, (4.0, 0.0, 2.0, -6.0, 8.0, 1.0, 3.0), strict=True):
        tree.floats[leaf, [GUESS, GUESS + 1]] = worth, -worth
    tree.floats[leaves[4], GUESS + 1] = -3.0
    tree.floats[leaves[0], CHANCE_OF], tree.floats[leaves[1], CHANCE_OF] = 0.25, 0.75
    tree.entries[:2, NOW], tree.entries[:2, AVERAGE], tree.entries[:2, REGRET] = (0.25, 0.75), (3.0, 1.0), (0.1, 0.3)
    tree.nodes[[a, b], BELIEF], tree.nodes[other, BELIEF + 1] = add_belief(tree, 30), add_belief(tree, 40)
    tree.used[ROOTS], tree.used[SIMULATIONS] = 2, 3
    roots = Roots(
        states=np.zeros((2, 1), np.uint8), hashes=np.zeros(2, np.int64), nodes=np.array([a, b]),
        mine=np.ones(2, np.int64), counts=np.ones(2), expected=np.ones((2, 2)),
        ranges=np.array([[0.5, 0.4], [0.5, 1.0]]), weights=np.array([0.6, 0.4]),
    )  # fmt: skip
    return tree, roots, np.array([0, 1])


@interpreted
def test_chances_and_values_of_a_tree_by_hand() -> None:
    """Nodes A, B, dice, other, leaves of the dice and the other, 8, again, 1, 3."""
    tree, roots, sides = grown()
    spread(tree, roots, sides, learner=0, average=False)
    mine, theirs, dealt = (tree.floats[:12, column] for column in (REACH, REACH + 1, DEALT))
    assert mine == pytest.approx([0.5, 0.5, 0.125, 0.375, 0.125, 0.125, 0.375, 0.375, 0.5, 0.5, 0.125, 0.375])
    assert theirs == pytest.approx([0.4, 1.0, 0.4, 0.4, 0.4, 0.4, 0.2, 0.2, 1.0, 1.0, 1.0, 1.0])
    assert dealt == pytest.approx([0.6, 0.4, 0.6, 0.6, 0.15, 0.45, 0.6, 0.6, 0.2, 0.2, 0.2, 0.2])
    assert tree.weights[:2].tolist() == [[1.0, 2.0], [0.0, 0.0]], "A and again are one state of whoever learns"
    gather(tree, sides, learner=0, average=False)
    assert tree.floats[:4, VALUE] == pytest.approx([-1.25, 5.25, 1.0, -2.0])
    # A weighs 0.4 * 0.6, and again 1 * 0.2
    assert tree.entries[:4, GAIN] == pytest.approx([0.24 * 1 + 0.2 * 1, 0.24 * -2 + 0.2 * 3, 0.0, 0.0])
    learn(tree, sides, learner=0, weight=9.0)
    gains = np.array([0.44, 0.12]) - (0.25 * 0.44 + 0.75 * 0.12)
    assert tree.entries[:2, REGRET] == pytest.approx(np.array([0.1, 0.3]) + gains)
    assert tree.entries[:2, NOW] == pytest.approx(np.array([0.58, 0.14]) / 0.72), "the last gain counts twice"
    assert tree.entries[:2, AVERAGE] == pytest.approx([3.0 + 9 * 0.5 * 0.25, 1.0 + 9 * 0.5 * 0.75])
    assert not tree.entries[:, GAIN].any() and not tree.weights.any()


@interpreted
def test_a_pass_has_both_sides_learn() -> None:
    """It weighs by the square of three simulations; the other side meets the new strategy of the first."""
    tree, roots, sides = grown()
    assert iterate(tree, roots, sides) == 2 * 12 and tree.used[PASSES] == 1
    assert tree.entries[:2, AVERAGE] == pytest.approx([3.0 + 9 * 0.5 * 0.25, 1.0 + 9 * 0.5 * 0.75])
    assert tree.entries[2:4, AVERAGE] == pytest.approx([9 * 0.4 * 0.5] * 2)
    weight = 0.5 * (0.14 / 0.72) * 0.6  # with which the first side goes there now
    assert tree.entries[2:4, REGRET] == pytest.approx([0.0, 4.0 * weight]), "-2 and 6 for it, 2 in the mean"
    assert tree.entries[2:4, NOW].tolist() == [0.0, 1.0]


@interpreted
def test_what_is_believed_at_the_end_of_a_solution() -> None:
    """The average strategies are 3/4, 1/4, and that of now where none was averaged."""
    tree, roots, sides = grown()
    settle(tree, roots, sides)
    assert tree.entries[:4, AVERAGE].tolist() == [0.75, 0.25, 0.5, 0.5]
    # A is worth 3/4 * 1 + 1/4 * -2, and B half of 8 and half of 3/4 * 1 + 1/4 * 3
    both = [0.5, 0.4 * 0.6 + 1.0 * 0.4, 0.24 * 0.25 + 0.4 * 4.75]
    assert tree.beliefs[0] == pytest.approx(both)
    assert tree.beliefs[1] == pytest.approx([0.4, 0.125 * 0.6, 0.125 * 0.6 * 2.0])
    assert not tree.entries[:, GAIN].any() and tree.beliefs[2].tolist() == [1.0] * 3


@interpreted
def test_leaves_deviate_by_what_they_are_worth_to_a_side() -> None:
    tree, _, _ = grown()
    assert deviation(tree, 0) == pytest.approx(np.std([4, 0, 2, -6, 8, 1, 3]))
    assert deviation(tree, 1) == pytest.approx(np.std([-4, 0, -2, 6, -3, -1, -3]))
    tree.used[0] = 1
    assert deviation(tree, 0) == 0.0


@interpreted
def test_rounds_of_ways_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ways 0 and 2 of three earn 1 and 4, then 2 and 1; both meet the same dice, which differ from round to round."""
    seeds: list[tuple[int, int]] = []
    earned = {0: iter([1.0, 2.0, 0.0]), 2: iter([4.0, 1.0])}

    def play_on(ways: Any, room: Any, world: int, way: int, seed: int) -> int:
        if len(seeds) == 4:
            return -7
        seeds.append((int(way), int(seed)))
        room.results[way] = next(earned[int(way)])
        return 0

    room, found = SimpleNamespace(results=np.zeros(3)), np.zeros((3, 5))
    run = getattr(try_ways, "py_func", try_ways)
    monkeypatch.setitem(run.__globals__, "play_on", play_on)
    assert run(None, room, 0, np.array([0, 2]), 2, np.array([5], dtype=np.uint64), found) == 0
    assert [way for way, _ in seeds] == [0, 2, 0, 2]
    assert seeds[0][1] == seeds[1][1] != seeds[2][1] == seeds[3][1]
    columns = [ROUNDS, TOTAL, SQUARES, EARNED, EARNED_SQUARES]
    assert found[:, columns].tolist() == [[2, 0, 0, 3, 5], [0] * 5, [2, 2, 10, 5, 17]]
    assert run(None, room, 0, np.array([0, 2]), 1, np.array([5], dtype=np.uint64), found) == -7
    assert found[0, ROUNDS] == 2, "a round that fails counts for nothing"


@interpreted
@pytest.mark.parametrize("rounds", [1, 3])
def test_both_choices_of_a_moment_count_when_a_game_is_played_on(rounds: int) -> None:
    """Who draws first is the first seat; the two draws of a round make it, and no other one is drawn."""
    worth = np.array([[0.0, 1.0, 10.0], [100.0, 1_000.0, 10_000.0], [7.0, 70.0, 700.0]])
    game = rps_game(rounds, worth)
    table = Table(game.address, game.params_address, game.words, np.array([0, 1]), np.array([0, 1]))
    options = Options(0, np.array([-1]), 0.0, 0, 0, 0, False, 0, 0.0, 0, 0.0)
    scratch: Any = SimpleNamespace(
        words=np.zeros(1, np.int64), which=np.zeros(64, np.int64), chosen=np.zeros(64, np.int64),
        payoff=np.zeros(64), found=np.zeros(2),
    )  # fmt: skip
    for seed in range(8):
        rng, own = np.array([seed], np.uint64), np.array([seed], np.uint64)
        assert play_out(table, options, scratch, game.position().address, 0, rng) == 0
        drawn = [int(rand_below(own, 3)) for _ in range(2 * rounds)]
        earned = sum(worth[first, second] for first, second in zip(drawn[::2], drawn[1::2], strict=True))
        assert scratch.found.tolist() == [earned, -earned]
        assert rng[0] == own[0]


@pytest.mark.skipif(config.DISABLE_JIT, reason="is this very process")
def test_interpreted() -> None:
    """What is marked so, in a process without the compiler."""
    pass_interpreted(__file__)
