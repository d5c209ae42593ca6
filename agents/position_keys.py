"""What tells positions apart: all of the record but what only tells the past, and pieces of what the seats see."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ..envs.core.game import Game
from ..envs.core.registry import system_of
from ..envs.core.rng import mix
from .positions_kernel import Reading, keys_of
from .public_game import BOOKKEEPING, EVENTS, modules_mention, words_of

GAMES, STEPS = 20, 200  # of random play in which it is seen what tells the past


def past_of(game: Game) -> frozenset[str]:
    """Fields of the record of a game that only tell the past, as its system says; none that a rule module mentions."""
    fields = game.state_dtype.fields or {}
    named = {*BOOKKEEPING, *system_of(game.name).bookkeeping} & set(fields)
    return frozenset(name for name in named if name in EVENTS or not modules_mention(game, name))


def reading_of(game: Game, pieces: Collection[str] = ()) -> Reading:
    """How positions of a game are told apart, if whoever acts in it also looks at some pieces of the observation."""
    spans = [
        (game.layout.offsets[piece.name], game.layout.offsets[piece.name] + piece.size)
        for piece in game.layout.pieces
        if piece.name in pieces
    ]
    seen = np.array(spans, dtype=np.int64).reshape(-1, 2)
    return Reading(kept=words_of(game, past_of(game) | set(EVENTS)), told=words_of(game, EVENTS), seen=seen)


def pieces_of_the_past(game: Game) -> frozenset[str]:
    """Pieces of the observation that tell what `past_of` names, as some games of random play show."""
    fields, blank = past_of(game), game.position()
    found: set[str] = set()
    for number in range(GAMES):
        position, draws = game.position(seed=number), np.random.default_rng(number)
        for _ in range(STEPS):
            if position.over:
                break
            twin = position.clone()
            for name in fields:
                twin.record[name] = blank.record[name]
            for seat in position.to_act():
                seen, without = (game.layout.view(one.observe(seat)) for one in (position, twin))
                found.update(name for name in seen if not np.array_equal(seen[name], without[name]))
            seat = position.to_act()[0]
            position.apply(seat, int(draws.choice(position.legal(seat))))
            position.roll()
    return frozenset(found)


def entry_keys(game: Game, states: np.ndarray, seats: np.ndarray, reading: Reading) -> np.ndarray:
    """By what a saved strategy finds decisions, int64[m]: of seats int64[m] at positions int64[m, words]."""
    found = position_keys(game, states, reading)
    return np.array([mix(key, seat) for key, seat in zip(found.tolist(), seats.tolist())], dtype=np.int64)


def position_keys(game: Game, states: np.ndarray, reading: Reading) -> np.ndarray:
    """Hashes of positions int64[m, words], int64[m]: equal where all that is read is equal."""
    out = np.zeros(len(states), np.int64)
    seen = np.zeros(game.layout.size, np.int32)
    keys_of(game.address, game.params_address, states, reading, seen=seen, out=out)
    game.kernel.raise_pending()
    return out


__all__ = ["entry_keys", "past_of", "pieces_of_the_past", "position_keys", "reading_of"]
