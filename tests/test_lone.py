"""Tournaments, races and ladders of games of one side: everybody plays the same deals, and who gets more wins them."""

from __future__ import annotations

import dataclasses
import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.match import Match, Outcome, Schedule
from probespiel.app.cli import run as command
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.report.wording import ahead_sentence, answer, claims
from probespiel.evaluation.tournament import results as rs
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.apart import apart
from probespiel.evaluation.tournament.examples import examples
from probespiel.evaluation.tournament.files import stored_settings
from probespiel.evaluation.tournament.joint import check_joint
from probespiel.evaluation.tournament.ladder import book_of, enter, play, shown
from probespiel.evaluation.tournament.lone import leads, play_once
from probespiel.evaluation.tournament.plan import Plan, TournamentError, seatings
from probespiel.evaluation.tournament.report import read_summary, render_html
from probespiel.evaluation.tournament.results import read_parts
from probespiel.evaluation.tournament.run import run_tournament
from probespiel.evaluation.tournament.sequential import Race, Until
from probespiel.evaluation.tournament.summary import Interval, Wish
from probespiel.evaluation.tournament.tally import tally_of
from probespiel.evaluation.tournament.texts import words
from probespiel.evaluation.tournament.watching import watched
from tests.whole_runs import held

GAME = "oneshot-parley"
FIELD = ("random", "cautious", "best_odds")
RAISES = """class Bot:
    def reset(self, seed):
        pass

    def act(self, view):
        raise ValueError("no idea")
"""


def table(**columns: Any) -> Any:
    """Two deals of agents 0 and 1 with two seats each: 0 gets 2 and 0, 1 gets -1 and 0."""
    rows: dict[str, Any] = dict(
        pairing=[0] * 8, block=[0] * 8, deal=[0] * 4 + [1] * 4, seating=[0, 0, 1, 1] * 2,
        game=np.repeat(np.arange(4), 2), seat=[0, 1] * 4, team=[0] * 8, agent=[0, 0, 1, 1] * 2,
        payoff=[3, 1, -1, -1, 0, 0, 0, 0], result=[1, 1, -1, -1, 0, 0, 0, 0], decisions=[1] * 8, forfeit=[0] * 8,
        length=[2] * 8,
    )  # fmt: skip
    return rs.validate(rs.make_table({**rows, **columns}), 2)


def test_the_games_of_a_deal_meet_by_hand() -> None:
    """Of two deals the first has won one and drawn one; a game of another deal, or of another pair, meets nobody."""
    found = tally_of(table(), 2)
    assert found.pairs[:, 0, 1].tolist() == [2, 1.5, 2, 1] and found.pairs[:, 1, 0].tolist() == [2, 0.5, -1, 1]
    assert found.games == 4 and found.deals.tolist() == [2] and not found.order.any()
    assert found.alone[:, 0, 1].tolist() == [2, 1.5] and found.alone[:, 1, 0].tolist() == [2, -1.5]
    assert found.seats[:, 0].tolist() == [[2, 2], [3, 1], [1.5, 1.5]]
    apart = tally_of(table(deal=[0, 0, 1, 1, 2, 2, 2, 2]), 2)
    assert apart.pairs[0, 0, 1] == 1 and apart.pairs[2, 0, 1] == 0, "the third deal alone was played by both"
    assert tally_of(table(pairing=[0, 0, 0, 0, 1, 1, 2, 2]), 2).pairs[0, 0, 1] == 1


def test_games_that_show_a_claim_are_of_one_deal() -> None:
    found = examples(table(), [Wish("ahead", 0, 1), Wish("ahead", 1, 0), Wish("level", 1, 0)])
    assert [(e.first, e.second, e.game, e.payoffs, e.among, e.looked) for e in found] == [
        (0, 1, 0, (2.0, -1.0), 1, 2),
        (1, 0, 1, (-1.0, 2.0), 2, 2),
    ], "nobody is ahead in the deal that is level; of two games of agent 1 the lower middle one"


class _Counting:
    """A match that pays what the table says: the dice times 1 + the agent; it counts what it plays."""

    def __init__(self) -> None:
        self.played = 0

    def play(self, schedule: Schedule, absent: Any = ()) -> Outcome:
        self.played += len(schedule)
        payoffs = np.repeat(schedule.dice.astype(float)[:, None] * (1.0 + schedule.seating[:, :1]), 2, axis=1)
        shape = schedule.seating.shape
        whole = [np.zeros(shape, dtype=kind) for kind in (np.int8, np.int32, np.int8)]
        messages = {(row, 1): f"{agent} at {schedule.dice[row]}" for row, agent in enumerate(schedule.seating[:, 0])}
        whole[1][:] = np.arange(len(schedule))[:, None]
        return Outcome(payoffs, whole[0], whole[1], whole[2], np.zeros(shape[0], dtype=np.int8), messages, (2,))


def test_what_is_the_same_is_played_once() -> None:
    """Three agents on deals 0 and 1, three pairs: six games instead of twelve, told where they belong."""
    pairs = [(0, 1), (0, 2), (1, 2)]
    seating = np.array([[(agent, agent) for agent in pair] for pair in pairs for _ in range(2)]).reshape(-1, 2)
    dice = np.array([0, 0, 1, 1] * 3, dtype=np.uint64)
    match: Any = _Counting()
    schedule = Schedule(seating, dice, dice + np.uint64(7))
    found = play_once(match, schedule)
    assert match.played == 6 and found.stopped == (2,)
    assert found.payoffs[:, 0].tolist() == [0, 0, 1, 2, 0, 0, 1, 3, 0, 0, 2, 3]
    assert found.results[:, 1].tolist() == [0, 0, -1, 1, 0, 0, -1, 1, 0, 0, -1, 1]
    assert found.decisions[:, 0].tolist() == [0, 1, 2, 3, 0, 4, 2, 5, 1, 4, 3, 5]
    assert found.messages == {(row, 1): f"{seating[row, 0]} at {dice[row]}" for row in range(12)}
    two = Schedule(seating[:4], dice[:4], dice[:4])
    assert leads(two, play_once(match, two)).tolist() == [0, 0, -1, -1]
    duel = Schedule(np.array([[0, 1], [1, 0]]), dice[:2], dice[:2])
    paid = Outcome(np.array([[3.0, -1.0], [5.0, 2.0]]), np.zeros(2), np.zeros(2), np.zeros(2), np.zeros(2))
    assert leads(duel, paid).tolist() == [4.0, -3.0], "with seats of both in a game it is what one got more there"


def test_a_tournament_says_what_games_played_apart_say(tmp_path: Path) -> None:
    """Every mean is that of the agent's own games on the same deals; any game of it can be watched."""
    game = make_game(GAME, "lone_claim")
    assert seatings(game) == [(0,), (1,)]
    summary = run_tournament(game, FIELD, 400, 5, out=tmp_path, resamples=100)
    plan = Plan.of(game, Plan.restored(stored_settings(tmp_path)).entrants, 400, 5, 10.0)
    rows = read_parts(tmp_path, fingerprint=plan.fingerprint, n_agents=3).table
    with Match(game, list(FIELD), 5) as match:
        for agent in range(3):
            alone = match.play(Schedule.of(5, np.arange(200), np.full((200, 1), agent)))
            mine = rs.column(rows, "agent") == agent
            for pairing in np.unique(rs.column(rows, "pairing")[mine]):
                here = mine & (rs.column(rows, "pairing") == pairing)
                assert rs.column(rows, "payoff")[here].tolist() == alone.payoffs[:, 0].tolist()
            payoff = next(row.payoff for row in summary.leaderboard if row.agent == agent)
            assert payoff == pytest.approx(alone.payoffs.mean())
    assert summary.games == 1200 and summary.deals == 200 and not summary.warnings
    assert sum(row.rating for row in summary.leaderboard) == pytest.approx(0)
    assert summary.meetings[0][1] == 200, "a deal of a pair counts once"
    assert watched(tmp_path, 700).replay.payoffs == (rs.column(rows, "payoff")[700],)
    held("tournament of one side", tmp_path / "summary.json", tmp_path / "report.html", hide=(tmp_path,))
    page = (tmp_path / "report.html").read_text()
    assert "every strategy played each deal by itself" in page and "Nobody meets anybody" in page
    assert not re.search(
        "did worst against|equilibrium mixture|never the right choice|Half of what", page, re.IGNORECASE
    )
    german = render_html(*read_summary(json.loads((tmp_path / "summary.json").read_text())), "de")
    assert "Niemand trifft auf jemanden" in german and "je Spiel mehr als die anderen" in german
    assert "in denselben Gaben so viel wie" in german, "best_odds and cautious do the same there"


def test_a_race_of_one_side_stops_and_a_bot_that_raises_is_last(tmp_path: Path) -> None:
    """Who forfeits gets the worst that random play shows, not the middle: nobody else forfeited with it."""
    bot = tmp_path / "bot.py"
    bot.write_text(RAISES)
    game = make_game(GAME, "lone_claim")
    fields = [f"{bot}:Bot", "best_odds"]
    summary = run_tournament(game, fields, 200, 1, out=tmp_path / "race", resamples=20, until=Until("best"))
    decision = summary.decision
    assert decision is not None and decision.decided and decision.blocks < decision.planned
    assert decision.text.startswith("With 95% certainty, however often one looked: best_odds earns more than ")
    last = summary.leaderboard[-1]
    with Match(game, ["random"]) as match:
        assert last.name == fields[0] and last.payoff == match.ordinary_range[0] < 0
    assert last.forfeits[1] == decision.deals[0]


def test_a_ladder_of_one_side_goes_by_margins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = make_game(GAME, "lone_claim")
    with book_of(tmp_path / "l.duckdb", game) as book:
        first, second = enter(book, game, ["random", "best_odds"])
        batch = play(book, game, first, second, 0, seed=9)
        book.record(batch)
        with Match(game, ["random", "best_odds"], 9) as match:
            deals = np.arange(batch.games)
            paid = [match.play(Schedule.of(9, deals, np.full((len(deals), 1), k))).payoffs.mean() for k in (0, 1)]
        assert batch.payoff == pytest.approx((paid[0] - paid[1]) / 2) and batch.payoff < 0
        assert batch.wins < batch.losses
        found = shown(book, game, 0)
        assert found.replay.agents is not None and list(found.replay.agents.values()) == ["best_odds"]
    line = ["ladder", GAME, "--scenario", "lone_claim", "--ladder", str(tmp_path / "l.duckdb")]
    assert command([*line, "show"]) == 0
    assert "best_odds" in capsys.readouterr().out


def test_whole_tables_need_two_sides() -> None:
    with pytest.raises(TournamentError, match=r"there is one side \(party\), so that no two strategies sit at one"):
        check_joint(["a", "b"], ["party"], 10)


def alone(paid: dict[int, list[float]]) -> Any:
    """A block for each deal, in which every agent plays once in each of its pairings; `paid` by agent and deal."""
    rows: dict[str, list[int | float]] = {name: [] for name in rs.SCHEMA.names}
    game = 0
    for pairing, pair in enumerate(combinations(sorted(paid), 2)):
        for deal in range(len(paid[0])):
            for seating, agent in enumerate(pair):
                own, other = paid[agent][deal], paid[pair[1 - seating]][deal]
                line = (pairing, deal, deal, seating, game, 0, 0, agent, own, int(np.sign(own - other)), 1, 0, 2)
                for name, value in zip(rs.SCHEMA.names, line, strict=True):
                    rows[name].append(value)
                game += 1
    return rs.make_table({name: np.array(values) for name, values in rows.items()})


PAID = {0: [4.0, 2.0] * 8, 1: [2.0, 1.0] * 8, 2: [1.0, 0.0] * 8}


def test_whole_differences_count_where_nobody_meets_anybody() -> None:
    """0 gets 3, 1 gets 1.5, 2 gets 0.5: the first gets 1.5 and 2.5 more, 2 more than the others on average."""
    met = analyse(alone(PAID), ["a", "b", "c"], 1, 50)
    found = apart(met)
    assert met.metagame is not None and met.matrix[0][1] == pytest.approx(0.75), "half, where two sides meet"
    assert found.metagame is None and found.lone and "lone" in found.to_dict() and "lone" not in met.to_dict()
    assert [found.matrix[0][k] for k in (1, 2)] == pytest.approx([1.5, 2.5])
    assert [row.rating for row in found.leaderboard] == pytest.approx([2.0, -0.25, -1.75])
    for name in ("matrix_error", "matrix_low", "matrix_high", "joint_low", "joint_high"):
        one, two = getattr(met, name), getattr(found, name)
        assert two[0][1] == 2 * one[0][1] and two[2][1] == 2 * one[2][1], name
    for one, two in zip(met.leaderboard, found.leaderboard, strict=True):
        assert one.rating_interval is not None and two.rating_interval is not None and one.payoff == two.payoff
        assert two.rating_interval == Interval(2 * one.rating_interval.low, 2 * one.rating_interval.high)


def test_what_is_said_of_games_of_one_side() -> None:
    """The lead over the next, of another the lag behind the first, and nothing of beating or dominating."""
    found = apart(analyse(alone(PAID), ["a", "b", "c"], 1, 50))
    assert found.joint_low is not None and found.joint_high is not None
    ends, back = ([matrix[i][j] or 0.0 for matrix in (found.joint_low, found.joint_high)] for i, j in ((0, 1), (2, 0)))
    first, second, third = answer(found, ["c"])
    assert first.startswith("a comes first: it earned +2.000 a game more than the others on average (95% interval +")
    assert second.startswith("a got +3.000 a game (+")
    assert second.endswith(f"), on the same deals 1.500 more than b, interval +{ends[0]:.3f} to +{ends[1]:.3f}.")
    lagging = f"), on the same deals 2.500 less than a, interval −{-back[0]:.3f} to −{-back[1]:.3f}."
    assert third.startswith("c got +0.500 a game (") and third.endswith(lagging)
    german = [words("de")(text) for text in (first, second, third)]
    assert german[0].startswith("a liegt vorn: Im Schnitt waren es +2,000 je Spiel mehr als bei den anderen (95\u00a0%")
    assert "in denselben Gaben 1,500 mehr als b" in german[1] and "2,500 weniger als a" in german[2]
    assert [claim.wishes for claim in claims(found, ["c"])[1:]] == [(Wish("level", 0, 1),), (Wish("level", 2, 0),)]
    only = dataclasses.replace(found, leaderboard=(dataclasses.replace(found.best, payoff_interval=None),))
    assert ahead_sentence(only, 0, unit="EP") == "a got +3.000 EP a game."


def test_a_race_of_one_side_counts_whole_differences() -> None:
    """a gets 1.5 more in each deal of 300: shown to be more than 1, of which half a difference says nothing."""
    table = alone({0: [2.5, 1.5] * 150, 1: [1.0, 0.0] * 150})
    for share, text in ((1.0, "a gets between +1."), (0.5, "a wins between +0.")):
        race = Race(Until("sprt", low=share, high=1.4 * share), ("a", "b"), (-3.0, 3.0), 300, 300, share == 1)
        while (now := race.round()) is not None:
            for number in now[0]:
                race.add(table.filter(rs.column(table, "block") == number))
        decision = race.decision()
        assert share < decision.low[0] < 1.5 * share < decision.high[0]
        assert decision.decided and text in decision.text and words("de")(decision.text) != decision.text
    race = Race(Until("dominance"), ("a", "b"), (-3.0, 3.0), 300, 300, True)
    assert "it is not known who earns more, a or b" in race.decision().text
