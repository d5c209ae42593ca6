"""Playing at the terminal: one game, line by line, between people at this terminal and agents."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..agents.base import Agent, AgentError, View
from ..agents.faults import Fault, judge, told
from ..agents.human import NotUnderstood, Speech, listed, read_line, understand
from ..agents.registry import make_agent
from ..envs.core.errors import ProbespielError
from ..envs.core.game import STOPPED, Game, Position
from ..envs.core.replay import FORMAT, Die, Recorder, Replay
from ..envs.core.rng import derive_seed, rand_below, rng_array
from ..envs.core.soundness import stop_of
from .messages import command_of, say

HINT = "search:sims=400,seconds=5"
QUIT, END_OF_INPUT, INTERRUPTED, OVER, FORFEIT = "quit", "end_of_input", "interrupted", "over", "forfeit"
_SCREEN = 40  # empty lines that hide what the person before has seen


@dataclass(frozen=True)
class Ending:
    """How a session ended: QUIT, END_OF_INPUT, INTERRUPTED, OVER or FORFEIT, and where the game was saved (or None)."""

    reason: str
    path: Path | None


class _Stop(Exception):
    """Somebody leaves the table; the text is the reason."""


class _Gone(Exception):
    """An agent cannot go on."""

    def __init__(self, seat: int, fault: str) -> None:
        super().__init__(fault)
        self.seat = seat


def seats_of_people(game: Game, agents: Mapping[int, str]) -> list[int]:
    """Seats whose agent is a person."""
    return [seat for seat in range(game.n_seats) if agents[seat].partition(":")[0] == "human"]


def cast(game: Game, seat: str | int | None, opponent: str, partner: str | None = None) -> dict[int, str]:
    """Who plays which seat: a person one seat, `partner` the others of the same side, `opponent` all the rest.

    Raises ProbespielError for a seat that the game does not have.
    """
    mine = 0 if seat is None else game.seat_index(seat)
    side = game.seats[mine].side
    agents = {}
    for index, other in enumerate(game.seats):
        friend = other.side == side
        agents[index] = "human" if index == mine else (partner if friend and partner is not None else opponent)
    return agents


def free_path(game: Game, seed: int, folder: Path) -> Path:
    """A name for a replay that no file has yet."""
    for number in itertools.count(1):
        path = folder / (f"{game.name}-{seed}.json" if number == 1 else f"{game.name}-{seed}-{number}.json")
        if not path.exists():
            return path
    raise AssertionError


def may_replace(path: Path) -> bool:
    """Whether a replay may be written there: nothing is there, or a replay. OSError if that cannot be found out."""
    if not path.exists():
        return True
    with path.open("rb") as file:
        return FORMAT.encode() in file.read(200)


class Session:
    """One game at the terminal.

    `agents` names who plays each seat (`human`: somebody here); `path` is where the game is saved in the end (None: a
    new file in the current folder). `read` gets a prompt and answers a line, or raises EOFError; `write` prints.
    """

    def __init__(
        self,
        game: Game,
        agents: Mapping[int, str],
        seed: int,
        *,
        lang: str = "en",
        path: Path | None = None,
        resume: Replay | None = None,
        read: Callable[[str], str] = read_line,
        write: Callable[[str], None] = print,
    ) -> None:
        self.game, self.seed, self.lang = game, seed, lang
        self.names = dict(agents)
        self.people = seats_of_people(game, agents)
        self.read, self.write = read, write
        self.path = path
        self.recorder = Recorder(game, None, {game.seats[seat].name: name for seat, name in agents.items()})
        self.recorder.seed = seed
        self._dice = rng_array(seed, "position")  # the dice of `game.position(seed)`, thrown one by one
        self._lines: list[list[str]] = [[] for _ in game.seats]  # what each seat has read
        self._told = [0] * game.n_seats  # how much of it was printed
        self._counts = [0] * game.n_seats  # decisions taken
        self._last: int | None = None  # the person who looked at the screen last
        self._hint: Agent | None = None
        self._agents = {seat: self._make(seat) for seat in range(game.n_seats) if seat not in self.people}
        self._note()
        if resume is None:
            self._roll()
        else:
            self._replay(resume)

    @property
    def position(self) -> Position:
        """The position; not to be changed."""
        return self.recorder.position

    def say(self, key: str, /, **values: object) -> None:
        """Print a message."""
        self.write(say(self.lang, key, **values))

    # --- the course of the game ---------------------------------------------------------------------------------------

    def run(self) -> Ending:
        """Play until the game is over or somebody leaves; the game is saved in any case."""
        self._welcome()
        try:
            while not self.position.over:
                answers = [(seat, self._choose(seat)) for seat in self.position.to_act()]
                for seat, action in answers:  # simultaneous choices are entered when all are made
                    self._apply(seat, action)
                self._roll()
        except _Gone as gone:
            seat = gone.seat
            self.say("forfeit", agent=self.names[seat], seat=self.game.seats[seat].name, reason=gone)
            return self._leave(FORFEIT)
        except _Stop as stop:
            reason = str(stop)
            self.write("")
            self.say(reason)
            return self._leave(reason)
        except KeyboardInterrupt:
            self.write("")
            self.say(INTERRUPTED)
            return self._leave(INTERRUPTED)
        return self._finish()

    def _welcome(self) -> None:
        self.say("title", game=self.game.name, scenario=self.game.spec.scenario, seed=self.seed)
        for seat, info in enumerate(self.game.seats):
            name = f"{info.name} ({info.side})" if info.side != info.name else info.name
            key = "player" if seat not in self.people else ("you" if len(self.people) == 1 else "person")
            self.say(key, seat=name, agent=self.names[seat])
        decisions = sum(self._counts)
        if decisions:
            self.say("resumed", n=decisions)
        if self.people:
            self.say("commands")

    def _choose(self, seat: int) -> int:
        return self._ask(seat) if seat in self.people else self._let(seat)

    def _apply(self, seat: int, action: int) -> None:
        self.recorder.apply(seat, action)
        self._counts[seat] += 1
        self._note()

    def _roll(self) -> None:
        while faces := self.position.die():
            self.recorder.fall(int(rand_below(self._dice, faces)))
            self._note()

    def _note(self) -> None:
        """Take down what every seat has read of the events of the last step."""
        events, texts = self.position.events(), self.game.spec.texts
        for seat, lines in enumerate(self._lines):
            lines.extend(text for event in events if (text := texts.event(event, seat, self.lang)))

    def _replay(self, replay: Replay) -> None:
        """Take up a recorded game: the same dice and decisions, and from there on dice from the seed."""
        for step in replay.steps:
            if isinstance(step, Die):
                rand_below(self._dice, step.faces)  # so that the dice to come are those of a game in one go
                self.recorder.fall(step.fell)
                self._note()
            else:
                agent = self._agents.get(step.seat)
                if agent is not None and agent.per_table:  # it remembers what it decided before
                    self._let(step.seat)
                self._told[step.seat] = len(self._lines[step.seat])
                self._apply(step.seat, step.action)
        self._roll()

    # --- agents -------------------------------------------------------------------------------------------------------

    def _make(self, seat: int) -> Agent:
        agent = make_agent(self.names[seat])
        agent.prepare(self.game)
        agent.reset(derive_seed(self.seed, "reset", self.names[seat], seat))
        return agent

    def _view(self, seat: int, name: str) -> View:
        agent_seed = derive_seed(self.seed, "agent", name)
        table_seed = derive_seed(self.seed, "table")
        return View.of(self.position, seat, agent_seed, table_seed, self._counts[seat], self._lines[seat])

    def _let(self, seat: int) -> int:
        view = self._view(seat, self.names[seat])
        try:
            verdict = judge(self.game, self._agents[seat].act(view), view.legal)
        except Exception as error:  # an agent of somebody else may fail in any way
            raise _Gone(seat, told(error)) from error
        if isinstance(verdict, Fault):
            raise _Gone(seat, verdict.message)
        return verdict

    # --- people -------------------------------------------------------------------------------------------------------

    def _ask(self, seat: int) -> int:
        lang = self.lang
        legal = self.position.legal(seat)
        name = self.game.seats[seat].name
        speech = self._speech(seat)
        if self._last not in (None, seat):
            self.write("\n" * _SCREEN)
            self._line(say(lang, "hand_over", seat=name))
        self._last = seat
        self._tell(seat)
        self._show(seat)
        if len(legal) == 1:
            self.say("only", action=speech.text(legal[0], lang))
            return legal[0]
        self._list(seat, legal)
        while True:
            text = self._line(say(lang, "prompt", seat=name))
            if not text.strip():
                self._list(seat, legal)
                continue
            command = command_of(text)
            if command is not None:
                self._obey(seat, legal, *command)
                continue
            try:
                return understand(text, speech, legal, lang)
            except NotUnderstood as wrong:
                self.write(str(wrong))

    def _tell(self, seat: int) -> None:
        """Print what the seat has not yet been told."""
        news = self._lines[seat][self._told[seat] :]
        self._told[seat] = len(self._lines[seat])
        if news:
            self.write("")
            self.say("since")
            for line in news:
                self.write(f"  {line}")

    def _line(self, prompt: str) -> str:
        try:
            return self.read(prompt)
        except EOFError:
            raise _Stop(END_OF_INPUT) from None

    def _show(self, seat: int) -> None:
        texts = self.game.spec.texts
        self.write("")
        self.write(self.position.told(seat, self.lang))
        self.say("now", phase=texts.phase(self.position, self.lang))

    def _speech(self, seat: int) -> Speech:
        return Speech(self.game, self.position, seat)

    def _list(self, seat: int, legal: Sequence[int]) -> None:
        for line in listed(self._speech(seat), legal, self.lang):
            self.write(line)

    def _obey(self, seat: int, legal: Sequence[int], command: str, argument: str) -> None:
        if command == "help":
            speech, last = self._speech(seat), legal[-1]
            names = [str(len(legal)), speech.text(last, self.lang), speech.code(last)]
            self.say("help", examples=" | ".join(dict.fromkeys(names)))
        elif command == "state":
            self._show(seat)
            self._list(seat, legal)
        elif command == "log":
            lines = self._lines[seat]
            self.say("log" if lines else "log_empty", seat=self.game.seats[seat].name)
            for line in lines:
                self.write(f"  {line}")
        elif command == "hint":
            self._give_hint(seat)
        elif command == "quit":
            raise _Stop(QUIT)
        elif not argument:
            self.say("save_where")
        else:
            self._save_as(Path(argument).expanduser())

    def _give_hint(self, seat: int) -> None:
        try:
            if self._hint is None:
                self._hint = make_agent(HINT)
                self._hint.prepare(self.game)
            action = self._hint.act(self._view(seat, HINT))
        except AgentError as error:
            self.say("no_hint", reason=error)
        else:
            self.say("hint", action=self._speech(seat).text(action, self.lang))

    # --- the end ------------------------------------------------------------------------------------------------------

    def _save_as(self, path: Path) -> None:
        try:
            if not may_replace(path):
                self.say("save_exists", path=path)
                return
            self.recorder.save(path)
        except (OSError, ProbespielError) as error:
            self.say("save_failed", reason=error)
        else:
            self.say("saved", path=path)

    def _keep(self) -> Path | None:
        """Save the game where it belongs, else in the home folder; None (and a message) if neither can be written."""
        tries = [self.path] if self.path is not None else [free_path(self.game, self.seed, Path())]
        for path in [*tries, free_path(self.game, self.seed, Path.home())]:
            try:
                self.recorder.save(path)
            except (OSError, ProbespielError) as error:
                self.say("lost_game", reason=error)
            else:
                return path
        return None

    def _leave(self, reason: str) -> Ending:
        path = self._keep()
        if path is not None:
            self.say("saved", path=path)
            if reason != FORFEIT:
                self.say("resume", game=self.game.name, path=path)
        return self._close(Ending(reason, path))

    def _finish(self) -> Ending:
        if len(self.people) == 1:
            self._tell(self.people[0])
        self.write("")
        self.say("stopped" if self.position.status == STOPPED else "over")
        if self.position.status == STOPPED and self.game.spec.sources.extensions:
            self.write(f"  {stop_of(self.position)}")
        for line in self.position.game.spec.result(self.position, self.lang):
            self.write(line)
        path = self._keep()
        if path is not None:
            self.say("replay", path=path)
        return self._close(Ending(OVER, path))

    def _close(self, ending: Ending) -> Ending:
        for agent in [*self._agents.values(), *([self._hint] if self._hint else [])]:
            agent.close()
        return ending


__all__ = ["Ending", "Session", "cast", "free_path", "seats_of_people"]
