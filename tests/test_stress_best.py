"""Which strategy is best against all that are worth playing, by small matrices; and rules that never come up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from probespiel.evaluation.stress.advice import NEVER_OFFERED, next_for_game, next_for_holder
from probespiel.evaluation.stress.dominance import best_of, solved, worth_playing
from probespiel.evaluation.stress.findings import Exploit, Sample, Shown, Use
from probespiel.evaluation.stress.game_verdict import game_verdict_of
from probespiel.evaluation.stress.report import render
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.verdict import verdict_of
from tests.lab_findings import BOWS, STILL, findings


def test_who_gains_by_errors_that_nobody_plays_is_no_rival_of_what_is_always_right() -> None:
    """Paper (0) and rock (1), paper after a rock (2), and a counter (3) that errs after a rock, where none led it.

    Paper beats rock by one and draws with all others. What shows a rock first gains from the counter's error what it
    loses to paper: it would be best against the counter, which paper dominates once rock has dropped out, as rock is
    what the counter was for. Without it, paper is best in each single decision and is left alone.
    """
    m = np.zeros((4, 4))
    for i, j, gain in ((0, 1, 1.0), (0, 2, 0.3), (2, 1, 0.7), (3, 1, 1.2), (2, 3, 0.3)):
        m[i, j], m[j, i] = gain, -gain
    assert (m[:, 1].argmax(), m[:, 3].argmax()) == (3, 2), "paper is not best against rock, nor against the counter"
    assert worth_playing(m[None]).tolist() == [[True, False, False, False]]
    found = solved(["paper", "rock", "rock first", "counter"], np.tile(m, (8, 1, 1)), [0.0] * 4, 60, 1, 8, 1.0)[0]
    assert (found.dominant.name, found.dominant.share, found.dominant.alike) == ("paper", 1.0, 1)


def test_what_is_worth_playing_is_left_when_the_dominated_drop_out_again_and_again() -> None:
    """Three that beat each other in a circle stay; a fourth, behind them everywhere, goes in the first round.

    The fifth loses to all three, but beats the fourth by so much that nothing dominates it while that one is there.
    """
    m = np.zeros((5, 5))
    for i, j, gain in ((0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0), (4, 3, 9.0)):
        m[i, j], m[j, i] = gain, -gain
    for loser in (3, 4):
        m[:3, loser], m[loser, :3] = 2.0, -2.0
    kept = [True, True, True, False, False]
    saddle = np.array([[0.0, 1.0], [-1.0, 0.0]])
    assert worth_playing(np.stack([m, np.zeros((5, 5))])).tolist() == [kept, [True] * 5], "equals stay"
    assert worth_playing(saddle[None]).tolist() == [[True, False]]
    assert best_of(m[None], np.eye(5), worth_playing(m[None])).tolist() == [0.0] * 5, "a circle has none"
    only = np.zeros((1, 5), dtype=bool)
    only[0, 0] = True
    assert best_of(m[None], np.eye(5), only).tolist() == [1.0, 0.0, 0.0, 0.0, 0.0], "and what is gone is not best"


def test_who_wins_more_of_what_nobody_plays_is_no_better() -> None:
    """Both draw with each other, and beat two others that both dominate: by two the one, by one the other."""
    m = np.array([[0.0, 0, 1, 2], [0, 0, 2, 1], [-1, -2, 0, 0], [-2, -1, 0, 0]])
    assert best_of(m[None], np.eye(4), worth_playing(m[None])).tolist() == [1.0, 1.0, 0.0, 0.0]


@pytest.mark.parametrize(("worth", "target"), [(0.06, "0.050"), (0.03, "0.015"), (-0.03, "0.015"), (0.05, "0.050")])
def test_what_balance_shall_aim_at_is_not_met_already(worth: float, target: str) -> None:
    """A twentieth counts; what is worth less and still wins games has to become half of that to change anything."""
    made = findings(STILL, worth=worth, ranges={"price": (1, 5)})
    (told,) = [line for line in next_for_holder(made, "small") if "probespiel balance" in line]
    assert f"--target worth=-{target}..{target}`" in told


def test_who_offers_what_is_never_to_be_had_is_told_where_to_look() -> None:
    """Its hook is not called in a scenario: nothing to do for the game would be said of a rule that does nothing."""
    silent = replace(findings(STILL, use=Use(2)), offered=False)
    for made in (silent, replace(silent, whole_table=True)):
        word = "shared" if made.whole_table else "neutral"
        assert NEVER_OFFERED in next_for_holder(made, word)
        assert next_for_game(made, "changes little") == (NEVER_OFFERED,)
    german = words("de")
    assert german(NEVER_OFFERED).startswith("Keine seiner Aktionen stand je zur Wahl") and not german.missed
    for other in (replace(silent, offered=True), replace(silent, use=Use(0)), findings(STILL, use=BOWS)):
        assert NEVER_OFFERED not in (*next_for_holder(other, "neutral"), *next_for_game(other, "changes little"))


@pytest.mark.parametrize(("deviation", "told"), [(0.2, ("+0.150", "+0.100")), (2.0, ("+0.15", "+0.10"))])
def test_what_the_game_of_an_exploit_gains_can_be_seen(deviation: float, told: tuple[str, str]) -> None:
    """A twentieth more of a tenth: by one figure both results were the same."""
    game = Shown(True, swing=0.05, margin=0.15, margin_without=0.1, replay="exploit.json")
    row = Exploit("A", "keeper", {"keeper": 1.0}, 0.1, 0.05, Sample(0.05, 0.05, 0.05, 9), game)
    made = findings(STILL, exploit=(row,))
    assert made.worth is not None
    made = replace(made, worth=replace(made.worth, deviation=deviation))
    made = replace(made, verdict=verdict_of(made), game_verdict=game_verdict_of(made))
    for lang, mark in (("en", "."), ("de", ",")):
        page = render(made, lang)
        assert all(f"{number.replace('.', mark)} " in page for number in told), lang
