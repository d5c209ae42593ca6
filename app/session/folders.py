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


__all__ = ["FOLDER_VARIABLE", "data_folder"]
