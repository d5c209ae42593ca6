"""A fight of OneShot on the screen: the ground to click on with reach, cover and targets, and turns to come."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...envs.oneshot.exact import at_least
from ...envs.oneshot.text import ITEMS
from ..session.notes import chance_in, meddling
from ..session.sight import Choice, Sight, hot, number
from ..web.screens import Drawn
from .talk import chance

CELL = 40  # of the drawing
STATUS = (("up", "steht"), ("unconscious", "bewusstlos"), ("dead", "tot"))
EDGES = (("intimidated", "eingeschüchtert"), ("feinted", "getäuscht"), ("appeased", "beschwichtigt"))
_EDGE_DOES = (
    ("attacks at -1 for a while", "greift eine Weile mit \N{MINUS SIGN}1 an"),
    ("defence -1 for a while", "Verteidigung eine Weile \N{MINUS SIGN}1"),
    ("cannot attack you for a while", "kann dich eine Weile nicht angreifen"),
)
OBJECT = 8  # the row of the object of `protect`
AHEAD = 12  # counts that the timeline looks ahead
ATTACK_HOOKS = ("attack_bonus", "damage_bonus", "defence")  # by which modules change the odds of attacks
EDGE_HOOKS = ("edge_bonus",)
TEAM_SIZE = 4  # target slots of a block of attacks
AGGRESSIVE, DIPLOMATIC = 0, 2
_STEP = re.compile(r"(-?\d+),(-?\d+)")


@dataclass(frozen=True)
class Weapon:
    """A weapon as the observation tells it: melee or a range in squares, what it adds to damage, the rank with it."""

    melee: bool
    damage: int
    reach: int
    rank: int

    def steps(self, away: int) -> int | None:
        """R101 to R104: range steps at a distance, None where it does nothing."""
        if self.melee:
            return 0 if away <= 1 else None
        steps = max(0, (away - 1) // self.reach)
        return None if steps and self.damage - steps <= 0 else steps


def figures_by_row(sight: Sight) -> dict[int, int]:
    """Which figure stands in which row of the piece `figures`: oneself, allies, enemies, in seat order.

    Oneself is the hero of the seat in a mission; else the figure on turn if it is the seat's, or the seat's first.
    """
    params = sight.game.params
    own = [i for i in range(int(params.n)) if params.seat_of[i] == sight.seat]
    on_turn = acting(sight)
    me = own[0] if "rooms" in sight.pieces else next((i for i in own if called(sight, i) == on_turn), own[0])
    team = next(t for t in range(2) if params.first[t] <= me < params.first[t] + params.members[t])
    mine = range(int(params.first[team]), int(params.first[team] + params.members[team]))
    foes = range(int(params.first[1 - team]), int(params.first[1 - team] + params.members[1 - team]))
    rows = dict(enumerate([me, *(i for i in mine if i != me), *foes]))
    return rows | ({OBJECT: int(params.object_at)} if int(params.object_at) >= 0 else {})


def called(sight: Sight, index: int) -> str:
    """The name of a figure."""
    return sight.game.spec.texts.name(index, sight.lang)  # type: ignore[attr-defined]


def acting(sight: Sight) -> str:
    """The name of the figure on turn, which the position in words marks; empty outside of fights."""
    lines = [line[2:].split(" ", 1)[-1] for line in sight.told.splitlines() if line.startswith(">")]
    return re.split(r"\s{2,}|\s(?:up|steht|unconscious|bewusstlos|dead|tot)\b", lines[0])[0].strip() if lines else ""


def figure(sight: Sight, row: np.ndarray, index: int) -> dict[str, Any]:
    """All that is shown of a figure."""
    foe = not (row[1] == 1.0 or row[2] == 1.0)
    limit = number(row[12], 8)
    known = limit > 0 or not foe  # of a foe it may be hidden
    weapons = [
        Weapon(bool(row[at] == 1.0), number(row[at + 1], 2), number(row[at + 2], 6), number(row[at + 3], 14))
        for at in (31, 35)
        if row[at] == 1.0 or row[at + 2] > 0
    ]
    return {
        "name": called(sight, index),
        "index": index,
        "me": bool(row[1] == 1.0),
        "foe": foe,
        "status": max(0, hot(row[3:6])),
        "x": number(row[6], 24),
        "y": number(row[7], 24),
        "span": max(1, number(row[10], 4)),
        "wounds": number(row[11], 8),
        "limit": limit if known else "?",
        "attack": number(row[14], 8) if known else None,
        "defence": number(row[15], 12) if known else None,
        "malus": number(row[13], 3),
        "armour_malus": 6 - number(row[20], 6),
        "aim": number(row[16], 3),
        "strength": number(row[21], 4),
        "agility": number(row[23], 4),
        "finesse": bool(row[48] == 1.0),
        "weapons": weapons,
        "due": number(row[19], 16) if row[18] > 0 else None,
        "every": number(row[18], 16),
        "items": [number(value, 3) for value in row[40:43]],
        "values": [number(value, 6) - 1 for value in row[25:28]],
        "social": [number(value, 4) for value in row[28:31]],
        "saga": number(row[43], 10),
        "luck": bool(row[44] > 0),
        "moved": bool(row[53] == 1.0),
        "acted": bool(row[54] == 1.0),
        "surprise": bool(row[55] == 1.0),
    }


def figures_of(sight: Sight, rows: Mapping[int, int]) -> list[dict[str, Any]]:
    """All figures that are there."""
    data = sight.pieces["figures"]
    return [figure(sight, data[row], index) for row, index in rows.items() if row < len(data) and data[row, 0]]


def apart(one: Mapping[str, Any], other: Mapping[str, Any], x: int | None = None, y: int | None = None) -> int:
    """R142: the distance of two figures, the first one perhaps moved to x, y."""
    ax, ay = one["x"] if x is None else x, one["y"] if y is None else y
    gap_x = max(0, other["x"] - (ax + one["span"] - 1), ax - (other["x"] + other["span"] - 1))
    return gap_x + max(0, other["y"] - (ay + one["span"] - 1), ay - (other["y"] + other["span"] - 1))


@dataclass(frozen=True)
class Odds:
    """R42 to R44: the chance that an attack hits, and that it wounds (None: the defence is not known)."""

    hit: float
    wound: float | None

    def text(self, sight: Sight) -> str:
        """As it stands beside an action."""
        hit = f"{sight.pick('hits', 'trifft')} {chance_in(self.hit, sight.lang)}"
        wounds = sight.pick("wounds", "verwundet")
        return hit if self.wound is None else f"{hit}, {wounds} {chance_in(self.wound, sight.lang)}"


def odds_of(sight: Sight, me: Mapping[str, Any], foe: Mapping[str, Any], weapon: Weapon) -> Odds | None:
    """What an attack is worth now; None out of reach, and where rule modules or unknown values may change it."""
    steps = weapon.steps(apart(me, foe))
    if steps is None or me["attack"] is None:
        return None
    attack = weapon.rank + foe["aim"] - me["armour_malus"] - me["malus"] - steps + me["surprise"]
    attack -= int(sight.pieces["edges"][AGGRESSIVE, :, 0].any())
    if not weapon.melee and _in_cover(sight, foe):
        attack += int(sight.game.params.cover_modifier)
    power = me["strength"] if weapon.melee and not me["finesse"] else me["agility"]
    damage = weapon.damage + power - me["malus"] - steps + me["surprise"]
    hit = at_least(me["attack"] - attack)
    return Odds(hit, None if foe["defence"] is None else hit * at_least(foe["defence"] - damage))


def attack_odds(sight: Sight, figures: list[dict[str, Any]]) -> dict[int, Odds]:
    """The odds of all attacks that are possible, by action; none where a rule module may change them."""
    params = sight.game.params
    me = next((one for one in figures if one["me"]), None)
    if meddling(sight, ATTACK_HOOKS) or params.attack_automatics or params.edge_stacking or me is None:
        return {}
    team = 0 if int(params.first[0]) <= me["index"] < int(params.first[0] + params.members[0]) else 1
    by_index, found = {one["index"]: one for one in figures}, {}
    for choice in sight.of_verb("attack"):
        slot, target = divmod(choice.action - sight.start("attack"), TEAM_SIZE)
        foe = by_index.get(int(params.first[1 - team]) + target)
        odds = odds_of(sight, me, foe, me["weapons"][slot]) if foe and slot < len(me["weapons"]) else None
        if odds is not None:
            found[choice.action] = odds
    return found


def edge_notes(sight: Sight, figures: list[dict[str, Any]]) -> dict[int, str]:
    """R84, R85: what an edge over somebody does, and its chance where both values are known."""
    params = sight.game.params
    me = next((one for one in figures if one["me"]), None)
    if meddling(sight, EDGE_HOOKS) or me is None:
        return {}
    team = 0 if int(params.first[0]) <= me["index"] < int(params.first[0] + params.members[0]) else 1
    by_index, found = {one["index"]: one for one in figures}, {}
    for choice in sight.of_verb("edge"):
        method, target = divmod(choice.action - sight.start("edge"), TEAM_SIZE)
        foe = by_index.get(int(params.first[1 - team]) + target)
        told = sight.pick(*_EDGE_DOES[method])
        if foe is not None and foe["defence"] is not None and not params.edge_uses_mood:
            need = foe["values"][method] + int(params.social_offset) + int(params.social_tie)
            works = float(chance(me["social"][method] - me["malus"], need))
            told = f"{sight.pick('works', 'gelingt')} {chance_in(works, sight.lang)}: {told}"
        found[choice.action] = told
    return found


def _in_cover(sight: Sight, one: Mapping[str, Any]) -> bool:
    cover = sight.pieces["map"][1]
    return bool(cover[one["y"] : one["y"] + one["span"], one["x"] : one["x"] + one["span"]].any())


def _reaches(me: Mapping[str, Any], foes: list[dict[str, Any]], x: int, y: int) -> bool:
    """Whether one could attack somebody from a place."""
    return any(weapon.steps(apart(me, foe, x, y)) is not None for foe in foes for weapon in me["weapons"])


def _ground(
    sight: Sight, rows: Mapping[int, int], figures: list[dict[str, Any]], odds: Mapping[int, Odds]
) -> dict[str, Any]:
    """Walls, cover, reach, figures, and a button for each cell that a move leads to; the drawing has north above."""
    walls, cover = sight.pieces["map"]
    height, width = walls.shape

    def top(y: float, cells: float = 1) -> float:
        return (height - y - cells) * CELL

    me = next(one for one in figures if one["me"])
    barred = {i for row, i in rows.items() if row < OBJECT and sight.pieces["edges"][DIPLOMATIC, row, 0] > 0}
    foes = [one for one in figures if one["foe"] and one["status"] == 0 and one["index"] not in barred]
    asked = bool(sight.of_verb("move", "attack", "end_turn"))
    moves = []
    for choice in sight.of_verb("move"):
        step = _STEP.fullmatch(choice.target)
        if step is not None:
            x, y = me["x"] + int(step[1]), me["y"] + int(step[2])
            near = not me["acted"] and _reaches(me, foes, x, y)
            place = f"{x},{y}" + (sight.pick(", somebody in reach", ", jemand in Reichweite") if near else "")
            moves.append({"choice": choice, "x": x * CELL, "y": top(y), "place": place, "near": near})
    reach = []
    if asked and not me["acted"] and me["weapons"]:
        cell = {"span": 1}
        reach = [
            {"x": x * CELL, "y": top(y)}
            for y in range(height)
            for x in range(width)
            if any(w.steps(apart(me, {**cell, "x": x, "y": y})) is not None for w in me["weapons"])
        ]
    return {
        "width": width * CELL,
        "height": height * CELL,
        "cell": CELL,
        "lines_x": [x * CELL for x in range(width + 1)],
        "lines_y": [y * CELL for y in range(height + 1)],
        "walls": [{"x": int(x) * CELL, "y": top(int(y))} for y, x in zip(*np.nonzero(walls))],
        "cover": [{"x": int(x) * CELL, "y": top(int(y))} for y, x in zip(*np.nonzero(cover))],
        "reach": reach,
        "figures": [
            {**_piece(one, top, sight, odds), "letter": letter}
            for one, letter in zip(figures, letters([one["name"] for one in figures]))
            if one["status"] != 2
        ],
        "moves": moves,
        "near": any(move["near"] for move in moves),
        "columns": [{"x": (x + 0.5) * CELL, "text": x} for x in range(width)],
        "rows": [{"y": top(y) + CELL / 2, "text": y} for y in range(height)],
    }


def letters(names: Sequence[str]) -> list[str]:
    """Two letters for each name: of its last word, or of its first one where names end alike (red and blue fighter)."""
    words = [name.replace("_", " ").split() for name in names]
    ends = [found[-1][:2] for found in words]
    starts = [found[0][:2] for found in words]
    return (ends if len(set(ends)) >= len(set(starts)) else starts) if names else []


def _piece(one: dict[str, Any], top: Any, sight: Sight, odds: Mapping[int, Odds]) -> dict[str, Any]:
    """A figure as a disc with its wounds; an enemy that can be attacked is a way to the best attack on him."""
    cx, y = (one["x"] + one["span"] / 2) * CELL, top(one["y"], one["span"])
    cy, r = y + one["span"] * CELL / 2, one["span"] * CELL / 2 - 4
    limit = one["limit"] if isinstance(one["limit"], int) else 0
    gap = min(9.0, 2 * r / max(limit, 1))
    pips = [{"x": cx + (k - (limit - 1) / 2) * gap, "full": k < one["wounds"]} for k in range(limit)]
    best = _best_attack(sight, one, odds) if one["foe"] else None
    chances = odds[best.action].text(sight) if best and best.action in odds else ""
    place = {"cx": cx, "cy": cy, "r": r, "top": y, "left": one["x"] * CELL}
    return {**one, **place, "pips": pips, "attack_by": best, "odds": chances}


def _best_attack(sight: Sight, foe: Mapping[str, Any], odds: Mapping[int, Odds]) -> Choice | None:
    """The attack on somebody that wounds most likely; the first one where that is not known."""
    name = sight.game.spec.texts.name(foe["index"], "en").replace(" ", "_")  # type: ignore[attr-defined]
    mine = [choice for choice in sight.of_verb("attack") if choice.target == name]

    def worth(choice: Choice) -> float:
        found = odds.get(choice.action)
        return 0.0 if found is None else found.hit if found.wound is None else found.wound

    return max(mine, key=worth, default=None)


def _edges(sight: Sight, rows: Mapping[int, int]) -> list[str]:
    found = []
    for kind, a, b in zip(*np.nonzero(sight.pieces["edges"] > 0)):
        if int(a) in rows and int(b) in rows:
            left = number(sight.pieces["edges"][kind, a, b], 10)
            by = sight.pick("by", "von")
            turns = sight.pick("round", "Runde") if left == 1 else sight.pick("rounds", "Runden")
            words = f"{sight.pick(*EDGES[int(kind)])} {by} {called(sight, rows[int(a)])}"
            found.append(f"{called(sight, rows[int(b)])}: {words} ({left} {turns})")
    return found


def _timeline(sight: Sight, figures: list[dict[str, Any]]) -> dict[str, Any]:
    """Who has turns when: a row for each figure that is up, a dot for each turn; and the next turns in words."""
    name = acting(sight)
    up = [one for one in figures if one["due"] is not None and one["status"] == 0]
    up.sort(key=lambda one: (one["name"] != name, one["due"]))
    left, step, line = 112, 24, 24
    now, rows = sight.pick("now", "jetzt"), []
    turns: list[tuple[int, str]] = []
    for k, one in enumerate(up):
        on_turn = one["name"] == name
        due = one["due"] or (one["every"] if on_turn else 0)
        beats = set(range(int(due), AHEAD + 1, max(1, int(one["every"]))))
        at = sorted(beats | {0} if on_turn else beats)
        turns += [(count, one["name"]) for count in at]
        row = {key: one[key] for key in ("name", "me", "foe")}
        rows.append({**row, "y": 14 + k * line, "short": one["name"][:15], "dots": [left + step * n for n in at]})
    ticks = [{"x": left + step * n, "text": f"+{n}" if n else now} for n in range(0, AHEAD + 1, 3)]
    words = ", ".join(f"{who} {f'+{count}' if count else now}" for count, who in sorted(turns)[:8])
    size = {"width": left + step * AHEAD + 20, "height": line * len(up) + 24}
    return {"rows": rows, "ticks": ticks, "words": words, **size}


def draw_fight(sight: Sight) -> Drawn | None:
    """The values of the template; None for a fight by words alone (moves without a place on the ground)."""
    rows = figures_by_row(sight)
    figures = figures_of(sight, rows)
    if not any(one["me"] for one in figures):
        return None
    odds = attack_odds(sight, figures)
    ground = _ground(sight, rows, figures, odds)
    head = next((line for line in sight.told.splitlines() if re.match(r"(count|Zähler) \d", line)), "")
    if head and not sight.over:
        head += sight.pick(" (the last one is the end)", " (mit dem letzten ist Schluss)")
    values = {
        "kind": "ground",
        "red": sight.game.seats[sight.seat].side == "red",
        "head": head,
        "figures": figures,
        "ground": ground,
        "timeline": _timeline(sight, figures),
        "edges": _edges(sight, rows),
        "status": [sight.pick(*words) for words in STATUS],
        "items": [sight.pick(*words) for words in ITEMS],
    }
    return Drawn.of(values, [move["choice"] for move in ground["moves"]])


__all__ = [
    "ATTACK_HOOKS", "ITEMS", "STATUS", "Odds", "Weapon", "apart", "attack_odds", "called", "draw_fight", "edge_notes",
    "figures_by_row", "figures_of",
]  # fmt: skip
