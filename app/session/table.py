"""A game under way: position, seats, agents and journal. It says nothing to anybody; faces ask it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from ...agents.apart import ApartAgent, Failed
from ...agents.base import Agent, View
from ...agents.faults import Fault, judge, told
from ...agents.registry import make_agent, parse_agent
from ...envs.core.errors import IllegalAction, ProbespielError, ReplayError
from ...envs.core.game import Game, Position
from ...envs.core.replay import (
    Choice,
    Die,
    Recorder,
    Replay,
    build_recorded,
    compare_rules,
    rebuild,
    recipe_of,
    take_step,
)
from ...envs.core.rng import derive_seed, rand_below, rng_array
from .casting import cast_of, seats_of_people
from .idle import is_idle
from .journal import Head, Journal, read_journal
from .record import note, outcome_of
from .seen import Seen, seen_of


class Gone(ProbespielError):
    """An agent that cannot go on: it raised an error, ended its process, or answered what is not legal.

    `seat` is where it sits.
    """

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat


@dataclass(frozen=True)
class Question:
    """A decision that an agent owes, to be answered in another process: all of it can be pickled. See `answer`."""

    recipe: Mapping[str, Any]
    agents: Mapping[int, str]
    seed: int
    lang: str
    steps: tuple[Die | Choice, ...]
    seat: int


class Table:
    """One game under way.

    `cast` says who plays each seat: `human` for a person, else the name of an agent; `seed` decides dice and agents.
    With a folder to `keep` it in, every decision is on the disk when `choose` returns (see `journal`), and the finished
    game is a replay file there. `rated`: nothing can be taken back. `own_seed`: a person has named the seed and may
    know the dice, so that the game counts for no rating. `lang` is the language of the lines that agents get as
    history. `entries` are decisions and dice to begin with; those of the dice that follow come from the seed. `ready`
    are agents that are prepared already. Agents are made and compiled when they are first asked, or by `prepare`.
    Choices of several seats at one moment are sealed until all are in: neither agents nor `seen` find them.

    A table is used by one thread at a time; `decide` alone may run in another one, and its answer counts only if
    `version` is still the same.
    """

    def __init__(
        self,
        game: Game,
        cast: Mapping[int, str],
        seed: int,
        *,
        lang: str = "en",
        rated: bool = False,
        own_seed: bool = False,
        keep: Path | None = None,
        entries: Iterable[Die | Choice] = (),
        ready: Mapping[int, Agent] | None = None,
    ) -> None:
        """Raises AgentError for an agent that cannot be had, IllegalAction for entries against the rules, OSError."""
        self.game, self.seed, self.lang, self.rated = game, seed, lang, rated
        self.cast = dict(cast)
        self.people = tuple(seats_of_people(cast))
        self.version = 0  # grows with everything that happens
        self._agents: dict[int, Agent] = dict(ready or {})
        self._prepared: set[int] = set(self._agents)
        for seat in self.cast:
            if seat not in self.people and seat not in self._agents:
                self._agents[seat] = self._made(seat)  # so that a wrong name is found at once
        self._journal: Journal | None = None
        self._path: Path | None = None
        given = tuple(entries)
        # whether it counts for no rating: taken back, helped by a hint, or begun from a file or by a seed of one's own,
        # whose dice may be known
        self.practice = bool(given) or own_seed
        self._begin(given)
        self._throw()
        if keep is not None:
            self.keep(keep)

    @classmethod
    def resume(
        cls, path: Path, *, game: Game | None = None, trust: bool = False, cast: Mapping[int, str] | None = None
    ) -> Self:
        """Go on with a journal where it stopped, in the same file.

        A journal names built-in rule modules and agents only, unless the user trusts it (or gives `game` and `cast`):
        reading a file never runs code that it names. Raises ReplayError, ProbespielError, InUse, OSError.
        """
        kept = read_journal(path)
        try:
            if game is None:
                game = build_recorded(kept.head.recipe, compiled=True, trust=trust, folder=path.parent)
            compare_rules(kept.head.recipe, game)
            who = cast_of(game, kept.head.agents, trust) if cast is None else cast
            table = cls(game, who, kept.head.seed, lang=kept.head.lang, rated=kept.head.rated)
            table._begin()  # the first dice come from the file, too
            for number, entry in enumerate(kept.entries, 1):
                # tried on a copy: a simultaneous choice stays sealed at the table
                table._enter(take_step(table.position.clone(), number, entry))
        except ProbespielError as error:
            raise ReplayError(f"{path}: {error}") from error
        table.practice = kept.taken_back
        table._journal = Journal.reopen(kept, game)
        table._path = path
        table._journal.add(*table._throw())
        table._close_if_over()
        return table

    # --- what is known ------------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position, without choices that are still sealed; not to be changed."""
        return self._recorder.position

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.position.over

    @property
    def decisions(self) -> int:
        """How many decisions were taken, sealed ones included."""
        return sum(isinstance(entry, Choice) for entry in self._entries)

    def decided(self, seat: int) -> int:
        """How many decisions a seat took, a sealed one included."""
        return sum(isinstance(entry, Choice) and entry.seat == seat for entry in self._entries)

    @property
    def path(self) -> Path | None:
        """Where the game is kept: a journal, a replay file once it is over; None if nowhere."""
        return self._path

    def waiting(self) -> list[int]:
        """Seats of people that owe a decision now."""
        return [seat for seat in self._owing() if seat in self.people]

    def thinking(self) -> list[int]:
        """Seats of agents that owe a decision now."""
        return [seat for seat in self._owing() if seat not in self.people]

    def seen(self, seat: int, lang: str | None = None, since: int = 0) -> Seen:
        """What a seat may see now; event lines from number `since` on. `lang` defaults to the table's."""
        lang = self.lang if lang is None else lang
        return seen_of(self.position, seat, lang, self.lines(seat, lang), since, self._sealed.get(seat))

    def lines(self, seat: int, lang: str) -> list[str]:
        """All that a seat has been told so far, a line for each event."""
        say = self.game.say
        done, lines = self._lines.get((seat, lang), (0, []))
        lines = lines + [text for event in self._events[done:] if (text := say(event, seat, lang))]
        self._lines[seat, lang] = len(self._events), lines
        return lines

    def heard_before(self, seat: int, lang: str) -> int:
        """How many of these lines it had been told when it took its last decision."""
        own = (n for n, e in enumerate(self._entries) if isinstance(e, Choice) and e.seat == seat)
        last = max(own, default=None)
        say = self.game.say
        return 0 if last is None else sum(bool(say(e, seat, lang)) for e in self._events[: self._marks[last]])

    def legal(self, seat: int) -> list[int]:
        """The possible actions of a seat; none if it owes no decision or has sealed it."""
        return [] if seat in self._sealed else self.position.legal(seat)

    def idle(self) -> bool:
        """Whether nothing that anybody chooses now matters (see `TellsIdle`)."""
        return is_idle(self.position)

    def forced(self, seat: int) -> int | None:
        """What is chosen for a seat without asking: the only action, or any where none matters; None if it is asked.

        Any one is drawn by the seed of the table, each alike.
        """
        legal = self.legal(seat)
        if len(legal) > 1 and self.idle():
            return legal[int(rand_below(rng_array(self.seed, "idle", seat, self._counts[seat]), len(legal)))]
        return legal[0] if len(legal) == 1 else None

    # --- the course of the game ---------------------------------------------------------------------------------------

    def choose(self, seat: int, action: int) -> None:
        """Take a decision of a person or an agent; once all are in that are due together, they count and dice fall.

        Raises IllegalAction (nothing has changed), OSError if it cannot be kept (it does not count then).
        """
        if seat in self._sealed:
            raise IllegalAction(f"seat {self.game.seats[seat].name} has chosen; others still owe their decision")
        self.position.clone().apply(seat, action)  # raises what is wrong with it
        before = self._entries.copy()
        entry = Choice(int(seat), int(action))
        self._enter(entry)
        thrown = self._throw()
        if self._journal is not None:
            try:
                self._journal.add(entry, *thrown)
            except OSError:
                self._begin(before)
                raise
            self._close_if_over()

    def decide(self, seat: int) -> int:
        """What the agent of a seat answers now; the table does not change. Raises Gone.

        Ask it once a decision: agents may remember what they were asked. Ctrl-C in the main thread stops it
        (KeyboardInterrupt); another process answers a `question`.
        """
        view = self._view(seat, self.cast[seat])
        try:
            verdict = judge(self.game, self._agent(seat).act(view), view.legal)
        except BaseException as error:  # an agent of somebody else may fail in any way
            if isinstance(self._agents[seat], ApartAgent):  # before it is asked again it is told what it knew
                self._prepared.discard(seat)
            if not isinstance(error, Exception):
                raise
            raise Gone(seat, str(error) if isinstance(error, Failed) else told(error)) from error
        if isinstance(verdict, Fault):
            raise Gone(seat, verdict.message)
        return verdict

    def advance(self) -> None:
        """Let agents decide until a person owes a decision and no agent does, or the game is over. Raises Gone."""
        while thinking := self.thinking():
            self.choose(thinking[0], self.decide(thinking[0]))

    def prepare(self) -> None:
        """Make all agents ready for their first decision; compiling takes long the first time. Raises AgentError."""
        for seat in self._agents:
            self._agent(seat)

    def question(self, seat: int) -> Question:
        """The decision that the agent of a seat owes, for `answer` in another process."""
        steps = tuple(self._recorder.steps)
        return Question(recipe_of(self.game), dict(self.cast), self.seed, self.lang, steps, seat)

    def view(self, seat: int, name: str) -> View:
        """The decision of a seat as an agent of that name would get it, such as one that gives hints."""
        return self._view(seat, name)

    # --- taking back --------------------------------------------------------------------------------------------------

    def can_undo(self, seat: int) -> bool:
        """Whether there is a decision that `undo` would take back."""
        return self._last_own(seat) is not None

    def undo(self, seat: int) -> bool:
        """Go back to before the last decision of a seat in which it had a choice; False if there is none.

        Everything since then is taken back, decisions of others included. The same decision meets the same dice.
        Raises ProbespielError in a rated game and when the game is over, OSError.
        """
        if self.rated:
            raise ProbespielError("this game is rated: nothing can be taken back")
        if self.over:
            raise ProbespielError("the game is over: nothing can be taken back")
        keep = self._last_own(seat)
        if keep is None:
            return False
        self.practise(keep)
        self._begin(self._entries[:keep])
        for other, agent in list(self._agents.items()):
            if agent.per_table:  # what it remembers since then did not happen
                agent.close()
                self._agents[other] = self._made(other)
                self._prepared.discard(other)
        return True

    def practise(self, keep: int | None = None) -> None:
        """From now on it counts for no rating; all but the first `keep` entries are taken back. Raises OSError."""
        if self._journal is not None and (keep is not None or not self.practice):
            self._journal.take_back(len(self._entries) if keep is None else keep)
        self.practice = True

    def _last_own(self, seat: int) -> int | None:
        """The number of entries before the last decision of a seat that was not forced; several picks are one."""
        own = [isinstance(entry, Choice) and entry.seat == seat for entry in self._entries]
        n = next((n for n in reversed(range(len(own))) if own[n] and self._phases[n]), None)
        if n is not None and self._phases[n] in self.game.spec.picking:
            while n > 0 and own[n - 1] and self._phases[n - 1] == self._phases[n]:
                n -= 1
        return n

    # --- keeping ------------------------------------------------------------------------------------------------------

    def replay(self) -> Replay:
        """The game so far; choices that are still sealed are not in it."""
        return self._recorder.replay()

    def save(self, path: Path) -> None:
        """Write the game so far as a replay file, at once or not at all; raises OSError, ReplayError."""
        self.replay().save(path)

    def keep(self, folder: Path) -> None:
        """Keep all that has happened and all that will in a journal in that folder; raises OSError, JournalError."""
        head = Head.of(self.game, self.seed, self._by_name(), self.lang, self.rated)
        self._journal = Journal.create(folder, head, self.game, self._entries)
        self._path = self._journal.path
        if self.practice:
            self._journal.take_back(len(self._entries))
        self._close_if_over()

    def stop_keeping(self) -> None:
        """Go on without a journal, after it could not be written."""
        if self._journal is not None:
            self._journal.close()
        self._journal = self._path = None

    def close(self) -> None:
        """Release agents and journal; the file stays, and `resume` goes on with it."""
        for agent in self._agents.values():
            agent.close()
        if self._journal is not None:
            self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- inside -------------------------------------------------------------------------------------------------------

    def _by_name(self) -> dict[str, str]:
        return {self.game.seats[seat].name: name for seat, name in sorted(self.cast.items())}

    def _begin(self, entries: Iterable[Die | Choice] = ()) -> None:
        self._recorder = Recorder(self.game, None, self._by_name())
        self._recorder.seed = self.seed
        self._dice = rng_array(self.seed, "position")  # the dice of `game.position(seed)`, thrown one by one
        self._entries: list[Die | Choice] = []  # in the order in which they came, which is that of the journal
        self._phases: list[str] = []  # in which each was taken; empty for dice, and where nothing else was possible
        self._marks: list[int] = []  # how many events there were before each
        self._sealed: dict[int, int] = {}
        self._events: list[int] = list(self.position.events())
        self._counts = [0] * self.game.n_seats  # decisions taken
        self._lines: dict[tuple[int, str], tuple[int, list[str]]] = {}  # of seat and language: events told, lines
        for entry in entries:
            self._enter(entry)

    def _owing(self) -> list[int]:
        return [seat for seat in self.position.to_act() if seat not in self._sealed]

    def _enter(self, entry: Die | Choice) -> None:
        """Let happen what was decided or thrown; raises IllegalAction."""
        recorder = self._recorder
        self.version += 1
        self._marks.append(len(self._events))
        if isinstance(entry, Die):
            rand_below(self._dice, entry.faces)  # so that dice to come are those of a game in one go
            recorder.fall(entry.fell)
            self._phases.append("")
            self._note()
        else:
            asked = len(self.position.legal(entry.seat)) > 1 and not self.idle()
            self._phases.append(self.position.phase() if asked else "")
            self._sealed[entry.seat] = entry.action
            if not self._owing():
                for seat in sorted(self._sealed):
                    recorder.apply(seat, self._sealed[seat])
                    self._counts[seat] += 1
                    self._note()
                self._sealed = {}
        self._entries.append(entry)

    def _throw(self) -> list[Die]:
        """Throw the dice that are due."""
        thrown = []
        while faces := self.position.die():
            thrown.append(Die(faces, int(rand_below(self._dice.copy(), faces))))
            self._enter(thrown[-1])
        return thrown

    def _close_if_over(self) -> None:
        if self._journal is None or not self.over:
            return
        try:
            self._path = path = self._journal.finish(self.replay())
            payoffs = self.position.returns().tolist()
            played = outcome_of(self.game, self.cast, payoffs, self.practice, path.name, self.rated)
            if played is not None:
                note(path.parent, played)
        except OSError:  # what is on the disk holds the whole game; going on with a journal tries again
            self._journal.close()
        self._journal = None

    def _note(self) -> None:
        self._events.extend(self.position.events())

    def _made(self, seat: int) -> Agent:
        name = self.cast[seat]
        if not parse_agent(name).outside:
            return make_agent(name, self.game.name)
        agent = ApartAgent(name, seat)
        agent.prepare(self.game)
        return agent

    def _agent(self, seat: int) -> Agent:
        agent = self._agents[seat]
        if seat not in self._prepared:
            agent.prepare(self.game)
            agent.reset(derive_seed(self.seed, "reset", self.cast[seat], seat))
            if agent.per_table:  # it remembers what it decided before
                for view in self._views(seat):
                    agent.act(view)
            self._prepared.add(seat)
        return agent

    def _view(self, seat: int, name: str) -> View:
        return self._view_at(self.position, seat, name, self._counts[seat], self.lines(seat, self.lang))

    def _view_at(self, position: Position, seat: int, name: str, count: int, lines: list[str]) -> View:
        agent_seed, table_seed = derive_seed(self.seed, "agent", name), derive_seed(self.seed, "table")
        return View.of(position, seat, agent_seed, table_seed, count, lines)

    def _views(self, seat: int) -> Iterator[View]:
        """All decisions that a seat has taken, as it saw them."""
        position, lines, count = self.game.position(), [], 0

        def note() -> None:
            lines.extend(text for e in position.events() if (text := self.game.say(e, seat, self.lang)))

        note()
        for step in self._recorder.steps:
            if isinstance(step, Die):
                position.fall(step.fell)
            else:
                if step.seat == seat:
                    yield self._view_at(position, seat, self.cast[seat], count, lines)
                    count += 1
                position.apply(step.seat, step.action)
            note()


_GAMES: dict[str, Game] = {}
_AGENTS: dict[tuple[str, str], Agent] = {}


def answer(question: Question) -> int:
    """What the agent answers to a `Table.question`, in any process; raises Gone.

    The process keeps the compiled game and agents that remember nothing for the next question. Modules and agents that
    are files of code run: the question comes from a table of the same user.
    """
    key = repr(sorted(question.recipe.items()))
    if key not in _GAMES:
        _GAMES[key] = rebuild(question.recipe)
    name = question.agents[question.seat]
    known = _AGENTS.get((key, name))
    people = {seat: "human" if seat != question.seat else name for seat in question.agents}  # others are not asked here
    table = Table(
        _GAMES[key],
        people,
        question.seed,
        lang=question.lang,
        entries=question.steps,
        ready=None if known is None else {question.seat: known},
    )
    try:
        found = table.decide(question.seat)
    except BaseException:
        _AGENTS.pop((key, name), None)
        table.close()
        raise
    agent = table._agents[question.seat]
    if agent.per_table:
        agent.close()
    else:
        _AGENTS[key, name] = agent
    return found


__all__ = ["Gone", "Question", "Table", "answer"]
