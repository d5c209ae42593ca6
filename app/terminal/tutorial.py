"""A tutorial at the terminal: a scripted game with a comment before each decision, and reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...agents.human import NotUnderstood, Speech, read_line, understand
from ...envs.core.game import Game, Position
from ...envs.core.rulebook import Step, Tutorial
from ..session.groups import MOST, Group, grouped
from ..session.lesson import moments
from ..session.notes import notes_on
from ..session.numbers import entry_of, numbers_of
from ..session.seen import Option, seen_of
from ..session.sight import Choice, Sight
from .entries import entries
from .messages import command_of, say

_SAY = {
    "en": {
        "commands": "Type the number of an action or what the list says; `hint` names the one taught, `quit` leaves.\n"
        "The number of a group (...) opens it, Enter closes it again.",
        "since": "What happens:",
        "other": "{chosen}: that is allowed, too. Taught here is {action}.",
        "right": "Just so: {action}.",
        "on": "The lesson goes on with it.",
        "hint": "Taught here: {action}",
        "done": "This is the end of the lesson. Play on your own: probespiel play {game}",
        "left": "The lesson ends here.",
    },
    "de": {
        "commands": "Gib eine Nummer ein oder was in der Liste steht; `tipp` nennt, was gelehrt wird, `ende` endet.\n"
        "Die Nummer einer Gruppe (...) öffnet sie, die Eingabetaste schließt sie wieder.",
        "since": "Was geschieht:",
        "other": "{chosen}: auch das ist erlaubt. Gelehrt wird hier {action}.",
        "right": "Genau: {action}.",
        "on": "Damit geht es weiter.",
        "hint": "Gelehrt wird hier: {action}",
        "done": "Das ist das Ende der Lektion. Spiele selbst: probespiel play {game}",
        "left": "Die Lektion endet hier.",
    },
}


class Lesson:
    """One tutorial, played with whoever answers `read`; `write` prints.

    Nothing is compiled: the rules are run interpreted, which is quick enough for one short game.
    """

    def __init__(
        self,
        tutorial: Tutorial,
        lang: str = "en",
        *,
        read: Callable[[str], str] = read_line,
        write: Callable[[str], None] = print,
    ) -> None:
        self.tutorial, self.lang = tutorial, lang
        self.read, self.write = read, write
        self.game = Game(tutorial.spec, compiled=False)
        self.position = Position(self.game)

    def run(self) -> bool:
        """Play it; False if the player left or the input ended before the last step. Raises RulesetError."""
        self.write(f"{self.tutorial.title}\n\n{self.tutorial.intro}\n\n{_SAY[self.lang]['commands']}")
        for moment in moments(self.tutorial, self.game, self.lang):
            self.position = moment.position
            self._tell(moment.news)
            if moment.step is not None and not self._teach(moment.step, moment.action):
                self.write(f"\n{_SAY[self.lang]['left']}")
                return False
        if self.position.over:
            for line in self.game.spec.result(self.position, self.lang):
                self.write(line)
        self.write(f"\n{self.tutorial.outro}\n\n{_SAY[self.lang]['done'].format(game=self.game.name)}")
        return True

    def _teach(self, step: Step, action: int) -> bool:
        lang, say_, seat = self.lang, _SAY[self.lang], self.tutorial.seat
        self.write("")
        self.write(self.position.told(seat, lang))
        self.write(say(lang, "now", phase=self.position.question(lang)))
        self.write(f"\n{step.comment}\n")
        legal = self.position.legal(seat)
        speech = Speech(self.game, self.position, seat)
        whole, notes = self._choices(seat)
        menu = self._list(whole, whole, notes)
        taught = speech.text(action, lang)
        while True:
            try:
                text = self.read(say(lang, "prompt", seat=self.game.seats[seat].called(lang)))
            except EOFError:
                return False
            command = command_of(text)
            if command is not None and command[0] == "quit":
                return False
            if command is not None and command[0] == "hint":
                self.write(say_["hint"].format(action=taught))
                continue
            if command is not None or not text.strip():
                if command is None and len(whole) > MOST:
                    menu = self._list(whole, whole, notes)
                else:
                    self.write(say_["commands"])
                continue
            try:
                if text.strip().isdecimal():
                    entry = entry_of(text.strip(), menu, Speech(self.game), lang)
                    if isinstance(entry, Group):
                        menu = self._list(entry.options, whole, notes)
                        continue
                    chosen = entry.id
                else:
                    chosen = understand(text, speech, legal, lang)
            except NotUnderstood as wrong:
                self.write(str(wrong))
                continue
            if chosen == action:
                self.write(say_["right"].format(action=taught))
            else:
                self.write(say_["other"].format(chosen=speech.text(chosen, lang), action=taught))
                self.write(f"{step.why}\n{say_['on']}")
            return True

    def _choices(self, seat: int) -> tuple[Sequence[Option], Mapping[int, str]]:
        """What is possible, and what stands beside it, as in a game: chances and costs."""
        seen = seen_of(self.position, seat, self.lang)
        sight = Sight.of(self.game, seen, [Choice.of(option) for option in seen.choices])
        return seen.choices, notes_on(sight)

    def _list(
        self, options: Sequence[Option], legal: Sequence[Option], notes: Mapping[int, str]
    ) -> list[Option | Group]:
        """Print what can be chosen, numbered; many actions in groups, as in a game."""
        menu = grouped(options)
        for number, line in zip(numbers_of(menu), entries(menu, legal, notes, self.lang), strict=True):
            self.write(f"{number:3}  {line}")
        return menu

    def _tell(self, news: Sequence[str]) -> None:
        if news:
            self.write(f"\n{_SAY[self.lang]['since']}")
            for line in news:
                self.write(f"  {line}")


__all__ = ["Lesson"]
