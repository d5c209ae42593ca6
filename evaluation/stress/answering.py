"""What is shown of the answers to a question of the module: equally good, or right by the situation."""

from __future__ import annotations

from collections.abc import Sequence

from ..report.wording import clean_name
from .deciding import NEUTRAL
from .findings import Choice, Findings, Stake

USUAL = 0.9  # share of a seat's answers from which one counts as what it always answers
TOLD = 4  # seats of which it is told


def counting(found: Findings, asked: int) -> float:
    """The least difference of two answers that would count, of a question that was put `asked` times in all games.

    What a result changes by adds up over the answers of a game: of ten answers each may make a tenth of it.
    """
    if found.worth is None or found.use is None:
        return 0.0
    often = asked / found.use.games if found.use.games else 1.0
    return NEUTRAL * found.worth.deviation / max(1.0, often)


def told_by_situation(stake: Stake, gain: float | None = None) -> bool:
    """Whether what is answered is shown to be better than an answer drawn without a look at the situation, or always
    the same, which gains so much over that."""
    least = gain or 0.0
    return stake.played is not None and stake.played_error is not None and stake.played - 2 * stake.played_error > least


def equally_good(stake: Stake, least: float) -> bool:
    """Whether those answers that are given are shown to be as good as each other, within what counts."""
    if stake.among is None or stake.among_error is None:
        return False
    return abs(stake.among) + 2 * stake.among_error < least


def seats_told(choices: Sequence[Choice]) -> list[str]:
    """What each seat answers, where every one has an answer of its own; [] else, and where there are many seats.

    Over all seats together such answers look like a mixture.
    """
    seats = [*dict.fromkeys(seat for choice in choices for seat in choice.seats)]
    usual = {seat: max(choices, key=lambda choice: choice.seats.get(seat, 0.0)) for seat in seats}
    if not 2 <= len(seats) <= TOLD or len({choice.action for choice in usual.values()}) < 2:
        return []
    if min(choice.seats[seat] for seat, choice in usual.items()) < USUAL:
        return []
    told = [f"“{clean_name(seat)}” nearly always answers “{choice.action}”." for seat, choice in usual.items()]
    return ["It is the seat that tells which one is given.", *told]


__all__ = ["counting", "equally_good", "seats_told", "told_by_situation"]
