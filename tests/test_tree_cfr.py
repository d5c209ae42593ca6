"""Solvers over the sequence form: known values, agreement with the tree, OpenSpiel's exploitability, and refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import AgentError
from probespiel.agents.cfr import CfrAgent, SavedStrategy
from probespiel.agents.exact import GameTree, TreeTooLarge
from probespiel.agents.public_game import NotSolved
from probespiel.agents.sequence_form import SequenceForm, hidden_value
from probespiel.agents.tree_cfr import METHODS, TreeCfr
from probespiel.app import cli
from probespiel.envs import make_game
from probespiel.envs.core.game import Game
from tests.games import card_game, rps_game


@pytest.fixture(scope="module")
def leduc() -> Game:
    return make_game("leduc")


@pytest.fixture(scope="module")
def solved(leduc: Game) -> TreeCfr:
    return TreeCfr(leduc).run(seconds=30, until=1e-4)


def test_leduc_is_solved(solved: TreeCfr) -> None:
    """Its value is known to be -0.0856 (Southey et al. 2005); OpenSpiel counts as many nodes and states."""
    assert (solved.form.tree.n_nodes, solved.states) == (9457, 936)
    assert solved.exploitability() <= 1e-4
    assert solved.value() == pytest.approx(-0.0856, abs=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_known_values(method: str) -> None:
    """Kuhn poker -1/18, Goofspiel 0 as both seats are alike, rock-paper-scissors with a known equilibrium."""
    kuhn = TreeCfr(make_game("kuhn"), method).run(seconds=20, until=1e-4)
    assert kuhn.value() == pytest.approx(-1 / 18, abs=2e-4) and kuhn.exploitability() <= 1e-4
    goofspiel = TreeCfr(make_game("goofspiel", points_order="descending", cards=4), method).run(seconds=20, until=1e-3)
    assert goofspiel.value() == pytest.approx(0, abs=2e-3)
    rps = TreeCfr(rps_game(), method).run(seconds=20, until=1e-4)
    for seat in (0, 1):
        assert rps.chances(seat)[1:] == pytest.approx([0.25, 0.5, 0.25], abs=0.01)


def test_one_iteration_by_hand() -> None:
    """Rock-paper-scissors in which a rock wins 2: against uniform play rock gets 1/3, paper 0, scissors -1/3.

    These are the regrets of seat 0, which plays rock next. Against it seat 1 gets 0, 1 and -2; uniform play got -1/3,
    so the regrets are 1/3, 4/3 and -5/3, and it plays a fifth rock and four fifths paper.
    """
    solver = TreeCfr(rps_game()).run(1)
    assert solver.chances(0)[1:] == pytest.approx([1, 0, 0])
    assert solver.chances(1)[1:] == pytest.approx([0.2, 0.8, 0])
    assert solver.value() == pytest.approx(-0.8)
    # against rock paper gets 1; against a fifth rock and paper else paper gets 0.2, scissors 0.8 - 0.4: the gain is 1.2
    assert solver.exploitability() == pytest.approx(((0.4 + 0.8) + (1 - 0.8)) / 2)


@pytest.mark.parametrize(("method", "weight"), [("cfr+", 3), ("dcfr", 9), ("pcfr+", 9)])
def test_averages_weigh_later_iterations_more(method: str, weight: int) -> None:
    """By their number (CFR+), or by its square: what the third one adds to the sum of plans."""
    solver = TreeCfr(rps_game(), method).run(2)
    before = solver._learnt[0].average.copy()
    solver.run(1)
    assert solver._learnt[0].average - before == pytest.approx(weight * solver._learnt[0].plan)


def test_it_agrees_with_the_tree() -> None:
    """Values, best responses and exploitability of random strategies, by two roads; opposed or not."""
    rng = np.random.default_rng(3)
    for game in (make_game("kuhn"), card_game(2, 3, 6), make_game("goofspiel", cards=3, scoring="total_points")):
        form = SequenceForm(game)
        tree = form.tree
        weights = rng.random(int(tree.starts[-1]))
        sums = np.add.reduceat(weights, tree.starts[:-1])
        profile = weights / np.repeat(sums, np.diff(tree.starts))
        chances = [form.chances(seat, profile) for seat in (0, 1)]
        plans = [form.plan(seat, chances[seat]) for seat in (0, 1)]
        for seat in (0, 1):
            assert form.value(seat, chances[seat], plans[1 - seat]) == pytest.approx(tree.values(profile)[seat])
            assert form.best(seat, plans[1 - seat])[0] == pytest.approx(tree.best_response(seat, profile).value)
        assert form.exploitability(*chances) == pytest.approx(tree.exploitability(profile))


def test_exploitability_is_that_of_openspiel(solved: TreeCfr) -> None:
    """Of uniform play in Leduc poker, and of what was solved, carried over to OpenSpiel's own game."""
    pyspiel: Any = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("leduc_poker")
    form, tree = solved.form, solved.form.tree
    uniform = [form.chances(seat, tree.uniform()) for seat in (0, 1)]
    assert form.nash_conv(*uniform) == pytest.approx(pyspiel.nash_conv(theirs, pyspiel.UniformRandomPolicy(theirs)))


def test_the_solution_is_a_strategy_file(leduc: Game, solved: TreeCfr, tmp_path: Path) -> None:
    strategy = solved.solution()
    strategy.save(tmp_path / "leduc.npz")
    loaded = SavedStrategy.load(tmp_path / "leduc.npz")
    CfrAgent(file=str(tmp_path / "leduc.npz")).prepare(leduc)
    tree = GameTree(leduc)
    assert tree.exploitability(tree.profile([loaded, loaded])) == pytest.approx(solved.exploitability(), abs=1e-5)


def test_hidden_values_are_those_of_the_linear_program() -> None:
    game = make_game("goofspiel", cards=3, points_order="descending", scoring="point_difference")
    assert hidden_value(game, 5000) == pytest.approx(0, abs=1e-7)


def test_what_is_not_solved() -> None:
    with pytest.raises(TreeTooLarge, match="goofspiel has more than 1,000 nodes"):
        TreeCfr(make_game("goofspiel"), budget=1000)
    with pytest.raises(NotSolved, match="two seats are needed, there are 3"):
        TreeCfr(card_game(3, 2, 6))
    with pytest.raises(AgentError, match=r"method = 'cfr' is not allowed: one of cfr\+, dcfr, pcfr\+"):
        TreeCfr(make_game("kuhn"), "cfr")
    solver = TreeCfr(make_game("kuhn"))
    with pytest.raises(AgentError, match="until above 0"):
        solver.run()
    with pytest.raises(AgentError, match="iterations = 0 is not allowed"):
        solver.run(0)


def test_the_command_solves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "kuhn.npz")
    assert cli.run(["solve", "kuhn", "--method", "pcfr+", "--until", "0.0001", "--out", out]) == 0
    told = capsys.readouterr().out
    assert "exploitability: 0.0000" in told and "value to first: -0.055" in told
    assert len(SavedStrategy.load(out).keys) == 12 and f"12 information states: {out}" in told
    wrong = [
        (["--method", "x", "--seconds", "1"], "--method 'x' is not allowed: one of mccfr, cfr+, dcfr, pcfr+"),
        (["--method", "cfr+", "--seconds", "1", "--sampling", "outcome"], "--sampling does not go with --method cfr+"),
        (["--until", "0.1"], "--until does not go with --method mccfr"),
        (["--method", "dcfr"], "--iterations or --seconds must be given"),
    ]
    for arguments, message in wrong:
        assert cli.run(["solve", "kuhn", *arguments, "--out", out]) == 2
        assert message in capsys.readouterr().err
