"""Signals, Ctrl-C and closed windows: what they break off, and that they lose nothing."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from probespiel.app import cli_lists
from probespiel.app.cli import run as command
from probespiel.app.session.journal import journals, read_journal
from probespiel.app.terminal import ending
from probespiel.envs.core.replay import load
from tests.terminals import SCRIPT, AtTerminal, environment, started, wait_for


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_signals_lose_nothing(tmp_path: Path, name: str) -> None:
    process = started(tmp_path, "ews_rps", "--opponent", "random", "--seed", "3")
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("1\n")
    process.stdin.flush()
    text = ""
    while not text.endswith("> "):
        text += process.stdout.read(1)
    process.send_signal(getattr(signal, name))
    out, err = process.communicate(timeout=20)
    code = 130 if name == "SIGINT" else 128 + getattr(signal, name)
    assert process.returncode == code and "Traceback" not in err
    assert "Every decision is kept in" in " ".join(out.split())
    kept = journals(tmp_path / "data" / "games")
    assert len(kept) == 1 and kept[0].decisions >= 2
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
    again = subprocess.run(
        [SCRIPT, "resume"], input="q\n", capture_output=True, text=True, cwd=tmp_path, env=environment(tmp_path)
    )
    assert again.returncode == 0 and f"Taken up again after {kept[0].decisions}" in again.stdout


def test_ctrl_c_in_a_long_search(tmp_path: Path) -> None:
    """At once, and the game is kept; that somebody thinks is said after half a second."""
    process = subprocess.Popen(
        [SCRIPT, "play", "kuhn", "--seat", "second", "--opponent", "search:sims=1000000000,nodes=1000"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        env=environment(tmp_path),
    )  # fmt: skip
    assert process.stdout is not None
    text = ""
    while "is thinking ..." not in " ".join(text.split()):
        text += process.stdout.read(1)
        assert process.poll() is None, text
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - begin < 3 and process.returncode == 130 and "Traceback" not in err
    assert "Interrupted" in out and len(journals(tmp_path / "data" / "games")) == 1


@pytest.mark.parametrize("seconds", [0.15, 0.6, None])
def test_ctrl_c_before_the_game(tmp_path: Path, seconds: float | None) -> None:
    """While libraries are loaded and, without a number, while rules are compiled: one line, no traceback."""
    process = subprocess.Popen(
        [SCRIPT, "play", "oneshot-skirmish", "--opponent", "random"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        env=environment(tmp_path, PROBESPIEL_CACHE=str(tmp_path / "cache")),
    )  # fmt: skip
    if seconds is None:
        wait_for(lambda: any((tmp_path / "cache").glob("rules-*/*.turn")), "the rules are not compiled")
    else:
        time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    there = seconds is None or seconds >= 0.5  # Python itself is not yet there before, perhaps
    assert process.returncode == 130 or not there, (out, err)
    assert "Traceback" not in err or not there


def test_ctrl_c_where_python_would_drop_it(tmp_path: Path) -> None:
    """An exception that is raised in a callback, as may happen while libraries are loaded, is dropped by Python."""
    code = """
import os, signal, sys, weakref
class Thing: pass
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "probespiel.app.cli":
            thing = Thing()
            known = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGINT))
            del thing
sys.meta_path.insert(0, Finder())
from probespiel.app.start import main
sys.argv = ["probespiel", "--version"]
main()
"""
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=environment(tmp_path)
    )
    assert (found.returncode, found.stdout, found.stderr) == (130, "", "error: interrupted\n")


DROPPED = """
import os, signal, sys, weakref
class Thing: pass
def dropped(name):
    thing = Thing()
    known = weakref.ref(thing, lambda _: os.kill(os.getpid(), getattr(signal, name)))
    del thing
"""


def test_ctrl_c_that_python_drops_while_a_command_is_loaded(tmp_path: Path) -> None:
    """The exception is raised again; before, the game began as if nobody had pressed anything."""
    code = f"""{DROPPED}
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "probespiel.app.cli_play":
            dropped("SIGINT")
sys.meta_path.insert(0, Finder())
from probespiel.app.start import main
sys.argv = ["probespiel", "play", "kuhn", "--opponent", "first"]
main()
"""
    found = subprocess.run(
        [sys.executable, "-c", code], input="q\n", capture_output=True, text=True, timeout=60,
        env=environment(tmp_path),
    )  # fmt: skip
    assert (found.returncode, found.stdout) == (130, "")
    told = [line for line in found.stderr.splitlines() if not line.startswith("Preparing kuhn")]
    assert told == ["error: interrupted"]


@pytest.mark.parametrize(("lost", "status"), [(True, 130), (False, 1)])
def test_an_error_that_follows_from_a_dropped_ctrl_c_is_none(tmp_path: Path, lost: bool, status: int) -> None:
    """A compiler whose callback was interrupted misses what that was to bring; any other error is told as it is."""
    code = f"""{DROPPED}
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "probespiel.app.cli_play":
            {'dropped("SIGINT")' if lost else "pass"}
            raise RuntimeError("no compiled object yet")
sys.meta_path.insert(0, Finder())
from probespiel.app.start import main
sys.argv = ["probespiel", "play", "kuhn", "--opponent", "first"]
main()
"""
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=environment(tmp_path)
    )
    assert found.returncode == status and ("no compiled object yet" in found.stderr) != lost
    assert not lost or found.stderr == "error: interrupted\n"


@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_that_python_drops_in_a_game_ends_it(tmp_path: Path, name: str, status: int) -> None:
    code = f"""{DROPPED}
from probespiel.app.start import main
from probespiel.app.terminal.play import Session
Session._answer = lambda self, seat: (dropped("{name}"), self._line("> "))
sys.argv = ["probespiel", "play", "kuhn", "--opponent", "first", "--seat", "first"]
main()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment(tmp_path)
    ) as process:  # fmt: skip
        assert process.wait(60) == status  # where nothing is compiled yet, that takes its time
        assert process.stdout is not None and process.stderr is not None
        said, complaints = " ".join(process.stdout.read().split()), process.stderr.read()
    assert "Every decision is kept in" in said
    assert "Traceback" not in complaints and "ignored" not in complaints, complaints


def test_ctrl_c_in_a_command_that_does_not_see_to_it_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli_lists, "games", interrupted)
    assert command(["games"]) == 130
    assert capsys.readouterr() == ("", "error: interrupted\n")


def test_a_window_that_is_told_twice_to_be_closed_breaks_nothing_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept at the end was lost if the second signal came before the first was dealt with."""
    for _ in range(2):  # the next game hears it again
        with ending.ended_by_signals():
            with pytest.raises(ending.Terminated, match="129"):
                signal.raise_signal(signal.SIGHUP)
            signal.raise_signal(signal.SIGHUP)
            with pytest.raises(ending.Terminated, match="143"):
                signal.raise_signal(signal.SIGTERM)
    monkeypatch.setattr(ending, "write_no_more", lambda: None)
    with ending.ended_by_signals():
        with pytest.raises(ending.Terminated, match="129"), ending.at_the_terminal():
            raise OSError(errno.EIO, "the terminal is gone")
        signal.raise_signal(signal.SIGHUP)  # on its way then


@pytest.mark.parametrize("term", ["xterm", "dumb"])
@pytest.mark.parametrize("first", ["signal", "terminal"])
def test_a_closed_window_loses_nothing(tmp_path: Path, first: str, term: str) -> None:
    """Whether the signal is heard first or the terminal is found gone; not even the replay that was asked for."""
    play = ("play", "ews_rps", "--opponent", "random", "--seed", "3", "--replay", str(tmp_path / "asked.json"))
    at = AtTerminal(tmp_path, *play, TERM=term, hangup=first == "signal")
    at.until("player>")
    at.type("1")
    folder = tmp_path / "data" / "games"
    wait_for(lambda: any(journal.decisions >= 2 for journal in journals(folder)), "the decision is not kept")
    if first == "signal":
        at.process.send_signal(signal.SIGHUP)
    os.close(at.master)
    assert at.process.wait(20) == 128 + signal.SIGHUP
    kept = journals(folder)
    assert len(kept) == 1 and read_journal(kept[0].path).decisions >= 2
    assert len(load(tmp_path / "asked.json").steps) >= 2


def test_a_game_that_was_told_to_ignore_its_window_goes_on(tmp_path: Path) -> None:
    """`nohup probespiel play`: the signal alone ends nothing."""
    play = ("play", "kuhn", "--opponent", "first", "--seat", "second", "--seed", "3")
    at = AtTerminal(tmp_path, *play, TERM="dumb", hangup=False)
    at.until("second>")
    at.process.send_signal(signal.SIGHUP)
    at.type("pass")
    assert at.end() == 0 and "The game is over" in at.text


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_the_key_ctrl_c_loses_nothing(tmp_path: Path, term: str) -> None:
    """In the middle of a line, and while a hint is made, which it breaks off; the game goes on where it was."""
    play = ("play", "kuhn", "--opponent", "first", "--seat", "second", "--seed", "3", "--think", "60")
    at = AtTerminal(tmp_path, *play, TERM=term)
    at.until("second>")
    at.type("hint")
    at.until("hint\r\n" if term == "dumb" else "\x1b[?2004l")
    time.sleep(1.0)  # it may be that far, or not yet
    at.interrupt()
    at.until("Broken off: there is no hint.")
    _, _, after = at.text.partition("Broken off")
    at.text = after
    at.until("second>")
    os.write(at.master, b"pa")
    at.until("pa")
    at.interrupt()
    assert at.end() == 130 and "Interrupted; the game stops here." in at.text and "Traceback" not in at.text
    again = AtTerminal(tmp_path, "resume", TERM=term)
    again.until("Taken up again after 1 decision.")
    again.until("second>")
    again.type("pass")
    assert again.end() == 0 and "The game is over" in again.text and "Traceback" not in again.text
