"""Games in which seats keep to few actions: they come to states that no uniform draw comes to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from probespiel.envs.core.jit import config
from probespiel.evaluation.stress import breakage
from probespiel.evaluation.stress.conditions import Settings
from probespiel.evaluation.stress.context import EVERYBODY
from probespiel.evaluation.stress.failing import last_of
from probespiel.evaluation.stress.lab import open_lab
from probespiel.evaluation.stress.watching import LIKES, WILLS, players

CRAMP = '''"""A module for tests."""
from typing import Any
from probespiel.envs.ews_rps.module import Module
module = Module("cramp", "A module for tests.", payoff_shift=0.5)
module.state("run", per_seat=False, scope="match", doc="rounds with a rock of the acting seat, one after another")
@module.hook
def outcome(s: Any, p: Any, mine: int, theirs: int, result: int) -> int:
    """Counts."""
    s.cramp_run = s.cramp_run + 1 if mine == 0 else 0
    return result
@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """More than is declared after nine rocks in a row."""
    return value + 5.0 if s.cramp_run >= 9 else value
'''
GAMES = 240


def test_three_games_in_four_are_those_of_choosy_seats() -> None:
    """Every will meets every share of liked actions; without it nobody likes anything better."""
    wills, likes = players(24, True)
    assert wills.tolist() == [*WILLS] * 8
    assert likes.tolist() == [share for share in (*LIKES, *LIKES) for _ in WILLS]
    assert {*zip(wills[:12], likes[:12])} == {(will, share) for will in WILLS for share in LIKES}
    plain = players(5, False)
    assert plain[0].tolist() == wills[:5].tolist() and not plain[1].any() and len(plain[1]) == 5


@pytest.mark.skipif(config.DISABLE_JIT, reason="interpreted rules raise an error there")
def test_what_takes_the_same_again_and_again_is_found(tmp_path: Path) -> None:
    """A uniform draw shows nine rocks in a row in one of 20,000 games; the game that is told can be played again."""
    path = tmp_path / "cramp.py"
    path.write_text(CRAMP)
    lab = open_lab(Settings("ews_rps", str(path), scenario="plain_rps", budget="quick"), tmp_path)
    where = lab.bench.holder_conditions()[EVERYBODY]
    assert not breakage.search(lab, where, GAMES, 3)["faults"]
    (fault,) = breakage.search(lab, where, GAMES, 3, live="live/x", choosy=True)["faults"]
    assert fault["by_module"] and "hook 'payoff' moved a payoff by 5, payoff_shift is 0.5" in fault["text"]
    assert players(GAMES, True).likes[fault["game"]] > 0
    out = breakage.again(lab, where, fault["game"], GAMES, 3, fault["length"], "replays/1.json", choosy=True)
    assert (tmp_path / "replays" / "1.json").is_file()
    # kept as far as its ninth round, from which on too much would be paid: all that its acting seat shows are rocks
    assert out["length"] == 18 < fault["length"]
    assert {move["what"] for move in out["moves"] if move["who"] == "player"} == {"rock"}
    kept = np.fromfile(tmp_path / "live" / "x", dtype=np.int64)
    course = kept[3 : 3 + 2 * int(kept[1])].reshape(-1, 2).tolist()
    assert int(kept[0]) == GAMES - 1 and last_of(tmp_path / "live" / "x") is None, "it came to its end"
    assert breakage._course_of(lab, lab.bench.game(where), GAMES - 1, GAMES, 3, True) == course
