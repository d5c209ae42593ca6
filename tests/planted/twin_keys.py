"""Planted edge, known exactly: of two keys either alone costs, both together pay (ews_rps)."""

from typing import Any

from probespiel.envs.ews_rps.module import Module
from probespiel.envs.ews_rps.services import allow

module = Module("twin_keys", "Both keys turned pay three tenths of a test, one alone costs a fifth.", payoff_factor=1.3)
LEFT = module.action("left", en="turn the left key", de="den linken Schlüssel drehen")
RIGHT = module.action("right", en="turn the right key", de="den rechten Schlüssel drehen")
module.state("left", scope="test", doc="1 the left key is turned")
module.state("right", scope="test", doc="1 the right key is turned")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Either key, once."""
    if not s.twin_keys_left[seat]:
        allow(words, LEFT)
    if not s.twin_keys_right[seat]:
        allow(words, RIGHT)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Turned."""
    if action == LEFT:
        s.twin_keys_left[seat] = 1
    else:
        s.twin_keys_right[seat] = 1


@module.hook
def utility(s: Any, p: Any, value: float) -> float:
    """Both, or one alone."""
    n = s.twin_keys_left[s.acting] + s.twin_keys_right[s.acting]
    return value + (0.3 if n == 2 else (-0.2 if n == 1 else 0.0))
