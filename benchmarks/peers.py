"""Work of peers that several rows are compared with."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

ROUND = 50  # games of a peer in one round of work
GOOFSPIEL = "goofspiel(num_cards=8,imp_info=True)"


def spiel_from_python(theirs: Any) -> Callable[[], int]:
    """Random games of OpenSpiel's, driven from Python; decisions taken."""

    def work() -> int:
        moves = 0
        for _ in range(ROUND):
            state = theirs.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[int(random.random() * len(outcomes))][0])
                elif state.is_simultaneous_node():
                    choices = [state.legal_actions(seat) for seat in (0, 1)]
                    state.apply_actions([legal[int(random.random() * len(legal))] for legal in choices])
                    moves += 2
                else:
                    legal = state.legal_actions()
                    state.apply_action(legal[int(random.random() * len(legal))])
                    moves += 1
        return moves

    return work


def spiel_in_cpp(theirs: Any) -> Callable[[], int]:
    """Random games of OpenSpiel's by its own C++ loop and C++ bots; decisions taken, by the mean length of games."""
    import pyspiel

    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in (0, 1)]
    length = sum(spiel_from_python(theirs)() for _ in range(40)) / 40  # of 50 games

    def work() -> int:
        for _ in range(ROUND):
            pyspiel.evaluate_bots(theirs.new_initial_state(), bots, int(random.random() * 1e9))
        return round(length)

    return work
