"""Steps of a recorded game: a die that fell, or an action that a seat took; and those by which rules break."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from .errors import ReplayError, RulesetError, UnparsableAction
from .game import Game, Position
from .rng import rand_below

MOST = 1000  # steps by which rules break: an action, and the dice after it


class Die(NamedTuple):
    """A die with `faces` faces fell on `fell`, 0..faces-1."""

    faces: int
    fell: int


class Choice(NamedTuple):
    """A seat (index) took an action (id)."""

    seat: int
    action: int


def take(position: Position, step: Die | Choice) -> None:
    """Take a step; the errors of `Position`."""
    if isinstance(step, Die):
        position.fall(step.fell)
    else:
        position.apply(step.seat, step.action)


def look(position: Position) -> None:
    """Ask the rules all that is asked between two decisions, or at the end; the errors of `Position`."""
    for seat in position.to_act():
        position.legal(seat)
        position.observe(seat)
    if position.over:
        position.returns()


def failing(position: Position, choice: Choice, rng: np.ndarray) -> tuple[Die | Choice, ...]:
    """An action, and the dice after it, up to where the rules raise an error; nothing if they raise none.

    `rng` uint64[1] throws them. Rules that run interpreted raise errors where compiled ones may end the process.
    """
    twin, steps = position.clone(), list[Die | Choice]([choice])
    try:
        take(twin, choice)
        while (faces := twin.die()) and len(steps) < MOST:
            steps.append(Die(faces, int(rand_below(rng, faces))))
            take(twin, steps[-1])
        look(twin)
    except RulesetError:
        return tuple(steps)
    return ()


def written(game: Game, steps: Iterable[Die | Choice]) -> list[dict[str, Any]]:
    """Steps as a file holds them."""
    names, codes = [seat.name for seat in game.seats], game.actions.codes
    return [
        {"die": step.faces, "fell": step.fell}
        if isinstance(step, Die)
        else {"seat": names[step.seat], "action": codes[step.action]}
        for step in steps
    ]


def named(game: Game, steps: list[Any]) -> tuple[Die | Choice, ...]:
    """Steps of a file that are not taken; ReplayError unless they are an action of a seat and then dice."""
    if len(steps) > MOST:
        raise ReplayError(f"fails: {len(steps)} steps, at most {MOST} are allowed")
    found = tuple(_named(game, number, step) for number, step in enumerate(steps, 1))
    if found and [isinstance(step, Choice) for step in found] != [True] + [False] * (len(found) - 1):
        raise ReplayError("fails: it holds an action of a seat, and then nothing but dice")
    return found


def _named(game: Game, number: int, step: Any) -> Die | Choice:
    names = [seat.name for seat in game.seats]
    match step:
        case {"die": int(faces), "fell": int(fell), **more} if not more and 0 <= fell < faces < 1 << 31:
            return Die(int(faces), int(fell))
        case {"seat": str(seat), "action": str(action), **more} if not more and seat in names:
            try:
                return Choice(names.index(seat), game.actions.parse(action, game.spec.aliases))
            except UnparsableAction as error:
                raise ReplayError(f"fails, step {number}: {error}") from error
        case _:
            raise ReplayError(
                f'fails, step {number}: a step is {{"die", "fell"}} or {{"seat", "action"}} with seats of '
                f"{', '.join(names)}"
            )


__all__ = ["Choice", "Die", "failing", "look", "named", "take", "written"]
