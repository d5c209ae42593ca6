"""What a decision is worth for certain: against what is known of poker by hand, and against other solvers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.base import View
from probespiel.agents.judge import Judge, Verdict
from probespiel.agents.konfrontation.equilibrium import ConfrontationSolver
from probespiel.agents.public_game import Memory, NotSolved, public_leads, public_value
from probespiel.agents.sequence_form import SequenceForm, best_plan, hidden_value
from probespiel.app.reviewing import told_of
from probespiel.app.session import review as reviewed
from probespiel.app.session.advice import Adviser
from probespiel.app.session.course import Course
from probespiel.app.session.review import Review, review
from probespiel.envs import make_game
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.replay import Recorder
from probespiel.envs.ews_rps import odds
from probespiel.envs.ews_rps.system import SYSTEM as EWS_RPS
from probespiel.envs.konfrontation.system import SYSTEM as KONFRONTATION

JACK, QUEEN, KING = range(3)
PASS, BET = 0, 1


def dealt(game: Game, cards: tuple[int, int], moves: tuple[int, ...] = ()) -> Position:
    """Kuhn poker in the middle; the second card falls among the two that are left."""
    position = game.position()
    position.fall(cards[0])
    position.fall(cards[1] - (cards[1] > cards[0]))
    for move in moves:
        position.apply(position.to_act()[0], move)
    return position


def verdict(judge: Judge, position: Position, seat: int) -> Verdict:
    found = judge.of(View.of(position, seat, 1, 1))
    assert found is not None
    return found


@pytest.mark.parametrize(("cards", "moves", "values", "shares"), [
    ((KING, JACK), (BET,), {PASS: -1.0, BET: -2.0}, {PASS: 1.0, BET: 0.0}),
    ((KING, QUEEN), (BET,), {PASS: -1.0, BET: -1.0}, {PASS: 2 / 3, BET: 1 / 3}),  # one bluff to three kings
    ((JACK, KING), (BET,), {PASS: -1.0, BET: 2.0}, {PASS: 0.0, BET: 1.0}),
    ((JACK, KING), (PASS,), {PASS: 1.0}, None),
    ((KING, QUEEN), (PASS, BET), {PASS: -1.0, BET: 2.0}, {PASS: 0.0, BET: 1.0}),
    ((JACK, QUEEN), (PASS, BET), {PASS: -1.0, BET: -2.0}, {PASS: 1.0, BET: 0.0}),
    ((QUEEN, JACK), (PASS, BET), {PASS: -1.0, BET: -1.0}, None),  # called in a third of deals more than it bluffs
    ((JACK, QUEEN), (), {PASS: -1.0, BET: -1.0}, None),
    ((QUEEN, KING), (), {PASS: -1 / 3}, {PASS: 1.0, BET: 0.0}),
    ((KING, QUEEN), (), {PASS: 7 / 6, BET: 7 / 6}, None),
])  # fmt: skip
def test_kuhn_poker_by_hand(
    cards: tuple[int, int], moves: tuple[int, ...], values: dict[int, float], shares: dict[int, float] | None
) -> None:
    """After Kuhn (1950). A king bets or is bet into by the bluff of a jack in a third of all deals: 2/3 + 1/3 + 1/6."""
    judge = Judge(make_game("kuhn"))
    position = dealt(judge.game, cards, moves)
    found = verdict(judge, position, position.to_act()[0])
    for action, value in values.items():
        assert found.values[action] == pytest.approx(value, abs=1e-6), action
    if shares is not None:
        assert found.shares == pytest.approx(shares, abs=1e-5)
        assert found.mixed == (0.1 < shares[PASS] < 0.9)


def test_the_first_decisions_are_together_worth_the_game() -> None:
    judge = Judge(make_game("kuhn"))
    worth = [max(verdict(judge, dealt(judge.game, (a, (a + 1) % 3)), 0).values.values()) for a in range(3)]
    assert np.mean(worth) == pytest.approx(-1 / 18, abs=1e-6) == pytest.approx(hidden_value(judge.game, 100))


def test_where_play_without_error_never_leads_nothing_is_told() -> None:
    """Were the first seat never to bet, nobody could tell what a call of its bet is worth."""
    judge = Judge(make_game("kuhn"))
    after_bet, after_pass = (View.of(dealt(judge.game, (KING, QUEEN), (move,)), 1, 1, 1) for move in (BET, PASS))
    assert judge.of(after_bet) is not None and judge._plans is not None
    form, plans = judge._plans
    never = form.plan(0, form.chances(0, np.tile([1.0, 0.0], form.tree.n_states)))
    judge._plans = form, (never, plans[1])
    assert judge.of(after_bet) is None and judge.of(after_pass) is not None


def walk(game: Game, seed: int) -> Iterator[tuple[Position, int]]:
    """Every decision with a choice of a random game, also with what others have sealed."""
    lot, position = random.Random(seed), game.position()
    while not position.over:
        if faces := position.die():
            position.fall(lot.randrange(faces))
            continue
        seat = lot.choice(position.to_act())
        if len(position.legal(seat)) > 1:
            yield position, seat
        position.apply(seat, lot.choice(position.legal(seat)))


@pytest.mark.parametrize(("name", "scenario"), [("leduc", None), ("goofspiel", None), ("goofspiel", "four_open")])
def test_what_is_drawn_is_worth_the_most(name: str, scenario: str | None) -> None:
    """No action is worth more than one that play without error draws; where it never leads nothing is told."""
    judge, tried = Judge(make_game(name, scenario)), 0
    for seed in range(12):
        for position, seat in walk(judge.game, seed):
            found = judge.of(View.of(position, seat, 1, 1))
            if found is None:
                continue
            tried += 1
            assert set(found.values) == set(position.legal(seat)) and sum(found.shares.values()) == pytest.approx(1.0)
            for action, share in found.shares.items():
                assert share < 1e-5 or found.values[action] == pytest.approx(max(found.values.values()), abs=1e-4)
    assert tried > 30 and not judge.too_much


@pytest.mark.parametrize("name", ["leduc", "goofspiel"])
def test_plans_that_keep_all_they_can_are_best(name: str) -> None:
    form = SequenceForm(make_game(name), 40_000)
    plans = [best_plan(form, seat) for seat in (0, 1)]
    assert plans[0].value == pytest.approx(-plans[1].value, abs=1e-7) == pytest.approx(hidden_value(form.game, 40_000))
    for seat in (0, 1):
        answer, _ = form.best(1 - seat, plans[seat].plan)
        assert -answer == pytest.approx(plans[seat].value, abs=1e-6), "nobody gains more against it"


@pytest.mark.parametrize("scenario", KONFRONTATION.scenarios("konfrontation-clash"))
def test_clashes(scenario: str) -> None:
    """The solver that knows the rules of bidding values every decision alike, whatever the other has sealed."""
    game = make_game("konfrontation-clash", scenario)
    solver, judge, tried = ConfrontationSolver(game), Judge(game), 0
    for seed in range(4):
        for position, seat in walk(game, seed):
            open_to_all = View.of(position, seat, 1, 1).world()
            true = solver.value(open_to_all) * (1.0 if seat == 0 else -1.0)
            found = verdict(judge, position, seat)
            assert max(found.values.values()) == pytest.approx(true, abs=1e-7)
            tried += 1
    assert tried >= 8


@pytest.mark.parametrize("scenario", ["hack", "grapple", "table_simple", "table_contest", "even_contest"])
def test_symbols_are_worth_the_odds(scenario: str) -> None:
    """At the start of a match that is the sum of the odds of its tests, whatever is shown."""
    judge = Judge(make_game("ews_rps", scenario))
    true = float(odds.match_value(*EWS_RPS.resolve({"preset": scenario})))
    position, _ = next(walk(judge.game, 1))
    for seat in position.to_act():
        found = verdict(judge, position, seat)
        assert list(found.values.values()) == pytest.approx(
            [true if seat == 0 else -true] * len(found.values), abs=1e-9
        )


def test_hints_agree_with_what_is_solved() -> None:
    """Every first action of a hint is worth the most, in clashes, rock-paper-scissors and poker."""
    for name in ("konfrontation-clash", "ews_rps", "kuhn", "leduc", "goofspiel"):
        game, adviser, tried = make_game(name), Adviser(sims=20), 0
        judge = Judge(game)
        for seed in range(3):
            for position, seat in walk(game, seed):
                view = View.of(position, seat, 1, 1)
                if tried < 12 and (found := judge.of(view)) is not None:
                    counsel = adviser.best(game, view)
                    assert counsel.best[0].exact and not counsel.blind and counsel.mixed == found.mixed
                    assert counsel.best[0].value == pytest.approx(max(found.values.values()), abs=1e-6)
                    tried += 1
        adviser.close()
        assert tried >= 4, name


def test_what_is_too_large_or_hidden_is_not_judged() -> None:
    campaign = Judge(make_game("konfrontation-campaign"))
    position, seat = next(walk(campaign.game, 0))
    assert campaign.of(View.of(position, seat, 1, 1)) is None and campaign.too_much
    duel = Judge(make_game("einblatt-duel"))
    position, seat = next(walk(duel.game, 0))
    assert duel.of(View.of(position, seat, 1, 1)) is None and not duel.too_much


def test_a_memory_changes_no_value_and_forgets_what_was_left_in_the_middle() -> None:
    game = make_game("ews_rps", "even_contest")
    past = {*EWS_RPS.bookkeeping, *EWS_RPS.counted}
    position, _ = next(walk(game, 0))
    fresh, memory = public_leads(position, past), Memory(10_000)
    with pytest.raises(NotSolved, match="too many positions"):
        public_leads(position, past, 100, memory)
    for _ in range(3):
        assert public_leads(position, past, 5_000, memory) == pytest.approx(fresh, abs=1e-12)
    assert public_leads(position, past, 20, memory) == pytest.approx(fresh, abs=1e-12), "known by now"
    assert fresh.shape == (3, 3) and public_value(game, past).value == pytest.approx(0.0, abs=1e-9)


# Luck and skill of choices that do not see each other


def matched(first: float, other: float, both: float) -> Review:
    """Of one round: worth 0 before; with the first choice, with the second one alone, and with both of them."""
    nothing = np.full(2, np.nan)
    worth = np.array([[0.0, 0.0], [first, -first], [both, -both]])
    return Review(
        np.array([0, 1, 2]), worth, np.array([[0.3] * 2, [0.4] * 2, [0.0] * 2]), np.array([-1, 0, 1]), 100, "uniform",
        (), alone=np.array([nothing, nothing, [other, -other]]), unsure=np.array([nothing, nothing, [0.4, 0.4]]),
        since=np.array([0, 0, 0]),
    )  # fmt: skip


def test_how_choices_met_is_luck() -> None:
    """Rock was worth 1/8 to the first seat, the other's choice -1/4 to it; together they are worth 1: 9/8 of luck."""
    found = matched(0.125, -0.25, 1.0)
    assert found.share(0, 0) == (0.125, pytest.approx(0.5)) and found.share(0, 1) == (-0.25, pytest.approx(0.5))
    luck, error = found.share(0, -1)
    assert luck == 1.125 and error == pytest.approx((0.3**2 + 0.4**2 + 0.4**2) ** 0.5)
    assert found.share(1, 1)[0] == 0.25 and found.share(1, -1)[0] == -1.125
    assert [(place, value) for place, value, _ in found.moves(0, -1)] == [(2, 1.125)]
    assert [(place, value) for place, value, _ in found.moves(0, 1)] == [(2, -0.25)]
    assert not found.met(1) and found.met(2)


@pytest.mark.parametrize("solved", [True, False])
def test_a_symbol_that_happens_to_win_is_no_skill(solved: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """One test, won by paper against rock: no symbol is worth more, solved or between players of all symbols alike."""
    if not solved:
        monkeypatch.setattr(Judge, "worths", lambda *_: None)
    recorder = Recorder(make_game("ews_rps", "hack"))
    paper, rock = (recorder.position.game.actions.parse(code) for code in ("paper", "rock"))
    while not recorder.position.over:
        for seat, symbol in ((0, paper), (1, rock)):
            if seat in recorder.position.to_act():
                recorder.apply(
                    seat, symbol if symbol in recorder.position.legal(seat) else recorder.position.legal(seat)[0]
                )
    course = Course(recorder.replay())
    paid = course.positions[-1].returns()[0]
    found = review(course, 2.0)
    assert abs(paid - found.values[0, 0]) > 0.5 and found.exact == solved
    assert found.baseline == ("" if solved else "uniform")
    for seat in (0, 1):
        value, error = found.share(0, seat)
        assert abs(value) < max(2 * error, 0.05), "a decision of nobody"
    assert found.share(0, -1)[0] == pytest.approx(paid - found.values[0, 0], abs=0.3)
    assert all(one.lost == 0.0 for one in found.judged)
    told = told_of(course, found, 0, "en")
    assert "how the choices met is luck" in told.method and "how the choices met" in {
        fell for _, fell, _ in told.chances
    }
    assert sum(found.share(0, mover)[0] for mover in (-1, 0, 1)) == pytest.approx(paid - found.values[0, 0])


@pytest.mark.parametrize(("due", "movers", "found"), [
    ([(0, 1), (1,), (0,)], [0, 1, 0], {2: 0}),
    ([(0,), (1,), (0,)], [0, 1, 0], {}),  # in turn
    ([(0, 1), (0, 1), (1,)], [0, 0, 1], {3: 1}),  # the first is asked once more
    ([(0, 1, 2), (1, 2), (2,)], [0, 1, 2], {2: 0, 3: 0}),
    ([(0, 1), (), (1,)], [0, None, 1], {}),  # a die between them
])  # fmt: skip
def test_who_chose_without_seeing_the_others(
    due: list[tuple[int, ...]], movers: list[int | None], found: dict[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Steps:
        positions = [SimpleNamespace(to_act=lambda now=now: now) for now in due]

        def __len__(self) -> int:
            return len(due)

        def step(self, number: int) -> Any:
            seat = movers[number - 1]
            return reviewed.Die(6, 0) if seat is None else reviewed.Choice(seat, 0)

    assert reviewed._together(cast(Course, Steps())) == found
