"""Learned decisions a second beside a former version, and two threads beside one: `python -m benchmarks.former`.

With `--python INTERPRETER`, that of an environment in which another version is installed, such as the learner of
2026-11-22 that came before the native one:

    git worktree add ../former ebafb65 && python -m venv ../former/.venv
    ../former/.venv/bin/pip install -c constraints.txt ../former
    python -m benchmarks.former --python ../former/.venv/bin/python

Both versions learn in turn, each in a process of its own, by the processor's time; the settings are those of
`python -m benchmarks --only learning`. Threads are compared by the clock, so nothing else may run meanwhile.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from statistics import median
from typing import Any

from .learning import GAMES, SELF, SETTINGS

ROUNDS = 3  # in turn, of each version
# What a version is asked to do; it knows nothing of settings that came later, and none of these is one.
WORKER = """
import json, sys, time
from probespiel.training.config import train_config
from probespiel.training.selfplay import SelfPlay, limit_threads
limit_threads(1)
game, settings, updates = json.loads(sys.argv[1])
training = SelfPlay(train_config(game, seed=1, **settings), device="cpu")
training.update()
found = []
for _ in range(updates):
    begun = time.process_time()
    training.update()
    found.append(training.config.per_update / (time.process_time() - begun))
print(json.dumps(found))
"""


def rates(interpreter: str, game: str, updates: int) -> list[float]:
    """Decisions a second of processor time of the updates of one training, in a process of its own."""
    task = json.dumps([game, {**SETTINGS, **SELF}, updates])
    told = subprocess.run([interpreter, "-P", "-c", WORKER, task], capture_output=True, text=True, check=True)
    return list(json.loads(told.stdout.splitlines()[-1]))


def beside_former(game: str, interpreter: str) -> str:
    """A line: this version's median rate and the other's, over all rounds."""
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(ROUNDS):
        ours += rates(sys.executable, game, 24)
        theirs += rates(interpreter, game, 6)
    ratio = median(ours) / median(theirs)
    return f"{game:<24} {median(ours):>9,.0f} {median(theirs):>9,.0f} {ratio:>6.1f}x"


def by_threads(game: str, updates: int = 40) -> str:
    """A line: decisions a second by the clock with one thread and with two, which learn in turn."""
    from probespiel.training.config import train_config
    from probespiel.training.selfplay import SelfPlay, limit_threads

    trainings: dict[int, Any] = {}
    times: dict[int, list[float]] = {1: [], 2: []}
    for threads in times:
        limit_threads(threads)
        trainings[threads] = SelfPlay(train_config(game, seed=1, **SETTINGS, **SELF), device="cpu")
        trainings[threads].update()
    for _ in range(updates):
        for threads, training in trainings.items():
            limit_threads(threads)
            begun = time.perf_counter()
            training.update()
            times[threads].append(time.perf_counter() - begun)
    one, two = (trainings[1].config.per_update / median(times[threads]) for threads in (1, 2))
    best = min(times[1]) / min(times[2])
    return f"{game:<24} {one:>9,.0f} {two:>9,.0f} {two / one:>6.2f}x (fastest updates {best:.2f}x)"


def main() -> None:
    """Print both tables, the first only where another version is named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.former", description=(__doc__ or "").split(":")[0])
    parser.add_argument("--python", default="", help="the interpreter of an environment with another version")
    given = parser.parse_args()
    if given.python:
        print(f"{'decisions a second':<24} {'this':>9} {'former':>9}")
        for game in GAMES:
            print(beside_former(game, given.python), flush=True)
    print(f"{'by the clock':<24} {'1 thread':>9} {'2':>9}")
    for game in GAMES:
        print(by_threads(game), flush=True)


if __name__ == "__main__":
    main()
