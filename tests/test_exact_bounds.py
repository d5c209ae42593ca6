"""Intervals and bounds of tournaments, by hand: what they rest on, how wide they are, and what they leave open."""

from __future__ import annotations

import math

import numpy as np
import pytest

from probespiel.evaluation.tournament import metagame as mg
from probespiel.evaluation.tournament import results as rs
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.blocks import block_sums
from probespiel.evaluation.tournament.confidence import Sequence
from tests.synthetic import by_matrix, tournament

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
    """Half `a` and half `b` get -2.5, 2.5, 1 and 1.5 where `c` gets -4, 2, 0 and 1: more by 0.5 at least."""
    m = np.array([[0.0, 5, 4, 0], [-5, 0, -2, 3], [-4, 2, 0, 1], [0, -3, -1, 0]])
    assert (m + m.T == 0).all() and ((m[0] + m[1]) / 2 > m[2]).all()
    s = analyse(tournament(4, by_matrix(m)), list("abcd"), 1, resamples=20)
    assert s.metagame is not None
    verdict = s.metagame.verdicts[2]
    assert verdict.dominated and verdict.dominator is None and verdict.mixture is not None
    assert verdict.mixture == pytest.approx((0.5, 0.5, 0.0, 0.0)) and verdict.margin == pytest.approx(0.5)


# Sequential tests


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
    """One of four bettors needs ln 4 beyond ln(2 / 0.05); with hardly a spread the largest bet, 0.9 / 0.5625, decides.

    That of c = 0.5625 loses 0.9 of its capital at most: so many ranges of 2 must be won with it.
    """
    sequence = Sequence(1, 1.0, 0.05, planned)
    sequence.add(np.zeros((numbers, 1)))
    bound = math.log(40)
    gain = bound + math.log(4)
    by_spread = (gain + bound) / math.sqrt(2 * bound) * float(sequence.deviation[0]) / math.sqrt(planned)
    by_bet = gain / (planned * 1.6) * 2
    assert (by_spread > by_bet) == (numbers == 0)
    assert sequence.reach() == pytest.approx([max(by_spread, by_bet)])


def test_the_bold_bettor_says_nothing_of_means_beyond_its_own() -> None:
    """All of 200 numbers at the upper end: the other three rule out so much, the fourth nothing above 0.0625 of one.

    A bettor with the weight w has ln of its capital 200 (w (1/2 - m) - psi(w) (1/2 - m)^2).
    """
    sequence = Sequence(1, 1.0, 0.05, 1000)
    sequence.add(np.ones((200, 1)))
    sequence.look()
    m = float(sequence.low[0]) / 2
    capital = 0.0
    for share in (1.0, 0.3, 0.1):
        w = min(math.sqrt(2 * math.log(40) / (share * 1000 * 0.25)), 0.8)
        capital += math.exp(200 * (w * (0.5 - m) - (-math.log1p(-w) - w) * (0.5 - m) ** 2))
    assert 0.0625 < m < 0.5 and capital / 4 == pytest.approx(40, rel=1e-6)
    assert sequence.high.tolist() == [1.0]
