"""Large tournaments: `python -m benchmarks.large [GAMES ...] [--game G] [--scenario S] [--agents A,B,...] [--jobs N]`.

A field of compiled strategies plays so many games in all, whole tournaments with files and report. Told are the seconds
by the clock, those of all processors (imports and start included), those after the last game by the clock and of the
processor, and the memory of the process that makes the report at its largest. Each tournament has a process of its own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

from joblib.externals.loky import get_reusable_executor

from probespiel.agents.registry import split_agents
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.tournament.progress import Silent
from probespiel.evaluation.tournament.run import run_tournament

GAMES = (1_000_000, 10_000_000)
GAME, FIELD = "konfrontation-clash", "all_in,builder,raider,random,rush,staller,support_rush,zero_bid"


class Watch(Silent):
    """Takes the time of the last block."""

    last = spent = 0.0  # by the clock, and of this process

    def advance(self, games: int) -> None:
        """A block is finished."""
        self.last, self.spent = time.perf_counter(), time.process_time()


def measured(name: str, scenario: str | None, field: list[str], games: int, jobs: int, pipe: Connection) -> None:
    """Play a tournament and send what it took."""
    game = make_game(name, scenario)
    pairs = len(field) * (len(field) - 1) // 2
    watch = Watch()
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        summary = run_tournament(game, field, -(-games // pairs), 1, jobs, Path(folder), progress=watch)
        ended, after = time.perf_counter(), time.process_time() - watch.spent
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
    # Workers that wait for more would keep this process from ending, and their time counts once they have ended.
    get_reusable_executor().shutdown()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    spent = sum(one.ru_utime + one.ru_stime for one in used)
    pipe.send((len(field), summary.games, ended - begun, spent, ended - watch.last, after, peak, size / 2**20))


def main() -> None:
    """Play, and print a row for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=__doc__)
    parser.add_argument("games", nargs="*", type=int, default=list(GAMES), help="games in all, one number a tournament")
    parser.add_argument("--game", default=GAME, help="the game")
    parser.add_argument("--scenario", help="its scenario, or a file of one")
    parser.add_argument("--agents", default=FIELD, help="compiled strategies between commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    arguments = parser.parse_args()
    print(
        "| field | games | seconds | of processors | after the last game | processor then | MB at most | MB of files |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for games in arguments.games or GAMES:
        here, there = multiprocessing.Pipe(duplex=False)
        work = (arguments.game, arguments.scenario, split_agents(arguments.agents), games, arguments.jobs, there)
        process = multiprocessing.get_context("spawn").Process(target=measured, args=work)
        process.start()
        there.close()
        try:
            agents, played, seconds, spent, *after, peak, size = here.recv()
        except EOFError:
            sys.exit(f"the tournament of {games:,} games ended with an error")
        process.join()
        field = f"{arguments.game}, {agents} strategies"
        row = [
            field,
            f"{played:,}",
            *(f"{value:.1f}" for value in (seconds, spent, *after)),
            f"{peak:.0f}",
            f"{size:.0f}",
        ]
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
