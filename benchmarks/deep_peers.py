"""Leduc poker learned by peers and by ours in the same processor time: how exploitable each is then.

`python -m benchmarks.deep_peers [--seconds 120] [--seed 1] [--only NAME...]`: OpenSpiel's neural fictitious self-play
and its deep CFR in torch, with the settings of its own examples (nfsp_leduc_pytorch.py, deep_cfr_pytorch.py; they need
`pip install -c constraints.txt dm-tree`), its magnetic mirror descent over the whole game in Python
(mmd_nash_example.py; no network, nothing sampled), and self-play of the native learner with the settings of the game.
One thread each. A line an algorithm: exploitability (NashConv / 2, by OpenSpiel; of ours by our own tree, which agrees)
after so many processor seconds, those of measuring it left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from probespiel.training.selfplay import limit_threads

GAME = "leduc_poker"
LOOKS = 4  # at each algorithm, evenly spread over its time
EPISODES = 50  # of fictitious self-play between two looks at the clock


def nash_conv(game: Any, chances: Callable[..., dict[int, float]]) -> float:
    """What both sides could win by deviating from a policy, summed."""
    import pyspiel
    from open_spiel.python import policy

    tabular = policy.tabular_policy_from_callable(game, chances)
    return float(pyspiel.nash_conv(game, policy.python_policy_to_pyspiel_policy(tabular)))


def fictitious(game: Any, seed: int) -> Iterator[Callable[[], float]]:
    """Neural fictitious self-play; what it yields after some episodes measures its average policy."""
    from open_spiel.python import rl_environment
    from open_spiel.python.pytorch import nfsp

    env = rl_environment.Environment(game.get_type().short_name)
    size, actions = env.observation_spec()["info_state"][0], game.num_distinct_actions()
    agents = [
        nfsp.NFSP(
            seat, size, actions, [128], 2_000_000, 0.1, batch_size=128, rl_learning_rate=0.01, sl_learning_rate=0.01,
            min_buffer_size_to_learn=1000, learn_every=64, optimizer_str="sgd", seed=seed + seat,
            replay_buffer_capacity=200_000, loss_str="mse", update_target_network_every=19_200, discount_factor=1.0,
            epsilon_decay_duration=20_000_000, epsilon_start=0.06, epsilon_end=0.001,
        )
        for seat in range(2)
    ]  # fmt: skip

    def chances(state: Any, of: int | None = None) -> dict[int, float]:
        seat = int(state.current_player() if of is None else of)
        legal = state.legal_actions(seat)
        seen: dict[str, Any] = {"info_state": [None, None], "legal_actions": [None, None], "current_player": seat}
        seen["info_state"][seat], seen["legal_actions"][seat] = state.information_state_tensor(seat), legal
        step = rl_environment.TimeStep(observations=seen, rewards=None, discounts=None, step_type=None)
        with agents[seat].temp_mode_as(nfsp.MODE.AVERAGE_POLICY):
            output: Any = agents[seat].step(step, is_evaluation=True)
        found = output.probs
        return {action: float(found[action]) for action in legal}

    while True:
        for _ in range(EPISODES):
            step = env.reset()
            while not step.last():
                step = env.step([agents[step.observations["current_player"]].step(step).action])
            for agent in agents:
                agent.step(step)
        yield lambda: nash_conv(game, chances)


def deep_cfr(game: Any, seed: int) -> Iterator[Callable[[], float]]:
    """Deep CFR, an iteration at a time; its strategy network is trained when it is measured, as `solve` does last."""
    from open_spiel.python.pytorch import deep_cfr as peer

    solver = peer.DeepCFRSolver(
        game, policy_network_layers=(64,), advantage_network_layers=(64,), num_iterations=1, num_traversals=375,
        reinitialize_advantage_networks=True, learning_rate=1e-3, batch_size_advantage=256, batch_size_strategy=256,
        memory_capacity=100_000, policy_network_train_steps=2500, advantage_network_train_steps=375, seed=seed,
    )  # fmt: skip

    def measured() -> float:
        solver._reinitialize_policy_network()
        solver._learn_strategy_network()
        return nash_conv(game, solver.action_probabilities)

    while True:
        for seat in range(2):
            for _ in range(375):
                solver._traverse_game_tree(solver._root_node, seat)
            solver._reinitialize_advantage_network(seat)
            solver._learn_advantage_network(seat)
        solver._iteration += 1
        yield measured


def mirror_descent(game: Any, seed: int) -> Iterator[Callable[[], float]]:
    """Magnetic mirror descent over all sequences of the game; nothing is drawn, so that `seed` changes nothing."""
    from open_spiel.python.algorithms import mmd_dilated

    solver = mmd_dilated.MMDDilatedEnt(game, alpha=0, stepsize=1)
    while True:
        solver.update_sequences()
        yield lambda: nash_conv(game, solver.get_avg_policies().action_probabilities)


def ours(game: Any, seed: int) -> Iterator[Callable[[], float]]:
    """Self-play of the native learner with the settings of the game, up to the end of its training."""
    from probespiel.agents.exact import GameTree
    from probespiel.agents.policy import PolicyAgent
    from probespiel.agents.policy_file import Policy
    from probespiel.training.config import train_config
    from probespiel.training.selfplay import SelfPlay

    SelfPlay(train_config("leduc", seed=seed), device="cpu").update()  # compiled before it is timed
    training = SelfPlay(train_config("leduc", seed=seed), device="cpu")
    tree = GameTree(training.game)

    def measured() -> float:
        agent = PolicyAgent.of(Policy(training.manifest(), training.net()))
        agent.prepare(training.game)
        return training.game.n_seats * tree.exploitability(tree.profile([agent] * training.game.n_seats))

    yield measured  # what was compiled is not of its time
    while training.progress < 1.0:
        training.update()
        yield measured


ALGORITHMS = {"nfsp": fictitious, "deep_cfr": deep_cfr, "mmd": mirror_descent, "ours": ours}


def measure(name: str, seconds: float, seed: int) -> str:
    """A line of the table."""
    import pyspiel
    import torch

    np.random.seed(seed)
    torch.manual_seed(seed)
    steps = ALGORITHMS[name](pyspiel.load_game(GAME), seed)
    if name == "ours":
        next(steps)
    spent, found, measured = 0.0, [], None
    while spent < seconds:
        began = time.process_time()
        look = next(steps, None)
        spent += time.process_time() - began
        if look is None:
            break
        measured = look
        if spent < seconds and spent >= seconds * (len(found) + 1) / LOOKS:
            found.append(f"{measured() / 2:.3f} ({spent:.0f} s)")
    if measured is None:
        raise RuntimeError(f"{name} made no step")
    found.append(f"**{measured() / 2:.3f}** ({spent:.0f} s)")
    return f"| {name} | {seed} | {', '.join(found)} |"


def main() -> None:
    """Measure the algorithms that are named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deep_peers", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0, help="of processor time, each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=list(ALGORITHMS), default=list(ALGORITHMS), metavar="NAME")
    given = parser.parse_args()
    if {"nfsp", "deep_cfr"} & set(given.only) and importlib.util.find_spec("tree") is None:
        parser.error("nfsp and deep_cfr of OpenSpiel need dm-tree: pip install -c constraints.txt dm-tree")
    limit_threads(1)
    print("| algorithm | seed | exploitability after so many processor seconds |\n|---|---|---|")
    for name in given.only:
        print(measure(name, given.seconds, given.seed), flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
