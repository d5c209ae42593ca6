"""`probespiel odds ews_rps`: the specification's table by one command, as text, CSV and plot, every fraction exact."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from probespiel.app.cli import run
from probespiel.envs.core.errors import ProbespielError, RulesetError
from probespiel.envs.ews_rps.odds import die_equality, die_success, equality, success
from probespiel.envs.ews_rps.params import check_options, unit
from probespiel.evaluation.ews_rps.odds import odds_table, weights_of
from tests.whole_runs import held

# Section 7: RPS (both kinds), die simple, die contest, plain die contest.
TABLE = """
-12 242/243 215/216 53027/54432 1
-11 80/81 215/216 157/162 1
-10 80/81 215/216 1231/1296 35/36
-9 80/81 35/36 953/1008 35/36
-8 26/27 35/36 4061/4536 11/12
-7 26/27 35/36 8087/9072 11/12
-6 26/27 35/36 205/252 5/6
-5 8/9 35/36 175/216 5/6
-4 8/9 5/6 142/189 7/9
-3 8/9 5/6 533/756 13/18
-2 2/3 2/3 128/189 25/36
-1 2/3 2/3 145/252 7/12
0 2/3 1/2 145/252 7/12
1 1/3 1/2 107/252 5/12
2 1/3 1/2 107/252 5/12
3 1/3 1/3 61/189 11/36
4 1/9 1/3 223/756 5/18
5 1/9 1/6 47/189 2/9
6 1/9 1/6 41/216 1/6
7 1/27 1/36 47/252 1/6
8 1/27 1/36 985/9072 1/12
9 1/27 1/36 475/4536 1/12
10 1/81 1/36 55/1008 1/36
11 1/81 1/36 65/1296 1/36
12 1/81 1/36 5/162 0
"""
ROWS = {int(d): [Fraction(x) for x in row] for d, *row in (line.split() for line in TABLE.strip().splitlines())}


def test_the_table_of_the_specification(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One command; text and CSV hold every fraction."""
    paths = [tmp_path / "sub" / f"odds.{suffix}" for suffix in ("csv", "svg", "png", "txt")]
    assert run(["odds", "ews_rps", *(part for path in paths for part in ("--out", str(path)))]) == 0
    text = capsys.readouterr().out
    assert paths[3].read_text(encoding="utf-8") == text
    with paths[0].open(encoding="utf-8", newline="") as file:
        found = {int(row["difference"]): row for row in csv.DictReader(file)}
    assert sorted(found) == sorted(ROWS)
    for d, (rps, simple, contest, plain) in ROWS.items():
        row = found[d]
        wanted = {"rps_simple": rps, "rps_contest": rps, "pm_simple": simple, "pm_contest": contest}
        wanted["pm_contest_no_reroll"] = plain
        for column, value in wanted.items():
            assert Fraction(row[column]) == value and float(row[f"{column}_value"]) == float(value)
        line = next(line for line in text.splitlines() if line.split()[:1] == [f"{d:+d}" if d else "0"])
        for value in (rps, simple, contest, plain):
            assert str(value) in line
    assert paths[1].read_text(encoding="utf-8").startswith("<?xml") and paths[2].read_bytes()[:4] == b"\x89PNG"
    held("odds ews_rps", {}, paths[0], paths[3])
    better = [line for line in text.splitlines() if line.startswith("Rock-paper-scissors is better")]
    assert better[0].endswith("simple tests at -12, -9, -4, -3, 0, +7, +8, +9.")
    assert better[1].endswith("contests at -12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -1, 0, +3.")
    assert "mean 8/15" in text and "variance 4904/225" in text


def test_options_opponents_and_scenarios() -> None:
    table = odds_table({"contest_tie": "draw"}, -3, 3, weights_of("2/5, 1/4, 7/20"), "evening", "de")
    rows = dict(table.rows)
    index = table.columns.index
    assert rows[3][index("reply_simple")] == Fraction(2, 5) and rows[0][index("reply_simple")] == Fraction(3, 4)
    assert rows[0][index("rps_draw")] == Fraction(1, 3)
    assert "Wert der Partie evening" in table.text() and "Differenz" in table.text()
    assert odds_table({"max_rounds": 1}, 6, 6).column("rps_simple") == [0]
    assert odds_table({"pm_reroll_limit": 0}, 12, 12).column("pm_contest") == [0]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["nowhere"], "nowhere"),
        (["ews_rps", "--low", "5", "--high", "4"], "5..4"),
        (["ews_rps", "--high", "1000"], "1000"),
        (["ews_rps", "--opponent", "1,1,1"], "three weights of sum 1"),
        (["ews_rps", "--set", "bonus_step=0"], "bonus_step = 0"),
        (["ews_rps", "--scenario", "nowhere"], "scenario 'nowhere' is unknown"),
        (["ews_rps", "--out", "x.pdf"], ".csv, .txt, .svg or .png"),
    ],
)
def test_wrong_input(capsys: pytest.CaptureFixture[str], arguments: list[str], part: str) -> None:
    assert run(["odds", *arguments]) == 2
    err = capsys.readouterr().err.splitlines()
    assert len(err) == 1 and err[0].startswith("error: ") and part in err[0]


def test_every_system_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["odds"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ("ews_rps", "oneshot", "scorekeeper"))


def test_errors_are_specific() -> None:
    for weights in ("", "1/2", "1/0,1,0", "-1,1,1", "a,b,c"):
        with pytest.raises(ProbespielError, match="opponent"):
            weights_of(weights)
    with pytest.raises(RulesetError, match="shortfall_rounding"):
        odds_table({"shortfall_rounding": "sideways"})


def test_a_contest_that_can_end_even_by_hand() -> None:
    """With one unit in hand a side fails by two lost rounds in a row, and one of them leaves both even.

    Early stops wait for the second: the first is lost in 1 of 3, the next one in 1 of 3 again. By the plain die equal
    faces are a draw: 15 of 36 pairs are ahead.
    """
    options = check_options({"contest_tie": "draw", "early_stop": True, "max_rounds": 5})
    difference = -unit("contest", options)
    assert success("contest", difference, options) == Fraction(2, 3)
    assert equality("contest", difference, options) == Fraction(2, 9)
    plain = check_options({"contest_tie": "draw", "pm_reroll_limit": 0})
    assert (die_success("contest", 0, plain), die_equality("contest", 0, plain)) == (Fraction(5, 12), Fraction(1, 6))
