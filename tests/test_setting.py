"""What stands on top of a scenario is named in reports of the lab, and by a comparison of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from probespiel.evaluation.balance import report as balance_report
from probespiel.evaluation.stress import combine_report, report
from probespiel.evaluation.stress.compare import compare
from probespiel.evaluation.stress.conditions import Bench, Settings
from probespiel.evaluation.stress.findings import Findings, Verdict
from probespiel.evaluation.stress.setting import kept, setting_line, setting_of
from probespiel.evaluation.stress.texts import words

from .lab_findings import findings
from .test_balance_german import told_balance
from .test_combine import made as combined


@pytest.mark.parametrize(
    ("scenario", "given", "on_top"),
    [
        (None, {}, {"start_power": 6}),
        (None, {"turns": 9}, {"start_power": 6, "turns": 9}),
        (None, {"start_power": 4}, {"start_power": 4}),
        ("duel", {}, {}),
        ("duel", {"start_power": 4}, {"start_power": 4}),
    ],
)
def test_the_scenario_of_tests_sets_options_of_its_own(
    scenario: str | None, given: dict[str, Any], on_top: dict[str, Any]
) -> None:
    """Not where a scenario is named; what is asked for goes first. The game that is played has them."""
    bench = Bench(Settings("konfrontation-campaign", "all_pay", scenario=scenario, config=given))
    assert bench.set_on_top == on_top and bench.scenario == "duel"
    assert bench.options.get("start_power", 3) == on_top.get("start_power", 3)


@pytest.mark.parametrize(
    ("options", "also", "told"),
    [
        (None, None, []),
        ({}, {}, []),
        ({"a": 6, "b": True}, {}, [("options", "a=6, b=True")]),
        ({}, kept({"x": None, "y": {"c": 2, "d": 3}}), [("everybody has", "x; y (c=2, d=3)")]),
        ({"a": 6}, {"x": {}}, [("options", "a=6"), ("everybody has", "x")]),
    ],
)
def test_only_what_there_is_has_a_name(
    options: dict[str, Any] | None, also: dict[str, Any] | None, told: list[tuple[str, str]]
) -> None:
    assert setting_of(options, also) == told
    assert setting_line(options, also) == ("; ".join(text for _, text in told) or "–")
    assert [words("de").word(name) for name, _ in told] == [
        {"options": "Optionen", "everybody has": "alle haben"}[name] for name, _ in told
    ]


def judged(**more: Any) -> Findings:
    verdict = Verdict("neutral", ("nothing",))
    return findings(verdict=verdict, game_verdict=Verdict("changes little", ("nothing",)), **more)


def test_every_page_names_it() -> None:
    on_top: Any = {"options": {"start_power": 6}, "also": {"rival": {"fee": 2}}}
    pages: list[tuple[Any, Any]] = [
        (report.render, judged()),
        (balance_report.render, told_balance(0.0, 0.1, True)),
        (combine_report.render, combined(False)),
    ]
    for render, found in pages:
        for lang, names in (("en", ("options", "everybody has")), ("de", ("Optionen", "alle haben"))):
            page = render(replace(found, **on_top), lang)
            for name, text in zip(names, ("start_power=6", "rival (fee=2)")):
                assert f"<dt>{name}</dt><dd>{text}</dd>" in page
            bare = render(replace(found, options={}, also=None), lang)
            assert not any(f"<dt>{name}</dt>" in bare for name in names)


def test_versions_of_different_games_are_told_apart() -> None:
    """What differs may come from there; nothing is said of reports that did not keep it."""
    plain, set_up, old = judged(options={}, also={}), judged(options={"start_power": 6}, also={}), judged()
    told = "The games differ in what was set on top of the scenario (a: –, b: start_power=6)."
    notes = compare([("a", plain), ("b", set_up)]).notes
    assert notes == (told,)
    german = words("de")
    assert german(told).endswith("eingestellt wurde (a: –, b: start_power=6).") and not german.missed
    assert not compare([("a", set_up), ("b", set_up)]).notes and not compare([("a", old), ("b", set_up)]).notes
