"""Builders who compare some builds: ranks by hand, the best of some, and the levels of builds by exact duels."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from probespiel.agents.declaration import lineup_of
from probespiel.agents.oneshot import tries
from probespiel.agents.oneshot.tries import Ranked, best_of_some, like, ranked, ranked_builds
from probespiel.envs import make_game
from probespiel.envs.core.rng import rng_array
from probespiel.envs.oneshot.state import OPTIONS_MAX, STAGES


def builds(*firsts: int) -> np.ndarray:
    """One build for each choice of perks, which are all else 1."""
    out = np.ones((len(firsts), STAGES), dtype=np.int64)
    out[:, 0] = firsts
    return out


def test_the_best_of_some_by_hand() -> None:
    """Three builds and an equilibrium of two: the best of two of four ranks is the last in 7 of 16 draws."""
    found = ranked(builds(5, 3, 9), builds(7, 8), np.array([0.75, 0.25]))
    listed = Ranked(**found)
    assert listed.choices[:, 0].tolist() == [5, 3, 9, 7, 8]
    assert np.allclose(listed.chances(1.0), [0.25, 0.25, 0.25, 0.1875, 0.0625])
    assert np.allclose(16 * listed.chances(2.0), [1, 3, 5, 0.75 * 7, 0.25 * 7])
    assert np.allclose(listed.chances(1e6), [0, 0, 0, 0.75, 0.25])


def test_choices_one_by_one_come_to_the_chances_of_whole_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Perks by the chances of all that hold them, then the gift by those that are left; nothing fits: uniform."""
    rows = builds(5, 5, 9)
    rows[1, 1] = 2
    listed = Ranked(**ranked(rows, builds(9), np.ones(1)))
    uniform = []
    monkeypatch.setattr(tries, "stage_weights", lambda s, p, seat, weights: uniform.append(s.stage_no))
    seen: list[np.ndarray] = []

    def weighed(weights: np.ndarray, rng: object) -> int:
        seen.append(weights.copy())
        return int(weights.argmax()) if weights.any() else -1

    monkeypatch.setattr(tries, "drawn_from", weighed)
    asked = getattr(best_of_some, "py_func", best_of_some)
    chosen = np.zeros((1, STAGES), dtype=np.int64)
    for stage, first, wanted in ((0, 0, {5: 4, 9: 5 + 7}), (1, 5, {1: 1, 2: 3}), (1, 9, {1: 12}), (1, 4, {})):
        chosen[0, 0] = first
        state = SimpleNamespace(stage_no=stage, choice=chosen)
        asked(state, None, 0, rng_array(1, "x"), 2.0, listed.address)
        weights = np.zeros(OPTIONS_MAX)
        weights[list(wanted)] = list(wanted.values())
        assert np.allclose(16 * seen[0], weights)
        seen.clear()
    assert uniform == [1]


def test_a_build_like_another_is_legal() -> None:
    """What the best chose is taken where it may be; where it may not, the last that may."""
    game = make_game("oneshot-build", compiled=False)
    rng = np.random.default_rng(3)
    plain = tries.uniform_builds(game, 6, 2)
    for k in range(5):
        stages = set(rng.permutation(STAGES)[:4].tolist())
        found = like(game, plain[k], plain[5], stages)
        for stage in range(STAGES):
            legal = tries.options_at(game, found, stage)
            wanted = plain[5 if stage in stages else k][stage]
            assert found[stage] == (wanted if wanted in legal else legal[-1])
    assert (like(game, plain[0], plain[5], set(range(STAGES))) == plain[5]).all()
    assert (like(game, plain[0], plain[5], set()) == plain[0]).all()


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["arena", "literal"])
def test_each_level_takes_60_to_75_percent_from_the_one_below(scenario: str) -> None:
    """By exact duels between all builds of the list, without a game."""
    game = make_game("oneshot-build", scenario)
    listed, duels = ranked_builds(game), tries.Duels(tries.plainly(game))
    figures = duels.figures(listed.choices)
    matrix = duels.matrix(figures, figures)
    worth = (matrix - matrix.T) / 2
    points = np.where(np.abs(worth) < 1e-9, 0.5, worth > 0)
    names = lineup_of(game).levels
    tried = [float(name.partition("tried=")[2] or np.inf) for name in names]
    assert names[-1] == "build_equilibrium" and tried == sorted(tried)
    chances = [listed.chances(min(k, 1e9)) for k in tried]
    steps = [float(high @ points @ low) for low, high in pairwise(chances)]
    assert all(0.60 <= step <= 0.75 for step in steps), steps
