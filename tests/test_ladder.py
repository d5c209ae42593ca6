"""Ladders: ratings by hand and by simulation, who plays whom, versions, exports, and what a kill leaves."""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from dataclasses import replace
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from probespiel.app.cli import run as command
from probespiel.app.cli_ladder import _TEXT
from probespiel.app.results import opened
from probespiel.app.session.record import note, outcome_of, record
from probespiel.envs import make_game
from probespiel.envs.core.game import Game
from probespiel.envs.core.replay import Recorder, load
from probespiel.evaluation.tournament import ladder
from probespiel.evaluation.tournament.ladder import (
    GAMES,
    LEAST_BATCHES,
    PersonsGame,
    best_opponent,
    book_of,
    enter,
    enter_games,
    graded,
    lines,
    place,
    play,
    rate,
    rate_by_payoff,
)
from probespiel.evaluation.tournament.ladder_book import Batch, Book, LadderError
from probespiel.evaluation.tournament.ladder_page import (
    TEXTS,
    Pair,
    never_beaten,
    never_compared,
    paid_otherwise,
    render,
    standing_lines,
    standing_of,
    write_reports,
)
from probespiel.evaluation.tournament.plan import version_of
from probespiel.evaluation.tournament.ratings import ELO_SCALE
from tests.whole_runs import held

from .schema_check import assert_valid

_PARTS = re.compile(r"{(\w+)}")
BOT = """class Bot:
    def reset(self, seed):
        pass

    def act(self, view):
        return int(view.legal[{}])
"""


def batch(first: int, second: int, wins: int, losses: int, number: int = 0, draws: int = 0) -> Batch:
    return Batch(number, first, second, 7, wins + draws + losses, wins, draws, losses, 0.0, "")


def test_ratings_of_two_by_hand() -> None:
    """80 of 100 games, with one assumed draw 80.5 of 101: 400 log10(80.5 / 20.5) = 237.6 points apart.

    Ten equal batches pull by less than a game, so that the inverse of the information decides: p (1 - p) 101 = 16.34 of
    the difference, which is twice the deviation of either from their mean: 1.96 * 173.7 * sqrt(1 / 16.34) / 2 = 42.1.
    The likelihood reaches farther upwards: 80.5 to 20 games are 3.8416 / 2 less likely where the better wins 87.09 %.
    """
    ratings, half = rate(2, [batch(0, 1, 8, 2, k) for k in range(10)])
    assert ratings.tolist() == pytest.approx([1500 + 118.8, 1500 - 118.8], abs=0.1)
    most = 0.870925
    lost = 80.5 * np.log(80.5 / 100.5 / most) + 20 * np.log(20 / 100.5 / (1 - most))
    assert lost == pytest.approx(1.96**2 / 2, abs=1e-4)
    assert half.tolist() == pytest.approx([ELO_SCALE * np.log(most / (1 - most)) / 2 - 118.8] * 2, abs=0.1)
    _, one = rate(2, [batch(0, 1, 8, 2, k) for k in range(10)], [1])
    assert np.isinf(one).tolist() == [True, False] and one[1] == half[1], "one is asked for"
    uneven = [batch(0, 1, 10 if k % 5 else 0, 0 if k % 5 else 10, k) for k in range(10)]
    ratings, half = rate(2, uneven)
    assert ratings[0] == pytest.approx(1618.8, abs=0.1)
    pull = 8 * (10 - 10 * 80.5 / 101) ** 2 + 2 * (0 - 10 * 80.5 / 101) ** 2
    assert half[0] > 1.96 * ELO_SCALE * np.sqrt(pull * 10 / 9) / 16.34 / 2
    most = 1 / (1 + np.exp(-2 * (half[0] + 118.8) / ELO_SCALE))  # as much less likely as batches spread more than games
    lost = 80.5 * np.log(80.5 / 100.5 / most) + 20 * np.log(20 / 100.5 / (1 - most))
    assert lost == pytest.approx(1.96**2 / 2 * pull * 10 / 9 / 16.34, rel=2e-3)
    assert np.isinf(rate(2, uneven[: LEAST_BATCHES - 1])[1]).all(), "too few batches"


def test_who_never_played_is_no_number_out_of_nothing() -> None:
    """Alone, and beside two who met ten times: 1500, with an interval without end."""
    with np.errstate(all="raise"):
        alone, beside = rate(1, []), rate(3, [batch(0, 1, 5, 5, k) for k in range(10)])
    assert alone[0].tolist() == [1500.0] and np.isinf(alone[1]).all()
    assert np.isinf(beside[1]).tolist() == [False, False, True]


def paying(first: int, second: int, payoff: float, wins: int = 50, games: int = 100) -> Batch:
    return Batch(0, first, second, 7, games, wins, 0, games - wins, payoff, "")


def test_ratings_by_payoff_of_two_by_hand() -> None:
    """Six batches that pay 0.2 and 0.4 in turn: 0.3 a game, the root of 600 (10 off in each) over 600 games from it.

    That error is 0.0408, with 6 batches for 5 free ones 0.0447, and 2.571 of them are half of 95 % (t with 5 degrees).
    """
    ratings, half = rate_by_payoff(2, [paying(0, 1, 0.2 + 0.2 * (k % 2)) for k in range(6)])
    assert ratings.tolist() == pytest.approx([0.3, -0.3])
    assert half.tolist() == pytest.approx([2.5706 * np.sqrt(600 * 6 / 5) / 600] * 2, rel=1e-4)
    assert np.isinf(rate_by_payoff(2, [paying(0, 1, 0.2)] * (LEAST_BATCHES - 1))[1]).all(), "too few batches"


def test_batches_that_all_pay_alike_tell_nothing_of_a_spread() -> None:
    """No interval then, where one of no width stood: 0.1 and 0.1 + 0.2 fit to rounding. One batch apart gives one."""
    alike = [paying(0, 1, 0.1)] * 8 + [paying(1, 2, 0.2)] * 8 + [paying(0, 2, 0.1 + 0.2)] * 8
    ratings, half = rate_by_payoff(3, alike)
    assert ratings.tolist() == pytest.approx([0.2, 0.05, -0.25]) and np.isinf(half).all()
    _, half = rate_by_payoff(3, [*alike, paying(0, 1, 0.11)])
    assert (half > 1e-4).all() and np.isfinite(half).all()


def test_ratings_by_payoff_of_groups_by_hand() -> None:
    """What each earns from the others of its group on average, however many games a pair has played.

    a earns 0.6 from b, and b 0.2 from c, so a 0.8 from c: 0.7, -0.2 and -0.5. d earns 1 from e, and f has not played. A
    batch of 300 games counts three times.
    """
    found = [paying(0, 1, 0.6)] * 12 + [paying(2, 1, -0.2)] * 6 + [paying(3, 4, 1.5), paying(4, 3, 0.5, games=300)]
    found.append(paying(3, 4, 2.5, games=200))
    ratings, half = rate_by_payoff(6, found)
    third = (1.5 - 3 * 0.5 + 2 * 2.5) / 6
    assert ratings.tolist() == pytest.approx([0.7, -0.2, -0.5, third, -third, 0.0])
    assert np.isfinite(half).tolist() == [True, True, True, False, False, False]


def test_unequal_batches_spread_the_interval() -> None:
    """A pair of 12 batches that are all alike takes its error from the spread of all: 600 games at 1.0 off each.

    b and c: 6 batches of 100 games, 0.1 off each. Missed 6 in all over 18 - 2 free batches: 0.375 a game. a - b has the
    variance 0.375 / 1200, b - c that of its own, 0.01 / 6, where that is more; a counts by half and a half of them.
    """
    found = [paying(0, 1, 0.6)] * 12 + [paying(1, 2, 0.1 + 0.2 * (k % 2)) for k in range(6)]
    _, half = rate_by_payoff(3, found)
    # a is (2 (a - b) + (b - c)) / 3, times 3 / 2
    own = (0.01 / 6) / 4 * 12 / 11
    pooled = 0.375 / 1200 + 0.375 / 600 / 4
    assert half[0] == pytest.approx(2.2010 * np.sqrt(max(own, pooled)), rel=1e-4)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ([], False),
        ([paying(0, 1, 0.0)], False),
        ([paying(0, 1, 0.1)], True),  # even, and paid all the same
        ([paying(0, 1, 0.4, wins=60), paying(1, 0, -0.8, wins=30)], False),  # twice the lead in wins, always
        ([paying(0, 1, 0.4, wins=60), paying(1, 0, -0.7, wins=30)], True),
        ([paying(0, 1, -0.4, wins=60)], True),  # who wins more is paid less
    ],
)
def test_whether_payoffs_tell_more_than_wins(found: list[Batch], told: bool) -> None:
    assert graded(found) is told


@pytest.mark.slow
def test_intervals_by_payoff_hold_the_truth() -> None:
    """1,000 newcomers as below, with payoffs that spread by 1.2 a game and by 0.06 a batch besides."""
    rng = np.random.default_rng(5)
    value = np.array([0.0, 0.2, 0.4, -0.25, -0.5, 0.15])
    truth = (value - value.mean()) * 6 / 5

    def drawn(i: int, j: int) -> Batch:
        won = int(rng.binomial(GAMES, 1 / (1 + np.exp(value[j] - value[i]))))
        return paying(i, j, float(value[i] - value[j] + rng.normal(0, np.hypot(1.2 / np.sqrt(GAMES), 0.06))), won)

    held = np.zeros((1000, 6))
    for row in held:
        found = [drawn(i, j) for i in range(5) for j in range(i) for _ in range(5)]
        while rate(6, found)[1][5] > 40:
            found.append(drawn(5, best_opponent(5, range(5), 6, found)))
        ratings, half = rate_by_payoff(6, found)
        row[:] = np.abs(ratings - truth) <= half
    newcomers, others = float(held[:, 5].mean()), float(held[:, :5].mean())
    print(f"of 1,000 ladders {newcomers:.1%} of newcomers' intervals by payoff hold it, {others:.1%} of the others'")
    assert min(newcomers, others) >= 0.94


def test_a_batch_tells_wins_draws_and_losses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """55 points of 100 games with 10 draws are 50 wins and 40 losses; 0.3 and -0.1 a game are a margin of 0.2."""
    game = make_game("kuhn", compiled=False)
    monkeypatch.setattr(ladder, "GAMES", 4)
    pairs = np.zeros((4, 2, 2))
    pairs[:, 0, 1] = 100, 55, 30, 10
    pairs[2, 1, 0] = -10
    lost = np.array([[0, 0, 1, 2], [0, 1, 1, 2], [3, 1, 1, 1], [5, 0, 0, 3]])  # one game of two seats of the second
    monkeypatch.setattr(ladder, "tally_of", lambda *_: SimpleNamespace(pairs=pairs, forfeits=lost))
    with book_of(tmp_path / "ladder", game) as book:
        first, second = enter(book, game, ["random", "bluffer"])
        found = play(book, game, first, second, 0, seed=1)
    assert found.forfeits == (1, 2)
    assert (found.games, found.wins, found.draws, found.losses, found.payoff) == (100, 50, 10, 40, 0.2)


def test_the_opponent_that_tells_most() -> None:
    """Of an equal that is well known, one far away, and an equal that is hardly known, the first tells most."""
    known = [batch(0, 1, 95, 5, k) for k in range(20)] + [batch(0, 2, 5, 5), batch(3, 0, 5, 5)]
    assert best_opponent(3, [0, 1, 2], 4, known) == 0
    assert best_opponent(3, [1, 2], 4, known) == 2


@pytest.mark.slow
def test_intervals_hold_the_truth() -> None:
    """1,000 newcomers among five, each placed until its interval is short: ratings less the mean of all, 94 % at least.

    That of the newcomer, whose games end when its interval is short, and those of the five others.
    """
    rng = np.random.default_rng(4)
    theta = np.array([0.0, 0.4, 0.8, -0.5, -1.0, 0.3])
    truth = 1500 + ELO_SCALE * (theta - theta.mean())

    def drawn(i: int, j: int) -> Batch:
        won = int(rng.binomial(GAMES, 1 / (1 + np.exp(theta[j] - theta[i]))))
        return batch(i, j, won, GAMES - won)

    held = np.zeros((1000, 6))
    for row in held:
        found = [drawn(i, j) for i in range(5) for j in range(i) for _ in range(5)]
        while (result := rate(6, found))[1][5] > 40:
            found.append(drawn(5, best_opponent(5, range(5), 6, found)))
        row[:] = np.abs(result[0] - truth) <= result[1]
    newcomers, others = float(held[:, 5].mean()), float(held[:, :5].mean())
    print(f"of 1,000 ladders {newcomers:.1%} of newcomers' intervals hold the truth, {others:.1%} of the others'")
    assert min(newcomers, others) >= 0.94


def test_a_changed_bot_is_a_new_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot, file = tmp_path / "bot.py", tmp_path / "l.duckdb"
    bot.write_text(BOT.format(0))
    few = ["--ladder", str(file), "--max-games", "200"]
    assert command(["ladder", "kuhn", "add", "bluffer", f"{bot}:Bot", *few]) == 0
    first = capsys.readouterr()
    assert "entered: bluffer" in first.err and "batch 1:" in first.err and "(an earlier version)" not in first.out
    bot.write_text(BOT.format(-1))
    assert command(["ladder", "kuhn", "update", *few]) == 0
    found = capsys.readouterr()
    assert found.err.count("entered") == 1 and found.out.count("(an earlier version)") == 1
    game = make_game("kuhn")
    with book_of(file, game) as book:
        players, batches = book.players(), book.batches()
        assert [player.agent for player in players] == ["bluffer", f"{bot}:Bot", f"{bot}:Bot"]
        assert len({player.version for player in players}) == 3
        assert {b.first for b in batches} | {b.second for b in batches} == {0, 1, 2}
        assert not any({b.first, b.second} == {1, 2} for b in batches), "an earlier version does not play any more"
        assert sum(line.games for line in lines(book)) == 2 * sum(b.games for b in batches)
        last = len(batches)
    assert command(["ladder", "kuhn", "export", "--ladder", str(file), "--out", str(tmp_path / "b.parquet")]) == 0
    rows = pq.read_table(tmp_path / "b.parquet").to_pylist()
    assert (
        len(rows) == last and rows[0]["ruleset"] == game.ruleset and rows[0]["first_agent"] in ("bluffer", f"{bot}:Bot")
    )
    assert command(["ladder", "leduc", "show", "--ladder", str(file)]) == 0
    assert "Nobody is entered for leduc" in capsys.readouterr().out
    for wrong, text in [
        (["show", "random"], "agents are named with add"),
        (["add"], "add needs an agent"),
        (["export"], "goes with export"),
        (["add", "human"], "a human cannot be entered"),
        (["add", "nobody_of_that_name"], "nobody_of_that_name"),
    ]:
        assert command(["ladder", "kuhn", *wrong, "--ladder", str(file)]) == 2
        assert text in capsys.readouterr().err


def test_a_seed_repeats_its_batch_and_a_place_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("kuhn")
    with book_of(tmp_path / "l.duckdb", game) as book:
        first, second = enter(book, game, ["bluffer", "random"])
        assert enter(book, game, ["bluffer"]) == []
        found = list(place(book, game, second, 60.0, 5000))
        assert LEAST_BATCHES <= len(found) < 50 and book.batches() == found
        assert rate(2, found)[1][1] <= 60 and found[0].games == GAMES
        assert list(place(book, game, second, 60.0, 5000)) == [], "its place is known"
        monkeypatch.setattr("probespiel.evaluation.tournament.ladder.secret_seed", lambda: found[2].seed)
        again = play(book, game, second, first, 2)
        assert (again.wins, again.draws, again.losses) == (found[2].wins, found[2].draws, found[2].losses)
        assert again.payoff == found[2].payoff


@pytest.mark.parametrize("ending", ["duckdb", "json", "csv", "parquet", "txt"])
@pytest.mark.parametrize("content", [b"", b'{"a": 1}', b"something else entirely" * 1000])
def test_a_file_that_is_no_ladder_is_refused_and_left_as_it_is(ending: str, content: bytes, tmp_path: Path) -> None:
    """Also where DuckDB reads files of that ending as tables: what was added to them was kept in memory, and lost."""
    path = tmp_path / f"no.{ending}"
    path.write_bytes(content)
    with pytest.raises(LadderError, match=rf"no\.{ending} cannot be opened as a ladder: it holds something else"):
        Book(path, "l", "kuhn", "standard", "r")
    assert path.read_bytes() == content
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(LadderError, match=r"folder\.json cannot be opened as a ladder"):
        Book(tmp_path / "folder.json", "l", "kuhn", "standard", "r")


@pytest.mark.parametrize("name", ["list.json", "list.csv", ":memory:", "md:list"])
def test_a_ladder_may_have_any_name(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for entered in (["one"], []):
        with Book(Path(name), "l", "kuhn", "standard", "r") as book:
            if entered:
                book.enter("one", "a version", "today")
            assert [player.agent for player in book.players()] == ["one"]
    assert (tmp_path / name).stat().st_size > 0


_WRITER = """
import sys
from pathlib import Path
from probespiel.evaluation.tournament.ladder_book import Batch, Book
with Book(Path(sys.argv[1]), "l", "kuhn", "standard", "r") as book:
    begin = len(book.batches())
    for number in range(begin, begin + 100000):
        book.record(Batch(number, 0, 1, number * 2**70, 100, 50, 0, 50, 0.0, ""))
        print(number, flush=True)
"""


def killed(file: Path, seconds: float) -> int:
    """Write batches in a process that is killed; the number of the last one that it told of, -1 if none."""
    process = subprocess.Popen([sys.executable, "-c", _WRITER, str(file)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(seconds)
    os.kill(process.pid, signal.SIGKILL)
    told = [first, *process.stdout.read().split(b"\n")[:-1]]
    process.wait()
    process.stdout.close()
    return int(told[-1])


@pytest.mark.parametrize("kills", [2, pytest.param(50, marks=pytest.mark.slow)])
def test_nothing_that_was_told_is_missing_after_a_kill(tmp_path: Path, kills: int) -> None:
    rng = random.Random(kills)
    for _ in range(kills):
        told = killed(tmp_path / "l.duckdb", rng.uniform(0, 0.3))
        with Book(tmp_path / "l.duckdb", "l", "kuhn", "standard", "r") as book:
            found = book.batches()
        assert [b.number for b in found] == list(range(len(found))) and len(found) > told >= 0
        assert all(b.seed == b.number * 2**70 and b.games == 100 for b in found)


def results(path: Path) -> list[dict[str, object]]:
    return pq.read_table(path).to_pylist()


def filled(file: Path, game: Game, present: bool = False) -> Book:
    """A ladder of two agents and a bot with an awkward name, without a game played; `present`: the two are here."""
    book = book_of(file, game)
    for agent in ("bluffer", "random", 'my "bot" \\ folder/b.py:Bot'):
        here = present and not agent.endswith("Bot")
        book.enter(agent, version_of(agent) if here else f"version of {agent}", "2026-01-01")
    for number, (i, j) in enumerate([(0, 1), (2, 0), (1, 2), (0, 1)]):
        seed = 2**127 + number
        book.record(
            Batch(number, i, j, seed, 100, 40 + number, 3, 57 - number, 0.1 + number / 3, f"2026-01-0{number + 1}")
        )
    return book


def test_ladders_of_one_file_stay_apart(tmp_path: Path) -> None:
    """Two games in one file: each has its own players and batches; imports go on with its numbers."""
    with filled(tmp_path / "one.duckdb", make_game("kuhn")) as one:
        assert one.batches()[0].points == 41.5, "40 won and 3 drawn"
        assert one.export(tmp_path / "r.parquet") == 4
    with book_of(tmp_path / "one.duckdb", make_game("leduc")) as other:
        assert other.players() == [] and other.batches() == [] and other.rows().num_rows == 0
        other.enter("random", "v", "2026-01-01")
        other.enter("bluffer", "v", "2026-01-01")
        other.record(Batch(0, 0, 1, 5, 10, 5, 0, 5, 0.0, "2026-03-01"))
        assert other.rows().num_rows == 1
    with book_of(tmp_path / "two.duckdb", make_game("kuhn")) as two:
        two.enter("random", "version of random", "2026-01-01")
        two.enter("bluffer", "version of bluffer", "2026-01-01")
        two.record(Batch(0, 0, 1, 5, 10, 5, 0, 5, 0.0, "2026-03-01"))
        twice = pq.read_table(tmp_path / "r.parquet")
        pq.write_table(pa.concat_tables([twice, twice.slice(0, 2)]), tmp_path / "twice.parquet")
        assert two.take_in(tmp_path / "twice.parquet", "2026-02-01") == (4, 2)
        assert [b.number for b in two.batches()] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("name", ["r.parquet", "r.txt"])
def test_what_is_exported_comes_back_exactly(tmp_path: Path, name: str) -> None:
    game = make_game("kuhn")
    with filled(tmp_path / "one.duckdb", game) as one, book_of(tmp_path / "two.duckdb", game) as two:
        assert one.export(tmp_path / name) == 4
        assert two.take_in(tmp_path / name, "2026-02-01") == (4, 0)
        assert two.rows().equals(one.rows()) and two.batches()[3].payoff == 0.1 + 1
        assert [(line.player.agent, line.rating) for line in lines(two)] == [
            (line.player.agent, line.rating) for line in lines(one)
        ]
        assert all(player.imported for player in two.players()) and not any(line.current for line in lines(two))
        assert two.take_in(tmp_path / name, "2026-02-01") == (0, 4), "nothing is there twice"
        two.export(tmp_path / f"again-{name}")
        assert (tmp_path / f"again-{name}").read_bytes() == (tmp_path / name).read_bytes()
        other = "r.txt" if name.endswith("parquet") else "r.parquet"
        two.export(tmp_path / other)
        one.record(Batch(4, 1, 2, 5, 10, 5, 0, 5, 0.0, "2026-03-01"))
        assert one.take_in(tmp_path / other, "2026-02-01") == (0, 4), "either form holds the same"


def test_damaged_and_foreign_files_are_refused_whole(tmp_path: Path) -> None:
    game = make_game("kuhn")
    with filled(tmp_path / "one.duckdb", game) as one:
        one.export(tmp_path / "r.txt")
        one.export(tmp_path / "r.parquet")
    good, packed = (tmp_path / "r.txt").read_text(), (tmp_path / "r.parquet").read_bytes()
    changes = [
        (good[: good.rindex("[Ladder")], "3 batches are there, line 1 says 4"),
        (good[: len(good) // 3], "in the middle of a batch|neither a tag"),
        (good.replace("[Batches", "[Batch"), "line 1: .* does not say how many batches follow"),
        (good.replace("43-3-54", "43-3"), "line .* '43-3' is neither a tag, .* nor a score"),
        (good.replace("[Seed", "[Sead", 1), "the tag Sead is unknown; there are Ladder, Game"),
        (good.replace('[Payoff "0.1"]\n', ""), "the batch that ends here has no Payoff"),
        (good.replace('"0.1"', '"nan"'), "batch 1: payoff is nan; it must be a finite number"),
        (good.replace('"0.1"', '"much"'), "the payoff 'much' is no number"),
        (good.replace(str(2**127 + 3), "-1"), "batch 4: seed is '-1'; it must be a number from 0 to 2"),
        (good.replace("43-3-54", "0-0-0"), "batch 4: 0 won, 0 drawn, 0 lost are not its 0 games"),
        (good.replace('First "bluffer"', 'First "bl\\uffer"'), "means nothing; a backslash is written twice"),
        (good.replace("kuhn", "leduc").replace('[Ladder "', '[Ladder "f'), "batch 1 is of leduc standard, rules"),
    ]
    with book_of(tmp_path / "two.duckdb", game) as two:
        for text, message in changes:
            (tmp_path / "bad.txt").write_text(text)
            with pytest.raises(LadderError, match=message):
                two.take_in(tmp_path / "bad.txt", "2026-02-01")
            assert two.batches() == [] and two.players() == []
        rng = random.Random(3)
        for _ in range(20):
            at = rng.randrange(len(packed))
            (tmp_path / "bad.parquet").write_bytes(packed[:at])
            with pytest.raises(LadderError, match="cannot be imported"):
                two.take_in(tmp_path / "bad.parquet", "2026-02-01")
        pq.write_table(pq.read_table(tmp_path / "r.parquet").drop_columns(["wins"]), tmp_path / "bad.parquet")
        with pytest.raises(LadderError, match="batch 1 has no wins; it is not what"):
            two.take_in(tmp_path / "bad.parquet", "2026-02-01")
        with pytest.raises(LadderError, match=r"no\.txt cannot be imported"):
            two.take_in(tmp_path / "no.txt", "2026-02-01")
        assert two.batches() == [] and two.players() == []


def test_who_was_imported_is_not_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody is asked to play, nor a game named that cannot be shown, until the same agent is entered here."""
    first, second, out = (tmp_path / name for name in ("a.duckdb", "b.duckdb", "r.txt"))
    line = ["ladder", "kuhn", "--max-games", "100", "--ladder"]
    assert command([*line, str(first), "add", "honest", "card_only"]) == 0
    assert "A game of " in capsys.readouterr().out
    assert command([*line, str(first), "export", "--out", str(out)]) == 0
    assert command([*line, str(second), "import", str(out)]) == 0
    told = capsys.readouterr().out
    assert told.count("(imported)") == 2 and "A game of " not in told
    assert command([*line, str(second), "add", "random"]) == 0
    told = capsys.readouterr()
    assert "nobody plays with random: probespiel ladder kuhn add NAME enters another agent" in told.err
    last = told.out.splitlines()[3]
    assert last.split()[:2] == ["3", "–"] and " random " in last, "without a game, below those who played"
    assert command([*line, str(second), "replay", "0"]) == 2
    refusal = capsys.readouterr().err
    assert "was imported" in refusal and "`ladder GAME add " in refusal
    assert command([*line, str(second), "add", "honest", "card_only"]) == 0
    told = capsys.readouterr()
    assert "nobody plays" not in told.err and "A game of " in told.out and "(imported)" not in told.out


def test_an_import_that_breaks_off_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("kuhn")
    with filled(tmp_path / "one.duckdb", game) as one, book_of(tmp_path / "two.duckdb", game) as two:
        one.export(tmp_path / "r.txt")
        record = Book.record

        def failing(book: Book, entered: Batch) -> None:
            if entered.number == 2:
                raise KeyboardInterrupt
            record(book, entered)

        monkeypatch.setattr(Book, "record", failing)
        with pytest.raises(KeyboardInterrupt):
            two.take_in(tmp_path / "r.txt", "2026-02-01")
        assert two.batches() == [] and two.players() == []


def test_people_stand_in_the_same_list(tmp_path: Path) -> None:
    """Rated games against an agent of the ladder are entered once; those against others wait until they are there."""
    game = make_game("kuhn")
    with book_of(tmp_path / "l.duckdb", game) as book:
        enter(book, game, ["bluffer"])
        games = [
            PersonsGame("bluffer", score, score * 2 - 1, f"2026-01-01T10:0{k}") for k, score in enumerate([1, 0.5, 0])
        ]
        waiting = PersonsGame("random", 1, 1.0, "2026-01-02")
        assert enter_games(book, "anna", [*games, waiting]) == (3, ["random"])
        assert enter_games(book, "anna", [*games, waiting]) == (0, ["random"])
        enter(book, game, ["random"])
        assert enter_games(book, "anna", [*games, waiting]) == (1, [])
        found = {line.player.agent: line for line in lines(book)}
        assert found["anna"].player.person and found["anna"].current and found["anna"].points == 2.5
        assert found["anna"].games == 4 and found["anna"].half_width is None, "six games make an interval"
        more = [PersonsGame("random", 1, 1.0, f"2026-01-03T10:0{k}") for k in range(3)]
        enter_games(book, "anna", more)
        line = next(line for line in lines(book) if line.player.person)
        assert line.half_width is not None and line.half_width > 100
        assert [b.seed for b in book.batches()] == [0] * 7
        assert not list(place(book, game, book.players()[0], 1.0, 1)), "nobody asks a person to play"


def test_a_rated_game_at_the_terminal_enters_the_ladder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PROBESPIEL_DATA", str(tmp_path))
    monkeypatch.setattr("getpass.getuser", lambda: "anna")
    games = tmp_path / "games"
    games.mkdir()
    game = make_game("kuhn")
    for practice, rated in [(False, True), (True, True), (False, False)]:
        played = outcome_of(game, {0: "human", 1: "bluffer"}, [3.0, 1.0], practice, "a.json", rated)
        assert played is not None and played.rated is rated and (played.payoff, played.margin) == (3.0, 1.0)
        note(games, played)
    assert [one.rated for one in record(games)] == [True, True, False]
    assert command(["ladder", "kuhn", "add", "bluffer", "--max-games", "100"]) == 0
    found = capsys.readouterr()
    with book_of(tmp_path / "ladder.duckdb", game) as book:
        assert [one.payoff for one in book.batches()] == [1.0], "half of what the person got more"
    assert "entered: 1 rated game of anna" in found.err and "anna (a person)" in found.out
    assert command(["ladder", "kuhn", "page", "--out", str(tmp_path / "l.html"), "--lang", "de"]) == 0
    page = ET.fromstring((tmp_path / "l.html").read_text())
    text = " ".join(page.itertext())
    assert "ein Mensch" in text and "Paarungen" in text and "bluffer" in text
    assert "probespiel ladder kuhn replay 0 --scenario standard" in text, "a person's game can be seen, too"
    assert command(["ladder", "kuhn", "replay", "0", "--out", str(tmp_path / "seen.json")]) == 2
    assert f"its file {games / 'a.json'} is gone" in capsys.readouterr().err
    recorder = Recorder(game, 3, {"first": "human", "second": "bluffer"})
    while not recorder.position.over:
        seat = recorder.position.to_act()[0]
        recorder.apply(seat, recorder.position.legal(seat)[0])
        recorder.roll()
    recorder.replay().save(games / "a.json")
    assert command(["ladder", "kuhn", "replay", "0", "--out", str(tmp_path / "seen.json")]) == 0
    assert (tmp_path / "seen.json").read_bytes() == (games / "a.json").read_bytes()
    (games / "played.jsonl").write_text("")
    assert command(["ladder", "kuhn", "replay", "0", "--out", str(tmp_path / "seen.json")]) == 2
    assert f"a person: it is kept where it was played, and {games} has none of" in capsys.readouterr().err
    told = []
    for lang in ("en", "de"):
        kept, ladder_file = str(tmp_path / f"{lang}.txt"), str(tmp_path / f"{lang}.duckdb")
        capsys.readouterr()
        assert command(["ladder", "kuhn", "export", "--out", kept, "--lang", lang]) == 0
        for _ in range(2):
            assert command(["ladder", "kuhn", "import", kept, "--ladder", ladder_file, "--lang", lang]) == 0
        assert command(["ladder", "leduc", "show", "--ladder", ladder_file, "--lang", lang]) == 0
        told.append([line for line in capsys.readouterr().out.splitlines() if line[:1] not in (" ", "A", "E")])
    assert told == [
        [f"1 batch written to {tmp_path}/en.txt", f"1 batch taken from {tmp_path}/en.txt",
         f"0 batches taken from {tmp_path}/en.txt, 1 was there already", "Nobody is entered for leduc standard."],
        [f"1 Satz nach {tmp_path}/de.txt geschrieben", f"1 Satz aus {tmp_path}/de.txt eingelesen",
         f"0 Sätze aus {tmp_path}/de.txt eingelesen, 1 war schon da", "Für leduc standard ist niemand eingetragen."],
    ]  # fmt: skip


def test_messages_say_the_same_in_both_languages() -> None:
    english, german = ([_PARTS.findall(text) for pair in texts.values() for text in pair] for texts in _TEXT.values())
    assert _TEXT["en"].keys() == _TEXT["de"].keys()
    for one, other in zip(english, german, strict=True):
        assert set(one) == set(other)


def test_the_page_tells_ratings_pairs_and_history(tmp_path: Path) -> None:
    """All of it from the record alone, which a file keeps."""
    game = make_game("kuhn")
    with filled(tmp_path / "l.duckdb", game, present=True) as book:
        found = standing_of(book)
    held("ladder kuhn", found)
    html = render(found)
    root = ET.fromstring(html)
    sections = [e.attrib["id"] for e in root.iter() if e.tag.endswith("section")]
    assert sections == ["list", "pairs", "seen", "history"]
    assert html.count("<svg") == 1 and "<script" not in html and html == render(found)
    assert ">bluffer<" in html and "my &#34;bot&#34;" in html
    # bluffer against random: 41.5 and 44.5 of 200
    assert 'title="bluffer against random: 43.0%, 200, ' in html
    assert 'title="bluffer gegen random: 43,0' in render(found, "de")
    dated = replace(found, first="2026-01-02T03:04:05", last="2027-02-03T04:05:06")
    assert "2026-01-02T03:04 to 2027-02-03T04:05" in render(dated)
    numbers = write_reports(tmp_path / "page.html", found)
    assert_valid(numbers)
    result = opened(numbers)
    assert numbers == tmp_path / "page.json" and (tmp_path / "page.html").read_text() == result.page("en")
    assert "Rating list" in result.page("en") and "Wertungsliste" in result.page("de")
    assert result.lines("en").splitlines() == standing_lines(found)
    german = standing_lines(found, "de")
    once = replace(found, rows=(replace(found.rows[0], games=1, points=0.5), *found.rows[1:]))
    rows = standing_lines(once)
    assert rows[0].split() == ["payoff", "by", "wins", "games", "won", "player"] and "  1       50%  " in rows[1]
    assert {len(row.partition(row_of.name)[0]) for row, row_of in zip(rows[1:], once.rows, strict=False)} == {
        rows[0].index("player")
    }, "columns stand below their heads"
    assert "  1      50\xa0%  " in standing_lines(once, "de")[1]
    assert not set(german) & set(standing_lines(found)) and "Spiele" in german[0] and german[-1].startswith("Ein Spiel")
    with book_of(tmp_path / "none.duckdb", game) as book:
        assert "Nobody is entered yet." in render(standing_of(book))
        assert standing_lines(standing_of(book), "de") == ["Für kuhn standard ist niemand eingetragen."]
    assert {len(texts) for texts in TEXTS.values()} == {2}
    with book_of(tmp_path / "l.duckdb", game) as book:
        rules = ("--module", "my rule.py:cost=2", "--set", "a=1")
        assert "--module &#39;my rule.py:cost=2&#39; --set a=1<" in render(standing_of(book, rules))
        assert standing_lines(found)[-1].endswith(" --scenario standard")


def test_a_list_goes_by_what_games_pay(tmp_path: Path) -> None:
    """Who wins 60 of 100 and loses 0.3 a game stands below, in the list, over time and in the pairs, in words too."""
    game = make_game("kuhn", compiled=False)
    with book_of(tmp_path / "l.duckdb", game) as book:
        for name in ("bluffer", "random"):
            book.enter(name, "v", "2026-01-01")
        for number in range(6):
            book.record(Batch(number, 0, 1, 3, 100, 60, 0, 40, -0.2 - 0.2 * (number % 2), f"2026-01-0{number + 1}"))
        found = standing_of(book)
    assert [(row.name, row.paid) for row in found.rows] == [
        ("random", pytest.approx(0.3)),
        ("bluffer", pytest.approx(-0.3)),
    ]
    assert found.graded and found.rows[1].rating > 1500 > found.rows[0].rating
    assert found.history[-1].ratings == (pytest.approx(0.3), pytest.approx(-0.3))
    text = standing_lines(found)
    assert text[1].split()[:4] == ["1", "+0.300", "±0.115", "1465"] and text[2].split()[1] == "−0.300"
    html = render(found, "de")
    assert "<strong>+0,300</strong> <small>±0,115</small>" in html and ">+0,300 <small" in html
    assert "Was der Spieler der Zeile im Mittel je Spiel" in html and "das Mittel aller, die bis dahin gespielt" in html
    assert "Ein Spiel wird hier nicht nur gewonnen" in html


def test_groups_that_never_met_are_not_compared(tmp_path: Path) -> None:
    """The order between them is by chance of the mean 1500: words say so, of those who have played."""
    names = [f"a{k}" for k in range(7)] + ["b", "c", "idle"]
    with book_of(tmp_path / "l.duckdb", make_game("kuhn", compiled=False)) as book:
        for name in names:
            book.enter(name, "v", "2026-01-01")
        for number in range(6):  # a chain: a0 wins from a1, that from a2, and so on
            book.record(Batch(number, number, number + 1, 3, 100, 60, 0, 40, 0.2, "2026-01-01"))
        assert never_compared(standing_of(book), "en") == [], "all who played are joined by the chain"
        book.record(Batch(6, 7, 8, 3, 100, 99, 0, 1, 0.98, "2026-01-01"))
        found = standing_of(book)
    assert [row.name for row in found.rows][:3] == ["a0", "b", "a1"] or found.rows[0].name == "b"
    (text,) = never_compared(found, "en")
    inside = text.partition(": ")[2].partition(". ")[0].split("; ")
    assert sorted(inside) == ["a0, a1, a2, a3, a4 and 2 more", "b, c"]
    (german,) = never_compared(found, "de")
    assert "a4 und 2 weitere" in german and "idle" not in text + german
    assert text in standing_lines(found) and german in standing_lines(found, "de")
    assert german in unescape(render(found, "de")) and text in unescape(render(found))


def test_who_never_lost_is_told_without_a_number(tmp_path: Path) -> None:
    """a and b took games from each other, but lost none to c or d; c won all from d. e and f drew: nothing to tell."""
    games = [(0, 1, 60, 0), (1, 2, 100, 0), (0, 3, 100, 0), (2, 3, 100, 0), (4, 5, 0, 100)]
    with book_of(tmp_path / "l.duckdb", make_game("kuhn", compiled=False)) as book:
        for name in "abcdefg":
            book.enter(name, "v", "2026-01-01")
        for number, (i, j, won, drawn) in enumerate(games * 6):
            if number == 10:
                assert never_beaten(standing_of(book), "en") == [], "with so few batches no number says how sure it is"
            book.record(
                Batch(number, i, j, 3, 100, won, drawn, 100 - won - drawn, (2 * won + drawn) / 100 - 1, "2026-01-01")
            )
        found = standing_of(book)
        assert (text := never_beaten(found, "en"))[0].partition(": ")[2].partition(". ")[0] == "a, b > c > d"
        assert len(text) == 1 and text[0] in standing_lines(found) and text[0] in unescape(render(found))
        (german,) = never_beaten(found, "de")
        assert "a, b > c > d. Keine Zahl" in german and german in standing_lines(found, "de")
        book.record(Batch(30, 3, 0, 3, 100, 0, 1, 99, -0.98, "2026-01-01"))  # half a game is enough
        book.record(Batch(31, 4, 5, 3, 100, 99, 1, 0, 0.98, "2026-01-01"))
        assert never_beaten(standing_of(book), "en") == []
        book.record(Batch(32, 4, 6, 3, 100, 100, 0, 0, 1.0, "2026-01-01"))  # two groups, of which one has an interval
        (text,) = never_beaten(standing_of(book), "en")
        assert ": e, f > g. " in text


def test_many_groups_are_not_all_named(tmp_path: Path) -> None:
    """Four of five, and then dots; of four no dots."""
    for pairs in (4, 5):
        with book_of(tmp_path / f"{pairs}.duckdb", make_game("kuhn", compiled=False)) as book:
            for k in range(2 * pairs):
                book.enter(f"p{k}", "v", "2026-01-01")
            for k in range(pairs):
                book.record(Batch(k, 2 * k, 2 * k + 1, 3, 100, 50 + k, 0, 50 - k, 0.02 * k, "2026-01-01"))
            (text,) = never_compared(standing_of(book), "en")
        assert text.count("; ") == 3 + (pairs == 5) and ("…" in text) == (pairs == 5)


def test_a_pair_by_hand(tmp_path: Path) -> None:
    """Three batches between two: sums over both directions, and of those that can be repeated the middle one."""
    game = make_game("kuhn", compiled=False)
    with book_of(tmp_path / "l.duckdb", game) as book:
        for name in ("bluffer", "random"):
            book.enter(name, version_of(name), "2026-01-01")
        for number, (first, seed, wins, payoff) in enumerate([(0, 3, 80, 0.5), (1, 4, 10, -0.25), (0, 0, 85, 0.75)]):
            times = f"2026-01-0{number + 1}"
            book.record(Batch(number, first, 1 - first, seed, 100, wins, 0, 100 - wins, payoff, times))
        found = standing_of(book)
    (pair,) = found.pairs
    assert [row.name for row in found.rows] == ["bluffer", "random"] and (pair.first, pair.second) == (0, 1)
    assert (pair.games, pair.points) == (300, 255) and pair.payoff == pytest.approx((0.5 + 0.25 + 0.75) / 3)
    assert pair.batch == 0, "of 80 and 90 % the lower; the third has no seed and can only be seen if it is a person's"
    assert (found.first, found.last) == ("2026-01-01", "2026-01-03")
    assert [moment.games for moment in found.history] == [200, 300]


def test_a_game_of_a_batch_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Played again from its seed, compared with what was kept; the game is one that the better one wins."""
    monkeypatch.setattr(ladder, "secret_seed", lambda: 5)  # of a batch that is no draw
    path, file = tmp_path / "l of two.duckdb", tmp_path / "game.json"
    line = ["ladder", "kuhn", "--ladder", str(path)]
    assert command([*line, "add", "honest", "card_only", "--max-games", "100"]) == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert told.startswith("A game of ")
    monkeypatch.chdir(tmp_path)
    assert command(shlex.split(told.partition(": ")[2])[1:]) == 0, "as it stands there"
    assert capsys.readouterr().out.startswith("probespiel replay kuhn-batch-")
    game = make_game("kuhn")
    assert command([*line, "replay", "0", "--out", str(file)]) == 0
    assert f"probespiel replay {file}" in capsys.readouterr().out
    with book_of(path, game) as book:
        batch, players = book.batches()[0], book.players()
        replay = load(file)
        assert replay.agents is not None
        seat = list(replay.agents.values()).index(players[batch.first].agent)
        assert np.sign(replay.payoffs[seat]) == np.sign(batch.wins - batch.losses) != 0
        number = len(book.batches())
        book.record(replace(batch, number=number, wins=batch.wins + 1, losses=batch.losses - 1))
        book.record(replace(batch, number=number + 1, seed=0))
        with pytest.raises(LadderError, match="cannot be shown: played again it ends"):
            ladder.shown(book, game, number)
        with pytest.raises(LadderError, match="a person: it has no seed"):
            ladder.shown(book, game, number + 1)
        with pytest.raises(LadderError, match=f"there are {number + 2}, numbered from 0 on"):
            ladder.shown(book, game, number + 2)
    for wrong, told in (
        (["replay"], "replay needs the number of one batch"),
        (["replay", "x"], "'x' is no number of a batch"),
        (["page", "--out", str(tmp_path / "page.json")], "the page is an .html file"),
        (["show", "--out", str(file)], "--out FILE goes with export"),
    ):
        assert command([*line, *wrong]) == 2
        assert told in capsys.readouterr().err


def test_games_that_are_forfeited_are_told_with_what_shows_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list tells no more than who lost; the command that is named stands as it is, for the ladder at hand."""
    path, bot = tmp_path / "l of two.duckdb", tmp_path / "bot.py"
    bot.write_text("class Bot:\n    def act(self, view):\n        return view.legal_actions[0]\n")
    line = ["ladder", "kuhn", "add", "honest", f"{bot}:Bot", "--max-games", "100", "--ladder", str(path)]
    monkeypatch.chdir(tmp_path)
    assert command([*line, "--lang", "de"]) == 0
    told = capsys.readouterr().err
    assert f"100 von 100 Spielen hat {bot}:Bot verwirkt: probespiel ladder kuhn replay 0 " in told
    assert "Spielen hat honest verwirkt" not in told
    asked = told.partition("verwirkt: ")[2].partition(" zeigt")[0]
    assert command(shlex.split(asked)[1:]) == 0
    assert "it ends with a forfeit: AttributeError: 'View' object has no attribute" in capsys.readouterr().err


def test_a_ladder_that_is_not_there_is_not_made_by_looking(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt file would be an empty list, and stay."""
    missing = tmp_path / "ladder.duckdb"
    for action in (["show"], ["update"], ["page", "--out", str(tmp_path / "page.html")], ["replay", "0"]):
        assert command(["ladder", "kuhn", *action, "--ladder", str(missing)]) == 2
        assert f"--ladder {missing}: there is no such file" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


def test_who_wins_more_and_is_paid_less(tmp_path: Path) -> None:
    """Ratings count wins: where payoffs say the opposite, the list says so, of the pair that was paid most."""
    with filled(tmp_path / "l.duckdb", make_game("kuhn")) as book:
        found = replace(standing_of(book), rows=standing_of(book).rows[:3], pairs=())
    names = [row.name for row in found.rows]
    agrees = Pair(0, 1, 200, 120.0, 0.1, -1)
    level = Pair(0, 1, 200, 100.8, -0.1, -1)  # 50.4 %
    small, large = Pair(0, 2, 200, 130.0, -0.05, -1), Pair(1, 2, 400, 160.0, 0.25, -1)
    assert paid_otherwise(replace(found, pairs=(agrees, level)), "en") == []
    assert paid_otherwise(replace(found, pairs=(agrees, small)), "en") == [
        f"What games pay decides here, not who wins: {names[0]} took 65% of the points against {names[2]}, but got "
        "−0.050 a game on average."
    ]
    (german,) = paid_otherwise(replace(found, pairs=(small, large)), "de")
    assert f"{names[2]} holte 60\xa0% der Punkte gegen {names[1]}, bekam aber im Mittel −0,250 je Spiel." in german
    both = replace(found, pairs=(small, large))
    assert german in standing_lines(both, "de") and german in unescape(render(both, "de"))
