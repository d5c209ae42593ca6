"""Names that a report keeps in both languages: of seats, actions, counters and questions, as the rules give them.

A report keeps its sentences in English. So that it can be told in German from its file alone, the names that stand in
it are kept with the German ones.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...envs.core.game import GameSpec
from ..report.wording import clean_name
from .conditions import MIRRORED

PLACE = 400  # characters of a situation that are told
PLACES = ('"{}"', "“{}”", ': {}"', ": {} (", ": {})")  # where a name stands in a report


def both_questions(spec: GameSpec) -> dict[str, tuple[str, str]]:
    """What is asked in phases of the rules and of modules, in English and German, as far as there are texts."""
    own = {phase: (both["en"], both["de"]) for phase, both in spec.voice.questions.items()}
    known = {**spec.questions, **own}
    return {phase: both for phase, both in known.items() if both[0] and both[0] != phase.replace("_", " ")}


def questions_of(spec: GameSpec) -> dict[str, str]:
    """What is asked in phases of the rules and of modules, in English; those without a text are left out."""
    return {phase: both[0] for phase, both in both_questions(spec).items()}


def used_of(questions: Mapping[str, str], told: str) -> dict[str, str]:
    """Those questions whose phases stand in a `report.json` that does not list them."""
    return {phase: text for phase, text in questions.items() if f'"phase": "{phase}"' in told}


def who_has_it(where: str) -> str:
    """The name of a condition (see `named_conditions`) in words."""
    who, *others = where.split(", ")
    told = [f"{who} has it", *("with seats exchanged" for other in others if other == MIRRORED)]
    for amount, _, side in (other.partition(" for ") for other in others if other != MIRRORED):
        told.append(f"with {amount.replace('-', '−')} at the start for {side}")
    return ", ".join(told)


def german_of(spec: GameSpec, told: str, places: Mapping[str, str]) -> dict[str, str]:
    """The German names of all seats, actions, counters and questions whose English ones stand in a `report.json`.

    They stand there alone, in quotation marks, or behind who it was; long ones cut short, and are told so. `places` are
    situations in English with the German ones.
    """
    both = [(spec.actions.describe(a), spec.actions.describe(a, "de")) for a in range(len(spec.actions))]
    both += [(tally.texts["en"], tally.texts["de"]) for tally in spec.tallies]
    both += both_questions(spec).values()
    both += [(seat.called("en"), seat.called("de")) for seat in spec.seats]
    both += [(seat.side_called("en"), seat.side_called("de")) for seat in spec.seats]
    out = {clean_name(english, PLACE): clean_name(german, PLACE) for english, german in places.items()}
    for english, german in both:
        for shown, other in ((english, german), (clean_name(english), clean_name(german))):
            if shown != other and any(place.format(shown) in told for place in PLACES):
                out[shown] = other
    return out


__all__ = ["PLACE", "both_questions", "german_of", "questions_of", "used_of", "who_has_it"]
