"""Tournaments that stop when they know: pairs whose games tell nothing more get no more, and a goal ends them.

A comparison is the mean of what one agent earns more than another in a deal: from the whole field, or from each other.
Its interval after every block is a confidence sequence (`confidence.py`); all comparisons share the error equally, so
that with probability `level` all intervals of all blocks hold at once, whatever is played next. What one earns from the
field are differences of numbers, so that intervals of i over j and of j over k bound that of i over k.

The blocks are played in *rounds*. In a round all blocks have the same pairs, chosen by the blocks of the rounds before
alone: the same seed gives the same games for any number of processes and after any interruption. A pair is left out
when no open comparison needs its games. A comparison is open while it matters for the goal, is not decided, and the
games that are left may still decide it: it is given up if the chance is less than about one in three (that costs
conclusions that would have come late, and makes none false).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from .apart import HALF, WHOLE
from .confidence import Sequence
from .plan import TournamentError
from .rare import rare
from .results import column
from .simultaneous import FAMILIES, half_widths, member_level
from .summary import Decision

GOALS = ("ranking", "best", "dominance")
LEVEL = 0.95
LEAST_BLOCKS = 10  # of the first round: the rest of the report needs some
_ROUND = 8  # a later round has a block for so many before it, but at least two, which intervals need
LAST = 1 / FAMILIES  # of the error for the last look
_SLIM = 0.4307  # standard deviations that are exceeded once in three times
_MINUS = re.compile(r"(?<= )-(?=\d)")  # of a number; names may have a hyphen
_NAMED = 3  # pairs of whom nothing is known, at most; of more their number is told
_RACING = 5  # version of these rules, which decide the games

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Until:
    """When a tournament may stop.

    `ranking`: of every two agents it is known who earns more from the field; `best`: one agent is known to earn more
    than every other; `dominance`: of every two it is known who wins from the other; `sprt`: of two agents, whether the
    first wins less than `high` or more than `low` a game from the other. It is enough to know it up to `within` payoff:
    that one earns at least as much as another, or at most `within` less.
    """

    goal: str
    within: float = 0.0
    low: float = 0.0
    high: float = 0.0
    level: float = LEVEL

    def __post_init__(self) -> None:
        if self.goal not in (*GOALS, "sprt"):
            raise TournamentError(f"until = {self.goal!r} is unknown: one of {', '.join(GOALS)}")
        if not (0 <= self.within < np.inf):
            raise TournamentError(f"within = {self.within:g} is not allowed: a payoff of at least 0")
        if not 0 < self.level < 1:
            raise TournamentError(f"level = {self.level:g} is not allowed: between 0 and 1")
        if self.goal == "sprt" and not -np.inf < self.low < self.high < np.inf:
            raise TournamentError(
                f"sprt {self.low:g} {self.high:g} is not allowed: the first must be less than the second"
            )

    @property
    def settings(self) -> dict[str, Any]:
        """What decides the end of a tournament, in plain values."""
        bounds = {"low": self.low, "high": self.high} if self.goal == "sprt" else {"within": self.within}
        return {"goal": self.goal, **bounds, "level": self.level, "racing": _RACING}


class Race:
    """Says which pairs play in which blocks of a tournament, looks at them in their order, and says when it is over."""

    def __init__(
        self, until: Until, names: tuple[str, ...], earnings: tuple[float, float], blocks: int, deals: int,
        lone: bool = False,
    ) -> None:  # fmt: skip
        """A race of at most `blocks` blocks with `deals` deals in all.

        `earnings`: between what the mean payoff of an agent in a deal lies (`Plan.earnings`). `lone`: all seats are on
        one side, so that the whole difference of two agents counts, see `apart`.
        """
        if until.goal == "sprt" and len(names) != 2:
            raise TournamentError(f"sprt compares two agents, not {len(names)}")
        self.until, self.names, self.planned = until, names, blocks
        self.pairs = tuple(combinations(range(len(names)), 2))
        self.blocks = 0
        self.games = 0
        self._from_field = until.goal in ("ranking", "best")
        self.lone, self._share = lone, WHOLE if self._from_field or lone else HALF
        low, high = earnings
        span = (high - low) * self._share
        error = (1 - LAST) * (1 - until.level) / len(self.pairs)
        self._sequence = Sequence(len(self.pairs), max(span, 1e-12), error, deals)
        self._totals: list[tuple[int, Floats]] = []  # of every block: deals, and the sum of all leads
        # Comparisons by the pairings that they need, bool[comparisons, pairings].
        ends = np.array(self.pairs)
        meet = (ends[:, None, :, None] == ends[None, :, None, :]).any(axis=(2, 3))
        self._needs = meet if self._from_field else np.eye(len(self.pairs), dtype=bool)

    def round(self) -> tuple[range, tuple[int, ...]] | None:
        """The blocks of the next round and the indexes of the pairs that play in them; None if the race is over."""
        done, left = self.blocks, self.planned - self.blocks
        self._sequence.look()
        if not left:
            self._last_look()
        active = self._needs[self._open()].any(axis=0) if done else np.ones(len(self.pairs), dtype=bool)
        if not left or not active.any():
            return None
        length = max(2, done // _ROUND) if done else LEAST_BLOCKS
        if left - length < 2:  # a round of one block would have no intervals
            length = left
        return range(done, done + length), tuple(np.flatnonzero(active).tolist())

    def add(self, table: pa.Table) -> None:
        """Take in the next block, rows as in `results.SCHEMA`."""
        leads, played = _leads(table, self.pairs, len(self.names), self._from_field, self._share)
        self._sequence.add(leads, np.asarray(~(self._needs & ~played).any(axis=1)))
        self._totals.append((len(leads), leads.sum(axis=0)))
        self.blocks += 1
        self.games += len(np.unique(column(table, "game")))

    def _last_look(self) -> None:
        """After all planned blocks: the intervals of a tournament of fixed length, of comparisons with all deals."""
        whole = self._sequence.n == self._sequence.planned
        deals = np.array([count for count, _ in self._totals], dtype=np.float64)
        sums = np.array([leads for _, leads in self._totals])
        mean = sums.sum(axis=0) / deals.sum()
        residuals = sums - mean * deals[:, None]  # of a ratio of sums (Cochran 1977, Sampling Techniques, 6.4)
        blocks = len(deals)
        errors = np.sqrt((residuals**2).sum(axis=0) * blocks / max(blocks - 1, 1)) / deals.sum()
        errors = np.where(errors > 1e-12 * self._sequence.span, errors, 0.0)
        wide = half_widths(np.where(whole, errors, 1.0), blocks, self.until.level)  # all of them share the error
        span, level = self._sequence.span, member_level(len(self.pairs), self.until.level)
        below, above = rare(sums / deals[:, None], (-span, span), level, self._sequence.n.astype(np.float64))
        self._sequence.narrow(mean - np.maximum(wide, below), mean + np.maximum(wide, above), whole)

    def bounds(self) -> tuple[Floats, Floats]:
        """What the first of each pair earns more than the second, at least and at most, float64[pairs] each."""
        if not self._from_field:
            return self._sequence.low, self._sequence.high
        n = len(self.names)
        first, second = np.array(self.pairs).T
        most = np.zeros((n, n))  # [i, j]: what i earns more than j at most
        most[first, second], most[second, first] = self._sequence.high, -self._sequence.low
        for k in range(n):
            most = np.minimum(most, most[:, [k]] + most[[k], :])
        return -most[second, first], most[first, second]

    @property
    def signs(self) -> npt.NDArray[np.int64]:
        """Of each pair: +1 if the first earns more, -1 if less, 2 if that is not known."""
        low, high = self.bounds()
        return np.where(low > 0, 1, np.where(high < 0, -1, 2))

    @property
    def told(self) -> Bools:
        """Of each pair, whether enough is known of it, up to `within`."""
        low, high = self.bounds()
        until = self.until
        if until.goal == "sprt":
            return (low > until.low) | (high < until.high)
        known = self.signs != 2
        return known | ((low >= -until.within) | (high <= until.within)) if until.within > 0 else known

    def _hopeless(self) -> Bools:
        """Comparisons that the games left would probably not decide."""
        mean, until = self._sequence.mean, self.until
        if until.goal == "sprt":
            lead = np.maximum(mean - until.low, until.high - mean)
        else:
            lead = np.abs(mean) + until.within
        last = self._sequence.deviation / np.sqrt(self._sequence.planned)
        reach = np.minimum(self._sequence.reach(), half_widths(last, self.planned, until.level))
        return lead + _SLIM * self._sequence.to_come() < reach

    def _open(self) -> Bools:
        """Comparisons whose games may still tell something about the goal."""
        found = ~self.told & ~self._hopeless()
        if self.until.goal != "best":
            return found
        if self._best() is not None:
            return np.zeros(len(self.pairs), dtype=bool)
        leader = self._leader()
        return found & np.array([leader in pair and not self._beaten()[list(pair)].any() for pair in self.pairs])

    def _beaten(self) -> Bools:
        """Agents that are known to earn less than some other, bool[agents]."""
        found = np.zeros(len(self.names), dtype=bool)
        for (a, b), sign in zip(self.pairs, self.signs.tolist(), strict=True):
            if sign != 2:
                found[b if sign == 1 else a] = True
        return found

    def _leader(self) -> int:
        """Of the agents that are not known to be beaten, the one that leads the others by the means."""
        n = len(self.names)
        lead = np.zeros((n, n))
        for (a, b), mean in zip(self.pairs, self._sequence.mean.tolist(), strict=True):
            lead[a, b], lead[b, a] = mean, -mean
        stay = np.flatnonzero(~self._beaten())
        return int(stay[lead[np.ix_(stay, stay)].min(axis=1).argmax()])

    @property
    def decided(self) -> bool:
        """Whether the goal is reached."""
        return self._best() is not None if self.until.goal == "best" else bool(self.told.all())

    def _best(self) -> int | None:
        """An agent that earns more than every other, or at most `within` less."""
        low, high = self.bounds()
        until = self.until
        least = np.full(len(self.names), np.inf)
        for (a, b), lo, hi in zip(self.pairs, low.tolist(), high.tolist(), strict=True):
            least[a], least[b] = min(least[a], lo), min(least[b], -hi)
        best = int(least.argmax())
        return best if least[best] > 0 or (until.within > 0 and least[best] >= -until.within) else None

    def decision(self) -> Decision:
        """What is known after the blocks so far."""
        low, high = (tuple(float(v) for v in bounds) for bounds in self.bounds())
        until, decided = self.until, self.decided
        return Decision(
            goal=until.goal,
            decided=decided,
            blocks=self.blocks,
            planned=self.planned,
            level=until.level,
            within=until.within,
            pairs=self.pairs,
            low=low,
            high=high,
            deals=tuple(self._sequence.n.tolist()),
            text=self._text(decided),
        )

    def _text(self, decided: bool) -> str:
        played = f"after {self.blocks} of at most {self.planned} blocks"
        holds = f"With {self.until.level:.0%} certainty, however often one looked:"
        said = f"{holds} {'; '.join(self._claims())} ({played})."
        if decided:
            return said
        why = "; the games left would probably not have told" if self.blocks < self.planned else ""
        return f"{said} The goal was not reached{why}."

    def _claims(self) -> Iterator[str]:
        names, signs, until = self.names, self.signs, self.until
        low, high = self.bounds()
        if until.goal == "sprt":
            ends = [f"{float(end):+.4f}" for end in (low[0], high[0])]
            bounds = f"{names[0]} wins between {ends[0]} and {ends[1]} a game from {names[1]}"
            if self.lone:
                bounds = f"{names[0]} gets between {ends[0]} and {ends[1]} a game more than {names[1]}"
            if low[0] > until.low:
                bounds += f", so more than {until.low:g}"
            elif high[0] < until.high:
                bounds += f", so less than {until.high:g}"
            yield _MINUS.sub("\N{MINUS SIGN}", bounds)
            return
        best = self._best()
        meeting = until.goal == "dominance" and not self.lone
        verb = "wins from" if meeting else "earns more than"
        nearly = f", or loses at most {until.within:g}" if meeting else f", or at most {until.within:g} less"
        if until.goal == "best" and best is not None:
            others = [name for agent, name in enumerate(names) if agent != best]
            unsure = [pair for pair, sign in zip(self.pairs, signs.tolist(), strict=True) if best in pair and sign == 2]
            yield f"{names[best]} {verb} {_listed(others)}{nearly if unsure else ''}"
            return
        for agent, name in enumerate(names):
            beaten = [
                names[b if a == agent else a]
                for (a, b), sign in zip(self.pairs, signs, strict=True)
                if (a, sign) == (agent, 1) or (b, sign) == (agent, -1)
            ]
            if beaten:
                yield f"{name} {verb} {_listed(beaten)}"
        for k, (a, b) in enumerate(self.pairs):
            if signs[k] == 2 and low[k] >= -until.within and high[k] <= until.within:
                yield f"{names[a]} and {names[b]} are within {until.within:g}"
            elif signs[k] == 2 and self.told[k]:
                better, other = (a, b) if low[k] >= -until.within else (b, a)
                yield f"{names[better]} {verb} {names[other]}{nearly}"
        unknown = [pair for pair, told in zip(self.pairs, self.told.tolist(), strict=True) if not told]
        what = "who wins" if meeting else "who earns more"
        if len(unknown) > _NAMED:
            yield f"of {len(unknown)} pairs it is not known {what}"
            return
        for a, b in unknown:
            yield f"it is not known {what}, {names[a]} or {names[b]}"


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _leads(
    table: pa.Table, pairs: tuple[tuple[int, int], ...], agents: int, field_mean: bool, share: float
) -> tuple[Floats, Bools]:
    """What the first of each pair earns more in each deal, float64[deals, pairs], and which pairs played, bool[pairs].

    `field_mean`: from all its opponents on average, which is right only if all of them played; else in their own games.
    `share` of the difference counts.
    """
    deal, pairing, agent, payoff = (column(table, name) for name in ("deal", "pairing", "agent", "payoff"))
    _, at = np.unique(deal, return_inverse=True)
    deals = int(at.max()) + 1
    cell = (at * len(pairs) + pairing) * agents + agent
    shape = (deals, len(pairs), agents)
    count = np.bincount(cell, minlength=deals * len(pairs) * agents)
    mean = (np.bincount(cell, payoff, minlength=len(count)) / np.maximum(count, 1)).reshape(shape)
    played = np.bincount(pairing, minlength=len(pairs)) > 0
    first, second = np.array(pairs).T
    if field_mean:
        score = mean.sum(axis=1) / (agents - 1)  # an agent has rows in the pairings that it plays alone
        return (score[:, first] - score[:, second]) * share, played
    own = np.arange(len(pairs))
    return (mean[:, own, first] - mean[:, own, second]) * share, played


__all__ = ["GOALS", "LEAST_BLOCKS", "LEVEL", "Race", "Until"]
