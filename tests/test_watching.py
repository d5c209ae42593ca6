"""Games that show what a tournament's report claims: which are chosen, and that they are played again as they were."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from probespiel.app.cli import run
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.replay import load
from probespiel.evaluation.tournament import playing
from probespiel.evaluation.tournament.examples import blocks_to_look_at, examples
from probespiel.evaluation.tournament.files import block_bytes
from probespiel.evaluation.tournament.plan import Plan
from probespiel.evaluation.tournament.results import column, keep_part, make_table, part_path, read_part
from probespiel.evaluation.tournament.run import run_tournament
from probespiel.evaluation.tournament.sequential import Until
from probespiel.evaluation.tournament.summary import Example, Wish
from probespiel.evaluation.tournament.watching import watched
from tests.test_tournament import BOTS, FIELD, entrants


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


@pytest.fixture(scope="module")
def folder(kuhn: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament of FIELD: 40 games a pairing, seed 7."""
    out = tmp_path_factory.mktemp("watched")
    run_tournament(kuhn, FIELD, 40, 7, out=out, resamples=20)
    return out


def rows_of(leads: dict[tuple[int, int], list[float]], forfeit: tuple[int, ...] = ()) -> pa.Table:
    """Games of two seats by pair, in which the first of the pair gets so much and the second minus that."""
    games = [(pair, k, lead) for k, (pair, of) in enumerate(leads.items()) for lead in of]
    n = len(games)
    return make_table(
        {
            "pairing": np.repeat([k for _, k, _ in games], 2),
            "block": np.zeros(2 * n),
            "deal": np.repeat(np.arange(n), 2),
            "seating": np.zeros(2 * n),
            "game": np.repeat(np.arange(n), 2),
            "seat": np.tile([0, 1], n),
            "team": np.tile([0, 1], n),
            "agent": np.ravel([pair for pair, _, _ in games]),
            "payoff": np.ravel([(lead, -lead) for _, _, lead in games]),
            "result": np.ravel([(np.sign(lead), -np.sign(lead)) for _, _, lead in games]),
            "decisions": np.ones(2 * n),
            "forfeit": [1 if i // 2 in forfeit and i % 2 else 0 for i in range(2 * n)],
            "length": np.full(2 * n, 2),
        }
    )


def test_the_middle_game_is_chosen() -> None:
    """By hand: leads 3, -1, 1, 2, -5, 1 of games 0 to 5; in order -5, -1, 1, 1, 2, 3."""
    table = rows_of({(0, 1): [3, -1, 1, 2, -5, 1], (0, 2): [4]})
    wishes = [Wish("level", 0, 1), Wish("ahead", 0, 1), Wish("ahead", 1, 0), Wish("ahead", 2, 0), Wish("level", 1, 2)]
    assert examples(table, wishes) == (
        Example("level", 0, 1, 2, 0, (1.0, -1.0), 6, 6),  # the lower of the two in the middle
        Example("ahead", 0, 1, 5, 0, (1.0, -1.0), 4, 6),  # of 1, 1, 2, 3 the second, the higher number
        Example("ahead", 1, 0, 1, 0, (1.0, -1.0), 2, 6),
    )
    assert examples(rows_of({(0, 1): [3, 1, 2]}, forfeit=(2,)), [Wish("level", 0, 1)])[0].game == 1
    assert blocks_to_look_at([4, 2, 9], 60) == [2, 4] and blocks_to_look_at(range(50), 5000) == [0]


def test_every_game_is_played_again_as_it_was(kuhn: Game, folder: Path) -> None:
    """Of each block and pairing, compiled agents and a search: payoffs and decisions are those of the block."""
    plan = Plan.of(kuhn, entrants(kuhn, FIELD), 40, 7, 10.0)
    for game in [0, 1, 39, 41, 66, 118, 119]:
        found = watched(folder, game)
        table = read_part(folder, found.block, fingerprint=plan.fingerprint)
        rows = column(table, "game") == game
        assert rows.any() and list(found.replay.payoffs) == column(table, "payoff")[rows].tolist()
        names = [plan.agents[i] for i in column(table, "agent")[rows]]
        assert list((found.replay.agents or {}).values()) == names and not found.changed and not found.forfeits
    with pytest.raises(ProbespielError, match="game 120 is not allowed: 0 to 119"):
        watched(folder, 120)


def test_the_command_keeps_the_replay(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    summary = json.loads((folder / "summary.json").read_text())
    games = summary["shown by"]["answer"]
    assert all(games), "each claim of the answer has a game"
    number = games[0][0]
    assert run(["report", str(folder)]) == 0
    out = capsys.readouterr().out
    assert f"[game {number}]" in out.replace("\n", " ") and f"probespiel replay {folder} --game {number}\n" in out
    assert run(["replay", str(folder), "--game", str(number), "--lang", "de"]) == 0
    told = capsys.readouterr()
    assert "sind gleich" in told.err and "kuhn, Szenario standard" in told.out
    example = next(e for e in summary["tournament"]["examples"] if e["game"] == number)
    payoffs = load(folder / "replays" / f"game-{number}.json").payoffs
    assert sorted(payoffs) == sorted(example["payoffs"])
    assert run(["replay", str(folder)]) == 2 and "say which game of it" in capsys.readouterr().err
    command = ["analyse", "kuhn", "--replay", str(folder)]
    assert run([*command, "--game", str(number), "--seconds", "0.5", "--json"]) == 0
    seen = json.loads(capsys.readouterr().out)
    assert seen["moments"][-1]["values"] == pytest.approx(payoffs)  # of that game
    assert run(command) == 2 and "say which game of it" in capsys.readouterr().err
    (folder / "replays" / f"game-{number}.json").unlink()
    (folder / "replays").rmdir()


def test_what_came_out_otherwise_is_not_shown(kuhn: Game, tmp_path: Path) -> None:
    """A block whose payoffs somebody changed, a block that is gone, settings of other code."""
    run_tournament(kuhn, FIELD[:2], 40, 7, out=tmp_path, resamples=20)
    plan = Plan.of(kuhn, entrants(kuhn, FIELD[:2]), 40, 7, 10.0)
    table = read_part(tmp_path, 0, fingerprint=plan.fingerprint)
    changed = table.set_column(8, table.schema.field(8), pa.array(column(table, "payoff") * 3))
    keep_part(tmp_path, 0, block_bytes(0, changed, plan))
    with pytest.raises(
        ProbespielError, match=r"game 0 of .* cannot be shown: played again it pays .* Its result stands"
    ):
        watched(tmp_path, 0)
    part_path(tmp_path, 1).unlink()
    with pytest.raises(ProbespielError, match="was not played, or its block is gone"):
        watched(tmp_path, 2)
    assert run(["replay", str(tmp_path / "nowhere"), "--game", "0"]) == 2


def test_a_race_shows_pairs_that_still_played(kuhn: Game, tmp_path: Path) -> None:
    """Pairs that stopped have no later games, and the decision has its own."""
    done = run_tournament(kuhn, FIELD[:2], 20_000, 7, out=tmp_path, resamples=20, until=Until("ranking"))
    assert done.decision is not None
    told = json.loads((tmp_path / "summary.json").read_text())
    assert told["shown by"]["decision"] and watched(tmp_path, told["shown by"]["decision"][0]).block == 0
    if done.decision.blocks < done.decision.planned:
        with pytest.raises(ProbespielError, match="was not played"):
            watched(tmp_path, 19_999)


def test_bots_from_outside_are_asked_only_where_trusted(kuhn: Game, tmp_path: Path) -> None:
    """A bot that goes by its seeds alone plays the same."""
    run_tournament(kuhn, (f"{BOTS}:Good", "random"), 4, 7, out=tmp_path, resamples=20)
    with pytest.raises(ProbespielError, match=r"names files .*bots.py.*--trust-files"):
        watched(tmp_path, 1)
    found = watched(tmp_path, 1, trust=True)
    assert found.replay.status == "ended" and not found.forfeits
    assert "--trust-files" in json.loads((tmp_path / "summary.json").read_text())["shown by"]["command"]


@pytest.mark.slow
def test_forfeits_are_played_again(kuhn: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that raises does so again; one that was not asked any more is not asked now."""
    monkeypatch.setattr(playing, "OPENING", 1)
    run_tournament(
        kuhn, (f"{BOTS}:Bad:how=sleep", "random", "first"), 4, 7, out=tmp_path, move_seconds=0.05, resamples=20
    )
    for game, why in ((0, "no answer within"), (7, "not asked any more")):
        lost = watched(tmp_path, game, trust=True)
        assert lost.replay.status == "running" and list(lost.forfeits) == [["first", "second"][game % 2]]
        assert why in "".join(lost.forfeits.values())
