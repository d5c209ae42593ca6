"""Exact results of einBlatt (E1, E3-E5, E7-E12) and the executors of its arithmetic and analysis kinds."""

from __future__ import annotations

import json
import random
import statistics
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.match import Match, Schedule
from probespiel.envs import make_game
from probespiel.envs.einblatt import creation
from probespiel.evaluation.einblatt import exact as exact
from probespiel.evaluation.einblatt import stats as stats
from probespiel.evaluation.einblatt.duel import check_weights

HERE = Path(__file__).parent
DATA: dict[str, Any] = json.loads((HERE / "data" / "einblatt_exact.json").read_text("utf-8"))
GOLDEN: list[dict[str, Any]] = json.loads((HERE / "golden" / "einblatt.json").read_text("utf-8"))["cases"]
RUNNERS = dict.fromkeys(creation.KINDS, creation.run_case) | dict.fromkeys(exact.KINDS, exact.run_case)


def deal(rng: random.Random, cards: int, suits: int = 1) -> list[int]:
    """Classes of a random hand from a full deck with `suits` trump suits."""
    return rng.sample([x for x, n in enumerate(stats.class_counts(suits)) for _ in range(n)], cards)


def close(text: str, value: Fraction) -> bool:
    """Is the printed number right to its last digit?"""
    return not exact.compare_number("", text, value)


@pytest.mark.parametrize("case", [c for c in GOLDEN if c["kind"] in RUNNERS], ids=lambda case: case["id"])
def test_golden(case: dict[str, Any]) -> None:
    assert RUNNERS[case["kind"]](case) == []


# --- E1, known hands -------------------------------------------------------------------------------------------------


def test_matrix_games_carry_certificates() -> None:
    """The strategies returned guarantee the value to both sides, whatever the shape and the ties."""
    rng = random.Random(5)
    for _ in range(300):
        m, n, top = rng.randint(1, 6), rng.randint(1, 6), rng.choice([1, 2, 9])
        matrix = [[Fraction(rng.randint(-top, top), rng.randint(1, 3)) for _ in range(n)] for _ in range(m)]
        solution = exact.solve_matrix(matrix)
        assert sum(solution.rows) == sum(solution.columns) == 1
        assert min(solution.rows) >= 0 <= min(solution.columns)
        for j in range(n):
            assert sum(solution.rows[i] * matrix[i][j] for i in range(m)) >= solution.value
        for i in range(m):
            assert sum(solution.columns[j] * matrix[i][j] for j in range(n)) <= solution.value


def test_matrix_game_known() -> None:
    solution = exact.solve_matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert solution.value == 0
    assert set(solution.rows) == {Fraction(1, 3)}
    with pytest.raises(ValueError, match="matrix"):
        exact.solve_matrix([[1], []])


@pytest.mark.parametrize("utility", exact.UTILITIES)
def test_closed_formula_is_the_solved_game(utility: str) -> None:
    """E1 against backward induction without any reduction, with it, and against the slot layout."""
    weights = exact.UTILITIES[utility]
    rng = random.Random(11)
    for _ in range(120):
        a, b = deal(rng, rng.randint(0, 4), rng.randint(0, 4)), deal(rng, rng.randint(0, 4), rng.randint(0, 4))
        rounds = rng.randint(1, 3)
        closed = exact.closed_value(a, b, weights, rounds)
        assert exact.DuelSolver(weights, prune=False).value(a, b, rounds) == closed
        assert exact.DuelSolver(weights).value(a, b, rounds) == closed
        assert exact.slots_value(a, b, weights, rounds) == closed
        assert exact.closed_value(b, a, weights, rounds) == -closed


def test_closed_formula_for_any_monotone_utility() -> None:
    rng = random.Random(12)
    for _ in range(60):
        weights = check_weights("w", sorted(rng.randint(-5, 5) for _ in range(7)))
        a, b = deal(rng, rng.randint(0, 4)), deal(rng, rng.randint(0, 4), 0)
        assert exact.DuelSolver(weights, prune=False).value(a, b) == exact.closed_value(a, b, weights)


def test_closed_formula_in_ep_is_the_mean_over_pairs() -> None:
    rng = random.Random(13)
    for _ in range(50):
        a, b = deal(rng, rng.randint(0, 10)), deal(rng, rng.randint(0, 10), 2)
        pairs = [(x > y) - (x < y) for x in exact.best_plays(a) for y in exact.best_plays(b)]
        assert exact.closed_value(a, b) == Fraction(sum(pairs), 3)


def test_slots_need_only_selections() -> None:
    """Averaging over the names of the slots keeps the value of the full game over orders."""
    rng = random.Random(14)
    for weights in exact.UTILITIES.values():
        for _ in range(12):
            a, b, rounds = deal(rng, rng.randint(0, 4)), deal(rng, rng.randint(0, 3)), rng.randint(1, 3)
            whole = exact.slots_value(a, b, weights, rounds, symmetric=False)
            assert exact.slots_value(a, b, weights, rounds) == whole


def test_large_hands() -> None:
    rng = random.Random(15)
    for cards in (7, 10, 16):
        a, b = deal(rng, cards), deal(rng, cards, 0)
        assert exact.DuelSolver().value(a, b) == exact.slots_value(a, b) == exact.closed_value(a, b)
    deck = deal(rng, 32)
    assert exact.DuelSolver().value(deck, deck) == 0
    # Two equal decks of 32: whoever is asked first for a challenge has the better of it.
    assert 0 < exact.after_card_value(deck, deck) < Fraction(1, 10)


# --- modules ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("utility", exact.UTILITIES)
def test_modules_need_only_the_best_cards(utility: str) -> None:
    weights = exact.UTILITIES[utility]
    rng = random.Random(21)
    for _ in range(25):
        a, b = deal(rng, rng.randint(0, 5)), deal(rng, rng.randint(0, 5), rng.randint(0, 2))
        rounds, card = rng.randint(1, 3), rng.randrange(16)
        whole = exact.sleeve_value(a, b, card, weights, rounds, prune=False)
        assert exact.sleeve_value(a, b, card, weights, rounds) == whole
        for n in range(4):
            whole = exact.open_cards_value(a, b, n, weights, rounds, prune=False)
            assert exact.open_cards_value(a, b, n, weights, rounds) == whole
        a, b = deal(rng, rng.randint(3, 6)), deal(rng, rng.randint(3, 6))
        whole = exact.after_card_value(a, b, weights, rounds, prune=False)
        assert exact.after_card_value(a, b, weights, rounds) == whole


def test_modules_help_or_hurt_their_owner() -> None:
    rng = random.Random(22)
    for _ in range(60):
        a, b, card = deal(rng, rng.randint(0, 5)), deal(rng, rng.randint(0, 5)), rng.randrange(16)
        base = exact.closed_value(a, b)
        opened = [exact.open_cards_value(a, b, n) for n in range(4)]
        assert opened[0] == base and opened == sorted(opened, reverse=True)
        assert exact.sleeve_value(a, b, card) >= base
        assert exact.sleeve_value(a, b, 15) >= exact.sleeve_value(a, b, card)


def test_challenges_by_hand() -> None:
    """R130-R132: the higher top card wins at once; equal ones are spent and the next ones count for the answerer."""
    assert exact.challenge_result([], []) == 0
    assert exact.challenge_result([0], []) == 1  # even a plain seven is a card
    assert exact.challenge_result([], [0]) == -1
    assert exact.challenge_result([5, 1], [4, 3]) == 1
    assert exact.challenge_result([4], [5, 5]) == -1  # declined or not, the second five wins
    assert exact.challenge_result([4], [5]) == 0  # the challenge with 4 costs b its only card
    assert exact.challenge_result([4], [4]) == 0
    # The same with equal top cards: the bait 1 costs b the 2.
    assert exact.challenge_result([4, 1], [4, 2]) == 0
    # Without a challenge by a first, b would win with 5; but the bait 3 costs b that very card.
    assert exact.challenge_result([4, 3], [5, 2]) == 0


def test_after_card_by_hand() -> None:
    # Three draws, then the fourth card decides.
    assert exact.after_card_value([0, 0, 0, 1], [0, 0, 0]) == 1
    assert exact.after_card_value([3, 3, 3], [3, 3, 3]) == 0


Record = list[tuple[int, int, bool]]


def plain_value(
    a: list[int],
    b: list[int],
    rounds: int,
    finish: Callable[[list[int], list[int], Record], int | Fraction],
    open_rounds: int = 0,
    record: Record | None = None,
) -> Fraction:
    """Value by plain recursion over hands and the whole record (own class, other class, own card or pass).

    The first `open_rounds` rounds are sequential: a lays all its plays, then b answers one by one.
    """
    record = record or []
    if not rounds:
        return Fraction(finish(a, b, record))
    plays: list[list[tuple[int, list[int], bool]]] = []
    for hand in (a, b):
        plays.append([(0, hand, False), *((x, hand[:i] + hand[i + 1 :], True) for i, x in enumerate(hand))])
    if open_rounds:
        # All open plays of a come first, so a's choice for this round precedes b's, and the next rounds' as well: fix
        # the whole row of plays, then let b minimise.
        best: Fraction | None = None
        for laid in permutations([*a, *(0,) * open_rounds], open_rounds):
            left = list(a)
            for x in laid:
                if x in left and x:
                    left.remove(x)
            worst: Fraction | None = None
            for answer in permutations([*b, *(0,) * open_rounds], open_rounds):
                rest = list(b)
                for x in answer:
                    if x in rest and x:
                        rest.remove(x)
                seen = [(x, y, True) for x, y in zip(laid, answer)]
                value = plain_value(left, rest, rounds - open_rounds, finish, 0, seen)
                worst = value if worst is None else min(worst, value)
            assert worst is not None
            best = worst if best is None else max(best, worst)
        assert best is not None
        return best
    matrix = [
        [plain_value(left, rest, rounds - 1, finish, 0, [*record, (x, y, card)]) for y, rest, _ in plays[1]]
        for x, left, card in plays[0]
    ]
    return exact.solve_matrix(matrix).value


def total(record: Record) -> int:
    return sum((x > y) - (x < y) for x, y, _ in record)


def plain_window(hands: list[list[int]], used: list[bool], asked: int, challenged: bool) -> int:
    """EP of seat a when the window after a draw is played out; `challenged`: somebody did in this pass of it."""
    if asked == 2:
        return plain_window(hands, used, 0, False) if challenged else 0
    side = (1, -1)[asked]
    results = [plain_window(hands, used, asked + 1, challenged)]
    for card in hands[asked] if not used[asked] else []:
        answers = [side]
        for reply in hands[1 - asked]:
            if reply >= card:
                left = [list(hand) for hand in hands]
                left[asked].remove(card)
                left[1 - asked].remove(reply)
                answers.append(plain_window(left, [u or i == asked for i, u in enumerate(used)], asked + 1, True))
        results.append(min(answers, key=lambda ep: side * ep))
    return max(results, key=lambda ep: side * ep)


@pytest.mark.parametrize("utility", exact.UTILITIES)
def test_modules_against_plain_recursion(utility: str) -> None:
    weights = exact.UTILITIES[utility]
    rng = random.Random(23)

    def with_sleeve(card: int) -> Callable[[list[int], list[int], Record], int | Fraction]:
        def finish(_a: list[int], _b: list[int], record: Record) -> int | Fraction:
            changed = [[*record[:i], (card, record[i][1], True), *record[i + 1 :]] for i in range(len(record))]
            allowed = [record, *(new for new, (_, _, real) in zip(changed, record) if real)]
            return max(weights[3 + total(entries)] for entries in allowed)

        return finish

    def with_challenges(a: list[int], b: list[int], record: Record) -> int | Fraction:
        return weights[3 + (total(record) or plain_window([a, b], [False, False], 0, False))]

    for _ in range(8):
        rounds = rng.randint(1, 3)
        a, b, card = deal(rng, rng.randint(1, 3)), deal(rng, rng.randint(1, 3)), rng.randrange(16)
        plain = plain_value(a, b, rounds, with_sleeve(card))
        assert exact.sleeve_value(a, b, card, weights, rounds) == plain, (a, b, card)
        n = rng.randint(0, rounds)
        plain = plain_value(a, b, rounds, lambda _a, _b, record: weights[3 + total(record)], n)
        assert exact.open_cards_value(a, b, n, weights, rounds) == plain, (a, b, n)
        rounds = rng.randint(1, 2)
        a, b = deal(rng, rng.randint(2, 4)), deal(rng, rng.randint(2, 4))
        plain = plain_value(a, b, rounds, with_challenges)
        assert exact.after_card_value(a, b, weights, rounds) == plain, (a, b)


def module_gains(deals: int, seed: int) -> dict[str, list[float]]:
    """Changes of the value by the modules over random deals of three cards each, one trump suit each (E11)."""
    rng = random.Random(seed)
    gains: dict[str, list[float]] = {name: [] for name in ("1", "2", "3", "random", "ace")}
    for _ in range(deals):
        *a, hidden = deal(rng, 4)
        b = deal(rng, 3)
        base = exact.closed_value(a, b)
        for n in (1, 2, 3):
            gains[str(n)].append(float(base - exact.open_cards_value(a, b, n)))
        gains["random"].append(float(exact.sleeve_value(a, b, hidden) - base))
        while 15 in a:
            a = deal(rng, 3)
        gains["ace"].append(float(exact.sleeve_value(a, b, 15) - exact.closed_value(a, b)))
    return gains


@pytest.mark.parametrize("deals", [250, pytest.param(3000, marks=pytest.mark.slow)])
def test_module_values(deals: int) -> None:
    expected = DATA["E11"]
    means = dict(expected["open_cards"]) | {"random": expected["sleeve_random"], "ace": expected["sleeve_trump_ace"]}
    for name, values in module_gains(deals, seed=3).items():
        # Four standard errors of the difference of two samples, and the rounding of the table.
        error = (statistics.variance(values) / deals + expected["standard_error"] ** 2) ** 0.5
        assert abs(statistics.mean(values) - means[name]) < 4 * error + 0.005, name


# --- random deals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", DATA["E3"], ids=lambda row: f"{row['ka']}-{row['kb']}")
def test_single_card(row: dict[str, Any]) -> None:
    odds = stats.single_card(row["ka"], row["kb"])
    assert [str(p) for p in odds[:2]] == row["p"]
    assert sum(odds) == 1


@pytest.mark.parametrize("suits", DATA["E4"])
def test_duel_values(suits: str) -> None:
    table = DATA["E4"][suits]
    for a, row in table["rows"].items():
        for b, printed in zip(table["b"], row, strict=True):
            assert close(printed, stats.duel_value(int(a), b, 1, int(suits))), (a, b)


def test_duel_value_is_the_mean_of_the_shuffled_ep() -> None:
    """Two ways to the same number: hypergeometric tails, and the joint distribution of the best three."""
    for a, b, ka, kb in [(6, 5, 1, 0), (3, 3, 1, 1), (2, 8, 1, 1), (0, 4, 2, 3), (32, 1, 4, 0), (10, 12, 2, 2)]:
        odds = stats.ep_random_order(a, b, ka, kb)
        assert sum(odds) == 1
        assert sum(ep * p for ep, p in enumerate(odds, -3)) == stats.duel_value(a, b, ka, kb)


def test_chances_of_winning() -> None:
    for row in DATA["E4_wins"]:
        odds = stats.ep_random_order(row["a"], row["b"], 1, row["kb"])
        got = {"win": sum(odds[4:]), "draw": odds[3], "lose": sum(odds[:3])}
        for key in got.keys() & row.keys():
            assert abs(float(row[key]) - got[key]) <= 0.005, (row, key)


@pytest.mark.parametrize("row", DATA["E5"], ids=lambda row: f"{row['stat']}-{row['a']}-{row['b']}")
def test_ep_distributions(row: dict[str, Any]) -> None:
    setup = {key: value for key, value in row.items() if key != "p"}
    assert exact.run_case({"kind": "stat", "setup": setup, "expect": {"p": row["p"]}}) == []


def test_best_cards_by_listing_all_hands() -> None:
    for cards, suits in [(0, 1), (1, 2), (2, 0), (3, 1), (4, 3)]:
        deck = [x for x, n in enumerate(stats.class_counts(suits)) for _ in range(n)]
        found = Counter(exact.best_plays(hand) for hand in combinations(deck, cards))
        total = sum(found.values())
        assert stats.best_distribution(cards, suits) == {hand: Fraction(n, total) for hand, n in found.items()}
        means = [Fraction(sum(n * hand.count(x) for hand, n in found.items()), total) for x in range(16)]
        assert list(stats.expected_best(cards, suits)) == means


def test_uniform_play_by_hand() -> None:
    """One card: it is played in round 1 with 1/2, in round 2 with 1/4, in round 3 with 1/8."""
    plays = stats.uniform_plays(1, 4)
    assert sum(plays.values()) == 1
    assert plays[15, 0, 0] == 2 * plays[0, 15, 0] == 4 * plays[0, 0, 15] == Fraction(1, 16)


def test_values_are_monotone_and_antisymmetric() -> None:
    """E7: more cards or trumps never hurt; swapping the seats negates."""
    for k in range(5):
        row = [stats.duel_value(a, 5, 1, k) for a in range(33)]
        assert row == sorted(row)
        assert stats.duel_value(4, 7, 1, k) == -stats.duel_value(7, 4, k, 1)
    row = [stats.duel_value(5, 5, k, 1) for k in range(5)]
    assert row == sorted(row)


@pytest.mark.parametrize("row", DATA["E8"], ids=lambda row: f"{row['w']}-{len(row['p'])}")
def test_wrath(row: dict[str, Any]) -> None:
    odds = stats.wrath(row["w"])
    assert sum(odds) == 1
    assert all(close(printed, p) for printed, p in zip(row["p"], odds))


def test_wrath_by_listing() -> None:
    for w in (0, 1, 5, 31, 32):
        found = Counter(min(2, sum(card < w for card in drawn)) for drawn in combinations(range(32), 3))
        assert stats.wrath(w) == tuple(Fraction(found[hits], 4960) for hits in range(3))


@pytest.mark.parametrize("row", DATA["E9"], ids=lambda row: f"{row['a']}-{row['b']}")
def test_chain(row: dict[str, Any]) -> None:
    result = stats.chain(row["a"], row["b"], row["ka"], row["kb"])._asdict()
    assert result["up"] + result["down"] == 1
    assert all(close(printed, result[key]) for key, printed in row["p"].items())


def test_chain_that_never_ends() -> None:
    with pytest.raises(ValueError, match="steps"):
        stats.chain(0, 0, 1, 1)


def test_session() -> None:
    best, waived = stats.session(), stats.session(restrict=False)
    assert close(DATA["E10"]["best_play"], best)
    assert close(DATA["E10"]["restrictions_waived"], waived)
    assert abs(float(DATA["E10"]["cost_of_the_spiral"]) - (waived - best)) <= 0.005
    # Without restrictions the tests are independent.
    sizes = [8, 8, 8, 4, 4, 6, 7]
    rows = zip(sizes, stats.SESSION_TESTS)
    assert waived == sum(stats.duel_value(size, test.cards, 1, test.suits) for size, test in rows)


def test_specialist_purchase() -> None:
    assert list(stats.specialist_exact()) == DATA["E12"]["exact_strong"]
    assert stats.specialist_best() == (DATA["E12"]["best_sum"], tuple(DATA["E12"]["best_strong"]))
    with pytest.raises(ValueError, match="budget"):
        stats.specialist_best(10)


# --- executors -------------------------------------------------------------------------------------------------------

A, B = ["CA", "H9", "D7", "SQ"], ["HJ", "S7", "DA"]
HANDS = {"a": A, "b": B, "suits_a": "C", "suits_b": "S"}


def run(kind: str, setup: dict[str, Any], expect: dict[str, Any]) -> list[str]:
    return RUNNERS[kind]({"id": "x", "kind": kind, "setup": setup, "expect": expect})


def test_value_cases() -> None:
    a, b = [creation.card_class(card, "C") for card in A], [creation.card_class(card, "S") for card in B]
    wanted = {name: str(exact.closed_value(a, b, weights)) for name, weights in exact.UTILITIES.items()}
    assert run("value", HANDS, wanted) == []
    assert run("value", HANDS, {"value": wanted}) == []
    assert run("value", HANDS, {"value": wanted["ep"]}) == []
    assert run("value", HANDS | {"utility": "win"}, {"value": wanted["win"]}) == []
    assert run("slots_value", HANDS, wanted) == []
    seats = {"seats": [{"hand": A, "suits": "C"}, {"hand": B, "suits": "S"}]}
    assert run("value", seats, wanted) == []
    assert run("value", {"a": {"hand": A, "suits": "C"}, "b": {"cards": B, "suits": ["S"]}}, wanted) == []
    one = str(exact.closed_value(a, b, rounds=1))
    assert run("value", HANDS | {"rounds": 1}, {"ep": one}) == []
    (text,) = run("value", HANDS, wanted | {"ep": "2/3"})
    assert "expect.ep: expected 2/3, got" in text
    assert run("value", HANDS, {"ep": float(Fraction(wanted["ep"])) + 0.01, "tolerance": 0.02}) == []
    assert run("value", HANDS | {"a": []}, {"ep": str(exact.closed_value([], b))}) == []


def test_value_case_options() -> None:
    hands = {"a": ["HA", "C8"], "b": ["SK"], "suits_a": "CH"}
    assert run("value", hands | {"rounds": 1}, {"ep": "1"}) == []
    assert run("value", hands | {"rounds": 1, "forbidden_a": "red"}, {"ep": "1"}) == []
    assert run("value", hands | {"rounds": 1, "forbidden_a": "red", "colours_count": False}, {"ep": "-1"}) == []
    # Best three HA C8 pass against SK pass pass: EP 2 if SK meets the pass (1 - 1 = 1), else 2 - 1 or 1.
    assert run("value", hands | {"class_weights": [-9, 0, 0, 0, 0, 0, 9]}, {"class": "0"}) == []


def test_module_value_cases() -> None:
    a, b = [creation.card_class(card, "C") for card in A], [creation.card_class(card, "S") for card in B]
    for n in range(4):
        wanted = {"ep": str(exact.open_cards_value(a, b, n))}
        assert run("module_value", HANDS | {"module": "open_cards", "args": [n]}, wanted) == []
        assert run("module_value", HANDS | {"module": "open_cards", "n": n}, {"value": wanted["ep"]}) == []
        assert run("module_value", HANDS | {"modules": {"open_cards": {"n": n}}}, wanted) == []
    wanted = {"ep": str(exact.sleeve_value(a, b, 14))}
    assert run("module_value", HANDS | {"module": "sleeve", "args": ["CK"]}, wanted) == []
    assert run("module_value", HANDS | {"module": {"name": "sleeve", "args": ["CK"]}}, wanted) == []
    wanted = {name: str(exact.after_card_value(a, b, weights)) for name, weights in exact.UTILITIES.items()}
    assert run("module_value", HANDS | {"module": "after_card"}, wanted) == []
    assert run("module_value", HANDS | {"module": "after_card", "args": []}, wanted) == []


def test_stat_cases() -> None:
    duel = {"a": 6, "b": 5, "ka": 1, "kb": 0}
    assert run("stat", {"stat": "single_card", "ka": 1, "kb": 0}, {"p": ["37/64", "3/32", "21/64"]}) == []
    assert run("stat", {"name": "single_card", "args": {"ka": 1, "kb": 0}}, {"win": "37/64", "draw": "3/32"}) == []
    assert run("stat", {"quantity": "duel_value", **duel}, {"value": 1.3906}) != []
    assert run("stat", {"quantity": "duel_value", **duel}, {"value": float(stats.duel_value(6, 5, 1, 0))}) == []
    assert run("stat", {"stat": "duel_value", "args": [6, 5, 1, 0]}, {"value": "1.8326"}) == []
    assert run("stat", {"duel_value": duel}, {"p": [1.8326]}) == []
    assert run("stat", {"stat": "chain", **duel}, {"p": [0.98725, 0.01275, 1.86]}) == []
    assert run("stat", {"stat": "chain", **duel}, {"p": {"up": 0.98725, "expected_tests": 1.86}}) == []
    assert run("stat", {"stat": "session"}, {"value": -3.81716}) == []
    assert run("stat", {"stat": "session", "restrict": False}, {"value": -0.75424}) == []
    assert run("stat", {"stat": "wrath", "w": 2}, {"p": {"0": "203/248", "2+": 0.0060}}) == []
    queries = [{"stat": "wrath", "w": 2}, {"stat": "duel_value", **duel}, ["wrath", 3]]
    assert run("stat", {"queries": queries}, {"values": [["203/248"], 1.8326, [0.7367]]}) == []
    assert len(run("stat", {"queries": queries}, {"values": [["203/247"], 1.84, [0.7367]]})) == 2
    queries = [{"a": 6, "b": 4}, {"a": 6, "b": 5}]
    assert run("stat", {"stat": "duel_value", "ka": 1, "kb": 0, "queries": queries}, {"p": [2.0336, 1.8326]}) == []


@pytest.mark.parametrize(
    ("kind", "setup", "expect", "parts"),
    [
        ("value", HANDS | {"rounds": 4}, {}, ["rounds", "4", "1..3"]),
        ("value", HANDS | {"a": ["CA", "CA"]}, {}, ["a[1]", "CA", "once"]),
        ("value", HANDS | {"b": ["C1"]}, {}, ["b[0]", "C1"]),
        ("value", HANDS | {"suits_b": "X"}, {}, ["suits_b", "X", "CSDH"]),
        ("value", HANDS | {"forbidden_a": "blue"}, {}, ["forbidden_a", "blue", "red, black"]),
        ("value", HANDS | {"colour": 1}, {}, ["colour", "suits_a"]),
        ("value", HANDS | {"class_weights": [0, 1]}, {}, ["class_weights", "non-decreasing"]),
        ("value", {"a": A}, {}, ["'b'"]),
        ("value", HANDS, {"eq": 1}, ["eq", "win"]),
        ("value", HANDS, {"ep": "x"}, ["expect.ep", "'x'", "1/3"]),
        ("value", HANDS, {"ep": 0, "tolerance": -1}, ["tolerance", "-1"]),
        ("module_value", HANDS | {"module": "all_in"}, {}, ["module", "all_in", "after_card"]),
        ("module_value", HANDS | {"module": "sleeve", "args": ["CA"]}, {}, ["sleeve", "CA"]),
        ("module_value", HANDS | {"module": "sleeve"}, {}, ["args", "[card]"]),
        ("module_value", HANDS | {"module": "open_cards", "args": [4]}, {}, ["open_cards", "4", "0..3"]),
        ("stat", {"stat": "odds"}, {}, ["stat", "odds", "duel_value"]),
        ("stat", {"stat": "wrath"}, {}, ["lacks", "'w'"]),
        ("stat", {"stat": "wrath", "w": 33}, {}, ["w = 33", "0..32"]),
        ("stat", {"stat": "single_card", "ka": 5, "kb": 0}, {}, ["ka", "5", "0..4"]),
        ("stat", {"stat": "wrath", "w": 2}, {"p": 0.5}, ["expect.p", "list"]),
        ("stat", {"stat": "wrath", "w": 2}, {"p": {"3": 0}}, ["expect.p", "3", "0, 1, 2"]),
        ("hand_size", {"queries": [[33, "own"]]}, {}, ["attribute", "33", "0..32"]),
        ("hand_size", {"queries": [[3, "mine"]]}, {}, ["relation", "mine", "own, other, none"]),
        ("hand_size", {"queries": [[3, "own", 6]]}, {}, ["malus", "6", "0..5"]),
        ("compare", {"plays": [{"seat": "a", "card": "CX"}]}, {}, ["card of a", "CX"]),
        ("compare", {"plays": [], "colours_count": 1}, {}, ["colours_count", "1"]),
        ("cost", {"raise": [10]}, {}, ["raise", "10", "0..9"]),
    ],
)
def test_malformed_cases(kind: str, setup: dict[str, Any], expect: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(ValueError) as caught:
        run(kind, setup, expect)
    assert all(part in str(caught.value) for part in parts), str(caught.value)
    if not expect:
        assert run(kind, setup, {"error": parts}) == []
        (text,) = run(kind, setup, {"error": ["no such text"]})
        assert "no such text" in text


def test_unknown_kind_and_unmet_error() -> None:
    with pytest.raises(ValueError, match="kind = 'play': allowed are value"):
        exact.run_case({"kind": "play", "setup": {}, "expect": {}})
    with pytest.raises(ValueError, match="kind = 'value': allowed are hand_size"):
        creation.run_case({"kind": "value", "setup": {}, "expect": {}})
    assert run("value", HANDS, {"error": ["a"]}) == ["expect.error: the setup was accepted"]


# --- arithmetic ------------------------------------------------------------------------------------------------------


def test_compare_cases() -> None:
    plays = [
        {"seat": "a", "card": "pass", "suits": "C"},
        {"seat": "b", "card": "none"},
        {"seat": "c", "card": "D7", "suits": None},
        {"seat": "d", "card": "C7", "suits": "CS"},
    ]
    wanted: dict[str, Any] = {"class": {"a": 0, "b": -1, "d": 8}, "ranking": [["d"], ["c", "a"], ["b"]]}
    assert run("compare", {"plays": plays}, wanted) == []
    assert run("compare", {"plays": plays, "colours_count": False}, {"ranking": [["a", "c", "d"], ["b"]]}) == []
    assert len(run("compare", {"plays": plays}, {"class": {"a": 1}, "ranking": [["d", "a"], ["b", "c"]]})) == 2


def test_creation_errors_are_counted() -> None:
    base = {"method": "points", "budget": 20, "attributes": {"x": 8, "y": 12}}
    assert run("creation", base, {"valid": True}) == [
        "expect.valid: expected True, got False",
    ]
    assert run("creation", base, {"valid": False, "spent": 20, "left": 0, "errors": 1}) == []
    full = base | {"budget": 19, "skills": {"x": ["a"]}}
    assert run("creation", full, {"spent": 20, "left": -1, "errors": 3}) == []
    strong = {"method": "specialist", "budget": 61, "strong": "z", "attributes": {"x": 2}}
    assert run("creation", strong, {"error": ["strong", "'z'", "x"]}) == []
    for malus in (-6, -1, 0):
        skills = {"x": [{"breadth": "fighting", "malus": malus}]}
        setup = {"method": "points", "attributes": {"x": 2}, "skills": skills}
        assert run("creation", setup, {"error": ["malus", str(malus), "-5..-2"]}) == []
    skills = {"x": [{"breadth": "close_combat", "malus": -2}]}
    setup = {"method": "points", "budget": 3, "attributes": {"x": 3}, "skills": skills}
    assert run("creation", setup, {"valid": True, "errors": 0, "left": 0}) == []


def test_hand_size_is_monotone() -> None:
    for relation in creation.RELATIONS:
        row = [creation.hand_size(a, relation) for a in range(33)]
        assert row == sorted(row)
    assert all(creation.hand_size(a, "none") == creation.hand_size(a, "other") for a in range(5))
    assert creation.hand_size(-2) == 0
    assert creation.hand_size(1, "none", 5) == 1


@pytest.mark.parametrize(
    ("scenario", "options", "most"),
    [("tug_of_war", {}, 27.0), ("free_for_all", {"payoff": "team_sum"}, 12.0),
     ("free_for_all", {"payoff": "team_sum", "rounds": 1, "permission": "all"}, 4.0)],
)  # fmt: skip
def test_a_team_wins_no_more_than_there_are_attacks(scenario: str, options: dict[str, Any], most: float) -> None:
    """Of n seats each attacks at most once in a round; the range of payoffs is wider, modules leave the bounds out."""
    game = make_game("einblatt-melee", scenario, **options)
    seats = game.n_seats
    assert game.spec.payoff_bounds == ((-most, most),) * seats and game.spec.payoff_range[1] > most
    with Match(game, ["random"], 3, None) as match:
        played = match.play(Schedule.of(3, np.arange(500), np.zeros((500, seats), dtype=np.int64))).payoffs
    assert most / 4 <= played.max() <= most and -most <= played.min() <= -most / 4
    assert make_game("einblatt-melee", scenario, modules={"mercy": {}}, compiled=False).spec.payoff_bounds == ()
    assert make_game("einblatt-melee", scenario, payoff="ep", compiled=False).spec.payoff_bounds == ()
