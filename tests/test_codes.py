"""Numbered names: every number stands in one place, and tables that name the same things agree."""

from __future__ import annotations

import importlib
from enum import IntEnum
from types import ModuleType

import pytest

from probespiel.envs.core.actions import ActionBlock, ActionTable
from probespiel.envs.core.codes import names_of
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.modules.check import constants_of
from probespiel.envs.core.modules.hooks import declared

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
