"""Environments as pictures: all of a text is there, whatever its size, and the usual ways to ask for one work."""

from __future__ import annotations

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

from probespiel.agents.learner_env import ProbespielEnv, ProbespielVectorEnv
from probespiel.agents.registration import register_all
from probespiel.envs import make_game
from probespiel.envs.core.aec import ProbespielAEC
from probespiel.envs.core.parallel import ProbespielParallel
from probespiel.envs.core.rendering import HEIGHT, WIDTH, picture_of
from probespiel.envs.registration import env_id


def ink(picture: np.ndarray) -> tuple[int, int, int, int]:
    """First and last row, first and last column on which there is something."""
    dark = picture.min(axis=2) < 200
    rows, columns = np.flatnonzero(dark.sum(axis=1)), np.flatnonzero(dark.sum(axis=0))
    return int(rows[0]), int(rows[-1]), int(columns[0]), int(columns[-1])


@pytest.mark.parametrize(("lines", "columns"), [(1, 1), (1, 110), (1, 400), (30, 60), (80, 20), (80, 110), (200, 3)])
def test_all_of_a_text_is_in_its_picture(lines: int, columns: int) -> None:
    """Nothing is cut off at an edge; what does not fit at the usual size fills most of the picture."""
    picture = picture_of("\n".join("M" * columns for _ in range(lines)))
    assert picture.shape == (HEIGHT, WIDTH, 3) and picture.dtype == np.uint8
    top, bottom, left, right = ink(picture)
    assert 5 <= top < 20 and 10 <= left < 25 and bottom <= HEIGHT - 5 and right <= WIDTH - 5
    if lines >= 80:
        assert bottom > 0.85 * HEIGHT
    if columns >= 110 and lines == 1:
        assert right > 0.85 * WIDTH


def test_letters_are_told_as_they_stand() -> None:
    """Dollars begin no formula; lines count, empty ones too; nothing at all is a white picture."""
    plain, dollars = picture_of("a b"), picture_of("$a b$")
    assert ink(dollars)[3] > ink(plain)[3] + 10
    assert np.array_equal(picture_of("ä 3"), picture_of("ä 3")) and not np.array_equal(
        picture_of("ä 3"), picture_of("a 3")
    )
    assert ink(picture_of("\n\nx"))[0] > ink(picture_of("x"))[0] + 20
    assert (picture_of("") == 255).all()


def test_environments_give_pictures() -> None:
    """What stands in them is the text of the other mode."""
    game = make_game("kuhn", compiled=False)
    for form in (ProbespielAEC, ProbespielParallel):
        told, shown = (form(game, render_mode=mode) for mode in ("ansi", "rgb_array"))
        for env in (told, shown):
            env.reset(seed=2)
        assert np.array_equal(np.asarray(shown.render()), picture_of(str(told.render())))
    table = ProbespielEnv("kuhn", render_mode="rgb_array")
    table.reset(seed=1)
    assert table.render().shape == (HEIGHT, WIDTH, 3)
    tables = ProbespielVectorEnv("kuhn", 2, render_mode="rgb_array")
    tables.reset(seed=1)
    assert [picture.shape for picture in tables.render() or ()] == [(HEIGHT, WIDTH, 3)] * 2


def test_environments_are_made_in_the_usual_way() -> None:
    """`make_vec_env` of Stable-Baselines3 asks for pictures if nobody says otherwise."""
    register_all()
    env = make_vec_env(env_id("kuhn"), n_envs=2, env_kwargs={"mask": "info"})
    MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=16, device="cpu", seed=1).learn(32)
    assert env.render_mode == "rgb_array"
