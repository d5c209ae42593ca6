"""What rule modules show of hidden cards, by hand: draws, exchanges, reveals on a deck that both seats share (4.7)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.game import Game, Position
from probespiel.envs.einblatt.system import SYSTEM
from tests.naive.einblatt_cards import card_id

FOE = "SK S8"


def deal(modules: dict[str, Any], hand: str, foe: str, draw: str, more: dict[str, Any], **config: Any) -> Position:
    """A duel of two npcs on one deck, whose cards lie as the codes say."""
    seats: list[dict[str, Any]] = [
        {"name": name, "kind": "npc", "cards": len(codes.split()), "suits": "", "hand": codes.split()}
        for name, codes in (("A", hand), ("B", foe))
    ]
    seats[0] |= {"draw": draw.split(), **more}
    config = {"deck": "shared_all", **config}
    setup = {"level": "duel", "config": config, "modules": modules, "seats": seats}
    return Game(SYSTEM.spec_of_setup(setup), compiled=False).position()


def take(position: Position, *actions: str, seat: int = 0) -> None:
    """Actions of a seat, one after the other."""
    for action in actions:
        position.apply(seat, position.game.actions.parse(action))


def ids(codes: str) -> set[int]:
    return {card_id(code) for code in codes.split()}


def flags(row: np.ndarray) -> set[int]:
    return {int(card) for card in np.flatnonzero(row)}


def sees(position: Position, seat: int, draw: str, discard: str, played: str, **own: str) -> None:
    """What may lie on the draw pile for `seat`, what does on the discard pile, A's open cards, and own pieces."""
    view = position.game.layout.view(position.observe(seat))
    assert flags(view["draw_set"][0]) == ids(draw)
    assert flags(view["discard_set"][0]) == ids(discard)
    assert flags(view["played"][0]) == ids(played)
    assert flags(view["seen"][0]) == ids(played) | flags(view["played"][1])
    for name, codes in own.items():
        assert flags(view[name]) == ids(codes)


def test_a_hand_thrown_open_is_known_and_the_new_one_is_not() -> None:
    """table_redraw, R150: both know the old hand; the card drawn instead may still lie on the pile for B."""
    position = deal({"table_redraw": {}}, "C7 C8", FOE, "D7 D8 D9", {})
    sees(position, 1, "C7 C8 D7 D8 D9", "", "")
    take(position, "table_redraw")
    position.fall(0)
    sees(position, 0, "SK S8 D8 D9", "C7 C8", "C7 C8", hand="D7")
    sees(position, 1, "D7 D8 D9", "C7 C8", "C7 C8", hand=FOE)


def test_who_lays_a_card_open_exchanges_others_unseen() -> None:
    """open_look, R110: B sees the card that is laid, neither what is thrown off nor what is drawn."""
    position = deal({"open_look": {}}, "C8 D7 SA", FOE, "H7 H8 H9", {})
    take(position, "open_play", "card:C8", "card:D7", "done")
    position.fall(0)
    sees(position, 0, "SK S8 H8 H9", "D7", "C8", hand="SA H7")
    sees(position, 1, "D7 SA H7 H8 H9", "", "C8", hand=FOE)


def test_a_card_in_the_sleeve_may_lie_anywhere_for_others() -> None:
    """sleeve, R160: B learns that there is one, not which."""
    position = deal({"sleeve": {}}, "C8 D7 SA CA", FOE, "H7 H8", {})
    take(position, "sleeve_stash", "card:SA")
    sees(position, 0, "SK S8 H7 H8", "", "", hand="C8 D7 CA", sleeve="SA")
    sees(position, 1, "C8 D7 SA CA H7 H8", "", "", hand=FOE, sleeve="")
    rows = position.game.layout.view(position.observe(1))["seat"]
    assert rows[:, 21].tolist() == [1, 0]


def test_the_card_that_is_turned_over_lies_open() -> None:
    """swap_card, R100: both see it before it is known what it replaces."""
    position = deal({"swap_card": {"who": "all"}}, "C7", "SK", "H7 H8 H9", {}, rounds=1)
    take(position, "card:C7")
    take(position, "card:SK", seat=1)
    take(position, "swap")
    position.fall(0)
    for seat in range(2):
        sees(position, seat, "H8 H9", "", "C7 H7", hand="")


def test_only_who_prepared_sees_the_cards_on_top() -> None:
    """marked_cards, R120: B sees neither what was looked at nor what was thrown off."""
    position = deal({"marked_cards": {}}, "C7", FOE, "H7 H8 H9", {"prepared": 2})
    position.fall(0)
    position.fall(0)
    assert position.phase() == "mark"
    sees(position, 0, "H7 H8 H9", "", "", looked="H7 H8")
    sees(position, 1, "H7 H8 H9", "", "", looked="")
    take(position, "card:H7", "done")
    sees(position, 0, "SK S8 H8 H9", "H7", "", hand="C7")
    sees(position, 1, "C7 H7 H8 H9", "", "", looked="")


def test_further_cards_of_a_drawn_duel_lie_open() -> None:
    """after_card, R130."""
    position = deal({"after_card": {}}, "C7 D9", "S7 SK", "H7", {}, rounds=1)
    take(position, "card:C7")
    take(position, "card:S7", seat=1)
    take(position, "after_card", "card:D9")
    assert position.phase() == "answer"
    sees(position, 0, "SK H7", "", "C7 D9", hand="")
    sees(position, 1, "H7", "", "C7 D9", hand="SK")


def test_who_lays_its_plays_openly_shows_nothing_else() -> None:
    """open_cards, R190: B sees the card of the first round, not the two that stay in hand."""
    position = deal({"open_cards": {}}, "C8 D7 SA", FOE, "H7 H8", {"open": 1})
    sees(position, 1, "C8 D7 SA H7 H8", "", "", hand=FOE)
    take(position, "card:D7")
    assert position.phase() == "commit"
    sees(position, 0, "SK S8 H7 H8", "", "D7", hand="C8 SA")
    sees(position, 1, "C8 SA H7 H8", "", "D7", hand=FOE)


def test_a_card_out_of_the_sleeve_lies_open() -> None:
    """sleeve, R161: what was in it is known when it is laid, neither before nor when it is to be laid."""
    position = deal({"sleeve": {}}, "C8 D7", FOE, "H7 H8", {"sleeve": "SA"})
    take(position, "card:C8")
    take(position, "card:SK", seat=1)
    take(position, "sleeve_use")
    assert position.phase() == "replace"
    sees(position, 1, "D7 SA H7 H8", "", "C8", hand="S8", sleeve="")
    take(position, "card:C8")
    sees(position, 0, "S8 H7 H8", "C8", "C8 SA", hand="D7", sleeve="")
    sees(position, 1, "D7 H7 H8", "C8", "C8 SA", hand="S8")
    assert position.game.layout.view(position.observe(1))["seat"][:, 21].tolist() == [0, 0]


def test_mercy_shows_what_comes_and_not_what_goes() -> None:
    """mercy, R201, R208: three cards are turned over; which hand card one of them replaces B does not see.

    Wrath cards of a common deck may lie in its pile as far as either knows; how many there are is public.
    """
    rule = {"timing": "after_draw", "who": "all", "deck": "npc"}
    seats: list[dict[str, Any]] = [
        {"name": name, "kind": "npc", "cards": 2, "suits": "", "hand": hand.split(), **more}
        for name, hand, more in (("A", "C8 D7", {"draw": ["H7", "H8", "H9", "HJ", "CA"]}), ("B", FOE, {}))
    ]
    setup = {
        "level": "duel", "config": {"deck": "shared_all"}, "modules": {"mercy": rule}, "seats": seats,
        "wrath": {"cards": ["DA", "DK"]},
    }  # fmt: skip
    position = Game(SYSTEM.spec_of_setup(setup), compiled=False).position()
    sees(position, 1, "C8 D7 H7 H8 H9 HJ CA DA DK", "", "", hand=FOE)
    take(position, "mercy")
    for _ in range(3):
        position.fall(0)  # CA, H7, H8
    sees(position, 0, "SK S8 H9 HJ DA DK", "", "CA H7 H8", hand="C8 D7", looked="CA H7 H8")
    sees(position, 1, "C8 D7 H9 HJ DA DK", "", "CA H7 H8", hand=FOE, looked="")
    take(position, "card:C8", "no")
    sees(position, 0, "SK S8 H9 HJ DA DK", "C8 H7", "CA H7 H8", hand="CA D7")
    sees(position, 1, "C8 D7 H9 HJ DA DK", "H7", "CA H7 H8", hand=FOE)
    assert [round(float(position.game.layout.view(position.observe(s))["wrath"][0] * 32)) for s in (0, 1)] == [2, 2]


def test_a_confidence_hand_is_hidden_until_a_card_of_it_is_revealed() -> None:
    """confidence, R221, R222: sealed, or face down in layout slots, it shows neither itself nor where it came from."""
    own = {"conf_value": 3, "traits": 1, "conf": ["SA", "C9"]}
    position = deal({"confidence": {}}, "C8 D7", FOE, "H7 H8", own)
    sees(position, 0, "SK S8 H7 H8", "", "", hand="C8 D7", conf="SA C9")
    take(position, "card:SA")
    sees(position, 1, "C8 D7 SA C9 H7 H8", "", "", hand=FOE, conf="")
    take(position, "card:SK", seat=1)
    sees(position, 0, "S8 H7 H8", "", "SA", hand="C8 D7", conf="C9")
    sees(position, 1, "C8 D7 C9 H7 H8", "", "SA", hand="S8")
    told: list[Any] = []
    for card in ("card:SA", "card:C8"):
        position = deal({"confidence": {}}, "C8 D7", FOE, "H7 H8", own, layout="slots", rounds=2)
        take(position, card)
        told.append([*position.observe(1), position.key(1)])
        sees(position, 1, "C8 D7 SA C9 H7 H8", "", "", hand=FOE)
    assert told[0] == told[1]


@pytest.mark.parametrize("layout", ["rounds", "slots"])
def test_that_a_free_slot_is_a_king_is_hidden_until_the_reveal(layout: str) -> None:
    """full_hand, R170, R171: all know of the short draw; not whether the slot that was left free is the king."""
    seats = [
        {"name": "A", "kind": "npc", "cards": 3, "suits": "", "draw": ["C8", "D7"]},
        {"name": "B", "kind": "npc", "cards": 2, "suits": "", "hand": FOE.split()},
    ]
    config = {"deck": "shared_all", "layout": layout, "rounds": 2}
    setup = {"level": "duel", "config": config, "modules": {"full_hand": {}}, "seats": seats}
    game, told = Game(SYSTEM.spec_of_setup(setup), compiled=False), list[Any]()
    for play in ("king_slot", "card:C8", "pass"):
        position = game.position()
        position.fall(0)
        position.fall(0)
        sees(position, 0, "", "", "", hand="C8 D7")
        sees(position, 1, "", "", "", hand=FOE)
        assert game.layout.view(position.observe(1))["seat"][:, 24].tolist() == [1, 0]
        take(position, play, *(["card:D7"] if layout == "slots" else []))
        told.append([*position.observe(1), position.key(1)])
    assert told[0] == told[1] == told[2]


def test_two_piles_of_a_common_deck_cannot_be_told_apart() -> None:
    """two_piles, R140..R142: from which pile one draws is public, what lies on which is not; nor what is sorted."""
    seats = [
        {"name": "A", "kind": "npc", "cards": 2, "suits": "", "draw": ["C8", "D7"], "draw_b": ["H7", "H9"]},
        {"name": "B", "kind": "npc", "cards": 2, "suits": "", "hand": FOE.split()},
    ]
    config = {"deck": "shared_all", "rounds": 1}
    setup = {"level": "duel", "config": config, "modules": {"two_piles": {"rule": "free"}}, "seats": seats}
    position = Game(SYSTEM.spec_of_setup(setup), compiled=False).position()

    def piles(seat: int, draw: str, first: str, second: str, looked: str = "") -> None:
        view = position.game.layout.view(position.observe(seat))
        assert [flags(row) for row in view["draw_set"]] == [ids(draw)] * 2
        assert [flags(row) for row in view["discard_set"]] == [ids(first), ids(second)]
        assert flags(view["looked"]) == ids(looked)

    take(position, "pile:B")
    position.fall(0)  # H7
    piles(0, "C8 D7 H9", "", "")
    piles(1, "C8 D7 H7 H9", "", "")
    take(position, "pile:A")
    position.fall(0)  # C8
    take(position, "card:C8")
    take(position, "card:SK", seat=1)
    piles(0, "S8 D7 H9", "C8 SK", "", looked="C8")  # onto A until each is asked
    piles(1, "D7 H7 H9", "C8 SK", "")
    take(position, "pile:A")
    take(position, "pile:B", seat=1)
    assert (position.phase(), position.to_act()) == ("sort", [0])
    piles(0, "S8 D7 H9", "C8 H7", "SK", looked="H7")
    piles(1, "D7 H7 H9", "C8 S8", "SK")
    counts = [position.game.layout.view(position.observe(seat))["seat"][:, 6] * 32 for seat in (0, 1)]
    assert [row.round().tolist() for row in counts] == [[4, 4]] * 2
