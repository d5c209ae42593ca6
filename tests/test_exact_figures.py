"""Figures of reports against small cases worked out by hand: what an examiner's planted errors had left untested."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from scipy.special import stdtrit
from scipy.stats import binomtest

from probespiel.envs import make_game
from probespiel.envs.core.keys import key_of
from probespiel.evaluation.balance.fit import Fit
from probespiel.evaluation.balance.profile import curve, root_of
from probespiel.evaluation.balance.records import Figure
from probespiel.evaluation.balance.space import Axis, Space
from probespiel.evaluation.balance.surface import Part, Surface
from probespiel.evaluation.balance.targets import Target
from probespiel.evaluation.stress import forecast, usage
from probespiel.evaluation.stress.bounds import bounds_of
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.compare import FIGURES
from probespiel.evaluation.stress.dominance import mass, matrix_game
from probespiel.evaluation.stress.dynamics import own_phases, tension
from probespiel.evaluation.stress.effect import luck_change
from probespiel.evaluation.stress.estimates import odds_ratio
from probespiel.evaluation.stress.findings import Dynamics, Sample
from probespiel.evaluation.stress.forecast import Pace, Work, steps_of
from probespiel.evaluation.stress.guided import LoggedDecisions
from probespiel.evaluation.stress.guided_kernel import LEAD_UNIT
from probespiel.evaluation.stress.play import Played
from probespiel.evaluation.stress.strategies import Mixture, Strategy
from probespiel.evaluation.stress.usage import choices, restricted, standing_of, worths
from probespiel.evaluation.stress.worth import by_seed
from probespiel.evaluation.tournament import metagame as mg
from probespiel.evaluation.tournament import results as rs
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.blocks import block_sums
from probespiel.evaluation.tournament.deviation import INVASION, alpha_rank
from probespiel.evaluation.tournament.sequential import Race, Until
from probespiel.evaluation.tournament.tally import merged, tally_of
from tests.synthetic import RPS, change
from tests.test_compare import findings, play
from tests.test_exact_statistics import duels

# Tournaments


@pytest.mark.parametrize(("intensity", "population"), [(np.inf, 50), (1.0, 10)])
def test_equals_invade_each_other_by_chance(intensity: float, population: int) -> None:
    """a and b are equal, a beats c and c beats b, each by 0.2: the chain of takeovers, solved as linear equations."""
    wins, loses, equal = 1 - INVASION, INVASION, 0.5
    if np.isfinite(intensity):  # the Moran process: (1 - e^-x) / (1 - e^-mx), 1 / m without a difference
        wins, loses = ((1 - np.exp(-x)) / (1 - np.exp(-population * x)) for x in (0.4, -0.4))
        equal = 1 / population
    takes = np.array([[0, equal, loses], [equal, 0, wins], [wins, loses, 0]]) / 2  # [i, j]: j takes over from i
    chain = takes + np.diag(1 - takes.sum(axis=1))
    system = np.vstack([chain.T - np.eye(3), np.ones(3)])
    wanted = np.linalg.lstsq(system, np.array([0.0, 0, 0, 1]), rcond=None)[0]
    margins = np.array([[0, 0, 0.2], [0, 0, -0.2], [-0.2, 0.2, 0]])
    assert alpha_rank(margins, intensity, population) == pytest.approx(wanted)


def test_the_cyclic_share_of_two_halves() -> None:
    """Cycle + ladder in one half, cycle + twice the ladder in the other: 6 of 6 + 2 times the ladder's squares."""
    f = np.array([0.0, 1.0, 3.0])
    ladder = f[:, None] - f[None, :]
    share = mg.cyclic_share(RPS + ladder, RPS + 2 * ladder)
    assert share == pytest.approx(6 / (6 + 2 * (ladder**2).sum()))


def table_of_games(*games: tuple[list[int], list[float]], **more: Any) -> Any:
    """Games given by the agent and the payoff of every seat, each seat a side, all in block 0 unless told."""
    rows: dict[str, list[Any]] = {name: [] for name in rs.SCHEMA.names}
    for game, (agents, payoffs) in enumerate(games):
        for seat, (agent, payoff) in enumerate(zip(agents, payoffs, strict=True)):
            row = dict(pairing=0, block=0, deal=game, seating=0, game=game, seat=seat, team=seat, agent=agent,
                       payoff=payoff, result=np.sign(payoff), decisions=1, forfeit=0, length=2)  # fmt: skip
            for name in rows:
                rows[name].append(more[name][game] if name in more else row[name])
    return rs.validate(rs.make_table(rows))


def test_who_is_alone_gains_what_is_above_the_mean_of_the_table() -> None:
    """3 against 1 is 1 above and 1 below the mean of 2; where three different agents meet, nobody is in a crowd."""
    two = tally_of(table_of_games(([0, 1], [3.0, 1.0])), 2)
    assert two.alone.tolist() == [[[0, 1], [1, 0]], [[0, 1], [-1, 0]]]
    three = tally_of(table_of_games(([0, 1, 2], [3.0, 0.0, -3.0])), 3)
    assert not three.alone.any()
    crowd = tally_of(table_of_games(([0, 2, 2], [3.0, 0.0, -3.0])), 3)
    assert crowd.alone[:, 0, 2].tolist() == [1, 3] and crowd.alone.sum() == 4


def test_ends_of_several_blocks_and_deals_by_block() -> None:
    """Least and most payoffs are those of all blocks; deal 4 of block 0 is not deal 4 of block 1."""
    small, large = (tally_of(table_of_games(([0, 1], [x, -x]), ([0, 1], [2 * x, -2 * x])), 2) for x in (1.0, 3.0))
    for both in (merged([small, large]), merged([large, small])):
        assert both.ends[[0, 2]].tolist() == [[-6, -1], [1, 6]]
        assert both.order.tolist() == [[0, 4], [0, 0]], "agent 0 had the first side in two games of each"
        assert both.pairs[0].tolist() == [[0, 4], [4, 0]] and both.pairs[2].tolist() == [[0, 12], [-12, 0]]
    table = table_of_games(([0, 1], [1.0, -1.0]), ([0, 1], [1.0, -1.0]), block=[0, 1], deal=[4, 4])
    assert tally_of(table, 2).deals.tolist() == [2]


def test_errors_of_cells_and_the_mean_length() -> None:
    """Margins 1 and 3 by turns in 40 blocks: the bootstrapped mean deviates by 1 / sqrt 40; lengths are 2, 2, 2, 8."""
    table = change(duels(np.tile([[1.0], [3.0]], (20, 1))), length=np.tile([2, 2, 2, 2, 2, 2, 8, 8], 10))
    s = analyse(table, ["a", "b"], 1, resamples=1000)
    assert s.matrix_error is not None and s.matrix_error[0][1] == pytest.approx(40**-0.5, rel=0.12)
    assert s.mean_length == 3.5


def test_halves_share_no_block() -> None:
    first, second = block_sums(duels(np.array([[1.0], [2], [3], [4], [5]])), 2).halves()
    assert (first.payoff[0, 1], second.payoff[0, 1]) == (1 + 3 + 5, 2 + 4)


def race(until: Until, deals: int = 10) -> Race:
    return Race(until, ("a", "b"), (-2.0, 2.0), 10, deals)


def test_a_goal_is_reached_at_either_end() -> None:
    """Half of the difference of payoffs in -2..2 lies in -2..2, the difference to the field in -4..4."""
    assert race(Until("dominance"))._sequence.span == 2 and race(Until("ranking"))._sequence.span == 4
    near, test = race(Until("ranking", within=0.3)), race(Until("sprt", low=0.0, high=0.2))
    told = {
        (-0.2, 1.0): (True, False), (-1.0, 0.2): (True, False), (-1.0, 1.0): (False, False), (0.1, 0.5): (True, True),
        (-0.5, 0.1): (True, True),
    }  # fmt: skip
    for (low, high), wanted in told.items():
        for found in (near, test):
            found._sequence.low, found._sequence.high = np.array([low]), np.array([high])
        assert (bool(near.told[0]), bool(test.told[0])) == wanted, (low, high)


def test_a_test_is_not_given_up_at_its_upper_end() -> None:
    """A mean of 1 is far above 0, though it is not below 1: 200 of 400 numbers, which deviate by 0.2."""
    found = race(Until("sprt", low=0.0, high=1.0), 400)
    found._sequence.add(np.tile([[0.8], [1.2]], (100, 1)))
    assert not found._hopeless()[0]
    narrow = race(Until("sprt", low=0.99, high=1.01), 400)
    narrow._sequence.add(np.tile([[0.8], [1.2]], (100, 1)))
    assert narrow._hopeless()[0]


def test_a_comparison_counts_the_blocks_in_which_all_played_whom_it_needs() -> None:
    """Of four agents, the last two did not meet: only the first two met all whom both of them are measured by."""
    found = Race(Until("ranking"), ("a", "b", "c", "d"), (-2.0, 2.0), 10, 10)
    games = [([a, b], [1.0, -1.0]) for a, b in found.pairs[:-1]]
    found.add(table_of_games(*games, pairing=range(5), deal=[0] * 5))
    assert found._sequence.n.tolist() == [1, 0, 0, 0, 0, 0]


# The stress lab


def test_seeds_of_learners_take_turns() -> None:
    assert by_seed(np.arange(6.0), 2) == (2.0, 3.0)


def test_standings_and_what_is_chosen_by_phase() -> None:
    assert standing_of(np.array([-1.0, 0.0, 1e-9, -1e-9, 0.5])).tolist() == [0, 1, 1, 1, 2]
    game = make_game("ews_rps", "plain_rps", compiled=False)
    decided = zip((1, 1, 0, 2, 2, 2), (0, 1, 0, 1, 1, 0))
    log = LoggedDecisions(np.array([[seat, action, 0, 0, 3, 0] for action, seat in decided]))
    found = choices(game, log, np.array([True, True, True, True, False, False]))
    assert [(row["action"], row["count"], row["share"]) for row in found] == [
        (game.actions.describe(1), 2, 0.5), (game.actions.describe(0), 1, 0.25), (game.actions.describe(2), 1, 0.25),
    ]  # fmt: skip
    one, other = "player", "game master"
    assert [row["seats"] for row in found] == [{one: 0.5, other: 0.5}, {one: 0.5, other: 0.0}, {one: 0.0, other: 0.5}]


def test_the_interval_of_an_odds_ratio_by_hand() -> None:
    """Slopes 16/3 and 4; pulls -2/3, 10/3, -2/3, -2 with squares of 4 on the average: an error of 2 / sqrt 1999."""
    found = odds_ratio(np.tile([1.0, 1.0, 1.0, -1.0], 500), np.tile([1.0, -1.0], 1000))
    assert found.high - found.value == pytest.approx(1.96 * 2 / 1999**0.5)


def test_errors_of_a_matrix_game_and_the_share_that_is_used() -> None:
    """Margins 1 and 3 by turns in 40 blocks, as 0 and 2 of the other: half of their difference."""
    blocks = np.zeros((40, 2, 2))
    blocks[:, 0, 1], blocks[:, 1, 0] = np.tile([1.0, 3.0], 20), np.tile([0.0, 0.0], 20)
    found = matrix_game(["a", "b"], blocks, [1.0, 0.0], 60, 1)
    assert found.error[0][1] == pytest.approx(0.5 / 39**0.5)
    assert found.module_mass is not None
    assert (found.module_mass.low, found.module_mass.value, found.module_mass.high) == pytest.approx((1, 1, 1))
    offered = matrix_game(["a", "b"], blocks, [0.25, np.nan], 60, 1).strategies
    assert [row.use_rate for row in offered] == [0.25, None]
    part = mass(np.array([0.5, 0.5]), np.full((50, 2), 0.5), np.array([np.nan, 0.8]), 40)
    assert part is not None and (part.low, part.value, part.high) == pytest.approx((0.4, 0.4, 0.4))


def test_who_was_behind_and_how_often_the_lead_changed() -> None:
    """Two games with margins of side 0: +2 after leads -1, 0, +1, and -2 after -1, +1, -1; seat 1 tells the last ones.

    Drama: the root of 1 behind of 4 possible, once in each game; the lead changes once and twice, not between them. Who
    was ahead at the last decision and loses makes one change more.
    """
    leads = [(0, -1), (0, 0), (1, -1), (0, -1), (0, 1), (1, 1)]  # seat, its lead
    rows = np.array([[seat, 0, 0, 0, 2, int(lead * LEAD_UNIT)] for seat, lead in leads])
    outcome = cast(Any, SimpleNamespace(payoffs=np.array([[2.0, -2.0, -9.0], [-2.0, 2.0, -9.0]])))
    played = Played(np.array([2.0, -2.0]), np.array([3, 3]), np.zeros(2, np.int8), outcome, LoggedDecisions(rows))
    bench = SimpleNamespace(side_seats=lambda condition, side: [side], sides=[(0,), (1,)])
    lab = cast(Any, SimpleNamespace(bench=bench))
    found = tension(lab, cast(Any, None), played)
    assert found["drama"].tolist() == [0.5, 0.5] and found["comeback"].tolist() == [1, 1]
    assert found["changes"].tolist() == [1, 2]
    turned = cast(Any, SimpleNamespace(payoffs=np.array([[-2.0, 2.0], [0.0, 0.0]])))
    ends = Played(np.array([-2.0, 0.0]), played.lengths, played.status, turned, LoggedDecisions(rows))
    assert tension(lab, cast(Any, None), ends)["changes"].tolist() == [2, 2]
    ahead = Played(np.array([-2.0, -2.0]), played.lengths, played.status, outcome, LoggedDecisions(rows))
    assert tension(lab, cast(Any, None), ahead)["drama"].tolist() == [0.5, 0.5]
    level = Played(
        np.array([0.0, -2.0]), played.lengths, played.status, outcome, LoggedDecisions(rows[[1, 1, 1, 5, 5, 5]])
    )
    assert np.isnan(tension(lab, cast(Any, None), level)["drama"][0])
    assert tension(lab, cast(Any, None), level)["comeback"][1] == 0
    rows[:, 2] = [3, 0, 0, 0, 0, 3]  # a module asks in phase 3: how it stands there is no lead
    found = tension(lab, cast(Any, None), played, (3,))
    assert found["changes"].tolist() == [0, 2] and found["comeback"].tolist() == [0, 1]
    bench.sides.append((2,))  # what seat 1 is ahead by no longer says that seat 0 is behind
    found = tension(lab, cast(Any, None), played)
    assert found["changes"].tolist() == [1, 2] and found["comeback"].tolist() == [1, 1]


def test_luck_with_the_same_strategies_changes_the_same_way() -> None:
    """All of the variance lies between deals without the rule, none with it, whoever plays: -1 both times."""
    deals = np.tile([1.0, -1.0], 20)
    before, after = np.stack([deals, deals]), np.stack([np.ones(40), -np.ones(40)])
    assert [value for value, _ in luck_change(before, after, after, before).direct] == [-1.0, -1.0]


def test_the_most_of_a_worth_is_uncertain_upwards() -> None:
    """The best answer gains 1 and 3 by turns in 100 games."""
    nothing, gain = np.zeros(100), np.tile([1.0, 3.0], 50)
    found = bounds_of([nothing] * 3, [nothing, gain, nothing], [Sample(0.0, 0.0, 0.0, 2)] * 2, Sample(0.0, 0.0, 0.0, 2))
    assert found.sides[0].high == pytest.approx(2 + stdtrit(99, 0.975) * gain.std(ddof=1) / 10)


def test_draws_are_counted_by_deals() -> None:
    """Wilson's interval of 10 %, of as many deals as there are games for each."""
    deals = 1600 // BUDGETS["quick"].replicates
    got = FIGURES["draws"].get(findings(dynamics=Dynamics(play(), play(draws=round(0.1 * deals) / deals))))
    wilson = binomtest(round(0.1 * deals), deals).proportion_ci(method="wilson")
    assert got is not None and (got.low, got.high) == pytest.approx((wilson.low, wilson.high))


def test_what_works_side_by_side_takes_less_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 games of a second in two jobs by four workers: 50 seconds, and half of the least time of a step."""
    context = cast(Any, SimpleNamespace(workers=SimpleNamespace(count=4)))
    for jobs, seconds in ((2, 50), (8, 25)):
        monkeypatch.setattr(forecast, "work_of", lambda *_, n=jobs: {"step": Work(games=100, jobs=n, programs=3)})
        pace = Pace({"games": 1.0, "programs": 2.0})
        assert steps_of(context, cast(Any, None), pace) == {"step": forecast.LEAST / 2 + seconds + 6}


# Balance


def test_a_range_holds_what_lies_in_it_with_both_ends() -> None:
    use = Target("use", 20.0, 80.0)
    assert [use.holds(*ends) for ends in ((30, 85), (10, 70), (20, 80))] == ["maybe", "maybe", "yes"]


def test_a_profile_weighs_by_variances_and_its_band_holds_95_per_cent() -> None:
    """2 with an error of 0.1 and 1.9 with one of 0.2 are pooled as (4 * 2 + 1.9) / 5; the first value is 0 ± 0.196."""
    x = np.arange(3.0)
    found = curve(x, np.array([0.0, 2.0, 1.9]), np.diag([0.01, 0.01, 0.04]), 1, x)
    assert found.direction == 1 and found.mid.tolist() == pytest.approx([0.0, 1.98, 1.98])
    ends = np.array([
        [-band.low[0], band.high[1] - 9, band.high[0], 9 - band.low[1]]
        for seed in range(20)
        for band in (curve(x[:2], np.array([0.0, 9.0]), np.diag([0.01, 0.01]), seed, x[:2]),)
    ]).mean(axis=0)  # fmt: skip
    assert ends[:2] == pytest.approx(0.196, abs=0.005)  # of one mean
    assert ends[2:] == pytest.approx(0.1 * 2.17, abs=0.005)  # of two that have half of their squares in common


def test_a_figure_between_two_places_may_step_anywhere() -> None:
    """From 0 ± 0.2 to 9 ± 0.2: halfway it may be either; and it has a mean of 4 somewhere between both."""
    x = np.array([0.0, 10.0])
    band = curve(x, np.array([0.0, 9.0]), np.diag([0.01, 0.01]), 1, np.linspace(0, 10, 11))
    assert band.low[5] == band.low[0] < -0.19 and band.high[5] == band.high[-1] > 9.19 and band.mid[5] == 4.5
    found = root_of(band, 4.0)
    assert found is not None and (found.low, found.high) == (0.0, 10.0)


def test_the_deviation_of_a_surface_by_hand() -> None:
    """What one process of the whole covariance says, with a trend of which nothing is known: mean and variance."""
    x, at, scale = np.array([[0.0], [0.4], [1.0]]), np.array([[0.3], [3.0]]), np.array([0.5])
    y, vague = np.array([0.0, 1.0, 0.5]), 7.0

    def whole(a: Any, b: Any) -> Any:
        return 2.0 * np.exp(-0.5 * ((a - b.T) / 0.5) ** 2) + vague * (1 + a @ b.T)

    smooth = 2.0 * np.exp(-0.5 * ((x - x.T) / 0.5) ** 2) + 0.1 * np.eye(3)
    columns = np.hstack([np.ones((3, 1)), x])
    solve: Any = np.linalg.solve  # its types say less than these arrays
    drawn = solve(smooth, columns)
    errors: Any = np.linalg.inv(columns.T @ drawn + np.eye(2) / vague)
    trend = errors @ drawn.T @ y
    factor = np.linalg.cholesky(smooth).astype(np.float64)
    part = Part(1.0, scale, 2.0, factor, solve(smooth, y - columns @ trend), trend, errors, drawn)
    mean, deviation = Surface(x, 0.25, (part,)).at(at)
    told = np.linalg.solve(whole(x, x) + 0.1 * np.eye(3), whole(x, at))
    assert mean == pytest.approx(0.25 + told.T @ y)
    assert deviation**2 == pytest.approx(np.diag(whole(at, at)) - np.einsum("ij,ij->j", whole(x, at), told))
    far = replace(part, share=0.5, trend=trend + [0.0, 2.0]), replace(part, share=0.5)
    mixed = Surface(x, 0.25, far).at(at)  # two that differ tell less: by the square of half of what they differ
    gap = far[0].at(x, at)[0] - far[1].at(x, at)[0]
    assert mixed[0] == pytest.approx(mean + gap / 2) and mixed[1] ** 2 == pytest.approx(deviation**2 + gap**2 / 4)


def test_errors_of_figures_are_those_of_their_intervals() -> None:
    known = {(i,): SimpleNamespace(figures={"use": Figure("use", 50.0, 48.04, 51.96, 100, False)}) for i in (0, 1)}
    fit = Fit(Space((Axis("cost", (1, 2), True),), {}), (Target("use", 20.0, 80.0),), cast(Any, known), 1)
    assert fit.data("use")[1] == pytest.approx(np.eye(2))


def test_words_of_a_key_do_not_run_together() -> None:
    assert key_of(1, "ab", "c") != key_of(1, "a", "bc")


@pytest.mark.parametrize("side", [0, 1])
def test_ways_of_using_a_module_cost_what_they_lose_each(side: int) -> None:
    """Free play gets 10 for the side that is asked about; held to a way it gets 9, 7, 4 or 0 from the same others."""
    left = {"as_is": 10.0, "always": 9.0, "never": 7.0, "coin": 4.0, "random": 0.0}
    held: list[str] = []

    def cells(step: str, wanted: Any, deals: int, name: str, hero: int) -> list[np.ndarray]:
        assert hero == side
        out = []
        for _, ((first, others),) in wanted:
            (mine,) = first.strategies
            assert mine.stream in ("", "one") and mine.name.startswith("one") and others is both[1 - side]
            held.append(mine.use)
            out.append(left[mine.use] + np.array([-1.0, 1.0]))
        return out

    both = [Mixture((Strategy(name),), (1.0,)) for name in (("one", "other") if side == 0 else ("other", "one"))]
    context: Any = SimpleNamespace(
        bench=SimpleNamespace(alone=lambda side: "alone", holder_conditions=lambda: {"alone": "condition"}),
        budget=SimpleNamespace(measure=20), cells=cells,
    )  # fmt: skip
    found = restricted(context, cast(Any, SimpleNamespace(of_all=lambda name: both)), side)
    assert [found.always.value, found.never.value, found.coin.value, found.random.value] == [1.0, 3.0, 6.0, 10.0]
    assert held == list(left)


@pytest.mark.parametrize(("count", "told"), [(2, 2), (0, 0), (-1, 0)])
def test_a_use_is_compared_with_leaving_it(monkeypatch: pytest.MonkeyPatch, count: int, told: int) -> None:
    """The twins of a strategy are itself held to using the module, and held to leaving it, in this order.

    What changed is told by the table and by what the module decides by, not by all that it writes for itself.
    """
    seen: dict[str, Any] = {}
    for name in ("schedule_of", "draw_pairs", "space_of", "marking_of", "rng_table"):
        monkeypatch.setattr(usage, name, lambda *_, **__: None)
    monkeypatch.setattr(usage, "schedule_of", lambda *_: SimpleNamespace(seating=0, dice=0, tables=0))
    monkeypatch.setattr(usage, "cast_of", lambda game, cast_list, seed: (seen.setdefault("cast", cast_list), []))

    def sample_uses(*_: Any, trial: Any, sample: Any, found: Any) -> int:
        seen.update(twins=trial.twins, share=trial.share)
        return count

    def summary(game: Any, *rows: np.ndarray) -> dict[str, Any]:
        seen["rows"] = [len(part) for part in rows]
        return {}

    monkeypatch.setattr(usage, "sample_uses", sample_uses)
    monkeypatch.setattr(usage, "position_bytes", lambda lab, game, **asked: seen.update(asked))
    monkeypatch.setattr(usage, "summary_of_worths", summary)
    kernel = SimpleNamespace(raise_pending=lambda: None)
    game = SimpleNamespace(address=0, params_address=0, layout=SimpleNamespace(size=1), n_seats=2, kernel=kernel)
    lab: Any = SimpleNamespace(game=lambda condition: game, guided=lambda s: s, bench=None, marks=())
    rows, columns = (Mixture((Strategy(name),), (1.0,)) for name in "xy")
    worths(lab, cast(Any, None), rows, columns, samples=3, deals=2, replicates=1, share=0.25, seed=1)
    assert (seen["share"], seen["own"], seen["deciding"], seen["rows"]) == (0.25, False, True, [told] * 3)
    names = [(s.name[0], s.use) for s in seen["cast"]]
    for i, name in ((0, "x"), (3, "y")):
        assert names[i] == (name, "as_is")
        assert [names[k] for k in seen["twins"][i]] == [(name, "always"), (name, "never")]


def test_phases_in_which_a_module_asks_are_found_by_their_names() -> None:
    """Games without a module may number their phases otherwise, and lack its own."""
    with_it = SimpleNamespace(spec=SimpleNamespace(phases=("bid", "purse", "play", "after")))
    bench = SimpleNamespace(everybody=lambda: "all")
    marks = SimpleNamespace(phases=frozenset({1, 3}))
    lab = cast(Any, SimpleNamespace(game={"all": with_it}.__getitem__, bench=bench, marks=marks))
    assert own_phases(lab, ("bid", "purse", "play", "after")) == [1, 3]
    assert own_phases(lab, ("after", "bid", "play")) == [0]
