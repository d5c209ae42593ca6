"""Ways to play a whole game, in every seat: what was learned for each side alone is one of them.

A counter-strategy learns on one side. In a seat that it never had it errs in every decision, so that a matrix in which
it sits everywhere shows its errors and not what it has learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .strategies import ANSWERS_IT, USES_IT, Strategy, once_each


@dataclass(frozen=True)
class Seated:
    """A way to play under one name: `first` on side 0, `rest` in all other seats; mostly they are the same."""

    name: str
    first: Strategy
    rest: Strategy

    @property
    def learned(self) -> bool:
        """Whether any of it was learned, and would be another one by another luck."""
        return any(s.net or s.whether for s in (self.first, self.rest))

    @property
    def as_liked(self) -> bool:
        """Whether it is held to no way of using the module."""
        return self.first.use == "as_is"


def seated(pools: Sequence[Sequence[Strategy]], anchor: Strategy) -> list[Seated]:
    """Each way to play of the pools of side 0 and, last, of the others once, in their order.

    What was learned for one side alone plays with its counterpart of the other side; where that side has none, with the
    strategy `anchor`. In a game of one side there are no other seats.
    """
    first, last = pools[0], pools[-1]
    out: dict[str, Seated] = {}
    for strategy in once_each(s for pool in pools for s in pool):
        name = strategy.in_any_seat
        if name in out:
            continue
        if not strategy.seat or len(pools) == 1:
            out[strategy.name] = Seated(strategy.name, strategy, strategy)
            continue
        mine, theirs = (first, last) if strategy in first else (last, first)
        other = counterpart(strategy, theirs) or anchor
        out[name] = Seated(name, *((strategy, other) if mine is first else (other, strategy)))
    return list(out.values())


def counterpart(strategy: Strategy, pool: Sequence[Strategy]) -> Strategy | None:
    """What was learned for another side as `strategy` was for its own, used alike; None if a pool has none.

    Only what is played of a pool is joined with what uses the module best: the other side's is made here where needed.
    """
    names = {s.in_any_seat: s for s in pool if s.seat}
    name = strategy.in_any_seat
    if name in names:
        return names[name]
    way = next((way for way in (USES_IT, ANSWERS_IT) if strategy.whether and f", {way} (" in name), "")
    plain, _, number = name.rpartition(f", {way} ")
    other = names.get(plain)
    if other is None or not way:
        return None
    made = replace(other, name=f"{other.name}, {way} {number}", whether=strategy.whether, use=strategy.use)
    return replace(made, stream=other.stream or other.name)


__all__ = ["Seated", "counterpart", "seated"]
