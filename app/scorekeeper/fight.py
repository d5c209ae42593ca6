"""A position of Scorekeeper as the fighter who looks knows it: everybody's state, and what the dice must show."""

from __future__ import annotations

from typing import Any

from ...envs.scorekeeper.actions import ZONE_NAMES
from ...envs.scorekeeper.state import AIM, Roll
from ...envs.scorekeeper.text import ARMOUR_TEXTS, DECLARED_TEXTS, STATUS_TEXTS, WEAPON_TEXTS
from ..session.sight import Sight, hot, number

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


def observer_of(sight: Sight) -> int:
    """The fighter who looks: the one who is asked, else the seat's first."""
    params = sight.game.params
    own = [f for f in range(int(params.fighters)) if params.seat_of[f] == sight.seat]
    names = sight.game.spec.texts.names  # type: ignore[attr-defined]
    return next((f for f in own if sight.asked.startswith(f"{names.called(f, sight.lang)},")), own[0])


class Fight:
    """One position as a fighter sees it."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.params = sight.game.params
        self.cards = list(sight.game.spec.texts.fighters)  # type: ignore[attr-defined]
        self.me = observer_of(sight)
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

    def less_penalty(self, value: int, roll: Roll) -> int:
        """R50, R57, R61: a value of the fighter who looks, less what wounds subtract from a roll of that kind."""
        wounds, lethal = self.piece(0, "wounds"), self.piece(0, "lethal")
        light, severe = (number(wounds[k], number(wounds[3 + k], 10)) for k in (1, 2))
        points = light + 4 * severe + int(self.params.tw_penalty) * number(lethal[0], 5)
        points += number(self.piece(0, "penalty")[1], 10)
        hurts = int(self.params.penalty_rolls) >> roll & 1
        return value + number(self.piece(0, "modifiers")[2], 20) - hurts * points

    def melee_value(self) -> int:
        """R22: what a blow or a parry starts from."""
        values = self.piece(0, "values")
        return number(values[1], 20) + number(values[4], 20)

    def attack_value(self, mode: str, target: int, zone: int) -> int:
        """R22, R23, R34, R37, R38: an attack hits, before it is defended against, if the die falls below it."""
        params, values = self.params, self.piece(0, "values")
        if mode == "shoot":
            weapon = self.piece(0, "ranged_weapon")
            value = number(values[3 if weapon[9] == 1.0 else 0], 20) + number(values[5], 20)
            away, reach = abs(self.metre(target) - self.metre(0)), number(weapon[3], 60)
            if 3 * away > reach:
                value += int(params.range_mod_medium if 3 * away <= 2 * reach else params.range_mod_long)
        else:
            value = self.melee_value()
            if mode == "run":
                value += int(params.full_run_modifier)
            elif mode == "counter":
                value += int(params.counter_modifier)
        return self.less_penalty(value, Roll.ATTACK) - AIM[zone]

    def highest(self, value: int, attack: bool = True) -> int:
        """R22, R29: the most that the die may show for a check of that value; an attack may be a fumble before."""
        fumble = int(self.params.fumble_on) if attack else 0
        return max(0, min(value - 1, 20, fumble - 1 if fumble else 20))


__all__ = ["Fight"]
