"""The module interface in a small system: every part of a declaration works, and a module of another is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game

LIMITED = '''"""A seat may bet once, and jacks beat kings if so chosen."""
from typing import Any
from probespiel.envs.kuhn.module import Module
module = Module("limited", "The first move must be a pass; a jack may beat a king.")
module.param("jack", False, doc="a jack beats a king")
module.param("opening", "pass", choices=("pass", "bet"), doc="first move")
module.state("bets", doc="bets of a seat")
module.state("secret", private=True, doc="own number of moves")
module.state("made", per_seat=False, doc="moves made")
module.piece("bets", 2, 0, 1, "bets of both seats")
module.piece("made", 1, 0, 3, "moves made")
@module.hook
def moves(s: Any, p: Any, seat: int, bits: int) -> int:
    """Only the named move opens."""
    return 1 + p.limited_opening if s.turn == 0 else bits
@module.hook
def moved(s: Any, p: Any, seat: int, move: int) -> None:
    """Counted."""
    s.limited_bets[seat] += move
    s.limited_secret[seat] += 1
    s.limited_made += 1
@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """A jack counts as three."""
    return 3 if card == 0 and p.limited_jack else value
@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """All of it."""
    out[0] = s.limited_bets[0]
    out[1] = s.limited_bets[1]
    out[2] = s.limited_made
'''
WEAK = '''"""All cards are equal."""
from typing import Any
from probespiel.envs.kuhn.module import Module
module = Module("weak", "All cards are equal.", rank={"strength": -1})
@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """Nothing."""
    return 0
'''


def played(game: Game, cards: tuple[int, int], moves: list[int]) -> Any:
    """The position after some moves with given cards."""
    position = game.position()
    position.fall(cards[0])
    position.fall(cards[1] - (cards[1] > cards[0]))
    for move in moves:
        position.apply(position.to_act()[0], move)
    return position


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("modules") / "limited.py"
    path.write_text(LIMITED)
    return str(path)


@pytest.mark.parametrize("compiled", [True, False])
def test_another_system_takes_modules(limited: str, compiled: bool) -> None:
    """Hooks, parameters, fields, pieces; and the game without the module is what it was."""
    game = make_game("kuhn", modules={limited: {"jack": True}}, compiled=compiled)
    position = game.position()
    position.fall(0)
    position.fall(1)
    assert position.legal(0) == [0]
    position = played(game, (0, 2), [0, 1])
    assert list(position.returns()) == [0.0, 0.0]
    pieces = game.layout.view(position.observe(0))
    assert list(pieces["limited.bets"]) == [0, 1]
    assert list(pieces["limited.made"]) == [2]
    assert list(position.forget(0).record.limited_secret) == [1, 0]
    position.apply(0, 1)
    assert list(position.returns()) == [2.0, -2.0], "a jack beats a king"
    assert list(played(make_game("kuhn", compiled=compiled), (0, 2), [0, 1, 1]).returns()) == [-2.0, 2.0]
    assert make_game("kuhn", modules={limited: {"opening": "bet"}}, compiled=compiled).params.limited_opening == 1


def test_filters_are_chained_in_the_order_of_their_ranks(limited: str, tmp_path: Path) -> None:
    """`weak` makes all cards equal; with a lower rank it comes first wherever it is named."""
    path = tmp_path / "weak.py"
    path.write_text(WEAK)
    values = {limited: {"jack": True}, str(path): {}}
    for order in (values, dict(reversed(values.items()))):
        game = make_game("kuhn", modules=order, compiled=False)
        assert list(played(game, (1, 2), [0, 1, 1]).returns()) == [0, 0]
        assert list(played(game, (0, 2), [0, 1, 1]).returns()) == [2, -2]


def test_random_play_with_a_module(limited: str) -> None:
    batch = Batch(make_game("kuhn", modules={limited: {}}), 100, seed=1)
    done = batch.play_random(20)
    assert done.stuck == 0
    assert np.isclose(done.mean_payoff.sum(), 0)


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("def strength", "def strenght", ["limited.py:", "strenght", "did you mean strength"]),
        ("envs.kuhn.module", "envs.einblatt.module", ["moves"]),
        ('module.piece("made", 1', 'module.action("third", en="a third move")\nmodule.piece("made", 1', ["no actions"]),
        ('module.state("made"', 'module.state("made", scope="test"', ["limited.py:9", "scope", "game"]),
        ('"The first move must', 'levels=("duel",), doc="The first move must', ["limited.py:4", "duel"]),
    ],
)
def test_wrong_modules_are_refused_with_their_place(tmp_path: Path, old: str, new: str, parts: list[str]) -> None:
    path = tmp_path / "limited.py"
    assert old in LIMITED
    path.write_text(LIMITED.replace(old, new))
    with pytest.raises(RulesetError) as caught:
        make_game("kuhn", modules={str(path): {}}, compiled=False)
    for part in parts:
        assert part in str(caught.value)


def test_a_module_of_another_system_is_refused() -> None:
    path = Path(__file__).parents[1] / "examples" / "modules" / "last_trump.py"
    with pytest.raises(RulesetError, match="made for the system einblatt, not for kuhn"):
        make_game("kuhn", modules={str(path): {}}, compiled=False)
    with pytest.raises(RulesetError, match=r"'full_hand' is unknown: give a path ending in \.py"):
        make_game("kuhn", modules={"full_hand": {}}, compiled=False)


def test_cached_code_is_found_in_every_process_and_place(tmp_path: Path) -> None:
    """Compiled rules of a module file are loaded again by other processes, and from a copy elsewhere."""
    code = "import sys; from probespiel.envs import make_game; make_game('kuhn', modules={sys.argv[1]: {}})"
    for folder in ("a", "b"):
        path = tmp_path / folder / f"{folder}_limited.py"
        path.parent.mkdir()
        path.write_text(LIMITED if folder == "a" else LIMITED.replace("module = ", "# a comment\nmodule = ", 1))
        for _ in range(2):
            done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
