"""Wounds, orders and attacks by hand from the rules of scorekeeper and oneshot: one kernel function at a time."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.oneshot import state as one
from probespiel.envs.oneshot.skirmish import arms, effects, fight, numbers
from probespiel.envs.scorekeeper import formulas, round_start, wounds
from probespiel.envs.scorekeeper import state as sk

NONE, KR, LW, SW, TW = range(5)


def duel() -> tuple[Any, Any]:
    """Record and parameters of a scorekeeper duel in which S is 13 and capacities are 4, 3 and 3 (R55)."""
    game = make_game("scorekeeper-duel", compiled=False)
    s, p = game.position().record, game.params
    p.shock[:], p.cap_kr[:], p.cap_lw[:], p.cap_sw[:], p.tw_capacity[:] = 13, 4, 3, 3, 1
    s.round_no, s.ko_until[:], s.n_events, s.die_faces, s.fate[:] = 3, 0, 0, 0, 0
    return s, p


def counted(s: Any, f: int = 0) -> tuple[int, ...]:
    return tuple(int(getattr(s, name)[f]) for name in ("kr", "lw", "sw", "tw"))


# scorekeeper


@pytest.mark.parametrize(
    ("before", "wound", "after", "struggle", "dead"),
    [
        ((0, 0, 0, 0), KR, (1, 0, 0, 0), 0, 0),
        ((3, 0, 0, 0), KR, (0, 1, 0, 0), 0, 0),
        ((3, 2, 0, 0), KR, (0, 0, 1, 0), 0, 0),
        ((3, 2, 2, 0), KR, (0, 0, 0, 1), 1, 0),
        ((2, 2, 2, 0), LW, (2, 0, 0, 1), 1, 0),
        ((3, 1, 1, 0), SW, (3, 1, 2, 0), 0, 0),
        ((3, 2, 2, 0), SW, (3, 2, 0, 1), 1, 0),
        ((3, 2, 2, 0), TW, (3, 2, 2, 1), 0, 1),
    ],
)
def test_wounds_add_up_to_the_next_class(
    before: tuple[int, ...], wound: int, after: tuple[int, ...], struggle: int, dead: int
) -> None:
    """R53 to R56: a counter that reaches its capacity is 0, and the next one rises; lower ones stay."""
    s, p = duel()
    s.kr[0], s.lw[0], s.sw[0], s.tw[0] = before
    wounds.begin_wound(s, p, 0, wound, sk.Zone.ABDOMEN, 1, sk.Source.EVENT)
    assert counted(s) == after and counted(s, 1) == (0, 0, 0, 0)
    assert (int(s.struggle[0]), int(s.dead[0])) == (struggle, dead)
    assert int(s.struggle_round[0]) == (3 if struggle else 0)


@pytest.mark.parametrize(("zone", "entered"), [("LEFT_ARM", SW), ("RIGHT_LEG", SW), ("HEAD", TW), ("CHEST", TW)])
def test_an_arm_or_a_leg_does_not_kill(zone: str, entered: int) -> None:
    """R51, R59: the SW that it becomes bleeds as one that was received."""
    s, p = duel()
    p.bleeds = 1
    wounds.begin_wound(s, p, 0, TW, sk.Zone[zone], 1, sk.Source.EVENT)
    assert counted(s) == ((0, 0, 1, 0) if entered == SW else (0, 0, 0, 1))
    assert (int(s.bleeding[0]), int(s.dead[0])) == ((1, 0) if entered == SW else (0, 1))


def test_what_has_no_character_is_destroyed_and_does_not_bleed() -> None:
    """R56, R67; R58: with a capacity of two the first lethal wound is endured; R59: a merge stops the bleeding."""
    s, p = duel()
    p.bleeds, p.character[0], s.sw[0], s.bleeding[0] = 1, 0, 2, 5
    wounds.begin_wound(s, p, 0, SW, sk.Zone.CHEST, 1, sk.Source.EVENT)
    assert (int(s.dead[0]), int(s.struggle[0]), int(s.bleeding[0])) == (1, 0, 0)
    s, p = duel()
    p.tw_capacity[0], s.sw[0] = 2, 2
    wounds.begin_wound(s, p, 0, SW, sk.Zone.CHEST, 1, sk.Source.EVENT)
    assert (counted(s), int(s.dead[0]), int(s.struggle[0])) == ((0, 0, 0, 1), 0, 0)
    s.sw[0] = 2
    wounds.begin_wound(s, p, 0, SW, sk.Zone.CHEST, 1, sk.Source.EVENT)
    assert (counted(s), int(s.dead[0]), int(s.struggle[0])) == ((0, 0, 0, 2), 0, 1)


@pytest.mark.parametrize(
    ("wound", "zone", "top", "value", "faces"),
    [
        (SW, "HEAD", SW, 7, 4),
        (SW, "CHEST", SW, 13, 10),
        (SW, "ANY", SW, 13, 10),
        (LW, "HEAD", LW, 13, 4),
        (LW, "HEAD", SW, 13, 10),
        (LW, "CHEST", SW, 13, 10),
        (KR, "HEAD", SW, 13, 10),
        (LW, "CHEST", LW, None, 0),
        (KR, "HEAD", LW, None, 0),
        (TW, "LEFT_LEG", TW, None, 0),
    ],
)
@pytest.mark.parametrize("option", [0, 1])
def test_the_first_line_of_shock_that_fits(
    wound: int, zone: str, top: int, value: int | None, faces: int, option: int
) -> None:
    """R60 with S = 13: half is 7 (or 6 if it is rounded down); without the option what adds up asks no roll."""
    s, p = duel()
    p.shock_on_cumulation, p.half_shock_up = option, 1
    s.w_target, s.w_zone, s.w_dealer = 0, 0 if zone == "ANY" else sk.Zone[zone], 1
    if wound < SW <= top and not option:
        value, faces = (13, 4) if wound == LW and zone == "HEAD" else (None, 0)
    assert wounds.begin_shock(s, p, wound, top) == (value is not None)
    if value is not None:
        assert (int(s.roll_value), int(s.ko_faces)) == (value, faces)
        assert int(s.ko_head) == (wound == SW and zone == "HEAD") and (int(s.roll_owner), int(s.roll_other)) == (0, 1)
    if value == 7:
        p.half_shock_up = 0
        assert wounds.begin_shock(s, p, wound, top) and int(s.roll_value) == 6
    for out in ("struggle", "trauma", "dead"):
        getattr(s, out)[0] = 1
        assert not wounds.begin_shock(s, p, SW, SW)
        getattr(s, out)[0] = 0
    s.ko_until[0] = 3
    assert not wounds.begin_shock(s, p, SW, SW)
    s.ko_until[0] = 2
    assert wounds.begin_shock(s, p, SW, SW)


@pytest.mark.parametrize(
    ("kr", "wound", "fate", "always", "first_blood", "asked"),
    [(0, KR, 1, 0, 0, False), (3, KR, 1, 0, 0, True), (0, LW, 1, 0, 0, True), (0, LW, 0, 0, 0, False),
     (0, KR, 1, 1, 0, True), (0, KR, 1, 0, KR, True), (0, KR, 1, 0, LW, False)],
)  # fmt: skip
def test_who_may_make_a_wound_smaller(
    kr: int, wound: int, fate: int, always: int, first_blood: int, asked: bool
) -> None:
    """R70, 4.4: an LW, the KR that makes one, and what decides a first blood; all with `fate_always`."""
    s, p = duel()
    p.fate_enabled, p.fate_always, s.fate[0], s.kr[0], s.ask_phase = 1, always, fate, kr, -1
    if first_blood:
        p.victory, p.first_blood_class = sk.Victory.FIRST_BLOOD, first_blood
    wounds.begin_wound(s, p, 0, wound, sk.Zone.CHEST, 1, sk.Source.EVENT)
    assert (int(s.ask_phase) == sk.Phase.FATE_REDUCE) == asked and (counted(s) == (kr, 0, 0, 0)) == asked


def test_a_round_begins_without_what_the_last_one_left() -> None:
    """R1, R62: an action lost beforehand is this round's, and only this round's."""
    s, p = duel()
    names = ("rolled", "reaction", "d_zone", "acted", "full_defence", "saves_lost", "forfeited", "parries", "counters")
    for name in names:
        getattr(s, name)[:] = 1
    s.declared[:], s.d_target[:], s.n_order, s.fate_done, s.actor, s.at = 4, 1, 2, 3, 1, 5
    s.action_lost[:], s.skip_next[:] = [1, 0], [0, 1]
    round_start.begin_round(s, p)
    assert int(s.round_no) == 4 and not any(getattr(s, name).any() for name in names)
    assert s.action_lost.tolist() == [0, 1] and s.skip_next.tolist() == [0, 0]
    assert s.declared.tolist() == [sk.Declared.NOT_YET] * 2 and s.d_target.tolist() == [-1, -1]
    assert [int(x) for x in (s.n_order, s.fate_done, s.actor, s.at, s.pc)] == [0, 0, -1, 0, sk.Station.EVENTS]


def orders(reaction: list[int], by_base: int = 0) -> tuple[Any, Any]:
    """Four fighters whose perception and agility differ."""
    n = len(reaction)
    s = SimpleNamespace(
        order=list(range(n)), n_order=n, reaction=reaction, tie_at=9, tie_end=9, pc=0, at=0, die_kind=0, die_faces=0,
        rolled=[1] * n, action_lost=[0] * n, declared=[0] * n, n_events=1 << 30,
    )  # fmt: skip
    return s, SimpleNamespace(fighters=n, ties_by_base=by_base, wah=[5, 6, 7, 6], agl=[7, 6, 5, 5])


def test_the_highest_reaction_is_first_and_ties_are_drawn_group_by_group() -> None:
    """R6, R9: 9 alone, then three with 4 of whom one is drawn after the other."""
    s, p = orders([4, 4, 9, 4])
    round_start.sort_order(s, p)
    assert s.order == [2, 0, 1, 3] and (s.tie_at, s.tie_end, s.pc) == (0, 0, sk.Station.TIES)
    round_start.draw_ties(s, p)
    assert (s.die_kind, s.die_faces) == (sk.Die.TIE, 3)
    round_start.tie_drawn(s, 2)
    assert s.order == [2, 3, 0, 1]
    round_start.draw_ties(s, p)
    assert s.die_faces == 2
    round_start.tie_drawn(s, 1)
    assert s.order == [2, 3, 1, 0]
    round_start.draw_ties(s, p)
    assert (s.pc, s.at) == (sk.Station.DECLARE, 3) and s.declared == [0] * 4
    assert round_start.order_pack(s) == 2 + 3 * 8 + 1 * 64


def test_ties_by_base_values() -> None:
    """R9, `ties_by_base`: by WAH + AGL, then by WAH: 12 of the first three, 11 of the last; nothing is left to draw."""
    s, p = orders([4, 4, 4, 4], by_base=1)
    round_start.sort_order(s, p)
    round_start.draw_ties(s, p)
    assert s.order == [2, 1, 0, 3] and s.die_faces == 0


def test_who_has_no_action_declares_nothing() -> None:
    """R3, R62: a reaction of 0 or less, an action that is lost, and who has not rolled."""
    s, p = orders([1, 0, 5, 6])
    s.action_lost, s.rolled = [0, 0, 1, 0], [1, 1, 1, 0]
    round_start.sort_order(s, p)
    round_start.draw_ties(s, p)
    assert [d == sk.Declared.NONE_POSSIBLE for d in s.declared] == [False, True, True, True]


def test_plain_numbers_of_scorekeeper() -> None:
    """R13, R44, R55, R60, R63, R74 at the numbers where they turn."""
    assert [formulas.damage_class(n) for n in (0, 1, 6, 7, 11, 12, 15, 16)] == [
        "none", "KR", "KR", "LW", "LW", "SW", "SW", "TW",
    ]  # fmt: skip
    assert [tuple(formulas.capacities(res).values()) for res in (1, 2, 3, 5, 6, 11, 12)] == [
        (2, 1, 1), (2, 1, 1), (3, 2, 2), (3, 2, 2), (4, 3, 3), (5, 4, 4), (6, 5, 5),
    ]  # fmt: skip
    assert [formulas.half_target(n) for n in (12, 13)] == [6, 7]
    assert [formulas.half_target(n, "down") for n in (12, 13)] == [6, 6]
    assert [formulas.within_action_radius(7, d) for d in (1, 2, 3)] == [True, True, False]
    assert [formulas.within_action_radius(1, d) for d in (1, 2)] == [True, False]
    assert formulas.within_action_radius(6, 2) and not formulas.within_action_radius(5, 2)
    assert formulas.death_survival(13, 3) == Fraction(12 * 11 * 10, 8000)
    assert formulas.death_survival(13, 2, first=2, step=3) == Fraction(10 * 7, 400)
    assert formulas.death_survival(2, 2) == 0 and formulas.death_survival(2, 0) == 1
    assert [formulas.success_probability(t) for t in (1, 2, 20, 21, 30)] == [
        0, Fraction(1, 20), Fraction(19, 20), 1, 1,
    ]  # fmt: skip
    assert [formulas.success_probability(t, 20) for t in (19, 20, 21)] == [
        Fraction(18, 20), Fraction(19, 20), Fraction(19, 20),
    ]  # fmt: skip


def test_dice_behind_armour() -> None:
    """R45, R46: dice 2, 3 and 6 with a bonus of 4 behind hard armour 3 and soft armour 2."""
    assert formulas.damage_points([2, 3, 6], 4, 3, 2) == 3 + 4 - 2
    assert formulas.damage_points([2, 3, 6], 4, 3, 2, "as_die") == 3 + 1 - 2
    assert formulas.damage_points([2, 3], 4, 3, 2, "needs_die") == 0
    assert formulas.damage_points([2, 3], 4, 3, 2, "unaffected") == 2
    assert formulas.damage_points([4], 4, 3, 2, "needs_die") == 1 + 4 - 2
    assert formulas.damage_points([4], 1, 3, 0, "as_die") == 1 and formulas.damage_points([1], 4, 3, 4) == 0
    assert formulas.damage([2, 3, 6], 4, 3, 2) == {"points": 5, "class": "KR"}
    assert formulas.capacities(7, 2, 4, 3) == {"kr": 6, "lw": 3, "sw": 3}
    assert formulas.capacities(2, -4)["lw"] == 1
    assert formulas.damage_points([4], -3, 3, 0, "as_die") == 0 and formulas.damage_points([6], -1, 3, 0, "as_die") == 2


def test_what_time_and_care_do() -> None:
    """R74: KR a day, LW seven with care, SW thirty; untended an LW or SW grows unless the d20 is below RES."""
    left = [["KR", 0], ["LW", 6], ["LW", 5], ["SW", 29], ["SW", 28], ["TW", 99]]
    assert formulas.heal(left, 1) == [["LW", 6], ["SW", 29], ["TW", 100]]
    assert formulas.heal(left, 1, care=False) == [["LW", 7], ["LW", 6], ["SW", 29], ["TW", 100]]
    assert [formulas.infection("LW", 7, d) for d in (6, 7)] == ["LW", "SW"]
    assert formulas.infection("SW", 7, 20) == "TW" and formulas.infection("KR", 7, 20) == "KR"


def said(s: Any) -> list[tuple[int, ...]]:
    """Kind, fighter and numbers of the events noted on a record."""
    low, at = sk.EVENT.low, sk.EVENT.at
    ends = [*at[1:4], 63]
    return [
        tuple((int(code) >> at[i] & (1 << ends[i] - at[i]) - 1) + low[i] for i in range(4))
        for code in s.events[: int(s.n_events)]
    ]


@pytest.mark.parametrize(("out", "result"), [((0, 0), None), ((1, 0), "WON_B"), ((0, 1), "WON_A"), ((1, 1), "DRAWN")])
def test_who_has_lost(out: tuple[int, int], result: str | None) -> None:
    """R75, R76: a side of which nobody is able, or alive, or that bled first; both at once draw."""
    s, p = duel()
    for victory, field in (("INCAPACITATED", "trauma"), ("DEATH", "dead")):
        s.status, s.result, s.n_events, p.victory = 0, 0, 0, sk.Victory[victory]
        s.trauma[:], s.dead[:], s.bled = 0, 0, 0
        getattr(s, field)[:] = out
        s.die_kind, s.die_faces, s.ask_phase, s.step_event = 2, 6, 1, 3
        assert wounds.end_test(s, p) == (result is not None) == (s.status != 0)
        assert int(s.result) == (0 if result is None else sk.Result[result])
        if result is not None:
            assert [int(x) for x in (s.die_kind, s.die_faces, s.ask_phase, s.step_event)] == [0, 0, -1, -1]
            assert said(s) == [(sk.Event.END, -1, sk.Result[result], 0)]
            assert wounds.end_test(s, p) and len(said(s)) == 1
    s.status, s.trauma[:], s.dead[:] = 0, 0, 0
    p.victory, s.bled = sk.Victory.FIRST_BLOOD, out[0] | out[1] << 1
    assert wounds.end_test(s, p) == (result is not None)
    s.status, s.trauma[:], p.victory = 0, 1, sk.Victory.DEATH
    assert not wounds.end_test(s, p)


def test_a_lost_action_is_told_with_whose_round_it_is() -> None:
    """R62: 0 this round's, 1 the next one's."""
    s, _ = duel()
    s.pc, s.action_lost[:], s.skip_next[:] = sk.Station.EVENTS, [0, 1], 0
    wounds.lose_action(s, 0)
    wounds.lose_action(s, 1)
    assert said(s) == [(sk.Event.LOST_ACTION, 0, 0, 0), (sk.Event.LOST_ACTION, 1, 1, 0)]
    assert s.action_lost.tolist() == [1, 1] and s.skip_next.tolist() == [0, 1]


def test_a_fall_is_followed_by_its_hazard_and_a_wound_by_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """R62: S - 4 on a d20; whoever is out, or no character, makes none; wounds of bleeding have their end elsewhere."""
    s, p = duel()
    p.hazard_penalty, s.status = 4, 0
    for cause, rolls in ((sk.Source.EVENT, False), (sk.Source.FALL, True), (sk.Source.BLEEDING, False)):
        s.w_on, s.w_from, s.w_target, s.roll_value, s.die_faces = 1, cause, 0, 0, 0
        wounds.wound_done(s, p)
        assert int(s.w_on) == 0 and (int(s.roll_value), int(s.die_faces)) == ((9, 20) if rolls else (0, 0))
    assert (int(s.roll_owner), int(s.roll_other), int(s.roll_for)) == (0, -1, sk.Purpose.HAZARD_EVENT)
    s.trauma[0], s.die_faces = 1, 0
    assert not wounds.begin_hazard(s, p, 0, 1, sk.Purpose.HAZARD)
    s.trauma[0], p.character[0] = 0, 0
    assert not wounds.begin_hazard(s, p, 0, 1, sk.Purpose.HAZARD) and not s.die_faces
    ended: list[bool] = []
    monkeypatch.setattr(wounds, "end_test", lambda s, p: ended.append(True) or True)
    p.character[0] = 1
    for cause, tests in ((sk.Source.FALL, 1), (sk.Source.BLEEDING, 1)):
        s.w_from = cause
        wounds.wound_done(s, p)
        assert len(ended) == tests and not s.die_faces


def test_scripted_events_come_in_their_round_and_order() -> None:
    """4.5: of a round the events of this round, of those who live; a fall and a shock ask what they ask."""
    s, p = duel()
    p.scripted, s.at, s.round_no = 5, 0, 3
    p.s_round[:5], p.s_fighter[:5] = [2, 3, 3, 3, 3], [0, 1, 0, 0, 0]
    p.s_kind[:5] = [sk.Script.WOUND, sk.Script.WOUND, sk.Script.WOUND, sk.Script.ELECTRIC, sk.Script.ORDEAL]
    p.s_wound[:5], p.s_zone[:5], p.hazard_penalty, s.dead[1] = LW, sk.Zone.CHEST, 4, 1
    p.victory = sk.Victory.DEATH
    p.team[:], s.dead[1] = [0, 1], 1
    s.status = 1  # nothing ends here
    round_start.run_scripted(s, p)
    assert int(s.at) == 3 and counted(s) == (0, 1, 0, 0) and counted(s, 1) == (0, 0, 0, 0)
    assert said(s)[0] == (sk.Event.SCRIPT, 0, sk.Script.WOUND, LW)
    round_start.run_scripted(s, p)
    assert (int(s.at), int(s.roll_value), int(s.die_faces), int(s.roll_for)) == (4, 9, 20, sk.Purpose.HAZARD_EVENT)
    s.die_faces = 0
    round_start.run_scripted(s, p)
    assert (int(s.roll_value), int(s.die_faces), int(s.roll_for)) == (13, 20, sk.Purpose.ORDEAL)
    assert (int(s.roll_kind), int(s.roll_owner), int(s.roll_other)) == (sk.Roll.SHOCK, 0, -1)
    round_start.run_scripted(s, p)
    assert int(s.pc) == sk.Station.ROUND_STEPS


def test_who_may_repeat_his_reaction_is_asked_from_the_lowest_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """4.2: of those who rolled, have a point and were not asked yet the one with the lowest value, the first of equal
    ones; its die is the roll."""
    asked: list[tuple[int, int, int]] = []
    monkeypatch.setattr(round_start, "offer_fate", lambda s, p, stage: asked.append((s.roll_owner, s.roll_sum, stage)))
    s = SimpleNamespace(
        rolled=[1, 1, 1, 1, 0], fate=[1, 1, 1, 0, 1], fate_done=0, reaction=[7, 4, 4, 1, 0], react_die=[2, 3, 5, 6, 8],
        pc=0, roll_value=9, roll_for=9, roll_faces=0, roll_pack=0, roll_kind=9, roll_ok=1, roll_other=0,
    )  # fmt: skip
    for _ in range(3):
        round_start.ask_reaction(s, SimpleNamespace(fighters=5))
        s.fate_done |= 1 << asked[-1][0]
        assert (s.roll_kind, s.roll_for, s.roll_value, s.roll_faces) == (sk.Roll.REACTION, sk.Purpose.CHECK, 0, 10)
        assert (s.roll_other, s.roll_ok, s.roll_pack) == (-1, 0, s.roll_sum)
    assert asked == [(1, 3, 0), (2, 5, 0), (0, 2, 0)]
    round_start.ask_reaction(s, SimpleNamespace(fighters=5))
    assert len(asked) == 3 and s.pc == sk.Station.ORDER


# oneshot


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
