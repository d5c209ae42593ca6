"""Set-ups from outside: files of scenarios, and values that are plain data and nothing else."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PureWindowsPath
from typing import Any

import numpy as np

from .checks import fail
from .errors import RulesetError


def plain(value: Any, where: str = "setup", depth: int = 0) -> Any:
    """The value as plain data (None, bool, int, float, str, list, dict with text keys); raises RulesetError.

    numpy scalars become Python's. Scenarios come from files, commands and other programs; nothing else gets further.
    """
    if depth > 8:
        raise fail(where, "...", "at most eight levels of nesting")
    if isinstance(value, (np.bool_, np.integer, np.floating)):
        return value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(v, f"{where}[{i}]", depth + 1) for i, v in enumerate(value)]
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise fail(where, key, "text keys")
        return {key: plain(v, key if depth == 0 else f"{where}: {key}", depth + 1) for key, v in value.items()}
    raise fail(where, value, "plain data: a number, text, list or mapping")


@contextmanager
def naming_the_file(scenario: str | None, alone: Callable[[], object]) -> Iterator[None]:
    """A RulesetError begins with the scenario file, if it is one and `alone`, which builds it as it is, raises, too.

    Then it is that error; else what is wrong came on top of the file.
    """
    try:
        yield
    except RulesetError:
        if scenario is None or not str(scenario).endswith(".json"):
            raise
        try:
            alone()
        except RulesetError as error:
            raise type(error)(f"scenario {str(scenario)!r}: {error}") from None
        raise


def read_scenario(path: Path, fields: str) -> dict[str, Any]:
    """A scenario file, a JSON object; `fields` names its contents in words. Raises RulesetError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RulesetError(f"scenario {str(path)!r} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:  # no UTF-8, no JSON, or an integer of too many digits
        raise RulesetError(f"scenario {str(path)!r} is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise RulesetError(f"scenario {str(path)!r} must be an object with {fields}")
    return data


def merge_modules(own: Any, more: Any) -> dict[str, Any]:
    """Rule modules of a set-up (None: none) with others on top; parameters None take a module away.

    Raises RulesetError for what is no mapping name -> parameters.
    """
    for given in (own or {}, more):
        if not isinstance(given, Mapping):
            raise fail("modules", given, "a mapping name -> parameters")
    gone = {name for name, values in more.items() if values is None}
    return {name: values for name, values in {**(own or {}), **more}.items() if name not in gone}


def moved_modules(modules: Mapping[str, Any], places: Mapping[str, str]) -> dict[str, Any]:
    """Rule modules with their parameters where some of their files lie elsewhere: new names by old ones."""
    return {places.get(name, name): values for name, values in modules.items()}


def whole_name(module: str) -> str:
    """A rule module by its whole path, if it is a file: what is written down of a game is read elsewhere, too."""
    if not module.endswith(".py") or "\0" in module:
        return module
    return os.path.realpath(os.path.expanduser(module))


def whole_names(modules: Mapping[str, Any]) -> Mapping[str, Any]:
    """Rule modules with their parameters, files by their whole paths; raises RulesetError for one given twice."""
    if not isinstance(modules, Mapping) or not all(isinstance(name, str) for name in modules):
        return modules  # refused by the system in its own words
    found = {whole_name(name): values for name, values in modules.items()}
    if len(found) < len(modules):
        names = [whole_name(name) for name in modules]
        raise RulesetError(f"module {next(name for name in names if names.count(name) > 1)!r} is given twice")
    return found


def own_name(module: str) -> str:
    """A rule module without its folder, if it is a file: the same on every computer."""
    return PureWindowsPath(module).name if module.endswith(".py") else module


def at_hand(modules: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Rule modules of a record where their files lie now: in their places, else in its `folder`, else where we are.

    Which file is meant is settled by the hash of the rules, not here. Raises RulesetError for a file that is nowhere.
    """
    places: dict[str, str] = {}
    for name in modules:
        if not name.endswith(".py") or Path(name).expanduser().exists():
            continue
        near = [place / own_name(name) for place in (folder, Path.cwd())]
        found = next((path for path in near if path.is_file()), None)
        if found is None:
            raise RulesetError(
                f"module file {name!r} does not exist here: put {own_name(name)} into {str(folder.resolve())!r}, or "
                "into the folder where you call this"
            )
        places[name] = str(found.resolve())
    return moved_modules(modules, places)


def options_of(setup: Mapping[str, Any]) -> dict[str, Any]:
    """A checked set-up as the options of its game: a copy, its modules last."""
    rest = {name: value for name, value in setup.items() if name != "modules"}
    return copy.deepcopy({**rest, "modules": dict(setup.get("modules") or {})})
