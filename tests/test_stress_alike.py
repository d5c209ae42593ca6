"""Worth against the same opponents, by hand: three sides, tables of what strategies get, and who sits where."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.evaluation.stress.alike import measure_alike, odds_between, whole
from probespiel.evaluation.stress.answers import Ends, between
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.conditions import NOBODY, Condition, seating_of
from probespiel.evaluation.stress.estimates import unseen
from probespiel.evaluation.stress.play import margins
from probespiel.evaluation.stress.strategies import Chosen, Mixture, Prelude, Strategy

THREE: Any = SimpleNamespace(
    _seat_names=lambda: ["A", "B", "C"], sides=[(0,), (1,), (2,)], side_seats=lambda condition, side: (side,)
)
HAWK, DOVE, PRAY = (Strategy(name, base=name) for name in ("hawk", "dove", "pray"))
DEALS = 40


def even(value: float) -> np.ndarray:
    """The same in every deal."""
    return np.full(DEALS, value)


def test_a_hero_of_three_sits_and_is_paid_where_it_is() -> None:
    """Side B against both others: half of what it has more than they have on the average."""
    pairs = [(0, 1), (2, 1)]
    assert seating_of(THREE, Condition(), pairs, 1).tolist() == [[1, 0, 1], [1, 2, 1]]
    assert seating_of(THREE, Condition(), pairs).tolist() == [[0, 1, 1], [2, 1, 1]]
    payoffs = np.array([[3.0, 1.0, 0.0], [0.0, 2.0, 0.0]])
    assert margins(THREE, Condition(), payoffs, 1).tolist() == [0.5 * (1.0 - 1.5), 1.0]
    assert margins(THREE, Condition(), payoffs).tolist() == [0.5 * (3.0 - 0.5), 0.5 * (0.0 - 1.0)]


def test_who_plays_alone_is_paid_against_the_middle_of_what_may_be_paid() -> None:
    """Two seats of the only side, from -1 to 3: means of 1.5 and 3 less 1."""
    alone: Any = SimpleNamespace(payoff_range=(-1.0, 3.0), side_seats=lambda condition, side: (0, 1))
    assert margins(alone, Condition(), np.array([[1.0, 2.0], [3.0, 3.0]])).tolist() == [0.5, 2.0]


def test_a_worth_lies_between_what_either_answer_gains_by_it() -> None:
    """Without it the first answer is best (2 to 1), with it the second (4 to 3): between 3 - 2 and 4 - 1; 4 - 2."""
    found = between([Ends(plain=even(2.0), kept=even(3.0), having=even(4.0), bare=even(1.0))])
    assert (found.value, found.low, found.high, found.games) == (2.0, 1.0, 3.0, DEALS)
    # an answer that is none (it gets less than the other with it): the other one is what is played, 3 - 2
    found = between([Ends(plain=even(2.0), kept=even(3.0), having=even(0.0), bare=even(1.0))])
    assert (found.value, found.low, found.high) == (1.0, -1.0, 1.0)
    # one found with it that is better without it, too (3 to 2): 4 - 3
    found = between([Ends(plain=even(2.0), kept=even(2.0), having=even(4.0), bare=even(3.0))])
    assert (found.value, found.low, found.high) == (1.0, 0.0, 1.0)


def test_what_is_never_used_is_worth_nothing_whatever_the_answers_are() -> None:
    """Results differ by 10 between deals and by 3 between answers, none by the rule: 0, by what was not seen alone."""
    deals = np.tile([-5.0, 5.0], DEALS // 2)
    ends = Ends(plain=deals, kept=deals, having=deals[::-1] - 3.0, bare=deals[::-1] - 3.0)
    found, room = between([ends]), 10.0 * unseen(DEALS)
    assert (found.value, found.low, found.high) == (0.0, pytest.approx(-room), pytest.approx(room))
    assert odds_between([ends]).value == 0.0
    both = whole([between([ends]), between([Ends(deals, deals + 1.0, deals + 2.0, deals)])])
    assert (both.value, both.low, both.high) == (1.0, pytest.approx(-room), pytest.approx(2.0 + room)), (
        "either may be what the others play"
    )


# What a hero gets among others who all play the same. The module lets its holder pray, who fights like a hawk without
# it: worth 0 against doves, 1 against hawks. Hawks and doves do best among their own kind: two equilibria, 1 and 4.
PAYS = {("hawk", "hawk"): 1.0, ("hawk", "dove"): 0.0, ("dove", "hawk"): 0.0, ("dove", "dove"): 4.0,
        ("pray", "hawk"): 2.0, ("pray", "dove"): 3.0}  # fmt: skip


def paid(holds: bool, hero: Strategy, other: Strategy) -> float:
    """By the table."""
    return PAYS["hawk" if hero == PRAY and not holds else hero.base, other.base]


class Asked:
    """A context whose cells are read from the table; learners play as the baseline that they stand on."""

    sides = [0, 1]
    used = declinable = False
    budget = BUDGETS["quick"]
    observation = 0
    scale = 1.0

    def __init__(self) -> None:
        self.heroes: list[int] = []
        self.bench = SimpleNamespace(
            side_names=["A", "B", "C"], can_mirror=False, can_handicap=False, several=True, in_order=True,
            alone=lambda side: f"only {side}", mirrored=None,
            holder_conditions=lambda: {
                NOBODY: Condition(), "only 0": Condition((0,)), "only 1": Condition((1,)),
                "everybody": Condition((0, 1)),
            },
        )  # fmt: skip

    def begin(self, step: str) -> None:
        """Nothing."""

    def seed(self, *parts: object) -> int:
        """Any."""
        return 1

    def file_of(self, net: str, condition: Condition) -> str:
        """The name itself."""
        return net

    def need(self, step: str, jobs: Any) -> list[Any]:
        """Nothing is learned."""
        return [{} for _ in jobs]

    def cells(self, step: str, wanted: Any, deals: int, use: str, hero: int = 0) -> list[np.ndarray]:
        """Means over both mixtures, by the table."""
        self.heroes.append(hero)
        return [
            even(sum(paid(hero in condition.holders, a, b) * v * w for rows, columns in pairs
                     for a, v in zip(*_parts(rows)) for b, w in zip(*_parts(columns))) / len(pairs))
            for condition, pairs in wanted
        ]  # fmt: skip


def _parts(mixture: Mixture) -> tuple[Any, Any]:
    return mixture.strategies, mixture.weights


def _all(strategy: Strategy) -> Mixture:
    return Mixture((strategy,), (1.0,))


def test_learners_that_settle_elsewhere_do_not_count_for_the_rule() -> None:
    """Nobody has it: all are doves (4 each). Where a side has it, the others are hawks, and its best is to pray (2).

    The two equilibria differ by -2, of which the rule does nothing: against doves it is worth 0 (4 both times), against
    hawks 1 (2 instead of 1).
    """
    both = [(_all(DOVE), _all(DOVE))] * 3
    mixtures = {NOBODY: both, "everybody": both, "only 0": [(_all(PRAY), _all(HAWK))] * 3,
                "only 1": [(_all(HAWK), _all(PRAY))] * 3}  # fmt: skip
    plain, more = [HAWK, DOVE], [HAWK, DOVE, PRAY]
    pools = {NOBODY: [plain, plain], "everybody": [more, more], "only 0": [more, plain], "only 1": [plain, more]}
    context: Any = Asked()
    found = measure_alike(context, Prelude((HAWK, DOVE), DOVE), Chosen(pools, mixtures)).worth
    assert [row.even.worth.value for row in found.sides] == [0.5, 0.5]
    assert [(row.even.with_it, row.even.without) for row in found.sides] == [(4.0, 4.0)] * 2, "what doves get"
    assert (found.overall.low, found.overall.high) == (0.0, 1.0) and found.alike
    assert found.bounds is not None and (found.bounds.overall.low, found.bounds.overall.high) == (0.0, 1.0)
    assert set(context.heroes) == {0, 1}, "each side is asked by itself"
