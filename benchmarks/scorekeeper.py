"""Speed of Scorekeeper."""

from __future__ import annotations

from .measure import Row, random_play


def rows(t: float) -> list[Row]:
    """Random play of fights in the batch driver: a duel, and four against four."""
    from probespiel.envs import make_game

    return [
        random_play(f"{name} batch, random play", "decisions", make_game(name), tables, 4, t)
        for name, tables in (("scorekeeper-duel", 2048), ("scorekeeper-skirmish", 512))
    ]


GROUPS = {"scorekeeper": rows}
