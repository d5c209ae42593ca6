"""Self-play: a learner against a league of itself, its past and fixed agents, until it can hardly be exploited.

`SelfPlay(train_config("kuhn", seed=1)).run()` is a whole training: games, lessons, updates, review, evaluation, policy.
An update, from collecting to the offer to the league, is the page `native.py`, and
`learner.py` in torch. The learner's seat rotates over all
seats, the other seats are answered inside the environment's step, and rewards are summed until the learner's next
decision, so that it sees its losses. What is kept in the end is the average policy.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch as th

from ..agents.policy import PolicyAgent
from ..agents.policy_file import Manifest, Policy, save_policy
from ..agents.policy_net import PolicyNet
from ..envs.core.behaviour import behaviour
from ..envs.core.errors import ProbespielError
from ..envs.core.registry import make_game
from ..envs.core.rng import derive_seed
from .config import TrainConfig
from .evaluate import Evaluation, evaluate
from .league import League
from .learners import maker_of
from .lessons import imitate, places_of, teacher_of
from .nets import blueprint_of, device_of, heeding
from .protocol import Coefficients, Maker, diverged
from .pupil import Pupil
from .tables import Tables
from .usual import usual_inputs

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

LOSSES = ("policy_loss", "value_loss", "entropy", "anchor_kl", "kl")  # none of which may become infinite or nan
VERSIONS = ("probespiel", "numpy", "torch", "stable-baselines3", "sb3-contrib")


class SelfPlay:
    """A training under way: `update` plays and learns once, `run` goes on to the end.

    `device` is that of torch: "auto" takes cuda where there is one and the learner can use it. `tensorboard` names a
    folder for its logs, and `learner` makes who collects and learns, if it is to be another one than the settings say.
    On the CPU the settings determine every bit of the result; for learners in torch with the same number of threads.
    Raises ProbespielError.
    """

    def __init__(
        self,
        config: TrainConfig,
        device: str = "auto",
        tensorboard: str | Path | None = None,
        learner: Maker | None = None,
    ) -> None:
        if config.method != "selfplay":
            raise ProbespielError(f"method = {config.method!r} is many trainings: they are those of `psro.py`")
        self.config = config
        named, device = maker_of(config.learner, device)
        self.device = device_of(device)
        self.games = [make_game(config.game, s.scenario, s.modules, **s.options) for s in config.scenarios]
        self.game = self.games[0]
        self.blueprint = blueprint_of(self.game, config.hidden, config.groups, config.advisers)
        self.ignored = places_of(config.ignore, self.games, self.blueprint)
        self.league = League(self.blueprint, config.opponents, config.places, config.seed)
        self.league.prepare(self.games)
        self.teacher = None if config.teacher is None else teacher_of(config.teacher, self.games)
        self.reviewers = {
            i: teacher_of(s.reviewer, self.games[i : i + 1])
            for i, s in enumerate(config.scenarios)
            if s.reviewer is not None and config.review
        }
        counts = shares_of(config.tables, [s.weight for s in config.scenarios])
        self.tables = Tables(self.games, counts, self.league, config.seed, self.league.advice, config.whole_side)
        self.learner = (learner or named)(config, self.blueprint, self.tables, self.league, self.device)
        if config.advisers:
            self.learner.adopt(heeding(self.learner.weights(), config.heed, config.lead))
        self.seconds = 0.0  # spent playing and learning
        self.agreement = 0.0  # with the teachers at the end of the last lessons
        self.taught = False  # by the teacher, before the first update
        self.reviewed = not config.review
        self.evaluations: list[Evaluation] = []
        self.writer = None if tensorboard is None else _writer(tensorboard)

    def run(self, watch: Callable[[SelfPlay, Mapping[str, float]], bool] | None = None) -> None:
        """Train to the end, or until `watch`, called after every update with what was measured, gives False.

        Lessons come first and a review last; they are watched, too.
        """

        def watched(name: str) -> Callable[[float, float], bool] | None:
            told = watch
            if told is None:
                return None
            return lambda share, equal: told(self, {f"{name}/share": share, f"{name}/agreement": equal})

        if not self.updates and not self.teach(watched("lessons")):
            return
        while self.progress < 1.0:
            measured = self.update()
            if watch is not None and not watch(self, measured):
                return
        if not self.reviewed:
            self.review(watched("review"))

    def update(self) -> dict[str, float]:
        """Collect `config.per_update` decisions, learn from them, move the league on; what was measured, by name.

        Raises Diverged where the losses are no numbers any more: then the policy is none either.
        """
        if not self.updates:
            self.teach()
        began = time.perf_counter()
        measured = self.learner.update(self.coefficients())
        self.seconds += time.perf_counter() - began
        wild = [name for name in LOSSES if not np.isfinite(measured[f"train/{name}"])]
        if wild:
            raise diverged(self.config, self.decisions, f"{wild[0]} is {measured[f'train/{wild[0]}']}")
        if self.writer is not None:
            for name, value in measured.items():
                self.writer.add_scalar(name, value, self.decisions)
            self.writer.flush()
        if self.config.evaluate_every and self.updates % self.config.evaluate_every == 0:
            self.evaluate()
        return measured

    def coefficients(self) -> Coefficients:
        """What the learner is to heed in the next update."""
        config = self.config
        return Coefficients(
            learning_rate=self.falling(config.learning_rate, config.learning_rate_end),
            entropy=self.falling(config.entropy, config.entropy_end),
            even=self.falling(config.even, config.even_end),
            values_only=self.updates < config.settle and bool(config.teacher or config.advisers or config.adopted),
        )

    def falling(self, start: float, end: float) -> float:
        """A setting that stays at `start` for the share `hold` of the training and then goes geometrically to `end`."""
        hold = self.config.hold
        t = 0.0 if self.progress <= hold else (self.progress - hold) / (1.0 - hold)
        if t == 0.0 or start == end or start == 0.0:
            return start
        return start * (max(end, 1e-9) / start) ** t

    def teach(self, watch: Callable[[float, float], bool] | None = None) -> bool:
        """The lessons before the first update, if the settings name a teacher; given once.

        If `watch` ends them they are forgotten, and may begin again: False.
        """
        config = self.config
        if self.teacher is None or self.taught:
            return True
        began, going = time.perf_counter(), True

        def on(share: float, equal: float) -> bool:
            nonlocal going
            going = watch is None or watch(share, equal)
            return going

        pupil = Pupil(self.blueprint, self.learner.weights(), usual_inputs(self.games, self._counts), self.ignored)
        agreement = imitate(
            pupil, self.games, self._counts, [self.teacher] * len(self.games), config.lessons, config.learning_rate,
            derive_seed(config.seed, "teaching"), self.league.advice, on, stray=config.stray,
            recalled=config.recall,
        )  # fmt: skip
        if going:
            self.agreement, self.taught = agreement, True
            self.learner.adopt(pupil.weights())
            self.seconds += time.perf_counter() - began
        return going

    def review(self, watch: Callable[[float, float], bool] | None = None) -> None:
        """The lessons after the last update: the average policy imitates the reviewers, and itself where is none.

        If `watch` ends them they are forgotten, and may begin again.
        """
        config = self.config
        policy = self.policy()
        pupil = Pupil(self.blueprint, self.learner.average(), usual_inputs(self.games, self._counts))
        going = True

        def on(share: float, equal: float) -> bool:
            nonlocal going
            going = watch is None or watch(share, equal)
            return going

        teachers = [self.reviewers.get(i) or PolicyAgent.of(policy) for i in range(len(self.games))]
        agreement = imitate(
            pupil, self.games, self._counts, teachers, config.review, config.learning_rate,
            derive_seed(config.seed, "review"), self.league.advice, on,
        )  # fmt: skip
        if going:
            self.agreement, self.reviewed = agreement, True
            self.learner.adopt(pupil.weights())

    @property
    def _counts(self) -> list[int]:
        return [env.num_envs for env in self.tables.envs]

    def evaluate(self) -> list[Evaluation]:
        """Play the average policy, at its temperature of play, against the agents to evaluate against; kept as well."""
        config = self.config
        seed = derive_seed(config.seed, "evaluation", self.updates)
        net = self.net()
        found = [
            evaluate(self.games, net, name, config.evaluate_games, seed, self.decisions, config.temperature)
            for name in config.evaluate_against
        ]
        self.evaluations += found
        return found

    @property
    def updates(self) -> int:
        """Updates so far."""
        return self.learner.updates

    @property
    def decisions(self) -> int:
        """Decisions of the learner so far."""
        return self.learner.decisions

    @property
    def progress(self) -> float:
        """Share of the training that is done, 0..1."""
        if self.config.minutes is not None:
            return min(1.0, self.seconds / (60.0 * self.config.minutes))
        return min(1.0, self.decisions / self.config.decisions)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to be done."""
        return self.progress >= 1.0 and self.reviewed

    def weights(self) -> dict[str, np.ndarray]:
        """The weights of the average policy."""
        return self.learner.average()

    def net(self, current: bool = False) -> PolicyNet:
        """The average policy, or the current one, ready to play."""
        return PolicyNet(self.blueprint, self.learner.weights() if current else self.weights())

    def policy(self) -> Policy:
        """The average policy with its manifest, as it would be saved."""
        return Policy(self.manifest(), self.net())

    @cached_property
    def behaviour(self) -> str:
        """What the first scenario's game does, as a hash."""
        return behaviour(self.game)

    def manifest(self) -> Manifest:
        """The manifest of the policy as it is now."""
        return Manifest.of(
            self.game,
            self.blueprint,
            behaviour=self.behaviour,
            seed=self.config.seed,
            decisions=self.decisions,
            versions={"python": platform.python_version(), **{name: version(name) for name in VERSIONS}},
            settings=self.config.model_dump(mode="json"),
            scenarios=tuple({"scenario": g.spec.scenario, **g.spec.options} for g in self.games),
            evaluation=tuple(e.as_dict() for e in self.evaluations if e.decisions == self.decisions),
        )

    def save_policy(self, path: str | Path) -> None:
        """Write the average policy with its manifest; raises PolicyError."""
        save_policy(path, self.manifest(), self.weights())


def shares_of(tables: int, weights: list[float]) -> list[int]:
    """Split a number of tables by weights, the largest remainders first; everybody gets one at least."""
    if tables < len(weights):
        raise ProbespielError(f"tables = {tables}: at least one for each of the {len(weights)} scenarios")
    free = tables - len(weights)
    exact = [free * w / sum(weights) for w in weights]
    counts = [int(x) for x in exact]
    for i in sorted(range(len(weights)), key=lambda i: counts[i] - exact[i])[: free - sum(counts)]:
        counts[i] += 1
    return [n + 1 for n in counts]


def _writer(folder: str | Path) -> SummaryWriter:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise ProbespielError("tensorboard is not installed: pip install tensorboard") from None
    return SummaryWriter(str(folder))


def limit_threads(threads: int) -> None:
    """How many threads torch uses; networks as small as these are fastest with one."""
    th.set_num_threads(threads)


__all__ = ["SelfPlay", "limit_threads", "shares_of"]
