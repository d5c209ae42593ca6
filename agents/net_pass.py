"""The compiled pass of decisions through a network, and loops that the pass backwards needs as well.

The networks are those of `nets.py`. A decision comes as a list of the inputs that are not as usual, the legal actions
last (`envs.core.rows.Rows`); logits are computed for legal actions alone. `weights`, and
`turned` and `grads` on the way back, are addresses of vectors, `net` of a layout and `work` of memory, as `net_layout`
lays them out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..envs.core.abi import zero_bytes
from ..envs.core.jit import driver
from ..envs.core.memory import get, get_index, get_word, put, put_index
from .net_layout import (
    ACTION,
    ACTIONS,
    ADVISERS,
    ANSWERS,
    BASE,
    CHANCES,
    CHANNEL,
    CHANNEL_AT,
    CHANNELS,
    CHOSEN,
    COLUMNS,
    COMPARE,
    CONTEXT,
    CONTEXT_BIAS,
    COUNTS,
    FEATURES,
    GATE,
    GATE_BIAS,
    GROUPS,
    HEAD,
    HEAD_BIAS,
    HIDDEN,
    INDEX,
    INPUTS,
    IS_ACTOR,
    ITEM_AT,
    ITEMS,
    JOIN,
    JOIN_BIAS,
    JOINED,
    JUDGES,
    LEGAL_ONLY,
    LOGITS,
    LONG,
    MIX,
    MIX_BIAS,
    MIXED,
    MOST_CHANNELS,
    MOST_COMPARED,
    N_GROUPS,
    OBSERVATION,
    PAIRS,
    PAIRS_AT,
    PLACES,
    POOL,
    QUERIES,
    QUERY,
    QUERY_BIAS,
    ROW,
    SCORES,
    SEEN,
    SHOWN,
    SUM_AT,
    SUMS,
    THE_CONTEXT,
    THING,
    THINGS,
    TOTAL,
    TRUNK,
    USUAL,
    VALUES,
    WIDE_THING,
    WIDTH,
    WORDS,
)
from .policy_net import COMPARE_SCALE, RANK_SCALE
from .vectors import (
    FAST,
    QUAD,
    add_rows,
    dot,
    exp_of,
    quad_differences,
    quad_shift,
    sum_products,
    sum_rows,
    sum_rows_at,
    tanh_of,
)

COMPARED, RANKED = np.float32(COMPARE_SCALE), np.float32(RANK_SCALE)
ONE, ZERO = np.float32(1.0), np.float32(0.0)


def compiled(function: Any) -> Any:
    """`driver` for the loops of the learner, which make no arrays."""
    return driver(function, fastmath=FAST, error_model="numpy", allocates=False)


@compiled
def sum_from(out, start, rows, x, count, n):
    """`vectors.sum_rows`, compiled once."""
    sum_rows(out, start, rows, x, count, n)


@compiled
def sum_into(out, rows, x, count, n):
    """out[:n] += sum over e < count of x[e] * rows[e, :n]; addresses of float32."""
    sum_from(out, out, rows, x, count=count, n=n)


@compiled
def add_to(rows, x, add, count, n):
    """`vectors.add_rows`, compiled once."""
    add_rows(rows, x, add, count, n)


@compiled
def add_scaled(out, factor, add, n):
    """out[:n] += factor * add[:n]; addresses of float32."""
    add_to(out, factor, add=add, count=1, n=n)


# --- forwards


@compiled
def look_at_things(net, group, work):
    """Choose the things of a group, and gather their channels; the inputs stand in INPUTS. Their number."""
    base, items = get_word(group, ITEM_AT), get_word(group, ITEMS)
    chosen, inputs, index = get_word(work, CHOSEN) + 4 * base, get_word(work, INPUTS), get_word(work, INDEX)
    n = 0
    if get_word(group, LEGAL_ONLY):
        first = get_word(net, OBSERVATION) + get_word(group, ACTION)
        for e in range(get_word(work, SHOWN), get_word(work, TOTAL)):
            thing = get_index(index, e) - first
            if 0 <= thing < items:
                put_index(chosen, n, thing)
                n += 1
    else:
        for thing in range(items):
            put_index(chosen, thing, thing)
        n = items
    channels, channel_at = get_word(group, CHANNELS), net + 8 * get_word(group, CHANNEL_AT)
    most = get_word(work, MOST_CHANNELS)
    out = get_word(work, CHANNEL) + 4 * base * most
    for t in range(n):
        thing = get_index(chosen, t)
        for c in range(channels):
            at = get_word(channel_at, 2 * c) + thing * get_word(channel_at, 2 * c + 1)
            put(out, t * most + c, get(inputs, at))
    return n


@compiled
def compare_things(group, seen, n, work, thing):
    """Write the ranks of n things, whose scores stand in SCORES, behind what is seen of each by itself."""
    q, w, stride = get_word(group, COMPARE), get_word(group, WIDTH), get_word(work, MOST_COMPARED)
    scores = get_word(work, SCORES) + 4 * get_word(group, ITEM_AT) * stride
    pairs = get_word(work, PAIRS) + 4 * get_word(group, PAIRS_AT)
    pair = pairs
    for t in range(n):
        for u in range(t + 1, n):
            for c in range(0, q, QUAD):
                quad_differences(pair, scores + 4 * (u * stride + c), scores + 4 * (t * stride + c))
                pair += 4 * QUAD
    tanh_of(pairs, (pair - pairs) // 4)
    pair = pairs
    for t in range(n):
        for u in range(t + 1, n):
            for c in range(0, q, QUAD):
                quad_shift(seen + 4 * (t * thing + w + c), seen + 4 * (u * thing + w + c), pair, RANKED)
                pair += 4 * QUAD


@compiled
def read_things(weights, net, group, work):
    """Read the things of a group one by one, compare them, join both, and sum up; their number."""
    n = look_at_things(net, group, work)
    base, q, w = get_word(group, ITEM_AT), get_word(group, COMPARE), get_word(group, WIDTH)
    width, thing, hidden = get_word(net, WIDE_THING), get_word(net, THING), get_word(net, HIDDEN)
    features, context = get_word(work, SUMS), get_word(work, THE_CONTEXT)
    seen, joined = get_word(work, SEEN) + 4 * base * thing, get_word(work, JOINED) + 4 * base * width
    stride, most = get_word(work, MOST_COMPARED), get_word(work, MOST_CHANNELS)
    scores, channel = get_word(work, SCORES) + 4 * base * stride, get_word(work, CHANNEL) + 4 * base * most
    bias, things = weights + 4 * get_word(group, CONTEXT_BIAS), weights + 4 * get_word(group, THINGS)
    sum_from(context, bias, weights + 4 * get_word(group, CONTEXT), features, count=hidden, n=width)
    sum_products(seen, context, things, channel, n, get_word(group, CHANNELS), thing, most, thing)
    for t in range(n):
        for c in range(q):
            at = t * thing + w + c
            put(scores, t * stride + c, COMPARED * get(seen, at))
            put(seen, at, ZERO)
    tanh_of(seen, n * thing)
    compare_things(group, seen, n, work=work, thing=thing)
    join, bias = weights + 4 * get_word(group, JOIN), weights + 4 * get_word(group, JOIN_BIAS)
    sum_products(joined, bias, join, seen, n, w + q, width, thing, width)
    tanh_of(joined, n * width)
    total = features + 4 * get_word(group, SUM_AT)
    zero_bytes(total, 4 * width)
    sum_into(total, joined, x=get_word(work, POOL), count=n, n=width)
    return n


@compiled
def read_groups(weights, net, work):
    """What a decision's groups add to its features."""
    index, values, inputs = get_word(work, INDEX), get_word(work, VALUES), get_word(work, INPUTS)
    total, usual = get_word(work, TOTAL), get_word(work, USUAL)
    for e in range(total):
        at = get_index(index, e)
        put(inputs, at, get(usual, at) + get(values, e))
    for g in range(get_word(net, N_GROUPS)):
        n = read_things(weights, net, group=net + 8 * (GROUPS + COLUMNS * g), work=work)
        put_index(get_word(work, COUNTS), g, n)
    for e in range(total):
        at = get_index(index, e)
        put(inputs, at, get(usual, at))


def look(weights, net, work, many, a, b):
    """Features and mixed features of `many` decisions, for `forward`; `a` and `b` are not used. Always 0.

    Each matrix goes over all of them before the next one is taken up, so that what they share of it is fetched once.
    """
    features, mixed, row, long = get_word(work, SUMS), get_word(work, MIXED), get_word(net, ROW), get_word(work, LONG)
    trunk, base = weights + 4 * get_word(net, TRUNK), weights + 4 * get_word(net, BASE)
    for j in range(many):
        one, out = work + 8 * WORDS * j, features + 4 * j * long
        sum_rows_at(out, base, trunk, get_word(one, INDEX), get_word(one, VALUES), get_word(one, TOTAL), row)
        tanh_of(out, row)
    if get_word(net, N_GROUPS) > 0:
        for j in range(many):
            read_groups(weights, net, work + 8 * WORDS * j)
    mix, bias = weights + 4 * get_word(net, MIX), weights + 4 * get_word(net, MIX_BIAS)
    sum_products(mixed, bias, mix, features, many, get_word(net, FEATURES), row, long, row)
    tanh_of(mixed, many * row)
    return 0


@compiled
def first_to_say(answers, k):
    """Whether no adviser before the k-th says the same."""
    for j in range(k):
        if get_index(answers, j) == get_index(answers, k):
            return False
    return True


@compiled
def heed_advisers(weights, net, work):
    """Add to the logits of what the advisers say: the gate of all of them, and of each its own."""
    mixed, logits, row = get_word(work, MIXED), get_word(work, LOGITS), get_word(net, ROW)
    gate, bias, answers = get_word(net, GATE), get_word(net, GATE_BIAS), get_word(work, ANSWERS)
    heed = get(weights, bias) + dot(weights + 4 * gate, mixed, row)
    for k in range(get_word(net, ADVISERS)):
        i = get_index(get_word(work, PLACES), get_index(answers, k))
        if i >= 0:
            own = get(weights, bias + k + 1) + dot(weights + 4 * (gate + (k + 1) * row), mixed, row)
            put(logits, i, get(logits, i) + own + (heed if first_to_say(answers, k) else ZERO))


@compiled
def point(weights, net, g, work):
    """Add to the logits of the actions that the things of group g stand for."""
    group, width, row = net + 8 * (GROUPS + COLUMNS * g), get_word(net, WIDE_THING), get_word(net, ROW)
    query, logits = get_word(work, QUERIES) + 4 * g * width, get_word(work, LOGITS)
    bias = weights + 4 * get_word(group, QUERY_BIAS)
    sum_from(query, bias, weights + 4 * get_word(group, QUERY), get_word(work, MIXED), count=row, n=width)
    base, first = get_word(group, ITEM_AT), get_word(group, ACTION)
    chosen, places, joined = get_word(work, CHOSEN), get_word(work, PLACES), get_word(work, JOINED)
    for t in range(base, base + get_index(get_word(work, COUNTS), g)):
        i = get_index(places, first + get_index(chosen, t))
        if i >= 0:
            put(logits, i, get(logits, i) + dot(joined + 4 * t * width, query, width))


@compiled
def log_chances(logits, chances, n):
    """Replace n logits by the logarithms of their chances, which are written too; addresses of float32."""
    highest = get(logits, 0)
    for i in range(1, n):
        highest = max(highest, get(logits, i))
    exp_of(chances, logits, highest, n)
    total = ZERO
    for i in range(n):
        total += get(chances, i)
    shift = highest + np.log(total)
    for i in range(n):
        put(chances, i, get(chances, i) / total)
        put(logits, i, get(logits, i) - shift)


@compiled
def drawn(chances, n, u):
    """Position of the action that `u` in [0, 1) falls to, among n, by chances at an address."""
    total = 0.0
    for i in range(n):
        total += get(chances, i)
    left = u * total
    for i in range(n - 1):
        left -= get(chances, i)
        if left < 0.0:
            return i
    return n - 1


def forward(weights, net, work, a, b, c):
    """Decide what `look` has looked at.

    The critic's value in LOGITS; or there what each legal action is worth; or logarithms of chances there, and CHANCES.
    How many actions are legal, or 0 of one value. `a`, `b` and `c` are not used.
    """
    mixed, logits, row = get_word(work, MIXED), get_word(work, LOGITS), get_word(net, ROW)
    head, bias = get_word(net, HEAD), get_word(net, HEAD_BIAS)
    if not get_word(net, IS_ACTOR):
        put(logits, 0, get(weights, bias) + dot(weights + 4 * head, mixed, row))
        return 0
    actions, places, shown = get_word(work, ACTIONS), get_word(work, PLACES), get_word(work, SHOWN)
    n = get_word(work, TOTAL) - shown
    for i in range(n):
        action = get_index(get_word(work, INDEX), shown + i) - get_word(net, OBSERVATION)
        put_index(actions, i, action)
        put_index(places, action, i)
        put(logits, i, get(weights, bias + action) + dot(weights + 4 * (head + action * row), mixed, row))
    for g in range(get_word(net, N_GROUPS)):
        point(weights, net, g=g, work=work)
    if get_word(net, ADVISERS) > 0:
        heed_advisers(weights, net, work=work)
    for i in range(n):
        put_index(places, get_index(actions, i), -1)
    if get_word(net, IS_ACTOR) != JUDGES:
        log_chances(logits, get_word(work, CHANCES), n)
    return n


__all__ = ["compiled", "drawn", "forward", "look"]
