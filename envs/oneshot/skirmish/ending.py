"""How a fight ended, in words: who won, and who still stands."""

from __future__ import annotations

from ...core.abi import STOPPED
from ...core.game import Position
from ...core.texts import ending_lines
from .. import state as st
from ..record import TEAMS
from ..text import SEAT_WORDS, pick


def result_lines(position: Position, lang: str) -> list[str]:
    """Who has won, how many of each team still stand and after how long, and the payoffs."""
    return ending_lines(position, lang, "" if position.status == STOPPED else standing_text(position, lang))


def standing_text(position: Position, lang: str, names: tuple[str, str] = TEAMS) -> str:
    """How many figures of each team are up, and the count at which the fight ended."""
    s, p = position.record, position.game.params
    up = [0, 0]
    for i in range(int(p.n)):
        up[int(s.team[i])] += int(s.standing[i]) == st.Status.UP
    told = ", ".join(f"{SEAT_WORDS[name][lang == 'de']} {number}" for name, number in zip(names, up, strict=True))
    count = f"{pick(lang, 'count', 'Zähler')} {int(s.count)}/{int(p.max_count)}"
    return f"{pick(lang, 'standing', 'es stehen')} {told}; {count}"


__all__ = ["result_lines", "standing_text"]
