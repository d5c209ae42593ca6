"""Reports made again from their files: the same page, in German without an English sentence, and bad files refused."""

from __future__ import annotations

import dataclasses
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.app import against
from probespiel.app.cli import run
from probespiel.app.results import KINDS, opened
from probespiel.evaluation.report.phrases import Phrasebook, check
from probespiel.evaluation.report.wording import answer
from probespiel.evaluation.stress import combine_report, compare_report
from probespiel.evaluation.stress import report as stress_report
from probespiel.evaluation.stress import texts as stress_texts
from probespiel.evaluation.stress.compare import compare
from probespiel.evaluation.tournament import texts
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.examples import wishes_of
from probespiel.evaluation.tournament.report import read_summary, render_html, render_in, summary_json, write_report
from probespiel.evaluation.tournament.summary import Example, Summary
from probespiel.evaluation.tournament.terminal import leaderboard_text

from .synthetic import RPS, by_matrix, by_strength, change, hostile_report, info, tournament
from .test_combine import made
from .test_compare import findings

KEPT = Path(__file__).parent / "data" / "stress_report.json"
WORD = re.compile(r"[^\W\d_]{3,}")
# Words that are the same in German: titles of methods, names of options, what a command is called.
ALIKE = {"quick", "probespiel", "neutral", "python", "standard", "even_duel", "einblatt-duel", "mercy", "Ada", "Bea"}
CYCLE = np.array([[0.0, -1, 0.6], [1, 0, -0.4], [-0.6, 0.4, 0]])


def shown(page: str) -> set[str]:
    """The texts that a page shows, and those for screen readers; without commands, which are the same everywhere."""
    root = ET.fromstring(page.replace("<!DOCTYPE html>", ""))
    out: set[str] = set()

    def look(element: Any, code: bool) -> None:
        tag = element.tag.rpartition("}")[2]
        inside = code or tag in ("code", "style", "metadata")
        told = [] if inside else [element.text or ""]
        told += [value for name, value in element.attrib.items() if name in ("aria-label", "title")]
        out.update(text.strip() for text in told if text.strip())
        for child in element:
            look(child, inside)
            if not inside and (child.tail or "").strip():
                out.add((child.tail or "").strip())

    look(root, False)
    return out


def assert_all_german(english: str, german: str, t: Phrasebook, names: Sequence[str] = ()) -> None:
    """No sentence had no phrase, and what both pages show are names."""
    assert not t.missed, "without a phrase: " + "\n".join(t.missed)
    same = {text for text in shown(english) & shown(german) if WORD.search(text)}
    allowed = ALIKE | set(names)
    assert not (rest := {text for text in same if text not in allowed}), f"in both languages: {sorted(rest)}"


def few_blocks() -> Summary:
    return analyse(tournament(3, by_strength([1, 0, -1]), blocks=4), ["a1", "b2", "c3"], 1, resamples=20)


def separated() -> Summary:
    return analyse(tournament(3, by_matrix(np.array([[0.0, 2, 2], [-2, 0, 1], [-2, -1, 0]])), blocks=20),
                   ["a1", "b2", "c3"], 1, resamples=20)  # fmt: skip


def graded() -> Summary:
    """Often a little against seldom a lot: who wins most is not who earns most."""

    def play(a: int, b: int, rng: np.random.Generator, games: int) -> np.ndarray:  # fmt: skip
        sign = 1.0 if a < b else -1.0
        if {a, b} == {0, 1}:
            return sign * np.where(rng.random(games) < 0.8, 1.0, -9.0)
        return sign * np.where(rng.random(games) < 0.5, 1.0, -1.0) + 0.01 * rng.normal(size=games)

    return analyse(tournament(3, play, blocks=40), ["a1", "b2", "c3"], 1, resamples=50)


def forfeits() -> Summary:
    table = tournament(3, by_strength([0.5, 0, -0.5]), blocks=30)
    lost = np.zeros(table.num_rows)
    lost[:12] = [1, 2, 3] * 4
    return analyse(change(table, forfeit=lost), ["a1", "b2", "c3"], 1, resamples=30)


def cyclic() -> Summary:
    return analyse(tournament(3, by_matrix(CYCLE, 0.2), blocks=30), ["a1", "b2", "c3"], 1, resamples=20)


def circle() -> Summary:
    return analyse(tournament(3, by_matrix(RPS, 0.1), blocks=30), ["a1", "b2", "c3"], 1, resamples=20)


def equal() -> Summary:
    return analyse(tournament(2, by_matrix(np.zeros((2, 2)), 1.0), blocks=20), ["a1", "b2"], 1, resamples=0)


def seven() -> Summary:
    theta = [0.9, 0.6, 0.3, 0.0, -0.3, -0.6, -0.9]
    return analyse(tournament(7, by_strength(theta), blocks=30), [f"s{k}" for k in range(7)], 1, resamples=20)


QUICK = [graded]
SUMMARIES = [*QUICK, *(pytest.param(make, marks=pytest.mark.slow) for make in
                       (few_blocks, separated, forfeits, cyclic, circle, equal, seven))]  # fmt: skip


@pytest.mark.parametrize("make", SUMMARIES)
def test_a_tournament_in_german(make: Callable[[], Summary]) -> None:
    """From its file alone: the same page in English, and in German no English sentence."""
    summary = make()
    shown_by = [
        Example(w.kind, w.first, w.second, 7 + k, 0, (1.0, -0.5), 3, 9) for k, w in enumerate(wishes_of(summary))
    ]
    run_info = info(
        examples=shown_by, trust=True,
        focus=summary.names[1:2], payoff_unit="EP", parameters={"games of each pairing": 10, "modules": "none"},
        notes=["Interrupted: 3 of 9 blocks were finished."], descriptions={summary.names[0]: "plays what it likes"},
        seat_names=["first", "game master"], scenario="plain",
        german={"game master": "Spielleitung", "plays what it likes": "spielt, was es will"},
    )  # fmt: skip
    kept, told = read_summary(json.loads(summary_json(summary, run_info)))
    english, t = render_html(kept, told), texts.words("de")
    assert english == render_html(summary, run_info)
    german = render_in(kept, told, t)
    assert 'lang="de"' in german and "plays what it likes" in english and "plays what it likes" not in german
    assert "spielt, was es will" in german
    names = {*summary.names, "A duel", "test-duel", "plain", "abc", "EP"}
    assert_all_german(english, german, t, sorted(names))
    assert ("game master" in english, "Spielleitung" in english) == (True, False)
    assert ("game master" in german, "Spielleitung" in german) == (False, True)
    text = leaderboard_text(kept, focus=told.focus, unit="EP", lang="de")
    assert "Strategie" in text and " a game" not in text and " je Spiel" in text


def test_what_a_tournament_that_stops_found_is_told_in_german() -> None:
    t = texts.words("de")
    told = t(
        "With 95% certainty, however often one looked: a earns more than b and c; b and c are within 0.02 (after 96 of "
        "at most 100 blocks). The goal was not reached; the games left would probably not have told."
    )
    assert told == (
        "Mit 95\u00a0% Sicherheit, wie oft man auch hinsah: a holt mehr als b und c; b und c liegen höchstens 0,02 "
        "auseinander (nach 96 von höchstens 100 Blöcken). Das Ziel wurde nicht erreicht; die restlichen Spiele hätten "
        "es wohl nicht verraten."
    )
    assert not t.missed and t("Something new.") == "Something new." and list(t.missed) == ["Something new."]


def test_names_stay_names_in_german() -> None:
    """Hostile names pass through the phrases as text."""
    summary, run_info = hostile_report()
    page = render_html(summary, run_info, "de")
    assert "<script" not in page and "<img" not in page
    ET.fromstring(page.replace("<!DOCTYPE html>", ""))


def test_why_rating_and_equilibrium_differ_is_said() -> None:
    """Who comes first by wins and is no part of the equilibrium is named, with the reason."""
    summary = graded()
    first = min(summary.leaderboard, key=lambda row: row.wins_rank)
    assert first.rank != 1 and summary.metagame is not None and summary.metagame.nash[first.agent] < 0.005
    (told,) = [line for line in answer(summary) if "equilibrium" in line]
    assert f"{first.name}, which comes first by wins, has no weight in it, because" in told


def test_claims_link_to_their_numbers() -> None:
    """Every sentence of the answer leads to an element of the page."""
    for make in (graded, equal):
        summary = make()
        games = [
            Example(w.kind, w.first, w.second, 7 + k, 0, (1.0, -0.5), 3, 9)
            for k, w in enumerate(wishes_of(summary, ["b2"]))
        ]
        page = render_html(summary, info(focus=["b2"], examples=games))
        anchors = re.findall(r'class="numbers" href="#([\w-]+)"', page)
        assert anchors and all(page.count(f'id="{anchor}"') == 1 for anchor in anchors)
        linked = {anchor for anchor in anchors if anchor.startswith("game-")}
        assert linked == {f"game-{example.game}" for example in games}, "every game is linked by a claim"
        assert page.count("probespiel replay . --game ") == len(games)


def test_a_stress_report_in_german(tmp_path: Path) -> None:
    found = stress_report.read_report(KEPT)
    t = stress_texts.words("de")
    english, german = stress_report.render(found), stress_report.render_in(found, t)
    names = {s.name for game in (found.dominance.nobody, found.dominance.everybody) for s in game.strategies} if (
        found.dominance
    ) else set()  # fmt: skip
    actions = {line.action for line in found.use.lines} if found.use else set()
    leaves = found.use.worth.leaves if found.use and found.use.worth else ()
    older = {leaf.where for leaf in leaves if not leaf.german}  # kept before situations were told in both languages
    assert_all_german(english, german, t, sorted(names | actions | older))
    page = tmp_path / "page.html"
    assert run(["report", str(KEPT), "--lang", "de", "--out", str(page)]) == 0
    assert page.read_text(encoding="utf-8") == german


def test_every_verdict_has_german_words() -> None:
    """What thresholds, verdicts and next steps say is in the tables, whatever a test finds."""
    from probespiel.evaluation.stress.advice import FIGURE_STEPS, GAME_STEPS, PASSIVE_STEPS
    from probespiel.evaluation.stress.breakage import DOINGS, TEXTS
    from probespiel.evaluation.stress.combine import WORDS
    from probespiel.evaluation.stress.compare import FIGURES
    from probespiel.evaluation.stress.game_verdict import DIRECTIONS, GAME_VERDICTS
    from probespiel.evaluation.stress.levels import WAYS
    from probespiel.evaluation.stress.report import LEADS
    from probespiel.evaluation.stress.verdict import VERDICTS
    from probespiel.evaluation.stress.words import BROKEN, MISSING, QUESTIONS

    t = stress_texts.words("de")
    pairs = [VERDICTS, GAME_VERDICTS, WORDS, LEADS]
    said = [text for table in pairs for pair in table.items() for text in pair]
    said += [*FIGURE_STEPS.values(), *GAME_STEPS.values(), *PASSIVE_STEPS.values()]
    said += [*QUESTIONS.values(), *WAYS.values(), *DOINGS.values()]
    said += [text for pair in DIRECTIONS.values() for text in pair] + [*DIRECTIONS, *FIGURES, BROKEN, MISSING]
    said += [figure.what for figure in FIGURES.values()]
    said += [text.format(length=12, cycle=3) for text in TEXTS.values()]
    t.all(said)
    assert not t.missed, list(t.missed)


def test_combinations_and_comparisons_in_german() -> None:
    t = stress_texts.words("de")
    for pairs in (False, True):
        found = made(pairs)
        german = combine_report.render_in(found, t)
        names = {
            "kuhn",
            "plain",
            "thorn",
            "frost",
            "moss",
            "rose & co",
            "the rules failed",
            "a loop",
            "modules <frost> and x do not go together",
        }
        assert_all_german(combine_report.render(found), german, t, sorted(names))
    versions = compare([("old", findings(0.1)), ("new", findings(0.6))])
    versions = dataclasses.replace(
        versions, versions=tuple(dataclasses.replace(v, why=(), game_why=()) for v in versions.versions)
    )
    german = compare_report.render_in(versions, t)
    assert_all_german(compare_report.render(versions), german, t, ["kuhn", "rule.py", "old", "new", "old / new"])


def test_both_languages_name_the_same_parts() -> None:
    for table in (*texts.GERMAN, *stress_texts.GERMAN):
        check(table)
    with pytest.raises(ValueError, match="have other parts"):
        check({"{a} wins": "{b} gewinnt"})


# Files that are refused


def test_what_is_no_result_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each with its reason in one line, and nothing is written."""
    whole = summary_json(few_blocks(), info())
    content = json.loads(whole)
    cases = {
        "empty": ("", "damaged, or no result"),
        "cut": (whole[:500], "damaged, or no result"),
        "list": ("[1]", "its JSON is no object"),
        "other": ('{"a": 1}', 'its "format" is None'),
        "unknown": ('{"format": "probespiel-poem/1"}', "no result (poem)"),
        "newer": (json.dumps({**content, "format": "probespiel-summary/99"}), "newer probespiel"),
        "older": (json.dumps({**content, "format": "probespiel-stress-report/1"}), "older probespiel"),
        "hollow": (json.dumps({**content, "summary": {}}), "kept less"),
        "wrong": (json.dumps({**content, "summary": {**content["summary"], "names": 3}}), "not a list"),
        "short": (json.dumps({**content, "summary": {**content["summary"], "matrix": []}}), "rows and columns"),
        "lost": (json.dumps({**content, "summary": {**content["summary"], "tied_with_best": [7]}}), "does not exist"),
    }
    for name, (text, words) in cases.items():
        path = tmp_path / f"{name}.json"
        path.write_text(text, encoding="utf-8")
        assert run(["report", str(path)]) == 2, name
        told = capsys.readouterr().err
        assert words in told and "Traceback" not in told and told.count("\n") == 1, (name, told)
    assert run(["report", str(tmp_path)]) == 2 and "holds no result" in capsys.readouterr().err
    assert run(["report", str(tmp_path / "nowhere")]) == 2 and "does not exist" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.html"))


@pytest.mark.slow
def test_damage_at_random_is_no_traceback(tmp_path: Path) -> None:
    """Values replaced by others anywhere in a file: a page, or a refusal."""
    rng = np.random.default_rng(5)
    texts_of = [summary_json(few_blocks(), info()), KEPT.read_text(encoding="utf-8")]
    odd: list[Any] = [None, -1, 10**9, "x", [], {}, True, 0.5]
    path = tmp_path / "damaged.json"
    codes = set()
    for number in range(24):
        content = json.loads(texts_of[number % 2])
        for _ in range(2):
            _spoil(content, rng, odd[int(rng.integers(len(odd)))])
        path.write_text(json.dumps(content), encoding="utf-8")
        codes.add(run(["report", str(path)]))
    assert codes == {0, 2}


def _spoil(content: Any, rng: np.random.Generator, value: Any) -> None:
    """Replace a value somewhere within."""
    while True:
        keys = list(content) if isinstance(content, dict) else list(range(len(content)))
        key = keys[int(rng.integers(len(keys)))]
        inner = content[key]
        if not isinstance(inner, dict | list) or not inner or rng.random() < 0.1:
            content[key] = value
            return
        content = inner


def test_the_page_stands_beside_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_report(tmp_path, few_blocks(), info())
    before = (tmp_path / "report.html").read_bytes()
    assert run(["report", str(tmp_path)]) == 0 and run(["report", str(tmp_path), "--lang", "de"]) == 0
    told = capsys.readouterr().out
    assert "Report:" in told and "Bericht:" in told
    assert (tmp_path / "report.html").read_bytes() == before
    assert "Rangliste" in (tmp_path / "report.de.html").read_text(encoding="utf-8")
    assert run(["report", str(tmp_path), "--out", str(tmp_path / "summary.json")]) == 2
    capsys.readouterr()
    (tmp_path / "tournament.json").write_text('{"mine": 1}')
    for more in ([], ["--against", str(tmp_path)]):
        assert run(["report", str(tmp_path), "--out", str(tmp_path / "tournament.json"), *more]) == 2
        assert "tournament.json exists and is no page: choose another name" in capsys.readouterr().err
    assert (tmp_path / "tournament.json").read_text() == '{"mine": 1}'
    assert run(["report", str(tmp_path), "--out", str(tmp_path / "report.html")]) == 0
    assert opened(tmp_path).kind is KINDS["summary"]


# Two tournaments


def _kept(folder: Path, theta: Sequence[float], seed: int, names: Sequence[str] = ("a1", "b2", "c3")) -> Path:
    table = tournament(len(theta), by_strength(theta), blocks=60, seed=seed)
    write_report(folder, analyse(table, list(names), seed, resamples=40), info())
    return folder / "summary.json"


@pytest.mark.slow
def test_equal_tournaments_differ_by_chance_alone(tmp_path: Path) -> None:
    """Ten pairs of tournaments of the same strategies: hardly any difference is called more than chance."""
    false = 0
    for k in range(10):
        old, new = (_kept(tmp_path / f"{k}{half}", [0.4, 0, -0.4], 10 * k + half) for half in (0, 1))
        found = against.compared(old, new)
        assert len(found.ratings) == 3 and len(found.pairs) == 3 and found.compared == 6
        false += any(row.change is not None and row.change.beyond for row in (*found.ratings, *found.pairs))
    assert false <= 2


def test_what_changed_is_told(tmp_path: Path) -> None:
    """The strongest becomes the weakest: ratings, pairs, the first place and the equilibrium change beyond chance."""
    old, new = _kept(tmp_path / "old", [1.5, 0, -1.5], 1), _kept(tmp_path / "new", [-1.5, 0, 1.5], 2)
    found = against.compared(old, new)
    told = "\n".join(against.lines(found))
    assert "a1 came first before, c3 comes first now. That is more than chance" in told
    assert all(row.change is not None and row.change.beyond == (row.name != "b2") for row in found.ratings)
    assert "Changed beyond chance: rating of a1 +" in told and "Changed beyond chance: a1 against c3 +" in told
    assert "It was shown before that nothing dominates a1; now it is shown to be dominated." in told
    assert "The weight of c3 in the equilibrium changed beyond chance: 0% → 100%." in told
    t = texts.words("de")
    names = [
        "a1",
        "b2",
        "c3",
        "a1 – b2",
        "a1 – c3",
        "b2 – c3",
        "1. a1",
        "1. c3",
        "abc",
        "c3 – b2",
        "c3 – a1",
        "b2 – a1",
    ]
    assert_all_german(against.render(found), against.render_in(found, t), t, names)
    assert t.all(told.text for told in found.told) and not t.missed


def test_other_fields_and_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ratings of other fields are not compared; tournaments of other games, and what is none, are refused."""
    old = _kept(tmp_path / "old", [0.4, 0, -0.4], 1)
    new = _kept(tmp_path / "new", [0.4, 0, -0.4], 2, ("a1", "b2", "d4"))
    found = against.compared(old, new)
    assert all(row.change is None for row in found.ratings) and len(found.pairs) == 1
    assert "The fields differ" in "\n".join(found.notes)
    assert run(["report", str(new), "--against", str(old), "--lang", "de"]) == 0
    assert "Die Felder sind verschieden" in capsys.readouterr().out and (new.parent / "against.de.html").exists()
    write_report(tmp_path / "other", few_blocks(), info(game="another"))
    assert run(["report", str(new), "--against", str(tmp_path / "other")]) == 2
    assert run(["report", str(new), "--against", str(KEPT)]) == 2
    assert "of another kind (stress test)" in capsys.readouterr().err
