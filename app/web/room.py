"""One game in the browser: its table, the browsers that hold its seats, and what each page of it shows.

A room is used by many threads; whatever touches the table holds `lock`. Agents decide outside of it, so that no page
waits for them, and their answer counts only if nothing else has happened meanwhile.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...envs.core.errors import IllegalAction, ProbespielError
from ...envs.core.game import GameSpec
from ...envs.core.replay import Choice, Die
from ..session.advice import Advice
from ..session.afterwards import Insight, insights_on
from ..session.picks import choose_set
from ..session.reply import Reply
from ..session.seen import Option, Seen
from ..session.sets import sets_of
from ..session.table import Table

PREPARING, PLAYING, OVER, BROKEN = "preparing", "playing", "over", "broken"
NOBODY = "nobody"  # holds the seats of a game to which nobody has come yet


class Stale(Exception):
    """A form of a page that is no longer the newest."""


@dataclass(frozen=True)
class Hint:
    """What a search would do: for whom, at which moment, its best actions (none: they are looked for, or why not).

    `untried` are actions that it left out, `reply` what others may be expected to do after the best, if it was looked
    for; `mixed`: it draws what it plays; `blind`, `foreseen`: see `Counsel`. A `quiet` one was asked for the value bar
    alone, which shows what the best is worth, but not what it is.
    """

    seat: int
    stamp: str
    simulations: int = 0
    best: tuple[Advice, ...] = ()
    untried: tuple[int, ...] = ()
    reason: str = ""
    quiet: bool = False
    reply: Reply | None = None
    mixed: bool = False
    blind: bool = False
    foreseen: bool = False

    @property
    def action(self) -> int | None:
        """What it would play."""
        return self.best[0].action if self.best else None


@dataclass(frozen=True)
class Order:
    """What a new game is made of: all of it from built-in names and plain values.

    `entries`: what happened before in a practice game that goes on from a recorded one; such a game is `recorded`: all
    its options are given, and perhaps a scenario that has no name any more. `own_seed`: see `Table`. A game of a run
    has the `run`'s id, is declared already by its `spec`, and tells what it is called as soon as it is kept (`begun`).
    """

    game: str
    scenario: str
    options: Mapping[str, Any]
    modules: Mapping[str, Any]
    cast: Mapping[int, str]
    seats: tuple[str, ...]
    seed: int
    lang: str
    rated: bool = False
    own_seed: bool = False
    entries: tuple[Die | Choice, ...] = ()
    recorded: bool = False
    run: str = ""
    spec: GameSpec | None = None
    begun: Callable[[str], None] | None = None


@dataclass
class Room:
    """A game, the hashes of the browsers that hold the seats of people (`owners`), and open invitations to seats.

    `since`: for each seat the number of event lines that its reader had seen when it decided last; `shown`: which of
    its seats a browser with several looks at; `version` grows with every change that a page could show. A game of a
    `run` is one person's: all seats of people are shown one after the other, without a curtain between them.
    """

    id: str
    game: str
    scenario: str
    seats: tuple[str, ...]
    cast: dict[int, str]
    owners: dict[int, str]
    lang: str = "en"
    made: float = field(default_factory=time.time)
    state: str = PREPARING
    reason: str = ""
    in_use: bool = False  # broken for now: another program plays on with it
    file: Path | None = None
    result: dict[str, list[str]] = field(default_factory=dict)
    run: str = ""
    table: Table | None = None
    invites: dict[str, int] = field(default_factory=dict)
    since: dict[int, int] = field(default_factory=dict)
    idle: bool = False  # whether since then somebody was not asked, as nothing mattered
    shown: dict[str, int] = field(default_factory=dict)
    hint: Hint | None = None
    bars: set[str] = field(default_factory=set)  # browsers that want the value bar
    notes: dict[int, tuple[str, str]] = field(default_factory=dict)
    insights: dict[tuple[int, str], tuple[Insight, ...]] = field(default_factory=dict)
    version: int = 0
    busy: bool = False
    slow: bool = False
    used: float = field(default_factory=time.monotonic)
    begun: float = field(default_factory=time.monotonic)  # when it was last being made ready
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    def preparing_for(self) -> int:
        """For how many whole seconds it has been made ready."""
        return int(time.monotonic() - self.begun)

    def changed(self) -> None:
        """Let all pages look again."""
        self.version += 1

    # --- who holds what -----------------------------------------------------------------------------------------------

    @property
    def people(self) -> list[int]:
        """Seats of people."""
        return sorted(seat for seat, name in self.cast.items() if name.partition(":")[0] == "human")

    def players_of_several(self) -> dict[str, list[int]]:
        """Agents that play several seats, with these: what they are is told once for all of them."""
        agents = [name for seat, name in sorted(self.cast.items()) if seat not in self.people]
        return {
            name: [seat for seat, other in sorted(self.cast.items()) if other == name]
            for name in dict.fromkeys(agents)
            if agents.count(name) > 1
        }

    def called(self, seat: int, lang: str) -> str:
        """A seat as a person reads it: by its name until the game is there."""
        return self.seats[seat] if self.table is None else self.table.game.seats[seat].called(lang)

    def seats_of(self, owner: str) -> list[int]:
        """The seats that a browser holds."""
        return sorted(seat for seat, who in self.owners.items() if who == owner)

    def invite(self, seat: int) -> str:
        """The secret of the address by which another browser can take a seat."""
        with self.lock:
            for secret, other in self.invites.items():
                if other == seat:
                    return secret
            secret = secrets.token_urlsafe(18)
            self.invites[secret] = seat
            return secret

    def take(self, secret: str, owner: str) -> int | None:
        """Give the seat of an invitation, used up by that, to a browser; None if there is no such invitation."""
        with self.lock:
            seat = self.invites.pop(secret, None)
            if seat is not None:
                if self.owners.get(seat) == NOBODY:  # the first who comes sits on all seats that wait
                    self.owners = {at: owner if who == NOBODY else who for at, who in self.owners.items()}
                self.owners[seat] = owner
                self.shown = {who: at for who, at in self.shown.items() if at != seat}
                self.shown[owner] = seat
                self.changed()
            return seat

    # --- what is shown ------------------------------------------------------------------------------------------------

    def place(self, owner: str) -> tuple[int | None, int | None]:
        """(the seat that a browser's page shows, the seat that it must be handed over to); one of them is None.

        Both are None while a browser with several seats waits for others, so that nobody's hand lies open.
        """
        seats = self.seats_of(owner)
        if len(seats) == 1:
            return seats[0], None
        table = self.table
        if not seats or table is None:
            return None, None
        waiting = [seat for seat in table.waiting() if seat in seats]
        shown = self.shown.get(owner)
        if table.over:
            return (shown if shown in seats else seats[0]), None
        if shown in waiting:
            return shown, None
        if self.run:
            return (waiting[0] if waiting else shown if shown in seats else seats[0]), None
        return (None, waiting[0]) if waiting else (None, None)

    def stamp(self, seat: int) -> str:
        """What a form carries: it changes with all that the seat sees and does, and with nothing else.

        What it knows may be the same after a decision, where that no longer matters; how many it took is not.
        """
        assert self.table is not None
        return f"{self.table.decided(seat)}x{self.table.position.key(seat) & (1 << 64) - 1:016x}"

    def seen(self, seat: int, lang: str) -> tuple[Seen, Sequence[str]]:
        """What the seat sees, and the lines that are new to its reader."""
        assert self.table is not None
        seen = self.table.seen(seat, lang)
        start = self.since.get(seat, self.table.heard_before(seat, lang))
        return seen, seen.events[start:]

    def insights_for(self, seat: int, lang: str) -> tuple[Insight, ...]:
        """What is told to the reader of a seat once the game is over, made once; nothing before."""
        table = self.table
        if table is None or not table.over:
            return ()
        if (seat, lang) not in self.insights:
            self.insights[seat, lang] = insights_on(table.position, seat, lang, table.cast)
        return self.insights[seat, lang]

    def may_undo(self, owner: str, seat: int) -> bool:
        """Whether this browser may take the seat's last decision back: only where nobody else plays along."""
        table = self.table
        alone = all(who == owner for who in self.owners.values())
        return alone and table is not None and not table.rated and not table.over and table.can_undo(seat)

    # --- what is done -------------------------------------------------------------------------------------------------

    def choose(self, seat: int, stamp: str, action: int) -> None:
        """Take a decision of a person; it is on the disk when this returns. Raises Stale, IllegalAction, OSError."""
        with self.lock:
            table = self._asked(seat, stamp)
            if action not in table.legal(seat):
                raise IllegalAction(f"action {action} is not possible now")
            heard = self._heard(table, seat)
            table.choose(seat, action)
            self.since, self.idle = self.since | heard, False
            self._after()

    def choose_several(self, seat: int, stamp: str, actions: Sequence[int]) -> None:
        """Take several things that are named together (see `session/picks.py`). Raises as `choose` does."""
        with self.lock:
            table = self._asked(seat, stamp)
            heard = self._heard(table, seat)
            choose_set(table, seat, actions)
            self.since, self.idle = self.since | heard, False
            self._after()

    def choose_set_of(self, seat: int, stamp: str, named: Sequence[int], lang: str) -> None:
        """Take the action of a set, by the places of its things in `Sets` of that language. Raises as `choose` does."""
        with self.lock:
            sets = sets_of(self._asked(seat, stamp).seen(seat, lang).choices)
            option = None if sets is None else sets.option(named)
            if option is None:
                raise IllegalAction("these cannot be chosen together")
            self.choose(seat, stamp, option.id)

    def _heard(self, table: Table, seat: int) -> dict[int, int]:
        """How many event lines the reader of a seat has read: of its own, and of all its seats in a run."""
        return {one: len(table.lines(one, table.lang)) for one in (self.people if self.run else [seat])}

    def _asked(self, seat: int, stamp: str) -> Table:
        table = self._playing()
        if seat not in table.waiting() or stamp != self.stamp(seat):
            raise Stale
        return table

    def take_back(self, owner: str, seat: int, stamp: str) -> bool:
        """Take the seat's last decision back; False if there is none. Raises Stale, ProbespielError, OSError."""
        with self.lock:
            table = self._playing()
            if stamp != self.stamp(seat):
                raise Stale
            if not self.may_undo(owner, seat) or not table.undo(seat):
                return False
            self.since, self.idle = {}, False
            self.shown[owner] = seat
            self._after()
            return True

    def answer(self, version: int, seat: int, action: int) -> None:
        """An agent's decision, which counts only at the version of the table that it was asked at."""
        with self.lock:
            table = self._playing()
            if table.version == version and seat in table.thinking():
                table.choose(seat, action)
                self._after()

    def settle(self) -> None:
        """Take decisions of people in which there is no choice, or none that matters."""
        with self.lock:
            table = self._playing()
            while not table.over:
                forced = [(seat, table.forced(seat)) for seat in table.waiting()]
                taken = next(((seat, action) for seat, action in forced if action is not None), None)
                if taken is None:
                    return
                self.idle = self.idle or table.idle()
                table.choose(*taken)

    def _playing(self) -> Table:
        if self.table is None or self.state != PLAYING:
            raise Stale
        return self.table

    def _after(self) -> None:
        assert self.table is not None
        self.settle()
        self.file = self.table.path
        if self.table.over:
            self.finish()
        self.used = time.monotonic()
        self.changed()

    def finish(self) -> None:
        """Keep what the end was, for the time when the table is gone."""
        assert self.table is not None
        self.state = OVER
        self.file = self.table.path
        position = self.table.position
        self.result = {lang: list(position.game.spec.result(position, lang)) for lang in ("en", "de")}

    def start(self, table: Table) -> None:
        """Begin to play at a table that is ready."""
        with self.lock:
            self.table, self.state, self.file = table, PLAYING, table.path
            self._after()

    def fail(self, reason: str, in_use: bool = False) -> None:
        """The game cannot go on, or not as long as another program plays on with it."""
        with self.lock:
            self.state, self.reason, self.in_use = BROKEN, reason, in_use
            self.changed()

    def close(self) -> None:
        """Let go of agents and journal."""
        with self.lock:
            if self.table is not None:
                self.table.close()
                self.table = None


def option_of(seen: Seen, action: int | None) -> Option | None:
    """The possible action of that id, or None."""
    return None if action is None else seen.option(action)


__all__ = ["BROKEN", "OVER", "PLAYING", "PREPARING", "Hint", "Order", "ProbespielError", "Room", "Stale", "option_of"]
