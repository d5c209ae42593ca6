"""Short notes beside actions: chances, costs, what follows. A system says them in the file `notes.py` of its room."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...envs.core.rooms import declared
from .sight import Sight

FLOOR = "app"
_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Notes:
    """`of` says what stands beside the actions of a sight, by action; made of the sight and nothing else."""

    of: Callable[[Sight], Mapping[int, str]]


def _notes_of(system: str) -> Notes | None:
    """What a system declares as `NOTES`, or None; raises RulesetError for one that is wrong."""
    return declared(system, FLOOR, "notes", "NOTES", Notes)


def notes_on(sight: Sight) -> Mapping[int, str]:
    """The notes beside the actions that are possible now, by action; none where a system has nothing to say."""
    found = _notes_of(sight.game.spec.system)
    if found is None or not sight.choices:
        return {}
    try:
        return found.of(sight)
    except Exception:  # they may meet rules that they do not know; the actions can be taken without them
        _logger.exception("the notes of %s cannot be told of this position", sight.game.spec.system)
        return {}


def chance_in(share: float, lang: str) -> str:
    """A chance in per cent, as it stands in a note."""
    return f"{100 * share:.0f}\N{NO-BREAK SPACE}%" if lang == "de" else f"{100 * share:.0f} %"


__all__ = ["Notes", "chance_in", "notes_on"]
