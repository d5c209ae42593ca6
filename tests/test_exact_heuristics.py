"""Heuristics by hand: what each one counts, compares and chooses, with everything else given."""

from __future__ import annotations

import math
import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.agents.ews_rps import baselines as ews
from probespiel.agents.konfrontation import baselines as konf
from probespiel.agents.scorekeeper import baselines as keeper
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.rng import rand_float, rng_array
from probespiel.envs.ews_rps.state import Kind
from probespiel.envs.ews_rps.system import SYSTEM
from probespiel.envs.konfrontation.state import MAX_BID, T_RESOURCE
from tests.test_ews_rps import a_test


def put(monkeypatch: pytest.MonkeyPatch, module: Any, **made: Any) -> None:
    for name, value in made.items():
        monkeypatch.setattr(module, name, value)


# ews_rps


def test_context_counts_what_was_shown_in_the_same_situation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a list of all rounds: what was lacking, decided or not, who acted, and the streak as the seat saw it."""
    caught: list[list[float]] = []

    def reply(s: Any, p: Any, seat: int, counts: Any, worth: Any, rng: Any) -> int:
        caught.append(list(counts))
        return 0

    put(monkeypatch, ews, reply=reply, wanted=lambda *_: True)
    dice, seen = random.Random(3), 0
    tests = [{**a_test("contest", dice.randrange(-1, 2)), "acting_seat": dice.randrange(2)} for _ in range(40)]
    game = Game(SYSTEM.declare({"tests": tests, "options": {"max_rounds": 5}}), compiled=False)
    position, past = Position(game), list[tuple[tuple[Any, ...], tuple[int, int]]]()
    while not position.over:
        s = position.record
        net, acting = int(s.net), int(s.acting)
        lack = min(4, max(-3, int(s.need) - net))
        now = tuple((lack, bool(s.decided), acting, net if acting == seat else -net) for seat in (0, 1))
        for seat in (0, 1):
            wanted = [0.5] * 3
            for then, symbols in past:
                if then[seat] == now[seat]:
                    wanted[symbols[1 - seat]] += 1.0
                    seen += 1
            ews.context(s, game.params, seat, rng_array(1))
            assert caught.pop() == wanted
        symbols = dice.randrange(3), dice.randrange(3)
        past.append((now, symbols))
        for seat in (0, 1):
            position.apply(seat, symbols[seat])
    assert seen > 100


def test_who_has_chosen_sees_no_legal_actions() -> None:
    """Nor does it see that the other has none left; the other sees nothing of what was chosen."""
    position = Position(Game(SYSTEM.declare({"tests": [a_test("contest", 0)] * 2, "options": {}}), compiled=False))
    before = position.observe(1).tobytes()
    position.apply(0, 2)
    masks = [position.game.layout.view(position.observe(seat))["mask"].tolist() for seat in (0, 1)]
    assert masks == [[0] * 6, [1, 1, 1, 0, 0, 0]] and position.observe(1).tobytes() == before


def test_biased_draws_by_its_weights() -> None:
    """Of 1/2, 1/4 and 1/4: rock below 1/2, paper below 3/4, else scissors."""
    position = Position(Game(SYSTEM.declare({"tests": [a_test("contest", 0)] * 2, "options": {}}), compiled=False))
    for seed in range(40):
        x = rand_float(rng_array(seed))
        found = ews.biased(position.record, position.game.params, 0, rng_array(seed), np.array([1.0, 0.5, 0.5]), 0)
        assert found == (0 if x < 0.5 else 1 if x < 0.75 else 2)


def test_a_simple_test_is_passed_at_its_target_though_contests_are_drawn() -> None:
    p = SimpleNamespace(payoff=ews.Payoff.PASS, tie=ews.Tie.DRAW)
    assert [ews.utility_of(SimpleNamespace(kind=Kind.SIMPLE), p, margin) for margin in (-1, 0, 1)] == [-1, 1, 1]
    assert [ews.utility_of(SimpleNamespace(kind=Kind.CONTEST), p, margin) for margin in (-1, 0, 1)] == [-1, 0, 1]


@pytest.mark.parametrize(
    ("decay", "rounds", "clear"), [(1.0, 9, 2 * math.sqrt(2.0)), (0.5, 2, 2 * math.sqrt(1.25 * 2 / 9))]
)
def test_meta_follows_a_variant_that_is_clearly_good(
    decay: float, rounds: int, clear: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worthless one scores sqrt(2/9) a round by chance; of two rounds forgotten by half 1 + 1/4 count."""
    score = np.zeros(1)
    put(
        monkeypatch, ews, learnt=lambda *_: 0, numbers_of=lambda *_: score, bytes_of=lambda *_: None,
        head_of=lambda *_: {ews.H_COUNT: rounds}, best_variant=lambda *_: 0, symbol_of=lambda *_: 2,
        wanted=lambda *_: True, uniform_symbol=lambda *_: 1, reply=lambda *_: 9,
    )  # fmt: skip
    s = SimpleNamespace(ask_phase=ews.Phase.ROUND, past=rounds)
    for off, answer in ((-1e-3, ews.to_action(1)), (1e-3, 9)):
        score[0] = clear + off
        assert ews.meta(s, None, 0, None, np.array([decay, 2.0]), 0) == answer


# konfrontation


def words(*actions: int) -> np.ndarray:
    found = np.zeros(konf.WORDS, np.int64)
    for action in actions:
        found[action >> 5] |= 1 << (action & 31)
    return found


def test_a_project_that_is_not_completed_brings_nothing() -> None:
    """Turns 8 to 10: two left if this one's work is done, else three. A support of size 2 is worth 2 (1 + 2 + 1)."""
    p = SimpleNamespace(turns=10, w_cp=3.0, w_unit=2.0, support_bonus=1)
    s = SimpleNamespace(turn=8, worked=1, project=[2], project_left=[2], project_size=[2])
    assert konf.turns_left(s, p) == 2
    on = words(konf.Action.CONTINUE)
    assert konf.building_gain(s, p, 0, on) == 2 * (1 + 2 + 1) / 2
    s.project_left = [3]
    assert konf.building_gain(s, p, 0, on) == 0.0
    s.worked = 0
    assert konf.turns_left(s, p) == 3 and konf.building_gain(s, p, 0, on) == pytest.approx(8 / 3)
    s.project = [konf.P_RESOURCE]
    assert konf.building_gain(s, p, 0, on) == 3.0 * 2 / 3


def test_an_attack_must_bring_its_share_of_a_plan() -> None:
    """Of 10 in three actions 6 beside building for 2, which is more than 2: so 10/3 each. Of 5 in two 2."""
    assert konf.needed(10.0, 2.0, 3) == pytest.approx(10 / 3)
    assert konf.needed(5.0, 3.0, 2) == 2.0


def test_bids_of_a_staller_and_of_a_mixture(monkeypatch: pytest.MonkeyPatch) -> None:
    """The staller makes the other's best bid a tie; a mixture is that of the own side."""
    put(monkeypatch, konf, highest_bid=lambda *_: MAX_BID)
    s = SimpleNamespace(attacker=0, defender=1, strength=[5, 4], power=[3, MAX_BID + 10], target=T_RESOURCE)
    assert konf.bid(s, None, 0, None, konf.STALLER) == MAX_BID - 1
    assert konf.bid(s, None, 1, None, konf.STALLER) == 5 + 3 - 4
    s.strength = [5, 20]
    assert konf.bid(s, None, 0, None, konf.STALLER) == 0, "it cannot be tied"

    def running_value(s: Any, p: Any, work: Any) -> float:
        work[konf.SIZE, 2] = work[konf.SIZE + 1, 4] = 1.0
        return 0.0

    put(monkeypatch, konf, workspace=lambda: np.zeros((konf.SIZE + 2, MAX_BID + 1)), running_value=running_value)
    assert [konf.bid(s, None, seat, rng_array(1), konf.MATRIX) for seat in (0, 1)] == [2, 4]


def test_the_defence_is_the_one_that_is_worth_least_to_the_attacker(monkeypatch: pytest.MonkeyPatch) -> None:
    put(
        monkeypatch, konf, workspace=lambda: None, defence_of=lambda s, seat, target, which: which,
        value_against=lambda s, p, attacker, seat, target, kind, commit, defence, *_: (3.0, 1.0, 2.0)[defence],
        next_unit=lambda chosen, wanted: wanted,
    )  # fmt: skip
    s = SimpleNamespace(attacker=0, target=1, kind=0, commit=[1, 0])
    assert konf.defend(s, None, 1, konf.MATRIX) == 1
    assert konf.defend(s, None, 1, konf.RUSH) == 0


# scorekeeper


@pytest.mark.parametrize(("parry", "save", "pays"), [(0.6, 0.25, True), (0.5, 0.25, False), (0.6, 0.75, False)])
def test_it_pays_to_announce_a_defence(parry: float, save: float, pays: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missed parries beside those with a counter that hits, 0.9, and is not saved: 0.4 beside 0.6 * 0.675 = 0.405."""
    put(
        monkeypatch, keeper, parry_chance=lambda *_: parry, hit_chance=lambda *_: 0.9, save_chance=lambda *_: save,
    )  # fmt: skip
    p = SimpleNamespace(counter_rule=keeper.CounterRule.ANY)
    assert keeper.stand_off(None, p, 0, 1) == pays
    assert not keeper.stand_off(None, SimpleNamespace(counter_rule=-1), 0, 1)


def test_the_slowest_threat_counts() -> None:
    melee = keeper.Declared.MELEE
    s = SimpleNamespace(n_order=4, order=[2, 1, 3, 0], declared=[0, melee, melee, 0], d_target=[-1, 0, 0, -1])
    assert keeper.melee_threat(s, 0) == 1
    s.d_target[1] = 3
    assert keeper.melee_threat(s, 0) == 2 and keeper.melee_threat(s, 1) == -1


def test_a_kiter_knows_how_far_a_runner_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Back from 4 to 3, it is 6 away: out of the reach of 5, and within the 8 of a full run."""
    put(monkeypatch, keeper, melee_threat=lambda *_: 1, after_retreat=lambda *_: 3, go_at_them=lambda *_: -9)
    p = SimpleNamespace(r_has=[1], run_reach=[0, 8], reach=[0, 5])
    s = SimpleNamespace(broken=[0], pos=[4, 9], declared=[0, keeper.Declared.MELEE])
    assert keeper.kiter_declares(s, p, 0) == keeper.Action.RETREAT
    s.declared[1] = keeper.Declared.RUN
    assert keeper.kiter_declares(s, p, 0) == -9


def test_a_guardian_helps_who_is_dying_first(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, keeper, can_aid=lambda s, p, f, a: True, go_at_them=lambda *_: -9)
    p = SimpleNamespace(ally=np.array([[1, 2, -1, -1]]))
    assert keeper.guardian_declares(SimpleNamespace(struggle=[0, 0, 1]), p, 0) == keeper.Action.AID + 1
    assert keeper.guardian_declares(SimpleNamespace(struggle=[0, 0, 0]), p, 0) == keeper.Action.AID
    assert keeper.guardian_declares(SimpleNamespace(struggle=[0]), SimpleNamespace(ally=-np.ones((1, 4))), 0) == -9


def test_fate_lowers_a_wound_as_far_as_there_is_any() -> None:
    reduce = keeper.Action.REDUCE
    for fate, wound, least, lowered in ((2, 3, 1, 2), (5, 3, 1, 3), (5, 3, 4, 0)):
        assert keeper.reduce_most(SimpleNamespace(fate=[fate], w_class=wound), 0, least) == reduce + lowered


def test_an_enemy_who_can_still_act_is_attacked_before_a_nearer_one_who_cannot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(
        monkeypatch, keeper, reaches=lambda *_: True, distance=lambda s, f, e: {1: 2, 2: 5, 3: 5}[e],
        able=lambda s, e: e != 1, spends_before=lambda s, f, e: e == 3,
    )  # fmt: skip
    p = SimpleNamespace(enemy=np.array([[1, 2, 3, -1]]))
    assert keeper.choose_target(None, p, 0, 0, False) == 1
    assert keeper.choose_target(None, p, 0, 0, True) == 2, "of two who are as near the one who cannot parry"
