"""The screen of Scorekeeper: a metre line with the fighters, what they have declared, wounds, and chances to hit."""

from __future__ import annotations

import re
from typing import Any

from ...envs.scorekeeper.actions import ZONE_NAMES
from ...envs.scorekeeper.formulas import success_probability
from ...envs.scorekeeper.state import AIM, ZONE_CODES
from ...envs.scorekeeper.text import ARMOUR_TEXTS, CLASS_TEXTS, DECLARED_TEXTS, STATUS_TEXTS, WEAPON_TEXTS
from ..web.screens import Drawn, Screen, Sight, hot, number
from .aim import aims

BLOCKS = ("self", "mate1", "mate2", "mate3", "enemy1", "enemy2", "enemy3", "enemy4")
WOUNDS = (("scratches", "Kratzer"), ("light wounds", "leichte Wunden"), ("severe wounds", "schwere Wunden"))
FLAGS = (
    ("has acted", "hat gehandelt"),
    ("full defence", "volle Verteidigung"),
    ("no saving throws", "keine Rettungswürfe"),
    ("action lost", "Handlung verloren"),
    ("has forgone it", "hat verzichtet"),
    ("loses the next action", "verliert die nächste Handlung"),
)
_WIDTH, _EDGE, _ROW, _NAME = 720, 30, 28, 110  # of the drawing, and room for a name


def _observer(sight: Sight) -> int:
    """The fighter who looks: the one who is asked, else the seat's first."""
    params = sight.game.params
    own = [f for f in range(int(params.fighters)) if params.seat_of[f] == sight.seat]
    names = sight.game.spec.texts.names  # type: ignore[attr-defined]
    return next((f for f in own if sight.asked.startswith(f"{names.called(f, sight.lang)},")), own[0])


class _Fight:
    """One position as a fighter sees it."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.params = sight.game.params
        self.cards = list(sight.game.spec.texts.fighters)  # type: ignore[attr-defined]
        self.me = _observer(sight)
        self.length = int(self.params.field_length)
        self.at = {int(self.params.block[self.me, f]): f for f in range(int(self.params.fighters))}

    def piece(self, block: int, name: str) -> Any:
        """A piece of a fighter's block."""
        return self.sight.pieces[f"{BLOCKS[block]}.{name}"]

    def called(self, block: int) -> str:
        """What a fighter is called."""
        return self.sight.game.spec.texts.names.called(self.at[block], self.sight.lang)  # type: ignore[attr-defined]

    def metre(self, block: int) -> int:
        """Where a fighter stands."""
        return number(self.piece(block, "place")[0], self.length)

    def fighter(self, block: int) -> dict[str, Any]:
        """All that is shown of one fighter."""
        sight, card = self.sight, self.cards[self.at[block]]
        wounds, lethal = self.piece(block, "wounds"), self.piece(block, "lethal")
        reaction = self.piece(block, "reaction")
        rows = []
        for i, words in enumerate(WOUNDS):
            limit = number(wounds[3 + i], 10)
            count = number(wounds[i], limit) if limit else None
            rows.append({"name": sight.pick(*words), "count": count, "limit": limit, "share": float(wounds[i])})
        extra = []
        if lethal[0] > 0:
            extra.append(f"{sight.pick('lethal wounds', 'tödliche Wunden')} {number(lethal[0], 5)}")
        if lethal[2] > 0:
            extra.append(f"{sight.pick('bleeding', 'blutet')} {number(lethal[2], 5)}")
        de = sight.lang == "de"
        arms = [WEAPON_TEXTS[card["melee"]][de]]
        if card["ranged"]:
            arms.append(f"{WEAPON_TEXTS[card['ranged']][de]} ({number(self.piece(block, 'ranged_weapon')[4], 20)})")
        hidden = block >= 4 and bool(self.params.private_sheets)
        if not hidden:
            arms += [ARMOUR_TEXTS[piece][de] for piece in card["armour"]]
        flags = self.piece(block, "flags")
        return {
            "name": self.called(block),
            "me": block == 0,
            "foe": block >= 4,
            "metre": self.metre(block),
            "status": STATUS_TEXTS[sight.lang][max(0, hot(self.piece(block, "status")))],
            "able": hot(self.piece(block, "status")) == 0,
            "wounds": rows,
            "extra": extra,
            "fate": None if hidden else number(self.piece(block, "fate")[0], 10),
            "arms": ", ".join(arms),
            "place": number(reaction[1], 8),
            "reaction": number(reaction[0], 40),
            "declared": self.declared(block),
            "target": hot(self.piece(block, "declared_target")),
            "flags": [sight.pick(*words) for flag, words in zip(flags, FLAGS) if flag == 1.0],
        }

    def declared(self, block: int) -> str:
        """What a fighter has declared, in words; empty as long as he has not."""
        what = hot(self.piece(block, "declared"))
        if what <= 0:
            return ""
        text = DECLARED_TEXTS[self.sight.lang][what]
        target, zone = hot(self.piece(block, "declared_target")), hot(self.piece(block, "declared_zone"))
        if target in self.at:
            card = self.cards[self.at[target]]
            text += f" → {self.called(target)}"
            if zone > 0:
                text += f", {ZONE_NAMES[self.sight.lang][card['kind']][zone]}"
        return text

    def chance(self, mode: str, target: int, zone: int) -> float:
        """R22, R23, R34, R37, R38: the chance that an attack hits before it is defended against."""
        params, values = self.params, self.piece(0, "values")
        bonus = number(self.piece(0, "modifiers")[2], 20) - number(self.piece(0, "penalty")[0], 20) - AIM[zone]
        if mode == "shoot":
            weapon = self.piece(0, "ranged_weapon")
            value = number(values[3 if weapon[9] == 1.0 else 0], 20) + number(values[5], 20)
            away, reach = abs(self.metre(target) - self.metre(0)), number(weapon[3], 60)
            if 3 * away > reach:
                value += int(params.range_mod_medium if 3 * away <= 2 * reach else params.range_mod_long)
        else:
            value = number(values[1], 20) + number(values[4], 20)
            if mode == "run":
                value += int(params.full_run_modifier)
            elif mode == "counter":
                value += int(params.counter_modifier)
        return float(success_probability(value + bonus, int(params.fumble_on)))

    def notes(self) -> dict[int, str]:
        """Chances to hit, for each attack that is possible."""
        if self.sight.game.spec.sources.extensions:  # a module may change what an attack needs
            return {}
        by_name = {card["name"]: block for block, f in self.at.items() for card in [self.cards[f]] if block >= 4}
        found = {}
        for choice in self.sight.of_verb("melee", "run", "shoot"):
            if choice.target in by_name and choice.detail in ZONE_CODES:
                chance = self.chance(choice.verb, by_name[choice.target], ZONE_CODES.index(choice.detail))
                found[choice.action] = f"{100 * chance:.0f} %"
        return found


def _declarations(sight: Sight) -> list[dict[str, str]]:
    """Who has declared what in this round, in that order."""
    found: list[dict[str, str]] = []
    for line in sight.events:
        told = re.fullmatch(r"(.+?) (?:declares|erklärt): (.+)", line)
        if line.startswith("--- "):
            found = []
        elif told is not None:
            found.append({"name": told[1], "text": told[2]})
    return found


def _line(fight: _Fight, fighters: list[dict[str, Any]], order: list[str]) -> dict[str, Any]:
    """The metre line: where everybody stands, ticks, and an arrow for each declaration at somebody."""
    low = min(f["metre"] for f in fighters)
    high = max(f["metre"] for f in fighters)
    span = max(10, high - low)
    low = max(0, min(low - 2, fight.length - span - 2))
    high = low + span + 4
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200) if (high - low) / s <= 12)

    def x(metre: float) -> float:
        return round(_EDGE + (metre - low) * (_WIDTH - 2 * _EDGE) / (high - low), 1)

    marks: list[dict[str, Any]] = []
    for f in fighters:  # one above the other where their names would touch
        near = {mark["level"] for mark in marks if abs(mark["x"] - x(f["metre"])) < _NAME}
        level = next(n for n in range(len(fighters)) if n not in near)
        marks.append({**f, "x": x(f["metre"]), "level": level, "left": x(f["metre"]) > _WIDTH - _NAME})
    depth = 1 + max(mark["level"] for mark in marks)
    base = 56 + _ROW * depth
    blocks = dict(zip(sorted(fight.at), marks))
    arrows = []
    for mark in marks:
        other = blocks.get(mark["target"])
        if other is not None and other is not mark:
            y1, y2 = base - 14 - _ROW * mark["level"], base - 14 - _ROW * other["level"]
            gap = 12 if other["x"] >= mark["x"] else -12
            middle = round((mark["x"] + other["x"]) / 2, 1)
            top = min(y1, y2) - 30 - 8 * len(arrows) % 24  # so that arrows of one pair do not lie on each other
            path = f"M{mark['x'] + gap} {y1 - 9} Q{middle} {top} {other['x'] - gap} {y2 - 9}"
            label = {"x": middle, "y": round((y1 + y2 - 18) / 4 + top / 2, 1)}
            number_of = order.index(mark["name"]) + 1 if mark["name"] in order else 0
            arrows.append({"path": path, "foe": mark["foe"], "number": number_of, **label})
    return {
        "width": _WIDTH,
        "height": base + 34,
        "base": base,
        "left": _EDGE,
        "right": _WIDTH - _EDGE,
        "row": _ROW,
        "ticks": [{"x": x(m), "metre": m} for m in range(-(-low // step) * step, high + 1, step)],
        "marks": marks,
        "arrows": arrows,
    }


def draw(sight: Sight) -> Drawn | None:
    """The values of the template."""
    fight = _Fight(sight)
    fighters = [fight.fighter(block) for block in sorted(fight.at)]
    order = sorted((f for f in fighters if f["place"]), key=lambda f: f["place"])
    declared = _declarations(sight)
    aimed = aims(sight, fight.me, fight.at, fight.chance)
    values = {
        "head": sight.told.partition("\n")[0],
        "line": _line(fight, fighters, [one["name"] for one in declared]),
        "declared": declared,
        "aims": aimed,
        "classes": CLASS_TEXTS[sight.lang],
        "fighters": fighters,
        "order": [f["name"] for f in order],
    }
    placed = [zone["choice"] for one in aimed for zone in one["zones"]]
    return Drawn.of(values, placed, fight.notes())


SCREEN = Screen(draw, keyless=("melee", "run", "shoot"))
