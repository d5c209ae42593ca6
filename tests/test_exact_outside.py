"""Processes of bots by hand: how long they may take, what is said when they end, what is limited."""

from __future__ import annotations

import os
import resource
import subprocess
from types import SimpleNamespace
from typing import Any

import pytest

from probespiel.agents import keeper, outside
from probespiel.agents.base import AgentError
from probespiel.agents.faults import EXCEPTION, TIME, Fault
from probespiel.agents.outside import BotProcess, BotTerms
from probespiel.agents.pipe import Unfit


class Wire:
    """The pipe to a bot that answers with what it is given, or raises it."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.number, self.sent, self.closed = answer, 0, list[Any](), False

    def check_silent(self) -> None:
        pass

    def send(self, data: bytes, until: float | None) -> None:
        self.sent.append(until)

    def receive(self, longest: int, until: float | None) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def close(self) -> None:
        self.closed = True


def bot(answer: Any = None, code: int = 0, limit: float | None = 0.5) -> Any:
    """A bot's process that has been started, without one."""
    made: Any = object.__new__(BotProcess)
    made.text, made.limit, made.terms, made.stops, made._seed = "liar", limit, BotTerms(), 0, 7
    made._pipe, made._waited, made._needed, made._fresh, made._batched = Wire(answer), 1.0, 3.0, True, True
    made._together = False
    made._process = SimpleNamespace(wait=lambda seconds: code)
    made._sign, made.per_table = os.open(os.devnull, os.O_RDONLY), True
    return made


@pytest.mark.parametrize(
    ("raised", "code", "kind", "said"),
    [
        (TimeoutError(), 0, TIME, "no answer within 0.25 s"),
        (Unfit("a text"), 0, EXCEPTION, "broke the protocol: a text"),
        (EOFError(), 3, EXCEPTION, "its process ended with exit code 3"),
        (OSError(), 0, EXCEPTION, "its process ended with exit code 0"),
        (EOFError(), -9, EXCEPTION, "its process was ended by SIGKILL"),
        (EOFError(), -200, EXCEPTION, "its process was ended by signal 200"),
    ],
)
def test_what_is_said_of_a_bot_that_does_not_answer(raised: Exception, code: int, kind: int, said: str) -> None:
    process = bot(raised, code)
    wire = process._pipe
    assert process._exchange("one", (), 0.25, 100) == Fault(kind, said)
    assert (process.stops, process._waited, wire.closed, process._process) == (1, 1.0, True, None)
    with pytest.raises(OSError):
        os.fstat(process._sign)  # so that the keeper ends it


def test_answers_are_numbered_and_their_time_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "checked", lambda kind, answer, *sizes: {"kind": kind, "sizes": sizes, "was": answer})
    clock = iter((10.0, 12.5, 20.0, 21.0))
    monkeypatch.setattr(outside.time, "monotonic", lambda: next(clock))
    process = bot("yes")
    assert process._exchange("batch", (), 4.0, 100, 6, 5) == {"kind": "batch", "sizes": (6, 5), "was": "yes"}
    assert process._exchange("one", (), None, 100) == {"kind": "one", "sizes": (0, 0), "was": "yes"}
    assert process._pipe.sent == [14.0, None] and process._pipe.number == 2
    assert (process._waited, process.stops) == (1.0 + 2.5 + 1.0, 0)


@pytest.mark.parametrize(
    ("limit", "waited", "closed", "seconds"),
    [(0.5, 500.0, False, 6.5), (0.5, 500.1, True, 6.5), (0.25, 250.1, True, 6.25), (None, 9e9, False, None)],
)
def test_a_new_game_has_as_much_time_as_its_instances_took_at_the_start(
    limit: float | None, waited: float, closed: bool, seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two seats, a start of 3 seconds each; half of 2000 whole moves waited for, and another process takes over."""
    ended: list[bool] = []
    monkeypatch.setattr(BotProcess, "close", lambda self: ended.append(True))
    asked: list[Any] = []
    monkeypatch.setattr(BotProcess, "_ask", lambda self, *what: asked.append(what) or {})
    process = bot(limit=limit)
    process._waited = waited
    assert process.begin({0: 11, 1: 12}) is None
    assert asked == [("game", {0: 11, 1: 12}, seconds)] and bool(ended) == closed
    os.close(process._sign)


def test_a_bot_that_remembers_nothing_gets_its_seed_before_the_first_question(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(BotProcess, "_exchange", lambda self, *what: asked.append(what[:3]) or {"action": 5})
    process = bot()
    process.per_table = False
    for _ in range(2):
        process._ask("one", "question", 0.75)
    assert asked == [("reset", 7, 0.5), ("one", "question", 0.75), ("one", "question", 0.75)]
    asked.clear()
    process._fresh = process.per_table = True
    process._ask("one", "question", 0.75)
    assert asked == [("one", "question", 0.75)] and not process._fresh
    for fault in (Fault(TIME, "late"), {"fault": 2, "message": "no"}):
        monkeypatch.setattr(BotProcess, "_exchange", lambda self, *what, fault=fault: asked.append(what[:1]) or fault)
        asked.clear()
        process._fresh, process.per_table = True, False
        assert process._ask("one", "question", 0.75) == fault and asked == [("reset",)] and process._fresh
    os.close(process._sign)


@pytest.mark.parametrize(
    ("limit", "cores", "seconds", "first"), [(0.5, 4, 4240, 60.0), (None, 4, None, 60.0), (100.0, None, 200060, 100.0)]
)
def test_how_much_a_process_may_compute(
    limit: float | None, cores: int | None, seconds: int | None, first: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A minute for the start and 2000 whole moves, on every processor; an answer to the start within the minute."""
    started: list[Any] = []
    asked: list[Any] = []

    class Nursery:
        def start(self, *what: Any, files: Any, stdin: int) -> Any:
            started.append(what)
            return SimpleNamespace(wait=lambda seconds: 0)

    monkeypatch.setattr(outside, "nursery", lambda name: Nursery())
    monkeypatch.setattr(outside.os, "cpu_count", lambda: cores)
    monkeypatch.setattr(
        BotProcess,
        "_exchange",
        lambda self, *what: asked.append(what[2]) or dict(per_table=True, batched=False, apart=True, tells=False),
    )
    process = bot(limit=limit)
    os.close(process._sign)
    process._process, process._first = None, ("liar", {})
    assert process._ready() is None and process._ready() is None
    assert started == [("probespiel.agents.keeper:keep", outside.HOST, 2048, seconds)] and asked == [first]
    assert (process._waited, process._fresh, process._batched, process.per_table) == (0.0, True, False, True)
    process.close()


def test_a_bot_that_cannot_be_made_is_stopped_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BotProcess, "_ready", lambda self: Fault(EXCEPTION, "no such class"))
    process = bot()
    process.stops = 4
    with pytest.raises(AgentError, match="no such class"):
        process.check()
    assert process.stops == 0
    os.close(process._sign)


@pytest.mark.parametrize("memory", [511, 512])
def test_the_least_memory_of_a_bot(memory: int) -> None:
    if memory < 512:
        with pytest.raises(AgentError, match="bot_memory = 511 is not allowed: at least 512"):
            BotTerms(memory)
    else:
        assert BotTerms(memory).memory == 512


def test_a_process_that_does_not_end_is_killed_with_its_keeper() -> None:
    done: list[str] = []

    def wait(seconds: float | None = None) -> int:
        done.append(f"wait {seconds}")
        if seconds is not None:
            raise subprocess.TimeoutExpired("bot", seconds)
        return -9

    process = bot()
    process._process = SimpleNamespace(wait=wait, kill=lambda: done.append("kill"))
    process.close()
    assert done == ["wait 5.0", "kill", "wait None"] and process._process is None and process._pipe is None


@pytest.mark.parametrize("seconds", [None, 77])
def test_what_is_limited(seconds: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """MiB are 2**20 bytes; an address space is four times the memory; a limit that holds already stays."""
    found: dict[int, Any] = {}
    hard = {resource.RLIMIT_NOFILE: 100}
    monkeypatch.setattr(keeper.resource, "getrlimit", lambda which: (5, hard.get(which, resource.RLIM_INFINITY)))
    monkeypatch.setattr(keeper.resource, "setrlimit", lambda which, both: found.update({which: both}))
    monkeypatch.setattr(keeper, "_tasks", lambda: 30)
    monkeypatch.setattr(keeper, "LINUX", True)
    keeper.limit(600, seconds)
    wanted = {
        resource.RLIMIT_CORE: 0, resource.RLIMIT_NOFILE: 100, resource.RLIMIT_FSIZE: 64 * 2**20,
        resource.RLIMIT_DATA: 600 * 2**20, resource.RLIMIT_AS: 2400 * 2**20, resource.RLIMIT_NPROC: 286,
    }  # fmt: skip
    if seconds is not None:
        wanted[resource.RLIMIT_CPU] = 77
    assert found == {which: (value, value) for which, value in wanted.items()}


def test_children_are_those_of_this_process() -> None:
    if not keeper.LINUX:
        pytest.skip("only Linux tells children in /proc")
    child = os.fork()
    if child == 0:
        os.read(os.pipe()[0], 1)
        os._exit(0)
    try:
        assert child in keeper._children() and os.getpid() not in keeper._children()
        assert keeper._tasks() >= 2
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
    assert child not in keeper._children()
