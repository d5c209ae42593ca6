"""What a tournament tells of draws, races, bounds and sides, against small cases worked out by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import cast

import choix
import numpy as np
import pyarrow as pa
import pytest

from probespiel.agents.entrants import AnyMatch
from probespiel.agents.match import Schedule
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.report.rating_words import cycle_sentences, rating_sentences
from probespiel.evaluation.report.showing import (
    best_wishes,
    decision_wishes,
    dominance_wishes,
    nash_wishes,
    rating_wishes,
    unbeaten_wishes,
)
from probespiel.evaluation.report.wording import nash_sentence, unbeaten_sentence, wins_sentence
from probespiel.evaluation.tournament import joint as joint_table
from probespiel.evaluation.tournament import ladder, texts
from probespiel.evaluation.tournament import metagame as mg
from probespiel.evaluation.tournament import ratings as bt
from probespiel.evaluation.tournament import results as rs
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.blocks import MAX_UNITS, _merge, block_sums
from probespiel.evaluation.tournament.confidence import Sequence as Sequence_
from probespiel.evaluation.tournament.deviation import INVASION, joint_alpha_rank
from probespiel.evaluation.tournament.joint import JointTable, play_joint, shown_table
from probespiel.evaluation.tournament.ladder import GAMES, LEAST_BATCHES, best_opponent, lines, place, rate
from probespiel.evaluation.tournament.ladder_book import Book, Player
from probespiel.evaluation.tournament.rating_ends import likelihood_ends
from probespiel.evaluation.tournament.sequential import Race, Until
from probespiel.evaluation.tournament.summary import Decision, Summary, Wish
from probespiel.evaluation.tournament.tally import merged, tally_of
from tests.synthetic import RPS, Floats, by_matrix, change, tournament
from tests.test_exact_statistics import duels, graded
from tests.test_joint import Allies
from tests.test_ladder import batch
from tests.test_sequential import block_of
from tests.test_watching import rows_of


def told(until: Until, names: str, low: Sequence[float], high: Sequence[float], blocks: int = 3) -> Race:
    """A race of at most ten blocks, after `blocks`, with these intervals of what the first of each pair earns more."""
    watch = Race(until, tuple(names), (-4.0, 4.0), 10, 100)
    watch.blocks = blocks
    watch._sequence.low, watch._sequence.high = np.array(low, dtype=float), np.array(high, dtype=float)
    return watch


# Races


def test_a_bound_that_is_just_reached_is_enough() -> None:
    assert told(Until("best", within=0.5), "ab", [-0.5], [2.0])._best() == 0
    assert told(Until("best", within=0.5), "ab", [-2.0], [0.5])._best() == 1
    assert told(Until("best", within=0.5), "ab", [-0.6], [2.0])._best() is None
    assert told(Until("best"), "ab", [0.0], [2.0])._best() is None, "without a bound one must earn more"


def test_games_are_left_only_before_the_last_block() -> None:
    asked = Until("ranking")
    said = told(asked, "ab", [-1.0], [1.0], 9).decision().text
    assert said.endswith("; the games left would probably not have told.")
    assert told(asked, "ab", [-1.0], [1.0], 10).decision().text.endswith("The goal was not reached.")


def test_who_is_best_is_told_without_what_is_open_between_others() -> None:
    watch = told(Until("best", within=0.5), "abc", [1.0, 1.0, -3.0], [2.0, 2.0, 3.0])
    assert watch.decision().text.startswith("With 95% certainty, however often one looked: a earns more than b and c (")
    close = told(Until("best", within=0.5), "abc", [1.0, -0.2, -3.0], [2.0, 2.0, 3.0])
    assert "a earns more than b and c, or at most 0.5 less (" in close.decision().text
    for goal, english, german in (
        ("ranking", "a earns more than b, or at most 0.5 less", "a holt mehr als b oder höchstens 0,5 weniger"),
        ("dominance", "a wins from b, or loses at most 0.5", "a gewinnt gegen b oder verliert höchstens 0,5"),
    ):
        text = told(Until(goal, within=0.5), "ab", [-0.2], [2.0]).decision().text
        assert f": {english} (" in text and f": {german} (" in texts.words("de")(text)


def test_who_is_beaten_is_not_compared_with_the_leader() -> None:
    """a leads b by 1 and c by 1.2 after 20 deals, neither is known, but b earns more than c: ac tells nothing more."""
    watch = told(Until("best"), "abc", [-1.5, -3.0, 0.5], [3.0, 4.0, 3.0])
    sequence = watch._sequence
    sequence.n = np.full(3, 20)
    sequence._sum = np.array([1.0, 1.2, 0.2]) * 20 / (2 * sequence.span)
    sequence._squares = sequence._sum**2 / 20
    assert watch._leader() == 0 and not watch._hopeless().any()
    assert watch.told.tolist() == [False, False, True]
    assert watch._open().tolist() == [True, False, False]


def test_bounds_follow_through_whoever_stands_between() -> None:
    """a earns 2 more than b at least, and c 1 more than a: c earns 3 more than b. And the same through c."""
    watch = told(Until("ranking"), "abc", [2.0, -7.0, -8.0], [7.0, -1.0, 8.0])
    low, high = watch.bounds()
    assert (low[2], high[2]) == (-8.0, -3.0) and watch.signs.tolist() == [1, -1, -1]
    last = told(Until("ranking"), "abc", [-8.0, 2.0, -7.0], [8.0, 7.0, -1.0])
    assert last.bounds()[0][0] == 3.0 and last.signs.tolist() == [1, 1, -1]


def test_a_decision_tells_the_level_that_was_asked_for() -> None:
    found = told(Until("ranking", level=0.9), "ab", [1.0], [2.0]).decision()
    assert found.level == 0.9 and found.text.startswith("With 90% certainty")


def test_the_first_of_two_is_the_one_that_wins_so_much() -> None:
    found = told(Until("sprt", low=0.0, high=0.5), "ab", [0.25], [0.75]).decision().text
    assert "a wins between +0.2500 and +0.7500 a game from b, so more than 0 (" in found


# Ratings


def test_ratings_by_wins_do_not_depend_on_who_fits_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the spectral iteration fails the other method takes its place, with the same one drawn game."""
    wins = np.array([[0.0, 9, 8], [1, 0, 6], [0, 2, 0]])
    usual = bt.bradley_terry(wins)

    def fails(*_: object, **__: object) -> Floats:
        raise RuntimeError("did not converge")

    monkeypatch.setattr(choix, "ilsr_pairwise_dense", fails)
    assert bt.bradley_terry(wins) == pytest.approx(usual, abs=1e-8)
    # two games and a drawn one: 2.5 to 0.5
    assert np.ptp(bt.bradley_terry(np.array([[0.0, 2], [0, 0]]))) == pytest.approx(np.log(5))


def test_shares_of_two_populations_are_those_of_the_chain() -> None:
    """Every step of the chain written down, ties among them; its stationary distribution by an eigenvector."""
    rng = np.random.default_rng(1)  # a case in which shares would be 0.3 apart if ties were seldom left
    shape = (2, 3)
    payoffs = [rng.integers(0, 2, shape).astype(float) for _ in shape]
    states = list(product(range(2), range(3)))
    step = np.zeros((6, 6))
    for i, state in enumerate(states):
        for player, size in enumerate(shape):
            for strategy in range(size):
                if strategy == state[player]:
                    continue
                other = (strategy, state[1]) if player == 0 else (state[0], strategy)
                lead = payoffs[player][other] - payoffs[player][state]
                chance = 0.5 if lead == 0 else 1 - INVASION if lead > 0 else INVASION
                step[i, states.index(other)] = chance / 3
        step[i, i] = 1 - step[i].sum()
    values, vectors = np.linalg.eig(step.T)
    shares = np.abs(np.real(vectors[:, np.real(values).argmax()]))
    table = (shares / shares.sum()).reshape(shape)
    found = joint_alpha_rank(payoffs)
    assert found[0] == pytest.approx(table.sum(axis=1)) and found[1] == pytest.approx(table.sum(axis=0))


# The analysis


def test_of_several_dominators_the_one_with_the_largest_least_lead_is_named() -> None:
    """`near` leads `last` by 1 at least, `far` by 0.5 at least and 4 at most."""
    matrix = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.5], [-1.0, -0.5, 0.0]])
    far = np.array([[0.0, 2.0, 1.0], [-2.0, 0.0, 3.0], [-1.0, -3.0, 0.0]])
    for m, leads in ((matrix, (0.5, 0.5)), (far, (1.0, -1.0))):
        assert ((m[0] - m[2]).min(), (m[1] - m[2]).min()) == leads
    four = np.array([[0.0, -3, 1, 1], [3, 0, 4, 0.5], [-1, -4, 0, -0.5], [-1, -0.5, 0.5, 0]])
    # against all four: 1 2 1 1.5 is what 0 earns more than 2, and 4 4 4 1 what 1 does: least 1 and 1
    four[0, 3], four[3, 0] = 1.5, -1.5
    four[1, 3], four[3, 1] = 0.25, -0.25
    assert (four[0] - four[2]).tolist() == [1, 1, 1, 2] and (four[1] - four[2]).tolist() == [4, 4, 4, 0.75]
    s = analyse(tournament(4, by_matrix(four)), ["near", "far", "last", "other"], 1, resamples=0)
    assert s.metagame is not None
    assert s.metagame.verdicts[2].seems_dominator == 0


def race_of_draws() -> pa.Table:
    """a wins 3 and draws 1 of four with b, loses all to c; c and b draw, and have met in thrice as many blocks."""
    blocks = [block_of(np.array([[won, -1.0, 0.0]]), number) for number, won in enumerate([1.0, 1.0, 1.0, 0.0])]
    more = [block_of(np.array([[0.0, 0.0, 0.0]]), 4 + number, (2,)) for number in range(8)]
    return pa.concat_tables([*blocks, *more])


def test_shares_of_wins_draws_and_losses_count_every_opponent_once() -> None:
    s = analyse(race_of_draws(), list("abc"), 1, resamples=0)
    shares = {row.name: (row.wins, row.draws, row.losses, row.score) for row in s.leaderboard}
    assert shares["a"] == pytest.approx((3 / 8, 1 / 8, 1 / 2, 7 / 16))
    assert shares["b"] == pytest.approx((0.0, 1 / 8 + 1 / 2, 3 / 8, 5 / 16))
    assert shares["c"] == pytest.approx((1 / 2, 1 / 2, 0.0, 3 / 4))
    assert s.row("b").games == 8 + 24


def test_intervals_by_wins_count_every_opponent_once() -> None:
    """Ten blocks of all and forty of one pair that always go 3 to 1: the rating by wins lies within its interval.

    All blocks of a kind are alike, so that no resample differs from the games themselves, and the interval is that of
    the likelihood: 300 to 100 in each pair, where the games of two pairs (80 each) count five times.
    """
    equal = [block_of(np.array([[1.0, 1, 1], [1, 1, 1], [1, -1, 1], [-1, 1, -1]]), number) for number in range(10)]
    more = [block_of(np.array([[1.0, 0, 0]] * 3 + [[-1.0, 0, 0]]), 10 + number, (0,)) for number in range(40)]
    s = analyse(pa.concat_tables([*equal, *more]), list("abc"), 1, resamples=50)
    found: dict[int, tuple[float, float]] = {}
    for row in s.leaderboard:
        assert row.wins_rating is not None and row.wins_interval is not None
        found[row.agent] = row.wins_interval.low, row.wins_interval.high
        assert row.wins_interval.low < row.wins_rating - 5 < row.wins_rating + 5 < row.wins_interval.high
    counts = np.array([[0.0, 300, 300], [100, 0, 300], [100, 100, 0]])
    theta = bt.bradley_terry(counts)
    p = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    weight = np.array([[0.0, 1, 5], [1, 0, 5], [5, 5, 0]])

    def laplacian(values: Floats) -> Floats:
        return np.diag(values.sum(axis=1)) - values

    games = np.array([[0.0, 400, 80], [400, 0, 80], [80, 80, 0]]) * p * (1 - p)
    inverse = np.linalg.pinv(laplacian(games * weight))
    wider = np.diag(inverse @ laplacian(games * weight**2) @ inverse) / np.diag(inverse)
    assert wider[2] > wider[0] > 2
    low, high = (1500 + bt.ELO_SCALE * end for end in likelihood_ends(counts, theta, np.arange(3), wider))
    assert [found[k] for k in range(3)] == [pytest.approx(one) for one in zip(low, high, strict=True)]


def test_forfeits_stand_by_their_kinds_in_order() -> None:
    table = duels(np.array([[1.0]] * 6))
    forfeit = np.zeros(table.num_rows)
    forfeit[[1, 3, 5, 7, 9, 11]] = [1, 1, 1, 2, 2, 3]  # of the second agent
    s = analyse(change(table, forfeit=forfeit), list("ab"), 1, resamples=0)
    assert s.row("b").forfeits == (3, 2, 1) and s.row("a").forfeits == (0, 0, 0)


def test_intervals_by_seat_are_those_of_payoffs() -> None:
    """The first seat gets 3 in every game of which it wins all: no resample differs; 7.22 % of 40 deals may be lost."""
    more = 6 * (1 - 0.05 ** (1 / 40))
    s = analyse(tournament(2, lambda a, b, rng, games: np.full(games, 3.0)), list("ab"), 1, resamples=30)
    for row in (*s.seats, *s.row("a").seats):
        assert row.payoff == pytest.approx(3.0 - 6.0 * row.seat) and row.score == 1.0 - row.seat
        assert row.payoff_interval is not None
        ends = (row.payoff - more, row.payoff) if row.seat == 0 else (row.payoff, row.payoff + more)
        assert (row.payoff_interval.low, row.payoff_interval.high) == pytest.approx(ends)


def test_pairs_that_never_met_are_counted_without_the_one_that_is_named() -> None:
    table = duels(np.array([[1.0, -1, 1, 1, -1, 1]] * 3), 4)
    met = rs.column(table, "pairing")
    one, three = (analyse(table.filter(pa.array(np.isin(met, kept))), list("abcd"), 1, 0).warnings
                  for kept in ((0, 1, 2, 3, 4), (0, 1, 2)))  # fmt: skip
    assert any("c and d never met" in line for line in one)
    assert any(" and 2 other pairs never met" in line for line in three)


def test_the_prior_that_was_asked_for_ranks_and_bounds_by_wins() -> None:
    """a wins 6 of 10 from b and b 9 of 10 from c, while a and c never meet: a is above b, but b has more points.

    One drawn game between every two says little beside that. Ten thousand leave everybody near the mean, where those
    come first that have most points more than half: b has 3 in ten blocks, a has 1, c has -4.
    """
    won = np.array([[1.0, 0.0, 1.0 if b < 54 else -1.0] for b in range(60)])
    won[:, 0] = [1.0 if b % 10 < 6 else -1.0 for b in range(60)]
    table = duels(won, 3)
    table = table.filter(pa.array(rs.column(table, "pairing") != 1))
    usual = analyse(table, list("abc"), 1, resamples=30)
    flat = analyse(table, list("abc"), 1, resamples=30, prior_draws=10_000.0)
    assert [usual.row(name).wins_rank for name in "abc"] == [1, 2, 3]
    assert [flat.row(name).wins_rank for name in "abc"] == [2, 1, 3]
    for name in "abc":
        row = flat.row(name)
        assert row.wins_rating is not None and abs(row.wins_rating - 1500) < 2
        assert row.wins_interval is not None and row.wins_interval.high - row.wins_interval.low < 2


def test_intervals_have_the_level_that_was_asked_for() -> None:
    """The same resamples: an interval of half the level lies inside that of 95 % everywhere."""
    table = tournament(3, by_matrix(RPS * 0.2, 1.0), blocks=30, seed=3)
    wide, slim = (analyse(table, list("abc"), 1, resamples=200, level=level) for level in (0.95, 0.5))
    for name in "abc":
        pairs = [(getattr(wide.row(name), kind), getattr(slim.row(name), kind))
                 for kind in ("payoff_interval", "wins_interval", "rating_interval")]  # fmt: skip
        pairs += [(a.payoff_interval, b.payoff_interval) for a, b in zip(wide.row(name).seats, slim.row(name).seats)]
        for outer, inner in pairs:
            assert outer.low < inner.low - 1e-3 and inner.high < outer.high - 1e-3
    for i, j in ((0, 1), (0, 2), (1, 2)):
        for outer, inner in ((wide.matrix_low, slim.matrix_low), (wide.joint_low, slim.joint_low)):
            assert outer is not None and inner is not None
            assert (outer[i][j] or 0.0) < (inner[i][j] or 0.0) - 1e-3


def test_cycles_are_measured_by_products_of_both_halves() -> None:
    """Ladder in the blocks of one half, wheel in those of the other: of their products nothing is cyclic."""
    ladder = np.array([[0.0, 1, 2], [-1, 0, 1], [-2, -1, 0]])
    pairs = ((0, 1), (0, 2), (1, 2))
    blocks = np.array([[(RPS if b % 2 else ladder + RPS)[p] for p in pairs] for b in range(12)])
    s = analyse(duels(blocks, 3), list("abc"), 1, resamples=10)
    first, second = (mg.payoff_matrix(half) for half in block_sums(duels(blocks, 3), 3).halves())
    assert s.metagame is not None and s.metagame.cycles.measured
    # halves ladder + wheel and wheel: products 6 of the wheel and none of the ladder
    assert (first * second).sum() == pytest.approx(6.0)
    assert s.metagame.cycles.cyclic_share == pytest.approx(1.0)


def test_nobody_is_shown_to_gain_from_an_equilibrium_of_the_means() -> None:
    s = analyse(tournament(3, by_matrix(RPS, 1.0), blocks=30), list("abc"), 1, resamples=20)
    assert s.metagame is not None and s.metagame.most_gained is not None
    assert s.metagame.least_gained == 0.0 < s.metagame.most_gained


def test_other_resamples_come_from_another_seed() -> None:
    table = tournament(2, by_matrix(np.zeros((2, 2)), 1.0), blocks=30)
    first, again, other = (analyse(table, list("ab"), seed, resamples=20).row("a") for seed in (1, 1, 2))
    assert first.payoff_interval == again.payoff_interval != other.payoff_interval


# Blocks


def test_a_block_that_is_alone_of_its_kind_tells_of_no_spread() -> None:
    """a meets b in ten blocks; c meets a in one more and b in another, where no other block is like it."""
    blocks = [block_of(np.zeros((2, 3)), number, (0,)) for number in range(10)]
    alone = [block_of(np.ones((2, 3)), 10, (0, 1, 2)), block_of(np.ones((2, 3)), 11, (1, 2))]
    assert block_sums(pa.concat_tables([*blocks, *alone]), 3).independent == 0
    more = [block_of(np.ones((2, 3)), number, (1, 2)) for number in (12, 13)]
    assert block_sums(pa.concat_tables([*blocks, *alone, *more]), 3).independent == 3


def test_blocks_that_are_merged_stand_beside_each_other() -> None:
    units, stratum = _merge(np.array([0, 1] * 500))
    assert stratum.tolist() == [0] * MAX_UNITS + [1] * MAX_UNITS
    for kind in (0, 1):
        mine = units[kind::2]
        assert (np.diff(mine) >= 0).all() and set(np.bincount(mine - mine[0]).tolist()) == {1, 2}


# Tables of joint strategies


def pair(seed: int) -> tuple[Allies, JointTable]:
    """Two deals of three agents, of which the seat with the dice wins one and loses the other."""
    match = Allies()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joint_table, "RESAMPLES", (1, 1))  # the intervals of ratings are not asked for
        return match, play_joint(cast(AnyMatch, match), ["a", "b", "c"], 2, seed)


def recorder(shown: list[Schedule]) -> Callable[..., SimpleNamespace]:
    """What keeps a game that is to be shown, in place of playing it."""

    def record(_: object, one: Schedule, names: Sequence[str]) -> SimpleNamespace:
        shown.append(one)
        return SimpleNamespace(faults={}, replay=names)

    return record


def test_errors_of_two_deals() -> None:
    """A side of two seats, of which one wins or loses 1: +0.5 and -0.5, and sqrt(0.5 / 2) is 0.5."""
    match, found = next(p for p in map(pair, range(20)) if p[1].payoffs[0, 0, 0, 0] == 0)
    assert found.errors[0, 0, 0, 0] == pytest.approx(0.5) and found.errors[1].max() == 0.0
    shown: list[Schedule] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joint_table, "recorded", recorder(shown))
        assert shown_table(cast(AnyMatch, match), found, 5) == ("a", "b", "c")
    assert len(shown) == 1 and len(shown[0]) == 1


def test_the_middle_table_is_shown_and_of_two_the_worse() -> None:
    match, found = pair(3)
    for seed in range(12):
        shown: list[Schedule] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(joint_table, "recorded", recorder(shown))
            shown_table(cast(AnyMatch, match), found, seed)
        both = Schedule.of(seed, np.arange(2), np.zeros((2, 4), dtype=np.int64)).dice % np.uint64(2) == 0
        won = bool(shown[0].dice[0] % np.uint64(2) == 0)
        assert won == bool(both.all()), "the one in which the side gets less, unless it wins both"


def test_of_equal_ratings_the_larger_share_comes_first() -> None:
    empty, gains, shares = np.zeros((2, 3, 3)), np.tile([-1.0, 0.0, 0.0], (2, 1)), np.tile([0.5, 0.2, 0.3], (2, 1))
    table = JointTable(("a", "b", "c"), ("x", "y"), 2, empty, empty, gains, shares, np.zeros((2, 3, 2)))
    assert [row.name for row in table.ratings.rows] == ["c", "b", "a"]


# Sentences


def with_row(s: Summary, agent: int, **more: object) -> Summary:
    """The summary with other numbers of one agent."""
    return replace(s, leaderboard=tuple(replace(r, **more) if r.agent == agent else r for r in s.leaderboard))


def with_verdict(s: Summary, agent: int, **more: object) -> Summary:
    assert s.metagame is not None
    found = tuple(replace(v, **more) if v.agent == agent else v for v in s.metagame.verdicts)
    return replace(s, metagame=replace(s.metagame, verdicts=found))


def test_drawn_games_count_half_of_the_points_that_are_told() -> None:
    s = with_row(graded(), 0, wins=0.6, draws=0.3, losses=0.1)
    assert "often comes first in these games, with 75% of the points against 56% of rare" in wins_sentence(s)


def test_a_leader_that_nobody_beats_has_no_reason_to_be_left_out() -> None:
    s = graded()
    assert s.metagame is not None
    first = s.best.agent
    nash = tuple(0.0 if i == first else 0.5 for i in range(3))
    s = replace(s, metagame=replace(s.metagame, nash=nash))
    rare = "rare, which earned most on average, has no weight in it"
    loses = with_verdict(s, first, worst_opponent=0, worst_payoff=-0.5)
    wins = with_verdict(s, first, worst_opponent=0, worst_payoff=0.0)
    assert f"{rare}, because an equilibrium asks for the hardest opponent: it got −0.500 a game from often." in (
        nash_sentence(loses)
    )
    assert f"{rare}." in nash_sentence(wins)


def test_who_shares_the_first_place_by_payoff_is_not_explained_by_wins() -> None:
    s = graded()
    assert s.metagame is not None
    s = replace(s, metagame=replace(s.metagame, nash=(0.0, 1.0, 0.0), nash_low=(0.0, 1.0, 0.0)))
    assert "often, which comes first by wins, has no weight in it" in nash_sentence(s)
    assert "first by wins" not in nash_sentence(with_row(s, 0, rank=1))


def test_what_is_taken_from_the_unbeaten_is_the_bound_and_not_the_measurement() -> None:
    s = with_verdict(graded(), 1, beaten_by=(), beats=(), most_exploitability=0.75, exploitability=0.25)
    assert "and none takes more than 0.750 a game." in unbeaten_sentence(s, 1)


def test_a_large_mixture_counts_those_that_are_in_it() -> None:
    five = np.zeros((6, 6))
    for i in range(5):
        five[i, [(i + 1) % 5, (i + 2) % 5]], five[i, [(i + 3) % 5, (i + 4) % 5]] = 1.0, -1.0
    five[:5, 5], five[5, :5] = 1.0, -1.0
    s = analyse(tournament(6, by_matrix(five), blocks=2, deals=1), list("abcdef"), 1, resamples=0)
    assert "is a mixture of 5 strategies, the heaviest a with 0.20" in nash_sentence(s)


# Ladders


def test_six_batches_are_enough_for_an_interval() -> None:
    found = [rate(2, [batch(0, 1, 8, 2, k) for k in range(n)])[1] for n in (LEAST_BATCHES - 1, LEAST_BATCHES)]
    assert np.isinf(found[0]).all() and np.isfinite(found[1]).all()


def test_the_next_opponent_is_the_one_whose_games_leave_least_doubt() -> None:
    """Against the inverse of all information, with another batch of each opponent in it."""
    rng = np.random.default_rng(2)
    differ = 0
    for _ in range(12):
        met = rng.permuted(np.tile(range(5), (14, 1)), axis=1)[:, :2].tolist()
        games = [batch(a, b, won, 10 - won, k) for k, ((a, b), won) in enumerate(zip(met, rng.binomial(10, 0.6, 14)))]
        wins = np.zeros((5, 5))
        for one in games:
            wins[one.first, one.second] += one.points
            wins[one.second, one.first] += one.games - one.points
        theta = bt.bradley_terry(wins)
        p = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
        weight = (wins + wins.T + 1 - np.eye(5)) * p * (1 - p)
        left = []
        for other in range(1, 5):
            more = weight.copy()
            more[0, other] += GAMES * p[0, other] * p[other, 0]
            more[other, 0] = more[0, other]
            left.append(np.linalg.pinv(np.diag(more.sum(axis=1)) - more)[0, 0])
        chosen = best_opponent(0, range(1, 5), 5, games)
        assert left[chosen - 1] == pytest.approx(min(left))
        differ += chosen != 1
    assert differ > 3


def test_points_of_a_ladder_are_those_of_either_side() -> None:
    players = [
        SimpleNamespace(id=i, agent=name, version="", person=True, imported=False) for i, name in enumerate("ab")
    ]
    book = SimpleNamespace(players=lambda: players, batches=lambda: [batch(0, 1, 7, 1, 0, 2), batch(1, 0, 4, 6, 1)])
    found = {line.player.agent: (line.points, line.games) for line in lines(cast(Book, book))}
    assert found == {"a": (8.0 + 6.0, 20), "b": (2.0 + 4.0, 20)}


def test_a_newcomer_whose_interval_is_just_short_enough_plays_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "is_current", lambda player: True)
    batches = [batch(0, 1, 6, 4, k) for k in range(8)]
    players = [SimpleNamespace(id=i, agent=name) for i, name in enumerate("ab")]
    book = SimpleNamespace(players=lambda: players, batches=lambda: batches)
    within = float(rate(2, batches)[1][0])
    assert list(place(cast(Book, book), cast(Game, None), cast(Player, players[0]), within, 10_000)) == []


@pytest.mark.parametrize(("first", "second", "wins", "game"), [
    # what the first gets in the games of two blocks, the batch's wins beside three losses, and the game that is shown
    ([2.0, -3.0, 1.0], [5.0, 3.0, -1.0], 4, (0, 0)),  # won with 1, 2, 3, 5: of the two in the middle the smaller
    ([-2.0, 3.0, -1.0], [-5.0, 1.0, 1.0], 2, (0, 0)),  # the second wins by 1, 2 and 5
    ([0.0, 1.0, -1.0], [0.0, 0.0, 2.0], 3, (1, 0)),  # a draw, of which there are three: the second
    ([1.0, 2.0, 3.0], [1.0, 2.0, 4.0], 1, (0, 1)),  # the better one wins none of them: all count, and the third of six
])  # fmt: skip
def test_the_game_of_a_batch_that_is_shown_is_the_middle_one_that_its_better_player_wins(
    first: list[float], second: list[float], wins: int, game: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The players change seats from game to game, and a game pays what one gains the other loses, half of it each."""
    players = [SimpleNamespace(id=i, agent=name, version="") for i, name in enumerate("ab")]
    kept = replace(batch(0, 1, wins, 3), seed=5)
    book = SimpleNamespace(batches=lambda: [kept], players=lambda: players)
    shown: list[tuple[Schedule, list[str]]] = []

    def scheduled(block: int) -> tuple[Schedule, None]:
        seating = np.array([[0, 1], [1, 0], [0, 1]], dtype=np.int64)
        dice = np.arange(3, dtype=np.uint64) + np.uint64(10 * block)
        return Schedule(seating, dice, np.arange(3, dtype=np.int64)), None

    class Both:
        def __enter__(self) -> Both:
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def play(self, schedule: Schedule, absent: object) -> SimpleNamespace:
            gains = np.array(second if schedule.dice[0] >= 10 else first) / 2
            return SimpleNamespace(payoffs=np.where(schedule.seating == 0, gains[:, None], -gains[:, None]))

    plan = SimpleNamespace(
        blocks=2, match=lambda game: Both(), block=scheduled, table=lambda *_: None,
        play=lambda match, schedule: match.play(schedule, ()),
    )  # fmt: skip
    for name, made in {
        "is_current": lambda player: True, "entrant_of": lambda *_: None, "Plan": SimpleNamespace(of=lambda *_: plan),
        "_counted": lambda tables: ((kept.games, kept.wins, kept.draws, kept.losses), 0.0),
        "recorded": lambda match, one, names: shown.append((one, names)),
    }.items():  # fmt: skip
        monkeypatch.setattr(ladder, name, made)
    ladder.shown(cast(Book, book), cast(Game, None), 0)
    (one, names), block = shown[0], game[0]
    assert len(one) == 1 and names == ["a", "b"]
    assert int(one.dice[0]) == 10 * block + game[1], (int(one.dice[0]), game)


def test_an_interval_is_cut_and_never_moved() -> None:
    """One's own end stays where the other interval goes beyond it, and where it does not count."""
    sequence = Sequence_(3, 1.0, 0.05, 100)
    sequence.low, sequence.high = np.array([-0.5, -0.5, -0.5]), np.array([0.5, 0.5, 0.5])
    sequence.narrow(np.array([-0.8, 0.1, 0.1]), np.array([0.7, 0.3, 0.3]), np.array([True, True, False]))
    assert sequence.low.tolist() == [-0.5, 0.1, -0.5] and sequence.high.tolist() == [0.5, 0.3, 0.5]


# Forfeits, and who is entered


def test_forfeits_stand_in_the_order_of_games_and_then_of_seats() -> None:
    table = rows_of({(0, 1): [1, 1]})
    game = rs.column(table, "game")
    found = [tally_of(change(table, forfeit=np.ones(4), game=game + first), 2) for first in (5, 0)]
    assert merged(found).forfeits[:, :2].tolist() == [[0, 0], [0, 1], [1, 0], [1, 1], [5, 0], [5, 1], [6, 0], [6, 1]]


def test_names_that_were_imported_are_entered_as_others(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("kuhn", compiled=False)
    version = ladder.version_of("random")
    for imported in (True, False):
        players = [Player(0, "random", version, "", imported)]
        entered: list[str] = []
        book = SimpleNamespace(
            players=lambda players=players: players, enter=lambda name, *_, to=entered: to.append(name)
        )
        ladder.enter(cast(Book, book), game, ["random"])
        assert entered == (["random"] if imported else [])


# Other ways to rate


def ratings_of(s: Summary, **more: object) -> Summary:
    assert s.metagame is not None
    return replace(s, metagame=replace(s.metagame, ratings=replace(s.metagame.ratings, **more)))


def test_firsts_by_deviation_ratings_are_equal_up_to_a_part_of_the_largest_payoff() -> None:
    s = analyse(duels(np.array([[100.0, 5, 4]] * 4), 3), ["x", "y", "z"], 1, resamples=0)
    close, far = (ratings_of(s, deviation=(-1.0, -1.0 - gap, -3.0)) for gap in (0.05, 0.2))
    assert [any("x and y (−1.0 a game)" in line for line in rating_sentences(t)) for t in (close, far)] == [True, False]


@pytest.mark.parametrize(("count", "text"), [(5, "a, b, c, d und e"), (6, "a, b, c, d und 2 andere")])
def test_names_in_german_are_counted_from_the_fifth_on(count: int, text: str) -> None:
    names = list("abcdefgh")
    matrix = np.zeros((8, 8))
    matrix[:count, count:], matrix[count:, :count] = 1.0, -1.0
    s = analyse(tournament(8, by_matrix(matrix), blocks=2, deals=1), names, 1, resamples=0)
    assert any(line.startswith("Vorn nach Auszahlung") and f": {text}." in line for line in rating_sentences(s, "de"))


@pytest.mark.parametrize(("share", "english", "german"), [
    (0.004, "99.6% of what the pairs tell is a ladder", "0,4 % geht im Kreis"),
    (0.996, "0.4% of what the pairs tell is a ladder", "99,6 % geht im Kreis"),
    (0.25, "75% of what the pairs tell is a ladder", "25 % geht im Kreis"), (0.0, "100% of what", "0 % geht im Kreis"),
])  # fmt: skip
def test_small_shares_have_a_digit_more(share: float, english: str, german: str) -> None:
    s = graded()
    assert s.metagame is not None
    s = replace(s, metagame=replace(s.metagame, cycles=replace(s.metagame.cycles, cyclic_share=share)))
    assert cycle_sentences(s)[0].startswith(english) and german in cycle_sentences(s, "de")[0]


# What is wished to be seen


def field(*margins: float, names: str = "abcd") -> Summary:
    """Four strategies that earn these margins from each other in every game: ab, ac, ad, bc, bd, cd."""
    return analyse(duels(np.array([margins] * 60), 4), list(names), 1, resamples=20)


def test_who_is_beaten_is_seen_against_the_hardest_of_those_that_beat_it() -> None:
    assert unbeaten_wishes(field(-1, -3, -2, 0, 0, 0), 0) == (Wish("ahead", 2, 0),)
    assert unbeaten_wishes(field(1, 3, 2, 0, 0, 0), 0) == (Wish("level", 0, 1),)


def test_who_is_dominated_is_seen_against_who_is_shown_to_do_it() -> None:
    """b dominates a by 2 everywhere, as is shown; where only the means say so, it is who seems to do it."""
    s = field(-2, 0, 0, 2, 2, 0)
    assert s.metagame is not None and s.metagame.verdicts[0].dominator == 1
    assert dominance_wishes(s, 0) == (Wish("ahead", 1, 0),)
    assert dominance_wishes(with_verdict(s, 0, seems_dominator=3), 0) == (Wish("ahead", 1, 0),)
    open_ = with_verdict(s, 0, dominated=None, dominator=None, seems_dominator=3)
    assert dominance_wishes(open_, 0) == (Wish("ahead", 3, 0),)
    # of a mixture the one that has most weight times what it earns from a
    mixed = with_verdict(field(-3, -1, -1, 0, 0, 0), 0, dominated=True, dominator=None, mixture=(0.0, 0.1, 0.5, 0.4))
    assert dominance_wishes(mixed, 0) == (Wish("ahead", 2, 0),)


def test_a_decision_is_seen_in_the_closest_pairs_the_better_one_ahead() -> None:
    found = Decision("dominance", False, 10, 10, 0.95, 0.0, ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3)),
                     (0.5, -2.0, 0.1, -0.1, -3.0), (1.0, -0.3, 0.9, 0.3, 3.0), (9,) * 5, "")  # fmt: skip
    assert decision_wishes(found) == (Wish("ahead", 1, 2), Wish("level", 1, 3))
    last = replace(found, low=(0.5, -2.0, 0.8, -0.1, -3.0))
    assert decision_wishes(last)[0] == Wish("ahead", 2, 0), "by 0.3 at least"


def test_a_mixture_is_seen_in_its_two_heaviest() -> None:
    s = field(0, 0, 0, 0, 0, 0)
    assert s.metagame is not None
    assert nash_wishes(replace(s, metagame=replace(s.metagame, nash=(0.1, 0.3, 0.4, 0.2)))) == (Wish("level", 2, 1),)


def test_the_best_is_seen_against_whom_it_fares_as_on_average() -> None:
    """a earns 3, 1 and 2.5 from the others, 2.17 on average: 2.5 comes closest."""
    s = field(3, 1, 2.5, 0, 0, 0)
    assert best_wishes(s)[0] == Wish("level", 0, 3) and rating_wishes(s, "payoff", [0]) == (Wish("level", 0, 3),)
