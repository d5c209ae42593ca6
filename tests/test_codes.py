"""Numbered names: every number stands in one place, and tables that name the same things agree."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from enum import IntEnum
from types import ModuleType

import pytest

from probespiel.envs.core.actions import ActionBlock, ActionTable
from probespiel.envs.core.codes import names_of
from probespiel.envs.core.errors import RulesetError
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
