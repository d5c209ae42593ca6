"""Fits the outlook of Scorekeeper: `python -m probespiel.training.scorekeeper.outlook`.

`aggressor` plays itself in the presets and in random fights, from random wounds and places; a network of one layer
learns the result from what `features` of the outlook sees where rounds begin. It is antisymmetric: seen from the other
side every position is worth the opposite.
"""

from __future__ import annotations

import argparse
import copy
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from numpy.random import Generator
from torch import nn

from ...agents.declaration import Sight
from ...agents.scorekeeper import outlook as outlook
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game
from ...envs.core.rng import rng_array
from ...envs.scorekeeper.armoury import ARMOUR, MELEE_WEAPONS, RANGED_WEAPONS
from ...envs.scorekeeper.presets import presets
from ...envs.scorekeeper.system import SYSTEM
from ..outlook import Gathering
from ..outlook_kernel import Plan
from .outlook_kernel import seen

SIDE, SHARED = outlook.SIDE, outlook.SHARED
HIDDEN = 32
TARGET = Path(str(outlook.__file__)).with_name("net.py")


# --- fights -----------------------------------------------------------------------------------------------------------


def _capacity(fighter: dict[str, Any], name: str) -> int:
    return max(1, 1 + fighter.get("res", 6) // 3) + (name == "kr")


def _hurt(fighter: dict[str, Any], rng: Generator) -> None:
    """Wounds of a fight that has been going on for some time."""
    wounds = {
        name: int(min(rng.integers(0, _capacity(fighter, name)), rng.integers(0, 4))) for name in ("kr", "lw", "sw")
    }
    if rng.random() < 0.5:
        wounds["sw"] = 0
    fighter["wounds"] = wounds
    fighter["bleeding"] = int(rng.integers(0, wounds["sw"] + 1)) if rng.random() < 0.4 else 0


def random_fighter(rng: Generator, team: str) -> dict[str, Any]:
    """Somebody with usual values and weapons."""
    wah, agl, res, wil, melee, ranged = (int(v) for v in np.clip(np.rint(rng.normal(6.5, 1.6, 6)), 2, 12))
    pieces = [name for name in ARMOUR if rng.random() < 0.2]
    return {
        "team": team, "wah": wah, "agl": agl, "res": res, "wil": wil, "melee_skill": melee, "ranged_skill": ranged,
        "damage_bonus": int(rng.integers(-1, 4)), "melee": str(rng.choice(MELEE_WEAPONS)),
        "ranged": str(rng.choice(RANGED_WEAPONS)) if rng.random() < 0.5 else None, "armour": pieces,
        "fate": int(rng.integers(0, 4)) if rng.random() < 0.4 else 0,
    }  # fmt: skip


def random_setup(rng: Generator, duel: bool) -> dict[str, Any]:
    """A preset or a fight of random people, in most cases from somewhere in its middle."""
    known = [s for s in presets().values() if (len(s["fighters"]) == 2) == duel]
    if rng.random() < 0.5:
        setup = copy.deepcopy(known[int(rng.integers(len(known)))])
    else:
        sizes = (1, 1) if duel else rng.integers(1, 5, 2).tolist()
        fighters = [random_fighter(rng, team) for team, n in zip("ab", sizes) for _ in range(n)]
        config: dict[str, Any] = {"field_length": int(rng.choice([1, 12, 20, 40, 60])), "max_rounds": 40}
        config["victory"] = str(rng.choice(["incapacitated", "death", "first_blood"], p=[0.8, 0.1, 0.1]))
        setup = {"config": config, "fighters": fighters}
    setup.pop("events", None)
    setup["config"] |= {"utility": "win", "draw_rule": "zero"}
    away = rng.random() < 0.7
    length = setup["config"].get("field_length", 40)
    middle = int(rng.integers(0, length + 1))
    for i, fighter in enumerate(setup["fighters"]):
        fighter["name"] = f"f{i}"
        if rng.random() < 0.7:
            _hurt(fighter, rng)
        if rng.random() < 0.3:
            fighter["fate"] = int(rng.integers(0, 3))
        if away or "position" not in fighter:
            reach = min(length, int(rng.choice([1, 3, 6, 10, 60], p=[0.3, 0.2, 0.2, 0.15, 0.15])))
            fighter["position"] = int(np.clip(middle + rng.integers(-reach, reach + 1), 0, length))
    return setup


def fights(count: int, duel: bool, seed: int) -> list[Game]:
    """Random fights of one rule set."""
    rng = np.random.default_rng([seed, duel])
    name = "scorekeeper-duel" if duel else "scorekeeper-skirmish"
    out = []
    while len(out) < count:
        game = Game(SYSTEM.spec_of_setup(random_setup(rng, duel), name))
        if not out or game.address == out[0].address:  # two fighters have a rule set of their own
            out.append(game)
    return out


def positions(games: Sequence[Game], each: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`each` fights of every game: number of the game int64[m], features float32[m, F], payoff of team a float32[m].

    In every second fight the first round is played half at random, and nothing of it is learnt from.
    """
    sight = Sight(outlook.clock, seen, outlook.FEATURES, 1)
    rng = rng_array(seed, "outlook")
    rows, sights, results = [], [], []
    for number, game in enumerate(games):
        found, _ = Gathering.of(game, "aggressor", sight, rng).play(30 * each, Plan(each, 0.4, 0.5, opening=True))
        kept = np.diff(found.starts) > 0  # where nobody is able on a side, nothing was seen
        dense = np.zeros((len(kept), outlook.FEATURES), dtype=np.float32)
        dense[np.repeat(np.arange(len(kept)), np.diff(found.starts)), found.index] = found.values
        team_of = np.zeros(game.n_seats, dtype=np.int64)
        team_of[game.params.seat_of[: game.params.fighters]] = game.params.team[: game.params.fighters]
        rows.append(np.full(int(kept.sum()), number, dtype=np.int64))
        sights.append(dense[kept])
        results.append(np.where(team_of[found.seats] == 0, found.payoffs, -found.payoffs)[kept])
    return np.concatenate(rows), np.concatenate(sights), np.concatenate(results)


# --- the network ------------------------------------------------------------------------------------------------------


class Net(nn.Module):
    """tanh(g(a, b) - g(b, a)); g has one hidden layer."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.first = nn.Linear(2 * SIDE + SHARED, hidden)
        self.last = nn.Linear(hidden, 1, bias=False)

    def forward(self, x: th.Tensor) -> th.Tensor:
        """Values in -1..1, float32[m], of features [m, F]."""
        turned = th.cat([x[:, SIDE : 2 * SIDE], x[:, :SIDE], x[:, 2 * SIDE :]], dim=1)
        one, other = (self.last(th.tanh(self.first(part)))[:, 0] for part in (x, turned))
        return th.tanh(one - other)


def fit(seen: np.ndarray, results: np.ndarray, hidden: int, epochs: int, seed: int) -> Net:
    """A network fitted by least squares: its values are expected payoffs."""
    th.manual_seed(seed)
    net = Net(hidden)
    x, y = th.from_numpy(seen), th.from_numpy(results)
    size = 4096
    steps = epochs * (len(x) // size)
    optimizer = th.optim.Adam(net.parameters(), lr=5e-3)
    schedule = th.optim.lr_scheduler.OneCycleLR(optimizer, 1e-2, total_steps=steps + 1)
    for _ in range(epochs):
        order = th.randperm(len(x))
        for i in range(0, len(x) - size + 1, size):
            part = order[i : i + size]
            loss = ((net(x[part]) - y[part]) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return net


def calibration(net: Net, seen: np.ndarray, results: np.ndarray, rows: np.ndarray) -> str:
    """How well results that were not learnt from are foretold, in a line."""
    with th.no_grad():
        values = net(th.from_numpy(seen)).numpy()
    error = float(((values - results) ** 2).mean())
    blind = float(results.var())
    mean = np.bincount(rows, results) / np.maximum(np.bincount(rows), 1)
    told = np.bincount(rows, values) / np.maximum(np.bincount(rows), 1)
    some = np.bincount(rows) >= 50
    off = float(np.sqrt(((mean - told)[some] ** 2).mean())) if some.any() else float("nan")
    return f"{len(results):,} positions: explained {1 - error / blind:.4f}; mean of a fight off by {off:.4f}"


def _numbers(name: str, values: np.ndarray) -> str:
    shown = [f"{v:.5g}" for v in values.ravel().tolist()]
    lines, line = [], "   "
    for text in shown:
        if len(line) + len(text) + 2 > 118:
            lines.append(line)
            line = "   "
        line += f" {text},"
    return "\n".join([f"{name} = np.array([", *lines, line, "])  # fmt: skip"])


def rewritten(text: str, net: Net) -> str:
    """The file of the network, `text`, with other numbers; raises ProbespielError if it has not got their places."""
    arrays = {"FIRST": net.first.weight, "BIAS": net.first.bias, "LAST": net.last.weight}
    sizes = f"SIDE, SHARED, HIDDEN = {SIDE}, {SHARED}, {len(arrays['BIAS'])}"
    places = {r"^SIDE, SHARED, HIDDEN = [^\n]*$": sizes}
    for name, values in arrays.items():
        places[rf"^{name} = np\.array\(\[.*?^\]\)[^\n]*$"] = _numbers(name, values.detach().numpy())
    for pattern, new in places.items():
        text, count = re.subn(pattern, new, text, flags=re.MULTILINE | re.DOTALL)  # numbers hold no backslashes
        if count != 1:
            raise ProbespielError(f"the file of the network has {count} places like {pattern!r}: 1 is needed")
    return text


def main() -> None:
    """Play, fit, tell how good it is, write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=TARGET, help="the file to write")
    parser.add_argument("--duels", type=int, default=2500)
    parser.add_argument("--skirmishes", type=int, default=400)
    parser.add_argument("--fights", type=int, default=60, help="of each")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--hidden", type=int, default=HIDDEN)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    th.set_num_threads(1)
    seen, results = [], []
    held = {}
    for duel, count in ((True, given.duels), (False, given.skirmishes)):
        found = positions(fights(count, duel, given.seed), given.fights, given.seed)
        print(f"{'duels' if duel else 'skirmishes'}: {len(found[0]):,} positions", flush=True)
        kept = found[0] % 10 != 0  # every tenth fight is not learnt from
        held[duel] = tuple(part[~kept] for part in found)
        seen.append(found[1][kept])
        results.append(found[2][kept])
    net = fit(np.concatenate(seen), np.concatenate(results), given.hidden, given.epochs, given.seed)
    for duel, (rows, x, y) in held.items():
        print(f"{'duels' if duel else 'skirmishes'} held out, {calibration(net, x, y, rows)}")
    given.out.write_text(rewritten(TARGET.read_text(encoding="utf-8"), net), encoding="utf-8")
    print(f"written: {given.out}")


if __name__ == "__main__":
    main()
