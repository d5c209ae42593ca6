"""A rule that nobody has to use: who leaves it alone plays as if it were not there, and so it cannot be a handicap.

In a game of two sides, one of which wins what the other loses, whoever has such a rule can play what is best without it
and get as much; so can a party that plays against tasks. Strategies that were found may get less nevertheless, by the
luck of learning and of choosing among more of them. What is measured below nothing is that luck.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from .context import Context
from .findings import HandicapRow, Interval, SideHandicap, SideWorth, Worth, WorthRow
from .inert import unchanged

Between = TypeVar("Between", bound=Interval)


def look_for_idleness(context: Context) -> int:
    """In how many games of random play all stood as without the rule as long as nobody used it; 0 if it did not.

    Also 0 of a rule without actions, or with questions of its own. Raises Unanswered where the rules fail.
    """
    return unchanged(context, "voluntary", left=True) if context.marked else 0


def look_for_freedom(context: Context, zero_sum: bool) -> int:
    """The same of a rule that cannot be a handicap by that, 0 of others.

    Having it may be a handicap all the same where it asks questions of its own (who is asked may tell something),
    there are several other sides, or payoffs that need not add up to nothing (who can do less may be trusted more).
    """
    bench = context.bench
    opposed = zero_sum or len(bench.sides) == 1
    return look_for_idleness(context) if opposed and not bench.several and not bench.whole_table else 0


def no_handicap(worth: Worth) -> Worth:
    """The worth of a rule that nobody has to use: no part of it is below nothing.

    The luck that shows below nothing may lie above as well: an interval reaches as far there.
    """
    if worth.exact:
        return worth
    bounds, reach = worth.bounds, worth.reach
    if bounds is not None:
        bounds = replace(bounds, overall=_above(bounds.overall), sides=tuple(map(_above, bounds.sides)))
    if reach is not None:
        reach = replace(reach, low=max(reach.low, 0.0), high=max(reach.high, 0.0))
    return replace(
        worth, sides=tuple(map(_side, worth.sides)), overall=_mirrored(worth.overall), odds=_mirrored(worth.odds),
        bounds=bounds, reach=reach,
    )  # fmt: skip


def no_units(handicap: tuple[SideHandicap, ...] | None) -> tuple[SideHandicap, ...] | None:
    """The same of the units of the handicap that the rule is worth."""
    if handicap is None:
        return None
    return tuple(replace(side, by_amount=tuple(map(_unit, side.by_amount))) for side in handicap)


def _side(side: SideWorth) -> SideWorth:
    answer = None if side.answer is None else _mirrored(side.answer)
    return replace(side, by_amount=tuple(map(_row, side.by_amount)), answer=answer)


def _row(row: WorthRow) -> WorthRow:
    return replace(row, worth=_mirrored(row.worth), odds=_mirrored(row.odds))


def _unit(row: HandicapRow) -> HandicapRow:
    found = _mirrored(row)
    return replace(found, high=min(found.high, max(row.high, row.most)))  # the scale ends there


def _mirrored(found: Between) -> Between:
    """An interval above nothing, which reaches as far there as it did below."""
    if found.low >= 0:
        return found
    high = found.high if found.value > 0 else max(found.high, -found.low)
    return replace(found, value=max(found.value, 0.0), low=0.0, high=high)


def _above(found: Interval) -> Interval:
    """What of a bound is above nothing."""
    return replace(found, value=max(found.value, 0.0), low=max(found.low, 0.0), high=max(found.high, 0.0))


__all__ = ["look_for_freedom", "no_handicap", "no_units"]
