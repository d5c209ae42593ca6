"""einBlatt's baselines: always legal, blind to what is hidden, true to their definitions, as strong as E1 says."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import NativePolicy
from probespiel.agents.match import Match, Schedule
from probespiel.agents.native import baselines_of, native_policy
from probespiel.agents.registry import list_agents, make_agent
from probespiel.envs import make_game
from probespiel.envs.core import abi
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.rng import rng_array
from probespiel.envs.einblatt.system import SYSTEM
from tests.modules.play import LEVELS
from tests.naive.test_naive_statistics import random_setup

DUEL = ("highest_first", "best3_shuffled", "lowest_first", "greedy_rescore")
ALL = (*DUEL, "hunter", "turtle")


def build(setup: dict[str, Any], compiled: bool = True) -> Game:
    return Game(SYSTEM.spec_of_setup(setup), compiled)


def players(game: Game) -> list[str]:
    """Names of all baselines of a game, random play included."""
    return ["random", *(DUEL if game.name == "einblatt-duel" else ALL)]


def answer(policy: NativePolicy, position: Position, seat: int, seed: int = 0) -> int:
    """What a compiled policy answers at a position, with its own dice from the seed."""
    game, rng = position.game, rng_array(seed, "test")
    address, which = policy.address, policy.which
    found = abi.call_from_python(
        address, which, position.address, game.params_address, seat, game.address, rng.ctypes.data
    )
    policy.raise_pending()
    return found


def code(name: str, position: Position, seat: int | None = None, seed: int = 0) -> str:
    """The answer of a baseline as a code; the seat is that which is asked."""
    seat = position.to_act()[0] if seat is None else seat
    return position.game.actions.codes[answer(native_policy(position.game, name), position, seat, seed)]


def play(position: Position, *codes: str) -> Position:
    """Take actions for the seats that are asked, lowest seat first, throwing the dice between."""
    for text in codes:
        position.apply(position.to_act()[0], position.game.actions.parse(text))
        position.roll()
    return position


def random_setups(level: str, seed: int) -> Iterator[dict[str, Any]]:
    """Scenarios of a level with random options that the specification allows."""
    rng = random.Random(seed)
    while True:
        setup = random_setup(rng)
        cards = sum(seat.get("cards", 0) for seat in setup["seats"])
        if setup["level"] != level or (setup["config"].get("deck") == "shared_npc" and cards > 32):
            continue
        if level == "duel" or len(setup["seats"]) > 2:  # a melee of two is a rule set of its own
            yield setup


# --- legality and blindness -----------------------------------------------------------------------------------------


def test_names() -> None:
    duel, melee = make_game("einblatt-duel"), make_game("einblatt-melee")
    known = {"random", "first", *ALL}
    assert set(baselines_of("einblatt")) == known
    assert {kind.name for kind in list_agents(melee)} >= known
    assert not {kind.name for kind in list_agents(duel)} & {"hunter", "turtle"}
    assert type(make_agent("random_legal")) is type(make_agent("random"))


@pytest.mark.parametrize(("level", "setups", "games"), [("duel", 150, 80), ("melee", 160, 50)])
def test_always_legal(level: str, setups: int, games: int) -> None:
    """20,000 games under random options: no forfeit, every game ends."""
    rng = np.random.default_rng(5)
    for setup in itertools.islice(random_setups(level, 6), setups):
        game = build(setup)
        names = players(game)
        with Match(game, names, seed=7) as match:
            seating = rng.integers(0, len(names), (games, game.n_seats))
            outcome = match.play(Schedule.of(8, np.arange(games), seating))
        assert not outcome.offences.any(), (setup, outcome.messages)
        assert (outcome.status == 1).all(), setup


def check_blind(position: Position, names: Sequence[str], seed: int) -> None:
    """Two deals of what a seat cannot know, and the true one, lead to the same legal answer."""
    game = position.game
    for seat in position.to_act():
        worlds = [position]
        for deal in range(2):
            world = position.forget(seat)
            world.roll(rng_array(seed, deal))
            worlds.append(world)
        legal = position.legal(seat)
        for name in names:
            policy = native_policy(game, name)
            before = [world.to_bytes() for world in worlds]
            answers = {answer(policy, world, seat, seed) for world in worlds}
            assert len(answers) == 1, (name, seat, position.phase(), game.spec.options)
            assert answers <= set(legal), (name, position.phase(), answers, legal)
            assert before == [world.to_bytes() for world in worlds]  # a policy only reads


def walk(game: Game, seed: int, every: int = 1) -> Iterator[Position]:
    """Positions of a random game in which somebody is asked."""
    position, rng = game.position(seed), random.Random(seed)
    for number in itertools.count():
        if position.over:
            return
        if number % every == 0:
            yield position
        seat = rng.choice(position.to_act())
        position.apply(seat, rng.choice(position.legal(seat)))
        position.roll()


@pytest.mark.parametrize("level", ["duel", "melee"])
def test_blind(level: str) -> None:
    count = 0
    for n, setup in enumerate(itertools.islice(random_setups(level, 9), 50)):
        setup["config"]["npc_trump_hidden"] = n % 2 == 0
        game = build(setup)
        for position in walk(game, n, every=2):
            check_blind(position, players(game)[1:], n)
            count += 1
    assert count > 100


# --- definitions ----------------------------------------------------------------------------------------------------


def duel(ours: list[str], theirs: list[str], modules: dict[str, Any] | None = None, **config: Any) -> Position:
    """Two known hands, clubs trump for the first seat, spades for the second."""
    names = [("A", "C", ours), ("B", "S", theirs)]
    seats = [{"name": name, "kind": "pc", "attribute": 6, "suits": suit, "hand": hand} for name, suit, hand in names]
    setup = {"level": "duel", "config": config, "modules": modules or {}, "seats": seats}
    return build(setup, compiled=False).position(1)


def melee(hands: dict[str, list[str]], teams: dict[str, str] | None = None, **config: Any) -> Position:
    """Known hands, clubs trump for everybody, earlier seats with higher attributes."""
    seats = [
        {
            "name": name,
            "kind": "pc",
            "attribute": 9 - i,
            "suits": "C",
            "hand": hand,
            "team": (teams or {}).get(name, name),
        }
        for i, (name, hand) in enumerate(hands.items())
    ]
    return build({"level": "melee", "config": config, "modules": {}, "seats": seats}, compiled=False).position(1)


def card_class(position: Position, seat: int, card: int) -> int:
    """R5, without modules and with colours."""
    trumps = int(position.record.suits[seat, position.record.tested[seat]])
    return (card & 7) + 8 * (trumps >> (card >> 3) & 1)


HAND = ["C10", "SQ", "DA", "H7"]  # classes 11, 5, 7, 0
THEIRS = ["S7", "H8", "D9"]


def test_order_of_the_best_three() -> None:
    for name, order in (("highest_first", ["C10", "DA", "SQ"]), ("lowest_first", ["SQ", "DA", "C10"])):
        position = duel(HAND, THEIRS)
        for card, other in zip(order, THEIRS):
            assert code(name, position) == f"card:{card}"
            play(position, f"card:{card}", f"card:{other}")
    for layout in ("rounds", "slots"):
        position = duel(["C10", "S8"], THEIRS, layout=layout)
        assert code("lowest_first", position) == "pass"  # a missing card is a pass (E1), and the lowest play
        assert code("highest_first", position) == "card:C10"
    assert {code(name, duel([], THEIRS)) for name in DUEL} == {"pass"}


def assert_uniform(counts: Sequence[int]) -> None:
    n, k = sum(counts), len(counts)
    assert all(abs(c - n / k) < 5 * (n / k * (1 - 1 / k)) ** 0.5 for c in counts), counts


@pytest.mark.parametrize("name", ["best3_shuffled", "greedy_rescore"])
@pytest.mark.parametrize(
    ("hand", "rounds", "plays"),
    [
        (HAND, 3, ["card:C10", "card:DA", "card:SQ"]),
        (HAND, 2, ["card:C10", "card:DA"]),
        (["C10", "S8"], 3, ["card:C10", "card:S8", "pass"]),
        (["S8"], 2, ["card:S8", "pass"]),
    ],
)
def test_shuffled(name: str, hand: list[str], rounds: int, plays: list[str]) -> None:
    position = duel(hand, THEIRS, rounds=rounds)
    answers = [code(name, position, 0, seed) for seed in range(600)]
    assert set(answers) == set(plays)
    assert_uniform([answers.count(p) for p in plays])
    play(position, plays[0], "pass")  # the others stay equally likely
    if len(plays) > 2:
        answers = [code(name, position, 0, seed) for seed in range(600)]
        assert set(answers) == set(plays[1:])
        assert_uniform([answers.count(p) for p in plays[1:]])


def test_round_cards_of_a_melee() -> None:
    hands = {"A": ["C7", "DK", "S9", "H8"], "B": ["D8"], "C": ["D9"]}  # classes 8, 6, 2, 1
    position = melee(hands)
    assert code("highest_first", position, 0) == code("hunter", position, 0) == "card:C7"
    assert code("turtle", position, 0) == "card:H8"
    answers = [code("best3_shuffled", position, 0, seed) for seed in range(600)]
    assert set(answers) == {"card:C7", "card:DK", "card:S9"}
    assert_uniform([answers.count(a) for a in set(answers)])
    assert {code(name, position, 1) for name in ALL} == {"card:D8"}  # nobody passes with a card in hand


def test_prey() -> None:
    """The strongest open card first, then a passer, then a spent seat without cards; never a team mate."""
    hands = {"A": ["CA", "H7"], "B": ["DK", "D7"], "C": ["DQ"], "D": ["D8"]}
    position = play(melee(hands, {"A": "x", "C": "x"}, permission="all"), "card:CA", "card:DK", "card:DQ", "card:D8")
    for name in ("highest_first", "best3_shuffled", "lowest_first", "hunter"):
        assert code(name, position, 0) == "attack:1"
    play(position, "attack:1")  # both spent; C is on turn with DQ, enemies are B (a card in hand) and D
    assert position.to_act() == [2]
    assert code("hunter", position) == code("highest_first", position) == "attack:3"
    play(position, "attack:3")
    position = play(melee(hands, {"A": "x", "C": "x"}), "card:CA", "card:DK", "card:DQ", "pass")
    assert code("hunter", play(position, "attack:1")) == "attack:3"  # a passer without risk before B's unknown card
    spent = melee({"A": ["CA"], "B": ["DK", "D7"], "C": ["DQ"], "D": ["DJ"]}, {"B": "x", "C": "y", "D": "y", "A": "y"})
    play(spent, "card:CA", "card:DK", "card:DQ", "card:DJ", "attack:1")
    assert spent.to_act() == [2]
    assert code("hunter", spent) == "wait"  # B is spent and holds a card: only with class 12 and more
    assert code("highest_first", spent) == "attack:1"


def test_turtle() -> None:
    hands = {"A": ["DK", "CA"], "B": ["DQ", "C9"], "C": ["D8"]}
    position = play(melee(hands), "card:DK", "card:DQ", "card:D8")
    assert code("turtle", position) == "wait"  # nobody is higher
    play(position, "wait")
    assert position.to_act() == [1]
    assert code("turtle", position) == "attack:2"  # A's card is higher


def test_reactions() -> None:
    hands = {"A": ["DK", "H7"], "B": ["DQ", "HJ"], "C": ["D8", "S9", "SJ", "SK", "CA"]}
    position = play(melee(hands), "card:DK", "card:DQ", "card:D8", "attack:2")
    play(position, "attack:2")  # DQ against the spent C, whose hand is S9 SJ SK CA
    assert position.phase() == "react"
    assert code("hunter", position) == code("best3_shuffled", position) == "card:SK"  # the cheapest that beats it
    assert code("highest_first", position) == "card:CA"
    assert code("lowest_first", position) == "card:S9"
    hands["C"] = ["D8", "S9", "HQ"]
    position = play(melee(hands), "card:DK", "card:DQ", "card:D8", "attack:2", "attack:2")
    assert code("hunter", position) == "card:HQ"  # a tie
    hands["C"] = ["D8", "S9", "H8"]
    for decline, wanted in (("forbidden", "card:H8"), ("lose", "pass"), ("colourless_seven", "pass")):
        position = melee(hands, reaction_decline=decline)
        assert code("hunter", play(position, "card:DK", "card:DQ", "card:D8", "attack:2", "attack:2")) == wanted


def test_orders() -> None:
    hands = {"L": ["D8"], "F": ["DK"], "E": ["D9"]}
    teams = {"L": "x", "F": "x"}
    for disobedience, obeyed in (("leader_best", True), ("none", False)):
        position = melee(hands, teams, leaders={"x": "L"}, disobedience=disobedience)
        play(position, "card:D8", "card:DK", "card:D9")
        assert position.phase() == "command"
        assert {code(name, position) for name in ALL} == {"no"}
        play(position, "wait")
        assert position.to_act() == [1]
        for name in ("highest_first", "hunter", "best3_shuffled"):
            assert code(name, position) == ("wait" if obeyed else "attack:2")


def test_votes() -> None:
    position = play(duel(["CA"], ["D7"], max_tests=2, rounds=1), "card:CA", "card:D7")
    assert position.phase() == "continue"
    for name in DUEL:
        assert (code(name, position, 0), code(name, position, 1)) == ("no", "yes")


@pytest.mark.parametrize("seed", range(6))
def test_risks_in_melees(seed: int) -> None:
    """E6 and the limits of the hunter and the turtle in whole games."""
    game = build({**LEVELS["melee"]({}), "config": {"initiative_tie": "seat"}}, compiled=False)
    position = game.position(seed)
    while not position.over:
        s, seats = position.record, position.to_act()
        if position.phase() == "act":
            seat, r = seats[0], int(s.round_no)
            mine = int(s.slot_class[seat, r])
            for name in ("hunter", "turtle"):
                action = code(name, position)
                if action != "wait":
                    target = int(action.partition(":")[2])
                    assert game.seats[target].side != game.seats[seat].side
                    if s.is_open[target]:
                        assert s.slot_class[target, r] < mine
                    elif not s.passed[target] and s.hand[target]:
                        assert mine >= 12
                if name == "turtle" and action != "wait":
                    assert max(s.slot_class[o, r] for o in range(4) if s.is_open[o]) > mine
        for seat in seats:
            position.apply(
                seat, answer(native_policy(game, ("hunter", "best3_shuffled")[seat % 2]), position, seat, seed)
            )
        position.roll()


# --- strength -------------------------------------------------------------------------------------------------------

VALUES = [  # E4: attribute a with one trump suit against b cards with k trump suits
    (6, 5, 0, 1.8326), (4, 7, 0, 0.3723), (2, 8, 1, -2.1403), (6, 6, 1, 0.0), (10, 16, 2, -1.9324), (1, 1, 0, 0.1042),
]  # fmt: skip
# E5: chances of EP -3..3, three cards and one trump suit each
SHUFFLED = (0.09067, 0.04849, 0.30956, 0.10256, 0.30956, 0.04849, 0.09067)
DESCENDING = (0.19557, 0.08810, 0.16836, 0.09592, 0.16836, 0.08810, 0.19557)
BILLY_SHUFFLED = (0.00812, 0.01095, 0.06614, 0.06609, 0.22243, 0.15623, 0.47003)
BILLY_DESCENDING = (0.01566, 0.01679, 0.04481, 0.04569, 0.08788, 0.11322, 0.67595)


def value_game(a: int, b: int, k: int) -> Game:
    hero = {"name": "A", "kind": "pc", "attribute": a, "suits": "C"}
    return build({"level": "duel", "seats": [hero, {"name": "B", "kind": "npc", "cards": b, "suits": "CS"[:k]}]})


def payoffs(game: Game, first: str, second: str, games: int, seed: int = 3) -> np.ndarray:
    """EP of the first seat in many games, float64[games]."""
    names = list(dict.fromkeys([first, second]))
    with Match(game, names, seed=seed) as match:
        seating = np.tile([names.index(first), names.index(second)], (games, 1))
        outcome = match.play(Schedule.of(seed, np.arange(games), seating))
    assert not outcome.offences.any()
    return outcome.payoffs[:, 0]


@pytest.mark.parametrize(("a", "b", "k", "value"), VALUES)
def test_value_of_the_duel(a: int, b: int, k: int, value: float) -> None:
    """E1, E4: the value against whoever plays his best three, in any order; at least that against anybody."""
    game, n = value_game(a, b, k), 20_000
    for other in DUEL:
        for first, second in ((other, "best3_shuffled"), ("best3_shuffled", other)):
            found = payoffs(game, first, second, n)
            assert abs(found.mean() - value) < 4.5 * found.std() / n**0.5, (first, second, found.mean())
    found = payoffs(game, "best3_shuffled", "random", n)
    assert found.mean() > value - 4.5 * found.std() / n**0.5
    found = payoffs(game, "random", "best3_shuffled", n)
    assert found.mean() < value + 4.5 * found.std() / n**0.5


@pytest.mark.parametrize(
    ("cards", "name", "chances"),
    [
        ((3, 3, 1), "best3_shuffled", SHUFFLED),
        ((3, 3, 1), "highest_first", DESCENDING),
        ((6, 5, 0), "best3_shuffled", BILLY_SHUFFLED),
        ((6, 5, 0), "highest_first", BILLY_DESCENDING),
    ],
)
def test_distribution_of_the_duel(cards: tuple[int, int, int], name: str, chances: tuple[float, ...]) -> None:
    """E5, by the chi-square statistic with 6 degrees of freedom (38.0: one in a million)."""
    n = 60_000
    found = payoffs(value_game(*cards), name, name, n, seed=4)
    counts = np.array([(found == ep).sum() for ep in range(-3, 4)])
    wanted = n * np.array(chances)
    assert ((counts - wanted) ** 2 / wanted).sum() < 38.0, counts / n


def test_orders_of_strength_in_the_melee() -> None:
    """Hunting beats random play and hiding; hiding is the foil."""
    game, n = make_game("einblatt-melee", "free_for_all"), 3000
    names = ["hunter", "turtle", "random"]
    with Match(game, names, seed=1) as match:
        means = []
        for index in range(3):
            seating = np.full((n, 4), 2)
            seating[:, 0] = index
            means.append(match.play(Schedule.of(2, np.arange(n), seating)).payoffs[:, 0].mean())
    assert means[0] > 1.5 > 0.5 > means[1]
