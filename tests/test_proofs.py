"""Every claim in words links to its numbers and to a game that shows it, on every kind of page, in both languages."""

from __future__ import annotations

import dataclasses
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from probespiel.app import against, side_by_side
from probespiel.app.results import opened
from probespiel.evaluation.balance import report as balance_report
from probespiel.evaluation.exploit import report as exploit_report
from probespiel.evaluation.exploit.records import Exploited, Figure
from probespiel.evaluation.exploit.records import Side as Answer
from probespiel.evaluation.report import trained
from probespiel.evaluation.report.proof import links
from probespiel.evaluation.stress import building, combine_report, compare_report, plots, run
from probespiel.evaluation.stress import report as stress_report
from probespiel.evaluation.stress.compare import compare
from probespiel.evaluation.stress.exact import unsolved
from probespiel.evaluation.stress.findings import (
    Breakage,
    Fault,
    Findings,
    Oversight,
    Sample,
    SampleGame,
    Sizes,
    Typical,
    Verdict,
)
from probespiel.evaluation.stress.proof import games_of, scope, section_of_note
from probespiel.evaluation.stress.workers import Failed
from probespiel.evaluation.tournament.examples import wishes_of
from probespiel.evaluation.tournament.report import render_html, write_report
from probespiel.evaluation.tournament.summary import Decision, Example, Interval, JointRating, JointRatings, Summary

from .drawn_once import draw_once
from .synthetic import info
from .test_balance_german import told_balance
from .test_combine import made
from .test_compare import findings
from .test_reports import KEPT, circle, cyclic, equal, graded, separated
from .test_trained import FOUND

# Paragraphs and items that claim nothing about the strategies or rules: how it was measured or is to be read, advice,
# the moves of a game, commands.
NO_CLAIMS = {"kicker", "intro", "note", "next", "command", "moves", "comment", "method"}


@pytest.fixture(scope="module", autouse=True)
def pictures() -> Iterator[None]:
    """Pages of one rule test differ in words alone, and no link is in a picture."""
    with pytest.MonkeyPatch.context() as patch:
        draw_once(patch, plots, "worth_plot", "ladder_plot")
        yield


def claims(root: ET.Element, within: frozenset[str] = frozenset()) -> Iterator[ET.Element]:
    """All paragraphs and items of lists of a page that are claims."""
    for element in root:
        classes = within | set(element.get("class", "").split())
        tag = element.tag.rpartition("}")[2]
        if tag in ("p", "li") and not classes & NO_CLAIMS:
            yield element
        yield from claims(element, classes)


def text_of(element: ET.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def unproved(page: str) -> tuple[list[str], list[str], int]:
    """Claims without a link to numbers, claims without one to a game, and how many claims there are.

    Warnings tell how much the numbers are worth, which no game shows.
    """
    root = ET.fromstring(page.replace("<!DOCTYPE html>", ""))
    targets: dict[str, ET.Element] = {}
    for element in root.iter():
        name = element.get("id", "")
        if name and "svg" not in element.tag:  # pictures have ids of their own
            assert name not in targets, f"two elements have the id {name}"
            targets[name] = element
    numberless, gameless, count = [], [], 0
    for claim in claims(root):
        count += 1
        linked = [a.get("href", "") for a in claim.iter() if a.tag.endswith("}a")]
        for href in linked:
            assert href[1:] in targets, f"{text_of(claim)!r} links to {href}, which is not there"
        found = [targets[href[1:]] for href in linked]
        codes = [
            "".join(code.itertext()) for target in found for code in target.iter() if code.tag.endswith("}code")
        ]  # fmt: skip
        shows = [code for code in codes if re.match(r"probespiel (replay|ladder \S+ replay)", code)]
        if not any(re.search(r"\d", "".join(target.itertext())) and target is not claim for target in found):
            numberless.append(text_of(claim))
        if not shows and "warning" not in claim.get("class", ""):
            gameless.append(text_of(claim))
    return numberless, gameless, count


def with_games(make: Callable[[], Summary], **more: object) -> tuple[Summary, dict[str, object]]:
    summary = make()
    found = [Example(w.kind, w.first, w.second, 7 + k, 0, (1.0, -0.5), 3, 9) for k, w in enumerate(wishes_of(summary))]
    return summary, {"examples": found, **more}


def decided(summary: Summary) -> Summary:
    pairs = ((0, 1), (0, 2), (1, 2))
    told = Decision(
        "ranking", True, 20, 30, 0.95, 0.0, pairs, (0.5, 0.25, -0.5), (1.5, 2.0, 0.5), (40, 40, 60), "It is known."
    )
    return dataclasses.replace(summary, decision=told)


def tournaments(lang: str) -> Iterator[str]:
    for make in (graded, equal, circle, cyclic, separated):
        summary, more = with_games(make)
        yield render_html(summary, info(**more), lang)
    summary, more = with_games(lambda: decided(circle()))
    assert summary.decision is not None
    span = Interval(-0.5, 0.0)
    rows = tuple(JointRating(name, -0.25, span, 0.5, Interval(0.1, 0.9)) for name in summary.names)
    notes = [summary.decision.text, "A point of armour is worth +0.1000 a game to a1 (+0.05 to +0.15; 3 against 2)."]
    joint = JointRatings(9, 50, rows, "joint-game.json")
    yield render_html(summary, info(**more, notes=notes, joint=joint), lang)


def exploits(lang: str) -> Iterator[str]:
    sides = tuple(
        Answer(name, "bluffer", Figure(0.25, 0.2, 0.3), None, (("bluffer", 0.2),)) for name in ("first", "second")
    )
    for method, low in (("exact", 0.25), ("learned", 0.2), ("learned", 0.0)):
        bound = Figure(0.25, low, 0.25 if method == "exact" else 0.3)
        found = Exploited("kuhn", "standard", "honest", method, bound, sides, 10, 10, 1.0, 1, replay="replay.json")
        yield exploit_report.render(found, lang)


def trainings(lang: str) -> Iterator[str]:
    results = tuple(dataclasses.replace(r, replay=f"replay-{k}.json") for k, r in enumerate(FOUND.results, 1))
    trials = (trained.Trial(7, "a.safetensors", 0.25, True), trained.Trial(8, "b.safetensors", 0.125, False))
    for found in (
        dataclasses.replace(FOUND, results=results),
        dataclasses.replace(FOUND, results=results, trials=trials),
    ):
        yield trained.render(found, lang)


GAMES = tuple(
    Typical(name, 3, 0.5, f"replays/typical-{k}.json")
    for k, name in enumerate(("everybody", "nobody", "only Ada", "only Bea", "beginners", "fair players"))
)


def kept(**more: object) -> Findings:
    return dataclasses.replace(stress_report.read_report(KEPT), games=GAMES, **more)


# Notes on a whole test, of every kind: what could not be played, and why.
NOTES = (
    "Games of this kind take long: 25% of what the budget holds was played and learned, so that the test ends in its "
    "time. Intervals of what is played are about 2.0 times as wide by that, and learners have learned from less; a "
    "larger budget plays more.",
    "So that the test ends in its time, the weakest heuristic was left out: b.",
    "So that the test ends in its time, the weakest 2 heuristics were left out: b and d.",
    *(
        unsolved(Failed(kind, f"exact: {text}"))
        for kind, text in (
            ("hung", "no answer for 7200 s"),
            ("died", "its process ended with exit code 3"),
            ("died", "its process was ended by SIGKILL"),
            ("died", "its process broke the connection"),
        )
    ),
    building.SLOW,
    run.BROKEN,
    run.INTERRUPTED,
)
SIZES = Sizes(1.0, 100, 10.0, 1.0, {"standard": 0.25}, 6, 8)


def rule_tests(lang: str) -> Iterator[str]:
    yield stress_report.render(kept(notes=NOTES), lang)
    yield stress_report.render(kept(notes=NOTES, sizes=SIZES), lang)
    short = dict.fromkeys(("worth", "use", "dominance", "dynamics", "exploit", "sample", "levels", "effect"))
    nothing = Verdict("open", ("the test was interrupted before that was measured",))
    yield stress_report.render(kept(notes=NOTES, verdict=nothing, game_verdict=nothing, complete=False, **short), lang)
    for word in ("overpowered", "seat-favouring", "dead rule", "strong", "small", "neutral", "undecided", "shared"):
        remarks = (
            "Its use is always right.",
            "It makes one strategy best against all found that are worth playing: “a1”.",
            "It makes one way to play best against all found that are worth playing: 2 of 3 strategies fare alike "
            "and are best, such as “a1”.",
        )
        verdict = Verdict(word, ("having it is an advantage of 0.44 (+0.43 to +0.46)",), remarks)
        yield stress_report.render(kept(verdict=verdict, game_verdict=Verdict("decoration", ("nothing",))), lang)


def broken(lang: str) -> Iterator[str]:
    fault = Fault("endless", "everybody", "a loop", 3, 100, 12, None, "1-endless-everybody.json")
    verdict = Verdict("broken", ("a loop",))
    found = dataclasses.replace(
        stress_report.read_report(KEPT), breakage=Breakage((fault,), 100, 1000), verdict=verdict, game_verdict=verdict,
        worth=None, use=None, dominance=None, dynamics=None, exploit=None, sample=None, levels=None, effect=None,
        games=(),
    )  # fmt: skip
    yield stress_report.render(found, lang)


def combinations(lang: str) -> Iterator[str]:
    for pairs in (False, True):
        found = made(pairs)
        rows = tuple(
            row if row.worth is None else dataclasses.replace(row, replay=f"with/{k}/replays/typical-only_Ada.json")
            for k, row in enumerate(found.pairings)
        )
        alone = dataclasses.replace(found.alone, replay="with/nothing/replays/typical-only_Ada.json")
        yield combine_report.render(dataclasses.replace(found, pairings=rows, alone=alone), lang)
        yield combine_report.render(dataclasses.replace(found, pairings=rows, alone=alone, complete=False), lang)


def versions(lang: str) -> Iterator[str]:
    one, other = findings(0.1, games=GAMES), findings(0.6, games=GAMES)
    yield compare_report.render(compare([("old", one), ("new", other)]), lang)
    yield compare_report.render(compare([("old", one), ("new", one)]), lang)
    assert one.worth is not None
    solved = dataclasses.replace(one, worth=dataclasses.replace(one.worth, exact=True), budget="deep", version="0.1")
    unlike = compare([("old", other), ("new", solved)])
    assert len(unlike.notes) == 3
    yield compare_report.render(unlike, lang)


def balances(lang: str) -> Iterator[str]:
    for exact in (False, True):
        found = told_balance(0.0, 0.1, exact)
        assert found.suggestion is not None
        if not exact:
            best = dataclasses.replace(found.suggestion, replay="replays/fee___3/typical-only_a.json")
            found = dataclasses.replace(found, suggestion=best, points=(best, *found.points[1:]))
        yield balance_report.render(found, lang)
        yield balance_report.render(dataclasses.replace(found, notes=(building.SLOW,)), lang)


PAGES: dict[str, Callable[[str], Iterator[str]]] = {
    "tournament": tournaments, "exploit": exploits, "training": trainings, "stress test": rule_tests,
    "broken rule": broken, "combinations": combinations, "versions of a rule": versions, "balance": balances,
}  # fmt: skip
# What no game can show, by how it begins: that something is not there, or that a game refuses a rule.
NO_GAME = re.compile(
    "Nothing broke in|Nichts ging kaputt in|No three strategies beat|In diesen Spielen schlagen sich keine|"
    "With frost: refused|Mit frost: abgelehnt|With moss: not measured|Mit moss: nicht gemessen"
)


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("kind", PAGES)
def test_claims_link_to_numbers_and_games(kind: str, lang: str) -> None:
    for page in PAGES[kind](lang):
        numberless, gameless, count = unproved(page)
        assert count >= 1
        for missing in (numberless, gameless):
            assert not (rest := [claim for claim in missing if not NO_GAME.match(claim)]), rest


@pytest.mark.parametrize("lang", ["en", "de"])
def test_tournaments_side_by_side(tmp_path: Path, lang: str) -> None:
    for name, make in (("old", graded), ("new", separated), ("same", separated)):
        summary, more = with_games(make)
        write_report(tmp_path / name, summary, info(**more))
    for old, new in (("old", "new"), ("same", "new")):
        found = against.compared(*(tmp_path / name / "summary.json" for name in (old, new)))
        numberless, gameless, count = unproved(against.render(found, lang))
        assert count >= 2 and not numberless and not gameless, (numberless, gameless)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_trainings_side_by_side(tmp_path: Path, lang: str) -> None:
    results = tuple(dataclasses.replace(r, replay=f"replay-{k}.json") for k, r in enumerate(FOUND.results, 1))
    better = tuple(dataclasses.replace(r, edge=r.edge + 2, low=r.low + 2, high=r.high + 2) for r in results)
    for name, rows in (("old", results), ("new", better)):
        (tmp_path / name).mkdir()
        trained.write_reports(tmp_path / name, dataclasses.replace(FOUND, results=rows))
    for old in ("old", "new"):
        sheet = side_by_side._sheet(opened(tmp_path / old), opened(tmp_path / "new"))
        numberless, gameless, count = unproved(side_by_side.render(sheet, lang))
        assert count >= 1 and not numberless and not gameless, (numberless, gameless)


def test_notes_link_to_what_was_played() -> None:
    """The head tells how much of the budget and which part of the heuristics; rules that broke have a section."""
    assert scope(kept()) == [] and scope(kept(sizes=Sizes(1.0, 9, 9.0, 1.0, {"deep": 0.5}, 8, 8))) == []
    assert scope(kept(sizes=SIZES)) == [("played of the budget", "25%"), ("heuristics", "6 / 8")]
    assert [section_of_note(line) for line in NOTES] == ["scope"] * 8 + ["breakage", "scope"]
    page = stress_report.render(kept(notes=NOTES, sizes=SIZES), "de")
    head = page[page.index('id="scope-numbers"') :]
    assert "<dt>vom Budget gespielt</dt><dd>25\u00a0%</dd>" in head and "<dt>Heuristiken</dt><dd>6 / 8</dd>" in head
    for line in NOTES:
        assert line not in page  # in the other language


def test_each_level_has_its_game() -> None:
    """Beginners and fair players a game of their own, experts that of the side that has the module alone."""
    assert [games_of(kept(), "levels", index) for index in range(4)] == [
        ["typical-4"],
        ["typical-5"],
        ["typical-2"],
        [],
    ]
    missed = [Oversight(use, Sample(0.1, 0.0, 0.2, 9), None, None) for use in ("never", "unseen")]
    names = ("its holder never thinks of it", "the others do not reckon with it")
    games = [Typical(name, 3, 0.5, f"replays/typical-{6 + k}.json") for k, name in enumerate(names)]
    overlooked = dataclasses.replace(kept(oversights=tuple(missed)), games=(*GAMES, *games))
    shown = [games_of(overlooked, "levels", index) for index in (2, 3, 4, 5)]
    assert shown == [["typical-2"], ["typical-6"], ["typical-7"], []]
    assert games_of(kept(), "worth") == ["sample"] and games_of(kept(), "dominance") == ["typical-0", "typical-1"]
    sample = dataclasses.replace(SampleGame(False), deals=100)
    assert games_of(kept(sample=sample), "worth") == ["typical-1", "typical-2", "typical-3"]
    party = kept(sides=("the party",), sample=sample)  # which is everybody
    assert games_of(party, "worth") == ["typical-0", "typical-1"]
    assert games_of(party, "levels", len(party.levels or ()) - 1) == ["typical-0"]
    assert games_of(kept(), "use") == ["sample", "exploit-0", "exploit-1"]


def test_a_claim_without_a_link_is_found() -> None:
    """By hand: a page of four claims, of which one has all, one no numbers, one no game, one neither."""
    page = (
        '<html xmlns="http://www.w3.org/1999/xhtml"><body><p class="intro">Read it so.</p>'
        + "".join(f"<p>{name}{links(*found)}</p>" for name, found in {
            "both": (["row"], ["game-7"]), "game": ([], ["game-7"]), "numbers": (["row", "row"],), "none": ([],),
        }.items())
        + '<ul><li id="row">0.5 <b>is a claim, too</b></li></ul>'
        + '<p class="note" id="game-7">7: <code>probespiel replay . --game 7</code></p></body></html>'
    )  # fmt: skip
    row = "0.5 is a claim, too"
    numberless, gameless, count = unproved(page)
    assert (numberless, gameless, count) == (["none", row], ["numbers numbers", "none", row], 5)
    assert str(links("a", "game-12", "de")) == (
        ' <a class="numbers" href="#a">Zahlen</a> <a class="numbers" href="#game-12">Spiel 12</a>'
    )
    assert str(links("a", ["sample", ""])).endswith('<a class="numbers" href="#sample">a game</a>')
