"""Figures of tournaments in small cases by hand: swaps of parts, ends of ratings, margins, units and files."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import scipy

from probespiel.envs.core.errors import ProbespielError
from probespiel.evaluation.exploit import run
from probespiel.evaluation.exploit.exact import Answered
from probespiel.evaluation.exploit.records import Target
from probespiel.evaluation.tournament import loadouts, rare
from probespiel.evaluation.tournament.lone import leads
from probespiel.evaluation.tournament.rating_ends import ends_of_blocks, likelihood_ends
from probespiel.evaluation.tournament.ratings import ELO_MEAN, ELO_SCALE, PRIOR_DRAWS
from probespiel.evaluation.tournament.region import Region
from probespiel.evaluation.tournament.results import SCHEMA, read_results, write_results
from probespiel.evaluation.tournament.simultaneous import pair_residuals
from probespiel.evaluation.tournament.summary import Interval


def sums_of(games: list[list[float]], paid: list[list[float]], **more: Any) -> Any:
    """Sums of units of two agents; the other matrices are given as `more`, or are not looked at."""
    matrices = [scipy.sparse.csr_array(np.array(part, dtype=float)) for part in (games, more.get("wins", games), paid)]
    matrices += [
        scipy.sparse.csr_array(np.array(more[name], dtype=float)) for name in ("rows", "alone") if name in more
    ]
    found = SimpleNamespace(n_agents=2, n_seats=more.get("n_seats", 2), matrices=matrices, **more.get("says", {}))
    found.means = lambda kind, rows: np.divide(
        matrices[kind].toarray(), matrices[rows].toarray(), out=np.full((len(games), 4), np.nan),
        where=matrices[rows].toarray() > 0,
    )  # fmt: skip
    return found


def test_a_swap_of_parts_is_worth_the_mean_of_its_pairs() -> None:
    """A sword for a club, bare-handed otherwise and with a shield: 0.5 and 0.1, so 0.3 ± 0.2; ahead in both."""
    ratings = {0: (0.3, 0.1), 1: (-0.2, 0.1), 2: (0.25, 0.05), 3: (0.15, 0.15)}
    rows = [
        SimpleNamespace(agent=agent, rating=rating, rating_interval=Interval(rating - half, rating + half))
        for agent, (rating, half) in ratings.items()
    ]
    wear = {0: "sword", 1: "club", 2: "shield+sword", 3: "club+shield"}
    swap = loadouts._swaps(cast(Any, SimpleNamespace(leaderboard=rows)), wear)["sword", "club"]
    assert (swap.gain, swap.interval.low, swap.interval.high) == pytest.approx((0.3, 0.1, 0.5))
    assert (swap.ahead, swap.pairs) == (2, 2)


def test_the_best_part_is_that_of_the_best_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """An axe leads by 0.5 once, a bow by 0.3 for a club and by 0.4 for nothing: the axe is best, and not shown by 0."""
    leads = {("axe", "bow"): (0.5, 0.0), ("bow", "club"): (0.3, 0.1), ("bow", "nothing"): (0.4, 0.1)}
    swaps = {pair: loadouts._Swap(gain, Interval(low, 1.0), 1, 1) for pair, (gain, low) in leads.items()}
    for one, two in list(swaps):
        swaps[two, one] = loadouts._Swap(-1.0, Interval(-2.0, 0.0), 0, 1)
    del swaps["bow", "axe"]
    monkeypatch.setattr(loadouts, "_swaps", lambda *_: swaps)
    (note,) = loadouts._part_by_part(cast(Any, None), "rush", {})
    assert note.startswith("All else equal, axe is ahead, though not every lead is shown for rush")
    swaps["axe", "bow"] = loadouts._Swap(0.5, Interval(0.001, 1.0), 1, 1)
    (note,) = loadouts._part_by_part(cast(Any, None), "rush", {})
    assert note.startswith("All else equal, axe is shown to be better than every other for rush")


def test_a_point_of_a_value_is_worth_what_it_leads_by() -> None:
    """Four points more lead by 0.2, from 0.1 to 0.4: 0.05 a point; other values and other differences tell nothing."""
    wear = {0: "axe+skill=7", 1: "axe+skill=3", 2: "axe+speed=3", 3: "bow+skill=1"}
    margins = np.full((4, 4), 0.9)
    margins[0, 1] = 0.2
    low, high = margins - 0.1, margins + 0.2
    summary: Any = SimpleNamespace(joint_low=low.tolist(), joint_high=high.tolist(), matrix=margins.tolist())
    (note,) = loadouts._worth_of_values(summary, "rush", wear)
    assert "A point of skill is worth +0.0500 a game to rush" in note and "7 against 3" in note
    assert "0.0250" in note and "0.1000" in note
    summary.joint_low = None
    assert loadouts._worth_of_values(summary, "rush", wear) == []


def test_exact_answers_are_asked_of_whom_is_known_exactly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the chances were sampled, an enumeration is no exact answer."""
    sampled = Answered(cast(Any, None), False, 50, 0.1, ())
    monkeypatch.setattr(run, "_enumerated", lambda *_: (sampled, ("the chances of it are not known",)))
    monkeypatch.setattr(run, "_by_tree", lambda *_: pytest.fail("it was measured"))
    with pytest.raises(ProbespielError, match="--method exact is not possible: the chances of it are not known"):
        run.exploit(Target("kuhn", "honest"), tmp_path, run.Plan(method="exact"))


def test_ends_of_few_blocks_are_students() -> None:
    """Ten blocks of two games, of which four are lost: a variance of twice that of single games, by nine degrees more.

    A deviation is longer by the root of 10 / 9 and by Student's quantile instead of the normal's.
    """
    games, wins = [[0.0, 2, 2, 0]] * 10, [[0.0, 2, 0, 0]] * 6 + [[0.0, 0, 2, 0]] * 4
    sums = sums_of(games, wins, wins=wins, says={"independent": 10})
    theta = np.array([1, -1]) * np.log(0.6 / 0.4) / 2
    found = ends_of_blocks(sums, [0, 1], theta, np.ones((2, 2)), PRIOR_DRAWS, 0.95)
    wider = np.full(2, 2 * 10 / 9 * (2.262157 / 1.959964) ** 2)
    ends = likelihood_ends(np.array([[0.0, 12], [8, 0]]), theta, np.arange(2), wider, 0.95)
    for end, one in zip(found, ends, strict=True):
        assert end == pytest.approx(ELO_MEAN + ELO_SCALE * one, abs=1e-3)


def test_what_met_nobody_in_a_unit_counts_by_what_it_was_paid() -> None:
    """In the first unit agent 0 gets 6 in two games with 1; in the second both sit alone: 8 in 4 rows, and -3 in 2."""
    sums = sums_of(
        [[0, 2, 2, 0], [0, 0, 0, 0]], [[0, 6, -6, 0], [0, 0, 0, 0]],
        rows=[[1, 1, 1, 1], [3, 1, 1, 1]], alone=[[3, 3, -3, -3], [6, 2, -1, -2]],
    )  # fmt: skip
    assert rare.payoffs_of_units(sums) == pytest.approx(np.array([[3.0, -3.0], [2.0, -1.5]]))


def test_a_unit_alone_in_its_stratum_is_not_widened() -> None:
    """Payoffs 2 and 4 in one game each, a stratum of two units, and 3 in one of its own: off by -1, 1, 0 of three."""
    sums = sums_of([[0, 1, 1, 0]] * 3, [[0, 2, -2, 0], [0, 4, -4, 0], [0, 3, -3, 0]])
    sums.stratum = np.array([0, 0, 1])
    total: Any = SimpleNamespace(games=np.array([[0.0, 3], [3, 0]]), payoff=np.array([[0.0, 9], [-9, 0]]))
    found = pair_residuals(sums, total).values[:, 0]
    assert found.tolist() == pytest.approx([-(2**0.5) / 3, 2**0.5 / 3, 0.0])


def test_what_is_not_used_adds_nothing_to_a_gain() -> None:
    """Against 0 alone the third gains 1 at least, whatever is unknown of the second against others."""
    high = np.array([[0.0, 0.5, -1.0], [2.0, 0.0, np.inf], [3.0, np.inf, 0.0]])
    region = Region(-high.T, high)
    assert region.least_gained(np.array([1.0, 0.0, 0.0])) == 1.0


def test_results_are_written_into_a_folder_that_is_there(tmp_path: Path) -> None:
    """Twice into the same folder, which is made with all above it."""
    table = SCHEMA.empty_table()
    for name in ("a.parquet", "b.parquet"):
        path = write_results(tmp_path / "new" / "folder" / name, table)
        assert read_results(path).num_rows == 0


def test_who_leads_a_game_does_so_by_the_means_of_the_seats() -> None:
    """4 against 1 and 3 of two seats: ahead by 2; and 6 and 2 against 1: ahead by 3."""
    schedule: Any = SimpleNamespace(seating=np.array([[0, 1, 1], [0, 0, 1]]))
    paid: Any = SimpleNamespace(payoffs=np.array([[4.0, 1.0, 3.0], [6.0, 2.0, 1.0]]))
    assert leads(schedule, paid).tolist() == [2.0, 3.0]
