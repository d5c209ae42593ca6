"""What the fitted outlook of missions sees: when it is asked, and that it knows no more than the party."""

from __future__ import annotations

import numpy as np
import pytest

from probespiel.agents.base import View
from probespiel.agents.declaration import lineup_of
from probespiel.agents.fitted import shipped_outlook
from probespiel.agents.fitted_kernel import CLOCK, SEE
from probespiel.agents.native import ahead_of, native_sight
from probespiel.agents.oneshot import sight
from probespiel.agents.registry import make_agent
from probespiel.agents.search import SearchAgent
from probespiel.envs import make_game
from probespiel.envs.core.abi import call_from_python
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.rng import rng_array
from probespiel.envs.oneshot.state import Action, Phase, Status


@pytest.fixture(scope="module")
def heist() -> Game:
    return make_game("oneshot-mission", "heist", sg=2)


def entry(game: Game) -> int:
    """The address of the compiled sight."""
    declared = lineup_of(game).sight
    assert declared is not None
    return native_sight(game, declared).address


def seen(game: Game, position: Position, seat: int = 0) -> np.ndarray:
    """What is seen of a position, float32[SIZE]."""
    out = np.zeros(sight.SIZE, np.float32)
    call_from_python(entry(game), SEE, position.address, game.params_address, seat, 0, out.ctypes.data)
    return out


def course(game: Game, seed: int, name: str = "stalker") -> list[Position]:
    """All positions of a mission in which a party decides, as a heuristic plays it."""
    position, agent, out = game.position(seed), make_agent(name), []
    agent.prepare(game)
    while not position.over:
        out.append(position.clone())
        (seat,) = position.to_act()
        position.apply(seat, agent.act(View.of(position, seat, 1, seed, len(out))))
        position.roll(rng_array(seed, len(out)))
    return out


def test_the_clock_moves_when_the_party_is_on_its_way_again(heist: Game) -> None:
    """It never goes back, and there alone it moves: so a simulation of one tick ends behind the room it is in."""
    moved = 0
    for seed in range(6):
        before = 0
        for position in course(heist, seed):
            now = call_from_python(entry(heist), CLOCK, position.address, heist.params_address)
            on_the_way = position.record.node == Phase.EXPLORE
            assert now == position.record.entered - (not on_the_way) and now >= before
            assert now == before or on_the_way
            moved += now != before
            before = now
    assert moved > 10


def test_nothing_is_seen_that_the_party_does_not_know(heist: Game) -> None:
    """Rooms that were dealt anew change no feature; there are features that differ between positions."""
    rng, shown = rng_array(1, "sight"), []
    for seed in range(8):
        for position in course(heist, seed)[::3]:
            if position.record.node == Phase.EXPLORE:
                world = View.of(position, position.to_act()[0]).world()
                world.roll(rng)
                shown.append(seen(heist, position))
                assert np.array_equal(shown[-1], seen(heist, world))
    assert len(shown) > 10 and (np.ptp(shown, axis=0) > 0).sum() > 25


def test_what_is_seen_by_hand(heist: Game) -> None:
    """A hero of limit L with w wounds counts (L + 1 - w) / (L + 1), the dead nothing; rooms to come in twelfths."""
    position = heist.position(3)
    r, party = position.record, sight.HEROES * sight.OF_HERO
    r.wounds[0], r.standing[1], r.standing[2] = 2, Status.DEAD, Status.UNCONSCIOUS
    r.saga[0], r.burden[0] = 1, 1
    found = seen(heist, position)
    one, two, three = (found[i * sight.OF_HERO : (i + 1) * sight.OF_HERO] for i in range(3))
    assert one[2] == pytest.approx((r.limit[0] - 1) / (r.limit[0] + 1)) and one[0] == 1 and one[4] == 0.5
    assert not two.any() and three[0] == 0 and three[1] == 1 and three[6] == 0 and three[7] > 0
    assert found[party] == pytest.approx(0.5)  # two of four are up
    tasks = party + sight.OF_PARTY
    assert found[tasks] == pytest.approx(2 / 6) and found[tasks + 1 : tasks + 6].tolist() == [0, 0, 1, 0, 0]
    assert found[tasks + 7] == 0.5
    plan = tasks + sight.OF_TASK
    # 4 * 2 - 1 rooms before the target may come, none seen yet but the entrance; one way leads on, one step
    assert found[plan] == pytest.approx(7 / 12) and found[plan + 8] == pytest.approx(1 / 8)
    assert found[plan + 9] == pytest.approx(0.1)


def test_the_search_of_missions_asks_it(heist: Game) -> None:
    ahead = ahead_of(heist, None)
    assert shipped_outlook(heist) is not None
    assert ahead.memory and ahead.horizon == 1 and not ahead.ticks
    position = heist.position(3)
    found = SearchAgent(sims=40).analyse(View.of(position, 0, 1))
    # a room ahead it is rarely known whether the mission succeeds: values are no shares of whole missions
    assert found.visits.sum() == 40 and 0 < found.values.max() < 1
    assert found.action >= Action.GO
