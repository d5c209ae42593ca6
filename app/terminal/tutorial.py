"""A tutorial at the terminal: a scripted game with a comment before each decision, and reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...agents.human import NotUnderstood, Speech, read_line, understand
from ...envs.core.errors import RulesetError
from ...envs.core.game import Game, Position
from ...envs.core.rng import rand_below, rng_array
from ...envs.core.rulebook import Step, Tutorial
from ..session.groups import MOST, Group, grouped
from ..session.notes import notes_on
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
        self._dice = rng_array(tutorial.seed, "position")
        self._news: list[str] = []

    def run(self) -> bool:
        """Play it; False if the player left or the input ended before the last step. Raises RulesetError."""
        self.write(f"{self.tutorial.title}\n\n{self.tutorial.intro}\n\n{_SAY[self.lang]['commands']}")
        self._roll()
        for number, step in enumerate(self.tutorial.steps, 1):
            seat = self.game.seat_index(step.seat)
            action = self._meant(step, seat, number)
            if seat == self.tutorial.seat and not self._teach(step, seat, action):
                self.write(f"\n{_SAY[self.lang]['left']}")
                return False
            self.position.apply(seat, action)
            self._note()
            self._roll()
        self._tell()
        if self.position.over:
            for line in self.game.spec.result(self.position, self.lang):
                self.write(line)
        self.write(f"\n{self.tutorial.outro}\n\n{_SAY[self.lang]['done'].format(game=self.game.name)}")
        return True

    def _meant(self, step: Step, seat: int, number: int) -> int:
        """The action of a step; RulesetError if the script does not fit the rules any more."""
        legal = self.position.legal(seat)
        try:
            return understand(step.action, Speech(self.game, self.position, seat), legal, "en")
        except NotUnderstood as wrong:
            raise RulesetError(
                f"tutorial of {self.game.name}, step {number}: {step.seat} cannot play {step.action!r} "
                f"in phase {self.position.phase() or 'over'}: {wrong}"
            ) from None

    def _teach(self, step: Step, seat: int, action: int) -> bool:
        lang, say_ = self.lang, _SAY[self.lang]
        self._tell()
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
                    entry = menu[understand(text.strip(), Speech(self.game), range(len(menu)), lang)]
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
        for number, line in enumerate(entries(menu, legal, notes, self.lang), 1):
            self.write(f"{number:3}  {line}")
        return menu

    def _tell(self) -> None:
        if self._news:
            self.write(f"\n{_SAY[self.lang]['since']}")
            for line in self._news:
                self.write(f"  {line}")
        self._news = []

    def _roll(self) -> None:
        while faces := self.position.die():
            self.position.fall(int(rand_below(self._dice, faces)))
            self._note()

    def _note(self) -> None:
        game, seat = self.game, self.tutorial.seat
        told = (game.say(event, seat, self.lang) for event in self.position.events())
        self._news += [line for line in told if line]


__all__ = ["Lesson"]
