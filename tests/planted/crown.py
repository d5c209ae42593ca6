"""Whoever wears the crown is taken to own a hundred control points more when the game is judged."""

from typing import Any

from probespiel.envs.konfrontation.module import Module

module = Module("crown", "At the end its wearer counts a hundred control points more.")


@module.hook
def standing(s: Any, p: Any, seat: int, place: int, value: int) -> int:
    """Control points are place 0."""
    return value + 100 if place == 0 else value
