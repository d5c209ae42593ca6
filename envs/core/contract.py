"""Random play with every promise of the contract of games checked: what rules of others break first.

Interpreted rules are slow, and tell the line of an error. Modules and games by name are checked in `soundness.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from types import ModuleType

import numpy as np

from .abi import STOPPED, TO_ACT
from .actions import LANGUAGES
from .build import ruleset_hash
from .code_cache import cache_root
from .errors import ProbespielError, RulesetError
from .game import Game, GameSpec, Position
from .jit import digest
from .modules.check import declaration, source_of
from .modules.declare import place_of
from .observe import Layout

Invariants = Callable[[Position], Iterable[str]]
LONGEST = 20_000  # decisions of one game before the check gives up
TOLD = 40  # decisions of a game whose texts are read
TRIED = 1_000  # decisions, after which no further game is begun before rules are compiled for the first time


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
    found += _halt_problems(position)
    for seat in seats:
        legal = position.legal(seat)
        if not legal:
            found.append(f"{game.seats[seat].name} is asked and has no legal action")
        elif legal[-1] >= game.n_actions:
            found.append(
                f"{game.seats[seat].name}: action {legal[-1]} is legal, and the last one is {game.n_actions - 1}"
            )
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


def _halt_problems(position: Position) -> list[str]:
    """What is wrong with where the rules have stopped: at a die, at seats that are asked, or at the end."""
    game, die, seats = position.game, position.die(), position.to_act()
    bits, events, room = position._call(TO_ACT), int(position.record.n_events), len(position.record.events)
    asked = ", ".join(game.seats[seat].name for seat in seats)
    found = []
    if bits < 0 or bits >> game.n_seats:
        found.append(f"to_act is {bits}: a bit for each of {game.n_seats} seats, from 0 to {(1 << game.n_seats) - 1}")
    if position.over and (die or seats):
        found.append(
            f"the game is over, and {f'still asked is {asked}' if seats else 'a die is due'}: to_act and die must be 0"
        )
    elif die and seats:
        found.append(f"a die is due, and asked is {asked}: to_act must be 0 until it has fallen")
    elif not position.over and not die and not seats:
        found.append("nobody is asked, no die is due, and the game is not over")
    if die < 0:
        found.append(f"a die of {die} faces is due: 0 for none, else at least 1")
    if len(seats) > 1 and not game.spec.simultaneous:
        found.append(f"{asked} are asked at once, and the game says simultaneous=False")
    if not 0 <= events <= room:
        found.append(f"n_events is {events}: from 0 to {room}, for which there is room")
    return found


def _text_problems(position: Position) -> list[str]:
    """Texts of a position that fail or are no texts, in every language and for every reader."""
    game, found = position.game, []

    def read(what: str, lang: str, tell: Callable[[], object], empty: bool) -> None:
        try:
            told = tell()
        except Exception as error:  # whatever the texts of others raise is what is looked for
            found.append(f"{what} in {lang!r} fails: {type(error).__name__}: {error}")
            return
        if not isinstance(told, str) or not (told or empty):
            found.append(f"{what} in {lang!r} is {told!r}: a text must be told")

    for lang in LANGUAGES:
        for seat in (None, *range(game.n_seats)):
            whom = "all" if seat is None else game.seats[seat].name
            read(f"the text of the position for {whom}", lang, lambda s=seat, of=lang: position.told(s, of), True)
            for event in position.events():
                read(
                    f"the text of event {event} for {whom}",
                    lang,
                    lambda e=event, s=seat, of=lang: game.say(e, s, of),
                    True,
                )
        if position.to_act():
            read(f"the question of phase {position.phase()!r}", lang, lambda of=lang: position.question(of), False)
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
    game: Game,
    games: int = 5,
    seed: int = 0,
    invariants: Invariants | None = None,
    leaks: bool = True,
    futures: bool = False,
    told: int = TOLD,
    most: int | None = None,
) -> Soundness:
    """Play random games and check every position; a game ends with its first problem.

    `leaks`: positions that a seat cannot tell apart must look the same to it, and be forgotten to the same record;
    where keys are those of `futures`, positions of one future must offer it the same.
    `told`: decisions of a game whose texts are read; after `most` decisions of all games no other one begins.
    """
    rng = np.random.default_rng(seed)
    differ = future_of if futures else difference_of
    known: dict[tuple[int, int], Position] = {}
    decisions = 0
    found = []
    for number in range(games):
        if most is not None and decisions >= most:
            games = number
            break
        position: Position | None = None
        taken, problem = 0, ""
        try:
            position = game.position(seed + number)
            problem = _first(_halt_problems(game.position()))  # before the first die
            while not problem:
                views: Views = {}
                wrong = problems_of(position, invariants, views) or (_text_problems(position) if taken < told else [])
                if wrong or position.over:
                    problem = _first(wrong)
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
                    taken += 1
                    problem = _first(_halt_problems(position)) if position.die() else ""
                    if not problem:
                        position.roll()
                    if not problem and taken > min(LONGEST, game.spec.max_decisions):
                        problem = _endless(game, taken)
        except ProbespielError as error:
            problem = str(error)
        decisions += taken
        if problem:
            phase = position.phase() if position is not None else ""
            found.append(f"seed {seed + number}, decision {taken}, phase {phase or '-'}: {problem}")
    return Soundness(game.name, games, decisions, tuple(found))


def _first(problems: list[str]) -> str:
    return problems[0] if problems else ""


def _endless(game: Game, taken: int) -> str:
    if taken > game.spec.max_decisions:
        return f"it goes on after {taken} decisions, and the game says max_decisions={game.spec.max_decisions}"
    return f"it is not over after {LONGEST} decisions"


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
            "(`determinize`, of a module private=True), or it is known, and `key` does not tell it"
        )
    return None


@cache
def _checks() -> tuple[str, ...]:
    return tuple(source_of(sys.modules[name]) for name in (__name__, Game.__module__))


def try_contract(spec: GameSpec) -> None:
    """Play rules for the first time on this machine: a few random games, interpreted; raises RulesetError.

    Rules that have passed are not tried again until they, their parameters or these checks change.
    """
    kept = cache_root() / "tried" / digest([ruleset_hash(spec.sources), spec.params.tobytes().hex(), *_checks()])
    if kept.exists():
        return
    found = check_random_play(Game(spec, compiled=False), leaks=False, most=TRIED)
    if found.problems:
        raise RulesetError(
            f"game {spec.name}: its rules do not keep what a game promises: {found.problems[0]}; "
            f"`probespiel verify --game {spec.name}` checks all promises"
        )
    with suppress(OSError):  # tried again the next time
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.touch()
