"""Baselines of Scorekeeper: always legal, true to section 6 of the specification, reproducible, better than chance."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import AgentError, NativePolicy, View
from probespiel.agents.declaration import lineup_of
from probespiel.agents.match import Match, Schedule
from probespiel.agents.native import baselines_of, native_outlook, native_policy, outlook_of
from probespiel.agents.registry import list_agents, make_agent
from probespiel.agents.search import SearchAgent
from probespiel.envs import make_game
from probespiel.envs.core import abi
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.rng import rng_array
from probespiel.envs.scorekeeper import state as st
from probespiel.envs.scorekeeper.armoury import ARMOUR
from probespiel.envs.scorekeeper.presets import presets
from probespiel.envs.scorekeeper.system import SYSTEM
from probespiel.evaluation.scorekeeper.chances import per_shot
from tests.naive.scorekeeper_random import random_setup

OWN = ("aggressor", "marksman", "duellist", "kiter", "guardian", "one_ply")


def answer(policy: NativePolicy, position: Position, seat: int, seed: int = 0) -> int:
    """What a compiled policy answers at a position."""
    game, rng = position.game, rng_array(seed, "test")
    found = abi.call_from_python(
        policy.address, policy.which, position.address, game.params_address, seat, game.address, rng.ctypes.data
    )
    policy.raise_pending()
    return found


def asked(game: Game, name: str, position: Position) -> str:
    """The code of what a baseline answers to the question that is open."""
    return game.actions.codes[answer(native_policy(game, name), position, position.to_act()[0])]


def fight(config: dict[str, Any], *fighters: dict[str, Any]) -> Position:
    """A fight whose dice the test throws."""
    given = [{"name": f"f{i}", **fighter} for i, fighter in enumerate(fighters)]
    return Game(SYSTEM.spec_of_setup({"config": config, "fighters": given})).position()


def throw(position: Position, *numbers: int) -> None:
    """The next dice."""
    for number in numbers:
        position.fall(number - 1)


def do(position: Position, *codes: str) -> None:
    """The next answers."""
    for code in codes:
        position.apply(position.to_act()[0], position.game.actions.codes.index(code))


def test_every_baseline_of_the_specification_is_there() -> None:
    assert set(OWN) | {"random", "first"} == set(baselines_of("scorekeeper"))
    for name in SYSTEM.games:
        game = make_game(name, compiled=False)
        kinds = {kind.name: kind for kind in list_agents(game)}
        assert all(kinds[agent].doc for agent in OWN)
        assert set(lineup_of(game).rollout_in(game).split("+")) <= set(OWN)


def test_always_legal() -> None:
    """In random fights under random options, whoever is asked and whatever for."""
    phases = set()
    for number in range(60):
        rng = random.Random(number)
        game = Game(SYSTEM.spec_of_setup(random_setup(rng, duel=number % 3 == 0)))
        policies = [native_policy(game, name) for name in OWN]
        position = game.position(seed=number)
        while not position.over:
            seat = position.to_act()[0]
            legal = position.legal(seat)
            phases.add(position.phase())
            for name, policy in zip(OWN, policies):
                assert answer(policy, position, seat, number) in legal, (number, name, position.phase())
            position.apply(
                seat, answer(policies[number % 6], position, seat) if rng.random() < 0.5 else rng.choice(legal)
            )
            position.roll()
    assert phases == set(st.PHASES)


def test_every_baseline_plays_every_preset_to_the_end() -> None:
    for name in presets():
        game = make_game("scorekeeper-skirmish", name)
        with Match(game, [*OWN, "random"], 3, None) as match:
            seating = np.array([[(i + k) % 7 for k in range(game.n_seats)] for i in range(7)])
            outcome = match.play(Schedule.of(3, np.arange(7), seating))
            again = match.play(Schedule.of(3, np.arange(7), seating))
        assert (outcome.status == 1).all() and not outcome.offences.any()
        assert np.array_equal(outcome.payoffs, again.payoffs)


@pytest.mark.slow  # two more rule sets to compile
def test_modules_are_played_too() -> None:
    game = make_game("scorekeeper-duel", "drug_flat", {"free_parry": {"after_acting": True}, "retarget": {}})
    with Match(game, [*OWN], 1, None) as match:
        outcome = match.play(Schedule.of(1, np.arange(6), np.array([[i, (i + 1) % 6] for i in range(6)])))
    assert (outcome.status == 1).all() and not outcome.offences.any()


# --- one by one -------------------------------------------------------------------------------------------------------

GUN = {"ranged": "magnum", "ranged_skill": 8, "wah": 8}


def test_aggressor() -> None:
    """Shoots, else strikes, else runs, else reloads, else advances; saves; buys every wound down."""
    here = {"team": "a", "position": 0}

    def declares(distance: int, mine: dict[str, Any], **config: Any) -> str:
        position = fight(config, {**here, **mine}, {"team": "b", "position": distance, "agl": 12})
        throw(position, 1, 10)
        return asked(position.game, "aggressor", position)

    assert declares(1, GUN) == "shoot:0:any"
    assert declares(1, {}) == "melee:0:any"
    assert declares(5, {}) == "run:0:any"
    assert declares(5, {}, allow_full_run=False) == "advance"
    assert declares(5, {**GUN, "loaded": 0}) == "run:0:any"
    assert declares(20, {**GUN, "loaded": 0}) == "reload"
    assert declares(20, {}) == "advance"
    position = fight(
        {"fate_reroll_rolls": ["save"]}, {**here, "fate": 3}, {"team": "b", "position": 5, **GUN, "wah": 20}
    )
    throw(position, 1, 10)
    do(position, "advance", "shoot:0:any")
    throw(position, 5)
    assert position.phase() == "react" and asked(position.game, "aggressor", position) == "save"
    do(position, "save")
    throw(position, 20)
    assert position.phase() == "fate_reroll" and asked(position.game, "aggressor", position) == "keep"
    do(position, "keep")
    throw(position, 11, 2, 2, 2, 2)
    assert position.phase() == "fate_reduce"  # 8 points at the chest: a light wound
    assert asked(position.game, "aggressor", position) == "reduce:2"
    assert asked(position.game, "marksman", position) == "reduce:0"


@pytest.mark.parametrize("armour", ["none", *ARMOUR])
def test_marksman_aims_best(armour: str) -> None:
    """7.4: the zone of the best exact chance to stop, or one as good."""
    for weapon, skill in (("magnum", 2), ("magnum", 8), ("copkiller", 8), ("shotgun", 4), ("bow", 14)):
        target = {"team": "b", "position": 1, "armour": [] if armour == "none" else [armour]}
        position = fight({}, {"team": "a", "ranged": weapon, "ranged_skill": skill, "wah": 5}, target)
        throw(position, 1, 10)
        zone = asked(position.game, "marksman", position).split(":")[2]
        chances = per_shot(weapon, armour, 5 + skill, 6, 12)
        assert float(chances[zone]) == pytest.approx(float(max(chances.values())), abs=1e-9)


def test_duellist() -> None:
    """Announces a defence when standing off pays; parries when slower and good at it; attacks who has acted."""
    master = {"agl": 6, "melee_skill": 12, "melee": "sword"}
    position = fight({}, {"team": "a", "position": 0, **master}, {"team": "b", "position": 1, **master})
    throw(position, 10, 1)
    do(position, "melee:0:any")  # the slower one comes on
    assert asked(position.game, "duellist", position) == "full_defence"
    assert asked(position.game, "marksman", position).startswith("melee:0:")
    weak = {**master, "melee_skill": 3}
    position = fight({}, {"team": "a", "position": 0, **weak}, {"team": "b", "position": 1, **weak})
    throw(position, 10, 1)
    do(position, "melee:0:any")
    assert asked(position.game, "duellist", position).startswith("melee:0:")
    do(position, "melee:0:any")
    throw(position, 2)
    assert position.phase() == "react"  # the slower one is hit: a parry is as good as the dodge, and costs the attack
    assert asked(position.game, "duellist", position) == "save"
    cased = {"team": "a", "position": 0, **master, "armour": ["plate_armour", "steel_helmet"]}
    position = fight({}, cased, {"team": "b", "position": 1, **master})
    throw(position, 10, 1)
    do(position, "melee:0:any", "melee:0:any")
    throw(position, 2)  # now the own attack is worth little
    assert asked(position.game, "duellist", position) == "parry"


def test_duellist_strikes_who_has_acted() -> None:
    base = {"melee_skill": 8, "melee": "sword"}
    slow = {"team": "b", "position": 1, **base}
    position = fight(
        {"counter_rule": "off"},
        {"team": "a", "position": 0, "wah": 6, **base},
        {**slow, "wah": 1},
        {**slow, "wah": 16},
    )
    throw(position, 5, 5, 5)
    do(position, "melee:0:any")
    assert asked(position.game, "duellist", position).startswith("melee:1:")  # the quick one will have acted
    assert asked(position.game, "marksman", position).startswith("melee:0:")


def test_kiter() -> None:
    """Out of reach of a slower enemy who has declared melee, else it shoots."""
    runner = {"team": "b", "position": 6, "agl": 6, "melee": "sword"}
    position = fight({}, {"team": "a", "position": 5, **GUN, "agl": 9}, runner)
    throw(position, 10, 1)
    assert asked(position.game, "kiter", position).startswith("melee:0:")  # the runner is asked first: he has no gun
    do(position, "melee:0:any")
    assert asked(position.game, "kiter", position) == "retreat"
    position = fight({}, {"team": "a", "position": 5, **GUN, "agl": 9}, runner)
    throw(position, 10, 1)
    do(position, "advance" if "advance" in codes_of(position) else "pass")
    assert asked(position.game, "kiter", position).startswith("shoot:0:")


def codes_of(position: Position) -> list[str]:
    """Codes of the legal actions."""
    return [position.game.actions.codes[a] for a in position.legal(position.to_act()[0])]


def test_guardian() -> None:
    """First aid comes first, and death struggle before bleeding."""
    team = {"team": "a", "position": 5}
    hurt = {"wounds": {"sw": 1}, "bleeding": 1}
    enemy = {"team": "b", "position": 20}
    position = fight({"victory": "death"}, {**team, **GUN}, {**team, **hurt, "wah": 1}, enemy)
    throw(position, 10, 1, 10)
    seat = position.to_act()[0]
    assert position.game.seats[seat].name == "f1"  # the bleeding one is asked first and may help himself
    assert asked(position.game, "guardian", position) == "aid:0"
    do(position, "pass")
    while position.game.seats[position.to_act()[0]].name != "f0":
        do(position, "pass")
    assert asked(position.game, "guardian", position) == "aid:1"
    assert asked(position.game, "marksman", position).startswith("shoot:0:")


def test_one_ply_values_the_parry() -> None:
    """Where the own attack is worth little, an announced parry beats it; a helpless enemy is attacked."""
    master = {"agl": 6, "melee_skill": 12, "melee": "sword"}
    cased = {"team": "b", "position": 1, **master, "armour": ["plate_armour", "steel_helmet"]}
    position = fight({}, {"team": "a", "position": 0, **master, "melee": "unarmed"}, cased)
    throw(position, 10, 1)
    do(position, "melee:0:any")
    assert asked(position.game, "one_ply", position) == "full_defence"
    position = fight(
        {}, {"team": "a", "position": 0, **master}, {"team": "b", "position": 1, "melee_skill": 0, "agl": 3}
    )
    throw(position, 10, 1)
    do(position, "pass")
    assert asked(position.game, "one_ply", position).startswith("melee:0:")


def returns(game: Game, first: str, second: str, deals: int) -> np.ndarray:
    """Payoffs of `first` against `second` with sides swapped, float64[2 * deals]."""
    with Match(game, [first, second], 1, None) as match:
        sides = [0 if seat.side == "a" else 1 for seat in game.seats]
        seating = np.repeat([sides, [1 - side for side in sides]], deals, axis=0)
        outcome = match.play(Schedule.of(1, np.tile(np.arange(deals), 2), seating))
    mine = (seating == 0).argmax(axis=1)
    return outcome.payoffs[np.arange(2 * deals), mine]


@pytest.mark.parametrize("scenario", ["drug_flat", "rooftop_chase", "street_raid"])
@pytest.mark.parametrize("name", OWN)
def test_better_than_chance(name: str, scenario: str) -> None:
    """By more than five standard errors."""
    payoffs = returns(make_game("scorekeeper-skirmish", scenario), name, "random", 300)
    assert payoffs.mean() > 5 * payoffs.std() / np.sqrt(len(payoffs))


@pytest.mark.parametrize(
    ("scenario", "opponent"),
    [("drug_flat", "aggressor"), ("rooftop_chase", "aggressor"), ("mafia_club", "one_ply")],
)
def test_the_shipped_policy_beats_heuristics(scenario: str, opponent: str) -> None:
    """The likeliest action of the shipped policy, on the presets of the duel: above zero by three standard errors."""
    payoffs = returns(make_game("scorekeeper-duel", scenario), "policy:temperature=0", opponent, 300)
    paired = (payoffs[:300] + payoffs[300:]) / 2
    assert paired.mean() > 3 * paired.std() / np.sqrt(len(paired))


# --- the outlook of a search ------------------------------------------------------------------------------------------


def outlook(position: Position) -> list[float]:
    """What every seat may expect."""
    game = position.game
    known = outlook_of(game)
    assert known is not None
    out = np.full(game.capacity, np.nan)
    entry = native_outlook(game, known)
    assert abi.call_from_python(entry.address, 0, position.address, game.params_address, 0, 0, 0) == known_round(
        position
    )
    abi.call_from_python(entry.address, 1, position.address, game.params_address, 0, 0, out.ctypes.data)
    return out[: game.n_seats].tolist()


def known_round(position: Position) -> int:
    return int(position.record.round_no)


def test_the_outlook_tells_who_is_better_off() -> None:
    """Skill, armour, weapons, wounds and fate points count; payoffs sum to 0 within their range."""
    sword = {"melee": "sword"}

    def mine(more: dict[str, Any], **config: Any) -> float:
        position = fight(
            {"field_length": 5, **config}, {"team": "a", "position": 0, **sword, **more},
            {"team": "b", "position": 1, **sword},
        )  # fmt: skip
        throw(position, 5, 4)
        first, second = outlook(position)
        assert first == -second and -1 < first < 1
        return first

    even = mine({})  # the faster of equals is hardly better off
    assert abs(even) < 0.1
    assert even < mine({"melee_skill": 6}) < mine({"melee_skill": 9})
    assert mine({"armour": ["plate_armour"]}) > even and mine({"fate": 1}) > even
    assert mine({"wounds": {"sw": 1}}) < mine({"wounds": {"lw": 1}}) < mine({"wounds": {"kr": 1}}) < even
    assert mine({"ranged": "magnum", "position": 5}) > even > mine({"melee": "unarmed"})
    assert mine({"melee_skill": 8}, victory="first_blood") > mine({}, victory="first_blood")


def test_the_outlook_is_antisymmetric() -> None:
    """With the teams exchanged, fighters, dice and all, everybody may expect what the other might before."""
    rng = random.Random(4)
    for _ in range(12):
        setup = random_setup(rng, duel=True)
        one, other = setup["fighters"]
        config = {**setup["config"], "field_length": 200, "tie_break": "base", "fate_enabled": False, "utility": "win"}
        found = []
        for fighters in ((one, other), (other, one)):
            pair = [
                {**f, "team": team, "surprised": False, "position": place}
                for f, team, place in zip(fighters, "ab", (100, 104))
            ]
            position = fight(config, *[{k: v for k, v in f.items() if k != "name"} for f in pair])
            dice = (7, 2) if fighters[0] is one else (2, 7)
            throw(position, *dice)
            while position.die():
                position.fall(0)
            found.append(outlook(position) if position.to_act() else [0.0, 0.0])
        assert found[0] == pytest.approx(found[1][::-1], abs=1e-9)


def test_outlook_of_teams() -> None:
    """The side with more fighters is better off; everybody of a side may expect the same."""
    names = [{"team": team, "position": place, "melee": "sword"} for team, place in (("a", 0), ("b", 1), ("a", 1))]
    position = fight({"field_length": 5}, *names)
    throw(position, 5, 4, 3)
    one, other, mate = outlook(position)
    assert 0 < one == mate == -other < 1


def test_search_tries_what_the_baselines_aim_at() -> None:
    """Of all aims the search tries those of baselines alone, and besides them all that is no attack."""
    base = {"melee_skill": 8, "melee": "sword"}
    position = fight({}, {"team": "a", "position": 0, **base}, {"team": "b", "position": 1, **base})
    throw(position, 10, 1)
    search = make_agent("search:sims=400")
    assert isinstance(search, SearchAgent)
    found = search.analyse(View.of(position, position.to_act()[0], 5))
    codes = position.game.actions.codes
    tried = {codes[action] for action in np.flatnonzero(found.visits) if ":" in codes[action]}
    assert tried == {asked(position.game, name, position) for name in ("aggressor", "marksman", "one_ply")}
    assert {"pass", "full_defence"} <= {codes[action] for action in np.flatnonzero(found.visits)}


def test_only_games_with_an_outlook_have_a_horizon() -> None:
    kuhn = make_game("kuhn")
    assert outlook_of(kuhn) is None
    make_agent("search:sims=5,horizon=0").prepare(kuhn)
    with pytest.raises(AgentError, match=r"horizon = 2 is not allowed: kuhn has no outlook"):
        make_agent("search:sims=5,horizon=2").prepare(kuhn)
