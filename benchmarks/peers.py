"""Work of peers that several rows are compared with."""

from __future__ import annotations

import random

GOOFSPIEL_DECISIONS = 14  # seven rounds of two bids; the last card of each player plays itself


def goofspiel_from_python() -> int:
    """Fifty random games of OpenSpiel's goofspiel, driven from Python; decisions taken."""
    import pyspiel

    game = pyspiel.load_game("goofspiel(num_cards=8,imp_info=True)")
    moves = 0
    for _ in range(50):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(random.random() * len(outcomes))][0])
            elif state.is_simultaneous_node():
                actions = []
                for player in (0, 1):
                    legal = state.legal_actions(player)
                    actions.append(legal[int(random.random() * len(legal))])
                state.apply_actions(actions)
                moves += 2
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(random.random() * len(legal))])
                moves += 1
    return moves


def goofspiel_in_cpp() -> int:
    """Fifty random games of OpenSpiel's goofspiel, played by its own C++ loop and C++ bots; decisions taken."""
    import pyspiel

    game = pyspiel.load_game("goofspiel(num_cards=8,imp_info=True)")
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in (0, 1)]
    for _ in range(50):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, int(random.random() * 1e9))
    return 50 * GOOFSPIEL_DECISIONS
