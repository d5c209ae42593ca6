"""One table of speeds, ours and those of peers, measured in one run on one pinned core.

Every row is the median of several rounds of CPU seconds; ours and its peer alternate. Loops are written the same way
for both sides. `--quick` shortens the rounds.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

GOOFSPIEL_DECISIONS = 14  # seven rounds of two bids; the last card of each player plays itself


@dataclass
class Row:
    """One line of the table: rates in 1/s, and the ratio if there is a peer."""

    what: str
    unit: str
    rate: float
    peer: str = ""
    peer_rate: float | None = None

    def cells(self) -> tuple[str, ...]:
        """The columns as text."""
        peer = f"{self.peer_rate:,.0f}" if self.peer_rate is not None else ""
        ratio = f"{self.rate / self.peer_rate:.1f}x" if self.peer_rate else ""
        return self.what, self.unit, f"{self.rate:,.0f}", self.peer, peer, ratio


def rate(work: Callable[[], int], seconds: float) -> float:
    """Units of work a CPU second: `work()` is repeated for about `seconds`."""
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        done += work()
    return done / spent


def versus(what: str, unit: str, ours: Callable[[], int], peer: str, theirs: Callable[[], int], t: float) -> Row:
    """Alternate five rounds of ours and of the peer; medians."""
    ours(), theirs()
    pairs = [(rate(ours, t), rate(theirs, t)) for _ in range(5)]
    return Row(what, unit, median(a for a, _ in pairs), peer, median(b for _, b in pairs))


def alone(what: str, unit: str, ours: Callable[[], int], t: float) -> Row:
    """Median of five rounds of ours."""
    ours()
    return Row(what, unit, median(rate(ours, t) for _ in range(5)))


def goofspiel_from_python() -> int:
    """Fifty random games of OpenSpiel's goofspiel, driven from Python; decisions taken."""
    import pyspiel

    game = pyspiel.load_game("goofspiel(num_cards=8,imp_info=True)")
    moves = 0
    for _ in range(50):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(random.random() * len(outcomes))][0])
            elif state.is_simultaneous_node():
                actions = []
                for player in (0, 1):
                    legal = state.legal_actions(player)
                    actions.append(legal[int(random.random() * len(legal))])
                state.apply_actions(actions)
                moves += 2
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(random.random() * len(legal))])
                moves += 1
    return moves


def goofspiel_in_cpp() -> int:
    """Fifty random games of OpenSpiel's goofspiel, played by its own C++ loop and C++ bots; decisions taken."""
    import pyspiel

    game = pyspiel.load_game("goofspiel(num_cards=8,imp_info=True)")
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in (0, 1)]
    for _ in range(50):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, int(random.random() * 1e9))
    return 50 * GOOFSPIEL_DECISIONS


def batch_rows(t: float) -> list[Row]:
    """Random play in the batch driver, and with observations and masks for every seat to act."""
    from probespiel.envs import make_game
    from probespiel.envs.core.batch import Batch

    rows = []
    for name, tables in (("einblatt-duel", 4096), ("einblatt-melee", 512)):
        batch = Batch(make_game(name), tables)

        def play(batch: Batch = batch) -> int:
            return batch.play_random(4).decisions

        rows.append(
            versus(f"{name} batch, random play", "moves", play, "OpenSpiel goofspiel, Python", goofspiel_from_python, t)
        )
        rows.append(
            versus(f"{name} batch, random play", "moves", play, "OpenSpiel goofspiel, C++", goofspiel_in_cpp, t)
        )

    batch = Batch(make_game("einblatt-duel"), 512)  # so many that what is written stays in the cache
    batch.start()

    def observed() -> int:
        batch.read()
        batch.draw_random()
        batch.step()
        return int(np.bitwise_count(batch.bits).sum())

    rows.append(alone("einblatt-duel batch, 512 tables, observations and masks of all seats", "decisions", observed, t))
    return rows


def scorekeeper_rows(t: float) -> list[Row]:
    """Random play of fights in the batch driver: a duel, and four against four."""
    from probespiel.envs import make_game
    from probespiel.envs.core.batch import Batch

    rows = []
    for name, tables in (("scorekeeper-duel", 2048), ("scorekeeper-skirmish", 512)):
        batch = Batch(make_game(name), tables)

        def play(batch: Batch = batch) -> int:
            return batch.play_random(4).decisions

        rows.append(alone(f"{name} batch, random play", "decisions", play, t))
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


def konfrontation_rows(t: float) -> list[Row]:
    """Random play of campaigns of two and of five factions, and exact clashes with eight power on each side."""
    from probespiel.agents.konfrontation.equilibrium import ConfrontationSolver, forget_bid_games
    from probespiel.envs import make_game
    from probespiel.envs.core.batch import Batch

    rows = []
    for scenario in ("duel", "council"):
        batch = Batch(make_game("konfrontation-campaign", scenario), 512)

        def decide(batch: Batch = batch) -> int:
            return batch.play_random(4).decisions

        rows.append(alone(f"konfrontation-campaign batch, random play, {scenario}", "decisions", decide, t))
    setup = make_game("konfrontation-clash", "debate").spec.options["factions"]
    rich = {name: {**faction, "power": 8} for name, faction in setup.items()}
    clash = make_game("konfrontation-clash", "debate", factions=rich, max_ties=10)

    def solved() -> int:
        forget_bid_games()
        ConfrontationSolver(clash).value(clash.position())
        return 1

    rows.append(alone("konfrontation-clash solved, 8 power each", "clashes", solved, t))
    return rows


def oneshot_rows(t: float) -> list[Row]:
    """Random play of skirmishes, one against one and four against four, and missions from nothing to their first
    decision (scenario, conditions and map)."""
    from probespiel.envs import make_game
    from probespiel.envs.core.batch import Batch

    rows = []
    for scenario, tables, what in (("duel_mirror", 1024, "1 against 1"), ("party_battle", 128, "4 against 4")):
        batch = Batch(make_game("oneshot-skirmish", scenario), tables)

        def play(batch: Batch = batch) -> int:
            return batch.play_random(1).decisions

        rows.append(alone(f"oneshot-skirmish batch, random play, {what}", "decisions", play, t))
    missions = Batch(make_game("oneshot-mission", "random", sg=3), 512)

    def generate() -> int:
        missions.start()
        return 512

    rows.append(alone("oneshot-mission, generation at difficulty 3", "missions", generate, t))
    return rows


def aec_work(env: Any, masked: bool) -> Callable[[], int]:
    """Whole games of an AEC environment in PettingZoo's own loop; agent steps."""

    def work() -> int:
        env.reset(seed=int(random.random() * 1e9))
        steps = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                action = None
            elif masked:
                legal = observation["action_mask"].nonzero()[0]
                action = int(legal[int(random.random() * len(legal))])
            else:
                action = int(random.random() * 3)
            env.step(action)
            steps += 1
        return steps

    return work


def parallel_work(env: Any, masked: bool) -> Callable[[], int]:
    """Whole games of a parallel environment; agent steps."""

    def work() -> int:
        observations, _ = env.reset(seed=int(random.random() * 1e9))
        steps = 0
        while env.agents:
            actions = {}
            for agent in env.agents:
                if masked:
                    legal = observations[agent]["action_mask"].nonzero()[0]
                    actions[agent] = int(legal[int(random.random() * len(legal))])
                else:
                    actions[agent] = int(random.random() * 3)
            observations, *_ = env.step(actions)
            steps += len(actions)
        return steps

    return work


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


def ews_rps_rows(t: float) -> list[Row]:
    """Tests by rock-paper-scissors: random play, the plain game beside PettingZoo's, and the strongest predictor."""
    from pettingzoo.classic import rps_v2

    from probespiel.agents.match import Match, Schedule
    from probespiel.envs import make_game
    from probespiel.envs.core.aec import ProbespielAEC
    from probespiel.envs.core.batch import Batch
    from probespiel.envs.core.parallel import ProbespielParallel

    batch = Batch(make_game("ews_rps"), 512)

    def rounds() -> int:
        return batch.play_random(8).decisions // 2  # both sides choose in every round

    # the same game as rps_v2: fifteen rounds, each scored by itself; every symbol is legal, so that both draw unmasked
    plain = make_game(
        "ews_rps", "plain_rps", tests=[{"kind": "contest", "attacker_value": 0, "defender_value": 0}] * 15
    )
    rows = [
        alone("ews_rps batch, random play", "rounds", rounds, t),
        versus(
            "ews_rps AEC, plain game", "agent steps", aec_work(ProbespielAEC(plain), False), "rps_v2",
            aec_work(rps_v2.env(), False), t,
        ),
        versus(
            "ews_rps Parallel, plain game", "agent steps", parallel_work(ProbespielParallel(plain), False),
            "rps_v2 parallel", parallel_work(rps_v2.parallel_env(), False), t,
        ),
    ]  # fmt: skip
    with Match(make_game("ews_rps", "plain_rps"), ["mixture", "uniform"], 1, None) as match:
        seating = np.array([[0, 1]] * 4)

        def throws() -> int:
            match.play(Schedule.of(1, np.arange(4), seating))
            return 4000

        rows.append(alone("ews_rps mixture against uniform, 1000 throws", "throws", throws, t))
    return rows


def training_rows(t: float) -> list[Row]:
    """Decisions a second while MaskablePPO learns: our VecEnv, and DummyVecEnv over single environments."""
    import gymnasium
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    from probespiel.envs import make_game
    from probespiel.envs.core.aec import ProbespielAEC
    from probespiel.envs.core.vec_env import ProbespielVecEnv

    torch.set_num_threads(1)
    game = make_game("einblatt-duel")

    class Single(gymnasium.Env[np.ndarray, Any]):
        """The usual route: one seat of an AEC environment, the other answered at random inside step."""

        def __init__(self) -> None:
            self.env = ProbespielAEC(game)
            self.observation_space = gymnasium.spaces.Box(-1, 1, (game.layout.size,), np.float32)
            self.action_space: Any = gymnasium.spaces.Discrete(game.n_actions)
            self.seat = 0

        def _until_mine(self) -> tuple[np.ndarray, float, bool]:
            me = self.env.possible_agents[self.seat]
            reward = 0.0
            while True:
                seen, _, terminated, truncated, _ = self.env.last()
                if terminated or truncated:
                    return np.zeros(game.layout.size, np.float32), self.env._cumulative_rewards.get(me, 0.0), True
                assert seen is not None
                self.mask = seen["action_mask"]
                if self.env.agent_selection == me:
                    return seen["observation"], reward, False
                legal = self.mask.nonzero()[0]
                self.env.step(int(legal[int(random.random() * len(legal))]))

        def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
            self.env.reset(seed=seed)
            self.seat ^= 1
            return self._until_mine()[0], {}

        def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
            self.env.step(int(action))
            observation, reward, over = self._until_mine()
            return observation, reward, over, False, {}

        def action_masks(self) -> np.ndarray:
            return self.mask

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
    usual = learner(DummyVecEnv([Single for _ in range(8)]), 8)
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


def main() -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short rounds (noisier)")
    known = (
        "batch", "scorekeeper", "campaign", "oneshot", "pettingzoo", "ews_rps", "konfrontation", "training", "search",
    )  # fmt: skip
    parser.add_argument("--only", choices=known, help="one group of rows")
    arguments = parser.parse_args()
    t = 0.3 if arguments.quick else 1.0
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    groups: dict[str, Callable[[float], list[Row]]] = {
        "batch": batch_rows,
        "scorekeeper": scorekeeper_rows,
        "campaign": campaign_rows,
        "oneshot": oneshot_rows,
        "pettingzoo": pettingzoo_rows,
        "ews_rps": ews_rps_rows,
        "konfrontation": konfrontation_rows,
        "training": training_rows,
        "search": search_rows,
    }
    rows = [row for name, group in groups.items() if arguments.only in (None, name) for row in group(t)]
    header = ("what", "unit", "per second", "peer in the same run", "peer per second", "ratio")
    table = [header, *[row.cells() for row in rows]]
    widths = [max(len(line[i]) for line in table) for i in range(len(header))]
    for number, line in enumerate(table):
        cells = [
            c.rjust(w) if i in (2, 4, 5) else c.ljust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True))
        ]
        print("| " + " | ".join(cells) + " |")
        if number == 0:
            print("|" + "|".join("-" * (w + 2) for w in widths) + "|")
    if arguments.only in (None, "batch"):
        memory = subprocess.run(
            [sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True
        ).stdout.strip()
        print(f"\npeak memory of 4096 duel tables with observations, beyond imports and rules: {float(memory):.0f} MB")
    print(f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
