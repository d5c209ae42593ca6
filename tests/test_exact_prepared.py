"""What searches are prepared with, by hand: every option, the sizes of trees, who wants the same as whom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from probespiel.agents.declaration import lineup_of
from probespiel.agents.search import SearchAgent
from probespiel.agents.search_kernel import MULTI, SELECT_AUTO, SELECT_RM, SINGLE
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn", compiled=False)


@pytest.fixture(scope="module")
def melee() -> Game:
    """Three against six, who may win or lose 186 each."""
    return make_game("einblatt-melee", compiled=False)


def told(agent: SearchAgent, game: Game) -> dict[str, Any]:
    """The options of the first tree; lists instead of arrays."""
    options = agent._planned(game).options._asdict()
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in options.items()}


PLAIN = {
    "select": SELECT_AUTO, "observer": MULTI, "c": 1.0, "gamma": 0.1, "policy": 0, "which": [-1], "advisers": [],
    "epsilon": 0.0, "trust": 0, "depth": 0, "scale_seen": True, "low": -2.0, "high": 2.0, "temperature": 1.0,
    "margin": 1.0, "indifferent": 0.0, "doubt": 0.0, "stay": False, "outlook": 0, "memory": 0, "horizon": 0,
    "ticks": False, "paired": True, "bulky": [0],
}  # fmt: skip


def test_options_of_a_game_without_any_heuristic(kuhn: Game) -> None:
    """Nobody is trusted where rollouts are random, however many visits are asked for."""
    assert told(SearchAgent(), kuhn) == PLAIN
    given: dict[str, Any] = {
        "c": 0.5, "gamma": 0.25, "epsilon": 0.125, "depth": 3, "temperature": 2.0, "margin": 4.0, "indifferent": 0.75,
    }  # fmt: skip
    agent = SearchAgent(select="rm", observer="single", scale="game", root="select", trust=7, **given)
    changed = {"select": SELECT_RM, "observer": SINGLE, "scale_seen": False, "paired": False}
    assert told(agent, kuhn) == {**PLAIN, **given, **changed}
    assert told(SearchAgent(c=0, margin=0, gamma=0), kuhn) == {**PLAIN, "c": 0.0, "margin": 0.0, "gamma": 0.0}


def test_options_with_a_heuristic(kuhn: Game) -> None:
    found = told(SearchAgent(rollout="random + always_bet"), kuhn)
    assert found["policy"] != 0 and found["trust"] == 20 and not found["stay"]
    assert found["which"][0] == -1 and found["which"][1] >= 0
    assert told(SearchAgent(rollout="always_bet", trust=3), kuhn)["trust"] == 3


@pytest.mark.parametrize(("root", "narrow", "bulky"), [
    ("paired", True, True), ("select", True, True), ("paired", False, False), ("gumbel", True, False),
])  # fmt: skip
def test_many_moves_of_a_grid_are_narrowed(root: str, narrow: bool, bulky: bool) -> None:
    """Where the search is asked to, follows somebody, and is not told by halving what to try."""
    game = make_game("oneshot-skirmish", compiled=False)
    for rollout, policies in (("auto", True), ("random", False)):
        found = told(SearchAgent(sims=9, root=root, narrow=narrow, rollout=rollout, prior="rollout"), game)
        assert any(found["bulky"]) == (bulky and policies)
        assert bool(found["advisers"]) == (bulky and policies and bool(lineup_of(game).advisers))
        assert found["stay"] == (narrow and policies)


def test_who_wants_the_same_and_who_plays_alike(melee: Game) -> None:
    """Seats 0 to 2 against 3 to 8: teams are named by their first seat, and may sum up to six times as much."""
    own, side = (SearchAgent(sims=9, utility=utility)._planned(melee) for utility in ("own", "side"))
    assert own.table.sides.tolist() == list(range(9)) and side.table.sides.tolist() == [0] * 3 + [1] * 6
    for plan in (own, side):
        assert plan.table.teams.tolist() == [0] * 3 + [3] * 6 and plan.table.n_words == melee.words
        assert (plan.table.k, plan.table.p) == (melee.address, melee.params_address)
    assert (own.options.low, own.options.high) == (-186.0, 186.0)
    assert (side.options.low, side.options.high) == (-6 * 186.0, 6 * 186.0)


def test_a_tree_has_room_for_its_simulations(kuhn: Game, melee: Game) -> None:
    """A node of every seat in each of its simulations, and the root; no more than it is allowed, nor than memory."""

    def nodes(game: Game, **given: Any) -> list[int]:
        return [len(share.tree.keys) for share in SearchAgent(**given)._planned(game).shares]

    assert nodes(kuhn, sims=10) == [21] and nodes(melee, sims=10) == [91]
    assert nodes(kuhn, sims=10, trees=3) == [9, 9, 9], "4 of 10"
    assert nodes(kuhn, sims=10, nodes=20) == [20] and nodes(kuhn, sims=10, nodes=22) == [21]
    several = SearchAgent(sims=10, trees=3)._planned(kuhn)
    assert len(several.root.keys) == 1 and several.root is not several.shares[0].tree
    alone = SearchAgent(sims=10)._planned(kuhn)
    assert alone.root is alone.shares[0].tree
    assert alone.scratch.path.shape == (kuhn.spec.max_decisions + 1, 3) and melee.spec.max_decisions > 4096
    assert SearchAgent(sims=10)._planned(melee).scratch.path.shape == (4096, 3)


def test_a_plan_is_that_of_its_game(kuhn: Game, melee: Game) -> None:
    agent = SearchAgent(sims=10)
    first = agent._planned(kuhn)
    assert agent._planned(kuhn) is first and agent._planned(melee) is not first and agent._planned(kuhn) is not first
