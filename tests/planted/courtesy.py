"""No flaw: once per conflict a seat may bow, which changes nothing (neutral)."""

from typing import Any

from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import allow

module = Module("courtesy", "Once per conflict a seat may bow before a round.", windows=("before_commit",))
BOW = module.action("bow", en="bow", de="sich verbeugen")
module.state("used", doc="bows in this conflict")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Once per conflict."""
    if not s.courtesy_used[seat]:
        allow(words, BOW)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Good manners."""
    s.courtesy_used[seat] = 1
