"""What a whole strategy of a search gives away in einBlatt's duel, by simulations: `python -m benchmarks.duel`.

The responder of `training/einblatt/duel_gap.py`: it knows both hands and the strategy's chances at every decision, and
its best response is computed exactly for each deal. What it gains beyond the value of the game (E1) is more than
anybody else can win, and nothing against who plays the game's solution. `search` is the mean of several searches of
each decision with other seeds; with few of them it looks easier to exploit than it is.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from probespiel.agents.base import Requests
from probespiel.agents.registry import make_agent
from probespiel.envs import make_game
from probespiel.envs.core.game import Game
from probespiel.training.einblatt.duel_gap import DuelTree, gap_of


class SearchedDuel(DuelTree):
    """The trees of duels in which `seat` searches; decisions with the same information state are searched once."""

    def __init__(self, game: Game, seat: int, agent: Any, searches: int) -> None:
        super().__init__(game, seat, lambda *_: np.zeros((0, 0)))
        self.agent, self.searches = agent, searches
        self.decisions, self.seconds = 0, 0.0  # what was searched, and the processor's time of it

    def policy_at(self, states: np.ndarray) -> np.ndarray:
        """The chances of the searches at some records, float64[n, A]."""
        n = len(states)
        requests = Requests.gather(self.game, states, np.arange(n), np.full(n, self.seat), 0, 0, 0)
        _, first, which = np.unique(requests.keys, return_index=True, return_inverse=True)
        asked = requests[first]
        found = np.zeros(asked.masks.shape)
        begin = time.process_time()
        for number in range(self.searches):
            again = asked.reseeded(number)
            for i in range(len(again)):
                found[i] += self.chances_of(again[[i]]) / self.searches
        self.seconds += time.process_time() - begin
        self.decisions += self.searches * int((asked.masks.sum(axis=1) > 1).sum())
        return found[which]

    def chances_of(self, request: Requests) -> np.ndarray:
        """What one search answers, float64[A]."""
        found = self.agent.analyse(request)
        return found.chances if hasattr(found, "chances") else found.strategy


def main() -> None:
    """Print a line for each agent."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.duel", description=(__doc__ or "").split(":")[0])
    parser.add_argument("agents", nargs="+", help="searches, such as search:sims=100 or solve_search:sims=100")
    parser.add_argument("--scenario", default=None)
    parser.add_argument("--deals", type=int, default=16, help="of each seat")
    parser.add_argument("--searches", type=int, default=10, help="of each decision; one of solve_search")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    game = make_game("einblatt-duel", scenario=given.scenario)
    print("| agent | deals a seat | searches | as the first seat | as the second | ms a decision |\n|" + "---|" * 6)
    for name in given.agents:
        agent = make_agent(name)
        agent.prepare(game)
        searches = 1 if name.startswith("solve_search") else given.searches
        trees = [SearchedDuel(game, seat, agent, searches) for seat in (0, 1)]
        gap = gap_of(trees, given.deals, given.seed)
        cells = [f"{mean:.4f} ± {1.96 * error:.4f}" for mean, error in zip(gap.mean, gap.error)]
        cost = 1000 * sum(tree.seconds for tree in trees) / max(1, sum(tree.decisions for tree in trees))
        print(f"| `{name}` | {gap.deals} | {searches} | {cells[0]} | {cells[1]} | {cost:.3g} |", flush=True)


if __name__ == "__main__":
    main()
