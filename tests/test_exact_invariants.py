"""What the check of positions finds when something is wrong with the cards, case by case."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.envs.einblatt.invariants import codes, lost_cards, problems, zones
from probespiel.envs.einblatt.state import CARD_CODES

A, B, C, D, E, F, G, H = (1 << i for i in range(8))


def table(wrath: int = 2, modules: tuple[str, ...] = ()) -> Any:
    """Two seats with a deck each, of the cards A to H and none; the third deck is that of wrath, of A and B."""
    n = 2
    s = SimpleNamespace(
        cards=np.array([A | B | C | D | E | F | G | H, 0, A | B]), draw=np.array([[A, B], [0, 0], [A, 0]]),
        disc=np.array([[C, D], [0, 0], [0, 0]]), deck_of=np.array([0, 1]), wrath=B, top=np.zeros((3, 2, 4), np.int64),
        top_n=np.zeros((3, 2), np.int64), shown=np.zeros(n, np.int64), unseen=np.zeros(n, np.int64),
        xp=np.zeros(n, np.int64), xp_free=np.zeros(n, np.int64), restr=np.zeros((n, 3), np.int64),
        perm=np.zeros((n, 3), np.int64), ep=np.zeros(n, np.int64), ep_set=np.zeros(n, np.int64),
        **{field: np.array([cards, 0]) for field, cards in (
            ("hand", E), ("conf", F), ("sleeve", G), ("aside", H), ("area", 0), ("looked", 0))},
    )  # fmt: skip
    seats = (SimpleNamespace(name="Ada"), SimpleNamespace(name="Bob"))
    game = SimpleNamespace(
        n_seats=n, capacity=2, seats=seats, params=SimpleNamespace(wrath_deck=wrath),
        spec=SimpleNamespace(options={"modules": dict.fromkeys(modules)}),
    )  # fmt: skip
    return cast(Any, SimpleNamespace(record=s, game=game))


def test_all_places_of_a_deck() -> None:
    position = table()
    position.record.looked[0] = A | E
    assert zones(position, 0) == [
        ("draw pile A", A), ("draw pile B", B), ("discard pile A", C), ("discard pile B", D), ("hand of Ada", E),
        ("conf of Ada", F), ("sleeve of Ada", G), ("aside of Ada", H), ("area of Ada", 0), ("looked of Ada", E),
    ]  # fmt: skip
    assert zones(position, 2)[-1] == ("wrath cards", B) and len(zones(position, 2)) == 5
    assert codes(A | C) == f"{CARD_CODES[0]} {CARD_CODES[2]}" and codes(1 << 31) == CARD_CODES[31]


def test_nothing_is_wrong_with_a_sound_table() -> None:
    assert list(problems(table())) == []
    assert list(lost_cards(table(wrath=-1))) == [], "the deck of wrath does not count where it is none"
    lost = table(wrath=-1)
    lost.record.cards[2] = A | B | C
    assert list(lost_cards(lost)) == []


@pytest.mark.parametrize(("field", "at", "value", "told"), [
    ("hand", 0, E | A, "the deck of Ada: {A} in hand of Ada and elsewhere as well"),
    ("hand", 0, 0, "the deck of Ada: {E} lost"),
    ("area", 0, 1 << 9, "the deck of Ada: {1 << 9} too many"),
    ("wrath", None, A, "the wrath deck: {A} in wrath cards and elsewhere as well"),
    ("wrath", None, 0, "the wrath deck: {B} lost"),
    ("shown", 0, E | C, "Ada shows cards that are not in its hand"),
    ("unseen", 0, C | D | A, "Ada has unseen discards that are not on a discard pile"),
    ("xp_free", 1, 1, "Bob has 1 of 0 experience points left"),
    ("xp_free", 1, -1, "Bob has -1 of 0 experience points left"),
    ("perm", 1, [0, 1, 0], "Bob has more permanent restriction points than restriction points"),
])  # fmt: skip
def test_what_is_wrong_is_told_alone(field: str, at: int | None, value: Any, told: str) -> None:
    position = table()
    if at is None:
        setattr(position.record, field, value)
    else:
        getattr(position.record, field)[at] = value
    for name, card in {"{A}": A, "{B}": B, "{E}": E, "{1 << 9}": 1 << 9}.items():
        told = told.replace(name, codes(card))
    found = list(problems(position))
    assert told in found and len(found) == 1 + ("lost" not in told and field == "wrath"), found


def test_what_is_just_allowed_is_no_problem() -> None:
    position = table()
    s = position.record
    s.shown[0], s.unseen[0], s.xp[1], s.xp_free[1] = E, C | D, 3, 3
    s.restr[1], s.perm[1], s.ep[:] = (1, 2, 0), (1, 0, 0), (8, -8)
    assert list(problems(position)) == []
    s.ep[:] = 9, -9
    assert list(problems(position)) == ["Ada has 9 EP", "Bob has -9 EP"], "3 a seat, and 2"


def test_a_sleeve_holds_one_card() -> None:
    position = table()
    position.record.sleeve[0], position.record.conf[0] = F | G, 0
    assert list(problems(position)) == ["Ada has more than one card in the sleeve"]


def test_restrictions_are_no_debts() -> None:
    position = table()
    position.record.restr[0], position.record.perm[0] = (0, -1, 0), (0, -2, 0)
    assert list(problems(position)) == ["Ada has negative restrictions [0, -1, 0]"]


@pytest.mark.parametrize(("modules", "ended", "wrong"), [((), 1, True), (("mercy",), 0, True), (("mercy",), 1, False)])
def test_results_add_up_to_nothing_unless_mercy_sets_them(modules: tuple[str, ...], ended: int, wrong: bool) -> None:
    position = table(modules=modules)
    position.record.ep[:], position.record.ep_set[0] = (2, -1), ended
    assert list(problems(position)) == (["EP [2, -1] do not add up to 0"] if wrong else [])


@pytest.mark.parametrize(("known", "wrong"), [([0], False), ([0, 0], True), ([4], True), ([], False)])
def test_known_top_cards_lie_in_their_pile_once(known: list[int], wrong: bool) -> None:
    position = table()
    position.record.top[0, 0, : len(known)], position.record.top_n[0, 0] = known, len(known)
    text = "the deck of Ada: a known top card is not in its pile, or known twice"
    assert list(problems(position)) == ([text] if wrong else [])
