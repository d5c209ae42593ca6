"""What learners in torch keep in a checkpoint, as arrays: networks, moments of Adam, generators of random numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import torch as th
from torch import nn

from .nets import load_weights


def state_of(
    nets: Mapping[str, nn.Module], optimizer: th.optim.Optimizer, noise: th.Generator, shuffle: np.random.RandomState
) -> dict[str, np.ndarray]:
    """Copies of it all: `<net>.<weight>`, `optimizer.<number>.<moment>`, `noise`, `shuffle` and `shuffle.position`."""
    tensors = {f"{part}.{name}": tensor for part, net in nets.items() for name, tensor in net.state_dict().items()}
    for number, moments in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{number}.{name}": tensor for name, tensor in moments.items()}
    arrays = {name: tensor.detach().cpu().numpy().copy() for name, tensor in tensors.items()}
    return {**arrays, "noise": noise.get_state().numpy(), **state_of_shuffle(shuffle)}


def state_of_shuffle(shuffle: np.random.RandomState) -> dict[str, np.ndarray]:
    """The generator that permutes decisions: `shuffle` and `shuffle.position`."""
    _, keys, position, *_ = shuffle.get_state(legacy=True)
    return {"shuffle": np.array(keys, np.uint32), "shuffle.position": np.array(position, np.int64)}


def shuffle_of(arrays: Mapping[str, np.ndarray]) -> tuple[str, np.ndarray, int, int, float]:
    """What `state_of_shuffle` kept, as `RandomState.set_state` takes it."""
    # permutations draw no normal numbers, so none is ever left over
    return "MT19937", arrays["shuffle"], int(arrays["shuffle.position"]), 0, 0.0


def load_state(
    nets: Mapping[str, nn.Module],
    optimizer: th.optim.Optimizer,
    noise: th.Generator,
    shuffle: np.random.RandomState,
    arrays: Mapping[str, np.ndarray],
) -> None:
    """Go on from `state_of`; raises KeyError, ValueError, TypeError or RuntimeError where it does not fit."""
    for part, net in nets.items():
        load_weights(net, dict(below(arrays, f"{part}.")))
    state: dict[int, dict[str, th.Tensor]] = {}
    for name, array in below(arrays, "optimizer."):
        number, _, moment = name.partition(".")
        state.setdefault(int(number), {})[moment] = th.from_numpy(array.copy())
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
    noise.set_state(th.from_numpy(arrays["noise"].copy()))
    shuffle.set_state(shuffle_of(arrays))


def below(arrays: Mapping[str, np.ndarray], prefix: str) -> Iterator[tuple[str, np.ndarray]]:
    """The arrays whose names begin so, with the rest of their names."""
    for name, array in arrays.items():
        if name.startswith(prefix):
            yield name.removeprefix(prefix), array


__all__ = ["below", "load_state", "shuffle_of", "state_of", "state_of_shuffle"]
