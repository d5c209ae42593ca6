"""Trained policies: networks, files, refusals, strength, and what the shipped ones are worth."""

import io
import json
import os
import pickle

import numpy as np
import pytest
import torch as th
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors.numpy import save as save_tensors

from benchmarks import policies as table
from probespiel.agents.advice import Advice
from probespiel.agents.base import AgentError, Requests, View
from probespiel.agents.match import Match, Schedule
from probespiel.agents.policy import PolicyAgent, shipped_path, shipped_policies, shipped_policy
from probespiel.agents.policy_file import Manifest, load_policy, save_policy
from probespiel.agents.policy_net import Blueprint, PolicyError, PolicyNet, draw
from probespiel.envs.core.behaviour import behaviour
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.vec_env import ProbespielVecEnv
from probespiel.evaluation.exploit.exact import answer_by_tree
from probespiel.training.checkpoint import load_checkpoint, read_config
from probespiel.training.config import shipped_settings, train_config
from probespiel.training.einblatt.duel_gap import clairvoyant_gap
from probespiel.training.einblatt.duel_response import response_gap
from probespiel.training.evaluate import evaluate, payoffs_of, seat_figures
from probespiel.training.nets import Actor, blueprint_of
from probespiel.training.selfplay import limit_threads
from probespiel.training.tables import beside

limit_threads(1)
SMALL = {"tables": 64, "steps": 4, "batch": 128, "epochs": 2, "hidden": 16, "evaluate_games": 200}
quick = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def kuhn():
    return make_game("kuhn")


@pytest.fixture(scope="module")
def duel():
    return make_game("einblatt-duel")


def random_weights(blueprint, seed=0):
    rng = np.random.default_rng(seed)
    return {n: rng.normal(0, 0.3, shape).astype(np.float32) for n, shape in blueprint.shapes().items()}


# --- the network


@pytest.mark.parametrize(
    ("name", "advisers"),
    [("kuhn", ()), ("einblatt-duel", ()), ("einblatt-melee", ()), ("kuhn", ("honest", "card_only", "always_bet"))],
)
def test_numpy_answers_like_torch(name, advisers):
    game = make_game(name)
    blueprint = blueprint_of(game, hidden=24, advisers=advisers)
    advice = Advice(advisers)
    actor = Actor(blueprint)
    with th.no_grad():
        for parameter in actor.parameters():
            parameter.copy_(th.from_numpy(np.random.default_rng(1).normal(0, 0.3, parameter.shape)))
    assert {n: w.shape for n, w in actor.weights().items()} == blueprint.shapes()
    env = ProbespielVecEnv(game, 100, seed=2)
    observations = env.reset()
    for _ in range(4):
        net = PolicyNet(blueprint, actor.weights())
        observations = beside(advice, env, env.seats, np.arange(100), observations)
        with th.no_grad():
            x = th.from_numpy(np.concatenate([observations, env.masks], axis=1).astype(np.float32))
            theirs = actor(x).numpy()
        ours = net.logits(observations, env.masks)
        legal = env.masks != 0
        assert np.abs(ours - theirs)[legal].max() < 1e-4
        one_by_one = np.concatenate([net.logits(o[None], m[None]) for o, m in zip(observations, env.masks)])
        assert np.abs(ours - one_by_one)[legal].max() < 1e-11
        observations = env.step(draw(net.probabilities(observations, env.masks), np.arange(100, dtype=np.uint64)))[0]


@quick
@given(
    masks=hnp.arrays(np.int8, (5, 80), elements=st.integers(0, 1)), seed=st.integers(0, 2**64 - 1), t=st.floats(0, 4)
)
def test_illegal_actions_have_no_chance(duel, masks, seed, t):
    masks[:, 7] |= masks.sum(axis=1) == 0  # a legal set is never empty
    blueprint = blueprint_of(duel, hidden=8)
    net = PolicyNet(blueprint, random_weights(blueprint))
    observations = np.random.default_rng(seed % 1000).random((5, duel.layout.size)).astype(np.float32)
    chances = net.probabilities(observations, masks, t)
    assert np.isfinite(chances).all()
    assert (chances[masks == 0] == 0).all()
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    seeds = np.arange(5, dtype=np.uint64) + np.uint64(seed)
    actions = draw(chances, seeds)
    assert (chances[np.arange(5), actions] > 0).all()
    if t == 0.0:
        assert (chances.max(axis=1) == 1.0).all()


def test_draws_follow_the_chances():
    chances = np.tile([0.0, 0.1, 0.0, 0.6, 0.3, 0.0], (60_000, 1))
    counts = np.bincount(draw(chances, np.arange(60_000, dtype=np.uint64)), minlength=6) / 60_000
    np.testing.assert_allclose(counts, chances[0], atol=0.01)


def test_a_network_without_blocks_of_things_is_an_mlp(kuhn, duel):
    assert blueprint_of(kuhn).groups == ()
    assert [g.name for g in blueprint_of(duel).groups] == ["card"]
    assert [g.name for g in blueprint_of(make_game("einblatt-melee")).groups] == ["card", "attack"]
    assert Blueprint.from_dict(json.loads(json.dumps(blueprint_of(duel).as_dict()))) == blueprint_of(duel)


# --- advice


def hearing(game, advisers, gate):
    """A policy that knows nothing but what its advisers say; `gate` is the bias of the gate."""
    blueprint = blueprint_of(game, hidden=4, advisers=advisers)
    weights = {n: np.zeros(shape, np.float32) for n, shape in blueprint.shapes().items()}
    weights["gate.bias"] = np.array(gate, np.float32)
    return blueprint, weights


def test_a_policy_may_follow_an_adviser(tmp_path, duel):
    advisers = ("lowest_first", "highest_first")
    for followed, gate in (("lowest_first", [0, 50, 0]), ("highest_first", [0, 0, 50])):
        blueprint, weights = hearing(duel, advisers, gate)
        path = tmp_path / f"{followed}.safetensors"
        save_policy(path, Manifest.of(duel, blueprint), weights)
        assert load_policy(path).manifest.network == blueprint
        seats = np.tile([0, 1], (300, 1))
        played = []
        for name in (f"policy:file={path}", followed):
            with Match(duel, [name, "best3_shuffled"], 4) as match:
                played.append(match.play(Schedule.of(4, np.arange(300), seats)))
        np.testing.assert_array_equal(played[0].payoffs, played[1].payoffs)
        np.testing.assert_array_equal(played[0].decisions, played[1].decisions)


def test_the_first_gate_is_for_whatever_an_adviser_says(kuhn):
    blueprint, weights = hearing(kuhn, ("always_bet", "card_only"), [np.log(3.0), 0, 0])
    net = PolicyNet(blueprint, weights)
    advised = np.array([[1, 1], [0, 1], [1, 0]], np.float32)
    observations = np.concatenate([np.zeros((3, kuhn.layout.size), np.float32), advised], axis=1)
    np.testing.assert_allclose(
        net.probabilities(observations, np.ones((3, 2), np.int8)), [[0.25, 0.75], [0.5, 0.5], [0.5, 0.5]]
    )


def test_a_policy_plays_at_the_temperature_of_its_training(tmp_path, kuhn):
    blueprint, weights = hearing(kuhn, ("always_bet", "card_only"), [1.0, 0, 0])
    states = np.frombuffer(kuhn.position(3).to_bytes(), np.uint8).reshape(1, -1).repeat(2, 0)
    requests = Requests.gather(kuhn, states, np.arange(2), np.zeros(2, int), 1, np.arange(2), 0)
    for settings_, sure in (({}, False), ({"temperature": 0.0}, True), ({"temperature": 1}, False)):
        save_policy(tmp_path / "p", Manifest.of(kuhn, blueprint, settings=settings_), weights)
        chances = PolicyAgent(file=str(tmp_path / "p")).probabilities(requests)
        assert (chances.max() == 1.0) is np.bool_(sure)
        asked = PolicyAgent(file=str(tmp_path / "p"), temperature=0.5).probabilities(requests)
        assert asked.max() < 1.0
    for heat in ("hot", -1, float("inf"), True, None):
        save_policy(tmp_path / "p", Manifest.of(kuhn, blueprint, settings={"temperature": heat}), weights)
        with pytest.raises(PolicyError, match="temperature"):
            load_policy(tmp_path / "p")


def test_a_network_with_advisers_wants_their_answers(kuhn):
    blueprint, weights = hearing(kuhn, ("honest",), [0, 0])
    with pytest.raises(PolicyError, match=r"reads \d+ values.*honest"):
        PolicyNet(blueprint, weights).logits(np.zeros((1, kuhn.layout.size), np.float32), np.ones((1, 2), np.int8))


def test_advisers_are_checked(tmp_path, kuhn, duel):
    blueprint, weights = hearing(kuhn, ("honest", "hunter"), [0, 0, 0])
    save_policy(tmp_path / "p", Manifest.of(kuhn, blueprint), weights)
    with pytest.raises(AgentError, match="'hunter' does not play kuhn"):
        PolicyAgent(file=str(tmp_path / "p")).prepare(kuhn)
    with pytest.raises(AgentError, match="'honest' does not play einblatt-duel"):
        Advice(("honest",)).prepare(duel)


def test_advice_depends_on_the_information_state_alone(kuhn):
    states = np.frombuffer(kuhn.position(3).to_bytes(), np.uint8).reshape(1, -1).repeat(50, 0)
    requests = Requests.gather(kuhn, states, np.arange(50), np.zeros(50, int), 1, np.arange(50), 0)
    advice = Advice(("random", "honest"))
    advice.prepare(kuhn)
    columns = advice.columns(requests)
    assert columns.shape == (50, 2) and columns.dtype == np.float32
    assert (columns == columns[0]).all()
    assert np.array_equal(advice.beside(requests)[:, :-2], requests.observations)


# --- files of policies


@pytest.fixture(scope="module")
def policy_file(tmp_path_factory, kuhn):
    """A small policy of Kuhn poker."""
    blueprint = blueprint_of(kuhn, hidden=4)
    path = tmp_path_factory.mktemp("policy") / "kuhn.safetensors"
    save_policy(path, Manifest.of(kuhn, blueprint, seed=7), random_weights(blueprint))
    return path


def test_a_policy_comes_back_as_it_was(policy_file, kuhn):
    policy = load_policy(policy_file)
    assert policy.manifest.seed == 7
    assert policy.manifest.ruleset == kuhn.ruleset
    kept = random_weights(policy.manifest.network)
    assert set(policy.net.weights) == set(kept)
    assert all(np.array_equal(policy.net.weights[name], kept[name]) for name in kept)
    agent = PolicyAgent(file=str(policy_file))
    agent.prepare(kuhn)
    states = np.frombuffer(kuhn.position(3).to_bytes(), np.uint8).reshape(1, -1).repeat(500, 0)
    requests = Requests.gather(kuhn, states, np.arange(500), np.zeros(500, int), 1, np.arange(500), 0)
    chances = agent.probabilities(requests)
    actions = agent.act_batch(requests)
    assert abs((actions == 1).mean() - chances[0, 1]) < 0.1
    assert [agent.act(requests.view(i)) for i in range(20)] == actions[:20].tolist()
    cold = PolicyAgent(file=str(policy_file), temperature=0.0)
    assert (cold.act_batch(requests) == chances.argmax(axis=1)).all()


def test_a_policy_is_refused_where_layouts_differ(tmp_path, policy_file, kuhn, duel):
    with pytest.raises(PolicyError, match=r"trained for kuhn .* observation piece 'card'"):
        load_policy(policy_file).manifest.check(duel)
    with pytest.raises(AgentError, match="does not fit einblatt-duel"):
        PolicyAgent(file=str(policy_file)).prepare(duel)
    blueprint = blueprint_of(duel, hidden=4)
    path = tmp_path / "duel.safetensors"
    save_policy(path, Manifest.of(duel, blueprint), random_weights(blueprint))
    melee = make_game("einblatt-melee")
    with pytest.raises(PolicyError, match=r"'seat': 2 x 26 in the policy, 9 x 26 now"):
        load_policy(path).manifest.check(melee)
    PolicyAgent(file=str(path)).prepare(make_game("einblatt-duel", "storm"))  # other parameters, same layouts
    manifest = load_policy(path).manifest
    changed = Manifest(**{**manifest.__dict__, "actions": (*manifest.actions[:3], "nonsense", *manifest.actions[4:])})
    assert changed.differences(duel) == [f"action 3: 'nonsense' in the policy, {duel.actions.codes[3]!r} now"]
    swapped = Manifest(**{**manifest.__dict__, "pieces": manifest.pieces[::-1]})
    assert "another order" in swapped.differences(duel)[0]
    with pytest.raises(AgentError, match="kuhn"):
        PolicyAgent(file=str(path)).prepare(kuhn)
    with pytest.raises(AgentError, match="cannot be read"):
        PolicyAgent(file=str(tmp_path / "missing")).prepare(kuhn)


def test_wrong_policies_are_refused(tmp_path, policy_file):
    blueprint = load_policy(policy_file).manifest.network
    manifest = load_policy(policy_file).manifest
    weights = random_weights(blueprint)
    for change in (
        {"trunk.bias": np.zeros(5, np.float32)},
        {"trunk.bias": np.full(4, np.nan, np.float32)},
        {"trunk.bias": np.zeros(4, np.int64)},
        {"more": np.zeros(4, np.float32)},
    ):
        with pytest.raises(PolicyError):
            save_policy(tmp_path / "x", manifest, {**weights, **change})
        assert not (tmp_path / "x").exists()
        (tmp_path / "y").write_bytes(save_tensors({**weights, **change}, {"manifest": manifest.to_json()}))
        with pytest.raises(PolicyError):
            load_policy(tmp_path / "y")
    data = json.loads(manifest.to_json())
    for key in data:
        for value in (None, -1, "x", [], {"a": 1}, [[1]]):
            (tmp_path / "y").write_bytes(save_tensors(weights, {"manifest": json.dumps({**data, key: value})}))
            try:
                load_policy(tmp_path / "y")
            except PolicyError:
                pass
    for text in ("", "[]", "null", "[" * 100_000, "{}", '{"format": 1}'):
        (tmp_path / "y").write_bytes(save_tensors(weights, {"manifest": text}))
        with pytest.raises(PolicyError):
            load_policy(tmp_path / "y")
    (tmp_path / "folder").mkdir()
    with pytest.raises(PolicyError, match=rf"^{tmp_path / 'folder'} is not a file$"):
        load_policy(tmp_path / "folder")
    (tmp_path / "folder" / "policy.safetensors").write_bytes(b"")
    inside = tmp_path / "folder" / "policy.safetensors"
    with pytest.raises(PolicyError, match=rf"^{inside.parent} is not a file, but a folder; policies in it: {inside}$"):
        load_policy(inside.parent)
    with pytest.raises(PolicyError, match="is no path: embedded null byte"):
        load_policy("a\0b")


class Bomb:
    """Writes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (self.path, "w"))


def test_pickles_are_never_run(tmp_path):
    mark = tmp_path / "mark"
    stored = io.BytesIO()
    th.save({"a": Bomb(str(mark))}, stored)
    for data in (pickle.dumps(Bomb(str(mark))), stored.getvalue()):
        (tmp_path / "hostile").write_bytes(data)
        for load in (load_policy, load_checkpoint, read_config):
            with pytest.raises(ProbespielError):
                load(tmp_path / "hostile")
    assert not mark.exists()


def test_no_bit_changes_unnoticed(tmp_path, policy_file):
    """Weights, texts and layout: what is flipped is refused, or is nothing that is read."""
    data = policy_file.read_bytes()
    whole = load_policy(policy_file)
    expected = (whole.manifest, {name: array.tobytes() for name, array in whole.net.weights.items()})
    path = tmp_path / "flipped.safetensors"
    refused = 0
    for at in np.random.default_rng(5).integers(0, len(data), 150):
        flipped = bytearray(data)
        flipped[at] ^= 1 << int(at) % 8
        path.write_bytes(flipped)
        try:
            found = load_policy(path)
        except ProbespielError:
            refused += 1
        else:
            assert (found.manifest, {n: a.tobytes() for n, a in found.net.weights.items()}) == expected, at
    assert refused > 130


@quick
@given(data=st.binary(max_size=400), start=st.integers(0, 2000), cut=st.integers(0, 2000), head=st.booleans())
def test_damaged_files_are_refused_or_read(tmp_path, policy_file, data, start, cut, head):
    good = policy_file.read_bytes()
    spoilt = (good[:8] if head else b"") + data if start > 1000 else good[:start] + data + good[start + cut :]
    path = tmp_path / "spoilt"
    path.write_bytes(spoilt)
    for load in (load_policy, load_checkpoint):
        try:
            load(path)
        except ProbespielError as error:
            assert str(error)


def test_shipped_policies_are_small_and_fit():
    for name, path in shipped_policies().items():
        assert path.stat().st_size < 2_000_000
        manifest = load_policy(path).manifest
        game = make_game(manifest.game, manifest.scenario)
        assert name.startswith(game.name)
        manifest.check(game)
        assert manifest.behaviour == behaviour(
            manifest.learnt_on()
        )  # it was made under these rules, however they are written
        assert manifest.evaluation


@pytest.fixture
def shipped_without(monkeypatch):
    """Takes shipped policies away."""

    def take(*gone: str) -> None:
        left = {name: path for name, path in shipped_policies().items() if name not in gone}
        monkeypatch.setattr("probespiel.agents.policy.shipped_policies", lambda: left)

    return take


def test_a_preset_without_a_policy_says_how_to_make_one(shipped_without):
    shipped_without("oneshot-skirmish--party_battle")
    with pytest.raises(AgentError, match="probespiel train"):
        PolicyAgent().prepare(make_game("oneshot-skirmish", "party_battle"))


def test_a_policy_of_one_preset_plays_no_other_with_other_modules(shipped_without):
    """Though its observations are alike: who has never met its windows lost 8 EP a game to a heuristic there."""
    shipped_without("einblatt-campaign--table32_tricks")
    with pytest.raises(AgentError, match="table32_session: it was made for that preset alone, with other rule modules"):
        PolicyAgent().prepare(make_game("einblatt-campaign", "table32_tricks"))
    with_module = make_game("einblatt-campaign", "table32_session", modules={"mercy": {}})
    assert shipped_path(with_module) == shipped_policies()["einblatt-campaign--table32_session"], "its own preset"


def test_shipped_policies_were_made_with_the_settings_that_are_declared():
    """Settings that came later are not in older manifests: they had their defaults then."""
    assert len(shipped_policies()) > 10
    for name, path in shipped_policies().items():
        game, _, scenario = name.partition("--")
        manifest = load_policy(path).manifest
        declared = train_config(game, **shipped_settings(game, scenario or None)).model_dump(mode="json")
        made = dict(manifest.settings)
        for then, now in zip(made.pop("scenarios"), declared["scenarios"], strict=True):
            assert then == {key: now[key] for key in then}, name
        assert made == {key: declared[key] for key in made}, name
        update = declared["tables"] * declared["steps"]
        assert 0 <= manifest.decisions - declared["decisions"] < update, name


@pytest.mark.parametrize(
    ("game", "scenario", "name"),
    [
        ("einblatt-duel", "duel_tricks", "einblatt-duel--duel_tricks"),
        ("einblatt-campaign", "table32_session", "einblatt-campaign--table32_session"),
        ("einblatt-campaign", "table32_tricks", "einblatt-campaign--table32_tricks"),
        ("konfrontation-campaign", "raid_lab", "konfrontation-campaign--raid_lab"),
        ("konfrontation-campaign", "triad", "konfrontation-campaign--triad"),
        ("konfrontation-campaign", "council", "konfrontation-campaign--council"),
        ("konfrontation-campaign", "duel", "konfrontation-campaign"),
        ("scorekeeper-skirmish", "blade_mirror", "scorekeeper-skirmish--blade_mirror"),
        ("scorekeeper-skirmish", "mafia_club", "scorekeeper-skirmish--mafia_club"),
        ("scorekeeper-skirmish", "rooftop_chase", "scorekeeper-skirmish"),
        ("oneshot-skirmish", "party_battle", "oneshot-skirmish--party_battle"),
        ("oneshot-skirmish", "ambush", "oneshot-skirmish"),
        ("einblatt-duel", "billy_tree", "einblatt-duel"),
        ("einblatt-duel", "even_duel", "einblatt-duel"),
        ("einblatt-melee", "free_for_all", "einblatt-melee--free_for_all"),
        ("einblatt-melee", "tug_of_war", "einblatt-melee"),
        ("konfrontation-clash", "strongbox", "konfrontation-clash"),
        ("konfrontation-clash", "monster", "konfrontation-clash"),
        ("konfrontation-clash", "debate", "konfrontation-clash"),
        ("oneshot-build", "arena", "oneshot-build"),
        ("oneshot-build", "literal", "oneshot-build--literal"),
        ("oneshot-parley", "claim", "oneshot-parley--claim"),
        ("oneshot-parley", "lone_claim", "oneshot-parley"),
    ],
)
def test_a_policy_made_for_a_scenario_is_played_there_alone(game, scenario, name):
    """Those of the duel fit every duel by their layouts."""
    made = make_game(game, scenario)
    assert shipped_path(made) == shipped_policies()[name]
    agent = PolicyAgent()
    agent.prepare(made)
    assert agent._loaded is not None and agent._loaded.manifest == load_policy(shipped_policies()[name]).manifest


@pytest.mark.parametrize(
    ("scenario", "build"),
    [("arena", [18, 11, 0, 0, 0, 0, 8, 0, 0, 0]), ("literal", [1, 5, 5, 0, 0, 0, 4, 0, 2, 1])],
)
def test_policies_of_builds_build_what_was_taught(scenario, build):
    """The build that `equilibrium_book` plays most under the rules that ship (in `arena` always), at both seats."""
    game = make_game("oneshot-build", scenario)
    agent, position = PolicyAgent(), game.position()
    agent.prepare(game)
    for number, option in enumerate(build):
        chosen = [agent.act(View.of(position, seat, agent_seed=number)) for seat in (0, 1)]
        assert chosen == [option, option], f"stage {number}"
        if number < len(build) - 1:
            position.apply(0, chosen[0])
            position.apply(1, chosen[1])


def test_the_policy_of_claims_is_not_exploited():
    """Exactly: a claim has 271 nodes. Random play loses 0.139 a game, self-play with other talks lost 0.598."""
    game = make_game("oneshot-parley", "claim")
    found = answer_by_tree(game, PolicyAgent(), 1.0)
    assert not isinstance(found, str) and found.exact and found.bound < 0.001
    assert found.sides[0].payoff.value == pytest.approx(-0.1613, abs=0.001), "what the game is worth to the liar"


def test_settings_of_a_scenario_without_a_policy_of_its_own_are_refused():
    (only,) = shipped_settings("einblatt-duel", "duel_tricks")["scenarios"]
    assert only == {"scenario": "duel_tricks"}
    with pytest.raises(ProbespielError, match=r"made for 'storm' of einblatt-duel alone: those of duel_tricks do"):
        shipped_settings("einblatt-duel", "storm")
    with pytest.raises(ProbespielError, match="'standard' of kuhn alone: of no scenario of this game one does"):
        shipped_settings("kuhn", "standard")


# --- evaluation and gaps


def test_evaluation_counts_every_seat(duel):
    blueprint = blueprint_of(duel, hidden=4)
    net = PolicyNet(blueprint, {n: np.zeros_like(w) for n, w in random_weights(blueprint).items()})
    result = evaluate(duel, net, "random", 2000, seed=4)  # the network is uniform: the same player on both sides
    assert result.games >= 2000
    assert [row[1] for row in result.seats] == [result.games // 2] * 2
    assert abs(result.edge) < result.high - result.low  # within 4 standard errors of even
    assert result == evaluate(duel, net, "random", 2000, seed=4)
    assert result.seats[0][2] > 0.5  # the pc is the stronger side of this scenario
    with pytest.raises(AgentError):
        evaluate(duel, net, "nobody", 10)


def best_three(game):
    """The policy of E1: one of the best cards, as many as rounds are left, each with the same chance."""

    def chances(observations, masks):
        view = game.layout.view(observations)
        left = 3 - view["clock"][:, :3].argmax(axis=1)
        worth = np.where(masks[:, :32] != 0, view["my_class"] * 15 + 1 + np.arange(32) / 1000, -1.0)
        rank = (-worth).argsort(axis=1).argsort(axis=1)
        out = np.zeros(masks.shape)
        out[:, :32] = (rank < left[:, None]) & (worth > 0)
        out[:, 32] = left - out.sum(axis=1)
        return out / left[:, None]

    return chances


def test_the_gap_of_the_solution_is_nothing(duel):
    gap = clairvoyant_gap(duel, best_three(duel), 40)
    assert gap.worst == pytest.approx(0.0, abs=1e-9)


def test_the_gap_of_a_fixed_order_is_large(duel):
    def highest(observations, masks):
        chances = best_three(duel)(observations, masks)
        classes = np.pad(duel.layout.view(observations)["my_class"], ((0, 0), (0, 48)))
        out = np.zeros_like(chances)
        out[np.arange(len(out)), np.where(chances > 0, classes + np.arange(80) / 1e4, -1.0).argmax(axis=1)] = 1.0
        return out

    assert min(clairvoyant_gap(duel, highest, 40).mean) > 0.3


def test_who_sees_its_hand_wins_little_from_the_shipped_policy_of_the_duel(duel):
    """An upper bound of what anybody wins (E1): 0.024 in 60 deals a seat, here 3.3 standard errors of 16 more."""
    net = load_policy(shipped_policies()["einblatt-duel"], np.float32).net
    assert clairvoyant_gap(duel, net.probabilities, 16).worst < 0.05


@pytest.mark.slow
def test_the_shipped_policy_of_the_duel_is_hardly_exploitable(duel):
    """E1: within 0.05 EP of the value against its best response, measured on hidden hands that it was not chosen on."""
    net = load_policy(shipped_policies()["einblatt-duel"], np.float32).net
    gap = response_gap(duel, net.probabilities, n=40, hidden=800, seed=7)
    assert gap.fresh.upper < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("name", ["highest_first", "best3_shuffled", "lowest_first", "greedy_rescore"])
def test_the_policy_of_tricks_beats_every_heuristic(name):
    row = table.measured(make_game("einblatt-duel", "duel_tricks"), "policy", name, games=1000)
    assert row.low > (0.5 if name == "greedy_rescore" else 1.2), row


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["highest_first", "best3_shuffled", "lowest_first", "hunter", "turtle", "greedy_rescore"]
)
def test_the_policy_of_the_free_for_all_beats_every_heuristic(name):
    """One seat of four, the heuristic at the others, beyond what it would earn in its place."""
    row = table.measured(make_game("einblatt-melee", "free_for_all"), "policy", name, games=1500)
    assert row.low > 0.1, row


def test_no_file_is_left_behind_when_writing_fails(tmp_path, monkeypatch, policy_file):
    def broken(*_):
        raise OSError(28, "No space left on device")

    policy = load_policy(policy_file)
    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(PolicyError, match="No space"):
        save_policy(tmp_path / "p", policy.manifest, random_weights(policy.manifest.network))
    assert not list(tmp_path.iterdir())


# --- the table of what shipped policies earn from heuristics


def test_what_one_earns_the_other_loses(kuhn):
    """The same games from both ends, with seats swapped; whoever bets with everything loses."""
    won, lost = (
        table.measured(kuhn, *pair, games=2000) for pair in (("honest", "always_bet"), ("always_bet", "honest"))
    )
    assert won.value == pytest.approx(-lost.value, abs=1e-12) and won.low == pytest.approx(-lost.high)
    assert (won.word, lost.word, won.games) == ("above", "below", 2000)
    with Match(kuhn, ["honest", "always_bet"], table.SEED) as match:
        payoffs = match.play(Schedule.of(table.SEED, np.repeat(np.arange(1000), 2), [[0, 1], [1, 0]] * 1000)).payoffs
    means = (payoffs[::2, 0] + payoffs[1::2, 1]) / 2
    assert won.value == pytest.approx(means.mean())
    assert won.high - won.value == pytest.approx(1.96 * means.std(ddof=1) / 1000**0.5, rel=0.01)


def test_where_nobody_plays_against_it_a_policy_is_compared_with_the_heuristic():
    game = make_game("oneshot-parley", "market")
    row = table.measured(game, "cautious", "best_odds", games=300)
    own, other = (payoffs_of(game, name, 300, table.SEED) for name in ("cautious", "best_odds"))
    assert row.value == pytest.approx((own - other).mean()) and row.value != 0 and row.games == 300


def test_a_row_says_on_which_side_of_nothing_it_lies():
    rows = [table.Row("one", name, (low + high) / 2, low, high, 10) for name, low, high in
            (("a", 0.1, 0.3), ("b", -0.1, 0.3), ("c", -0.3, -0.1), ("d", 0.0, 0.0))]  # fmt: skip
    assert [row.word for row in rows] == ["above", "level", "below", "level"]
    assert rows[2].line() == "| `one` | `c` | -0.200 (-0.300 to -0.100) | 10 | below |"
    (short,) = table.by_preset([rows[0], table.Row("one", "e", 0.1, 0.05, 0.15, 10), *rows[1:]])
    assert short == (
        "| `one` | 2; least `e` +0.100 ± 0.050 | `d` +0.000 ± 0.000, `b` +0.100 ± 0.200 | `c` -0.200 ± 0.100 |"
    )
    told = table.summary("game", rows, left_out=2)
    assert told.startswith("game: 1 above, 2 level, 1 below in 1 presets, 2 presets without a policy; least -0.200")


def test_the_table_has_every_preset_and_heuristic(monkeypatch, capsys):
    less = {name: path for name, path in shipped_policies().items() if not name.endswith("--free_for_all")}
    monkeypatch.setattr("probespiel.agents.policy.shipped_policies", lambda: less)
    monkeypatch.setattr("sys.argv", ["policies", "einblatt-melee", "--games", "4", "--seconds", "0"])
    table.main()
    lines = capsys.readouterr().out.splitlines()
    heuristics = ("highest_first", "best3_shuffled", "lowest_first", "hunter", "turtle", "greedy_rescore")
    for name in heuristics:
        assert sum(line.startswith(f"| `tug_of_war` | `{name}` |") for line in lines) == 1
    (refused,) = (line for line in lines if line.startswith("| `free_for_all` |"))
    assert "none that fits" in refused
    (told,) = (line for line in lines if line.startswith("einblatt-melee: "))
    assert "1 presets without a policy" in told and sum(int(word) for word in told.split() if word.isdigit()) == 8
    monkeypatch.setattr("sys.argv", ["policies", "kuhn"])
    with pytest.raises(SystemExit):
        table.main()
    assert "GAME = 'kuhn' is not allowed" in capsys.readouterr().err


# --- strength of the shipped policies of oneshot


@pytest.mark.slow
def test_the_trained_party_completes_more_missions_than_the_simple_parties():
    """At difficulty 3: each of the section's parties in two presets, every party over all presets together.

    Those are meant that do not fight behind their hardiest hero. Intervals of 95 % from the numbers of missions.
    """
    parties = ("cleaver", "ghost", "ambusher", "stalker", "sniper")
    means, variances = [], []
    for scenario in ("heist", "boss_hunt", "courier", "random", "cellar_cleanse", "last_stand"):
        game = make_game("oneshot-mission", scenario, sg=3)
        trained = payoffs_of(game, "policy", 2000, seed=11)
        others = [payoffs_of(game, name, 10_000, seed=11) for name in parties]
        means.append([trained.mean() - party.mean() for party in others])
        variances.append([trained.var() / len(trained) + party.var() / len(party) for party in others])
    gain, error = np.array(means), np.array(variances) ** 0.5
    assert (gain[:2, :3] > 1.96 * error[:2, :3]).all(), gain[:2]
    together = (error**2).sum(axis=0) ** 0.5 / len(gain)
    assert (gain.mean(axis=0) > 1.96 * together).all(), gain.mean(axis=0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["brute", "focus", "kiter", "diplomat", "spoiler"])
def test_the_trained_fighter_is_no_worse_than_a_heuristic(name):
    """In the mirrored duel; `kiter` is the strongest of them."""
    game = make_game("oneshot-skirmish", "duel_mirror")
    result = evaluate(game, load_policy(shipped_policies()["oneshot-skirmish"]).net, name, 4000, 11, temperature=0.0)
    assert result.high > 0
    assert result.low > (-0.05 if name in ("kiter", "brute", "focus") else 0.1)


def test_a_seat_that_never_decides_weighs_nothing() -> None:
    means, errors, weights = seat_figures([[1.0, 3.0], [], [-2.0, -2.0], [0.0, -4.0]], [(0, 1), (2, 3)], (-4, 4))
    assert means.tolist() == [2.0, 0.0, -2.0, -2.0] and weights.tolist() == [0.5, 0.0, 0.25, 0.25]
    # (2 ** 0.5) / 2 ** 0.5; none; two games paid alike, of which 77.6 % may pay 6 more; 8 ** 0.5 / 2 ** 0.5
    assert errors.tolist() == pytest.approx([1.0, 0.0, 6 * (1 - 0.05**0.5) / 1.96, 2.0])
    with pytest.raises(ProbespielError, match="side 2 of 2 had nothing to decide"):
        seat_figures([[1.0], []], [(0,), (1,)], (-1, 1))


@pytest.mark.slow
@pytest.mark.parametrize(
    "scenario", ["tavern_takeover", "assassination", "strongbox", "burn_the_books", "debate", "monster"]
)
def test_the_trained_clash_is_level_with_equilibrium_bids(scenario: str) -> None:
    """`matrix` bids by the exact equilibrium of each confrontation: nothing can be won from it."""
    game = make_game("konfrontation-clash", scenario)
    result = evaluate(game, shipped_policy(game).net, "matrix", 8000, 11)
    assert result.low < 0 < result.high + 0.05, result


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "fights"),
    [("mafia_club", 20_000), ("drug_flat", 2000), ("rooftop_chase", 6000), ("blade_mirror", 6000)],
)
def test_the_trained_duellist_beats_every_heuristic(scenario, fights):
    """Every dice seed from both seats; hardly anything can be won from `aggressor` in `mafia_club`: it takes many."""
    game = make_game("scorekeeper-duel", scenario)
    for name in ("aggressor", "marksman", "duellist", "kiter", "guardian", "one_ply"):
        pairs = (fights if name == "aggressor" or scenario != "mafia_club" else 1000) // 2
        seats = np.tile([[0, 1], [1, 0]], (pairs, 1))
        with Match(game, ["policy", name], 5) as match:
            payoffs = match.play(Schedule.of(5, np.repeat(np.arange(pairs), 2), seats)).payoffs
        mine = np.where(seats[:, 0] == 0, payoffs[:, 0], payoffs[:, 1]).reshape(pairs, 2).mean(axis=1)
        assert mine.mean() > 1.96 * mine.std(ddof=1) / pairs**0.5, (name, mine.mean())
