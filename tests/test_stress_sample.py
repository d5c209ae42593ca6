"""The stress lab's sample game: which one is shown, its decisive moment, and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from probespiel.envs.core.replay import Recorder
from probespiel.envs.core.rng import rng_array
from probespiel.evaluation.stress.conditions import Condition, Settings
from probespiel.evaluation.stress.findings import (
    SampleGame,
)
from probespiel.evaluation.stress.game_words import (
    sample_lines,
)
from probespiel.evaluation.stress.lab import open_lab
from probespiel.evaluation.stress.sample import (
    barred,
    commented,
    line_of,
    moment_of,
    reckoned_with,
    turned,
    winner,
    within,
)

from .lab_findings import BOWS, STILL, findings


def test_games_that_are_turned() -> None:
    """Games 1, 2 and 4 have another winner, 3 one instead of none, 5 none instead of one.

    Gained with a use first, then gained, then lost; won by another side before drawn, then the short ones.
    """
    before, after = winner(np.array([1.0, -1, -1, 0, 1, 1])), winner(np.array([1.0, 1, 2, 1, -1, 0]))
    length, used = np.array([5, 5, 9, 5, 5, 1]), np.array([True, False, True, True, True, True])
    assert turned(before, after, length, used, gains=True) == [2, 3, 1, 4, 5]
    assert turned(before, after, length, used, gains=False) == [4, 5, 2, 3, 1]
    assert turned(before, after, length, np.ones(6, dtype=bool), gains=True) == [1, 2, 3, 4, 5]


LINES: list[dict[str, Any]] = [
    {"who": "A", "what": "bet", "then": [], "step": 2}, {"who": "B", "what": "call", "then": ["A wins"], "step": 4},
]  # fmt: skip


def test_the_decisive_moment() -> None:
    """A use that gained; else the first step at which the rule acts of those that move the payoffs most."""
    assert [line_of(LINES, step) for step in (0, 1, 2, 3, 4, 9)] == [None, None, 0, 0, 1, 1]
    best = {"number": 1, "instead": "fold", "swing": 0.5, "weight": 1}
    assert moment_of(LINES, [(2, 1.0, [])], best) == (1, "B uses it: call (instead of: fold)")
    assert moment_of(LINES, [], None) == (None, None)
    assert moment_of(LINES, [(2, 0.0, []), (3, 1.0, []), (4, 1.0, [])], None) == (0, "the rule acts after A: bet")
    assert moment_of(LINES, [(0, 0.0, [])], None) == (None, "the rule acts before the first decision")
    assert moment_of(LINES, [], None, 0) == (0, "A uses it: bet")
    assert moment_of(LINES, [(4, 1.0, [])], None, 0) == (1, "the rule acts after B: call")
    assert moment_of(LINES, [(4, 1.0, [])], best, 0) == (1, "B uses it: call (instead of: fold)")
    marked = commented(LINES, 1, [(4, 1.0, ["B wins"])], best, 1)
    assert [line["decisive"] for line in marked] == [False, True] and not marked[0]["comment"]
    assert marked[1]["comment"] == (
        "up to here both games are the same. the rule acts; without it: B wins. worth +0.50 against “fold”"
    )


def test_a_rule_that_forbids_a_move_is_not_merely_reckoned_with(tmp_path: Path) -> None:
    """The second seat raised without it; with it nobody may. The first decisions are the same in both."""
    lab = open_lab(
        Settings("leduc", str(Path(__file__).parent / "planted" / "quiet_table.py"), budget="quick"), tmp_path
    )
    lab.bench.compiled = False
    quiet, plain = lab.bench.game(lab.bench.everybody()), lab.bench.game(Condition())
    calls = [(0, 1), (1, 1), (0, 1), (1, 1)]
    dice = rng_array(4, "deal")
    there = Recorder.follow(quiet, calls, rng=dice.copy()).replay()
    raised = Recorder.follow(plain, [(0, 1), (1, 2), (0, 1), (0, 1), (1, 1)], rng=dice.copy()).replay()
    called = Recorder.follow(plain, calls, rng=dice.copy()).replay()
    assert barred(there, raised, 1) and not barred(there, raised, 0) and not barred(there, called, 1)
    game = SampleGame(True, 100, 7, "B", 3, {"A": "hunter"}, 1.0, -1.0, True, "the rule acts after A: bet", 1)
    assert "The first decision is the same in both." in sample_lines(game, findings(STILL))
    assert "The first 2 decisions are the same in both." in sample_lines(replace(game, parted=2), findings(STILL))


def test_a_rule_that_is_reckoned_with() -> None:
    """The first decision that is another one, by the same person."""
    other = [{**LINES[0]}, {**LINES[1], "what": "fold"}]
    assert reckoned_with(LINES, other, 1) == (1, "B decides on call (instead of: fold)")
    assert reckoned_with(LINES, other, None) == reckoned_with(LINES, other, 2) == (None, None)
    assert reckoned_with(LINES, [LINES[0], {**LINES[0], "what": "fold"}], 1) == (None, None)


def test_how_many_games_are_looked_at_for_a_moment() -> None:
    """Two uses are weighed; without a use 40 games are looked at, or 20,000 decisions, and one game at least."""
    used, few = np.array([True, True, True, False, True, False]), np.full(6, 5)
    assert within([0, 1, 2, 3, 4, 5], few, used, 2) == [0, 1, 3, 5]
    assert within([2, 5, 4, 0], few, used, 1) == [2, 5]
    many = np.zeros(100, dtype=bool)
    assert within(range(100), np.full(100, 5), many, 2) == list(range(40))
    assert within([7, 3, 9], np.full(100, 9_000), many, 2) == [7, 3]
    assert within([7, 3, 9], np.full(100, 30_000), many, 2) == [7]


def test_what_is_said_of_a_sample_game() -> None:
    made = findings(STILL)
    none = sample_lines(SampleGame(False, 100, 0), made)
    assert "In 0 of 100 deals" in none[0] and "no such deal was found" in none[0]
    shown = SampleGame(True, 100, 7, "B", 3, {"A": "hunter"}, 1.0, -1.0, True, "the rule acts after A: bet", 1)
    told = sample_lines(shown, made)
    assert told[0].startswith("In 7 of 100 deals") and "“A” plays “hunter”, in both games" in told[0]
    assert told[1] == "Without it “B” gets −1.00 EP; where “B” has it, +1.00 EP."
    assert told[3] == "It acts by itself, and this is when: the rule acts after A: bet."
    used = sample_lines(shown, replace(made, use=BOWS))  # it acts after a use, perhaps much later
    assert used[3] == "This is when it acts: the rule acts after A: bet."
    parting_use = replace(shown, passive=False, gained=False, moment="B uses it: call")
    assert sample_lines(parting_use, made)[3] == "With this use the games part: B uses it: call."
    threat = replace(parting_use, reckoned=True, moment="B decides on call (instead of: fold)")
    assert sample_lines(threat, made)[3] == (
        "It does nothing in this game, but is reckoned with, and here the games part: B decides on call "
        "(instead of: fold)."
    )
    told = sample_lines(SampleGame(False, 100, 7, idle=True), made)[0]
    assert told.endswith(
        "There is no game to show: it is used in none of them, so that they differ by the luck of choices."
    )
    told = sample_lines(SampleGame(False, 100, 7), made)[0]
    assert told.endswith("There is no game to show: in none of them its moment could be told.")
    gained = replace(parting_use, gained=True, moment="B uses it: call (instead of: fold)")
    assert sample_lines(gained, made)[3] == ("The use that gained most: B uses it: call (instead of: fold).")
