"""What a person reads after a game and between games: recordings, statistics, and a run of oneshot."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from probespiel.app.cli_replay import head
from probespiel.app.cli_stats import lines_of
from probespiel.app.oneshot.recruit import Menu, named, raised_to
from probespiel.app.session.course import Course, _beyond, open_course
from probespiel.app.session.record import Standing
from probespiel.app.session.table import Table
from probespiel.app.terminal.opening import cast_lines
from probespiel.app.terminal.viewer import _SAYS, Viewer
from probespiel.envs.core.registry import make_game
from probespiel.envs.oneshot.text import called

# --- recordings ---------------------------------------------------------------------------------------------------


def recorded(folder: Path, game: str, **cast: str) -> Course:
    """A game that is over, as a recording is looked at."""
    made = make_game(game, compiled=False)
    others = dict.fromkeys(range(2, made.n_seats), "random")
    table = Table(made, {0: cast.get("first", "random"), 1: cast.get("second", "random")} | others, 3)
    lot = random.Random(1)
    while not table.over:
        waiting = table.waiting()
        if waiting:
            table.choose(waiting[0], lot.choice(table.legal(waiting[0])))
        else:
            table.advance()
    path = folder / "game.json"
    table.save(path)
    return open_course(path)


def test_a_position_that_all_see_alike_is_shown_once(tmp_path: Path) -> None:
    """It stood there three times, with `attacker` over it in German."""
    course = recorded(tmp_path, "konfrontation-clash")
    told = course.told(0, None, "de")
    assert told == course.positions[0].told(None, "de") and "attacker" not in told
    hands = recorded(tmp_path, "einblatt-duel").told(0, None, "de")
    assert "— Baum —" in hands and "— Billy —" in hands, "what a seat sees more is shown"


def test_laid_open_each_seat_adds_what_only_it_sees(tmp_path: Path) -> None:
    """The table of nine seats stood there ten times, and only the last line of each differed."""
    course = recorded(tmp_path, "einblatt-melee")
    told = course.told(20, None, "de")
    assert told.count("Runde 1/3") == 1 and told.count("Hand (") == len(course.game.seats)
    own = "\n".join(["a", ">b", "c"])
    assert _beyond(own, ["a", " b"]) == ["c"] and _beyond(own, ["a", " b", "c"]) == []
    assert _beyond(own, ["a", " d"]) == ["a", ">b", "c"], "something stands there otherwise: all of it is told"


def test_who_played_is_told_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was `attacker: human`, `defender: random`."""
    course = recorded(tmp_path, "konfrontation-clash", first="human")
    head(course, None, "de")
    lines = capsys.readouterr().out.splitlines()
    assert "  Angreifer: ein Mensch" in lines
    assert "  Verteidiger: irgendein Zug per Zufall [random]" in lines


def test_a_seat_of_a_recording_goes_by_the_name_that_is_shown(tmp_path: Path) -> None:
    course = recorded(tmp_path, "konfrontation-clash")
    viewer = Viewer(course, "de", analyse=lambda *_: [], export=lambda *_: None, opponent=lambda: "random",
                    read=lambda _: "q", write=lambda _: None)  # fmt: skip
    assert viewer._eye_of("verteidiger") == viewer._eye_of("defender") == 1
    assert "platz Verteidiger" in viewer._completions()


def test_help_of_the_viewer_fits_a_terminal() -> None:
    for text in _SAYS["help"]:
        assert max(map(len, text.splitlines())) <= 80


def test_one_game_is_one(tmp_path: Path) -> None:
    one = Standing("kuhn", "random", 1, 1, 1, 0, 0, 0, 0.5, None, None, None)
    assert "1 game, mean" in " ".join(lines_of([one], "en")) and "1 Spiel, " in " ".join(lines_of([one], "de"))


# --- a run of oneshot ---------------------------------------------------------------------------------------------


def test_heroes_of_a_kind_are_told_apart_and_called_in_the_readers_language() -> None:
    """In German it was `skirmisher: 2 Sagenpunkte`, two of them had one name, and a third was `held3`."""
    first = {"name": "bulwark"}
    second = named({"name": "bulwark"}, [first])
    third = named({"name": "bulwark"}, [first, second])
    assert [one["name"] for one in (second, third)] == ["bulwark_2", "bulwark_3"]
    assert called("bulwark_3", "de") == "Bollwerk 3" and called("bulwark_3", "en") == "bulwark 3"
    assert called("hero_2", "de") == "Held 2"
    assert called("red_guard_2", "de") == "Wache Rot 2", "the names of a skirmish stay as they were"


def test_what_can_be_raised_says_to_what_and_for_how_much() -> None:
    """`sneaking 1 (1)`."""
    for lang, wanted in (("en", "sneaking to 2: 1 point"), ("de", "Schleichen auf 2: 1 Punkt")):
        host: Any = SimpleNamespace(lang=lang, text=lambda en, de, lang=lang: de if lang == "de" else en)
        menu = Menu(host, {}, None)  # type: ignore[arg-type]
        assert raised_to(menu, "sneaking", 2, 1) == wanted
        assert raised_to(menu, "sneaking", 2, 3).endswith({"en": "3 points", "de": "3 Punkte"}[lang])


def test_all_seats_of_one_person_are_you() -> None:
    game = make_game("oneshot-mission", compiled=False)
    table = Table(game, dict.fromkeys(range(game.n_seats), "human"), 1)
    assert cast_lines(table, "en", together=True) == ["  fighter, archer, diplomat (party): you"]
    assert cast_lines(table, "en")[0] == "  fighter (party): a person here"
