"""What a seat may see of a game under way: one frozen record, and nothing else, goes to a face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ...agents.human import Speech
from ...envs.core.abi import STOPPED
from ...envs.core.contract import stop_of
from ...envs.core.game import Position
from ...envs.core.texts import first_sides


@dataclass(frozen=True)
class Option:
    """One possible action: its id, its code, what a person reads, and the parts of the code to group it by.

    `attack:2:head` has the verb `attack`, the target `2` and the detail `head`; a part that a code lacks is empty.
    `kind` is what all actions of the verb are called together, where the game has words for it.
    """

    id: int
    code: str
    text: str
    verb: str
    target: str
    detail: str
    kind: str = ""

    @classmethod
    def of(cls, speech: Speech, action: int, lang: str) -> Option:
        """The action as it is called in that seat at that moment."""
        verb, target, detail = (*speech.code(action, short=False).split(":", 2), "", "")[:3]
        return cls(
            action, speech.code(action), speech.text(action, lang), verb, target, detail, speech.kind(verb, lang)
        )


@runtime_checkable
class Knowing(Protocol):
    """Texts of a game that also give what its screens need as values: known to the seat, and not in the observation."""

    def facts(self, position: Position, seat: int) -> Mapping[str, Any]:
        """By name; what each is, the game's own texts say."""
        ...


@dataclass(frozen=True)
class Seen:
    """What one seat may see, in one language. Nothing in it depends on what the seat cannot know.

    `events`: lines from number `since` on, of the `heard` lines that the seat has been told so far; `told`: the
    position in words; `phase`: what the seat is asked, in words, and `phase_name` in the rules' own name, both empty if
    it owes nothing; `choices`: its possible actions; `chosen`: its own sealed choice while others still owe theirs;
    `pieces`: the observation by name (float32, not to be written); `over`, `stopped` (by the limit of decisions);
    `result`, lines about the end, and `verdict`, what it is to the seat by the payoffs: `won`, `shared` (first,
    with other sides that are, too), `lost` or `drawn` (all are first), empty before the end, where the game was stopped
    and where there is but one side; `counters`, the lines of the position about what rule modules count; `facts`: what
    the position in words tells and the observation does not, as values by name (see `Knowing`).
    """

    seat: int
    name: str
    lang: str
    since: int
    heard: int
    events: tuple[str, ...]
    told: str
    phase: str
    phase_name: str
    choices: tuple[Option, ...]
    chosen: Option | None
    pieces: Mapping[str, np.ndarray]
    over: bool
    stopped: bool
    result: tuple[str, ...]
    verdict: str = ""
    counters: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def option(self, action: int) -> Option | None:
        """The possible action of that id, or None."""
        return next((option for option in self.choices if option.id == action), None)


def seen_of(
    position: Position, seat: int, lang: str, lines: Sequence[str] = (), since: int = 0, chosen: int | None = None
) -> Seen:
    """What a seat sees at a position, having been told `lines`; `chosen` is its own sealed choice."""
    game = position.game
    speech = Speech(game, position, seat)
    legal = [] if chosen is not None else position.legal(seat)
    pieces = game.layout.view(position.observe(seat))
    for piece in pieces.values():
        piece.flags.writeable = False
    over = position.over
    stopped = position.status == STOPPED
    result = list(game.spec.result(position, lang)) if over else []
    if stopped and game.spec.sources.extensions:
        result.insert(0, f"  {stop_of(position)}")
    return Seen(
        seat=seat,
        name=game.seats[seat].called(lang),
        lang=lang,
        since=since,
        heard=len(lines),
        events=tuple(lines[since:]),
        told=position.told(seat, lang),
        phase=position.question(lang) if legal else "",
        phase_name=position.phase() if legal else "",
        choices=tuple(Option.of(speech, action, lang) for action in legal),
        chosen=None if chosen is None else Option.of(speech, chosen, lang),
        pieces=pieces,
        over=over,
        stopped=stopped,
        result=tuple(result),
        verdict=_verdict(position, seat) if over and not stopped else "",
        counters=tuple(position.counted(seat, lang)),
        facts=game.spec.texts.facts(position, seat) if isinstance(game.spec.texts, Knowing) else {},
    )


def _verdict(position: Position, seat: int) -> str:
    """What the end is to a seat."""
    first, sides = first_sides(position), position.game.sides
    if not first:
        return ""
    if len(first) == len(sides):
        return "drawn"
    if position.game.seats[seat].side not in first:
        return "lost"
    return "won" if len(first) == 1 else "shared"


def told_once(lines: Sequence[str], heading: str) -> list[str]:
    """Lines of a result below a heading that tells the verdict: without that verdict, and without a title of theirs.

    Where there are titles for several things, all stays as it is.
    """
    titles = [line for line in lines if line.rstrip().endswith(":")]
    if not heading or len(titles) > 1:
        return list(lines)
    untitled = lines[1:] if titles and titles[0] == lines[0] else lines
    return [line for line in untitled if line.strip().casefold() != heading.casefold()]


__all__ = ["Option", "Seen", "seen_of", "told_once"]
