"""A server in a process of its own, and a browser, for the tests of pages."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from probespiel.app.web.hall import Hall

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


class Server:
    """`probespiel serve` on a free port, with its data in a folder; it can be killed and started again.

    `site` is a folder in which more packages are installed.
    """

    def __init__(self, folder: Path, site: Path | None = None) -> None:
        self.environment = {**os.environ, "PROBESPIEL_DATA": str(folder)}
        if site is not None:
            self.environment["PYTHONPATH"] = str(site)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        code = "from probespiel.app.start import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, "serve", "--port", str(self.port)],
            env=self.environment,
            stdout=subprocess.DEVNULL,
        )
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{self.address}/static/icon.svg", timeout=1).close()
                return
            except OSError:
                assert self.process.poll() is None, "the server ended by itself"
                time.sleep(0.1)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """End it without a word."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """End it."""
        assert self.process is not None
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of pages; whoever kills it starts it again."""
    found = Server(tmp_path_factory.mktemp("data"))
    yield found
    found.stop()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser for all tests of a file."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium here")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """The games of a server in this process."""
    found = Hall(tmp_path, workers=1)
    yield found
    found.close(wait=True)
