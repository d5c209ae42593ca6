"""PettingZoo's AECEnv, natively: one compiled call a step."""

from __future__ import annotations

from typing import Any

from numba import types
from pettingzoo import AECEnv

from .abi import APPLY, TO_ACT, call_kernel, int64_at, lowest_bit
from .errors import IllegalAction, ProbespielError
from .game import Game
from .inner import inner
from .jit import driver
from .single import (
    BITS,
    CONTEXT,
    ENDED,
    FAILED,
    KERNEL,
    LEGAL_SETS,
    N_ACTIONS,
    N_WORDS,
    PAID,
    PARAMS,
    REFUSED,
    SCRATCH,
    SEAT,
    STATE,
    STOPPED,
    STUCK,
    Observation,
    SingleTable,
    close_cycle,
    first_question,
    observe_row,
    present,
    score,
)


@inner
def next_seat(context, row):
    """Present the first seat that owes a decision in row `row`; the seat, or STUCK when it has no legal action."""
    c = int64_at(context, CONTEXT)
    seat = lowest_bit(c[BITS])
    legal = present(context, seat, row, c[LEGAL_SETS] + 8 * c[N_WORDS] * seat)
    return seat if legal > 0 else STUCK


@driver(signature=types.int64(types.int64, types.int64))
def aec_start(context, row):
    """Start a game and present the first seat: the seat or ENDED, STOPPED, or an error."""
    code = first_question(context)
    return code if code != 0 else next_seat(context, row)


@driver(signature=types.int64(types.int64, types.int64, types.int64))
def aec_step(context, action, row):
    """Take the action of the first seat that owes one, and present the next in row `row`: its seat with flags."""
    c = int64_at(context, CONTEXT)
    seat = lowest_bit(c[BITS])
    words = int64_at(c[LEGAL_SETS] + 8 * c[N_WORDS] * seat, c[N_WORDS])
    if action < 0 or action >= c[N_ACTIONS] or (words[action >> 5] >> (action & 31)) & 1 == 0:
        return REFUSED
    call_kernel(c[KERNEL], APPLY, c[STATE], c[PARAMS], seat, action, 0)
    bits = call_kernel(c[KERNEL], TO_ACT, c[STATE], c[PARAMS], 0, 0, 0)
    if bits < 0:
        return FAILED
    c[BITS] &= bits & ~(1 << seat)
    flags = 0
    if c[BITS] == 0:
        flags = close_cycle(context)
        if flags < 0:
            return flags
    flags |= score(context)
    if flags & (ENDED | STOPPED):
        return flags
    following = next_seat(context, row)
    return following if following < 0 else flags | following


class ProbespielAEC(SingleTable, AECEnv[str, Observation, int]):
    """A game as PettingZoo's AECEnv: agents are the seats, asked one at a time.

    Seats that owe a decision at the same time are asked in seat order, and what the first ones chose stays sealed.
    Observations and masks: see `SingleTable`; a mask is all zero for agents that are not asked. Rewards are changes of
    payoff. All agents live until the game ends; it terminates by its rules, or is truncated by its limit of decisions
    or `max_cycles`. What was handed out is never written to again. Options: see `SingleTable`; further keywords are
    options of the game.
    """

    def __init__(self, game: Game | str, *args: Any, **kwargs: Any) -> None:
        SingleTable.__init__(self, game, *args, **kwargs)
        self.agent_selection = ""
        self.rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self._zeros = dict.fromkeys(self.possible_agents, 0.0)
        self._falses = dict.fromkeys(self.possible_agents, False)
        self._paid = False  # some reward is not 0
        self._live = False
        self._shown = (self._no_mask, self._no_mask)  # observation and mask of the agent that is asked

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; equal seeds give equal dice, no seed goes on with the old ones. `options` are ignored."""
        self._start_dice(seed)
        if self._row == self._end:
            self._refill()
        code = aec_start(self._address, self._row)
        if code < 0 or self._pending:
            self._fail(code)
        self.agents = self.possible_agents.copy()
        self.rewards = self._zeros.copy()
        self._cumulative_rewards = self._zeros.copy()
        self.terminations = self._falses.copy()
        self.truncations = self._falses.copy()
        no_mask = self._no_mask
        self.infos = {name: self._info(no_mask) for name in self.agents}
        self._paid = False
        self._live = True
        if code > SEAT:
            self._finish(code)
        else:
            self._ask(code)

    def _ask(self, seat: int) -> None:
        self.agent_selection = agent = self.possible_agents[seat]
        self._shown = shown = self._rows[self._row]
        self._row += 1
        self.infos[agent] = self._info(shown[1])
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Take the action of `agent_selection` (None for an agent that is done) and go on to the next agent.

        Raises IllegalAction or ends the game, as `illegal` says; RulesetError if the rules leave no action.
        """
        if not self._live:
            self._dead_step(action)
            return
        if type(action) is not int or not 0 <= action < self._n_actions:
            number = self._index(action)
        else:
            number = action
        row = self._row
        if row == self._end:
            self._refill()
            row = 0
        code = aec_step(self._address, number, row)
        if code < 0 or self._pending:
            if code != REFUSED:
                self._fail(code)
            self._refuse(action)
            return
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        if code & PAID:
            self._pay(self._delta.tolist())
        elif self._paid:
            self._clear_rewards()
        infos, told = self.infos, self._mask_in_info  # inline: a call of `_info` is a fiftieth of a step
        infos[agent] = {"action_mask": self._no_mask} if told else {}
        if code > SEAT | PAID:
            self._finish(code)
            return
        self.agent_selection = agent = self.possible_agents[code & SEAT]
        self._shown = shown = self._rows[row]
        self._row = row + 1
        infos[agent] = {"action_mask": shown[1]} if told else {}
        if self.render_mode == "human":
            self.render()

    def _pay(self, rewards: list[float]) -> None:
        self.rewards = paid = dict(zip(self.possible_agents, rewards))
        cumulative = self._cumulative_rewards
        for agent, reward in paid.items():
            cumulative[agent] += reward
        self._paid = True

    def _clear_rewards(self) -> None:
        self.rewards = dict.fromkeys(self.rewards, 0.0)
        self._paid = False

    def _refuse(self, action: Any) -> None:
        seat = self.game.seat_index(self.agent_selection)
        if self.illegal == "raise":
            self.position.apply(seat, action)
            raise IllegalAction(f"seat {self.agent_selection}: action {action!r} is not legal")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._pay(self._forfeit_by({seat}))
        self._finish(ENDED)

    def _finish(self, code: int) -> None:
        ended = bool(code & ENDED)
        self.terminations = dict.fromkeys(self.agents, ended)
        self.truncations = dict.fromkeys(self.agents, not ended)
        self.infos = {name: self._info(self._no_mask) for name in self.agents}
        self._live = False
        self.agent_selection = self.agents[0]
        if self.render_mode == "human":
            self.render()

    def _dead_step(self, action: Any) -> None:
        if not self.agents:
            raise ProbespielError("the game is over or has not begun: call reset()")
        if action is not None:
            raise ValueError("when an agent is dead, the only valid action is None")
        agent = self.agent_selection
        self.agents.remove(agent)
        for table in (self.rewards, self.terminations, self.truncations, self.infos, self._cumulative_rewards):
            del table[agent]
        if self._paid:
            self._clear_rewards()
        if self.agents:
            self.agent_selection = self.agents[0]

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last action, terminated, truncated and info of `agent_selection`."""
        agent = self.agent_selection
        if not observe:
            observation = None
        elif self._live:
            seen, mask = self._shown
            observation = seen if self._mask_in_info else {"observation": seen, "action_mask": mask}
        else:
            observation = self.observe(agent)
        return (
            observation,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Observation:
        """What an agent may know now; its mask is all zero when it owes no decision."""
        if self._live and agent == self.agent_selection:
            return self._seen(*self._shown)
        if not self.agents:
            raise ProbespielError("the game is over or has not begun: call reset()")
        seat = self._seats[agent] if agent in self._seats else self.game.seat_index(agent)
        row = self._row
        if row == self._end:
            self._refill()
            row = 0
        self._row = row + 1
        observation, mask = self._rows[row]
        if self._live and int(self._context[BITS]) >> seat & 1:
            present(self._address, seat, row, int(self._context[SCRATCH]))
        else:
            observe_row(self._address, seat, row)
            mask = self._no_mask
        if self._pending:
            self._raise_pending()
        return self._seen(observation, mask)
