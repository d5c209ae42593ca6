"""How exploitable agents are, exactly: `python -m benchmarks.exact [GAME...] [--agents A,B] [--scenario S] [--why]`.

A row for each preset and agent of which `probespiel exploit GAME --agent A --scenario S --method exact` knows it: the
value of the game, what best answers get on both sides, and the exploitability, the mean of what they gain. With `--why`
the others follow, with the reason.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass

from probespiel.agents.base import AgentError
from probespiel.agents.native import baselines_of
from probespiel.agents.policy import ships_for
from probespiel.agents.position_keys import past_of
from probespiel.agents.public_game import NotSolved, public_value
from probespiel.agents.registry import make_agent, split_agents
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import game_names, make_game, system_of
from probespiel.evaluation.exploit.exact import Answered, answer_by_positions, answer_by_tree
from probespiel.training.selfplay import limit_threads

POSITIONS = 100_000  # of a game of which the value is told, at most
HEADER = (
    "| preset | agent | value | first seat's best answer | second seat's | exploitability | positions | s |\n"
    "|---|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True)
class Row:
    """What is known of an agent in a preset: best answers, or in words why there are none; seconds of the processor."""

    scenario: str
    agent: str
    value: float | None
    found: Answered | str
    seconds: float

    def line(self) -> str:
        """As a row of the table; of an agent without best answers, why."""
        if isinstance(self.found, str):
            return f"`{self.scenario}`, `{self.agent}`: {self.found}"
        value = "" if self.value is None else f"{self.value:+.4f}"
        got = " | ".join(f"{side.payoff.value:+.4f}" for side in self.found.sides)
        size = f"{self.found.positions:,}" if self.found.positions else "all histories"
        return (
            f"| `{self.scenario}` | `{self.agent}` | {value} | {got} | {self.found.bound:.4f} | {size} | "
            f"{self.seconds:.1f} |"
        )


def agents_in(game: Game) -> list[str]:
    """Baselines that play a game in its scenario, and its policy."""
    names = [name for name, one in baselines_of(game.spec.system).items() if not one.games or game.name in one.games]
    return [*names, *(["policy"] if ships_for(game) else [])]


def value_of(game: Game) -> float | None:
    """The value of a game for its first seat, None where it is not known at once."""
    try:
        return public_value(game, past_of(game), POSITIONS).value
    except NotSolved:
        return None


def row_of(game: Game, name: str, value: float | None) -> Row:
    """The best answers to an agent; agents that draw are not asked many times, as that is never exact."""
    begun = time.process_time()
    try:
        agent = make_agent(name, game.name)
        agent.name = name
        found: Answered | str = answer_by_positions(game, agent)
        if isinstance(found, str):
            tree = answer_by_tree(game, agent, 10.0)
            found = tree if isinstance(tree, Answered) else f"{tree}; {found}"
        if isinstance(found, Answered) and not found.exact:
            found = f"the chances of {name} are not known"
    except AgentError as error:
        found = str(error)
    return Row(game.spec.scenario, name, value, found, time.process_time() - begun)


def rows_of(name: str, scenarios: list[str], agents: list[str]) -> Iterator[Row]:
    """All rows of a game."""
    for scenario in scenarios or system_of(name).scenarios(name):
        game = make_game(name, scenario)
        if game.n_seats != 2 or len(game.sides) != 2:
            continue
        value = value_of(game)
        for agent in agents or agents_in(game):
            yield row_of(game, agent, value)


def main() -> None:
    """Tables of all games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*game_names(), []], help="games (default: all)")
    parser.add_argument("--agents", default="", help="who, between commas (default: all baselines, and the policy)")
    parser.add_argument("--scenario", action="append", default=[], help="a preset (default: all); repeatable")
    parser.add_argument("--why", action="store_true", help="say of the others why there is no exact value")
    given = parser.parse_args()
    limit_threads(1)
    for name in given.games or game_names():
        missing = []
        print(f"**{name}**\n\n{HEADER}", flush=True)
        for row in rows_of(name, given.scenario, split_agents(given.agents) if given.agents else []):
            if isinstance(row.found, str):
                missing.append(row.line())
            else:
                print(row.line(), flush=True)
        print("".join(f"\n{line}" for line in missing) if given.why else "", flush=True)


if __name__ == "__main__":
    main()
