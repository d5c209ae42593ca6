"""ews_rps: the kernel against the oracle, the invariants of its specification, exact odds, errors and leaks."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as hs

from probespiel.envs import make_game
from probespiel.envs.core.codes import names_of
from probespiel.envs.core.errors import IllegalAction, RulesetError
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.texts import signed
from probespiel.envs.core.verify import verify_file
from probespiel.envs.ews_rps import odds
from probespiel.envs.ews_rps import state as st
from probespiel.envs.ews_rps.params import OPTIONS, TEST_FIELDS, check_options
from probespiel.envs.ews_rps.presets import PRESETS
from probespiel.envs.ews_rps.system import SYSTEM
from probespiel.envs.ews_rps.verify import case_runners, run_play
from tests.naive.ews_rps import DEFAULTS, NaiveEwsRps, enumerate_rolls, enumerate_streaks

GOLDEN = Path(__file__).parent / "golden" / "ews_rps.json"
SYMBOLS = ("rock", "paper", "scissors")


def interpreted(scenario: str | None = None, **options: Any) -> Game:
    """A game that is not played: nothing is compiled."""
    return Game(SYSTEM.spec("ews_rps", scenario, options, {}), compiled=False)


def random_test(rng: random.Random) -> dict[str, Any]:
    """Any test; the numbers lie close enough for everything to happen."""
    kind = rng.choice(st.KINDS)
    mine, other = rng.randint(-20, 40), 0
    other = mine + rng.randint(-14, 14)
    names = ("value", "target") if kind == "simple" else ("attacker_value", "defender_value")
    test: dict[str, Any] = {"kind": kind, names[0]: mine, names[1]: other}
    if rng.random() < 0.3:
        test["acting_seat"] = rng.randrange(2)
    if rng.random() < 0.3:
        test["win_points"], test["loss_points"] = rng.randint(0, 5), rng.choice([0, 0.5, 2.25])
    return test


def random_options(rng: random.Random) -> dict[str, Any]:
    """Any options of the rules."""
    ranges: dict[str, list[Any]] = {
        "procedure": ["rps", "rps", "rps", "pm_d6"],
        "bonus_step": [1, 2, 3, 5, 12],
        "max_rounds": [1, 2, 3, 5, 20],
        "shortfall_rounding": ["up", "down"],
        "contest_loser_malus": [False, True],
        "contest_tie": ["attacker", "defender", "draw"],
        "early_stop": [False, True],
        "roles": ["alternate", "fixed"],
        "gm_policy": ["adversary", "uniform"],
        "pm_reroll_limit": [None, 0, 1, 3],
        "may_decline": [False, True],
        "payoff": ["pass", "margin", "stakes"],
        "margin_clip": [1, 5, 12],
        "win_points": [1, 0.25, 3],
        "loss_points": [1, 2],
        "history_window": [0, 3, 32],
    }
    out = {name: rng.choice(values) for name, values in ranges.items() if rng.random() < 0.5}
    if out.get("shortfall_rounding") == "down":
        out.pop("contest_tie", None)
    return out


def compare_match(rng: random.Random, compiled: bool) -> int:
    """Play one random match on kernel and oracle; the number of steps."""
    tests = [random_test(rng) for _ in range(rng.randint(1, 6))]
    options = random_options(rng)
    game = Game(SYSTEM.declare({"tests": tests, "options": options}), compiled)
    naive = NaiveEwsRps(tests, options)
    position = Position(game)
    steps = seen = 0
    where = f"{tests} {options}"
    while True:
        kind, request = naive.pending()
        if kind == "over":
            break
        if kind == "die":
            assert position.die() == request and not position.to_act(), where
            outcome = rng.randrange(request)
            naive.fall(outcome)
            position.fall(outcome)
        else:
            assert position.to_act() == sorted(request), where
            for seat, legal in request.items():
                assert sorted(game.actions.codes[a] for a in position.legal(seat)) == sorted(legal), where
                observation = position.observe(seat)
                game.layout.check(observation)
                view = game.layout.view(observation)
                np.testing.assert_array_equal(view["mask"], position.mask(seat))
                if not compiled:  # the same code, and the book is slow
                    rows = naive.history(seat, len(view["history"]))
                    assert view["history"][: len(rows)].tolist() == rows, where
                    assert not view["history"][min(len(rows), options.get("history_window", 32)) :].any(), where
                    assert view["counts"].tolist() == pytest.approx(naive.shares(seat)), where
            seat = rng.choice(sorted(request))
            action = rng.choice(request[seat])
            naive.act(seat, action)
            position.apply(seat, game.actions.parse(action))
        steps += 1
        if len(naive.results) > seen:
            seen += 1
            compare_result(position, naive.results[-1], where)
        check_invariants(position, options)
        s = position.record
        history = [(SYMBOLS[int(e) & 15], SYMBOLS[int(e) >> 4 & 15]) for e in s.hist[: int(s.past)]]
        assert history == naive.rounds, where
    assert position.over and position.die() == 0 and not position.to_act()
    returns = position.returns()
    assert returns[0] == pytest.approx(float(naive.utility), abs=1e-9) and returns.sum() == 0
    low, high = game.spec.payoff_range
    assert low <= returns.min() and returns.max() <= high
    return steps


def compare_result(position: Position, theirs: dict[str, Any], where: str) -> None:
    """The test that ended last."""
    s = position.record
    ours = {
        "verdict": st.verdict_name(int(s.last_kind), int(s.last_verdict)),
        "own_bonus": int(s.last_bonus[0]),
        "other_bonus": int(s.last_bonus[1]),
        "net": int(s.last_net),
        "rounds": int(s.last_rounds),
        "ended_by": st.ENDINGS[int(s.last_ending)],
    }
    assert ours == {name: theirs[name] for name in ours}, where
    sign = 1 if s.last_acting == 0 else -1
    assert sign * float(s.last_utility) == pytest.approx(float(theirs["seat0"]), abs=1e-12), where


def check_invariants(position: Position, options: dict[str, Any]) -> None:
    """Section 7, for the test that ended last."""
    s, full = position.record, {**DEFAULTS, **options}
    if s.last_test < 0 or s.last_ending == st.Ending.DECLINED:
        return
    own, other = (int(b) for b in s.last_bonus)
    rounds, net, step = int(s.last_rounds), int(s.last_net), full["bonus_step"]
    if full["procedure"] == "pm_d6":
        for total in (own, other) if s.last_kind == st.Kind.CONTEST else (own,):
            assert total not in {0, 1, 3, 5, 7, 8, 9, 10, 11, -2, -4, -6, -7, -8, -9}
        return
    assert rounds >= 1
    assert own % step == 0 and other % step == 0
    assert max(abs(own), abs(other)) <= step * rounds
    if s.last_kind == st.Kind.CONTEST and not full["contest_loser_malus"]:
        assert min(own, other) == 0
    assert abs(net) in (rounds, rounds - 1) or (net == 0 and rounds == 1)
    if own == other == 0:
        assert rounds == 1


def test_kernel_agrees_with_the_oracle() -> None:
    rng = random.Random(1)
    assert sum(compare_match(rng, True) for _ in range(700)) > 5_000


def test_interpreted_kernel_agrees_with_the_oracle() -> None:
    rng = random.Random(2)
    assert sum(compare_match(rng, False) for _ in range(60)) > 400


@pytest.mark.slow
def test_kernel_agrees_with_the_oracle_at_length() -> None:
    rng = random.Random(3)
    for _ in range(60_000):
        compare_match(rng, True)


def test_turning_all_symbols_changes_nothing() -> None:
    """Both seats' symbols replaced by the cyclically next ones: the same results."""
    rng = random.Random(4)
    for _ in range(40):
        tests, options = [random_test(rng) for _ in range(4)], {"max_rounds": rng.choice([2, 5, 20])}
        game = Game(SYSTEM.declare({"tests": tests, "options": options}))
        first, second = Position(game), Position(game)
        while not first.over:
            symbols = [rng.randrange(3) for _ in range(2)]
            for seat, symbol in enumerate(symbols):
                first.apply(seat, symbol)
                second.apply(seat, (symbol + 1) % 3)
            assert first.record.net == second.record.net and first.record.test == second.record.test
        assert first.returns().tolist() == second.returns().tolist()


def test_what_a_losing_streak_lacks_and_a_match_pays_as_it_stands() -> None:
    """Three lost rounds end the first of four tests: 0, 1 and 2 wins were lacking, and a quarter of a point is lost."""
    even = {"kind": "contest", "attacker_value": 12, "defender_value": 12}
    options = {"max_rounds": 3, "payoff": "pass"}
    position = Position(Game(SYSTEM.declare({"tests": [even] * 4, "options": options}), compiled=False))
    for lack in range(3):
        position.apply(0, 0)
        position.apply(1, 1)
        entry = int(position.record.hist[lack])
        assert (entry >> st.H_LACK & 7) + st.LACK_LOW == lack
    assert position.record.test == 1 and position.returns().tolist() == [-0.25, 0.25]


# --- odds -------------------------------------------------------------------------------------------------------------


def a_test(kind: str, d: int) -> dict[str, Any]:
    names = ("value", "target") if kind == "simple" else ("attacker_value", "defender_value")
    return {"kind": kind, names[0]: 0, names[1]: d}


@pytest.mark.parametrize("part", range(4))
def test_odds_by_enumeration(part: int) -> None:
    """Success, draws, rounds, margins and moments against all sequences of a short test."""
    rng = random.Random(part)
    for _ in range(40):
        options = check_options({**random_options(rng), "max_rounds": rng.randint(1, 6), "procedure": "rps"})
        kind, d = rng.choice(st.KINDS), rng.randint(-15, 15)
        runs = list(enumerate_streaks(a_test(kind, d), options))
        assert sum(chance for chance, _ in runs) == 1

        def mean(value: Any, runs: Any = runs) -> Fraction:
            return sum((chance * value(streak) for chance, streak in runs), Fraction(0))

        def moved(streak: Any) -> int:
            own, other = streak.bonuses()
            return own - other

        clip = options["margin_clip"]
        assert odds.success(kind, d, options) == mean(lambda s: s.verdict() == "success")
        assert odds.equality(kind, d, options) == mean(lambda s: s.verdict() == "draw")
        assert odds.mean_rounds(kind, d, options) == mean(lambda s: len(s.results))
        margin = mean(lambda s: Fraction(max(-clip, min(clip, moved(s) - d)), clip))  # noqa: B023
        assert odds.margin_value(kind, d, options) == margin
        if not options["early_stop"]:
            first = mean(moved)
            assert odds.bonus_moments(kind, options) == (first, mean(lambda s: moved(s) ** 2) - first**2)


@pytest.mark.parametrize("limit", [0, 1, 2, 4, None])
def test_odds_of_the_die_by_enumeration(limit: int | None) -> None:
    rolls: dict[int, Fraction] = {}
    for chance, total in enumerate_rolls(limit):
        rolls[total] = rolls.get(total, Fraction(0)) + chance
    rest = 1 - sum(rolls.values())
    assert rest == 0 if limit is not None else 0 < rest < Fraction(1, 6**11)
    die = odds.Die(limit)
    for d in range(-25, 26):
        simple = sum((c for total, c in rolls.items() if total >= d), Fraction(0))
        contest = sum((a * b for x, a in rolls.items() for y, b in rolls.items() if x - y >= d), Fraction(0))
        assert simple <= die.at_least(d) <= simple + rest
        assert contest <= die.difference_at_least(d) <= contest + 2 * rest
        assert die.difference_at_least(d) + die.difference_at_least(1 - d) == 1
    mean = sum((total * c for total, c in rolls.items()), Fraction(0))
    assert float(die.mean()) == pytest.approx(float(mean), abs=1e-6)
    square = sum((total**2 * c for total, c in rolls.items()), Fraction(0))
    assert float(die.variance()) == pytest.approx(float(square - mean**2), abs=1e-4)


def test_what_the_specification_says_of_the_odds() -> None:
    """Section 7 in closed forms."""
    options = check_options({"max_rounds": 200})
    tie = {name: check_options({"contest_tie": name, "max_rounds": 200}) for name in names_of(st.Tie)}
    for d in range(-30, 31):
        k = -(-d // 3)
        expected = Fraction(1, 3**k) if k > 0 else 1 - Fraction(1, 3 ** (1 - k))
        for kind in st.KINDS:
            assert odds.success(kind, d, options) == expected
            assert odds.success(kind, d, options) >= odds.success(kind, d + 1, options)
        equal = Fraction(1, 3) if d == 0 else Fraction(2, 3 ** (abs(d) // 3 + 1)) if d % 3 == 0 else 0
        assert odds.equality("contest", d, tie["draw"]) == equal
        assert odds.success("contest", d, tie["defender"]) == 1 - odds.success("contest", -d, options)
        assert odds.die_success("contest", d, tie["defender"]) == 1 - odds.die_success("contest", -d, options)
    assert float(odds.mean_rounds("simple", 0, options)) == pytest.approx(2, abs=1e-12)
    mean, variance = odds.bonus_moments("simple", options)
    assert mean == 0 and float(variance) == pytest.approx(18, abs=1e-12)
    early = check_options({"early_stop": True})
    means = {k: odds.mean_rounds("simple", 3 * k, early) for k in range(-2, 4)}
    third = Fraction(1, 3)
    assert means == {0: 1, 1: 1, -1: 4 * third, 2: 4 * third, -2: Fraction(13, 9), 3: Fraction(13, 9)}
    short = check_options({"max_rounds": 2})
    assert odds.success("simple", 9, short) == 0 and odds.success("simple", -6, short) == 1
    weights = [Fraction(2, 5), Fraction(1, 4), Fraction(7, 20)]
    assert odds.best_response("simple", 3, options, weights) == Fraction(2, 5)
    assert odds.best_response("simple", 0, options, weights) == Fraction(3, 4)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"procedure": "pm_d6"},
        {"payoff": "margin", "early_stop": True},
        {"payoff": "stakes", "win_points": 3, "loss_points": 0.5, "gm_policy": "uniform"},
        {"contest_tie": "draw", "contest_loser_malus": True},
    ],
    ids=str,
)
def test_match_value_is_what_uniform_play_earns(options: dict[str, Any]) -> None:
    """The mean payoff of random play lies within five standard errors of the exact value."""
    from probespiel.envs.core.batch import Batch

    game = Game(SYSTEM.spec("ews_rps", "evening", options, {}))
    n = 40_000
    batch = Batch(game, n // 4, seed=3)
    mean = batch.play_random(4).mean_payoff[0]
    value = odds.match_value(check_options(options), PRESETS["evening"].draw)
    bound = game.spec.payoff_range[1] / np.sqrt(20)  # at most the standard deviation of a match of 20 tests
    assert abs(mean - float(value)) < 5 * bound / np.sqrt(n)


def test_declining_is_worth_what_it_avoids() -> None:
    """With may_decline a test is worth at least 0 to its acting side, but the absent gm never declines."""
    tests = [{"kind": "contest", "attacker_value": 0, "defender_value": 9, "acting_seat": seat} for seat in (0, 1)]
    low = 2 * Fraction(1, 27) - 1
    for policy, expected in (("adversary", Fraction(0)), ("uniform", -low / 2)):
        options = check_options({"tests": tests, "may_decline": True, "gm_policy": policy})
        assert odds.match_value(options) == expected


# --- configuration ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_names_itself_value_and_range(name: str) -> None:
    for value in (object, "nonsense", -99, 10**9, 0.25, {"a": 1}, float("nan"), [3], b"x"):
        if name.endswith("_points") and value == 0.25:
            continue
        with pytest.raises(RulesetError) as caught:
            interpreted(None, **{name: value})
        text = str(caught.value)
        assert name in text and re.search(r"\.\.|True or False|,|mapping", text)
        assert str(value) in text or repr(value) in text or name == "tests"


def test_booleans_are_no_integers() -> None:
    for name in ("n_tests", "max_rounds", "bonus_step", "win_points", "pm_reroll_limit", "history_window"):
        with pytest.raises(RulesetError, match=name):
            interpreted(None, **{name: True})
    for name in ("early_stop", "may_decline", "contest_loser_malus"):
        with pytest.raises(RulesetError, match=name):
            interpreted(None, **{name: 1})


@pytest.mark.parametrize(
    ("test", "parts"),
    [
        ({}, ["kind", "simple, contest"]),
        ({"kind": "duel"}, ["kind", "duel", "simple, contest"]),
        ({"kind": "simple", "value": 3}, ["target", "-99..99"]),
        ({"kind": "contest", "attacker_value": 3}, ["defender_value", "-99..99"]),
        ({"kind": "simple", "value": 3, "target": 100}, ["target", "100", "-99..99"]),
        ({"kind": "simple", "value": True, "target": 1}, ["value", "True"]),
        ({"kind": "simple", "value": 3, "target": 1, "attacker_value": 4}, ["attacker_value", "4"]),
        ({"kind": "contest", "attacker_value": 1, "defender_value": 1, "acting_seat": 2}, ["acting_seat", "2", "0..1"]),
        ({"kind": "simple", "value": 3, "target": 1, "win_points": 101}, ["win_points", "101", "0..100"]),
        ({"kind": "simple", "value": 3, "target": 1, "tagret": 1}, ["tagret", "did you mean target"]),
        (7, ["tests[1]", "7"]),
    ],
)
def test_wrong_tests_are_named(test: Any, parts: list[str]) -> None:
    with pytest.raises(RulesetError) as caught:
        interpreted(tests=[a_test("simple", 0), test])
    for part in parts:
        assert part in str(caught.value)


def test_number_of_tests() -> None:
    tests = [a_test("simple", 0)] * 3
    assert interpreted(tests=tests, n_tests=3).params.n_tests == 3
    assert interpreted("table_simple").params.n_tests == 7
    assert interpreted("table_simple", tests=tests).params.n_tests == 3
    assert interpreted("evening", n_tests=5).params.n_tests == 5
    for kwargs in ({"tests": tests, "n_tests": 4}, {"scenario": "table_simple", "n_tests": 4}):
        with pytest.raises(RulesetError, match="n_tests = 4"):
            interpreted(**kwargs)
    with pytest.raises(RulesetError, match=r"1\.\.1000"):
        interpreted(tests=[a_test("simple", 0)] * 1001)
    with pytest.raises(RulesetError, match="contest_tie = 'draw'"):
        interpreted(contest_tie="draw", shortfall_rounding="down")


def test_hostile_parameters() -> None:
    """Broken options and tests: a RulesetError, or a game that can be declared."""
    rng = random.Random(5)
    weird: list[Any] = [
        None, True, -1, 0, 1, 2, 99, 100, 2**63, 2**70, 0.5, float("nan"), float("inf"), "", "simple", "contest", "rps",
        b"x", [], [1], {}, {"kind": "simple"}, object(), np.int64(3), np.float32(0.5), np.array([1, 2]), 3j, (),
    ]  # fmt: skip
    refused = 0
    for _ in range(20_000):
        tests: list[Any] = [random_test(rng) for _ in range(rng.randint(1, 3))]
        options: dict[Any, Any] = random_options(rng)
        for _ in range(rng.randint(1, 3)):
            where = rng.randrange(3)
            if where == 0:
                options[rng.choice([*OPTIONS, "nonsense", ""])] = rng.choice(weird)
            elif where == 1 and isinstance(tests[0], dict):
                tests[0][rng.choice([*TEST_FIELDS, "nonsense"])] = rng.choice(weird)
            else:
                tests[rng.randrange(len(tests))] = rng.choice(weird)
        setup = {"tests": rng.choice([tests, tests, rng.choice(weird)]), "options": options}
        try:
            SYSTEM.declare(setup)
        except RulesetError as error:
            assert len(str(error)) > 10
            refused += 1
    assert refused > 10_000


# --- decisions and what is hidden -------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(hs.integers(0, 2**32), hs.integers(-3, 12), hs.sampled_from([-1, 0, 1, 2, None, True, "0", 0.0]))
def test_illegal_actions_change_nothing(seed: int, action: int, seat: Any) -> None:
    position = make_game("ews_rps", may_decline=True).position(seed=seed)
    rng = random.Random(seed)
    for _ in range(rng.randrange(12)):
        if not position.over:
            position.apply(position.to_act()[0], rng.choice(position.legal(position.to_act()[0])))
    before = position.to_bytes()
    legal = position.legal(seat) if isinstance(seat, int) and not isinstance(seat, bool) and seat in (0, 1) else []
    if action in legal:
        return
    with pytest.raises(IllegalAction) as caught:
        position.apply(seat, action)
    assert position.to_bytes() == before
    if legal:
        codes = position.game.actions.codes
        assert all(codes[a] in str(caught.value) for a in legal)
        assert (codes[action] if 0 <= action < len(codes) else str(action)) in str(caught.value)


def test_a_sealed_symbol_is_hidden() -> None:
    """Whatever the first seat has sealed: the other one sees, knows and may do exactly the same."""
    rng = random.Random(6)
    game = make_game("ews_rps")
    for number in range(60):
        position = game.position(seed=number)
        for _ in range(2 * rng.randrange(25)):
            if not position.over:
                seat = position.to_act()[0]
                position.apply(seat, rng.choice(position.legal(seat)))
        if position.over:
            continue
        first = rng.randrange(2)
        other = 1 - first
        seen = set()
        for symbol in range(3):
            twin = position.clone()
            twin.apply(first, symbol)
            assert twin.to_act() == [other] and twin.die() == 0
            texts = [game.spec.texts.state(twin, reader, lang) for reader in (None, other) for lang in ("en", "de")]
            events = [game.spec.texts.event(e, other, "en") for e in twin.events()]
            known = (
                twin.observe(other).tobytes(), twin.key(other), tuple(twin.legal(other)), twin.forget(other).to_bytes(),
                tuple(texts), tuple(events), twin.phase(), tuple(twin.returns()), twin.status,
            )  # fmt: skip
            seen.add(known)
        assert len(seen) == 1
        # and it is the same as if nothing had been sealed
        assert next(iter(seen))[:4] == (
            position.observe(other).tobytes(), position.key(other), tuple(position.legal(other)),
            position.forget(other).to_bytes(),
        )  # fmt: skip


def test_the_absent_gm_is_chance() -> None:
    """A8: seat 1 never decides; its symbols fall after seat 0's, and it attempts by itself."""
    tests = [a_test("contest", 0), {**a_test("simple", 0), "acting_seat": 1}, a_test("contest", 3)]
    game = make_game("ews_rps", tests=tests, gm_policy="uniform", may_decline=True)
    rng = random.Random(7)
    for seed in range(50):
        position = game.position(seed=seed)
        while not position.over:
            assert position.to_act() == [0]
            if position.phase() == "choice":
                assert position.record.acting == 0
            position.apply(0, rng.choice([a for a in position.legal(0) if a != st.Action.DECLINE]))
            if position.record.ask_phase == st.Phase.ROUND and position.record.sealed[0]:
                assert position.die() == 3
            position.roll()


def test_texts_are_complete() -> None:
    """Every state and event has a text in both languages, and the two differ."""
    rng = random.Random(8)
    for options in ({}, {"procedure": "pm_d6"}, {"may_decline": True, "payoff": "stakes", "win_points": 2}):
        game = Game(SYSTEM.spec("ews_rps", None, options, {}))
        texts = game.spec.texts
        for seed in range(5):
            position = game.position(seed=seed)
            while not position.over:
                for event in position.events():
                    lines = [texts.event(event, None, lang) for lang in ("en", "de")]
                    assert all(lines) and lines[0] != lines[1]
                states = {texts.state(position, seat, lang) for seat in (None, 0, 1) for lang in ("en", "de")}
                assert len(states) == 6
                assert texts.phase(position, "en") != texts.phase(position, "de")
                seat = position.to_act()[0]
                position.apply(seat, rng.choice(position.legal(seat)))
                position.roll()
            assert "score" in texts.state(position, 0, "en")


def test_observation_in_detail() -> None:
    """A short match by hand."""
    tests = [{"kind": "contest", "attacker_value": 15, "defender_value": 12}, a_test("simple", 5)]
    position = Position(make_game("ews_rps", tests=tests, history_window=3, max_rounds=10))
    view = position.game.layout.view
    before = view(position.observe(1))
    assert before["test"].tolist() == pytest.approx(
        [0, 1, 0, 0.4, 0.5, -0.25, -1 / 12, 0, 0, 0, 0, 0, 1, 0, 0.01, 0.01]
    )
    assert before["match"].tolist() == [0, 0, 1, 0, 0, 0]
    assert not before["history"].any() and not before["counts"].any()
    assert before["mask"].tolist() == [1, 1, 1, 0, 0, 0]
    for symbols in ((0, 1), (0, 1), (2, 2)):  # two losses of the attacker, then a draw: 15 against 18
        for seat, symbol in enumerate(symbols):
            position.apply(seat, symbol)
    own, other = view(position.observe(0)), view(position.observe(1))
    assert own["match"].tolist() == [0.5, -0.5, 1, 0, 0, 0] and other["match"].tolist() == [0.5, 0.5, 1, 0, 0, 0]
    assert own["test"].tolist()[:7] == pytest.approx([1, 0, 1, 0, 5 / 30, 5 / 12, 2 / 12])
    rows = own["history"].tolist()
    assert rows[0] == [0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1]  # decided: the attacker was 3 behind with a losing streak
    assert rows[1] == [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]
    assert rows[2] == [1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0]
    assert other["history"].tolist()[2] == [0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0]
    counts = own["counts"].tolist()
    assert counts[:6] == pytest.approx([0, 2 / 3, 1 / 3, 2 / 3, 0, 1 / 3])
    assert counts[6:] == pytest.approx([0, 0, 0, 0, 0.5, 0.5, 0, 0, 0])


# --- worked examples --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("compiled", [False, True])
def test_golden_cases(compiled: bool) -> None:
    results = verify_file(GOLDEN, compiled=compiled)
    assert len(results) == 44
    assert [(r.id, r.problems) for r in results if r.problems] == []


def test_tables_and_refusals_as_worked_examples() -> None:
    """Kinds `table` and `config_error`, in the forms in which they may be written; wrong ones fail."""
    run = case_runners(False)
    row = {"rps_simple": "1/3", "rps_contest": "1/3", "pm_simple": "1/3", "pm_contest": "61/189"}
    plain = {"pm_simple_no_reroll": "1/3", "pm_contest_no_reroll": "11/36"}
    for rows in (
        {"rows": [{"difference": 3, **row, **plain}]},
        {"3": row},
        {"rows": {"3": plain}},
        {"columns": ["difference", *row], "rows": [[3, *row.values()]]},
    ):
        assert not run["table"]({"setup": {}, "expect": rows})
    assert run["table"]({"setup": {}, "expect": {"rows": [{"difference": 3, "pm_contest": "1/3"}]}})
    assert run["table"]({"setup": {}, "expect": {"rows": []}})
    refused = {"setup": {"options": {"bonus_step": 13}}, "expect": {"mentions": ["bonus_step", "13", "1..12"]}}
    assert not run["config_error"](refused)
    assert run["config_error"]({**refused, "expect": {"mentions": ["max_rounds"]}})
    assert run["config_error"]({"setup": {}, "expect": {"mentions": []}})


def test_values_as_worked_examples() -> None:
    run = case_runners(False)["probability"]
    tests = [a_test("simple", 3), a_test("contest", 0)]
    cases = [
        ({"quantity": "match_value", "tests": tests}, {"seat0_value": "0"}),
        ({"quantity": "match_value", "kind": "simple", "difference": 3}, {"seat0_value": "-1/3"}),
        ({"quantity": "match_value", "preset": "even_contest"}, {"seat0_value": 0, "seat1_value": 0}),
        ({"quantity": "match_value", "tests": tests, "options": {"may_decline": True}}, {"seat0_value": "1/6"}),
        ({"quantity": "bonus_moments", "options": {"max_rounds": 200}}, {"mean": 0, "variance": 18.0}),
        ({"kind": "contest", "difference": -3, "options": {"contest_tie": "draw"}}, {"rps_draw": "2/9", "rps": "2/3"}),
    ]
    for setup, expect in cases:
        assert not run({"setup": setup, "expect": expect}), setup
        assert run({"setup": setup, "expect": dict.fromkeys(expect, "1/7")})


def test_scripts_refuse_what_does_not_fit() -> None:
    """A wrong expectation, an impossible step and an unmarked illegal one are all reported."""
    setup = {"test": {"kind": "simple", "value": 12, "target": 15}}
    win = {"player": "paper", "gm": "rock"}
    wrong: list[tuple[list[Any], dict[str, Any], str]] = [
        ([{**win, "expect": {"bonus": 6}}], {}, "bonus is 3, expected 6"),
        ([{**win, "expect": {"colour": 6}}], {}, "expect key 'colour' is unknown"),
        ([{**win, "illegal": True}], {}, "was accepted"),
        ([{"attacker": "paper", "defender": "rock"}], {}, "none of this test"),
        ([{"player": "paper"}], {}, "both sides"),
        ([{"player": "spock", "gm": "rock"}], {}, "spock"),
        ([{"player": "attempt", "gm": "rock"}], {}, "not legal"),
        ([{"choice": "attempt"}], {}, "no test waits"),
        ([{"roll": "player", "dice": [1]}], {}, "no roll is due"),
        ([win], {"verdict": "passed"}, "verdict is None"),
        ([win, {"player": "rock", "gm": "rock"}, win], {}, "the match is over"),
    ]
    for steps, expect, part in wrong:
        problems = run_play({"setup": setup, "steps": steps, "expect": expect})
        assert any(part in problem for problem in problems), (steps, problems)
    illegal = [
        {**step, "illegal": True} for step in ({"player": "paper"}, {"choice": "decline"}, {"player": 3, "gm": 1})
    ]
    done = {"player": "rock", "gm": "rock", "expect": {"ended": True, "outcome": "draw", "net": 0}}
    assert not run_play({"setup": setup, "steps": [*illegal, done], "expect": {"verdict": "failed", "seat0": -1}})


def test_scripts_of_the_die() -> None:
    setup = {"test": {"kind": "contest", "attacker_value": 0, "defender_value": 0}, "options": {"procedure": "pm_d6"}}
    good = [{"choice": "attempt"}, {"roll": "attacker", "dice": [5, 5, 5, 6]}, {"roll": "defender", "dice": [6, 6, 1]}]
    expect = {"verdict": "defender", "attacker_bonus": -15, "defender_bonus": 12, "margin": -27, "ended_by": "rolled"}
    assert not run_play({"setup": setup, "steps": good, "expect": expect})
    for bad in (
        {"roll": "defender", "dice": [1]},
        {"roll": "attacker", "dice": [5]},
        {"roll": "attacker", "dice": [5, 5]},
        {"roll": "attacker", "dice": [1, 1]},
        {"roll": "attacker", "dice": [7]},
        {"roll": "attacker", "dice": []},
        {"choice": "attempt"},
    ):
        steps = [good[0], {**bad, "illegal": True}, *good[1:]]
        assert not run_play({"setup": setup, "steps": steps, "expect": expect}), bad
    for limit, dice, total in ((0, [6], 6), (1, [6, 6], 12), (1, [6, 2], 6), (2, [5, 5, 5], -15)):
        setup = {
            "test": {"kind": "simple", "value": 0, "target": 0},
            "options": {"procedure": "pm_d6", "pm_reroll_limit": limit},
        }
        steps = [{"choice": "attempt"}, {"roll": "player", "dice": dice, "expect": {"result": total}}]
        assert not run_play({"setup": setup, "steps": steps, "expect": {"bonus": total}})


def test_nothing_has_no_minus() -> None:
    """A score of nothing is +0.000 for both sides."""
    position = make_game("ews_rps", "even_contest").position()
    for lang, nothing in (("en", "+0.000"), ("de", "+0,000")):
        for seat in (0, 1, None):
            text = position.game.spec.texts.state(position, seat, lang)
            assert text.count(nothing) == 2, text


@pytest.mark.parametrize("options", [
    {}, {"early_stop": True}, {"contest_tie": "draw"}, {"contest_tie": "draw", "early_stop": True, "max_rounds": 2},
    {"contest_tie": "defender", "max_rounds": 3}, {"contest_loser_malus": True, "contest_tie": "draw"},
    {"shortfall_rounding": "down"}], ids=str)  # fmt: skip
def test_what_is_said_of_a_round_comes_true(options: dict[str, Any]) -> None:
    """The screen says for each result whether the test goes on, and how it ends if not; as each side reads it."""
    gaps = [(12, 8), (12, 9), (9, 12), (10, 10), (6, 12), (12, 14)]
    tests = [{"kind": "contest", "attacker_value": a, "defender_value": b} for a, b in gaps]
    tests += [{"kind": "simple", "value": a, "target": b} for a, b in gaps]
    game = make_game("ews_rps", tests=tests, compiled=False, **options)
    lot, met = random.Random(3), set[str]()
    for _ in range(6):
        position = game.position(0)
        while not position.over:
            said = []
            for seat in (0, 1):
                line = next(row for row in position.told(seat).splitlines() if row.startswith("this round "))
                said.append({
                    result: what
                    for part in line.removeprefix("this round ").split("; ")
                    for results, _, what in [part.partition(": ")]
                    for result in results.split(" or ")
                })  # fmt: skip
            number, shown = int(position.record.test), (lot.randrange(3), lot.randrange(3))
            for seat in (0, 1):
                position.apply(seat, shown[seat])
            lines = [game.say(event, None, "en") for event in position.events()]
            for seat in (0, 1):
                what = said[seat][("drawn", "won", "lost")[(shown[seat] - shown[1 - seat]) % 3]]
                ended = [line for line in lines if line.startswith("result: ")]
                if ended:
                    assert ended[0].startswith(f"result: {what.removeprefix('the end, ')} ("), (what, lines)
                else:
                    assert what == f"it goes on, wins so far {signed(int(position.record.net))}"
                    assert position.record.test == number
                met.add(what)
    assert len(met) > 4


def test_the_chance_that_is_left_follows_from_the_next_round() -> None:
    """A round goes either way with a third each; a streak that breaks ends the test."""
    for kind in ("simple", "contest"):
        options = dict(make_game("ews_rps", compiled=False).spec.options)
        for d in range(-9, 10):
            need = -(-d // 3)
            assert odds.success_from(kind, d, options, 0) == odds.success(kind, d, options)
            for net in range(1, 8):
                later = odds.success_from(kind, d, options, net + 1)
                assert odds.success_from(kind, d, options, net) == (later + 2 * (net >= need)) / 3
                later = odds.success_from(kind, d, options, -net - 1)
                assert odds.success_from(kind, d, options, -net) == (later + 2 * (-net >= need)) / 3
    told = make_game("ews_rps", compiled=False).position(3).told(0)
    assert "your chance if either side plays all symbols alike: " in told
