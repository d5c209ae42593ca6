"""The named scenarios (4.8), in the shape of a worked example's `setup`."""

from __future__ import annotations

from typing import Any

PC, NPC = "pc", "npc"

_TABLE32 = [
    ("wall", 4, "", "dexterity", "own", 0, True, False, 0, 0),
    ("rock face", 6, "C", "dexterity", "own", 1, True, True, 0, 0),
    ("hard rock face", 12, "C", "dexterity", "own", 1, True, True, 3, 0),
    ("catch a maiden", 3, "H", "dexterity", "none", 0, True, False, 0, 0),
    ("catch a villain", 7, "H", "dexterity", "none", 1, False, True, 0, 0),
    ("flee in a gown", 7, "CH", "dexterity", "other", 0, False, True, 0, 1),
    ("lie to a demon", 12, "D", "charisma", "own", 1, False, True, 2, 0),
]


# what the conflicts of the campaigns are about, in order, in English and German
TABLE32 = tuple(
    zip(
        (row[0] for row in _TABLE32),
        ("eine Mauer", "eine Felswand", "eine harte Felswand", "eine Magd fangen", "einen Schurken fangen",
         "im Ballkleid fliehen", "einen Dämon belügen"),
        strict=True,
    )
)  # fmt: skip


ABOUT = {"table32_session": TABLE32, "table32_tricks": TABLE32}  # by scenario


def _table32(modules: dict[str, Any], **config: Any) -> dict[str, Any]:
    attributes = {
        "strength": {"attribute": 5, "suits": "C"},
        "dexterity": {"attribute": 8, "suits": "S"},
        "wisdom": {"attribute": 4, "suits": "D"},
        "charisma": {"attribute": 7, "suits": "H"},
    }
    conflicts = []
    for _, cards, suits, test, relation, traits, voluntary, risk, prepared, handicap in _TABLE32:
        hero: dict[str, Any] = {"test": test, "relation": relation, "traits": traits, "voluntary": voluntary}
        hero.update(risk=risk, prepared=prepared, open=handicap)
        conflicts.append({"seats": {"Hero": hero, "GM": {"cards": cards, "suits": suits}}})
    hero = {"name": "Hero", "kind": PC, "attributes": attributes}
    if "confidence" in modules:
        hero["conf_value"] = 4
    return {
        "level": "campaign",
        "config": config,
        "modules": modules,
        "seats": [hero, {"name": "GM", "kind": NPC, "cards": 4, "suits": ""}],
        "conflicts": conflicts,
    }


def _duel(first: dict[str, Any], second: dict[str, Any], modules: dict[str, Any] | None = None, **config: Any) -> dict:
    return {"level": "duel", "config": config, "seats": [first, second], "modules": modules or {}}


def _pc(name: str, attribute: int, suits: str, relation: str = "own", team: str | None = None) -> dict[str, Any]:
    seat = {"name": name, "kind": PC, "attribute": attribute, "relation": relation, "suits": suits}
    return seat if team is None else {**seat, "team": team}


def _npc(name: str, cards: int, suits: str, team: str | None = None) -> dict[str, Any]:
    seat = {"name": name, "kind": NPC, "cards": cards, "suits": suits}
    return seat if team is None else {**seat, "team": team}


def presets() -> dict[str, dict[str, Any]]:
    """All presets by name; fresh objects on every call."""
    boys = [4, 3, 3, 2, 2, 5]
    names = ["Boy1", "Boy2", "Boy3", "Boy4", "Boy5", "BoyLeader"]
    return {
        "billy_tree": _duel(_pc("Billy", 6, "C"), _npc("Tree", 5, "")),
        "saruman_ent": _duel(_pc("Saruman", 4, "C", "other"), _npc("Ent", 8, "S"), npc_trump_hidden=True),
        "rock_face": _duel(_pc("Climber", 5, "C"), _npc("Rock", 7, "")),
        "jarjar_princess": _duel(_pc("JarJar", 5, "D"), _npc("Princess", 3, "H")),
        "storm": _duel(_pc("Captain", 6, "H"), _npc("Storm", 6, "CSD")),
        "duel_tricks": _duel(
            _pc("Ada", 6, "C"),
            _pc("Bea", 6, "S"),
            {"table_redraw": {}, "open_look": {}, "after_card": {}, "all_in": {}},
        ),
        "tug_of_war": {
            "level": "melee",
            "config": {"leaders": {"PC": "Mortimer"}, "payoff": "team_sum"},
            "modules": {},
            "seats": [
                _pc("Francis", 7, "C", "none", "PC"),
                _pc("Kyle", 6, "C", "own", "PC"),
                _pc("Mortimer", 7, "C", "other", "PC"),
                *[_npc(name, cards, "C", "village") for name, cards in zip(names, boys, strict=True)],
            ],
        },
        "free_for_all": {
            "level": "melee",
            "config": {},
            "modules": {},
            "seats": [_pc(name, 5, suit) for name, suit in zip(("Ada", "Bea", "Cid", "Dov"), "CSDH", strict=True)],
        },
        "table32_session": _table32({}),
        "table32_tricks": _table32(
            {"sleeve": {}, "table_redraw": {}, "confidence": {}, "mercy": {}}, heal_per_conflict=1
        ),
    }
