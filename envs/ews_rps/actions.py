"""The action table of ews_rps: Discrete(6), and behind it the actions of rule modules (section 4)."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.actions import ActionBlock, ActionTable
from .state import BASE_CODES

TEXTS = {
    "en": ("rock", "paper", "scissors", "attempt", "decline", "wait"),
    "de": ("Stein", "Papier", "Schere", "versuchen", "ablehnen", "warten"),
}
DOCS = (
    ("symbol", 0, 3, "shown in a round; symbol i beats symbol (i - 1) mod 3"),
    ("attempt", 3, 4, "take the test on (with may_decline or the comparison die)"),
    ("decline", 4, 5, "refuse the test for 0 points (with may_decline)"),
    ("wait", 5, 6, "a seat without a decision, in the parallel form only"),
)


def action_table(more: Sequence[ActionBlock] = ()) -> ActionTable:
    """The base actions, then the blocks of modules."""
    base = [
        ActionBlock(name, BASE_CODES[a:b], {lang: texts[a:b] for lang, texts in TEXTS.items()}, doc)
        for name, a, b, doc in DOCS
    ]
    return ActionTable([*base, *more])
