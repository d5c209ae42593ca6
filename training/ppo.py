"""MaskablePPO with an anchor: a penalty for leaving a slowly moving average of past policies.

With an entropy bonus and a small clip range, policy-gradient self-play approaches a regularised equilibrium instead of
cycling (Rudolph et al. 2025, Reevaluating Policy Gradient Methods for Imperfect-Information Games); the anchor is the
magnet of magnetic mirror descent (Sokota et al. 2023, A Unified Approach to Reinforcement Learning, Quantal Response
Equilibria, and Two-Player Zero-Sum Games).
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import torch as th
from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import explained_variance
from torch.nn import functional as F

from .nets import Actor, SelfPlayPolicy, entropy_of, masked_log_chances


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
        """Nothing: results are watched by `callbacks.Meter`."""

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


__all__ = ["AnchoredPPO"]
