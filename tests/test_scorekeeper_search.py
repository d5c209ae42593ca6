"""The search in duels of Scorekeeper: the outlook that it asks, how good heuristics are at most, and play."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch as th

from probespiel.agents.declaration import Sight
from probespiel.agents.match import Match, Schedule
from probespiel.agents.scorekeeper import outlook
from probespiel.agents.scorekeeper.net import BIAS, FIRST, HIDDEN, LAST, SHARED, SIDE, net_value
from probespiel.envs import make_game
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game
from probespiel.envs.core.rng import rng_array
from probespiel.envs.scorekeeper.presets import presets
from probespiel.envs.scorekeeper.system import SYSTEM
from probespiel.evaluation.scorekeeper.duel import Unsupported, duel_value
from probespiel.evaluation.scorekeeper.response import aggressor_value, exploitability, response_value
from probespiel.training.outlook import Gathering
from probespiel.training.outlook_kernel import Plan
from probespiel.training.scorekeeper.outlook import TARGET, Net, positions, rewritten
from probespiel.training.scorekeeper.outlook_kernel import seen


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


def uneven(strong: str) -> Game:
    """Two of each side, team b first; those of the sides that are named are far better than others."""
    setup = copy.deepcopy(presets()["street_raid"])
    setup["config"] |= {"max_rounds": 12, "utility": "win", "draw_rule": "zero"}
    fighters = [f for team in "ba" for f in [f for f in setup["fighters"] if f["team"] == team][:2]]
    for fighter in fighters:
        value = 12 if fighter["team"] in strong else 3
        fighter |= dict.fromkeys(("wah", "agl", "res", "wil", "melee_skill", "ranged_skill"), value)
    return Game(SYSTEM.spec_of_setup(setup | {"fighters": fighters}, "scorekeeper-skirmish"))


def test_positions_of_fights_are_seen_from_team_a_and_worth_what_it_wins() -> None:
    """Whoever saw them: the outlook that ships and the results say who is the stronger side, of each of two fights."""
    rows, sights, results = positions([uneven("a"), uneven("b")], 20, 3)
    values = np.array([net_value(sight) for sight in sights])
    for number, sign in ((0, 1), (1, -1)):
        of = rows == number
        assert of.sum() > 20 and set(np.sign(results[of])) == {sign}
        assert sign * values[of].mean() > 0.8


def test_wild_openings_are_played_and_not_kept() -> None:
    """In every second fight nothing of the first round is written down; or all of it, and everything is random."""
    sight = Sight(outlook.clock, seen, outlook.FEATURES, 1)
    game = uneven("")  # a fight takes nine rounds, and nearly all twelve where nobody aims at anything
    gathering = Gathering.of(game, "aggressor", sight, rng_array(1, "test"))
    place = 2 * SIDE + 1  # 0.05 a round that is left of twelve
    lengths = []
    for opening in (True, False):
        found, played = gathering.play(4000, Plan(80, 1.0, 1.0, opening=opening))
        spans = zip(found.starts[:-1], found.starts[1:], strict=True)
        left = np.rint([20 * found.values[a:b][found.index[a:b] == place].sum() for a, b in spans])
        assert played == 80 and set(found.games[left == 11]) == set(range(0, 80, 1 + opening))
        rounds = np.bincount(found.games, minlength=80)[1::2]
        assert np.count_nonzero(rounds) > 30  # what follows is kept
        lengths.append(rounds.mean() + opening)
    assert lengths[1] > lengths[0] + 1.0  # 2.1 ± 0.5
