"""The reference: the learner of `learner.py` on sb3_contrib's MaskablePPO, which collects, estimates and shuffles.

`SB3Learner` stands in the place of `TorchLearner` and must compute the same, which tests/test_learner.py compares: the
loop around the loss is Stable-Baselines3's own, and the loss is written out a second time here on purpose.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch as th
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.type_aliases import PyTorchObs, Schedule
from stable_baselines3.common.utils import explained_variance
from torch.nn import functional as F

from ..agents.policy_net import Blueprint
from ..envs.core.rng import derive_seed
from .callbacks import Meter
from .config import TrainConfig
from .league import League
from .learner_state import load_state, state_of
from .nets import Actor, Critic, entropy_of, load_weights, masked_log_chances
from .protocol import Coefficients
from .tables import Tables


class SelfPlayPolicy(MaskableActorCriticPolicy):
    """The SB3 policy around `Actor` and `Critic`. Observations are those of `Tables`: with the mask behind."""

    def __init__(
        self,
        observation_space: spaces.Space,
        action_space: spaces.Space,
        lr_schedule: Schedule,
        blueprint: Blueprint,
        **further: Any,
    ) -> None:
        self.blueprint = blueprint
        super().__init__(observation_space, action_space, lr_schedule, **further)

    def _build(self, lr_schedule: Schedule) -> None:
        self.actor = Actor(self.blueprint)
        self.critic = Critic(self.blueprint)
        kwargs: dict[str, Any] = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "blueprint": self.blueprint}

    def log_chances(self, obs: th.Tensor, masks: Any) -> th.Tensor:
        """Logarithms of the chances of all actions, [m, A], for observations [m, I] and masks [m, A]."""
        return masked_log_chances(self.actor(obs), th.as_tensor(masks, dtype=th.bool, device=obs.device))

    def forward(
        self, obs: th.Tensor, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[th.Tensor, th.Tensor, th.Tensor]:
        """Actions int64[m], values [m, 1], logarithms of chances [m]; masks are required."""
        log = self.log_chances(obs, action_masks)
        if deterministic:
            actions = log.argmax(dim=1)
        else:  # Gumbel: the argmax of log p + noise is a draw from p
            # drawn on the CPU, so that one generator is all that a checkpoint has to keep
            noise = th.rand(log.shape).clamp_(min=1e-30).to(log.device)
            actions = (log - th.log(-th.log(noise))).argmax(dim=1)
        return actions, self.critic(obs), log.gather(1, actions[:, None]).squeeze(1)

    def evaluate_actions(
        self, obs: th.Tensor, actions: th.Tensor, action_masks: th.Tensor | None = None
    ) -> tuple[th.Tensor, th.Tensor, th.Tensor]:
        """Values [m, 1], logarithms of chances [m], entropies [m]."""
        log = self.log_chances(obs, action_masks)
        return self.critic(obs), log.gather(1, actions[:, None]).squeeze(1), entropy_of(log)

    def predict_values(self, obs: PyTorchObs) -> th.Tensor:
        """Values [m, 1]."""
        assert isinstance(obs, th.Tensor)
        return self.critic(obs)

    def get_distribution(self, obs: PyTorchObs, action_masks: np.ndarray | None = None) -> Any:
        """The masked categorical distribution of SB3."""
        assert isinstance(obs, th.Tensor)
        distribution = self.action_dist.proba_distribution(action_logits=self.actor(obs))
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution


class AnchoredPPO(MaskablePPO):
    """MaskablePPO whose loss also holds `kl_coef` times KL(policy || anchor); the anchor is the average policy.

    `even_coef` rewards even chances by 1 - sum p^2 (Tsallis entropy of order 2). Like the entropy bonus it keeps
    equally good actions equally likely, but it lets the chances of bad ones go to nothing.

    `average` is the moving average of the actor's weights over updates (Polyak averaging): update t has weight
    `max(average_rate, 1 / t)` at first. It is the anchor, and the policy to be used in the end.
    """

    policy: SelfPlayPolicy  # pyright: ignore[reportIncompatibleVariableOverride]
    kl_coef: float = 0.0
    even_coef: float = 0.0
    average_rate: float = 0.02
    values_only: bool = False  # leave the actor as it is
    averaged: int = 0  # updates in the average so far
    average: Actor

    def begin_average(self) -> None:
        """Let the average begin with the actor as it is."""
        self.average = copy.deepcopy(self.policy.actor)
        self.average.requires_grad_(False)
        self.averaged = 0

    def _move_average(self) -> None:
        self.averaged += 1
        rate = max(self.average_rate, 1.0 / self.averaged)
        with th.no_grad():
            for mean, now in zip(self.average.parameters(), self.policy.actor.parameters()):
                mean.lerp_(now, rate)

    def _update_info_buffer(self, infos: list[dict[str, Any]], dones: np.ndarray | None = None) -> None:
        """Nothing: results are counted by `callbacks.Meter`."""

    def train(self) -> None:
        """Update actor and critic on the games just collected, then move the average."""
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        clip = float(self.clip_range(self._current_progress_remaining))  # type: ignore[operator]
        actions_n = self.policy.blueprint.actions
        logs: dict[str, list[float]] = {k: [] for k in ("policy_loss", "value_loss", "entropy", "anchor_kl", "kl")}
        clipped: list[float] = []
        for _ in range(self.n_epochs):
            for data in self.rollout_buffer.get(self.batch_size):
                actions = data.actions.long().flatten()
                masks = data.observations[:, -actions_n:] > 0.5
                log = masked_log_chances(self.policy.actor(data.observations), masks)
                values = self.policy.critic(data.observations).flatten()
                log_ratio = log.gather(1, actions[:, None]).squeeze(1) - data.old_log_prob
                ratio = log_ratio.exp()
                advantages = data.advantages
                if self.normalize_advantage:
                    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
                policy_loss = -th.min(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip)).mean()
                value_loss = F.mse_loss(data.returns, values)
                entropy = entropy_of(log).mean()
                loss = policy_loss - self.ent_coef * entropy + self.vf_coef * value_loss
                if self.even_coef > 0:
                    loss = loss + self.even_coef * log.exp().square().sum(dim=1).mean()
                anchor_kl = log.new_zeros(())
                if self.kl_coef > 0:
                    with th.no_grad():
                        goal = masked_log_chances(self.average(data.observations), masks)
                    anchor_kl = th.where(masks, log.exp() * (log - goal), th.zeros_like(log)).sum(dim=1).mean()
                    loss = loss + self.kl_coef * anchor_kl
                if self.values_only:
                    loss = self.vf_coef * value_loss
                self.policy.optimizer.zero_grad()
                loss.backward()
                th.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
                self.policy.optimizer.step()
                with th.no_grad():
                    step_kl = (ratio - 1 - log_ratio).mean()
                    clipped.append(((ratio - 1).abs() > clip).float().mean().item())
                found = (policy_loss, value_loss, entropy, anchor_kl, step_kl)
                for name, value in zip(logs, found):
                    logs[name].append(value.item())
            self._n_updates += 1
        if not self.values_only:
            self._move_average()
        buffer = self.rollout_buffer
        self._record({name: float(np.mean(values)) for name, values in logs.items()})
        self._record({"clip_fraction": float(np.mean(clipped)), "learning_rate": self.lr_now})
        self._record({"ent_coef": self.ent_coef, "kl_coef": self.kl_coef, "even_coef": self.even_coef})
        self._record({"explained_variance": explained_variance(buffer.values.flatten(), buffer.returns.flatten())})

    def _record(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            self.logger.record(f"train/{name}", value)

    @property
    def lr_now(self) -> float:
        """The learning rate of the optimizer."""
        return float(self.policy.optimizer.param_groups[0]["lr"])


class _Counting(BaseCallback):
    """Has every finished game counted."""

    def __init__(self, meter: Meter) -> None:
        super().__init__()
        self.meter = meter

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if "episode" in info:
                self.meter.count(info)
        return True


class SB3Learner:
    """`protocol.Learner` by AnchoredPPO; its states are those of `TorchLearner`, and each goes on from the other's."""

    def __init__(
        self, config: TrainConfig, blueprint: Blueprint, tables: Tables, league: League, device: th.device
    ) -> None:
        self.config, self.tables, self.league = config, tables, league
        self.noise = th.Generator().manual_seed(derive_seed(config.seed, "learner"))
        self.shuffle = np.random.RandomState(derive_seed(config.seed, "learner") & 0xFFFFFFFF)
        with self._random_numbers(), warnings.catch_warnings():
            # SB3 recommends the CPU for small networks; the device was chosen by whoever called
            warnings.simplefilter("ignore", UserWarning)
            self.model = AnchoredPPO(
                SelfPlayPolicy,
                tables,
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
                policy_kwargs={"blueprint": blueprint},
                device=device,
                verbose=0,
            )
        self.model.set_logger(Logger(folder=None, output_formats=[]))  # `configure` makes a folder that nobody removes
        self.model.kl_coef = config.anchor
        self.model.average_rate = config.average
        self.model.begin_average()
        self.meter = Meter(league)
        self.counting = _Counting(self.meter)
        self.counting.init_callback(self.model)
        self.updates = 0

    @property
    def decisions(self) -> int:
        """Decisions so far."""
        return self.model.num_timesteps

    def update(self, coefficients: Coefficients) -> dict[str, float]:
        """See `protocol.Learner`."""
        model, tables = self.model, self.tables
        self.league.set_current(self.weights())
        model._last_obs = tables.reset() if tables.observations is None else tables.observations  # type: ignore[assignment]
        model._last_episode_starts = np.zeros(tables.num_envs, dtype=bool)  # those of the first step are never read
        with self._random_numbers():
            model.collect_rollouts(tables, self.counting, model.rollout_buffer, self.config.steps)
        measured = self.learn(coefficients)
        self.updates += 1
        if self.updates % self.config.offer_every == 0:
            self.league.offer(self.weights())
        return {**measured, **self.meter.take()}

    def learn(self, coefficients: Coefficients) -> dict[str, float]:
        """Learn from what is in the model's rollout buffer, and move the average; what was measured."""
        model = self.model
        model.ent_coef, model.even_coef = coefficients.entropy, coefficients.even
        model.values_only = coefficients.values_only
        model.lr_schedule = lambda _: coefficients.learning_rate
        with self._random_numbers():
            model.train()
        measured = {name: float(value) for name, value in model.logger.name_to_value.items()}
        model.logger.dump(model.num_timesteps)
        return measured

    def weights(self) -> dict[str, np.ndarray]:
        """See `protocol.Learner`."""
        return self.model.policy.actor.weights()

    def average(self) -> dict[str, np.ndarray]:
        """See `protocol.Learner`."""
        return self.model.average.weights()

    def adopt(self, weights: Mapping[str, np.ndarray]) -> None:
        """See `protocol.Learner`."""
        load_weights(self.model.policy.actor, weights)
        self.model.begin_average()

    def _nets(self) -> dict[str, th.nn.Module]:
        policy = self.model.policy
        return {"actor": policy.actor, "critic": policy.critic, "average": self.model.average}

    def state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """See `protocol.Learner`."""
        counters = {"updates": self.updates, "decisions": self.decisions, "averaged": self.model.averaged}
        return state_of(self._nets(), self.model.policy.optimizer, self.noise, self.shuffle), counters

    def load(self, arrays: Mapping[str, np.ndarray], values: Mapping[str, Any]) -> None:
        """See `protocol.Learner`."""
        load_state(self._nets(), self.model.policy.optimizer, self.noise, self.shuffle, arrays)
        self.updates, self.model.num_timesteps = int(values["updates"]), int(values["decisions"])
        self.model.averaged = int(values["averaged"])

    @contextmanager
    def _random_numbers(self) -> Iterator[None]:
        """The global generators of torch and numpy, which SB3 draws from, in the learner's states; then as before."""
        outside = (th.get_rng_state(), np.random.get_state())
        th.set_rng_state(self.noise.get_state())
        np.random.set_state(self.shuffle.get_state())
        try:
            yield
        finally:
            self.noise.set_state(th.get_rng_state())
            self.shuffle.set_state(np.random.get_state())
            th.set_rng_state(outside[0])
            np.random.set_state(outside[1])


__all__ = ["AnchoredPPO", "SB3Learner", "SelfPlayPolicy"]
