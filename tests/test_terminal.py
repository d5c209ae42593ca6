"""A game at a terminal: editing, hotseat, hints, levels, and what cannot be read or written."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from numba.core import event

from probespiel.app import cli_play, common
from probespiel.app.cli import run as command
from probespiel.app.preparing import telling
from probespiel.app.session.table import Table
from probespiel.app.terminal.ending import END_OF_INPUT
from probespiel.app.terminal.play import Session
from probespiel.envs import make_game
from tests.terminals import CLEARED, SCRIPT, AtTerminal, environment
from tests.test_play import Script


def test_what_is_wrong_is_told_before_anything_is_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def compile_it(*_: object, **__: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.setattr(cli_play, "preparing", compile_it)
    for arguments, text in (
        (["chess"], "game 'chess' is unknown"),
        (["kuhn", "--opponent", "nobody"], "agent 'nobody' is unknown"),
        (["kuhn", "--seat", "third"], "seat 'third' is unknown"),
        (["kuhn", "--scenario", "nowhere"], "nowhere"),
    ):
        assert command(["play", *arguments]) == 2
        out, err = capsys.readouterr()
        assert text in err and out == "" and "Preparing" not in err


def test_preparing_is_said_only_if_something_is_compiled(tmp_path: Path) -> None:
    for cache, said in (("cache", True), ("cache", False)):
        done = subprocess.run(
            [SCRIPT, "play", "kuhn", "--opponent", "first", "--seat", "second", "--seed", "3"],
            input="q\n", capture_output=True, text=True, cwd=tmp_path,
            env=environment(tmp_path, PROBESPIEL_CACHE=str(tmp_path / cache)),
        )  # fmt: skip
        assert done.returncode == 0 and ("Preparing kuhn" in done.stderr) == said, done.stderr


def test_what_is_compiled_is_told_once_in_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """However many of a command's steps ask for it; nothing is told where nothing is compiled."""
    with telling("kuhn", "en"), telling("kuhn", "de"):
        assert capsys.readouterr().err == ""
        for name in ("apply", "legal"):
            event.start_event("numba:run_pass", data={"qualname": name})
            event.end_event("numba:run_pass")
    assert capsys.readouterr().err == "Preparing kuhn: compiled once on this machine, in a minute or two.\n"
    with telling("kuhn", "de"):
        event.start_event("numba:run_pass", data={"qualname": "apply"})
        event.end_event("numba:run_pass")
    assert capsys.readouterr().err == "kuhn wird einmal übersetzt: das dauert ein, zwei Minuten.\n"
    event.start_event("numba:run_pass", data={"qualname": "apply"})
    event.end_event("numba:run_pass")
    make_game("kuhn")
    assert command(["tournament", "kuhn", "--agents", "nobody,first"]) == 2  # nothing is prepared that was before
    assert capsys.readouterr().err.startswith("error: agent 'nobody' is unknown")


def test_nothing_is_told_of_a_draft(monkeypatch: pytest.MonkeyPatch) -> None:
    """Helpers of interpreted rules are compiled in every process: a game that lay ready was said to be made."""
    named: list[str] = []
    monkeypatch.setattr(common, "telling", lambda game, lang: named.append(game) or contextlib.nullcontext())
    common.game_of("kuhn", compiled=False)
    assert named == []
    common.game_of("kuhn")
    assert named == ["kuhn"]


def test_editing_and_completion(tmp_path: Path) -> None:
    """Arrow keys bring back what was typed, Tab completes what is possible now; colour is there, unless unwanted."""
    at = AtTerminal(tmp_path, "play", "kuhn", "--opponent", "first", "--seat", "second", "--seed", "3", TERM="xterm")
    at.until("second>")
    assert "\x1b[1m" in at.text
    for typed, shown, answer in (
        (b"stat", "stat", "'stat'"),
        (b"st\t", "state", "Now: your move"),
        (b"\x1b[A\x1b[A", "stat", "'stat'"),
    ):
        at.text = ""
        os.write(at.master, typed)
        at.until(shown)
        at.type("")
        at.until(answer)
        at.until("second>")
    at.type("q")
    assert at.end() == 0
    plainly = AtTerminal(
        tmp_path, "play", "kuhn", "--opponent", "first", "--seat", "second", "--seed", "3", TERM="dumb"
    )
    plainly.until("second> ")
    plainly.type("q")
    assert plainly.end() == 0 and "\x1b[" not in plainly.text


def test_hotseat_clears_what_the_other_saw(tmp_path: Path) -> None:
    at = AtTerminal(tmp_path, "play", "kuhn", "--opponent", "human", "--seed", "3", TERM="xterm")
    at.until("first is to decide; nobody else should look")
    assert CLEARED not in at.text and "card:" not in at.text
    at.type("")
    at.until("first>")
    assert CLEARED not in at.text
    at.type("pass")
    at.until("second is to decide; nobody else should look")
    before, _, after = at.text.partition(CLEARED)
    assert "card:" in before and "card:" not in after
    at.type("")
    at.until("second>")
    at.type("q")
    assert at.end() == 0


@pytest.mark.parametrize(("lang", "told"), [("en", "Broken off: there is no hint."),
                                            ("de", "Abgebrochen: es gibt keinen Tipp.")])  # fmt: skip
def test_a_hint_that_is_broken_off_leaves_the_game_as_it_was(
    monkeypatch: pytest.MonkeyPatch, lang: str, told: str
) -> None:
    script = Script("hint", "1")
    table = Table(make_game("kuhn", compiled=False), {0: "first", 1: "human"}, 3)
    session = Session(table, lang=lang, read=script.read, write=script.write)
    first = session.adviser

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(first, "best", interrupted)
    session.run()
    assert told in script.text and table.over and not table.practice and session.adviser is not first


def test_the_end_of_input_is_told(tmp_path: Path) -> None:
    script = Script()
    game = make_game("kuhn", compiled=False)
    ending = Session(Table(game, {0: "human", 1: "first"}, 3), read=script.read, write=script.write).run()
    assert ending.reason == END_OF_INPUT and ending.path is None and "resume" not in script.text


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """The game is played all the same, and it is said that it is not kept."""
    (tmp_path / "data").write_text("a file where the folder should be")
    done = subprocess.run(
        [SCRIPT, "play", "kuhn", "--opponent", "first", "--seat", "second", "--seed", "3"],
        input="1\n", capture_output=True, text=True, cwd=tmp_path, env=environment(tmp_path),
    )  # fmt: skip
    assert done.returncode == 0 and "This game cannot be kept on the disk" in done.stdout
    assert "The game is over: you " in done.stdout and "Traceback" not in done.stderr


def test_levels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PROBESPIEL_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\nq\n"))
    assert command(["play", "kuhn", "--seat", "second", "--level", "1", "--think", "0.5"]) == 0
    out = capsys.readouterr().out
    out = " ".join(out.split())
    assert "level 1 of 8: search that overlooks moves, 8 simulations a decision, at most 0.5 s" in out
    assert "casual:" not in out, "the number of the level asks for it; its text says no more"
    for arguments, text in (
        (["--level", "9"], "has levels 1 to 8"),
        (["--level", "0"], "--level"),
        (["--level", "2", "--opponent", "first"], "leave out --opponent"),
    ):
        assert command(["play", "kuhn", *arguments]) == 2
        assert text in capsys.readouterr().err


def test_thinking_is_said_once_between_two_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """After half a second of waiting in all, whoever of the others it is; not if they answer sooner."""
    game = make_game("einblatt-melee", compiled=False)
    for pause, said in ((0.0, 0), (0.3, 1)):
        script = Script()
        table = Table(game, {**dict.fromkeys(range(game.n_seats), "first"), 0: "human"}, 5)
        session = Session(table, read=script.read, write=script.write)
        decide = table.decide

        def slowly(seat: int, pause: float = pause, decide: Callable[[int], int] = decide) -> int:
            time.sleep(pause)
            return decide(seat)

        table.prepare()
        monkeypatch.setattr(table, "decide", slowly)
        session._asked = time.monotonic()
        for _ in range(4):
            if table.thinking():
                session._let(table.thinking()[0])
        assert script.text.count("is thinking") == said, script.text
