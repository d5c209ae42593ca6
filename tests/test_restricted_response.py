"""Restricted Nash responses against linear programs, and the bounds that they promise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from probespiel.agents.matrix_game import solve_zero_sum
from probespiel.agents.restricted_response import restricted_response

ROCK_PAPER_SCISSORS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def respond(payoffs: np.ndarray, forecast: np.ndarray, trust: float, floor: float) -> tuple[np.ndarray, float]:
    """The mixture and the trust with which it is the restricted Nash response."""
    rows, columns = payoffs.shape
    mixture = np.zeros(rows)
    work = np.zeros((rows + 1, rows + columns + 2))
    found = restricted_response(payoffs, payoffs @ forecast, trust, floor, mixture, work)
    return mixture, found


def best(payoffs: np.ndarray, forecast: np.ndarray, trust: float, floor: float) -> float:
    """The most that trust * forecast + (1 - trust) * worst can be, by HiGHS."""
    rows, columns = payoffs.shape
    found = linprog(
        -np.append(trust * payoffs @ forecast, 1 - trust),
        A_ub=np.vstack([np.hstack([-payoffs.T, np.ones((columns, 1))]), np.append(np.zeros(rows), -1.0)]),
        b_ub=np.append(np.zeros(columns), -floor),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -found.fun


def test_against_linear_programs() -> None:
    """Optimal, above the floor, and within the bound of the loss: 300 random games, degenerate ones among them."""
    rng = np.random.default_rng(1)
    for number in range(300):
        rows, columns = rng.integers(1, 7, 2)
        payoffs = rng.integers(-3, 4, (rows, columns)) * rng.choice([1.0, 0.01, 100])
        forecast = rng.dirichlet(np.full(columns, rng.choice([0.2, 1, 5])))
        trust = float(rng.choice([0.05, 0.5, 0.9, 0.99, 1]))
        value = solve_zero_sum(payoffs).value
        size = max(1e-9, float(np.abs(payoffs).max()))
        floor = value - float(rng.choice([0, 0.1, 1, 10])) * rng.random() * size - 1e-9 * size
        x, found = respond(payoffs, forecast, trust, floor)
        worst, against = (x @ payoffs).min(), x @ payoffs @ forecast
        assert abs(x.sum() - 1) < 1e-9 and x.min() >= 0, number
        assert worst >= floor - 1e-7 * size, number
        assert trust * against + (1 - trust) * worst >= best(payoffs, forecast, trust, floor) - 1e-7 * size, number
        assert 0 < found <= trust + 1e-12, number
        if found < 1:  # it is the restricted Nash response for that trust without any floor, and its loss is bounded
            ours = found * against + (1 - found) * worst
            assert ours == pytest.approx(best(payoffs, forecast, found, -1e9), abs=1e-6 * size), number
            assert value - worst <= found / (1 - found) * (against - value) + 1e-6 * size / (1 - found), number


def test_by_hand() -> None:
    """Rock-paper-scissors against a rock-lover: a purse of 0 exploits nobody, of 1/4 some, of 1 everything."""
    forecast = np.array([0.5, 0.3, 0.2])
    even, _ = respond(ROCK_PAPER_SCISSORS, forecast, 0.99, 0.0)
    assert even == pytest.approx(np.full(3, 1 / 3))
    some, _ = respond(ROCK_PAPER_SCISSORS, forecast, 0.99, -0.25)
    assert (some @ ROCK_PAPER_SCISSORS).min() == pytest.approx(-0.25)
    assert some @ ROCK_PAPER_SCISSORS @ forecast > 0.1
    everything, trust = respond(ROCK_PAPER_SCISSORS, forecast, 0.99, -1.0)
    assert everything == pytest.approx([0, 1, 0]) and trust == pytest.approx(0.99)
    careful, _ = respond(ROCK_PAPER_SCISSORS, forecast, 0.5, -1.0)
    assert careful == pytest.approx(np.full(3, 1 / 3)), "half a trust is not enough for a lead of 0.2"


def test_a_floor_that_cannot_be_kept_is_told() -> None:
    mixture, found = respond(ROCK_PAPER_SCISSORS, np.array([1.0, 0, 0]), 0.9, 0.1)
    assert found == -1.0 and mixture == pytest.approx(np.full(3, 1 / 3))
