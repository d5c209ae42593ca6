"""Random play with every promise of the contract checked: what outside rule modules break first.

`probespiel verify --module FILE` and the tests of rule modules stand on it. Interpreted rules are slow,
and tell the line of an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from .abi import STOPPED
from .errors import ProbespielError, RulesetError, WrongLevel
from .game import Game, Position
from .modules.check import declaration
from .modules.declare import place_of
from .observe import Layout
from .registry import system

Invariants = Callable[[Position], Iterable[str]]
LONGEST = 20_000  # decisions of one game before the check gives up


@dataclass(frozen=True)
class Soundness:
    """What random play of a game showed: games and decisions played, and the first problem of each broken game."""

    game: str
    games: int
    decisions: int
    problems: tuple[str, ...]


# By seat what it sees and may do in a position, once it was asked for.
Views = dict[int, tuple[np.ndarray, list[int]]]


def problems_of(position: Position, invariants: Invariants | None = None, views: Views | None = None) -> list[str]:
    """What does not hold in a position: somebody can act until the end, values in range, the system's invariants.

    `views` (default: forgotten) is filled with those of the seats that are asked.
    """
    game = position.game
    found = list(invariants(position)) if invariants else []
    if position.status == STOPPED:
        found.append(stop_of(position))
    seats = position.to_act()
    if not position.over and not position.die() and not seats:
        found.append("nobody is asked, no die is due, and the game is not over")
    for seat in seats:
        legal = position.legal(seat)
        if not legal:
            found.append(f"{game.seats[seat].name} is asked and has no legal action")
        try:
            seen = position.observe(seat)
            lowest, highest = _bounds(game.layout)
            if not ((seen >= lowest) & (seen <= highest)).all():
                game.layout.check(seen)
        except RulesetError as error:
            found.append(f"{game.seats[seat].name}: {error}")
            continue
        if views is not None:
            views[seat] = seen, legal
    found += [wrong for tally in game.spec.tallies if (wrong := tally.wrong(position.record))]
    payoffs = position.returns()
    low, high = np.array(game.spec.bounds_of_seats).T
    if not np.isfinite(payoffs).all() or (payoffs < low - 1e-9).any() or (payoffs > high + 1e-9).any():
        bounds = ", ".join(dict.fromkeys(f"{a:g}..{b:g}" for a, b in game.spec.bounds_of_seats))
        found.append(f"payoffs {payoffs.tolist()} are outside {bounds}")
    if game.spec.zero_sum and abs(payoffs.sum()) > 1e-9:
        found.append(f"payoffs {payoffs.tolist()} do not add up to 0")
    return found


@lru_cache(maxsize=8)
def _bounds(layout: Layout) -> tuple[np.ndarray, np.ndarray]:
    """`Layout.bounds`, which takes longer than most observations."""
    return layout.bounds()


def leak_of(
    position: Position, seat: int, seed: int = 0, view: tuple[np.ndarray, list[int]] | None = None
) -> str | None:
    """What a seat can see or do that depends on what it cannot know; None if nothing.

    All that the seat cannot know is forgotten and dealt again: its observation, its legal actions and its history must
    stay the same, and forgetting again must lead to the same record, bit for bit. `view`: what the seat sees and may
    do, if that is known already.
    """
    before, legal = view or (position.observe(seat), position.legal(seat))
    lost = position.forget(seat)
    twin = lost.clone()
    twin.roll(np.array([seed * 7919 + 1], dtype=np.uint64))
    if not set(twin.to_act()) >= set(position.to_act()) or twin.phase() != position.phase():
        return "after hidden cards are dealt again, something else is asked"
    if twin.key(seat) != position.key(seat):
        return "after hidden cards are dealt again, the seat has another history"
    if twin.legal(seat) != legal:
        codes = [position.game.actions.codes[a] for a in sorted(set(twin.legal(seat)) ^ set(legal))]
        return f"whether {', '.join(codes)} is legal depends on what the seat cannot know"
    after = twin.observe(seat)
    if not np.array_equal(before, after):
        at = int(np.flatnonzero(before != after)[0])
        layout = position.game.layout
        piece = next(p for p in reversed(layout.pieces) if layout.offsets[p.name] <= at)
        return f"the observation piece {piece.name!r} shows what the seat cannot know: {before[at]:g} or {after[at]:g}"
    again = twin.forget(seat)
    if again.to_bytes() != lost.to_bytes():
        return f"{', '.join(differences(again, lost))} is hidden, but not forgotten (module.state: private)"
    return None


def differences(one: Position, other: Position) -> list[str]:
    """Names of the state fields in which two positions differ."""
    a, b = one.record, other.record
    return [name for name in one.game.state_dtype.names or () if not np.array_equal(getattr(a, name), getattr(b, name))]


def asking_hooks(source: ModuleType, phase: str = "") -> list[str]:
    """Hooks of a module's file that ask seats something, with their places; in a phase, or in any."""
    module = declaration(source)
    found = []
    for name, hook in module.hooks.items():
        kind = module.interface.table[name].kind
        window = kind == "options" and phase in ("", *(module.windows or ()))
        question = kind == "owner" and phase not in module.interface.windows
        if window or question:
            found.append(f"{place_of(hook)}: module {module.name}: hook {name!r}")
    return found


def stop_of(position: Position) -> str:
    """Why a game was stopped by its safety limit: where it was, and which hooks of modules ask there."""
    spec, number = position.game.spec, int(position.record.ask_phase)
    phase = spec.phases[number] if number < len(spec.phases) else str(number)
    asking = [text for source in spec.sources.extensions for text in asking_hooks(source, phase)]
    whose = f"; there asks {'; or '.join(asking)}" if asking else ""
    return f"stopped by the limit of {spec.max_decisions} decisions in phase {phase!r}: it does not end{whose}"


def check_random_play(
    game: Game, games: int = 5, seed: int = 0, invariants: Invariants | None = None, leaks: bool = True
) -> Soundness:
    """Play random games and check every position; a game ends with its first problem.

    `leaks`: positions that a seat cannot tell apart must look the same to it, and be forgotten to the same record;
    those of one future must offer it the same.
    """
    rng = np.random.default_rng(seed)
    differ = future_of if system(game.spec.system).keys_of_futures else difference_of
    known: dict[tuple[int, int], Position] = {}
    decisions = 0
    found = []
    for number in range(games):
        position: Position | None = None
        taken, problem = 0, ""
        try:
            position = game.position(seed + number)
            while not problem:
                views: Views = {}
                wrong = problems_of(position, invariants, views)
                if wrong or position.over:
                    problem = wrong[0] if wrong else ""
                    break
                seat = int(rng.choice(position.to_act()))
                if leaks:
                    history = seat, position.key(seat)
                    if history in known:
                        problem = differ(known[history], position, seat) or ""
                    else:  # there is nothing yet to compare it with
                        known[history] = position.clone()
                    problem = problem or leak_of(position, seat, taken, views[seat]) or ""
                if not problem:
                    position.apply(seat, int(rng.choice(views[seat][1])))
                    position.roll()
                    taken += 1
                    if taken > LONGEST:
                        problem = f"it is not over after {LONGEST} decisions"
        except ProbespielError as error:
            problem = str(error)
        decisions += taken
        if problem:
            phase = position.phase() if position is not None else ""
            found.append(f"seed {seed + number}, decision {taken}, phase {phase or '-'}: {problem}")
    return Soundness(game.name, games, decisions, tuple(found))


def future_of(one: Position, other: Position, seat: int) -> str | None:
    """How two positions differ for a seat whose futures have the same key; None if they do not."""
    if one.legal(seat) != other.legal(seat):
        return (
            "a seat may do something else where the keys say that the future is the same: what it depends on is not "
            "in them (hook state_key)"
        )
    return None


def difference_of(one: Position, other: Position, seat: int) -> str | None:
    """How two positions differ for a seat that has seen and done the same in both; None if they do not."""
    if not np.array_equal(one.observe(seat), other.observe(seat)) or one.legal(seat) != other.legal(seat):
        return "a seat sees or may do something else after the same history"
    a, b = one.forget(seat), other.forget(seat)
    if a.to_bytes() != b.to_bytes():
        return (
            f"{', '.join(differences(a, b))} depends on what the seat cannot know, and is not forgotten "
            "(module.state: private=True)"
        )
    return None


def check_modules(
    name: str, modules: Mapping[str, Any], games: int = 5, seed: int = 0, compiled: bool = False
) -> list[Soundness]:
    """Random play of rule modules in the default scenario of every game of a system; raises RulesetError.

    A game of a level that one of the modules does not know is left out.
    """
    found = system(name)
    out: list[Soundness] = []
    refused: RulesetError | None = None
    for game in found.games:
        try:
            spec = found.spec(game, None, {}, modules)
        except WrongLevel as error:
            refused = error
            continue
        out.append(check_game(Game(spec, compiled), games, seed))
    if not out and refused is not None:
        raise refused
    return out


def check_game(game: Game, games: int = 5, seed: int = 0) -> Soundness:
    """Random play of a game with the invariants of its system."""
    return check_random_play(game, games, seed, system(game.spec.system).invariants)
