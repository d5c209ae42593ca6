"""Wounds, orders, payoffs and formulas of scorekeeper by hand from the rules: one kernel function at a time."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core import abi
from probespiel.envs.scorekeeper import declarations, formulas, payoffs, round_start, wounds
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


def sides(*teams: int) -> tuple[Any, Any]:
    """Fighters of two teams, in seats counted backwards, in a fight that has ended."""
    n = len(teams)
    s = SimpleNamespace(status=abi.ENDED, result=sk.Result.DRAWN, dead=[0] * n)
    p = SimpleNamespace(
        fighters=n, team=list(teams), seat_of=list(range(n))[::-1], draw_by_margin=0, utility=sk.Utility.WIN
    )
    return s, p


def paid(s: Any, p: Any) -> list[float]:
    out = [9.0] * sk.MAXF
    payoffs.returns(s, p, out)
    assert not any(out[p.fighters :])
    return [out[seat] for seat in p.seat_of]


def test_what_a_fight_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    """4.6: of three an able one, one who is out and a dead one, 1 + 1/2 of 3; against one of one."""
    monkeypatch.setattr(payoffs, "able", lambda s, f: f != 1 and not s.dead[f])
    monkeypatch.setattr(payoffs, "hooks", SimpleNamespace(payoff=lambda s, p, f, value: value))
    s, p = sides(0, 0, 0, 1)
    s.dead[2] = 1
    assert payoffs.margin(s, p) == 1.5 / 3 - 1
    assert paid(s, p) == [0.0] * 4
    p.draw_by_margin = 1
    assert paid(s, p) == [-1.0, -1.0, -1.0, 1.0]
    s.result = sk.Result.WON_A
    assert paid(s, p) == [1.0, 1.0, 1.0, -1.0]
    p.utility = sk.Utility.SURVIVAL
    assert paid(s, p) == pytest.approx([1 - 0.5 / 3] * 3 + [-1.0])
    p.utility = sk.Utility.MARGIN
    assert paid(s, p) == [-0.5, -0.5, -0.5, 0.5]
    s.dead[3] = 1
    assert paid(s, p) == [0.5, 0.5, 0.5, -0.5]
    s.status = abi.ENDED + 1
    assert paid(s, p) == [0.0] * 4
    s, p = sides(0, 1, 1)
    s.dead[2] = 1
    assert payoffs.margin(s, p) == 0.75, "one of one, against one who is out and a dead one, 1/2 of two"
    s, p = sides(1, 0)
    s.dead[0] = 1
    monkeypatch.setattr(payoffs, "able", lambda s, f: not s.dead[f])
    p.draw_by_margin = 1
    assert paid(s, p) == [-1.0, 1.0], "by teams, not by seats"
    s.dead[1] = 1
    assert paid(s, p) == [0.0, 0.0]


@pytest.mark.parametrize(("action", "what", "target", "zone"), [
    (sk.Action.PASS, sk.Declared.PASS, -1, 0), (sk.Action.FULL_DEFENCE, sk.Declared.FULL_DEFENCE, -1, 0),
    (sk.Action.RELOAD, sk.Declared.RELOAD, -1, 0), (sk.Action.RETREAT, sk.Declared.RETREAT, -1, 0),
    (sk.Action.AID + 2, sk.Declared.AID, 12, 0), (sk.Action.MELEE + 8 * 3 + 5, sk.Declared.MELEE, 23, 5),
    (sk.Action.RUN + 8 * 1, sk.Declared.RUN, 21, 0), (sk.Action.SHOOT + 8 * 2 + 7, sk.Declared.SHOOT, 22, 7),
])  # fmt: skip
def test_what_is_declared(action: int, what: int, target: int, zone: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """R5, R10: an aim at a zone of an enemy, an ally in need, or neither."""
    told: list[Any] = []
    monkeypatch.setattr(declarations, "emit", lambda s, *event: told.append(event))
    s = SimpleNamespace(declared=[-1, -1], d_target=[9, 9], d_zone=[9, 9], full_defence=[0, 0])
    p = SimpleNamespace(ally=np.array([[0] * 4, [10, 11, 12, 13]]), enemy=np.array([[0] * 4, [20, 21, 22, 23]]))
    declarations.declare(s, p, 1, action)
    assert (s.declared, s.d_target, s.d_zone) == ([-1, what], [9, target], [9, zone])
    assert s.full_defence == [0, int(action == sk.Action.FULL_DEFENCE)]
    assert told == [(sk.Event.DECLARE, 1, what, (target + 1) | zone << 4)]
