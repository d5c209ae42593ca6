"""Compiling an abstraction of a game for the solver and for agents that play its solution."""

from __future__ import annotations

from types import ModuleType

from numba.core.errors import NumbaError

from ..envs.core.abi import APPLY, LEGAL
from ..envs.core.build import Function, build_function, source_of
from ..envs.core.game import Game
from ..envs.core.jit import digest
from ..envs.core.rooms import system_names
from .base import AgentError
from .declaration import agents_of

GLUE = """
def abstraction(op, s_address, p_address, seat, action, out):
    s, p = state_at(s_address), params_at(p_address)
    if op == {legal}:
        words = int64_at(out, {words})
        for w in range({words}):
            words[w] = 0
        abstract_legal(s, p, seat, words)
        return 0
    if op == {apply}:
        return abstract_action(s, p, seat, action)
    return abstract_key(s, p, seat)
"""
_BUILT: dict[tuple[str, str, bool], Function] = {}


def abstraction_names() -> tuple[str, ...]:
    """Systems that have an abstraction."""
    return tuple(name for name in system_names() if agents_of(name).abstraction is not None)


def _module(system: str) -> ModuleType:
    found = agents_of(system).abstraction
    if found is None:
        raise AgentError(f"abstraction: {system} has none; these have: {', '.join(abstraction_names())}")
    return found


def abstraction_hash(system: str) -> str:
    """Identity of a system's abstraction; raises AgentError if it has none."""
    return digest([source_of(_module(system))])


def build_abstraction(game: Game) -> Function:
    """The compiled abstraction of a game's system: LEGAL, APPLY (slot -> action) and KEY of the rules' interface."""
    module = _module(game.spec.system)
    at = (game.kernel.key, game.spec.system, game.kernel.compiled)
    if at not in _BUILT:
        names = {n: getattr(module, n) for n in ("abstract_key", "abstract_legal", "abstract_action")}
        glue = GLUE.format(legal=LEGAL, apply=APPLY, words=game.words)
        try:
            _BUILT[at] = build_function(game.kernel, game.spec.sources, [module], glue, "abstraction", -1, names)
        except NumbaError as error:
            raise AgentError(f"the abstraction of {game.spec.system} cannot be compiled: {error}") from error
    return _BUILT[at]
