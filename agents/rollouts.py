"""Who plays the games that a search imagines: compiled baselines, and trained policies compiled like them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..envs.core.build import general_function
from ..envs.core.game import Game
from ..envs.core.jit import config
from .base import Agent, AgentError, NativePolicy, Requests, View
from .declaration import lineup_of
from .native import native_policy, of_another, play_native
from .net_calls import address_of_part
from .net_layout import BASE, ROW, TRUNK_BIAS, Work, net_of, pack
from .net_pass import forward, look
from .policy import SUFFIX, PolicyAgent, knows_rules, shipped_policy
from .policy_file import Policy, load_policy
from .policy_kernel import WORDS, learned
from .policy_net import PolicyError
from .vectors import aligned

SHIPPED = "policy"  # the name of the policy that ships for a game


def rollout_policy(game: Game, name: str) -> NativePolicy:
    """A baseline by name, `policy` for the trained one that ships for the game, or the file of a policy.

    A trained policy has working memory of its own, so that each thread needs one. Raises AgentError.
    """
    if name != SHIPPED and not name.endswith(SUFFIX):
        return native_policy(game, name)
    try:
        if name == SHIPPED:
            policy = shipped_policy(game)
        else:
            policy = load_policy(Path(name))
            policy.manifest.check(game)
    except PolicyError as error:
        raise AgentError(f"{name}: {error}") from None
    return of_another(game, native_learned(game, policy))


def follows_policy(game: Game) -> bool:
    """Whether a search that is not told otherwise follows the trained policy that ships.

    The lineup says that this gains (`policy_margin`), the policy has met these rules, and the baselines of the rollouts
    are no solution of them.
    """
    lineup = lineup_of(game)
    if lineup.policy_margin is None or not knows_rules(game):
        return False
    return lineup.solved is None or lineup.solved(game) <= 0.0


def rollouts_of(game: Game, names: str, guided: bool = False) -> tuple[list[NativePolicy | None], np.ndarray]:
    """Who plays rollouts: names of `rollout_policy` joined by +, or `auto` for the game's choice; None for `random`.

    With them their addresses, int64[k], -1 for `random`. `guided`: the search follows the policy that ships, which then
    plays them where the game says so. Raises AgentError for one that does not play the game.
    """
    lineup = lineup_of(game)
    chosen = SHIPPED if guided and lineup.policy_plays and follows_policy(game) else lineup.rollout_in(game)
    text = chosen if names == "auto" else names
    stripped = [name.strip() for name in text.split("+")]
    policies = [None if name == "random" else rollout_policy(game, name) for name in stripped]
    return policies, np.array([-1 if found is None else found.which for found in policies], dtype=np.int64)


@dataclass(frozen=True)
class Room:
    """Working memory of a trained policy that is compiled; a block of `policy_kernel` names it by addresses.

    `vector` holds the weights, `work` what the network makes of a decision. The others are float32[L] what is seen,
    int32 and float32[L + A + 1] what is listed of it, int64[words] the legal set, int64[k, 2] and int32[k] the
    advisers and what they say, uint64[1] their dice, float64[1] the temperature.
    """

    layout: np.ndarray
    vector: np.ndarray
    work: Work
    seen: np.ndarray
    index: np.ndarray
    values: np.ndarray
    legal: np.ndarray
    called: np.ndarray
    advice: np.ndarray
    dice: np.ndarray
    heat: np.ndarray
    advisers: tuple[NativePolicy, ...]

    def block(self) -> np.ndarray:
        """The block, int64[WORDS]; raises AgentError if that is of another length."""
        numbers = [address_of_part(look), address_of_part(forward)]
        numbers += [self.layout.ctypes.data, self.vector.ctypes.data, self.work.at.ctypes.data, len(self.seen)]
        numbers += [a.ctypes.data for a in (self.seen, self.index, self.values, self.legal)]
        numbers += [len(self.legal), len(self.advisers)]
        numbers += [a.ctypes.data for a in (self.called, self.advice, self.dice, self.heat)]
        if len(numbers) != WORDS:
            raise AgentError(f"a block of {len(numbers)} words, {WORDS} are needed")
        return np.array(numbers, dtype=np.int64)


def native_learned(game: Game, policy: Policy, temperature: float | None = None) -> NativePolicy:
    """A trained policy, which must fit the game, compiled; its `keep` ends with its own `Room`.

    It plays at a temperature, without one at that of its training.
    """
    blueprint = policy.manifest.network
    advisers = tuple(native_policy(game, name) for name in blueprint.advisers)
    net = net_of(blueprint, True)
    vector = aligned(net.size)
    pack(blueprint, net, policy.net.weights, vector)
    at = net.layout.tolist()
    vector[at[BASE] : at[BASE] + at[ROW]] = vector[at[TRUNK_BIAS] : at[TRUNK_BIAS] + at[ROW]]  # nothing is usual
    heat = policy.manifest.temperature if temperature is None else temperature
    inputs = blueprint.inputs + 1  # a list is written one further than it reaches
    room = Room(
        net.layout, vector, Work(net),
        np.zeros(blueprint.observation, np.float32), np.zeros(inputs, np.int32), np.zeros(inputs, np.float32),
        np.zeros(game.words, np.int64), np.array([(a.address, a.which) for a in advisers], dtype=np.int64),
        np.zeros(len(advisers), np.int32), np.zeros(1, np.uint64), np.array([heat], np.float64), advisers,
    )  # fmt: skip
    function, block = general_function(learned), room.block()
    return NativePolicy(function.address, block.ctypes.data, (function, block, room), function.pending)


class QuickPolicy(Agent):
    """A trained policy that answers in compiled code, for trainings: its chances are rounded to float32."""

    def __init__(self, policy: PolicyAgent) -> None:
        self.policy, self.name = policy, policy.name
        self._natives: dict[int, tuple[Game, NativePolicy]] = {}

    def prepare(self, game: Game) -> None:
        """Load and compile it; raises AgentError if it is missing, damaged, or does not fit the game."""
        if id(game) not in self._natives:
            made = native_learned(game, self.policy.policy_for(game), self.policy.temperature)
            self._natives[id(game)] = game, made

    def native(self, game: Game) -> NativePolicy:
        """What plays whole games in compiled code."""
        self.prepare(game)
        return self._natives[id(game)][1]

    def act(self, view: View) -> int:
        """One decision."""
        return int(self.act_batch(view.requests)[0])

    def act_batch(self, requests: Requests) -> np.ndarray:
        """Many decisions, int64[m]."""
        return play_native(self.native(requests.game), requests)


def quick(agent: Agent) -> Agent:
    """An agent as it answers fastest: a trained policy compiled, if anything is; else itself."""
    # numpy is faster where nothing is compiled
    return QuickPolicy(agent) if isinstance(agent, PolicyAgent) and not config.DISABLE_JIT else agent


__all__ = [
    "SHIPPED", "QuickPolicy", "Room", "follows_policy", "native_learned", "quick", "rollout_policy", "rollouts_of",
]  # fmt: skip
