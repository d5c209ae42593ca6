"""A recorded game at the terminal, step by step: back and forth, through any eyes, and playing on from there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ...envs.core.errors import ProbespielError
from ..session.course import Branch, Course
from .reading import reader
from .screen import Screen

_WORDS: dict[str, tuple[str, ...]] = {  # each may be typed in any language
    "next": ("", "next", "n", "weiter", "w"),
    "back": ("back", "b", "previous", "p", "zurück", "zurueck", "z"),
    "decision": ("decision", "d", "entscheidung", "e"),
    "first": ("first", "anfang"),
    "last": ("last", "schluss"),
    "seat": ("seat", "platz"),
    "all": ("all", "alles"),
    "list": ("list", "liste"),
    "analysis": ("analysis", "analyse"),
    "play": ("play", "spielen"),
    "export": ("export",),
    "help": ("help", "hilfe", "h", "?"),
    "quit": ("quit", "q", "ende", "exit", "beenden"),
}
_WITH_ARGUMENT = ("seat", "export", "play")
_SAYS: dict[str, tuple[str, str]] = {
    "prompt": ("step {number} of {steps}> ", "Schritt {number} von {steps}> "),
    "start": ("The start", "Der Anfang"),
    "eye": ("as {seat} sees it", "wie {seat} es sieht"),
    "help": (
        "  Enter, next   one step on           back      one step back\n"
        "  17            to step 17            decision  on to the next real choice\n"
        "  first, last   start and end         list      all steps, a line each\n"
        "  seat NAME     only what NAME sees   all       everything laid open\n"
        "  analysis      values, what decisions lost, luck and skill\n"
        "  play [NAME]   play on from here in a practice game, as NAME\n"
        "  export FILE   one HTML file that shows the game in any browser\n"
        "  quit          leave",
        "  Eingabe, weiter  ein Schritt weiter   zurück        ein Schritt zurück\n"
        "  17               zu Schritt 17        entscheidung  zur nächsten echten Wahl\n"
        "  anfang, schluss  Anfang und Ende      liste         alle Schritte\n"
        "  platz NAME       nur was NAME sieht   alles         alles liegt offen\n"
        "  analyse          Werte, was Entscheidungen verloren, Glück und Können\n"
        "  spielen [NAME]   von hier an in einem Übungsspiel weiterspielen, als NAME\n"
        "  export DATEI     eine HTML-Datei, die das Spiel in jedem Browser zeigt\n"
        "  ende             aufhören",
    ),
    "unknown": (
        "Unknown: {text}. Enter goes on, `help` lists the commands.",
        "Unbekannt: {text}. Die Eingabetaste geht weiter, `hilfe` nennt die Befehle.",
    ),
    "at_end": ("This is the end; `quit` leaves.", "Hier ist es zu Ende; `ende` hört auf."),
    "range": ("Steps are numbered 0 to {steps}.", "Die Schritte tragen die Nummern 0 bis {steps}."),
    "broken_off": ("Broken off.", "Abgebrochen."),
    "where": ("Where to? Type: export FILE.html", "Wohin? Schreibe: export DATEI.html"),
    "written": ("Written: {path}", "Geschrieben: {path}"),
}


def _say(lang: str, key: str, **values: object) -> str:
    return _SAYS[key][lang == "de"].format(**values)


class Viewer:
    """One recorded game at the terminal.

    `read` gets a prompt and answers a line, or raises EOFError; `write` prints (None: the terminal, in colour).
    `analyse` makes the lines of the analysis for an eye, `export` writes a file; both may raise ProbespielError or
    OSError. `opponent` names who sits in for people.
    """

    def __init__(
        self,
        course: Course,
        lang: str,
        *,
        eye: int | None = None,
        analyse: Callable[[Course, int | None, str], list[str]],
        export: Callable[[Course, Path], None],
        opponent: Callable[[], str],
        read: Callable[[str], str] | None = None,
        write: Callable[[str], None] | None = None,
        width: int | None = None,
    ) -> None:
        self.course, self.lang, self.eye = course, lang, eye
        self._analyse, self._export, self._opponent = analyse, export, opponent
        self.screen = Screen(write, width)
        self.read = read if read is not None else reader(self._completions)
        self.at = 0

    def run(self) -> Branch | None:
        """Show the game until its reader leaves (None) or plays on from a step."""
        self.show()
        while True:
            try:
                text = self.read(_say(self.lang, "prompt", number=self.at, steps=len(self.course)))
            except (EOFError, KeyboardInterrupt):
                self.screen.line()
                return None
            try:
                found = self._obey(text)
            except (ProbespielError, OSError) as error:
                self.screen.line(str(error))
                continue
            except KeyboardInterrupt:  # of an analysis, which takes its time; the next one leaves
                self.screen.line(_say(self.lang, "broken_off"))
                continue
            if isinstance(found, Branch) or found == "quit":
                return found if isinstance(found, Branch) else None

    def show(self) -> None:
        """The step that led here, and the position."""
        course, lang = self.course, self.lang
        self.screen.line()
        if self.at == 0:
            self.screen.line(_say(lang, "start"), "bold")
        else:
            first, *rest = course.lines(self.at, self.eye, lang) or [""]
            self.screen.line(f"{self.at:>5}  {first}", "bold")
            self.screen.lines([f"       {line}" for line in rest])
        if self.eye is not None:
            self.screen.line(_say(lang, "eye", seat=course.game.seats[self.eye].called(lang)), "dim")
        self.screen.line(course.told(self.at, self.eye, lang))
        if self.at == len(course):
            self.screen.lines(course.result(lang, self.eye))
        for insight in course.insights(self.at, self.eye, lang):
            self.screen.line()
            self.screen.lines(insight.lines)

    def _obey(self, text: str) -> Branch | str | None:
        typed = " ".join(text.split())
        if typed.isdecimal():
            return self._to(int(typed))
        word, _, rest = typed.partition(" ")
        command = next((name for name, words in _WORDS.items() if word.casefold() in words), None)
        if command is None or (rest and command not in _WITH_ARGUMENT):
            self.screen.line(_say(self.lang, "unknown", text=typed))
        elif command == "next":
            if self.at == len(self.course):
                self.screen.line(_say(self.lang, "at_end"))
            else:
                self._to(self.at + 1)
        elif command == "back":
            self._to(max(self.at - 1, 0))
        elif command in ("first", "last", "decision"):
            self._to({"first": 0, "last": len(self.course)}.get(command, self.course.decision_after(self.at)))
        elif command in ("seat", "all"):
            self.eye = self._eye_of(rest if command == "seat" else "")
            self.show()
        elif command == "list":
            for number, title in self.course.listed(self.eye, self.lang):
                self.screen.line(f"{number:>5}  {title}")
        elif command == "analysis":
            self.screen.lines(self._analyse(self.course, self.eye, self.lang))
        elif command == "export":
            self._write(rest)
        elif command == "play":
            return self.course.branch(self.at, self._opponent(), self._eye_of(rest) if rest else None)
        elif command == "help":
            self.screen.line(_say(self.lang, "help"))
        else:
            return "quit"
        return None

    def _to(self, number: int) -> None:
        if not 0 <= number <= len(self.course):
            self.screen.line(_say(self.lang, "range", steps=len(self.course)))
            return
        self.at = number
        self.show()

    def _eye_of(self, name: str) -> int | None:
        """The eye of a name in any letter case; without one the widest that is allowed."""
        seats = self.course.game.seats
        names = {said.casefold(): seat.name for seat in seats for said in (seat.name, seat.called(self.lang))}
        return self.course.eye(names.get(name.casefold(), name) if name else None)

    def _write(self, name: str) -> None:
        if not name:
            self.screen.line(_say(self.lang, "where"))
            return
        path = Path(name).expanduser()
        self._export(self.course, path)
        self.screen.line(_say(self.lang, "written", path=path))

    def _completions(self) -> list[str]:
        words = [word for known in _WORDS.values() for word in known if len(word) > 1]
        return [
            *words,
            *(f"{word} {seat.called(self.lang)}" for word in _WORDS["seat"] for seat in self.course.game.seats),
        ]


__all__ = ["Viewer"]
