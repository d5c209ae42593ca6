"""Compiled values of actions: a small network over an observation and one action at a time, and its learning step.

The network has one hidden layer of rectified units. A unit adds up the weighted observation, a weight of the action
itself, and, where the action stands for a thing that the observation describes (a card, a seat: a `Group` of
`policy_net`), what is said of that thing and how many legal things of its group surpass it there. Observations are
mostly zeros, which cost nothing. All arrays lie behind addresses in one array of int64, so that a compiled policy can
carry a network in a single number.
"""

from __future__ import annotations

import numpy as np

from ...envs.core.abi import (
    OBSERVE,
    address_of,
    call_kernel,
    float32_at,
    float64_at,
    int64_at,
    lowest_bit,
    zero_bytes,
)
from ...envs.core.jit import driver

# entries of a network: sizes, then addresses of weights, of their sums of squared slopes, of working space
LENGTH, HIDDEN, ACTIONS, GROUPS = 0, 1, 2, 3
INPUT, BIAS, ACTION, OUT, SHIFT = 4, 5, 6, 7, 8
S_INPUT, S_BIAS, S_ACTION, S_OUT, S_SHIFT = 9, 10, 11, 12, 13
SEEN, STATE, UNITS, SLOPES, VALUES, RATE = 14, 15, 16, 17, 18, 19
FIRST_GROUP, PER_GROUP = 20, 7
ITEMS, START, CHANNELS, WHERE, WEIGHTS, S_WEIGHTS, FEATURES = 0, 1, 2, 3, 4, 5, 6
TINY = 1e-8


@driver
def bit_of(words, action):
    """Whether an action is in the legal set `words` int64[W]."""
    return (words[action >> 5] >> (action & 31)) & 1


@driver
def describe_group(net, at, seen, words):
    """Features of the legal things of the group at entry `at`: values, and shares of legal things that surpass them."""
    items, start, channels = net[at + ITEMS], net[at + START], net[at + CHANNELS]
    where = int64_at(net[at + WHERE], 2 * channels)
    features = float32_at(net[at + FEATURES], items * 2 * channels)
    legal, count = np.empty(items, np.int64), 0
    for i in range(items):
        if bit_of(words, start + i):
            legal[count] = i
            count += 1
    for at in range(count):
        i = legal[at]
        row = i * 2 * channels
        for c in range(channels):
            first, apart = where[2 * c], where[2 * c + 1]
            value = seen[first + i * apart]
            features[row + c] = value
            above = 0
            for other in legal[:count]:
                above += seen[first + other * apart] > value
            features[row + channels + c] = np.float32(above) * np.float32(0.25)


@driver
def add_row(to, factor, row):
    """Add `factor * row` to `to`, float32[n]; a row of its own, whose indexes are known to be no negative ones."""
    for j in range(len(to)):
        to[j] += factor * row[j]


@driver
def places_of(seen, used):
    """Write the places of what is not 0 in `seen` float32[m] to `used` int64[m], ascending; returns their number.

    Eight numbers that are all 0 are passed over at once, as four words.
    """
    n, count, at = len(seen), 0, 0
    words = int64_at(address_of(seen), n >> 1)
    while at + 8 <= n:
        w = at >> 1
        if (words[w] | words[w + 1]) | (words[w + 2] | words[w + 3]):
            for i in range(at, at + 8):
                used[count] = i
                count += seen[i] != 0.0
        at += 8
    for i in range(at, n):
        used[count] = i
        count += seen[i] != 0.0
    return count


@driver
def add_rows(to, seen, weights):
    """Add to `to` float32[n] the rows of `weights` float32[m * n] times what was seen, float32[m], mostly zeros.

    Rows of what is not zero are found first, without a branch that nobody could foretell, and added four at a time.
    """
    n = len(to)
    used = np.empty(len(seen), np.int64)
    count = places_of(seen, used)
    at = 0
    while at + 4 <= count:
        a, b, c, d = used[at], used[at + 1], used[at + 2], used[at + 3]
        row_a, row_b = weights[a * n : (a + 1) * n], weights[b * n : (b + 1) * n]
        row_c, row_d = weights[c * n : (c + 1) * n], weights[d * n : (d + 1) * n]
        by_a, by_b, by_c, by_d = seen[a], seen[b], seen[c], seen[d]
        for j in range(n):
            to[j] = (((to[j] + by_a * row_a[j]) + by_b * row_b[j]) + by_c * row_c[j]) + by_d * row_d[j]
        at += 4
    for last in used[at:count]:
        add_row(to, seen[last], weights[last * n : (last + 1) * n])


@driver
def look(net, k, s, p, seat, words):
    """Observe for a seat and prepare the values of its legal actions `words` int64[W]."""
    length, hidden = net[LENGTH], net[HIDDEN]
    seen = float32_at(net[SEEN], length)
    zero_bytes(net[SEEN], 4 * length)
    call_kernel(k, OBSERVE, s, p, seat, 0, net[SEEN])
    state = float32_at(net[STATE], hidden)
    bias = float32_at(net[BIAS], hidden)
    weights = float32_at(net[INPUT], length * hidden)
    for j in range(hidden):
        state[j] = bias[j]
    add_rows(state, seen, weights)
    for g in range(net[GROUPS]):
        describe_group(net, FIRST_GROUP + g * PER_GROUP, seen, words)


@driver
def excite(net, action):
    """Fill the hidden units for one action of the position looked at, before rectification."""
    hidden = net[HIDDEN]
    state = float32_at(net[STATE], hidden)
    units = float32_at(net[UNITS], hidden)
    own = float32_at(net[ACTION], net[ACTIONS] * hidden)
    row = own[action * hidden : (action + 1) * hidden]
    for j in range(hidden):
        units[j] = state[j] + row[j]
    for g in range(net[GROUPS]):
        at = FIRST_GROUP + g * PER_GROUP
        i = action - net[at + START]
        if 0 <= i < net[at + ITEMS]:
            n = 2 * net[at + CHANNELS]
            features = float32_at(net[at + FEATURES], net[at + ITEMS] * n)
            weights = float32_at(net[at + WEIGHTS], n * hidden)
            for c in range(n):
                value = features[i * n + c]
                if value != 0.0:
                    add_row(units, value, weights[c * hidden : (c + 1) * hidden])


@driver
def value_of(net, action):
    """The value of one legal action of the position looked at."""
    excite(net, action)
    hidden = net[HIDDEN]
    units = float32_at(net[UNITS], hidden)
    out = float32_at(net[OUT], hidden)
    none = np.float32(0.0)
    a = b = c = d = none  # four sums that need not wait for each other
    for j in range(0, hidden - 3, 4):
        a += out[j] * max(units[j], none)
        b += out[j + 1] * max(units[j + 1], none)
        c += out[j + 2] * max(units[j + 2], none)
        d += out[j + 3] * max(units[j + 3], none)
    for j in range(hidden - hidden % 4, hidden):
        a += out[j] * max(units[j], none)
    return float32_at(net[SHIFT], net[ACTIONS])[action] + ((a + b) + (c + d))


@driver
def values_of(net, k, s, p, seat, words):
    """Look, and write the value of every legal action to the network's array VALUES, float64[A]."""
    look(net, k, s, p, seat=seat, words=words)
    values = float64_at(net[VALUES], net[ACTIONS])
    for w in range(len(words)):
        bits = words[w]
        while bits:
            action = 32 * w + lowest_bit(bits)
            bits &= bits - 1
            values[action] = value_of(net, action)


@driver
def step(weights, squares, at, slope, rate):
    """One adaptive step of a single weight (AdaGrad: Duchi, Hazan and Singer 2011)."""
    squares[at] += slope * slope
    weights[at] -= rate * slope / np.sqrt(squares[at] + np.float32(TINY))


@driver
def step_row(weights, squares, start, n, slopes, factor, rate):
    """The same for `n` weights from `start` on, with slopes `factor * slopes` float32[n]."""
    for j in range(n):
        slope = factor * slopes[j]
        squares[start + j] += slope * slope
        weights[start + j] -= rate * slope / np.sqrt(squares[start + j] + np.float32(TINY))


@driver
def learn(net, words, targets):
    """Move the values of all legal actions of the position looked at towards `targets` float64[A] (squared error).

    Only differences between actions matter to a policy, so values and targets are compared without their means.
    Returns the mean squared error before the step.
    """
    hidden, actions, length = net[HIDDEN], net[ACTIONS], net[LENGTH]
    rate = np.float32(float64_at(net[RATE], 1)[0])
    values = float64_at(net[VALUES], actions)
    count, mean, goal = 0, 0.0, 0.0
    for w in range(len(words)):
        bits = words[w]
        while bits:
            action = 32 * w + lowest_bit(bits)
            bits &= bits - 1
            values[action] = value_of(net, action)
            mean += values[action]
            goal += targets[action]
            count += 1
    mean /= count
    goal /= count
    units = float32_at(net[UNITS], hidden)
    out = float32_at(net[OUT], hidden)
    s_out = float32_at(net[S_OUT], hidden)
    slopes = float32_at(net[SLOPES], 2 * hidden)
    shift, s_shift = float32_at(net[SHIFT], actions), float32_at(net[S_SHIFT], actions)
    own, s_own = float32_at(net[ACTION], actions * hidden), float32_at(net[S_ACTION], actions * hidden)
    zero_bytes(net[SLOPES], 8 * hidden)
    total = slopes[hidden:]  # summed over the actions, for what they share
    error = 0.0
    for w in range(len(words)):
        bits = words[w]
        while bits:
            action = 32 * w + lowest_bit(bits)
            bits &= bits - 1
            delta = np.float32((values[action] - mean - targets[action] + goal) / count)
            error += (values[action] - mean - targets[action] + goal) ** 2 / count
            excite(net, action)
            for j in range(hidden):
                slopes[j] = delta * out[j] if units[j] > 0.0 else np.float32(0.0)
                total[j] += slopes[j]
            for j in range(hidden):
                if units[j] > 0.0:
                    step(out, s_out, j, delta * units[j], rate=rate)
            step(shift, s_shift, action, delta, rate=rate)
            step_row(own, s_own, action * hidden, hidden, slopes=slopes, factor=np.float32(1.0), rate=rate)
            for g in range(net[GROUPS]):
                at = FIRST_GROUP + g * PER_GROUP
                i = action - net[at + START]
                if 0 <= i < net[at + ITEMS]:
                    n = 2 * net[at + CHANNELS]
                    features = float32_at(net[at + FEATURES], net[at + ITEMS] * n)
                    weights = float32_at(net[at + WEIGHTS], n * hidden)
                    squares = float32_at(net[at + S_WEIGHTS], n * hidden)
                    for c in range(n):
                        value = features[i * n + c]
                        if value != 0.0:
                            step_row(weights, squares, c * hidden, hidden, slopes=slopes, factor=value, rate=rate)
    seen = float32_at(net[SEEN], length)
    shared, s_shared = float32_at(net[INPUT], length * hidden), float32_at(net[S_INPUT], length * hidden)
    for i in range(length):
        if seen[i] != 0.0:
            step_row(shared, s_shared, i * hidden, hidden, slopes=total, factor=seen[i], rate=rate)
    bias, s_bias = float32_at(net[BIAS], hidden), float32_at(net[S_BIAS], hidden)
    step_row(bias, s_bias, 0, hidden, slopes=total, factor=np.float32(1.0), rate=rate)
    return error


__all__ = ["address_of", "bit_of", "learn", "look", "value_of", "values_of"]
