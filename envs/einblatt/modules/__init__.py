"""Built-in rule modules, one file each, and the loader of modules by name or path."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from ...core.errors import RulesetError
from ..module import Module

BUILT_IN = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "__init__"))


def load_module(name: str) -> tuple[Module, ModuleType]:
    """The declaration and the source of a module given by name, by path, or by entry point; raises RulesetError."""
    if name in BUILT_IN:
        source = importlib.import_module(f"{__package__}.{name}")
    elif name.endswith(".py"):
        source = _from_path(Path(name))
    else:
        source = _from_entry_point(name)
    found = [value for value in vars(source).values() if isinstance(value, Module)]
    if len(found) != 1:
        raise RulesetError(f"module {name!r}: the file must hold exactly one Module(...), it holds {len(found)}")
    return found[0], source


def _from_path(path: Path) -> ModuleType:
    path = path.resolve()
    if not path.is_file():
        raise RulesetError(f"module file {str(path)!r} does not exist")
    key = f"probespiel_module_{path.stem}_{abs(hash(str(path))):x}"
    spec = importlib.util.spec_from_file_location(key, path)
    if spec is None or spec.loader is None:
        raise RulesetError(f"module file {str(path)!r} is no Python file")
    source = importlib.util.module_from_spec(spec)
    sys.modules[key] = source
    try:
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), source.__dict__)
    except RulesetError:
        raise
    except Exception as error:  # an author's file may fail in any way; he is told where
        raise RulesetError(f"module file {_place(error, path)}: {type(error).__name__}: {error}") from error
    return source


def _place(error: Exception, path: Path) -> str:
    if isinstance(error, SyntaxError):
        return f"{path}:{error.lineno}"
    trace, line = error.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"{path}:{line}"


def _from_entry_point(name: str) -> ModuleType:
    from importlib.metadata import entry_points

    for point in entry_points(group="probespiel.modules"):
        if point.name == name:
            loaded = point.load()
            return loaded if isinstance(loaded, ModuleType) else sys.modules[loaded.__module__]
    import difflib

    near = difflib.get_close_matches(name, BUILT_IN, n=2)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise RulesetError(f"module {name!r} is unknown: one of {', '.join(BUILT_IN)}, or a path ending in .py{hint}")
