"""The exact tables of OneShot: numbers of the rules, other options, files."""

from __future__ import annotations

from pathlib import Path

import pytest

from probespiel.envs.core.errors import ProbespielError, RulesetError
from probespiel.evaluation.oneshot.odds import odds_tables
from tests.whole_runs import held


def test_tables_hold_the_numbers_of_the_rules(tmp_path: Path) -> None:
    odds = odds_tables()
    rows = {table.name: {row[0]: row[1:] for row in table.rows} for table in odds.tables}
    assert rows["tests"]["+0"] == ["2/3", "1/2", "1/3", "1/6", "1/18"]
    assert rows["hit"]["3"] == ["2/3"] and rows["hit"]["7"] == ["0"]
    assert rows["tests"]["+6"] == ["17/18"] * 5
    assert rows["turns"]["8"] == ["7"] and rows["mean_turns"]["6"] == ["37/6"]
    assert rows["survival"]["2"] == ["5/6", "2/3"] and rows["lies"]["+0"] == ["7/12"]
    assert rows["edges"]["-2"][0] == "5/6"
    # attack 5, axe group rank 4, mail: 3 or more hits; defence 6 against axe and strength: 2 or more wounds
    assert rows["heroes"]["fighter"][0] == "5/9"
    for name, start in (("odds.csv", "table,row,column,value"), ("odds.txt", "Skill test"), ("odds.svg", "<?xml")):
        odds.write(tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    held("odds oneshot", {}, tmp_path / "odds.csv", tmp_path / "odds.txt")


def test_options_change_the_tables() -> None:
    plain = {t.name: t.rows for t in odds_tables().tables}
    other = {t.name: t.rows for t in odds_tables({"lie_tie": "listener", "social_tie": "failure"}, 120, "de").tables}
    assert plain["lies"] != other["lies"] and plain["edges"] != other["edges"] and plain["turns"] != other["turns"]
    assert plain["tests"] == other["tests"]


def test_wrong_input() -> None:
    with pytest.raises(RulesetError, match="sg"):
        odds_tables({"sg": 9})
    with pytest.raises(ProbespielError, match="counts = 0"):
        odds_tables({}, 0)
    with pytest.raises(ProbespielError, match=r"\.csv"):
        odds_tables().write(Path("odds.pdf"))
