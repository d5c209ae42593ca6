"""Trained policies as an agent: `policy` plays the shipped one of the game, `policy:file=PATH` one of your own."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..envs.core.game import Game, GameSpec
from ..envs.core.modules.load import load_modules
from ..envs.core.registry import system_of
from ..envs.core.rooms import folder_of, system_names
from .advice import Advice
from .base import Agent, AgentError, Param, Requests, View
from .policy_file import Policy, load_policy
from .policy_net import PolicyError, draw

SUFFIX = ".safetensors"


def shipped_policies() -> dict[str, Path]:
    """Files of the policies that ship with the package, by name.

    The name is the game's, or for a policy made for one scenario `GAME--SCENARIO`.
    """
    rooms = [folder_of(system, "training") for system in system_names()]
    found = [path for room in rooms if room is not None for path in (room / "policies").glob(f"*{SUFFIX}")]
    return {path.name.removesuffix(SUFFIX): path for path in sorted(found, key=lambda path: path.name)}


def shipped_path(game: Game) -> Path:
    """The file of the shipped policy that plays a game: that of its scenario, else that of the game, else what fits.

    Raises PolicyError if there is none.
    """
    return _shipped(game)[0]


def shipped_policy(game: Game) -> Policy:
    """The policy in `shipped_path(game)`; raises PolicyError if there is none."""
    return _shipped(game)[1]


def _shipped(game: Game) -> tuple[Path, Policy]:
    found = {n: p for n, p in shipped_policies().items() if n == game.name or n.startswith(f"{game.name}--")}
    own = f"{game.name}--{game.spec.scenario}"
    reasons = []
    for name in sorted(found, key=lambda name: (name != own, name)):  # the game's own name comes before those with `--`
        path = found[name]
        policy = load_policy(path)
        wrong = policy.manifest.differences(game)
        if "--" in name and name != own and _modules(game.name, policy.manifest.scenario) != _modules_of(game.spec):
            wrong = ["it was made for that preset alone, with other rule modules", *wrong]
        if not wrong:
            return path, policy
        reasons.append(f"{policy.manifest.scenario}: {wrong[0]}")
    why = f"none that fits ({'; '.join(reasons)})" if reasons else "none"
    raise PolicyError(
        f"of the shipped policies, {why} plays {game.name} ({game.spec.scenario}): train one with "
        f"`probespiel train {game.name} --scenario {game.spec.scenario} --out FILE{SUFFIX}` and give it as file=PATH"
    )


def _modules(name: str, scenario: str) -> frozenset[str]:
    """Names of the modules of a preset."""
    return _modules_of(system_of(name).spec(name, scenario, {}, {}))


def _modules_of(spec: GameSpec) -> frozenset[str]:
    return frozenset(spec.options.get("modules") or {})


def ships_for(game: Game) -> bool:
    """Whether a policy that fits a game ships."""
    try:
        shipped_policy(game)
    except PolicyError:
        return False
    return True


def knows_rules(game: Game) -> bool:
    """Whether a policy that fits a game ships, and learned with the same rule modules, parameters and holders too."""
    try:
        policy = shipped_policy(game)
    except PolicyError:
        return False
    learnt = system_of(game.name).spec(game.name, policy.manifest.scenario, {}, {})
    return _modules_of(learnt) == _modules_of(game.spec) and _values_of(learnt) == _values_of(game.spec)


def _values_of(spec: GameSpec) -> dict[str, bytes]:
    """What the parameter record holds of rule modules: their parameters, and who has them."""
    modules = load_modules(system_of(spec.name).interface, spec.options.get("modules"))
    return {name: spec.params[name].tobytes() for name, *_ in modules.param_fields()}


class PolicyAgent(Agent):
    """A trained policy, drawn from its chances.

    It plays every game with the same layouts of observations and actions as the one that it was trained for, other
    scenarios included. Answers depend on the decision's seed alone, not on which decisions are asked together.
    """

    params = (
        Param("file", None, "file of the policy; none: the one that ships for the game", kind=str, optional=True),
        Param(
            "temperature",
            None,
            "below 1: likelier actions more often; 0: the likeliest; none: that of its training",
            0.0,
            100.0,
            (),
            float,
            optional=True,
        ),
    )

    def __init__(self, file: str | None = None, temperature: float | None = None) -> None:
        values = {p.name: p.check(v) for p, v in zip(self.params, (file, temperature))}
        self.file: str | None = values["file"]
        self.temperature: float | None = values["temperature"]
        self.name = "policy"
        self._loaded: Policy | None = None
        self._advice = Advice(())
        self._game: Game | None = None

    @classmethod
    def of(cls, policy: Policy) -> PolicyAgent:
        """An agent that plays a policy that is loaded already."""
        agent = cls(file="")
        agent._loaded = policy
        return agent

    def prepare(self, game: Game) -> None:
        """Load the policy; raises AgentError if it is missing, damaged, or does not fit the game."""
        self.policy_for(game)

    def policy_for(self, game: Game) -> Policy:
        """What it plays in a game; raises AgentError as `prepare`."""
        if self._loaded is None or self._game is not game:
            try:
                if self.file is None:
                    self._loaded = shipped_policy(game)
                else:
                    self._loaded = self._loaded or load_policy(self.file)
                    self._loaded.manifest.check(game)
            except PolicyError as error:
                raise AgentError(f"agent {self.name!r}: {error}") from None
            self._advice = Advice(self._loaded.manifest.network.advisers)
            self._advice.prepare(game)
            self._game = game
        return self._loaded

    def probabilities(self, requests: Requests) -> np.ndarray:
        """The chances of all actions, float64[m, A]."""
        policy = self.policy_for(requests.game)
        temperature = policy.manifest.temperature if self.temperature is None else self.temperature
        return policy.net.probabilities(self._advice.beside(requests), requests.masks, temperature)

    def looks_at(self, game: Game) -> frozenset[str] | None:
        """The pieces of the observation that its network gives any weight; None if it hears advisers."""
        policy = self.policy_for(game)
        network = policy.manifest.network
        if network.advisers:
            return None
        heard = np.any(policy.net.weights["trunk.weight"] != 0, axis=0)
        for group in network.groups:
            heard[group.index()] = True
        starts = game.layout.offsets
        return frozenset(
            piece.name
            for piece in game.layout.pieces
            if heard[starts[piece.name] : starts[piece.name] + piece.size].any()
        )

    def act_batch(self, requests: Requests) -> np.ndarray:
        """Many decisions, int64[m]."""
        return draw(self.probabilities(requests), requests.seeds)

    def act(self, view: View) -> int:
        """One decision."""
        return int(self.act_batch(view.requests)[0])


__all__ = ["PolicyAgent", "knows_rules", "shipped_path", "shipped_policies", "shipped_policy", "ships_for"]
