"""Small cases of lines that a draw of errors was put into, and that no test had noticed within a minute."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.agents.liars_dice import baselines as liars
from probespiel.agents.scorekeeper.declaration import GERMAN as FIGHTERS
from probespiel.app.session.table import Gone, Table
from probespiel.envs import make_game
from probespiel.envs.core.batch import Batch
from probespiel.evaluation.exploit import measure
from probespiel.evaluation.exploit.measure import BLOCK, Bench
from probespiel.evaluation.scorekeeper.chances import faints
from probespiel.evaluation.stress import further
from probespiel.evaluation.stress.advice import FIGURE_STEPS, next_for_game
from probespiel.evaluation.tournament.ladder_page import _shown, words_of
from probespiel.evaluation.tournament.sequential import Until
from probespiel.evaluation.tournament.texts import words
from tests.lab_findings import BOWS, figure, findings


def test_a_version_is_told_by_its_first_eight_letters() -> None:
    row: Any = SimpleNamespace(
        rank=1, name="a", kind="", paid=0.0, paid_half=None, rating=1500.0, half=None, games=4, points=3.0,
        version="0123456789abcdef", added="2026-11-30T12:00",
    )  # fmt: skip
    cells = _shown(row, words_of("en"), "en", 3)
    assert (cells["version"], cells["played"], cells["share"]) == ("01234567", "2026-11-30", "75%")


@dataclass(frozen=True)
class Known:
    """What is known of a module's games."""

    further: tuple[int, ...] = ()
    forced: bool = False


def test_of_a_module_that_is_not_used_nothing_more_is_asked() -> None:
    """Nor is it said to be forced."""
    asked: list[Any] = []

    def need(step: str, jobs: Any) -> list[Any]:
        asked.append((step, jobs[0].args["condition"]))
        return [{"actions": [3, 5], "forced": 1}]

    bench = SimpleNamespace(everybody=lambda: "everybody")
    context: Any = SimpleNamespace(used=False, facts=Known(), bench=bench, seed=lambda name: 7, need=need)
    assert further.look_beside_others(context) == Known() and asked == []
    context.used = True
    assert further.look_beside_others(context) == Known((3, 5), True)  # type: ignore[comparison-overlap]
    assert asked == [("break", "everybody")]


def test_blocks_are_played_until_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes 4 of 10 seconds: the third begins after 8 and ends after 12; the size is doubled each time."""
    now = [0.0]
    monkeypatch.setattr(measure, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def rows(heroes: Any, first: int, count: int) -> list[list[np.ndarray]]:
        now[0] += 4.0
        return [[np.arange(first, first + count, dtype=float) for _ in row] for row in heroes]

    def deals(most: int, seconds: float) -> int:
        now[0] = 0.0
        (played,), (other,) = Bench.blocks(SimpleNamespace(rows=rows), 100, most, [[0], [1]], seconds)  # type: ignore[arg-type]
        assert played.tolist() == other.tolist() == list(range(100, 100 + len(played)))
        return len(played)

    assert deals(1000 * BLOCK, 10.0) == 7 * BLOCK and deals(1000 * BLOCK, 8.0) == 3 * BLOCK
    assert deals(1000 * BLOCK, 0.0) == BLOCK and deals(2 * BLOCK + 1, 1000.0) == 2 * BLOCK + 1
    assert deals(5 * BLOCK, float("inf")) == 5 * BLOCK and now[0] == 4.0


def test_what_ends_a_tournament_is_kept_as_it_was_asked() -> None:
    kept = Until("best", within=0.25, level=0.9).settings
    assert {name: kept[name] for name in ("goal", "within", "level")} == {"goal": "best", "within": 0.25, "level": 0.9}
    sprt = Until("sprt", low=-0.5, high=0.5, level=0.99).settings
    assert (sprt["low"], sprt["high"], sprt["level"], "within" in sprt) == (-0.5, 0.5, 0.99, False)
    assert "racing" in sprt


@pytest.mark.parametrize("wound", ["none", "KR", "LW", "SW", "TW"])
@pytest.mark.parametrize("zone", ["head", "torso"])
def test_who_faints_by_wound_and_zone(zone: str, wound: str) -> None:
    """R60, of 12: a severe wound at the head halves what is to be thrown, a light one there asks for all of it."""
    whole, half = Fraction(1) - Fraction(12, 20), Fraction(1) - Fraction(6, 20)
    expected = {("head", "SW"): half, ("torso", "SW"): whole, ("head", "LW"): whole}
    found, zero = faints(zone, wound, 12), Fraction(0)
    assert (found == zero) == ((zone, wound) not in expected)
    if found:
        rest = {key: faints(*key, 12) for key in expected}
        assert rest["torso", "SW"] == rest["head", "LW"] < rest["head", "SW"]


GERMAN = words("de")


@pytest.mark.parametrize(("english", "german"), [
    ("By the mean payoffs x dominates y, because it is better against every strategy, but that is not shown.",
     "Nach den mittleren Auszahlungen dominiert x y, weil das gegen jede Strategie besser ist; gezeigt ist es nicht."),
    ("By the mean payoffs x dominates y, because it is never worse, and sometimes better, but that is not shown.",
     "Nach den mittleren Auszahlungen dominiert x y, weil das nie schlechter und manchmal besser ist; gezeigt ist es "
     "nicht."),
    ("All else equal, x is shown to be better than every other for a; mean lead in payoff over y +0.5.",
     "Bei sonst gleicher Ausrüstung ist gezeigt, dass x für a besser ist als alles andere; mittlerer Vorsprung vor y "
     "+0,5."),
    ("All else equal, x is ahead, though not every lead is shown for a; mean lead in payoff over y +0.5.",
     "Bei sonst gleicher Ausrüstung liegt x für a vorn, doch nicht jeder Vorsprung ist gezeigt; mittlerer Vorsprung "
     "vor y +0,5."),
    ("command", "Befehl"),
])  # fmt: skip
def test_who_does_what_to_whom_is_the_same_in_german(english: str, german: str) -> None:
    assert GERMAN.told(english) == german


def test_advice_comes_in_the_order_of_the_figures() -> None:
    longer, drawn = figure("length", 10.0, 15.0, 0.2, 1.0), figure("draws", 0.1, 0.4, 0.05, 0.05)
    for figures in ((longer, drawn), (drawn, longer)):
        steps = tuple(FIGURE_STEPS[one.name, 1] for one in figures)
        assert next_for_game(findings(*figures, use=BOWS), "changes the game") == steps
    still = replace(longer, change=replace(longer.change, low=-0.2))
    assert next_for_game(findings(still, drawn, use=BOWS), "changes the game") == (FIGURE_STEPS["draws", 1],)


def test_whose_answer_is_wrong_is_told_by_the_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of agents of this process, too, which have no process that could tell it."""
    game = make_game("kuhn", compiled=False)
    for seat in (0, 1):
        with Table(game, {seat: "honest", 1 - seat: "human"}, 1) as table:
            monkeypatch.setattr(table, "_agent", lambda asked: SimpleNamespace(act=lambda view: 99))
            monkeypatch.setattr(table, "_view", lambda asked, agent: SimpleNamespace(legal=[0, 1]))
            with pytest.raises(Gone, match=r"^answered 99, not legal now$") as caught:
                table.decide(seat)
            assert caught.value.seat == seat


def test_what_a_liar_believes_is_told_as_it_is() -> None:
    """One chance in two, and one in five."""
    told = {name: baseline.doc for name, baseline in liars.BASELINES.items()}
    assert (liars.HONEST, liars.LIKELY, liars.BOLD) == (1.0, 1 / 2, 1 / 5)
    assert told["likely"].endswith("what is as likely as not") and told["bold"].endswith("what has one chance in five")


def test_what_a_duellist_does_is_the_same_in_german() -> None:
    assert FIGHTERS["duellist"] == "liest Ansagen; pariert oder weicht aus, je nachdem, was mehr wert ist"


def test_so_many_random_games_are_those_of_as_many_calls() -> None:
    """Of Kuhn poker, two or three decisions each."""
    game = make_game("kuhn")
    one, other = Batch(game, 20, seed=1), Batch(game, 20, seed=1)
    whole, parts = one.play_random(5), [other.play_random(1) for _ in range(5)]
    assert whole.games == 100 and 200 <= whole.decisions <= 300
    assert whole.decisions == sum(part.decisions for part in parts)
    assert np.allclose(whole.mean_payoff, np.mean([part.mean_payoff for part in parts], axis=0))
