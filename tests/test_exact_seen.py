"""Every number that a seat sees, by hand: a position is set, and what both seats are shown of it is written down."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.game import Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.einblatt import observe as sight
from probespiel.envs.einblatt import state as cards
from probespiel.envs.einblatt import windows
from probespiel.envs.ews_rps import state as rps
from probespiel.envs.oneshot import state as oneshot
from probespiel.envs.scorekeeper import state as fights
from tests.test_small_sights import told


def here(name: str, **config: Any) -> Position:
    return make_game(name, compiled=False, **config).position()


def ones(*places: Any) -> dict[Any, float]:
    return dict.fromkeys(places, 1.0)


# Rock, paper, scissors


def contest() -> Position:
    """A contest in its fourth round, in which the second seat acts with 9 against 6: two rounds lost on end."""
    position = here("ews_rps")
    s, p = position.record, position.game.params
    s.drawn, s.test, s.score, s.kind, s.acting = p.n_tests, 0, -0.5, 1, 1
    s.mine, s.other, s.gap, s.need, s.net, s.rounds, s.decided = 9, 6, -3, 2, -2, 3, 1
    s.win_points, s.loss_points, s.ask_phase = 40, 20, int(rps.Phase.ROUND)
    return position


@pytest.mark.parametrize(("seat", "own"), [(0, {"own number": 6, "other number": 9}),
                                           (1, {"acting": 1, "own number": 9, "other number": 6})])  # fmt: skip
def test_a_test_as_both_see_it(seat: int, own: dict[str, float]) -> None:
    position = contest()
    s, p = position.record, position.game.params
    most = p.max_rounds
    found = {
        "contest": 1, **own, "difference": -3, "need": 2, "sign of the streak": -1, "length of the streak": 2 / most,
        "rounds": 3 / most, "decided": 1, "win_points": 40, "loss_points": 20,
    }  # fmt: skip
    assert told(position, seat, "test") == pytest.approx({**found, "round due": 1}, abs=1e-4)
    s.ask_phase = int(rps.Phase.CHOICE)
    assert told(position, seat, "test") == pytest.approx({**found, "choice due": 1}, abs=1e-4)
    s.ask_phase = int(rps.Phase.OVER)
    assert told(position, seat, "test") == {"nothing due": 1}
    s.ask_phase, s.drawn = int(rps.Phase.ROUND), p.n_tests - 1
    assert told(position, seat, "test") == {"nothing due": 1}, "the tests are drawn first"


def test_the_match_as_both_see_it() -> None:
    """Half a test behind, of one; what is paid is told, and whether tests may be declined."""
    position = contest()
    pays = ("pays pass", "pays margin", "pays stakes")[position.game.params.payoff]
    first, second = (told(position, seat, "match") for seat in (0, 1))
    n = position.game.params.n_tests
    whole = {pays: 1.0} | ({"may_decline": 1.0} if position.game.params.may_decline else {})
    assert first == pytest.approx({**whole, "own score": -0.5 / n}) and second == pytest.approx(
        {**whole, "own score": 0.5 / n}
    )


def test_rounds_and_shares_of_symbols_as_both_see_them() -> None:
    """First 0 against 2, which the second seat won as the acting one, at the start of a test; then 1 against 1."""
    position = contest()
    s = position.record
    k = rps.SYMBOLS
    rounds = [(0, 2, 2, 1, 1, 0), (1, 1, 1, 1, 0, 1)]  # symbols, result of the acting seat, who acts, first, decided
    for i, (one, other, result, acting, first, decided) in enumerate(rounds):
        s.hist[i] = (one | other << rps.H_SYMBOL | result << rps.H_OUTCOME | acting << rps.H_ACTING
                     | first << rps.H_FIRST | decided << rps.H_DECIDED)  # fmt: skip
    s.past = 2
    s.shown[:] = 0
    s.shown[0, :2], s.shown[1, 1:3] = (1, 1), (1, 1)
    s.after[:] = 0
    s.after[0, 0, 1], s.after[1, 2, 1], s.after[1, 2, 0] = 1, 3, 1
    views = [position.game.layout.view(position.observe(seat)) for seat in (0, 1)]
    first, second = (view["history"] for view in views)
    assert not first[2:].any() and not second[2:].any()
    results = 2 * k  # win, draw, loss, first of a test, decided
    assert np.flatnonzero(first[0]).tolist() == [1, k + 1, results + 1, results + 4]
    assert np.flatnonzero(first[1]).tolist() == [0, k + 2, results + 2, results + 3], "it lost"
    assert np.flatnonzero(second[0]).tolist() == [1, k + 1, results + 1, results + 4]
    assert np.flatnonzero(second[1]).tolist() == [2, k + 0, results, results + 3]
    one, other = (view["counts"] for view in views)
    assert one[:k].tolist() == other[k : 2 * k].tolist() == [0.0, 0.5, 0.5, *[0.0] * (k - 3)]
    assert other[:k].tolist() == one[k : 2 * k].tolist() == [0.5, 0.5, 0.0, *[0.0] * (k - 3)]
    assert {int(i): float(one[2 * k + i]) for i in np.flatnonzero(one[2 * k :])} == {2 * k: 0.25, 2 * k + 1: 0.75}
    assert {int(i): float(other[2 * k + i]) for i in np.flatnonzero(other[2 * k :])} == {1: 1.0}
    assert views[0]["mask"].tolist() == [float(a in position.legal(0)) for a in range(position.game.n_actions)]
    s.ask_phase = int(rps.Phase.CHOICE)
    (asked,) = position.to_act()
    masks = [position.game.layout.view(position.observe(seat))["mask"] for seat in (0, 1)]
    assert masks[asked].any() and not masks[1 - asked].any()


# einBlatt


def melee() -> Position:
    """Seat 1 of nine, whose leader is seat 2, in its second round; and seat 4 of the other team."""
    position = here("einblatt-melee")
    s = position.record
    s.round_no = 1
    return position


def test_the_clock_and_who_looks() -> None:
    position = melee()
    s, p = position.record, position.game.params
    s.test, s.conflict, s.session, s.decisions = 0, 0, 1, p.max_decisions // 4
    assert told(position, 5, "me") == {"seat 5": 1}
    assert told(position, 5, "clock") == {"round 1": 1, "session": 1, "decisions": 0.25}
    s.round_no, s.decisions = 3, 2 * p.max_decisions
    assert told(position, 0, "clock") == {"session": 1, "decisions": 1}, "after the rounds none is under way"


def test_what_a_seat_is_asked_for_and_knows_of_itself() -> None:
    position = melee()
    s = position.record
    for name, value in {
        "relation": 1, "malus": 2, "traits": 4, "voluntary": 1, "risk": 0, "prepared": 3, "opened": 2,
    }.items():  # fmt: skip
        getattr(s, name)[1] = value
    assert position.game.params.colours_count, "a conflict in which trumps count, of weight 1, all in"
    whole = {"weight": 1, "restrict": 1, "all_in": 1, "colours_count": 1}
    own = {"relation 1": 1, "malus": 2, "traits": 4, "voluntary": 1, "prepared": 3, "open": 2}
    assert told(position, 1, "terms") == {**own, **whole}
    assert told(position, 0, "terms") == {"relation 2": 1, **whole}
    for forbidden, name in ((1, "red forbidden"), (2, "black forbidden")):
        s.forbid[1, s.tested[1]] = forbidden
        assert told(position, 1, "terms") == {**own, **whole, name: 1}
    s.voluntary[1], s.risk[1] = 0, 1
    assert "voluntary" not in told(position, 1, "terms") and told(position, 1, "terms")["risk"] == 1
    s.relation[1] = 5
    assert told(position, 1, "terms")["relation 2"] == 1


def test_a_seat_as_others_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat 1 as seats 0, 4 and itself see it: of its trumps 0 and 2 one was shown."""
    position = melee()
    s, p = position.record, position.game.params
    deck = int(s.deck_of[1])
    s.hand[1], s.sleeve[1] = 0b10110, 1 << 9
    s.draw[deck], s.disc[deck] = (0b11 << 20, 0), (0b111 << 24, 1)
    s.restr[1, s.tested[1]], s.ep[1], s.ep_carried[1] = 2, 3, 1
    s.passed[1] = s.spent[1] = s.king[1] = s.dead[1] = 1
    s.is_open[1], s.waited[1], s.xp_free[1] = 1, 1, 5
    s.suits[1, s.tested[1]], s.known[1] = 0b101, 0b0110
    s.slot_open[1], s.slot[1] = (1, 1, 1), (7, 2, 12)
    s.slot_class[1, 1] = 11
    monkeypatch.setattr(sight, "attribute_of", lambda s, p, o: 6)
    found = {
        "pc": 1, "hand": 3, "draw": 2, "discard": 4, "restriction": 2, "ep": 3, "carried ep": 1, "passed": 1, "open": 1,
        "spent": 1, "waited": 1, "sleeve": 1, "open slots": 2, "xp_free": 5, "king slot": 1,
    }  # fmt: skip
    shown = {k: v for k, v in told(position, 0, "seat", 1).items() if k != "attribute"}
    # suit 0 is not known to be a trump: an ace of it counts as little as any; 1 is known to be none, 2 to be one
    secret = {"trump suit 0": 0.5, "trump suit 2": 1, "trump suit 3": 0.5, "class of round card": 3}
    assert shown == {**found, **secret, "ally": 1}
    shown = {k: v for k, v in told(position, 4, "seat", 1).items() if k != "attribute"}
    assert shown == {**found, **secret}
    shown = {k: v for k, v in told(position, 1, "seat", 1).items() if k != "attribute"}
    assert shown == {**found, "is_me": 1, "trump suit 0": 1, "trump suit 2": 1, "class of round card": 11}
    s.slot[1, 1] = cards.NO_CARD
    assert told(position, 4, "seat", 1)["no card"] == 1 and "class of round card" not in told(position, 4, "seat", 1)
    s.slot_open[1, 1] = 0
    assert "no card" not in told(position, 4, "seat", 1)
    leaders = [row for row in range(position.game.n_seats) if told(position, 0, "seat", row).get("leader")]
    assert leaders == [seat for seat in range(position.game.n_seats) if p.leader[seat] == seat]


def deck(**more: Any) -> tuple[Any, Any]:
    """Three seats of deck 0 and a fourth of deck 1, each with a card in every place; wrath of deck 1."""
    hand, conf, sleeve = ([1 << first + i for i in range(4)] for first in (0, 4, 8))
    s = SimpleNamespace(
        deck_of=[0, 0, 0, 1], hand=hand, shown=[0, 0, 0, 0], conf=conf, sleeve=sleeve,
        unseen=[1 << 12, 1 << 13, 0, 1 << 15],
        disc=np.array([[1 << 13, 1 << 14], [0, 0]]),
        slot=np.array([[16, 17, 18], [19, 33, 20], [-1, 21, 22], [23] * 3]),
        slot_open=np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0] * 3]), wrath=1 << 30,
    )  # fmt: skip
    return s, SimpleNamespace(**{"seats": 4, "slots": 1, "rounds": 2, "wrath_deck": 1, **more})


def places(bits: int) -> list[int]:
    return [i for i in range(32) if bits >> i & 1]


def test_cards_that_may_lie_in_the_piles() -> None:
    """Of the others of the same deck: hands, confidants, sleeves, cards laid face down in rounds; discards unseen."""
    s, p = deck()
    assert places(sight.hidden_discards(s, p, 0, 0)) == [13]
    assert places(sight.hidden_discards(s, p, 2, 0)) == [12, 13]
    assert places(sight.unknown_cards(s, p, 0, 0)) == [1, 2, 5, 6, 9, 10, 13], "no card lies face down in two rounds"
    s.slot[1, 1] = 24
    assert places(sight.unknown_cards(s, p, 0, 0)) == [1, 2, 5, 6, 9, 10, 13, 24]
    assert places(sight.unknown_cards(s, p, 3, 1)) == [30] and places(sight.unknown_cards(s, p, 2, 1)) == [
        3,
        7,
        11,
        23,
        30,
    ]
    s.shown[2] = 1 << 2
    assert places(sight.unknown_cards(s, p, 0, 0)) == [1, 5, 6, 9, 10, 13, 24], "a card of a hand that all have seen"
    p.slots = 0
    assert places(sight.unknown_cards(s, p, 0, 0)) == [1, 5, 6, 9, 10, 13]
    p.wrath_deck = 0
    assert places(sight.unknown_cards(s, p, 0, 0)) == [1, 5, 6, 9, 10, 13, 30]


def test_who_is_alone_with_a_deck() -> None:
    s, p = deck()
    assert sight.not_alone(s, p, 0, 0) and sight.not_alone(s, p, 3, 1), "wrath comes from it"
    s.wrath = 0
    assert not sight.not_alone(s, p, 3, 1) and sight.not_alone(s, p, 0, 1)


def test_what_lies_open_and_who_has_won_from_whom() -> None:
    """In round 1 seat 0 laid card 5 open, seat 4 passed; seat 3 lies face down.

    Seat 1 won 1 from seat 0 and 2 from seat 3, who won 1 back.
    """
    position = melee()
    s = position.record
    n = position.game.n_seats
    s.slot[:], s.slot_open[:] = cards.NO_CARD, 0
    s.slot[0, 1], s.slot[4, 1], s.slot[3, 1], s.slot[2, 0] = 5, cards.Action.PASS, 6, 9
    s.slot_open[0, 1] = s.slot_open[4, 1] = s.slot_open[2, 0] = 1
    s.n_entries = 3
    s.e_a[:3], s.e_b[:3], s.e_won[:3] = (1, 1, 3), (0, 3, 1), (1, 2, 1)
    s.focus, s.attacker, s.played[3], s.seen[s.deck_of[2]] = 7, 4, 0b11, 0b100
    s.wrath = 0b111
    view = position.game.layout.view(position.observe(1))
    assert np.argwhere(view["table"]).tolist() == [[0, 5], [4, int(cards.Action.PASS)]]
    assert np.argwhere(view["slots_open"]).tolist() == [[0, 1, 5], [2, 0, 9], [4, 1, int(cards.Action.PASS)]]
    net = {tuple(map(int, at)): round(float(view["net"][tuple(at)]) * 3) for at in np.argwhere(view["net"])}
    assert net == {(1, 0): 1, (0, 1): -1, (1, 3): 1, (3, 1): -1}
    assert np.flatnonzero(view["focus"][: 32 + n]).tolist() == [7, 32 + 4]
    assert np.argwhere(view["played"]).tolist() == [[3, 0], [3, 1]]
    same = [seat for seat in range(n) if s.deck_of[seat] == s.deck_of[2]]
    assert np.argwhere(view["seen"]).tolist() == [[seat, 2] for seat in same]
    assert float(view["wrath"][0]) * 32 == 3


def test_an_order_is_seen_by_who_gets_it_and_by_who_gives_it() -> None:
    position = melee()
    s = position.record
    n = position.game.n_seats

    def orders(seat: int) -> list[int]:
        return np.flatnonzero(position.game.layout.view(position.observe(seat))["focus"][32 + n :]).tolist()

    s.order[:] = 0
    s.order[1], s.order[0], s.attacker = cards.Action.ATTACK + 4, cards.Action.WAIT, -1
    assert [orders(seat) for seat in (0, 1, 3)] == [[n], [4], []]


def test_who_is_asked_first_in_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """By seats, backwards, or by attributes of 3, 5, 5 and 1, of equals the first."""
    monkeypatch.setattr(windows, "attribute_of", lambda s, p, seat: (3, 5, 5, 1)[seat])
    found = {
        order: [windows.window_seat(None, SimpleNamespace(window_order=order, seats=4), at) for at in range(4)]
        for order in cards.WindowOrder
    }
    assert found == {
        cards.WindowOrder.SEAT: [0, 1, 2, 3], cards.WindowOrder.REVERSE: [3, 2, 1, 0],
        cards.WindowOrder.ATTRIBUTE: [1, 2, 0, 3],
    }  # fmt: skip


# Scorekeeper


def brawl() -> Position:
    position = here("scorekeeper-skirmish")
    s = position.record
    s.round_no, s.ask_phase, s.ask_fighter = 3, int(fights.Phase.REACT), 5
    return position


@pytest.mark.parametrize("seat", [0, 5])
def test_an_exchange_as_both_sides_see_it(seat: int) -> None:
    """Fighter 2 of the first side runs at the head of fighter 5: block 2 of the first, 0 of the second, and so on."""
    position = brawl()
    s, p = position.record, position.game.params
    s.x_on, s.x_attacker, s.x_target, s.x_mode, s.x_zone, s.x_hit = 1, 2, 5, int(fights.Mode.RUN), 3, 4
    s.roll_kind, s.roll_sum, s.roll_value, s.roll_ok, s.roll_owner = int(fights.Roll.ATTACK), 12, 9, 1, 2
    seen = position.game.layout.view(position.observe(seat))

    def flags(name: str) -> list[int]:
        return np.flatnonzero(seen[name]).tolist()

    assert (flags("attacker"), flags("target")) == (([2], [5]) if seat == 0 else ([6], [0]))
    assert (flags("mode"), flags("zone"), flags("roll"), flags("wound"), flags("wound_zone")) == (
        [1],
        [3],
        [1],
        [0],
        [4],
    )
    assert np.rint(seen["dice"] * 30).tolist() == [12, 9, 30] and flags("phase") == [2]
    assert flags("counter_rule") == [p.counter_rule] and flags("victory") == [p.victory]
    assert seen["clock"].tolist() == pytest.approx([3 / p.max_rounds, 1 - 3 / p.max_rounds])
    for mode, place in ((fights.Mode.MELEE, 0), (fights.Mode.COUNTER, 2), (fights.Mode.SHOOT, 3)):
        s.x_mode = int(mode)
        seen = position.game.layout.view(position.observe(seat))
        assert flags("mode") == [place]
    s.w_on, s.w_class, s.w_zone, s.ask_phase = 1, 3, 6, int(fights.Phase.FATE_REDUCE)
    seen = position.game.layout.view(position.observe(seat))
    assert (flags("wound"), flags("wound_zone"), flags("phase")) == ([3], [6], [5])
    s.ask_phase = int(fights.Phase.REACT)
    seen = position.game.layout.view(position.observe(seat))
    assert (flags("wound"), flags("wound_zone")) == ([0], [6]), "a wound that nobody can lessen is not told"


def test_a_fighter_as_it_is_seen() -> None:
    """Fighter 5 as fighter 0 sees it, block 5: what it has, what it did this round, and what it said it would do."""
    position = brawl()
    s, p = position.record, position.game.params
    f = 5
    for name, value in {
        "kr": 1, "lw": 1, "sw": 1, "tw": 1, "ko_until": 4, "fate": 2, "bleeding": 2, "head_penalty": 3,
        "death_rolls": 4, "rolled": 1, "reaction": 17, "acted": 1, "full_defence": 1, "saves_lost": 1,
        "action_lost": 0, "forfeited": 1,
        "skip_next": 1, "parries": 2, "counters": 3, "loaded": 4, "reserve": 6, "jammed": 1, "broken": 0,
    }.items():  # fmt: skip
        getattr(s, name)[f] = value
    s.declared[f], s.d_target[f], s.d_zone[f] = int(fights.Declared.MELEE), 2, 3
    s.pc, s.n_order, s.order[:3] = int(fights.Station.TIES) + 1, 3, (7, 5, 0)
    s.pos[0], s.pos[f] = 2, 5
    seen = position.game.layout.view(position.observe(0))

    def of(name: str) -> list[float]:
        return [round(float(x), 4) for x in seen[f"enemy2.{name}"]]

    def share(x: float) -> Any:
        return pytest.approx(x, abs=1e-4)

    assert of("who") == [1, 0, 0, 1]
    assert of("awake") == [share(0.2)] and of("fate") == [share(0.2)]
    caps = [p.cap_kr[f], p.cap_lw[f], p.cap_sw[f]]
    assert of("wounds") == [*(share(1 / cap) for cap in caps), *(share(cap / 10) for cap in caps)]
    assert of("lethal") == [0.2, share(p.tw_capacity[f] / 5), 0.4] and of("penalty")[1:] == [0.3, 0.2]
    assert of("place") == [share(min(1, 5 / p.field_length)), share(min(1, 3 / p.field_length))]
    assert of("reaction") == [share(17 / 40), share(2 / 8)]
    assert of("flags") == [1, 1, 1, 0, 1, 1] and of("blows") == [0.25, share(3 / 8)]
    assert np.flatnonzero(seen["enemy2.declared"]).tolist() == [int(fights.Declared.MELEE)]
    assert np.flatnonzero(seen["enemy2.declared_target"]).tolist() == [2]
    assert np.flatnonzero(seen["enemy2.declared_zone"]).tolist() == [3]
    if p.r_has[f]:
        assert of("ranged_weapon")[4] == share(0.2) and of("ranged_weapon")[6:9] == [share(0.3), 1, 0]
    s.pc = int(fights.Station.TIES)
    seen = position.game.layout.view(position.observe(0))
    assert of("reaction") == [share(17 / 40), 0], "the order is told when ties are broken"


# OneShot


def test_the_clock_of_a_fight_and_its_last_die() -> None:
    position = here("oneshot-skirmish")
    s, p = position.record, position.game.params
    s.count, s.deferred, s.pending = 4, 1, 2
    s.l_natural, s.l_total, s.l_goal, s.l_secret = 5, 9, 7, -1
    found = {
        "count in parts of max_count": pytest.approx(min(1, 4 / p.max_count), abs=1e-4),
        "effects wait for the group": 1, "pending effects": 2, "last die": 5, "last total": 9, "threshold": 7,
        "margin": 2,
    }  # fmt: skip
    for node, name in (
        (oneshot.Phase.TURN, "turn"), (oneshot.Phase.REACT_FAIL, "reacts to a failure"),
        (oneshot.Phase.REACT_SIX, "reacts to a six"), (oneshot.Phase.REACT_WOUND, "reacts to a wound"),
        (oneshot.Phase.REACT_WEAK_SPOT, "reacts to a weak spot"),
    ):  # fmt: skip
        s.node = int(node)
        assert told(position, 0, "global") == {**found, name: 1}
    s.l_total = -99
    assert set(told(position, 0, "global")) == set(found) - {"last total", "threshold", "margin"} | {name}


def test_what_a_party_sees_of_its_mission() -> None:
    """Two conditions, the second failed; the main scenario and one that was not met; a hero with a tool."""
    position = here("oneshot-mission")
    s, p = position.record, position.game.params
    s.n_cond = 2
    s.cond_kind[:2], s.cond_level[:2], s.cond_failed[:2] = (2, 0), (1, 2), (0, 1)
    s.cond_value[0], s.cond_value[1] = (40, 9), (200, 72)
    s.n_scenarios, s.scenarios[:2] = 2, (3, 1)
    s.met[:] = 0
    s.met[3] = 1
    s.minutes, s.carrying, s.entered, s.alarm, s.more = 18, 1, 2, 1, 1
    s.room_event[s.room] = 3
    s.node = int(oneshot.Phase.TOOL) - 1
    s.tools[:] = 0
    s.tools[1, 1] = 1
    numbers = "first value", "second value"
    assert told(position, 0, "conditions", 2) == {"present": 1, "level 2": 1, numbers[0]: 40, numbers[1]: 9}
    assert told(position, 0, "conditions", 0) == {
        "present": 1,
        "level 3": 1,
        numbers[0]: 100,
        numbers[1]: 36,
        "failed": 1,
    }
    assert [told(position, 0, "scenarios", row) for row in (3, 1, 0)] == [{"present": 1, "main": 1, "met": 1},
                                                                         {"present": 1}, {}]  # fmt: skip
    found = told(position, 0, "mission")
    assert found == {
        "minutes": 18, "sg": p.sg, "penalty in force": 1, "carrying": 1, "alarm": 1,
        "rooms entered": pytest.approx(2 / p.max_rooms, abs=1e-4),
    }  # fmt: skip
    s.more = s.burden[0] = s.stronger = 0
    assert "penalty in force" not in told(position, 0, "mission")
    for name in ("more", "stronger"):
        setattr(s, name, 1)
        assert told(position, 0, "mission")["penalty in force"] == 1
        setattr(s, name, 0)
    assert told(position, 0, "room_event") == {"puzzle": 1}
    for event in oneshot.RoomEvent:
        s.room_event[s.room], here_is = event, {} if event == oneshot.RoomEvent.TARGET else {event.name.lower(): 1}
        assert told(position, 0, "room_event") == here_is
    s.room_event[s.room] = 3
    view = position.game.layout.view(position.observe(0))
    assert np.flatnonzero(view["mission_node"]).tolist() == [int(oneshot.Phase.TOOL) - 1]
    assert np.flatnonzero(view["tools"]).tolist() == [1]


def test_rooms_around_the_party() -> None:
    """The party in room 1; room 0 two to the west and cleared, room 2 north of 1 known as an exit, room 3 too far."""
    position = here("oneshot-mission")
    s = position.record
    s.n_rooms, s.room = 4, 1
    s.room_x[:4], s.room_y[:4] = (0, 2, 2, 9), (4, 4, 3, 4)
    s.room_type[:4] = (2, 5, 1, 1)
    s.visited[:4], s.cleared[:4] = (1, 1, 0, 1), (1, 0, 1, 0)
    s.room_links[:4] = -1
    s.room_links[1, 0], s.room_links[0, 2] = 2, 1
    view = position.game.layout.view(position.observe(0))["rooms"]
    cells = {tuple(map(int, at)): np.flatnonzero(view[tuple(at)]).tolist() for at in np.argwhere(view.any(axis=2))}
    assert cells == {(5, 5): [5, 8, 10], (5, 3): [2, 8, 9, 12], (4, 5): [7]}


def test_a_talk_as_both_see_it() -> None:
    """Own and other failures and successes; moods only where they were read; a claim is known to who makes it."""
    position = here("oneshot-parley")
    s, p = position.record, position.game.params
    s.step_no, s.fails[:], s.successes[:], s.recover_left[:] = 3, (1, 2), (3, 4), (5, 6)
    s.t_saga[:], s.t_luck[:], s.t_wounds[:] = (7, 8), (1, 2), (3, 4)
    s.known[:], s.mood_relation[:], s.mood_wounds[:] = (1, 0), (-1, 2), (1, 2)
    steps = pytest.approx(min(1, 3 / p.max_steps), abs=1e-4)
    more = {"relation": p.relation} if p.relation else {}
    assert told(position, 0, "talk") == {
        "steps": steps, "own failures": 1, "own successes": 3, "other failures": 2, "other successes": 4,
        "recovery": 5, "saga": 7, "luck": 1, "wounds of the other": 4, "mood is read": 1, "mood of the relation": -1,
        "mood of the wounds": 1, **more,
    }  # fmt: skip
    assert told(position, 1, "talk") == {
        "steps": steps, "own failures": 2, "own successes": 4, "other failures": 1, "other successes": 3,
        "recovery": 6, "saga": 8, "luck": 2, "wounds of the other": 3, **more,
    }  # fmt: skip
    s.ck_who, s.ck_natural, s.ck_confirm, s.probed, s.sign, s.truth = 1, 5, 2, 1, 1, 1
    s.sealed[:], s.triple[:] = (-1, 0), (-1, -1)
    nodes = ("TALK", "REACT_FAIL", "REACT_SIX", "TRIPLE", "SPLIT", "CLAIM_PROBE", "CLAIM_JUDGE", "CLAIM_TELL")
    for place, name in enumerate(nodes):
        s.node = int(oneshot.Phase[name])
        view = position.game.layout.view(position.observe(1))
        assert np.flatnonzero(view["node"]).tolist() == [place]
        dice = [5, 2] if name.startswith("REACT") else [0, 0]
        assert [round(float(x) * 6) for x in view["claim"][3:5]] == dice
        assert view["claim"][[0, 1, 2, 5]].tolist() == [1, 1, 0, 1]
        other = position.game.layout.view(position.observe(0))["claim"]
        assert not other.any(), "dice of the other one, what it was asked, and a statement where none is made"
