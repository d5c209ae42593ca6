"""The learner in torch, on one page in the order in which things happen: masked PPO with an anchor, against a league.

    collect      the policy acts at all tables; the other seats answer inside the tables' step
    advantages   generalised advantage estimation (Schulman et al. 2016), or V-trace (Espeholt et al. 2018)
    loss         clipped policy loss, value loss, entropy, even chances, KL to the anchor; one gradient step a batch
    average      the average policy, which is the anchor and what is kept in the end, moves towards the current one
    league       is offered the current policy

With an entropy bonus and a small clip range, policy-gradient self-play approaches a regularised equilibrium instead of
cycling (Rudolph et al. 2025, Reevaluating Policy Gradient Methods for Imperfect-Information Games); the anchor is the
magnet of magnetic mirror descent (Sokota et al. 2023, A Unified Approach to Reinforcement Learning, Quantal Response
Equilibria, and Two-Player Zero-Sum Games).

A training knows its learner by `protocol.Learner` alone: `update(coefficients)` gives what was measured, `weights()`
and `average()` give policies, `adopt(weights)` takes one, `state()` and `load()` serve checkpoints. `protocol.py` says
what a learner that stands in the place of this one has to do; `sb3.py` is one, the reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch as th
from torch.nn import functional as F

from ..agents.policy_net import Blueprint
from ..envs.core.rng import derive_seed
from .callbacks import Meter
from .config import TrainConfig
from .league import League
from .learner_state import load_state, state_of
from .native_kernel import LEAST_CHANCE
from .nets import Actor, Critic, entropy_of, load_weights, masked_log_chances
from .protocol import Coefficients
from .tables import Tables

ADAM_EPSILON = 1e-5  # as in the reference implementations of PPO: weights that are hardly used move slowly
LEAST_SPREAD = 1e-8  # added to the standard deviation of advantages, which may be 0


class Batch(NamedTuple):
    """Decisions to learn from, m of them, as tensors."""

    inputs: th.Tensor  # float32[m, I], the legal actions last, as `Tables` gives them
    actions: th.Tensor  # int64[m]
    log_chances: th.Tensor  # float32[m], of these actions when they were taken
    values: th.Tensor  # float32[m], as the critic saw them then
    advantages: th.Tensor  # float32[m]
    returns: th.Tensor  # float32[m], what the values should have been
    then: th.Tensor  # float32[m, A], logarithms of all chances when they were taken; [m, 0] where the loss needs none

    def rows(self, rows: th.Tensor) -> Batch:
        """Some of the decisions."""
        return Batch(*(tensor[rows] for tensor in self))


class TorchLearner:
    """PPO in torch. On the CPU, with the same number of threads, the settings determine every bit of the result."""

    def __init__(
        self, config: TrainConfig, blueprint: Blueprint, tables: Tables, league: League, device: th.device
    ) -> None:
        self.config, self.blueprint, self.tables, self.league, self.device = config, blueprint, tables, league, device
        self.meter = Meter(league)
        seed = derive_seed(config.seed, "learner")
        self.noise = th.Generator()  # of actions; on the CPU wherever the networks are, so that it can be kept
        self.shuffle = np.random.RandomState(seed & 0xFFFFFFFF)  # of decisions into batches
        with th.random.fork_rng(devices=[]):  # torch draws first weights from its global generator
            th.default_generator.manual_seed(seed)
            self.actor, self.critic = Actor(blueprint).to(device), Critic(blueprint).to(device)
            self.noise.set_state(th.get_rng_state())
            self.mean = Actor(blueprint).to(device).requires_grad_(False)
        self.nets = {"actor": self.actor, "critic": self.critic, "average": self.mean}
        self.trained = [*self.actor.parameters(), *self.critic.parameters()]
        self.optimizer = th.optim.Adam(self.trained, lr=config.learning_rate, eps=ADAM_EPSILON)
        self.updates = self.decisions = 0
        self.adopt(self.weights())

    def update(self, coefficients: Coefficients) -> dict[str, float]:
        """One turn of the algorithm; see `protocol.Learner`."""
        self.league.set_current(self.weights())
        batch = self.collect()
        measured = self.learn(batch, coefficients)
        if not coefficients.values_only:
            self.move_average()
        self.updates += 1
        if self.updates % self.config.offer_every == 0:
            self.league.offer(self.weights())
        return {**measured, **self.meter.take()}

    @th.no_grad()
    def collect(self) -> Batch:
        """Play `config.steps` decisions at every table; `config.per_update` decisions, those of a table together."""
        config, n, steps = self.config, self.tables.num_envs, self.config.steps
        seen = self.tables.reset() if self.tables.observations is None else self.tables.observations
        inputs = th.empty(n, steps, seen.shape[1], device=self.device)
        actions = th.empty(n, steps, dtype=th.long, device=self.device)
        log_chances, values, rewards, ends = (th.empty(n, steps, device=self.device) for _ in range(4))
        kept = self.blueprint.actions if config.loss != "ppo" else 0
        then = th.empty(n, steps, kept, device=self.device)
        for t in range(steps):
            x = th.from_numpy(seen).to(self.device)
            log = masked_log_chances(self.actor(x), self.masks(x))
            noise = th.rand(log.shape, generator=self.noise).clamp_(min=1e-30).to(self.device)
            chosen = (log - th.log(-th.log(noise))).argmax(dim=1)  # Gumbel: a draw from the policy
            inputs[:, t], actions[:, t], values[:, t] = x, chosen, self.critic(x).flatten()
            log_chances[:, t], then[:, t] = log.gather(1, chosen[:, None]).squeeze(1), log[:, :kept]
            seen, reward, done, infos = self.tables.step(chosen.cpu().numpy())
            for table in np.flatnonzero(done).tolist():
                self.meter.count(infos[table])
                if infos[table]["TimeLimit.truncated"]:  # a game that was stopped is worth what it promised
                    last = th.from_numpy(infos[table]["terminal_observation"])[None].to(self.device)
                    reward[table] += (config.discount * self.critic(last)).item()
            rewards[:, t], ends[:, t] = th.from_numpy(reward), th.from_numpy(done)
        self.rewards, self.ends = rewards, ends
        ratios = th.ones_like(values)
        advantages, returns = advantages_of(rewards, values, ends, self.ahead(), ratios, config.discount, config.trace)
        self.decisions += n * steps
        found = (inputs, actions, log_chances, values, advantages, returns, then)
        return Batch(*(tensor.flatten(0, 1) for tensor in found))

    @th.no_grad()
    def ahead(self) -> th.Tensor:
        """What the critic expects at all tables now, float32[n]."""
        return self.critic(th.from_numpy(self.tables.observations).to(self.device)).flatten()

    @th.no_grad()
    def estimate_again(self, batch: Batch) -> Batch:
        """The same decisions with advantages for the policy as it is now (V-trace)."""
        log = masked_log_chances(self.actor(batch.inputs), self.masks(batch.inputs))
        ratios = (log.gather(1, batch.actions[:, None]).squeeze(1) - batch.log_chances).exp()
        values, ratios = self.critic(batch.inputs).view_as(self.rewards), ratios.view_as(self.rewards)
        found = advantages_of(
            self.rewards, values, self.ends, self.ahead(), ratios, self.config.discount, self.config.trace
        )
        return batch._replace(advantages=found[0].flatten(), returns=found[1].flatten())

    def learn(self, batch: Batch, coefficients: Coefficients) -> dict[str, float]:
        """Gradient steps on shuffled parts of a batch, `config.epochs` times over; what was measured."""
        config = self.config
        for group in self.optimizer.param_groups:
            group["lr"] = coefficients.learning_rate
        found: list[dict[str, th.Tensor]] = []
        told, true = batch.values, batch.returns
        for epoch in range(config.epochs):
            if epoch and config.advantages == "vtrace":
                batch = self.estimate_again(batch)
            order = th.from_numpy(self.shuffle.permutation(len(batch.actions))).to(self.device)
            for rows in order.split(config.batch):
                part = batch.rows(rows)
                with th.no_grad():
                    anchor = self.mean(part.inputs) if config.anchor > 0 else None
                logits, values = self.actor(part.inputs), self.critic(part.inputs).flatten()
                loss, terms = loss_of(logits, values, anchor, self.masks(part.inputs), part, config, coefficients)
                self.optimizer.zero_grad()
                loss.backward()
                th.nn.utils.clip_grad_norm_(self.trained, config.gradient_limit)
                self.optimizer.step()
                found.append(terms)
        measured = {name: float(np.mean([terms[name].item() for terms in found])) for name in found[0]}
        measured |= {"learning_rate": coefficients.learning_rate, "ent_coef": coefficients.entropy}
        measured |= {"even_coef": coefficients.even, "kl_coef": config.anchor}
        measured["explained_variance"] = explained_variance(told, true)
        return {f"train/{name}": value for name, value in measured.items()}

    @th.no_grad()
    def move_average(self) -> None:
        """The mean of all policies since it began, then a moving one (Polyak): the newest has weight `average`."""
        self.averaged += 1
        rate = max(self.config.average, 1.0 / self.averaged)
        for mean, now in zip(self.mean.parameters(), self.actor.parameters()):
            mean.lerp_(now, rate)

    def masks(self, inputs: th.Tensor) -> th.Tensor:
        """Legal actions, bool[m, A]."""
        return inputs[:, -self.blueprint.actions :] > 0.5

    def weights(self) -> dict[str, np.ndarray]:
        """The current policy; see `protocol.Learner`."""
        return self.actor.weights()

    def average(self) -> dict[str, np.ndarray]:
        """The average policy; see `protocol.Learner`."""
        return self.mean.weights()

    def adopt(self, weights: Mapping[str, np.ndarray]) -> None:
        """Another policy; see `protocol.Learner`."""
        load_weights(self.actor, weights)
        load_weights(self.mean, weights)
        self.averaged = 0  # policies in the average

    def state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Networks, moments, generators and counters; see `protocol.Learner`."""
        counters = {"updates": self.updates, "decisions": self.decisions, "averaged": self.averaged}
        return state_of(self.nets, self.optimizer, self.noise, self.shuffle), counters

    def load(self, arrays: Mapping[str, np.ndarray], values: Mapping[str, Any]) -> None:
        """Go on; see `protocol.Learner`."""
        load_state(self.nets, self.optimizer, self.noise, self.shuffle, arrays)
        self.updates, self.decisions = int(values["updates"]), int(values["decisions"])
        self.averaged = int(values["averaged"])


def advantages_of(
    rewards: th.Tensor, values: th.Tensor, ends: th.Tensor, ahead: th.Tensor, ratios: th.Tensor, discount: float,
    trace: float,
) -> tuple[th.Tensor, th.Tensor]:  # fmt: skip
    """Advantages and what values should have been by V-trace, float32[n, steps] each.

    `ends` is 1 where a game ended with that decision, else 0; `ahead` float32[n] values what comes after the last one.
    `ratios` [n, steps] are chances of what was done, now to then; beyond 1 they count as 1 (Espeholt et al. 2018, with
    c = trace * rho and limits of 1). Advantages are without the ratio of their own decision, which the loss has. Where
    all ratios are 1 they are generalised advantage estimates (Schulman et al. 2016).
    """
    out, returns = th.empty_like(rewards), th.empty_like(rewards)
    gained = th.zeros_like(ahead)
    for t in reversed(range(rewards.shape[1])):
        on = 1.0 - ends[:, t]
        surprise = rewards[:, t] + discount * ahead * on - values[:, t]
        out[:, t] = surprise + discount * trace * on * gained
        gained = ratios[:, t].clamp(max=1.0) * out[:, t]
        returns[:, t], ahead = gained + values[:, t], values[:, t]
    return out, returns


def loss_of(
    logits: th.Tensor, values: th.Tensor, anchor: th.Tensor | None, masks: th.Tensor, batch: Batch,
    config: TrainConfig, coefficients: Coefficients,
) -> tuple[th.Tensor, dict[str, th.Tensor]]:  # fmt: skip
    """The loss of m decisions, and its terms without gradient.

    `logits` [m, A] are the policy's and `anchor` those of the average policy, or None without one; `values` [m].
    """
    log = masked_log_chances(logits, masks)
    log_ratio = log.gather(1, batch.actions[:, None]).squeeze(1) - batch.log_chances
    ratio = log_ratio.exp()
    better = batch.advantages
    if config.normalize:
        better = (better - better.mean()) / (better.std() + LEAST_SPREAD)
    if config.loss != "ppo":  # no clip: the policy that played holds it, and the anchor, which is the magnet
        policy_loss = -(better * ratio).mean()
    else:
        policy_loss = -th.min(better * ratio, better * ratio.clamp(1 - config.clip, 1 + config.clip)).mean()
    value_loss = F.mse_loss(batch.returns, values)
    entropy = entropy_of(log).mean()
    loss = policy_loss - coefficients.entropy * entropy + config.value_weight * value_loss
    if config.loss == "mmd":
        loss = loss + config.stay * divergence_of(log, batch.then, masks).mean()
    if (
        coefficients.even > 0
    ):  # Tsallis entropy of order 2: equally good actions stay equally likely, bad ones may go to nothing
        loss = loss + coefficients.even * log.exp().square().sum(dim=1).mean()
    anchor_kl, goal = log.new_zeros(()), log.detach()
    if anchor is not None:
        goal = masked_log_chances(anchor, masks)
        anchor_kl = divergence_of(log, goal, masks).mean()
        loss = loss + config.anchor * anchor_kl
    if config.loss == "hedge":
        slopes = hedge_of(log, goal, masks, batch, better, config, coefficients)
        loss = (slopes * logits).sum(dim=1).mean() + config.value_weight * value_loss
    if coefficients.values_only:
        loss = config.value_weight * value_loss
    clipped = ((ratio - 1).abs() > config.clip).float().mean()
    terms = {"policy_loss": policy_loss, "value_loss": value_loss, "entropy": entropy, "anchor_kl": anchor_kl}
    terms |= {"kl": (ratio - 1 - log_ratio).mean(), "clip_fraction": clipped}
    return loss, {name: term.detach() for name, term in terms.items()}


@th.no_grad()
def hedge_of(
    log: th.Tensor, goal: th.Tensor, masks: th.Tensor, batch: Batch, better: th.Tensor, config: TrainConfig,
    coefficients: Coefficients,
) -> th.Tensor:  # fmt: skip
    """The gradient in the logits of the loss `hedge`, [m, A] for m decisions: that of mmd, every action weighing 1.

    Elsewhere an action weighs what its chance is, so that those hardly played are hardly learnt. The advantage counts
    for the action that was taken, over its chance then, so that on average every action gets its own (Hennes et al.
    2020, Neural Replicator Dynamics; Fu et al. 2022, Actor-Critic Policy Optimization in a Large-Scale
    Imperfect-Information Game).
    """
    slopes = coefficients.entropy * log + 2 * coefficients.even * log.exp() + config.anchor * (log - goal)
    slopes += config.stay * (log - batch.then)
    chance = batch.log_chances.exp().clamp(min=LEAST_CHANCE)
    slopes.scatter_add_(1, batch.actions[:, None], -(better / chance)[:, None])
    slopes = th.where(masks, slopes, 0.0)
    return th.where(masks, slopes - slopes.sum(dim=1, keepdim=True) / masks.sum(dim=1, keepdim=True), 0.0)


def divergence_of(log: th.Tensor, other: th.Tensor, masks: th.Tensor) -> th.Tensor:
    """KL(policy || other) in nats, [m], of logarithms of chances [m, A]."""
    return th.where(masks, log.exp() * (log - other), th.zeros_like(log)).sum(dim=1)


def explained_variance(values: th.Tensor, returns: th.Tensor) -> float:
    """Share of the variance of returns [m] that the values explain; nan where they do not vary."""
    told, true = values.cpu().numpy(), returns.cpu().numpy()
    spread = np.var(true)
    return float(1 - np.var(true - told) / spread) if spread else float("nan")


__all__ = ["Batch", "TorchLearner", "advantages_of", "divergence_of", "explained_variance", "hedge_of", "loss_of"]
