"""Finding modules by name, path or entry point, checking them, and what a set of them adds to a rule set."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ..actions import LANGUAGES, ActionBlock
from ..brief import brief
from ..checks import fail, near
from ..errors import RulesetError, WrongLevel
from ..fields import Tally
from ..jit import digest
from ..observe import Piece
from . import asking, bind
from .check import essence
from .declare import HOLDERS, PAYOFF, Handle, Interface, Module, place_of
from .imports import check_imports
from .kept import kept_imports
from .voice import Voice

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
    names = built_in(interface)
    if name in names:
        source = importlib.import_module(f"{interface.package}.{name}")
    else:
        source = _outside(name, names)
    module = _only(source)
    if module.interface is not interface:
        other = module.interface.system
        raise RulesetError(
            f"{module.place}: module {name!r} is made for the system {other}, not for {interface.system}"
        )
    if name not in names:
        if module.name in names:
            raise module.error("a built-in module has this name; choose another one", module.place)
        complete(module, source)
        check_imports(module, source)
    return module, source


def declaration_of(name: str) -> Module:
    """The declaration of an outside module given by path or entry point, whatever its system; raises RulesetError."""
    return _only(_outside(name, ()))


def _outside(name: str, names: Sequence[str]) -> ModuleType:
    return _from_path(Path(name)) if name.endswith(".py") else _from_entry_point(name, names)


def _only(source: ModuleType) -> Module:
    found = list({id(value): value for value in vars(source).values() if isinstance(value, Module)}.values())
    if len(found) != 1:
        raise RulesetError(
            f"{source.__file__}:1: the file must hold exactly one module = Module(...), it holds {len(found)}"
        )
    return found[0]


def _from_path(path: Path) -> ModuleType:
    path = path.expanduser().resolve()
    if not path.is_file():
        raise RulesetError(f"module file {str(path)!r} {'is a folder' if path.is_dir() else 'does not exist'}")
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
    with _blaming(str(path)), kept_imports():
        exec(compile(text, str(path), "exec"), source.__dict__)
    return source


@contextmanager
def _blaming(file: str) -> Iterator[None]:
    """Whatever an author's file raises becomes a RulesetError that begins with file and line."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also SystemExit: a file that ends the process has no place in a game
        text = str(error) if isinstance(error, RulesetError) else f"{type(error).__name__}: {error}"
        line = error.lineno if isinstance(error, SyntaxError) else _line(error, file)
        if isinstance(error, SyntaxError):
            text = f"SyntaxError: {error.msg}"
        raise RulesetError(text if f"{file}:" in text else f"{file}:{line or 1}: {text}") from (
            None if isinstance(error, RulesetError) else error
        )


def _line(error: BaseException, file: str) -> int:
    trace, line = error.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _from_entry_point(name: str, names: Sequence[str]) -> ModuleType:
    found = [point for point in entry_points(group=ENTRY_POINTS) if point.name == name]
    if found:
        with _blaming(f"entry point {found[0].value}"), kept_imports():
            loaded = found[0].load()
        return loaded if isinstance(loaded, ModuleType) else sys.modules[loaded.__module__]
    known = f"one of {', '.join(names)}, or a path ending in .py" if names else "give a path ending in .py"
    raise RulesetError(f"module {name!r} is unknown: {known}{near(name, names)}")


def complete(module: Module, source: ModuleType) -> None:
    """Refuse a declaration without the hooks or names that it needs to work; raises RulesetError."""
    kept = {(v.kind, v.name) for v in vars(source).values() if isinstance(v, Handle) and v.owner is module}
    for kind, names in (("action", module.actions), ("phase", module.phases), ("die", module.dice)):
        for name in names:
            if (kind, name) not in kept:
                raise module.error(
                    f"{kind} {name!r} must be kept under a global name: {name.upper()} = module.{kind}(...)",
                    module.place,
                )

    def lacks(what: str, hooks: Sequence[str], by_name: bool = True) -> RulesetError:
        names = [f"{h!r}" for h in hooks] if by_name else hooks
        return module.error(f"{what}, but the file has no hook {' or '.join(names)}", module.place)

    table = module.interface

    def has(*kinds: str) -> bool:
        return any(hook in module.hooks for kind in kinds for hook in table.of_kind(kind))

    if module.actions and not has("options", "owner") and not any(h in module.hooks for h in module.interface.offers):
        raise lacks(f"actions {', '.join(module.actions)} are declared", [*table.of_kind("options")])
    if (module.actions or module.base_actions) and has("options") and not has("choice"):
        raise lacks("options are offered", table.of_kind("choice"))
    if module.pieces and not has("observe"):
        raise lacks("observation pieces are declared", table.of_kind("observe"))
    if (PAYOFF in module.hooks) != (module.payoff_shift > 0):
        raise module.error(
            f"payoff_shift = {module.payoff_shift!r}: a module with the hook {PAYOFF!r}, and no other, declares by how "
            "much at most it moves the payoff of a seat, such as payoff_shift=2.0",
            module.place,
        )
    if has("observe") and not module.pieces:
        where = place_of(module.hooks[table.of_kind("observe")[0]])
        raise module.error("hook 'observe' writes pieces, but none is declared: module.piece(...)", where)
    if module.phases and not all(h in module.hooks for h in ("legal_of", "answered")):
        raise lacks(f"phases {', '.join(module.phases)} are declared", ("legal_of", "answered"))
    if module.dice and "fell" not in module.hooks:
        raise lacks(f"dice {', '.join(module.dice)} are declared", ("fell",))


def check_together(modules: Sequence[Module]) -> None:
    """Refuse modules that exclude each other or claim the same name, action, field or phase; raises RulesetError."""
    claims: dict[tuple[str, object], Module] = {}
    for module in modules:
        own = [
            ("name", module.name),
            *[("action", int(action)) for action in module.base_actions],
            *[("phase", phase) for phase in module.phases],
            *[("state field", f"{module.name}_{name}") for name in module.fields],
            *[("parameter", f"{module.name}_{name}") for name in (*module.params, HOLDERS)],
        ]
        for claim in own:
            other = claims.get(claim)
            kept = (*bind.FAULT_FIELDS, *asking.fields(1), ("mq_holders", "i8"))
            fields = {*module.interface.reserved, *(field[0] for field in kept)}
            if claim[0] in ("state field", "parameter") and claim[1] in fields:
                raise module.error(f"{claim[0]} {claim[1]!r} is a name of the rules; rename the module or the field")
            if other is not None and claim[0] == "name":
                raise module.error(f"module {module.name!r} is given twice, see {other.place}", module.place)
            if other is not None:
                raise module.error(
                    f"{claim[0]} {claim[1]!r} is claimed by module {other.name} as well, see {other.place}",
                    module.place,
                )
            claims[claim] = module
        for other in modules:
            if other.name in module.conflicts:
                raise module.error(f"modules {module.name} and {other.name} cannot be active together", module.place)


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
                f"module {module.name}: parameter {brief(name)} = {brief(values[name])} is unknown: {known}"
                f"{near(str(name), module.params)}"
            )
    checked = {n: p.check(module.name, values.get(n, p.default)) for n, p in module.params.items()}
    checked[HOLDERS] = check_holders(module.name, values.get(HOLDERS))
    if module.check:
        try:
            module.check(checked)
        except RulesetError:
            raise
        except Exception as error:  # an author's function may fail in any way
            raise module.error(f"check: {type(error).__name__}: {error}", place_of(module.check)) from error
    return checked


def _with_values(text: str, values: Mapping[str, Any]) -> str:
    """A text of a module with the values of the parameters that it names, such as {price}."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


@dataclass(frozen=True)
class ModuleSet(Sequence[Any]):
    """The checked modules of a rule set in their order, and what they add to records, tables and the kernel."""

    interface: Interface
    modules: tuple[Module, ...]
    sources: tuple[ModuleType, ...]
    values: Mapping[str, Mapping[str, Any]]  # module -> its parameters, defaults filled in
    who: tuple[str, ...] = ()  # the names of those who can have a module, whom actions may name
    called: tuple[tuple[str, str] | None, ...] = ()  # how a person reads them in English and German; None: as they are

    def among(
        self, who: Sequence[str], words: Sequence[tuple[str, str] | None] = (), first_action: int | None = None
    ) -> ModuleSet:
        """The same modules in a game of these seats (or figures), whom a person calls by `words`.

        `first_action`: where modules' actions begin there. Raises RulesetError if there are too many actions, since
        some are one for each. Where words are the same for two of them, all are called by their names.
        """
        if any(len({name if w is None else w[n] for name, w in zip(who, words)}) < len(words) for n in (0, 1)):
            words = ()
        interface = self.interface if first_action is None else replace(self.interface, first_action=first_action)
        found = replace(self, who=tuple(who), called=tuple(words), interface=interface)
        found.actions()
        return found

    @property
    def asking(self) -> bool:
        """Whether they ask or throw beside the rules (see `asking`)."""
        return bind.asks(self.interface, self.modules)

    @property
    def sealed(self) -> bool:
        """Whether they ask several at once."""
        return any(m.sealed for m in self.modules)

    def __len__(self) -> int:
        return len(self.modules)

    def __getitem__(self, index: Any) -> Any:
        return self.modules[index]

    def check_level(self, level: str) -> None:
        """Refuse modules that do not know a level; raises WrongLevel."""
        for module in self.modules:
            if level not in (module.levels or ()):
                known = ", ".join(module.levels or ())
                raise WrongLevel(
                    f"module {module.name}: level = {level!r} is not allowed: one of {known}. If its hooks mean that "
                    f"game, too, name it where the module is declared: Module(..., levels=(..., {level!r}))"
                )

    def state_fields(self, seats: int) -> list[tuple]:
        """Fields for the state record, `<module>_<field>`; `seats` is the capacity in seats."""
        out: list[tuple] = []
        for m in self.modules:
            for f in m.fields.values():
                name = f"{m.name}_{f.name}"
                out.append((name, "i8", (seats,)) if f.per_seat else (name, "i8"))
        return [*out, *asking.fields(seats)] if self.asking else out

    def param_fields(self) -> list[tuple]:
        """Fields for the parameter record, `<module>_<parameter>`."""
        out: list[tuple] = []
        for m in self.modules:
            for param in m.params.values():
                name = f"{m.name}_{param.name}"
                mapping = isinstance(param.default, dict)
                out.append((name, "i8", (self.interface.mapping_size,)) if mapping else (name, "i8"))
            out.append((f"{m.name}_{HOLDERS}", "i8"))
        if self.asking:
            out.append(("mq_holders", "i8"))
        return [*out, *bind.FAULT_FIELDS] if self.outside else out

    def fill_params(self, record: Any, seats: Sequence[str]) -> None:
        """Write the parameters into a parameter record (np.record); raises RulesetError.

        `seats` are the names of the seats, for modules that only some of them have; how a person reads them (see
        `among`) names them, too.
        """
        if self.asking:
            record["mq_holders"] = (1 << len(seats)) - 1
        for m in self.modules:
            record[f"{m.name}_{HOLDERS}"] = self._holders(m, seats)
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

    def _holders(self, module: Module, seats: Sequence[str]) -> int:
        """Bit set of the seats that have a module; all bits for all seats."""
        what, given = f"module {module.name}: {HOLDERS}", self.values[module.name][HOLDERS]
        if given is None:
            return -1
        known, bits = {name: seat for seat, name in enumerate(seats)}, 0
        for seat, both in enumerate(self.called):
            for name in both or ():
                known.setdefault(name, seat)
        for who in given:
            if who not in known if isinstance(who, str) else who >= len(seats):
                raise fail(what, who, f"one of {', '.join(known)}, or a number 0..{len(seats) - 1}")
            bits |= 1 << (known[who] if isinstance(who, str) else int(who))
        if module.whole_table and bits:
            if bits != (1 << len(seats)) - 1:
                raise fail(what, list(given), "None (all seats) or [] (none): the rule concerns the whole table")
            return -1
        return bits

    def actions(self) -> list[bind.Own]:
        """The actions of the modules, in the order of the ids from `first_action` on."""
        return bind.custom_actions(self.interface, self.modules, self.who, self.called)

    def words(self) -> int:
        """Words of a legal-action set."""
        return self.interface.words_of(len(self.actions()))

    def parts_of(self, name: str) -> tuple[frozenset[int], frozenset[int]]:
        """The ids of the actions of a module, those of the base table that belong to it included, and its phases."""
        module = next(m for m in self.modules if m.name == name)
        actions = {self.interface.first_action + i for i, own in enumerate(self.actions()) if own.module is module}
        phases = enumerate(bind.custom_phases(self.modules))
        return (
            frozenset(actions | set(module.base_actions)),
            frozenset(self.interface.first_phase + i for i, (m, _) in phases if m is module),
        )

    def declining(self, name: str) -> frozenset[int]:
        """The ids of the actions by which the use of a module is declined, as it declares them."""
        return frozenset(
            self.interface.first_action + i
            for i, own in enumerate(self.actions())
            if own.module.name == name and own.name in own.module.declining
        )

    def has(self, name: str, seat: str, number: int) -> bool:
        """Whether a seat, by name and number, has a module."""
        given = self.values[name][HOLDERS]
        return given is None or seat in given or number in given

    def action_blocks(self) -> list[ActionBlock]:
        """Blocks for the end of the action table, one a module."""
        out = []
        for m in self.modules:
            own = [action for action in self.actions() if action.module is m]
            texts = {lang: tuple(action.text(lang) for action in own) for lang in LANGUAGES}
            out += [ActionBlock(m.name, tuple(action.code for action in own), texts, m.doc)] if own else []
        return out

    def voice(self) -> Voice:
        """What people read of questions and dice that are the modules' own."""
        questions = {
            name: {lang: _with_values(text, self.values[m.name]) for lang, text in texts.items()}
            for m in self.modules
            for name, texts in m.questions.items()
        }
        dice = {bind.FIRST_DIE + i: die.texts for i, die in enumerate(bind.custom_dice(self.modules))}
        return Voice(self.asking, questions, dice, self.who, self.called, self.interface.first_action)

    def phases(self) -> tuple[str, ...]:
        """Phases of the modules, numbered from `first_phase` on."""
        return tuple(name for _, name in bind.custom_phases(self.modules))

    def payoffs(
        self, low: float, high: float, zero_sum: bool, bounds: Sequence[tuple[float, float]] = ()
    ) -> dict[str, Any]:
        """Arguments of `GameSpec` about payoffs: those of the rules alone, and what modules do to them.

        `bounds` of the seats are proven for the rules alone: they hold with modules that shift payoffs and do nothing
        else, and are left out with any other.
        """
        shift = sum(m.payoff_shift for m in self.modules)
        as_ruled = all(set(m.hooks) <= {PAYOFF} for m in self.modules)
        return {
            "payoff_range": (low - shift, high + shift),
            "payoff_bounds": tuple((a - shift, b + shift) for a, b in bounds) if as_ruled else (),
            "zero_sum": zero_sum and not shift,
        }

    def tallies(self, seats: Sequence[str]) -> tuple[Tally, ...]:
        """The counters that people see; `seats` are the names of those who can have a module."""
        return tuple(
            Tally(
                field=f"{m.name}_{c.field.name}",
                texts=c.texts,
                names=tuple(seats) if c.field.per_seat else (),
                low=c.low,
                high=c.high,
                private=c.field.private,
            )
            for m in self.modules
            for c in m.counters.values()
        )

    def pieces(self) -> list[Piece]:
        """Observation pieces, in the order in which `observe_modules` writes them."""
        return [Piece(f"{m.name}.{p.name}", (p.size,), p.low, p.high, p.doc) for m in self.modules for p in m.pieces]

    @property
    def outside(self) -> list[int]:
        """Indexes of the modules that are not built in."""
        package = self.interface.package
        return [i for i, s in enumerate(self.sources) if not package or not s.__name__.startswith(f"{package}.")]

    def source_parts(self) -> dict[str, Any]:
        """Arguments for `build.Sources`: glue, the file that it replaces, the module files and their constants."""
        glue = bind.Glue(self.interface, self.modules, self.outside, self.who)
        return {
            "generated": glue.text,
            "replaces": self.interface.hooks,
            "extensions": self.sources,
            "extension_constants": tuple(bind.handles(self.interface, self.modules, self.sources, self.who)),
            "asking": self.asking,
            "outside": tuple(self.outside),
            "faults": tuple(glue.faults),
        }


def load_modules(interface: Interface, given: Any) -> ModuleSet:
    """The modules of a mapping name or path -> parameters, loaded and checked; raises RulesetError."""
    given = {} if given is None else given
    if not isinstance(given, Mapping):
        raise RulesetError(f"modules = {brief(given)} is not allowed: a mapping name -> parameters")
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
