"""Speed of OneShot."""

from __future__ import annotations

from .measure import Row, alone, random_play


def rows(t: float) -> list[Row]:
    """Random play of skirmishes, one against one and four against four, and missions from nothing to their first
    decision (scenario, conditions and map)."""
    from probespiel.envs import make_game
    from probespiel.envs.core.batch import Batch

    name = "oneshot-skirmish"
    out = [
        random_play(f"{name} batch, random play, {what}", "decisions", make_game(name, scenario), tables, 1, t)
        for scenario, tables, what in (("duel_mirror", 1024, "1 against 1"), ("party_battle", 128, "4 against 4"))
    ]
    missions = Batch(make_game("oneshot-mission", "random", sg=3), 512)

    def generate() -> int:
        missions.start()
        return 512

    out.append(alone("oneshot-mission, generation at difficulty 3", "missions", generate, t))
    return out


GROUPS = {"oneshot": rows}
