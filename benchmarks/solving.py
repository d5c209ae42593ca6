"""How exploitable whole strategies of searches are, exactly: all information states of small games, by simulations.

The remark below the rows is the table: exploitability (what both seats could win by deviating, halved) and CPU
milliseconds a decision, the search from the start of the game shared out among all decisions.
`python -m benchmarks.solving GAME SIMULATIONS...` computes lines of it alone, `--solver` only the first column;
`--start` is that of `solve_search`, and small where decisions are to be searched one by one.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from .measure import Row

# Our game and options, OpenSpiel's game where its bot plays it.
GAMES: dict[str, tuple[str, dict[str, Any], str]] = {
    "kuhn": ("kuhn", {}, "kuhn_poker"),
    "leduc": ("leduc", {}, "leduc_poker"),
    "goofspiel, 4 cards descending": ("goofspiel", {"cards": 4, "points_order": "descending"}, ""),
    "goofspiel, 5 cards descending": ("goofspiel", {"cards": 5, "points_order": "descending"}, ""),
}
BUDGETS = (100, 1000, 10_000, 100_000)
SEARCHES = (3, 10)  # of each decision, least and most: what a search does is the mean of several with other seeds
WORK = 2_000_000  # simulations of one cell of the table, about
HEADER = ("game", "simulations", "solve_search", "ms", "search", "ms", "searches", "OpenSpiel ISMCTS", "ms")
_table: list[tuple[str, ...]] = []


class Several:
    """The tree search as a strategy: the mean of what searches with different seeds answer."""

    def __init__(self, game: Any, sims: int, searches: int) -> None:
        from probespiel.agents.search import SearchAgent

        self.agent, self.searches = SearchAgent(sims=sims), searches
        self.agent.prepare(game)

    def probabilities(self, requests: Any) -> np.ndarray:
        """The chances of all actions, float64[m, A]."""
        out = np.zeros(requests.masks.shape)
        for number in range(self.searches):
            again = requests.reseeded(number)
            for i in range(len(again)):
                out[i] += self.agent.analyse(again[[i]]).chances / self.searches
        return out


def measured(tree: Any, policy: Any) -> tuple[float, float]:
    """Exploitability, and CPU seconds of all decisions of both seats."""
    begin = time.process_time()
    profile = tree.profile([policy, policy])
    spent = time.process_time() - begin
    return tree.exploitability(profile), spent


def measured_spiel(name: str, sims: int) -> tuple[float, float]:
    """The same for OpenSpiel's information-set search: one search of each decision, its shares of visits."""
    import pyspiel

    game = pyspiel.load_game(name)
    bot = pyspiel.ISMCTSBot(
        1,
        pyspiel.RandomRolloutEvaluator(1, 1),
        game.max_utility(),
        sims,
        -1,
        pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT,
        False,
        False,
    )
    found: dict[str, list[tuple[int, float]]] = {}

    def walk(state: Any) -> None:
        if state.is_terminal():
            return
        if not state.is_chance_node() and state.information_state_string() not in found:
            found[state.information_state_string()] = bot.get_policy(state)
        for action in state.legal_actions():
            walk(state.child(action))

    begin = time.process_time()
    walk(game.new_initial_state())
    spent = time.process_time() - begin
    return pyspiel.exploitability(game, pyspiel.TabularPolicy(found)), spent


def line_of(
    name: str, sims: int, solver_only: bool = False, work: int = WORK, **options: Any
) -> tuple[Row, tuple[str, ...]]:
    """Decisions a second, and a line of the table; `options` are those of `solve_search`."""
    from probespiel.agents.exact import GameTree
    from probespiel.agents.solve_search import SolveSearchAgent
    from probespiel.envs import make_game

    ours, rules, spiel = GAMES[name]
    game = make_game(ours, **rules)
    tree = GameTree(game)
    SolveSearchAgent(sims=1).prepare(game)  # what is compiled does not count
    found, spent = measured(tree, SolveSearchAgent(sims=sims, **options))
    row = Row(f"{name}, solve_search:sims={sims}", "decisions", tree.n_states / spent)
    cells = [name, f"{sims:,}", f"{found:.6f}", f"{1000 * spent / tree.n_states:.3g}"]
    searches = 0 if solver_only else min(SEARCHES[1], work // (tree.n_states * sims))
    if searches >= 1:
        searches = max(searches, SEARCHES[0])
        found, spent = measured(tree, Several(game, sims, searches))
        cells += [f"{found:.3f}", f"{1000 * spent / tree.n_states / searches:.3g}", str(searches)]
    else:
        cells += ["", "", ""]
    if spiel and sims * tree.n_states <= work and not solver_only:
        found, spent = measured_spiel(spiel, sims)
        cells += [f"{found:.3f}", f"{1000 * spent / tree.n_states:.3g}"]
    else:
        cells += ["", ""]
    return row, tuple(cells)


def solving_rows(t: float) -> list[Row]:
    """Decisions a second, and the table below them."""
    _table[:] = [HEADER]
    lines = [line_of(name, sims) for name in GAMES for sims in (BUDGETS if t >= 1 else BUDGETS[:1])]
    _table.extend(cells for _, cells in lines)
    return [row for row, _ in lines]


def exploitability_table() -> str:
    """What was found besides the speed."""
    lines = ["| " + " | ".join(line) + " |" for line in _table]
    return "\n".join([lines[0], "|" + "---|" * len(_table[0]), *lines[1:]]) + "\n"


GROUPS = {"solving": solving_rows}
NOTES = {"solving": exploitability_table}


def main() -> None:
    """Compute lines of the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solving", description=__doc__)
    parser.add_argument("game", choices=tuple(GAMES))
    parser.add_argument("simulations", nargs="+", type=int)
    parser.add_argument("--solver", action="store_true", help="solve_search alone")
    parser.add_argument("--start", type=int, default=10)
    parser.add_argument("--work", type=int, default=WORK, help="simulations of a cell at most, about")
    arguments = parser.parse_args()
    for sims in arguments.simulations:
        _, cells = line_of(arguments.game, sims, arguments.solver, arguments.work, start=arguments.start)
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
