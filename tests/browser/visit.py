"""What the tests of pages do in a browser: begin games, click choices, and see that nothing goes wrong meanwhile."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

AXE = Path(__file__).parent / "axe.min.js"
READY = "button.choice:visible, #single summary:visible, .result, #uncover, [role=alert]"


@contextmanager
def page_of(browser: Browser, address: str, width: int = 1280, locale: str = "en-US", **more: Any) -> Iterator[Page]:
    """A page of a fresh browser; in the end there was no error on the console and no request to another host."""
    context = browser.new_context(viewport={"width": width, "height": 900}, locale=locale, **more)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith(address) else wrong.append(request.url))
    page.set_default_timeout(60_000)
    page.goto(f"{address}/")
    yield page
    assert wrong == []
    context.close()


def begin(page: Page, address: str, game: str, opponent: str = "random", scenario: str = "") -> None:
    """Begin a game by its form, and wait until it can be played."""
    page.goto(f"{address}/new/{game}" + (f"?scenario={scenario}" if scenario else ""))
    page.select_option("[name=opponent]", opponent)
    page.click("details summary")
    page.fill("[name=seed]", "3")
    page.click("main form[method=post] button.primary")
    page.wait_for_selector(READY, timeout=300_000)
    assert page.locator("[role=alert]").count() == 0, page.inner_text("[role=alert]")


def stamp(page: Page) -> str:
    """What the forms of a page carry."""
    return page.get_attribute("#act [name=stamp]", "value") or ""


def newer(page: Page, old: str) -> None:
    """Wait until the page is another one than that of a stamp, and something can be done or is over."""
    page.wait_for_function(
        """old => { const it = document.querySelector('#act [name=stamp]');
                    return (!it || it.value !== old) && document.querySelector('button.choice, .result, #uncover') }""",
        arg=old,
    )


def keys_of(page: Page) -> list[str]:
    """The number keys of the choices, from the top of the page; one that is shown twice counts once."""
    return page.evaluate("[...new Set([...document.querySelectorAll('[data-key]')].map(e => e.dataset.key))]")


def named_by(page: Page, keys: list[str]) -> bool:
    """Whether every choice says the number of its key, but perhaps one whose key is 0."""
    said = page.evaluate("[...document.querySelectorAll('[data-key]')].map(e => [e.dataset.key, e.innerText])")
    missing = {key for key, text in said if key not in text.split("\n")[0].split()}
    return missing <= {"0"} and len(keys) > 1


def click_through(
    page: Page,
    chance: random.Random,
    most: int = 2_000,
    look: Callable[[], bool] = lambda: False,
    wanted: str = "button.choice",
) -> int:
    """Click one choice after the other until the game is over; the number of decisions.

    `look` is called on every page and ends it by True; choices that are not `wanted` are taken if there is no other.
    """
    for number in range(most):
        page.wait_for_selector(READY)
        if look():
            return number
        if page.locator("#uncover").count():
            page.click("#uncover")
            page.wait_for_selector("button.choice, .result")
            continue
        if page.locator(".result").count():
            return number
        if page.locator("#single:not([open])").count():
            page.click("#single summary")
        keys = keys_of(page)
        follows = keys == [str(key) for key in range(1, len(keys) + 1)]
        assert follows or named_by(page, keys), "the keys neither follow the page nor are named by the choices"
        old, choices = stamp(page), page.locator(wanted)
        if not choices.count():
            choices = page.locator("button.choice")
        if page.locator("#bid-slider").count():
            page.fill("#bid-slider", str(chance.randint(0, int(page.get_attribute("#bid-slider", "max") or 0))))
        choices.nth(chance.randrange(choices.count())).click()
        newer(page, old)
    raise AssertionError(f"not over after {most} decisions")


def serious(page: Page) -> list[str]:
    """What axe-core finds on a page that is serious or critical. It is put in past the page's own policy."""
    session = page.context.new_cdp_session(page)
    session.send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    found = session.send(
        "Runtime.evaluate",
        {
            "expression": "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.filter(v => "
            "['serious', 'critical'].includes(v.impact)).map(v => v.id + ': ' + v.nodes.map(n => "
            "n.html + ' ' + n.failureSummary).join(' | ')))",
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    session.detach()
    assert "value" in found["result"], found
    return found["result"]["value"]
