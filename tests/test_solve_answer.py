"""When the search that solves keeps to what the rollout baselines do: gains by hand, and a duel.

Runs interpreted, in a process of its own: the compiler would take half a minute.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from probespiel.agents import solve_search
from probespiel.agents.base import View
from probespiel.agents.registry import make_agent
from probespiel.agents.solve_answer import gains, noise_below, nothing_better
from probespiel.agents.solve_search import SolveSearchAgent
from probespiel.agents.solve_tree import (
    ACTOR,
    AVERAGE,
    CHANCE,
    CHANCE_OF,
    COUNT,
    DECISION,
    END,
    ENTRIES,
    FIRST,
    GAIN,
    GUESS,
    INFO,
    KIND,
    LEAF,
    NEXT,
    NODES,
    NOW,
    OFFSET,
    OPEN,
    ROOTS,
    SAMPLED,
    SEAT,
    SIZE,
    TRIES,
    Roots,
    Tree,
    add_info,
)
from probespiel.envs import make_game
from probespiel.envs.core.jit import config
from tests.interpreted import pass_interpreted

interpreted = pytest.mark.skipif(not config.DISABLE_JIT, reason="runs interpreted, in a process of its own")
SIDES = np.array([0, 1])
KEY = 77


def by_hand() -> tuple[Tree, Roots, np.ndarray]:
    """Two positions in which seat 0 has the same three actions; in the second, seat 1 chose before, 0.6 to 0.4, unseen.

    Their weights are 0.75 * 0.5 and 0.25 * 1. Three times of four the baselines take the first action, else the second.
    """
    tree, roots = solve_search._tree(16), solve_search._roots(2, size=1)
    for key, seat, size in ((KEY, 0, 3), (5, 1, 2)):
        add_info(tree, key, seat, size=size)
    tree.entries[:3, AVERAGE] = tree.entries[:3, NOW] = 0.2, 0.3, 0.5
    tree.entries[3:5, AVERAGE] = 0.6, 0.4
    tree.actions[:5] = 4, 7, 40, 0, 1
    worth = {0: (1.0, 3.0, 2.0), 5: (2.0, 0.0, 6.0), 6: (4.0, 0.0, 8.0)}
    family = {0: (1, 2, 3), 4: (5, 6), 5: (7, 8, 9), 6: (10, 11, 12)}
    tree.used[NODES], tree.used[ROOTS] = 13, 2
    tree.nodes[:13] = 0
    tree.floats[:13] = 0.0
    tree.nodes[:13, KIND], tree.nodes[:13, OPEN] = LEAF, 1
    tree.nodes[:13, FIRST] = tree.nodes[:13, NEXT] = -1
    for node, children in family.items():
        tree.nodes[node, KIND], tree.nodes[node, COUNT] = DECISION, len(children)
        tree.nodes[node, INFO] = tree.nodes[node, SEAT] = int(node == 4)
        tree.nodes[node, FIRST] = children[-1]  # the last action is the first child
        for last, child in pairwise(children):
            tree.nodes[child, NEXT] = last
        if node in worth:
            tree.floats[list(children), GUESS] = worth[node]
    roots.nodes[:] = 0, 4
    roots.weights[:] = 0.75, 0.25
    roots.ranges[:] = [0.9, 0.5], [0.1, 1.0]
    prior = np.zeros(64)
    prior[[4, 7]] = 3.0, 1.0
    return tree, roots, prior


@interpreted
def test_gains_on_the_baselines_by_hand() -> None:
    """The baselines get 1.5 in the first position and 1.5 or 3 in the second, by what the other did."""
    tree, roots, prior = by_hand()
    assert [int(x) for x in tree.infos[0, [OFFSET, SIZE, ACTOR]]] == [0, 3, 0]
    found, met = gains(tree, roots, SIDES, 0, prior)
    assert met == 2
    assert found[:, 0] == pytest.approx([-0.02, 0.06, 2.18])
    assert found[:, 1] == pytest.approx([0.576, 1.728, 2.016])
    assert not tree.entries[: tree.used[ENTRIES], GAIN].any(), "nothing is left for the solver to learn from"


@interpreted
@pytest.mark.parametrize(
    ("margin", "indifferent", "stays"),
    [(0.5, 0.0, False), (0.55, 0.0, True), (0.5, 0.05, False), (0.5, 0.1, True), (0.0, 0.0, False), (0.0, 9.0, False)],
)
def test_what_gains_beyond_error_and_habit_is_played(margin: float, indifferent: float, stays: bool) -> None:
    """The third gains 2.18, its error is 2.016; leaves deviate by 2.558. With a margin of 0 it is never asked."""
    tree, roots, prior = by_hand()
    assert nothing_better(tree, roots, SIDES, KEY, prior, np.array([margin, indifferent])) == stays


@interpreted
def test_of_one_position_plays_tell_the_error() -> None:
    """Each action has a leaf of one play: 2.558 times the root of 0.25² + 0.25², and so on. The second gains 1.5."""
    tree, roots, prior = by_hand()
    roots.weights[1] = 0.0
    found, met = gains(tree, roots, SIDES, 0, prior)
    assert met == 1
    assert found[:, 0] == pytest.approx([-0.5, 1.5, 0.5])
    deviation = math.sqrt(134 / 9 - (26 / 9) ** 2)
    parts = [0.25**2 + 0.25**2, 0.75**2 + 0.75**2, 1 + 0.75**2 + 0.25**2]
    assert found[:, 1] == pytest.approx([deviation * math.sqrt(part) for part in parts])
    at = 1.5 / (2 * found[1, 1])  # the margin that the second just reaches
    for margin, stays in ((at - 0.01, False), (at + 0.01, True)):
        assert nothing_better(tree, roots, SIDES, KEY, prior, np.array([margin, 0.0])) == stays


@interpreted
def test_noise_of_plays_by_hand() -> None:
    """Three leaves of 1, 4 and 5 plays under a decision (0.2, 0.3, 0.5), dice of known chances, and sampled ones."""
    tree = by_hand()[0]
    tree.nodes[[1, 2, 3], TRIES] = 1, 4, 5
    chosen = 0.2**2 + 0.3**2 / 4 + 0.5**2 / 5
    assert noise_below(tree)[0] == pytest.approx(chosen)
    tree.nodes[0, KIND] = CHANCE
    tree.floats[[1, 2, 3], CHANCE_OF] = 0.5, 0.25, 0.25
    assert noise_below(tree)[0] == pytest.approx(0.5**2 + 0.25**2 / 4 + 0.25**2 / 5)
    tree.nodes[0, KIND] = SAMPLED
    assert noise_below(tree)[0] == pytest.approx(3 / 9), "each outcome is as uncertain as a play"
    tree.nodes[[1, 2, 3], KIND], tree.nodes[0, KIND] = END, DECISION
    assert noise_below(tree)[0] == 0.0, "ends are certain"
    assert noise_below(tree)[5] == pytest.approx(0.2**2 + 0.3**2 + 0.5**2), "no play counts as one"


@interpreted
@pytest.mark.parametrize("missing", ["key", "prior", "leaves"])
def test_nothing_is_said_where_nothing_is_known(missing: str) -> None:
    """An unknown decision, baselines that were not asked, a tree that holds all that follows."""
    tree, roots, prior = by_hand()
    if missing == "prior":
        prior[:] = 0.0
    elif missing == "leaves":
        tree.nodes[:, OPEN] = 0
    assert not nothing_better(tree, roots, SIDES, 3 if missing == "key" else KEY, prior, np.array([5.0, 0.0]))


@interpreted
def test_a_duel_keeps_to_the_best_cards() -> None:
    """Who shuffles the three best cards loses nothing (E1): a small search does that, not what it solved."""
    game = make_game("einblatt-duel")
    position = game.position()
    position.roll(np.array([5], dtype=np.uint64))
    view = View.of(position, position.to_act()[0])
    found = SolveSearchAgent(sims=12, start=1).analyse(view)
    assert found.followed and not found.kept
    taken = set()
    for number in range(40):
        again = View.of(position, position.to_act()[0], number=number)
        taken |= {make_agent(name).act(again) for name in ("best3_shuffled", "greedy_rescore")}
    assert set(np.flatnonzero(found.strategy).tolist()) <= taken
    assert found.strategy.sum() == pytest.approx(1.0)
    alone = SolveSearchAgent(sims=12, start=1, margin=0).analyse(view)
    assert not alone.followed and not np.array_equal(alone.strategy, found.strategy)


@pytest.mark.skipif(config.DISABLE_JIT, reason="is this very process")
def test_interpreted() -> None:
    """What is marked so, in a process without the compiler."""
    pass_interpreted(__file__)
