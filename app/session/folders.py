"""Where the user's own files are kept."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

FOLDER_VARIABLE = "PROBESPIEL_DATA"


def data_folder() -> Path:
    """The folder of the user's own files: $PROBESPIEL_DATA, or `probespiel` where this system keeps such data."""
    given = os.environ.get(FOLDER_VARIABLE)
    return Path(given) if given else Path(platformdirs.user_data_dir("probespiel", appauthor=False))


def told_path(path: Path) -> str:
    """A path as it can be typed in a shell, `~` standing for the user's own folder: short enough for one line."""
    home = os.path.expanduser("~")
    inside = os.name == "posix" and home not in ("~", "/") and path.is_relative_to(home)
    return f"~/{path.relative_to(home)}" if inside and path != Path(home) else str(path)


__all__ = ["FOLDER_VARIABLE", "data_folder", "told_path"]
