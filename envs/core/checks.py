"""Checks of parameters: name and value in, the value out; or RulesetError, which says what is allowed."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .brief import brief
from .errors import ProbespielError, RulesetError

Check = Callable[[str, Any], Any]


def fail(name: str, value: Any, allowed: str) -> RulesetError:
    """The error for a parameter out of its range."""
    return RulesetError(f"{name} = {brief(value)} is not allowed: {allowed}")


def check_seed(seed: Any) -> int:
    """A seed: a whole number from 0 on, of any length. Raises ProbespielError."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise ProbespielError(f"seed = {brief(seed)} is not allowed: a whole number from 0 on")
    return int(seed)


def near(name: str, known: Iterable[str]) -> str:
    """A hint with similar names, or an empty text."""
    found = difflib.get_close_matches(name, list(known), n=2)
    return f"; did you mean {' or '.join(found)}?" if found else ""


def integer(low: int, high: int) -> Check:
    """A whole number low..high; booleans are none."""

    def check(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
            raise fail(name, value, f"a whole number {low}..{high}")
        return int(value)

    return check


def number(low: float, high: float) -> Check:
    """A number low..high; booleans are none."""

    def check(name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise fail(name, value, f"a number {low:g}..{high:g}")
        return float(value)

    return check


def boolean(name: str, value: Any) -> bool:
    """True or False, nothing else."""
    if not isinstance(value, (bool, np.bool_)):
        raise fail(name, value, "True or False")
    return bool(value)


def choice(*allowed: str) -> Check:
    """One of some texts."""

    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise fail(name, value, "one of " + ", ".join(allowed))
        return value

    return check


def anything(name: str, value: Any) -> Any:
    """Checked elsewhere."""
    return value
