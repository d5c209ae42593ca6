"""The two searches against each other at equal time: who is the better one of a game.

`python -m benchmarks.engines [GAME...]`: matches on paired deals, both sides in turn, with the same seconds a decision.
Processor time is counted, the search of the solver from the start of the game with it; where an answer is read from
that tree, the solver takes less than it may. What stands in the table is what it earns from the tree search a game,
with half the width of the 95 % interval of the means of deals.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from probespiel.agents.base import Agent, Requests
from probespiel.agents.match import Match, Schedule
from probespiel.agents.registry import make_agent
from probespiel.agents.search import SearchAgent
from probespiel.agents.solve_search import SolveSearchAgent
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.tournament.plan import seatings

SEED = 18
# games, of which each deal is played with both seatings, and the seconds of a decision
GAMES = {
    "leduc": (4000, 0.01),
    "konfrontation-clash": (1200, 0.01),
    "einblatt-duel": (800, 0.01),
    "einblatt-melee": (60, 0.01),
    "einblatt-campaign": (60, 0.01),
    "konfrontation-campaign": (60, 0.01),
    "kuhn": (2000, 0.01),
    "goofspiel": (400, 0.01),
    "liars_dice": (1000, 0.01),
    "scorekeeper-duel": (200, 0.01),
    "scorekeeper-skirmish": (40, 0.01),
    "ews_rps": (200, 0.01),
    "oneshot-skirmish": (60, 0.01),
    "oneshot-parley": (200, 0.01),
}


@dataclass
class Timed(Agent):
    """An agent, and the processor time that its decisions take."""

    agent: Agent
    name: str = field(default="")
    spent: float = 0.0
    decisions: int = 0

    def prepare(self, game: Game) -> None:
        """What is compiled does not count, but what is thought before the first decision does."""
        if isinstance(self.agent, SearchAgent | SolveSearchAgent):
            type(self.agent)(**{**self.agent.values, "sims": 1, "seconds": None}).prepare(game)
        begin = time.process_time()
        self.agent.prepare(game)
        self.spent += time.process_time() - begin

    def act_batch(self, requests: Requests) -> Any:
        """What the agent does."""
        begin = time.process_time()
        actions = self.agent.act_batch(requests)
        self.spent += time.process_time() - begin
        self.decisions += len(requests)
        return actions


@dataclass(frozen=True)
class Duel:
    """What one agent earns from another a game, half the width of its 95 % interval, games, and ms of a decision."""

    earned: float
    half: float
    games: int
    spent: tuple[float, float]

    @property
    def told(self) -> str:
        """In a cell of a table."""
        return f"{self.earned:+.3f} ± {self.half:.3f}"


def duel(game: Game, one: str, other: str, games: int, seed: int = SEED) -> Duel:
    """Both seatings of as many deals as make that many games, with the processor time of both agents."""
    sits = np.array(seatings(game))
    deals = max(2, games // len(sits))
    agents = [Timed(make_agent(text), name) for text, name in ((one, "one"), (other, "other"))]
    seating = np.tile(sits, (deals, 1))
    with Match(game, agents, seed=seed, move_seconds=None) as match:
        outcome = match.play(Schedule.of(seed, np.repeat(np.arange(deals), len(sits)), seating))
    mine = seating == 0
    earned = np.where(mine, outcome.payoffs, 0.0).sum(axis=1) / mine.sum(axis=1)
    theirs = np.where(mine, 0.0, outcome.payoffs).sum(axis=1) / (~mine).sum(axis=1)
    means = ((earned - theirs) / 2).reshape(deals, len(sits)).mean(axis=1)
    half = 1.96 * means.std(ddof=1) / np.sqrt(deals)
    first, second = (1000 * agent.spent / agent.decisions for agent in agents)
    return Duel(float(means.mean()), float(half), len(seating), (first, second))


def line_of(name: str, scenario: str | None, games: int, seconds: float, ours: str = "", seed: int = SEED) -> str:
    """A line of the table; `ours` are more parameters of the solver."""
    game = make_game(name, scenario)
    found = duel(game, f"solve_search:seconds={seconds}{ours}", f"search:seconds={seconds}", games, seed)
    each = " | ".join(f"{spent:.2f}" for spent in found.spent)
    return f"| {name} ({game.spec.scenario}) | {found.games} | {found.told} | {each} |"


def main() -> None:
    """Measure the games that are named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engines", description=__doc__)
    parser.add_argument("games", nargs="*", choices=[[], *GAMES], metavar="GAME", help=", ".join(GAMES))
    parser.add_argument("--scenario")
    parser.add_argument("--number", type=int, help="games, in place of those of the table")
    parser.add_argument("--seconds", type=float, help="of a decision")
    parser.add_argument("--options", default="", help="more parameters of solve_search: key=value,...")
    given = parser.parse_args()
    print("| game | games | solve_search earns from search | ms a decision | of search |\n|---|---|---|---|---|")
    for name in given.games or GAMES:
        games, seconds = GAMES[name]
        options = f",{given.options}" if given.options else ""
        print(line_of(name, given.scenario, given.number or games, given.seconds or seconds, options), flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
