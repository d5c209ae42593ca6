"""The search in duels of Scorekeeper: the outlook that it asks, how good heuristics are at most, and play."""

from __future__ import annotations

import numpy as np
import pytest
import torch as th

from probespiel.agents.match import Match, Schedule
from probespiel.agents.scorekeeper.net import BIAS, FIRST, HIDDEN, LAST, SHARED, SIDE, net_value
from probespiel.envs import make_game
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.scorekeeper.presets import presets
from probespiel.evaluation.scorekeeper.duel import Unsupported, duel_value
from probespiel.evaluation.scorekeeper.response import aggressor_value, exploitability, response_value
from probespiel.training.scorekeeper.outlook import TARGET, Net, rewritten


def edge(agent: str, foe: str, scenario: str, pairs: int, seed: int) -> tuple[float, float]:
    """Mean payoff of an agent, and its standard error; every dice seed is played from both seats."""
    game = make_game("scorekeeper-duel", scenario)
    with Match(game, [agent, foe], seed) as match:
        seats = np.tile([[0, 1], [1, 0]], (pairs, 1))
        payoffs = match.play(Schedule.of(seed, np.repeat(np.arange(pairs), 2), seats)).payoffs
    mine = np.where(seats[:, 0] == 0, payoffs[:, 0], payoffs[:, 1]).reshape(pairs, 2).mean(axis=1)
    return float(mine.mean()), float(mine.std(ddof=1) / np.sqrt(pairs))


def test_best_response_in_the_memoryless_duel() -> None:
    """Who is slower parries, who is faster attacks: the value by hand, and equal for both seats."""
    setup = presets()["blade_mirror"]
    h, d, q = 11 / 20, 5 / 20, 11 / 20
    a = h * (1 - d)
    gain = (a - (1 - a) * a) / 2 + (-h * (1 - q) + (1 - h) * a) / 2
    stays = ((1 - a) ** 2 + h * q + (1 - h) * (1 - a)) / 2
    want = gain * (1 - stays**30) / (1 - stays)
    assert response_value(setup, "a") == pytest.approx(want, abs=1e-9)
    assert exploitability(setup) == pytest.approx(want, abs=1e-9)
    assert aggressor_value(setup) == pytest.approx(0.0, abs=1e-12)
    assert want > duel_value(setup) + 0.05  # a best response wins more than optimal play against itself
    with pytest.raises(Unsupported, match="somebody has fate points"):
        response_value(presets()["mafia_club"], "a")


@pytest.mark.slow
def test_aggressor_is_nearly_unbeatable_with_bare_hands() -> None:
    """The melee of `mafia_club` without fate and room: nobody wins more than about a hundredth from `aggressor`."""
    setup = presets()["mafia_club"]
    setup["config"]["field_length"] = 1
    for place, fighter in enumerate(setup["fighters"]):
        fighter.update(fate=0, position=place)
    own, most = aggressor_value(setup), response_value(setup, "a")
    assert own < most < own + 0.01
    assert 0.009 < exploitability(setup) < 0.012


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "foe", "pairs", "seed"),
    [
        ("blade_mirror", "aggressor", 1000, 7),
        ("drug_flat", "aggressor", 150, 2),
        ("rooftop_chase", "aggressor", 400, 7),
        ("mafia_club", "one_ply", 60, 7),
        ("mafia_club", "marksman", 60, 7),
    ],
)
def test_search_beats_heuristics(scenario: str, foe: str, pairs: int, seed: int) -> None:
    """At 1000 simulations, as a user would write it; intervals of 95 % above zero."""
    mean, error = edge("search:sims=1000", foe, scenario, pairs, seed)
    assert mean - 1.96 * error > 0.0, f"{mean:+.3f} ± {1.96 * error:.3f}"


def test_the_outlook_file_is_rewritten_in_place() -> None:
    """The numbers of the file give the torch network's values; writing them again changes nothing, others only them."""
    net = Net(HIDDEN)
    numbers = {"first.weight": FIRST.reshape(HIDDEN, -1), "first.bias": BIAS, "last.weight": LAST.reshape(1, -1)}
    net.load_state_dict({name: th.from_numpy(values) for name, values in numbers.items()})
    seen = np.random.default_rng(4).normal(0, 1, (50, 2 * SIDE + SHARED))
    with th.no_grad():
        values = net(th.from_numpy(seen).float()).numpy()
    assert np.allclose(values, [net_value(row) for row in seen], atol=1e-5)
    text = TARGET.read_text(encoding="utf-8")
    assert rewritten(text, net) == text
    other = rewritten(text, Net(2 * HIDDEN))
    assert f"HIDDEN = {SIDE}, {SHARED}, {2 * HIDDEN}" in other and other.split("@kernel")[1] == text.split("@kernel")[1]
    with pytest.raises(ProbespielError, match="has 0 places"):
        rewritten("nothing", net)
