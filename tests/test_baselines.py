"""einBlatt's baselines: legal everywhere, blind to what is hidden, true to their definitions, and as strong as E1 says."""

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
from probespiel.envs.einblatt.state import CARD_CODES
from probespiel.envs.einblatt.system import SYSTEM
from tests.modules.play import LEVELS, NO_MELEE, VARIANTS
from tests.naive.test_naive_statistics import random_setup

DUEL = ("highest_first", "best3_shuffled", "lowest_first", "greedy_rescore")
ALL = (*DUEL, "hunter", "turtle")
SWAP, ALL_IN, MERCY, AFTER_CARD = "swap", "all_in", "mercy", "after_card"


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


def module_sets(seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Levels with sets of modules: each variant of each module once, together with random others."""
    rng = random.Random(seed)
    todo = [(name, variant) for name, variants in VARIANTS.items() for variant in variants]
    for name, variant in todo:
        level = rng.choice([x for x in LEVELS if not (x == "melee" and name in NO_MELEE)])
        if name == "sleeve":
            level = "campaign"
        chosen = {name: variant}
        for other, others in rng.sample(sorted(VARIANTS.items()), 3):
            if not other.endswith("_buy") and not (level == "melee" and other in NO_MELEE):
                chosen.setdefault(other, rng.choice(others))
        yield level, chosen


def test_modules() -> None:
    """With rule modules (interpreted): a legal answer to every question, and the same one in all deals."""
    asked = set()
    for n, (level, modules) in enumerate(module_sets(10)):
        game = build(LEVELS[level](modules), compiled=False)
        for position in walk(game, n, every=3):
            asked.add(position.phase())
            check_blind(position, players(game)[1:], n)
    print(sorted(asked))
