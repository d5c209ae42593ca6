"""Shipped scenarios stay what they are: a number that changes in one of them changes all games that were recorded."""

from __future__ import annotations

import json

import pytest

from probespiel.envs.core.registry import game_names
from tests.scenarios import FILE, known

KEPT = json.loads(FILE.read_text(encoding="utf-8"))


def test_every_game_is_kept() -> None:
    assert sorted(KEPT) == sorted(game_names())


@pytest.mark.parametrize("game", sorted(KEPT))
def test_scenarios_are_what_they_were(game: str) -> None:
    """Who means to change one writes the file anew: `python -m tests.scenarios`."""
    assert known(game) == KEPT[game]
