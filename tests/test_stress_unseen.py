"""What learners cannot know or only had luck with: uses that no observation tells of, rules that change nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from probespiel.envs.core.modules import load_module
from probespiel.envs.core.registry import system_of
from probespiel.evaluation.stress.advice import next_for_holder
from probespiel.evaluation.stress.findings import Findings, Interval, Restricted, Sample, UseWorth, WorthBounds
from probespiel.evaluation.stress.lab import unseen
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.verdict import UNSEEN, verdict_of
from probespiel.evaluation.stress.words import answers

from .lab_findings import BOWS, STILL, findings

PLANTED = Path(__file__).parent / "planted"


def blind(worth: float, exact: bool, idle: int, never: float = 0.0, hidden: bool = True) -> Findings:
    """Findings of a rule whose uses gain nothing among the strategies found."""
    loss = Sample(never, never - 0.01, never + 0.01, 300)
    row = Restricted(always=Sample(0.0, -0.01, 0.01, 300), never=loss, coin=loss, random=loss)
    seen = UseWorth(500, 300, -0.0001, 0.0003, 1.0, 0.49, 0.51)
    use = replace(BOWS, uses=20, rate=0.04, worth=seen, restricted={"A": row, "B": row})
    made = findings(STILL, use=use, worth=worth, idle=idle, unseen=hidden)
    assert made.worth is not None
    return replace(made, worth=replace(made.worth, exact=exact))


@pytest.mark.parametrize(("made", "word", "missed"), [
    (blind(0.1, True, 400), "small", True),
    (blind(0.1, True, 400, hidden=False), "small", True),
    (blind(0.1, True, 0), "dead rule", False),  # it may be worth that without any use
    (blind(0.1, False, 400), "dead rule", False),  # which is what was measured of strategies
    (blind(0.04, True, 400), "dead rule", False),  # all that a use may gain is too little to count
    (blind(0.1, True, 400, never=0.2), "always-use", False),  # they know it
])  # fmt: skip
def test_a_use_that_pays_in_solved_games_is_not_dead(made: Findings, word: str, missed: bool) -> None:
    """If nothing changes without one; and it is told that the strategies found have missed it, and perhaps why."""
    verdict = verdict_of(made)
    assert verdict.word == word
    told = [text for text in verdict.remarks if text.startswith("Solved games say that its use pays")]
    assert len(told) == missed and all((UNSEEN in text) == made.unseen for text in told)
    book = words("de")
    assert all("Gelöste Spiele sagen" in book(text) for text in told) and not book.missed


def test_who_shows_nothing_is_told_so_beside_a_dead_rule() -> None:
    """Learners cannot go by what they do not see."""
    made = blind(0.0, False, 0)
    (_, told, *_) = next_for_holder(made, "dead rule")
    assert told.startswith(UNSEEN) and "write it in `observe`" in told
    assert "in `observe` schreiben" in words("de")(told)
    assert not any(UNSEEN in text for text in next_for_holder(replace(made, unseen=False), "dead rule"))


@pytest.mark.parametrize(("system", "name", "hidden"), [
    ("einblatt-duel", "burnt_offering", True),  # it remembers that it was used
    ("einblatt-duel", "penance", False),  # and writes that into a piece
    ("ews_rps", "lucky_star", True),
    ("scorekeeper-duel", "flourish", False),  # it remembers nothing
])  # fmt: skip
def test_what_no_observation_tells_of(system: str, name: str, hidden: bool) -> None:
    interface = system_of(system).interface
    assert unseen(load_module(interface, str(PLANTED / f"{name}.py"))[0]) == hidden


def lucky(low: float, room: tuple[float, float] | None, actions: bool, never: float = 0.0) -> Findings:
    """Findings of a rule that changed nothing, but is measured to be worth 0.2."""
    loss = Sample(never, never - 0.01, never + 0.01, 300)
    row = Restricted(always=loss, never=loss, coin=loss, random=loss)
    use = replace(BOWS, worth=UseWorth(500, 300, 0.0, 0.05, 0.0, 0.5, 0.5), restricted={"A": row, "B": row})
    made = findings(STILL, use=use if actions else None, inert=293)
    assert made.worth is not None
    bounds = WorthBounds(Interval(0.2, *room), (), 300) if room else None
    return replace(made, worth=replace(made.worth, overall=Sample(0.2, low, 0.4, 300), bounds=bounds))


@pytest.mark.parametrize(("made", "neutral"), [
    (lucky(0.1, (-0.2, 0.4), True), True),
    (lucky(0.1, (0.05, 0.4), True), False),  # whatever was learned
    (lucky(0.1, None, True), True),
    (lucky(0.1, None, True, never=0.1), False),  # who leaves it alone has less
    (lucky(0.1, (-0.2, 0.4), False), False),  # without actions all learn alike
])  # fmt: skip
def test_the_luck_of_learning_is_no_edge_of_a_rule_that_changes_nothing(made: Findings, neutral: bool) -> None:
    """No use led to another position: a rule is neutral whatever its learners were lucky with, and that is told."""
    verdict = verdict_of(made)
    assert (verdict.word == "neutral") == neutral
    told = answers(made)["worth"][0]
    assert ("that is the luck of learning, and counts as nothing." in told) == neutral
    assert ("ist das das Glück des Lernens" in words("de")(told)) == neutral


def test_where_nothing_was_measured_no_luck_is_told() -> None:
    assert "luck of learning" not in answers(lucky(-0.1, None, True))["worth"][0]
