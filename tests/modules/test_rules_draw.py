"""About hands and piles: open_look, marked_cards, two_piles, table_redraw, full_hand, open_cards (R110..190)."""

from __future__ import annotations

from typing import Any

import pytest

from .script import refused, rounds, run, step

FOE = {"hand": "HJ S9 DA"}
PASSES = {"commit": "pass"}


# --- open_look ------------------------------------------------------------------------------------------------------


def test_open_look_fills_the_next_free_slot() -> None:
    """R110, R112, R114, A27: this round's slot, then later ones; no commit is asked; the card is in the area."""
    steps = [
        step("Ada", "before_commit", "open_play", phase="open_card"),
        step("Ada", "open_card", "C8", phase="exchange"),
        step("Ada", "exchange", "done", next="Foe", discard={"Ada": []}, hand={"Ada": ["H9", "D7", "SA"]}),
        step("Foe", "before_commit", "done", next="Ada"),
        step("Ada", "before_commit", "open_play"),
        step("Ada", "open_card", "H9"),
        step("Ada", "exchange", "D7", draw_count={"Ada": 2}),
        step("Ada", "exchange", "done", draw_count={"Ada": 1}, hand={"Ada": ["SA", "CK"]}, discard={"Ada": ["D7"]}),
        step("Foe", "before_commit", "done"),
        step("Ada", "before_commit", "done"),
        step("Foe", "before_commit", "done", next="Foe", phase="commit"),
        step("Foe", "commit", "HJ", ep={"Ada": 1}),
        step("Foe", "commit", "S9", ep={"Ada": 0}),
        *rounds("SA", "DA"),
    ]
    ada = {"hand": "C8 H9 D7 SA", "draw": "CK CQ"}
    auto = {"before_commit": "done"}
    run({"open_look": {}}, steps, ada, FOE, auto, ep={"Ada": 0}, discard={"Ada": ["C8", "H9", "D7", "SA", "CK"]})


def test_open_look_exchanges_no_more_than_the_pile_holds() -> None:
    """R110, R113, A26: the pile is renewed only after its last card; this is no short draw."""
    steps = [
        step("Ada", "before_commit", "open_play"),
        step("Ada", "open_card", "D7", legal=["card:C8", "card:H9", "card:SA", "done"]),
        step("Ada", "exchange", "C8"),
        step("Ada", "exchange", "H9", legal=["done"]),
        step("Ada", "exchange", "done", hand={"Ada": ["SA", "CK", "CQ"]}, draw_count={"Ada": 3}, king={"Ada": False}),
        step("Foe", "before_commit", "done", legal=["open_play", "done"], next="Ada"),
    ]
    ada = {"hand": "C8 H9 D7 SA", "draw": "CK CQ", "discard": "S7"}
    auto = {"before_commit": "done", "commit": "pass"}
    run({"open_look": {}, "full_hand": {}}, steps, ada, FOE, auto)


def test_open_look_needs_a_pile_a_slot_and_a_playable_card() -> None:
    """R111, R15."""
    empty = {"hand": "C8 H9", "draw": "", "discard": "S7"}
    config = {"reshuffle_timing": "on_demand"}
    first = step("Foe", "before_commit", "done")  # only Foe is asked: Ada has no option
    run({"open_look": {}}, [first], empty, FOE, PASSES, config=config, discard={"Ada": ["S7", "C8", "H9"]})
    red = {"hand": "D8 H9", "draw": "S8 S10", "forbidden": "red"}
    run({"open_look": {}}, [first], red, FOE, PASSES)
    mixed = {"hand": "D8 S7", "draw": "S8 S10", "forbidden": "red"}
    run(
        {"open_look": {}},
        [step("Ada", "before_commit", "open_play", legal=["card:S7"])],
        mixed,
        FOE,
        PASSES | {"open_card": "card:S7"},
    )


# --- marked_cards ---------------------------------------------------------------------------------------------------


def test_marked_cards_sees_what_there_is() -> None:
    """R120: fewer than prepared if the pile holds fewer, no reshuffle; the order of the rest stays known."""
    ada = {"attribute": 2, "draw": "H7 CA", "discard": "C9", "prepared": 4}
    steps = [step("Ada", "mark", "H7", look=["H7", "CA"]), step("Ada", "mark", "done", hand={"Ada": ["CA", "C9"]})]
    steps[1]["expect"] = {"phase": "commit"}
    run({"marked_cards": {}}, steps, ada, FOE, PASSES)


def test_marked_cards_may_empty_the_pile() -> None:
    """R120, R22: all thrown off, the discard pile is shuffled into a new pile."""
    ada = {"attribute": 2, "draw": "H7 H8", "discard": "C9", "prepared": 5}
    chance = {"chance": "reshuffle", "deck": "Ada", "order": ["H8", "C9", "H7"]}
    steps = [step("Ada", "mark", "H7"), step("Ada", "mark", "H8"), step("Ada", "mark", "done"), chance]
    run({"marked_cards": {}}, steps, ada, FOE, PASSES, discard={"Ada": ["H8", "C9"]}, draw={"Ada": ["H7"]})


def test_marked_cards_reorder() -> None:
    """A28: with `reorder` the rest goes back in an order of choice; `done` leaves the others as they are."""
    ada = {"attribute": 2, "draw": "H7 CA S8 C9 D10", "prepared": 4}
    steps = [
        step("Ada", "mark", "H7"),
        step("Ada", "mark", "done", phase="reorder", legal=["card:CA", "card:S8", "card:C9", "done"]),
        step("Ada", "reorder", "C9", legal=["card:CA", "card:S8", "done"]),
        step("Ada", "reorder", "S8", phase="commit"),
    ]
    run(
        {"marked_cards": {"reorder": True}},
        steps,
        ada,
        FOE,
        PASSES,
        discard={"Ada": ["H7", "C9", "S8"]},
        draw={"Ada": ["CA", "D10"]},
    )


def test_marked_cards_follow_two_piles() -> None:
    """R120: pile B is looked at if A is empty; thrown-off cards count as exchanged."""
    ada = {"attribute": 1, "draw": "", "draw_b": "H7 CA S8", "prepared": 2}
    steps = [
        step("Ada", "mark", "H7", look=["H7", "CA"]),
        step("Ada", "mark", "done", discard_b={"Ada": ["H7"]}, hand={"Ada": ["CA"]}),
    ]
    run({"marked_cards": {}, "two_piles": {}}, steps, ada, FOE, PASSES)


# --- two_piles ------------------------------------------------------------------------------------------------------

SORTED: list[tuple[dict[str, Any], list[str], list[str]]] = [
    ({"rule": "used_unused"}, ["C8", "H9", "DA"], ["CJ"]),
    ({"rule": "won_rest"}, ["C8"], ["H9", "DA", "CJ"]),
    ({"rule": "red_black"}, ["H9", "DA"], ["C8", "CJ"]),
    ({"rule": "pictures_numbers"}, ["DA", "CJ"], ["C8", "H9"]),
    ({"rule": "pictures_numbers", "ace_is_picture": False}, ["CJ"], ["C8", "H9", "DA"]),
]


@pytest.mark.parametrize(("params", "a", "b"), SORTED)
def test_two_piles_rules(params: dict[str, Any], a: list[str], b: list[str]) -> None:
    """R140."""
    steps = rounds("C8 H9 DA", "HJ S9 SA")
    foe = {"hand": "HJ S9 SA"}
    run({"two_piles": params}, steps, {"hand": "C8 H9 DA CJ"}, foe, discard={"Ada": a}, discard_b={"Ada": b})


def test_two_piles_free() -> None:
    """R140 `free`: the owner is asked card by card, in the order of play."""
    steps = [
        *rounds("H9 C8 DA", "S9 HJ SA", next="Ada", phase="sort", look=["H9"]),
        step("Ada", "sort", "pile:B", look=["C8"]),
        step("Ada", "sort", "pile:B", look=["DA"]),
        step("Ada", "sort", "pile:A", next="Foe", look=["S9"]),
        step("Foe", "sort", "pile:A"),
    ]
    run(
        {"two_piles": {"rule": "free"}},
        steps,
        {"hand": "C8 H9 DA"},
        {"hand": "HJ S9 SA"},
        auto={"sort": "pile:B"},
        discard={"Ada": ["DA"], "Foe": ["S9"]},
        discard_b={"Ada": ["C8", "H9"], "Foe": ["SA", "HJ"]},
    )


@pytest.mark.parametrize(("switch", "asked"), [(True, 3), (False, 1)])
def test_two_piles_choice(switch: bool, asked: int) -> None:
    """R142: card by card, or once for the whole draw; what a pile cannot give comes from the other."""
    ada = {"attribute": 4, "draw": "C7 C8 C9", "draw_b": "H7 H8"}
    picks = [step("Ada", "pick_pile", "pile:B"), step("Ada", "pick_pile", "pile:A"), step("Ada", "pick_pile", "pile:B")]
    left = {"draw": {"Ada": ["C9"]}, "draw_b": {"Ada": []}}
    if not switch:
        picks[0]["expect"] = {"hand": {"Ada": ["H7", "H8", "C7", "C8"]}, **left}
    else:
        picks[2]["expect"] = {"hand": {"Ada": ["H7", "C7", "H8", "C8"]}, **left}
    run({"two_piles": {"switch": switch}}, picks[:asked], ada, FOE, PASSES)


def test_two_piles_renewed_when_both_are_empty() -> None:
    """R141: one pile left is not yet the end; both discard piles are shuffled apart."""
    ada = {"attribute": 2, "draw": "C7", "draw_b": "H7", "discard": "S7 S8", "discard_b": "D7"}
    steps = [step("Ada", "pick_pile", "pile:A", draw_count={"Ada": 3})]
    run(
        {"two_piles": {}},
        steps,
        ada,
        FOE,
        PASSES,
        draw={"Ada": ["S7", "S8"]},
        draw_b={"Ada": ["D7"]},
        discard_b={"Ada": ["C7", "H7"]},
    )


# --- table_redraw ---------------------------------------------------------------------------------------------------


def test_table_redraw_once_and_before_the_first_commit() -> None:
    """R150, A31: `any_round` offers it later as well; a single card is replaced by none."""
    ada = {"hand": "H7 H8 H9", "draw": "CA CK CQ CJ"}
    later = {"after_draw": "done"} | PASSES
    none = [*rounds("H7", "HJ", phase="commit")]
    run({"table_redraw": {}}, none, ada, FOE, later)
    steps = [
        step("Ada", "after_draw", "done"),
        *rounds("H7", "HJ", phase="before_commit"),
        step("Ada", "before_commit", "table_redraw", hand={"Ada": ["CA"]}, discard={"Ada": ["H8", "H9"]}),
    ]
    auto = {"after_draw": "done", "before_commit": "done", "commit": "pass"}
    run({"table_redraw": {"when": "any_round"}}, steps, ada, FOE, auto, draw_count={"Ada": 3})
    single = [step("Ada", "after_draw", "table_redraw", hand={"Ada": []}, next="Foe")]
    run({"table_redraw": {}}, single, {"hand": "H7", "draw": "CA"}, FOE, auto, draw_count={"Ada": 1})


def test_table_redraw_in_window_order() -> None:
    """A42: the seats are asked in `window_order`, and again after an option was taken."""
    ada = {"hand": "H7 H8 H9", "draw": "CA CK CQ CJ"}
    steps = [
        step("Foe", "after_draw", "table_redraw", next="Ada"),
        step("Ada", "after_draw", "table_redraw", phase="commit"),
    ]
    run({"table_redraw": {}}, steps, ada, {**FOE, "draw": "SA SK SQ"}, PASSES, config={"window_order": "reverse"})
    steps.reverse()
    steps[0]["expect"], steps[1]["expect"] = {"next": "Foe"}, {"phase": "commit"}
    run(
        {"table_redraw": {}},
        steps,
        {**ada, "attribute": 9},
        {**FOE, "draw": "SA SK SQ"},
        PASSES,
        config={"window_order": "attribute"},
    )


# --- full_hand ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "config", "ep"),
    [({}, {}, 1), ({"suits": ""}, {}, -1), ({"suits": "CD"}, {}, 1), ({}, {"colours_count": False}, -1)],
)
def test_king_slot_class(fields: dict[str, Any], config: dict[str, Any], ep: int) -> None:
    """R171, A33: king of a trump suit, but plain without a suit or where colours do not count. The foe plays an ace."""
    ada = {"attribute": 4, "draw": "H7", **fields}
    steps = [step("Ada", "commit", "king_slot"), step("Foe", "commit", "DA", ep={"Ada": ep}, king={"Ada": False})]
    run({"full_hand": {}}, steps, ada, FOE, PASSES, config=config)


def test_king_slot_once_and_not_after_a_full_draw() -> None:
    """R170..R172: a pile that is empty already is replaced first; a further free slot is a pass."""
    ada = {"attribute": 3, "draw": "", "discard": "C7 C8 C9"}
    steps = [refused("Ada", "commit", "king_slot")]
    run({"full_hand": {}}, steps, ada, FOE, PASSES)
    ada = {"attribute": 3, "draw": "", "discard": "C7 C8"}
    steps = [
        step("Ada", "commit", "king_slot"),
        step("Foe", "commit", "HJ", legal=["card:C7", "card:C8", "pass"]),
        refused("Ada", "commit", "king_slot"),
    ]
    run({"full_hand": {}}, steps, ada, FOE, PASSES)


def test_king_slot_acts_in_a_melee() -> None:
    """R171: it is open like a card, can attack, and leaves nothing to discard."""
    steps = [
        step("Ada", "commit", "king_slot"),
        step("Foe", "commit", "HJ", next="Ada", phase="act", order=[["Ada"], ["Foe"]]),
        step("Ada", "act", "attack:Foe", discard={"Ada": ["C7"], "Foe": ["HJ", "S9", "DA"]}),
    ]
    run(
        {"full_hand": {}},
        steps,
        {"attribute": 3, "draw": "C7"},
        FOE,
        level="melee",
        config={"rounds": 1},
        ep={"Ada": 1},
    )


def test_full_hand_by_table_redraw() -> None:
    """R173: table_redraw and xp_redraw may bring it about, xp_extra may not."""
    ada = {"attribute": 4, "draw": "C7 C8 C9 D7 CA", "xp": 9}
    short = {"hand": {"Ada": ["CA"]}, "king": {"Ada": True}}
    steps = [step("Ada", "after_draw", "table_redraw", draw_count={"Ada": 4}, next="Foe", **short)]
    auto = {"after_draw": "done", **PASSES}
    run({"full_hand": {}, "table_redraw": {}}, steps, ada, FOE, auto)
    steps = [step("Ada", "after_draw", "xp_redraw", xp_free={"Ada": 6}, **short)]
    run({"full_hand": {}, "experience": {}}, steps, ada, FOE, {**auto, "before_commit": "done"})
    ada = {"attribute": 4, "draw": "C7 C8 C9 D7", "xp": 9}
    steps = [step("Ada", "after_draw", "xp_extra", king={"Ada": False})]
    run({"full_hand": {}, "experience": {}}, steps, {**ada, "discard": "S7"}, FOE, {**auto, "before_commit": "done"})


def test_full_hand_is_void_where_every_test_is_drawn_from_a_full_deck() -> None:
    """R24: with `each_test` there is no short draw to speak of."""
    ada = {"attribute": 3, "draw": "C7", "discard": "C8"}
    steps = [step("Ada", "commit", "pass", king={"Ada": False})]
    run({"full_hand": {}}, steps, ada, FOE, PASSES, config={"reshuffle": "each_test"})


# --- open_cards -----------------------------------------------------------------------------------------------------


def test_open_cards_before_anybody_else() -> None:
    """R190, A36: all n plays first, passing openly is allowed; never more than there are rounds."""
    ada = {"hand": "CA H9 D7", "open": 3}
    steps = [
        step("Ada", "open_commit", "pass", next="Ada", phase="open_commit"),
        step("Ada", "open_commit", "CA", next="Foe", phase="commit"),
        step("Foe", "commit", "HJ", ep={"Ada": -1}),
    ]
    run({"open_cards": {}}, steps, ada, FOE, PASSES, config={"rounds": 2}, ep={"Ada": 0})


def test_open_cards_in_seat_order_and_with_the_king_slot() -> None:
    """R190: handicapped seats in seat order; `king_slot` as in a commit; open slots are not free for open_look."""
    ada = {"attribute": 3, "draw": "C7 S8", "open": 1}
    steps = [
        step("Ada", "open_commit", "king_slot", next="Foe", phase="open_commit"),
        step("Foe", "open_commit", "S9", next="Ada", phase="commit"),
        *rounds("C7", "DA", ep={"Ada": 2}),
    ]
    steps[1]["expect"] = {"phase": "commit"}
    run({"open_cards": {}, "full_hand": {}}, steps, ada, {**FOE, "open": 1}, PASSES, config={"rounds": 2})
