"""What goes wrong in a system's own notes, screens and tables: a person reads a line, a file keeps the traceback.

Nothing is logged to the terminal of a command: `keep_log` sends it to `log_file`. A program that uses this package as a
library logs as it likes: all loggers are below `probespiel`.
"""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

from ..lines import one_line
from .folders import data_folder

_LOGGER = logging.getLogger("probespiel")
_LOGGER.addHandler(logging.NullHandler())  # without any, Python prints tracebacks at the terminal
_MOST = 1_000_000  # bytes of the log and of the one before it


class _Log(RotatingFileHandler):
    """A file that is made when there is something to write."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write, below a folder that may not be there yet."""
        try:
            Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
        except OSError:
            self.handleError(record)
            return
        super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:
        """A log that cannot be written stops nothing: whoever plays has read the line already."""


def log_file() -> Path:
    """Where the details of errors are kept; not made yet, perhaps."""
    return data_folder() / "log" / "errors.log"


def keep_log() -> None:
    """From now on what this program logs is kept in `log_file` alone, and nothing of it shown."""
    for old in [handler for handler in _LOGGER.handlers if isinstance(handler, _Log)]:
        _LOGGER.removeHandler(old)
        old.close()
    log = _Log(log_file(), maxBytes=_MOST, backupCount=1, encoding="utf-8", delay=True)
    log.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
    _LOGGER.addHandler(log)


def reason_of(error: BaseException) -> str:
    """An unexpected error in one line: its kind, and what it says."""
    return one_line(f"{type(error).__name__}: {error}".removesuffix(": "))


__all__ = ["keep_log", "log_file", "reason_of"]
