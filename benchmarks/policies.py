"""The policies that ship against every heuristic of their games, in every preset.

`python -m benchmarks.policies [GAME...] [--games N] [--scenario S] [--agent NAME]`: a row for each preset and heuristic
that plays there. The policy takes each side in turn on the same deals, the heuristic all others; what stands in the
table is what the policy earns a game beyond what the heuristic would in its place, with the 95 % interval over deals.
Between two sides of which one wins what the other loses that is what it wins; in a mission, by how much more of them it
completes. With `--agent` it is any agent that is measured so.
A shorter table a game follows, with a line a preset.
`above` and `below` say that the interval does not hold 0; where nothing is to be won, chance says either once in forty
rows.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from probespiel.agents.base import AgentError
from probespiel.agents.native import heuristics_of as known_to
from probespiel.agents.policy import shipped_policies
from probespiel.agents.policy_file import load_policy
from probespiel.agents.registry import make_agent
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import game_names, make_game, system_of
from probespiel.evaluation.exploit.measure import Bench, Candidate
from probespiel.evaluation.stress.estimates import paired_many
from probespiel.training.selfplay import limit_threads

SEED = 23
WORDS = ("above", "level", "below")
SHORT = "| preset | above | level | below |\n|---|---|---|---|"
HEADER = "| preset | against | earns a game | games | |\n|---|---|---|---|---|"


@dataclass(frozen=True)
class Row:
    """What a policy earns from a heuristic in a preset: mean and 95 % interval in payoff a game, and games played."""

    scenario: str
    heuristic: str
    value: float
    low: float
    high: float
    games: int

    @property
    def word(self) -> str:
        """On which side of 0 the interval lies."""
        return WORDS[0] if self.low > 0 else WORDS[2] if self.high < 0 else WORDS[1]

    def line(self) -> str:
        """As a row of the table."""
        told = f"{self.value:+.3f} ({self.low:+.3f} to {self.high:+.3f})"
        return f"| `{self.scenario}` | `{self.heuristic}` | {told} | {self.games:,} | {self.word} |"

    def told(self) -> str:
        """In a cell of the short table."""
        return f"`{self.heuristic}` {self.value:+.3f} ± {(self.high - self.low) / 2:.3f}"


def heuristics_of(game: Game) -> list[str]:
    """Heuristics that play this game in this scenario, too."""
    out = []
    for name in known_to(game):
        try:
            make_agent(name).prepare(game)
        except AgentError:
            continue  # it does not play this scenario
        out.append(name)
    return out


def measured(game: Game, policy: str, heuristic: str, games: int, seconds: float = math.inf, seed: int = SEED) -> Row:
    """Play at least `games` games, and all sides of every deal; fewer deals where `seconds` are over before."""
    deals = max(2, -(-games // len(game.sides)))
    bench = Bench(game, heuristic, [Candidate(policy, policy)], seed)
    try:
        heroes = [[1] if bench.opposed else [1, 0] for _ in bench.sides]
        found = bench.blocks(0, deals, heroes, seconds)
    finally:
        bench.close()
    pairs = [(row[0], np.zeros_like(row[0]) if bench.opposed else row[1]) for row in found]
    gained = paired_many(pairs)
    return Row(game.spec.scenario, heuristic, gained.value, gained.low, gained.high, gained.games * len(game.sides))


def rows(
    game: str, policy: str, scenarios: Sequence[str], against: Sequence[str], games: int, seconds: float
) -> Iterator[Row | str]:
    """The rows of a game, one after the other; a text for a preset that the policy does not play."""
    for scenario in scenarios:
        made = make_game(game, scenario)
        try:
            make_agent(policy).prepare(made)
        except AgentError as error:
            yield f"| `{scenario}` | | {error} | | |"
            continue
        for name in against or heuristics_of(made):
            yield measured(made, policy, name, games, seconds)


def by_preset(found: Sequence[Row]) -> Iterator[str]:
    """The short table: a line a preset, which names whoever is not beaten, and of the others the one hardest to."""
    for scenario in dict.fromkeys(row.scenario for row in found):
        groups = {word: [row for row in found if row.scenario == scenario and row.word == word] for word in WORDS}
        cells = [", ".join(row.told() for row in sorted(groups[word], key=lambda row: row.value)) for word in WORDS[1:]]
        beaten = sorted(groups[WORDS[0]], key=lambda row: row.value)
        first = f"{len(beaten)}; least {beaten[0].told()}" if len(beaten) > 1 else "".join(row.told() for row in beaten)
        yield f"| `{scenario}` | {first} | {' | '.join(cells)} |"


def summary(game: str, found: Sequence[Row], left_out: int = 0) -> str:
    """How often the policy of a game is above, level and below, and where it earns least."""
    if not found:
        return f"{game}: nothing was measured"
    counts = Counter(row.word for row in found)
    least = min(found, key=lambda row: row.value)
    told = ", ".join(f"{counts[word]} {word}" for word in WORDS)
    presets = len({row.scenario for row in found})
    more = f", {left_out} presets without a policy" if left_out else ""
    return (
        f"{game}: {told} in {presets} presets{more}; least {least.value:+.3f} against {least.heuristic} "
        f"in {least.scenario}"
    )


def main() -> None:
    """Print a table and a summary line for every game."""
    games = {name.partition("--")[0] for name in shipped_policies()}
    ships = {game: game for game in game_names() if game in games}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.policies", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(ships)} (default: all)")
    parser.add_argument("--games", dest="number", type=int, default=500, help="games a row (default: 500)")
    parser.add_argument("--scenario", action="append", help="this preset alone; repeatable (default: all)")
    parser.add_argument("--against", nargs="+", default=[], help="these agents instead of all heuristics")
    parser.add_argument("--policy", type=Path, help="the policy of this file instead of the one that ships")
    parser.add_argument("--agent", help="this agent instead of a policy; GAME must be given")
    parser.add_argument("--seconds", type=float, default=math.inf, help="a row at most: fewer games then")
    given = parser.parse_args()
    names = given.games or ([load_policy(given.policy).manifest.game] if given.policy else list(ships))
    if given.agent and (given.policy or not given.games):
        parser.error("--agent: give a GAME with it, and no --policy")
    free = given.policy or given.agent  # of a game for which no policy has to ship
    unknown = [name for name in names if name not in (game_names() if free else ships)]
    if unknown:
        parser.error(f"GAME = {unknown[0]!r} is not allowed: one of {', '.join(game_names() if free else ships)}")
    limit_threads(1)
    policy = given.agent or (f"policy:file={given.policy}" if given.policy else "policy")
    summaries = []
    for game in names:
        begun, found, left_out = time.process_time(), [], 0
        print(f"**{game}**\n\n{HEADER}", flush=True)
        scenarios = given.scenario or list(system_of(game).scenarios(game))
        for row in rows(game, policy, scenarios, given.against, given.number, given.seconds):
            print(row.line() if isinstance(row, Row) else row, flush=True)
            if isinstance(row, Row):
                found.append(row)
            else:
                left_out += 1
        print("", SHORT, *by_preset(found), sep="\n")
        summaries.append(summary(game, found, left_out))
        print(f"\n{summaries[-1]} ({time.process_time() - begun:.0f} s of processor time)\n", flush=True)
    if len(names) > 1:
        print("\n".join(summaries))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
