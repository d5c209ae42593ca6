"""Figures of a few numbers, worked out by hand: equilibria, resamples, targets, covariances and their sentences."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.balance import design, measuring, words
from probespiel.evaluation.balance.profile import covariance
from probespiel.evaluation.balance.records import Along, Axis, Figure, Line, Point
from probespiel.evaluation.balance.targets import Target
from probespiel.evaluation.oneshot.odds import odds_tables
from probespiel.evaluation.report import rating_words
from probespiel.evaluation.stress import compare
from probespiel.evaluation.stress.conditions import Condition
from probespiel.evaluation.stress.dominance import different_number
from probespiel.evaluation.stress.store import PARTS, STRESS, Store
from probespiel.evaluation.stress.usage import summary_of_worths
from probespiel.evaluation.stress.workers import Failed
from probespiel.evaluation.stress.worth import units_of
from probespiel.evaluation.tournament import joint, ladder_page
from probespiel.evaluation.tournament import metagame as mg
from probespiel.evaluation.tournament.analysis import FEW_BLOCKS, _Analysis
from probespiel.evaluation.tournament.counting import Rows, Shared, in_order
from probespiel.evaluation.tournament.ratings import bradley_terry, bradley_terry_many
from probespiel.evaluation.tournament.summary import Summary


@pytest.mark.parametrize(("matrix", "wanted"), [
    ([[2, 0, 0], [3, 2, 3]], [0, 1]),  # the second pays 2 at least, and the second column holds it to that
    ([[2, 0], [0, 2], [1, 1]], [1 / 3, 1 / 3, 1 / 3]),  # worth 1: any mixture that plays the first two alike
    ([[5, 5], [5, 5], [4, 9]], [1 / 2, 1 / 2, 0]),  # worth 5: the third loses where the others do not
])  # fmt: skip
def test_the_equilibrium_of_a_game_that_is_worth_something(matrix: list[list[float]], wanted: list[float]) -> None:
    """What a game pays on top of 0 moves nobody."""
    for added in (0.0, -2.0, 7.0):
        assert mg.max_entropy_nash(np.array(matrix, dtype=float) + added) == pytest.approx(wanted, abs=1e-6)


def test_one_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        bradley_terry(np.array([[0.0, 3.0], [-1.0, 0.0]]))


def test_who_is_alone_has_no_lead() -> None:
    assert bradley_terry_many(np.zeros((3, 1, 1))).tolist() == [[0.0], [0.0], [0.0]]
    two = np.array([[[0.0, 3.0], [1.0, 0.0]]])
    assert bradley_terry_many(two, None)[0] == pytest.approx([np.log(3) / 2, -np.log(3) / 2]), "three of four games"


@pytest.mark.parametrize(("strategies", "resamples"), [(50, 200), (100, 100), (1000, 20)])
def test_many_joint_strategies_are_resampled_less(
    strategies: int, resamples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """10,000 rated strategies in all, but 20 resamples at least and 200 at most; and the means themselves are rated."""
    drawn: list[float] = []

    def rated(payoffs: Any) -> tuple[Any, Any]:
        drawn.append(float(payoffs.sum()))
        return np.zeros((1, strategies)), np.zeros((1, strategies))

    monkeypatch.setattr(joint, "rated", rated)
    joint.spans_of(np.ones((4, strategies, 1)), (1, strategies), 1)
    assert drawn == pytest.approx([strategies] * (resamples + 1)), "each draws as many deals"


@pytest.mark.parametrize(("second", "fits"), [
    ({}, True),
    ({"result": [1, -1, 0]}, True),  # other sides may have other results
    ({"team": [0, 0, 1], "result": [1, 1, -1]}, True),
    ({"team": [0, 0, 1], "result": [1, 0, -1]}, False),  # one side, two results
    ({"seat": [0, 2, 2]}, False),
    ({"length": [9, 9, 8]}, False),
])  # fmt: skip
def test_what_rows_of_a_game_may_say(second: dict[str, list[int]], fits: bool) -> None:
    given = {"game": [4, 4, 4], "seat": [0, 1, 2], "team": [0, 1, 2], "result": [1, 0, 0], "length": [9, 9, 9]} | second
    rest = np.zeros(3, dtype=np.int64)
    rows = Rows(**{name: np.array(given.get(name, rest), dtype=np.int64) for name in Rows._fields})
    shared = Shared(**{name: np.array(given.get(name, rest), dtype=np.int64) for name in Shared._fields})
    assert in_order(rows, shared) == fits


def seen(value: float) -> dict[str, Figure]:
    return {"worth": Figure("worth", value, value - 1, value + 1, 10)}


def test_between_two_points_a_figure_passes_an_end() -> None:
    """From -1 to 1 it passes 0 on the way; a point that is at the end itself passes nothing."""
    target = (Target("worth", 0.0, 0.0),)
    assert design.between(target, {(0,): seen(-1.0), (4,): seen(1.0), (8,): seen(2.0)}) == [(2,)]
    assert design.between(target, {(0,): seen(-1.0), (4,): seen(0.0), (8,): seen(2.0)}) == []
    assert design.between(target, {(2,): seen(3.0), (8,): seen(-3.0)}) == [(5,)]


def test_points_have_in_common_what_both_played() -> None:
    """The same two deals, of four and of two: all of the shorter one, and half of the other's weight."""
    four, two = np.array([1.0, 3.0, 0.0, 9.0]), np.array([5.0, 9.0])
    found = covariance([four, two, None], np.array([0.5, 2.0, 1.0]))
    assert found.tolist() == [
        [0.25, pytest.approx(2 / 8**0.5), 0.0],
        [pytest.approx(2 / 8**0.5), 4.0, 0.0],
        [0.0, 0.0, 1.0],
    ]
    against = covariance([two, -two], np.array([1.0, 3.0]))
    assert against[0, 1] == pytest.approx(-3.0), "all deals in common, and each the other way round"


def along(*mid: float) -> Along:
    places = tuple(float(n) for n in range(len(mid)))
    return Along("price", (Line("worth", 1, places, mid, mid, mid),), (), (), (), True)


@pytest.mark.parametrize(("mid", "told"), [
    ((0.1, 0.2, 0.3), "Worth is what is aimed at everywhere"),
    ((-0.4, 0.2, 0.3), ""),  # it is not, at the least value
    ((0.1, 0.2, 0.9), ""),
    ((0.6, 0.7, 0.9), "Worth is never what is aimed at"),
])  # fmt: skip
def test_where_a_figure_is_what_is_aimed_at(mid: tuple[float, ...], told: str) -> None:
    axis = Axis("price", tuple(range(len(mid))), True, 0, 9)
    found: Any = SimpleNamespace(
        targets=(Target("worth", 0.0, 0.5),), axes=(axis,), payoff_unit="points", complete=True
    )
    lines = words.along_lines(along(*mid), found)
    assert [line for line in lines if "aimed at" in line][:1] == (
        [line for line in lines if told in line] if told else []
    )


@pytest.mark.parametrize(("value", "low", "high", "told"), [
    (3, 1, 9, "price = 3 is the least that was tried; the module allows 1 and more: try less."),
    (3, 3, 9, ""),  # there is nothing below
    (5, 1, 9, ""),  # neither end
    (7, 1, 9, "price = 7 is the most that was tried; the module allows up to 9: try more."),
    (7, 1, 7, ""),
])  # fmt: skip
def test_whether_better_values_may_lie_beyond(value: int, low: int, high: int, told: str) -> None:
    best = Point({"price": value}, meets="no")
    found: Any = SimpleNamespace(suggestion=best, axes=(Axis("price", (3, 5, 7), True, low, high),))
    assert words.end_of_range(found) == ([told] if told else [])


@pytest.mark.parametrize(("targets", "meets", "wanted"), [
    ([Target("worth", 0.0, 0.0)], "yes", "price = 3 comes nearest to worth 0."),  # one value is never met, but neared
    ([Target("worth", 0.0, 0.5)], "yes", "price = 3 meets the target: worth 0 to 0.5."),
    ([Target("worth", 0.0, 0.5)], "maybe", "price = 3 comes nearest to worth 0 to 0.5, and may meet it."),
    ([Target("worth", 0.0, 0.5)], "no", "No value that was tried meets worth 0 to 0.5; price = 3 comes nearest."),
    ([Target("worth", 0.0, 0.0), Target("length", 1.0, 9.0)], "yes",
     "price = 3 meets all targets: worth 0 and length 1 to 9."),
])  # fmt: skip
def test_the_answer_in_one_sentence(targets: list[Target], meets: str, wanted: str) -> None:
    found: Any = SimpleNamespace(targets=targets, suggestion=Point({"price": 3}, meets=meets))
    assert words.lead(found) == wanted


def test_what_a_side_gains_is_that_side_s() -> None:
    even = [SimpleNamespace(side=side, even=SimpleNamespace(worth=worth)) for side, worth in (("a", 1), ("b", 2))]
    gains = [SimpleNamespace(side=side, gain=gain) for side, gain in (("a", 0.5), ("b", 0.25))]
    found: Any = SimpleNamespace(sides=("a", "b"), worth=SimpleNamespace(sides=even), exploit=gains)
    figures = compare._of_sides(found)
    assert {name: figure.get(found) for name, figure in figures.items()} == {
        "worth for a": 1, "exploit of a": 0.5, "worth for b": 2, "exploit of b": 0.25,
    }  # fmt: skip


def test_turns_are_told_for_every_count_that_a_die_and_initiative_can_make() -> None:
    turns = odds_tables(counts=60).table("turns")
    assert [row[0] for row in turns.rows] == [str(n) for n in range(1, 17)]
    assert turns.rows[0][1] == "60" and turns.rows[6][1] == "8"  # every 7th count: 7, 14, ... 56


@pytest.mark.parametrize(("names", "english", "german"), [
    (["a"], "a", "a"),
    (["a", "b"], "a and b", "a und b"),
    (["a", "b", "c"], "a, b and c", "a, b und c"),
])  # fmt: skip
def test_names_are_joined_in_either_language(names: list[str], english: str, german: str) -> None:
    assert rating_words._joined(names, "en") == english and rating_words._joined(names, "de") == german


def test_who_is_first_by_a_share_leads_by_more_than_rounding() -> None:
    """Shares of alpha-rank are compared on a scale of 1, averages on that of the largest payoff (here 4)."""
    just = rating_words._DIFFERENT
    for over, payoff_scale_first in ((0.9, [0, 1]), (1.1, [0, 1]), (4.1, [0])):
        lead = over * just
        ratings = SimpleNamespace(nash_average=[lead, 0.0], alpha_rank=[0.5 + lead / 2, 0.5 - lead / 2], deviation=None)
        rows = [SimpleNamespace(agent=agent, rank=1 + agent, wins_rank=2 - agent) for agent in (0, 1)]
        summary: Any = SimpleNamespace(leaderboard=rows, matrix=[[None, 4.0], [-4.0, None]])
        game: Any = SimpleNamespace(ratings=ratings)
        names, firsts = rating_words._firsts(summary, game)
        assert names == ["payoff", "wins", "nash", "alpha"] and firsts["payoff"] == [0] and firsts["wins"] == [1]
        assert firsts["nash"] == payoff_scale_first and firsts["alpha"] == ([0, 1] if over < 1 else [0])


@pytest.mark.parametrize(("mixture", "alike", "wanted"), [
    ([1.0, 0.0], [[1, 0], [0, 1]], 1.0),  # what is not played is nothing, even where nothing played is like it
    ([0.5, 0.5], [[1, 0], [0, 1]], 2.0),
    ([0.5, 0.5], [[1, 1], [1, 1]], 1.0),
    ([0.5, 0.25, 0.25], [[1, 0, 0], [0, 1, 1], [0, 1, 1]], 2.0),
])  # fmt: skip
def test_strategies_that_are_alike_count_as_one(mixture: list[float], alike: list[list[float]], wanted: float) -> None:
    assert different_number(np.array(mixture), np.array(alike, dtype=float)) == pytest.approx(wanted)


def test_one_use_has_no_error() -> None:
    """Two of them have: half of their gap, by the deviation of two numbers."""
    game = make_game("kuhn", compiled=False)
    facts = np.zeros((2, 7), dtype=np.int64)
    facts[:, 0], facts[1, 6] = (4, 9), 1  # two games; only the second use changed anything
    worth, seen = np.array([[0.5, 0.0], [-0.25, 0.0]]), np.zeros((2, game.layout.size), dtype=np.float32)
    one = summary_of_worths(game, facts[:1], worth[:1], seen[:1])
    assert (one["count"], one["games"], one["gain"], one["error"], one["effect"]) == (1, 1, 0.5, None, 0.0)
    two = summary_of_worths(game, facts, worth, seen)
    assert two["gain"] == 0.125 and two["error"] == pytest.approx(0.375) and two["effect"] == 0.5
    assert (two["better"], two["worse"]) == (0.5, 0.5) and two["actions"][0]["count"] == 2
    none = summary_of_worths(game, facts[:0], worth[:0], seen[:0])
    assert none["count"] == 0 and none["gain"] is none["error"] is none["effect"] is None


@pytest.mark.parametrize(("can", "nobody", "alone"), [
    (False, [0], [0]),  # without handicaps all are even
    (True, [0, 1, 3], [0, 3]),  # 2 is not possible; at 1 only what nobody has is measured
])  # fmt: skip
def test_handicaps_at_which_a_side_is_measured(can: bool, nobody: list[int], alone: list[int]) -> None:
    bench = SimpleNamespace(can_handicap=can, possible=lambda condition: condition != Condition().handicapped(1, 2))
    context: Any = SimpleNamespace(bench=bench, budget=SimpleNamespace(curve=(1, 2), differences=(3,)))
    assert units_of(context, 1) == ([(1, n) for n in nobody], [(1, n) for n in alone])


@pytest.mark.parametrize(("name", "value", "unit", "wanted"), [
    ("length", 12.34, "points", "12.3"),  # it cannot be below nothing, and has no unit of payoffs
    ("worth", 0.04, "points", "+0.040 points"),
    ("worth", -0.0004, "", "0.000"),
    ("use", 33.4, "points", "33 %"),
])  # fmt: skip
def test_figures_as_they_are_told(name: str, value: float, unit: str, wanted: str) -> None:
    assert words.number(name, value, unit) == wanted


@pytest.mark.parametrize(("param", "value", "wanted"), [
    ("price", 3.333, "3.33"), ("share", 3.333, "3.3"), ("sum", 3.333, "3"), ("price", -0.5, "−0.5"),
    ("price", -0.001, "0"),  # no negative zero
    ("sum", 100.0, "100"),
])  # fmt: skip
def test_values_of_parameters_are_as_exact_as_their_range(param: str, value: float, wanted: str) -> None:
    axes = tuple(Axis(name, (0, most), True, 0, most) for name, most in (("price", 9), ("share", 90), ("sum", 2000)))
    found: Any = SimpleNamespace(axes=axes)
    assert words.place(value, Along(param, (), (), (), (), False), found) == wanted


def test_exact_figures_are_those_of_the_games_that_were_solved() -> None:
    """Alone the first seat gets 0.3 more than nobody, and the second 0.5 more (what the first gets less)."""
    values: dict[Any, Any] = {"nobody": 0.2, "first": 0.5, "second": -0.3, "dear first": 0.2, "dear second": None}
    asked: list[str] = []

    def bench(name: str) -> Any:
        conditions = {measuring.NOBODY: "nobody", "a0": f"{name}first", "a1": f"{name}second"}
        return SimpleNamespace(holder_conditions=lambda: conditions, alone=lambda side: f"a{side}")

    def ask(kind: str, jobs: Any) -> list[Any]:
        named = [job.args["conditions"][0] for job in jobs]
        asked.extend(named)
        return [Failed("refused", "no game") if values[one] is None else {"values": [values[one]]} for one in named]

    settings = SimpleNamespace(budget=next(iter(measuring.POSITIONS)))
    context: Any = SimpleNamespace(sides=(0, 1), bench=SimpleNamespace(settings=settings), ask=ask)
    found = measuring.solved(context, [bench(""), bench("dear ")], ["worth"])
    assert found is not None and found[0]["worth"].value == pytest.approx(0.4) and found[0]["worth"].exact
    assert found[1] == {}, "the rules gave no answer there"
    assert sorted(asked) == sorted(values), "each game once"
    context.ask = lambda kind, jobs: [{"values": []} for _ in jobs]
    assert measuring.solved(context, [bench("")], ["worth"]) is None, "too large to be solved"


@dataclass(frozen=True)
class Told:
    """What is left of a summary."""

    decision: str | None
    share: float = 1 / 3
    lone: bool = False


def test_a_summary_has_a_decision_only_where_one_was_asked_for() -> None:
    to_dict: Any = Summary.to_dict
    assert to_dict(Told("a")) == {"decision": "a", "share": 0.3333333333}
    assert to_dict(Told(None)) == {"share": 0.3333333333}
    assert to_dict(Told(None, lone=True)) == {"share": 0.3333333333, "lone": True}


@pytest.mark.parametrize(("blocks", "told"), [
    (1, "Fewer than two seed blocks"), (2, "no difference between strategies can be shown"),
    (FEW_BLOCKS - 1, "the intervals are rough; play more blocks."), (FEW_BLOCKS, ""),
])  # fmt: skip
def test_what_is_warned_of_with_few_blocks(blocks: int, told: str) -> None:
    found: Any = SimpleNamespace(
        names=("a", "b"), level=0.95, sums=SimpleNamespace(independent=blocks, balanced=True),
        total=SimpleNamespace(games=np.ones((2, 2))), separation=SimpleNamespace(separated=False),
        tally=SimpleNamespace(alone=np.zeros((2, 2, 2))), matrix=np.zeros((2, 2)),
    )  # fmt: skip
    warned = _Analysis.warnings(found)
    assert len(warned) == bool(told) and all(told in line for line in warned)
    found.sums.balanced, found.total.games = False, np.zeros((2, 2))
    more = _Analysis.warnings(found)[len(warned) :]
    assert len(more) == 2 and "one way round" in more[0] and more[1].startswith("a and b never met:")


def test_the_game_that_is_shown_of_two_players_is_the_one_of_middle_result() -> None:
    """Of three batches the second by what the first player got, whoever sat first in it."""
    player = lambda n: SimpleNamespace(id=n, person=False, imported=False)  # noqa: E731
    found: Any = [SimpleNamespace(player=player(n), current=True) for n in (4, 6)]
    played = ((4, 6, 9.0, 11), (4, 6, 5.0, 12), (6, 4, 8.0, 13))  # 0.9, 0.5, and 0.2 of the first
    batches: Any = [
        SimpleNamespace(first=i, second=j, points=points, games=10, payoff=0.0, seed=1, number=number)
        for i, j, points, number in played
    ]
    assert [pair.batch for pair in ladder_page._pairs(found, batches)] == [12]
    assert [pair.batch for pair in ladder_page._pairs(found, batches[1:])] == [13]
    found[1].current = False  # it has changed since, and cannot be played again
    assert [pair.batch for pair in ladder_page._pairs(found, batches)] == [-1]


@pytest.mark.parametrize(
    ("settings", "resume", "overwrite", "kept"),
    [(1, True, False, True), (1, True, True, True), (1, False, True, False), (2, True, True, False)],
)
def test_finished_parts_are_kept_for_who_goes_on_with_the_same_test(
    tmp_path: Path, settings: int, resume: bool, overwrite: bool, kept: bool
) -> None:
    """Not for a test begun anew, nor for another one in the same folder: figures would mix both."""
    Store(tmp_path, {"games": 1}, resume=False, overwrite=False)
    part = tmp_path / PARTS / "answer.npz"
    part.write_bytes(b"finished")
    assert (tmp_path / STRESS.file).is_file()
    Store(tmp_path, {"games": settings}, resume, overwrite)
    assert part.exists() is kept


@pytest.mark.parametrize(("whole", "told"), [(True, "a finished stress test: tell it again"), (False, "an unfinished")])
@pytest.mark.parametrize("settings", [1, 2])
def test_who_forgets_to_say_that_a_test_goes_on_loses_nothing(
    tmp_path: Path, settings: int, whole: bool, told: str
) -> None:
    """Hours of play lie in a folder: finished or not, only who says so drops them."""
    Store(tmp_path, {"games": 1}, resume=False, overwrite=False).told(5, whole)
    before = (tmp_path / STRESS.file).read_bytes()
    part = tmp_path / PARTS / "answer.npz"
    part.write_bytes(b"finished")
    with pytest.raises(ProbespielError, match=f"{told}.* with --resume, drop it with --overwrite, or .* --out"):
        Store(tmp_path, {"games": settings}, resume=False, overwrite=False)
    assert part.exists() and (tmp_path / STRESS.file).read_bytes() == before
    assert Store(tmp_path, {"games": 1}, resume=True, overwrite=False).settings == {"games": 1} and part.exists()
