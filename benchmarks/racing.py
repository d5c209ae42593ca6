"""Games that `--until` saves: `python -m benchmarks.racing [GAME[:SCENARIO] ...] [--games N] [--seeds N] [--seed N]`.

Full tournaments of the default fields of all games and scenarios, as far as their agents are compiled. Each is played
once; the race is then run over its blocks, which have the same deals, and leaves out what it would not have played.
Said is how many games that takes, and how the conclusions differ: *against* is a pair of which one says more and the
other says less, *missed* one that only the full tournament tells apart, *more* one that only the race does. What is
played is what was named, and `--games` says how much: nothing depends on how fast or busy the machine is.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from probespiel.agents.entrants import entrant_of
from probespiel.agents.players import make_player
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import game_names, system_of
from probespiel.evaluation.tournament.analysis import _Analysis
from probespiel.evaluation.tournament.blocks import sums_of
from probespiel.evaluation.tournament.plan import Plan
from probespiel.evaluation.tournament.ratings import PRIOR_DRAWS
from probespiel.evaluation.tournament.results import concat, validate
from probespiel.evaluation.tournament.run import default_field
from probespiel.evaluation.tournament.sequential import LEVEL, Race, Until
from probespiel.evaluation.tournament.tally import merged, tallies_of


@dataclass(frozen=True)
class Row:
    """What one field came to: games of the race, of the full tournament, and pairs told apart differently."""

    field: str
    agents: int
    seed: int
    raced: int
    full: int
    decided: bool
    pairs: int
    told: int
    against: int
    missed: int
    more: int

    @property
    def saved(self) -> float:
        """The share of the games that the race did not need."""
        return 1 - self.raced / self.full


def compiled_field(game: Game) -> list[str]:
    """The default field without agents that run in Python."""
    found = []
    for name in default_field(game)[0]:
        player = make_player(name, game, 0, None)
        player.close()
        if player.native is not None:
            found.append(name)
    return found


def compare(game: Game, field: list[str], games: int, seed: int, until: Until) -> Row:
    """One field in full and as a race."""
    plan = Plan.of(game, [entrant_of(name, game) for name in field], games, seed, None)
    with plan.match(game) as match:
        tables = []
        for block in range(plan.blocks):
            schedule, about = plan.block(block)
            tables.append(plan.table(block, schedule, about, match.play(schedule, ())))
        race = Race(until, plan.agents, plan.earnings(match), plan.blocks, plan.deals)
    while (found := race.round()) is not None:
        blocks, playing = found
        for block in blocks:
            race.add(tables[block].filter(pc.field("pairing").isin(list(playing))))
    better = _better(validate(concat(tables)), plan.agents, until.goal)
    leads = np.array([int(better[a, b]) - int(better[b, a]) for a, b in race.pairs])
    signs = np.where(race.signs == 2, 0, race.signs)
    return Row(
        f"{game.name} {game.spec.scenario}",
        len(field),
        seed,
        race.games,
        plan.games,
        race.decided,
        len(race.pairs),
        int((leads != 0).sum()),
        int((signs * leads < 0).sum()),
        int(((signs == 0) & (leads != 0)).sum()),
        int(((signs != 0) & (leads == 0)).sum()),
    )


def _better(table: pa.Table, names: tuple[str, ...], goal: str) -> npt.NDArray[np.bool_]:
    """Who is told to earn more than whom, or to win from whom, by a full tournament, bool[agents, agents]."""
    tallies = list(tallies_of(table, len(names)).values())
    sums = sums_of(tallies)
    found = _Analysis(merged(tallies), names, sums, sums.totals(), sums.resample(1, 0), LEVEL, PRIOR_DRAWS, 0, 1)
    if goal == "ranking":
        return found.better
    return np.zeros_like(found.better) if found.region is None else found.region.low > found.region.tolerance


def main() -> None:
    """Measure all fields and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.racing", description=__doc__)
    parser.add_argument("only", nargs="*", metavar="GAME[:SCENARIO]", help="what is played (all without)")
    parser.add_argument("--games", type=int, default=20_000, help="games of each pair in full")
    parser.add_argument("--seeds", type=int, default=1, help="tournaments of each field")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first")
    parser.add_argument("--goal", choices=("ranking", "dominance"), default="ranking")
    parser.add_argument("--within", type=float, default=0.0, help="up to which payoff it is enough to know")
    arguments = parser.parse_args()
    rows: list[Row] = []
    until = Until(arguments.goal, arguments.within)
    head = ["field", "agents", "seed", "race", "full", "saved", "pairs", "told", "against", "missed", "more"]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for text in arguments.only or game_names():
        name, _, one = text.partition(":")
        for scenario in [one] if one else system_of(name).scenarios(name):
            try:
                game = Game(system_of(name).spec(name, scenario, {}, {}))
                field = compiled_field(game)
                if len(field) < 2:
                    print(f"{name} {scenario} is left out: fewer than two of its agents are compiled", file=sys.stderr)
                    continue
                for seed in range(arguments.seed, arguments.seed + arguments.seeds):
                    row = compare(game, field, arguments.games, seed, until)
                    rows.append(row)
                    print(
                        f"| {row.field} | {row.agents} | {row.seed} | {row.raced:,} | {row.full:,} | {row.saved:.0%} | "
                        f"{row.pairs} | {row.told} | {row.against} | {row.missed} | {row.more} |",
                        flush=True,
                    )
            except ProbespielError as error:
                print(f"{name} {scenario} is left out: {error}", file=sys.stderr)
    if not rows:
        raise SystemExit("no field was played")
    saved, pairs = [row.saved for row in rows], sum(row.pairs for row in rows)
    print(
        f"\n{len(rows)} tournaments, {pairs} pairs: {median(saved):.0%} of the games saved in the median, "
        f"{1 - sum(row.raced for row in rows) / sum(row.full for row in rows):.0%} of all games; "
        f"{sum(row.against for row in rows)} pairs told the other way round, {sum(row.missed for row in rows)} missed, "
        f"{sum(row.more for row in rows)} more; in {sum(not (row.against or row.missed) for row in rows)} tournaments "
        "the race says all that the full one says."
    )


if __name__ == "__main__":
    main()
