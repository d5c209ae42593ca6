"""Rule modules and games by name, played at random with every promise of the contract checked.

`probespiel verify --module FILE`, `probespiel verify --game GAME` and the tests of rule modules stand on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .contract import Soundness, check_random_play
from .errors import RulesetError, WrongLevel
from .game import Game
from .registry import system


def check_modules(
    name: str, modules: Mapping[str, Any], games: int = 5, seed: int = 0, compiled: bool = False
) -> list[Soundness]:
    """Random play of rule modules in the default scenario of every game of a system; raises RulesetError.

    A game of a level that one of the modules does not know is left out.
    """
    found = system(name)
    out: list[Soundness] = []
    refused: RulesetError | None = None
    for game in found.games:
        try:
            spec = found.spec(game, None, {}, modules)
        except WrongLevel as error:
            refused = error
            continue
        out.append(check_game(Game(spec, compiled), games, seed))
    if not out and refused is not None:
        raise refused
    return out


def check_game(game: Game, games: int = 5, seed: int = 0) -> Soundness:
    """Random play of a game with the invariants of its system."""
    owner = system(game.spec.system)
    return check_random_play(game, games, seed, owner.invariants, futures=owner.keys_of_futures)
