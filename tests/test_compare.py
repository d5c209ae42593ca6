"""Stress reports side by side: differences and their intervals, what is told, and what is refused."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.app.cli import run
from probespiel.envs.core.errors import ProbespielError
from probespiel.evaluation.stress.compare import (
    Row,
    compare,
    comparison_json,
    difference,
    named_reports,
    read_comparison,
)
from probespiel.evaluation.stress.compare_report import comparison_lines, render, sentences, span_text, write_comparison
from probespiel.evaluation.stress.findings import (
    Dynamics,
    Effect,
    Figure,
    Findings,
    Interval,
    Luck,
    Mean,
    Play,
    Sample,
    SideWorth,
    Use,
    Verdict,
    Worth,
    WorthRow,
)
from probespiel.evaluation.stress.game_verdict import GUESSING
from probespiel.evaluation.stress.report import write_reports
from probespiel.evaluation.stress.texts import words
from tests.whole_runs import held

from .schema_check import assert_valid


def play(length: float = 20.0, error: float = 0.1, draws: float = 0.1) -> Play:
    mean = Mean(0.5, 0.02)
    return Play(Luck(0.4, 0.02, 1.0, 1.5), 1600, mean, mean, mean, Mean(length, error), draws, ())


def findings(worth: float = 0.2, half: float = 0.04, **more: Any) -> Findings:
    """A finished report of two sides."""
    sample = Sample(worth, worth - half, worth + half, 4000)
    row = WorthRow(0, sample, Interval(0.3, 0.2, 0.4), worth, 0.0, 0.55, 0.5)
    sides = tuple(SideWorth(name, (row,), (worth,)) for name in ("red", "blue"))
    content: dict[str, Any] = {
        "game": "kuhn", "module": "rule.py", "scenario": "standard", "params": {}, "budget": "quick", "seed": 1,
        "sides": ("red", "blue"), "unit": ("card", "cards"), "payoff_unit": "EP", "ruleset": "x", "version": "0",
        "worth": Worth(sides, sample, 1.0, Interval(0.3, 0.2, 0.4)), "use": Use(1, 100, 500, 100, 0.2, 0.02),
        "dynamics": Dynamics(play(), play()), "complete": True, "verdict": Verdict("small", ("a little",)),
        "game_verdict": Verdict("changes little", ("nothing",)),
    }  # fmt: skip
    return Findings(**{**content, **more})


def test_a_difference() -> None:
    """Of intervals of half widths 3 and 4 the difference has 5; the more are compared, the wider."""
    alone = difference(Interval(10.0, 7.0, 13.0), Interval(30.0, 26.0, 34.0), 1)
    assert (alone.value, alone.low, alone.high, alone.beyond) == (20.0, pytest.approx(15.0), pytest.approx(25.0), True)
    both = difference(Interval(10.0, 7.0, 13.0), Interval(30.0, 26.0, 34.0), 10)
    assert both.high - both.low == pytest.approx(10 * 2.807 / 1.96, rel=1e-3)
    lopsided = difference(Interval(0.0, -1.0, 3.0), Interval(0.0, -4.0, 0.0), 1)
    assert (lopsided.low, lopsided.high, lopsided.beyond) == (pytest.approx(-5.0), pytest.approx(1.0), False)
    assert difference(Interval(1.0, 1.0, 1.0), Interval(1.5, 1.5, 1.5), 9).beyond
    assert not difference(Interval(1.0, 1.0, 1.0), Interval(1.0, 1.0, 1.0), 9).beyond


def test_equal_versions_are_seldom_told_apart() -> None:
    """Two measurements of the same 10 figures, 400 times: some difference is claimed in at most 5 % or so of them."""
    wrong = 0
    for number in range(400):
        values = np.random.default_rng(number).normal(0, 1, (2, 10))
        pairs = [[Interval(v, v - 1.96, v + 1.96) for v in row] for row in values]
        wrong += any(difference(a, b, 10).beyond for a, b in zip(*pairs))
    assert wrong <= 0.05 * 400 + 12  # three standard errors


def test_versions_side_by_side() -> None:
    old = findings()
    new = findings(
        0.02, params={"cost": 2}, verdict=Verdict("neutral", ("nothing",)), use=Use(1, 100, 500, 105, 0.21, 0.02),
        dynamics=Dynamics(play(), play(25.0)),
    )  # fmt: skip
    found = compare([("old", old), ("new", new)])
    rows = {row.name: row for row in found.rows}
    assert {"worth", "worth for red", "worth for blue", "use", "length", "draws", "luck"} <= set(rows)
    assert "first seat" not in rows and "strategies" not in rows
    assert words("de").word(rows["lead changes"].name) == "Führungswechsel", "changes of what is told"
    changed = {name for name, row in rows.items() if row.changes[1] is not None and row.changes[1].beyond}
    assert changed == {"worth", "worth for red", "worth for blue", "length"}
    assert found.compared == len(rows)
    lines = comparison_lines(found)
    assert lines[0] == "new against old (cost default → 2): the verdict for its holder changes from small to neutral."
    assert lines[1] == "  The verdict for the game stays “changes little”."
    assert any(line.startswith("  Changed: worth +0.200 → +0.020 (−0.180;") for line in lines)
    assert any("No difference beyond chance: use, luck, draws" in line for line in lines)
    same = comparison_lines(compare([("a", old), ("b", old)]))
    assert same[0] == "b against a: the verdict for its holder stays small."
    assert same[2] == "  Nothing changed beyond chance."


def test_both_verdicts_are_compared() -> None:
    """A version may be worth as much as before, and do something else to the game: in words, on the page, in JSON."""
    verdict = Verdict("longer games", ("a game lasts 30 decisions instead of 20",))
    found = compare([("a", findings()), ("b", findings(game_verdict=verdict, dynamics=Dynamics(play(), play(25.0))))])
    assert [version.game_verdict for version in found.versions] == ["changes little", "longer games"]
    assert comparison_lines(found)[1] == "  The verdict for the game changes from “changes little” to “longer games”."
    assert "Das Urteil für das Spiel ändert sich von „ändert wenig“ zu" in comparison_lines(found, "de")[1]
    page = render(found)
    assert page.count("longer games") == 3 and "a game lasts 30 decisions" in page, (
        "told, in the table, with its reason"
    )


def test_a_verdict_that_changes_by_the_luck_of_a_test_is_told_so() -> None:
    """No figure of the game differs; of what is no figure, such as a guess, nothing of the kind is known."""
    longer, guess = (findings(game_verdict=Verdict(word, ("so",))) for word in ("longer games", GUESSING))
    found = compare([("a", findings()), ("b", longer), ("c", guess)])
    second, third = (sentences(found, version)[1] for version in (1, 2))
    assert second.startswith("The verdict for the game changes from “changes little” to “longer games”, but no figure")
    assert third == f"The verdict for the game changes from “changes little” to “{GUESSING}”."
    german = words("de")
    assert "aber keine Zahl des Spiels unterscheidet sich nachweislich" in german(second) and not german.missed


def test_what_the_verdict_on_the_game_rests_on_is_compared() -> None:
    """Skill, search, decisions that matter and games without an end stand among the figures of the game alone."""
    names = ("unresolved", "skill", "search", "decisions", "cycles")

    def version(value: float) -> Findings:
        at = Interval(value, value - 0.01, value + 0.01)
        return findings(effect=Effect(tuple(Figure(n, at, at, Interval(0.0, 0.0, 0.0), 0.1, 800) for n in names)))

    rows = {row.name: row for row in compare([("a", version(0.5)), ("b", version(0.7))]).rows}
    for name in names:
        change = rows[name].changes[1]
        assert change is not None and change.beyond and change.value == pytest.approx(0.2), name
        assert words("de").word(rows[name].what) != rows[name].what


def test_figures_of_games_hold_the_luck_of_learning() -> None:
    """Lengths that differ by 0.2 in games whose learners alone differ by as much do not differ."""

    def version(length: float) -> Findings:
        wide = Interval(length, length - 0.2, length + 0.2)
        row = Figure("length", wide, wide, Interval(0.0, -0.3, 0.3), 0.5, 800, learned=0.3)
        return findings(dynamics=Dynamics(play(), play(length)), effect=Effect((row,)))

    (row,) = (row for row in compare([("a", version(20.0)), ("b", version(20.2))]).rows if row.name == "length")
    change = row.changes[1]
    assert change is not None and change.value == pytest.approx(0.2) and not change.beyond
    assert row.values[0] == Interval(20.0, 19.8, 20.2)


def test_what_a_game_does_not_show_is_not_compared() -> None:
    """Where no lead shows before the end nothing is known of drama, either; no difference would be no finding."""
    left = {"comebacks": "no lead shows before the end", "lead changes": "no lead shows before the end"}
    without, known = (replace(findings(), effect=Effect((), out)) for out in (left, {}))
    rows = {row.name for row in compare([("a", without), ("b", without)]).rows}
    assert not rows & {"comebacks", "drama", "lead changes"} and "length" in rows
    rows |= {row.name for row in compare([("a", known), ("b", known)]).rows}
    assert {"comebacks", "drama", "lead changes"} <= rows


def test_a_scenario_is_what_its_file_holds(tmp_path: Path) -> None:
    """Wherever it lies; another one is refused, and so is one that is gone."""
    for name, content in (("one", "{}"), ("same", "{}"), ("other", "[]")):
        (tmp_path / name).write_text(content)
    made = {name: replace(findings(), scenario=str(tmp_path / name)) for name in ("one", "same", "other", "gone")}
    assert compare([("a", made["one"]), ("b", made["same"])]).compared
    for name in ("other", "gone"):
        with pytest.raises(ProbespielError, match="in one game and scenario"):
            compare([("a", made["one"]), ("b", made[name])])


@pytest.mark.parametrize(
    ("before", "after", "said", "german"),
    [
        (-0.2, 0.2, ", of an advantage now and not of a handicap.", ", aber jetzt als Vorteil und nicht als Nachteil."),
        (0.2, -0.2, ", of a handicap now and not of an advantage.", ", aber jetzt als Nachteil und nicht als Vorteil."),
        (-0.2, -0.1, ".", "."), (0.2, 0.1, ".", "."), (-0.01, 0.2, ".", "."), (-0.2, 0.01, ".", "."),
    ],
)  # fmt: skip
def test_one_verdict_of_a_handicap_and_of_an_advantage_is_not_the_same(
    before: float, after: float, said: str, german: str
) -> None:
    """Where both are shown."""
    found = compare([("a", findings(before)), ("b", findings(after))])
    assert comparison_lines(found)[0] == f"b against a: the verdict for its holder stays small{said}"
    assert comparison_lines(found, "de")[0] == f"b gegen a: Das Urteil für den, der es hat, bleibt: gering{german}"


def test_sides_have_their_german_names_in_a_comparison() -> None:
    """They come from the reports."""
    told = compare([("a", findings(-0.2)), ("b", findings(0.2, german={"red": "Rote", "blue": "Blaue"}))])
    assert any("Wert für „Rote“ −0,200 → +0,200" in line for line in comparison_lines(told, "de"))
    assert any("worth for red −0.200 → +0.200" in line for line in comparison_lines(told))


def test_cycles_are_held_against_each_other_with_the_luck_of_learning() -> None:
    """14 % and 23 % with everybody having it, each by 10 points: 9 by 14 at least. What nobody has is not compared."""
    nothing = Interval(0.0, 0.0, 0.0)

    def version(share: float) -> Findings:
        after = Interval(share, share - 0.1, share + 0.1)
        figure = Figure("cycles", Interval(0.9, 0.9, 0.9), after, nothing, 0.1, 20)
        return findings(effect=Effect((figure,)))

    rows = {row.name: row for row in compare([("old", version(0.14)), ("new", version(0.23))]).rows}
    change = rows["cycles"].changes[1]
    assert change is not None and change.value == pytest.approx(0.09) and not change.beyond
    assert change.value - change.low >= 0.02**0.5
    assert "cycles" not in {row.name for row in compare([("old", findings()), ("new", findings())]).rows}


def test_more_versions_hold_at_once() -> None:
    reports = [("a", findings()), ("b", findings(0.1)), ("c", findings(0.3))]
    two, three = compare(reports[:2]), compare(reports)
    assert three.compared == 2 * two.compared
    first, wider = two.rows[0].changes[1], three.rows[0].changes[1]
    assert first is not None and wider is not None and wider.high - wider.low > first.high - first.low


def test_shares_are_told_in_points() -> None:
    found = compare([("a", findings()), ("b", findings(use=Use(1, 100, 500, 300, 0.6, 0.02)))])
    assert any("use 20 % → 60 % (+40 points; +32 to +48)" in line for line in comparison_lines(found))
    assert any(
        "Gebrauch 20\u00a0% → 60\u00a0% (+40 Punkte; +32 bis +48)" in line for line in comparison_lines(found, "de")
    )


def test_intervals_go_no_further_than_a_figure_can() -> None:
    """A share from nothing to all, strategies from one on; what may be below nothing goes as far as it does."""
    wide = Interval(0.87, -0.3, 1.22)
    rows = {name: Row(name, "", name == "cycles", 1, (wide,), (None,)) for name in ("cycles", "strategies", "worth")}
    told = {name: span_text(row, wide) for name, row in rows.items()}
    assert told == {"cycles": "0.0 % to 100.0 %", "strategies": "1.0 to 1.2", "worth": "−0.3 to +1.2"}
    assert span_text(rows["cycles"], Interval(0.5, 0.5, 0.5)) == "exact"


def test_what_is_refused(tmp_path: Path) -> None:
    one = ("a", findings())
    with pytest.raises(ProbespielError, match="two or more"):
        compare([one])
    with pytest.raises(ProbespielError, match="b: scenario is other, that of a is standard"):
        compare([one, ("b", findings(scenario="other"))])
    with pytest.raises(ProbespielError, match="b holds an unfinished stress test"):
        compare([one, ("b", replace(one[1], worth=None))])
    with pytest.raises(ProbespielError, match=r"report\.json is no stress report: there is no such file"):
        named_reports([tmp_path, tmp_path / "b"])
    (tmp_path / "combine.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ProbespielError, match="no stress report"):
        named_reports([tmp_path / "combine.json", tmp_path / "b"])
    with pytest.raises(ProbespielError, match="given twice"):
        named_reports([tmp_path, tmp_path / "report.json"])


def test_other_budgets_and_exactness_are_told() -> None:
    other = findings(budget="standard")
    assert other.worth is not None
    other = replace(other, worth=replace(other.worth, exact=True))
    notes = compare([("a", findings()), ("b", other)]).notes
    assert len(notes) == 2 and "different budgets (quick, standard)" in notes[0] and "exact in some" in notes[1]


def test_files_and_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, worth in (("v1", 0.2), ("v2", 0.4)):
        (tmp_path / name).mkdir()
        write_reports(tmp_path / name, findings(worth))
    out = tmp_path / "out"
    assert run(["compare", str(tmp_path / "v1"), str(tmp_path / "v2" / "report.json"), "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("v2 against v1: the verdict for its holder stays small.") and "compare.html" in told
    page = (out / "compare.html").read_text(encoding="utf-8")
    root = ET.fromstring(page.replace("<!DOCTYPE html>", ""))
    assert not [e for e in root.iter() if e.tag.endswith(("script", "link", "iframe"))]
    kept = out / "compare.json"
    assert_valid(kept)
    assert json.loads(kept.read_text())["format"] == "probespiel-comparison/1"
    assert comparison_json(read_comparison(kept)) == kept.read_text(encoding="utf-8")
    found = compare(named_reports([tmp_path / "v1", tmp_path / "v2"]))
    assert render(found) == page and write_comparison(out, found).name == "compare.html"
    held("compare", kept, out / "compare.html", hide=(tmp_path,))
    assert run(["compare", str(tmp_path / "v1"), str(tmp_path / "v3")]) == 2
    assert "no stress report" in capsys.readouterr().err


def test_against_is_read_before_anything_is_tested(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["stress", "kuhn", "--module", str(Path(__file__).parent / "planted_costs" / "edge.py")]
    assert run([*asked, "--against", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert "no stress report" in capsys.readouterr().err and not (tmp_path / "out").exists()


def test_what_only_a_later_version_has_is_told_without_a_change() -> None:
    found = compare([("old", replace(findings(), use=None)), ("new", findings())])
    (use,) = (row for row in found.rows if row.name == "use")
    assert use.values[0] is None and use.values[1] is not None and use.changes == (None, None)
    assert found.compared == len(found.rows) - 1


def test_reports_of_different_budgets_or_versions_say_so() -> None:
    one = findings()
    assert not compare([("a", one), ("b", one)]).notes
    notes = compare([("a", one), ("b", replace(one, budget="full")), ("c", replace(one, version="9"))]).notes
    assert notes == ("The reports have different budgets (quick, full).",
                     "The reports have different versions of probespiel (0, 9).")  # fmt: skip
