"""Rules at the point where they turn: equalities, rare combinations, what a seat may know, by hand from the text."""

from __future__ import annotations

import itertools
import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core.game import Game, Position
from probespiel.envs.einblatt.ending import utility
from probespiel.envs.einblatt.state import Payoff
from probespiel.envs.einblatt.system import SYSTEM as EINBLATT
from probespiel.envs.ews_rps import state as ews
from probespiel.envs.ews_rps.system import SYSTEM as EWS_RPS
from probespiel.envs.konfrontation import state as ko
from probespiel.envs.konfrontation.system import SYSTEM as KONFRONTATION
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.mission.errand import spend_minutes
from probespiel.envs.oneshot.parley.talk import patience_of
from probespiel.envs.oneshot.skirmish.effects import rejoin
from probespiel.envs.oneshot.system import SYSTEM as ONESHOT
from probespiel.envs.scorekeeper.state import Station
from probespiel.envs.scorekeeper.system import SYSTEM as SCOREKEEPER
from probespiel.envs.scorekeeper.wounds import lose_action
from tests.test_oneshot_mission import sensible

# einBlatt


def npc(name: str, hand: str, **more: Any) -> dict[str, Any]:
    codes = hand.split()
    return {"name": name, "kind": "npc", "cards": max(1, len(codes)), "suits": "", "hand": codes, **more}


def einblatt(level: str, *seats: dict[str, Any], conflicts: Any = None, **config: Any) -> Position:
    setup: dict[str, Any] = {"level": level, "config": config, "seats": list(seats)}
    return Game(EINBLATT.spec_of_setup(setup | ({"conflicts": conflicts} if conflicts else {})), False).position()


def do(position: Position, *steps: str) -> None:
    """Steps like `0 card:CA`: a seat and what it does."""
    for step in steps:
        seat, code = step.split()
        position.apply(int(seat), position.game.actions.parse(code))


def test_equal_cards_and_attributes_act_at_once() -> None:
    """R52, R58: equal class and equal attribute value are on turn together; R52: the higher value alone goes first."""
    seats = (npc("A", "C9"), npc("B", "CA"), npc("C", "SA"), npc("D", "HA", attribute=9))
    position = einblatt("melee", *seats[:3], rounds=1)
    do(position, "0 card:C9", "1 card:CA", "2 card:SA")
    assert position.to_act() == [1, 2]
    position = einblatt("melee", *seats, rounds=1)
    do(position, "0 card:C9", "1 card:CA", "2 card:SA", "3 card:HA")
    assert position.to_act() == [3]


@pytest.mark.parametrize(("votes", "goes_on"), [("yes no", False), ("no yes", False), ("yes yes", True)])
def test_all_must_agree_to_go_on(votes: str, goes_on: bool) -> None:
    """A14: `continue_by` all."""
    seats = (npc("A", "C9 C8"), npc("B", "C7 C10"))
    position = einblatt("duel", *seats, rounds=1, max_tests=2, continue_by="all", continuation_draw="keep")
    do(position, "0 card:C9", "1 card:C7")
    first, second = votes.split()
    do(position, f"0 {first}", f"1 {second}")
    assert (not position.over) == goes_on


def test_every_conflict_that_a_death_leaves_unplayed_counts_by_its_weight() -> None:
    """R93 and `unplayed`: -3 times the weights 2 and 5, besides the lost conflict itself; the other gets its own."""
    seats = ({**npc("A", "C7 C8 C9"), "kind": "pc", "attribute": 3}, npc("B", "SJ SQ SK"))
    del seats[0]["cards"]
    position = einblatt(
        "campaign", *seats, conflicts=[{"lethal": True}, {"weight": 2}, {"weight": 5, "lethal": True}], unplayed=-3
    )
    for mine, theirs in zip(("C7", "C8", "C9"), ("SJ", "SQ", "SK")):
        do(position, f"0 card:{mine}", f"1 card:{theirs}")
    assert position.over and position.returns().tolist() == [-3 - 3 * 7, 3]


def test_classes_of_results_are_paid_by_their_weights() -> None:
    """4.5: seven classes from -3 to +3; what lies beyond counts as the last."""
    p = SimpleNamespace(payoff=Payoff.CLASS, class_weights=[-9.0, -4.0, -1.0, 0.0, 2.0, 5.0, 8.0])
    paid = [utility(SimpleNamespace(ep=[ep]), p, 0) for ep in (-5, -3, -2, 0, 2, 3, 7)]
    assert paid == [-9.0, -9.0, -4.0, 0.0, 5.0, 8.0, 8.0]


# ews_rps


def match(tests: list[dict[str, Any]], **options: Any) -> Position:
    return Game(EWS_RPS.declare({"tests": tests, "options": options}), compiled=False).position()


def rounds(position: Position, results: str) -> None:
    """Rounds that seat 0 wins (w), loses (l) or draws (d)."""
    for result in results:
        position.apply(0, ews.Action.ROCK)
        position.apply(1, {"w": ews.Action.SCISSORS, "l": ews.Action.PAPER, "d": ews.Action.ROCK}[result])


def contest(difference: int, **more: Any) -> dict[str, Any]:
    return {"kind": "contest", "attacker_value": 12, "defender_value": 12 + difference, **more}


@pytest.mark.parametrize(("difference", "first", "verdict"), [(3, "w", "attacker"), (-3, "l", "defender")])
def test_equal_totals_decide_nothing_where_they_are_a_draw(difference: int, first: str, verdict: str) -> None:
    """A5 with `contest_tie` draw: after one round the totals are equal, and another one would still change that."""
    position = match([contest(difference)], early_stop=True, contest_tie="draw")
    rounds(position, first)
    assert not position.over
    rounds(position, first)
    s = position.record
    assert position.over and ews.ENDINGS[int(s.last_ending)] == "decided"
    assert ews.verdict_name(int(s.last_kind), int(s.last_verdict)) == verdict
    position = match([contest(difference)], early_stop=True, contest_tie="draw")
    rounds(position, first + "d")
    assert position.over and position.returns().tolist() == [0, 0]


def test_the_last_round_is_told_before_what_it_decides() -> None:
    """`max_rounds` is checked before `decided` (section 4)."""
    for most, told in ((1, "max_rounds"), (2, "decided")):
        position = match([contest(0)], early_stop=True, max_rounds=most)
        rounds(position, "w")
        assert position.over and ews.ENDINGS[int(position.record.last_ending)] == told


@pytest.mark.parametrize(("played", "passed"), [("d", False), ("wd", True)])
def test_the_losers_malus_is_one_of_contests(played: str, passed: bool) -> None:
    """R4, A1: of a gap of 3 a simple test needs one win when rounding down, malus or not."""
    position = match(
        [{"kind": "simple", "value": 12, "target": 15}], shortfall_rounding="down", contest_loser_malus=True
    )
    rounds(position, played)
    assert position.over and position.returns()[0] == (1 if passed else -1)


@pytest.mark.parametrize(("tie", "value"), [("attacker", 1), ("defender", -1), ("draw", 0)])
def test_equal_dice_go_to_whom_the_option_says(tie: str, value: float) -> None:
    """R19, A3: both dice show +2."""
    position = match([contest(0)], procedure="pm_d6", contest_tie=tie)
    position.apply(0, ews.Action.ATTEMPT)
    position.fall(1)
    position.fall(1)
    assert position.over and position.returns().tolist() == [value, -value]


def test_results_in_the_history_are_those_of_the_acting_side() -> None:
    """Seat 1 acts and wins: a loss to seat 0 and a win to seat 1, in their own rows."""
    position = match([contest(0, acting_seat=1), contest(0)], history_window=2)
    rounds(position, "l")
    views = [position.game.layout.view(position.observe(seat))["history"][0] for seat in range(2)]
    assert views[0].tolist() == [1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0]
    assert views[1].tolist() == [0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0]


# Perfect recall: what a seat has sealed itself belongs to what it knows


def sealed_keys(position: Position, seat: int, actions: list[int]) -> list[int]:
    """The keys of a seat after each of these sealed actions."""
    keys = []
    for action in actions:
        twin = position.clone()
        twin.apply(seat, action)
        keys.append(twin.key(seat))
    return keys


def test_a_seat_remembers_what_it_has_sealed() -> None:
    position = match([contest(0)])
    assert len(set(sealed_keys(position, 0, [0, 1, 2]))) == len(set(sealed_keys(position, 1, [0, 1, 2]))) == 3
    setup = {
        "stage": "bid",
        "factions": {name: {"power": 4, "units": {f"{name}1": ["character", "shady"]}} for name in "AB"},
        "attack": {"target": "power", "type": "shady", "commit": ["A1"], "defence": []},
    }
    bids = Game(KONFRONTATION.spec_of_setup(setup), compiled=False).position()
    for seat in range(2):
        actions = bids.legal(seat)
        assert len(actions) == 5 and len(set(sealed_keys(bids, seat, actions))) == 5


def test_choices_of_a_build_are_in_the_own_key_alone() -> None:
    """4.6: nothing about the opponent."""
    position = Game(ONESHOT.spec("oneshot-build", None, {}, {}), compiled=False).position()
    for me in range(2):
        mine = sealed_keys(position, me, position.legal(me)[:4])
        assert len(set(mine)) == 4
        for other in position.legal(1 - me)[:4]:
            twin = position.clone()
            twin.apply(1 - me, other)
            assert twin.key(me) == position.key(me)
            assert sealed_keys(twin, me, position.legal(me)[:4]) != mine  # the stage is another now
            twin.apply(me, position.legal(me)[0])
            assert twin.key(me) != position.key(me)
    keys = {}
    for first, second in itertools.product(position.legal(0)[:3], position.legal(1)[:3]):
        twin = position.clone()
        twin.apply(0, first)
        twin.apply(1, second)
        keys[first, second] = twin.key(0), twin.key(1)
    assert len({key for key, _ in keys.values()}) == len({key for _, key in keys.values()}) == 3
    assert all(keys[a, b][0] == keys[a, c][0] for a, b in keys for c in [k for _, k in keys])


# konfrontation


@pytest.mark.parametrize(
    ("power", "payoffs"),
    [([5, 5, 1], [0.25, 0.25, -0.5]), ([5, 1, 1], [1, -0.5, -0.5]), ([2, 2, 2], [0, 0, 0])],
)
def test_shared_first_places(power: list[int], payoffs: list[float]) -> None:
    """Section 4: each of m best gets (n / m - 1) / (n - 1), every other -1 / (n - 1)."""
    spec = KONFRONTATION.spec_of_setup({"mode": "campaign", "n_factions": 3, "first_seat": 0, "turns": 1})
    position = Game(spec, compiled=False).position()
    position.record.power[:3] = power
    for _ in range(3):
        position.apply(position.to_act()[0], ko.Action.PASS)
    assert position.over and position.returns() == pytest.approx(payoffs)


# OneShot: lies


def claims(mode: str, **config: Any) -> Game:
    return Game(ONESHOT.spec("oneshot-parley", mode, config, {}), compiled=False)


def claim(game: Game, cunning: int, mind: int, insight: int) -> Position:
    """A claim between a liar and a listener with these values."""
    position = game.position()
    s = position.record
    s.t_social[0, 1], s.t_value[1, 1], s.t_insight[1] = cunning, mind, insight
    return position


VALUES = [(1, 3, 2), (2, 3, 3), (0, 4, 1), (2, 6, 0)]


def notices(a: int, b: int, cunning: int, mind: int, insight: int, probe: bool, tie: str) -> bool:
    """R88, A34: a lie with the liar's die `a` and the listener's `b`."""
    if not probe:
        return a + cunning < mind
    mine, theirs = b + (insight if insight >= 1 else mind - 1), a + cunning
    return mine > theirs or (tie == "listener" and mine == theirs)


@pytest.mark.parametrize("tie", ["liar", "listener"])
def test_signs_of_lies_and_their_chances(tie: str) -> None:
    """R88: every pair of dice; and without a sign chance deals truth and lie again as often as both lead to none."""
    game = claims("claim", lie_tie=tie)
    for values, probe in itertools.product(VALUES, (True, False)):
        noticed, unseen = 0, None
        for a, b in itertools.product(range(1, 7), repeat=2):
            position = claim(game, *values)
            do(position, "0 tell_lie", f"1 {'probe' if probe else 'decline'}")
            position.fall(a - 1)
            if probe:
                position.fall(b - 1)
            wanted = notices(a, b, *values, probe=probe, tie=tie)
            assert (int(position.record.sign) == 1) == wanted, (a, b)
            noticed += wanted
            if not wanted:
                unseen = position
        if unseen is not None:
            assert unseen.forget(1).die() == 36 + (36 - noticed)


def test_an_alleged_truth_is_as_likely_as_the_option_says() -> None:
    """4.5: 30 per cent are true; of 36 lies those that go unnoticed are left."""
    position = claim(claims("lone_claim", claim_truth=30), 1, 3, 2)
    position.fall(99)  # a lie
    do(position, "0 decline")
    position.fall(5)  # 6 + 1 is not below 3
    unnoticed = 6 * sum(a + 1 >= 3 for a in range(1, 7))
    again = position.forget(0)
    assert again.die() == 36 * 30 + unnoticed * 70
    for outcome, true in ((36 * 30 - 1, 1), (36 * 30, 0)):
        twin = again.clone()
        twin.fall(outcome)
        assert int(twin.record.truth) == true


@pytest.mark.parametrize(("judged", "payoff"), [("believe", -1.0), ("doubt", 1.0)])
def test_a_lone_listener_is_paid_for_judging_right(judged: str, payoff: float) -> None:
    position = claim(claims("lone_claim", claim_truth=30), 1, 3, 2)
    position.fall(99)  # a lie
    do(position, "0 decline")
    position.fall(5)
    do(position, f"0 {judged}")
    assert position.over and position.returns().tolist() == [payoff]


# OneShot: talks


@pytest.mark.parametrize(
    ("result", "payoff"), [(st.Result.SUCCESS, 0.9), (st.Result.LEFT, -0.2), (st.Result.BROKEN, -0.7)]
)
def test_a_lone_speaker_is_paid_by_the_result(result: int, payoff: float) -> None:
    position = claims("market", payoffs=[0.9, -0.2, -0.7]).position()
    position.record.status_of_game, position.record.result = 1, result
    assert position.returns().tolist() == pytest.approx([payoff])


def test_patience() -> None:
    """R76, A30: 4 less charisma, at least 1."""
    assert [patience_of(charisma) for charisma in (-1, 0, 1, 2, 3, 4, 5)] == [5, 4, 3, 2, 1, 1, 1]


def visible(position: Position) -> tuple[Any, ...]:
    """4.4: what a speaker sees of a talk; his own dice are in the history anyway."""
    s = position.record
    moods = (int(s.mood_relation[0]), int(s.mood_wounds[0])) if s.known[0] else None
    state = (int(s.l_outcome[0]), int(s.fails[0]), int(s.successes[0]), int(s.recover_left[0]), int(s.step_no))
    asked = (position.phase(), tuple(position.legal(0))) if not position.over and not position.die() else None
    return (*state, moods, asked, position.over, position.die())


def test_a_speaker_knows_what_fits_all_that_was_seen() -> None:
    """The values that a counterpart may have are those with which all would have looked the same, and so are keys.

    Every talk is played beside its eleven twins, which differ in the hidden values alone, with the same dice.
    """
    rng = random.Random(12)
    struck = 0
    for wounds in (0, 2):  # 2 are as many as some can bear, more than half for others, and less: moods differ (R74)
        config = {"goal_successes": 2, "request_difficulty": -2, "read_difficulty": 1}
        setup = {"mode": "solo", "config": config, "speaker": {"char": "archer"}, "counterpart": {"wounds": wounds}}
        game = Game(ONESHOT.spec_of_setup(setup, "oneshot-parley"), compiled=False)
        for number in range(10):
            twins: dict[int, Position] = {}
            for k in range(st.N_TRIPLES):
                twins[k] = game.position()
                twins[k].fall(k)
            true = number % st.N_TRIPLES
            alike = set(twins)
            while not twins[true].over:
                legal = twins[true].legal(0)
                talk = [a for a in legal if a != st.TALK + st.Talk.LEAVE]
                action = rng.choice(talk or legal)
                for k in alike:
                    twins[k].apply(0, action)
                while faces := twins[true].die():
                    outcome = rng.randrange(faces)
                    for k in [k for k in alike if twins[k].die() == faces]:
                        twins[k].fall(outcome)
                    alike -= {k for k in alike if twins[k].die() != twins[true].die()}
                seen = visible(twins[true])
                lone = {k for k in alike if visible(twins[k]) != seen}
                struck += len(lone)
                alike -= lone
                if not twins[true].over:  # whoever goes on knows that the talk is not over
                    assert all(twins[k].key(0) == twins[true].key(0) for k in alike)
                    assert all(twins[k].key(0) != twins[true].key(0) for k in lone if not twins[k].over)
                possible = int(twins[true].record.possible[0])
                if not twins[true].over and twins[true].phase() == "talk":
                    assert {k for k in twins if possible >> k & 1} == alike
    assert struck > 30


# OneShot: fights and missions


@pytest.mark.parametrize(
    ("last_key", "due"), [(1, 6), (2, 9), (3, 9)]
)  # the figure's own base initiative is 2; a group with a lower key is on turn, its own, a later one
def test_who_wakes_on_its_own_count(last_key: int, due: int) -> None:
    """R64, R34: it still has its turn on this count if its place in the order is yet to come."""
    game = Game(ONESHOT.spec("oneshot-skirmish", "duel_mirror", {}, {}), compiled=False)
    position = game.position()
    s = position.record
    s.surprise, s.count, s.last_key = 0, 6, last_key
    s.c_init[1], s.combat[1, 2], s.standing[1] = 3, 2, st.Status.UNCONSCIOUS
    rejoin(s, game.params, 1)
    assert int(s.due[1]) == due and s.standing[1] == st.Status.UP


def mission(scenario: str = "cellar_cleanse", **config: Any) -> Position:
    """A mission on its map."""
    game = Game(ONESHOT.spec("oneshot-mission", scenario, config, {}), compiled=False)
    position = game.position(seed=1)
    assert position.phase() == "explore"
    return position


def test_a_time_limit_is_broken_by_more_minutes_than_it_has() -> None:
    """4.7.7."""
    position = mission()
    s = position.record
    s.n_cond, s.minutes = 1, 0
    s.cond_kind[0], s.cond_level[0], s.cond_failed[0], s.cond_value[0] = st.Condition.TIME_LIMIT, 0, 0, 5
    for minutes, failed in ((5, 0), (1, 1)):
        spend_minutes(s, position.game.params, minutes)
        assert int(s.cond_failed[0]) == failed


@pytest.mark.parametrize(("met", "points"), [(0, 1.0), (1, 2.0)])
def test_what_a_saga_earns(met: int, points: float) -> None:
    """R120, R155, 4.7.8: a point for taking part, one for every optional condition kept, none for the dead."""
    position = mission(utility="saga")
    s = position.record
    s.n_cond = 1
    s.cond_kind[0], s.cond_level[0], s.cond_failed[0] = st.Condition.COMBINED, 0, 0
    s.cond_scenario[0], s.met[st.Scenario.RETRIEVE] = st.Scenario.RETRIEVE, met
    s.standing[1] = st.Status.DEAD
    s.standing[2], s.wounds[2] = st.Status.UNCONSCIOUS, s.limit[2] + 1
    position.apply(position.to_act()[0], st.Action.ABORT)
    assert position.returns() == pytest.approx([points * 2 / 3] * 3)


def map_of(position: Position) -> np.ndarray:
    """4.7: the window as a party knows it that has drawn a plan while it walked; rooms not entered are mere exits."""
    s = position.record
    out = np.zeros((11, 11, 14), dtype=np.float32)
    here = np.array([int(s.room_x[s.room]), int(s.room_y[s.room])])

    def cell(room: int) -> np.ndarray:
        x, y = np.array([int(s.room_x[room]), int(s.room_y[room])]) - here + 5
        return out[y, x] if 0 <= x < 11 and 0 <= y < 11 else np.zeros(14)

    entered = [room for room in range(int(s.n_rooms)) if s.visited[room]]
    ways = {room: [int(s.room_links[room, way]) for way in range(4)] for room in entered}
    for room in {other for row in ways.values() for other in row if other >= 0} - set(entered):
        cell(room)[7] = 1
    for room in entered:
        cell(room)[:] = 0
        cell(room)[int(s.room_type[room])] = 1
        cell(room)[8:] = [1, s.cleared[room], *[other >= 0 for other in ways[room]]]
    return out


def test_a_map_shows_what_was_entered_and_its_exits() -> None:
    """4.7: the map is revealed room by room; undiscovered exits are visible as links."""
    game = Game(ONESHOT.spec("oneshot-mission", "courier", {"sg": 2}, {}), compiled=False)
    rng = random.Random(3)
    position = game.position(seed=3)
    steps = 0
    while not position.over and steps < 40:
        seat = position.to_act()[0]
        if position.phase() == "explore":
            shown = game.layout.view(position.observe(seat))["rooms"]
            np.testing.assert_array_equal(shown, map_of(position))
            steps += 1
        position.apply(seat, sensible(position, rng))
        position.roll()
    assert int(position.record.n_visited) > 3


def test_a_budget_may_be_used_up() -> None:
    """4.6: loadouts beyond `gear_budget` are masked, not those that cost just as much."""
    game = Game(ONESHOT.spec("oneshot-build", None, {"gear_budget": 3}, {}), compiled=False)
    position = game.position()
    rng = random.Random(2)
    while position.record.stage_no < st.Stage.WEAPON:
        for seat in range(2):
            position.apply(seat, rng.choice(position.legal(seat)))
    p = game.params
    prices = [int(p.weapons[i, 2]) for i in range(int(p.n_weapons))]
    assert position.legal(0) == [i for i, price in enumerate(prices) if price <= 3]
    dearest = prices.index(3)
    for seat in range(2):
        position.apply(seat, dearest)
    armours = [int(p.armours[i, 2]) for i in range(int(p.n_armours))]
    assert position.legal(0) == [i for i, price in enumerate(armours) if price == 0]


# Scorekeeper


def test_keys_tell_apart_what_the_future_depends_on() -> None:
    """4.1: positions that differ in wounds, bleeding, fate, ammunition or place are no single position."""
    position = make_game("scorekeeper-duel", "blade_mirror", compiled=False).position(seed=1)
    known = position.key(0)
    for field in ("kr", "lw", "sw", "tw", "bleeding", "fate", "pos", "loaded", "reserve", "jammed", "broken",
                  "death_rolls", "head_penalty", "skip_next", "stable", "trauma", "struggle", "dead"):  # fmt: skip
        for fighter in range(2):
            twin = position.clone()
            getattr(twin.record, field)[fighter] += 1
            assert twin.key(0) != known, field
            assert twin.key(0) != twin.key(1)


@pytest.mark.parametrize(("die", "counters"), [(5, True), (6, False), (7, False)])
def test_a_counter_needs_less_than_half_of_the_parry(die: int, counters: bool) -> None:
    """R34, `counter_rule` half: the parry die is below half of the parry value 12."""
    fighter = {"agl": 6, "melee_skill": 6, "wah": 6, "melee": "sword"}
    fighters = [
        {**fighter, "name": "f0", "team": "a", "position": 0},
        {**fighter, "name": "f1", "team": "b", "position": 1},
    ]
    setup = {"config": {"counter_rule": "half", "fate_enabled": False}, "fighters": fighters}
    position = Game(SCOREKEEPER.spec_of_setup(setup), compiled=False).position()
    for number in (6, 3):  # reactions: the second declares first
        position.fall(number - 1)
    do(position, "1 pass", "0 melee:0:any")
    position.fall(0)  # it hits
    do(position, "1 parry")
    position.fall(die - 1)
    assert (position.phase() == "counter") == counters


def test_confirmed_ones_and_sixes() -> None:
    """R24, R25: a 1 confirmed by 1 or 2 fails, a 6 confirmed by 5 or 6 succeeds, whatever the modifiers say."""
    game = Game(ONESHOT.spec("oneshot-parley", "market", {}, {}), compiled=False)
    for skill, natural in ((20, 1), (-20, 6)):
        for confirm in range(1, 7):
            position = game.position()
            position.fall(3)
            position.record.t_social[0, :] = skill
            do(position, "0 talk:aggressive")
            position.fall(natural - 1)
            position.fall(confirm - 1)
            automatic = confirm <= 2 if natural == 1 else confirm >= 5
            outcome = int(position.record.l_outcome[0])
            success = outcome in (st.Outcome.SUCCESS, st.Outcome.CRITICAL_SUCCESS)
            assert success == ((natural == 6) if automatic else (natural == 1)), (natural, confirm)


@pytest.mark.parametrize(
    ("between", "acted", "lost", "skips"),
    [(False, 0, 0, 0), (False, 1, 0, 1), (True, 1, 0, 0), (True, 0, 1, 1)],
)
def test_a_lost_action_is_this_rounds_or_the_next_ones(between: bool, acted: int, lost: int, skips: int) -> None:
    """R62: what was done counts for this round, but not at the events before it; an action is lost once a round."""
    s = make_game("scorekeeper-duel", compiled=False).position().record
    s.pc = Station.EVENTS if between else Station.EVENTS + 1
    s.acted[0], s.action_lost[0] = acted, lost
    lose_action(s, 0)
    assert (int(s.skip_next[0]), int(s.action_lost[0])) == (skips, 1 if not skips or lost else 0)


@pytest.mark.parametrize(
    ("due", "count", "ends"), [((19, 24), 24, None), ((25, 30), 24, 24), ((24, 30), 24, None), ((24, 30), 18, None)]
)
def test_a_fight_against_time_has_its_last_count(
    due: tuple[int, int], count: int, ends: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """4.7.4: who is due on the last count acts on it; nobody is asked on a later one."""
    rules = make_game("oneshot-mission", compiled=False).kernel.namespaces["probespiel.envs.oneshot.skirmish.clock"]
    told: list[int] = []
    monkeypatch.setattr(rules, "finish", lambda s, side: told.append(s.count))
    monkeypatch.setattr(rules, "begin_group", lambda s, p: told.append(-s.group))
    monkeypatch.setattr(rules, "note", lambda *_: None)
    s = SimpleNamespace(
        x=[0, 0], surprise=0, count=count, last_key=-(1 << 40), standing=[st.Status.UP] * 2, c_init=[3, 4],
        due=list(due), to_enter=0, round_limit=24, group=0, d_init=[0, 0], entered_on=-1,
    )  # fmt: skip
    monkeypatch.setattr(rules, "tie_key", lambda s, p, i: i)
    rules.pick_group(s, SimpleNamespace(max_count=400))
    if ends is None:
        acts = 1 if due[0] >= count else 2
        assert told == [-acts] and s.count == due[acts - 1]
    else:
        assert told == [ends] and s.count == ends and s.group == 0


def test_a_replaced_card_stands_in_the_place_of_the_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """2.9: of the cards that were played beyond the rounds the replaced one alone changes, order and all."""
    game = make_game("einblatt-melee", compiled=False)
    rules = game.kernel.namespaces["probespiel.envs.einblatt.reckoning"]
    for name in ("reveal", "emit", "discard", "score", "show_trump"):
        monkeypatch.setattr(rules, name, lambda *_: None)
    monkeypatch.setattr(rules, "class_of", lambda *_: 3)
    played = [5, 30, 0, 17]
    for place, old in enumerate(played):
        s = SimpleNamespace(
            n_entries=0, conflict=0, slot=np.full((2, 3), -1), slot_class=np.zeros((2, 3)),
            further=[0, sum(card + 1 << 6 * (3 - k) for k, card in enumerate(played))], area=[0, 1 << old],
        )  # fmt: skip
        rules.replace(s, SimpleNamespace(rounds=3, melee=[0]), 1, old, 11)
        assert [(s.further[1] >> 6 * (3 - k) & 63) - 1 for k in range(4)] == [*played[:place], 11, *played[place + 1 :]]
        assert s.further[0] == 0 and s.further[1] < 1 << 24 and s.area[1] == 1 << 11
