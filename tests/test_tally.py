"""What is kept of a block: sums by hand, through text and back, and the same report from them as from all rows."""

from __future__ import annotations

import itertools
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from probespiel.evaluation.tournament import results as rs
from probespiel.evaluation.tournament import run
from probespiel.evaluation.tournament.analysis import analyse, analyse_tallies
from probespiel.evaluation.tournament.results import ResultsError
from probespiel.evaluation.tournament.run import run_tournament
from probespiel.evaluation.tournament.tally import merged, read_tally, tallies_of, tally_of, tally_text
from tests.synthetic import by_strength, change, tournament

FIELD = ("random", "card_only", "bluffer")


def test_two_games_by_hand() -> None:
    """Agent 0 wins 3 in seat 0 (7 long, 2 decisions each), then both draw with 0 in the other order (5 long)."""
    columns = dict(
        pairing=[0] * 4, block=[0] * 4, deal=[4, 4, 5, 5], seating=[0, 0, 1, 1], game=[8, 8, 9, 9], seat=[0, 1, 0, 1],
        team=[0, 1, 0, 1], agent=[0, 1, 1, 0], payoff=[3, -3, 0, 0], result=[1, -1, 0, 0], decisions=[2, 2, 1, 3],
        forfeit=[0, 2, 0, 0], length=[7, 7, 5, 5],
    )  # fmt: skip
    found = tally_of(rs.validate(rs.make_table(columns)), 2)
    assert found.pairs[:, 0, 1].tolist() == [2, 1.5, 3, 1] and found.pairs[:, 1, 0].tolist() == [2, 0.5, -3, 1]
    assert found.seats[:, 0].tolist() == [[1, 1], [3, 0], [1, 0.5]]
    assert found.order.tolist() == [[0, 1], [1, 0]]
    assert found.agents.tolist() == [[2, 5, 0, 0, 0, 1, 3, 0, 0], [2, 3, 0, 1, 0, 0, 0, 1, -3]]
    assert found.ends.tolist() == [[-3, -3], [0, 0], [3, 3]] and found.largest == 3
    assert found.lengths.tolist() == [[5, 1], [7, 1]] and found.games == 2 and found.deals.tolist() == [2]
    assert found.forfeits.tolist() == [[8, 1, 1, 2]]
    both = merged([found, found])
    assert both.lengths.tolist() == [[5, 2], [7, 2]] and both.deals.tolist() == [4] and both.games == 4
    assert both.forfeits.tolist() == [[8, 1, 1, 2]] * 2 and both.ends.tolist() == found.ends.tolist()


def test_a_game_of_three_sides_by_hand() -> None:
    """Agent 1 wins by -1 against -5 and -2: results make points, every meeting of three weighs a half."""
    columns = dict(
        pairing=[0] * 3, block=[0] * 3, deal=[0] * 3, seating=[0] * 3, game=[0] * 3, seat=[0, 1, 2], team=[0, 1, 2],
        agent=[0, 1, 2], payoff=[-5, -1, -2], result=[-1, 1, -1], decisions=[1] * 3, forfeit=[0] * 3, length=[3] * 3,
    )  # fmt: skip
    found = tally_of(rs.validate(rs.make_table(columns)), 3)
    assert found.pairs[0].tolist() == [[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]]
    assert found.pairs[1].tolist() == [[0, 0, 0.25], [0.5, 0, 0.5], [0.25, 0, 0]]
    assert found.pairs[2].tolist() == [[0, -2.5, -2.5], [-0.5, 0, -0.5], [-1, -1, 0]]
    assert found.pairs[3].tolist() == [[0, 0, 0.5], [0, 0, 0], [0.5, 0, 0]] and found.largest == 5


def test_the_same_summary_from_tallies_that_were_texts() -> None:
    table = tournament(4, by_strength([1, 0.5, 0, -0.5]), blocks=12)
    table = rs.validate(change(table, forfeit=np.arange(table.num_rows) % 7 == 3))
    texts = [tally_text(tally) for tally in tallies_of(table, 4).values()]
    assert all(tally_text(read_tally(text, 4)) == text for text in texts)
    names = list("abcd")
    whole = analyse(table, names, 1, 50)
    assert analyse_tallies([read_tally(text, 4) for text in texts], names, 1, 50) == whole
    assert len(whole.forfeits) == len(set(whole.forfeits)) == int(rs.column(table, "forfeit").sum())
    with pytest.raises(ResultsError, match=r"shape \(4, 4, 4\), which is not that of 5 agents"):
        read_tally(texts[0], 5)
    with pytest.raises(ResultsError, match="format '7', this program reads '2'"):
        read_tally("7" + texts[0][1:])
    with pytest.raises(ResultsError, match="is damaged"):
        read_tally(texts[0][:-40])


def test_a_tournament_too_large_for_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same report; rows stay in the blocks; blocks of an earlier version, without tallies, are counted."""
    run_tournament("kuhn", FIELD, 60, 3, out=tmp_path / "small", resamples=20)
    monkeypatch.setattr(run, "MOST_ROWS", 0)
    run_tournament("kuhn", FIELD, 60, 3, out=tmp_path / "large", resamples=20)
    assert (tmp_path / "small" / "results.parquet").is_file() and not (tmp_path / "large" / "results.parquet").exists()
    for name in ("summary.json", "report.html"):
        assert (tmp_path / "small" / name).read_bytes() == (tmp_path / "large" / name).read_bytes()
    settings = (tmp_path / "large" / "tournament.json").read_text()
    for path in sorted((tmp_path / "large").glob("part-*.parquet"))[:5]:
        mark = pq.read_schema(path).metadata[b"probespiel.fingerprint"].decode()
        rs.write_part(path.parent, int(path.stem[5:]), rs.read_results(path), fingerprint=mark)
    (tmp_path / "large" / "summary.json").unlink()
    (tmp_path / "large" / "results.parquet").write_bytes((tmp_path / "small" / "results.parquet").read_bytes())
    run_tournament("kuhn", FIELD, 60, 3, out=tmp_path / "large", resamples=20, resume=True)
    assert (tmp_path / "small" / "summary.json").read_bytes() == (tmp_path / "large" / "summary.json").read_bytes()
    assert (tmp_path / "large" / "tournament.json").read_text() == settings
    assert not (tmp_path / "large" / "results.parquet").exists(), "that of a part, from before it went on"


def awkward(games: int, most: int, seed: int) -> pa.Table:
    """Games of one to `most` seats, sides and agents as they come, in random order of rows."""
    rng = np.random.default_rng(seed)
    rows = []
    for game in range(games):
        seats = int(rng.integers(1, most + 1))
        team, agent = (rng.integers(0, rng.integers(1, high + 1), seats).tolist() for high in (seats, 4))
        result = {side: int(rng.integers(-1, 2)) for side in team}
        block, deal, length = (int(rng.integers(0, high)) for high in (2, 5, 9))
        for seat in range(seats):
            forfeit = int(rng.integers(1, 4)) if rng.random() < 0.1 else 0
            rows.append(
                (0, block, deal, 0, 3 * game, seat, team[seat], agent[seat], float(rng.integers(-9, 10)),
                 result[team[seat]], int(rng.integers(0, 9)), forfeit, length)
            )  # fmt: skip
    order = rng.permutation(len(rows))
    return rs.make_table({name: [rows[i][at] for i in order] for at, name in enumerate(rs.SCHEMA.names)})


def counted_by_hand(table: pa.Table, agents: int) -> dict[str, np.ndarray]:
    """The sums of a tally, game by game and in plain Python, from what `Tally` says that they are."""
    rows = table.to_pylist()
    seats = 1 + max(row["seat"] for row in rows)
    pairs, alone = np.zeros((4, agents, agents)), np.zeros((2, agents, agents))
    order, sat, each = np.zeros((agents, agents)), np.zeros((3, agents, seats)), np.zeros((agents, 9))
    for row in rows:
        agent, result, payoff = row["agent"], row["result"], row["payoff"]
        sat[:, agent, row["seat"]] += (1, payoff, (result + 1) / 2)
        each[agent, :2] += (1, row["decisions"])
        each[agent, 1 + row["forfeit"]] += row["forfeit"] > 0
        if result:
            each[agent, (5 if result > 0 else 7) :][:2] += (1, payoff)
    lone: list[Any] = []  # the entry of the game before, if it met nobody, and its deal
    for _, game in itertools.groupby(rows, key=lambda row: row["game"]):
        members: dict[tuple[int, int], list[dict[str, Any]]] = {}
        for row in game:
            members.setdefault((row["team"], row["agent"]), []).append(row)
        sides = {team: sum(len(m) for (t, _), m in members.items() if t == team) for team, _ in members}
        found = [
            (team, agent, len(m) / sides[team], sum(r["payoff"] for r in m) / len(m), m[0]["result"])
            for (team, agent), m in sorted(members.items())
        ]
        if len(found) == 2:
            order[found[0][1], found[1][1]] += 1
        row = next(iter(members.values()))[0]
        deal = (row["pairing"], row["block"], row["deal"])
        alone_here = found if len(found) == 1 else []
        if alone_here and lone and lone[0] == deal:
            found = [(0, *lone[1:]), (1, *found[0][1:])]
            sides, alone_here = {0: 1, 1: 1}, []
        lone = [deal, *alone_here[0][1:]] if alone_here else []
        for (team, agent, part, payoff, result), (other, foe, share, _, theirs) in itertools.permutations(found, 2):
            if team != other and agent != foe:
                weight = part * share / (len(sides) - 1)
                win = 1 if result > theirs else 0.5 if result == theirs else 0
                pairs[:, agent, foe] += weight * np.array([1, win, payoff, win == 0.5])
        who = {agent for _, agent, *_ in found}
        if len(who) == 2 and len(sides) == len(found):
            table_mean = sum(payoff for *_, payoff, _ in found) / len(found)
            for agent in who:
                mine = [payoff for _, a, _, payoff, _ in found if a == agent]
                if len(mine) == 1:
                    (foe,) = who - {agent}
                    alone[:, agent, foe] += (1, mine[0] - table_mean)
    return {"pairs": pairs, "seats": sat, "order": order, "agents": each, "alone": alone}


@pytest.mark.parametrize("most", [1, 2, 5, 12])
def test_counts_are_those_of_plain_python(most: int) -> None:
    for seed in range(4):
        table = rs.validate(awkward(60, most, seed))
        found = tally_of(table, 4)
        for name, expected in counted_by_hand(table, 4).items():
            np.testing.assert_allclose(getattr(found, name), expected, rtol=1e-12, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("name", ["pairing", "block", "deal", "seating", "length"])
def test_what_a_game_shares_is_checked_and_rows_are_sorted(name: str) -> None:
    table = rs.validate(awkward(40, 5, 1))
    keys = list(zip(table["game"].to_pylist(), table["seat"].to_pylist(), strict=True))
    assert keys == sorted(keys) and len(set(keys)) == len(keys)
    at = next(i for i in range(1, len(keys)) if keys[i][0] == keys[i - 1][0])
    values = rs.column(table, name).copy()
    values[at] += 1
    with pytest.raises(ResultsError, match=f"several values of '{name}'"):
        rs.validate(change(table, **{name: values}))


def test_games_and_seats_out_of_order_and_sides_of_two_minds() -> None:
    columns = dict(
        pairing=[0] * 6, block=[0] * 6, deal=[0] * 6, seating=[0] * 6, game=[1, 1, 1, 0, 0, 0], seat=[2, 0, 1] * 2,
        team=[0, 0, 1] * 2, agent=[0, 1, 2, 1, 2, 0], payoff=range(6), result=[1, 1, -1] * 2, decisions=[1] * 6,
        forfeit=[0] * 6, length=[3] * 6,
    )  # fmt: skip
    table = rs.validate(rs.make_table(columns))
    assert table["game"].to_pylist() == [0, 0, 0, 1, 1, 1] and table["seat"].to_pylist() == [0, 1, 2] * 2
    assert table["payoff"].to_pylist() == [4, 5, 3, 1, 2, 0]
    only_games = rs.validate(table.take([3, 4, 5, 0, 1, 2]))
    assert only_games.equals(table), "seats in order, games not"
    with pytest.raises(ResultsError, match="team 0 of game 0 both won and did not"):
        rs.validate(change(table, result=[-1, -1, 1, 1, -1, 1]))
    with pytest.raises(ResultsError, match="seat 0 of game 0 is listed twice"):
        rs.validate(change(table, seat=[0, 0, 2, 0, 1, 2]))


@pytest.mark.parametrize(("lengths", "sources", "stops", "told"), [
    ([[19, 30], [20, 2], [21, 1]], ["plain"], True, "3 of 33 games were stopped by the limit of 20 decisions"),
    ([[20, 2]], ["asks", "plain", "asks"], True,
     "2 of 2 games were stopped by the limit of 20 decisions; these hooks ask: line 3 of asks; line 3 of asks"),
    ([[19, 30]], ["asks"], True, ""), ([[20, 2]], [], True, ""), ([[20, 2]], ["asks"], False, ""),
])  # fmt: skip
def test_games_that_the_limit_stopped(
    lengths: list[list[int]], sources: list[str], stops: bool, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that took as many decisions as a game may; without modules, or a rule that stops, games may be as long."""
    monkeypatch.setattr(run, "asking_hooks", lambda source: [f"line 3 of {source}"] if source == "asks" else [])
    game: Any = SimpleNamespace(
        spec=SimpleNamespace(sources=SimpleNamespace(extensions=tuple(sources)), max_decisions=20, stops=stops)
    )
    tallies: Any = [SimpleNamespace(lengths=np.array([row])) for row in lengths]
    assert run._unended(tallies, game) == told
