"""Where it is told what the predictor of ews_rps believed: terminal, pages, viewer, export and analysis."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from probespiel.app.cli_analyse import document
from probespiel.app.cli_replay import told_after
from probespiel.app.session.course import Course, open_course
from probespiel.app.session.table import Table
from probespiel.app.terminal.play import Session
from probespiel.app.web.export import _content
from probespiel.app.web.hall import Hall
from probespiel.app.web.pages import Pages
from probespiel.app.web.room import Room
from probespiel.app.web.viewing import Viewing
from probespiel.app.web.words import say
from probespiel.envs.core.actions import LANGUAGES

from .page_values import page_values
from .test_belief import THROWS, plain
from .test_course import viewer
from .test_play import Script


def a_table(rated: bool = False) -> Table:
    """Somebody shows rock, paper, scissors against the predictor's seat, at which a person sits in its stead."""
    return Table(plain(3), {0: "human", 1: "human"}, 1, rated=rated)


def page_of(pages: Pages, room: Room, lang: str) -> str:
    values = page_values(room) | pages.seat_values(room, "x" * 64, 0, lang) | {"lang": lang}
    values |= {
        "t": lambda key, **more: say(lang, key, **more),
        "who": lambda agent, game: agent,
        "code_beside": lambda agent, game: agent,
    }
    return pages.renderer.render("game.html", values)


@pytest.mark.parametrize("rated", [False, True])
def test_the_page_tells_it_after_the_end_alone(rated: bool, tmp_path: Path) -> None:
    hall = Hall(tmp_path, workers=1)
    pages, table = Pages(hall), a_table(rated)
    room = Room("0" * 16, "ews_rps", "x", ("player", "gm"), table.cast, {0: "x" * 64}, table=table)
    heads = {"en": "What the predictor believed of you", "de": "Was der Vorhersager von dir glaubte"}
    try:
        for first, second in THROWS:
            for lang in LANGUAGES:
                page = page_of(pages, room, lang)
                assert heads[lang] not in page and "predictor" not in page and "Vorhersager" not in page
            table.choose(0, first)
            table.choose(1, second)
        for lang, row in (("en", "rock, paper, scissors in turn"), ("de", "Stein, Papier, Schere der Reihe nach")):
            page = page_of(pages, room, lang)
            assert f"<h2>{heads[lang]}</h2>" in page and f'<th scope="row">{row}</th>' in page
            assert page.count('class="card insight"') == 2
            term = {"en": "predictor", "de": "Vorhersager"}[lang]
            assert f"<dt>{term}</dt>" in page, "the words of the table are explained on the page"
    finally:
        hall.close()
        table.close()


def test_viewer_and_its_page_tell_it_at_the_last_step_alone(tmp_path: Path) -> None:
    table = a_table()
    for first, second in THROWS:
        table.choose(0, first)
        table.choose(1, second)
    course = Course(table.replay())
    shown, out = viewer(course, "list", "last", "quit")
    shown.run()
    told = "\n".join(out)
    assert told.count("What the predictor believed: player") == 1
    assert told.index("What the predictor believed: game master") > told.index("step 0 of 6")
    shown, out = viewer(course, "5", "quit")
    shown.run()
    assert "predictor" not in "\n".join(out)
    assert told_after(course, 0, "de")[1] == "Was der Vorhersager glaubte: Spieler"
    hall = Hall(tmp_path, workers=1)
    viewing = Viewing(Pages(hall))
    try:
        assert viewing.values(course, 5, None, "en")["insights"] == ()
        assert len(viewing.values(course, 6, None, "en")["insights"]) == 2
    finally:
        hall.close()


def test_the_exported_page_holds_it_for_every_eye() -> None:
    """In both languages, once the game is over; a game that people have left holds nothing of it."""
    table = a_table()
    for number, (first, second) in enumerate(THROWS):
        left = _content(Course(table.replay()), "en")
        assert [left["insights"][lang] for lang in LANGUAGES] == [[[]] * len(left["eyes"])] * 2, number
        table.choose(0, first)
        table.choose(1, second)
    found = _content(Course(table.replay()), "de")
    assert found["eyes"] == [None, "player", "gm"]
    assert found["called"] == {"en": ["player", "game master"], "de": ["Spieler", "Spielleitung"]}
    heads = {lang: [[one["title"] for one in eye] for eye in found["insights"][lang]] for lang in LANGUAGES}
    assert heads["en"][1] == ["What the predictor believed: player", "What the predictor believed: game master"]
    assert heads["en"][2] == heads["en"][1][::-1], "whoever looks through those eyes comes first"
    assert heads["de"][0] == ["Was der Vorhersager glaubte: Spieler", "Was der Vorhersager glaubte: Spielleitung"]
    rows = [[row[0] for row in eye[0]["rows"]] for eye in found["insights"]["en"]]
    assert "rock, paper, scissors in turn" in rows[1] and "rock, paper, scissors in turn" not in rows[2][:1]


def test_programs_read_it_in_the_analysis(tmp_path: Path) -> None:
    """With the words for the eye that was asked for."""
    table = a_table()
    for first, second in THROWS:
        table.choose(0, first)
        table.choose(1, second)
    path = tmp_path / "game.json"
    table.save(path)
    course = open_course(path, trust=True)
    told: Any = SimpleNamespace(seat="player", chances=(), line=())
    empty: Any = SimpleNamespace(
        games=0,
        exact=0,
        baseline="",
        numbers=[],
        judged=[],
        worst=None,
        line=(),
        share=lambda *_: (0.0, 0.0),
        moves=lambda *_: [],
    )
    titles = {eye: [one["title"] for one in document(course, empty, told, "en", eye)["after"]] for eye in (None, 0)}
    assert titles[0][0] == "What the predictor believed: player"
    assert titles[None][0] == "What the predictor believed: player"
    after = document(course, empty, told, "en", 0)["after"][0]
    assert json.loads(json.dumps(after)) == {name: json.loads(json.dumps(value)) for name, value in after.items()}
    assert set(after) == {"title", "about", "heads", "rows", "foot"} and after["rows"]


def test_the_page_of_a_table_that_was_put_away_tells_it(tmp_path: Path) -> None:
    """Each reader as of its own seat, from the recording; somebody without a seat reads nothing."""
    hall = Hall(tmp_path, workers=1)
    table = Table(plain(3), {0: "human", 1: "human"}, 1, keep=hall.games)
    mine, other = "x" * 64, "y" * 64
    room = Room("0" * 16, "ews_rps", "plain_rps", ("player", "gm"), table.cast, {0: mine, 1: other}, table=table)
    try:
        for first, second in THROWS:
            table.choose(0, first)
            table.choose(1, second)
        room.finish()
        room.close()
        assert room.table is None and room.file is not None
        kept, heads = (
            room.file,
            {"en": "What the predictor believed of you", "de": "Was der Vorhersager von dir glaubte"},
        )
        for owner, lang in ((mine, "en"), (other, "de")):
            found = hall.insights(room, owner, lang)
            values = page_values(room) | {"lang": lang, "lines": room.result[lang], "insights": found}
            values |= {
                "t": lambda key, lang=lang, **more: say(lang, key, **more),
                "who": lambda agent, game: agent,
                "code_beside": lambda agent, game: agent,
            }
            page = Pages(hall).renderer.render("ended.html", values)
            assert heads[lang] in page and page.count('class="card insight"') == 2
        first, second = hall.insights(room, mine, "en"), hall.insights(room, other, "en")
        assert first[0].rows == second[1].rows and first[0].rows != second[0].rows
        assert hall.insights(room, "z" * 64, "en") == ()
        room.insights.clear()
        hall._courses.clear()
        kept.unlink()
        assert hall.insights(room, mine, "en") == (), "the result is told even if the recording is gone"
    finally:
        hall.close()
        table.close()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_terminal_tells_it_at_the_end(lang: str) -> None:
    script, words = Script("1", "2", "3"), {"en": "of you", "de": "von dir"}
    table = Table(plain(3), {0: "human", 1: "first"}, 1, lang=lang)
    Session(table, read=script.read, write=script.write, width=80).run()
    head = {"en": "What the predictor believed", "de": "Was der Vorhersager"}[lang]
    before, _, after = script.text.partition(head)
    assert "«3»" in before and words[lang] in after.splitlines()[0]
    row = {"en": "rock, paper, scissors in turn", "de": "Stein, Papier, Schere der Reihe nach"}[lang]
    assert row in after and all(len(line) <= 80 for line in after.splitlines())
