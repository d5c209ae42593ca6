"""Levels measured by seconds: neighbours, the same deals for both in games of one side, and intervals."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchmarks.levels import apart, share, step_within
from probespiel.envs.core.registry import make_game


def test_in_games_of_one_side_both_play_the_same_deals() -> None:
    """Payoffs of two seats a deal: the first agent is better, equal, and worse; deals are those that were asked for."""
    paid = {0: [[1.0, 0.0], [0.5, 0.5], [0.0, 0.0]], 1: [[0.0, 0.5], [1.0, 0.0], [0.0, 0.5]]}
    asked = []

    def play(schedule: Any) -> SimpleNamespace:
        asked.append((schedule.seating[:, 0].tolist(), schedule.dice.tolist()))
        return SimpleNamespace(payoffs=np.array(paid[int(schedule.seating[0, 0])]))

    game: Any = SimpleNamespace(n_seats=2)
    match: Any = SimpleNamespace(play=play)
    assert apart(game, match, np.arange(3), 5).tolist() == [1.0, 0.5, 0.0]
    assert [seats for seats, _ in asked] == [[0, 0, 0], [1, 1, 1]] and asked[0][1] == asked[1][1]


def test_a_first_deal_is_played_whatever_the_time_and_is_not_counted() -> None:
    """Both ways of sitting, so that a deal is worth 0, a half or 1 and what lies between; then the time is over."""
    won = step_within(make_game("kuhn", compiled=False), "always_bet", "card_only", 0.0)
    assert 1 <= len(won) <= 2 and {*won.tolist()} <= {0.0, 0.25, 0.5, 0.75, 1.0}


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        ((0.64, 0.58, 0.71), "64 % (58 to 71)"),
        ((0.53, -0.2, 0.65), "53 % (0 to 65) −"),
        ((0.78, 0.64, 1.3), "78 % (64 to 100) +"),
        ((0.6, 0.5, 0.7), "60 % (50 to 70)"),
        ((0.75, 0.7, 0.8), "75 % (70 to 80)"),
    ],
)
def test_a_share_is_marked_where_it_is_outside_the_room_of_a_step(ends: tuple[float, float, float], told: str) -> None:
    assert share(*ends) == told
