"""Exact values of Scorekeeper (section 7), and the executor of the worked examples of kind `stat`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...agents.perfect_information import game_value as search_value
from ...envs.core.checks import fail
from ...envs.core.script import answer, field_problems, same
from ...envs.scorekeeper import formulas
from ...envs.scorekeeper import state as st
from ...envs.scorekeeper.formulas import success_probability
from ...envs.scorekeeper.system import SYSTEM
from . import chances as chances
from .duel import Round, Side, Unsupported, below_half, chance, duel_value, policy_duel

NODES = 2_000_000  # positions that a complete search may meet


def acts_first(difference: int) -> Fraction:
    """7.2: chance to act first with a lead in WAH + AGL."""
    lead = abs(difference)
    behind = Fraction((10 - lead) ** 2, 200) if lead < 10 else Fraction(0)
    return 1 - behind if difference >= 0 else behind


def death_survival(shock_value: int, rolls: int, first: int = 0, step: int = 1) -> list[Fraction]:
    """7.7: chances to pass 1 .. `rolls` death rolls."""
    return [formulas.death_survival(shock_value, n, first, step) for n in range(1, rolls + 1)]


def survivable_rounds(shock_value: int) -> Fraction:
    """Expected number of death rolls passed without help."""
    out, n = Fraction(0), 1
    while passed := formulas.death_survival(shock_value, n):
        out += passed
        n += 1
    return out


def rescue(shock_value: int, first_aid: int, first_try: int = 1) -> Fraction:
    """Chance to be stabilised by an aid roll a round, before the death roll, from round `first_try` on (0: at once)."""
    aid = success_probability(first_aid)
    saved, alive, number = Fraction(0), Fraction(1), 0
    while alive:
        if number >= first_try:
            saved += alive * aid
            alive *= 1 - aid
        alive *= success_probability(shock_value - number)
        number += 1
    return saved


def exchange(hit_a: float, hit_b: float, first: float) -> float:
    """7.5: chance of a in a memoryless exchange; `hit_...` stopping chances of an action, `first` of a to be first."""
    nobody = (1 - hit_a) * (1 - hit_b)
    if nobody == 1:
        return 0.0
    return (first * hit_a + (1 - first) * (1 - hit_b) * hit_a) / (1 - nobody)


def first_blood(
    value_a: int, agl_a: int, value_b: int, agl_b: int, first: float, counter_rule: str = "declared", bonus: int = 0
) -> float:
    """7.5: value for a of the melee in which every blow that gets through wins, under optimal play, many rounds.

    `value_...` attack and parry value, `first` the chance of a to act first in a round, `bonus` of an announced parry.
    """
    if counter_rule not in st.COUNTER_RULES:
        raise fail("counter_rule", counter_rule, " | ".join(st.COUNTER_RULES))

    def side(value: int, agl: int) -> Side:
        one = [np.array([x]) for x in (chance(value, 20), chance(agl), chance(value), chance(value + bonus))]
        half = [np.array([below_half(v)]) for v in (value, value + bonus)]
        blow = [np.array([[0.0, 1.0]])]
        upkeep, aid, bleeding = np.array([[1.0, 0.0]]), np.eye(1), np.array([False])
        save, parry, announced = one[1:]
        return Side([one[0]], [one[0]], save, parry, announced, half[0], half[1], blow, upkeep, aid, bleeding)

    a, b = side(value_a, agl_a), side(value_b, agl_b)
    value = 0.0
    for _ in range(100_000):
        after = np.array([[value]])
        now = first * Round(a, b, counter_rule, after).value()[0, 0]
        now -= (1 - first) * Round(b, a, counter_rule, -after).value()[0, 0]
        if abs(now - value) < 1e-15:
            break
        value = float(now)
    return value


def game_value(setup: Mapping[str, Any], nodes: int = NODES) -> float:
    """Value of a whole fight for team a under optimal play.

    Duels in contact are solved as pairs of wound sheets, everything else by complete search of at most `nodes`
    positions; raises ProbespielError for a fight that is too large.
    """
    try:
        return duel_value(setup)
    except Unsupported:
        pass
    from ...envs.core.game import Game

    return search_value(Game(SYSTEM.spec_of_setup(setup)), nodes)


# --- worked examples --------------------------------------------------------------------------------------------------


def damage_classes(
    weapon: str, hard: int = 0, soft: int = 0, bonus: int = 0, hard_vs_bonus: str = "unaffected"
) -> dict[str, Fraction]:
    """Chance of every damage class of one blow that gets through."""
    return chances.class_chances(weapon, hard, soft, bonus, hard_vs_bonus)


def unaimed_hit(weapon: str, armour: str | Sequence[str] | None = "none", bonus: int = 0) -> dict[str, Fraction]:
    """The same over the zones of a body under armour; a lethal wound in a lethal zone is called `dead`."""
    return chances.unaimed_classes(weapon, armour, bonus)


def kill_per_shot(
    weapon: str, armour: str | Sequence[str] | None, attack: int, save: int, shock_value: int | None = None
) -> dict[str, Fraction]:
    """Chance by zone word that one shot kills at once."""
    return chances.per_shot(weapon, armour, attack, save, None)


def stop_per_shot(
    weapon: str, armour: str | Sequence[str] | None, attack: int, save: int, shock_value: int
) -> dict[str, Fraction]:
    """Chance by zone word that one shot kills at once or makes faint."""
    return chances.per_shot(weapon, armour, attack, save, shock_value)


def policy_chances(setup: Mapping[str, Any], rounds: int, react: str = "save", mode: str = "melee") -> dict[str, float]:
    """Chances of a, b, draw and mean rounds of two who always attack unaimed."""
    found = policy_duel(setup, rounds, react, mode)
    return {"a": found.a, "b": found.b, "draw": found.draw, "rounds": found.rounds}


STATS: dict[str, Callable[..., Any]] = {
    "damage_classes": damage_classes,
    "unaimed_hit": unaimed_hit,
    "kill_per_shot": kill_per_shot,
    "stop_per_shot": stop_per_shot,
    "acts_first": acts_first,
    "death_survival": death_survival,
    "survivable_rounds": survivable_rounds,
    "rescue": rescue,
    "exchange": exchange,
    "first_blood": first_blood,
    "policy_duel": policy_chances,
    "game_value": game_value,
}
KINDS = ("stat",)


def number(value: Any) -> Any:
    """A probability given as text or number, for functions that compute with floats."""
    return float(Fraction(value)) if isinstance(value, str) and value.replace("/", "").isdigit() else value


def matches(have: Any, want: Any, tolerance: float) -> bool:
    """Whether a result is as expected: a list may stand for a mapping's values, a number for one of several names."""
    if isinstance(have, Mapping):
        if isinstance(want, (list, tuple)):
            return matches(list(have.values()), want, tolerance)
        if isinstance(want, Mapping):
            return all(key in have and matches(have[key], value, tolerance) for key, value in want.items())
    return same(have, want, tolerance)


def run_case(case: Mapping[str, Any]) -> list[str]:
    """Run a case of kind `stat`; what did not match (an empty list: it passed)."""
    problems = []
    for index, step in enumerate(case["steps"], 1):
        if wrong := field_problems(step, ("what", "expect"), ("args", "tolerance", "note")):
            return [f"step {index}: {'; '.join(wrong)}"]
        name = step["what"]
        have = answer(name, STATS, {key: number(value) for key, value in (step.get("args") or {}).items()})
        tolerance = float(step.get("tolerance", case.get("tolerance", 1e-9)))
        if not matches(have, step["expect"], tolerance):
            problems.append(f"step {index}: {name} is {shown(have)}, expected {step['expect']!r}")
    return problems


def shown(value: Any) -> str:
    """A result in a message."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {shown(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(shown, value)) + "]"
    return str(value)


__all__ = ["KINDS", "STATS", "acts_first", "exchange", "first_blood", "game_value", "rescue", "run_case"]
