"""How a game ended, in words: who won, and by what."""

from __future__ import annotations

from ..core.abi import STOPPED
from ..core.game import Position
from ..core.texts import ending_lines, leader_first, number_in
from . import state as st
from .text import KonfrontationTexts, result_of


def result_lines(position: Position, lang: str) -> list[str]:
    """Who has won, by the confrontation or by what everybody holds, and the payoffs."""
    return ending_lines(position, lang, "" if position.status == STOPPED else _reason(position, lang))


def _reason(position: Position, lang: str) -> str:
    s, p, texts = position.record, position.game.params, position.game.spec.texts
    assert isinstance(texts, KonfrontationTexts)
    if p.clash and result_of(position):
        return _confrontation(position, texts, lang)
    told: list[str] = []
    for f in range(int(p.factions)):
        points = sum(int(s.extent[f, r]) for r in range(st.RESOURCES) if s.resources[f] >> r & 1) + int(s.bonus[f])
        word = ("Kontrollpunkt" if lang == "de" else "control point") + (
            "" if points == 1 else "e" if lang == "de" else "s"
        )
        held = f"{texts.name(f, lang)} {points} {word}"
        if not p.hidden_power:
            held += f", {int(s.power[f])} {'Power' if lang == 'de' else 'power'}"
        told.append(held)
    return "; ".join(told)


def _confrontation(position: Position, texts: KonfrontationTexts, lang: str) -> str:
    """How the confrontation ended for whoever is better off, and by how much more."""
    s, payoffs = position.record, position.returns()
    winner = {"attacker": int(s.attacker), "defender": int(s.defender)}.get(result_of(position), -1)
    first, second = leader_first(position)
    lead = float(payoffs[first] - payoffs[second]) / 2.0
    if winner < 0 or lead == 0:
        told = texts.result(winner, int(s.result), lang)
    else:
        ways = ("die Konfrontation gewonnen", "die Konfrontation verloren")
        told = (ways if lang == "de" else ("confrontation won", "confrontation lost"))[winner != first]
    more = number_in(f"{lead:g}", lang)
    return f"{told}, {more} {'mehr als der andere' if lang == 'de' else 'more than the other'}" if lead else told


__all__ = ["result_lines"]
