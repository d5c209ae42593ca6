"""Ratings by wins where somebody seldom lost: ends of their intervals by hand, by the binomial law, and simulated."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
import scipy.sparse
from scipy.optimize import minimize
from scipy.special import chdtri
from scipy.stats import binom

from probespiel.evaluation.tournament import ratings as bt
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.ladder import GAMES, rate
from probespiel.evaluation.tournament.rating_ends import connected, likelihood_ends, of_independent
from tests.synthetic import Floats, tournament
from tests.test_claims import check_coverage, covers
from tests.test_ladder import batch
from tests.test_rare import mostly_won

QUANTILE = 1.96**2


def two(won: float, lost: float, wider: float = 1.0, level: float = 0.95) -> tuple[float, float]:
    """The ends of how far the first of two is ahead, in logarithms of odds."""
    wins = np.array([[0.0, won], [lost, 0.0]])
    low, high = likelihood_ends(wins, bt.bradley_terry(wins), np.arange(2), np.full(2, wider), level)
    assert high.tolist() == pytest.approx((-low[::-1]).tolist()), "what one is ahead the other is behind"
    return 2 * low[0], 2 * high[0]


def deviance(won: float, lost: float, ahead: float) -> float:
    """Twice by how much less likely so many wins and losses are at some odds than at their own."""

    def likely(odds: float) -> float:
        return float(-won * np.logaddexp(0, -odds) - lost * np.logaddexp(0, odds))

    return 2 * (likely(np.log(won / lost)) - likely(ahead))


def test_the_ends_of_two_agents_by_hand() -> None:
    """297 wins and 3 losses. Upwards there were 3 losses and half a win more, downwards 3.5 losses."""
    low, high = two(297, 3)
    assert deviance(297, 3.5, low) == pytest.approx(QUANTILE, rel=1e-5) and low < np.log(297 / 3)
    assert deviance(297.5, 3, high) == pytest.approx(QUANTILE, rel=1e-5) and high > np.log(297 / 3)
    assert (low, high) == pytest.approx((3.53994, 5.99216), abs=1e-5)  # 97.18 and 99.75 % of the games
    low, high = two(297, 3, wider=4.0)
    assert deviance(297, 3.5, low) == pytest.approx(4 * QUANTILE, rel=1e-5)
    low, high = two(60, 40, level=0.8)
    assert deviance(60.5, 40, high) == pytest.approx(float(chdtri(1, 0.2)), rel=1e-5)


def test_who_never_lost_is_half_a_draw_from_it() -> None:
    """300 to 0: half a draw on either side, and half a game more as before."""
    assert connected(np.array([[0.0, 300], [0, 0]])).tolist() == [[0, 300.5], [0.5, 0]]
    assert connected(np.array([[0.0, 299], [1, 0]])).tolist() == [[0, 299], [1, 0]]
    low, high = two(300, 0)
    assert deviance(300.5, 1.0, low) == pytest.approx(QUANTILE, rel=1e-5)
    assert deviance(301.0, 0.5, high) == pytest.approx(QUANTILE, rel=1e-5)


@pytest.mark.parametrize("games", [30, 300])
def test_intervals_of_two_hold_by_the_binomial_law(games: int) -> None:
    """94 % at least whatever the chance, where one loses 0.01 to 40 games on average; never is 1.5 for 3 refuted."""
    ends = [two(games - lost, lost) for lost in range(1, games // 2 + 1)]
    ends.insert(0, (ends[0][0] if games < 2 else two(games, 0)[0], np.inf))  # who lost none has no upper end
    lost = np.arange(len(ends))
    for expected in np.exp(np.linspace(np.log(0.01), np.log(min(40, games / 4)), 60)):
        ahead = np.log(games / expected - 1)
        missed = np.array([not low <= ahead <= high for low, high in ends])
        assert binom.pmf(lost[missed], games, expected / games).sum() <= 0.06, expected


def test_the_ends_among_three_are_those_of_any_optimiser() -> None:
    """a seldom loses to b, b to c, c never met a: half a game more is shared by what a win tells of the rating."""
    wins = np.array([[0.0, 95, 0], [5, 0, 40], [0, 8, 0]])
    theta = bt.bradley_terry(wins)
    low, high = likelihood_ends(wins, theta, np.arange(3), np.ones(3))
    p = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    information = (wins + wins.T) * p * (1 - p)
    inverse = np.linalg.pinv(np.diag(information.sum(axis=1)) - information)
    for agent in range(3):
        pull = inverse[agent]
        tells = information * (pull[:, None] - pull[None, :]) ** 2
        for side, found in ((1, high), (-1, low)):
            up = side * (pull[:, None] - pull[None, :]) > 0
            counts = wins + np.where(up, 0.5 * tells / tells[up].sum(), 0.0)

            def unlikely(x: Floats, counts: Floats = counts) -> float:
                return float((counts * np.logaddexp(0, x[None, :] - x[:, None])).sum())

            best = minimize(unlikely, theta, tol=1e-12).fun
            bound = {"type": "ineq", "fun": lambda x, best=best, f=unlikely: QUANTILE / 2 - (f(x) - best)}
            reached = minimize(
                lambda x, k=agent, s=side: -s * (x[k] - x.mean()) + 1e-9 * (x @ x),
                theta, constraints=[bound], method="SLSQP", options={"ftol": 1e-12, "maxiter": 500},
            )  # fmt: skip
            assert found[agent] == pytest.approx(reached.x[agent] - reached.x.mean(), abs=1e-3), (agent, side)


def test_games_that_are_lost_together_are_fewer() -> None:
    """Ten blocks of two games, of which four are lost as a whole: eight losses tell as much as four, 40 % of ten.

    Blocks are off by 0.8 in six and by 1.2 in four: 9.6, where 20 independent games have 20 * 0.6 * 0.4 = 4.8.
    """
    games = scipy.sparse.csr_array(np.array([[0.0, 2, 2, 0]] * 10))
    wins = scipy.sparse.csr_array(np.array([[0.0, 2, 0, 0]] * 6 + [[0.0, 0, 2, 0]] * 4))
    theta = np.array([1, -1]) * np.log(0.6 / 0.4) / 2
    one = np.ones((2, 2))
    assert of_independent(wins, games, theta, one, 0.0, 1.0).tolist() == pytest.approx([2.0, 2.0])
    assert of_independent(wins, games, theta, one, 0.0, 1.5).tolist() == pytest.approx([3.0, 3.0])
    assert of_independent(wins, games, theta, 5 * one, 0.0, 1.0).tolist() == pytest.approx([10.0, 10.0])
    # Blocks that all end alike are taken for independent games, each of which counts five times
    alike = scipy.sparse.csr_array(np.array([[0.0, 1.2, 0.8, 0]] * 10))
    assert of_independent(alike, games, theta, 5 * one, 0.0, 9.0).tolist() == pytest.approx([5.0, 5.0])
    # 80 further draws: five times the information, a fifth of what 9.6 / 4.8 was
    assert of_independent(wins, games, theta, one, 80.0, 1.0).tolist() == pytest.approx([0.4, 0.4])


# Simulated


@pytest.mark.slow
@pytest.mark.parametrize("lost", [0.002, 0.005, 0.01, 0.03, 0.3])
@pytest.mark.parametrize(("agents", "blocks", "deals"), [(2, 10, 15), (2, 75, 2), (4, 50, 3)])
def test_ratings_by_wins_of_who_seldom_loses_hold_the_truth(agents: int, blocks: int, deals: int, lost: float) -> None:
    """300 games a pair; the truth is the fit to what is to be expected. No interval is none that is wrong."""
    score = np.triu(np.full((agents, agents), 1 - lost), 1) + np.tril(np.full((agents, agents), lost), -1)
    truth = bt.elo(bt.bradley_terry(1e7 * score))
    hits: defaultdict[str, list[float]] = defaultdict(list)
    for seed in range(400):
        s = analyse(
            tournament(agents, mostly_won(lost), blocks=blocks, deals=deals, seed=seed),
            list("abcd")[:agents], seed, resamples=400,
        )  # fmt: skip
        if any(row.wins_interval for row in s.leaderboard) and len(s.names) == sum(
            row.wins_rating is not None for row in s.leaderboard
        ):
            held = [covers(row.wins_interval, truth[row.agent]) for row in s.leaderboard]
            hits["ratings by wins"].append(float(np.mean(held)))
    check_coverage(blocks, hits)


@pytest.mark.slow
@pytest.mark.parametrize("strong", [3.5, 5.0, 6.5])
def test_ladders_of_who_seldom_loses_hold_the_truth(strong: float) -> None:
    """Six players of whom one loses a game in 15 to 1,400, ten batches a pair: 94 % of its intervals and of others'."""
    rng = np.random.default_rng(7)
    theta = np.array([0.0, 0.4, 0.8, -0.5, -1.0, strong])
    truth = 1500 + bt.ELO_SCALE * (theta - theta.mean())
    held = np.zeros((300, 6))
    for row in held:
        found = []
        for i in range(6):
            for j in range(i):
                for won in rng.binomial(GAMES, 1 / (1 + np.exp(theta[j] - theta[i])), size=10).tolist():
                    found.append(batch(i, j, won, GAMES - won))
        ratings, half = rate(6, found)
        row[:] = np.abs(ratings - truth) <= half
    own, others = float(held[:, 5].mean()), float(held[:, :5].mean())
    print(f"\n{strong}: {own:.1%} of its intervals, {others:.1%} of the others'")
    assert min(own, others) >= 0.94
