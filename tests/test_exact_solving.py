"""Tables of solvers and errors of comparisons, case by case."""

from __future__ import annotations

import numpy as np
import pytest

from probespiel.agents.cfr import _grown, _new_tables
from probespiel.agents.cfr_kernel import ENTRIES, FULL, OFFSET, STATES, draw, fill_chances, place
from probespiel.agents.switch import _mean
from probespiel.agents.switch_kernel import ROUNDS, SQUARES, TOTAL
from probespiel.envs.core.rng import mix, rand_float


def test_a_state_with_another_number_of_actions_is_another_one() -> None:
    """Two keys that are the same by chance: what is known of two actions says nothing of three."""
    tables = _new_tables(4, 16)
    assert [place(tables, 7, 2), place(tables, 8, 3), place(tables, 7, 2), place(tables, 7, 3)] == [0, 1, 0, -1]
    assert tables.used[STATES] == 2 and tables.used[ENTRIES] == 5 and tables.infos[1, OFFSET] == 2
    keys = np.array([mix(7, 0)], dtype=np.int64)
    starts, chances = np.array([0, 2], dtype=np.int64), np.array([0.25, 0.75])
    out = np.zeros((2, 3))
    words = np.array([[0b110], [0b111]], dtype=np.int64)
    fill_chances(keys, starts, chances, np.array([7, 7]), np.array([0, 0]), words, out)
    assert out.tolist() == [[0.0, 0.25, 0.75], [pytest.approx(1 / 3)] * 3]


def test_tables_that_grow_keep_all_they_know() -> None:
    tables = _new_tables(3, 6)
    for key in (5, 6, 7):
        place(tables, key, 2)
    tables.regrets[:], tables.averages[:], tables.values[:] = np.arange(6), np.arange(6) + 10, np.arange(6) + 20
    assert place(tables, 9, 2) == -1 and tables.used[FULL]
    grown = _grown(tables)
    assert [place(grown, key, 2) for key in (7, 5, 6)] == [2, 0, 1] and not grown.used[FULL]
    for kept, first in ((grown.regrets, 0), (grown.averages, 10), (grown.values, 20)):
        assert kept[:6].tolist() == list(range(first, first + 6)) and not kept[6:].any()
    assert place(grown, 9, 2) == 3


def test_an_action_without_a_chance_is_never_drawn() -> None:
    """Chances that add up to less, by rounding: what lies beyond them falls to the last action that has one."""
    seed = next(s for s in range(99) if rand_float(np.array([s], dtype=np.uint64)) > 0.6)
    low = next(s for s in range(99) if rand_float(np.array([s], dtype=np.uint64)) < 0.4)
    for chances, above, below in (([0.5, 0.0], 0, 0), ([0.0, 0.5, 0.0, 0.0], 1, 1), ([0.5, 0.0, 0.5], 2, 0)):
        found = [int(draw(np.array(chances), len(chances), np.array([s], dtype=np.uint64))) for s in (seed, low)]
        assert found == [above, below]


def test_the_error_of_a_mean_counts_one_game_less() -> None:
    """1 and 3: a mean of 2 and an error of 1; of one game nothing is known, and none has no mean."""
    found = np.zeros((3, 5))
    found[0, [ROUNDS, TOTAL, SQUARES]] = 2.0, 4.0, 10.0
    found[1, [ROUNDS, TOTAL, SQUARES]] = 1.0, 3.0, 9.0
    assert _mean(found, TOTAL, SQUARES).tolist() == [[2.0, 3.0, 0.0], [1.0, 0.0, 0.0]]
