"""What stands beside cards of einBlatt: how strong each is for the seat in this test (R4, R5)."""

from __future__ import annotations

from ..session.notes import Notes
from ..session.sight import Sight, number

MOST, TRUMP = 15, 8  # the highest class, and the lowest of a trump
_PASS = (f"counts as a plain 7, strength 0 of {MOST}", f"zählt wie eine farblose 7, Stärke 0 von {MOST}")


def notes(sight: Sight) -> dict[int, str]:
    """By action: the class of a card, the higher beating the lower whatever the suits; and what to play none means."""
    strength, start = sight.pieces["my_class"], sight.start("card")
    found = {}
    for choice in sight.choices:
        card = choice.action - start
        if 0 <= card < len(strength):
            worth = number(strength[card], MOST)
            told = sight.pick(f"strength {worth} of {MOST}", f"Stärke {worth} von {MOST}")
            found[choice.action] = told + (sight.pick(", trump", ", Trumpf") if worth >= TRUMP else "")
        elif choice.code == "pass" and sight.phase in ("commit", "open_commit") and sight.game.n_seats == 2:
            found[choice.action] = sight.pick(*_PASS)  # R42: a plain 7 draws against it
    return found


NOTES = Notes(notes)
