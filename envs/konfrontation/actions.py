"""The action table of konfrontation: Discrete(85) for both modes (section 4), and behind it the actions of modules."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.actions import ActionBlock, ActionTable
from . import state as st

NATURE_NAMES = {"en": st.NATURES, "de": ("kämpferisch", "gesellschaftlich", "zwielichtig", "intellektuell")}
_MALE = {"en": st.NATURES, "de": ("kämpferischen", "gesellschaftlichen", "zwielichtigen", "intellektuellen")}
_FEMALE = {"en": st.NATURES, "de": ("kämpferische", "gesellschaftliche", "zwielichtige", "intellektuelle")}


def item_code(item: int) -> str:
    """Code of a unit, resource or other target (numbered like targets); slots are counted from 1, as in words."""
    if item < st.CHARACTERS:
        return f"character:{item + 1}"
    if item < st.UNITS:
        return f"support:{item - st.CHARACTERS + 1}"
    if item < st.T_POWER:
        return f"resource:{item - st.T_RESOURCE + 1}"
    return "target:power" if item == st.T_POWER else "target:other"


def item_name(item: int, lang: str) -> str:
    """A unit, resource or other target in words; slots are counted from 1."""
    de = lang == "de"
    if item < st.CHARACTERS:
        return f"{'Charakter' if de else 'character'} {item + 1}"
    if item < st.UNITS:
        return f"{'Unterstützung' if de else 'support'} {item - st.CHARACTERS + 1}"
    if item < st.T_POWER:
        return f"{'Ressource' if de else 'resource'} {item - st.T_RESOURCE + 1}"
    if item == st.T_POWER:
        return "Ziel: Power" if de else "target: power"
    return "Ziel: etwas anderes" if de else "target: something else"


def action_table(blocks: Sequence[ActionBlock] = ()) -> ActionTable:
    """The table, with the blocks of rule modules behind."""

    def both(en: Sequence[str], de: Sequence[str]) -> dict[str, tuple[str, ...]]:
        return {"en": tuple(en), "de": tuple(de)}

    natures, pairs = range(4), [(n, e) for n in range(4) for e in st.EXTRAS]
    items = range(st.T_OTHER + 1)
    codes = [item_code(i) for i in items]
    names = both([item_name(i, "en") for i in items], [item_name(i, "de") for i in items])

    def part(name: str, start: int, end: int, doc: str) -> ActionBlock:
        texts = {lang: tuple(words[start:end]) for lang, words in names.items()}
        return ActionBlock(name, tuple(codes[start:end]), texts, doc)

    def one(name: str, en: str, de: str, doc: str) -> ActionBlock:
        return ActionBlock(name, (name,), both([en], [de]), doc)

    this = "this one: target, take part, victim, spoils"
    ordinal = {"en": ("next", "second", "third", "fourth"), "de": ("nächste", "zweite", "dritte", "vierte")}
    return ActionTable(
        [
            one("pass", "pass", "passen", "no action"),
            one("gather", "gather power", "Power sammeln", "power from the bank"),
            one("continue", "continue the project", "das Projekt fortsetzen", "a turn of work"),
            ActionBlock(
                "recruit",
                tuple(f"recruit:{st.NATURES[n]}" for n in natures),
                both(
                    [f"recruit a character: {_MALE['en'][n]}" for n in natures],
                    [f"einen {_MALE['de'][n]} Charakter anwerben" for n in natures],
                ),
                "a new character",
            ),
            ActionBlock(
                "start_resource",
                tuple(f"start_resource:{k}" for k in st.SIZES),
                both(
                    [f"start a resource of size {k}" for k in st.SIZES],
                    [f"eine Ressource der Größe {k} beginnen" for k in st.SIZES],
                ),
                "a project of as many turns",
            ),
            ActionBlock(
                "start_support",
                tuple(f"start_support:{st.NATURES[n]}:{e}" for n, e in pairs),
                both(
                    [f"start support: {st.NATURES[n]}, {e} extra turn{'s' * (e > 1)}" for n, e in pairs],
                    [
                        f"eine {_FEMALE['de'][n]} Unterstützung beginnen, {e} {'Zusatzzug' if e == 1 else 'Zusatzzüge'}"
                        for n, e in pairs
                    ],
                ),
                "a project of 2 turns and the extra ones",
            ),
            one("attack", "attack", "angreifen", "seek a confrontation"),
            ActionBlock(
                "faction",
                tuple(f"faction:{d}" for d in range(1, st.MAXF)),
                both(
                    [f"the {word} faction after you" for word in ordinal["en"]],
                    [f"die {word} Fraktion nach dir" for word in ordinal["de"]],
                ),
                "whom to attack, as seats after the own one",
            ),
            part("character", 0, st.CHARACTERS, this),
            part("support", st.CHARACTERS, st.UNITS, this),
            part("resource", st.T_RESOURCE, st.T_POWER, "this one: target"),
            part("target_power", st.T_POWER, st.T_OTHER, "the defender's power"),
            part("target_other", st.T_OTHER, st.T_OTHER + 1, "something else"),
            ActionBlock(
                "type",
                tuple(f"type:{n}" for n in st.NATURES),
                both([f"type: {n}" for n in st.NATURES], [f"Art: {n}" for n in NATURE_NAMES["de"]]),
                "type of the confrontation",
            ),
            one("done", "done", "fertig", "all who take part are named"),
            one("run_home", "run home", "nach Hause rennen", "avoid the confrontation"),
            one("stand", "stand", "standhalten", "face it"),
            ActionBlock(
                "bid",
                tuple(f"bid:{b}" for b in range(st.MAX_BID + 1)),
                both([f"bid {b}" for b in range(st.MAX_BID + 1)], [f"{b} setzen" for b in range(st.MAX_BID + 1)]),
                "power, sealed until both sides have bid",
            ),
            one("vote_draw", "vote for a draw", "für Unentschieden stimmen", "sealed until both have voted"),
            one("vote_fight", "vote to fight on", "für Weiterkämpfen stimmen", "sealed until both have voted"),
            one("remove", "out of the game", "aus dem Spiel nehmen", "fate of a unit or resource"),
            one("handover", "hand it over", "herausgeben", "fate of a unit or resource"),
            one(
                "spoils_remove",
                "spoils: remove a unit",
                "Siegespreis: eine Einheit entfernen",
                "what the defender takes",
            ),
            one("spoils_power", "spoils: power", "Siegespreis: Power", "what the defender takes"),
            one(
                "spoils_demand",
                "spoils: demand a unit",
                "Siegespreis: eine Einheit einfordern",
                "what the defender takes",
            ),
            one("wait", "wait", "warten", "never legal; kept for wrappers in which everybody acts"),
            *blocks,
        ],
        st.Action,
    )
