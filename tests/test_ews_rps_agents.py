"""Baselines of ews_rps and the predictors: legal, blind to what is sealed, true to their definitions, reproducible."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import AgentError, NativePolicy, View
from probespiel.agents.declaration import LEVELS
from probespiel.agents.ews_rps import baselines as baselines
from probespiel.agents.ews_rps import counter as modelling
from probespiel.agents.ews_rps import predictors as engine
from probespiel.agents.ews_rps import rounds as rounds
from probespiel.agents.ews_rps import types as kinds
from probespiel.agents.ews_rps.declaration import AGENTS
from probespiel.agents.ews_rps.memory import Memory
from probespiel.agents.match import Match, Schedule
from probespiel.agents.native import baselines_of, native_policy
from probespiel.agents.registry import list_agents, make_agent, parse_agent
from probespiel.envs import make_game
from probespiel.envs.core import abi
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.rng import rng_array
from probespiel.envs.ews_rps import odds
from probespiel.envs.ews_rps import state as st
from probespiel.envs.ews_rps.params import check_options
from probespiel.envs.ews_rps.system import SYSTEM
from probespiel.evaluation.stress.conditions import Bench, Settings
from tests.test_ews_rps import a_test, random_options, random_test

OWN = tuple(name for name in baselines_of("ews_rps") if name not in ("random", "first"))
LEARNERS = ("meta", "regret", "safe_exploit", "mixture", "counter")
PLAIN = {"contest_tie": "draw", "max_rounds": 1}


@pytest.fixture(scope="module")
def plain() -> Game:
    """Plain rock-paper-scissors, 30 rounds, of the same capacity as an evening."""
    return make_game("ews_rps", "plain_rps", tests=[a_test("contest", 0)] * 30)


def answer(policy: NativePolicy, position: Position, seat: int, seed: int = 0) -> int:
    """What a compiled policy answers at a position."""
    game, rng = position.game, rng_array(seed, "test")
    found = abi.call_from_python(
        policy.address, policy.which, position.address, game.params_address, seat, game.address, rng.ctypes.data
    )
    policy.raise_pending()
    return found


def after(game: Game, *pairs: tuple[int, int]) -> Position:
    """The position after some rounds: symbols of seats 0 and 1."""
    position = Position(game)
    for first, second in pairs:
        position.apply(0, first)
        position.apply(1, second)
    return position


def returns(game: Game, first: str, second: str, matches: int, seed: int = 1) -> np.ndarray:
    """Payoffs of `first` against `second` in both seats, float64[2 * matches]."""
    with Match(game, [first, second], seed, None) as match:
        seating = np.repeat([[0, 1], [1, 0]], matches, axis=0)
        outcome = match.play(Schedule.of(seed, np.tile(np.arange(matches), 2), seating))
    assert not outcome.offences.any()
    return outcome.payoffs[np.arange(2 * matches), (seating == 1).argmin(axis=1)]


# --- all of them ------------------------------------------------------------------------------------------------------


def test_every_baseline_of_the_specification_is_there() -> None:
    wanted = {
        "uniform", "constant", "cycle", "biased", "winstay_loseshift", "frequency", "markov", "longest_match",
        "context", "meta", "regret", "safe_exploit", "feint", "decliner",
    }  # fmt: skip
    assert wanted | {"mixture", "counter"} == set(OWN)
    kinds = {kind.name: kind for kind in list_agents(make_game("ews_rps", compiled=False))}
    assert all(kinds[name].doc for name in OWN)
    assert [param.name for param in kinds["biased"].params] == ["rock", "paper", "scissors"]


@pytest.mark.parametrize("modules", [{}, {"lizard_spock": {}, "double_stakes": {}}], ids=["base", "modules"])
def test_always_legal(modules: dict[str, Any]) -> None:
    """Against random play in random matches with all options."""
    rng = random.Random(1)
    for number in range(6 if modules else 15):
        tests = [random_test(rng) for _ in range(5)]
        setup = {"tests": tests, "options": random_options(rng), "modules": modules}
        game = Game(SYSTEM.declare(setup), compiled=not modules)
        policies = [native_policy(game, name) for name in OWN]
        position = game.position(seed=number)
        while not position.over:
            for seat in position.to_act():
                legal = position.legal(seat)
                for name, policy in zip(OWN, policies):
                    assert answer(policy, position, seat, number) in legal, (name, setup)
            seat = position.to_act()[0]
            position.apply(seat, rng.choice(position.legal(seat)))
            position.roll()


def test_blind_to_the_sealed_symbol(plain: Game) -> None:
    rng = random.Random(2)
    for name in OWN:
        policy = native_policy(plain, name)
        for number in range(10):
            position = after(plain, *[(rng.randrange(3), rng.randrange(3)) for _ in range(rng.randrange(25))])
            seat = rng.randrange(2)
            answers = {answer(policy, position, seat, number)}
            for symbol in range(3):
                twin = position.clone()
                twin.apply(1 - seat, symbol)
                answers.add(answer(policy, twin, seat, number))
                view = View.of(twin, seat)
                assert make_agent(name).act(view) in view.legal
            assert len(answers) == 1, name


@pytest.mark.parametrize("name", OWN)
def test_interpreted_and_compiled_answer_alike(name: str) -> None:
    tests = [a_test("simple", d) for d in (3, -3, 0, 6)] + [a_test("contest", d) for d in (0, 3, -6)]
    options = {"tests": tests, "may_decline": True}
    compiled, interpreted = make_game("ews_rps", **options), make_game("ews_rps", compiled=False, **options)
    first, second = native_policy(compiled, name), native_policy(interpreted, name)
    position, twin = Position(compiled), Position(interpreted)
    rng = random.Random(3)
    for number in range(14):
        if position.over:
            break
        seat = position.to_act()[0]
        assert answer(first, position, seat, number) == answer(second, twin, seat, number)
        action = rng.choice([a for a in position.legal(seat) if a != st.Action.DECLINE])
        position.apply(seat, action)
        twin.apply(seat, action)


def test_parameters() -> None:
    """Values are checked, named, and change the play."""
    for text, part in [
        ("biased:rock=2", "rock = '2' is not allowed: a number from 0 to 1"),
        ("biased:well=1", "parameter 'well' is unknown: rock, paper, scissors"),
        ("markov:order=0", "order = '0' is not allowed"),
        ("uniform:x=1", "it takes none"),
        ("mixture:gate=nan", "gate = 'nan' is not allowed"),
    ]:
        with pytest.raises(AgentError, match=part):
            make_agent(text)
    game = make_game("ews_rps", "plain_rps", tests=[a_test("contest", 0)] * 30)
    always = make_agent("biased:rock=0,paper=0,scissors=1")
    assert {answer(always.native(game), Position(game), 0, seed) for seed in range(20)} == {2}  # type: ignore[arg-type]
    none = make_agent("biased:rock=0,paper=0,scissors=0")
    assert {answer(none.native(game), Position(game), 0, seed) for seed in range(30)} == {0, 1, 2}  # type: ignore[arg-type]
    assert answer(make_agent("constant:symbol=1").native(game), Position(game), 0) == 1  # type: ignore[arg-type]


# --- what is at stake -------------------------------------------------------------------------------------------------


def play_out(game: Game, position: Position, seat: int) -> float:
    """A seat's mean utility of the running test by uniform play, by enumeration (short tests only)."""
    test = int(position.record.test)
    total, count = 0.0, 0
    for first in range(3):
        for second in range(3):
            twin = position.clone()
            twin.apply(0, first)
            twin.apply(1, second)
            s = twin.record
            if twin.over or int(s.test) != test:
                value = float(s.last_utility) if s.last_acting == seat else -float(s.last_utility)
            else:
                value = play_out(game, twin, seat)
            total, count = total + value, count + 1
    return total / count


def test_stakes_are_those_of_uniform_play() -> None:
    """What a loss, a draw and a win are worth, by enumeration of the rest of the test; zero in the mean."""
    rng = random.Random(4)
    different = 0
    for number in range(60):
        options = {**random_options(rng), "max_rounds": rng.randint(1, 4), "procedure": "rps", "early_stop": False}
        options.pop("may_decline", None)
        options.pop("gm_policy", None)
        game = Game(SYSTEM.declare({"tests": [random_test(rng)], "options": options}), compiled=False)
        position = game.position(seed=number)
        while not position.over and rng.random() < 0.6:
            for seat in (0, 1):
                position.apply(seat, rng.randrange(3))
        if position.over:
            continue
        seat = rng.randrange(2)
        values = []
        for own, other in ((0, 1), (0, 0), (1, 0)):  # a loss, a draw, a win of the seat
            twin = position.clone()
            for s, symbol in ((seat, own), (1 - seat, other)):
                twin.apply(s, symbol)
            over = twin.over
            s = twin.record
            worth = float(s.last_utility) if s.last_acting == seat else -float(s.last_utility)
            values.append(worth if over else play_out(game, twin, seat))
        worth = np.zeros(3)
        open_ = rounds.stakes(position.record, game.params, seat, worth)
        spread = max(values) - min(values)
        assert bool(open_) == (spread > 1e-9)
        if open_:
            different += 1
            expected = (np.array(values) - np.mean(values)) / spread
            np.testing.assert_allclose(worth, expected, atol=1e-9)
    assert different > 20


def test_decliner_knows_the_exact_odds() -> None:
    """It attempts what is worth more than nothing (section 7), by rounds and by the die."""
    rng = random.Random(5)
    seen = set()
    for _ in range(150):
        options = {**random_options(rng), "may_decline": True, "early_stop": False, "max_rounds": 20}
        test = {**random_test(rng), "acting_seat": 0}
        game = Game(SYSTEM.declare({"tests": [test], "options": options}), compiled=False)
        checked = check_options(options)
        value = odds.test_value(test, {**checked, "may_decline": False})
        position = Position(game)
        assert baselines.value_of_test(position.record, game.params) == pytest.approx(float(value), abs=1e-6)
        if abs(value) > Fraction(1, 10**6):
            answered = baselines.decliner(position.record, game.params, 0, rng_array(1))
            assert answered == (st.Action.ATTEMPT if value > 0 else st.Action.DECLINE)
            seen.add(answered)
    assert seen == {st.Action.ATTEMPT, st.Action.DECLINE}


# --- single definitions -----------------------------------------------------------------------------------------------


def test_winstay_loseshift(plain: Game) -> None:
    policy = native_policy(plain, "winstay_loseshift")
    assert answer(policy, after(plain, (1, 0)), 0) == 1  # it won with paper
    assert answer(policy, after(plain, (0, 1)), 0) == 2  # it lost to paper: scissors would have won
    assert {answer(policy, after(plain, (2, 2)), 0, seed) for seed in range(30)} == {0, 1, 2}


def test_predictors_find_patterns(plain: Game) -> None:
    """Each one sees what its definition says, from either seat."""
    repeated = [(k % 2, 2) for k in range(20)]  # seat 1 shows scissors all the time
    paper_after_rock = [(0, 0), (1, 0), (1, 1), (0, 0), (1, 0), (1, 1), (0, 0), (1, 0)]
    cases = [
        ("frequency", repeated, {0}),
        ("frequency:decay=0", [(0, 0)] * 8 + [(0, 1)], {2}),
        ("markov", paper_after_rock, {2}),
        ("markov:order=1", paper_after_rock, {2}),
        ("longest_match", paper_after_rock, {2}),
        ("longest_match", [(0, 1)], {0, 1, 2}),
    ]
    for text, history, expected in cases:
        for seat in (0, 1):
            position = after(plain, *[(a, b) if seat == 0 else (b, a) for a, b in history])
            policy = make_agent(text).native(plain)
            assert policy is not None
            found = {answer(policy, position, seat, seed) for seed in range(30)}
            assert found == expected, (text, seat)


def test_the_best_symbol_changes_with_what_is_needed() -> None:
    """Section 7: against (2/5, 1/4, 7/20) paper where a win is needed, rock where only a loss hurts."""
    history = [(0, s) for s in [0] * 8 + [1] * 5 + [2] * 7]
    tests = [a_test("simple", -99)] * 20  # decided whatever happens: draws and single rounds fill the history
    for difference, symbol in ((3, 1), (0, 0)):
        game = make_game("ews_rps", tests=[*tests, a_test("simple", difference)], max_rounds=1)
        policy = make_agent("frequency:decay=1").native(game)
        assert policy is not None
        assert answer(policy, after(game, *history), 0) == symbol


def test_feint_shows_a_pattern_in_decided_rounds_only() -> None:
    game = make_game("ews_rps", tests=[{**a_test("contest", 3), "acting_seat": 0}], max_rounds=20)
    policy = native_policy(game, "feint")
    open_, decided = after(game), after(game, (0, 1), (1, 2))
    assert decided.record.decided and not open_.record.decided
    assert {answer(policy, open_, 1, seed) for seed in range(30)} == {0, 1, 2}
    assert {answer(policy, decided, 1, seed) for seed in range(30)} == {0}
    uniform = native_policy(game, "mixture")
    assert {answer(uniform, decided, 0, seed) for seed in range(30)} == {0, 1, 2}


def test_safe_exploit_risks_only_what_it_has_won(plain: Game) -> None:
    policy = native_policy(plain, "safe_exploit")
    behind, ahead = [(0, 1), (1, 2)] * 6, [(0, 2), (0, 2), (1, 0)] * 4
    assert {answer(policy, after(plain, *behind), 0, seed) for seed in range(40)} == {0, 1, 2}
    assert len({answer(policy, after(plain, *ahead), 0, seed) for seed in range(40)}) == 1


# --- the engine -------------------------------------------------------------------------------------------------------


def learnt(history: list[tuple[int, int]], symbols: int = 3) -> tuple[np.ndarray, int]:
    """The bytes of a slot that has read a history, without situations and stakes; the last round is not counted yet."""
    seen = np.zeros(engine.bytes_each(symbols), dtype=np.uint8)
    evenly, newest = (np.zeros((engine.DEPTHS, symbols**2)) for _ in range(2))
    for n, (own, other) in enumerate(history):
        engine.append(symbols, n, seen, own, other, 0, 1)
        for view in range(engine.VIEWS if n + 1 < len(history) else 0):
            engine.count_followers(view, symbols, n + 1, seen, evenly, newest)
    return seen, len(history)


def naive_views(history: list[tuple[int, int]], symbols: int) -> list[list[Any]]:
    """The sequences that the engine reads, as plain lists."""
    own, other = [a for a, _ in history], [b for _, b in history]
    result = [(b - a) % symbols for a, b in history]
    step = [None, *((b - a) % symbols for a, b in pairwise(other))]
    own_step = [None, *((b - a) % symbols for a, b in pairwise(own))]
    return [history, other, own, result, step, own_step, list(zip(result, step)), [0] * len(history)]


@pytest.mark.parametrize("symbols", [3, 5])
def test_counts_against_plain_lists(symbols: int) -> None:
    """What followed a context of at least so many places: counts by brute force."""
    rng = random.Random(symbols)
    for length in (1, 2, 7, 60):
        history = [(rng.randrange(2), rng.randrange(symbols)) for _ in range(length)]
        seen, n = learnt(history, symbols)
        evenly, newest = (np.zeros((engine.DEPTHS, symbols**2)) for _ in range(2))
        theirs, mine = np.zeros(symbols), np.zeros(symbols)
        for view, codes in enumerate(naive_views(history, symbols)):
            engine.count_followers(view, symbols, n, seen, evenly, newest)
            for depth in range(engine.DEPTHS):
                expected = {"theirs": [0.0] * symbols, "mine": [0.0] * symbols, "newest": 0.0}
                for i in range(n - 1):
                    back = range(depth)
                    if all(i - k >= 0 and codes[i - k] == codes[n - 1 - k] for k in back):
                        own, other = history[i + 1]
                        if view == 3:
                            own, other = own - history[i][0], other - history[i][0]
                            own, other = own + history[-1][0], other + history[-1][0]
                        elif 4 <= view <= 6:
                            own, other = own - history[i][0] + history[-1][0], other - history[i][1] + history[-1][1]
                        expected["theirs"][other % symbols] += 1
                        expected["mine"][own % symbols] += 1
                        expected["newest"] += engine.NEWEST ** (n - 1 - i)
                engine.marginals(view, symbols, n, seen, evenly[depth], theirs, mine)
                assert theirs.tolist() == expected["theirs"] and mine.tolist() == expected["mine"], (view, depth)
                assert newest[depth].sum() == pytest.approx(expected["newest"])


def test_long_histories_are_looked_back_upon_to_a_limit() -> None:
    rng = random.Random(7)
    history = [(rng.randrange(3), rng.randrange(3)) for _ in range(engine.ROUNDS + 300)]
    seen, n = learnt(history)
    evenly, newest = (np.zeros((engine.DEPTHS, 9)) for _ in range(2))
    engine.count_followers(0, 3, n, seen, evenly, newest)
    assert evenly[0].sum() == engine.ROUNDS - 2  # what followed the oldest round kept is not known to be in context


def test_best_reply_and_mixing() -> None:
    outcomes = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], dtype=float)
    chances = np.array([0.4, 0.25, 0.35])
    assert engine.best_reply(3, chances, outcomes, np.array([0.0, 0.0, 1.0])) == 1
    assert engine.best_reply(3, chances, outcomes, np.array([0.0, 1.0, 1.0])) == 0
    experts = np.array([0.8, 0.1, 0.1, 0.1, 0.1, 0.8])
    weights = np.tile([0.0, math.log(3)], engine.MIXTURES)
    mixed = np.zeros(3 * engine.MIXTURES)
    engine.mix_experts(3, experts, weights, mixed)
    np.testing.assert_allclose(mixed[:3], [0.275, 0.1, 0.625])


@pytest.mark.parametrize("name", LEARNERS)
def test_memory_changes_no_answer(name: str, plain: Game) -> None:
    """Asked in any order, with few slots or many, after other tables or afresh: the same answers."""
    rng = random.Random(8)
    histories = [[(rng.randrange(3), rng.randrange(3)) for _ in range(29)] for _ in range(8)]
    questions = [(h, k, seat) for h in range(8) for k in range(30) for seat in (0, 1)]
    fresh: dict[Any, int] = {}
    policy = native_policy(plain, name)
    for h, k, seat in questions:  # table by table, as in a compiled match
        fresh[h, k, seat] = answer(policy, after(plain, *histories[h][:k]), seat, h)
    again = native_policy(plain, name)
    for h, k, seat in sorted(questions, key=lambda q: (q[1], q[2], q[0])):  # in turns, as in a lockstep
        assert answer(again, after(plain, *histories[h][:k]), seat, h) == fresh[h, k, seat]
    for h, k, seat in rng.sample(questions, 60):
        assert answer(native_policy(plain, name), after(plain, *histories[h][:k]), seat, h) == fresh[h, k, seat]
        assert answer(again, after(plain, *histories[h][:k]), seat, h) == fresh[h, k, seat]


def test_slots_come_into_use_as_they_are_needed(plain: Game) -> None:
    memory = Memory(3, slots=16)
    assert memory.active == 4
    for table in range(5):
        slot = engine.free_slot(memory.address, 2)
        engine.stamp(memory.address, slot, 100 + table)
    assert memory.active == 4  # short histories are learnt again
    for table in range(40):
        slot = engine.free_slot(memory.address, engine.COSTLY)
        engine.stamp(memory.address, slot, 1000 + table)
        assert engine.find_slot(memory.address, 1000 + table, 7) == slot
    assert memory.active == 16
    assert engine.find_slot(memory.address, 7, 1039) >= 0 and engine.find_slot(memory.address, 7, 8) == -1


def test_lockstep_and_compiled_matches_agree(plain: Game) -> None:
    names = ["mixture", "regret", "biased"]
    seating = np.array([[0, 1], [1, 0], [0, 2], [2, 1]] * 4)
    schedule = Schedule.of(3, np.arange(len(seating)), seating)
    results = []
    for compiled, batch in ((True, 1024), (False, 1024), (False, 3)):
        with Match(plain, names, 3, None, batch, compiled) as match:
            results.append(match.play(schedule).payoffs.tolist())
    assert results[0] == results[1] == results[2]


# --- strength ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*LEARNERS[:-1], pytest.param("counter", marks=pytest.mark.slow)])
def test_learners_win_from_whom_they_can_and_lose_nothing_to_uniform(name: str) -> None:
    """At least three standard errors above 0 against predictable play; within five of 0 against uniform play."""
    game = make_game("ews_rps", "plain_rps", tests=[a_test("contest", 0)] * 1000)
    weak = ("cycle", "winstay_loseshift", "frequency")
    for opponent in weak if name == "safe_exploit" else (*weak, "biased"):
        won = returns(game, name, opponent, 3)
        assert won.mean() > 3 * won.std(ddof=1) / math.sqrt(len(won)), opponent
        assert won.mean() > 0.1, opponent
    even = returns(game, name, "uniform", 20)
    assert abs(even.mean()) < 5 * math.sqrt(2 / 3 / 1000 / len(even))


@pytest.mark.parametrize("name", ["mixture", pytest.param("frequency", marks=pytest.mark.slow)])
def test_learners_win_evenings(name: str) -> None:
    """In matches of tests, too: against a biased opponent over long evenings, by more than three standard errors."""
    game = make_game("ews_rps", "long_evening")
    value = float(odds.match_value(*SYSTEM.resolve({"preset": "long_evening"})))
    won = returns(game, name, "biased", 6)
    assert value > 0 and won.mean() > 3 * won.std(ddof=1) / math.sqrt(len(won))


@pytest.mark.slow
def test_feints_cost_a_predictor_little() -> None:
    """Patterns in decided rounds are no bait: within four standard errors of the value of a fair pair of matches."""
    game = make_game("ews_rps", "long_evening")
    lost = returns(game, "mixture", "feint", 30)
    assert lost.mean() > -4 * lost.std(ddof=1) / math.sqrt(len(lost))


# --- the opponent model -----------------------------------------------------------------------------------------------


def mixture_of(policy: NativePolicy, position: Position, seat: int) -> np.ndarray:
    """The mixture over symbols that `counter` plays at a position."""
    answer(policy, position, seat)
    memory = policy.keep[-1]
    slot = (int(memory._table[engine.M_HINT]) - 1) % len(memory._numbers)
    return memory._numbers[slot, -(3 + modelling.NUMBERS) : -modelling.NUMBERS].copy()


def worst_case(policy: NativePolicy, position: Position, seat: int) -> float:
    """What `counter` earns in expectation if the other knows its mixtures and does the worst, by induction."""
    if position.over:
        return float(position.returns()[seat])
    mixture = mixture_of(policy, position, seat)
    values = []
    for other in range(3):
        total = 0.0
        for own in np.flatnonzero(mixture > 1e-12):
            child = position.clone()
            child.apply(seat, int(own))
            child.apply(1 - seat, other)
            total += mixture[own] * worst_case(policy, child, seat)
        values.append(total)
    return min(values)


@pytest.mark.parametrize("risk", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("tests", ["throws", "streaks"])
def test_a_match_costs_no_more_than_the_purse(tests: str, risk: float) -> None:
    """Exactly, against whoever knows all: its value less `risk`; and a purse is really risked (on `constant`)."""
    if tests == "throws":
        game = make_game("ews_rps", "plain_rps", tests=[a_test("contest", 0)] * 4)
    else:
        game = make_game("ews_rps", tests=[a_test("simple", 3), a_test("contest", -3)], max_rounds=2)
    value = [float(v) for v in (0, 0)] if tests == "throws" else None
    policy = native_policy(game, "counter", {"risk": risk, "trust": 1.0, "sure": kinds.NAMES.index("constant")})
    if value is None:
        resolved = SYSTEM.resolve({"options": {"tests": [a_test("simple", 3), a_test("contest", -3)], "max_rounds": 2}})
        first = float(odds.match_value(*resolved))
        value = [first, -first]
    for seat in range(2):
        worst = worst_case(policy, Position(game), seat)
        assert worst >= value[seat] - risk - 1e-9
        assert worst <= value[seat] - min(risk, 0.1) + 1e-9, "nothing is gained by risking nothing"


def test_who_shows_rock_most_is_answered_before_anything_is_seen() -> None:
    """A throw by hand: chances 0.375, 0.325, 0.3; the most of 0.075 p - 0.025 r - 0.05 s that loses 0.1 at worst."""
    game = make_game("ews_rps", "plain_rps", tests=[a_test("contest", 0)])
    for risk, expected in ((1.0, [0.0, 1.0, 0.0]), (0.1, [1 / 3, 1 / 3 + 0.1, 1 / 3 - 0.1]), (0.0, [1 / 3] * 3)):
        policy = native_policy(game, "counter", {"risk": risk, "trust": 1.0})
        for seat in (0, 1):
            np.testing.assert_allclose(mixture_of(policy, Position(game), seat), expected, atol=1e-9)


def test_biased_is_expected_whatever_was_seen(plain: Game) -> None:
    """The same weights in every round, and paper is the answer to them, though the other has shown scissors alone."""
    policy = native_policy(plain, "counter", {"risk": 1.0, "trust": 1.0, "sure": kinds.NAMES.index("biased")})
    won = after(plain, *[(0, 2)] * 5)  # there is something to risk
    np.testing.assert_allclose(mixture_of(policy, won, 0), [0.0, 1.0, 0.0], atol=1e-9)


def test_habits_are_a_persons_and_as_frequent_as_said(plain: Game) -> None:
    """By hand: after rock over scissors again rock; after scissors by rock paper, which would have won; else most rock.

    With a share of 0.25 the mixture that is played otherwise has the rest. Bounds of five standard deviations.
    """
    always, sometimes = (native_policy(plain, "counter", {"habit": share}) for share in (1.0, 0.25))
    won, lost, drawn = after(plain, (0, 2)), after(plain, (2, 0)), after(plain, (1, 1))
    assert {answer(always, won, 0, seed) for seed in range(50)} == {0}
    assert {answer(always, lost, 0, seed) for seed in range(50)} == {1}
    n = 4000
    for position in (drawn, Position(plain)):
        shown = np.bincount([answer(always, position, 0, seed) for seed in range(n)], minlength=3) / n
        np.testing.assert_allclose(shown, (0.5, 0.3, 0.2), atol=5 * 0.5 / math.sqrt(n))
    rest = mixture_of(native_policy(plain, "counter"), won, 0)
    shown = np.bincount([answer(sometimes, won, 0, seed) for seed in range(n)], minlength=3) / n
    np.testing.assert_allclose(shown, 0.25 * np.array([1.0, 0.0, 0.0]) + 0.75 * rest, atol=5 * 0.5 / math.sqrt(n))


def test_levels_have_fewer_and_fewer_habits() -> None:
    """From always to never, with a rating each; the lab asks other ones, which see what a module brings."""
    lineup = AGENTS.lineups["ews_rps"]
    shares = [float(parse_agent(name).values.get("habit", 0.0)) for name in lineup.levels]
    assert shares[0] == 1.0 and shares[-1] == 0.0 and all(a > b for a, b in pairwise(shares))
    assert len(lineup.ratings) == len(shares) and list(lineup.ratings) == sorted(lineup.ratings)
    for share in shares:
        assert share in (0.0, 1.0) or all(format(100 * share, "g") in text for text in lineup.remark)
    assert lineup.lab_levels[:5] == LEVELS[:5] and not set(lineup.lab_levels[:7]) & set(lineup.levels)


@pytest.mark.slow
def test_each_level_wins_evenings_from_the_one_below() -> None:
    """More than half by three standard errors, 1000 evenings each (docs/measurements/levels.md: 61 to 65 %)."""
    game = make_game("ews_rps", "evening")
    levels = AGENTS.lineups["ews_rps"].levels
    schedule = Schedule.of(1, np.arange(1000) // 2, np.array([[0, 1], [1, 0]] * 500))
    for below, above in pairwise(levels):
        with Match(game, [above, below], 1, None) as match:
            payoffs = match.play(schedule).payoffs
        own = np.where(schedule.seating[:, 0] == 0, payoffs[:, 0] - payoffs[:, 1], payoffs[:, 1] - payoffs[:, 0])
        points = (np.sign(own) + 1) / 2
        assert points.mean() - 0.5 > 3 * points.std(ddof=1) / math.sqrt(len(points)), above


@pytest.mark.slow
def test_the_model_wins_most_of_what_can_be_won() -> None:
    """At least 80 % of what a best response would win, in long evenings (all presets: docs/measurements/ews_rps.md)."""
    game = make_game("ews_rps", "long_evening")
    for opponent, most in (("frequency", 1.0), ("winstay_loseshift", 1.0)):
        won = returns(game, "counter", opponent, 2)
        assert won.mean() > 0.8 * most, opponent
    even = returns(game, "counter", "uniform", 20)
    assert abs(even.mean()) < 5 * even.std(ddof=1) / math.sqrt(len(even))


def test_the_lab_builds_on_nobody_who_takes_long() -> None:
    """Millions of continuations are played by the baselines of the stress lab: models of opponents are left out."""
    names = Bench(Settings("ews_rps", "well"), compiled=False).baselines()
    assert names[0] == "random" and {"meta", "regret", "frequency"} <= set(names)
    assert not {"mixture", "counter", "first"} & set(names)
