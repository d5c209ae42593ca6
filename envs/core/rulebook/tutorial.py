"""A tutorial: one short game of a system by a script, with a comment before each decision of the player.

`tutorial.toml` names `game`, `scenario`, `seed` and the player's `seat`, perhaps `options` and `modules`; has `title`,
`intro` and `outro`, each with `_en` and `_de`; and lists every decision of every seat in order as `[[step]]`: `seat`,
`action` (its code or its English text), and for the player `en` and `de` (the comment) and `why_en` and `why_de` (why
just this is taught). The dice are those of the seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import RulesetError
from ..game import GameSpec
from ..registry import system
from .data import check_language, data_file, table_of

FILE = "tutorial.toml"


@dataclass(frozen=True)
class Step:
    """A decision of the script; comment and reason are empty where it is not the player's."""

    seat: str
    action: str
    comment: str = ""
    why: str = ""


@dataclass(frozen=True)
class Tutorial:
    """A scripted game in one language."""

    spec: GameSpec
    seed: int
    seat: int  # the player's
    title: str
    intro: str
    outro: str
    steps: tuple[Step, ...]


def tutorial_of(name: str, lang: str = "en") -> Tutorial | None:
    """The tutorial of a system, or None where it has none; raises RulesetError if it is incomplete."""
    check_language(lang)
    owner = system(name)
    given = table_of(name, FILE)
    if not given:
        return None
    where = str(data_file(name, FILE))
    spec = owner.spec(
        _part(given, "game", where), given.get("scenario"), given.get("options") or {}, given.get("modules") or {}
    )
    seats = [seat.name for seat in spec.seats]
    seat = _part(given, "seat", where)
    steps = []
    for number, step in enumerate(_part(given, "step", where), 1):
        here = f"{where}, step {number}"
        who = _part(step, "seat", here)
        if who not in seats:
            raise RulesetError(f"{here}: seat = {who!r} is not allowed: one of {', '.join(seats)}")
        words = [_part(step, key, here) if who == seat else "" for key in (lang, f"why_{lang}")]
        steps.append(Step(who, _part(step, "action", here), *words))
    if seat not in seats:
        raise RulesetError(f"{where}: seat = {seat!r} is not allowed: one of {', '.join(seats)}")
    title, intro, outro = (_part(given, f"{key}_{lang}", where).strip() for key in ("title", "intro", "outro"))
    return Tutorial(spec, int(_part(given, "seed", where)), seats.index(seat), title, intro, outro, tuple(steps))


def _part(table: Mapping[str, Any], key: str, where: str) -> Any:
    if key not in table:
        raise RulesetError(f"{where}: {key} is missing")
    return table[key]


__all__ = ["Step", "Tutorial", "tutorial_of"]
