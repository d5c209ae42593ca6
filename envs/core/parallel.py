"""PettingZoo's ParallelEnv, natively: all seats that owe a decision act together, in one compiled call a step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numba import types
from pettingzoo import ParallelEnv

from .abi import APPLY, TO_ACT, call_kernel, int64_at
from .errors import IllegalAction, ProbespielError
from .game import Game, Position
from .jit import driver
from .single import (
    ACTIONS,
    BITS,
    CONTEXT,
    ENDED,
    FAILED,
    KERNEL,
    LEGAL_SETS,
    LENGTH,
    MASKS,
    N_ACTIONS,
    N_SEATS,
    N_WORDS,
    NO_OP,
    OBSERVATIONS,
    PARAMS,
    REFUSED,
    STATE,
    STOPPED,
    STUCK,
    Observation,
    SingleTable,
    close_cycle,
    first_question,
    int8_at,
    observe_into,
    present,
    score,
)


@driver
def present_all(context, row, running):
    """Present every seat, from row `row` on; STUCK when one that owes a decision has no legal action, else 0."""
    c = int64_at(context, CONTEXT)
    for seat in range(c[N_SEATS]):
        if running and c[BITS] >> seat & 1:
            if present(context, seat, row + seat, c[LEGAL_SETS] + 8 * c[N_WORDS] * seat) == 0:
                return STUCK
        else:
            mask = int8_at(c[MASKS] + (row + seat) * c[N_ACTIONS], c[N_ACTIONS])
            for a in range(c[N_ACTIONS]):
                mask[a] = 1 if a == c[NO_OP] else 0
            observe_into(context, seat, c[OBSERVATIONS] + 4 * c[LENGTH] * (row + seat))
    return 0


@driver(signature=types.int64(types.int64, types.int64))
def parallel_start(context, row):
    """Start a game and present all seats from row `row` on: 0, ENDED, STOPPED, or an error."""
    code = first_question(context)
    if code < 0:
        return code
    stuck = present_all(context, row, code == 0)
    return stuck if stuck < 0 else code


@driver(signature=types.int64(types.int64, types.int64))
def parallel_step(context, row):
    """Take the ACTIONS of all seats that owe a decision, or none of them; present all seats. Flags, or an error."""
    c = int64_at(context, CONTEXT)
    actions = int64_at(c[ACTIONS], c[N_SEATS])
    asked = c[BITS]
    for seat in range(c[N_SEATS]):
        if asked >> seat & 1:
            action = actions[seat]
            words = int64_at(c[LEGAL_SETS] + 8 * c[N_WORDS] * seat, c[N_WORDS])
            if action < 0 or action >= c[N_ACTIONS] or (words[action >> 5] >> (action & 31)) & 1 == 0:
                return REFUSED
    for seat in range(c[N_SEATS]):
        if asked >> seat & 1:
            call_kernel(c[KERNEL], APPLY, c[STATE], c[PARAMS], seat, actions[seat], 0)
            asked &= call_kernel(c[KERNEL], TO_ACT, c[STATE], c[PARAMS], 0, 0, 0)
            if asked < 0:
                return FAILED
    flags = close_cycle(context)
    if flags < 0:
        return flags
    running = flags == 0
    flags |= score(context)
    stuck = present_all(context, row, running)
    return stuck if stuck < 0 else flags


class ProbespielParallel(SingleTable, ParallelEnv[str, Observation, int]):
    """A game as PettingZoo's ParallelEnv: agents are the seats, and those that owe a decision act together.

    An agent that owes none stays in all dicts: its mask allows `game.spec.no_op` alone, `infos[agent]["to_act"]` is 0
    (else 1), and whatever it answers is ignored; it may be left out of `actions`. So every action space stays
    Discrete(A) and any masked policy works. Observations and masks: see `SingleTable`. Rewards are changes of payoff.
    All agents live until the game ends.
    What was handed out is never written to again. Options: see `SingleTable`; further keywords are options of the game.
    """

    def __init__(self, game: Game | str, *args: Any, **kwargs: Any) -> None:
        SingleTable.__init__(self, game, *args, **kwargs)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start a game; equal seeds give equal dice, no seed goes on with the old ones. `options` are ignored."""
        self._start_dice(seed)
        row = self._take_rows()
        code = parallel_start(self._address, row)
        if code < 0 or self._pending:
            self._fail(code)
        self.agents = [] if code & (ENDED | STOPPED) else list(self.possible_agents)
        return self._handed_out(row)

    def _take_rows(self) -> int:
        """Index of the first of `n_seats` new rows."""
        row = self._row
        n = len(self.possible_agents)
        if row + n > self._end:
            self._refill()
            row = 0
        self._row = row + n
        return row

    def _handed_out(self, row: int) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Observations and infos from the rows just written."""
        bits = int(self._context[BITS])
        observations: dict[str, Observation] = {}
        infos: dict[str, dict[str, Any]] = {}
        rows, apart = self._rows, self._mask_in_info
        for name in self.possible_agents:
            observation, mask = rows[row]
            # `_seen` and `_info`, written out: two calls a seat are a twentieth of a step
            observations[name] = observation if apart else {"observation": observation, "action_mask": mask}
            infos[name] = {"action_mask": mask, "to_act": bits & 1} if apart else {"to_act": bits & 1}
            bits >>= 1
            row += 1
        if self.render_mode == "human":
            self.render()
        return observations, infos

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take the actions of all agents that owe a decision; those of the others are ignored.

        A missing action is an illegal one. Raises IllegalAction (all positions unchanged) or ends the game, as
        `illegal` says; ProbespielError for a name that is no agent; RulesetError if the rules leave no action.
        """
        names = self.possible_agents
        if not self.agents:
            raise ProbespielError("the game is over or has not begun: call reset()")
        choices = self._actions
        found = 0
        for seat, name in enumerate(names):
            if name in actions:
                found += 1
                action = actions[name]
                if type(action) is not int or not 0 <= action < self._n_actions:
                    action = self._index(action)
                choices[seat] = action
            else:
                choices[seat] = -1
        if found != len(actions):
            unknown = [name for name in actions if name not in names]
            raise ProbespielError(f"actions for {unknown!r}: the agents are {', '.join(names)}")
        row = self._take_rows()
        code = parallel_step(self._address, row)
        if code < 0 or self._pending:
            if code != REFUSED:
                self._fail(code)
            code, rewards = self._refuse(actions, row)
        else:
            rewards = dict(zip(names, self._delta.tolist()))
        ended, stopped = bool(code & ENDED), bool(code & STOPPED)
        if ended or stopped:
            self._context[BITS] = 0
            self.agents = []
        observations, infos = self._handed_out(row)
        return observations, rewards, dict.fromkeys(names, ended), dict.fromkeys(names, stopped), infos

    def _refuse(self, actions: Mapping[str, Any], row: int) -> tuple[int, dict[str, float]]:
        """Raise for the first illegal action, or end the game against all who gave one."""
        offenders: set[int] = set()
        for seat, name in enumerate(self.possible_agents):
            if int(self._context[BITS]) >> seat & 1:
                try:
                    Position(self.game, data=self._data.copy()).apply(seat, int(self._actions[seat]))
                except IllegalAction as error:
                    if self.illegal == "raise":
                        given = f"answered {actions[name]!r}" if name in actions else "gave no action"
                        raise IllegalAction(f"agent {name} {given}: {error}") from None
                    offenders.add(seat)
        rewards = self._forfeit_by(offenders)
        present_all(self._address, row, False)
        return ENDED, dict(zip(self.possible_agents, rewards))


__all__ = ["ProbespielParallel"]
