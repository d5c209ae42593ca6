"""What a search loses to a party that nobody beats: `python -m benchmarks.unbeaten [AGENT...]`.

In the campaign `table32_session` of einBlatt nobody earns anything from `best3_shuffled`, and it earns only from
plays outside the best ones of the rounds that are left (E1, and what is said in `docs/measurements/einblatt.md`). So
the agent's choices are watched while it plays `best3_shuffled` on paired deals; where it plays a lower class than the
best cards leave, the rest of the campaign is played on many times from what the seat knows, after that play and after
its best card, with the same deals and dice. The sum of the differences is what it loses, free of the luck of the
games themselves."""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

import numpy as np

from probespiel.agents.base import Agent, Requests
from probespiel.agents.match import Match, Schedule
from probespiel.agents.playouts import Playouts
from probespiel.agents.registry import make_agent
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.rng import rng_array
from probespiel.envs.einblatt.plays import trump_suits
from probespiel.envs.einblatt.state import Action

GAME, SCENARIO, UNBEATEN = "einblatt-campaign", "table32_session", "best3_shuffled"
SEED = 62
CARDS = 32
DEALS, ROLLOUTS = 30, 150  # of what the seat does not know, and games played on from each
HEADER = "| agent | games | plays below the best, a game | loses by them | the results say | ms a decision |\n" + (
    "|---" * 6 + "|"
)


def class_of(position: Position, seat: int, play: int) -> int:
    """R5 without modules: rank, eight more in trumps; a pass is worth nothing."""
    if play >= CARDS:
        return 0
    return (play & 7) + 8 * (int(trump_suits(position.record, seat)) >> (play >> 3) & 1)


class Watched(Agent):
    """An agent, what its plays below the best ones lose, each in payoff, and the processor time it takes."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.name = agent.name
        self.lost: list[float] = []
        self.decisions = 0
        self.spent = 0.0
        self.playouts: Playouts | None = None

    def prepare(self, game: Game) -> None:
        """Compile what is asked."""
        self.agent.prepare(game)
        self.playouts = Playouts(game, UNBEATEN)

    def act_batch(self, requests: Requests) -> Any:
        """What the agent does."""
        begin = time.process_time()
        actions = self.agent.act_batch(requests)
        self.spent += time.process_time() - begin
        self.decisions += len(requests)
        worlds = requests.worlds()
        for i, action in enumerate(actions):
            plays = [int(a) for a in np.flatnonzero(requests.masks[i]) if a <= Action.PASS]
            position, seat = Position(requests.game, data=worlds[i].copy()), int(requests.seats[i])
            left = int(requests.game.params.rounds) - int(position.record.round_no)
            classes = sorted((class_of(position, seat, play) for play in plays), reverse=True)
            if class_of(position, seat, int(action)) < classes[min(left, len(classes)) - 1]:
                best = max(plays, key=lambda play: class_of(position, seat, play))
                self.lost.append(self.cost(position, seat, int(action), best))
        return actions

    def cost(self, position: Position, seat: int, played: int, best: int) -> float:
        """Payoff that a play costs in the mean, where everybody plays on like the one whom nobody beats."""
        assert self.playouts is not None
        worth = np.zeros((DEALS, 2))
        for deal in range(DEALS):
            for k, play in enumerate((best, played)):
                dealt = position.clone()
                dealt.roll(rng_array(SEED, deal))
                dealt.apply(seat, play)
                worth[deal, k] = self.playouts.play(dealt, ROLLOUTS, deal)[:, seat].mean()
        return float((worth[:, 0] - worth[:, 1]).mean())


def row(game: Game, text: str, games: int, seed: int) -> str:
    """A row of the table: both seatings of half as many deals."""
    deals = max(2, games // 2)
    seating = np.tile(np.array([[0, 1], [1, 0]]), (deals, 1))
    watched = Watched(make_agent(text))
    with Match(game, [watched, make_agent(UNBEATEN)], seed=seed, move_seconds=None) as match:
        payoffs = match.play(Schedule.of(seed, np.repeat(np.arange(deals), 2), seating)).payoffs
    earned = np.where(seating == 0, payoffs, 0.0).sum(axis=1).reshape(deals, 2).mean(axis=1)
    half = 1.96 * earned.std(ddof=1) / np.sqrt(deals)
    lost = np.array(watched.lost)
    # each game adds the sum of its plays; how many fall into one is taken as drawn at random
    loss, error = lost.sum() / len(seating), 1.96 * np.sqrt((lost**2).sum()) / len(seating)
    spent = 1000 * watched.spent / watched.decisions
    return (
        f"| `{text}` | {len(seating)} | {len(lost) / len(seating):.3f} | {loss:.4f} ± {error:.4f} | "
        f"{earned.mean():+.3f} ± {half:.3f} | {spent:.2f} |"
    )


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unbeaten", description=__doc__)
    parser.add_argument("agents", nargs="*", default=["search:sims=400"], metavar="AGENT")
    parser.add_argument("--number", type=int, default=200, help="games of each agent")
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    game = make_game(GAME, SCENARIO)
    print(HEADER)
    for text in given.agents:
        print(row(game, text, given.number, given.seed), flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
