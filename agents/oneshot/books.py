"""What baselines of OneShot compute before they play: books of builds, and the tables of the talk programme."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from ...envs.core.game import Game, Position
from ...envs.core.jit import digest, source_digest
from ...envs.core.kept import kept_arrays
from ...envs.core.registry import system_of
from ...envs.oneshot.state import STAGES
from ..matrix_game import solve_zero_sum
from .duels import Duels
from .shipped import shipped

SAMPLE = 48  # uniform builds that a reply is measured against
LIST = 64  # uniform builds that the equilibrium starts from
ROUNDS = 12  # replies added to it
STARTS = 5  # builds from which a reply to a mixture is looked for
TALK_SLOTS = 16  # sheets whose programme is kept


_BOOKS: dict[str, Book] = {}


class Book:
    """Builds and their chances at addresses that compiled code can use."""

    def __init__(self, choices: np.ndarray, chances: np.ndarray) -> None:
        self.choices = np.ascontiguousarray(choices, dtype=np.int64)
        self.chances = np.ascontiguousarray(chances, dtype=np.float64)
        self._head = np.array([len(self.choices), self.choices.ctypes.data, self.chances.ctypes.data], dtype=np.int64)

    @property
    def address(self) -> int:
        """Address of the head, int64[3]: number of builds, their choices, their chances."""
        return self._head.ctypes.data


def options_at(game: Game, choices: np.ndarray, stage: int) -> list[int]:
    """What a build could have chosen at a stage, given its earlier choices."""
    return _position_at(game, choices, stage).legal(0)


def _position_at(game: Game, choices: np.ndarray, stage: int) -> Position:
    """The first seat has made the choices before a stage, the other one any."""
    position = game.position()
    for k in range(stage):
        _choose(position, choices[k])
    return position


def _choose(position: Position, option: int) -> None:
    position.apply(0, int(option))
    position.apply(1, position.legal(1)[0])


def uniform_builds(game: Game, n: int, seed: int) -> np.ndarray:
    """Choices, int64[n, STAGES], of builds drawn like those of the baseline `uniform`."""
    rng = np.random.default_rng(seed)
    p = game.params
    out = np.zeros((n, STAGES), dtype=np.int64)
    bits = p.perk_bits
    budget = int(p.gear_budget) if p.gear_budget >= 0 else 1000

    def ways(perks: int, i: int) -> float:
        luck, gift = perks >> 5 & 1, perks >> 1 & 1
        cost = 3 * (perks >> 2 & 1) + 3 * (perks >> 3 & 1)
        if i >= p.n_triples[luck] or not p.triple_open[luck, gift, i]:
            return 0.0
        body, mind, charisma = (int(v) for v in p.triples[luck, gift, i])
        if 5 + 5 * mind < cost:
            return 0.0
        return float(splits(body) ** 2 * splits(charisma))

    found = np.array(
        [[ways(int(bits[k]), i) if p.perk_open[k] else 0.0 for i in range(len(bits))] for k in range(len(bits))]
    )
    gear = [
        (w, a, i)
        for w in range(int(p.n_weapons))
        for a in range(int(p.n_armours))
        for i in range(3)
        if p.weapons[w, 2] + p.armours[a, 2] + p.item_price[i] <= budget
    ]
    flat = found.ravel() / found.sum()
    for row, at in enumerate(rng.choice(flat.size, size=n, p=flat)):
        perks, triple = divmod(int(at), found.shape[1])
        luck, gift = int(bits[perks]) >> 5 & 1, int(bits[perks]) >> 1 & 1
        body, _, charisma = (int(v) for v in p.triples[luck, gift, triple])
        weapon, armour, item = gear[rng.integers(len(gear))]
        out[row] = [
            perks, triple, rng.integers(splits(body)), rng.integers(splits(body)), rng.integers(splits(charisma)),
            rng.integers(4), weapon, armour, item, rng.integers(2),
        ]  # fmt: skip
    return out


def splits(points: int) -> int:
    """Ways to distribute points on three values; one way for none."""
    return (points + 1) * (points + 2) // 2 if points > 0 else 1


def variants(game: Game, build: np.ndarray, stage: int) -> np.ndarray:
    """Legal builds that choose otherwise in one stage, int64[n, STAGES]; later choices are kept where still legal."""
    out, here = [], _position_at(game, build, stage)
    for option in here.legal(0):
        if option != build[stage]:
            changed, position = build.copy(), here.clone()
            changed[stage] = option
            for later in range(stage + 1, STAGES):
                _choose(position, changed[later - 1])
                legal = position.legal(0)
                if changed[later] not in legal:
                    changed[later] = legal[-1]
            out.append(changed)
    return np.array(out, dtype=np.int64).reshape(-1, STAGES)


def worths(duels: Duels, builds: np.ndarray, against: np.ndarray, chances: np.ndarray) -> np.ndarray:
    """Mean payoffs, float64[n], of builds against a mixture; those that duels cannot tell apart are played once."""
    different, which = np.unique(duels.figures(builds), axis=0, return_inverse=True)
    return (duels.matrix(different, against) @ chances)[which.reshape(-1)]


def best_reply(duels: Duels, against: np.ndarray, chances: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, float]:
    """A build that no other choice in one stage betters, and its mean payoff, from the best of `starts`.

    Against a mixture of figures int64[m, DUELLIST]: one stage after the other gets its best choice, until none changes.
    """
    values = worths(duels, starts, against, chances)
    best, worth = starts[int(values.argmax())], float(values.max())
    settled, stage = 0, 0
    while settled < STAGES:
        around = variants(duels.game, best, stage)
        values = worths(duels, around, against, chances) if len(around) else np.array([worth])
        if float(values.max()) > worth + 1e-9:
            best, worth = around[int(values.argmax())], float(values.max())
            settled = 0
        settled += 1  # the best choice of this stage, too, has no better one
        stage = (stage + 1) % STAGES
    return best, worth


def find_reply(duels: Duels) -> dict[str, np.ndarray]:
    """The best reply found to uniform builds: a list of one build, and its chance."""
    game = duels.game
    against = duels.figures(uniform_builds(game, SAMPLE, 1))
    found, _ = best_reply(duels, against, np.full(SAMPLE, 1.0 / SAMPLE), uniform_builds(game, SAMPLE, 2))
    return {"choices": found[None, :], "chances": np.ones(1)}


def find_equilibrium(duels: Duels, first: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """The equilibrium of sampled builds and the reply to such, to which replies are added until none is better.

    Double oracle (McMahan, Gordon and Blum 2003). A reply is looked for from several builds of the list, as builds
    beat each other in circles: where one kind is played, that which beats it may be far from all that is good now.
    `first` int64[1, STAGES]: the reply to sampled builds, if it is known.
    """
    first = best_reply_book(duels.game).choices if first is None else first
    builds = np.concatenate([uniform_builds(duels.game, LIST, 3), first])
    figures = duels.figures(builds)
    matrix = duels.matrix(figures, figures)
    while True:
        weights = solve_zero_sum((matrix - matrix.T) / 2).row
        used = weights > 1e-9
        chances = weights[used] / weights[used].sum()
        starts = unlike(builds, matrix[:, used] @ chances)
        tried = [best_reply(duels, figures[used], chances, start[None, :]) for start in starts]
        found, worth = max(tried, key=lambda reply: reply[1])
        if len(builds) >= LIST + 1 + ROUNDS or worth <= 1e-6 or (builds == found).all(axis=1).any():
            return {"choices": builds[used], "chances": chances}
        builds = np.concatenate([builds, found[None, :]])
        reply = duels.figures(found[None, :])
        row, column = duels.matrix(reply, figures), duels.matrix(figures, reply)
        figures = np.concatenate([figures, reply])
        matrix = np.block([[matrix, column], [row, np.zeros((1, 1))]])


def unlike(builds: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """The `STARTS` best of some builds int64[n, STAGES] by their worth float64[n], no two of the same perks."""
    order = np.argsort(-worth, kind="stable")
    _, first = np.unique(builds[order, 0], return_index=True)
    return builds[order[np.sort(first)[:STARTS]]]


def plainly(game: Game) -> Game:
    """The game without modules, with duels by their odds where they are fought on the grid."""
    spec = game.spec
    plain = {name: value for name, value in spec.options.items() if name != "modules"}
    plain["config"] = {**plain.get("config", {}), "pilot": "exact"}
    return Game(system_of(spec.name).restore(spec.name, spec.scenario, plain), game.kernel.compiled)


def book_of(game: Game, find: Callable[[Duels], dict[str, np.ndarray]]) -> Book:
    """A book for the builds of a game, made once for all games whose builds fight alike, or shipped with the package.

    Its duels are those of the rules without modules, for both sides alike: what a module gives one side is for learners
    and searches to find, who begin with the book.
    """
    base = plainly(game)
    facts = [source_digest(Path(__file__).resolve()), find.__name__, base.spec.params.tobytes().hex()]
    name = f"book-{digest(facts)}"
    if name not in _BOOKS:
        kept = shipped(find.__name__, base.spec.params) or kept_arrays(name, lambda: find(Duels(base)))
        _BOOKS[name] = Book(kept["choices"], kept["chances"])
    return _BOOKS[name]


def best_reply_book(game: Game) -> Book:
    """The best reply found to uniform builds, as a book of one build."""
    return book_of(game, find_reply)


def equilibrium_book(game: Game) -> Book:
    """The equilibrium of sampled builds and of replies to it, as a book."""
    return book_of(game, find_equilibrium)


class TalkMemory:
    """Room for the values of the talk programme, by sheet."""

    def __init__(self, size: int, slots: int = TALK_SLOTS) -> None:
        self._keys = np.zeros(slots, dtype=np.int64)
        self._values = np.zeros(slots * size, dtype=np.float64)
        self._head = np.array([slots, size, self._keys.ctypes.data, self._values.ctypes.data, 0], dtype=np.int64)

    @property
    def address(self) -> int:
        """Address of the head, int64[5]: slots, numbers of a slot, addresses of the keys and of the values."""
        return self._head.ctypes.data


def talk_memory(game: Game) -> TalkMemory:
    """Room for a game's talks; its size is that of the programme's states (`talk.py`)."""
    from . import talk

    p = game.params
    steps = min(talk.HORIZON, int(p.max_steps)) + 1
    goal, recoveries = min(talk.GOALS, int(p.goal_successes)), min(talk.RECOVERIES, int(p.recover_limit)) + 1
    return TalkMemory(talk.N_TRIPLES * steps * goal * talk.FAILS * talk.MOODS**2 * recoveries)


__all__ = [
    "LIST",
    "SAMPLE",
    "STARTS",
    "Book",
    "TalkMemory",
    "best_reply",
    "best_reply_book",
    "equilibrium_book",
    "plainly",
    "talk_memory",
    "uniform_builds",
    "unlike",
    "worths",
]
