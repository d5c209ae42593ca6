"""Repeated rock-paper-scissors against the 43 entrants of the RoShamBo programming competition in OpenSpiel.

The protocol is that of Lanctot et al. (2023), "Population-based evaluation in repeated rock-paper-scissors as a
benchmark for multiagent reinforcement learning" (arXiv 2303.03196): the population return PR is the mean return of a
match of 1000 throws over all 43 opponents, and the within-population exploitability WPE is what the worst of them wins.
The worst opponent is chosen on one half of the matches and measured on the other, both ways round, since the minimum of
noisy means would make a uniform player look exploitable.

Our agents play the scenario `plain_rps` of ews_rps. All chance of a match comes from the seed of the run, the names of
the two, and its number; the entrants draw from the C library's `random`, which is seeded too.
"""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Protocol

import numpy as np
import scipy  # its parts are loaded when they are called

from ...agents.apart import QUESTION_SECONDS, ApartAgent, Failed
from ...agents.base import Agent, AgentError, View
from ...agents.base_kernel import decision_seed
from ...agents.intervals import LEVEL, NORMAL, mean_interval
from ...agents.registry import make_agent, parse_agent
from ...envs.core import abi
from ...envs.core.engine import Engine, Local, Work
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game, Position
from ...envs.core.registry import make_game
from ...envs.core.rng import derive_seed

THROWS = 1000
BOT = "bot:"  # before the name of an entrant
REFERENCES = (f"{BOT}greenberg", f"{BOT}iocainebot")  # the strongest entrants (table 1 of the paper)
DEFAULT_AGENTS = ("mixture", "meta", "regret", "safe_exploit")
UNIFORM = "randbot"  # the entrant that plays uniformly
PROBED = 50  # throws of the match by which a worker is probed


def spiel() -> Any:
    """The module `pyspiel`; raises ProbespielError that says how to install it."""
    try:
        import pyspiel
    except ImportError:
        raise ProbespielError("OpenSpiel is not installed: pip install 'probespiel[openspiel]'") from None
    if not hasattr(pyspiel, "make_roshambo_bot"):
        raise ProbespielError("this OpenSpiel has no RoShamBo bots: install a wheel with pip install open_spiel")
    return pyspiel


def population() -> tuple[str, ...]:
    """Names of the entrants, sorted."""
    return tuple(sorted(spiel().roshambo_bot_names()))


def check_name(name: str) -> str:
    """The name of a contender; raises ProbespielError for an entrant that does not exist, AgentError for an agent."""
    if name.startswith(BOT):
        if name[len(BOT) :] not in population():
            raise ProbespielError(f"{name!r}: the entrants are {', '.join(population())}")
    else:
        make_agent(name, "ews_rps")
    return name


class Side(Protocol):
    """One side of a match."""

    seconds: float  # spent on its throws: by the processor, or by the clock if it answers in a process of its own

    def start(self, player: int, seed: int) -> None:
        """A match begins."""
        ...

    def throw(self, state: Any) -> int:
        """Its next symbol: 0 rock, 1 paper, 2 scissors; `state` is OpenSpiel's."""
        ...

    def see(self, own: int, other: int, state: Any) -> None:
        """Both symbols of a throw; `state` is that before it."""
        ...


class Entrant:
    """An entrant of the competition; it always expects a match of 1000 throws.

    Told of another length, some of them write past the end of their tables.
    """

    def __init__(self, name: str) -> None:
        self.name, self.seconds = name, 0.0

    def start(self, player: int, seed: int) -> None:
        """A new bot."""
        self.player = player
        self.bot = spiel().make_roshambo_bot(player, self.name)

    def throw(self, state: Any) -> int:
        """Its answer."""
        before = time.thread_time()
        symbol = self.bot.step(state)
        self.seconds += time.thread_time() - before
        return int(symbol)

    def see(self, own: int, other: int, state: Any) -> None:
        """Some versions of OpenSpiel read the state, others must be told."""
        self.bot.inform_actions(state, [own, other] if self.player == 0 else [other, own])


class Ours:
    """An agent of this project in the scenario `plain_rps`; it takes both seats in turn.

    One from outside without compiled code has a process of its own, whose end is told and ends nothing else.
    """

    def __init__(self, name: str, throws: int) -> None:
        self.game = plain_game(throws)
        self.agent = make_agent(name)
        if parse_agent(name).outside and type(self.agent).native is Agent.native:
            self.agent.close()
            self.agent = ApartAgent(name, 0, QUESTION_SECONDS)
        if type(self.agent).__name__ == "HumanAgent":
            raise AgentError("agent 'human' cannot be measured: nobody is asked here")
        self.agent.prepare(self.game)
        self.policy = self.agent.native(self.game)
        self.seconds = 0.0
        self._data = np.zeros(1, dtype=self.game.state_dtype)
        self._s = self._data.ctypes.data
        self._seed = np.zeros(1, dtype=np.uint64)

    def start(self, player: int, seed: int) -> None:
        """A new match; an agent that remembers begins anew."""
        self._agent_seed, self._table = np.uint64(derive_seed(seed, "agent")), np.uint64(derive_seed(seed, "table"))
        self.seat, self.number = seed & 1, 0
        self._data[:] = 0
        self._call(abi.SETUP)
        if isinstance(self.agent, ApartAgent):
            self.agent.seat = self.seat
        with self._named():
            self.agent.reset(derive_seed(seed, "reset"))

    @contextmanager
    def _named(self) -> Iterator[None]:
        """What became of an agent in its own process is told with its name."""
        try:
            yield
        except Failed as fault:
            raise AgentError(f"agent {self.agent.name!r}: {fault}") from None

    def _call(self, op: int, seat: int = 0, action: int = 0) -> None:
        abi.call_from_python(self.game.address, op, self._s, self.game.params_address, seat, action)

    def throw(self, state: Any) -> int:
        """Its answer; raises AgentError for one that is no symbol."""
        clock = time.perf_counter if isinstance(self.agent, ApartAgent) else time.thread_time
        before = clock()
        if self.policy is not None:
            self._seed[0] = decision_seed(self._agent_seed, self._table, self.seat, self.number)
            symbol = abi.call_from_python(
                self.policy.address, self.policy.which, self._s, self.game.params_address, self.seat,
                self.game.address, self._seed.ctypes.data,
            )  # fmt: skip
            self.policy.raise_pending()
        else:
            position = Position(self.game, data=self._data.copy())
            view = View.of(position, self.seat, int(self._agent_seed), int(self._table), self.number)
            with self._named():
                symbol = self.agent.act(view)
        self.seconds += clock() - before
        self.number += 1
        if symbol not in (0, 1, 2):
            raise AgentError(f"agent {self.agent.name!r} answered {symbol!r}, which is no symbol: 0, 1 or 2")
        return int(symbol)

    def see(self, own: int, other: int, state: Any) -> None:
        """Both symbols are entered."""
        self._call(abi.APPLY, self.seat, own)
        self._call(abi.APPLY, 1 - self.seat, other)


@cache
def plain_game(throws: int) -> Game:
    """Plain rock-paper-scissors: contests of equal values with one round each, in which a draw counts 0."""
    tests = [{"kind": "contest", "attacker_value": 12, "defender_value": 12}] * throws
    return make_game("ews_rps", "plain_rps", tests=tests, history_window=32)


@cache
def _c_library() -> Any:
    return ctypes.CDLL(None)


def seed_entrants(seed: int) -> None:
    """Seed the C library's `random`, from which the entrants draw."""
    _c_library().srandom(seed % (2**31 - 2) + 1)


@cache
def _side(name: str, throws: int, place: int) -> Side:
    return Entrant(name[len(BOT) :]) if name.startswith(BOT) else Ours(name, throws)


@dataclass(frozen=True)
class Task:
    """Some matches of a contender against an entrant."""

    contender: str
    opponent: str
    first: int
    count: int
    throws: int
    seed: int


@dataclass
class Played:
    """What came of a task: the contender's returns int[count], and the time that its throws took."""

    task: Task
    returns: list[int]
    seconds: float


def play_match(first: Side, second: Side, throws: int, seed: int) -> int:
    """One match, or its first throws; what the first side has won more often than the second."""
    seed_entrants(seed)
    state = _repeated_game().new_initial_state()
    first.start(0, seed)
    second.start(1, seed)
    total = 0
    for _ in range(throws):
        a, b = first.throw(state), second.throw(state)
        first.see(a, b, state)
        second.see(b, a, state)
        state.apply_actions([a, b])
        total += (0, 1, -1)[(a - b) % 3]
    return total


@cache
def _repeated_game() -> Any:
    return spiel().load_game(f"repeated_game(stage_game=matrix_rps(),num_repetitions={THROWS})")


def play_task(task: Task, places: Mapping[str, str] | None = None) -> Played:
    """Play the matches of a task, each seeded by the run, the two names and its number.

    `places`: where files of agents lie here, if elsewhere than their names say.
    """
    contender = task.contender
    if places and not contender.startswith(BOT):
        contender = parse_agent(contender).moved(places).here
    first, second = _side(contender, task.throws, 0), _side(BOT + task.opponent, task.throws, 1)
    before = first.seconds
    returns = [
        play_match(first, second, task.throws, derive_seed(task.seed, task.contender, task.opponent, number))
        for number in range(task.first, task.first + task.count)
    ]
    return Played(task, returns, first.seconds - before)


@dataclass(frozen=True)
class Matches(Work):
    """The matches of a run; a job is a `Task`, its result `Played`. Files of agents, as its first task shows them."""

    one: Task
    names: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> tuple[str, ...]:
        """What agents are made of or read."""
        agents = [parse_agent(name) for name in self.names if not name.startswith(BOT)]
        return tuple(dict.fromkeys(path for agent in agents for path in agent.files))

    def moved(self, files: Mapping[str, str]) -> Matches:
        """The same matches where the files lie elsewhere."""
        return replace(self, places=files)

    def do(self, job: Task) -> Played:
        """Play the matches of a task."""
        return play_task(job, self.places)

    def probe(self) -> list[int]:
        """A few throws of the first match."""
        return self.do(replace(self.one, count=1, throws=min(self.one.throws, PROBED))).returns

    def same(self, answer: Played) -> list[int]:
        """The returns; how long they took is another matter."""
        return answer.returns


# --- scores -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error, widened by what is not known of it from few matches."""

    value: float
    error: float

    @property
    def half_width(self) -> float:
        """Half of the 95 % interval."""
        return NORMAL * self.error

    def __sub__(self, other: Estimate) -> Estimate:
        return Estimate(self.value - other.value, math.hypot(self.error, other.error))


def estimate(returns: Sequence[float], throws: int = THROWS) -> Estimate:
    """Mean of some returns of so many throws; of a single one the error is not known.

    Few matches that all end alike do not show that others would: see `agents.intervals`. What few matches that differ
    leave open is Student's.
    """
    values = np.asarray(returns, dtype=float)
    mean, low, high = mean_interval(values, (-float(throws), float(throws)))
    return Estimate(mean, max(mean - low, high - mean) / NORMAL if len(values) > 1 else math.nan)


def spread_of(returns: Sequence[Sequence[int]]) -> float:
    """The widened error of the mean of the means of independent samples; 0 where none of them varies.

    Student's, with the degrees of freedom that Welch (1947) gives such a sum.
    """
    shares = np.array([np.var(values, ddof=1) / len(values) for values in returns])
    if not shares.any():
        return 0.0
    free = shares.sum() ** 2 / sum(share**2 / (len(values) - 1) for share, values in zip(shares, returns))
    return float(scipy.special.stdtrit(free, 0.5 + LEVEL / 2)) / NORMAL * math.sqrt(shares.sum()) / len(shares)


@dataclass(frozen=True)
class Score:
    """What a contender is worth: population return, exploitability, and their difference; `worst` by half."""

    contender: str
    population_return: Estimate
    exploitability: Estimate
    total: Estimate
    worst: tuple[str, ...]
    by_opponent: Mapping[str, Estimate]
    plain_exploitability: float  # minus the lowest mean of all matches, as in the paper
    micros: float  # microseconds a throw


def score(
    contender: str, returns: Mapping[str, Sequence[int]], micros: float = math.nan, throws: int = THROWS
) -> Score:
    """Score the returns of a contender by opponent; at least two matches each, and as many against each."""
    each = {opponent: estimate(values, throws) for opponent, values in returns.items()}
    spread = spread_of(list(returns.values()))
    whole = estimate(np.mean(list(returns.values()), axis=0).tolist(), throws)  # each match against all of them
    mean = Estimate(whole.value, spread or whole.error)
    folds, worst = [], []
    for choose, measure in ((0, 1), (1, 0)):
        lowest = min(returns, key=lambda o: (float(np.mean(returns[o][choose::2])), o))
        worst.append(lowest)
        folds.append(estimate([-r for r in returns[lowest][measure::2]], throws))
    lost = Estimate((folds[0].value + folds[1].value) / 2, math.hypot(folds[0].error, folds[1].error) / 2)
    return Score(
        contender, mean, lost, mean - lost, tuple(dict.fromkeys(worst)), each,
        -min(e.value for e in each.values()), micros,
    )  # fmt: skip


# --- the whole run ----------------------------------------------------------------------------------------------------


def tasks_of(
    contenders: Sequence[str], opponents: Sequence[str], matches: int, throws: int, seed: int, together: int
) -> list[Task]:
    """All matches, in portions of at most `together`; those of slow contenders come first."""
    return [
        Task(contender, opponent, first, min(together, matches - first), throws, seed)
        for contender in sorted(contenders, key=lambda c: not c.startswith(BOT))
        for opponent in opponents
        for first in range(0, matches, together)
    ]


def run(
    contenders: Sequence[str],
    opponents: Sequence[str],
    matches: int,
    throws: int = THROWS,
    seed: int = 1,
    engine: Engine | None = None,
    watch: Callable[[int], None] | None = None,
) -> list[Score]:
    """Play all contenders against all entrants; `watch` hears of every portion of matches.

    The scores depend on the seed alone, not on the `engine` (default: this process). Raises ProbespielError,
    AgentError.
    """
    if matches < 4:
        raise ProbespielError(
            f"matches = {matches!r} is not allowed: at least 4, to choose the worst and to measure it"
        )
    if not 1 <= throws <= THROWS:
        raise ProbespielError(f"throws = {throws!r} is not allowed: 1..{THROWS}")
    for name in contenders:
        check_name(name)
        if contenders.count(name) > 1:
            raise ProbespielError(f"contender {name!r} is given twice")
    for name in opponents:
        check_name(BOT + name)
    try:
        for name in contenders:  # everything is compiled here, so that workers find it in the cache
            _side(name, throws, 0)
        return _scores(contenders, opponents, matches, throws, seed, engine or Local(), watch or (lambda count: None))
    finally:
        _side.cache_clear()  # processes of agents end with those who asked them


def _scores(
    contenders: Sequence[str],
    opponents: Sequence[str],
    matches: int,
    throws: int,
    seed: int,
    engine: Engine,
    watch: Callable[[int], None],
) -> list[Score]:
    """What `run` tells, of names and numbers that are allowed."""
    tasks = tasks_of(contenders, opponents, matches, throws, seed, together=max(1, min(5, matches // 4)))
    returns: dict[str, dict[str, list[int]]] = {c: {o: [0] * matches for o in opponents} for c in contenders}
    seconds = dict.fromkeys(contenders, 0.0)
    for _, played, _ in engine.map(Matches(tasks[0], tuple(contenders)), tasks):
        task = played.task
        returns[task.contender][task.opponent][task.first : task.first + task.count] = played.returns
        seconds[task.contender] += played.seconds
        watch(task.count)
    per_throw = 1e6 / (matches * throws * len(opponents))
    return [score(c, returns[c], seconds[c] * per_throw, throws) for c in contenders]
