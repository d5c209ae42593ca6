"""The lesson of every system in the browser, as it is taught and otherwise, from the form of a game to its end."""

from __future__ import annotations

import os
import re

import pytest
from markupsafe import escape
from playwright.sync_api import Browser

from probespiel.app.web.hall import Hall
from probespiel.app.web.lessons import course_of
from probespiel.envs.core.registry import system, system_names
from probespiel.envs.core.rulebook import tutorial_of

from .conftest import Server
from .visit import page_of, serious
from .wire import client_of

TAUGHT = [name for name in system_names() if tutorial_of(name) is not None]
PICTURES = os.environ.get("LESSON_PICTURES", "")  # a folder for pictures of all pages


QUICK = ("einblatt", "kuhn")  # one with a screen of its own, and one without
PLACES = [
    pytest.param(name, width, locale, marks=[] if width == 1280 and name in QUICK else pytest.mark.slow)
    for name in TAUGHT for width, locale in ((1280, "en-US"), (390, "de-DE"))
]  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("name", TAUGHT)
def test_what_a_lesson_tells(hall: Hall, name: str, lang: str) -> None:
    """Every page of it over the wire, whichever action is chosen: what it says, what is taught in sight, the end."""
    found = course_of(name, lang)
    assert found is not None
    tutorial, course = found
    client = client_of(hall)
    client.headers["accept-language"] = lang
    path, others, right = f"/learn/{system(name).games[0]}", 0, 0
    page = client.get(path).text
    assert told(tutorial.intro) in page and f'<html lang="{lang}"' in page
    for number, moment in enumerate(course[:-1]):
        assert moment.step is not None
        assert f'<p id="comment">{told(moment.step.comment)}</p>' in page
        choices = [int(action) for action in re.findall(r'<button form="lesson" name="action" value="(\d+)"', page)]
        assert sorted(choices) == sorted(moment.position.legal(tutorial.seat))
        open_ones = re.sub(r'<details id="g\d+">.*?</details>', "", page, flags=re.DOTALL)
        assert f'name="action" value="{moment.action}"' in open_ones, "what is taught can be seen at once"
        other = next((action for action in choices if action != moment.action), None)
        for action in {moment.action, other} - {None}:
            page = client.get(f"{path}?step={number + 1}&action={action}").text
            assert 'id="answer"' in page and (told(moment.step.why) in page) == (action != moment.action)
            others, right = others + (action != moment.action), right + (action == moment.action)
    assert (
        f'<p id="outro">{told(tutorial.outro)}</p>' in page
        and page.count("<li>", page.index('class="card result"')) > 1
    )
    assert right == len(course) - 1 and others > 0


def told(text: str) -> str:
    """A text as a page holds it."""
    return str(escape(text))


@pytest.mark.parametrize(("name", "width", "locale"), PLACES)
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


def test_addresses_of_lessons_that_are_not_there(hall: Hall) -> None:
    client = client_of(hall)
    for path, status in (
        ("/learn/goofspiel", 404),
        ("/learn/chess", 400),
        ("/learn/kuhn?step=99", 404),
        ("/learn/kuhn?step=-1", 400),
        ("/learn/kuhn?step=1&action=x", 400),
        ("/learn/kuhn?step=1&action=77", 200),  # no such action: nothing is said of it
    ):
        answer = client.get(path)
        assert answer.status_code == status, path
        assert 'id="answer"' not in answer.text
    assert 'id="learn"' in client.get("/new/kuhn").text and 'id="learn"' not in client.get("/new/goofspiel").text
