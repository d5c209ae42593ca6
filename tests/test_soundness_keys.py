"""Random play of rule modules where keys tell of futures, not of all that was seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from probespiel.envs import make_game
from probespiel.envs.core.registry import system
from probespiel.envs.core.soundness import Soundness, check_game

LATER = '''"""A fighter may rest in fights whose first die of reaction was even."""

from typing import Any

from probespiel.envs.scorekeeper.module import Module
from probespiel.envs.scorekeeper.services import allow, key_with

module = Module("lulls", "A fighter may rest.")
REST = module.action("rest", en="rest", de="rasten")
module.state("even", per_seat=False, scope="fight", doc="the last die of reaction was even")
module.piece("even", 1, 0, 1, "the same")


@module.hook
def reaction_value(s: Any, p: Any, seat: int, die: int, value: int) -> int:
    s.lulls_even = 1 - die % 2
    return value


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    if s.lulls_even:
        allow(words, REST)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    return


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    out[0] = s.lulls_even
'''
KEPT = """

@module.hook
def state_key(s: Any, p: Any, value: int) -> int:
    return key_with(value, s.lulls_even)
"""


def played(module: str) -> Soundness:
    """Four fights: those of seeds 0 and 2 begin with the same order, from other dice."""
    return check_game(make_game("scorekeeper-duel", modules={module: {}}, compiled=False), 4)


@pytest.mark.parametrize("module", ["free_parry", "retarget"])
def test_sound_rules_are_not_accused_of_dice_that_no_longer_matter(module: str) -> None:
    """Rolls of reaction stay to be seen when the order is known."""
    assert system("scorekeeper").keys_of_futures
    found = played(module)
    assert found.games == 4 and found.decisions > 8 and not found.problems


@pytest.mark.parametrize("kept", [False, True])
def test_what_a_future_depends_on_is_in_its_key(tmp_path: Path, kept: bool) -> None:
    """A rule that offers something by a number of its own must give it to the key, as search joins what is alike."""
    file = tmp_path / "lulls.py"
    file.write_text(LATER + KEPT * kept, encoding="utf-8")
    problems = played(str(file)).problems
    assert (not problems) == kept
    assert all("the keys say that the future is the same" in text for text in problems)
