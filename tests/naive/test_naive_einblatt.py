"""Hand-made situations for the options of the einBlatt oracle."""

import copy
from typing import Any

import pytest

from tests.naive.einblatt import NaiveEinblatt
from tests.naive.einblatt_cards import card_id, chance_draw
from tests.naive.einblatt_scripts import cards, draw, move, owing


def npc(name: str, hand: str = "", suits: str = "", **more: Any) -> dict[str, Any]:
    """An npc seat with a given hand."""
    codes = hand.split()
    return {"name": name, "kind": "npc", "cards": max(1, len(codes)), "suits": suits, "hand": codes, **more}


def pc(name: str, hand: str = "", attribute: int = 5, suits: str = "", **more: Any) -> dict[str, Any]:
    """A pc seat with a given hand."""
    return {"name": name, "kind": "pc", "attribute": attribute, "suits": suits, "hand": hand.split(), **more}


def without_hand(seat: dict[str, Any]) -> dict[str, Any]:
    """The same seat, its hand to be drawn."""
    return {key: value for key, value in seat.items() if key != "hand"}


def melee(*seats: dict[str, Any], **config: Any) -> NaiveEinblatt:
    return NaiveEinblatt({"level": "melee", "config": config, "seats": list(seats)})


def duel(*seats: dict[str, Any], conflict: dict[str, Any] | None = None, **config: Any) -> NaiveEinblatt:
    return NaiveEinblatt({"level": "duel", "config": config, "seats": list(seats), "conflicts": [conflict or {}]})


def campaign(*seats: dict[str, Any], conflicts: list[dict[str, Any]], **config: Any) -> NaiveEinblatt:
    return NaiveEinblatt({"level": "campaign", "config": config, "seats": list(seats), "conflicts": conflicts})


def commit(game: NaiveEinblatt, codes: str) -> None:
    """Commit a round card (or `pass`) for every seat."""
    for seat, code in enumerate(codes.split()):
        game.act(seat, "pass" if code == "pass" else f"card:{code}")


def ep(game: NaiveEinblatt) -> list[int]:
    return game.snapshot()["ep"]


# --- the door ---------------------------------------------------------------------------------------------------------


def test_illegal_actions_change_nothing() -> None:
    game = duel(npc("A", "CA C7"), npc("B", "SA"))
    move(game, "1 pass")
    before, pending = game.snapshot(), copy.deepcopy(game.pending())
    for seat, action in ((0, "card:SA"), (0, "wait"), (1, "pass"), (2, "pass"), (0, "nonsense")):
        with pytest.raises(ValueError):
            game.act(seat, action)
    with pytest.raises(ValueError):
        game.fall(0)
    assert game.snapshot() == before and game.pending() == pending
    assert owing(game) == {0: ["card:C7", "card:CA", "pass"]}
    drawing = duel(without_hand(npc("A", "CA")), npc("B", "SA"))
    for wrong in (-1, 32):
        with pytest.raises(ValueError):
            drawing.fall(wrong)
    with pytest.raises(ValueError):
        drawing.act(0, "pass")


def test_setups_that_the_oracle_refuses() -> None:
    with pytest.raises(ValueError):
        NaiveEinblatt({"level": "duel", "modules": {"sleeve": {}}, "seats": []})
    with pytest.raises(ValueError):
        duel(npc("A", "CA"), npc("B", "SA"), no_such_option=1)
    with pytest.raises(ValueError):
        duel(npc("A", "CA CA"), npc("B", "SA"))
    with pytest.raises(ValueError):
        duel(npc("A", "CA"), npc("B", "CA"), deck="shared_all")


def test_max_decisions_stops_the_game_as_it_stands() -> None:
    game = duel(npc("A", "CA"), npc("B", "S7"), max_decisions=3)
    commit(game, "CA S7")
    move(game, "1 pass")
    assert game.pending() == ("over", None)
    state = game.snapshot()
    assert state["truncated"] and state["payoffs"] == [1, -1] and state["conflict_ep"] == [[1, -1]]


# --- classes, duel ----------------------------------------------------------------------------------------------------


def test_colours_and_forbidden_suits() -> None:
    seats = (npc("A", "H7 C8 SA", "H", forbidden="black"), npc("B", "DA D9", forbidden="red"))
    game = duel(*seats)
    assert owing(game) == {0: ["card:H7", "pass"], 1: ["pass"]}
    game = duel(npc("A", "H7", "H"), npc("B", "DA"))
    commit(game, "H7 DA")
    assert ep(game) == [1, -1]
    game = duel(npc("A", "H7", "H"), npc("B", "DA"), colours_count=False)
    commit(game, "H7 DA")
    assert ep(game) == [-1, 1]
    assert chance_draw({"a": card_id("C9"), "b": card_id("H10"), "c": card_id("S9")}) == [["b"], ["a", "c"]]


def test_duel_cards_stay_in_the_area_until_the_test_ends() -> None:
    game = duel(npc("A", "CA CK"), npc("B", "S7"))
    commit(game, "CA S7")
    state = game.snapshot()
    assert state["area"] == [cards("CA"), cards("S7")] and state["discard"] == [[], []]
    assert state["round"] == 1 and state["phase"] == "commit" and state["round_card"] == [None, None]
    commit(game, "pass pass")
    commit(game, "pass pass")
    state = game.snapshot()
    assert state["area"] == [[], []] and state["hand"] == [[], []]
    assert state["discard"] == [cards("CA CK"), cards("S7")]


def test_slots_are_laid_seat_by_seat_in_any_order_and_compared_at_the_end() -> None:
    game = duel(npc("A", "CA CK CQ"), npc("B", "S7 S8 SA"), layout="slots")
    move(game, "0 card:CA", "0 pass", "1 card:SA")
    assert ep(game) == [0, 0]
    assert owing(game) == {0: ["card:CQ", "card:CK", "pass"], 1: ["card:S7", "card:S8", "pass"]}
    move(game, "0 card:CK")
    assert list(owing(game)) == [1]
    move(game, "1 card:S7", "1 card:S8")
    state = game.snapshot()
    assert state["ep"] == [1, -1] and state["phase"] == "over"  # aces tie, pass ties 7, king beats 8
    with pytest.raises(ValueError):
        melee(npc("A", "CA"), npc("B", "SA"), layout="slots")


def test_rounds_option_shortens_the_test() -> None:
    game = duel(npc("A", "CA CK"), npc("B", "S7"), rounds=1)
    commit(game, "CA S7")
    assert game.snapshot()["outcome"] == ["narrow_win", "narrow_loss"]


# --- melee: turns -----------------------------------------------------------------------------------------------------


def test_waiting_holds_or_forfeits_the_turn() -> None:
    seats = (npc("A", "CA"), npc("B", "CK"), npc("C", "S7 S8"))
    for wait_mode, next_seat in (("hold", 0), ("forfeit", 2)):
        game = melee(*seats, wait_mode=wait_mode, rounds=1)
        commit(game, "CA CK S7")
        move(game, "0 wait")
        assert list(owing(game)) == [1] and game.snapshot()["waited"] == [True, False, False]
        move(game, "1 wait", "2 attack:1")  # B defends with its open card although it waited
        assert ep(game) == [0, 1, -1]
        if wait_mode == "hold":
            assert list(owing(game)) == [next_seat]
            assert game.snapshot()["waited"] == [False, False, False]
            move(game, "0 attack:2")
            assert owing(game) == {2: ["card:S8"]} and game.phase == "react"
            move(game, "2 card:S8")
        assert game.phase == "over"
    game = melee(*seats, rounds=1)
    commit(game, "CA CK S7")
    move(game, "0 wait", "1 wait", "2 wait")
    assert game.phase == "over"  # all have waited since the last action


def test_a_pass_defends_again_and_again_but_a_spent_seat_without_cards_loses() -> None:
    game = melee(npc("A", "S7"), npc("B", "H7"), npc("C", "CA"), npc("D", "C8"), rounds=1)
    commit(game, "S7 H7 pass C8")
    move(game, "3 attack:0")
    assert ep(game) == [-1, 0, 0, 1]
    move(game, "1 attack:2")
    assert ep(game) == [-1, 0, 0, 1]  # a 7 and a pass tie
    game = melee(npc("A", "S7"), npc("B", "H7"), npc("D", "C8"), rounds=1)
    commit(game, "S7 H7 C8")
    move(game, "2 attack:0", "1 attack:0")
    assert ep(game) == [-2, 1, 1]


@pytest.mark.parametrize(
    ("decline", "result"), [("forbidden", None), ("lose", [0, 1, -1]), ("colourless_seven", [1, 0, -1])]
)
def test_declining_a_reaction(decline: str, result: list[int] | None) -> None:
    game = melee(npc("A", "CA CK"), npc("B", "S7"), npc("C", "C9"), reaction_decline=decline, rounds=1)
    commit(game, "CA S7 C9")
    move(game, "0 attack:2", "1 attack:0")
    if result is None:
        assert owing(game) == {0: ["card:CK"]}
        return
    assert owing(game) == {0: ["card:CK", "pass"]}
    before = game.snapshot()
    assert before["attack"] == (1, 0) and before["spent"] == [True, True, True]
    move(game, "0 pass")
    assert ep(game) == result
    assert card_id("CK") in game.snapshot()["discard"][0]  # the unused hand, after the end


def test_without_a_playable_card_even_a_colourless_seven_does_not_help() -> None:
    seats = (npc("A", "CA HK", forbidden="red"), npc("B", "S7"), npc("C", "C9"))
    game = melee(*seats, reaction_decline="colourless_seven", rounds=1)
    commit(game, "CA S7 C9")
    move(game, "0 attack:2", "1 attack:0")
    assert ep(game) == [0, 1, -1] and game.phase == "over"


def test_unused_round_cards_are_discarded_or_return() -> None:
    for option in ("discard", "return"):
        game = melee(npc("A", "CA"), npc("B", "CK"), unused_round_card=option)
        commit(game, "CA CK")
        move(game, "0 wait", "1 wait")
        state = game.snapshot()
        zone = "hand" if option == "return" else "discard"
        assert state[zone] == [cards("CA"), cards("CK")] and state["round"] == 1
        assert state["area"] == [[], []] and state["open"] == [False, False]


def test_permission_and_targets() -> None:
    seats = (npc("A", "CA", team="x"), npc("B", "CK", team="x"), npc("C", "CQ"))
    game = melee(*seats)
    commit(game, "CA CK CQ")
    assert owing(game) == {0: ["wait", "attack:2"]}
    game = melee(*seats, permission="all")
    commit(game, "CA CK CQ")
    assert owing(game) == {0: ["wait", "attack:1", "attack:2"]}
    game = melee(*seats, targets={"B": ["C", "A", "B"]})
    commit(game, "CA CK CQ")
    assert owing(game) == {0: ["wait"]}  # missing in the list: nobody
    move(game, "0 wait")
    assert owing(game) == {1: ["wait", "attack:0", "attack:2"]}  # never oneself


# --- melee: ties ------------------------------------------------------------------------------------------------------


def test_equal_cards_and_attributes_act_together_by_seat_or_by_lot() -> None:
    seats = (npc("A", "C9"), npc("B", "CA"), npc("C", "SA"), npc("D", "H7", attribute=9))
    game = melee(*seats, rounds=1)
    commit(game, "C9 CA SA H7")
    assert list(owing(game)) == [1, 2] and game.initiative_order() == [[1, 2], [0], [3]]
    move(game, "2 attack:0")
    assert list(owing(game)) == [1] and game.snapshot()["spent"] == [False] * 4  # sealed until both have chosen
    move(game, "1 wait")
    assert ep(game) == [-1, 0, 1, 0]
    assert game.snapshot()["waited"] == [False] * 4 and list(owing(game)) == [1]  # C's action brings B back
    game = melee(*seats, rounds=1, initiative_tie="seat")
    commit(game, "C9 CA SA H7")
    assert list(owing(game)) == [1]
    game = melee(*seats, rounds=1, initiative_tie="random")
    commit(game, "C9 CA SA H7")
    assert game.pending() == ("chance", {"kind": "initiative", "seats": [1, 2]})
    game.fall(1)
    assert list(owing(game)) == [2]
    move(game, "2 wait")
    assert list(owing(game)) == [1]  # the only one left needs no lot


def test_attacks_inside_a_tie_group() -> None:
    seats = (npc("A", "CA C8"), npc("B", "SA S8"), npc("C", "HA H8"), npc("D", "DA D8"))
    game = melee(*seats, rounds=1)
    commit(game, "CA SA HA DA")
    assert list(owing(game)) == [0, 1, 2, 3]
    # A and B attack each other: one tie. C attacks A, who is spent; D waits and is not attacked.
    move(game, "2 attack:0", "3 wait", "1 attack:0", "0 attack:1")
    assert game.phase == "react" and owing(game) == {0: ["card:C8"]}
    state = game.snapshot()
    assert state["area"] == [[], [], cards("HA"), cards("DA")] and state["discard"][1] == cards("SA")
    move(game, "0 card:C8")
    assert ep(game) == [-1, 0, 1, 0] and list(owing(game)) == [3]
    game = melee(*seats, rounds=1)
    commit(game, "CA SA HA DA")
    # Two attack the waiting D: A meets its round card, B a card from hand. C attacked D's attacker A: from hand.
    move(game, "0 attack:3", "1 attack:3", "2 attack:0", "3 wait")
    assert owing(game) == {3: ["card:D8"]} and ep(game) == [0, 0, 0, 0]
    move(game, "3 card:D8")
    assert owing(game) == {0: ["card:C8"]} and ep(game) == [0, 1, 0, -1]
    move(game, "0 card:C8")
    assert ep(game) == [-1, 1, 1, -1] and game.phase == "over"


@pytest.mark.parametrize(("option", "first"), [("current", [1]), ("base", [0])])
def test_the_attribute_that_breaks_ties(option: str, first: list[int]) -> None:
    game = melee(pc("A", "CA", 7, restriction=2), pc("B", "SA", 6), tie_attribute=option)
    commit(game, "CA SA")
    assert list(owing(game)) == first


# --- melee: leaders ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "left"),
    [("leader_best", ["H7 DA", "C8 CQ"]), ("follower_best", ["H7 SA DA", "C8"]), ("none", ["H7 SA DA", "C8 CQ"])],
)
def test_the_price_of_disobedience(option: str, left: list[str]) -> None:
    def table() -> NaiveEinblatt:
        seats = (npc("L", "C9 H7 SA DA", team="x"), npc("F", "CK CQ C8", team="x"), npc("E", "C7", team="y"))
        game = melee(*seats, leaders={"x": "L"}, disobedience=option)
        commit(game, "C9 CK C7")
        assert game.phase == "command" and owing(game) == {0: ["wait", "attack:2", "no"]}
        return game

    game = table()
    move(game, "0 attack:2", "1 wait")
    assert game.snapshot()["hand"][:2] == [cards(hand) for hand in left]  # of two aces the lower id goes
    assert game.phase == "act" and list(owing(game)) == [0]  # nobody orders the leader
    for obeyed in (("0 wait", "1 wait"), ("0 attack:2", "1 attack:2"), ("0 no", "1 attack:2")):
        game = table()
        move(game, *obeyed)
        assert [len(hand) for hand in game.snapshot()["hand"][:2]] == [3, 2]


def test_orders_in_a_tie_group_come_first_and_are_paid_for_last() -> None:
    seats = (
        npc("F", "CA", team="x"),
        npc("L", "C9 CK CQ", team="x", attribute=1),
        npc("G", "SA", team="x"),
        npc("E", "C7 D8", team="y", attribute=1),
    )
    game = melee(*seats, leaders={"x": 1})
    commit(game, "CA C9 SA C7")
    assert game.snapshot()["on_turn"] == [0, 2]
    move(game, "1 wait", "1 wait")
    assert game.phase == "act" and list(owing(game)) == [0, 2]
    move(game, "0 attack:3", "2 attack:3")
    assert game.phase == "react" and game.snapshot()["hand"][1] == cards("CQ CK")
    move(game, "3 card:D8")
    assert game.snapshot()["hand"][1] == []  # both disobeyed
    assert ep(game) == [1, 0, 1, -2]


# --- continuation, restrictions ---------------------------------------------------------------------------------------


def lose_once(game: NaiveEinblatt) -> None:
    """Seat 0 loses its 7 against an ace; two rounds of passing follow."""
    commit(game, "H7 CA")
    commit(game, "pass pass")
    commit(game, "pass pass")


@pytest.mark.parametrize(
    ("option", "answers", "goes_on"),
    [
        ("any", {0: "yes", 1: "no"}, True),
        ("any", {0: "no", 1: "no"}, False),
        ("all", {0: "yes", 1: "no"}, False),
        ("all", {0: "yes", 1: "yes"}, True),
        ("loser", {0: "yes"}, True),
        ("loser", {0: "no"}, False),
        ("always", {}, True),
    ],
)
def test_who_decides_on_continuation(option: str, answers: dict[int, str], goes_on: bool) -> None:
    game = duel(pc("A", "H7"), npc("B", "CA"), max_tests=2, continue_by=option, continuation_draw="keep")
    lose_once(game)
    if answers:
        assert game.phase == "continue" and owing(game) == {seat: ["yes", "no"] for seat in answers}
        for seat, answer in reversed(answers.items()):
            game.act(seat, answer)
    assert (game.phase == "commit") == goes_on
    assert game.snapshot()["test"] == int(goes_on)


def test_no_vote_after_a_perfect_result_the_last_test_or_a_draw_without_losers() -> None:
    game = duel(npc("A", "C7 C8 C9"), npc("B", "SA SK SQ"), max_tests=5)
    for mine, yours in (("C7", "SA"), ("C8", "SK"), ("C9", "SQ")):
        commit(game, f"{mine} {yours}")
    assert game.phase == "over" and game.snapshot()["test"] == 0
    game = duel(npc("A", "C7"), npc("B", "S7"), max_tests=5, continue_by="loser")
    for _ in range(3):
        commit(game, "pass pass")
    assert game.phase == "over"
    game = duel(npc("A", "C7"), npc("B", "S7"), max_tests=2, continue_by="always", continuation_draw="keep")
    for _ in range(6):
        commit(game, "pass pass")
    assert game.phase == "over" and game.snapshot()["test"] == 1


def test_hands_of_a_further_test() -> None:
    def second_test(option: str) -> NaiveEinblatt:
        game = duel(
            npc("A", "H7 H8", draw=["CA", "CK", "CQ"]),
            npc("B", "CA", draw=["S8"]),
            max_tests=2,
            continue_by="always",
            continuation_draw=option,
        )
        lose_once(game)
        return game

    game = second_test("keep")
    assert game.phase == "commit" and game.snapshot()["hand"] == [cards("H8"), []]
    game = second_test("top_up")
    assert game.phase == "draw" and game.snapshot()["discard"][0] == cards("H7")
    draw(game, "CK")
    draw(game, "S8")  # asked for although it is the only card left
    assert game.snapshot()["hand"] == [cards("H8 CK"), cards("S8")]
    assert game.snapshot()["draw"][1] == cards("CA")  # used up, so replaced at once
    game = second_test("redraw")
    assert game.snapshot()["discard"][0] == cards("H7 H8")
    draw(game, "CQ CA S8")
    assert game.snapshot()["hand"] == [cards("CA CQ"), cards("S8")]


@pytest.mark.parametrize(("option", "result"), [("cumulative", -2), ("fresh", -1)])
def test_ep_of_several_tests(option: str, result: int) -> None:
    game = duel(
        pc("A", "H7", 1),
        npc("B", "CA"),
        max_tests=2,
        continue_by="always",
        continuation_ep=option,
        reshuffle="each_test",
    )
    lose_once(game)
    assert ep(game)[0] == (-1 if option == "cumulative" else 0)
    draw(game, "H7 CA")
    lose_once(game)
    state = game.snapshot()
    assert state["ep"] == [result, -result] and state["payoffs"] == [result, -result]
    assert state["restriction"] == [3 if option == "cumulative" else 1, 0]


def test_restrictions_after_every_test_or_once() -> None:
    for option, after_one, after_two in (("test", 1, 2), ("conflict", 0, 3)):
        game = duel(
            pc("A", "H7", 3),
            npc("B", "CA"),
            max_tests=2,
            continue_by="always",
            penalty_timing=option,
            reshuffle="each_test",
        )
        lose_once(game)
        assert game.snapshot()["restriction"][0] == after_one
        draw(game, "H7 C7" if option == "test" else "H7 C7 C8")  # the lowered attribute draws fewer cards
        draw(game, "CA")
        lose_once(game)
        assert game.snapshot()["restriction"][0] == after_two


def test_restrictions_of_npcs_and_their_waiver() -> None:
    game = duel(npc("A", "H7"), npc("B", "CA"))
    lose_once(game)
    assert game.snapshot()["restriction"] == [0, 0]
    game = duel(npc("A", "H7", cards=5), npc("B", "CA"), npc_restrictions=True, restriction_narrow=2)
    lose_once(game)
    assert game.snapshot()["restriction"] == [2, 0] and game.snapshot()["attribute"] == [3, 1]
    game = duel(pc("A", "H7"), npc("B", "CA"), conflict={"restrict": False})
    lose_once(game)
    assert game.snapshot()["restriction"] == [0, 0]
    plain = campaign(npc("A", "H7", cards=3), npc("B", "CA"), conflicts=[{}, {}], npc_restrictions=True)
    lose_once(plain)
    draw(plain, "C7 C8 SA")  # 2 of 3 cards for A
    assert plain.snapshot()["hand"] == [cards("C7 C8"), cards("SA")]


@pytest.mark.parametrize(
    ("payoff", "result"),
    [
        ("ep", [4, -3, 0, -1]),
        ("ep_clipped", [3, -3, 0, -1]),
        ("class", [4, -4, 0, -1]),
        ("win", [1, -1, 0, -1]),
        ("team_sum", [1, 1, -1, -1]),
        ("team_max", [4, 4, 0, 0]),
    ],
)
def test_payoffs(payoff: str, result: list[float]) -> None:
    seats = (npc("A", "", team="x"), npc("B", "", team="x"), npc("C", "", team="y"), npc("D", "", team="y"))
    game = melee(*seats, payoff=payoff)
    for seat, value in zip(game.seats, (4, -3, 0, -1)):
        seat.ep = value  # set by hand: only the reading of the result is looked at
    for _ in range(3):
        commit(game, "pass pass pass pass")
    assert game.snapshot()["payoffs"] == result


# --- decks ------------------------------------------------------------------------------------------------------------


def test_shared_decks() -> None:
    seats = (pc("A", "C7"), npc("B"), npc("C"))
    for policy, owner in (("own", [1, 2]), ("shared_npc", [1, 1]), ("shared_all", [0, 0])):
        game = melee(seats[0], *(without_hand(seat) for seat in seats[1:]), deck=policy)
        for index in (0, 1):
            kind, event = game.pending()
            assert kind == "chance" and event["deck"] == owner[index] and event["pile"] == "A"
            missing = index * (policy != "own") + (policy == "shared_all")
            assert len(event["cards"]) == 32 - missing
            game.fall(0)
        assert game.phase == "commit"


def test_a_used_up_pile_is_replaced_at_once_or_on_demand() -> None:
    for timing in ("immediate", "on_demand"):
        one = without_hand(npc("A", "", cards=2, draw=["C7", "C8"], discard=["C9"]))
        game = duel(one, npc("B", "SA"), reshuffle_timing=timing)
        draw(game, "C8 C7")
        state = game.snapshot()
        piles = [state["draw"][0], state["discard"][0]]
        assert piles == ([cards("C9"), []] if timing == "immediate" else [[], cards("C9")])
        one["cards"] = 5
        game = duel(one, npc("B", "SA"), reshuffle_timing=timing)
        draw(game, "C8 C7 C9")  # the draw goes on over the reshuffle and ends with the cards
        assert game.phase == "commit" and game.snapshot()["hand"][0] == cards("C7 C8 C9")


def test_reshuffle_policies() -> None:
    conflicts: list[dict[str, Any]] = [{}, {}, {"new_session": True}]
    for policy, expected in (("on_empty", [32, 31, 30]), ("each_test", [32, 32, 32]), ("on_session", [32, 31, 32])):
        game = campaign(without_hand(pc("A", "", 1)), npc("B", "SA"), conflicts=conflicts, reshuffle=policy)
        seen = []
        while game.pending()[0] != "over":
            kind, request = game.pending()
            if kind == "chance":
                if request["deck"] == 0:
                    seen.append(len(request["cards"]))
                game.fall(0)
            else:
                move(game, f"{min(request)} pass")
        assert seen == expected


def test_the_first_session_starts_with_the_piles_as_they_are_set_up() -> None:
    conflicts: list[dict[str, Any]] = [{}, {"new_session": True}]
    hero = without_hand(pc("A", "", 1, draw=["C7", "C8"], discard=["C9", "C10"]))
    game = campaign(hero, npc("B", "SA"), conflicts=conflicts, reshuffle="on_session")
    assert game.pending()[1]["cards"] == cards("C7 C8")
    game.fall(0)
    for _ in range(3):
        commit(game, "pass pass")
    assert game.pending()[1]["cards"] == cards("C7 C8 C9 C10")


# --- campaign ---------------------------------------------------------------------------------------------------------


def passing(game: NaiveEinblatt) -> None:
    """Draw the lowest cards and pass until the end."""
    while game.pending()[0] != "over":
        kind, request = game.pending()
        if kind == "chance":
            game.fall(0)
        else:
            move(game, f"{min(request)} pass")


def test_healing_spares_permanent_points() -> None:
    conflicts = [{}, {"new_session": True}, {"new_session": True, "events_only": True}]
    hero = pc("A", "", 9, restriction=6, permanent=3)
    game = campaign(hero, npc("B", "SA"), conflicts=conflicts, heal_per_session=1, heal_per_conflict=0)
    passing(game)
    assert game.snapshot()["restriction"][0] == 4 and game.snapshot()["attribute"][0] == 5
    assert len(game.snapshot()["conflict_ep"]) == 2
    game = campaign(hero, npc("B", "SA"), conflicts=conflicts, heal_per_session=2, heal_per_conflict=2)
    passing(game)
    assert game.snapshot()["restriction"][0] == 3 and game.snapshot()["permanent"][0] == 3


def test_a_perfect_loss_may_kill_and_leaves_conflicts_unplayed() -> None:
    conflicts = [{"lethal": True, "weight": 2}, {"weight": 3}, {"events_only": True}, {}]
    game = campaign(pc("A", "C7 C8 C9"), npc("B", "SA SK SQ"), conflicts=conflicts, unplayed=-2)
    for mine, yours in (("C7", "SA"), ("C8", "SK"), ("C9", "SQ")):
        commit(game, f"{mine} {yours}")
    state = game.snapshot()
    assert state["phase"] == "over" and state["dead"] == [True, False] and state["conflict"] == 0
    assert state["payoffs"] == [-6 - 2 * 4, 6]
    assert state["restriction"] == [4, 0] and state["permanent"] == [1, 0]


def test_conflicts_change_seats_and_fix_hands() -> None:
    hero = {
        "name": "A",
        "kind": "pc",
        "attributes": {
            "strength": {"attribute": 5, "suits": "C"},
            "wit": {"attribute": 2, "suits": "H", "forbidden": "black"},
        },
        "hand": ["H7"],
        "restriction": 1,
    }
    conflicts = [
        {},
        {"seats": {"A": {"test": "wit", "hand": ["H7", "S8"]}, "B": {"cards": 1}}},
        {"seats": {"A": {"attribute": 4, "relation": "none"}, "B": {"hand": []}}},
        {"seats": {"A": {"test": "strength"}}, "conflict_level": "melee"},
    ]
    game = campaign(hero, npc("B", "CA"), conflicts=conflicts)
    assert game.snapshot()["attribute"][0] == 4
    lose_once(game)
    assert game.snapshot()["discard"] == [[], cards("CA")]  # H7 came back into the fixed hand
    draw(game, "SA")
    assert owing(game)[0] == ["card:H7", "pass"]  # wit forbids the black S8
    assert game.snapshot()["attribute"][0] == 2 and game.snapshot()["restriction"][0] == 0
    commit(game, "H7 pass")
    assert ep(game) == [1, -1]
    commit(game, "pass pass")
    commit(game, "pass pass")
    draw(game, "HA HK")  # half of four
    assert game.phase == "commit" and game.snapshot()["hand"] == [cards("HA HK"), []]
    for _ in range(3):
        commit(game, "pass pass")
    state = game.snapshot()
    assert state["conflict"] == 3 and state["restriction"][0] == 2 and state["attribute"][0] == 3
    draw(game, "CA SK")  # the skill stays unknown: one card of strength 3, and one for B
    commit(game, "CA SK")
    assert game.phase == "act" and list(owing(game)) == [0]
