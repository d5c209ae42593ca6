"""Exact worth where games can be solved: the value of every condition in place of what strategies found there play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...agents.own_counters import own_counters
from ...agents.public_game import BOOKKEEPING, Hidden, NotSolved, Remembers, public_value
from ...agents.sequence_form import hidden_value
from ...envs.core.game import Game
from .conditions import Bench, Condition
from .context import Context, Unanswered
from .lab import Lab
from .workers import Failed, Job

POSITIONS = {"quick": 300_000, "standard": 3_000_000, "deep": 6_000_000}  # at most, of one condition
NODES = 20_000  # of a game in which something is hidden, at most


def exact_values(context: Context, conditions: Sequence[Condition]) -> tuple[np.ndarray | None, str]:
    """What side 0 gets in every condition if both sides play best, float64[n]; None where games are not solved.

    The text says why, if it was a process that ended or took too long. Rules that run interpreted are not solved: so
    many positions would take hours. Raises Unanswered if the rules raise an error in one of them.
    """
    if not context.compiled:
        return None, ""
    job = Job("exact", {"conditions": list(conditions), "limit": POSITIONS[context.bench.settings.budget]})
    (answer,) = context.ask("measure", [job])
    if isinstance(answer, Failed):
        if answer.kind == "raised":  # in a position that can be reached, if only by odd choices
            raise Unanswered("measure", job, answer)
        return None, f"The games could not be solved, because of the rules: {answer.text}"
    return (np.asarray(answer["values"], dtype=np.float64) if answer["values"] else None), ""


def solve_all(lab: Lab, conditions: Sequence[Condition], limit: int) -> dict[str, Any]:
    """The values of conditions, an empty list where one of them cannot be solved, and why."""
    bench = lab.bench
    values: list[float] = []
    for condition in conditions:
        try:
            value = _value(bench, bench.game(condition), limit)
        except NotSolved as reason:
            return {"values": [], "why": str(reason)}
        values.append(value if bench.side_seats(condition, 0) == (0,) else -value)
    return {"values": values, "why": ""}


def _value(bench: Bench, game: Game, limit: int) -> float:
    """The value of a game; a rule that changes what is paid in all needs what was paid so far in its positions."""
    past = {*BOOKKEEPING, *bench.system.bookkeeping}
    try:
        return public_value(game, {*past, *bench.system.counted, *own_counters(game)}, limit).value
    except Remembers:
        return public_value(game, past, limit).value
    except Hidden:
        return hidden_value(game, NODES)


__all__ = ["exact_values", "solve_all"]
