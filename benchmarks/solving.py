"""How exploitable whole strategies of searches are, exactly: all information states of small games, by simulations.

The remark below the rows is the table: exploitability (what both seats could win by deviating, halved) and CPU
milliseconds a decision, the search from the start of the game shared out among all decisions.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from .measure import Row

# Our game and options, OpenSpiel's game where its bot plays it.
GAMES: dict[str, tuple[str, dict[str, Any], str]] = {
    "kuhn": ("kuhn", {}, "kuhn_poker"),
    "leduc": ("leduc", {}, "leduc_poker"),
    "goofspiel, 4 cards descending": ("goofspiel", {"cards": 4, "points_order": "descending"}, ""),
}
BUDGETS = (100, 1000, 10_000)
SEARCHES = (3, 10)  # of each decision, least and most: what a search does is the mean of several with other seeds
WORK = 2_000_000  # simulations of one cell of the table, about
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


def solving_rows(t: float) -> list[Row]:
    """Decisions a second, and the table below them."""
    from probespiel.agents.exact import GameTree
    from probespiel.agents.solve_search import SolveSearchAgent
    from probespiel.envs import make_game

    rows = []
    _table[:] = [("game", "simulations", "solve_search", "ms", "search", "ms", "searches", "OpenSpiel ISMCTS", "ms")]
    for name, (ours, options, spiel) in GAMES.items():
        game = make_game(ours, **options)
        tree = GameTree(game)
        SolveSearchAgent(sims=1).prepare(game)  # what is compiled does not count
        for sims in BUDGETS if t >= 1 else BUDGETS[:1]:
            cells = [name, f"{sims:,}"]
            found, spent = measured(tree, SolveSearchAgent(sims=sims))
            rows.append(Row(f"{name}, solve_search:sims={sims}", "decisions", tree.n_states / spent))
            cells += [f"{found:.5f}", f"{1000 * spent / tree.n_states:.3g}"]
            searches = min(SEARCHES[1], WORK // (tree.n_states * sims))
            if searches >= 1:
                searches = max(searches, SEARCHES[0])
                found, spent = measured(tree, Several(game, sims, searches))
                cells += [f"{found:.3f}", f"{1000 * spent / tree.n_states / searches:.3g}", str(searches)]
            else:
                cells += ["", "", ""]
            if spiel and sims * tree.n_states <= WORK:
                found, spent = measured_spiel(spiel, sims)
                cells += [f"{found:.3f}", f"{1000 * spent / tree.n_states:.3g}"]
            else:
                cells += ["", ""]
            _table.append(tuple(cells))
    return rows


def exploitability_table() -> str:
    """What was found besides the speed."""
    lines = ["| " + " | ".join(line) + " |" for line in _table]
    return "\n".join([lines[0], "|" + "---|" * len(_table[0]), *lines[1:]]) + "\n"


GROUPS = {"solving": solving_rows}
NOTES = {"solving": exploitability_table}
