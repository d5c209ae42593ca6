"""Solving games that can be enumerated: CFR+, DCFR and PCFR+ over the sequence form, without asking the rules again.

In games of two seats whose payoffs sum to zero the average strategy approaches an equilibrium; its exact exploitability
is at hand at any time. Larger games, and those of more seats, are solved by sampling (see `cfr`).
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from tqdm import tqdm

from ..envs.core.game import Game
from .base import AgentError
from .cfr import FORMAT, VERSION, SavedStrategy, describe_game
from .exact import DEFAULT_BUDGET
from .sequence_form import SequenceForm
from .sequence_kernel import CFR_PLUS, DCFR, PCFR_PLUS, Learnt, iterate

METHODS = {"cfr+": CFR_PLUS, "dcfr": DCFR, "pcfr+": PCFR_PLUS}


class TreeCfr:
    """Learns a strategy for both seats of a game of at most `budget` nodes; there is no chance in it, and no seed.

    `method`: `cfr+`, `dcfr` or `pcfr+` (see `sequence_kernel.update`). Raises AgentError for another one, TreeTooLarge
    for a larger game, and NotSolved for another number of seats or seats that forget what they did.
    """

    def __init__(self, game: Game, method: str = "cfr+", budget: int = DEFAULT_BUDGET) -> None:
        if method not in METHODS:
            raise AgentError(f"method = {method!r} is not allowed: one of {', '.join(METHODS)}")
        self.game = game
        self.method = method
        self.form = SequenceForm(game, budget)
        self.iterations = 0
        self._learnt = tuple(self._fresh(seat) for seat in (0, 1))

    def _fresh(self, seat: int) -> Learnt:
        side, size = self.form.sides[seat], self.form.sizes[seat]
        lengths = np.diff(side.starts)
        chances = np.concatenate([[1.0], np.repeat(1.0 / lengths, lengths)])
        regrets, average, gains, last = (np.zeros(size) for _ in range(4))
        return Learnt(
            regrets=regrets,
            average=average,
            chances=chances,
            plan=self.form.plan(seat, chances),
            gains=gains,
            last=last,
        )

    @property
    def states(self) -> int:
        """Information states of both seats."""
        return self.form.tree.n_states

    def run(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        until: float = 0.0,
        progress: bool = False,
    ) -> TreeCfr:
        """Learn for a number of iterations, until time is up, or until the exploitability is at most `until`.

        Whatever comes first ends it; it can be called again. The clock begins after the first iteration, which compiles
        what it needs where nothing has yet. `progress` draws a bar on the error stream. Raises AgentError if nothing
        would end it.
        """
        if iterations is None and seconds is None and until <= 0:
            raise AgentError("iterations or seconds must be given, or until above 0")
        if iterations is not None and iterations < 1:
            raise AgentError(f"iterations = {iterations!r} is not allowed: at least 1")
        begin, done, chunk = None, 0, 1
        with tqdm(total=iterations, disable=not progress, unit="it", desc=self.method, smoothing=0.1) as bar:
            while iterations is None or done < iterations:
                if seconds is not None and begin is not None and time.perf_counter() - begin >= seconds:
                    break
                count = chunk if iterations is None else min(chunk, iterations - done)
                before = time.perf_counter()
                method, first = METHODS[self.method], self.iterations + 1
                iterate(self.form.sides, self._learnt, method, begin=first, count=count)
                now = time.perf_counter()
                begin, spent = now if begin is None else begin, now - before
                self.iterations += count
                done += count
                bar.update(count)
                if until > 0 and self.exploitability() <= until:
                    break
                # looks at the exploitability, which costs two iterations, take little of the time
                chunk = max(chunk, min(2 * chunk, 1 + self.iterations // 10)) if spent < 0.1 else max(1, chunk // 2)
        return self

    def chances(self, seat: int) -> np.ndarray:
        """The average strategy of a seat, float64[sequences]; uniform where it never comes."""
        side, plan = self.form.sides[seat], self._learnt[seat].average
        lengths = np.diff(side.starts)
        sums = np.add.reduceat(plan, side.starts[:-1]) if len(lengths) else np.zeros(0)
        total = np.repeat(sums, lengths)
        mixed = np.divide(plan[1:], total, out=1.0 / np.repeat(lengths, lengths), where=total > 0)
        return np.concatenate([[1.0], mixed])

    def value(self) -> float:
        """What seat 0 gets if both follow their average strategies."""
        return self.form.value(0, self.chances(0), self.form.plan(1, self.chances(1)))

    def exploitability(self) -> float:
        """Of the average strategies: what both seats could gain by deviating, halved."""
        return self.form.exploitability(self.chances(0), self.chances(1))

    def solution(self) -> SavedStrategy:
        """The average strategy so far."""
        chances = (self.chances(0), self.chances(1))
        return saved(self.form, chances, method=self.method, iterations=self.iterations)


def saved(form: SequenceForm, chances: tuple[np.ndarray, np.ndarray], **more: Any) -> SavedStrategy:
    """Strategies of both seats, by sequences, as a strategy that can be kept and played; `more` goes into its manifest.

    States at which there is nothing to choose are left out.
    """
    tree = form.tree
    profile = np.zeros(int(tree.starts[-1]))
    for seat in (0, 1):
        profile[form.entries[seat]] = chances[seat][1:]
    sizes = np.diff(tree.starts)
    order = np.argsort(tree.keys)
    order = order[sizes[order] > 1]
    starts = np.concatenate([[0], np.cumsum(sizes[order])]).astype(np.int64)
    entries = np.repeat(tree.starts[:-1][order] - starts[:-1], sizes[order]) + np.arange(starts[-1])
    manifest = {"format": FORMAT, "version": VERSION, **describe_game(form.game), "abstraction": "", **more}
    return SavedStrategy({**manifest, "states": len(order)}, tree.keys[order], starts, profile[entries])


__all__ = ["METHODS", "TreeCfr", "saved"]
