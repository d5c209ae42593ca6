"""The action tables of OneShot (4.3, 4.4, 4.6, 4.7): codes, English and German."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from ..core.actions import ActionBlock, ActionTable
from ..core.codes import names_of
from . import state as st

METHODS = {
    "code": ("aggressive", "cunning", "diplomatic"),
    "en": ("intimidate", "feint", "appease"),
    "de": ("einschüchtern", "fintieren", "beschwichtigen"),
}
TALKS = {
    "code": names_of(st.Talk),
    "en": ("aggressive", "cunning", "diplomatic", "recover patience", "read the mood", "leave"),
    "de": ("aggressiv", "listig", "diplomatisch", "Geduld zurückgewinnen", "Stimmung lesen", "gehen"),
}
DIRECTIONS = {
    "code": ("north", "east", "south", "west"),
    "de": ("Norden", "Osten", "Süden", "Westen"),
}
TRIPLES = tuple(t for t in product(range(4), repeat=3) if sum(t) == 5)


def splits(points: int) -> list[tuple[int, int, int]]:
    """Ways to distribute points on three values, ascending lexicographic."""
    return [(a, b, points - a - b) for a in range(points + 1) for b in range(points - a + 1)]


def _offset(dx: int, dy: int, lang: str) -> str:
    names = {"en": ("east", "west", "north", "south"), "de": ("Ost", "West", "Nord", "Süd")}[lang]
    parts = []
    if dx:
        parts.append(f"{abs(dx)} {names[0] if dx > 0 else names[1]}")
    if dy:
        parts.append(f"{abs(dy)} {names[2] if dy > 0 else names[3]}")
    return " ".join(parts)


def _block(name: str, codes: Sequence[str], en: Sequence[str], de: Sequence[str], doc: str) -> ActionBlock:
    return ActionBlock(name, tuple(codes), {"en": tuple(en), "de": tuple(de)}, doc)


MACRO_TEXTS = {
    "en": (
        "hold the ground", "approach the nearest enemy", "approach the weakest enemy", "retreat",
        "go to the longest range", "go to a fallen ally", "go into cover",
    ),
    "de": (
        "stehen bleiben", "zum nächsten Gegner", "zum schwächsten Gegner", "zurückweichen",
        "auf größte Schussweite gehen", "zu einem gefallenen Gefährten", "in Deckung gehen",
    ),
}  # fmt: skip


def fight_blocks(macro: bool = False) -> list[ActionBlock]:
    """Actions 0..124."""
    offsets = list(zip(st.OFFSET_X.tolist(), st.OFFSET_Y.tolist(), strict=True))
    fours = range(st.TARGETS)
    codes = [f"move:{x},{y}" for x, y in offsets]
    en = [f"move {_offset(x, y, 'en')}" for x, y in offsets]
    de = [f"gehe {_offset(x, y, 'de')}" for x, y in offsets]
    if macro:
        for i, name in enumerate(st.MACROS):
            codes[i], en[i], de[i] = f"move:{name}", MACRO_TEXTS["en"][i], MACRO_TEXTS["de"][i]
    return [
        _block("end_turn", ["end_turn"], ["end turn"], ["Zug beenden"], "end the turn"),
        _block("move", codes, en, de, "move by this offset (x to the east, y to the north)"),
        _block(
            "attack",
            [f"attack:{w}:{t}" for w in range(st.WEAPONS) for t in fours],
            [f"attack enemy {t + 1} with weapon {w + 1}" for w in range(st.WEAPONS) for t in fours],
            [f"Angriff auf Gegner {t + 1} mit Waffe {w + 1}" for w in range(st.WEAPONS) for t in fours],
            "attack with weapon slot w on target slot t",
        ),
        _block(
            "edge",
            [f"edge:{m}:{t}" for m in METHODS["code"] for t in fours],
            [f"{m} enemy {t + 1}" for m in METHODS["en"] for t in fours],
            [f"Gegner {t + 1} {m}" for m in METHODS["de"] for t in fours],
            "gain an edge over target slot t",
        ),
        _block(
            "execute", [f"execute:{t}" for t in fours], [f"execute enemy {t + 1}" for t in fours],
            [f"Gegner {t + 1} exekutieren" for t in fours], "execute an unconscious enemy",
        ),
        _block(
            "heal", [f"heal:{k}" for k in fours], [f"heal draught for ally {k + 1}" for k in fours],
            [f"Heiltrank für Gefährten {k + 1}" for k in fours], "heal an ally (self included)",
        ),
        _block(
            "salts", [f"salts:{k}" for k in fours], [f"smelling salts for ally {k + 1}" for k in fours],
            [f"Riechsalz für Gefährten {k + 1}" for k in fours], "wake an unconscious ally",
        ),
        _block(
            "flask", [f"flask:{t}" for t in fours], [f"fire flask at enemy {t + 1}" for t in fours],
            [f"Feuerflasche auf Gegner {t + 1}" for t in fours], "throw a fire flask at target slot t",
        ),
        *reaction_blocks(),
        _block("weak_spot", ["weak_spot"], ["look for a weak spot"], ["Schwachstelle suchen"], "test lore_race"),
    ]  # fmt: skip


def reaction_blocks() -> list[ActionBlock]:
    """DECLINE, SAGA, LUCK."""
    return [
        _block("decline", ["decline"], ["decline"], ["verzichten"], "do nothing"),
        _block("saga", ["saga"], ["spend a saga point"], ["Sagenpunkt ausgeben"], "spend a saga point"),
        _block("luck", ["luck"], ["use luck"], ["Glück nutzen"], "the failed roll becomes a success"),
    ]


def talk_block() -> ActionBlock:
    """The six moves of a talk."""
    return _block("talk", [f"talk:{c}" for c in TALKS["code"]], TALKS["en"], TALKS["de"], "moves of a talk")


def parley_blocks() -> list[ActionBlock]:
    """Actions 0..35 of a parley."""
    name = "body {}, mind {}, charisma {}"
    german = "Körper {}, Geist {}, Charisma {}"
    # the third number is not fixed: an index stands for a split of whatever charisma was chosen
    return [
        talk_block(),
        *reaction_blocks(),
        _block(
            "triple", [f"triple:{b},{m},{c}" for b, m, c in TRIPLES], [name.format(*t) for t in TRIPLES],
            [german.format(*t) for t in TRIPLES], "attributes",
        ),
        _block(
            "split", [f"split:{i}" for i in range(st.SPLITS)], [f"social split {i + 1}" for i in range(st.SPLITS)],
            [f"soziale Aufteilung {i + 1}" for i in range(st.SPLITS)], "social values, ascending lexicographic",
        ),
        _block(
            "claim", ["probe", "believe", "doubt", "tell_truth", "tell_lie"],
            ["probe", "believe", "doubt", "tell the truth", "tell a lie"],
            ["nachhaken", "glauben", "zweifeln", "die Wahrheit sagen", "lügen"], "lies",
        ),
    ]  # fmt: skip


def mission_blocks(macro: bool = False) -> list[ActionBlock]:
    """Actions 0..144 of a mission."""
    fours = range(st.TARGETS)
    return [
        *fight_blocks(macro),
        _block(
            "go", [f"go:{d}" for d in DIRECTIONS["code"]], [f"go {d}" for d in DIRECTIONS["code"]],
            [f"nach {d}" for d in DIRECTIONS["de"]], "walk along a link",
        ),
        _block("abort", ["abort"], ["abort the mission"], ["Mission abbrechen"], "give up"),
        _block(
            "assign", [f"assign:{k}" for k in fours], [f"assign hero {k + 1}" for k in fours],
            [f"Held {k + 1} übernimmt" for k in fours], "who makes the test or the talk",
        ),
        _block(
            "tool", ["use_tool", "no_tool"], ["use a tool", "without a tool"], ["mit Werkzeug", "ohne Werkzeug"],
            "a tool for the test",
        ),
        _block(
            "approach", ["fight", "ambush", "bypass"], ["fight", "ambush", "sneak past"],
            ["kämpfen", "Hinterhalt", "vorbeischleichen"], "how to meet the enemies",
        ),
        talk_block(),
    ]  # fmt: skip


def table(game: str, macro: bool = False, modules: Sequence[ActionBlock] = ()) -> ActionTable:
    """The action table of a game, with the blocks of rule modules behind."""
    if game == "skirmish":
        return ActionTable([*fight_blocks(macro), *modules])
    if game == "parley":
        return ActionTable([*parley_blocks(), *modules], st.ParleyAction)
    if game == "mission":
        return ActionTable([*mission_blocks(macro), *modules], st.Action)
    options = range(st.OPTIONS_MAX)
    codes, en, de = ([f"{word}{i}" for i in options] for word in ("option:", "option ", "Auswahl "))
    return ActionTable([_block("option", codes, en, de, "option of the stage"), *modules])
