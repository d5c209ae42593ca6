"""Baselines of konfrontation: legal, blind to sealed choices, true to their definitions; their values against HiGHS."""

from __future__ import annotations

import copy
import itertools
import random
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import AgentError, NativePolicy, View
from probespiel.agents.declaration import lineup_of
from probespiel.agents.konfrontation import baselines as baselines
from probespiel.agents.konfrontation import values as values
from probespiel.agents.konfrontation.equilibrium import solver_of
from probespiel.agents.match import Match, Schedule
from probespiel.agents.matrix_game import solve_zero_sum
from probespiel.agents.native import baselines_of, native_policy
from probespiel.agents.registry import list_agents, make_agent
from probespiel.envs import make_game
from probespiel.envs.core import abi
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.rng import rng_array
from probespiel.envs.konfrontation import state as st
from probespiel.envs.konfrontation.presets import presets
from probespiel.envs.konfrontation.system import SYSTEM
from tests.naive.konfrontation_random import random_setup

OWN = tuple(name for name in baselines_of("konfrontation") if name not in ("random", "first"))


def game_of(config: dict[str, Any], compiled: bool = True) -> Game:
    return Game(SYSTEM.spec_of_setup(config), compiled)


def answer(policy: NativePolicy, position: Position, seat: int, seed: int = 0) -> int:
    """What a compiled policy answers at a position."""
    game, rng = position.game, rng_array(seed, "test")
    found = abi.call_from_python(
        policy.address, policy.which, position.address, game.params_address, seat, game.address, rng.ctypes.data
    )
    policy.raise_pending()
    return found


def ask(name: str, position: Position, seat: int | None = None, seed: int = 0) -> str:
    """The code of what an agent answers; the seat is the first that is asked."""
    seat = position.to_act()[0] if seat is None else seat
    policy = make_agent(name).native(position.game)
    assert policy is not None
    return position.game.actions.codes[answer(policy, position, seat, seed)]


def go_on(name: str, position: Position) -> Position:
    """Let an agent answer until its declaration is complete."""
    seat = position.to_act()[0]
    policy = make_agent(name).native(position.game)
    assert policy is not None
    while position.phase() in ("action", "decl_faction", "decl_target", "decl_type", "decl_commit"):
        position.apply(seat, answer(policy, position, seat))
    return position


def unit(nature: str, extra: int | None = None) -> list[Any]:
    return ["character", nature] if extra is None else ["support", nature, extra]


def duel(own: dict[str, Any], other: dict[str, Any], **options: Any) -> Position:
    """A campaign of two in which A, with `own` holdings, chooses its action."""
    options = {"turns": 8, "destroyed_resource_pays": True, **options}
    setup = {"mode": "campaign", "first_seat": 0, "factions": {"A": own, "B": other}, **options}
    return game_of(setup).position(seed=1)


# --- all of them ------------------------------------------------------------------------------------------------------


def test_every_baseline_of_the_specification_is_there() -> None:
    wanted = {
        "builder", "rush", "zero_bid", "all_in", "matrix", "raider", "support_rush", "staller", "lookahead",
    }  # fmt: skip
    assert wanted == set(OWN)
    for game in map(make_game, SYSTEM.games):
        kinds = {kind.name: kind for kind in list_agents(game)}
        assert wanted | {"random"} <= set(kinds) and all(kinds[name].doc for name in OWN)
        assert lineup_of(game).rollout_in(game) in {*OWN, "random"}
    for text in ("builder:size=4", "rush:n=0", "matrix:n=1"):
        with pytest.raises(AgentError, match=r"is not allowed|takes none"):
            make_agent(text)


@pytest.mark.parametrize(
    ("modules", "opponent"), [(None, "search"), ({"all_pay": {}}, "policy"), ({"blackmail": {}}, "lookahead")]
)
def test_a_person_meets_the_strongest_that_knows_the_campaign(modules: dict[str, Any] | None, opponent: str) -> None:
    """A search where the policy that it follows has met the rules; the policy fits `all_pay`, not `blackmail`."""
    game = make_game("konfrontation-campaign", modules=modules, compiled=False)
    assert lineup_of(game).opponent_in(game) == opponent


@pytest.mark.parametrize(
    ("name", "scenario", "options"),
    [
        ("konfrontation-campaign", "duel", {}),
        pytest.param("konfrontation-campaign", "council", {"random_natures": True}, marks=pytest.mark.slow),
        ("konfrontation-clash", "assassination", {"stage": "full"}),
        ("konfrontation-clash", "monster", {}),
    ],
)
def test_whole_games(name: str, scenario: str, options: dict[str, Any]) -> None:
    """Every baseline plays in every seat to the end, without any offence."""
    game = make_game(name, scenario, **options)
    rng = np.random.default_rng(4)
    with Match(game, ["random", *OWN], seed=2) as match:
        seating = rng.integers(0, len(OWN) + 1, (120, game.n_seats))
        seating[np.arange(120), np.arange(120) % game.n_seats] = np.arange(120) % (len(OWN) + 1)
        outcome = match.play(Schedule.of(3, np.arange(120), seating))
    assert not outcome.offences.any() and (outcome.status == 1).all()
    np.testing.assert_allclose(outcome.payoffs.sum(axis=1), 0, atol=1e-9)


@pytest.mark.parametrize(
    ("mode", "most"), [("clash", 2), ("campaign", 2), pytest.param("campaign", 5, marks=pytest.mark.slow)]
)
def test_always_legal_and_only_reading(mode: str, most: int) -> None:
    """Random options, random play between: whatever is asked, every baseline answers legally and changes nothing."""
    rng = random.Random(5)
    asked: set[str] = set()
    setups = (random_setup(rng, mode)[1] for _ in range(10_000))
    chosen = (setup for setup in setups if setup.get("n_factions", 2) <= most)
    for number, setup in enumerate(itertools.islice(chosen, 60)):
        game = game_of(setup)
        policies = [native_policy(game, name) for name in OWN]
        position = game.position(seed=number)
        for _ in range(60):
            if position.over:
                break
            seat = rng.choice(position.to_act())
            legal, before = position.legal(seat), position.to_bytes()
            asked.add(position.phase())
            for name, policy in zip(OWN, policies):
                assert answer(policy, position, seat, number) in legal, (name, position.phase())
            assert position.to_bytes() == before
            # near bids, so that ties happen, and attacks, so that there is something to answer
            action = rng.choice(legal[:3] if position.phase() == "bid" else legal)
            position.apply(seat, st.Action.ATTACK if st.Action.ATTACK in legal and rng.random() < 0.5 else action)
            position.roll()
    wanted = set(st.PHASES[1:-1]) if mode == "clash" else {"action", "bid", "vote", "fate", "spoils"}
    assert wanted <= asked


@pytest.mark.parametrize("phase", ["bid", "vote"])
def test_blind_to_sealed_choices(phase: str) -> None:
    setup = presets()["debate"]
    attack = {**setup["attack"], "defence": ["d1", "d2"]}
    game = game_of({**setup, "stage": "bid", "attack": attack})
    position = game.position()
    if phase == "vote":
        position.apply(0, st.Action.BID + 2)
        position.apply(1, st.Action.BID + 2)
    assert position.phase() == phase
    for name in OWN:
        policy = native_policy(game, name)
        for seat in (0, 1):
            for seed in range(5):
                seen = {answer(policy, position, seat, seed)}
                for action in position.legal(1 - seat):
                    twin = position.clone()
                    twin.apply(1 - seat, action)
                    seen.add(answer(policy, twin, seat, seed))
                    view = View.of(twin, seat, seed)
                    assert make_agent(name).act(view) in view.legal
                assert len(seen) == 1, name


def test_interpreted_and_compiled_answer_alike() -> None:
    rng = random.Random(6)
    setup = {**presets()["duel"], "first_seat": 0}
    compiled, interpreted = game_of(setup), game_of(setup, compiled=False)
    position, twin = Position(compiled), Position(interpreted)
    for number in range(40):
        seat = position.to_act()[0]
        for name in OWN:
            first, second = native_policy(compiled, name), native_policy(interpreted, name)
            assert answer(first, position, seat, number) == answer(second, twin, seat, number), name
        legal = position.legal(seat)
        action = st.Action.ATTACK if st.Action.ATTACK in legal and number % 9 == 0 else rng.choice(legal)
        for one in (position, twin):
            one.apply(seat, action)
        if position.over:
            break


# --- what a confrontation is worth ------------------------------------------------------------------------------------


def test_matrix_games_against_highs() -> None:
    """The compiled simplex: value and mixtures of random games, degenerate ones among them."""
    rng = random.Random(7)
    for number in range(300):
        rows, columns = rng.randint(1, 9), rng.randint(1, 9)
        span = rng.choice([1, 3, 50])
        matrix = np.array([[rng.randint(-span, span) for _ in range(columns)] for _ in range(rows)], dtype=float)
        padded = np.full((values.SIZE + 2, values.SIZE), 1e6)
        padded[:rows, :columns] = matrix
        x, y = np.zeros(values.SIZE), np.zeros(values.SIZE)
        value = values.mixed(padded, rows, columns, x, y)
        assert abs(value - solve_zero_sum(matrix).value) < 1e-8, number
        assert abs(x.sum() - 1) < 1e-8 and abs(y.sum() - 1) < 1e-8
        assert (x[:rows] @ matrix).min() > value - 1e-8 and (matrix @ y[:columns]).max() < value + 1e-8


def test_values_of_bids_against_the_exact_solver() -> None:
    """With up to ten ties the baselines' value of a pair of bids is the exact one, whatever the options."""
    rng = random.Random(8)
    done = 0
    while done < 60:
        setup = copy.deepcopy(presets()[rng.choice(["tavern_takeover", "assassination", "strongbox", "debate"])])
        for faction in setup["factions"].values():
            faction["power"] = rng.randint(0, 5)
            faction["units"]["extra"] = unit(rng.choice(st.NATURES), rng.randint(1, 3))
        setup |= {
            "stage": "bid", "max_ties": rng.choice([1, 3, 10]), "min_loot": rng.choice([0, 1, 3]), "start_power": 1,
            "power_spoils": rng.choice([0, 2, 5]), "demand_scope": rng.choice(["any", "involved"]),
            "spoils_chooser": rng.choice(["winner", "loser"]), "power_cap": rng.choice([5, 20]),
            "undefended_target": rng.choice(["target", "none"]), "w_unit": rng.choice([0, 1.5, 3]),
            "destroyed_resource_pays": rng.choice([True, False]),
            "support_nonmatching": rng.choice(["handover", "protected"]),
        }  # fmt: skip
        theirs = list(setup["factions"]["defender"]["units"])
        setup["attack"]["defence"] = [u for u in theirs if rng.random() < 0.7]
        game = game_of({**setup, "attack": {**setup["attack"], "defence": theirs}})
        if any(u != "extra" for u in setup["attack"]["defence"]) or not setup["attack"]["defence"]:
            game = game_of(setup)
        position = game.position()
        work = np.zeros((values.SIZE + 2, values.SIZE))
        found = values.running_value(position.record, game.params, work)
        exact = solver_of(game).value(position)
        assert abs(found - exact) < 1e-6, (setup, found, exact)
        done += 1


def test_values_that_are_low_enough_are_not_found_exactly() -> None:
    """Above the mark the value is the same number; else something between the value and the mark."""
    game = make_game("konfrontation-clash", "strongbox", compiled=False)
    position, rng, work = game.position(seed=1), np.random.default_rng(5), np.zeros((values.SIZE + 2, values.SIZE))
    skipped = 0
    for _ in range(150):
        first, second, lead, ties = (int(n) for n in rng.integers([0, 0, -4, 1], [7, 7, 5, 6]))
        prizes = np.array([*rng.integers(0, 9, 2), rng.integers(2)], dtype=np.float64)
        numbers = (position.record, game.params, 0, 1, first, second, lead, ties, prizes)
        exact = values.value_of_bids(*numbers, -np.inf, work)
        for enough in (exact - 1.0, exact - 1e-3, exact, exact + 1e-3, exact + 1.0):
            found = values.value_of_bids(*numbers, enough, work)
            if exact > enough:
                assert found == exact
            else:
                assert exact - 1e-9 <= found <= enough
                skipped += found > exact + 1e-9
    assert skipped >= 30  # not found, but seen to be low enough


def test_bids_are_drawn_from_the_equilibrium() -> None:
    """Frequencies of `matrix` against the chances of the exact solution, six standard deviations wide."""
    setup = presets()["debate"]
    game = game_of({**setup, "stage": "bid", "attack": {**setup["attack"], "defence": ["d1", "d2"]}})
    position = game.position()
    agent, n = make_agent("equilibrium"), 4000
    agent.prepare(game)
    for seat in (0, 1):
        wanted = agent.probabilities(View.of(position, seat).requests)
        assert wanted is not None and (wanted[0] > 0.01).sum() > 1
        policy = native_policy(game, "matrix")
        drawn = np.bincount([answer(policy, position, seat, i) for i in range(n)], minlength=game.n_actions) / n
        assert (np.abs(drawn - wanted[0]) < 6 * np.sqrt(wanted[0] * (1 - wanted[0]) / n) + 1e-9).all()


# --- one by one -------------------------------------------------------------------------------------------------------

RICH = {"power": 5, "units": {"x": unit("combative")}, "resources": {"inn": 2, "mill": 1}}
POOR = {"power": 0, "units": {"x": unit("social")}, "resources": {"inn": 2, "mill": 1}}
TWO = {"power": 4, "units": {"x": unit("combative"), "y": unit("combative")}, "resources": {}}


def defended(position: Position, target: int) -> Position:
    """A attacks B with everybody, in type combative; B has not reacted."""
    seat = position.to_act()[0]
    for action in (st.Action.ATTACK, st.Action.FACTION, target, st.Action.TYPE):
        position.apply(seat, action)
    while position.phase() == "decl_commit":
        position.apply(
            seat, next(a for a in position.legal(seat) if a != st.Action.DONE or len(position.legal(seat)) == 1)
        )
    return position


def test_builder() -> None:
    position = duel(TWO, RICH)
    assert ask("builder", position) == "start_resource:1" and ask("builder:size=3", position) == "start_resource:3"
    late = duel(TWO, RICH, turns=2)
    assert ask("builder:size=3", late) == "start_resource:2"  # a larger one would not be completed
    position.apply(0, st.Action.START_RESOURCE + 1)
    position.apply(1, st.Action.PASS)
    seat = position.to_act()[0]
    position.apply(seat, st.Action.PASS)
    assert ask("builder", position, 0) == "continue"
    raid = defended(duel(TWO, RICH), st.Action.ITEM + st.T_RESOURCE)
    assert raid.phase() == "defend" and ask("builder", raid) != "done"
    while raid.phase() == "defend":
        raid.apply(1, native_answer("builder", raid, 1))
    assert ask("builder", raid, 1) == "bid:5"
    assert ask("builder", raid, 0) == "bid:0"
    robbery = defended(duel(TWO, RICH), st.Action.ITEM + st.T_POWER)
    robbery.apply(1, st.Action.DONE)
    assert ask("builder", robbery, 1) == "bid:0"
    assert ask("builder", defended(duel(TWO, RICH), st.Action.ITEM)) == "run_home"


def native_answer(name: str, position: Position, seat: int) -> int:
    return answer(native_policy(position.game, name), position, seat)


def test_rush() -> None:
    assert ask("rush:n=3", duel(TWO, POOR)) == "recruit:combative"
    assert ask("rush:n=2", duel(TWO, POOR)) == "attack"
    position = go_on("rush:n=2", duel(TWO, POOR))
    s = position.record
    assert s.target == st.T_RESOURCE and s.kind == 0 and s.commit[0] == 3  # the larger resource, in its own type
    assert ask("rush:n=2", duel(TWO, {**POOR, "resources": {}})) != "attack"  # it raids nothing else
    guarded = {**RICH, "power": 20, "units": {str(i): unit("combative") for i in range(8)}}
    assert ask("rush:n=2", duel(TWO, guarded)) == "start_resource:1"


def test_zero_bid() -> None:
    sure = duel({**TWO, "units": {str(i): unit("combative") for i in range(4)}}, RICH)
    position = go_on("zero_bid", sure)
    assert position.record.commit[0] == 15 and position.record.target == st.T_RESOURCE  # 8 against 1 or 2, and 5 power
    assert ask("zero_bid", duel(TWO, RICH)) == "start_resource:1"  # 4 is not sure against 2 and 5 power
    defence = defended(duel(TWO, RICH), st.Action.ITEM + st.T_POWER)
    defence.apply(1, st.Action.DONE)
    assert {ask("zero_bid", defence, seat, i) for seat in (0, 1) for i in range(10)} == {"bid:0"}


def test_all_in() -> None:
    position = go_on("all_in", duel(TWO, RICH))
    assert position.record.target == st.T_RESOURCE  # a resource of 2, paid even when it is destroyed
    while position.phase() != "bid":
        position.apply(1, native_answer("all_in", position, 1))
    assert ask("all_in", position, 0) == "bid:4" and ask("all_in", position, 1) == "bid:5"
    assert ask("all_in", duel({**TWO, "units": {}}, RICH)) == "gather"  # nobody to attack with


def test_matrix() -> None:
    """It takes the best of building, gathering and attacking by net worth, each where it is the best."""
    many = {str(i): unit("combative") for i in range(4)}
    assert ask("matrix", duel({**TWO, "units": many}, POOR)) == "attack"
    guarded = {**RICH, "power": 20, "units": {str(i): unit("combative") for i in range(8)}}
    assert ask("matrix", duel(TWO, guarded)) == "start_resource:1"
    assert ask("matrix", duel(TWO, guarded, gather_amount=5)) == "gather"
    # a unit that cannot be held: run home for a point; or stand, where running costs more than the unit is worth
    raid = {**TWO, "power": 9, "units": {str(i): unit("combative") for i in range(6)}}
    assert ask("matrix", defended(duel(raid, {**POOR, "power": 1}), st.Action.ITEM)) == "run_home"
    costly = defended(duel(raid, {**POOR, "power": 19}, run_home_cost=19), st.Action.ITEM)
    assert ask("matrix", costly) == "stand"


def test_raider() -> None:
    assert ask("raider", duel(TWO, RICH)) == "gather"
    position = go_on("raider", duel(TWO, POOR))
    assert position.record.active and position.record.defender == 1
    three = {"mode": "campaign", "n_factions": 3, "first_seat": 0, "factions": {"A": TWO, "B": RICH, "C": POOR}}
    assert go_on("raider", game_of(three, compiled=False).position(seed=1)).record.defender == 2  # whose stock is empty


def test_support_rush() -> None:
    assert ask("support_rush", duel(TWO, RICH)) == "start_support:combative:3"
    assert ask("support_rush", duel(TWO, RICH, turns=5)) == "start_support:combative:2"
    units = {**TWO["units"], "ogre": unit("combative", 3)}
    position = go_on("support_rush", duel({**TWO, "units": units}, POOR))
    assert position.record.kind == 0 and position.record.commit[0] == 1 << st.CHARACTERS | 1  # with just one escort


def test_staller() -> None:
    assert ask("staller", duel(TWO, RICH)) == "start_resource:1"
    raid = defended(duel(TWO, RICH), st.Action.ITEM + st.T_POWER)
    raid.apply(1, st.Action.ITEM)
    raid.apply(1, st.Action.DONE)  # 4 against 2: with 5 power B ties with a bid of 4 + 4 - 2 = 6, which it has not
    assert ask("staller", raid, 1) == "bid:0" and ask("staller", raid, 0) == "bid:3"
    poor = defended(duel({**TWO, "power": 2}, RICH), st.Action.ITEM + st.T_POWER)
    poor.apply(1, st.Action.ITEM)
    poor.apply(1, st.Action.DONE)
    assert ask("staller", poor, 1) == "bid:4"  # now it has: a tie with the highest bid of the other side
    poor.apply(0, st.Action.BID + 2)
    poor.apply(1, st.Action.BID + 4)
    assert poor.phase() == "vote"
    votes = {seat: ask("staller", poor, seat) for seat in (0, 1)}
    value = baselines.running_value(poor.record, poor.game.params, np.zeros((values.SIZE + 2, values.SIZE)))
    assert votes[0 if value < 0 else 1] == "vote_draw" or value == 0
    assert votes[0 if value > 0 else 1] == "vote_fight"


def test_lookahead_prepares_an_attack() -> None:
    """One character short of a sure raid on large resources it recruits, where `matrix` sees nothing but building."""
    prey = {"power": 0, "units": {"x": unit("combative"), "y": unit("combative")}, "resources": {"a": 3, "b": 3}}
    own = {"power": 0, "units": {"x": unit("combative"), "y": unit("combative")}, "resources": {}}
    assert ask("matrix", duel(own, prey)) == "start_resource:1"
    assert ask("lookahead", duel(own, prey)) in ("recruit:combative", "gather")
    assert ask("lookahead", duel({**own, "power": 2}, prey)) == "attack"


def test_strength() -> None:
    """In the duel calculating baselines beat random play and the pure builder (fixed seeds, 400 games each)."""
    game = make_game("konfrontation-campaign", "duel")
    for name, other, least in (("matrix", "random", 0.5), ("lookahead", "random", 0.5), ("builder", "random", 0.2)):
        with Match(game, [name, other], 1, None) as match:
            seating = np.repeat([[0, 1], [1, 0]], 200, axis=0)
            outcome = match.play(Schedule.of(1, np.tile(np.arange(200), 2), seating))
        mean = outcome.payoffs[np.arange(400), (seating == 1).argmin(axis=1)].mean()
        assert mean > least, (name, other, mean)
