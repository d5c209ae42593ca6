"""What a single choice on a mission is worth: `python -m benchmarks.choices [PRESET...]`.

A party plays missions. At decisions that are drawn from them every action that a search would try is taken in many
simulations on the same dice, from rooms dealt anew, and the party goes on to the end of the mission. The best action by
one half of the simulations is valued by the other half, and the other way round, so that luck alone gains nothing: a
row tells what a search with half as many simulations for each action would gain over the party, in points of missions
completed, were it to decide alike decisions like these in a mission, with half the width of the 95 % interval (missions
are independent, decisions of one mission are not). It is the first step of what a search can gain: what only several
choices together bring, such as another order of battle, it does not tell. `noise` is what the same dice leave of the
variance of a difference, in parts of what it has with dice apart.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from probespiel.agents.native import bulky_of, native_policy
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.oneshot.presets import presets

from .missions import GAME, best_of
from .playing_on import Rules, choice_of, take_all
from .policies import heuristics_of

SEED = 4711
HEADER = (
    "| preset | party | decision | a mission | choices | completes | noise | best choice gains, each | in a mission |\n"
)
HEADER += "|---" * 9 + "|"


def crossed(values: np.ndarray) -> float:
    """What the best of the rows of float64[c, r] gains on the first, each half of the columns judging the other's."""
    half = values.shape[1] // 2
    one, two = values[:, :half].mean(axis=1), values[:, half:].mean(axis=1)
    return float(two[one.argmax()] - two[0] + one[two.argmax()] - one[0]) / 2.0


def noise(values: np.ndarray) -> tuple[float, float]:
    """Variances of what the other rows of float64[c, r] gain on the first, added up, column by column and apart.

    Apart: as if no two of them had met the same dice.
    """
    gains = values[1:] - values[0]
    return float(gains.var(axis=1).sum()), float(values[1:].var(axis=1).sum() + len(gains) * values[0].var())


def tried(legal: list[int], first: int, known: set[int], bulky: np.ndarray) -> list[int]:
    """What a search tries: all but bulky actions that no party takes; the party's own choice `first`."""
    return [first] + [a for a in legal if a != first and (a in known or not bulky[a >> 5] >> (a & 31) & 1)]


class Found(NamedTuple):
    """One decision that was looked at: its kind, choices, what the party completes there, what the best one gains.

    `paired`, `apart`: see `noise`.
    """

    mission: int
    kind: str
    choices: int
    completes: float
    gain: float
    paired: float
    apart: float


class Walk:
    """Missions of a party, and the decisions that were drawn from them."""

    def __init__(self, game: Game, party: str, rounds: int, share: float, seed: int) -> None:
        self.game, self.rounds, self.share, self.seed = game, rounds, share, seed
        self.policies = [native_policy(game, name) for name in (party, *heuristics_of(game))]
        self.rules = [Rules.of(game, policy) for policy in self.policies]
        self.bulky = bulky_of(game)
        self.met: dict[str, int] = defaultdict(int)  # decisions of each kind with more than one action

    def mission(self, number: int) -> Iterator[Found]:
        """What was found in one mission."""
        rng = np.random.default_rng([self.seed, number])
        dice = rng.integers(1 << 62, size=1).astype(np.uint64)
        position = self.game.position(int(rng.integers(1 << 62)))
        position.roll(dice)
        while not position.over:
            (seat,) = position.to_act()
            legal = position.legal(seat)
            record = np.frombuffer(position.to_bytes(), dtype=np.uint8).copy()
            seed = np.uint64(rng.integers(1 << 62))
            action = int(choice_of(self.rules[0], record, seat, seed))
            if len(legal) > 1:
                kind = position.phase()
                self.met[kind] += 1
                if rng.random() < self.share:
                    known = {int(choice_of(rules, record, seat, seed)) for rules in self.rules}
                    actions = tried(legal, action, known, self.bulky)
                    values = self.values(position, seat, actions, rng)
                    completes = float(values[0].mean())
                    yield Found(number, kind, len(actions), completes, crossed(values), *noise(values))
            position.apply(seat, action)
            position.roll(dice)

    def values(self, position: Position, seat: int, actions: list[int], rng: np.random.Generator) -> np.ndarray:
        """Whether the mission succeeds after each action in each simulation, float64[actions, rounds]."""
        world = np.frombuffer(position.forget(seat).to_bytes(), dtype=np.uint8).copy()
        out = np.zeros((len(actions), self.rounds))
        if len(actions) > 1:
            seeds = rng.integers(1 << 62, size=self.rounds).astype(np.uint64)
            take_all(self.rules[0], world, seat, np.array(actions, dtype=np.int64), seeds, out)
        return out


def rows(walk: Walk, party: str, missions: int) -> Iterator[str]:
    """The rows of a table: one for each kind of decision, and one for all of them."""
    found = [one for number in range(missions) for one in walk.mission(number)]
    for kind in sorted(walk.met, key=lambda kind: -walk.met[kind]):
        yield _row(walk, party, kind, [one for one in found if one.kind == kind], missions, walk.met[kind])
    yield _row(walk, party, "all", found, missions, sum(walk.met.values()))


def _row(walk: Walk, party: str, kind: str, found: list[Found], missions: int, met: int) -> str:
    gains = np.zeros(missions)
    for one in found:
        gains[one.mission] += 100.0 * one.gain / walk.share
    half = 1.96 * gains.std(ddof=1) / missions**0.5
    each = 100.0 * np.mean([one.gain for one in found]) if found else 0.0
    choices, completes = (np.mean([getattr(one, name) for one in found] or [0.0]) for name in ("choices", "completes"))
    paired, apart = (sum(getattr(one, name) for one in found) for name in ("paired", "apart"))
    left = f"{100 * paired / apart:.0f} %" if apart else "–"
    told = f"{met / missions:.1f} | {choices:.1f} | {100 * completes:.1f} % | {left} | {each:+.2f}"
    return f"| `{walk.game.spec.scenario}` | `{party}` | {kind} | {told} | {gains.mean():+.2f} ± {half:.2f} |"


def main() -> None:
    """Measure."""
    every = list(presets("mission"))
    parser = argparse.ArgumentParser(prog="python -m benchmarks.choices", description=__doc__)
    parser.add_argument("presets", nargs="*", choices=[[], *every], metavar="PRESET", help=", ".join(every))
    parser.add_argument("--party", help="this party instead of the best heuristic")
    parser.add_argument("--missions", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=400, help="simulations of each action")
    parser.add_argument("--share", type=float, default=0.05, help="of the decisions that are looked at")
    parser.add_argument("--sg", type=int, default=3, help="difficulty")
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    print(HEADER)
    for name in given.presets or every:
        game = make_game(GAME, name, sg=given.sg)
        party = given.party or best_of(game)
        for line in rows(Walk(game, party, given.rounds, given.share, given.seed), party, given.missions):
            print(line, flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
