"""The screen of konfrontation: a board for each faction, the confrontation under way, and a slider for bids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...envs.konfrontation.actions import NATURE_NAMES, item_name
from ...envs.konfrontation.state import CHARACTERS, NATURES, PHASES, RESOURCES, T_RESOURCE, UNITS
from ...envs.konfrontation.text import ASKED, NOBODY, counted_otherwise, counts, turns_left
from ..session.groups import shared_start, shared_words
from ..web.screens import Choice, Drawn, Screen, Sight, hot, number
from .notes import bidding, notes

SUPPORTS = UNITS - CHARACTERS
TARGETS = (("a unit", "eine Einheit"), ("a resource", "eine Ressource"), ("power", "Power"), ("other", "etwas anderes"))


def _unit(row: np.ndarray, item: int, lang: str, support: bool) -> dict[str, Any] | None:
    """A unit of a faction; None where there is none."""
    if row[0] != 1.0:
        return None
    nature = hot(row[1:5])
    flags = row[6:8] if support else row[5:7]
    value = f", {'Stärke' if lang == 'de' else 'strength'} {number(row[5], 6)}" if support else ""
    return {
        "name": item_name(item, lang),
        "short": f"{item + 1 if item < CHARACTERS else item - CHARACTERS + 1}",
        "nature": nature,
        "value": number(row[5], 6) if support else 1,
        "words": f"{NATURE_NAMES[lang][nature]}{value}",
        "committed": bool(flags[0] == 1.0),
        "counts": None,
        "targeted": bool(flags[1] == 1.0),
    }


def _board(sight: Sight, relative: int) -> dict[str, Any]:
    row = sight.pieces["faction"][relative]
    seat = (sight.seat + relative) % sight.game.n_seats
    units = [_unit(row[5 + 7 * i : 12 + 7 * i], i, sight.lang, False) for i in range(CHARACTERS)]
    at = 5 + 7 * CHARACTERS
    supports = [_unit(row[at + 8 * i : at + 8 * i + 8], CHARACTERS + i, sight.lang, True) for i in range(SUPPORTS)]
    at += 8 * SUPPORTS
    resources = [
        {
            "name": item_name(T_RESOURCE + i, sight.lang),
            "size": number(row[at + 2 * i], 3),
            "about": f"{sight.pick('size', 'Größe')} {number(row[at + 2 * i], 3)}",
            "targeted": bool(row[at + 2 * i + 1] == 1.0),
        }
        for i in range(RESOURCES)
    ]
    at += 2 * RESOURCES
    project = row[at : at + 8]
    kind = hot(project[:2])
    work = ""
    if kind >= 0:
        what = sight.pick("resource", "Ressource") if kind == 0 else sight.pick("support", "Unterstützung")
        nature = "" if kind == 0 else f" ({NATURE_NAMES[sight.lang][hot(project[2:6])]})"
        left = number(project[7], 5)
        work = f"{what}{nature}, {turns_left(left, sight.lang)}"
    return {
        "name": sight.names[seat],
        "me": relative == 0,
        "power": "?" if row[1] < 0 else number(row[1], 20),
        "points": number(row[2], 48),
        "special": number(row[3], 20),
        "strength": number(row[4], 32),
        "characters": [unit for unit in units if unit is not None],
        "supports": [unit for unit in supports if unit is not None],
        "resources": [resource for resource in resources if resource["size"]],
        "project": work,
    }


def _clash(sight: Sight) -> dict[str, Any] | None:
    clash = sight.pieces["clash"]
    if clash[0] != 1.0:
        return None
    n = sight.game.n_seats
    attacker, defender = hot(clash[1:6]), hot(clash[6:11])
    target, kind = hot(clash[11:15]), hot(clash[15:19])
    own_is_defender = defender == 0
    own, other = number(clash[19], 40), number(clash[20], 40)
    strengths: tuple[int | str, int | str] = (other, own) if own_is_defender else (own, other)
    return {
        "attacker": sight.names[(sight.seat + attacker) % n],
        "defender": sight.names[(sight.seat + defender) % n] if defender >= 0 else "",
        "target": sight.pick(*TARGETS[target]) if target >= 0 else "",
        "kind": NATURE_NAMES[sight.lang][kind] if kind >= 0 else "",
        "strengths": strengths,
        "ties": number(clash[22], float(sight.game.params.max_ties)),
        "max_ties": int(sight.game.params.max_ties),
        "bids": (number(clash[24], 20), number(clash[23], 20))
        if own_is_defender
        else (number(clash[23], 20), number(clash[24], 20)),
        "own": own,
    }


def _reveals(sight: Sight) -> list[dict[str, Any]]:
    rows, n = [], sight.game.n_seats
    results = (
        ("the attacker wins", "der Angreifer gewinnt"),
        ("the defender wins", "der Verteidiger gewinnt"),
        ("a tie", "Gleichstand"),
        ("a draw", "unentschieden"),
    )
    for row in sight.pieces["history"]:
        attacker, defender, result = hot(row[:5]), hot(row[5:10]), hot(row[14:18])
        if attacker < 0 or defender < 0 or result < 0:
            break
        names = [sight.names[(sight.seat + who) % n] for who in (attacker, defender)]
        sides = [f"{number(row[10 + i], 40)} + {number(row[12 + i], 20)}" for i in range(2)]
        rows.append({"names": names, "sides": sides, "result": sight.pick(*results[result])})
    return rows[:5]


def _bids(sight: Sight, clash: dict[str, Any] | None) -> dict[str, Any] | None:
    """The slider: a line for every bid that is possible."""
    bids = sight.of_verb("bid")
    if len(bids) < 2 or clash is None:
        return None
    beside = notes(sight)
    texts = [f"{choice.text}: {beside[choice.action]}" if choice.action in beside else choice.text for choice in bids]
    hinted = next((i for i, choice in enumerate(bids) if choice.hinted), None)
    return {
        "choices": bids,
        "texts": texts,
        "told": bool(beside),
        "rule": bidding(sight),
        "at": hinted or 0,
        "hinted": hinted is not None,
    }


def _title(choices: Sequence[Choice]) -> str:
    """What the choices have in common, without the turns that they take."""
    texts = [choice.text.rpartition(", ")[0] for choice in choices]
    return max(shared_start(texts), shared_words(texts), key=len)


def _supports(sight: Sight) -> dict[str, Any] | None:
    """The supports that can be begun: what each number of extra turns comes to, and a row for each nature.

    None where natures differ in what turns come to.
    """
    choices, beside = sight.of_verb("start_support"), notes(sight)
    rows: dict[str, list[Choice]] = {}
    for choice in choices:
        rows.setdefault(choice.target, []).append(choice)
    told = {tuple((one.detail, beside.get(one.action, "")) for one in row) for row in rows.values()}
    if len(rows) < 2 or len(told) > 1:
        return None
    first = next(iter(rows.values()))
    labels = [choice.text.rpartition(", ")[2] for choice in first]
    return {
        "title": _title(choices),
        "costs": [(label, beside[choice.action]) for label, choice in zip(labels, first) if choice.action in beside],
        "rows": [(NATURE_NAMES[sight.lang][NATURES.index(nature)], row) for nature, row in rows.items()],
        "labels": labels,
        "placed": choices,
    }


def _aimed(clash: dict[str, Any] | None, boards: Sequence[dict[str, Any]]) -> None:
    """Call the target by its name where it is one of several things: the unit, or the resource and its size."""
    units = [unit for board in boards for unit in (*board["characters"], *board["supports"]) if unit["targeted"]]
    resources = [one for board in boards for one in board["resources"] if one["targeted"]]
    for named, about in [(unit, unit["words"]) for unit in units] + [(one, one["about"]) for one in resources]:
        if clash is not None and clash["target"]:
            clash["target"] = f"{named['name']} ({about})"


def _sides(sight: Sight, clash: dict[str, Any] | None, boards: Sequence[dict[str, Any]]) -> None:
    """Say of both sides of the confrontation under way what each unit counts in it, and who has named nobody yet.

    What units count is left out if a rule module has a say in it.
    """
    row = sight.pieces["clash"]
    kind, sure = hot(row[15:19]), not counted_otherwise(sight.game.spec)
    phase = hot(sight.pieces["phase"])  # that of the game: a seat that is asked nothing has none of its own
    asked = phase >= 0 and PHASES[phase] in ASKED
    for side, relative in enumerate((hot(row[1:6]), hot(row[6:11]))):
        if clash is None or kind < 0 or relative < 0:
            continue
        units = [*boards[relative]["characters"], *boards[relative]["supports"]]
        for unit in units if sure else ():
            if unit["committed"] or asked:  # later nobody can join any more
                unit["counts"] = counts(sight.game.params, unit["nature"], unit["value"], kind)
        if asked and not any(unit["committed"] for unit in units):
            shown = list(clash["strengths"])
            shown[side] = sight.pick(*NOBODY)
            clash["strengths"] = tuple(shown)


def draw(sight: Sight) -> Drawn | None:
    """The values of the template."""
    clash = _clash(sight)
    boards = [_board(sight, relative) for relative in range(sight.game.n_seats)]
    _aimed(clash, boards)
    _sides(sight, clash, boards)
    bids = _bids(sight, clash)
    supports = _supports(sight)
    values = {
        "head": sight.head if sight.told[:1].strip(" >") else "",  # before the first turn, a line of a faction
        "boards": boards,
        "clash": clash,
        "reveals": _reveals(sight),
        "bids": bids,
        "supports": supports,
    }
    return Drawn.of(values, [*(bids["choices"] if bids else ()), *(supports["placed"] if supports else ())])


SCREEN = Screen(draw)
