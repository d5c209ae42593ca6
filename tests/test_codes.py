"""Numbered names: every number stands in one place, and tables that name the same things agree."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from enum import IntEnum
from types import ModuleType, SimpleNamespace

import pytest

from probespiel.envs.core.actions import ActionBlock, ActionTable
from probespiel.envs.core.codes import names_of
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.events import EventLayout
from probespiel.envs.core.modules.check import constants_of
from probespiel.envs.core.modules.hooks import declared

from .house import systems
from .test_layout import ROOT, parsed, shown, trees_in_mind, walked

BLOCKS = (ActionBlock("pass", ("pass",)), ActionBlock("card", ("card:a", "card:b")), ActionBlock("bid", ("bid:0",)))
STEPPED = ("einblatt", "scorekeeper", "konfrontation")  # systems whose modules have `step` hooks


def table_with(**ids: int) -> ActionTable:
    """The blocks above with the numbers that kernels would use."""
    return ActionTable(BLOCKS, IntEnum("Action", ids))  # pyright: ignore[reportArgumentType]


def test_names_follow_the_numbers() -> None:
    phase = IntEnum("Phase", "DEAL BID_AGAIN OVER", start=0)
    assert names_of(phase) == ("deal", "bid_again", "over")
    with pytest.raises(RulesetError, match=r"Gap: its numbers are \[0, 2\]; they must count from 0"):
        names_of(IntEnum("Gap", {"A": 0, "B": 2}))  # pyright: ignore[reportArgumentType]


def test_action_ids_are_starts_of_blocks() -> None:
    assert table_with(PASS=0, CARD=1, BID=3).starts == {"pass": 0, "card": 1, "bid": 3}
    assert table_with(ITEM=1, CARD_B=2)  # another name for a block, and one of its codes
    with pytest.raises(RulesetError, match="BID is action 2, but block 'bid' starts at 3"):
        table_with(BID=2)
    with pytest.raises(RulesetError, match="ITEM is action 2, but no block starts there"):
        table_with(ITEM=2)


@pytest.mark.parametrize("system", STEPPED)
def test_moments_have_the_order_of_the_hooks(system: str) -> None:
    state = importlib.import_module(f"probespiel.envs.{system}.state")
    hooks = importlib.import_module(f"probespiel.envs.{system}.hooks")
    steps = [name for name, kind, _ in declared(hooks) if kind == "step"]
    assert list(names_of(state.Moment)) == steps


def test_renumbering_changes_the_identity_of_the_rules() -> None:
    file = ModuleType("rules")
    text = "from probespiel.envs.core.jit import kernel\n@kernel\ndef ends(s):\n    return s.phase == Phase.OVER\n"
    found = []
    for names in ("DEAL BID OVER", "DEAL OVER BID"):
        file.__dict__["Phase"] = IntEnum("Phase", names, start=0)
        exec(text, file.__dict__)
        found.append(constants_of(file))
    assert found[0] != found[1] and "OVER: 2" in found[0][0]


def called(node: ast.AST, name: str) -> bool:
    """Whether a node calls a function of this name."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def coded_names(tree: ast.Module) -> Iterator[str]:
    """Fields that are declared with an enumeration (`number("phase", Phase, ...)`), options that are `coded`."""
    for node in walked(tree):
        if isinstance(node, ast.Call) and called(node, "number") and len(node.args) > 1:
            name, values = node.args[:2]
            if isinstance(name, ast.Constant) and isinstance(values, ast.Name) and not values.id.isupper():
                yield str(name.value)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values):
                if isinstance(key, ast.Constant) and called(value, "coded"):
                    yield str(key.value)


def counted_by_hand(tree: ast.Module, names: set[str]) -> Iterator[tuple[int, str]]:
    """Line and text of comparisons of such a field with a bare number."""
    for node in walked(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            fields = [side.value if isinstance(side, ast.Subscript) else side for side in sides]
            if any(isinstance(field, ast.Attribute) and field.attr in names for field in fields):
                if any(isinstance(side, ast.Constant) and type(side.value) is int for side in sides):
                    yield node.lineno, ast.unparse(node)


def test_coded_numbers_are_compared_with_names() -> None:
    wrong, found = [], 0
    with trees_in_mind():
        for system in systems():
            names = {name for file in (ROOT / "envs" / system).rglob("*.py") for name in coded_names(parsed(file))}
            found += len(names)
            for floor in ("envs", "agents", "training", "evaluation", "app"):
                for file in sorted((ROOT / floor / system).rglob("*.py")):
                    wrong += [f"{shown(file, line)} {text}" for line, text in counted_by_hand(parsed(file), names)]
    assert not wrong, "\n".join(wrong)
    assert found > 70


def test_comparisons_are_read_right() -> None:
    tree = ast.parse(
        'A = [number("phase", Phase, ""), number("seat", SPAN, ""), number("kinds", Kind, "", S)]\n'
        'B = {"payoff": coded(Payoff.WIN), "mode": word("a", "b")}\n'
        "if s.phase == 2 or s.seat == 2 or p.mode == 1 or s.phase == Phase.BID: pass\n"
        "if 0 < p.payoff or s.kinds[i] == 1 or s.kinds[1] == Kind.ONE: pass\n"
    )
    names = set(coded_names(tree))
    assert names == {"phase", "kinds", "payoff"}
    assert list(counted_by_hand(tree, names)) == [(3, "s.phase == 2"), (4, "0 < p.payoff"), (4, "s.kinds[i] == 1")]


def test_events_are_packed_as_they_are_declared() -> None:
    """A kind of 4 bits, a seat from -1 on in 3, a number from -8 on in 5: 3 + (2 + 1) * 16 + (-5 + 8) * 128 = 435."""
    layout = EventLayout(kind=(4, 0), seat=(3, -1), a=(5, -8))
    assert layout.at == (0, 4, 7) and layout.low == (0, -1, -8)
    assert layout.unpack(435) == (3, 2, -5) and layout.unpack(0) == (0, -1, -8)
    assert [layout.high(name) for name in layout.names] == [15, 6, 23]
    with pytest.raises(RulesetError, match="numbers kind, a of an event take 64 bits of 63"):
        EventLayout(kind=(32, 0), a=(32, 0))


@pytest.mark.parametrize(
    ("system", "file", "end"),
    [
        ("einblatt", "frames", {"seen": 0b1011}),
        ("scorekeeper", "services", {}),
        ("konfrontation", "services", {}),
        ("ews_rps", "rules", {}),
        ("oneshot", "dicing", {}),
    ],
)
@pytest.mark.parametrize("edge", ["low", "high"])
def test_what_kernels_emit_is_what_readers_unpack(system: str, file: str, end: dict[str, int], edge: str) -> None:
    """Every number at its lowest and at its highest value; an odd number between two edges would hide a wrong place."""
    kernels = importlib.import_module(f"probespiel.envs.{system}.{file}")
    layout: EventLayout = importlib.import_module(f"probespiel.envs.{system}.state").EVENT
    emit = kernels.note if system == "oneshot" else kernels.emit
    for marked in layout.names:
        told = {name: end.get(name, 0) for name in layout.names}
        if marked not in end:
            told[marked] = layout.high(marked) if edge == "high" else layout.low[layout.names.index(marked)]
        s = SimpleNamespace(n_events=0, events=[0], public=0, private=[0] * 12)
        emit(s, *told.values())
        assert layout.unpack(s.events[0]) == tuple(told.values())
