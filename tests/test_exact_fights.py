"""Attacks, edges, items and wounds of oneshot by hand from the rules: one kernel function at a time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.envs.oneshot import state as one
from probespiel.envs.oneshot.skirmish import arms, effects, fight, numbers


def figures(n: int = 3, **more: Any) -> Any:
    """Figures on a field, up and unhurt, whose events are noted nowhere."""
    zeros = ("wounds", "burden", "hardened", "pend_wound", "pend_heal", "pend_break", "saga", "armour_malus")
    s = SimpleNamespace(
        x=np.zeros(n, int), standing=np.full(n, one.Status.UP), limit=np.full(n, 5), team=np.array([0, 1, 1][:n]),
        edge=np.zeros((3, n, n), int), pend_edge=np.zeros((3, n, n), int), fresh=np.zeros((3, n), int), edges=0,
        pend_edges=0, pend_kill=0, pend_wake=0, pending=0, deferred=0, falling=0, wakers=0, resolving=0, stage=0,
        n_events=1 << 30, task=0, l_wound=0, l_hurt=0, surprise=0, weak=0, steps=0,
    )  # fmt: skip
    for name in zeros:
        setattr(s, name, np.zeros(n, int))
    for name, value in more.items():
        setattr(s, name, value)
    return s


AGGRESSIVE, CUNNING, DIPLOMATIC = one.Talk.AGGRESSIVE, one.Talk.CUNNING, one.Talk.DIPLOMATIC


def test_who_falls_holds_no_edge_and_suffers_none() -> None:
    """R53, R87: two edges of figure 0, one on it, one on itself by another; that of 1 on 2 stays."""
    s = figures()
    s.edge[AGGRESSIVE, 0, 1], s.edge[CUNNING, 0, 2], s.edge[DIPLOMATIC, 1, 0], s.edge[CUNNING, 1, 2] = 2, 1, 3, 4
    s.edges = 4
    effects.drop_edges(s, 0)
    assert s.edges == 1 and s.edge.sum() == 4 and s.edge[CUNNING, 1, 2] == 4


def test_edges_last_as_long_as_the_longer_one_and_only_between_those_who_are_up() -> None:
    """R40, R53, R87: an edge of 2 is refreshed by 5, one of 7 is not shortened; one on a dead figure never comes."""
    s = figures(standing=np.array([one.Status.UP, one.Status.UP, one.Status.DEAD]), edges=2, pend_edges=4)
    s.edge[AGGRESSIVE, 0, 1], s.edge[CUNNING, 0, 1] = 2, 7
    s.pend_edge[AGGRESSIVE, 0, 1], s.pend_edge[CUNNING, 0, 1] = 5, 3
    s.pend_edge[DIPLOMATIC, 1, 0], s.pend_edge[AGGRESSIVE, 0, 2] = 1, 9
    effects.effects_of_arms(s, SimpleNamespace())
    assert s.edge[:, 0, 1].tolist() == [5, 7, 0] and s.edge[DIPLOMATIC, 1, 0] == 1 and not s.edge[:, 0, 2].any()
    assert s.edges == 3 and s.pend_edges == 0 and not s.pend_edge.any()
    assert s.fresh.tolist() == [[0b010, 0, 0], [0b010, 0, 0], [0, 0b001, 0]]


def test_a_broken_edge_is_the_diplomatic_one() -> None:
    """A36: who attacks the one it had made peace with ends that edge, and no other."""
    s = figures(edges=3)
    s.edge[DIPLOMATIC, 0, 1] = s.edge[DIPLOMATIC, 0, 2] = s.edge[CUNNING, 0, 1] = 2
    s.pend_break[0] = 0b010
    effects.effects_of_arms(s, SimpleNamespace())
    assert s.edges == 2 and s.edge[DIPLOMATIC, 0].tolist() == [0, 0, 2] and s.edge[CUNNING, 0, 1] == 2
    assert not s.pend_break.any()


@pytest.mark.parametrize(
    ("wounds_", "new", "status", "team", "falls", "after"),
    [(4, 1, "UP", 1, False, "UP"), (5, 1, "UP", 1, True, "UP"), (6, 1, "UNCONSCIOUS", 1, True, "UNCONSCIOUS"),
     (6, 1, "DEAD", 1, False, "DEAD"), (4, 2, "UP", 2, False, "DEAD"), (4, 1, "UP", 2, False, "UP")],
)  # fmt: skip
def test_who_must_roll_to_survive(wounds_: int, new: int, status: str, team: int, falls: bool, after: str) -> None:
    """R50, R51, R53: more wounds than the limit of 5; an object is destroyed instead, the dead are not wounded."""
    s = figures(pending=1)
    s.wounds[1], s.pend_wound[1], s.standing[1], s.team[1] = wounds_, new, one.Status[status], team
    effects.effects_of_arms(s, SimpleNamespace())
    assert s.wounds[1] == wounds_ + (0 if status == "DEAD" else new) and s.pend_wound[1] == 0
    assert (s.falling == 0b010) == falls and s.standing[1] == one.Status[after]


def test_an_executed_figure_is_dead_before_wounds_are_dealt() -> None:
    """R40, R52."""
    s = figures(pend_kill=0b100, pending=2)
    s.standing[2], s.wounds[2], s.pend_wound[2] = one.Status.UNCONSCIOUS, 7, 1
    effects.effects_of_arms(s, SimpleNamespace())
    assert s.standing[2] == one.Status.DEAD and s.wounds[2] == 7 and s.pend_kill == 0 and s.falling == 0


@pytest.mark.parametrize(
    ("status", "wounds_", "heals", "left", "woken"),
    [("UP", 3, 1, 1, False), ("UP", 1, 1, 0, False), ("UNCONSCIOUS", 8, 1, 6, False), ("UNCONSCIOUS", 7, 1, 5, True),
     ("UNCONSCIOUS", 9, 2, 5, True), ("DEAD", 7, 1, 7, False)],
)  # fmt: skip
def test_what_heals_and_who_wakes(
    status: str, wounds_: int, heals: int, left: int, woken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R64, R65 with two wounds healed by each: up again at the limit of 5, not above it."""
    risen: list[int] = []
    monkeypatch.setattr(effects, "rejoin", lambda s, p, i: risen.append(i))
    s = figures()
    s.standing[2], s.wounds[2], s.pend_heal[2] = one.Status[status], wounds_, heals
    effects.resolve_step(s, SimpleNamespace(heal_amount=2))
    assert s.wounds[2] == left and risen == [2] * woken and s.pend_heal[2] == 0 and s.resolving == 1


@pytest.mark.parametrize(("pending", "deferred", "comes"), [(1, 0, True), (1, 1, False), (0, 0, False)])
def test_effects_come_at_once_or_with_the_group(pending: int, deferred: int, comes: bool) -> None:
    """R40."""
    s = figures(pending=pending, deferred=deferred, resolving=4, stage=one.FightStage.TURN)
    effects.settle(s)
    assert (s.stage, s.resolving) == ((one.FightStage.RESOLVE, 0) if comes else (one.FightStage.TURN, 4))


@pytest.mark.parametrize(("count", "value", "due"), [(0, 4, 4), (3, 4, 4), (4, 4, 8), (9, 5, 10), (7, -3, 9)])
def test_who_comes_late_acts_from_the_next_count_on(
    count: int, value: int, due: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R64: multiples of its value (its absolute value) above the count."""
    monkeypatch.setattr(effects, "roll_initiative", lambda s, p, i, face: value)
    s = figures(count=count, c_init=[0, 0, 0], due=[0, 0, 0])
    effects.join_late(s, SimpleNamespace(zero_initiative=9), 2, 3)
    assert s.due == [0, 0, due] and s.c_init == [0, 0, abs(value)]


@pytest.mark.parametrize(("total", "value", "held", "rounds"), [(5, 5, 0, 1), (7, 5, 0, 2), (9, 5, 0, 4), (7, 5, 3, 3)])
def test_an_edge_lasts_as_long_as_the_check_was_good(total: int, value: int, held: int, rounds: int) -> None:
    """R84: total minus the value of the opponent, one at least."""
    s = figures(
        ck_kind=one.Check.EDGE, ck_who=0, ck_done=1, ck_natural=3, ck_total=total, ck_need=value, ck_win=1,
        weapon=CUNNING, target=1, value=np.full((3, 3), value), l_rounds=0,
    )  # fmt: skip
    s.pend_edge[CUNNING, 0, 1] = held
    arms.check_over(s, SimpleNamespace(social_offset=0))
    assert s.pend_edge[CUNNING, 0, 1] == rounds and s.pend_edge.sum() == rounds
    assert (s.pend_edges, s.pending, s.l_success, s.l_total, s.l_goal) == (1, 1, 1, total, value)
    assert s.stage == one.FightStage.RESOLVE and (s.ck_kind, s.ck_done) == (0, 0)
    s = figures(
        ck_kind=one.Check.EDGE, ck_who=0, ck_done=1, ck_natural=3, ck_total=4, ck_need=5, ck_win=0, weapon=0, target=1,
    )  # fmt: skip
    arms.check_over(s, SimpleNamespace(social_offset=0))
    assert (s.pend_edges, s.pending, s.l_success, s.stage) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("face", "flask", "wounded"), [(3, False, True), (2, False, False), (4, True, True), (3, True, False)]
)
def test_damage_that_reaches_the_defence_is_one_wound(
    face: int, flask: bool, wounded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R43, R44, R115: defence 5 less a cunning edge is 4; a weapon adds 2 and a weak spot takes 1 off, a flask adds 1
    less the wound malus of the thrower."""
    monkeypatch.setattr(arms, "damage_modifier", lambda *_: 2)
    s = figures(actor=0, die_at=1, target=1, weapon=0, weak=-1, defence=[9, 5, 9], edges=1, die_kind=1, die_faces=6)
    s.edge[CUNNING, 2, 1], s.wounds[0] = 1, 3
    s.task = one.Task.FLASK if flask else 0
    arms.damage_fell(s, SimpleNamespace(flask_damage=1, edge_stacking=0), face)
    assert (s.pend_wound[1], s.l_wound, s.pending) == ((1, 1, 1) if wounded else (0, 0, 0))
    assert s.l_damage == face + (0 if flask else 1) and (s.l_defence, s.l_natural, s.die_faces) == (4, face, 0)
    assert s.stage == (one.FightStage.RESOLVE if wounded and not flask else 0)


def test_wounds_over_half_the_limit_take_one_off() -> None:
    """R62: 2 * wounds > limit; hardened figures feel nothing, a burden counts for all."""
    s = figures()
    found = []
    for wounds_ in (2, 3):
        s.wounds[0] = wounds_
        found.append(numbers.malus(s, 0))
    s.hardened[0] = 1
    assert (found, numbers.malus(s, 0)) == ([0, 1], 0)
    s.burden[0] = 2
    assert numbers.malus(s, 0) == 2
    assert [numbers.wound_mood(w, 5) for w in (0, 1, 2, 3, 4, 5, 6)] == [-2, -1, -1, 1, 1, 2, 2]


def test_edges_on_a_figure_and_what_they_bar() -> None:
    """R85, R87: two cunning edges on figure 2 count once unless they stack; 1 has one of peace with 0."""
    s = figures(edges=3)
    s.edge[CUNNING, 0, 2], s.edge[CUNNING, 1, 2], s.edge[DIPLOMATIC, 1, 0] = 1, 5, 2
    assert [numbers.edges_on(s, SimpleNamespace(edge_stacking=k), CUNNING, 2) for k in (0, 1)] == [1, 2]
    assert numbers.edges_on(s, SimpleNamespace(edge_stacking=1), AGGRESSIVE, 2) == 0
    assert numbers.barred(s, 0, 1) and not numbers.barred(s, 1, 0)
    assert arms.blast_barred(s, 0, 0b011) and not arms.blast_barred(s, 0, 0b101) and not arms.blast_barred(s, 1, 0b111)


@pytest.mark.parametrize(
    ("kind", "far", "reach", "damage", "steps"),
    [(one.MELEE, 1, 9, 1, 0), (one.MELEE, 2, 9, 1, -1), (one.RANGED, 4, 4, 2, 0), (one.RANGED, 5, 4, 2, 1),
     (one.RANGED, 8, 4, 2, 1), (one.RANGED, 9, 4, 2, -1), (one.RANGED, 9, 4, 3, 2), (one.RANGED, 0, 4, 0, 0)],
)  # fmt: skip
def test_how_far_a_weapon_reaches(
    kind: int, far: int, reach: int, damage: int, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R101 to R104: every started further range is a step, and a weapon whose damage steps use up does nothing."""
    monkeypatch.setattr(numbers, "distance", lambda *_: far)
    s = figures(w_kind=np.array([[kind]]), w_range=np.array([[reach]]), w_damage=np.array([[damage]]))
    assert numbers.range_steps(s, 0, 0, 1) == steps


def test_a_fallen_figure_is_executed_and_items_are_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """R52, R113 to R116: each item once, on the friend or foe that the action names."""
    used: list[tuple[int, int]] = []
    monkeypatch.setattr(fight, "use_flask", lambda s, p, a, b: used.append((a, b)))
    monkeypatch.setattr(fight, "begin_attack", lambda s, p, a, w, b: used.append((10 + w, b)))
    monkeypatch.setattr(fight, "begin_edge", lambda s, p, a, m, b: used.append((20 + m, b)))
    monkeypatch.setattr(fight, "clear_last", lambda s: None)
    p = SimpleNamespace(first=[0, 4])
    act = one.Action
    for action, kill, heal, wake, items, said in (
        (act.EXECUTE + 1, 1 << 5, None, 0, [3, 3], []),
        (act.HEAL + 2, 0, 2, 0, [2, 3], []),
        (act.SALTS + 3, 0, None, 1 << 3, [3, 2], []),
        (act.FLASK + 3, 0, None, 0, [3, 3], [(1, 7)]),
        (act.ATTACK + 4 + 2, 0, None, 0, [3, 3], [(11, 6)]),
        (act.EDGE + 8 + 1, 0, None, 0, [3, 3], [(22, 5)]),
    ):
        s = figures(actor=1, node=3, deferred=1, acted=[0] * 8, team=[0] * 4 + [1] * 4, pend_heal=[0] * 8)
        s.items = np.zeros((8, 8), int)
        s.items[1, one.Item.HEAL], s.items[1, one.Item.SALTS] = 3, 3
        used.clear()
        fight.act(s, p, int(action))
        assert (s.pend_kill, s.pend_wake, used) == (kill, wake, said) and s.node == one.NOBODY
        assert s.pend_heal == [int(i == heal) for i in range(8)]
        assert [s.items[1, one.Item.HEAL], s.items[1, one.Item.SALTS]] == items
        assert s.acted == [0, int(not said), *[0] * 6] and s.pending == (not said)


@pytest.mark.parametrize(("acted", "moved"), [(0, 0), (1, 0), (0, 1)])
def test_what_may_be_done_on_a_turn(acted: int, moved: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """R37, R45, R52, R84, R113 to R115. Figure 0 and its friend 1 against 4 (up, near), 5 (up, at 6), 6 (fallen, near),
    7 (up, at 7, has made peace): reach of edges 6, of a flask 6, of salts 2, of heals 1."""
    far = {1: 2, 4: 1, 5: 6, 6: 1, 7: 7}
    monkeypatch.setattr(fight, "distance", lambda s, a, b: far[b])
    monkeypatch.setattr(fight, "allow_moves", lambda s, p, a, words: words.__setitem__(4, words[4] | 1 << 31))
    monkeypatch.setattr(fight, "barred", lambda s, a, b: b == 7)
    monkeypatch.setattr(fight, "range_steps", lambda s, a, w, b: 0 if w == 0 or b == 5 else -1)
    monkeypatch.setattr(fight, "blast_area", lambda s, p, b: 1 << b)
    monkeypatch.setattr(fight, "blast_barred", lambda s, a, area: area == 1 << 4)
    up, out = one.Status.UP, one.Status.UNCONSCIOUS
    s = figures(2, actor=0, acted=[acted], moved=[moved], allowed=[0] * 5, team=[0, 0, 0, 0, 1, 1, 1, 1])
    s.standing, s.wounds = [up, out, 0, 0, up, up, out, up], [1, 6, 0, 0, 0, 0, 0, 0]
    s.items = np.zeros((8, 8), int)
    s.items[0, [one.Item.HEAL, one.Item.SALTS, one.Item.FLASK]] = 1
    p = SimpleNamespace(first=[0, 4], members=[2, 4], edge_range=6, flask_reach=6, heal_reach=1, salts_reach=2)
    act = one.Action

    def allowed() -> set[int]:
        fight.turn_options(s, p)
        return {32 * word + bit for word in range(5) for bit in range(32) if int(s.allowed[word]) >> bit & 1}

    always = {int(act.END_TURN)} | ({32 * 4 + 31} if not moved else set())
    attacks = {act.ATTACK, act.ATTACK + 1, act.ATTACK + 4 + 1}
    edges = {act.EDGE + 4 * method + target for method in range(3) for target in (0, 1)}
    others = {act.FLASK + 1, act.EXECUTE + 2, act.HEAL, act.SALTS + 1}
    assert allowed() == (always if acted else always | attacks | edges | others)
    if acted:
        return
    far[6], far[1], s.wounds[0] = 2, 3, 0
    assert allowed() == always | attacks | edges | {act.FLASK + 1}
    s.items[0], p.edge_range = 0, -1
    assert allowed() == always | attacks | {
        act.EDGE + 4 * method + target for method in range(3) for target in (0, 1, 3)
    }


@pytest.mark.parametrize("k", [0, 1, 7])
def test_a_move_goes_where_it_says_and_is_the_move_of_the_turn(k: int) -> None:
    """R36: the offset of the action, from where the figure stands; it has not acted by that."""
    s = figures(actor=1, node=0, moved=[0, 0, 0], acted=[0, 0, 0], y=np.array([4, 5, 6]))
    s.x[:] = 1, 2, 3
    s.l_attack = 0
    fight.act(s, SimpleNamespace(first=[0, 1]), int(one.Action.MOVE) + k)
    assert (s.x.tolist(), s.y.tolist()) == ([1, 2 + one.OFFSET_X[k], 3], [4, 5 + one.OFFSET_Y[k], 6])
    assert (s.moved, s.acted) == ([0, 1, 0], [0, 0, 0])


def test_dice_of_a_fight_that_belong_to_no_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """R30, R39: an initiative of 0 counts as the option says; of those who wait the one that the die names is next."""
    monkeypatch.setattr(fight, "roll_initiative", lambda s, p, i, face: face - 3)
    late: list[tuple[int, int]] = []
    monkeypatch.setattr(fight, "join_late", lambda s, p, i, face: late.append((i, face)))
    s = figures(c_init=[5, 5, 5], die_at=1, waiting=0b1101, order=[9, 9, 9, 9], order_n=1)
    for outcome, value in ((4, 2), (2, 12), (0, -2)):
        s.die_kind, s.die_faces = one.Die.INITIATIVE, 6
        fight.fight_fell(s, SimpleNamespace(zero_initiative=12), outcome)
        assert s.c_init == [5, value, 5] and (s.die_kind, s.die_faces) == (one.Die.NONE, 0)
    for outcome, chosen, left in ((1, 2, 0b1001), (1, 3, 0b0001), (0, 0, 0)):
        s.die_kind = one.Die.ORDER
        fight.fight_fell(s, SimpleNamespace(), outcome)
        assert s.order[s.order_n - 1] == chosen and s.waiting == left
    assert s.order == [9, 2, 3, 0] and s.order_n == 4
    for kind in (one.Die.WAKE, one.Die.ENTER):
        s.die_kind = kind
        fight.fight_fell(s, SimpleNamespace(), 3)
    assert late == [(1, 4), (1, 4)]


CHECKED = {
    "ck_kind": 0,
    "ck_who": 0,
    "ck_done": 1,
    "ck_natural": 3,
    "ck_total": 6,
    "ck_need": 5,
    "ck_win": 1,
    "asked": -1,
}


@pytest.mark.parametrize(("peace", "option", "broken"), [(1, 1, True), (0, 1, False), (1, 0, False)])
def test_an_attack_is_a_roll_against_the_attack_value(
    peace: int, option: int, broken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R42, A36: the roll of the attacker; whoever has made peace with the target breaks it, by the option."""
    monkeypatch.setattr(arms, "range_steps", lambda s, a, w, b: 10 * w + b)
    monkeypatch.setattr(arms, "attack_modifier", lambda s, p, a, w, b, steps: steps - 12)
    s = figures(acted=[0] * 3, attack=[3, 4, 5], w_number=np.array([[7, 8]] * 3), weapon=0, target=0)
    s.edge[DIPLOMATIC, 1, 2], s.edge[DIPLOMATIC, 2, 1], s.weak = peace, 1, 1
    arms.begin_attack(s, SimpleNamespace(diplomatic_breaks_on_attack=option, attack_automatics=1), 1, 1, 2)
    assert (s.acted, s.weapon, s.target, s.steps, s.weak) == ([0, 1, 0], 1, 2, 12, 0)
    assert (s.ck_kind, s.ck_who, s.ck_mod, s.ck_need, s.ck_conf) == (one.Check.ATTACK, 1, 0, 4, 1)
    assert (s.die_kind, s.die_at, s.die_faces, s.l_need, s.l_secret) == (one.Die.CHECK, 1, 6, 4, 1)
    assert (s.pend_break[1], s.pending) == ((0b100, 1) if broken else (0, 0)) and not s.pend_break[[0, 2]].any()


def test_an_edge_is_a_check_against_the_value_of_the_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    """R71, R84: the same value of the target, with the offset, and one more where equal ones do not pass."""
    monkeypatch.setattr(arms, "edge_modifier", lambda s, p, a, b, method: 100 * a + 10 * b + method)
    s = figures(acted=[0] * 3, value=np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), weapon=9, target=9)
    arms.begin_edge(s, SimpleNamespace(social_offset=4, social_tie=1), 1, CUNNING, 2)
    assert (s.acted, s.weapon, s.target, s.l_secret) == ([0, 1, 0], CUNNING, 2, 2)
    assert (s.ck_kind, s.ck_who, s.ck_mod, s.ck_need) == (one.Check.EDGE, 1, 121, int(s.value[2, CUNNING]) + 5)
    assert s.ck_conf == 1


@pytest.mark.parametrize(("hit", "perk"), [(1, 0), (1, 1), (0, 1)])
def test_what_follows_an_attack(hit: int, perk: int) -> None:
    """R43, R135: a hit has its damage die, or asks first whether the weak spot is sought; a miss has nothing."""
    s = figures(**CHECKED | {"ck_kind": one.Check.ATTACK, "ck_win": hit}, node=0, die_faces=0, pending=1)
    s.perks = [one.P_WEAK_SPOT * perk, 0, 0]
    arms.check_over(s, None)
    assert (s.l_attack, s.l_hit, s.l_natural, s.l_total, s.l_goal) == (6, hit, 3, 6, 5)
    assert s.die_faces == (6 if hit and not perk else 0) and (s.asked == 0) == bool(hit and perk)
    assert s.stage == (0 if hit else one.FightStage.RESOLVE)


@pytest.mark.parametrize(("win", "weak"), [(1, 1), (0, -1)])
def test_a_weak_spot_adds_or_takes_one(win: int, weak: int) -> None:
    """R43, R135: then the damage die of the attacker falls."""
    s = figures(**CHECKED | {"ck_kind": one.Check.WEAK, "ck_win": win}, die_faces=0)
    arms.check_over(s, None)
    assert (s.weak, s.l_weak, s.die_kind, s.die_at, s.die_faces) == (weak, win, one.Die.DAMAGE, 0, 6)


def test_a_flask_rolls_for_all_in_its_area_in_seat_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """R115: figures not dead within 1 of the target; wounds come together when the last has rolled."""
    far = {0: 1, 1: 0, 2: 2, 3: 1, 4: 0}
    monkeypatch.setattr(arms, "distance", lambda s, i, target: far[i] + (target != 1))
    s = figures(2, actor=0, acted=[0] * 5, die_faces=0)
    s.x, s.items = np.zeros(5), np.zeros((5, 8), int)
    s.standing = [one.Status.UP, one.Status.UP, one.Status.UP, one.Status.UNCONSCIOUS, one.Status.DEAD]
    s.items[0, one.Item.FLASK] = 2
    arms.use_flask(s, SimpleNamespace(flask_area=1), 0, 1)
    assert (s.victims, s.task, s.acted, s.items[0, one.Item.FLASK]) == (0b01011, one.Task.FLASK, [1, 0, 0, 0, 0], 1)
    rolled = []
    for _ in range(3):
        arms.flask_step(s)
        rolled.append((s.die_at, s.die_faces))
    assert rolled == [(0, 6), (1, 6), (3, 6)] and s.victims == 0
    for wounded, told in ((-99, 0), (1, 1)):
        s.l_wound, s.pending, s.stage, s.task = wounded, 1, 0, one.Task.FLASK
        arms.flask_step(s)
        assert (s.task, s.l_wound, s.stage) == (0, told, one.FightStage.RESOLVE)


@pytest.mark.parametrize(("averted", "flask"), [(True, False), (True, True), (False, False), (False, True)])
def test_a_point_of_the_saga_averts_a_wound(averted: bool, flask: bool) -> None:
    """R127: the point is gone and nothing is dealt; of a flask the others still roll."""
    s = figures(actor=0, asked=2, node=5, l_wound=-99, pending=1, task=one.Task.FLASK if flask else 0)
    s.saga[2] = 2
    arms.wound_answered(s, None, one.SAGA if averted else 0)
    assert (s.saga[2], s.pend_wound[2], s.l_hurt) == ((1, 0, 0) if averted else (2, 1, 0b100))
    assert s.l_wound == ((-99 if flask else 0) if averted else 1) and s.node == one.NOBODY
    assert s.stage == (0 if flask else one.FightStage.RESOLVE)


def test_salts_wake_and_the_wounds_above_the_limit_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """R40, R114: the unconscious alone, down to the limit at most; then those without initiative roll it one by one."""
    risen: list[int] = []
    monkeypatch.setattr(effects, "rejoin", lambda s, p, i: risen.append(i))
    s = figures(pend_wake=0b111, resolving=1)
    s.standing[:], s.wounds[:] = [one.Status.UP, one.Status.UNCONSCIOUS, one.Status.UNCONSCIOUS], [9, 8, 4]
    effects.resolve_step(s, None)
    assert (risen, s.wounds.tolist(), s.pend_wake, s.resolving) == ([1, 2], [9, 5, 4], 0, 2)
    s.wakers = 0b101
    for left, who in ((0b100, 0), (0, 2)):
        effects.resolve_step(s, None)
        assert (s.wakers, s.die_kind, s.die_at, s.die_faces, s.resolving) == (left, one.Die.WAKE, who, 6, 2)
    effects.resolve_step(s, None)
    assert s.resolving == 3
    effects.resolve_step(s, None)
    assert s.resolving == 4


@pytest.mark.parametrize(("test", "modifier"), [(0, 2), (1, 1)])
def test_who_falls_rolls_in_seat_order_and_then_the_group_ends(
    test: int, modifier: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R50, R62: stamina 3 less the malus of the wounds; with the option it is a test, and armour hinders it."""
    monkeypatch.setattr(effects, "decided", lambda s, p: False)
    s = figures(falling=0b110, resolving=4, pending=2, physical=np.full((3, 4), 9))
    s.physical[1, one.STAMINA], s.wounds[1], s.armour_malus[1] = 3, 6, 1
    effects.resolve_step(s, SimpleNamespace(survival_is_test=test))
    assert (s.falling, s.ck_kind, s.ck_who, s.ck_mod, s.ck_need) == (0b100, one.Check.SURVIVE, 1, modifier, 4)
    assert s.ck_conf == test
    s.falling = 0
    for deferred, stage in ((0, one.FightStage.TURN), (1, one.FightStage.CLOSE)):
        s.deferred, s.pending = deferred, 2
        effects.resolve_step(s, SimpleNamespace())
        assert (s.stage, s.pending) == (stage, 0)


@pytest.mark.parametrize(("was", "win", "ends"), [("UP", 1, True), ("UP", 0, True), ("UNCONSCIOUS", 0, False)])
def test_who_does_not_survive_is_dead(was: str, win: int, ends: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """R50, R51, R53: edges end with whoever was up."""
    dropped: list[int] = []
    monkeypatch.setattr(arms, "drop_edges", lambda s, i: dropped.append(i))
    s = figures(**CHECKED | {"ck_kind": one.Check.SURVIVE, "ck_who": 1, "ck_win": win})
    s.standing[1] = one.Status[was]
    arms.check_over(s, None)
    assert s.standing[1] == (one.Status.UNCONSCIOUS if win else one.Status.DEAD) and dropped == [1] * ends
    assert (s.l_survival, s.l_secret) == (win, -1)
