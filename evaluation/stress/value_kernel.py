"""Compiled values of actions: a small network over an observation and one action at a time, and its learning step.

The network has one hidden layer of rectified units. A unit adds up the weighted observation, a weight of the action
itself, and, where the action stands for a thing that the observation describes (a card, a seat: a `Group` of
`policy_net`), what is said of that thing and how many legal things of its group surpass it there. Behind the
observation stands whose seat it is: rules may go by a seat's number, which observations need not tell. Observations are
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

# entries of a network: sizes (LENGTH: of the observation, with a number for each of SEATS behind it), then addresses of
# weights, of their sums of squared slopes, of working space
LENGTH, ACTIONS, GROUPS = 0, 1, 2
INPUT, BIAS, ACTION, OUT, SHIFT = 3, 4, 5, 6, 7
S_INPUT, S_BIAS, S_ACTION, S_OUT, S_SHIFT = 8, 9, 10, 11, 12
SEEN, STATE, UNITS, SLOPES, VALUES, RATE, SEATS = 13, 14, 15, 16, 17, 18, 19
FIRST_GROUP, PER_GROUP = 20, 7
ITEMS, START, CHANNELS, WHERE, WEIGHTS, S_WEIGHTS, FEATURES = 0, 1, 2, 3, 4, 5, 6
TINY = 1e-8
HIDDEN = 32  # hidden units, a multiple of four; a constant, so that loops over them are unrolled


@driver(allocates=False)
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


@driver(allocates=False)
def add_row(to, factor, row):
    """Add `factor * row` to `to`, float32[HIDDEN]; a row of its own, whose indexes are known to be no negative ones."""
    for j in range(HIDDEN):
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


@driver(allocates=False)
def add_used(to, seen, weights, used):
    """Add to `to` float32[H] the rows `used` int64[u] of `weights` float32[m * H] times what was seen, float32[m]."""
    count, at = len(used), 0
    while at + 4 <= count:
        a, b, c, d = used[at], used[at + 1], used[at + 2], used[at + 3]
        row_a, row_b = weights[a * HIDDEN : (a + 1) * HIDDEN], weights[b * HIDDEN : (b + 1) * HIDDEN]
        row_c, row_d = weights[c * HIDDEN : (c + 1) * HIDDEN], weights[d * HIDDEN : (d + 1) * HIDDEN]
        by_a, by_b, by_c, by_d = seen[a], seen[b], seen[c], seen[d]
        for j in range(HIDDEN):
            to[j] = (((to[j] + by_a * row_a[j]) + by_b * row_b[j]) + by_c * row_c[j]) + by_d * row_d[j]
        at += 4
    for i in range(at, count):
        last = used[i]
        add_row(to, seen[last], weights[last * HIDDEN : (last + 1) * HIDDEN])


@driver
def add_rows(to, seen, weights):
    """Add to `to` float32[H] the rows of `weights` float32[m * H] times what was seen, float32[m], mostly zeros.

    Rows of what is not zero are found first, without a branch that nobody could foretell, and added four at a time.
    """
    used = np.empty(len(seen), np.int64)
    count = places_of(seen, used)
    add_used(to, seen, weights=weights, used=used[:count])


@driver
def look(net, k, s, p, seat, words):
    """Observe for a seat and prepare the values of its legal actions `words` int64[W]."""
    zero_bytes(net[SEEN], 4 * net[LENGTH])
    call_kernel(k, OBSERVE, s, p, seat, 0, net[SEEN])
    float32_at(net[SEEN], net[LENGTH])[net[LENGTH] - net[SEATS] + seat] = 1.0
    prepare(net, words)


@driver
def look_back(net, seen, words):
    """Prepare the values of the legal actions `words` int64[W] of a decision whose observation was kept, float32[L]."""
    now = float32_at(net[SEEN], net[LENGTH])
    for i in range(len(now)):
        now[i] = seen[i]
    prepare(net, words)


@driver
def prepare(net, words):
    """What of the network goes by the observation in SEEN and the legal actions `words` int64[W] alone."""
    length = net[LENGTH]
    seen = float32_at(net[SEEN], length)
    state = float32_at(net[STATE], HIDDEN)
    bias = float32_at(net[BIAS], HIDDEN)
    weights = float32_at(net[INPUT], length * HIDDEN)
    for j in range(HIDDEN):
        state[j] = bias[j]
    add_rows(state, seen, weights)
    for g in range(net[GROUPS]):
        describe_group(net, FIRST_GROUP + g * PER_GROUP, seen, words)


@driver
def before(net, action):
    """Address of the hidden units before the weight of the action itself is added: what was seen, and its thing."""
    at = net[STATE]
    for g in range(net[GROUPS]):
        group = FIRST_GROUP + g * PER_GROUP
        i = action - net[group + START]
        if 0 <= i < net[group + ITEMS]:
            units, state = float32_at(net[UNITS], HIDDEN), float32_at(at, HIDDEN)
            for j in range(HIDDEN):
                units[j] = state[j]
            at = net[UNITS]
            n = 2 * net[group + CHANNELS]
            features = float32_at(net[group + FEATURES], net[group + ITEMS] * n)
            for c in range(n):
                value = features[i * n + c]
                if value != 0.0:
                    add_row(units, value, float32_at(net[group + WEIGHTS] + 4 * HIDDEN * c, HIDDEN))
    return at


@driver
def excite(net, action):
    """Fill the hidden units for one action of the position looked at, before rectification."""
    units, known = float32_at(net[UNITS], HIDDEN), float32_at(before(net, action), HIDDEN)
    row = float32_at(net[ACTION] + 4 * HIDDEN * action, HIDDEN)
    for j in range(HIDDEN):
        units[j] = known[j] + row[j]


@driver(allocates=False)
def rectified_sum(out, units, more):
    """The sum of `out * max(units + more, 0)`, all float32[HIDDEN]; four sums that need not wait for each other."""
    none = np.float32(0.0)
    a = b = c = d = none
    for j in range(0, HIDDEN, 4):
        a += out[j] * max(units[j] + more[j], none)
        b += out[j + 1] * max(units[j + 1] + more[j + 1], none)
        c += out[j + 2] * max(units[j + 2] + more[j + 2], none)
        d += out[j + 3] * max(units[j + 3] + more[j + 3], none)
    return (a + b) + (c + d)


@driver
def value_of(net, action):
    """The value of one legal action of the position looked at."""
    out, known = float32_at(net[OUT], HIDDEN), float32_at(before(net, action), HIDDEN)
    row = float32_at(net[ACTION] + 4 * HIDDEN * action, HIDDEN)
    return float32_at(net[SHIFT], net[ACTIONS])[action] + rectified_sum(out, known, row)


@driver
def values_of(net, k, s, p, seat, words):
    """Look, and write the value of every legal action to the network's array VALUES, float64[A]."""
    look(net, k, s, p, seat=seat, words=words)
    grouped = net[GROUPS] > 0
    values, shift = float64_at(net[VALUES], net[ACTIONS]), float32_at(net[SHIFT], net[ACTIONS])
    out, known = float32_at(net[OUT], HIDDEN), float32_at(net[STATE], HIDDEN)
    for w in range(len(words)):
        bits = words[w]
        while bits:
            action = 32 * w + lowest_bit(bits)
            bits &= bits - 1
            if grouped:
                known = float32_at(before(net, action), HIDDEN)
            row = float32_at(net[ACTION] + 4 * HIDDEN * action, HIDDEN)
            values[action] = shift[action] + rectified_sum(out, known, row)


@driver(allocates=False)
def step(weights, squares, at, slope, rate):
    """One adaptive step of a single weight (AdaGrad: Duchi, Hazan and Singer 2011)."""
    squares[at] += slope * slope
    weights[at] -= rate * slope / np.sqrt(squares[at] + np.float32(TINY))


@driver(allocates=False)
def step_row(weights, squares, start, slopes, factor, rate):
    """The same for a row of weights from `start` on, with slopes `factor * slopes` float32[HIDDEN]."""
    for j in range(HIDDEN):
        slope = factor * slopes[j]
        squares[start + j] += slope * slope
        weights[start + j] -= rate * slope / np.sqrt(squares[start + j] + np.float32(TINY))


@driver
def learn(net, words, targets):
    """Move the values of all legal actions of the position looked at towards `targets` float64[A] (squared error).

    Only differences between actions matter to a policy, so values and targets are compared without their means.
    Returns the mean squared error before the step.
    """
    actions, length = net[ACTIONS], net[LENGTH]
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
    units = float32_at(net[UNITS], HIDDEN)
    out = float32_at(net[OUT], HIDDEN)
    s_out = float32_at(net[S_OUT], HIDDEN)
    slopes = float32_at(net[SLOPES], 2 * HIDDEN)
    shift, s_shift = float32_at(net[SHIFT], actions), float32_at(net[S_SHIFT], actions)
    own, s_own = float32_at(net[ACTION], actions * HIDDEN), float32_at(net[S_ACTION], actions * HIDDEN)
    zero_bytes(net[SLOPES], 8 * HIDDEN)
    total = slopes[HIDDEN:]  # summed over the actions, for what they share
    error = 0.0
    for w in range(len(words)):
        bits = words[w]
        while bits:
            action = 32 * w + lowest_bit(bits)
            bits &= bits - 1
            delta = np.float32((values[action] - mean - targets[action] + goal) / count)
            error += (values[action] - mean - targets[action] + goal) ** 2 / count
            excite(net, action)
            for j in range(HIDDEN):
                slopes[j] = delta * out[j] if units[j] > 0.0 else np.float32(0.0)
                total[j] += slopes[j]
            for j in range(HIDDEN):
                if units[j] > 0.0:
                    step(out, s_out, j, delta * units[j], rate=rate)
            step(shift, s_shift, action, delta, rate=rate)
            step_row(own, s_own, action * HIDDEN, slopes=slopes, factor=np.float32(1.0), rate=rate)
            for g in range(net[GROUPS]):
                at = FIRST_GROUP + g * PER_GROUP
                i = action - net[at + START]
                if 0 <= i < net[at + ITEMS]:
                    n = 2 * net[at + CHANNELS]
                    features = float32_at(net[at + FEATURES], net[at + ITEMS] * n)
                    weights = float32_at(net[at + WEIGHTS], n * HIDDEN)
                    squares = float32_at(net[at + S_WEIGHTS], n * HIDDEN)
                    for c in range(n):
                        value = features[i * n + c]
                        if value != 0.0:
                            step_row(weights, squares, c * HIDDEN, slopes=slopes, factor=value, rate=rate)
    seen = float32_at(net[SEEN], length)
    shared, s_shared = float32_at(net[INPUT], length * HIDDEN), float32_at(net[S_INPUT], length * HIDDEN)
    for i in range(length):
        if seen[i] != 0.0:
            step_row(shared, s_shared, i * HIDDEN, slopes=total, factor=seen[i], rate=rate)
    bias, s_bias = float32_at(net[BIAS], HIDDEN), float32_at(net[S_BIAS], HIDDEN)
    step_row(bias, s_bias, 0, slopes=total, factor=np.float32(1.0), rate=rate)
    return error


__all__ = ["address_of", "bit_of", "learn", "look", "look_back", "value_of", "values_of"]
