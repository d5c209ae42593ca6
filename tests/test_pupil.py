"""Who learns in lessons, beside torch: chances, gradients and steps, and how decisions are listed."""

import numpy as np
import pytest
import torch as th

from probespiel.agents.net_layout import TOGETHER, unpack
from probespiel.agents.policy_net import Blueprint, Group
from probespiel.training.learner import ADAM_EPSILON
from probespiel.training.nets import actor_of, device_of, masked_log_chances
from probespiel.training.protocol import Diverged
from probespiel.training.pupil import BATCHES, LEAST_BATCH, LONGEST, PASSES, Pupil
from probespiel.training.pupil_kernel import go_towards, joined
from probespiel.training.selfplay import limit_threads

limit_threads(1)
L, A, K = 30, 12, 2
CARDS = Group("card", 7, 2, ((L + 2, 1), (3, 1), (11, 1)), legal_only=True)
SEATS = Group("attack", 3, 9, ((L + 9, 1), (20, 3), (21, 3)), legal_only=False, width=8, compare=3)
BLUEPRINTS = {
    "plain": Blueprint(L, A, 16),
    "read one by one": Blueprint(L, A, 13, (CARDS, SEATS)),
    "advised": Blueprint(L, A, 24, (SEATS,), ("random", "honest")),
}
USUAL = np.where(np.arange(L) % 4 == 0, np.linspace(-0.8, 1.3, L), 0.0).astype(np.float32)
UNREAD = np.array([1, 18, 28])  # none of which groups read


def decisions(blueprint: Blueprint, m: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs float32[m, L + k + A], a third of them usual, and chances of the legal actions float32[m, A]."""
    rng, k = np.random.default_rng(seed), len(blueprint.advisers)
    masks = rng.random((m, A)) < 0.4
    masks[:, 5] |= ~masks.any(axis=1)
    answers = np.array([rng.choice(np.flatnonzero(row), k) for row in masks]).reshape(m, k)
    seen = np.where(rng.random((m, L)) < 0.3, rng.random((m, L)), USUAL * (rng.random((m, L)) < 0.5))
    goals = rng.random((m, A)) * masks
    return (
        np.concatenate([seen, answers, masks], axis=1).astype(np.float32),
        (goals / goals.sum(axis=1, keepdims=True)).astype(np.float32),
    )


def pupils(name: str) -> tuple[Pupil, th.nn.Module]:
    """A pupil, and the same policy in torch."""
    blueprint, rng = BLUEPRINTS[name], np.random.default_rng(3)
    weights = {n: rng.normal(0, 0.3, shape).astype(np.float32) for n, shape in blueprint.shapes().items()}
    pupil = Pupil(blueprint, weights, USUAL.copy(), UNREAD)
    weights["trunk.weight"][:, UNREAD] = 0.0
    return pupil, actor_of(blueprint, weights, device_of("cpu"))


@pytest.mark.parametrize("name", BLUEPRINTS)
def test_chances_and_the_gradient_are_those_of_torch(name: str) -> None:
    pupil, actor = pupils(name)
    inputs, goals = decisions(pupil.blueprint, 3 * TOGETHER + 5, 7)
    x, wanted = th.from_numpy(inputs), th.from_numpy(goals)
    log = masked_log_chances(actor(x), x[:, -A:] > 0.5)
    lists = joined([pupil.listed(inputs[:40]), pupil.listed(inputs[40:])])
    assert np.abs(pupil.chances(lists) - log.exp().detach().numpy()).max() < 1e-5
    rows = np.arange(2, len(inputs), 2)
    assert np.abs(pupil.chances(lists.some(rows)) - log.exp().detach().numpy()[rows]).max() < 1e-5

    right = go_towards(pupil.nets, lists, goals, order=rows, grads=pupil.gradient[0], work=pupil.work.at)
    assert right == pytest.approx(th.minimum(log.exp(), wanted)[rows].sum().item(), rel=1e-4)
    (-(wanted * log)[rows].sum(dim=1).mean()).backward()
    found = unpack(pupil.blueprint, pupil.net, pupil.gradient[0])
    for weight, parameter in actor.named_parameters():
        slope = parameter.grad
        assert slope is not None
        expected = slope.numpy().copy()
        if weight == "trunk.weight":
            expected[:, UNREAD] = 0.0  # which are not read, so that nothing can be learned of them
        assert np.abs(found[weight] - expected).max() < 1e-5, weight


@pytest.mark.parametrize("name", BLUEPRINTS)
def test_a_fit_is_two_passes_of_adam_in_batches(name: str) -> None:
    """An eighth of the decisions at a time, of 64 at least, with the gradient cut to length 1, as in torch."""
    pupil, actor = pupils(name)
    m, rate = 10 * LEAST_BATCH, 0.02
    inputs, goals = decisions(pupil.blueprint, m, 8)
    equal = pupil.fit(pupil.listed(inputs), goals, rate, np.random.default_rng(5))

    seen = inputs.copy()
    seen[:, UNREAD] = 0.0
    x, wanted, order, size = th.from_numpy(seen), th.from_numpy(goals), np.random.default_rng(5), m // BATCHES
    adam = th.optim.Adam(actor.parameters(), lr=rate, eps=ADAM_EPSILON)
    last, cut = 0.0, 0
    for _ in range(PASSES):
        for part in th.from_numpy(order.permutation(m)).split(size):
            log = masked_log_chances(actor(x[part]), x[part][:, -A:] > 0.5)
            adam.zero_grad()
            (-(wanted[part] * log).sum(dim=1).mean()).backward()
            cut += int(th.nn.utils.clip_grad_norm_(actor.parameters(), LONGEST) > LONGEST)
            adam.step()
            last = th.minimum(log.exp(), wanted[part]).sum(dim=1).mean().item()
    assert pupil.steps == PASSES * BATCHES and equal == pytest.approx(last, abs=1e-4)
    weights = pupil.weights()
    for weight, parameter in actor.named_parameters():
        assert np.abs(weights[weight] - parameter.detach().numpy()).max() < 2e-3, weight
    assert not weights["trunk.weight"][:, UNREAD].any()


def test_few_decisions_are_one_batch() -> None:
    pupil, _ = pupils("plain")
    inputs, goals = decisions(pupil.blueprint, LEAST_BATCH, 9)
    pupil.fit(pupil.listed(inputs), goals, 0.01, np.random.default_rng(5))
    assert pupil.steps == PASSES


def test_long_gradients_are_cut() -> None:
    """One of length 5 to length 1: its mean, a tenth of it at first, is 0.06 and 0.08. One of 0.5 stays."""
    for slopes, mean in (((3.0, 4.0), (0.06, 0.08)), ((0.3, 0.4), (0.03, 0.04))):
        pupil, _ = pupils("plain")
        pupil.gradient[0] = 0.0
        pupil.gradient[0, :2] = slopes
        pupil._step(0.0)
        assert pupil.first[:2].tolist() == pytest.approx(mean, rel=1e-5)


def test_what_is_no_number_ends_the_lessons() -> None:
    """And leaves the weights as they were."""
    pupil, _ = pupils("plain")
    before = pupil.vector.copy()
    pupil.gradient[0, 3] = np.nan
    with pytest.raises(Diverged, match=r"the lessons diverged: .* is nan; take a lower learning_rate \(0\.01\)"):
        pupil._step(0.01)
    assert (pupil.vector == before).all() and pupil.steps == 0


def test_lists_tell_what_is_not_as_usual_and_what_is_legal() -> None:
    """Four decisions by hand, far more numbers than there is room for at first."""
    blueprint = Blueprint(L, A, 8)
    weights = {n: np.zeros(shape, np.float32) for n, shape in blueprint.shapes().items()}
    pupil = Pupil(blueprint, weights, USUAL.copy(), UNREAD)
    inputs = np.zeros((9, L + A), np.float32)
    inputs[:, :L] = np.arange(1, L + 1)
    inputs[1, :L] = USUAL
    inputs[:, L + 3] = inputs[2, L + 7] = 1.0
    lists = pupil.listed(inputs)
    read = [i for i in range(L) if i not in UNREAD]
    assert lists.observed.tolist() == [27, 0, *[27] * 7] and lists.totals.tolist() == [28, 1, 29, *[28] * 6]
    assert lists.starts.tolist() == [0, 28, 29, *range(58, 58 + 6 * 28, 28)]
    assert lists.index[:29].tolist() == [*read, L + 3, L + 3] and lists.index[56:58].tolist() == [L + 3, L + 7]
    wanted = [i + 1 - (0.0 if i in UNREAD else float(USUAL[i])) for i in read]
    assert lists.values[:29].tolist() == pytest.approx([*wanted, 1.0, 1.0])
    assert lists.answers.shape == (9, 0)
