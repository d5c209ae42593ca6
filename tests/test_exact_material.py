"""What agents reckon with, by hand: chances of wounds, material, payoffs of conflicts, prizes, answers of searches."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.einblatt import outlook as einblatt_outlook
from probespiel.agents.einblatt import values as einblatt_values
from probespiel.agents.gumbel import Draw
from probespiel.agents.konfrontation import baselines
from probespiel.agents.konfrontation import values as prizes
from probespiel.agents.scorekeeper import outlook as fights
from probespiel.agents.scorekeeper import values
from probespiel.agents.search_answer import answer
from probespiel.agents.search_pairs import no_pairs
from probespiel.agents.search_tree import NODE_RM, STRATEGY
from probespiel.envs.core.rng import rng_array
from probespiel.envs.einblatt.state import Payoff
from probespiel.envs.scorekeeper.state import ZONES, Mode, Victory, Wound, Zone
from probespiel.evaluation.scorekeeper import duel
from tests.test_exact_search import options_of, planted

# Blows of scorekeeper


@pytest.mark.parametrize(("dice", "hard", "top", "chances"), [
    (0, 0, 0, [1.0]), (1, 0, 6, [0.0] + [1 / 6] * 6), (1, 4, 2, [4 / 6, 1 / 6, 1 / 6]),
    (2, 5, 2, [25 / 36, 10 / 36, 1 / 36]), (1, 9, 0, [1.0]),
])  # fmt: skip
def test_sums_of_dice_behind_hard_armour(dice: int, hard: int, top: int, chances: list[float]) -> None:
    """Of a die of six a hard 4 leaves 1 of a five and 2 of a six; of two dice each loses as much."""
    out = np.zeros(values.SUMS)
    assert values.sum_chances(dice, 6, hard, out) == top
    assert out[: top + 1] == pytest.approx(chances) and not out[top + 1 :].any()


def test_checks_and_blows() -> None:
    """13 or less of a d20 with one less: 12 of 20; at 20 and above 19 or all, as fumbles are."""
    assert [values.chance_below(v) for v in (-3, 1, 13, 21, 40)] == [0.0, 0.0, 0.6, 1.0, 1.0]


@pytest.mark.parametrize(("fumbles", "value", "chance"), [(1, 13, 0.6), (1, 30, 0.95), (0, 30, 1.0), (1, 0, 0.0)])
def test_fumbles_never_hit(fumbles: int, value: int, chance: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "attack_value_of", lambda *given: value)
    assert values.hit_chance(None, SimpleNamespace(fumble_on=fumbles), 0, 1, Mode.MELEE, 0) == pytest.approx(chance)


@pytest.mark.parametrize(("shoots", "magic", "cover", "surprised", "round_no", "saves"), [
    (False, 0, 0, 1, 1, True), (True, 0, 1, 0, 1, True), (True, 0, 1, 1, 1, False), (True, 0, 1, 1, 2, True),
    (True, 0, 0, 0, 2, False), (True, 1, 0, 1, 1, True),
])  # fmt: skip
def test_who_may_save(
    shoots: bool, magic: int, cover: int, surprised: int, round_no: int, saves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against missiles only behind cover, and not surprised in the first round; against magic always."""
    monkeypatch.setattr(values, "able", lambda s, fighter: True)
    monkeypatch.setattr(values, "save_value_of", lambda *given: 11)
    s = SimpleNamespace(saves_lost=[0, 0], round_no=round_no)
    p = SimpleNamespace(r_magic=[magic, 0], cover_available=cover, surprised=[0, surprised])
    mode = Mode.SHOOT if shoots else Mode.MELEE
    assert values.has_save(s, p, 1, 0, mode) == saves
    assert values.save_chance(s, p, 1, 0, mode) == (0.5 if saves else 0.0)
    s.saves_lost = [0, 1]
    assert not values.has_save(s, p, 1, 0, mode)
    s.saves_lost = [0, 0]
    monkeypatch.setattr(values, "able", lambda s, fighter: fighter == 0)
    assert not values.has_save(s, p, 1, 0, mode)


def test_classes_by_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A die of six: behind hard 4 sums 0 to 2, which are classes less the soft armour; equal zones are the same."""
    monkeypatch.setattr(values, "damage_points", lambda s, p, a, t, mode, z, i: i - p.soft[t, z])
    monkeypatch.setattr(values, "damage_class", lambda points: max(0, min(4, points)))
    hard, soft = np.zeros((2, ZONES), int), np.zeros((2, ZONES), int)
    hard[1, 2], hard[1, 3], soft[1, 3], soft[1, 4] = 4, 4, 1, 1
    p = SimpleNamespace(r_dice=[2, 0], r_sides=[2, 0], m_dice=[1, 0], m_sides=[6, 0], hard=hard, soft=soft)
    out = np.zeros((ZONES, 5))
    values.class_chances(None, p, 0, 1, Mode.MELEE, out)
    bare, third = [0, 1 / 6, 1 / 6, 1 / 6, 3 / 6], [4 / 6, 1 / 6, 1 / 6, 0, 0]
    for zone in (1, 5, 6, 7):
        assert out[zone] == pytest.approx(bare)
    assert out[2] == pytest.approx(third) and out[3] == pytest.approx([5 / 6, 1 / 6, 0, 0, 0])
    assert out[4] == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 6, 2 / 6]) and not out[0].any()
    shot = np.zeros((ZONES, 5))
    values.class_chances(None, p, 0, 1, Mode.SHOOT, shot)
    assert shot[1] == pytest.approx([0, 0, 1 / 4, 2 / 4, 1 / 4]), "two dice of two"


def wounded(**more: Any) -> tuple[Any, Any]:
    """A fighter with a shock value of 12 (half: 6); two scratches are a light wound, three of these a severe one.

    Two severe wounds are a lethal one, of which he bears one.
    """
    s = {name: [0] for name in ("kr", "lw", "sw", "tw", "dead", "struggle", "stable", "bleeding")}
    p: dict[str, Any] = {
        "cap_kr": [2], "cap_lw": [3], "cap_sw": [2], "tw_capacity": [2], "character": [1], "shock": [12],
        "half_shock_up": 6, "shock_on_cumulation": 0, "victory": Victory.FIRST_BLOOD, "first_blood_class": Wound.TW + 2,
    }  # fmt: skip
    for name, value in more.items():
        (s if name in s else p)[name] = value
    return SimpleNamespace(**s), SimpleNamespace(**p)


@pytest.fixture
def shocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shock values are as they are, and a fighter is able unless he is out."""
    monkeypatch.setattr(values, "shock_value_of", lambda s, p, fighter, value, purpose: value)
    monkeypatch.setattr(values, "able", lambda s, fighter: not (s.dead[fighter] or s.struggle[fighter]))


@pytest.mark.parametrize(("wound", "state", "top"), [
    (Wound.KR, {}, Wound.KR), (Wound.KR, {"kr": [1]}, Wound.LW), (Wound.KR, {"kr": [1], "lw": [2]}, Wound.SW),
    (Wound.LW, {"lw": [1]}, Wound.LW), (Wound.LW, {"lw": [2]}, Wound.SW), (Wound.SW, {}, Wound.SW),
    (Wound.SW, {"sw": [1]}, 5), (Wound.KR, {"kr": [1], "lw": [2], "sw": [1]}, 5), (Wound.TW, {}, Wound.TW),
])  # fmt: skip
def test_wounds_merge_into_higher_ones(wound: int, state: dict[str, Any], top: int) -> None:
    s, p = wounded(**state)
    assert values.top_class(s, p, 0, wound) == top


@pytest.mark.usefixtures("shocks")
@pytest.mark.parametrize(("zone", "wound", "more", "chance"), [
    (Zone.HEAD, Wound.LW, {}, 9 / 20), (Zone.CHEST, Wound.LW, {}, 0.0), (Zone.CHEST, Wound.SW, {}, 9 / 20),
    (Zone.HEAD, Wound.SW, {}, 1 - 8 / 20), (Zone.CHEST, Wound.LW, {"lw": [2]}, 0.0),
    (Zone.CHEST, Wound.LW, {"lw": [2], "shock_on_cumulation": 1}, 9 / 20),
    (Zone.HEAD, Wound.SW, {"character": [0]}, 0.0), (Zone.HEAD, Wound.KR, {}, 0.0),
])  # fmt: skip
def test_who_faints(zone: int, wound: int, more: dict[str, Any], chance: float) -> None:
    """At 12, eleven of twenty stand it; of a severe wound at the head half the value counts, and half of that: 9."""
    s, p = wounded(**more)
    found = values.faint_chance(s, p, 0, zone, wound, values.top_class(s, p, 0, wound))
    assert found == pytest.approx(chance)


@pytest.mark.usefixtures("shocks")
@pytest.mark.parametrize(("zone", "wound", "more", "chance"), [
    (Zone.CHEST, 0, {}, 0.0), (Zone.CHEST, Wound.TW, {"tw": [1]}, 1.0), (Zone.CHEST, Wound.SW, {"sw": [1]}, 9 / 20),
    (Zone.CHEST, Wound.SW, {"sw": [1], "tw": [1]}, 1.0), (Zone.RIGHT_ARM, Wound.TW, {"tw": [1]}, 9 / 20),
    (1, Wound.TW, {"tw": [1]}, 9 / 20), (2, Wound.TW, {"tw": [1]}, 9 / 20),
    (Zone.CHEST, Wound.SW, {"first_blood_class": Wound.SW}, 1.0),
    (Zone.CHEST, Wound.LW, {"first_blood_class": Wound.SW}, 0.0),
    (Zone.CHEST, Wound.LW, {"lw": [2], "first_blood_class": Wound.SW}, 1.0),
    (Zone.CHEST, Wound.SW, {"first_blood_class": Wound.SW, "victory": Victory.FIRST_BLOOD + 1}, 9 / 20),
])  # fmt: skip
def test_what_ends_a_fight(zone: int, wound: int, more: dict[str, Any], chance: float) -> None:
    """Lethal wounds beyond what he bears, first blood where it counts, else fainting; no limb's is lethal."""
    s, p = wounded(**more)
    assert values.stop_chance(s, p, 0, zone, wound) == pytest.approx(chance)


@pytest.mark.usefixtures("shocks")
def test_material_of_a_fighter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve scratches would be a lethal wound: one light and one severe wound are 2 + 6 of 12, bleeding 0.05 each."""
    s, p = wounded(kr=[1], lw=[1], sw=[1], bleeding=[2])
    assert values.potential(p, 0, 1, 1, 1) == pytest.approx(9 / 12)
    assert values.material(s, p, 0) == pytest.approx(1 - 0.5 * (9 / 12 + 0.1))
    assert values.material_of(p, 0, 1.5) == 0.5
    s.struggle = [1]
    assert values.material(s, p, 0) == values.DYING_VALUE
    s.stable = [1]
    assert values.material(s, p, 0) == 2 * values.DYING_VALUE
    s.dead = [1]
    assert values.material(s, p, 0) == values.DEAD_VALUE
    monkeypatch.setattr(values, "able", lambda s, fighter: False)
    s.dead = s.struggle = [0]
    assert values.material(s, p, 0) == values.OUT_VALUE
    assert values.material_after(s, p, 0, Zone.CHEST, Wound.KR) == pytest.approx(0.9 * values.OUT_VALUE)


@pytest.mark.usefixtures("shocks")
@pytest.mark.parametrize(("zone", "wound", "more", "after"), [
    (Zone.CHEST, 0, {"sw": [1]}, 1 - 0.5 * 6 / 12), (Zone.CHEST, Wound.KR, {}, 1 - 0.5 / 12),
    (Zone.CHEST, Wound.LW, {"bleeding": [1]}, 1 - 0.5 * (2 / 12 + 0.05)),
    (Zone.CHEST, Wound.SW, {}, 11 / 20 * (1 - 0.5 * (6 / 12 + 0.05)) + 9 / 20 * values.OUT_VALUE),
    (Zone.CHEST, Wound.TW, {"tw": [1]}, values.DEAD_VALUE),
    (Zone.CHEST, Wound.SW, {"sw": [1], "tw": [1]}, values.DYING_VALUE),
    (Zone.CHEST, Wound.SW, {"sw": [1], "tw": [1], "character": [0]}, values.DEAD_VALUE),
    (Zone.CHEST, Wound.SW, {"first_blood_class": Wound.SW}, values.DEAD_VALUE),
])  # fmt: skip
def test_material_after_a_wound(zone: int, wound: int, more: dict[str, Any], after: float) -> None:
    s, p = wounded(**more)
    assert values.material_after(s, p, 0, zone, wound) == pytest.approx(after)


def test_zones_weigh_as_a_die_of_twenty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Zone z is hit with class 1 for sure, which stops with z tenths: aimed at none, 4, 4, 2, 4, 2, 2, 2 of 20."""

    def classes(*given: Any) -> None:
        given[-1][1:, 1] = 1.0

    monkeypatch.setattr(values, "class_chances", classes)
    monkeypatch.setattr(values, "stop_chance", lambda s, p, target, z, c: z / 10)
    monkeypatch.setattr(values, "material", lambda s, p, target: 1.0)
    monkeypatch.setattr(values, "material_after", lambda s, p, target, z, c: 1 - z / 10)
    monkeypatch.setattr(values, "hit_chance", lambda s, p, a, t, mode, z: 0.9 if z == 0 else 0.5)
    mean = (4 * 1 + 4 * 2 + 2 * 3 + 4 * 4 + 2 * 5 + 2 * 6 + 2 * 7) / 200
    for function in (values.stop_by_zone, values.loss_by_zone):
        out = np.full(ZONES, 9.0)
        function(None, None, 0, 1, Mode.MELEE, out)
        assert out == pytest.approx([mean, *(z / 10 for z in range(1, 8))])
    best = values.best_zone(None, SimpleNamespace(aiming=1), 0, 1, Mode.MELEE)
    assert best == 7, "0.5 of 0.7, not 0.9 of 0.36"
    assert values.best_zone(None, SimpleNamespace(aiming=0), 0, 1, Mode.MELEE) == 0
    assert values.stop_per_attack(None, None, 0, 1, Mode.MELEE, 6) == pytest.approx(0.3)


@pytest.mark.parametrize("bleeds", [True, False])
def test_upkeep_is_a_scratch_a_point_of_bleeding(bleeds: bool) -> None:
    """Each scratch takes one sheet further in half the cases, else out for good: after two a fourth is two further."""
    body = duel.Body.__new__(duel.Body)
    body.bleeds, body.out = bleeds, 3
    body.sheets = cast(Any, [SimpleNamespace(bleeding=2), SimpleNamespace(bleeding=1), SimpleNamespace(bleeding=0)])

    def after(sheet: Any, wound: int, zone: str | None) -> list[tuple[float, int]]:
        assert (wound, zone) == (1, None)
        return [(0.5, body.sheets.index(sheet) + 1), (0.5, body.out)]

    body.after = after  # type: ignore[method-assign]
    bled = [[0, 0, 0.25, 0.75], [0, 0, 0.5, 0.5], [0, 0, 1, 0]]
    assert body.upkeep().tolist() == (bled if bleeds else np.eye(3, 4).tolist())


def test_sizes_of_a_duel() -> None:
    bodies: Any = tuple(SimpleNamespace(sheets=[None] * n) for n in (3, 5))
    both = duel.Duel.__new__(duel.Duel)
    object.__setattr__(both, "bodies", bodies)
    assert both.size == (3, 5)


def test_who_is_first_in_the_order_of_a_round() -> None:
    """Known from the declarations on."""
    s = SimpleNamespace(n_order=3, order=[2, 0, 1], pc=fights.Station.DECLARE)
    assert [fights.acts_before(s, f, t) for f, t in ((2, 0), (0, 1), (1, 0), (0, 2))] == [1.0, 1.0, 0.0, 0.0]
    s.pc = fights.Station.DECLARE - 1
    assert fights.acts_before(s, 2, 0) == 0.0


# Conflicts of einBlatt


@pytest.mark.parametrize(("payoff", "ep", "value"), [
    (Payoff.EP_CLIPPED, 5, 3.0), (Payoff.EP_CLIPPED, -5, -3.0), (Payoff.CLASS, -2, 10.0), (Payoff.CLASS, 9, 60.0),
    (Payoff.WIN, 2, 1.0), (Payoff.WIN, -1, -1.0), (Payoff.WIN, 0, 0.0), (Payoff.TEAM_SUM, 1, 5.0),
    (Payoff.TEAM_MAX, 1, 4.0), (Payoff.TEAM_MAX, 6, 6.0),
])  # fmt: skip
def test_what_a_result_is_worth(payoff: int, ep: int, value: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice its value, less 7 for each restriction point of a lost conflict; the mate has 4, the others 9."""
    monkeypatch.setattr(einblatt_values, "injury", lambda s, p, seat, points: 7.0 * points)
    p = SimpleNamespace(
        payoff=payoff, class_weights=[0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0], seats=4, team=[0, 1, 0, 1],
        restrict=[1], restriction=[0, 1, 2, 3], weight=[2.0],
    )  # fmt: skip
    s = SimpleNamespace(conflict=0, ep=[0, 9, 4, 9])
    points = {-1: 1, -2: 2, -5: 3}.get(ep, 0)
    assert einblatt_values.worth(s, p, 0, ep) == pytest.approx(2 * value - 7 * points)
    p.restrict = [0]
    assert einblatt_values.worth(s, p, 0, ep) == pytest.approx(2 * value)


def test_restrictions_hinder_in_the_conflicts_that_are_left() -> None:
    """What is tested now counts in the running conflict; later what those test, if it is anything, else the same.

    Points 3 of skill 0 and 5 of skill 2; conflicts 1 to 3 of weights 2, 1 and 4, of which the last is for events.
    """
    point = einblatt_outlook.POINT
    p = SimpleNamespace(
        conflicts=4, c_tested=np.array([[9, 9], [9, 9], [-1, 0], [2, 0]]), events_only=[0, 0, 0, 0], pc=[1, 0],
        npc_restrictions=0, weight=[100.0, 2.0, 1.0, 4.0],
    )  # fmt: skip
    s = SimpleNamespace(conflict=1, tested=[0, 0], restr=np.array([[3, 0, 5], [8, 8, 8]]), total=[10.0, 20.0])
    assert einblatt_outlook.hindered(s, p, 0) == pytest.approx(point * (2 * 3 + 1 * 3 + 4 * 5))
    p.c_tested[2, 0] = 0
    assert einblatt_outlook.hindered(s, p, 0) == pytest.approx(point * (2 * 3 + 1 * 3 + 4 * 5))
    s.tested = [2, 0]
    assert einblatt_outlook.hindered(s, p, 0) == pytest.approx(point * (2 * 5 + 1 * 3 + 4 * 5))
    p.events_only[3] = 1
    found = einblatt_outlook.hindered(s, p, 0)
    assert found == pytest.approx(point * 13) and einblatt_outlook.hindered(s, p, 1) == 0.0
    out = np.zeros(2)
    einblatt_outlook.outlook(s, p, out)
    assert out == pytest.approx([10 - found, 20 + found]) and einblatt_outlook.clock(s, p) == 1
    p.npc_restrictions = 1
    assert einblatt_outlook.hindered(s, p, 1) == pytest.approx(point * 8 * 3)


# Prizes of konfrontation


def test_prizes_of_units_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Units 0, 1 and 2 of values 5, 3 and 3; removed each costs its value, handed over twice that, if there is room."""
    monkeypatch.setattr(prizes, "lowest_bit", lambda bits: (bits & -bits).bit_length() - 1)
    removed = {1: True, 2: False, 4: True}
    room = [0]
    monkeypatch.setattr(prizes, "removable", lambda s, owner, unit, kind: removed[unit])
    monkeypatch.setattr(prizes, "free_unit", lambda s, other, special: room[0])
    s = SimpleNamespace(value=np.array([[5, 3, 3]]), extent=np.array([[4, 2]]))
    p = SimpleNamespace(w_unit=2.0, w_cp=0.5, destroyed_resource_pays=0, w_other=3.0, other_points=4, other_cost=1,
                        undefended_goes=0)  # fmt: skip
    assert [prizes.fate_cost(s, p, 0, 1, u, 0) for u in range(3)] == [10.0, 12.0, 6.0]
    room[0] = -1
    assert prizes.fate_cost(s, p, 0, 1, 1, 0) == 6.0
    assert prizes.cheapest(s, p, 0, 1, 0b111, 0) == 1 and prizes.dearest(s, p, 0, 1, 0b111, 0) == 0
    assert prizes.dearest(s, p, 0, 1, 0b110, 0) == 1 and prizes.cheapest(s, p, 0, 1, 0, 0) == -1
    assert prizes.dearest(s, p, 0, 1, 0, 0) == -1
    assert prizes.resource_cost(s, p, 0, 0) == 2.0
    p.destroyed_resource_pays = 1
    assert prizes.resource_cost(s, p, 0, 1) == 2.0

    def won(target: int, defence: int) -> float:
        return prizes.prize_of_attack(s, p, 1, 0, target, 0, defence)

    monkeypatch.setattr(prizes, "exposed", lambda s, p, owner, defence, kind: defence & 0b110)
    assert won(prizes.T_POWER, 0b111) == 0.0 and won(prizes.T_OTHER, 0b111) == 15.0
    assert won(prizes.T_RESOURCE + 1, 0b111) == 2.0
    assert won(0, 0b001) == 10.0 and won(0, 0b110) == 6.0 and won(0, 0) == 0.0 and won(1, 0b001) == 0.0
    p.undefended_goes = 1
    assert won(0, 0) == 10.0


@pytest.mark.parametrize(("m", "value", "x", "y"), [
    ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0.0, [1 / 3] * 3, [1 / 3] * 3),
    ([[3, -1], [-2, 1]], 1 / 7, [3 / 7, 4 / 7], [2 / 7, 5 / 7]),
    ([[4, 5, 6], [1, 9, 9], [4, 4, 4]], 4.0, [1, 0, 0], [1, 0, 0]),  # a saddle point, the first of equal ones
    ([[-5, -5], [3, -1], [-2, 1]], 1 / 7, [0, 3 / 7, 4 / 7], [2 / 7, 5 / 7]),
    ([[2, 2]], 2.0, [1], [1, 0]), ([[1], [3], [3]], 3.0, [0, 1, 0], [1]),
])  # fmt: skip
def test_matrix_games_by_hand(m: list[list[float]], value: float, x: list[float], y: list[float]) -> None:
    rows, columns = len(m), len(m[0])
    one, other = np.full(rows + 1, 9.0), np.full(columns + 1, 9.0)
    found = prizes.mixed(np.array(m, dtype=float), rows, columns, one, other)
    assert found == pytest.approx(value)
    assert one == pytest.approx([*x, 9.0]) and other == pytest.approx([*y, 9.0])


def test_what_a_legal_set_holds() -> None:
    words = np.array([0b101, 1 << 31])
    assert [a for a in range(64) if baselines.has(words, a)] == [0, 2, 63]


# Answers of searches


def test_many_visits_are_no_power_too_large() -> None:
    """A trust of 1005 for a value of 1: all of the policy, as its power is taken below the largest."""
    draw = Draw(np.array([3, 5]), np.zeros(2), np.log([0.5, 0.5]))
    assert draw.improved(np.array([10_000.0, 1.0]), np.array([1.0, 0.0])).tolist() == [1.0, 0.0]
    assert draw.improved(np.zeros(2), np.array([1.0, 0.0])).tolist() == [0.5, 0.5]


def answered(tree: Any, rng: int = 1, **more: Any) -> tuple[int, np.ndarray]:
    out = np.zeros((32, 4))
    prior = np.zeros(32)
    prior[list(more.pop("prior", ()))] = 0.5
    found = answer(tree, options_of(**more), prior, np.array([0b111]), out, rng_array(rng, "test"), no_pairs(32))
    return int(found), out


def test_the_most_visited_action_is_the_answer_and_the_better_of_equals() -> None:
    tree = planted([(0, 3, 1.0, 1.0), (1, 5, 0.5, 0.5), (2, 5, 0.75, 0.75)], many=0)
    found, out = answered(tree, temperature=0.0)
    assert found == 2 and out[:3, :3].tolist() == [[3, 1.0, 3 / 13], [5, 0.5, 5 / 13], [5, 0.75, 5 / 13]]
    assert out[:, 3].tolist() == [0.0, 0.0, 1.0] + [0.0] * 29


def test_a_mixture_is_of_averages_at_their_temperature() -> None:
    """Strategy weights 4 and 1: at a temperature of 1/2 their squares, 16 to 1; what was never tried is none."""
    tree = planted([(0, 3, 1.0, 1.0), (1, 5, 1.0, 1.0), (2, 0, 0.0, 0.0)], many=1)
    tree.nodes[0, NODE_RM] = 1
    tree.sums[:3, STRATEGY] = 4.0, 1.0, 2.0
    _, out = answered(tree, temperature=0.5)
    assert out[:3, 2] == pytest.approx([4 / 7, 1 / 7, 2 / 7]) and out[:3, 3] == pytest.approx([16 / 17, 1 / 17, 0.0])
    _, out = answered(tree, temperature=1.0)
    assert out[:3, 3] == pytest.approx([0.8, 0.2, 0.0])
    drawn = [answered(tree, seed, temperature=1.0)[0] for seed in range(200)]
    assert 0.7 < np.mean(np.array(drawn) == 0) < 0.9 and set(drawn) == {0, 1}


def test_actions_that_are_worse_beyond_the_noise_are_left_out() -> None:
    """The likeliest has 1 on the mean, with next to no noise; of 0.5 and 0.99 the latter stays."""
    tree = planted([(0, 400, 1.0, 1.0), (1, 400, 0.5, 0.25), (2, 400, 0.99, 0.9801)], many=1)
    _, out = answered(tree, temperature=1.0, margin=0.0)
    assert out[:3, 3] == pytest.approx([0.5, 0.0, 0.5])


def test_where_nothing_is_better_the_prior_is_played() -> None:
    """0.5 for actions 0 and 1 each, which got as much as 2; at any temperature they are equal."""
    tree = planted([(0, 40, 1.0, 2.0), (1, 40, 1.0, 2.0), (2, 40, 1.0, 2.0)], many=1)
    _, out = answered(tree, temperature=0.5, prior=(0, 1))
    assert out[:3, 3] == pytest.approx([0.5, 0.5, 0.0])
