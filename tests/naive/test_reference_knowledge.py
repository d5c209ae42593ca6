"""What a seat of the reference games may know: every observation piece against a book that each seat keeps itself.

The books are plain lists of what was dealt, said and shown; they know no record of the rules, only what fell and what
was decided.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.game import Position
from probespiel.envs.core.registry import make_game

Pieces = dict[str, np.ndarray]


def flags(shape: tuple[int, ...], *places: tuple[int, ...]) -> np.ndarray:
    """Ones at some places."""
    out = np.zeros(shape)
    for place in places:
        out[place] = 1
    return out


class Leduc:
    """A card each, bets, a public card, bets."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.deck, self.own, self.board = list(range(6)), list[int](), list[int]()
        self.moves: list[list[int]] = [[], []]

    def fell(self, outcome: int) -> None:
        card = self.deck.pop(outcome)
        (self.own if len(self.own) < 2 else self.board).append(card)

    def decided(self, choices: dict[int, int]) -> None:
        self.moves[len(self.board)] += choices.values()

    def pieces(self, seat: int) -> Pieces:
        said = [(street, i, move) for street in (0, 1) for i, move in enumerate(self.moves[street])]
        return {
            "card": flags((6,), (self.own[seat],)),
            "board": flags((6,), *((card,) for card in self.board)),
            "seat": flags((2,), (seat,)),
            "moves": flags((2, 4, 3), *said),
        }


class Goofspiel:
    """Point cards, sealed bids; the higher takes the card; hidden bids are never shown."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.n, self.hidden = options.get("cards", 13), options.get("hidden", True)
        self.order = options.get("points_order", "random")
        self.deck, self.prizes = list(range(self.n)), list[int]()
        self.bids: list[list[int]] = [[], []]
        if self.order != "random":
            self.turn_up(0)

    def turn_up(self, outcome: int) -> None:
        self.prizes.append(self.deck.pop(-1 if self.order == "descending" else outcome))

    def fell(self, outcome: int) -> None:
        self.turn_up(outcome)

    def decided(self, choices: dict[int, int]) -> None:
        for seat, card in choices.items():
            self.bids[seat].append(card)
        if self.order != "random" and self.deck:
            self.turn_up(0)

    def pieces(self, seat: int) -> Pieces:
        n, mine, theirs = self.n, self.bids[seat], self.bids[1 - seat]
        won = [2 if a == b else int(a < b) for a, b in zip(mine, theirs, strict=True)]
        got = [sum(card + 1 for card, w in zip(self.prizes, won, strict=False) if w == side) for side in (0, 1)]
        hands = [sorted(set(range(n)) - set(mine)), [] if self.hidden else sorted(set(range(n)) - set(theirs))]
        return {
            "seat": flags((2,), (seat,)),
            "hands": flags((2, n), *((side, card) for side in (0, 1) for card in hands[side])),
            "prize": flags((n,), *((card,) for card in self.prizes[len(mine) :])),
            "deck": flags((n,), *((card,) for card in self.deck)),
            "points": np.array(got) / (n * (n + 1) / 2),
            "prizes": flags((n, n), *((turn, self.prizes[turn]) for turn in range(len(mine)))),
            "won": flags((n, 3), *enumerate(won)),
            "bids": flags((n, n), *enumerate(mine)),
            "others": flags((n, n), *(() if self.hidden else enumerate(theirs))),
        }


class LiarsDice:
    """Dice under cups, rising bids, a doubt."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.dice, self.faces = options.get("dice", 1), options.get("faces", 6)
        self.thrown: list[int] = []
        self.bids: list[int] = []

    def fell(self, outcome: int) -> None:
        self.thrown.append(outcome)

    def decided(self, choices: dict[int, int]) -> None:
        self.bids += choices.values()

    def pieces(self, seat: int) -> Pieces:
        total = 2 * self.dice * self.faces
        own = self.thrown[seat * self.dice : (seat + 1) * self.dice]
        return {
            "seat": flags((2,), (seat,)),
            "dice": np.bincount(own, minlength=self.faces) / self.dice,
            "bids": flags((total,), *((bid,) for bid in self.bids)),
            "last": flags((total,), *((bid,) for bid in self.bids[-1:])),
            "doubted": np.zeros(1),
        }


CASES: list[tuple[str, Any, dict[str, Any]]] = [
    ("leduc", Leduc, {}),
    ("goofspiel", Goofspiel, {"cards": 5}),
    ("goofspiel", Goofspiel, {"cards": 4, "hidden": False}),
    ("goofspiel", Goofspiel, {"cards": 4, "points_order": "descending"}),
    ("liars_dice", LiarsDice, {}),
    ("liars_dice", LiarsDice, {"dice": 2, "faces": 3}),
]


def compare(position: Position, book: Any, where: str) -> None:
    for seat in position.to_act():
        seen = position.game.layout.view(position.observe(seat))
        expected = book.pieces(seat)
        assert set(seen) == set(expected)
        for name, value in expected.items():
            np.testing.assert_allclose(seen[name].reshape(value.shape), value, atol=1e-6, err_msg=f"{where}: {name}")


@pytest.mark.parametrize(("name", "kept", "options"), CASES)
def test_a_seat_knows_what_it_was_shown(name: str, kept: Any, options: dict[str, Any]) -> None:
    game = make_game(name, compiled=False, **options)
    for seed in range(30):
        rng, position, book = random.Random(seed), game.position(), kept(options)
        while not position.over:
            while faces := position.die():
                outcome = rng.randrange(faces)
                position.fall(outcome)
                book.fell(outcome)
            if position.over:
                break
            compare(position, book, f"{name} {options}, game {seed}")
            choices = {seat: rng.choice(position.legal(seat)) for seat in position.to_act()}
            for seat, action in choices.items():
                position.apply(seat, action)
            book.decided(choices)
