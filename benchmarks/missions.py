"""What a search completes of missions beyond the best heuristic party: `python -m benchmarks.missions [PRESET...]`.

All heuristic parties play many missions of a preset; the one that completes most, and the agent, then play the same
missions, with the same dice as long as they do the same. A row tells how many of them both complete, and how many more
the agent does, with half the width of the 95 % interval of the paired differences.

With `--rounds` the agent alone plays the missions. Wherever it does something else than the party would, the party goes
on from there to the end in so many simulations of either action, on the same dice: what the actions gain in a mission,
added up, is in the mean how many more the agent completes (Kakade and Langford 2002, lemma 6.1), and says it by far
fewer missions, as most of their luck is left out.
"""

from __future__ import annotations

import argparse
import os

import numpy as np

from probespiel.agents.base import Agent, View
from probespiel.agents.match import Match, Outcome, Schedule
from probespiel.agents.native import native_policy
from probespiel.agents.registry import make_agent
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.envs.oneshot.presets import presets

from .engines import Timed
from .playing_on import Rules, choice_of, take_all
from .policies import heuristics_of

GAME = "oneshot-mission"
SEED = 77
CHOSEN = 4000  # missions by which the best heuristic is chosen, other ones than those that are compared
HEADER = "| preset | agent | party | missions | completes | the party | more by | ms a decision |\n" + "|---" * 8 + "|"
BY_CHOICES = "| preset | agent | party | missions | completes | more by its choices |\n" + "|---" * 6 + "|"


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


def gained(game: Game, agent: str, best: str, missions: int, seed: int, rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """Of each mission of the agent: whether it was completed, and what its actions gained beyond the party's own."""
    policy = native_policy(game, best)
    rules, players = Rules.of(game, policy), [make_agent(agent) for _ in range(game.n_seats)]
    completed, gains = np.zeros(missions), np.zeros(missions)
    for player in players:
        player.prepare(game)
    for number in range(missions):
        rng = np.random.default_rng([seed, number])
        dice = rng.integers(1 << 62, size=1).astype(np.uint64)
        position, asked = game.position(int(rng.integers(1 << 62))), np.zeros(game.n_seats, dtype=np.int64)
        for player in players:
            player.reset(int(rng.integers(1 << 62)))
        position.roll(dice)
        while not position.over:
            (seat,) = position.to_act()
            action = players[seat].act(View.of(position, seat, seed, number, int(asked[seat])))
            asked[seat] += 1
            record = np.frombuffer(position.to_bytes(), dtype=np.uint8).copy()
            usual = int(choice_of(rules, record, seat, np.uint64(rng.integers(1 << 62))))
            if action != usual:
                seeds, out = rng.integers(1 << 62, size=rounds).astype(np.uint64), np.zeros((2, rounds))
                take_all(rules, record, seat, np.array([usual, action], dtype=np.int64), seeds, out)
                gains[number] += out[1].mean() - out[0].mean()
            position.apply(seat, action)
            position.roll(dice)
        completed[number] = position.returns()[0]
    for player in players:
        player.close()
    return completed, gains


def row_by_choices(game: Game, agent: str, best: str, missions: int, seed: int, rounds: int) -> str:
    """A row of the table of `--rounds`."""
    completed, gains = gained(game, agent, best, missions, seed, rounds)
    half = 1.96 * gains.std(ddof=1) / np.sqrt(missions)
    told = f"{100 * completed.mean():.1f} % | {100 * gains.mean():+.2f} ± {100 * half:.2f}"
    return f"| `{game.spec.scenario}` | `{agent}` | `{best}` | {missions} | {told} |"


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
    parser.add_argument("--rounds", type=int, default=0, help="simulations of an action that the party would not take")
    given = parser.parse_args()
    print(HEADER if not given.rounds else BY_CHOICES)
    for name in given.presets or every:
        game = make_game(GAME, name, sg=given.sg)
        best = given.against or best_of(game, given.seed)
        if given.rounds:
            told = row_by_choices(game, given.agent, best, given.missions, given.seed, given.rounds)
        else:
            told = row(game, given.agent, best, given.missions, given.seed)
        print(told, flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
