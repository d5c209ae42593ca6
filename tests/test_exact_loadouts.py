"""Sentences about loadouts by hand: what is dominant, best part by part, and what a point of a value is worth."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from probespiel.evaluation.tournament.loadouts import anchor_of, loadout_notes
from probespiel.evaluation.tournament.summary import Interval


def verdict(beats: tuple[int, ...], dominated: bool | None, by: int | None = None) -> Any:
    return SimpleNamespace(beats=beats, dominated=dominated, dominator=by, margin=0.25)


def summary(names: list[str], verdicts: list[Any], nash: list[float], ratings: list[float], half: list[float]) -> Any:
    rows = [
        SimpleNamespace(agent=i, rating=rating, rating_interval=Interval(rating - wide, rating + wide))
        for i, (rating, wide) in enumerate(zip(ratings, half, strict=True))
    ]
    return SimpleNamespace(
        names=names, metagame=SimpleNamespace(verdicts=verdicts, nash=nash), leaderboard=rows[::-1], matrix=None,
        joint_low=None, joint_high=None,
    )  # fmt: skip


def test_loadouts_of_an_agent() -> None:
    """Four loadouts of `a` among five strategies; `b` wears nothing, and is no loadout that anybody has to beat.

    Of `bow+mail` three others are beaten, one of them `b`, and one of `a` is not. Bow instead of sword: 0.3 and 0.6
    more, 0.45 on average, give or take 0.1 + 0.1 and 0.2 + 0.1, 0.25; mail instead of nothing 0.1 - 0.4 and
    0.7 - 0.1 - 0.5, 0.15 in the mean: ahead in one of two.
    """
    names = ["a@bow", "a@bow+mail", "b", "a@sword", "a@sword+mail", "c@bare"]
    verdicts = [
        verdict((2, 3), None), verdict((0, 2, 4), False), verdict((), True, 1), verdict((), True, 1),
        verdict((2,), True, None), verdict((), None),
    ]  # fmt: skip
    s = summary(
        names, verdicts, [0.0051, 0.8, 0.1949, 0.0, 0.0049, 0.0], [0.4, 0.7, 0.0, 0.1, 0.1, 9.0],
        [0.1, 0.2, 0.1, 0.1, 0.1, 0.1],
    )  # fmt: skip
    notes = loadout_notes(s)
    assert notes == [
        "Loadouts of a: 4.",
        "No loadout of a is shown to beat all others; of most this is shown for bow+mail, which beats 2 of 3.",
        "Dominated equipment of a: sword (by bow+mail, ahead by at least +0.250) and sword+mail (by a mixture, ahead "
        "by at least +0.250).",
        "Undecided equipment of a: bow.",
        "Undominated equipment of a: bow+mail.",
        "Equipment of a in the equilibrium mixture of the mean payoffs: bow+mail 80% and bow 1%.",
        "All else equal, bow is shown to be better than every other for a; mean lead in payoff over sword +0.450 "
        "(+0.200 to +0.700; ahead in 2 of 2).",
        "All else equal, mail is ahead, though not every lead is shown for a; mean lead in payoff over nothing +0.150 "
        "(−0.100 to +0.400; ahead in 1 of 2).",
    ]
    assert [anchor_of(note) for note in notes] == [
        "leaderboard", "pairs", "dominance", "dominance", "dominance", "equilibrium", "leaderboard", "leaderboard",
    ]  # fmt: skip
    assert anchor_of("Of a: 4.") is None
    s.metagame.verdicts[1] = verdict((0, 3, 4), True, 2)
    again = loadout_notes(s)
    assert again[1] == "Dominant equipment of a: bow+mail is shown to beat every other loadout."
    assert "bow+mail (by b, ahead" in again[2], "who is no loadout is named"
    s.metagame = None
    assert loadout_notes(s) == []
    assert loadout_notes(summary(["a@bow", "b"], [verdict((1,), None)] * 2, [1.0, 0.0], [0.0] * 2, [0.1] * 2)) == []


def test_of_loadouts_that_beat_equally_many_the_first_is_named() -> None:
    s = summary(["a@x=1", "a@y=1", "a@z=1"], [verdict((1,), None), verdict((2,), None), verdict((0,), None)],
                [1.0, 0.0, 0.0], [0.0] * 3, [0.1] * 3)  # fmt: skip
    assert "shown for x=1, which beats 1 of 2" in loadout_notes(s)[1]


def test_a_point_of_a_value_is_worth_its_share_of_the_lead() -> None:
    """Five points of `r` earn 1, between 0.5 and 2: a fifth each; of two values, or of parts, nothing is told."""
    names = ["a@r=7+bow", "a@r=2+bow", "a@r=2+q=1", "a@s=1+bow", "a@r=2+bow+mail"]
    s = summary(names, [verdict((), None)] * 5, [0.0] * 5, [0.0] * 5, [0.1] * 5)
    tables: list[list[list[Any]]] = [[[value] * 5 for _ in range(5)] for value in (1.0, 0.5, 2.0)]
    s.matrix, s.joint_low, s.joint_high = tables
    told = [note for note in loadout_notes(s) if note.startswith("A point")]
    assert told == ["A point of r is worth +0.2000 a game to a (+0.1000 to +0.4000; 7 against 2)."]
    assert anchor_of(told[0]) == "pairs"
    for unknown in tables:
        unknown[0][1] = None
        assert not any(note.startswith("A point") for note in loadout_notes(s))
        unknown[0][1] = 1.0
    s.joint_high = None
    assert not any(note.startswith("A point") for note in loadout_notes(s))


@pytest.mark.parametrize(("ratings", "best"), [([0.0, 0.5, 1.0], "c"), ([1.0, 0.5, 0.0], "a")])
def test_parts_that_stand_for_each_other_are_one_group(ratings: list[float], best: str) -> None:
    """Three parts of one place; whose mean lead is the largest is named, with the smaller lead first."""
    s = summary(["a@a", "a@b", "a@c"], [verdict((), None)] * 3, [0.0] * 3, ratings, [0.1] * 3)
    last = loadout_notes(s)[-1]
    far = {"a": "c", "c": "a"}[best]
    assert last == (
        f"All else equal, {best} is shown to be better than every other for a; mean lead in payoff over b +0.500 "
        f"(+0.300 to +0.700; ahead in 1 of 1) and {far} +1.000 (+0.800 to +1.200; ahead in 1 of 1)."
    )
