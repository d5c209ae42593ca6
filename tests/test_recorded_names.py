"""A recording names the sides, whoever looks at it and whenever: nobody is called "you", and nothing is told twice."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from probespiel.app.ews_rps.screen import draw
from probespiel.app.session.course import Course
from probespiel.app.session.sight import Sight
from probespiel.app.session.table import Table
from probespiel.app.web.export import _content
from probespiel.app.web.hall import Hall
from probespiel.app.web.pages import Pages
from probespiel.app.web.viewing import Viewing
from probespiel.app.web.words import say
from probespiel.envs.core.registry import game_names, make_game
from probespiel.envs.core.replay import Choice
from probespiel.envs.core.rulebook import Scene
from probespiel.envs.core.texts import by_name, reader

YOU = re.compile(r"\b(?:you|your|yourself|du|dein|deine[mnrs]?|dir|dich)\b", re.IGNORECASE)


def recorded(name: str, decisions: int = 30) -> Course:
    """A game by chance of people, as far as it goes."""
    game, lot = make_game(name, compiled=False), random.Random(4)
    cast = dict.fromkeys(range(game.n_seats), "first")
    table = Table(game, dict.fromkeys(cast, "human"), 4)
    while not table.over and table.decisions < decisions:
        seat = table.waiting()[0]
        table.choose(seat, lot.choice(table.legal(seat)))
    course = Course(table.replay())
    course.people = []  # nobody of them plays on: it may be laid open
    return course


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_recording_calls_nobody_you(name: str, lang: str) -> None:
    course = recorded(name)
    for eye in course.eyes:
        for number in range(1, len(course) + 1):
            told = [*course.lines(number, eye, lang), *course.told(number, eye, lang).splitlines(),
                    course.title(number, eye, lang)]  # fmt: skip
            wrong = [line for line in told if YOU.search(line)]
            assert not wrong, wrong


def test_laid_open_a_round_is_told_once() -> None:
    """As each side read it, it stood there twice: `you: rock, game master: paper`, `player: rock, you: paper`."""
    course = recorded("ews_rps", 12)
    for number in range(1, len(course) + 1):
        rounds = [line for line in course.lines(number, None, "en") if "the round" in line]
        assert len(rounds) <= 1
        assert not rounds or rounds[0].startswith("player: ")
    assert "— " not in course.told(len(course) - 1, None, "en"), "each side knows the same"


def test_a_seat_of_a_recording_is_named_with_its_hand() -> None:
    course = recorded("einblatt-duel", 2)
    assert "hand (Billy): " in course.told(0, 0, "en") and "Hand (Baum): " in course.told(0, 1, "de")
    assert "your hand: " in course.positions[0].told(0, "en"), "at the table it is you"


def test_the_exported_file_names_them_too() -> None:
    course = recorded("ews_rps", 40)
    assert not [text for text in _content(course, "en")["texts"] if YOU.search(text)]
    assert _content(course, "de")["insights"]["de"] is not None


@pytest.mark.parametrize("eye", [0, 1, None])
def test_what_is_believed_is_told_of_a_name_and_introduced_once(eye: int | None) -> None:
    """Two tables were called `what it believed of you` and `of the other side`, with the same sentence on both."""
    course = recorded("ews_rps", 500)
    assert course.over
    insights = course.insights(len(course), eye, "en")
    assert len(insights) == 2 and not any(YOU.search(one.title) for one in insights)
    assert [bool(one.about) for one in insights] == [True, False]
    assert all("" not in one.lines for one in insights)


def test_names_end_with_the_recording() -> None:
    assert reader(1) == 1
    with by_name():
        assert reader(1) is None
    assert reader(1) == 1


def test_the_making_of_a_mission_can_be_looked_at() -> None:
    """Before the first room is known there is no map, and the viewer broke off."""
    course = recorded("oneshot-mission", 1)
    rolled = [
        n for n, position in enumerate(course.positions) if position.record.n_rooms and not any(position.record.visited)
    ]
    assert rolled, "there are rooms, and nobody has seen any"
    for number in rolled:
        assert course.told(number, None, "en").startswith("mission: ")


@pytest.mark.parametrize(("lang", "dice"), [("en", "chance, {} times"), ("de", "Zufall, {}-mal")])
def test_dice_that_tell_nothing_are_one_line_of_the_list(lang: str, dice: str) -> None:
    """The list of a game of rock-paper-scissors began with forty dice."""
    course = recorded("ews_rps", 6)
    listed = course.listed(None, lang)
    first = next(n for n, step in enumerate(course.replay.steps) if isinstance(step, Choice))
    assert first > 10 and listed[0][1] == dice.format(first - 1) and listed[0][0] == first - 1
    assert [n for n, _ in listed[1:]] == list(range(first, len(course) + 1)), "the last die tells which test begins"
    both = [(n, course.title(n, 0, lang)) for n in (first, first + 1)]
    assert course.listed(0, lang, range(first, first + 2)) == [(n, title) for n, title in both if title]


def test_a_recording_that_has_not_begun_has_no_empty_screens() -> None:
    course = recorded("ews_rps", 6)
    seen = course.seen(0, 0, "en")
    assert draw(Sight.of(course.game, seen)) is None
    assert draw(Sight.of(course.game, course.seen(len(course), 0, "en"))) is not None


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_page_of_a_recording_calls_nobody_you(name: str, lang: str, tmp_path: Path) -> None:
    """The seats' own screens said `you`, `your hand`, `mood towards you`."""
    course, hall = recorded(name, 12), Hall(tmp_path, workers=1)
    pages = Pages(hall)
    shared = {
        "lang": lang, "t": lambda key, **more: say(lang, key, **more), "token": "", "path": "/", "partial": True,
        "scene": lambda *_: Scene("x"),
        "game_title": lambda name: name, "who": lambda agent, game: agent, "base": "/", "analysing": False,
        "told_of": None, "no_analysis": "", "digits": str,
    }  # fmt: skip
    try:
        for number in {0, len(course) // 2, len(course)}:
            for eye in course.eyes[:2]:
                page = pages.renderer.render("view.html", shared | Viewing(pages).values(course, number, eye, lang))
                screens = re.sub(r"<[^>]+>", "\n", page.partition('aria-labelledby="branch"')[0])
                screens = screens.partition({"en": "one step on or back", "de": "Schritt vor oder zurück"}[lang])[2]
                assert not YOU.search(screens), [line for line in screens.splitlines() if YOU.search(line)]
    finally:
        hall.close()
