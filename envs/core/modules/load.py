"""Finding modules by name, path or entry point, checking them, and what a set of them adds to a rule set."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ..actions import ActionBlock
from ..build import essence
from ..checks import boolean, choice, fail, integer, near
from ..errors import RulesetError
from ..jit import digest
from ..observe import Piece
from . import bind
from .declare import HOLDERS, Interface, Module, Param

ENTRY_POINTS = "probespiel.modules"
MOST_SEATS = 62  # bits of a set of seats


def built_in(interface: Interface) -> tuple[str, ...]:
    """Names of the built-in modules of a system."""
    if not interface.package:
        return ()
    folder = Path(str(importlib.import_module(interface.package).__file__)).parent
    return tuple(sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__"))


def load_module(interface: Interface, name: str) -> tuple[Module, ModuleType]:
    """The declaration and the source of a module given by name, by path, or by entry point; raises RulesetError."""
    if name in built_in(interface):
        source = importlib.import_module(f"{interface.package}.{name}")
    elif name.endswith(".py"):
        source = _from_path(Path(name))
    else:
        source = _from_entry_point(interface, name)
    found = list({id(value): value for value in vars(source).values() if isinstance(value, Module)}.values())
    if len(found) != 1:
        raise RulesetError(f"module {name!r}: the file must hold exactly one Module(...), it holds {len(found)}")
    if found[0].interface is not interface:
        other = found[0].interface.system
        raise RulesetError(f"module {name!r} is made for the system {other}, not for {interface.system}")
    return found[0], source


def _from_path(path: Path) -> ModuleType:
    path = path.resolve()
    if not path.is_file():
        raise RulesetError(f"module file {str(path)!r} does not exist")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RulesetError(f"module file {str(path)!r} cannot be read: {error}") from None
    # compiled code names its module: the same name wherever the same rules lie, in every process
    key = f"probespiel_module_{digest([essence(text)])}"
    spec = importlib.util.spec_from_file_location(key, path)
    if spec is None or spec.loader is None:
        raise RulesetError(f"module file {str(path)!r} is no Python file")
    source = importlib.util.module_from_spec(spec)
    sys.modules[key] = source
    try:
        exec(compile(text, str(path), "exec"), source.__dict__)
    except RulesetError as error:
        place = f"{path}:{_line(error, path)}"
        raise RulesetError(str(error) if str(path) in str(error) else f"{place}: {error}") from None
    except Exception as error:  # an author's file may fail in any way; he is told where
        raise RulesetError(f"module file {path}:{_line(error, path)}: {type(error).__name__}: {error}") from error
    return source


def _line(error: Exception, path: Path) -> int:
    if isinstance(error, SyntaxError):
        return error.lineno or 0
    trace, line = error.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _from_entry_point(interface: Interface, name: str) -> ModuleType:
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == name:
            loaded = point.load()
            return loaded if isinstance(loaded, ModuleType) else sys.modules[loaded.__module__]
    names = built_in(interface)
    known = f"one of {', '.join(names)}, or a path ending in .py" if names else "give a path ending in .py"
    raise RulesetError(f"module {name!r} is unknown: {known}{near(name, names)}")


def check_together(modules: Sequence[Module]) -> None:
    """Refuse modules that exclude each other or claim the same action or phase."""
    names = [module.name for module in modules]
    actions: dict[int, str] = {}
    phases: dict[str, str] = {}
    for module in modules:
        if names.count(module.name) > 1:
            raise RulesetError(f"module {module.name!r} is given twice")
        for other in module.conflicts:
            if other in names:
                raise RulesetError(f"modules {module.name} and {other} cannot be active together")
        for action in module.base_actions:
            if action in actions:
                raise RulesetError(f"modules {actions[action]} and {module.name} both claim action {action}")
            actions[action] = module.name
        for phase in module.phases:
            if phase in phases:
                raise RulesetError(f"modules {phases[phase]} and {module.name} both declare the phase {phase!r}")
            phases[phase] = module.name


def check_value(module: str, param: Param, value: Any) -> Any:
    """A module parameter; raises RulesetError naming module, parameter, value and range."""
    name = f"module {module}: {param.name}"
    if param.choices:
        return choice(*param.choices)(name, value)
    if isinstance(param.default, bool):
        return boolean(name, value)
    if isinstance(param.default, dict):
        if not isinstance(value, Mapping):
            raise fail(name, value, "a mapping")
        return dict(value)
    return integer(param.low, param.high)(name, value)


def check_holders(module: str, value: Any) -> tuple[str | int, ...] | None:
    """Who has a module: seats by name or number, each once; None: all. Raises RulesetError."""
    if value is None:
        return None
    good = isinstance(value, (list, tuple)) and all(
        isinstance(v, str) or (isinstance(v, (int, np.integer)) and not isinstance(v, bool) and 0 <= v < MOST_SEATS)
        for v in value
    )
    if not good or len(set(value)) < len(value):
        raise fail(f"module {module}: {HOLDERS}", value, "None (all seats), or a list of names or numbers of seats")
    return tuple(v if isinstance(v, str) else int(v) for v in value)


def check_values(module: Module, values: Any) -> dict[str, Any]:
    """Parameters of a module with defaults filled in; raises RulesetError."""
    values = {} if values is None else values
    if not isinstance(values, Mapping):
        raise fail(f"module {module.name}", values, "a mapping of parameters")
    for name in values:
        if name not in module.params and name != HOLDERS:
            known = ", ".join([*module.params, HOLDERS])
            raise RulesetError(
                f"module {module.name}: parameter {name!r} = {values[name]!r} is unknown: {known}"
                f"{near(str(name), module.params)}"
            )
    checked = {n: check_value(module.name, p, values.get(n, p.default)) for n, p in module.params.items()}
    checked[HOLDERS] = check_holders(module.name, values.get(HOLDERS))
    if module.check:
        module.check(checked)
    return checked


@dataclass(frozen=True)
class ModuleSet(Sequence[Any]):
    """The checked modules of a rule set in their order, and what they add to records, tables and the kernel."""

    interface: Interface
    modules: tuple[Module, ...]
    sources: tuple[ModuleType, ...]
    values: Mapping[str, Mapping[str, Any]]  # module -> its parameters, defaults filled in

    def __len__(self) -> int:
        return len(self.modules)

    def __getitem__(self, index: Any) -> Any:
        return self.modules[index]

    def check_level(self, level: str) -> None:
        """Refuse modules that do not know a level; raises RulesetError."""
        for module in self.modules:
            if level not in (module.levels or ()):
                raise fail(f"module {module.name}: level", level, "one of " + ", ".join(module.levels or ()))

    def state_fields(self, seats: int) -> list[tuple]:
        """Fields for the state record, `<module>_<field>`; `seats` is the capacity in seats."""
        out: list[tuple] = []
        for m in self.modules:
            for f in m.fields.values():
                name = f"{m.name}_{f.name}"
                out.append((name, "i8", (seats,)) if f.per_seat else (name, "i8"))
        return out

    def param_fields(self) -> list[tuple]:
        """Fields for the parameter record, `<module>_<parameter>`."""
        out: list[tuple] = []
        for m in self.modules:
            for param in m.params.values():
                name = f"{m.name}_{param.name}"
                mapping = isinstance(param.default, dict)
                out.append((name, "i8", (self.interface.mapping_size,)) if mapping else (name, "i8"))
            out.append((f"{m.name}_{HOLDERS}", "i8"))
        return out

    def fill_params(self, record: Any, seats: Sequence[str] | None = None) -> None:
        """Write the parameters into a parameter record (np.record); raises RulesetError.

        `seats` are the names of the seats, for modules that only some of them have.
        """
        for m in self.modules:
            record[f"{m.name}_{HOLDERS}"] = self._holders(m.name, seats)
            for name, value in self.values[m.name].items():
                if name == HOLDERS:
                    continue
                param, target = m.params[name], f"{m.name}_{name}"
                if param.choices:
                    record[target] = param.choices.index(value)
                elif isinstance(param.default, dict) and self.interface.fill_mapping:
                    self.interface.fill_mapping(record[target], m.name, name, value)
                else:
                    record[target] = value

    def _holders(self, module: str, seats: Sequence[str] | None) -> int:
        """Bit set of the seats that have a module; all bits for all seats."""
        given = self.values[module][HOLDERS]
        if given is None:
            return -1
        bits = 0
        for who in given:
            if seats is None and isinstance(who, str):
                raise fail(f"module {module}: {HOLDERS}", who, "numbers of seats, from 0 on")
            if seats is not None and (who not in seats if isinstance(who, str) else who >= len(seats)):
                allowed = f"one of {', '.join(seats)}, or a number 0..{len(seats) - 1}"
                raise fail(f"module {module}: {HOLDERS}", who, allowed)
            bits |= 1 << (list(seats).index(who) if isinstance(who, str) and seats is not None else int(who))
        return bits

    def actions(self) -> list[tuple[Module, str]]:
        """Modules and names of their actions, in the order of the ids from `first_action` on."""
        return bind.custom_actions(self.interface, self.modules)

    def parts_of(self, name: str) -> tuple[frozenset[int], frozenset[int]]:
        """The ids of the actions of a module, those of the base table that belong to it included, and its phases."""
        module = next(m for m in self.modules if m.name == name)
        actions = {self.interface.first_action + i for i, (m, _) in enumerate(self.actions()) if m is module}
        phases = enumerate(bind.custom_phases(self.modules))
        return (
            frozenset(actions | set(module.base_actions)),
            frozenset(self.interface.first_phase + i for i, (m, _) in phases if m is module),
        )

    def has(self, name: str, seat: str, number: int) -> bool:
        """Whether a seat, by name and number, has a module."""
        given = self.values[name][HOLDERS]
        return given is None or seat in given or number in given

    def action_blocks(self) -> list[ActionBlock]:
        """Blocks for the end of the action table, one a module."""
        return [
            ActionBlock(
                m.name,
                tuple(f"{m.name}.{name}" for name in m.actions),
                {lang: tuple(texts[lang] for texts in m.actions.values()) for lang in ("en", "de")},
                m.doc,
            )
            for m in self.modules
            if m.actions
        ]

    def phases(self) -> tuple[str, ...]:
        """Phases of the modules, numbered from `first_phase` on."""
        return tuple(name for _, name in bind.custom_phases(self.modules))

    def pieces(self) -> list[Piece]:
        """Observation pieces, in the order in which `observe_modules` writes them."""
        return [Piece(f"{m.name}.{p.name}", (p.size,), p.low, p.high, p.doc) for m in self.modules for p in m.pieces]

    def source_parts(self) -> dict[str, Any]:
        """Arguments for `build.Sources`: glue, the file that it replaces, the module files and their constants."""
        return {
            "generated": bind.write_glue(self.interface, self.modules),
            "replaces": self.interface.hooks,
            "extensions": self.sources,
            "extension_constants": tuple(bind.handles(self.interface, self.modules, self.sources)),
        }


def load_modules(interface: Interface, given: Any) -> ModuleSet:
    """The modules of a mapping name or path -> parameters, loaded and checked; raises RulesetError."""
    given = {} if given is None else given
    if not isinstance(given, Mapping):
        raise RulesetError(f"modules = {given!r} is not allowed: a mapping name -> parameters")
    loaded = [load_module(interface, str(name)) for name in given]
    return module_set(interface, [m for m, _ in loaded], [source for _, source in loaded], given.values())


def module_set(
    interface: Interface, modules: Sequence[Module], sources: Sequence[ModuleType], values: Iterable[Any]
) -> ModuleSet:
    """A checked set of modules with the parameters given for each; raises RulesetError."""
    check_together(modules)
    checked = {m.name: check_values(m, v) for m, v in zip(modules, values, strict=True)}
    found = ModuleSet(interface, tuple(modules), tuple(sources), checked)
    found.actions()
    return found
