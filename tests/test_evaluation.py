"""Tests of probespiel.evaluation: ratings, metagame, intervals and the whole analysis."""

import json
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import binom

from probespiel.evaluation.report.wording import answer, dominance_sentence
from probespiel.evaluation.tournament import metagame as mg
from probespiel.evaluation.tournament import ratings as bt
from probespiel.evaluation.tournament import results as rs
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.blocks import block_sums, expansion
from probespiel.evaluation.tournament.report import render_html
from probespiel.evaluation.tournament.terminal import leaderboard_text
from tests.synthetic import RPS, Floats, by_matrix, by_strength, change, info, tournament

# Ratings


def test_bradley_terry_two_agents_is_the_log_odds() -> None:
    wins = np.array([[0.0, 75], [25, 0]])
    theta = bt.bradley_terry(wins, prior_draws=1e-9)
    assert theta[0] - theta[1] == pytest.approx(np.log(3), abs=1e-6)
    ratings = bt.elo(theta)
    assert ratings.mean() == pytest.approx(1500)
    assert bt.expected_score(float(ratings[0] - ratings[1])) == pytest.approx(0.75, abs=1e-6)
    assert bt.expected_score(400) == pytest.approx(10 / 11)


def test_bradley_terry_recovers_strengths_from_expected_counts() -> None:
    true = np.array([0.9, 0.2, -0.1, -1.0])
    wins = 1000 / (1 + np.exp(true[None, :] - true[:, None]))
    np.fill_diagonal(wins, 0)
    assert bt.bradley_terry(wins, prior_draws=1e-9) == pytest.approx(true, abs=1e-6)


def test_batched_newton_agrees_with_choix() -> None:
    rng = np.random.default_rng(3)
    wins = rng.poisson(rng.uniform(0, 60, size=(40, 7, 7))).astype(float)
    many = bt.bradley_terry_many(wins)
    for one, theta in zip(wins, many, strict=True):
        assert bt.bradley_terry(one) == pytest.approx(theta, abs=1e-6)


@pytest.mark.parametrize(
    "wins", [np.array([[0, 1e6], [0, 0]]), np.zeros((4, 4)), np.array([[0, 50, 0], [0, 0, 0], [0, 0, 0]], dtype=float)]
)
def test_perfect_records_and_strangers_have_finite_ratings(wins: Floats) -> None:
    theta = bt.bradley_terry(wins)
    assert np.isfinite(theta).all()
    assert bt.bradley_terry_many(wins[None])[0] == pytest.approx(theta, abs=1e-5)
    assert bt.separated(wins).separated
    assert (bt.ranks(theta)[0] == 1) and theta[0] == max(theta)


def test_separation_orders_groups_from_strong_to_weak() -> None:
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[1, 0] = 5
    wins[:2, 2:] = 9
    wins[2, 3] = wins[3, 2] = 5
    assert bt.separated(wins).groups == ((0, 1), (2, 3))
    assert not bt.separated(np.ones((3, 3))).separated


def test_wrong_counts_are_refused() -> None:
    for wins, text in ((np.zeros((2, 3)), "square"), (np.array([[0, -1.0], [0, 0]]), "at least 0")):
        with pytest.raises(ValueError, match=text):
            bt.bradley_terry(wins)
    with pytest.raises(ValueError, match="prior_draws is 0"):
        bt.bradley_terry(np.zeros((2, 2)), prior_draws=0)


# Metagame


def test_rock_paper_scissors_is_uniform_of_value_zero() -> None:
    solution = mg.solve(RPS)
    assert solution.value == pytest.approx(0, abs=1e-9)
    assert mg.max_entropy_nash(RPS) == pytest.approx(np.full(3, 1 / 3), abs=1e-7)
    assert mg.exploitability(RPS) == pytest.approx([1, 1, 1])
    biased = np.array([[0.0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    assert mg.max_entropy_nash(biased) == pytest.approx([0.25, 0.5, 0.25], abs=1e-7)


def test_maximum_entropy_picks_one_of_many_equilibria() -> None:
    assert mg.max_entropy_nash(np.zeros((5, 5))) == pytest.approx(np.full(5, 0.2))
    twin = RPS[np.ix_([0, 1, 2, 0], [0, 1, 2, 0])]
    assert mg.max_entropy_nash(twin) == pytest.approx([1 / 6, 1 / 3, 1 / 3, 1 / 6], abs=1e-6)
    padded = np.zeros((5, 5))
    padded[:4, 4], padded[4, :4] = 1, -1
    assert mg.max_entropy_nash(padded) == pytest.approx([0.25] * 4 + [0], abs=1e-6)
    pennies = mg.solve(np.array([[3.0, 1], [1, 2]]))
    assert (pennies.value, pennies.row[0]) == (pytest.approx(5 / 3), pytest.approx(1 / 3))


def test_copies_of_a_strategy_are_one_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a circle of four each second one has the same weight: with three copies of the first they are as √3 to 1.

    So says the derivative of -(a log(a / 3) + a log a + 2 b log b) with a + b = 1/2. No copy takes a program more.
    """
    circle = np.array([[0, 1, 0, -1], [-1, 0, 1, 0], [0, -1, 0, 1], [1, 0, -1, 0]], dtype=float)
    asked: list[int] = []
    program = mg.linear_program

    def counted(*args: Any, **limits: Any) -> Any:
        asked.append(1)
        return program(*args, **limits)

    monkeypatch.setattr(mg, "linear_program", counted)
    assert mg.max_entropy_nash(circle) == pytest.approx([0.25] * 4, abs=1e-6)
    once = len(asked)
    copied = [0, 0, 0, 1, 2, 3]
    a = 0.5 * 3**0.5 / (1 + 3**0.5)
    found = mg.max_entropy_nash(circle[np.ix_(copied, copied)])
    assert found == pytest.approx([a / 3] * 3 + [0.5 - a, a, 0.5 - a], abs=1e-6)
    assert len(asked) == 2 * once > 0


def test_maximum_entropy_is_an_equilibrium_of_at_least_the_entropy_of_any_corner() -> None:
    rng = np.random.default_rng(5)
    for _ in range(15):
        half = rng.integers(-2, 3, size=(6, 6))
        matrix = (np.triu(half, 1) - np.triu(half, 1).T).astype(float)
        x, corner = mg.max_entropy_nash(matrix), mg.solve(matrix).row
        assert (x @ matrix).min() > -1e-5
        assert x.sum() == pytest.approx(1)
        assert -np.sum(x * np.log(x + 1e-300)) >= -np.sum(corner * np.log(corner + 1e-300)) - 1e-5


def test_what_earns_a_little_less_is_not_played() -> None:
    """Neither within the tolerance of a linear program, which could give a millionth less a weight of a thousandth."""
    game = np.zeros((4, 4))
    game[:3, :3] = RPS
    game[3, :3] = RPS[1] - 5e-7
    game[:3, 3] = -game[3, :3]
    assert mg.max_entropy_nash(game) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-6)


def test_copies_of_a_strategy_have_equal_weights() -> None:
    """Whatever else earns nearly as much; and the mixture of all together is optimal."""
    rng = np.random.default_rng(11)
    for count in [3, 5, 8, 11] * 15:
        payoffs = rng.normal(size=(count, count))
        game = payoffs - payoffs.T
        copied = game[np.ix_([*range(count), 0], [*range(count), 0])]
        mixture = mg.max_entropy_nash(copied)
        assert mixture[0] == pytest.approx(mixture[-1], abs=1e-9)
        assert (mixture @ copied).min() > -1e-7 * np.abs(copied).max()


def test_batched_programs_agree_with_single_ones() -> None:
    rng = np.random.default_rng(6)
    games = rng.normal(size=(30, 5, 4))
    values, mixtures = mg.maximin_many(games)
    for game, value, mixture in zip(games, values, mixtures, strict=True):
        assert value == pytest.approx(mg.solve(game).value, abs=1e-8)
        assert (mixture @ game).min() == pytest.approx(value, abs=1e-7)


def test_pure_dominance() -> None:
    # 0 beats all and does better against everything; 2 equals 1 but loses more to 3
    matrix = np.array([[0, 2, 2, 2.0], [-2, 0, 0, 1], [-2, 0, 0, 0], [-2, -1, 0, 0]])
    strict, weak = mg.pure_dominance(matrix)
    assert strict[0].tolist() == [False, True, True, True]
    assert weak[1, 2] and not strict[1, 2]
    assert not weak[2, 1] and not weak.diagonal().any()
    assert not mg.pure_dominance(RPS)[1].any()
    assert not mg.pure_dominance(np.zeros((3, 3)))[1].any()


def test_dominance_by_a_mixture_only() -> None:
    # the fourth strategy loses a little to each of rock, paper, scissors: worse than the even mixture, not than any one
    matrix = np.zeros((4, 4))
    matrix[:3, :3], matrix[3, :3], matrix[:3, 3] = RPS, -0.5, 0.5
    assert not mg.pure_dominance(matrix)[1][:, 3].any()
    found = mg.mixed_domination(matrix, 3)
    assert found.strict and found.weak
    assert found.margin == pytest.approx(0.5) and found.weights == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-6)
    for k in range(3):
        assert not mg.mixed_domination(matrix, k).weak
    with pytest.raises(mg.MetagameError, match="strategy 4"):
        mg.mixed_domination(matrix, 4)


def test_quick_tests_of_dominance_agree_with_the_programs() -> None:
    rng = np.random.default_rng(8)
    half = rng.normal(size=(60, 5, 5)) + 1.2 * np.arange(5)[None, :, None]
    matrices = half - half.swapaxes(1, 2)
    matrices[:10] = np.round(matrices[:10])  # with ties
    quick = mg.dominated_many(matrices)
    slow = [[mg.mixed_domination(m, k).weak for k in range(5)] for m in matrices]
    assert quick.tolist() == slow
    assert quick.any() and not quick.all()


def test_cross_fitting_has_no_winners_curse() -> None:
    rng = np.random.default_rng(9)
    plain, crossed = [], []
    for _ in range(300):
        first, second = (n - n.T for n in rng.normal(size=(2, 8, 8)))
        plain.append(mg.exploitability((first + second) / 2).mean())
        crossed.append(mg.cross_fitted_exploitability(first, second).mean())
    assert np.mean(plain) > 1.2
    assert np.mean(crossed) < 0.6  # only what cutting off at 0 leaves


def test_empty_cells_are_refused() -> None:
    with pytest.raises(mg.MetagameError, match="must have met"):
        mg.max_entropy_nash(np.array([[0, np.nan], [np.nan, 0]]))
    with pytest.raises(mg.MetagameError, match="at least one"):
        mg.solve(np.zeros((0, 0)))


# Intervals


def test_intervals_cover_the_truth() -> None:
    theta, trials = [0.4, 0.0, -0.4], 60
    true = bt.elo(np.array(theta))
    payoff = [np.mean([np.tanh((theta[i] - theta[j]) / 2) for j in range(3) if j != i]) for i in range(3)]
    hit_rating = hit_payoff = 0
    for trial in range(trials):
        table = tournament(3, by_strength(theta), blocks=12, deals=4, seed=trial)
        row = analyse(table, ["a", "b", "c"], seed=trial, resamples=200).row("a")
        assert row.wins_interval and row.payoff_interval
        hit_rating += row.wins_interval.low <= true[0] <= row.wins_interval.high
        hit_payoff += row.payoff_interval.low <= payoff[0] <= row.payoff_interval.high
    # nominal 95 %; with true coverage of 92 % or more this fails once in 100,000 runs
    assert min(hit_rating, hit_payoff) >= binom.ppf(1e-5, trials, 0.92)


def test_copies_of_games_in_a_block_do_not_make_it_surer() -> None:
    play = by_strength([0.5, 0.0])
    widths = []
    for copies in (1, 9):
        table = tournament(2, play, blocks=60, deals=1, copies=copies, seed=2)
        interval = analyse(table, ["a", "b"], seed=1).best.payoff_interval
        assert interval is not None
        widths.append(interval.half_width)
    assert widths[0] == pytest.approx(widths[1])


def test_few_blocks_widen_the_interval() -> None:
    assert expansion(0.95, 10_000) == pytest.approx(1, abs=1e-3)
    assert expansion(0.95, 5) > 1.5
    for level, blocks in ((1.0, 5), (0.95, 1)):
        with pytest.raises(ValueError, match=r"level is|an interval needs"):
            expansion(level, blocks)


def test_blocks_of_each_pairing_are_drawn_within_it() -> None:
    table = tournament(4, by_strength([1, 0.5, 0, -0.5]), blocks=6, own_blocks=True)
    sums = block_sums(table, 4)
    assert (sums.blocks, sums.independent, len(np.unique(sums.stratum))) == (36, 6, 6)
    drawn = sums.resample(50, seed=1)
    off = ~np.eye(4, dtype=bool)
    assert (drawn.games[:, off] == 24).all()  # no resample loses a pairing
    assert analyse(table, list("abcd"), 1).metagame is not None


def test_ten_agents_take_a_moment() -> None:
    theta = np.linspace(1, -1, 10)
    result = analyse(tournament(10, by_strength(list(theta)), blocks=100), [f"s{i}" for i in range(10)], seed=1)
    assert [r.agent for r in result.leaderboard][:2] == [0, 1]


# The whole analysis


def test_teams_and_four_sided_games_count_by_side() -> None:
    # one melee of 2 against 3, agent 0 against agent 1; and one game of four seats for themselves
    melee = dict(seat=[0, 1, 2, 3, 4], team=[0, 0, 1, 1, 1], agent=[0, 0, 1, 1, 1], payoff=[2, 4, -1, -1, -1],
                 result=[1, 1, -1, -1, -1])  # fmt: skip
    four = dict(seat=[0, 1, 2, 3], team=[0, 1, 2, 3], agent=[0, 1, 2, 1], payoff=[3, 1, 1, 0], result=[1, 0, 0, -1])
    rows: dict[str, list[Any]] = {name: [] for name in rs.SCHEMA.names}
    for game, part in enumerate((melee, four)):
        count = len(part["seat"])
        for name in rows:
            rows[name] += part.get(name, [game if name in ("game", "block") else 0] * count)
    total = block_sums(rs.make_table(rows), 3).totals()
    assert total.games[0, 1] == pytest.approx(1 + 2 / 3) and total.games[0, 2] == pytest.approx(1 / 3)
    assert total.payoff[0, 1] == pytest.approx(3 + 2 / 3 * 3)
    assert total.payoff[1, 0] == pytest.approx(-1 + 1 / 3)
    assert total.wins[1, 2] == pytest.approx(1 / 6) and total.wins[0, 1] == total.games[0, 1]
    assert total.seat_rows.sum() == 9


def test_a_side_of_two_agents_is_shared() -> None:
    columns: dict[str, list[int]] = {name: [0, 0, 0] for name in rs.SCHEMA.names}
    columns |= dict(seat=[0, 1, 2], team=[0, 0, 1], agent=[0, 1, 2], payoff=[3, 1, -2], result=[1, 1, -1])
    total = block_sums(rs.make_table(columns), 3).totals()
    assert total.wins[0, 2] == total.wins[1, 2] == 0.5 and total.games[0, 1] == 0
    assert total.payoff[0, 2] == 1.5


def test_known_tournament() -> None:
    table = tournament(4, by_matrix(np.array([[0, 1, 1, 2], [-1, 0, 2, 1], [-1, -2, 0, 1], [-2, -1, -1, 0.0]])))
    s = analyse(table, ["best", "second", "third", "last"], seed=1, resamples=200)
    assert [r.name for r in s.leaderboard] == ["best", "second", "third", "last"]
    assert (s.games, s.blocks, s.decisions, s.mean_length) == (480, 20, 2880, 6)
    assert s.best.payoff == pytest.approx(4 / 3) and s.best.wins == 1 and s.best.games == 240
    assert s.best.rank_interval == (1, 1) and s.tied_with_best == () and s.graded
    # No pair met otherwise in its 40 deals; of six, each has its 360th: in 13.68 % of them one may have got -2 or 2.
    chance = 1 - (1 / 360) ** (1 / 40)
    assert s.best.rating == pytest.approx(4 / 3) and s.best.rating_interval is not None
    assert s.best.rating_interval.low == pytest.approx(4 / 3 - chance * (3 + 3 + 4) / 3)
    assert s.best.rating_interval.high == pytest.approx(4 / 3 + chance * (1 + 1 + 0) / 3)
    assert s.best.payoff_interval is not None  # by itself: 5 % alone, of what it got from all three in a deal
    assert s.best.payoff_interval.low == pytest.approx(4 / 3 - (1 - 0.05 ** (1 / 40)) * (4 / 3 + 2))
    assert s.best.seats[1].payoff_interval == s.best.payoff_interval
    assert s.best.never_lost and s.best.wins_rating is None and s.best.wins_interval is None
    assert answer(s)[0] == (
        "best comes first: it earned +1.333 a game from the others on average (95% interval +0.877 to +1.425), and is "
        "better than every other strategy."
    )
    game = s.metagame
    assert game is not None and game.nash == pytest.approx((1, 0, 0, 0), abs=1e-7)
    first, last = game.verdicts[0], game.verdicts[3]
    assert first.unbeaten and first.beats == (1, 2, 3) and first.dominated is False and not first.seems_dominated
    assert last.dominated and last.dominator == 0 and last.strict and last.margin == pytest.approx(2 * (1 - 3 * chance))
    assert last.beaten_by == (0, 1, 2) and last.exploitability == last.most_exploitability == pytest.approx(2)
    assert dominance_sentence(s, 0) == (
        "Nothing dominates best in this tournament: against itself it is the best of all strategies."
    )
    assert dominance_sentence(s, 3) == (
        "best dominates last: against every strategy it earns more, by +1.179 a game at least."
    )
    assert "The equilibrium of this pool is best alone: no strategy gains against it." in answer(s)
    assert any("never took a point" in w for w in s.warnings)


def test_minimax_strategy_among_equals_is_not_called_beaten_or_dominated() -> None:
    matrix = np.zeros((6, 6))
    matrix[:4, 4:], matrix[4:, :4] = 1, -1
    beaten = 0
    for seed in range(12):
        table = tournament(6, by_matrix(matrix, 2.0), blocks=40, deals=1, seed=seed)
        s = analyse(table, list("abcdef"), seed, resamples=300)
        assert s.metagame is not None
        beaten += not s.metagame.verdicts[0].unbeaten
        assert dominance_sentence(s, 0).startswith("By the mean payoffs ") and s.metagame.verdicts[0].dominated is None
        assert s.metagame.verdicts[0].best_answer_to is None and {1, 2, 3} <= set(s.tied_with_best) | {s.best.agent}
    assert beaten <= binom.ppf(1 - 1e-4, 12, 0.03)


def test_order_of_rows_does_not_matter_and_names_follow_agents() -> None:
    table = tournament(4, by_matrix(RPS[np.ix_([0, 1, 2, 0], [0, 1, 2, 0])], 0.7), blocks=10, deals=3)
    names = ["a", "b", "c", "d"]
    first = analyse(table, names, 5, resamples=100)
    shuffled = table.take(pa.array(np.random.default_rng(1).permutation(table.num_rows)))
    assert analyse(shuffled, names, 5, resamples=100) == first
    assert analyse(table, names, 6, resamples=100) != first
    order = np.array([2, 0, 3, 1])
    moved = analyse(change(table, agent=order[rs.column(table, "agent")]), list("bdac"), 5, resamples=100)
    for name in names:
        a, b = first.row(name), moved.row(name)
        assert a.wins_rating == pytest.approx(b.wins_rating)
        assert (a.rating, a.payoff, a.rank) == (pytest.approx(b.rating), pytest.approx(b.payoff), b.rank)
        assert a.rating_interval and b.rating_interval
        assert a.rating_interval.low == pytest.approx(b.rating_interval.low)


def test_degenerate_tournaments() -> None:
    lonely = tournament(2, by_strength([0, 0]))
    lonely = change(lonely, agent=np.zeros(lonely.num_rows))  # an agent against itself
    draw = tournament(3, by_matrix(np.zeros((3, 3))))
    for table, names in ((lonely, ["only"]), (tournament(2, by_strength([1, 0])), ["a", "b"]), (draw, ["x", "y", "z"])):
        for resamples in (0, 60):
            s = analyse(table, names, 1, resamples=resamples)
            assert sum(s.metagame.nash if s.metagame else (0,)) == pytest.approx(1)
            assert (s.best.rating_interval is None) == (resamples == 0)
            ET.fromstring(render_html(s, info()))
            assert leaderboard_text(s) and json.loads(s.to_json())["names"] == names
    drawn = analyse(draw, ["x", "y", "z"], 1)
    assert [r.rank for r in drawn.leaderboard] == [1, 1, 1] and drawn.best.rating == 0
    assert "share the first place" in answer(drawn)[0]
    assert drawn.metagame is not None and drawn.metagame.nash == pytest.approx([1 / 3] * 3)
    assert not any(v.dominated for v in drawn.metagame.verdicts)
    assert "nothing to compare" in answer(analyse(lonely, ["only"], 1))[0]


def test_one_block_gives_no_interval_but_says_so() -> None:
    s = analyse(tournament(3, by_strength([1, 0, -1]), blocks=1, deals=30), list("abc"), 1)
    assert s.best.rating_interval is None and s.resamples == 0 and "Fewer than two" in s.warnings[0]
    ET.fromstring(render_html(s, info()))


def test_agents_that_never_met() -> None:
    table = tournament(3, by_strength([1, 0, -1]))
    part = table.filter(pa.array(rs.column(table, "pairing") != 1))
    s = analyse(part, list("abc"), 1, resamples=50)
    assert s.metagame is None and s.matrix[0][2] is None and any("never met" in w for w in s.warnings)
    assert "is open" in dominance_sentence(s, 0)
    ET.fromstring(render_html(s, info()))


def test_arguments_are_checked() -> None:
    table = tournament(2, by_strength([0, 0]), blocks=2)
    cases: list[tuple[list[str], dict[str, Any], str]] = [
        (["a"], {}, "agent is 1 in row"),
        (["a", "a"], {}, "'a' twice"),
        ([], {}, "agents is empty"),
        (["a", "b"], {"resamples": -1}, "resamples is -1"),
        (["a", "b"], {"level": 1.5}, "level is 1.5"),
    ]
    for names, extra, text in cases:
        with pytest.raises(ValueError, match=text):
            analyse(table, names, 1, **extra)
    with pytest.raises(rs.ResultsError, match="no finished games"):
        analyse(rs.SCHEMA.empty_table(), ["a", "b"], 1)
