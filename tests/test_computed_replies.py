"""Answers that a system computes from what an agent was seen to choose: lines, strategies, builds, and their trial."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import Agent, AgentError, View
from probespiel.agents.cfr import CfrAgent
from probespiel.agents.declaration import Lineup
from probespiel.agents.lines import seen_lines, strategy_of
from probespiel.agents.oneshot import replies as building
from probespiel.agents.oneshot.books import STARTS, options_at, uniform_builds
from probespiel.agents.registry import make_agent
from probespiel.envs import make_game
from probespiel.evaluation.exploit import run as exploiting
from probespiel.evaluation.exploit.records import Target
from probespiel.evaluation.exploit.run import Plan, exploit

SHORT: dict[str, Any] = {"max_count": 40, "gear_budget": 4, "attribute_points": 3, "attribute_cap": 2}


def test_a_line_is_played_as_it_was_seen() -> None:
    """Both seats play their own line, whatever the other chooses, and it is what is seen of them."""
    game = make_game("oneshot-build", **SHORT, compiled=False)
    first, second = uniform_builds(game, 2, 9)
    assert (first != second).any()
    agent = CfrAgent(strategy=strategy_of(game, [first, second], answers="x"))
    agent.name = "line"
    own, other = seen_lines(game, agent, 3, 1)
    assert (own == first).all() and (other == second).all() and own.shape == (3, 10)
    swapped = CfrAgent(strategy=strategy_of(game, [first, first]))
    swapped.name = "line"
    assert (seen_lines(game, swapped, 2, 1)[1] == first).all()


def test_who_answers_wrongly_while_it_is_seen_is_told_by_name() -> None:
    class Cheats(Agent):
        """Answers what is no action."""

        name = "cheats"

        def act(self, view: View) -> int:
            return 10_000

    with pytest.raises(AgentError, match="cheats answered 10000"):
        seen_lines(make_game("kuhn", compiled=False), Cheats(), 2, 1)


def test_a_line_ends_where_it_is_not_legal() -> None:
    """Kuhn poker: actions 0 and 1. A line that goes on after what is not legal is not taken up again."""
    game = make_game("kuhn", compiled=False)
    whole, broken = strategy_of(game, [[0, 1], [1]]), strategy_of(game, [[7, 1], [1]])
    assert whole.manifest["states"] == 3 and whole.chances.tolist().count(1.0) == 3
    assert broken.manifest["states"] == 1, "only the second seat's answer is known"


def test_lines_of_different_length_end_with_minus_one() -> None:
    """Kuhn poker at random: the first seat decides twice where it passes and the second one bets."""
    game = make_game("kuhn", compiled=False)
    agent = make_agent("random", "kuhn")
    agent.name = "random"
    first, second = seen_lines(game, agent, 40, 1)
    assert first.shape == (40, 2) and second.shape == (40, 1)
    again = (first[:, 0] == 0) & (second[:, 0] == 1)
    assert ((first[:, 1] >= 0) == again).all() and 0 < again.sum() < 40
    assert (first[:, 1][~again] == -1).all() and set(first[:, 0]) == {0, 1}


KINDS = options_at(make_game("oneshot-build", **SHORT, compiled=False), np.zeros(10, dtype=np.int64), 0)[:3]


class Circle:
    """Builds that beat each other in a circle by their perks: each of 3 kinds the one before it; others lose to all."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def figures(self, choices: np.ndarray) -> np.ndarray:
        return np.asarray(choices)

    def matrix(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        def lead(one: int, other: int) -> float:
            if not {one, other} <= set(KINDS):
                return float((one in KINDS) - (other in KINDS))
            return [0.0, 1.0, -1.0][(KINDS.index(one) - KINDS.index(other)) % 3]

        return np.array([[lead(int(row[0]), int(column[0])) for column in columns] for row in rows])


@pytest.mark.parametrize(("shares", "best", "worth"), [((10, 0), 1, 1.0), ((6, 4), 1, 0.6), ((3, 7), 2, 0.4)])
def test_replies_go_by_how_often_a_build_was_seen(
    shares: tuple[int, int], best: int, worth: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """3 of kind 0 and 7 of kind 1: kind 2 gets 0.7 - 0.3, kind 1 only 0.3. Were both alike, kind 1 were better."""
    game = make_game("oneshot-build", **SHORT, compiled=False)
    monkeypatch.setattr(building, "Duels", Circle)
    monkeypatch.setattr(building, "plainly", lambda game: game)
    kind = uniform_builds(game, 2, 3)
    kind[:, 0] = KINDS[:2]
    seen = np.repeat(kind, shares, axis=0)
    found = building.replies(game, seen)
    assert found[0][0] == KINDS[best] and len(found) <= STARTS
    values = Circle(game).matrix(np.array(found), seen).mean(axis=1)
    assert values[0] == pytest.approx(worth) and (np.diff(values) <= 1e-9).all()
    assert building.replies(game, seen[:, :9]) == [], "a module asks for more or less than a build"


def test_the_best_reply_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("oneshot-build", **SHORT, compiled=False)
    worths = iter([0.1, 0.4, -0.2, 0.3, 0.2])
    monkeypatch.setattr(building, "Duels", Circle)
    monkeypatch.setattr(building, "plainly", lambda game: game)
    monkeypatch.setattr(building, "best_reply", lambda *given: (np.full(10, int(10 * (worth := next(worths)))), worth))
    found = building.replies(game, uniform_builds(game, 1, 3))
    assert [int(line[0]) for line in found] == [4, 3, 2, 1, -2]


def test_many_kinds_are_answered_once_and_by_some_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more kinds than a sample the first lines alone count: with those of kind 1 first, kind 2 answers."""
    game = make_game("oneshot-build", **SHORT, compiled=False)
    monkeypatch.setattr(building, "Duels", Circle)
    monkeypatch.setattr(building, "plainly", lambda game: game)
    monkeypatch.setattr(building, "SAMPLE", 2)
    seen = np.concatenate([uniform_builds(game, 1, 3)] * 5)
    seen[:, 0] = KINDS[1], KINDS[1], KINDS[0], KINDS[0], KINDS[0]
    seen[4, 2] = seen[4, 2] + 1
    assert building.replies(game, seen)[0][0] == KINDS[2]
    monkeypatch.setattr(building, "FEW", 0)
    assert len(building.replies(game, seen)) == 1


def test_computed_answers_are_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each seat is given answers to what the other one was seen to choose, and plays them."""
    told: list[np.ndarray] = []

    def replies(game: Any, seen: np.ndarray) -> list[np.ndarray]:
        told.append(seen)
        return [np.array([0, 0]), np.array([1, 1])]

    monkeypatch.setattr(exploiting, "lineup_of", lambda game: Lineup(replies=replies))
    plan = Plan(method="learned", steps=1_000, games=100, seeds=1)
    result = exploit(Target("kuhn", "card_only"), tmp_path, plan)
    assert [seen.shape[1] for seen in told] == [1, 2], "of the second seat, who decides once, and then of the first"
    assert len(told[0]) == exploiting.SEEN
    for side in result.sides:
        assert {"computed (1)", "computed (2)"} <= {name for name, _ in side.tried}
    assert (tmp_path / "computed-1.npz").is_file() and (tmp_path / "computed-2.npz").is_file()
