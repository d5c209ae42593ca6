"""Tournaments that stop when they know: the intervals against a naive copy of the theorem, and how often they err."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from itertools import combinations, pairwise, product
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pyarrow as pa
import pytest
from scipy.integrate import quad

from probespiel.agents.entrants import AnyMatch, entrant_of
from probespiel.app.cli import run as command
from probespiel.envs import make_game
from probespiel.envs.core.game import Game
from probespiel.evaluation.tournament import playing
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.confidence import BETTORS, MOST_LOST, Sequence
from probespiel.evaluation.tournament.plan import Plan, TournamentError
from probespiel.evaluation.tournament.progress import Silent
from probespiel.evaluation.tournament.results import make_table
from probespiel.evaluation.tournament.run import TournamentInterrupted, run_tournament
from probespiel.evaluation.tournament.sequential import LEAST_BLOCKS, Race, Until, _leads
from tests.whole_runs import held

FIELD = ("random", "card_only", "bluffer")
BOTS = Path(__file__).parent / "bots.py"


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


def naive(blocks: list[list[float]], span: float, error: float, planned: int, mean: float, side: int) -> float:
    """The logarithm of the capital of bets that numbers lie above a mean (side 1) or below it, number by number."""
    capital = 0.0
    for horizon, deepest in BETTORS:
        if mean / (2 * span) * side > deepest - 0.5:
            continue
        seen: list[float] = []
        bettor = 0.0
        for block in blocks:
            middle = sum(seen) / max(len(seen), 1)
            variance = (0.01 + sum((z - middle) ** 2 for z in seen)) / (len(seen) + 1) if seen else 0.25
            hoped = math.sqrt(2 * math.log(2 / error) / (max(horizon * planned, 1) * variance))
            weight = min(hoped, MOST_LOST / deepest)
            worst = quad(lambda t, lost: t**3 / (1 - lost * t), 0, 1, args=(weight * deepest,))[0]
            for value in block:
                z = value / (2 * span)
                won = side * weight * (z - mean / (2 * span))
                least = won - won**2 / 2 + won**3 / 3 - worst * won**4
                assert least <= math.log1p(won)
                bettor += least
                seen.append(z)
        capital += math.exp(bettor) / len(BETTORS)
    return math.log(capital)


def test_the_intervals_are_those_of_the_bets() -> None:
    rng = np.random.default_rng(5)
    blocks = [rng.uniform(-3, 2, (n, 2)) * [1, 0.1] + [0, 0.5] for n in (40, 7, 300, 1, 90)]
    sequence = Sequence(2, 3.0, 0.01, 500)
    best = np.array([[-3.0, -3.0], [3.0, 3.0]])
    for i, block in enumerate(blocks):
        sequence.add(block)
        sequence.look()
        for k in range(2):
            for side, end in enumerate((sequence.low, sequence.high)):
                if end[k] == best[side, k]:
                    continue
                lists = [b[:, k].tolist() for b in blocks[: i + 1]]
                found = naive(lists, 3.0, 0.01, 500, float(end[k]), 1 - 2 * side)
                assert found == pytest.approx(math.log(200), abs=1e-6), "just ruled out"
        best = np.array([sequence.low, sequence.high])
    assert (best[0] > -1).all() and (best[1] < 1).all() and sequence.n.tolist() == [438, 438]


def test_a_case_by_hand() -> None:
    """100 times 0.1 of [-1, 1] where 5 were planned: 0.05 when scaled, and a first variance of 1/4.

    Weights sqrt(2 ln 40 / (5 h / 4)) are cut to 0.95 (three) and 0.95 / 0.53 = 1.79245 (three), so that all may lose
    0.95: g = (ln 20 - 0.95 - 0.45125 - 0.28579) / 0.81451 = 1.60673. With y = w (0.05 - m) they have
    100 (y - y^2 / 2 + y^3 / 3 - g y^4): (3 exp(2.27638) + 3 exp(4.25218)) / 6 = 40 where 0.05 - m = 0.024237, so that
    m = 0.025763, or 0.051526 when not scaled.
    """
    sequence = Sequence(1, 1.0, 0.05, 5)
    sequence.add(np.full((100, 1), 0.1))
    sequence.look()
    assert sequence.low[0] == pytest.approx(0.051526, abs=1e-6)
    assert sequence.high[0] == pytest.approx(2 * (0.05 + 0.024237), abs=1e-5)
    sequence.add(np.full((100, 1), 1.0), np.array([False]))
    sequence.look()
    assert sequence.n[0] == 100 and sequence.low[0] == pytest.approx(0.051526, abs=1e-6), "not of this comparison"
    with pytest.raises(TournamentError, match=r"1\.5 is outside .* 1: the payoff range"):
        sequence.add(np.full((1, 1), 1.5))


def test_an_interval_never_widens() -> None:
    sequence = Sequence(1, 1.0, 0.05, 400)
    ends = []
    for value in (0.5, 0.5, -0.9, -0.9):
        sequence.add(np.full((100, 1), value))
        sequence.look()
        ends.append((sequence.low[0], sequence.high[0]))
    assert ends[1][0] > 0.3 and all(later[0] >= first[0] and later[1] <= first[1] for first, later in pairwise(ends))


def plan_of(game: Game, agents: tuple[str, ...] = ("random", "first")) -> Plan:
    return Plan.of(game, [entrant_of(name, game) for name in agents], 10, 1, None)


def earned(game: Game, may_forfeit: bool) -> tuple[float, float]:
    """What agents that may forfeit, or may not, earn at most in a deal of a game."""
    return plan_of(game).earnings(cast(AnyMatch, SimpleNamespace(game=game, may_forfeit=may_forfeit)))


@pytest.mark.parametrize(
    ("name", "scenario", "most", "with_forfeits"),
    [
        ("kuhn", "standard", 2.0, (-2.0, 2.0)),
        ("konfrontation-clash", "tavern_takeover", 10.0, (-13.0, 13.0)),  # 13 as attacker and 7 as defender
        ("konfrontation-campaign", "triad", 0.5, (-0.5, 1.0)),
        ("konfrontation-campaign", "council", 0.25, (-0.25, 1.0)),
        ("oneshot-skirmish", "ambush", 1.0, (-1.0, 1.0)),
    ],
)
def test_what_an_agent_earns_in_a_deal_is_bounded(
    name: str, scenario: str, most: float, with_forfeits: tuple[float, float]
) -> None:
    game = make_game(name, scenario, compiled=False)
    assert earned(game, False) == pytest.approx((-most, most))
    assert earned(game, True) == with_forfeits


def test_the_most_that_an_agent_earns_among_three() -> None:
    """All ways in which the six games of a deal may end, each with one winner: 1, and -1/2 for the others."""
    game = make_game("konfrontation-campaign", "triad", compiled=False)
    seating = np.array(plan_of(game).seating)
    paid = np.array([np.where(np.arange(3) == winner, 1.0, -0.5) for winner in range(3)])
    own = (seating == 0) @ paid.T  # what the first agent gets in each game, by who wins it
    means = [sum(row[w] for row, w in zip(own, won)) / 9 for won in product(range(3), repeat=6)]
    assert (min(means), max(means)) == pytest.approx(earned(game, False))


def test_who_may_forfeit(kuhn: Game) -> None:
    """Compiled agents may not, others may: then a deal may pay what no seat of it can get by the rules."""
    for agents, may in ((FIELD, False), (("random", f"{BOTS}:Good"), True)):
        plan = plan_of(kuhn, agents)
        with plan.match(kuhn) as match:
            assert match.may_forfeit == may
    game = make_game("scorekeeper-duel")
    plan = plan_of(game, ("random@sword", "random"))
    with plan.match(game) as match:
        assert not match.may_forfeit and plan.earnings(match) == game.spec.payoff_range


def test_all_comparisons_share_the_error() -> None:
    """Two thirds of it: the last look has the rest."""
    found = Race(Until("ranking"), tuple("abcd"), (-1.0, 1.0), 10, 10)._sequence.error
    assert found == pytest.approx(2 / 3 * 0.05 / 6)


def looked(values: np.ndarray, planned: int, **until: float) -> Race:
    """A race of two after blocks of such wins of the first, float64[blocks, deals]."""
    goal = "sprt" if until else "dominance"
    watch = Race(Until(goal, **until), ("a", "b"), (-2.0, 2.0), planned, planned * values.shape[1])
    for block, wins in enumerate(values):
        watch.add(block_of(wins[:, None], block))
    assert (watch.round() is None) == (len(values) == planned)
    return watch


def test_a_last_look_by_hand() -> None:
    """Eight blocks of two deals, means 0.1 and 0.3 in turn: 0.2 with an error of 0.1 / sqrt(7).

    One comparison has a third of 5 %, half on either side: Student's t of 7 degrees is 3.128 at 0.5/60.
    """
    values = np.tile([[0.0, 0.2], [0.4, 0.2]], (4, 1))
    low, high = looked(values, 8).bounds()
    half = 3.1276 * 0.1 / 7**0.5
    assert (low[0], high[0]) == pytest.approx((0.2 - half, 0.2 + half), abs=1e-4)
    assert looked(values, 8).signs.tolist() == [1]
    early = looked(values, 9).bounds()
    assert early[0][0] < -0.3 and early[1][0] > 0.7, "before the end there is none"
    assert looked(values, 8, low=0.0, high=1.0).decided and not looked(values, 9, low=0.0, high=1.0).decided
    few = looked(values[:6], 6).bounds()
    assert few[0][0] < -0.3, "nothing is told from six blocks"


def test_a_last_look_is_for_comparisons_with_all_deals() -> None:
    """One block lacks a pair: what needs it is left to the sequence, and the others do not share the error anew."""
    rng = np.random.default_rng(6)
    draws = rng.normal([0.2, 0.2, 0.2], 0.2, (12, 5, 3))
    found = []
    for missing in ((0, 1, 2), (0, 1)):
        watch = Race(Until("dominance"), ("a", "b", "c"), (-2.0, 2.0), 12, 60)
        for block, draw in enumerate(draws):
            watch.add(block_of(draw, block, missing if block == 11 else None))
        assert watch.round() is None
        found.append(watch.bounds())
    (low, high), (less, more) = found
    assert (low[:2] == less[:2]).all() and (high[:2] == more[:2]).all() and (low > 0).all()
    assert less[2] < 0 < more[2] and high[2] - low[2] < 0.25 < more[2] - less[2]


def test_what_a_tournament_of_fixed_length_tells_a_race_tells_that_plays_all_of_it() -> None:
    """Ten tournaments of five, some told and some not: the race knows what the ranking of the same games shows."""
    rng, told, more = np.random.default_rng(9), 0, 0
    margins = np.array([0.3, 0.0, 0.2, 0.5, -0.3, 0.0, 0.2, 0.1, 0.4, 0.2])
    for _ in range(10):
        draws = [np.where(rng.random((6, 10)) < (1 + margins) / 2, 1.0, -1.0) for _ in range(30)]
        tables = [block_of(draw, block) for block, draw in enumerate(draws)]
        watch = Race(Until("ranking"), tuple("abcde"), (-2.0, 2.0), 30, 180)
        for table in tables:
            watch.add(table)
        assert watch.round() is None
        rows = {row.agent: row for row in analyse(pa.concat_tables(tables), tuple("abcde"), 1, 20).leaderboard}
        for (a, b), sign in zip(watch.pairs, watch.signs.tolist(), strict=True):
            worst = [(rows[k].rank_interval or (1, 5))[1] for k in (a, b)]
            best = [(rows[k].rank_interval or (1, 5))[0] for k in (a, b)]
            shown = 1 if worst[0] < best[1] else -1 if worst[1] < best[0] else 0
            told, more = told + bool(shown), more + (sign in (1, -1))
            assert not shown or sign == shown
    assert 20 <= told <= more < 100


def test_the_truth_is_inside_however_often_one_looks() -> None:
    """400 streams of skewed numbers of mean 0, looked at after each of 60 blocks: at most 5 % ever lose the truth."""
    rng = np.random.default_rng(11)
    lost = np.zeros(400, dtype=bool)
    sequence = Sequence(400, 1.0, 0.05, 3000)
    for _ in range(60):
        sequence.add(np.where(rng.random((50, 400)) < 0.2, 0.8, -0.2))
        sequence.look()
        lost |= (sequence.low > 0) | (sequence.high < 0)
    assert lost.mean() <= 0.05
    assert (sequence.high - sequence.low).mean() < 0.05, "3,000 numbers of deviation 0.4 tell more than nothing"


def block_of(payoffs: np.ndarray, block: int = 0, playing: tuple[int, ...] | None = None) -> pa.Table:
    """A block, rows as in the results: `payoffs` float64[deals, pairs] of the first of each pair, in both seats."""
    deals, pairs = payoffs.shape
    agents = next(n for n in range(2, 20) if n * (n - 1) // 2 == pairs)
    who = np.array(list(combinations(range(agents), 2)))
    chosen = np.arange(pairs) if playing is None else np.array(playing)
    at, deal, seating, seat = (index.ravel() for index in np.indices((len(chosen), deals, 2, 2)))
    pair, mine = chosen[at], seat == seating  # mine: the first of the pair
    payoff = np.where(mine, 1.0, -1.0) * payoffs[deal, pair]
    number = block * deals + deal
    ones = np.ones(len(pair))
    return make_table(
        dict(pairing=pair, block=block * ones, deal=number, seating=seating, seat=seat, team=seat, payoff=payoff,
             game=(pair * 10_000 + number) * 2 + seating, agent=who[pair, 1 - mine], result=np.sign(payoff),
             decisions=ones, forfeit=0 * ones, length=2 * ones)
    )  # fmt: skip


def test_what_agents_earn_from_the_field_and_from_each_other() -> None:
    """Three agents, one deal: 0 wins 2 from 1, loses 1 to 2; 1 wins 4 from 2. Means: 0.5, 1, -1.5."""
    table = block_of(np.array([[2.0, -1.0, 4.0]]))
    pairs = tuple(combinations(range(3), 2))
    assert _leads(table, pairs, 3, field_mean=True, share=1.0)[0].tolist() == [[-0.5, 2.0, 2.5]]
    assert _leads(table, pairs, 3, field_mean=False, share=0.5)[0].tolist() == [[2.0, -1.0, 4.0]]
    assert _leads(table, pairs, 3, field_mean=False, share=1.0)[0].tolist() == [[4.0, -2.0, 8.0]]
    part = block_of(np.array([[2.0, -1.0, 4.0]]), playing=(2,))
    leads, played = _leads(part, pairs, 3, field_mean=False, share=0.5)
    assert played.tolist() == [False, False, True] and leads[:, 2].tolist() == [4.0]


def race(
    until: Until, names: str, draw: Callable[[int], np.ndarray], blocks: int, deals: int = 12
) -> tuple[Race, list[tuple[range, tuple[int, ...]]]]:
    """A race over the payoffs that `draw(deals)` gives, in [-2, 2], and its rounds."""
    found, rounds = Race(until, tuple(names), (-2.0, 2.0), blocks, blocks * deals), []
    while (answer := found.round()) is not None:
        rounds.append(answer)
        for block in answer[0]:
            found.add(block_of(draw(deals), block, answer[1]))
    return found, rounds


def false_conclusions(until: Until, agents: int, tournaments: int, blocks: int, seed: int) -> int:
    """Of tournaments of equal strategies, how many say anything of any two at any look."""
    rng = np.random.default_rng(seed)
    pairs = agents * (agents - 1) // 2
    wrong = 0
    for _ in range(tournaments):
        found, _ = race(until, "abcdefgh"[:agents], lambda n: rng.choice([-2.0, -1.0, 1.0, 2.0], (n, pairs)), blocks)
        wrong += bool((found.signs != 2).any() or (until.within and found._sequence.low.max() > until.within))
    return wrong


def test_equal_strategies_are_seldom_told_apart() -> None:
    """60 tournaments of four equal strategies, looked at after every block: at most 5 % say anything false."""
    assert false_conclusions(Until("ranking"), 4, 60, 20, 2) <= 3


@pytest.mark.slow
@pytest.mark.parametrize("goal", ["ranking", "best", "dominance"])
@pytest.mark.parametrize("agents", [2, 4, 8])
def test_equal_strategies_are_seldom_told_apart_in_400_tournaments(goal: str, agents: int) -> None:
    wrong = false_conclusions(Until(goal), agents, 400, 40, 3)
    print(f"{goal}, {agents} equal strategies: {wrong} of 400 tournaments say something false")
    assert wrong <= 20


@pytest.mark.slow
@pytest.mark.parametrize("goal", ["ranking", "dominance"])
def test_conclusions_of_unequal_strategies_are_seldom_false(goal: str) -> None:
    """400 races of rock, paper, scissors and two more: a sign, an order or an end of an interval that is false."""
    rng = np.random.default_rng(8)
    margins = np.array([0.5, -0.5, 0.1, 0.2, 0.4, 0.0, 0.1, -0.1, 0.1, 0.05])  # of the pairs of five
    who = list(combinations(range(5), 2))
    ratings = np.zeros(5)
    for (a, b), margin in zip(who, margins, strict=True):
        ratings[[a, b]] += np.array([margin, -margin]) / 4
    truth = np.array([ratings[a] - ratings[b] for a, b in who]) if goal == "ranking" else margins
    wrong = 0
    for _ in range(400):
        found, _ = race(
            Until(goal), "abcde", lambda n: np.where(rng.random((n, 10)) < (1 + margins) / 2, 1.0, -1.0), 60
        )
        low, high = found.bounds()
        wrong += bool((low > truth + 1e-9).any() or (high < truth - 1e-9).any())
    print(f"{goal}, 5 unequal strategies: {wrong} of 400 races say something false")
    assert wrong <= 20


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        ("ranking", "a earns more than b and c; b earns more than c (after 10 of at most 40 blocks)."),
        ("best", "a earns more than b and c (after 10 of at most 40 blocks)."),
        ("dominance", "a wins from b and c; b wins from c (after 10 of at most 40 blocks)."),
    ],
)
def test_it_stops_when_it_knows(goal: str, text: str) -> None:
    rng = np.random.default_rng(0)
    watch, rounds = race(Until(goal), "abc", lambda n: rng.normal([0.8, 1.0, 0.7], 0.1, (n, 3)), 40, 60)
    assert rounds == [(range(LEAST_BLOCKS), (0, 1, 2))]
    found = watch.decision()
    assert found.decided and found.text == f"With 95% certainty, however often one looked: {text}"
    assert found.low[0] < (0.8 if goal == "dominance" else 0.95) < found.high[0]  # (0.8 + 1.0) / 2 - (0.7 - 0.8) / 2


def test_pairs_that_no_longer_matter_get_no_more_games() -> None:
    """a and b nearly alike, c and d far below and far apart: c against d tells nothing after the first round."""
    rng = np.random.default_rng(5)
    margins = np.array([0.12, 0.8, 1.0, 0.8, 1.0, 0.4])  # ab ac ad bc bd cd

    def draw(deals: int) -> np.ndarray:
        return np.clip(rng.normal(margins, 0.4, (deals, 6)), -2, 2)

    watch, rounds = race(Until("ranking"), "abcd", draw, 100, 20)
    assert rounds[0] == (range(10), (0, 1, 2, 3, 4, 5)) and len(rounds) > 1
    assert all(playing == (0, 1, 2, 3, 4) for _, playing in rounds[1:])
    assert [len(blocks) for blocks, _ in rounds[1:4]] == [2, 2, 2][: len(rounds) - 1]
    deals = watch.decision().deals
    assert deals[5] == 200 < deals[0] == 20 * watch.blocks, "what c and d earn is not measured by the same deals later"
    assert watch.games == 2 * 20 * (10 * 6 + (watch.blocks - 10) * 5)
    assert watch.decided and watch.blocks < 100
    _, rounds = race(Until("dominance"), "abcd", draw, 100, 20)
    assert len(rounds) > 1 and all(playing == (0,) for _, playing in rounds[1:]), "only a against b is open"
    margins[0] = 0.02
    best, rounds = race(Until("best"), "abcd", draw, 100, 20)
    assert not best.decided and best.blocks < 70 and len(rounds) > 1
    assert all(playing == (0, 1, 2, 3, 4) for _, playing in rounds[1:])
    text = best.decision().text
    assert "a earns more than c and d" in text and "it is not known who earns more" in text
    assert text.endswith("The goal was not reached; the games left would probably not have told.")


def test_what_follows_from_other_intervals_is_known() -> None:
    """b leads c by 1 at least, a leads b by 2 at least: a leads c by 3 at least, whatever its own interval says."""
    watch = Race(Until("ranking"), ("a", "b", "c"), (-4.0, 4.0), 10, 10)
    sequence = watch._sequence
    sequence.low, sequence.high = np.array([2.0, -1.0, 1.0]), np.array([6.0, 8.0, 5.0])  # ab, ac, bc
    low, high = watch.bounds()
    assert low.tolist() == [2.0, 3.0, 1.0] and high.tolist() == [6.0, 8.0, 5.0]
    assert watch.signs.tolist() == [1, 1, 1] and watch._best() == 0
    direct = Race(Until("dominance"), ("a", "b", "c"), (-4.0, 4.0), 10, 10)
    direct._sequence.low, direct._sequence.high = sequence.low, sequence.high
    assert direct.bounds()[0].tolist() == [2.0, -1.0, 1.0], "who wins from whom says nothing of a third"


def test_it_is_enough_to_know_up_to_a_bound() -> None:
    rng = np.random.default_rng(1)
    watch, _ = race(Until("ranking", within=0.3), "ab", lambda n: rng.choice([-1.0, 1.0], (n, 1)), 60, 40)
    low, high = watch.decision().low[0], watch.decision().high[0]
    assert watch.decided and watch.blocks < 60
    first, other = "ab" if low >= -0.3 else "ba"
    both = low >= -0.3 and high <= 0.3
    assert (
        "a and b are within 0.3" if both else f"{first} earns more than {other}, or at most 0.3 less"
    ) in watch.decision().text
    forever, _ = race(Until("ranking"), "ab", lambda n: rng.choice([-1.0, 1.0], (n, 1)), 12, 40)
    assert "it is not known who earns more, a or b (after" in forever.decision().text
    assert "The goal was not reached" in forever.decision().text


@pytest.mark.parametrize(("mean", "text"), [(0.3, "so more than 0 "), (-0.2, "so less than 0.2 ")])
def test_a_sequential_test_says_which_of_the_two_it_is(mean: float, text: str) -> None:
    rng = np.random.default_rng(4)
    until = Until("sprt", low=0.0, high=0.2)
    watch, _ = race(until, "ab", lambda n: np.where(rng.random((n, 1)) < (1 + mean) / 2, 1.0, -1.0), 100, 40)
    told = watch.decision().text
    assert text in told and " -" not in told and (mean > 0 or "between \N{MINUS SIGN}0." in told)


def test_every_opponent_counts_once_however_many_games_there_were() -> None:
    """Rock, paper, scissors and nothing else, one pair with ten times the games: ratings and shares stay the same."""
    rng = np.random.default_rng(3)
    draws = [np.where(rng.random((20, 3)) < [0.7, 0.3, 0.7], 1.0, -1.0) for _ in range(10)]
    equal = [block_of(draw, block) for block, draw in enumerate(draws)]
    more = [block_of(draw, 10 + block, (0,)) for block, draw in enumerate(draws * 2)]
    first = analyse(pa.concat_tables(equal), ("r", "s", "p"), 1, 20)
    second = analyse(pa.concat_tables([*equal, *more]), ("r", "s", "p"), 1, 20)
    assert second.row("r").games == 2 * first.row("r").games and second.row("p").games == first.row("p").games
    for name in "rsp":
        one, other = first.row(name), second.row(name)
        assert (one.rating, one.payoff, one.score) == pytest.approx((other.rating, other.payoff, other.score))
        assert one.wins_rating == pytest.approx(other.wins_rating, abs=1.0), "but for the one game that is assumed"
    assert (first.independent, second.independent) == (10, 10), "the pair with fewest blocks"


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        ({"goal": "glory"}, "until = 'glory' is unknown: one of ranking, best, dominance"),
        ({"goal": "best", "within": -1.0}, "within = -1 is not allowed"),
        ({"goal": "sprt", "low": 1.0, "high": 1.0}, "sprt 1 1 is not allowed"),
        ({"goal": "best", "level": 1.0}, "level = 1 is not allowed"),
    ],
)
def test_wrong_goals_are_refused(bad: dict, text: str) -> None:
    with pytest.raises(TournamentError, match=text):
        Until(**bad)
    with pytest.raises(TournamentError, match="compares two agents, not 3"):
        Race(Until("sprt", high=1.0), ("a", "b", "c"), (-1.0, 1.0), 4, 40)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


class _StopsAt(Silent):
    """Interrupts after some blocks."""

    def __init__(self, blocks: int) -> None:
        self.left = blocks

    def advance(self, games: int) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_the_same_end_for_any_number_of_processes_and_after_any_stop(
    kuhn: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    until = Until("best", within=0.1)
    done = run_tournament(kuhn, FIELD, 20_000, 7, out=tmp_path / "one", resamples=50, until=until)
    assert done.decision and done.decision.decided and LEAST_BLOCKS <= done.decision.blocks < 60
    assert done.blocks == done.decision.blocks and done.games <= done.decision.blocks * 200 * 3
    reference = files(tmp_path / "one")
    assert json.loads(reference["summary.json"])["summary"]["decision"]["text"] == done.decision.text
    assert done.decision.text[:40] in reference["report.html"].decode()
    held("race kuhn", tmp_path / "one" / "summary.json", tmp_path / "one" / "report.html", hide=(tmp_path,))
    monkeypatch.setattr(playing, "START_SECONDS", 0.0)
    run_tournament(kuhn, FIELD, 20_000, 7, jobs=2, out=tmp_path / "two", resamples=50, until=until)
    assert files(tmp_path / "two") == reference
    for blocks in (3,):
        folder = tmp_path / f"stopped-{blocks}"
        with pytest.raises(TournamentInterrupted):
            run_tournament(kuhn, FIELD, 20_000, 7, out=folder, resamples=50, until=until, progress=_StopsAt(blocks))
        with pytest.raises(TournamentError, match="until: goal was"):
            other = Until("ranking", within=0.1)
            run_tournament(kuhn, FIELD, 20_000, 7, out=folder, resume=True, until=other)
        run_tournament(kuhn, FIELD, 20_000, 7, out=folder, resume=True, resamples=50, until=until)
        assert files(folder) == reference
    run_tournament(kuhn, FIELD, 20_000, 7, out=tmp_path / "one", resume=True, resamples=50, until=until)
    assert files(tmp_path / "one") == reference, "nothing is played twice"


def test_notes_stay_beside_the_decision(kuhn: Game, tmp_path: Path) -> None:
    """What ended the race comes first, then that it was looked at all the time, then what there was to say anyway."""
    until = Until("best", within=0.5)
    done = run_tournament(kuhn, FIELD[:2], 4000, 7, out=tmp_path, resamples=0, until=until, notes=["this", "that"])
    assert done.decision
    notes = json.loads((tmp_path / "summary.json").read_text())["tournament"]["notes"]
    assert notes[0] == done.decision.text and notes[2:4] == ["this", "that"] and "looked" in notes[1]


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "match"
    arguments = ["kuhn", "bluffer", "random", "--seed", "3", "--max-games", "20000", "--out", str(out)]
    assert command(["match", *arguments, "--sprt", "0", "0.05"]) == 0
    assert "so more than 0 (after 10 of at most 100 blocks)" in capsys.readouterr().out
    assert "probespiel match kuhn bluffer random --sprt 0 0.05" in (out / "summary.json").read_text()
    assert command(["match", *arguments, "--sprt", "1", "0"]) == 2
    assert "sprt 1 0 is not allowed" in capsys.readouterr().err
    plain = [
        "tournament",
        "kuhn",
        "--agents",
        "random,bluffer",
        "--jobs",
        "1",
        "--seed",
        "1",
        "--out",
        str(tmp_path / "t"),
    ]
    assert command([*plain, "--until", "ranking", "--max-games", "20000"]) == 0
    found = capsys.readouterr()
    assert (
        "bluffer earns more than random (after 10 of" in found.out
        and "20,000 games of each pair at the most" in found.err
    )
    for wrong, text in [
        (["--within", "0.1"], "go with --until"),
        (["--until", "best", "--games", "4"], "give --max-games"),
        (["--until", "glory"], "glory"),
    ]:
        assert command([*plain, *wrong]) == 2
        assert text in capsys.readouterr().err
