"""OneShot's mission generator once more, slowly and in plain Python; dice come from an iterator."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor
from typing import Any

SCENARIOS = ["destroy", "cleanse", "retrieve", "traverse", "protect"]
KINDS = {1: "unseen", 2: "time_limit", 3: "civilians", 4: "combined"}
NORTH, EAST, SOUTH, WEST = (0, 1), (1, 0), (0, -1), (-1, 0)
COMPASS = [NORTH, EAST, SOUTH, WEST]


def half_of(n: int, options: dict[str, Any]) -> int:
    return ceil(n / 2) if options["half_rounding"] == "ceil" else floor(n / 2)


def roll_mission(dice: Iterator[int], sg: int, options: dict[str, Any], scenario: str | None = None) -> dict[str, Any]:
    """Scenarios and side conditions (rules 150 to 156)."""
    scenarios: list[str] = []

    def another() -> str | None:
        if len(scenarios) == 5:
            return None
        while True:
            face = next(dice)
            if face < 6 and SCENARIOS[face - 1] not in scenarios:
                scenarios.append(SCENARIOS[face - 1])
                return scenarios[-1]

    if scenario is None:
        another()
    else:
        scenarios.append(scenario)
    defensive = scenarios[0] == "protect"
    conditions: dict[str, dict[str, Any]] = {}

    def series(n: int, own: bool) -> None:
        strengthened = False
        owed = 0
        previous: dict[str, Any] | None = None
        for _ in range(n):
            face = next(dice)
            while face == 6 or (face == 5 and strengthened) or (face == 1 and defensive):
                face = next(dice)
            if face == 5:
                strengthened = True
                if previous is None:
                    owed = 1
                else:
                    previous["level"] = min(2, previous["level"] + 1)
                continue
            kind = KINDS[face]
            known = kind in conditions
            if not known:
                place = len(conditions)
                base = {1: [], 2: [], 3: [1], 4: [1], 5: [2, 1], 6: [2, 1]}[sg]
                level = base[place] if place < len(base) and not own else 0
                conditions[kind] = {"kind": kind, "level": level, "rolls": []}
            previous = conditions[kind]
            if known:
                previous["level"] += 1
            previous["level"] += owed
            owed = 0
            if kind == "time_limit":
                tens = 10 * next(dice) if defensive else 0
                previous["rolls"].append((tens + sum(next(dice) for _ in range(6)),))
            elif kind == "civilians":
                people = sum(next(dice) for _ in range(sg))
                held = sum(next(dice) for _ in range(max(0, sg - 3)))
                previous["rolls"].append((people, min(people, held)))
            elif kind == "combined" and not known:
                previous["scenario"] = another()
            previous["level"] = min(2, previous["level"])

    series(sg, False)
    extra = 0
    if options["extra_scenarios"] and sg > 3:
        for _ in range(max(0, next(dice) - half_of(sg, options))):
            if another() is None:
                break
            extra += 1
            series(half_of(sg, options), True)
    out = []
    for entry in conditions.values():
        shown = {"kind": entry["kind"], "level": ["optional", "critical", "necessary"][entry["level"]]}
        means = [floor(sum(column) / len(column) + 0.5) for column in zip(*entry["rolls"], strict=True)]
        if entry["kind"] == "time_limit":
            shown["rounds" if defensive else "minutes"] = means[0]
        elif entry["kind"] == "civilians":
            shown.update(civilians=means[0], hostages=means[1])
        elif entry["kind"] == "combined":
            shown["scenario"] = entry["scenario"]
        out.append(shown)
    return {
        "scenarios": scenarios,
        "conditions": out,
        "extra": extra,
        "penalty": max(1, half_of(sg, options)),
        "defensive": defensive,
    }


def roll_map(dice: Iterator[int], sg: int) -> dict[str, Any]:
    """The overview map (rules 161 to 167)."""
    names = ["dead_end", "corridor", "t_junction", "crossing", "event_room", "target_area"]
    rooms: list[tuple[str, tuple[int, int]]] = [("entrance", (0, 0))]
    links: set[tuple[int, int]] = set()
    queue = [(0, NORTH)]

    def turn(heading: tuple[int, int], face: int) -> tuple[int, int]:
        x, y = heading
        return {1: (y, -x), 2: (y, -x), 3: (x, y), 4: (x, y), 5: (-y, x), 6: (-y, x)}[face]

    while True:
        squares = [place for _, place in rooms]
        if not queue:
            for i in reversed(range(len(rooms))):
                x, y = rooms[i][1]
                ways = [w for w in COMPASS if (x + w[0], y + w[1]) not in squares]
                if ways:
                    queue.append((i, ways[0]))
                    break
        origin, way = queue.pop(0)
        x, y = rooms[origin][1]
        place = (x + way[0], y + way[1])
        if place in squares:
            links.add(tuple(sorted((origin, squares.index(place)))))  # type: ignore[arg-type]
            continue
        placed = len(rooms) - 1
        slots = 4 * sg - 1 - placed
        missing = 2 * sg - sum(kind == "event_room" for kind, _ in rooms)
        if slots > 0 and missing >= slots:
            kind = "event_room"
        elif slots <= 0 and placed >= 8 * sg - 1:
            kind = "target_area"
        else:
            face = next(dice)
            while (face == 6 and slots > 0) or (face == 1 and not queue):
                face = next(dice)
            kind = names[face - 1]
        links.add((origin, len(rooms)))
        rooms.append((kind, place))
        me = len(rooms) - 1
        if kind in ("corridor", "event_room"):
            queue.append((me, turn(way, next(dice))))
        elif kind == "t_junction":
            first = turn(way, next(dice))
            second = turn(way, next(dice))
            while second == first:
                second = turn(way, next(dice))
            queue += [(me, first), (me, second)]
        elif kind == "crossing":
            queue += [(me, turn(way, face)) for face in (1, 3, 5)]
        elif kind == "target_area":
            return {"rooms": [[k, list(p)] for k, p in rooms], "links": sorted(list(pair) for pair in links)}


def roll_group(
    dice: Iterator[int], sg: int, options: dict[str, Any], tier: str, boss: bool, more: int = 0
) -> list[list[Any]]:
    """Points and archetype of every unit (rules 170, 171)."""
    names = ["brawler", "guard", "archer", "scout", "ringleader", "alchemist"]
    n = sum(next(dice) for _ in range(sg))
    n = {"weak": max(1, n // 2), "normal": n, "strong": n + sg}[tier] + more
    units: list[list[Any]] = []
    for _ in range(n):
        points = next(dice)
        units.append([points, names[next(dice) - 1]])
    if boss:
        units[0][0] += max(1, half_of(sg, options))
    for _ in range(sg):
        if options["extra_points"] == "weakest":
            min(units, key=lambda u: u[0])[0] += 1
        elif options["extra_points"] == "strongest":
            max(units, key=lambda u: u[0])[0] += 1
    return units
