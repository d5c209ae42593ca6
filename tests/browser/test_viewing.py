"""Pages of recorded games: only after the end and for those who played, through any eyes, playing on, and as a file."""

from __future__ import annotations

import math
import random
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from starlette.testclient import TestClient

from probespiel.app.session.course import Course
from probespiel.app.session.record import Rating
from probespiel.app.session.table import Table
from probespiel.app.web import pages
from probespiel.app.web.export import write_export
from probespiel.app.web.hall import Hall
from probespiel.envs.core.registry import make_game

from .conftest import Server
from .visit import READY, begin, click_through, page_of, serious
from .wire import act, client_of, field, new, room_of, token_of


def played(hall: Hall, client: TestClient, game: str = "kuhn", **fields: str) -> str:
    """A game played to its end; its path."""
    path = new(client, game, **fields)
    while room_of(hall, path).state == "playing":
        if not room_of(hall, path).busy:
            act(client, path)
    return path


def test_nothing_is_shown_before_the_end_nor_to_strangers(hall: Hall) -> None:
    client, stranger = client_of(hall), client_of(hall)
    path = new(client)
    for what in ("view", "view/export"):
        assert client.get(f"{path}/{what}").status_code == 409
    data = {"token": token_of(client), "step": "0", "seat": "first"}
    assert client.post(f"{path}/view/branch", data=data).status_code == 409
    path = played(hall, client)
    for what in ("view", "view/export"):
        assert client.get(f"{path}/{what}").status_code == 200
        assert stranger.get(f"{path}/{what}").status_code == 404
    assert stranger.post(f"{path}/view/branch", data=data | {"token": token_of(stranger)}).status_code == 404
    assert f'href="{path}/view"' in client.get(path).text


def test_steps_eyes_and_wrong_addresses(hall: Hall) -> None:
    client = client_of(hall)
    path = played(hall, client)
    view = f"{path}/view"
    course = hall.course(room_of(hall, path))
    last = len(course)
    assert "The start" in client.get(view).text
    assert "The game is over" in client.get(f"{view}?step={last}").text
    own = client.get(f"{view}?step=1&seat=second").text
    assert "Something happened that second does not see." in own
    assert course.told(1, 0, "en").splitlines()[-1] not in own
    for query in ("step=-1", f"step={last + 1}", "step=x", "step=1&seat=third", "step=99999999999999"):
        assert client.get(f"{view}?{query}").status_code in (400, 403)
    client.get("/language?to=de&back=/")
    german = client.get(view).text
    assert "nicht zu sehen ist (Zweiter)." in client.get(f"{view}?step=1&seat=second").text, "it said (second)"
    for seat, called in (
        ("first", "Erster"),
        ("second", "Zweiter"),
    ):  # sent by name, read in words: for playing on, too
        assert len(re.findall(rf'<option value="{seat}"[^>]*>{called}</option>', german)) == 2


def test_playing_on_is_a_game_of_its_own(hall: Hall) -> None:
    client = client_of(hall)
    path = played(hall, client)
    course = hall.course(room_of(hall, path))
    number = course.decision_after(0)
    form = {"token": token_of(client), "step": str(number), "seat": "second"}
    assert client.post(f"{path}/view/branch", data=form | {"token": ""}).status_code == 403
    assert client.post(f"{path}/view/branch", data=form | {"seat": "third"}).status_code == 400
    assert client.post(f"{path}/view/branch", data=form | {"step": str(len(course))}).status_code == 400
    answer = client.post(f"{path}/view/branch", data=form)
    assert answer.status_code == 303
    branch = room_of(hall, answer.headers["location"])
    while branch.table is None:
        assert branch.state != "broken", branch.reason
    assert branch.cast[1] == "human" and branch.cast[0].startswith("search:"), "the game's opponent, for a person"
    assert not branch.table.rated
    assert branch.table.replay().steps[:number] == course.replay.steps[:number]
    assert branch.table.seed != course.replay.seed and branch.file is not None and branch.file.exists()
    assert course.over, "the recording stays as it is"


def test_the_parts_of_a_game_are_told_without_their_marks(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of steps and the heading said `--- turn 1/8`."""
    client = client_of(hall)
    path = played(hall, client)
    monkeypatch.setattr(Course, "lines", lambda *_: ["--- turn 1/8", "-1 point"])
    page = client.get(f"{path}/view?step=3").text
    assert "3 · turn 1/8</h2>" in page and "--- turn" not in page and page.count("<li>-1 point</li>") == 1
    assert '<span class="muted">3</span> turn 1/8</a>' in page and "<li>turn 1/8</li>" not in page


@pytest.mark.parametrize("game", ["kuhn", "scorekeeper-duel", pytest.param("oneshot-mission", marks=pytest.mark.slow)])
def test_playing_on_from_the_very_start(hall: Hall, game: str) -> None:
    """From step 0, before which nothing has happened, games with a set-up of their own could not be rebuilt."""
    client = client_of(hall)
    path = played(hall, client, game)
    course = hall.course(room_of(hall, path))
    form = {"token": token_of(client), "step": "0", "seat": course.game.seats[0].name}
    answer = client.post(f"{path}/view/branch", data=form)
    assert answer.status_code == 303
    branch = room_of(hall, answer.headers["location"])
    while branch.table is None:
        assert branch.state != "broken", branch.reason
        time.sleep(0.01)
    assert branch.table.game.spec.options == course.game.spec.options
    assert branch.table.game.ruleset == course.game.ruleset
    for refused in (str(len(course)), str(len(course) + 1), "x", "-1"):
        assert client.post(f"{path}/view/branch", data=form | {"step": refused}).status_code == 400


def test_a_recording_has_an_address_of_its_own(hall: Hall) -> None:
    made = make_game("kuhn", compiled=False)
    table = Table(made, {0: "human", 1: "random"}, seed=4)
    secret = hall.watch(Course(table.replay()))
    client = client_of(hall)
    page = client.get(f"/watch/{secret}").text
    assert "The game is not over" in page and "second</option>" not in page and "branch" not in page
    assert client.get(f"/watch/{secret}?seat=second").status_code == 403
    assert client.get("/watch/nothing").status_code == 404


@pytest.mark.parametrize(
    ("game", "width", "locale"),
    [
        pytest.param("kuhn", 1280, "en-US", marks=pytest.mark.slow),
        pytest.param("konfrontation-clash", 390, "de-DE", marks=pytest.mark.slow),
        pytest.param("einblatt-duel", 390, "en-US", marks=pytest.mark.slow),
        pytest.param("scorekeeper-duel", 1280, "de-DE", marks=pytest.mark.slow),
        pytest.param("oneshot-skirmish", 390, "en-US", marks=pytest.mark.slow),
    ],
)
def test_looking_through_a_game(
    server: Server, chromium: Browser, tmp_path: Path, game: str, width: int, locale: str
) -> None:
    with page_of(chromium, server.address, width, locale) as page:
        begin(page, server.address, game)
        click_through(page, random.Random(1))
        page.click('.result a[href$="/view"]')
        page.wait_for_selector("#steps")
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**step=1")
        page.keyboard.press("End")
        page.wait_for_selector(".result")
        page.click(".steps li:nth-child(2) a")
        page.wait_for_selector(".steps li:nth-child(2) a[aria-current]")
        if game != "kuhn":
            page.click("#analyse")
            page.wait_for_selector("svg.values", timeout=120_000)
            if width == 390 and page.locator(".stacked").count():  # a row for each thing, and no word is broken
                head = "getComputedStyle(document.querySelector('.stacked thead')).display"
                label = "getComputedStyle(document.querySelector('.stacked td[data-head]'), '::before').content"
                assert page.evaluate(head) == "none" and len(page.evaluate(label)) > 6
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "wider than the screen"
        if width == 1280 and game != "kuhn":  # beside the board, not below it
            beside = "document.querySelector('[aria-labelledby=analysis]').getBoundingClientRect()"
            board = "document.querySelector('[aria-labelledby=now]').getBoundingClientRect()"
            assert page.evaluate(f"{beside}.left >= {board}.right && {beside}.top === {board}.top")
            assert page.evaluate(f"Math.abs({beside}.width - {board}.width) < 2")
        parts = "[...document.querySelectorAll('[aria-labelledby=analysis] .scroll')]"
        cut = page.evaluate(f"{parts}.filter(it => it.scrollWidth > it.clientWidth).length")
        assert cut == 0, "the end of the graph, or what was lost, is off the screen"
        with page.expect_download() as download:
            page.click('a[href$="/export"]')
        download.value.save_as(tmp_path / "game.html")
        assert (tmp_path / "game.html").read_text().startswith("<!doctype html>")
        page.click('form[action$="/branch"] button')
        page.wait_for_selector(READY)


def test_the_exported_file_in_a_browser(chromium: Browser, tmp_path: Path) -> None:
    table = Table(make_game("kuhn", compiled=False), {0: "human", 1: "random"}, seed=4)
    while not table.over:
        seat = (table.waiting() or table.thinking())[0]
        table.choose(seat, table.legal(seat)[0])
    course = Course(table.replay())
    write_export(course, tmp_path / "game.html")
    context = chromium.new_context(viewport={"width": 390, "height": 900})
    page, seen = context.new_page(), []
    page.on("request", lambda request: seen.append(request.url))
    page.on("console", lambda message: seen.append(message.text))
    page.goto((tmp_path / "game.html").as_uri())
    page.keyboard.press("ArrowRight")
    page.wait_for_selector('.step[data-number="1"][aria-current]')
    page.keyboard.press("End")
    assert page.inner_text("pre").split() == course.told(len(course), None, "en").split()
    page.select_option("select >> nth=1", "de")
    assert page.get_attribute("html", "lang") == "de" and "Das Spiel ist zu Ende" in page.inner_text("#now")
    page.select_option("select >> nth=0", "1")
    assert page.inner_text("pre").split() == course.told(len(course), 0, "de").split()
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "wider than the screen"
    assert seen == [(tmp_path / "game.html").as_uri()]
    context.close()


def test_parts_in_an_exported_file_are_headings(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(make_game("kuhn", compiled=False), {0: "first", 1: "first"}, seed=4)
    monkeypatch.setattr(Course, "lines", lambda *_: ["=== round 2", "-- declarations", "-1 point"])
    write_export(Course(table.replay()), tmp_path / "game.html")
    context = chromium.new_context()
    page = context.new_page()
    page.goto((tmp_path / "game.html").as_uri())
    page.keyboard.press("End")
    assert page.locator("#now .part").all_inner_texts() == ["round 2", "declarations"]
    assert "-1 point" in page.locator("#now li").all_inner_texts() and "==" not in page.inner_text("#now")
    assert page.locator(".step span:last-child").all_inner_texts() == ["round 2"] * len(table.replay().steps)
    context.close()


def test_the_analysis_comes_by_itself(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probespiel.app.web.hall.ANALYSIS_SECONDS", 0.2)
    monkeypatch.setattr(hall, "_analyst", ThreadPoolExecutor(1))  # no process of its own, which takes seconds to begin
    client, stranger = client_of(hall), client_of(hall)
    path = played(hall, client)
    view, form = f"{path}/view", {"token": token_of(client)}
    assert stranger.post(f"{view}/analyse", data={"token": token_of(stranger)}).status_code == 404
    assert client.post(f"{view}/analyse", data={"token": ""}).status_code == 403
    assert client.post(f"{view}/analyse?step=1", data=form).headers["location"] == f"{view}?step=1#analysis"
    page = ""
    for _ in range(600):
        page = client.get(f"{view}?step=1").text
        if "being analysed" not in page:
            break
        time.sleep(0.1)
    assert re.search(r'id="verdict">(first|second): ', page) and 'class="table beside"' in page
    assert page.index('id="position"') < page.index('id="branch"') < page.index('id="analysis"')
    assert '<svg class="values"' in page and "decisions of second (skill)" in page and "style=" not in page
    assert client.get(f"{view}?step=1").text == page
    large = page.count('r="7"')  # the legend speaks of the large dot where there is one
    assert large in (0, 1) and page.count("large: the turning point") == large


def test_a_game_that_is_prepared_says_for_how_long(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing moved on the page for minutes, and nobody knew whether it may be left."""
    monkeypatch.setattr(hall, "_prepare", lambda room, order: None)
    client = client_of(hall)
    order = {"token": token_of(client), "game": "kuhn", "opponent": "random"}
    path = client.post("/new", data=order).headers["location"]
    page = client.get(path).text
    assert "So far: 0 s" in page and "You may also leave it" in page
    room = room_of(hall, path)
    room.begun -= 75
    began = time.monotonic()
    newer = client.get(f"{path}?have={room.version}")
    assert newer.status_code == 200 and re.search(r"So far: 7[5-9] s", newer.text) and time.monotonic() - began < 4
    assert f'href="{path}"' in client.get("/").text


def test_the_value_bar_of_practice_games(hall: Hall) -> None:
    client = client_of(hall)
    path, rated = new(client), new(client, rated="1")
    form = {name: field(client.get(path).text, name) for name in ("token", "seat", "stamp")}
    assert "What it is worth" not in client.get(path).text
    assert 'name="on" value="1"' in client.get(path).text
    assert client.post(f"{path}/bar", data=form | {"token": ""}).status_code == 403
    for _ in range(2):  # a second click changes nothing
        assert client.post(f"{path}/bar", data=form | {"on": "1"}).status_code == 303
    page = ""
    for _ in range(300):
        page = client.get(path).text
        if "<meter" in page:
            break
        time.sleep(0.1)
    assert "<meter" in page and "solved to the end" not in page and "hinted" not in page
    client.post(f"{path}/hint", data=form)
    assert "solved to the end" in client.get(path).text, "what was found for the bar serves as a hint"
    assert 'name="on" value="0"' in client.get(path).text
    client.post(f"{path}/bar", data=form | {"on": "0"})
    assert "<meter" not in client.get(path).text
    assert 'id="bar"' not in client.get(rated).text
    client.post(f"{rated}/bar", data=form | {"on": "1"})
    assert "What it is worth" not in client.get(rated).text


def test_results_are_those_of_the_browser_alone(hall: Hall) -> None:
    client, stranger = client_of(hall), client_of(hall)
    assert "No finished game" in client.get("/stats").text
    played(hall, client)
    assert ">0: 0, 0, 0<" in client.get("/stats").text, "a game by a seed of one's own counts for no rating"
    played(hall, client, seed="")
    page = client.get("/stats").text
    assert '<th scope="row">Kuhn poker</th>' in page and "any move by chance" in page and ">1: " in page
    assert page.count("<td") == page.count('<td data-head="') == 5, "on a phone each stands below the other, by name"
    assert "No finished game" in stranger.get("/stats").text


@pytest.mark.parametrize(("level", "said"), [(0, "rated games: 1): below level 1"), (3, "rated games: 1): level 3")])
def test_a_rating_below_the_levels_is_told_so(
    hall: Hall, level: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever had lost one game read "1 rated games): level 0"."""
    rating = Rating("kuhn", 1, -100.0, -math.inf, 50.0, level)
    monkeypatch.setattr(pages, "ratings", lambda games: [rating])
    assert said in client_of(hall).get("/stats").text
