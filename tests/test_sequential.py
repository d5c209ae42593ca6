"""Tournaments that stop when they know: the intervals against a naive copy of the theorem, and how often they err."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from probespiel.app.cli import run as command
from probespiel.envs import make_game
from probespiel.envs.core.game import Game
from probespiel.evaluation.tournament import playing
from probespiel.evaluation.tournament.plan import TournamentError
from probespiel.evaluation.tournament.progress import Silent
from probespiel.evaluation.tournament.results import make_table
from probespiel.evaluation.tournament.run import TournamentInterrupted, run_tournament
from probespiel.evaluation.tournament.sequential import LEAST_BLOCKS, Sequence, Until, Watch, _leads

FIELD = ("random", "card_only", "bluffer")


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


def naive(blocks: list[list[float]], span: float, error: float) -> list[tuple[float, float]]:
    """Theorem 2 of the paper, number by number, with weights and means that change at the ends of blocks only."""
    seen: list[float] = []
    squares = weighted = weights = cost = 0.0
    low, high, found = -span, span, []
    for block in blocks:
        mean = (0.5 + sum(seen)) / (len(seen) + 1)
        variance = (0.25 + squares) / (len(seen) + 1)
        t = len(seen) + len(block)
        weight = min(math.sqrt(2 * math.log(2 / error) / (variance * t * math.log(1 + t))), 0.5)
        for value in block:
            x = (value + span) / (2 * span)
            v = 4 * (x - mean) ** 2
            psi = (-math.log(1 - weight) - weight) / 4
            weighted, weights, cost = weighted + weight * x, weights + weight, cost + v * psi
            squares += (x - mean) ** 2
            seen.append(x)
        half = (math.log(2 / error) + cost) / weights
        low = max(low, (weighted / weights - half) * 2 * span - span)
        high = min(high, (weighted / weights + half) * 2 * span - span)
        found.append((low, high))
    return found


def test_the_intervals_are_those_of_the_theorem() -> None:
    rng = np.random.default_rng(5)
    blocks = [rng.uniform(-3, 2, (n, 2)) * [1, 0.1] for n in (40, 7, 300, 1, 90)]
    sequence = Sequence(2, 3.0, 0.01)
    for i, block in enumerate(blocks):
        sequence.add(block)
        for k in range(2):
            expected = naive([b[:, k].tolist() for b in blocks], 3.0, 0.01)[i]
            assert (sequence.low[k], sequence.high[k]) == pytest.approx(expected, abs=1e-12)


def test_a_case_by_hand() -> None:
    """1000 times 0 of [-1, 1]: scaled 1/2, the mean that is assumed before, so that only certainty has a price.

    Variance 1/4: weight sqrt(2 ln 40 / (1000 ln(1001) / 4)) = 0.06536; half = ln 40 / (1000 x 0.06536) = 0.05644.
    """
    sequence = Sequence(1, 1.0, 0.05)
    sequence.add(np.zeros((1000, 1)))
    assert sequence.low[0] == pytest.approx(-2 * 0.05644, abs=1e-4) and sequence.high[0] == pytest.approx(
        0.11288, abs=1e-4
    )
    with pytest.raises(TournamentError, match=r"1\.5 is outside .* 1: the payoff range"):
        sequence.add(np.full((1, 1), 1.5))


def test_the_truth_is_inside_however_often_one_looks() -> None:
    """400 streams of skewed numbers of mean 0, looked at after each of 60 blocks: at most 5 % ever lose the truth."""
    rng = np.random.default_rng(11)
    lost = np.zeros(400, dtype=bool)
    sequence = Sequence(400, 1.0, 0.05)
    for _ in range(60):
        sequence.add(np.where(rng.random((50, 400)) < 0.2, 0.8, -0.2))
        lost |= (sequence.low > 0) | (sequence.high < 0)
    assert lost.mean() <= 0.05
    assert (sequence.high - sequence.low).mean() < 0.12, "3,000 numbers of deviation 0.4 tell more than nothing"


def block_of(payoffs: np.ndarray, first_deal: int = 0) -> pa.Table:
    """A block, rows as in the results: `payoffs` float64[deals, pairs] of the first of each pair, in both seats."""
    deals, pairs = payoffs.shape
    agents = next(n for n in range(2, 20) if n * (n - 1) // 2 == pairs)
    who = np.array(list(combinations(range(agents), 2)))
    rows: dict[str, list[float]] = {name: [] for name in ("deal", "pairing", "seating", "seat", "agent", "payoff")}
    for deal in range(deals):
        for pair in range(pairs):
            for seating in range(2):
                for seat in range(2):
                    mine = seat == seating  # the first of the pair
                    values = (first_deal + deal, pair, seating, seat, who[pair][0 if mine else 1])
                    worth = payoffs[deal, pair] * (1 if mine else -1)
                    for name, value in zip(rows, (*values, worth), strict=True):
                        rows[name].append(value)
    n = len(rows["deal"])
    game = np.arange(n) // 2
    result = np.sign(rows["payoff"]).astype(int)
    more = {"block": np.zeros(n, int), "game": game, "team": rows["seat"], "result": result}
    return make_table(
        {**rows, **more, "decisions": np.ones(n, int), "forfeit": np.zeros(n, int), "length": np.full(n, 2)}
    )


def test_what_agents_earn_from_the_field_and_from_each_other() -> None:
    """Three agents, one deal: 0 wins 2 from 1, loses 1 to 2; 1 wins 4 from 2. Means: 0.5, 1, -1.5."""
    table = block_of(np.array([[2.0, -1.0, 4.0]]))
    pairs = tuple(combinations(range(3), 2))
    assert _leads(table, pairs, 3, field_mean=True).tolist() == [[-0.5, 2.0, 2.5]]
    assert _leads(table, pairs, 3, field_mean=False).tolist() == [[2.0, -1.0, 4.0]]


def test_equal_strategies_are_seldom_told_apart() -> None:
    """150 tournaments of four equal strategies, looked at after every block: at most 5 % say anything false."""
    rng = np.random.default_rng(2)
    wrong = 0
    for _ in range(150):
        watch = Watch(Until("ranking"), ("a", "b", "c", "d"), (-2.0, 2.0), 12)
        assert watch._sequence.error == pytest.approx(0.05 / 6), "six comparisons share the error"
        for block in range(12):
            watch.add(block_of(rng.choice([-2.0, -1.0, 1.0, 2.0], (12, 6)), 12 * block))
        wrong += bool((abs(watch.signs) == 1).any())
    assert wrong <= 7


@pytest.mark.parametrize(
    ("goal", "blocks", "text"),
    [
        ("ranking", 10, "a earns more than b and c; b earns more than c (after 10 of at most 40 blocks)."),
        ("best", 10, "a earns more than b and c (after 10 of at most 40 blocks)."),
        ("dominance", 10, "a wins from b and c; b wins from c (after 10 of at most 40 blocks)."),
    ],
)
def test_it_stops_when_it_knows(goal: str, blocks: int, text: str) -> None:
    rng = np.random.default_rng(0)
    watch = Watch(Until(goal), ("a", "b", "c"), (-2.0, 2.0), 40)
    answers = []
    while not answers or not answers[-1]:
        answers.append(watch.add(block_of(rng.normal([0.8, 1.0, 0.7], 0.1, (60, 3)), 60 * len(answers))))
    assert len(answers) == blocks >= LEAST_BLOCKS
    found = watch.decision()
    assert found.decided and found.text == f"With 95% certainty, however often one looked: {text}"
    assert found.low[0] < (0.8 if goal == "dominance" else 0.95) < found.high[0]  # (0.8 + 1.0) / 2 - (0.7 - 0.8) / 2


def test_agents_within_a_bound_are_equal() -> None:
    watch = Watch(Until("ranking", within=0.3), ("a", "b"), (-1.0, 1.0), 60)
    rng = np.random.default_rng(1)
    while not watch.add(block_of(rng.choice([-1.0, 1.0], (40, 1)), 40 * watch.blocks)):
        assert watch.blocks < 60
    assert "a and b are within 0.3" in watch.decision().text
    forever = Watch(Until("ranking"), ("a", "b"), (-1.0, 1.0), 12)
    assert not any(forever.add(block_of(rng.choice([-1.0, 1.0], (40, 1)), 40 * i)) for i in range(12))
    assert (
        "of 1 pair it is not known" in forever.decision().text
        and "The goal was not reached." in forever.decision().text
    )


@pytest.mark.parametrize(("mean", "text"), [(0.3, "so more than 0 "), (-0.2, "so less than 0.2 ")])
def test_a_sequential_test_says_which_of_the_two_it_is(mean: float, text: str) -> None:
    watch = Watch(Until("sprt", low=0.0, high=0.2), ("a", "b"), (-1.0, 1.0), 100)
    rng = np.random.default_rng(4)
    while not watch.add(block_of(np.where(rng.random((40, 1)) < (1 + mean) / 2, 1.0, -1.0), 40 * watch.blocks)):
        pass
    assert text in watch.decision().text


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        ({"goal": "glory"}, "until = 'glory' is unknown: one of ranking, best, dominance"),
        ({"goal": "best", "within": -1.0}, "within = -1 is not allowed"),
        ({"goal": "sprt", "low": 1.0, "high": 1.0}, "sprt 1 1 is not allowed"),
        ({"goal": "best", "level": 1.0}, "level = 1 is not allowed"),
    ],
)
def test_wrong_goals_are_refused(bad: dict, text: str) -> None:
    with pytest.raises(TournamentError, match=text):
        Until(**bad)
    with pytest.raises(TournamentError, match="compares two agents, not 3"):
        Watch(Until("sprt", high=1.0), ("a", "b", "c"), (-1.0, 1.0), 4)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


class _StopsAt(Silent):
    """Interrupts after some blocks."""

    def __init__(self, blocks: int) -> None:
        self.left = blocks

    def advance(self, games: int) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_the_same_end_for_any_number_of_processes_and_after_any_stop(
    kuhn: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    until = Until("best", within=0.1)
    done = run_tournament(kuhn, FIELD, 20_000, 7, out=tmp_path / "one", resamples=50, until=until)
    assert done.decision and done.decision.decided and LEAST_BLOCKS <= done.decision.blocks < 60
    assert done.blocks == done.decision.blocks and done.games == done.decision.blocks * 200 * 3
    reference = files(tmp_path / "one")
    assert json.loads(reference["summary.json"])["summary"]["decision"]["text"] == done.decision.text
    assert done.decision.text[:40] in reference["report.html"].decode()
    monkeypatch.setattr(playing, "START_SECONDS", 0.0)
    run_tournament(kuhn, FIELD, 20_000, 7, jobs=2, out=tmp_path / "two", resamples=50, until=until)
    assert files(tmp_path / "two") == reference
    for blocks in (3, done.decision.blocks - 1):
        folder = tmp_path / f"stopped-{blocks}"
        with pytest.raises(TournamentInterrupted):
            run_tournament(kuhn, FIELD, 20_000, 7, out=folder, resamples=50, until=until, progress=_StopsAt(blocks))
        with pytest.raises(TournamentError, match="until: goal was"):
            other = Until("ranking", within=0.1)
            run_tournament(kuhn, FIELD, 20_000, 7, out=folder, resume=True, until=other)
        run_tournament(kuhn, FIELD, 20_000, 7, out=folder, resume=True, resamples=50, until=until)
        assert files(folder) == reference
    run_tournament(kuhn, FIELD, 20_000, 7, out=tmp_path / "one", resume=True, resamples=50, until=until)
    assert files(tmp_path / "one") == reference, "nothing is played twice"


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "match"
    arguments = ["kuhn", "bluffer", "random", "--seed", "3", "--max-games", "20000", "--out", str(out)]
    assert command(["match", *arguments, "--sprt", "0", "0.05"]) == 0
    assert "so more than 0 (after 10 of at most 100 blocks)" in capsys.readouterr().out
    assert "probespiel match kuhn bluffer random --sprt 0 0.05" in (out / "summary.json").read_text()
    assert command(["match", *arguments, "--sprt", "1", "0"]) == 2
    assert "sprt 1 0 is not allowed" in capsys.readouterr().err
    plain = [
        "tournament",
        "kuhn",
        "--agents",
        "random,bluffer",
        "--jobs",
        "1",
        "--seed",
        "1",
        "--out",
        str(tmp_path / "t"),
    ]
    assert command([*plain, "--until", "ranking", "--max-games", "20000"]) == 0
    found = capsys.readouterr()
    assert (
        "bluffer earns more than random (after 10 of" in found.out
        and "20,000 games of each pair at the most" in found.err
    )
    for wrong, text in [
        (["--within", "0.1"], "go with --until"),
        (["--until", "best", "--games", "4"], "give --max-games"),
        (["--until", "glory"], "glory"),
    ]:
        assert command([*plain, *wrong]) == 2
        assert text in capsys.readouterr().err
