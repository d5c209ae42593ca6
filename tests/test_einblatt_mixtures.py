"""What a baseline of einBlatt that shuffles its best cards draws from, as it is told to those who learn from it."""

from __future__ import annotations

import numpy as np
import pytest

from probespiel.agents.advice import Advice
from probespiel.agents.base import Requests
from probespiel.agents.by_position import chances_of
from probespiel.agents.policy_net import blueprint_of
from probespiel.agents.registry import make_agent
from probespiel.envs import make_game
from probespiel.envs.core.game import Game
from probespiel.envs.einblatt.state import Phase
from probespiel.training.lessons import Classroom
from probespiel.training.pupil import Pupil
from probespiel.training.tables import Tables
from tests.random_positions import somewhere

DRAWS = 2_000  # of one decision


def met(game: Game, seed: int) -> Requests:
    """One decision of a random game, asked so many times."""
    rng = np.random.default_rng(seed)
    position = somewhere(game, rng, seed, 25)
    states = np.tile(np.frombuffer(position.to_bytes(), dtype=np.uint8), (DRAWS, 1))
    seeds = rng.integers(1, 2**63, DRAWS, dtype=np.uint64)
    return Requests.gather(game, states, np.arange(DRAWS), np.full(DRAWS, position.to_act()[0]), 0, seeds, 0)


@pytest.mark.parametrize(
    ("name", "scenario", "teacher", "counts"),
    [
        ("einblatt-duel", "storm", "best3_shuffled", {1, 2, 3}),
        ("einblatt-duel", "billy_tree", "greedy_rescore", {1, 2, 3}),
        ("einblatt-campaign", "table32_session", "best3_shuffled", {1, 2, 3}),
        (
            "einblatt-melee",
            "tug_of_war",
            "best3_shuffled",
            {1, 2, 3},
        ),  # of three cards while there are three, whatever rounds are left
    ],
)
def test_chances_are_those_of_what_is_drawn(name: str, scenario: str, teacher: str, counts: set[int]) -> None:
    """Each of the best plays as often as it is drawn, passes among them; six standard errors at most."""
    game, agent = make_game(name, scenario), make_agent(teacher)
    agent.prepare(game)
    found = set()
    for seed in range(40):
        requests = met(game, seed)
        chances = chances_of(agent, requests)
        assert chances is not None and np.all(chances[0] == chances) and chances[0].sum() == pytest.approx(1.0)
        often = np.bincount(agent.act_batch(requests), minlength=game.n_actions) / DRAWS
        assert np.abs(often - chances[0]).max() <= 6 * 0.5 / DRAWS**0.5
        if game.spec.phases[int(requests.phases[0])].lower() == Phase.COMMIT.name.lower():
            found.add(int((chances[0] > 0).sum()))
    assert found == counts


def test_who_learns_from_it_is_told_its_chances() -> None:
    """Three best cards a third each, and not the one that happened to be drawn."""
    game = make_game("einblatt-duel", "even_duel")
    teacher, advice = make_agent("best3_shuffled"), Advice(())
    teacher.prepare(game)
    blueprint = blueprint_of(game, hidden=8)
    nothing = {name: np.zeros(shape, np.float32) for name, shape in blueprint.shapes().items()}
    room = Classroom([game], [teacher], Pupil(blueprint, nothing), advice, seed=1)
    tables = Tables([game], [16], room, 1, advice)
    tables.reset()
    goals = room.advice(tables, np.arange(1, 17, dtype=np.uint64))[1]
    assert np.allclose(np.sort(goals, axis=1)[:, -4:], [0, 1 / 3, 1 / 3, 1 / 3])
