"""replay_draws: a drawn round is played again, so that every test is won or lost in its first round that counts."""

from __future__ import annotations

from typing import Any

from ..module import Module

module = Module(
    "replay_draws",
    "A drawn round does not end a test; it is played again.",
    title={"en": "Draws are played again", "de": "Unentschieden wird wiederholt"},
)
module.param("first_only", False, doc="only a draw in the first round is played again")


@module.hook
def goes_on(s: Any, p: Any, result: int, on: int) -> int:
    """After a draw the streak stands as it is; max_rounds still ends the test."""
    if result == 0 and (s.net == 0 or not p.replay_draws_first_only):
        return 1
    return on
