"""What is watched while a training runs: results by opponent, and the progress that a person sees."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from ..envs.core.texts import number_in
from .league import CURRENT, League

if TYPE_CHECKING:
    from .selfplay import SelfPlay


class Meter:
    """Counts finished games and the learner's mean result by kind of opponent since the last `take`."""

    def __init__(self, league: League) -> None:
        self.league = league
        self._sums: dict[str, float] = defaultdict(float)
        self._games: dict[str, int] = defaultdict(int)
        self._waiting: list[tuple[np.ndarray, np.ndarray]] = []  # ended games that are added up together

    def count(self, info: Mapping[str, Any]) -> None:
        """A game that ended, by the info that its table gave."""
        # seats of the learner's side have the current policy's id, which is the lowest
        kind = self.league.name_of(int(max(info["opponent_ids"].max(), CURRENT)))
        self._sums[kind] += info["episode"]["r"]
        self._games[kind] += 1

    def count_all(self, opponents: np.ndarray, returns: np.ndarray) -> None:
        """Games that ended: ids int64[m, seats] of who sat there, and the learner's results, float64[m]."""
        if len(returns):
            self._waiting.append((opponents, returns))

    def _add_up(self) -> None:
        if not self._waiting:
            return
        opponents, returns = (np.concatenate(column) for column in zip(*self._waiting))
        self._waiting.clear()
        kinds = np.maximum(opponents.max(axis=1), CURRENT)
        for opponent in np.unique(kinds).tolist():
            found = returns[kinds == opponent]
            self._sums[self.league.name_of(opponent)] += float(found.sum())
            self._games[self.league.name_of(opponent)] += len(found)

    def take(self) -> dict[str, float]:
        """Games and mean results by kind of opponent, and begin anew."""
        self._add_up()
        out = {"play/games": float(sum(self._games.values()))}
        for kind, games in self._games.items():
            out[f"play/against_{kind}"] = self._sums[kind] / games
        self._sums.clear()
        self._games.clear()
        return out


_LINES = {
    "en": {
        "update": "{decisions:,} decisions, {rate:,.0f}/s, {left} left, entropy {entropy:.3f}",
        "lessons": "lessons: {share:.0f} % done, {equal:.1f} % of the answers like the teacher's",
        "review": "review: {share:.0f} % done, {equal:.1f} % of the answers like the reviewers'",
    },
    "de": {
        "update": "{decisions:,} Entscheidungen, {rate:,.0f}/s, noch {left}, Entropie {entropy:.3f}",
        "lessons": "Unterricht: {share:.0f} % vorbei, {equal:.1f} % der Antworten wie der Lehrer",
        "review": "Durchsicht: {share:.0f} % vorbei, {equal:.1f} % der Antworten wie die Prüfer",
    },
}


def duration(seconds: float) -> str:
    """A time as h:mm:ss or m:ss."""
    whole = round(max(seconds, 0.0))
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02d}:{rest % 60:02d}" if hours else f"{rest // 60}:{rest % 60:02d}"


class Watch:
    """A progress bar with decisions a second and the time left; plain lines where there is no terminal.

    `log` names a file that gets one JSON line an update. Use it as a context manager and as `SelfPlay.run`'s watch.
    """

    def __init__(
        self, training: SelfPlay, console: Console | None = None, log: Path | None = None, lang: str = "en"
    ) -> None:
        self.training, self.lang = training, lang
        self.console = console or Console(stderr=True)
        self.log = log
        self.every = 10.0  # seconds between two plain lines
        columns = (BarColumn(bar_width=None), TextColumn("{task.percentage:>5.1f} %"), TextColumn("{task.description}"))
        self._progress = Progress(*columns, console=self.console, disable=not self.console.is_terminal)
        self._task = self._progress.add_task("", total=1.0)
        self._begun = (time.perf_counter(), training.decisions, training.progress)
        self._told = time.perf_counter()

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def line(self, measured: Mapping[str, float]) -> str:
        """The state of the training in one line."""
        t = self.training
        for name in ("lessons", "review"):
            if f"{name}/share" in measured:
                share, equal = measured[f"{name}/share"], measured[f"{name}/agreement"]
                if name == "lessons":  # updates are timed from there on
                    self._begun = (time.perf_counter(), t.decisions, t.progress)
                return self._said(name, share=100 * share, equal=100 * equal)
        began, decisions, progress = self._begun
        seconds = max(time.perf_counter() - began, 1e-9)
        rate = (t.decisions - decisions) / seconds
        done = t.progress - progress
        left = duration(seconds * (1.0 - t.progress) / done) if done > 0 else "?"
        entropy = measured.get("train/entropy", float("nan"))
        return self._said("update", decisions=t.decisions, rate=rate, left=left, entropy=entropy)

    def _said(self, key: str, **values: float | str) -> str:
        return number_in(_LINES[self.lang][key].format(**values), self.lang)

    def __call__(self, training: SelfPlay, measured: Mapping[str, float]) -> bool:
        """Show and log an update; never ends the training."""
        line = self.line(measured)
        self._progress.update(self._task, completed=training.progress, description=line)
        now = time.perf_counter()
        if not self.console.is_terminal and (now - self._told >= self.every or training.progress >= 1.0):
            share = number_in(f"{100 * training.progress:5.1f} %", self.lang)
            self.console.print(f"{share}  {line}", highlight=False)
            self._told = now
        if self.log is not None:
            entry: dict[str, Any] = {"update": training.updates, "decisions": training.decisions}
            entry |= {"seconds": round(training.seconds, 3), **measured}
            with self.log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")
        return True


__all__ = ["Meter", "Watch", "duration"]
