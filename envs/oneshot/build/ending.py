"""How a build game ended, in words: both builds side by side, and who is ahead."""

from __future__ import annotations

from ...core.abi import STOPPED
from ...core.game import Position
from ...core.texts import ending_lines, minus_signs, number_in
from .. import state as st
from ..skirmish.ending import standing_text
from ..text import pick
from .text import SEATS, STAGES, BuildTexts

SIDES = " | "  # between two builds
WIDE = 80  # columns of a terminal; a table that is wider is told without columns


def result_lines(position: Position, lang: str) -> list[str]:
    """Who is ahead and by what, the payoffs, and what each seat chose at every stage, side by side."""
    s, texts = position.record, position.game.spec.texts
    assert isinstance(texts, BuildTexts)
    reason = ""
    if int(s.stage_no) == st.STAGES and position.status != STOPPED:
        reason = standing_text(position, lang, SEATS) if texts.fight is not None else _shares(position, lang)
    return [*ending_lines(position, lang, reason), *side_by_side(position, lang)]


def side_by_side(position: Position, lang: str) -> list[str]:
    """A line for every stage that both have chosen, after one with the names: stage, first build, second build."""
    s, texts = position.record, position.game.spec.texts
    assert isinstance(texts, BuildTexts)
    rows = [("", *(seat.called(lang) for seat in position.game.seats))]
    for stage, name in enumerate(STAGES[lang]):
        options = [int(s.choice[seat, stage]) for seat in (0, 1)]
        if min(options) >= 0:
            rows.append((name, *(_entry(texts, position, seat, stage, options[seat], lang) for seat in (0, 1))))
    wide = [max(len(row[column]) for row in rows) for column in (0, 1)]
    if 2 + wide[0] + 2 + wide[1] + 3 + max(len(row[2]) for row in rows) <= WIDE:
        return [f"  {row[0]:<{wide[0]}}  {row[1]:<{wide[1]}}{SIDES}{row[2]}" for row in rows]
    lines = [f"  {SIDES.join(rows[0][1:])}"]
    for name, mine, theirs in rows[1:]:
        lines.append(f"  {name}: {mine}{SIDES}{theirs}")
    return lines


def _entry(texts: BuildTexts, position: Position, seat: int, stage: int, option: int, lang: str) -> str:
    """What was chosen: where the name of the stage lists what the points go to, the points alone."""
    told = texts.option(position, seat, stage, option, lang)
    if st.Stage.ATTRIBUTES <= stage <= st.Stage.SOCIAL:
        return "/".join(minus_signs(part.rpartition(" ")[2], lang) for part in told.split(", "))
    return told


def _shares(position: Position, lang: str) -> str:
    """The exact shares of the points of both in the duel, the higher one first; a draw counts half."""
    shares = sorted(((1.0 + sign * float(position.record.worth)) / 2.0 for sign in (1, -1)), reverse=True)
    mine, theirs = (number_in(f"{100 * share:.1f} %", lang) for share in shares)
    return pick(
        lang, f"{mine} of the points of the duel against {theirs}", f"{mine} der Punkte im Zweikampf gegen {theirs}"
    )


__all__ = ["SIDES", "result_lines", "side_by_side"]
