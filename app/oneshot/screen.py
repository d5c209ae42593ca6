"""The screens of OneShot: fights, talks, builds and missions, each with a file of its own beside this."""

from __future__ import annotations

from ..web.screens import Drawn, Screen, Sight
from .build import draw as draw_build
from .ground import draw_fight
from .mission import draw as draw_mission
from .talk import draw as draw_talk

DRAWN = {
    "oneshot-skirmish": draw_fight,
    "oneshot-parley": draw_talk,
    "oneshot-build": draw_build,
    "oneshot-mission": draw_mission,
}


def draw(sight: Sight) -> Drawn | None:
    """The values of the template; None where the generic page is the better one."""
    return DRAWN[sight.game.name](sight)


SCREEN = Screen(draw, games=tuple(DRAWN), keyless=("move",))
