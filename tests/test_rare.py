"""Intervals where few games differ from the others, or none: by hand, by the binomial law, and simulated (slow)."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta, binom, t

from probespiel.agents.intervals import FEW, mean_interval, missed, room, unseen
from probespiel.envs import make_game
from probespiel.evaluation.exploit.measure import Bench, Candidate, figure
from probespiel.evaluation.stress.estimates import odds_ratio
from probespiel.evaluation.tournament import results as rs
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.rare import rare
from probespiel.evaluation.tournament.sequential import Race, Until
from probespiel.evaluation.tournament.simultaneous import least_blocks, member_level
from probespiel.training.einblatt import duel_gap
from tests.synthetic import Floats, Play, tournament
from tests.test_claims import check_coverage, covers, false_sentences


def won(games: int, lost: int) -> Floats:
    """Games that pay 1, of which some were lost."""
    return np.where(np.arange(games) < lost, -1.0, 1.0)


# By hand


def test_what_was_not_seen_has_a_chance_that_is_a_root() -> None:
    assert unseen(1) == pytest.approx(0.95) and unseen(2) == pytest.approx(1 - 0.05**0.5)
    assert unseen(300) == pytest.approx(0.0099360, abs=1e-7)  # 0.990064^300 = 0.05: the rule of three says 0.01
    assert unseen(0) == unseen(1) and unseen(10, 0.99) == pytest.approx(1 - 0.01**0.1)


def test_all_games_won_leaves_room_below_alone() -> None:
    """300 games that pay 1 of -1 to 1: in 0.994 % of them, 2 less."""
    assert mean_interval(won(300, 0), (-1, 1)) == pytest.approx((1, 1 - 2 * 0.0099360, 1), abs=1e-6)
    assert room(won(300, 0), (-1, 1)).tolist() == pytest.approx([2 * 0.0099360, 0], abs=1e-6)
    assert room(np.zeros(300), (-3, 5)).tolist() == pytest.approx([3 * 0.0099360, 5 * 0.0099360], abs=1e-6)
    assert room(-won(300, 0), (-1, 1)).tolist() == pytest.approx([0, 2 * 0.0099360], abs=1e-6)
    assert room(np.ones(10), (-1, 1), cases=300).tolist() == pytest.approx([2 * 0.0099360, 0], abs=1e-6)
    assert room(np.full(4, 9.0), (-1, 1))[1] == 0  # beyond what was said to be possible: never below nothing


def test_two_of_300_lost_are_those_of_the_binomial_law() -> None:
    """Clopper and Pearson: 2 of 300 do not refute 2.3873 % (of which so few come in 2.5 %), and the mean is 2 - 4 p."""
    most = 0.0238735
    assert binom.cdf(2, 300, most) == pytest.approx(0.025, abs=1e-6)
    assert missed(1 - won(300, 2)) == pytest.approx(2 * (most - 2 / 300), abs=1e-6)
    mean, low, high = mean_interval(won(300, 2), (-1, 1))
    half = float(t.ppf(0.975, 299)) * np.std(won(300, 2), ddof=1) / 300**0.5
    assert mean == pytest.approx(1 - 4 / 300) and low == pytest.approx(1 - 2 * most, abs=1e-6)
    assert high == pytest.approx(mean + half)  # Student's, which reaches beyond 1


def test_one_and_two_values() -> None:
    """One tells nothing; two that are equal leave 77.6 % open; two that differ have Student's interval."""
    assert mean_interval(np.array([0.5]), (-1, 1)) == pytest.approx((0.5, -1, 1))
    open_ = 1 - 0.05**0.5
    assert mean_interval(np.array([0.5, 0.5]), (-1, 1)) == pytest.approx((0.5, 0.5 - 1.5 * open_, 0.5 + 0.5 * open_))
    assert mean_interval(np.array([0.0, 1.0]), (-1, 1)) == pytest.approx((0.5, 0.5 - 6.353102, 0.5 + 6.353102))
    assert room(np.array([]), (-1, 1)).tolist() == [2, 2]
    with pytest.raises(ValueError, match="no values"):
        mean_interval(np.array([]), (-1, 1))


def test_an_interval_with_much_variance_is_students() -> None:
    """Where no value is that of a third of all, or many differ from it, there is nothing to add."""
    assert room(np.arange(9.0), (0, 9)).tolist() == room(won(300, 150), (-1, 1)).tolist() == [0, 0]
    assert room(won(300, FEW), (-1, 1)).tolist() == [0, 0] != room(won(300, FEW - 1), (-1, 1)).tolist()
    assert room(np.array([0.0, 0, 0, 1, 2, 3, 4, 5, 6, 7]), (0, 9)).tolist() == [0, 0]  # three of ten, and of nine:
    assert room(np.array([0.0, 0, 0, 1, 2, 3, 4, 5, 6]), (0, 9))[1] > 0
    values = np.arange(9.0)
    half = 2.306004 * values.std(ddof=1) / 3
    assert mean_interval(values, (0, 9)) == pytest.approx((4, 4 - half, 4 + half), abs=1e-6)


def test_few_on_either_side_of_a_drawn_game_count_by_themselves() -> None:
    values = np.zeros(100)
    values[:3], values[3:5] = -1, [2, 4]
    below, above = room(values, (-4, 4))
    assert below == pytest.approx(0.0851764 - 0.03, abs=1e-6)  # 3 of 100 do not refute 8.518 %
    assert above == pytest.approx((0.0703839 - 0.02) * 10**0.5, abs=1e-6)  # nor 2 of them 7.038 %, by root 10 each
    assert room(values + 1e-12 * np.arange(100), (-4, 4)) == pytest.approx([below, above])  # rounding is no difference


def test_a_side_on_which_nothing_was_seen_is_not_closed() -> None:
    """One of 100 drawn games was won: as many as were not refuted at 2.5 %, 3.62 %, may be lost, by as much."""
    values = np.zeros(100)
    values[0] = 2
    below, above = room(values, (-4, 4))
    assert below == pytest.approx(2 * (1 - 0.025**0.01)) and above == pytest.approx(2 * (0.0544594 - 0.01), abs=1e-6)
    assert room(values, (-0.5, 4))[0] == pytest.approx(0.5 * (1 - 0.025**0.01))  # or by as much as there is
    assert room(np.arange(4.0).clip(1), (0, 9))[0] == 0  # two of four


def test_two_values_that_are_both_common_count_from_each() -> None:
    """Five units of 0 and five of 1: 5 of 10 do not refute 81.3 %, nor 18.7 %."""
    halves = np.repeat([0.0, 1.0], 5)
    assert room(halves, (0, 1)).tolist() == pytest.approx([0.3129140] * 2, abs=1e-6)


def test_columns_of_units_without_games_say_nothing() -> None:
    units = np.array([[1.0, np.nan, np.nan], [1.0, 1.0, np.nan]])
    found = rare(units, (0, 1), 0.95, np.array([20.0, 1, 0]))
    assert found[0].tolist() == pytest.approx([1 - 0.05 ** (1 / 20), 0.95, 0]) and found[1].tolist() == [0, 0, 0]


def test_what_is_measured_in_an_exploit_is_not_sure() -> None:
    """Kuhn poker pays -2 to 2; a side's seats share what they get; both together gain half of it all."""
    bench = Bench(make_game("kuhn"), "always_bet", [Candidate("x", "honest")], 5)
    assert bench.reach(0) == bench.reach(1) == (-2, 2) and bench.gained == (-2, 2)
    bench.opposed = False
    assert bench.gained == (-4, 4)
    bench.close()
    found = figure(np.ones(300), (-2, 2))
    assert (found.low, found.value, found.high) == pytest.approx((1 - 3 * 0.009936, 1, 1 + 0.009936), abs=1e-5)


def test_a_pair_that_was_won_throughout_has_room_by_its_deals() -> None:
    """20 blocks of 2 deals: 40 deals, of which 7.22 % may be lost in both games; 9.73 % where three families hold."""
    s = analyse(tournament(2, lambda a, b, rng, games: np.full(games, 1.0 if a == 0 else -1.0)), ["a", "b"], 1, 50)
    assert s.matrix_low is not None and s.matrix_high is not None and s.joint_low is not None
    alone, together = 1 - 0.05 ** (1 / 40), 1 - (0.05 / 3) ** (1 / 40)
    assert (s.matrix_low[0][1], s.matrix_high[0][1]) == pytest.approx((1 - 2 * alone, 1))
    assert (s.matrix_low[1][0], s.matrix_high[1][0]) == pytest.approx((-1, 2 * alone - 1))
    assert s.joint_low[0][1] == pytest.approx(1 - 2 * together) and member_level(1, 0.95) == pytest.approx(1 - 0.05 / 3)
    assert s.best.rating_interval is not None
    assert (s.best.rating_interval.low, s.best.rating_interval.high) == pytest.approx((1 - 2 * together, 1))
    assert s.best.rank_interval == (1, 1) and s.tied_with_best == ()


def test_what_rests_on_pairs_without_bounds_has_their_room() -> None:
    """Five in a strict order, 10 blocks of a deal: too few for a bound of any of 10 pairs, enough for one of 5 ratings.

    Of 10 deals 47.3 % may be lost in both games, so that each pair may be 0.945 off and a rating a quarter of that for
    each opponent that was beaten, or that won. The last two differ from deal to deal, by 0.9 on average: without the
    room of what they lost to the others the fourth would be shown to be better.
    """

    def play(a: int, b: int, rng: np.random.Generator, games: int) -> Floats:
        paid: Floats = np.ones(games)
        if {a, b} == {3, 4}:
            paid[::2], paid[1::2] = 0.91, 0.89
        return paid if a < b else -paid

    s = analyse(tournament(5, play, blocks=10, deals=1), list("abcde"), 1, 50)
    room = 2 * (1 - (0.05 / 3 / 10) ** (1 / 10)) / 4
    assert room == pytest.approx(0.23627, abs=1e-5)
    assert s.joint_low is not None and s.joint_low[0][1:] == (None,) * 4
    assert s.joint_low[3][4] is not None and 0.88 < s.joint_low[3][4] < 0.9
    for k in range(3):
        interval = s.leaderboard[k].rating_interval
        assert interval is not None and s.leaderboard[k].rating == pytest.approx(1 - k / 2)
        assert interval.low == pytest.approx(s.leaderboard[k].rating - (4 - k) * room)
        assert interval.high == pytest.approx(s.leaderboard[k].rating + k * room)
    assert s.leaderboard[3].rank_interval == (1, 5), "0.45 ahead of the last, but each may be 0.71 off"


def test_a_match_that_was_won_throughout_has_room_by_its_deals() -> None:
    """20 deals, of which 18.5 % may be lost at the last look, which has a third of 5 %; better than betting."""
    table = tournament(2, lambda a, b, rng, games: np.full(games, 1.0 if a == 0 else -1.0), blocks=10)
    race = Race(Until("sprt", low=0.0, high=0.02), ("a", "b"), (-1.0, 1.0), 10, 20)
    block = rs.column(table, "block")
    while (now := race.round()) is not None:
        for number in now[0]:
            race.add(table.filter(block == number))
    low, high = race.bounds()
    assert low[0] == pytest.approx(1 - 2 * (1 - (0.05 / 3) ** (1 / 20))) and high[0] == 1


def test_more_games_leave_less_room() -> None:
    lows = [mean_interval(won(n, 0), (-1, 1))[1] for n in (2, 3, 10, 100, 1000)]
    assert all(a < b < 1 for a, b in pairwise(lows))


def test_odds_of_who_never_loses_by_hand() -> None:
    """300 games won of 300, for 150: log odds of 599 to 1, which 299 to 301 points do not bound from above.

    From below 0.025 ** (1 / 300) = 0.98779 is left, log odds of 4.393. Half of 300 may be 0.442 to 0.558, 0.233 apart.
    A chance of a millionth is not told from none: 13.816.
    """
    won, half = np.ones(300), np.tile([1.0, -1.0], 150)
    found = odds_ratio(won, half)
    middle, ends = np.log(599), binom_ends(150, 300)
    below, above = middle - np.log(0.025 ** (1 / 300) / (1 - 0.025 ** (1 / 300))), np.log(1e6 - 1) - middle
    assert found.value == pytest.approx(middle)
    assert found.low == pytest.approx(middle - np.hypot(below, np.log(ends[1] / (1 - ends[1]))))
    assert found.high == pytest.approx(middle + np.hypot(above, -np.log(ends[0] / (1 - ends[0]))))
    back = odds_ratio(half, won)
    assert (back.value, back.low, back.high) == pytest.approx((-found.value, -found.high, -found.low))
    lost = odds_ratio(-won, -half)
    assert (lost.value, lost.low, lost.high) == pytest.approx((-found.value, -found.high, -found.low))


def test_forty_losses_are_enough_for_odds() -> None:
    """With 40 the delta method alone, with 39 and a half more."""
    half = np.tile([1.0, -1.0], 200)
    for points, more in ((360.0, False), (360.5, True)):
        scores = np.repeat([1.0, 0.0, -1.0], [int(points), int(2 * (points % 1)), 40 - int(2 * (points % 1))])
        found, a, b = odds_ratio(scores, half), 0.5 + scores / 2, 0.5 + half / 2
        slope = 1 / (a.mean() * (1 - a.mean()))
        delta = 1.96 * (slope * (a - a.mean()) - 4 * (b - b.mean())).std(ddof=1) / 20
        assert bool(found.value - found.low > delta * 1.001) is more, points


def binom_ends(won: int, games: int) -> tuple[float, float]:
    """Clopper and Pearson by the beta law."""
    return float(beta.ppf(0.025, won, games - won + 1)), float(beta.ppf(0.975, won + 1, games - won))


def test_a_gap_that_no_deal_shows_has_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the rule of three: with 59 deals without any gap 5 % of all may have one of all that a game pays, 2.

    In the other seat every deal pays 0.5 less: up to 1.5 more, or 0.5 less, in 5 % of them.
    """

    class Tree:
        def __init__(self, game: Any, seat: int, chances: Any) -> None:
            self.game, self.seat = game, seat

        def value(self, block: Any) -> Any:
            return np.zeros(len(block)) - 0.5 * self.seat

        def clairvoyant(self, block: Any) -> Any:
            return np.zeros(len(block))

    monkeypatch.setattr(duel_gap, "DuelTree", Tree)
    monkeypatch.setattr(duel_gap, "deals", lambda game, n, seed: iter([np.zeros(n)]))
    game: Any = SimpleNamespace(spec=SimpleNamespace(payoff_range=(-1.0, 1.0)))
    found = duel_gap.clairvoyant_gap(game, lambda *_: None, 59)  # type: ignore[arg-type, return-value]
    five = 1 - 0.05 ** (1 / 59)
    assert found.mean == (0.0, 0.5) and found.deals == 59
    assert [1.96 * error for error in found.error] == pytest.approx([2 * five, 1.5 * five])
    assert found.upper == pytest.approx(0.5 + 1.5 * five)
    assert found.told(["A", "B"], "en") == (
        f"as A: whoever sees its hand, too, wins 0.0000 ± {2 * five:.4f} a game beyond the value; "
        f"as B: whoever sees its hand, too, wins 0.5000 ± {1.5 * five:.4f} a game beyond the value (over 59 deals)"
    )
    assert "als B: wer auch ihr Blatt sieht, gewinnt 0,5000 ±" in found.told(["A", "B"], "de")


# By the binomial law: every number of lost games, with its chance


@pytest.mark.parametrize("games", [10, 30, 100, 300])
def test_of_single_figures_95_percent_hold_the_truth(games: int) -> None:
    """With 1 to 40 lost games to be expected, 94 % at least; Student's hold it in 9.5 % where 0.1 is expected."""
    ends = [mean_interval(won(games, lost), (-1, 1)) for lost in range(games + 1)]
    for expected in (0.1, 0.3, 0.5, 1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40):
        share = expected / games
        if share > 0.35:
            continue
        chances = binom.pmf(np.arange(games + 1), games, share)
        held = [low - 1e-12 <= 1 - 2 * share <= high + 1e-12 for _, low, high in ends]
        assert chances[held].sum() >= 0.94, (games, expected, chances[held].sum())


# Simulated tournaments


def mostly_won(lost: float) -> Play:
    """The agent with the lower number wins but for a share of games."""

    def play(a: int, b: int, rng: np.random.Generator, games: int) -> Floats:
        return (1.0 if a < b else -1.0) * np.where(rng.random(games) < lost, -1.0, 1.0)

    return play


def truth_of(agents: int, lost: float) -> Floats:
    """The margins in truth."""
    return (1 - 2 * lost) * (np.triu(np.ones((agents, agents)), 1) - np.tril(np.ones((agents, agents)), -1))


@pytest.mark.slow
@pytest.mark.parametrize("lost", [0.001, 0.005, 0.01, 0.02, 0.05])
@pytest.mark.parametrize(("agents", "blocks", "deals"), [(2, 10, 15), (2, 75, 2), (4, 50, 3)])
def test_intervals_of_pairs_that_are_seldom_lost_hold_the_truth(
    agents: int, blocks: int, deals: int, lost: float
) -> None:
    """300 games a pair: 94 % of each figure's intervals, and no sentence wrong in more than 5 % of tournaments."""
    truth, count = truth_of(agents, lost), 400
    payoff = truth.sum(axis=1) / (agents - 1)
    hits: defaultdict[str, list[float]] = defaultdict(list)
    for seed in range(count):
        table = tournament(agents, mostly_won(lost), blocks=blocks, deals=deals, seed=seed)
        s = analyse(table, list("abcd")[:agents], seed, resamples=400)
        assert s.matrix_low is not None and s.matrix_high is not None and blocks >= least_blocks(0.95)
        hits["sentences, all at once"].append(not false_sentences(s, truth))
        pairs = [(i, j) for i in range(agents) for j in range(i)]
        ends = [(s.matrix_low[i][j], s.matrix_high[i][j], truth[i, j]) for i, j in pairs]
        held = [a is not None and b is not None and a <= m + 1e-9 and m <= b + 1e-9 for a, b, m in ends]
        hits["pairs"].append(float(np.mean(held)))
        hits["payoff"].append(float(np.mean([covers(r.payoff_interval, payoff[r.agent]) for r in s.leaderboard])))
        seats = [covers(seat.payoff_interval, payoff[r.agent]) for r in s.leaderboard for seat in r.seats]
        hits["seats"].append(float(np.mean(seats)))
    check_coverage(blocks, hits)


@pytest.mark.slow
@pytest.mark.parametrize("games", [300, 1500])
@pytest.mark.parametrize(
    "chances", [(0.99, 0.5), (0.997, 0.5), (0.999, 0.5), (0.999, 0.997), (0.5, 0.003), (0.95, 0.9)]
)
def test_odds_of_winning_hold_at_rare_losses(games: int, chances: tuple[float, float]) -> None:
    """The delta method alone held 22 % where a game of a thousand is lost."""
    rng = np.random.default_rng(games)
    log_odds = [np.log(chance / (1 - chance)) for chance in chances]
    held = 0
    for _ in range(2000):
        found = odds_ratio(*(np.where(rng.random(games) < chance, 1.0, -1.0) for chance in chances))
        held += found.low <= log_odds[0] - log_odds[1] <= found.high
    assert held >= 0.94 * 2000
