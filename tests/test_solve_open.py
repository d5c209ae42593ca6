"""When the search that solves hands a decision over to the tree search: what is hidden, by hand and in games.

Runs interpreted, in a process of its own: the compiler would take half a minute.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from probespiel.agents import solve_search
from probespiel.agents.base import View
from probespiel.agents.search import SearchAgent
from probespiel.agents.solve_answer import in_the_open
from probespiel.agents.solve_search import SolveSearchAgent
from probespiel.agents.solve_tree import (
    ACTOR,
    COUNT,
    DECISION,
    FIRST,
    INFO,
    KIND,
    LEAF,
    MET,
    NEXT,
    NODES,
    OPEN,
    ROOTS,
    SAMPLED,
    SEAT,
    SIMULATIONS,
    Roots,
    Tree,
    add_info,
)
from probespiel.envs import make_game
from probespiel.envs.core.jit import config
from tests.interpreted import pass_interpreted

interpreted = pytest.mark.skipif(not config.DISABLE_JIT, reason="runs interpreted, in a process of its own")
KEY = 77


def by_hand() -> tuple[Tree, Roots]:
    """Seat 0 chooses at node 0; behind the first choice dice (1), behind both seat 1 decides (3, 4), in two states."""
    tree, roots = solve_search._tree(16), solve_search._roots(2, size=1)
    for key, seat, size in ((KEY, 0, 2), (5, 1, 2), (6, 1, 2), (7, 0, 1)):
        add_info(tree, key, seat, size=size)
    family = {0: (1, 2), 1: (3,), 2: (4,), 3: (5, 6), 4: (7, 8)}
    seats = {0: (0, 0), 2: (0, 3), 3: (1, 1), 4: (1, 2)}  # of a decision: its seat and its information state
    tree.used[NODES], tree.used[ROOTS], tree.used[SIMULATIONS] = 9, 1, 10
    tree.nodes[:9] = 0
    tree.floats[:9] = 0.0
    tree.nodes[:9, KIND], tree.nodes[:9, OPEN], tree.nodes[:9, INFO] = LEAF, 1, -1
    tree.nodes[:9, FIRST] = tree.nodes[:9, NEXT] = -1
    tree.nodes[1, KIND] = SAMPLED
    for node, (seat, info) in seats.items():
        tree.nodes[node, KIND], tree.nodes[node, SEAT], tree.nodes[node, INFO] = DECISION, seat, info
    for node, children in family.items():
        tree.nodes[node, COUNT], tree.nodes[node, FIRST] = len(children), children[-1]  # the last is the first child
        for last, child in pairwise(children):
            tree.nodes[child, NEXT] = last
    roots.nodes[:] = 0, 15
    return tree, roots


@interpreted
@pytest.mark.parametrize("shared", ["nothing", "behind one choice", "behind both", "with the root's own next"])
def test_a_choice_is_open_where_nobody_takes_it_for_another(shared: str) -> None:
    """One state of seat 1 behind both choices: it does not know which was made. Twice behind one is no matter."""
    tree, roots = by_hand()
    if shared == "behind one choice":
        tree.nodes[7, KIND], tree.nodes[7, SEAT], tree.nodes[7, INFO] = DECISION, 1, 2
    elif shared == "behind both":
        tree.nodes[4, INFO] = 1
    elif shared == "with the root's own next":
        tree.nodes[5, KIND], tree.nodes[5, SEAT], tree.nodes[5, INFO] = DECISION, 0, 3
    assert in_the_open(tree, roots, KEY) == (shared in ("nothing", "behind one choice"))
    assert not tree.weights[: tree.used[NODES], MET].any(), "nothing is left for the solver to learn from"


@interpreted
@pytest.mark.parametrize("missing", ["key", "position", "simulations", "answer", "second answer", "seat"])
def test_nothing_is_open_that_is_not_seen_to_be(missing: str) -> None:
    """An unknown decision, a second position, few simulations, nobody else who decides, or behind one choice alone."""
    tree, roots = by_hand()
    if missing == "position":
        tree.used[ROOTS] = 2
    elif missing == "simulations":
        tree.used[SIMULATIONS] = 3
    elif missing == "answer":
        tree.infos[:, ACTOR] = 0
    elif missing == "second answer":
        tree.nodes[4, KIND] = LEAF
    elif missing == "seat":
        tree.nodes[0, INFO] = 1
    assert not in_the_open(tree, roots, 3 if missing == "key" else KEY)


def _first_view(name: str, scenario: str) -> View:
    position = make_game(name, scenario).position()
    position.roll(np.array([5], dtype=np.uint64))
    while len(position.legal(position.to_act()[0])) == 1:
        position.apply(position.to_act()[0], int(position.legal(position.to_act()[0])[0]))
    return View.of(position, position.to_act()[0])


@interpreted
@pytest.mark.parametrize(
    ("name", "scenario", "handed"),
    [
        ("scorekeeper-duel", "even_duel", True),  # declared in the open
        ("goofspiel", "four_open", False),  # bids are sealed
        ("kuhn", "standard", False),  # the other's card is hidden
        ("ews_rps", "even_contest", False),  # symbols come at once
    ],
)
def test_what_is_decided_in_the_open_is_handed_over(name: str, scenario: str, handed: bool) -> None:
    """With `open=solve` never; the rest of the simulations, nine of ten at most, is what the tree search gets."""
    view = _first_view(name, scenario)
    found = SolveSearchAgent(sims=40, start=1).analyse(view)
    assert found.handed_over == handed
    if handed:
        assert found.simulations in (36, 30, 20) and not found.kept
    assert not SolveSearchAgent(sims=40, start=1, open="solve").analyse(view).handed_over


@interpreted
def test_who_is_handed_a_decision_follows_whom_the_game_follows() -> None:
    """Of the rollouts named by the user the answer keeps to nobody else; the caution is handed on, too."""
    game = make_game("scorekeeper-duel", "even_duel")
    agent = SolveSearchAgent(sims=40, rollout="random", margin=2.5, indifferent=0.25, epsilon=0.125, memory=3)
    other = agent._other(game)
    assert isinstance(other, SearchAgent)
    assert [other.values[key] for key in ("prior", "rollout", "margin", "indifferent", "epsilon")] == [
        "rollout", "random", 2.5, 0.25, 0.125,
    ]  # fmt: skip
    auto = SolveSearchAgent(seconds=0.5)._other(game)
    assert auto is not None and (auto.values["prior"], auto.values["rollout"]) == ("auto", "auto")
    assert (auto.sims, auto.seconds) == (None, 0.5)
    assert SolveSearchAgent(open="solve")._other(game) is None


@interpreted
def test_what_is_handed_over_depends_on_nothing_but_what_is_known() -> None:
    """Another seed of the decision changes nothing."""
    view = _first_view("scorekeeper-duel", "even_duel")
    agent, one = SolveSearchAgent(sims=40, start=1), view.requests
    other = type(one)(
        one.game, one.seats, one.observations, one.masks, one.words, one.keys, one.seeds + np.uint64(9), one.phases,
        one._worlds,
    )  # fmt: skip
    assert np.array_equal(agent.probabilities(one), agent.probabilities(other))


def test_interpreted() -> None:
    """All tests of this file."""
    if not config.DISABLE_JIT:
        pass_interpreted(__file__)
