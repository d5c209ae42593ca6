"""Games, positions and environments of gymnasium are copied and pickled as any value; and what is none is refused."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.learner_env import ProbespielEnv, ProbespielVectorEnv
from probespiel.envs import make_game
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.checks import check_seed
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game, Position

WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
}
REMEMBERS = '''
class Counts:
    """Never the same twice."""

    def __init__(self):
        self.count = 0

    def act(self, view):
        self.count += 1
        return view.legal[self.count % len(view.legal)]
'''


@pytest.fixture(scope="module")
def leduc() -> Game:
    return make_game("leduc", compiled=False)


def played_on(position: Position) -> list[Any]:
    """What happens when every seat takes its last legal action: events, dice, payoffs."""
    seen: list[Any] = []
    while not position.over:
        for seat in position.to_act():
            position.apply(seat, position.legal(seat)[-1])
        seen.append((position.events(), position.roll()))
    return [*seen, position.returns().tolist()]


@pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))
def test_a_copy_of_a_position_goes_on_alike_and_alone(leduc: Game, way: Callable[[Any], Any]) -> None:
    """Dice included: the public card of leduc falls after the copy was made."""
    position = leduc.position(seed=11)
    position.apply(position.to_act()[0], 1)
    before = position.to_bytes()
    twin = way(position)
    assert twin.to_bytes() == before and twin is not position
    found = played_on(twin)
    assert position.to_bytes() == before, "what is done to the copy is not done to the position"
    assert played_on(position) == found and any(dice for _, dice in found[:-1])
    assert way(leduc.position())._rng is None, "a position without dice has none as a copy"


def test_a_copy_of_a_game_is_the_game(leduc: Game, tmp_path: Path) -> None:
    """In another process it is made again, with its options, modules and hash, compiled only if it was."""
    assert copy.copy(leduc) is leduc and copy.deepcopy([leduc])[0] is leduc
    module = tmp_path / "raised.py"
    module.write_text(Path("examples/modules/last_trump.py").read_text())
    for game in (
        make_game("goofspiel", cards=4, hidden=True, compiled=False),
        make_game("einblatt-duel", "rock_face", modules={str(module): {}, "mercy": {}}, compiled=False),
    ):
        again = pickle.loads(pickle.dumps(game))
        assert again is not game and again.spec.options == game.spec.options and again.ruleset == game.ruleset
        assert (again.name, again.spec.scenario, again.kernel.compiled) == (game.name, game.spec.scenario, False)
    assert repr(game) == f"<game einblatt-duel, scenario rock_face, rules {game.ruleset}>"


def test_a_position_tells_what_it_waits_for(leduc: Game) -> None:
    position = leduc.position()
    assert repr(position) == "<position of leduc, a die is due>"
    position.roll(np.array([1], np.uint64))
    first = leduc.seats[position.to_act()[0]].name
    assert repr(position) == f"<position of leduc, phase {position.phase()}, to act: {first}>"
    while not position.over:
        if position.die():
            position.fall(0)
        else:
            position.apply(position.to_act()[0], position.legal(position.to_act()[0])[-1])
    assert repr(position) == "<position of leduc, over>"


@pytest.mark.parametrize("opponent", ["random", "search:sims=20", "level:2"])
@pytest.mark.parametrize("way", [WAYS["deepcopy"], WAYS["pickle"]], ids=["deepcopy", "pickle"])
def test_a_copy_of_an_environment_plays_the_same_games(opponent: str, way: Callable[[Any], Any]) -> None:
    """To its end and through the next games, whatever was done in the meantime to the one it was made of."""
    env = ProbespielEnv("leduc", opponent, mask="info")
    _, info = env.reset(seed=5)
    env.step(int(info["action_mask"].argmax()))
    twin, seen = way(env), []
    for one in (env, twin):
        told, ended = [], 0
        while ended < 3:
            observation, reward, over, _, info = one.step(int(one.action_masks().nonzero()[0][-1]))
            told.append((observation.tolist(), reward, over, int(info["seat"])))
            if over:
                ended += 1
                one.reset()
        seen.append(told)
    assert seen[0] == seen[1]
    assert twin.table.others.tables is twin.table.tables, "the copy's opponent looks at the copy's tables"


def test_copies_of_many_tables_part_where_their_actions_do() -> None:
    env = ProbespielVectorEnv("leduc", 30, "random", mask="info")
    env.reset(seed=1)
    twin = copy.deepcopy(env)
    least = env.action_masks().argmax(axis=1)
    most = env.action_masks().shape[1] - 1 - env.action_masks()[:, ::-1].argmax(axis=1)
    seen, rewards, *_ = env.step(least)
    other, *_ = copy.deepcopy(twin).step(most)
    again, paid, *_ = twin.step(least)
    assert np.array_equal(seen, again) and np.array_equal(rewards, paid) and not np.array_equal(seen, other)


def test_a_game_against_somebody_who_remembers_is_not_copied(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(REMEMBERS)
    env = ProbespielEnv("kuhn", f"{tmp_path / 'bot.py'}:Counts", seat=1)
    early = copy.deepcopy(env)
    env.reset(seed=1)
    with pytest.raises(ProbespielError, match=r"bot\.py:Counts' remembers .* copy before reset"):
        copy.deepcopy(env)
    early.reset(seed=1)
    for one in (env, early):
        one.close()


def test_seats_that_there_are_not_are_refused(leduc: Game) -> None:
    """Compiled rules would read whatever lies behind the last seat."""
    position = leduc.position(seed=1)
    asked: Any = (
        position.legal, position.mask, position.observe, position.key, position.forget, position.told,
    )  # fmt: skip
    for ask in asked:
        for seat in (2, -1, "first", 1.0, True, np.True_, 2**70):
            with pytest.raises(ProbespielError, match=r"seat = .* is not allowed: 0 \(.*\), 1 \(.*\)"):
                ask(seat)
        ask(np.int64(1))
    assert position.told(None) and position.legal(1 - position.to_act()[0]) == []


def test_what_is_no_seed_or_number_of_games(leduc: Game) -> None:
    assert check_seed(np.uint64(2**63)) == 2**63 and check_seed(0) == 0 and check_seed(2**200) == 2**200
    asked: Any = (
        leduc.position, lambda seed: Batch(leduc, 1, seed=seed),
        lambda seed: ProbespielVectorEnv("leduc", 1).reset(seed=seed),
    )  # fmt: skip
    for ask in asked:
        for seed in (-1, "a", 1.0, True, [1]):
            with pytest.raises(ProbespielError, match=r"seed = .* is not allowed: a whole number from 0 on"):
                ask(seed)
    numbers: tuple[Any, ...] = (0, -1, 1.5, True, "2")
    for games in numbers:
        with pytest.raises(ProbespielError, match=r"games = .* is not allowed: a whole number from 1 on"):
            Batch(leduc, 2).play_random(games)
    with pytest.raises(ProbespielError, match="game = 'leduc' is not allowed: a Game, as make_game gives it"):
        Batch("leduc", 2)  # pyright: ignore[reportArgumentType]
