"""A policy that learns against best answers to what it has learned: policy space response oracles, with one learner.

After a training as usual come rounds. In each, best answers to the policy are learned, as `probespiel exploit` learns
them, and join everybody that was there before; what all of them pay each other is a matrix game, and in its solution
the column player mixes those against whom no mixture of the learned ones does well (the meta-strategy of Lanctot et
al., "A Unified Game-Theoretic Approach to Multiagent Reinforcement Learning", 2017). Against that mixture, itself and
the opponents of its settings the policy learns on. Of the policies of all rounds the one is kept that the worst of all
others hurts least.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..agents.apart import QUESTION_SECONDS, ROOM
from ..agents.base import Agent, AgentError
from ..agents.intervals import error_of
from ..agents.match import Match, Schedule
from ..agents.matrix_game import solve_zero_sum
from ..agents.policy_file import Policy, load_policy, save_policy
from ..agents.registry import AgentText, make_agent, parse_agent
from ..agents.rollouts import quick
from ..envs.core.engine import Engine, Work
from ..envs.core.engine.work import digest_of
from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game
from ..envs.core.registry import make_game
from ..envs.core.rng import derive_seed
from ..envs.core.setups import moved_modules
from .answers import SETTLE, answer_to
from .config import OF_PSRO, TrainConfig
from .legs import Moment, own_policy
from .nets import blueprint_of
from .population import Member, Population, plain

LEAST = 0.01  # share of the mixture below which nobody is met
PROBED = 64  # games by which a worker is examined


@dataclass(frozen=True)
class Met:
    """What a player gets against another in the mean over sides, its standard error, and by how many games."""

    payoff: float
    error: float
    games: int


@dataclass(frozen=True)
class Meetings(Work):
    """Games of players of each other; a job is two of them by number and a seed, its result `Met` of the first.

    In the mean over sides and, by their weights, over scenarios. All other seats are played by the second.
    """

    game: str
    scenarios: tuple[Mapping[str, Any], ...]
    weights: tuple[float, ...]
    players: tuple[str, ...]
    names: tuple[str, ...]  # of the players, by which their chance goes: the same in every folder
    content: str  # a hash of the files of the players: those of another run may have the same names
    games: int
    places: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> tuple[str, ...]:
        """Agents, policies and rule modules that are given as files."""
        found = [path for name in self.players for path in parse_agent(name).files]
        found += [module for one in self.scenarios for module in one["modules"] if module.endswith(".py")]
        return tuple(dict.fromkeys(found))

    def moved(self, files: Mapping[str, str]) -> Meetings:
        """The same games where the files lie elsewhere."""
        return replace(self, places=files)

    def probe(self) -> Met:
        """A few games of the first two."""
        return replace(self, games=PROBED).do((0, len(self.players) - 1, 0))

    def do(self, job: tuple[int, int, int]) -> Met:
        """Play the games of two players, over all sides and scenarios."""
        hero, other, seed = job
        total, variance, played = 0.0, 0.0, 0
        for scenario, weight in zip(self.scenarios, np.array(self.weights) / sum(self.weights)):
            modules = moved_modules(scenario["modules"], self.places)
            game = make_game(self.game, scenario["scenario"], modules, **scenario["options"])
            who = [self._player(number, game) for number in dict.fromkeys((hero, other))]
            n = max(2, self.games // len(game.sides) // len(self.scenarios))
            # Only those from outside are timed, as nobody can stop the others.
            limit = QUESTION_SECONDS if any(isinstance(one, AgentText) for one in who) else None
            with Match(game, who, seed, limit, bots=ROOM) as match:
                for _, seats in game.sides:
                    seating = np.full((n, game.n_seats), len(who) - 1, dtype=np.int64)
                    seating[:, list(seats)] = 0
                    outcome = match.play(Schedule.of(seed, np.arange(n), seating))
                    for (row, seat), message in outcome.messages.items():  # a game that was given up tells nothing
                        name = self.names[(hero, other)[int(seating[row, seat])]]
                        raise AgentError(f"agent {name!r}: {message}")
                    found = outcome.payoffs[:, list(seats)].mean(axis=1)
                    share = weight / len(game.sides)
                    total += share * float(found.mean())
                    bounds = game.spec.bounds_of_seats
                    widest = min(low for low, _ in bounds), max(high for _, high in bounds)
                    variance += (share * error_of(found, widest)) ** 2
                    played += n
        return Met(float(total), float(variance) ** 0.5, played)

    def _player(self, number: int, game: Game) -> Agent | AgentText:
        """A player under its name; one from outside is left to the match, which gives it a process of its own."""
        parsed = parse_agent(self.players[number]).moved(self.places)
        if parsed.outside:
            return replace(parsed, text=self.names[number])
        agent = quick(make_agent(parsed, game.name))
        agent.name = self.names[number]
        return agent


@dataclass(frozen=True)
class Stage:
    """A policy on the way: its round (0: before the first), file, decisions so far, and the mixture that it met.

    `course`: the updates of its own training.
    """

    round: int
    file: str
    decisions: int
    met: Mapping[str, float]
    course: tuple[Moment, ...] = ()


@dataclass(frozen=True)
class Learned:
    """What came of it: the policies, what each gets from the `worst` of all others, and which was kept.

    `afresh` is what that one gets from its worst in games by which nothing was chosen.
    """

    stages: tuple[Stage, ...]
    worst: tuple[str, ...]
    least: tuple[Met, ...]
    kept: int
    afresh: Met


@dataclass(frozen=True)
class Doing:
    """Who does the work, who hears of decisions that were learned from, and whether it is to stop.

    `say` hears what is done, "policy", "answers" or "matrix", and in which round.
    """

    engine: Engine
    tell: Callable[[int], object] = lambda decisions: None
    stopped: Callable[[], bool] = lambda: False
    say: Callable[[str, int], object] = lambda what, number: None


class Responses:
    """The rounds of a folder, each part of which is a `Population` of a folder of its own; it goes on where it was.

    Raises ProbespielError for a game of one side, for a start that is no policy of the same network, and for a folder
    that agents cannot be named by.
    """

    def __init__(self, config: TrainConfig, folder: Path) -> None:
        if config.method != "psro":
            raise ProbespielError(f"method = {config.method!r}: rounds of best answers are those of psro")
        if "," in str(folder):
            raise ProbespielError(f"{folder}: agents of files cannot have a comma in their path; choose another folder")
        self.config, self.folder = config, folder
        self.games = [make_game(config.game, s.scenario, s.modules, **s.options) for s in config.scenarios]
        if len(self.games[0].sides) < 2:
            raise ProbespielError(f"method = 'psro': {config.game} has one side, so that nobody answers; take selfplay")
        if config.start is not None:
            own = own_policy(config.start, self.games[0])
            blueprint = blueprint_of(self.games[0], config.hidden, config.groups, config.advisers)
            if own is None or own.net.blueprint != blueprint:
                raise ProbespielError(f"start = {config.start!r} is no policy with the network of these settings")
        self.met: dict[tuple[str, str, bool], Met] = {}
        self.stages: list[Stage] = []
        self.answers: list[str] = []

    @cached_property
    def baselines(self) -> list[str]:
        """The agents among the opponents of the settings."""
        return [name for name in self.config.opponents if name not in ("self", "past")]

    @property
    def total(self) -> int:
        """Decisions that are learned from in all."""
        c = self.config
        first = 0 if c.start is not None else c.decisions
        return first + c.rounds * c.round_decisions + (c.rounds + 1) * c.answers * c.answer_decisions

    def run(self, doing: Doing) -> Learned | None:
        """All rounds, from where they were; None if stopped before the end."""
        self.stages, self.answers, self.met = [], [], {}
        stage = self._first(doing)
        for number in range(self.config.rounds + 1):
            if stage is None or not self._answered(number, stage, doing):
                return None
            doing.say("matrix", number)
            if number < self.config.rounds:
                stage = self._next(number + 1, stage, self._mixture(doing), doing)
        return self._chosen(doing)

    def _first(self, doing: Doing) -> Stage | None:
        config = self.config
        if config.start is None:
            return self._policy(0, self._selfplay(review=0), "", {}, doing)
        own = own_policy(config.start, self.games[0])
        assert own is not None
        path = self.folder / "policy-0.safetensors"
        save_policy(path, own.manifest, own.net.weights)
        return self._stage(0, path, own.manifest.decisions, {})

    def _next(self, number: int, before: Stage, mixture: Mapping[str, float], doing: Doing) -> Stage | None:
        """The policy of a round, which goes on from the one before."""
        config, left = self.config, 1.0 - self.config.answered
        weight = sum(config.opponents.values())
        opponents = {name: left * share / weight for name, share in config.opponents.items()}
        for name, share in mixture.items():
            opponents[name] = opponents.get(name, 0.0) + config.answered * share
        learning = self._selfplay(
            decisions=config.round_decisions, opponents=opponents, adopted=True, teacher=None,
            settle=max(4, SETTLE // config.per_update), seed=derive_seed(config.seed, "psro", number) >> 1,
            review=config.review if number == config.rounds else 0,
        )  # fmt: skip
        return self._policy(number, learning, self._text(before), mixture, doing)

    def _selfplay(self, **changed: Any) -> TrainConfig:
        """The settings of one training among all: they say nothing of rounds."""
        plainly = {name: TrainConfig.model_fields[name].default for name in ("method", *OF_PSRO)}
        return self.config.model_copy(update={**plainly, **changed})

    def _policy(
        self, number: int, config: TrainConfig, own: str, mixture: Mapping[str, float], doing: Doing
    ) -> Stage | None:
        doing.say("policy", number)
        people = Population([config], self.folder / f"policy-{number}", [own] if own else [])
        done = self._done(people, doing)
        if done is None:
            return None
        before = self.stages[-1].decisions if self.stages else 0
        return self._stage(number, people.folder / done[0].file, before + done[0].decisions, mixture, done[0].course)

    def _answered(self, number: int, stage: Stage, doing: Doing) -> bool:
        """Whether best answers to a policy were learned to the end; they join, drawn and at their likeliest."""
        doing.say("answers", number)
        scenarios = [plain(one) for one in self.config.scenarios]
        made = [
            answer_to(
                self._text(stage), self.games[0], scenarios, k, derive_seed(self.config.seed, "answers", number, k),
                decisions=self.config.answer_decisions,
            )
            for k in range(self.config.answers)
        ]  # fmt: skip
        people = Population(
            [config for config, _ in made], self.folder / f"answers-{number}",
            [self._text(stage) if own else "" for _, own in made], newest=True,
        )  # fmt: skip
        done = self._done(people, doing)
        if done is None:
            return False
        for member in done:
            path = people.folder / member.file
            self.answers += [f"policy:file={path},temperature=1.0", f"policy:file={path},temperature=0.0"]
        return True

    def _done(self, people: Population, doing: Doing) -> list[Member] | None:
        """The trainings of a population, all to their end; None if that was stopped."""
        people.folder.mkdir(parents=True, exist_ok=True)
        for member in people.members():
            doing.tell(0 if member is None else member.decisions)
        done = people.learn(doing.engine, doing.tell, doing.stopped)
        return done if len(done) == len(people.configs) else None

    def _stage(
        self, number: int, path: Path, decisions: int, mixture: Mapping[str, float], course: tuple[Moment, ...] = ()
    ) -> Stage:
        stage = Stage(number, str(path), decisions, dict(mixture), course)
        self.stages.append(stage)
        return stage

    def _text(self, stage: Stage) -> str:
        return f"policy:file={stage.file},temperature={self.config.temperature}"

    def named(self, player: str) -> str:
        """A player as it is named in the folder itself."""
        return player.replace(f"file={self.folder}/", "file=")

    def policy(self, found: Learned) -> Policy:
        """The policy that was kept, with the settings of all of it."""
        policy = load_policy(found.stages[found.kept].file, np.float32)
        settings, decisions = self.config.model_dump(mode="json"), found.stages[found.kept].decisions
        manifest = replace(
            policy.manifest, settings=settings, decisions=decisions, seed=self.config.seed,
            evaluation=(),
        )  # fmt: skip
        return Policy(manifest, policy.net)

    @property
    def _columns(self) -> list[str]:
        """Everybody that there is: the agents of the settings, the policies, and the answers to them."""
        return [*self.baselines, *map(self._text, self.stages), *self.answers]

    def _meet(self, doing: Doing, rows: Sequence[str], afresh: bool = False) -> np.ndarray:
        """What some players get from everybody, `Met` in an object array; games that were played are not repeated."""
        columns = self._columns
        seed = derive_seed(self.config.seed, "psro games", int(afresh)) >> 1
        missing = [(r, c) for r in rows for c in columns if (r, c, afresh) not in self.met]
        names = list(dict.fromkeys([*rows, *columns]))
        if missing:
            work = Meetings(
                self.config.game, tuple(plain(one) for one in self.config.scenarios),
                tuple(one.weight for one in self.config.scenarios), tuple(names), tuple(map(self.named, names)),
                digest_of([Path(file).read_bytes() for name in names for file in parse_agent(name).files]),
                self.config.evaluate_games,
            )  # fmt: skip
            jobs = [(names.index(r), names.index(c), seed) for r, c in missing]
            for done in doing.engine.map(work, jobs):
                r, c = missing[done.index]
                self.met[r, c, afresh] = done.answer
        found = np.empty((len(rows), len(columns)), dtype=object)
        for i, r in enumerate(rows):
            for j, c in enumerate(columns):
                found[i, j] = self.met[r, c, afresh]
        return found

    def _mixture(self, doing: Doing) -> dict[str, float]:
        """Shares of everybody against whom no mixture of what was learned gets more than the value of their game."""
        drawn = [name for name in self.answers if name.endswith("=1.0")]
        found = self._meet(doing, [*map(self._text, self.stages), *drawn])
        shares = solve_zero_sum(_payoffs(found)).column
        shares = np.where(shares < LEAST, 0.0, shares)
        return {name: float(share) for name, share in zip(self._columns, shares / shares.sum()) if share}

    def _chosen(self, doing: Doing) -> Learned:
        """The policy whose worst game is best, with that game measured afresh."""
        found = self._meet(doing, [*map(self._text, self.stages)])
        payoffs = _payoffs(found)
        worst = payoffs.argmin(axis=1)
        kept = int(payoffs.min(axis=1).argmax())
        fresh = self._meet(doing, [self._text(self.stages[kept])], afresh=True)[0, worst[kept]]
        worsts = tuple(self._columns[int(j)] for j in worst)
        return Learned(
            tuple(self.stages), worsts, tuple(found[i, int(j)] for i, j in enumerate(worst)), kept, fresh,
        )  # fmt: skip


def _payoffs(found: np.ndarray) -> np.ndarray:
    return np.array([[one.payoff for one in row] for row in found])


__all__ = ["Doing", "Learned", "Meetings", "Met", "Responses", "Stage"]
