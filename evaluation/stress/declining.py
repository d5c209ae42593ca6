"""Which answers to a module's question decline it: those after which the game goes on as it would without the module.

A module may say so itself (`module.action(..., decline=True)`). Else it is found by effect: the question is asked after
some step of the game; the position after an answer is compared with the one after that step by the rules without the
module. An answer that leaves that position, and the module's own numbers as they were, declines; at times it may undo
what an earlier answer did, but not in more than one question of four. What all answers do alike, as to note that they
were given, is no answer's effect; nor is what earlier answers, or those of others, are paid for. If all answers to a
question leave everything, it tells nothing, because the difference lies in what the module remembers.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from ...envs.core.game import Game, Position
from ...envs.core.replay import Choice, Die
from ...envs.core.rng import rand_below, rng_table
from .conditions import Condition
from .context import Context
from .drawing import drawn
from .lab import Lab, declining_of, module_of, position_bytes
from .shadow import Shadow
from .workers import Job

GAMES = 40
DECISIONS = 300  # of a game
SECONDS = 1800.0  # rules that are not compiled take long
SEEN = 5  # times that an answer must have been tried
MOSTLY = 0.75  # share of the questions in which an answer that declines leaves everything


def look_for_declining(context: Context, phases: tuple[int, ...]) -> tuple[int, ...]:
    """Actions of the module that decline it by their effect; none where the module says itself which do.

    `phases` are those in which the module was seen to ask. Raises Unanswered where the rules fail.
    """
    if not phases or len(context.marked) < 2 or declining_of(context.bench):
        return ()
    job = Job("declining", {"condition": context.bench.everybody(), "seed": context.seed("declining")}, SECONDS)
    (answer,) = context.need("break", [job])
    return tuple(answer["actions"])


# What workers do


def declining(lab: Lab, condition: Condition, seed: int) -> dict[str, Any]:
    """Ids of the actions that decline, from games of random play."""
    game, plain = lab.game(condition), lab.game(Condition())
    shadow = Shadow(plain, position_bytes(lab, game, own=False))
    own = own_bytes(lab, game)
    actions = frozenset(lab.marks.actions)
    without, tried = Counter[int](), Counter[int]()
    for dice in rng_table(seed, GAMES, "declining"):
        for question in questions(game, shadow, actions, np.array([dice], dtype=np.uint64)):
            apart = told_apart(question, own)
            results = {a: unchanged(question, a, shadow, apart) for a in question.answers}
            known = {a: same for a, same in results.items() if same is not None}
            if len(known) < len(results) or all(known.values()):
                continue
            tried.update(known.keys())  # one each: a mapping would add its values
            without.update(a for a, same in known.items() if same)
    return {"actions": sorted(a for a in tried if tried[a] >= SEEN and without[a] >= MOSTLY * tried[a])}


class Question:
    """A question to which the module has all answers: the position, who is asked, and how it would stand without."""

    def __init__(self, position: Position, seat: int, answers: list[int], plain: Position) -> None:
        self.position, self.seat, self.answers, self.plain = position, seat, answers, plain


def questions(game: Game, shadow: Shadow, actions: frozenset[int], dice: np.ndarray) -> list[Question]:
    """All questions of one random game; `dice` uint64[1] is a generator, used up."""
    choices = np.array([drawn(dice)], dtype=np.uint64)
    position, plain = game.position(), shadow.start()
    out: list[Question] = []
    for _ in range(DECISIONS):
        before = position.to_bytes()
        faces = position.die()
        if faces:
            step: Die | Choice = Die(faces, int(rand_below(dice, faces)))
            position.fall(step.fell)
        else:
            asked = position.to_act()
            if not asked:
                break
            seat, legal = asked[0], position.legal(asked[0])
            own = len(legal) > 1 and actions.issuperset(legal)
            if own and len(asked) == 1 and plain is not None:
                out.append(Question(position.clone(), seat, legal, plain))
            step = Choice(seat, legal[int(rand_below(choices, len(legal)))])
            position.apply(*step)
            if own:
                continue  # until the module has no more questions, the game without it stands where it stood
        plain = shadow.after(before, step)
    return out


def told_apart(question: Question, own: np.ndarray) -> np.ndarray:
    """The mask `own` without the bytes that all answers change alike: these tell of no answer; uint8[size]."""
    before = bytes_of(question.position)
    after = [bytes_of(answered(question, action)) for action in question.answers]
    alike = np.all([found == after[0] for found in after], axis=0) & (after[0] != before)
    return np.where(alike, 0, own).astype(np.uint8)


def unchanged(question: Question, action: int, shadow: Shadow, own: np.ndarray) -> bool | None:
    """Whether an answer leaves the position as it would be without the module; None if the module asks on.

    Where the module has remembered something before, payoffs may differ by that, and are not compared.
    """
    twin = answered(question, action)
    before, after = bytes_of(question.position) & own, bytes_of(twin) & own
    if not twin.die() and twin.to_act() and twin.phase() == question.position.phase():
        return None
    fresh = bool((before == bytes_of(question.position.game.position()) & own).all())
    return bool((before == after).all()) and shadow.same(twin, question.plain, payoffs=fresh)


def answered(question: Question, action: int) -> Position:
    """The position after an answer."""
    twin = question.position.clone()
    twin.apply(question.seat, action)
    return twin


def bytes_of(position: Position) -> np.ndarray:
    """The record of a position, uint8[size]."""
    return np.frombuffer(position.to_bytes(), dtype=np.uint8)


def own_bytes(lab: Lab, game: Game) -> np.ndarray:
    """Mask of the module's own fields in a record: 255, others 0; uint8[size]."""
    module = module_of(lab.bench)
    keep = np.zeros(game.state_size, dtype=np.uint8)
    fields: Any = game.state_dtype.fields
    for name in module.fields:
        dtype, offset = fields[f"{module.name}_{name}"][:2]
        keep[offset : offset + dtype.itemsize] = 255
    return keep


__all__ = ["Question", "declining", "look_for_declining", "questions", "told_apart", "unchanged"]
