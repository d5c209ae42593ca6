"""Options and tests of a match (section 5): validation with specific errors, defaults, and the parameter record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.brief import brief
from ..core.checks import Check, anything, choice, fail, integer, near, number
from ..core.errors import RulesetError
from ..core.options import Option, coded, filled, flag, real, whole, word
from . import state as st
from .presets import Draw

MOST_TESTS = 1000


def limit(name: str, value: Any) -> int | None:
    """None, or a number of re-rolls."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value <= 20:
        raise fail(name, value, "None, or a whole number 0..20")
    return int(value)


OPTIONS: dict[str, Option] = {
    "procedure": word("rps", "rps", "pm_d6", doc="rounds of symbols, or the comparison die"),
    "tests": Option(None, anything, f"None, or a list of 1..{MOST_TESTS} tests", "None: drawn as the scenario says"),
    "n_tests": whole(20, 1, MOST_TESTS, "how many are drawn; else the length of `tests`"),
    "bonus_step": whole(3, 1, 12, "points of one round of the streak"),
    "max_rounds": whole(20, 1, 200, "rounds after which a test ends"),
    "shortfall_rounding": word("up", "up", "down", doc="whether a started block counts in full"),
    "contest_loser_malus": flag(False, "the loser of a contest's round loses points"),
    "contest_tie": coded(st.Tie.ATTACKER, "who wins equal totals"),
    "early_stop": flag(False, "a test ends once its verdict cannot change"),
    "roles": word("alternate", "alternate", "fixed", doc="who attacks: test j mod 2, seat 0"),
    "gm_policy": word("adversary", "adversary", "uniform", doc="seat 1 plays, or is chance"),
    "pm_reroll_limit": Option(None, limit, "None, 0..20", "re-rolls of the comparison die; None: unlimited"),
    "may_decline": flag(False, "the acting side may refuse a test for 0 points"),
    "payoff": coded(st.Payoff.PASS, "what a test is worth"),
    "margin_clip": whole(12, 1, 60, "largest margin that counts (payoff margin)"),
    "win_points": real(1, 0, 100, "payoff stakes, for tests that name none"),
    "loss_points": real(1, 0, 100, "payoff stakes, for tests that name none"),
    "history_window": whole(32, 0, 512, "rounds that an observation shows"),
}
NUMBERS = {"simple": ("value", "target"), "contest": ("attacker_value", "defender_value")}
TEST_FIELDS: dict[str, Check] = {
    "kind": choice(*st.KINDS),
    **{name: integer(-99, 99) for pair in NUMBERS.values() for name in pair},
    "acting_seat": integer(0, 1),
    "win_points": number(0, 100),
    "loss_points": number(0, 100),
}


def check_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """All options with defaults filled in; raises RulesetError naming option, value and range."""
    out = filled(OPTIONS, given)
    if out["shortfall_rounding"] == "down" and out["contest_tie"] != "attacker":
        raise fail(
            "contest_tie",
            out["contest_tie"],
            "attacker, the only one that goes together with shortfall_rounding = 'down'",
        )
    if out["tests"] is not None:
        out["tests"] = check_tests(out["tests"])
        n = len(out["tests"])
        if given.get("n_tests", n) != n:
            raise fail("n_tests", given["n_tests"], f"{n}, the length of tests (1..{MOST_TESTS}), or not given")
        out["n_tests"] = n
    return out


def check_tests(given: Any) -> list[dict[str, Any]]:
    """The list of tests; raises RulesetError naming the test, the field, its value and its range."""
    if not isinstance(given, (list, tuple)) or not 1 <= len(given) <= MOST_TESTS:
        shown = f"{len(given)} entries" if isinstance(given, (list, tuple)) else given
        raise fail("tests", shown, f"a list of 1..{MOST_TESTS} tests")
    return [check_test(f"tests[{i}]", test) for i, test in enumerate(given)]


def check_test(where: str, given: Any) -> dict[str, Any]:
    """One test; raises RulesetError."""
    if not isinstance(given, Mapping):
        raise fail(where, given, "a mapping with kind and the numbers of its kind")
    if "kind" not in given:
        raise RulesetError(f"{where}: kind is missing: one of {', '.join(st.KINDS)}")
    kind = TEST_FIELDS["kind"](f"{where}: kind", given["kind"])
    allowed = ("kind", *NUMBERS[kind], "acting_seat", "win_points", "loss_points")
    for name, value in given.items():
        if name not in allowed:
            hint = near(str(name), allowed)
            raise RulesetError(
                f"{where}: field {brief(name)} = {brief(value)} is unknown for kind {kind}: one of "
                f"{', '.join(allowed)}{hint}"
            )
    for name in NUMBERS[kind]:
        if name not in given:
            raise RulesetError(f"{where}: {name} is missing: a whole number -99..99")
    return {name: TEST_FIELDS[name](f"{where}: {name}", given[name]) for name in allowed if name in given}


def entries(options: Mapping[str, Any], draw: Draw | None) -> Sequence[Mapping[str, Any]]:
    """The tests themselves, or those that are drawn from; raises RulesetError if a scenario has neither."""
    if options["tests"] is not None:
        return options["tests"]
    if draw is None:
        raise fail("tests", None, f"a list of 1..{MOST_TESTS} tests, since the scenario draws none")
    return draw.tests()


def points(test: Mapping[str, Any], options: Mapping[str, Any]) -> tuple[float, float]:
    """Win and loss points of a test."""
    return float(test.get("win_points", options["win_points"])), float(test.get("loss_points", options["loss_points"]))


def unit(kind: str, options: Mapping[str, Any]) -> int:
    """By how much one round moves the comparison (R4, A2)."""
    step = options["bonus_step"]
    return 2 * step if kind == "contest" and options["contest_loser_malus"] else step


def need(kind: str, difference: int, options: Mapping[str, Any]) -> int:
    """Smallest net with which the acting side succeeds (R4, A1, A3)."""
    u = unit(kind, options)
    if options["shortfall_rounding"] == "down":
        return difference // u
    if kind == "contest" and options["contest_tie"] != "attacker":
        return difference // u + 1
    return -(-difference // u)


def param_record(options: Mapping[str, Any], pool: Sequence[Mapping[str, Any]], dtype: np.dtype) -> np.ndarray:
    """The parameter record of checked options and the tests of `entries`."""
    out = np.zeros(1, dtype=dtype)
    p = out.view(np.recarray)[0]
    p.n_tests = options["n_tests"]
    p.faces = 0 if options["tests"] is not None else len(pool)
    for name in ("bonus_step", "max_rounds", "margin_clip"):
        p[name] = options[name]
    p.window = options["history_window"]
    p.down = options["shortfall_rounding"] == "down"
    p.malus = options["contest_loser_malus"]
    p.tie = OPTIONS["contest_tie"].number(options["contest_tie"])
    p.early = options["early_stop"]
    p.fixed_roles = options["roles"] == "fixed"
    p.gm_uniform = options["gm_policy"] == "uniform"
    p.die = options["procedure"] == "pm_d6"
    p.reroll_limit = st.UNLIMITED if options["pm_reroll_limit"] is None else options["pm_reroll_limit"]
    p.may_decline = options["may_decline"]
    p.payoff = OPTIONS["payoff"].number(options["payoff"])
    for i, test in enumerate(pool):
        first, second = NUMBERS[test["kind"]]
        p.pool_kind[i] = st.KINDS.index(test["kind"])
        p.pool_mine[i], p.pool_other[i] = test[first], test[second]
        p.pool_need[i] = need(test["kind"], test[second] - test[first], options)
        p.pool_acting[i] = test.get("acting_seat", -1)
        p.pool_win[i], p.pool_loss[i] = points(test, options)
    return out


def payoff_bound(options: Mapping[str, Any], pool: Sequence[Mapping[str, Any]]) -> float:
    """The largest absolute payoff of a match."""
    if options["payoff"] != "stakes":
        return 1.0
    most = [max(points(test, options)) for test in pool]
    # a game's payoffs must not all be equal, or nobody could lose one by forfeit
    return (max(most) if options["tests"] is None else sum(most) / len(most)) or 1.0
