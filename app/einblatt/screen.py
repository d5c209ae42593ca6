"""The screen of einBlatt: the hand in order of strength with trumps marked, and every seat with cards and EP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..web.screens import Choice, Drawn, Screen, Sight, hot, number
from .notes import notes
from .rows import (
    ALIVE,
    ALLY,
    ATTRIBUTE,
    DISCARD,
    DRAW,
    EP,
    HAND,
    LEADER,
    ME,
    NO_CARD,
    OPEN,
    RESTRICTION,
    SLEEVE,
    SPENT,
    TRUMPS,
    WAITED,
)

SUITS = "♣♠♦♥"
RANKS = {"en": ("7", "8", "9", "10", "J", "Q", "K", "A"), "de": ("7", "8", "9", "10", "B", "D", "K", "A")}
PASS = 32
_PILES = {
    "conf": ("Confidence", "Selbstbewusstsein"),
    "sleeve": ("In the sleeve", "Im Ärmel"),
    "looked": ("Looked at", "Angesehen"),
    "aside": ("Laid aside", "Beiseitegelegt"),
}


def _card(sight: Sight, card: int, trumps: np.ndarray, choice: Choice | None = None) -> dict[str, Any]:
    suit = card >> 3
    return {
        "rank": RANKS[sight.lang][card & 7],
        "suit": SUITS[suit],
        "red": suit > 1,
        "trump": bool(trumps[suit] == 1.0),
        "name": sight.game.actions.describe(sight.start("card") + card, sight.lang),
        "choice": choice,
    }


def _play(sight: Sight, row: np.ndarray, trumps: np.ndarray) -> dict[str, Any] | None:
    """What lies open in a slot: a card, or a pass; None for nothing."""
    found = hot(row)
    if found < 0:
        return None
    return {"passed": True} if found == PASS else _card(sight, found, trumps)


def _marks(sight: Sight, row: np.ndarray) -> list[str]:
    words = [
        (row[LEADER] == 1.0, ("leader", "führt an")),
        (row[OPEN] == 1.0, ("open", "offen")),
        (row[SPENT] == 1.0, ("spent", "verbraucht")),
        (row[WAITED] == 1.0, ("waits", "wartet")),
        (row[NO_CARD] == 1.0, ("no card", "keine Karte")),
        (row[SLEEVE] == 1.0, ("card in the sleeve", "Karte im Ärmel")),
        (row[ALIVE] == 0.0, ("dead", "tot")),
    ]
    return [sight.pick(*word) for flag, word in words if flag]


def _seat(sight: Sight, index: int, attack: Choice | None, beside: Mapping[int, str]) -> dict[str, Any]:
    row = sight.pieces["seat"][index]
    trumps = row[TRUMPS : TRUMPS + 4]
    slots = [_play(sight, slot, trumps) for slot in sight.pieces["slots_open"][index]]
    now = _play(sight, sight.pieces["table"][index], trumps)
    return {
        "name": sight.names[index],
        "me": bool(row[ME] == 1.0),
        "ally": bool(row[ALLY] == 1.0),
        "hand": number(row[HAND], 32),
        "pile": number(row[DRAW], 32),
        "discard": number(row[DISCARD], 32),
        "attribute": number(row[ATTRIBUTE], 32),
        "restriction": number(row[RESTRICTION], 10),
        "ep": number(row[EP], 3.0 * sight.game.n_seats + 2.0),
        "trumps": [SUITS[i] if trumps[i] == 1.0 else "?" for i in range(4) if trumps[i] > 0.0],
        "marks": _marks(sight, row),
        "card": now,
        "earlier": [slot for slot in slots if slot is not None and slot != now],
        "attack": attack,
        "note": beside.get(attack.action, "") if attack is not None else "",
    }


def _about(sight: Sight) -> str:
    """What the card is that a question is about: that of an attack, or one that lies open."""
    seats = sight.game.n_seats
    attacker = hot(sight.pieces["focus"][PASS : PASS + seats])
    if attacker < 0:
        return sight.pick("the open card", "die offene Karte")
    if attacker == sight.seat and not sight.named:
        return sight.pick("you attack with", "du greifst an mit")
    name = sight.names[attacker]
    return sight.pick(f"{name} attacks with", f"{name} greift an mit")


def draw(sight: Sight) -> Drawn | None:
    """The values of the template."""
    pieces, by_action = sight.pieces, sight.by_action()
    mine = pieces["seat"][sight.seat][TRUMPS : TRUMPS + 4]
    cards, targets = sight.start("card"), sight.start("attack")
    strength = pieces["my_class"]
    offered: dict[int, Choice] = {}

    def held(name: str) -> list[dict[str, Any]]:
        """Cards of a pile; each is offered once, though it may be in two piles (looked at, and in the hand)."""
        rows = []
        for card in sorted((int(c) for c in np.flatnonzero(pieces[name])), key=lambda c: (-strength[c], -(c & 7), c)):
            choice = by_action.get(cards + card)
            if choice is not None and offered.setdefault(card, choice) is choice and card not in seen:
                seen.add(card)
            else:
                choice = None
            rows.append(_card(sight, card, mine, choice))
        return rows

    seen: set[int] = set()
    hand = held("hand")
    told = sight.facts["confidence"]
    piles = [
        {"name": sight.pick(*words) + (sight.pick(*told) if name == "conf" else ""), "cards": held(name)}
        for name, words in _PILES.items()
    ]
    beside = notes(sight)
    seats = [_seat(sight, index, by_action.get(targets + index), beside) for index in range(sight.game.n_seats)]
    focus = hot(pieces["focus"][:32])
    values = {
        "head": sight.head,
        "hand": hand,
        "piles": [pile for pile in piles if pile["cards"]],
        "seats": seats,
        "teams": len({seat.side for seat in sight.game.seats}) < sight.game.n_seats,
        "focus": None if focus < 0 else {**_card(sight, focus, mine), "about": _about(sight)},
        "trumps": [SUITS[i] for i in range(4) if mine[i] == 1.0],
        "choosing": bool(sight.choices),
    }
    return Drawn.of(values, [*offered.values(), *(seat["attack"] for seat in seats)])


SCREEN = Screen(draw)
