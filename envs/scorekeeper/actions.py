"""The action table of Scorekeeper: Discrete(126), one list for all fights (4.7), and behind it those of modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.actions import ActionBlock, ActionTable
from . import state as st

# R42, R43: zones as players call them, by kind of target
ZONE_NAMES: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "character": ("", "right leg", "left leg", "abdomen", "chest", "right arm", "left arm", "head"),
        "vehicle": (
            "", "right rear wheel", "left rear wheel", "engine", "body", "right front wheel", "left front wheel",
            "driver's cab",
        ),
        "aircraft": ("", "right wing", "left wing", "stern", "fuselage", "bow right", "bow left", "cockpit"),
        "ship": (
            "", "jib boom / foreship", "fore mast", "main mast", "midships", "mizzen mast / stern", "hull below water",
            "quarterdeck / helm",
        ),
    },
    "de": {
        "character": ("", "rechtes Bein", "linkes Bein", "Unterleib", "Brust", "rechter Arm", "linker Arm", "Kopf"),
        "vehicle": (
            "", "rechtes Hinterrad", "linkes Hinterrad", "Motor", "Karosserie", "rechtes Vorderrad",
            "linkes Vorderrad", "Führerhaus",
        ),
        "aircraft": ("", "rechter Flügel", "linker Flügel", "Heck", "Rumpf", "Bug rechts", "Bug links", "Cockpit"),
        "ship": (
            "", "Klüverbaum / Vorschiff", "Fockmast", "Hauptmast", "Mittschiffs", "Besanmast / Heck",
            "Rumpf unter Wasser", "Achterdeck / Ruder",
        ),
    },
}  # fmt: skip
ATTACKS = {
    "en": {"melee": "melee attack", "run": "attack at full run", "shoot": "shot", "counter": "counter"},
    "de": {"melee": "Nahkampfangriff", "run": "Angriff aus vollem Lauf", "shoot": "Schuss", "counter": "Konter"},
}
AIDS = {"en": "first aid for", "de": "Erste Hilfe für"}
ON = {"en": "on", "de": "auf"}

_PLAIN: tuple[tuple[str, str, str, str], ...] = (  # code, English, German, meaning
    ("pass", "pass", "auf eine Handlung verzichten", "no action"),
    ("full_defence", "full defence", "volle Verteidigung", "parry whatever comes, this round"),
    ("reload", "reload", "nachladen", "fill the magazine, clear a jam"),
    ("advance", "advance", "vorrücken", "towards the nearest enemy"),
    ("retreat", "retreat", "zurückweichen", "away from the nearest enemy"),
)
_REACTIONS: tuple[tuple[str, str, str, str], ...] = (
    ("take", "take the hit", "über sich ergehen lassen", "no defence"),
    ("save", "saving throw", "Rettungswurf", "dodge, jump for cover, or resist magic"),
    ("parry", "parry", "parieren", "full defence out of the reaction"),
    ("no_counter", "no counter", "kein Konter", "leave it at the parry"),
)
_FATE: tuple[tuple[str, str, str, str], ...] = (
    ("keep", "keep the roll", "den Wurf behalten", "the roll stands"),
    ("reroll", "repeat the roll for a fate point", "den Wurf für einen Schicksalspunkt wiederholen", "a fate point"),
)
_TURN: tuple[tuple[str, str, str, str], ...] = (
    ("execute", "carry it out", "ausführen", "the declared action (option allow_forgo)"),
    ("forgo", "forgo it", "darauf verzichten", "drop the declared action (option allow_forgo)"),
)


def zone_suffix(zone: int, lang: str, kind: str = "character") -> str:
    """How an aimed attack ends: `: chest`; empty if it is not aimed."""
    return f": {ZONE_NAMES[lang][kind][zone]}" if zone else ""


def attack_text(mode: str, target: str, zone: int, lang: str, kind: str = "character") -> str:
    """An attack in words; an empty `target` is left out."""
    whom = f" {ON[lang]} {target}" if target else ""
    return f"{ATTACKS[lang][mode]}{whom}{zone_suffix(zone, lang, kind)}"


def reduce_text(points: int, lang: str) -> str:
    """Fate points against a wound."""
    if lang == "de":
        return f"die Wunde um {points} mildern" if points else "die Wunde nicht mildern"
    return f"lower the wound by {points}" if points else "do not lower the wound"


def slot_name(slot: int, lang: str, ally: bool) -> str:
    """A fighter whom an action names by his slot; slots are counted from 1."""
    if ally and slot == 0:
        return {"en": "yourself", "de": "dich selbst"}[lang]
    if ally:
        return f"{'Kamerad' if lang == 'de' else 'mate'} {slot}"
    return f"{'Gegner' if lang == 'de' else 'enemy'} {slot + 1}"


def action_table(modules: Sequence[ActionBlock] = ()) -> ActionTable:
    """The table, with the blocks of rule modules behind; fighters go by their slots (4.7)."""
    zones, slots = range(st.ZONES), range(st.TEAM)

    def both(make: Any) -> dict[str, tuple[str, ...]]:
        return {lang: tuple(make(lang)) for lang in ("en", "de")}

    def plain(rows: Sequence[tuple[str, str, str, str]]) -> list[ActionBlock]:
        return [ActionBlock(code, (code,), {"en": (en,), "de": (de,)}, doc) for code, en, de, doc in rows]

    def attacks(mode: str, doc: str) -> ActionBlock:
        codes = tuple(f"{mode}:{t}:{st.ZONE_CODES[z]}" for t in slots for z in zones)
        texts = both(lambda lang: [attack_text(mode, slot_name(t, lang, False), z, lang) for t in slots for z in zones])
        return ActionBlock(mode, codes, texts, doc)

    aid = ActionBlock(
        "aid",
        tuple(f"aid:{k}" for k in slots),
        both(lambda lang: [f"{AIDS[lang]} {slot_name(k, lang, True)}" for k in slots]),
        "first aid; ally slot 0 is oneself",
    )
    counter = ActionBlock(
        "counter",
        tuple(f"counter:{zone}" for zone in st.ZONE_CODES),
        both(lambda lang: [attack_text("counter", "", z, lang) for z in zones]),
        "the blow in answer to a parried one",
    )
    points = range(st.MAX_REDUCTION + 1)
    lower = ActionBlock(
        "reduce",
        tuple(f"reduce:{k}" for k in points),
        both(lambda lang: [reduce_text(k, lang) for k in points]),
        "fate points that lower a wound",
    )
    return ActionTable(
        [
            *plain(_PLAIN),
            aid,
            attacks("melee", "covered melee attack: enemy slot and zone"),
            attacks("run", "melee attack at full run: enemy slot and zone"),
            attacks("shoot", "ranged attack: enemy slot and zone"),
            *plain(_REACTIONS),
            counter,
            *plain(_FATE),
            lower,
            *plain(_TURN),
            *modules,
        ],
        st.Action,
    )


def named_codes(fighters: Sequence[tuple[str, int]]) -> dict[str, str]:
    """Further texts of actions with the names of fighters, e.g. `melee:bouncer:chest`; name and team in setup order.

    The slot of an enemy is his place in his team, so that a name means the same action for all who may take it; aid
    goes by slots alone.
    """
    out: dict[str, str] = {}
    places = [0, 0]
    for name, team in fighters:
        slot = places[team]
        places[team] += 1
        for mode in ("melee", "run", "shoot"):
            for zone in st.ZONE_CODES:
                out[f"{mode}:{name}:{zone}"] = f"{mode}:{slot}:{zone}"
    return out


# what a German reader calls the fighters of the built-in scenarios; a number may follow
_GERMAN = {
    "bouncer": "Türsteher", "dealer": "Dealer", "killer": "Killer", "officer": "Polizist", "medic": "Sanitäter",
    "thug": "Schläger", "partner": "Partner", "left": "Linker", "right": "Rechter", "one": "Einer", "other": "Anderer",
}  # fmt: skip


_NAMED = ("derman",)  # who has a name of his own


def fighter_words(name: str) -> tuple[str, str]:
    """The name of a fighter in English and German."""
    kind, _, number = name.partition("_")
    english = name.replace("_", " ")
    if kind in _NAMED:
        english = english.capitalize()
    return english, (f"{_GERMAN[kind]} {number}".strip() if kind in _GERMAN else english)


class Names:
    """Actions as one fighter says them: `melee:bouncer:chest`, `aid:partner`."""

    def __init__(self, names: Sequence[str], enemy: Any, ally: Any, kinds: Sequence[str]) -> None:
        """`enemy` and `ally` int[n, 4]: fighter in each slot, -1 none; `kinds` of the fighters."""
        self.names, self.enemy, self.ally, self.kinds = list(names), enemy, ally, list(kinds)

    def called(self, fighter: int, lang: str) -> str:
        """A fighter as a reader of the language calls him; "-" for nobody."""
        return fighter_words(self.names[fighter])[lang == "de"] if 0 <= fighter < len(self.names) else "-"

    def target(self, fighter: int, action: int) -> tuple[str, int, int] | None:
        """Kind of action, fighter meant, zone; None for actions that mean nobody or an empty slot."""
        if st.Action.AID <= action < st.Action.MELEE:
            kind, other, zone = "aid", int(self.ally[fighter, action - st.Action.AID]), 0
        elif st.Action.MELEE <= action < st.Action.TAKE:
            slot = action - st.Action.MELEE
            kind = ("melee", "run", "shoot")[slot >> 5]
            other, zone = int(self.enemy[fighter, slot >> 3 & 3]), slot & 7
        else:
            return None
        return (kind, other, zone) if other >= 0 else None

    def code(self, fighter: int, action: int, table: ActionTable) -> str:
        """The code with names, as scripts write it."""
        found = self.target(fighter, action)
        if found is None:
            return table.codes[action]
        kind, other, zone = found
        return f"aid:{self.names[other]}" if kind == "aid" else f"{kind}:{self.names[other]}:{st.ZONE_CODES[zone]}"

    def text(self, fighter: int, action: int, table: ActionTable, lang: str) -> str:
        """What a person reads, with names."""
        found = self.target(fighter, action)
        if found is None:
            return table.describe(action, lang)
        kind, other, zone = found
        if kind == "aid":
            whom = slot_name(0, lang, True) if other == fighter else self.called(other, lang)
            return f"{AIDS[lang]} {whom}"
        return attack_text(kind, self.called(other, lang), zone, lang, self.kinds[other])

    def find(self, fighter: int, code: str, table: ActionTable) -> int:
        """The id of a code with names; -1 if it names nobody whom this fighter can mean. Raises UnparsableAction."""
        kind, _, rest = code.partition(":")
        if kind == "aid" and rest in self.names:
            slots = [int(a) for a in self.ally[fighter]]
            other = self.names.index(rest)
            return st.Action.AID + slots.index(other) if other in slots else -1
        if kind in ("melee", "run", "shoot"):
            name, _, zone = rest.rpartition(":")
            if name in self.names:
                slots = [int(e) for e in self.enemy[fighter]]
                other = self.names.index(name)
                return table.parse(f"{kind}:{slots.index(other)}:{zone}") if other in slots else -1
        return table.parse(code)
