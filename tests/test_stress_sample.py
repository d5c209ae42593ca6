"""The stress lab's sample game: which one is shown, its decisive moment, and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.envs.core.replay import Choice, Die, Recorder
from probespiel.envs.core.rng import rng_array
from probespiel.evaluation.stress.conditions import Condition, Settings
from probespiel.evaluation.stress.findings import (
    SampleGame,
)
from probespiel.evaluation.stress.game_words import (
    sample_lines,
)
from probespiel.evaluation.stress.guided import LoggedDecisions
from probespiel.evaluation.stress.lab import open_lab, position_bytes
from probespiel.evaluation.stress.play import Played
from probespiel.evaluation.stress.sample import (
    acting,
    barred,
    commented,
    decided_alike,
    line_of,
    moment_of,
    reckoned_with,
    turned,
    winner,
    within,
)
from probespiel.evaluation.stress.shadow import Shadow, shifted, without_it

from .lab_findings import BOWS, STILL, findings


def test_games_that_are_turned() -> None:
    """Games 1, 2 and 4 have another winner, 3 one instead of none, 5 none instead of one.

    Gained with a use first, then gained, then lost; where all else is decided alike before others; won by another side
    before drawn, then the short ones.
    """
    before, after = winner(np.array([1.0, -1, -1, 0, 1, 1])), winner(np.array([1.0, 1, 2, 1, -1, 0]))
    length, used = np.array([5, 5, 9, 5, 5, 1]), np.array([True, False, True, True, True, True])
    luck = np.zeros(6, dtype=bool)
    assert turned(before, after, length, used, True, luck) == [2, 3, 1, 4, 5]
    assert turned(before, after, length, used, False, luck) == [4, 5, 2, 3, 1]
    assert turned(before, after, length, np.ones(6, dtype=bool), True, luck) == [1, 2, 3, 4, 5]
    assert turned(before, after, length, used, True, np.arange(6) == 3) == [3, 2, 1, 4, 5]


def test_games_in_which_all_else_is_decided_alike() -> None:
    """Action 7 and what is answered in phase 4 are the module's: one game without more, one with another move.

    Of the last game the log holds no end.
    """

    def played(*games: list[tuple[int, int, int]], room: int = 99) -> Played:
        rows = np.array([(s, a, p, 0, 0, 0) for game in games for s, a, p in game], dtype=np.int64)[:room]
        lengths = np.array([len(game) for game in games], dtype=np.int64)
        return Played(np.zeros(len(games)), lengths, np.zeros(len(games)), cast(Any, None), LoggedDecisions(rows))

    plain = [(0, 1, 2), (1, 1, 2)]
    having = played([(0, 7, 3), *plain, (1, 5, 4)], [(0, 7, 3), (0, 1, 2), (1, 2, 2)], plain, room=8)
    found = decided_alike(having, played(plain, plain, plain), frozenset({7}), frozenset({4}))
    assert found.tolist() == [True, False, False]
    assert decided_alike(having, played(plain, plain, plain), frozenset(), frozenset({4})).tolist() == [False] * 3


def test_what_a_use_has_brought_is_no_act_later_on(tmp_path: Path) -> None:
    """Whoever has answered rightly is paid from then on: the answer is the moment, not what is played after it."""
    lab = open_lab(Settings("einblatt-duel", str(Path(__file__).parent / "planted" / "riddle.py")), tmp_path)
    lab.bench.compiled = False
    having, plain = lab.bench.game(lab.bench.holder_conditions()[lab.bench.alone(0)]), Condition()
    recorder = Recorder(having, 3)
    while recorder.position.to_act():
        seat = recorder.position.to_act()[0]
        recorder.apply(seat, recorder.position.legal(seat)[0])
    replay, rules = recorder.replay(), lab.bench.game(plain)
    own = frozenset(lab.own_actions)
    assert any(isinstance(step, Choice) and step.action in own for step in replay.steps)
    assert abs(replay.final().returns()).tolist() != abs(rules.position().returns()).tolist()
    shadow = Shadow(rules, position_bytes(lab, having, own=False))
    assert acting(replay, shadow, frozenset(lab.own_actions), lab.marks.phases) == []


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


def played_out(game: Any, seed: int, first: int = 0) -> Recorder:
    """A game in which everybody takes the first, or the last (-1), of what is legal."""
    recorder = Recorder.follow(game, [], rng=rng_array(seed, "deal"))
    while recorder.position.to_act():
        seat = recorder.position.to_act()[0]
        recorder.apply(seat, recorder.position.legal(seat)[first])
        recorder.roll(rng_array(seed + len(recorder.steps), "deal"))
    return recorder


@pytest.mark.parametrize("name", ["riddle", "comet"])
def test_the_same_game_without_the_rule(name: str, tmp_path: Path) -> None:
    """All dice and decisions but its own are the same, and so is the end of it; what is paid is what the rule did."""
    lab = open_lab(Settings("einblatt-duel", str(Path(__file__).parent / "planted" / f"{name}.py")), tmp_path)
    lab.bench.compiled = False
    there, rules = played_out(lab.bench.game(lab.bench.everybody()), 5).replay(), lab.bench.game(Condition())
    own = frozenset(lab.own_actions)
    here = without_it(there, rules, own, lab.marks.phases)
    assert here is not None and here.status == there.status == "ended"
    its_own = [step for step in there.steps if (step.faces == 100 if isinstance(step, Die) else step.action in own)]
    assert len(its_own) == 2 and [step for step in there.steps if step not in its_own] == list(here.steps)
    assert (abs(np.subtract(there.payoffs, here.payoffs)) > 0.2).any() == (name == "riddle")
    cut = replace(there, steps=there.steps[:-3])
    assert without_it(cut, rules, own, lab.marks.phases) is None  # it is no whole game
    wrong = replace(there, steps=(*there.steps[:-1], Choice(0, 0)))
    assert without_it(wrong, rules, frozenset(), frozenset()) is None or name == "comet"
    # the dice of a game without it fall where those of the rule did
    plain = played_out(rules, 5).replay()
    assert shifted(there, plain, own) == (name == "comet")
    assert not shifted(here, here, own)


def test_decisions_of_the_rule_shift_no_dice() -> None:
    """A use before a die, the same dice after it; with a die of its own all later ones are other ones."""
    later = [Die(6, 1), Choice(0, 1), Die(6, 2)]
    plain, used, thrown, last = (
        cast(Any, SimpleNamespace(steps=steps))
        for steps in (later, [Choice(0, 7), *later], [Die(2, 1), *later], [Die(6, 1), Choice(0, 1), Die(6, 3)])
    )
    assert not shifted(used, plain, frozenset({7})) and shifted(used, plain, frozenset())
    assert shifted(thrown, plain, frozenset()) and not shifted(last, plain, frozenset())  # it ends with that die


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
    alike = sample_lines(replace(shown, alike=4), made)[0]
    assert alike.startswith("In 7 of 100 deals") and ". In 4 of them all else is decided the same. Shown is" in alike
    same = sample_lines(replace(shown, pure=True), made)
    assert same[2] == "All dice and all decisions but its own are the same in both."
    luck = sample_lines(replace(shown, shifted=True, alike=4), made)[0]
    assert "Where it has other dice thrown, or more, all later ones fall otherwise, so that luck" in luck
    none = sample_lines(SampleGame(False, 100, 7, shifted=True), made)[0]
    assert none.endswith("none of those that were looked at is decided by the rule alone.")
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
