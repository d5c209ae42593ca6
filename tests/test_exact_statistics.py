"""The statistics of tournaments against small cases worked out by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pyarrow as pa
import pytest

from probespiel.evaluation.report.wording import (
    answer,
    best_sentence,
    dominance_sentence,
    nash_sentence,
    record_text,
    unbeaten_sentence,
    wins_sentence,
)
from probespiel.evaluation.tournament import metagame as mg
from probespiel.evaluation.tournament import ratings as bt
from probespiel.evaluation.tournament import results as rs
from probespiel.evaluation.tournament import simultaneous as joint
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.blocks import block_sums, expanded_tail, expansion, percentile_interval
from probespiel.evaluation.tournament.confidence import Sequence
from probespiel.evaluation.tournament.deviation import alpha_rank, gains_table
from probespiel.evaluation.tournament.plan import TournamentError
from probespiel.evaluation.tournament.region import Region
from probespiel.evaluation.tournament.report import render_html
from probespiel.evaluation.tournament.summary import Summary
from probespiel.evaluation.tournament.terminal import leaderboard_text
from tests.synthetic import RPS, Floats, by_matrix, info, tournament


def duels(margins: Floats, agents: int = 2, signs: Floats | None = None) -> pa.Table:
    """One game of each pair in each block: `margins` (blocks, pairs) is what the first of the pair earns."""
    rows: dict[str, list[float]] = {name: [] for name in rs.SCHEMA.names}
    game = 0
    for block, line in enumerate(np.asarray(margins, dtype=float)):
        for pairing, (pair, value) in enumerate(zip(itertools.combinations(range(agents), 2), line, strict=True)):
            for seat in (0, 1):
                payoff = value if seat == 0 else -value
                row = dict(
                    pairing=pairing, block=block, deal=block, seating=0, game=game, seat=seat, team=seat,
                    agent=pair[seat], payoff=payoff, result=np.sign(payoff), decisions=1, forfeit=0, length=2,
                )  # fmt: skip
                for name, entry in row.items():
                    rows[name].append(entry)
            game += 1
    return rs.make_table(rows)


# Simultaneous intervals


def test_a_third_of_the_tail_for_each_family_and_its_share_for_each_member() -> None:
    # 5 % / 3 families / 3 members, half on each side, 9 degrees of freedom: Student's quantile is 3.6219.
    assert joint.half_widths(np.array([1.0, 2.0, 0.5]), 10, 0.95) == pytest.approx(
        [3.62187, 7.24374, 1.81093], abs=1e-4
    )
    assert joint.half_widths(np.array([1.0]), 10, 0.95) == pytest.approx([2.93332], abs=1e-4)
    # what is not measured does not count
    assert joint.half_widths(np.array([1.0, np.nan]), 10, 0.95)[0] == pytest.approx(2.93332, abs=1e-4)
    assert joint.half_widths(np.array([1.0]), 7, 0.95) == pytest.approx([3.28746], abs=1e-4)


def test_too_few_blocks_show_nothing() -> None:
    # 2 ** -5 is more than 5 % / 3, 2 ** -6 is not.
    assert joint.least_blocks(0.95) == 7 and joint.least_blocks(0.5) == 4
    assert np.isinf(joint.half_widths(np.array([1.0]), 6, 0.95)).all()
    with pytest.raises(ValueError, match="level is 1"):
        joint.least_blocks(1.0)


def test_the_same_difference_in_all_blocks_needs_enough_of_them() -> None:
    # 2 ** -6 = 1.56 % is less than 1.67 % for one difference, more than 0.83 % for one of two.
    assert joint.half_widths(np.array([0.0]), 7, 0.95) == 0
    assert joint.half_widths(np.array([0.0, 1.0]), 7, 0.95)[0] == np.inf
    assert joint.half_widths(np.array([0.0, 1.0]), 8, 0.95)[0] == 0


def test_every_pattern_of_signs_of_two_equal_strategies() -> None:
    """Equal strategies win or lose each block by the same amount with equal chance: all 2**B tournaments, exactly.

    Student's quantiles are not exact for such coarse data, but no sentence may be wrong in more than 5 % of them.
    """
    for blocks, size in ((7, np.ones(7)), (8, np.arange(1, 9)), (10, np.ones(10)), (10, 2.0 ** np.arange(10))):
        signs = np.array(list(itertools.product((-1.0, 1.0), repeat=blocks)))
        margins = signs * size
        mean, error = margins.mean(axis=1), margins.std(axis=1, ddof=1) / np.sqrt(blocks)
        half = joint.half_widths(np.array([1.0]), blocks, 0.95) * error
        assert (np.abs(mean) > half).mean() <= 0.025


def test_residuals_of_three_blocks() -> None:
    """Margins 1, 2 and 6: mean 3, deviation 2.646, standard error 2.646 / sqrt 3 = 1.5275."""
    sums = block_sums(duels(np.array([[1.0], [2], [6]])), 2)
    pairs = joint.pair_residuals(sums, sums.totals())
    assert (pairs.row.tolist(), pairs.col.tolist()) == ([0], [1])
    assert pairs.values[:, 0] == pytest.approx(np.array([-2, -1, 3]) / 3 * np.sqrt(3 / 2))
    assert joint.standard_errors(pairs.values, 6.0) == pytest.approx([np.sqrt(7 / 3)])
    assert pairs.summed(2)[:, 0] == pytest.approx(-pairs.summed(2)[:, 1])
    assert joint.standard_errors(np.full((3, 1), 1e-16), 1.0) == 0


def test_residuals_of_blocks_of_different_length() -> None:
    """A block of two games (1, 3) and one of one (5): ratio 3, residuals (4 - 6) / 3 and (5 - 3) / 3, times sqrt 2."""
    table = duels(np.array([[1.0], [3], [5]]))
    block = rs.column(table, "block").copy()
    columns = {name: rs.column(table, name) for name in rs.SCHEMA.names} | {"block": np.where(block == 1, 0, block)}
    sums = block_sums(rs.make_table(columns), 2)
    values = joint.pair_residuals(sums, sums.totals()).values
    assert values[:, 0] == pytest.approx(np.array([-2, 2]) / 3 * np.sqrt(2))


def test_what_holds_in_the_summary_of_seven_blocks() -> None:
    """Margins 3, 4, 5, ...: mean 27/7, error 0.3401; 3.28746 errors for the pair, 3.86295 for each of two ratings."""
    s = analyse(duels(np.array([[3.0], [4], [5], [3], [4], [5], [3]])), ["a", "b"], 1, resamples=20)
    half = 3.28746 * np.array([3, 4, 5, 3, 4, 5, 3]).std(ddof=1) / np.sqrt(7)
    assert s.joint_low is not None and s.joint_high is not None and s.best.rating_interval is not None
    assert s.joint_low[0][1] == pytest.approx(27 / 7 - half, abs=1e-4)
    assert s.joint_high[0][1] == pytest.approx(27 / 7 + half, abs=1e-4)
    assert s.joint_low[1][0] == pytest.approx(-27 / 7 - half, abs=1e-4)
    assert s.best.rating == pytest.approx(27 / 7)
    assert s.best.rating_interval.half_width == pytest.approx(half * 3.86295 / 3.28746, abs=1e-4)
    assert s.best.rank_interval == (1, 1) and s.leaderboard[1].rank_interval == (2, 2) and not s.tied_with_best
    assert s.metagame is not None and s.metagame.nash_low == pytest.approx((1, 0), abs=1e-6)
    assert best_sentence(s, unit="EP") == (
        "a comes first: it earned +3.857 EP a game from the others on average (95% interval +2.543 to +5.171), and is "
        "better than every other strategy."
    )
    # Six blocks show nothing, whatever they say.
    few = analyse(duels(np.full((6, 1), 3.0)), ["a", "b"], 1, resamples=20)
    assert few.best.rank_interval is None and few.tied_with_best == () and few.joint_low is None
    assert "how sure this is cannot be said, because that takes 7 seed blocks at least" in best_sentence(few)
    assert any("can be shown with fewer than 7" in w for w in few.warnings)
    assert few.metagame is not None and few.metagame.verdicts[1].dominated is None


def test_expanded_percentiles_by_hand() -> None:
    """Student's 2.26216 at 9 degrees, times sqrt(10 / 9), against the normal 1.95996: 1.21662, a tail of 0.855 %."""
    assert expansion(0.95, 10) == pytest.approx(1.21662, abs=1e-5)
    assert expanded_tail(0.95, 10) == pytest.approx(0.00855, abs=1e-5)
    low, high = percentile_interval(np.arange(10_001.0), 0.95, 10)
    # the tail times 10,002 intervals between, below and above 10,001 samples, of which the first is 0
    assert (float(low), float(high)) == (pytest.approx(84.5, abs=0.1), pytest.approx(9915.5, abs=0.1))


# Ratings


def test_the_prior_is_one_drawn_game() -> None:
    assert bt.bradley_terry(np.array([[0.0, 3], [1, 0]]))[0] == pytest.approx(np.log(3.5 / 1.5) / 2)
    assert bt.bradley_terry_many(np.array([[[0.0, 3], [1, 0]]]))[0, 0] == pytest.approx(np.log(3.5 / 1.5) / 2)
    assert bt.elo(np.array([np.log(10), 0])) == pytest.approx([1700, 1300])


def test_least_squares_by_hand() -> None:
    full = np.array([[0.0, 1, 4], [-1, 0, 2], [-4, -2, 0]])
    assert bt.payoff_ratings(full) == pytest.approx([2.5, 0.5, -3])  # means against the others
    # a and c never met: a leads b by 1, b leads c by 2, mean 0: 4/3, 1/3, -5/3, times 3/2
    chain = np.array([[0, 1, np.nan], [-1, 0, 2], [np.nan, -2, 0]])
    assert bt.payoff_ratings(chain) == pytest.approx([2, 0.5, -2.5])
    # a leads b by 1 and c by 4, b leads c by 2, c leads d by 1: a, b, c closed by least squares, d hangs on c
    assert bt.comparable(np.isfinite(chain)).all()
    strangers = np.full((4, 4), np.nan)
    np.fill_diagonal(strangers, 0)
    strangers[0, 1], strangers[1, 0], strangers[2, 3], strangers[3, 2] = 3, -3, 1, -1
    assert bt.payoff_ratings(strangers) == pytest.approx(np.array([1.5, -1.5, 0.5, -0.5]) * 4 / 3)
    assert bt.comparable(np.isfinite(strangers))[0].tolist() == [True, True, False, False]
    assert bt.payoff_ratings(np.zeros((1, 1))) == [0]
    for agents in range(2, 50):  # rounding must not make a rating of what all have in common; it did with 12
        margins = np.random.default_rng(agents).normal(size=(agents, agents)).round(1)
        margins -= margins.T
        assert bt.payoff_ratings(margins) == pytest.approx(margins.sum(axis=1) / (agents - 1), abs=1e-12)
    with pytest.raises(ValueError, match="square"):
        bt.payoff_ratings(np.zeros((2, 3)))


def test_pseudo_inverses_of_graphs() -> None:
    """Of all who met all by hand, and of 300 graphs in parts, of weights far apart, by what defines them (Penrose)."""
    for n in range(1, 50):
        found = bt.laplacian_inverse(2.0 * (1 - np.eye(n)))
        assert found == pytest.approx((np.eye(n) - 1 / n) / (2 * n), abs=1e-15)
    rng = np.random.default_rng(6)
    for _ in range(300):
        n = int(rng.integers(2, 25))
        weights = np.triu(rng.random((n, n)) < rng.random(), 1) * 10 ** rng.uniform(-1, 4, (n, n))
        weights += weights.T
        laplacian, found = np.diag(weights.sum(axis=1)) - weights, bt.laplacian_inverse(weights)
        assert laplacian @ found @ laplacian == pytest.approx(laplacian, rel=1e-6, abs=1e-6)
        assert found @ laplacian @ found == pytest.approx(found, rel=1e-6, abs=1e-6)
        alone = weights.sum(axis=1) == 0
        assert not found[alone].any() and found == pytest.approx(found.T, abs=1e-9)


def test_ranks_and_what_is_left_open() -> None:
    assert bt.ranks(np.array([3.0, 5, 3, 1])).tolist() == [2, 1, 2, 4]
    better = np.zeros((4, 4), dtype=bool)
    better[0, 2] = better[0, 3] = better[1, 3] = True
    low, high = bt.rank_intervals(better)
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == [(1, 2), (1, 3), (2, 4), (3, 4)]


def test_who_gets_a_rating_by_wins() -> None:
    wins = np.zeros((4, 4))
    wins[0, 1:] = 9  # never lost
    wins[1, 2], wins[2, 1], wins[1, 3], wins[2, 3] = 6, 3, 9, 9  # the last never won
    assert bt.separated(wins).groups == ((0,), (1, 2), (3,)) and bt.separated(wins).rated_group == (1, 2)
    assert bt.separated(wins[:1, :1]).rated_group == (0,)
    assert bt.Separation(((0,), (1,))).rated_group == ()
    assert bt.Separation(((2, 3), (0, 1))).rated_group == (2, 3)


def graded() -> Summary:
    """`often` beats `rare` in 7 of 8 blocks by 1 and loses the eighth by 20; both beat `last` by 5 and 4 always."""
    margins = np.array([[1.0, 5, 4]] * 7 + [[-20.0, 5, 4]])
    return analyse(duels(np.tile(margins, (10, 1)), 3), ["often", "rare", "last"], 1, resamples=50)


def test_payoff_ranks_and_wins_stand_beside_it() -> None:
    s = graded()
    # often: (-13 / 8 + 5) / 2 = 1.6875; rare: (13 / 8 + 4) / 2 = 2.8125; last -4.5
    assert [(r.name, round(r.rating, 4)) for r in s.leaderboard] == [
        ("rare", 2.8125),
        ("often", 1.6875),
        ("last", -4.5),
    ]
    assert s.graded and [r.wins_rank for r in s.leaderboard] == [2, 1, 3]
    rare, often, last = s.leaderboard
    # 80 meetings and one drawn game: 70.5 to 10.5
    assert often.wins_rating == pytest.approx(1500 + 200 / np.log(10) * np.log(70.5 / 10.5))
    assert rare.wins_rating is not None and record_text(rare) == f"{rare.wins_rating:.0f}"
    assert last.wins_rating is None and last.never_won and not last.never_lost and record_text(last) == "never won"
    assert (often.win_payoff, often.loss_payoff) == (pytest.approx((7 + 40) / 15), -20)
    assert last.win_payoff is None and last.loss_payoff == pytest.approx(-4.5)
    assert wins_sentence(s, unit="EP") == (
        "Counted by wins often comes first in these games, with 94% of the points against 56% of rare, but wins "
        "differ in size: rare got +5.778 EP when it won and −1.000 EP when it lost, often got +3.133 EP when it won "
        "and −20.000 EP when it lost."
    )
    assert s.tied_with_best == (0,) and best_sentence(s).endswith(
        "but often cannot be told apart from it; the other one is worse."
    )
    shown = leaderboard_text(s)
    assert "never won" in shown and "by wins" in shown
    page = render_html(s, info())
    assert "rating by payoff" in page and "rating by wins" in page and "never won" in page
    assert "every win pays the same" not in page


def test_without_grades_wins_and_payoff_agree() -> None:
    s = analyse(duels(np.array([[1.0, 1, -1], [1, -1, 1]] * 10), 3), list("abc"), 1, resamples=20)
    assert not s.graded and wins_sentence(s) == ""
    assert [r.rank for r in s.leaderboard] == [r.wins_rank for r in s.leaderboard] == [1, 2, 3]
    assert "every win pays the same" in render_html(s, info())
    assert not analyse(duels(np.array([[0.0], [2], [-2], [2]])), list("ab"), 1, resamples=0).graded
    assert analyse(duels(np.array([[1.0], [2], [-2], [2]])), list("ab"), 1, resamples=0).graded


def test_who_never_lost_has_no_number() -> None:
    s = analyse(duels(np.array([[1.0]] * 10)), list("ab"), 1, resamples=20)
    assert [record_text(r) for r in s.leaderboard] == ["never lost", "never won"]
    assert all(r.wins_rating is None and r.wins_interval is None for r in s.leaderboard)
    assert any("{a} > {b}" in w and "for nobody" in w for w in s.warnings)
    chain = analyse(duels(np.array([[1.0, 1, 1]] * 10), 3), list("abc"), 1, resamples=20)
    assert [record_text(r) for r in chain.leaderboard] == ["never lost", "no number", "never won"]


# The region of matrices


def region(matrix: Floats, half: float) -> Region:
    off = ~np.eye(len(matrix), dtype=bool)
    return Region(matrix - half * off, matrix + half * off)


def test_a_single_dominator_in_a_region() -> None:
    m = np.array([[0.0, 3, 3], [-3, 0, 1], [-3, -1, 0]])
    sure = region(m, 0.5)
    # 0 leads 1 by at least 2.5 (against 0: 0 - -2.5; against 1: 2.5; against 2: 2.5 - 1.5 = 1)
    found = sure.dominator(1)
    assert found is not None and found[0].tolist() == [1, 0, 0] and found[1] == pytest.approx(1)
    assert sure.dominator(0) is None and region(m, 1.01).dominator(1) is None
    # 1 is worse than 0 against 2 for half = 1.01, as 1.99 < 2.01
    assert sure.leads(0, 1) == pytest.approx([2.5, 2.5, 1]) and sure.leads(1, 0) == pytest.approx([-3.5, -3.5, -3])


def test_a_mixture_dominates_in_a_region() -> None:
    m = np.zeros((4, 4))
    m[:3, :3], m[3, :3], m[:3, 3] = RPS, -0.5, 0.5
    # even mixture against each of three: 0 - (-0.5), less 2/3 h for the cells of the mixture and h for those of 3
    found = region(m, 0.06).dominator(3)
    assert found is not None and found[1] == pytest.approx(0.5 - 0.06 * (1 + 2 / 3), abs=1e-7)
    assert found[0] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-6)
    assert region(m, 0.31).dominator(3) is None


def test_the_best_answer_shows_that_nothing_dominates() -> None:
    m = np.array([[0.0, 3, 3], [-3, 0, 1], [-3, -1, 0]])
    sure = region(m, 0.5)
    answer_to = sure.best_answer_to(0)
    assert answer_to is not None and answer_to.tolist() == [1, 0, 0]
    assert sure.best_answer_to(1) is None
    # against scissors rock leads scissors itself by 1 - h and paper by 2 - 2 h, at least
    rock = region(RPS, 0.4).best_answer_to(0)
    assert rock is not None and (RPS[0] - RPS[1:]) @ rock == pytest.approx(np.abs((RPS[0] - RPS[1:]) @ rock))
    assert region(RPS, 1.01).best_answer_to(0) is None and region(np.zeros((3, 3)), 0.1).best_answer_to(0) is None


def test_best_answers_to_a_mixture_only() -> None:
    """Against each opponent something beats strategy 3, but against half of 0 and half of 1 it is best."""
    m = np.zeros((5, 5))
    m[0, 1], m[3, 0], m[3, 1], m[2, 0], m[2, 1], m[4, 0], m[4, 1] = 0.0, 2, 2, 3, -3, -3, 3
    m -= m.T
    found = region(m, 0.1).best_answer_to(3)
    assert found is not None and found[:2] == pytest.approx([0.5, 0.5], abs=0.2)
    leads = (m[3] - np.delete(m, 3, axis=0)) @ found
    assert leads.min() > 0


def test_what_can_be_gained_against_a_mixture() -> None:
    sure = region(RPS, 0.25)
    even = np.full(3, 1 / 3)
    # two of three cells may be 0.25 off
    assert sure.most_gained(even) == pytest.approx(1 / 6) and sure.least_gained(even) == 0
    rock = np.array([1.0, 0, 0])
    assert sure.most_gained(rock) == pytest.approx(1.25) and sure.least_gained(rock) == pytest.approx(0.75)


def test_weights_of_all_equilibria_of_a_region() -> None:
    least, most = region(RPS, 0.0).equilibrium_weights()
    assert least == pytest.approx([1 / 3] * 3, abs=1e-6) and most == pytest.approx([1 / 3] * 3, abs=1e-6)
    # x high >= 0 with margins 1 -+ 0.25: for rock's column 1.25 y - 0.75 z >= 0, and so on around;
    # the least of rock is where the chain of ratios 5/3 makes it smallest: 9 : 15 : 25
    least, most = region(RPS, 0.25).equilibrium_weights()
    assert least == pytest.approx([9 / 49] * 3, abs=1e-6) and most == pytest.approx([25 / 49] * 3, abs=1e-6)
    m = np.array([[0.0, 3, 3], [-3, 0, 1], [-3, -1, 0]])
    least, most = region(m, 0.5).equilibrium_weights()
    assert least.tolist() == pytest.approx([1, 0, 0], abs=1e-6) and most.tolist() == [1, 0, 0]
    least, most = region(np.zeros((3, 3)), 0.1).equilibrium_weights()
    assert least.tolist() == [0, 0, 0] and most.tolist() == [1, 1, 1]


def test_unknown_margins_leave_everything_open() -> None:
    low = np.array([[0, -np.inf], [-np.inf, 0]])
    open_ = Region(low, -low)
    assert not open_.known and open_.tolerance == 0
    assert open_.dominator(0) is None and open_.best_answer_to(0) is None
    assert [w.tolist() for w in open_.equilibrium_weights()] == [[0, 0], [1, 1]]


# Words


def test_every_sentence_of_rock_paper_scissors() -> None:
    margins = np.array([[-1.2, 1, -1], [-0.8, 1, -1]] * 10)  # rock-paper, rock-scissors, paper-scissors
    s = analyse(duels(margins, 3), ["rock", "paper", "scissors"], 1, resamples=20)
    assert s.metagame is not None
    # Of three pairs each has its 180th: 0.7713^20 = 1 / 180, so that in 22.87 % of blocks 1 might have been -1.2.
    assert unbeaten_sentence(s, 0, unit="EP") == (
        "rock is not unbeaten: paper beats it. It did worst against paper: −1.000 EP a game, interval −1.143 to −0.857."
    )
    assert dominance_sentence(s, 0) == (
        "Nothing dominates rock in this tournament: against scissors it is the best of all strategies."
    )
    assert nash_sentence(s, unit="EP") == (
        "By the mean payoffs the equilibrium of this pool is the mixture 0.33 rock + 0.33 paper + 0.33 scissors; "
        "against it no strategy gains more than 0.216 EP a game."
    )
    assert [v.dominated for v in s.metagame.verdicts] == [False] * 3
    assert s.metagame.verdicts[0].beats == (2,) and s.metagame.verdicts[0].beaten_by == (1,)


def test_a_leader_without_weight_is_explained() -> None:
    """a takes 5 from c and loses 1 to b, who beats c by 1: a earns most, b is the equilibrium."""
    wobble = np.array([0.1, -0.1] * 10)
    margins = np.stack([-1 + wobble, 5 + wobble, 1 + wobble], axis=1)
    s = analyse(duels(margins, 3), list("abc"), 1, resamples=20)
    assert s.best.name == "a" and s.tied_with_best == ()
    assert nash_sentence(s) == (
        "The equilibrium of this pool is b alone: no strategy gains against it. a, which earned most on average, has "
        "no weight in it, because an equilibrium asks for the hardest opponent: it got −1.000 a game from b."
    )
    assert dominance_sentence(s, 2).startswith("b dominates c: against every strategy it earns more, by +")
    assert answer(s)[-1] == nash_sentence(s)


def test_equal_strategies_are_told_nothing() -> None:
    """A tournament in which each of three strategies wins and loses alike."""
    margins = np.array([[1.0, -1, 1], [-1, 1, -1]] * 6)
    s = analyse(duels(margins, 3), list("abc"), 1, resamples=20)
    assert best_sentence(s) == "a, b and c share the first place: each earned 0.000 a game from the others."
    assert s.tied_with_best == (1, 2) and all(r.rank_interval == (1, 3) for r in s.leaderboard)
    assert unbeaten_sentence(s, 0).startswith("No strategy is shown to beat a, and none takes more than ")
    assert dominance_sentence(s, 0) == "By the mean payoffs no strategy or mixture dominates a, but that is not shown."
    assert s.metagame is not None and s.metagame.verdicts[0].dominated is None
    assert nash_sentence(s).startswith("By the mean payoffs the equilibrium of this pool is the mixture 0.33 a")
    lead = analyse(tournament(3, by_matrix(np.zeros((3, 3)), 1.0), blocks=12, seed=1), list("abc"), 1, resamples=20)
    assert "cannot be told apart from it." in best_sentence(lead) and len(lead.tied_with_best) == 2


def test_bounds_of_the_metagame_are_the_right_way_round() -> None:
    """b beats a by 2 -+ 0.1 in 20 blocks: low and high of a lie below 0, those of b above."""
    s = analyse(duels(np.array([[-1.9], [-2.1]] * 10)), list("ab"), 1, resamples=20)
    assert s.joint_low is not None and s.joint_high is not None and s.metagame is not None
    low, high = s.joint_low[0][1], s.joint_high[0][1]
    assert low is not None and high is not None and low < -2 < high < 0
    assert s.metagame.verdicts[0].beaten_by == (1,) and s.metagame.verdicts[1].beats == (0,)
    assert s.metagame.verdicts[0].dominator == 1 and s.metagame.verdicts[1].dominated is False
    assert s.metagame.verdicts[0].exploitability == pytest.approx(2)
    assert s.metagame.verdicts[0].most_exploitability == pytest.approx(-low)
    assert mg.exploitability(np.array([[0, -2.0], [2, 0]])).tolist() == [2, 0]


def test_cells_in_grey_are_not_shown() -> None:
    """Two pairs that are shown to differ in both directions, and one that is not: two cells of six in grey."""
    wobble = np.array([2.0, -1.9] * 10)
    margins = np.stack([5 + wobble, 4 + wobble, wobble], axis=1)
    page = render_html(analyse(duels(margins, 3), list("abc"), 1, resamples=20), info())
    assert page.count('class="unsure"') == 2


def test_matrix_of_margins_is_half_the_difference() -> None:
    """A game in which both gain: a earns 3 and b 1 in every block; the margin is 1, the mean payoffs stay 3 and 1."""
    table = duels(np.array([[3.0]] * 8))
    seat = rs.column(table, "seat")
    columns = {name: rs.column(table, name) for name in rs.SCHEMA.names} | {"payoff": np.where(seat == 0, 3.0, 1.0)}
    s = analyse(rs.make_table(columns), list("ab"), 1, resamples=20)
    assert s.matrix[0][1] == 1 and s.best.rating == pytest.approx(1) and s.best.payoff == 3
    # Payoffs differ by 2 at most, margins by 2: between 1 and -1. 0.5994^8 = 1 / 60, which leaves 40.06 % unseen.
    assert s.joint_low is not None and s.joint_high is not None
    assert (s.joint_low[0][1], s.joint_low[1][0]) == pytest.approx((1 - 2 * 0.400580, -1.0), abs=1e-5)
    assert (s.joint_high[0][1], s.joint_high[1][0]) == pytest.approx((1.0, 2 * 0.400580 - 1), abs=1e-5)
    assert "mean payoff</th>" in render_html(s, info())


def test_an_equilibrium_that_is_not_shown() -> None:
    """a beats b by 1 on average, with far larger noise: by the mean payoffs a is all, but nothing of that is shown."""
    s = analyse(duels(np.array([[11.0], [-9]] * 10)), list("ab"), 1, resamples=20)
    assert (
        s.metagame is not None and s.metagame.verdicts[1].seems_dominated and s.metagame.verdicts[1].dominated is None
    )
    assert dominance_sentence(s, 1) == (
        "By the mean payoffs a dominates b, because it is better against every strategy, but that is not shown."
    )
    assert nash_sentence(s).startswith("By the mean payoffs the equilibrium of this pool is a alone; against it no ")


def test_noise_between_two_rivals_leaves_them_tied() -> None:
    """a takes 1 -+ 10 from b, both 4 -+ 0.1 from c: their sum is sure, their difference is not."""
    wobble = np.array([0.1, -0.1] * 10)
    s = analyse(duels(np.stack([1 + 100 * wobble, 4 + wobble, 4 + wobble], axis=1), 3), list("abc"), 1, resamples=20)
    assert s.tied_with_best == (1,) and [r.rank_interval for r in s.leaderboard] == [(1, 2), (1, 2), (3, 3)]


# Confidence sequences


def test_a_mean_that_is_not_fed_stays_as_it_was() -> None:
    """Of two means the first gets 0.4 and -0.2, scaled by 2 * span = 4 to 0.1 and -0.05."""
    sequence = Sequence(2, 2.0, 0.1, 10)
    sequence.add(np.array([[0.4, 1.0], [-0.2, 1.0]]), np.array([True, False]))
    assert sequence.n.tolist() == [2, 0] and not sequence._bets[..., 1].any()
    assert sequence._sum == pytest.approx([0.05, 0.0]) and sequence._squares == pytest.approx([0.0125, 0.0])
    assert sequence.mean == pytest.approx([0.1, 0.0])
    with pytest.raises(TournamentError, match=r"2\.1 is outside"):
        sequence.add(np.array([[2.1, 0.0]]))
    sequence.add(np.array([[0.0, 2.1]]), np.array([True, False]))
    sequence.add(np.zeros((0, 2)))
    assert sequence.n.tolist() == [3, 0]


def test_how_far_a_mean_may_still_move() -> None:
    """25 of 100 numbers, 13 times 1 and 12 times -1 with span 1: halves whose squares add up to 6.25."""
    sequence = Sequence(1, 1.0, 0.05, 100)
    assert sequence.to_come() == pytest.approx([math.sqrt(1 - 1 / 100)])
    sequence.add(np.array([[1.0]] * 13 + [[-1.0]] * 12))
    deviation = 2 * math.sqrt((0.01 + 6.25 - 0.25 / 25) / 26)
    assert sequence.deviation == pytest.approx([deviation])
    assert sequence.to_come() == pytest.approx([deviation * math.sqrt(1 / 25 - 1 / 100)])
    bound = math.log(40)
    gain = bound + math.log(6)
    assert sequence.reach() == pytest.approx([(gain + bound) / math.sqrt(2 * bound) * deviation / 10])
    sequence.add(np.zeros((975, 1)))
    assert sequence.to_come().tolist() == [0.0]


def test_the_largest_bet_limits_what_can_be_told_apart() -> None:
    """Without any spread the boldest bettor decides, who bets 0.95 / 0.53 of the capital on every number."""
    sequence = Sequence(1, 3.0, 0.05, 50)
    sequence.add(np.zeros((20000, 1)))
    assert sequence.reach() == pytest.approx([(math.log(40) + math.log(6)) / (50 * 0.95 / 0.53) * 6])


def test_an_interval_is_narrowed_where_it_is_told_to_be() -> None:
    sequence = Sequence(3, 1.0, 0.05, 10)
    sequence.low[:], sequence.high[:] = -0.5, 0.5
    sequence.narrow(np.array([-0.2, -0.2, -0.9]), np.array([0.1, 0.1, 0.9]), np.array([True, False, True]))
    assert sequence.low.tolist() == [-0.2, -0.5, -0.5] and sequence.high.tolist() == [0.1, 0.5, 0.5]


# Ratings of strategies


def test_deviation_gains_of_a_game_of_two_by_three() -> None:
    """Rows: strategies of the first, then of the second; columns: joint strategies, the second's changing first."""
    first, second = np.array([[1.0, 2.0, 3.0], [5.0, 1.0, 0.0]]), np.array([[0.0, 4.0, 1.0], [2.0, 2.0, 7.0]])
    assert gains_table([first, second]).tolist() == [
        [0, 0, 0, -4, 1, 3],
        [4, -1, -3, 0, 0, 0],
        [0, -4, -1, 0, 0, -5],
        [4, 0, 3, 0, 0, -5],
        [1, -3, 0, 5, 5, 0],
    ]
    for wrong in ([first, second.T], [first], [first, np.array([[0.0, 4.0, np.nan], [2.0, 2.0, 7.0]])]):
        with pytest.raises(mg.MetagameError):
            gains_table(wrong)


def test_shares_of_two_strategies_by_what_takes_over() -> None:
    """alpha-rank: 0.99 to 0.01 with the strongest selection, halves where they earn the same; Moran in between."""
    margins = np.array([[0.0, 1.0], [-1.0, 0.0]])
    assert alpha_rank(margins) == pytest.approx([0.99, 0.01])
    assert alpha_rank(np.zeros((2, 2))) == pytest.approx([0.5, 0.5])
    assert alpha_rank(margins[:1, :1]).tolist() == [1.0]
    # A mutant takes over with (1 - e^-x) / (1 - e^-mx), x = intensity times 2 here: the chances are as e^((m - 1) x).
    intensity, population = 0.1, 3
    lead = math.exp((population - 1) * intensity * 2)
    assert alpha_rank(margins, intensity, population) == pytest.approx([lead / (1 + lead), 1 / (1 + lead)])
    assert alpha_rank(np.zeros((2, 2)), 0.5, 4) == pytest.approx([0.5, 0.5])
    for wrong in ((0.0, 3), (1.0, 1), (-1.0, 3)):
        with pytest.raises(mg.MetagameError):
            alpha_rank(margins, *wrong)
    assert alpha_rank(margins, 1.0, 2).sum() == pytest.approx(1.0)


def test_dominance_by_single_strategies_and_by_mixtures() -> None:
    """Row 0 is better than row 1 everywhere, as good as row 2 or better; row 3 is worse than half of 0 and 4 only."""
    table = np.array([
        [4.0, 0.0, 2.0, 1.0, 1.0],
        [3.0, -1.0, 1.0, 0.0, 0.0],
        [4.0, 0.0, 1.0, 1.0, 1.0],
        [1.5, 1.5, 1.5, 0.5, 0.5],
        [0.0, 4.0, 2.0, 1.0, 1.0],
    ])  # fmt: skip
    strict, weak = mg.pure_dominance(table)
    assert np.argwhere(strict).tolist() == [[0, 1]]
    assert np.argwhere(weak).tolist() == [[0, 1], [0, 2], [2, 1]]
    found = mg.mixed_domination(table, 3)
    assert (found.strict, found.weak) == (True, True) and found.margin == pytest.approx(0.5)
    assert mg.mixed_domination(table, 2).margin == 0.0 and mg.mixed_domination(table, 2).gain == pytest.approx(1.0)
    assert (mg.mixed_domination(table, 2).strict, mg.mixed_domination(table, 2).weak) == (False, True)
    assert not mg.mixed_domination(table, 0).weak and not mg.mixed_domination(table, 4).weak
    assert mg.dominated_many(table[None]).tolist() == [[False, True, True, True, False]]
    for k in (-1, 5):
        with pytest.raises(mg.MetagameError, match=f"strategy {k} does not exist; it must be between 0 and 4"):
            mg.mixed_domination(table, k)


def test_what_the_best_opponent_of_either_half_takes_in_the_other() -> None:
    """Against 0 the first half names 2, which takes 0.5 in the second; that one names 1, which takes 2."""
    first = np.array([[0.0, -2.0, -3.0], [2.0, 0.0, 1.0], [3.0, -1.0, 0.0]])
    second = np.array([[0.0, -1.0, -0.5], [1.0, 0.0, 4.0], [0.5, -4.0, 0.0]])
    assert mg.exploitability(first).tolist() == [3.0, 0.0, 1.0]
    assert mg.cross_fitted_exploitability(first, second).tolist() == [(0.5 + 2.0) / 2, 0.0, (4.0 + 1.0) / 2]


def test_the_mixture_of_greatest_entropy() -> None:
    """Rock, paper, scissors with two rocks: the copies share a third. Where nothing is won, all are equal."""
    game = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], dtype=float)
    copied = game[np.ix_([0, 0, 1, 2], [0, 0, 1, 2])]
    assert mg.max_entropy_nash(copied) == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3])
    assert mg.max_entropy_nash(np.zeros((3, 3))) == pytest.approx([1 / 3] * 3)
    values, mixtures = mg.maximin_many(np.array([game, 2 * game + 3, [[5, 6, 7], [1, 2, 3], [0, 0, 0]]]))
    assert values == pytest.approx([0, 3, 5]) and mixtures[2] == pytest.approx([1, 0, 0])
    assert mg.mixture_text([0.3, 0.004, 0.696], ["a", "b", "c"]) == "0.70 c + 0.30 a"
    assert mg.mixture_text([0.5, 0.005, 0.5], ["a", "b", "c"]) == "0.50 a + 0.50 c + 0.01 b"
