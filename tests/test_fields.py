"""What designers are told of the records: every field, constant and service has a meaning, and values are as told."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from enum import EnumType, IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.app import cli
from probespiel.envs import make_game
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.fields import Number, Size, Values, code, number, record_of, span
from probespiel.envs.core.modules import built_in, load_module
from probespiel.envs.core.modules.document import constant_rows, field_rows, service_rows
from probespiel.envs.core.registry import package_of, system, system_names
from probespiel.envs.core.rng import rand_below, rng_array

ROOT = Path(__file__).resolve().parent.parent
PLAYED = {
    "kuhn": (("kuhn", None),),
    "leduc": (("leduc", None),),
    "goofspiel": (("goofspiel", None), ("goofspiel", "eight")),
    "liars_dice": (("liars_dice", None), ("liars_dice", "five_dice")),
    "ews_rps": (("ews_rps", None), ("ews_rps", "table_contest")),
    "einblatt": (("einblatt-duel", "duel_tricks"), ("einblatt-melee", None), ("einblatt-campaign", "table32_tricks")),
    "konfrontation": (("konfrontation-clash", None), ("konfrontation-campaign", "triad")),
    "scorekeeper": (("scorekeeper-duel", None), ("scorekeeper-skirmish", "street_raid")),
    "oneshot": (("oneshot-skirmish", "party_battle"), ("oneshot-mission", "heist")),
}


def numbers(name: str) -> Iterator[tuple[str, Number]]:
    """All fields of both records of a system."""
    interface = system(name).interface
    yield from (("state", n) for n in interface.state)
    yield from (("params", n) for n in interface.params)


@pytest.mark.parametrize("name", system_names())
def test_every_field_has_a_meaning_and_values(name: str) -> None:
    seen = set()
    for record, n in numbers(name):
        assert (record, n.name) not in seen
        seen.add((record, n.name))
        assert len(n.meaning) > 3 and n.meaning.strip() == n.meaning and "?" not in n.meaning, n
        assert n.values.text and n.values.low < n.values.high, n
        assert all(isinstance(size, Size) for size in n.shape), n


@pytest.mark.parametrize(("name", "game", "scenario"), [(s, *game) for s, games in PLAYED.items() for game in games])
def test_values_are_as_told(name: str, game: str, scenario: str | None) -> None:
    """Fields of the records are those that are told of, and random play keeps to their values."""
    made = make_game(game, scenario, compiled=False)
    interface = system(name).interface
    told = {n.name: n for n in interface.state}
    own = {f"{m}_" for m in made.spec.options.get("modules") or {}}
    fields = [n for n in made.state_dtype.names or () if not n.startswith(tuple(own) or ("\0",))]
    assert set(fields) <= set(told) and fields
    params = {n.name: n for n in interface.params}
    given = [n for n in made.spec.params.dtype.names or () if not n.startswith(tuple(own) or ("\0",))]
    assert set(given) <= set(params)
    for field in given:
        check(params[field], made.spec.params[field])
    position, rng = made.position(3), rng_array(3, "fields")
    for _ in range(150):
        position.roll()
        for field in fields:
            check(told[field], getattr(position.record, field))
        if position.over:
            break
        seat = position.to_act()[0]
        legal = position.legal(seat)
        position.apply(seat, legal[rand_below(rng, len(legal))])


def check(told: Number, value: Any) -> None:
    """A value, or all of an array, within what is told of them."""
    lowest, highest = np.min(value), np.max(value)
    assert told.values.low <= lowest and highest <= told.values.high, (told.name, told.values, lowest, highest)


@pytest.mark.parametrize("name", system_names())
def test_every_constant_has_a_meaning(name: str) -> None:
    """All codes of the state file, and whatever modules that ship with the system import from it."""
    interface = system(name).interface
    rows = list(constant_rows(interface))
    assert all(meaning and values for _, values, meaning in rows)
    explained = {word for names in interface.constants for word in names.split()}
    for file in interface.codes:
        for key, value in vars(file).items():
            if isinstance(value, EnumType) and issubclass(value, IntEnum) and value is not IntEnum:
                assert key in explained or not key[0].isalpha(), key
    services = {word for names in interface.services.values() for word in names.split()}
    for path in shipped_files(name):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2] in ("state", "hooks"):
                for alias in node.names:
                    assert alias.name in explained | services, f"{path}: {alias.name}"


def shipped_files(name: str) -> list[Path]:
    """Modules of a system that ship with it, the examples and the file that new ones start from."""
    folder = ROOT / "envs" / name
    found = [*folder.glob("modules/*.py"), *folder.glob("skeleton/my_rule.py")]
    samples = [*ROOT.glob("examples/modules/*.py"), *ROOT.glob("tests/planted/*.py")]
    return found + [path for path in samples if f"envs.{name}." in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", system_names())
def test_every_service_parameter_and_field_of_a_module_has_a_meaning(name: str) -> None:
    interface = system(name).interface
    for _, head, text in service_rows(interface):
        assert text.endswith((".", ":")) and len(text) > 10, head
    for module_name in built_in(interface):
        module, _ = load_module(interface, module_name)
        for param in module.params.values():
            assert param.doc, f"{module_name}: {param.name}"
        for field in module.fields.values():
            assert field.doc, f"{module_name}: {field.name}"


@pytest.mark.parametrize("name", system_names())
def test_the_command_tells_all(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`probespiel fields`, by the system's name and by that of a game, and as Markdown."""
    interface = system(name).interface
    assert cli.run(["fields", name]) == 0
    text = capsys.readouterr().out
    for part, rows in field_rows(interface).items():
        assert f"{part}:" in text
        for field, values, meaning in rows:
            assert f"    {field}: {meaning} ({values})" in text
    for _, head, _ in service_rows(interface):
        assert f"    {head}: " in text
    assert cli.run(["fields", system(name).games[0], "--markdown"]) == 0
    marked = capsys.readouterr().out
    assert "| `p.NAME_seats` |" in marked and marked.count("\n| ") > 10


def test_a_constant_that_stands_nowhere_is_an_error() -> None:
    """A name that is misspelt does not vanish from the page."""
    from dataclasses import replace

    interface = replace(system("kuhn").interface, constants={"NOWHERE": "nothing"})
    with pytest.raises(RulesetError, match="constants 'NOWHERE' of kuhn stand in none of no file"):
        list(constant_rows(interface))


def test_fields_become_a_record() -> None:
    """Sizes are numbers, types follow from the values, those of modules stand among them."""
    Letter = IntEnum("Letter", "A B", start=0)
    made = [number("a", Letter, "letter"), number("b", span(0, 3), "three", (Size(2, "seat"), 4)), ("m_x", "i8")]
    dtype = record_of(made, align=True)
    assert dtype.names == ("a", "b", "m_x") and dtype["b"].shape == (2, 4)
    assert made[0].values == code(Letter) == Values("`Letter`: 0 A, 1 B", 0, 1)  # type: ignore[union-attr]
    assert made[1].places == "[seat][4]"  # type: ignore[union-attr]


def test_names_of_packages_are_those_of_the_page() -> None:
    """The page says where constants are imported from."""
    for name in system_names():
        for file in system(name).interface.codes:
            assert file.__name__ in (f"{package_of(name)}.state", f"{package_of(name)}.hooks")
            assert inspect.getsourcefile(file)
