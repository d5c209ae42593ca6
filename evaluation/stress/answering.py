"""What is shown of the answers to a question of the module: equally good, or right by the situation."""

from __future__ import annotations

from .deciding import NEUTRAL
from .findings import Findings, Stake


def counting(found: Findings, asked: int) -> float:
    """The least difference of two answers that would count, of a question that was put `asked` times in all games.

    What a result changes by adds up over the answers of a game: of ten answers each may make a tenth of it.
    """
    if found.worth is None or found.use is None:
        return 0.0
    return NEUTRAL * found.worth.deviation / max(1.0, asked / max(1, found.use.games))


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


__all__ = ["counting", "equally_good", "told_by_situation"]
