"""What single numbers of an observation are called, and in which unit they are told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Position
from probespiel.envs.core.observe import Part, Piece, parts
from probespiel.envs.core.registry import game_names, make_game, system_of
from probespiel.evaluation.stress.usage import features_of

TWO = Piece("seat", (2, 3), 0, 1, "", parts("hand / 32, passed, ep / 8"))


def test_parts_of_a_text() -> None:
    assert parts("hand / 32, passed, ep/8") == (Part("hand", 32), Part("passed"), Part("ep", 8))
    assert TWO.number(0) == Part("seat[0].hand", 32) and TWO.number(4) == Part("seat[1].passed")
    assert Piece("net", (2, 2), 0, 1, "", unit=3).number(2) == Part("net[1][0]", 3)
    assert Piece("clock", (2,), 0, 1, "", parts("round, test / 4")).number(1) == Part("clock.test", 4)
    assert Piece("wrath", (1,), 0, 1, "", unit=32).number(0) == Part("wrath", 32)
    assert Piece("fate", (1,), 0, 1, "", parts("fate / 10")).number(0) == Part("fate", 10)
    with pytest.raises(RulesetError, match="'seat': 3 parts are named, but a row has 4"):
        Piece("seat", (2, 4), 0, 1, "", TWO.parts)


@pytest.mark.parametrize("name", game_names())
def test_no_two_numbers_of_a_game_have_one_name(name: str) -> None:
    layout = system_of(name).spec(name, None, {}, {}).layout
    names = [piece.number(i).name for piece in layout.pieces for i in range(piece.size)]
    assert len(names) == len(set(names)) == layout.size


def changed(position: Position, fields: dict[tuple[Any, ...], tuple[int, int]]) -> dict[str, list[float]]:
    """The features that differ when fields of the record have the first of two values, and the second; by their names.

    A field is its name with its place in it, if it has several numbers.
    """
    seen = []
    for at in (0, 1):
        for (name, *place), both in fields.items():
            if place:
                getattr(position.record, name)[tuple(place)] = both[at]
            else:
                setattr(position.record, name, both[at])
        seen.append(position.observe(0).copy())
    values, told = features_of(position.game, np.array(seen))
    return dict(zip([feature.name for feature in told], np.round(values.T, 5).tolist(), strict=True))


def test_features_are_in_the_units_of_the_rules() -> None:
    """Ada has one EP and three cards, then two EP and two cards; columns that never change are left out."""
    position = Position(make_game("einblatt-duel", compiled=False))
    found = changed(position, {("ep", 0): (1, 2), ("hand", 0): (0b111, 0b11)})
    assert found["seat[0].ep"] == [1, 2] and found["seat[0].hand"] == [3, 2] and found["sum of hand"] == [3, 2]
    assert "seat[1].ep" not in found and not any(name.startswith("terms") for name in found)
    strength = found["best my_class of hand"]
    assert strength[0] == int(strength[0]) >= strength[1] == int(strength[1]) > 0


FIGHTER = {  # a field of the first figure and two of its values, and the numbers of its row that differ by them
    ("wounds", 0): ((1, 2), {"wounds": [1, 2]}),
    ("standing", 0): ((0, 1), {"up": [1, 0], "unconscious": [0, 1]}),
    ("limit", 0): ((3, 4), {"wound limit": [3, 4]}),
    ("attack", 0): ((2, 5), {"attack": [2, 5]}),
    ("target_mod", 0): ((-1, 2), {"modifier of attacks on it": [-1, 2]}),
    ("initiative", 0): ((3, 4), {"initiative": [3, 4]}),
    ("move_range", 0): ((4, 5), {"steps of a move": [4, 5]}),
    ("physical", 0, 2): ((1, 2), {"agility": [1, 2]}),
    ("combat", 0, 2): ((1, 2), {"base initiative": [1, 2]}),
    ("value", 0, 1): ((1, 2), {"mind plus 1": [2, 3]}),
    ("social", 0, 2): ((1, 2), {"diplomatic": [1, 2]}),
    ("w_range", 0, 0): ((1, 3), {"first weapon's range": [1, 3]}),
    ("w_rank", 0, 1): ((3, 4), {"second weapon's skill": [3, 4]}),
    ("rank", 0, 0): ((3, 4), {"lore of races": [3, 4]}),
    ("items", 0, 1): ((1, 2), {"smelling salts": [1, 2]}),
    ("saga", 0): ((3, 4), {"saga points": [3, 4]}),
    ("luck", 0): ((0, 1), {"luck": [0, 1]}),
    ("perks", 0): ((1 << 3, 1 << 7), {"perk finesse": [1, 0], "perk patient": [0, 1]}),
    ("moved", 0): ((0, 1), {"has moved": [0, 1]}),
    ("acted", 0): ((0, 1), {"has acted": [0, 1]}),
}


@pytest.mark.parametrize("field", FIGHTER, ids=lambda field: field[0])
def test_a_figure_is_told_by_what_its_numbers_are(field: tuple[Any, ...]) -> None:
    both, expected = FIGHTER[field]
    found = changed(Position(make_game("oneshot-skirmish", compiled=False)), {("actor",): (0, 0), field: both})
    told = {name.removeprefix("figures[0]."): row for name, row in found.items() if name.startswith("figures[0].")}
    ends = expected.keys() | {"attack", "defence", "malus"}  # a malus and what it lowers go with wounds
    assert {name: told[name] for name in expected} == expected and told.keys() <= ends


def test_a_talker_is_told_by_what_its_numbers_are() -> None:
    fields = {("t_value", 0, 2): (1, 2), ("t_insight", 0): (3, 5), ("t_perks", 0): (1, 2), ("tally", 0, 1, 3): (0, 6),
              ("l_method", 0): (0, 2), ("l_nat", 0): (2, 6), ("l_outcome", 0): (2, 4), ("probed",): (0, 1)}  # fmt: skip
    position = Position(make_game("oneshot-parley", compiled=False))
    assert changed(position, fields).items() >= {
        "sheet.charisma plus 1": [2, 3], "sheet.insight": [3, 5], "sheet.perk hardened": [1, 0],
        "sheet.perk special gift": [0, 1], "last.aggressive": [1, 0], "last.diplomatic": [0, 1], "last.die": [2, 6],
        "last.near miss": [1, 0], "last.critical failure": [0, 1],
    }.items()  # fmt: skip
    assert changed(position, fields)["counts[1].failure"][0] == 0 < changed(position, fields)["counts[1].failure"][1]
    spec = system_of("oneshot-mission").spec("oneshot-mission", None, {}, {})
    parley = next(piece for piece in spec.layout.pieces if piece.name == "parley")
    assert parley.number(27) == Part("parley.talk.relation", 2) and parley.number(15).name == "parley.sheet.wound malus"


def test_a_faction_is_told_by_what_its_numbers_are() -> None:
    position = Position(make_game("konfrontation-campaign", compiled=False))
    fields = {("power", 0): (3, 7), ("units", 0): (0b10, 1 << 8), ("nature", 0, 1): (2, 2), ("nature", 0, 8): (3, 3),
              ("value", 0, 8): (2, 2), ("extent", 0, 7): (1, 3), ("project", 0): (0, 2), ("project_nature", 0): (0, 1),
              ("project_size", 0): (0, 2), ("project_left", 0): (0, 4), ("special", 0): (0, 1)}  # fmt: skip
    found = {name: row for name, row in changed(position, fields).items() if name.startswith("faction[0]")}
    found.pop("faction[0].strength points", None)
    found.pop("faction[0].control points", None)
    assert found == {
        "faction[0].power": [3, 7], "faction[0].special goals": [0, 1], "faction[0].character 2 is there": [1, 0],
        "faction[0].character 2 is shady": [1, 0], "faction[0].support 1 is there": [0, 1],
        "faction[0].support 1 is intellectual": [0, 1], "faction[0].value of support 1": [0, 2],
        "faction[0].size of resource 8": [1, 3], "faction[0].builds a support": [0, 1],
        "faction[0].builds a social support": [0, 1], "faction[0].size or extra turns of what is built": [0, 2],
        "faction[0].turns until it is built": [0, 4],
    }  # fmt: skip
