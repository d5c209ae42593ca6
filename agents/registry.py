"""Agents by name: `name`, `name:key=value,...` or `path/to/file.py:Class[:key=value,...]`.

Names are those of this package, of the compiled baselines, and of installed distributions that declare an entry point
in the group `probespiel.agents` (its value is a class like `Agent`, or a function that makes one).
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ..envs.core.errors import RulesetError
from ..envs.core.game import Game
from ..envs.core.jit import digest
from ..envs.core.modules.kept import Changed, kept_imports, kept_process
from ..envs.core.registry import game_names, system_of
from ..envs.core.rooms import room_of, system_names
from .base import Agent, AgentError, Param, Requests, View
from .declaration import agents_of
from .native import BaselineAgent, baselines_of

GROUP = "probespiel.agents"
ONLY = "an agent leaves the process as it is, and finds files beside its own by Path(__file__)"
ALIASES = {"random_legal": "random"}  # the name of the rules' specification
_OWN = {
    "random": (".simple", "RandomAgent"),
    "first": (".simple", "FirstAgent"),
    "search": (".search", "SearchAgent"),
    "switch": (".switch", "SwitchAgent"),
    "solve_search": (".solve_search", "SolveSearchAgent"),
    "casual": (".casual", "CasualAgent"),
    "cfr": (".cfr", "CfrAgent"),
    "human": (".human", "HumanAgent"),
    "policy": (".policy", "PolicyAgent"),
}
_GERMAN = {
    "random": "Eine erlaubte Aktion, alle gleich oft.",
    "first": "Die erlaubte Aktion mit der kleinsten Nummer, für Tests.",
    "search": "Monte-Carlo-Baumsuche über alles, was ein Platz nicht wissen kann.",
    "switch": "Spielt jeden Abschnitt wie die Heuristik, die von da an bis zum Ende am meisten holt.",
    "solve_search": "Eine gemischte Strategie aus einem wachsenden Baum über das, was Plätze wissen; gelöst mit PCFR+.",
    "casual": "Eine flache Suche, die ihre Antwort auslost, Gutes eher, und manche Züge übersieht.",
    "cfr": "Spielt eine Strategie, die vorher gelöst wurde; ohne Datei die mitgelieferte.",
    "human": "Ein Mensch am Terminal: sieht, was der Platz sehen darf, und wird gefragt, bis die Antwort erlaubt ist.",
    "policy": "Eine trainierte Strategie, nach ihren Chancen ausgelost.",
}
_CONTINUED = re.compile(r"\s*[A-Za-z_]\w*\s*=")
_FILE = re.compile(r"(?P<path>.+?\.py)(?::(?P<name>[^:]*))?(?::(?P<rest>.*))?")


@dataclass(frozen=True)
class AgentKind:
    """An agent that can be asked for by name: its parameters, one line about it, where it comes from, what makes it."""

    name: str
    params: tuple[Param, ...]
    doc: str
    source: str
    make: Callable[..., Any]
    systems: tuple[str, ...] = ()  # that it belongs to; none: it plays every game, or says itself which


@dataclass(frozen=True)
class AgentText:
    """The text that names an agent, taken apart: a registered name, or a file and the name of a class; and values.

    `place` is the text that finds it here where its files lie elsewhere than the text says (see `moved`), else empty.
    """

    text: str
    name: str
    path: Path | None
    values: dict[str, str]
    place: str = ""

    @property
    def here(self) -> str:
        """The text by which it is made."""
        return self.place or self.text

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of the files that it is made of or reads, as the text names them."""
        paths = [*([str(self.path)] if self.path else []), *self.values.values()]
        return tuple(path for path in paths if Path(path).is_file())

    def moved(self, files: Mapping[str, str]) -> AgentText:
        """The same agent, name and seeds included, where its files lie elsewhere: places by path."""
        path = Path(files.get(str(self.path), str(self.path))) if self.path else None
        values = {key: files.get(value, value) for key, value in self.values.items()}
        head, tail = (f"{path}:{self.name}" if path else self.name), ",".join(f"{k}={v}" for k, v in values.items())
        return replace(self, path=path, values=values, place=f"{head}:{tail}" if tail else head)

    @property
    def outside(self) -> bool:
        """Whether it means code that does not belong to this package: a file or an entry point."""
        return self.path is not None or self.name in {point.name for point in outside_points()}


def parse_agent(text: str) -> AgentText:
    """Take the name of an agent apart without making it; raises AgentError for a text of another form."""
    form = "name, name:key=value,... or path/to/file.py:Class[:key=value,...]"
    word = text.strip()
    match = _FILE.fullmatch(word)
    if match:
        path, name, rest = Path(match["path"]), match["name"] or "", match["rest"]
        if not name.isidentifier():
            raise AgentError(f"agent {text!r}: after the file comes the name of a class: {path}:Class")
    else:
        name, colon, after = word.partition(":")
        path, rest = None, after if colon else None
        if not name:
            raise AgentError(f"agent {text!r} has no name; the form is {form}")
    values: dict[str, str] = {}
    for part in rest.split(",") if rest is not None else ():
        key, equals, value = part.partition("=")
        key = key.strip()
        if not key.isidentifier() or not equals:
            raise AgentError(f"agent {text!r}: {part!r} is not of the form key=value")
        if key in values:
            raise AgentError(f"agent {text!r}: {key} is given twice")
        values[key] = value.strip()
    return AgentText(word, name, path, values)


def split_agents(text: str) -> list[str]:
    """Names of agents between commas: a piece key=value goes on with the agent before it.

    `search:sims=500,c=0.7,cfr:file=x.npz,random` names three. An agent whose file has a name like `a=b.py` must be
    given by itself (`--agent`). Raises AgentError for an empty name.
    """
    names: list[str] = []
    for piece in text.split(","):
        if names and ":" in names[-1] and _CONTINUED.match(piece):
            names[-1] += "," + piece
        elif not piece.strip():
            raise AgentError(f"agents {text!r}: a name between two commas is empty")
        else:
            names.append(piece.strip())
    return names


def make_agent(agent: str | AgentText, game: str | None = None, apart: bool = False) -> Agent:
    """A new agent by its name; raises AgentError naming what is wrong, the value, and what is allowed.

    With the name of a `game`, only agents that may play it are named there. A file that takes a stream of this process
    away, or goes to another folder, is refused, unless the process is the agent's own (`apart`).
    """
    parsed = agent if isinstance(agent, AgentText) else parse_agent(agent)
    if parsed.path is not None:
        factory = _class_in_file(parsed, apart)
        made = _construct(factory, parsed, getattr(factory, "params", None), apart)
    else:
        kind = _kind(parsed, game)
        made = _construct(kind.make, parsed, kind.params, apart)
    made.name = parsed.text
    return made


def minded(agent: AgentText) -> AbstractContextManager[None]:
    """While code of an agent runs in this process: one of others may change no stream and no working folder.

    Raises Changed (a RulesetError) if it has, when all is put back.
    """
    return kept_process(ONLY) if agent.outside else nullcontext()


def list_agents(game: Game | None = None) -> list[AgentKind]:
    """All agents with a name, or those that may play a game; sorted by name."""
    kinds = _kinds(game)
    return [kinds[name] for name in sorted(kinds)]


def german_lines(system: str) -> dict[str, str]:
    """The German lines about agents by their names, of all games and of a system's own; others have none."""
    return {**_GERMAN, **agents_of(system).german}


def outside_points() -> tuple[EntryPoint, ...]:
    """The entry points of installed packages that declare agents; looked up once for a search path."""
    return _points(tuple(sys.path))


@lru_cache(maxsize=8)
def _points(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


def _kinds(game: Game | None = None, only: str | None = None) -> dict[str, AgentKind]:
    # With `only`, nothing else is imported: a person who plays with simple agents waits for no library of others.
    kinds: dict[str, AgentKind] = {}

    def add(kind: AgentKind) -> None:
        if kind.name in kinds or kind.name in ALIASES:
            other = kinds[kind.name].source if kind.name in kinds else "an alias"
            raise AgentError(f"agent name {kind.name!r} is declared twice: {other}, and {kind.source}")
        kinds[kind.name] = kind

    places = [(name, module, attribute, __package__, "") for name, (module, attribute) in _OWN.items()]
    playing = system_names() if game is None else (game.spec.system,)
    for system in playing:
        for name, place in agents_of(system).own.items():
            module, _, attribute = place.partition(":")
            places.append((name, f".{module}", attribute, room_of(system, "agents"), system))
    for name, module, attribute, package, system in places:
        if only in (None, name):
            cls = getattr(importlib.import_module(module, package), attribute)
            source, systems = (f"agent of {system}", (system,)) if system else ("built in", ())
            add(AgentKind(name, cls.params, _first_line(cls), source, cls, systems))
    docs: dict[str, dict[str, str]] = {}
    params: dict[str, dict[str, Param]] = {}
    for system in playing:
        for name, baseline in baselines_of(system).items():
            if (
                only in (None, name)
                and name not in _OWN
                and (game is None or not baseline.games or game.name in baseline.games)
            ):
                docs.setdefault(name, {})[system] = baseline.doc
                params.setdefault(name, {}).update({param.name: param for param in baseline.params})
    for name, by_system in docs.items():
        source = "baseline of " + ", ".join(by_system)
        doc = "; ".join(dict.fromkeys(by_system.values()))
        add(AgentKind(name, tuple(params[name].values()), doc, source, _baseline(name), tuple(by_system)))
    for point in outside_points():
        if only not in (None, point.name):
            continue
        where = f"entry point of {point.dist.name}" if point.dist else "entry point"
        try:
            with kept_imports(ONLY):
                made = point.load()
        except (Exception, SystemExit) as error:  # foreign code may raise anything; the others stay usable
            reason = f"cannot be loaded: {type(error).__name__}: {error}"
            add(AgentKind(point.name, (), reason, where, _refuse(f"{where} {point.value} {reason}")))
            continue
        add(AgentKind(point.name, tuple(getattr(made, "params", ())), _first_line(made), where, made))
    return kinds


def _first_line(made: Any) -> str:
    return (inspect.getdoc(made) or "").partition("\n")[0]


def _baseline(name: str) -> Callable[..., Agent]:
    return lambda **values: BaselineAgent(name, **values)


def _refuse(text: str) -> Callable[..., Agent]:
    def refuse(**_: Any) -> Agent:
        raise AgentError(text)

    return refuse


def _near(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=3)
    return f"; did you mean {' or '.join(close)}?" if close else ""


def _kind(parsed: AgentText, game: str | None = None) -> AgentKind:
    name = ALIASES.get(parsed.name, parsed.name)
    kinds = _kinds(only=name)
    if name not in kinds:
        kinds = _kinds(None if game is None else Game(system_of(game).spec(game, None, {}, {}), compiled=False))
        hint = _near(parsed.name, [*kinds, *ALIASES])
        raise AgentError(f"agent {parsed.name!r} is unknown: one of {', '.join(sorted(kinds))}{hint}")
    if game is not None and not _may_play(kinds[name], game):  # known before anything is compiled
        kinds = _kinds(Game(system_of(game).spec(game, None, {}, {}), compiled=False))
        raise AgentError(f"agent {parsed.name!r} does not play {game}: {', '.join(sorted(kinds))} do")
    return kinds[name]


def _may_play(kind: AgentKind, game: str) -> bool:
    """Whether an agent that belongs to some systems is declared for a game, which may be none of a system."""
    if not kind.systems or game not in game_names():
        return True
    system = system_of(game).name
    baseline = baselines_of(system).get(kind.name)
    return system in kind.systems and (baseline is None or not baseline.games or game in baseline.games)


def _literal(text: str) -> Any:
    for convert in (int, float) if text.isascii() and "_" not in text else ():
        try:
            return convert(text)
        except ValueError:
            continue
    return {"true": True, "false": False, "none": None}.get(text.lower(), text)


def _construct(factory: Callable[..., Any], parsed: AgentText, params: tuple[Param, ...] | None, apart: bool) -> Agent:
    where = f"agent {parsed.text!r}"
    if params is None:  # a class that declares nothing: whatever its constructor takes
        values = {key: _literal(value) for key, value in parsed.values.items()}
        try:
            inspect.signature(factory).bind(**values)
        except TypeError as error:
            raise AgentError(f"{where}: {error}; {parsed.name} takes {inspect.signature(factory)}") from None
    else:
        known = {p.name: p for p in params}
        values = {}
        for key, value in parsed.values.items():
            if key not in known:
                allowed = ", ".join(known) or "it takes none"
                raise AgentError(f"{where}: parameter {key!r} is unknown: {allowed}{_near(key, known)}")
            try:
                values[key] = known[key].parse(value)
            except AgentError as error:
                raise AgentError(f"{where}: {error}") from None
    try:
        with nullcontext() if apart else minded(parsed):
            made = factory(**values)
    except (AgentError, RulesetError) as error:
        raise AgentError(f"{where}: {error}") from None
    except (Exception, SystemExit) as error:  # others may raise anything; what is wrong must be told
        raise AgentError(f"{where}: {_told(error, parsed.path)}") from None
    if isinstance(made, Agent):
        return made
    if not callable(getattr(made, "act", None)):
        raise AgentError(f"{where}: {parsed.name} has no method act(view)")
    return ForeignAgent(made)


class ForeignAgent(Agent):
    """An object with a method `act(view)`, and perhaps `reset(seed)`, that is no `Agent`; it may remember things."""

    per_table = True

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def reset(self, seed: int) -> None:
        """Passed on if the object knows it."""
        if callable(getattr(self.inner, "reset", None)):
            self.inner.reset(seed)

    def act(self, view: View) -> int:
        """Passed on."""
        return self.inner.act(view)

    def act_batch(self, requests: Requests) -> np.ndarray:
        """One after the other, int64[m]; a value that is no integer becomes -1, which is never legal."""
        answers = [self.act(requests.view(i)) for i in range(len(requests))]
        return np.array([a if isinstance(a, (int, np.integer)) else -1 for a in answers], dtype=np.int64)


def _told(error: BaseException, path: Path | None) -> str:
    line: int | None = None
    name = str(path.resolve()) if path else ""
    if isinstance(error, SyntaxError) and error.filename == name:
        line = error.lineno
    else:
        inside = [f for f in traceback.extract_tb(error.__traceback__) if path is None or f.filename == name]
        if inside:
            name, line = inside[-1].filename, inside[-1].lineno
    reason = error.msg if isinstance(error, SyntaxError) else str(error)
    what = f"{type(error).__name__}: {reason}"
    return f"{name}:{line}: {what}" if line else what


_LOADED: dict[tuple[str, bytes], ModuleType] = {}


def _module_of(parsed: AgentText, path: Path, apart: bool) -> ModuleType:
    resolved = path.resolve()
    if not resolved.is_file():
        raise AgentError(f"agent {parsed.text!r}: there is no file {path}")
    try:
        text = resolved.read_bytes()
    except OSError as error:
        raise AgentError(f"agent {parsed.text!r}: {path} cannot be read: {error.strerror}") from None
    stamp = (str(resolved), text)
    if stamp in _LOADED:
        return _LOADED[stamp]
    name = f"probespiel_agent_{digest([str(resolved)])}"
    spec = importlib.util.spec_from_file_location(name, resolved)
    if spec is None or spec.loader is None:
        raise AgentError(f"agent {parsed.text!r}: {path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look a class's module up by name
    try:
        # not by its loader, which keeps what it compiled and overlooks an edit of the same second and length
        with nullcontext() if apart else kept_imports(ONLY):
            exec(compile(text, str(resolved), "exec"), module.__dict__)
    except Changed as error:
        del sys.modules[name]
        raise AgentError(f"agent {parsed.text!r}: {error}") from None
    except (Exception, SystemExit) as error:  # a person's file may raise anything; the line is what they need
        del sys.modules[name]
        raise AgentError(f"agent {parsed.text!r}: {_told(error, path)}") from None
    _LOADED[stamp] = module
    return module


def _class_in_file(parsed: AgentText, apart: bool) -> Any:
    path = parsed.path
    assert path is not None
    module = _module_of(parsed, path, apart)
    found = getattr(module, parsed.name, None)
    if callable(found):
        return found
    own = [n for n, v in vars(module).items() if inspect.isclass(v) and v.__module__ == module.__name__]
    has = f"it has {', '.join(own)}" if own else "it has none"
    raise AgentError(f"agent {parsed.text!r}: {path} has no class {parsed.name}: {has}{_near(parsed.name, own)}")


__all__ = [
    "AgentKind",
    "AgentText",
    "ForeignAgent",
    "german_lines",
    "list_agents",
    "make_agent",
    "minded",
    "parse_agent",
    "split_agents",
]
