"""What stands beside actions of einBlatt: how strong cards are for the seat, what attacks meet, what orders cost."""

from __future__ import annotations

import numpy as np

from ...envs.einblatt.state import Action, Disobedience
from ..session.notes import Notes
from ..session.sight import Choice, Sight, number
from .rows import ALLY, CLASS, HAND, LEADER, OPEN, PASSED, TRUMPS

MOST, TRUMP = 15, 8  # the highest class, and the lowest of a trump
_PASS = (f"counts as a plain 7, strength 0 of {MOST}", f"zählt wie eine farblose 7, Stärke 0 von {MOST}")
PRICES: dict[int, int] = {  # R212, R214: in points of experience
    Action.XP_IGNORE: 2,
    Action.XP_EXTRA: 1,
    Action.XP_REDRAW: 3,
    Action.XP_STRIKE: 4,
    Action.XP_SURVIVE: 3,
}
_CARDS = 32  # places of the piece `focus` before its seats
_WAIT = {  # R57: whether the turn comes back after somebody has attacked
    "hold": (
        "others act first; after an attack you may act again",
        "andere sind vor dir dran; greift jemand an, vielleicht wieder du",
    ),
    "forfeit": (
        "others act first; you do not attack any more in this round",
        "andere sind vor dir dran; in dieser Runde greifst du nicht mehr an",
    ),
}
_ORDER = ("this is the order", "so lautet der Befehl")
_ELSE = {  # R63, A20: what it costs not to follow one
    Disobedience.LEADER_BEST: (
        ", else {leader} discards the best card in hand",
        ", sonst legt {leader} die beste Handkarte ab",
    ),
    Disobedience.FOLLOWER_BEST: (", else you discard your best card", ", sonst legst du deine beste Karte ab"),
    Disobedience.NONE: ("", ""),
}


def notes(sight: Sight) -> dict[int, str]:
    """By action: the class of a card, the higher beating the lower whatever the suits; and what to play none means.

    On turn in a melee what each target defends with (R55), and whether it is what the leader ordered (R63).
    """
    bought = {choice.action: told for choice in sight.choices if (told := _price(sight, choice.action))}
    if sight.phase == "act":
        return {choice.action: text for choice in sight.choices if (text := _turn(sight, choice))}
    strength, start = sight.pieces["my_class"], sight.start("card")
    against = _attack(sight) if sight.phase == "react" else ""
    found = bought
    for choice in sight.choices:
        card = choice.action - start
        if 0 <= card < len(strength):
            worth = number(strength[card], MOST)
            told = sight.pick(f"strength {worth} of {MOST}", f"Stärke {worth} von {MOST}")
            found[choice.action] = told + (sight.pick(", trump", ", Trumpf") if worth >= TRUMP else "") + against
        elif choice.code == "pass" and sight.phase in ("commit", "open_commit") and sight.game.n_seats == 2:
            found[choice.action] = sight.pick(*_PASS)  # R42: a plain 7 draws against it
    return found


def _price(sight: Sight, action: int) -> str:
    """R212, R215: what an action costs in points of experience; of others nothing."""
    costs = getattr(sight.game.params, "experience_costs", None)
    points = PRICES.get(action, 0) + (0 if costs is None or action >= len(costs) else int(costs[action]))
    if costs is None or points == 0:
        return ""
    return sight.pick(f"costs {points} experience", f"kostet {points} Erfahrung")


def _attack(sight: Sight) -> str:
    """What a reaction has to beat; empty where it is not known."""
    seats = sight.game.n_seats
    attackers = np.flatnonzero(sight.pieces["focus"][_CARDS : _CARDS + seats])
    strength = _strength(sight, int(attackers[0])) if len(attackers) else -1
    return sight.pick(f", against {strength}", f", gegen {strength}") if strength >= 0 else ""


def _turn(sight: Sight, choice: Choice) -> str:
    """What stands beside an attack, and beside whatever is or is not ordered."""
    target = choice.action - sight.start("attack")
    parts = [_defence(sight, target)] if choice.verb == "attack" else []
    if choice.verb == "wait":
        parts.append(sight.pick(*_WAIT["forfeit" if sight.game.params.forfeit else "hold"]))
    focus, seats = sight.pieces["focus"], sight.game.n_seats
    ordered = focus[_CARDS + seats : _CARDS + 2 * seats + 1]  # targets, then to wait
    if ordered[target if choice.verb == "attack" else seats]:
        parts.append(sight.pick(*_ORDER) + _cost(sight))
    return "; ".join(part for part in parts if part)


def _defence(sight: Sight, target: int) -> str:
    """R55: what a target defends with, as far as the seat knows, against its own card."""
    row = sight.pieces["seat"][target]
    own = _strength(sight, sight.seat)
    mine = sight.pick(f", yours {own}", f", deine {own}") if own >= 0 else ""
    if row[PASSED]:
        return sight.pick("has passed: strength 0", "hat gepasst: Stärke 0") + mine
    if row[OPEN]:
        open_card = _strength(sight, target)
        if open_card < 0:
            return sight.pick("defends with the open card", "verteidigt mit der offenen Karte") + mine
        return sight.pick(f"strength {open_card}", f"Stärke {open_card}") + mine
    cards = number(row[HAND], _CARDS)
    if cards == 0:
        return (
            sight.pick(
                "spent, and no card in hand: it loses to anything",
                "verbraucht, und keine Handkarte: verliert gegen alles",
            )
            + mine
        )
    return sight.pick(f"spent: answers from {cards} in hand", f"verbraucht: antwortet aus der Hand ({cards})") + mine


def _strength(sight: Sight, seat: int) -> int:
    """The class of a seat's open round card; -1 where its suit may be trump or not, or there is none."""
    row, play = sight.pieces["seat"][seat], np.flatnonzero(sight.pieces["table"][seat])
    if len(play) == 0 or (play[0] < _CARDS and row[TRUMPS + play[0] // 8] == 0.5):
        return -1
    return number(row[CLASS], MOST)


def _cost(sight: Sight) -> str:
    """What it costs not to follow an order."""
    told = _ELSE[Disobedience(int(sight.game.params.disobedience))]
    rows = enumerate(sight.pieces["seat"])
    leader = next(seat for seat, row in rows if row[LEADER] and (row[ALLY] or seat == sight.seat))
    return sight.pick(*told).format(leader=sight.names[leader])


NOTES = Notes(notes)
