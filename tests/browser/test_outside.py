"""A game of a system that is installed beside probespiel, played by clicks without a page of its own."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.test_adding_a_system import Outside

from .conftest import Server
from .visit import READY, begin, click_through, page_of, serious


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that finds the package of the page on adding a system."""
    found = Server(tmp_path_factory.mktemp("data"), Outside(tmp_path_factory.mktemp("outside")).site)
    yield found
    found.stop()


@pytest.mark.parametrize(("width", "locale"), [(390, "de-DE"), pytest.param(1280, "en-US", marks=pytest.mark.slow)])
def test_a_game_of_an_outside_system(elsewhere: Server, chromium: Browser, width: int, locale: str) -> None:
    """From the list of games to the result, the recording, and a game that goes on from there."""
    with page_of(chromium, elsewhere.address, width, locale) as page:
        assert page.locator('a[href*="/new/morra"]').count()
        begin(page, elsewhere.address, "morra")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "wider than the screen"
        assert serious(page) == []
        assert page.locator("button.choice").count() == 2, "one finger or two"
        assert click_through(page, random.Random(1)) > 0
        page.click('.result a[href$="/view"]')
        page.wait_for_selector("#steps")
        assert serious(page) == []
        page.click(".steps li:nth-child(1) a")
        page.wait_for_selector(".steps li:nth-child(1) a[aria-current]")
        page.click('form[action$="/branch"] button')
        page.wait_for_selector(READY)
        assert page.locator("button.choice").count() == 2, "it goes on before its first choice"
