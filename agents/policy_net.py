"""The network of trained policies and its forward pass in numpy, so that playing needs no torch.

A dense trunk reads the whole observation. Where the action table has blocks of actions that stand for things which the
observation describes one by one (cards, seats), a small network shared by the things of such a group reads each of
them, compares it with the others, and points at it (Zaheer et al. 2017, Deep Sets; Vinyals et al. 2015, Pointer
Networks). Without such groups it is a plain MLP. Where the policy hears advisers (`agents/advice.py`), a gate says in
every state how much what each of them would do is worth. Training has the same network in torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game
from .declaration import agents_of

COMPARE_SCALE = 10.0  # classes of cards lie close together in an observation; comparisons start where they can differ
RANK_SCALE = 0.5  # of the sum of comparisons
POOL_SCALE = 0.25  # of the sum over the things of a group
CHUNK = 1024  # rows at a time, which bounds the memory of comparisons
_LIMIT = 1 << 20  # no size of a real network comes near
HIDDEN = 64
ONE_HOT = ("phase",)  # one-dimensional pieces that are no list of things, whatever their length


class PolicyError(ProbespielError):
    """A policy that is damaged, missing, or made for another game; its text says what differs."""


@dataclass(frozen=True)
class Group:
    """Things that a block of actions stands for: thing i is action `action + i`.

    Channel c of thing i is input value `channels[c][0] + i * channels[c][1]`; the first channel is whether its action
    is legal. `legal_only`: things whose action is not legal are left out, also of comparisons and sums.
    """

    name: str
    items: int
    action: int
    channels: tuple[tuple[int, int], ...]
    legal_only: bool
    width: int = 16
    compare: int = 4

    def index(self) -> np.ndarray:
        """Positions in the input, int64[items, channels]."""
        offsets = np.array(self.channels, dtype=np.int64)
        return offsets[:, 0] + np.arange(self.items)[:, None] * offsets[:, 1]


@dataclass(frozen=True)
class Blueprint:
    """Sizes and wiring of a network. Its input is an observation (`observation` values) and the action mask behind it.

    The answers of `advisers`, names of baselines, stand between the two. Raises PolicyError for sizes or positions that
    cannot be.
    """

    observation: int
    actions: int
    hidden: int
    groups: tuple[Group, ...] = ()
    advisers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        sizes = [self.observation, self.actions, self.hidden]
        sizes += [n for g in self.groups for n in (g.items, g.width, g.compare, len(g.channels))]
        if not all(type(n) is int and 0 < n < _LIMIT for n in sizes):
            raise PolicyError(f"network sizes {sizes}: positive integers below {_LIMIT}")
        if len({g.name for g in self.groups}) != len(self.groups):
            raise PolicyError("two groups of the network share a name")
        for g in self.groups:
            ends = [(o, o + (g.items - 1) * s) for o, s in g.channels]
            if not all(0 <= a < self.inputs and 0 <= b < self.inputs for a, b in ends):
                raise PolicyError(f"group {g.name!r} of the network reads beyond the observation")
            if not 0 <= g.action <= self.actions - g.items:
                raise PolicyError(f"group {g.name!r} of the network answers beyond the action table")

    @property
    def inputs(self) -> int:
        """Values that the dense trunk reads: observation and mask."""
        return self.observation + self.actions

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Names and shapes of all weights of the policy."""
        h, a = self.hidden, self.actions
        out: dict[str, tuple[int, ...]] = {"trunk.weight": (h, self.inputs), "trunk.bias": (h,)}
        for g in self.groups:
            w, c = g.width, len(g.channels)
            out |= {
                f"{g.name}.item.weight": (w, c),
                f"{g.name}.context.weight": (w, h),
                f"{g.name}.context.bias": (w,),
                f"{g.name}.compare.weight": (g.compare, c),
                f"{g.name}.join.weight": (w, w + g.compare),
                f"{g.name}.join.bias": (w,),
                f"{g.name}.query.weight": (w, h),
                f"{g.name}.query.bias": (w,),
            }
        out |= {"mix.weight": (h, h + sum(g.width for g in self.groups)), "mix.bias": (h,)}
        if self.advisers:
            gates = 1 + len(self.advisers)  # the first for whatever any of them says
            out |= {"gate.weight": (gates, h), "gate.bias": (gates,)}
        return out | {"head.weight": (a, h), "head.bias": (a,)}

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Any) -> Blueprint:
        """The blueprint that `as_dict` described; raises PolicyError."""
        try:
            groups = tuple(
                Group(
                    str(g["name"]), g["items"], int(g["action"]),
                    tuple((int(o), int(s)) for o, s in g["channels"]), bool(g["legal_only"]), g["width"], g["compare"],
                )
                for g in data["groups"]
            )  # fmt: skip
            advisers = tuple(str(name) for name in data.get("advisers", ()))
            return cls(data["observation"], data["actions"], data["hidden"], groups, advisers)
        except PolicyError:
            raise
        except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
            raise PolicyError(f"the description of the network is damaged: {type(error).__name__}: {error}") from None


def blueprint_of(game: Game, hidden: int = HIDDEN, groups: bool = True, advisers: tuple[str, ...] = ()) -> Blueprint:
    """The network for a game: groups for its blocks of card actions and of seat actions, a plain MLP if it has none.

    A block `card` of n actions gets the one-dimensional observation pieces of n values as channels; a block `attack`
    that has an action for every seat gets the columns of the two-dimensional pieces with a row for every seat.
    """
    layout, table = game.layout, game.actions
    size = layout.size
    found: list[Group] = []
    sizes = {block.name: len(block.codes) for block in table.blocks}
    cards = sizes.get("card", 0)
    if groups and cards > 1:
        start = table.starts["card"]
        columns = [p.name for p in layout.pieces if p.shape == (cards,) and p.name not in ONE_HOT]
        channels = [(size + start, 1), *[(layout.offsets[name], 1) for name in columns]]
        found.append(Group("card", cards, start, tuple(channels), legal_only=True))
    seats = game.n_seats
    if groups and 2 < seats <= sizes.get("attack", 0):
        start = table.starts["attack"]
        channels = [(size + start, 1)]
        for p in layout.pieces:
            # rows of cards or of seats say nothing about one seat alone
            if len(p.shape) == 2 and p.shape[0] == seats and p.shape[1] not in (seats, cards, cards + 1):
                channels += [(layout.offsets[p.name] + c, p.shape[1]) for c in range(p.shape[1])]
        for piece, offset, times in agents_of(game.spec.system).seat_values:
            channels.append((layout.offsets[piece] + offset + times * seats, 1))
        found.append(Group("attack", seats, start, tuple(channels), legal_only=False))
    return Blueprint(size, len(table), hidden, tuple(found), advisers)


class PolicyNet:
    """A trained network ready to answer, in numpy; `dtype` float64 makes answers independent of how rows are batched.

    `weights` as in `Blueprint.shapes`; raises PolicyError if a weight is missing, has another shape or is not finite.
    """

    def __init__(self, blueprint: Blueprint, weights: Mapping[str, np.ndarray], dtype: Any = np.float64) -> None:
        shapes = blueprint.shapes()
        if set(weights) != set(shapes):
            missing, extra = sorted(set(shapes) - set(weights)), sorted(set(weights) - set(shapes))
            raise PolicyError(f"weights: missing {missing[:5]}, not known {extra[:5]}")
        for name, shape in shapes.items():
            given = weights[name]
            if given.shape != shape or given.dtype.kind != "f":
                raise PolicyError(f"weight {name!r} is {given.dtype}{given.shape}, needed: float{shape}")
            if not np.isfinite(given).all():
                raise PolicyError(f"weight {name!r} holds values that are not finite")
        self.blueprint = blueprint
        self.dtype = np.dtype(dtype)
        # copies: training goes on changing the arrays that it hands over
        self.weights = {name: np.array(weights[name], dtype=dtype) for name in shapes}
        self._index = [g.index() for g in blueprint.groups]

    def _dense(self, name: str, x: np.ndarray) -> np.ndarray:
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def logits(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Scores of all actions, [m, A], for observations [m, L] and masks [m, A]; where illegal they mean nothing.

        A network with k advisers takes their answers behind the observations, [m, L + k], as `Advice.beside` gives it.
        Raises PolicyError for observations of another width.
        """
        width = self.blueprint.observation + len(self.blueprint.advisers)
        if observations.shape[1] != width:
            raise PolicyError(
                f"the network reads {width} values, not {observations.shape[1]}: an observation and the answers of its "
                f"advisers ({', '.join(self.blueprint.advisers) or 'it has none'})"
            )
        if len(masks) <= CHUNK:
            return self._logits(observations, masks)
        parts = [slice(i, i + CHUNK) for i in range(0, len(masks), CHUNK)]
        return np.concatenate([self._logits(observations[part], masks[part]) for part in parts])

    def _logits(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        b, w = self.blueprint, self.weights
        x = np.concatenate([observations[:, : b.observation], masks], axis=1).astype(self.dtype)
        first = np.tanh(self._dense("trunk", x))
        sums, pointers = [first], []
        for g, index in zip(b.groups, self._index):
            chosen, present = _present(masks[:, g.action : g.action + g.items], g.legal_only)
            things = _take(x, index[chosen])
            weight = present.astype(self.dtype)[:, :, None]
            seen = np.tanh(things @ w[f"{g.name}.item.weight"].T + self._dense(f"{g.name}.context", first)[:, None, :])
            scores = things @ (COMPARE_SCALE * w[f"{g.name}.compare.weight"].T)
            ranks = RANK_SCALE * (np.tanh(scores[:, None, :, :] - scores[:, :, None, :]) * weight[:, None]).sum(axis=2)
            joined = np.tanh(self._dense(f"{g.name}.join", np.concatenate([seen, ranks], axis=2))) * weight
            sums.append(POOL_SCALE * joined.sum(axis=1))
            pointers.append((g, chosen, joined))
        mixed = np.tanh(self._dense("mix", np.concatenate(sums, axis=1)))
        out = self._dense("head", mixed)
        rows = np.arange(len(x))[:, None]
        for g, chosen, joined in pointers:
            query = self._dense(f"{g.name}.query", mixed)
            # things that are not present have a zero vector, so they add nothing wherever they were sorted to
            out[rows, g.action + chosen] += (joined * query[:, None, :]).sum(axis=2)
        if b.advisers:
            gate = self._dense("gate", mixed)
            advised = observations[:, b.observation :].astype(np.int64)
            named = np.zeros_like(out)
            np.put_along_axis(named, advised, 1.0, axis=1)
            out += named * gate[:, :1]
            for k in range(len(b.advisers)):  # one by one: two may say the same
                out[rows[:, 0], advised[:, k]] += gate[:, 1 + k]
        return out

    def probabilities(self, observations: np.ndarray, masks: np.ndarray, temperature: float = 1.0) -> np.ndarray:
        """Chances of all actions, float64[m, A], zero where illegal; `temperature` 0: all on the likeliest."""
        logits = self.logits(observations, masks).astype(np.float64)
        logits[masks == 0] = -np.inf
        logits -= logits.max(axis=1, keepdims=True)
        if temperature == 0.0:
            out = np.zeros_like(logits)
            out[np.arange(len(out)), logits.argmax(axis=1)] = 1.0
            return out
        with np.errstate(over="ignore"):  # beyond all bounds below the best one: no chance at all
            out = np.exp(logits / temperature)
        return out / out.sum(axis=1, keepdims=True)


def _present(legal: np.ndarray, legal_only: bool) -> tuple[np.ndarray, np.ndarray]:
    """Which things to look at, int64[m, k], and which of those count, bool[m, k]; k as small as possible."""
    m, n = legal.shape
    if not legal_only:
        return np.broadcast_to(np.arange(n), (m, n)), np.ones((m, n), dtype=bool)
    flags = legal != 0
    k = int(flags.sum(axis=1).max(initial=0))
    chosen = np.argsort(~flags, axis=1, kind="stable")[:, :k]
    return chosen, np.take_along_axis(flags, chosen, axis=1)


def _take(x: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Values of the rows of `x` [m, I] at `index` int64[m, k, c]."""
    return np.take_along_axis(x, index.reshape(len(x), -1), axis=1).reshape(index.shape)


def draw(chances: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    """One action a row, int64[m], by `chances` float64[m, A] and the seeds of the decisions, uint64[m]."""
    with np.errstate(over="ignore"):  # splitmix64, as `rand_float` of envs/core/rng.py
        x = np.asarray(seeds, dtype=np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
    u = (x >> np.uint64(11)) * (1.0 / 9007199254740992.0)
    steps = chances.cumsum(axis=1)
    # Rounding may leave the last step just below 1: then the draw falls to the last action with a chance.
    u = np.minimum(u * steps[:, -1], np.nextafter(steps[:, -1], 0.0))
    return (steps > u[:, None]).argmax(axis=1).astype(np.int64)


__all__ = ["Blueprint", "Group", "PolicyError", "PolicyNet", "draw"]
