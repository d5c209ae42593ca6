"""Self-play: it learns, resumes exactly, and its policies and checkpoints are refused where they do not fit."""

import io
import itertools
import json
import os
import pickle
import signal
from pathlib import Path

import numpy as np
import pytest
import torch as th
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors.numpy import save as save_tensors
from typer.testing import CliRunner

from probespiel.agents.base import AgentError, Requests
from probespiel.agents.policy import PolicyAgent, shipped_policies
from probespiel.agents.policy_file import Manifest, load_policy, save_policy
from probespiel.agents.policy_net import Blueprint, PolicyError, PolicyNet, draw
from probespiel.app import cli_train
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.vec_env import ProbespielVecEnv
from probespiel.training.checkpoint import load_checkpoint, read_config, save_checkpoint
from probespiel.training.config import train_config
from probespiel.training.duel_gap import clairvoyant_gap
from probespiel.training.evaluate import evaluate
from probespiel.training.league import League
from probespiel.training.nets import Actor, blueprint_of
from probespiel.training.selfplay import SelfPlay, limit_threads, shares_of

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


# --- Kuhn poker, solved by hand: an oracle that knows nothing of the project's trees


def kuhn_table(game, net):
    """The chances of passing and betting for every card and history."""
    found = {}
    for first, second in itertools.product(range(3), range(2)):
        position = game.position()
        position.fall(first)
        position.fall(second)
        todo = [position]
        while todo:
            position = todo.pop()
            if position.over:
                continue
            (seat,) = position.to_act()
            history = "".join("pb"[int(m)] for m in position.record.moves[: int(position.record.turn)])
            chances = net.probabilities(position.observe(seat)[None], position.mask(seat)[None])[0]
            found[int(position.record.card[seat]), history] = chances
            for move in (0, 1):
                child = position.clone()
                child.apply(seat, move)
                todo.append(child)
    assert len(found) == 12
    return found


def kuhn_exploitability(table):
    """Half of what the two best responses win together, by trying all plans for each card."""

    def play(cards, me, plan, history):
        stake = 2 if history in ("bb", "pbb") else 1
        if history in ("pp", "bb", "pbb"):
            return stake if cards[0] > cards[1] else -stake
        if history in ("bp", "pbp"):
            return 1 if history == "bp" else -1
        seat = len(history) % 2
        if seat == me:
            return play(cards, me, plan, history + plan[history])
        chances = table[cards[seat], history]
        return sum(c * play(cards, me, plan, history + m) for c, m in zip(chances, "pb"))

    total = 0.0
    for me, own in itertools.product((0, 1), range(3)):
        histories = ("", "pb") if me == 0 else ("p", "b")
        others = [c for c in range(3) if c != own]
        total += max(
            sum(
                (1 - 2 * me) * play((own, c) if me == 0 else (c, own), me, dict(zip(histories, plan)), "")
                for c in others
            )
            for plan in itertools.product("pb", repeat=2)
        )
    return total / 6 / 2


class Table:
    """Chances of Kuhn poker as if they came from a network."""

    def __init__(self, bet):
        self.bet = bet

    def probabilities(self, observations, masks):
        bet = np.array([self.bet(int(o[:3].argmax()), int(o[5:].sum())) for o in observations])
        return np.stack([1 - bet, bet], axis=1)


def test_the_oracle_of_kuhn_poker(kuhn):
    assert kuhn_exploitability(kuhn_table(kuhn, Table(lambda card, n: 0.5))) == pytest.approx(11 / 24)

    def equilibrium(card, moves):  # the first seat never bluffs (Kuhn 1950)
        return {(2, 1): 1.0, (2, 2): 1.0, (0, 1): 1 / 3, (1, 2): 1 / 3}.get((card, moves), 0.0)

    table = kuhn_table(kuhn, Table(equilibrium))
    table[1, "b"], table[1, "p"] = np.array([2 / 3, 1 / 3]), np.array([1.0, 0.0])
    table[0, "b"] = np.array([1.0, 0.0])
    assert kuhn_exploitability(table) == pytest.approx(0.0, abs=1e-12)


def test_a_short_run_improves(kuhn):
    training = SelfPlay(train_config("kuhn", seed=3, tables=256, steps=8, batch=512, decisions=60_000))
    before = kuhn_exploitability(kuhn_table(kuhn, training.net()))
    training.run()
    after = kuhn_exploitability(kuhn_table(kuhn, training.net(current=True)))
    assert before > 0.4
    assert after < 0.2
    (result,) = training.evaluate()
    assert result.low > 0.0  # better than random play, beyond doubt
    assert result.low < result.edge < result.high


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_kuhn_poker_is_hardly_exploitable(kuhn, seed):
    training = SelfPlay(train_config("kuhn", seed=seed))
    training.run()
    assert kuhn_exploitability(kuhn_table(kuhn, training.net())) < 0.1


# --- going on from a checkpoint


def same(a, b):
    assert set(a) == set(b)
    for name in a:
        assert np.array_equal(a[name], b[name]), name


def everything(training):
    """All arrays of a training."""
    out = {f"policy.{n}": t.detach().numpy() for n, t in training.model.policy.state_dict().items()}
    out |= {f"average.{n}": w for n, w in training.weights().items()}
    out |= {f"tables.{n}": a for n, a in training.tables.state_dict().items()}
    out |= {f"league.{n}": a for n, a in training.league.state_dict()[0].items()}
    return out


@pytest.mark.parametrize(
    ("game", "scenarios"),
    [("kuhn", [{}]), ("einblatt-duel", [{"scenario": "billy_tree"}, {"scenario": "storm", "weight": 2.0}])],
)
def test_interrupted_and_resumed_equals_uninterrupted(tmp_path, game, scenarios):
    opponents = {"self": 0.5, "past": 0.3, "random": 0.2}
    config = train_config(
        game, seed=5, decisions=6 * 256, scenarios=scenarios, opponents=opponents, offer_every=1, places=2,
        anchor=0.1, **SMALL,
    )  # fmt: skip
    whole = SelfPlay(config)
    whole.run()
    file = tmp_path / "checkpoint.safetensors"
    part = SelfPlay(config)
    for _ in range(2):
        part.update()
        save_checkpoint(part, file)
        np.random.random(3)  # the caller's generators do not matter
        th.rand(3)
        part = load_checkpoint(file)
    part.run()
    assert part.updates == whole.updates == 6
    same(everything(part), everything(whole))
    assert part.evaluate() == whole.evaluate()


def test_a_checkpoint_before_the_first_update(tmp_path):
    config = train_config("kuhn", decisions=256, **SMALL)
    save_checkpoint(SelfPlay(config), tmp_path / "c")
    resumed, fresh = load_checkpoint(tmp_path / "c"), SelfPlay(config)
    resumed.run()
    fresh.run()
    same(everything(resumed), everything(fresh))


def test_training_leaves_the_callers_generators_alone():
    np.random.seed(1)
    th.manual_seed(1)
    SelfPlay(train_config("kuhn", **SMALL)).update()
    after = np.random.random(), float(th.rand(1))
    np.random.seed(1)
    th.manual_seed(1)
    assert after == (np.random.random(), float(th.rand(1)))


def test_damaged_checkpoints_are_refused(tmp_path):
    config = train_config("kuhn", decisions=10_000, **SMALL)
    training = SelfPlay(config)
    training.update()
    file = tmp_path / "checkpoint.safetensors"
    save_checkpoint(training, file)
    data = file.read_bytes()
    header = int.from_bytes(data[:8], "little")
    for cut in (0, 4, 8, 100, header, header + 8, len(data) - 1):
        file.write_bytes(data[:cut])
        with pytest.raises(ProbespielError):
            load_checkpoint(file)
    for old, new in [
        (b'"averaged', b'"avaraged'),
        (b'"updates', b'"apdates'),
        (b"random.torch", b"random.porch"),
        (b"tables.0.states", b"tables.0.statez"),
        (b"average.trunk.bias", b"average.trunk.bios"),
        (b'\\"game\\": \\"kuhn\\"', b'\\"game\\": \\"kohn\\"'),
        (b"PCG64", b"PCG65"),
    ]:
        assert old in data, old
        file.write_bytes(data.replace(old, new))
        with pytest.raises(ProbespielError):
            load_checkpoint(file)
    file.unlink()
    with pytest.raises(ProbespielError, match="cannot be read"):
        load_checkpoint(file)


def test_a_checkpoint_runs_no_files_unasked(tmp_path, monkeypatch):
    mark = tmp_path / "mark"
    bot = tmp_path / "bot.py"
    lines = [f"open({str(mark)!r}, 'a').close()", "from probespiel.agents.simple import RandomAgent as Bot"]
    bot.write_text("\n".join(lines))
    config = train_config("kuhn", opponents={"self": 1, f"{bot}:Bot": 1}, **SMALL)
    save_checkpoint(SelfPlay(config), tmp_path / "c")
    mark.unlink()
    with pytest.raises(ProbespielError, match=r"bot\.py"):
        load_checkpoint(tmp_path / "c")
    assert not mark.exists()
    load_checkpoint(tmp_path / "c", trust=True).update()


# --- the tables and the league


def test_the_learner_sees_its_losses(kuhn, duel):
    """With the same dice and the same players, what seat 0 wins as a learner is what seat 1 loses as a learner."""

    def lowest(observations, masks, *_):
        return masks.argmax(axis=1).astype(np.int64)

    for game in (kuhn, duel):
        totals = []
        for seat in (0, 1):
            env = ProbespielVecEnv(game, 64, lowest, seat=seat, seed=11)
            observations, rewards = env.reset(), np.zeros(64)
            paid = [[] for _ in range(64)]
            while min(map(len, paid)) < 3:
                observations, reward, done, infos = env.step(lowest(observations, env.masks))
                rewards += reward
                for i in np.flatnonzero(done):
                    assert rewards[i] == pytest.approx(infos[i]["episode"]["r"])
                    paid[i].append(rewards[i])
                    rewards[i] = 0.0
            totals.append(np.array([p[:3] for p in paid]))
        np.testing.assert_allclose(totals[0], -totals[1], atol=1e-6)
        assert (totals[0] < 0).any()
        assert (totals[1] < 0).any()


def test_observations_of_tables_end_with_the_mask():
    scenarios = [{"scenario": "billy_tree", "weight": 3}, {"scenario": "rock_face"}]
    training = SelfPlay(train_config("einblatt-duel", scenarios=scenarios, **SMALL))
    training.update()
    observations = training.model._last_obs
    assert isinstance(observations, np.ndarray)
    masks = training.tables.action_masks()
    assert observations.shape == (64, training.game.layout.size + training.game.n_actions)
    assert np.array_equal(observations[:, -training.game.n_actions :], masks)
    assert [env.num_envs for env in training.tables.envs] == [48, 16]


def test_scenarios_with_other_layouts_are_not_mixed():
    scenarios = [{"scenario": "tug_of_war"}, {"scenario": "free_for_all"}]
    with pytest.raises(ProbespielError, match="free_for_all"):
        SelfPlay(train_config("einblatt-melee", scenarios=scenarios, **SMALL))


def test_the_league_seats_mates_with_the_current_policy(kuhn):
    game = make_game("einblatt-melee")
    blueprint = blueprint_of(game, hidden=8)
    league = League(blueprint, {"random": 1.0}, 4, seed=0)
    env = ProbespielVecEnv(game, 3)
    ids = league.assign(env, np.arange(3), np.array([0, 2, 8]))
    assert ids.tolist() == [[0, 0, 0] + [5] * 6, [0, 0, 0] + [5] * 6, [5] * 3 + [0] * 6]
    assert league.name_of(5) == "random"


def test_past_policies_are_a_reservoir(kuhn):
    blueprint = blueprint_of(kuhn, hidden=4)
    kept = np.zeros(20)
    for seed in range(300):
        league = League(blueprint, {"self": 1.0, "past": 1.0}, 4, seed)
        for i in range(20):
            league.offer({n: np.full_like(w, i / 100) for n, w in random_weights(blueprint).items()})
        assert len(league.past) == 4
        for net in league.past:
            kept[round(float(net.weights["trunk.bias"][0]) * 100)] += 1
    # each with chance 4 / 20 in 300 leagues: mean 60, standard deviation 7
    assert kept.min() > 60 - 5 * 7
    assert kept.max() < 60 + 5 * 7


def test_shares_of_tables():
    assert shares_of(10, [1.0, 1.0, 1.0]) == [4, 3, 3] or sum(shares_of(10, [1.0, 1.0, 1.0])) == 10
    assert shares_of(3, [100.0, 1e-9, 1e-9]) == [1, 1, 1]
    with pytest.raises(ProbespielError, match="tables"):
        shares_of(2, [1.0, 1.0, 1.0])


# --- the network


@pytest.mark.parametrize("name", ["kuhn", "einblatt-duel", "einblatt-melee"])
def test_numpy_answers_like_torch(name):
    game = make_game(name)
    blueprint = blueprint_of(game, hidden=24)
    actor = Actor(blueprint)
    with th.no_grad():
        for parameter in actor.parameters():
            parameter.copy_(th.from_numpy(np.random.default_rng(1).normal(0, 0.3, parameter.shape)))
    assert {n: w.shape for n, w in actor.weights().items()} == blueprint.shapes()
    env = ProbespielVecEnv(game, 100, seed=2)
    observations = env.reset()
    for _ in range(4):
        net = PolicyNet(blueprint, actor.weights())
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
    same(policy.net.weights, {n: w.astype(np.float64) for n, w in random_weights(policy.manifest.network).items()})
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
    with pytest.raises(PolicyError, match=r"is not a file|cannot be read"):
        load_policy(tmp_path)
    with pytest.raises(PolicyError):
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
        assert path.stat().st_size < 1_000_000
        manifest = load_policy(path).manifest
        game = make_game(manifest.game, manifest.scenario)
        assert name.startswith(game.name)
        manifest.check(game)
        assert manifest.evaluation
    with pytest.raises(AgentError, match="probespiel train"):
        PolicyAgent().prepare(make_game("einblatt-melee", "free_for_all"))


# --- evaluation


def test_evaluation_counts_every_seat(duel):
    blueprint = blueprint_of(duel, hidden=4)
    net = PolicyNet(blueprint, {n: np.zeros_like(w) for n, w in random_weights(blueprint).items()})
    result = evaluate(duel, net, "random", 2000, seed=4)  # the network is uniform: the same player on both sides
    assert result.games >= 2000
    assert [row[1] for row in result.seats] == [result.games // 2] * 2
    assert result.low < 0.0 < result.high
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


# --- settings and the command line


@pytest.mark.parametrize(
    ("given_settings", "named"),
    [
        ({"clip": 0}, "clip"),
        ({"entropy": -1}, "entropy"),
        ({"tables": "many"}, "tables"),
        ({"seed": -1}, "seed"),
        ({"batch": 100}, "batch"),
        ({"opponents": {}}, "opponents"),
        ({"opponents": {"self": -1}}, "opponents"),
        ({"opponents": {"self": float("nan")}}, "opponents"),
        ({"learning_rate": float("inf")}, "learning_rate"),
        ({"nonsense": 1}, "nonsense"),
        ({"scenarios": []}, "scenarios"),
        ({"minutes": 0}, "minutes"),
    ],
)
def test_wrong_settings_are_named(given_settings, named):
    with pytest.raises(ProbespielError, match=named):
        train_config("kuhn", **given_settings)


@pytest.fixture
def command(tmp_path, monkeypatch):
    """Run the commands of training in an empty folder; their exit code, or the text of their error."""
    monkeypatch.chdir(tmp_path)
    app = typer.Typer()
    app.command("train")(cli_train.train)
    app.command("evaluate-policy")(cli_train.evaluate_policy)

    def run(*arguments):
        result = CliRunner().invoke(app, [str(a) for a in arguments])
        if isinstance(result.exception, ProbespielError):
            return str(result.exception)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        run.output = result.output  # pyright: ignore[reportFunctionMemberAccess]
        return result.exit_code

    return run


TINY = [f"--setting={k}={v}" for k, v in {**SMALL, "evaluate_games": 100}.items()]


def test_the_command_trains_evaluates_and_resumes(command, tmp_path):
    assert command("train", "kuhn", "--steps", 1024, "--out", "a", *TINY) == 0
    assert "random" in command.output
    assert command("evaluate-policy", "a/policy.safetensors", "--games", 100) == 0
    assert "already holds" in command("train", "kuhn", "--out", "a", *TINY)
    assert "seed" in command("train", "kuhn", "--out", "a", "--resume", "--seed", 4)
    assert "einblatt-duel" in command("train", "einblatt-duel", "--out", "a", "--resume")
    assert command("train", "kuhn", "--out", "a", "--resume") == 0
    assert command("train", "kuhn", "--steps", 512, "--out", "a", "--overwrite", *TINY) == 0
    lines = Path("a/progress.jsonl").read_text().splitlines()
    assert [json.loads(line)["decisions"] for line in lines] == [256, 512]


def test_ctrl_c_keeps_a_checkpoint_that_goes_on_exactly(command, monkeypatch):
    update = SelfPlay.update

    def interrupted(self):
        if self.updates == 1:
            signal.raise_signal(signal.SIGINT)
        return update(self)

    arguments = ["train", "kuhn", "--steps", 1024, *TINY]
    assert command(*arguments, "--out", "whole") == 0
    monkeypatch.setattr(SelfPlay, "update", interrupted)
    assert command(*arguments, "--out", "part") == 130
    monkeypatch.setattr(SelfPlay, "update", update)
    assert command("train", "kuhn", "--out", "part", "--resume") == 0
    assert Path("part/policy.safetensors").read_bytes() == Path("whole/policy.safetensors").read_bytes()


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "chess"],
        ["train", "kuhn", "--scenario", "nowhere"],
        ["train", "kuhn", "--setting", "clip"],
        ["train", "kuhn", "--setting", "clip=2"],
        ["train", "kuhn", "--setting", "clip=0.1", "--setting", "clip=0.2"],
        ["train", "kuhn", "--opponents", "self"],
        ["train", "kuhn", "--opponents", "self=x"],
        ["train", "kuhn", "--opponents", "nobody=1"],
        ["train", "kuhn", "--against", "a,,b"],
        ["train", "kuhn", "--device", "abacus"],
        ["train", "kuhn", "--resume", "--out", "nothing"],
        ["train", "kuhn", "--shipped", "--set", "ante=2"],
        ["evaluate-policy", "nothing"],
    ],
)
def test_wrong_command_lines_are_answered_in_a_line(command, arguments):
    answer = command(*arguments)
    assert isinstance(answer, str)
    assert answer
    assert not list(Path(".").iterdir())


def test_no_file_is_left_behind_when_writing_fails(tmp_path, monkeypatch, policy_file):
    def broken(*_):
        raise OSError(28, "No space left on device")

    policy = load_policy(policy_file)
    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(PolicyError, match="No space"):
        save_policy(tmp_path / "p", policy.manifest, random_weights(policy.manifest.network))
    assert not list(tmp_path.iterdir())
