"""Compiled passes of one decision through a network, forwards and backwards, written out by hand.

The networks are those of `nets.py`. A decision comes as a list of the inputs that are not 0, the legal actions last
(`envs.core.vec_drivers.Rows`); logits are computed for legal actions alone. `weights`, `turned` and `grads` are
addresses of vectors, `net` of a layout and `work` of memory, as `native_net` lays them out.

`forward` and `backward` are C functions, called by their address: loops over many decisions need not compile them anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from ..agents.policy_net import COMPARE_SCALE, RANK_SCALE
from ..envs.core.abi import CALLBACK, address_of_callback, copy_bytes, zero_bytes
from ..envs.core.code_cache import cached_cfunc
from ..envs.core.jit import config, driver, source_digest
from ..envs.core.memory import get, get_index, get_word, put, put_index
from .native_net import (
    ACTION,
    ACTIONS,
    ADVISERS,
    ANSWERS,
    CHANCES,
    CHANNEL,
    CHANNEL_AT,
    CHANNELS,
    CHOSEN,
    COLUMNS,
    COMPARE,
    CONTEXT,
    CONTEXT_BIAS,
    CONTEXT_TURNED,
    COUNTS,
    D_CONTEXT,
    D_FIRST,
    D_JOINED,
    D_LOGITS,
    D_MIXED,
    D_QUERY,
    D_SCORES,
    D_SEEN,
    D_SUMS,
    FEATURES,
    FILLED,
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
    JOIN_TURNED,
    JOINED,
    LEGAL_ONLY,
    LOGITS,
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
    QUERY_TURNED,
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
    TRUNK_BIAS,
    VALUES,
    WHICH,
    WIDE,
    WIDE_THING,
    WIDTH,
)
from .vectors import (
    FAST,
    QUAD,
    add_rows,
    add_rows_at,
    dot,
    quad_differences,
    quad_shift,
    quad_slopes,
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
def sum_into(out, rows, x, count, n):
    """`vectors.sum_rows`, compiled once."""
    sum_rows(out, rows, x, count, n)


@compiled
def add_to(rows, x, add, count, n):
    """`vectors.add_rows`, compiled once."""
    add_rows(rows, x, add, count, n)


@compiled
def add_vector(out, add, n):
    """out[:n] += add[:n]; addresses of float32."""
    for j in range(n):
        put(out, j, get(out, j) + get(add, j))


@compiled
def slope_of_tanh(gradient, value, n):
    """gradient[:n] *= 1 - value[:n]^2; addresses of float32."""
    for j in range(n):
        put(gradient, j, get(gradient, j) * (ONE - get(value, j) * get(value, j)))


@compiled
def add_scaled(out, factor, add, n):
    """out[:n] += factor * add[:n]; addresses of float32."""
    sum_into(out, add, x=factor, count=1, n=n)


# --- forwards


@compiled
def look_at_things(net, group, work):
    """Choose the things of a group, and list what of them is not 0; the inputs stand in INPUTS. Their number."""
    base, items = get_word(group, ITEM_AT), get_word(group, ITEMS)
    chosen, inputs = get_word(work, CHOSEN) + 4 * base, get_word(work, INPUTS)
    n = 0
    if get_word(group, LEGAL_ONLY):
        first = get_word(net, OBSERVATION) + get_word(group, ACTION)
        for e in range(get_word(work, SHOWN), get_word(work, TOTAL)):
            thing = get_index(get_word(work, INDEX), e) - first
            if 0 <= thing < items:
                put_index(chosen, n, thing)
                n += 1
    else:
        for thing in range(items):
            put_index(chosen, thing, thing)
        n = items
    channels, channel_at = get_word(group, CHANNELS), net + 8 * get_word(group, CHANNEL_AT)
    for t in range(n):
        place, filled = (base + t) * get_word(work, MOST_CHANNELS), 0
        for c in range(channels):
            at = get_word(channel_at, 2 * c) + get_index(chosen, t) * get_word(channel_at, 2 * c + 1)
            value = get(inputs, at)
            if value != ZERO:
                put_index(get_word(work, WHICH), place + filled, c)
                put(get_word(work, CHANNEL), place + filled, value)
                filled += 1
        put_index(get_word(work, FILLED), base + t, filled)
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
    scores = get_word(work, SCORES) + 4 * base * get_word(work, MOST_COMPARED)
    copy_bytes(context, weights + 4 * get_word(group, CONTEXT_BIAS), 4 * width)
    sum_into(context, weights + 4 * get_word(group, CONTEXT), x=features, count=hidden, n=width)
    zero_bytes(seen, 4 * n * thing)
    for t in range(n):
        at, place = seen + 4 * t * thing, 4 * (base + t) * get_word(work, MOST_CHANNELS)
        copy_bytes(at, context, 4 * width)
        filled = get_index(get_word(work, FILLED), base + t)
        which, channel = get_word(work, WHICH) + place, get_word(work, CHANNEL) + place
        sum_rows_at(at, weights + 4 * get_word(group, THINGS), which, channel, filled, thing)
        for c in range(q):
            put(scores, t * get_word(work, MOST_COMPARED) + c, COMPARED * get(at, w + c))
            put(at, w + c, ZERO)
    tanh_of(seen, n * thing)
    compare_things(group, seen, n, work=work, thing=thing)
    for t in range(n):
        at = joined + 4 * t * width
        copy_bytes(at, weights + 4 * get_word(group, JOIN_BIAS), 4 * width)
        join = weights + 4 * get_word(group, JOIN)
        sum_into(at, join, x=seen + 4 * t * thing, count=w + q, n=width)
    tanh_of(joined, n * width)
    total = features + 4 * get_word(group, SUM_AT)
    zero_bytes(total, 4 * width)
    sum_into(total, joined, x=get_word(work, POOL), count=n, n=width)
    return n


@compiled
def think(weights, net, work):
    """Features and mixed features of a decision."""
    features, mixed, row = get_word(work, SUMS), get_word(work, MIXED), get_word(net, ROW)
    index, values, inputs = get_word(work, INDEX), get_word(work, VALUES), get_word(work, INPUTS)
    total, groups = get_word(work, TOTAL), get_word(net, N_GROUPS)
    copy_bytes(features, weights + 4 * get_word(net, TRUNK_BIAS), 4 * row)
    sum_rows_at(features, weights + 4 * get_word(net, TRUNK), index, values, total, row)
    tanh_of(features, row)
    if groups > 0:
        for e in range(total):
            put(inputs, get_index(index, e), get(values, e))
        for g in range(groups):
            n = read_things(weights, net, group=net + 8 * (GROUPS + COLUMNS * g), work=work)
            put_index(get_word(work, COUNTS), g, n)
        for e in range(total):
            put(inputs, get_index(index, e), ZERO)
    copy_bytes(mixed, weights + 4 * get_word(net, MIX_BIAS), 4 * row)
    mix = weights + 4 * get_word(net, MIX)
    sum_into(mixed, mix, x=features, count=get_word(net, FEATURES), n=row)
    tanh_of(mixed, row)


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
    copy_bytes(query, weights + 4 * get_word(group, QUERY_BIAS), 4 * width)
    sum_into(query, weights + 4 * get_word(group, QUERY), x=get_word(work, MIXED), count=row, n=width)
    base = get_word(group, ITEM_AT)
    for t in range(base, base + get_index(get_word(work, COUNTS), g)):
        i = get_index(get_word(work, PLACES), get_word(group, ACTION) + get_index(get_word(work, CHOSEN), t))
        if i >= 0:
            put(logits, i, get(logits, i) + dot(get_word(work, JOINED) + 4 * t * width, query, width))


@compiled
def log_chances(logits, chances, n):
    """Replace n logits by the logarithms of their chances, which are written too; addresses of float32."""
    highest = get(logits, 0)
    for i in range(1, n):
        highest = max(highest, get(logits, i))
    total = ZERO
    for i in range(n):
        chance = np.exp(get(logits, i) - highest)
        put(chances, i, chance)
        total += chance
    shift = highest + np.log(total)
    for i in range(n):
        put(chances, i, get(chances, i) / total)
        put(logits, i, get(logits, i) - shift)


def forward(weights, net, work, a, b, c):
    """Decide: the critic's value in LOGITS; or logarithms of chances there and CHANCES, and how many actions are legal.

    `a`, `b`, `c` are not used.
    """
    think(weights, net, work)
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
    log_chances(logits, get_word(work, CHANCES), n)
    return n


# --- backwards


@compiled
def rank_back(group, n, work, thing):
    """The gradients of scores, D_SCORES, from those of the ranks behind what is seen of n things, D_SEEN."""
    base, q, w = get_word(group, ITEM_AT), get_word(group, COMPARE), get_word(group, WIDTH)
    stride = get_word(work, MOST_COMPARED)
    seen, scores = get_word(work, D_SEEN) + 4 * base * thing, get_word(work, D_SCORES) + 4 * base * stride
    zero_bytes(scores, 4 * n * stride)
    pair = get_word(work, PAIRS) + 4 * get_word(group, PAIRS_AT)
    for t in range(n):
        for u in range(t + 1, n):
            for c in range(0, q, QUAD):
                quad_slopes(pair, seen + 4 * (t * thing + w + c), seen + 4 * (u * thing + w + c))
                quad_shift(scores + 4 * (u * stride + c), scores + 4 * (t * stride + c), pair, RANKED)
                pair += 4 * QUAD


@compiled
def teach_things(turned, grads, net, group, n, work):
    """The gradient of a group, from D_JOINED of its n things; adds to that of the first layer, D_FIRST."""
    base, q, w = get_word(group, ITEM_AT), get_word(group, COMPARE), get_word(group, WIDTH)
    width, thing, stride = get_word(net, WIDE_THING), get_word(net, THING), get_word(work, MOST_COMPARED)
    features, context, row = get_word(work, SUMS), get_word(work, D_CONTEXT), get_word(net, ROW)
    all_seen, all_joined = get_word(work, D_SEEN) + 4 * base * thing, get_word(work, D_JOINED) + 4 * base * width
    was_seen, was_joined = get_word(work, SEEN) + 4 * base * thing, get_word(work, JOINED) + 4 * base * width
    slope_of_tanh(all_joined, was_joined, n * width)
    zero_bytes(all_seen, 4 * n * thing)
    for t in range(n):
        joined, seen = all_joined + 4 * t * width, all_seen + 4 * t * thing
        add_to(grads + 4 * get_word(group, JOIN), was_seen + 4 * t * thing, add=joined, count=w + q, n=width)
        add_vector(grads + 4 * get_word(group, JOIN_BIAS), joined, width)
        sum_into(seen, turned + 4 * get_word(group, JOIN_TURNED), x=joined, count=w, n=thing)
    rank_back(group, n, work, thing=thing)
    zero_bytes(context, 4 * width)
    for t in range(n):
        seen, place = all_seen + 4 * t * thing, 4 * (base + t) * get_word(work, MOST_CHANNELS)
        slope_of_tanh(seen, was_seen + 4 * t * thing, w)
        add_vector(context, seen, w)
        for c in range(q):
            put(seen, w + c, COMPARED * get(get_word(work, D_SCORES), (base + t) * stride + c))
        which, channel = get_word(work, WHICH) + place, get_word(work, CHANNEL) + place
        filled = get_index(get_word(work, FILLED), base + t)
        add_rows_at(grads + 4 * get_word(group, THINGS), which, channel, seen, filled, thing)
    add_to(grads + 4 * get_word(group, CONTEXT), features, add=context, count=get_word(net, HIDDEN), n=width)
    add_vector(grads + 4 * get_word(group, CONTEXT_BIAS), context, width)
    sum_into(get_word(work, D_FIRST), turned + 4 * get_word(group, CONTEXT_TURNED), x=context, count=w, n=row)


@compiled
def teach_features(turned, grads, net, work):
    """The gradient of all layers below the heads, from D_MIXED and from what heads gave D_JOINED."""
    mixed, sums, first = get_word(work, D_MIXED), get_word(work, D_SUMS), get_word(work, D_FIRST)
    row, wide, hidden = get_word(net, ROW), get_word(net, WIDE), get_word(net, HIDDEN)
    features, width = get_word(work, SUMS), get_word(net, WIDE_THING)
    slope_of_tanh(mixed, get_word(work, MIXED), row)
    add_to(grads + 4 * get_word(net, MIX), features, add=mixed, count=get_word(net, FEATURES), n=row)
    add_vector(grads + 4 * get_word(net, MIX_BIAS), mixed, row)
    zero_bytes(sums, 4 * wide)
    sum_into(sums, turned, x=mixed, count=hidden, n=wide)
    zero_bytes(first, 4 * row)
    copy_bytes(first, sums, 4 * hidden)
    for g in range(get_word(net, N_GROUPS)):
        group = net + 8 * (GROUPS + COLUMNS * g)
        n, pool = get_index(get_word(work, COUNTS), g), get(get_word(work, POOL), 0)
        joined, own = (
            get_word(work, D_JOINED) + 4 * get_word(group, ITEM_AT) * width,
            sums + 4 * get_word(group, SUM_AT),
        )
        for t in range(n):
            for j in range(get_word(group, WIDTH)):
                put(joined, t * width + j, get(joined, t * width + j) + pool * get(own, j))
        teach_things(turned, grads, net, group=group, n=n, work=work)
    slope_of_tanh(first, features, hidden)
    index, values, total = get_word(work, INDEX), get_word(work, VALUES), get_word(work, TOTAL)
    add_rows_at(grads + 4 * get_word(net, TRUNK), index, values, first, total, row)
    add_vector(grads + 4 * get_word(net, TRUNK_BIAS), first, row)


@compiled
def point_back(turned, grads, net, g, work):
    """The gradient of pointing at the things of group g: of the query, and of the things (D_JOINED)."""
    group, width, row = net + 8 * (GROUPS + COLUMNS * g), get_word(net, WIDE_THING), get_word(net, ROW)
    base, n, first = get_word(group, ITEM_AT), get_index(get_word(work, COUNTS), g), get_word(group, ACTION)
    query, slope_of_query = get_word(work, QUERIES) + 4 * g * width, get_word(work, D_QUERY)
    zero_bytes(slope_of_query, 4 * width)
    for t in range(base, base + n):
        joined, gradient = get_word(work, JOINED) + 4 * t * width, get_word(work, D_JOINED) + 4 * t * width
        zero_bytes(gradient, 4 * width)
        i = get_index(get_word(work, PLACES), first + get_index(get_word(work, CHOSEN), t))
        if i >= 0:
            slope = get_word(work, D_LOGITS) + 4 * i
            sum_into(gradient, query, x=slope, count=1, n=width)
            sum_into(slope_of_query, joined, x=slope, count=1, n=width)
    mixed = get_word(work, MIXED)
    add_to(grads + 4 * get_word(group, QUERY), mixed, add=slope_of_query, count=get_word(net, HIDDEN), n=width)
    add_vector(grads + 4 * get_word(group, QUERY_BIAS), slope_of_query, width)
    back = turned + 4 * get_word(group, QUERY_TURNED)
    sum_into(get_word(work, D_MIXED), back, x=slope_of_query, count=get_word(group, WIDTH), n=row)


@compiled
def teach_gates(weights, grads, net, work):
    """The gradient of the gates, and what they give D_MIXED."""
    gate, bias, answers = get_word(net, GATE), get_word(net, GATE_BIAS), get_word(work, ANSWERS)
    mixed, back, row = get_word(work, MIXED), get_word(work, D_MIXED), get_word(net, ROW)
    for k in range(get_word(net, ADVISERS)):
        i = get_index(get_word(work, PLACES), get_index(answers, k))
        if i >= 0:
            slope = get_word(work, D_LOGITS) + 4 * i
            for own in (k + 1, 0):
                if own > 0 or first_to_say(answers, k):
                    at = 4 * (gate + own * row)
                    add_vector(grads + 4 * (bias + own), slope, 1)
                    sum_into(back, weights + at, x=slope, count=1, n=row)
                    add_scaled(grads + at, slope, mixed, row)


def backward(weights, turned, grads, net, work, c):
    """Add the gradient of a decision to `grads`, from that of its logits or its value, D_LOGITS; after `forward`.

    `c` is not used. Always 0.
    """
    mixed, slopes, row = get_word(work, D_MIXED), get_word(work, D_LOGITS), get_word(net, ROW)
    head, bias = get_word(net, HEAD), get_word(net, HEAD_BIAS)
    zero_bytes(mixed, 4 * row)
    if not get_word(net, IS_ACTOR):
        add_scaled(mixed, slopes, weights + 4 * head, n=row)
        add_scaled(grads + 4 * head, slopes, get_word(work, MIXED), n=row)
        add_vector(grads + 4 * bias, slopes, 1)
        for g in range(get_word(net, N_GROUPS)):
            group = net + 8 * (GROUPS + COLUMNS * g)
            at, n = 4 * get_word(group, ITEM_AT), get_index(get_word(work, COUNTS), g)
            zero_bytes(get_word(work, D_JOINED) + at * get_word(net, WIDE_THING), 4 * n * get_word(net, WIDE_THING))
    else:
        actions, places = get_word(work, ACTIONS), get_word(work, PLACES)
        n = get_word(work, TOTAL) - get_word(work, SHOWN)
        sum_rows_at(mixed, weights + 4 * head, actions, slopes, n, row)
        add_rows_at(grads + 4 * head, actions, slopes, get_word(work, MIXED), n, row)
        for i in range(n):
            action = get_index(actions, i)
            add_vector(grads + 4 * (bias + action), slopes + 4 * i, 1)
            put_index(places, action, i)
        for g in range(get_word(net, N_GROUPS)):
            point_back(turned, grads, net, g=g, work=work)
        if get_word(net, ADVISERS) > 0:
            teach_gates(weights, grads, net, work=work)
        for i in range(n):
            put_index(places, get_index(actions, i), -1)
    teach_features(turned, grads, net, work=work)
    return 0


def _address(function: Any) -> tuple[int, Any]:
    """The address of a function of six int64 that gives one, and what must live as long as it is used."""
    if config.DISABLE_JIT:
        callback = CALLBACK(function)
        return address_of_callback(callback), callback
    folder = f"drivers-{source_digest(Path(__file__).resolve())}"
    made = cached_cfunc(function, folder, types.int64(*[types.int64] * 6), fastmath=FAST)
    return made.address, made


_FUNCTIONS: dict[str, tuple[int, Any]] = {}


def passes() -> tuple[int, int]:
    """The addresses of `forward` and `backward`, compiled when they are first asked for."""
    for function in (forward, backward):
        if function.__name__ not in _FUNCTIONS:
            _FUNCTIONS[function.__name__] = _address(function)
    return _FUNCTIONS["forward"][0], _FUNCTIONS["backward"][0]


__all__ = ["backward", "compiled", "forward", "passes"]
