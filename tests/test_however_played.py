"""Ladders, joint tables and the lab's figures say the same however players are numbered, seated and paid."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.dominance import solved
from probespiel.evaluation.stress.dynamics import luck_share
from probespiel.evaluation.stress.estimates import odds_ratio, paired
from probespiel.evaluation.stress.worth import Margins, handicaps_of, seat_effect, worth_table
from probespiel.evaluation.tournament import joint
from probespiel.evaluation.tournament.joint import rated, spans_of
from probespiel.evaluation.tournament.ladder import rate, rate_by_payoff
from probespiel.evaluation.tournament.ladder_book import Batch

from .synthetic import Floats


def batches(players: int, seed: int) -> list[Batch]:
    """Batches of random pairs."""
    rng, out = np.random.default_rng(seed), []
    for number in range(12 * players):
        i, j = (int(k) for k in rng.choice(players, 2, replace=False))
        games = int(rng.integers(20, 200))
        won, drawn = int(rng.integers(games // 2)), int(rng.integers(games // 4))
        payoff = float(rng.normal(0.1 * (j - i), 0.3))
        out.append(Batch(number, i, j, 7, games, won, drawn, games - won - drawn, payoff, ""))
    return out


@pytest.mark.parametrize("players", [2, 5, 12])
def test_a_ladder_however_players_are_numbered_and_named_first(players: int) -> None:
    found = batches(players, players)
    rng = np.random.default_rng(1)
    to = rng.permutation(players)
    other = []
    for k in rng.permutation(len(found)):
        b = found[k]
        new = replace(b, first=int(to[b.first]), second=int(to[b.second]))
        if k % 2:
            new = replace(
                new, first=new.second, second=new.first, wins=b.losses, losses=b.wins, payoff=-b.payoff
            )  # fmt: skip
        other.append(new)
    for rating in (rate, rate_by_payoff):
        for one, there in zip(rating(players, found), rating(players, other), strict=True):
            assert there[to] == pytest.approx(one, rel=1e-7)


@pytest.mark.parametrize("unit", [4.0, 0.001])
def test_a_ladder_in_whatever_unit_it_is_paid(unit: float) -> None:
    found = batches(5, 3)
    paid = [replace(b, payoff=unit * b.payoff) for b in found]
    for one, there in zip(rate_by_payoff(5, found), rate_by_payoff(5, paid), strict=True):
        assert there == pytest.approx(unit * one, rel=1e-9)
    for one, there in zip(rate(5, found), rate(5, paid), strict=True):
        assert (one == there).all()


def joint_table(sides: int, agents: int, deals: int = 12) -> Floats:
    """Payoffs float64[deals, joint strategies, sides]."""
    rng = np.random.default_rng(sides * 10 + agents)
    means = rng.normal(size=(1, agents**sides, sides))
    return means + 0.3 * rng.normal(size=(deals, agents**sides, sides))


@pytest.mark.parametrize(("sides", "agents"), [(2, 3), (3, 2), (3, 3)])
def test_a_joint_table_however_agents_are_numbered(sides: int, agents: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ratings go with their agents, and so do their intervals, as the same deals are drawn."""
    monkeypatch.setattr(joint, "RESAMPLES", (4, 4))
    shape = (sides, *(agents,) * sides)
    earned = joint_table(sides, agents)
    order = np.random.default_rng(5).permutation(agents)  # of the agents, in the other table
    cube = earned.reshape(len(earned), *(agents,) * sides, sides)
    moved = cube[(slice(None), *np.ix_(*[order] * sides))].reshape(earned.shape)
    first, second = (rated(part.mean(axis=0).T.reshape(shape)) for part in (earned, moved))
    for one, there in zip(first, second, strict=True):
        assert there == pytest.approx(one[:, order], abs=1e-7)
    assert spans_of(moved, shape, 3) == pytest.approx(spans_of(earned, shape, 3)[:, order], abs=1e-6)


@pytest.mark.parametrize(("sides", "agents"), [(2, 3), (3, 2), (3, 3)])
def test_a_joint_table_however_it_is_paid_and_seated(sides: int, agents: int) -> None:
    """In another unit deviations are as many times as large; what the others alone decide says nothing of an agent.

    Sides in another order have their ratings in that order.
    """
    shape = (sides, *(agents,) * sides)
    payoffs = joint_table(sides, agents).mean(axis=0).T.reshape(shape)
    deviation, alpha = rated(payoffs)
    others = np.stack([payoffs.mean(axis=1 + side, keepdims=True)[side] + 0 * payoffs[side] for side in range(sides)])
    more, same = rated(4 * payoffs + others)
    assert more == pytest.approx(4 * deviation, abs=1e-6) and same == pytest.approx(alpha, abs=1e-9)
    turned = np.roll(np.arange(sides), 1)
    seated = np.stack([payoffs[side].transpose(turned) for side in turned])
    there, shares = rated(seated)
    assert there == pytest.approx(deviation[turned], abs=1e-7) and shares == pytest.approx(alpha[turned], abs=1e-9)


def rows_of(game: Any) -> dict[str, Any]:
    return {row.name: row for row in game.strategies}


@pytest.mark.parametrize("n", [3, 6, 12])
def test_the_matrix_of_the_lab_however_it_is_numbered_and_paid(n: int) -> None:
    """Rows go with their strategies; in four times the unit margins are four times as large, and nothing else is."""
    rng = np.random.default_rng(n)
    blocks = rng.normal(size=(1, n, n)) * 0.5 + rng.normal(size=(20, n, n))
    names, rates = [f"s{i}" for i in range(n)], rng.random(n)
    order = rng.permutation(n)
    one, numbers = solved(names, blocks, rates.tolist(), 60, 1, 0, 1.0)
    moved = blocks[:, order][:, :, order]
    for scale, margins, called, used in (
        (1.0, moved, [names[k] for k in order], rates[order]), (4.0, 4 * blocks, names, rates),
    ):  # fmt: skip
        other, there = solved(called, margins, used.tolist(), 60, 1, 0, scale)
        assert there == pytest.approx(numbers, abs=1e-6)
        mine, its = rows_of(one), rows_of(other)
        for name, row in mine.items():
            assert (its[name].nash, its[name].nash_mean) == pytest.approx((row.nash, row.nash_mean), abs=1e-5)
            assert its[name].dominated == row.dominated and its[name].dominated_share == row.dominated_share
            assert (its[name].margin, its[name].exploitability) == pytest.approx(
                (scale * row.margin, scale * row.exploitability), abs=1e-6
            )
        assert other.dominant == one.dominant
        for part in ("effective", "cyclic", "module_mass", "different"):
            found, before = getattr(other, part), getattr(one, part)
            assert (found.value, found.low, found.high) == pytest.approx(
                (before.value, before.low, before.high), abs=1e-5
            ), part


def test_a_strategy_that_stands_there_twice_is_one() -> None:
    """A copy of a strategy adds nothing to how many different ones the equilibrium has, and wins no more."""
    blocks = np.random.default_rng(2).normal(size=(20, 3, 3)) * 0.1 + 2 * np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    anti = (blocks - blocks.swapaxes(1, 2)) / 2
    twice = anti[:, [0, 1, 2, 0]][:, :, [0, 1, 2, 0]]
    one = solved(list("abc"), anti, [0.5] * 3, 60, 1, 0, 1.0)[0]
    both = solved(list("abcd"), twice, [0.5] * 4, 60, 1, 0, 1.0)[0]
    assert one.different is not None and both.different is not None
    assert both.different.value == pytest.approx(one.different.value, abs=1e-6)
    weights = [row.nash for row in both.strategies]
    assert weights[0] + weights[3] == pytest.approx(one.strategies[0].nash, abs=1e-5)
    assert weights[0] == pytest.approx(weights[3], abs=1e-5)


def sides_of(seed: int) -> Margins:
    """Margins of two sides with a handicap, with the module and without."""
    rng = np.random.default_rng(seed)
    deal = rng.normal(0, 1.5, 600)
    nobody, alone = {}, {}
    for side, sign, worth in ((0, 1, 0.4), (1, -1, 0.1)):
        for n in (-2, -1, 0, 1, 2, 4):
            nobody[side, n] = deal + sign * 0.3 * n if n else deal
            alone[side, n] = deal + sign * (0.3 * n + worth) + rng.normal(0, 0.2, 600)
    return Margins(nobody, alone, deal + 0.1 * rng.normal(size=600))


def test_worth_however_sides_are_numbered() -> None:
    """The mirror: side 0 is side 1, and what it wins is what the other loses."""
    got, budget, names = sides_of(4), BUDGETS["quick"], ["x", "y"]
    mirror = Margins(
        {(1 - side, n): -values for (side, n), values in got.nobody.items()},
        {(1 - side, n): -values for (side, n), values in got.alone.items()},
        None if got.everybody is None else -got.everybody,
    )
    one, other = worth_table(got, (0, 1), names, budget), worth_table(mirror, (0, 1), names[::-1], budget)
    assert other.overall.value == pytest.approx(one.overall.value) and other.odds.low == pytest.approx(one.odds.low)
    assert (other.overall.low, other.odds.high) == pytest.approx((one.overall.low, one.odds.high))
    for mine, its in zip(one.sides, reversed(other.sides), strict=True):
        assert mine.side == its.side and mine.seeds == pytest.approx(its.seeds)
        for row, there in zip(mine.by_amount, its.by_amount, strict=True):
            assert (there.amount, there.worth.value, there.worth.low, there.odds.value) == pytest.approx(
                (row.amount, row.worth.value, row.worth.low, row.odds.value)
            )
            assert (there.score_with, there.score_without) == pytest.approx((row.score_with, row.score_without))
    steps = zip(handicaps_of(got, (0, 1), names, budget), reversed(handicaps_of(mirror, (0, 1), names, budget)))
    for mine, its in steps:
        for row, there in zip(mine.by_amount, its.by_amount, strict=True):
            assert (there.value, there.low, there.high) == pytest.approx((row.value, row.low, row.high))
    seat, back = seat_effect(got, 2), seat_effect(mirror, 2)
    assert (back.change.value, back.change.low) == pytest.approx((-seat.change.value, -seat.change.high))


def test_with_and_without_exchanged() -> None:
    """What one gains by it, one loses without it, in payoff and in odds, also where little is lost."""
    rng = np.random.default_rng(3)
    for chance in (0.5, 0.95, 0.998, 1.0):
        a, b = np.where(rng.random(400) < chance, 1.0, -1.0), np.where(rng.random(400) < 0.4, 1.0, -1.0)
        for figure in (paired, odds_ratio):
            there, back = figure(a, b), figure(b, a)
            assert (back.value, back.low, back.high) == pytest.approx((-there.value, -there.high, -there.low))


def test_luck_in_whatever_unit_and_order() -> None:
    margins = np.random.default_rng(9).normal(size=(4, 60))
    margins += np.random.default_rng(10).normal(size=60)
    between, within, share, error = luck_share(margins)
    other = luck_share(7.0 + 4 * margins[[2, 0, 3, 1]])
    assert other == pytest.approx((16 * between, 16 * within, share, error))
