"""How often the stress lab's intervals hold the truth: worths and uses simulated with known truth, fixed seeds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import norm

from probespiel.envs import make_game
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.findings import Interval, Sample
from probespiel.evaluation.stress.tree import clustered, honest_leaves
from probespiel.evaluation.stress.usage import summary_of_worths
from probespiel.evaluation.stress.worth import Margins, handicaps_of, worth_table

RUNS = 10_000  # of a coverage of 95 % the luck is a fifth of a point: below 94 % it is no luck
DRAWS, LUCK, UNIT = 0.4, 0.8, 0.3  # half the width of draws, deviation of play beside that of the deal, and a unit
Floats = npt.NDArray[np.float64]


def holds(found: Interval | Sample, truth: float) -> bool:
    return found.low - 1e-9 <= truth <= found.high + 1e-9


def around(mean: float, error: float | None, truth: float) -> bool:
    """Whether a report's "mean ± 1.96 errors" holds the truth."""
    assert error is not None
    return abs(mean - truth) <= 1.96 * error


def check(hits: Mapping[str, Sequence[float]]) -> None:
    """Fail where fewer than 94 % hold the truth."""
    coverage = {what: round(float(np.mean(shares)), 4) for what, shares in hits.items()}
    print(f"\n{coverage}")
    for what, shares in hits.items():
        assert len(shares) == RUNS
        assert coverage[what] >= 0.94, (what, coverage[what])


# --- worth ------------------------------------------------------------------------------------------------------------


def expected(shift: float) -> float:
    """What side 0 gets on average with so much of an advantage: chances of a win less those of a loss."""
    deviation = np.sqrt(1 + LUCK**2)
    return float(norm.cdf((shift - DRAWS) / deviation) - norm.cdf((-shift - DRAWS) / deviation))


def log_odds(shift: float) -> float:
    share = (1 + expected(shift)) / 2
    return float(np.log(share / (1 - share)))


def played(rng: np.random.Generator, n: int, module: float, amounts: Sequence[int]) -> Margins:
    """Wins, draws and losses on the same deals; the module is worth `module` of an advantage, a unit UNIT."""
    deal = rng.normal(size=n)

    def margins(shift: float) -> Floats:
        lead = deal + LUCK * rng.normal(size=n) + shift
        return np.where(lead > DRAWS, 1.0, np.where(lead < -DRAWS, -1.0, 0.0))

    sides = ((0, 1.0), (1, -1.0))
    nobody = {(side, d): margins(sign * UNIT * d) for side, sign in sides for d in amounts}
    alone = {(side, d): margins(sign * (UNIT * d + module)) for side, sign in sides for d in amounts}
    return Margins(nobody, alone, margins(0.0))


@pytest.mark.slow
@pytest.mark.parametrize("module", [0.0, 0.35])
def test_worths_hold_the_truth(module: float) -> None:
    """Every interval of the table of worths, and of the worth in units, for a worthless module and for a strong one."""
    budget, hits = BUDGETS["quick"], defaultdict[str, list[float]](list)
    truth, odds = expected(module) - expected(0), log_odds(module) - log_odds(0)
    for seed in range(RUNS):
        got = played(np.random.default_rng(seed), budget.measure // 4, module, [*budget.curve])
        table = worth_table(got, [0, 1], ["A", "B"], budget)
        hits["worth of all"].append(holds(table.overall, truth))
        for side in table.sides:
            assert side.answer is not None
            even = side.even
            hits[f"worth to {side.side}"].append(holds(even.worth, truth))
            hits[f"odds of {side.side}"].append(holds(even.odds, odds))
            hits[f"worth to {side.side} as an answer"].append(holds(side.answer, truth))
        for side in handicaps_of(got, [0, 1], ["A", "B"], budget):
            row = next(row for row in side.by_amount if row.amount == 0)
            hits[f"units for {side.side}"].append(row.low - 1e-9 <= module / UNIT <= row.high + 1e-9)
    check(hits)


# --- use --------------------------------------------------------------------------------------------------------------


def offers(rng: np.random.Generator, games: int) -> tuple[npt.NDArray[np.int64], Floats]:
    """The game of every opportunity, and what its game has in common: one to five opportunities hang together."""
    count = rng.integers(1, 6, games)
    return np.repeat(np.arange(games), count), np.repeat(rng.normal(size=games), count)


@pytest.mark.slow
def test_uses_hold_the_truth() -> None:
    """Rates of use, and gains over all, by phase, by action and by the leaves of the tree."""
    game = make_game("konfrontation-clash", compiled=False)
    hits = defaultdict[str, list[float]](list)
    phases, gains_of_phase = np.array([1, 2]), np.array([0.3, -0.2])
    for seed in range(RUNS):
        rng = np.random.default_rng(seed)
        of_game, common = offers(rng, 400)
        n = len(of_game)
        taken = common + rng.normal(size=n) > 0.8  # probability by the normal distribution of deviation sqrt 2
        hits["rate of use"].append(around(*clustered(taken.astype(float), of_game), float(norm.sf(0.8 / np.sqrt(2)))))
        which = rng.integers(0, 2, n)
        noise = common + rng.exponential(size=n) - 1.0  # skewed, like what a rare great use brings
        gains = gains_of_phase[which] + noise
        facts = np.zeros((n, 7), dtype=np.int64)
        facts[:, 0], facts[:, 3], facts[:, 4] = of_game, phases[which], rng.integers(0, 2, n)
        worth = np.stack([gains, np.zeros(n)], axis=1)
        found = summary_of_worths(game, facts, worth, np.zeros((n, game.layout.size), dtype=np.float32))
        hits["gain"].append(around(found["gain"], found["error"], float(gains_of_phase.mean())))
        truths = {game.spec.phases[phase]: gain for phase, gain in zip(phases, gains_of_phase, strict=True)}
        assert {row["phase"] for row in found["situations"]} == set(truths)
        rows = [around(row["gain"], row["error"], truths[row["phase"]]) for row in found["situations"]]
        hits["gain by situation"].append(float(np.mean(rows)))
        rows = [around(row["gain"], row["error"], float(gains_of_phase.mean())) for row in found["actions"]]
        assert len(rows) == 2
        hits["gain by action"].append(float(np.mean(rows)))
        # Where x is above a third, a use gains a half more: what a leaf says is the mean over its piece of x.
        features = rng.random((n, 3))
        leaves = honest_leaves(features, noise + 0.5 * (features[:, 0] > 1 / 3), of_game)
        hits["gain by leaf"].append(
            float(np.mean([around(leaf.mean, leaf.error, 0.5 * above(leaf.conditions)) for leaf in leaves]))
        )
    check(hits)


def above(conditions: Sequence[tuple[int, bool, float]]) -> float:
    """The share of a leaf in which the first feature, uniform in [0, 1], is above a third."""
    low = max([0.0, *(t for column, over, t in conditions if column == 0 and over)])
    high = min([1.0, *(t for column, over, t in conditions if column == 0 and not over)])
    return max(0.0, high - max(low, 1 / 3)) / (high - low)
