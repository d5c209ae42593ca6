"""Best responses to a policy of the duel, handicaps that are worth as much, and how a fight ended: by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.oneshot import state as fight
from probespiel.envs.oneshot.choices import LimitResult
from probespiel.envs.oneshot.record import TEAMS
from probespiel.envs.oneshot.skirmish.ending import standing_text
from probespiel.envs.oneshot.text import SEAT_WORDS
from probespiel.evaluation.stress.worth import _units
from probespiel.training.einblatt import duel_response
from probespiel.training.einblatt.duel_response import PASS, PASSED, RARE, _children, _gap, _plays, _Sample

FOUR = np.ones(4, dtype=bool)
FIRST_TWO = np.array([True, True, False, False])

# The response


def sample(rows: list[tuple[int, int, int, float, int, float]]) -> _Sample:
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    return _Sample(np.zeros(4), *columns)


def test_a_response_is_chosen_on_some_hands_and_measured_on_others() -> None:
    """First play 1, where class 5 or 6 is seen, and first play 2. Weights are those of what the policy plays.

    On the hands 0 and 1 play 7 is the best after (1, 5), 1 against 0.5, and 8 after (1, 6): 0.75 a hand, and 0.5 after
    first play 2. On the hands 2 and 3 those plays win 0.25 * -1 + 0.5 * 3 in two hands.
    """
    found = sample([
        (0, 1, 5, 0.5, 7, 2.0), (0, 1, 5, 0.5, 8, 1.0), (1, 1, 6, 1.0, 7, -1.0), (1, 1, 6, 1.0, 8, 0.5),
        (0, 2, 5, 1.0, 7, 1.0), (2, 1, 5, 0.25, 7, -1.0), (2, 1, 5, 0.25, 8, 9.0), (3, 1, 6, 0.5, 8, 3.0),
        (3, 2, 5, 1.0, 7, 8.0),
    ])  # fmt: skip
    assert found.gain(FIRST_TWO, FIRST_TWO) == pytest.approx((0.5 * 2.0 + 0.5) / 2)
    assert found.gain(FIRST_TWO, ~FIRST_TWO) == pytest.approx((0.25 * -1.0 + 0.5 * 3.0) / 2)
    # on the others it is first play 1 still: 8 after both, 2.25 + 1.5 of two hands, against 8 of two
    assert found.gain(~FIRST_TWO, ~FIRST_TWO) == pytest.approx(8.0 / 2)
    assert found.gain(FOUR, FOUR) == pytest.approx(9.0 / 4)


def test_what_is_not_offered_is_no_response() -> None:
    """After (1, 5) play 7 alone is there, which loses; 8 is worth nothing there, but cannot be played."""
    found = sample([(0, 1, 5, 1.0, 7, -2.0), (1, 1, 6, 1.0, 8, -6.0), (2, 1, 6, 1.0, 8, 0.0), (3, 1, 6, 1.0, 8, 0.0)])
    assert found.gain(FOUR, FOUR) == pytest.approx((-2.0 - 6.0) / 4)


def test_gaps_are_means_with_their_errors() -> None:
    found = _gap([[1.0, 3.0], [2.0, 2.0]], 2)
    assert found.mean == (2.0, 2.0) and found.error == pytest.approx((1.0, 0.0)) and found.deals == 2


def test_luck_is_taken_off_by_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chosen and measured on all hands 5; on even ones for odd ones 2, the other way round 1; worth 0.5: 4.5 and 1."""
    asked: list[Any] = []

    class Stub:
        value = np.array([0.25, 0.75])

        def gain(self, choose: np.ndarray, measure: np.ndarray) -> float:
            if choose.all() and measure.all():
                return 5.0
            assert (choose == ~measure).all()
            return 2.0 if choose[0] else 1.0

    def drawn(tree: Any, state: int, hidden: int, seed: int) -> Any:
        asked.append((tree, int(state), hidden, seed))
        return Stub()

    monkeypatch.setattr(duel_response, "_sample", drawn)
    monkeypatch.setattr(duel_response, "DuelTree", lambda game, seat, chances: (seat, chances))
    monkeypatch.setattr(duel_response, "deals", lambda game, n, seed: iter([np.arange(2), np.arange(2, n)]))
    game = cast(Any, SimpleNamespace(spec=SimpleNamespace(params={"rounds": [3]})))
    found = duel_response.response_gap(game, cast(Any, "chances"), n=3, hidden=6, seed=4)
    assert found.chosen.mean == (4.5, 4.5) and found.fresh.mean == (1.0, 1.0) and found.fresh.deals == 3
    assert [(tree, state, hidden) for tree, state, hidden, _ in asked] == [
        ((seat, "chances"), state, 6) for seat in (0, 1) for state in range(3)
    ]
    assert len({seed for *_, seed in asked}) == 6, "each has dice of its own"
    game.spec.params["rounds"] = [2]
    with pytest.raises(ProbespielError, match="rounds"):
        duel_response.response_gap(game, cast(Any, "chances"))


def test_hands_are_dealt_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five hands in blocks of two: columns stand behind each other, and every block is told where it begins."""
    begun: list[Any] = []

    def block(tree: Any, state: Any, rngs: np.ndarray, start: int) -> tuple[np.ndarray, ...]:
        begun.append((len(rngs), start))
        return tuple(np.full(len(rngs), 10.0 * start + column) for column in range(7))

    monkeypatch.setattr(duel_response, "BLOCK", 2)
    monkeypatch.setattr(duel_response, "_block", block)
    found = duel_response._sample(cast(Any, None), np.zeros(1), 5, 3)
    assert begun == [(2, 0), (2, 2), (1, 4)]
    assert found.value.tolist() == [0.0, 0.0, 20.0, 20.0, 40.0] and found.payoff[-1] == 46.0


def seen(masks: list[list[int]]) -> Any:
    """A tree of seat 0 whose other seat may play these cards."""
    legal = np.zeros((len(masks), 40), dtype=np.int8)
    for row, cards in zip(legal, masks, strict=True):
        row[cards] = 1

    def seen_by(states: Any, seat: int) -> Any:
        assert seat == 1, "the responder"
        return None, legal

    return cast(Any, SimpleNamespace(seat=0, seen_by=seen_by))


def test_one_card_of_each_class_is_played_and_a_pass_without_any() -> None:
    """Cards 0 and 3 are of class 2, cards 1 and 5 of class 4: the first that is there stands for its class."""
    classes = np.arange(32) + 100.0
    classes[[0, 3]], classes[[1, 5]] = 2.0, 4.0
    found = _plays(seen([[0, 1, 3, 5, PASS], [3, 5, 7], [PASS, PASS + 1]]), np.zeros((3, 1)), classes)
    assert [np.flatnonzero(row).tolist() for row in found] == [[0, 1], [3, 5, 7], [PASS]]


def test_no_chance_lies_between_the_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def grow(k: int, p: int, states: Any, parents: Any, seat: int, own: Any, other: Any, targets: np.ndarray) -> int:
        asked.append((k, p, states.tolist(), parents, seat, own, other))
        targets[:] = 9
        return status

    monkeypatch.setattr(duel_response, "grow", grow)
    kernel = SimpleNamespace(raise_pending=lambda: asked.append("looked"))
    tree = cast(Any, SimpleNamespace(
        seat=1, game=SimpleNamespace(name="duel", address=3, params_address=4, kernel=kernel)))  # fmt: skip
    status = -1
    given = cast(Any, ("parents", "own", "other"))
    assert _children(tree, np.zeros((2, 5), np.uint8), *given).shape == (7, 5)
    assert asked == [(3, 4, [[0] * 5] * 2, "parents", 1, "own", "other"), "looked"]
    status = 0
    with pytest.raises(ProbespielError, match="chance after the deal"):
        _children(tree, np.zeros((2, 5), np.uint8), *given)


def test_a_block_of_hands_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat 1 answers seat 0. Two hidden hands: the policy plays card 1 always, or card 2 with 3/4 and passes with 1/4.

    A play rarer than one in a thousand is left out. The responder has two classes first, then card 4, then card 5.
    The policy's second play is drawn; of its last ones, 3/4 and 1/4, one pays 1 and one -1 for whatever is answered.
    """
    assert RARE == 1e-3
    third = np.zeros((99, 40))
    third[:, 8], third[:, 9] = 0.75, 0.25
    first = np.zeros((2, 40))
    first[0, [1, 3]], first[1, [2, PASS]] = (0.9995, 0.0005), (0.75, 0.25)
    classes = np.arange(32.0)
    made: list[Any] = []

    def policy_at(states: np.ndarray) -> np.ndarray:
        depth = int(states[0, 0])
        return first if depth == 0 else third[: len(states)]

    def plays(tree: Any, states: np.ndarray, own: np.ndarray) -> np.ndarray:
        assert (own == classes).all()
        out = np.zeros((len(states), 33), dtype=bool)
        out[:, [[6, 7], [4], [5]][int(states[0, 0])]] = True
        return out

    def children(tree: Any, states: np.ndarray, parents: Any, own: Any, other: Any) -> np.ndarray:
        made.append((np.asarray(parents).tolist(), np.asarray(own).tolist(), np.asarray(other).tolist()))
        return states[parents] + np.uint8(1)

    def finish(k: int, p: int, states: Any, choices: Any, seat: int, capacity: int, payoffs: np.ndarray) -> int:
        assert (k, p, seat, capacity) == (3, 4, 0, 2) and (choices.other == 5).all()
        payoffs[:] = np.where(choices.own == 8, 1.0, -1.0)
        return -1

    def deal_again(k: int, p: int, state: Any, seat: int, targets: np.ndarray, rngs: Any) -> None:
        assert (k, p, seat) == (3, 4, 1)
        targets[:] = 0

    def told(tree: Any, states: np.ndarray, seat: int) -> np.ndarray:
        return classes[None] if seat == 1 else np.tile(classes + 20.0, (len(states), 1))

    for name, stub in {
        "deal_again": deal_again, "_classes": told, "_plays": plays, "_children": children, "finish": finish,
        "draw": lambda chances, rngs: np.full(len(chances), 11),
    }.items():  # fmt: skip
        monkeypatch.setattr(duel_response, name, stub)
    kernel = SimpleNamespace(raise_pending=lambda: None)
    game = SimpleNamespace(name="duel", address=3, params_address=4, capacity=2, kernel=kernel)
    tree = cast(Any, SimpleNamespace(game=game, seat=0, policy_at=policy_at, value=lambda roots: roots[:, 0] + 0.5))
    value, *columns = duel_response._block(tree, np.zeros(3, np.uint8), np.array([8, 9], dtype=np.uint64), 10)
    hand, play, shown, weight, second, payoff = (column.tolist() for column in columns)
    assert value.tolist() == [0.5, 0.5] and made[0] == ([0, 0, 1, 1, 1, 1], [1, 1, 2, 2, 32, 32], [6, 7] * 3)
    assert hand == [10, 10, 11, 11, 11, 11] and play == [6, 7] * 3 and second == [4] * 6
    assert shown == [21, 21, 22, 22, PASSED, PASSED] and weight == pytest.approx([1, 1, 0.75, 0.75, 0.25, 0.25])
    assert made[1] == (list(range(6)), [11] * 6, [4] * 6) and payoff == pytest.approx([0.5] * 6)


# Handicaps, and the end of a fight


@pytest.mark.parametrize(("value", "found"), [
    (-5.0, (0, 0)), (0.0, (0, 0)), (0.5, (1, 1)), (1.0, (2, 4)), (1.5, (4.25, 4.25)), (3.0, (5, 5)), (9.0, (5, 5)),
])  # fmt: skip
def test_units_that_are_worth_so_much(value: float, found: tuple[float, float]) -> None:
    """0, 1, 1 and 3 with 0, 2, 4 and 5 units: level from 2 to 4; beyond its ends the curve tells them."""
    assert _units(value, [0, 2, 4, 5], np.array([0.0, 1.0, 1.0, 3.0])) == pytest.approx(found)


@pytest.mark.parametrize(("rule", "down", "told"), [
    (LimitResult.LOSSES, False, "standing first 2, second 1; count 7/9; wounds first 3, second 2"),
    (LimitResult.LOSSES, True, "standing first 2, second 0; count 7/9"),
    (LimitResult.DRAW, False, "standing first 2, second 1; count 7/9"),
])  # fmt: skip
def test_how_a_fight_ended(rule: LimitResult, down: bool, told: str) -> None:
    """Two stand against one and one who left; wounds count from the start on, and only where they may decide."""
    up, gone = int(fight.Status.UP), next(int(x) for x in fight.Status if x != fight.Status.UP)
    s = SimpleNamespace(
        team=[0, 1, 0, 1, 1], standing=[up, gone if down else up, up, gone, up], wounds=[4, 1, 2, 2, 50],
        start_wounds=[2, 1, 1, 0, 0], count=7,
    )  # fmt: skip
    p = SimpleNamespace(n=4, limit_result=int(rule), max_count=9)
    position = cast(Any, SimpleNamespace(record=s, game=SimpleNamespace(params=p)))
    red, blue = (SEAT_WORDS[team][0] for team in TEAMS)
    assert standing_text(position, "en") == told.replace("first", red).replace("second", blue)
