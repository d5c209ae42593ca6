"""Trainings as jobs: each is cut into legs, which anybody may do, and has the same result whoever does them.

A leg takes a checkpoint (none: it begins) and gives the next one, so that a training goes on where it was, on whatever
machine, and nothing but a leg is lost with a worker. Trainings end after their decisions and never by the clock;
checkpoints of legs tell no time. A process that is asked for the leg after its own goes on without reading it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeVar

from ..agents.policy import PolicyAgent
from ..agents.policy_file import Policy, save_policy
from ..agents.registry import make_agent, parse_agent
from ..envs.core.engine import Engine, Work
from ..envs.core.engine.work import digest_of
from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game
from ..envs.core.setups import moved_modules
from .checkpoint import load_checkpoint, save_checkpoint
from .config import TrainConfig, checked
from .selfplay import SelfPlay

T = TypeVar("T", bound="HasDecisions")
_PLAYED = "play/against_"
LEG_SECONDS = 5.0  # about how long a leg should take


class HasDecisions(Protocol):
    """A moment of a course."""

    @property
    def decisions(self) -> int:
        """Decisions so far."""
        ...


@dataclass(frozen=True)
class Leg:
    """A piece of a training: which one, from which checkpoint (None: its begin), and after how many decisions it ends.

    Without `until` it goes on to the end of the training.
    """

    training: int
    checkpoint: bytes | None
    until: int | None


@dataclass(frozen=True)
class Moment:
    """An update of a training: decisions so far, entropy of the policy in nats, mean payoffs by kind of opponent."""

    decisions: int
    entropy: float
    payoffs: Mapping[str, float]


@dataclass(frozen=True)
class Reached:
    """Where a leg has come to: the next checkpoint, the policy's file, decisions so far, and whether that is the end.

    `course`: the updates of the leg.
    """

    checkpoint: bytes
    policy: bytes
    decisions: int
    finished: bool
    course: tuple[Moment, ...]


_LIVE: dict[tuple[str, int], tuple[str, SelfPlay]] = {}  # by work and training: the checkpoint it gave, and itself


@dataclass(frozen=True)
class Legs(Work):
    """Some trainings; a job is a `Leg`, its result `Reached`.

    `configs`: the settings of each, as JSON keeps them; `own`: agents with whose weights they begin ("": with fresh
    ones). The policy is the average one, as a training keeps it, or the `newest`.
    """

    configs: tuple[Mapping[str, Any], ...]
    own: tuple[str, ...] = ()
    newest: bool = False
    places: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, configs: Sequence[TrainConfig], own: Sequence[str] = (), newest: bool = False) -> Legs:
        """The work of some trainings. Raises ProbespielError for settings whose result is a matter of the clock."""
        for config in configs:
            if config.minutes is not None:
                raise ProbespielError("minutes: a training in legs ends after its decisions, not by the clock")
            if config.evaluate_every:
                raise ProbespielError("evaluate_every: a training in legs is evaluated at its end alone; leave it at 0")
        return cls(tuple(config.model_dump(mode="json") for config in configs), tuple(own), newest)

    @property
    def files(self) -> tuple[str, ...]:
        """Agents and rule modules that are given as files, and what agents read."""
        found: list[str] = []
        for config, own in zip(self.configs, self.own or ("",) * len(self.configs)):
            for name in (*checked(config).agents, *([own] if own else ())):
                found += parse_agent(name).files
            found += [module for one in config["scenarios"] for module in one["modules"] if module.endswith(".py")]
        return tuple(dict.fromkeys(found))

    def moved(self, files: Mapping[str, str]) -> Legs:
        """The same trainings where the files lie elsewhere; policies and checkpoints name them as they are here."""
        return replace(self, places=files)

    @cached_property
    def name(self) -> str:
        """A hash of the trainings."""
        return digest_of([self.configs, self.own, self.newest])

    def probe(self) -> str:
        """The weights after the first update of the first training."""
        training = self._begun(0)
        training.update()
        return digest_of(dict(training.learner.weights()))

    def do(self, job: Leg) -> Reached:
        """Do a leg."""
        training = self._at(job)
        shown = checked(self.configs[job.training])
        names = dict(zip(training.config.opponents, shown.opponents))
        course: list[Moment] = []

        def watch(trained: SelfPlay, measured: Mapping[str, float]) -> bool:
            if "train/entropy" not in measured:  # of lessons and reviews
                return True
            payoffs = {
                names[name.removeprefix(_PLAYED)]: float(value)
                for name, value in measured.items()
                if name.startswith(_PLAYED)
            }
            course.append(Moment(trained.decisions, float(measured["train/entropy"]), payoffs))
            return job.until is None or trained.decisions < job.until

        training.run(watch)
        training.seconds = 0.0  # which differ from one machine to another
        played, training.config = training.config, shown
        try:
            with tempfile.TemporaryDirectory() as folder:
                checkpoint, policy = Path(folder) / "checkpoint", Path(folder) / "policy"
                save_checkpoint(training, checkpoint)
                manifest = training.manifest().with_modules({there: here for here, there in self.places.items()})
                save_policy(policy, manifest, training.learner.weights() if self.newest else training.weights())
                reached = Reached(
                    checkpoint.read_bytes(), policy.read_bytes(), training.decisions, training.finished, tuple(course)
                )
        finally:
            training.config = played
        if reached.finished:
            _LIVE.pop((self.name, job.training), None)
        else:
            _LIVE[self.name, job.training] = digest_of(reached.checkpoint), training
        return reached

    def dismiss(self) -> None:
        """Forget the trainings under way."""
        for key in [key for key in _LIVE if key[0] == self.name]:
            del _LIVE[key]

    def _at(self, job: Leg) -> SelfPlay:
        """The training of a leg where the leg begins."""
        if job.checkpoint is None:
            return self._begun(job.training)
        given, training = _LIVE.pop((self.name, job.training), ("", None))
        if training is not None and given == digest_of(job.checkpoint):
            return training
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "checkpoint"
            path.write_bytes(job.checkpoint)
            return load_checkpoint(path, "cpu", trust=True, config=self._config(job.training))

    def _config(self, training: int) -> TrainConfig:
        config = checked(self.configs[training])
        return moved_config(config, self.places) if self.places else config

    def _begun(self, number: int) -> SelfPlay:
        training = SelfPlay(self._config(number), "cpu")
        if self.own and self.own[number]:
            agent = parse_agent(self.own[number]).moved(self.places).here if self.places else self.own[number]
            begin_with(training, agent)
        return training


def moved_config(config: TrainConfig, files: Mapping[str, str]) -> TrainConfig:
    """The same settings where files of agents and rule modules lie elsewhere: places by path."""

    def agent(text: str | None) -> str | None:
        return text if text is None or text in ("self", "past") else parse_agent(text).moved(files).here

    data = config.model_dump(mode="json")
    data["opponents"] = {agent(name): weight for name, weight in data["opponents"].items()}
    data["evaluate_against"] = [agent(name) for name in data["evaluate_against"]]
    data["teacher"] = agent(data["teacher"])
    for one in data["scenarios"]:
        one["reviewer"] = agent(one["reviewer"])
        one["modules"] = moved_modules(one["modules"], files)
    return checked(data)


def joined(course: tuple[T, ...], more: tuple[T, ...]) -> tuple[T, ...]:
    """A course and what follows; updates that are done again, since a checkpoint was older than its notes, once."""
    return (*(one for one in course if not more or one.decisions < more[0].decisions), *more)


def own_policy(agent: str, game: Game) -> Policy | None:
    """The policy of an agent that is one, so that a training can begin with its weights."""
    made = make_agent(agent, game.name)
    if not isinstance(made, PolicyAgent):
        return None
    made.prepare(game)
    return made.policy_for(game)


def begin_with(training: SelfPlay, agent: str) -> None:
    """Give a new training the weights of an agent that is a policy, if its network is of the same form."""
    own = own_policy(agent, training.game)
    if own is not None and training.blueprint == own.net.blueprint:
        training.learner.adopt(own.net.weights)


def walk(
    work: Legs,
    engine: Engine,
    at: Mapping[int, tuple[bytes | None, int]],
    each: int,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[int, Reached]]:
    """Do the trainings of `at` (by number: checkpoint and decisions so far) side by side; yield every leg that is done.

    `each`: decisions of a leg, about; results do not depend on it. Ends early, after a leg, if `stopped`.
    """
    left = dict(at)
    while left and not stopped():
        numbers = sorted(left)
        jobs = []
        for number in numbers:
            checkpoint, decisions = left[number]
            until = decisions + each
            jobs.append(Leg(number, checkpoint, until if until < work.configs[number]["decisions"] else None))
        with closing(engine.map(work, jobs)) as finished:
            for done in finished:
                number, reached = numbers[done.index], done.answer
                if reached.finished:
                    del left[number]
                else:
                    left[number] = reached.checkpoint, reached.decisions
                yield number, reached
                if stopped():
                    return


__all__ = [
    "LEG_SECONDS",
    "Leg",
    "Legs",
    "Moment",
    "Reached",
    "begin_with",
    "joined",
    "moved_config",
    "own_policy",
    "walk",
]
