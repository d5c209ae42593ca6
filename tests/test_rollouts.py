"""Trained policies as those who play imagined games: compiled they are what they are in numpy, in every game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import AgentError, NativePolicy, Requests
from probespiel.agents.match import Match, Schedule
from probespiel.agents.native import native_policy, play_native
from probespiel.agents.net_layout import CHANCES
from probespiel.agents.policy import PolicyAgent, knows_rules, shipped_policy, ships_for
from probespiel.agents.policy_file import Manifest, Policy, load_policy, save_policy
from probespiel.agents.policy_net import Blueprint
from probespiel.agents.registry import make_agent
from probespiel.agents.rollouts import QuickPolicy, Room, follows_policy, native_learned, rollout_policy, rollouts_of
from probespiel.agents.search import SearchAgent
from probespiel.agents.solve_search import SolveSearchAgent
from probespiel.envs import make_game
from probespiel.envs.core.game import Game
from probespiel.envs.core.jit import config
from probespiel.training.league import League
from probespiel.training.nets import blueprint_of

from .random_positions import somewhere

# A plain network with advisers, groups of cards and of seats with and without them, several sides.
GAMES = (
    ("kuhn", None, ("honest", "random")),
    ("einblatt-duel", None, ()),
    ("einblatt-melee", "free_for_all", ("hunter", "highest_first")),
    ("konfrontation-clash", None, ()),
)


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


def random_policy(game: Game, blueprint: Blueprint, path: Path, heat: float = 1.0) -> Policy:
    """A policy of random weights, saved and loaded."""
    rng = np.random.default_rng(3)
    weights = {name: rng.normal(0, 0.3, shape).astype(np.float32) for name, shape in blueprint.shapes().items()}
    save_policy(path, Manifest.of(game, blueprint, settings={"temperature": heat}), weights)
    return load_policy(path)


def requests_of(game: Game, many: int) -> Requests:
    """Decisions at positions of random games."""
    rng = np.random.default_rng(5)
    positions = [somewhere(game, rng, seed, 30) for seed in range(many)]
    seats = np.array([int(rng.choice(position.to_act())) for position in positions])
    states = np.stack([np.frombuffer(position.to_bytes(), np.uint8) for position in positions])
    return Requests.gather(game, states, np.arange(many), seats, 1, np.arange(many), 0)


@pytest.mark.parametrize(("name", "scenario", "advisers"), GAMES)
def test_a_compiled_policy_has_the_chances_that_it_has_in_numpy(
    name: str, scenario: str | None, advisers: tuple[str, ...], tmp_path: Path
) -> None:
    game = make_game(name, scenario)
    policy = random_policy(game, blueprint_of(game, hidden=8, advisers=advisers), tmp_path / "p.safetensors")
    native, requests = native_learned(game, policy), requests_of(game, 40)
    chances = PolicyAgent.of(policy).probabilities(requests)
    room = native.keep[-1]
    for i in range(len(requests)):
        legal = np.flatnonzero(requests.masks[i])
        action = int(play_native(native, requests[[i]])[0])
        assert action in legal
        if len(legal) > 1:
            np.testing.assert_allclose(room.work.arrays[CHANCES][0, : len(legal)], chances[i, legal], atol=2e-6)
    room.heat[0] = 0.0
    np.testing.assert_array_equal(play_native(native, requests), chances.argmax(axis=1))
    through = rollout_policy(game, str(tmp_path / "p.safetensors"))  # by the address of the baselines
    assert through.address == native_policy(game, "random").address
    room.heat[0] = 1.0
    np.testing.assert_array_equal(play_native(through, requests), play_native(native, requests))


@pytest.mark.parametrize("heat", [0.5, 1.0, 3.0])
def test_a_compiled_policy_draws_by_its_temperature(kuhn: Game, heat: float, tmp_path: Path) -> None:
    """Of 4,000 draws of one decision at a temperature; the bound is five standard errors."""
    policy = random_policy(kuhn, blueprint_of(kuhn, hidden=4), tmp_path / "p.safetensors", heat)
    states = np.frombuffer(kuhn.position(3).to_bytes(), np.uint8).reshape(1, -1).repeat(4000, 0)
    requests = Requests.gather(kuhn, states, np.arange(4000), np.zeros(4000, int), 1, np.arange(4000), 0)
    chance = PolicyAgent.of(policy).probabilities(requests)[0, 1]
    assert 0.1 < chance < 0.9
    drawn = play_native(native_learned(kuhn, policy), requests)
    assert abs((drawn == 1).mean() - chance) < 5 * np.sqrt(chance * (1 - chance) / 4000)


def test_an_interpreted_game_can_be_played_by_it(tmp_path: Path) -> None:
    game = make_game("kuhn", compiled=False)
    policy = random_policy(game, blueprint_of(game, hidden=4, advisers=("honest",)), tmp_path / "p.safetensors", 0.0)
    requests = requests_of(game, 10)
    wanted = PolicyAgent.of(policy).probabilities(requests).argmax(axis=1)
    np.testing.assert_array_equal(play_native(rollout_policy(game, str(tmp_path / "p.safetensors")), requests), wanted)


def test_who_is_not_known_is_refused(kuhn: Game, tmp_path: Path) -> None:
    assert not ships_for(kuhn)
    with pytest.raises(AgentError, match="of the shipped policies, none plays kuhn"):
        rollout_policy(kuhn, "policy")
    with pytest.raises(AgentError, match=r"missing\.safetensors"):
        rollout_policy(kuhn, str(tmp_path / "missing.safetensors"))
    random_policy(kuhn, blueprint_of(kuhn, hidden=4), tmp_path / "p.safetensors")
    with pytest.raises(AgentError, match=r"p\.safetensors: .*kuhn"):
        rollout_policy(make_game("einblatt-duel"), str(tmp_path / "p.safetensors"))
    with pytest.raises(AgentError, match="baseline 'nobody' does not play kuhn"):
        rollout_policy(kuhn, "nobody")


def test_rollouts_are_named_together(kuhn: Game, tmp_path: Path) -> None:
    path = tmp_path / "p.safetensors"
    random_policy(kuhn, blueprint_of(kuhn, hidden=4), path)
    policies, which = rollouts_of(kuhn, f"random + honest+{path}")
    assert policies[0] is None and which[0] == -1
    assert policies[1] is not None and policies[2] is not None
    assert which[1:].tolist() == [policies[1].which, policies[2].which]
    assert policies[1].address == policies[2].address


@pytest.mark.parametrize(
    ("name", "scenario", "modules", "known", "followed"),
    [
        ("einblatt-duel", "duel_tricks", None, True, True),
        ("einblatt-duel", "billy_tree", None, True, False),  # who shuffles the best cards loses nothing there
        ("einblatt-duel", "billy_tree", {"all_in": {}}, False, False),  # it fits, but has not met that rule
        ("einblatt-duel", "duel_tricks", {"mercy": {}}, False, False),
        ("einblatt-duel", "duel_tricks", {"all_in": {"reply_on_draw": True}}, True, True),  # as it was trained
        ("einblatt-duel", "duel_tricks", {"all_in": {"reply_on_draw": False}}, False, False),
        ("einblatt-duel", "duel_tricks", {"all_in": {"seats": [0]}}, False, False),
        ("konfrontation-campaign", "triad", None, True, True),
        ("konfrontation-campaign", "duel", {"all_pay": {}}, False, False),
        ("konfrontation-clash", None, None, True, False),
        ("oneshot-skirmish", "party_battle", None, True, True),
        ("scorekeeper-skirmish", None, None, True, False),  # following it is not shown to gain
        ("leduc", None, None, False, False),  # none ships
    ],
)
def test_a_search_follows_the_policy_that_has_met_these_rules(
    name: str, scenario: str | None, modules: dict[str, Any] | None, known: bool, followed: bool
) -> None:
    """What ships may fit rules that it has never met, as its layouts are theirs: that is no guide."""
    game = make_game(name, scenario, modules=modules, compiled=False)
    assert knows_rules(game) == known
    assert follows_policy(game) == followed


@pytest.mark.parametrize(("prior", "doubt"), [("auto", 4.0), ("rollout", 0.0)])
def test_a_search_that_follows_a_policy_which_plays_nothing_doubts_few_games(prior: str, doubt: float) -> None:
    game = make_game("oneshot-skirmish", "party_battle", compiled=False)
    assert SearchAgent(sims=2, prior=prior)._planned(game).shares[0].options.doubt == doubt


@pytest.mark.parametrize(
    ("scenario", "prior", "rollout", "policy"),
    [
        ("duel_tricks", "auto", "auto", True),
        ("duel_tricks", "policy", "auto", True),
        ("duel_tricks", "rollout", "auto", False),
        ("duel_tricks", "auto", "highest_first", False),
        ("billy_tree", "auto", "auto", False),
        ("billy_tree", "policy", "auto", False),  # the baselines are a solution
        ("duel_tricks", "FILE", "auto", False),  # somebody else's policy is followed, not played
    ],
)
def test_who_is_followed_plays_the_imagined_games_of_duels(
    scenario: str, prior: str, rollout: str, policy: bool, tmp_path: Path
) -> None:
    game = make_game("einblatt-duel", scenario, compiled=False)
    if prior == "FILE":
        prior = str(tmp_path / "p.safetensors")
        random_policy(game, blueprint_of(game, hidden=4), tmp_path / "p.safetensors")
    share = SearchAgent(sims=2, prior=prior, rollout=rollout)._planned(game).shares[0]
    trained = [found.keep[-1] for found in share.policies if isinstance(found.keep[-1], NativePolicy)]
    assert len(trained) == policy
    assert share.options.doubt == 0.0
    if policy:  # that which ships for these rules
        found, expected = (made.keep[-1] for made in (trained[0], native_learned(game, shipped_policy(game))))
        assert isinstance(found, Room)
        np.testing.assert_array_equal(found.vector, expected.vector)


@pytest.mark.parametrize(
    ("scenario", "given", "caution", "trained"),
    [
        ("duel_tricks", {}, [1.0, 0.0], 1),
        ("duel_tricks", {"margin": 0.0}, [0.0, 0.0], 1),
        ("duel_tricks", {"rollout": "best3_shuffled"}, [0.0, 0.0], 0),
        ("billy_tree", {}, [1.0, 0.15], 0),  # a known solution
        ("storm", {"rollout": "policy"}, [0.0, 0.0], 1),  # as it is asked
    ],
)
def test_a_solver_keeps_to_the_policy_that_plays_its_games(
    scenario: str, given: dict[str, Any], caution: list[float], trained: int
) -> None:
    """Where nothing is shown to be better than the policy, as where that is so of a solution."""
    game = make_game("einblatt-duel", scenario, compiled=False)
    plan = SolveSearchAgent(sims=1, start=1, **given)._make_plan(game)
    assert plan.caution.tolist() == caution
    assert sum(isinstance(found.keep[-1], NativePolicy) for found in plan.policies) == trained


def test_a_solver_of_campaigns_imagines_games_of_the_baseline() -> None:
    """Nothing is hidden there, so that it sees no error of what it solved, and games of the policy take longer."""
    game = make_game("konfrontation-campaign", compiled=False)
    plan = SolveSearchAgent(sims=1, start=1)._make_plan(game)
    assert plan.caution.tolist() == [0.0, 0.0]
    assert not any(isinstance(found.keep[-1], NativePolicy) for found in plan.policies)


def test_a_policy_as_the_only_way_is_the_policy(tmp_path: Path) -> None:
    """Where nothing else is tried, what is left is the usual way."""
    game = make_game("einblatt-duel")
    path = tmp_path / "p.safetensors"
    random_policy(game, blueprint_of(game, hidden=8), path, 0.0)
    played = []
    for name in (f"policy:file={path}", f"switch:sims=8,usual={path},among={path},every=false"):
        with Match(game, [name, "highest_first"], 4) as match:
            played.append(match.play(Schedule.of(4, np.arange(20), np.tile([0, 1], (20, 1)))))
    np.testing.assert_array_equal(played[0].payoffs, played[1].payoffs)


def test_a_search_follows_a_policy_on_any_number_of_threads(kuhn: Game, tmp_path: Path) -> None:
    path = tmp_path / "p.safetensors"
    random_policy(kuhn, blueprint_of(kuhn, hidden=8, advisers=("honest",)), path)
    requests = requests_of(kuhn, 6)
    found = []
    for threads in (1, 2):
        agent = make_agent(f"search:sims=400,trees=2,threads={threads},rollout={path},trust=1000")
        assert isinstance(agent, SearchAgent)
        agent.prepare(kuhn)
        found.append(agent.act_batch(requests).tolist())
        first, second = (share.policies[0].which for share in agent._planned(kuhn).shares)
        assert first != second, "each tree has a memory of its own"
    assert found[0] == found[1]


@pytest.mark.skipif(config.DISABLE_JIT, reason="numpy is faster where nothing is compiled")
def test_a_policy_opposite_a_learner_answers_in_compiled_code(kuhn: Game, tmp_path: Path) -> None:
    path = tmp_path / "p.safetensors"
    random_policy(kuhn, blueprint_of(kuhn, hidden=4), path)
    league = League(blueprint_of(kuhn, hidden=4), {f"policy:file={path},temperature=0": 1.0, "honest": 1.0}, 2, 1)
    league.prepare([kuhn])
    quick, plain = league.agents
    assert isinstance(quick, QuickPolicy) and not isinstance(plain, QuickPolicy)
    requests = requests_of(kuhn, 30)
    wanted = PolicyAgent(file=str(path)).probabilities(requests).argmax(axis=1)
    np.testing.assert_array_equal(quick.act_batch(requests), wanted)
    assert quick.act(requests.view(3)) == wanted[3]
