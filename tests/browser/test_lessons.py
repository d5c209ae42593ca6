"""The lesson of every system in the browser, as it is taught and otherwise, from the form of a game to its end."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import Browser

from probespiel.app.web.lessons import course_of
from probespiel.envs.core.registry import system, system_names
from probespiel.envs.core.rulebook import tutorial_of

from .conftest import Server
from .visit import page_of, serious

TAUGHT = [name for name in system_names() if tutorial_of(name) is not None]
PICTURES = os.environ.get("LESSON_PICTURES", "")  # a folder for pictures of all pages


@pytest.mark.parametrize(("width", "locale"), [(1280, "en-US"), pytest.param(390, "de-DE", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", TAUGHT)
def test_a_lesson_is_played_to_its_end(server: Server, chromium: Browser, name: str, width: int, locale: str) -> None:
    """Every second time another action than the taught one is chosen: the reason is told, and it goes on."""
    lang = locale[:2]
    found = course_of(name, lang)
    assert found is not None
    tutorial, course = found
    with page_of(chromium, server.address, width, locale) as page:
        page.goto(f"{server.address}/new/{system(name).games[0]}")
        page.click("#learn")
        assert tutorial.intro in page.inner_text("main")
        for number, moment in enumerate(course[:-1]):
            assert moment.step is not None
            if PICTURES:
                page.screenshot(path=f"{PICTURES}/{name}-{lang}-{width}-{number}.png", full_page=True)
            assert page.inner_text("#comment") == moment.step.comment
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "wider than the screen"
            assert number > 1 or serious(page) == []
            shown = page.locator("button.choice:visible")
            ids = [shown.nth(n).get_attribute("value") for n in range(shown.count())]
            assert str(moment.action) in ids, "what is taught can be seen at once"
            others = [one for one in ids if one != str(moment.action)]
            other = number % 2 == 1 and bool(others)
            page.click(f"button.choice[value='{others[0] if other else moment.action}']:visible")
            page.wait_for_selector("#answer")
            assert (moment.step.why in page.inner_text("main")) == other
        assert page.inner_text("#outro") == tutorial.outro and page.locator(".result li").count() >= 2
        assert serious(page) == []
        if PICTURES:
            page.screenshot(path=f"{PICTURES}/{name}-{lang}-{width}-end.png", full_page=True)
        page.click(".result a.primary")
        page.wait_for_selector("main form[method=post]")  # its address is there before the page is
        assert page.locator("main form[method=post]").count() == 1


def test_addresses_of_lessons_that_are_not_there(server: Server, chromium: Browser) -> None:
    with chromium.new_context() as context:
        page = context.new_page()
        for path, status in (
            ("/learn/goofspiel", 404),
            ("/learn/chess", 400),
            ("/learn/kuhn?step=99", 404),
            ("/learn/kuhn?step=-1", 400),
            ("/learn/kuhn?step=1&action=x", 400),
            ("/learn/kuhn?step=1&action=77", 200),  # no such action: nothing is said of it
        ):
            answer = page.goto(f"{server.address}{path}")
            assert answer is not None and answer.status == status, path
            assert page.locator("#answer").count() == 0
        page.goto(f"{server.address}/new/goofspiel")
        assert page.locator("#learn").count() == 0
