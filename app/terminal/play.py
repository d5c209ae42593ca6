"""Playing at the terminal, line by line: a face of one `Table` between people at this terminal and agents."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ...agents.base import AgentError
from ...agents.human import NotUnderstood, Speech, understand
from ...envs.core.errors import IllegalAction, ProbespielError
from ...envs.core.rulebook import aim_of, rules_of
from ..naming import agent_called
from ..preparing import telling
from ..reasons import first_named
from ..session.advice import Adviser
from ..session.afterwards import insights_on
from ..session.folders import told_path
from ..session.groups import Group, grouped
from ..session.mishap import log_file
from ..session.notes import legends_on, notes_on
from ..session.numbers import entry_of, numbers_of
from ..session.picks import Picks, in_order, picks_of
from ..session.seen import Option, Seen, told_once
from ..session.sight import Choice, Sight
from ..session.table import Gone, Table
from .board import Board
from .ending import END_OF_INPUT, FORFEIT, INTERRUPTED, OVER, QUIT, TERMINATED, Ending, Terminated, hear_no_more
from .entries import entries, near_to
from .files import may_replace
from .hint import lines_of
from .menu import explain
from .messages import COMMANDS, command_of, say
from .opening import cast_lines, last_lines, scene_lines
from .reading import reader
from .screen import Screen, in_columns
from .worth import Worth

THINK = 2.0  # seconds of a hint, unless the player says otherwise
PATIENCE = 0.5  # seconds after which it is said that somebody thinks
_LONG = 20  # options of a list from which on they stand side by side


class _Stop(Exception):
    """Somebody leaves the table; the text is the reason."""


class _Undone(Exception):
    """A decision was taken back: the question is another one."""


class Session:
    """One table at the terminal.

    `path`: where a replay is written at the end besides (None: nowhere), and where `save` without a name writes.
    `think`: seconds of a hint. `together`: all people look at the screen together, and nothing is hidden between their
    decisions. `read` gets a prompt and answers a line, or raises EOFError; `write` prints (None: the
    terminal, in colour).
    """

    def __init__(
        self,
        table: Table,
        *,
        lang: str | None = None,
        path: Path | None = None,
        old: Path | None = None,
        think: float = THINK,
        read: Callable[[str], str] | None = None,
        write: Callable[[str], None] | None = None,
        width: int | None = None,
        together: bool = False,
    ) -> None:
        self.table, self.game, self.together = table, table.game, together or len(table.people) == 1
        self.lang = table.lang if lang is None else lang
        self.path, self.old = path, old if old is not None else path
        self.screen = Screen(write, width)
        self.read = read if read is not None else reader(self._words)
        self.think, self.adviser = think, Adviser(think)
        self._worth = Worth(table, self.screen, self.lang, think)
        self._menu, self._legal = list[Option | Group](), list[Option]()  # the list; what can be typed now
        self._notes: Mapping[int, str] = {}  # what stands beside actions now
        self._trouble = ""  # what was told last of what cannot be shown
        self._board = Board()
        self._legends: list[str] = []  # what was said last of all notes together, and of those that there are not
        # how many lines each seat was told; taken up again, what came after its own last decision is still news
        self._told = [table.heard_before(seat, self.lang) for seat in range(table.game.n_seats)]
        self._idle = False  # whether it was said that nothing matters
        self._forced: list[list[str]] = [[] for _ in range(table.game.n_seats)]  # what a person did without a choice
        self._last: int | None = None  # the person who looked at the screen last
        self._asked = time.monotonic()  # when a person last decided
        self._patient = True  # whether it was not yet said since then that somebody thinks

    def say(self, key: str, /, style: str = "", **values: object) -> None:
        """Print a message."""
        self.screen.line(say(self.lang, key, **values), style)

    # --- the course of the game ---------------------------------------------------------------------------------------

    def run(self) -> Ending:
        """Play until the game is over or somebody leaves; every decision is kept as soon as it is taken."""
        try:
            return self._course()
        except Terminated as told:
            hear_no_more()
            try:
                ending = self._leave(TERMINATED)
            except Terminated:  # its terminal is gone as well; what is written from now on goes nowhere
                ending = self._leave(TERMINATED)
            return replace(ending, code=int(str(told)))

    def _course(self) -> Ending:
        try:
            self._welcome()
            while not self.table.over:
                waiting = self.table.waiting()
                if waiting:
                    self._answer(waiting[0])
                else:
                    self._let(self.table.thinking()[0])
        except Gone as gone:
            seat = gone.seat
            self.say("forfeit", "red", agent=self.table.cast[seat], seat=self._name(seat), reason=gone)
            return self._leave(FORFEIT)
        except _Stop as stop:
            return self._leave(str(stop))
        except KeyboardInterrupt:
            return self._leave(INTERRUPTED)
        return self._finish()

    def _welcome(self) -> None:
        table = self.table
        known = self.game.spec.scenario != "custom"  # what a set-up of one's own is called
        scenario = say(self.lang, "scenario", name=self.game.spec.scenario) if known else ""
        self.say("title", "bold", game=self.game.name, scenario=scenario, seed=table.seed)
        self.screen.lines(scene_lines(self.game.spec, self.lang))
        self.screen.lines(cast_lines(table, self.lang, self.together))
        if table.decisions:
            count = say(self.lang, "listed" if table.decisions != 1 else "listed_one", n=table.decisions)
            self.say("resumed", n=count)
        elif table.people and (aim := aim_of(self.game.spec, self.lang)):
            self.say("aim", aim=aim)
        self.screen.lines(last_lines(table, self.lang))

    def _name(self, seat: int) -> str:
        return self.game.seats[seat].called(self.lang)

    def _answer(self, seat: int) -> None:
        """Have a person decide."""
        seen = self.table.seen(seat, self.lang)
        forced = self.table.forced(seat)
        if forced is not None:
            self._force(seat, seen, forced)
            return
        self._idle = False
        try:
            chosen = self._ask(seat)
        except _Undone:
            return
        self._told[seat] = len(self.table.lines(seat, self.lang))
        self._take(chosen, seat)
        self._asked, self._patient = time.monotonic(), True

    def _force(self, seat: int, seen: Seen, action: int) -> None:
        """Let a person do what is done without asking, and say so unless what happens then says it.

        Where no action matters any more that is said once, until somebody is asked again.
        """
        only = next(choice for choice in seen.choices if choice.id == action)
        idle = self.table.idle()
        if self.together:
            self._tell(seat, self.table.seen(seat, self.lang, self._told[seat]))  # what has led to it comes first
        before = len(self.table.lines(seat, self.lang))
        self._take([only.id], seat)
        if not idle and any(only.text in line for line in self.table.lines(seat, self.lang)[before:]):
            return
        if idle and self._idle:
            return
        self._idle = idle
        told = say(self.lang, "idle", seat=self._name(seat))
        line = told if idle else say(self.lang, "only", action=only.text, phase=seen.phase)
        if self.together:
            self.screen.line(line)
        else:  # somebody else may be looking
            self._forced[seat].append(line)

    def _take(self, actions: Sequence[int], seat: int) -> None:
        """Enter a decision; if it cannot be kept on the disk, the game goes on without that."""
        for action in actions:
            try:
                self.table.choose(seat, action)
            except OSError as error:
                self.say("not_kept", "red", reason=error)
                self.table.stop_keeping()
                self.table.choose(seat, action)

    def _let(self, seat: int) -> None:
        """Have an agent decide."""
        with self._saying(seat):
            action = self.table.decide(seat)
        self._take([action], seat)

    @contextlib.contextmanager
    def _saying(self, seat: int) -> Iterator[None]:
        """Say that somebody thinks if the person has waited long; once between two questions."""
        names = {
            "agent": agent_called(self.table.cast[seat], self.game.name, self.lang, brief=True),
            "seat": self._name(seat),
        }

        def tell() -> None:
            if not self._patient:
                return
            self._patient = False
            self.say("thinking", "dim", **names)

        waited = time.monotonic() - self._asked
        timer = threading.Timer(max(PATIENCE - waited, 0.0), tell)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    # --- asking -------------------------------------------------------------------------------------------------------

    def _ask(self, seat: int) -> list[int]:
        """Show the seat what it may know and ask until it decides; the actions, in order."""
        name = self._name(seat)
        if self._last != seat and not self.together:
            if self._last is not None:  # before the first nothing was shown that is anybody's alone
                self.screen.clear()
                self._board.forget()
            self._line(say(self.lang, "hand_over", seat=name))
        self._last = seat
        picks = picks_of(self.table, seat, self.lang)
        seen = self.table.seen(seat, self.lang, self._told[seat])
        self._tell(seat, seen)
        self._show(seen, seat)
        sight = Sight.of(self.game, seen, [Choice.of(option) for option in seen.choices])
        self._notes = notes_on(sight, self._tell_trouble)
        legends = legends_on(sight, seen.choices)
        self.screen.lines([f"({line})" for line in legends if line not in self._legends], "dim")
        self._legends = legends or self._legends
        self._worth.show(seat)
        if picks is not None:
            return self._pick(seat, picks)
        self._legal = list(seen.choices)
        self._list(seen.choices)
        while True:
            text = self._line(say(self.lang, "prompt", seat=name))
            if not text.strip():
                self._list(seen.choices)
            if not text.strip() or self._obeyed(seat, text):
                continue
            found = self._meant(seat, text)
            if isinstance(found, Option):
                return [found.id]
            if found is not None:
                self._list(found.options)

    def _tell_trouble(self, line: str) -> None:
        """What cannot be shown here, once: it may be so at every question."""
        if line != self._trouble:
            self._trouble = line
            self.say("trouble", "dim", line=line, path=log_file())

    def _pick(self, seat: int, picks: Picks) -> list[int]:
        """Have a person name several things in any order."""
        named, done = dict[int, Option](), picks.close
        self._legal = [*picks.options, done]
        while True:
            self.say("pick", done=done.text)
            self._list(self._legal, named)
            if named:
                self.say("picked", names=", ".join(option.text for _, option in sorted(named.items())))
            while True:
                text = self._line(say(self.lang, "prompt", seat=self._name(seat)))
                if not text.strip():
                    break
                if self._obeyed(seat, text):
                    continue
                words = text.replace(",", " ").split()
                several = len(words) > 1 and all(word.isdecimal() for word in words)
                found = [self._meant(seat, word) for word in (words if several else [text])]
                options = [option for option in found if isinstance(option, Option)]
                if len(options) < len(found):
                    continue
                for option in options:
                    if option.id != done.id and named.pop(option.id, None) is None:
                        named[option.id] = option
                if done not in options:
                    break
                try:
                    return in_order(self.table, seat, named)
                except IllegalAction:
                    self.say("pick_not" if named else "pick_none", done=done.text)

    def _meant(self, seat: int, text: str) -> Option | Group | None:
        """The option or group that a typed line means; None (and a message) if there is none."""
        typed = " ".join(text.split())
        if typed.isdecimal():
            try:
                return entry_of(typed, self._menu, Speech(self.game), self.lang)
            except NotUnderstood as wrong:
                self.screen.line(str(wrong))
                return None
        try:
            ids = [option.id for option in self._legal]
            action = understand(typed, Speech(self.game, self.table.position, seat), ids, self.lang)
            return next(option for option in self._legal if option.id == action)
        except NotUnderstood as wrong:  # written without umlauts, perhaps, or only some of its words
            near = near_to(typed, self._legal)
            if len(near) == 1:
                return near[0]
            if near:
                return Group(typed, tuple(near))
            self.screen.line(str(wrong))
            return None

    def _tell(self, seat: int, seen: Seen) -> None:
        """Print what the seat has not yet been told."""
        self._told[seat] = seen.heard
        if self.together:  # all of them have read it
            self._told = [len(self.table.lines(other, self.lang)) for other in range(self.game.n_seats)]
        for line in self._forced[seat]:
            self.screen.line(line)
        self._forced[seat].clear()
        if seen.events:
            self.screen.line()
            self.say("since", "bold")
            for line in seen.events:
                self.screen.line(f"  {line}")

    def _show(self, seen: Seen, seat: int) -> None:
        lines, left_out = self._board.lines(seat, seen.told, len(seen.events))
        self.screen.lines(["", *lines])
        if left_out:
            self.say("as_before", "dim")
        self.say("now", "bold", phase=seen.phase)

    def _list(self, options: Sequence[Option], named: dict[int, Option] | None = None) -> None:
        """Print options, numbered; many of them in groups, and side by side."""
        self._menu = list(options) if named is not None else grouped(options)
        things = self._menu[:-1] if named is not None else []  # the last one ends it
        marks = [("[x] " if e in (named or {}).values() else "[ ] ") if e in things else "" for e in self._menu]
        shown = entries(self._menu, self._legal, self._notes, self.lang)
        cells = ["{:3}  {}{}".format(*row) for row in zip(numbers_of(self._menu), marks, shown, strict=True)]
        if len(cells) > _LONG:
            self.screen.lines(in_columns(cells, self.screen.width))
            return
        for cell in cells:
            self.screen.pieces((cell[:3], "cyan"), (cell[3:], ""))

    def _words(self) -> list[str]:
        """What can be completed now."""
        commands = [names[1 if self.lang == "de" and len(names) > 1 else 0] for names in COMMANDS.values()]
        return list(dict.fromkeys([*(o.text for o in self._legal), *(o.code for o in self._legal), *commands]))

    def _line(self, prompt: str) -> str:
        try:
            return self.read(prompt)
        except EOFError:
            raise _Stop(END_OF_INPUT) from None

    # --- commands -----------------------------------------------------------------------------------------------------

    def _obeyed(self, seat: int, text: str) -> bool:
        """Whether a line was a command, which has been carried out then."""
        found = command_of(text)
        if found is None:
            return False
        command, argument = found
        if command == "help":
            last = self._legal[-1]
            names = [str(numbers_of(self._menu)[-1])] * (self._menu[-1:] == [last]) + [last.text, last.code]
            self.say("help", examples=" | ".join(dict.fromkeys(names)), dots="...")
        elif command == "state":
            self._board.forget()
            self._show(self.table.seen(seat, self.lang), seat)
            self._list(self._legal)
        elif command == "log":
            lines = self.table.lines(seat, self.lang)
            self.say("log" if lines else "log_empty", seat=self._name(seat))
            for line in lines:
                self.screen.line(f"  {line}")
        elif command == "hint":
            self._give_hint(seat)
        elif command == "bar":
            self._worth.switch(seat)
        elif command == "undo":
            self._undo(seat)
        elif command == "rules":
            self.screen.markdown(rules_of(self.game.spec, self.lang))
        elif command == "explain":
            explain(self.screen, argument, self.game.name, self.lang)
        elif command == "quit":
            raise _Stop(QUIT)
        elif not argument and self.old is None:
            self.say("save_where")
        else:
            self._save_as(Path(argument).expanduser() if argument else self.old)
        return True

    def _undo(self, seat: int) -> None:
        if self.table.rated:
            self.say("rated")
        elif not self.table.undo(seat):
            self.say("no_undo")
        else:
            self._told = [min(n, len(self.table.lines(s, self.lang))) for s, n in enumerate(self._told)]
            self._board.forget()
            self.say("undone")
            raise _Undone

    def _give_hint(self, seat: int) -> None:
        if self.table.rated:
            return self.say("hint_rated")
        try:
            with telling(self.game.name, self.lang):
                texts = {option.id: option.text for option in self.table.seen(seat, self.lang).choices}
                view = self.table.view(seat, self.adviser.name_in(self.game))
                found = self.adviser.best(self.game, view)
                lines = lines_of(found, texts, self.lang, self.game.spec.bounds_of_seats[seat], self._notes)
                reply = self.adviser.reply(self.game, view, found.best[0].action)
                lines += [] if reply is None else [reply.told(self.game, self.lang)]
                if found.simulations and picks_of(self.table, seat, self.lang) is not None:
                    lines.append(first_named(self.lang))
            self.table.practise()
        except (AgentError, OSError) as error:
            self.say("no_hint", reason=error)
        except KeyboardInterrupt:  # whoever does not want to wait for it plays on
            self.adviser.close()
            self.adviser = Adviser(self.think)
            self.say("broken_off")
        else:
            self.screen.lines(lines, "green")

    def _save_as(self, path: Path | None) -> bool:
        """Write a replay where the player wants it."""
        assert path is not None
        try:
            if not may_replace(path):
                self.say("save_exists", path=path)
                return False
            self.table.save(path)
        except (OSError, ProbespielError) as error:
            self.say("save_failed", "red", reason=error)
            return False
        self.say("saved", path=path)
        return True

    # --- the end ------------------------------------------------------------------------------------------------------

    def _leave(self, reason: str) -> Ending:
        if reason != FORFEIT:
            self.screen.line()
            self.say(reason)
        if self.path is not None:
            self._save_as(self.path)
        if self.table.path is not None:
            self.say("kept", path=told_path(self.table.path))
            if reason != FORFEIT:
                self.say("resume")
        return self._close(reason)

    def _finish(self) -> Ending:
        people = self.table.people
        seat = (people[0] if self._last is None else self._last) if people else 0
        seen = self.table.seen(seat, self.lang, self._told[seat])
        if self.together:
            self._tell(seat, seen)
        self.screen.line()
        mine = f"over_{seen.verdict}" if seen.verdict and len(people) == 1 else "over"
        self.say("stopped" if seen.stopped else mine, "bold")
        verdict = say(self.lang, mine).partition(": ")[2].removesuffix(".")
        self.screen.lines(told_once(seen.result, "" if seen.stopped else verdict))
        if people:
            for insight in insights_on(self.table.position, seat, self.lang, self.table.cast):
                self.screen.line()
                self.screen.lines(insight.lines)
        if self.path is not None:
            self._save_as(self.path)
        elif self.table.path is not None:
            self.say("replay", path=told_path(self.table.path))
        return self._close(OVER)

    def _close(self, reason: str) -> Ending:
        self.adviser.close()
        self._worth.close()
        self.table.close()
        return Ending(reason, self.path if self.path is not None else self.table.path)


__all__ = ["THINK", "Session"]
