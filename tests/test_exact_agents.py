"""Agents and solvers against numbers worked out by hand, one traversal, visit or game at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import Agent, Requests, View
from probespiel.agents.cfr import CfrSolver
from probespiel.agents.cfr_kernel import (
    ITERATIONS,
    draw,
    external,
    find_key,
    known_as,
    match,
    nth_action,
    outcome,
    place,
)
from probespiel.agents.exact import GameTree
from probespiel.agents.match import ILLEGAL, Match, Schedule
from probespiel.agents.match_kernel import is_legal, mark_illegal
from probespiel.agents.matrix_game import solve_zero_sum
from probespiel.agents.native import BaselineAgent
from probespiel.agents.search_answer import deviation
from probespiel.agents.search_tree import (
    Tree,
    add_edge,
    add_node,
    find_edge,
    find_node,
    select_rm,
    select_ucb,
    update_rm,
)
from probespiel.envs.core.abi import KEY, call_from_python
from probespiel.envs.core.batch import Batch, start_table
from probespiel.envs.core.rng import mix, rng_array
from tests.games import card_game, rps_game

PAYOFF = np.array([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], dtype=float)  # of tests.games.rps_game

# Counterfactual regrets


def begun(solver: CfrSolver) -> Any:
    solver._tables.used[ITERATIONS] = 1
    return solver._tables


def test_averages_of_three_seats_divide_by_the_others_chances() -> None:
    """Seats 0, 1, 2 seal one of two cards in turn; the second round is forced. Seat 1 traverses, seat 2 is averaged.

    Seat 0 chose with chance 1/2 before, so that each of the two visits (one for each card of seat 1) weighs 2: 4 in
    all. Without the division it would be 2. Where seat 0 traverses, seat 1 is averaged twice before seat 2 chooses: 2.
    Where seat 2 traverses, seat 0 is averaged once, before anybody chose: 1.
    """
    for me, total in ((1, 4.0), (0, 2.0), (2, 1.0)):
        solver = CfrSolver(card_game(3, 2, 6), seed=1)
        tables = begun(solver)
        assert external(tables, solver._settings, solver._work, me, solver._rng) == 0
        assert tables.averages.sum() == pytest.approx(total)


@pytest.mark.parametrize(
    ("iteration", "average", "total"), [(1, "linear", 1.0), (3, "linear", 3.0), (3, "uniform", 1.0)]
)
def test_external_sampling_adds_the_column_of_regrets(iteration: int, average: str, total: float) -> None:
    solver = CfrSolver(rps_game(), regrets="plain", average=average, seed=2)
    tables = begun(solver)
    tables.used[ITERATIONS] = iteration
    external(tables, solver._settings, solver._work, 0, solver._rng)
    # Seat 1 chose anew for each action of seat 0: any columns, but regrets against the uniform strategy sum to 0.
    assert tables.regrets[:3].sum() == pytest.approx(0)
    values = tables.regrets[:3] - tables.regrets[:3].min()
    found = [
        (a, b, c) for a in PAYOFF[0] for b in PAYOFF[1] for c in PAYOFF[2]
        if np.allclose(np.array([a, b, c]) - min(a, b, c), values)
    ]  # fmt: skip
    assert found
    # Seat 1 was averaged at three visits, each with 1/3 on every action.
    assert tables.averages[3:6] == pytest.approx([total] * 3)


def test_linear_regrets_weigh_by_the_iteration_and_plus_floors_them() -> None:
    found = {}
    for regrets in ("plain", "linear", "plus"):
        solver = CfrSolver(rps_game(), regrets=regrets, seed=2)
        tables = begun(solver)
        tables.used[ITERATIONS] = 4
        external(tables, solver._settings, solver._work, 0, solver._rng)
        found[regrets] = tables.regrets[:3].copy()
    assert found["plain"].min() < 0
    assert found["linear"] == pytest.approx(4 * found["plain"])
    assert found["plus"] == pytest.approx(np.maximum(found["plain"], 0))


def test_outcome_sampling_divides_by_the_chance_of_what_was_tried() -> None:
    """All chances are 1/3: the action tried is worth 3u, the others 0, the state u; its average gets 1/3 each."""
    for seed in range(6):
        solver = CfrSolver(rps_game(), "outcome", regrets="plain", seed=seed)
        tables = begun(solver)
        assert outcome(tables, solver._settings, solver._work, 0, solver._rng) == 0
        pick = int(solver._work.frame[0, 2])
        u = tables.values[pick] / 0.1
        assert u in PAYOFF[pick]
        expected = np.full(3, -u)
        expected[pick] = 2 * u
        assert tables.regrets[:3] == pytest.approx(expected)
        assert tables.averages[:3] == pytest.approx([1 / 3] * 3)


def test_outcome_sampling_explores() -> None:
    """With regrets for one action alone, the others are tried with chance 0.6 / 3 and the one with 0.2 + 0.4."""
    solver = CfrSolver(rps_game(), "outcome", regrets="plain", explore=0.6, seed=3)
    tables = begun(solver)
    outcome(tables, solver._settings, solver._work, 0, solver._rng)
    picks = []
    for _ in range(60):
        tables.regrets[:3], tables.values[:3], tables.averages[:3] = [5, 0, 0], 0, 0
        outcome(tables, solver._settings, solver._work, 0, solver._rng)
        pick = int(solver._work.frame[0, 2])
        picks.append(pick)
        assert solver._work.reach[0, 1] == pytest.approx(0.6 if pick == 0 else 0.2)
        assert tables.averages[:3] == pytest.approx([1, 0, 0])
    assert set(picks) == {0, 1, 2}


def test_outcome_averages_divide_by_all_that_was_sampled() -> None:
    """Two rounds; rock has all regrets of the first choice, so that it is tried with chance 0.6, and seat 1 is uniform.

    After rock the second choice is reached with 0.6 * 1/3 where the strategy reaches it with 1: it weighs 5, beside 1
    for the first. After another action the strategy does not reach it.
    """
    solver = CfrSolver(rps_game(2), "outcome", regrets="plain", explore=0.6, seed=3)
    tables = begun(solver)
    totals = []
    for _ in range(30):
        tables.regrets[:], tables.values[:], tables.averages[:] = 0, 0, 0
        if tables.used[0]:
            tables.regrets[:3] = [5, 0, 0]
            outcome(tables, solver._settings, solver._work, 0, solver._rng)
            first = int(solver._work.frame[0, 2])
            totals.append(first)
            assert tables.averages.sum() == pytest.approx(6 if first == 0 else 1)
        else:
            outcome(tables, solver._settings, solver._work, 0, solver._rng)  # finds the first state
    assert 0 in totals and len(set(totals)) > 1


def test_averages_of_three_seats_divide_by_the_chance_of_what_was_chosen() -> None:
    """Seat 0 has regrets of 3 and 1: two visits weigh 4/3 each after its first card, 4 each after its second."""
    solver = CfrSolver(card_game(3, 2, 6), regrets="plain", seed=1)
    tables, totals = begun(solver), set()
    for _ in range(30):
        tables.regrets[0::2], tables.regrets[1::2], tables.averages[:] = 3, 1, 0
        assert external(tables, solver._settings, solver._work, 1, solver._rng) == 0
        totals.add(round(float(tables.averages.sum()), 6))
    assert totals == {round(8 / 3, 6), 8.0}


def test_values_of_actions_are_moving_averages() -> None:
    """A value of 5 moves by a tenth towards what was paid."""
    solver = CfrSolver(rps_game(), "outcome", regrets="plain", explore=0.6, seed=3)
    tables = begun(solver)
    outcome(tables, solver._settings, solver._work, 0, solver._rng)
    tables.values[:3] = 5
    outcome(tables, solver._settings, solver._work, 0, solver._rng)
    pick, paid = int(solver._work.frame[0, 2]), float(solver._work.payoff[0])
    assert tables.values[pick] == pytest.approx(5 + 0.1 * (paid - 5))


def test_seats_with_equal_keys_are_told_apart() -> None:
    """The seat is part of what a state is stored under, whatever the rules make of their own key."""
    solver = CfrSolver(rps_game(), seed=1)
    s = solver._work.states.ctypes.data
    start_table(solver._settings.k, s, solver._settings.p, solver._work.states.shape[1], rng=solver._rng)
    for seat in (0, 1):
        own = call_from_python(solver._settings.k, KEY, s, solver._settings.p, seat, 0, 0)
        assert known_as(solver._settings, s, seat) == mix(own, seat)


def test_regret_matching_by_hand() -> None:
    tables = CfrSolver(rps_game())._tables
    assert place(tables, 11, 3) == 0 and place(tables, 12, 2) == 1 and place(tables, 11, 3) == 0
    assert place(tables, 11, 2) == -1  # the same key with another number of actions
    tables.regrets[:5] = [3, 1, -2, -1, -1]
    sigma = np.zeros(3)
    match(tables, 0, 3, sigma)
    assert sigma.tolist() == [0.75, 0.25, 0]
    match(tables, 1, 2, sigma)
    assert sigma[:2].tolist() == [0.5, 0.5]
    match(tables, -1, 3, sigma)
    assert sigma == pytest.approx([1 / 3] * 3)


def test_actions_by_number_and_keys_by_halving() -> None:
    words = np.array([0b10100, 1, 0b1000], dtype=np.int64)
    assert [nth_action(words, n) for n in range(5)] == [2, 4, 32, 67, -1]
    keys = np.array([-5, 0, 7, 9], dtype=np.int64)
    assert [find_key(keys, k) for k in (-5, 0, 7, 9, 8, -6, 10)] == [0, 1, 2, 3, -1, -1, -1]
    rng = rng_array(1, "test")
    counts = np.bincount([draw(np.array([0.5, 0, 0.25, 0.25]), 4, rng) for _ in range(400)], minlength=4)
    assert counts[1] == 0 and abs(counts[0] - 200) < 40 and abs(counts[2] - 100) < 36


# Exact enumeration


def test_values_of_rock_paper_scissors() -> None:
    tree = GameTree(rps_game())
    mixed = np.array([0.4, 0.1, 0.5, 0.2, 0.3, 0.5])  # both seats, by hand below
    value = float(mixed[:3] @ PAYOFF @ mixed[3:])
    assert value == pytest.approx(0.4 * 0.7 + 0.1 * -0.3 + 0.5 * -0.1)
    assert tree.values(mixed) == pytest.approx([value, -value])
    # Against (0.2, 0.3, 0.5) rock earns 0.7; against (0.4, 0.1, 0.5) the second seat's best is rock, 0.9.
    first, second = tree.best_response(0, mixed), tree.best_response(1, mixed)
    assert (first.value, second.value) == (pytest.approx(0.7), pytest.approx(0.9))
    assert first.profile[:3].tolist() == [1, 0, 0] and second.profile[3:].tolist() == [1, 0, 0]
    assert tree.nash_conv(mixed) == pytest.approx(1.6) and tree.exploitability(mixed) == pytest.approx(0.8)


def test_three_seats_by_hand() -> None:
    """One card each of a deck of three: whoever has the highest wins two points; all deals are equally likely."""
    tree = GameTree(card_game(3, 1, 3))
    assert tree.n_nodes == 1 + 3 + 6 + 6 + 3 * 6 and tree.n_states == 9  # deals of three cards, then forced cards
    assert tree.values(tree.uniform()) == pytest.approx([0, 0, 0])


# Matrix games


def test_matrix_games_by_hand() -> None:
    pennies = solve_zero_sum([[3, 1], [1, 2]])
    assert pennies.value == pytest.approx(5 / 3)
    assert pennies.row == pytest.approx([1 / 3, 2 / 3]) and pennies.column == pytest.approx([1 / 3, 2 / 3])
    lopsided = solve_zero_sum([[4, 0, 2], [1, 3, 0]])  # third column and mixture of rows by hand: 2x = 3 - 3x
    assert lopsided.value == pytest.approx(6 / 5) and lopsided.row == pytest.approx([3 / 5, 2 / 5])
    assert lopsided.column == pytest.approx([0, 2 / 5, 3 / 5])
    saddle = solve_zero_sum([[2, 3], [1, 0]])
    assert (saddle.value, saddle.row.tolist(), saddle.column.tolist()) == (2, [1, 0], [1, 0])


# The tree of a search


def tree_of(nodes: int = 4, edges: int = 8) -> Tree:
    return Tree(
        np.zeros(16, np.int64), np.zeros(nodes, np.int64), np.zeros((nodes, 3), np.int64), np.zeros((nodes, 2)),
        np.zeros((edges, 5), np.int64), np.zeros((edges, 4)), np.zeros(3, np.int64),
    )  # fmt: skip


def test_nodes_and_edges_are_found_again() -> None:
    tree = tree_of(2, 2)
    free = find_node(tree, 77)
    assert free < 0 and add_node(tree, 77, -1 - free) == 0 and find_node(tree, 77) == 0
    assert add_node(tree, 78, -1 - find_node(tree, 78)) == 1 and add_node(tree, 79, -1 - find_node(tree, 79)) == -1
    assert add_edge(tree, 0, 5, 1) == 0 and add_edge(tree, 0, 6, 1) == 1 and add_edge(tree, 0, 7, 1) == -1
    assert (find_edge(tree, 0, 5), find_edge(tree, 0, 6), find_edge(tree, 0, 9), find_edge(tree, 1, 5)) == (
        0,
        1,
        -1,
        -1,
    )


@pytest.mark.parametrize(("c", "chosen"), [(0.1, 0), (0.4, 0), (0.6, 1), (2.0, 1)])
def test_ucb_by_hand(c: float, chosen: int) -> None:
    """Means 0.75 of 8 and 0.5 of 2 visits on a scale of 0 to 1; ten looks make ln 10 = 2.303.

    The bonuses are c sqrt(2.303 / 8) = 0.537 c and c sqrt(2.303 / 2) = 1.073 c: the second leads from c = 0.466 on.
    """
    tree, rng = tree_of(), rng_array(1, "test")
    add_node(tree, 7, -1 - find_node(tree, 7))
    for action, count, mean in ((0, 8, 0.5), (1, 2, 0.0)):  # payoffs run from -1 to 1
        edge = add_edge(tree, 0, action, 0)
        tree.edges[edge, 2], tree.edges[edge, 3], tree.sums[edge, 0] = count, 9, mean * count
    left = np.array([0b11], dtype=np.int64)
    assert select_ucb(tree, 0, left, c, -1.0, 1.0, 0, rng) == chosen
    assert left[0] == 0 and tree.edges[:2, 3].tolist() == [10, 10]
    fresh = select_ucb(tree, 0, np.array([0b111], dtype=np.int64), c, -1.0, 1.0, 0, rng)
    assert tree.edges[fresh, 0] == 2  # what was never tried comes first


def test_regret_matching_of_a_search_by_hand() -> None:
    """Regrets 3 and 1: chances 0.75 and 0.25, mixed with 0.2 of uniform 0.7 and 0.3; the average gets 5 visits' weight.

    The second action is tried (chance 0.3) and pays 2. Its mean was 1, so that it is worth 1 + (2 - 1) / 0.3 = 13/3;
    the first keeps its mean 4. The state is worth 3 + 13/12 = 49/12: regrets 3 - 1/12 and 1 + 1/4. A third action, with
    a regret of 50, is not legal in these visits.
    """
    tree, rng, prob = tree_of(), rng_array(1, "test"), np.zeros(1)
    add_node(tree, 7, -1 - find_node(tree, 7))
    tree.stats[0] = 5, 10
    for action, total, regret in ((0, 8.0, 3.0), (1, 1.0, 1.0), (2, 0.0, 50.0)):
        edge = add_edge(tree, 0, action, 0)
        tree.edges[edge, 2], tree.sums[edge, 0], tree.sums[edge, 2] = 2 - action, total, regret
    seen, stamp = set(), 0
    for stamp in range(1, 40):
        tree.sums[:2, 3] = 0
        chosen = select_rm(tree, 0, np.array([0b11], dtype=np.int64), 0.2, stamp, rng, prob)
        assert tree.sums[:2, 3] == pytest.approx([3.75, 1.25])
        assert prob[0] == pytest.approx(0.7 if chosen == 0 else 0.3)
        seen.add(chosen)
    assert seen == {0, 1}
    update_rm(tree, 0, 1, 2.0, 0.3, stamp)
    assert tree.sums[:2, 2] == pytest.approx([3 - 1 / 12, 1 + 1 / 4])
    update_rm(tree, 0, 1, -9.0, 0.3, stamp)
    assert tree.sums[1, 2] == 0  # floored
    assert tree.sums[2].tolist() == [0, 0, 50, 0]


def test_deviation_of_what_a_search_met() -> None:
    """Utilities 3, 5 and 1: mean 3, mean square 35 / 3, deviation sqrt(8 / 3)."""
    tree = tree_of()
    add_node(tree, 7, -1 - find_node(tree, 7))
    assert deviation(tree, 0) == 0
    for action, count, total, squares in ((0, 2, 8.0, 34.0), (1, 1, 1.0, 1.0)):
        edge = add_edge(tree, 0, action, 0)
        tree.edges[edge, 2], tree.sums[edge, 0], tree.sums[edge, 1] = count, total, squares
    assert deviation(tree, 0) == pytest.approx(np.sqrt(8 / 3))


# Compiled policies


def test_a_compiled_policy_answers_every_row_by_its_own_seat_and_seed() -> None:
    game = card_game(2, 3, 7)
    batch = Batch(game, 40, 1)
    batch.start()
    rows, seats = np.arange(40), np.arange(40) % 2
    requests = Requests.gather(game, batch.states, rows, seats, 5, rows, 0)
    lowest = [int(np.flatnonzero(mask)[0]) for mask in requests.masks]
    assert BaselineAgent("first").act_batch(requests).tolist() == lowest
    drawn = BaselineAgent("random").act_batch(requests)
    assert (requests.masks[rows, drawn] == 1).all()
    ranks = [int(mask[:action].sum()) for mask, action in zip(requests.masks, drawn)]
    assert set(ranks) == {0, 1, 2}
    back = Requests.gather(game, batch.states, rows[::-1], seats[::-1], 5, rows[::-1], 0)
    assert BaselineAgent("random").act_batch(back).tolist() == drawn[::-1].tolist()


# Matches


class Answers(Agent):
    """Answers by a function of the view."""

    def __init__(self, name: str, answer: Any) -> None:
        self.name, self.answer = name, answer

    def act(self, view: View) -> int:
        return self.answer(view)


def low(view: View) -> int:
    return view.legal[0]


def high(view: View) -> int:
    return view.legal[-1]


def test_legal_sets_of_two_words() -> None:
    words = np.array([0b100, 1], dtype=np.int64)
    assert [a for a in range(-2, 70) if is_legal(words, a)] == [2, 32]
    wrong = np.array([0, 0, 2], dtype=np.int8)
    mark_illegal(np.array([[4], [4], [4]], dtype=np.int64), np.array([2, 3, 3]), wrong)
    assert wrong.tolist() == [0, ILLEGAL, 2]


def test_outcomes_of_a_melee_of_three() -> None:
    """Nobody gains or loses by order; results follow the payoffs: best +1, shared best 0, else -1."""
    with Match(card_game(3, 2, 6), [Answers("low", low), Answers("high", high)], 1) as match_:
        played = match_.play(Schedule.of(1, np.repeat(np.arange(8), 2), np.tile([[0, 1, 0], [1, 0, 1]], (8, 1))))
    assert played.payoffs.sum(axis=1) == pytest.approx(np.zeros(16))
    assert (played.decisions == 2).all() and (played.lengths == 6).all() and (played.status == 1).all()
    best = played.payoffs.max(axis=1, keepdims=True)
    shared = (played.payoffs == best).sum(axis=1, keepdims=True) > 1
    assert np.array_equal(played.results, np.where(played.payoffs < best, -1, np.where(shared, 0, 1)))
    assert shared.any() and not shared.all()


def test_forfeits_pay_the_ordinary_range() -> None:
    """Who answers what is not legal gets the worst ordinary payoff, others the best; all at once share the middle."""
    with Match(rps_game(), [Answers("bad", lambda view: 7), Answers("first", low)], 1) as match_:
        assert match_.ordinary_range == (-2, 2)
        played = match_.play(Schedule.of(1, [0, 0, 1], [[0, 1], [1, 0], [0, 0]]))
    assert played.payoffs[:, :2].tolist() == [[-2, 2], [2, -2], [0, 0]]
    assert played.results.tolist() == [[-1, 1], [1, -1], [0, 0]]
    assert played.offences.tolist() == [[ILLEGAL, 0], [0, ILLEGAL], [ILLEGAL, ILLEGAL]]
    assert (played.status == 3).all() and played.decisions.sum() == 0
