"""The form for a new game: what can be chosen, and what was chosen as an `Order`. Files are never named in it."""

from __future__ import annotations

import math
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ...agents.declaration import LEVEL, agents_of, lineup_of
from ...agents.registry import list_agents
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game, GameSpec, Seat
from ...envs.core.registry import system_of, systems
from ..common import pairs
from ..opponents import opponent_for, opponent_of_level, searching
from ..session.casting import cast
from .guard import Refused
from .room import Order

PEOPLE = "human"
SEARCH = "search"
DEFAULT_SECONDS, MOST_SECONDS = 2.0, 60.0
_LONGEST = 4_000  # characters of the options
_FILE = re.compile(r"[/\\]|\.(json|py)\b")


@dataclass(frozen=True)
class Offer:
    """What can be chosen for a game in one of its scenarios."""

    game: str
    scenarios: tuple[str, ...]
    scenario: str
    modules: tuple[str, ...]
    seats: tuple[Seat, ...]
    opponents: tuple[tuple[str, str], ...]  # name and a line about it
    levels: int = 0  # how many there are
    about: tuple[str, str] = ("", "")  # a line on the game, in English and German

    @property
    def sides(self) -> bool:
        """Whether some seats have one side in common."""
        return len({seat.side for seat in self.seats}) < len(self.seats)


def games_by_system() -> list[tuple[str, list[tuple[str, tuple[str, str]]]]]:
    """All games, system by system, each with a line on it in English and German; reference games last."""
    found = sorted(systems(), key=lambda one: one.reference)
    return [(one.name, [(game, one.about.get(game, ("", ""))) for game in one.games]) for one in found]


def offer(game: str, scenario: str | None = None) -> Offer:
    """What can be chosen; raises Refused for a game or scenario that is not there."""
    try:
        found = system_of(game)
    except ProbespielError:
        raise Refused(404, "not_found") from None
    known = found.scenarios(game)
    name = known[0] if scenario is None else scenario
    if name not in known:  # above all no path of a file
        raise Refused(400, "bad_value", reason=f"scenario {name[:80]!r}: {', '.join(known)}")
    opponents, levels = _opponents(game)
    seats = found.spec(game, name, {}, {}).seats
    return Offer(game, known, name, found.modules(), seats, opponents, levels, found.about.get(game, ("", "")))


def offered_again(fields: Mapping[str, Sequence[str]]) -> Offer:
    """What a form that was wrong is shown with again: in the scenario that it names, if there is such a one."""
    found, scenario = offer(_one(fields, "game")), _one(fields, "scenario")
    return offer(found.game, scenario) if scenario in found.scenarios else found


@lru_cache(maxsize=64)
def _opponents(game: str) -> tuple[tuple[tuple[str, str], ...], int]:
    """Agents that play a game by name, and how many levels it has; interpreted, as nothing is played."""
    made = Game(system_of(game).spec(game, None, {}, {}), compiled=False)
    baselines = agents_of(made.spec.system).baselines
    found = []
    for kind in list_agents(made):
        if kind.name not in (PEOPLE, SEARCH):
            known = baselines.get(kind.name)
            found.append((kind.name, known.doc if known is not None else kind.doc))
    return tuple(found), len(lineup_of(made).levels)


def _one(fields: Mapping[str, Sequence[str]], name: str, default: str = "") -> str:
    return fields.get(name, [default])[0].strip()


def order_of(fields: Mapping[str, Sequence[str]], lang: str) -> Order:
    """The game that a form asks for; raises Refused or ProbespielError with what is wrong."""
    found = offer(_one(fields, "game"), _one(fields, "scenario") or None)
    modules = {name: {} for name in fields.get("module", [])}
    for name in modules:
        if name not in found.modules:
            raise Refused(400, "bad_value", reason=f"module {name[:80]!r}: {', '.join(found.modules) or '-'}")
    text = _one(fields, "options")
    if len(text) > _LONGEST:
        raise Refused(413, "too_large")
    options: dict[str, Any] = pairs([line.strip() for line in text.splitlines() if line.strip()], "option")
    for name, value in options.items():
        if name == "modules" or _FILE.search(str(value)):
            raise Refused(400, "bad_value", reason=f"option {name[:80]}: a page names no files")
    seed, rated = _one(fields, "seed"), bool(_one(fields, "rated"))
    if rated and seed:
        raise Refused(400, "rated_seed")
    spec = system_of(found.game).spec(found.game, found.scenario, options, modules)
    return Order(
        game=found.game,
        scenario=found.scenario,
        options=options,
        modules=modules,
        cast=_cast(spec, found, fields),
        seats=tuple(seat.name for seat in spec.seats),
        seed=_seed(seed),
        lang=lang,
        rated=rated,
        own_seed=bool(seed),
    )


def _cast(spec: GameSpec, found: Offer, fields: Mapping[str, Sequence[str]]) -> dict[int, str]:
    game = Game(spec, compiled=False)  # interpreted: nothing is played yet
    think = _seconds(_one(fields, "seconds"))
    partner = _one(fields, "partner")
    friend = _agent(game, found, partner, think) if partner else None
    opponent = _agent(game, found, _one(fields, "opponent"), think)
    return cast(game, _seat(spec, found, _one(fields, "seat")), opponent, friend)


def _seat(spec: GameSpec, found: Offer, name: str) -> str | None:
    """The seat that is meant: the form names those of the scenario, which options may call by other names."""
    places, names = [seat.name for seat in found.seats], [seat.name for seat in spec.seats]
    if name in names or name not in places:
        return name or None
    return names[min(places.index(name), len(names) - 1)]


def _agent(game: Game, found: Offer, name: str, think: float) -> str:
    """The text of an agent that the form may name: one from the list, never a file."""
    if name == "":
        return opponent_for(game, think)
    if name == SEARCH:
        return searching(game, think)
    if name in [f"{LEVEL}{number}" for number in range(1, found.levels + 1)]:
        return opponent_of_level(game, int(name.removeprefix(LEVEL)), think)
    if name == PEOPLE or name in [known for known, _ in found.opponents]:
        return name
    raise Refused(400, "bad_value", reason=f"opponent {name[:80]!r}: {', '.join(n for n, _ in found.opponents)}")


def _seconds(text: str) -> float:
    try:
        value = float(text.replace(",", ".")) if text else DEFAULT_SECONDS  # a German phone has no other point
    except ValueError:
        value = math.nan
    if not 0.05 <= value <= MOST_SECONDS:
        raise Refused(400, "bad_value", reason=f"seconds = {text[:40]!r}: 0.05..{MOST_SECONDS:g}")
    return value


def _seed(text: str) -> int:
    if not text:
        return secrets.randbits(63)  # drawn, so that agents cannot find it by trying
    if not text.isascii() or not text.isdecimal() or len(text) > 19 or int(text) >= 1 << 63:
        raise Refused(400, "bad_value", reason=f"seed = {text[:40]!r}: 0..2**63-1")
    return int(text)


__all__ = ["Offer", "games_by_system", "offer", "offered_again", "order_of"]
