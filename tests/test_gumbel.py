"""The root by sequential halving: how simulations are shared out, what a policy's chances count, and what is found."""

from __future__ import annotations

import numpy as np
import pytest

from probespiel.agents.base import AgentError, View
from probespiel.agents.gumbel import MOST, Draw, halving
from probespiel.agents.policy import PolicyAgent
from probespiel.agents.search import SearchAgent
from probespiel.envs import make_game
from probespiel.envs.core.game import Position
from tests.games import nim_game


@pytest.mark.parametrize(
    ("sims", "actions", "rounds"),
    [
        (96, 8, [(8, 4), (4, 8), (2, 16)]),
        (100, 8, [(8, 4), (4, 8), (2, 18)]),
        (10, 3, [(3, 1), (2, 3)]),
        (5, 16, [(5, 1)]),
        (7, 4, [(4, 1), (2, 1)]),
        (7, 1, [(1, 7)]),
        (1, 4, [(1, 1)]),
    ],
)
def test_rounds_by_hand(sims: int, actions: int, rounds: list[tuple[int, int]]) -> None:
    assert halving(sims, actions) == rounds
    assert sum(left * each for left, each in rounds) <= sims


def test_what_is_drawn_comes_from_the_policy() -> None:
    """Without noise the likeliest; with it the first is drawn by the policy's chances (the Gumbel-max trick)."""
    legal, chances = np.array([1, 4, 6, 7]), np.zeros(8)
    chances[[1, 4, 6, 7]] = 0.1, 0.6, 0.3, 0.0
    still = Draw.of(legal, chances, 1, 0.0)
    assert still.actions.tolist() == [4, 6, 1, 7] and not still.noise.any()
    assert np.exp(still.logits[:3]) == pytest.approx([0.6, 0.3, 0.1], abs=1e-5)
    first = np.array([Draw.of(legal, chances, seed, 1.0).actions[0] for seed in range(2000)])
    for action in (1, 4, 6):  # four standard errors
        p = chances[action]
        assert (first == action).mean() == pytest.approx(p, abs=4 * (p * (1 - p) / 2000) ** 0.5)
    assert len(Draw.of(np.arange(40), None, 1, 1.0).actions) == MOST


def test_ranks_and_the_improved_policy_by_hand() -> None:
    """Trust (50 + 10) / 10 = 6: a value 0.5 better outweighs e^3 = 20 times the chance, and no more."""
    draw = Draw(np.array([3, 5, 8]), np.zeros(3), np.log([0.9, 0.06, 0.04]))
    visits, values = np.array([10.0, 10.0, 0.0]), np.array([0.2, 0.7, 9.0])
    assert draw.trust(visits) == pytest.approx(6.0)
    assert draw.ranked(visits, values).tolist() == [1, 0, 2]  # 0.9 : 0.06 is 15; who was not visited comes last
    assert draw.ranked(visits, np.array([0.3, 0.7, 9.0])).tolist() == [0, 1, 2]  # e^2.4 = 11
    weights = np.array([0.9 * np.exp(1.2), 0.06 * np.exp(4.2), 0.04 * np.exp(6 * 0.45)])
    assert draw.improved(visits, values) == pytest.approx(weights / weights.sum())


def test_simulations_go_where_the_rounds_say_and_nim_is_won() -> None:
    """A pile of five: taking two leaves three, which are lost; every action gets what halving shares out."""
    game = nim_game()
    position = game.position()
    position.fall(2)
    agent = SearchAgent(sims=60, root="gumbel")
    found = agent.analyse(View.of(position, 0, 1))
    legal = position.legal(0)
    shared = halving(60, len(legal))
    assert sorted(found.visits[legal]) == sorted(_visits(shared, len(legal)))
    won = next(a for a in legal if _left(position, a) % 3 == 0)
    assert found.action == won and found.chances[won] == 1
    again = SearchAgent(sims=60, root="gumbel").analyse(View.of(position, 0, 1))
    assert np.array_equal(again.visits, found.visits) and np.array_equal(again.values, found.values)


def _visits(rounds: list[tuple[int, int]], actions: int) -> list[int]:
    out = [0] * actions
    for left, each in rounds:
        for i in range(left):
            out[i] += each
    return out


def _left(position: Position, action: int) -> int:
    after = position.clone()
    after.apply(0, action)
    return int(after.observe(0)[0])


def test_the_shipped_policy_is_where_it_begins() -> None:
    """With one simulation and no noise the answer is the likeliest action of the policy."""
    game = make_game("scorekeeper-duel", "drug_flat")
    view = next(view for seed in range(20) if len((view := _view(game.position(seed))).legal) > 2)
    chances = PolicyAgent().probabilities(view.requests)[0]
    agent = SearchAgent(sims=1, root="gumbel", prior="policy", temperature=0.0)
    assert agent.act(view) == int(chances.argmax())


def _view(position: Position) -> View:
    return View.of(position, position.to_act()[0], 1)


def test_what_it_needs() -> None:
    for sims, seconds, trees in ((None, 1.0, 1), (10, 1.0, 1), (10, None, 2)):
        with pytest.raises(AgentError, match="root = gumbel shares out a known number"):
            SearchAgent(root="gumbel", sims=sims, seconds=seconds, trees=trees)
