"""What a search completes of missions beyond the best heuristic party: `python -m benchmarks.missions [PRESET...]`.

All heuristic parties play many missions of a preset; the one that completes most, and the agent, then play the same
missions, with the same dice as long as they do the same. A row tells how many of them both complete, and how many more
the agent does, with half the width of the 95 % interval of the paired differences.
"""

from __future__ import annotations

import argparse
import os

import numpy as np

from probespiel.agents.base import Agent
from probespiel.agents.match import Match, Outcome, Schedule
from probespiel.agents.registry import make_agent
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.envs.oneshot.presets import presets

from .engines import Timed
from .policies import heuristics_of

GAME = "oneshot-mission"
SEED = 77
CHOSEN = 4000  # missions by which the best heuristic is chosen, other ones than those that are compared
HEADER = "| preset | agent | party | missions | completes | the party | more by | ms a decision |\n" + "|---" * 8 + "|"


def played(game: Game, agent: str | Agent, missions: int, seed: int) -> Outcome:
    """So many missions of a party in which everybody is the same agent."""
    with Match(game, [agent], seed=seed, move_seconds=None) as match:
        return match.play(Schedule.of(seed, np.arange(missions), np.zeros((missions, game.n_seats), dtype=np.int64)))


def best_of(game: Game, seed: int = SEED) -> str:
    """The heuristic party that completes most missions."""
    rates = {name: played(game, name, CHOSEN, seed + 1).payoffs[:, 0].mean() for name in heuristics_of(game)}
    return max(rates, key=lambda name: rates[name])


def row(game: Game, agent: str, best: str, missions: int, seed: int = SEED) -> str:
    """A row of the table."""
    compiled = agent in heuristics_of(game)  # its missions are played at once, and take no time worth a number
    timed = Timed(make_agent(agent), agent)
    ours = played(game, agent if compiled else timed, missions, seed).payoffs[:, 0]
    theirs = played(game, best, missions, seed).payoffs[:, 0]
    more = ours - theirs
    half = 1.96 * more.std(ddof=1) / np.sqrt(missions)
    told = f"{100 * ours.mean():.1f} % | {100 * theirs.mean():.1f} % | {100 * more.mean():+.1f} ± {100 * half:.1f}"
    spent = "–" if compiled else f"{1000 * timed.spent / timed.decisions:.1f}"
    return f"| `{game.spec.scenario}` | `{agent}` | `{best}` | {missions} | {told} | {spent} |"


def main() -> None:
    """Measure."""
    every = list(presets("mission"))
    parser = argparse.ArgumentParser(prog="python -m benchmarks.missions", description=__doc__)
    parser.add_argument("presets", nargs="*", choices=[[], *every], metavar="PRESET", help=", ".join(every))
    parser.add_argument("--agent", default="search:sims=200")
    parser.add_argument("--against", help="this party instead of the best heuristic")
    parser.add_argument("--missions", type=int, default=100)
    parser.add_argument("--sg", type=int, default=3, help="difficulty")
    parser.add_argument("--seed", type=int, default=SEED, help="of the missions that are compared")
    given = parser.parse_args()
    print(HEADER)
    for name in given.presets or every:
        game = make_game(GAME, name, sg=given.sg)
        best = given.against or best_of(game, given.seed)
        print(row(game, given.agent, best, given.missions, given.seed), flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
