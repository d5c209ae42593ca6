"""Functions behind the numbers of a tournament's report that no test named, each by a case worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from probespiel.evaluation.balance import run as balance
from probespiel.evaluation.exploit import learned
from probespiel.evaluation.exploit.records import Point
from probespiel.evaluation.report.phrases import ENGLISH
from probespiel.evaluation.stress.conditions import Condition
from probespiel.evaluation.stress.lab import Facts
from probespiel.evaluation.stress.workers import Failed
from probespiel.evaluation.tournament import analysis, deviation, ladder, metagame, report
from probespiel.evaluation.tournament.ladder_book import PERSON, Player
from probespiel.evaluation.tournament.results import FORFEITS
from probespiel.evaluation.tournament.summary import Interval
from tests.test_sequential import block_of

NOT_KNOWN = np.nan


@pytest.mark.parametrize(("rates", "shares"), [
    ([[0, 0.2], [0.1, 0]], [1 / 3, 2 / 3]),
    ([[0, 0.1, 0], [0, 0, 0.2], [0.4, 0, 0]], [4 / 7, 2 / 7, 1 / 7]),  # a ring: as long as it takes to leave each
    ([[0, 0.2, 0.1], [0.1, 0, 0.1], [0.1, 0.1, 0]], [1 / 4, 5 / 12, 1 / 3]),
])  # fmt: skip
def test_shares_of_a_chain_by_hand(rates: list[list[float]], shares: list[float]) -> None:
    """The last: what enters a state is what leaves it."""
    change = np.array(rates)
    assert shares @ change == pytest.approx(np.array(shares) * change.sum(axis=1))
    assert deviation._stationary(change) == pytest.approx(shares)


def test_rates_of_other_orders_of_magnitude_have_their_shares() -> None:
    rare = np.array([[0, 1e-200, 0], [3e-200, 0, 1.0], [0, 1.0, 0]])
    assert deviation._stationary(rare) == pytest.approx([0.6, 0.2, 0.2])
    kept = np.array([[0.0, 0.0, 0.0], [0.5, 0, 0.5], [0.0, 1.0, 0]])
    assert deviation._stationary(kept) == pytest.approx([1.0, 0.0, 0.0])


def test_the_largest_weak_gains_by_hand() -> None:
    """A third to two thirds of two that lead by 2 and trail by 1; none that is nowhere behind; one that leads by 3.

    Leads of the first row are nothing: it is the strategy itself. Each has its own scale.
    """
    leads = np.array([
        [[0, 0], [2, -1], [-1, 2]], [[0, 0], [-1000, -1000], [-2000, 500]], [[0, 0], [0, 3], [1, 1]],
        [[0, 0], [0, 0], [0, 0]],
    ], dtype=float)  # fmt: skip
    gains, mixtures = metagame._weak_gains(leads)
    assert gains == pytest.approx([1.0, 0.0, 3.0, 0.0], abs=1e-9)
    assert mixtures.sum(axis=1) == pytest.approx(np.ones(4))
    assert mixtures[0, 0] == pytest.approx(0.0, abs=1e-9)
    assert 1 / 3 - 1e-9 <= mixtures[0, 1] <= 2 / 3 + 1e-9
    assert mixtures[1] == pytest.approx([1, 0, 0], abs=1e-9)
    assert mixtures[2] == pytest.approx([0, 1, 0], abs=1e-9)


@pytest.mark.parametrize(("matrix", "strict", "weak", "margin", "gain"), [
    ([[0, 1], [-1, 0]], True, True, 1.0, 2.0),  # the first leads by 1 everywhere
    ([[0, 0], [0, 0]], False, False, 0.0, 0.0),
    ([[0, 1, 2], [-1, 0, 2], [-2, -2, 0]], True, True, 1.0, 2.0),  # the second: behind by 1, 1 and 0 more
])  # fmt: skip
def test_a_strategy_is_dominated_by_hand(
    matrix: list[list[float]], strict: bool, weak: bool, margin: float, gain: float
) -> None:
    found = metagame.mixed_domination(np.array(matrix), 1)
    if len(matrix) == 3:  # against the third both earn 2: not strictly
        strict, margin = False, 0.0
    assert (found.strict, found.weak) == (strict, weak)
    assert (found.margin, found.gain) == (pytest.approx(margin), pytest.approx(gain))
    assert found.weights.tolist() == pytest.approx([1.0, *[0.0] * (len(matrix) - 1)] if weak else [0.0] * len(matrix))


def test_gains_alone_are_means_over_games_alone() -> None:
    alone = np.array([[[0, 4, 0], [2, 0, 5], [1, 0, 9]], [[0, 6, 0], [-1, 0, -10], [3, 0, 7]]], dtype=float)
    found = deviation.alone_gains(alone)
    assert found.tolist()[0][:2] == [0.0, 1.5]
    assert found[1].tolist() == [-0.5, 0.0, -2.0]
    assert found[2, 0] == 3.0
    assert np.isnan(found[0, 2])
    assert np.isnan(found[2, 1])
    assert found[2, 2] == 0.0


STRANGER = (
    "With more than two sides, “against” means both ways to sit, taken together: one alone among copies of the other, "
    "and the other way round. Only alone it can be otherwise: by the mean payoffs b gains 0.700 a game alone among "
    "copies of a."
)
OUTCAST = (
    "With more than two sides, who is ahead of another by both ways to sit, taken together, may lose alone among its "
    "copies: alone among copies of b, by the mean payoffs, a loses 0.250 a game."
)


@pytest.mark.parametrize(("ahead", "gained", "lost", "told"), [
    (1.0, 0.7, 0.25, [OUTCAST, STRANGER]), (1.0, 0.7, -0.25, [STRANGER]), (1.0, -0.7, 0.25, [OUTCAST]),
    (1.0, -0.7, -0.25, []), (1.0, 0.7, 0.0, [STRANGER]), (1.0, NOT_KNOWN, 0.25, []),
])  # fmt: skip
def test_who_wins_or_loses_alone_is_told(ahead: float, gained: float, lost: float, told: list[str]) -> None:
    """The first is ahead of the second by their margin; alone the second gains, and the first loses, so much."""
    margins = np.array([[0.0, ahead], [-ahead, 0.0]])
    gains = np.array([[0.0, -lost], [gained, 0.0]])
    assert deviation.alone_told(("a", "b"), gains, margins) == told


# --- rows of the page -------------------------------------------------------------------------------------------------


def test_words_for_verdicts_on_dominance() -> None:
    rows = {(None, True): ("perhaps", ""), (None, False): ("not shown", ""), (True, True): ("dominated", "bad"),
            (False, True): ("no", "good"), (False, False): ("no", "good")}  # fmt: skip
    for (dominated, seems), said in rows.items():
        assert report._status(SimpleNamespace(dominated=dominated, seems_dominated=seems)) == said  # type: ignore[arg-type]


def test_rows_of_verdicts_have_what_belongs_to_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of rank; who is not dominated has no margin, and what is not known no number."""
    monkeypatch.setattr(report, "dominance_wishes", lambda summary, agent: (f"of {agent}",))
    monkeypatch.setattr(report, "games_for", lambda claim, info: [10 + int(claim.wishes[0][-1])])
    monkeypatch.setattr(report, "dominance_sentence", lambda summary, agent, *_: f"sentence {agent}")
    monkeypatch.setattr(report, "_sentence", str)
    nothing = {"dominator": None, "mixture": None, "seems_dominated": False, "worst_interval": None}
    first = SimpleNamespace(
        **nothing, dominated=False, margin=0.5, worst_opponent=1, worst_payoff=-0.25, exploitability=0.125,
        most_exploitability=None, cross_exploitability=0.1, beats=(1, 2), beaten_by=(), unbeaten=True,
    )  # fmt: skip
    second = SimpleNamespace(
        **{**nothing, "dominator": 0, "worst_interval": Interval(-1.5, -0.5)}, dominated=True, margin=0.75,
        worst_opponent=None, worst_payoff=-1.0, exploitability=2.0, most_exploitability=3.0, cross_exploitability=None,
        beats=(), beaten_by=(0, 2), unbeaten=False,
    )  # fmt: skip
    summary: Any = SimpleNamespace(
        names=("a", "b", "c"), metagame=SimpleNamespace(verdicts=(first, second)),
        leaderboard=(SimpleNamespace(agent=1), SimpleNamespace(agent=0)),
    )  # fmt: skip
    one, other = report._verdict_rows(summary, None, 2, "", ENGLISH)  # type: ignore[arg-type]
    assert (one["agent"], one["dominated"], one["status"], one["margin"]) == (1, True, "dominated", "+0.75")
    assert "a" in one["by"] and (one["worst"], one["worst_payoff"]) == (None, "−1.00")
    assert (one["worst_span"], one["exploitability"], one["most"], one["cross"]) == (
        "−1.50 to −0.50",
        "2.00",
        "3.00",
        "–",
    )
    assert (one["beats"], one["beaten_by"], one["unbeaten"]) == (0, ["a", "c"], False)
    assert (one["sentence"], one["games"]) == ("sentence 1", ["game-11"])
    assert (other["agent"], other["status"], other["margin"], other["worst"]) == (0, "no", "", "b")
    assert (other["worst_payoff"], other["worst_span"], other["most"], other["cross"]) == ("−0.25", "", "–", "0.10")
    assert (other["beats"], other["beaten_by"], other["games"]) == (2, [], ["game-10"])
    summary.metagame = None
    assert report._verdict_rows(summary, None, 2, "", ENGLISH) == []  # type: ignore[arg-type]


@pytest.mark.parametrize(("goal", "lone", "intro"), [
    ("ranking", False, report.FIELD), ("best", True, report.FIELD), ("pair", False, report.MEETING),
    ("pair", True, report.ALONE),
])  # fmt: skip
def test_what_is_known_of_pairs_has_one_digit_more(goal: str, lone: bool, intro: str) -> None:
    found = SimpleNamespace(goal=goal, pairs=((0, 2), (1, 0)), low=(-0.5, 0.1), high=(0.25, 0.3), deals=(40, 80))
    summary: Any = SimpleNamespace(names=("a", "b", "c"), lone=lone, decision=found)
    assert report._decided(summary, 2) == {"intro": intro, "rows": [
        {"who": ["a", "c"], "low": "−0.500", "high": "+0.250", "deals": 40},
        {"who": ["b", "a"], "low": "+0.100", "high": "+0.300", "deals": 80},
    ]}  # fmt: skip
    summary.decision = None
    assert report._decided(summary, 2) == {}


def test_rows_of_other_ratings_stand_under_their_heads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "record_text", lambda row: f"record {row.agent}")
    ratings = SimpleNamespace(nash_average=(0.1, -0.2), deviation=(0.0, -0.4), alpha_rank=(0.875, 0.125))
    rows = (SimpleNamespace(agent=1, rating=0.5), SimpleNamespace(agent=0, rating=-0.5))
    summary: Any = SimpleNamespace(names=("a", "b"), metagame=SimpleNamespace(ratings=ratings), leaderboard=rows)
    assert report._other_rows(summary, 1) == [
        {"agent": 1, "cells": ["+0.5", "record 1", "−0.2", "−0.4", "12.5%"]},
        {"agent": 0, "cells": ["−0.5", "record 0", "+0.1", "0.0", "87.5%"]},
    ]
    ratings.deviation = None
    assert [row["cells"] for row in report._other_rows(summary, 1)] == [
        ["+0.5", "record 1", "−0.2", "12.5%"], ["−0.5", "record 0", "+0.1", "87.5%"],
    ]  # fmt: skip
    summary.names = ("a",)
    assert report._other_rows(summary, 1) == []


def test_games_and_forfeits_are_told_with_who_played_them() -> None:
    """A game that shows two claims stands there once, for the first; of forfeits the first fifty."""

    def example(game: int, kind: str, first: int, second: int) -> Any:
        return SimpleNamespace(
            game=game, kind=kind, first=first, second=second, payoffs=(1.0, -1.0), among=7, looked=20
        )  # fmt: skip

    forfeits = tuple(SimpleNamespace(game=g, seat=1, agent=2, kind=g % 3) for g in range(60))
    summary: Any = SimpleNamespace(names=("a", "b", "c"), forfeits=forfeits)
    examples = (example(4, "ahead", 0, 2), example(5, "met", 2, 1), example(4, "met", 2, 0))
    info: Any = SimpleNamespace(examples=examples, trust=False, forfeit_messages={(1, 1): "it raised", (2, 0): "other"})
    assert report._example_rows(summary, info, 1, ENGLISH) == [
        {"game": 4, "who": ["a", "c"], "payoffs": ["+1.0", "−1.0"], "command": "probespiel replay . --game 4",
         "why": "the middle result of the 7 among their first 20 games in which the first got more"},
        {"game": 5, "who": ["c", "b"], "payoffs": ["+1.0", "−1.0"], "command": "probespiel replay . --game 5",
         "why": "the middle result of their first 20 games"},
    ]  # fmt: skip
    rows = report._forfeit_rows(summary, info)
    assert len(rows) == 50
    assert rows[1] == {"game": 1, "seat": 1, "agent": "c", "kind": FORFEITS[1], "message": "it raised"}
    assert rows[2] == {"game": 2, "seat": 1, "agent": "c", "kind": FORFEITS[2], "message": ""}


def test_why_a_batch_is_not_played_again() -> None:
    """Who was entered here is not as it was; who was imported was entered elsewhere."""
    here, there = Player(1, "a", "v7", "2026"), Player(2, "b", "v8", "2026", imported=True)
    assert ladder._absent(4, here) == "batch 4: a is not here as it was entered, version v7"
    assert ladder._absent(4, there) == (
        "batch 4 was imported: b was entered elsewhere, in version v8; if it is the same here, `ladder GAME add b` "
        "enters it"
    )
    assert not here.person and Player(3, "c", PERSON, "2026").person


# --- searches for balance, and exploits -------------------------------------------------------------------------------


def test_sizes_of_all_games_come_from_those_that_were_played() -> None:
    """The longest of all ten times, or 200; the mean length of the longest; phases that the module alone has."""

    def played(phases: list[int], longest: int, mean: float, spread: float, offered: int) -> dict[str, Any]:
        return {"phases": phases, "longest": longest, "mean_length": mean, "spread": spread, "offered": offered,
                "observation": 7 + longest}  # fmt: skip

    search: Any = SimpleNamespace(facts=None, sizes=None)
    answers = {
        Condition(): played([1, 4], 30, 12.5, 2.5, 0), Condition((0,)): played([1, 9, 4], 25, 14.0, 9.0, 3),
        Condition((0, 1)): Failed("died", "its process ended"), Condition((1,)): played([8], 12, 11.0, 9.0, 0),
    }  # fmt: skip
    balance.Search._sizes(search, answers)
    assert search.facts == Facts((8, 9), 300, 14.0)
    assert search.sizes == (True, 2.5, 37)
    few = {Condition(): played([1], 3, 2.0, 0.0, 0), Condition((0,)): played([1], 19, 3.0, 1.0, 0)}
    balance.Search._sizes(search, few)
    assert search.facts == Facts((), 200, 3.0)
    assert search.sizes == (False, 1e-6, 10)


def test_a_best_answer_is_kept_until_it_goes_on(tmp_path: Path) -> None:
    """Under way its notes stand beside its checkpoint, whole; at the end both are gone, and the course is thinned."""
    courses: Any = SimpleNamespace(folder=tmp_path)
    courses._files = lambda number: learned.Courses._files(courses, number)
    course = tuple(Point(k, k / 8) for k in range(3 * learned.POINTS))
    config: Any = SimpleNamespace(seed=11)
    under_way: Any = SimpleNamespace(policy=b"first", decisions=500, finished=False, checkpoint=b"state")
    learned.Courses._keep(courses, 1, config, True, under_way, course)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(files) == {"exploiter-2.safetensors", "checkpoint-2.part", "checkpoint-2.json"}
    assert (files["exploiter-2.safetensors"], files["checkpoint-2.part"]) == (b"first", b"state")
    told = json.loads(files["checkpoint-2.json"])
    assert (told["seed"], told["own_weights"], told["decisions"], told["seconds"]) == (11, True, 500, None)
    assert (told["file"], len(told["course"])) == ("exploiter-2.safetensors", len(course))
    done: Any = SimpleNamespace(policy=b"last", decisions=900, finished=True, checkpoint=None)
    learned.Courses._keep(courses, 1, config, True, done, course)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(files) == {"exploiter-2.safetensors", "exploiter-2.json"}
    told = json.loads(files["exploiter-2.json"])
    assert files["exploiter-2.safetensors"] == b"last"
    assert (told["decisions"], len(told["course"])) == (900, learned.POINTS)


def test_strategies_of_other_optima_can_be_used() -> None:
    """The first column holds both rows to nothing; of the optima one is told, in which the second row has no weight."""
    g = np.array([[0.0, 1.0], [0.0, 2.0], [-1.0, 3.0]])
    told: Any = SimpleNamespace(row=np.array([1.0, 0.0, 0.0]), column=np.array([1.0, 0.0]), value=0.0)
    usable, binding, inner = metagame._face(g, told)
    assert (usable.tolist(), binding.tolist()) == ([0, 1], [0])
    assert inner == pytest.approx([0.5, 0.5, 0.0])
    assert metagame.max_entropy_nash(g) == pytest.approx([0.5, 0.5, 0.0], abs=1e-7)


def test_resamples_of_wins_count_every_opponent_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in `test_exact_tournament`, but by resamples alone: none differs from the games, nor from the rating."""
    monkeypatch.setattr(analysis, "ends_of_blocks", lambda *_: (np.full(3, np.inf), np.full(3, -np.inf)))
    equal = [block_of(np.array([[1.0, 1, 1], [1, 1, 1], [1, -1, 1], [-1, 1, -1]]), number) for number in range(10)]
    more = [block_of(np.array([[1.0, 0, 0]] * 3 + [[-1.0, 0, 0]]), 10 + number, (0,)) for number in range(40)]
    for row in analysis.analyse(pa.concat_tables([*equal, *more]), list("abc"), 1, resamples=50).leaderboard:
        assert row.wins_rating is not None and row.wins_interval is not None
        assert row.wins_interval.low == pytest.approx(row.wins_rating, abs=0.01)
        assert row.wins_interval.high == pytest.approx(row.wins_rating, abs=0.01)
