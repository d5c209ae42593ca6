"""The terminal as a person has it: signals, the screen, what is typed and how it is completed."""

from __future__ import annotations

import errno
import fcntl
import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from probespiel.app import cli_lists, cli_play
from probespiel.app.cli import run as command
from probespiel.app.session.advice import Advice, Adviser, Counsel
from probespiel.app.session.folders import told_path
from probespiel.app.session.groups import Group, grouped
from probespiel.app.session.journal import journals, read_journal
from probespiel.app.session.picks import choose_set, picks_of
from probespiel.app.session.sight import Choice
from probespiel.app.session.table import Table
from probespiel.app.terminal import ending
from probespiel.app.terminal.ending import END_OF_INPUT
from probespiel.app.terminal.plain import HANDLER, as_written, plain
from probespiel.app.terminal.play import Session
from probespiel.app.terminal.screen import Screen, flowing, fold, in_columns
from probespiel.app.web.advised import advised
from probespiel.app.web.room import Hint
from probespiel.envs import make_game
from probespiel.envs.core.errors import IllegalAction
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import game_names, system_of, systems
from probespiel.envs.core.replay import load
from probespiel.envs.core.rng import rand_below, rng_array
from probespiel.envs.core.rulebook import rules_of
from tests.test_play import Script

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


# --- labels and what may be typed ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_names())
def test_labels_and_codes_agree(name: str) -> None:
    """A number in the words of an action is that of its code, in every position met; and both can be typed."""
    system = system_of(name)
    for scenario in system.scenarios(name)[:2]:
        game = make_game(name, scenario, compiled=False)
        table, rng = everybody(game), rng_array(4)
        for _ in range(20):
            waiting = table.waiting()
            if not waiting:
                break
            for option in (o for lang in ("en", "de") for o in table.seen(waiting[0], lang).choices):
                words = re.findall(r"(?<![\w.,-])\d+(?![\w.,])", option.text)
                codes = re.findall(r"(?<=:)\d+(?=:|$)", option.code)
                # options and splits of a build are numbers in a list, whose words tell what they are
                if len(words) == len(codes) == 1 and option.verb not in ("option", "split"):
                    assert words == codes, option
            legal = table.legal(waiting[0])
            table.choose(waiting[0], legal[int(rand_below(rng, len(legal)))])


def attack(game: Game) -> tuple[Table, int]:
    """A campaign in which the first to act is asked who takes part in an attack."""
    table = everybody(game)
    seat = table.waiting()[0]
    table.choose(seat, game.actions.id("attack"))
    while table.position.phase() != "decl_commit":
        table.choose(seat, table.legal(seat)[0])
    return table, seat


def test_factions_go_by_their_names() -> None:
    game = make_game("konfrontation-campaign", "council", compiled=False)
    table = everybody(game)
    seat = table.waiting()[0]
    table.choose(seat, game.actions.id("attack"))
    others = [info for number, info in enumerate(game.seats) if number != seat]
    options = table.seen(seat, "de").choices
    assert sorted(option.text for option in options) == sorted(info.called("de") for info in others)
    assert {option.code for option in options} == {f"faction:{info.name}" for info in others}
    name, letter = others[1].called("de"), others[1].name
    for typed in (name, name.upper(), letter, letter.lower(), f"faction:{letter}"):
        script = Script("", typed)
        session = Session(table, read=script.read, write=script.write)
        assert session._ask(seat) == [next(option.id for option in options if option.text == name)]


def test_participants_in_any_order_and_taken_back() -> None:
    """Named in any order, taken back, and entered as the rules want them: the same as one by one in ascending order."""
    game = make_game("konfrontation-campaign", compiled=False)
    table, seat = attack(game)
    picks = picks_of(table, seat, "en")
    assert picks is not None and picks.close.code == "done"
    one, two, three = picks.options[:3]
    script = Script("", "3", one.code, "2", "two", "character 2", "log", "done")
    session = Session(table, read=script.read, write=script.write)
    chosen = session._ask(seat)
    assert chosen == [one.id, three.id, picks.close.id]
    assert f"Named so far: {one.text}, {two.text}, {three.text}" in script.text
    assert f"[x] {one.text}" in script.text and "] done" not in script.text  # what ends it is no thing to name
    session._take(chosen, seat)
    other, _ = attack(game)
    for option in (one, three, picks.close):
        other.choose(seat, option.id)
    assert other.replay().steps == table.replay().steps
    assert table.undo(seat) and picks_of(table, seat, "en") == picks  # all of them are one decision
    script = Script("", "3 1", "done")
    assert Session(table, read=script.read, write=script.write)._ask(seat) == chosen


@pytest.mark.parametrize(("lang", "said"), [("en", "naming this one first"), ("de", "diese zuerst zu nennen")])
def test_a_hint_says_what_it_values_where_several_are_named(lang: str, said: str) -> None:
    """The value of "character 3" was that of sets without the first two, and nobody said so."""
    table, seat = attack(make_game("konfrontation-campaign", compiled=False))
    picks = picks_of(table, seat, lang)
    assert picks is not None
    best = tuple(Advice(option.id, 0.5, 0.1, 0.3) for option in picks.options[:2])
    for simulations in (900, 0):
        script = Script("", "1", "hint", "done")
        session = Session(table, lang=lang, read=script.read, write=script.write)
        session.adviser = cast(Adviser, SimpleNamespace(
            name_in=lambda game: "search", best=lambda game, view, n=simulations: Counsel(n, best[: 2 if n else 1]),
            reply=lambda game, view, action: None,
        ))  # fmt: skip
        session._ask(seat)
        assert (said in " ".join(script.text.split())) == (simulations > 0), "one that is forced is worth nothing else"
    choices = [Choice.of(option) for option in picks.options]
    hint = Hint(0, "", 900, best)
    assert said in advised(hint, choices, table.game, lang, several=True).reason
    assert said not in advised(hint, choices, table.game, lang).reason


def test_a_set_that_is_not_allowed_changes_nothing() -> None:
    game = make_game("konfrontation-campaign", compiled=False)
    table, seat = attack(game)
    steps = table.replay().steps
    with pytest.raises(IllegalAction):
        choose_set(table, seat, [])
    assert table.replay().steps == steps
    script = Script("", "done", "1", "done")
    assert len(Session(table, read=script.read, write=script.write)._ask(seat)) == 2
    assert "At least one must be named before done." in script.text.splitlines()
    assert "decl_commit" not in script.text and "character:" not in script.text, "names of the inside"
    with pytest.raises(IllegalAction, match="not asked for several"):
        choose_set(everybody(game), 0, [1])


def test_many_actions_come_in_groups() -> None:
    """By verb, then by target; every action is in one group, and a group opens by its number."""
    game = make_game("scorekeeper-duel", compiled=False)
    table = everybody(game)
    options = table.seen(table.waiting()[0], "en").choices
    assert len(options) > 12
    groups = grouped(options)
    assert len(groups) <= 12 and grouped(options[:12]) == list(options[:12])
    assert sorted(o.id for g in groups for o in (g.options if isinstance(g, Group) else [g])) == table.legal(
        table.waiting()[0]
    )
    number = next(n for n, group in enumerate(groups, 1) if isinstance(group, Group))
    script = Script("", str(number), "", str(number), "2")
    chosen = Session(table, read=script.read, write=script.write)._ask(table.waiting()[0])
    group = groups[number - 1]
    assert isinstance(group, Group) and chosen == [group.options[1].id]


def test_words_find_what_they_are_in() -> None:
    """Part of the words is enough where it means one action; where it means several, these are listed."""
    game = make_game("scorekeeper-duel", compiled=False)
    table = everybody(game)
    seat = table.waiting()[0]
    script = Script("", "melee attack", "2")
    chosen = Session(table, read=script.read, write=script.write)._ask(seat)
    assert game.actions.codes[chosen[0]].startswith("melee:")
    script = Script("", "volle verteidigung")
    assert Session(table, read=script.read, write=script.write)._ask(seat) == [game.actions.id("full_defence")]


# --- the screen ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [80, 40])
@pytest.mark.parametrize("name", game_names())
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    game = make_game(name, compiled=False)
    script = Script(*["1"] * 6, "help", "state", "log")
    table = Table(game, {**dict.fromkeys(range(game.n_seats), "random"), 0: "human"}, 5)
    Session(table, lang="de", read=script.read, write=script.write, width=width).run()
    lines = [line for line in script.text.splitlines() if "«" not in line]
    assert max(map(len, lines)) <= width and len(lines) > 10


def test_forced_decisions_take_a_line_each() -> None:
    """Neither the position nor the list is shown for them, but first what has led to them."""
    script = Script()
    game = make_game("einblatt-duel", compiled=False)
    table = Table(game, {0: "human", 1: "first"}, 3)
    table.choose(0, game.actions.id("pass"))
    table.advance()
    seen = table.seen(0)
    session = Session(table, read=script.read, write=script.write)
    session.table = OneChoice(table)  # type: ignore[assignment]
    session._answer(0)
    session._answer(0)
    only = f"Only one thing is possible ({seen.phase}): {seen.choices[0].text}"
    told = script.text.splitlines()
    assert told[-2:] == [only] * 2
    news = table.lines(0, "en")[table.heard_before(0, "en") :]
    assert told[:2] == ["", "Meanwhile:"] and told[2:-2] == [f"  {line}" for line in news] != []


class OneChoice:
    """A table at which the first possible action is the only one, and nothing happens."""

    def __init__(self, table: Table) -> None:
        self.table, self.people, self.game = table, (0,), table.game

    def seen(self, seat: int, lang: str, since: int = 0) -> object:
        seen = self.table.seen(seat, lang, since)
        return replace(seen, choices=seen.choices[:1])

    def lines(self, seat: int, lang: str) -> list[str]:
        return self.table.lines(seat, lang)

    def choose(self, seat: int, action: int) -> None:
        """Nothing happens."""

    def forced(self, seat: int) -> int:
        return self.table.legal(seat)[0]

    def idle(self) -> bool:
        return False


def test_folding() -> None:
    text = "  Ada: " + "word " * 40 + "x" * 100
    for width in (20, 33, 80):
        lines = fold(text, width)
        assert max(map(len, lines)) <= width and "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert fold("a\n\n b", 10) == ["a", "", " b"]
    parts = "> Ada  metre 9  fate points 1  able"
    assert fold(parts, 26) == ["> Ada  metre 9", "      fate points 1  able"], "no part is torn that fits"
    assert fold(parts, 16) == ["> Ada  metre 9", "      fate", "      points 1", "      able"]
    assert fold(parts.removeprefix("> "), 12) == ["Ada  metre 9", "    fate", "    points 1", "    able"]
    for width in range(7, 24):  # a number stood at the end of a line, its per cent or its error on the next one
        torn = [line for line in fold("it would lose 2 % of all, or 0.37 ± 0.26", width)
                if line.endswith(("2", "±", "7")) or line.lstrip()[:1] in "%±"]  # fmt: skip
        assert torn == [] or width < 17, torn
    numbered = fold("characters 1: fighting, 2: social, 3: shady", 25)
    assert numbered == ["characters 1: fighting,", "    2: social, 3: shady"], "a number stays with what it names"
    path = "/srv/" + "/".join(["games-of-somebody"] * 3) + "/kept.json"
    lines = ["Saved: /srv/games-of-somebody/", "    games-of-somebody/games-of-somebody/", "    kept.json"]
    assert fold(f"Saved: {path}", 40) == lines, "a path is broken between its folders"
    assert in_columns(["a", "bb", "ccc", "d", "e"], 10) == ["a    d", "bb   e", "ccc"]
    assert in_columns(["x" * 30, "y"], 10) == ["x" * 30, "y"] and in_columns([], 10) == []


def test_a_marked_line_goes_on_where_others_do() -> None:
    """What went on of the own faction stood two places further left than what went on of the others."""
    marked, other = (fold(f"{mark} House Arden  power 3; control points 1", 31) for mark in "> ")
    assert marked == ["> House Arden", "      power 3; control points 1"]
    assert other == ["  House Arden", *marked[1:]]


def test_ascii() -> None:
    assert (
        plain("Ärger über größere Öfen – „ja“ ± ½ → é ☃") == 'Aerger ueber groessere Oefen - "ja" +- 1/2 -> e \\u2603'
    )


@pytest.mark.parametrize("how", [{"LC_ALL": "C", "LANG": "C"}, {"PYTHONIOENCODING": "ascii"}])
def test_umlauts_in_a_c_locale(tmp_path: Path, how: dict[str, str]) -> None:
    """Written in letters that every terminal has, never as question marks; and what is shown so can be typed so."""
    done = subprocess.run(
        [SCRIPT, "play", "kuhn", "--opponent", "first", "--seed", "3", "--seat", "second", "--lang", "de"],
        input=b"hilfe\nzurueck\nrueckgaengig\nq\n", capture_output=True, cwd=tmp_path, env=environment(tmp_path, **how),
    )  # fmt: skip
    out = done.stdout.decode("ascii")
    assert done.returncode == 0 and "Gross- und Kleinschreibung zaehlen auch nicht" in out
    assert "zuruecknehmen" in out and "verstehe ich nicht" not in out and "?" not in out.replace("h, ?", "")


def test_letters_that_take_more_room_are_folded_as_they_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of 80 signs grew to 84 in the locale C: they were folded before umlauts were written out."""
    written = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors=HANDLER, write_through=True)
    monkeypatch.setattr(sys, "stdout", written)
    screen, words = Screen(), "größer schöner über " * 12
    screen.line(words)
    screen.pieces((words[:77], ""), (" ü", ""))
    screen.markdown(words)
    monkeypatch.undo()
    lines = written.buffer.getvalue().decode("ascii").splitlines()  # type: ignore[attr-defined]
    assert len(lines) > 8 and max(map(len, lines)) <= 80 and sum("groesser" in line for line in lines) > 6
    assert as_written("größer", io.StringIO()) == "größer"


def test_rules_are_told_in_letters_of_the_locale(tmp_path: Path) -> None:
    """`explain` and `rules` write to a pipe whatever it can hold."""
    done = subprocess.run([SCRIPT, "explain", "EP", "einblatt", "--lang", "de"], capture_output=True, cwd=tmp_path,
                          env=environment(tmp_path, PYTHONIOENCODING="ascii"))  # fmt: skip
    assert done.returncode == 0 and "fuer" in done.stdout.decode("ascii")


# --- signals ------------------------------------------------------------------------------------------------------


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


# --- at a terminal ------------------------------------------------------------------------------------------------


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


def test_no_color(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for variable, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patch:
            patch.setenv(variable, value)
            patch.setenv("FORCE_COLOR", "") if variable == "TERM" else None
            Screen().line("words", "bold red")
            Screen().pieces(("a", "cyan"), ("b", ""))
            assert "\x1b[3" not in capsys.readouterr().out


@pytest.mark.parametrize("width", [60, 80])
def test_rules_lose_no_word_at_a_terminal(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(width=width)
    screen.whole = True  # formatted, as where a terminal reads it
    text = rules_of(make_game("einblatt-duel").spec, "de")
    screen.markdown(text)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()
    assert max(map(len, lines)) <= width
    shown = set(re.findall(r"\w{4,}", " ".join(lines)))
    prose = re.sub(r"<[^>]*>|[*`]", "", text)  # anchors and marks of Markdown are no words
    assert len(shown) > 300
    assert {word for word in re.findall(r"\w{4,}", prose) if word not in shown} == set()


def test_rules_are_laid_out_without_colours_too(tmp_path: Path) -> None:
    """Tables were rows of bars broken in their middle where a terminal says that it is dumb."""
    at = AtTerminal(tmp_path, "play", "kuhn", "--opponent", "first", "--seed", "3")
    at.until("first> ")
    at.type("rules")
    at.until("Options")
    at.until("bet = 1", 10)
    at.type("q")
    assert at.end() == 0
    assert "|---" not in at.text and "**" not in at.text and "\x1b[1m" not in at.text
    assert max(map(len, at.text.splitlines())) <= 80


def test_a_path_is_told_from_the_users_own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert told_path(Path("/home/ada/.local/games/a.json")) == "~/.local/games/a.json"
    for path in ("/home/adam/a.json", "/srv/a.json", "/home/ada"):
        assert told_path(Path(path)) == path
    monkeypatch.setenv("HOME", "/")
    assert told_path(Path("/srv/a.json")) == "/srv/a.json"


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


# --- lists and the shell ------------------------------------------------------------------------------------------


def test_every_game_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    for found in systems():
        assert set(found.about) == set(found.games) and all(len(set(lines)) == 2 for lines in found.about.values())
        assert set(found.titles) == {found.name, *found.games}
        assert len({title for title, _ in found.titles.values()}) == len(found.titles)
    assert command(["games"]) == 0
    own, _, reference = capsys.readouterr().out.partition("Reference games")
    assert "\nkuhn\n" in reference and "kuhn" not in own and "einblatt-duel\n  Two figures" in own
    assert command(["games", "--lang", "de"]) == 0
    assert "Vergleichsspiele" in capsys.readouterr().out


def test_agents_of_all_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["agents"]) == 0
    shown = capsys.readouterr().out
    assert "always_bet  (baseline of kuhn)" in shown and "best3_shuffled  (baseline of einblatt)" in shown
    assert command(["agents", "--scenario", "duel"]) == 2
    assert "belong to a game" in capsys.readouterr().err


def asked_by(shell: str, words: str) -> dict[str, str]:
    """How a shell asks for what may follow some words."""
    return {
        "_PROBESPIEL_COMPLETE": f"complete_{shell}", "COMP_WORDS": f"probespiel {words}", "COMP_CWORD": "2",
        "_TYPER_COMPLETE_ARGS": f"probespiel {words}", "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }  # fmt: skip


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize("words", ["play einblatt-m", "agents einblatt-m", "tournament einblatt-m"])
def test_the_shell_completes_names_of_games(
    shell: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in asked_by(shell, words).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit):
        command([])
    shown = capsys.readouterr()
    assert re.findall(r"[\w-]*melee[\w-]*", shown.out) == ["einblatt-melee"], shown


def test_a_shell_is_answered(tmp_path: Path) -> None:
    """By the installed command, that is, which a shell starts for it."""
    env = environment(tmp_path, **asked_by("bash", "play einblatt-m"))
    done = subprocess.run([SCRIPT], capture_output=True, text=True, env=env, cwd=tmp_path)
    assert re.findall(r"[\w-]*melee[\w-]*", done.stdout) == ["einblatt-melee"], (done.stdout, done.stderr)


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


@pytest.mark.parametrize(("rows", "paged"), [(20, True), (2000, False)])
def test_long_rules_are_paged_at_a_terminal(tmp_path: Path, rows: int, paged: bool) -> None:
    """By the pager that the user has chosen, whole; what fits on the screen is printed."""
    pager = tmp_path / "pager.sh"
    pager.write_text("#!/bin/sh\necho PAGED; cat\n")
    pager.chmod(0o755)
    at = AtTerminal(tmp_path, "rules", "kuhn", TERM="xterm", PAGER=str(pager), LINES=str(rows), COLUMNS="80")
    assert at.end() == 0
    assert ("PAGED" in at.text) == paged and "Kuhn poker" in at.text and "jack" in at.text


def test_paragraphs_of_rules_flow_into_the_lines_there_are() -> None:
    """In a pipe, each source line of a paragraph was folded for itself: half of the lines were stubs."""
    text = (
        "# Title\nA b\nc d.\n\n- one\n  goes on\n- two\n| a | b |\n|---|---|\nafter\n1. first\n   too\n```\nx\ny\n```"
    )
    assert flowing(text).split("\n") == [
        "# Title", "A b c d.", "", "- one goes on", "- two", "| a | b |", "|---|---|", "after", "1. first too",
        "```", "x", "y", "```",
    ]  # fmt: skip
    for lang in ("en", "de"):
        rules = rules_of("einblatt-duel", lang)
        assert flowing(rules).split() == rules.split(), "no word is lost"
        shown: list[str] = []
        Screen(shown.append, 80).markdown(rules)
        assert max(map(len, shown)) <= 80 and len(shown) < len(fold(rules.rstrip("\n"), 80))
