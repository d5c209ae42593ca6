"""How long pages take while many games are played side by side: `python -m benchmarks.pages [--games N] [--seconds S]`.

A server of its own, visitors that think for a moment and choose at random, opponents that search. What is measured is
the time of an answer, not of the opponents' thinking.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from probespiel.envs.core.registry import game_names

FORM = r'<form id="act".*?name="{}" value="(\w+)"'


class Visitor:
    """One browser that plays game after game until `end`, a time of the monotonic clock."""

    def __init__(self, port: int, number: int, opponent: str, end: float) -> None:
        self.link = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        self.cookie, self.opponent, self.end = "", opponent, end
        self.random = random.Random(number)
        self.times: list[float] = []

    def ask(self, path: str, fields: dict[str, str] | None = None) -> tuple[str, str]:
        """The page of an address, or the answer to a form, and where it leads."""
        headers, body = {"Cookie": self.cookie}, None
        if fields is not None:
            headers |= {"Content-Type": "application/x-www-form-urlencoded"}
            body = urllib.parse.urlencode(fields)
        began = time.perf_counter()
        self.link.request("GET" if body is None else "POST", path, body, headers)
        answer = self.link.getresponse()
        text = answer.read().decode()
        self.times.append(time.perf_counter() - began)
        self.cookie = answer.getheader("set-cookie", self.cookie).split(";")[0]
        if answer.status >= 400:
            raise RuntimeError(f"{path}: {answer.status}")
        return text, answer.getheader("location", "")

    def play(self) -> None:
        """Play until the time is over."""
        self.ask("/")
        while time.monotonic() < self.end:
            game = self.random.choice(game_names())
            token = re.search(r'name="token" value="(\w+)"', self.ask(f"/new/{game}")[0])
            assert token is not None
            _, path = self.ask("/new", {"token": token[1], "game": game, "opponent": self.opponent, "seconds": "1"})
            while time.monotonic() < self.end:
                page, _ = self.ask(path)
                choices = re.findall(r'name="action" value="(\d+)"', page)
                if 'class="card result"' in page:
                    break
                time.sleep(self.random.uniform(0.2, 1.0))
                if choices:
                    found = {name: re.search(FORM.format(name), page, re.DOTALL) for name in ("token", "seat", "stamp")}
                    fields = {name: match[1] for name, match in found.items() if match is not None}
                    self.ask(f"{path}/act", fields | {"action": self.random.choice(choices)})


def main() -> None:
    """Start a server, let visitors play, and print the times."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=__doc__)
    parser.add_argument("--games", type=int, default=32, help="at the same time")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long")
    parser.add_argument("--opponent", default="", help="default: that of each game")
    given = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-c", "from probespiel.app.start import main; main()", "serve", "--port", str(port)],
            env={**os.environ, "PROBESPIEL_DATA": folder},
            stdout=subprocess.PIPE,
        )
        try:
            assert server.stdout is not None
            server.stdout.readline()  # its address: it listens
            end = time.monotonic() + given.seconds
            visitors = [Visitor(port, number, given.opponent, end) for number in range(given.games)]
            threads = [threading.Thread(target=visitor.play) for visitor in visitors]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            server.terminate()
            server.wait()
    times = sorted(t for visitor in visitors for t in visitor.times)
    late = times[int(0.95 * len(times))]
    print(f"{given.games} games side by side, {len(times)} answers in {given.seconds:g} s")
    print(f"median {1000 * statistics.median(times):.0f} ms, 95th percentile {1000 * late:.0f} ms")


if __name__ == "__main__":
    main()
