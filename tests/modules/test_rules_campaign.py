"""Modules around the conflict: experience, confidence, incentive, and purchase (R10..16, R210..233)."""

from __future__ import annotations

from typing import Any

import pytest

from probespiel.envs.core.errors import RulesetError

from . import play
from .script import refused, rounds, run, step

FOE = {"hand": "HJ S9 DA"}
PASSES = {"commit": "pass"}
XP: dict[str, Any] = {"experience": {}}


# --- experience -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "params", "points"),
    [
        ("CA CK CQ", "HJ S9 DA", {}, 0),  # won with pictures and trumps against two pictures
        ("CA CK CQ", "HJ SJ DA", {}, 0 + max(0, 2 + 3 - 6)),  # eligible by three pictures: 2 + 3 - 3 * 2, at least 0
        ("CA CK CQ", "HJ SJ DA", {"own_picture": 1}, 2 + 3 + 3),
        ("C8 C9 C10", "HJ S9 DA", {}, 2 + 2),  # no picture played
        ("HA HK H9", "DJ D9 D7", {}, max(0, 2 + 1 - 4)),  # no trump played
        ("H7 H8 H9", "HJ S9 DA", {}, 2 + 1 + 2),  # lost
    ],
)
def test_experience_gain(mine: str, theirs: str, params: dict[str, Any], points: int) -> None:
    """R210, R211."""
    run({"experience": params}, rounds(mine, theirs), {"hand": mine}, {"hand": theirs}, xp={"Ada": points})


def test_a_stronger_opponent() -> None:
    """R211: more cards drawn, or with `stronger_by` the higher attribute value."""
    ada = {"hand": "H7 H8 H9", "attribute": 6}
    foe = {"hand": "HJ S9 DA D7", "cards": 4}
    run(XP, rounds("H7 H8 H9", "HJ S9 DA"), ada, foe, xp={"Ada": 2 + 3 + 1 + 2})
    by_value = {"experience": {"stronger_by": "attribute"}}
    run(by_value, rounds("H7 H8 H9", "HJ S9 DA"), ada, foe, xp={"Ada": 2 + 1 + 2})


def test_experience_counts_what_stands_in_the_end() -> None:
    """R211: a replaced card does not count, cards of after_card do."""
    steps = [
        *rounds("C8 H9 D7", "HJ S9 DA"),
        step("Ada", "after_test", "swap", revealed="CA"),
        step("Ada", "replace", "D7", ep={"Ada": 1}),
    ]
    # won with one ace and two trumps against two pictures: not eligible; without the swap it would have lost
    run({"swap_card": {}, **XP}, steps, {"hand": "C8 H9 D7", "draw": "CA S7"}, FOE, xp={"Ada": 0})
    steps = [
        *rounds("C8 H9 D7", "HJ S9 D7"),
        step("Ada", "after_test", "done"),
        step("Foe", "after_test", "after_card"),
        step("Foe", "after_card", "DQ", legal=["card:DK", "no"]),
        step("Ada", "answer", "DK"),
    ]
    # a draw: it played a picture and a trump, so it earns nothing
    run({"after_card": {}, **XP}, steps, {"hand": "C8 H9 D7 DK"}, {"hand": "HJ S9 D7 DQ"}, xp={"Ada": 0})


def test_used_points_return_and_spent_ones_do_not() -> None:
    """R212, R213: one more card costs 1 for the session; raising from 3 costs 9 for good."""
    ada = {"attribute": 3, "draw": "C7 C8 C9 C10 CJ CQ CK", "xp": 10}
    steps = [
        step("Ada", "advance", "xp_raise:0", attribute={"Ada": 4}, xp={"Ada": 1}, xp_free={"Ada": 1}),
        step(
            "Ada",
            "after_draw",
            "xp_extra",
            xp={"Ada": 1},
            xp_free={"Ada": 0},
            hand={"Ada": ["C7", "C8", "C9", "C10", "CJ"]},
        ),
    ]
    steps[0]["expect"]["legal"] = ["xp_extra", "done"]
    conflicts = [{}, {"new_session": True, "events_only": True}]
    # a draw without pictures earns 2
    run(XP, steps, ada, FOE, PASSES, level="campaign", conflicts=conflicts, xp={"Ada": 3}, xp_free={"Ada": 3})


def test_learning_the_next_skill() -> None:
    """R213: v if the attribute exceeds its skills, else 3v; the relation stays own until a conflict sets it."""
    ada = {"attribute": 4, "relation": "none", "skills": 3, "draw": "C7 C8 C9 C10 CJ CQ CK CA", "xp": 5}
    steps = [step("Ada", "advance", "xp_learn", xp={"Ada": 1}, hand={"Ada": ["C7", "C8", "C9", "C10"]})]
    auto = {**PASSES, "after_draw": "done", "before_commit": "done"}
    run(XP, steps, ada, FOE, auto, level="campaign")
    dear = {**ada, "skills": 4, "xp": 11}  # 12 points: nobody is asked; two cards against three in a draw earn 2 + 3
    run(XP, [], dear, FOE, auto, level="campaign", xp={"Ada": 16}, draw_count={"Ada": 6})


def test_ignored_injuries() -> None:
    """R212: for one conflict the full attribute counts, hand size included."""
    ada = {"attribute": 5, "restriction": 3, "draw": "C7 C8 C9 C10 CJ CQ CK CA", "xp": 2}
    steps = [step("Ada", "prepare", "xp_ignore", xp_free={"Ada": 0}, hand={"Ada": ["C7", "C8", "C9", "C10", "CJ"]})]
    run(XP, steps, ada, FOE, PASSES, restriction={"Ada": 3}, attribute={"Ada": 2})
    run(XP, [], {**ada, "xp": 1}, FOE, {**PASSES, "after_draw": "done", "before_commit": "done"}, draw_count={"Ada": 6})


def test_strike() -> None:
    """R212: the struck seat plays a new card, or has no card at all."""
    ada = {"hand": "C7", "xp": 8}
    steps = [
        *rounds("C7", "SA", next="Ada", phase="after_reveal", legal=["xp_strike", "done"]),
        step("Ada", "after_reveal", "xp_strike", legal=["attack:Foe"]),
        step(
            "Ada", "strike_target", "attack:Foe", next="Foe", phase="replay", legal=["card:H7"], discard={"Foe": ["SA"]}
        ),
        step("Foe", "replay", "H7", next="Ada", legal=["xp_strike", "done"]),
        step("Ada", "after_reveal", "xp_strike"),
        step("Ada", "strike_target", "attack:Foe", ep={"Ada": 1}),
    ]
    run(XP, steps, ada, {"hand": "SA H7"}, config={"rounds": 1}, xp_free={"Ada": 2 + 3})


def test_strike_in_a_melee() -> None:
    """R212: without a card left the victim is class -1 and cannot act; a replayed card acts by its own class."""
    first = [*rounds("C7", "SA"), step("Ada", "after_reveal", "xp_strike")]
    steps = [
        *first,
        step("Ada", "strike_target", "attack:Foe", next="Ada", phase="act", order=[["Ada"]]),
        step("Ada", "act", "attack:Foe"),
    ]
    config = {"rounds": 1}
    run(XP, steps, {"hand": "C7", "xp": 4}, {"hand": "SA"}, level="melee", config=config, ep={"Ada": 1})
    steps = [
        *first,
        step("Ada", "strike_target", "attack:Foe", next="Foe", phase="replay"),
        step("Foe", "replay", "S8", next="Foe", phase="act", order=[["Foe"], ["Ada"]]),
        step("Foe", "act", "attack:Ada"),
    ]
    run(XP, steps, {"hand": "C7", "xp": 4}, {"hand": "SA S8"}, level="melee", config=config, ep={"Ada": -1})


def test_death_bought_off() -> None:
    """R214: three unspent points; otherwise the campaign ends."""
    conflicts = [{"lethal": True}, {"seats": {"Foe": {"hand": ["H7"]}}}]
    ada = {"hand": "H7 H8 H9", "attribute": 9, "xp": 3}
    loss = rounds("H7 H8 H9", "HJ S9 DA", phase="survive", legal=["xp_survive", "done"])
    auto = {**PASSES, "after_draw": "done", "before_commit": "done"}
    gained = 2 + 1 + 2
    for answer, points, dead in (("xp_survive", gained, False), ("done", 3 + gained, True)):
        steps = [*loss, step("Ada", "survive", answer, xp={"Ada": points})]
        run(XP, steps, ada, FOE, auto, level="campaign", conflicts=conflicts, dead={"Ada": dead})
    poor = {**ada, "xp": 0}  # what the loss itself has earned may be spent
    run(XP, [*loss, step("Ada", "survive", "xp_survive")], poor, FOE, auto, level="campaign", conflicts=conflicts)


def test_prices_of_other_modules() -> None:
    """R215: an option that one cannot pay for is not offered."""
    modules = {"experience": {"costs": {"table_redraw": 2}}, "table_redraw": {}}
    ada = {"hand": "H7 H8 H9", "draw": "CA CK CQ CJ", "xp": 2}
    auto = {**PASSES, "after_draw": "done", "before_commit": "done"}
    steps = [step("Ada", "after_draw", "table_redraw", xp_free={"Ada": 0}, xp={"Ada": 2})]
    run(modules, steps, ada, FOE, auto)
    run(modules, [refused("Ada", "after_draw", "table_redraw")], {**ada, "xp": 1}, FOE, auto)


# --- confidence -----------------------------------------------------------------------------------------------------

CONF: dict[str, Any] = {"confidence": {}}


def test_the_highest_and_lowest_go() -> None:
    """R221, A40: by rank; among equals the owner chooses."""
    ada = {"attribute": 3, "draw": "CA HA S7 D7 C9 C10 CJ CQ", "conf_value": 4}
    steps = [
        step("Ada", "trim_confidence", "HA", legal=["card:S7", "card:D7"]),
        step("Ada", "trim_confidence", "S7", conf={"Ada": ["CA", "D7"]}),
    ]
    run(CONF, steps, ada, FOE, PASSES, level="campaign", conf={"Ada": ["CA", "D7"]})
    one = {"attribute": 3, "draw": "CA C9 C10 CJ CQ", "conf_value": 1}
    run(CONF, [], one, FOE, PASSES, level="campaign", conf={"Ada": []})


def test_a_new_session_brings_a_new_confidence_hand() -> None:
    """R224."""
    ada = {"attribute": 1, "draw": "CA C10 C7 C9 SA S10 S7", "conf_value": 3}
    conflicts = [{}, {"new_session": True, "events_only": True}]
    run(
        CONF,
        [],
        ada,
        FOE,
        PASSES,
        level="campaign",
        conflicts=conflicts,
        conf={"Ada": ["S10"]},
        discard={"Ada": ["SA", "S7"]},
    )


@pytest.mark.parametrize(
    ("fields", "played"),
    [
        ({"traits": 2}, 2),
        ({"traits": 1}, 1),
        ({"traits": 0, "voluntary": True, "risk": True}, 1),
        ({"traits": 0, "voluntary": True}, 0),
        ({"traits": 0, "risk": True}, 0),
    ],
)
def test_confidence_quota(fields: dict[str, Any], played: int) -> None:
    """R222."""
    ada = {"hand": "H7 H8 H9", "conf": "CA CK CQ", "conf_value": 3, **fields}
    steps = []
    for mine, theirs in list(zip(("CA", "CK", "CQ"), ("HJ", "S9", "DA"), strict=True))[:played]:
        steps += [step("Ada", "commit", mine), step("Foe", "commit", theirs)]
    if played < 3:
        steps.append(refused("Ada", "commit", "CQ"))
    kept = ["CA", "CK", "CQ"][played:]
    auto = {**PASSES, "gain_confidence": "no"}
    run(CONF, steps, ada, FOE, auto, conf={"Ada": kept}, ep={"Ada": played})


def test_confidence_reacts_and_minds_colours() -> None:
    """R222: in a reaction too; forbidden colours stay forbidden."""
    steps = [
        *rounds("C10", "S9", next="Ada", phase="act"),
        step("Ada", "act", "wait", next="Foe"),
        step("Foe", "act", "wait"),
    ]
    ada = {"hand": "C10", "conf": "CA HA", "conf_value": 3, "traits": 1, "forbidden": "red"}
    run(CONF, steps, ada, FOE, level="melee", config={"rounds": 1}, auto={"gain_confidence": "no"})
    steps = [
        *rounds("C10", "pass", next="Ada"),
        step("Ada", "act", "attack:Foe"),
    ]
    run(CONF, [refused("Ada", "commit", "HA"), *steps], ada, FOE, level="melee", config={"rounds": 1}, ep={"Ada": 1})


def test_gaining_confidence() -> None:
    """R223: one unused card after a conflict that touched a trait; the hand may not exceed the value."""
    ada = {"hand": "C8 H9 D7 SA", "conf": "CA", "conf_value": 1, "traits": 1}
    steps = [
        *rounds("C8 H9 D7", "HJ S9 DA", phase="gain_confidence", legal=["card:SA", "no"]),
        step("Ada", "gain_confidence", "SA", phase="drop_confidence", legal=["card:CA", "card:SA"]),
        step("Ada", "drop_confidence", "CA"),
    ]
    run(CONF, steps, ada, FOE, conf={"Ada": ["SA"]}, discard={"Ada": ["C8", "H9", "D7", "CA"]})
    used = rounds("CA H9 D7", "HJ S9 DA", phase=None)
    run(CONF, used, {**ada, "conf_value": 2}, FOE)
    run(CONF, rounds("C8 H9 D7", "HJ S9 DA", phase=None), {**ada, "traits": 0}, FOE)


def test_confidence_counts_for_a_challenge() -> None:
    """R222: a card of the confidence hand may challenge."""
    steps = [
        *rounds("C8 H9 D7", "HJ S9 D7", next="Ada"),
        step("Ada", "after_test", "after_card", legal=["card:DK"]),
        step("Ada", "after_card", "DK"),
    ]
    ada = {"hand": "C8 H9 D7", "conf": "DK", "conf_value": 2, "traits": 1}
    run({**CONF, "after_card": {}}, steps, ada, {"hand": "HJ S9 D7"}, ep={"Ada": 1}, conf={"Ada": []})


# --- incentive ------------------------------------------------------------------------------------------------------

ASIDE = "CK CA DK DA SK SA HK HA C7 D7 S7 H7"


def incentive(events: list[dict[str, Any]], steps: list[dict[str, Any]], **more: Any) -> None:
    """Behaviour events of Ada, with everything set aside that can be."""
    ada = {"draw": "C8 C9 C10 CJ CQ", "aside": ASIDE, **more.pop("ada", {})}
    conflicts = [{"events_only": True, "events": [{"seat": "Ada", **event}]} for event in events]
    run({"incentive": {}, **more.pop("modules", {})}, steps, ada, {}, level="campaign", conflicts=conflicts, **more)


def test_incentive_decks() -> None:
    """R231: aces, kings and sevens lie aside; npc decks only with `gm_too`."""
    for params, count in (({}, 32), ({"gm_too": True}, 20)):
        game = play.make(play.duel({"incentive": {"odds": {"none": 1.0}, **params}}))
        s = game.position(1).record
        assert int(s.aside[0]) == 0xC1C1C1C1
        assert int(s.draw[1, 0]).bit_count() + int(s.hand[1]).bit_count() == count


def test_against_a_motive() -> None:
    """R232: one seven, in severe cases two, as long as there are any."""
    steps = [
        step("Ada", "seven", "S7", discard={"Ada": ["S7"]}, phase="seven"),
        step("Ada", "seven", "C7"),
        step("Ada", "seven", "H7", discard={"Ada": ["S7", "C7", "H7"]}),
    ]
    incentive([{"event": "against"}, {"event": "against_severe"}], steps)
    incentive(
        [{"event": "against_severe"}], [step("Ada", "seven", "D7")], ada={"aside": "D7 CK"}, discard={"Ada": ["D7"]}
    )


REWARDS = [
    ("accord", ASIDE, ["card:DK", "no"]),
    ("accord", "DA CK SA", ["card:DA", "no"]),
    ("accord", "CK HK SA", ["card:CK", "card:HK", "no"]),
    ("accord", "CA SA H7", ["card:CA", "card:SA", "no"]),
    ("accord_sacrifice", "DK DA CK", ["yes", "no"]),
    ("accord_sacrifice", "DA CK SA", ["card:DA", "no"]),
]


@pytest.mark.parametrize(("event", "aside", "legal"), REWARDS)
def test_rewards(event: str, aside: str, legal: list[str]) -> None:
    """R232: king of the suit, else its ace, else any king, else any ace; both together for a sacrifice."""
    first = [{"event": "against"}] if "7" in aside else []
    steps = [step("Ada", "seven", "H7")] if first else []
    game_legal = [*legal[:-1], "card:H7", "no"] if first else legal
    chosen = legal[0]
    done = step("Ada", "reward", chosen)
    if steps:
        steps[-1]["expect"] = {"phase": "reward", "legal": game_legal}
    gone = {"DK", "DA"} if chosen == "yes" else {chosen.removeprefix("card:")}
    left = [c for c in aside.split() if c not in gone and not (first and c == "H7")]
    incentive([*first, {"event": event, "suit": "D"}], [*steps, done], ada={"aside": aside}, aside={"Ada": left})


def test_a_seven_goes_back() -> None:
    """R232, A41: instead of the reward, from the discard or the draw pile; the last card of a pile renews it."""
    ada = {"draw": "C7", "discard": "D7 C8", "aside": "CK"}
    steps = [step("Ada", "reward", "C7", aside={"Ada": ["CK", "C7"]}, discard={"Ada": []}, draw_count={"Ada": 2})]
    incentive([{"event": "accord", "suit": "C"}], steps, ada=ada)
    nothing = [step("Ada", "reward", "no")]
    incentive(
        [{"event": "accord", "suit": "C"}], nothing, ada=ada, aside={"Ada": ["CK"]}, discard={"Ada": ["D7", "C8"]}
    )


def test_played_aces_bypass_two_piles() -> None:
    """R233: whatever the order of the modules; unplayed ones are discarded."""
    ada = {"hand": "CA CK H9 DA"}
    for modules in ({"incentive": {}, "two_piles": {}}, {"two_piles": {}, "incentive": {}}):
        events = [{"events": []}]
        run(
            modules,
            rounds("CA CK H9", "HJ S9 DA"),
            ada,
            FOE,
            level="campaign",
            conflicts=events,
            aside={"Ada": ["CA", "CK", "C7", "S7", "D7", "H7", "SK", "SA", "DK", "HK", "HA"]},
            discard={"Ada": ["H9"]},
            discard_b={"Ada": ["DA"]},
        )


def test_events_by_lot() -> None:
    """R232: one event per pc and conflict from the odds, with a uniformly random suit."""
    odds = {"none": 0.25, "against": 0.25, "accord": 0.5}
    game = play.make(play.duel({"incentive": {"odds": odds}}))
    events, suits = [0] * 5, [0] * 4
    for seed in range(200):
        s = game.position(seed).record
        events[int(s.incentive_event[0])] += 1
        assert s.incentive_event[1] == 0
        if s.incentive_event[0] >= 3:
            suits[int(s.incentive_suit[0])] += 1
    assert events[2] == events[4] == 0
    for have, want in [(events[0], 50), (events[1], 50), (events[3], 100), *[(n, events[3] / 4) for n in suits]]:
        assert abs(have - want) < 4.5 * want**0.5


# --- how characters are bought --------------------------------------------------------------------------------------


def test_point_buy() -> None:
    """R12, R14, R220: one point each, 2..10, confidence costs like an attribute."""
    setup = play.campaign({"point_buy": {"points": 14}})
    play.make(setup)
    setup["seats"][0]["conf_value"] = 2
    with pytest.raises(RulesetError, match=r"point_buy: seat Ada: spent = 16.*14"):
        play.make(setup)
    setup["modules"]["point_buy"]["points"] = 16
    play.make(setup)
    setup["seats"][0]["attributes"]["wit"]["attribute"] = 11
    with pytest.raises(RulesetError, match=r"wit = 11: allowed are 2\.\.10"):
        play.make(setup)


def test_specialist_buy() -> None:
    """R13: 2 points in the strong attribute, 3 in the others."""
    play.make(play.campaign({"specialist_buy": {"points": 34}}))
    with pytest.raises(RulesetError, match="spent = 34"):
        play.make(play.campaign({"specialist_buy": {"points": 33}}))
    with pytest.raises(RulesetError, match="cannot be active together"):
        play.make(play.campaign({"specialist_buy": {}, "point_buy": {}}))


def test_broad_skills() -> None:
    """R10, R16: slots of broad skills; the malus lowers the number of cards, to one at least."""
    setup = play.campaign({"broad_skills": {}})
    setup["seats"][0]["attributes"]["strength"]["skills"] = [
        {"breadth": "fighting", "malus": -3},
        "axes",
        "swimming",
        "ropes",
    ]
    play.make(setup)
    setup["seats"][0]["attributes"]["strength"]["skills"].append("singing")
    with pytest.raises(RulesetError, match="skills of strength take 7 slots"):
        play.make(setup)
    ada = {"attribute": 6, "malus": 4, "draw": "C7 C8 C9"}
    run({"broad_skills": {}}, [step("Ada", "commit", "pass", hand={"Ada": ["C7", "C8"]})], ada, FOE, PASSES)
