"""The screen of a mission: goal, clock, side conditions, the map as the party knows it, heroes, and the pay (4.7)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from ...envs.core.observe import Layout
from ...envs.oneshot.choices import Scenario
from ...envs.oneshot.mission.observe import CELL as OF_A_ROOM
from ...envs.oneshot.mission.observe import WINDOW
from ...envs.oneshot.mission.text import COMES_TO, CONDITIONS_DE, EVENTS, GOALS, ROOMS, SCENARIOS_DE
from ...envs.oneshot.params import SCENARIOS
from ...envs.oneshot.parley.observe import TALK_SIZE, talk_pieces
from ...envs.oneshot.state import ALIVE, CONDITIONS, Condition, Room
from ..session.sight import Choice, Sight, hot, number
from ..web.screens import Drawn
from .ground import ITEMS, STATUS, draw_fight, figures_by_row, figures_of
from .talk import draw as draw_talk
from .trying import trying_legend

SIDE = {
    Condition.UNSEEN: ("no alarm", "kein Alarm"),
    Condition.TIME_LIMIT: ("be done in time", "rechtzeitig fertig sein"),
    Condition.CIVILIANS: ("no civilian dies", "kein Zivilist stirbt"),
    Condition.COMBINED: ("the second goal, too", "auch das zweite Ziel"),
}
STAKES = (
    ("optional: one more saga point", "optional: ein Sagenpunkt mehr"),
    ("critical: failing makes the rest harder", "kritisch: Scheitern macht den Rest schwerer"),
    ("necessary: failing ends the mission", "notwendig: Scheitern beendet die Mission"),
)
PAID_ANYWAY = (
    "The rules pay this though the mission has failed: one for taking part, one for each optional condition kept to "
    "its end.",
    "Das zahlen die Regeln, obwohl die Mission gescheitert ist: einen fürs Dabeisein, einen für jede optionale "
    "Bedingung, die bis zu ihrem Ende eingehalten wurde.",
)
SIGNS = "E·─┬┼◆★"  # of the kinds of rooms
ROOM, GAP = 40, 22  # of the drawing
WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # north, east, south, west; as links are numbered
NAMES = ("north", "east", "south", "west")
_MAP_SIGNS = {"E": 0, ".": 1, "c": 2, "T": 3, "X": 4, "R": 5, "!": 6}
_EXIT = 7  # of a cell of the observation: only its door has been seen


@dataclass(frozen=True)
class Place:
    """A room that the party knows: its kind (None: only its door was seen), what is left to do, and its ways."""

    kind: int | None
    cleared: bool = False
    ways: tuple[int, ...] = ()


def known(sight: Sight) -> dict[tuple[int, int], Place]:
    """The rooms that the party knows, by their place from where it stands; y grows to the north.

    The observation tells those nearby; those beyond it are read from the map in words.
    """
    window = sight.pieces["rooms"]
    found: dict[tuple[int, int], Place] = {}
    for row in range(WINDOW):
        for column in range(WINDOW):
            cell = window[row, column]
            at = column - WINDOW // 2, row - WINDOW // 2
            if cell[8] > 0:
                ways = tuple(way for way in range(4) if cell[OF_A_ROOM - 4 + way] > 0)
                found[at] = Place(hot(cell[:_EXIT]), bool(cell[9] > 0), ways)
            elif cell[_EXIT] > 0:
                found[at] = Place(None)
    return _in_words(sight.told) | found


def _in_words(told: str) -> dict[tuple[int, int], Place]:
    """The rooms of the map in words: signs at every second place, - and | between those that are linked."""
    lines = [line[3:] for line in told.splitlines() if re.fullmatch(r" {3}[ @E.cTXR!?|-]+", line)]
    party = next(((x, y) for y, line in enumerate(lines) for x, sign in enumerate(line) if sign == "@"), None)
    if party is None:
        return {}
    signs = {(x - party[0], party[1] - y): sign for y, line in enumerate(lines) for x, sign in enumerate(line)}
    found = {}
    for (x, y), sign in signs.items():
        if x % 2 == 0 and y % 2 == 0 and (sign in _MAP_SIGNS or sign == "?"):
            ways = tuple(way for way, (dx, dy) in enumerate(WAYS) if signs.get((x + dx, y + dy), " ") in "|-")
            found[x // 2, y // 2] = Place(None) if sign == "?" else Place(_MAP_SIGNS[sign], False, ways)
    return found


def _map(sight: Sight) -> dict[str, Any]:
    """The map as a drawing, with a button on each neighbouring room that one can go to."""
    rooms = known(sight)
    step = ROOM + GAP
    xs, ys = [x for x, _ in rooms] or [0], [y for _, y in rooms] or [0]
    low_x, high_y = min(xs), max(ys)
    go: dict[tuple[int, int], Choice] = {}
    for choice in sight.of_verb("go"):
        if choice.target in NAMES:
            go[WAYS[NAMES.index(choice.target)]] = choice
    kinds = [sight.pick(*words) for words in ROOMS]
    drawn, links = [], []
    for (x, y), place in sorted(rooms.items()):
        left, top = (x - low_x) * step + GAP, (high_y - y) * step + GAP
        here = (x, y) == (0, 0)
        todo = place.kind in (Room.EVENT_ROOM, Room.TARGET_AREA) and not place.cleared
        name = sight.pick("unknown", "unbekannt") if place.kind is None else kinds[place.kind]
        drawn.append({
            "x": left, "y": top, "cx": left + ROOM / 2, "cy": top + ROOM / 2, "here": here, "kind": place.kind,
            "sign": "?" if place.kind is None else SIGNS[place.kind], "todo": todo, "name": name,
            "go": go.get((x, y)), "target": place.kind == Room.TARGET_AREA,
        })  # fmt: skip
        for way in place.ways:
            dx, dy = WAYS[way]
            if (x + dx, y + dy) in rooms:
                links.append((left + ROOM / 2, top + ROOM / 2, left + ROOM / 2 + dx * step, top + ROOM / 2 - dy * step))
    words = "; ".join(room["name"] + (f" ({sight.pick('you', 'ihr')})" if room["here"] else "") for room in drawn)
    return {
        "rooms": drawn,
        "links": links,
        "size": ROOM,
        "width": (max(xs) - low_x + 1) * step + GAP,
        "height": (high_y - min(ys) + 1) * step + GAP,
        "words": words,
        "placed": list(go.values()) if any(room["go"] for room in drawn) else [],
        "todo": any(room["todo"] and not room["here"] for room in drawn),
        "legend": [(SIGNS[k], kinds[k]) for k in sorted({p.kind for p in rooms.values() if p.kind is not None})],
    }


def _goals(sight: Sight) -> list[dict[str, Any]]:
    """The scenarios, the main one first."""
    names = SCENARIOS_DE if sight.lang == "de" else SCENARIOS
    found = [
        {"name": names[k], "words": sight.pick(*GOALS[Scenario(k)]), "main": bool(row[1]), "met": bool(row[2])}
        for k, row in enumerate(sight.pieces["scenarios"])
        if row[0]
    ]
    return sorted(found, key=lambda goal: not goal["main"])


def _conditions(sight: Sight, minutes: int, over: bool, goals: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The side conditions: what they ask, what hangs on them, how they stand."""
    names, found = CONDITIONS_DE if sight.lang == "de" else CONDITIONS, []
    defensive = bool(sight.pieces["scenarios"][Scenario.PROTECT][1])
    for kind, row in enumerate(sight.pieces["conditions"]):
        if not row[0]:
            continue
        value, words = number(row[4], 100), sight.pick(*SIDE[Condition(kind)])
        share = None
        if kind == Condition.TIME_LIMIT:
            unit = sight.pick("rounds", "Runden") if defensive else "min"
            words = f"{words}: {value} {unit}" if defensive else f"{words}: {minutes} / {value} {unit}"
            share = None if defensive else {"now": min(minutes, value), "most": max(1, value)}
        elif kind == Condition.CIVILIANS:
            words += f" ({value}, {sight.pick('hostages', 'Geiseln')} {number(row[5], 36)})"
        failed = bool(row[6])
        met = not failed and (kind != Condition.COMBINED or all(goal["met"] for goal in goals if not goal["main"]))
        level = max(0, hot(row[1:4]))
        found.append({
            "name": names[kind].replace("_", " "), "words": words, "level": level, "stake": sight.pick(*STAKES[level]),
            "failed": failed or (over and not met), "met": over and met, "share": share,
        })  # fmt: skip
    return found


def _heroes(sight: Sight) -> list[dict[str, Any]]:
    """The party in the order of its seats, with what each carries."""
    figures = [one for one in figures_of(sight, figures_by_row(sight)) if not one["foe"]]
    figures = sorted((one for one in figures if one["index"] < int(sight.game.params.party)), key=lambda f: f["index"])
    for one in figures:
        one["bag"] = [
            sight.pick(*words) + (f" × {n}" if n > 1 else "") for words, n in zip(ITEMS, one["items"], strict=True) if n
        ]
        if sight.pieces["tools"][one["index"]]:
            one["bag"].append(sight.pick("tools", "Werkzeug"))
        one["said"] = sight.pick(*STATUS[one["status"]])
        if one["malus"] and one["status"] in ALIVE:  # the dead roll no dice
            one["said"] += f", {sight.pick('every die', 'jeder Würfel')} −{one['malus']}"
    return figures


def _talk(sight: Sight) -> dict[str, Any] | None:
    """What the screen of talks makes of the one that is held here, if the hero of this seat holds it."""
    parts = Layout(talk_pieces()).view(sight.pieces["parley"][:TALK_SIZE])
    drawn = draw_talk(replace(sight, pieces=parts)) if parts["sheet"].any() else None
    return None if drawn is None else dict(drawn.values)


def draw(sight: Sight) -> Drawn | None:
    """The values of the template: the ground while there is a fight, else the map."""
    goals, pieces = _goals(sight), sight.pieces
    if not goals:  # nothing is known before the generator has rolled
        return None
    minutes_told = re.search(r"(\d+) min$", sight.told.partition("\n")[0])
    minutes = int(minutes_told[1]) if minutes_told else number(pieces["mission"][0], 36)
    over = sight.over
    event = hot(pieces["room_event"])
    fight = None if over or not re.search(r"^(count|Zähler) \d", sight.told, re.MULTILINE) else draw_fight(sight)
    plan = _map(sight)
    conditions, heroes = _conditions(sight, minutes, over, goals), _heroes(sight)
    optional = sum(one["met"] and one["level"] == 0 for one in conditions)
    pay = [(one["name"], 0 if one["status"] == 2 else 1 + optional, one["status"] == 2) for one in heroes]
    success = bool(sight.facts["success"])
    values: dict[str, Any] = {
        "kind": "mission",
        "goals": goals,
        "conditions": conditions,
        "minutes": minutes,
        "sg": number(pieces["mission"][1], 6),
        "harder": bool(pieces["mission"][2] > 0),
        "carrying": bool(pieces["mission"][3] > 0),
        "alarm": bool(pieces["mission"][5] > 0),
        "event": sight.pick(*EVENTS[event]) if event > 0 else "",
        "settled": known(sight)[0, 0].cleared if event > 0 else False,
        "stake": trying_legend(sight),
        "map": plan,
        "heroes": heroes,
        "fight": None if fight is None else fight.values,
        "talk": _talk(sight),
        "over": over,
        "success": success,
        "diary": _diary(sight),
        "pay": pay,
        "optional": optional,
        "paid_anyway": sight.pick(*PAID_ANYWAY) if over and not success and any(p for _, p, _ in pay) else "",
    }  # fmt: skip
    placed = list(plan["placed"])
    if fight is not None:
        placed += [choice for choice in sight.choices if choice.action in fight.placed]
    return Drawn.of(values, placed)


def _diary(sight: Sight) -> list[str]:
    """What was met on the way, a line a room, the newest first."""
    found: list[str] = []
    comes_to, here = sight.pick(*COMES_TO), re.compile(sight.pick("there (?:is|are) ", "hier (?:ist|sind) "))
    check = re.compile(sight.pick(r".* (succeeds|fails)( \(.*\))?", r".* (schafft es|scheitert)( \(.*\))?"))
    for line in sight.events:
        if line.startswith(comes_to):
            found.append(line.removeprefix(comes_to))
        elif found and here.match(line):
            found[-1] += f": {here.sub('', line, count=1)}"
        elif found and check.fullmatch(line):
            found[-1] += f", {line}"
        elif found and line.startswith("!! "):
            found[-1] += f", {line[3:]}"
    return found[::-1]


__all__ = ["Place", "draw", "known"]
