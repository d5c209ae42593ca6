"""Scenarios on the test bench: tests written out, an advantage for a seat, seats exchanged."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.errors import RulesetError
from .params import NUMBERS, OPTIONS
from .state import SEATS

DEFAULT = "even_contest"
# fields of the record that do not make up the position
BOOKKEEPING = (
    "past", "road", "road_before", "shown", "after", "hist", "last_test", "last_kind", "last_acting", "last_verdict",
    "last_ending", "last_rounds", "last_net", "last_mine", "last_other", "last_bonus", "last_utility",
)  # fmt: skip
CONTROL = ("asked",)  # fields that only tell how a question came about: what modules have offered before this test


def acting_seat(options: Mapping[str, Any], number: int) -> int:
    """The acting seat of the test with a number (R5, R13), as it is without being named."""
    test = options["tests"][number]
    if test.get("acting_seat") is not None:
        return test["acting_seat"]
    alternate = options.get("roles", OPTIONS["roles"].default) == "alternate"
    return number % 2 if test["kind"] == "contest" and alternate else 0


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the options; raises RulesetError where the tests are drawn by chance."""
    out = copy.deepcopy(dict(options))
    if out.get("tests") is None:
        raise RulesetError(
            "tests = None is not allowed here: the scenario draws its tests, so that none can be changed"
        )
    return out


def handicap(options: Mapping[str, Any], seats: Sequence[str], n: int) -> dict[str, Any]:
    """The options with `n` rounds' worth of points more (below 0: fewer) for some seats in every test.

    Raises RulesetError for values that leave -99..99.
    """
    out = _given(options)
    points = n * out.get("bonus_step", OPTIONS["bonus_step"].default)
    for number, test in enumerate(out["tests"]):
        acting = acting_seat(out, number)
        for seat in (SEATS.index(name) for name in seats):
            name = NUMBERS[test["kind"]][0 if seat == acting else 1]
            test[name] += points
            if not -99 <= test[name] <= 99:
                raise RulesetError(f"tests[{number}]: {points:+d} points would make {name} {test[name]}: -99..99")
    return out


def mirrored(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with the seats exchanged in every test; raises RulesetError where a seat is chance."""
    out = _given(options)
    if out.get("gm_policy") == "uniform":
        raise RulesetError("gm_policy = 'uniform' is not allowed here: nobody sits at the second seat")
    for number, seat in enumerate([acting_seat(out, i) for i in range(len(out["tests"]))]):
        out["tests"][number]["acting_seat"] = 1 - seat
    for values in (out.get("modules") or {}).values():
        if values and values.get("seats") is not None:
            values["seats"] = [1 - (SEATS.index(s) if isinstance(s, str) else s) for s in values["seats"]]
    return out


def written_out(options: Mapping[str, Any], pool: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Options whose tests are given: where they were drawn from a pool, those of the pool in turn."""
    out = copy.deepcopy(dict(options))
    if out.get("tests") is None:
        out["tests"] = [dict(pool[i % len(pool)]) for i in range(out["n_tests"])]
    return out
