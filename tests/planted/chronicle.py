"""No flaw: lines are counted in a campaign, and the chronicler may be greeted (einBlatt: neutral)."""

from typing import Any

from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import allow

module = Module("chronicle", "The chronicler is greeted before a round.", windows=("before_commit",))
GREET = module.action("greet", en="greet the chronicler", de="den Chronisten grüßen")
module.counter("lines", 200, scope="campaign", en="lines", de="Zeilen")
module.state("met", doc="1 greeted in this conflict")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Once a conflict."""
    if not s.chronicle_met[seat]:
        allow(words, GREET)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """He nods."""
    s.chronicle_met[seat] = 1


@module.hook
def conflict_end(s: Any, p: Any, seat: int) -> None:
    """A line more."""
    s.chronicle_lines[seat] = min(200, s.chronicle_lines[seat] + 1)
