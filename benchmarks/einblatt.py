"""Speed of einBlatt, its adapters, learning on it and searching it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from .measure import Row, aec_work, alone, parallel_work, versus
from .peers import GOOFSPIEL, spiel_from_python, spiel_in_cpp
from .usual import SingleEnv


def batch_rows(t: float) -> list[Row]:
    """Random play in the batch driver, and with observations and masks for every seat to act."""
    import pyspiel

    from probespiel.envs import make_game
    from probespiel.envs.core.batch import Batch

    rows, theirs = [], pyspiel.load_game(GOOFSPIEL)
    for name, tables in (("einblatt-duel", 4096), ("einblatt-melee", 512)):
        batch = Batch(make_game(name), tables)

        def play(batch: Batch = batch) -> int:
            return batch.play_random(4).decisions

        peers = (("Python", spiel_from_python(theirs)), ("C++", spiel_in_cpp(theirs)))
        for peer, work in peers:
            other = f"another game: OpenSpiel's goofspiel, {peer}"
            rows.append(versus(f"{name} batch, random play", "moves", play, other, work, t))

    batch = Batch(make_game("einblatt-duel"), 512)  # so many that what is written stays in the cache
    batch.start()

    def observed() -> int:
        batch.read()
        batch.draw_random()
        batch.step()
        return int(np.bitwise_count(batch.bits).sum())

    rows.append(alone("einblatt-duel batch, 512 tables, observations and masks of all seats", "decisions", observed, t))
    return rows


def campaign_setup(modules: bool) -> dict[str, Any]:
    """The session of seven conflicts, without modules, or with all that may be active together (specialist_buy is
    left out for point_buy) and the seat fields that they need."""
    from probespiel.envs.core.modules import load_modules
    from probespiel.envs.einblatt.bench import equip
    from probespiel.envs.einblatt.system import SYSTEM

    setup = SYSTEM.setup_of("einblatt-campaign", "table32_session")
    if not modules:
        return setup
    chosen: dict[str, dict[str, Any]] = {name: {} for name in SYSTEM.modules() if name != "specialist_buy"}
    chosen["point_buy"] = {"points": 40}
    setup["modules"] = chosen
    for seat in setup["seats"]:
        if seat["kind"] == "pc":
            seat["xp"] = seat.get("xp", 9)
    return equip(setup, load_modules(SYSTEM.interface, chosen))


def campaign_rows(t: float) -> list[Row]:
    """Random play of campaigns in the batch driver, without modules and with all of them."""
    from probespiel.envs.core.batch import Batch
    from probespiel.envs.core.game import Game
    from probespiel.envs.einblatt.system import SYSTEM

    rows = []
    for modules, what in ((False, "no modules"), (True, "all 16 modules that go together")):
        batch = Batch(Game(SYSTEM.spec_of_setup(campaign_setup(modules))), 512)

        def play(batch: Batch = batch) -> int:
            return batch.play_random(1).decisions

        rows.append(alone(f"einblatt-campaign batch, random play, {what}", "moves", play, t))
    return rows


def pettingzoo_rows(t: float) -> list[Row]:
    """Our adapters against PettingZoo's wrapped classics."""
    import pettingzoo
    from pettingzoo.classic import connect_four_v3, rps_v2

    import probespiel.envs  # noqa: F401  (registers the games)

    ours = aec_work(pettingzoo.make("aec", "probespiel/einblatt-duel-v0"), True)
    both = parallel_work(pettingzoo.make("parallel", "probespiel/einblatt-duel-v0"), True)
    return [
        versus("einblatt-duel AEC", "agent steps", ours, "rps_v2", aec_work(rps_v2.env(), False), t),
        versus("einblatt-duel AEC", "agent steps", ours, "connect_four_v3", aec_work(connect_four_v3.env(), True), t),
        versus(
            "einblatt-duel Parallel",
            "agent steps",
            both,
            "rps_v2 parallel",
            parallel_work(rps_v2.parallel_env(), False),
            t,
        ),
    ]


def training_rows(t: float) -> list[Row]:
    """Decisions a second while MaskablePPO learns: our VecEnv, and DummyVecEnv over single environments."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    from probespiel.envs import make_game
    from probespiel.envs.core.vec_env import ProbespielVecEnv

    torch.set_num_threads(1)
    game = make_game("einblatt-duel")

    def learner(env: Any, n_envs: int) -> Callable[[], int]:
        steps = 8192
        model = MaskablePPO(
            "MlpPolicy", env, n_steps=steps // n_envs, batch_size=2048, n_epochs=4, device="cpu", seed=1
        )

        def work() -> int:
            model.learn(steps, reset_num_timesteps=False)
            return steps

        return work

    ours = learner(ProbespielVecEnv(game, 1024, seed=1), 1024)
    usual = learner(DummyVecEnv([lambda: SingleEnv(game) for _ in range(8)]), 8)
    return [versus("einblatt-duel, MaskablePPO learning", "decisions", ours, "DummyVecEnv, 8 envs", usual, t)]


def search_rows(t: float) -> list[Row]:
    """Simulations a second of the search at the first decision of a game."""
    from probespiel.agents.base import View
    from probespiel.agents.registry import make_agent
    from probespiel.envs import make_game

    rows = []
    for name in ("einblatt-duel", "einblatt-melee"):
        position = make_game(name).position(seed=1)
        agent = make_agent("search:sims=2000")
        view = View.of(position, position.to_act()[0])

        def work(agent: Any = agent, view: View = view) -> int:
            agent.act(view)
            return 2000

        rows.append(alone(f"{name} search, first decision", "simulations", work, t))
    return rows


MEMORY = """
from probespiel.envs import make_game
from probespiel.envs.core.batch import Batch
import numpy as np
game = make_game("einblatt-duel")
Batch(game, 8).play_random(1)

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 1e6

before = resident()
batch = Batch(game, 4096)
batch.play_random(2); batch.start(); batch.read(); batch.draw_random(); batch.step()
print(resident() - before)  # every array is written by now and none was given back: this is the peak
"""


def memory() -> str:
    """What 4096 tables take, in a process of its own."""
    found = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True).stdout.strip()
    return f"peak memory of 4096 duel tables with observations, beyond imports and rules: {float(found):.0f} MB"


GROUPS = {
    "batch": batch_rows, "campaign": campaign_rows, "pettingzoo": pettingzoo_rows, "training": training_rows,
    "search": search_rows,
}  # fmt: skip
NOTES = {"batch": memory}
