"""Random play of the einBlatt oracle: invariants (E6, E7) and the published averages (E5, E9, E13)."""

import itertools
import math
import random
import statistics
from typing import Any

import pytest

from tests.naive.einblatt import NaiveEinblatt
from tests.naive.einblatt_cards import SUITS, card_class, card_code, compare
from tests.naive.einblatt_scripts import Policy, check_invariants, owing, play_out, tug_of_war, whole_decks

CHOICES: dict[str, list[Any]] = {
    "rounds": [1, 2, 3],
    "max_tests": [1, 2, 4],
    "continue_by": ["any", "all", "loser", "always"],
    "continuation_draw": ["redraw", "keep", "top_up"],
    "continuation_ep": ["cumulative", "fresh"],
    "penalty_timing": ["conflict", "test"],
    "colours_count": [True, False],
    "permission": ["other_teams", "all"],
    "disobedience": ["leader_best", "follower_best", "none"],
    "reaction_decline": ["forbidden", "lose", "colourless_seven"],
    "wait_mode": ["hold", "forfeit"],
    "unused_round_card": ["discard", "return"],
    "initiative_tie": ["simultaneous", "seat", "random"],
    "tie_attribute": ["current", "base"],
    "deck": ["own", "shared_npc", "shared_all"],
    "reshuffle": ["on_empty", "each_test", "on_session"],
    "reshuffle_timing": ["immediate", "on_demand"],
    "payoff": ["ep", "ep_clipped", "class", "win", "team_sum", "team_max"],
    "heal_per_conflict": [0, 1],
    "unplayed": [0, -3],
    "npc_restrictions": [False, True],
}


def random_suits(rng: random.Random) -> str:
    """None to all four suits."""
    return "".join(rng.sample(SUITS, rng.choice((0, 1, 1, 1, 2, 4))))


def random_seat(rng: random.Random, name: str) -> dict[str, Any]:
    """Any kind of participant, with few or many cards."""
    seat: dict[str, Any] = {"name": name, "suits": random_suits(rng), "forbidden": rng.choice((None, None, "red"))}
    if rng.random() < 0.5:
        seat |= {"kind": "npc", "cards": rng.randint(1, 9)}
    else:
        relation = rng.choice(("own", "other", "none"))
        seat |= {"kind": "pc", "attribute": rng.randint(2, 10), "relation": relation, "malus": rng.randint(0, 3)}
    if rng.random() < 0.3:
        seat["restriction"] = rng.randint(0, 3)
    if rng.random() < 0.6:
        seat["team"] = rng.choice(("red", "blue"))
    return seat


def random_setup(rng: random.Random) -> dict[str, Any]:
    """Any level, any options."""
    level = rng.choice(("duel", "melee", "campaign"))
    config = {name: rng.choice(values) for name, values in CHOICES.items() if rng.random() < 0.4}
    conflicts: list[dict[str, Any]] = [{}]
    number = 2
    if level == "campaign":
        conflicts = [{"lethal": rng.random() < 0.3, "weight": rng.randint(0, 3)} for _ in range(rng.randint(1, 5))]
        for conflict in conflicts[1:]:
            conflict["new_session"] = rng.random() < 0.4
        if rng.random() < 0.5:
            number = rng.randint(2, 5)
            for conflict in conflicts:
                conflict["conflict_level"] = "melee"
    elif level == "melee":
        number = rng.randint(2, 8)
    seats = [random_seat(rng, f"seat{index}") for index in range(number)]
    if level == "duel" and rng.random() < 0.3:
        config["layout"] = "slots"
    followed = [seat["name"] for seat in seats if seat.get("team") == "red"]
    if followed and rng.random() < 0.6:
        config["leaders"] = {"red": rng.choice(followed)}
    return {"level": level, "config": config, "seats": seats, "conflicts": conflicts}


def test_invariants_in_random_games() -> None:
    """E7 after every step of random games under random options, and the bounds of 4.5."""
    rng = random.Random(20)
    lengths = []
    for _ in range(700):
        setup = random_setup(rng)
        game = NaiveEinblatt(setup)
        decks = whole_decks(game)
        assert all(len(deck) == 32 for deck in decks.values())
        play_out(game, rng, lambda game, decks=decks: check_invariants(game, decks))
        state = game.snapshot()
        assert not state["truncated"]
        seats, tests, conflicts = len(game.seats), game.config["max_tests"], len(setup["conflicts"])
        assert game.decisions <= conflicts * tests * (game.config["rounds"] * (2 * seats + seats * (seats + 1)) + seats)
        for ep in state["conflict_ep"]:
            carried = 2 if tests > 1 else 0
            assert max(abs(own) for own in ep) <= 3 * seats + carried
        lengths.append(game.decisions)
    assert max(lengths) > 100  # the sample holds long games too


def test_the_same_seed_plays_the_same_game() -> None:
    first, second = (play_out(NaiveEinblatt(tug_of_war("Kyle")), random.Random(5)).snapshot() for _ in range(2))
    assert first == second


def test_duel_parity() -> None:
    """E7: the EP of a duel have the parity of the number of rounds without a tie."""
    rng = random.Random(3)
    for _ in range(100):
        seats = [random_seat(rng, name) for name in "ab"]
        game = NaiveEinblatt({"level": "duel", "config": {}, "seats": seats})
        results: list[int] = []

        def watch(game: NaiveEinblatt, results: list[int] = results) -> None:
            results.append(game.seats[0].ep)

        play_out(game, rng, watch)
        untied = sum(before != after for before, after in itertools.pairwise(results))
        assert (game.seats[0].ep - untied) % 2 == 0 and abs(game.seats[0].ep) <= 3


def test_safe_attacks() -> None:
    """E6: nobody loses by attacking a passer or a later open card, and an empty-handed spent seat always loses."""
    rng = random.Random(11)
    checked = 0
    for _ in range(100):
        game = NaiveEinblatt(tug_of_war("Mortimer"))
        while game.pending()[0] != "over":
            kind, request = game.pending()
            if kind == "chance":
                game.fall(rng.randrange(len(request["cards"])))
                continue
            seat = rng.choice(list(request))
            action = rng.choice(request[seat])
            expected = None
            if game.phase == "act" and len(game.on_turn) == 1 and action != "wait":
                target = game.seats[int(action.removeprefix("attack:"))]
                nobody_waited = not any(other.waited for other in game.seats)
                if target.passed or (target.open and nobody_waited):
                    expected = (0, 1)
                elif target.spent and not target.hand:
                    expected = (1,)
            before = game.seats[seat].ep
            game.act(seat, action)
            if expected is not None:
                checked += 1
                assert game.seats[seat].ep - before in expected
    assert checked > 500


def test_two_seats_attacking_from_the_lead_play_a_duel() -> None:
    """R61: the same hands and commits give the same EP on both levels."""
    rng = random.Random(7)
    for _ in range(100):
        seats = [random_seat(rng, name) | {"team": name, "forbidden": None} for name in "ab"]
        for seat in seats:
            deck = [card_code(card) for card in rng.sample(range(32), 4)]
            seat["hand"] = deck
        duel = NaiveEinblatt({"level": "duel", "config": {}, "seats": seats})
        melee = NaiveEinblatt({"level": "melee", "config": {}, "seats": seats})
        for _ in range(3):
            for seat in (0, 1):
                action = rng.choice(owing(duel)[seat])
                duel.act(seat, action)
                melee.act(seat, action)
            while melee.phase == "act":
                seat = min(owing(melee))
                melee.act(seat, f"attack:{1 - seat}")
        assert melee.phase == duel.phase == "over"
        assert melee.snapshot()["ep"] == duel.snapshot()["ep"]


# --- averages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("leader", "config", "mean", "deviation"),
    [
        (None, {}, -2.183, 0.024),
        ("Mortimer", {}, -2.988, 0.022),
        (None, {"wait_mode": "forfeit"}, -1.300, 0.023),
    ],
)
def test_random_tug_of_war(leader: str | None, config: dict[str, Any], mean: float, deviation: float) -> None:
    """E13: mean EP of the pcs' team; the published standard errors hold for 20000 games."""
    rng = random.Random(1313)
    games = 1000
    total = 0
    decisions = 0
    for _ in range(games):
        game = play_out(NaiveEinblatt(tug_of_war(leader, **config)), rng)
        total += sum(seat.ep for seat in game.seats if seat.team == "PC")
        decisions += game.decisions
    bound = 4 * math.hypot(deviation, deviation * math.sqrt(20000 / games))
    assert abs(total / games - mean) < bound, total / games
    if leader is None and not config:
        assert 40 < decisions / games < 56  # 4.5: about 48


def test_uniformly_random_duel() -> None:
    """E5: distribution of the EP of three cards each, one trump suit each, every legal action equally likely."""
    rng = random.Random(55)
    games = 6000
    seats = [{"name": name, "kind": "npc", "cards": 3, "suits": suit} for name, suit in (("a", "C"), ("b", "S"))]
    counts = dict.fromkeys(range(-3, 4), 0)
    for _ in range(games):
        counts[play_out(NaiveEinblatt({"level": "duel", "config": {}, "seats": seats}), rng).seats[0].ep] += 1
    published = (0.05185, 0.09353, 0.24927, 0.21069, 0.24927, 0.09353, 0.05185)
    for count, p in zip(counts.values(), published):
        assert abs(count / games - p) < 4 * math.sqrt(p * (1 - p) / games)


def best_three(rng: random.Random) -> Policy:
    """Play the three best cards of a hand in random order, and vote for going on (E1)."""

    def policy(game: NaiveEinblatt, seat: int, legal: list[str]) -> str:
        if game.phase != "commit":
            return "yes"
        if legal == ["pass"]:
            return "pass"
        own = game.seats[seat]
        best = sorted(own.hand, key=lambda card: card_class(card, own.attribute.suits), reverse=True)
        # One of the best 3 - r cards left before round r is just one of the best three not yet played; a missing one
        # stands for a pass.
        choice = rng.randrange(3 - game.round)
        return f"card:{card_code(best[choice])}" if choice < len(best) else "pass"

    return policy


def test_three_best_cards_in_random_order_until_a_perfect_result() -> None:
    """E9: attribute 6 with a suit against 5 cards without; here at most 20 tests, which hardly ever matters."""
    rng = random.Random(99)
    seats = [
        {"name": "a", "kind": "pc", "attribute": 6, "suits": "C"},
        {"name": "b", "kind": "npc", "cards": 5, "suits": ""},
    ]
    config = {"max_tests": 20, "continue_by": "any", "reshuffle": "each_test"}
    games, won, tests = 1500, 0, []
    for _ in range(games):
        game = play_out(NaiveEinblatt({"level": "duel", "config": config, "seats": seats}), rng, policy=best_three(rng))
        won += game.seats[0].ep >= 3
        tests.append(game.test + 1)
    assert abs(statistics.mean(tests) - 1.860) < 4 * statistics.stdev(tests) / math.sqrt(games)
    assert abs(won / games - 0.98725) < 4 * math.sqrt(0.98725 * 0.01275 / games)


# The session of the presets (4.8): tested attribute, relation of the skill, the opponent's cards and suits
SESSION = (
    ("dexterity", "own", 4, ""),
    ("dexterity", "own", 6, "C"),
    ("dexterity", "own", 12, "C"),
    ("dexterity", "none", 3, "H"),
    ("dexterity", "none", 7, "H"),
    ("dexterity", "other", 7, "CH"),
    ("charisma", "own", 12, "D"),
)


@pytest.mark.parametrize(("restrict", "value"), [(True, -3.81716), (False, -0.75424)])
def test_a_session_with_and_without_restrictions(restrict: bool, value: float) -> None:
    """E10: total EP of the session when both sides play their three best cards in random order."""
    rng = random.Random(10)
    hero = {
        "name": "hero",
        "kind": "pc",
        "attributes": {
            "dexterity": {"attribute": 8, "suits": "S"},
            "charisma": {"attribute": 7, "suits": "H"},
        },
    }
    conflicts = [
        {
            "restrict": restrict,
            "seats": {"hero": {"test": test, "relation": relation}, "GM": {"cards": cards, "suits": suits}},
        }
        for test, relation, cards, suits in SESSION
    ]
    setup = {
        "level": "campaign",
        "config": {"reshuffle": "each_test"},
        "seats": [hero, {"name": "GM", "kind": "npc", "cards": 4}],
        "conflicts": conflicts,
    }
    totals = [play_out(NaiveEinblatt(setup), rng, policy=best_three(rng)).snapshot()["payoffs"][0] for _ in range(700)]
    assert abs(statistics.mean(totals) - value) < 4 * statistics.stdev(totals) / math.sqrt(len(totals))


def test_one_card_each() -> None:
    """E3 by enumeration: win and tie of one card each from full decks, by numbers of trump suits."""
    for own, other, win, tie in ((0, 0, 7 / 16, 1 / 8), (1, 1, 59 / 128, 5 / 64), (1, 0, 37 / 64, 3 / 32)):
        results = [
            compare(card_class(mine, SUITS[:own]), card_class(yours, SUITS[:other]))
            for mine in range(32)
            for yours in range(32)
        ]
        assert results.count(1) / 1024 == win and results.count(0) / 1024 == tie
