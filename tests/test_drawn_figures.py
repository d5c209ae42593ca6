"""What functions of statistics make of numbers drawn by a seed is what it was, in every line."""

from __future__ import annotations

import json

import numpy as np
import pytest

from probespiel.evaluation.tournament.ratings import payoff_operator
from tests.drawn_figures import FILE, FUNCTIONS, figures_of

KEPT: dict[str, list[float]] = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_makes_of_numbers_what_it_made(name: str) -> None:
    """Whoever changed it on purpose writes the file anew: python -m tests.drawn_figures."""
    assert figures_of(name) == pytest.approx(KEPT[name], rel=1e-5, abs=1e-6)


def test_ratings_by_payoff_hold_no_rounding_of_an_eigenvalue() -> None:
    """Where all n met, the Laplacian is nI - J; a pseudo-inverse by eigenvalues takes the 0 for one now and then."""
    for n in range(2, 160):
        expected = (np.eye(n) - 1 / n) / (n - 1)
        assert np.abs(payoff_operator(~np.eye(n, dtype=bool)) - expected).max() < 1e-9, n
