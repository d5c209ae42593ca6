"""What is computed for rules and tables, against slow models of it and by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from probespiel.agents.konfrontation.equilibrium import BidGame
from probespiel.evaluation.balance.command import stress_command
from probespiel.evaluation.balance.profile import covariance
from probespiel.evaluation.einblatt import stats
from probespiel.evaluation.einblatt.exact import compare_number
from probespiel.evaluation.ews_rps import roshambo
from probespiel.evaluation.konfrontation.exact import limit
from probespiel.evaluation.report.wording import signed
from probespiel.evaluation.stress.compare import difference
from probespiel.evaluation.stress.conditions import Settings
from probespiel.evaluation.stress.findings import Interval
from probespiel.evaluation.stress.learning import COUNTER, FREE, TEMPERATURE, USE, learner_of
from probespiel.evaluation.stress.store import _join, _split
from probespiel.evaluation.stress.strategies import Strategy
from probespiel.evaluation.tournament.deviation import _stationary, _stationary_of_many
from probespiel.evaluation.tournament.metagame import _max_entropy_of

# einBlatt


def sign(x: int, y: int) -> int:
    return (x > y) - (x < y)


@pytest.mark.parametrize(("a", "b", "ka", "kb", "rounds"), [(1, 2, 1, 2, 1), (3, 0, 0, 2, 1), (2, 1, 2, 0, 2)])
def test_a_duel_is_worth_what_pairs_of_its_best_plays_are(a: int, b: int, ka: int, kb: int, rounds: int) -> None:
    """The best plays of hands that are drawn, in any order against each other."""
    worth = Fraction(0)
    for (ours, p), (theirs, q) in product(
        stats.best_distribution(a, ka, rounds).items(), stats.best_distribution(b, kb, rounds).items()
    ):
        worth += p * q * Fraction(sum(sign(x, y) for x in ours for y in theirs), rounds)
    assert stats.duel_value(a, b, ka, kb, rounds) == worth
    assert sum(stats.best_distribution(a, ka, rounds).values()) == 1


@pytest.mark.parametrize(("cards", "suits", "rounds"), [(0, 2, 2), (1, 1, 2), (2, 3, 1), (3, 2, 2)])
def test_cards_that_are_expected_are_those_of_the_distribution(cards: int, suits: int, rounds: int) -> None:
    expected = [Fraction(0)] * stats.CLASSES
    for plays, p in stats.best_distribution(cards, suits, rounds).items():
        for x in plays:
            expected[x] += p
    assert list(stats.expected_best(cards, suits, rounds)) == expected and sum(expected) == rounds


@pytest.mark.parametrize("rounds", [1, 2])
def test_points_of_two_plays_are_added_up(rounds: int) -> None:
    ours = {(3,) * rounds: Fraction(1, 4), (0, 9)[:rounds]: Fraction(3, 4)}
    theirs = {(3,) * rounds: Fraction(1, 6), (15, 0)[:rounds]: Fraction(1, 2), (1, 9)[:rounds]: Fraction(1, 3)}
    told = [Fraction(0)] * (2 * rounds + 1)
    for (x, p), (y, q) in product(ours.items(), theirs.items()):
        told[rounds + sum(map(sign, x, y))] += p * q
    assert list(stats.ep_distribution(ours, theirs, rounds)) == told and sum(told) == 1


@pytest.mark.parametrize(("cards", "suits"), [(0, 2), (1, 1), (2, 3)])
def test_whoever_picks_uniformly_passes_as_often_as_each_card(cards: int, suits: int) -> None:
    """Two rounds of a seat with so many cards: drawn from the deck one after the other, and told apart."""
    counts = (4 - suits,) * 8 + (suits,) * 8
    deck, told = [x for x, count in enumerate(counts) for _ in range(count)], dict[tuple[int, ...], Fraction]()
    hands = Fraction(1, math.comb(len(deck), cards))
    for first, second in product(range(-1, cards), repeat=2):
        if first == second and first >= 0:
            continue
        chance = Fraction(1, cards + 1) * Fraction(1, cards + (first < 0))
        for hand in [()] if not cards else [(x,) for x in range(32)] if cards == 1 else _pairs():
            pick = tuple(0 if k < 0 else deck[hand[k]] for k in (first, second))
            told[pick] = told.get(pick, Fraction(0)) + chance * hands
    assert len(deck) == stats.DECK == 32 and stats.uniform_plays(cards, suits, 2) == told


def _pairs() -> list[tuple[int, int]]:
    return [(i, j) for i in range(32) for j in range(i)]


@pytest.mark.parametrize(
    ("wanted", "got", "tolerance", "agrees"),
    [
        ("1/3", Fraction(1, 3), None, True),
        ("1/3", Fraction(1, 3) + Fraction(1, 10**9), None, False),  # exactly
        (2, Fraction(2), None, True),
        ("2", Fraction(2) + Fraction(1, 10**6), None, False),  # whole numbers, too
        (0.25, Fraction(1, 4) + Fraction(1, 2001), None, True),  # two digits: never more than half a thousandth
        (0.25, Fraction(1, 4) + Fraction(1, 1990), None, False),
        ("0.2500", Fraction(1, 4) - Fraction(49, 10**6), None, True),  # half a unit of the last digit
        ("0.2500", Fraction(1, 4) - Fraction(51, 10**6), None, False),
        (2, Fraction(5, 2), 0.5, True),
        (2, Fraction(5, 2), 0.49, False),
        ("0.25", Fraction(251, 1000), 0.0001, False),  # narrower than its digits
    ],
)
def test_numbers_agree_to_their_last_digit(wanted: Any, got: Fraction, tolerance: float | None, agrees: bool) -> None:
    said = compare_number("here", wanted, got, tolerance)
    assert (said == []) == agrees and all(f"here: expected {wanted}, got {got} = " in line for line in said)


@pytest.mark.parametrize("wanted", [True, None, "1/0", "x", [1]])
def test_what_is_no_number_is_no_result(wanted: Any) -> None:
    with pytest.raises(ValueError, match=r"here = .*allowed is a number or a text such as 1/3"):
        compare_number("here", wanted, Fraction(1))


# Konfrontation


def bids(payoffs: Sequence[Sequence[float]], tied: Sequence[Sequence[int]], draw: float = 0.0) -> BidGame:
    return BidGame(np.array(payoffs, dtype=np.float64), np.array(tied, dtype=bool), draw, 3)


ODD = [[1, 0], [0, 1]]  # ties on the diagonal


@pytest.mark.parametrize(
    ("payoffs", "tied", "draw", "value"),
    [
        ([[0, 1], [1, 0]], ODD, 0.0, 1.0),  # (V + 1) / 2 = V
        ([[0, -1], [-1, 0]], ODD, 0.0, -1.0),
        ([[0, 1], [-1, 0]], ODD, 0.0, 0.0),  # the first bid is safe: V = 0 stays
        ([[0, 1], [-1, 0]], ODD, 0.5, 0.5),  # and so does any draw between
        ([[0, 2], [1, 0]], ODD, 0.0, 1.0),  # V^2 - 3 V + 2 = 0: the nearer one
        ([[0, 2], [1, 0]], ODD, 3.0, 2.0),
        ([[3, 4], [1, 0]], [[0, 0], [0, 1]], -2.0, 3.0),  # the first bid gives 3 whatever follows
        ([[0]], [[1]], 0.25, 0.25),
    ],
)
def test_endless_ties_are_worth_the_nearest_value_that_stays(
    payoffs: list[list[float]], tied: list[list[int]], draw: float, value: float
) -> None:
    assert float(limit(bids(payoffs, tied, draw))) == pytest.approx(value, abs=2**-36)


# The benchmark of rock, paper, scissors


def test_a_contender_is_scored_by_what_others_take_from_it() -> None:
    """The worst opponent of every second match is measured in the others: -8 and -1 are taken back from 0 gained."""
    returns = {"a": [-4, 8, -6, 8], "b": [1, -3, 1, -5]}
    found = roshambo.score("me", returns, 2.5)
    assert (found.contender, found.micros, found.worst) == ("me", 2.5, ("a", "b"))
    assert found.population_return.value == 0.0 and found.exploitability.value == -4.5 and found.total.value == 4.5
    assert {name: one.value for name, one in found.by_opponent.items()} == {"a": 1.5, "b": -1.5}
    assert found.plain_exploitability == 1.5
    halves = [roshambo.estimate([-8.0, -8.0]).error, roshambo.estimate([-1.0, -1.0]).error]
    assert found.exploitability.error == pytest.approx(math.hypot(*halves) / 2)
    assert found.population_return.error == pytest.approx(roshambo.spread_of(list(returns.values())))


# Chains, covariances, commands


def test_a_chain_of_many_states_stays_where_one_of_few_does() -> None:
    rng = np.random.default_rng(3)
    change = rng.random((60, 60)) * (rng.random((60, 60)) < 0.4) / 60
    np.fill_diagonal(change, 0.0)
    many, few = _stationary_of_many(scipy.sparse.csr_matrix(change)), _stationary(change)
    assert many == pytest.approx(few, abs=1e-10) and many.sum() == pytest.approx(1.0)
    flow = many[:, None] * change
    assert flow.sum(axis=0) == pytest.approx(flow.sum(axis=1), abs=1e-10), "as much comes as goes"


def test_what_points_have_in_common_comes_from_deals_of_both() -> None:
    a = np.array([1.0, -1.0, 1.0, -1.0])
    errors = np.array([0.5, 2.0])
    for other, share in (
        (a, 1.0), (-3 * a, -1.0), (a[:2], 2 / 8**0.5), (np.array([1.0, 1.0, -1.0, -1.0]), 0.0),
        (None, 0.0), (np.ones(4), 0.0), (a[:1], 0.0), (np.array([1.0, -1.0, 1.0, 1.0]), 3**-0.5),
    ):  # fmt: skip
        found = covariance([a, other], errors)
        assert found == pytest.approx(np.array([[0.25, share], [share, 4.0]])), other


@pytest.mark.parametrize("rows", [1, 3])
def test_where_nothing_is_at_stake_every_copy_is_taken_alike(rows: int) -> None:
    """Rows that stand for several strategies have the shares of all of them."""
    copies = np.array([2, 1, 5])[:rows]
    assert _max_entropy_of(np.zeros((rows, 2)), copies).tolist() == (copies / copies.sum()).tolist()
    assert _max_entropy_of(np.array([[3.0, -7.0]]), copies[:1]).tolist() == [1.0]


def test_learners_play_what_their_course_was_about() -> None:
    """Of the use alone, or everything; whoever learns freely also tries what it thinks a little worse."""
    given: dict[str, Any] = {"base": "anchor", "net": "net", "stream": "role"}
    assert learner_of(USE, "name", "net", "anchor", "role") == Strategy("name", scope="whether", **given)
    for kind, temperature in ((FREE, TEMPERATURE), (COUNTER, 0.0)):
        strategy = Strategy("name", scope="everywhere", temperature=temperature, **given)
        assert learner_of(kind, "name", "net", "anchor", "role") == strategy


@pytest.mark.parametrize(("compared", "wider"), [(1, 1.0), (4, 2.49771 / 1.95996)])
def test_versions_differ_by_what_both_leave_open(compared: int, wider: float) -> None:
    """Each end by its own widths, further apart the more are compared: 0.95 of all of them together (Bonferroni)."""
    found = difference(Interval(0.5, 0.4, 0.9), Interval(2.0, 1.7, 2.1), compared)
    assert found.value == 1.5 and found.beyond
    ends = (1.5 - wider * (0.3**2 + 0.4**2) ** 0.5, 1.5 + wider * (0.1**2 + 0.1**2) ** 0.5)
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-5)
    other = difference(Interval(2.0, 1.7, 2.1), Interval(0.5, 0.4, 0.9), compared)
    assert (other.low, other.value, other.high) == pytest.approx((-found.high, -1.5, -found.low))
    assert not difference(Interval(0.5, 0.4, 0.9), Interval(0.5, 0.4, 0.9), compared).beyond


def test_numbers_are_told_as_files_keep_them() -> None:
    """Nine digits after the point and no more; half a digit is rounded before it is told."""
    assert signed(1.23456789, 8) == "+1.23456789" and signed(-0.5, 1) == "\N{MINUS SIGN}0.5"
    assert signed(0.0499999999996, 1) == "+0.1" and signed(-0.04, 1) == "0.0" and signed(None, 2) == "\N{EN DASH}"


def test_an_answer_is_kept_with_all_of_its_arrays() -> None:
    """However deep they lie; keys become texts, and numbers of arrays numbers."""
    answer = {
        "a": np.arange(3),
        "b": [np.ones((2, 2)), {"c": np.array([True]), 7: (np.int64(5), None)}],
        "d": np.zeros(0),
    }
    arrays: dict[str, np.ndarray] = {}
    tree = _split(answer, arrays)
    assert json.loads(json.dumps(tree)) == tree and len(arrays) == 4
    found = _join(tree, arrays)
    assert found["a"].tolist() == [0, 1, 2] and found["d"].shape == (0,)
    assert found["b"][0].tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert found["b"][1]["c"].tolist() == [True] and found["b"][1]["7"] == [5, None]


def test_the_command_of_a_stress_test_by_hand() -> None:
    """What is suggested goes before what was asked for; words as they are, other values as JSON, all of it quoted."""
    settings = Settings(
        "kuhn", "mercy", {"a": 1, "b": "x y"}, "long one", {"deck": [1, 2], "flat": True},
        {"other": {}, "more": {"n": 2, "way": "up"}}, "quick", 7,
    )  # fmt: skip
    assert stress_command(settings, {"a": 2.5, "c": None}) == (
        "probespiel stress kuhn --module mercy --param a=2.5 --param 'b=x y' --param c=null --budget quick --seed 7 "
        "--scenario 'long one' --also other --also more:n=2,way=up --set 'deck=[1, 2]' --set flat=true"
    )
    bare = Settings("kuhn", "mercy")
    assert stress_command(bare, {}) == "probespiel stress kuhn --module mercy --budget standard --seed 1"
