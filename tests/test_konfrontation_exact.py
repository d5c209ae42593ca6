"""Exact play of konfrontation: the specification's values, special cases, and the rules against the formulas."""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import AgentError, View
from probespiel.agents.exact import GameTree
from probespiel.agents.konfrontation.equilibrium import (
    BidGame,
    ConfrontationSolver,
    EquilibriumAgent,
    TooLarge,
    solver_of,
)
from probespiel.agents.matrix_game import solve_zero_sum
from probespiel.agents.rational_matrix import solve_matrix
from probespiel.agents.registry import list_agents, make_agent
from probespiel.envs import make_game
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.verify import load_cases, verify_file
from probespiel.envs.konfrontation import state as st
from probespiel.envs.konfrontation.presets import presets
from probespiel.envs.konfrontation.system import SYSTEM
from probespiel.evaluation.declaration import analysis_of
from probespiel.evaluation.konfrontation.exact import (
    TARGETS,
    analyse,
    analyse_position,
    limit,
    run_bid_value,
    run_case,
    section_7,
    solve,
)

GOLDEN = Path(__file__).parent / "golden" / "konfrontation.json"
ANALYSED = {case["id"]: case for case in load_cases(GOLDEN)[1] if case["kind"] == "bid_value"}


def game_of(config: dict[str, Any]) -> Game:
    return Game(SYSTEM.spec_of_setup(config))


@pytest.mark.parametrize("name", ANALYSED)
def test_golden_case(name: str) -> None:
    assert verify_file(GOLDEN, analysis_of("konfrontation").examples(), only=name)[0].problems == ()


def test_a_wrong_expectation_fails() -> None:
    case = copy.deepcopy(ANALYSED["bid_resource1_2_2_1_single_round"])
    case["expect"]["value"] = "34/20"
    assert len(run_bid_value(case)) == 2  # by both ways
    case = copy.deepcopy(ANALYSED["bid_resource1_2_2_1_single_round"])
    case["expect"]["attacker_strategy"] = [0.25, 0.16, 0.59]
    assert "attacker_strategy of bid 1" in run_bid_value(case)[0]
    case = copy.deepcopy(ANALYSED["bid_power_1_1_-1"])
    case["expect"]["limit"] = "-3.9999"
    assert "limit is" in run_bid_value(case)[0]
    case["expect"] = {"value": "x"}
    with pytest.raises(ProbespielError, match="'x'"):
        run_bid_value(case)


# --- matrix games -----------------------------------------------------------------------------------------------------


def test_matrix_games_against_rationals() -> None:
    """HiGHS against the simplex in fractions; mixtures guarantee the value."""
    rng = random.Random(1)
    for _ in range(60):
        m, n = rng.randint(1, 6), rng.randint(1, 6)
        matrix = [[rng.randint(-9, 9) for _ in range(n)] for _ in range(m)]
        found = solve_zero_sum(matrix)
        assert abs(found.value - float(solve_matrix(matrix).value)) < 1e-10
        assert (found.row @ np.array(matrix)).min() > found.value - 1e-9
        assert (np.array(matrix) @ found.column).max() < found.value + 1e-9
        assert abs(found.row.sum() - 1) < 1e-12 and (found.column >= 0).all()
    for bad in ([], [[]], [[float("nan")]], [1.0]):
        with pytest.raises(ProbespielError, match="matrix of shape"):
            solve_zero_sum(bad)


# --- section 7 --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stocks", "row"),
    [
        ((0, 0), [-4, -4, 0, 3, 3]),
        ((0, 1), [-4, -4, -3, 0, 4]),
        ((1, 0), [-4, 0, 2, 3, 3]),
        ((1, 1), [-4, Fraction(-160, 41), 0, 3, 4]),
    ],
)
def test_table_of_section_7(stocks: tuple[int, int], row: list[Any]) -> None:
    limits = [Fraction(-4) if x == Fraction(-160, 41) else Fraction(x) for x in row]
    for lead, value, endless in zip(range(-2, 3), row, limits):
        game = section_7("power", *stocks, lead, 10)
        assert abs(analyse(game).value - float(value)) < 1e-9
        assert abs(limit(game) - endless) < 1e-9


def test_values_with_few_ties() -> None:
    """A = B = 1, s = -1: V_1 = -3.2, V_10 = -3.9024..., and the limit is a double root that V_n nears like 1/n."""
    values = [analyse(section_7("power", 1, 1, -1, n)).value for n in (1, 2, 10, 100)]
    assert abs(values[0] + 3.2) < 1e-12 and abs(values[2] + 160 / 41) < 1e-9
    assert values == sorted(values, reverse=True) and -4 < values[3] < -3.98


@pytest.mark.parametrize("target", TARGETS)
def test_special_cases(target: str) -> None:
    """Sure wins and losses, ties that can be held, symmetry."""
    for a, b, lead, ties in product(range(4), range(4), (-5, -2, 0, 1, 2, 5), (1, 3)):
        game = section_7(target, a, b, lead, ties)
        value = analyse(game).value
        prize = game.payoffs[0, 0] - 1 if lead > 0 else 0.0
        if lead > b:
            assert abs(value - (1 + prize)) < 1e-9
        if a + lead < 0:
            assert abs(value - max(game.payoffs[i].min() for i in range(a + 1))) < 1e-9
    for a in range(4):
        assert abs(analyse(section_7("power", a, a, 0, 10)).value) < 1e-9


def test_values_rise_with_strength_but_not_with_the_own_stock() -> None:
    for target, a, b in product(("power", "resource2", "character"), (0, 2, 3), (0, 1, 3)):
        values = [analyse(section_7(target, a, b, lead, 4)).value for lead in range(-6, 7)]
        assert all(x <= y + 1e-9 for x, y in pairwise(values))
    stocks = [analyse(section_7("power", a, 0, -3, 10)).value for a in range(4)]
    assert np.allclose(stocks, [-4, -4, -5, 0])


def test_formulas_against_the_rules() -> None:
    """Random stocks, strengths and targets: the rules, position by position, give the values of section 7."""
    rng = random.Random(3)
    for target in TARGETS * 3:
        a, b, ties = rng.randint(0, 6), rng.randint(0, 6), rng.choice([1, 2, 10])
        mine, theirs = rng.randint(1, 4), rng.randint(1, 4)
        config, lead = concrete(target, a, b, mine, theirs, ties, rng.randrange(2))
        by_rules = analyse_position(game_of(config))
        assert abs(by_rules.value - analyse(section_7(target, a, b, lead, ties)).value) < 1e-8


def concrete(target: str, a: int, b: int, mine: int, theirs: int, ties: int, seat: int) -> tuple[dict[str, Any], int]:
    """A clash of shady characters about something, its type foreign to them all, and the attacker's lead."""
    first = {"power": a, "units": {f"m{i}": ["character", "shady"] for i in range(mine)}}
    second: dict[str, Any] = {"power": b, "units": {f"t{i}": ["character", "shady"] for i in range(theirs)}}
    kind, aim, lead = "combative", {"kind": "power"}, mine - theirs
    options: dict[str, Any] = {"max_ties": ties}
    if target.startswith("resource"):
        second["resources"] = {"inn": int(target[-1])}
        aim = {"kind": "resource", "name": "inn"}
    elif target == "character":
        aim = {"kind": "unit", "name": "t0"}
    elif target == "glory":
        aim, options["other_points"] = {"kind": "other"}, 0
    elif target.startswith("support"):
        nature = "combative" if target == "support_own2" else "social"
        second["units"]["ogre"] = ["support", nature, 1]
        aim = {"kind": "unit", "name": "ogre"}
        lead -= 4 if nature == kind else 2
    names = ["X", "Y"]
    factions = {names[seat]: first, names[1 - seat]: second}
    attack = {"target": aim, "type": kind, "commit": list(first["units"]), "defence": list(second["units"])}
    return {
        **options,
        "factions": {name: factions[name] for name in names},
        "attacker": names[seat],
        "attack": attack,
    }, lead


def test_running_home_bounds_an_attack_on_a_unit() -> None:
    """Target unit, run_home_cost <= B: the value is at most w_power * run_home_cost."""
    for power in (1, 3):
        setup = copy.deepcopy(presets()["assassination"])
        setup["factions"]["defender"]["power"] = power
        assert solve(game_of(setup)) <= 1 + 1e-9
    setup["factions"]["defender"]["power"] = 0
    assert solve(game_of(setup)) > 1


def test_votes_and_their_order_change_nothing() -> None:
    for name in ("debate", "strongbox", "tavern_takeover"):
        with_votes, without = (solve(make_game("konfrontation-clash", name, draw_votes=v)) for v in (True, False))
        assert abs(with_votes - without) < 1e-9


def test_raid_lab() -> None:
    """One turn, combative characters on both sides, gather 1, stocks (1, 1): value 0, both gather (section 7)."""
    lab = {**presets()["raid_lab"], "gather_amount": 1, "turns": 1}
    unit = {"units": {"x": ["character", "combative"]}, "power": 1}
    game = game_of({**lab, "factions": {"A": unit, "B": unit}})
    solver, position = ConfrontationSolver(game), Position(game)
    assert abs(solver.value(position)) < 1e-12
    for seat in (0, 1):
        assert solver.chances(position, seat)[st.Action.GATHER] == 1.0
        position.apply(seat, st.Action.GATHER)
    assert position.over


def test_case_of_kind_solve() -> None:
    case = {
        "kind": "solve",
        "setup": {"preset": "debate"},
        "expect": {"value": solve(make_game("konfrontation-clash", "debate"))},
    }
    assert run_case(case) == []
    case["expect"] = {"value": "1/2", "tolerance": 0.01}
    assert "value is" in run_case(case)[0]


def test_the_solver_against_the_game_tree() -> None:
    """An independent check: with one tie allowed the tree is small, and no best response gains anything."""
    for seat, name in ((0, "debate"), (1, "strongbox"), (0, "assassination")):
        setup = {**presets()[name], "max_ties": 1}
        setup["factions"] = {
            key: {**value, "power": min(2, value["power"])} for key, value in presets()[name]["factions"].items()
        }
        if seat:
            setup["factions"] = dict(reversed(setup["factions"].items()))
        game = game_of(setup)
        agent = EquilibriumAgent()
        tree = GameTree(game)
        profile = tree.profile([agent, agent])
        assert tree.exploitability(profile) < 1e-9


def test_random_options_against_a_plain_recursion() -> None:
    """The fast paths of the solver (compiled consequences, shared bid games) against recursion over every position."""
    rng = random.Random(11)
    for _ in range(12):
        setup = copy.deepcopy(presets()[rng.choice(["tavern_takeover", "assassination", "monster", "debate"])])
        for faction in setup["factions"].values():
            faction["power"] = rng.randint(0, 3)
            faction["units"]["extra"] = ["support", rng.choice(st.NATURES), rng.randint(1, 3)]
        setup |= {
            "max_ties": rng.choice([1, 2]), "min_loot": rng.choice([0, 1, 3]), "power_spoils": rng.choice([0, 2, 5]),
            "demand_scope": rng.choice(["any", "involved"]), "spoils_chooser": rng.choice(["winner", "loser"]),
            "undefended_target": rng.choice(["target", "none"]), "power_cap": rng.choice([4, 20]),
            "support_nonmatching": rng.choice(["handover", "protected"]), "start_power": 1,
            "destroyed_resource_pays": rng.choice([True, False]), "w_unit": rng.choice([0, 1.5, 3]),
        }  # fmt: skip
        game = game_of(setup)
        solver = ConfrontationSolver(game)
        assert abs(solver.value(Position(game)) - plain_value(Position(game))) < 1e-8


def plain_value(position: Position) -> float:
    """Backward induction without any memory; bids and votes as matrix games."""
    if position.over:
        return float(position.returns()[0])
    seats = position.to_act()
    if len(seats) == 1:
        values = [plain_value(after(position, (seats[0], a))) for a in position.legal(seats[0])]
        return max(values) if seats[0] == 0 else min(values)
    return solve_zero_sum(
        [[plain_value(after(position, (0, a), (1, b))) for b in position.legal(1)] for a in position.legal(0)]
    ).value


def after(position: Position, *moves: tuple[int, int]) -> Position:
    twin = position.clone()
    for seat, action in moves:
        twin.apply(seat, action)
    return twin


# --- the agent --------------------------------------------------------------------------------------------------------


def test_the_agent() -> None:
    game = make_game("konfrontation-clash", "debate", stage="full")
    agent = make_agent("equilibrium")
    agent.prepare(game)
    position = game.position(seed=1)
    while not position.over:
        actions = []
        for seat in position.to_act():
            view = View.of(position, seat, 1, 2, 3)
            chances = agent.probabilities(view.requests)
            assert chances is not None and abs(chances.sum() - 1) < 1e-9
            actions.append((seat, agent.act(view)))
        for seat, action in actions:
            position.apply(seat, action)
    assert solver_of(game) is solver_of(make_game("konfrontation-clash", "debate", stage="full"))


def test_the_agent_does_not_see_a_sealed_bid() -> None:
    setup = presets()["debate"]
    setup |= {"stage": "bid", "attack": {**setup["attack"], "defence": ["d1", "d2"]}}
    game = game_of(setup)
    agent = make_agent("equilibrium")
    seen = []
    for bid in range(4):
        position = game.position()
        position.apply(0, st.Action.BID + bid)
        seen.append(agent.probabilities(View.of(position, 1).requests))
    assert all(np.array_equal(x, seen[0]) for x in seen) and (seen[0] > 0).sum() > 1


@pytest.mark.parametrize("scenario", [name for name, setup in presets().items() if setup["mode"] == "clash"])
def test_remembered_mixtures_are_those_of_the_position(scenario: str) -> None:
    """Asked in another position, with another number of ties before or as the other seat, it remembers another one."""
    game = make_game("konfrontation-clash", scenario, stage="full", max_ties=3)
    fresh, agent, rng = ConfrontationSolver(game), EquilibriumAgent(), random.Random(7)
    asked = 0
    ties = set[int]()
    for _ in range(40):
        position = game.position(seed=rng.randrange(2**32))
        while not position.over:
            seats = position.to_act()
            for seat in seats:
                found = agent.probabilities(View.of(position, seat, 1, 2, asked).requests)
                assert found is not None and found.shape == (1, game.n_actions)
                wanted = fresh.chances(position, seat)
                assert {a: x for a, x in enumerate(found[0].tolist()) if x} == {a: x for a, x in wanted.items() if x}
                asked += 1
                ties.add(int(position.record.ties))
            totals = position.record.strength[[0, 1]]
            moves = [(seat, rng.choice(position.legal(seat))) for seat in seats]
            if int(position.record.phase) == st.Phase.BID and rng.random() < 0.8:  # equal totals, where both can
                total = int(totals.max()) + rng.randrange(2)
                sides = {int(position.record.attacker): 0, int(position.record.defender): 1}
                bids = [(seat, st.Action.BID + total - int(totals[sides[seat]])) for seat in seats]
                moves = bids if all(bid in position.legal(seat) for seat, bid in bids) else moves
            elif int(position.record.phase) == st.Phase.VOTE:
                moves = [(seat, st.Action.VOTE_FIGHT) for seat in seats]
            for seat, action in moves:
                position.apply(seat, action)
    assert ties == {0, 1, 2} and 0 < len(solver_of(game)._mixtures) < asked


def test_games_that_are_not_solved() -> None:
    with pytest.raises(AgentError, match="more than 200 positions"):
        make_agent("equilibrium:limit=200").prepare(make_game("konfrontation-campaign"))
    with pytest.raises(AgentError, match="3 factions"):
        make_agent("equilibrium").prepare(make_game("konfrontation-campaign", "triad"))
    with pytest.raises(AgentError, match="no game of konfrontation"):
        make_agent("equilibrium").prepare(make_game("kuhn"))
    with pytest.raises(TooLarge):
        ConfrontationSolver(make_game("konfrontation-campaign"), 100).value(
            make_game("konfrontation-campaign").position(1)
        )
    names = {game: {k.name for k in list_agents(make_game(game))} for game in ("kuhn", "konfrontation-clash")}
    assert "equilibrium" in names["konfrontation-clash"] - names["kuhn"]


def test_bid_games_are_remembered() -> None:
    """Equal bid games are solved once, whichever clash they belong to."""
    payoffs, tied = np.array([[0.0, -1.0], [2.0, 0.0]]), np.eye(2, dtype=bool)
    first = BidGame(payoffs, tied, 0.0, 3).levels()
    assert BidGame(payoffs.copy(), tied.copy(), 0.0, 3).levels() is first
    assert BidGame(payoffs, tied, 1.0, 3).levels() is not first
