"""Self-play: a learner against a league of itself, its past and fixed agents, until it can hardly be exploited.

`SelfPlay(train_config("kuhn", seed=1)).run()` is a whole training. The learner's seat rotates over all seats, the other
seats are answered inside the environment's step, and rewards are summed until the learner's next decision, so that it
sees its losses. What is kept in the end is the average policy.
"""

from __future__ import annotations

import copy
import platform
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from stable_baselines3.common.logger import Logger, configure

from ..agents.policy import PolicyAgent
from ..agents.policy_file import Manifest, Policy, save_policy
from ..agents.policy_net import PolicyNet
from ..envs.core.errors import ProbespielError
from ..envs.core.registry import make_game
from ..envs.core.rng import derive_seed
from .callbacks import Meter
from .config import TrainConfig
from .evaluate import Evaluation, evaluate
from .league import League
from .lessons import imitate, teacher_of
from .nets import SelfPlayPolicy, blueprint_of
from .ppo import AnchoredPPO
from .tables import Tables

VERSIONS = ("probespiel", "numpy", "torch", "stable-baselines3", "sb3-contrib")


class SelfPlay:
    """A training under way: `update` plays and learns once, `run` goes on to the end.

    `device` is that of torch: "auto" takes cuda where there is one. `tensorboard` names a folder for its logs. On the
    CPU, with the same number of threads, the settings determine every bit of the result. Raises ProbespielError.
    """

    def __init__(self, config: TrainConfig, device: str = "auto", tensorboard: str | Path | None = None) -> None:
        self.config = config
        self.games = [make_game(config.game, s.scenario, s.modules, **s.options) for s in config.scenarios]
        self.game = self.games[0]
        self.blueprint = blueprint_of(self.game, config.hidden, config.groups, config.advisers)
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
        self.updates = 0
        self.seconds = 0.0  # spent playing and learning
        self.begun = False
        self.agreement = 0.0  # with the teachers at the end of the last lessons
        self.reviewed = not config.review
        self.evaluations: list[Evaluation] = []
        seed = derive_seed(config.seed, "learner")
        with own_random_numbers({}) as self.random, warnings.catch_warnings():
            # SB3 recommends the CPU for small networks; the device was chosen by whoever called
            warnings.simplefilter("ignore", UserWarning)
            th.manual_seed(seed)
            np.random.seed(seed & 0xFFFFFFFF)
            self.model = AnchoredPPO(
                SelfPlayPolicy,
                self.tables,
                learning_rate=config.learning_rate,
                n_steps=config.steps,
                batch_size=config.batch,
                n_epochs=config.epochs,
                gamma=config.discount,
                gae_lambda=config.trace,
                clip_range=config.clip,
                ent_coef=config.entropy,
                vf_coef=config.value_weight,
                max_grad_norm=config.gradient_limit,
                normalize_advantage=config.normalize,
                policy_kwargs={"blueprint": self.blueprint},
                device=device,
                verbose=0,
            )
        self.model.set_logger(_logger(tensorboard))
        self.model.kl_coef = config.anchor
        self.model.average_rate = config.average
        self.model.begin_average()
        self.meter = Meter(self.league)
        self.meter.init_callback(self.model)

    @property
    def decisions(self) -> int:
        """Decisions of the learner so far."""
        return self.model.num_timesteps

    @property
    def progress(self) -> float:
        """Share of the training that is done, 0..1."""
        if self.config.minutes is not None:
            return min(1.0, self.seconds / (60.0 * self.config.minutes))
        return min(1.0, self.decisions / self.config.decisions)

    def falling(self, start: float, end: float) -> float:
        """A setting that stays at `start` for the share `hold` of the training and then goes geometrically to `end`."""
        hold = self.config.hold
        t = 0.0 if self.progress <= hold else (self.progress - hold) / (1.0 - hold)
        if t == 0.0 or start == end or start == 0.0:
            return start
        return start * (max(end, 1e-9) / start) ** t

    def update(self) -> dict[str, float]:
        """Collect `config.per_update` decisions, learn from them, move the league on; what was measured, by name."""
        began = time.perf_counter()
        model, config = self.model, self.config
        with own_random_numbers(self.random) as self.random:
            self.league.set_current(model.policy.actor.weights())
            if not self.begun:
                self.teach()
                self.begin(self.tables.reset(), np.ones(self.tables.num_envs, dtype=bool))
            model.values_only = self.updates < config.settle and bool(config.teacher or config.advisers)
            model.ent_coef = self.falling(config.entropy, config.entropy_end)
            model.even_coef = self.falling(config.even, config.even_end)
            rate = self.falling(config.learning_rate, config.learning_rate_end)
            model.lr_schedule = lambda _: rate
            model.collect_rollouts(self.tables, self.meter, model.rollout_buffer, config.steps)
            model.train()
            self.updates += 1
            if self.updates % config.offer_every == 0:
                self.league.offer(model.policy.actor.weights())
        self.seconds += time.perf_counter() - began
        for name, value in self.meter.take().items():
            model.logger.record(name, value)
        measured = {k: float(v) for k, v in model.logger.name_to_value.items()}
        model.logger.dump(model.num_timesteps)
        if config.evaluate_every and self.updates % config.evaluate_every == 0:
            self.evaluate()
        return measured

    def teach(self) -> None:
        """The lessons before the first update, if the settings name a teacher."""
        config = self.config
        if self.teacher is None:
            return
        self.agreement = imitate(
            self.model.policy.actor, self.games, self._counts, [self.teacher] * len(self.games), config.lessons,
            config.learning_rate, derive_seed(config.seed, "teaching"), self.league.advice,
        )  # fmt: skip
        self.model.begin_average()
        self.league.set_current(self.model.policy.actor.weights())

    def review(self, watch: Callable[[float, float], bool] | None = None) -> None:
        """The lessons after the last update: the average policy imitates the reviewers, and itself where is none.

        If `watch` ends them they are forgotten, and may begin again.
        """
        config = self.config
        policy = self.policy()
        actor = copy.deepcopy(self.model.average).requires_grad_(True)
        going = True

        def on(share: float, equal: float) -> bool:
            nonlocal going
            going = watch is None or watch(share, equal)
            return going

        teachers = [self.reviewers.get(i) or PolicyAgent.of(policy) for i in range(len(self.games))]
        agreement = imitate(
            actor, self.games, self._counts, teachers, config.review, config.learning_rate,
            derive_seed(config.seed, "review"), self.league.advice, on,
        )  # fmt: skip
        if going:
            self.agreement, self.reviewed = agreement, True
            self.model.policy.actor.load_state_dict(actor.state_dict())
            self.model.begin_average()

    @property
    def _counts(self) -> list[int]:
        return [env.num_envs for env in self.tables.envs]

    def begin(self, observations: np.ndarray, starts: np.ndarray) -> None:
        """Go on from observations float32[n, L + k + A]; `starts` bool[n] marks games that have just begun."""
        self.model._last_obs = observations
        self.model._last_episode_starts = starts
        self.begun = True

    def weights(self) -> dict[str, np.ndarray]:
        """The weights of the average policy."""
        return self.model.average.weights()

    def net(self, current: bool = False) -> PolicyNet:
        """The average policy, or the current one, ready to play."""
        return PolicyNet(self.blueprint, self.model.policy.actor.weights() if current else self.weights())

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

    def run(self, watch: Callable[[SelfPlay, Mapping[str, float]], bool] | None = None) -> None:
        """Train to the end, or until `watch`, called after every update with what was measured, gives False.

        A review comes last; it is watched, too.
        """
        while self.progress < 1.0:
            measured = self.update()
            if watch is not None and not watch(self, measured):
                return
        if not self.reviewed:
            told = watch
            self.review(
                None
                if told is None
                else lambda share, equal: told(self, {"review/share": share, "review/agreement": equal})
            )

    @property
    def finished(self) -> bool:
        """Whether nothing is left to be done."""
        return self.progress >= 1.0 and self.reviewed

    def policy(self) -> Policy:
        """The average policy with its manifest, as it would be saved."""
        return Policy(self.manifest(), self.net())

    def manifest(self) -> Manifest:
        """The manifest of the policy as it is now."""
        return Manifest.of(
            self.game,
            self.blueprint,
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


def _logger(folder: str | Path | None) -> Logger:
    if folder is None:
        return configure(None, [])
    try:
        import tensorboard  # noqa: F401
    except ImportError:
        raise ProbespielError("tensorboard is not installed: pip install tensorboard") from None
    return configure(str(folder), ["tensorboard"])


@contextmanager
def own_random_numbers(state: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The global generators of torch and numpy, which SB3 draws from, in a state of our own; the caller's come back.

    Yields a dict that holds the new state at the end: `torch`, a tensor, and `numpy`, a tuple.
    """
    outside = (th.get_rng_state(), np.random.get_state())
    if state:
        th.set_rng_state(state["torch"])
        np.random.set_state(state["numpy"])
    now: dict[str, Any] = dict(state)
    try:
        yield now
    finally:
        now["torch"], now["numpy"] = th.get_rng_state(), np.random.get_state()
        th.set_rng_state(outside[0])
        np.random.set_state(outside[1])


def limit_threads(threads: int) -> None:
    """How many threads torch uses; networks as small as these are fastest with one."""
    th.set_num_threads(threads)


__all__ = ["SelfPlay", "limit_threads", "own_random_numbers", "shares_of"]
