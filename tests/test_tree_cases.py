"""Exact trees of small games against all pure strategies one by one, and by hand; what a tree refuses."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import Agent, AgentError, Requests
from probespiel.agents.exact import GameTree, TreeTooLarge
from probespiel.agents.exact_kernel import MERGED, N_INFOS, N_NODES, Infos, enter
from probespiel.envs import make_game
from probespiel.envs.core.abi import KEY, call_from_python
from probespiel.envs.core.batch import start_table
from probespiel.envs.core.rng import mix, rng_array
from tests.games import card_game, nim_game, rps_game


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return GameTree(make_game("kuhn"))


def pure(tree: GameTree, seat: int, profile: np.ndarray) -> float:
    """The most that any pure strategy of a seat gets against a profile: all of them are tried."""
    states = tree.states_of(seat)
    sizes = [int(tree.starts[i + 1] - tree.starts[i]) for i in states]
    found = []
    for choices in product(*(range(size) for size in sizes)):
        mixed = profile.copy()
        for state, choice in zip(states, choices, strict=True):
            mixed[tree.starts[state] : tree.starts[state + 1]] = np.arange(sizes[0]) == choice
        found.append(float(tree.values(mixed)[seat]))
    return max(found)


@pytest.mark.parametrize("seat", [0, 1])
def test_no_pure_strategy_gets_more_than_the_best_response(kuhn: GameTree, seat: int) -> None:
    """In Kuhn poker, also where the seat itself never comes to some of its states."""
    rng = np.random.default_rng(3)
    profiles = [kuhn.uniform(), *(np.ravel(np.eye(2)[rng.integers(0, 2, kuhn.n_states)]) for _ in range(5))]
    profiles += [np.ravel(np.tile(row, (kuhn.n_states, 1))) for row in np.eye(2)]  # all pass, all bet
    for profile in profiles:
        best = kuhn.best_response(seat, profile)
        assert best.value == pytest.approx(pure(kuhn, seat, profile))
        assert kuhn.values(best.profile)[seat] == pytest.approx(best.value)
        others = np.repeat(kuhn.seats != seat, 2)
        assert (best.profile[others] == profile[others]).all()


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_that_chooses_twice_is_met_twice(seat: int) -> None:
    """Rock first and scissors then: paper gets 1, and the rock that wins 2. Each seat's own decisions are counted."""
    tree = GameTree(rps_game(rounds=2))
    other = tree.states_of(1 - seat)
    profile = tree.uniform()
    for k, state in enumerate(other):
        profile[tree.starts[state] : tree.starts[state + 1]] = np.arange(3) == (0 if k == 0 else 2)
    assert tree.best_response(seat, profile).value == pytest.approx(3.0)
    for one in (0, 1):
        assert sorted(tree._infos.level[tree.states_of(one)].tolist()) == [0, *[1] * 9]


@pytest.mark.parametrize("seat", [0, 1])
def test_what_is_decided_last_is_answered_too(seat: int) -> None:
    """Always rock: paper, the second action, gets 1 in each of two rounds."""
    tree = GameTree(rps_game(rounds=2))
    profile = np.tile([1.0, 0.0, 0.0], tree.n_states)
    assert tree.best_response(seat, profile).value == pytest.approx(2.0)


def test_what_everybody_could_gain_is_added_up() -> None:
    """Always rock in all seats: each gains 1 by paper."""
    tree = GameTree(rps_game())
    always = np.tile([1.0, 0.0, 0.0], 2)
    assert tree.nash_conv(always) == pytest.approx(2.0) and tree.exploitability(always) == pytest.approx(1.0)


def test_states_are_entered_once_and_never_joined() -> None:
    """A state is known by key and seat; one key for two pasts, or for other actions, is refused."""
    game = rps_game()
    s = np.zeros(game.state_size, dtype=np.uint8)
    at, k, p = s.ctypes.data, game.address, game.params_address
    start_table(k, at, p, game.state_size, rng=rng_array(1, "test"))
    table, words_of = np.zeros(64, np.int64), np.zeros((8, 1), np.int64)
    infos = Infos(table, *np.zeros((4, 8), np.int64), words=words_of)
    used, words = np.zeros(3, dtype=np.int64), np.array([7], dtype=np.int64)
    used[N_NODES] = 1

    def entered(seat: int, level: int, legal: int) -> int:
        words[0] = legal
        return int(enter(k, p, at, seat, level=level, words=words, infos=infos, used=used))

    assert [entered(0, 0, 7), entered(1, 0, 7), entered(0, 0, 7)] == [0, 1, 0] and used[N_INFOS] == 2
    assert entered(0, 1, 7) == entered(0, 0, 3) == MERGED and used[N_INFOS] == 2
    for seat in (0, 1):
        own = call_from_python(k, KEY, at, p, seat, 0, 0)
        assert infos.keys[seat] == mix(own, seat) and infos.seat[seat] == seat
    with pytest.raises(AgentError, match="nim: an information state joins decisions with different pasts or legal"):
        GameTree(nim_game())  # two ways lead to the same stones


class Everything(Agent):
    """Gives every action the same chance, legal or not; or plays by its seed."""

    def __init__(self, known: bool) -> None:
        self.known, self.seeds = known, []

    def probabilities(self, requests: Requests) -> np.ndarray | None:
        return np.full(requests.masks.shape, 1.0 / requests.masks.shape[1]) if self.known else None

    def act_batch(self, requests: Requests) -> np.ndarray:
        self.seeds.append(requests.seeds.tolist())
        return requests.masks.argmax(axis=1)


def test_chances_of_what_is_not_legal_are_refused() -> None:
    tree = GameTree(card_game(2, 2, 4))
    assert (tree.requests(0).masks == 0).any()
    policies: Any = [Everything(known=True)] * 2
    with pytest.raises(AgentError, match="not a distribution over the legal actions"):
        tree.profile(policies)


def test_every_sample_has_seeds_of_its_own(kuhn: GameTree) -> None:
    one = Everything(known=False)
    profile = kuhn.profile([one, one], samples=3)
    assert len(one.seeds) == 6 and len({tuple(seeds) for seeds in one.seeds[:3]}) == 3
    assert profile.tolist() == [1.0, 0.0] * kuhn.n_states


def test_a_budget_may_be_used_up(kuhn: GameTree) -> None:
    game = kuhn.game
    assert GameTree(game, budget=kuhn.n_nodes).n_nodes == kuhn.n_nodes
    with pytest.raises(TreeTooLarge, match=f"has more than {kuhn.n_nodes - 1} nodes"):
        GameTree(game, budget=kuhn.n_nodes - 1)
