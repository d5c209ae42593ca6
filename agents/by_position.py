"""Agents that go by the position alone: what they look at, and their chances where they tell them.

An agent says by `looks_at(game)` which pieces of the observation its chances depend on, beside the rest of the
position. For compiled baselines that is read off their code: one that names no field of the past, nor anything that
does, cannot depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numba.core.errors import NumbaError

from ..envs.core.build import Function, build_function
from ..envs.core.game import Game
from ..envs.core.jit import digest
from ..envs.core.rooms import declared
from .base import Agent, AgentError, Requests
from .mixtures import Mixtures
from .native import BaselineAgent, baselines_of, files_of
from .native_kernel import Questions, act_native, mix_native
from .position_keys import past_of

OPAQUE = ("call_kernel", "copy_bytes", "observe", "address_of")  # by which code may read what it does not name


@runtime_checkable
class Positional(Protocol):
    """An agent whose chances depend on the position, and on no more of the past than some pieces tell."""

    def looks_at(self, game: Game) -> frozenset[str] | None:
        """Names of these pieces of the observation; None if what happened before may matter in other ways as well."""
        ...


def known_apart(agent: Agent) -> bool:
    """Whether it neither has compiled code nor tells by what it goes: another process can be asked for all the rest."""
    return type(agent).native is Agent.native and not isinstance(agent, Positional)


def pieces_of(agent: Agent, game: Game) -> frozenset[str] | str:
    """The pieces of the observation by which an agent goes beside the position, or in words why it is not known."""
    if agent.per_table:
        return f"{agent.name} remembers what happened: its chances at an information state are not fixed"
    agent.prepare(game)
    if isinstance(agent, BaselineAgent):
        found = names_in(baselines_of(game.spec.system)[agent.baseline].function)
        told = sorted(found & {*past_of(game), *OPAQUE})
        return f"the code of {agent.name} reads {told[0]}" if told else frozenset()
    seen = agent.looks_at(game) if isinstance(agent, Positional) else None
    return f"what {agent.name} does may depend on what happened before" if seen is None else seen


@cache
def names_in(function: Callable[..., Any]) -> frozenset[str]:
    """All names in the code of a kernel function, and of what it calls by name."""
    names: set[str] = set()
    todo, done = [function], set()
    while todo:
        one = todo.pop()
        one = getattr(one, "py_func", one)
        if not isinstance(one, FunctionType) or one in done:
            continue
        done.add(one)
        own = _named(one.__code__)
        names |= own
        for name in own:
            value = one.__globals__.get(name)
            values = [getattr(value, other, None) for other in own] if isinstance(value, ModuleType) else [value]
            todo += [v for v in values if getattr(v, "__kernel__", False) or hasattr(v, "py_func")]
    return frozenset(names)


def _named(code: CodeType) -> set[str]:
    inner = [_named(part) for part in code.co_consts if isinstance(part, CodeType)]
    return {*code.co_names, *code.co_freevars}.union(*inner)


def chances_of(agent: Agent, requests: Requests) -> np.ndarray | None:
    """The exact chances of all actions, float64[m, A]; None: not known.

    A compiled baseline that throws no dice of its own has one action; where it throws, its system may declare chances.
    """
    if not isinstance(agent, BaselineAgent):
        return agent.probabilities(requests)
    game, m = requests.game, len(requests)
    policy = agent.native(game)
    rngs, actions = np.zeros(m, dtype=np.uint64), np.zeros(m, dtype=np.int64)
    act_native(
        policy.address,
        policy.which,
        game.address,
        game.params_address,
        questions=Questions(requests.deals(), requests.seats, requests.seeds, rngs, actions),
    )
    policy.raise_pending()
    game.kernel.raise_pending()
    out = np.zeros(requests.masks.shape)
    out[np.arange(m), actions] = 1.0
    drawn = np.flatnonzero(rngs != requests.seeds)
    if len(drawn) == 0:
        return out
    mixtures = declared(game.spec.system, "agents", "mixtures", "MIXTURES", Mixtures)
    if mixtures is None or agent.baseline not in mixtures.baselines:
        return None
    found = _mixed(game, mixtures, requests[drawn])
    if np.any(np.abs(found.sum(axis=1) - 1) > 1e-9):
        return None
    out[drawn] = found
    return out


def _mixed(game: Game, mixtures: Mixtures, requests: Requests) -> np.ndarray:
    """The declared chances at some decisions, float64[m, A]."""
    built = _built(game, mixtures)
    out = np.zeros(requests.masks.shape)
    # what is not known is dealt anyhow: it changes nothing
    mix_native(built.address, game.params_address, requests.deals(), seats=requests.seats, out=out)
    if built.pending:
        raise built.pending.pop(0)
    return out


def _built(game: Game, mixtures: Mixtures) -> Function:
    key = digest([game.kernel.key, str(game.kernel.compiled), game.spec.system])
    if key not in _BUILT:
        lines = ["def mixture(op, s_address, p_address, a, b, out_address):"]
        lines += ["    s, p = state_at(s_address), params_at(p_address)"]
        lines += [f"    _chances(s, p, a, float64_at(out_address, {game.n_actions}))", "    return 0", ""]
        names = {"_chances": mixtures.function}
        try:
            _BUILT[key] = build_function(
                game.kernel, game.spec.sources, files_of(mixtures.function), "\n".join(lines), "mixture", -1, names
            )
        except NumbaError as error:
            raise AgentError(
                f"the mixtures of {game.spec.system} cannot be compiled for {game.name}: {error}"
            ) from error
    return _BUILT[key]


_BUILT: dict[str, Function] = {}

__all__ = ["Positional", "chances_of", "known_apart", "names_in", "pieces_of"]
