"""Compiled steps of the native learner's weights: gradients of all parts added up, Adam, matrices turned round.

And how advantages spread, by which they are measured in a step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..agents.net_layout import (
    COLUMNS,
    CONTEXT,
    CONTEXT_TURNED,
    GROUPS,
    IS_ACTOR,
    JOIN,
    JOIN_TURNED,
    MIX,
    N_GROUPS,
    QUERY,
    QUERY_TURNED,
    ROW,
    THING,
    WIDE,
    WIDE_THING,
)
from ..agents.net_pass import compiled
from ..agents.vectors import add_vector
from ..envs.core.abi import address_of
from ..envs.core.memory import get, get_word, put
from .native_kernel import parted

FIRST_DECAY, SECOND_DECAY = np.float32(0.9), np.float32(0.999)  # of Adam's moments
REST_OF_FIRST, REST_OF_SECOND = np.float32(0.1), np.float32(1 - 0.999)
AT_HAND = 1024  # numbers that stay in the cache while they are added up


@parted
def join_gradients(grads, begin, end):
    """Add up the gradients of all parts, float32[parts, size], into the first; the square of its length, there."""
    total, at, row = 0.0, address_of(grads), 4 * grads.shape[1]
    for j in range(begin, end, AT_HAND):
        n = min(AT_HAND, end - j)
        for part in range(1, len(grads)):
            add_vector(at + 4 * j, at + part * row + 4 * j, n)
        for i in range(j, j + n):
            one = np.float64(grads[0, i])
            total += one * one
    return total


@parted
def moments(values, rows):
    """Mean and standard deviation (that of a sample) of `values` float32[.] at `rows` int64[m], in double precision."""
    total, squares = 0.0, 0.0
    for row in rows:
        total += np.float64(values[row])
    mean = total / len(rows)
    for row in rows:
        off = np.float64(values[row]) - mean
        squares += off * off
    return mean, np.sqrt(squares / (len(rows) - 1))


@parted
def join_chunks(grads, squares, first, begin, end):
    """Chunks `begin` to `end` of the gradients from number `first` on: as `join_gradients`, into `squares` float64[.].

    A chunk is `AT_HAND` numbers, the last one fewer: what is added up does not depend on who does how many of them.
    """
    for chunk in range(begin, end):
        at = first + AT_HAND * chunk
        squares[chunk] = join_gradients(grads, at, min(at + AT_HAND, grads.shape[1]))


class Rates(NamedTuple):
    """A step of Adam: `step` is the rate over 1 - 0.9^t, `root` that of 1 - 0.999^t, `factor` shortens gradients."""

    step: float
    root: float
    epsilon: float
    factor: float


@parted
def adam(weights, gradient, first, second, rates, span):
    """A step of Adam (Kingma and Ba 2015) for a span; weights and moments are modified."""
    step, root = np.float32(rates.step), np.float32(1.0 / rates.root)
    epsilon, factor = np.float32(rates.epsilon), np.float32(rates.factor)
    begin, end = span.begin, span.end
    w, g = weights[begin:end], gradient[begin:end]
    m, v = first[begin:end], second[begin:end]
    for j in range(len(w)):
        slope = factor * g[j]
        m[j] = FIRST_DECAY * m[j] + REST_OF_FIRST * slope
        v[j] = SECOND_DECAY * v[j] + REST_OF_SECOND * slope * slope
        w[j] -= step * m[j] / (np.sqrt(v[j]) * root + epsilon)


@compiled
def turn_one(source, target, rows, columns):
    """Write a matrix [rows, columns] at an address as [columns, rows] at another; `rows` as long as rows there are."""
    for i in range(rows):
        for j in range(columns):
            put(target, j * rows + i, get(source, i * columns + j))


@parted
def turn(net, weights, turned):
    """Write the matrices that a gradient goes through backwards into `turned`; addresses."""
    row, width, thing = get_word(net, ROW), get_word(net, WIDE_THING), get_word(net, THING)
    turn_one(weights + 4 * get_word(net, MIX), turned, get_word(net, WIDE), row)
    for g in range(get_word(net, N_GROUPS)):
        at = net + 8 * (GROUPS + COLUMNS * g)
        turn_one(weights + 4 * get_word(at, CONTEXT), turned + 4 * get_word(at, CONTEXT_TURNED), row, width)
        turn_one(weights + 4 * get_word(at, JOIN), turned + 4 * get_word(at, JOIN_TURNED), thing, width)
        if get_word(net, IS_ACTOR):
            turn_one(weights + 4 * get_word(at, QUERY), turned + 4 * get_word(at, QUERY_TURNED), row, width)
