"""Intervals and bounds of tournaments, by hand: what they rest on, how wide they are, and what they leave open."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.evaluation.report.wording import dominance_sentence, nash_sentence
from probespiel.evaluation.tournament import blocks
from probespiel.evaluation.tournament import metagame as mg
from probespiel.evaluation.tournament import results as rs
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.blocks import block_sums
from probespiel.evaluation.tournament.confidence import Sequence
from probespiel.evaluation.tournament.plan import TournamentError
from probespiel.evaluation.tournament.rare import payoffs_of_units
from probespiel.evaluation.tournament.sequential import Race, Until
from tests.synthetic import by_matrix, tournament
from tests.test_exact_tournament import told

# The analysis


def test_one_block_has_no_intervals() -> None:
    s = analyse(tournament(2, by_matrix(np.zeros((2, 2)), 1.0), blocks=1, deals=6), ["a", "b"], 1, resamples=30)
    assert s.resamples == 0 and s.matrix_error is None and s.matrix_low is None and s.joint_low is None
    assert [(row.payoff_interval, row.wins_interval, row.rating_interval) for row in s.leaderboard] == [(None,) * 3] * 2
    assert s.warnings[0].startswith("Fewer than two seed blocks")
    two = analyse(tournament(2, by_matrix(np.zeros((2, 2)), 1.0), blocks=2, deals=6), ["a", "b"], 1, resamples=30)
    assert two.resamples == 30 and two.row("a").payoff_interval is not None


def test_errors_of_pairs_are_deviations_of_a_few_resamples() -> None:
    """Of five resamples, whose sum of squares is divided by four."""
    table = tournament(3, by_matrix(np.zeros((3, 3)), 1.0), blocks=8, seed=2)
    drawn = mg.payoff_matrix(block_sums(table, 3).resample(5, 4))
    s = analyse(table, list("abc"), 4, resamples=5)
    assert s.matrix_error is not None
    away = drawn[:, 0, 1] - drawn[:, 0, 1].mean()
    assert s.matrix_error[0][1] == pytest.approx(float(np.sqrt((away**2).sum() / 4))) and away.any()


def test_decisions_are_those_of_a_seat() -> None:
    """`a` has two seats of one game, and decides 3 and 5 times there."""
    rows = {name: [0] * 5 for name in rs.SCHEMA.names}
    rows |= {"seat": [0, 1, 2, 3, 4], "team": [0, 0, 1, 1, 1], "agent": [0, 0, 1, 1, 1], "payoff": [2, 4, -2, -2, -2],
             "result": [1, 1, -1, -1, -1], "decisions": [3, 5, 1, 1, 4]}  # fmt: skip
    s = analyse(rs.make_table(rows), ["a", "b"], 1, resamples=0)
    assert (s.row("a").games, s.row("a").decisions, s.row("b").decisions) == (1.0, 4.0, 2.0)


def test_who_is_dominated_by_two_together_is_dominated_by_neither() -> None:
    """Half `a` and half `b` get -2.5, 2.5, 1 and 1.5 where `c` gets -4, 2, 0 and 1: more by 0.5 at least.

    Of 4,000 deals a pair, each of six pairs having its 360th, 0.147 % may have been paid by up to 10 otherwise.
    """
    m = np.array([[0.0, 5, 4, 0], [-5, 0, -2, 3], [-4, 2, 0, 1], [0, -3, -1, 0]])
    assert (m + m.T == 0).all() and ((m[0] + m[1]) / 2 > m[2]).all()
    s = analyse(tournament(4, by_matrix(m), deals=200), list("abcd"), 1, resamples=20)
    assert s.metagame is not None
    verdict, room = s.metagame.verdicts[2], 10 * (1 - (1 / 360) ** (1 / 4000))
    assert verdict.dominated and verdict.dominator is None and verdict.mixture is not None
    assert verdict.mixture == pytest.approx((0.5, 0.5, 0.0, 0.0), abs=room / 2)
    assert verdict.margin is not None and 0.5 - 2 * room <= verdict.margin < 0.5  # the room of the mixture, and of `c`


def test_resamples_are_drawn_in_parts_that_end_with_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two units three resamples fit into six cells: seven are drawn as three, three and one, two units each."""
    monkeypatch.setattr(blocks, "_CHUNK_CELLS", 6)
    drawn = list(blocks._weights(np.array([0, 0]), 7, 1))
    assert [part.shape for part in drawn] == [(3, 2), (3, 2), (1, 2)]
    assert {float(row.sum()) for part in drawn for row in part} == {2.0}


def test_who_met_nobody_else_is_paid_what_its_seats_were() -> None:
    """Two seats with two games each that earned 3 and 1: 4 / 4; their points, 1 and 0, are no payoff."""
    kinds = [None, None, None, [[2.0, 2.0]], [[3.0, 1.0]], [[1.0, 0.0]]]
    matrices = tuple(SimpleNamespace(toarray=lambda kind=kind: np.array(kind)) for kind in kinds)
    alone = SimpleNamespace(n_agents=1, n_seats=2, matrices=matrices, means=lambda kind, rows: np.full((1, 1), np.nan))
    assert payoffs_of_units(cast(Any, alone)).tolist() == [[1.0]]


def test_who_played_nothing_neither_always_won_nor_always_lost() -> None:
    row = analyse(tournament(2, by_matrix(np.zeros((2, 2)), 1.0), blocks=1), ["a", "b"], 1, resamples=0).row("a")
    some = replace(row, wins=0.0, draws=0.0, losses=1.0, games=1.0)
    assert (some.never_won, some.never_lost) == (True, False)
    assert (replace(some, draws=0.5).never_won, replace(some, wins=0.5).never_won) == (False, False)
    none = replace(some, losses=0.0, games=0.0)
    assert (none.never_won, none.never_lost) == (False, False)


# Sequential tests


def test_a_number_outside_of_what_games_pay_ends_a_race() -> None:
    """1.5 of a range up to 1; a mean that does not count may be anything."""
    sequence = Sequence(2, 1.0, 0.05, 100)
    with pytest.raises(TournamentError, match=r"a difference of 1\.5 is outside of what the game's payoffs allow, 1: "):
        sequence.add(np.array([[0.5, 0.0], [-1.5, 0.0]]))
    sequence.add(np.array([[1.0, -1.5]]), np.array([True, False]))
    assert sequence.n.tolist() == [1, 0]


def test_a_lead_that_may_be_nothing_is_not_known() -> None:
    """Of pairs that earn between 0 and 1, -1 and 0, and a little more and less than that."""
    race = Race(Until("ranking"), ("a", "b", "c"), (-1.0, 1.0), 10, 100)
    race._from_field = False
    low, high = np.array([0.0, -1.0, 1e-9]), np.array([1.0, 0.0, 1.0])
    race._sequence.low, race._sequence.high = low, high
    assert race.signs.tolist() == [2, 2, 1]
    race._sequence.low, race._sequence.high = -high, -low
    assert race.signs.tolist() == [2, 2, -1]


def test_deviations_are_told_from_the_first_number_on() -> None:
    """Before any number half the range; then the square of a tenth of the range counts as one number more.

    0.5 of a range of 2 from -1 to 1 is 0.25 of one: 0.01 by two numbers. With -0.5: 0.01 and 0.125 by three.
    """
    sequence = Sequence(1, 1.0, 0.05, 100)
    assert sequence.deviation.tolist() == [1.0]
    sequence.add(np.array([[0.5]]))
    assert sequence.deviation == pytest.approx([2 * math.sqrt(0.01 / 2)])
    sequence.add(np.array([[-0.5]]))
    assert sequence.deviation == pytest.approx([2 * math.sqrt((0.01 + 0.125) / 3)])


def test_what_is_still_to_come_ends_with_the_last_number() -> None:
    sequence = Sequence(1, 1.0, 0.05, 4)
    sequence.add(np.array([[0.5]]))
    assert sequence.to_come() == pytest.approx(sequence.deviation * math.sqrt(1 - 1 / 4))
    sequence.add(np.array([[0.5]] * 3))
    assert sequence.to_come().tolist() == [0.0]


@pytest.mark.parametrize(("numbers", "planned"), [(0, 400), (300, 400)])
def test_how_far_a_mean_must_be_to_be_told_from_nothing(numbers: int, planned: int) -> None:
    """One of six bettors needs ln 6 beyond ln(2 / 0.05); with hardly a spread the largest bet, 0.95 / 0.53, decides.

    That of c = 0.53 loses 0.95 of its capital at most: so many ranges of 2 must be won with it.
    """
    sequence = Sequence(1, 1.0, 0.05, planned)
    sequence.add(np.zeros((numbers, 1)))
    bound = math.log(40)
    gain = bound + math.log(6)
    by_spread = (gain + bound) / math.sqrt(2 * bound) * float(sequence.deviation[0]) / math.sqrt(planned)
    by_bet = gain / (planned * 0.95 / 0.53) * 2
    assert (by_spread > by_bet) == (numbers == 0)
    assert sequence.reach() == pytest.approx([max(by_spread, by_bet)])


def test_the_bold_bettor_says_nothing_of_means_beyond_its_own() -> None:
    """All of 200 numbers at the upper end: three bettors rule out so much, the others nothing above 0.03 of one.

    A bettor with the weight w has ln of its capital 200 (y - y^2 / 2 + y^3 / 3 - g y^4) with y = w (1/2 - m) and
    g = (-ln(1 - w) - w - w^2 / 2 - w^3 / 3) / w^4.
    """
    sequence = Sequence(1, 1.0, 0.05, 1000)
    sequence.add(np.ones((200, 1)))
    sequence.look()
    m = float(sequence.low[0]) / 2
    capital = 0.0
    for share in (1.0, 0.3, 0.1):
        w = min(math.sqrt(2 * math.log(40) / (share * 1000 * 0.25)), 0.95)
        y, g = w * (0.5 - m), (-math.log1p(-w) - w - w**2 / 2 - w**3 / 3) / w**4
        capital += math.exp(200 * (y - y**2 / 2 + y**3 / 3 - g * y**4))
    assert 0.03 < m < 0.5 and capital / 6 == pytest.approx(40, rel=1e-6)
    assert sequence.high.tolist() == [1.0]


@pytest.mark.parametrize(("done", "planned", "length"), [
    (0, 30, 10), (0, 11, 11), (0, 12, 10),  # ten blocks at first; one more is not left alone
    (16, 20, 2), (16, 19, 3), (16, 18, 2), (16, 17, 1),  # two for sixteen before: three, where one would be left
    (24, 40, 3), (8, 40, 2),
])  # fmt: skip
def test_no_round_of_one_block_is_left(done: int, planned: int, length: int) -> None:
    watch = Race(Until("ranking"), ("a", "b"), (-1.0, 1.0), planned, 10 * planned)
    watch.blocks = done
    found = watch.round()
    assert found is not None and found == (range(done, done + length), (0,))


def test_who_earns_more_is_told_whichever_of_a_pair_it_is() -> None:
    """c earns more than a and b, b more than a: of every pair it is the second."""
    text = told(Until("ranking"), "abc", [-3.0, -4.0, -2.0], [-1.0, -2.0, -0.5]).decision().text
    assert ": b earns more than a; c earns more than a and b (after" in text


# Matrices of payoffs


def test_the_hardest_opponent_is_chosen_on_one_half_and_measured_on_the_other() -> None:
    """Row 0: column 1 on the first half, which takes 1 on the second; column 2 on the second, 1 on the first: 1.

    Row 1: column 2 on both, 2 and 3; row 2 loses to nobody.
    """
    first = np.array([[0.0, -2, -1], [2, 0, -3], [1, 3, 0]])
    second = np.array([[0.0, -1, -4], [1, 0, -2], [4, 2, 0]])
    assert mg.cross_fitted_exploitability(first, second).tolist() == [1.0, 2.5, 0.0]


def test_who_is_as_good_somewhere_does_not_dominate_strictly() -> None:
    strict, weak = mg.pure_dominance(np.array([[0.0, 0, 1], [0, 0, 0], [-1, 0, 0]]))
    assert not strict.any() and np.argwhere(weak).tolist() == [[0, 1], [0, 2], [1, 2]]
    strict, _ = mg.pure_dominance(np.array([[0.0, 1, 1], [-1, 0, 2], [-1, -2, 0]]))
    assert np.argwhere(strict).tolist() == [[0, 2]], "who gets 2 where 0 gets 1 is not dominated"


def test_a_mixture_that_dominates_is_the_one_with_the_largest_least_lead() -> None:
    """Half `a` and half `b` lead by 1.5, 0.5, 1 and 0.5; `a` alone leads by more in all, but not everywhere."""
    m = np.array([[0.0, 5, 4, 0], [-5, 0, -2, 3], [-4, 2, 0, 1], [0, -3, -1, 0]])
    found = mg.mixed_domination(m, 2)
    assert found.weights == pytest.approx([0.5, 0.5, 0.0, 0.0]) and found.margin == pytest.approx(0.5)
    assert found.strict and found.weak and found.gain > 3.5


def test_what_a_mixture_may_win_beside_the_equilibrium_does_not_bend_it() -> None:
    """a and b fare alike against each other; from c, which nobody plays, one wins 1 and the other 3: half of each."""
    m = np.array([[0.0, 0, 1], [0, 0, 3], [-1, -3, 0]])
    assert mg.max_entropy_nash(m) == pytest.approx([0.5, 0.5, 0.0], abs=1e-6)


def test_small_weights_of_a_mixture_are_named_down_to_half_a_hundredth() -> None:
    assert mg.mixture_text([0.957, 0.038, 0.005, 0.0049], "abcd") == "0.96 a + 0.04 b + 0.01 c"


# What is said of them


@pytest.mark.parametrize(("mixture", "against"), [
    ((0.0, 1.0, 0.0), "b"), ((1.0, 0.0, 0.0), "itself"), ((0.5, 0.5, 0.0), "0.50 a + 0.50 b"),
])  # fmt: skip
def test_the_best_answer_is_named_alone_where_it_answers_one(mixture: tuple[float, ...], against: str) -> None:
    m = np.array([[0.0, 1, 2], [-1, 0, 1], [-2, -1, 0]])
    s = analyse(tournament(3, by_matrix(m)), list("abc"), 1, resamples=20)
    assert s.metagame is not None
    verdict = replace(s.metagame.verdicts[0], dominated=False, best_answer_to=mixture)
    s = replace(s, metagame=replace(s.metagame, verdicts=(verdict, *s.metagame.verdicts[1:])))
    assert dominance_sentence(s, 0).endswith(f": against {against} it is the best of all strategies.")


@pytest.mark.parametrize(
    ("weight", "told"),
    [(0.02, ""), (0.005, ""), (0.0049, "hardly any"), (2e-6, "hardly any"), (1e-12, "no"), (0.0, "no")],
)
def test_who_has_a_small_weight_has_one(weight: float, told: str) -> None:
    """Also one that two digits do not show; an equilibrium that has it is not "b alone"."""
    m = np.array([[0.0, -0.5, 3.0], [0.5, 0.0, 0.1], [-3.0, -0.1, 0.0]])
    s = analyse(tournament(3, by_matrix(m)), list("abc"), 1, resamples=0)
    assert s.metagame is not None and s.best.name == "a"
    s = replace(s, metagame=replace(s.metagame, nash=(weight, 1 - weight, 0.0)))
    said = nash_sentence(s)
    assert ("which earned most on average" in said) == bool(told)
    assert f"a, which earned most on average, has {told} weight in it, because" in said or not told
    alone = {"": "the mixture 0.9", "hardly any": "nearly b alone", "no": "b alone"}[told]
    assert f"the equilibrium of this pool is {alone}" in said
