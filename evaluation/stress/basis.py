"""On what a verdict rests: on solved games, on bounds that hold however badly was learned, or on the strategies found.

What strategies earn that were learned tells what a rule is worth among them. The bounds (see `bounds`) tell what it may
be worth to better ones, and are as wide as both games' strategies can be exploited. A verdict goes by the first, since
the same courses of learning miss much the same in both games; it says whether the second carry it, too, and if not,
between what the worth may lie.
"""

from __future__ import annotations

from ..report.wording import signed
from .amounts import span
from .deciding import NEUTRAL, beyond
from .findings import Findings, Interval, Worth
from .solved_use import solved_way

# in standard deviations of a game's result without the module, as NEUTRAL
STRONG, OVERPOWERED = 0.25, 0.67
EXACT, BOUNDS, DIRECTION, FOUND, NOTHING = "exact", "bounds", "direction", "strategies", "nothing changed"
LEVELS = ("overpowered", "strong", "small", "neutral")
NONE = ("broken", "open", "undecided", "shared")  # words that claim nothing about what playing well is worth

# how it is told beside the verdict's word
BASES = {
    EXACT: "exact",
    BOUNDS: "carried by the best answers found",
    DIRECTION: "which way it goes is carried by the best answers found",
    FOUND: "among the strategies found",
    NOTHING: "it changed nothing",
}


def basis_of(found: Findings, word: str) -> str:
    """On what a verdict's word rests: a key of `BASES`, or "" if it claims nothing that could rest on something."""
    worth = found.worth
    if worth is None or word in NONE:
        return ""
    if word == "seat-favouring":
        return EXACT if worth.exact or paid_whatever(found) else FOUND
    if word not in LEVELS:  # how it is used was seen of strategies, if games were not solved that tell it
        return EXACT if solved_way(found.use, NEUTRAL * worth.deviation / 2) == word else FOUND
    if worth.exact or paid_whatever(found):
        return EXACT
    return FOUND if worth.bounds is None else carried(worth, word)


def paid_whatever(found: Findings) -> bool:
    """Whether what a rule is worth is sure, and goes by no answer that had to be found."""
    return found.worth is not None and found.worth.sure > 0 and not (found.use is not None and found.use.actions)


def carried(worth: Worth, level: str) -> str:
    """What the bounds carry of a level: all of it (`BOUNDS`), which way it goes (`DIRECTION`), or nothing (`FOUND`).

    All of it where both ends have its name and, but for what is neutral, lie on the worth's side of 0.
    """
    assert worth.bounds is not None
    room = worth.bounds.overall
    low, high = (named(end, worth.deviation) for end in (room.low, room.high))
    one_way = beyond(room) and (room.low > 0) == (worth.overall.value > 0)
    if low == high == level and (one_way or level == "neutral"):
        return BOUNDS
    return DIRECTION if one_way and level != "neutral" else FOUND


def named(value: float, deviation: float) -> str:
    """What a worth of so much would be called."""
    size = abs(value) / deviation
    if size >= OVERPOWERED and value > 0:
        return "overpowered"
    if size >= STRONG:
        return "strong"
    return "small" if size > NEUTRAL else "neutral"


def rests_on(worth: Worth, basis: str) -> str:
    """The sentence that says between what the worth may lie whatever the learners missed; "" if all is said."""
    if worth.sure:
        return "that is what the best answers to it are paid that were found" if basis == FOUND else ""
    if worth.exact or worth.alike:  # against several others the interval is that between the answers
        return ""
    if worth.bounds is None:
        return (
            "that rests on the strategies found: where nobody answers them, it is not known what better ones would gain"
        )
    room = worth.bounds.overall
    ends = f"{signed(room.low, 2)} to {signed(room.high, 2)}"
    between = _between(room, worth.deviation)
    if basis == BOUNDS:
        return f"the best answers found carry that: they leave room from {ends}, {between}"
    if basis == DIRECTION:
        return f"the best answers found carry which way it goes, not how far: they leave room from {ends}, {between}"
    room_left = f"the best answers to them leave room from {ends}, {between}"
    return f"that rests on the strategies found: {room_left}" if basis else f"as for the strategies found, {room_left}"


def _between(room: Interval, deviation: float) -> str:
    """What the ends of the room would be called."""
    low, high = (named(end, deviation) for end in (room.low, room.high))
    if low == high == "neutral":
        return "all of it too little to count"
    if room.low < 0 < room.high:
        return f"from a handicap ({low}) to an advantage ({high})"
    if low == high:
        return f"all of it {low}"
    return f"from {low} to {high}"


def missed_told(worth: Worth, unit: str, digits: int) -> str:
    """What is to be said where the strategies found are shown to make something else of an exact worth; "" else.

    By what counts. They make more of it than it is worth where others play badly, less where they do so themselves.
    """
    found, exact = worth.found, worth.overall.value
    if found is None or found.low <= exact <= found.high or abs(found.value - exact) < NEUTRAL * worth.deviation:
        return ""
    told, whose = "", "of those who have not found all that it is good for"
    if found.value > exact:
        told, whose = ", more than the others leave who play best", "where they have not found what to do about it"
    made = f"These make {signed(found.value, digits)}{unit} of it ({span(found, digits)})"
    return f"{made}{told}: what is told below of its use, of players and of games is true {whose}."


__all__ = [
    "BASES", "BOUNDS", "DIRECTION", "EXACT", "FOUND", "LEVELS", "NOTHING", "OVERPOWERED", "STRONG", "basis_of",
    "carried", "missed_told", "named", "rests_on",
]  # fmt: skip
