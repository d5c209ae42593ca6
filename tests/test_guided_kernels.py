"""The lab's kernels of leads, draws, branches and learning against small cases by hand.

They run as plain Python; what they ask the rules is answered by the test.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.abi import float64_at
from probespiel.evaluation.stress import branch_kernel, guided_kernel, value_kernel
from probespiel.evaluation.stress.branch_data import Marking


def plain(function: Any) -> Any:
    """The Python function behind a compiled one."""
    return getattr(function, "py_func", function)


def paying(monkeypatch: pytest.MonkeyPatch, module: Any, payoffs: list[float]) -> None:
    """Rules of which a module asks nothing but what every seat gets."""

    def answer(k: int, op: int, s: int, p: int, a: int, b: int, out: int) -> int:
        float64_at(out, len(payoffs))[:] = payoffs
        return 0

    monkeypatch.setattr(module, "call_kernel", answer)


@pytest.mark.parametrize(
    ("payoffs", "sides", "seat", "margin", "lead"),
    [
        ([3.0, -1.0], [0, 1], 0, 2.0, 4.0),
        ([3.0, -1.0], [0, 1], 1, -2.0, -4.0),
        ([5.0, 1.0, 2.0, -2.0], [0, 1, 0, 1], 2, 2.0, 4.0),  # means 3.5 and -0.5
        ([6.0, 3.0, 0.0], [0, 1, 2], 0, 2.25, 3.0),  # half of 6 - 1.5; 6 - 3
        ([0.0, 3.0, 6.0], [0, 1, 2], 2, 2.25, 3.0),
        ([4.0, 2.0], [0, 0], 0, 3.0, 0.0),  # nobody to compare with
    ],
)
def test_margin_and_lead(
    payoffs: list[float], sides: list[int], seat: int, margin: float, lead: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half the lead of the side's mean over that of all other seats; the lead itself is that over the best other."""
    paying(monkeypatch, branch_kernel, payoffs)
    paying(monkeypatch, guided_kernel, payoffs)
    payoff, side_of = np.zeros(64), np.array(sides, dtype=np.int64)
    assert plain(branch_kernel.margin)(0, 0, 0, payoff[: len(sides)], sides=side_of, seat=seat) == margin
    guide = np.zeros(guided_kernel.ENTRIES, dtype=np.int64)
    guide[guided_kernel.SEATS], guide[guided_kernel.SIDES] = len(sides), side_of.ctypes.data
    guide[guided_kernel.PAYOFF] = payoff.ctypes.data
    assert plain(guided_kernel.lead_of)(guide, 0, 0, 0, seat=seat) == lead


def test_draws_by_values() -> None:
    """The best at temperature 0; else by exp(value / temperature), of the legal ones alone."""
    values = np.array([9.0, 0.0, np.log(2.0), 0.0])
    net = np.zeros(value_kernel.FIRST_GROUP, dtype=np.int64)
    net[[value_kernel.ACTIONS, value_kernel.VALUES]] = 4, values.ctypes.data
    legal, rng = np.array([0b1110], dtype=np.int64), np.array([7], dtype=np.uint64)
    assert guided_kernel.pick(net, legal, 0.0, rng) == 2 and rng[0] == 7
    drawn = np.bincount([guided_kernel.pick(net, legal, 1.0, rng) for _ in range(400)], minlength=4)
    assert drawn[0] == 0 and np.abs(drawn[1:] - [100, 200, 100]).max() < 50  # five standard deviations
    assert guided_kernel.pick(net, legal, 0.01, rng) == 2


@pytest.mark.parametrize(
    ("legal", "asked", "only_marked", "wanted"),
    [(0b11, 0, False, True), (0b10, 0, False, False), (0b11, 0, True, False), (0b101, 0, True, True),
     (0b11, 3, True, True), (0b100, 3, True, False)],
)  # fmt: skip
def test_decisions_of_interest(legal: int, asked: int, only_marked: bool, wanted: bool) -> None:
    """Those with a choice; with `only_marked` those in which action 2 can be taken or phase 3 asks."""
    record = np.array([asked], dtype=np.int64)
    phases = np.array([0, 0, 0, 1], dtype=np.int64)
    marking = Marking(np.array([0b100], dtype=np.int64), phases, 0)  # a record that begins with its phase
    branching = SimpleNamespace(marking=marking, only_marked=only_marked)
    words = np.array([legal], dtype=np.int64)
    assert bool(plain(branch_kernel.of_interest)(record.ctypes.data, words, branching)) is wanted


def test_a_step_of_learning_is_the_slope_of_the_error() -> None:
    """Two of three actions are legal; the first stands for a thing of a group. Only differences of values count.

    With sums of squares of a million a step is a thousandth of the slope, which differences of the error tell.
    """
    rng = np.random.default_rng(3)
    length, hidden, actions, channels = 4, 3, 3, 1
    v = value_kernel
    names = ("input", "bias", "action", "out", "shift", "group")
    sizes = (length * hidden, hidden, actions * hidden, hidden, actions, 2 * channels * hidden)
    weights = {n: rng.normal(size=size).astype(np.float32) for n, size in zip(names, sizes, strict=True)}
    before = {n: w.astype(np.float64) for n, w in weights.items()}
    squares = {n: np.full(size, 1e6, dtype=np.float32) for n, size in zip(names, sizes, strict=True)}
    seen = np.array([1.0, 0.0, -2.0, 0.5], dtype=np.float32)
    state = (weights["bias"] + seen @ weights["input"].reshape(length, hidden)).astype(np.float32)
    scratch = {v.UNITS: np.zeros(hidden, np.float32), v.SLOPES: np.zeros(2 * hidden, np.float32)}
    features = np.array([0.5, 0.25], dtype=np.float32)
    values, rate, where = np.zeros(actions), np.ones(1), np.zeros(2, dtype=np.int64)
    net = np.zeros(v.FIRST_GROUP + v.PER_GROUP, dtype=np.int64)
    net[[v.LENGTH, v.HIDDEN, v.ACTIONS, v.GROUPS]] = length, hidden, actions, 1
    for entry, name in zip((v.INPUT, v.BIAS, v.ACTION, v.OUT, v.SHIFT), names, strict=False):
        net[entry], net[entry + v.S_INPUT - v.INPUT] = weights[name].ctypes.data, squares[name].ctypes.data
    net[[v.SEEN, v.STATE, v.VALUES, v.RATE]] = [x.ctypes.data for x in (seen, state, values, rate)]
    for entry, array in scratch.items():
        net[entry] = array.ctypes.data
    at = v.FIRST_GROUP
    net[[at + v.ITEMS, at + v.START, at + v.CHANNELS, at + v.WHERE]] = 1, 0, channels, where.ctypes.data
    net[[at + v.WEIGHTS, at + v.S_WEIGHTS, at + v.FEATURES]] = [
        x.ctypes.data for x in (weights["group"], squares["group"], features)
    ]
    targets = np.array([2.0, 50.0, -1.0])  # the second is not legal

    def error(w: dict[str, np.ndarray]) -> float:
        base = w["bias"] + seen @ w["input"].reshape(length, hidden)
        found = []
        for action in (0, 2):
            units = base + w["action"].reshape(actions, hidden)[action]
            if action == 0:
                units = units + features @ w["group"].reshape(2 * channels, hidden)
            found.append(w["shift"][action] + np.maximum(units, 0) @ w["out"])
        gap = np.array(found) - targets[[0, 2]]
        return float(np.mean((gap - gap.mean()) ** 2))

    told = value_kernel.learn(net, np.array([0b101], dtype=np.int64), targets)
    assert told == pytest.approx(error(before), rel=1e-5)
    for name in names:
        slopes = np.zeros(len(before[name]))
        for i in range(len(slopes)):
            ends = []
            for step in (1e-5, -1e-5):
                moved = {n: w.copy() for n, w in before.items()}
                moved[name][i] += step
                ends.append(error(moved))
            slopes[i] = (ends[0] - ends[1]) / 2e-5 / 2  # the step follows half of the squares
        assert before[name] - weights[name] == pytest.approx(1e-3 * slopes, rel=0.01, abs=3e-5), name
    assert np.abs(before["out"] - weights["out"]).max() > 1e-3
