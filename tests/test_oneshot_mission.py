"""Missions of OneShot: invariants, what nobody has seen, the fast dice, texts."""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import View
from probespiel.agents.registry import make_agent
from probespiel.envs import make_game
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.rng import rng_array
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.presets import presets
from probespiel.envs.oneshot.state import Room
from probespiel.envs.oneshot.system import SYSTEM
from tests.test_oneshot import mutate


def test_hostile_missions() -> None:
    """Broken scenarios: a RulesetError that says something, or a game that can be declared."""
    rng = random.Random(2)
    refused = 0
    for _ in range(300):
        setup = copy.deepcopy(rng.choice(list(presets("mission").values())))
        for _ in range(rng.choice([1, 1, 2])):
            mutate(rng, setup)
        try:
            SYSTEM.spec_of_setup(setup, "oneshot-mission")
        except RulesetError as error:
            assert len(str(error)) > 10
            refused += 1
    assert refused > 100


def sensible(position: Any, rng: random.Random) -> int:
    """A random action that gets a mission on: no giving up, attacks before moves."""
    legal = position.legal(position.to_act()[0])
    if position.phase() == "turn":
        attacks = [a for a in legal if st.Action.ATTACK <= a < st.Action.EDGE]
        legal = attacks or [a for a in legal if a < st.Action.ATTACK]
    return rng.choice([a for a in legal if a != st.Action.ABORT])


@pytest.mark.parametrize("scenario", list(presets("mission")))
def test_invariants_of_missions(scenario: str) -> None:
    """7.8, and that what nobody has seen can be dealt again without anybody noticing."""
    game = make_game("oneshot-mission", scenario)
    phases = set()
    for seed in range(4):
        rng = random.Random(seed)
        position = game.position(seed=seed)
        saga = luck = 10**6
        met = -1
        while not position.over:
            s = position.record
            assert sum(int(v) for v in s.saga[:4]) <= saga and sum(int(v) for v in s.luck[:4]) <= luck
            saga, luck = (sum(int(v) for v in part[:4]) for part in (s.saga, s.luck))
            if position.phase() in ("explore", "approach", "assign", "tool", "talk"):
                assert not s.edges and not s.pending
                assert all(
                    (s.wounds[i] > s.limit[i]) == (s.standing[i] != st.Status.UP) for i in range(int(game.params.party))
                )
            seat = position.to_act()[0]
            phases.add(position.phase())
            if position.phase() == "approach":  # once for every room that is entered, whatever comes of it
                assert int(s.entered) > met
                met = int(s.entered)
            game.layout.check(position.observe(seat))
            if rng.random() < 0.15:
                forgotten = position.forget(seat)
                again = forgotten.clone()
                again.roll(np.array([rng.randrange(2**63)], dtype=np.uint64))
                assert again.phase() == position.phase() and again.legal(seat) == position.legal(seat)
                assert (again.observe(seat) == position.observe(seat)).all()
                assert again.forget(seat).to_bytes() == forgotten.to_bytes()
            position.apply(seat, sensible(position, rng))
            position.roll()
        assert position.status == 1
        assert set(position.returns()) <= {0.0, 1.0}
    assert {"turn", "explore"} <= phases


def test_dice_one_by_one_and_all_at_once_are_the_same() -> None:
    """The fast way of the generator throws the same dice as the slow one."""
    from probespiel.envs.core.rng import rand_below

    for scenario in ("random", "heist"):
        game = make_game("oneshot-mission", scenario, sg=4, extra_scenarios=True)
        for seed in range(20):
            fast, slow = game.position(), game.position()
            dice = [np.array([seed + 1], dtype=np.uint64) for _ in range(2)]
            fast._call(11, out=dice[0].ctypes.data)
            while faces := slow.die():
                slow.fall(int(rand_below(dice[1], faces)))
            slow.record.n_events = fast.record.n_events = 0
            slow.record.events[:] = fast.record.events[:] = 0
            assert slow.to_bytes() == fast.to_bytes() and dice[0] == dice[1]


def test_missions_in_both_languages() -> None:
    game = make_game("oneshot-mission", "cellar_cleanse")
    position = game.position(seed=5)
    rng = random.Random(5)
    words: dict[str, set[str]] = {"en": set(), "de": set()}
    while not position.over:
        seat = position.to_act()[0]
        for lang, seen in words.items():
            assert len(game.spec.texts.state(position, seat, lang)) > 50
            seen.update(game.spec.texts.event(e, seat, lang) for e in position.events())
        position.apply(seat, sensible(position, rng))
        for lang, seen in words.items():
            seen.update(game.spec.texts.event(e, seat, lang) for e in position.events())
        position.roll()
    assert min(len(words["en"]), len(words["de"])) > 10


def test_no_way_is_dealt_into_a_wall_that_was_seen() -> None:
    """What is left of a map may have no way out but through a known room: then its last room is the target (R166)."""
    game = make_game("oneshot-mission", "courier", sg=3)
    agent = make_agent("prowler")
    agent.prepare(game)
    position, step, ways = game.position(1224), 0, 0
    position.roll(rng_array(1224, 0))
    while not position.over:
        (seat,) = position.to_act()
        if position.phase() == "explore":
            for deal in range(3):
                world = position.forget(seat)
                world.roll(rng_array(224, step, deal))
                assert world.legal(seat) == position.legal(seat)
                kinds = world.record.room_type[: world.record.n_rooms].tolist()
                assert kinds.count(Room.TARGET_AREA) == 1 and kinds.count(Room.ENTRANCE) == 1
                ways += 1
        position.apply(seat, agent.act(View.of(position, seat, 1, 224, step)))
        step += 1
        position.roll(rng_array(1224, step))
    assert ways > 30
