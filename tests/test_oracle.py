"""The compiled einBlatt kernel against the plain-Python oracle: random games under random options, step by step."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.game import Game, Position
from probespiel.envs.einblatt import state as st
from probespiel.envs.einblatt.system import SYSTEM
from probespiel.envs.einblatt.text import outcome_class
from tests.naive.einblatt import NaiveEinblatt
from tests.naive.test_naive_statistics import random_setup

ROUND_PHASES = ("act", "command", "react")


def valid_setup(rng: random.Random) -> dict[str, Any]:
    """A random setup that the specification allows (npc cards fit a shared deck)."""
    while True:
        setup = random_setup(rng)
        total = sum(seat.get("cards", 0) for seat in setup["seats"])
        if setup["config"].get("deck") != "shared_npc" or total <= 32:
            return setup


def cards(bits: int) -> list[int]:
    return [c for c in range(32) if int(bits) >> c & 1]


def kernel_snapshot(position: Position, phase: str) -> dict[str, Any]:
    """What the oracle's snapshot holds, read from the state record."""
    s, p, n = position.record, position.game.params, position.game.n_seats

    def attribute(i: int) -> int:
        t = int(s.tested[i])
        if p.pc[i]:
            return max(0, int(s.attr[i, t]) - int(s.restr[i, t]))
        value = int(p.npc_attribute[i]) if p.npc_attribute[i] >= 0 else int(s.npc_cards[i])
        return max(0, value - int(s.restr[i, t])) if p.npc_restrictions else value

    deck = [int(s.deck_of[i]) for i in range(n)]
    out: dict[str, Any] = {
        "ep": [int(s.ep[i]) for i in range(n)],
        "hand": [cards(int(s.hand[i])) for i in range(n)],
        "draw": [cards(int(s.draw[deck[i], 0])) for i in range(n)],
        "discard": [cards(int(s.disc[deck[i], 0])) for i in range(n)],
        "restriction": [int(s.restr[i, s.tested[i]]) for i in range(n)],
        "permanent": [int(s.perm[i, s.tested[i]]) for i in range(n)],
        "attribute": [attribute(i) for i in range(n)],
        "dead": [bool(s.dead[i]) for i in range(n)],
    }
    if phase in ROUND_PHASES:
        for ours, theirs in (("is_open", "open"), ("spent", "spent"), ("passed", "passed"), ("waited", "waited")):
            out[theirs] = [bool(getattr(s, ours)[i]) for i in range(n)]
    if phase not in ("over", "draw", "initiative"):
        out.update(conflict=int(s.conflict), test=int(s.test))
    return out


def compare_game(setup: dict[str, Any], rng: random.Random, compiled: bool) -> tuple[int, str]:
    """Play one random game on both; raises AssertionError at the first difference. Returns steps and last phase."""
    naive = NaiveEinblatt(setup)
    game = Game(SYSTEM.spec_of_setup(setup), compiled)
    position = Position(game)
    steps = 0
    while True:
        kind, request = naive.pending()
        if kind == "over":
            break
        where = f"step {steps} of {setup}"
        if kind == "chance":
            faces = position.die()
            options = request["cards"] if request["kind"] == "draw" else request["seats"]
            assert faces == len(options), where
            if request["kind"] == "draw":
                s = position.record
                assert cards(int(s.draw[int(s.die_deck), int(s.die_pile)])) == options, where
            outcome = rng.randrange(faces)
            naive.fall(outcome)
            position.fall(outcome)
        else:
            assert position.die() == 0, where
            assert sorted(position.to_act()) == sorted(request), where
            assert position.phase() == naive.phase, where
            ours = kernel_snapshot(position, naive.phase)
            theirs = naive.snapshot()
            for key, value in ours.items():
                if key == "hand" and naive.phase == "commit" and setup["config"].get("layout") == "slots":
                    continue
                assert value == theirs[key], f"{key} at {where}"
            for seat, legal in request.items():
                codes = [game.actions.codes[a] for a in position.legal(seat)]
                assert sorted(codes) == sorted(legal), f"seat {seat} at {where}"
                game.layout.check(position.observe(seat))
            seat = rng.choice(sorted(request))
            action = rng.choice(request[seat])
            naive.act(seat, action)
            position.apply(seat, game.actions.parse(action))
        steps += 1
    assert position.over and not position.to_act() and position.die() == 0
    theirs = naive.snapshot()
    for key, value in kernel_snapshot(position, "over").items():
        assert value == theirs[key], f"{key} at the end of {setup}"
    n = game.n_seats
    assert [outcome_class(int(position.record.ep[i])) for i in range(n)] == theirs["outcome"]
    assert position.returns() == pytest.approx(theirs["payoffs"])
    return steps, naive.phase


@pytest.mark.parametrize("part", range(4))
def test_kernel_agrees_with_the_oracle(part: int) -> None:
    """Every option of section 5, three levels, 2 to 8 seats, after every step."""
    rng = random.Random(100 + part)
    steps = 0
    for _ in range(200):
        steps += compare_game(valid_setup(rng), rng, compiled=True)[0]
    assert steps > 3000


def test_interpreted_kernel_agrees_with_the_oracle() -> None:
    """The same rules without the compiler."""
    rng = random.Random(7)
    for _ in range(60):
        compare_game(valid_setup(rng), rng, compiled=False)


@pytest.mark.slow
def test_kernel_agrees_with_the_oracle_at_length() -> None:
    rng = random.Random(2024)
    for _ in range(12000):
        compare_game(valid_setup(rng), rng, compiled=True)


def test_truncation_agrees_with_the_oracle() -> None:
    """`max_decisions` stops both at the same decision, with the payoff as it stands."""
    rng = random.Random(5)
    stopped = 0
    for _ in range(40):
        setup = valid_setup(rng)
        setup["config"]["max_decisions"] = 100
        if setup["level"] == "campaign":
            setup["conflicts"] = [{**c, "lethal": False} for c in setup["conflicts"]] * 10
            setup["conflicts"] = setup["conflicts"][: st.CONFLICTS]
        naive = NaiveEinblatt(setup)
        position = Position(Game(SYSTEM.spec_of_setup(setup)))
        while naive.pending()[0] != "over":
            kind, request = naive.pending()
            if kind == "chance":
                outcome = rng.randrange(position.die())
                naive.fall(outcome)
                position.fall(outcome)
            else:
                seat = min(request)
                action = rng.choice(request[seat])
                naive.act(seat, action)
                position.apply(seat, position.game.actions.parse(action))
        assert position.over
        assert (position.status == 2) == naive.snapshot()["truncated"]
        stopped += position.status == 2
        assert np.allclose(position.returns(), naive.snapshot()["payoffs"])
    assert stopped > 3
