"""Exact worth where games can be solved: the value of every condition in place of what strategies found there play.

So is what a use is worth: a holder who must leave the module alone, or use it wherever it can, plays a game that is
solved as well.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...agents.own_counters import own_counters
from ...agents.public_game import BOOKKEEPING, Hidden, NotSolved, Remembers, TooMany, public_value
from ...agents.sequence_form import hidden_value
from ...envs.core.game import Game
from .conditions import Bench, Condition
from .context import Context, Unanswered
from .findings import SolvedUse, Use
from .lab import Lab
from .workers import Failed, Job

POSITIONS = {"quick": 300_000, "standard": 3_000_000, "deep": 6_000_000}  # at most, of one condition
NODES = 20_000  # of a game in which something is hidden, at most
SMALL, MANY = 20_000, 6  # positions of a game that is solved for each action of a module by itself, and actions
FIRST, MORE = 5_000, 4  # positions by which the time is tried at first, and how many times more then


def exact_values(context: Context, conditions: Sequence[Condition]) -> tuple[np.ndarray | None, str]:
    """What side 0 gets in every condition if both sides play best, float64[n]; None where games are not solved.

    The text says why, if it was a process that ended or took too long. Rules that run interpreted are not solved: so
    many positions would take hours. Raises Unanswered if the rules raise an error in one of them.
    """
    if not context.compiled:
        return None, ""
    job = Job("exact", {"conditions": list(conditions), "limit": POSITIONS[context.bench.settings.budget]})
    answer = _asked(context, "measure", job)
    if isinstance(answer, Failed):
        return None, unsolved(answer)
    return (np.asarray(answer["values"], dtype=np.float64) if answer["values"] else None), ""


def solve_use(context: Context, use: Use) -> Use:
    """The use with what holders lose who never use the module, and who use it wherever they can, in solved games.

    As it is where nobody decides about its use, or one of these games is not solved. Raises Unanswered if the rules
    raise an error in one of them.
    """
    if not use.opportunities:
        return use
    sides, names = context.sides, context.bench.side_names
    job = Job("exact_use", {"sides": list(sides), "limit": POSITIONS[context.bench.settings.budget]})
    answer = _asked(context, "use", job)
    if isinstance(answer, Failed):
        return use
    held = zip(sides, answer["losses"], answer["answers"])
    found = {names[side]: SolvedUse(*losses, answers=answers) for side, losses, answers in held}
    return replace(use, solved=found)


def _asked(context: Context, step: str, job: Job) -> Any:
    """The answer of one job, `Failed` where its process ended or took too long."""
    (answer,) = context.ask(step, [job])
    if isinstance(answer, Failed):
        if answer.kind == "raised":  # in a position that can be reached, if only by odd choices
            raise Unanswered(step, job, answer)
    return answer


def unsolved(answer: Failed) -> str:
    """In words, what kept the games from being solved: the time, or a process that ended."""
    if answer.kind == "hung":
        return "The games could not be solved in time; what they are worth is estimated."
    return f"The games could not be solved ({answer.text.partition(': ')[2]}); what they are worth is estimated."


def solve_all(lab: Lab, conditions: Sequence[Condition], limit: int) -> dict[str, Any]:
    """The values of conditions, an empty list where one of them cannot be solved, and why."""
    bench = lab.bench
    known: dict[Condition, float] = {}
    for condition in conditions:
        if condition in known:
            continue
        try:
            value = _value(bench, bench.game(condition), limit)
        except NotSolved as reason:
            return {"values": [], "why": str(reason)}
        known[condition] = value if bench.side_seats(condition, 0) == (0,) else -value
    return {"values": [known[condition] for condition in conditions], "why": ""}


def losses_of_use(lab: Lab, sides: Sequence[int], limit: int) -> dict[str, Any]:
    """What each of the sides loses that has the module alone and never uses it, and that uses it wherever it can.

    `losses` [sides][2], an empty list where one of the games cannot be solved, and why. `answers` [sides]: by action of
    the module, what is lost by who takes it wherever it is legal; empty where the module has one action or many, or
    these games, which are further ones, are not small.
    """
    bench, marks = lab.bench, lab.marks.actions
    conditions = bench.holder_conditions()
    losses: list[list[float]] = []
    answers: list[dict[str, float]] = []
    for side in sides:
        condition = conditions[bench.alone(side)]
        game, (seat,) = bench.game(condition), bench.side_seats(condition, side)
        sign = 1.0 if seat == 0 else -1.0
        try:
            free, never, always = (
                sign * _value(bench, game, limit, without)
                for without in ({}, {seat: marks}, {seat: frozenset(range(game.n_actions)) - marks})
            )
        except NotSolved as reason:
            return {"losses": [], "answers": [], "why": str(reason)}
        losses.append([free - never, free - always])
        answers.append({})
        try:
            for action in sorted(marks) if 1 < len(marks) <= MANY else ():
                others = frozenset(range(game.n_actions)) - {action}
                value = sign * _value(bench, game, min(SMALL, limit), {seat: others})
                answers[-1][game.actions.describe(action)] = free - value
        except NotSolved:
            answers[-1] = {}
    return {"losses": losses, "answers": answers, "why": ""}


def time_to_solve(lab: Lab, condition: Condition, limit: int, enough: float) -> tuple[float, float, float]:
    """Seconds of processor time that solving a condition takes, those of each position, and how many there are at most.

    More and more positions are looked at, `limit` at most, until the game is solved, is known not to be, or `enough`
    seconds pass: then and where there are too many the number is infinite. It is 0 where it is not solved for another
    reason.
    """
    game, some = lab.bench.game(condition), min(FIRST, limit)
    while True:
        begun = time.process_time()
        try:
            _value(lab.bench, game, some)
        except TooMany:
            positions = math.inf
        except NotSolved:
            positions = 0.0
        else:
            positions = float(some)
        passed = time.process_time() - begun
        if positions < math.inf or some >= limit or passed * MORE > enough:
            return passed, passed / some, positions
        some = min(MORE * some, limit)


def _value(bench: Bench, game: Game, limit: int, without: Mapping[int, Collection[int]] | None = None) -> float:
    """The value of a game; a rule that changes what is paid in all needs what was paid so far in its positions.

    `without`: actions that a seat does not take where it has another one.
    """
    past = {*BOOKKEEPING, *bench.system.bookkeeping}
    try:
        return public_value(game, {*past, *bench.system.counted, *own_counters(game)}, limit, without).value
    except Remembers:
        return public_value(game, past, limit, without).value
    except Hidden:
        return hidden_value(game, NODES, without)


__all__ = ["POSITIONS", "exact_values", "losses_of_use", "solve_all", "solve_use", "time_to_solve", "unsolved"]
