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
    de, told = lang == "de", list[str]()
    points = [
        sum(int(s.extent[f, r]) for r in range(st.RESOURCES) if s.resources[f] >> r & 1) + int(s.bonus[f])
        for f in range(int(p.factions))
    ]
    held = list(zip(points, s.power.tolist()))
    for f, (mine, power) in enumerate(held):
        word = ("Kontrollpunkt" if de else "control point") + ("" if mine == 1 else "e" if de else "s")
        told.append(f"{texts.name(f, lang)} {mine} {word}")
        if not p.hidden_power:
            told[-1] += f", {power} {'Power' if de else 'power'}"
        if held.count((mine, power)) > 1 and p.victory != st.Victory.NET_WORTH:  # R32: then strength tells them apart
            strength = sum(int(s.value[f, u]) for u in range(st.UNITS) if s.units[f] >> u & 1)
            told[-1] += f", {'Stärke' if de else 'strength'} {strength}"
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
    better = f"{more} mehr als der andere" if lang == "de" else f"{more} more than the other"
    return f"{told}, {better}" if lead else told


__all__ = ["result_lines"]
