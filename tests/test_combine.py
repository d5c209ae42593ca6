"""A module beside others: what becomes of its worth, in words, as a picture, and end to end."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from matplotlib.axes import Axes

from probespiel.app.cli import run
from probespiel.envs.core.errors import ProbespielError
from probespiel.evaluation.stress import combine, context
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.combine import (
    WORDS,
    Combinations,
    CombineInterrupted,
    Found,
    Pairing,
    combined,
    difference,
    groups_of,
    interplay,
    read_combinations,
    run_combine,
)
from probespiel.evaluation.stress.combine_report import (
    combination_lines,
    picture,
    render,
    sentence,
    write_combinations,
)
from probespiel.evaluation.stress.conditions import EVERYBODY, NOBODY, Bench, Settings
from probespiel.evaluation.stress.context import NotShown
from probespiel.evaluation.stress.findings import Breakage, Fault, Findings, Interval, Sample, Worth
from probespiel.evaluation.stress.progress import Quiet
from probespiel.evaluation.stress.store import PARTS
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.workers import Job, Workers
from tests.whole_runs import held

from .schema_check import assert_valid

PLANTED = Path(__file__).parent / "planted"


def around(value: float, half: float = 0.02) -> Interval:
    return Interval(value, value - half, value + half)


@pytest.mark.parametrize(
    ("alone", "there", "before", "level", "word"),
    [
        (0.30, 0.31, "strong", "strong", "no interplay shown"),
        (0.30, 0.33, "strong", "strong", "no interplay shown"),  # shown, but less than counts
        (0.30, 0.50, "strong", "strong", "stronger"),
        (0.30, 0.80, "strong", "overpowered", "dominates"),
        (0.70, 0.90, "overpowered", "overpowered", "stronger"),  # it was before
        (0.30, 0.20, "strong", "small", "weaker"),
        (0.30, 0.05, "strong", "small", "cancels"),
        (0.10, 0.03, "neutral", "neutral", "weaker"),  # there was nothing to cancel
        (0.30, -0.20, "strong", "small", "turns round"),
        (0.30, -0.01, "strong", "neutral", "cancels"),  # which way it goes there is not shown
        (0.05, -0.20, "undecided", "small", "stronger"),  # nor here which way it went
        (-0.30, -0.50, "strong", "strong", "stronger"),
    ],
)
def test_what_becomes_of_it(alone: float, there: float, before: str, level: str, word: str) -> None:
    """By the change, where that is shown and counts."""
    after = around(there)
    assert interplay(after, difference(after, around(alone)), level, before, 0.05) == word
    assert word in WORDS


def test_the_difference_of_two_estimates() -> None:
    """Of independent ones the squares of the half widths add up, each side by itself."""
    found = difference(Interval(1.0, 0.7, 1.1), Interval(0.5, 0.4, 0.9))
    assert (found.low, found.value, found.high) == pytest.approx((0.0, 0.5, 0.5 + 0.02**0.5))


def test_a_change_that_is_not_shown_says_nothing() -> None:
    """However large it is."""
    after = around(0.60, 0.30)
    assert interplay(after, difference(after, around(0.30, 0.30)), "strong", "strong", 0.05) == "no interplay shown"


def found_of(worth: float | None = None, exact: bool = False, where: str | None = None) -> Findings:
    """Findings of a module that is worth so much, or that breaks in that condition."""
    faults = () if where is None else (Fault("loop", "it goes round", where, replay="1.json"),)
    sample = None if worth is None else Sample(worth, worth - 0.02, worth + 0.02, 100)
    return Findings(
        game="ews_rps", module="granite", scenario="", params={}, budget="quick", seed=1, sides=("A", "B"),
        unit=("unit", "units"), payoff_unit="", ruleset="", version="", breakage=Breakage(faults),
        worth=None if sample is None else Worth((), sample, 1.0, Interval(0.0, -0.1, 0.1), exact),
    )  # fmt: skip


def judged(alone: Findings, beside: Found) -> Pairing:
    """What is said of the module beside `thorn`."""
    settings = Settings("ews_rps", str(PLANTED / "granite.py"), budget="quick")
    bench = Bench(settings, compiled=False)
    return combined(settings, bench, {(): alone, ("thorn",): beside}, [("thorn",)], True, "").pairings[0]


@pytest.mark.parametrize(
    ("alone", "where", "word"),
    [
        (None, "A", "breaks"),
        (None, NOBODY, "broken without it"),
        ("A", "A", "no interplay shown"),  # it breaks by itself, too
    ],
)
def test_faults_beside_others(alone: str | None, where: str, word: str) -> None:
    found = judged(found_of(0.3) if alone is None else found_of(where=alone), found_of(where=where))
    assert found.word == word and "it goes round" in found.why and found.replay == "with/thorn/replays/1.json"


@pytest.mark.parametrize(("alone", "there"), [(True, True), (True, False), (False, True)])
def test_exact_only_if_both_are(alone: bool, there: bool) -> None:
    found = judged(found_of(0.3, alone), found_of(0.5, there))
    assert found.word == "stronger" and found.exact == (alone and there)
    assert found.change is not None and found.change.value == pytest.approx(0.2)


def test_what_is_refused_or_not_measured_is_said() -> None:
    refused = judged(found_of(0.3), "they do not go together")
    assert (refused.word, refused.why) == ("refused", "they do not go together")
    assert judged(found_of(0.3), found_of()).word == "not measured"


def test_a_failure_that_cannot_be_shown_is_told_beside_what_was_measured() -> None:
    """The others are measured all the same, and a page says which are missing."""
    row = judged(found_of(0.3), NotShown("measure", "division by zero", 10))
    assert (row.word, row.worth) == ("not measured", None)
    assert "division by zero" in row.why and "Mend" not in row.why
    found = replace(made(False), missing=(("moss", "frost"),))
    assert combination_lines(found)[-1] == "Not measured yet: 1 of 5 combinations."
    assert combination_lines(found, "de")[-1] == "Noch nicht gemessen: 1 von 5 Kombinationen."


def test_one_that_fails_unseen_does_not_end_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless it is the module by itself; each is told with its number."""
    asked: list[tuple[str, int, int]] = []

    def part(settings: Settings, group: tuple[str, ...], *others: Any) -> Findings:
        if group == failing:
            raise NotShown("measure", "division by zero", 10)
        return found_of(0.3)

    def watching(name: str, number: int, every: int) -> Quiet:
        asked.append((name, number, every))
        return Quiet()

    monkeypatch.setattr(combine, "_part", part)
    failing: tuple[str, ...] = ("well",)
    settings = Settings("ews_rps", str(PLANTED / "granite.py"), budget="quick")
    found = run_combine(settings, tmp_path / "one", watching=watching)
    assert {row.others[0]: row.word for row in found.pairings}["well"] == "not measured"
    assert [row.word for row in found.pairings].count("no interplay shown") == 3 and not found.missing
    assert asked == [("alone", 0, 4), *((row.others[0], k, 4) for k, row in enumerate(found.pairings, 1))]
    failing = ()
    with pytest.raises(NotShown):
        run_combine(settings, tmp_path / "other")


def test_what_is_missing_after_an_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def part(settings: Settings, group: tuple[str, ...], *others: Any) -> Findings:
        if group == ("replay_draws",):
            raise KeyboardInterrupt
        return found_of(0.3)

    monkeypatch.setattr(combine, "_part", part)
    with pytest.raises(CombineInterrupted) as stop:
        run_combine(Settings("ews_rps", str(PLANTED / "granite.py"), budget="quick"), tmp_path)
    assert stop.value.found.missing == (("replay_draws",), ("well",)) and not stop.value.found.complete
    write_combinations(tmp_path, stop.value.found)

    def early(settings: Settings, group: tuple[str, ...], *others: Any) -> Findings:
        if group:
            raise KeyboardInterrupt
        return found_of(0.3)

    monkeypatch.setattr(combine, "_part", early)
    with pytest.raises(CombineInterrupted) as again:
        run_combine(Settings("ews_rps", str(PLANTED / "granite.py"), budget="quick"), tmp_path, resume=True)
    assert again.value.stays and again.value.found.missing == stop.value.found.missing and not stop.value.stays


def test_answers_of_combinations_are_kept_for_who_goes_on_with_the_same_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever forgets to say that it goes on loses none of them, nor does who has edited the module meanwhile."""
    played: list[Path] = []  # the folder, once nobody interrupts any more

    def part(settings: Settings, group: tuple[str, ...], folder: Path, *others: Any) -> Findings:
        (folder / PARTS).mkdir(parents=True, exist_ok=True)
        (folder / PARTS / "answer.npz").write_bytes(b"hours")
        if group and out not in played:
            raise KeyboardInterrupt
        return found_of(0.3)

    monkeypatch.setattr(combine, "_part", part)
    module, out = tmp_path / "granite.py", tmp_path / "out"
    module.write_text((PLANTED / "granite.py").read_text())
    settings = Settings("ews_rps", str(module), budget="quick")
    with pytest.raises(CombineInterrupted):
        run_combine(settings, out)
    answers = {path: path.read_bytes() for path in out.rglob("*.npz")}
    assert len(answers) == 2
    with pytest.raises(ProbespielError, match="holds an unfinished test of combinations: go on with --resume"):
        run_combine(settings, out)
    module.write_text(module.read_text() + "\n# a comment is no rule\n")
    with pytest.raises(CombineInterrupted):
        run_combine(settings, out, resume=True)
    module.write_text(module.read_text().replace("else result", "else -result"))
    with pytest.raises(ProbespielError, match="holds another test of combinations: the rules have changed since"):
        run_combine(settings, out, resume=True)
    assert {path: path.read_bytes() for path in out.rglob("*.npz")} == answers
    played.append(out)
    assert run_combine(settings, out, overwrite=True).complete
    with pytest.raises(ProbespielError, match="holds a finished test of combinations: tell it again with --resume"):
        run_combine(settings, out)


def test_hundredths_are_told_where_they_count() -> None:
    """By what results deviate by, in every number of a combination."""
    row = Pairing(("thorn",), "weaker", WORDS["weaker"], "small", around(0.0187), around(-0.1484))
    found = replace(made(False), pairings=(row,))
    wide, fine = (combination_lines(replace(found, deviation=deviation))[1] for deviation in (0.5, 0.3))
    assert (
        wide
        == "With thorn: weaker; having it is worth +0.02 (0.00 to +0.04) there, a change of −0.15 (−0.17 to −0.13)."
    )
    assert "+0.019 (−0.001 to +0.039) there, a change of −0.148 (−0.168 to −0.128)" in fine
    assert "handicap is smaller" in WORDS["weaker"] and "handicap is larger" in WORDS["stronger"]


def test_groups() -> None:
    assert groups_of(["a", "b", "c"], False) == [("a",), ("b",), ("c",)]
    assert groups_of(["a", "b", "c"], True)[3:] == [("a", "b"), ("a", "c"), ("b", "c")]


def made(pairs: bool) -> Combinations:
    rows = [
        Pairing(("thorn",), "cancels", WORDS["cancels"], "small", around(0.05), around(-0.25)),
        Pairing(
            ("rose & co",), "no interplay shown", WORDS["no interplay shown"], "strong", around(0.31), around(0.01)
        ),
        Pairing(("frost",), "refused", "modules <frost> and x do not go together"),
        Pairing(("moss",), "not measured", "the rules failed"),
    ]
    if pairs:
        rows.append(Pairing(("thorn", "frost"), "breaks", "a loop", replay="with/thorn_frost/replays/1.json"))
    alone = Pairing((), "strong", "", "strong", around(0.30), None, False)
    return Combinations("kuhn", "x.py", "plain", "quick", 1, "EP", alone, tuple(rows), 1.0, "0", True, "probespiel ...")


@pytest.mark.parametrize("pairs", [False, True])
def test_names_stand_at_their_cells(pairs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above its column and beside its row: the cell of one with itself, or in the only row, tells what it is worth."""
    texts: dict[str, list[tuple[float, float]]] = {}
    monkeypatch.setattr(Axes, "text", lambda axes, x, y, text, **_: texts.setdefault(text, []).append((x, y)))
    picture(made(pairs))
    names = ["thorn", "rose & co", "frost", "moss"]
    above = [min(texts[name], key=lambda at: at[1]) for name in names]
    assert above == [(k + 0.5, -0.1) for k in range(4)]
    if pairs:
        assert [min(texts[name]) for name in names] == [(-0.1, k + 0.5) for k in range(4)]
        assert texts["×"] == [(2.5, 0.5)], "thorn and frost together break"
    assert texts["+0.05"] == [(0.5, 0.5)] and texts["+0.31"] == [(1.5, 1.5 if pairs else 0.5)]


def test_what_is_exact_has_no_interval_on_the_page() -> None:
    """The worth and its change of one combination, and of no other."""
    found = made(False)
    first, *rest = found.pairings
    assert "(exact)" not in render(found)
    page = render(replace(found, pairings=(replace(first, exact=True), *rest)))
    assert page.count("+0.05 (exact)") == 2 and page.count("−0.25 (exact)") == 2, "in a sentence and in the table"


@pytest.mark.parametrize("pairs", [False, True])
def test_a_page(pairs: bool, tmp_path: Path) -> None:
    """Every combination is told, and drawn; the page is sound, and the record comes back as it was."""
    found = made(pairs)
    lines = combination_lines(found)
    assert lines[0].startswith("By itself: strong") and "With thorn: cancels" in lines[1]
    assert lines[-1] == f"No interplay shown in 1 of {len(found.pairings)} combinations."
    root = ET.fromstring(render(found).replace("<!DOCTYPE html>", ""))
    cells = {e.text for e in root.iter() if e.tag.endswith("text")}
    assert {"+0.05", "+0.31", "–", "?"} <= cells and ("×" in cells) == pairs
    page = write_combinations(tmp_path, found)
    held(f"combinations, pairs={pairs}", tmp_path / "combinations.json", page, hide=(tmp_path,))
    kept = read_combinations(tmp_path / "combinations.json")  # numbers of JSON are rounded
    assert_valid(tmp_path / "combinations.json")
    assert page.read_text(encoding="utf-8") == render(found) == render(kept)
    with pytest.raises(ProbespielError, match="no combinations"):
        read_combinations(page)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["stress", "ews_rps", "--module", "well", "--pairs"], "--combine"),
        (["stress", "ews_rps", "--module", "well", "--combine", "--against", "somewhere"], "--against"),
    ],
)
def test_bad_input(
    arguments: list[str], text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == 2
    assert text in capsys.readouterr().err


FEW = replace(
    BUDGETS["quick"], seeds=1, probe=30, learn_use=10, learn_free=10, learn_counter=10, prelude=4, choose=10,
    measure=20,
)  # fmt: skip


@pytest.mark.slow
def test_a_module_beside_all_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rock that beats rock in single rounds is worth 1/18 by itself, and beside all that leaves rounds as they are.

    Double stakes are an offer of their own; going on does nothing again.
    """
    monkeypatch.setitem(BUDGETS, "quick", FEW)
    monkeypatch.setattr(context, "fitted", lambda budget, *_: (budget, 1.0))
    config = {"max_rounds": 1, "contest_tie": "draw"}
    settings = Settings("ews_rps", str(PLANTED / "granite.py"), config=config, budget="quick")
    found = run_combine(settings, tmp_path, jobs=1)
    assert found.complete and {row.others[0] for row in found.pairings} >= {"well", "lizard_spock", "replay_draws"}
    assert found.alone.worth is not None and found.alone.exact
    assert found.alone.worth.value == pytest.approx(1 / 18, abs=1e-9)
    for row in found.pairings:
        assert row.word in WORDS and (row.worth is None or row.exact)
        if row.worth is not None and row.change is not None:
            assert row.change.value == pytest.approx(row.worth.value - 1 / 18, abs=1e-9)
    asked: list[str] = []
    workers = Workers.run

    def asking(self: Workers, jobs: Sequence[Job], idle: Callable[[], None]) -> Iterator[tuple[int, Any]]:
        asked.extend(job.kind for job in jobs)
        return workers(self, jobs, idle)

    monkeypatch.setattr(Workers, "run", asking)
    assert run_combine(settings, tmp_path, jobs=1, resume=True) == found and not asked
    with pytest.raises(ProbespielError, match="seed was 1, is now 2"):
        run_combine(replace(settings, seed=2), tmp_path, jobs=1, resume=True)


def test_what_becomes_overpowered_beside_others_dominates() -> None:
    """By the level that it had by itself."""
    assert judged(found_of(0.3), found_of(5.0)).word == "dominates"
    assert judged(found_of(4.0), found_of(5.0)).word == "stronger"


def test_a_change_that_just_counts_is_told() -> None:
    after = Interval(0.5, 0.5, 0.5)
    assert interplay(after, difference(after, Interval(0.25, 0.25, 0.25)), "strong", "strong", 0.25) == "stronger"
    assert interplay(after, after, "strong", "strong", 0.51) == "no interplay shown"


def test_what_breaks_with_the_module_and_without_it_breaks() -> None:
    """One of two faults is the module's own."""
    faults = (Fault("loop", "it goes round", NOBODY), Fault("loop", "and round", "A"))
    broken = replace(found_of(), breakage=Breakage(faults))
    assert judged(found_of(0.3), broken).word == "breaks"


def test_the_game_that_is_shown_is_one_in_which_somebody_alone_has_it() -> None:
    games: list[Any] = [SimpleNamespace(name=name, replay=f"{name}.json") for name in (NOBODY, EVERYBODY, "A")]
    assert judged(found_of(0.3), replace(found_of(0.5), games=tuple(games))).replay == "with/thorn/A.json"
    few = replace(found_of(0.5), games=tuple(games[:2]))
    assert judged(found_of(0.3), few).replay == f"with/thorn/{NOBODY}.json", "if there is one"


def test_every_fault_of_a_combination_is_told_in_german() -> None:
    """There may be several, between semicolons."""
    fault = "rule.py:13: module marks: hook 'taken' raised IndexError: index {} is out of bounds"
    told = sentence(Pairing(("thorn",), "breaks", f"{fault.format(57)}; {fault.format(58)}"))
    german = words("de")(told)
    assert german.count("Modul marks: Haken „taken“ brach ab mit IndexError: index 5") == 2 and "raised" not in german


def test_a_game_without_built_in_modules_has_nothing_to_combine(tmp_path: Path) -> None:
    with pytest.raises(ProbespielError, match=r"--combine: kuhn has no built-in modules .* nothing to combine with"):
        run_combine(Settings("kuhn", str(PLANTED / "jacks.py"), budget="quick"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_interrupted_test_by_itself_says_why_it_has_no_worth() -> None:
    """Before anything is known."""
    settings = Settings("konfrontation-clash", str(PLANTED / "zeal.py"), budget="quick")
    found = combined(settings, Bench(settings), {}, [("all_pay",)], False, "")
    assert combination_lines(found)[0] == "By itself: not measured (the test was interrupted)."
    assert combination_lines(found, "de")[0] == "Allein: nicht gemessen (die Prüfung wurde abgebrochen)."
