"""Games as they are played: which deal is shown, that it is the same everywhere, and that its replay is that game."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from probespiel.envs.core.replay import Die, load
from probespiel.evaluation.stress.conditions import Condition, Settings
from probespiel.evaluation.stress.lab import open_lab
from probespiel.evaluation.stress.play import play
from probespiel.evaluation.stress.strategies import Mixture, Strategy
from probespiel.evaluation.stress.typical import DEALS, middle, show

# A module of kuhn in which a jack of its holder is as good as a king.
JACKS = '''"""A jack is a king."""
from typing import Any

from probespiel.envs.kuhn.module import Module

module = Module("jacks", "A jack is a king.")


@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """Of a holder."""
    return 3 if card == 0 else value
'''


def test_the_middle_by_hand() -> None:
    """Of results that are whole and ended the lower of the two middle ones, the first of equals."""
    results = np.array([5.0, 1.0, 9.0, 3.0, 7.0])
    every, none = np.ones(5, dtype=bool), np.zeros(5, dtype=bool)
    assert middle(results, every, every) == 0
    assert middle(results, every, np.array([False, True, True, True, True])) == 3
    assert middle(results, np.array([False, True, True, False, False]), np.array([True, False, False, True, True])) == 1
    assert middle(results, none, every) == 0 and middle(np.zeros(4), np.ones(4, dtype=bool), none[:4]) == 1


def test_the_same_deal_with_and_without(tmp_path: Path) -> None:
    """The deal is that of middle result of the first cast; what others get there is what they get in a match."""
    path = tmp_path / "jacks.py"
    path.write_text(JACKS)
    lab = open_lab(Settings("kuhn", str(path)), tmp_path)
    lab.bench.compiled = False
    one, other = (Mixture((Strategy(name, name),), (1.0,)) for name in ("bluffer", "honest"))
    everybody, nobody = lab.bench.everybody(), Condition()
    casts = [(everybody, one, other), (nobody, one, other), (nobody, other, one)]
    told = show(lab, casts, ["r/a.json", "r/b.json", "r/c.json"], DEALS, 5)
    deals = np.arange(DEALS)
    players = [one.strategies[0], other.strategies[0]]
    results = [
        play(lab, condition, players, [pair] * DEALS, deals, 5).margins
        for condition, pair in ((everybody, (0, 1)), (nobody, (0, 1)), (nobody, (1, 0)))
    ]
    deal = int(np.argsort(results[0], kind="stable")[(DEALS - 1) // 2])
    assert told == [{"deal": deal, "result": float(margins[deal])} for margins in results]
    replays = [load(tmp_path / "r" / f"{name}.json", trust=True) for name in "abc"]
    assert [replay.payoffs[0] for replay in replays] == [one["result"] for one in told if one is not None]
    assert [(replay.agents or {})["first"] for replay in replays] == ["bluffer", "bluffer", "honest"]
    dice = [[step for step in replay.steps if isinstance(step, Die)] for replay in replays]
    assert dice[0] == dice[1] == dice[2] and len(dice[0]) == 2


def test_a_game_that_is_longer_than_its_log_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "jacks.py"
    path.write_text(JACKS)
    lab = open_lab(Settings("kuhn", str(path)), tmp_path)
    lab.bench.compiled = False
    monkeypatch.setattr(type(lab), "log_room", lambda self, games: 1)
    uniform = Mixture((Strategy("random", "random"),), (1.0,))
    assert show(lab, [(Condition(), uniform, uniform)], ["r/a.json"], 3, 1) == [None] and not (tmp_path / "r").exists()
