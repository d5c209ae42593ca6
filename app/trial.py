"""Files of others, tried in a process of their own first: one that ends it, or never returns, ends nothing else.

`try_rules` imports rule files alone, before this process does, and `try_agents` makes agents. `played_apart` runs a
whole check in such a process and passes on what it finds; `probespiel verify` is made of it.
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

from ..agents.base import AgentError
from ..agents.registry import make_agent, parse_agent
from ..envs.core.errors import ProbespielError, RulesetError
from ..envs.core.leaving import leave_with
from ..envs.core.modules.load import ENTRY_POINTS, declaration_of
from .lines import one_line, show_warnings_in_a_line

IMPORT_SECONDS = 60.0  # for a process to start and to import the rule files
Note = dict[str, Any]
_DECLARES = "a rule file only declares"
_MAKES = "an agent is made at once, and thinks when it is asked"


class Broken(RulesetError):
    """Rules that end the process in which they are imported or played, or never return from being imported."""


class BrokenAgent(AgentError):
    """An agent that ends the process in which it is made, or never returns."""


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


def try_agents(names: Iterable[str]) -> None:
    """Make the outside ones of some agents in a process of their own, one after the other.

    Raises BrokenAgent if that breaks. What they raise is not told here: whoever makes them here meets it again.
    """
    for text in filter(_outside, dict.fromkeys(names)):
        try:
            for _ in _apart(["nothing", [], [text], {}], f"agent {text!r}", "made", "makes it", _MAKES):
                pass
        except Broken as error:
            raise BrokenAgent(str(error)) from None


def _outside(agent: str) -> bool:
    try:
        return parse_agent(agent).outside
    except AgentError:  # told by whoever makes it
        return False


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
    yield from _apart([check, given, [], dict(arguments)], named, "imported", "plays them", _DECLARES)


def _apart(asked: list[Any], named: str, done: str, does: str, only: str) -> Iterator[Note]:
    """What `inside` notes of a check, of rules and agents as in `_inside`; the rest are words for what went wrong."""
    reading, writing = os.pipe()
    process = subprocess.Popen(
        _command(writing),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        pass_fds=(writing,),
    )
    os.close(writing)
    try:
        assert process.stdin is not None
        process.stdin.write(json.dumps(asked).encode())
        process.stdin.close()
        with open(reading, "rb") as pipe:
            if not _imported(reading, time.monotonic() + IMPORT_SECONDS):
                raise Broken(f"{named}: broken: not {done} after {IMPORT_SECONDS:g} s; {only}")
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
        raise Broken(f"{named}: broken: {_ending(process, does)} before all was checked")
    finally:
        process.kill()
        process.wait()


def _command(writing: int) -> list[str]:
    """What begins the other process: an interrupt of the keyboard, which it gets as well, ends it without a word from
    the first moment on, while libraries are still loaded, unless it is ignored here."""
    quiet = "signal.getsignal(2) is signal.default_int_handler and signal.signal(2, signal.SIG_DFL)"
    text = f"import signal; {quiet}; from {__name__} import inside; inside({writing}, {os.getpid()})"
    return [sys.executable, "-P", "-c", text]


def _imported(reading: int, until: float) -> bool:
    """Wait for the first line, or for the end of the process."""
    return bool(select.select([reading], [], [], max(0.0, until - time.monotonic()))[0])


def _ending(process: subprocess.Popen[bytes], does: str) -> str:
    code = process.wait()
    if code >= 0:
        return f"the process that {does} ended with exit code {code}"
    return f"the process that {does} was ended by {signal.Signals(-code).name}"


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
    check, rules, agents, arguments = json.load(sys.stdin.buffer)

    def note(content: Note) -> None:
        os.write(writing, json.dumps(content).encode() + b"\n")

    for name in outside_rules(rules):
        try:
            declaration_of(name)
        except ProbespielError:
            pass  # whoever needs the module tells what is wrong with it
    for text in agents:
        try:
            make_agent(text, apart=True).close()
        except ProbespielError:
            pass  # whoever needs the agent tells what is wrong with it
    note({"begun": True})
    threads = () if agents else threading.enumerate()  # an agent may think in several
    if left := [t.name for t in threads if t is not threading.main_thread() and not t.daemon]:
        named = ", ".join(map(repr, outside_rules(rules)))
        note({"error": one_line(f"{named}: broken: it leaves a thread ({left[0]}) running; {_DECLARES}")})
        return
    module, _, name = check.rpartition(":")
    function = getattr(import_module(module), name) if module else nothing
    try:
        function(note, **arguments)
    except ProbespielError as error:
        note({"error": one_line(error)})
    note({"done": True})


__all__ = ["Broken", "BrokenAgent", "outside_rules", "played_apart", "try_agents", "try_rules"]
