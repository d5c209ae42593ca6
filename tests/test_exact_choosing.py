"""How searches and plans come to their choices, against small cases by hand.

Compiled functions run as plain Python; what they ask rules and baselines is answered by the test.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.agents import search_kernel, switch_kernel
from probespiel.agents.konfrontation import baselines as konf
from probespiel.agents.search_tree import VISITS, add_edge, add_node, find_node
from probespiel.agents.switch_kernel import Room, Ways
from probespiel.envs.core.abi import APPLY, KEY, LEGAL, RETURNS, TO_ACT, float64_at, int64_at
from probespiel.envs.core.rng import mix, rng_array
from tests.test_exact_agents import tree_of
from tests.test_exact_search import options_of, scratch_of
from tests.test_guided_kernels import plain

# Plans of konfrontation


def planning(
    monkeypatch: pytest.MonkeyPatch, worth: dict[tuple[int, int], float], power: int = 9, each: float = 0.4
) -> tuple[int, set[tuple[int, int]]]:
    """What `lookahead` does with three actions left, and which attacks it has weighed, by more strength and power.

    A power is worth `each`, building 1; gathering brings 2 power, a character costs 1 and adds a strength of 3; `worth`
    are attacks. Six of eight characters are taken.
    """
    weighed: set[tuple[int, int]] = set()

    def best_attack(s: Any, p: Any, seat: int, *given: Any) -> tuple[float, int]:
        more, rich = given[5], given[6]
        weighed.add((more, rich))
        return (worth[more, rich], 2 << 12) if (more, rich) in worth else (-np.inf, -1)

    for name, made in {
        "turns_left": lambda *_: 3, "building_gain": lambda *_: 1.0, "gathering_gain": lambda *_: 0.0,
        "build": lambda *_: konf.Action.PASS, "best_attack": best_attack, "workspace": lambda: None,
    }.items():  # fmt: skip
        monkeypatch.setattr(konf, name, made)
    words = np.zeros(konf.WORDS, np.int64)
    for action in (konf.Action.ATTACK, konf.Action.GATHER, konf.Action.RECRUIT + 2):
        words[action >> 5] |= 1 << (action & 31)
    s = SimpleNamespace(units=[0b00111111], power=[power])
    p = SimpleNamespace(gather_amount=2, recruit_cost=1, nature_multiplier=3, w_power=each)
    return konf.look_ahead(s, p, 0, words), weighed


def test_what_is_prepared_costs_the_actions_that_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three attacks of 2 are worth 6; power (0.8) and two attacks of 2.5 or 2.7 are worth 5.8 or 6.2."""
    assert planning(monkeypatch, {(0, 0): 2.0, (0, 2): 2.5})[0] == konf.Action.ATTACK
    assert planning(monkeypatch, {(0, 0): 2.0, (0, 2): 2.7})[0] == konf.Action.GATHER


def test_a_character_costs_power(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three attacks of 1.6 are worth 4.8; a character (-0.4) and two attacks of 2.5 or 2.7 are worth 4.6 or 5."""
    assert planning(monkeypatch, {(0, 0): 1.6, (3, -1): 2.5})[0] == konf.Action.ATTACK
    assert planning(monkeypatch, {(0, 0): 1.6, (3, -1): 2.7})[0] == konf.Action.RECRUIT + 2


def test_after_an_attack_whatever_is_worth_more_is_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Building three times is worth 3; power (1.2), an attack of 0.85 and building 3.05; 1.1 is repeated."""
    assert planning(monkeypatch, {(0, 0): 0.9})[0] == konf.Action.PASS
    assert planning(monkeypatch, {(0, 2): 0.85}, each=0.6)[0] == konf.Action.GATHER
    assert planning(monkeypatch, {(0, 0): 1.1})[0] == konf.Action.ATTACK


def test_plans_that_are_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to two of three actions prepare the attack: two characters, one and power, or power twice, as can be paid."""
    assert planning(monkeypatch, {}, power=2)[1] == {(0, 0), (3, -1), (6, -2), (0, 2), (3, 1), (0, 4)}
    assert planning(monkeypatch, {}, power=1)[1] == {(0, 0), (3, -1), (0, 2), (3, 1), (0, 4)}
    assert planning(monkeypatch, {}, power=0)[1] == {(0, 0), (0, 2), (3, 1), (0, 4)}


# Whole ways to play: two seats that choose at the same time, three times

RULES, POLICY, STRETCH, OUTLOOK = 1, 2, 3, 4


class Turns:
    """Rules that ask both seats in every turn; baseline b always does b; all that is done is noted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, turns: int = 3, stretches: tuple[int, ...] = ()) -> None:
        self.turn, self.turns, self.stretches, self.done = 0, turns, stretches, list[tuple[int, int]]()
        self.valued = False
        monkeypatch.setattr(switch_kernel, "call_kernel", self.call)
        monkeypatch.setattr(switch_kernel, "copy_bytes", lambda *_: None)
        monkeypatch.setattr(switch_kernel, "stretch_of", plain(switch_kernel.stretch_of))
        self.room = Room(
            np.zeros(8, np.uint8), np.zeros(1, np.int64), np.zeros(64, np.int64), np.zeros(64, np.int64), np.zeros(2),
            np.zeros(1, np.uint64), np.zeros(2),
        )  # fmt: skip

    def call(self, k: int, op: int, s: int, p: int, a: int, b: int, out: int) -> int:
        if k == POLICY:
            return op
        if k == STRETCH:
            return self.stretches[self.turn]
        if k == OUTLOOK and op == switch_kernel.CLOCK:
            return 5 + self.turn
        if k == OUTLOOK or op == RETURNS:
            self.valued = k == OUTLOOK
            float64_at(int(out), 2)[:] = (7.0, 1.0) if self.valued else (3.0, 2.0)
        elif op == TO_ACT:
            return 0b11 if self.turn < self.turns else 0
        elif op == LEGAL:
            int64_at(int(out), 1)[0] = 0b11111111
        elif op == APPLY:
            self.done.append((a, b))
            self.turn += a  # the second seat is the last one
        return 0

    def play(self, first: int, way: int = 1, horizon: int = 0) -> list[tuple[int, int]]:
        """Way 1 of seat 1, which begins with an action (-1: as it likes): what both seats do."""
        ways = Ways(
            RULES, 0, POLICY, np.array([3, 5]), np.array([-1, first]), 1, np.array([0, 1]), np.array([0, 1]),
            STRETCH if self.stretches else 0, OUTLOOK, 0, horizon,
        )  # fmt: skip
        assert plain(switch_kernel.play_on)(ways, self.room, 0, way=way, seed=np.uint64(1)) == 0
        return self.done


def test_the_seat_that_tries_a_way_opens_and_goes_on_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every decision is a stretch of its own: seat 1 does 7 (or 5, as the way does), then all play as usual: 3."""
    assert Turns(monkeypatch).play(7) == [(0, 3), (1, 7), *[(0, 3), (1, 3)] * 2]
    assert Turns(monkeypatch).play(-1) == [(0, 3), (1, 5), *[(0, 3), (1, 3)] * 2]
    assert Turns(monkeypatch).play(7, way=0) == [(0, 3), (1, 3)] * 3


def test_a_way_lasts_as_long_as_its_stretch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of three decisions; and a stretch that comes again is another one."""
    assert Turns(monkeypatch, 3, (4, 4, 6, 6)).play(-1) == [*[(0, 3), (1, 5)] * 2, (0, 3), (1, 3)]
    assert Turns(monkeypatch, 3, (4, 6, 4, 4)).play(7) == [(0, 3), (1, 7), *[(0, 3), (1, 3)] * 2]


def test_only_what_is_wanted_counts_and_an_outlook_values_from_its_horizon_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat 1 gets 2 in the end; once the clock, which began with 5, has moved on by two it is valued with 1."""
    whole = Turns(monkeypatch)
    assert len(whole.play(-1)) == 6 and whole.room.results.tolist() == [0.0, 2.0] and not whole.valued
    part = Turns(monkeypatch)
    assert len(part.play(-1, horizon=2)) == 4 and part.room.results.tolist() == [0.0, 1.0] and part.valued


def test_what_is_not_legal_ends_the_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    trial = Turns(monkeypatch)
    for wrong in (8, 32):
        ways = Ways(RULES, 0, POLICY, np.array([3, wrong]), np.array([-1, -1]), 1, np.array([0, 1]), np.array([0, 1]),
                    0, 0, 0, 0)  # fmt: skip
        status = plain(switch_kernel.play_on)(ways, trial.room, 0, way=1, seed=np.uint64(1))
        assert status == switch_kernel.BAD_POLICY and not trial.done


# Simulations of a search: one seat that has two actions again and again, of which a baseline always takes the second


class Chain:
    """Rules of one seat with so many decisions; the tree, and how far every simulation came before it was valued."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, decisions: int = 9) -> None:
        self.turn, self.decisions, self.ends = 0, decisions, list[tuple[int, bool]]()
        self.tree, self.scratch = tree_of(), scratch_of(seats=1, path=16)
        for name in ("choose", "simulate"):
            monkeypatch.setattr(search_kernel, name, plain(getattr(search_kernel, name)))
        for name, made in {
            "call_kernel": self.call, "copy_bytes": lambda *_: None, "cast": lambda *_: None,
            "roll_out": lambda *_, **__: 1, "score": self.score,
        }.items():  # fmt: skip
            monkeypatch.setattr(search_kernel, name, made)
        search_kernel.plant(self.tree, self.scratch, 0, 0, followed=-1)

    def call(self, k: int, op: int, s: int, p: int, a: int, b: int, out: int) -> int:
        if op == TO_ACT:
            return int(self.turn < self.decisions)
        if op == LEGAL:
            int64_at(int(out), 1)[0] = 0b11
        elif op == KEY:
            return self.turn
        elif op == APPLY:
            self.turn += 1
        return 0

    def score(self, game: Any, options: Any, scratch: Any, s: int, valued: bool) -> None:
        self.ends.append((self.turn, valued))
        self.turn, scratch.bounds[:] = 0, (0.0, 1.0)

    def simulate(self, times: int, **more: Any) -> list[tuple[int, bool]]:
        game = SimpleNamespace(k=0, p=0, n_words=1, sides=np.zeros(1, np.int64), teams=np.zeros(1, np.int64))
        for _ in range(times):
            status = search_kernel.simulate(
                self.tree, game, options_of(**more), self.scratch, world=0, me=0, rng=rng_array(1), paired=False
            )
            assert status == 0
        return self.ends


def test_a_position_is_valued_so_many_decisions_beyond_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first simulation meets a new node at its second decision, and two more of them lie beyond; or none.

    Where every action is the same the next simulation comes one further.
    """
    assert Chain(monkeypatch).simulate(1, ticks=True, horizon=1) == [(2, True)]
    assert Chain(monkeypatch).simulate(1, ticks=True, horizon=3) == [(4, True)]
    assert Chain(monkeypatch, decisions=4).simulate(1, ticks=True, horizon=3) == [(4, False)]
    chain = Chain(monkeypatch)
    chain.scratch.forced[0] = 1
    assert chain.simulate(3, ticks=True, horizon=2, trust=99) == [(3, True), (4, True), (5, True)]


def test_a_tree_without_any_room_in_its_path_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two entries: the third decision lies beyond, though all nodes are known."""
    chain = Chain(monkeypatch)
    chain.simulate(4, trust=99)
    chain.scratch = scratch_of(seats=1, path=2)
    chain.ends.clear()
    assert chain.simulate(1, ticks=True, horizon=2, trust=99) == [(3, True)]


def test_a_node_is_followed_by_the_baseline_until_it_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a known node with two visits: below a trust of three the baseline's action, else the one never tried; at the
    root at once."""
    for key, trust, taken in ((5, 3, 1), (5, 2, 0), (0, 3, 0)):
        chain = Chain(monkeypatch)
        known = mix(key, 0)
        node = find_node(chain.tree, known)
        node = add_node(chain.tree, known, -1 - node) if node < 0 else node
        add_edge(chain.tree, node, 1, 0)
        chain.tree.stats[node, VISITS] = 2.0
        chain.scratch.words[0], chain.scratch.bounds[:] = 0b11, (0.0, 1.0)
        turn = search_kernel.Turn(s=0, seat=0, key=known, many=False, at=3)
        game = SimpleNamespace(k=0, p=0, n_words=1)
        action, entered, in_tree = search_kernel.choose(
            chain.tree, game, options_of(trust=trust), chain.scratch, turn=turn, in_tree=np.int64(-1), rng=rng_array(1)
        )
        assert (action, entered, in_tree) == (taken, True, -1), (key, trust)
        assert chain.scratch.path[3, :2].tolist() == [0, node]
