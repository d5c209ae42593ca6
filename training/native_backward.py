"""The compiled pass of one decision backwards through a network: its gradient, written out by hand.

`backward` goes the way of `net_pass.forward` in the opposite direction, over what that left in memory, and `settle`
that of `net_pass.look`, for several decisions together; all are C functions, called by their address, so that loops
over many decisions need not compile them anew.
"""

from __future__ import annotations

from ..agents.net_layout import (
    ACTION,
    ACTIONS,
    ADVISERS,
    ANSWERS,
    CHANNEL,
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
    GATE,
    GATE_BIAS,
    GROUPS,
    HEAD,
    HEAD_BIAS,
    HIDDEN,
    INDEX,
    IS_ACTOR,
    ITEM_AT,
    JOIN,
    JOIN_BIAS,
    JOIN_TURNED,
    JOINED,
    LONG,
    MIX,
    MIX_BIAS,
    MIXED,
    MOST_CHANNELS,
    MOST_COMPARED,
    N_GROUPS,
    NOTHING,
    PAIRS,
    PAIRS_AT,
    PLACES,
    POOL,
    QUERIES,
    QUERY,
    QUERY_BIAS,
    QUERY_TURNED,
    ROW,
    SEEN,
    SHOWN,
    SUM_AT,
    SUMS,
    THING,
    THINGS,
    TOTAL,
    TRUNK,
    TRUNK_BIAS,
    VALUES,
    WIDE,
    WIDE_THING,
    WIDTH,
    WORDS,
)
from ..agents.net_pass import (
    COMPARED,
    RANKED,
    add_scaled,
    add_to,
    compiled,
    first_to_say,
    sum_into,
)
from ..agents.vectors import (
    QUAD,
    add_products,
    add_rows_at,
    add_vector,
    quad_shift,
    quad_slopes,
    slope_of_tanh,
    sum_products,
    sum_rows_at,
)
from ..envs.core.abi import copy_bytes, zero_bytes
from ..envs.core.memory import get, get_index, get_word, put, put_index


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
    add_products(grads + 4 * get_word(group, JOIN), was_seen, all_joined, n, w + q, thing, width)
    back, nothing = turned + 4 * get_word(group, JOIN_TURNED), get_word(work, NOTHING)
    sum_products(all_seen, nothing, back, all_joined, n, w, thing, width, thing)
    rank_back(group, n, work, thing=thing)
    zero_bytes(context, 4 * width)
    bias, scores = grads + 4 * get_word(group, JOIN_BIAS), get_word(work, D_SCORES) + 4 * base * stride
    for t in range(n):
        seen = all_seen + 4 * t * thing
        add_vector(bias, all_joined + 4 * t * width, width)
        slope_of_tanh(seen, was_seen + 4 * t * thing, w)
        add_vector(context, seen, w)
        for c in range(q):
            put(seen, w + c, COMPARED * get(scores, t * stride + c))
    most, things = get_word(work, MOST_CHANNELS), grads + 4 * get_word(group, THINGS)
    channel = get_word(work, CHANNEL) + 4 * base * most
    add_products(things, channel, all_seen, n, get_word(group, CHANNELS), most, thing)
    add_to(grads + 4 * get_word(group, CONTEXT), features, add=context, count=get_word(net, HIDDEN), n=width)
    add_vector(grads + 4 * get_word(group, CONTEXT_BIAS), context, width)
    sum_into(get_word(work, D_FIRST), turned + 4 * get_word(group, CONTEXT_TURNED), x=context, count=w, n=row)


@compiled
def teach_groups(turned, grads, net, work):
    """The gradient of groups, from D_SUMS and from what heads gave D_JOINED; and of the trunk's features, D_FIRST."""
    sums, first, features = get_word(work, D_SUMS), get_word(work, D_FIRST), get_word(work, SUMS)
    row, hidden, width = get_word(net, ROW), get_word(net, HIDDEN), get_word(net, WIDE_THING)
    zero_bytes(first, 4 * row)
    copy_bytes(first, sums, 4 * hidden)
    for g in range(get_word(net, N_GROUPS)):
        group = net + 8 * (GROUPS + COLUMNS * g)
        n, own = get_index(get_word(work, COUNTS), g), get_word(work, D_CONTEXT)
        zero_bytes(own, 4 * width)  # what follows the group's own sums belongs to another one
        copy_bytes(own, sums + 4 * get_word(group, SUM_AT), 4 * get_word(group, WIDTH))
        joined = get_word(work, D_JOINED) + 4 * get_word(group, ITEM_AT) * width
        add_to(joined, get_word(work, POOL), add=own, count=n, n=width)
        teach_things(turned, grads, net, group=group, n=n, work=work)
    slope_of_tanh(first, features, hidden)


@compiled
def point_back(turned, grads, net, g, work):
    """The gradient of pointing at the things of group g: of the query, and of the things (D_JOINED)."""
    group, width, row = net + 8 * (GROUPS + COLUMNS * g), get_word(net, WIDE_THING), get_word(net, ROW)
    base, n, first = get_word(group, ITEM_AT), get_index(get_word(work, COUNTS), g), get_word(group, ACTION)
    query, slope_of_query = get_word(work, QUERIES) + 4 * g * width, get_word(work, D_QUERY)
    joined, gradient, chosen = get_word(work, JOINED), get_word(work, D_JOINED), get_word(work, CHOSEN)
    places, slopes = get_word(work, PLACES), get_word(work, D_LOGITS)
    zero_bytes(slope_of_query, 4 * width)
    zero_bytes(gradient + 4 * base * width, 4 * n * width)
    for t in range(base, base + n):
        i = get_index(places, first + get_index(chosen, t))
        if i >= 0:
            add_scaled(gradient + 4 * t * width, slopes + 4 * i, query, n=width)
            add_scaled(slope_of_query, slopes + 4 * i, joined + 4 * t * width, n=width)
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

    That of what `look` did is left to `settle`. `c` is not used. Always 0.
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
        sum_rows_at(mixed, mixed, weights + 4 * head, actions, slopes, n, row)
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
    return 0


def settle(turned, grads, net, work, many, a):
    """Add the gradients of all that is below the heads, of `many` decisions gone `backward`. `a` is not used. Always 0.

    As `net_pass.look` it goes over all of them with one matrix after the other.
    """
    row, wide, long, hidden = get_word(net, ROW), get_word(net, WIDE), get_word(work, LONG), get_word(net, HIDDEN)
    features, mixed = get_word(work, SUMS), get_word(work, D_MIXED)
    mix, mix_bias = grads + 4 * get_word(net, MIX), grads + 4 * get_word(net, MIX_BIAS)
    trunk, trunk_bias = grads + 4 * get_word(net, TRUNK), grads + 4 * get_word(net, TRUNK_BIAS)
    slope_of_tanh(mixed, get_word(work, MIXED), many * row)
    add_products(mix, features, mixed, many, get_word(net, FEATURES), long, row)
    sum_products(get_word(work, D_SUMS), get_word(work, NOTHING), turned, mixed, many, hidden, wide, row, wide)
    for j in range(many):
        teach_groups(turned, grads, net, work + 8 * WORDS * j)
    for j in range(many):
        one = work + 8 * WORDS * j
        index, values, total, first = (
            get_word(one, INDEX), get_word(one, VALUES), get_word(one, TOTAL), get_word(one, D_FIRST),
        )  # fmt: skip
        add_rows_at(trunk, index, values, first, total, row)
        add_vector(trunk_bias, first, row)
        add_vector(mix_bias, mixed + 4 * j * row, row)
    return 0


__all__ = ["backward", "settle"]
