"""What happens, is seen, said and chosen in games of many kinds: `python -m tests.playthroughs` writes it anew.

Every shipped scenario, every rule module by itself, and random set-ups have a few games, half of whose decisions random
choices make and half the baselines. Kept are hashes in tests/golden/playthroughs.json: `moves` (who is asked for what,
what is legal, the dice, the end and what it pays), `sights` (observations and keys of all seats), `words` (the
position, events, questions and actions in both languages, for seats and for everybody), and of each baseline what it
answers at every decision, whoever is asked. Any change of rules, adapters, texts or baselines that these games meet is
noticed; one on purpose is written anew and read in the change of that file, where a row or a name that was not meant to
change stands out.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from probespiel.agents.base import NativePolicy
from probespiel.agents.native import baselines_of, native_policy
from probespiel.envs.core import abi
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game, GameSpec, Position
from probespiel.envs.core.registry import game_names, system_of
from probespiel.envs.core.rng import rng_array
from probespiel.envs.einblatt.system import SYSTEM as EINBLATT
from probespiel.envs.konfrontation.system import SYSTEM as KONFRONTATION
from probespiel.envs.oneshot.system import SYSTEM as ONESHOT
from probespiel.envs.scorekeeper.system import SYSTEM as SCOREKEEPER
from tests.modules.play import LEVELS, variants
from tests.naive import konfrontation_random, scorekeeper_random, test_naive_oneshot, test_naive_oneshot_flow
from tests.naive.test_naive_statistics import random_setup

FILE = Path(__file__).parent / "golden" / "playthroughs.json"
GAMES = 8  # of a row at most
LONGEST = 40  # decisions of a game
DECISIONS = 60  # of all games of a row, about
# of games with much to see or to ask
FEWER = {"oneshot-mission": 6, "ews_rps": 25, "oneshot-build": 12, "konfrontation-campaign": 30}
SELDOM = {"dp": GAMES * LONGEST, "lookahead": 3, "matrix": 3}  # those that search are asked at every so many decisions
DIGITS = 4  # of what is seen and paid, so that another machine's last bit makes no difference
LANGUAGES = ("en", "de")
LEFT_OUT = {("oneshot-build", "literal")}  # interpreted it takes minutes to make


class _Draws:
    """A generator of its own, written out because a library's streams may change (Knuth's MMIX)."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, bound: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound


class Hashes:
    """Hashes by name, of what is added to each in its order."""

    def __init__(self) -> None:
        self._by_name: dict[str, Any] = {}

    def add(self, name: str, *what: Any) -> None:
        found = self._by_name.setdefault(name, hashlib.blake2b(digest_size=6))
        found.update(repr(what).encode())

    def told(self) -> dict[str, str]:
        return {name: found.hexdigest() for name, found in self._by_name.items()}


def _rounded(values: np.ndarray) -> str:
    return (np.round(values.astype(np.float64), DIGITS) + 0.0).astype("<f4").tobytes().hex()


def _answer(policy: NativePolicy, position: Position, seat: int, seed: int) -> int:
    rng, p = rng_array(seed, "playthrough"), position.game
    found = abi.call_from_python(
        policy.address, policy.which, position.address, p.params_address, seat, p.address, rng.ctypes.data
    )
    policy.raise_pending()
    return int(found)


def _say(position: Position, asked: list[int], hashes: Hashes) -> None:
    game = position.game
    for lang in LANGUAGES:
        for seat in (None, *range(game.n_seats)):
            if seat is None or seat in asked:
                hashes.add("words", position.told(seat, lang))
            hashes.add("words", [game.say(event, seat, lang) for event in position.events()])
        hashes.add("words", position.question(lang))


def _fall(position: Position, draws: _Draws, hashes: Hashes) -> None:
    tell: Callable[..., str] | None = getattr(position.game.spec.texts, "fell", None)
    while faces := position.die():
        outcome = draws.below(faces)
        hashes.add("moves", faces, outcome)
        if tell is not None:
            hashes.add("words", [tell(position, outcome, lang) for lang in LANGUAGES])
        position.fall(outcome)
        hashes.add("words", [position.game.say(event, None, "en") for event in position.events()])


def play(game: Game, hashes: Hashes, number: int) -> int:
    """One game into the hashes; the number of its decisions."""
    draws, position = _Draws(number), game.position()
    players = [n for n, b in baselines_of(game.spec.system).items() if not b.games or game.name in b.games]
    policies = {name: native_policy(game, name) for name in players}
    idle: Callable[[Position], bool] | None = getattr(game.spec.texts, "idle", None)
    _fall(position, draws, hashes)
    for step in range(LONGEST):
        asked, when = position.to_act(), number * LONGEST + step
        hashes.add("moves", asked, position.phase(), position.status, _rounded(position.returns()))
        _say(position, asked or list(range(game.n_seats)), hashes)
        if not asked:
            return step
        if idle is not None:
            hashes.add("moves", idle(position))
        for seat in range(game.n_seats):
            hashes.add("sights", _rounded(position.observe(seat)), position.key(seat))
        choices = []
        for seat in asked:
            legal, answers = position.legal(seat), []
            hashes.add("moves", legal)
            for name, policy in policies.items():
                if when % SELDOM.get(name, 1) == 0:
                    answers.append(_answer(policy, position, seat, when))
                    hashes.add(name, answers[-1])
            pick = draws.below(2 * len(answers))
            choices.append((seat, answers[pick] if pick < len(answers) else legal[draws.below(len(legal))]))
        for seat, action in choices:
            hashes.add("words", [game.actions.describe(action, lang) for lang in LANGUAGES])
            position.apply(seat, action)
        _fall(position, draws, hashes)
    return LONGEST


def hashes_of(spec: GameSpec) -> dict[str, str]:
    """The hashes of the games of a row."""
    game, hashes = Game(spec, compiled=False), Hashes()
    left = FEWER.get(game.name, DECISIONS)
    for number in range(GAMES):
        left -= play(game, hashes, number)
        if left <= 0:
            break
    return hashes.told()


def _with_modules(game: str) -> dict[str, Callable[[], GameSpec]]:
    """The first scenario of a game that takes a module, of every module."""
    system, found = system_of(game), {}
    for module in system.modules():
        for scenario in system.scenarios(game):
            try:
                system.spec(game, scenario, {}, {module: {}})
            except RulesetError:
                continue  # it does not fit this scenario
            found[f"{game} {scenario} {module}"] = partial(system.spec, game, scenario, {}, {module: {}})
            break
    return found


def _at_random() -> dict[str, Callable[[], GameSpec]]:
    """Random set-ups as the oracles of the rules have them."""
    found: dict[str, Callable[[], GameSpec]] = {}
    for n in range(8):
        setups = random_setup(random.Random(n)), scorekeeper_random.random_setup(random.Random(n), duel=n % 2 == 0)
        found[f"einblatt {n}"] = partial(EINBLATT.spec_of_setup, setups[0])
        found[f"scorekeeper {n}"] = partial(SCOREKEEPER.spec_of_setup, setups[1])
        mode = ("clash", "campaign")[n % 2]
        options = konfrontation_random.random_setup(random.Random(n), mode)[1]
        found[f"konfrontation {n}"] = partial(KONFRONTATION.spec, f"konfrontation-{mode}", None, options, {})
        fight = test_naive_oneshot.random_setup(random.Random(n), ((1, 1), (2, 2), (1, 3), (2, 1))[n % 4])
        found[f"oneshot {n}"] = partial(ONESHOT.spec_of_setup, fight, "oneshot-skirmish")
    for n in range(3):
        errand = test_naive_oneshot_flow.random_setup(random.Random(n))
        found[f"oneshot mission {n}"] = partial(ONESHOT.spec_of_setup, errand, "oneshot-mission")
    return found


def rows() -> dict[str, Callable[[], GameSpec]]:
    """What is played, by name."""
    found: dict[str, Callable[[], GameSpec]] = {}
    for game in sorted(game_names()):
        for scenario in system_of(game).scenarios(game):
            if (game, scenario) not in LEFT_OUT:
                found[f"{game} {scenario}"] = partial(system_of(game).spec, game, scenario, {}, {})
        if not game.startswith("einblatt"):
            found |= _with_modules(game)
    for level, setup in LEVELS.items():
        for module, params in variants(level):
            name = " ".join(["einblatt", level, module, *map(str, params.values())])
            found[name] = partial(EINBLATT.spec_of_setup, setup({module: params}))
    return found | _at_random()


def written() -> str:
    """The file as it would be written now."""
    lines = [f"{json.dumps(name)}: {json.dumps(hashes_of(make()))}" for name, make in rows().items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
