"""Tournaments: design, files, resuming, and the same results however they are played."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import AgentError
from probespiel.agents.entrants import Entrant, entrant_of
from probespiel.agents.outside import TERMS
from probespiel.app.cli_tournament import Asked
from probespiel.app.common import Lang
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.tournament import playing
from probespiel.evaluation.tournament.plan import Plan, seatings
from probespiel.evaluation.tournament.progress import Bar, Lines, Silent
from probespiel.evaluation.tournament.results import SCHEMA, column, part_path, read_results
from probespiel.evaluation.tournament.run import TournamentError, default_field, default_games, run_tournament
from tests.games import card_game
from tests.whole_runs import held

BOTS = Path(__file__).parent / "bots.py"


def entrants(game: Game, names: Sequence[str]) -> list[Entrant]:
    """Names of agents taken apart."""
    return [entrant_of(name, game) for name in names]


FIELD = ("random", "card_only", "search:sims=10")
WHOLE = ("results.parquet", "summary.json", "report.html", "tournament.json")


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


@pytest.fixture(scope="module")
def reference(kuhn: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament of FIELD: 40 games a pairing, seed 7, one process."""
    out = tmp_path_factory.mktemp("reference")
    run_tournament(kuhn, FIELD, 40, 7, out=out, resamples=50)
    held("tournament kuhn", out / "summary.json", out / "report.html", hide=(out,))
    return out


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


# Design


def test_seatings_of_two_sides() -> None:
    duel = make_game("einblatt-duel", compiled=False)
    assert seatings(duel) == [(0, 1), (1, 0)]
    melee = make_game("einblatt-melee", compiled=False)
    first, second = (np.array(s) for s in seatings(melee))
    assert (first + second == 1).all()
    for _, seats in melee.sides:
        assert len(set(first[list(seats)])) == 1


def test_seatings_of_many_sides_are_fair() -> None:
    found = np.array(seatings(card_game(seats=4, deck=8)))
    assert len(found) == 8 and len(np.unique(found, axis=0)) == 8
    assert sorted(found.sum(axis=1).tolist()) == [1] * 4 + [3] * 4
    assert (found.sum(axis=0) == 4).all(), "either agent takes each seat equally often"


@pytest.mark.parametrize("games", [1, 2, 39, 40, 201, 1000, 2_000_001])
def test_blocks_hold_every_deal_once(kuhn: Game, games: int) -> None:
    plan = Plan.of(kuhn, entrants(kuhn, FIELD), games, 7, None)
    deals = [d for b in range(plan.blocks) for d in plan.deals_of(b)]
    assert deals == list(range(plan.deals)) and games <= plan.games_a_pairing < games + 2
    assert plan.blocks <= 100 or plan.deals_a_block == 5000
    assert sum(plan.games_of(b) for b in range(plan.blocks)) == plan.games


def test_all_pairings_play_the_same_deals_with_seats_swapped(kuhn: Game) -> None:
    plan = Plan.of(kuhn, entrants(kuhn, FIELD), 40, 7, None)
    schedule, about = plan.block(3)
    assert len(schedule) == plan.games_of(3) == 3 * 2
    assert len(np.unique(about["game"])) == len(schedule)
    for pair in range(3):
        mine = about["pairing"] == pair
        assert about["deal"][mine].tolist() == [3, 3]
        assert np.array_equal(schedule.seating[mine][0], schedule.seating[mine][1][::-1])
    assert len(set(schedule.dice)) == len(set(schedule.tables)) == 1
    other = Plan.of(kuhn, entrants(kuhn, (*FIELD, "first")), 40, 7, None).block(3)[0]
    assert other.dice[0] == schedule.dice[0]
    assert Plan.of(kuhn, entrants(kuhn, FIELD), 40, 8, None).block(3)[0].dice[0] != schedule.dice[0]


def test_wrong_settings_are_named(kuhn: Game, tmp_path: Path) -> None:
    for agents, more, text in [
        (("random",), {}, "needs two agents"),
        (("random", "first", "random"), {}, "'random' is named twice"),
        (("random", "first"), {"games": 0}, "games = 0"),
        (("random", "first"), {"seed": -1}, "seed = -1"),
        (("random", "first"), {"jobs": 0}, "jobs = 0"),
        (("random", "human"), {}, "a human cannot take part"),
        (("random", "first"), {"move_seconds": -1.0}, "move_seconds"),
    ]:
        with pytest.raises(ProbespielError, match=text):
            run_tournament(kuhn, agents, out=tmp_path / "x", **{"games": 4, **more})
    with pytest.raises(AgentError, match="unknown"):
        run_tournament(kuhn, ("random", "nobody"), 4, out=tmp_path / "x")
    assert not (tmp_path / "x").exists(), "nothing is touched before the settings are known to be right"


def test_default_fields(kuhn: Game) -> None:
    chosen, reasons = default_field(kuhn)
    assert {"random", "honest", "search:sims=200"} <= set(chosen)
    assert all("is left out: " in r for r in reasons)
    assert default_games(kuhn, entrants(kuhn, ["random", "honest"])) > default_games(kuhn, entrants(kuhn, chosen))
    duel, _ = default_field(make_game("einblatt-duel", compiled=False))
    assert {"random", "highest_first", "best3_shuffled", "lowest_first", "search:sims=500"} <= set(duel)
    others, _ = default_field(card_game())
    assert others == ["random", "search:sims=100"]


# Results


def test_the_files_hold_every_game(kuhn: Game, reference: Path) -> None:
    table = read_results(reference / "results.parquet", 3)
    assert table.schema.names == SCHEMA.names and table.num_rows == 3 * 40 * 2
    assert json.loads((reference / "tournament.json").read_text())["finished"] is True
    payoff, game = column(table, "payoff"), column(table, "game")
    assert np.abs(np.bincount(game, payoff)).max() == 0 and (column(table, "result") == np.sign(payoff)).all()
    summary = json.loads((reference / "summary.json").read_text())
    assert summary["summary"]["games"] == 120 and summary["summary"]["independent"] == 20
    assert summary["tournament"]["command"].startswith("probespiel tournament kuhn ")


def test_the_same_bytes_for_any_number_of_processes(
    kuhn: Game, reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[int] = []
    in_workers = playing._in_workers
    monkeypatch.setattr(playing, "_in_workers", lambda *args: given.append(len(args[1])) or in_workers(*args))
    run_tournament(kuhn, FIELD, 40, 7, jobs=2, out=tmp_path / "short", resamples=50)
    assert files(tmp_path / "short") == files(reference)
    assert not given, "it is over before a worker would be ready"
    monkeypatch.setattr(playing, "START_SECONDS", 0.0)
    run_tournament(kuhn, FIELD, 40, 7, jobs=2, out=tmp_path / "two", resamples=50)
    assert files(tmp_path / "two") == files(reference)
    assert given == [20]


def test_how_long_blocks_take_is_measured_by_a_few_games(kuhn: Game, tmp_path: Path) -> None:
    """A fraction of a second in a game of cards; nobody can tell how long a bot from outside will think."""

    def seconds(blocks: int, *more: str) -> float:
        plan = Plan.of(kuhn, entrants(kuhn, ["random", "card_only", *more]), 4000, 7, None, TERMS, False)
        with plan.match(kuhn) as match:
            a_game = min(playing._seconds_a_game(plan, match) for _ in range(3))
            return a_game * sum(plan.games_of(block) for block in range(blocks))

    seconds(1)  # compiled code is loaded
    assert 0 < seconds(20) < 1
    assert seconds(1, f"{BOTS}:Good") == np.inf


def test_another_seed_gives_other_games(kuhn: Game, reference: Path, tmp_path: Path) -> None:
    run_tournament(kuhn, FIELD, 40, 8, out=tmp_path / "other", resamples=50)
    assert files(tmp_path / "other")["results.parquet"] != files(reference)["results.parquet"]


def test_another_order_or_agent_changes_no_payoff(kuhn: Game, reference: Path, tmp_path: Path) -> None:
    def by_pair(folder: Path, names: tuple[str, ...]) -> dict[Any, float]:
        table = read_results(folder / "results.parquet")
        deal, game, seat, agent = (column(table, n) for n in ("deal", "game", "seat", "agent"))
        payoff = column(table, "payoff")
        found = {}
        for g in np.unique(game):
            rows = np.flatnonzero(game == g)
            who = tuple(names[agent[r]] for r in rows[np.argsort(seat[rows])])
            found[int(deal[rows[0]]), who] = float(payoff[rows[np.argmin(seat[rows])]])
        return found

    more = ("first", *FIELD[::-1])
    run_tournament(kuhn, more, 40, 7, out=tmp_path / "more", resamples=0)
    old, new = by_pair(reference, FIELD), by_pair(tmp_path / "more", more)
    assert len(old) == 120 and {key: new[key] for key in old} == old
    held("tournament kuhn of four", tmp_path / "more" / "summary.json", hide=(tmp_path,))


def test_a_melee_of_many_sides(tmp_path: Path) -> None:
    summary = run_tournament(card_game(seats=3, deck=8), ("random", "first"), 12, 1, out=tmp_path, resamples=0)
    table = read_results(tmp_path / "results.parquet")
    assert summary.games == 12 and table.num_rows == 36
    agents = column(table, "agent").reshape(12, 3)
    assert np.bincount(agents.sum(axis=1)).tolist() == [0, 6, 6]
    result = column(table, "result").reshape(12, 3)
    assert ((result == 1).sum(axis=1) <= 1).all() and (result.max(axis=1) >= 0).all()
    held("tournament of three sides", tmp_path / "summary.json", tmp_path / "report.html", hide=(tmp_path,))


def test_a_bad_bot_is_listed_and_the_rest_is_played(
    kuhn: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "OPENING", 2)
    agents = (f"{BOTS}:Bad:how=sleep", "random", "first")
    summary = run_tournament(kuhn, agents, 40, 7, out=tmp_path, move_seconds=0.05, resamples=20)
    row = summary.row(agents[0])
    assert row.forfeits == (0, 0, 80) and row.losses == 1.0
    table = read_results(tmp_path / "results.parquet")
    forfeit = column(table, "forfeit")
    assert (column(table, "agent")[forfeit > 0] == 0).all() and (forfeit > 0).sum() == 80
    told = json.loads((tmp_path / "summary.json").read_text())["tournament"]["forfeit_messages"]
    assert len(told) == 80
    late = sum("no answer within 0.05 s" in entry["message"] for entry in told)
    assert late == 2 * 3, "three times in each block of the opening, then it is not asked any more"
    assert "no answer within" in (tmp_path / "report.html").read_text()


# Resuming


def finished_again(kuhn: Game, folder: Path, reference: Path, **more: Any) -> list[str]:
    """Resume, and compare every file with the reference; what was said on the way."""
    said: list[str] = []

    class Says(Silent):
        def say(self, line: str) -> None:
            said.append(line)

    run_tournament(kuhn, FIELD, 40, 7, out=folder, resume=True, resamples=50, progress=Says(), **more)
    assert files(folder) == files(reference)
    return said


def copy_of(folder: Path, target: Path) -> Path:
    target.mkdir(parents=True)
    for name, content in files(folder).items():
        (target / name).write_bytes(content)
    return target


def test_resuming_plays_only_what_is_missing_or_damaged(kuhn: Game, reference: Path, tmp_path: Path) -> None:
    folder = copy_of(reference, tmp_path / "again")
    for name in WHOLE[:3]:
        (folder / name).unlink()
    part_path(folder, 4).unlink()
    whole = part_path(folder, 7).read_bytes()
    part_path(folder, 7).write_bytes(whole[: len(whole) // 2])
    part_path(folder, 9).write_bytes(b"")
    flipped = bytearray(part_path(folder, 11).read_bytes())
    flipped[60] ^= 255
    part_path(folder, 11).write_bytes(flipped)
    part_path(folder, 13).with_suffix(".json").write_text("{")
    kept = part_path(folder, 5).stat().st_mtime_ns
    said = finished_again(kuhn, folder, reference)
    assert part_path(folder, 5).stat().st_mtime_ns == kept
    assert "15 of 20 blocks are done already" in said and sum("played again" in s for s in said) == 4
    assert finished_again(kuhn, folder, reference) == ["20 of 20 blocks are done already"]


def test_resuming_refuses_other_settings(kuhn: Game, reference: Path, tmp_path: Path) -> None:
    folder = copy_of(reference, tmp_path / "again")
    before = files(folder)
    bot = tmp_path / "bot.py"
    bot.write_text("class B:\n    def act(self, view):\n        return view.legal[0]\n")
    base: dict[str, Any] = dict(game=kuhn, agents=FIELD, games=40, seed=7, out=folder, resume=True)
    for change, text in [
        ({"games": 42}, "games was 40, is now 42"),
        ({"seed": 8}, "seed was 7, is now 8"),
        ({"agents": FIELD[:2]}, "agents was random, card_only, search:sims=10, is now random, card_only"),
        ({"move_seconds": 3.0}, "move-seconds was 10.0, is now 3.0"),
        ({"game": make_game("kuhn", bet=2.0)}, "options: bet was 1.0, is now 2.0"),
    ]:
        with pytest.raises(TournamentError) as error:
            run_tournament(**{**base, **change})
        assert text in str(error.value) and str(folder) in str(error.value)
    assert files(folder) == before

    own: dict[str, Any] = dict(
        game=kuhn, agents=("first", f"{bot}:B"), games=2, seed=1, out=tmp_path / "own", resamples=0
    )
    run_tournament(**own)
    bot.write_text(bot.read_text().replace("legal[0]", "legal[-1]"))
    with pytest.raises(TournamentError, match=r"files of the agents: .*bot\.py was"):
        run_tournament(**own, resume=True)


def test_a_finished_tournament_keeps_its_folder(
    reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same command again goes beside it, unless a folder is named, or that one is to be resumed or dropped."""
    monkeypatch.chdir(tmp_path)
    asked = Asked([], None, None, None, [], [], None, None, False, False, None, Lang.en)
    kept = Path("results/kuhn")
    assert asked.folder("kuhn") == kept
    copy_of(reference, kept)
    assert asked.folder("kuhn") == Path("results/kuhn-2")
    copy_of(reference, Path("results/kuhn-2"))
    assert asked.folder("kuhn") == Path("results/kuhn-3")
    assert replace(asked, resume=True).folder("kuhn") == replace(asked, overwrite=True).folder("kuhn") == kept
    assert replace(asked, out=Path("mine")).folder("kuhn") == Path("mine")
    settings = json.loads((kept / "tournament.json").read_text())
    (kept / "tournament.json").write_text(json.dumps({**settings, "finished": False}))
    assert asked.folder("kuhn") == kept, "an unfinished one is told of, not left behind"


def test_a_folder_is_not_overwritten_by_mistake(kuhn: Game, reference: Path, tmp_path: Path) -> None:
    folder = copy_of(reference, tmp_path / "again")
    small: dict[str, Any] = dict(game=kuhn, agents=("random", "first"), games=2, seed=1, out=folder, resamples=0)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(
        TournamentError, match=r"a finished tournament \(\d+ blocks are done\): tell it again with --resume"
    ):
        run_tournament(**small)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before, "nothing that was earned is lost"
    run_tournament(**small, overwrite=True)
    assert len(list(folder.glob("part-*"))) == 1
    settings = json.loads((folder / "tournament.json").read_text())
    (folder / "tournament.json").write_text(json.dumps({**settings, "finished": False}))
    with pytest.raises(
        TournamentError, match=r"unfinished tournament \(1 blocks are done\): continue it with --resume"
    ):
        run_tournament(**small)
    run_tournament(**small, overwrite=True)
    (folder / "tournament.json").write_text("{")
    with pytest.raises(TournamentError, match=r"tournament\.json is damaged"):
        run_tournament(**small, resume=True)
    (folder / "tournament.json").unlink()
    with pytest.raises(TournamentError, match=r"no tournament\.json"):
        run_tournament(**small, overwrite=True)
    with pytest.raises(OSError):
        run_tournament(**{**small, "out": "/proc/nowhere"})


def started(folder: Path, *more: str) -> subprocess.Popen[str]:
    """The reference tournament, slowed down, as a process group of its own; returns when some blocks are finished."""
    code = (
        "import time, sys; from probespiel.app.cli import run;"
        "from probespiel.evaluation.tournament import playing as t;"
        "block = t._play_block; t.START_SECONDS = 0.0;"
        "t._play_block = lambda *a: (time.sleep(0.3), block(*a))[1];"
        "sys.exit(run(sys.argv[1:]))"
    )
    arguments = ["tournament", "kuhn", "--agents", ",".join(FIELD), "--games", "40", "--seed", "7", "--out"]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments, str(folder), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until = time.monotonic() + 600  # generous: a loaded machine compiles slowly
    while len(list(folder.glob("part-*.parquet"))) < 3:
        assert process.poll() is None and time.monotonic() < until, process.communicate()
        time.sleep(0.02)
    return process


def test_a_killed_tournament_loses_no_finished_block(kuhn: Game, reference: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    process = started(folder, "--jobs", "1")
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    done = {path.name: path.stat().st_mtime_ns for path in folder.glob("part-*.parquet")}
    assert 3 <= len(done) < 20 and not (folder / "report.html").exists()
    with pytest.raises(TournamentError, match="--resume"):
        run_tournament(kuhn, FIELD, 40, 7, out=folder)
    run_tournament(kuhn, FIELD, 40, 7, out=folder, resume=True, resamples=50)
    assert {name: (folder / name).stat().st_mtime_ns for name in done} == done
    assert files(folder) == files(reference)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_tournament_reports_what_it_has(kuhn: Game, reference: Path, tmp_path: Path, jobs: int) -> None:
    folder = tmp_path / "interrupted"
    process = started(folder, "--jobs", str(jobs))
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 130, err
    assert "Interrupted after" in err and "--resume" in err and "Traceback" not in err
    assert "strategy" in out and "report.html" in out
    assert "blocks were finished." in (folder / "report.html").read_text()
    run_tournament(kuhn, FIELD, 40, 7, out=folder, resume=True, resamples=50)
    assert files(folder) == files(reference)


# Progress


def test_plain_lines_tell_rate_and_time_left() -> None:
    now = [0.0]
    stream = io.StringIO()
    lines = Lines(stream, "en", lambda: now[0])
    lines.start(1000, 100, 100, 10)
    for _ in range(90):
        now[0] += 1.0
        lines.advance(10)
    told = stream.getvalue().splitlines()
    assert told[0] == "20 of 100 blocks, 200 games, 10 games/s, 80 s left"
    assert told[-1] == "100 of 100 blocks, 1,000 games, 10 games/s, in 90 s" and len(told) == 9
    lines = Lines(stream, "de", lambda: now[0])
    lines.start(1000, 100, 0, 0)
    now[0] += 40.0  # most of it to compile: no measure of what is left
    lines.advance(10)
    assert stream.getvalue().endswith("\n1 von 100 Blöcken, 10 Spiele, in 40 s\n")
    now[0] += 32.0
    lines.advance(160)
    assert stream.getvalue().endswith("2 von 100 Blöcken, 170 Spiele, 5 Spiele/s, 166 s verbleiben\n")
    now[0] += 10.0
    lines.advance(830)
    assert stream.getvalue().endswith("3 von 100 Blöcken, 1.000 Spiele, 12 Spiele/s, in 82 s\n")


def test_the_bar_shows_games_and_rate(capsys: pytest.CaptureFixture[str]) -> None:
    bar = Bar(sys.stderr, "en")
    bar.start(100, 10, 20, 2)
    bar.advance(10)
    bar.say("a [bold]line")
    bar.stop()
    shown = capsys.readouterr().err
    assert "30/100 games" in shown and "a [bold]line" in shown
