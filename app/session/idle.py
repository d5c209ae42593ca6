"""Where nothing that anybody chooses matters any more, as the texts of a system say."""

from __future__ import annotations

from ...envs.core.game import Position, TellsIdle


def is_idle(position: Position) -> bool:
    """Whether nothing that is chosen at a position changes what anybody gets or may do later."""
    texts = position.game.spec.texts
    return isinstance(texts, TellsIdle) and texts.idle(position)


__all__ = ["is_idle"]
