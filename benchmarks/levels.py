"""The levels of a game measured against each other: ratings with intervals, and each level against the one below.

`python -m benchmarks.levels GAME... [--games N]`: every two levels of a game (`--near N`: only those at most N apart)
play N games, with sides swapped on the same deals. Levels search by simulations here, never by time, so that the
numbers can be had again. Ratings are by wins (Bradley-Terry; 100 points more mean 64 % of the points), the first level
at 0; intervals are percentiles of resampled deals, for 95 %. `--text` prints how a declaration keeps the ratings.

`--seconds N` is for games that take long: each level plays against the one below for N seconds of the clock, by however
many deals that is, and steps alone are told, with intervals that leave room for what is rare. Where a game has only one
side, both play the same deals, and who comes off better has the point.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from probespiel.agents.declaration import lineup_of
from probespiel.agents.intervals import mean_interval
from probespiel.agents.match import Match, Schedule
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.tournament.plan import seatings
from probespiel.evaluation.tournament.ratings import ELO_SCALE, bradley_terry_many

RESAMPLES = 400
SEED = 20
AT_ONCE = 1  # deals that are played before the clock is looked at
ROOM = (0.60, 0.75)  # of the points that a level is to take from the one below


@dataclass(frozen=True)
class Measured:
    """What came of it: scores float64[levels, levels] (row's share of the points, NaN where they did not meet).

    `steps` are those of each level against the one below, with low and high ends; `ratings` likewise, the first at 0.
    """

    levels: tuple[str, ...]
    games: int
    scores: np.ndarray
    steps: tuple[tuple[float, float, float], ...]
    ratings: tuple[tuple[float, float, float], ...]
    seconds: float


def points(game: Game, payoffs: np.ndarray, seating: np.ndarray) -> np.ndarray:
    """The first agent's points of each game (1, 0.5, 0), float64[n]: its seats' mean payoff against the other's."""
    mine = seating == 0
    first = np.where(mine, payoffs, 0).sum(axis=1) / mine.sum(axis=1)
    second = np.where(mine, 0, payoffs).sum(axis=1) / (~mine).sum(axis=1)
    return np.where(np.isclose(first, second), 0.5, (first > second).astype(np.float64))


def play(
    game: Game, levels: Sequence[str], games: int, near: int, seed: int = SEED
) -> dict[tuple[int, int], np.ndarray]:
    """Points of the higher level of each pair, a mean a deal, float64[deals]."""
    sits = np.array(seatings(game))
    deals = max(1, games // len(sits))
    found = {}
    for low, high in combinations(range(len(levels)), 2):
        if high - low > near or levels[low] == levels[high]:
            continue
        numbers = np.repeat(np.arange(deals), len(sits))
        seating = np.tile(sits, (deals, 1))
        with Match(game, [levels[high], levels[low]], seed=seed, move_seconds=None) as match:
            outcome = match.play(Schedule.of(seed, numbers, seating))
        won = points(game, outcome.payoffs, seating)
        found[low, high] = won.reshape(deals, len(sits)).mean(axis=1)
    return found


def measured(game: Game, levels: Sequence[str], games: int, near: int = 99, seed: int = SEED) -> Measured:
    """Play, and what is known then."""
    start, n = time.process_time(), len(levels)
    found = play(game, levels, games, near, seed)
    rng, most = np.random.default_rng(seed), max(len(won) for won in found.values())
    draws = rng.integers(0, most, (RESAMPLES + 1, most))
    draws[0] = np.arange(most)
    wins = np.zeros((RESAMPLES + 1, n, n))
    scores, steps = np.full((n, n), np.nan), []
    for (low, high), won in found.items():
        share = won[draws % len(won)].mean(axis=1)
        wins[:, high, low], wins[:, low, high] = share * games, (1 - share) * games
        scores[high, low], scores[low, high] = won.mean(), 1 - won.mean()
        if high == low + 1:
            steps.append((float(won.mean()), *(float(v) for v in np.percentile(share[1:], (2.5, 97.5)))))
    theta = ELO_SCALE * bradley_terry_many(wins)
    theta -= theta[:, :1]
    low, high = np.percentile(theta[1:], (2.5, 97.5), axis=0)
    ratings = tuple((float(theta[0, i]), float(low[i]), float(high[i])) for i in range(n))
    return Measured(tuple(levels), games, scores, tuple(steps), ratings, time.process_time() - start)


def apart(game: Game, match: Match, numbers: np.ndarray, seed: int) -> np.ndarray:
    """Points of the first of two agents who both play the same deals of a game with one side alone, float64[deals]."""
    payoffs = []
    for agent in (0, 1):
        seating = np.full((len(numbers), game.n_seats), agent, dtype=np.int64)
        payoffs.append(match.play(Schedule.of(seed, numbers, seating)).payoffs.mean(axis=1))
    return np.where(np.isclose(*payoffs), 0.5, (payoffs[0] > payoffs[1]).astype(np.float64))


def step_within(game: Game, low: str, high: str, seconds: float, seed: int = SEED) -> np.ndarray:
    """Points of the higher level against the lower one, a mean a deal, float64[deals]; a few deals at a time."""
    alone, found, first = len(game.sides) < 2, list[np.ndarray](), 0
    with Match(game, [high, low], seed=seed, move_seconds=None) as match:
        sits = None if alone else np.array(seatings(game))
        start = math.inf  # the first deal is not counted, as rules and agents may be compiled in it
        while time.monotonic() < start + seconds:
            deals = np.arange(first, first + AT_ONCE)
            if sits is None:
                found.append(apart(game, match, deals, seed))
            else:
                seating = np.tile(sits, (AT_ONCE, 1))
                outcome = match.play(Schedule.of(seed, np.repeat(deals, len(sits)), seating))
                found.append(points(game, outcome.payoffs, seating).reshape(AT_ONCE, len(sits)).mean(axis=1))
            start, first = min(start, time.monotonic()), first + AT_ONCE
    return np.concatenate(found)


def within(game: Game, levels: Sequence[str], seconds: float, seed: int = SEED) -> None:
    """Print the steps between neighbours, each as soon as it is known."""
    each = 2 if len(game.sides) < 2 else len(seatings(game))
    print(f"**{game.name}** ({game.spec.scenario}; {seconds:g} s a pair)\n", flush=True)
    print("| level | agent | games | against the level below |\n|---|---|---|---|", flush=True)
    print(f"| 1 | `{levels[0]}` | | |", flush=True)
    for i in range(1, len(levels)):
        won = step_within(game, levels[i - 1], levels[i], seconds, seed)
        print(f"| {i + 1} | `{levels[i]}` | {each * len(won)} | {share(*mean_interval(won, (0.0, 1.0)))} |", flush=True)


def share(middle: float, low: float, high: float) -> str:
    """A share of the points with its interval, marked where it is outside the room of a step."""
    mark = "" if ROOM[0] <= middle <= ROOM[1] else (" −" if middle < ROOM[0] else " +")
    return f"{100 * middle:.0f} % ({100 * max(low, 0.0):.0f} to {100 * min(high, 1.0):.0f}){mark}"


def table(game: Game, found: Measured) -> list[str]:
    """The table of a game as lines of Markdown."""
    lines = [
        f"**{game.name}** ({game.spec.scenario}; {found.games} games a pair, {found.seconds:.0f} s)",
        "",
        "| level | agent | rating | against the level below |",
        "|---|---|---|---|",
    ]
    for i, name in enumerate(found.levels):
        middle, low, high = found.ratings[i]
        step = ""
        if i:
            step = share(*found.steps[i - 1])
        lines.append(f"| {i + 1} | `{name}` | {middle:.0f} ({low:.0f} to {high:.0f}) | {step} |")
    return [*lines, ""]


def kept(ratings: Sequence[float]) -> list[int]:
    """Ratings as a declaration keeps them: those that fall share the mean, as they cannot be told apart."""
    groups: list[list[float]] = []
    for rating in ratings:
        groups.append([rating])
        while len(groups) > 1 and np.mean(groups[-2]) > np.mean(groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
    found = [round(float(np.mean(group))) for group in groups for _ in group]
    return [rating - found[0] for rating in found]


def main() -> None:
    """Measure the games that are named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.levels", description=__doc__)
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--games", dest="number", type=int, default=200, help="games of each pair (default: 200)")
    parser.add_argument("--near", type=int, default=99, help="only levels at most so many apart (default: all)")
    parser.add_argument("--scenario", help="another than the default one")
    parser.add_argument("--levels", nargs="+", help="these agents instead of the declared ones")
    parser.add_argument("--text", action="store_true", help="also the ratings as a declaration keeps them")
    parser.add_argument("--seconds", type=float, help="neighbours alone, for so long each")
    parser.add_argument("--seed", type=int, default=SEED, help="other deals, so that a step can be seen once more")
    given = parser.parse_args()
    for name in given.games:
        game = make_game(name, given.scenario)
        if given.seconds:
            within(game, given.levels or lineup_of(game).levels, given.seconds, given.seed)
            continue
        found = measured(game, given.levels or lineup_of(game).levels, given.number, given.near, given.seed)
        print("\n".join(table(game, found)), flush=True)
        if given.text:
            print(f"ratings=({', '.join(map(str, kept([middle for middle, _, _ in found.ratings])))}),\n", flush=True)


if __name__ == "__main__":
    main()
