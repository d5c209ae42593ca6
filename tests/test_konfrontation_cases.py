"""konfrontation, rule by rule: projects, demands, the ranking, sealed bids, in small games set up by hand."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from probespiel.envs.core.game import Game, Position
from probespiel.envs.konfrontation.state import CHARACTERS, P_RESOURCE, Action
from probespiel.envs.konfrontation.system import SYSTEM

SIZE_TWO = Action.START_RESOURCE + 1


@cache
def game_of(config: str) -> Game:
    return Game(SYSTEM.spec_of_setup(json.loads(config)), compiled=False)


def start(**config: Any) -> Position:
    """The first decision of an interpreted game."""
    position = game_of(json.dumps(config)).position()
    assert position.die() == 0
    return position


def play(position: Position, *actions: int) -> Position:
    """Each by whoever is asked."""
    for action in actions:
        position.apply(position.to_act()[0], action)
    return position


# --- projects (R31, A22) ----------------------------------------------------------------------------------------------


def at_work(rule: str) -> Position:
    """Two factions with two actions a turn; the first has begun a resource of two turns, and its second turn begins."""
    position = start(
        mode="campaign", n_factions=2, turns=5, first_seat=0, rotate_first=False, actions_per_turn=2,
        project_interrupt=rule, start_power=2, start_resources=[],
    )  # fmt: skip
    play(position, SIZE_TWO)
    assert Action.PASS in position.legal(0) and Action.CONTINUE not in position.legal(0)  # it has been worked on
    play(position, Action.PASS)
    assert position.legal(1).count(Action.PASS) == 1
    return play(position, Action.PASS, Action.PASS)


@pytest.mark.parametrize("rule", ["pause", "locked", "lost"])
def test_what_a_project_asks_for(rule: str) -> None:
    """`locked`: the first action of a turn goes on with it, and nothing else; then its owner is free again."""
    position = at_work(rule)
    legal = position.legal(0)
    assert (legal == [Action.CONTINUE]) == (rule == "locked") and Action.CONTINUE in legal
    assert not any(Action.START_RESOURCE <= a < Action.ATTACK for a in legal)
    play(position, Action.CONTINUE)
    assert position.record.extent[0, 0] == 2 and Action.PASS in position.legal(0)
    assert Action.CONTINUE not in position.legal(0)


@pytest.mark.parametrize(("rule", "kept"), [("pause", True), ("lost", False)])
def test_a_turn_without_work(rule: str, kept: bool) -> None:
    """`lost`: it is discarded at the end of its owner's turn, not before, and not in the turn of another."""
    s = (position := at_work(rule)).record
    play(position, Action.PASS)
    assert s.project[0] == P_RESOURCE and Action.CONTINUE in position.legal(0)
    play(position, Action.PASS)
    assert position.to_act() == [1]
    left = (int(s.project[0]), int(s.project_size[0]), int(s.project_left[0]))
    assert left == ((P_RESOURCE, 2, 1) if kept else (0, 0, 0))


@pytest.mark.parametrize("rule", ["pause", "lost"])
def test_work_in_the_last_action_keeps_a_project(rule: str) -> None:
    position = start(
        mode="campaign", n_factions=2, turns=5, first_seat=0, rotate_first=False, actions_per_turn=2,
        project_interrupt=rule, start_power=2, start_resources=[],
    )  # fmt: skip
    play(position, Action.PASS, Action.START_RESOURCE + 2)
    assert (int(position.record.project[0]), int(position.record.project_left[0])) == (P_RESOURCE, 2)


# --- demands (R20, A8, A9) --------------------------------------------------------------------------------------------

FORCES = {
    "attacker": {
        "power": 0,
        "units": {"a1": ["character", "social"], "a2": ["character", "shady"], "a3": ["support", "shady", 1],
                  "a4": ["support", "social", 1]},
    },
    "defender": {"power": 3, "units": {"d1": ["character", "social"], "d2": ["character", "social"]}},
}  # fmt: skip


@pytest.mark.parametrize(("scope", "rule", "asked"), [
    ("involved", "handover", [0]), ("any", "handover", [0, 1, CHARACTERS, CHARACTERS + 1]),
    ("involved", "protected", [0]), ("any", "protected", [0, 1, CHARACTERS + 1]),
])  # fmt: skip
def test_whom_the_winner_may_demand(scope: str, rule: str, asked: list[int]) -> None:
    """Only who took part, or anybody of the attacker's; supports outside their nature may be protected.

    Removed may be who took part, and nobody else.
    """
    attack = {"faction": "defender", "target": {"kind": "power"}, "type": "social", "commit": ["a1"]}
    position = start(
        mode="clash", stage="defence", factions=FORCES, attacker="attacker", attack=attack, demand_scope=scope,
        support_nonmatching=rule,
    )  # fmt: skip
    play(position, Action.ITEM, Action.ITEM + 1, Action.DONE, Action.BID, Action.BID)
    assert position.phase() == "spoils"
    removal = play(position.clone(), Action.SPOILS_REMOVE)
    assert removal.legal(1) == [Action.ITEM]
    play(position, Action.SPOILS_DEMAND)
    assert position.legal(1) == [Action.ITEM + unit for unit in asked]
    play(position, Action.ITEM + asked[-1])
    assert position.phase() == "response" and position.to_act() == [0]
    play(position, Action.HANDOVER)
    mine, theirs = int(position.record.units[0]), int(position.record.units[1])
    assert not mine >> asked[-1] & 1 and bin(theirs).count("1") == 3


# --- the ranking (R32) ------------------------------------------------------------------------------------------------

FIRST, SECOND, THIRD = (1.0, -0.5, -0.5), (-0.5, 1.0, -0.5), (-0.5, -0.5, 1.0)
RANKED = [  # victory; power, control points, strength points of three; payoffs
    ("control_points", ((0, 2, 1), (9, 1, 3), (0, 1, 3)), FIRST),
    ("control_points", ((3, 2, 1), (2, 2, 3), (0, 2, 3)), FIRST),
    ("control_points", ((3, 2, 1), (3, 2, 2), (3, 2, 1)), SECOND),
    ("control_points", ((3, 2, 2), (3, 2, 2), (3, 2, 1)), (0.25, 0.25, -0.5)),
    ("control_points", ((3, 2, 2), (3, 2, 2), (3, 2, 2)), (0.0, 0.0, 0.0)),
    ("power", ((3, 1, 1), (2, 3, 3), (1, 1, 1)), FIRST),
    ("power", ((3, 1, 3), (3, 2, 1), (3, 1, 1)), SECOND),
    ("power", ((3, 1, 1), (3, 1, 1), (3, 1, 2)), THIRD),
    ("power", ((3, 1, 1), (2, 2, 1), (3, 1, 1)), (0.25, -0.5, 0.25)),
    # worth: power and twice the control points and three times the strength points
    ("net_worth", ((9, 1, 1), (0, 3, 1), (0, 3, 2)), FIRST),  # 14, 9, 12
    ("net_worth", ((2, 1, 2), (1, 3, 1), (0, 2, 2)), SECOND),  # 10 each: control points
    ("net_worth", ((5, 1, 1), (2, 1, 2), (0, 1, 1)), FIRST),  # 10, 10, 5: power
    ("net_worth", ((2, 1, 2), (2, 1, 2), (0, 1, 1)), (0.25, 0.25, -0.5)),
]
MARGINS = [
    ("power", ((5, 0, 1), (2, 3, 1), (1, 3, 1)), (3.5, -1.0, -2.5)),
    ("control_points", ((0, 3, 1), (9, 1, 1), (0, 0, 1)), (2.5, -0.5, -2.0)),
    ("net_worth", ((4, 1, 1), (0, 0, 1), (1, 1, 0)), (6.0, -3.0, -3.0)),  # 9, 3, 3
]


def ended(victory: str, utility: str, holdings: Any) -> list[float]:
    """Three factions with these holdings pass once each."""
    factions = {
        name: {
            "power": power,
            "units": {f"{name}{i}": ["character", "social"] for i in range(strength)},
            "resources": {f"{name}r": points} if points else {},
        }
        for name, (power, points, strength) in zip("ABC", holdings, strict=True)
    }
    position = start(
        mode="campaign", n_factions=3, turns=1, first_seat=0, factions=factions, victory=victory, utility=utility,
        w_power=1, w_cp=2, w_unit=3,
    )  # fmt: skip
    play(position, Action.PASS, Action.PASS, Action.PASS)
    assert position.over
    return position.returns().tolist()


@pytest.mark.parametrize(("victory", "holdings", "payoffs"), RANKED)
def test_who_stands_first(victory: str, holdings: Any, payoffs: tuple[float, ...]) -> None:
    """By each ranking, with its ties in order; shared by those who are equal in everything."""
    assert ended(victory, "win_loss", holdings) == list(payoffs)


@pytest.mark.parametrize(("victory", "holdings", "payoffs"), MARGINS)
def test_margins_of_three(victory: str, holdings: Any, payoffs: tuple[float, ...]) -> None:
    """The own first number less the mean of the others'."""
    assert ended(victory, "margin", holdings) == list(payoffs)


# --- sealed bids ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [0, 1])
def test_a_seat_knows_which_bid_it_has_sealed(first: int) -> None:
    """Every own bid has a history of its own and is kept when the seat forgets; it is the bid that is revealed."""
    attack = {"faction": "defender", "target": {"kind": "power"}, "type": "social", "commit": ["a1"], "defence": []}
    forces = {**FORCES, "attacker": {**FORCES["attacker"], "power": 3}}
    position = start(mode="clash", stage="bid", factions=forces, attacker="attacker", attack=attack)
    keys = set()
    for bid in range(4):
        sealed = position.clone()
        assert sealed.to_act() == [0, 1]
        sealed.apply(first, Action.BID + bid)
        assert sealed.to_act() == [1 - first]
        keys.add(sealed.key(first))
        open_ = sealed.forget(first)
        assert open_.to_act() == [1 - first]
        assert sealed.forget(1 - first).to_act() == [0, 1]
        for one in (sealed, open_):
            one.apply(1 - first, Action.BID + (bid + 2) % 4)
            bids = [int(b) for b in one.record.bid]
            assert bids == ([bid, (bid + 2) % 4] if first == 0 else [(bid + 2) % 4, bid])
    assert len(keys) == 4 and position.key(first) not in keys
