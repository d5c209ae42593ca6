"""`python -m tests.clients [GAME...]`: every game played through the environments of other libraries.

TorchRL, Tianshou, SuperSuit and RLlib wrap PettingZoo's two forms; each plays 200 steps of each game with legal
actions. They are not among the dependencies: `make clients` installs them in an environment of their own.
"""

from __future__ import annotations

import argparse
import importlib
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from probespiel.envs.core.registry import game_names
from probespiel.envs.registration import make_aec, make_parallel

STEPS = 200


def chosen(rng: np.random.Generator, mask: Any) -> int:
    """A random legal action."""
    return int(rng.choice(np.flatnonzero(np.asarray(mask))))


def torchrl(env: Any) -> int:
    """TorchRL's rollout, which draws from the masks."""
    wrapper = importlib.import_module("torchrl.envs.libs.pettingzoo").PettingZooWrapper
    return int(wrapper(env, use_mask=True, categorical_actions=True).rollout(STEPS, break_when_any_done=False).numel())


def tianshou(env: Any) -> int:
    """Tianshou's wrapper of the AEC form."""
    wrapped = importlib.import_module("tianshou.env.pettingzoo_env").PettingZooEnv(env)
    rng, steps = np.random.default_rng(1), 0
    while steps < STEPS:
        seen, *_ = wrapped.reset()
        over = False
        while not over:
            seen, _, ended, stopped, _ = wrapped.step(chosen(rng, seen["mask"]))
            over, steps = ended or stopped, steps + 1
    return steps


def supersuit_aec(env: Any) -> int:
    """SuperSuit's change of types, over the AEC form with masks in the infos."""
    wrapped = importlib.import_module("supersuit").dtype_v0(env, "float64")
    rng, steps = np.random.default_rng(1), 0
    while steps < STEPS:
        wrapped.reset(seed=steps + 1)
        for _ in wrapped.agent_iter(STEPS):
            _, _, ended, stopped, info = wrapped.last()
            wrapped.step(None if ended or stopped else chosen(rng, info["action_mask"]))
            steps += 1
    return steps


def parallel(env: Any) -> int:
    """A parallel environment with masks in the infos."""
    rng, steps = np.random.default_rng(1), 0
    while steps < STEPS:
        _, infos = env.reset(seed=steps + 1)
        while env.agents and steps < STEPS:
            *_, infos = env.step({agent: chosen(rng, infos[agent]["action_mask"]) for agent in env.agents})
            steps += 1
    return steps


def supersuit_parallel(env: Any) -> int:
    """SuperSuit's change of types, over the parallel form with masks in the infos."""
    return parallel(importlib.import_module("supersuit").dtype_v0(env, "float64"))


def rllib(form: str) -> Callable[[Any], int]:
    """RLlib's wrapper of a form: ParallelPettingZooEnv, or PettingZooEnv of the AEC form."""

    def play(env: Any) -> int:
        wrapped = getattr(importlib.import_module("ray.rllib.env.wrappers.pettingzoo_env"), form)(env)
        rng, steps = np.random.default_rng(1), 0
        while steps < STEPS:
            seen, _ = wrapped.reset(seed=steps + 1)
            over = False
            while not over and steps < STEPS:
                seen, _, ended, stopped, _ = wrapped.step({a: chosen(rng, o["action_mask"]) for a, o in seen.items()})
                over, steps = ended["__all__"] or stopped["__all__"], steps + 1
        return steps

    return play


CLIENTS: dict[str, tuple[str, Callable[[Any], int], Callable[[str], Any]]] = {
    "TorchRL, AEC": ("torchrl", torchrl, make_aec),
    "TorchRL, Parallel": ("torchrl", torchrl, make_parallel),
    "TorchRL, AEC, masks in infos": ("torchrl", torchrl, lambda game: make_aec(game, mask="info")),
    "Tianshou, AEC": ("tianshou", tianshou, make_aec),
    "SuperSuit, AEC, masks in infos": ("supersuit", supersuit_aec, lambda game: make_aec(game, mask="info")),
    "SuperSuit, Parallel, masks in infos": (
        "supersuit", supersuit_parallel, lambda game: make_parallel(game, mask="info"),
    ),
    "RLlib, AEC": ("ray.rllib", rllib("PettingZooEnv"), make_aec),
    "RLlib, Parallel": ("ray.rllib", rllib("ParallelPettingZooEnv"), make_parallel),
}  # fmt: skip


def main() -> int:
    """How many pairs of a client and a game failed; a client that is missing counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="games (default: all)")
    parser.add_argument("--only", default="", help="clients whose name holds this text")
    given = parser.parse_args()
    warnings.simplefilter("ignore")  # the clients' own
    failed = 0
    for name, (package, play, make) in CLIENTS.items():
        if given.only.lower() not in name.lower():
            continue
        try:
            importlib.import_module(package)
        except ImportError as error:
            print(f"{name}: not installed ({error})", flush=True)
            failed += 1
            continue
        wrong = []
        for game in given.games or game_names():
            try:
                play(make(game))
            except Exception:  # whatever a client raises is its answer, and is shown
                wrong.append(f"  {game}: {traceback.format_exc(limit=-2)}")
        print(f"{name}: {len(wrong)} failed", *wrong, sep="\n", flush=True)
        failed += len(wrong)
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
