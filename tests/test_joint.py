"""Whole tables of joint strategies: what is played, what it says of three agents at one table, and the command."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.entrants import AnyMatch
from probespiel.agents.intervals import Floats
from probespiel.agents.match import Match, Schedule
from probespiel.app.cli import run as command
from probespiel.app.cli_tournament import _keep_joint, _play_joint
from probespiel.app.common import Lang
from probespiel.envs import make_game
from probespiel.envs.core.replay import load
from probespiel.evaluation.tournament import deviation, joint
from probespiel.evaluation.tournament.deviation import DENSE, alpha_rank, deviation_ratings, joint_alpha_rank
from probespiel.evaluation.tournament.joint import check_joint, kept_joint, play_joint, spans_of
from probespiel.evaluation.tournament.joint_words import joint_section, joint_sentences
from probespiel.evaluation.tournament.metagame import MetagameError, max_entropy_nash
from probespiel.evaluation.tournament.plan import TournamentError
from probespiel.evaluation.tournament.report import read_summary, render_html
from probespiel.evaluation.tournament.summary import Interval, JointRating, JointRatings

from .schema_check import assert_valid

MANY = joint.RESAMPLES
SIDES = (("north", (0, 3)), ("east", (1,)), ("south", (2,)))


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fewest resamples that large tables get: all tests but that of intervals ask for other things."""
    monkeypatch.setattr(joint, "RESAMPLES", (MANY[0], MANY[0]))


class Allies:
    """Three sides, one of them with two seats. Where all three agents sit, 0 and 1 win from 2; else nobody wins."""

    def __init__(self) -> None:
        bounds = ((0.0, 2.0), (-2.0, 2.0), (-2.0, 1.0), (-2.0, 2.0))
        self.game = SimpleNamespace(sides=SIDES, n_seats=4, spec=SimpleNamespace(bounds_of_seats=bounds))
        self.may_forfeit = False
        self.calls: list[Schedule] = []

    def play(self, schedule: Schedule, absent: Any) -> Any:
        self.calls.append(schedule)
        seating = schedule.seating
        assert (seating[:, 0] == seating[:, 3]).all(), "both seats of a side belong to one agent"
        allied = (seating == 0).any(axis=1) & (seating == 1).any(axis=1) & (seating == 2).any(axis=1)
        paid = np.where(allied[:, None], np.where(seating == 2, -2.0, 1.0), 0.0)
        paid[:, 0] += np.where(schedule.dice % np.uint64(2) == 0, 1.0, -1.0)  # luck of one seat of two
        return SimpleNamespace(payoffs=paid)


def test_every_joint_strategy_is_played_on_the_same_deals() -> None:
    match = Allies()
    found = play_joint(cast(AnyMatch, match), ["a", "b", "c"], 1000, 5)
    assert found.payoffs.shape == (3, 3, 3, 3) and found.sides == ("north", "east", "south")
    played = np.concatenate([schedule.seating for schedule in match.calls])
    dice = np.concatenate([schedule.dice for schedule in match.calls]).reshape(1000, 27)
    assert len(match.calls) > 1 and (dice == dice[:, :1]).all() and len(set(dice[:, 0].tolist())) == 1000
    wanted = [tuple(row) for row in product(range(3), repeat=3)]
    assert [tuple(row) for row in played[:27, :3].tolist()] == wanted
    luck = found.payoffs[0, 0, 0, 0]  # the same in every table, for the deals are
    assert 0 < abs(luck) < 0.06 and found.errors[0, 0, 0, 0] == pytest.approx(0.5 / 1000**0.5, rel=0.01)
    assert found.payoffs[0, 0, 1, 2] == pytest.approx(1 + luck) and found.payoffs[0, 2, 1, 0] == pytest.approx(luck - 2)
    assert found.payoffs[2, 0, 1, 2] == -2 and found.payoffs[1, 2, 2, 0] == 0 and found.errors[1].max() == 0


def test_who_gains_in_company_is_told_from_who_does_not() -> None:
    """In pairs all three are equal; at a table of three c alone loses, so that nobody should play it."""
    found = play_joint(cast(AnyMatch, Allies()), ["a", "b", "c"], 1000, 5)
    first, second, last = found.ratings.rows
    assert {first.name, second.name} == {"a", "b"} and last.name == "c"
    assert last.deviation_interval.high < min(first.deviation_interval.low, second.deviation_interval.low)
    assert last.deviation < found.deviation.mean(axis=0)[:2].min() - 0.1 and last.alpha < 0.2
    assert found.alpha.sum(axis=1) == pytest.approx(np.ones(3)) and found.deviation.max() <= 1e-9


def test_alpha_rank_of_one_population_each() -> None:
    """Two players with a dominant strategy each: of four states one is left by a mutant in one case of a hundred.

    Matching pennies: all four states follow each other in a circle.
    """
    first = np.array([[3.0, 1.0], [2.0, 0.0]])
    shares = joint_alpha_rank([first, first.T])
    assert [row.tolist() for row in shares] == [pytest.approx([0.99, 0.01])] * 2
    pennies = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert np.array(joint_alpha_rank([pennies, -pennies])) == pytest.approx(np.full((2, 2), 0.5))


def test_alpha_rank_of_many_populations_is_that_of_openspiel() -> None:
    theirs = pytest.importorskip("open_spiel.python.egt.alpharank")
    rng = np.random.default_rng(4)
    tables = list(rng.normal(size=(3, 2, 3, 2)))
    _, _, shares, _, _ = theirs.compute(tables, use_inf_alpha=True)
    joint = np.array(shares).reshape(2, 3, 2)
    wanted = [joint.sum(axis=tuple(p for p in range(3) if p != player)) for player in range(3)]
    for mine, want in zip(joint_alpha_rank(tables), wanted, strict=True):
        assert mine == pytest.approx(want, abs=1e-9)
    assert alpha_rank(np.array([[0.0, 1.0], [-1.0, 0.0]])) == pytest.approx([0.99, 0.01])


def test_alpha_rank_of_many_states_by_hand() -> None:
    """Eleven populations that do not concern each other, whose second strategy earns more: one share as with one."""
    payoffs = [np.broadcast_to(np.arange(2.0).reshape([2 if q == p else 1 for q in range(11)]), (2,) * 11)
               for p in range(11)]  # fmt: skip
    assert DENSE < 2**11
    assert np.array(joint_alpha_rank(payoffs)) == pytest.approx(np.tile([0.01, 0.99], (11, 1)), abs=1e-12)


def test_alpha_rank_of_many_states_is_that_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random payoffs, some of them equal, and three groups of states that are hard to leave."""
    rng = np.random.default_rng(5)
    several = [list(rng.integers(0, 4, size=(4, 4, 3, 5, 3)).astype(float)), alike(3, 5)]
    for payoffs in several:
        dense = np.concatenate(joint_alpha_rank(payoffs))
        with monkeypatch.context() as patch:
            patch.setattr(deviation, "DENSE", 1)
            assert np.concatenate(joint_alpha_rank(payoffs)) == pytest.approx(dense, abs=1e-11)
    with monkeypatch.context() as patch:
        patch.setattr(deviation, "DENSE", 1)
        patch.setattr(deviation, "_ROUNDED", 0.0)
        with pytest.raises(MetagameError, match=r"alpha-rank of 243 joint strategies was not found: a step still"):
            joint_alpha_rank(several[1])
    shares = np.array(joint_alpha_rank(alike(3, 8)))  # 6,561 states; none of the three is different from the others
    assert shares == pytest.approx(np.full((8, 3), 1 / 3), abs=1e-9)


def alike(strategies: int, sides: int) -> list[np.ndarray]:
    """Everybody earns the sum of squares of how many play each strategy: all alike are hard to leave."""
    at = np.indices((strategies,) * sides)
    return [sum(((at == k).sum(axis=0) ** 2.0 for k in range(strategies)), np.zeros(at.shape[1:]))] * sides


def test_a_real_table_is_that_of_single_matches() -> None:
    game = make_game("kuhn")
    names = ["random", "card_only", "bluffer"]
    with Match(game, names, 7, None) as match:
        found = play_joint(match, names, 400, 7)
        seating = np.tile([1, 2], (400, 1))
        alone = match.play(Schedule.of(7, np.arange(400), seating), ()).payoffs
    assert found.payoffs[:, 1, 2].tolist() == alone.mean(axis=0).tolist()
    assert found.payoffs.sum(axis=0) == pytest.approx(np.zeros((3, 3)))


def test_too_large_tables_are_refused() -> None:
    check_joint("abcd", ["1", "2", "3", "4", "5"], 9765)
    check_joint("abc", "123456789", 2)
    with pytest.raises(
        TournamentError, match="8 agents on 5 sides make 32,768 joint strategies: name 7 agents at most"
    ):
        check_joint("abcdefgh", ["1", "2", "3", "4", "5"], 2)
    check_joint([str(k) for k in range(40)], "12", 2)
    with pytest.raises(TournamentError, match="41 agents on 2 sides make 1,681 joint strategies: name 40 agents"):
        check_joint([str(k) for k in range(41)], "12", 2)
    with pytest.raises(TournamentError, match=r"bot\.py:Bot could know the deals"):
        check_joint(["random", "bot.py:Bot"], ["1", "2"], 2, ["bot.py:Bot"])
    for deals in (9766, 2**128):  # five payoffs of 1,024 joint strategies a deal: 50 million are 9,765.6 deals
        with pytest.raises(TournamentError, match=rf"{deals} deals of 1,024 joint .* at most 9,765 deals"):
            check_joint("abcd", ["1", "2", "3", "4", "5"], deals)
    with pytest.raises(TournamentError, match="1 deals"):
        play_joint(cast(AnyMatch, Allies()), ["a", "b"], 1, 1)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = [
        "tournament",
        "kuhn",
        "--agents",
        "random,card_only,bluffer",
        "--games",
        "40",
        "--seed",
        "3",
        "--jobs",
        "1",
    ]
    folder = tmp_path / "joint"
    assert command([*given, "--joint", "50", "--out", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "9 joint strategies, 50 deals of each" in told and told.count("bluffer") >= 2
    stored = json.loads((folder / "joint.json").read_text("utf-8"))
    assert stored["deals"] == 50 and np.array(stored["payoffs"]).shape == (2, 3, 3)
    page = (folder / "report.html").read_text("utf-8")
    assert 'id="whole-tables"' in page and "in all 9 ways, 50 deals each" in page
    assert "<code>probespiel replay joint-game.json</code>" in page
    shown = load(folder / "joint-game.json")
    order = [row.name for row in kept_joint(folder / "joint.json").rows]  # pyright: ignore[reportOptionalMemberAccess]
    assert list((shown.agents or {}).values()) == order[:2], "in the order of their ratings"
    kept, info = read_summary(json.loads((folder / "summary.json").read_text("utf-8")))
    assert_valid(folder / "summary.json")
    assert info.joint is not None and [row.name for row in info.joint.rows] == [
        line.split(":")[0].strip() for line in told.partition("deviation ratings:\n")[2].splitlines()[:3]
    ]
    assert render_html(kept, info) == page, "the page can be made again from the file alone"
    assert command(["report", str(folder), "--lang", "de"]) == 0
    again = capsys.readouterr().out.replace("\n", " ")
    assert "Vorn nach Abweichungswertung" in again
    german = (folder / "report.de.html").read_text("utf-8")
    assert "Ganze Tische" in german and "Whole tables" not in german and "auf alle 9 Weisen, je 50 Gaben" in german
    assert command([*given, "--resume", "--out", str(folder)]) == 0
    capsys.readouterr()
    _, later = read_summary(json.loads((folder / "summary.json").read_text("utf-8")))
    assert later.joint is not None and later.joint.rows == info.joint.rows, "who goes on loses nothing"
    assert 'id="whole-tables"' in (folder / "report.html").read_text("utf-8")
    damaged = json.dumps({**stored, "spans": stored["spans"][0]})
    for text in ("", "{}", damaged, '{"names": 3}'):
        (folder / "joint.json").write_text(text)
        assert kept_joint(folder / "joint.json") is None
    (folder / "joint.json").write_text(json.dumps({**stored, "names": ["random", "card_only", "else"]}))
    before = (folder / "summary.json").read_bytes()
    _keep_joint(folder, kept.names)
    assert (folder / "summary.json").read_bytes() == before, "of other agents"
    (folder / "joint.json").unlink()
    capsys.readouterr()
    _play_joint(folder, 50, Lang.de)
    assert "9 gemeinsame Strategien, je 50 Gaben" in capsys.readouterr().out
    assert json.loads((folder / "joint.json").read_text("utf-8")) == stored, "the same seed gives the same table"


def rating(name: str, deviation: float, alpha: float) -> JointRating:
    return JointRating(name, deviation, Interval(deviation - 0.25, 0.0), alpha, Interval(0.1, 0.9))


def in_pairs(*rows: tuple[str, float]) -> Any:
    """A summary of strategies with ratings by payoff."""
    names = [name for name, _ in rows]
    best = max(value for _, value in rows)
    lines = [
        SimpleNamespace(agent=agent, rating=value, rank=1 if value == best else 2)
        for agent, (_, value) in enumerate(rows)
    ]
    return SimpleNamespace(names=names, leaderboard=lines, matrix=[[0.0, 1.0], [-1.0, 0.0]], seats=())


def test_the_section_says_who_is_first_and_where_copies_say_otherwise() -> None:
    joint = JointRatings(1024, 2000, (rating("b", -0.125, 0.375), rating("a", -0.5, 0.625)))
    differ = joint_section(in_pairs(("a", 1.0), ("b", -1.0)), joint, "en", str, " EP", False)
    assert "all 1,024 ways, 2,000 deals each" in differ["intro"]
    assert [row["name"] for row in differ["rows"]] == ["b", "a"]
    assert differ["rows"][0]["cells"] == ["−0.125 (−0.375 … 0.000)", "37.5% (10.0% … 90.0%)", "−1.000"]
    assert differ["rows"][1]["cells"] == ["−0.500 (−0.750 … 0.000)", "62.5% (10.0% … 90.0%)", "+1.000"]
    first, second, third, fourth = differ["sentences"]
    assert "leaves least to gain: b (−0.125 EP a game)" in first
    assert "more against the others: a (62% of the time)" in second
    assert "a is first by payoff" in third and "two ways to rate whole tables differ" in fourth
    one = JointRatings(4, 2, (rating("b", 0, 1), rating("a", -1, 0)))
    told = joint_sentences(in_pairs(("a", -1.0), ("b", 1.0)), one, "de")
    assert told[2:] == ["Auch unter Kopien einer Strategie ist b vorn."]
    told = joint_sentences(in_pairs(("a", 1.0), ("b", 1.0)), one)
    assert told[2:] == ["Among copies of one strategy a, b is first, too."]
    told = joint_sentences(in_pairs(("a", 1.0), ("b", 0.0)), one)
    assert len(told) == 3 and "a is first by payoff, a mean" in told[2]
    assert joint_section(in_pairs(("a", 1.0)), None, "en", str, "", False) == {}


def test_intervals_are_of_deals_drawn_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sides, two agents. In half of the deals side 0 gets one more from its second agent, in the others two less.

    Whoever resamples deals gets a mean between -2 and 1 for it; the rating is at most 0 and that mean where it is less.
    """
    earned = np.zeros((200, 4, 2))
    earned[::2, 2:, 0], earned[1::2, 2:, 0] = 1.0, -2.0
    fewer = spans_of(earned, (2, 2, 2), 7)
    assert (fewer == spans_of(earned, (2, 2, 2), 7)).all()
    assert all((fewer != spans_of(earned, (2, 2, 2), other)).any() for other in (8, 7 + 128))
    monkeypatch.setattr(joint, "RESAMPLES", MANY)
    spans = spans_of(earned, (2, 2, 2), 7)
    assert spans.shape == (2, 2, 2)
    mean, error = -0.5 / 2, 1.5 / 200**0.5 / 2  # of both sides: the other one has the same from both agents
    low, high = spans[0, 1]
    assert low == pytest.approx(mean - 1.96 * error, abs=0.5 * error)
    assert high == pytest.approx(mean + 1.96 * error, abs=0.5 * error)
    assert spans[0, 0].tolist() == pytest.approx([0.0, 0.0], abs=1e-9)


def test_intervals_of_few_deals_are_wider_than_their_resamples_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six deals, 1 and -2 in turn: one resample of 64 has the worst six times, which is within Student's interval."""
    monkeypatch.setattr(joint, "RESAMPLES", MANY)
    earned = np.zeros((6, 4, 2))
    earned[::2, 2:, 0], earned[1::2, 2:, 0] = 1.0, -2.0
    assert spans_of(earned, (2, 2, 2), 7)[0, 1] == pytest.approx([-1.0, 0.0])


def of_duel(payoffs: Floats) -> tuple[Floats, Floats]:
    """What `rated` says of two agents of which one gains from the other at either side, without a linear program."""
    first, second = payoffs[0, 0, 1], payoffs[1, 1, 0]
    found = np.zeros((2, 2))
    if first > 0 < second:
        found[:, 1] = -second, -first
    if first < 0 > second:
        found[:, 0] = first, second
    return found, np.full((2, 2), 0.5)


def duel(first: Floats, second: Floats) -> Floats:
    """Payoffs (..., joint strategies, sides) of a duel: what agent 0 gains of agent 1 at either side; else nothing."""
    zero = np.zeros_like(first)
    return np.stack([np.stack([zero, first, -second, zero], -1), np.stack([zero, -first, second, zero], -1)], -1)


def test_the_ratings_of_a_duel() -> None:
    for first, second in ((0.5, 0.3), (0.9, 0.1), (0.5, -0.3), (-0.5, -0.3), (-0.2, 0.5)):
        payoffs = duel(np.array(first), np.array(second)).T.reshape(2, 2, 2)
        assert of_duel(payoffs)[0] == pytest.approx(joint.rated(payoffs)[0], abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("deals", "lost"), [(10, 0.02), (10, 0.2), (30, 0.05), (30, 0.2), (100, 0.02), (100, 0.1)])
def test_of_deals_that_seldom_differ_94_percent_of_intervals_hold_the_truth(
    deals: int, lost: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Agent 0 wins 1 of agent 1 and loses 1 with the chance `lost`, at either side: agent 1 is rated 2 `lost` - 1."""
    monkeypatch.setattr(joint, "RESAMPLES", (300, 300))
    monkeypatch.setattr(joint, "rated", of_duel)
    rng, held = np.random.default_rng(deals), 0
    for number in range(400):
        won = np.where(rng.random((2, deals)) < lost, -1.0, 1.0)
        low, high = spans_of(duel(*won), (2, 2, 2), number, np.array([[-1.0, 1.0]] * 2))[0, 1]
        held += low - 1e-9 <= 2 * lost - 1 <= high + 1e-9
    assert held >= 0.94 * 400


@pytest.mark.slow
@pytest.mark.parametrize(("deals", "lost"), [(10, 0.5), (10, 0.2), (30, 0.45), (100, 0.5), (100, 0.4), (400, 0.48)])
def test_94_percent_of_intervals_of_alpha_rank_hold_the_truth(
    deals: int, lost: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same duel: as selection is as strong as can be, shares go by who gains at either side alone."""
    known: dict[tuple[float, ...], Floats] = {}

    def by_signs(payoffs: Floats) -> tuple[Floats, Floats]:
        signs = np.sign([payoffs[0, 0, 1], payoffs[1, 1, 0]])
        key = tuple(signs.tolist())
        if key not in known:
            known[key] = np.array(joint.joint_alpha_rank(list(duel(*signs).T.reshape(2, 2, 2))))
        return np.zeros((2, 2)), known[key]

    monkeypatch.setattr(joint, "RESAMPLES", (300, 300))
    monkeypatch.setattr(joint, "rated", by_signs)
    rng, held = np.random.default_rng(deals), 0
    truth = by_signs(duel(*np.full(2, 1 - 2 * lost)).T.reshape(2, 2, 2))[1].mean(axis=0)
    for number in range(400):
        won = np.where(rng.random((2, deals)) < lost, -1.0, 1.0)
        low, high = spans_of(duel(*won), (2, 2, 2), number, np.array([[-1.0, 1.0]] * 2))[1].T
        held += ((low - 1e-9 <= truth) & (truth <= high + 1e-9)).all()
    assert held >= 0.94 * 400


@pytest.mark.parametrize(("deals", "moved"), [(2, 0.776393), (10, 0.258866), (1000, 0.002991)])
def test_what_never_varied_has_an_interval_too(deals: int, moved: float) -> None:
    """One side, two agents that earn 0 in all deals: either may earn more or less by 1 with the chance 1 - 0.05^(1/n).

    So the lesser of them is behind by twice that or by nothing. What varied enough is as it is, and ends are kept.
    """
    reach = np.array([[-1.0, 1.0]])
    same = np.zeros((deals, 2, 1))
    assert spans_of(same, (1, 2), 3).tolist() == [[[0.0, 0.0]] * 2, [[0.5, 0.5]] * 2]
    spans = spans_of(same, (1, 2), 3, reach)
    assert spans[0] == pytest.approx(np.array([[-2 * moved, 0.0]] * 2), abs=1e-5)
    assert spans[1] == pytest.approx(np.array([[0.0, 1.0]] * 2), abs=0.02), "either has nearly all of it"
    ends = spans_of(same + [[1.0], [-1.0]], (1, 2), 3, reach)  # both are at an end: they may only come nearer
    lead = 2 - 4 * moved  # at the least; with two deals the other one may be ahead
    assert ends[0] == pytest.approx(np.array([[min(lead, 0.0), 0.0], [-2.0, min(-lead, 0.0)]]), abs=1e-5)
    varied = same + np.linspace(-0.5, 0.5, deals)[:, None, None]
    assert (spans_of(varied, (1, 2), 3, reach) == spans_of(varied, (1, 2), 3)).all()


def test_of_what_few_deals_differ_in_resamples_go_further() -> None:
    """Six of thirty deals pay -1 instead of 1: by Clopper and Pearson 0.0771 to 0.3857 may, 0.1857 more at the most.

    Twice that lie below the mean; a normal interval has 2.0452 deviations of 0.8 by the root of 29. Nothing is above 1.
    """
    seldom = np.ones((30, 2, 1))
    seldom[:6, 0] = -1.0
    half = 2.045230 * 0.8 / 29**0.5
    found = joint._stretched(seldom, np.array([[-1.0, 1.0]]))
    assert found[:, :, 0] == pytest.approx(np.array([[2 * (0.3856665 - 0.2) / half, 1.0], [1.0, 1.0]]), abs=1e-5)
    assert found[0, 0, 0] > 1.2
    scaled = joint._stretched(3 * seldom, np.array([[-3.0, 3.0]]))
    assert scaled == pytest.approx(found)
    seldom[:, 1, 0] = np.linspace(-1e-6, 1e-6, 30)  # behind by 0.6, of which the other one may lose more than it seems
    plain, wide = (
        [float(end[0, 1]) for end in joint._resampled(seldom, (1, 2), 3, reach)]
        for reach in (None, np.array([[-1.0, 1.0]]))
    )
    assert wide[0] == pytest.approx(plain[0]) and plain[0] < -0.8
    assert wide[1] + 0.6 == pytest.approx(found[0, 0, 0] * (plain[1] + 0.6), abs=1e-4)


@pytest.mark.parametrize("forfeits", [False, True])
def test_between_what_the_payoffs_of_a_side_lie(forfeits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean of its seats; between all ends where who forfeits may pay a seat what another one can get."""
    match, seen = Allies(), []
    match.may_forfeit = forfeits
    monkeypatch.setattr(joint, "spans_of", lambda *given: seen.append(given[3].tolist()) or np.zeros((2, 2, 2)))
    play_joint(cast(AnyMatch, match), ["a", "b"], 4, 5)
    assert seen == [[[-2.0, 2.0]] * 3 if forfeits else [[-1.0, 2.0], [-2.0, 2.0], [-2.0, 1.0]]]


def test_copies_change_nothing_for_the_others() -> None:
    """Deviation ratings and Nash averages of three strategies, with one of them twice."""
    rng = np.random.default_rng(4)
    m = rng.normal(size=(3, 3))
    m -= m.T
    twice = np.array([0, 1, 2, 2])
    copied = m[np.ix_(twice, twice)]
    one, two = (deviation_ratings([x, -x])[0] for x in (m, copied))
    assert two.tolist() == pytest.approx([*one.tolist(), one[2]], abs=1e-7)
    average, averages = (x @ max_entropy_nash(x) for x in (m, copied))
    assert averages.tolist() == pytest.approx([*average.tolist(), average[2]], abs=1e-6)


def test_an_interval_reaches_as_far_to_either_side_of_what_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever resamples sees -0.48 to -0.18 of -0.49: as far below it is -0.80, and above it no more than there was.

    Of alpha-rank 0.05, seen as 0.1 to 0.4, it is -0.3, which no share is; nor is a rating more than 0, or less than -1
    where a side's payoffs are within 1. Which side an interval lies off to makes no difference.
    """
    seen = np.array([[-0.49, -0.9], [0.05, 0.95]])
    monkeypatch.setattr(joint, "rated", lambda payoffs: (seen[:1], seen[1:]))
    ends = np.array([[-0.48, -0.7], [0.1, 0.3]]), np.array([[-0.18, -0.6], [0.4, 0.9]])
    monkeypatch.setattr(joint, "_resampled", lambda *_: ends)
    spans = spans_of(np.zeros((3, 2, 1)), (1, 2), 0, np.array([[0.0, 1.0]]))
    assert spans[0].tolist() == [pytest.approx([-0.80, -0.18]), pytest.approx([-1.0, -0.6])]
    assert spans[1].tolist() == [pytest.approx([0.0, 0.4]), pytest.approx([0.3, 1.0])]
    assert spans_of(np.zeros((3, 2, 1)), (1, 2), 0)[0, 1].tolist() == pytest.approx([-1.2, -0.6]), "without known ends"
    ends[0][0, 0], ends[1][0, 0] = -0.9, -0.6
    assert spans_of(np.zeros((3, 2, 1)), (1, 2), 0)[0, 0].tolist() == pytest.approx([-0.9, -0.08])
    ends[0][0, 0] = -1.2
    assert spans_of(np.zeros((3, 2, 1)), (1, 2), 0)[0, 0].tolist() == pytest.approx([-1.2, 0.0]), "0.22 is no rating"
