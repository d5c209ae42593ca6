"""The stress lab in every game: what it said it would take, what it took, and what it found.

`python -m benchmarks.lab [GAME...] [--budget quick] [--jobs 2]` tests, in the default scenario of each game, the first
built-in module that the game takes there. `said` are the seconds that the forecast names when the baselines are known,
`took` those from then on, `in all` with compiling and looking for breakage; `steps` (`--steps`) the same for each step.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.registry import game_names, system_of
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.conditions import Bench, Settings
from probespiel.evaluation.stress.findings import Findings
from probespiel.evaluation.stress.progress import Quiet
from probespiel.evaluation.stress.run import run_stress

HEADER = "| game | module | said | took | took / said | in all | holder | game | worth |"


def modules_of(game: str) -> list[str]:
    """The built-in modules that a game takes in the scenario of the lab."""
    out = []
    for module in system_of(game).modules():
        try:
            Bench(Settings(game, module), compiled=False)
        except RulesetError:
            continue
        out.append(module)
    return out


class Clock(Quiet):
    """Notes what is planned, and when each step begins."""

    def __init__(self) -> None:
        self.said: dict[str, float] = {}
        self.begun: dict[str, float] = {}
        self.planned = self.ended = time.monotonic()

    def plan(self, seconds: Mapping[str, float], text: str) -> None:
        """Keep the plan."""
        self.said, self.planned = dict(seconds), time.monotonic()

    def begin(self, step: str) -> None:
        """Note the time."""
        self.begun[step] = time.monotonic()

    def stop(self) -> None:
        """Note the time."""
        self.ended = time.monotonic()

    def took(self) -> dict[str, float]:
        """Seconds of each step that was planned and begun."""
        marks = [*self.begun.items(), ("", self.ended)]
        return {step: after - at for (step, at), (_, after) in pairwise(marks) if step in self.said}


@dataclass(frozen=True)
class Row:
    """One test: the game, its module, what was found, and the clock."""

    game: str
    module: str
    found: Findings
    clock: Clock
    seconds: float

    def line(self) -> str:
        """As a row of the table."""
        said, took = sum(self.clock.said.values()), sum(self.clock.took().values())
        found, ratio = self.found, took / said if said else float("nan")
        words = [verdict.word if verdict else "open" for verdict in (found.verdict, found.game_verdict)]
        overall = found.worth.overall if found.worth else None
        worth = f"{overall.value:+.2f} ({overall.low:+.2f} to {overall.high:+.2f})" if overall else "not measured"
        if found.worth and found.worth.exact and overall:
            worth = f"{overall.value:+.3f}, exact"
        cells = [self.game, self.module, f"{said:.0f} s", f"{took:.0f} s", f"{ratio:.2f}", f"{self.seconds:.0f} s"]
        return "| " + " | ".join([*cells, *words, worth]) + " |"

    def steps(self) -> str:
        """Said and taken seconds of every step."""
        took = self.clock.took()
        return "  " + ", ".join(f"{step} {self.clock.said[step]:.1f}/{took[step]:.1f}" for step in took)


def tested(game: str, module: str, budget: str, jobs: int, seed: int) -> Row:
    """Test one module, in a folder that is thrown away."""
    clock, begun = Clock(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        found, _ = run_stress(
            Settings(game, module, budget=budget, seed=seed), Path(folder) / "out", jobs, watcher=clock
        )  # fmt: skip
    return Row(game, module, found, clock, time.monotonic() - begun)


def main() -> None:
    """Print the table, a row as soon as it is known."""
    takes = {game: modules for game in game_names() if (modules := modules_of(game))}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lab", description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*takes, []], help="games (default: all that take a module)")
    parser.add_argument("--module", help="another module than the first, for the games named")
    parser.add_argument("--budget", default="quick", choices=tuple(BUDGETS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", action="store_true", help="said and taken seconds of every step")
    given = parser.parse_args()
    print(HEADER, "|" + "---|" * (HEADER.count("|") - 1), sep="\n", flush=True)
    for game in given.games or takes:
        row = tested(game, given.module or takes[game][0], given.budget, given.jobs, given.seed)
        print(row.line(), flush=True)
        if given.steps:
            print(row.steps(), flush=True)


if __name__ == "__main__":
    main()
