"""Sentences of the tournament report at their edges: numbers put into a summary by hand, and the words that follow."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import numpy as np
import pytest

from probespiel.evaluation.report.rating_words import rating_claims, rating_sentences, say
from probespiel.evaluation.report.wording import listing, nash_sentence, payoff_digits, unbeaten_sentence
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.report import payoffs_differ, render_html
from probespiel.evaluation.tournament.summary import Summary
from tests.synthetic import by_matrix, info, tournament

LADDER = np.array([[0.0, 1, 2, 3], [-1, 0, 1, 2], [-2, -1, 0, 1], [-3, -2, -1, 0]])


@pytest.fixture(scope="module")
def ladder() -> Summary:
    """Four strategies of which each beats all below it."""
    return analyse(tournament(4, by_matrix(LADDER, 0.1), blocks=20), tuple("abcd"), seed=1, resamples=20)


def judged(summary: Summary, agent: int, row: tuple[float | None, ...] | None = None, **verdict: Any) -> Summary:
    """The summary with another verdict on a strategy, and another row of what it earned."""
    game = summary.metagame
    assert game is not None
    verdicts = list(game.verdicts)
    verdicts[agent] = dataclasses.replace(verdicts[agent], **verdict)
    matrix = [row if row is not None and i == agent else given for i, given in enumerate(summary.matrix)]
    return dataclasses.replace(
        summary, matrix=tuple(matrix), metagame=dataclasses.replace(game, verdicts=tuple(verdicts))
    )


@pytest.mark.parametrize(("beats", "every"), [((1, 2, 3), True), ((1, 2), False), ((3,), False), ((), False)])
def test_who_beats_every_other(ladder: Summary, beats: tuple[int, ...], every: bool) -> None:
    """Only who is shown to beat each of them; one that is left open is enough to say less."""
    text = unbeaten_sentence(judged(ladder, 0, beats=beats, beaten_by=(), unbeaten=True), 0)
    assert text.startswith("a beats every other strategy. It did worst against b") == every
    assert text.startswith("No strategy is shown to beat a") != every


@pytest.mark.parametrize(("row", "told"), [
    ((None, -1.0, -3.0, -2.0), "c, d and b beat it"), ((None, -3.0, -1.0, -2.0), "b, d and c beat it"),
    ((None, -1.0, -1.0, -2.0), "d, b and c beat it"), ((None, -2.0, None, -1.0), "b, d and c beat it"),
])  # fmt: skip
def test_the_hardest_opponent_is_named_first(ladder: Summary, row: tuple[float | None, ...], told: str) -> None:
    """In order of what was lost to them, then in order of their names."""
    assert told in unbeaten_sentence(judged(ladder, 0, row, beats=(), beaten_by=(1, 2, 3), unbeaten=False), 0)
    alone = unbeaten_sentence(judged(ladder, 0, row, beats=(), beaten_by=(2,), unbeaten=False), 0)
    assert alone.startswith("a is not unbeaten: c beats it. ")


@pytest.mark.parametrize(("count", "told"), [
    (1, "a"), (2, "a and b"), (4, "a, b, c and d"), (5, "a, b, c, d and e"), (6, "a, b, c, d and 2 others"),
    (9, "a, b, c, d and 5 others"), (0, ""),
])  # fmt: skip
def test_the_rest_of_a_list_is_counted(count: int, told: str) -> None:
    assert listing("abcdefghi"[:count]) == told
    assert listing("abc", 2) == "a and 2 others" and listing("ab", 2) == "a and b"


@pytest.mark.parametrize(("largest", "digits"), [
    (0.0, 3), (9.99, 3), (10.0, 2), (10.01, 2), (99.9, 2), (100.0, 1), (1000.0, 1),
])  # fmt: skip
def test_digits_that_suit_the_payoffs(ladder: Summary, largest: float, digits: int) -> None:
    """Of what strategies earned and of what seats did, whichever sign it has."""
    none = dataclasses.replace(ladder, matrix=((None, 0.0), (0.0, None)), seats=())
    for value in (largest, -largest):
        assert payoff_digits(dataclasses.replace(none, matrix=((None, value), (0.0, None)))) == digits
        seats = (dataclasses.replace(ladder.seats[0], payoff=value),)
        assert payoff_digits(dataclasses.replace(none, seats=seats)) == digits


def test_ratings_agree_or_differ_by_wins_alone(ladder: Summary) -> None:
    """Where wins alone name another, the ratings do not all agree; what they differ in is said elsewhere."""
    agree = say("agree", "en", best="a")
    assert agree in rating_sentences(ladder)
    swapped = {0: 2, 1: 1}
    rows = tuple(dataclasses.replace(r, wins_rank=swapped.get(r.agent, r.wins_rank)) for r in ladder.leaderboard)
    told = rating_claims(dataclasses.replace(ladder, leaderboard=rows))
    before = [text for text in rating_sentences(ladder) if text != agree]
    wins = {say("wins", "en", firsts="a"): say("wins", "en", firsts="b")}
    assert [claim.text for claim in told] == [wins.get(text, text) for text in before] != before
    shared = tuple(dataclasses.replace(r, wins_rank=1) if r.agent < 2 else r for r in ladder.leaderboard)
    assert agree in rating_sentences(dataclasses.replace(ladder, leaderboard=shared))


# --- the table of pairs


def pairs_of(summary: Summary) -> list[tuple[str, str, bool]]:
    """Cells of the page's table of pairs without those on the diagonal: number, background, whether it is in grey."""
    cell = r'<td [^>]*title="[^"]*against[^"]*" ?(style="[^"]*")?( class="unsure")?>([^<]*)</td>'
    found = re.findall(cell, render_html(summary, info()))
    return [(text, tint, bool(grey)) for tint, grey, text in found]


def test_numbers_in_grey_are_those_that_may_be_nothing(ladder: Summary) -> None:
    """One whose joint interval holds 0 or ends there; on one side of it alone the number is black, on either side."""
    low, high = np.full((4, 4), -1.0), np.full((4, 4), 1.0)
    low[0, 1], high[1, 0] = 0.25, -0.25
    low[0, 2], high[2, 0] = 0.0, 0.0
    ends = {"joint_low": tuple(map(tuple, low)), "joint_high": tuple(map(tuple, high))}
    black = [text for text, _, grey in pairs_of(dataclasses.replace(ladder, **ends)) if not grey]
    assert len(black) == 2 and black == ["+0.98", "−0.98"]
    assert len(pairs_of(dataclasses.replace(ladder, joint_low=None, joint_high=None))) == 12


def test_backgrounds_grow_with_what_was_won(ladder: Summary) -> None:
    """The largest number of the table has the strongest background, 0.62, and losses have another hue."""
    row = (None, 1.0, 2.0, 4.0), (-1.0, None, 0.0, 0.5), (-2.0, 0.0, None, 0.25), (-4.0, -0.5, -0.25, None)
    cells = pairs_of(dataclasses.replace(ladder, matrix=row))
    shades = [float(tint.rsplit(",", 1)[1].split(")")[0]) for _, tint, _ in cells]
    expected = [round((abs(v) / 4) ** 0.7 * 0.62, 3) for line in row for v in line if v is not None]
    assert shades == pytest.approx(expected) and max(shades) == 0.62
    assert [("gain" in tint, "loss" in tint) for _, tint, _ in cells[:4]] == [(True, False)] * 3 + [(False, True)]
    nothing = tuple(tuple(None if i == j else 0.0 for j in range(4)) for i in range(4))
    assert {tint for _, tint, _ in pairs_of(dataclasses.replace(ladder, matrix=nothing))} == {""}


@pytest.mark.parametrize(("payoff", "so"), [(None, True), (0.125, True), (1e-12, False), (0.0, False)])
def test_mean_payoffs_are_told_where_they_say_more(ladder: Summary, payoff: float | None, so: bool) -> None:
    """Beside ratings by payoff: where one is not known, or differs from the rating; `payoff` is by how much."""
    rows = [dataclasses.replace(row, payoff=row.rating) for row in ladder.leaderboard]
    last = rows[-1]
    rows[-1] = dataclasses.replace(last, payoff=None if payoff is None else last.rating + payoff)
    assert payoffs_differ(dataclasses.replace(ladder, leaderboard=tuple(rows))) is so


# --- the equilibrium of the pool


@pytest.mark.parametrize(("weights", "low", "told"), [
    ((1.0, 0.0, 0.0, 0.0, 0.0), (1.0, 0, 0, 0, 0), "The equilibrium of this pool is a alone: no strategy gains"),
    ((1.0, 0.0, 0.0, 0.0, 0.0), (0.5, 0, 0, 0, 0), "the equilibrium of this pool is a alone; against it"),
    ((0.0, 0.995, 0.005, 0.0, 0.0), None, "the equilibrium of this pool is the mixture "),
    ((0.0, 0.9951, 0.0049, 0.0, 0.0), None, "the equilibrium of this pool is nearly b alone; against it"),
    ((0.25, 0.25, 0.25, 0.25, 0.0), None, "the equilibrium of this pool is the mixture "),
    ((0.1, 0.1, 0.3, 0.25, 0.25), None, "a mixture of 5 strategies, the heaviest c with 0.30; against it"),
])  # fmt: skip
def test_the_equilibrium_in_words(weights: tuple[float, ...], low: tuple[float, ...] | None, told: str) -> None:
    """Weights from half a per cent on are named; one alone is claimed where its interval says so, many are counted."""
    five = analyse(tournament(5, by_matrix(np.zeros((5, 5)), 0.1), blocks=20), tuple("abcde"), seed=1, resamples=20)
    assert five.metagame is not None
    game = dataclasses.replace(five.metagame, nash=weights, nash_low=low, most_gained=0.125)
    said = nash_sentence(dataclasses.replace(five, metagame=game))
    assert told in said and ("gains more than 0.125 a game" in said) == ("By the mean payoffs" in said)
