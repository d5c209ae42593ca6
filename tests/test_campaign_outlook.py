"""The outlook of einBlatt's campaigns: when it is asked, what it says, and what a conflict leaves to later ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import View
from probespiel.agents.einblatt.outlook import POINT
from probespiel.agents.native import ahead_of, native_outlook, outlook_of
from probespiel.agents.search import SearchAgent
from probespiel.envs import make_game
from probespiel.envs.core.abi import call_from_python
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.rng import rng_array

CLOCK, ESTIMATE = 0, 1
DEXTERITY, CHARISMA = 1, 3  # attributes of the hero: six conflicts of the session test the one, the last the other


@pytest.fixture(scope="module")
def session() -> Game:
    return make_game("einblatt-campaign", "table32_session")


def asked(game: Game, position: Position, op: int) -> tuple[int, list[float]]:
    """What the compiled outlook answers: the clock, or the payoffs of both seats."""
    declared = outlook_of(game)
    assert declared is not None
    out = np.zeros(game.capacity)
    at = native_outlook(game, declared).address
    time = call_from_python(at, op, position.address, game.params_address, 0, 0, out.ctypes.data)
    return time, out[:2].tolist()


def after(game: Game, conflicts: int, seed: int, play: Callable[[list[int]], int]) -> Position:
    """The position in which so many conflicts are over, where both seats choose by `play` among what is legal."""
    position = game.position(seed)
    step = 0
    while position.record.conflict < conflicts:
        for seat in position.to_act():
            position.apply(seat, play(position.legal(seat)))
        step += 1
        position.roll(rng_array(seed, step))
    return position


def test_the_clock_tells_the_conflict(session: Game) -> None:
    """Seven times as long as nothing else is asked in a conflict than three cards of both seats."""
    position = session.position(3)
    told = []
    while not position.over:
        told.append(asked(session, position, CLOCK)[0])
        for seat in position.to_act():
            position.apply(seat, max(position.legal(seat)))
        position.roll(rng_array(3, len(told)))
    assert told == [conflict for conflict in range(7) for _ in range(3)]


def test_it_counts_what_was_won_and_what_restrictions_will_cost(session: Game) -> None:
    """Where the third of seven conflicts begins, a point of dexterity hurts in four of them, one of charisma in one."""
    position = after(session, 2, 5, max)
    s = position.record
    s.total[:2] = 1.0, -1.0
    s.restr[0] = 0
    assert asked(session, position, ESTIMATE)[1] == [1.0, -1.0]
    s.restr[0, DEXTERITY], s.restr[0, CHARISMA] = 3, 2
    lost = POINT * (3 * 4 + 2 * 1)
    assert asked(session, position, ESTIMATE)[1] == pytest.approx([1.0 - lost, -1.0 + lost])
    s.restr[1] = 5  # of the game master's figures, who bear no restrictions
    assert asked(session, position, ESTIMATE)[1] == pytest.approx([1.0 - lost, -1.0 + lost])


@pytest.mark.parametrize(
    ("scenario", "options"), [("table32_tricks", {}), ("table32_session", {"payoff": "win"})], ids=["modules", "wins"]
)
def test_there_is_none_where_something_else_is_carried_over_or_paid(scenario: str, options: dict[str, Any]) -> None:
    assert outlook_of(make_game("einblatt-campaign", scenario, compiled=False, **options)) is None


def test_later_conflicts_know_nothing_of_the_cards_that_were_played(session: Game) -> None:
    """All cards of a hand go to the discard pile, played or not: of a conflict its result alone is carried on.

    With this and E1 (the closed formula holds for every utility that grows with the EP) nobody earns anything in the
    session from who plays his three best cards in random order.
    """
    for seed in range(20):
        one, other = (after(session, 1, seed, play) for play in (min, max))
        piles = [np.array(position.record.disc)[:2] for position in (one, other)]
        assert (piles[0] == piles[1]).all()
        assert piles[0].any()


def test_a_search_is_not_moved_by_the_conflicts_after_this_one(session: Game) -> None:
    """What it meets differs by the few EP of a conflict and what they leave behind, not by those of all seven."""
    assert ahead_of(session, None).horizon == 1
    noise = []
    for horizon in (1, 0):
        search = SearchAgent(sims=400, horizon=horizon)
        search.prepare(session)
        found = search.analyse(View.of(session.position(4), 0, 1, 2, 0))
        tried = found.visits > 0
        noise.append(float((found.errors[tried] * np.sqrt(found.visits[tried])).mean()))
    assert noise[0] < 0.6 * noise[1]
