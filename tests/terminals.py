"""What tests of the terminal share: a command in a terminal of its own, and a wait for what happens."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

from probespiel.app.session.table import Table
from probespiel.envs.core.game import Game

SCRIPT = Path(sys.executable).with_name("probespiel")


CLEARED = "\x1b[2J\x1b[3J\x1b[H"


def everybody(game: Game, seed: int = 3) -> Table:
    return Table(game, dict.fromkeys(range(game.n_seats), "human"), seed)


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Without what the machine at hand says of its language and its terminal."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("LC_") and k not in ("LANG", "NO_COLOR", "COLUMNS")}
    return {
        **kept,
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "PROMPT_TOOLKIT_NO_CPR": "1",
        "PROBESPIEL_DATA": str(folder / "data"),
        **more,
    }


def wait_for(happened: Callable[[], bool], missing: str, seconds: float = 60) -> None:
    """Look until something has happened."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, missing
        time.sleep(0.02)


class AtTerminal:
    """A command in a terminal of its own (a pseudo terminal of 80 columns)."""

    def __init__(self, folder: Path, *arguments: str, hangup: bool = True, **more: str) -> None:
        """`hangup`: whether the program hears when its window is closed."""
        self.text = ""

        def begin() -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that keys are signals
            if not hangup:
                signal.signal(signal.SIGHUP, signal.SIG_IGN)

        self.master, slave = pty.openpty()
        os.set_blocking(self.master, False)
        self.process = subprocess.Popen(
            [SCRIPT, *arguments], stdin=slave, stdout=slave, stderr=slave, cwd=folder,
            env=environment(folder, **more), start_new_session=True,
            preexec_fn=begin,
        )  # fmt: skip
        os.close(slave)

    def until(self, wanted: str, seconds: float = 60) -> None:
        """Read until a text has appeared."""
        end = time.monotonic() + seconds
        while wanted not in self.text:
            assert time.monotonic() < end, f"{wanted!r} is missing in\n{self.text}"
            if not self._read():
                assert self.process.poll() is None, f"{wanted!r} is missing in\n{self.text}"

    def _read(self) -> bool:
        ready, _, _ = select.select([self.master], [], [], 0.1)
        if not ready:
            return False
        try:
            self.text += os.read(self.master, 1 << 16).decode()
        except OSError:  # the other end is closed
            return False
        return True

    def type(self, line: str) -> None:
        os.write(self.master, f"{line}\r".encode())

    def interrupt(self) -> None:
        """Ctrl-C, as a key."""
        os.write(self.master, b"\x03")

    def end(self, seconds: float = 20) -> int:
        """Wait for the end of the command; its exit code."""
        code = self.process.wait(seconds)
        while self._read():
            pass
        os.close(self.master)
        return code


def started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """A game with a pipe, which has asked its first question."""
    process = subprocess.Popen(
        [SCRIPT, "play", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, cwd=folder, env=environment(folder),
    )  # fmt: skip
    assert process.stdout is not None and process.stdin is not None
    text = ""
    while not text.endswith("> "):
        text += process.stdout.read(1)
        assert process.poll() is None, text
    return process
