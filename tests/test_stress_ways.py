"""Several ways of using a module, what depends on them, and intervals that hold the luck of learning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from probespiel.agents.intervals import unseen
from probespiel.envs import make_game
from probespiel.evaluation.stress.actions import several, stakes_of, ways_of
from probespiel.evaluation.stress.changes import quantile
from probespiel.evaluation.stress.compare import compare
from probespiel.evaluation.stress.dominance import equilibria_without, matrix_game, reaching, with_luck
from probespiel.evaluation.stress.dynamics import jackknife_error
from probespiel.evaluation.stress.findings import Choice, Dominance, Interval, Sample, Stake, Use, UseWorth, Ways
from probespiel.evaluation.stress.game_verdict import GUESSING, game_verdict_of
from probespiel.evaluation.stress.oversights import less
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.words import answers

from .lab_findings import STILL, findings
from .test_stress_effect import branches

NAN = float("nan")
USING = frozenset({0, 1})


def test_ways_are_compared_among_uses_alone() -> None:
    """Actions 0 and 1 use it, 2 does not: four decisions with all three, one without a way out, one with one way.

    Used three times in four, twice by 0: the mixture is (2 a + b) / 3. Halves are 2 and 3 apart in the first decision.
    """
    game = make_game("ews_rps", "plain_rps", compiled=False)
    both = [[3.0, 0.0, 9.0], [0.0, 3.0, -9.0], [3.0, 0.0, NAN], [3.0, NAN, 9.0], [3.0, 0.0, 9.0], [0.0, 3.0, 0.0]]
    taken = [0, 1, 0, 0, 2, 0]
    found = branches(game, both, taken)
    assert several(found, USING).tolist() == [True, True, False, False, True, True]
    half = branches(game, [[2.5, 0.5, 9.0], *both[1:]], taken)
    (ways,) = ways_of(game, half, found, USING)
    first, second = ways["answers"]
    assert ways["used"] == 0.75
    assert [first[x] for x in ("action", "count", "share")] == [game.actions.describe(0), 2, 2 / 3]
    # over the mixtures 2, 1, 2 and 1
    assert first["gain"] == pytest.approx((1 - 1 + 1 - 1) / 4) and second["gain"] == pytest.approx((-2 + 2 - 2 + 2) / 4)
    stake = ways["stake"]
    assert stake["count"] == 4 and stake["spread"] == pytest.approx(3.0)
    assert stake["played"] == pytest.approx((1 + 2 - 1) / 3)
    assert ways_of(game, half, branches(game, both, [2, 2, 0, 0, 2, 2]), USING) == []  # nobody uses it there


def test_what_is_answered_may_go_by_the_situation() -> None:
    """Each of two answers is right half of the time and given then: it beats the mixture by half of what depends."""
    game = make_game("ews_rps", "plain_rps", compiled=False)
    values = [[1.0, -1.0, NAN], [-1.0, 1.0, NAN]] * 4
    found = branches(game, values, [0, 1] * 4)
    (row,) = stakes_of(game, found, found, USING)
    assert (row["spread"], row["played"]) == (2.0, 1.0)
    (blind,) = stakes_of(game, found, branches(game, values, [0, 0, 1, 1] * 2), USING)
    assert blind["played"] == 0.0


def test_a_choice_of_equals_is_no_guess() -> None:
    """Two of three answers are equally right, and the third is never given: nothing depends on which of the two."""
    game = make_game("ews_rps", "plain_rps", compiled=False)
    found = branches(game, [[1.0, 1.0, -3.0]] * 40, [0, 1] * 20)
    (row,) = stakes_of(game, found, found, USING | {2})
    assert (row["spread"], row["among"], row["among_error"]) == (4.0, 0.0, 0.0)
    (rare,) = stakes_of(game, found, branches(game, [[1.0, 1.0, -3.0]] * 40, [0, 1] * 18 + [2, 2, 0, 0]), USING | {2})
    assert rare["among"] == 0.0  # in a twentieth
    (often,) = stakes_of(game, found, branches(game, [[1.0, 1.0, -3.0]] * 40, [0, 1] * 18 + [2, 2, 2, 0]), USING | {2})
    assert often["among"] == 4.0


def used(share: float = 0.8, played: float = 0.0, gain: float = 0.02) -> Use:
    stake = Stake("school", 100, 1.2, 0.1, played, 0.02)
    both = Choice("school", "fire", 50, 0.5, gain, 0.02), Choice("school", "water", 50, 0.5, -gain, 0.02)
    worth = UseWorth(500, 300, 0.3, 0.01, 1.0, 0.5, 0.1)
    return Use(2, opportunities=500, rate=share, error=0.01, worth=worth, ways=(Ways(share, stake, both),))


@pytest.mark.parametrize(
    ("use", "guess"),
    [
        (used(), True),
        (used(0.1), False),  # hardly anybody uses it
        (used(played=0.5), False),  # the situation tells which way is right
        (used(played=0.1), True),  # that is less than what counts
        (used(gain=0.5), False),  # fire is right
    ],
)
def test_ways_that_are_a_guess(use: Use, guess: bool) -> None:
    made = findings(STILL, use=use)
    found = game_verdict_of(made)
    assert (found.word == GUESSING) is guess
    told = answers(replace(made, verdict=found, game_verdict=found))
    assert any("a guess, where no answer is best" in line for line in told["effect"]) is guess
    assert any("a guessing game" in line for line in told["use"]) is guess
    if guess:
        assert found.why[0].startswith("of 2 ways to use it when asked for school none is better")
        german = words("de")
        assert all(german.told(line) for line in (*found.why, *told["effect"][:1]))


def test_the_luck_of_learning_widens_an_interval() -> None:
    """2 and 4 without one of two: an error of 1, Student's quantile 12.7; with that of the games the root of squares.

    Numbers stay within what they can be; one learned strategy tells nothing.
    """
    games = Interval(3.0, 2.0, 4.0)
    wide = reaching(games, np.array([2.0, 4.0]), -99.0, 99.0)
    assert jackknife_error(np.array([2.0, 4.0])) == 1.0
    assert (wide.value, wide.low) == (3.0, pytest.approx(3 - (1 + quantile(2, 1) ** 2) ** 0.5))
    assert wide.high - 3 == pytest.approx(3 - wide.low)
    assert reaching(games, np.array([2.0, 4.0]), 1.0, np.inf).low == 1.0
    assert reaching(games, np.array([2.0]), 1.0, np.inf) == reaching(games, np.zeros(0), 1.0, np.inf) == games


def test_an_oversight_costs_what_it_loses() -> None:
    """Of a worth of 0.3 by 0.04 two learners in turn lose 0.1 and 0.3 by it in every deal: 0.1 is left.

    0.2 on either side by how far they are apart, and 0.04, make 0.204. What loses nothing in 400 deals
    leaves the worth as it was, but for what was not seen.
    """
    worth = Sample(0.3, 0.26, 0.34, 1000)
    free = np.random.default_rng(2).normal(size=400)
    found = less(worth, [(free - np.tile([0.1, 0.3], 200), free)] * 2, 2)
    half = (0.2**2 + 0.04**2) ** 0.5
    assert (found.low, found.value, found.high) == pytest.approx((0.1 - half, 0.1, 0.1 + half))
    same = less(worth, [(free, free)], 2)
    half = ((unseen(400) * np.ptp(free)) ** 2 + 0.04**2) ** 0.5
    assert (same.low, same.value, same.high) == pytest.approx((0.3 - half, 0.3, 0.3 + half)) and same.games == 400


def test_a_matrix_game_holds_the_luck_of_learning() -> None:
    """Rock, paper and scissors, all learned: without one the better of the others is played alone, and nothing turns.

    So the numbers of strategies are 1, 1 and 1 instead of 3, without any spread. With the fool, who uses it half of the
    time, nobody else differs by the luck of learning.
    """
    circle = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], dtype=float)
    blocks = np.repeat(circle[None], 20, axis=0)
    each = equilibria_without(blocks, [0, 1, 2])
    assert [rest.tolist() for rest, _ in each] == [[1, 2], [0, 2], [0, 1]]
    assert [int(rest[nash.argmax()]) for rest, nash in each] == [1, 2, 0]
    game = matrix_game(["r", "p", "s"], blocks, [0.0, 0.5, 1.0], 40, 1)
    cycles = game.cyclic
    assert game.learned is None and (cycles.low, cycles.value, cycles.high) == pytest.approx((1.0, 1.0, 1.0))
    told = with_luck(game, each, np.linspace(0.5, 0.7, 20), np.array([0.2, 0.6, 1.0]))
    assert told.learned == 3
    assert told.module_mass and game.module_mass
    # taken without one at a time: 0.5, 1 and 0
    luck = quantile(3, 1) * jackknife_error(np.array([0.5, 1.0, 0.0]))
    assert told.module_mass.high == min(1.0, game.module_mass.value + luck) and told.module_mass.low == 0.0
    assert told.cyclic.value == pytest.approx(0.6) and (told.cyclic.low, told.cyclic.high) == (0.0, 1.0)
    assert told.effective.low == pytest.approx(game.effective.low)


def test_ways_to_play_are_compared_where_their_luck_is_known() -> None:
    """An interval without the luck of learning is held against nothing."""
    blocks = np.repeat(np.zeros((2, 2))[None], 20, axis=0)
    plain = matrix_game(["a", "b"], blocks, [0.0, 1.0], 40, 1)

    def rows(learned: int | None) -> set[str]:
        game = replace(plain, learned=learned)
        made = replace(findings(STILL), dominance=Dominance(game, game))
        return {row.name for row in compare([("old", made), ("new", made)]).rows}

    assert {"strategies", "in equilibrium"} <= rows(4)
    assert not {"strategies", "in equilibrium"} & (rows(None) | rows(1))


def test_what_is_written_as_nothing_is_no_better_answer() -> None:
    """Fire is right on one side and water on the other: in sum neither gains, but for what is lost in adding up."""
    use = used(played=0.5)
    dust = tuple(replace(choice, gain=1e-17, error=0.0) for choice in use.ways[0].answers)
    told = " ".join(answers(findings(STILL, use=replace(use, ways=(replace(use.ways[0], answers=dust),))))["use"])
    assert "Better than the mixture" not in told and "the situation tells which one is right" in told
    clear = tuple(replace(choice, gain=0.01, error=0.0) for choice in use.ways[0].answers)
    told = " ".join(answers(findings(STILL, use=replace(use, ways=(replace(use.ways[0], answers=clear),))))["use"])
    assert "Better than the mixture are fire and water" in told
