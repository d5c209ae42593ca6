"""The rule modules of konfrontation, and its scenarios on the test bench."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.errors import IllegalAction, RulesetError
from probespiel.envs.core.game import Game, Position
from probespiel.envs.konfrontation import state as st
from probespiel.envs.konfrontation.presets import presets
from probespiel.envs.konfrontation.system import SYSTEM
from probespiel.evaluation.stress.conditions import Bench, Condition, Settings

MODULES = ("all_pay", "blackmail")


def act(position: Position, *codes: str) -> Position:
    """Take actions by their codes, for the first seat that is asked."""
    for code in codes:
        position.apply(position.to_act()[0], position.game.actions.codes.index(code))
    return position


def debate(modules: dict[str, Any], **options: Any) -> Position:
    """Two equal sides before their bids (5 power against 4), or before the defence."""
    setup = presets()["debate"]
    if options.get("stage") == "bid":
        setup["attack"] = {**setup["attack"], "defence": ["d1", "d2"]}
    return Game(SYSTEM.spec_of_setup({**setup, **options, "modules": modules}), compiled=False).position()


def test_built_in() -> None:
    assert set(MODULES) <= set(SYSTEM.modules())
    for game in SYSTEM.games:
        made = make_game(game, modules={key: {} for key in MODULES})
        play = Batch(made, 100, seed=1).play_random(3)
        assert not play.stopped and not play.stuck
        assert abs(play.mean_payoff.sum()) < 1e-9


def test_ties_cost_their_bids() -> None:
    """all_pay: both lose what they have bid; a lower share is rounded up; the rest is as always."""
    for share, left in ((100, (3, 2)), (50, (4, 3)), (1, (4, 3))):
        position = act(debate({"all_pay": {"share": share}}, stage="bid"), "bid:2", "bid:2")
        assert position.phase() == "vote"
        assert tuple(position.record.power) == left
    act(position, "vote_fight", "vote_fight", "bid:1", "bid:0")
    assert int(position.record.power[0]) == 4 - 1 + 1 + 2  # bid, loot, spoils
    plain = act(debate({}, stage="bid"), "bid:2", "bid:2")
    assert tuple(plain.record.power) == (5, 4)
    # whoever has nothing left after a tie has drawn
    position = debate({"all_pay": {}}, stage="bid", factions={
        "attacker": {"power": 1, "units": {"a1": ["character", "social"], "a2": ["character", "social"]}},
        "defender": {"power": 1, "units": {"d1": ["character", "social"], "d2": ["character", "social"]}},
    })  # fmt: skip
    act(position, "bid:1", "bid:1")
    assert position.over and tuple(position.record.power) == (0, 0)


LEADER = '''
"""The attacker counts one more."""
from typing import Any
from probespiel.envs.konfrontation.module import Module

module = Module("leader", "One more for whoever attacks.")


@module.hook
def total(s: Any, p: Any, seat: int, value: int) -> int:
    """The attacker."""
    return value + 1 if seat == s.attacker else value
'''


def test_a_tie_is_one_of_totals(tmp_path: Path) -> None:
    """all_pay beside a rule that adds to totals: what ties by that costs, equal bids that do not are paid once."""
    leader = tmp_path / "leader.py"
    leader.write_text(LEADER)
    both = {"all_pay": {}, str(leader): {}}
    tie = act(debate(both, stage="bid"), "bid:1", "bid:2")
    assert tie.phase() == "vote" and int(tie.record.ties) == 1 and tuple(tie.record.power) == (4, 2)
    won, plain = (act(debate(rules, stage="bid"), "bid:2", "bid:2") for rules in (both, {str(leader): {}}))
    assert int(won.record.ties) == 0 and tuple(won.record.power) == tuple(plain.record.power)


def test_blackmail() -> None:
    position = debate({"blackmail": {"price": 3}}, stage="defence")
    assert position.to_act() == [0] and position.phase() == "blackmail_offer"
    paid = act(position.clone(), "blackmail.offer", "blackmail.pay")
    assert paid.over and tuple(paid.record.power) == (8, 1)
    np.testing.assert_allclose(paid.returns(), [6, -6])
    refused = act(position.clone(), "blackmail.offer", "blackmail.refuse")
    assert refused.phase() == "defend" and tuple(refused.record.power) == (5, 4)
    assert refused.observe(1)[-1] == 1.0
    silent = act(position.clone(), "blackmail.no_offer")
    assert silent.phase() == "defend" and silent.observe(1)[-1] == 0.0
    before = position.to_bytes()
    with pytest.raises(IllegalAction, match="legal"):
        position.apply(0, st.Action.BID)
    assert position.to_bytes() == before
    poor = debate({"blackmail": {"price": 5}}, stage="defence")
    assert poor.phase() == "defend"  # who cannot pay is not blackmailed


def test_only_some_may_blackmail_and_parameters_are_checked() -> None:
    with pytest.raises(RulesetError, match=r"price.*21.*1\.\.20"):
        make_game("konfrontation-clash", modules={"blackmail": {"price": 21}})
    with pytest.raises(RulesetError, match=r"share.*0.*1\.\.100"):
        make_game("konfrontation-clash", modules={"all_pay": {"share": 0}})


# --- on the test bench ------------------------------------------------------------------------------------------------


def test_handicap() -> None:
    duel = SYSTEM.handicap(presets()["duel"], ["B"], 2)
    position = Game(SYSTEM.spec_of_setup({**duel, "first_seat": 0}), compiled=False).position(seed=1)
    plain = Game(SYSTEM.spec_of_setup({**presets()["duel"], "first_seat": 0}), compiled=False).position(seed=1)
    assert [int(x) for x in position.record.power] == [3, 5]
    assert position.record.units.tolist() == plain.record.units.tolist()
    debate_ = SYSTEM.handicap(presets()["debate"], ["attacker"], -4)
    assert debate_["factions"]["attacker"]["power"] == 1
    for n in (-6, 16):
        with pytest.raises(RulesetError, match=r"faction attacker.*0\.\.power_cap = 20"):
            SYSTEM.handicap(presets()["debate"], ["attacker"], n)


def test_mirrored_games_are_the_same_with_seats_exchanged() -> None:
    rng = random.Random(1)
    for name, more in (("debate", {}), ("duel", {"first_seat": 0}), ("triad", {"first_seat": 0})):
        setup = {**presets()[name], **more, "modules": {"blackmail": {"seats": [0]}}}
        mirrored = SYSTEM.mirrored(copy.deepcopy(setup))
        assert setup["modules"]["blackmail"]["seats"] == [0]
        n = setup.get("n_factions", 2)
        assert mirrored["modules"]["blackmail"]["seats"] == [n - 1]
        one, two = (Game(SYSTEM.spec_of_setup(s), compiled=False) for s in (setup, mirrored))
        assert [s.name for s in one.seats] == [s.name for s in reversed(two.seats)]
        if n > 2:
            continue  # the order of play is another one
        a, b = one.position(seed=1), two.position(seed=1)
        for _ in range(60):
            assert [1 - seat for seat in reversed(a.to_act())] == b.to_act()
            if a.over:
                break
            seat = a.to_act()[0]
            assert a.legal(seat) == b.legal(1 - seat)
            action = rng.choice(a.legal(seat))
            a.apply(seat, action)
            b.apply(1 - seat, action)
            if a.record.turn != 1 and name == "duel":  # the starting seat moves on in both
                break
        np.testing.assert_allclose(a.returns(), b.returns()[::-1])


@pytest.mark.parametrize("game", SYSTEM.games)
def test_the_bench_finds_them(game: str) -> None:
    bench = Bench(Settings(game, "blackmail"))
    assert bench.can_handicap and bench.can_mirror and bench.unit == ("power point", "power points")
    for cards in (-4, 8):
        spec = bench.spec(Condition((0,), 1, cards, mirrored=True))
        assert [seat.name for seat in spec.seats] == [seat.name for seat in reversed(bench._first().seats)]
