"""Numbers of a stress report in words: intervals, shares, units of a handicap, gains and costs."""

from __future__ import annotations

from ..report.wording import SAME, WIDTH, reach, signed
from .findings import HandicapRow, Interval

DIGITS = 2


def span(found: Interval, digits: int = DIGITS) -> str:
    """An interval as "-0.12 to 0.34"; see `reach`."""
    return reach(found.low, found.high, digits)


def of_games(n: float) -> str:
    """ "12,000 games"."""
    return f"{n:,.0f} games"


def percent(x: float | None) -> str:
    """A share as a whole percentage; "–" for None."""
    return "–" if x is None else f"{x * 100:.0f}%"


def handicap_text(row: HandicapRow, one: str, many: str) -> str:
    """A worth in units of the handicap: "1.3 cards (1.1 to 1.5)", "more than 6 cards", "less than 0.1 cards"."""
    # the scale ends where the games begin: a gain beyond its upper end is told all the same
    if row.most == 0.0 and row.value >= -1e-9:
        return "nothing or more (the scale ends there)"
    if row.least == 0.0 and row.value <= 1e-9:
        return "nothing or less (the scale ends there)"
    if not row.at_an_end and max(abs(row.low), abs(row.high)) < 0.05:
        return f"less than 0.1 {many}"
    ends = [
        "beyond the scale" if x >= row.most - 1e-9 or x <= row.least + 1e-9 else signed(x, 1)
        for x in (row.low, row.high)
    ]
    if row.low <= 0.0 <= row.high:
        around = f"{ends[0]} to {ends[1]}" if ends[0] != ends[1] else "from one end of the scale to the other"
        return f"no {many} that are shown ({around}; {of_games(row.games)})"
    if row.value >= row.most - 1e-9:
        return f"more than {row.most:g} {one if row.most == 1 else many}"
    if row.value <= row.least + 1e-9:
        return f"less than {signed(row.least, 0)} {many}"
    word = one if abs(row.value - 1) < 0.05 else many
    return f"{signed(row.value, 1)} {word} ({ends[0]} to {ends[1]}; {of_games(row.games)})"


def costs(loss: Interval, digits: int) -> str:
    """ "costs 0.12 (0.10 to 0.14)", "gains +0.01 (−0.01 to +0.03)", by the sign of the loss."""
    gain = Interval(-loss.value, -loss.high, -loss.low)
    if signed(gain.value, digits).startswith("+"):
        return f"gains {signed(gain.value, digits)} ({span(gain, digits)})"
    value, low, high = (signed(x, digits).lstrip("+") for x in (loss.value, loss.low, loss.high))
    return f"costs {value} ({SAME if loss.high - loss.low < WIDTH else f'{low} to {high}'})"


def agreeing(before: float, after: float, change: float, digits: int) -> int:
    """As many digits as let both figures differ by the change that is told; two more at most, else as many as given."""
    for n in range(digits, digits + 3):
        if abs(round(after, n) - round(before, n) - round(change, n)) < 0.5 * 10.0**-n:
            return n
    return digits


__all__ = ["DIGITS", "agreeing", "costs", "handicap_text", "of_games", "percent", "span"]
