"""Critics of the native learner that see all seats: what they are shown, their gradients, advantages by them."""

import numpy as np
import pytest
import torch as th

from probespiel.agents.advice import Advice
from probespiel.agents.net_layout import CHANCES, D_LOGITS, LOGITS, WORDS, critic_blueprint
from probespiel.agents.policy_net import Blueprint, Group
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.registry import make_game
from probespiel.training.config import train_config
from probespiel.training.league import League
from probespiel.training.native import NativeLearner
from probespiel.training.native_kernel import HEDGE, Span, Terms, estimate, hedge_slopes
from probespiel.training.nets import Actor, Critic
from probespiel.training.protocol import Coefficients
from probespiel.training.selfplay import SelfPlay, limit_threads
from probespiel.training.tables import Tables

limit_threads(1)
SMALL = {"tables": 16, "steps": 4, "batch": 32, "epochs": 2, "hidden": 16}
CARDS = Group("card", 7, 2, ((30 + 2, 1), (3, 1), (11, 1)), legal_only=True)
BLUEPRINTS = {"plain": Blueprint(30, 12, 16), "cards": Blueprint(30, 12, 13, (CARDS,))}


def learner_of(blueprint, critic):
    """A native learner with hedge whose critic is shown two seats, for a network of any size; random weights."""
    config = train_config("kuhn", **{**SMALL, "hidden": blueprint.hidden, "loss": "hedge", "critic": critic})
    league = League(blueprint, config.opponents, config.places, config.seed)
    tables = Tables([make_game("kuhn")], [16], league, config.seed, Advice(()))
    native = NativeLearner(config, blueprint, tables, league, th.device("cpu"))
    native.expect(np.where(np.arange(30) % 3 == 0, 0.5, 0.0).astype(np.float32))
    rng = np.random.default_rng(3)
    arrays, values = native.state()
    for name, array in arrays.items():
        if name.partition(".")[0] in ("actor", "critic"):
            arrays[name] = rng.normal(0, 0.3, array.shape).astype(np.float32)
    native.load(arrays, values)
    return native


def listed(sparse, legal):
    """The lists of rows that are written out, as fields of Decisions."""
    index = [np.flatnonzero(row) for row in sparse]
    counts = np.array([len(i) for i in index])
    return {
        "index": np.concatenate(index).astype(np.int32),
        "values": np.concatenate([row[i] for row, i in zip(sparse, index)]).astype(np.float32),
        "starts": counts.cumsum() - counts,
        "observed": counts - legal,
        "totals": counts,
    }


@pytest.mark.parametrize("name", BLUEPRINTS)
@pytest.mark.parametrize("critic", ["all", "actions"])
def test_gradients_of_critics_of_all_seats_are_those_of_torch(name, critic):
    blueprint, rng = BLUEPRINTS[name], np.random.default_rng(7)
    native = learner_of(blueprint, critic)
    m, a = native.config.per_update, blueprint.actions
    masks = rng.random((m, a)) < 0.4
    masks[:, 5] |= ~masks.any(axis=1)
    seen, other = (np.where(rng.random((m, 30)) < 0.3, rng.random((m, 30)), 0.0).astype(np.float32) for _ in range(2))
    usual = np.where(np.arange(30) % 3 == 0, 0.5, 0.0).astype(np.float32)
    sizes = masks.sum(axis=1)
    legal = [np.flatnonzero(row) for row in masks]
    choices = np.array([rng.integers(n) for n in sizes])
    actor = Actor(blueprint)
    judge = critic_blueprint(blueprint, 2)
    teacher = (Actor if critic == "actions" else Critic)(judge)
    for net, part in ((actor, "actor"), (teacher, "critic")):
        views = native._views(native.vector)[part]
        net.load_state_dict({key: th.from_numpy(np.array(view)) for key, view in views.items()})
    x = th.from_numpy(np.concatenate([seen, masks], axis=1).astype(np.float32))
    whole = th.from_numpy(np.concatenate([seen, other, masks], axis=1).astype(np.float32))
    log = actor(x).masked_fill(~th.from_numpy(masks), -1e8).log_softmax(dim=1)
    told = teacher(whole)
    advantages, returns = rng.normal(size=(2, m)).astype(np.float32)
    worth = rng.normal(size=(m, a)).astype(np.float32)
    chances = log.detach().exp().numpy()
    means = (chances * worth).sum(axis=1)
    native.decided = native.decided._replace(
        **listed(np.concatenate([seen - usual, masks], axis=1), sizes), legal=sizes.cumsum() - sizes,
        then=np.concatenate([row[i] for row, i in zip(log.detach().numpy(), legal)]),
        goals=np.zeros(sizes.sum(), np.float32), choices=choices, advantages=advantages, returns=returns,
        worth=np.concatenate([row[i] for row, i in zip(worth, legal)]) if critic == "actions" else np.zeros(0, "f4"),
        critic=means,
    )  # fmt: skip
    native.decided_whole = native.decided_whole._replace(
        **listed(np.concatenate([seen - usual, other, masks], axis=1), sizes)
    )
    rows, now = np.arange(m), Coefficients(1e-3, 0.0, 0.0)
    native.config = native.config.model_copy(update={"anchor": 0.0})
    terms = native.gradient(rows, now)
    slopes = native._views(native.gradients.sum(axis=0))

    taken = th.from_numpy(np.array([row[c] for row, c in zip(legal, choices)]))
    value = told.gather(1, taken[:, None]).squeeze(1) if critic == "actions" else told.flatten()
    loss = (value - th.from_numpy(returns)).square().mean()
    assert terms["value_loss"] == pytest.approx(loss.item(), abs=1e-5)
    (native.config.value_weight * loss).backward()
    better = (advantages - advantages.mean()) / (advantages.std(ddof=1) + 1e-8)
    scale = 1 / (advantages.std(ddof=1) + 1e-8)
    aims = np.zeros((m, a))
    for d in range(m):  # what each action is worth by its own, as `hedge` follows it
        c = int(taken[d])
        if critic == "actions":
            aims[d] = worth[d] * scale
            better[d] = (advantages[d] - (worth[d, c] - means[d])) * scale
        aims[d, c] += better[d] / max(chances[d, c], 0.05)
    aims = np.where(masks, aims, 0.0)
    aims = np.where(masks, aims - aims.sum(axis=1, keepdims=True) / sizes[:, None], 0.0)
    logits = actor(x)
    (-(th.from_numpy(aims) * logits).sum(dim=1).mean()).backward()
    for part, net in (("actor", actor), ("critic", teacher)):
        for weight, parameter in net.named_parameters():
            slope = np.zeros(parameter.shape) if parameter.grad is None else parameter.grad.numpy()
            np.testing.assert_allclose(slopes[part][weight], slope, atol=1e-5, err_msg=f"{part}.{weight}")


def test_returns_are_about_the_action_where_every_action_is_judged():
    """Two decisions of one game, by hand: the second pays 3, and neither counts which action was drawn there.

    Told are 1 (of -1 and 1, by halves 0) and 2 (of 2 and 4, by halves 3). The second return is 3, its action was worth
    1 more than told and 1 less than the mean. The first one's is the mean of the second, 3, and half of that surprise.
    """
    native = learner_of(BLUEPRINTS["plain"], "actions")
    decided = native._room(2, 0)._replace(
        worth=np.array([-1, 1, 2, 4], np.float32), legal=np.array([0, 2]), choices=np.array([1, 0]),
        critic=np.array([0, 3], np.float32),
    )  # fmt: skip
    rewards, ends = np.array([[0, 3]], np.float32), np.array([[0, 1]], np.int8)
    estimate(
        decided, rewards, ends, np.zeros(1, np.float32), np.ones(2, np.float32), Span(0, 1), discount=1.0, trace=0.5
    )
    assert decided.returns.tolist() == [3.5, 3.0]
    assert decided.advantages.tolist() == [3.5, 0.0]


def test_hedge_follows_what_each_action_is_told_to_be_worth():
    """Of worth 1 and 3 by halves, the second taken, with an advantage of 2: it is told 1 of that, and 1 / 0.5 remains.

    So the first aims at 1 and the second at 3 + 2, each less the mean of both, 3.
    """
    native = learner_of(BLUEPRINTS["plain"], "actions")
    work = np.zeros((1, WORDS), np.int64)
    half, out = np.full((2, 2), [[0.5], [np.log(0.5)]], np.float32), np.zeros(2, np.float32)
    work[0, CHANCES], work[0, LOGITS], work[0, D_LOGITS] = half[0].ctypes.data, half[1].ctypes.data, out.ctypes.data
    decided = native._room(1, 0)._replace(
        worth=np.array([1, 3], np.float32), then=half[1], goals=half[1], choices=np.array([1]),
        critic=np.array([2], np.float32),
    )  # fmt: skip
    terms = Terms(HEDGE, 0.05, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 1.0, 1.0, 0)
    hedge_slopes(decided, 0, 2, terms, 2.0, work[0])
    assert out.tolist() == pytest.approx([2.0, -2.0])


@pytest.mark.parametrize("critic", ["all", "actions"])
def test_the_critic_is_shown_all_seats_and_the_policy_its_own(critic):
    settings = {**SMALL, "loss": "hedge", "opponents": {"self": 1.0}, "critic": critic}
    training = SelfPlay(train_config("leduc", seed=4, **settings))
    learner, env = training.learner, training.tables.envs[0]
    assert isinstance(learner, NativeLearner)
    for _ in range(2):
        training.update()
    rows = learner.tables.whole
    assert rows is not None
    usual = np.zeros(38, np.float32)
    usual[learner.usual[0]] = learner.usual[1]
    differing = 0
    for table in range(16):
        position, seat = env.position(table), int(env.seats[table])
        own, other = position.observe(seat), position.observe(1 - seat)
        dense, n = np.zeros(2 * 38 + 3, np.float32), int(rows.sizes[table, 1])
        dense[rows.index[table, :n]] = rows.values[table, :n]
        assert (dense == np.concatenate([own - usual, other - own, position.mask(seat)])).all()
        assert np.count_nonzero(dense[:76]) == rows.sizes[table, 0]
        differing += int((other != own).any())
    assert differing == 16  # each has a card of its own
    assert learner.weights()["trunk.weight"].shape == (16, 38 + 3)  # the policy's network
    assert learner._views(learner.vector)["critic"]["trunk.weight"].shape == (16, 2 * 38 + 3)
    again = SelfPlay(train_config("leduc", seed=4, **settings))
    again.learner.load(*learner.state())
    again.tables.load_state_dict(training.tables.state_dict())
    again.league.set_current(learner.weights())
    training.update()
    again.update()
    assert all((a == again.learner.state()[0][name]).all() for name, a in learner.state()[0].items())


def test_what_is_to_come_is_the_mean_over_the_policy():
    training = SelfPlay(train_config("leduc", seed=4, **{**SMALL, "loss": "hedge", "critic": "actions"}))
    learner, env = training.learner, training.tables.envs[0]
    assert isinstance(learner, NativeLearner)
    training.update()
    ahead = learner.ahead()
    actor, judge = Actor(learner.blueprint), Actor(learner.judge)
    for net, part in ((actor, "actor"), (judge, "critic")):
        views = learner._views(learner.vector)[part]
        net.load_state_dict({key: th.from_numpy(np.array(view)) for key, view in views.items()})
    for table in range(16):
        position, seat = env.position(table), int(env.seats[table])
        own, mask = position.observe(seat), position.mask(seat).astype(np.float32)
        x = th.from_numpy(np.concatenate([own, mask])[None])
        whole = th.from_numpy(np.concatenate([own, position.observe(1 - seat) - own, mask])[None])
        chances = actor(x).masked_fill(x[:, 38:] == 0, -1e8).softmax(dim=1)
        assert ahead[table] == pytest.approx((chances * judge(whole)).sum().item(), abs=1e-5)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"critic": "all", "learner": "torch"}, "critic = 'all' with learner = 'torch'"),
        ({"critic": "actions", "loss": "mmd"}, "loss = 'mmd'"),
        ({"critic": "actions", "loss": "hedge", "advantages": "vtrace"}, "advantages = 'vtrace'"),
        ({"critic": "actions", "loss": "hedge", "advisers": ("random",)}, "advisers = "),
    ],
)
def test_critics_that_a_learner_does_not_have_are_refused(settings, told):
    with pytest.raises(ProbespielError, match=told):
        train_config("kuhn", **settings)
