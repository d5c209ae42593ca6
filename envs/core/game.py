"""A game ready to play: its rule set, tables and texts; and one position of it with checks at the door."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np

from . import abi
from .abi import RUNNING
from .actions import ActionTable
from .brief import brief
from .build import Kernel, Sources, build
from .checks import check_seed
from .errors import IllegalAction, ProbespielError, RulesetError
from .fields import Tally
from .modules.voice import Voice
from .observe import Layout
from .records import record_in
from .rng import rng_array
from .texts import ending_lines, minus_signs

MOST_DICE = 100_000  # that fall in a row before the rules are taken for endless


@dataclass(frozen=True)
class Seat:
    """One seat of a game: its name, the side it plays for (seats of one side share an interest), and its role.

    `words` and `side_words` are what a person reads in their place, in English and German (empty: the names).
    """

    name: str
    side: str
    role: str = ""
    words: tuple[str, str] | None = None
    side_words: tuple[str, str] | None = None

    def called(self, lang: str) -> str:
        """The seat as a person reads it."""
        return self.name if self.words is None else self.words[lang == "de"]

    def side_called(self, lang: str) -> str:
        """Its side as a person reads it; a seat that is its own side is called like itself."""
        if self.side_words is not None:
            return self.side_words[lang == "de"]
        return self.called(lang) if self.side == self.name else self.side


class Texts(Protocol):
    """What a person reads of a game, in the languages of `actions.LANGUAGES`."""

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        """The position as the seat may see it (None: all that is public), several lines."""
        ...

    def event(self, event: int, seat: int | None, lang: str) -> str:
        """One line for an event of `Position.events`, or an empty text for one that needs no line."""
        ...

    def phase(self, position: Position, lang: str) -> str:
        """What is asked now, in words."""
        ...


@runtime_checkable
class TellsDice(Protocol):
    """Texts that say, too, what a die stood for: a number alone tells nobody which of eighteen tests was drawn."""

    def fell(self, position: Position, outcome: int, lang: str) -> str:
        """A line on a die that fell so in the position; empty where the number is all."""
        ...


@runtime_checkable
class TellsIdle(Protocol):
    """Texts that say, too, where it no longer matters what anybody chooses, so that nobody need be asked."""

    def idle(self, position: Position) -> bool:
        """Whether nothing that is chosen at a position changes what anybody gets or may do later."""
        ...


@dataclass(frozen=True)
class GameSpec:
    """Everything that a system declares about a game, before it is compiled."""

    name: str
    system: str
    scenario: str
    options: Mapping[str, Any]  # JSON-able: rebuilding with the same options gives the same game
    sources: Sources
    params: np.ndarray  # one record
    seats: tuple[Seat, ...]
    actions: ActionTable
    layout: Layout
    phases: tuple[str, ...]
    texts: Texts
    max_decisions: int
    payoff_range: tuple[float, float]
    zero_sum: bool
    simultaneous: bool
    aliases: Mapping[str, str] = field(default_factory=dict)  # further texts of actions, such as names of seats
    no_op: int = 0  # the action that stands for "no decision" in the parallel form
    result: Callable[[Position, str], list[str]] = ending_lines  # the end of a game in words, lines in a language
    tallies: tuple[Tally, ...] = ()  # counters of modules
    voice: Voice = field(default_factory=Voice)  # questions and dice of modules, in words
    questions: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # those of the rules, English and German
    # Phases in which a seat names several things one by one, in ascending order of their actions, and the action that
    # closes them: a person may name them in any order.
    picking: Mapping[str, int] = field(default_factory=dict)
    # Proven bounds of the payoff of each seat, where they are nearer than `payoff_range`; see `bounds_of_seats`.
    payoff_bounds: tuple[tuple[float, float], ...] = ()
    stops: bool = False  # whether the rules stop a game at `max_decisions`; else the longest game is as long

    @property
    def bounds_of_seats(self) -> tuple[tuple[float, float], ...]:
        """The least and the most that each seat may get: what intervals of mean payoffs may rest on.

        `payoff_range` is the scale of payoffs for learners and searches, and may be much wider.
        """
        return self.payoff_bounds or (self.payoff_range,) * len(self.seats)


class Game:
    """A game ready to play. Build it with `probespiel.envs.make_game`."""

    def __init__(self, spec: GameSpec, compiled: bool = True) -> None:
        self.spec = spec
        self.name = spec.name
        self.seats = spec.seats
        self.n_seats = len(spec.seats)
        self.actions = spec.actions
        self.n_actions = len(spec.actions)
        self.layout = spec.layout
        self.kernel: Kernel = build(spec.sources, compiled)
        self.address = self.kernel.address
        self.state_dtype = spec.sources.state
        self.state_size = self.state_dtype.itemsize
        # Setting up throws no dice, so it is done once: drivers start a game with a copy of this record, which lies
        # right before the parameters (`batch.start_table`).
        memory = np.zeros(self.state_size + spec.params.nbytes, dtype=np.uint8)
        self._fresh = memory[: self.state_size]
        self._params = memory[self.state_size :].view(spec.params.dtype)
        self._params[:] = spec.params
        self.params_address = self._params.ctypes.data
        self.params: Any = record_in(self._params)
        self.words = spec.sources.words
        self.capacity = spec.sources.seats
        self.kernel.watch(self._params, spec.sources.faults)
        Position(self, data=self._fresh).set_up()

    @property
    def ruleset(self) -> str:
        """Identity of the rules: equal hashes mean equal rules."""
        return self.kernel.ruleset

    @cached_property
    def sides(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Sides in order of their first seat, each with its seats."""
        out: dict[str, list[int]] = {}
        for index, seat in enumerate(self.seats):
            out.setdefault(seat.side, []).append(index)
        return tuple((name, tuple(seats)) for name, seats in out.items())

    def seat_index(self, name: str | int) -> int:
        """Index of a seat given by name or number; raises ProbespielError."""
        for index, seat in enumerate(self.seats):
            if name == seat.name or str(name) == str(index):
                return index
        raise ProbespielError(f"seat {name!r} is unknown: one of {', '.join(s.name for s in self.seats)}")

    def say(self, event: int, seat: int | None, lang: str) -> str:
        """One line for an event of `Position.events` as a seat may know it, empty for one that needs no line."""
        spec = self.spec
        told = spec.voice.event(event, self.actions, lang) if event < 0 else spec.texts.event(event, seat, lang)
        return minus_signs(told, lang)

    def position(self, seed: int | None = None) -> Position:
        """A new position; with a seed the dice are thrown by the position itself (see `Position.roll`)."""
        return Position(self, seed=seed)

    def __repr__(self) -> str:
        return f"<game {self.name}, scenario {self.spec.scenario}, rules {self.ruleset}>"

    def __copy__(self) -> Game:
        return self  # nothing of it changes

    def __deepcopy__(self, _: dict[int, Any]) -> Game:
        return self


class Position:
    """One state of a game in plain Python: every input is checked, an error leaves the state unchanged."""

    def __init__(self, game: Game, seed: int | None = None, data: np.ndarray | None = None) -> None:
        self.game = game
        # As bytes, since numpy copies a record field by field, which takes a hundred times as long.
        self._data = game._fresh.copy() if data is None else data.view(np.uint8)
        self._address = self._data.ctypes.data
        self._record: Any = None
        self._rng = None if seed is None else rng_array(check_seed(seed), "position")
        if data is None and self._rng is not None:
            self.roll()

    def set_up(self) -> None:
        """Fill the zeroed record as the rules start a game, before the first die."""
        self._call(abi.SETUP)

    def _call(self, op: int, a: int = 0, b: int = 0, out: int = 0) -> int:
        game = self.game
        result = abi.call_from_python(game.address, op, self._address, game.params_address, a, b, out)
        if result == abi.RULE_ERROR or game.kernel.pending:
            game.kernel.raise_pending()
        return result

    def _change(self, op: int, a: int = 0, b: int = 0) -> None:
        if not self.game.kernel.fallible:
            self._call(op, a, b)
            return
        before = self._data.copy()
        try:
            self._call(op, a, b)
        except BaseException:
            self._data[:] = before
            raise

    @property
    def record(self) -> Any:
        """The state record itself: its fields as attributes, live (see `records`)."""
        if self._record is None:
            self._record = record_in(self._data.view(self.game.state_dtype))
        return self._record

    @property
    def address(self) -> int:
        """Address of the state record, for compiled drivers."""
        return self._address

    def to_bytes(self) -> bytes:
        """The state record as bytes."""
        return self._data.tobytes()

    def clone(self) -> Position:
        """An independent copy (its own dice continue from the same point)."""
        twin = Position(self.game, data=self._data.copy())
        twin._rng = None if self._rng is None else self._rng.copy()
        return twin

    def __repr__(self) -> str:
        owed = ", ".join(self.game.seats[seat].name for seat in self.to_act())
        waits = f"phase {self.phase()}, to act: {owed}" if owed else "over" if self.over else "a die is due"
        return f"<position of {self.game.name}, {waits}>"

    def __copy__(self) -> Position:
        return self.clone()

    def __deepcopy__(self, _: dict[int, Any]) -> Position:
        return self.clone()

    def __reduce__(self) -> tuple[Callable[..., Position], tuple[Any, ...]]:
        return _position, (self.game, self.to_bytes(), None if self._rng is None else int(self._rng[0]))

    def _known(self, seat: Any) -> int:
        """The number of a seat that there is; raises ProbespielError."""
        seats = self.game.seats
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < len(seats):
            named = ", ".join(f"{i} ({info.name})" for i, info in enumerate(seats))
            raise ProbespielError(f"seat = {brief(seat)} is not allowed: {named}")
        return int(seat)

    def tallies(self, seat: int | None, lang: str = "en") -> dict[str, int]:
        """The counters of modules as a seat (None: everybody) may know them: names in a language, and the numbers."""
        found: dict[str, int] = {}
        called = {info.name: info.called(lang) for info in self.game.seats}
        for tally in self.game.spec.tallies:
            found |= tally.told(self.record, seat, lang, called)
        return found

    def told(self, seat: int | None, lang: str = "en") -> str:
        """The position in words as a seat may see it (None: all that is public), counters of modules included."""
        whose = None if seat is None else self._known(seat)
        state = minus_signs(self.game.spec.texts.state(self, whose, lang), lang)
        return "\n".join([state, *self.counted(seat, lang)])

    def counted(self, seat: int | None, lang: str = "en") -> list[str]:
        """The counters of modules in words, a line each; of those that are 0 or 1, and of a crowd, only what is so."""
        called = {info.name: info.called(lang) for info in self.game.seats}
        return [
            minus_signs(line, lang)
            for tally in self.game.spec.tallies
            for line in tally.lines(tally.told(self.record, seat, lang, called))
        ]

    def die(self) -> int:
        """Faces of the die that must fall now, or 0."""
        return self._call(abi.DIE)

    def fall(self, outcome: int) -> None:
        """Report a die; raises IllegalAction if none is due or the outcome is out of range."""
        faces = self.die()
        if not isinstance(outcome, (int, np.integer)) or isinstance(outcome, bool) or not 0 <= outcome < faces:
            allowed = f"0..{faces - 1}" if faces else "no die is due"
            raise IllegalAction(f"outcome {outcome!r} is not possible now: {allowed}")
        self._change(abi.FALL, int(outcome))

    def roll(self, rng: np.ndarray | None = None) -> list[tuple[int, int]]:
        """Throw all dice that are due with `rng` (uint64[1], default: the position's own); return (faces, outcome)s.

        Raises RulesetError where MOST_DICE have fallen and no decision, no end comes.
        """
        from .rng import rand_below

        source = self._rng if rng is None else rng
        if source is None:
            raise ProbespielError("rng: the position has no dice of its own; give a seed to `position` or an rng here")
        thrown: list[tuple[int, int]] = []
        while faces := self.die():
            if len(thrown) == MOST_DICE:
                raise RulesetError(
                    f"game {self.game.name}: {MOST_DICE} dice have fallen in a row, and there is another"
                )
            outcome = int(rand_below(source, faces))
            self._change(abi.FALL, outcome)
            thrown.append((faces, outcome))
        return thrown

    def to_act(self) -> list[int]:
        """Seats that owe a decision now (several: simultaneous); empty while a die is due or when over."""
        bits = self._call(abi.TO_ACT)
        return [seat for seat in range(self.game.n_seats) if bits >> seat & 1]

    def legal(self, seat: int) -> list[int]:
        """Ids of the legal actions of a seat, ascending; empty if it owes no decision."""
        known = self._known(seat)
        if not self._call(abi.TO_ACT) >> known & 1:
            return []
        words = np.zeros(self.game.words, dtype=np.int64)
        self._call(abi.LEGAL, known, out=words.ctypes.data)
        return self.game.actions.words_to_ids(words)

    def mask(self, seat: int) -> np.ndarray:
        """Action mask of a seat, int8[n_actions]; all zero if it owes no decision."""
        mask = np.zeros(self.game.n_actions, dtype=np.int8)
        mask[self.legal(seat)] = 1
        return mask

    def apply(self, seat: int, action: int) -> None:
        """Take an action; raises IllegalAction (naming seat, phase, action and the legal ones), state unchanged."""
        seats = self.to_act()
        table = self.game.actions
        if not isinstance(seat, (int, np.integer)) or isinstance(seat, bool) or seat not in seats:
            whose = ", ".join(self.game.seats[s].name for s in seats) or "nobody"
            raise IllegalAction(f"seat {seat!r} owes no decision now ({self.phase() or 'over'}): {whose} does")
        legal = self.legal(int(seat))
        if not isinstance(action, (int, np.integer)) or isinstance(action, bool) or int(action) not in legal:
            ok = isinstance(action, (int, np.integer)) and not isinstance(action, bool) and 0 <= action < len(table)
            shown = table.codes[int(action)] if ok else repr(action)
            raise IllegalAction(
                f"seat {self.game.seats[int(seat)].name}, phase {self.phase()}: action {shown} is not legal; "
                f"legal: {', '.join(table.codes[a] for a in legal)}"
            )
        self._change(abi.APPLY, int(seat), int(action))

    def phase(self) -> str:
        """Name of the phase in which a decision is due, or an empty text."""
        number = int(self.record.ask_phase)
        return self.game.spec.phases[number] if self.to_act() else ""

    def question(self, lang: str) -> str:
        """What is asked now, in words; empty if nothing is."""
        phase = self.phase()
        own = self.game.spec.voice.questions.get(phase)
        if own is not None:
            return own[lang]
        asked_by_module = self.game.spec.voice.asking and int(self.record.mq_shown)
        if not phase or asked_by_module:
            return phase.replace("_", " ")
        return self.game.spec.texts.phase(self, lang)

    @property
    def status(self) -> int:
        """RUNNING, ENDED or STOPPED (by the safety limit)."""
        return self._call(abi.OVER)

    @property
    def over(self) -> bool:
        """True when no more decisions come."""
        return self.status != RUNNING

    def returns(self) -> np.ndarray:
        """Payoff of every seat so far, float64[n_seats]."""
        out = np.zeros(self.game.capacity, dtype=np.float64)
        self._call(abi.RETURNS, out=out.ctypes.data)
        return out[: self.game.n_seats]

    def observe(self, seat: int) -> np.ndarray:
        """What a seat may know, float32[layout.size]."""
        out = np.zeros(self.game.layout.size, dtype=np.float32)
        self._call(abi.OBSERVE, self._known(seat), out=out.ctypes.data)
        return out

    def key(self, seat: int) -> int:
        """Hash of the information state of a seat (all that it has seen and done)."""
        return self._call(abi.KEY, self._known(seat))

    def forget(self, seat: int) -> Position:
        """A copy in which all that `seat` cannot know is forgotten and will be dealt again by chance.

        The copy is the same, bit for bit, for every position that the seat cannot tell apart.
        """
        twin, known = self.clone(), self._known(seat)
        twin._rng = None
        twin._call(abi.DETERMINIZE, known)
        return twin

    def events(self) -> list[int]:
        """Events since the last decision or die, those of modules first: what `Game.say` puts into words."""
        record = self.record
        return [*self.game.spec.voice.events(record), *(int(e) for e in record.events[: int(record.n_events)])]


def _position(game: Game, data: bytes, dice: int | None) -> Position:
    """A position from what `to_bytes` wrote, with the state of its own dice."""
    position = Position(game, data=np.frombuffer(bytearray(data), np.uint8))
    position._rng = None if dice is None else np.array([dice], np.uint64)
    return position


def seats_of(bits: int) -> Sequence[int]:
    """Indexes of the bits set."""
    return [i for i in range(bits.bit_length()) if bits >> i & 1]
