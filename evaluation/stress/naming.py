"""Names that a report keeps in both languages: of seats, actions, counters and questions, as the rules give them.

A report keeps its sentences in English. So that it can be told in German from its file alone, the names that stand in
it are kept with the German ones.
"""

from __future__ import annotations

from ...envs.core.game import GameSpec
from ..report.wording import clean_name

PLACES = ('"{}"', "“{}”", ': {}"', ": {} (", ": {})")  # where a name stands in a report


def questions_of(spec: GameSpec) -> dict[str, str]:
    """What modules ask in their phases, in English; phases without a text of their own are left out."""
    texts = {phase: both["en"] for phase, both in spec.voice.questions.items()}
    return {phase: text for phase, text in texts.items() if text and text != phase.replace("_", " ")}


def german_of(spec: GameSpec, told: str) -> dict[str, str]:
    """The German names of all seats, actions, counters and questions whose English ones stand in a `report.json`.

    They stand there alone, in quotation marks, or behind who it was; long ones cut short, and are told so.
    """
    both = [(spec.actions.describe(a), spec.actions.describe(a, "de")) for a in range(len(spec.actions))]
    both += [(tally.texts["en"], tally.texts["de"]) for tally in spec.tallies]
    both += [(texts["en"], texts["de"]) for texts in spec.voice.questions.values()]
    both += [(seat.name, seat.called("de")) for seat in spec.seats] + [
        (seat.side, seat.side_called("de")) for seat in spec.seats
    ]
    out: dict[str, str] = {}
    for english, german in both:
        for shown, other in ((english, german), (clean_name(english), clean_name(german))):
            if shown != other and any(place.format(shown) in told for place in PLACES):
                out[shown] = other
    return out


__all__ = ["german_of", "questions_of"]
