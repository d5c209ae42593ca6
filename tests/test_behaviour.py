"""The hash of what a game does: the same for the same play, another one for other choices, sights or payoffs."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core.behaviour import behaviour
from probespiel.envs.core.game import Game, Position


def kuhn(**config: Any) -> Game:
    return make_game("kuhn", compiled=False, **config)


def test_the_same_play_has_the_same_hash() -> None:
    """However it is run and however its numbers are written; another game's name makes no difference."""
    game = kuhn()
    renamed = Game(dataclasses.replace(game.spec, name="poker"), compiled=False)
    assert behaviour(game) == behaviour(make_game("kuhn")) == behaviour(kuhn(ante=1)) == behaviour(renamed)
    assert len(behaviour(game)) == 24


def test_other_payoffs_have_another() -> None:
    assert behaviour(kuhn(bet=2)) != behaviour(kuhn())


def test_other_sights_and_choices_have_others(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, game = behaviour(kuhn()), kuhn()
    observe, legal = Position.observe, Position.legal
    with monkeypatch.context() as patch:
        patch.setattr(Position, "observe", lambda self, seat: observe(self, seat) + np.float32(1e-6))
        assert behaviour(game) == plain  # a last bit is nothing
        patch.setattr(Position, "observe", lambda self, seat: observe(self, seat) * np.float32(0.5))
        assert behaviour(game) != plain
    monkeypatch.setattr(Position, "legal", lambda self, seat: legal(self, seat)[::-1])
    assert behaviour(game) != plain


def test_a_module_that_does_nothing_does_nothing(tmp_path: Path) -> None:
    """The rule set's own hash tells its source apart, this one does not."""
    path = tmp_path / "idle.py"
    path.write_text('''"""A rule that changes nothing."""

from typing import Any

from probespiel.envs.kuhn.module import Module

module = Module("idle", doc="nothing")


@module.hook
def moved(s: Any, p: Any, seat: int, move: int) -> None:
    """Nothing."""
''')
    game = make_game("kuhn", modules={str(path): {}}, compiled=False)
    assert game.ruleset != kuhn().ruleset and behaviour(game) == behaviour(kuhn())
