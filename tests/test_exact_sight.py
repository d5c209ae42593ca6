"""What a screen is told of a position: places, numbers, codes and names by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from probespiel.app.session.sight import Choice, Sight, hot, number
from probespiel.envs import make_game
from probespiel.envs.oneshot.skirmish import observe

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


# The rows of a fight


@pytest.mark.parametrize(("me", "rows"), [
    (0, [0, 1, 2, 3, 4]), (1, [1, 0, 2, 3, 4]), (2, [1, 2, 0, 3, 4]), (3, [2, 3, 4, 0, 1]), (4, [2, 3, 4, 1, 0]),
])  # fmt: skip
def test_who_looks_has_the_first_row_then_allies_then_enemies(me: int, rows: list[int]) -> None:
    """Figures 0 to 2 against 3 and 4; what figure 5 stands for is a thing, behind the rows of all figures."""
    p = SimpleNamespace(first=[0, 3], members=[3, 2], object_at=5)
    team = int(me > 2)
    assert [observe.row_of(p, me, team, i) for i in range(6)] == [*rows, observe.ROWS]


def test_a_seat_looks_from_its_figure_on_turn_or_from_its_first() -> None:
    p = SimpleNamespace(n=4, seat_of=[1, 1, 0, 0, 0])
    assert [observe.self_of(SimpleNamespace(actor=3), p, seat) for seat in (0, 1, 2)] == [3, 0, 0]
    assert observe.self_of(SimpleNamespace(actor=1), p, 1) == 1 and observe.self_of(SimpleNamespace(actor=1), p, 0) == 2
    assert observe.self_of(SimpleNamespace(actor=4), p, 0) == 2, "that is no figure of this fight"


def test_edges_and_the_ground_as_a_figure_sees_them() -> None:
    """Figure 1 looks, so that the rows of 0 and 1 are 1 and 0. Walls and cover are bits of the rows of the ground."""
    game = make_game("oneshot-skirmish", compiled=False)
    position = game.position()
    s, p = position.record, game.params
    s.edges, s.edge[:] = 1, 0
    s.edge[0, 0, 1], s.edge[2, 1, 0], s.edge[1, 1, 1] = 3, 12, 1
    walls, cover = p.obstacle_rows, p.cover_rows
    walls[:], cover[:] = 0, 0
    walls[1], cover[1], cover[2] = 0b101, 0b010, 0b001
    out = np.zeros(game.layout.size, np.float32)
    length = observe.write_fight(s, p, 1, 0, observe.ROWS, out)
    view = game.layout.view(out)
    assert length == sum(int(np.prod(piece.shape)) for piece in observe.fight_pieces(p.grid_width, p.grid_height))
    edges = {tuple(map(int, at)): round(float(view["edges"][tuple(at)]), 4) for at in np.argwhere(view["edges"])}
    assert edges == {(0, 1, 0): 0.3, (2, 0, 1): 1.0, (1, 0, 0): 0.1}, "row 0 is figure 1, who looks"
    assert np.argwhere(view["map"]).tolist() == [[0, 1, 0], [0, 1, 2], [1, 1, 1], [1, 2, 0]]
    s.edges = 0
    again = np.zeros_like(out)
    observe.write_fight(s, p, 1, 0, observe.ROWS, again)
    assert not game.layout.view(again)["edges"].any()
