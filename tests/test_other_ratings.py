"""Deviation ratings, Nash averaging, alpha-rank and the Hodge decomposition, by published examples and by hand."""

from __future__ import annotations

import string
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

from probespiel.evaluation.report.plots import ladder_plot, wheel_plot
from probespiel.evaluation.report.rating_words import (
    TEXTS,
    cycle_claims,
    cycle_sentences,
    rating_claims,
    rating_sentences,
    say,
    strongest_circle,
)
from probespiel.evaluation.tournament import deviation
from probespiel.evaluation.tournament import metagame as mg
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.deviation import (
    alpha_rank,
    crowd_ratings,
    deviation_ratings,
    gains_table,
    least_gains,
)
from probespiel.evaluation.tournament.results import make_table
from probespiel.evaluation.tournament.summary import Summary, Wish
from probespiel.evaluation.tournament.tally import tally_of
from probespiel.evaluation.tournament.texts import words

RPS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
BIASED = np.array([[0.0, -0.5, 1.0], [0.5, 0.0, -0.1], [-1.0, 0.1, 0.0]])
# The biased Shapley game of arXiv 2502.11645; the equilibrium of its symmetric form is worth -2.82 to either player.
SHAPLEY = np.array([[-8.0, -2.0, 4.0], [2.0, -8.0, -1.0], [-4.0, 1.0, -8.0]])


def symmetric(matrix: np.ndarray) -> list[np.ndarray]:
    return [matrix, matrix.T]


def test_the_papers_examples() -> None:
    """Cycles are level whatever their biases; an equilibrium strategy that joins the game is as good as they are."""
    for players in ([RPS, -RPS], [BIASED, -BIASED]):
        assert all(np.allclose(ratings, 0, atol=1e-8) for ratings in deviation_ratings(players))
    for ratings in deviation_ratings(symmetric(SHAPLEY)):
        assert ratings.round(2).tolist() == [-2.82, -2.82, -2.82]
    mixture = np.linalg.solve(np.vstack([SHAPLEY[0] - SHAPLEY[1], SHAPLEY[1] - SHAPLEY[2], np.ones(3)]), [0, 0, 1])
    mixed = np.vstack([np.eye(3), mixture])
    for ratings in deviation_ratings(symmetric(mixed @ SHAPLEY @ mixed.T)):
        assert ratings.round(2).tolist() == [-2.82] * 4


def test_games_of_two_by_hand() -> None:
    """The prisoners both defect, 1 each, where cooperation gains 0 - 1; who must meet is worst off by half a coin."""
    for ratings in deviation_ratings(symmetric(np.array([[3.0, 0.0], [5.0, 1.0]]))):
        assert ratings.tolist() == pytest.approx([-1, 0], abs=1e-8)
    for ratings in deviation_ratings([np.eye(2), np.eye(2)]):
        assert ratings.tolist() == pytest.approx([-0.5, -0.5], abs=1e-8)


def test_copies_and_mixtures_change_nothing() -> None:
    """Three players with general sums: a copy has the rating of its original, a mixture that of its parts."""
    rng = np.random.default_rng(6)
    game = rng.normal(size=(3, 3, 2, 3))
    first, second, third = deviation_ratings(list(game))
    assert max(map(np.max, (first, second, third))) <= 1e-8, "nobody gains in an equilibrium"
    cloned = np.concatenate([game, game[:, [0]], game[:, [0]]], axis=1)
    found = deviation_ratings(list(cloned))
    assert found[0] == pytest.approx([*first, first[0], first[0]], abs=1e-6)
    assert found[1] == pytest.approx(second, abs=1e-6) and found[2] == pytest.approx(third, abs=1e-6)
    mixed = np.concatenate([game, 0.3 * game[:, :, :, [0]] + 0.7 * game[:, :, :, [2]]], axis=3)
    found = deviation_ratings(list(mixed))
    assert found[2] == pytest.approx([*third, 0.3 * third[0] + 0.7 * third[2]], abs=1e-6)
    assert found[0] == pytest.approx(first, abs=1e-6) and found[1] == pytest.approx(second, abs=1e-6)
    offset = game.copy()
    offset[1] += rng.normal(size=(3, 1, 3))  # whatever the others give her
    assert deviation_ratings(list(offset))[1] == pytest.approx(second, abs=1e-6)


def test_no_distribution_has_lesser_gains() -> None:
    """Of 2,000 random distributions none has a largest, second largest, ... gain below those of the ratings."""
    rng = np.random.default_rng(2)
    table = gains_table(list(rng.normal(size=(3, 2, 3, 2))))
    assert table.shape == (7, 12)
    ratings, mixture = least_gains(table)
    assert np.sort(table @ mixture) == pytest.approx(np.sort(ratings), abs=1e-6), "the mixture shows them"
    best = np.sort(ratings)[::-1]
    near = np.abs(mixture + rng.normal(0, 0.01, (1000, 12)))
    tries = np.vstack([rng.dirichlet(np.full(12, 0.3), 1000), near / near.sum(axis=1, keepdims=True)])
    others = np.sort(tries @ table.T, axis=1)[:, ::-1]
    first = (np.abs(others - best) > 1e-7).argmax(axis=1)
    assert (others[np.arange(2000), first] > best[first]).all()


def test_in_zero_sum_games_of_two_they_are_nash_averages() -> None:
    rng = np.random.default_rng(8)
    for _ in range(5):
        m = rng.normal(size=(6, 6))
        m = m - m.T
        average = m @ mg.max_entropy_nash(m)
        assert deviation_ratings([m, -m])[0] == pytest.approx(average, abs=1e-6)
        assert crowd_ratings(m)[0] == pytest.approx(average, abs=1e-6)


def test_columns_that_enter_later_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.random.default_rng(4).normal(size=(5, 900))
    whole = least_gains(table)[0]
    monkeypatch.setattr(deviation, "_COLUMNS", 40)
    monkeypatch.setattr(deviation, "_MORE", 7)
    assert least_gains(table)[0] == pytest.approx(whole, abs=1e-6)
    # Gains that are all but equal: each further column improves the program by little.
    monkeypatch.setattr(deviation, "_COLUMNS", 1000)
    near = least_gains(1 + table / 1000)[0]
    monkeypatch.setattr(deviation, "_COLUMNS", 40)
    assert least_gains(1 + table / 1000)[0] == pytest.approx(near, abs=1e-6)


def test_tables_that_are_none_are_refused() -> None:
    with pytest.raises(mg.MetagameError, match="one array for each of n players"):
        deviation_ratings([RPS])
    with pytest.raises(mg.MetagameError, match="player 1 have empty cells"):
        deviation_ratings([RPS, RPS * np.nan])
    with pytest.raises(mg.MetagameError, match="square"):
        crowd_ratings(np.zeros((2, 3)))
    with pytest.raises(mg.MetagameError, match="intensity = 0 must be above 0"):
        alpha_rank(RPS, 0.0)


def test_alpha_rank() -> None:
    """Cycles are level (Omidshafiei et al. 2019); of two, the better one is left in one of a hundred invasions."""
    assert alpha_rank(RPS).tolist() == pytest.approx([1 / 3] * 3)
    assert alpha_rank(BIASED, 100.0).tolist() == pytest.approx([1 / 3] * 3)
    two = np.array([[0.0, 0.2], [-0.2, 0.0]])
    assert alpha_rank(two).tolist() == pytest.approx([0.99, 0.01])
    rho = [(1 - np.exp(-0.4 * sign)) / (1 - np.exp(-50 * 0.4 * sign)) for sign in (1, -1)]
    assert alpha_rank(two, 1.0)[0] / alpha_rank(two, 1.0)[1] == pytest.approx(rho[0] / rho[1])
    assert alpha_rank(two * 1e-13).tolist() == pytest.approx([0.99, 0.01]), "units of payoff make no difference"
    assert alpha_rank(two, 1e6).tolist() == pytest.approx([1, 0]) and alpha_rank(two[:1, :1]).tolist() == [1]


def test_alpha_rank_is_that_of_openspiel() -> None:
    theirs = pytest.importorskip("open_spiel.python.egt.alpharank")
    m = np.random.default_rng(1).normal(size=(5, 5))
    for matrix in (BIASED, m - m.T):
        for intensity in (0.1, 2.0):
            assert alpha_rank(matrix, intensity) == pytest.approx(
                theirs.compute([matrix], alpha=intensity)[2], abs=1e-6
            )
        found = theirs.compute([matrix], use_inf_alpha=True, inf_alpha_eps=deviation.INVASION)[2]
        assert alpha_rank(matrix) == pytest.approx(found, abs=1e-9)


def test_a_ladder_has_no_wheel_and_a_wheel_no_ladder() -> None:
    heights = np.array([2.0, 0.5, -1.0, -1.5])
    ladder = heights[:, None] - heights[None, :]
    found, rest = mg.hodge(ladder)
    assert found == pytest.approx(heights) and np.abs(rest).max() < 1e-12
    assert mg.cyclic_share(ladder, ladder) == pytest.approx(0)
    found, rest = mg.hodge(RPS)
    assert found == pytest.approx(np.zeros(3)) and rest == pytest.approx(RPS)
    assert mg.cyclic_share(RPS, RPS) == 1
    both = np.zeros((4, 4))
    both[:3, :3] = RPS
    found, rest = mg.hodge(ladder + 0.3 * both)
    assert found == pytest.approx(heights) and rest == pytest.approx(0.3 * both)
    # 6 cells of 0.09 on the wheel, 2 (1.5^2 + 3^2 + 3.5^2 + 1.5^2 + 2^2 + 0.5^2) = 60 on the ladder
    assert mg.cyclic_share(ladder + 0.3 * both, ladder + 0.3 * both) == pytest.approx(0.54 / 60.54)


def test_weights_of_pairs() -> None:
    """a beats b (weight 3), b beats c, c beats a (weight 1), each by 1: weighted remainders are equal."""
    m = np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])
    w = np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    heights, rest = mg.hodge(m, w)
    # Weighted remainders c around: c/3 + c + c = 3, so c = 9/7; remainders 3/7, 9/7, 9/7.
    assert [rest[0, 1], rest[1, 2], rest[2, 0]] == pytest.approx([3 / 7, 9 / 7, 9 / 7])
    assert heights[0] - heights[1] == pytest.approx(4 / 7) and heights.sum() == pytest.approx(0)
    m[0, 1] = m[1, 0] = np.nan
    w[0, 1] = w[1, 0] = 0.0
    heights, rest = mg.hodge(m, w)
    assert np.abs(rest).max() < 1e-12 and heights.tolist() == pytest.approx([-1, 1, 0])
    with pytest.raises(mg.MetagameError, match="symmetric matrix of numbers"):
        mg.hodge(RPS, -np.ones((3, 3)))


def crowds(gains: np.ndarray, sides: int, blocks: int = 1) -> pa.Table:
    """A tournament of so many sides, as `plan.seatings` has it: the stranger gets gains[i, j], the others less."""
    rows: dict[str, list[float]] = {
        name: [] for name in ("pairing", "block", "seating", "game", "seat", "agent", "payoff")
    }
    game = 0
    for block in range(blocks):
        for pairing, (i, j) in enumerate(combinations(range(len(gains)), 2)):
            for seating in range(2 * sides):
                stranger, crowd = (i, j) if seating % 2 == 0 else (j, i)
                gain = gains[stranger, crowd]
                for seat in range(sides):
                    alone = seat == seating // 2
                    values = (pairing, block, seating, game, seat, stranger if alone else crowd,
                              gain if alone else -gain / (sides - 1))  # fmt: skip
                    for name, value in zip(rows, values, strict=True):
                        rows[name].append(value)
                game += 1
    payoff = np.array(rows["payoff"])
    ones = np.ones(len(payoff))
    return make_table({**rows, "team": rows["seat"], "deal": rows["block"], "result": np.sign(payoff),
                       "decisions": ones, "forfeit": 0 * ones, "length": ones})  # fmt: skip


def test_strangers_among_crowds_are_counted() -> None:
    gains = np.array([[0.0, 2.0, -1.0], [0.5, 0.0, 4.0], [3.0, -2.0, 0.0]])
    tally = tally_of(crowds(gains, 4, 2), 3)
    assert tally.alone[0].tolist() == [[0, 8, 8], [8, 0, 8], [8, 8, 0]], "four seats and two blocks"
    assert tally.alone[1] / np.maximum(tally.alone[0], 1) == pytest.approx(gains)
    two = tally_of(crowds(RPS, 2), 3)
    assert two.alone[1] / np.maximum(two.alone[0], 1) == pytest.approx(RPS), "of two sides both are alone"


def test_who_gains_alone_among_others_is_told_where_pairs_say_otherwise() -> None:
    """Lowest number alone wins: alone among copies of a, b gains, though a takes more from b than b from a."""
    told = "by the mean payoffs b gains 0.960 a game alone among copies of a."
    warned = analyse(crowds(np.array([[0.0, 1.6], [0.96, 0.0]]), 3, 20), ["a", "b"], 1, 0).warnings
    assert len(warned) == 1 and warned[0].startswith("With more than two sides, ") and warned[0].endswith(told)
    german = words("de")
    assert german(warned[0]).endswith("gewinnt b allein unter Kopien von a 0,960 je Spiel.") and not german.missed
    for gains, sides in ((np.array([[0.0, 0.5], [-0.5, 0.0]]), 2), (np.array([[0.0, 1.6], [-0.96, 0.0]]), 3)):
        told = analyse(crowds(gains, sides, 20), ["a", "b"], 1, 0).warnings
        assert not any(line.startswith("With more than two sides") for line in told)


def test_who_loses_alone_among_those_it_is_ahead_of_is_told() -> None:
    """Both ways lose at a table of the other one, a less than b.

    a alone among copies of b is paid -0.2 and each b +0.1, a margin of -0.3; b alone among copies of a -1 and each a
    +0.5, a margin of a of 1.5: by both ways a is 0.6 apart, 0.3 above the mean, and dominates. Yet nobody does well
    to bring a to a table where all play b: that is an equilibrium, too.
    """
    found = analyse(crowds(np.array([[0.0, -0.2], [-1.0, 0.0]]), 3, 20), ["a", "b"], 1, 0)
    assert found.metagame is not None and found.matrix[0][1] == pytest.approx(0.3)
    assert found.metagame.verdicts[1].seems_dominated, "as it is told of pairs"
    (warned,) = [line for line in found.warnings if line.startswith("With more than two sides")]
    assert warned == (
        "With more than two sides, who is ahead of another by both ways to sit, taken together, may lose alone among "
        "its copies: alone among copies of b, by the mean payoffs, a loses 0.200 a game."
    )
    german = words("de")
    assert german(warned).endswith("Allein unter Kopien von b verliert a im Mittel 0,200 je Spiel.")
    assert not german.missed
    for gains, sides in (([[0.0, -0.2], [-1.0, 0.0]], 2), ([[0.0, -0.04], [-1.0, 0.0]], 3), ([[0.0, 0.2], [-1, 0]], 3)):
        table = crowds(np.array(gains), sides, 20)
        assert not [line for line in analyse(table, ["a", "b"], 1, 0).warnings if line.startswith("With more")]
    both = np.array([[0.0, -0.2, 2.0], [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    told = [line for line in analyse(crowds(both, 3, 20), ["a", "b", "c"], 1, 0).warnings if line.startswith("With")]
    assert (
        len(told) == 2
        and "copies of b, by the mean payoffs, a loses 0.2" in told[0]
        and "c gains 1.000 a game alone among copies of a" in told[1]
    )


def test_what_the_leader_loses_alone_is_told_first() -> None:
    gains = np.array([[0.0, -1.0, -0.5], [-4.0, 0.0, -2.0], [-3.0, -3.5, 0.0]])
    assert deviation.outcast(gains, gains - gains.T) == (0, 1, 1.0)  # 2 of b among copies of c is more
    gains[0, 1:] = 0.0, -0.1
    assert deviation.outcast(gains, gains - gains.T) == (1, 2, 2.0), "a loses a fortieth of the largest"
    gains[1, 2] = 2.0
    assert deviation.outcast(gains, gains - gains.T) is None
    gains[1, 2] = np.nan
    assert deviation.outcast(gains, gains - gains.T) is None


def test_a_stranger_is_named_among_the_leader_s_copies_first() -> None:
    gains = np.array([[0.0, 2.0, 3.0], [0.5, 0.0, 5.0], [1.5, 4.0, 0.0]])
    assert deviation.stranger(gains, gains - gains.T) == (2, 0, 1.5)  # 4 of c among copies of b is more
    for other in (-1.0, 0.2):  # nothing, or hardly anything, is gained among those of a
        gains[1:, 0] = other
        assert deviation.stranger(gains, gains - gains.T) == (2, 1, 4.0)
    gains[2, 1] = np.nan
    assert deviation.stranger(gains, gains - gains.T) is None


def test_nine_seats_and_twenty_strategies_are_rated_in_time() -> None:
    """A strategy's gain among others: a ladder, rock-paper-scissors, and a crowd that any stranger suffers in."""
    rng = np.random.default_rng(3)
    height = rng.normal(size=20)
    gains = height[:, None] - height[None, :] + rng.normal(size=(20, 20)) * 2
    np.fill_diagonal(gains, 0.0)
    table = crowds(gains, 9)
    begun = time.perf_counter()
    found = analyse(table, list(string.ascii_lowercase[:20]), 1, 0).metagame
    assert time.perf_counter() - begun < 30
    assert found is not None and found.ratings.deviation is not None and found.ratings.crowds is not None
    ratings, mixture = np.array(found.ratings.deviation), np.array(found.ratings.crowds)
    assert ratings == pytest.approx(gains @ mixture, abs=1e-6)
    # The largest gain is the value of the matrix game between a stranger and the crowds.
    assert ratings.max() == pytest.approx(-mg.solve(-gains.T).value, abs=1e-6)


def summary_of(matrix: np.ndarray, names: Sequence[str] = "abcdefgh") -> Summary:
    return analyse(crowds(matrix, 2, 2), list(names[: len(matrix)]), 1, 20)


def test_what_is_said_is_seen_in_games_that_the_right_one_wins() -> None:
    """b takes 0.5 from a, which earns most: a game that b wins. e feeds on b: one that e wins. A ladder: its ends."""
    fed = summary_of(np.array([[0.0, -0.5, 3.0], [0.5, 0.0, 0.1], [-3.0, -0.1, 0.0]]))
    assert rating_claims(fed)[-1].wishes == (Wish("ahead", 1, 0),)
    half = [[0, 0, 0, 1, 0], [0, 0, -1, -2, -2], [0, 1, 0, 0, 0], [-1, 2, 0, 0, 0], [0, 2, 0, 0, 0]]
    assert rating_claims(summary_of(np.array(half) / 2.0))[-1].wishes == (Wish("ahead", 4, 1),)
    clear = summary_of(np.array([[0.0, -1.0, -2.0], [1.0, 0.0, -1.0], [2.0, 1.0, 0.0]]))
    assert [row.name for row in clear.leaderboard] == ["c", "b", "a"]
    assert cycle_claims(clear)[0].wishes == (Wish("ahead", 2, 0),)


def test_the_sentences_say_who_is_first_and_why_not() -> None:
    """a feeds on d and loses to b; b and c are level in the equilibrium."""
    clear = summary_of(np.array([[0.0, 1.0, 2.0], [-1.0, 0.0, 1.0], [-2.0, -1.0, 0.0]]))
    assert rating_sentences(clear)[-1] == "All these ways to rate put a first."
    assert rating_sentences(clear, "de")[-1] == "Alle diese Wertungen sehen a vorn."
    assert cycle_sentences(clear)[0].startswith("100% of what the pairs tell is a ladder")
    assert cycle_sentences(clear)[1] == "No three strategies beat each other in a circle in these games."
    fed = summary_of(np.array([[0.0, -0.5, 3.0], [0.5, 0.0, 0.1], [-3.0, -0.1, 0.0]]))
    sentences = rating_sentences(fed, unit="EP")
    assert len(sentences) == 6 and sentences[0].endswith("each of the others: a.")
    assert sentences[2].endswith("plays it: b.") and sentences[3].endswith("change nothing: b (0.000 EP a game).")
    assert "alpha-rank" in sentences[4] and sentences[4].endswith("b (98% of the time).")
    assert sentences[5].startswith("Not so by Nash averaging, deviation ratings and alpha-rank: a, first by payoff, ")
    assert "gets −0.500 EP a game from b." in sentences[5]
    # b is dominated and in no equilibrium, but alpha-rank gives it some of the time.
    half = [[0, 0, 0, 1, 0], [0, 0, -1, -2, -2], [0, 1, 0, 0, 0], [-1, 2, 0, 0, 0], [0, 2, 0, 0, 0]]
    unbeaten = summary_of(np.array(half) / 2.0)
    told = "Not so by Alpha-rank: e earns most from b (+1.000 a game)"
    assert rating_sentences(unbeaten)[-1] == f"{told}, which has no weight in the equilibrium."
    assert unbeaten.metagame is not None
    shared = replace(unbeaten, metagame=replace(unbeaten.metagame, nash=(0.3, 0.1, 0.3, 0.0, 0.3)))
    assert rating_sentences(shared)[-1] == f"{told}."
    circle = summary_of(RPS)
    assert strongest_circle(circle) == (0, 2, 1)
    assert cycle_sentences(circle, "de") == [
        "0 % dessen, was die Paare sagen, ist eine Leiter, auf der gewinnt, wer höher steht, und zwar um den "
        "Unterschied der Höhen; 100 % geht im Kreis.",
        "In diesen Spielen schlug a c, c schlug b und b schlug a.",
    ]
    assert all("all" in sentence for sentence in rating_sentences(circle)[2:5])


def test_no_crowd_is_safe_where_strangers_always_gain() -> None:
    found = analyse(crowds(np.array([[0.0, 2.0], [1.0, 0.0]]), 3, 2), ["a", "b"], 1, 0)
    told = rating_sentences(found)
    # Crowds of a with 1/3, of b with 2/3: alone, a gains 4/3 - 0, b 1/3... equal at 2/3 each.
    assert told[-1] == (
        "No crowd is safe: whatever all others play alike, and how often, a stranger gains +0.667 a game at least by "
        "playing all."
    )


def test_both_languages_say_the_same_things() -> None:
    for key, texts in TEXTS.items():
        fields = [sorted({name for _, name, _, _ in string.Formatter().parse(text) if name}) for text in texts]
        assert fields[0] == fields[1], key
    with pytest.raises(ValueError, match="lang is 'fr'; one of en, de"):
        say("title", "fr")


def test_ladder_and_wheel_are_drawn() -> None:
    """Every name stands on the ladder; the wheel of rock, paper and scissors has three arrows, a ladder has none."""
    circle = summary_of(RPS, ["rock", "paper", "scissors"])
    picture = wheel_plot(circle, "a wheel")
    assert all(f">{name}<" in picture for name in ("rock", "paper", "scissors")) and 'aria-label="a wheel"' in picture
    assert "var(--accent)" in picture and "<script" not in picture
    heights = np.array([2.0, 1.99, 1.98, -4.0])
    clear = summary_of(heights[:, None] - heights[None, :])
    assert wheel_plot(clear, "a wheel") == ""
    assert all(f">{name}<" in ladder_plot(clear, "a ladder", "height") for name in "abcd")


@pytest.mark.parametrize("shape", [(2, 3), (4,)])
def test_only_a_square_matrix_is_split(shape: tuple[int, ...]) -> None:
    with pytest.raises(mg.MetagameError, match="give a square one"):
        mg.hodge(np.zeros(shape))


def test_a_small_lead_is_none_of_equals() -> None:
    """a leads b by a ten thousandth of what both lead c: c has 0.005 / 0.995, a 49.5 times what the others have."""
    margins = np.array([[0, 1e-4, 1], [-1e-4, 0, 1], [-1, -1, 0]])
    assert alpha_rank(margins) == pytest.approx([49.5 / 50.5, 1 / 50.5 - 0.005 / 0.995, 0.005 / 0.995])


def test_equals_take_over_as_often_as_one_in_a_population() -> None:
    """Two in a population: who leads by log 2 takes over in 2 of 3 cases, who is behind in 1 of 3, equals in 1 of 2."""
    lead = np.log(2) / 2
    margins = np.array([[0, 0, lead], [0, 0, 0], [-lead, 0, 0]])
    assert alpha_rank(margins, intensity=1.0, population=2) == pytest.approx([11 / 27, 9 / 27, 7 / 27])
