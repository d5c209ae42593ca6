"""What may be written where a player wants it."""

from __future__ import annotations

from pathlib import Path

from ...envs.core.replay import FORMAT


def may_replace(path: Path) -> bool:
    """Whether a replay may be written there: nothing is there, or a replay. OSError if that cannot be found out."""
    if not path.exists():
        return True
    with path.open("rb") as file:
        return FORMAT.encode() in file.read(200)


__all__ = ["may_replace"]
