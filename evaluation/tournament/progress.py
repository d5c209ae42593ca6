"""How far a tournament is: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from ...envs.core.texts import number_in

_WORDS = {
    "en": {"title": "games", "rate": "games/s", "left": "left", "of": "of", "blocks": "blocks", "done": "in"},
    "de": {"title": "Spiele", "rate": "Spiele/s", "left": "verbleiben", "of": "von", "blocks": "Blöcken", "done": "in"},
}
_STEPS = 10  # plain lines of a whole tournament
_PAUSE = 30.0  # seconds after which a plain line comes at the latest, if a block is done


class Reporter(Protocol):
    """What a tournament tells while it runs."""

    def start(self, games: int, blocks: int, done_games: int, done_blocks: int) -> None:
        """Play begins; some games and blocks may be finished from before."""
        ...

    def advance(self, games: int) -> None:
        """A block of so many games is finished."""
        ...

    def say(self, line: str) -> None:
        """One line for the person who waits."""
        ...

    def stop(self) -> None:
        """Play has ended, one way or the other."""
        ...


class Silent:
    """Tells nothing."""

    def start(self, games: int, blocks: int, done_games: int, done_blocks: int) -> None:
        """Nothing."""

    def advance(self, games: int) -> None:
        """Nothing."""

    def say(self, line: str) -> None:
        """Nothing."""

    def stop(self) -> None:
        """Nothing."""


def reporter(stream: TextIO | None = None, lang: str = "en") -> Reporter:
    """A bar if `stream` (default: stderr) is a terminal, else plain lines."""
    target = sys.stderr if stream is None else stream
    return Bar(target, lang) if target.isatty() else Lines(target, lang)


class _Rate(ProgressColumn):
    def __init__(self, unit: str, lang: str) -> None:
        super().__init__()
        self.unit, self.lang = unit, lang

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{number_in(f'{speed:,.0f}', self.lang)} {self.unit}")


class _Done(ProgressColumn):
    def __init__(self, unit: str, lang: str) -> None:
        super().__init__()
        self.unit, self.lang = unit, lang

    def render(self, task: Task) -> Text:
        return Text(number_in(f"{task.completed:,.0f}/{task.total or 0:,.0f}", self.lang) + f" {self.unit}")


class Bar:
    """A bar of rich with games, rate and remaining time."""

    def __init__(self, stream: TextIO, lang: str) -> None:
        words = _WORDS[lang]
        self._console = Console(file=stream, highlight=False)
        self._bar = Progress(
            BarColumn(bar_width=None),
            _Done(words["title"], lang),
            _Rate(words["rate"], lang),
            TimeRemainingColumn(),
            TextColumn(words["left"]),
            console=self._console,
            speed_estimate_period=30,
        )
        self._task = None

    def start(self, games: int, blocks: int, done_games: int, done_blocks: int) -> None:
        """Show the bar."""
        self._task = self._bar.add_task("", total=games, completed=done_games)
        self._bar.start()

    def advance(self, games: int) -> None:
        """Move it."""
        if self._task is not None:
            self._bar.advance(self._task, games)

    def say(self, line: str) -> None:
        """Print above it."""
        self._console.print(Text(line))

    def stop(self) -> None:
        """Leave it as it is."""
        self._bar.stop()


class Lines:
    """A line for every tenth of the way. What is left goes by the pace after the first block, in which is compiled."""

    def __init__(self, stream: TextIO, lang: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._words, self._clock, self._lang = stream, _WORDS[lang], clock, lang
        self._games = self._blocks = self._done = self._finished = self._first = 0
        self._begun = self._last = 0.0
        self._paced: tuple[float, int] | None = None  # when the first block was finished, and with how many games

    def start(self, games: int, blocks: int, done_games: int, done_blocks: int) -> None:
        """Remember where play begins."""
        self._games, self._blocks, self._done, self._finished = games, blocks, done_games, done_blocks
        self._first = done_games
        self._begun = self._last = self._clock()
        self._paced = None

    def advance(self, games: int) -> None:
        """Write a line if it is time."""
        before = self._done * _STEPS // self._games
        self._done += games
        self._finished += 1
        now, paced = self._clock(), self._paced
        if paced is None:
            self._paced = now, self._done
        if self._done * _STEPS // self._games == before and now - self._last < _PAUSE:
            return
        self._last = now
        words, over = self._words, self._done >= self._games
        since, first = (self._begun, self._first) if over or paced is None else paced
        rate = (self._done - first) / max(now - since, 1e-9)
        told = [
            f"{self._number(self._finished)} {words['of']} {self._number(self._blocks)} {words['blocks']}",
            f"{self._number(self._done)} {words['title']}",
        ]
        if over or paced is not None:
            told.append(f"{self._number(rate)} {words['rate']}")
        if over or paced is None:
            told.append(f"{words['done']} {now - self._begun:.0f} s")
        else:
            told.append(f"{(self._games - self._done) / rate:.0f} s {words['left']}")
        self.say(", ".join(told))

    def _number(self, value: float) -> str:
        return number_in(f"{value:,.0f}", self._lang)

    def say(self, line: str) -> None:
        """Write it at once."""
        print(line, file=self._stream, flush=True)

    def stop(self) -> None:
        """Nothing is left open."""
