"""Decisions as rows, what a seat sees and may do: written out, or as lists of what is not as usual."""

from __future__ import annotations

from typing import Any, NamedTuple

from .abi import OBSERVE, address_of, call_kernel, lowest_bit, popcount, zero_bytes
from .inner import inner
from .jit import driver
from .memory import BLOCK, clear, get, nonzero, put, put_index, unequal


class Rows(NamedTuple):
    """Decisions as rows, what a seat sees and may do: written out, or as lists of what is not 0.

    Written out: `observations` float32[r, L] and `masks` int8[r, A], and the rest is empty. As lists: row i has
    `sizes[i, 1]` entries, `index` int32[r, L + A] ascending and `values` float32[r, L + A]. The first `sizes[i, 0]` are
    the observation's values that are not `usual` (float32[L], or empty for 0), and by how much they differ from that;
    the others are the legal actions, of index L + action and value 1. `observations` [1, L] is working space then, of
    zeros between two decisions, and `masks` has no row. Both come from one `observe` of the rules.
    """

    observations: Any
    masks: Any
    index: Any
    values: Any
    sizes: Any  # int64[r, 2]
    usual: Any


@inner(allocates=False)
def count_legal(words):
    """Number of actions in a legal-action set (int64[W])."""
    total = 0
    for w in range(len(words)):
        total += popcount(words[w])
    return total


@inner(allocates=False)
def first_legal(words):
    """Lowest action of a legal-action set that is not empty."""
    w = 0
    while words[w] == 0:
        w += 1
    return 32 * w + lowest_bit(words[w])


@inner(allocates=False)
def list_nonzero(at, length, index, values):
    """Write which of the numbers (float32) at an address are not 0 (int32), and these numbers; how many."""
    found, whole = 0, length // BLOCK * BLOCK
    for begin in range(0, whole, BLOCK):
        left = nonzero(at + 4 * begin)
        while left:
            j = begin + lowest_bit(left)
            put_index(index, found, j)
            put(values, found, get(at, j))
            found += 1
            left &= left - 1
    for j in range(whole, length):
        value = get(at, j)
        put_index(index, found, j)
        put(values, found, value)
        found += value != 0.0
    return found


@inner(allocates=False)
def list_unequal(at, usual, length, index, values):
    """Write which of the numbers (float32) at an address are not the usual ones, and by how much; how many.

    The numbers are 0 afterwards: they are at hand here, and need not be cleared for the next ones later.
    """
    found, whole = 0, length // BLOCK * BLOCK
    for begin in range(0, whole, BLOCK):
        left = unequal(at + 4 * begin, usual + 4 * begin)
        while left:
            j = begin + lowest_bit(left)
            put_index(index, found, j)
            put(values, found, get(at, j) - get(usual, j))
            found += 1
            left &= left - 1
        clear(at + 4 * begin)
    for j in range(whole, length):
        value = get(at, j) - get(usual, j)
        put_index(index, found, j)
        put(values, found, value)
        found += value != 0.0
        put(at, j, 0.0)
    return found


@driver(allocates=False)
def list_values(observation, rows, i):
    """Begin list i of `rows` with the values of an observation (float32[L]) that are not the usual ones; how many.

    The observation is 0 afterwards.
    """
    at, length = address_of(observation), len(observation)
    index = address_of(rows.index) + 4 * i * rows.index.shape[1]
    values = address_of(rows.values) + 4 * i * rows.values.shape[1]
    if len(rows.usual) > 0:
        found = list_unequal(at, address_of(rows.usual), length, index, values=values)
    else:
        found = list_nonzero(at, length, index, values=values)
        zero_bytes(at, 4 * length)
    rows.sizes[i, 0] = found
    rows.sizes[i, 1] = found
    return found


@inner(allocates=False)
def write_row(k, p, s, seat, words, rows, i):
    """Write row i (see Rows): the observation of a seat, and its legal-action set."""
    listed = len(rows.sizes) > 0
    observation = rows.observations[0 if listed else i]
    if not listed:  # that of lists is left empty by the one before
        zero_bytes(address_of(observation), 4 * len(observation))
    call_kernel(k, OBSERVE, s, p, seat, 0, address_of(observation))
    if listed:
        found = list_values(observation, rows, i)
        for w in range(len(words)):
            left = words[w]
            while left:
                rows.index[i, found] = len(observation) + 32 * w + lowest_bit(left)
                rows.values[i, found] = 1.0
                found += 1
                left &= left - 1
        rows.sizes[i, 1] = found
    else:
        mask = rows.masks[i]
        for a in range(len(mask)):
            mask[a] = (words[a >> 5] >> (a & 31)) & 1


@driver
def check_choices(masks, actions, m):
    """Index of the first of `m` actions (int64) that its mask (int8[m, A]) does not allow, or -1."""
    for r in range(m):
        a = actions[r]
        if a < 0 or a >= masks.shape[1] or masks[r, a] == 0:
            return r
    return -1


@driver(allocates=False, nogil=True)
def check_listed(rows, actions, begin, end):
    """Like `check_choices`, for the lists `begin` to `end` of `rows`."""
    length = rows.observations.shape[1]
    for r in range(begin, end):
        found = False
        for e in range(rows.sizes[r, 0], rows.sizes[r, 1]):
            if rows.index[r, e] == length + actions[r]:
                found = True
                break
        if not found:
            return r
    return -1
