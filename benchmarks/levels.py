"""The levels of a game measured against each other: ratings with intervals, and each level against the one below.

`python -m benchmarks.levels GAME... [--games N]`: every two levels of a game (`--near N`: only those at most N apart)
play N games, with sides swapped on the same deals. Levels search by simulations here, never by time, so that the
numbers can be had again. Ratings are by wins (Bradley-Terry; 100 points more mean 64 % of the points), the first level
at 0; intervals are percentiles of resampled deals, for 95 %. `--text` prints how a declaration keeps the ratings.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from probespiel.agents.declaration import lineup_of
from probespiel.agents.match import Match, Schedule
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.tournament.plan import seatings
from probespiel.evaluation.tournament.ratings import ELO_SCALE, bradley_terry_many

RESAMPLES = 400
SEED = 20
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
            score, least, most = found.steps[i - 1]
            mark = "" if ROOM[0] <= score <= ROOM[1] else (" −" if score < ROOM[0] else " +")
            step = f"{100 * score:.0f} % ({100 * least:.0f} to {100 * most:.0f}){mark}"
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
    given = parser.parse_args()
    for name in given.games:
        game = make_game(name, given.scenario)
        found = measured(game, given.levels or lineup_of(game).levels, given.number, given.near)
        print("\n".join(table(game, found)), flush=True)
        if given.text:
            print(f"ratings=({', '.join(map(str, kept([middle for middle, _, _ in found.ratings])))}),\n", flush=True)


if __name__ == "__main__":
    main()
