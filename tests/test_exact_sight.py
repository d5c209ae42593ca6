"""What a screen is told of a position: places, numbers, codes and names by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from probespiel.app.session.sight import Choice, Sight, hot, number
from probespiel.envs import make_game

CHOICES = (
    Choice(4, "attack", "orc", "axe", "with the axe"),
    Choice(5, "attack", "", "2", "twice"),
    Choice(9, "pass", "", "", "pass"),
)


@pytest.fixture
def sight() -> Sight:
    told = "  you  power 3;  chips 4\n  first  power 9"
    return Sight(make_game("kuhn", compiled=False), 1, "en", "bet", {}, CHOICES, told)


def test_the_place_that_is_set() -> None:
    assert hot(np.array([0.0, 1.0, 0.0])) == 1
    assert hot(np.array([0.0, 0.6, 1.0])) == 1, "the first of several"
    assert hot(np.array([0.5, 0.4, 0.0])) == -1, "a half is not set"
    assert hot(np.array([1.0])) == 0 and hot(np.zeros(0)) == -1


@pytest.mark.parametrize(("value", "scale", "found"), [(0.34, 10, 3), (0.36, 10, 4), (-0.36, 10, -4), (1.0, 13, 13)])
def test_numbers_are_rounded(value: float, scale: float, found: int) -> None:
    """Shares are single precision: 0.7 of 10 is 7, though it is stored as a little less."""
    assert number(value, scale) == found
    assert number(np.float32(0.7), 10) == 7


def test_codes_join_the_parts_that_are_there() -> None:
    assert [choice.code for choice in CHOICES] == ["attack:orc:axe", "attack:2", "pass"]


def test_choices_are_found_by_code_action_and_verb(sight: Sight) -> None:
    assert sight.choice("attack:2") is CHOICES[1] and sight.choice("attack") is None
    assert sight.by_action() == {4: CHOICES[0], 5: CHOICES[1], 9: CHOICES[2]}
    assert sight.of_verb("attack") == list(CHOICES[:2]) and sight.of_verb("pass", "attack") == list(CHOICES)
    assert sight.of_verb() == []


def test_the_head_is_the_first_line_in_parts(sight: Sight) -> None:
    """Two spaces or more part them, one does not."""
    assert sight.head == "you · power 3; · chips 4"
    assert replace(sight, told="").head == ""


def test_who_is_called_what(sight: Sight) -> None:
    """A recording is read by others: there the seat has its name."""
    names = sight.names
    german = replace(sight, lang="de")
    assert names[0] != names[1] and names == [seat.called("en") for seat in sight.game.seats]
    assert (sight.you, german.you) == ("you", "du")
    assert replace(sight, named=True).you == names[1] and replace(german, named=True).you == german.names[1]
    assert (sight.pick("hand", "Blatt"), german.pick("hand", "Blatt")) == ("hand", "Blatt")
    assert (sight.signed(3), german.signed(-2), sight.signed(0)) == ("+3", "−2", "0")


def test_blocks_of_actions_begin_where_the_game_says(sight: Sight) -> None:
    starts = sight.game.actions.starts
    assert {block: sight.start(block) for block in starts} == dict(starts)
