"""The value bar at the terminal: switched on and off, drawn within 80 columns, never in rated games."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from probespiel.app.reasons import interval_within, worth_text
from probespiel.app.session import advice
from probespiel.app.session.advice import Advice, Counsel
from probespiel.app.session.casting import cast
from probespiel.app.session.table import Table
from probespiel.app.terminal import worth
from probespiel.app.terminal.hint import lines_of
from probespiel.app.terminal.play import Session
from probespiel.app.terminal.worth import bar_of
from probespiel.app.web.advised import Bar, advised
from probespiel.app.web.advised import bar_of as page_bar
from probespiel.app.web.room import Hint
from probespiel.app.web.screens import Choice
from probespiel.envs import make_game
from tests.terminals import AtTerminal
from tests.test_play import Script


@pytest.mark.parametrize(
    ("value", "drawn"),
    [
        (-2.0, "  -2 [----------] +2"),
        (-1.0, "  -2 [##--------] +2"),  # 2.5 of 10 signs
        (0.0, "  -2 [#####-----] +2"),
        (1.2, "  -2 [########--] +2"),
        (2.0, "  -2 [##########] +2"),
        (2.5, "  -2 [##########] +2"),  # an estimate may lie beyond what the game pays
        (-2.5, "  -2 [----------] +2"),
    ],
)
def test_a_bar_is_filled_from_the_least_to_the_value(value: float, drawn: str) -> None:
    pieces = bar_of(value, (-2.0, 2.0), "en", 20)
    assert "".join(text for text, _ in pieces) == drawn
    assert all(style == {"#": "green", "-": "dim"}.get(text[:1], "") for text, style in pieces if text)


def test_a_bar_is_forty_signs_where_there_is_room_and_one_where_there_is_none() -> None:
    for width, cells in ((80, 40), (200, 40), (47, 33), (5, 1)):
        text = "".join(piece for piece, _ in bar_of(0.3, (-1.5, 1.5), "de", width))
        assert len(re.sub("[^#-]", "", text)) == cells, text
        assert text.startswith("  \N{MINUS SIGN}1,5 [") and text.endswith("] +1,5") and len(text) <= max(width, 15)


def bars(monkeypatch: pytest.MonkeyPatch, *lines: str, lang: str = "en", rated: bool = False) -> tuple[Script, Table]:
    """A game of poker, with a search that always finds the same."""
    found = [Counsel(500, (Advice(0, 0.5, 0.125, 0.6), Advice(1, 0.25, 0.125, 0.4)))]
    monkeypatch.setattr(advice.Adviser, "best", lambda *_: found[0])
    game, script = make_game("kuhn"), Script(*lines)
    table = Table(game, cast(game, None, "first"), 3, rated=rated)
    Session(table, lang=lang, read=script.read, write=script.write).run()
    return script, table


@pytest.mark.parametrize(
    ("lang", "word", "on", "told", "off"),
    [
        ("en", "bar", "The value bar is shown before each decision; `bar` switches it off.",
         "What it is worth to you: +0.50 ± 0.13 (expected payoff)", "The value bar is off."),
        ("de", "balken", "Der Wertbalken steht vor jeder Entscheidung; `balken` schaltet ihn ab.",
         "Was es dir wert ist: +0,50 ± 0,13 (erwartete Auszahlung)", "Der Wertbalken ist aus."),
    ],
)  # fmt: skip
def test_it_is_switched_on_shown_and_switched_off(
    monkeypatch: pytest.MonkeyPatch, lang: str, word: str, on: str, told: str, off: str
) -> None:
    script, table = bars(monkeypatch, word, word, "quit", lang=lang)
    lines = script.text.splitlines()
    at = lines.index(on)
    minus = "-" if lang == "en" else "\N{MINUS SIGN}"
    assert lines[at + 1 : at + 3] == [told, f"  {minus}2 [{'#' * 25}{'-' * 15}] +2"]
    assert lines.index(off) > at and script.text.count(told) == 1
    assert table.practice, "whoever sees what it is worth plays for no rating"


def test_it_stands_before_every_decision_of_whoever_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two at one terminal: only the first has switched it on; the second, who does not want it, never sees it."""
    found = Counsel(500, (Advice(0, 0.5, 0.125, 1.0),))
    monkeypatch.setattr(advice.Adviser, "best", lambda *_: found)
    game, script = make_game("kuhn"), Script("", "bar", "1", "", "2", "", "quit")
    table = Table(game, {0: "human", 1: "human"}, 3)
    Session(table, lang="en", read=script.read, write=script.write).run()
    parts = re.split(r"(first|second)> ", script.text)
    seen = {seat: [] for seat in ("first", "second")}
    for seat, before in zip(parts[1::2], parts[0::2], strict=False):
        seen[seat].append("What it is worth to you" in before)
    assert seen["first"][:2] == [False, True] and not any(seen["second"]), script.text
    assert script.text.count("What it is worth to you") == 2


def test_a_rated_game_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    script, table = bars(monkeypatch, "bar", "quit", rated=True)
    assert "This game is rated: there is no value bar." in script.text
    assert "worth" not in script.text and not table.practice


def test_ctrl_c_switches_it_off_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(advice.Adviser, "best", broken)
    game, script = make_game("kuhn"), Script("bar", "log", "quit")
    table = Table(game, cast(game, None, "first"), 3)
    ending = Session(table, lang="en", read=script.read, write=script.write).run()
    assert "Broken off: the value bar is off." in script.text and ending.reason == "quit"
    assert not table.practice


def test_exact_values_have_no_interval() -> None:
    said: list[str] = []
    screen: Any = SimpleNamespace(line=said.append, pieces=lambda *p: said.append("".join(t for t, _ in p)), width=80)
    ends = ((-9.0, 9.0), (-1.0, 1.0))
    table: Any = SimpleNamespace(game=SimpleNamespace(spec=SimpleNamespace(bounds_of_seats=ends)))
    worth.Worth(table, screen, "en", 1.0)._told(Counsel(9, (Advice(0, 1 / 3, 0.0, 1.0, exact=True),)), 1)
    assert said[0] == "What it is worth to you: +0.33 (expected payoff)" and len(said) == 2
    assert said[1].startswith("  -1 [") and said[1].endswith("] +1")


def test_bars_end_where_a_seat_cannot_get_more() -> None:
    """A clash pays at most 78, this attacker at most 13: on the scale of the former a bar hardly moves."""
    game = make_game("konfrontation-clash", "tavern_takeover", compiled=False)
    least, most = game.spec.payoff_bounds[0]
    assert page_bar(None, game, 0).ends == (f"{least:+g}", f"{most:+g}") and Bar(0.0, 1.0).ends == ("0", "+1")
    assert game.spec.payoff_range == (-78.0, 78.0) and -20 < least < 0 < most < 20
    assert (page_bar(None, game, 0).low, page_bar(None, game, 0).high) == (least, most)
    assert (page_bar(None, game, 1).low, page_bar(None, game, 1).high) == game.spec.payoff_bounds[1] == (-most, -least)
    hint = Hint(1, "", 900, (Advice(0, 0.5, 0.1, 0.7), Advice(1, 0.0, 0.1, 0.3)))
    choices = [Choice(0, "a", "", "", "a"), Choice(1, "b", "", "", "b")]
    assert f"{50 / (most - least):.0f} % of all" in advised(hint, choices, game, "en").reason


@pytest.mark.parametrize(
    ("more", "colour"),
    [({"TERM": "xterm-256color"}, True), ({"TERM": "xterm-256color", "NO_COLOR": "1"}, False), ({}, False)],
)
def test_in_a_terminal_it_has_colour_where_that_is_wanted(tmp_path: Path, more: Any, colour: bool) -> None:
    terminal = AtTerminal(tmp_path, "play", "kuhn", "--seed", "3", "--think", "0.1", **more)
    terminal.until("first>")
    terminal.type("bar")
    terminal.until("] +2")
    terminal.type("quit")
    assert terminal.end() == 0
    bar = next(line for line in terminal.text.splitlines() if "] +2" in line)
    assert ("\x1b[32m#" in bar) == colour, repr(bar)
    assert more or "\x1b[" not in bar, repr(bar)
    assert len(re.sub("\x1b\\[[0-9;]*m", "", bar).strip()) < 80


@pytest.mark.parametrize(
    ("value", "error", "en", "de"),
    [
        (0.5, 0.125, "+0.50 ± 0.13", "+0,50 ± 0,13"),
        (0.9, 0.1, "+0.90 ± 0.10", "+0,90 ± 0,10"),  # up to the end, not beyond it
        (0.9, 0.104, "+0.90 (+0.79 to +1.00)", "+0,90 (+0,79 bis +1,00)"),
        (-1.5, 0.75, "-1.50 (-2.00 to -0.75)", "\N{MINUS SIGN}1,50 (\N{MINUS SIGN}2,00 bis \N{MINUS SIGN}0,75)"),
        (0.0, 5.0, "+0.00 (-2.00 to +1.00)", "+0,00 (\N{MINUS SIGN}2,00 bis +1,00)"),
        (1.0, 0.0, "+1.00", "+1,00"),  # exact
    ],
)
def test_no_interval_reaches_beyond_what_there_is_to_get(value: float, error: float, en: str, de: str) -> None:
    """Bar, hint and analysis, in both faces, tell the same of a value between -2 and +1."""
    ends = (-2.0, 1.0)
    assert (worth_text(value, error, ends, 2, "en"), worth_text(value, error, ends, 2, "de")) == (en, de)
    assert interval_within(value, error, ends) == (max(value - error, -2.0), min(value + error, 1.0))
    found = Counsel(900, (Advice(0, value, error, 1.0, exact=error == 0.0),))
    told = lines_of(found, {0: "bet"}, "en", ends)
    assert sum(line.startswith(f"  1. bet   {en}") for line in told) == 1, told
    spec: Any = SimpleNamespace(bounds_of_seats=(ends,))
    game: Any = SimpleNamespace(spec=spec)
    hint = Hint(0, "", 900, found.best)
    assert page_bar(hint, game, 0).told("de") == de
    assert advised(hint, [Choice(0, "bet", "", "", "bet")], game, "en").actions[0].startswith(f"bet {en}")
