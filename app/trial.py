"""Rule files of others, tried in a process of their own first: one that ends it, or never returns, ends nothing else.

`try_rules` imports the files alone, before this process does. `played_apart` runs a whole check in such a process and
passes on what it finds; `probespiel verify` is made of it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from ..envs.core.errors import ProbespielError, RulesetError
from ..envs.core.leaving import leave_with
from ..envs.core.modules.load import ENTRY_POINTS, declaration_of
from .lines import one_line, show_warnings_in_a_line

IMPORT_SECONDS = 60.0  # for a process to start and to import the rule files
Note = dict[str, Any]


class Broken(RulesetError):
    """Rules that end the process in which they are imported or played, or never return from being imported."""


def outside_rules(names: Iterable[str]) -> list[str]:
    """Those of some names of rule modules that do not belong to this package: files and entry points."""
    points = {point.name for point in entry_points(group=ENTRY_POINTS)}
    return [name for name in names if name.endswith(".py") or name in points]


def try_rules(names: Iterable[str]) -> None:
    """Import the outside ones of some rule modules in a process of their own; raises Broken if that breaks.

    What they raise is not told here: whoever imports them here afterwards meets it again.
    """
    files = outside_rules(names)
    if files:
        for _ in played_apart("nothing", files, {}):
            pass


def nothing(note: Callable[[Note], None]) -> None:
    """A check that checks nothing."""


def played_apart(check: str, rules: Iterable[str], arguments: Mapping[str, Any]) -> Iterator[Note]:
    """Run a check, `nothing` or a function `MODULE:NAME` of this package's rooms, in a process of its own.

    The process imports the outside ones of `rules`, for which it has IMPORT_SECONDS, then calls the function with a
    `note` and the `arguments` (plain values) and yields here what it notes (dicts of plain values). Raises Broken if
    the process ends before the function has returned, or does not come so far, and ProbespielError if that raises one.
    """
    given = list(rules)
    named = ", ".join(map(repr, outside_rules(given))) or "the rules"
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", f"from {__name__} import inside; inside({writing}, {os.getpid()})"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        pass_fds=(writing,),
    )
    os.close(writing)
    try:
        assert process.stdin is not None
        process.stdin.write(json.dumps([check, given, dict(arguments)]).encode())
        process.stdin.close()
        with open(reading, "rb") as pipe:
            if not _imported(reading, time.monotonic() + IMPORT_SECONDS):
                raise Broken(f"{named}: broken: not imported after {IMPORT_SECONDS:g} s; a rule file only declares")
            for line in pipe:
                try:
                    found = json.loads(line)
                except ValueError:  # it ended while it wrote
                    break
                if "done" in found:
                    return
                if "error" in found:
                    raise ProbespielError(found["error"])
                if "begun" not in found:
                    yield found
        raise Broken(f"{named}: broken: {_ending(process)} before all was checked")
    finally:
        process.kill()
        process.wait()


def _imported(reading: int, until: float) -> bool:
    """Wait for the first line, or for the end of the process."""
    return bool(select.select([reading], [], [], max(0.0, until - time.monotonic()))[0])


def _ending(process: subprocess.Popen[bytes]) -> str:
    code = process.wait()
    if code >= 0:
        return f"the process that plays them ended with exit code {code}"
    return f"the process that plays them was ended by {signal.Signals(-code).name}"


def inside(writing: int, parent: int) -> None:
    """The other process's whole life; notes go to the file descriptor as lines of JSON.

    An interrupt, of the keyboard or raised by a file, ends it without a word and at once, whatever threads there are.
    """
    try:
        _inside(writing, parent)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)


def _inside(writing: int, parent: int) -> None:
    leave_with(parent, at_once=True)
    show_warnings_in_a_line()
    check, rules, arguments = json.load(sys.stdin.buffer)

    def note(content: Note) -> None:
        os.write(writing, json.dumps(content).encode() + b"\n")

    for name in outside_rules(rules):
        try:
            declaration_of(name)
        except ProbespielError:
            pass  # whoever needs the module tells what is wrong with it
    note({"begun": True})
    if left := [t.name for t in threading.enumerate() if t is not threading.main_thread() and not t.daemon]:
        named = ", ".join(map(repr, outside_rules(rules)))
        note({"error": one_line(f"{named}: broken: it leaves a thread ({left[0]}) running; a rule file only declares")})
        return
    module, _, name = check.rpartition(":")
    function = getattr(import_module(module), name) if module else nothing
    try:
        function(note, **arguments)
    except ProbespielError as error:
        note({"error": one_line(error)})
    note({"done": True})


__all__ = ["Broken", "outside_rules", "played_apart", "try_rules"]
