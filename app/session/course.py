"""A recorded game to be looked at: each step in words, each position laid open or as a seat saw it, and a way in.

A game that is not over and that people play is never laid open: it is seen from the seats of people alone.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ...agents.base import AgentError
from ...agents.human import Speech
from ...agents.registry import make_agent, parse_agent
from ...envs.core.errors import ProbespielError, RulesetError
from ...envs.core.game import Game, Position, TellsDice
from ...envs.core.replay import STATUS, Choice, Die, Replay, build_recorded, compare_rules, load, take_step
from ...envs.core.texts import by_name
from .afterwards import Insight, insights_on
from .idle import is_idle
from .journal import is_journal, read_journal
from .seen import Seen, seen_of
from .table import seats_of_people

PERSON = "human"
_FEW_DICE = 4  # in a row, of which a list tells each that stood for something
# chance deals cards, too: "2 dice" in a game of cards would be wrong
_TEXT = {
    "en": {
        "die": "chance, one of {faces}: {fell}",
        "dice": "chance, {n} times",
        "stuck": "{seat} is asked “{asked}”, and no answer is allowed.",
        "fails": "{seat} is asked “{asked}”, and the rules cannot go on: {error}.",
        "breaks": "{seat}: {action}. With this step the rules break: {error}.",
        "broken": "With the next step the rules break: {error}.",
    },
    "de": {
        "die": "Zufall, eins von {faces}: {fell}",
        "dice": "Zufall, {n}-mal",
        "stuck": "{seat} wird gefragt: „{asked}“, und keine Antwort ist erlaubt.",
        "fails": "{seat} wird gefragt: „{asked}“, und die Regeln können nicht weiter: {error}.",
        "breaks": "{seat}: {action}. An diesem Schritt zerbrechen die Regeln: {error}.",
        "broken": "Am nächsten Schritt zerbrechen die Regeln: {error}.",
    },
}
for _texts in _TEXT.values():
    _texts |= {"choice": "{seat} ({phase}): {action}", "answer": "{seat}: {action}"}
# a question to somebody tells a later reader nothing that the answer does not tell
_SECOND = re.compile(r"\b(?:you|your|du|dein|deine[mnrs]?|dir|dich|ihr|euch)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Branch:
    """A practice game that goes on from the middle of a recorded one: who plays, and all that happened before."""

    cast: dict[int, str]
    entries: tuple[Die | Choice, ...]


class Course:
    """A recorded game, all its positions at hand; number 0 is the start, number n what came of the n-th step.

    An `eye` is a seat, or None for all that there is to see.
    """

    def __init__(self, replay: Replay) -> None:
        self.replay, self.game = replay, replay.game
        self.positions = [position.clone() for _, position in replay.positions()]
        agents = replay.agents or {}
        names = [seat.name for seat in self.game.seats]
        self.cast = {names.index(name): agent for name, agent in agents.items()}
        self._insights: dict[tuple[int | None, str, bool], tuple[Insight, ...]] = {}
        self._lines: dict[tuple[int, int | None, str], list[str]] = {}
        self.people = seats_of_people(self.cast)

    def __len__(self) -> int:
        return len(self.replay.steps)

    @property
    def over(self) -> bool:
        """Whether the game came to its end."""
        return self.positions[-1].over

    @property
    def eyes(self) -> tuple[int | None, ...]:
        """Through whose eyes it may be seen, the first one first; None is everything."""
        if not self.over and self.people:
            return tuple(self.people)
        return (None, *range(self.game.n_seats))

    def eye(self, name: str | None) -> int | None:
        """The eye of that name (None: the first one that is allowed); raises ProbespielError."""
        names = [seat.name for seat in self.game.seats]
        if name is None:
            return self.eyes[0]
        allowed = [names[eye] for eye in self.eyes if eye is not None]
        if name not in allowed:
            why = "" if len(allowed) == len(names) else " (the game is not over: nobody may look into other hands)"
            raise ProbespielError(f"--seat {name!r} is not allowed: one of {', '.join(allowed)}{why}")
        return names.index(name)

    def step(self, number: int) -> Die | Choice:
        """The step that led to a number from 1 on."""
        return self.replay.steps[number - 1]

    def heading(self, number: int, eye: int | None, lang: str) -> str:
        """The step itself in words; empty if that eye does not see it."""
        step, before, text = self.step(number), self.positions[number - 1], _TEXT[lang]
        if isinstance(step, Die):
            if eye is not None:
                return ""
            return self._fell(number, lang) or text["die"].format(faces=step.faces, fell=step.fell + 1)
        if eye not in (None, step.seat):
            return ""
        asked, seat = before.question(lang), self.game.seats[step.seat].called(lang)
        return text["answer" if _SECOND.search(asked) else "choice"].format(
            seat=seat, phase=asked, action=self.words(number, step.action, lang)
        )

    def _fell(self, number: int, lang: str) -> str:
        """What a die showed, where the system says what that means; else empty."""
        step, texts = self.step(number), self.game.spec.texts
        if not isinstance(step, Die) or not isinstance(texts, TellsDice):
            return ""
        return texts.fell(self.positions[number - 1], step.fell, lang)

    def words(self, number: int, action: int, lang: str) -> str:
        """An action that was possible to the seat of the step that led to a number, as that seat would read it."""
        step = self.step(number)
        assert isinstance(step, Choice)
        return Speech(self.game, self.positions[number - 1], step.seat).text(action, lang)

    def events(self, number: int, eye: int | None, lang: str) -> list[str]:
        """What came of a step as the eye reads it (None: as any seat does, each text once)."""
        found, seats = [], range(self.game.n_seats)
        with by_name():
            for event in self.positions[number].events():
                told = [self.game.say(event, seat, lang) for seat in (seats if eye is None else (eye,))]
                public = self.game.say(event, None, lang) if eye is None else ""
                found += [public] if public and public not in told else told
        return list(dict.fromkeys(line for line in found if line))

    def lines(self, number: int, eye: int | None, lang: str) -> list[str]:
        """All about a step: itself, what came of it, and which numbers changed."""
        found = self._lines.get((number, eye, lang))
        if found is None:
            found = self._lines[number, eye, lang] = self._told_of(number, eye, lang)
        return found

    def _told_of(self, number: int, eye: int | None, lang: str) -> list[str]:
        heading, events = self.heading(number, eye, lang), self.events(number, eye, lang)
        if events and isinstance(self.step(number), Die) and not self._fell(number, lang):
            heading = ""  # a number that nobody can read, beside what it meant
        events = [line for line in events if not f": {heading}".endswith(f": {line}")]  # what is said already
        before = self.positions[number - 1].tallies(eye, lang)
        now = self.positions[number].tallies(eye, lang)
        changed = [f"{name}: {before[name]} → {value}" for name, value in now.items() if value != before[name]]
        return [*([heading] if heading else []), *events, *changed]

    def told(self, number: int, eye: int | None, lang: str) -> str:
        """The position in words; laid open, it is what all see and then what each seat sees more or otherwise."""
        with by_name():
            return self._laid_open(self.positions[number], eye, lang)

    def _laid_open(self, position: Position, eye: int | None, lang: str) -> str:
        if eye is not None:
            return position.told(eye, lang)
        parts = [position.told(None, lang)]
        known = _unmarked(parts[0])
        for seat, info in enumerate(self.game.seats):
            own = position.told(seat, lang)
            if _unmarked(own) != known:
                parts.append("\n".join([f"— {info.called(lang)} —", *_beyond(own, known)]))
        return "\n\n".join(parts)

    def players(self) -> list[tuple[list[int], str]]:
        """The seats of everybody who played, and who that is: an agent of several seats once, "" if nobody noted it."""
        agents = self.replay.agents or {}
        found: dict[str, list[int]] = {}
        for seat, info in enumerate(self.game.seats):
            found.setdefault(agents.get(info.name, ""), []).append(seat)
        return [(seats, agent) for agent, seats in found.items()]

    def title(self, number: int, eye: int | None, lang: str) -> str:
        """A step in one line: what came of a die rather than its number; empty if the eye sees nothing of it."""
        lines = self.lines(number, eye, lang)
        die = eye is None and isinstance(self.step(number), Die) and len(lines) > 1
        return lines[1 if die and lines[0] == self.heading(number, eye, lang) else 0] if lines else ""

    def listed(self, eye: int | None, lang: str, numbers: range | None = None) -> list[tuple[int, str]]:
        """Steps in a line each, where the eye sees anything; dice in a row are one, the last's.

        But a few of which some tell what they stood for keep those apart.
        """
        found: list[tuple[int, str]] = []
        row: list[tuple[int, str, bool]] = []  # dice: number, title, whether it says no more than how the die fell

        def close() -> None:
            dice = 0  # that are told as one, those at the end of `found`
            for number, title, bare in row:
                dice = dice + 1 if bare or len(row) > _FEW_DICE else 0
                if dice > 1:
                    found.pop()
                found.append((number, _TEXT[lang]["dice"].format(n=dice) if dice > 1 else title))
            row.clear()

        for number in numbers if numbers is not None else range(1, len(self) + 1):
            title = self.title(number, eye, lang)
            if self._is_die_alone(number, eye, lang):
                row.append((number, title, not self._fell(number, lang)))
                continue
            close()
            if title:
                found.append((number, title))
        close()
        return found

    def _is_die_alone(self, number: int, eye: int | None, lang: str) -> bool:
        """Whether the eye sees nothing of a step but a die."""
        die = eye is None and isinstance(self.step(number), Die)
        return die and self.lines(number, eye, lang) == [self.heading(number, eye, lang)]

    def seen(self, number: int, seat: int, lang: str) -> Seen:
        """What a seat sees at a number, without what it was told before."""
        with by_name():
            return seen_of(self.positions[number], seat, lang)

    @cached_property
    def fault(self) -> str:
        """What the rules raise at the step after the last one; empty for a game that they survive."""
        return self.replay.fault()

    def result(self, lang: str, eye: int | None = None) -> list[str]:
        """Lines about the end; of a game that was not finished only who cannot go on, and what they are asked.

        Where the rules break, it is said by which step, unless the eye sees nothing of that, and how.
        """
        last = self.positions[-1]
        if self.over:
            return list(self.game.spec.result(last, lang))
        out = []
        if self.fault and isinstance(step := self.replay.fails[0], Choice):
            told = {"seat": self.game.seats[step.seat].called(lang), "error": self.fault}
            action = Speech(self.game, last, step.seat).text(step.action, lang)
            out.append(_TEXT[lang]["breaks" if eye in (None, step.seat) else "broken"].format(**told, action=action))
        for seat in last.to_act():
            told = {"seat": self.game.seats[seat].called(lang), "asked": last.question(lang)}
            try:
                if not last.legal(seat):
                    out.append(_TEXT[lang]["stuck"].format(**told))
            except RulesetError as error:
                out.append(_TEXT[lang]["fails"].format(**told, error=error))
        return out

    def insights(self, number: int, eye: int | None, lang: str, player: bool = False) -> tuple[Insight, ...]:
        """What is told besides once the game is over; nothing at numbers before that.

        `player`: whoever reads it has played that seat, and is called "you".
        """
        if not self.positions[number].over:
            return ()
        if (eye, lang, player) not in self._insights:
            with contextlib.nullcontext() if player else by_name():
                found = insights_on(self.positions[number], eye, lang, self.cast)
            self._insights[eye, lang, player] = found
        return self._insights[eye, lang, player]

    def decision_after(self, number: int, forward: bool = True) -> int:
        """The next number (or the one before) at which somebody is about to decide with a choice; else the end."""
        numbers = range(number + 1, len(self) + 1) if forward else range(number - 1, -1, -1)
        return next((n for n in numbers if self.to_decide(n)), len(self) if forward else 0)

    def to_decide(self, number: int) -> bool:
        """Whether the step after a number is a decision in which there was a choice, and it mattered."""
        if number >= len(self):
            return False
        step = self.step(number + 1)
        position = self.positions[number]
        return isinstance(step, Choice) and len(position.legal(step.seat)) > 1 and not is_idle(position)

    def branch(self, number: int, opponent: str, seat: int | None = None) -> Branch:
        """A practice game from a number on: a person in one seat, in the others those who played, if they can be had.

        The person sits down in `seat`, else where a person sat, else where somebody decides next. Agents that are files
        of code are not called; `opponent` sits in for them and for other people. Raises ProbespielError where the
        game is over.
        """
        if self.positions[number].over:
            raise ProbespielError(f"step {number}: the game is over there; play on from an earlier one")
        if not self.over and self.people and number < len(self):
            raise ProbespielError("the game is not over: `probespiel resume` goes on with it")
        if seat is None:
            seat = self.people[0] if self.people else self._next(number)
        agents = self.replay.agents or {}
        cast = {}
        for index, info in enumerate(self.game.seats):
            cast[index] = PERSON if index == seat else _known(agents.get(info.name), opponent)
        return Branch(cast, self.replay.steps[:number])

    def _next(self, number: int) -> int:
        return next((step.seat for step in self.replay.steps[number:] if isinstance(step, Choice)), 0)


def _known(name: str | None, instead: str) -> str:
    """The agent that played, if it can be had by its name alone, else another one."""
    if name is None or name.partition(":")[0] == PERSON:
        return instead
    try:
        if parse_agent(name).path is not None:
            return instead
        make_agent(name).close()
    except AgentError:
        return instead
    return name


def open_course(path: Path, *, game: Game | None = None, compiled: bool = False, trust: bool = False) -> Course:
    """The course of a replay file or of a journal; raises ReplayError, OSError. Nothing is written.

    Modules that are files of code run only if the user trusts them.
    """
    try:
        journal = path.is_file() and is_journal(path)
    except OSError:
        journal = False  # `load` says what is wrong with it
    if not journal:
        return Course(load(path, game, compiled, trust))
    kept = read_journal(path)
    made = build_recorded(kept.head.recipe, compiled, trust, path.parent) if game is None else game
    compare_rules(kept.head.recipe, made)
    return Course(_replay_of(made, kept.entries, kept.head.agents, kept.head.seed))


def _replay_of(game: Game, entries: Sequence[object], agents: Mapping[str, str], seed: int) -> Replay:
    position = game.position()
    steps = tuple(take_step(position, number, entry) for number, entry in enumerate(entries, 1))
    payoffs = tuple(position.returns().tolist())
    return Replay(game, steps, STATUS[position.status], payoffs, seed, dict(agents))


def _unmarked(told: str) -> list[str]:
    """The lines of a position without the mark of whoever reads it."""
    return [f" {line[1:]}" if line.startswith(">") else line for line in told.split("\n")]


def _beyond(own: str, known: Sequence[str]) -> list[str]:
    """The lines that a seat reads beyond what all see; its whole position if it reads anything else instead."""
    left, more = list(known), list[str]()
    for line, bare in zip(own.split("\n"), _unmarked(own), strict=True):
        if left and bare == left[0]:
            left.pop(0)
        else:
            more.append(line)
    return own.split("\n") if left else more


__all__ = ["Branch", "Course", "open_course"]
