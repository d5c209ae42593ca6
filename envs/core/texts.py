"""Texts that every game has: the payoffs at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import Position


def payoff_lines(position: Position, lang: str) -> list[str]:
    """The payoff of every seat, a line each."""
    payoffs = (position.returns() + 0.0).tolist()  # no -0
    word = {"en": "payoff", "de": "Auszahlung"}[lang]
    return [f"  {seat.name}: {word} {payoff:+g}" for seat, payoff in zip(position.game.seats, payoffs)]
