"""The pages over the wire, without a browser: cookies, tokens, bad input, limits, and commands.

Over 500 lines because each test is a few lines on the same small server.
"""

from __future__ import annotations

import random
import re
import socket
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from probespiel.app.cli import run
from probespiel.app.naming import title_of
from probespiel.app.session.table import Table
from probespiel.app.web.guard import COOKIE, MAX_BODY, Limiter, host_name
from probespiel.app.web.hall import MAX_OF_ONE, Hall
from probespiel.app.web.room import BROKEN, OVER, PLAYING, Room
from probespiel.app.web.server import application
from probespiel.app.web.words import say
from probespiel.envs.oneshot.build.legal import perk_sets

from .conftest import Server
from .wire import HOST, act, client_of, field, new, room_of, token_of

# --- who may what


def test_headers_and_cookie(hall: Hall) -> None:
    client = TestClient(application(hall), base_url=HOST)
    first = client.get("/")
    cookie = first.headers["set-cookie"]
    assert re.match(rf"{COOKIE}=[\w-]{{43}}; ", cookie)
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and "Path=/" in cookie
    assert "set-cookie" not in client.get("/").headers
    for path in ("/", "/new/kuhn", "/nothing", "/static/style.css", "/game/0000000000000000"):
        policy = client.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert client.get(path).headers["x-content-type-options"] == "nosniff"
    assert "no-store" in first.headers["cache-control"]


def test_pages_hold_no_inline_script_or_style_and_no_foreign_address(hall: Hall) -> None:
    client = client_of(hall)
    pages = [client.get(path).text for path in ("/", "/new/einblatt-melee", "/nothing", new(client))]
    for page in pages:
        assert re.findall(r"<script(?! src=\"/static/)", page) == []
        assert re.findall(r"\son\w+=|\sstyle=|<style|javascript:", page) == []
        assert re.findall(r"(?:src|href|action)=\"(?!/|#)", page) == []


def test_a_game_belongs_to_its_cookie(hall: Hall) -> None:
    client, stranger = client_of(hall), client_of(hall)
    path = new(client)
    assert client.get(path).status_code == 200
    assert stranger.get(path).status_code == 404
    assert stranger.get(f"{path}/replay").status_code == 404
    page = client.get(path).text
    data = {name: field(page, name) for name in ("seat", "stamp")} | {"token": token_of(stranger), "action": "0"}
    for what in ("act", "undo", "hint", "uncover", "forget", "invite"):
        assert stranger.post(f"{path}/{what}", data=data).status_code == 404
    assert path not in stranger.get("/").text and path in client.get("/").text


@pytest.mark.parametrize("what", ["act", "undo", "hint", "uncover", "forget", "invite"])
def test_forms_need_their_token_and_origin(hall: Hall, what: str) -> None:
    client, stranger = client_of(hall), client_of(hall)
    path = new(client)
    page = client.get(path).text
    data = {name: field(page, name) for name in ("token", "seat", "stamp")} | {"action": "0"}
    url, before = f"{path}/{what}", room_of(hall, path).version
    for wrong in ({"token": ""}, {"token": token_of(stranger)}, {"token": "ü"}):
        assert client.post(url, data=data | wrong).status_code == 403
    for headers in ({"origin": "http://elsewhere.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        assert client.post(url, data=data, headers=headers).status_code == 403
    assert client.post(url, json=data).status_code == 415
    assert client.get(url).status_code == 405
    bare = TestClient(application(hall), base_url=HOST)
    assert bare.post(url, data=data).status_code == 403
    assert room_of(hall, path).version == before
    assert client.post(url, data=data, headers={"origin": HOST}).status_code in (200, 303)


def test_other_names_of_the_host_are_refused(hall: Hall) -> None:
    client = TestClient(application(hall), base_url=HOST)
    assert client.get("/", headers={"host": "rebound.example"}).status_code == 421
    assert client.get("/", headers={"host": "localhost:8000"}).status_code == 200
    assert [host_name(h) for h in ("[::1]:80", "A:1", "a", "")] == ["::1", "a", "a", ""]


def test_somebody_who_comes_from_elsewhere_keeps_the_cookie(hall: Hall) -> None:
    client = TestClient(application(hall), base_url=HOST)
    answer = client.get("/", headers={"sec-fetch-site": "cross-site"})
    assert "set-cookie" not in answer.headers and 'http-equiv="refresh"' in answer.text


# --- bad input


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"action": "99999"}, 409),
        ({"action": "-1"}, 400),
        ({"action": "x"}, 400),
        ({"action": "²"}, 400),
        ({"action": "9" * 5000}, 400),
        ({"action": ""}, 400),
        ({"seat": "1"}, 403),
        ({"seat": "-1"}, 400),
        ({"seat": "99"}, 403),
        ({"stamp": "0" * 16}, 200),
        ({"stamp": "'\"<script>"}, 200),
    ],
)
def test_wrong_decisions(hall: Hall, change: dict[str, str], status: int) -> None:
    client = client_of(hall)
    path = new(client)
    before = client.get(path).text
    got, page = act(client, path, **change)
    assert got == status and "Traceback" not in page and "<script>" not in page
    assert field(client.get(path).text, "stamp") == field(before, "stamp")


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"game": "nonsense"}, 404),
        ({"game": ""}, 404),
        ({"scenario": "../../etc/passwd"}, 422),
        ({"scenario": "file.json"}, 422),
        ({"opponent": "bot.py:Bot"}, 422),
        ({"opponent": "search:seconds=1e9"}, 422),
        ({"opponent": "level:0"}, 422),
        ({"opponent": "level:99"}, 422),
        ({"seconds": "nan"}, 422),
        ({"seconds": "1e99"}, 422),
        ({"seed": "-1"}, 422),
        ({"seed": "9" * 30}, 422),
        ({"seat": "nobody"}, 422),
        ({"module": "evil.py"}, 422),
        ({"options": "no_such=1"}, 422),
        ({"options": "kit=/etc/passwd"}, 422),
        ({"options": "x" * 5000}, 413),
        ({"options": "a=" + "[" * 3000}, 422),
    ],
)
def test_wrong_orders(hall: Hall, fields: dict[str, str], status: int) -> None:
    client = client_of(hall)
    data = {"token": token_of(client), "game": "kuhn", "opponent": "random", **fields}
    answer = client.post("/new", data=data)
    assert answer.status_code == status, answer.text
    assert "Traceback" not in answer.text and hall._rooms == {}


@pytest.mark.parametrize(
    "path",
    ["/new/x", "/new/%00", "/game/x", "/game/../../x", "/join/x", "/static/../guard.py", "/static/x", "/x" * 900],
)
def test_what_is_not_there(hall: Hall, path: str) -> None:
    answer = client_of(hall).get(path)
    assert 400 <= answer.status_code < 500 and "Traceback" not in answer.text


def test_languages_lead_nowhere_else(hall: Hall) -> None:
    client = client_of(hall)
    for back in ("//evil.example", "/\\evil.example", "http://evil.example", "\r\nx: y"):
        answer = client.get("/language", params={"to": "de", "back": back})
        assert answer.headers["location"] == "/"
    assert client.get("/language", params={"to": "fr"}).status_code == 400
    assert 'lang="de"' in client.get("/").text


def test_games_are_called_what_people_call_them(hall: Hall) -> None:
    """Names of the command line stand in addresses only; a game that is not known (any more) keeps its own."""
    client = client_of(hall)
    for lang, kuhn, melee in (("en", "Kuhn poker", "einBlatt: melee"), ("de", "Kuhn-Poker", "einBlatt: Getümmel")):
        client.get("/language", params={"to": lang, "back": "/"})
        page = client.get("/").text
        assert f">{kuhn}</a>" in page and f">{melee}</a>" in page and "<h3>OneShot</h3>" in page
        for path in ("/", "/new/kuhn", "/rules/kuhn", "/new/einblatt-melee"):
            text = re.sub(r"<[^>]*>", " ", client.get(path).text)
            assert not re.search(r"\b(kuhn|einblatt|oneshot)\b", text), path
    assert (title_of("oneshot", "de"), title_of("einblatt-gone", "de")) == ("OneShot", "einblatt-gone")


# --- limits


def test_sizes_are_limited(hall: Hall) -> None:
    client = client_of(hall)
    token = token_of(client)
    assert client.post("/new", data={"token": token, "options": "x" * MAX_BODY}).status_code == 413
    assert client.post("/new", data={f"f{i}": "" for i in range(500)}).status_code == 400
    assert client.get("/?" + "x" * 3000).status_code == 414


def test_rates_are_limited(hall: Hall) -> None:
    app = application(hall, limiter=Limiter(rate=0.01, burst=5))
    client, other = TestClient(app, base_url=HOST), TestClient(app, base_url=HOST)
    for one in (client, other):  # until it has a cookie, a browser is told from others by its address alone
        assert one.get("/").status_code == 200
    assert [client.get("/static/icon.svg").status_code for _ in range(6)] == [200] * 5 + [429]
    assert "Too many requests" in client.get("/").text
    assert other.get("/").status_code == 200, "others are not kept waiting"


def test_limiter() -> None:
    now = [0.0]
    limiter = Limiter(rate=2, burst=3, clock=lambda: now[0])
    assert [limiter.take("a") for _ in range(4)] == [True, True, True, False]
    assert limiter.take("b")
    now[0] = 0.6
    assert [limiter.take("a"), limiter.take("a")] == [True, False]


def test_games_of_one_browser_are_limited(hall: Hall) -> None:
    client = client_of(hall)
    path = new(client)
    room = room_of(hall, path)
    owner = next(iter(room.owners.values()))
    for number in range(MAX_OF_ONE):
        other = Room(f"{number:016x}", "kuhn", "standard", ("a",), {0: "human"}, {0: owner}, state=PLAYING)
        hall._rooms[other.id] = other
    assert client.post("/new", data={"token": token_of(client), "game": "kuhn"}).status_code == 409


# --- a game


def test_decisions_are_on_the_disk_before_the_answer(hall: Hall) -> None:
    client = client_of(hall)
    path = new(client, "einblatt-duel")
    for number in range(1, 3):
        assert act(client, path)[0] == 200
        file = room_of(hall, path).file
        assert file is not None and file.read_text().count('"Billy", "action"') >= number


def test_the_same_form_twice_counts_once(hall: Hall) -> None:
    client = client_of(hall)
    path = new(client, "einblatt-duel")
    page = client.get(path).text
    action = re.search(r'name="action" value="(\d+)"', page)
    assert action is not None
    data = {name: field(page, name) for name in ("token", "seat", "stamp")} | {"action": action[1]}
    assert client.post(f"{path}/act", data=data).status_code == 303
    again = client.post(f"{path}/act", data=data)
    assert again.status_code == 200 and "no longer the newest" in again.text
    table = room_of(hall, path).table
    assert table is not None
    assert sum(1 for step in table.replay().steps if step == (0, int(action[1]))) == 1


def test_a_game_is_taken_up_again_by_another_server(hall: Hall, tmp_path: Path) -> None:
    client = client_of(hall)
    path = new(client, "einblatt-duel")
    act(client, path)
    stamp = field(client.get(path).text, "stamp")
    hall.close(wait=True)
    second = Hall(tmp_path, workers=1)
    later = TestClient(application(second), base_url=HOST, cookies=dict(client.cookies))
    assert path in later.get("/").text
    page = later.get(path).text
    while '<form id="act"' not in page:
        time.sleep(0.02)
        page = later.get(path).text
    assert field(page, "stamp") == stamp
    assert act(later, path)[0] == 200
    second.close(wait=True)


def test_a_game_that_is_played_elsewhere_goes_on_when_that_is_over(hall: Hall, tmp_path: Path) -> None:
    """Whoever went on at a terminal could not come back: the page said for ever, in English, what stood in the file."""
    client = client_of(hall)
    path = new(client, "kuhn", opponent="human")
    journal = room_of(hall, path).file
    assert journal is not None
    hall.close(wait=True)
    terminal = Table.resume(journal)
    second = Hall(tmp_path, workers=1)
    later = TestClient(application(second), base_url=HOST, cookies=dict(client.cookies))
    later.get("/language", params={"to": "de", "back": "/"})
    while "schließe das zuerst" not in (page := later.get(path).text):
        time.sleep(0.02)
    assert "journal" not in page and f'id="retry" href="{path}"' in page
    assert later.get(path).text == page, "tried again only after a while"
    room = room_of(second, path)
    room.begun -= 2
    while "schließe das zuerst" not in later.get(path).text or room.state != BROKEN:
        time.sleep(0.02)
    terminal.close()
    room.begun -= 2
    while room.state != PLAYING:
        later.get(path)
        time.sleep(0.02)
    second.close(wait=True)


def test_a_game_of_other_rules_says_so_without_names_of_code(hall: Hall, tmp_path: Path) -> None:
    client = client_of(hall)
    path = new(client, "kuhn")
    journal = room_of(hall, path).file
    assert journal is not None
    hall.close(wait=True)
    journal.write_text(re.sub(r'"ruleset": "\w+"', '"ruleset": "0"', journal.read_text()))
    second = Hall(tmp_path, workers=1)
    later = TestClient(application(second), base_url=HOST, cookies=dict(client.cookies))
    while "being prepared" in (page := later.get(path).text):
        time.sleep(0.02)
    assert "This game cannot go on: " in page and "made by another version of them" in page
    assert ".py" not in page and "Error" not in page
    second.close(wait=True)


def test_the_lobby_counts_one_decision_as_one(hall: Hall) -> None:
    client = client_of(hall)
    table = room_of(hall, new(client)).table
    assert table is not None
    if not table.decisions:
        assert "· 0 decisions<" in client.get("/").text
        seat = table.waiting()[0]
        table.choose(seat, table.legal(seat)[0])
    assert table.decisions == 1 and "· 1 decision<" in client.get("/").text


def test_notes_that_are_damaged_are_left_alone(tmp_path: Path) -> None:
    notes = tmp_path / "browser"
    notes.mkdir()
    for number, text in enumerate(["", "[]", "{}", '{"id": 3}', "\x00", '{"id": "' + "0" * 16 + '"}']):
        (notes / f"{number:016x}.json").write_text(text)
    hall = Hall(tmp_path)
    assert hall._rooms == {} and len(list(notes.glob("*.json"))) == 6
    hall.close()


def test_a_replay_is_given_at_the_end_only(hall: Hall) -> None:
    client = client_of(hall)
    path = new(client, "einblatt-duel")
    assert client.get(f"{path}/replay").status_code == 409
    chance = random.Random(1)
    for _ in range(200):
        room = room_of(hall, path)
        if room.state != PLAYING:
            break
        table = room.table
        if table is not None and 0 in table.waiting():
            room.choose(0, room.stamp(0), chance.choice(table.legal(0)))
            hall.work(room)
        else:
            time.sleep(0.01)
    answer = client.get(f"{path}/replay")
    assert answer.status_code == 200 and answer.json()["game"] == "einblatt-duel"


# --- the commands


def test_serve_says_what_it_cannot_have(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        assert run(["serve", "--port", str(other.getsockname()[1])]) == 2
    assert "choose another address or port; port 0 is any that is free" in capsys.readouterr().err
    for nothing in ("", " "):  # sockets take it for every address of the machine
        assert run(["serve", "--host", nothing, "--port", "0"]) == 2
        assert f"--host {nothing!r} is no address: 127.0.0.1 for this machine" in capsys.readouterr().err
    assert run(["play", "kuhn", "--web", "--load", "x.json"]) == 2
    assert "--load" in capsys.readouterr().err


def test_play_in_the_browser_opens_the_door_of_a_new_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PROBESPIEL_DATA", str(tmp_path))
    halls: list[Hall] = []

    def instead(hall: Hall, **how: Any) -> None:
        halls.append(hall)
        how["tell"](how["path"])

    monkeypatch.setattr("probespiel.app.web.server.serve", instead)
    assert run(["play", "ews_rps", "--web", "--opponent", "human", "--seed", "5", "--scenario", "table_contest"]) == 0
    told = capsys.readouterr().out
    door = next(word for word in told.split() if word.startswith("/join/"))
    assert told == f"The game is at {door} and opens in your browser. Ctrl-C ends this; every decision is kept.\n"
    (hall,) = halls
    client = client_of(hall)
    assert "player" in client.get(door).text
    answer = client.post(door, data={"token": token_of(client)})
    room = room_of(hall, answer.headers["location"])
    assert answer.status_code == 303 and len(set(room.owners.values())) == 1 and len(room.owners) == 2
    assert client.get(door).status_code == 404
    hall.close(wait=True)
    assert room.file is None or room.file.is_relative_to(tmp_path)


def test_participants_are_named_together(hall: Hall) -> None:
    client = client_of(hall)
    path = new(client, "konfrontation-clash", opponent="first", seat="defender")
    page = client.get(path).text
    while 'name="pick"' not in page:
        assert act(client, path)[0] == 200
        page = client.get(path).text
    picks = re.findall(r'name="pick" value="(\d+)"', page)
    data = {name: field(page, name) for name in ("token", "seat", "stamp")} | {"set": "1"}
    wrong = client.post(f"{path}/act", data=data | {"pick": "84"})
    assert wrong.status_code == 200 and "nothing was done" in wrong.text and field(wrong.text, "stamp") == data["stamp"]
    assert client.post(f"{path}/act", data=data | {"pick": picks[::-1]}).status_code == 303
    table = room_of(hall, path).table
    assert table is not None
    taken = [step[1] for step in table.replay().steps if step[0] == int(data["seat"])]
    named = [int(pick) for pick in picks]
    assert [action for action in taken if action in named][-len(named) :] == named


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_set_is_named_thing_by_thing(hall: Hall, lang: str) -> None:
    """The set that is ticked is taken, whatever the language; what is no set changes nothing."""
    client = client_of(hall)
    path = new(client, "oneshot-build", opponent="first")
    client.get(f"/language?to={lang}&back=/")
    page = client.get(path).text
    assert page.count('type="checkbox" name="thing"') >= 7
    data = {name: field(page, name) for name in ("token", "seat", "stamp")} | {"things": "1"}
    for wrong in (["0", "1", "2", "3"], ["99"]):
        answer = client.post(f"{path}/act", data=data | {"thing": wrong})
        assert answer.status_code == 200 and say(lang, "wrong_set") in answer.text
        assert field(answer.text, "stamp") == data["stamp"]
    assert client.post(f"{path}/act", data=data | {"thing": ["2", "0"]}).status_code == 303
    table = room_of(hall, path).table
    assert table is not None
    perks = perk_sets(3)
    first = [perks[action] for action in range(len(perks)) if len(perks[action]) == 1]
    (mine, *_) = [step[1] for step in table.replay().steps if step[0] == int(data["seat"])]
    assert set(perks[mine]) == {first[0][0], first[2][0]}
    assert client.post(f"{path}/act", data=data | {"thing": ["0"]}).status_code == 200, "an old page"


def test_scenarios_are_called_by_words(hall: Hall) -> None:
    client = client_of(hall)
    page = client.get("/new/einblatt-duel?scenario=storm").text
    assert '<option value="storm" selected>Captain in the storm</option>' in page
    assert '<p id="scene">Six against six' in page
    path = new(client, "einblatt-duel", scenario="storm")
    assert "Captain in the storm" in client.get(path).text
    client.get("/language?to=de&back=/")
    assert "Kapitän im Sturm" in client.get(path).text and "Kapitän im Sturm" in client.get("/").text


def test_levels_stand_in_the_form(hall: Hall) -> None:
    client = client_of(hall)
    assert '<option value="level:1">' in client.get("/new/kuhn").text
    path = new(client, opponent="level:1", seconds="0.1")
    assert room_of(hall, path).cast[1].startswith("casual")


def test_taking_back_is_for_practice_alone(hall: Hall) -> None:
    client, other = client_of(hall), client_of(hall)
    rated, practice = new(client, "einblatt-duel", rated="1"), new(client, "einblatt-duel", opponent="human")
    act(client, rated)
    page = client.get(rated).text
    assert 'id="undo"' not in page
    data = {name: field(page, name) for name in ("token", "seat", "stamp")}
    answer = client.post(f"{rated}/undo", data=data)
    assert "Nothing can be taken back" in answer.text and field(answer.text, "stamp") == data["stamp"]
    assert 'id="hint"' not in page and 'id="hint"' in client.get(new(client)).text
    asked = client.post(f"{rated}/hint", data=data)
    assert asked.status_code == 409 and "This game is rated: there is no hint." in asked.text
    counted = room_of(hall, rated).table
    assert counted is not None and not counted.practice
    room = room_of(hall, practice)
    owner = next(iter(room.owners.values()))
    assert room.table is not None
    room.choose(0, room.stamp(0), room.table.legal(0)[0])
    assert room.may_undo(owner, 0)
    assert other.post(f"/join/{room.invite(1)}", data={"token": token_of(other)}).status_code == 303
    assert not room.may_undo(owner, 0), "somebody else plays along"


def test_a_form_is_another_one_after_every_decision(hall: Hall) -> None:
    """Once the listener has believed, nothing that it knows matters any more; the form of before is old even so."""
    client = client_of(hall)
    path = new(client, "oneshot-parley", scenario="lone_claim")
    room, used = room_of(hall, path), set[str]()
    table = room.table
    assert table is not None
    while not table.over:
        used.add(room.stamp(0))
        room.choose(0, room.stamp(0), table.legal(0)[0])
        assert room.stamp(0) not in used, "a page that waits for another one would wait for ever"
    assert len(used) == table.decided(0) == 2


def test_a_game_that_is_left_is_noted_no_more(hall: Hall) -> None:
    client = client_of(hall)
    path = new(client, "einblatt-duel")
    room, note = room_of(hall, path), hall.notes / f"{path.removeprefix('/game/')}.json"
    file = room.file
    assert note.exists() and file is not None
    assert client.post(f"{path}/forget", data={"token": token_of(client)}).status_code == 303
    assert not note.exists() and client.get(path).status_code == 404 and file.exists()
    hall.note(room)
    assert not note.exists()


@pytest.mark.slow
def test_killed_at_any_moment_a_server_has_lost_nothing(tmp_path: Path) -> None:
    server, chance = Server(tmp_path), random.Random(8)
    client = httpx.Client(base_url=server.address, timeout=60)
    token = re.search(r'name="token" value="(\w+)"', client.get("/new/kuhn").text)
    assert token is not None
    order = {"token": token[1], "game": "scorekeeper-duel", "opponent": "random", "seed": "3"}
    path, kills, confirmed, kept = "", 0, 0, 0
    while kills < 6:
        end = threading.Timer(chance.uniform(0.2, 1.0), server.kill)
        lived = 0  # decisions confirmed since the server was started
        try:
            while True:
                if end.ident is None and (kills < 2 or lived >= 3):  # twice at whatever moment, then amid the game
                    end.start()
                page = client.get(path).text if path else ""
                if not path or 'class="card result"' in page:
                    path, confirmed = client.post("/new", data=order).headers["location"], 0
                choices = re.findall(r'name="action" value="(\d+)"', page)
                if choices:
                    data = {name: field(page, name) for name in ("token", "seat", "stamp")}
                    answer = client.post(f"{path}/act", data=data | {"action": chance.choice(choices)})
                    confirmed += answer.status_code == 303
                    lived += answer.status_code == 303
        except httpx.TransportError:
            kills += 1
        end.join()
        server.start()
        page = client.get(path).text if path else ""
        while path and "being prepared" in page:
            time.sleep(0.1)
            page = client.get(path).text
        if 'class="card result"' not in page and path and client.get(path).status_code == 200:
            newest = max((tmp_path / "games").glob("*.journal"), key=lambda file: file.stat().st_mtime)
            assert newest.read_text().count('"seat": "derman"') >= confirmed
            kept += confirmed
        elif path and client.get(path).status_code == 404:  # killed before the game was begun
            assert confirmed == 0
            path = ""
    server.stop()
    client.close()
    assert kept > 10


def test_rules_are_told_as_they_are_played(hall: Hall) -> None:
    """Before a game in its scenario, in a game with its options; terms on the page are explained."""
    client = client_of(hall)
    page = client.get("/rules/kuhn").text
    assert "<h2>Aim</h2>" in page and "<code>ante</code> = 1" in page and "/new/kuhn?scenario=standard" in page
    assert "<table>" in client.get("/rules/scorekeeper-duel").text
    path = new(client, "kuhn", opponent="first", options="ante=2")
    own = client.get(f"{path}/rules").text
    assert "<code>ante</code> = 2" in own and f'href="{path}"' in own
    assert f'href="{path}/rules"' in client.get(path).text
    assert re.search(r"<dt>jack</dt><dd>\w+|<dt>queen</dt><dd>\w+|<dt>king</dt><dd>\w+", client.get(path).text)
    client.get("/language?to=de&back=/")
    assert "<h2>Ziel</h2>" in client.get("/rules/kuhn").text
    assert client.get("/rules/nothing").status_code == 404
    assert client.get("/rules/kuhn?scenario=nothing").status_code == 400
    assert client_of(hall).get(f"{path}/rules").status_code == 404, "a game belongs to its cookie"


def hinted(hall: Hall, game: str, told: str) -> str:
    """A page of a game on which a hint was asked for, once it says so."""
    client = client_of(hall)
    path = new(client, game, opponent="first")
    page = client.get(path).text
    data = {name: field(page, name) for name in ("token", "seat", "stamp")}
    assert client.post(f"{path}/hint", data=data).status_code == 303
    for _ in range(600):
        page = client.get(path).text
        if told in page:
            break
        time.sleep(0.1)
    return page


def test_a_hint_tells_values_with_their_intervals(hall: Hall) -> None:
    page = hinted(hall, "liars_dice", "A search would play")
    told = re.findall(r"((?:1 die|2 dice) showing \d) ([+-]\d\.\d{2,4}) ± (\d\.\d{2,4})", page)
    assert all(len(value) - 1 == len(reach) for _, value, reach in told)
    assert len({name for name, _, _ in told}) >= 2 and all(-1 <= float(value) <= 1 for _, value, _ in told)
    assert re.search(r"expected payoffs in [\d,]+ simulations", page)
    assert re.search(r'<span id="why">Why: [^<]*showing', page)


def test_a_hint_on_what_is_solved_tells_no_interval(hall: Hall) -> None:
    """Kuhn poker: between players who err in nothing either action of a jack is worth -1, and so on."""
    page = hinted(hall, "kuhn", "solved to the end")
    assert "A search would play" not in page and re.search("Best: |Among the best: ", page) and " ± " not in page
    told = dict(re.findall(r"(pass|bet) ([+-]\d\.\d{2,3})", page))
    assert set(told) == {"pass", "bet"} and max(map(float, told.values())) in (-1.0, -0.333, -0.33, 1.167, 1.17)
    assert re.search(r'<span id="why">Why: [^<]*(pass|bet)', page)


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "head"), [("en", "What the predictor believed of you"),
                                            ("de", "Was der Vorhersager von dir glaubte")])  # fmt: skip
def test_what_was_believed_reaches_the_browser_at_the_end_alone(hall: Hall, lang: str, head: str) -> None:
    """In a rated game, too: no byte of it before, whoever reads; then the page and the viewer's last step show it."""
    client = client_of(hall)
    path = new(client, "ews_rps", scenario="even_contest", opponent="counter", rated="1")
    client.cookies.set("language", lang)
    page = client.get(path).text
    while room_of(hall, path).state != OVER:
        assert "predictor" not in page and "Vorhersager" not in page
        if 'name="action"' in page:
            act(client, path)
        time.sleep(0.1)  # no visitor may ask without a pause
        page = client.get(path).text
    assert f"<h2>{head}</h2>" in page and page.count('class="card insight"') == 2
    steps = len(hall.course(room_of(hall, path)))
    before = client.get(f"{path}/view?step={steps - 1}&seat=player").text
    assert "What the predictor believed" not in before and "Was der Vorhersager" not in before
    named = {"en": "What the predictor believed: player", "de": "Was der Vorhersager glaubte: Spieler"}[lang]
    assert named in client.get(f"{path}/view?step={steps}&seat=player").text, "a recording names the seat"


def test_a_page_says_what_it_is_about_until_somebody_has_chosen(hall: Hall) -> None:
    """On the page of a game stood no aim at all; before the first choice it is open, afterwards folded up."""
    client = client_of(hall)
    path = new(client, "leduc")
    page = client.get(path).text
    assert re.search(r'<details class="card" id="aim" open>.*?Win chips: with a card of the rank', page, re.DOTALL), (
        page
    )
    assert '<details class="card" id="about"><summary>' in act(client, path)[1]
