"""What a page of a room is given besides the position, for tests that render pages without a server."""

from __future__ import annotations

from typing import Any

from probespiel.app.web.room import Room
from probespiel.envs.core.rulebook import Scene


def page_values(room: Room) -> dict[str, Any]:
    """The values that the templates of a game under way read, for the person at its first seat."""
    return {
        "token": "", "partial": True, "path": "/", "room": room, "note": "", "mine": [0], "base": "", "thinking": "",
        "waiting": "", "due": set(), "scene": lambda *_: Scene("x"),
        "game_title": lambda name: name, "sides": ["" for _ in room.seats],
    }  # fmt: skip
