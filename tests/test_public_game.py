"""Exact values of public games: against other solvers, and refusals of what is not public or remembers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from probespiel.agents.konfrontation.equilibrium import ConfrontationSolver
from probespiel.agents.matrix_game import solve_zero_sum
from probespiel.agents.public_game import NotSolved, Remembers, public_value
from probespiel.agents.public_game_kernel import matrix_value
from probespiel.envs import make_game
from probespiel.envs.core.game import Game
from probespiel.envs.ews_rps import odds
from probespiel.envs.ews_rps.system import SYSTEM as EWS_RPS
from probespiel.envs.konfrontation.system import SYSTEM as KONFRONTATION
from probespiel.evaluation.stress.conditions import Bench, Condition, Settings
from probespiel.evaluation.stress.exact import solve_all
from probespiel.evaluation.stress.lab import Lab

PAST = {*EWS_RPS.bookkeeping, *EWS_RPS.counted}


@pytest.mark.parametrize("scenario", KONFRONTATION.scenarios("konfrontation-clash"))
def test_clashes(scenario: str) -> None:
    """The solver that knows the rules of bidding says the same."""
    game = make_game("konfrontation-clash", scenario)
    true = ConfrontationSolver(game).value(game.position())
    assert public_value(game, KONFRONTATION.bookkeeping).value == pytest.approx(true, abs=1e-9)


@pytest.mark.parametrize("scenario", ["hack", "grapple", "table_simple", "table_contest", "even_contest", "plain_rps"])
def test_matches(scenario: str) -> None:
    """Sums of the odds of single tests, in rational numbers."""
    true = float(odds.match_value(*EWS_RPS.resolve({"preset": scenario})))
    assert public_value(make_game("ews_rps", scenario), PAST).value == pytest.approx(true, abs=1e-9)


def test_what_is_paid_on_the_way_is_added_up() -> None:
    """A position is one whatever was won before: without that the positions are many more, the value the same."""
    game = make_game("ews_rps", "even_contest")
    short, long = public_value(game, PAST), public_value(game, PAST - {"score"})
    assert short.value == pytest.approx(long.value, abs=1e-9) and short.positions < long.positions


def test_modules_change_the_value() -> None:
    """Five symbols against three in even contests: every pair of the additional ones beats two of the old.

    With lizard and spock alone a seat wins a third more of the rounds than it loses where the other cannot answer: the
    value by a linear program of the 5 x 3 matrix of a round, worked through a contest by hand: 1/6.
    """
    values = []
    for seats in ([], [0], [1], [0, 1]):
        spec = EWS_RPS.bench("ews_rps", None, {}, {"lizard_spock": {"seats": seats}})
        values.append(public_value(Game(spec), PAST).value)
    assert values == pytest.approx([0.0, 1 / 6, -1 / 6, 0.0], abs=1e-9)


def test_the_value_is_that_of_the_side_wherever_it_sits(tmp_path: Path) -> None:
    """The lab's values are those of its side 0: the attacker is worth the same when it sits last."""
    lab = Lab(Bench(Settings("konfrontation-clash", "all_pay", scenario="strongbox")), tmp_path)
    conditions = [Condition((0,)), Condition((0,), mirrored=True)]
    first, last = solve_all(lab, conditions, 100_000)["values"]
    assert first == pytest.approx(last, abs=1e-9) and abs(first) > 1


def test_fields_that_are_read_are_no_past() -> None:
    """Leaving out what the rules go by is noticed where positions meet."""
    with pytest.raises(NotSolved, match="depends on what happened before"):
        public_value(make_game("konfrontation-clash", "monster"), {*KONFRONTATION.bookkeeping, "question"})
    with pytest.raises(NotSolved, match="come back"):
        public_value(make_game("konfrontation-clash", "debate"), {*KONFRONTATION.bookkeeping, "ties"})


PAYS = (
    '"""Pays."""\n'
    "from probespiel.envs.ews_rps.module import Module\n"
    'module = Module("pays", "Pays.", payoff_shift=1.0)\n'
    "@module.hook\n"
    "def payoff(s, p, seat, value):\n"
    "    return {}\n"
)


def test_a_rule_about_the_whole_payoff_is_solved(tmp_path: Path) -> None:
    """All or nothing: who is ahead at the end wins 1. What was won before then counts, and the lab sees that."""
    path = tmp_path / "pays.py"
    path.write_text(PAYS.format("1.0 if value > 1e-9 else (-1.0 if value < -1e-9 else 0.0)"))
    lab = Lab(Bench(Settings("ews_rps", str(path), scenario="table_contest")), tmp_path)
    condition = lab.bench.everybody()
    (value,) = solve_all(lab, [condition], 100_000)["values"]
    assert value == pytest.approx(public_value(lab.bench.game(condition), PAST - {"score"}).value, abs=1e-9)
    with pytest.raises(Remembers):
        public_value(lab.bench.game(condition), PAST)


def test_half_of_the_lead_is_what_counts_where_payoffs_are_not_opposed(tmp_path: Path) -> None:
    """A gift of 0.4 to one seat alone is a lead of 0.4: worth 0.2 a side."""
    path = tmp_path / "pays.py"
    path.write_text(PAYS.format("value + 0.4"))
    lab = Lab(Bench(Settings("ews_rps", str(path))), tmp_path)
    conditions = lab.bench.holder_conditions()
    values = solve_all(lab, list(conditions.values()), 100_000)["values"]
    assert dict(zip(conditions, values)) == pytest.approx(
        {"nobody": 0.0, "only player": 0.2, "only game master": -0.2, "everybody": 0.0}, abs=1e-9
    )


def test_a_module_that_names_a_field_keeps_it(tmp_path: Path) -> None:
    """A rule that pays by the score so far is solved with it: the second of two tests pays only who is behind."""
    path = tmp_path / "catch_up.py"
    path.write_text(
        '"""Whoever is not behind wins nothing."""\n'
        "from probespiel.envs.ews_rps.module import Module\n"
        'module = Module("catch_up", "Only who is behind is paid.")\n'
        "@module.hook\n"
        "def utility(s, p, value):\n"
        "    if value > 0.0 and s.score > 0.0 and s.acting == 0:\n"
        "        return 0.0\n"
        "    return value\n"
    )
    spec = EWS_RPS.bench("ews_rps", "even_contest", {}, {str(path): {}})
    with_it, without = public_value(Game(spec), PAST), public_value(make_game("ews_rps", "even_contest"), PAST)
    assert with_it.positions > without.positions and with_it.value < without.value - 0.01


def test_words_of_a_text_are_no_fields(tmp_path: Path) -> None:
    """A rule that tells of what is past, shown, or comes after has as few positions as none."""
    path = tmp_path / "teller.py"
    path.write_text(
        '"""After the road is shown, what is past is past: hist, last_net."""\n'
        "from probespiel.envs.ews_rps.module import Module\n"
        'module = Module("teller", "Told after the test; shown.")\n'
        "@module.hook\n"
        "def utility(s, p, value):\n"
        "    return value\n"
    )
    spec = EWS_RPS.bench("ews_rps", "even_contest", {}, {str(path): {}})
    with_it, without = public_value(Game(spec), PAST), public_value(make_game("ews_rps", "even_contest"), PAST)
    assert with_it == without


@pytest.mark.parametrize(
    ("game", "scenario", "text"),
    [
        ("einblatt-duel", None, "hidden"),
        ("kuhn", None, "hidden"),
        ("scorekeeper-duel", None, "too many positions"),
        ("einblatt-melee", "free_for_all", "two seats"),
    ],
)
def test_other_games_are_refused(game: str, scenario: str | None, text: str) -> None:
    with pytest.raises(NotSolved, match=text):
        public_value(make_game(game, scenario), limit=2_000)


def test_matrix_games() -> None:
    """Random matrices, with equal rows, whole numbers and saddle points among them: what linear programming says."""
    rng = np.random.default_rng(5)
    for i in range(400):
        rows, columns = rng.integers(1, 12, 2)
        m = rng.normal(size=(rows, columns)) if i % 2 else rng.integers(-2, 3, (rows, columns)).astype(float)
        if i % 5 == 0 and rows > 1:
            m[0] = m[-1]
        space = np.zeros((rows + 1, rows + columns + 1))
        assert matrix_value(m * 10.0 ** rng.integers(-3, 4), space) is not None
        assert matrix_value(m, space) == pytest.approx(solve_zero_sum(m).value, abs=1e-9)
