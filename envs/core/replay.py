"""Replay files: a game with its rules, dice and decisions as readable JSON, replayed exactly or refused.

A file holds `format`, `version`, `game`, `scenario`, `options`, `modules`, `ruleset` (hash of the rules), `seed`,
`agents` (seat to text), `steps` (`{"die": faces, "fell": 0..faces-1}` or `{"seat": name, "action": code}`) and `result`
(`status`: running, ended or stopped; `payoffs`: seat to number). Loading plays all steps by the rules and compares the
result, so that a loaded replay is known to be possible. A game that its rules did not survive may hold `fails`: the
steps after the last one by which they break, which are not played at loading. Files are taken for hostile: whatever is
wrong with one, the answer is a ReplayError.
"""

from __future__ import annotations

import json
import math
import os
import reprlib
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn, Self

import numpy as np

from .errors import IllegalAction, ProbespielError, ReplayError, RulesetError, UnparsableAction
from .game import Game, Position
from .recipes import rebuild, recipe_of
from .registry import system_of
from .rng import rng_array
from .setups import at_hand, own_name
from .steps import Choice, Die, failing, look, named, take, written

FORMAT, VERSION = "probespiel-replay", 1
STATUS = ("running", "ended", "stopped")
MAX_BYTES = 1 << 26
MAX_NAME = 1000  # characters of a name: looking for similar names takes time
MAX_REASON = 300  # characters of a wrong value, or of another error's text, that are shown
FIELDS = {
    "format": str,
    "version": int,
    "game": str,
    "scenario": str,
    "options": dict,
    "modules": dict,
    "ruleset": str,
    "seed": int,
    "agents": dict,
    "steps": list,
    "result": dict,
}
MAY = {"fails": list}  # fields that a file need not have

_shorten = reprlib.Repr()
_shorten.maxlevel = 3
_shorten.maxstring = _shorten.maxother = _shorten.maxlong = 60


def _show(value: Any) -> str:
    text = _shorten.repr(value)
    return text if len(text) <= MAX_REASON else f"{text[:MAX_REASON]}..."


def _due(position: Position) -> str:
    """What a position waits for, in words."""
    game = position.game
    if position.over:
        return "the game is over"
    if faces := position.die():
        return f"a die with {faces} faces is due"
    seats = [
        f"{game.seats[seat].name} ({', '.join(game.actions.codes[a] for a in position.legal(seat))})"
        for seat in position.to_act()
    ]
    return f"phase {position.phase()}, to act and legal: {'; '.join(seats)}"


@dataclass(frozen=True)
class Replay:
    """A recorded game that is known to follow its rules; made by `Recorder.replay` and `load`."""

    game: Game
    steps: tuple[Die | Choice, ...]
    status: str
    payoffs: tuple[float, ...]
    seed: int | None = None
    agents: Mapping[str, str] | None = None
    fails: tuple[Die | Choice, ...] = ()

    def fault(self) -> str:
        """What interpreted rules say of the steps `fails`: file, line and hook; empty if they survive them."""
        if not self.fails:
            return ""
        plain = self.game if not self.game.kernel.compiled else rebuild(recipe_of(self.game), compiled=False)
        try:
            position = replace(self, game=plain).final()
            for step in self.fails:
                take(position, step)
            look(position)
        except IllegalAction:
            return ""  # a file may name any steps
        except ProbespielError as error:
            return str(error)
        return ""

    def positions(self) -> Iterator[tuple[Die | Choice | None, Position]]:
        """The start (with None) and every step with the position after it; the same object, clone it to keep it."""
        position = self.game.position()
        yield None, position
        for step in self.steps:
            take(position, step)
            yield step, position

    def final(self) -> Position:
        """The last position."""
        *_, (_, position) = self.positions()
        return position

    def to_json(self) -> str:
        """The file's text, one step a line."""
        names = [seat.name for seat in self.game.seats]
        recipe = recipe_of(self.game)
        head = {
            "format": FORMAT,
            "version": VERSION,
            **recipe,
            "seed": self.seed,
            "agents": dict(self.agents or {}),
        }
        result = {"status": self.status, "payoffs": dict(zip(names, self.payoffs))}
        try:
            lines = [f" {_text(key)}: {_text(value)}" for key, value in head.items()]
            lines.append(f' "steps": {_listed(self.game, self.steps)}')
            if self.fails:
                lines.append(f' "fails": {_listed(self.game, self.fails)}')
            lines.append(f' "result": {_text(result)}')
        except (TypeError, ValueError) as error:
            raise ReplayError(f"game {self.game.name}: it cannot be written as JSON: {error}") from error
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file at once or not at all; an existing one is replaced. OSError if the place cannot be written."""
        target = Path(path)
        try:
            data = self.to_json().encode()
        except UnicodeEncodeError as error:
            raise ReplayError(f"{target}: a name cannot be written as text: {error}") from error
        draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        try:
            with draft.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, target)
        finally:
            draft.unlink(missing_ok=True)


def _listed(game: Game, steps: Iterable[Die | Choice]) -> str:
    return "[" + ",".join(f"\n  {_text(step)}" for step in written(game, steps)) + "\n ]"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


class Recorder:
    """Plays a game from its start and records it: dice by `roll` or `fall`, decisions by `apply`.

    `seed` gives the dice of `game.position(seed)` and of the environments' `reset(seed)`; `agents` maps names of seats
    to texts. Errors are those of `Position`, and leave the record unchanged.
    """

    def __init__(self, game: Game, seed: int | None = None, agents: Mapping[str, str] | None = None) -> None:
        self.position = game.position()  # to be read; what is done to it directly is not recorded
        self.seed = seed
        self.agents = dict(agents or {})
        self.steps: list[Die | Choice] = []
        self._rng = None if seed is None else rng_array(seed, "position")
        if self._rng is not None:
            self.roll()

    @classmethod
    def follow(
        cls,
        game: Game,
        decisions: Iterable[tuple[int, int]],
        *,
        seed: int | None = None,
        rng: np.ndarray | None = None,
        agents: Mapping[str, str] | None = None,
    ) -> Self:
        """Record what a compiled driver played: its (seat, action) in order, with its dice.

        They come from the seed, or from the generator state `rng` (uint64[1], not modified) that the driver began with.
        """
        recorder = cls(game, seed, agents)
        if rng is not None:
            recorder._rng = rng.copy()
            recorder.roll()
        for seat, action in decisions:
            recorder.apply(seat, action)
            if recorder._rng is not None:
                recorder.roll()
        return recorder

    def roll(self, rng: np.ndarray | None = None) -> None:
        """Throw all dice that are due, with `rng` (uint64[1], default: the recorder's own)."""
        self.steps.extend(Die(*thrown) for thrown in self.position.roll(self._rng if rng is None else rng))

    def fall(self, outcome: int) -> None:
        """Report a die."""
        faces = self.position.die()
        self.position.fall(outcome)
        self.steps.append(Die(faces, int(outcome)))

    def apply(self, seat: int, action: int) -> None:
        """Take an action."""
        self.position.apply(seat, action)
        self.steps.append(Choice(int(seat), int(action)))

    def failing(self, seat: int, action: int) -> tuple[Die | Choice, ...]:
        """The action and the dice after it up to where the rules raise an error; nothing if they raise none.

        The dice are the recorder's own; ProbespielError without a seed or rng. Nothing of it is recorded.
        """
        if self._rng is None:
            raise ProbespielError("seed: the recorder has no dice of its own; give it a seed, or `follow` an rng")
        return failing(self.position, Choice(int(seat), int(action)), self._rng.copy())

    def replay(self) -> Replay:
        """The game so far."""
        position = self.position
        payoffs = tuple(position.returns().tolist())
        return Replay(position.game, tuple(self.steps), STATUS[position.status], payoffs, self.seed, dict(self.agents))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game so far, at once or not at all."""
        self.replay().save(path)


def load(path: str | os.PathLike[str], game: Game | None = None, compiled: bool = True, trust: bool = False) -> Replay:
    """Read a replay and play it; ReplayError says what is wrong, with the number of the step and what is legal there.

    A file names built-in rule modules only; one with other modules needs the finished `game`, whose rules and options
    must be those of the file, or `trust`: else reading a file never runs code that it names. Without `compiled` its
    game is interpreted, which starts at once and plays slowly.
    """
    target = Path(path)
    try:
        with target.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or error
        raise ReplayError(f"{target}: it cannot be read: {why}") from error
    if len(data) > MAX_BYTES:
        raise ReplayError(f"{target}: larger than {MAX_BYTES} bytes")
    try:
        return loads(data, game, compiled, trust, target.parent)
    except ReplayError as error:
        raise ReplayError(f"{target}: {error}") from error.__cause__


def loads(
    data: bytes | str, game: Game | None = None, compiled: bool = True, trust: bool = False, folder: Path = Path()
) -> Replay:
    """`load` for the content of a file in a `folder`."""
    content = parse_object(data)
    _check_fields(content)
    if game is None:
        game = build_recorded(content, compiled, trust, folder)
    compare_rules(content, game)
    names = [seat.name for seat in game.seats]
    agents: dict[str, Any] = content["agents"]
    for name, text in agents.items():
        if name not in names or not isinstance(text, str):
            raise ReplayError(
                f"agents: {_show(name)}: {_show(text)}: the seats are {', '.join(names)}, the values texts"
            )
    position = game.position()
    steps = tuple(take_step(position, n, step) for n, step in enumerate(content["steps"], 1))
    status, payoffs = _result(content["result"], names)
    found = tuple(position.returns().tolist())
    if status != STATUS[position.status] or payoffs != found:
        raise ReplayError(
            f"result: the file says {status}, {list(payoffs)}; its steps lead to {STATUS[position.status]}, "
            f"{list(found)}"
        )
    fails = named(game, content.get("fails", []))
    if fails and status != STATUS[0]:
        raise ReplayError(f"fails: the rules break in a game that is {STATUS[0]}; the file says {status}")
    return Replay(game, steps, status, payoffs, content["seed"], agents, fails)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ReplayError(f"{_show(text)} is no finite number")
    return number


def _refuse_constant(text: str) -> NoReturn:
    raise ReplayError(f"{text} is no finite number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ReplayError(f"a field is given twice among {_show([key for key, _ in pairs])}")
    return out


def parse_object(data: bytes | str) -> dict[str, Any]:
    """The JSON object of a text of unknown origin; ReplayError for anything else."""
    try:
        text = data.decode() if isinstance(data, bytes) else data
        content = json.loads(text, parse_float=_finite, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except ReplayError:
        raise
    except RecursionError as error:
        raise ReplayError("nested too deeply") from error
    except ValueError as error:  # no UTF-8, no JSON, an integer of thousands of digits
        raise ReplayError(f"no valid JSON: {error}") from error
    if not isinstance(content, dict):
        raise ReplayError(f"{_show(content)} is no JSON object")
    return content


def _check_fields(content: dict[str, Any]) -> None:
    if content.get("format") != FORMAT:
        raise ReplayError(f"format {_show(content.get('format'))}: no replay file ({FORMAT!r})")
    if content.get("version") != VERSION or isinstance(content["version"], bool):
        raise ReplayError(f"version {_show(content.get('version'))}: this version of probespiel reads {VERSION}")
    for name in content:
        if name not in FIELDS and name not in MAY:
            raise ReplayError(f"field {_show(name)} is unknown: {', '.join([*FIELDS, *MAY])}")
        if name in MAY and not isinstance(content[name], MAY[name]):
            raise ReplayError(f"{name}: {_show(content[name])} is no {MAY[name].__name__}")
    for name, kind in FIELDS.items():
        if name not in content:
            raise ReplayError(f"field {name!r} is missing")
        value = content[name]
        if name == "seed" and value is None:
            continue
        if not isinstance(value, kind) or isinstance(value, bool):
            raise ReplayError(f"{name}: {_show(value)} is no {kind.__name__}")
        if kind is str and len(value) > MAX_NAME:
            raise ReplayError(f"{name}: {_show(value)} is longer than {MAX_NAME} characters")


def runs_files(game: Game) -> bool:
    """Whether a record of a game can only be read with trust, see `asks_trust`."""
    return asks_trust(game.name, game.spec.options.get("modules") or ())


def asks_trust(game: str, modules: Iterable[str]) -> bool:
    """Whether one of the rule modules of a game is not built in: a record that names it runs code of others.

    Of a game that is not known here that is not known either, and trust is asked for.
    """
    try:
        known = system_of(game).modules()
    except RulesetError:
        return True
    return any(name not in known for name in modules)


def build_recorded(content: Mapping[str, Any], compiled: bool, trust: bool, folder: Path = Path()) -> Game:
    """The game that a record's recipe names; ReplayError if it cannot be had, or without `trust` is code of others.

    Files of rule modules that are not where the record says may lie in its `folder`, see `at_hand`.
    """
    try:
        known = system_of(content["game"]).modules()
    except RulesetError as error:
        raise ReplayError(str(error)) from error
    for name in content["modules"]:
        if name not in known and not trust:
            raise ReplayError(
                f"modules: {_show(name)} is not built in ({', '.join(known) or 'there are none'}): a replay runs it "
                "only where that is allowed (--trust-files; trust=True)"
            )
    try:
        return rebuild({**content, "modules": at_hand(content["modules"], folder)}, compiled)
    except ProbespielError as error:
        raise ReplayError(f"its game cannot be built: {str(error)[:MAX_REASON]}") from error
    except Exception as error:  # a hostile file may break a system's checks in any way
        reason = f"{type(error).__name__}: {error}"
        raise ReplayError(f"its game cannot be built: {reason[:MAX_REASON]}") from error


def compare_rules(content: Mapping[str, Any], game: Game) -> None:
    """Raise ReplayError unless a game is the one of a record's recipe."""
    if content["game"] != game.name:
        raise ReplayError(f"a replay of {_show(content['game'])}, not of {game.name}")
    if content["ruleset"] != game.ruleset:
        raise ReplayError(
            f"ruleset {_show(content['ruleset'])}: the rules of {game.name} are {game.ruleset}; it was played by other "
            "rules and cannot be replayed"
        )
    recipe = json.loads(json.dumps(recipe_of(game)))

    def called(modules: Mapping[str, Any]) -> dict[str, Any]:
        return {own_name(name): values for name, values in modules.items()}  # files may lie elsewhere

    for name in ("scenario", "options", "modules"):
        alike = called(content[name]) == called(recipe[name]) if name == "modules" else content[name] == recipe[name]
        if not alike:
            raise ReplayError(f"{name}: {_show(content[name])} in the file, {_show(recipe[name])} in the game")


def take_step(position: Position, number: int, step: Any) -> Die | Choice:
    """Take a step of a file; ReplayError with its number."""

    def wrong(reason: str) -> ReplayError:
        return ReplayError(f"step {number}, {_show(step)}: {reason}; {_due(position)}")

    def integer(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    game = position.game
    if isinstance(step, dict) and step.keys() == {"die", "fell"}:
        faces, fell = step["die"], step["fell"]
        if not integer(faces) or faces != position.die() or faces == 0:
            raise wrong("this die is not due")
        if not integer(fell) or not 0 <= fell < faces:
            raise wrong(f"it falls on 0..{faces - 1}")
        position.fall(fell)
        return Die(faces, fell)
    if isinstance(step, dict) and step.keys() == {"seat", "action"}:
        names = [seat.name for seat in game.seats]
        if step["seat"] not in names:
            raise wrong(f"the seats are {', '.join(names)}")
        if not isinstance(step["action"], str) or len(step["action"]) > MAX_NAME:
            raise wrong("an action is a text")
        seat = names.index(step["seat"])
        try:
            action = game.actions.parse(step["action"], game.spec.aliases)
            position.apply(seat, action)
        except UnparsableAction as error:
            raise wrong(str(error)) from error
        except IllegalAction as error:
            raise wrong("it is not legal") from error
        return Choice(seat, action)
    raise wrong('a step is {"die", "fell"} or {"seat", "action"}')


def _result(result: dict[str, Any], names: list[str]) -> tuple[str, tuple[float, ...]]:
    if result.keys() != {"status", "payoffs"} or result["status"] not in STATUS:
        raise ReplayError(f"result: {_show(result)} is no status ({', '.join(STATUS)}) with payoffs")
    payoffs = result["payoffs"]
    if not isinstance(payoffs, dict) or list(payoffs) != names:
        raise ReplayError(f"result: payoffs {_show(payoffs)} are not those of {', '.join(names)}")
    for value in payoffs.values():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ReplayError(f"result: payoff {_show(value)} is no number")
    return result["status"], tuple(payoffs.values())


__all__ = [
    "Choice",
    "Die",
    "Recorder",
    "Replay",
    "asks_trust",
    "build_recorded",
    "compare_rules",
    "load",
    "loads",
    "parse_object",
    "runs_files",
    "take_step",
]
