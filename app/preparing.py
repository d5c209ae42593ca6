"""Getting a game and its agents ready: said only if something is compiled, and left at once by Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from numba.core import event

from .notes import noted

_EVERY = 10.0  # seconds between two lines of progress
_telling: list[str] = []  # the game of which something is told now


class _Progress(event.Listener):
    """Tells once that something is compiled, and from time to time how much."""

    def __init__(self, game: str, lang: str) -> None:
        self.game, self.lang = game, lang
        self.functions: set[str] = set()
        self.began = self.told = 0.0

    def on_start(self, event: Any) -> None:
        """A step in the compilation of a function; what comes from the cache has none."""
        now = time.monotonic()
        if not self.functions:
            self.began = self.told = now
            self._say("build", game=self.game)
        self.functions.add(str(event.data.get("qualname")))
        if now - self.told > _EVERY:
            self.told = now
            self._say("building", seconds=round(now - self.began), n=len(self.functions))

    def on_end(self, event: Any) -> None:
        """Nothing to tell."""

    def _say(self, key: str, **values: object) -> None:
        print(noted(self.lang, key, **values), file=sys.stderr, flush=True)


@contextlib.contextmanager
def telling(game: str, lang: str) -> Iterator[None]:
    """While something may have to be compiled: progress on stderr, if it is; once, however many ask for it."""
    if _telling:
        yield
        return
    _telling.append(game)
    try:
        with event.install_listener("numba:run_pass", _Progress(game, lang)):
            yield
    finally:
        _telling.clear()


@contextlib.contextmanager
def preparing(game: str, lang: str) -> Iterator[None]:
    """While a game is made ready: progress on stderr; Ctrl-C ends the program with exit code 130.

    A compiler in the middle of a callback may swallow the KeyboardInterrupt, and nothing is under way that could be
    lost, so the process ends here and now.
    """

    def leave(*_: object) -> None:
        sys.stdout.flush()
        print("error: interrupted", file=sys.stderr, flush=True)
        os._exit(130)

    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, leave) if main else None
    try:
        with telling(game, lang):
            yield
    finally:
        if main:
            signal.signal(signal.SIGINT, before)


__all__ = ["preparing", "telling"]
