"""Clicks that fail: each says why, in the language of the page, with a way on, and accessibly; none is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from probespiel.app.web.guard import COOKIE
from probespiel.app.web.hall import Hall
from probespiel.app.web.room import PREPARING
from probespiel.app.web.words import say

from .conftest import Server
from .visit import READY, newer, serious, stamp
from .wire import act, client_of, field, new, room_of, token_of

GERMAN_SLOW = [("en-US", "en"), pytest.param("de-DE", "de", marks=pytest.mark.slow)]  # some five seconds each


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may kill."""
    found = Server(tmp_path)
    yield found
    found.stop()


def opened(page: Page, address: str, game: str) -> str:
    """A game by its form, ready to be played; its address."""
    page.goto(f"{address}/new/{game}")
    page.select_option("[name=opponent]", "random")
    page.click("main form[method=post] button.primary")
    page.wait_for_selector(READY, timeout=300_000)
    return page.url


def removed(page: Page) -> None:
    """Take the game off the list in another tab."""
    other = page.context.new_page()
    other.goto(page.url.split("/game/")[0])
    other.click(f"form[action='/game/{page.url.split('/game/')[1]}/forget'] button")
    other.wait_for_load_state()
    other.close()


# what happens before the click, what is told, and whether a way leads back to the game
FAILURES: list[tuple[Callable[[Page], object], str, bool]] = [
    (lambda page: page.evaluate("document.querySelector('button.choice').value = '999'"), "not_possible", True),
    (
        lambda page: page.evaluate("document.querySelectorAll('[name=token]').forEach(e => e.value = 'x')"),
        "foreign_form",
        True,
    ),
    (lambda page: page.context.clear_cookies(name=COOKIE), "no_cookie", False),
    (removed, "not_found", False),
]


@pytest.mark.parametrize(("locale", "lang"), GERMAN_SLOW)
def test_a_failed_click_says_why_and_leads_on(server: Server, chromium: Browser, locale: str, lang: str) -> None:
    for spoil, key, back in FAILURES:
        with chromium.new_context(viewport={"width": 390, "height": 844}, locale=locale) as context:
            page = context.new_page()
            place = opened(page, server.address, "kuhn")
            spoil(page)
            page.locator("button.choice").first.click()
            page.wait_for_selector("[role=alert]")
            assert page.inner_text("[role=alert]") == say(lang, key)
            assert page.evaluate("document.activeElement.id") == "now", "a screen reader begins to read there"
            assert serious(page) == [] and page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert page.locator("#again").count() == back
            if back:
                page.click("#again")
                page.wait_for_selector("button.choice")
                assert page.url == place


@pytest.mark.parametrize(("locale", "lang"), GERMAN_SLOW)
def test_a_server_that_is_gone_is_told_and_a_click_after_it_comes_back_counts(
    own_server: Server, chromium: Browser, locale: str, lang: str
) -> None:
    """A click on the page of a server that did not answer did nothing, and the first one after that was dropped."""
    with chromium.new_context(viewport={"width": 390, "height": 844}, locale=locale) as context:
        page = context.new_page()
        opened(page, own_server.address, "einblatt-duel")
        assert not page.is_visible("#offline")
        own_server.kill()
        page.locator("button.choice").first.click()
        page.wait_for_selector("#offline:not(:empty)")
        assert page.inner_text("#offline") == say(lang, "offline") and serious(page) == []
        own_server.start()
        old = stamp(page)
        page.locator("button.choice").first.click()
        newer(page, old)
        page.wait_for_selector("button.choice")
        assert page.locator(".notice").count() == 0 and not page.is_visible("#offline")


def test_a_game_that_is_taken_up_again_is_waited_for_or_said_to_come(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said that the page was no longer the newest, which it was."""
    monkeypatch.setattr("probespiel.app.web.pages.WAKING", 0.1)
    client = client_of(hall)
    path = new(client)
    page, room = client.get(path).text, room_of(hall, path)
    data = {name: field(page, name) for name in ("token", "seat", "stamp")} | {"action": "0"}
    room.state = PREPARING
    answer = client.post(f"{path}/act", data=data, headers={"hx-request": "true"})
    assert say("en", "waking") in answer.text and say("en", "stale") not in answer.text


def test_a_way_leads_back_to_the_game_alone(hall: Hall) -> None:
    client = client_of(hall)
    path = new(client)
    assert f'id="again" href="{path}"' in act(client, path, action="999")[1]
    assert client.get(f"{path}/replay").status_code == 409 and f'href="{path}"' in client.get(f"{path}/replay").text
    for answer in (client.get("/nothing/at/all"), client.post("/new", data={"token": "x"})):
        assert answer.status_code in (403, 404) and 'id="again"' not in answer.text
    assert client.post(f"{path}/forget", data={"token": token_of(client)}).status_code == 303
    assert 'id="again"' not in client.get(f"{path}/view").text


@pytest.mark.parametrize(("width", "shown"), [(390, True), (1280, False)])
def test_a_link_leads_down_to_what_has_happened(server: Server, chromium: Browser, width: int, shown: bool) -> None:
    """On a phone it stands below a long list of choices; nobody knew what had come of a bid."""
    with chromium.new_context(viewport={"width": width, "height": 844}, locale="en-US") as context:
        page = context.new_page()
        opened(page, server.address, "goofspiel")
        assert page.locator(".jump").count() == 0, "nothing was decided yet"
        old = stamp(page)
        page.locator("button.choice").first.click()
        newer(page, old)
        assert page.is_visible(".jump") == shown
        if shown:
            page.click(".jump")
            assert page.evaluate("document.getElementById('since').getBoundingClientRect().top < 400")
