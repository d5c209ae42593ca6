"""Planted flaw: a seat may call before a round, as often as it likes, so that the round never begins (broken)."""

from typing import Any

from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import allow

module = Module("echo", "Before a round a seat may call into the valley.", windows=("before_commit",))
CALL = module.action("call", en="call", de="rufen")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Always."""
    allow(words, CALL)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """The valley answers; nothing changes."""
