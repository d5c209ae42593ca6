"""Commands of this package, run in a forked copy of this process, while something goes wrong at a chosen step.

A *step* is a change on the disk below the folder of the command: a file that is opened for writing, renamed, removed, a
folder made. Python tells them to an audit hook before they happen, so that "killed at step 17" is the same moment in
every run, and an error raised there is what a full or broken disk answers.
"""

from __future__ import annotations

import atexit
import errno
import importlib
import mmap
import os
import resource
import signal
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

LIMIT = 150.0  # seconds after which a command hangs: ample also where processes start slowly
LONGEST = 1 << 20  # bytes of the end of what a command writes
GRACE = 6.0  # seconds in which what a command has started must end after it
INTERRUPTED, WRONG = 130, 2
Fault = Mapping[str, Any]
"""What goes wrong: {} (nothing), or one of

- {"signal": NAME, "step": n} or {"signal": NAME, "after": seconds}: a signal to the command
- {"refuse": NAME of an errno, "step": n, "lasting": bool}: the disk refuses that step, or all from it on
- {"largest": n}: no file may grow beyond n bytes
"""

_CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.link", "os.symlink")
_FREEING = ("os.remove", "os.rmdir")  # also a full disk allows these
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


@dataclass(frozen=True)
class Ended:
    """How a command has ended: its exit code (negative: the signal), what it wrote, and how many steps it took.

    `late`: it had to be killed after LIMIT; `left`: processes that were still there GRACE seconds after it.
    """

    code: int
    out: str
    err: str
    steps: int
    late: bool
    left: tuple[str, ...]

    def complaints(self, codes: Sequence[int]) -> list[str]:
        """What a person would complain about, whatever was asked; `codes` are the exit codes it may have."""
        found = []
        if self.late:
            found.append(f"hangs: not over after {LIMIT:g} s")
        elif self.code not in codes:
            found.append(f"exit code {self.code}, not one of {sorted(codes)}")
        for sign in ("Traceback (most recent", "Exception ignored", "Fatal Python error", "Segmentation", "leaked "):
            if sign in self.err or sign in self.out:
                found.append(f"the user reads {sign!r}")
        if self.code == WRONG and not self.late and not self.err.rstrip().rpartition("\n")[2].startswith("error: "):
            found.append("wrong input without a line that begins with 'error: '")
        if self.left:
            found.append(f"processes are left: {', '.join(self.left)}")
        return found

    def told(self) -> str:
        """The last lines that it wrote."""
        lines = [*self.out.splitlines()[-3:], *self.err.splitlines()[-12:]]
        return "\n".join(f"    | {line[:300]}" for line in lines)


def preload() -> None:
    """Import what commands import, so that their processes begin with it."""
    for name in (
        "app.cli", "evaluation.tournament.run", "evaluation.tournament.progress", "evaluation.tournament.terminal",
        "evaluation.stress.run", "evaluation.balance.run", "evaluation.exploit.run", "evaluation.exploit.report",
        "agents.cfr", "agents.tree_cfr", "agents.exact", "training.selfplay", "training.checkpoint",
        "training.native", "training.callbacks", "app.session.table",
    ):  # fmt: skip
        importlib.import_module(f"probespiel.{name}")


def run(
    arguments: Sequence[str],
    folder: Path,
    fault: Fault | None = None,
    *,
    stdin: str = "",
    prepare: Callable[[], None] = lambda: None,
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Run a command in a folder, where it finds the user's data, too; `prepare` is called in its process first."""
    given = dict(fault or {})
    if "refuse" in given:
        given["number"] = getattr(errno, given["refuse"])
    counter = mmap.mmap(-1, 16)  # the steps, and whether the command has begun
    pipes = [os.pipe() for _ in range(3)]  # no files: they could not be written where nothing can
    os.write(pipes[0][1], stdin.encode()[:60_000])
    os.close(pipes[0][1])
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        _live(arguments, folder, given, counter, [pipes[0][0], pipes[1][1], pipes[2][1]], prepare, environment or {})
    for handle in (pipes[0][0], pipes[1][1], pipes[2][1]):
        os.close(handle)
    written = {pipes[1][0]: bytearray(), pipes[2][0]: bytearray()}
    for handle in written:
        os.set_blocking(handle, False)
    code, late = _await(child, given, written, counter)
    left = _left(child)
    _read(written)
    for handle in written:
        os.close(handle)
    out, err = (text.decode(errors="replace") for text in written.values())
    (steps,) = struct.unpack("q", counter[:8])
    counter.close()
    return Ended(code, out, err, steps, late, left)


def _read(written: Mapping[int, bytearray]) -> None:
    """Take what lies in the pipes, and keep the end of it."""
    for handle, text in written.items():
        with suppress(BlockingIOError):
            while part := os.read(handle, 1 << 16):
                text += part
                del text[:-LONGEST]


def _await(child: int, fault: Fault, written: Mapping[int, bytearray], counter: mmap.mmap) -> tuple[int, bool]:
    begun, sent = time.monotonic(), "after" not in fault
    while True:
        if not counter[8]:  # a signal is for the command, not for what makes its process
            begun = time.monotonic()
        _read(written)
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status), False
        spent = time.monotonic() - begun
        if not sent and counter[8] and spent >= fault["after"]:
            os.kill(child, signal.Signals[fault["signal"]])
            sent = True
        if spent > LIMIT:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return -signal.SIGKILL, True
        time.sleep(0.01)


def _left(session: int) -> tuple[str, ...]:
    """End what is left of a session after GRACE seconds, and name it."""
    until = time.monotonic() + GRACE
    while (members := _members(session)) and time.monotonic() < until:
        time.sleep(0.05)
    for number in members:
        with suppress(OSError):
            os.kill(number, signal.SIGKILL)
    return tuple(members.values())


def _members(session: int) -> dict[int, str]:
    """Living processes of a session, or whose parent is one of them, and their command lines."""
    stats: dict[int, tuple[int, int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            fields = (path / "stat").read_text().rpartition(")")[2].split()
            if fields[0] != "Z":
                stats[int(path.name)] = (int(fields[1]), int(fields[3]))
    found: dict[int, str] = {}
    for number, (parent, group) in stats.items():
        if session in (group, parent) or parent in found:
            with suppress(OSError):
                line = Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found[number] = line[:120] or "?"
    return found


def _live(
    arguments: Sequence[str],
    folder: Path,
    fault: dict[str, Any],
    counter: mmap.mmap,
    streams: Sequence[int],
    prepare: Callable[[], None],
    environment: Mapping[str, str],
) -> NoReturn:
    """The life of the command's process."""
    code = 70
    try:
        os.setsid()
        for number, handle in enumerate(streams):
            os.dup2(handle, number)
        os.closerange(3, 256)  # nothing of the campaign's own
        for number, mode in ((0, "r"), (1, "w"), (2, "w")):
            stream = open(number, mode, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
            setattr(sys, ("stdin", "stdout", "stderr")[number], stream)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.chdir(folder)
        os.environ.update({"PROBESPIEL_DATA": str(folder / "data"), **environment})
        sys.argv = ["probespiel", *arguments]
        prepare()
        _plant(fault, folder, counter)
        from probespiel.app.start import main

        counter[8] = 1
        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:  # what the interpreter would do
        traceback.print_exc()
        code = 1
    finally:
        _end(code)


def _end(code: int) -> NoReturn:
    """What the interpreter does at its end, as far as it can be seen."""
    try:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
    finally:
        os._exit(code & 0xFF)


def _plant(fault: Mapping[str, Any], folder: Path, counter: mmap.mmap) -> None:
    if "largest" in fault:
        resource.setrlimit(resource.RLIMIT_FSIZE, (fault["largest"], fault["largest"]))
    process, root, steps = os.getpid(), str(folder) + os.sep, 0

    def happens(event: str, details: tuple[Any, ...]) -> None:
        nonlocal steps
        if event != "open" and event not in _CHANGES:
            return
        if event == "open" and not (len(details) > 2 and isinstance(details[2], int) and details[2] & _WRITING):
            return
        if isinstance(details[0], int) or os.getpid() != process:
            return
        if not os.path.abspath(os.fsdecode(details[0])).startswith(root):
            return
        steps += 1
        counter[:8] = struct.pack("q", steps)
        if "step" not in fault or steps < fault["step"]:
            return
        if "signal" in fault and steps == fault["step"]:
            os.kill(process, signal.Signals[fault["signal"]])
        if "refuse" in fault and event not in _FREEING and (steps == fault["step"] or fault["lasting"]):
            raise OSError(fault["number"], os.strerror(fault["number"]), os.fsdecode(details[0]))

    sys.addaudithook(happens)


__all__ = ["GRACE", "INTERRUPTED", "LIMIT", "WRONG", "Ended", "Fault", "preload", "run"]
