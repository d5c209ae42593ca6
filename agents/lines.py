"""Lines of own actions: where seats of two choose without seeing each other, a line is a whole strategy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..envs.core.game import Game
from ..envs.core.rng import derive_seed, mix
from .base import Agent, Requests
from .cfr import SavedStrategy, sure_strategy
from .faults import asked


def seen_lines(game: Game, agent: Agent, games: int, seed: int) -> list[np.ndarray]:
    """What an agent chose in so many games against itself: for each seat its lines, int64[games, longest].

    A line that is shorter than the longest ends with -1. The agent must not go by what it remembers.
    """
    agent.prepare(game)
    positions = [game.position(derive_seed(seed, "lines", i)) for i in range(games)]
    lines: list[list[list[int]]] = [[[] for _ in range(games)] for _ in range(game.n_seats)]
    own, tables = derive_seed(seed, "lines of", agent.name), [derive_seed(seed, "table", i) for i in range(games)]
    while open_ := [i for i in range(games) if not positions[i].over]:
        states = np.stack([np.frombuffer(positions[i].to_bytes(), dtype=np.uint8) for i in open_])
        owed = [(row, i, seat) for row, i in enumerate(open_) for seat in positions[i].to_act()]
        rows, tables_of, seats = zip(*owed)
        told = [len(lines[seat][i]) for i, seat in zip(tables_of, seats)]
        requests = Requests.gather(game, states, rows, seats, own, [tables[i] for i in tables_of], told)
        chosen = asked(agent, requests)
        for i, seat, action in zip(tables_of, seats, chosen.tolist()):
            positions[i].apply(seat, action)
            lines[seat][i].append(action)
    return [_even(row) for row in lines]


def _even(lines: Sequence[Sequence[int]]) -> np.ndarray:
    out = np.full((len(lines), max(map(len, lines))), -1, dtype=np.int64)
    for row, line in zip(out, lines):
        row[: len(line)] = line
    return out


def strategy_of(game: Game, lines: Sequence[Sequence[int]], **more: Any) -> SavedStrategy:
    """The strategy that plays a line on each seat until one of its actions is not legal; it goes on at random.

    `more` goes into its manifest.
    """
    keys, sizes, chosen = [], [], []
    position, told, left = game.position(0), [0] * game.n_seats, [list(line) for line in lines]
    while not position.over:
        state = np.frombuffer(position.to_bytes(), dtype=np.uint8).reshape(1, -1)
        answers = {}
        for seat in position.to_act():
            legal = position.legal(seat)
            action = int(left[seat].pop(0)) if left[seat] else -1
            if action not in legal:
                action, left[seat] = legal[0], []
            elif len(legal) > 1:
                request = Requests.gather(game, state, [0], [seat], 0, 0, [told[seat]])
                keys.append(int(mix(int(request.keys[0]), seat)))
                sizes.append(len(legal))
                chosen.append(legal.index(action))
            answers[seat] = action
            told[seat] += 1
        for seat, action in answers.items():
            position.apply(seat, action)
    found = (np.array(numbers, dtype=np.int64) for numbers in (keys, sizes, chosen))
    return sure_strategy(game, *found, **more)


__all__ = ["seen_lines", "strategy_of"]
