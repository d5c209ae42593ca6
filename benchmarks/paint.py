"""How long the first paint of every kind of page takes in a browser: `python -m benchmarks.paint [--rounds N]`.

A server that is warm (every page was asked for once, and games are compiled), a browser with nothing kept: what is
measured is the first contentful paint that Chromium reports, from the start of the navigation on.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from probespiel.envs.core.registry import game_names
from tests.browser.conftest import CHROMIUM, FLAGS, Server
from tests.browser.visit import begin

PAINT = "performance.getEntriesByName('first-contentful-paint').map(entry => entry.startTime)[0] ?? null"


def first_paint(browser: Browser, address: str, state: object) -> float:
    """Milliseconds until the first contentful paint of an address in a browser that has kept nothing of it."""
    context = browser.new_context(storage_state=state)  # pyright: ignore[reportArgumentType]
    page = context.new_page()
    page.goto(address)
    page.wait_for_function(f"() => ({PAINT}) !== null")
    found = page.evaluate(f"() => {PAINT}")
    context.close()
    return float(found)


def pages(browser: Browser, server: Server) -> tuple[dict[str, str], object]:
    """Addresses by name, with a game of every kind begun, and the cookies with which they can be seen."""
    context = browser.new_context(locale="en-US")
    page = context.new_page()
    page.set_default_timeout(300_000)
    found = {"games": f"{server.address}/"}
    for game in game_names():
        found[f"new game of {game}"] = f"{server.address}/new/{game}"
        begin(page, server.address, game)
        found[game] = page.url
    state = context.storage_state()
    context.close()
    return found, state


def main() -> None:
    """Start a server, begin a game of each kind, and print what the pages take."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paint", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="of every page")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        server = Server(Path(folder))
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            found, state = pages(browser, server)
            times = {name: [first_paint(browser, at, state) for _ in range(given.rounds)] for name, at in found.items()}
        finally:
            browser.close()
            server.stop()
    for name, of in times.items():
        print(f"{name:<40} median {statistics.median(of):6.0f} ms, slowest {max(of):6.0f} ms")
    print(f"{len(times)} pages: the slowest paint took {max(map(max, times.values())):.0f} ms")


if __name__ == "__main__":
    main()
