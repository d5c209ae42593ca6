"""What was learned for one side alone plays there, and its counterpart plays in the other seats."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.evaluation.balance import measuring
from probespiel.evaluation.stress import dominance
from probespiel.evaluation.stress.conditions import EVERYBODY, NOBODY, Condition
from probespiel.evaluation.stress.seated import Seated, counterpart, seated
from probespiel.evaluation.stress.strategies import COUNTERS, Strategy

HEADS, USE = Strategy("heads", base="heads"), Strategy("uses it when it pays where all have it (1)", net="use")


def counter(seat: str, base: str, more: str = "") -> Strategy:
    """What one side has learned against the others."""
    name = f"{COUNTERS} as {seat} where nobody has it{more}"
    return Strategy(name, base=base, net=f"{seat}{more}", seat=seat)


A, B = counter("A", "heads"), counter("B", "tails")


def pennies(rows: list[Strategy], columns: list[Strategy]) -> np.ndarray:
    """Matching pennies in four blocks: side A wins a penny if both show the same, side B if they do not."""
    return np.tile([[1.0 if a.base == b.base else -1.0 for b in columns] for a in rows], (4, 1, 1))


def test_names_without_a_side() -> None:
    assert A.in_any_seat == B.in_any_seat == f"{COUNTERS} where nobody has it" and HEADS.in_any_seat == "heads"
    asis = Strategy(f"{COUNTERS} as as where only as has it", seat="as")
    assert asis.in_any_seat == f"{COUNTERS} where only as has it", "whatever the side is called"


def test_each_side_plays_what_it_has_learned_itself() -> None:
    """Two rounds; B has one of its counters with a use that A never played, and A's is made for it."""
    later = [counter(seat, "heads", ", round 2") for seat in "AB"]
    using = B.deciding(USE)
    pools = [[HEADS, A, later[0]], [HEADS, B, later[1], using]]
    name = f"{COUNTERS} where nobody has it"
    made = seated(pools, HEADS)
    assert [(way.name, way.first, way.rest) for way in made[:3]] == [
        ("heads", HEADS, HEADS), (name, A, B), (f"{name}, round 2", *later)
    ]  # fmt: skip
    assert made[3] == Seated(f"{name}, uses it when it pays (1)", A.deciding(USE), using) and len(made) == 4
    assert [(way.learned, way.as_liked) for way in made] == [(False, True), (True, True), (True, True), (True, True)]
    assert not Seated("x", HEADS.using("never"), HEADS.using("never")).as_liked
    assert Seated("x", HEADS, A).learned and Seated("x", Strategy("h", whether="w"), HEADS).learned
    assert counterpart(later[0], [HEADS, B]) is None, "of another round"
    answers = Strategy("answers as it pays where all have it (1)", net="use")
    for use in (USE, answers):
        assert counterpart(later[1].deciding(use), [A, later[0]]) == later[0].deciding(use), "of its own round"
        assert counterpart(later[1].deciding(use), [A]) is None
    other = A.deciding(Strategy("uses it when it pays where all have it (2)", net="more"))
    assert counterpart(using, [other]) is None, "and of another use"


def test_where_nobody_else_learned_the_strongest_sits() -> None:
    """Of several sides one has a counter; of one side there are no other seats; B alone sits behind."""
    name = f"{COUNTERS} where nobody has it"
    assert seated([[HEADS, A], [HEADS]], HEADS) == [Seated("heads", HEADS, HEADS), Seated(name, A, HEADS)]
    assert seated([[HEADS], [HEADS, B]], HEADS)[1] == Seated(name, HEADS, B)
    assert seated([[HEADS, A]], HEADS)[1] == Seated(A.name, A, A)


@pytest.mark.parametrize("marked", [True, False])
def test_what_beats_everybody_in_its_own_seat_is_not_taken_for_an_equal(
    marked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pennies: all show heads. A's answer is heads, B's tails: together they win each game from who shows heads.

    Alone, in both seats, each wins on one side what it loses on the other: all three would be level, so that none
    would be best, and a game with a best answer would pass for one in which nothing counts.
    """
    alone = dominance.antisymmetric(pennies([HEADS, A, B], [HEADS, A, B])).mean(axis=0)
    assert not alone.any()
    asked: list[Any] = []
    rated: list[Any] = []

    def matrices(step: str, wanted: Any, deals: int, use: str) -> list[np.ndarray]:
        asked.extend(wanted)
        return [pennies(rows, columns) for _, rows, columns in wanted]

    def need(step: str, jobs: Any) -> list[dict[str, Any]]:
        rated.extend(job.args for job in jobs)
        return [{"rates": [0.5, None]}]

    pools = {name: [[HEADS, A], [HEADS, B]] for name in (NOBODY, EVERYBODY)}
    conditions = {NOBODY: Condition(), EVERYBODY: Condition((0, 1))}
    context = cast(Any, SimpleNamespace(
        begin=lambda _: None, matrices=matrices, need=need, marked=marked, seed=lambda *_: 1, scale=1.0,
        budget=SimpleNamespace(matrix=4, resamples=8, rates=800),
        bench=SimpleNamespace(holder_conditions=lambda: conditions, everybody=lambda: conditions[EVERYBODY]),
    ))  # fmt: skip
    prelude, chosen = cast(Any, SimpleNamespace(anchor=HEADS)), cast(Any, SimpleNamespace(pools=pools))
    found, variety = dominance.look_for_dominance(context, prelude, chosen)
    everywhere = ([HEADS, A], [HEADS, B])
    assert asked == [([conditions[name]], *everywhere) for name in (NOBODY, EVERYBODY, NOBODY)]
    for game in (found.nobody, found.everybody):
        assert game.matrix == ((0.0, -1.0), (1.0, 0.0)) and game.games == 2 * 2 * 4
        assert [row.name for row in game.strategies] == ["heads", f"{COUNTERS} where nobody has it"]
        assert (game.dominant.name, game.dominant.share) == (f"{COUNTERS} where nobody has it", 1.0)
        assert game.learned == 1 and game.effective.value == pytest.approx(1.0)
    assert variety.value == pytest.approx(1.0)
    told = [(args["strategies"], args["elsewhere"], args["opponent"]) for args in rated]
    assert told == ([(*everywhere, HEADS)] if marked else [])
    figure = measuring._dominant(context, prelude, chosen)
    assert asked[3:] == [([conditions[EVERYBODY]], *everywhere)] and figure.value == 100.0
