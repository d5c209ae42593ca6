"""What may happen after a reveal or a test: swap_card, all_in, after_card, sleeve, mercy (R100..102, R130..209)."""

from __future__ import annotations

from typing import Any

import pytest

from .script import refused, rounds, run, step

LOSS = {"hand": "C8 H9 D7"}  # 1:2 against HJ S9 DA, in this order
WINNER = {"hand": "HJ S9 DA"}


def narrow(**expect: Any) -> list[dict[str, Any]]:
    """Ada loses narrowly: C8 beats HJ, H9 loses to S9, D7 to DA."""
    return rounds("C8 H9 D7", "HJ S9 DA", **expect)


# --- swap_card ------------------------------------------------------------------------------------------------------


def test_swap_is_for_pcs_at_minus_one() -> None:
    """R100: not at -3, and not for an npc unless `who` is all."""
    low = {**LOSS, "hand": "H7 H9 D7"}
    run({"swap_card": {}}, rounds("H7 H9 D7", "HJ S9 DA", phase=None), low, WINNER)
    win = rounds("C8 CA D7", "HJ S9 DA", ep={"Ada": 1}, phase=None)
    run({"swap_card": {}}, win, {"hand": "C8 CA D7"}, WINNER)
    win[-1]["expect"] = {"phase": "after_test", "next": "Foe", "legal": ["swap", "done"]}
    run({"swap_card": {"who": "all"}}, win, {"hand": "C8 CA D7"}, WINNER, restriction={"Foe": 0})


def test_swap_costs_whatever_comes_of_it() -> None:
    """R100, R101: one swap a conflict; a failed one costs on top of the loss, a waived restriction does not help."""
    steps = [
        *narrow(legal=["swap", "done"]),
        step("Ada", "after_test", "swap", revealed="H8"),
        step("Ada", "replace", "D7", phase=None),
    ]
    ada = {**LOSS, "draw": "H8 HQ"}
    run(
        {"swap_card": {}},
        steps,
        ada,
        WINNER,
        ep={"Ada": -1},
        restriction={"Ada": 3},
        discard={"Ada": ["C8", "H9", "D7", "H8"]},
    )
    waived = [{"restrict": False}]
    run(
        {"swap_card": {"cost": 4}},
        steps,
        {**ada, "attribute": 6},
        WINNER,
        level="campaign",
        conflicts=waived,
        attribute={"Ada": 2},
    )


def test_swap_of_an_npc_costs_only_with_npc_restrictions() -> None:
    """R101."""
    steps = [
        *rounds("C8 CA D7", "HJ S9 DA"),
        step("Foe", "after_test", "swap"),
        step("Foe", "replace", "HJ", ep={"Foe": 1}),
    ]
    foe = {**WINNER, "draw": "SA S7"}
    for config, points in (({}, 0), ({"npc_restrictions": True}, 2)):
        run({"swap_card": {"who": "all"}}, steps, {"hand": "C8 CA D7"}, foe, config=config, restriction={"Foe": points})


def test_swap_needs_a_losing_card_and_supply() -> None:
    """R102: lost by passing only, or nothing to turn over."""
    run({"swap_card": {}}, rounds("C8 H9 pass", "HJ S9 DA", phase="after_test"), {"hand": "C8 H9"}, WINNER)
    run({"swap_card": {}}, rounds("C8 pass pass", "HJ S9 DA", ep={"Ada": -1}, phase=None), {"hand": "C8"}, WINNER)
    run({"swap_card": {}}, narrow(ep={"Ada": -1}, phase=None), {**LOSS, "draw": ""}, WINNER)


def test_swap_in_a_melee_follows_onto_the_discard_pile() -> None:
    """Frame of 2.9: in a melee the played card lies on the discard pile already, the new one follows it there."""
    steps = [
        *rounds("H8", "HJ"),
        step("Foe", "act", "attack:Ada", ep={"Ada": -1}, phase="after_test"),
        step("Ada", "after_test", "swap", revealed="C7", legal=["card:H8"]),
        step("Ada", "replace", "H8"),
    ]
    config = {"rounds": 1}
    run(
        {"swap_card": {}},
        steps,
        {"hand": "H8", "draw": "C7 HQ"},
        {"hand": "HJ"},
        level="melee",
        config=config,
        ep={"Ada": 1},
        discard={"Ada": ["H8", "C7"]},
    )


# --- all_in ---------------------------------------------------------------------------------------------------------


def test_all_in_fails_for_good() -> None:
    """R181: no better result means -3 against +3, and nobody is asked any more."""
    steps = [*narrow(), step("Ada", "after_test", "all_in", revealed="H7"), step("Ada", "replace", "C8", phase=None)]
    ada = {**LOSS, "draw": "H7 HQ"}
    both = {"all_in": {}, "swap_card": {}}
    run(both, steps, ada, WINNER, ep={"Ada": -3, "Foe": 3}, restriction={"Ada": 4})


def test_all_in_reply_on_a_draw() -> None:
    """R182: the opponent may reply to a draw; his unchanged draw is a failure too."""
    steps = [
        *rounds("C8 H9 D7", "HJ S9 DA"),
        step("Ada", "after_test", "all_in", revealed="SA"),
        step("Ada", "replace", "D7", ep={"Ada": 0}, next="Foe", phase="after_test"),
        step("Foe", "after_test", "all_in", revealed="H7"),
        step("Foe", "replace", "HJ"),
    ]
    ada, foe = {**LOSS, "draw": "SA HQ"}, {**WINNER, "draw": "H7 SA"}
    run({"all_in": {}}, steps, ada, foe, ep={"Ada": 3, "Foe": -3})
    steps = steps[:8]
    steps[7] = step("Ada", "replace", "D7", ep={"Ada": 0}, phase=None)
    run({"all_in": {"reply_on_draw": False}}, steps, ada, foe, ep={"Ada": 0})


def test_all_in_once_and_only_where_the_gm_sees_a_risk() -> None:
    """R180, R183."""
    run({"all_in": {}}, narrow(phase=None), LOSS, WINNER, level="campaign", conflicts=[{"all_in": False}])
    steps = [
        *narrow(),
        step("Ada", "after_test", "all_in"),
        step("Ada", "replace", "D7", ep={"Ada": 1}, next="Foe"),
        step("Foe", "after_test", "all_in", revealed="S10"),
        step("Foe", "replace", "HJ", ep={"Ada": -1, "Foe": 1}, phase=None),
    ]
    run({"all_in": {}}, steps, {**LOSS, "draw": "CA HQ"}, {**WINNER, "draw": "S10 SA"})


# --- after_card -----------------------------------------------------------------------------------------------------


def test_after_card_answered_and_answered_back() -> None:
    """R131..R133: matched, the draw stands and the other side may challenge; declining lost nothing."""
    ada = {"hand": "C8 H9 D7 DK H10"}
    foe = {"hand": "HJ S9 D7 DA HQ"}
    steps = [
        *rounds("C8 H9 D7", "HJ S9 D7", ep={"Ada": 0}, next="Ada"),
        step("Ada", "after_test", "done", next="Foe"),
        step("Foe", "after_test", "after_card", legal=["card:DA", "card:HQ"]),
        step("Foe", "after_card", "HQ", legal=["card:DK", "no"], next="Ada"),
        step("Ada", "answer", "DK", ep={"Ada": 0}, next="Ada", phase="after_test"),
        step("Ada", "after_test", "after_card", legal=["card:H10"]),
        step("Ada", "after_card", "H10", legal=["card:DA", "no"], next="Foe"),
        step("Foe", "answer", "no", ep={"Ada": 1}, phase=None),
    ]
    run({"after_card": {}}, steps, ada, foe, ep={"Ada": 1, "Foe": -1}, discard={"Ada": ["C8", "H9", "D7", "DK", "H10"]})


def test_after_card_needs_a_playable_card() -> None:
    """R130, R15: no card, or only one of a forbidden colour."""
    even = rounds("C8 H9 D7", "HJ S9 D7", phase=None)
    run({"after_card": {}}, even, {"hand": "C8 H9 D7"}, {"hand": "HJ S9 D7"}, ep={"Ada": 0})
    draw = rounds("C8 SA S7", "HJ HA H7", ep={"Ada": 1})
    run({"after_card": {}}, draw, {"hand": "C8 SA S7 HK", "forbidden": "red"}, {"hand": "HJ HA H7"})
    draw = rounds("SA C7 S7", "HA D7 H7")
    run(
        {"after_card": {}},
        draw,
        {"hand": "SA C7 S7 HK", "forbidden": "red", "suits": ""},
        {"hand": "HA D7 H7"},
        ep={"Ada": 0},
    )


def test_after_card_leaves_a_narrow_loss_to_other_modules() -> None:
    """The unanswered challenge is a comparison like any other: all_in, swap_card and mercy may follow."""
    steps = [
        *rounds("C8 H9 D7", "HJ S9 D7"),
        step("Ada", "after_test", "done"),
        step("Foe", "after_test", "after_card"),
        step("Foe", "after_card", "SK", legal=["no"]),
        step("Ada", "answer", "no", ep={"Ada": -1}, legal=["all_in", "swap", "done"]),
        step("Ada", "after_test", "swap", revealed="CA", legal=["card:H9"]),
        step("Ada", "replace", "H9"),
    ]
    modules = {"after_card": {}, "all_in": {}, "swap_card": {}}
    run(modules, steps, {"hand": "C8 H9 D7 DK", "draw": "CA HQ"}, {"hand": "HJ S9 D7 SK"}, ep={"Ada": 1})


def test_after_card_shows_a_hidden_trump() -> None:
    """A18: in a challenge the suit of every revealed card is known, and the answer goes by it."""
    steps = [
        *rounds("C8 H9 D7", "HJ S9 D7"),
        step("Ada", "after_test", "after_card"),
        step("Ada", "after_card", "DK", next="Foe", legal=["card:S7", "no"]),
        step("Foe", "answer", "S7"),
    ]
    config = {"npc_trump_hidden": True}
    run({"after_card": {}}, steps, {"hand": "C8 H9 D7 DK"}, {"hand": "HJ S9 D7 S7"}, config=config, ep={"Ada": 0})


# --- sleeve ---------------------------------------------------------------------------------------------------------


def test_sleeve_holds_one_card_for_a_later_conflict() -> None:
    """R160..R162: not with three cards, not twice, not in the same conflict."""
    three = [*rounds("C8 H9 D7", "HJ S9 DA", phase=None)]
    run({"sleeve": {}}, three, LOSS, WINNER)
    ada = {"hand": "C8 H9 D7 HA HK", "draw": "C9 C10 CJ CQ"}
    steps = [
        step("Ada", "after_draw", "sleeve_stash"),
        step("Ada", "stash", "HA", phase="commit"),
        *rounds("C8 H9 D7", "HJ S9 DA", phase="commit"),
    ]
    later = [{}, {"seats": {"Ada": {"attribute": 9, "relation": "none"}, "Foe": {"hand": ["H8", "H9", "H10"]}}}]
    run(
        {"sleeve": {}},
        steps,
        ada,
        WINNER,
        level="campaign",
        conflicts=later,
        auto={"commit": "pass", "after_reveal": "done"},
        sleeve={"Ada": "HA"},
    )


@pytest.mark.parametrize(("scope", "legal"), [("any_round", ["card:C9", "card:H8"]), ("current_round", ["card:H8"])])
def test_sleeve_scope(scope: str, legal: list[str]) -> None:
    """R161, A32: any revealed card of the test, or only this round's; never a pass."""
    steps = [
        *rounds("C9", "HJ"),
        step("Ada", "after_reveal", "done"),
        *rounds("H8", "S9", phase="after_reveal", next="Ada"),
        step("Ada", "after_reveal", "sleeve_use", legal=legal),
        step("Ada", "replace", "H8", sleeve={"Ada": None}),
        *rounds("pass", "pass", phase=None),
    ]
    run({"sleeve": {"scope": scope}}, steps, {"hand": "C9 H8", "sleeve": "CA"}, {"hand": "HJ S9"}, ep={"Ada": 2})


def test_sleeve_in_layout_slots() -> None:
    """R43: one window after all slots are open; every round can be replaced."""
    steps = [
        *[step("Ada", "commit", c) for c in ("C8", "H9", "D7")],
        *[step("Foe", "commit", c) for c in ("HJ", "S9", "DA")],
        step("Ada", "after_reveal", "sleeve_use", legal=["card:C8", "card:H9", "card:D7"]),
        step("Ada", "replace", "H9"),
    ]
    config = {"layout": "slots"}
    run({"sleeve": {"scope": "current_round"}}, steps, {**LOSS, "sleeve": "CA"}, WINNER, config=config, ep={"Ada": 1})


def test_sleeve_before_the_actions_of_a_melee() -> None:
    """R163: the new round card acts with its new class."""
    steps = [
        *rounds("H8", "HJ", order=[["Foe"], ["Ada"]]),
        step("Ada", "after_reveal", "sleeve_use"),
        step("Ada", "replace", "H8", next="Ada", phase="act"),
        step("Ada", "act", "attack:Foe"),
    ]
    run(
        {"sleeve": {}},
        steps,
        {"hand": "H8", "sleeve": "CA"},
        {"hand": "HJ"},
        level="melee",
        config={"rounds": 1},
        ep={"Ada": 1},
        discard={"Ada": ["H8", "CA"]},
    )


def test_sleeve_stashed_at_the_end() -> None:
    """R160 with `stash="conflict_end"`: from the unused cards, if more than three were drawn."""
    end = {"sleeve": {"stash": "conflict_end"}}
    steps = [
        *rounds("C8 H9 D7", "HJ S9 DA", phase="stash", legal=["card:HA", "card:HK", "no"]),
        step("Ada", "stash", "HK"),
    ]
    run(end, steps, {"hand": "C8 H9 D7 HA HK"}, WINNER, sleeve={"Ada": "HK"}, discard={"Ada": ["C8", "H9", "D7", "HA"]})
    run(end, [*narrow(phase=None)], LOSS, WINNER)


# --- mercy ----------------------------------------------------------------------------------------------------------

PLEA = {"hand": "H7 H8 H9", "draw": "CA DA S8 S9 C7 C8"}


def plea(*assigned: str, loss: bool = True) -> list[dict[str, Any]]:
    """Ada loses 0:3, asks for mercy and assigns the mercy cards."""
    steps = rounds("H7 H8 H9", "HJ S9 DA", next="Ada", legal=["mercy", "done"]) if loss else []
    steps.append(step("Ada", "after_test" if loss else "after_draw", "mercy"))
    return steps + [step("Ada", "mercy_assign", a) for a in assigned]


def test_mercy_assigns_each_slot_once() -> None:
    """R201: a slot is filled by one mercy card at most; unused ones are discarded."""
    steps = plea("H8", "no", "H7")
    steps[6]["expect"] = {"revealed": "CA", "legal": ["card:H7", "card:H8", "card:H9", "no"]}
    steps[7]["expect"] = {"revealed": "DA", "legal": ["card:H7", "card:H9", "no"]}
    steps.insert(8, refused("Ada", "mercy_assign", "CA"))
    wrath = {"cards": "HK D10", "draw": "SJ C7"}
    run(
        {"mercy": {}},
        steps,
        PLEA,
        WINNER,
        wrath_setup=wrath,
        ep={"Ada": -1},
        wrath_count=3,
        discard={"Ada": ["CA", "DA", "S8", "H7", "H8", "H9"]},
    )


def test_mercy_group_wrath() -> None:
    """R205: two matches set all pcs to -3; a single opponent of the other kind gets +3, another pc does not."""
    wrath = {"cards": "CA S8 D10", "draw": "SJ C7 C8"}
    steps = plea("no", "no", "no")
    run({"mercy": {}}, steps, PLEA, WINNER, wrath_setup=wrath, ep={"Ada": -3, "Foe": 3}, wrath_hits=2, wrath_count=2)
    rival = {"kind": "pc", "attribute": 3, **WINNER}
    run({"mercy": {}}, steps, PLEA, rival, wrath_setup=wrath, ep={"Ada": -3, "Foe": -3}, wrath_hits=2)


@pytest.mark.parametrize(("redraw", "count"), [("reset", 2), ("keep_plus_one", 4), ("one_only", 1)])
def test_mercy_small_redraw(redraw: str, count: int) -> None:
    """R204, R206, A38: wrath cards after one match."""
    wrath = {"cards": "CA HK D10", "draw": "SJ C7 C8"}
    steps = plea("H8", "H7", "no")
    run(
        {"mercy": {"small_redraw": redraw}},
        steps,
        PLEA,
        WINNER,
        wrath_setup=wrath,
        ep={"Ada": -3, "Foe": 3},
        wrath_count=count,
    )


def test_mercy_after_the_draw() -> None:
    """R208(4): mercy cards replace hand cards; on a match the conflict is lost at once."""
    modules = {"mercy": {"timing": "after_draw"}}
    steps = [*plea("H8", "no", "H7", loss=False), *rounds("CA S8 H9", "HJ S9 DA")]
    steps[1] |= {"expect": {"hand": {"Ada": ["H7", "H9", "CA"]}}}
    run(modules, steps, PLEA, WINNER, wrath_setup={"cards": "HK", "draw": "SJ C7"}, ep={"Ada": -1}, wrath_count=2)
    steps = plea("H8", "no", "no", loss=False)
    run(
        modules,
        steps,
        PLEA,
        WINNER,
        wrath_setup={"cards": "S8", "draw": "SJ C7"},
        ep={"Ada": -3, "Foe": 3},
        wrath_hits=1,
    )


def test_mercy_needs_a_loss_and_three_cards() -> None:
    """R201: a loser with a played card, `per_conflict` times; npcs only with `who` all."""
    won = rounds("CA CK CQ", "HJ S9 DA", phase=None)
    run({"mercy": {}}, won, {"hand": "CA CK CQ"}, WINNER, wrath_setup={"cards": "HK"})
    run({"mercy": {}}, rounds("H7 H8 H9", "HJ S9 DA", phase=None), {"hand": "H7 H8 H9", "draw": "C7 C8"}, WINNER)
    run({"mercy": {}}, rounds("pass pass pass", "HJ S9 DA", phase=None), {"hand": "H7"}, WINNER)
    won[-1]["expect"] = {"next": "Foe", "phase": "after_test"}
    run({"mercy": {"who": "all"}}, won, {"hand": "CA CK CQ"}, WINNER, wrath_setup={"cards": "HK"})
    again = [*plea("no", "no", "no"), step("Ada", "after_test", "mercy"), *[step("Ada", "mercy_assign", "no")] * 3]
    wrath = {"cards": "HK", "draw": "SJ SQ SK"}
    run({"mercy": {"per_conflict": 2}}, again, PLEA, WINNER, wrath_setup=wrath, wrath_count=3)


def test_wrath_cards_of_the_gm_deck() -> None:
    """R200, R207, R209: session start draws them from the npc's deck; a reshuffle takes them up and draws some anew."""
    foe = {"cards": 4, "draw": "HJ S9 DA C7 C8 C9", "discard": "SJ SQ"}
    ada = {"hand": "H7", "draw": "D7 D8 D9 D10"}
    auto = {"commit": "pass", "after_test": "done"}
    # two wrath cards and four hand cards use up the pile; two discards and two wrath cards are shuffled, one is drawn
    end = {"wrath_count": 1, "draw_count": {"Foe": 3}}
    run({"mercy": {"deck": "npc"}}, [], ada, foe, level="campaign", auto=auto, **end)
    modules = {"mercy": {"deck": "npc", "reshuffle_draw": "minus_one", "start": 3}}
    run(modules, [], ada, {**foe, "cards": 3}, level="campaign", auto=auto, wrath_count=2, draw_count={"Foe": 3})


def test_every_session_has_new_wrath_cards() -> None:
    """R200: `start` of them, however many the session before ended with."""
    conflicts = [{}, {"new_session": True, "events_only": True}]
    ada = {**PLEA, "draw": "CA DA S8 S9 C7 C8"}
    run({"mercy": {}}, plea("no", "no", "no"), ada, WINNER, level="campaign", conflicts=conflicts, wrath_count=2)
    run({"mercy": {}}, plea("no", "no", "no"), ada, WINNER, level="campaign", wrath_count=3)
