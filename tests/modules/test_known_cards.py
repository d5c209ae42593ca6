"""What rule modules show of hidden cards, by hand: draws, exchanges, reveals on a deck that both seats share (4.7)."""

from __future__ import annotations

from typing import Any

import numpy as np

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
