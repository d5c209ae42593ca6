"""Even play of ews_rps: the chances that baselines declare, and the policy that ships, which nobody exploits."""

from __future__ import annotations

import numpy as np
import pytest

from probespiel.agents.base import Requests
from probespiel.agents.by_position import chances_of
from probespiel.agents.ews_rps.mixtures import symbol_chances
from probespiel.agents.registry import make_agent
from probespiel.envs import make_game
from probespiel.envs.core.game import Game
from probespiel.envs.ews_rps.presets import EVENING, PRESETS
from probespiel.envs.ews_rps.system import SYSTEM
from probespiel.evaluation.exploit.exact import Answered, answer_by_positions
from tests.random_positions import somewhere

SMALL = ("hack", "grapple", "table_simple", "table_contest", "even_contest")
DRAWS = 4_000  # of one decision
KNOWN = 0.01  # what the policy that ships loses at most, a match, whoever answers it


def decisions(game: Game, seed: int) -> tuple[np.ndarray, int]:
    """A position of a random game at which somebody chooses, and who."""
    position = somewhere(game, np.random.default_rng(seed), seed, 30)
    return np.frombuffer(position.to_bytes(), dtype=np.uint8).copy(), position.to_act()[0]


@pytest.mark.parametrize("name", ["uniform", "decliner"])
@pytest.mark.parametrize("modules", [{}, {"lizard_spock": {"seats": [1]}}])
def test_chances_are_those_of_what_is_drawn(name: str, modules: dict[str, dict[str, object]]) -> None:
    """Each symbol as often as it is drawn, five symbols among them; six standard errors at most."""
    game = Game(SYSTEM.bench("ews_rps", "evening", {"may_decline": True}, modules))
    agent = make_agent(name)
    agent.prepare(game)
    met = set()
    for number in range(12):
        state, seat = decisions(game, number)
        states = np.tile(state, (DRAWS, 1))
        seeds = np.random.default_rng(number).integers(1, 2**63, DRAWS, dtype=np.uint64)
        requests = Requests.gather(game, states, np.arange(DRAWS), np.full(DRAWS, seat), 0, seeds, 0)
        chances = chances_of(agent, requests)
        assert chances is not None and np.all(chances[0] == chances) and chances[0].sum() == pytest.approx(1.0)
        often = np.bincount(agent.act_batch(requests), minlength=game.n_actions) / DRAWS
        assert np.abs(often - chances[0]).max() <= 6 * 0.5 / DRAWS**0.5
        met.add(int((chances[0] > 0).sum()))
    assert met == ({1, 3, 5} if modules else {1, 3})


def test_where_nothing_is_shown_no_chances_are_told() -> None:
    """Before a test the acting side may decline; in a round all symbols are alike."""
    game = make_game("ews_rps", "hack", may_decline=True)
    position, told = game.position(seed=1), []
    while not position.over:
        seat = position.to_act()[0]
        out = np.zeros(game.n_actions)
        symbol_chances(position.record, game.params, seat, out)
        told.append([len(position.legal(seat)), *out])
        position.apply(seat, position.legal(seat)[0])
        position.roll()
    thirds = [3, 1 / 3, 1 / 3, 1 / 3, 0, 0, 0]
    assert told[0] == [2, 0, 0, 0, 0, 0, 0] and len(told) > 1 and all(row == thirds for row in told[1:])


@pytest.mark.parametrize("scenario", SMALL)
def test_nobody_exploits_even_play(scenario: str) -> None:
    """Best answers to uniform play get the value of the match at both seats, exactly."""
    found = answer_by_positions(make_game("ews_rps", scenario), make_agent("uniform"))
    assert isinstance(found, Answered) and found.bound == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("scenario", SMALL)
def test_what_ships_is_hardly_exploited(scenario: str) -> None:
    game = make_game("ews_rps", scenario)
    found = answer_by_positions(game, make_agent("policy", game.name))
    assert isinstance(found, Answered) and found.bound < KNOWN


def test_what_ships_is_hardly_exploited_in_the_others() -> None:
    """The policy sees the test alone, so that a match loses what its tests lose in the mean: each of them, alone.

    The tests of an evening are all that may be drawn, 20 or 200 times; those of plain rock-paper-scissors are alike.
    """
    agent, alone = make_agent("policy", "ews_rps"), {}
    for number, test in enumerate([*EVENING.tests(), *PRESETS["plain_rps"].options["tests"][:1]]):
        more = {"max_rounds": 1, "contest_tie": "draw"} if number == len(EVENING.tests()) else {}
        found = answer_by_positions(make_game("ews_rps", "hack", tests=[test], **more), agent)
        assert isinstance(found, Answered)
        alone[number] = found.bound
    *evening, plain = alone.values()
    assert len(evening) == 18 and np.mean(evening) < KNOWN and plain < KNOWN
    assert {name for name, preset in PRESETS.items() if preset.draw} == {"evening", "long_evening"}
    assert {*SMALL, "evening", "long_evening", "plain_rps"} == set(PRESETS)
