"""Players of levels: they see little and overlook much, but play legally, and the better values look the likelier."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from probespiel.agents.base import AgentError, View
from probespiel.agents.casual import CasualAgent, draw
from probespiel.agents.declaration import lineup_of
from probespiel.agents.registry import list_agents, make_agent, parse_agent
from probespiel.app.naming import agent_called
from probespiel.app.opponents import opponent_of_level
from probespiel.envs import make_game
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.registry import game_names


def test_draw() -> None:
    """Softmax over the values, in units of their range."""
    values = np.array([1.0, 3.0, 2.0])
    assert draw(values, 0.0, 0.99) == 1
    points = (np.arange(30000) + 0.5) / 30000
    for temperature in (0.2, 0.5, 2.0):
        found = np.bincount([draw(values, temperature, at) for at in points], minlength=3) / len(points)
        wanted = np.exp(values / (2 * temperature))
        assert np.allclose(found, wanted / wanted.sum(), atol=1e-3)
    assert [draw(np.array([5.0, 5.0]), 0.3, at) for at in (0.0, 0.49, 0.51, 0.999)] == [0, 0, 1, 1]


def test_the_same_decision_has_the_same_answer_and_values_count() -> None:
    """With a jack a bet is called by the king: to pass looks better, and better players find that."""
    game = make_game("kuhn")
    position = game.position()
    position.fall(0)
    position.fall(0)  # the first seat has a jack: to bet it is often called
    shares = []
    for agent in (CasualAgent(sims=200, temperature=0.02, overlook=0.0), CasualAgent(5, None, 5.0, 0.5)):
        agent.prepare(game)
        answers = [agent.act(View.of(position, 0, 1, table)) for table in range(60)]
        assert answers == [agent.act(View.of(position, 0, 1, table)) for table in range(60)]
        shares.append(np.mean(np.array(answers) == game.actions.id("pass")))
    assert shares[0] > 0.9 and 0.25 < shares[1] < 0.75


def test_levels_of_all_games() -> None:
    """Eight each, of agents that play the game; whoever searches has a time limit at the table."""
    for name in game_names():
        game = make_game(name, compiled=False)
        levels = lineup_of(game).levels
        assert len(levels) == len(set(levels)) == 8
        known = {kind.name for kind in list_agents(game)}
        for level in range(1, 9):
            agent = opponent_of_level(game, level, 1.0)
            assert parse_agent(agent).name in known
            make_agent(agent).close()
            assert "seconds=" in agent or parse_agent(agent).name not in ("search", "casual")
        for wrong in (0, 9):
            with pytest.raises(ProbespielError, match=f"--level {wrong} is not allowed: {name} has levels 1 to 8"):
                opponent_of_level(game, wrong, 1.0)


def test_wrong_parameters() -> None:
    for text in ("casual:sims=0", "casual:overlook=2", "casual:temperature=-1", "casual:depth=2"):
        with pytest.raises(AgentError, match="casual"):
            make_agent(text)


def test_a_lapse_is_the_share_of_decisions_that_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the others the answer is that of the search; without one every decision is drawn."""
    game = make_game("kuhn")
    position = game.position()
    position.fall(0)
    position.fall(0)
    monkeypatch.setattr("probespiel.agents.casual.draw", lambda values, temperature, at: -1)  # the last that is seen
    shares = {}
    for lapse in (0.0, 0.25, 1.0):
        agent = CasualAgent(sims=20, overlook=0.0, lapse=lapse)
        agent.prepare(game)
        monkeypatch.setattr(agent._search, "analyse", lambda view: SimpleNamespace(
            action=view.legal[0], visits=np.ones(99), values=np.zeros(99)
        ))  # fmt: skip
        answers = [agent.act(View.of(position, 0, 1, table)) for table in range(400)]
        shares[lapse] = np.mean(np.array(answers) != View.of(position, 0, 1, 0).legal[0])
    assert shares[0.0] == 0.0 and shares[1.0] == 1.0 and 0.18 < shares[0.25] < 0.32


def test_levels_of_missions_go_wrong_ever_more_rarely() -> None:
    """Each in a smaller share of its decisions, and the words say in how many."""
    levels = lineup_of(make_game("oneshot-mission", compiled=False)).levels
    shares = [float(parse_agent(level).values.get("lapse", 0)) for level in levels]
    assert shares[:7] == sorted(set(shares), reverse=True) and shares[0] == 1.0 and shares[6:] == [0.0, 0.0]
    assert levels[6:] == ("expedition", "switch:sims=4000"), "the party, and who thinks what it does through"
    assert "overlooks moves, in 50 % of its decisions, 20 simul" in agent_called(levels[1], "oneshot-mission", "en")
    assert "in 7 % seiner Entscheidungen" in agent_called(levels[5], "oneshot-mission", "de")
    assert "%" not in agent_called(levels[0], "oneshot-mission", "en")
