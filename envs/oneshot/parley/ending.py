"""How a parley ended, in words: who won, and by what."""

from __future__ import annotations

from ...core.abi import STOPPED
from ...core.game import Position
from ...core.texts import payoff_lines
from .. import state as st
from ..text import SEAT_WORDS, pick


def ending_lines(position: Position, lang: str) -> list[str]:
    """Who won and why, then the payoffs, a line each; no reason where a limit or a module ended it."""
    reason = "" if position.status == STOPPED else _reason(position, lang)
    return [*([f"  {reason}"] if reason else []), *payoff_lines(position, lang)]


def _reason(position: Position, lang: str) -> str:
    s, p = position.record, position.game.params
    if p.mode in (st.Parley.CLAIM, st.Parley.CLAIM_SOLO):
        return "" if s.judged < 0 else _judged(bool(s.judged), bool(s.truth), lang)
    if p.mode == st.Parley.SOLO:
        names = [SEAT_WORDS[name][lang == "de"] for name in ("speaker", "counterpart")]
    else:
        names = [seat.called(lang) for seat in position.game.seats]
    goal, result = int(p.goal_successes), int(s.result)
    if result in (st.Result.SUCCESS, st.Result.BROKEN):
        winner = int(s.talk_winner)
        other = 1 - winner
        if result == st.Result.SUCCESS:
            n, one = int(s.successes[winner]), int(s.successes[winner]) == 1
            return pick(
                lang,
                f"{names[winner]} wins the talk: {n} {'success' if one else 'successes'}, {goal} "
                f"{'was' if goal == 1 else 'were'} needed.",
                f"{names[winner]}: das Gespräch ist gewonnen, {n} {'Erfolg' if one else 'Erfolge'}, {goal} "
                f"{'war' if goal == 1 else 'waren'} nötig.",
            )
        fails = int(s.fails[other])
        failures, fehlschlag = ("failure", "Misserfolg") if fails == 1 else ("failures", "Misserfolgen")
        return pick(
            lang,
            f"{names[other]} loses the talk: after {fails} {failures} the other side's patience is at an end.",
            f"{names[other]}: das Gespräch ist verloren, nach {fails} {fehlschlag} endet die Geduld der Gegenseite.",
        )
    if result in (st.Result.LEFT, st.Result.DRAW):
        return pick(
            lang,
            f"Nobody wins: the talk ended before anybody had {goal} success{'es' * (goal != 1)}.",
            f"Niemand gewinnt: das Gespräch endete, bevor jemand {goal} Erfolg{'e' * (goal != 1)} hatte.",
        )
    return ""


def _judged(believed: bool, true: bool, lang: str) -> str:
    """A claim, and what the listener made of it."""
    right = believed == true
    english = f"it was {'true' if true else 'a lie'}, and the listener {'believed' if believed else 'doubted'} it."
    german = (
        f"es war {'wahr' if true else 'gelogen'}, und der Zuhörer hat es {'geglaubt' if believed else 'bezweifelt'}."
    )
    return pick(
        lang,
        f"The listener is {'right and wins' if right else 'wrong and loses'}: {english}",
        f"Der Zuhörer hat {'recht und gewinnt' if right else 'unrecht und verliert'}: {german}",
    )


__all__ = ["ending_lines"]
