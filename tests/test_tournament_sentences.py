"""Sentences of tournaments that no other test words, whole, each from games or numbers that were worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.evaluation.report.rating_words import cycle_sentences, rating_sentences
from probespiel.evaluation.report.wording import ahead_sentence, best_sentence, nash_sentence
from probespiel.evaluation.tournament import sequential
from probespiel.evaluation.tournament.analysis import FEW_BLOCKS, analyse
from probespiel.evaluation.tournament.joint_words import joint_section, joint_sentences
from probespiel.evaluation.tournament.results import column
from probespiel.evaluation.tournament.sequential import Race, Until
from probespiel.evaluation.tournament.simultaneous import least_blocks
from probespiel.evaluation.tournament.summary import Interval, JointRating, JointRatings, Summary
from probespiel.evaluation.tournament.texts import words
from tests.synthetic import RPS, by_matrix, tournament

GERMAN = words("de")


def played(matrix: np.ndarray, blocks: int = 20, names: str = "abcde", **more: Any) -> Summary:
    """A tournament whose games always pay what the matrix says."""
    return analyse(
        tournament(len(matrix), by_matrix(matrix), blocks=blocks, **more), tuple(names[: len(matrix)]), 1, 20
    )


LADDER = np.array([[0.0, 1, 2], [-1, 0, 1], [-2, -1, 0]])
FED = np.array([[0.0, -0.5, 3.0], [0.5, 0.0, 0.1], [-3.0, -0.1, 0.0]])
"""a takes 3 from c and loses 0.5 to b: it earns most, and the equilibrium is b alone."""

# --- who is first -----------------------------------------------------------------------------------------------------


def test_who_is_first_in_whole_sentences() -> None:
    """Of rock, paper and scissors each earns nothing; a of the ladder earns 1 and 2 from the others."""
    level = played(RPS)
    first = "a, b and c share the first place: each earned 0.000"
    assert best_sentence(level, unit="EP") == f"{first} EP a game from the others."
    alone = replace(level, lone=True)
    assert best_sentence(alone) == f"{first} a game more than the others."
    assert GERMAN.told(best_sentence(alone)) == (
        "a, b und c teilen sich den ersten Platz: Jede Strategie holte 0,000 je Spiel mehr als die anderen."
    )
    one = replace(level, names=("a",))
    assert best_sentence(one) == "Only a took part, so there is nothing to compare."
    clear = played(LADDER)
    few = replace(clear, leaderboard=(replace(clear.best, rank_interval=None), *clear.leaderboard[1:]))
    assert best_sentence(few) == (
        "a comes first: it earned +1.500 a game from the others on average; how sure this is cannot be said, because "
        f"that takes {least_blocks(0.95)} seed blocks at least."
    )
    assert best_sentence(replace(clear, tied_with_best=(1,), leaderboard=few.leaderboard)) == best_sentence(few)


def lone(lead: float, low: float | None = None, high: float | None = None) -> Any:
    """Two strategies of games of one side, of which a got 1.5, so much more than b."""
    rows = [
        SimpleNamespace(agent=i, name=name, payoff=payoff, payoff_interval=None)
        for i, (name, payoff) in enumerate((("a", 1.5), ("b", 1.5 - lead)))
    ]
    ends = [None if x is None else ((None, x), (-x, None)) for x in (low, high)]
    return SimpleNamespace(
        leaderboard=rows, matrix=((None, lead), (-lead, None)), joint_low=ends[0], joint_high=ends[1], seats=()
    )


@pytest.mark.parametrize(("lead", "ends", "said", "german"), [
    (0.25, (None, None), ", on the same deals 0.250 EP more than b.", ", in denselben Gaben 0,250 EP mehr als b."),
    (-0.25, (-0.5, 0.1), ", on the same deals 0.250 EP less than b, interval −0.500 to +0.100.",
     ", in denselben Gaben 0,250 EP weniger als b, Intervall −0,500 bis +0,100."),
    (0.0004, (None, None), ", on the same deals as much as b.", ", in denselben Gaben so viel wie b."),
    (-0.0004, (-0.5, 0.1), ", on the same deals as much as b, interval −0.500 to +0.100.",
     ", in denselben Gaben so viel wie b, Intervall −0,500 bis +0,100."),
    (0.0006, (None, None), ", on the same deals 0.001 EP more than b.", ", in denselben Gaben 0,001 EP mehr als b."),
])  # fmt: skip
def test_what_is_written_as_nothing_is_as_much(lead: float, ends: Any, said: str, german: str) -> None:
    text = ahead_sentence(lone(lead, *ends), 0, unit="EP")
    assert text == f"a got +1.500 EP a game{said}" and GERMAN.told(text) == f"a bekam +1,500 EP je Spiel{german}"


# --- the equilibrium leaves out who is first --------------------------------------------------------------------------


def out_of_it(nash: tuple[float, ...]) -> str:
    """What is said behind the equilibrium of FED with these weights."""
    made = played(FED)
    assert made.metagame is not None
    text = nash_sentence(replace(made, metagame=replace(made.metagame, nash=nash)), unit="EP")
    assert GERMAN.told(text) is not None
    return text.split(". ", 1)[1] if ". " in text else ""


BECAUSE = ", because an equilibrium asks for the hardest opponent: it got −0.500 EP a game from b."


@pytest.mark.parametrize(("nash", "said"), [
    ((0.0, 1.0, 0.0), f"a, which earned most on average, has no weight in it{BECAUSE}"),
    ((1e-6, 1 - 1e-6, 0.0), f"a, which earned most on average, has no weight in it{BECAUSE}"),
    ((2e-6, 1 - 2e-6, 0.0), f"a, which earned most on average, has hardly any weight in it{BECAUSE}"),
    ((0.0049, 0.9951, 0.0), f"a, which earned most on average, has hardly any weight in it{BECAUSE}"),
    ((0.005, 0.995, 0.0), ""),
])  # fmt: skip
def test_who_earned_most_has_no_weight_or_hardly_any(nash: tuple[float, ...], said: str) -> None:
    """(−0.5 + 3) / 3 a game is the most, by whose hardest opponent it lost 0.5."""
    assert played(FED).best.name == "a"
    assert out_of_it(nash) == said


def test_nobody_who_loses_to_none_is_told_to_have_lost() -> None:
    """Only where somebody took something from it."""
    made = played(LADDER)
    assert made.metagame is not None and made.metagame.verdicts[0].worst_payoff == 1.0
    text = nash_sentence(replace(made, metagame=replace(made.metagame, nash=(0.0, 1.0, 0.0))))
    assert text.endswith(" a, which earned most on average, has no weight in it.")


def test_who_is_first_by_wins_is_told_to_have_no_weight_where_payoffs_are_graded() -> None:
    """c lost 3 to a in the mean; that it comes first by wins is put in by hand."""
    made = played(FED)
    assert made.metagame is not None
    wins = {"a": 2, "b": 3, "c": 1}
    rows = tuple(replace(r, wins_rank=wins[r.name]) for r in made.leaderboard)
    for nash, much in (((0.5, 0.5, 0.0), "no"), ((0.5, 0.497, 0.003), "hardly any")):
        game = replace(made.metagame, nash=nash)
        told = nash_sentence(replace(made, graded=True, leaderboard=rows, metagame=game))
        assert told.endswith(
            f". c, which comes first by wins, has {much} weight in it, because an equilibrium asks for payoffs from "
            "the hardest opponent: it got −3.000 a game from a."
        )
        assert "by wins" not in nash_sentence(replace(made, graded=False, leaderboard=rows, metagame=game))


# --- what stands in the way of the numbers ----------------------------------------------------------------------------


def test_few_blocks_are_told_with_how_many_it_takes() -> None:
    needed = least_blocks(0.95)
    assert 3 < needed < FEW_BLOCKS
    assert played(RPS, blocks=1).warnings == (
        "Fewer than two seed blocks for some pair of strategies: no intervals can be given.",
    )
    assert played(RPS, blocks=3).warnings == (
        "Only 3 seed blocks for some pair: the intervals are rough, and no difference between strategies can be shown "
        f"with fewer than {needed}; play more blocks.",
    )
    for blocks in (needed, FEW_BLOCKS - 1):
        assert played(RPS, blocks=blocks).warnings == (
            f"Only {blocks} seed blocks for some pair: the intervals are rough; play more blocks.",
        )
    assert played(RPS, blocks=FEW_BLOCKS).warnings == ()
    assert all(GERMAN.told(text) for blocks in (1, 3, needed) for text in played(RPS, blocks=blocks).warnings)


def test_pairs_that_never_met_and_seats_that_were_not_exchanged() -> None:
    table = tournament(3, by_matrix(RPS), blocks=20)
    pairing, seating = column(table, "pairing"), column(table, "seating")
    names = ("a", "b", "c")
    one = analyse(table.filter(pairing != 1), names, 1, 20)  # (0, 1), (0, 2), (1, 2)
    assert one.warnings == (
        "a and c never met: no equilibrium or dominance can be given.",
        "Some strategies never took a point from others: {c} > {b} > {a}. No number of points separates such groups, "
        "so that a rating by wins is given for nobody.",
    )
    two = analyse(table.filter(pairing == 2), names, 1, 20)
    assert two.warnings[0] == "a and b and 1 other pairs never met: no equilibrium or dominance can be given."
    assert GERMAN.told(two.warnings[0]) == (
        "a und b sowie 1 weitere Paare trafen nie aufeinander: Gleichgewicht und Dominanz lassen sich nicht angeben."
    )
    turned = analyse(table.filter((pairing != 0) | (seating == 0)), names, 1, 20)
    assert turned.warnings == (
        "Some pair sat more often one way round than the other; payoffs may favour the better seat.",
    )


def test_groups_that_no_number_of_points_separates() -> None:
    """a takes every point of b and c, who share theirs: of two groups the larger one is rated; of three alone none."""
    shared = np.array([[0.0, 1, 1], [-1, 0, 0], [-1, 0, 0]])
    assert played(shared).warnings == (
        "Some strategies never took a point from others: {a} > {b, c}. No number of points separates such groups, so "
        "that a rating by wins is given only within the largest group.",
    )
    assert played(LADDER).warnings == (
        "Some strategies never took a point from others: {a} > {b} > {c}. No number of points separates such groups, "
        "so that a rating by wins is given for nobody.",
    )


# --- tournaments that stop when they know -----------------------------------------------------------------------------


def race(
    goal: str, pairs: dict[tuple[int, int], tuple[float, float]], names: str, lone: bool = False, **until: float
) -> Race:
    """A race in which so much is known of each pair, and of all others between -9 and 9."""
    found = Race(Until(goal, **until), tuple(names), (-4.0, 4.0), 10, 100, lone=lone)
    found.blocks = 3
    for k, pair in enumerate(found.pairs):
        found._sequence.low[k], found._sequence.high[k] = pairs.get(pair, (-9.0, 9.0))
    return found


@pytest.mark.parametrize(("ends", "said"), [
    ((0.02, 0.5), "+0.0200 and +0.5000 a game{}, so more than 0"), ((0.0, 0.5), "0.0000 and +0.5000 a game{}"),
    ((-0.5, 0.09), "−0.5000 and +0.0900 a game{}, so less than 0.1"), ((-0.5, 0.1), "−0.5000 and +0.1000 a game{}"),
])  # fmt: skip
@pytest.mark.parametrize("alone", [False, True])
def test_what_a_test_of_two_has_found(ends: tuple[float, float], said: str, alone: bool) -> None:
    """Between 0 and 0.1: more than the first is told where all of the interval is, less than the second likewise."""
    told = list(race("sprt", {(0, 1): ends}, "ab", alone, low=0.0, high=0.1)._claims())
    who = "a gets between {} more than b" if alone else "a wins between {} from b"
    assert told[0].replace("+0.0000", "0.0000") == who.partition("{}")[0] + said.format(who.partition("{}")[2])
    assert GERMAN.told(told[0]) is not None


def test_who_wins_is_not_known_of_pairs() -> None:
    """Of three pairs one is known; of four strategies six, too many to be named."""
    told = list(race("dominance", {(0, 1): (0.5, 1.0)}, "abc")._claims())
    assert told == ["a wins from b", "it is not known who wins, a or c", "it is not known who wins, b or c"]
    many = list(race("dominance", {}, "abcd")._claims())
    assert many == (["of 6 pairs it is not known who wins"] if sequential._NAMED < 6 else [
        f"it is not known who wins, {a} or {b}" for a, b in ("ab", "ac", "ad", "bc", "bd", "cd")
    ])  # fmt: skip
    assert all(GERMAN.told(text) for text in (*told, *many))


# --- other ratings ----------------------------------------------------------------------------------------------------


def test_every_way_to_rate_in_a_whole_sentence() -> None:
    """FED in duels: no crowds, so no deviation ratings but those of two sides; b alone is the equilibrium."""
    made = played(FED)
    assert made.metagame is not None
    ratings = replace(made.metagame.ratings, nash_average=(-0.5, 0.0, -0.1), deviation=(-0.25, 0.125, -0.5),
                      alpha_rank=(0.125, 0.75, 0.125))  # fmt: skip
    told = rating_sentences(replace(made, metagame=replace(made.metagame, ratings=ratings)), unit="EP")
    wins = [row.name for row in made.leaderboard if row.wins_rank == 1]
    assert wins == ["b"]  # it never lost
    assert told[:5] == [
        "First by payoff, the mean of what a strategy earned from each of the others: a.",
        "First by wins (Bradley-Terry), whose odds of winning are best, however much is won: b.",
        "First by Nash averaging, where an opponent counts as often as the equilibrium mixture plays it: b.",
        "First by deviation ratings, what somebody gains who alone plays the strategy while all others follow the "
        "mixture that leaves least to gain, so that copies of strategies change nothing: b (+0.125 EP a game).",
        "First by alpha-rank, the time that a population spends with a strategy when it keeps going over to what beats "
        "the present one: b (75% of the time).",
    ]  # fmt: skip
    assert told[5] == (
        "Not so by Nash averaging, deviation ratings and alpha-rank: a, first by payoff, gets −0.500 EP a game from b. "
        "The mean over the field counts b as one of many; the others ask what stands when everybody may choose."
    )


def test_ladder_and_wheel_in_whole_sentences() -> None:
    """1 of 4 in squares goes round: heights of 1, 0 and -1 are a ladder of (1 + 1 + 4) * 2 = 12, a wheel of r all round
    has 6 r²; of r = sqrt(2 / 3) it is 4, a quarter of 16."""
    r = math.sqrt(2 / 3)
    made = played(LADDER + r * np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]]))
    assert made.metagame is not None and made.metagame.cycles.cyclic_share == pytest.approx(0.25, abs=1e-6)
    assert cycle_sentences(made) == [
        "75% of what the pairs tell is a ladder, on which whoever stands higher wins by the difference of the heights; "
        "25% goes round in circles.",
        "No three strategies beat each other in a circle in these games.",
    ]
    assert cycle_sentences(played(RPS))[1] == "In these games a beat c, c beat b and b beat a."


# --- whole tables -----------------------------------------------------------------------------------------------------


def test_whole_tables_in_whole_sentences() -> None:
    """b is first by one rating and a by the other; among copies a is."""
    half = Interval(0.0, 0.5)
    joint = JointRatings(
        1024, 2000, (JointRating("b", -0.125, half, 0.25, half), JointRating("a", -0.5, half, 0.75, half)), "x.json"
    )
    rows = [SimpleNamespace(agent=i, rating=1.0 - i, rank=i + 1) for i in range(2)]
    pairs: Any = SimpleNamespace(names=["a", "b"], leaderboard=rows, matrix=[[0.0, 1.0], [-1.0, 0.0]], seats=())
    assert joint_sentences(pairs, joint, unit=" EP") == [
        "First by deviation ratings, what a player gains who goes over to the strategy while the table follows the "
        "mixture that leaves least to gain: b (−0.125 EP a game).",
        "First by alpha-rank, the time that the sides spend with a strategy when each keeps going over to what pays "
        "more against the others: a (75% of the time).",
        "Among copies of one strategy a is first by payoff, a mean that counts every company alike.",
        "The two ways to rate whole tables differ: the one asks from what nobody gains by going over to something else "
        "alone, the other where the sides are while they keep going over.",
    ]  # fmt: skip
    section = joint_section(pairs, joint, "en", str, "", False)
    assert section["intro"] == (
        "Above, every strategy sits alone among copies of another one. Here all strategies sat at all sides in all "
        "1,024 ways, 2,000 deals each. In brackets is the middle 95% of what deals drawn anew from these give "
        "(bootstrap): where two overlap, chance may have decided who is first."
    )
    assert section["shown"].startswith("A table at which they sit in the order of their ratings, the best first; of ")
