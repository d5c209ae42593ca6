"""Where the weights of a network lie in the memory of the native learner, and the memory that one decision needs.

A network, actor or critic, is one vector of float32. Its matrices lie in it so that what is added up is contiguous:
the trunk has a row for every input, for few inputs are not 0; the head a row for every action, for few are legal. Rows
are as long as the next multiple of `vectors.LANES`; what is beyond the network's own widths stays 0 by itself, as no
gradient reaches it. `named` gives the same memory as arrays with the names and shapes of the networks in torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from .policy_net import POOL_SCALE, Blueprint, Group
from .vectors import QUAD, TILE, aligned, padded

# What is known of a network, int64 each: sizes, where matrices begin in its vector, where its groups and their channels
# stand further on. ROW, WIDE, WIDE_THING and THING are lengths of rows: of hidden vectors, of mixed features, of
# what a group makes of a thing, and of what it reads off one before things are compared.
SIZE, TURNED, HIDDEN, ROW, FEATURES, WIDE, WIDE_THING, THING, OBSERVATION, ADVISERS, IS_ACTOR, N_GROUPS = range(12)
# IS_ACTOR: 1 of a policy, JUDGES of a critic of every action, which is wired like it, 0 of one of a value alone.
# BASE is what the trunk makes of usual inputs (see `usual.py`): no weight, but worked out from those of the trunk.
TRUNK, TRUNK_BIAS, BASE, MIX, MIX_BIAS, HEAD, HEAD_BIAS, GATE, GATE_BIAS, GROUPS = range(12, 22)
# columns of a group
ITEMS, ACTION, CHANNELS, CHANNEL_AT, LEGAL_ONLY, WIDTH, COMPARE, SUM_AT, ITEM_AT, PAIRS_AT = range(10)
THINGS, CONTEXT, CONTEXT_BIAS, JOIN, JOIN_BIAS, QUERY, QUERY_BIAS = range(10, 17)
CONTEXT_TURNED, JOIN_TURNED, QUERY_TURNED = range(17, 20)
COLUMNS = 20
JUDGES = 2


class Net(NamedTuple):
    """The layout of a network: `layout` int64[...] as above, and its sizes for Python."""

    layout: np.ndarray
    size: int  # numbers in the vector
    turned: int  # numbers in the vector of turned matrices
    actions: int  # of the game
    actor: bool  # or wired like one


def critic_blueprint(blueprint: Blueprint, seats: int) -> Blueprint:
    """That of a critic which is shown what `seats` seats see, the policy's own first; as it is for one."""
    further = (seats - 1) * blueprint.observation
    groups = tuple(
        replace(g, channels=tuple((at + further * (at >= blueprint.observation), by) for at, by in g.channels))
        for g in blueprint.groups
    )
    return replace(blueprint, observation=blueprint.observation + further, groups=groups)


def net_of(blueprint: Blueprint, actor: bool, judges: bool = False) -> Net:
    """The actor or the critic of a blueprint, or the critic that `judges` every action."""
    used = [0, 0]

    def place(size: int, vector: int = 0) -> int:
        at = used[vector]
        used[vector] += padded(size, 16)  # whole lines of the cache
        return at

    row = padded(blueprint.hidden)
    features = blueprint.hidden + sum(g.width for g in blueprint.groups)
    wide = padded(features)
    width = max((padded(g.width) for g in blueprint.groups), default=0)
    thing = max((padded(g.width + padded(g.compare, QUAD)) for g in blueprint.groups), default=0)
    outputs = blueprint.actions if actor or judges else 1
    advisers = len(blueprint.advisers) if actor else 0
    gates = 1 + advisers if advisers else 0
    n = len(blueprint.groups)
    layout = np.zeros(GROUPS + COLUMNS * n, np.int64)
    layout[HIDDEN:N_GROUPS + 1] = (
        blueprint.hidden, row, features, wide, width, thing, blueprint.observation, advisers,
        JUDGES if judges else actor, n,
    )  # fmt: skip
    place(row * wide, 1)  # the mix, turned, is the first of those
    layout[TRUNK:GROUPS] = [
        place(size)
        for size in (blueprint.inputs * row, row, row, wide * row, row, outputs * row, outputs, gates * row, gates)
    ]
    actor = actor or judges
    channel, item, pairs, total = 0, 0, 0, blueprint.hidden
    for i, g in enumerate(blueprint.groups):
        out, c = layout[GROUPS + COLUMNS * i :], len(g.channels)
        at = len(layout) + 2 * channel
        out[:10] = g.items, g.action, c, at, g.legal_only, g.width, g.compare, total, item, pairs
        out[10:17] = [
            place(size)
            for size in (c * thing, row * width, width, thing * width, width, row * width * actor, width * actor)
        ]
        out[17:20] = [place(size, 1) for size in (width * row, width * thing, width * row * actor)]
        channel, item, total = channel + c, item + g.items, total + g.width
        pairs += g.items * (g.items - 1) // 2 * padded(g.compare, QUAD)
    layout[SIZE], layout[TURNED] = used
    channels = np.array([c for g in blueprint.groups for c in g.channels], np.int64).reshape(-1)
    return Net(np.concatenate([layout, channels]), used[0], used[1], blueprint.actions, actor)


def named(blueprint: Blueprint, net: Net, vector: np.ndarray) -> dict[str, np.ndarray]:
    """The weights in a vector float32[net.size], as views with the names and shapes of `nets.Actor` or `nets.Critic`.

    In the order of their parameters.
    """

    def matrix(at: int, rows: int, columns: int) -> np.ndarray:
        return vector[at : at + rows * columns].reshape(rows, columns)

    at = net.layout.tolist()
    h, row, gates = at[HIDDEN], at[ROW], 1 + at[ADVISERS]
    out = {
        "trunk.weight": matrix(at[TRUNK], blueprint.inputs, row)[:, :h].T,
        "trunk.bias": vector[at[TRUNK_BIAS] : at[TRUNK_BIAS] + h],
    }
    for i, g in enumerate(blueprint.groups):
        out |= _named_group(g, at[GROUPS + COLUMNS * i :], net, matrix)
    out["mix.weight"] = matrix(at[MIX], at[WIDE], row)[: at[FEATURES], :h].T
    out["mix.bias"] = vector[at[MIX_BIAS] : at[MIX_BIAS] + h]
    head, outputs = ("head", net.actions) if net.actor else ("value", 1)
    out[f"{head}.weight"] = matrix(at[HEAD], outputs, row)[:, :h]
    out[f"{head}.bias"] = vector[at[HEAD_BIAS] : at[HEAD_BIAS] + outputs]
    if at[ADVISERS]:
        out["gate.weight"] = matrix(at[GATE], gates, row)[:, :h]
        out["gate.bias"] = vector[at[GATE_BIAS] : at[GATE_BIAS] + gates]
    return out


def _named_group(g: Group, at: list[int], net: Net, matrix: Any) -> dict[str, np.ndarray]:
    w, c = g.width, len(g.channels)
    h, row, width, thing = (int(net.layout[i]) for i in (HIDDEN, ROW, WIDE_THING, THING))
    things = matrix(at[THINGS], c, thing)
    out = {
        "item.weight": things[:, :w].T,
        "context.weight": matrix(at[CONTEXT], row, width)[:h, :w].T,
        "context.bias": matrix(at[CONTEXT_BIAS], 1, width)[0, :w],
        "compare.weight": things[:, w : w + g.compare].T,
        "join.weight": matrix(at[JOIN], thing, width)[: w + g.compare, :w].T,
        "join.bias": matrix(at[JOIN_BIAS], 1, width)[0, :w],
    }
    if net.actor:
        out["query.weight"] = matrix(at[QUERY], row, width)[:h, :w].T
        out["query.bias"] = matrix(at[QUERY_BIAS], 1, width)[0, :w]
    return {f"{g.name}.{name}": view for name, view in out.items()}


def pack(blueprint: Blueprint, net: Net, weights: Mapping[str, np.ndarray], vector: np.ndarray) -> None:
    """Write named weights into a vector; raises KeyError or ValueError where names or shapes differ."""
    views = named(blueprint, net, vector)
    if set(views) != set(weights):
        raise KeyError(f"weights {sorted(set(views) ^ set(weights))[:5]} are missing or not known")
    for name, view in views.items():
        if weights[name].shape != view.shape:
            raise ValueError(f"weight {name!r} has shape {weights[name].shape}, needed: {view.shape}")
        view[:] = weights[name]


def unpack(blueprint: Blueprint, net: Net, vector: np.ndarray) -> dict[str, np.ndarray]:
    """The weights in a vector by name, float32 copies."""
    return {name: np.array(view, order="C") for name, view in named(blueprint, net, vector).items()}


# Memory for one decision, addresses but for the first two: what a network is shown (the number of its inputs of the
# observation, and with the legal actions; indexes int32, values float32, advisers' answers int32) ...
SHOWN, TOTAL, INDEX, VALUES, ANSWERS = range(5)
# ... what it makes of that: inputs (float32, usual ones between two decisions; only for groups), features, mixed ones;
# for each thing which it is (int32), its channels, what is seen, scores for comparisons, comparisons of pairs, joined
# vectors; queries of groups, a group's context; logits of legal actions in ascending order, chances, which actions
# those are (int32), positions of all actions among them (int32, else -1) ...
INPUTS, SUMS, MIXED, COUNTS, CHOSEN, CHANNEL, SEEN, SCORES, PAIRS, JOINED, QUERIES = range(5, 16)
THE_CONTEXT, POOL, LOGITS, CHANCES, ACTIONS, PLACES = range(16, 22)
# ... and gradients of that.
D_LOGITS, D_MIXED, D_SUMS, D_FIRST, D_JOINED, D_SEEN, D_SCORES, D_QUERY, D_CONTEXT = range(22, 31)
MOST_CHANNELS, MOST_COMPARED = 31, 32  # of any group: lengths of rows
NOTHING, LONG = 33, 34  # zeros (float32), and the length of a row of features
USUAL = 35  # what inputs usually are (float32), of which lists tell the difference
WORDS = 36
# decisions: many enough to find weights in the first cache, few enough to stay there themselves; whole `vectors.TILE`s
TOGETHER = 16
# What each of them has for itself; the rest is used by one after the other.
OWN = (SUMS, MIXED, COUNTS, CHOSEN, CHANNEL, SEEN, PAIRS, JOINED, D_MIXED, D_SUMS, D_FIRST, D_JOINED)


class Work:
    """Memory in which a network decides, or learns from decisions, `TOGETHER` of them; one for each thread.

    `at` int64[TOGETHER, WORDS] as above. What belongs to one decision follows that of the decision before.
    """

    def __init__(self, net: Net) -> None:
        layout = net.layout
        groups = layout[GROUPS : GROUPS + COLUMNS * layout[N_GROUPS]].reshape(-1, COLUMNS)
        items = int(groups[:, ITEMS].sum())
        room = items + TILE  # for whole `vectors.TILE`s of the last things
        channels, compare = (int(groups[:, c].max(initial=1)) for c in (CHANNELS, COMPARE))
        compare = padded(compare, QUAD)
        pairs = int((groups[:, ITEMS] * (groups[:, ITEMS] - 1) // 2).sum()) * compare
        row, wide, width, thing = (int(layout[i]) for i in (ROW, WIDE, WIDE_THING, THING))
        long = padded(wide + max(width, row))  # rows are written as wholes: the last may reach beyond its width
        a, floats, ints = net.actions, np.float32, np.int32
        sizes: dict[int, tuple[int, type]] = {
            INPUTS: (int(layout[OBSERVATION]) + a, floats),
            SUMS: (long, floats), MIXED: (row, floats), COUNTS: (len(groups), ints), CHOSEN: (items, ints),
            CHANNEL: (room * channels, floats),
            SEEN: (room * thing, floats), SCORES: (items * compare, floats), PAIRS: (pairs, floats),
            JOINED: (room * width, floats), QUERIES: (len(groups) * width, floats), THE_CONTEXT: (thing, floats),
            POOL: (items, floats), LOGITS: (a, floats), CHANCES: (a, floats), ACTIONS: (a, ints), PLACES: (a, ints),
            D_LOGITS: (a, floats), D_MIXED: (row, floats), D_SUMS: (wide, floats), D_FIRST: (row, floats),
            D_JOINED: (room * width, floats), D_SEEN: (room * thing, floats), D_SCORES: (items * compare, floats),
            D_QUERY: (width, floats), D_CONTEXT: (width, floats), NOTHING: (max(wide, row, thing), floats),
            USUAL: (int(layout[OBSERVATION]) + a, floats),
        }  # fmt: skip
        # rounded up: loops work on whole vectors
        self.arrays = {
            name: aligned(TOGETHER if name in OWN else 1, padded(size), kind=kind)
            for name, (size, kind) in sizes.items()
        }
        self.arrays[POOL][:] = POOL_SCALE
        self.arrays[PLACES][:] = -1
        self.at = np.zeros((TOGETHER, WORDS), np.int64)
        for name, array in self.arrays.items():
            self.at[:, name] = array.ctypes.data + np.arange(TOGETHER) * (array.strides[0] if name in OWN else 0)
        self.at[:, MOST_CHANNELS], self.at[:, MOST_COMPARED], self.at[:, LONG] = channels, compare, long

    def expect(self, usual: np.ndarray) -> None:
        """Take lists that tell how inputs differ from `usual`, float32[L]; at first those are 0."""
        for name in (USUAL, INPUTS):
            self.arrays[name][:] = 0.0
            self.arrays[name][0, : len(usual)] = usual


__all__ = ["Net", "Work", "critic_blueprint", "named", "net_of", "pack", "unpack"]
