"""Planted edge, known exactly: the holder's bid counts twice (konfrontation)."""

from typing import Any

from probespiel.envs.konfrontation.module import Module
from probespiel.envs.konfrontation.services import side_of

module = Module("zeal", "What its holder bids counts twice.")


@module.hook
def total(s: Any, p: Any, seat: int, value: int) -> int:
    """The bid once more."""
    return value + s.bid[side_of(s, seat)]
