"""Small cases, worked out by hand, of lines that were drawn and of the functions around them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core import abi
from probespiel.envs.einblatt import creation

# Rules


def test_interpreted_rules_that_have_failed_are_not_asked_again_until_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A loop that goes on meanwhile is answered so that it ends: the game is over, nobody may do anything."""
    game = make_game("kuhn", compiled=False)
    asked: list[int] = []

    def entry(op: int, *_: int) -> int:
        asked.append(op)
        raise ValueError(f"failed {len(asked)}")

    monkeypatch.setattr(game.kernel.namespaces["probespiel.envs.core.entry"], "entry", entry)
    state, words = np.zeros(1, game.state_dtype), np.full(game.words, -1, np.int64)

    def call(op: int) -> int:
        return abi.call_from_python(
            game.address, op, state.ctypes.data, game.params_address, out=words.ctypes.data if op == abi.LEGAL else 0
        )

    assert [call(op) for op in (abi.APPLY, abi.OVER, abi.DIE, abi.TO_ACT, abi.ROLL)] == [abi.RULE_ERROR, 2, 0, 0, 0]
    assert words.tolist() == [-1] * game.words and call(abi.LEGAL) == abi.RULE_ERROR
    assert words.tolist() == [0] * game.words and asked == [abi.APPLY]
    with pytest.raises(ValueError, match="failed 1"):
        game.kernel.raise_pending()
    assert call(abi.LEGAL) == abi.RULE_ERROR and asked == [abi.APPLY, abi.LEGAL]
    with pytest.raises(ValueError, match="failed 2"):
        game.kernel.raise_pending()
    game.kernel.raise_pending()  # nothing is left


@pytest.mark.parametrize(
    ("skill", "slots"),
    [("fencing", 1), ({"breadth": "blades"}, 1), ({"breadth": "fighting"}, 1),
     ({"breadth": "fighting", "malus": -5}, 1), ({"breadth": "fighting", "malus": -2, "name": "f"}, 4),
     ({"breadth": "close_combat", "malus": -3}, 2)],
)  # fmt: skip
def test_slots_of_a_skill(skill: Any, slots: int) -> None:
    """R16: one, and of a broad one another for every point by which its malus is less than its base (blades -2)."""
    assert creation.skill_slots(skill) == slots


@pytest.mark.parametrize("skill", [3, None, ["fencing"], ("blades",), {}, {"malus": -2}, {"breadth": "all"},
                                   {"breadth": "blades", "malus": -1}, {"breadth": "blades", "malus": -3},
                                   {"breadth": "blades", "cost": 1}])  # fmt: skip
def test_what_is_no_skill(skill: Any) -> None:
    with pytest.raises(ValueError):
        creation.skill_slots(skill)
