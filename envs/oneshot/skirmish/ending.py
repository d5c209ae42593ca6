"""How a fight ended, in words: who won, and who still stands."""

from __future__ import annotations

from ...core.abi import STOPPED
from ...core.game import Position
from ...core.texts import ending_lines
from .. import state as st
from ..choices import LimitResult
from ..record import TEAMS
from ..text import SEAT_WORDS, pick


def result_lines(position: Position, lang: str) -> list[str]:
    """Who has won, how many of each team still stand and after how long, and the payoffs."""
    return ending_lines(position, lang, "" if position.status == STOPPED else standing_text(position, lang))


def standing_text(position: Position, lang: str, names: tuple[str, str] = TEAMS) -> str:
    """How many figures of each team are up, the count at which the fight ended, and what tells equal teams apart."""
    s, p = position.record, position.game.params
    up, hurt = [0, 0], [0, 0]
    for i in range(int(p.n)):
        up[int(s.team[i])] += int(s.standing[i]) == st.Status.UP
        before = int(s.start_wounds[i]) if p.limit_result == LimitResult.LOSSES else 0
        hurt[int(s.team[i])] += int(s.wounds[i]) - before

    def each(numbers: list[int]) -> str:
        return ", ".join(
            f"{SEAT_WORDS[name][lang == 'de']} {number}" for name, number in zip(names, numbers, strict=True)
        )

    told = f"{pick(lang, 'standing', 'es stehen')} {each(up)}"
    told += f"; {pick(lang, 'count', 'Zähler')} {int(s.count)}/{int(p.max_count)}"
    if min(up) > 0 and p.limit_result != LimitResult.DRAW:  # A15b: the count has run out, and wounds may decide
        told += f"; {pick(lang, 'wounds', 'Wunden')} {each(hurt)}"
    return told


__all__ = ["result_lines", "standing_text"]
