"""Errors of rule modules in the words of their author: file, line, module and hook."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..checks import near
from ..errors import RulesetError
from .check import declaration, source_of

if TYPE_CHECKING:
    from ..build import Sources
    from .bind import Slip

GENERATED = "<hooks of "  # how the file names of generated wrappers begin


class Fault(Exception):
    """A fault of an interpreted outside module: its number and the value that came with it (see `bind`)."""


def raise_fault(p: Any, code: int, value: float) -> None:
    """What the glue of interpreted rules calls instead of noting a fault."""
    if sys.exc_info()[0] is not None:
        raise  # called in an except clause of the glue: the error itself says more
    raise Fault(code, value)


def fault_text(faults: Sequence[Slip], code: int, value: float) -> str:
    """The text of a fault."""
    return faults[code - 1].text.replace("{value}", f"{value:g}")


def blamed(error: BaseException, sources: Sources) -> BaseException:
    """An error of an interpreted rule; one that comes from a module's file names file, line and hook."""
    if isinstance(error, Fault):
        return RulesetError(fault_text(sources.faults, *error.args))
    files = {str(extension.__file__): extension for extension in sources.extensions}
    lines: list[tuple[str, int, str]] = []
    asked = ""  # the hook that the generated wrappers were calling last
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename in files:
            lines.append((code.co_filename, trace.tb_lineno, code.co_name))
        elif code.co_filename.startswith(GENERATED) and not code.co_name.startswith("_"):
            asked = code.co_name
        trace = trace.tb_next
    if asked and not lines and isinstance(error, (TypeError, ValueError, OverflowError)):
        reason = f"{type(error).__name__}: {error}"
        told = RulesetError(f"{', '.join(files)}: hook {asked!r} gave back what is no number of its kind: {reason}")
        told.__cause__ = error
        return told
    if not lines or not isinstance(error, Exception):
        return error
    file, line, _ = lines[-1]
    module = declaration(files[file])
    told = RulesetError(
        f"{file}:{line}: module {module.name}: hook {lines[0][2]!r} raised {type(error).__name__}: {error}"
    )
    told.__cause__ = error
    return told


def misspelt(sources: Sources, name: str) -> RulesetError:
    """The error for a field of a record that does not exist, where numba knows only its name."""
    known = [*(sources.state.names or ()), *(sources.params.names or ())]
    for source in (*sources.extensions, *sources.files):
        for number, line in enumerate(source_of(source).splitlines(), start=1):
            if re.search(rf"\.{re.escape(name)}\b", line):
                whose = label(source, number) if source in sources.extensions else ""
                return RulesetError(
                    f"{source.__file__}:{number}: {whose}no state or parameter field is called {name!r}"
                    f"{near(name, known)}"
                )
    return RulesetError(f"no state or parameter field is called {name!r}{near(name, known)}")


def label(source: ModuleType, line: int) -> str:
    """Module and hook (or function) that a line of an extension belongs to, with a colon and a blank behind."""
    module = declaration(source)
    for node in ast.parse(source_of(source)).body:
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or line):
            kind = "hook" if node.name in module.hooks else "function"
            return f"module {module.name}: {kind} {node.name!r}: "
    return f"module {module.name}: "


def not_compiled(sources: Sources, error: Exception) -> str:
    """Why a rule set cannot be compiled, with the place; one in an extension says most to its author."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error)) or type(error).__name__
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    own = {Path(str(extension.__file__)).name: extension for extension in sources.extensions}
    path, number = next((place for place in places if Path(place[0]).name in own), places[0] if places else ("", "0"))
    idle = ("Failed in nopython", "- Resolution failure", "During: ", "File ", "-" * 8, "There are ", "- Of which")
    lines = [line.strip() for line in text.splitlines()]
    first = next((line for line in lines if line and not line.startswith(idle)), "unknown error")
    extension = own.get(Path(path).name)
    if extension is None:
        return f"{path}:{number}: {first}" if path else first
    return f"{extension.__file__}:{number}: {label(extension, int(number))}{first}"
