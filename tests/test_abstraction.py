"""The solver's abstraction of einBlatt: it rediscovers E1, plays legally, and is blind to what its seat cannot know."""

from __future__ import annotations

import numpy as np
import pytest

from probespiel.agents.abstraction import abstraction_hash, abstraction_names
from probespiel.agents.base import AgentError, View
from probespiel.agents.cfr import CfrAgent, CfrSolver, SavedStrategy, shipped_strategy
from probespiel.agents.match import Match, Schedule
from probespiel.envs import make_game
from probespiel.envs.core.game import Position
from probespiel.envs.core.rng import rng_array


def paired_payoffs(agent: str | CfrAgent, opponent: str, n: int) -> np.ndarray:
    """Mean payoff of the agent over both seats of n deals."""
    with Match(make_game("einblatt-duel"), [agent, opponent], seed=5) as match:
        deals = np.arange(n)
        first = match.play(Schedule.of(5, deals, np.tile([0, 1], (n, 1)))).payoffs[:, 0]
        second = match.play(Schedule.of(5, deals, np.tile([1, 0], (n, 1)))).payoffs[:, 1]
    return (first + second) / 2


def test_the_solver_finds_a_strategy_that_nobody_beats() -> None:
    """A short run comes within 0.1 EP of E1 against fixed and shuffled orders."""
    game = make_game("einblatt-duel")
    solution = CfrSolver(game, abstract=True, regrets="linear", seed=3).run(iterations=10000).solution()
    for opponent in ("highest_first", "lowest_first", "best3_shuffled"):
        paired = paired_payoffs(CfrAgent(strategy=solution), opponent, 5000)
        assert paired.mean() > -0.1 - 4 * paired.std() / np.sqrt(len(paired)), opponent


@pytest.mark.parametrize("opponent", ["highest_first", "lowest_first", "best3_shuffled"])
def test_the_shipped_strategy_holds_its_own(opponent: str) -> None:
    """E1: over both seats of the same deals a minimax strategy loses to nobody; here by at most 0.03 EP and chance."""
    paired = paired_payoffs("cfr", opponent, 20_000)
    assert paired.mean() > -0.03 - 4 * paired.std() / np.sqrt(len(paired))


@pytest.mark.parametrize("scenario", ["billy_tree", "saruman_ent", "storm", "jarjar_princess", "rock_face"])
def test_it_plays_every_duel_legally_and_blindly(scenario: str) -> None:
    """The same choice at positions that the seat cannot tell apart, with the same seed."""
    game = make_game("einblatt-duel", scenario)
    agent = CfrAgent()
    agent.prepare(game)
    for seed in range(5):
        position = game.position(seed=seed)
        while not position.over:
            seat = position.to_act()[0]
            action = agent.act(View.of(position, seat, 1, seed, 0))
            twin = position.forget(seat)
            twin.roll(rng_array(seed, "other dice"))
            assert agent.act(View.of(twin, seat, 1, seed, 0)) == action
            position.apply(seat, action)
            position.roll()


def test_what_does_not_fit_is_refused() -> None:
    assert abstraction_names() == ("einblatt",)
    assert len(abstraction_hash("einblatt")) == 24
    with pytest.raises(AgentError, match="kuhn has none"):
        CfrSolver(make_game("kuhn"), abstract=True)
    strategy = SavedStrategy.load(shipped_strategy(make_game("einblatt-duel")) or "")
    with pytest.raises(AgentError, match="was made for einblatt-duel"):
        strategy.check_game(make_game("kuhn"))
    stale = SavedStrategy({**strategy.manifest, "abstraction": "x"}, strategy.keys, strategy.starts, strategy.chances)
    with pytest.raises(AgentError, match="has changed"):
        stale.check_game(make_game("einblatt-duel"))


def test_forced_decisions_need_no_strategy() -> None:
    """Empty hands: a pass, whatever the file knows."""
    seats = [
        {"name": "a", "kind": "pc", "attribute": 0, "suits": "C", "hand": []},
        {"name": "b", "kind": "npc", "cards": 1, "suits": "", "hand": ["C7"]},
    ]
    game = make_game("einblatt-duel", seats=seats)
    position = Position(game)
    assert game.actions.codes[CfrAgent().act(View.of(position, 0))] == "pass"
