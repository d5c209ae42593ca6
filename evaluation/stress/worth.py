"""What having the module is worth: differences between conditions on the same deals, in payoff and in cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import isotonic_regression
from scipy.stats import t

from .budget import Budget
from .conditions import EVERYBODY, NOBODY

Floats = npt.NDArray[np.float64]
LEVEL = 0.95


def interval(mean: float, error: float, n: int) -> dict[str, Any]:
    """A mean with its Student interval from `n` independent values."""
    factor = float(t.ppf(0.5 + LEVEL / 2, max(n - 1, 1)))
    return {"value": mean, "low": mean - factor * error, "high": mean + factor * error, "games": n}


def paired(first: Floats, second: Floats) -> dict[str, Any]:
    """The mean of first - second over the same deals, with its interval."""
    gaps = first - second
    return interval(float(gaps.mean()), float(gaps.std(ddof=1) / len(gaps) ** 0.5), len(gaps))


def scored(margins: Floats) -> Floats:
    """1 for a win, 1/2 for a draw, 0 for a loss."""
    return 0.5 + 0.5 * np.sign(np.where(np.abs(margins) < 1e-9, 0.0, margins))


def odds_ratio(with_it: Floats, without: Floats) -> dict[str, float]:
    """Change of the log odds of winning (draws half), by the delta method on paired deals."""
    a, b = scored(with_it), scored(without)
    n = len(a)
    p = np.clip([a.mean(), b.mean()], 0.5 / n, 1 - 0.5 / n)
    slopes = 1 / (p * (1 - p))
    error = float((slopes[0] * (a - a.mean()) - slopes[1] * (b - b.mean())).std(ddof=1) / n**0.5)
    change = float(np.log(p[0] / (1 - p[0])) - np.log(p[1] / (1 - p[1])))
    return {"value": change, "low": change - 1.96 * error, "high": change + 1.96 * error}


def worth_table(
    got: Mapping[str, Floats], sides: Sequence[int], names: Sequence[str], budget: Budget, seeds: int, scale: float
) -> dict[str, Any]:
    """Worth of having the module alone, by side and hand-size difference, and when the other side has it too."""
    out: dict[str, Any] = {"sides": []}
    gaps, odds, spread = [], [], []
    for side in sides:
        sign = 1.0 if side == 0 else -1.0
        only = f"only {names[side]}"
        rows = []
        for n in sorted(set(budget.differences) | {0}):
            a, b = got.get(f"{only} {n}"), got.get(f"{NOBODY} {side} {n}")
            if a is None or b is None:
                continue
            rows.append(
                {"cards": n, "worth": paired(sign * a, sign * b), "odds": odds_ratio(sign * a, sign * b),
                 "with": float((sign * a).mean()), "without": float((sign * b).mean()),
                 "score_with": float(scored(sign * a).mean()), "score_without": float(scored(sign * b).mean())}
            )  # fmt: skip
        zero, base = sign * got[f"{only} 0"], sign * got[f"{NOBODY} {side} 0"]
        each = [float((zero - base)[s::seeds].mean()) for s in range(seeds)]
        gaps.append(zero - base)
        odds.append((zero, base))
        spread.append(each)
        entry = {"side": names[side], "by_cards": rows, "seeds": each}
        other = f"only {names[1 - side]} 0" if len(sides) > 1 else None
        if other is not None and other in got:
            entry["answer"] = paired(sign * got[f"{EVERYBODY} 0"], sign * got[other])
        out["sides"].append(entry)
    mean = np.mean(gaps, axis=0)
    sd = float(np.mean([b.std(ddof=1) for _, b in odds]))
    overall = interval(float(mean.mean()), float(mean.std(ddof=1) / len(mean) ** 0.5), len(mean))
    # learners of different seeds are further apart than deals alone tell
    by_seed = np.mean(spread, axis=0)
    if len(by_seed) > 1:
        extra = float(by_seed.std(ddof=1) / len(by_seed) ** 0.5)
        overall["low"] = min(overall["low"], overall["value"] - 2 * extra)
        overall["high"] = max(overall["high"], overall["value"] + 2 * extra)
    out["overall"] = overall
    out["deviation"] = max(sd, 1e-9)
    out["odds"] = odds_ratio(np.concatenate([a for a, _ in odds]), np.concatenate([b for _, b in odds]))
    return out


def cards_of(
    got: Mapping[str, Floats], sides: Sequence[int], names: Sequence[str], budget: Budget
) -> list[dict[str, Any]]:
    """How many more hand cards would be worth as much as the module, by side and hand-size difference.

    The value of the game without the module rises with the cards of a side; its curve (made monotone by isotonic
    regression) is read backwards.
    """
    out = []
    for side in sides:
        sign = 1.0 if side == 0 else -1.0
        points = [n for n in sorted({*budget.curve, *budget.differences}) if f"{NOBODY} {side} {n}" in got]
        values = np.array([float((sign * got[f"{NOBODY} {side} {n}"]).mean()) for n in points])
        smooth = np.asarray(isotonic_regression(values).x)
        rows = []
        for n in sorted(set(budget.differences) | {0}):
            a, b = got.get(f"only {names[side]} {n}"), got.get(f"{NOBODY} {side} {n}")
            if a is None or b is None:
                continue
            worth = paired(sign * a, sign * b)
            here = float(np.interp(n, points, smooth))
            # from the smoothed value at n on, so that no worth is no cards
            read = {k: _inverse(here + worth[k], points, smooth) - n for k in ("value", "low", "high")}
            rows.append({"cards": n, **read, "most": points[-1] - n, "least": points[0] - n, "games": worth["games"]})
        out.append({"side": names[side], "points": points, "values": values.tolist(), "by_cards": rows})
    return out


def _inverse(value: float, points: Sequence[int], values: Floats) -> float:
    """The number of cards at which a rising curve has a value; its ends beyond it."""
    if value <= values[0]:
        return float(points[0])
    if value >= values[-1]:
        return float(points[-1])
    rising, at = [values[0]], [float(points[0])]
    for x, v in zip(points[1:], values[1:]):
        if v > rising[-1]:
            rising.append(v)
            at.append(float(x))
    return float(np.interp(value, rising, at))


def seat_effect(got: Mapping[str, Floats], mirrored: bool) -> dict[str, Any]:
    """What sitting first is worth, without and with the module, whoever sits there, and the difference.

    Half of (payoff of side 0 when it sits first - when it sits last); without a mirrored game its payoff as it is.
    """
    out: dict[str, Any] = {"mirrored": mirrored}
    effects = {}
    for name in (NOBODY, EVERYBODY):
        plain = got[f"{name} 0"] if name == EVERYBODY else got[f"{NOBODY} 0 0"]
        values = (plain - got[f"{name} mirrored"]) / 2 if mirrored else plain
        effects[name] = values
        out[name] = paired(values, np.zeros_like(values))
    out["change"] = paired(effects[EVERYBODY], effects[NOBODY])
    return out


__all__ = ["cards_of", "interval", "odds_ratio", "paired", "scored", "seat_effect", "worth_table"]
