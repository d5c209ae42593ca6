"""A tournament says the same in whatever order its strategies are named, and in whatever unit its games are paid."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from probespiel.evaluation.tournament import results as rs
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.summary import Summary

from .synthetic import Floats, by_matrix, change, tournament

SIZES = (2, 3, 7, 12, 13)


def played(n: int) -> tuple[Any, list[str]]:
    """A field of n strategies with a ladder and a wheel in it, few games, and names."""
    rng = np.random.default_rng(n)
    strength, noise = rng.normal(scale=0.3, size=n), rng.normal(scale=0.2, size=(n, n))
    matrix: Floats = strength[:, None] - strength[None, :] + noise - noise.T
    return tournament(n, by_matrix(matrix, 1.0), blocks=12, deals=1, seed=n), [f"s{i}" for i in range(n)]


def numbers(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """All that stands in a record, with where it stands."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for part in dataclasses.fields(value):
            yield from numbers(getattr(value, part.name), f"{path}.{part.name}")
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from numbers(part, f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        for k, part in enumerate(value):
            yield from numbers(part, f"{path}[{k}]")
    else:
        yield path, value


@pytest.mark.parametrize("n", SIZES)
def test_in_whatever_order_strategies_are_named(n: int) -> None:
    """Every line of the list, and every matrix and mixture, goes with its strategy."""
    table, names = played(n)
    to = np.random.default_rng(50 + n).permutation(n)  # where each strategy stands in the other
    other_names = [names[i] for i in np.argsort(to)]
    one: Summary = analyse(table, names, 1, resamples=200)
    other = analyse(change(table, agent=to[np.asarray(rs.column(table, "agent"))]), other_names, 1, resamples=200)
    assert [names[row.agent] for row in one.leaderboard] == [other_names[row.agent] for row in other.leaderboard]
    for first, second in zip(one.leaderboard, other.leaderboard, strict=True):
        for (path, value), (_, there) in zip(numbers(first), numbers(second), strict=True):
            if path != ".agent":
                assert there == (pytest.approx(value, abs=1e-7) if isinstance(value, float) else value), path
    assert one.metagame is not None and other.metagame is not None
    checked = 0
    for part in dataclasses.fields(one.metagame):
        value, there = getattr(one.metagame, part.name), getattr(other.metagame, part.name)
        if isinstance(value, float):
            assert there == pytest.approx(value, abs=1e-6), part.name
        elif isinstance(value, tuple) and len(value) == n and isinstance(value[0], float):
            assert np.array(there)[to] == pytest.approx(np.array(value), abs=1e-5), part.name
            checked += 1
    assert checked, "the mixture at least"
    assert one.metagame.ratings is not None and other.metagame.ratings is not None
    for part in ("nash_average", "alpha_rank"):
        value, there = (np.array(getattr(found.metagame.ratings, part)) for found in (one, other))  # type: ignore[union-attr]
        assert there[to] == pytest.approx(value, abs=1e-5), part


@pytest.mark.parametrize("n", SIZES)
def test_in_whatever_unit_games_are_paid(n: int) -> None:
    """Four times as much for all: payoffs and what follows from them are four times as large, nothing else is."""
    table, names = played(n)
    one = dict(numbers(analyse(table, names, 1, resamples=200)))
    four = change(table, payoff=4 * np.asarray(rs.column(table, "payoff")))
    other = dict(numbers(analyse(four, names, 1, resamples=200)))
    assert one.keys() == other.keys()
    times = {"paid": 0, "counted": 0}
    for path, value in one.items():
        if not isinstance(value, float) or abs(value) < 1e-6:
            assert other[path] == pytest.approx(value, abs=1e-5) if isinstance(value, float) else other[path] == value
            continue
        paid = abs(other[path] - 4 * value) <= 1e-7 * abs(4 * value) + 1e-7
        counted = abs(other[path] - value) <= 1e-9
        assert paid != counted, f"{path}: {value} and {other[path]}"
        times["paid" if paid else "counted"] += 1
    assert min(times.values()) > 2 * n
