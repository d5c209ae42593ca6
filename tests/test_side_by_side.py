"""Two ladders, exploits, trainings or stress tests side by side: what changed, by hand, and in German."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from probespiel.app import side_by_side
from probespiel.app.cli import run
from probespiel.app.results import opened
from probespiel.app.side_by_side import around, lines, render, render_in, words
from probespiel.evaluation.balance.records import Balance, balance_json
from probespiel.evaluation.balance.records import Figure as Measured
from probespiel.evaluation.exploit.records import Exploited, Figure
from probespiel.evaluation.exploit.records import Side as Answer
from probespiel.evaluation.report import trained
from probespiel.evaluation.report.phrases import check
from probespiel.evaluation.report.records import kept
from probespiel.evaluation.stress.combine import WORDS, Combinations
from probespiel.evaluation.stress.combine_report import write_combinations
from probespiel.evaluation.stress.findings import Interval
from probespiel.evaluation.tournament.ladder_page import NAME, VERSION, Row, Standing

from .test_balance_german import told_balance
from .test_combine import around as near
from .test_combine import made
from .test_reports import KEPT, assert_all_german
from .test_trained import FOUND


def ladder(folder: Path, *rows: tuple[str, str, float, float | None], kind: str = "", first: str = "2026") -> Path:
    """A file of a ladder with players by name, version, rating and half of its interval; `kind` is of the last."""
    folder.mkdir()
    found = Standing("kuhn", "standard", "abc", tuple(
        Row(k + 1, name, kind if k == len(rows) - 1 else "", version, "2026", rating, half, 600, 300.0)
        for k, (name, version, rating, half) in enumerate(rows)
    ), (), (), 6, 600, first, first)  # fmt: skip
    (folder / "ladder.json").write_text(kept(NAME, VERSION, found)[0], encoding="utf-8")
    return folder / "ladder.json"


def sheet(old: Path, new: Path) -> side_by_side.Sheet:
    return side_by_side._sheet(opened(old), opened(new))


def test_ladders_of_the_same_players(tmp_path: Path) -> None:
    """Differences of two: at 95 % together, that is 97.5 % each, z = 2.2414 instead of 1.96."""
    old = ladder(tmp_path / "old", ("a", "1", 1550, 30), ("b", "1", 1450, 30))
    new = ladder(tmp_path / "new", ("a", "1", 1500, 40), ("b", "1", 1500, 10), first="2027")
    found = sheet(old, new)
    a, b = (row.change for row in found.rows)
    assert a is not None and b is not None and found.compared == 2 and not found.notes
    half = 50 * 2.2414 / 1.95996  # the root of 30² + 40²
    assert (a.value, a.low, a.high) == pytest.approx((-50, -50 - half, -50 + half), abs=0.01) and not a.beyond
    assert b.value == 50 and b.low == pytest.approx(50 - (30**2 + 10**2) ** 0.5 * 2.2414 / 1.95996, abs=0.01)
    assert lines(found) == ["Changed beyond chance: rating of b 1,450 → 1,500 (+50; +14 to +86)."]
    assert lines(found, "de") == ["Über den Zufall hinaus geändert: Wertung von b 1.450 → 1.500 (+50; +14 bis +86)."]


def test_ladders_of_other_players(tmp_path: Path) -> None:
    """Around the one that is the same in both; a changed bot keeps its name, and its earlier version is a line."""
    old = ladder(tmp_path / "old", ("a", "1", 1540, 10), ("b", "1", 1460, 10))
    new = ladder(tmp_path / "new", ("a", "1", 1500, 10), ("b", "2", 1620, 10), ("b", "1", 1400, 10), kind="old")
    found = sheet(old, new)
    rows = {row.name: row for row in found.rows}
    assert set(rows) == {"rating of a", "rating of b", "rating of b (1)"}
    before, now, change = rows["rating of b"].before, rows["rating of b"].now, rows["rating of b"].change
    assert before == Interval(-80, -100, -60) and now == Interval(120, 100, 140), "both halves together"
    assert change is not None and change.value == 200 and change.beyond
    assert rows["rating of b (1)"].change is None
    assert lines(found) == [
        "Changed beyond chance: rating of b \N{MINUS SIGN}80 → +120 (+200; +168 to +232).",
        "In one of both only: rating of b (1).",
        "b is another version now.",
        "The players differ: ratings are told around the mean of those that both have in the same version (1), with "
        "intervals that hold at least.",
        "Both hold the same first games: differences are surer than said here.",
    ]
    assert around({"x": None, "y": Interval(3, 2, 4)}, ["x"]) == {"x": None, "y": None}
    none = sheet(old, ladder(tmp_path / "none", ("c", "1", 1500, 10), ("d", "1", 1500, None)))
    assert lines(none)[0] == "There is nothing that both have measured." and "cannot be compared" in lines(none)[2]
    for one in (found, none):
        t = words("de")
        assert_all_german(render(one), render_in(one, t), t, ["kuhn standard", "abc"])
        assert not set(lines(one, "de")) & set(lines(one))
    check(side_by_side.GERMAN)


def exploit(folder: Path, agent: str, bound: Figure, game: str = "kuhn", method: str = "exact") -> Path:
    folder.mkdir()
    found = Exploited(
        game, "standard", agent, method, bound, (Answer("first", "bluffer", bound, None),), 10, 10, None, 1
    )
    (folder / "exploit.json").write_text(json.dumps(found.to_json()), encoding="utf-8")
    return folder


def test_exploits_and_trainings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = exploit(tmp_path / "old", "honest", Figure(0.25, 0.25, 0.25))
    new = exploit(tmp_path / "new", "card_only", Figure(0.5, 0.4, 0.6), method="learned")
    same = exploit(tmp_path / "same", "honest", Figure(0.125, 0.125, 0.125))
    assert lines(sheet(old, same)) == [
        f"Changed beyond chance: {what} +0.2500 → +0.1250 (\N{MINUS SIGN}0.1250; exact)."
        for what in ("exploitable by", "the best answer for first")
    ]
    assert run(["report", str(new), "--against", str(old), "--lang", "de"]) == 0
    told = capsys.readouterr().out
    assert (
        "auszunutzen um +0,2500 → +0,5000" in told
        and "Die Spieler sind verschieden (vorher honest, jetzt card_only)" in told
    )
    assert "untere Schranke" in told and (new / "against.de.html").is_file()
    for found in (sheet(old, new), sheet(old, same)):
        t = words("de")
        assert_all_german(render(found), render_in(found, t), t, ["honest", "card_only", "first"])
    one, two = tmp_path / "one", tmp_path / "two"
    better = tuple(dataclasses.replace(r, edge=r.edge + 2, low=r.low + 2, high=r.high + 2) for r in FOUND.results)
    for folder, results in ((one, FOUND.results), (two, (*better[:1], *FOUND.results[1:]))):
        folder.mkdir()
        trained.write_reports(folder, dataclasses.replace(FOUND, results=results))
    found = sheet(one, two)
    assert [row.change.beyond for row in found.rows if row.change] == [True, *[False] * (len(FOUND.results) - 1)]
    assert f"against {FOUND.results[0].opponent}" in lines(found)[0] and len(found.told) == 1


def both_languages(found: side_by_side.Sheet, names: Sequence[str]) -> list[str]:
    """The lines in English, after a look at lines and page in German."""
    t = words("de")
    assert_all_german(render(found), render_in(found, t), t, names)
    assert not set(lines(found, "de")) & set(lines(found))
    return lines(found)


def test_combinations(tmp_path: Path) -> None:
    """Two worths are known in both: at 95 % together, z = 2.2414; the half of a difference of two of 0.02 is 0.0323."""
    before = made(True)
    thorn, _, frost, moss, both = before.pairings
    now = dataclasses.replace(
        before, complete=False,
        alone=dataclasses.replace(before.alone, word="overpowered", worth=near(0.33)),
        pairings=(dataclasses.replace(thorn, word="dominates", why=WORDS["dominates"], worth=near(0.5)),
                  frost, moss, both),
    )  # fmt: skip

    def compared(old: Combinations, new: Combinations) -> side_by_side.Sheet:
        write_combinations(tmp_path / "old", old)
        write_combinations(tmp_path / "new", new)
        return sheet(tmp_path / "old", tmp_path / "new")

    found = compared(before, now)
    assert found.compared == 2 and not found.before.ruleset
    by_name = {row.name: row.change for row in found.rows}
    change = by_name["worth with thorn"]
    half = 2**0.5 * 0.02 * 2.2414 / 1.95996
    assert change is not None and (change.low, change.high) == pytest.approx((0.45 - half, 0.45 + half), abs=1e-5)
    assert by_name["worth with thorn and frost"] is None
    assert both_languages(found, ["x", "frost"]) == [
        "Changed beyond chance: worth with thorn +0.050 → +0.500 (+0.450; +0.418 to +0.482).",
        "In one of both only: worth with rose & co.",
        "The test of new was interrupted: not all is measured.",
        "By itself: strong before, overpowered now.",
        "With thorn: cancels before, dominates now.",
    ]
    other = compared(before, dataclasses.replace(before, module="y.py", payoff_unit=""))
    assert both_languages(other, ["x", "y", "frost"]) == [
        "There is nothing that both have measured.",
        "The modules differ (x before, y now).",
        "The units differ (EP before, – now): worths are not compared.",
    ]


def test_searches_for_balance(tmp_path: Path) -> None:
    """Points that both have measured, a place along a parameter, and what is suggested."""
    before = told_balance(0.25, 0.25, False)
    along = dataclasses.replace(before.along[0], crossings=before.along[0].crossings[:1])
    before = dataclasses.replace(before, along=(along,), complete=True)
    best, second, _ = before.points
    better = dataclasses.replace(best, figures=(Measured("worth", 2.5, 2.25, 2.75, 100), best.figures[1]))
    crossing = dataclasses.replace(along.crossings[0], value=4.0, low=3.5, high=4.5)
    now = dataclasses.replace(
        before, points=(better,), suggestion=second, fixed={}, targets=before.targets[:1],
        along=(dataclasses.replace(along, crossings=(crossing,)),),
    )  # fmt: skip

    def compared(old: Balance, new: Balance) -> side_by_side.Sheet:
        for name, one in (("old", old), ("new", new)):
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / "balance.json").write_text(balance_json(one), encoding="utf-8")
        return sheet(tmp_path / "old", tmp_path / "new")

    found = compared(before, now)
    assert found.compared == 3
    told = both_languages(found, ["m", "standard", "ab12"])
    assert told[0].startswith("Changed beyond chance: fee at which worth is 0.4 +2.250 → +4.000 (+1.750;")
    assert told[1].startswith("Changed beyond chance: worth for fee = 3, loud = true +0.500 → +2.500 (+2.000;")
    assert told[2:] == [
        "In one of both only: worth for fee = 2, loud = true and use for fee = 2, loud = true.",
        "Parameters that stay as they are differ (also = 3 before; – now).",
        "The targets differ (worth 0.25, use 20 to 80 % before; worth 0.25 now).",
        "Suggested are fee = 3, loud = true before, fee = 2, loud = true now.",
    ]
    told = both_languages(compared(before, before), ["m", "standard", "ab12"])
    assert told == ["Nothing changed beyond chance.", "Suggested are fee = 3, loud = true, as before."]
    none = dataclasses.replace(before, suggestion=None, complete=False)
    for old, new, line in (
        (before, none, "Nothing is suggested now."), (none, before, "Nothing was suggested before."),
        (none, none, "Nothing is suggested in either."),
    ):  # fmt: skip
        told = both_languages(compared(old, new), ["m", "standard", "ab12"])
        assert told[-1] == line and "The test of" in told[1]
    passed = dataclasses.replace(before, along=(dataclasses.replace(along, crossings=(crossing, crossing)),))
    open_ = dataclasses.replace(before, along=(dataclasses.replace(along, crossings=(
        dataclasses.replace(crossing, open_high=True),)),))  # fmt: skip
    for other in (passed, open_):
        row = compared(before, other).rows[0]
        assert row.name == "fee at which worth is 0.4" and row.now is None and row.change is None


def test_what_cannot_be_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kuhn, leduc = (exploit(tmp_path / game, "random", Figure(1, 1, 1), game) for game in ("kuhn", "leduc"))
    players = ladder(tmp_path / "ladder", ("a", "1", 1500, 10))
    for pair, told in {
        (leduc, kuhn): "one game is compared",
        (leduc, players): "of another kind (ladder) than",
        (players, tmp_path / "nowhere"): "does not exist",
    }.items():
        assert run(["report", str(pair[0]), "--against", str(pair[1])]) == 2
        assert told in capsys.readouterr().err
    assert not list(tmp_path.rglob("against*"))


def test_stress_reports_are_compared_as_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("v1", "v2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "report.json").write_bytes(KEPT.read_bytes())
    assert run(["report", str(tmp_path / "v2"), "--against", str(tmp_path / "v1")]) == 0
    told = capsys.readouterr().out
    assert (
        told.startswith("v2 against v1: the verdict for its holder stays") and "Nothing changed beyond chance." in told
    )
    assert run(["compare", str(tmp_path / "v1"), str(tmp_path / "v2"), "--out", str(tmp_path / "out")]) == 0
    page = (tmp_path / "v2" / "against.html").read_text(encoding="utf-8")
    assert page == (tmp_path / "out" / "compare.html").read_text(encoding="utf-8")
