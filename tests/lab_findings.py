"""Findings of the stress lab made by hand: figures of the game, uses, and what having a rule is worth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from probespiel.evaluation.stress.findings import (
    Choice,
    Effect,
    Figure,
    Findings,
    Interval,
    Sample,
    SideWorth,
    Stake,
    Use,
    UseWorth,
    Worth,
    WorthRow,
)
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.words import answers


def figure(name: str, before: float, after: float, half: float, counts: float) -> Figure:
    value = after - before
    around = [Interval(x, x, x) for x in (before, after)]
    return Figure(name, around[0], around[1], Interval(value, value - half, value + half), counts, 100)


def findings(*figures: Figure, use: Use | None = None, worth: float = 0.0, **more: Any) -> Findings:
    """Findings of a module that is worth so much, where results deviate by 1."""
    row = WorthRow(0, Sample(worth, worth, worth, 99), Interval(0, -0.1, 0.1), worth, 0.0, 0.5, 0.5)
    sides = tuple(SideWorth(side, (row,), (worth,)) for side in ("A", "B"))
    made = Findings(
        game="game", module="rule.py", scenario="", params={}, budget="quick", seed=1, sides=("A", "B"),
        unit=("card", "cards"), payoff_unit="EP", ruleset="", version="", offered=True, use=use or Use(0),
        worth=Worth(sides, Sample(worth, worth - 0.01, worth + 0.01, 99), 1.0, Interval(0.0, -0.1, 0.1)),
        effect=Effect(figures, {"cycles": "there is one side"}),
    )  # fmt: skip
    return replace(made, **more)


STILL = figure("luck", 0.5, 0.5, 0.01, 0.05)
OPEN = figure("search", 0.5, 0.52, 0.1, 0.05)
LENGTH = figure("length", 10.0, 15.0, 0.2, 1.0)
FORCED = Use(
    2, forced=100, stakes=(Stake("school", 100, 1.2, 0.1),),
    choices=(Choice("school", "fire", 50, 0.5, 0.02, 0.02), Choice("school", "water", 50, 0.5, -0.02, 0.02)),
)  # fmt: skip


GERMAN = words("de")


def told(question: str, **more: Any) -> list[str]:
    """The answer to a question, every sentence of which has German words."""
    out = answers(findings(**more))[question]
    assert [line for line in out if GERMAN.told(line) is None] == []
    return out


def answers_with(gain: float) -> tuple[Choice, ...]:
    """Fire gains so much over the mixture of both answers."""
    return Choice("school", "fire", 50, 0.5, gain, 0.02), Choice("school", "water", 50, 0.5, -gain, 0.02)


BOWS = Use(1, opportunities=500, worth=UseWorth(500, 300, 0.0, 0.01, 0.0, 0.1, 0.1))
LOSES = UseWorth(500, 300, -0.03, 0.01, 0.0, 0.1, 0.2)
