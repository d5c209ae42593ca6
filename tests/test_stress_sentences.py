"""Sentences of stress tests that no other test words, whole, each from numbers that were worked out by hand.

Every one has its German words, too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from probespiel.evaluation.stress import paid_words
from probespiel.evaluation.stress.findings import (
    ActionLine,
    Choice,
    CounterLine,
    Dominance,
    Dominant,
    Interval,
    MatrixGame,
    Paid,
    Sample,
    Stake,
    StrategyRow,
    Use,
    UseWorth,
    Ways,
    Worth,
    WorthBounds,
)
from probespiel.evaluation.stress.game_words import action_lines, counter_lines
from probespiel.evaluation.stress.verdict import remarks_of
from probespiel.evaluation.stress.words import answers

from .lab_findings import GERMAN, findings, told

# --- what having it is worth ------------------------------------------------------------------------------------------

SIDES = findings().worth.sides  # type: ignore[union-attr]
EVEN = Interval(0.0, -0.1, 0.1)


def of_worth(value: float, low: float, high: float, **more: Any) -> Worth:
    return Worth(SIDES, Sample(value, low, high, 1200), 1.0, EVEN, **more)


def test_what_having_it_alone_is_worth() -> None:
    def first(worth: Worth, **more: Any) -> str:
        line = answers(replace(findings(**more), worth=worth))["worth"][0]
        assert GERMAN.told(line) is not None
        return line

    same = "1,200 games on the same deals both times"
    assert first(of_worth(0.25, 0.125, 0.375)) == (
        "Whoever has it alone gains +0.25 EP a game against the same opponents without it (+0.12 to +0.38; "
        f"{same}, both sides trained anew)."
    )
    assert first(of_worth(-0.25, -0.5, -0.125)) == (
        "Whoever has it alone loses 0.25 EP a game against the same opponents without it (−0.50 to −0.12; "
        f"{same}, both sides trained anew)."
    )
    for low, high in ((-0.1, 0.2), (0.0, 0.2), (-0.1, 0.0)):
        assert first(of_worth(0.05, low, high)).startswith(
            "Whoever has it alone is not shown to gain or to lose: +0.05 EP"
        )
    assert first(replace(of_worth(0.25, 0.1, 0.4), sides=SIDES[:1]), sides=("A",)) == (
        f"Whoever has it alone gains +0.25 EP a game against the same tasks without it (+0.10 to +0.40; {same}, "
        f"trained "
        "anew)."
    )
    assert first(of_worth(0.25, 0.1, 0.4, alike=True)).endswith(f"{same}, answers to them sought anew).")
    for value, verb in ((0.25, "gains +0.250"), (-0.25, "loses 0.250")):
        assert first(of_worth(value, value, value, exact=True)) == (
            f"Whoever has it alone {verb} EP a game against the same opponents without it (exact: the games were "
            f"solved, "
            "both sides play best). Shares of wins are those of the strategies that were found."
        )


def test_what_a_rule_of_the_whole_table_changes() -> None:
    worth = replace(of_worth(0.0, 0.0, 0.0), exact=True)
    made = replace(findings(worth=0.125), whole_table=True)
    assert made.worth is not None
    for exact, ends, how in ((True, "exact", "the games were solved"),
                             (False, "the same every time", "99 games on the same deals both times")):  # fmt: skip
        line = answers(replace(made, worth=replace(made.worth, exact=exact)))["worth"][0]
        assert line == (
            "It concerns the whole table, so that nobody has it alone and nobody gains by having it. By its being "
            "there "
            f"results change: A +0.12 EP ({ends}) and B +0.12 EP ({ends}), a game ({how})."
        )
        assert GERMAN.told(line) is not None
    assert worth.exact
    still = replace(findings(), whole_table=True)
    assert still.worth is not None
    sides = tuple(
        replace(s, by_amount=tuple(replace(row, worth=Sample(1e-9, 0.0, 0.0, 9)) for row in s.by_amount))
        for s in still.worth.sides
    )
    (line,) = answers(replace(still, worth=replace(still.worth, exact=True, sides=sides)))["worth"]
    assert "By its being there results do not change: A 0.00 EP (exact) and B 0.00 EP (exact), a game (" in line
    assert GERMAN.told(line) is not None


def test_what_the_interval_assumes_is_told_where_it_does() -> None:
    bounds = WorthBounds(Interval(0.1, -0.25, 0.5), (), 3000)
    holds = (
        "The interval that holds is between −0.25 and +0.50 EP (3,000 games for each end): what each side keeps "
        "against "
        "the best answers to it, and gains by the best answers to the other. It assumes that there are no better "
        "answers "
        "than those found, and nothing about how well both play."
    )
    alone = (
        "It assumes that the strategies found with it and without are equally close to the best there are: where "
        "nobody "
        "answers them, no bounds are known."
    )
    voluntary = (
        "It cannot be a handicap: nobody has to use it, and in 4,000 games of random play in which nobody did, all "
        "stood "
        "and was seen as without it. What was measured below nothing is the luck of learning, and counts as nothing."
    )
    made = replace(findings(), worth=of_worth(0.1, 0.05, 0.2))
    bounded = replace(made, worth=of_worth(0.1, 0.05, 0.2, bounds=bounds))
    single = replace(made, sides=("A",))
    free = replace(made, voluntary=4000)
    solved = replace(free, worth=of_worth(0.1, 0.1, 0.1, exact=True))
    for one, said in ((made, ()), (bounded, (holds,)), (single, (alone,)), (free, (voluntary,)), (solved, ())):
        lines = answers(one)["worth"]
        assert [text for text in (holds, alone, voluntary) if text in lines] == list(said)
    assert all(GERMAN.told(text) for text in (holds, alone, voluntary))


def test_shares_of_one_side_are_results_above_the_middle() -> None:
    """Odds of e^0.5 = 1.65, between e^0 and e^1."""
    made = findings(worth=0.1, sides=("A",))
    assert made.worth is not None
    rows = tuple(
        replace(side, by_amount=(replace(side.even, score_without=0.4, score_with=0.5),)) for side in made.worth.sides
    )
    line = answers(replace(made, worth=replace(made.worth, sides=rows[:1], odds=Interval(0.5, 0.0, 1.0))))["worth"][-1]
    assert line == (
        "Its share of results above the middle of the range goes from 40.0% to 50.0%; the odds of winning are "
        "multiplied "
        "by 1.65 (1.00 to 2.72)."
    )
    assert GERMAN.told(line) is not None


def test_what_it_is_worth_against_one_who_has_it_too() -> None:
    def line(answer: Sample, exact: bool = False) -> str:
        made = findings(worth=0.1)
        assert made.worth is not None
        sides = (replace(made.worth.sides[0], answer=answer), made.worth.sides[1])
        out = answers(replace(made, worth=replace(made.worth, sides=sides, exact=exact)))["worth"]
        return next(text for text in out if text.startswith("Against an opponent"))

    assert line(Sample(0.1, 0.05, 0.15, 9)) == (
        "Against an opponent who has it too, it is worth +0.10 EP to “A” (+0.05 to +0.15)."
    )
    unsure = line(Sample(0.1, -0.05, 0.25, 9))
    assert unsure == (
        "Against an opponent who has it too, it is not shown to be worth anything to “A”: +0.10 EP (−0.05 to +0.25)."
    )
    assert GERMAN.told(unsure) == (
        "Gegen einen Gegner, der es auch hat, ist nicht gezeigt, dass es für „A“ etwas wert ist: +0,10 EP (−0,05 bis "
        "+0,25)."
    )
    assert line(Sample(0.0, 0.0, 0.0, 9)).endswith("it is worth 0.00 EP to “A” (the same every time).")
    assert line(Sample(0.1, -0.05, 0.25, 9), exact=True).endswith("it is worth +0.10 EP to “A” (exact).")


# --- payments ---------------------------------------------------------------------------------------------------------


def sample(value: float, half: float = 0.125) -> Sample:
    return Sample(value, value - half, value + half, 99)


def test_what_is_paid_is_told_of_holder_others_and_all() -> None:
    paid = Paid(sample(0.5), sample(-0.25), sample(0.25), sample(0.125, 0.0625))
    made = replace(findings(), zero_sum=False, paid=paid)
    text = (
        "Counted as it is paid and not as a lead, whoever has it alone gets +0.50 EP (+0.38 to +0.62) by it, the other "
        "side −0.25 EP (−0.38 to −0.12); where all have it, the mean of all is +0.12 EP (+0.06 to +0.19)."
    )
    assert paid_words.paid_told(made) == text and GERMAN.told(text) is not None
    three = replace(made, sides=("A", "B", "C"))
    assert paid_words.paid_told(three) == text.replace("the other side", "each other side")
    table = replace(made, paid=replace(paid, own=None, others=None))
    assert paid_words.paid_told(table) == (
        "Counted as it is paid and not as a lead, the sides get +0.12 EP (+0.06 to +0.19) by it on the average."
    )


def test_what_a_use_pays_has_an_interval_like_all_others() -> None:
    """0.2 with an error of 0.02: ± 1.96 errors, although it is told from 2.6 on."""
    seen = UseWorth(500, 300, 0.0, 0.01, 1.0, 1.0, 0.0, own=0.2, own_error=0.02)
    made = replace(findings(use=Use(1, opportunities=500, worth=seen)), zero_sum=False)
    text = paid_words.paid_use(made)
    assert text == "As it is paid, a use brings its user +0.20 EP (± 0.04): no lead over the others comes of it."
    assert GERMAN.told(text) is not None
    lead = replace(made, use=Use(1, opportunities=500, worth=replace(seen, gain=0.02, error=0.001)))
    assert paid_words.paid_use(lead).endswith(
        "+0.20 EP (± 0.04); its lead over the others changes by +0.02 EP by it, too little to count."
    )
    unsure = replace(made, use=Use(1, opportunities=500, worth=replace(seen, own=0.076)))  # 0.025 + 2.6 errors = 0.077
    assert paid_words.paid_use(unsure) == ""


# --- its use ----------------------------------------------------------------------------------------------------------


def of_use(**more: Any) -> list[str]:
    base: dict[str, Any] = {
        "games": 1200,
        "opportunities": 5000,
        "rate": 0.25,
        "games_with_offer": 900,
        "games_with_use": 300,
    }
    return told("use", use=Use(1, **{**base, **more}))


def test_how_often_it_is_used() -> None:
    """1.96 errors of 0.005 are one point, of 0.02 four."""
    head = "The strongest strategies use it in 25% of 5,000 opportunities"
    assert of_use()[0] == f"{head}, and in 300 of the 900 games (of 1,200) in which it was offered."
    assert (
        of_use(error=0.005)[0] == f"{head} (± 1 point), and in 300 of the 900 games (of 1,200) in which it was offered."
    )
    assert of_use(games_with_offer=1200)[0] == f"{head}, and in 300 of the 1,200 games, in all of which it was offered."
    assert of_use(games_with_offer=1200, error=0.02)[0] == (
        f"{head} (± 4 points), and in 300 of the 1,200 games, in all of which it was offered."
    )


@pytest.mark.parametrize(("gain", "error", "said"), [
    (0.125, 0.02, "a use gained +0.12 EP on the average (+0.09 to +0.16)"),
    (-0.125, 0.02, "a use lost 0.12 EP on the average (−0.16 to −0.09)"),
    (0.125, 0.0, "a use gained +0.12 EP on the average (the same every time)"),
    (-0.125, 0.0, "a use lost 0.12 EP on the average (the same every time)"),
    (0.0, 0.02, "a use gained 0.00 EP on the average (−0.04 to +0.04)"),
])  # fmt: skip
def test_what_a_use_gained_both_ways(gain: float, error: float, said: str) -> None:
    worth = UseWorth(2000, 800, gain, error, 1.0, 0.5, 0.125)
    assert of_use(worth=worth)[1] == (
        f"Tried both ways at 2,000 opportunities of 800 games, {said}; it was the better choice in 50%, the worse in "
        f"12% "
        "of them, made no difference in the others."
    )
    never = "A use never led to another position than not using it."
    assert never not in of_use(worth=worth) and of_use(worth=replace(worth, effect=0.0))[2] == never


def choices(*gains: tuple[str, float, float, float]) -> tuple[Choice, ...]:
    """Answers with their share, gain and error."""
    return tuple(Choice("school", name, 50, share, gain, error) for name, share, gain, error in gains)


def test_answers_are_told_with_gains_and_what_follows() -> None:
    """Of two answers a gain counts from 2.4 errors on."""
    asked = "Asked for school, the strongest strategies answer: fire 60% and water 40%."
    head = (
        "Against what is usually answered there, each gains or loses: fire +0.10 EP (± 0.04) and water −0.10 EP "
        "(± 0.04)."
    )
    use = Use(2, games=300, forced=1500, choices=choices(("fire", 0.6, 0.1, 0.02), ("water", 0.4, -0.1, 0.02)))
    lines = told("use", use=use)
    assert lines == [
        "Nobody can decline it: in all 1,500 decisions of 300 games in which one of its actions was legal, every legal "
        "action was one of its own. It is neither used nor left out; what counts is which one.",
        asked, f"{head} On the average fire is the best answer.",
    ]  # fmt: skip
    both = replace(use, choices=choices(("fire", 0.6, 0.1, 0.02), ("water", 0.4, 0.06, 0.02)))
    assert told("use", use=both)[2].endswith("Better than the mixture are fire and water: it depends on the situation.")
    none = choices(("fire", 0.6, 0.02, 0.02), ("water", 0.4, -0.02, 0.02))
    by_look = replace(use, choices=none, stakes=(Stake("school", 100, 0.04, 0.1, 0.3, 0.1),))
    assert told("use", use=by_look)[2].endswith(
        "None is shown to be better than the mixture on the average: the situation tells which one is right."
    )
    guess = replace(use, choices=none, stakes=(Stake("school", 100, 1.2, 0.1),))
    assert told("use", use=guess)[2].endswith(
        "None is better than the mixture by what counts: no best choice, a guessing game."
    )
    sure = replace(use, choices=choices(("fire", 0.6, 0.1, 0.0), ("water", 0.4, -0.1, 0.0)))
    assert "each gains or loses: fire +0.10 EP and water −0.10 EP. " in told("use", use=sure)[2]


def test_ways_to_use_it_are_counted() -> None:
    ways = Ways(0.5, Stake("school", 100, 0.01, 0.1), choices(("fire", 0.6, 0.1, 0.02), ("water", 0.4, -0.1, 0.02)))
    assert "Asked for school, it can be used in 2 ways." in of_use(ways=(ways,))
    named = replace(
        findings(use=Use(1, games=9, opportunities=9, rate=0.5, ways=(ways,))), questions={"school": "Which one?"}
    )
    lines = answers(named)["use"]
    assert "Asked “Which one?”, it can be used in 2 ways." in lines


def test_actions_are_told_with_what_taking_them_gains() -> None:
    lines = (
        ActionLine("fire", 0), ActionLine("wait", 0, declines=True), ActionLine("fire", 2000, 0.25),
        ActionLine("wait", 2000, 0.75, declines=True), ActionLine("fire", 2000, 0.25, 0.01, 0.125, 0.02),
        ActionLine("fire", 2000, 0.25, 0.01, -0.125, 0.0), ActionLine("fire", 2000, 0.25, 0.01, -0.004, 0.01),
    )  # fmt: skip
    taken = "“fire” is taken in 25% of 2,000 chances that were tried"
    out = action_lines(lines, " EP")
    assert out == [
        "“fire” was never a choice.", "“wait” (declines it) was never a choice.", f"{taken}.",
        "“wait” (declines it) is taken in 75% of 2,000 chances that were tried.",
        f"{taken} and gains +0.12 EP over what is done there (± 0.04).",
        f"{taken} and loses 0.12 EP against what is done there (the same every time).",
        f"{taken} and gains 0.00 EP over what is done there (± 0.02).",
    ]  # fmt: skip
    assert all(GERMAN.told(line) for line in out)


def test_counters_are_told_with_what_was_seen() -> None:
    rows = [CounterLine("luck", 1200, 2.25, 0.5, 0, 7), CounterLine("luck", 1200, 3.0, None, 3, 3)]
    out = counter_lines(rows)
    assert out == [
        "At the end of a game “luck” stands at 2.2 on the average (± 1.0), 0 to 7 in 1,200 games.",
        "At the end of a game “luck” stands at 3.0 on the average, always 3 in 1,200 games.",
    ]
    assert all(GERMAN.told(line) for line in out)


# --- strategies -------------------------------------------------------------------------------------------------------


def matrix(
    share: float, alike: int = 1, within: float = 0.0, mass: Interval | None = None, learned: int | None = None
) -> MatrixGame:
    rows = tuple(StrategyRow(f"s{i}", 0.5, 0.5, False, 0.0, 0.1, "", 0.0, None) for i in range(5))
    return MatrixGame(
        rows, (), (), Dominant("s1", share, alike, within), Interval(2.0, 1.0, 3.0), Interval(0.25, 0.125, 0.5), mass,
        20, 900, learned=learned,
    )  # fmt: skip


@pytest.mark.parametrize(("share", "alike", "within", "said"), [
    (0.95, 1, 0.0, "one of 5 strategies is best against all that are worth playing: “s1” (95%"),
    (0.9499, 3, 0.25, "none of 5 strategies is best against all that are worth playing (the nearest in 95%"),
    (0.6, 1, 0.0, "none of 5 strategies is best against all that are worth playing (the nearest in 60%"),
    (1.0, 3, 0.0, "3 of 5 strategies fare alike and are best against all worth playing, like “s1” (100%"),
    (1.0, 3, 0.25, "3 of 5 strategies fare alike (they differ by less than 0.25 EP on average) and are best against "
     "all "
     "worth playing, like “s1” (100%"),
])  # fmt: skip
def test_the_best_of_all_strategies(share: float, alike: int, within: float, said: str) -> None:
    game = Dominance(matrix(0.6), matrix(share, alike, within))
    lines = told("dominance", dominance=game)
    assert lines[0] == f"With it, {said} of the resamples; 900 games)."
    assert lines[2] == (
        "Without it, none of 5 strategies is best against all that are worth playing (the nearest in 60% of the "
        "resamples; 900 games)."
    )


def test_what_intervals_of_strategies_hold() -> None:
    def lines(before: int | None, after: int | None, mass: Interval | None = None) -> list[str]:
        return told(
            "dominance", dominance=Dominance(matrix(0.6, learned=before), matrix(0.6, learned=after, mass=mass))
        )

    holds = (
        "Intervals of the equilibrium and of cycles hold the luck of learning, as far as {} learned strategies "
        "without it and {} with it tell it."
    )
    assert lines(2, 3)[-1] == holds.format(2, 3)
    assert lines(1, 3)[-1] == (
        "Intervals of the equilibrium and of cycles leave out the luck of learning, which too few learned strategies "
        "tell "
        "of."
    )
    assert not any("luck of learning" in line for line in lines(None, 3))
    used = lines(2, 3, Interval(0.5, 0.25, 0.75))
    assert used[1] == (
        "None is dominated by others or by a mixture of them. The equilibrium amounts to 2.0 strategies (1.0 to 3.0), "
        "each of those that fare alike counted; 25% of the differences between those held to no way of using it are "
        "cyclic (12% to 50%)."
    )
    assert "In equilibrium 50% of its opportunities are taken (25% to 75%)." in used


def test_remarks_name_what_became_best() -> None:
    """Only where nothing was best in more than half of the resamples before."""

    def remark(before: float, alike: int, within: float) -> tuple[str, ...]:
        return remarks_of(findings(dominance=Dominance(matrix(before), matrix(0.95, alike, within))))

    assert remark(0.5, 1, 0.0) == ("It makes one strategy best against all found that are worth playing: “s1”.",)
    assert remark(0.51, 1, 0.0) == ()
    text = (
        "It makes one way to play best against all found that are worth playing: 3 of 5 strategies fare alike (they "
        "differ by less than 0.25 EP on average) and are best, such as “s1”."
    )
    assert remark(0.5, 3, 0.25) == (text,) and GERMAN.told(text) is not None
    rare = Use(1, games=1200, opportunities=30, games_with_offer=23)
    assert remarks_of(findings(use=rare)) == (
        "It is rare: offered in 23 of 1,200 games of the strongest play, so that what is told of its use rests on few "
        "chances.",
    )
    assert remarks_of(findings(use=replace(rare, games_with_offer=24))) == ()  # 2 % of all games
