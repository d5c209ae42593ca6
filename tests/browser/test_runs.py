"""Runs in the browser: every answer is kept at once, their games count when they are over, and others see nothing."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from starlette.testclient import TestClient

from probespiel.app.session import solo
from probespiel.app.session.solo import Host, Score, Setting, SoloRun
from probespiel.app.web.hall import Hall
from probespiel.app.web.runs import MAX_OPEN
from probespiel.app.web.server import application
from probespiel.envs.core.registry import make_game

from .conftest import Server
from .visit import READY, click_through, page_of, serious
from .wire import HOST, act, client_of, room_of, token_of


def course(host: Host) -> Score:
    """A choice, a game, a choice between two games, and the other game."""
    host.tell(host.text("two games of kuhn", "zwei Spiele kuhn"))
    points = 10.0 * host.pick(host.text("how?", "wie?"), ["carefully", "boldly", "not at all"])
    for number in (1, 2):
        found = host.game(
            lambda: make_game("kuhn", compiled=False, ante=2).spec,
            lambda game: {0: "human", 1: "human"} if host.settings["both"] == "yes" else {0: "human", 1: "random"},
            number,
            lambda position: {"payoff": float(position.returns()[0])},
        )
        points += found["payoff"]
        host.tell(f"game {number}: {found['payoff']:+g}")
        if number == 1:
            host.pick(host.text("go on?", "weiter?"), ["yes", "of course"])
    return Score(points, host.text(f"{points:+g} points", f"{points:+g} Punkte"))


BOTH = Setting(
    ("who plays the other seat", "wer den anderen Platz spielt"),
    {"no": ("chance", "der Zufall"), "yes": ("you", "du")},
)


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    """The game of kuhn is played as a run."""
    if "server" not in request.fixturenames:
        run = SoloRun(("two games", "zwei Spiele"), course, {"both": BOTH})
        for module in ("runs", "runpages", "pages"):
            monkeypatch.setattr(f"probespiel.app.web.{module}.run_of", lambda system: run)
            monkeypatch.setattr(f"probespiel.app.web.{module}.systems_with_runs", lambda: ["kuhn"])
    yield


def begun(client: TestClient, both: str = "no") -> str:
    data = {"token": token_of(client), "system": "kuhn", "setting:both": both}
    answer = client.post("/runs", data=data)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def answered(client: TestClient, path: str, place: int, **other: str) -> tuple[int, str]:
    """Answer the choice of a page; status and page."""
    at = re.search(r'name="at" value="(\d+)"', client.get(path).text)
    assert at is not None
    data = {"token": token_of(client), "at": at[1], "place": str(place)} | other
    answer = client.post(f"{path}/answer", data=data, headers={"hx-request": "true"})
    return answer.status_code, answer.text


def to_game(client: TestClient, path: str) -> str:
    """Go to the game of a run and wait for it; its path."""
    answer = client.post(f"{path}/play", data={"token": token_of(client)})
    assert answer.status_code == 303, answer.text
    game = answer.headers["location"]
    while "being prepared" in client.get(game).text:
        time.sleep(0.02)
    return game


def played(client: TestClient, game: str) -> str:
    """Play a game to its end; its last page."""
    for _ in range(100):
        page = client.get(game).text
        if 'class="card result"' in page:
            return page
        if '<form id="act"' in page and 'class="choice' in page:
            assert act(client, game)[0] == 200
        else:
            time.sleep(0.02)
    raise AssertionError("the game does not end")


def entries(hall: Hall) -> list[dict[str, object]]:
    (file,) = (hall.base / "runs").glob("*.run")
    return [json.loads(line) for line in file.read_text().splitlines()[1:]]


def test_a_run_from_its_first_choice_to_its_score(hall: Hall) -> None:
    client = client_of(hall)
    assert "two games" in client.get("/").text and "who plays the other seat" in client.get("/runs/kuhn").text
    path = begun(client)
    page = client.get(path).text
    assert "two games of kuhn" in page and "how?" in page and page.count('name="place"') == 3
    assert answered(client, path, 3)[0] == 400 and answered(client, path, 1, at="7")[0] == 200
    assert entries(hall) == []
    status, page = answered(client, path, 2)
    assert status == 200 and 'id="play"' in page and entries(hall) == [{"pick": 2}]
    assert client.post(f"{path}/back", data={"token": token_of(client), "at": "1"}).status_code == 303
    assert entries(hall) == []
    assert "boldly" in answered(client, path, 1)[1], "what was chosen stands on the page"
    game = to_game(client, path)
    assert to_game(client, path) == game, "it is begun once"
    assert entries(hall)[1:] == [{"game": room_of(hall, game).file.stem}]  # type: ignore[union-attr]
    assert "under way" in client.get(path).text and f'href="{path}"' in client.get(game).text
    assert f'href="{path}">On with the run' in played(client, game)
    page = client.get(path).text
    assert "game 1:" in page and "go on?" in page and list(entries(hall)[2]) == ["outcome"]
    assert client.post(f"{path}/back", data={"token": token_of(client), "at": "3"}).status_code == 400
    assert answered(client, path, 0)[0] == 200
    second = to_game(client, path)
    assert second != game
    played(client, second)
    client.get("/language?to=de&back=/")
    page = client.get(path).text
    (ended,) = solo.ended(hall.base / "runs")
    assert f"{ended.points:+g} Punkte" in page and ended.system == "kuhn"
    assert not list((hall.base / "runs").glob("*.run"))
    assert f"{ended.points:+g} Punkte" in client.get("/").text and "Läufe 1" in client.get("/stats").text
    assert client_of(hall).get(path).status_code == 404, "a run belongs to its cookie"


def test_a_run_goes_on_in_another_server_and_after_its_game_was_removed(hall: Hall) -> None:
    client = client_of(hall)
    path = begun(client, both="yes")
    assert answered(client, path, 0)[0] == 200
    game = to_game(client, path)
    assert 'id="uncover"' not in client.get(game).text and 'id="invite"' not in client.get(game).text, (
        "it is one person"
    )
    assert act(client, game)[0] == 200
    assert client.post(f"{game}/forget", data={"token": token_of(client)}).status_code == 303
    (name,) = (entry["game"] for entry in entries(hall) if "game" in entry)
    again = to_game(client, path)
    assert again != game and room_of(hall, again).file.stem == name  # type: ignore[union-attr]
    hall.close(wait=True)
    second = Hall(hall.base, workers=1)
    later = TestClient(application(second), base_url=HOST, cookies=dict(client.cookies), follow_redirects=False)
    assert to_game(later, path) == again
    assert room_of(second, again).table.decisions >= 1  # type: ignore[union-attr]
    room_of(second, again).close()
    played(later, again)
    second.close(wait=True)
    third = Hall(hall.base, workers=1)  # over, but nobody has looked at the run since
    last = TestClient(application(third), base_url=HOST, cookies=dict(client.cookies), follow_redirects=False)
    assert "game 1:" in last.get(path).text
    third.close(wait=True)


def test_a_game_whose_file_is_lost_is_begun_again(hall: Hall) -> None:
    client = client_of(hall)
    path = begun(client)
    assert answered(client, path, 0)[0] == 200
    game = to_game(client, path)
    file = room_of(hall, game).file
    assert client.post(f"{game}/forget", data={"token": token_of(client)}).status_code == 303
    assert file is not None
    file.unlink()
    played(client, to_game(client, path))
    assert "game 1:" in client.get(path).text and [next(iter(entry)) for entry in entries(hall)] == [
        "pick", "game", "game", "outcome",
    ]  # fmt: skip


def test_runs_are_limited_and_removed(hall: Hall) -> None:
    client = client_of(hall)
    paths = [begun(client) for _ in range(MAX_OPEN)]
    data = {"token": token_of(client), "system": "kuhn"}
    assert client.post("/runs", data=data).status_code == 409
    answered(client, paths[0], 0)
    game = to_game(client, paths[0])
    assert client.post(f"{paths[0]}/forget", data=data).status_code == 303
    assert client.get(paths[0]).status_code == 404 and client.get(game).status_code == 404
    assert client.post("/runs", data=data | {"setting:both": "perhaps"}).status_code == 400
    assert client.post("/runs", data=data | {"setting:luck": "much"}).status_code == 400
    assert client.get("/runs/nothing").status_code == 404 and client.get("/run/nothing").status_code == 404
    assert client.post("/runs", data={"system": "kuhn"}).status_code == 403


def test_notes_of_runs_that_are_damaged_are_left_alone(tmp_path: Path) -> None:
    notes = tmp_path / "browser" / "runs"
    notes.mkdir(parents=True)
    whole = {"id": "0" * 16, "owner": "a" * 64, "system": "kuhn", "file": "../../x.run", "made": 1.0}
    for number, text in enumerate(["", "[]", "{}", '{"id": 3}', json.dumps(whole)]):
        (notes / f"{number:016x}.json").write_text(text)
    hall = Hall(tmp_path)
    client = client_of(hall)
    assert client.get(f"/run/{'0' * 16}").status_code == 404 and client.get("/").status_code == 200
    hall.close()


@pytest.mark.parametrize("lang", ["en", "de"])
def test_what_a_run_offers_is_explained_beside_it(hall: Hall, monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    monkeypatch.undo()  # the run of missions itself, with its own choices
    client = client_of(hall)
    client.get(f"/language?to={lang}&back=/")
    path = client.post("/runs", data={"token": token_of(client), "system": "oneshot"}).headers["location"]
    page = client.get(path).text
    assert page.count("<dt>") >= 4 and ("The aim" if lang == "en" else "Das Ziel") in page
    answered(client, path, 0)
    page = answered(client, path, 6)[1]
    terms = re.search(r'id="terms".*?</dl>', page, re.S)
    assert terms is not None and terms[0].count(". A perk." if lang == "en" else ". Ein Spezifikum.") == 8
    assert ("(chosen: 0 of at most 3)" if lang == "en" else "(gewählt: 0 von höchstens 3)") in page
    answered(client, path, 1)
    page = answered(client, path, 0)[1]
    assert ("(gewählt" if lang == "de" else "(chosen") in page and 'id="picked"' in page


@pytest.mark.slow
@pytest.mark.parametrize(("width", "locale", "scheme"), [(1280, "en-US", "light"), (390, "de-DE", "dark")])
def test_a_run_of_missions_by_clicks(server: Server, chromium: Browser, width: int, locale: str, scheme: str) -> None:
    """Two heroes, one of them bought; two missions, points spent between them, and retired."""
    chance = random.Random(3)
    with page_of(chromium, server.address, width, locale, color_scheme=scheme) as page:
        page.goto(f"{server.address}/runs/oneshot")
        assert serious(page) == []
        page.click("main button.primary")
        missions, choices = 0, 0
        while missions < 2 or not page.locator("a[href='/runs/oneshot']").count():
            page.wait_for_selector("button.choice, #play, .result")
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "wider than the screen"
            narrow = "[...document.querySelectorAll('#picked dd')].filter(it => it.clientWidth < 100).length"
            assert page.evaluate(narrow) == 0, "choices that were taken stand letter by letter"
            assert serious(page) == []
            if page.locator("#play").count():
                page.click("#play")
                page.wait_for_selector(READY, timeout=300_000)
                click_through(page, chance)
                missions += 1
                page.click(".result a.primary")
                continue
            if page.locator(".result").count():
                break  # the party has fallen
            buttons, at = page.locator("button.choice"), page.input_value("[name=at] >> nth=0")
            question = page.inner_text("#now")
            place = chance.randrange(buttons.count())
            if choices == 0:
                place = 1
            elif choices == 1:
                place = buttons.count() - 1
            elif question.startswith(("So far", "Bisher")):
                place = int(missions == 2)
            buttons.nth(place).click()
            choices += 1
            page.wait_for_function(
                "at => !document.querySelector('[name=at]') || document.querySelector('[name=at]').value !== at", arg=at
            )
        assert missions >= 1 and choices > 6
        page.goto(f"{server.address}/stats")
        assert "oneshot" in page.inner_text("main") and serious(page) == []
