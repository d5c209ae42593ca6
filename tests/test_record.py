"""The record of a person's games: what is noted, what counts for the rating, and what the rating is."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from probespiel.app.cli import run
from probespiel.app.session.journal import read_journal
from probespiel.app.session.record import NAME, difference, level_of, record, standings
from probespiel.app.session.table import Table
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn", compiled=False)


def play(table: Table) -> None:
    """First legal actions to the end."""
    while not table.over:
        seat = (table.waiting() or table.thinking())[0]
        table.choose(seat, table.legal(seat)[0])
    table.close()


def new(kuhn: Game, folder: Path, seed: int = 1, **more: object) -> Table:
    return Table(kuhn, {0: "human", 1: "random"}, seed, keep=folder, **more)  # type: ignore[arg-type]


def test_a_finished_game_is_noted_once(kuhn: Game, tmp_path: Path) -> None:
    table = new(kuhn, tmp_path)
    play(table)
    (played,) = record(tmp_path)
    assert (played.game, played.seat, played.opponent, played.practice) == ("kuhn", "first", "random", False)
    payoff = table.replay().payoffs[0]
    assert played.payoff == payoff and played.score == (payoff > 0)
    assert table.path is not None and played.file == table.path.name
    two = Table(kuhn, {0: "human", 1: "human"}, 1, keep=tmp_path)
    play(two)
    play(Table(kuhn, {0: "human", 1: "random"}, 1))
    assert len(record(tmp_path)) == 1, "neither games of several people nor those that are kept nowhere"


def test_what_was_taken_back_or_helped_counts_for_nothing(kuhn: Game, tmp_path: Path) -> None:
    table = new(kuhn, tmp_path)
    table.choose(0, table.legal(0)[0])
    table.undo(0)
    assert table.path is not None
    table.close()
    again = Table.resume(table.path, game=kuhn)  # it is known after a restart, too
    assert again.practice
    play(again)
    helped = new(kuhn, tmp_path)
    helped.practise()
    assert helped.path is not None and read_journal(helped.path).taken_back
    before = helped.replay().steps
    helped.close()
    resumed = Table.resume(helped.path, game=kuhn)
    assert resumed.practice and resumed.replay().steps == before
    play(resumed)
    middle = new(kuhn, tmp_path)
    middle.choose(0, 0)
    entries = middle.replay().steps
    middle.close()
    play(new(kuhn, tmp_path, 7, entries=entries))
    assert [played.practice for played in record(tmp_path)] == [True, True, True]
    (standing,) = standings(record(tmp_path))
    assert (standing.games, standing.rated, standing.rating) == (3, 0, None)


def test_damaged_lines_are_left_out(kuhn: Game, tmp_path: Path) -> None:
    play(new(kuhn, tmp_path))
    line = (tmp_path / NAME).read_text()
    broken = [line[:30], "[]", "{}", line.replace('"kuhn"', "3"), line.replace("false", '"x"'), line + '{"game":']
    (tmp_path / NAME).write_text("\n".join(broken))
    assert len(record(tmp_path)) == 1
    assert record(tmp_path / "nowhere") == []


def test_differences_of_ratings() -> None:
    rating, low, high = difference(5, 10)
    assert rating == 0 and low == pytest.approx(-high) and 150 < high < 250
    rating, low, high = difference(10, 10)
    assert rating > 400 and low == pytest.approx(400 * math.log10(0.7225 / 0.2775), abs=1) and high == math.inf
    assert difference(0, 3)[1] == -math.inf
    # 64 of 100 points are a lead of 100
    assert difference(6400, 10000)[0] == pytest.approx(100, abs=1)
    assert difference(640, 1000)[2] - difference(640, 1000)[1] < difference(64, 100)[2] - difference(64, 100)[1]


def test_levels_are_known_by_their_agents() -> None:
    assert level_of("kuhn", "casual:temperature=0.8,sims=8,overlook=0.5,seconds=2") == 1
    assert level_of("kuhn", "random") == 0 and level_of("gone", "random") == 0 and level_of("kuhn", "a + b") == 0


def test_the_command(
    kuhn: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROBESPIEL_DATA", str(tmp_path))
    assert run(["stats"]) == 0
    assert "No finished game yet" in capsys.readouterr().out
    (tmp_path / "games").mkdir()
    for seed in (1, 2):
        play(new(kuhn, tmp_path / "games", seed))
    for lang, words in (("en", "95 % interval"), ("de", "95-%-Intervall")):
        assert run(["stats", "--lang", lang]) == 0
        assert words in capsys.readouterr().out
    assert run(["stats", "kuhn", "--json"]) == 0
    (row,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert row["games"] == 2 and row["won"] + row["drawn"] + row["lost"] == 2
    assert run(["stats", "leduc"]) == 0
    assert "No finished game yet" in capsys.readouterr().out
