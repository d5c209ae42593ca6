"""Games over the wire, without a browser: what the tests of pages send and read."""

from __future__ import annotations

import re
import time

from starlette.testclient import TestClient

from probespiel.app.web.hall import Hall
from probespiel.app.web.room import Room
from probespiel.app.web.server import application

HOST = "http://127.0.0.1:8000"


def client_of(hall: Hall) -> TestClient:
    """A browser that has been at the lobby."""
    client = TestClient(application(hall), base_url=HOST, follow_redirects=False)
    assert client.get("/").status_code == 200
    return client


def token_of(client: TestClient) -> str:
    found = re.search(r'name="token" value="(\w+)"', client.get("/new/kuhn").text)
    assert found is not None
    return found[1]


def field(page: str, name: str) -> str:
    found = re.search(rf'<form id="act".*?name="{name}" value="(\w+)"', page, re.DOTALL)
    assert found is not None, page
    return found[1]


def new(client: TestClient, game: str = "kuhn", **fields: str) -> str:
    """Begin a game and wait for it; its path."""
    seed = "" if fields.get("rated") else "3"
    data = {"token": token_of(client), "game": game, "opponent": "random", "seed": seed, **fields}
    answer = client.post("/new", data=data)
    assert answer.status_code == 303, answer.text
    path = answer.headers["location"]
    for _ in range(3000):
        if "being prepared" not in client.get(path).text:
            return path
        time.sleep(0.05)
    raise AssertionError("the game is not ready")


def act(client: TestClient, path: str, **other: str) -> tuple[int, str]:
    """Send the first choice of a game's page, with some fields changed; status and page."""
    page = client.get(path).text
    action = re.search(r'name="action" value="(\d+)"', page)
    assert action is not None, page
    data = {name: field(page, name) for name in ("token", "seat", "stamp")} | {"action": action[1]} | other
    answer = client.post(f"{path}/act", data=data, headers={"hx-request": "true"})
    return answer.status_code, answer.text


def room_of(hall: Hall, path: str) -> Room:
    return hall._rooms[path.removeprefix("/game/")]
