"""How far a stress test is: a bar with the remaining time on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from ...envs.core.texts import number_in
from ..report.phrases import ENGLISH, Phrasebook

INTERPRETED = (
    "The rules run interpreted, some hundred times slower than compiled ones: how long it takes cannot be forecast, "
    "the time left follows what has been measured so far."
)
AGAIN = 60.0  # seconds after which a line may be written again, if the time it told is over
GERMAN = {  # what steps of tests and of searches for balance do, and what the whole will take
    "compiling the rules": "Regeln werden übersetzt",
    "looking for what breaks": "gesucht wird, was das Spiel zerbricht",
    "comparing the baselines": "Grundstrategien werden verglichen",
    "learning to play with and without it": "mit ihm und ohne es wird spielen gelernt",
    "choosing strategies": "Strategien werden gewählt",
    "measuring its worth": "sein Wert wird gemessen",
    "asking for best answers": "beste Antworten werden gesucht",
    "watching its use": "sein Gebrauch wird beobachtet",
    "looking for dominant strategies": "überlegene Strategien werden gesucht",
    "measuring luck and depth": "Glück und Tiefe werden gemessen",
    "asking who it is for": "gefragt wird, für wen es ist",
    "telling what it does to the game": "was es mit dem Spiel macht, wird zusammengestellt",
    "looking for the exploit": "gesucht wird, wie es auszunutzen ist",
    "looking for a game that it decides": "gesucht wird ein Spiel, das es entscheidet",
    "solving the games": "Spiele werden gelöst",
    "measuring a coarse grid": "ein grobes Raster wird gemessen",
    "measuring the better half, and between": "die bessere Hälfte und dazwischen wird gemessen",
    "measuring the suggestion and its neighbours": "der Vorschlag und seine Nachbarn werden gemessen",
    INTERPRETED: (
        "Die Regeln laufen interpretiert, einige hundertmal so langsam wie übersetzte: vorhersagen lässt sich die "
        "Dauer nicht, die verbleibende Zeit folgt dem, was bis dahin gemessen ist."
    ),
    "This takes about {x:n}{unit:u} with {n:n} process (--budget {others:l}).": (
        "Das dauert etwa {x}{unit} mit {n} Prozess (--budget {others})."
    ),
    "This takes about {x:n}{unit:u} with {n:n} processes (--budget {others:l}).": (
        "Das dauert etwa {x}{unit} mit {n} Prozessen (--budget {others})."
    ),
}


class Watcher(Protocol):
    """What a stress test tells while it runs."""

    def start(self, weights: Mapping[str, float], titles: Mapping[str, str]) -> None:
        """The steps, with their expected shares of the time."""
        ...

    def begin(self, step: str) -> None:
        """A step begins; those before it are done."""
        ...

    def plan(self, seconds: Mapping[str, float], text: str) -> None:
        """What the steps that are still to come will probably take, and that in words."""
        ...

    def measure(self, text: str) -> None:
        """Nothing can be planned, and why: the time left goes by what is done from here on."""
        ...

    def advance(self, step: str, share: float, played: bool = True) -> None:
        """So much more of a step is done, 0..1; a step of several rounds may exceed 1; not `played`: it was before."""
        ...

    def tick(self) -> None:
        """Time passes."""
        ...

    def stop(self) -> None:
        """The test has ended, one way or the other."""
        ...


class Quiet:
    """Tells nothing."""

    def start(self, weights: Mapping[str, float], titles: Mapping[str, str]) -> None:
        """Nothing."""

    def begin(self, step: str) -> None:
        """Nothing."""

    def plan(self, seconds: Mapping[str, float], text: str) -> None:
        """Nothing."""

    def measure(self, text: str) -> None:
        """Nothing."""

    def advance(self, step: str, share: float, played: bool = True) -> None:
        """Nothing."""

    def tick(self) -> None:
        """Nothing."""

    def stop(self) -> None:
        """Nothing."""


TRUST = 0.2  # share of what is planned that must have been done for the speed so far to count as much as the plan


class Estimate:
    """The share of the work that is done, and the time that is left.

    Before anything is planned it goes by the speed so far; then by what is planned, times how much slower or faster
    things have gone than planned. Where nothing can be planned, it goes by the speed since that was said.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._weights: dict[str, float] = {}
        self._shares: dict[str, float] = {}
        self._begun, self._planned = 0.0, 0.0
        self._before: dict[str, float] = {}  # shares that were done by an earlier run
        self._plan: dict[str, float] | None = None
        self._from: tuple[float, float] | None = None  # time and share from which on the speed is measured
        self.step = ""

    def start(self, weights: Mapping[str, float]) -> None:
        """Nothing is done yet."""
        self._weights, self._shares = dict(weights), {}
        self._begun = self._clock()

    def plan(self, seconds: Mapping[str, float]) -> None:
        """What the steps that are still to come take; all others are over."""
        self._plan, self._planned = dict(seconds), self._clock()
        self._weights = {"": self.elapsed, **seconds}
        self._shares, self._before = {"": 1.0}, {}

    def measure(self) -> None:
        """The step under way is over, and the speed so far says nothing of what is still to come."""
        self._shares[self.step] = 1.0
        self._from = (self._clock(), self.done)

    def begin(self, step: str) -> None:
        """All steps before this one are done."""
        for name in self._weights:
            if name == step:
                break
            self._shares[name] = 1.0
        self.step = step

    def advance(self, step: str, share: float, played: bool = True) -> None:
        """So much more is done; before anything is planned a step of unknown length comes ever closer to its end."""
        done = self._shares.get(step, 0.0)
        self._shares[step] = min(done + share * (max(0.15, 1.0 - done) if self._plan is None else 1.0), 0.98)
        if not played:
            self._before[step] = self._before.get(step, 0.0) + self._shares[step] - done

    @property
    def done(self) -> float:
        """Share of the whole, 0..1."""
        total = sum(self._weights.values())
        return sum(w * self._shares.get(n, 0.0) for n, w in self._weights.items()) / total if total else 0.0

    @property
    def elapsed(self) -> float:
        """Seconds so far."""
        return self._clock() - self._begun

    @property
    def left(self) -> float | None:
        """Seconds that are probably left."""
        if self._plan is not None:
            rest = sum(s * (1.0 - self._shares.get(n, 0.0)) for n, s in self._plan.items())
            past = sum(s * (self._shares.get(n, 0.0) - self._before.get(n, 0.0)) for n, s in self._plan.items())
            trust = TRUST * sum(self._plan.values())
            return rest * (self._clock() - self._planned + trust) / (past + trust) if trust else 0.0
        if self._from is not None:
            begun, before = self._from
            past = self.done - before
            return None if past < 0.01 else (self._clock() - begun) * (1.0 - self.done) / past
        return None if self.done < 0.02 else self.elapsed * (1.0 - self.done) / self.done


def watcher(lang: str = "en", stream: TextIO | None = None) -> Watcher:
    """A bar if `stream` (default: stderr) is a terminal, else plain lines; in `en` or `de`."""
    target = sys.stderr if stream is None else stream
    return Bar(target, lang) if target.isatty() else Lines(target, lang)


def words(lang: str) -> Phrasebook:
    """The texts of progress in a language, `en` or `de`."""
    return ENGLISH if lang == "en" else Phrasebook(lang, (GERMAN,))


def duration(seconds: float) -> str:
    """A time in words, as exactly as it can be known."""
    if seconds >= 5400:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"


def _shown(seconds: float | None, lang: str) -> str:
    if seconds is None:
        return ""
    told = number_in(duration(seconds), lang)
    return f"{told} left" if lang == "en" else f"noch {told}"


class Bar:
    """A bar of rich."""

    def __init__(self, stream: TextIO, lang: str = "en") -> None:
        self._lang, self._words = lang, words(lang)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            TextColumn("{task.percentage:>3.0f}%  {task.fields[left]}"),
            console=Console(file=stream, highlight=False),
        )
        self._estimate = Estimate()
        self._titles: Mapping[str, str] = {}
        self._task = self._bar.add_task("", total=1.0, left="")

    def start(self, weights: Mapping[str, float], titles: Mapping[str, str]) -> None:
        """Show it."""
        self._titles = titles
        self._estimate.start(weights)
        self._bar.start()

    def plan(self, seconds: Mapping[str, float], text: str) -> None:
        """Say it above the bar."""
        self._estimate.plan(seconds)
        self._bar.console.print(self._words(text))

    def measure(self, text: str) -> None:
        """Say it above the bar."""
        self._estimate.measure()
        self._bar.console.print(self._words(text))

    def begin(self, step: str) -> None:
        """Say what is being done."""
        self._estimate.begin(step)
        self._bar.update(self._task, description=self._words(self._titles.get(step, step)))
        self.tick()

    def advance(self, step: str, share: float, played: bool = True) -> None:
        """Move it."""
        self._estimate.advance(step, share, played)
        self.tick()

    def tick(self) -> None:
        """Show the remaining time."""
        self._bar.update(self._task, completed=self._estimate.done, left=_shown(self._estimate.left, self._lang))

    def stop(self) -> None:
        """Leave it as it is."""
        self._bar.stop()


class Lines:
    """A line for every step, and again when the time that it told is over."""

    def __init__(self, stream: TextIO, lang: str = "en", clock: Callable[[], float] = time.monotonic) -> None:
        self._lang, self._words, self._clock = lang, words(lang), clock
        self._stream, self._estimate, self._told = stream, Estimate(clock), set[str]()
        self._titles: Mapping[str, str] = {}
        self._due = float("inf")  # when the last line is to be written again

    def start(self, weights: Mapping[str, float], titles: Mapping[str, str]) -> None:
        """Remember the steps."""
        self._titles = titles
        self._estimate.start(weights)

    def plan(self, seconds: Mapping[str, float], text: str) -> None:
        """Write it."""
        self._estimate.plan(seconds)
        self._say(text)

    def measure(self, text: str) -> None:
        """Write it."""
        self._estimate.measure()
        self._say(text)

    def _say(self, text: str) -> None:
        print(self._words(text), file=self._stream, flush=True)

    def begin(self, step: str) -> None:
        """Write what is being done."""
        self._estimate.begin(step)
        self._write()

    def _write(self) -> None:
        step, seconds = self._estimate.step, self._estimate.left
        self._due = self._clock() + max(seconds or 0.0, AGAIN)
        left = _shown(seconds, self._lang)
        title = self._words(self._titles.get(step, step))
        line = f"{self._estimate.done:4.0%}  {title}" + (f" ({left})" if left else "")
        if line not in self._told:  # steps of a search come many times over, near its end without any progress
            self._told.add(line)
            print(line, file=self._stream, flush=True)

    def advance(self, step: str, share: float, played: bool = True) -> None:
        """Counted."""
        self._estimate.advance(step, share, played)

    def tick(self) -> None:
        """Write the line again, with the time that is left now, once the time that it told is over."""
        if self._clock() >= self._due:
            self._write()

    def stop(self) -> None:
        """Nothing is left open."""


__all__ = ["INTERPRETED", "Estimate", "Quiet", "Watcher", "duration", "watcher", "words"]
