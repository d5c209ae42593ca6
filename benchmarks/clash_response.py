"""The exact best response to a policy in a clash: `python -m benchmarks.clash_response [SCENARIO...] [--policy FILE]`.

A clash has too many histories to be enumerated, as ten ties may follow each other. But all that counts is what is held,
who takes part, what was bid last, and how many ties there were. Where a policy goes by nothing else, its opponent has
to remember nothing else either, and a few thousand positions are left.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from probespiel.agents.base import Agent, View
from probespiel.agents.konfrontation.equilibrium import solver_of
from probespiel.agents.policy import PolicyAgent, shipped_path
from probespiel.agents.policy_card import EXACT, Bound, add_bound
from probespiel.agents.policy_file import load_policy
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.registry import make_game

SCENARIOS = ("tavern_takeover", "assassination", "strongbox", "burn_the_books", "debate", "monster")


def history_of(game: Game) -> slice:
    """Where the piece `history` stands in an observation."""
    start = game.layout.offsets["history"]
    return slice(start, start + next(piece.size for piece in game.layout.pieces if piece.name == "history"))


class BestResponse:
    """What seat `me` gets a game at most against `agent`, which must not go by the piece `history`."""

    def __init__(self, game: Game, agent: Agent, me: int) -> None:
        agent.prepare(game)
        self.game, self.agent, self.me = game, agent, me
        self.solver = solver_of(game)
        self.history = history_of(game)
        self.values: dict[bytes, float] = {}

    def value(self, position: Position) -> float:
        """The payoff of `me` from here on, in which nobody has sealed anything."""
        if position.over:
            return float(position.returns()[self.me])
        key = self._key(position)
        if key not in self.values:
            self.values[key] = self._value(position)
        return self.values[key]

    def _value(self, position: Position) -> float:
        if faces := position.die():
            return sum(self.value(self.solver.after_die(position, face)) for face in range(faces)) / faces
        asked = position.to_act()
        theirs: list[tuple[int | None, float]] = [(None, 1.0)]
        for seat in asked:
            if seat != self.me:
                chances = self.agent.probabilities(View.of(position, seat).requests)
                assert chances is not None
                theirs = [(action, float(chances[0, action])) for action in position.legal(seat)]
        best = -np.inf
        for mine in position.legal(self.me) if self.me in asked else [None]:
            worth = 0.0
            for action, chance in theirs:
                if chance > 0:
                    worth += chance * self.value(self._after(position, mine, action))
            best = max(best, worth)
        return best

    def _after(self, position: Position, mine: int | None, action: int | None) -> Position:
        twin = position.clone()
        for seat in position.to_act():
            chosen = mine if seat == self.me else action
            assert chosen is not None
            twin.apply(seat, chosen)
        return twin

    def _key(self, position: Position) -> bytes:
        seen = []
        for seat in range(self.game.n_seats):
            observation = position.observe(seat).copy()
            observation[self.history] = 0.0
            seen.append(observation.tobytes())
        return b"".join([self.solver.future(position), *seen])


def forgets(path: Path, game: Game) -> bool:
    """Whether the piece `history` means nothing to the policy in a file."""
    policy = load_policy(path)
    unread = history_of(game)
    groups = [group.index() for group in policy.manifest.network.groups]
    read = any(((unread.start <= at) & (at < unread.stop)).any() for at in groups)
    return not read and not policy.net.weights["trunk.weight"][:, unread].any()


def exploitability(game: Game, agent: Agent) -> tuple[float, tuple[float, ...], float, int]:
    """The mean of what best responses gain, what each seat gets by one, the value for the first, positions met."""
    responses = [BestResponse(game, agent, seat) for seat in (0, 1)]
    got = tuple(response.value(game.position(seed=1)) for response in responses)
    value = solver_of(game).value(game.position(seed=1))
    return sum(got) / 2, got, value, max(len(response.values) for response in responses)


def main() -> None:
    """A table of all clashes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", choices=[*SCENARIOS, []], help="presets (default: all)")
    parser.add_argument("--policy", type=Path, help="the policy of this file instead of the one that ships")
    parser.add_argument("--card", action="store_true", help="write it on the card of the policy")
    given = parser.parse_args()
    print("| preset | value | attacker's best answer | defender's best answer | exploitability | positions | s |")
    print("|---|---|---|---|---|---|---|")
    for scenario in given.scenarios or SCENARIOS:
        game, begun = make_game("konfrontation-clash", scenario), time.process_time()
        path = given.policy or shipped_path(game)
        if not forgets(path, game):
            raise ProbespielError(f"--policy: {path} goes by what was bid before, and cannot be solved so")
        found, got, value, positions = exploitability(game, PolicyAgent(str(path)))
        numbers = " | ".join(f"{x:+.4f}" for x in (value, *got))
        took = time.process_time() - begun
        if given.card:
            command = f"python -m benchmarks.clash_response {scenario}"
            add_bound(path, Bound(scenario, EXACT, found, found, found, 0, round(took, 1), command))
        print(f"| `{scenario}` | {numbers} | {found:.4f} | {positions:,} | {took:.0f} |")


if __name__ == "__main__":
    main()
