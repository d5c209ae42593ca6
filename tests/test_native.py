"""The native learner: gradients and steps beside torch, lists beside written-out rows, exact resume, any threads."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch as th

from probespiel.agents.advice import Advice
from probespiel.agents.net_layout import TOGETHER, net_of, pack, unpack
from probespiel.agents.net_pass import drawn
from probespiel.agents.policy_net import Blueprint, Group, PolicyNet
from probespiel.agents.vectors import exp_of, tanh_of
from probespiel.envs.core import learner_tables
from probespiel.envs.core.abi import STOPPED, address_of
from probespiel.envs.core.errors import IllegalAction, ProbespielError
from probespiel.envs.core.jit import config as numba_config
from probespiel.envs.core.jit import driver
from probespiel.envs.core.listed_play import lists
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.rows import list_values
from probespiel.training import native
from probespiel.training.callbacks import Meter
from probespiel.training.config import train_config
from probespiel.training.league import League
from probespiel.training.learner import Batch, TorchLearner, advantages_of, loss_of
from probespiel.training.native import PARTS, NativeLearner
from probespiel.training.native_kernel import Span, estimate, set_goals
from probespiel.training.native_step import join_chunks, moments
from probespiel.training.protocol import Coefficients, Diverged
from probespiel.training.selfplay import SelfPlay, limit_threads
from probespiel.training.tables import Tables
from probespiel.training.usual import most_frequent, usual_inputs

limit_threads(1)
SMALL = {"learner": "native", "tables": 64, "steps": 4, "batch": 128, "epochs": 2, "hidden": 16, "evaluate_games": 200}

CARDS = Group("card", 7, 2, ((30 + 2, 1), (3, 1), (11, 1)), legal_only=True)
SEATS = Group("attack", 3, 9, ((30 + 9, 1), (20, 3), (21, 3)), legal_only=False, width=8, compare=3)
BLUEPRINTS = {
    "plain": Blueprint(30, 12, 16),
    "cards": Blueprint(30, 12, 16, (CARDS,)),
    "odd sizes": Blueprint(30, 12, 13, (CARDS, SEATS)),
    "advised": Blueprint(30, 12, 72, (SEATS,), ("random", "card_only", "honest")),
}


USUAL = np.where(np.arange(30) % 3 == 0, np.linspace(-0.8, 1.3, 30), 0.0).astype(np.float32)  # as 3, 9 and 21 of cards


def learners(blueprint, **settings):
    """The learner in torch and the native one for the same network and the same random weights."""
    settings = {"tables": 16, "steps": 4, "batch": 32, "epochs": 2, **settings}
    config = train_config("kuhn", hidden=blueprint.hidden, **settings)
    rng = np.random.default_rng(3)
    found = []
    for maker in (TorchLearner, NativeLearner):
        league = League(blueprint, config.opponents, config.places, config.seed)
        tables = Tables([make_game("kuhn")], [16], league, config.seed, Advice(()))
        found.append(maker(config, blueprint, tables, league, th.device("cpu")))
    torch, native = found
    native.expect(USUAL)
    arrays, values = torch.state()
    for name, array in arrays.items():
        if name.partition(".")[0] in torch.nets:  # the average is another policy than the current one
            arrays[name] = rng.normal(0, 0.3, array.shape).astype(np.float32)
    torch.load(arrays, values)
    native.load({**arrays, "noise": native.state()[0]["noise"]}, values)
    return torch, native


def decisions_for(torch, native):
    """Random decisions for both, most of them such that ratios are near the limits of the clip."""
    blueprint, rng = torch.blueprint, np.random.default_rng(7)
    m, a, k = torch.config.per_update, blueprint.actions, len(blueprint.advisers)
    masks = rng.random((m, a)) < 0.4
    masks[:, 5] |= ~masks.any(axis=1)
    legal = [np.flatnonzero(row) for row in masks]
    answers = np.array([rng.choice(row, k) for row in legal]).reshape(m, k)
    seen = np.where(rng.random((m, blueprint.observation)) < 0.3, rng.random((m, blueprint.observation)), 0.0)
    seen = np.where(np.random.default_rng(11).random(seen.shape) < 0.4, USUAL, seen).astype(np.float32)
    inputs = th.from_numpy(np.concatenate([seen, answers, masks], axis=1).astype(np.float32))
    actions = th.from_numpy(np.array([rng.choice(row) for row in legal]))
    with th.no_grad():
        logits = torch.actor(inputs).masked_fill(~th.from_numpy(masks), -1e8)
    then = logits.log_softmax(dim=1)
    noise = [th.from_numpy(rng.normal(0, scale, m).astype(np.float32)) for scale in (0.05, 1.0, 1.0, 1.0)]
    log_chances = then.gather(1, actions[:, None]).squeeze(1) + noise[0]
    every = then.scatter(1, actions[:, None], log_chances[:, None])
    batch = Batch(inputs, actions, log_chances, noise[1], noise[2], noise[3], every)

    sparse = np.concatenate([seen - USUAL, masks], axis=1).astype(np.float32)
    index = [np.flatnonzero(row) for row in sparse]
    counts, choices = (
        np.array([len(i) for i in index]),
        [int(np.searchsorted(i, c)) for i, c in zip(legal, actions.tolist())],
    )
    then = [row[i].numpy().copy() for row, i in zip(then, legal)]
    for row, choice, chance in zip(then, choices, log_chances):
        row[choice] = float(chance)
    sizes = np.array([len(i) for i in legal])
    native.rewards, native.ends = (
        rng.normal(size=(16, 4)).astype(np.float32),
        (rng.random((16, 4)) < 0.3).astype(np.int8),
    )
    torch.rewards, torch.ends = th.from_numpy(native.rewards), th.from_numpy(native.ends.astype(np.float32))
    ahead = rng.normal(size=16).astype(np.float32)
    torch.ahead, native.ahead = lambda: th.from_numpy(ahead), lambda: ahead
    native.decided = native.decided._replace(
        index=np.concatenate(index).astype(np.int32), values=np.concatenate([r[i] for r, i in zip(sparse, index)]),
        starts=counts.cumsum() - counts, observed=counts - sizes, totals=counts, legal=sizes.cumsum() - sizes,
        then=np.concatenate(then), goals=np.zeros(sizes.sum(), np.float32), answers=answers.astype(np.int32),
        choices=np.array(choices), critic=noise[1].numpy().copy(), advantages=noise[2].numpy().copy(),
        returns=noise[3].numpy().copy(),
    )  # fmt: skip
    return batch


@pytest.mark.parametrize("name", BLUEPRINTS)
@pytest.mark.parametrize(
    ("settings", "coefficients"),
    [
        ({}, {}),
        ({"loss": "ppo", "normalize": False}, {"entropy": 0.3}),
        ({"loss": "ppo", "clip": 0.08, "stay": 0.7}, {"even": 0.5}),  # it is held by its clip alone
        ({"anchor": 0.4, "gradient_limit": 100.0}, {"entropy": 0.3, "even": 0.5}),
        ({"anchor": 0.4}, {"entropy": 0.3, "even": 0.5, "values_only": True}),
        ({"anchor": 0.4, "loss": "mmd", "stay": 0.7}, {"entropy": 0.1}),
        ({"anchor": 0.4, "loss": "hedge", "stay": 0.7}, {"entropy": 0.1, "even": 0.2}),
        ({"advantages": "vtrace", "discount": 0.9, "trace": 0.8}, {}),
    ],
)
def test_gradient_loss_and_steps_are_those_of_torch(name, settings, coefficients):
    torch, native = learners(BLUEPRINTS[name], **settings)
    batch = decisions_for(torch, native)
    now = Coefficients(**{"learning_rate": 1e-3, "entropy": 0.0, "even": 0.0, **coefficients})
    rows = np.concatenate([np.arange(64), np.arange(20, 52)])
    assert len(rows) // PARTS > TOGETHER  # each part has more than are looked at together
    part = batch.rows(th.from_numpy(rows))
    with th.no_grad():
        goal = torch.mean(part.inputs) if torch.config.anchor else None
    logits, values = torch.actor(part.inputs), torch.critic(part.inputs).flatten()
    loss, wanted = loss_of(logits, values, goal, torch.masks(part.inputs), part, torch.config, now)
    loss.backward()
    native.recall_average()
    terms = native.gradient(rows, now)
    for term, value in wanted.items():
        assert terms[term] == pytest.approx(value.item(), abs=1e-5), term
    slopes = native._views(native.gradients.sum(axis=0))
    for net in ("actor", "critic"):
        for weight, parameter in torch.nets[net].named_parameters():
            slope = np.zeros(parameter.shape) if parameter.grad is None else parameter.grad.numpy()
            np.testing.assert_allclose(slopes[net][weight], slope, atol=1e-5, err_msg=f"{net}.{weight}")
    torch.optimizer.zero_grad()

    ours, theirs = native.learn(now), torch.learn(batch, now)  # two passes over two batches
    assert ours == pytest.approx(theirs, abs=1e-5)
    assert ours["train/clip_fraction"] > 0.1
    if not now.values_only:
        torch.move_average()
        native.move_average()
    found, expected = native.state()[0], torch.state()[0]
    assert set(found) == set(expected)
    for array in set(expected) - {"noise"}:
        if array.endswith("card.compare.weight"):
            # all cards that are looked at are legal: only rounding moves what they have in common, in torch
            found[array], expected[array] = found[array][:, 1:], expected[array][:, 1:]
        np.testing.assert_allclose(found[array], expected[array], atol=1e-5, err_msg=array)


def test_a_net_that_has_learned_for_longer_takes_steps_of_its_own():
    """Values alone are learned first: then the critic is in its fourth step of Adam where the actor begins."""
    torch, native = learners(next(iter(BLUEPRINTS.values())))
    batch, now = decisions_for(torch, native), Coefficients(learning_rate=1e-3, entropy=0.0, even=0.0)
    for values_only in (True, False):
        coefficients = now._replace(values_only=values_only)
        assert native.learn(coefficients) == pytest.approx(torch.learn(batch, coefficients), abs=1e-5)
    assert native.steps == {"actor": 4, "critic": 8}
    found, expected = native.state()[0], torch.state()[0]
    for array in set(expected) - {"noise"}:
        if not array.endswith("card.compare.weight"):
            np.testing.assert_allclose(found[array], expected[array], atol=1e-5, err_msg=array)


@pytest.mark.parametrize(("first", "sizes"), [(0, (1024, 1024, 452)), (300, (1024, 1024, 152)), (2400, (100,))])
def test_chunks_of_gradients_add_up_whoever_does_them(first, sizes):
    rng = np.random.default_rng(8)
    given = rng.normal(size=(3, 2500)).astype(np.float32)
    for cut in range(len(sizes) + 1):
        grads, squares = given.copy(), np.full(len(sizes), -1.0)
        join_chunks(grads, squares, first, cut, len(sizes))
        join_chunks(grads, squares, first, 0, cut)
        whole = given.sum(axis=0)
        np.testing.assert_allclose(grads[0, first:], whole[first:], atol=1e-6)
        assert (grads[0, :first] == given[0, :first]).all()
        ends = first + np.cumsum((0, *sizes))
        expected = [float((whole[a:b].astype(np.float64) ** 2).sum()) for a, b in pairwise(ends)]
        assert squares == pytest.approx(expected, rel=1e-5)


def test_advantages_of_a_batch_have_the_spread_of_a_sample():
    """Of 3, 5 and 10 the mean is 6 and the squares are 9, 1 and 16, over two."""
    values = np.array([3, 99, 5, -7, 10], np.float32)
    assert moments(values, np.array([0, 2, 4])) == pytest.approx((6.0, 13**0.5))


@pytest.mark.skipif(numba_config.DISABLE_JIT, reason="nothing is compiled here")
def test_the_same_loops_run_interpreted():
    """Two networks with groups and advisers, in a process of its own: the loops as written, and vectors by numpy."""
    tests = f"{Path(__file__)}::test_gradient_loss_and_steps_are_those_of_torch"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", tests]
        + ["-k", "settings6 and (cards or advised)"],
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[1],
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "2 passed" in done.stdout


@pytest.mark.parametrize("name", BLUEPRINTS)
def test_no_bit_depends_on_who_is_looked_at_together(name):
    torch, native = learners(BLUEPRINTS[name])
    decisions_for(torch, native)
    found = []
    for ends in ((0, 64), (0, 1, 6, 25, 44, 64)):
        native.decided.goals[:] = np.nan
        for begin, end in pairwise(ends):
            set_goals(native.nets, native.vector, native.decided, Span(begin, end), work=native.works[0].at)
        found.append(native.decided.goals.copy())
    assert (found[0] == found[1]).all()


def test_draws_go_by_the_sum_of_the_chances():
    """Rounding leaves sums that are not 1: of 1, 2 and 1 the second begins at a quarter."""
    chances = np.array([1, 2, 1], np.float32)
    assert [drawn(chances.ctypes.data, 3, u) for u in (0.0, 0.2, 0.3, 0.7, 0.8, 0.999)] == [0, 0, 1, 1, 2, 2]


@driver
def tanh_and_exp(x, shift):
    """Both of float32 numbers in room for whole vectors, as (tanh, exp)."""
    tanh, exp = x.copy(), np.zeros_like(x)
    tanh_of(address_of(tanh), len(x))
    exp_of(address_of(exp), address_of(x), shift, len(x))
    return tanh, exp


def test_tanh_and_exp_are_exact_to_float32():
    x = np.concatenate([np.linspace(-100, 60, 4001), [0.0, 1e-6, -1e-6, 89.0, np.nan, -np.inf, np.inf]])
    x = x.astype(np.float32)
    tanh, exp = tanh_and_exp(x, np.float32(0.5))
    wide, less = x.astype(np.float64), (x - np.float32(0.5)).astype(np.float64)
    np.testing.assert_allclose(tanh, np.tanh(wide), rtol=3e-7, atol=1e-12)
    wanted = np.exp(np.clip(less, -87.0, 88.0))  # what is bounded is no chance any more
    np.testing.assert_allclose(exp, wanted, rtol=3e-7)
    assert np.isnan(tanh[-3])
    assert np.isnan(exp[-3])


def v_trace(rewards, values, ends, ahead, ratios, discount, trace):
    """Targets of values in games of one table, summed up as the equation has it (Espeholt et al. 2018, equation 1)."""
    steps, cut = len(rewards), np.minimum(ratios, 1.0)
    after = np.append(values[1:], ahead)
    surprises = [rewards[t] + discount * after[t] * (not ends[t]) - values[t] for t in range(steps)]
    targets = []
    for s in range(steps):
        total, factor = values[s], 1.0
        for t in range(s, steps):
            total += factor * cut[t] * surprises[t]
            factor *= discount * trace * cut[t]
            if ends[t]:
                break
        targets.append(total)
    return np.array(targets), np.array(surprises)


def test_advantages_are_those_of_torch_and_of_v_trace():
    rng = np.random.default_rng(1)
    rewards, values = rng.normal(size=(2, 5, 7)).astype(np.float32)
    ends = (rng.random((5, 7)) < 0.3).astype(np.int8)
    ahead = rng.normal(size=5).astype(np.float32)
    _, native = learners(BLUEPRINTS["plain"])
    decided = native._room(35, 0)
    decided.critic[:] = values.ravel()
    for ratios in (np.ones((5, 7), np.float32), rng.uniform(0.3, 1.7, (5, 7)).astype(np.float32)):
        estimate(decided, rewards, ends, ahead, ratios.ravel(), Span(0, len(rewards)), discount=0.9, trace=0.8)
        paid, valued, last, after, shares = map(
            th.from_numpy, (rewards, values, ends.astype(np.float32), ahead, ratios)
        )
        better, returns = (x.numpy() for x in advantages_of(paid, valued, last, after, shares, 0.9, 0.8))
        np.testing.assert_allclose(decided.advantages.reshape(5, 7), better, atol=1e-6)
        np.testing.assert_allclose(decided.returns.reshape(5, 7), returns, atol=1e-6)
        for i in range(5):
            targets, surprises = v_trace(rewards[i], values[i], ends[i], ahead[i], ratios[i], 0.9, 0.8)
            np.testing.assert_allclose(returns[i], targets, atol=1e-5)
            further = np.append(targets[1:] - values[i, 1:], 0.0) * (ends[i] == 0)
            np.testing.assert_allclose(better[i], surprises + 0.9 * 0.8 * further, atol=1e-5)
        if (ratios == 1).all():  # generalised advantage estimates
            np.testing.assert_allclose(returns, better + values, atol=1e-6)
    assert np.abs(returns - better - values).max() > 0.1


def test_weights_cross_the_seam_and_what_is_beyond_them_stays_nothing():
    blueprint = BLUEPRINTS["odd sizes"]
    for actor in (True, False):
        net = net_of(blueprint, actor)
        vector = np.arange(1, net.size + 1, dtype=np.float32)
        weights = unpack(blueprint, net, vector)
        again = np.zeros_like(vector)
        pack(blueprint, net, weights, again)
        assert (again[again != 0] == vector[again != 0]).all()
        assert np.count_nonzero(again) == sum(w.size for w in weights.values())
        if actor:
            PolicyNet(blueprint, weights)  # the names and shapes of a policy
    torch, native = learners(blueprint)
    decisions_for(torch, native)
    native.learn(Coefficients(0.01, 0.1, 0.1))
    before = native.vector.copy()
    native.load(*native.state())
    assert (native.vector == before).all()  # nothing beyond the named weights was learnt


# --- whole trainings


def native_of(training):
    """The native learner of a training."""
    assert isinstance(training.learner, NativeLearner)
    return training.learner


def everything(training):
    """All arrays of a training."""
    out = {f"learner.{n}": a for n, a in training.learner.state()[0].items()}
    out |= {f"tables.{n}": a for n, a in training.tables.state_dict().items()}
    return out | {f"league.{n}": a for n, a in training.league.state_dict()[0].items()}


TWO_DUELS = [{"scenario": "billy_tree"}, {"scenario": "rock_face"}]


@pytest.mark.parametrize(
    ("game", "opponents", "scenarios", "by_steps"),
    [
        ("einblatt-duel", {"self": 0.5, "past": 0.3, "random": 0.2}, [{}], True),  # some are asked one after the other
        ("scorekeeper-duel", {"self": 0.6, "past": 0.4}, [{}], False),  # all answer in compiled code, side by side
        ("einblatt-duel", {"self": 0.6, "past": 0.4}, TWO_DUELS, True),
        ("einblatt-duel", {"self": 0.6, "past": 0.4}, TWO_DUELS, False),
    ],
)
def test_any_number_of_threads_gives_the_same_bits(monkeypatch, game, opponents, scenarios, by_steps):
    settings = {**SMALL, "tables": 384, "hidden": 64, "advisers": ()}  # as much as it takes to share out work
    monkeypatch.setattr(native, "CHUNKS_WORTH_SHARING", 8)  # and the numbers of a step, which takes far larger nets
    config = train_config(game, seed=2, anchor=0.1, offer_every=1, opponents=opponents, scenarios=scenarios, **settings)
    begun, found = [], []
    begin = learner_tables.begin_unlocked
    monkeypatch.setattr(
        learner_tables, "begin_unlocked", lambda *given, span: begun.append(span) or begin(*given, span=span)
    )
    try:
        for threads in (1, 3):
            limit_threads(threads)
            training = SelfPlay(config)
            assert (native_of(training).crew.pool is None) is (threads == 1)
            if by_steps:
                native_of(training).throughout = None
            measured = [training.update() for _ in range(3)]
            found.append((measured, everything(training)))
    finally:
        limit_threads(1)
    assert found[0][0] == found[1][0]
    assert all((array == found[1][1][name]).all() for name, array in found[0][1].items())
    assert {span.begin > 0 for span in begun} == (
        {False, True} if by_steps else set()
    )  # beginnings are shared out, too


def test_answers_at_once_are_those_that_were_asked_for():
    """Play and learning are the same, bit by bit, whether policies answer in compiled code or are asked from here."""
    config = train_config("einblatt-duel", seed=5, offer_every=1, opponents={"self": 0.6, "past": 0.4}, **SMALL)
    found = []
    for at_once in (True, False):
        training = SelfPlay(config)
        learner, asked = native_of(training), []
        learner.throughout = None
        play, answer = learner.tables.plays[0], learner.tables.plays[0].answer
        play.answer = lambda *question, answer=answer, asked=asked: asked.append(1) or answer(*question)
        if not at_once:
            play.at_once = None
        for _ in range(3):
            training.update()
        assert bool(asked) is not at_once
        found.append(everything(training))
    assert all((array == found[1][name]).all() for name, array in found[0].items())


@pytest.mark.parametrize("told_from", ["0", "usual"])
def test_lists_tell_differences_and_leave_zeros(told_from):
    """What differs in whole blocks and in the rest behind them, -0 and nan included; the next seat finds zeros."""
    game = make_game("kuhn")
    rng = np.random.default_rng(3)
    for size in (5, 32, 64, 71):
        usual = np.where(rng.random(size) < 0.5, 1.5, 0.0).astype(np.float32)
        seen = np.where(rng.random(size) < 0.4, 2.0, usual if told_from == "usual" else 0.0).astype(np.float32)
        seen[[0, -1]] = -0.0, np.nan
        expected = seen - (usual if told_from == "usual" else 0.0)
        rows = lists(game, 2, usual if told_from == "usual" else None)
        rows = rows._replace(index=np.full((2, size + 4), -7, np.int32), values=np.zeros((2, size + 4), np.float32))
        which = np.flatnonzero(expected)
        assert list_values(seen, rows, 1) == len(which) == rows.sizes[1, 0] == rows.sizes[1, 1]
        assert rows.index[1, : len(which)].tolist() == which.tolist()
        np.testing.assert_array_equal(rows.values[1, : len(which)], expected[which])
        assert (rows.index[0] == -7).all() and not seen.any() and not np.isnan(seen).any()


def test_games_that_ended_are_counted_by_opponent():
    """Two steps of games, by hand: 1 and 3 against the policy itself, 5 against the past, -2 against an agent."""
    league = League(BLUEPRINTS["plain"], {"self": 1.0, "past": 1.0, "random": 1.0}, 4, 0)
    meter = Meter(league)
    meter.count_all(np.array([[0, -1], [-1, 2]]), np.array([1.0, 5.0]))
    meter.count_all(np.zeros((0, 2), np.int64), np.zeros(0))
    meter.count_all(np.array([[0, 0], [0, 5]]), np.array([3.0, -2.0]))
    told = {"play/games": 4.0, "play/against_self": 2.0, "play/against_past": 5.0, "play/against_random": -2.0}
    assert meter.take() == told
    assert meter.take() == {"play/games": 0.0}


@pytest.mark.parametrize("threads", [1, 2])
def test_a_choice_that_is_not_legal_is_refused_by_name(threads):
    """Whoever decides just before the tables move is checked there, in whatever part of the work."""
    try:
        limit_threads(threads)
        config = train_config("kuhn", seed=1, opponents={"self": 1.0}, **{**SMALL, "tables": 256, "batch": 512})
        training = SelfPlay(config)
        tables = native_of(training).tables
        tables.show()
        actions, n = np.zeros(256, np.int64), 256

        def decide(begin, end, part):
            for table in range(begin, end):
                actions[table] = tables.rows.index[table, tables.rows.sizes[table, 0]] - training.game.layout.size
            if begin <= 200 < end:
                actions[200] = 77

        with pytest.raises(IllegalAction, match="table 200, the learner"):
            tables.play(actions, np.zeros(n), np.zeros(n, np.int8), decide)
    finally:
        limit_threads(1)


@pytest.mark.parametrize("game", ["einblatt-duel", "oneshot-skirmish"])
def test_chances_are_those_of_what_a_seat_is_shown(game):
    """What is told as a difference from the usual gives the chances of the same network for the whole observation."""
    training = SelfPlay(train_config(game, seed=4, advisers=(), opponents={"self": 1.0}, **SMALL))
    learner, env = native_of(training), training.tables.envs[0]
    assert len(learner.usual[0]) > 30
    for _ in range(2):
        training.update()
    learner.by_steps.make_room(0, 0, 0)
    learner.by_steps.decider(0, np.empty(env.num_envs, np.int64))(0, env.num_envs, 0)
    decided, net = learner.decided, training.net(current=True)
    shown = 0
    for table in range(8):
        position, seat, d = env.position(table), int(env.seats[table]), table * training.config.steps
        observation, mask = position.observe(seat), position.mask(seat)
        chances = net.probabilities(observation[None], mask[None])[0][np.flatnonzero(mask)]
        then = decided.then[decided.legal[d] :][: len(chances)]
        np.testing.assert_allclose(np.exp(then), chances, atol=1e-5)
        shown += np.count_nonzero(observation) - decided.observed[d]
    assert shown > 8 * 15  # numbers that are usual, and not told
    training.league.set_current(learner.weights())
    learner._know_opponents()
    assert (learner.policies[0] == learner.vector[: learner.actor.size]).all()  # with what is usual


def test_what_is_usual_is_what_more_than_half_see():
    seen = np.array([[1, 2, 0, 5], [1, 2, 0, 6], [1, 3, 4, 6], [0, 3, 0, 7]], np.float32)
    assert most_frequent(seen).tolist() == [1, 0, 0, 0]  # 2 and 3 are seen by half each, 6 by half
    assert most_frequent(seen[:3]).tolist() == [1, 2, 0, 6]
    game = make_game("einblatt-duel")
    usual, first = usual_inputs([game], [1]), game.position(1).observe(0)
    assert (usual == usual_inputs([game], [1000])).all()
    assert 30 < np.count_nonzero(usual) < np.count_nonzero(first)


def test_opponents_draw_from_the_chances_of_their_policies():
    """Two policies that differ: how often an action is answered is its chance in the network that was meant."""
    game = make_game("kuhn")
    config = train_config("kuhn", places=1, opponents={"past": 1.0}, **{**SMALL, "tables": 4096, "batch": 4096})
    training = SelfPlay(config)
    learner, league = native_of(training), training.league
    rng = np.random.default_rng(0)
    for offer in (league.set_current, league.offer):
        offer({n: rng.normal(0, 0.5, shape).astype(np.float32) for n, shape in training.blueprint.shapes().items()})
    learner._know_opponents()
    learner.tables.show()
    env, play = training.tables.envs[0], learner.tables.plays[0]
    n = env.num_envs
    env.opponent_ids[:] = (np.arange(n) % 2)[:, None]
    env.states[:] = env.states[0]  # one question for all
    env.seats[:] = env.seats[0]
    play.look()
    seeds = rng.integers(1 << 63, size=n).astype(np.uint64)
    answers = learner.answer(env, play.own, env.seats, np.arange(n), seeds)
    position = env.position(0)
    seat = int(env.seats[0])
    for which, net in enumerate((league.current, league.past[0])):
        assert net is not None
        chances = net.probabilities(position.observe(seat)[None], position.mask(seat)[None])[0]
        often = np.bincount(answers[which::2], minlength=2) / (n / 2)
        assert often == pytest.approx(chances, abs=4 * (0.25 / (n / 2)) ** 0.5)
        assert abs(chances[0] - 0.5) > 0.05
    assert game.n_actions == 2


def test_games_that_were_stopped_are_worth_what_they_promised():
    config = train_config("kuhn", seed=1, discount=0.9, **SMALL)
    plain, stopped = SelfPlay(config), SelfPlay(config)
    tables = native_of(stopped).tables
    play = tables.play

    def stopping(actions, rewards, ends, decide=None):
        games = play(actions, rewards, ends, decide)
        ends[ends != 0] = STOPPED
        return games

    tables.play = stopping
    found = []
    for training in (plain, stopped):
        learner = native_of(training)
        learner.throughout = None
        critic = learner._views(learner.vector)["critic"]
        critic["value.weight"][:], critic["value.bias"][:] = 0.0, 1.0  # every position promises 1
        training.league.set_current(learner.weights())
        learner.collect()
        found.append(learner.decided.returns)
    differ = found[0] != found[1]
    assert 0.2 < differ.mean() < 1.0
    ended = native_of(plain).ends != 0
    assert native_of(stopped).rewards - native_of(plain).rewards == pytest.approx(np.where(ended, 0.9, 0.0), abs=1e-6)


@pytest.mark.parametrize("learner", ["native", "torch"])
def test_every_third_policy_is_offered_to_the_league(learner):
    """Those after three and six updates, of seven; the third is the one that plays then."""
    training = SelfPlay(train_config("kuhn", seed=1, offer_every=3, **{**SMALL, "learner": learner}))
    offered = []
    training.league.offer = lambda weights: offered.append((training.learner.updates, weights["trunk.weight"].copy()))
    now = Coefficients(learning_rate=1e-3, entropy=0.0, even=0.0)
    for number in range(7):
        training.learner.update(now)
        if number == 2:
            assert np.array_equal(offered[0][1], training.learner.weights()["trunk.weight"])
    assert [updates for updates, _ in offered] == [3, 6]


def test_a_training_that_diverges_is_stopped_and_says_so():
    training = SelfPlay(train_config("kuhn", **SMALL))
    training.update()
    learner = native_of(training)
    learner._views(learner.vector)["critic"]["value.bias"][:] = np.inf
    before = learner.weights()
    with pytest.raises(Diverged, match=r"diverged after 512 decisions: .* nan; .* learning_rate \(0.003\)"):
        training.update()
    assert all((w == before[name]).all() for name, w in learner.weights().items())

    training = SelfPlay(train_config("kuhn", **{**SMALL, "learner": "torch"}))
    assert isinstance(training.learner, TorchLearner)
    training.learner.critic.value.bias.data.fill_(np.inf)
    with pytest.raises(Diverged, match="policy_loss is nan"):
        training.update()


def test_the_native_learner_runs_on_the_cpu():
    with pytest.raises(ProbespielError, match=r"'cuda'.*learner = 'torch'"):
        SelfPlay(train_config("kuhn", **SMALL), device="cuda")
