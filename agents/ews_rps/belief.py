"""What `counter` believes of somebody after some rounds: how likely each kind of player is, and what it would show.

It is read from the memory of the policy itself, which has learnt the rounds of the position there, so that nobody works
it out a second time. Like all that the policy knows it is a function of the history, which both seats know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...envs.core import abi
from ...envs.core.game import Game, Position
from ...envs.core.rng import rng_array
from ...envs.ews_rps.state import Phase
from ..base import AgentError
from ..native import is_built, native_policy
from .baselines import BASELINES, counter_memory, symbols_in
from .counter import KINDS, counter_numbers, prior_of

NAME = "counter"
FEW = 100  # rounds that interpreted rules learn within some two seconds; compiling may take a minute


@dataclass(frozen=True)
class Belief:
    """What a predictor takes the other side for, by the kinds of `types.NAMES` and, last, the mixture of models.

    `before`, `after` float64[KINDS]: its weights before the first round and now, each adding up to 1; `chances`
    float64[KINDS, symbols]: what each kind would show next.
    """

    before: np.ndarray
    after: np.ndarray
    chances: np.ndarray

    @property
    def expected(self) -> np.ndarray:
        """What the predictor expects next, float64[symbols]: all kinds together."""
        return self.after @ self.chances


def belief_of(position: Position, seat: int, values: Mapping[str, Any] | None = None) -> Belief:
    """What `counter` in a seat believes of the other one after all rounds so far.

    `values` are checked values of its parameters. What is expected next belongs to the running round, and after the end
    to the first one of another test like the last. Raises AgentError where a module asks something, so that the policy
    cannot be asked.
    """
    # What it answers does not matter: it learns all rounds before that, whatever the question (none after the end).
    asked = _ready(position)
    game, rng = asked.game, rng_array(0, NAME)
    memory = counter_memory(game)
    policy = native_policy(game, NAME, values, memory)
    asked.record.ask_phase = Phase.ROUND
    if position.over:
        asked.record.rounds = asked.record.net = asked.record.decided = 0
    abi.call_from_python(
        policy.address, policy.which, asked.address, game.params_address, seat, game.address, rng.ctypes.data
    )
    policy.raise_pending()
    symbols = symbols_in(game)
    own = memory.latest[-counter_numbers(symbols) :]
    if not own[:KINDS].any():
        raise AgentError(f"{NAME} has learnt nothing: a rule module asks a question at this moment; ask after it")
    given = values or {}
    numbers = np.array([float(given.get(param.name, param.default)) for param in BASELINES[NAME].params])
    return Belief(
        before=np.array([prior_of(kind, numbers) for kind in range(KINDS)]),
        after=own[:KINDS].copy(),
        chances=own[KINDS : KINDS * (1 + symbols)].reshape(KINDS, symbols).copy(),
    )


def _ready(position: Position) -> Position:
    """A copy by whichever rules answer soon: the same ones, interpreted ones for a few rounds, else compiled ones."""
    game, compiled = position.game, position.record.past > FEW
    if not is_built(game) or (compiled and not game.kernel.compiled):
        game = Game(game.spec, compiled)
    return Position(game, data=np.frombuffer(position.to_bytes(), game.state_dtype).copy())


__all__ = ["Belief", "belief_of"]
