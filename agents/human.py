"""A person as an agent, `human:lang=en|de`: asked at the terminal, by numbers or in words."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import Any

from ..envs.core.actions import LANGUAGES
from ..envs.core.errors import UnparsableAction
from ..envs.core.game import Game, Position
from ..envs.core.texts import minus_signs
from .base import Agent, AgentError, Param, View
from .standard_input import standard_input

_TEXT = {
    "en": {
        "number": "{text} is no number of the list: {numbers}.",
        "to": " to ",
        "illegal": "{action} is not possible now: choose from the list.",
        "unknown": "I do not understand {text!r}: type a number of the list, or what it says.",
        "near": "I do not understand {text!r}. Did you mean {near}?",
        "or": " or ",
        "ask": "{seat}, {phase} ",
        "end": "the input has ended",
    },
    "de": {
        "number": "{text} ist keine Nummer der Liste: {numbers}.",
        "to": " bis ",
        "illegal": "{action} geht jetzt nicht: wähle aus der Liste.",
        "unknown": "{text!r} verstehe ich nicht: gib eine Nummer der Liste ein oder was dort steht.",
        "near": "{text!r} verstehe ich nicht. Meinst du {near}?",
        "or": " oder ",
        "ask": "{seat}, {phase} ",
        "end": "die Eingabe ist zu Ende",
    },
}


class NotUnderstood(ValueError):
    """A text that names no action that is possible now; says what is wrong in the person's language."""


def short_code(code: str) -> str:
    """The code of an action as a person may type it: `C10` for `card:C10`."""
    return code.removeprefix("card:")


class Speech:
    """How the actions of a seat are called: as the table of the game has them, or by the game's own texts.

    Texts with the methods `action(position, seat, action, lang)`, `code(position, seat, action)` and
    `parse(position, seat, text)` say whom an action concerns by name, where the table has a number of a place.
    """

    def __init__(self, game: Game, position: Position | None = None, seat: int | None = None) -> None:
        self.game, self.position, self.seat = game, position, seat
        self.own: Any = None if position is None or seat is None else game.spec.texts
        if not all(hasattr(self.own, name) for name in ("action", "code", "parse")):
            self.own = None

    def text(self, action: int, lang: str) -> str:
        """What a person reads."""
        if self.own is None:
            return minus_signs(self.game.actions.describe(action, lang), lang)
        return minus_signs(self.own.action(self.position, self.seat, action, lang), lang)

    def code(self, action: int, short: bool = True) -> str:
        """What may be typed instead; not `short`: with the kind of action before it in any case."""
        code = self.game.actions.codes[action]
        code = code if self.own is None else self.own.code(self.position, self.seat, action)
        return short_code(code) if short else code

    def kind(self, verb: str, lang: str) -> str:
        """What all actions of a verb are called together; empty if the texts of the game do not say."""
        words = getattr(self.game.spec.texts, "kinds", {}).get(verb)
        return "" if words is None else words[lang == "de"]

    def parse(self, text: str) -> int:
        """The action that is meant, with hyphens or minus signs; raises UnparsableAction."""
        text = text.replace("\N{MINUS SIGN}", "-")
        if self.own is None:
            return self.game.actions.parse(text, self.game.spec.aliases)
        return self.own.parse(self.position, self.seat, text)


def listed(speech: Speech, legal: Sequence[int], lang: str) -> list[str]:
    """The actions as lines numbered from 1, each with the code that may be typed instead."""
    lines = []
    for number, action in enumerate(legal, 1):
        text, code = speech.text(action, lang), speech.code(action)
        lines.append(f"{number:3}  {text}" + ("" if text.casefold() == code.casefold() else f"  ({code})"))
    return lines


def understand(text: str, speech: Speech, legal: Sequence[int], lang: str) -> int:
    """The action that a person means: a number of the list, a code, words of any language, or how only one begins.

    Letter case does not matter. Raises NotUnderstood.
    """
    words = _TEXT[lang]
    typed = " ".join(text.split())
    if typed.isdecimal():
        if len(typed) < 9 and 1 <= int(typed) <= len(legal):
            return legal[int(typed) - 1]
        raise no_number(typed, f"1{words['to']}{len(legal)}", lang)
    try:
        action = speech.parse(typed)
    except UnparsableAction:
        known = {speech.text(a, lang).casefold(): a for a in legal}
        known |= {speech.code(a).casefold(): a for a in legal}
        begun = {action for word, action in known.items() if typed and word.startswith(typed.casefold())}
        if len(begun) == 1:
            return begun.pop()
        near = dict.fromkeys(known[word] for word in difflib.get_close_matches(typed.casefold()[:60], list(known)))
        if near:
            names = words["or"].join(speech.text(a, lang) for a in near)
            raise NotUnderstood(words["near"].format(text=typed[:60], near=names)) from None
        raise NotUnderstood(words["unknown"].format(text=typed[:60])) from None
    if action not in legal:
        raise NotUnderstood(words["illegal"].format(action=speech.text(action, lang)))
    return action


def no_number(typed: str, numbers: str, lang: str) -> NotUnderstood:
    """What is wrong where somebody has typed a number that is none of those of a list."""
    return NotUnderstood(_TEXT[lang]["number"].format(text=typed[:20], numbers=numbers))


def read_line(prompt: str) -> str:
    """A line from the terminal or a pipe, without its end; raises EOFError when there is no more."""
    print(prompt, end="", flush=True)
    line = standard_input().readline()
    if not line:
        raise EOFError
    return _utf8_of(line.rstrip("\r\n"))


def _utf8_of(line: str) -> str:
    """A line with the letters that a locale of plain ASCII could not read; as it is where they are no UTF-8."""
    try:
        return line.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return line


class HumanAgent(Agent):
    """A person at the terminal: sees what the seat may see, and is asked until the answer is a legal action."""

    params = (Param("lang", "en", "language of the questions", choices=LANGUAGES),)

    def __init__(
        self,
        lang: str = "en",
        read: Callable[[str], str] = read_line,
        write: Callable[[str], None] = print,
    ) -> None:
        self.lang, self.read, self.write = lang, read, write

    def act(self, view: View) -> int:
        """One of `view.legal`; raises AgentError when the input ends."""
        game, words = view.game, _TEXT[self.lang]
        world = view.world()
        world.roll(view.rng())  # dealt anew: only what the seat knows is told of it
        self.write(world.told(view.seat, self.lang))
        speech = Speech(game, world, view.seat)
        for line in listed(speech, view.legal, self.lang):
            self.write(line)
        prompt = words["ask"].format(seat=game.seats[view.seat].name, phase=world.question(self.lang))
        while True:
            try:
                return understand(self.read(prompt), speech, view.legal, self.lang)
            except NotUnderstood as wrong:
                self.write(str(wrong))
            except EOFError:
                raise AgentError(f"human: {words['end']}") from None


__all__ = ["HumanAgent", "NotUnderstood", "Speech", "listed", "no_number", "read_line", "short_code", "understand"]
