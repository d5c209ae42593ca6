"""A report in German: names of actions, counters and questions that modules give, and lists with numbers."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from probespiel.envs.core.registry import system_of
from probespiel.evaluation.balance.run import STEPS as SEARCH
from probespiel.evaluation.report.phrases import Phrasebook
from probespiel.evaluation.stress.conditions import Bench, Settings
from probespiel.evaluation.stress.context import STEPS
from probespiel.evaluation.stress.findings import (
    ActionLine,
    Breakage,
    Choice,
    Dominance,
    Exploit,
    Fault,
    Findings,
    Place,
    Sample,
    Shown,
    Situation,
    Stake,
    Use,
    UseWorth,
    Ways,
)  # fmt: skip
from probespiel.evaluation.stress.forecast import Forecast
from probespiel.evaluation.stress.game_verdict import game_verdict_of
from probespiel.evaluation.stress.naming import german_of, questions_of, used_of
from probespiel.evaluation.stress.progress import INTERPRETED, watcher
from probespiel.evaluation.stress.progress import words as progress_words
from probespiel.evaluation.stress.report import german_glossary_of, read_report, render, report_json
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.verdict import verdict_of
from probespiel.evaluation.stress.words import answers, summary_lines

from .lab_findings import STILL, findings
from .test_sentences import matrix

PATRONS = str(Path(__file__).parent / "planted" / "patrons.py")
NAMES = {"call spirit 1 (patrons)": "Geist 1 rufen (patrons)", "call nobody (patrons)": "niemanden rufen (patrons)",
         "which spirit?": "welcher Geist?"}  # fmt: skip


def reported() -> Findings:
    """Findings of the planted module, in which one of its three spirits and nobody are told of."""
    bench = Bench(Settings("einblatt-duel", PATRONS))
    spec = bench.spec(bench.everybody())
    stake = Stake("patrons", 100, 1.2, 0.1, 0.0, 0.02)
    both = tuple(Choice("patrons", f"call spirit {i} (patrons)", 50, 0.5, 0.02, 0.02) for i in (1, 1))
    lines = (ActionLine("call nobody (patrons)", 900, 0.1, 0.01, -0.8, 0.01, True),
             ActionLine("call spirit 1 (patrons)", 900, 0.9, 0.01, 0.0, 0.01))  # fmt: skip
    use = Use(2, opportunities=500, rate=0.8, error=0.01, worth=UseWorth(500, 300, 0.3, 0.01, 1.0, 0.5, 0.1),
              ways=(Ways(0.8, stake, both),), lines=lines)  # fmt: skip
    made = findings(STILL, use=use)
    made = replace(made, verdict=verdict_of(made), game_verdict=game_verdict_of(made))
    made = replace(made, questions=used_of(questions_of(spec), report_json(made)))
    made = replace(made, verdict=verdict_of(made), game_verdict=game_verdict_of(made))
    return replace(made, german=german_of(spec, report_json(made), {}))


@pytest.mark.parametrize(
    ("name", "german"),
    [
        ("learned where nobody has it (1), never uses it", "gelernt, wo niemand es hat (1), nutzt es nie"),
        ("counters the others as A where only B has it, round 2, always uses it",
         "kontert die anderen als A, wo nur B es hat, Runde 2, nutzt es immer"),
        ("counters the others where everybody has it, round 2", "kontert die anderen, wo alle es haben, Runde 2"),
        ("counters the others where only B has it", "kontert die anderen, wo nur B es hat"),
        ("best response without it (2), tosses a coin", "beste Antwort ohne es (2), wirft eine Münze"),
        ("hunter, uses it blindly", "hunter, nutzt es blind"),
        ("counters the others as A where nobody has it, uses it when it pays (1)",
         "kontert die anderen als A, wo niemand es hat, nutzt es, wenn es sich lohnt (1)"),
    ],
)  # fmt: skip
def test_names_of_strategies_are_told_whole(name: str, german: str) -> None:
    """However long they are; and what stands before a way of using a module is told in German, too."""
    target = {"learned where everybody has it": 0.4, name: 0.3, "keeper": 0.3}
    row = Exploit("A", name, target, 0.1, 0.0, Sample(0.1, 0.05, 0.15, 9), Shown(False))
    told = answers(replace(findings(STILL), exploit=(row,)))["exploit"][0]
    assert told.count(name) == 2 and f"(gelernt, wo alle es haben, {german} und keeper)" in words("de")(told)
    assert f"Spielweise „{german}“, bekommt" in words("de")(told)


def test_names_that_modules_give_are_kept_with_the_report() -> None:
    """Those that stand in it alone, of actions with an amount each; they are read again from the file."""
    made = reported()
    assert made.german == NAMES and made.questions == {"patrons": "which spirit?"}
    assert Findings.from_json(json.loads(json.dumps(made.to_json()))).german == NAMES


def test_a_report_uses_the_names_of_its_language(tmp_path: Path) -> None:
    made = reported()
    file = tmp_path / "report.json"
    file.write_text(report_json(made), encoding="utf-8")
    made = read_report(file)
    english, german = render(made), render(made, "de")
    for name, other in NAMES.items():
        assert name in english and other not in english
        assert other in german and name not in german, name
    assert any("auf die Frage „welcher Geist?“" in line for line in summary_lines(made, "de"))
    assert any("when asked “which spirit?”" in line for line in summary_lines(made))


def test_heuristics_are_explained_in_the_language_of_the_report() -> None:
    """A German page had no word on them."""
    said = {"honest": "an equilibrium: the first seat never bluffs", "learned": "by itself"}
    made = replace(findings(STILL), game="kuhn", glossary=said)
    assert german_glossary_of(made) == {said["honest"]: "ein Gleichgewicht: der Erste blufft nie"}
    made = replace(
        reported(), glossary=said, dominance=Dominance(matrix(0.0), matrix(0.0)), german=german_glossary_of(made)
    )
    english, german = render(made), render(made, "de")
    assert said["honest"] in english and said["honest"] not in german and said["learned"] not in german
    assert "ein Gleichgewicht: der Erste blufft nie" in german


def test_counters_and_rules_have_german_names() -> None:
    """A counter of a module, and an action of the rules themselves; phases without a question keep their names."""
    focus = Path(__file__).parent.parent / "examples" / "modules" / "focus.py"
    bench = Bench(Settings("einblatt-duel", str(focus)))
    spec = bench.spec(bench.everybody())
    counter = next(tally for tally in spec.tallies if tally.field.startswith("focus_"))
    assert german_of(spec, json.dumps(counter.texts["en"]), {})[counter.texts["en"]] == counter.texts["de"]
    plain = system_of("einblatt-duel").spec("einblatt-duel", None, {}, {})
    skirmish = system_of("oneshot-skirmish").spec("oneshot-skirmish", None, {}, {})
    assert german_of(skirmish, '"red fighter"', {})["red fighter"] == "Kämpfer Rot"
    assert (
        german_of(plain, '"pass"', {})["pass"] == "passen" and questions_of(plain)["commit"] == "choose your round card"
    )
    assert findings(STILL).asked("before_commit") == "for before_commit"


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("fire +0.12 EP (± 0.03) and water 0.00", "Feuer +0,12 EP (± 0,03) und Wasser 0,00"),
        ("fire −0.30 (−0.41 to −0.20)", "Feuer −0,30 (−0,41 bis −0,20)"),
        ("fire 60% and water 40%", "Feuer 60\u00a0% und Wasser 40\u00a0%"),
        ("46%, 49%", "46\u00a0%, 49\u00a0%"),
        ("water", "Wasser"),
        ("hunter, fire and 3 others", "hunter, Feuer und 3 andere"),
        ("best3_shuffled", "best3_shuffled"),
    ],
)  # fmt: skip
def test_lists_with_numbers_behind_their_names(english: str, german: str) -> None:
    t = Phrasebook("de", [{"told: {x:l}": "gesagt: {x}"}], {"fire": "Feuer", "water": "Wasser"})
    assert t(f"told: {english}") == f"gesagt: {german}"


def test_titles_that_are_no_questions_end_with_a_colon() -> None:
    titles = [line for line in summary_lines(reported()) if re.match(r"The exploit|A game that it decides", line)]
    assert len(titles) == 2 and all(re.match(r"[\w ]+: ", line) for line in titles)


def test_an_interval_has_a_real_minus_sign_and_no_negative_nothing() -> None:
    made = reported()
    assert made.worth is not None
    worth = replace(made.worth, overall=replace(made.worth.overall, value=0.01, low=-0.001, high=0.021))
    told = " ".join(verdict_of(replace(made, worth=worth)).why)
    assert "-0.00" not in told and "+0.01 (0.00 to +0.02)" in told


def test_situations_are_told_whole_in_a_list() -> None:
    """However many limits they have; what a use gains there stands behind, as the language writes it."""
    first, second = "cards ≥ 10 and it is round 2", "debt ≤ −2.25, own and other, and cards ≤ 9"
    names = {first: "Karten ≥ 10 und es läuft Runde 2", second: "Schuld ≤ −2,25, beide, und Karten ≤ 9"}
    told = words("de", names)(
        f"It is used in 12% of the chances: it clearly pays where {first} (+1.25 EP) and {second} (+0.50 EP)."
    )
    assert told == (
        f"Es wird bei 12\u00a0% der Gelegenheiten genutzt: es lohnt sich klar hier: {names[first]} (+1,25 EP) und "
        f"{names[second]} (+0,50 EP)."
    )
    leaves = (Place(first, 0.25, 1.25, 0.1, 60, names[first]), Place("always", 0.75, -0.5, 0.1, 60, "immer"))
    made = reported()
    asked = (Situation("patrons", "level", 100, 0.5, 0.1),)
    use = replace(
        made.use or Use(0), situations=asked, worth=UseWorth(500, 300, 0.3, 0.01, 1.0, 0.5, 0.1, leaves=leaves)
    )
    made = replace(made, use=use, german={**made.german, first: names[first]})
    german, english = (render(made, lang) for lang in ("de", "en"))
    assert names[first] in german and first not in german and first in english
    assert ">immer</td>" in german and ">always</td>" in english


@pytest.mark.parametrize(
    ("where", "english", "german"),
    [
        ("nobody", "nobody has it", "niemand es hat"),
        ("only A", "only A has it", "nur A es hat"),
        ("only A, -2 for B", "only A has it, with −2 at the start for B", "nur A es hat, mit −2 zu Beginn für B"),
        ("everybody, +2 for A, mirrored", "everybody has it, with seats exchanged, with +2 at the start for A",
         "alle es haben, mit getauschten Plätzen, mit +2 zu Beginn für A"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("/x.py:1: module y: hook 'payoff' moved a payoff by -inf, payoff_shift is 1.0, while payoffs were worked out",
         "/x.py:1: Modul y: Haken „payoff“ verschob eine Auszahlung um -inf, payoff_shift ist 1,0, während "
         "Auszahlungen berechnet wurden"),
        ("a text. of nobody", "a text. of nobody"),
    ],
)  # fmt: skip
def test_where_it_breaks_is_told_in_german(where: str, english: str, german: str, text: str, told: str) -> None:
    """Whoever has it, with handicaps, and whatever is said of it."""
    faults = (Fault("crash", text, where, 3, 3000, 9), Fault("hang", text, where))
    lines = answers(replace(findings(STILL), breakage=Breakage(faults)))["breakage"]
    assert lines == [f"When {english}, in 3 of 3,000 games: {text}.", f"When {english}: {text}."]
    assert words("de").all(lines) == [f"Wenn {german}, in 3 von 3.000 Spielen: {told}.", f"Wenn {german}: {told}."]


@pytest.mark.parametrize("terminal", [False, True])
def test_progress_is_told_in_german(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step of a test and of a search for balance, the time left, and what the whole will take."""
    monkeypatch.setenv("COLUMNS", "200")
    for steps in ({step: title for step, (_, title) in STEPS.items()}, SEARCH):
        stream = io.StringIO()
        monkeypatch.setattr(stream, "isatty", lambda: terminal)
        told = watcher("de", stream)
        told.start(dict.fromkeys(steps, 1.0), steps)
        told.measure(INTERPRETED)
        told.plan(dict.fromkeys(steps, 9000.0), Forecast({}, {"quick": 45.0, "deep": 9000.0}, {}).told("quick", 2))
        for step in steps:
            told.begin(step)
        if terminal:
            told.stop()
        shown = stream.getvalue()
        assert "Die Regeln laufen interpretiert, einige hundertmal so langsam wie übersetzte" in shown
        assert "Das dauert etwa 45 s mit 2 Prozessen (--budget deep 2,5 h)." in shown and "left" not in shown
        last = list(steps.values())[-1]
        assert last not in shown and progress_words("de")(last) in shown
        assert "noch " in shown
        if not terminal:
            for _ in range(40):  # by the clock a line may be a new one, but seldom
                told.begin(list(steps)[-1])
            assert stream.getvalue().count("\n") < shown.count("\n") + 5
        for title in steps.values():
            german = progress_words("de")(title)
            assert german != title and (terminal or german in shown)
    alone = Forecast({}, {"quick": 45.0, "deep": 9000.0}, {}).told("deep", 1)
    assert progress_words("de")(alone) == "Das dauert etwa 2,5 h mit 1 Prozess (--budget quick 45 s)."
    assert watcher("en", io.StringIO()) and progress_words("en")(alone) == alone


@pytest.mark.parametrize(
    ("exact", "width", "english", "german"),
    [
        (True, 0.0, "(exact), a game (the games were solved).", "(exakt) je Spiel (die Spiele wurden gelöst)."),
        (False, 0.0, "(the same every time), a game (1", "(jedes Mal dasselbe) je Spiel (1"),
        (False, 0.1, "+0.20 EP (+0.10 to +0.30)", "+0,20 EP (+0,10 bis +0,30)"),
    ],
)
def test_what_a_rule_of_the_table_changes_is_told_whole(exact: bool, width: float, english: str, german: str) -> None:
    """Solved games were not played, and what is the same in every game has no interval."""
    made = findings(STILL, worth=0.2, whole_table=True)
    assert made.worth is not None
    worth = Sample(0.2, 0.2 - width, 0.2 + width, 1000)
    sides = tuple(
        replace(side, by_amount=tuple(replace(row, worth=worth) for row in side.by_amount)) for side in made.worth.sides
    )
    made = replace(made, worth=replace(made.worth, exact=exact, sides=sides, overall=worth))
    (line,) = [line for line in answers(made)["worth"] if "By its being there" in line]
    assert english in line and german in words("de")(line)
