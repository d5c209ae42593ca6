"""A rule that changes nothing: games of random play beside the same games by the rules without it.

Both games stand side by side and take every step together, but for what the module asks: its own questions are
answered, its actions taken and its dice thrown in the one game alone. Whenever both are asked the same, or are over,
they must stand alike, the module's own numbers and bookkeeping left out. A rule of which that holds in many games has
done nothing in any of them, neither by itself nor by a use. If it holds as long as nobody uses the rule, nobody has to
bear with it; then all must see the same as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...envs.core.game import Game, Position
from ...envs.core.replay import Choice, Die
from ...envs.core.rng import rand_below, rng_table
from .conditions import EVERYBODY, NOBODY, Condition
from .context import Context
from .drawing import drawn
from .lab import Lab, module_of, position_bytes
from .shadow import Shadow
from .workers import Job

GAMES, DECISIONS = 400, 20_000  # of random play, at most


def look_for_effects(context: Context) -> int:
    """In how many games of random play a rule changed nothing at all, 0 if it did; Unanswered where the rules fail."""
    return unchanged(context, "inert")


def unchanged(context: Context, seed: str, **more: int) -> int:
    """In how many games a rule changed nothing where all have it, 0 if it did; also if it does where one side has it.

    What sides are compared by may change for all alike. `more` are further arguments of `inert`.
    """
    args = {"condition": context.bench.everybody(), "seed": context.seed(seed), **more}
    (answer,) = context.need("break", [Job("inert", args)])
    conditions = context.bench.holder_conditions().items() if answer["games"] else ()
    alone = [condition for name, condition in conditions if name not in (NOBODY, EVERYBODY)]
    jobs = [Job("inert", {**args, "condition": condition, "untaken": True}) for condition in alone]
    found = [one["games"] for one in context.need("break", jobs)] if jobs else []
    return int(answer["games"]) if all(found) else 0


# What workers do


def inert(
    lab: Lab, condition: Condition, seed: int, left: bool = False, untaken: bool = False, payoffs: bool = True,
    most: int = DECISIONS, held: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """How many games were played in which the rule changed nothing; 0 as soon as it does. `payoffs`: of these, too.

    No more are begun after `most` decisions. Also 0 if it has actions and none was ever taken, but for `untaken`: what
    they do is not known then. `held`: and if somebody who has not got it takes one. With `left` nobody uses it, as far
    as that can be declined; a rule with questions of its own is not looked at.
    """
    game, plain = lab.game(condition), lab.game(Condition())
    shadow = Shadow(plain, position_bytes(lab, game, own=False))
    own, taken, games = frozenset(lab.own_actions), 0, 0
    if left and lab.marks.phases:
        return {"games": 0}
    uses, seen = (lab.marks.actions, seen_of(lab, game)) if left else (frozenset[int](), None)
    met = set[int]()
    sides = range(len(lab.bench.sides)) if held else ()
    without = [
        seat for side in sides if side not in condition.holders for seat in lab.bench.side_seats(condition, side)
    ]
    for dice in rng_table(seed, GAMES, "inert"):
        drawing = np.array([dice], dtype=np.uint64)
        count = beside(
            game.position(), shadow, own, drawing, uses=uses, seen=seen, met=met, payoffs=payoffs, without=without
        )
        if not count:
            return {"games": 0}
        taken, games = taken + count, games + 1
        if taken >= most:
            break
    return {"games": games if left or untaken or not own or met else 0}


def seen_of(lab: Lab, game: Game) -> np.ndarray:
    """Places of an observation that the module does not write, int64[...]."""
    module, layout = module_of(lab.bench), game.layout
    own = {f"{module.name}.{piece.name}" for piece in module.pieces}
    parts = [np.arange(p.size) + layout.offsets[p.name] for p in layout.pieces if p.name not in own]
    return np.concatenate(parts)


def beside(
    position: Position, shadow: Shadow, own: frozenset[int], dice: np.ndarray, uses: frozenset[int] = frozenset(),
    seen: np.ndarray | None = None, met: set[int] | None = None, payoffs: bool = True, without: Sequence[int] = (),
) -> int:  # fmt: skip
    """Decisions of a random game that stood like the one without the module wherever both were asked; 0 if it did not.

    `dice` uint64[1] is a generator, used up. The actions `uses` are not taken; 0 where nothing else can be. All seats
    but those that are asked, and see what they may do, must see the same in the places `seen` of observations (None:
    that is not looked at). Those of `own` that were taken are added to `met`. `payoffs`: they must stand alike, too. 0
    as soon as one of the seats `without` takes one of `own`.
    """
    choices = np.array([drawn(dice)], dtype=np.uint64)
    plain, taken = shadow.start(), 0
    while plain is not None and taken < DECISIONS:
        faces, asked = position.die(), position.to_act()
        together = (faces, asked) == (plain.die(), plain.to_act())
        if together and asked:
            together = all(set(position.legal(s)) - own == set(plain.legal(s)) for s in asked)
        if together and not (shadow.same(position, plain, payoffs) and _seen_alike(position, plain, seen)):
            return 0
        if not faces and not asked:
            return taken if together else 0
        before = position.to_bytes()
        if faces:
            step: Die | Choice = Die(faces, int(rand_below(dice, faces)))
            position.fall(step.fell)
        else:
            legal = [action for action in position.legal(asked[0]) if action not in uses]
            if not legal:
                return 0
            step = Choice(asked[0], legal[int(rand_below(choices, len(legal)))])
            position.apply(*step)
            taken += 1
            if step.action in own and step.seat in without:
                return 0
            together = together and step.action not in own
            if met is not None and step.action in own:
                met.add(step.action)
        if together:
            plain = shadow.after(before, step)
    return 0


def _seen_alike(position: Position, plain: Position, places: np.ndarray | None) -> bool:
    """Whether who is not asked sees the same at both positions, in the places of observations that count."""
    return places is None or all(
        np.array_equal(position.observe(seat)[places], plain.observe(seat)[places])
        for seat in range(position.game.n_seats)
        if seat not in position.to_act()
    )


__all__ = ["beside", "inert", "look_for_effects", "unchanged"]
