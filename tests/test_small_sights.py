"""What seats see of a table and what baselines reckon with, in small cases worked out by hand."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.agents.ews_rps import rounds
from probespiel.agents.scorekeeper import outlook
from probespiel.agents.search import SearchAgent
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.einblatt.system import Einblatt
from probespiel.envs.ews_rps.system import SYSTEM as EWS_RPS
from probespiel.envs.konfrontation.state import P_RESOURCE, P_SUPPORT, T_RESOURCE, Phase
from probespiel.evaluation.balance.run import Search
from probespiel.evaluation.stress.conditions import Settings
from probespiel.evaluation.stress.progress import Quiet

EDGE = str(Path(__file__).parent / "planted_costs" / "edge.py")


def told(position: Position, seat: int, piece: str, row: int = 0) -> dict[str, float]:
    """The numbers of a row of an observation that are not 0, by name, in the units of the rules."""
    layout = position.game.layout
    of = next(found for found in layout.pieces if found.name == piece)
    width = of.shape[-1]
    seen = np.ravel(layout.view(position.observe(seat))[piece])[row * width : (row + 1) * width]
    parts = [of.number(row * width + int(i)) for i in np.flatnonzero(seen)]
    found = {
        part.name: round(float(x) * part.unit, 4) for part, x in zip(parts, seen[np.flatnonzero(seen)], strict=True)
    }
    return {name.removeprefix(f"{piece}[{row}].").removeprefix(f"{piece}."): x for name, x in found.items()}


def in_a_clash() -> Position:
    """Turn 3 of a campaign: the second faction attacks a resource of the first, and is asked for a support of its own.

    The first commits its first character, the second its second character and its second support.
    """
    position = make_game("konfrontation-campaign", compiled=False).position()
    s = position.record
    s.turn, s.first, s.place, s.due_first, s.due_natures = 3, 1, 1, 0, 0
    s.actions_left, s.attacked, s.worked = 2, 1, 0
    s.active, s.attacker, s.defender, s.target, s.kind = 1, 1, 0, T_RESOURCE + 2, 1
    s.commit[:] = 1 << 1 | 1 << 9, 1 << 0
    s.power[:] = 3, 7
    s.units[:] = 1 << 0 | 1 << 8, 1 << 1 | 1 << 9
    s.nature[0, 0], s.nature[0, 8], s.nature[1, 1], s.nature[1, 9] = 0, 1, 2, 3
    s.value[0, 8], s.value[1, 9] = 2, 3
    s.extent[:] = 0
    s.extent[0, 2], s.extent[0, 3], s.extent[1, 7] = 1, 2, 3
    s.project[:] = P_RESOURCE, P_SUPPORT
    s.project_nature[1], s.project_size[:], s.project_left[:] = 3, (2, 1), (1, 4)
    s.phase = s.ask_phase = int(Phase.RESPONSE)
    s.question = 9
    s.strength[:], s.bid[:], s.vote[:] = (9, 4), (5, 2), (-1, 1)
    s.ties, s.winner = 2, 0
    return position


FIRST = {
    "there": 1, "power": 3, "character 1 is there": 1, "character 1 is combative": 1, "character 1 is committed": 1,
    "support 1 is there": 1, "support 1 is social": 1, "value of support 1": 2, "size of resource 3": 1,
    "resource 3 is the target": 1, "size of resource 4": 2, "builds a resource": 1,
    "size or extra turns of what is built": 2, "turns until it is built": 1,
}  # fmt: skip
SECOND = {
    "there": 1, "power": 7, "character 2 is there": 1, "character 2 is shady": 1, "character 2 is committed": 1,
    "support 2 is there": 1, "support 2 is intellectual": 1, "value of support 2": 3, "support 2 is committed": 1,
    "support 2 is the target": 1, "size of resource 8": 3, "builds a support": 1, "builds a intellectual support": 1,
    "size or extra turns of what is built": 1, "turns until it is built": 4,
}  # fmt: skip


@pytest.mark.parametrize("seat", [0, 1])
def test_factions_as_both_see_them(seat: int) -> None:
    """Oneself first; what is committed, attacked and asked about is marked with who has it."""
    for row, wanted in enumerate((FIRST, SECOND) if seat == 0 else (SECOND, FIRST)):
        found = told(in_a_clash(), seat, "faction", row)
        assert {k: x for k, x in found.items() if k not in ("strength points", "control points")} == wanted
    assert told(in_a_clash(), seat, "faction", 2) == {}, "nobody is third"


def test_the_course_of_a_turn_as_both_see_it() -> None:
    """Of two actions left and an attack that was made; the second faction began, so the first has the second place."""
    whole = {"turn": 3, "turns": 8, "actions left": 2, "attacked": 1, "campaign": 1, "factions": 2}
    goal = in_a_clash().game.params.cp_goal
    whole |= {"cp_goal": float(goal)} if goal else {}
    first, second = (told(in_a_clash(), seat, "global") for seat in (0, 1))
    assert first == {**whole, "own place in this turn's order": 1} and second == whole
    assert [told(in_a_clash(), seat, "role") for seat in (0, 1)] == [{"acting": 1, "defender": 1}, {"attacker": 1}]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_clash_as_both_see_it(seat: int) -> None:
    """Strengths 9 and 4, bids 5 and 2, votes -1 and 1 of attacker and defender; two ties, and the attacker won."""
    own, other = ((9, 5, -1), (4, 2, 1)) if seat == 1 else ((4, 2, 1), (9, 5, -1))
    position = in_a_clash()
    who = "oneself", "number 1 after oneself"
    assert told(position, seat, "clash") == {
        "active": 1, f"attacker is {who[1 - seat]}": 1, f"defender is {who[seat]}": 1, "target is a resource": 1,
        "social clash": 1, "own strength": own[0], "other strength": other[0],
        "difference of strength": own[0] - other[0], "ties": pytest.approx(2 / position.game.params.max_ties, abs=1e-4),
        "own last bid": own[1], "other last bid": other[1], "own vote": own[2], "other vote": other[2],
        ("own side has won" if seat == 1 else "other side has won"): 1,
    }  # fmt: skip


def test_a_figure_as_it_is_seen() -> None:
    """Every number of the second figure, in the units of the rules; columns and rows from the first, which looks."""
    position = make_game("oneshot-skirmish", compiled=False).position()
    s = position.record
    s.actor, s.x[:], s.y[:] = 0, (3, 7), (9, 4)
    for name, value in {
        "span": 3, "wounds": 2, "c_init": 7, "due": 9, "limit": 5, "attack": 6, "defence": 8, "burden": 1,
        "target_mod": -1, "initiative": 4, "move_range": 3, "moved": 1, "saga": 2, "luck": 1, "perks": 1 << 3,
    }.items():  # fmt: skip
        getattr(s, name)[1] = value
    s.count = 4
    s.combat[1], s.physical[1], s.value[1] = (9, 9, 2), (1, 2, 3), (1, 2, 3)
    s.social[1], s.items[1] = (3, 2, 1), (1, 2, 3)
    s.w_kind[1], s.w_damage[1], s.w_range[1], s.w_rank[1] = (1, 2), (2, 1), (0, 5), (4, 3)
    s.rank[1, 0] = 2
    assert told(position, 0, "figures", 1) == {
        "there": 1, "up": 1, "column": 7, "row": 4, "columns from oneself": 4, "rows from oneself": -5, "footprint": 3,
        "wounds": 2, "wound limit": 5, "malus": 1, "attack": 6, "defence": 8, "modifier of attacks on it": -1,
        "initiative": 4, "combat initiative": 7, "counts until its turn": 5, "steps of a move": 3,
        "strength": 1, "stamina": 2, "agility": 3, "base initiative": 2, "body plus 1": 2, "mind plus 1": 3,
        "charisma plus 1": 4, "aggressive": 3, "cunning": 2, "diplomatic": 1, "first weapon is for melee": 1,
        "first weapon's damage": 2, "first weapon's skill": 4, "second weapon's damage": 1,
        "second weapon's range": 5, "second weapon's skill": 3, "lore of races": 2, "heal draught": 1,
        "smelling salts": 2, "fire flask": 3, "saga points": 2, "luck": 1, "perk finesse": 1, "has moved": 1,
    }  # fmt: skip


# What a round of rock-paper-scissors is worth


@pytest.mark.parametrize(("need", "net", "played", "limit", "acting", "other"), [
    (1, 0, 0, 1, (-1, -1, 1), (-1, 1, 1)),  # a single round: a draw is a failure of who acts
    (2, 1, 1, 2, (-1, -1, 1), (-1, 1, 1)),  # the last round of a streak
    (2, 0, 0, 3, (-1, -1, -1 / 3), (1 / 3, 1, 1)),  # a won round is followed by another in one of three cases
    (-1, 0, 0, 2, (1 / 3, 1, 1), (-1, -1, -1 / 3)),  # two rounds in a row must be lost to fail
    (-1, -1, 1, 2, (-1, 1, 1), (-1, -1, 1)),
    (1, 1, 1, 3, (1, 1, 1), (-1, -1, -1)),  # a streak that breaks leaves what was won before
    (3, 0, 0, 2, (-1, -1, -1), (1, 1, 1)),  # three rounds cannot be won in two
])  # fmt: skip
def test_what_a_round_is_worth_to_either_seat(
    need: int, net: int, played: int, limit: int, acting: tuple[float, ...], other: tuple[float, ...]
) -> None:
    """Of a test that is passed or failed, after a loss, a draw and a win of the seat: what one wins the other loses."""
    test = {"kind": "simple", "value": 3, "target": 3}
    game = Game(EWS_RPS.declare({"tests": [test], "options": {"payoff": "pass", "max_rounds": limit}}), compiled=False)
    s = game.position().record
    for seat in (0, 1):
        for who, wanted in ((seat, acting), (1 - seat, other)):
            spot: Any = rounds.Spot(int(s.kind), 0, need, 1.0, 1.0, seat, net, played)
            found = np.zeros(3)
            rounds.round_values(s, spot, game.params, who, found)
            assert found == pytest.approx(wanted), (seat, who)


# What baselines and searches reckon with


def in_melee(monkeypatch: pytest.MonkeyPatch, wound: int) -> tuple[Any, Any]:
    """Two fighters, of whom every blow of the first makes a wound of this class, wherever it hits.

    It stops the other, or makes him faint, in a quarter of the cases; half the blows hit, a fifth of them are parried.
    Two scratches are a light wound, three light wounds a severe one, two severe ones a lethal one. He bleeds 3 a round.
    """

    def chances(*given: Any) -> None:
        given[-1][1:, wound] = 1.0

    for name, value in {"usual_mode": 0, "stop_chance": 0.25, "faint_chance": 0.25, "hit_chance": 0.5,
                        "save_chance": 0.2, "potential": 0.0, "readiness": 1.0}.items():  # fmt: skip
        monkeypatch.setattr(outlook, name, lambda *_, value=value: value)
    monkeypatch.setattr(outlook, "class_chances", chances)
    monkeypatch.setattr(outlook, "after_limb", lambda zone, wound: wound)
    s = SimpleNamespace(kr=[0, 0], lw=[0, 0], sw=[0, 0], bleeding=[0, 3])
    p = SimpleNamespace(cap_kr=[9, 2], cap_lw=[9, 3], cap_sw=[9, 2], shock_on_cumulation=0, bleeds=0)
    return s, p


@pytest.mark.parametrize(("wound", "merges", "bleeds", "blows", "lasts"), [
    (2, 0, 0, 1 + 0.75 * (12 / 5 - 1), 1 / 0.4),  # 1/4 faints, and a sixth of what he can bear: 5/12 from then on
    (1, 0, 0, 1 + 0.75 * (3 - 1), 1 / 0.4),  # a twelfth of what he can bear
    (3, 0, 0, 1 + 0.75 * (4 / 3 - 1), 1 / 0.4),  # half of it
    (4, 0, 0, 1.0, 1 / 0.4),  # lethal wounds stop whoever has borne the first
    (2, 1, 0, 1 + 0.75 * (2 - 1), 1 / 0.4),  # two merges of a sixth, each of which makes him faint in one of four cases
    (2, 0, 1, 1 + 0.75 * (12 / 5 - 1), None),
])  # fmt: skip
def test_blows_and_rounds_to_stop_somebody(
    wound: int, merges: int, bleeds: int, blows: float, lasts: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    s, p = in_melee(monkeypatch, wound)
    p.shock_on_cumulation, p.bleeds = merges, bleeds
    found = np.zeros(4)
    outlook.pace(s, p, 0, 1, found)
    # bleeding, a quarter of what he can bear in a round, is added to what the blows do
    rounds_of = 1 / (0.4 / blows + 0.25) if lasts is None else blows * lasts
    assert found == pytest.approx([blows, rounds_of, 0.4, 0.25])


@pytest.mark.parametrize(("level", "seats", "config", "most"), [
    ("duel", 2, {}, 8.0),  # two of a weight of 2, four rounds each
    ("melee", 3, {}, 24.0),  # everybody attacks once in a round
    ("duel", 2, {"max_tests": 3}, 2 * (4 + 2 + 2.0)),
    ("melee", 3, {"max_tests": 3}, 2 * (12 + 2 + 2.0)),
    ("duel", 2, {"payoff": "ep_clipped"}, 6.0),
    ("duel", 2, {"payoff": "class"}, 2 * 5.0),
    ("duel", 2, {"payoff": "win"}, 2.0),
    ("melee", 3, {"payoff": "team_sum"}, 2 * (12 + 4) * 2.0),  # two of the three are of one team
    ("melee", 3, {"payoff": "team_max"}, 2 * (12 + 4.0)),
    ("duel", 2, {"payoff": "win", "unplayed": -3.0}, 2.0 + 3 * (2 + 5)),  # what is told alone may be left unplayed, too
])  # fmt: skip
def test_how_much_a_seat_can_win_in_conflicts(level: str, seats: int, config: dict[str, Any], most: float) -> None:
    plain = {"rounds": 4, "payoff": "ep", "max_tests": 1, "unplayed": 0.0, "class_weights": [1, 2, -5, 0]}
    conflicts = [
        {"events_only": False, "conflict_level": level, "weight": 2.0},
        {"events_only": True, "conflict_level": level, "weight": 5.0},
    ]
    teams = [{"team": team} for team in ("ab" if seats == 2 else "aab")]
    checked = {"config": {**plain, **config}, "seats": teams, "conflicts": conflicts, "modules": {}}
    assert Einblatt._payoff_bound(checked) == most


@pytest.mark.parametrize(("given", "advised"), [
    ({}, True), ({"narrow": False}, False), ({"rollout": "random"}, False), ({"root": "gumbel"}, False),
    ({"narrow": False, "rollout": "random"}, False), ({"narrow": False, "root": "gumbel"}, False),
])  # fmt: skip
def test_who_advises_a_search(given: dict[str, Any], advised: bool) -> None:
    """Where moves are many, and only beside a baseline that plays on: halving says itself what is tried."""
    game = make_game("scorekeeper-duel", compiled=False)
    options = SearchAgent(sims=4, prior="rollout", **given)._planned(game).shares[0].options
    assert len(options.advisers) == 2 * advised and bool(options.bulky.any()) == advised
    assert (options.trust == 20) == (given.get("rollout") != "random")


@pytest.mark.parametrize(("targets", "open_"), [
    (["worth=-0.1..0.1"], []), (["worth=-0.1..0.1", "length=1..9"], ["length"]),
    (["length=1..9"], ["length"]), (["seat=-0.1..0.1", "worth=-0.1..0.1"], []),
])  # fmt: skip
def test_what_a_search_for_balance_solves(targets: list[str], open_: list[str], tmp_path: Path) -> None:
    """Worths and seats are solved for, whatever else is aimed at."""
    settings = Settings("kuhn", EDGE, budget="quick")
    search = Search(settings, ["fee=0..9"], targets, tmp_path / "out", 1, False, False, Quiet(), "")
    assert search.solving == (open_ != ["length"] or len(targets) > 1) and search.open == open_
