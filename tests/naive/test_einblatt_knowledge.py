"""What a seat of einBlatt may know: observations and histories of the kernel against the oracle's bookkeeper (4.7)."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.game import Game, Position
from probespiel.envs.einblatt.system import SYSTEM
from tests.naive.einblatt_cards import card_id
from tests.naive.einblatt_knowledge import WatchedEinblatt
from tests.test_oracle import valid_setup


def secretive(rng: random.Random) -> dict[str, Any]:
    """A random setup in which secrets matter: shared decks, hidden trumps, cards that return, several tests."""
    while len((setup := valid_setup(rng))["seats"]) > 4:
        pass
    config = setup["config"]
    config["npc_trump_hidden"] = rng.random() < 0.6
    config["discard_visibility"] = rng.choice(("hidden", "hidden", "public"))
    if rng.random() < 0.4:
        config["unused_round_card"] = "return"
    if rng.random() < 0.5 and sum(seat.get("cards", 0) for seat in setup["seats"]) <= 32:
        config["deck"] = rng.choice(("shared_all", "shared_npc"))
    return setup


def cards(flags: np.ndarray) -> set[int]:
    return {int(c) for c in np.flatnonzero(flags)}


def compare_knowledge(position: Position, naive: WatchedEinblatt, seat: int, where: str) -> None:
    """Every piece that the book knows, as the seat sees it."""
    n = position.game.n_seats
    seen = position.game.layout.view(position.observe(seat))
    book = naive.pieces(seat)
    rows = seen["seat"]
    ours: dict[str, Any] = {
        "hand": cards(seen["hand"]),
        "draw_set": cards(seen["draw_set"][0]),
        "discard_set": cards(seen["discard_set"][0]),
        "played": [cards(row) for row in seen["played"]],
        "seen": [cards(row) for row in seen["seen"]],
        "hands": [round(float(x) * 32) for x in rows[:, 4]],
        "draws": [round(float(x) * 32) for x in rows[:, 5]],
        "discards": [round(float(x) * 32) for x in rows[:, 6]],
        "net": np.rint(seen["net"] * 3).astype(int).tolist(),
        "trumps": rows[:, 17:21].tolist(),
        "slots_open": [[int(np.argmax(slot)) for slot in row if slot.any()] for row in seen["slots_open"]],
        "classes": [round(float(x) * 15) for x in rows[:, 16]],
        "focus": next(iter(cards(seen["focus"][:32])), None),
        "attacker": next(iter(cards(seen["focus"][32 : 32 + n])), None),
    }
    book["net"] = np.clip(book["net"], -3, 3).tolist()
    assert not seen["draw_set"][1].any() and not seen["discard_set"][1].any()
    for name, value in book.items():
        assert ours[name] == value, f"{name} of seat {seat} at {where}"


def interpreted(setup: dict[str, Any]) -> Game:
    return Game(SYSTEM.spec_of_setup(setup), compiled=False)


def play(
    setup: dict[str, Any], game: Game, rng: random.Random, lives: dict[tuple[int, str], int] | None = None
) -> None:
    """One random game on both, what a seat may know compared at every decision; or `lives` gathers keys by lives."""
    naive, position = WatchedEinblatt(setup), game.position()
    own: list[list[str]] = [[] for _ in setup["seats"]]
    step = 0
    while (request := naive.pending())[0] != "over":
        kind, asked = request
        if kind == "chance":
            outcome = rng.randrange(position.die())
            naive.fall(outcome)
            position.fall(outcome)
            continue
        if lives is None:
            compare_knowledge(position, naive, rng.randrange(len(setup["seats"])), f"step {step} of {setup}")
        else:
            for seat in asked:
                lived = (seat, f"{naive.lived[seat]} {own[seat]}")
                assert lives.setdefault(lived, position.key(seat)) == position.key(seat), lived
        seat = rng.choice(sorted(asked))
        action = rng.choice(asked[seat])
        own[seat].append(action)
        naive.act(seat, action)
        position.apply(seat, position.game.actions.parse(action))
        step += 1


def test_observations_hold_what_the_book_says() -> None:
    """4.4, 4.7, A18, A19, over all levels and options."""
    rng = random.Random(31)
    for _ in range(18):
        setup = secretive(rng)
        play(setup, interpreted(setup), rng)


def npc(name: str, hand: str, suits: str = "") -> dict[str, Any]:
    codes = hand.split()
    return {"name": name, "kind": "npc", "cards": len(codes), "suits": suits, "hand": codes}


@pytest.mark.parametrize("layout", ["rounds", "slots"])
@pytest.mark.parametrize(
    ("plays", "known"),
    [
        ("H7 S7", [0.5, 0.5, 0.5, 1]),  # the seven wins where a plain one would tie
        ("H9 SK", [0.5, 0.5, 0.5, 1]),  # the nine wins where a plain one would lose
        ("C9 S9", [0, 0.5, 0.5, 0.5]),  # a tie: as trump the nine would have won
        ("C9 SK", [0, 0.5, 0.5, 0.5]),  # lost: as trump it would have won
        ("CA S7", [0.5, 0.5, 0.5, 0.5]),  # an ace wins anyway
        ("HA S7", [0.5, 0.5, 0.5, 0.5]),
    ],
)
def test_comparisons_that_tell_a_trump(plays: str, known: list[float], layout: str) -> None:
    """A18: whether suit s is trump is public once a comparison comes out otherwise than it would in the other case."""
    config = {"npc_trump_hidden": True, "layout": layout, "max_tests": 2, "rounds": 1}
    seats = [npc(name, card, suits) for name, card, suits in zip("AB", plays.split(), ("H", ""))]
    game = interpreted({"level": "duel", "config": config, "seats": seats})
    position = game.position()
    for seat, card in enumerate(plays.split()):
        position.apply(seat, game.actions.parse(f"card:{card}"))
    assert position.phase() == "continue"
    rows = [game.layout.view(position.observe(seat))["seat"] for seat in range(2)]
    assert rows[1][0, 17:21].tolist() == known
    assert rows[0][0, 17:21].tolist() == [0, 0, 0, 1]  # its own are no secret to it
    card = card_id(plays.split()[0])
    for row, told in zip(rows, (float(card // 8 == 3), float(known[card // 8] == 1))):
        assert round(float(row[0, 16]) * 15) == card % 8 + 8 * told  # hidden suits of the others count as plain


def test_equal_lives_have_equal_keys_and_others_others() -> None:
    """Perfect recall (4.4): a history's key depends on what the seat saw and did, and on all of it."""
    rng = random.Random(5)
    for number in range(5):
        seats = [npc("A", "H7 H8", "H"), npc("B", "S7 S8")]
        for seat in seats:
            del seat["hand"]
        draws = [["H7", "H8", "C9"], ["S7", "S8", "D7"]]
        setup: dict[str, Any] = {
            "level": "melee" if number % 2 else "duel",
            "config": {"npc_trump_hidden": number > 2, "rounds": 1 + number % 2, "max_tests": 2, "continue_by": "all"},
            "seats": [{**seat, "draw": draw} for seat, draw in zip(seats, draws)],
        }
        game, lives = interpreted(setup), {}
        for _ in range(25):
            play(setup, game, rng, lives)
        assert len(set(lives.values())) == len(lives) > 20


def test_a_card_seen_in_public_stays_seen() -> None:
    """A19: the others know that a card which they saw go back to a hand lies on the pile when the hand is discarded."""
    seats = [npc("A", "CA C7"), npc("B", "SK S8")]
    config = {"unused_round_card": "return", "max_tests": 2, "rounds": 1, "continue_by": "any", "deck": "shared_all"}
    position = interpreted({"level": "melee", "config": config, "seats": seats}).position()
    parse = position.game.actions.parse
    for seat, code in ((0, "card:CA"), (1, "card:SK"), (0, "wait"), (1, "wait")):
        position.apply(seat, parse(code))
    assert position.phase() == "continue"
    view = position.game.layout.view(position.observe(1))
    assert card_id("CA") not in cards(view["draw_set"][0])  # it lies in the hand of A, as everybody saw
    assert card_id("C7") in cards(view["draw_set"][0])
    position.apply(0, parse("yes"))
    position.apply(1, parse("yes"))
    view = position.game.layout.view(position.observe(1))
    assert card_id("CA") in cards(view["discard_set"][0]) and card_id("C7") not in cards(view["discard_set"][0])


def test_what_lies_open_is_seen_beyond_a_reshuffle() -> None:
    """4.7, `seen`: cards then lying open included, as those that went back to a hand before all eyes."""
    config = {"unused_round_card": "return", "reshuffle": "each_test", "continuation_draw": "top_up", "rounds": 1}
    setup = {"level": "melee", "config": {**config, "max_tests": 2}, "seats": [npc("A", "CA C7"), npc("B", "SK S8")]}
    position = interpreted(setup).position()
    parse = position.game.actions.parse
    for seat, code in ((0, "card:CA"), (1, "card:SK"), (0, "wait"), (1, "wait"), (0, "yes"), (1, "yes")):
        position.apply(seat, parse(code))
    assert position.phase() == "commit" and position.die() == 0
    for seat in range(2):
        seen = position.game.layout.view(position.observe(seat))["seen"]
        assert [cards(row) for row in seen] == [{card_id("CA")}, {card_id("SK")}]


def test_what_was_discarded_unseen_is_forgotten_with_its_pile() -> None:
    """R22, A19: a card that comes back with the reshuffled pile and is then played lies on the next one for all."""
    seats = [npc("A", "C7 C8"), npc("B", "S7")]
    seats[0]["draw"] = ["D7"]
    config = {"deck": "shared_all", "rounds": 1, "max_tests": 3, "continue_by": "any"}
    position = interpreted({"level": "duel", "config": config, "seats": seats}).position()
    parse = position.game.actions.parse

    def play_on(*codes: str) -> None:
        for number, code in enumerate(codes):
            position.apply(number % 2, parse(code))

    play_on("card:C8", "card:S7", "yes", "no")
    position.fall(0)  # A draws D7, the last one; C7, C8 and S7 are shuffled
    position.fall(1)  # A draws C8
    position.fall(0)  # B draws C7, which A had discarded unseen
    play_on("card:C8", "card:C7")
    assert position.phase() == "continue"
    for seat in range(2):
        view = position.game.layout.view(position.observe(seat))
        assert {card_id("C7"), card_id("C8")} == cards(view["discard_set"][0])


def test_the_price_of_disobedience_lies_open() -> None:
    """R63, 4.4: everybody sees which card the leader pays, and knows it on the common pile."""
    seats = [npc("L", "C9 H7 SA"), npc("F", "CK CQ"), npc("E", "C7")]
    for seat in seats[:2]:
        seat["team"] = "x"
    config = {"deck": "shared_all", "leaders": {"x": "L"}}
    position = interpreted({"level": "melee", "config": config, "seats": seats}).position()
    parse = position.game.actions.parse
    for seat, code in ((0, "card:C9"), (1, "card:CK"), (2, "card:C7"), (0, "attack:2"), (1, "wait")):
        position.apply(seat, parse(code))
    for seat in (1, 2):
        view = position.game.layout.view(position.observe(seat))
        assert card_id("SA") in cards(view["discard_set"][0]) & cards(view["played"][0])
        assert card_id("SA") not in cards(view["draw_set"][0])


def test_nothing_can_lie_in_an_empty_pile() -> None:
    """4.7: how many cards a pile holds is public."""
    seats = [npc("A", "C7 C8"), npc("B", "S7")]
    seats[0]["draw"] = []
    position = interpreted({"level": "duel", "config": {"deck": "shared_all"}, "seats": seats}).position()
    for seat in range(2):
        assert not position.game.layout.view(position.observe(seat))["draw_set"].any()


def test_in_a_melee_every_card_that_is_shown_tells_its_suit() -> None:
    """A18: the round card as soon as it lies open, a reaction as well."""
    seats = [npc("A", "CA HK", "H"), npc("B", "S7"), npc("C", "C9")]
    config = {"npc_trump_hidden": True}
    position = interpreted({"level": "melee", "config": config, "seats": seats}).position()
    parse = position.game.actions.parse

    def told() -> list[float]:
        return position.game.layout.view(position.observe(1))["seat"][0, 17:21].tolist()

    assert told() == [0.5, 0.5, 0.5, 0.5]
    for seat, code in ((0, "card:CA"), (1, "card:S7"), (2, "card:C9"), (0, "attack:2")):
        position.apply(seat, parse(code))
    assert told() == [0, 0.5, 0.5, 0.5]
    position.apply(1, parse("attack:0"))
    assert position.phase() == "react"
    position.apply(0, parse("card:HK"))
    assert told() == [0, 0.5, 0.5, 1]
