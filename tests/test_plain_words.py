"""Lines of the five systems that people did not understand: what they say now, in both languages."""

from __future__ import annotations

import pytest

from probespiel.app.oneshot.mission import _diary
from probespiel.app.session.seen import seen_of
from probespiel.app.session.sight import Sight
from probespiel.envs.core.events import EventLayout
from probespiel.envs.core.game import Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.konfrontation import state as konfrontation
from probespiel.envs.konfrontation.state import T_RESOURCE
from probespiel.envs.oneshot import state as oneshot


def packed(layout: EventLayout, *numbers: int) -> int:
    """An event of these numbers."""
    return sum((number - low) << at for number, low, at in zip(numbers, layout.low, layout.at, strict=True))


@pytest.fixture(scope="module")
def mission() -> Position:
    return make_game("oneshot-mission", compiled=False).position(seed=1)


@pytest.mark.parametrize(
    ("lang", "wanted"),
    [("en", "  civilians (optional) 6, hostages 2"), ("de", "  Zivilisten (optional) 6, Geiseln 2")],
)
def test_civilians_and_hostages_are_told_apart(mission: Position, lang: str, wanted: str) -> None:
    """`6/2` could be two of six."""
    position = mission.clone()
    s = position.record
    s.n_cond, s.cond_kind[0], s.cond_level[0], s.cond_failed[0] = 1, oneshot.Condition.CIVILIANS, 0, 0
    s.cond_value[0] = 6, 2
    assert wanted in position.told(0, lang).splitlines()


@pytest.mark.parametrize(
    ("lang", "wanted"),
    [("en", "the party comes to: corridor"), ("de", "die Gruppe kommt in: Gang")],
)
def test_a_room_is_come_to(mission: Position, lang: str, wanted: str) -> None:
    """`-> corridor` did not say who goes; the diary of the page leaves the words out again."""
    room = packed(oneshot.EVENT, oneshot.Event.ROOM, 0, oneshot.Room.CORRIDOR, 0)
    line = mission.game.say(room, 0, lang)
    assert line == wanted
    seen = seen_of(mission, 0, lang, [line, "hier ist eine Falle" if lang == "de" else "there is a trap"])
    assert _diary(Sight.of(mission.game, seen)) == ["Gang: eine Falle" if lang == "de" else "corridor: a trap"]


@pytest.mark.parametrize(("lang", "at", "to"), [("en", "on field 0,5", "moves to field 0,5"),
                                                ("de", "auf Feld 0,5", "geht auf Feld 0,5")])  # fmt: skip
def test_a_place_is_a_field(lang: str, at: str, to: str) -> None:
    """`bei 0,5` reads as a half."""
    position = make_game("oneshot-skirmish", compiled=False).position(seed=1)
    position.record.x[0], position.record.y[0] = 0, 5
    assert at in position.told(0, lang)
    assert position.game.say(packed(oneshot.EVENT, oneshot.Event.MOVE, 0, 0, 5), 0, lang).endswith(to)


@pytest.mark.parametrize(
    ("lang", "wanted"),
    [("en", "{0}: resource 1 goes to {1} as resource 2"), ("de", "{0}: Ressource 1 geht an {1} als Ressource 2")],
)
def test_what_is_handed_over_has_a_new_place(lang: str, wanted: str) -> None:
    """`resource 1 goes to attacker, resource 2` named two resources, as if both went."""
    game = make_game("konfrontation-campaign", compiled=False)
    handed = packed(konfrontation.EVENT, konfrontation.Event.HANDED, 0, T_RESOURCE, T_RESOURCE + 1, 1)
    assert game.say(handed, None, lang) == wanted.format(*(seat.called(lang) for seat in game.seats))
