"""Exact analysis of konfrontation, and the executor of the worked examples that are analysis: `bid_value`, `solve`.

The value of a clash whose bids are due comes from two sides: from the rules themselves, position by position
(`agents/konfrontation/equilibrium.py`), and from the formulas of section 7 of the specification (`section_7`). The
limit of endless ties is found in rational numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...agents.konfrontation.equilibrium import BidGame, ConfrontationSolver
from ...agents.rational_matrix import solve_matrix
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game, Position
from ...envs.konfrontation.system import SYSTEM
from ...envs.konfrontation.verify import setup_of_case

RESOURCE_TARGETS = {f"resource{k}": k for k in (1, 2, 3)}
TARGETS = ("power", *RESOURCE_TARGETS, "character", "glory", "support_own2", "support_foreign2")
_BITS = 40  # halvings of the interval in which the limit lies


@dataclass(frozen=True)
class BidAnalysis:
    """A clash at its bids: value to the attacker, and the mixtures over the bids 0, 1, ... of the first round."""

    value: float
    attacker: np.ndarray
    defender: np.ndarray


def section_7(target: str, attacker: int, defender: int, lead: int, ties: int, unit: int = 3) -> BidGame:
    """The bid game by the formulas of section 7 (default options and weights), seen as the attacker's game.

    `attacker`, `defender`: stocks; `lead`: the attacker's strength less the defender's; `unit`: the number u.
    """
    if target not in TARGETS:
        raise ProbespielError(f"target = {target!r} is not allowed: {', '.join(TARGETS)}")

    def prize_attacker(rest: int) -> int:
        if target == "power":
            return 2 + min(2, rest)
        if target in RESOURCE_TARGETS:
            return 2 * RESOURCE_TARGETS[target]
        return {"character": 3, "glory": 0, "support_own2": 6, "support_foreign2": 12}[target]

    def prize_defender(rest: int) -> int:
        return max(unit, 2 + min(2, rest))

    payoffs = np.zeros((attacker + 1, defender + 1))
    tied = np.zeros(payoffs.shape, dtype=bool)
    for a in range(attacker + 1):
        for b in range(defender + 1):
            difference = lead + a - b
            if difference > 0:
                payoffs[a, b] = -a + b + max(1, b) + prize_attacker(defender - b)
            elif difference < 0:
                payoffs[a, b] = b - a - max(1, a) - prize_defender(attacker - a)
            else:
                tied[a, b] = True
    return BidGame(payoffs, tied, 0.0, 1 if attacker == defender == 0 else ties)


def analyse(game: BidGame) -> BidAnalysis:
    """Value and mixtures of a bid game in which seat 0 is the attacker."""
    first = game.solution(game.ties)
    return BidAnalysis(first.value, first.row, first.column)


def analyse_position(game: Game, position: Position | None = None) -> BidAnalysis:
    """The same for a game, or for a position of it, in which bids are due; payoffs of the attacker."""
    position = Position(game) if position is None else position
    if position.phase() != "bid":
        raise ProbespielError(f"{game.name} ({game.spec.scenario}): no bids are due, the phase is {position.phase()!r}")
    solver = ConfrontationSolver(game)
    value = solver.value(position)
    chances = [list(solver.chances(position, seat).values()) for seat in (0, 1)]
    attacker = int(position.record.attacker)
    sign = 1 if attacker == 0 else -1
    return BidAnalysis(sign * value, np.array(chances[attacker]), np.array(chances[1 - attacker]))


def limit(game: BidGame) -> Fraction:
    """The value of bidding with endless ties: the fixed point of V -> val M(V) nearest to the draw, to 2**-40.

    val M(V) - V falls with V, so that halving an interval finds where it becomes 0; exact rationals keep a double root
    from being missed. Payoffs must be finite numbers.
    """
    payoffs = [[Fraction(float(x)) for x in row] for row in game.payoffs]
    cells = game.tied.tolist()

    def rise(again: Fraction) -> Fraction:
        matrix = [[again if t else x for x, t in zip(row, ts)] for row, ts in zip(payoffs, cells)]
        return solve_matrix(matrix).value - again

    start = Fraction(game.draw)
    first = rise(start)
    decided = [x for row, ts in zip(payoffs, cells) for x, t in zip(row, ts) if not t]
    if game.ties == 1 and not decided:  # nobody can bid: a draw
        return start
    if first == 0:
        return start
    up = first > 0
    near, far = start, max(decided) if up else min(decided)
    # the first bound that rise() leaves behind, then ever closer
    for _ in range(_BITS):
        middle = (near + far) / 2
        change = rise(middle)
        if (change > 0) if up else (change < 0):
            near = middle
        else:
            far = middle
    return far


def solve(game: Game, limit_: int = 2_000_000) -> float:
    """The value of a whole game to its first faction under optimal play of both; raises AgentError if too large."""
    return ConfrontationSolver(game, limit_).value(Position(game))


# --- worked examples --------------------------------------------------------------------------------------------------


def _number(value: Any) -> float:
    try:
        return float(Fraction(value))
    except (ValueError, TypeError, ZeroDivisionError):
        raise ProbespielError(f"expected number {value!r} is none") from None


def _close(name: str, have: float, want: Any, tolerance: float) -> list[str]:
    number = _number(want)
    return [] if abs(have - number) <= tolerance else [f"{name} is {have!r}, expected {want!r} within {tolerance:g}"]


def _build(setup: Mapping[str, Any]) -> Game:
    return Game(SYSTEM.spec_of_setup(setup_of_case(setup)))


def _default_rules(setup: Mapping[str, Any]) -> bool:
    return set(setup_of_case(setup)) <= {"mode", "stage", "max_ties", "other_points", "factions", "attacker", "attack"}


def run_bid_value(case: Mapping[str, Any]) -> list[str]:
    """Run a case of kind `bid_value`: by the rules where it has a `game`, and by section 7."""
    setup, expect = case["setup"], case["expect"]
    tolerance = float(expect.get("tolerance", 1e-6))
    found: dict[str, BidAnalysis] = {}
    formula: BidGame | None = None
    concrete = setup.get("game")
    if "target" in setup and (concrete is None or _default_rules(concrete)):
        formula = section_7(
            setup["target"],
            setup["attacker_power"],
            setup["defender_power"],
            setup["strength_difference"],
            setup.get("max_ties", 10),
            setup.get("unit", 3),
        )
        found["section 7"] = analyse(formula)
    if concrete is not None:
        found["the rules"] = analyse_position(_build(concrete))
    if not found:
        raise ProbespielError("setup must have a game, or target, attacker_power, defender_power, strength_difference")
    problems = []
    for source, result in found.items():
        if "value" in expect:
            problems += _close(f"value by {source}", result.value, expect["value"], tolerance)
        for key, have in (("attacker_strategy", result.attacker), ("defender_strategy", result.defender)):
            if key in expect:
                want = expect[key]
                if len(want) != len(have):
                    problems.append(f"{key} by {source} has {len(have)} bids, expected {len(want)}")
                for bid, (x, y) in enumerate(zip(have, want)):
                    problems += _close(f"{key} of bid {bid} by {source}", float(x), y, tolerance)
    if "limit" in expect:
        endless = formula if formula is not None else _game_at_bids(setup["game"])
        problems += _close("limit", float(limit(endless)), expect["limit"], tolerance)
    return problems


def _game_at_bids(setup: Mapping[str, Any]) -> BidGame:
    """The bid game of a concrete clash, turned so that seat 0 is the attacker."""
    game = _build(setup)
    position = Position(game)
    found = ConfrontationSolver(game).bid_game(position)
    if int(position.record.attacker) == 0:
        return found
    return BidGame(-found.payoffs.T, found.tied.T, -found.draw, found.ties)


def run_solve(case: Mapping[str, Any]) -> list[str]:
    """Run a case of kind `solve`: the exact value to the first faction."""
    expect = case["expect"]
    value = solve(_build(case["setup"]))
    return _close("value", value, expect["value"], float(expect.get("tolerance", 1e-6)))


KINDS: dict[str, Callable[[Mapping[str, Any]], list[str]]] = {"bid_value": run_bid_value, "solve": run_solve}


def run_case(case: Mapping[str, Any]) -> list[str]:
    """Run a case of one of the KINDS; what did not match (an empty list: it passed)."""
    return KINDS[case["kind"]](case)


__all__ = [
    "KINDS", "BidAnalysis", "analyse", "analyse_position", "limit", "run_case", "section_7", "solve",
]  # fmt: skip
