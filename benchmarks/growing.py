"""What more simulations, or another kind of simulation, gain a search: `python -m benchmarks.growing GAME`.

Each search of the ladder plays the one before it, with a fourth of its simulations, on paired deals with both seatings.
With `--one` and `--other` two searches of any kind meet instead: at the same simulations, or with `seconds=` at equal
time. What stands in the table is what the first earns from the second a game, with half the width of the 95 % interval
of the means of deals, and the processor time of a decision of both.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from itertools import pairwise

from probespiel.app.common import pairs
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import game_names, make_game

from .engines import SEED, duel

LADDER = (100, 400, 1600, 6400)
HEADER = "| game | search | from | games | earns a game | ms a decision | of the other | |\n" + "|---" * 8 + "|"


def row(game: Game, one: str, other: str, games: int, seed: int) -> str:
    """A row of the table."""
    found = duel(game, one, other, games, seed)
    word = "gains" if found.earned > found.half else "loses" if found.earned < -found.half else "not shown"
    each = " | ".join(f"{spent:.2f}" for spent in found.spent)
    name = f"{game.name} ({game.spec.scenario})"
    return f"| {name} | `{one}` | `{other}` | {found.games} | {found.told} | {each} | {word} |"


def ladder(game: Game, more: str, games: int, steps: list[int], seed: int) -> Iterator[str]:
    """The rows of a ladder: half as many games from step to step, as they take four times as long."""
    for i, (few, many) in enumerate(pairwise(steps)):
        yield row(game, f"search:sims={many}{more}", f"search:sims={few}{more}", max(8, games >> i), seed)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growing", description=__doc__)
    parser.add_argument("game", choices=game_names(), metavar="GAME")
    parser.add_argument("--scenario", action="append", help="repeatable; the first without it")
    parser.add_argument("--set", dest="options", action="append", default=[], metavar="OPTION=VALUE")
    parser.add_argument("--number", type=int, default=64, help="games of the first row")
    parser.add_argument("--steps", type=int, nargs="+", default=list(LADDER), help="simulations of the ladder")
    parser.add_argument("--more", default="", help="more parameters of all searches: key=value,...")
    parser.add_argument("--one", help="an agent, against --other, instead of the ladder")
    parser.add_argument("--other")
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    if (given.one is None) != (given.other is None):
        parser.error("--one and --other go together")
    print(HEADER)
    for scenario in given.scenario or [None]:
        game = make_game(given.game, scenario, **pairs(given.options, "option"))
        if given.one:
            print(row(game, given.one, given.other, given.number, given.seed), flush=True)
            continue
        more = f",{given.more}" if given.more else ""
        for line in ladder(game, more, given.number, given.steps, given.seed):
            print(line, flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
