"""The screen of the game of builds: a form that fills stage by stage, what the points buy, and both builds at last."""

from __future__ import annotations

from ...envs.oneshot.build.text import STAGES
from ..web.screens import Drawn, Sight, hot, number

BUDGET, VALUES = 20, 7  # scales of the piece `budgets`
FREE = 5  # skill points that everybody has, and as many for each point of mind


def draw(sight: Sight) -> Drawn | None:
    """The values of the template, read from the position in words: the own build, at the end both."""
    names = STAGES["de" if sight.lang == "de" else "en"]
    seats: dict[str, dict[str, str]] = {}
    rest: list[str] = []
    whose = sight.names[sight.seat]
    for line in sight.told.splitlines():
        stage, colon, chosen = line.strip().partition(": ")
        if line in sight.names:
            whose = line
        elif line.startswith("  ") and colon and stage in names:
            seats.setdefault(whose, {})[stage] = chosen
        else:
            rest.append(line.strip())
    stage = hot(sight.pieces["stage"])
    over = len(seats) > 1 or stage < 0
    columns = [name for name in sight.names if name in seats] if over else [sight.names[sight.seat]]
    rows = [
        {
            "name": name.replace("/", "/\u200b"),  # a narrow screen may break it there
            "chosen": [seats.get(column, {}).get(name, "") for column in columns],
            "now": not over and number_of == stage,
        }
        for number_of, name in enumerate(names)
    ]
    return Drawn.of(
        {
            "kind": "build",
            "columns": columns,
            "rows": rows,
            "rest": rest if over else [],
            "values": [] if over else _values(sight),
        }
    )


def _values(sight: Sight) -> list[tuple[str, str]]:
    """What the choices so far come to."""
    budgets = sight.pieces["budgets"]
    found = []
    body, mind, charisma = (number(value, VALUES) - 1 for value in budgets[1:4])
    if body >= 0 and budgets[1:4].any():
        found = [
            (sight.pick("points for the body", "Punkte für den Körper"), str(body)),
            (sight.pick("points for talks", "Punkte für Gespräche"), str(charisma)),
            (sight.pick("skill points before perks", "Fertigkeitspunkte vor Spezifika"), str(FREE + FREE * mind)),
            (sight.pick("limit of wounds before perks", "Wundgrenze vor Spezifika"), str(2 + body)),
        ]
    if int(sight.game.params.gear_budget) >= 0:
        left = number(budgets[0], BUDGET)
        found.append((sight.pick("budget left for gear", "übriges Geld für Ausrüstung"), str(left)))
    return found


__all__ = ["draw"]
