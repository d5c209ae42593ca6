"""The analysis of games that can be solved: every moment is worth what play without error pays from there on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import View
from probespiel.agents.judge import UNREACHED, Judge, _profile
from probespiel.agents.public_game import TooMany
from probespiel.app.reviewing import told_of
from probespiel.app.session.advice import Exactly
from probespiel.app.session.course import Course
from probespiel.app.session.review import Review, review
from probespiel.app.terminal.analysis import lines_of
from probespiel.envs import make_game
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.replay import Recorder
from tests.test_coach_odds import a_fight

PASS, BET = 0, 1
JACK, QUEEN, KING = range(3)


def kuhn(first: int, second: int, moves: Sequence[int]) -> Course:
    recorder = Recorder(make_game("kuhn"))
    recorder.fall(first)
    recorder.fall(second - (second > first))
    for number, move in enumerate(moves):
        recorder.apply(number & 1, move)
    return Course(recorder.replay())


def played(game: Game, seed: int, asked: int = 0) -> Course:
    """A game of players by chance, of those who choose at once the first (0) or the last (-1) asked first."""
    lot, recorder = random.Random(seed), Recorder(game)
    while not recorder.position.over:
        if faces := recorder.position.die():
            recorder.fall(lot.randrange(faces))
        else:
            seat = recorder.position.to_act()[asked]
            recorder.apply(seat, lot.choice(recorder.position.legal(seat)))
    return Course(recorder.replay())


def analysed(course: Course) -> Review:
    return review(course, 0.5)


def shares(found: Review) -> list[float]:
    """What chance, the first and the second seat did for the first one."""
    return [found.share(0, mover)[0] for mover in (-1, 0, 1)]


def test_who_calls_with_a_jack_loses_one_by_it_and_the_rest_is_luck() -> None:
    """By hand: the game is worth -1/18 (Kuhn 1950); a jack that calls loses 2 where it would have lost 1."""
    found = analysed(kuhn(JACK, KING, (PASS, BET, BET)))
    assert found.exact and found.hidden and found.games == 0 and not found.errors.any()
    assert found.values[0].tolist() == pytest.approx([-1 / 18, 1 / 18])
    assert found.values[-1].tolist() == [-2, 2]
    assert shares(found) == pytest.approx([-17 / 18, -1.0, 0.0])
    assert [(one.number, one.lost) for one in found.judged if one.lost] == [(5, pytest.approx(1.0))]


def test_a_king_that_folds_loses_three_and_the_other_has_earned_them() -> None:
    """By hand: whoever bets into a king loses 2 to a call and wins 1 by a fold; for the first seat that is luck."""
    found = analysed(kuhn(JACK, KING, (BET, PASS)))
    assert shares(found)[2] == pytest.approx(3.0) and found.share(1, 1)[0] == pytest.approx(-3.0)
    assert shares(found)[1] == pytest.approx(0.0), "a bluff with a jack is one of the best moves"
    assert sum(shares(found)) == pytest.approx(1 + 1 / 18)


def test_a_move_as_good_as_any_is_no_skill_whatever_comes_of_it() -> None:
    """A queen that calls a bet is as good as one that folds: against a jack that wins 2, and against a king loses 2."""
    for other, paid in ((JACK, -2.0), (KING, 2.0)):
        found = analysed(kuhn(other, QUEEN, (BET, BET)))
        assert found.values[-1, 0] == paid and shares(found)[1:] == pytest.approx([0.0, 0.0])
        told = told_of(kuhn(other, QUEEN, (BET, BET)), found, 0, "en")
        assert [text for *_, text in told.chances].count("+0.00") < len(told.chances)
        assert "how the choice met what was hidden" in [fell for _, fell, _ in told.chances]


def expected(judge: Judge, position: Position) -> float:
    """What seat 0 gets if each plays as the judge says that somebody without error does, one line after the other."""
    if position.over:
        return float(position.returns()[0])
    if faces := position.die():
        total = 0.0
        for fell in range(faces):
            after = position.clone()
            after.fall(fell)
            total += expected(judge, after) / faces
        return total
    seat = position.to_act()[0]
    verdict = judge.of(View.of(position, seat, 0))
    assert verdict is not None, position.told(seat, "en")
    total = 0.0
    for action, share in verdict.shares.items():
        if share > 1e-9:
            after = position.clone()
            after.apply(seat, action)
            total += share * expected(judge, after)
    return total


@pytest.mark.parametrize("first", [JACK, QUEEN, KING])
def test_a_position_is_worth_what_its_lines_pay(first: int) -> None:
    """Each deal and each position of each line of Kuhn poker, by going through all that may follow."""
    game = make_game("kuhn")
    judge, tried = Judge(game), 0
    for second in {JACK, QUEEN, KING} - {first}:
        for moves in ((PASS, PASS), (PASS, BET, PASS), (PASS, BET, BET), (BET, PASS), (BET, BET)):
            course = kuhn(first, second, moves)
            found = judge.worths(course.positions, course.replay.steps)
            assert found is not None and found.first == 0
            tried += len(found.worth)
            paid = [expected(judge, position) for position in course.positions]
            assert found.worth == pytest.approx(paid, abs=1e-6)
    assert tried == 2 * (5 + 6 + 6 + 5 + 5)


def test_off_its_plan_a_seat_plays_what_is_best() -> None:
    """In Leduc poker: whoever has done what no plan of its own does goes on with what the other's plan leaves best."""
    judge = Judge(make_game("leduc"))
    solved = judge._solved_whole()
    assert solved is not None
    form, plans = solved
    profile, tried = _profile(form, plans), 0
    for seat in (0, 1):
        side, (gains, reached) = form.sides[seat], form.answers(seat, plans[1 - seat])
        chances = form.chances(seat, profile)
        for info, parent in enumerate(side.parent):
            here = slice(int(side.starts[info]), int(side.starts[info + 1]))
            assert chances[here].sum() == pytest.approx(1.0)
            if reached[info] > UNREACHED and plans[seat][parent] <= UNREACHED:
                tried += np.ptp(gains[here]) > 0.1
                assert chances[here] @ gains[here] == pytest.approx(gains[here].max(), abs=1e-4)
    assert tried > 20


def test_leduc_poker_is_worth_what_is_known_of_it() -> None:
    """-0.0856 to the first seat (Southey et al. 2005 and many since); chance and decisions make the whole way."""
    found = analysed(played(make_game("leduc"), 3))
    assert found.exact and found.hidden and found.values[0, 0] == pytest.approx(-0.0856, abs=1e-4)
    assert sum(shares(found)) == pytest.approx(found.values[-1, 0] - found.values[0, 0])


@pytest.mark.parametrize(("game", "scenario"), [("leduc", None), ("goofspiel", None), ("konfrontation-clash", None)])
def test_skill_is_what_was_lost_and_luck_the_rest(game: str, scenario: str | None) -> None:
    """Of games played by chance; in a game of two what one loses the other gets."""
    lost = 0.0
    for seed in (5, 6):
        found = analysed(played(make_game(game, scenario), seed))
        assert found.exact and not np.isnan(found.values).any()
        losses = [found.lost_by(seat)[0] for seat in (0, 1)]
        assert shares(found)[1:] == pytest.approx([-losses[0], losses[1]], abs=1e-5)
        lost += sum(losses)
    assert lost > 0.1, "somebody who plays by chance errs"


@pytest.mark.parametrize("asked", [0, -1])
def test_a_choice_that_others_do_not_see_is_worth_its_mixture(asked: int) -> None:
    """A clash in its course: with one bid made, the other still answers as if nothing were known."""
    game = make_game("konfrontation-clash")
    course = played(game, 1, asked)
    found = Exactly(game).worths(course.positions, course.replay.steps)
    assert found is not None
    met = [n for n in range(1, len(course)) if len(course.positions[n - 1].to_act()) == 2]
    assert met
    for number in met:
        step: Any = course.step(number)
        verdict = Judge(game).of(View.of(course.positions[number - 1], step.seat, 0))
        if verdict is not None:
            value = verdict.values[step.action] * (1 if step.seat == 0 else -1)
            assert found.worth[number] == pytest.approx(value, abs=1e-6)


def test_an_evening_of_rock_paper_scissors_is_solved_from_its_deal_on() -> None:
    """What the tests are drawn from cannot be counted out; nobody chose before, and no symbol loses anything after."""
    course = played(make_game("ews_rps"), 0)
    found = analysed(course)
    first = int(found.numbers[0])
    known = Exactly(course.game).worths(course.positions, course.replay.steps)
    assert (
        known is not None
        and np.isnan(known.worth[: known.first]).all()
        and np.isfinite(known.worth[known.first :]).all()
    )
    assert found.exact and not found.hidden and first > 0
    assert all(not course.positions[n].to_act() for n in range(first)), "dice alone"
    assert shares(found)[1:] == pytest.approx([0.0, 0.0], abs=1e-6)
    told = told_of(course, found, 0, "en")
    assert f"after step {first}, before anybody chose" in told.way and "solved" in told.method
    assert "±" not in "\n".join([*lines_of(told, "en"), told.way]).split("\n\n")[1]
    assert "ist gelöst" in told_of(course, found, 0, "de").method


def test_a_fight_in_turns_is_solved_where_its_dice_can_be_counted() -> None:
    """A last round of Scorekeeper's duel, whole: chance is what dice did, a decision what it lost."""
    game, lost = a_fight(random.Random(3)), 0.0
    for seed in range(2):
        course = played(game, seed)
        found = analysed(course)
        assert found.exact and not found.hidden and found.values[-1].tolist() == list(course.replay.payoffs)
        losses = [found.lost_by(seat)[0] for seat in (0, 1)]
        assert shares(found)[1:] == pytest.approx([-losses[0], losses[1]], abs=1e-9)
        assert "All of it is exact." in told_of(course, found, 0, "en").method
        lost += sum(losses)
    assert lost > 0.02
    assert not analysed(played(make_game("scorekeeper-duel"), 1)).exact, "a whole duel has too many positions"


def test_after_an_error_a_search_judges_and_the_text_says_so() -> None:
    """Nobody who plays Goofspiel well wins with those bids; what is told there has an interval."""
    course = played(make_game("goofspiel"), 6)
    found = analysed(course)
    assert found.exact and any(option.error for one in found.judged for option in one.options)
    told = told_of(course, found, 0, "en")
    assert "a search judged decisions (values with ±)" in told.method and "All of it is exact" not in told.method
    assert "eine Suche" in told_of(course, found, 0, "de").method


def test_values_of_two_kinds_make_no_course(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a position behind a choice is not known, all moments are valued by games that go on from them."""
    course = played(make_game("konfrontation-clash"), 1)
    judge, known = Judge(course.game), Judge._worth
    assert judge.worths(course.positions, course.replay.steps) is not None
    middle = next(n for n in range(2, len(course)) if len(course.positions[n].to_act()) == 2)

    def worth(self: Judge, here: Position) -> float:
        if here is course.positions[middle]:
            raise TooMany("too much is left")
        return known(self, here)

    monkeypatch.setattr(Judge, "_worth", worth)
    monkeypatch.setattr(Judge, "_beside_hidden", lambda *_: None)
    found = analysed(course)
    assert not found.exact and found.games > 0 and found.errors[:-1].any()
