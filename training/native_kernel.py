"""Compiled loops of the native learner over many decisions: acting, answering, advantages, the loss, its step.

All work on parts, from a first to a last table or decision, without Python's lock: parts may run side by side, each
with `Work` of its own. What they add up, gradients and sums, has one place for every part, so that the number of
threads changes no bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..agents.net_layout import (
    ACTIONS,
    ANSWERS,
    BASE,
    CHANCES,
    D_LOGITS,
    INDEX,
    LOGITS,
    ROW,
    SHOWN,
    SIZE,
    TOGETHER,
    TOTAL,
    TRUNK,
    TRUNK_BIAS,
    VALUES,
    WORDS,
)
from ..agents.net_pass import compiled, drawn
from ..agents.vectors import FAST, add_rows_at, sum_rows_at
from ..envs.core.abi import address_of, call_kernel, copy_bytes, zero_bytes
from ..envs.core.jit import driver
from ..envs.core.memory import get, get_index, get_word, put
from ..envs.core.rng import rand_float

POLICY_LOSS, VALUE_LOSS, ENTROPY, ANCHOR_KL, KL, CLIPPED = range(6)  # sums over decisions
ONE, ZERO = np.float32(1.0), np.float32(0.0)
PPO, MMD, HEDGE = range(3)  # kinds of loss
LEAST_CHANCE = 0.05  # by which `hedge` divides an advantage at least
NO_ANSWERS = np.zeros((1, 0), np.int32)  # of advisers


class Decisions(NamedTuple):
    """m decisions to learn from; decision `table * steps + step`.

    The inputs of decision d are `index` (int32) and `values` (float32) from `starts[d]` on: `observed[d]` of the
    observation, `totals[d]` with the legal actions (int64 each). What belongs to each legal action stands from
    `legal[d]` on: `then`, the logarithm of its chance when the decision was taken, `goals`, that of the anchor, and
    `worth`, what the critic made of it, if that judges every action (else none).
    `answers` int32[m, k] are the advisers', `choices` int64[m] positions among the legal actions; the others are
    float32[m].
    """

    index: Any
    values: Any
    starts: Any
    observed: Any
    totals: Any
    legal: Any
    then: Any
    goals: Any
    worth: Any
    answers: Any
    choices: Any
    critic: Any
    advantages: Any
    returns: Any


class Nets(NamedTuple):
    """Actor and critic: addresses of their layouts, of their vectors, of the turned ones; of the passes; what is usual.

    That are `many` inputs: addresses of which they are (int32), ascending, and of what they usually are (float32).
    `apart` says whether the critic is shown other lists than the actor.
    """

    actor: int
    critic: int
    actor_weights: int
    critic_weights: int
    actor_turned: int
    critic_turned: int
    look: int
    forward: int
    backward: int
    settle: int
    which: int
    usual: int
    many: int
    apart: int


class Span(NamedTuple):
    """Tables or decisions `begin` to `end`, at step `step` of `steps`."""

    begin: int
    end: int
    step: int = 0
    steps: int = 1


class Terms(NamedTuple):
    """Weights of the terms of a loss; advantages count as (advantage - shift) * scale, a decision as `share` of all."""

    kind: int
    clip: float
    entropy: float
    even: float
    anchor: float
    stay: float
    value_weight: float
    shift: float
    scale: float
    share: float
    values_only: int


def parted(function: Any) -> Any:
    """`driver` for a loop over a part of the work."""
    return driver(function, fastmath=FAST, error_model="numpy", nogil=True)


@compiled
def show_decision(decisions, d, work, j):
    """List decision d as the j-th of those that `work` (int64[m, WORDS], see `net_layout`) is about."""
    work[j, SHOWN], work[j, TOTAL] = decisions.observed[d], decisions.totals[d]
    work[j, INDEX] = address_of(decisions.index) + 4 * decisions.starts[d]
    work[j, VALUES] = address_of(decisions.values) + 4 * decisions.starts[d]
    work[j, ANSWERS] = address_of(decisions.answers) + 4 * d * decisions.answers.shape[1]


@compiled
def keep_list(rows, i, decisions, d):
    """Keep row i of some Rows as the inputs of decision d, from `decisions.starts[d]` on."""
    decisions.observed[d], decisions.totals[d] = rows.sizes[i, 0], rows.sizes[i, 1]
    size, begin, at = 4 * rows.sizes[i, 1], 4 * decisions.starts[d], 4 * i * rows.index.shape[1]
    copy_bytes(address_of(decisions.index) + begin, address_of(rows.index) + at, size)
    copy_bytes(address_of(decisions.values) + begin, address_of(rows.values) + at, size)


@compiled
def lay_out(sizes, starts, legal, step, steps, used, used_legal):
    """Say where the decisions of a step are kept (see `Decisions`), behind what is `used`; how much is used then."""
    for i in range(len(sizes)):
        starts[i * steps + step], legal[i * steps + step] = used, used_legal
        used += sizes[i, 1]
        used_legal += sizes[i, 1] - sizes[i, 0]
    return used, used_legal


@compiled
def show_list(rows, answers, i, work, j):
    """List row i of some Rows, with the advisers' answers int32[n, k], as the j-th that `work` is about."""
    work[j, SHOWN], work[j, TOTAL] = rows.sizes[i, 0], rows.sizes[i, 1]
    work[j, INDEX] = address_of(rows.index) + 4 * i * rows.index.shape[1]
    work[j, VALUES] = address_of(rows.values) + 4 * i * rows.values.shape[1]
    work[j, ANSWERS] = address_of(answers) + 4 * i * answers.shape[1]


@compiled
def look_at(nets, weights, net, work, many):
    """Call `net_pass.look` for the `many` decisions that are listed."""
    call_kernel(nets.look, weights, net, address_of(work), many, 0, 0)


@compiled
def decide(nets, weights, net, work, j):
    """Call `net_pass.forward` for the j-th of them; how many actions are legal."""
    return call_kernel(nets.forward, weights, net, address_of(work) + 8 * WORDS * j, 0, 0, 0)


@compiled
def value(nets, work, j):
    """What the critic says of the j-th, which it has looked at."""
    decide(nets, nets.critic_weights, nets.critic, work=work, j=j)
    return get(work[j, LOGITS], 0)


@compiled
def judge(nets, decisions, d, work, j):
    """Keep what the critic makes of the actions of decision d, the j-th that it has looked at; their mean by chance."""
    legal, mean = decisions.legal[d], ZERO
    n = decide(nets, nets.critic_weights, nets.critic, work, j=j)
    for i in range(n):
        worth = get(work[j, LOGITS], i)
        decisions.worth[legal + i] = worth
        mean += np.exp(decisions.then[legal + i]) * worth
    return mean


@parted
def act(nets, rows, whole, answers, decisions, judged, span, noise, actions, work):
    """Decide at the tables of a span, and keep the decisions; `noise` uint64[n] draws, `actions` int64[n] are written.

    `decisions.starts` and `legal` say where each decision is to be kept. `judged` are the same with what the critic is
    shown, which is kept from `whole` (Rows) where that is something else.
    """
    for begin in range(span.begin, span.end, TOGETHER):
        many = min(TOGETHER, span.end - begin)
        for j in range(many):
            i = begin + j
            d = i * span.steps + span.step
            keep_list(rows, i, decisions, d)
            for k in range(answers.shape[1]):
                decisions.answers[d, k] = answers[i, k]
            show_decision(decisions, d, work, j)
        look_at(nets, nets.actor_weights, nets.actor, work, many=many)
        for j in range(many):
            i = begin + j
            d = i * span.steps + span.step
            n = decide(nets, nets.actor_weights, nets.actor, work, j=j)
            choice = drawn(work[j, CHANCES], n, rand_float(noise[i : i + 1]))
            decisions.choices[d] = choice
            actions[i] = get_index(work[j, ACTIONS], choice)
            copy_bytes(address_of(decisions.then) + 4 * decisions.legal[d], work[j, LOGITS], 4 * n)
    for begin in range(span.begin, span.end, TOGETHER):
        many = min(TOGETHER, span.end - begin)
        for j in range(many):
            d = (begin + j) * span.steps + span.step
            if nets.apart:
                keep_list(whole, begin + j, judged, d)
            show_decision(judged, d, work, j)
        look_at(nets, nets.critic_weights, nets.critic, work, many=many)
        for j in range(many):
            d = (begin + j) * span.steps + span.step
            if len(decisions.worth) > 0:
                decisions.critic[d] = judge(nets, decisions, d, work=work, j=j)
            else:
                decisions.critic[d] = value(nets, work, j)


class Asked(NamedTuple):
    """Questions to policies: lists `rows` (Rows), the advisers' `answers` int32[m, k], `which` policy int64[m].

    `seeds` uint64[m] are used up, `actions` int64[m] written; `order` int64[...] are those to be answered.
    """

    rows: Any
    answers: Any
    which: Any
    seeds: Any
    actions: Any
    order: Any


@parted
def answer_rows(nets, policies, asked, span, work):
    """Answer the questions `asked.order[span]`, those of one policy together, by `policies` float32[policies, size]."""
    begin = span.begin
    while begin < span.end:
        which, many = asked.which[asked.order[begin]], 0
        while many < TOGETHER and begin + many < span.end and asked.which[asked.order[begin + many]] == which:
            show_list(asked.rows, asked.answers, asked.order[begin + many], work, j=many)
            many += 1
        weights = address_of(policies) + 4 * policies.shape[1] * which
        look_at(nets, weights, nets.actor, work, many=many)
        for j in range(many):
            r = asked.order[begin + j]
            n = decide(nets, weights, nets.actor, work, j=j)
            choice = drawn(work[j, CHANCES], n, rand_float(asked.seeds[r : r + 1]))
            asked.actions[r] = get_index(work[j, ACTIONS], choice)
        begin += many


@parted
def values_of(nets, rows, answers, span, out, work):
    """The critic's values of lists, float32[m]."""
    for begin in range(span.begin, span.end, TOGETHER):
        many = min(TOGETHER, span.end - begin)
        for j in range(many):
            show_list(rows, answers, begin + j, work, j=j)
        look_at(nets, nets.critic_weights, nets.critic, work, many=many)
        for j in range(many):
            out[begin + j] = value(nets, work, j)


@parted
def means_of(nets, rows, whole, span, chances, out, work):
    """What the critic of every action expects of the policy at lists `rows`, float32[m]; it is shown `whole` (Rows).

    `chances` float32[m, A] are working space.
    """
    for begin in range(span.begin, span.end, TOGETHER):
        many = min(TOGETHER, span.end - begin)
        for j in range(many):
            show_list(rows, NO_ANSWERS, begin + j, work, j=j)
        look_at(nets, nets.actor_weights, nets.actor, work, many=many)
        for j in range(many):
            n = decide(nets, nets.actor_weights, nets.actor, work, j=j)
            for i in range(n):
                chances[begin + j, i] = get(work[j, CHANCES], i)
        for j in range(many):
            show_list(whole, NO_ANSWERS, begin + j, work, j=j)
        look_at(nets, nets.critic_weights, nets.critic, work, many=many)
        for j in range(many):
            mean = ZERO
            for i in range(decide(nets, nets.critic_weights, nets.critic, work, j=j)):
                mean += chances[begin + j, i] * get(work[j, LOGITS], i)
            out[begin + j] = mean


@parted
def set_goals(nets, weights, decisions, span, work):
    """Write `decisions.goals`, what the policy of these weights (float32[actor's], with BASE) would do."""
    for begin in range(span.begin, span.end, TOGETHER):
        many = min(TOGETHER, span.end - begin)
        for j in range(many):
            show_decision(decisions, begin + j, work, j)
        look_at(nets, address_of(weights), nets.actor, work, many=many)
        for j in range(many):
            n = decide(nets, address_of(weights), nets.actor, work, j=j)
            copy_bytes(address_of(decisions.goals) + 4 * decisions.legal[begin + j], work[j, LOGITS], 4 * n)


@parted
def look_again(nets, decisions, judged, span, ratios, work):
    """Write what actor and critic make of decisions now: `critic`, and `ratios` float32[m] of chances to those then.

    The critic is shown `judged`.
    """
    for begin in range(span.begin, span.end, TOGETHER):
        many = min(TOGETHER, span.end - begin)
        for j in range(many):
            show_decision(decisions, begin + j, work, j)
        look_at(nets, nets.actor_weights, nets.actor, work, many=many)
        for j in range(many):
            d = begin + j
            decide(nets, nets.actor_weights, nets.actor, work, j=j)
            choice = decisions.choices[d]
            ratios[d] = np.exp(get(work[j, LOGITS], choice) - decisions.then[decisions.legal[d] + choice])
        for j in range(many):
            show_decision(judged, begin + j, work, j)
        look_at(nets, nets.critic_weights, nets.critic, work, many=many)
        for j in range(many):
            decisions.critic[begin + j] = value(nets, work, j)


@parted
def estimate(decisions, rewards, ends, ahead, ratios, span, discount, trace):
    """V-trace (Espeholt et al. 2018, equation 1): advantages and what values should have been; see `advantages_of`.

    Of the tables of a span. `rewards`, `ends` [n, steps], `ahead` [n]; `ends` is 0 where a game went on after the
    decision; `ahead` values what comes after the last one. `ratios` float32[m] are chances of what was done to those
    when it was done, cut at 1.

    Where the critic judges every action, returns are about the action that was taken, and so is what further returns
    are compared with: neither varies with which action the policy happened to draw.
    """
    steps = rewards.shape[1]
    for i in range(span.begin, span.end):
        after, gained = ahead[i], ZERO
        for t in range(steps - 1, -1, -1):
            d = i * steps + t
            on = ZERO if ends[i, t] != 0 else ONE
            value, ratio = decisions.critic[d], min(ratios[d], ONE)
            told = value
            if len(decisions.worth) > 0:
                told = decisions.worth[decisions.legal[d] + decisions.choices[d]]
            surprise = rewards[i, t] + discount * after * on - told
            further = discount * trace * on * gained
            gained = ratio * (surprise + further)
            decisions.advantages[d] = surprise + further + (told - value)
            decisions.returns[d] = gained + told
            after = value


@compiled
def hedge_slopes(decisions, d, n, terms, better, work):
    """Write the gradient of `learner.hedge_of` in the n logits of decision d, D_LOGITS; `better` is its advantage.

    Where the critic judges every action, each has the advantage that it tells, and the one that was taken by how much
    it was better than told, over its chance: on average the same, but of much less variance (Schmid et al. 2019,
    Variance Reduction in Monte Carlo Counterfactual Regret Minimization).
    """
    choice, legal = decisions.choices[d], decisions.legal[d]
    judged = len(decisions.worth) > 0
    if judged:
        better -= (decisions.worth[legal + choice] - decisions.critic[d] - terms.shift) * terms.scale
    logs, chances, out = work[LOGITS], work[CHANCES], work[D_LOGITS]
    mean = 0.0
    for i in range(n):
        chance, log = np.float64(get(chances, i)), np.float64(get(logs, i))
        gradient = terms.entropy * log + 2.0 * terms.even * chance
        if terms.anchor > 0.0:
            gradient += terms.anchor * (log - decisions.goals[legal + i])
        if terms.stay > 0.0:
            gradient += terms.stay * (log - decisions.then[legal + i])
        if judged:
            gradient -= decisions.worth[legal + i] * terms.scale
        if i == choice:
            gradient -= better / max(np.exp(np.float64(decisions.then[legal + i])), LEAST_CHANCE)
        put(out, i, np.float32(gradient))
        mean += gradient / n
    for i in range(n):
        put(out, i, np.float32((get(out, i) - mean) * terms.share))


@compiled
def slopes(decisions, d, n, terms, sums, work):
    """Add the terms of the loss of decision d, and write its gradient in the n logits, D_LOGITS; after `forward`."""
    choice, legal = decisions.choices[d], decisions.legal[d]
    logs, chances, out = work[LOGITS], work[CHANCES], work[D_LOGITS]
    log_ratio = np.float64(get(logs, choice) - decisions.then[legal + choice])
    ratio = np.exp(log_ratio)
    better = (decisions.advantages[d] - terms.shift) * terms.scale
    low, high = 1.0 - terms.clip, 1.0 + terms.clip
    limited = min(max(ratio, low), high)
    worth, slope = better * ratio, -better * ratio
    if terms.kind == PPO and better * limited < worth:
        worth, slope = better * limited, 0.0
    entropy, square, from_anchor, from_then = 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        chance, log = np.float64(get(chances, i)), np.float64(get(logs, i))
        if chance > 0.0:
            entropy -= chance * log
        square += chance * chance
        from_then += chance * (log - decisions.then[legal + i])
        if terms.anchor > 0.0:
            from_anchor += chance * (log - decisions.goals[legal + i])
    if terms.kind == HEDGE:
        hedge_slopes(decisions, d, n, terms, better=better, work=work)
    else:
        for i in range(n):
            chance, log = np.float64(get(chances, i)), np.float64(get(logs, i))
            gradient = terms.entropy * (log + entropy) + 2.0 * terms.even * (chance - square) - slope
            if terms.anchor > 0.0:
                gradient += terms.anchor * (log - decisions.goals[legal + i] - from_anchor)
            if terms.stay > 0.0:
                gradient += terms.stay * (log - decisions.then[legal + i] - from_then)
            put(out, i, np.float32((chance * gradient + (slope if i == choice else 0.0)) * terms.share))
    sums[POLICY_LOSS] -= worth
    sums[ENTROPY] += entropy
    sums[ANCHOR_KL] += from_anchor
    sums[KL] += ratio - 1.0 - log_ratio
    if ratio > high or ratio < low:
        sums[CLIPPED] += 1.0


@compiled
def teach_usual(nets, grads, net):
    """Add the gradient of what the trunk makes of usual inputs, which every decision has: that of the bias."""
    trunk, bias = grads + 4 * get_word(net, TRUNK), grads + 4 * get_word(net, TRUNK_BIAS)
    add_rows_at(trunk, nets.which, nets.usual, bias, nets.many, get_word(net, ROW))


@parted
def expect_usual(nets, weights, net):
    """Work out BASE of the weights at an address: what the trunk makes of an observation that is as usual."""
    trunk, bias = weights + 4 * get_word(net, TRUNK), weights + 4 * get_word(net, TRUNK_BIAS)
    base = weights + 4 * get_word(net, BASE)
    sum_rows_at(base, bias, trunk, nets.which, nets.usual, nets.many, get_word(net, ROW))


@parted
def learn(nets, decisions, judged, rows, span, terms, grads, sums, work):
    """The gradient of the loss of decisions `rows[span]`, float32[actor's and critic's], written; adds to `sums`.

    The critic is shown `judged`.
    """
    zero_bytes(address_of(grads), 4 * len(grads))
    to_actor, memory = address_of(grads), address_of(work)
    to_critic = to_actor + 4 * get_word(nets.actor, SIZE)
    for begin in range(span.begin, span.end, TOGETHER):
        many = min(TOGETHER, span.end - begin)
        for j in range(many):
            show_decision(decisions, rows[begin + j], work, j)
        look_at(nets, nets.actor_weights, nets.actor, work, many=many)
        for j in range(many):
            n = decide(nets, nets.actor_weights, nets.actor, work, j=j)
            slopes(decisions, rows[begin + j], n, terms, sums=sums, work=work[j])
            if not terms.values_only:
                one = memory + 8 * WORDS * j
                call_kernel(nets.backward, nets.actor_weights, nets.actor_turned, to_actor, nets.actor, one, 0)
        if not terms.values_only:
            call_kernel(nets.settle, nets.actor_turned, to_actor, nets.actor, memory, many, 0)
    for begin in range(span.begin, span.end, TOGETHER):
        many = min(TOGETHER, span.end - begin)
        for j in range(many):
            show_decision(judged, rows[begin + j], work, j)
        look_at(nets, nets.critic_weights, nets.critic, work, many=many)
        for j in range(many):
            d = rows[begin + j]
            n, at = decide(nets, nets.critic_weights, nets.critic, work, j=j), 0
            if len(decisions.worth) > 0:  # the action that was taken alone has a return
                zero_bytes(work[j, D_LOGITS], 4 * n)
                at = decisions.choices[d]
            error = np.float64(get(work[j, LOGITS], at) - decisions.returns[d])
            sums[VALUE_LOSS] += error * error
            put(work[j, D_LOGITS], at, np.float32(2.0 * terms.value_weight * terms.share * error))
            one = memory + 8 * WORDS * j
            call_kernel(nets.backward, nets.critic_weights, nets.critic_turned, to_critic, nets.critic, one, 0)
        call_kernel(nets.settle, nets.critic_turned, to_critic, nets.critic, memory, many, 0)
    if not terms.values_only:
        teach_usual(nets, to_actor, nets.actor)
    teach_usual(nets, to_critic, nets.critic)
