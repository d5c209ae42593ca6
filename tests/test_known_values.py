"""The known values E0..E13 (section 7 of the specification) hold in the compiled rules.

Sampled values are compared within a bound of 4.5 standard errors of the sample (two in a hundred thousand by chance for
a true value), distributions by the chi-square statistic at one in a million; exact ones exactly.
"""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.cfr import CfrSolver
from probespiel.agents.exact import GameTree
from probespiel.agents.match import Match, Outcome, Schedule
from probespiel.envs import make_game
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.contract import problems_of
from probespiel.envs.core.game import Game, Position
from probespiel.envs.einblatt import creation
from probespiel.envs.einblatt.modules import specialist_buy
from probespiel.envs.einblatt.plays import class_of
from probespiel.envs.einblatt.state import CARD_CODES
from probespiel.envs.einblatt.system import SYSTEM
from probespiel.evaluation.einblatt.duel import closed_value, open_cards_value, sleeve_value
from probespiel.evaluation.einblatt.stats import ep_random_order

DATA = json.loads((Path(__file__).parent / "data" / "einblatt_exact.json").read_text(encoding="utf-8"))
ERRORS = 4.5  # standard errors
SUITS = "CSDH"


def build(setup: dict[str, Any], compiled: bool = True) -> Game:
    """The game of a setup."""
    return Game(SYSTEM.spec_of_setup(setup), compiled)


def opponents(a: int, ka: int, b: int, kb: int, **config: Any) -> Game:
    """Two npc with a and b cards and ka and kb trump suits."""
    seats = [
        {"name": name, "kind": "npc", "cards": cards, "suits": SUITS[:k]}
        for name, cards, k in (("A", a, ka), ("B", b, kb))
    ]
    return build({"level": "duel", "config": config, "seats": seats})


def played(game: Game, names: tuple[str, ...], games: int, seed: int = 5) -> Outcome:
    """Games of some agents, one a seat."""
    agents = list(dict.fromkeys(names))
    with Match(game, agents, seed=seed) as match:
        seating = np.tile([agents.index(name) for name in names], (games, 1))
        outcome = match.play(Schedule.of(seed, np.arange(games), seating))
    assert not outcome.offences.any()
    assert (outcome.status == 1).all()
    return outcome


def near(sample: np.ndarray, value: float) -> bool:
    """Whether a mean is within the bound of a value."""
    return bool(abs(sample.mean() - value) <= ERRORS * sample.std() / len(sample) ** 0.5)


def proportion(count: int, n: int, p: float) -> bool:
    """Whether a share is within the bound of a probability."""
    return abs(count / n - p) <= ERRORS * (p * (1 - p) / n) ** 0.5


def hand(rng: random.Random, cards: int) -> list[str]:
    """A random hand."""
    return rng.sample(CARD_CODES, cards)


def classes(codes: list[str], suit: str) -> list[int]:
    """R5: classes of cards."""
    return [CARD_CODES.index(code) % 8 + 8 * (code[0] == suit) for code in codes]


def known_hands(ours: list[str], theirs: list[str], compiled: bool = True, **more: Any) -> Game:
    """A duel of given hands with one trump suit each; for a solver that sees the tree nothing is hidden."""
    first = {"name": "A", "kind": "pc", "attribute": 4, "suits": "C", "hand": ours, **more.pop("first", {})}
    second = {"name": "B", "kind": "pc", "attribute": 4, "suits": "S", "hand": theirs}
    return build({"level": "duel", "seats": [first, second], **more}, compiled)


@pytest.mark.parametrize("trumps", range(5))
def test_e0_sixteen_classes(trumps: int) -> None:
    """E0, R5: with k trump suits a deck holds 4 - k cards of each class 0..7 and k of each of 8..15."""
    position = make_game("einblatt-duel", "rock_face", compiled=False).position()
    s, p = position.record, position.game.params
    for colours in (1, 0):
        s.suits[0, s.tested[0]] = (1 << trumps) - 1
        p.colours_count = colours
        found = [class_of(s, p, 0, card) for card in range(32)]
        k = trumps if colours else 0
        assert [found.count(c) for c in range(16)] == [4 - k] * 8 + [k] * 8


def shuffled_profile(tree: GameTree) -> np.ndarray:
    """The best three plays in uniformly random order (E1) at every information state, missing cards as passes."""
    out = np.zeros(int(tree.starts[-1]))
    layout = tree.game.layout
    for seat in range(2):
        requests = tree.requests(seat)
        own = np.repeat(tree.seats == seat, np.diff(tree.starts))
        left = 3 - np.argmax(layout.view(requests.observations)["clock"][:, :3], axis=1)
        strength = layout.view(requests.observations)["my_class"]
        dense = np.zeros(requests.masks.shape)
        for row, rounds in enumerate(left):
            held = np.flatnonzero(requests.masks[row, :32])
            best = held[np.argsort(-strength[row, held], kind="stable")][:rounds]
            dense[row, best] = 1 / rounds
            dense[row, 32] = 1 - len(best) / rounds
        out[own] = dense[requests.masks != 0]
    return out


def test_e1_the_best_three_shuffled_are_an_equilibrium() -> None:
    """E1: nobody can gain against it, and its value is the mean over the nine pairs; exactly, in the kernel's tree."""
    rng = random.Random(1)
    for sizes in [(3, 3), (3, 3), (3, 3), (4, 3), (3, 4), (2, 3), (3, 1), (2, 2), (4, 2)]:
        ours, theirs = hand(rng, sizes[0]), hand(rng, sizes[1])
        tree = GameTree(known_hands(ours, theirs))
        profile = shuffled_profile(tree)
        assert tree.nash_conv(profile) < 1e-9
        value = closed_value(classes(ours, "C"), classes(theirs, "S"))
        assert tree.values(profile) == pytest.approx([float(value), -float(value)], abs=1e-12)


@pytest.mark.parametrize("row", DATA["E3"], ids=lambda row: f"{row['ka']}-{row['kb']}")
def test_e3_one_card_each(row: dict[str, Any]) -> None:
    """E3: shares of wins and ties."""
    n = 40_000
    payoffs = played(opponents(1, row["ka"], 1, row["kb"], rounds=1), ("highest_first", "best3_shuffled"), n).payoffs[
        :, 0
    ]
    win, tie = (float(Fraction(p)) for p in row["p"])
    assert proportion(int((payoffs > 0).sum()), n, win)
    assert proportion(int((payoffs == 0).sum()), n, tie)


@pytest.mark.parametrize("suits", list(DATA["E4"]))
def test_e4_values_of_random_deals(suits: str) -> None:
    """E4: every entry of the table; single entries within the bound, all together by chi-square."""
    n, table = 4000, DATA["E4"][suits]
    squares = []
    for a, row in table["rows"].items():
        for b, value in zip(table["b"], row, strict=True):
            seed = 100 * int(a) + b  # entries of the same dice would be off together
            payoffs = played(opponents(int(a), 1, b, int(suits)), ("best3_shuffled",) * 2, n, seed=seed).payoffs[:, 0]
            error = max(payoffs.std(), 0.02) / n**0.5
            squares.append(((payoffs.mean() - float(value)) / error) ** 2)
            assert squares[-1] <= ERRORS**2, (a, b, payoffs.mean(), value)
    count = len(squares)
    assert count == 120
    assert sum(squares) < count + 5 * (2 * count) ** 0.5, "the entries are off too often"


@pytest.mark.parametrize("row", DATA["E5"], ids=lambda row: f"{row['stat']}-{row['a']}-{row['b']}")
def test_e5_distributions_of_the_result(row: dict[str, Any]) -> None:
    """E5: chances of EP -3..3 by chi-square with 6 degrees of freedom (38.3: one in a million)."""
    agent = {"ep_random_order": "best3_shuffled", "ep_descending": "highest_first", "ep_uniform_legal": "random"}
    n = 50_000
    game = opponents(row["a"], row["ka"], row["b"], row["kb"])
    payoffs = played(game, (agent[row["stat"]],) * 2, n).payoffs[:, 0]
    wanted = n * np.array([float(p) for p in row["p"]])
    counts = np.array([(payoffs == ep).sum() for ep in range(-3, 4)])
    assert ((counts - wanted) ** 2 / wanted).sum() < 38.3, counts / n


def test_e6_safe_attacks() -> None:
    """E6: attacks on passers and on open cards that come later never lose; those on spent, empty-handed seats win."""
    game = make_game("einblatt-melee", "tug_of_war")
    rng = np.random.default_rng(6)
    safe = sure = 0
    for seed in range(25):
        position = game.position(seed)
        while not position.over:
            seats = position.to_act()
            if position.phase() == "act" and len(seats) == 1:
                s, seat = position.record, seats[0]
                waited = any(s.waited[o] and s.is_open[o] for o in range(game.n_seats))
                for action in position.legal(seat):
                    code = game.actions.codes[action]
                    if not code.startswith("attack:"):
                        continue
                    target = int(code.partition(":")[2])
                    empty = s.spent[target] and not s.hand[target]
                    if not (s.passed[target] or empty or (s.is_open[target] and not waited)):
                        continue
                    twin = position.clone()
                    before = int(s.ep[seat])
                    twin.apply(seat, action)
                    gained = int(twin.record.ep[seat]) - before
                    assert gained == 1 if empty else gained >= 0
                    safe, sure = safe + 1, sure + bool(empty)
            seat = int(rng.choice(seats))
            position.apply(seat, int(rng.choice(position.legal(seat))))
            position.roll()
    assert safe > 200
    assert sure > 0


@pytest.mark.parametrize(("name", "scenario", "games"), [
    ("einblatt-duel", "billy_tree", 40), ("einblatt-melee", "tug_of_war", 6), ("einblatt-campaign", None, 6),
])  # fmt: skip
def test_e7_invariants_of_random_play(name: str, scenario: str | None, games: int) -> None:
    """E7: EP add up to 0, cards are neither lost nor doubled; in a duel |EP| and parity fit the untied rounds."""
    game = make_game(name, scenario)
    rng = np.random.default_rng(7)
    for seed in range(games):
        position = game.position(seed)
        while True:
            assert problems_of(position, SYSTEM.invariants) == []
            s = position.record
            untied = int((s.e_class_a[: s.n_entries] != s.e_class_b[: s.n_entries]).sum())
            if name == "einblatt-duel":
                assert abs(s.ep[0]) <= untied <= 3
                assert (s.ep[0] - untied) % 2 == 0
            if position.over:
                break
            seat = int(rng.choice(position.to_act()))
            position.apply(seat, int(rng.choice(position.legal(seat))))
            position.roll()


def test_e7_a_pass_through_a_deck_draws_every_card_once() -> None:
    """E7: eight hands of four cards, one after the other, are the 32 cards; then the pile is shuffled anew."""
    seats = [{"name": n, "kind": "npc", "cards": 4, "suits": "C"} for n in "AB"]
    game = build({"level": "campaign", "seats": seats, "conflicts": [{} for _ in range(9)]})
    for seed in range(5):
        position = game.position(seed)
        hands: dict[int, int] = {}
        while not position.over:
            hands.setdefault(int(position.record.conflict), int(position.record.hand[0]))
            seat = position.to_act()[0]
            position.apply(seat, position.legal(seat)[-1])  # a pass
            position.roll()
        first = [hands[c] for c in range(8)]
        assert sum(first) == sum(1 << card for card in range(32))
        assert all(bits.bit_count() == 4 for bits in first)
        assert all(not a & b for a, b in itertools.combinations(first, 2))


def result(level: str, choices: tuple[list[int], list[int]], suits: tuple[str, str], compiled: bool) -> list[int]:
    """EP of two seats that play three given cards in order, and attack whenever they are on turn."""
    seats = [
        {"name": name, "kind": "npc", "cards": 3, "suits": trump, "hand": [CARD_CODES[c] for c in cards]}
        for name, cards, trump in zip("AB", choices, suits, strict=True)
    ]
    position = build({"level": level, "seats": seats}, compiled).position()
    while not position.over:
        for seat in position.to_act():
            attack = position.game.actions.parse(f"attack:{1 - seat}")
            commit = choices[seat][int(position.record.round_no)]
            position.apply(seat, commit if position.phase() == "commit" else attack)
    return [int(ep) for ep in position.record.ep[:2]]


def test_e7_symmetries() -> None:
    """E7: other suits than trumps may be swapped, and swapping the seats negates the result."""
    rng = random.Random(70)
    for _ in range(60):
        ours, theirs = rng.sample(range(32), 3), rng.sample(range(32), 3)
        plain = result("duel", (ours, theirs), ("C", "S"), True)
        hearts_for_diamonds = [card ^ 8 if card >= 16 else card for card in ours]
        assert result("duel", (hearts_for_diamonds, theirs), ("C", "S"), True) == plain
        assert result("duel", (theirs, ours), ("S", "C"), True) == plain[::-1]


def test_e7_two_seats_attacking_from_the_lead_play_a_duel() -> None:
    """E7, R61: the same commits give the same EP in a melee of two as in a duel."""
    rng = random.Random(71)
    for _ in range(12):
        cards = (rng.sample(range(32), 3), rng.sample(range(32), 3))
        assert result("melee", cards, ("C", "S"), False) == result("duel", cards, ("C", "S"), False)


@pytest.mark.parametrize(
    ("wrath", "games"),
    [(2, 150), (10, 150), *[pytest.param(w, 4000, marks=pytest.mark.slow) for w in (2, 3, 4, 6, 8, 10)]],
)
def test_e8_the_odds_of_mercy(wrath: int, games: int) -> None:
    """E8: no match with probability C(32 - w, 3) / C(32, 3), one with w C(32 - w, 2) / C(32, 3)."""
    seats = [
        {"name": "A", "kind": "pc", "attribute": 2, "suits": "", "hand": ["C7"]},
        {"name": "B", "kind": "npc", "cards": 1, "suits": "S", "hand": ["SA"]},
    ]
    setup = {"level": "duel", "config": {"rounds": 1}, "seats": seats, "modules": {"mercy": {"start": wrath}}}
    game = build(setup, compiled=games > 1000)
    ask, no = game.actions.parse("mercy"), game.actions.parse("no")
    hits = []
    for seed in range(games):
        position = game.position(seed)
        while position.phase() == "commit":
            seat = position.to_act()[0]
            position.apply(seat, position.legal(seat)[0])
            position.roll()
        for action in (ask, no, no, no):
            position.apply(0, action)
            position.roll()
        hits.append(int(position.record.mercy_hits))
    everything = comb(32, 3)
    assert proportion(hits.count(0), games, comb(32 - wrath, 3) / everything)
    assert proportion(hits.count(1), games, wrath * comb(32 - wrath, 2) / everything)


def chain(row: dict[str, Any], tests: int) -> tuple[float, float, float]:
    """E9 with a limit of tests: chances of ending at +3 or more and at -3 or less, and the mean number of tests."""
    steps = [float(p) for p in ep_random_order(row["a"], row["b"], row["ka"], row["kb"])]
    inside = dict.fromkeys(range(-2, 3), 0.0) | {0: 1.0}
    up = down = mean = 0.0
    for _ in range(tests):
        mean += sum(inside.values())
        after = dict.fromkeys(range(-2, 3), 0.0)
        for ep, chance in inside.items():
            for gained, p in zip(range(-3, 4), steps, strict=True):
                if ep + gained >= 3:
                    up += chance * p
                elif ep + gained <= -3:
                    down += chance * p
                else:
                    after[ep + gained] += chance * p
        inside = after
    return up, down, mean


@pytest.mark.parametrize("row", DATA["E9"], ids=lambda row: f"{row['a']}-{row['b']}")
def test_e9_tests_until_a_perfect_result(row: dict[str, Any]) -> None:
    """E9: the published values for ever so many tests; the rules allow 20 at most, so they are held against those."""
    up, down, tests = chain(row, 2000)
    for value, published in ((up, "up"), (down, "down"), (tests, "tests")):
        if published in row["p"]:
            text = row["p"][published]
            digits = len(text.partition(".")[2]) if "." in text else 9
            assert abs(value - float(Fraction(text))) <= 0.5001 * 10**-digits
    up, down, tests = chain(row, 20)
    n = 20_000
    config = {"max_tests": 20, "continue_by": "always", "reshuffle": "each_test"}
    game = opponents(row["a"], row["ka"], row["b"], row["kb"], **config)
    outcome = played(game, ("best3_shuffled",) * 2, n)
    ep = outcome.payoffs[:, 0]
    assert proportion(int((ep >= 3).sum()), n, up)
    assert proportion(int((ep <= -3).sum()), n, down)
    assert near(outcome.decisions[:, 0] / 3, tests)


@pytest.mark.parametrize(("key", "restrict"), [("best_play", True), ("restrictions_waived", False)])
def test_e10_a_session(key: str, restrict: bool) -> None:
    """E10: total EP of the preset under best play of both, with restrictions and without."""
    setup = SYSTEM.setup_of("einblatt-campaign", "table32_session")
    setup["config"] = {**(setup.get("config") or {}), "reshuffle": "each_test"}
    setup["conflicts"] = [{**conflict, "restrict": restrict} for conflict in setup["conflicts"]]
    total = played(build(setup), ("best3_shuffled",) * 2, 20_000).payoffs[:, 0]
    assert near(total, float(DATA["E10"][key])), total.mean()


def max_min(position: Position) -> float:
    """Value to seat 0 of a game in which nothing is hidden and one seat decides at a time."""
    if position.over:
        return float(position.returns()[0])
    (seat,) = position.to_act()
    values = []
    for action in position.legal(seat):
        twin = position.clone()
        twin.apply(seat, action)
        values.append(max_min(twin))
    return max(values) if seat == 0 else min(values)


def test_e11_all_plays_laid_open() -> None:
    """E11: who lays all plays open leaves nothing to guess; two rounds, solved in the kernel by backward induction."""
    rng = random.Random(110)
    for _ in range(3):
        ours, theirs = hand(rng, 2), hand(rng, 2)
        game = known_hands(ours, theirs, False, config={"rounds": 2}, modules={"open_cards": {}}, first={"open": 2})
        value = open_cards_value(classes(ours, "C"), classes(theirs, "S"), 2, rounds=2)
        assert max_min(game.position()) == pytest.approx(float(value))


def solved(game: Game, iterations: int = 8000) -> tuple[float, float]:
    """Value to seat 0 of a small game of known hands, and how far from it that may be."""
    tree = GameTree(game)
    profile = tree.profile([CfrSolver(game, seed=1).run(iterations).solution()] * 2)
    return float(tree.values(profile)[0]), float(tree.nash_conv(profile))


@pytest.mark.slow
def test_e11_values_of_modules() -> None:
    """E11: the averages come from an analysis that knows no kernel (test_einblatt_exact); the kernel agrees with it.

    The kernel's games of known hands are solved; a solution that leaves a gain of g is within g of the value.
    """
    rng = random.Random(11)
    for _ in range(6):
        ours, theirs = hand(rng, 3), hand(rng, 3)
        a, b = classes(ours, "C"), classes(theirs, "S")
        for n in (1, 2, 3):
            value, gap = solved(known_hands(ours, theirs, modules={"open_cards": {}}, first={"open": n}))
            assert gap < 0.1
            assert abs(value - float(open_cards_value(a, b, n))) <= gap + 1e-6
        sleeve = rng.choice([code for code in CARD_CODES if code not in ours])
        value, gap = solved(known_hands(ours, theirs, modules={"sleeve": {}}, first={"sleeve": sleeve}))
        assert gap < 0.1
        assert abs(value - float(sleeve_value(a, b, classes([sleeve], "C")[0]))) <= gap + 1e-6


def test_e12_specialist_purchase() -> None:
    """E12, by all purchases of four attributes at a budget of 61; the module lets a cheaper strong attribute count."""
    exact: set[int] = set()
    best: dict[int, int] = {}
    rule = specialist_buy.module.creation
    assert rule is not None
    for strong in range(2, 11):
        for others in itertools.combinations_with_replacement(range(2, 11), 3):
            bought = dict(zip("abcd", (strong, *others), strict=True))
            purchase = creation.check_specialist(61, "a", bought)
            if not purchase.errors:
                total = sum(bought.values())
                best[strong] = max(best.get(strong, 0), total)
                if purchase.left == 0:
                    exact.add(strong)
                assert rule({"entries": {k: {"attribute": v} for k, v in bought.items()}}, {"points": 61}) == []
    top = max(best.values())
    assert sorted(exact) == DATA["E12"]["exact_strong"]
    assert top == DATA["E12"]["best_sum"]
    assert [strong for strong, total in best.items() if total == top] == DATA["E12"]["best_strong"]


E13 = [({}, False, -2.183, 0.024), ({}, True, -2.988, 0.022), ({"wait_mode": "forfeit"}, False, -1.300, 0.023)]


@pytest.mark.parametrize(("config", "led", "mean", "error"), E13)
def test_e13_random_play_of_the_tug_of_war(config: dict[str, Any], led: bool, mean: float, error: float) -> None:
    """E13: the published means are samples themselves; their errors and ours are added in squares."""
    setup = SYSTEM.setup_of("einblatt-melee", "tug_of_war")
    for seat in setup["seats"]:
        seat.pop("hand", None)
    leaders = setup["config"]["leaders"] if led else {}
    setup["config"] = {**setup["config"], **config, "leaders": leaders, "payoff": "ep"}
    game = build(setup)
    team = [i for i, seat in enumerate(setup["seats"]) if seat["kind"] == "pc"]
    means = [Batch(game, 1000, seed=seed).play_random(2).mean_payoff[team].sum() for seed in range(10)]
    own = float(np.std(means, ddof=1)) / len(means) ** 0.5
    assert abs(np.mean(means) - mean) < ERRORS * (error**2 + own**2) ** 0.5, np.mean(means)
