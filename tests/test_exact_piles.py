"""Piles, hands, votes and ends of einBlatt, by hand from the rules: one kernel function at a time on a record."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.agents.einblatt import abstraction
from probespiel.envs.core.game import Game
from probespiel.envs.core.rng import mix, rand_below
from probespiel.envs.einblatt import ending, opening, piles, plays, redeal
from probespiel.envs.einblatt import state as st
from probespiel.envs.einblatt.system import SYSTEM

C7, C8, C9, C10, CJ, CQ, CK, CA = range(8)
S7, D7, HA = 8, 16, 31


def bits(*cards: int) -> int:
    return sum(1 << card for card in cards)


def table(**config: Any) -> tuple[Any, Any]:
    """Record and parameters of a melee of two pcs and an npc at its first decision; no event is noted yet."""
    seats = [
        {"name": name, "kind": "pc", "attribute": 5, "relation": "own", "suits": "", "hand": []} for name in ("A", "B")
    ]
    setup = {"level": "melee", "config": config,
             "seats": [*seats, {"name": "C", "kind": "npc", "cards": 1, "suits": "", "hand": ["C9"]}]}  # fmt: skip
    position = Game(SYSTEM.spec_of_setup(setup), compiled=False).position()
    s = position.record
    s.n_events = 0
    return s, position.game.params


def told(s: Any) -> list[tuple[int, int, int, int]]:
    """Kind, seat and numbers of the events noted on a record."""
    low, at = st.EVENT.low, st.EVENT.at
    width = [at[i + 1] - at[i] for i in range(4)]
    return [
        tuple((int(code) >> at[i] & (1 << width[i]) - 1) + low[i] for i in range(4))  # type: ignore[misc]
        for code in s.events[: int(s.n_events)]
    ]


# Piles


def test_a_card_that_is_taken_out_leaves_the_known_order_of_the_others() -> None:
    """8, 9 and 10 of clubs lie on top, known in this order; the nine is taken, nobody knows its place."""
    s, _ = table()
    s.draw[0, 0], s.top_n[0, 0] = bits(C7, C8, C9, C10), 3
    s.top[0, 0, :3] = [C8, C9, C10]
    s.disc[0, 1], s.unseen[0], s.looked[0], s.looked[1] = bits(C9, CA), bits(C9, CA), bits(C8, C9), bits(C9)
    piles.pull(s, 0, C9)
    assert (int(s.draw[0, 0]), int(s.top_n[0, 0]), s.top[0, 0, :2].tolist()) == (bits(C7, C8, C10), 2, [C8, C10])
    assert (int(s.disc[0, 1]), int(s.unseen[0]), int(s.looked[0])) == (bits(CA), bits(CA), bits(C8))
    assert int(s.looked[1]) == bits(C9)  # of another deck
    assert piles.known_top(s, 0, 0) == bits(C8, C10)


def test_a_shuffled_pile_has_no_order_and_what_lies_open_stays_seen() -> None:
    """R24: both draw piles and both discard piles make pile A; of the cards seen only those in the area stay so."""
    s, _ = table()
    s.draw[0], s.disc[0] = [bits(C7), bits(C8)], [bits(C9), bits(C10)]
    s.top_n[0], s.epoch[0], s.seen[0] = [1, 1], [3, 3], bits(C7, CQ, CK, CA)
    s.area[0], s.shown[0], s.area[1] = bits(CQ), bits(CK), bits(CA)
    s.looked[0], s.unseen[0] = bits(C7), bits(C9)
    piles.shuffle_all(s, 0)
    assert s.draw[0].tolist() == [bits(C7, C8, C9, C10), 0] and s.disc[0].tolist() == [0, 0]
    assert s.top_n[0].tolist() == [0, 0] and s.epoch[0].tolist() == [4, 3]
    assert (int(s.seen[0]), int(s.looked[0]), int(s.unseen[0])) == (bits(CQ, CK), 0, 0)
    assert told(s) == [(st.Event.RESHUFFLE, -1, 0, 0)]


@pytest.mark.parametrize(("on_demand", "drawn", "renewed"), [(0, 0, True), (0, bits(C7), False), (1, 0, False)])
def test_an_emptied_pile_is_replaced_at_once_or_when_it_is_needed(on_demand: int, drawn: int, renewed: bool) -> None:
    """R22, A16."""
    s, p = table()
    p.on_demand = on_demand
    s.draw[0], s.disc[0], s.unseen[0] = [0, drawn], [bits(C9), bits(C10)], bits(C10)
    piles.renew(s, p, 0)
    assert s.draw[0].tolist() == ([bits(C9, C10), 0] if renewed else [0, drawn])
    assert s.disc[0].tolist() == ([0, 0] if renewed else [bits(C9), bits(C10)])
    assert int(s.unseen[0]) == (0 if renewed else bits(C10))


@pytest.mark.parametrize("zone", ["HAND", "CONF", "SLEEVE", "LOOKED", "ASIDE", "AREA"])
def test_a_card_lies_in_one_zone(zone: str) -> None:
    s, _ = table()
    for other in ("HAND", "CONF", "SLEEVE", "LOOKED", "ASIDE", "AREA"):
        piles.move(s, 0, C7, st.Zone[other])
        assert piles.zone_of(s, 0, C7) == st.Zone[other] and piles.zone_of(s, 0, C8) == -1
    s.shown[0] = bits(C7)
    piles.move(s, 0, C7, st.Zone[zone])
    named = {name: int(getattr(s, name.lower())[0]) for name in ("HAND", "CONF", "SLEEVE", "LOOKED", "ASIDE", "AREA")}
    assert {name for name, cards in named.items() if cards == bits(C7)} == {zone} and sum(named.values()) == bits(C7)
    assert int(s.shown[0]) == 0
    piles.move(s, 0, C7, st.Zone.DISC_B)
    assert s.disc[0].tolist() == [0, bits(C7)] and piles.zone_of(s, 0, C7) == -1


@pytest.mark.parametrize(
    ("reason", "public", "seen", "hidden"),
    [("UNUSED", 0, 0, True), ("EXCHANGED", 0, 0, True), ("UNUSED", 1, 0, False), ("PLAYED", 0, 0, False),
     ("UNUSED", 0, 1, False)],
)  # fmt: skip
def test_who_sees_what_is_discarded(reason: str, public: int, seen: int, hidden: bool) -> None:
    """A19: unused and exchanged cards stay unseen unless the option says otherwise; a card seen before is no secret."""
    s, p = table()
    p.discard_public, s.seen[0] = public, seen << C7
    piles.discard(s, p, 0, C7, st.Reason[reason])
    assert s.disc[0].tolist() == [bits(C7), 0] and int(s.unseen[0]) == (bits(C7) if hidden else 0)
    shown = not hidden and not seen
    assert told(s) == [(st.Event.DISCARD, 0, C7, st.Reason[reason])] * shown
    assert int(s.played[0]) == shown << C7 and int(s.seen[0]) >> C7 & 1 == (not hidden)


def test_wrath_cards_are_drawn_only_where_there_are_some_to_draw() -> None:
    s, p = table()
    depth = int(s.depth)
    piles.draw_wrath(s, p, 0)
    assert int(s.depth) == depth
    piles.draw_wrath(s, p, 1)
    assert int(s.depth) == depth + 1 and int(s.f_a[depth]) == 1 and int(s.f_bits[depth]) == p.wrath_deck


def test_a_card_that_is_drawn_from_a_known_top_moves_the_others_up() -> None:
    """R23: the first of three known cards goes to the hand; the rest stays known."""
    s, p = table()
    s.draw[0], s.top_n[0, 0] = [bits(C7, C8, C9, C10), 0], 3
    s.top[0, 0, :3] = [C9, C8, C10]
    s.looked[0], depth = bits(C8, C9, C10), int(s.depth)
    piles.draw(s, 0, 2, st.DrawFor.EXTRA, st.Zone.HAND)
    piles.arrive(s, p, 0, 0, C9)
    assert (int(s.hand[0]), int(s.draw[0, 0]), int(s.looked[0])) == (bits(C9), bits(C7, C8, C10), bits(C8, C10))
    assert int(s.top_n[0, 0]) == 2 and s.top[0, 0, :2].tolist() == [C8, C10]
    assert (int(s.f_a[depth]), int(s.f_c[depth])) == (1, 1)
    assert told(s) == [(st.Event.CARD, 0, C9, st.DrawFor.EXTRA)] and not s.played[0]


def test_a_look_at_the_top_goes_on_where_the_known_cards_end() -> None:
    """R120: of three cards to look at one is known to lie on top; the next is drawn among the other two, and so on."""
    s, p = table()
    s.draw[0], s.top_n[0, 0] = [bits(C7, C8, C9), 0], 1
    s.top[0, 0, 0], depth = C8, int(s.depth)
    piles.peek(s, 0, 5, 0)
    for known, faces, outcome in ((1, 2, 1), (2, 1, 0)):
        while int(s.f_c[depth]) < known:
            piles.peek_step(s)
            assert s.die_faces == 0
        piles.peek_step(s)
        assert (int(s.die_faces), int(s.die_kind), int(s.die_deck), int(s.die_pile)) == (faces, st.Die.CARD, 0, 0)
        piles.card_fell(s, p, outcome)
        assert (int(s.die_faces), int(s.die_kind)) == (0, st.Die.NONE)
    piles.peek_step(s)
    assert s.top[0, 0, :3].tolist() == [C8, C9, C7] and int(s.looked[0]) == bits(C7, C8, C9)
    assert int(s.draw[0, 0]) == bits(C7, C8, C9) and int(s.depth) == depth + 1
    piles.peek_step(s)
    assert int(s.depth) == depth  # five were to be looked at, but there are no more
    assert [event[2] for event in told(s)] == [C8, C9, C7]


def test_dice_of_a_plain_draw_thrown_at_one_go_are_those_thrown_card_by_card() -> None:
    """Five of seven cards: four dice at once leave hand, pile and history as four dice one by one do."""
    s, p = table()
    s.draw[0], s.top_n[0], depth = [bits(*range(7)), 0], [0, 0], int(s.depth)
    piles.draw(s, 0, 5, st.DrawFor.HAND, st.Zone.HAND)
    piles.draw_step(s, p)
    assert (int(s.die_faces), int(s.f_c[depth])) == (7, 1)
    cards, hand, history = list(range(7)), 0, int(s.private[0])
    dice = np.array([12345], dtype=np.uint64)
    for _ in range(4):
        card = cards.pop(int(rand_below(dice, len(cards))))
        hand |= 1 << card
        history = mix(history, piles.Event.CARD | 1 << 8 | (card + 64) << 16 | (st.DrawFor.HAND + 64) << 24)
    rng = np.array([12345], dtype=np.uint64)
    assert piles.deal_run(s, rng) == 4 and rng == dice
    assert (int(s.hand[0]), int(s.draw[0, 0]), int(s.private[0])) == (hand, bits(*cards), history)
    assert (int(s.f_a[depth]), int(s.f_c[depth]), int(s.die_faces)) == (1, 5, 3)
    for field, value in (("draw", [bits(*cards), bits(HA)]), ("top_n", [1, 0])):
        before = getattr(s, field)[0].copy()
        s.f_a[depth] = 3
        getattr(s, field)[0] = value
        assert piles.deal_run(s, rng) == 0 and rng == dice
        getattr(s, field)[0] = before


# Beginnings


@pytest.mark.parametrize(
    ("named", "field"),
    [("c_cards", "npc_cards"), ("c_relation", "relation"), ("c_malus", "malus"), ("c_open", "opened"),
     ("c_prepared", "prepared"), ("c_traits", "traits"), ("c_voluntary", "voluntary"), ("c_risk", "risk"),
     ("c_conf_value", "conf_value"), ("c_attr", "attr"), ("c_suits", "suits"), ("c_forbid", "forbid"),
     ("c_skills", "skills")],
)  # fmt: skip
@pytest.mark.parametrize("said", [-1, 0, 1])
def test_a_conflict_sets_what_it_names_and_leaves_the_rest(named: str, field: str, said: int) -> None:
    """R30, R90: a zero is said, too; of what an attribute has, that of the one tested now is set."""
    s, p = table()
    own = field in ("attr", "suits", "forbid", "skills")
    getattr(s, field)[1] = 1 if said == 0 else 2
    before = getattr(s, field)[1].copy()
    s.tested[1] = 3
    getattr(p, named)[0, 1], p.c_tested[0, 1] = said, -1
    opening.begin_conflict(s, p)
    after = getattr(s, field)[1]
    assert s.tested[1] == 3
    if own:
        assert after[3] == (said if said >= 0 else before[3]) and after[2] == before[2]
    else:
        assert after == (said if said >= 0 else before)
    p.c_tested[0, 1] = 0
    opening.begin_conflict(s, p)
    assert s.tested[1] == 0


@pytest.mark.parametrize(
    ("test", "drawing", "fresh", "kept"),
    [(0, "KEEP", 0, False), (1, "KEEP", 0, True), (1, "TOP_UP", 1, True), (1, "REDRAW", 1, False)],
)
def test_what_a_further_test_keeps(
    test: int, drawing: str, fresh: int, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R33, A12, A13: hands are kept after the first test if the option says so, and points unless tests stand alone."""
    lives: list[int] = []
    monkeypatch.setattr(opening.hooks, "reset_fields", lambda s, p, life: lives.append(life))
    s, p = table()
    p.continuation_draw, p.fresh, s.test = st.ContinuationDraw[drawing], fresh, test
    s.hand[0], s.shown[0], s.ep[0], s.ep[1] = bits(C7, C8), bits(C8), 2, -2
    s.slot[0, :3], s.slot_open[0, :3], s.ep_set[0], s.king[0], s.drawn[0], s.further[0] = 5, 1, 1, 1, 4, 9
    s.n_entries, s.round_no, s.cut = 3, 2, 1
    opening.begin_test(s, p)
    assert lives == [0]
    assert s.ep[:2].tolist() == s.ep_carried[:2].tolist() == ([0, 0] if fresh else [2, -2])
    assert (int(s.hand[0]), int(s.shown[0])) == ((bits(C7, C8), bits(C8)) if kept else (0, 0))
    assert int(s.disc[0, 0]) == (0 if kept else bits(C7, C8))
    assert s.slot[0, :3].tolist() == [-2] * 3 and s.slot_open[0, :3].tolist() == [0] * 3
    assert not any(int(x) for x in (s.ep_set[0], s.king[0], s.drawn[0], s.further[0], s.n_entries, s.round_no, s.cut))


@pytest.mark.parametrize("shared", [False, True])
def test_a_hand_that_is_given_is_nowhere_else(shared: bool) -> None:
    """The deck of seat 0 loses the cards of the hand wherever they lie, wrath cards included; other decks keep them."""
    s, p = table()
    p.wrath_deck = 0 if shared else 1
    hand = bits(C7, C8, C9, C10, CJ, CQ)
    s.wrath, s.conf[0], s.sleeve[0], s.aside[0] = bits(C7, CA), bits(C8, CK), bits(C9), bits(C10)
    s.conf[1], s.disc[0, 0] = bits(C8), bits(CJ)
    opening.fix_hand(s, p, 0, hand)
    assert (int(s.hand[0]), int(s.conf[0]), int(s.sleeve[0]), int(s.aside[0])) == (hand, bits(CK), 0, 0)
    assert int(s.wrath) == (bits(CA) if shared else bits(C7, CA)) and int(s.conf[1]) == bits(C8)
    assert int(s.disc[0, 0]) == 0 and not int(s.draw[0, 0]) & hand


@pytest.mark.parametrize(("points", "restricted", "lasting", "left"), [(2, 5, 1, 3), (9, 5, 1, 1), (1, 1, 4, 1)])
def test_what_heals_is_not_what_lasts(points: int, restricted: int, lasting: int, left: int) -> None:
    """R75: permanent points stay; of each attribute it is told once what has healed, if anything has."""
    s, p = table()
    s.restr[0, 2], s.perm[0, 2] = restricted, lasting
    opening.heal(s, p, 0, points)
    assert int(s.restr[0, 2]) == left
    assert told(s) == [(st.Event.HEAL, 0, restricted - left, 2)] * (left < restricted)


@pytest.mark.parametrize(
    ("attribute", "relation", "malus", "restricted", "cards"),
    [(7, "OWN", 0, 0, 7), (7, "OTHER", 0, 0, 5), (7, "NONE", 0, 0, 3), (7, "OWN", 2, 3, 2), (2, "OTHER", 0, 0, 1),
     (1, "NONE", 0, 0, 1), (3, "OWN", 0, 3, 0), (3, "OWN", 5, 0, 1), (3, "OWN", 0, 5, 0)],
)  # fmt: skip
def test_how_many_cards_a_character_draws(
    attribute: int, relation: str, malus: int, restricted: int, cards: int
) -> None:
    """R16, R31, R32: at least one card while anything is left of the attribute."""
    s, p = table()
    for seat, other in ((0, 1), (1, 0)):  # each by its own numbers: the other has eleven cards
        t = int(s.tested[seat])
        s.attr[seat, t], s.relation[seat], s.malus[seat] = attribute, st.Relation[relation], malus
        s.restr[seat, t] = restricted
        s.attr[other, t], s.relation[other], s.malus[other], s.restr[other, t] = 11, st.Relation.OWN, 0, 0
        assert (plays.hand_size_of(s, p, seat), plays.hand_size_of(s, p, other)) == (cards, 11)
        assert plays.attribute_of(s, p, seat) == max(0, attribute - restricted)
        assert plays.base_attribute(s, p, seat) == attribute


@pytest.mark.parametrize(("restrictions", "value", "cards"), [(0, 4, 4), (1, 1, 1)])
def test_what_an_npc_has_is_its_cards(restrictions: int, value: int, cards: int) -> None:
    """R17, A9, A21: restrictions lower it only with the option; a value of its own counts for the initiative alone."""
    s, p = table()
    p.npc_restrictions, s.npc_cards[2], s.restr[2, 0] = restrictions, 4, 3
    assert (plays.attribute_of(s, p, 2), plays.hand_size_of(s, p, 2)) == (value, cards)
    assert plays.base_attribute(s, p, 2) == 4
    p.npc_attribute[2] = 9
    assert plays.attribute_of(s, p, 2) == plays.base_attribute(s, p, 2) == 9
    assert plays.hand_size_of(s, p, 2) == cards
    s.restr[2, 0], p.npc_attribute[2] = 5, -1
    assert plays.attribute_of(s, p, 2) == (0 if restrictions else 4)


# Plays


def test_which_of_some_cards_was_played_first() -> None:
    """Round cards by their rounds, then further cards in the order of playing, then by number."""
    s, p = table()
    for card in (CA, C8, CK):  # further cards, one after the other
        s.hand[0] |= 1 << card
        plays.play_openly(s, p, 0, card)
    s.slot[0, :3] = [C10, st.Action.PASS, C9]
    order = [C10, C9, CA, C8, CK]
    for i in range(5):
        assert plays.next_played(s, p, 0, bits(*order[i:], HA, C7)) == order[i]
    assert plays.next_played(s, p, 0, bits(HA, C7)) == C7
    assert int(s.area[0]) == bits(CA, C8, CK) and not s.hand[0]


def test_rounds_that_are_still_free() -> None:
    s, p = table()
    s.slot[0, :3], s.round_no = [-2, C7, -2], 0
    assert plays.free_slots(s, p, 0) == 0b101
    s.round_no = 1
    assert plays.free_slots(s, p, 0) == 0b100
    s.slot[0, 2] = st.Action.PASS
    assert plays.free_slots(s, p, 0) == 0


def test_a_suit_is_known_once_and_told_once() -> None:
    """A18: diamonds are trump for seat 0, clubs are not."""
    s, p = table()
    s.known[0], s.suits[0, int(s.tested[0])] = 0, 0b0100
    for play in (D7, D7, C7, st.Action.PASS):
        plays.show_trump(s, p, 0, play)
    assert int(s.known[0]) == 0b0101
    assert told(s) == [(st.Event.TRUMP, 0, 2, 1), (st.Event.TRUMP, 0, 0, 0)]
    p.colours_count = 0
    plays.show_trump(s, p, 0, S7)
    assert int(s.known[0]) == 0b0101


@pytest.mark.parametrize(("forbidden", "allowed"), [(0, (C7, S7, D7, HA)), (1, (C7, S7)), (2, (D7, HA))])
def test_cards_of_a_forbidden_colour(forbidden: int, allowed: tuple[int, ...]) -> None:
    """R15: 1 forbids red, 2 black."""
    s, p = table()
    s.forbid[0, int(s.tested[0])], s.hand[0] = forbidden, bits(C7, S7, D7, HA)
    assert plays.plays_of(s, p, 0, 0) == plays.allowed_colour(s, 0, bits(C7, S7, D7, HA)) == bits(*allowed)


# Ends


@pytest.mark.parametrize(
    ("by", "asked", "votes", "passed"),
    [("LOSER", 0b010, {1: "NO"}, False), ("LOSER", 0b010, {1: "YES"}, True), ("ALL", 0b111, {1: "NO"}, False),
     ("ALL", 0b111, {}, True), ("ANY", 0b111, {0: "NO", 1: "NO"}, True),
     ("ANY", 0b111, {0: "NO", 1: "NO", 2: "NO"}, False)],
)  # fmt: skip
def test_votes_of_those_who_are_asked(by: str, asked: int, votes: dict[int, str], passed: bool) -> None:
    """R72, A14: seat 1 alone has lost. Votes of those who were asked are told, and nobody else's; then all are void."""
    s, p = table()
    p.continue_by, s.ep[:3], depth = st.ContinueBy[by], [0, -1, 1], int(s.depth)
    s.sealed[:3] = 7
    ending.ask_vote(s, p)
    assert int(s.f_bits[depth]) == asked and int(s.f_seat[depth]) == (1 if by == "LOSER" else 0)
    given = {seat: int(st.Action[votes.get(seat, "YES")]) for seat in range(3) if asked >> seat & 1}
    for seat, vote in given.items():
        s.sealed[seat] = vote
    assert ending.vote_passed(s, p) == passed
    assert told(s) == [(st.Event.VOTE, seat, vote, 0) for seat, vote in given.items()]
    assert s.sealed[:3].tolist() == [-1] * 3


@pytest.mark.parametrize(("ep", "tests", "goes_on"), [(2, 1, True), (-3, 1, False), (4, 1, False), (-2, 2, False)])
def test_a_conflict_goes_on_until_somebody_has_three_or_tests_are_over(ep: int, tests: int, goes_on: bool) -> None:
    """R73."""
    s, p = table()
    p.max_tests, s.tests_played, s.ep[:3] = 2, tests, [0, ep, 0]
    assert ending.conflict_goes_on(s, p) == goes_on


@pytest.mark.parametrize(
    ("ep", "restrict", "points", "lasting"),
    [(0, 1, 0, 0), (-1, 1, 1, 0), (-2, 1, 3, 0), (-3, 1, 4, 1), (-5, 1, 4, 1), (3, 1, 0, 0), (-3, 0, 0, 0)],
)
def test_what_a_result_costs(ep: int, restrict: int, points: int, lasting: int) -> None:
    """Table 2.2 (R70, R71, R74, R75), on the attribute tested; an npc pays nothing without `npc_restrictions` (A21)."""
    s, p = table()
    s.tested[0] = 2
    ending.enter_restriction(s, p, 0, ep, restrict)
    assert s.restr[0, :4].tolist() == [0, 0, points, 0] and s.perm[0, :4].tolist() == [0, 0, lasting, 0]
    assert told(s) == [(st.Event.RESTRICT, 0, points, 4)] * (points > 0)
    ending.enter_restriction(s, p, 2, -3, 1)
    assert not s.restr[2].any()


@pytest.mark.parametrize(
    ("ep", "lethal", "campaign", "dead"),
    [(-3, 1, 1, 1), (-4, 1, 1, 1), (-2, 1, 1, 0), (-3, 0, 1, 0), (-3, 1, 0, 0)],
)
def test_a_conflict_ends_with_its_costs_and_deaths(ep: int, lethal: int, campaign: int, dead: int) -> None:
    """R74, R93: what a swapped card costs is told as such (the last bit), with its attribute; a perfect loss kills."""
    s, p = table()
    p.lethal[0], p.campaign, p.heal_per_conflict = lethal, campaign, 0
    s.ep[:3], s.tested[0], s.extra_restr[:3], p.restrict[0] = [ep, 3, ep], 2, [2, 0, 2], 0
    ending.end_conflict(s, p)
    assert s.dead[:3].tolist() == [dead, 0, 0] and s.ep_final[:3].tolist() == [ep, 3, ep]
    assert s.restr[0, :4].tolist() == [0, 0, 2, 0] and not s.restr[2].any() and not s.extra_restr.any()
    assert [event for event in told(s) if event[0] == st.Event.RESTRICT] == [(st.Event.RESTRICT, 0, 2, 5)]


def test_a_death_is_told_of_the_dead_and_ends_it() -> None:
    """R92, R93: weight 2 times -3, and the two conflicts that are left, with weights 1 and 4, at -2 each."""
    s, p = table()
    p.conflicts, p.weight[:4], p.unplayed, p.events_only[:4] = 4, [2, 1, 9, 4], -2.0, [0, 0, 1, 0]
    s.ep[:3], s.dead[0], s.total[:3], s.scored = [-3, 3, 0], 1, 0, 0
    s.hand[:3], s.shown[1] = [bits(C7), bits(C8), 0], bits(C8)
    ending.close_conflict(s, p)
    assert s.total[:3].tolist() == [-6 - 10, 6, 0] and int(s.conflict) == 4 and int(s.scored) == 1
    assert told(s) == [(st.Event.DEAD, 0, 0, 0)]
    assert (
        not s.hand[:3].any() and not s.shown[:3].any() and [int(s.disc[d, 0]) for d in (0, 1)] == [bits(C7), bits(C8)]
    )


# Dealing again


def test_what_a_hidden_trump_adds_to_a_class() -> None:
    """R5, A18: hearts are trump for seat 2: 8 more, as long as not everybody knows it; other suits add nothing."""
    s, p = table()
    t = int(s.tested[2])
    s.suits[2, t], s.known[2] = 0b1000, 0
    assert [redeal.trump_worth(s, p, 2, play) for play in (HA, 24, D7, st.Action.PASS, st.NO_CARD)] == [8, 8, 0, 0, 0]
    assert int(s.suits[2, t]) == 0b1000
    s.slot[2, :3], s.slot_class[2, :3] = [HA, D7, -2], [15, 0, 0]
    s.n_entries = 1
    s.e_a[0], s.e_play_a[0], s.e_class_a[0] = 2, HA, 15
    s.e_b[0], s.e_play_b[0], s.e_class_b[0] = 0, HA, 7
    redeal.reclass(s, p, 2, -1)
    assert s.slot_class[2, :3].tolist() == [7, 0, 0] and (int(s.e_class_a[0]), int(s.e_class_b[0])) == (7, 7)
    redeal.reclass(s, p, 2, 1)
    assert s.slot_class[2, :3].tolist() == [15, 0, 0] and int(s.e_class_a[0]) == 15
    s.known[2] = 0b1000
    assert redeal.trump_worth(s, p, 2, HA) == 0


def test_a_card_that_is_dealt_again_goes_where_one_is_missing() -> None:
    """Every zone takes its card out of the pool; what a seat will remember does not depend on the order."""
    s, p = table()
    wanted = {redeal.N_HAND: "hand", redeal.N_CONF: "conf", redeal.N_SLEEVE: "sleeve"}
    for zone in range(7):
        s.pool[0], s.need[0, zone], p.wrath_deck = bits(C7, C9, CK), 2, 0
        s.hand[0] = s.conf[0] = s.sleeve[0] = s.unseen[0] = s.wrath = s.private[0] = 0
        s.disc[0], s.draw[0] = [0, 0], [0, 0]
        s.die_kind, s.die_deck, s.die_pile, s.die_faces = st.Die.REDEAL, 0, zone, 3
        redeal.redeal_fell(s, p, 1)
        assert (int(s.pool[0]), int(s.need[0, zone]), int(s.die_faces)) == (bits(C7, CK), 1, 0)
        lie = {
            "hand": int(s.hand[0]), "conf": int(s.conf[0]), "sleeve": int(s.sleeve[0]), "wrath": int(s.wrath),
            "a": int(s.disc[0, 0]), "b": int(s.disc[0, 1]), "draw_b": int(s.draw[0, 1]),
        }  # fmt: skip
        where = [name for name, cards in lie.items() if cards == bits(C9)]
        assert where == [wanted.get(zone, ("a", "b", "draw_b", "wrath")[zone - 3])] and sum(lie.values()) == bits(C9)
        assert int(s.unseen[0]) == (bits(C9) if zone in (redeal.N_DISC_A, redeal.N_DISC_B) else 0)
        assert int(s.private[0]) == (mix(C9 + 1, zone + 1) if zone in wanted else 0)


def test_of_the_cards_on_top_those_looked_at_from_the_first_on_stay() -> None:
    """Seat 0 has looked at the first and the third: what lies below the first gap is dealt again."""
    s, p = table(deck="shared_all")
    mine = int(s.deck_of[0])
    s.draw[mine], s.top_n[mine, 0] = [bits(C7, C8, C10, CJ), 0], 3
    s.top[mine, 0, :3] = [C8, C7, CJ]
    s.looked[0], s.hand[1], s.hand[2] = bits(C8, CJ), bits(CQ, CK), bits(C9)
    s.shown[1], s.conf[1], s.unseen[2], s.disc[mine] = bits(CQ), bits(CA), bits(S7), [bits(S7, D7), 0]
    redeal.forget(s, p, 0)
    assert int(s.top_n[mine, 0]) == 1 and s.top[mine, 0, :3].tolist() == [C8, 0, 0]
    assert int(s.pool[mine]) == bits(C7, C10, CJ, CK, C9, CA, S7)
    assert int(s.draw[mine, 0]) == bits(C8) and int(s.hand[1]) == bits(CQ) and int(s.disc[mine, 0]) == bits(D7)
    assert s.need[1, :7].tolist() == [1, 1, 0, 0, 0, 0, 0] and s.need[2, :7].tolist() == [1, 0, 0, 1, 0, 0, 0]
    assert not s.conf[1] and not s.unseen[2] and int(s.observer) == 0


@pytest.mark.parametrize("phase", ["COMMIT", "REACT"])
def test_what_others_have_laid_face_down_is_taken_back(phase: str) -> None:
    """R43: seat 1 has laid a hidden card and an open one, seat 2 a hidden pass; seat 0, who asks, keeps its own."""
    s, p = table()
    p.slots, f = 1, int(s.depth) - 1
    s.f_phase[f], s.f_bits[f] = st.Phase[phase], 0
    s.slot[:3, :3] = [[C7, -2, -2], [C8, C9, -2], [st.Action.PASS, -2, -2]]
    s.slot_class[:3, 0], s.slot_open[1, 1] = [1, 2, 3], 1
    s.area[:3], s.hand[:3] = [bits(C7), bits(C8, C9), 0], [0, bits(CA), 0]
    redeal.release_hidden(s, p, 0)
    back = phase == "COMMIT"
    assert s.slot[:3, 0].tolist() == ([C7, -2, -2] if back else [C7, C8, st.Action.PASS]) and s.slot[1, 1] == C9
    assert s.slot_class[:3, 0].tolist() == ([1, 0, 0] if back else [1, 2, 3])
    assert s.area[:3].tolist() == [bits(C7), bits(C9) if back else bits(C8, C9), 0]
    assert s.hand[:3].tolist() == [0, bits(C8, CA) if back else bits(CA), 0]
    assert int(s.f_bits[f]) == (0b110 if back else 0)


@pytest.mark.parametrize("phase", ["COMMIT", "CONTINUE", "ACT"])
def test_what_others_have_sealed_they_are_asked_again(phase: str) -> None:
    s, p = table()
    f = int(s.depth) - 1
    s.f_phase[f], s.f_bits[f], s.sealed[:3] = st.Phase[phase], 0, [3, 0, -1]
    redeal.release_hidden(s, p, 0)
    assert s.sealed[:3].tolist() == [3, -1, -1] and int(s.f_bits[f]) == 0b010


def test_what_is_hidden_is_counted_by_where_it_lies() -> None:
    """A deck of all: pile B, both discard piles, the sleeve and the wrath cards; only seats' own memory is kept."""
    s, p = table(deck="shared_all")
    d = int(s.deck_of[0])
    p.wrath_deck = d
    s.draw[d], s.top_n[d] = [bits(C7), bits(C8, C9)], [0, 1]
    s.top[d, 1, 0] = C8
    s.disc[d], s.unseen[1], s.unseen[0] = [bits(S7), bits(D7, HA)], bits(D7), bits(HA)
    s.hand[:3], s.sleeve[1], s.wrath = [bits(CA), 0, 0], bits(CK), bits(C10, CJ)
    s.private[:3], s.looked[1], s.known[1], depth = [5, 6, 7], bits(C8, C9), 15, int(s.depth)
    redeal.forget(s, p, 0)
    assert int(s.pool[d]) == bits(C7, C8, C9, D7, CK, C10, CJ)
    assert s.draw[d].tolist() == [0, 0] and s.disc[d].tolist() == [bits(S7), bits(HA)] and not s.top_n[d].any()
    assert s.need[0, :7].tolist() == [0, 0, 0, 0, 0, 2, 2] and s.need[1, :7].tolist() == [0, 0, 1, 0, 1, 0, 0]
    assert s.private[:3].tolist() == [5, 0, 0] and not s.looked[1] and not s.wrath and int(s.unseen[0]) == bits(HA)
    assert int(s.depth) == depth + 1 and int(s.f_phase[depth]) == st.Frame.REDEAL and int(s.f_seat[depth]) == 0
    asked = []
    while int(s.depth) > depth:
        redeal.redeal_step(s, p)
        if s.die_faces:
            asked.append((int(s.die_deck), int(s.die_pile), int(s.die_faces)))
            redeal.redeal_fell(s, p, 0)
    assert asked == [(0, 5, 7), (0, 5, 6), (0, 6, 5), (0, 6, 4), (1, 2, 3), (1, 4, 2)]
    assert (s.draw[d].tolist(), int(s.wrath)) == ([bits(D7), bits(C7, C8)], bits(C9, C10))
    assert (int(s.sleeve[1]), s.disc[d].tolist(), int(s.unseen[1])) == (bits(CJ), [bits(S7), bits(HA, CK)], bits(CK))


def test_hidden_trumps_are_dealt_suit_by_suit_and_plays_are_worth_what_they_say() -> None:
    """A18: of seat 2 spades are known not to be trump; clubs become trump, so that its ace of clubs is class 15."""
    s, p = table()
    t = int(s.tested[2])
    s.known[:3], s.suits[2, t], s.slot[2, 0], s.slot_class[2, 0] = [15, 15, 0b0010], 0b1001, CA, 15
    s.hand[2], depth = 0, int(s.depth)
    redeal.forget(s, p, 0)
    assert int(s.suits[2, t]) == 0 and int(s.slot_class[2, 0]) == 7
    asked = []
    while int(s.depth) > depth:
        redeal.redeal_step(s, p)
        if s.die_faces:
            asked.append((int(s.die_kind), int(s.die_deck), int(s.die_pile), int(s.die_faces)))
            redeal.redeal_fell(s, p, int(s.die_pile == 0))
    assert asked == [(st.Die.TRUMP, 2, suit, 2) for suit in (0, 2, 3)]
    assert int(s.suits[2, t]) == 0b0001 and int(s.slot_class[2, 0]) == 15
    assert int(s.private[2]) == mix(100, 2) ^ mix(102, 1) ^ mix(103, 1)


@pytest.mark.parametrize("melee", [0, 1])
@pytest.mark.parametrize("openly", [0, 1])
def test_a_play_lies_in_the_slot_of_its_round(melee: int, openly: int) -> None:
    """R51, A18: an open card is seen by all and, where all see the order of plays, tells whether its suit is trump."""
    s, p = table()
    s.hand[0], s.suits[0, int(s.tested[0])], s.known[0], p.melee[0] = bits(C7, C8), 0b1, 0, melee
    if openly:
        plays.lay_open(s, p, 0, C8, 1)
    else:
        plays.take_play(s, p, 0, C8)
        plays.lay(s, p, 0, C8, 1, 0)
    assert (int(s.slot[0, 1]), int(s.slot_class[0, 1]), int(s.slot_open[0, 1])) == (C8, 9, openly)
    assert (int(s.hand[0]), int(s.area[0])) == (bits(C7), bits(C8))
    seen = bits(C8) if openly else 0
    assert (int(s.played[0]), int(s.seen[0])) == (seen, seen) and int(s.known[0]) == (openly & melee)
    shown = [(st.Event.REVEAL, 0, C8, 1), (st.Event.TRUMP, 0, 0, 1)]
    assert told(s) == shown[: openly * (1 + melee)]


def test_costs_of_each_test_are_those_of_its_own_points() -> None:
    """R74, A15: carried 1, now -1: the test itself was lost by two points, which costs three."""
    s, p = table()
    p.penalty_each_test, p.restrict[0], p.max_tests, s.tests_played = 1, 1, 2, 0
    s.ep[:3], s.ep_carried[:3], s.tested[0], s.area[1] = [-1, 1, 0], [1, 0, 0], 2, bits(CA)
    p.continue_by = st.ContinueBy.ALWAYS
    ending.judge(s, p)
    assert int(s.restr[0, 2]) == 3 and int(s.test) == 1 and int(s.pc) == st.Station.TEST
    assert not s.area[1] and int(s.disc[1, 0]) == bits(CA) and int(s.tests_played) == 1
    ending.judge(s, p)
    assert int(s.test) == 1 and int(s.pc) == st.Station.CONFLICT_END and int(s.restr[0, 2]) == 6
    ending.end_conflict(s, p)
    assert int(s.restr[0, 2]) == 6


def test_the_last_card_of_a_pile_brings_the_next_one_and_the_draw_goes_on() -> None:
    """R22, R23: one card on the pile and two discarded; of four to draw three come, and that is no error."""
    s, p = table()
    s.draw[0], s.disc[0], depth = [bits(C7), 0], [bits(C8, C9), 0], int(s.depth)
    piles.draw(s, 0, 4, st.DrawFor.HAND, st.Zone.HAND)
    for faces, left in ((1, bits(C8, C9)), (2, bits(C9)), (1, 0)):
        piles.draw_step(s, p)
        assert int(s.die_faces) == faces
        piles.card_fell(s, p, 0)
        assert int(s.draw[0, 0]) == left and not s.disc[0].any()
    piles.draw_step(s, p)
    assert int(s.depth) == depth and int(s.hand[0]) == bits(C7, C8, C9)
    assert told(s)[-1] == (st.Event.DRAWS, 0, 3, st.DrawFor.HAND)
    assert [event[0] for event in told(s)].count(st.Event.RESHUFFLE) == 1


def test_no_class_of_a_team_is_best_before_there_is_one() -> None:
    """`team_max` of a team whose members have all lost is the smallest loss."""
    p = SimpleNamespace(payoff=st.Payoff.TEAM_MAX, seats=3, team=[0, 1, 0])
    assert ending.utility(SimpleNamespace(ep=[-9, 5, -7]), p, 0) == -7


# Cards as a solver knows them


def abstracted(s: Any, p: Any, seat: int) -> list[int]:
    """The abstract actions that are legal."""
    words = np.zeros(2, np.int64)
    abstraction.abstract_legal(s, p, seat, words)
    return [a for a in range(64) if int(words[a >> 5]) >> (a & 31) & 1]


def committing(*cards: int) -> tuple[Any, Any]:
    """A table at which the second seat holds some cards and chooses those of its rounds."""
    s, p = table()
    s.depth, s.hand[1], s.slot[1], s.round_no, s.n_entries = 1, bits(*cards), -2, 0, 0
    s.f_phase[0] = st.Phase.COMMIT
    return s, p


def test_cards_are_known_by_their_places_among_the_three_best() -> None:
    """Two aces, the lower id before; a queen; the lowest of the others, of two eights that of clubs."""
    s, p = committing(C8, CJ, CQ, CA, HA, S7 + 1)
    own = st.Action.PASS
    assert abstracted(s, p, 1) == [0, 1, 2, 3, own]
    assert [abstraction.abstract_action(s, p, 1, a) for a in (0, 1, 2, 3, own)] == [CA, HA, CQ, C8, own]
    assert [abstraction.slot_of(s, p, 1, card) for card in (CA, HA, CQ, CJ, C8, S7 + 1)] == [0, 1, 2, 3, 3, 3]
    s.hand[1], s.slot[1, 1] = bits(C8, CJ, CQ, CA, S7 + 1), HA  # laid, and its place stays
    assert abstracted(s, p, 1) == [0, 2, 3, own]
    assert [abstraction.abstract_action(s, p, 1, a) for a in (0, 2, 3)] == [CA, CQ, C8]
    s.suits[1, int(s.tested[1])], p.colours_count = 1 << 1, 1  # spades are trumps: the eight is the best now
    assert [abstraction.abstract_action(s, p, 1, a) for a in (0, 1, 2, 3)] == [S7 + 1, CA, HA, C8]
    assert abstracted(s, p, 1) == [0, 1, 3, own]


@pytest.mark.parametrize(("cards", "legal"), [((), []), ((C7,), [0]), ((C7, HA), [0, 1]), ((C7, C8, HA), [0, 1, 2])])
def test_up_to_three_cards_are_all_among_the_best(cards: tuple[int, ...], legal: list[int]) -> None:
    s, p = committing(*cards)
    assert abstracted(s, p, 1) == [*legal, st.Action.PASS] and abstraction.lowest_other(s, p, 1) == -1
    best = sorted(cards, key=lambda card: (-(card & 7), card))
    assert [abstraction.abstract_action(s, p, 1, a) for a in legal] == best


def test_what_a_solver_knows_of_a_conflict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its points, which places it laid in the rounds before, and how each went; suits and faces are all one."""
    monkeypatch.setattr(abstraction, "outcome_for", lambda s, i, seat: int(s.slot[0, i]) if seat == 1 else 9)

    def known(cards: tuple[int, ...], laid: int, outcome: int = 1, ep: int = 0, test: int = 0, entries: int = 1) -> int:
        s, p = committing(*(card for card in cards if card != laid))
        s.round_no, s.n_entries, s.slot[1, 0], s.slot[0, 0] = 1, entries, laid, outcome
        s.test, s.ep[1] = test, ep
        return abstraction.abstract_key(s, p, 1)

    hand, other = (C8, CJ, CQ, CA), (S7, D7 + 1, D7 + 2, HA)
    assert known(hand, CA) == known(other, HA) and known(hand, C8) == known(other, S7)
    cases = [known(hand, card) for card in (CA, CQ, CJ, C8, st.Action.PASS)]
    cases += [known(hand, CA, outcome=-1), known(hand, CA, ep=1), known(hand, CA, test=1), known(hand, CA, entries=0)]
    assert len(set(cases)) == 9


def test_outside_of_commits_the_game_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abstraction, "legal", lambda s, p, seat, words: words.__setitem__(0, 1 << 5 + seat))
    monkeypatch.setattr(abstraction, "key", lambda s, p, seat: 77 + seat)
    for depth, phase in ((0, st.Phase.COMMIT), (1, next(p for p in st.Phase if p != st.Phase.COMMIT))):
        s, p = committing(C8, CJ, CQ, CA)
        s.depth, s.f_phase[0] = depth, phase
        assert abstracted(s, p, 1) == [6] and abstraction.abstract_key(s, p, 1) == 78
        assert [abstraction.abstract_action(s, p, 1, a) for a in range(5)] == [0, 1, 2, 3, 4]
