"""The picture of the browser in the README: `python -m tests.browser.pictures` plays some decisions and takes it."""

from __future__ import annotations

import base64
import random
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from .conftest import CHROMIUM, FLAGS, Server
from .visit import begin, click_through, page_of

PLACE = Path(__file__).parents[2] / "docs" / "screens.png"
HEIGHT, SHOWN = 820, 0.56  # of a page, and how much smaller it is shown
# game, width, the decision from which on, and what must be on the page
PICTURES = [
    ("einblatt-duel", 1000, 2, ".hand .playing"),
    ("ews_rps", 1000, 3, ".symbol"),
    ("konfrontation-clash", 1000, 1, "#bid-slider"),
    ("scorekeeper-duel", 1000, 1, ".zone-button"),
    ("oneshot-skirmish", 1000, 2, "button.step"),
    ("scorekeeper-duel", 390, 1, ".zone-button"),
]


def picture(page: Page, address: str, game: str, number: int, wanted: str) -> str:
    """A page of a game against chance, as PNG in base 64."""
    seen = 0

    def look() -> bool:
        nonlocal seen
        seen += 1
        return seen >= number and page.locator(wanted).count() > 0

    page.set_viewport_size({"width": (page.viewport_size or {"width": 1000})["width"], "height": HEIGHT})
    begin(page, address, game)
    click_through(page, random.Random(7), look=look)
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    return base64.b64encode(page.screenshot(animations="disabled")).decode()


def together(browser: Browser, pictures: list[str]) -> bytes:
    """All side by side, two in a row, as PNG."""
    style = f"height: {SHOWN * HEIGHT:.0f}px; border: 1px solid #d9d7d0; border-radius: 6px"
    cells = "".join(f'<img alt="" style="{style}" src="data:image/png;base64,{found}">' for found in pictures)
    page = browser.new_page(viewport={"width": 1200, "height": 600})
    page.set_content(f'<div id="all" style="display: flex; flex-wrap: wrap; gap: 10px; width: 1140px">{cells}</div>')
    page.wait_for_function("[...document.images].every(image => image.complete)")
    return page.locator("#all").screenshot()


def main(place: Path) -> None:
    """Play, and write the picture."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        server = Server(Path(folder))
        try:
            browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            found = []
            for game, width, number, wanted in PICTURES:
                with page_of(browser, server.address, width) as page:
                    found.append(picture(page, server.address, game, number, wanted))
            place.write_bytes(together(browser, found))
            browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PLACE)
