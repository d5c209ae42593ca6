"""The rule modules of OneShot: what each of them changes, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from probespiel.envs import make_game
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.soundness import check_game
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.system import SYSTEM

MODULES = ("berserker", "diehard", "flanking", "momentum", "shield_wall")
HOME = "probespiel.envs.oneshot."


def start(modules: dict[str, Any], scenario: str = "ambush", seed: int = 1) -> Position:
    """A skirmish, interpreted, at its first decision."""
    return make_game("oneshot-skirmish", scenario, modules, compiled=False).position(seed=seed)


def number(position: Position, name: str, *arguments: int) -> int:
    """A number of the rules with the modules in force: a function of numbers.py."""
    function = getattr(position.game.kernel.namespaces[HOME + "skirmish.numbers"], name)
    return int(function(position.record, position.game.params, *arguments))


def put(position: Position, places: list[tuple[int, int]]) -> None:
    """Figures on places."""
    for i, (x, y) in enumerate(places):
        position.record.x[i], position.record.y[i] = x, y


def test_all_are_known() -> None:
    assert SYSTEM.modules() == MODULES


def test_flanking_counts_comrades_at_the_target() -> None:
    """Red fighter 0 and archer 1 against blue fighter 2."""
    for comrades, bonus in ((1, 2), (2, 0)):
        position = start({"flanking": {"bonus": 2, "comrades": comrades}})
        put(position, [(4, 4), (8, 4), (6, 4), (0, 9)])
        plain = start({})
        put(plain, [(4, 4), (8, 4), (6, 4), (0, 9)])
        usual = number(plain, "attack_modifier", 0, 0, 2, 0)
        assert number(position, "attack_modifier", 0, 0, 2, 0) == usual + bonus
        usual = number(plain, "attack_modifier", 1, 0, 2, 0)  # a bow does not flank
        assert number(position, "attack_modifier", 1, 0, 2, 0) == usual
        put(position, [(4, 4), (9, 4), (6, 4), (0, 9)])
        assert number(position, "attack_modifier", 0, 0, 2, 0) == number(plain, "attack_modifier", 0, 0, 2, 0)


def test_shield_wall_counts_comrades_at_one_s_side() -> None:
    position, plain = start({"shield_wall": {}}), start({})
    for places, bonus in (([(0, 4), (0, 6), (9, 0), (9, 9)], 1), ([(0, 4), (0, 7), (9, 0), (9, 9)], 0)):
        put(position, places)
        assert number(position, "defence_now", 0) == number(plain, "defence_now", 0) + bonus
        position.record.standing[1] = st.Status.UNCONSCIOUS
        assert number(position, "defence_now", 0) == number(plain, "defence_now", 0)
        position.record.standing[1] = st.Status.UP


def test_berserker_is_a_perk_of_single_figures() -> None:
    position = start({"berserker": {"bonus": 3, "seats": ["red_fighter"]}})
    plain = start({})
    for s in (position.record, plain.record):
        s.wounds[:] = 3  # more than half of 5
    assert number(position, "damage_modifier", 0, 0, 2, 0) == number(plain, "damage_modifier", 0, 0, 2, 0) + 3
    assert number(position, "damage_modifier", 2, 0, 0, 0) == number(plain, "damage_modifier", 2, 0, 0, 0)
    position.record.wounds[0] = 2
    plain.record.wounds[0] = 2
    assert number(position, "damage_modifier", 0, 0, 2, 0) == number(plain, "damage_modifier", 0, 0, 2, 0)
    with pytest.raises(RulesetError, match="red_wizard"):
        start({"berserker": {"seats": ["red_wizard"]}})


def attack_until_it_falls(position: Position, dice: dict[str, int]) -> None:
    """Every attack hits and wounds; survival dice show `survival`."""
    for _ in range(400):
        if position.over or position.record.standing[2] != st.Status.UP:
            return
        seat = position.to_act()[0]
        legal = position.legal(seat)
        attacks = [a for a in legal if st.Action.ATTACK <= a < st.Action.EDGE]
        position.apply(
            seat,
            attacks[0] if attacks and seat < 2 else st.Action.END_TURN if st.Action.END_TURN in legal else st.DECLINE,
        )
        while faces := position.die():
            survival = position.record.ck_kind == st.Check.SURVIVE
            position.fall(min(faces, dice["survival" if survival else "other"]) - 1)


@pytest.mark.parametrize(
    ("modules", "status"), [({}, st.Status.DEAD), ({"diehard": {"bonus": 3}}, st.Status.UNCONSCIOUS)]
)
def test_diehard_helps_the_first_time(modules: dict[str, Any], status: int) -> None:
    position = start(modules)
    put(position, [(4, 4), (0, 0), (6, 4), (0, 9)])
    position.record.saga[:] = 0
    attack_until_it_falls(position, {"survival": 2, "other": 6})
    assert position.record.standing[2] == status
    if modules:
        assert position.record.diehard_used[2] == 1 and not position.record.diehard_used[0]


def test_momentum_lasts_until_the_end_of_the_next_turn() -> None:
    position, plain = start({"momentum": {"bonus": 2}}), start({})
    hooks = position.game.kernel.namespaces[HOME + "hooks"]
    s, p = position.record, position.game.params
    usual = number(plain, "attack_modifier", 0, 0, 2, 0)
    assert number(position, "attack_modifier", 0, 0, 2, 0) == usual
    hooks.dealt(s, p, 0, 2)
    for expected in (2, 2, 0):
        assert number(position, "attack_modifier", 0, 0, 2, 0) == usual + expected
        hooks.turn_ends(s, p, 0)
    hooks.dealt(s, p, 0, 1)  # the own flask
    assert number(position, "attack_modifier", 0, 0, 2, 0) == usual


def test_modules_belong_to_fights() -> None:
    for game in ("oneshot-parley", "oneshot-build"):
        with pytest.raises(RulesetError, match="level"):
            make_game(game, modules={"flanking": {}})


@pytest.mark.parametrize("name", MODULES)
def test_promises(name: str) -> None:
    """Random play, with nothing hidden seen and all values in their ranges."""
    game = make_game("oneshot-skirmish", "duel_mirror", {name: {}}, compiled=False, max_count=30)
    played = check_game(game, 1)
    assert played.decisions > 5 and not played.problems


@pytest.mark.slow
def test_all_together_compiled() -> None:
    """Compiled and interpreted rules do the same, in skirmishes and missions."""
    modules: dict[str, Any] = {name: {} for name in MODULES}
    for name, scenario in (("oneshot-skirmish", "party_battle"), ("oneshot-mission", "courier")):
        fast, slow = (make_game(name, scenario, modules, compiled=c) for c in (True, False))
        assert fast.kernel.compiled and not slow.kernel.compiled
        same(fast, slow)


def same(fast: Game, slow: Game) -> None:
    """One random game on both, record by record."""
    import random

    one, two = fast.position(seed=4), slow.position(seed=4)
    rng = random.Random(4)
    for _ in range(150):
        if one.over:
            break
        assert one.to_bytes() == two.to_bytes()
        seat = one.to_act()[0]
        action = rng.choice([a for a in one.legal(seat) if a != st.Action.ABORT])
        for position in (one, two):
            position.apply(seat, action)
        while faces := one.die():
            face = rng.randrange(faces)
            one.fall(face)
            two.fall(face)
