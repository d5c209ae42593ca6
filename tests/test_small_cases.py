"""Statistics of few numbers, worked out by hand: two games, three agents, one block left over."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from scipy.special import stdtrit

from probespiel.evaluation.exploit import learned
from probespiel.evaluation.exploit.records import Target
from probespiel.evaluation.stress import dominance
from probespiel.evaluation.stress.dominance import (
    ALIKE,
    cyclic_by_block,
    likeness,
    matrix_game,
    resampled,
    solved,
    with_luck,
)
from probespiel.evaluation.stress.estimates import odds_ratio, paired
from probespiel.evaluation.tournament import metagame as mg
from probespiel.evaluation.tournament.confidence import BETTORS, Sequence
from probespiel.evaluation.tournament.ratings import ranks
from probespiel.evaluation.tournament.sequential import LEAST_BLOCKS, Race, Until
from probespiel.evaluation.tournament.summary import AgentRow, Interval, plain


def test_the_interval_of_two_deals() -> None:
    """Leads of 1 and 3: their deviation is the root of 2, its error 1, at one degree of freedom."""
    found = paired(np.array([1.0, 4.0]), np.array([0.0, 1.0]))
    assert found.value == 2.0 and found.high - found.value == pytest.approx(stdtrit(1, 0.975))


def test_odds_of_who_never_lost() -> None:
    """Ten wins count as nine and a half, against five of ten."""
    never, half = np.ones(10), np.array([1.0, -1.0] * 5)
    assert odds_ratio(never, half).value == pytest.approx(np.log(9.5 / 0.5))
    assert odds_ratio(-never, half).value == pytest.approx(-np.log(9.5 / 0.5))


def test_what_is_equal_up_to_rounding_goes_by_the_size_of_numbers() -> None:
    assert ranks(np.array([2e10, 2e10 + 1, 0.0])).tolist() == [1, 1, 3]
    assert ranks(np.array([1e-12, 2e-12, 0.0])).tolist() == [2, 1, 3]


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e12])
def test_weak_dominance_has_no_unit(unit: float) -> None:
    """The second is nowhere ahead of the first and once behind; the third is the best reply to itself."""
    m = unit * np.array([[0.0, 1.0, -1.0], [0.0, 0.0, -1.0], [-1.0, -1.0, 0.0]])
    assert [mg.mixed_domination(m, k).weak for k in range(3)] == [False, True, False]
    noisy = m + unit * 1e-12 * np.arange(9).reshape(3, 3)  # rounding is no lead
    assert not mg.mixed_domination(noisy, 2).weak


def test_a_weight_that_just_counts_is_told() -> None:
    assert mg.mixture_text([0.75, 0.25, 0.0], ["a", "b", "c"], least=0.25) == "0.75 a + 0.25 b"


@pytest.mark.parametrize(("left_over", "first"), [(0, 0), (1, 1), (2, 0)])
def test_no_round_is_a_single_block(left_over: int, first: int) -> None:
    race = Race(Until("ranking"), ("a", "b"), (-1.0, 1.0), LEAST_BLOCKS + left_over, 100)
    told = race.round()
    assert told is not None and told[0] == range(LEAST_BLOCKS + first)


def test_who_is_beaten_is_no_measure_of_the_leader() -> None:
    """By means the third leads the first and loses to the second; it is beaten, so that the first leads."""
    mean = np.array([0.1, -1.0, 2.0])  # of 0 over 1, 0 over 2, 1 over 2
    race = SimpleNamespace(names="abc", pairs=((0, 1), (0, 2), (1, 2)), _sequence=SimpleNamespace(mean=mean))
    race._beaten = lambda: np.array([False, False, True])
    assert Race._leader(cast(Any, race)) == 0
    race._beaten = lambda: np.array([False, False, False])
    assert Race._leader(cast(Any, race)) == 1


@pytest.mark.parametrize("scale", [0.1, 1.0, 7.0])
def test_strategies_are_alike_by_deviations_of_results(scale: float) -> None:
    """Rows that differ everywhere by as much as is called alike: exp(-1/2), whatever the unit of results."""
    apart = ALIKE * scale
    blocks = np.tile(np.array([[0.0, 0.0], [apart, apart]]), (4, 1, 1))
    assert likeness(blocks, scale) == pytest.approx(np.array([[1, np.exp(-0.5)], [np.exp(-0.5), 1]]))


def test_means_of_blocks_drawn_again() -> None:
    """Of equal blocks it is their value; of 0 and 1 it lies between, and is 1/2 in the mean."""
    assert resampled(np.full((5, 2), 3.0), 20, 1) == pytest.approx(np.full((20, 2), 3.0))
    drawn = resampled(np.array([0.0, 1.0]), 4000, 1)
    assert set(drawn.tolist()) == {0.0, 0.5, 1.0} and drawn.mean() == pytest.approx(0.5, abs=0.03)


def test_a_block_left_out_does_not_count() -> None:
    """Without the one block that is told apart from the others, nothing is left of it."""
    circle = np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])
    ladder = np.array([[0.0, 1.0, 2.0], [-1.0, 0.0, 1.0], [-2.0, -1.0, 0.0]])
    parts = np.random.default_rng(3).uniform(0.5, 1.5, size=(6, 2))
    blocks = np.array([x * circle + y * ladder for x, y in parts])
    changed = blocks.copy()
    changed[4] += circle
    same, other = cyclic_by_block(blocks), cyclic_by_block(changed)
    assert (same == other).tolist() == [False, False, False, False, True, False]


def test_the_interval_of_the_cyclic_share_is_that_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """3 and 5 without one block of two: an error of 1, with one degree of freedom."""
    monkeypatch.setattr(dominance, "cyclic_by_block", lambda _: np.array([3.0, 5.0]))
    rng = np.random.default_rng(1)
    game, _ = solved(["a", "b"], rng.normal(size=(2, 2, 2)), [np.nan, np.nan], 20, 1, 16, 1.0)
    assert (game.cyclic.value, game.cyclic.low, game.cyclic.high) == (4.0, pytest.approx(4 - 12.706, abs=1e-3),
                                                                     pytest.approx(4 + 12.706, abs=1e-3))  # fmt: skip


def test_luck_does_not_reach_beyond_what_a_share_can_be() -> None:
    """Without one strategy the module is used always, without the other never; shares end at 0 and 1."""
    game = matrix_game(["a", "b"], np.tile([[0.0, 1.0], [-1.0, 0.0]], (8, 1, 1)), [1.0, 0.0], 60, 1)
    equilibria = [(np.array([1]), np.ones(1)), (np.array([0]), np.ones(1))]
    found = with_luck(game, equilibria, np.array([0.4, 0.6, 0.4, 0.6]), np.array([0.0, 1.0]))
    used = found.module_mass
    assert used is not None and (used.low, used.value, used.high) == (0.0, 1.0, 1.0)
    assert (found.cyclic.low, found.cyclic.value, found.cyclic.high) == (0.0, pytest.approx(0.5), 1.0)
    assert found.effective.low == 1.0 and found.learned == 2


def test_a_bettor_on_small_means_says_nothing_of_larger_ones() -> None:
    """Three bettors cannot tell yet; the others, which may bet on means up to 0.03 of the range, tell those."""
    found = Sequence(1, 1.0, 0.05, planned=50)
    for _ in range(24):
        found.add(np.full((1, 1), 0.4))
        found.look()
    assert found.low[0] == pytest.approx(2 * (BETTORS[5][1] - 0.5))


def test_means_move_no_more_once_all_numbers_are_there() -> None:
    found = Sequence(2, 1.0, 0.05, planned=8)
    found.add(np.array([[1.0, 1.0], [-1.0, -1.0]]))
    found.add(np.tile([[0.5], [-0.5]], (3, 1)) * [1.0, 0.0], np.array([True, False]))
    assert found.n.tolist() == [8, 2]
    assert found.to_come().tolist() == [0.0, pytest.approx(found.deviation[1] * (1 / 2 - 1 / 8) ** 0.5)]


def test_the_largest_bet_limits_how_near_to_nothing_can_be_told() -> None:
    """With numbers that never differ it decides alone: six bettors, two numbers, weights of at most 0.95 / 0.53."""
    found = Sequence(1, 3.0, 0.05, planned=200)
    found.add(np.zeros((100, 1)))
    assert found.reach()[0] == pytest.approx(6.0 * (np.log(40) + np.log(6)) / (200 * 0.95 / 0.53))


def test_what_a_line_of_the_leaderboard_says() -> None:
    """Draws count half a point; who drew has neither won nor lost every point of its games."""
    row: Any = SimpleNamespace(games=4.0, wins=0.5, draws=0.5, losses=0.0)
    kind: Any = AgentRow

    def told() -> list[Any]:
        return [one.fget(row) for one in (kind.score, kind.never_lost, kind.never_won)]

    assert told() == [0.75, False, False]
    row.wins, row.draws, row.losses = 0.0, 0.5, 0.5
    assert told() == [0.25, False, False]
    row.draws, row.losses = 0.0, 1.0
    assert told() == [0.0, False, True]
    row.wins, row.losses = 1.0, 0.0
    assert told() == [1.0, True, False]
    row.games = 0.0
    assert told()[1] is False
    assert Interval(-1.0, 3.0).half_width == 2.0


def test_numbers_of_a_summary_are_plain() -> None:
    """Ten significant digits; what is no number is None, and there is no negative zero."""
    told = plain({1: (np.float64(1 / 3), np.nan, -np.inf), "b": [np.int64(2), -0.0, True]})
    assert told == {"1": [0.3333333333, None, None], "b": [2, 0.0, True]} and str(told["b"][1]) == "0.0"


class Taught:
    """A training of four updates of ten decisions; its policy gets 0.5, is not measured, gets -0.25 and 1."""

    course = ({"play/against_x": 0.5, "loss": 9.0}, {"loss": 8.0}, {"play/against_x": -0.25}, {"play/against_x": 1.0})

    def __init__(self, done: int = 0) -> None:
        self.done = done
        self.learner = SimpleNamespace(weights=lambda: f"weights of {self.decisions}")

    @property
    def decisions(self) -> int:
        return 10 * self.done

    @property
    def seconds(self) -> float:
        return 0.5 * self.done

    @property
    def progress(self) -> float:
        return self.done / 4

    def manifest(self) -> str:
        return f"manifest of {self.decisions}"

    def update(self) -> dict[str, float]:
        self.done += 1
        return self.course[self.done - 1]


@pytest.fixture
def teach(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    """Train the second of two best answers; the moments (s) at which it looks at the clock, which look is the last.

    Returns what it told: shares and words.
    """
    written: list[str] = []

    def save(training: Taught, path: Path) -> None:
        written.append(f"checkpoint at {training.decisions}")
        path.write_text(str(training.done), encoding="utf-8")

    def policy(path: Path, manifest: str, weights: str) -> None:
        written.append(f"policy at {manifest.split()[-1]}")
        path.write_text(f"{manifest}, {weights}", encoding="utf-8")

    for name, made in {
        "settings_of": lambda *_, **__: (SimpleNamespace(seed=5), False),
        "SelfPlay": lambda config, device: Taught(),
        "load_checkpoint": lambda path, device, trust: Taught(int(path.read_text(encoding="utf-8"))),
        "save_checkpoint": save,
        "save_policy": policy,
    }.items():
        monkeypatch.setattr(learned, name, made)

    def run(moments: list[float], last: int = 99) -> tuple[list[str], list[tuple[float, str]]]:
        clock, looks, told = iter(moments), iter(range(1, 99)), []
        monkeypatch.setattr(learned, "time", SimpleNamespace(monotonic=lambda: next(clock)))
        courses = learned.Courses(Target("kuhn", "random"), cast(Any, None), tmp_path, 1, 2)
        courses.warm = True
        written.clear()
        courses._train(1, 60.0, lambda share, text: told.append((share, text)), lambda: next(looks) == last)
        return list(written), told

    return run


def test_a_best_answer_goes_on_where_it_was_stopped(teach: Callable[..., Any], tmp_path: Path) -> None:
    """Stopped after the second update: its notes lie beside the checkpoint; after the fourth they are the answer's."""
    written, told = teach([0.0, 0.0, 0.0], last=2)
    assert told == [(0.625, "best answer 2 of 2, payoff +0.500"), (0.75, "best answer 2 of 2, payoff +0.500")]
    assert written == ["checkpoint at 20", "policy at 20"]
    notes = tmp_path / "checkpoint-2.json"
    assert json.loads(notes.read_text(encoding="utf-8")) == {
        "seed": 5, "own_weights": False, "decisions": 20, "seconds": 1.0, "file": "exploiter-2.safetensors",
        "course": [{"decisions": 10, "payoff": 0.5}],
    }  # fmt: skip
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "checkpoint-2.json", "checkpoint-2.part", "exploiter-2.safetensors"
    ]  # fmt: skip
    written, told = teach([0.0, 0.0, 0.0])
    assert [share for share, _ in told] == [0.875, 1.0] and written == ["policy at 40"]
    found = json.loads((tmp_path / "exploiter-2.json").read_text(encoding="utf-8"))
    assert [(one["decisions"], one["payoff"]) for one in found["course"]] == [(10, 0.5), (30, -0.25), (40, 1.0)]
    assert (found["decisions"], found["seconds"]) == (40, 2.0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["exploiter-2.json", "exploiter-2.safetensors"]


def test_a_best_answer_is_kept_every_20_seconds(teach: Callable[..., Any], tmp_path: Path) -> None:
    """Begun at 100, looked at after each update: at 120 nothing is due, at 121 it is, at 141 not, and at 142 again."""
    written, told = teach([100.0, 120.0, 121.0, 121.0, 141.0, 142.0, 142.0])
    assert written == [
        "checkpoint at 20", "policy at 20", "checkpoint at 40", "policy at 40", "policy at 40"
    ]  # fmt: skip
    assert len(told) == 4 and told[-1] == (1.0, "best answer 2 of 2, payoff +1.000")
