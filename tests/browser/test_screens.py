"""Every screen of every game, in both languages, wide and narrow, light and dark: nothing serious, nothing cut off."""

from __future__ import annotations

import random
from itertools import count
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from probespiel.envs.core.registry import systems

from .conftest import Server
from .visit import begin, click_through, page_of, serious

MOST, LONG = 8, 60  # kinds of pages that are looked at in a game, and decisions that are taken
WAYS = [(1280, "light"), (390, "dark"), (390, "light"), (1280, "dark")]
# What is on a page, without its numbers: pages that have the same are of one kind.
KIND = """() => [...new Set([...document.querySelectorAll('main [class], main [id]')]
  .flatMap(e => [...e.classList, e.tagName]).map(name => name.replace(/\\d+/g, '')))].sort().join(' ')"""
# The elements that reach beyond the window, outside of boxes that are scrolled by themselves.
BEYOND = """() => [...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1
  && !e.closest('.scroll, .wide, .told, svg')).slice(-2).map(e => e.outerHTML.slice(0, 150))"""
# A choice that does not end all at once.
WANTED = "button.choice:not(:text-matches('abort|abbrechen|surrender|aufgeben|retreat|flee', 'i'))"


def looked_at(page: Page, ways: list[tuple[int, str]]) -> list[str]:
    """What is wrong with a page in some ways of showing it, with all that can be unfolded open."""
    found = []
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    for width, scheme in ways:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        name = f"{urlsplit(page.url).path} at {width} px, {scheme}"
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            found.append(f"{name}: {wide} px wide: {page.evaluate(BEYOND)}")
        found += [f"{name}: {wrong}" for wrong in serious(page)]
    return found


def in_both_languages(page: Page, ways: list[tuple[int, str]]) -> list[str]:
    """What is wrong with a page in both languages."""
    found, path = [], urlsplit(page.url).path
    for lang in ("de", "en"):
        page.goto(f"{page.url.split('/', 3)[0]}//{urlsplit(page.url).netloc}/language?to={lang}&back={path}")
        page.wait_for_selector("main")
        found += looked_at(page, ways)
    page.set_viewport_size({"width": 1280, "height": 900})
    return found


def scenarios(*names: str) -> list[tuple[str, str]]:
    """Every registered game, and some more scenarios of them."""
    games = [(game, "") for system in systems() for game in system.games]
    return games + [(name.split("/")[0], name.split("/")[1]) for name in names]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "scenario"),
    scenarios(
        "oneshot-mission/heist", "oneshot-mission/last_stand", "oneshot-skirmish/party_battle", "oneshot-parley/claim",
        "konfrontation-campaign/triad", "konfrontation-clash/debate",
    ),
)  # fmt: skip
def test_every_kind_of_page(server: Server, chromium: Browser, game: str, scenario: str) -> None:
    """The form, the rules, each kind of page on the way, and the end and the recording of short games."""
    wrong: list[str] = []
    seen: set[str] = set()
    pages = count()
    with page_of(chromium, server.address) as page:
        for path in (f"/new/{game}", f"/rules/{game}"):
            page.goto(f"{server.address}{path}")
            wrong += in_both_languages(page, WAYS)
        begin(page, server.address, game, scenario=scenario)

        def look() -> bool:
            kind = page.evaluate(KIND)
            over = page.locator(".result").count() > 0
            if kind not in seen and (over or len(seen) < MOST):
                seen.add(kind)
                wrong.extend(in_both_languages(page, WAYS))
            return next(pages) > LONG

        click_through(page, random.Random(11), look=look, wanted=WANTED)
        if page.locator(".result").count():
            page.goto(f"{page.url}/view?step=3")
            wrong += in_both_languages(page, WAYS)
    assert wrong == [], "\n".join(wrong)
    assert len(seen) > 1


def test_the_first_pages(server: Server, chromium: Browser) -> None:
    """The lobby, results, a run and a game of a few clicks: all that is quick to see."""
    with page_of(chromium, server.address) as page:
        for path in ("/", "/stats", "/new/leduc", "/runs/oneshot"):
            page.goto(f"{server.address}{path}")
            assert in_both_languages(page, WAYS[:2]) == []


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_figures_of_a_fight_need_no_scrolling_on_a_phone(server: Server, chromium: Browser, locale: str) -> None:
    """The last columns of the table (defence, place) lay beyond its edge at 390 px; now each value tells its column."""
    with page_of(chromium, server.address, 390, locale) as page:
        begin(page, server.address, "oneshot-skirmish", scenario="party_battle")
        region = page.get_by_role("region", name="Figures" if locale == "en-US" else "Figuren")
        assert region.evaluate("e => e.scrollWidth <= e.clientWidth")
        edge = region.evaluate("e => e.getBoundingClientRect().right")
        assert page.evaluate("[...document.querySelectorAll('.compact td')].every(e => "
                             f"e.getBoundingClientRect().right <= {edge})")  # fmt: skip
        label = "getComputedStyle(document.querySelector('.compact td[data-head]'), '::before').content"
        assert "wounds" in page.evaluate(label) or "Wunden" in page.evaluate(label)
        assert serious(page) == []


@pytest.mark.slow
def test_words_of_a_build_are_whole_on_a_phone(server: Server, chromium: Browser) -> None:
    """`Rüstungsgewöhnung` and `Grundverteidigung` were cut in the middle where two columns stood beside the stages."""
    with page_of(chromium, server.address, 390, "de-DE") as page:
        begin(page, server.address, "oneshot-build")
        click_through(page, random.Random(5))
        words, cut = page.evaluate(
            """() => { const found = [0, []];
                for (const cell of document.querySelectorAll('table.builds td'))
                  for (const word of cell.textContent.matchAll(/\\S+/g)) {
                    const range = document.createRange();
                    range.setStart(cell.firstChild, word.index);
                    range.setEnd(cell.firstChild, word.index + word[0].length);
                    found[0] += 1;
                    if (range.getClientRects().length > 1) found[1].push(word[0]);
                  }
                return found }"""
        )
        assert words > 40 and cut == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
