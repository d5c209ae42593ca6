"""Short notes beside actions: chances, costs, what follows. A system says them in the file `notes.py` of its room."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from ...envs.core.rooms import declared
from ...envs.core.rulebook import modules_of
from .mishap import reason_of
from .seen import Option
from .sets import things_told
from .sight import Sight

FLOOR = "app"
_logger = logging.getLogger(__name__)
_MISSING = {
    "en": "The notes beside the actions cannot be told here ({reason}); all actions can be taken without them.",
    "de": "Die Angaben neben den Aktionen fehlen hier ({reason}); alle Aktionen sind auch ohne sie möglich.",
}


@dataclass(frozen=True)
class Notes:
    """`of` says what stands beside the actions of a sight, by action; made of the sight and nothing else.

    `legend`: what these notes mean, where they do not say it themselves (pages say it on their screens), and what the
    options are for.
    `missing`: what they leave out that whoever knows the game would look for, and why; empty where nothing is.
    """

    of: Callable[[Sight], Mapping[int, str]]
    legend: Callable[[Sight], str] = lambda sight: ""
    missing: Callable[[Sight], str] = lambda sight: ""


def _notes_of(system: str) -> Notes | None:
    """What a system declares as `NOTES`, or None; raises RulesetError for one that is wrong."""
    return declared(system, FLOOR, "notes", "NOTES", Notes)


def notes_on(sight: Sight, tell: Callable[[str], object] | None = None) -> Mapping[int, str]:
    """The notes beside the actions that are possible now, by action; none where a system has nothing to say.

    `tell` gets a line for the reader where they cannot be told.
    """
    found = _notes_of(sight.game.spec.system)
    if found is None or not sight.choices:
        return {}
    try:
        return found.of(sight)
    except Exception as error:  # they may meet rules that they do not know; the actions can be taken without them
        _logger.exception("the notes of %s cannot be told of this position", sight.game.spec.system)
        if tell is not None:
            tell(_MISSING[sight.lang].format(reason=reason_of(error)))
        return {}


def legend_of(sight: Sight) -> str:
    """What the notes of a sight mean; empty where they say it themselves."""
    found = _notes_of(sight.game.spec.system)
    return found.legend(sight) if found is not None else ""


def missing_of(sight: Sight) -> str:
    """What the notes of a sight leave out, and why; empty where nothing is, or nothing is asked."""
    found = _notes_of(sight.game.spec.system)
    return found.missing(sight) if found is not None and sight.choices else ""


def legends_on(sight: Sight, options: Sequence[Option]) -> list[str]:
    """The lines above a list of options: what its notes mean, what its things are, and what the notes leave out."""
    things = things_told(options, sight.game.spec, sight.lang)
    return [line for line in (*legend_of(sight).splitlines(), *things, missing_of(sight)) if line]


def meddling(sight: Sight, hooks: Collection[str]) -> list[str]:
    """What the rule modules of a game are called that have a say by one of these hooks."""
    spec = sight.game.spec
    added = spec.sources.extensions
    titles = modules_of(spec, sight.lang) if added else []
    return [title for title, module in zip(titles, added, strict=True) if set(hooks) & set(vars(module))]


def chance_in(share: float, lang: str) -> str:
    """A chance in per cent, as it stands in a note."""
    return f"{100 * share:.0f}\N{NO-BREAK SPACE}%" if lang == "de" else f"{100 * share:.0f} %"


__all__ = ["Notes", "chance_in", "legend_of", "legends_on", "meddling", "missing_of", "notes_on"]
