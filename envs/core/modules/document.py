"""What authors read about the hook points of a system, and the files that a new module starts from."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from enum import EnumType, IntEnum
from importlib import import_module
from keyword import iskeyword
from pathlib import Path

from ..errors import ProbespielError, RulesetError
from ..fields import Number
from .declare import HOLDERS, PAYOFF, Hook, Interface
from .hooks import KINDS
from .load import built_in

PLACEHOLDER = "my_rule"
LONGEST_NAME = 40
SHIFTED = "; the module declares the most by which it moves one: Module(..., payoff_shift=)"
HELD = (
    "a hook about a seat (it has one among its arguments, or the table says whom it is about) for seats that have the "
    "module (parameter `seats`) alone; other hooks, and those that the module declares by `table=`, if anybody has it"
)


def answers(hook: Hook) -> str:
    """What a hook answers, as text; empty if nothing."""
    if not hook.answers:
        return "a number" if hook.answering else ""
    low, high = hook.answers
    return f"{low}..{high if high < 1 << 40 else f'2^{high.bit_length()} - 1'}"


def hook_rows(interface: Interface) -> list[tuple[str, str, str, str]]:
    """Rows (name and arguments, kind, moment, answers) of the hook points in the order of play."""
    return [
        (
            f"{hook.name}({', '.join(hook.arguments)})",
            hook.kind,
            hook.moment + whom(interface, hook) + SHIFTED * (hook.name == PAYOFF),
            answers(hook),
        )
        for hook in interface.table.values()
    ]


def whom(interface: Interface, hook: Hook) -> str:
    """Whom a hook without a seat is about: only where they have the module it is called; empty for others."""
    name = interface.concerns.get(hook.name)
    if name is None or {"seat", "who"} & {*hook.arguments}:
        return ""
    text = " ".join((getattr(interface.hooks, name).__doc__ or "").split()).removesuffix(".")
    return f" (about {text[:1].lower() + text[1:]})"


def hook_table(interface: Interface) -> str:
    """The hook points as a Markdown table."""
    lines = ["| hook | kind | moment | answers |", "|---|---|---|---|"]
    for head, kind, moment, range_ in hook_rows(interface):
        lines.append(f"| `{head}` | {kind} | {moment} | {range_} |")
    return "\n".join(lines) + "\n"


def kind_table(interface: Interface) -> str:
    """The kinds of hooks that a system has, as a Markdown table."""
    used = {hook.kind for hook in interface.table.values()}
    lines = ["| kind | what it means |", "|---|---|"]
    return "\n".join([*lines, *[f"| {kind} | {text} |" for kind, text in KINDS.items() if kind in used]]) + "\n"


def service_rows(interface: Interface) -> Iterator[tuple[str, str, str]]:
    """Rows (topic, name and arguments, first line of the docstring) of what hooks may call."""
    for topic, names in interface.services.items():
        for name in names.split():
            function = getattr(interface.library, name)
            text = (function.__doc__ or "").strip().splitlines()[0]
            yield topic, f"{name}({', '.join(inspect.signature(function).parameters)})", text


def service_table(interface: Interface) -> str:
    """What hooks may call, as a Markdown table."""
    lines = ["| service | what it does |", "|---|---|"]
    before = ""
    for topic, head, text in service_rows(interface):
        if topic != before:
            lines.append(f"| **{topic}** | |")
            before = topic
        lines.append(f"| `{head}` | {text} |")
    return "\n".join(lines) + "\n"


def number_rows(numbers: Iterable[Number], record: str) -> list[tuple[str, str, str]]:
    """Rows (name as hooks write it, values, meaning) of fields of a record: `s` the state, `p` the parameters."""
    return [(f"{record}.{n.name}{n.places}", n.values.text, n.meaning) for n in numbers]


def module_rows(interface: Interface) -> list[tuple[str, str, str]]:
    """The same of what a module NAME adds to the records."""
    scopes = ", ".join(interface.scopes)
    return [
        (
            "s.NAME_field[seat], s.NAME_field",
            "what the module writes",
            f"what it remembers; 0 when a scope begins: {scopes}",
        ),
        ("p.NAME_param", "its range, 0 or 1, or the place of a choice", "its parameters"),
        (f"p.NAME_{HOLDERS}", "a set of seats (bits), -1 all", "who has it; the service `has` asks for one seat"),
    ]


def constant_rows(interface: Interface) -> Iterator[tuple[str, str, str]]:
    """Rows (names, their values, meaning) of the constants that hooks may import."""
    for names, meaning in interface.constants.items():
        for file in interface.codes:
            if all(hasattr(file, name) for name in names.split()):
                values = ", ".join(shown(getattr(file, name)) for name in names.split())
                yield names.replace(" ", ", "), values, meaning
                break
        else:
            files = ", ".join(file.__name__ for file in interface.codes)
            raise RulesetError(f"constants {names!r} of {interface.system} stand in none of {files or 'no file'}")


def shown(value: object) -> str:
    """A constant as text: numbers and names as they are, a code with its members."""
    if isinstance(value, EnumType):
        return ", ".join(f"{member.name} {int(member)}" for member in value)  # type: ignore[call-overload]
    if isinstance(value, tuple):
        return ", ".join(map(shown, value))
    return value.name if isinstance(value, IntEnum) else str(value)


FIELD_PARTS = ("state of the game", "parameters", "of a rule module NAME", "constants")


def field_rows(interface: Interface) -> dict[str, list[tuple[str, str, str]]]:
    """By part: rows (name, values, meaning) of all that hooks can read and write."""
    parts = (
        number_rows(interface.state, "s"),
        number_rows(interface.params, "p"),
        module_rows(interface),
        list(constant_rows(interface)),
    )
    return {part: rows for part, rows in zip(FIELD_PARTS, parts, strict=True) if rows}


def field_table(interface: Interface) -> str:
    """All that hooks can read and write, as a Markdown table."""
    lines = ["| name | values | meaning |", "|---|---|---|"]
    for part, rows in field_rows(interface).items():
        lines.append(f"| **{part}** | | |")
        lines += [f"| `{name}` | {values} | {meaning} |" for name, values, meaning in rows]
    return "\n".join(lines) + "\n"


def facts(interface: Interface) -> Iterator[tuple[str, str]]:
    """For whom hooks are called, and what else modules of a system can name: pairs of a word and a text."""
    yield "called", HELD
    for what, names in (
        ("levels", interface.levels),
        ("windows", tuple(interface.windows)),
        ("scopes of state fields", interface.scopes),
    ):
        if names:
            yield what, ", ".join(names)
    if interface.max_actions:
        yield "actions of all modules together", f"at most {interface.max_actions}"


def skeleton(package: str, interface: Interface, name: str) -> dict[str, str]:
    """Texts of the files that a new module of that name starts from, by file name; raises RulesetError.

    They are those in the folder `skeleton` of the system's package, with the name in place of `my_rule`.
    """
    if not name.isidentifier() or iskeyword(name) or name != name.lower() or len(name) > LONGEST_NAME:
        raise RulesetError(
            f"module name {name!r} is not allowed: small letters, digits and _, starting with a letter, at most "
            f"{LONGEST_NAME} of them, and no word of Python"
        )
    if name in built_in(interface):
        raise RulesetError(f"module name {name!r} is not allowed: a built-in module has it")
    folder = Path(str(import_module(package).__file__)).parent / "skeleton"
    names = (f"{PLACEHOLDER}.py", f"test_{PLACEHOLDER}.py")
    if folder.is_dir():
        texts = {file: (folder / file).read_text(encoding="utf-8") for file in names}
    else:
        texts = dict(zip(names, plain_skeleton(package, interface), strict=True))
    return {file.replace(PLACEHOLDER, name): text.replace(PLACEHOLDER, name) for file, text in texts.items()}


def plain_skeleton(package: str, interface: Interface) -> tuple[str, str]:
    """A module with one filter that changes nothing, and its tests, for a system without a worked example."""
    hook = next(h for h in interface.table.values() if h.kind == "filter")
    value, number = hook.arguments[-1], hook.number
    records = ", ".join(f"{a}: {'Any' if a in ('s', 'p') else number if a == value else 'int'}" for a in hook.arguments)
    module = f'''"""{PLACEHOLDER}: say here what the rule does.

Check it:                                             probespiel verify --module {PLACEHOLDER}.py
All hook points with moment, order and arguments:     probespiel hooks {interface.system}
"""

from typing import Any

from {package}.module import Module

# The declaration comes first: name and what it does. Parameters, state fields, actions and observation pieces follow.
module = Module("{PLACEHOLDER}", "Say here what the rule does.")
module.param("more", 0, 0, 3, doc="what is added")


@module.hook  # a function with the name of a hook point is called there; `s` is the state, `p` the parameters
def {hook.name}({records}) -> {number}:
    """When it is called: {hook.moment}."""
    return {value} + p.{PLACEHOLDER}_more
'''
    tests = f'''"""Tests of the rule module {PLACEHOLDER}: `pytest test_{PLACEHOLDER}.py`."""

from pathlib import Path

from probespiel.envs.core.soundness import check_modules

MODULE = str(Path(__file__).with_name("{PLACEHOLDER}.py"))


def test_it_keeps_the_promises_of_the_rules() -> None:
    """Random play: nothing hidden is seen, values are in their ranges, every game ends."""
    for played in check_modules("{interface.system}", {{MODULE: {{}}}}, games=3):
        assert played.decisions > 0
        assert not played.problems, played
'''
    return module, tests


def write_files(files: Mapping[str, str], folder: Path) -> list[Path]:
    """Write new files into a folder; raises ProbespielError, and writes nothing, if one of them is there already."""
    if not folder.is_dir():
        raise ProbespielError(f"folder {str(folder)!r} does not exist")
    for file in files:
        if (folder / file).exists() or (folder / file).is_symlink():
            raise ProbespielError(f"{str(folder / file)!r} exists already; choose another name or folder")
    begun: list[Path] = []
    try:
        for file, text in files.items():
            with (folder / file).open("x", encoding="utf-8") as out:
                begun.append(folder / file)
                out.write(text)
    except OSError as error:
        for path in begun:  # halves would be in the way of the next attempt
            path.unlink(missing_ok=True)
        raise ProbespielError(f"folder {str(folder)!r} cannot be written: {error.strerror or error}") from None
    return [folder / file for file in files]
