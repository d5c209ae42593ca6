"""Guided policies: baselines and learned action values that use some actions always, never, by a coin, or at will.

Restricted play tells what an action, or a rule, is worth to those who have it (Jaffe et al. 2012, Evaluating
Competitive Game Balance with Restricted Play). A guided policy is compiled and takes part in matches like any other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ...agents.base import Agent, AgentError, NativePolicy, Requests, View
from ...agents.native import native_policy, play_native
from ...agents.policy_net import blueprint_of
from ...envs.core.archive import ArchiveError, read_arrays
from ...envs.core.build import Function, general_function
from ...envs.core.game import Game
from .guided_kernel import (
    ALWAYS,
    AS_IS,
    COIN,
    ENTRIES,
    EVERYWHERE,
    FIXED,
    FREE,
    LEAD_UNIT,
    NEVER,
    NOWHERE,
    R_ACTION,
    R_FLAGS,
    R_LEAD,
    R_LEGAL,
    R_PHASE,
    R_SEAT,
    RANDOM,
    ROW,
    WHETHER,
    guided,
)
from .value_kernel import FIRST_GROUP, HIDDEN, PER_GROUP

USES = {"as_is": AS_IS, "always": ALWAYS, "never": NEVER, "coin": COIN, "random": RANDOM, "answer": FIXED}
SCOPES = {"nowhere": NOWHERE, "everywhere": EVERYWHERE, "whether": WHETHER}
PHASES = 64  # phases that a mark can tell apart


@dataclass(frozen=True)
class Marks:
    """Actions (ids) and phases (indexes) that belong to a rule under test."""

    actions: frozenset[int] = frozenset()
    phases: frozenset[int] = frozenset()

    def words(self, game: Game) -> np.ndarray:
        """The actions as a legal-action set, int64[W]."""
        return game.actions.ids_to_words(sorted(self.actions))

    def flags(self) -> np.ndarray:
        """The phases as flags, int64[PHASES]."""
        out = np.zeros(PHASES, dtype=np.int64)
        out[[i for i in self.phases if i < PHASES]] = 1
        return out


NO_MARKS = Marks()


class ActionValues:
    """A network that gives every legal action of a decision a value; its weights are float32 arrays by name.

    Made for the observation layout, the seats and the action table of a game; `seed` decides the first weights. `seen`
    is how many numbers it sees: those of the observation, and one a seat, which tells whose decision it is.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        blueprint = blueprint_of(game)
        rng = np.random.default_rng(seed)
        length, actions, seats = game.layout.size, game.n_actions, game.n_seats
        self.seen = length + seats

        def normal(scale: float, *shape: int) -> np.ndarray:
            return (scale * rng.standard_normal(shape)).astype(np.float32)

        self.weights = {
            "input": normal(0.15, length, HIDDEN),
            "bias": normal(0.3, HIDDEN),
            "action": normal(0.3, actions, HIDDEN),
            "out": normal(0.1 / HIDDEN**0.5, HIDDEN),
            "shift": np.zeros(actions, dtype=np.float32),
        }
        self.groups: list[tuple[int, int, np.ndarray]] = []
        for group in blueprint.groups:
            # that its action is legal is known of every thing looked at
            channels = np.array([c for c in group.channels if c[0] < length], dtype=np.int64).reshape(-1, 2)
            self.groups.append((group.items, group.action, channels))
            self.weights[f"{group.name}"] = normal(0.5, 2 * len(channels), HIDDEN)
        self.weights["input"] = np.concatenate((self.weights["input"], normal(0.15, seats, HIDDEN)))
        self.squares = {name: np.full_like(w, 1e-3) for name, w in self.weights.items()}
        self.rate = np.array([0.02])
        scratch = {"seen": self.seen, "state": HIDDEN, "units": HIDDEN, "slopes": 2 * HIDDEN}
        self._scratch = {name: np.zeros(n, dtype=np.float32) for name, n in scratch.items()}
        self.values = np.zeros(actions)  # of the position looked at last
        self.header = np.zeros(FIRST_GROUP + PER_GROUP * len(self.groups), dtype=np.int64)
        self._features = [np.zeros(items * 2 * len(c), dtype=np.float32) for items, _, c in self.groups]
        self._wire(seats, actions)

    def _wire(self, seats: int, actions: int) -> None:
        def at(array: np.ndarray) -> int:
            return array.ctypes.data

        names = ("input", "bias", "action", "out", "shift")
        self.header[:FIRST_GROUP] = [
            self.seen, actions, len(self.groups),
            *[at(self.weights[n]) for n in names],
            *[at(self.squares[n]) for n in names],
            *[at(self._scratch[n]) for n in ("seen", "state", "units", "slopes")],
            at(self.values), at(self.rate), seats,
        ]  # fmt: skip
        further = [name for name in self.weights if name not in names]
        for g, (name, (items, start, channels), features) in enumerate(zip(further, self.groups, self._features)):
            first = FIRST_GROUP + g * PER_GROUP
            self.header[first : first + PER_GROUP] = [
                items, start, len(channels), at(channels), at(self.weights[name]), at(self.squares[name]), at(features),
            ]  # fmt: skip

    def save(self, path: Path) -> None:
        """Write the weights."""
        np.savez(path, **self.weights)  # pyright: ignore[reportArgumentType]

    def load(self, path: Path) -> None:
        """Read weights that `save` wrote; raises AgentError if they are damaged, of another game or size."""
        try:
            stored = read_arrays(path)
        except ArchiveError as error:
            raise AgentError(f"{path}: these weights are damaged ({error}); begin anew with --overwrite") from None
        for name, array in self.weights.items():
            if name not in stored or stored[name].shape != array.shape:
                raise AgentError(f"{path}: the weights {name!r} are missing or of another shape")
            array[...] = stored[name]


class Log:
    """Room for the decisions of some games, in the order in which they were taken."""

    def __init__(self, room: int) -> None:
        self.rows = np.zeros((room, ROW), dtype=np.int64)
        self.header = np.array([room, 0, self.rows.ctypes.data], dtype=np.int64)

    def clear(self) -> None:
        """Forget all."""
        self.header[1] = 0

    @property
    def overflown(self) -> bool:
        """Whether there was no room for some of them."""
        return bool(self.header[1] > self.header[0])

    def read(self) -> LoggedDecisions:
        """What was written, a copy."""
        return LoggedDecisions(self.rows[: int(min(self.header[0], self.header[1]))].copy())


@dataclass(frozen=True)
class LoggedDecisions:
    """Decisions in order, int64[n, ROW], with names for the columns."""

    rows: np.ndarray

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def seats(self) -> np.ndarray:
        """Whose decision, int64[n]."""
        return self.rows[:, R_SEAT]

    @property
    def actions(self) -> np.ndarray:
        """What was chosen, int64[n]."""
        return self.rows[:, R_ACTION]

    @property
    def phases(self) -> np.ndarray:
        """What was asked, int64[n]."""
        return self.rows[:, R_PHASE]

    @property
    def legal(self) -> np.ndarray:
        """How many actions were legal, int64[n]."""
        return self.rows[:, R_LEGAL]

    @property
    def offered(self) -> np.ndarray:
        """Whether a marked action was legal, bool[n]."""
        return (self.rows[:, R_FLAGS] & 1) != 0

    @property
    def free(self) -> np.ndarray:
        """Whether a marked action was legal, and another one, bool[n]: an opportunity that can be declined."""
        return (self.rows[:, R_FLAGS] & FREE) != 0

    @property
    def taken(self) -> np.ndarray:
        """Whether it was taken, bool[n]."""
        return (self.rows[:, R_FLAGS] & 2) != 0

    @property
    def leads(self) -> np.ndarray:
        """Mean payoff of the seat's side as it stood, less that of the best other side, float64[n]; 0 without one."""
        return self.rows[:, R_LEAD] / LEAD_UNIT


@cache
def _function() -> Function:
    return general_function(guided)


@dataclass
class _Bound:
    """A guide for one game with everything that its numbers point at."""

    game: Game
    policy: NativePolicy
    guide: np.ndarray
    keep: list[Any] = field(default_factory=list)


class Guided(Agent):
    """A compiled baseline, or a network of action values, with a way of using marked actions.

    `base` names a compiled baseline ("" for uniform choice), or is a native policy or another guided one; `use` is one
    of `USES`; the network takes the decisions of `scope` ("whether": if the marked actions are used, and how; all that
    is done without them is the base's), by the best value or, with `temperature` above 0, by a draw from exp(value /
    temperature), and with the chance `explore` at random. `log` gets a row for every decision. With the chance
    `overlook` marked actions that can be declined are not seen, whatever the way of using them. Of the use "answer" the
    action `answer` is taken wherever it is legal.
    """

    def __init__(
        self,
        name: str,
        base: str | NativePolicy | Guided = "",
        marks: Marks = NO_MARKS,
        use: str = "as_is",
        values: ActionValues | None = None,
        scope: str = "nowhere",
        temperature: float = 0.0,
        explore: float = 0.0,
        log: Log | None = None,
        overlook: float = 0.0,
        answer: int = -1,
    ) -> None:
        if use not in USES:
            raise AgentError(f"use = {use!r} is not allowed: one of {', '.join(USES)}")
        if scope not in SCOPES or (values is None) != (scope == "nowhere"):
            raise AgentError(f"scope = {scope!r} is not allowed: one of {', '.join(SCOPES)}, with action values")
        if (use == "answer") != (answer >= 0):
            raise AgentError(f"answer = {answer} is not allowed with use = {use!r}")
        self.name, self.base, self.marks, self.use, self.scope = name, base, marks, use, scope
        self.values, self.log, self.answer = values, log, answer
        self.tuning = np.array([temperature, explore, overlook])
        self._bound: dict[int, _Bound] = {}

    def native(self, game: Game) -> NativePolicy:
        """The compiled policy; raises AgentError if the baseline does not play the game."""
        known = self._bound.get(id(game))
        if known is None:
            known = self._bound[id(game)] = self._bind(game)
        return known.policy

    def prepare(self, game: Game) -> None:
        """Compile the baseline for the rule set."""
        self.native(game)

    def _bind(self, game: Game) -> _Bound:
        base = self.base
        if isinstance(base, Guided):
            base = base.native(game)
        elif base and isinstance(base, str):
            base = native_policy(game, base)
        legal, left = np.zeros(game.words, dtype=np.int64), np.zeros(game.words, dtype=np.int64)
        marked, flags = self.marks.words(game), self.marks.flags()
        sides = side_of_seats(game)
        payoff = np.zeros(max(64, game.capacity))
        fields = game.state_dtype.fields
        assert fields is not None
        guide = np.zeros(ENTRIES, dtype=np.int64)
        guide[:] = [
            base.address if isinstance(base, NativePolicy) else 0,
            base.which if isinstance(base, NativePolicy) else 0,
            USES[self.use], SCOPES[self.scope],
            0 if self.values is None else self.values.header.ctypes.data,
            game.words, legal.ctypes.data, left.ctypes.data, marked.ctypes.data, flags.ctypes.data,
            fields["ask_phase"][1], self.tuning.ctypes.data,
            0 if self.log is None else self.log.header.ctypes.data,
            sides.ctypes.data, game.n_seats, payoff.ctypes.data, max(self.answer, 0),
        ]  # fmt: skip
        function = _function()
        keep = [base, legal, left, marked, flags, sides, payoff, self.values, self.tuning, self.log, function]
        pending = base.pending if isinstance(base, NativePolicy) else []
        return _Bound(game, NativePolicy(function.address, guide.ctypes.data, [guide, keep], pending), guide, keep)

    def act(self, view: View) -> int:
        """One decision."""
        return int(self.act_batch(view.requests)[0])

    def act_batch(self, requests: Requests) -> np.ndarray:
        """Many decisions, int64[m]."""
        return play_native(self.native(requests.game), requests)


def side_of_seats(game: Game) -> np.ndarray:
    """The number of the side of every seat, int64[seats]."""
    out = np.zeros(game.n_seats, dtype=np.int64)
    for index, (_, seats) in enumerate(game.sides):
        out[list(seats)] = index
    return out


__all__ = [
    "NO_MARKS", "USES", "ActionValues", "Guided", "Log", "LoggedDecisions", "Marks", "side_of_seats",
]  # fmt: skip
