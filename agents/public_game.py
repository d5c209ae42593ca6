"""Exact values of games in which all is public but choices made at the same moment: induction over positions.

Where both seats choose at once, the position is a matrix game of what follows (Shapley 1953, Stochastic Games, without
discount and without return to an earlier position); elsewhere one seat chooses or chance decides. Rule modules make no
difference: the rules themselves say what is hidden, what is legal and what follows.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game, Position
from ..envs.core.modules.check import source_of
from .own_counters import own_counters
from .perfect_information_kernel import Known
from .public_game_kernel import (
    COMES_BACK,
    DEPENDS,
    HIDDEN,
    NO_END,
    REMEMBERS,
    STUCK,
    TOO_DEEP,
    TOO_MANY,
    Path,
    Reading,
    solve,
)

DEPTH = 2_048  # decisions and dice of a game
CELLS = 1 << 20  # entries of all matrices on one path
CHECKS = 20_000  # positions met again that are valued again, by one step
EVENTS = ("events", "n_events", "mq_log", "mq_logs")  # what was last told; nothing depends on it
# fields of every system's record that do not make up the position
BOOKKEEPING = ("decisions", "public", "private", "scratch", "mq_public", "mq_taken", *EVENTS)
# why the positions of a game do not tell what its seats should do, whoever goes through them
SOMETHING_HIDDEN = "something is hidden from a seat that chooses"
POSITION_COMES_BACK = "a position may come back"
CHOICES_DEPEND = "what a seat may do depends on what the other chose at the same moment"
NOBODY_GOES_ON = "nobody can go on"
PAST_MATTERS = "what follows depends on what happened before, which the position does not tell"
_WHY = {
    TOO_MANY: "it has too many positions",
    TOO_DEEP: "it is too long",
    HIDDEN: SOMETHING_HIDDEN,
    COMES_BACK: POSITION_COMES_BACK,
    DEPENDS: CHOICES_DEPEND,
    STUCK: NOBODY_GOES_ON,
    NO_END: "the simplex method came to no end in one of its matrix games",
    REMEMBERS: PAST_MATTERS,
}


class NotSolved(ProbespielError):
    """A game that this analysis cannot value; the text says why."""


class Remembers(NotSolved):
    """What follows depends on a field that was said to tell only the past."""


class Hidden(NotSolved):
    """Something is hidden from a seat that chooses."""


class TooMany(NotSolved):
    """There are more positions than may be looked at."""


@dataclass(frozen=True)
class PublicValue:
    """Half of the lead of seat 0 if both seats play best for it, and how many positions were looked at."""

    value: float
    positions: int


def public_value(
    game: Game, past: Collection[str] = (), limit: int = 2_000_000, without: Mapping[int, Collection[int]] | None = None
) -> PublicValue:
    """The value of a game of two seats, by at most `limit` positions; of opposed payoffs that of seat 0.

    Other payoffs are made opposed: what a seat plays for is half of its lead over the other.
    `past` names fields of the state record that only tell what happened, or what was paid so far and gets more added to
    it: positions that differ in them alone are one, unless a rule module mentions them for more than that (see
    `own_counters`). Whether that holds is tried where such positions meet. `without`: actions (ids) that a seat does
    not take where it has another one. Raises NotSolved: Remembers where it does not hold, TooMany where there are more
    positions.
    """
    _, found = _solved(game.position(), past, limit, without or {})
    return PublicValue(float(found[0]), int(found[1]))


class Memory:
    """What is known of the positions of one game, told apart by one choice of `past`, from one question to the next."""

    def __init__(self, positions: int) -> None:
        """Room for so many positions; what more come to is forgotten."""
        self.positions = positions
        self._known: Known | None = None
        self._used = 0

    def known(self, limit: int) -> Known:
        """The table, with room for `limit` positions more."""
        if self._known is None or self._used + limit > self.positions:
            room = 1 << (2 * max(self.positions, limit, 1)).bit_length()
            self._known, self._used = Known(np.zeros(room, dtype=np.int64), np.zeros(room)), 0
        return self._known

    def add(self, positions: int) -> None:
        """So many more stand in the table."""
        self._used += positions

    def forget(self) -> None:
        """Forget all: what was left in the middle is no value."""
        self._known = None


def public_leads(
    position: Position, past: Collection[str] = (), limit: int = 2_000_000, memory: Memory | None = None
) -> np.ndarray:
    """What every pair of actions leads to at a position: `public_value` after it, float64[actions of 0, of seat 1].

    They stand in ascending order; a seat that owes no decision has one column (seat 1) or row (seat 0). `limit` counts
    for the whole, without what is in `memory` from questions before. Raises NotSolved as `public_value` does, and where
    chance decides next.
    """
    seats = position.to_act()
    if not seats:
        raise NotSolved(f"{of_two_sides(position.game)[0]}: {NOBODY_GOES_ON}")
    if len(seats) == 2:
        path, _ = _solved(position, past, limit, {}, memory)
        rows, columns = int(path.count[0]), int(path.best[0])
        return path.cells[: rows * columns].reshape(rows, columns).copy()
    leads = []
    for action in position.legal(seats[0]):
        after = position.clone()
        after.apply(seats[0], action)
        if after.over:
            first, second = after.returns()[:2]
            leads.append((float(first) - float(second)) / 2)
            continue
        _, found = _solved(after, past, limit, {}, memory)
        limit -= int(found[1])
        leads.append(float(found[0]))
    return np.array(leads).reshape((-1, 1) if seats[0] == 0 else (1, -1))


def public_worth(
    position: Position, past: Collection[str] = (), limit: int = 2_000_000, memory: Memory | None = None
) -> float:
    """`public_value` of a position that is not over and in which nobody has chosen alone what others choose as well.

    Raises NotSolved as `public_value` does.
    """
    return float(_solved(position, past, limit, {}, memory)[1][0])


def _solved(
    position: Position,
    past: Collection[str],
    limit: int,
    without: Mapping[int, Collection[int]],
    memory: Memory | None = None,
) -> tuple[Path, np.ndarray]:
    """The path as it stands in the end, and the value of a position with how many were looked at; raises NotSolved."""
    game = position.game
    where, size = of_two_sides(game)
    counters = own_counters(game)
    told = {name for name in past if name in counters or not modules_mention(game, name)}
    path = Path(
        states=np.zeros((DEPTH, size), dtype=np.int64),
        words=np.zeros((DEPTH, game.words), dtype=np.int64),
        kind=np.zeros(DEPTH, dtype=np.int64),
        at=np.zeros(DEPTH, dtype=np.int64),
        count=np.zeros(DEPTH, dtype=np.int64),
        place=np.zeros(DEPTH, dtype=np.int64),
        best=np.zeros(DEPTH),
        seat=np.zeros(DEPTH, dtype=np.int64),
        again=np.zeros(DEPTH, dtype=np.int64),
        top=np.zeros(DEPTH, dtype=np.int64),
        cells=np.zeros(CELLS),
        without=np.stack([game.actions.ids_to_words(sorted(without.get(seat, ()))) for seat in (0, 1)]),
    )
    path.states[0] = np.frombuffer(position.to_bytes(), dtype=np.int64)
    memory = memory or Memory(limit)
    found = np.zeros(2)
    status = solve(
        game.address,
        game.params_address,
        path,
        memory.known(limit),
        reading=Reading(
            kept=words_of(game, {*told, *EVENTS}),
            told=words_of(game, EVENTS),
            payoff=np.zeros(game.capacity),
        ),
        limit=int(limit),
        checks=CHECKS,
        found=found,
    )
    if status < 0:
        memory.forget()
    game.kernel.raise_pending()
    if status < 0:
        raise {REMEMBERS: Remembers, HIDDEN: Hidden, TOO_MANY: TooMany}.get(status, NotSolved)(
            f"{where}: {_WHY[status]}"
        )
    memory.add(int(found[1]))
    return path, found


def of_two_sides(game: Game) -> tuple[str, int]:
    """What messages call a game, and the words of its record; raises NotSolved unless two sides of one seat play."""
    where = f"{game.name} ({game.spec.scenario})"
    if game.n_seats != 2 or game.seats[0].side == game.seats[1].side:
        raise NotSolved(f"{where}: two seats of different sides are needed")
    if game.state_size % 8:
        raise NotSolved(f"{where}: the state record is not made of words of 8 bytes")
    return where, game.state_size // 8


def modules_mention(game: Game, field: str) -> bool:
    """Whether a rule module reads or writes a field; words of its texts may be called like one."""
    return any(field in _named(source_of(extension)) for extension in game.spec.sources.extensions)


@lru_cache(maxsize=64)
def _named(text: str) -> frozenset[str]:
    """What a source names with a dot before it, or in brackets."""
    nodes = [*ast.walk(ast.parse(text))]
    dots = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    slices = [node.slice for node in nodes if isinstance(node, ast.Subscript)]
    keys = {part.value for part in slices if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return frozenset(dots | keys)


def words_of(game: Game, without: Collection[str]) -> np.ndarray:
    """Ranges of words of the state record, int64[n, 2], without those that lie in the fields named."""
    kept = np.ones(game.state_size, dtype=bool)
    for name, field in (game.state_dtype.fields or {}).items():
        if name in without:
            kept[field[1] : field[1] + field[0].itemsize] = False
    words = np.concatenate([[False], kept.reshape(-1, 8).any(axis=1), [False]])
    edges = np.flatnonzero(words[1:] != words[:-1])
    return edges.reshape(-1, 2).astype(np.int64)


__all__ = [
    "BOOKKEEPING",
    "CHOICES_DEPEND",
    "EVENTS",
    "NOBODY_GOES_ON",
    "PAST_MATTERS",
    "POSITION_COMES_BACK",
    "SOMETHING_HIDDEN",
    "Hidden",
    "Memory",
    "NotSolved",
    "PublicValue",
    "Remembers",
    "TooMany",
    "modules_mention",
    "of_two_sides",
    "public_leads",
    "public_value",
    "words_of",
]
