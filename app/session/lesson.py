"""The course of a tutorial: what stands before each decision of the pupil, without a word about how it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...agents.human import NotUnderstood, Speech, understand
from ...envs.core.errors import RulesetError
from ...envs.core.game import Game, Position
from ...envs.core.rng import rand_below, rng_array
from ...envs.core.rulebook import Step, Tutorial


@dataclass(frozen=True)
class Moment:
    """A decision of the pupil: the position, what has happened since the one before, and what is taught (its number).

    At the end there is no step, and the action is -1.
    """

    position: Position
    news: tuple[str, ...]
    step: Step | None = None
    action: int = -1


def moments(tutorial: Tutorial, game: Game, lang: str) -> Iterator[Moment]:
    """The decisions of the pupil one after the other, and the end; each with a position of its own.

    Raises RulesetError where the script does not fit the rules any more.
    """
    position, dice, news = Position(game), rng_array(tutorial.seed, "position"), list[str]()

    def note() -> None:
        told = (game.say(event, tutorial.seat, lang) for event in position.events())
        news.extend(line for line in told if line)

    def roll() -> None:
        while faces := position.die():
            position.fall(int(rand_below(dice, faces)))
            note()

    roll()
    for number, step in enumerate(tutorial.steps, 1):
        seat = game.seat_index(step.seat)
        action = _meant(position, step, seat, number)
        if seat == tutorial.seat:
            yield Moment(position.clone(), tuple(news), step, action)
            news.clear()
        position.apply(seat, action)
        note()
        roll()
    yield Moment(position, tuple(news))


def _meant(position: Position, step: Step, seat: int, number: int) -> int:
    """The action of a step."""
    game = position.game
    try:
        return understand(step.action, Speech(game, position, seat), position.legal(seat), "en")
    except NotUnderstood as wrong:
        raise RulesetError(
            f"tutorial of {game.name}, step {number}: {step.seat} cannot play {step.action!r} "
            f"in phase {position.phase() or 'over'}: {wrong}"
        ) from None


__all__ = ["Moment", "moments"]
