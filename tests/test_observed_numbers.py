"""What single numbers of an observation are called, and in which unit they are told."""

from __future__ import annotations

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


def test_features_are_in_the_units_of_the_rules() -> None:
    """Ada has one EP and three cards, then two EP and two cards; columns that never change are left out."""
    position = Position(make_game("einblatt-duel", compiled=False))
    seen = []
    for ep, cards in ((1, 0b111), (2, 0b11)):
        position.record.ep[0] = ep
        position.record.hand[0] = cards
        seen.append(position.observe(0).copy())
    values, names = features_of(position.game, np.array(seen))
    found = dict(zip(names, np.round(values.T, 5).tolist(), strict=True))
    assert found["seat[0].ep"] == [1, 2] and found["seat[0].hand"] == [3, 2] and found["sum of hand"] == [3, 2]
    assert "seat[1].ep" not in found and not any(name.startswith("terms") for name in names)
    strength = found["best my_class of hand"]
    assert strength[0] == int(strength[0]) >= strength[1] == int(strength[1]) > 0
