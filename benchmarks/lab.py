"""The stress lab in every game: what it said it would take, what it took, and what it found.

`python -m benchmarks.lab [GAME...] [--budget quick] [--jobs 2]` tests, in the default scenario of each game, the first
built-in module that the game takes there. `said` are the seconds that the forecast names when the baselines are known,
`took` those from then on by the clock, `in all` with compiling and looking for breakage; `alone` is what was said less
what other work slowed it down by when the pace was taken, `worked` the processor seconds from then on, which other work
hardly changes: with one job their share tells how good the forecast is. `steps` (`--steps`): of each the seconds said,
less what other work slowed down, and the processor seconds worked.
`--forecast` plays no test, but says of every game, or with `--scenarios` of every scenario, what a test will take one
processor that does nothing else, beside what the lab reckons with by declared costs, and the share of the budget that
it gives the game by them; `µs a decision` is what would have to be declared (`Analysis.pace`) for both to agree.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from benchmarks.cluster import processor_seconds
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.registry import game_names, system_of
from probespiel.evaluation.stress.affording import declared_pace, each_of, seconds_of
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.conditions import Bench, Settings
from probespiel.evaluation.stress.findings import Findings
from probespiel.evaluation.stress.forecast import ask_pace, steps_of, with_budget
from probespiel.evaluation.stress.progress import Quiet
from probespiel.evaluation.stress.run import Stress

FORECAST = "| game | scenario | module | µs a decision | quick | reckoned | share | standard | reckoned | share |"
HEADER = (
    "| game | module | said | took | took / said | alone | worked | worked / alone | in all | holder | game | worth |"
)


def modules_of(game: str, scenario: str | None = None) -> list[str]:
    """The built-in modules that a game takes in a scenario, by default that of the lab."""
    out = []
    for module in system_of(game).modules():
        try:
            Bench(Settings(game, module, scenario=scenario), compiled=False)
        except RulesetError:
            continue
        out.append(module)
    return out


class Clock(Quiet):
    """Notes what is planned, and when each step begins."""

    def __init__(self) -> None:
        self.said: dict[str, float] = {}
        self.begun: dict[str, float] = {}
        self.spent: dict[str, float] = {}
        self.planned = self.ended = time.monotonic()
        self.worked = self.spent_in_all = 0.0

    def plan(self, seconds: Mapping[str, float], text: str) -> None:
        """Keep the plan."""
        self.said, self.planned = dict(seconds), time.monotonic()
        self.worked = -processor_seconds()

    def begin(self, step: str) -> None:
        """Note the time, and what processors have worked so far."""
        self.begun[step], self.spent[step] = time.monotonic(), processor_seconds()

    def stop(self) -> None:
        """Note the time."""
        self.ended, self.spent_in_all = time.monotonic(), processor_seconds()
        self.worked += self.spent_in_all if self.said else 0.0

    def took(self) -> dict[str, float]:
        """Seconds of each step that was planned and begun."""
        return self._between(self.begun, self.ended)

    def did(self) -> dict[str, float]:
        """Processor seconds of the same."""
        return self._between(self.spent, self.spent_in_all)

    def _between(self, marks: Mapping[str, float], end: float) -> dict[str, float]:
        ends = [*marks.items(), ("", end)]
        return {step: after - at for (step, at), (_, after) in pairwise(ends) if step in self.said}


@dataclass(frozen=True)
class Row:
    """One test: the game, its module, what was found, and the clock."""

    game: str
    module: str
    found: Findings
    clock: Clock
    seconds: float
    slower: float

    def line(self) -> str:
        """As a row of the table."""
        said, took = sum(self.clock.said.values()), sum(self.clock.took().values())
        found, ratio = self.found, took / said if said else float("nan")
        words = [verdict.word if verdict else "open" for verdict in (found.verdict, found.game_verdict)]
        overall = found.worth.overall if found.worth else None
        worth = f"{overall.value:+.2f} ({overall.low:+.2f} to {overall.high:+.2f})" if overall else "not measured"
        if found.worth and found.worth.exact and overall:
            worth = f"{overall.value:+.3f}, exact"
        alone, worked = said / self.slower, self.clock.worked
        share = worked / alone if alone else float("nan")
        cells = [self.game, self.module, f"{said:.0f} s", f"{took:.0f} s", f"{ratio:.2f}", f"{alone:.0f} s",
                 f"{worked:.0f} s", f"{share:.2f}", f"{self.seconds:.0f} s"]  # fmt: skip
        return "| " + " | ".join([*cells, *words, worth]) + " |"

    def steps(self) -> str:
        """Of every step the seconds said of a processor that does nothing else, and those worked."""
        did, said = self.clock.did(), self.clock.said
        return "  " + ", ".join(f"{step} {said[step] / self.slower:.1f}/{did[step]:.1f}" for step in did)


def tested(game: str, module: str, budget: str, jobs: int, seed: int, scenario: str | None = None) -> Row:
    """Test one module, in a folder that is thrown away."""
    clock, begun = Clock(), time.monotonic()
    settings = Settings(game, module, scenario=scenario, budget=budget, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        test = Stress(settings, Path(folder) / "out", jobs, False, False, clock, "")
        test.run()
        test.report()
    slower = test.expected.slower if test.expected else 1.0
    return Row(game, module, test.found, clock, time.monotonic() - begun, slower)


def forecast_line(game: str, scenario: str | None, module: str, seed: int) -> str:
    """A row of the table of forecasts; the rules are compiled, looked at for what breaks, and baselines compared."""
    settings = Settings(game, module, scenario=scenario, budget="quick", seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        test = Stress(settings, Path(folder) / "out", 1, False, False, Quiet(), "")
        with test.context.workers:
            prelude = test.begun()
            context, joins = test.context, not test.found.inert
            pace = ask_pace(context, prelude) if prelude is not None else None
    if prelude is None or pace is None:
        return f"| {game} | {context.bench.scenario} | {module} | {'; '.join(f.text for f in test.found.faults)} |"
    plain = declared_pace(context, prelude)
    whole = with_budget(context, "standard", 1.0)
    times = sum(steps_of(whole, prelude, pace, joins).values()) / pace.slower / seconds_of(whole, prelude, plain, joins)
    cells = [game, context.bench.scenario, module, f"{each_of(context) * times:.1f}"]
    for name in ("quick", "standard"):
        share = context.shares.get(name, 1.0)
        given = with_budget(context, name, share)
        took = sum(steps_of(given, prelude, pace, joins).values()) / pace.slower
        cells += [f"{took:.0f} s", f"{seconds_of(given, prelude, plain, joins):.0f} s", f"{share:.0%}"]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table, a row as soon as it is known."""
    takes = {game: modules for game in game_names() if (modules := modules_of(game))}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lab", description=__doc__)
    parser.add_argument(
        "games", nargs="*", choices=[*game_names(), []], help="games (default: all with built-in modules)"
    )
    parser.add_argument("--module", help="another module than the first, for the games named")
    parser.add_argument("--budget", default="quick", choices=tuple(BUDGETS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scenario", help="another scenario than the lab's, for the games named")
    parser.add_argument("--steps", action="store_true", help="said and taken seconds of every step")
    parser.add_argument("--forecast", action="store_true", help="no tests, but what they would take, by budget")
    parser.add_argument("--scenarios", action="store_true", help="with --forecast: of every scenario")
    given = parser.parse_args()
    if not given.module and (bare := [game for game in given.games if game not in takes]):
        parser.error(f"{', '.join(bare)}: no built-in module; name one with --module")
    if given.forecast:
        print(FORECAST, "|" + "---|" * (FORECAST.count("|") - 1), sep="\n", flush=True)
        for game in given.games or takes:
            for scenario in system_of(game).scenarios(game) if given.scenarios else (None,):
                for module in [given.module] if given.module else modules_of(game, scenario)[:1]:
                    print(forecast_line(game, scenario, module, given.seed), flush=True)
        return
    print(HEADER, "|" + "---|" * (HEADER.count("|") - 1), sep="\n", flush=True)
    for game in given.games or takes:
        row = tested(game, given.module or takes[game][0], given.budget, given.jobs, given.seed, given.scenario)
        print(row.line(), flush=True)
        if given.steps:
            print(row.steps(), flush=True)


if __name__ == "__main__":
    main()
