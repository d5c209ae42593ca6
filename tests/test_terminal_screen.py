"""The screen of the terminal: widths, folding, letters, colours, paths and pages of rules."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from probespiel.app.cli_rules import _narrow
from probespiel.app.session.folders import told_path
from probespiel.app.session.table import Table
from probespiel.app.terminal.plain import HANDLER, as_written, plain
from probespiel.app.terminal.play import Session
from probespiel.app.terminal.screen import Screen, flowing, fold, in_columns
from probespiel.envs import make_game
from probespiel.envs.core.registry import game_names
from probespiel.envs.core.rulebook import rules_of
from tests.terminals import SCRIPT, AtTerminal, environment
from tests.test_play import Script


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


def test_a_lesson_breaks_no_command_in_two(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever copied the last line of a lesson got `play oneshot-` and `skirmish`."""
    end = "This is the end of the lesson. Play on your own: probespiel play oneshot-skirmish"
    _narrow(f"{end}\n\n  short\n    kept as it is")
    lines = capsys.readouterr().out.split("\n")
    assert lines == [
        "This is the end of the lesson. Play on your own: probespiel play",
        "    oneshot-skirmish", "", "  short", "    kept as it is", "",
    ]  # fmt: skip
