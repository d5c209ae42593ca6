"""What a search is held to: its time, an interrupt from outside, its memory, and what a second thread brings.

`python -m benchmarks.limits time|interrupt|memory|threads [GAME...]`. Interrupts are real ones: a process of its own
searches without end in one decision, and gets a SIGINT; what counts is the time until it has answered.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

SEARCHES = ("search", "solve_search")
GAMES = ("leduc", "konfrontation-clash", "einblatt-duel", "scorekeeper-duel")
DECISIONS = 60  # timed for each limit
INTERRUPTS = 10
MILLION = 1_000_000

_ENDLESS = """
import sys, time
from probespiel.agents.base import View
from probespiel.agents.registry import make_agent
from probespiel.envs import make_game
game = make_game(sys.argv[2])
position = game.position(seed=1)
agent = make_agent(sys.argv[1])
agent.prepare(game)
print("ready", flush=True)
try:
    agent.act(View.of(position, position.to_act()[0]))
except KeyboardInterrupt:
    print(repr(time.monotonic()), flush=True)
"""


def views(name: str, count: int) -> Iterator[tuple[Any, Any]]:
    """A game and decisions with more than one legal action, from random play."""
    from probespiel.agents.base import View
    from probespiel.envs import make_game

    game, rng, number = make_game(name), np.random.default_rng(1), 0
    while True:
        position = game.position(seed=int(rng.integers(1 << 31)))
        while not position.over:
            for seat in position.to_act():
                legal = position.legal(seat)
                if len(legal) > 1:
                    yield game, View.of(position, seat, number)
                    number += 1
                    if number == count:
                        return
                position.apply(seat, int(rng.choice(legal)))
            position.roll()


def limit_lines(game: str) -> Iterator[str]:
    """How long decisions take that may take so long: medians, the worst of 20, and the worst of all."""
    from probespiel.agents.registry import make_agent

    for name in SEARCHES:
        for limit in (0.02, 0.1, 1.0):
            agent, took = make_agent(f"{name}:seconds={limit}"), []
            for rules, view in views(game, DECISIONS if limit < 1 else 8):
                agent.prepare(rules)
                begin = time.perf_counter()
                agent.act(view)
                took.append((time.perf_counter() - begin) / limit)
            most = np.quantile(took, [0.5, 0.95, 1.0])
            yield f"| {game} | {name} | {limit:g} s | " + " | ".join(f"{x:.3f}" for x in most) + " |"


def interrupt_lines(game: str) -> Iterator[str]:
    """Milliseconds from a SIGINT to the answer: medians and the worst."""
    for name in SEARCHES:
        found = []
        for number in range(INTERRUPTS):
            agent = f"{name}:seconds=3600"  # the solver searches from the start of the game as long
            found.append(interrupted(agent, game, 0.3 + 0.07 * number))
        yield f"| {game} | {name} | {1000 * np.median(found):.1f} | {1000 * max(found):.1f} |"


def interrupted(agent: str, game: str, after: float) -> float:
    """Seconds that a search takes to end after a SIGINT, which comes so long after it has begun."""
    text = _ENDLESS if agent.startswith("search") else _ENDLESS.replace("agent.prepare(game)\n", "")
    command = [sys.executable, "-c", text, agent, game]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(after)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        return float(process.stdout.readline()) - begin


def memory_lines(game: str) -> Iterator[str]:
    """What a process takes more for a million simulations of one decision, in MB."""
    text = (
        "import sys, resource\nfrom benchmarks.limits import views\n"
        "from probespiel.agents.registry import make_agent\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024\n"
        "(game, view), = views(sys.argv[2], 1)\n"
        "make_agent(sys.argv[1].replace('sims=1000000', 'sims=10')).analyse(view)\n"
        "before = peak()\nagent = make_agent(sys.argv[1])\nfound = agent.analyse(view)\n"
        "print(f'{found.simulations:,} | {found.nodes:,} | {peak() - before:.0f}')\n"
    )
    for name in SEARCHES:
        for memory in (32, 256):
            agent = f"{name}:sims={MILLION},memory={memory}" + (",start=1" if name == "solve_search" else "")
            done = subprocess.run([sys.executable, "-c", text, agent, game], capture_output=True, text=True, check=True)
            yield f"| {game} | {name} | {memory} | {done.stdout.strip()} |"


def thread_lines(game: str) -> Iterator[str]:
    """Simulations a second of two trees on one thread and on two, by the clock: medians of seven in turn."""
    from probespiel.agents.registry import make_agent

    ((rules, view),) = views(game, 1)
    rates: dict[int, list[float]] = {1: [], 2: []}
    agents = {threads: make_agent(f"search:sims=100000,trees=2,threads={threads}") for threads in rates}
    for agent in agents.values():
        agent.prepare(rules)
    for _ in range(7):
        for threads, agent in agents.items():
            begin = time.perf_counter()
            agent.analyse(view)  # type: ignore[attr-defined]
            rates[threads].append(100_000 / (time.perf_counter() - begin))
    one, two = (float(np.median(rates[threads])) for threads in (1, 2))
    best = max(b / a for a, b in zip(rates[1], rates[2], strict=True))
    yield f"| {game} | {one:,.0f} | {two:,.0f} | {two / one:.2f} | {best:.2f} |"


MEASURED: dict[str, tuple[str, Callable[[str], Iterator[str]]]] = {
    "time": ("game | agent | limit | median, of the limit | 95 % of decisions within | worst", limit_lines),
    "interrupt": ("game | agent | median, ms | worst, ms", interrupt_lines),
    "memory": ("game | agent | allowed, MB | simulations | nodes | taken, MB", memory_lines),
    "threads": (
        "game | simulations a second, one thread | two | ratio of medians | best ratio of a pair",
        thread_lines,
    ),
}


def main() -> None:
    """Measure one of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.limits", description=__doc__)
    parser.add_argument("what", choices=tuple(MEASURED))
    parser.add_argument("games", nargs="*", default=[])
    arguments = parser.parse_args()
    header, lines = MEASURED[arguments.what]
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors\n\n| {header} |")
    print("|---" * (header.count("|") + 1) + "|")
    for game in arguments.games or GAMES:
        for line in lines(game):
            print(line, flush=True)


if __name__ == "__main__":
    main()
