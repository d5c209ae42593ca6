"""The networks that are trained: the torch twin of `agents/policy_net.py`, and a critic like it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
import torch as th
from torch import nn

from ..agents.policy_net import COMPARE_SCALE, POOL_SCALE, RANK_SCALE, Blueprint, Group, blueprint_of


class _Things(nn.Module):
    """The part of a network that reads one group."""

    index: th.Tensor

    def __init__(self, group: Group, hidden: int, points: bool) -> None:
        super().__init__()
        self.group = group
        channels = len(group.channels)
        self.item = nn.Linear(channels, group.width, bias=False)
        self.context = nn.Linear(hidden, group.width)
        self.compare = nn.Linear(channels, group.compare, bias=False)
        self.join = nn.Linear(group.width + group.compare, group.width)
        if points:
            self.query = nn.Linear(hidden, group.width)
        self.register_buffer("index", th.from_numpy(group.index()), persistent=False)

    def forward(self, x: th.Tensor, first: th.Tensor) -> tuple[th.Tensor, th.Tensor, th.Tensor]:
        """Things looked at int64[m, k], their vectors [m, k, width], and the sum of those [m, width]."""
        g = self.group
        legal = x[:, self.index[:, 0]] > 0.5
        if g.legal_only:
            order = th.sort(legal.to(th.int8), dim=1, descending=True, stable=True).indices
            chosen = order[:, : max(int(legal.sum(dim=1).max()), 1)]
            weight = legal.gather(1, chosen).to(x.dtype)[:, :, None]
        else:
            chosen = th.arange(g.items, device=x.device).expand(len(x), g.items)
            weight = x.new_ones(len(x), g.items, 1)
        at = self.index[chosen]
        things = x.gather(1, at.flatten(1)).view(at.shape)
        seen = th.tanh(self.item(things) + self.context(first)[:, None, :])
        scores = COMPARE_SCALE * self.compare(things)
        ranks = RANK_SCALE * (th.tanh(scores[:, None, :, :] - scores[:, :, None, :]) * weight[:, None]).sum(dim=2)
        joined = th.tanh(self.join(th.cat([seen, ranks], dim=2))) * weight
        return chosen, joined, POOL_SCALE * joined.sum(dim=1)


class Trunk(nn.Module):
    """What actor and critic have in common, with weights of their own: input [m, I] to features [m, hidden]."""

    def __init__(self, blueprint: Blueprint, points: bool) -> None:
        super().__init__()
        h = blueprint.hidden
        self.blueprint = blueprint
        self.trunk = nn.Linear(blueprint.inputs, h)
        for group in blueprint.groups:
            self.add_module(group.name, _Things(group, h, points))
        self.mix = nn.Linear(h + sum(g.width for g in blueprint.groups), h)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.orthogonal_(module.weight, 2.0**0.5)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)

    def things(self, group: Group) -> _Things:
        """The part that reads a group."""
        part = getattr(self, group.name)
        assert isinstance(part, _Things)
        return part

    def advised(self, x: th.Tensor) -> tuple[th.Tensor, th.Tensor]:
        """Input [m, L + k + A] without the advisers' answers, [m, L + A], and these, int64[m, k]."""
        begin, k = self.blueprint.observation, len(self.blueprint.advisers)
        if not k:
            return x, x.new_zeros((len(x), 0), dtype=th.long)
        return th.cat([x[:, :begin], x[:, begin + k :]], dim=1), x[:, begin : begin + k].long()

    def features(self, x: th.Tensor) -> tuple[th.Tensor, list[tuple[Group, th.Tensor, th.Tensor]]]:
        """Mixed features [m, hidden]; for every group the things looked at and their vectors."""
        first = th.tanh(self.trunk(x))
        sums, seen = [first], []
        for group in self.blueprint.groups:
            chosen, joined, total = self.things(group)(x, first)
            sums.append(total)
            seen.append((group, chosen, joined))
        return th.tanh(self.mix(th.cat(sums, dim=1))), seen


class Actor(Trunk):
    """Input [m, L + k + A] to logits [m, A]; the same as `PolicyNet.logits`."""

    def __init__(self, blueprint: Blueprint) -> None:
        super().__init__(blueprint, points=True)
        self.head = nn.Linear(blueprint.hidden, blueprint.actions)
        nn.init.orthogonal_(self.head.weight, 0.01)  # the first policy is nearly uniform
        nn.init.zeros_(self.head.bias)
        for group in blueprint.groups:
            nn.init.orthogonal_(self.things(group).query.weight, 0.01)
        if blueprint.advisers:
            self.gate = nn.Linear(blueprint.hidden, 1 + len(blueprint.advisers))
            nn.init.orthogonal_(self.gate.weight, 0.01)
            nn.init.zeros_(self.gate.bias)

    def forward(self, x: th.Tensor) -> th.Tensor:
        """Logits, float32[m, A]."""
        inputs, answers = self.advised(x)
        mixed, seen = self.features(inputs)
        out = self.head(mixed)
        for group, chosen, joined in seen:
            scores = (joined * self.things(group).query(mixed)[:, None, :]).sum(dim=2)
            out = out.scatter_add(1, group.action + chosen, scores)
        if self.blueprint.advisers:
            gate = self.gate(mixed)
            out = out + th.zeros_like(out).scatter(1, answers, 1.0) * gate[:, :1]
            out = out.scatter_add(1, answers, gate[:, 1:])
        return out

    def weights(self) -> dict[str, np.ndarray]:
        """The weights as arrays, named as in `Blueprint.shapes`, float32 copies."""
        return {name: t.detach().cpu().numpy().astype(np.float32) for name, t in self.state_dict().items()}


class Critic(Trunk):
    """Input [m, L + k + A] to values [m, 1]."""

    def __init__(self, blueprint: Blueprint) -> None:
        super().__init__(blueprint, points=False)
        self.value = nn.Linear(blueprint.hidden, 1)
        nn.init.orthogonal_(self.value.weight, 1.0)
        nn.init.zeros_(self.value.bias)

    def forward(self, x: th.Tensor) -> th.Tensor:
        """Values, float32[m, 1]."""
        return self.value(self.features(self.advised(x)[0])[0])


def heeding(weights: Mapping[str, np.ndarray], heed: float, lead: float) -> dict[str, np.ndarray]:
    """Weights of a policy that hears advisers, as copies, with which it follows them before it has learnt anything.

    What any of them says is better than the other actions by `heed`, and what the first says by `lead` beyond that.
    """
    out = {name: array.copy() for name, array in weights.items()}
    out["gate.bias"][:2] = heed, lead
    return out


ILLEGAL = -1e8  # logit of an illegal action; its chance underflows to exactly 0


def masked_log_chances(logits: th.Tensor, masks: th.Tensor) -> th.Tensor:
    """Logarithms of the chances of all actions, [m, A]; about -1e8 where illegal."""
    return th.log_softmax(th.where(masks, logits, logits.new_tensor(ILLEGAL)), dim=1)


def entropy_of(log: th.Tensor) -> th.Tensor:
    """Entropies [m] in nats, of logarithms of chances [m, A]."""
    chances = log.exp()
    return -th.where(chances > 0, chances * log, th.zeros_like(log)).sum(dim=1)


def device_of(name: str) -> th.device:
    """The device of that name; "auto" is cuda where there is one, else the CPU."""
    return th.device("cuda" if th.cuda.is_available() else "cpu") if name == "auto" else th.device(name)


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch work with one thread meanwhile: its orthogonal matrices are others with several."""
    threads = th.get_num_threads()
    th.set_num_threads(1)
    try:
        yield
    finally:
        th.set_num_threads(threads)


def load_weights(net: nn.Module, weights: Mapping[str, np.ndarray]) -> None:
    """Give a network copies of these weights; raises RuntimeError where names or shapes differ."""
    net.load_state_dict({name: th.from_numpy(array.copy()) for name, array in weights.items()})


def actor_of(blueprint: Blueprint, weights: Mapping[str, np.ndarray], device: th.device) -> Actor:
    """A new actor with these weights; the global generator of torch stays as it is."""
    with th.random.fork_rng(devices=[]):
        actor = Actor(blueprint).to(device)
    load_weights(actor, weights)
    return actor


__all__ = [
    "Actor",
    "Critic",
    "actor_of",
    "blueprint_of",
    "device_of",
    "entropy_of",
    "heeding",
    "load_weights",
    "masked_log_chances",
    "one_thread",
]
