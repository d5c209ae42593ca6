"""What an agent sees and answers: one decision (`View`), many at once (`Requests`), and the base class `Agent`.

An agent gets what its seat may know and never the state of the table. Its randomness comes from the seed of the
decision alone, so that its answers depend neither on how decisions are batched nor on the number of processes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from ..envs.core.brief import brief
from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game, Position
from .base_kernel import Decisions, Known, deal, decision_seed, gather, reseed


class AgentError(ProbespielError):
    """An agent that cannot be made, cannot play a game, or gave a wrong answer; its text names what is allowed."""


@dataclass(frozen=True)
class Param:
    """One parameter of an agent: its default, and the allowed range (numbers) or choices (texts).

    The type of the default is the type of the parameter; `optional` admits None, written `none`.
    """

    name: str
    default: Any
    doc: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    kind: type = str
    optional: bool = False

    def allowed(self) -> str:
        """The allowed values in words."""
        if self.choices:
            text = "one of " + ", ".join(self.choices)
        elif self.kind is bool:
            text = "true or false"
        elif self.kind in (int, float):
            text = "an integer" if self.kind is int else "a number"
            if self.low is not None and self.high is not None:
                text += f" from {self.low:g} to {self.high:g}"
            elif self.low is not None:
                text += f" of at least {self.low:g}"
        else:
            text = "a text"
        return text + (" or none" if self.optional else "")

    def check(self, value: Any) -> Any:
        """The value as the declared type; raises AgentError."""
        wrong = AgentError(f"{self.name} = {brief(value)} is not allowed: {self.allowed()}")
        if value is None:
            if self.optional:
                return None
            raise wrong
        if self.kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if (self.kind is not bool and isinstance(value, bool)) or not isinstance(value, self.kind):
            raise wrong
        if self.choices and value not in self.choices:
            raise wrong
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            # "not <=" also refuses nan
            if (self.low is not None and not self.low <= value) or (self.high is not None and not value <= self.high):
                raise wrong
        return value

    def parse(self, text: str) -> Any:
        """The value that a text means; raises AgentError."""
        word = text.strip()
        if self.optional and word.lower() in ("none", ""):
            return None
        if self.kind is bool and word.lower() in ("true", "yes", "1", "false", "no", "0"):
            return word.lower() in ("true", "yes", "1")
        if self.kind in (int, float):
            try:
                # Python's int also takes other scripts' digits and blanks between them: one value, one name
                if not word.isascii() or "_" in word:
                    raise ValueError
                return self.check(self.kind(word))
            except (ValueError, OverflowError):
                raise AgentError(f"{self.name} = {brief(text)} is not allowed: {self.allowed()}") from None
        return self.check(word)


@dataclass(frozen=True)
class NativePolicy:
    """A compiled policy: call `address` as `int64 f(which, s, p, seat, k, rng)`, all int64, and get an action id.

    `which` is the address of what tells the policy from others of one function, such as its number and its values;
    `keep` holds it, so that the policy must live as long as `which` is used. `s` and `p` are addresses of a state and
    of a parameter record, `k` is the address of the rule set's entry point, `rng` that of a generator (uint64[1],
    advanced). `pending` collects errors of an interpreted policy, which answers -1 after one.
    """

    address: int
    which: int
    keep: Any = None
    pending: list[BaseException] = field(default_factory=list)

    def raise_pending(self) -> None:
        """Raise the first error that an interpreted policy met."""
        if self.pending:
            error = self.pending[0]
            self.pending.clear()
            raise error


class View:
    """One decision of one seat: what it may know, and nothing more."""

    __slots__ = ("_requests", "_row", "history", "key", "legal", "mask", "observation", "phase", "seat", "seed")

    def __init__(self, requests: Requests, row: int, history: Sequence[str] = ()) -> None:
        self._requests = requests
        self._row = row
        self.seat = int(requests.seats[row])  # whose decision it is
        self.phase = requests.game.spec.phases[int(requests.phases[row])]  # what is asked
        self.legal = tuple(requests.game.actions.words_to_ids(requests.words[row]))  # ids, ascending, never empty
        self.mask = requests.masks[row]  # int8[A]
        self.observation = requests.observations[row]  # float32[L]
        self.key = int(requests.keys[row])  # hash of the information state, int64
        self.seed = int(requests.seeds[row])  # 0..2**64-1, the seed of this decision
        self.history = tuple(history)  # lines that a person in this seat has read, oldest first; empty if not recorded

    @classmethod
    def of(
        cls,
        position: Position,
        seat: int,
        agent_seed: int = 0,
        table_seed: int = 0,
        number: int = 0,
        history: Sequence[str] = (),
    ) -> View:
        """The view of a seat that owes a decision at a position; raises AgentError if it owes none."""
        if seat not in position.to_act():
            raise AgentError(f"seat {seat!r} owes no decision now; these do: {position.to_act()}")
        states = np.frombuffer(position.to_bytes(), dtype=np.uint8).reshape(1, -1)
        requests = Requests.gather(position.game, states, [0], [seat], agent_seed, [table_seed], [number])
        return cls(requests, 0, history)

    @property
    def game(self) -> Game:
        """The game: action table, observation layout, seats, options."""
        return self._requests.game

    @property
    def options(self) -> Mapping[str, Any]:
        """The options with which the game was made."""
        return self._requests.game.spec.options

    @property
    def requests(self) -> Requests:
        """This decision as `Requests` of one row."""
        return self._requests[[self._row]]

    def world(self) -> Position:
        """A position that has forgotten all that the seat cannot know; `roll` deals it again.

        It is the same, bit for bit, for all positions that the seat cannot tell apart.
        """
        return self._requests.world(self._row)

    def rng(self) -> np.ndarray:
        """A fresh generator state, uint64[1], for `probespiel.envs.core.rng`, seeded by the decision's seed."""
        return np.array([self.seed], dtype=np.uint64)

    def pieces(self) -> dict[str, np.ndarray]:
        """The observation's pieces by name."""
        return self.game.layout.view(self.observation)


@dataclass(frozen=True)
class Requests:
    """Many decisions of one game at once; row i is one seat at one table. Arrays are not to be modified.

    `seats` int64[m]; `observations` float32[m, L]; `masks` int8[m, A]; `words` int64[m, W] (legal sets, 32 actions a
    word); `keys` int64[m]; `seeds` uint64[m]; `phases` int64[m] (index into `game.spec.phases`).
    """

    game: Game
    seats: np.ndarray
    observations: np.ndarray
    masks: np.ndarray
    words: np.ndarray
    keys: np.ndarray
    seeds: np.ndarray
    phases: np.ndarray
    _worlds: np.ndarray = field(repr=False)

    @classmethod
    def gather(
        cls,
        game: Game,
        states: np.ndarray,
        rows: Any,
        seats: Any,
        agent_seeds: Any,
        table_seeds: Any,
        numbers: Any,
    ) -> Requests:
        """Collect decisions from state records `states` (uint8[n, size], C order).

        Request i is that of seat `seats[i]` at table `rows[i]`, which must owe a decision there. `agent_seeds`,
        `table_seeds` and `numbers` (decisions of that seat before, or any other count that grows) give its seed; each
        is one number or one for each request.
        """
        at = np.ascontiguousarray(rows, dtype=np.int64)
        m = len(at)
        seat = np.ascontiguousarray(seats, dtype=np.int64)
        observations = np.zeros((m, game.layout.size), dtype=np.float32)
        masks = np.zeros((m, game.n_actions), dtype=np.int8)
        words = np.zeros((m, game.words), dtype=np.int64)
        worlds = np.empty((m, game.state_size), dtype=np.uint8)
        keys = np.zeros(m, dtype=np.int64)
        seeds = np.zeros(m, dtype=np.uint64)
        agents = np.ascontiguousarray(np.broadcast_to(np.asarray(agent_seeds, dtype=np.uint64), (m,)))
        tables = np.ascontiguousarray(np.broadcast_to(np.asarray(table_seeds, dtype=np.uint64), (m,)))
        counts = np.ascontiguousarray(np.broadcast_to(np.asarray(numbers, dtype=np.int64), (m,)))
        source = np.ascontiguousarray(states)
        gather(
            game.address,
            game.params_address,
            source,
            decisions=Decisions(rows=at, seats=seat, agents=agents, tables=tables, numbers=counts),
            known=Known(observations=observations, masks=masks, words=words, worlds=worlds, keys=keys, seeds=seeds),
        )
        game.kernel.raise_pending()
        phases = source.view(game.state_dtype)["ask_phase"][at, 0].astype(np.int64)
        return cls(game, seat, observations, masks, words, keys, seeds, phases, worlds)

    def __len__(self) -> int:
        return len(self.seats)

    def __getitem__(self, index: Any) -> Requests:
        """The requests at some rows: a list, a slice, or an array of indexes or of booleans."""
        return Requests(
            self.game,
            self.seats[index],
            self.observations[index],
            self.masks[index],
            self.words[index],
            self.keys[index],
            self.seeds[index],
            self.phases[index],
            self._worlds[index],
        )

    def reseeded(self, number: int) -> Requests:
        """The same decisions with other seeds, derived from theirs and a number."""
        return replace(self, seeds=reseed(self.seeds, number))

    def view(self, row: int, history: Sequence[str] = ()) -> View:
        """Request `row` as a `View`."""
        return View(self, row, history)

    def world(self, row: int) -> Position:
        """The forgotten position of request `row`, an independent copy; see `View.world`."""
        return Position(self.game, data=self._worlds[row].copy().view(self.game.state_dtype))

    def worlds(self) -> np.ndarray:
        """The forgotten records of all requests, uint8[m, size], an independent copy."""
        return self._worlds.copy()

    def deals(self) -> np.ndarray:
        """Like `worlds`, with everything forgotten dealt again by dice that depend on the decisions' seeds alone."""
        dealt = self._worlds.copy()
        deal(self.game.address, self.game.params_address, dealt, self.seeds, rngs=np.zeros(len(self), dtype=np.uint64))
        self.game.kernel.raise_pending()
        return dealt


class Agent:
    """Base class of agents; `act` is all that a subclass must define.

    A subclass declares its parameters in `params` and takes them as keywords of its constructor. An agent that
    remembers something between two decisions sets `per_table = True`: then every seat of every table gets an instance
    of its own, and `reset` is called before each game. Otherwise one instance serves many tables and `reset` is called
    once.
    """

    params: ClassVar[tuple[Param, ...]] = ()
    per_table: ClassVar[bool] = False

    name: str = ""  # as written by whoever asked for the agent
    stream: str = ""  # whose randomness it has: agents of one stream in different matches throw alike; "" is its name

    def reset(self, seed: int) -> None:
        """Forget earlier games; `seed` is 0..2**63-1, for agents that do not use the seeds of decisions."""

    def prepare(self, game: Game) -> None:
        """Get ready for a game (load, compile) before its first decision; raises AgentError if it cannot play it."""

    def act(self, view: View) -> int:
        """One of `view.legal`."""
        raise NotImplementedError(f"{type(self).__name__} must define act")

    def act_batch(self, requests: Requests) -> np.ndarray:
        """The actions for many decisions, int64[m]; the same as `act` for each."""
        return np.array([self.act(requests.view(i)) for i in range(len(requests))], dtype=np.int64)

    def native(self, game: Game) -> NativePolicy | None:
        """The same policy as compiled code for one game, or None; called after `prepare`."""
        return None

    def probabilities(self, requests: Requests) -> np.ndarray | None:
        """The exact chances of all actions, float64[m, A], or None if they are not known; for exact evaluation."""
        return None

    def close(self) -> None:
        """Release what the agent holds open; it is not used afterwards."""

    def __repr__(self) -> str:
        return f"<agent {self.name or type(self).__name__}>"


__all__ = ["Agent", "AgentError", "NativePolicy", "Param", "Requests", "View", "decision_seed"]
