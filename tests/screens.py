"""All that games show to people, by random play: positions, events, questions, actions, counters, results."""

from __future__ import annotations

import random
from collections.abc import Iterator

from probespiel.agents.human import Speech
from probespiel.app.session.notes import notes_on
from probespiel.app.session.seen import seen_of
from probespiel.app.session.sight import Choice, Sight
from probespiel.envs.core.actions import LANGUAGES
from probespiel.envs.core.game import Game, Position


class Still(Position):
    """A position that finds the legal actions of a seat once a decision; interpreted rules take their time for it."""

    def __init__(self, game: Game) -> None:
        self._found: dict[int, list[int]] = {}
        super().__init__(game)

    def legal(self, seat: int) -> list[int]:
        """Ids of the legal actions of a seat."""
        if seat not in self._found:
            self._found[seat] = super().legal(seat)
        return self._found[seat]

    def _change(self, op: int, a: int = 0, b: int = 0) -> None:
        self._found = {}
        super()._change(op, a, b)


def shown_in(game: Game, seed: int, most: int = 100) -> Iterator[tuple[str, str]]:
    """(language, text) of a game played at random, at most so many decisions; some come more than once.

    The positions are told as the seat that decides sees them, and as the public does; an action is said once a
    phase, and so are the notes beside actions.
    """
    lot = random.Random(seed)
    position = Still(game)
    said: set[tuple[str, int, int]] = set()
    noted: set[tuple[str, int]] = set()
    for _ in range(most):
        while faces := position.die():
            position.fall(lot.randrange(faces))
            yield from events_of(position)
        if position.over:
            break
        seats = position.to_act()
        for lang in LANGUAGES:
            yield lang, position.question(lang)
            yield lang, position.told(None, lang)
            yield lang, position.told(seats[0], lang)
        for seat in seats:
            if (position.phase(), seat) not in noted:
                noted.add((position.phase(), seat))
                yield from notes_of(position, seat)
            legal = position.legal(seat)
            speech = Speech(game, position, seat)
            for action in legal:
                if (position.phase(), seat, action) not in said:
                    said.add((position.phase(), seat, action))
                    yield from ((lang, speech.text(action, lang)) for lang in LANGUAGES)
            position.apply(seat, lot.choice(legal))
            yield from events_of(position)
    for lang in LANGUAGES:
        yield lang, position.told(None, lang)
        yield from ((lang, name) for name in position.tallies(None, lang))
        yield from ((lang, line) for line in game.spec.result(position, lang))


def notes_of(position: Position, seat: int) -> Iterator[tuple[str, str]]:
    """What stands beside the actions that are possible for a seat."""
    for lang in LANGUAGES:
        seen = seen_of(position, seat, lang)
        sight = Sight.of(position.game, seen, [Choice.of(option) for option in seen.choices])
        yield from ((lang, note) for note in notes_on(sight).values())


def events_of(position: Position) -> Iterator[tuple[str, str]]:
    """The events of the last step, as every seat and as the public reads them."""
    game = position.game
    for event in position.events():
        for seat in (None, *range(position.game.n_seats)):
            for lang in LANGUAGES:
                yield lang, game.say(event, seat, lang)
