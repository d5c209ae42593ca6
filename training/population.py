"""Several trainings side by side, as jobs that anybody may do: of the policies the one that earns most is kept.

A population of one is a training as usual, and comes to the same policy, bit by bit; its games against the agents that
it is measured by are jobs, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..agents.policy_file import load_policy, save_policy
from ..agents.registry import parse_agent
from ..envs.core.disk import replacing, write_text
from ..envs.core.engine import Engine, Work
from ..envs.core.errors import ProbespielError
from ..envs.core.registry import make_game
from ..envs.core.rng import derive_seed
from ..envs.core.setups import moved_modules
from .config import ScenarioConfig, TrainConfig
from .evaluate import Evaluation, evaluate
from .forecast import forecast
from .legs import LEG_SECONDS, Legs, Moment, Reached, joined, walk

PROBED = 64  # games by which a worker is examined


@dataclass(frozen=True)
class Games(Work):
    """Games of policies against agents; a job is a policy (by number) and an agent, its result an `Evaluation`."""

    game: str
    scenario: Mapping[str, Any]
    policies: tuple[bytes, ...]
    seeds: tuple[int, ...]  # one a policy
    opponents: tuple[str, ...]
    games: int
    temperature: float
    places: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> tuple[str, ...]:
        """Agents and rule modules that are given as files."""
        found = [path for name in self.opponents for path in parse_agent(name).files]
        return tuple(dict.fromkeys([*found, *(m for m in self.scenario["modules"] if m.endswith(".py"))]))

    def moved(self, files: Mapping[str, str]) -> Games:
        """The same games where the files lie elsewhere."""
        return replace(self, places=files)

    def probe(self) -> Any:
        """A few games of the first policy."""
        return self._played(0, self.opponents[0], PROBED) if self.opponents else None

    def do(self, job: tuple[int, str]) -> Evaluation:
        """Play the games of a policy against an agent."""
        return self._played(*job, self.games)

    def _played(self, policy: int, opponent: str, games: int) -> Evaluation:
        from tempfile import TemporaryDirectory

        modules = moved_modules(self.scenario["modules"], self.places)
        game = make_game(self.game, self.scenario["scenario"], modules, **self.scenario["options"])
        with TemporaryDirectory() as folder:
            path = Path(folder) / "policy"
            path.write_bytes(self.policies[policy])
            loaded = load_policy(path)
        agent = parse_agent(opponent).moved(self.places)
        decisions = loaded.manifest.decisions
        return evaluate(game, loaded.net, agent, games, self.seeds[policy], decisions, self.temperature)


@dataclass(frozen=True)
class Member:
    """A training of a population: its seed, where its policy lies, its decisions, its course, what it earns.

    `done`: it has come to its end.
    """

    seed: int
    file: str
    decisions: int
    done: bool
    course: tuple[Moment, ...]
    evaluations: tuple[Evaluation, ...] = ()

    @property
    def edge(self) -> float:
        """What it earns on average over the agents that it was measured against; minus infinity without any."""
        return float(np.mean([e.edge for e in self.evaluations])) if self.evaluations else -np.inf


class Population:
    """The trainings of a folder: `policy-N.safetensors` each with notes, checkpoints of those under way.

    `own`: agents with whose weights they begin ("": with fresh ones). What is kept is the average policy of each, or
    the `newest`.
    """

    def __init__(
        self, configs: Sequence[TrainConfig], folder: Path, own: Sequence[str] = (), newest: bool = False
    ) -> None:
        self.configs = list(configs)
        self.work, self.folder = Legs.of(self.configs, own, newest), folder

    @classmethod
    def of_seeds(cls, config: TrainConfig, count: int, folder: Path) -> Population:
        """Trainings that differ in their seeds; the first has that of the settings."""
        seeds = [config.seed, *(derive_seed(config.seed, "population", k) >> 1 for k in range(1, count))]
        return cls([config.model_copy(update={"seed": seed}) for seed in seeds], folder)

    def files(self, number: int) -> tuple[Path, Path, Path]:
        """The policy, the notes and the checkpoint of a training."""
        names = (f"policy-{number + 1}.safetensors", f"policy-{number + 1}.json", f"checkpoint-{number + 1}.part")
        return self.folder / names[0], self.folder / names[1], self.folder / names[2]

    @cached_property
    def each(self) -> int:
        """Decisions of a leg: what this machine learns from in a few seconds."""
        return max(self.configs[0].per_update, int(LEG_SECONDS * forecast(self.configs[0], "cpu").rate))

    def learn(self, engine: Engine, tell: Callable[[int], object], stopped: Callable[[], bool]) -> list[Member]:
        """All trainings that are not done yet, side by side; who is done. `tell` hears of decisions of all together."""
        at: dict[int, tuple[bytes | None, int]] = {}
        courses: dict[int, tuple[Moment, ...]] = {}
        for number, member in enumerate(self.members()):
            checkpoint = self.files(number)[2]
            if member is not None and member.done:
                continue
            at[number], courses[number] = (None, 0), ()
            if member is not None and checkpoint.exists():
                at[number], courses[number] = (checkpoint.read_bytes(), member.decisions), member.course
        before = {number: decisions for number, (_, decisions) in at.items()}
        if at:
            for number, reached in walk(self.work, engine, at, self.each, stopped):
                courses[number] = joined(courses[number], reached.course)
                self._keep(number, reached, courses[number])
                tell(reached.decisions - before[number])
                before[number] = reached.decisions
            self.work.dismiss()
        return [member for member in self.members() if member is not None and member.done]

    def members(self) -> list[Member | None]:
        """What is known of every training; None of one that has not begun."""
        notes = [self.files(number)[1] for number in range(len(self.configs))]
        return [read_member(path) if path.exists() else None for path in notes]

    def _keep(self, number: int, reached: Reached, course: tuple[Moment, ...]) -> None:
        """Write what a leg has come to; the checkpoint comes last, and counts."""
        policy, _, checkpoint = self.files(number)
        with replacing(policy) as file:
            file.write(reached.policy)
        self._note(number, Member(self.configs[number].seed, policy.name, reached.decisions, reached.finished, course))
        if reached.finished:
            checkpoint.unlink(missing_ok=True)
        else:
            with replacing(checkpoint) as file:
                file.write(reached.checkpoint)

    def _note(self, number: int, member: Member) -> None:
        write_text(self.files(number)[1], json.dumps(asdict(member), indent=1) + "\n")

    def measure(self, engine: Engine, members: Sequence[Member], tell: Callable[[], object]) -> list[Member]:
        """Play the policies against the agents of the settings, and write that into their files."""
        out = []
        found = measured(
            self.configs[0], [self.folder / m.file for m in members], [m.seed for m in members], engine, tell
        )
        for k, (member, evaluations) in enumerate(zip(members, found)):
            out.append(replace(member, evaluations=evaluations))
            self._note(k, out[-1])
        return out


def measured(
    config: TrainConfig, files: Sequence[Path], seeds: Sequence[int], engine: Engine, tell: Callable[[], object]
) -> list[tuple[Evaluation, ...]]:
    """Play policies of files against the agents of the settings, and write that into the files."""
    policies = [load_policy(file, np.float32) for file in files]
    jobs = [(k, name) for k in range(len(files)) for name in config.evaluate_against]
    ends = [p.manifest.decisions // config.per_update for p in policies]
    work = Games(
        config.game, plain(config.scenarios[0]), tuple(file.read_bytes() for file in files),
        tuple(derive_seed(seed, "evaluation", end) for seed, end in zip(seeds, ends)), config.evaluate_against,
        config.evaluate_games, config.temperature,
    )  # fmt: skip
    found: dict[tuple[int, str], Evaluation] = {}
    for done in engine.map(work, jobs):
        found[jobs[done.index]] = done.answer
        tell()
    work.dismiss()
    out = []
    for k, (file, policy) in enumerate(zip(files, policies)):
        out.append(tuple(found[k, name] for name in config.evaluate_against))
        told = tuple(e.as_dict() for e in out[-1])
        save_policy(file, replace(policy.manifest, evaluation=told), policy.net.weights)
    return out


def plain(scenario: ScenarioConfig) -> dict[str, Any]:
    """A scenario of the settings as jobs name it: preset, modules, options."""
    return {"scenario": scenario.scenario, "modules": dict(scenario.modules), "options": dict(scenario.options)}


def best_of(members: Sequence[Member]) -> Member:
    """The member that earns most on average over the agents that all were measured against; the first of equals."""
    return max(members, key=lambda member: member.edge)


def read_member(path: Path) -> Member:
    """The notes about a training. Raises ProbespielError for a damaged file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        course = tuple(Moment(**{**m, "payoffs": dict(m["payoffs"])}) for m in data["course"])
        found = tuple(Evaluation(**{**e, "seats": tuple(map(tuple, e["seats"]))}) for e in data["evaluations"])
        return Member(data["seed"], data["file"], data["decisions"], data["done"], course, found)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ProbespielError(f"{path} is damaged: {error}; begin anew with --overwrite") from None


__all__ = ["Games", "Member", "Population", "best_of", "measured", "plain", "read_member"]
