"""How long a trained policy takes for a decision, compiled and by numpy: `python -m benchmarks.answering [POLICY ...]`.

Compiled it plays imagined games and answers learners; by numpy it plays games that count. Both answer the same
decisions of random games, many of them in one call; the smallest of several times is told, with that of the advisers.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line has it

import numpy as np

from probespiel.agents.base import Requests
from probespiel.agents.native import play_native
from probespiel.agents.policy import PolicyAgent, shipped_policies
from probespiel.agents.rollouts import native_learned
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game

DECISIONS, DEPTH, TIMES = 400, 60, 5


def decisions_of(game: Game) -> Requests:
    """Decisions of random games, in which there is something to choose."""
    rng = np.random.default_rng(1)
    states, seats = [], []
    position = game.position(seed=0)
    for seed in range(50 * DECISIONS):
        if position.over or seed % DEPTH == 0:
            position = game.position(seed=seed)
        position.roll()
        if position.over:
            continue
        seat = int(rng.choice(position.to_act()))
        legal = position.legal(seat)
        if len(legal) > 1:
            states.append(np.frombuffer(position.to_bytes(), np.uint8))
            seats.append(seat)
        position.apply(seat, int(rng.choice(legal)))
        if len(states) == DECISIONS:
            break
    m = len(states)
    return Requests.gather(game, np.stack(states), np.arange(m), np.array(seats), 1, np.arange(m), 0)


def fastest(work: Callable[[], object], many: int) -> float:
    """Microseconds for each of `many`, at best."""
    found = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        work()
        found.append(time.perf_counter() - begin)
    return 1e6 * min(found) / many


def row(name: str) -> str:
    """A row of the table."""
    told, _, scenario = name.partition("--")
    game, agent = make_game(told, scenario or None), PolicyAgent()
    policy = agent.policy_for(game)
    native, requests = native_learned(game, policy), decisions_of(game)
    compiled = fastest(lambda: play_native(native, requests), len(requests))
    plain = fastest(lambda: agent.act_batch(requests), len(requests))
    advisers = ", ".join(f"`{adviser}`" for adviser in policy.manifest.network.advisers) or "–"
    return f"| {told} (`{game.spec.scenario}`) | {compiled:.1f} | {plain:.1f} | {advisers} |"


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.answering", description=__doc__)
    known = list(shipped_policies())
    parser.add_argument("policy", nargs="*", choices=[*known, []], metavar="POLICY", help=", ".join(known))
    print("| policy | compiled, µs | numpy, µs | advisers |\n|---|---|---|---|")
    for name in parser.parse_args().policy or known:
        print(row(name), flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
