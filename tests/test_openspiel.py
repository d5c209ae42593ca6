"""OpenSpiel's own algorithms over our rules."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core.errors import IllegalAction, ProbespielError
from probespiel.envs.core.game import Game
from tests.games_adapters.clash import clash

pyspiel: Any = pytest.importorskip("pyspiel")

from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from probespiel.envs.core.openspiel import load_openspiel  # noqa: E402

GAMES: dict[str, Callable[[], Game]] = {
    "kuhn": lambda: make_game("kuhn"),
    "clash": lambda: clash(2, rounds=2),
    "clash-teams": lambda: clash(4, (0, 0, 1, 1), rounds=2),
    "clash-stopped": lambda: clash(2, rounds=9, limit=5),
    "einblatt-duel": lambda: make_game("einblatt-duel"),
    "einblatt-melee": lambda: make_game("einblatt-melee"),
    "ews_rps": lambda: make_game("ews_rps", n_tests=4, may_decline=True),
    "ews_rps-die": lambda: make_game("ews_rps", n_tests=4, procedure="pm_d6", gm_policy="uniform"),
    "scorekeeper-duel": lambda: make_game("scorekeeper-duel"),
    "konfrontation-clash": lambda: make_game("konfrontation-clash", "debate", stage="full", max_ties=3),
    "konfrontation-campaign": lambda: make_game("konfrontation-campaign", "triad", turns=2),
    "oneshot-parley": lambda: make_game("oneshot-parley"),
}


def test_cfr_solves_kuhn() -> None:
    game = load_openspiel("kuhn")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert exploitability.exploitability(game, average) < 0.002
    value = expected_game_score.policy_value(game.new_initial_state(), [average, average])
    assert value == pytest.approx([-1 / 18, 1 / 18], abs=0.002)


def test_exploitability_on_kuhn_is_that_of_openspiel() -> None:
    ours, theirs = load_openspiel("kuhn"), pyspiel.load_game("kuhn_poker")
    known = exploitability.nash_conv(theirs, policy.UniformRandomPolicy(theirs))
    assert exploitability.nash_conv(ours, policy.UniformRandomPolicy(ours)) == pytest.approx(known)
    stakes = load_openspiel("kuhn", ante=2, bet=2)
    assert exploitability.nash_conv(stakes, policy.UniformRandomPolicy(stakes)) == pytest.approx(2 * known)


def test_simultaneous_nodes() -> None:
    game = load_openspiel(clash(2, rounds=1))
    uniform = policy.UniformRandomPolicy(game)
    # against uniform play paper wins 2 and loses 1, each a third of the time; both sides may gain that third
    assert exploitability.nash_conv(game, uniform) == pytest.approx(2 / 3)
    turns = pyspiel.convert_to_turn_based(game)
    solver = cfr.CFRPlusSolver(turns)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(turns, solver.average_policy()) < 0.02  # pyright: ignore[reportOperatorIssue]


@pytest.mark.parametrize("name", GAMES)
def test_random_simulations(name: str) -> None:
    game = load_openspiel(GAMES[name]())
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)
    if name.startswith("clash"):
        pyspiel.random_sim_test(pyspiel.convert_to_turn_based(game), num_sims=2, serialize=False, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_follows_the_position(name: str) -> None:
    game = GAMES[name]()
    spiel = load_openspiel(game)
    rng = np.random.default_rng(1)
    observation: Any = make_observation(spiel)
    for _ in range(2):
        state, position = spiel.new_initial_state(), game.position()
        while not position.over:
            clone = state.clone()
            if faces := position.die():
                assert state.is_chance_node()
                assert state.chance_outcomes() == [(k, pytest.approx(1 / faces)) for k in range(faces)]
                outcome = int(rng.integers(faces))
                position.fall(outcome)
                state.apply_action(outcome)
                assert state.position.to_bytes() == position.to_bytes() != clone.position.to_bytes()
                continue
            seats = position.to_act()
            for seat in range(game.n_seats):
                assert state.legal_actions(seat) == position.legal(seat)
                seen = position.observe(seat)
                np.testing.assert_array_equal(state.observation_tensor(seat), seen)
                observation.set_from(state, seat)
                for piece, values in game.layout.view(seen).items():
                    np.testing.assert_array_equal(observation.dict[piece], values)
                text = game.spec.texts.state(position, seat, "en")
                assert state.observation_string(seat) == f"{position.phase()}\n{text}"
                assert state.information_state_string(seat).endswith(f" {position.phase()}\n{text}")
            actions = [int(rng.choice(position.legal(seat))) if seat in seats else 0 for seat in range(game.n_seats)]
            assert state.action_to_string(seats[0], actions[seats[0]]) == game.actions.codes[actions[seats[0]]]
            if len(seats) == 1:
                assert state.current_player() == seats[0]
                state.apply_action(actions[seats[0]])
            else:
                assert state.is_simultaneous_node()
                state.apply_actions(actions)
            for seat in seats:
                if seat in position.to_act():
                    position.apply(seat, actions[seat])
            assert clone.position.to_bytes() != state.position.to_bytes() == position.to_bytes()
        assert state.is_terminal() and state.returns() == position.returns().tolist()


def test_information_states_tell_apart_what_a_seat_knows() -> None:
    game = load_openspiel("kuhn")
    seen: dict[str, set[str]] = {}
    for first in range(3):
        for second in range(2):
            state = game.new_initial_state()
            state.apply_action(first)
            state.apply_action(second)
            card = state.position.record.card[0]
            seen.setdefault(str(card), set()).add(state.information_state_string(0))
    assert all(len(states) == 1 for states in seen.values())
    assert len(set.union(*seen.values())) == 3


def test_errors() -> None:
    state = load_openspiel(clash(2)).new_initial_state()
    before = state.position.to_bytes()
    with pytest.raises(IllegalAction, match="action 4"):
        state._apply_actions([0, 4])
    assert state.position.to_bytes() == before
    with pytest.raises(ProbespielError, match="given by name"):
        load_openspiel(clash(2), scenario="standard")
    with pytest.raises(ProbespielError, match="parameters"):
        make_observation(load_openspiel("kuhn"), params={"size": 3})
    with pytest.raises(ProbespielError, match="public information"):
        make_observation(
            load_openspiel("kuhn"),
            pyspiel.IIGObservationType(
                public_info=False, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
            ),
        )


def test_a_game_says_what_it_is() -> None:
    """Kuhn: two to a game, at most 2 to win or to lose, two actions; clash is no sum of zero and played at once."""
    kind, spiel = pyspiel.GameType, load_openspiel("kuhn")
    told = spiel.get_type()
    assert (told.short_name, told.min_num_players, told.max_num_players) == ("probespiel_kuhn", 2, 2)
    assert (told.dynamics, told.utility) == (kind.Dynamics.SEQUENTIAL, kind.Utility.ZERO_SUM)
    assert (told.chance_mode, told.information) == (
        kind.ChanceMode.EXPLICIT_STOCHASTIC, kind.Information.IMPERFECT_INFORMATION,
    )  # fmt: skip
    assert told.provides_information_state_string and not told.provides_information_state_tensor
    assert told.provides_observation_string and told.provides_observation_tensor
    assert (spiel.min_utility(), spiel.max_utility(), spiel.utility_sum(), spiel.num_players()) == (-2, 2, 0, 2)
    assert spiel.num_distinct_actions() == spiel.game.n_actions
    assert spiel.max_game_length() == spiel.game.spec.max_decisions and spiel.max_chance_outcomes() == 64
    other = load_openspiel(clash(4, (0, 0, 1, 1), rounds=2))
    assert other.get_type().dynamics == kind.Dynamics.SIMULTANEOUS and other.num_players() == 4
    assert other.game.spec.zero_sum == (other.get_type().utility == kind.Utility.ZERO_SUM)


def test_the_largest_die_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    state = load_openspiel("kuhn").new_initial_state()
    for faces in (1, 64):
        monkeypatch.setattr(type(state.position), "die", lambda self, faces=faces: faces)
        assert state.chance_outcomes() == [(face, 1 / faces) for face in range(faces)]
    monkeypatch.setattr(type(state.position), "die", lambda self: 65)
    with pytest.raises(ProbespielError, match="65 faces: OpenSpiel was told at most 64"):
        state.chance_outcomes()


def test_several_at_once_in_a_sequential_game_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    state = load_openspiel("kuhn").new_initial_state()
    assert state.current_player() == pyspiel.PlayerId.CHANCE and state.returns() == [0.0, 0.0]
    monkeypatch.setattr(type(state.position), "to_act", lambda self: [0, 1])
    with pytest.raises(ProbespielError, match=r"declared sequential, but seats \[0, 1\] are to act"):
        state.current_player()


def test_payoffs_are_those_of_the_end() -> None:
    """Rock beats scissors for 2 in the first of two rounds: until the second is over nothing is paid."""
    state = load_openspiel(clash(2, rounds=2)).new_initial_state()
    state.apply_actions([0, 2])
    assert not state.is_terminal() and state.returns() == [0.0, 0.0]
    assert state.position.returns().tolist() == [2.0, -2.0]


def test_an_observer_has_a_tensor_or_perfect_recall() -> None:
    game = load_openspiel("kuhn")
    state = game.new_initial_state()
    state.apply_action(1)
    state.apply_action(0)
    plain = make_observation(game)
    recalls = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    assert plain is not None and recalls is not None
    for observer in (plain, recalls):
        observer.set_from(state, 1)
    text = plain.string_from(state, 1)
    assert text and recalls.string_from(state, 1) == f"{state.position.key(1) & (1 << 64) - 1:016x} {text}"
    assert plain.tensor is not None and plain.tensor.any() and recalls.tensor is None and not recalls.dict


def test_a_missing_open_spiel_is_said_clearly() -> None:
    code = "import sys; sys.modules['pyspiel'] = None; import probespiel.envs.core.openspiel"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.strip().splitlines()[-1] == (
        "ImportError: OpenSpiel is not installed: pip install 'probespiel[openspiel]'"
    )
