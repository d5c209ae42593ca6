"""Parts of search, of solvers and of who switches, by hand: what is added up, who is followed, what is kept."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents import switch
from probespiel.agents.base import View
from probespiel.agents.cfr import CfrSolver
from probespiel.agents.cfr_kernel import OFFSET, SIZE, STATES, outcome, place
from probespiel.agents.policy import PolicyAgent
from probespiel.agents.policy_net import Group
from probespiel.agents.search import SearchAgent
from probespiel.agents.search_kernel import merge
from probespiel.agents.search_tree import COUNT, NODE_MANY, NODE_RM, SIMULATIONS, SQUARES, STRATEGY, TOTAL, find_edge
from probespiel.agents.solve_kernel import read
from probespiel.agents.solve_tree import AVERAGE, ENTRIES, INFOS, USED, Tree
from probespiel.agents.switch import SwitchAgent
from probespiel.envs.core.game import Game
from probespiel.envs.core.rng import mix
from probespiel.envs.oneshot.system import SYSTEM as ONESHOT
from tests.games import rps_game
from tests.test_exact_agents import begun
from tests.test_exact_search import planted


@pytest.mark.parametrize("many", [0, 1])
def test_trees_are_added_up_at_their_root(many: int) -> None:
    """Action 0 is in both, 2 in one alone: visits 3 + 2, sums 3 + 4, squares 6 + 10, weights of the average 1.5 + 2."""
    into, tree = planted([(0, 3, 1.0, 2.0)], many=0), planted([(0, 2, 2.0, 5.0), (2, 4, 0.5, 1.0)], many=many)
    into.used[SIMULATIONS], tree.used[SIMULATIONS] = 3, 6
    tree.nodes[0, NODE_RM] = many
    into.sums[0, STRATEGY], tree.sums[:2, STRATEGY] = 1.5, (2.0, 0.25)
    merge(into, tree)
    assert into.used[SIMULATIONS] == 9
    assert (into.nodes[0, NODE_MANY], into.nodes[0, NODE_RM]) == (many, many)
    both, new = find_edge(into, 0, 0), find_edge(into, 0, 2)
    assert (into.edges[both, COUNT], into.edges[new, COUNT]) == (5, 4)
    assert into.sums[both, [TOTAL, SQUARES, STRATEGY]].tolist() == [7.0, 16.0, 3.5]
    assert into.sums[new, [TOTAL, SQUARES, STRATEGY]].tolist() == [2.0, 4.0, 0.25]
    merge(planted([], many=1), into)
    assert into.used[SIMULATIONS] == 9, "what is added stays as it was"


def test_what_a_tree_knew_of_its_root_stays() -> None:
    into, tree = planted([], many=1), planted([], many=0)
    into.nodes[0, NODE_RM] = 1
    merge(into, tree)
    assert (into.nodes[0, NODE_MANY], into.nodes[0, NODE_RM]) == (1, 1)


def test_a_solution_with_another_number_of_actions_is_not_read() -> None:
    """A state with the actions 1 and 4 at 0.25 and 0.75; where three are legal it is another one."""
    tree = Tree(
        nodes=np.zeros((2, 11), np.int32), codes=np.zeros(2, np.int64), floats=np.zeros((2, 7)),
        table=np.zeros(8, np.int64), keys=np.zeros(2, np.int64), infos=np.zeros((2, 3), np.int32),
        weights=np.zeros((2, 2)), entries=np.zeros((4, 4)), actions=np.zeros(4, np.int32),
        belief_keys=np.zeros(2, np.int64), beliefs=np.zeros((2, 3)), used=np.zeros(USED, np.int64),
    )  # fmt: skip
    key = 99
    tree.table[mix(key, 1) & 7], tree.keys[0] = 1, key
    tree.infos[0] = [1, 2, 0]
    tree.actions[1:3], tree.entries[1:3, AVERAGE] = (1, 4), (0.25, 0.75)
    tree.used[[INFOS, ENTRIES]] = 1, 3
    out = np.zeros(6)
    assert not read(tree, key, np.array([0b10110], np.int64), out) and not out.any()
    assert not read(tree, key + 1, np.array([0b10010], np.int64), out) and not out.any()
    assert read(tree, key, np.array([0b10010], np.int64), out) and out.tolist() == [0, 0.25, 0, 0, 0.75, 0]


def test_regrets_of_a_later_choice_weigh_by_the_chance_of_coming_there() -> None:
    """Two rounds: after rock, tried with chance 0.6 (all of its regrets are there), the second choice weighs 1 / 0.6.

    The second choice is uniform, and tried with 1/3 each: what was tried is worth 3u, the others 0, the state u.
    """
    solver, found = CfrSolver(rps_game(2), "outcome", regrets="plain", explore=0.6, seed=3), set()
    tables = begun(solver)
    for _ in range(40):
        tables.regrets[:], tables.values[:], tables.averages[:] = 0, 0, 0
        first = tables.infos[0, OFFSET] if tables.used[STATES] else -1
        if first >= 0:
            tables.regrets[first] = 5
        before = tables.regrets.copy()
        outcome(tables, solver._settings, solver._work, 0, solver._rng)
        if first < 0:
            continue
        state, pick = int(solver._work.frame[1, 0]), int(solver._work.frame[1, 2])
        chance = 0.6 if solver._work.frame[0, 2] == 0 else 0.2
        begin = int(tables.infos[state, OFFSET])
        assert tables.infos[state, SIZE] == 3
        u = tables.values[begin + pick] / 0.1
        expected = np.full(3, -u) / chance
        expected[pick] = 2 * u / chance
        assert (tables.regrets - before)[begin : begin + 3] == pytest.approx(expected)
        found.add((chance, u != 0))
    assert {(0.6, True), (0.2, True)} <= found


def test_a_state_without_any_weight_is_played_at_random() -> None:
    """Two states: one of two actions with the weights 3 and 1, one of three without any."""
    solver = CfrSolver(rps_game(), seed=1)
    tables = solver._tables
    assert (place(tables, 20, 2), place(tables, 10, 3)) == (0, 1)
    tables.averages[:2] = 3.0, 1.0
    found = solver.solution()
    assert found.keys.tolist() == [10, 20] and found.starts.tolist() == [0, 3, 5]
    assert found.chances == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0.75, 0.25])


def switching(monkeypatch: pytest.MonkeyPatch, stretches: list[int], chosen: list[int]) -> tuple[list[int], int]:
    """What an agent of two ways does in a row of decisions, and how often it compares.

    Ways 0 and 1 answer 10 and 11.
    """
    compared: list[int] = []
    here, picks = iter(stretches), iter(chosen)
    plan = SimpleNamespace(stretch=SimpleNamespace(address=0), policies=(10, 11),
                           game=SimpleNamespace(params_address=0))  # fmt: skip

    def compare(self: SwitchAgent, view: Any, every: bool = False) -> Any:
        compared.append(1)
        return SimpleNamespace(chosen=next(picks), actions=[10, 11])

    monkeypatch.setattr(switch, "begin_of", lambda *_: next(here))
    monkeypatch.setattr(switch, "play_native", lambda policy, requests: [policy])
    monkeypatch.setattr(SwitchAgent, "_planned", lambda self, game: plan)
    monkeypatch.setattr(SwitchAgent, "compare", compare)
    requests = SimpleNamespace(deals=lambda: np.zeros(1))
    view = cast(Any, SimpleNamespace(requests=requests, game=None, legal=[10, 11, 12]))
    agent = SwitchAgent()
    agent.reset(1)
    return [agent.act(view) for _ in stretches], len(compared)


def test_a_way_is_kept_until_another_stretch_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stretch 0 by way 1, kept; stretch 1 by way 0, kept; outside none."""
    done, compared = switching(monkeypatch, [0, 0, 1, 1, 1, -1, -1, 0], [1, 0, 1])
    assert done == [11, 11, 10, 10, 10, 10, 10, 11] and compared == 3


def test_outside_of_a_stretch_the_usual_way_is_played_though_another_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert switching(monkeypatch, [0, -1, -1, 0], [1, 1]) == ([11, 10, 10, 11], 2)


def test_what_a_group_looks_at_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces a (0, 1), b (2, 3), c (4), d (5, 6): the trunk weighs place 1, a group takes 4 and 5 as its two things."""
    pieces = [SimpleNamespace(name=name, size=size) for name, size in (("a", 2), ("b", 2), ("c", 1), ("d", 2))]
    layout = SimpleNamespace(pieces=pieces, offsets={"a": 0, "b": 2, "c": 4, "d": 5})
    weights = np.zeros((3, 9))
    weights[2, 1] = 0.5

    def looks(groups: tuple[Group, ...], advisers: tuple[str, ...] = ()) -> frozenset[str] | None:
        network = SimpleNamespace(advisers=advisers, groups=groups)
        policy = SimpleNamespace(manifest=SimpleNamespace(network=network),
                                 net=SimpleNamespace(weights={"trunk.weight": weights}))  # fmt: skip
        monkeypatch.setattr(PolicyAgent, "policy_for", lambda self, game: policy)
        return PolicyAgent().looks_at(cast(Any, SimpleNamespace(layout=layout)))

    group = Group("cards", 2, 0, ((4, 1),), False)
    assert looks(()) == {"a"}
    assert looks((group,)) == {"a", "c", "d"}
    assert looks((group,), ("first",)) is None


def test_a_party_follows_one_baseline_and_the_other_party_one_of_its_own() -> None:
    """One and four are a party, two and three another; every simulation draws for each."""
    figures = {
        name: {"team": team, "pos": [4 + 2 * i, 5 + i], "char": "fighter"}
        for i, (name, team) in enumerate([("one", "red"), ("two", "blue"), ("three", "blue"), ("four", "red")])
    }
    setup = {"config": {"max_count": 60}, "figures": figures}
    game = Game(ONESHOT.spec_of_setup(setup, "oneshot-skirmish"), compiled=False)
    assert game.sides == (("red", (0, 1)), ("blue", (2, 3)))
    position = game.position(seed=2)
    agent, drawn = SearchAgent(sims=1, rollout="brute+focus", depth=1), set()
    for seed in range(24):
        agent.analyse(View.of(position, position.to_act()[0], seed))
        assert agent._plan is not None
        options, which = agent._plan.options, agent._plan.scratch.which[:4].tolist()
        assert which[0] == which[1] and which[2] == which[3]
        drawn.add((options.which.tolist().index(which[0]), options.which.tolist().index(which[2])))
    assert drawn == {(0, 0), (0, 1), (1, 0), (1, 1)}
