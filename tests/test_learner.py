"""The learner's page by numbers worked by hand, and beside the reference on Stable-Baselines3."""

import math

import numpy as np
import pytest
import torch as th

from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.registry import make_game
from probespiel.training.checkpoint import load_checkpoint, save_checkpoint
from probespiel.training.config import train_config
from probespiel.training.learner import Batch, TorchLearner, advantages_of, explained_variance, hedge_of, loss_of
from probespiel.training.protocol import Coefficients
from probespiel.training.sb3 import SB3Learner
from probespiel.training.selfplay import SelfPlay, limit_threads

limit_threads(1)
SMALL = {"learner": "torch", "tables": 64, "steps": 4, "batch": 128, "epochs": 2, "hidden": 16, "evaluate_games": 200}


# --- two decisions of three actions, the third illegal in the second


CHANCES = th.tensor([[1 / 2, 1 / 4, 1 / 4], [4 / 5, 1 / 5, 1.0]])  # the last one stands behind the mask
ANCHOR = th.tensor([[1 / 8, 3 / 8, 1 / 2], [1 / 2, 1 / 2, 1.0]])
MASKS = th.tensor([[True, True, True], [True, True, False]])
DECISIONS = Batch(
    inputs=th.empty(2, 0),
    actions=th.tensor([0, 1]),
    log_chances=th.tensor([0.4, 0.25]).log(),  # ratios 1.25 and 0.8
    values=th.zeros(2),
    advantages=th.tensor([2.0, -1.0]),
    returns=th.tensor([0.5, 0.5]),
    then=th.tensor([[2 / 5, 2 / 5, 1 / 5], [3 / 4, 1 / 4, 1.0]]).log(),
)
VALUES = th.tensor([1.0, -0.5])
POLICY = -(2 * 1.05 - 0.95) / 2  # both ratios are clipped at 5 %
VALUE = (0.5**2 + 1.0**2) / 2
ENTROPY = (1.5 * math.log(2) - 0.8 * math.log(0.8) - 0.2 * math.log(0.2)) / 2
EVEN = (1 / 4 + 1 / 16 + 1 / 16 + 16 / 25 + 1 / 25) / 2
KL = (
    0.5 * math.log(4) + 0.25 * math.log(2 / 3) + 0.25 * math.log(1 / 2) + 0.8 * math.log(1.6) + 0.2 * math.log(0.4)
) / 2  # of the policy from the anchor; the other way round it is 0.2742


def loss(anchor=0.0, normalize=False, settings=None, **coefficients):
    settings = {
        "loss": "ppo",
        "clip": 0.05,
        "value_weight": 0.5,
        "anchor": anchor,
        "normalize": normalize,
        **(settings or {}),
    }
    config = train_config("kuhn", **settings)
    goal = ANCHOR.log() if anchor else None
    now = Coefficients(**{"learning_rate": 1e-3, "entropy": 0.0, "even": 0.0, **coefficients})
    total, terms = loss_of(CHANCES.log(), VALUES, goal, MASKS, DECISIONS, config, now)
    return total.item(), {name: term.item() for name, term in terms.items()}


def test_every_term_of_the_loss_has_its_size_and_sign():
    worked = (POLICY, VALUE, ENTROPY, EVEN, KL)
    assert worked == pytest.approx((-0.575, 0.625, 0.7700616, 0.5275, 0.3056194), abs=1e-7)
    plain, terms = loss()
    assert terms["policy_loss"] == pytest.approx(POLICY)
    assert terms["value_loss"] == pytest.approx(VALUE)
    assert terms["entropy"] == pytest.approx(ENTROPY)
    assert terms["clip_fraction"] == 1.0
    assert terms["anchor_kl"] == 0.0
    assert terms["kl"] == pytest.approx((0.25 - math.log(1.25) - 0.2 - math.log(0.8)) / 2)
    assert plain == pytest.approx(POLICY + 0.5 * VALUE)
    assert loss(entropy=0.1)[0] == pytest.approx(plain - 0.1 * ENTROPY)  # spread out is good
    assert loss(even=0.3)[0] == pytest.approx(plain + 0.3 * EVEN)
    assert loss(entropy=0.1, even=0.3, anchor=0.2)[0] == pytest.approx(plain - 0.1 * ENTROPY + 0.3 * EVEN + 0.2 * KL)
    assert loss(entropy=0.1, even=0.3, anchor=0.2, values_only=True)[0] == pytest.approx(0.5 * VALUE)


def test_mirror_descent_is_held_by_the_policy_that_played():
    """Ratios 1.25 and 0.8 count as they are; the divergence from (2/5, 2/5, 1/5) and (3/4, 1/4) is added."""
    stay = (
        0.5 * math.log(5 / 4) + 0.25 * math.log(5 / 8) + 0.25 * math.log(5 / 4)
        + 0.8 * math.log(16 / 15) + 0.2 * math.log(4 / 5)
    ) / 2  # fmt: skip
    assert stay == pytest.approx(0.0284, abs=1e-4)
    free, terms = loss(settings={"loss": "mmd", "stay": 0.0})
    assert terms["policy_loss"] == pytest.approx(-(2 * 1.25 - 0.8) / 2)
    assert free == pytest.approx(-(2 * 1.25 - 0.8) / 2 + 0.5 * VALUE)
    assert loss(settings={"loss": "mmd", "stay": 3.0}, anchor=0.2)[0] == pytest.approx(free + 3 * stay + 0.2 * KL)
    with pytest.raises(ProbespielError, match="'mmd' with learner = 'sb3'"):
        train_config("kuhn", loss="mmd", learner="sb3")


def test_in_hedge_every_action_weighs_the_same():
    """Advantage over chance, 2 / 0.4 and -1 / 0.25, for the action taken; penalties by logarithms; without the mean."""
    none = train_config("kuhn", loss="hedge", stay=0.0, anchor=0.0)
    now = Coefficients(learning_rate=1e-3, entropy=0.0, even=0.0)

    def slopes(config=none, batch=DECISIONS, now=now):
        return hedge_of(CHANCES.log(), ANCHOR.log(), MASKS, batch, DECISIONS.advantages, config, now)

    th.testing.assert_close(slopes(), th.tensor([[-10 / 3, 5 / 3, 5 / 3], [-2.0, 2.0, 0.0]]))
    rare = DECISIONS._replace(log_chances=th.tensor([0.001, 0.25]).log())
    th.testing.assert_close(slopes(batch=rare)[0], th.tensor([-80 / 3, 40 / 3, 40 / 3]))  # over 0.05 at least

    def added(**changes):
        return slopes(**changes)[1, 0].item() - slopes()[1, 0].item()

    # 0.8 and 0.2 are legal in the second: half of the difference stays
    assert added(now=now._replace(entropy=0.1)) == pytest.approx(0.05 * math.log(4))
    assert added(now=now._replace(even=0.3)) == pytest.approx(0.3 * 0.6)
    assert added(config=none.model_copy(update={"stay": 3.0})) == pytest.approx(1.5 * math.log(4 / 3))
    assert added(config=none.model_copy(update={"anchor": 0.2})) == pytest.approx(0.1 * math.log(4))
    total, terms = loss(settings={"loss": "hedge", "stay": 3.0}, values_only=True)
    assert total == pytest.approx(0.5 * VALUE) and terms["clip_fraction"] == 1.0


def test_leaving_the_anchor_is_a_penalty():
    anchored, terms = loss(anchor=0.2)
    assert terms["anchor_kl"] == pytest.approx(KL)
    assert anchored - loss()[0] == pytest.approx(0.2 * KL)
    assert anchored > loss()[0]


def test_advantages_are_brought_to_unit_variance():
    """Mean 1/2, deviation 3 / sqrt 2 with one degree of freedom: +-1 / sqrt 2 are left of them."""
    assert loss(normalize=True)[1]["policy_loss"] == pytest.approx(-(1.05 - 0.95) / 2 / math.sqrt(2), rel=1e-5)


def test_advantages_end_with_the_game():
    """Discount and lambda 1/2. The first game ends with the last decision, the second's predecessor with the first."""
    rewards = th.tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    values = th.tensor([[0.5, 0.25, 0.5], [0.0, 1.0, 1.0]])
    ends = th.tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    found, _ = advantages_of(
        rewards, values, ends, th.tensor([7.0, 2.0]), th.ones(rewards.shape), discount=0.5, trace=0.5
    )
    assert found.tolist() == [[-0.34375, 0.125, 0.5], [1.0, -0.5, 0.0]]


def test_the_share_of_variance_that_values_explain():
    returns = th.tensor([0.0, 2.0, 4.0])
    assert explained_variance(returns, returns) == 1.0
    assert explained_variance(th.zeros(3), returns) == 0.0
    assert explained_variance(returns / 2, returns) == pytest.approx(0.75)
    assert math.isnan(explained_variance(returns, th.ones(3)))


def test_the_average_is_a_mean_and_then_a_moving_one():
    learner = SelfPlay(train_config("kuhn", average=0.4, **SMALL)).learner
    assert isinstance(learner, TorchLearner)
    means = []
    for level in (1.0, 2.0, 4.0, 9.0):
        with th.no_grad():
            for parameter in learner.actor.parameters():
                parameter.fill_(level)
        learner.move_average()
        means.append(float(learner.average()["trunk.bias"][0]))
    assert means == pytest.approx([1.0, 1.5, 1.5 + 0.4 * 2.5, 2.5 + 0.4 * 6.5])
    learner.adopt({name: np.full_like(w, 3.0) for name, w in learner.weights().items()})
    assert learner.averaged == 0
    assert all((w == 3.0).all() for w in [*learner.weights().values(), *learner.average().values()])


# --- the reference: the same decisions, and the same trainings


def decisions_for(learner, masked):
    """Random decisions for a learner's networks, most of them such that ratios are near the limits of the clip."""
    game, rng = make_game("einblatt-duel"), np.random.default_rng(7)
    m, a = learner.config.per_update, game.n_actions
    masks = rng.random((m, a)) < (0.2 if masked else 2.0)
    masks[:, 5] |= ~masks.any(axis=1)
    seen = np.concatenate([rng.random((m, game.layout.size)) < 0.1, masks], axis=1).astype(np.float32)
    actions = th.from_numpy((rng.random((m, a)) * masks).argmax(axis=1))
    inputs = th.from_numpy(seen)
    with th.no_grad():
        logits = learner.actor(inputs).masked_fill(~th.from_numpy(masks), -1e8)
    then = logits.log_softmax(dim=1).gather(1, actions[:, None]).squeeze(1)
    noise = [th.from_numpy(rng.normal(0, scale, m).astype(np.float32)) for scale in (0.05, 1.0, 1.0, 1.0)]
    return Batch(inputs, actions, then + noise[0], noise[1], noise[2], noise[3], th.empty(m, 0))


def fill(buffer, batch, steps):
    """Put decisions into a rollout buffer of SB3, whose first axis is the step."""

    def turned(tensor):
        array = tensor.numpy()
        return array.reshape(-1, steps, *array.shape[1:]).swapaxes(0, 1).copy()

    buffer.reset()
    buffer.observations, buffer.actions = turned(batch.inputs), turned(batch.actions[:, None])
    buffer.values, buffer.log_probs = turned(batch.values), turned(batch.log_chances)
    buffer.advantages, buffer.returns = turned(batch.advantages), turned(batch.returns)
    buffer.full = True


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize(
    ("settings", "coefficients"),
    [
        ({}, {}),
        ({}, {"entropy": 0.3}),
        ({}, {"even": 0.5}),
        ({"anchor": 0.4}, {}),
        ({"normalize": False}, {}),
        ({"anchor": 0.4}, {"entropy": 0.3, "even": 0.5}),
        ({"anchor": 0.4, "epochs": 2, "batch": 16}, {"entropy": 0.3, "even": 0.5}),
        ({"anchor": 0.4}, {"entropy": 0.3, "even": 0.5, "values_only": True}),
    ],
)
def test_the_same_decisions_teach_both_the_same(settings, coefficients, masked):
    config = train_config(
        "einblatt-duel",
        **{"learner": "torch", "tables": 16, "steps": 4, "batch": 64, "epochs": 1, "hidden": 8, **settings},
    )
    torch, sb3 = SelfPlay(config).learner, SelfPlay(config, learner=SB3Learner).learner
    assert isinstance(torch, TorchLearner) and isinstance(sb3, SB3Learner)
    arrays, values = torch.state()
    rng = np.random.default_rng(3)
    for name, array in arrays.items():
        if name.partition(".")[0] in torch.nets:  # the average is another policy than the current one
            arrays[name] = rng.normal(0, 0.2, array.shape).astype(np.float32)
    for learner in (torch, sb3):
        learner.load(arrays, values)
    batch = decisions_for(torch, masked)
    fill(sb3.model.rollout_buffer, batch, config.steps)
    now = Coefficients(**{"learning_rate": 0.01, "entropy": 0.0, "even": 0.0, **coefficients})
    ours, theirs = torch.learn(batch, now), sb3.learn(now)
    assert ours == pytest.approx(theirs, abs=1e-4)
    assert 0.1 < ours["train/clip_fraction"] < 0.9
    if not now.values_only:
        torch.move_average()
    found, wanted = torch.state()[0], sb3.state()[0]
    assert set(found) == set(wanted)
    for name in wanted:
        np.testing.assert_allclose(found[name], wanted[name], atol=1e-4, err_msg=name)
    moved = np.abs(found["actor.head.weight"] - arrays["actor.head.weight"]).max()
    assert moved == 0.0 if now.values_only else moved > 5e-3


def everything(training):
    """All arrays of a training."""
    out = {f"learner.{n}": a for n, a in training.learner.state()[0].items()}
    out |= {f"tables.{n}": a for n, a in training.tables.state_dict().items()}
    return out | {f"league.{n}": a for n, a in training.league.state_dict()[0].items()}


def stopped(tables):
    """Let all games end as if they had been stopped."""
    step = tables.step

    def stopping(actions):
        seen, rewards, done, infos = step(actions)
        for info in infos:
            if info:
                info["TimeLimit.truncated"] = True
        return seen, rewards, done, infos

    tables.step = stopping


@pytest.mark.parametrize(
    ("game", "more", "stop"),
    [
        ("kuhn", {"discount": 0.9, "even": 0.05, "normalize": False}, False),
        ("kuhn", {"advisers": ("random", "card_only"), "whole_side": True, "settle": 1, "teacher": "honest"}, False),
        ("kuhn", {"discount": 0.9}, True),
        ("einblatt-duel", {}, False),
    ],
)
def test_whole_trainings_are_the_same_to_the_bit(tmp_path, game, more, stop):
    config = train_config(
        game, seed=5, loss="ppo", decisions=4 * 256, offer_every=1, places=2, anchor=0.1, lessons=500,
        opponents={"self": 0.5, "past": 0.3, "random": 0.2}, **SMALL, **more,
    )  # fmt: skip
    ours, theirs = SelfPlay(config), SelfPlay(config, learner=SB3Learner)
    if stop:
        stopped(ours.tables)
        stopped(theirs.tables)
    for _ in range(3):
        assert ours.update() == theirs.update()
    assert ours.updates == 3 and ours.decisions == theirs.decisions == 3 * 256
    found, wanted = everything(ours), everything(theirs)
    assert set(found) == set(wanted)
    assert all(np.array_equal(found[name], wanted[name]) for name in wanted)
    if stop:
        plain = SelfPlay(config)
        for _ in range(3):
            plain.update()
        assert any((plain.weights()[name] != w).any() for name, w in ours.weights().items())
        return
    save_checkpoint(theirs, tmp_path / "c")
    resumed = load_checkpoint(tmp_path / "c")  # by the other learner
    assert isinstance(resumed.learner, TorchLearner)
    assert resumed.update() == ours.update()
    assert all(np.array_equal(w, ours.weights()[name]) for name, w in resumed.weights().items())
