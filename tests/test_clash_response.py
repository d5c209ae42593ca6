"""Best responses in clashes by position (`benchmarks.clash_response`) against trees, and how near the policy comes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.clash_response import SCENARIOS, exploitability, forgets
from probespiel.agents.base import Agent, Requests
from probespiel.agents.exact import GameTree
from probespiel.agents.konfrontation.equilibrium import EquilibriumAgent
from probespiel.agents.policy import PolicyAgent, shipped_path
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.training.config import train_config
from probespiel.training.selfplay import SelfPlay


class Moody(Agent):
    """Chances by all that a seat sees but what was bid before the last tie."""

    def __init__(self, game: Game) -> None:
        pieces = {piece.name: piece.size for piece in game.layout.pieces}
        self.weights = np.random.default_rng(3).random(game.layout.size)
        start = game.layout.offsets["history"]
        self.weights[start : start + pieces["history"]] = 0.0

    def probabilities(self, requests: Requests) -> np.ndarray:
        """Any legal action, some likelier than others."""
        mood = (requests.observations @ self.weights)[:, None] * np.arange(1, requests.masks.shape[1] + 1)
        chances = np.where(requests.masks != 0, 0.05 + mood % 1.0, 0.0)
        return chances / chances.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("scenario", ["strongbox", "burn_the_books"])
def test_best_responses_are_those_of_the_whole_tree(scenario: str) -> None:
    """With two ties at most it can be enumerated, with all that was bid before."""
    game = make_game("konfrontation-clash", scenario, max_ties=2)
    agent = Moody(game)
    tree = GameTree(game)
    profile = tree.profile([agent, agent])
    found, got, _, positions = exploitability(game, agent)
    assert got == pytest.approx([tree.best_response(seat, profile).value for seat in (0, 1)], abs=1e-9)
    assert found == pytest.approx(tree.exploitability(profile), abs=1e-9) and found > 0.3
    assert positions < tree.n_nodes / 3


@pytest.mark.parametrize("scenario", ["strongbox", "monster"])
def test_nobody_exploits_the_equilibrium(scenario: str) -> None:
    game = make_game("konfrontation-clash", scenario)
    found, (first, second), value, _ = exploitability(game, EquilibriumAgent())
    assert found == pytest.approx(0.0, abs=1e-6) and first == pytest.approx(value, abs=1e-6)
    assert second == pytest.approx(-value, abs=1e-6)


def test_who_goes_by_the_bids_before_is_found_out(tmp_path: Path) -> None:
    game = make_game("konfrontation-clash")
    small = {"tables": 8, "steps": 4, "batch": 16, "epochs": 1, "hidden": 4, "evaluate_games": 20, "decisions": 32}
    for ignore in ((), ("history",)):
        settings = small | {"teacher": "zero_bid", "lessons": 128, "settle": 100, "ignore": ignore}
        training = SelfPlay(train_config("konfrontation-clash", **settings))
        training.run()
        path = tmp_path / "policy.safetensors"
        training.save_policy(path)
        assert forgets(path, game) == bool(ignore)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_policy_that_ships_is_hardly_exploited(scenario: str) -> None:
    """But in `monster`, where ten ties may be sought; self-play and lessons without them lose 2.5 there."""
    game = make_game("konfrontation-clash", scenario)
    assert forgets(shipped_path(game), game)
    assert exploitability(game, PolicyAgent())[0] < (0.7 if scenario == "monster" else 0.07)
