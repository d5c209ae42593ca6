"""The position at the terminal: all of it, or between two questions of one round only the lines that have changed."""

from __future__ import annotations

_LEAST = 4  # lines that must be as before, so that it is worth leaving them out
_MUCH = 15  # news that push what was shown out of sight


class Board:
    """Remembers what stands on the screen of the person who looks at it."""

    def __init__(self) -> None:
        self._seat = -1
        self._shown: list[str] = []

    def forget(self) -> None:
        """What was shown is not on the screen any more, or is not true any more."""
        self._shown = []

    def lines(self, seat: int, told: str, news: int = 0) -> tuple[list[str], bool]:
        """What is to be shown to a seat of a position, and whether lines were left out that are as before.

        All of it comes again with a new first line, which tells the round; to another seat; after many lines of
        `news`; if a line has gone; and if a line has changed that says nothing alone, such as a row of a map. The own
        line (`>`) always comes.
        """
        lines, before = told.split("\n"), self._shown
        same_round = (
            self._seat == seat and bool(before) and news < _MUCH and lines[0] == before[0] and len(lines) >= len(before)
        )
        self._seat, self._shown = seat, lines
        new = [line for line in lines if line not in before]
        kept = [line for line in lines if line in new or line.startswith(">")]
        alone = all("  " in line.strip() or line is lines[-1] for line in new)
        if same_round and alone and len(lines) - len(kept) >= _LEAST:
            return kept, True
        return lines, False


__all__ = ["Board"]
