"""How exploitable what self-play learns is, exactly, and after which processor time: the native learner, one thread.

`python -m benchmarks.self_play kuhn --seeds 5` trains with the settings of the game; `--setting loss=ppo` tries others.
A line a seed: decisions, CPU seconds of playing and learning, exploitability (NashConv / seats) of the average policy,
and with `--current` that of the current one.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any


def measure(game: str, seed: int, more: dict[str, Any], every: float, current: bool = False) -> None:
    """Train once, and print a line every so many CPU seconds and at the end."""
    from probespiel.agents.exact import GameTree
    from probespiel.agents.policy import PolicyAgent
    from probespiel.agents.policy_file import Policy
    from probespiel.training.config import train_config
    from probespiel.training.selfplay import SelfPlay

    training = SelfPlay(train_config(game, seed=seed, **more), device="cpu")
    tree, spent, told = GameTree(training.game), 0.0, 0.0
    while training.progress < 1.0:
        began = time.process_time()
        training.update()
        spent += time.process_time() - began
        if spent - told >= every or training.progress >= 1.0:
            told = spent
            gaps = []
            for net in (training.net(), training.net(current=True))[: 2 if current else 1]:
                agent = PolicyAgent.of(Policy(training.manifest(), net))
                agent.prepare(training.game)
                gaps.append(tree.exploitability(tree.profile([agent] * training.game.n_seats)))
            shown = " | ".join(f"{gap:.4f}" for gap in gaps)
            print(f"| {game} | {seed} | {training.decisions:,} | {spent:.1f} | {shown} |", flush=True)


def main() -> None:
    """Read the command line."""
    from probespiel.training.config import train_config
    from probespiel.training.selfplay import SelfPlay, limit_threads

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--seeds", type=int, default=5, help="how many, from --first on")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--current", action="store_true", help="also the current policy's")
    parser.add_argument("--every", type=float, default=1e9, help="CPU seconds between two looks")
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    named = dict(text.split("=", 1) for text in given.setting)
    more = {name: json.loads(value) if value[:1] in "-.0123456789tf{[" else value for name, value in named.items()}
    limit_threads(1)
    SelfPlay(train_config(given.game, **more), device="cpu").update()  # compiled before it is timed
    for seed in range(given.first, given.first + given.seeds):
        measure(given.game, seed, more, given.every, given.current)


if __name__ == "__main__":
    main()
