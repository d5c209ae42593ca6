"""How a build game ended, in words: both builds side by side, and who is ahead."""

from __future__ import annotations

from itertools import zip_longest

from ...core.abi import STOPPED
from ...core.game import Position
from ...core.texts import ending_lines, minus_signs, number_in
from .. import state as st
from ..skirmish.ending import standing_text
from ..text import pick
from .text import SEATS, STAGES, BuildTexts

SIDES = " | "  # between two builds
WIDE = 80  # columns of a terminal


def result_lines(position: Position, lang: str) -> list[str]:
    """Who is ahead and by what, the payoffs, and what each seat chose at every stage, side by side."""
    s, texts = position.record, position.game.spec.texts
    assert isinstance(texts, BuildTexts)
    reason = ""
    if int(s.stage_no) == st.STAGES and position.status != STOPPED:
        reason = standing_text(position, lang, SEATS) if texts.fight is not None else _shares(position, lang)
    return [*ending_lines(position, lang, reason), *side_by_side(position, lang)]


def side_by_side(position: Position, lang: str) -> list[str]:
    """The stages that both have chosen after a line with the names: stage, first build, second build, in columns.

    What is chosen keeps the names of its values. Where two of that are too wide for a terminal, each of their parts has
    a line of its own; every line has the mark SIDES.
    """
    s, texts = position.record, position.game.spec.texts
    assert isinstance(texts, BuildTexts)
    rows = [("", *(seat.called(lang) for seat in position.game.seats))]
    for stage, name in enumerate(STAGES[lang]):
        options = [int(s.choice[seat, stage]) for seat in (0, 1)]
        if min(options) >= 0:
            told = (texts.option(position, seat, stage, options[seat], lang) for seat in (0, 1))
            rows.append((name, *(minus_signs(text, lang) for text in told)))
    head = max(len(row[0]) for row in rows)
    room = (WIDE - 2 - head - 2 - len(SIDES)) // 2
    lines = [line for row in rows for line in _stacked(row, room)]
    wide = max(len(line[1]) for line in lines)
    return [f"  {line[0]:<{head}}  {line[1]:<{wide}}{SIDES}{line[2]}" for line in lines]


def _stacked(row: tuple[str, ...], room: int) -> list[tuple[str, str, str]]:
    """A row of the table (its name, both sides) as one line or, if a side has no room, a line for each of its parts."""
    name, *sides = row
    if max(map(len, sides)) <= room:
        return [(name, sides[0], sides[1])]
    parts = [text.replace(", ", ",\n").split("\n") for text in sides]
    return [("" if at else name, mine, theirs) for at, (mine, theirs) in enumerate(zip_longest(*parts, fillvalue=""))]


def _shares(position: Position, lang: str) -> str:
    """The exact shares of the points of both in the duel, the higher one first; a draw counts half."""
    shares = sorted(((1.0 + sign * float(position.record.worth)) / 2.0 for sign in (1, -1)), reverse=True)
    mine, theirs = (number_in(f"{100 * share:.1f} %", lang) for share in shares)
    return pick(
        lang, f"{mine} of the points of the duel against {theirs}", f"{mine} der Punkte im Zweikampf gegen {theirs}"
    )


__all__ = ["SIDES", "result_lines", "side_by_side"]
