"""Modules with a price whose balancing value is known by other means: the search finds it."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from probespiel.evaluation.balance.records import Balance, Crossing
from probespiel.evaluation.balance.run import run_balance
from probespiel.evaluation.stress.conditions import Settings

from .known_worth import kuhn_worth, oath_worth, stone_worth

COSTS = Path(__file__).parent / "planted_costs"


def edge(fee: int) -> float:
    """A jack that counts as three, less the fee; a lead counts half, as only one side pays."""
    return kuhn_worth((3, 1, 2)) - fee / 200


def toll(percent: int) -> float:
    """A round in which rock beats rock and successes are worth less."""
    return stone_worth(1 - percent / 100)


# game, module, open parameter, scenario, options, and the worth by other means
CASES = {
    "edge": ("kuhn", "fee=0..200", None, {}, edge),
    "toll": ("ews_rps", "percent=0..100", None, {"max_rounds": 1, "contest_tie": "draw"}, toll),
    "oath": ("konfrontation-clash", "most=0..10", str(COSTS / "truce.json"), {}, oath_worth),
}


def searched(name: str, folder: Path) -> Balance:
    game, param, scenario, config, _ = CASES[name]
    settings = Settings(game, str(COSTS / f"{name}.py"), {}, scenario, config, {}, "quick", 2)
    return run_balance(settings, [param], [], folder, jobs=2)[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_balancing_value_is_found(name: str, tmp_path: Path) -> None:
    """The interval holds it and is less than a fifth of the range; worths are those known; within ten minutes."""
    begun = time.monotonic()
    found = searched(name, tmp_path)
    assert time.monotonic() - begun < 600
    worth = CASES[name][-1]
    (param,) = found.axes
    for point in found.points:
        figure = point.figure("worth")
        assert figure is not None and figure.exact
        assert figure.value == pytest.approx(worth(point.params[param.name]), abs=1e-9)
    ((crossing,),) = (along.crossings for along in found.along)
    assert isinstance(crossing, Crossing) and crossing.value is not None
    values = np.array([worth(v) for v in param.values])
    after = int(np.flatnonzero(values * values[0] <= 0)[0])  # the first value on the other side of nothing
    assert 0 < after < len(values) - 1
    low, high = param.values[after - 1], param.values[after]
    true = low + (high - low) * values[after - 1] / (values[after - 1] - values[after])
    assert crossing.low <= true <= crossing.high
    assert crossing.value == pytest.approx(true, abs=1e-6)
    assert crossing.high - crossing.low < 0.2 * (param.values[-1] - param.values[0])
    assert found.suggestion is not None
    assert found.suggestion.params[param.name] == param.values[int(np.abs(values).argmin())]


@pytest.mark.slow
def test_an_estimated_value_near_the_known_one(tmp_path: Path) -> None:
    """Where something is asked for that is learned, exact worth stands beside it; points have the lab's figures."""
    settings = Settings("kuhn", str(COSTS / "edge.py"), budget="quick", seed=2)
    found, _ = run_balance(settings, ["fee=120..180"], ["worth=0..0.05", "length=1..3"], tmp_path, jobs=2)
    best = found.suggestion
    assert best is not None and best.meets == "yes" and 144 <= best.params["fee"] <= 153
    length, worth = best.figure("length"), best.figure("worth")
    assert (
        length is not None and not length.exact and 2 <= length.value <= 3 and length.low < length.value < length.high
    )
    assert worth is not None and worth.exact
    assert best.share == 1.0 and all(step.share == 1.0 for step in found.steps)
