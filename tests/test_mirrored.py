"""Reports say the same of the same games: names exchanged, seats exchanged, or played in two halves."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from probespiel.agents.base import Agent, View
from probespiel.agents.match import Match
from probespiel.evaluation.exploit import measure
from probespiel.evaluation.exploit.exact import answer_by_tree
from probespiel.evaluation.exploit.measure import Bench, Candidate, figure, gains
from probespiel.evaluation.tournament import results as rs
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.sequential import Race, Until

from .games import rps_game
from .synthetic import by_matrix, tournament
from .test_sequential import block_of

DEALS = 12


def raced(until: Until, names: str, blocks: list[np.ndarray]) -> tuple[Race, list[tuple[int, set[str]]]]:
    """A race of some blocks, float64[deals, pairs], and of each round its blocks and the pairs that play in it."""
    found, rounds = Race(until, tuple(names), (-2.0, 2.0), len(blocks), len(blocks) * DEALS), []
    pairs = list(combinations(names, 2))
    while (answer := found.round()) is not None:
        rounds.append((len(answer[0]), {"".join(sorted(pairs[k])) for k in answer[1]}))
        for number in answer[0]:
            found.add(block_of(blocks[number], number, answer[1]))
    return found, rounds


# A test of two hypotheses with the two players exchanged


@pytest.mark.parametrize("lead", [-0.6, -0.15, 0.0, 0.12, 0.3])
def test_a_sequential_test_of_two_exchanged_players_is_mirrored(lead: float) -> None:
    """What the first wins from the second the second loses: the same bounds turned round, after as many games."""
    rng = np.random.default_rng(11)
    for _ in range(2):
        blocks = [np.where(rng.random((DEALS, 1)) < (1 + lead) / 2, 1.0, -1.0) for _ in range(60)]
        one, rounds = raced(Until("sprt", low=-0.1, high=0.25), "ab", blocks)
        other, there = raced(Until("sprt", low=-0.25, high=0.1), "ba", [-block for block in blocks])
        assert (one.blocks, one.games, one.decided, rounds) == (other.blocks, other.games, other.decided, there)
        (low, high), (least, most) = (tuple(float(end[0]) for end in race.bounds()) for race in (one, other))
        assert (least, most) == pytest.approx((-high, -low), abs=1e-12)
        told, mirrored = (race.decision().text for race in (one, other))
        for mine, its in (("so more than -0.1", "so less than 0.1"), ("so less than 0.25", "so more than -0.25")):
            both = (mine.replace("-", "\N{MINUS SIGN}") in told, its.replace("-", "\N{MINUS SIGN}") in mirrored)
            assert both[0] == both[1]
        assert ("The goal was not reached" in told) == ("The goal was not reached" in mirrored)


# A race of strategies that have other names and stand in another order


def claims_of(text: str, to: dict[str, str]) -> set[Any]:
    """What a decision says, with other names, one thing at a time."""
    said: set[Any] = set()
    for claim in text.split(": ", 1)[1].rsplit(" (after", 1)[0].split("; "):
        if found := re.fullmatch(
            r"(\w+) (earns more than|wins from) (.*?)(, or at most .*? less|, or loses at most .*)?", claim
        ):
            for other in re.split(", | and ", found[3]):
                said.add((to[found[1]], found[2], to[other], found[4]))
        elif found := re.fullmatch(r"(\w+) and (\w+) are within (.*)", claim):
            said.add((frozenset((to[found[1]], to[found[2]])), found[3]))
        elif found := re.fullmatch(r"(it is not known who .*), (\w+) or (\w+)", claim):
            said.add((found[1], frozenset((to[found[2]], to[found[3]]))))
        else:
            said.add(claim)
    return said


@pytest.mark.parametrize("until", [
    Until("ranking"), Until("best"), Until("dominance"), Until("ranking", within=0.4), Until("best", within=0.4),
    Until("dominance", within=0.4),
], ids=lambda until: f"{until.goal}-{until.within:g}")  # fmt: skip
def test_a_race_says_the_same_however_strategies_are_named_and_ordered(until: Until) -> None:
    """Of four strategies in a ladder with a wheel in it, on the same games."""
    rng = np.random.default_rng(5)
    names, pairs = "abcd", list(combinations(range(4), 2))
    means = np.array([0.5, 0.9, 0.1, 0.4, 0.0, 0.5])
    shown = 0
    for _ in range(3):
        blocks = [np.where(rng.random((DEALS, 6)) < (1 + means) / 2, 1.0, -1.0) for _ in range(50)]
        order = rng.permutation(4)  # the k-th of the other race is strategy order[k]
        moved = []
        for block in blocks:
            of = {pair: block[:, k] for k, pair in enumerate(pairs)}
            of |= {(b, a): -column for (a, b), column in of.items()}
            moved.append(np.stack([of[int(order[a]), int(order[b])] for a, b in pairs], axis=1))
        others = "".join("wxyz"[k] for k in order)
        one, rounds = raced(until, names, blocks)
        there, turns = raced(until, others, moved)
        to = dict(zip("wxyz", names, strict=True))
        assert [(n, {"".join(sorted(map(to.__getitem__, pair))) for pair in playing}) for n, playing in turns] == rounds
        assert (one.blocks, one.games, one.decided) == (there.blocks, there.games, there.decided)
        low, high = one.bounds()
        known = {(a, b): (low[k], high[k]) for k, (a, b) in enumerate(pairs)}
        known |= {(b, a): (-y, -x) for (a, b), (x, y) in known.items()}
        for (a, b), least, most in zip(pairs, *there.bounds(), strict=True):
            assert (least, most) == pytest.approx(known[int(order[a]), int(order[b])], abs=1e-9)
        told = claims_of(one.decision().text, dict(zip(names, names, strict=True)))
        assert told == claims_of(there.decision().text, to)
        shown += sum(isinstance(claim, tuple) and len(claim) == 4 for claim in told)
    assert shown >= 6, "who is better than whom"


# What can be won from an agent


class Plays(Agent):
    """Shows a symbol of its own on each seat."""

    def __init__(self, name: str, symbols: tuple[int, int]) -> None:
        self.name, self.symbols = name, symbols

    def act(self, view: View) -> int:
        """The symbol of its seat."""
        return self.symbols[view.seat]


MATRIX = np.array([[0.0, -1.0, 2.0], [3.0, 0.0, -2.0], [-1.0, 4.0, 0.5]])


@pytest.mark.parametrize("symbols", [(0, 1), (2, 0), (1, 1)])
def test_what_is_won_from_an_agent_whose_seats_are_exchanged(symbols: tuple[int, int]) -> None:
    """Whoever plays a game from its other seat, against the other column or row, loses there what it lost here.

    Against (a, b) the first gets the most of column b, the second loses the least of row a.
    """
    turned = symbols[1], symbols[0]
    here = answer_by_tree(rps_game(1, MATRIX), Plays("one", symbols), 9.0)
    there = answer_by_tree(rps_game(1, -MATRIX.T), Plays("another name", turned), 9.0)
    assert not isinstance(here, str) and not isinstance(there, str) and here.exact and there.exact
    assert here.bound == pytest.approx(there.bound)
    own = MATRIX[symbols]
    wanted = (MATRIX[:, symbols[1]].max(), own), (-MATRIX[symbols[0]].min(), -own)
    for sides in (here.sides, there.sides[::-1]):
        found = [(side.payoff.value, side.own.value) for side in sides if side.own is not None]
        assert np.array(found) == pytest.approx(np.array(wanted))
    assert here.bound == pytest.approx(sum(most - mine for most, mine in wanted) / 2)


def test_games_against_an_agent_with_another_name_and_exchanged_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is measured against it is the same by deal, and so are its mean and interval; by side the sides change."""
    found = []
    best = Plays("best", (2, 2))
    for matrix, agent in ((MATRIX, Plays("a", (0, 1))), (MATRIX, Plays("b", (0, 1))), (-MATRIX.T, Plays("a", (1, 0)))):
        monkeypatch.setattr(measure, "Match", lambda game, _, seed, agent=agent: Match(game, [agent, best], seed))
        bench = Bench(rps_game(1, matrix), agent.name, [Candidate("best", "best")], 3)
        rows = bench.blocks(0, 20, [[1], [1]], 60.0)
        gained = gains(bench, [row[0] for row in rows], [])
        found.append([rows[0][0], rows[1][0], gained, figure(gained, bench.gained), bench.choose(20, 9.0)[0]])
        bench.close()
    first, renamed, turned = found
    assert first[0] == pytest.approx(MATRIX[2, 1]) and first[1] == pytest.approx(-MATRIX[0, 2])
    assert all(np.array_equal(a, b) for a, b in zip(first[:3], renamed[:3], strict=True)) and first[3:] == renamed[3:]
    assert np.array_equal(first[0], turned[1]) and np.array_equal(first[1], turned[0])
    assert np.array_equal(first[2], turned[2]) and first[3] == turned[3] and first[4] == turned[4][::-1]


# A tournament in two halves


def test_two_halves_of_a_tournament_make_the_whole() -> None:
    """In either order; games, wins and payoffs add up, means of equal halves are those of the whole."""
    rng = np.random.default_rng(2)
    matrix = rng.normal(size=(4, 4))
    table = tournament(4, by_matrix(matrix - matrix.T, 1.0), blocks=8, deals=2, seed=9)
    block = np.asarray(rs.column(table, "block"))
    halves = [table.filter(pa.array(block % 2 == k)) for k in (0, 1)]
    names = ["a", "b", "c", "d"]
    whole = analyse(table, names, 1, resamples=40)
    for parts in (halves, halves[::-1]):
        assert analyse(pa.concat_tables(parts), names, 1, resamples=40) == whole
    one, two = (analyse(half, names, 1, resamples=40) for half in halves)
    matrices = [np.array(summary.matrix, dtype=np.float64) for summary in (whole, one, two)]
    assert matrices[0] == pytest.approx((matrices[1] + matrices[2]) / 2, abs=1e-9, nan_ok=True)
    assert (one.independent, two.independent, whole.independent) == (4, 4, 8)
    for name in names:
        parts = [summary.row(name) for summary in (one, two)]
        row = whole.row(name)
        assert row.games == parts[0].games + parts[1].games
        for what in ("wins", "draws", "losses"):
            assert getattr(row, what) == pytest.approx(sum(getattr(part, what) for part in parts) / 2), what
        assert row.payoff == pytest.approx(sum(part.payoff or 0.0 for part in parts) / 2)
        assert row.rating == pytest.approx(sum(part.rating for part in parts) / 2)
