"""The same game on both sides: reference games against OpenSpiel's own, and solvers to the same exploitability."""

from __future__ import annotations

import time
from typing import Any

from .measure import Row, versus
from .peers import spiel_from_python, spiel_in_cpp

# Our game and options, OpenSpiel's game.
GAMES: dict[str, tuple[str, dict[str, Any], str]] = {
    "goofspiel, 8 cards": ("goofspiel", {"cards": 8}, "goofspiel(num_cards=8,imp_info=True)"),
    "goofspiel, 13 cards": ("goofspiel", {"cards": 13}, "goofspiel(num_cards=13,imp_info=True)"),
    "leduc": ("leduc", {}, "leduc_poker"),
    "liars_dice": ("liars_dice", {}, "liars_dice"),
}


def same_game_rows(t: float) -> list[Row]:
    """Random play in the batch driver, and of the very same game in OpenSpiel."""
    import pyspiel

    from probespiel.envs import make_game
    from probespiel.envs.core.batch import Batch

    rows = []
    for name, (game, options, spiel) in GAMES.items():
        batch, theirs = Batch(make_game(game, **options), 1024), pyspiel.load_game(spiel)

        def play(batch: Batch = batch) -> int:
            return batch.play_random(4).decisions

        for peer, work in (("C++", spiel_in_cpp(theirs)), ("Python", spiel_from_python(theirs))):
            rows.append(versus(f"{name}, random play", "moves", play, f"OpenSpiel, the same game, {peer}", work, t))
    return rows


def seconds_of(theirs: Any, until: float) -> float:
    """CPU seconds of OpenSpiel's C++ CFR+ to an exploitability; looking at it is not counted."""
    import pyspiel

    solver = pyspiel.CFRPlusSolver(theirs)
    spent, step, done = 0.0, 1, 0
    while True:
        begin = time.process_time()
        for _ in range(step):
            solver.evaluate_and_update_policy()
        spent += time.process_time() - begin
        done += step
        if pyspiel.exploitability(theirs, solver.average_policy()) <= until:
            return spent
        step = max(1, done // 10)


def solver_rows(t: float) -> list[Row]:
    """CFR+ against CFR+ on the same game: solutions a second, the tree and all looks at the exploitability included.

    To 1e-4 on Leduc poker and 1e-2 on liar's dice (ten times as much with `--quick`); one round of the peer.
    """
    import pyspiel

    from probespiel.agents.tree_cfr import TreeCfr
    from probespiel.envs import make_game

    rows = []
    for game, spiel, until in (("leduc", "leduc_poker", 1e-4), ("liars_dice", "liars_dice", 1e-2)):
        goal = until if t >= 1 else 10 * until
        made = make_game(game)
        solver = TreeCfr(made).run(2, until=goal)  # what is compiled does not count
        begin, rounds = time.process_time(), 0
        while (spent := time.process_time() - begin) < t:
            solver = TreeCfr(made).run(until=goal)
            rounds += 1
        assert solver.exploitability() <= goal
        theirs = 1 / seconds_of(pyspiel.load_game(spiel), goal)
        rows.append(Row(f"{game}, CFR+ to {goal:g}", "solutions", rounds / spent, "OpenSpiel, CFR+, C++", theirs))
    return rows


GROUPS = {"same-game": same_game_rows, "solvers": solver_rows}
