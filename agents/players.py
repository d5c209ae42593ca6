"""How agents take part in a match: compiled, in this process for many tables or one instance a seat, or outside."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..envs.core.game import Game
from ..envs.core.keys import key_of, keyed_seed
from .base import Agent, NativePolicy, Requests, decision_seed
from .faults import EXCEPTION, TIME, Fault, check_batch, judge, told
from .outside import TERMS, BotProcess, BotTerms
from .registry import AgentText, make_agent, parse_agent

UNASKED = "was not asked any more"  # how the message of such a forfeit begins
STOPS = 3  # so often an outside bot's process may die or be stopped before it is not asked any more
_RESET = -1  # the number of the decision whose seed goes to `Agent.reset`


@dataclass
class Answers:
    """Answers to some decisions: `actions` int64[m], and what is wrong with some of them by row."""

    actions: np.ndarray
    faults: dict[int, Fault] = field(default_factory=dict)

    @classmethod
    def of(cls, answers: Sequence[int | Fault]) -> Answers:
        """From a list in which faults stand in the place of actions."""
        faults = {i: a for i, a in enumerate(answers) if isinstance(a, Fault)}
        return cls(np.array([-1 if isinstance(a, Fault) else a for a in answers], dtype=np.int64), faults)


class Player:
    """An agent in a match; the base of those that follow."""

    native: NativePolicy | None = None  # a compiled policy, which is called without `ask`
    alone = False  # whether its games are played one at a time

    def __init__(self, seed: int) -> None:
        self.seed = np.uint64(seed)
        self.absent = False

    @property
    def stopped(self) -> bool:
        """Whether it is not asked any more because its process died or had to be stopped too often."""
        return False

    def restart(self, absent: bool) -> None:
        """A call of `Match.play` begins."""
        self.absent = absent

    def clear(self) -> None:
        """A set of tables begins."""

    def begin(self, seats: Sequence[int], table: int) -> None:
        """A game that is played alone begins; `table` is its seed, `seats` those that the agent takes."""

    def ask(self, requests: Requests, rows: np.ndarray, tables: np.ndarray) -> Answers:
        """Its decisions; `rows` int64[m] are the tables, `tables` uint64[n] the seeds of all tables."""
        if self.absent:
            return Answers.of([Fault(TIME, UNASKED)] * len(requests))
        return self._ask(requests, rows, tables)

    def _ask(self, requests: Requests, rows: np.ndarray, tables: np.ndarray) -> Answers:
        raise NotImplementedError

    def close(self) -> None:
        """The match is over."""

    def reset_seed(self, table: int, seat: int) -> int:
        """The seed with which the instance of a seat begins a game, 0..2**63-1."""
        return int(decision_seed(self.seed, np.uint64(table), seat, _RESET)) >> 1


class _Clock:
    """Time over the limit for agents that cannot be stopped; the first call is free."""

    def __init__(self, limit: float | None) -> None:
        self.limit = limit
        self._warm = False
        self._start = 0.0

    def start(self) -> None:
        self._start = time.perf_counter()

    def late(self, decisions: int) -> Fault | None:
        mean = (time.perf_counter() - self._start) / decisions
        first, self._warm = not self._warm, True
        if first or self.limit is None or mean <= self.limit:
            return None
        return Fault(TIME, f"took {mean:.3g} s for a move; the limit is {self.limit:g} s")


class Builtin(Player):
    """An agent of this process that answers for many tables."""

    def __init__(self, agent: Agent, game: Game, seed: int, limit: float | None, compiled: bool) -> None:
        super().__init__(seed)
        self.agent = agent
        self.native = agent.native(game) if compiled else None
        self._clock = _Clock(limit)

    def restart(self, absent: bool) -> None:
        """The agent begins anew."""
        super().restart(absent)
        self.agent.reset(int(self.seed) >> 1)

    def _ask(self, requests: Requests, rows: np.ndarray, tables: np.ndarray) -> Answers:
        m = len(requests)
        self._clock.start()
        try:
            answers = Answers(*check_batch(self.agent.act_batch(requests), requests))
        except Exception as error:  # an agent may fail in any way; its games are forfeited, the match goes on
            if m == 1:
                return Answers.of([Fault(EXCEPTION, told(error))])
            # One by one, to find the decisions at which it fails.
            parts = [self._ask(requests[[i]], rows[[i]], tables) for i in range(m)]
            return Answers.of([part.faults.get(0, int(part.actions[0])) for part in parts])
        late = self._clock.late(m)
        return answers if late is None else Answers.of([late] * m)

    def close(self) -> None:
        """The agent is closed."""
        self.agent.close()


class Remembering(Player):
    """An agent of this process that remembers: an instance for every seat of every table."""

    def __init__(self, make: Callable[[], Agent], game: Game, seed: int, limit: float | None) -> None:
        super().__init__(seed)
        self._make, self._game = make, game
        self._seats: dict[tuple[int, int], Agent] = {}
        self._clock = _Clock(limit)

    def clear(self) -> None:
        """The instances of the games before are closed."""
        for agent in self._seats.values():
            agent.close()
        self._seats = {}

    close = clear

    def _ask(self, requests: Requests, rows: np.ndarray, tables: np.ndarray) -> Answers:
        return Answers.of([self._one(requests, i, int(rows[i]), int(tables[rows[i]])) for i in range(len(requests))])

    def _one(self, requests: Requests, i: int, row: int, table: int) -> int | Fault:
        seat = int(requests.seats[i])
        try:
            if (row, seat) not in self._seats:
                agent = self._seats[row, seat] = self._make()
                agent.prepare(self._game)
                agent.reset(self.reset_seed(table, seat))
            view = requests.view(i)
            self._clock.start()
            verdict = judge(self._game, self._seats[row, seat].act(view), view.legal)
        except Exception as error:  # as above
            return Fault(EXCEPTION, told(error))
        return self._clock.late(1) or verdict


class Outside(Player):
    """A bot in processes of its own: one for each seat in which it sits, or one for all where they may talk.

    Its seeds are derived once more, by a key of its own: it can tell neither those of others nor the dice from them.
    """

    def __init__(self, text: str, game: Game, seed: int, limit: float | None, terms: BotTerms = TERMS) -> None:
        super().__init__(seed)
        self._key = key_of(seed, "bot")
        self._shared = terms.shared
        self._make = lambda: BotProcess(text, game, keyed_seed(self._key), limit, terms)
        self._spare: BotProcess | None = self._make()  # the first seat gets it
        self._spare.check()
        self.alone = self._spare.per_table
        self._bots: dict[int, BotProcess] = {}
        self._broken: dict[int, Fault] = {}  # by seat: what went wrong in this game

    def _bot(self, seat: int) -> BotProcess:
        place = 0 if self._shared else seat
        if place not in self._bots:
            self._bots[place], self._spare = self._spare or self._make(), None
        return self._bots[place]

    @property
    def stopped(self) -> bool:
        """Whether its processes died or were killed too often."""
        return sum(bot.stops for bot in self._bots.values()) >= STOPS

    def restart(self, absent: bool) -> None:
        """The count begins anew."""
        super().restart(absent)
        for bot in self._bots.values():
            bot.stops = 0

    def reset_seed(self, table: int, seat: int) -> int:
        """As in the base class, by the bot's own key."""
        return keyed_seed(self._key, super().reset_seed(table, seat))

    def begin(self, seats: Sequence[int], table: int) -> None:
        """The bot gets an instance for each of its seats."""
        self._broken = {}
        for group in [list(seats)] if self._shared else [[seat] for seat in seats]:
            if not self.absent and not self.stopped:
                fault = self._bot(group[0]).begin({seat: self.reset_seed(table, seat) for seat in group})
                if fault is not None:
                    self._broken |= dict.fromkeys(group, fault)

    def _ask(self, requests: Requests, rows: np.ndarray, tables: np.ndarray) -> Answers:
        seeds = np.array([keyed_seed(self._key, seed) for seed in requests.seeds.tolist()], dtype=np.uint64)
        shown = replace(requests, seeds=seeds)
        actions = np.full(len(requests), -1, dtype=np.int64)
        faults: dict[int, Fault] = {}
        for seat in np.unique(requests.seats).tolist():
            mine = np.flatnonzero(requests.seats == seat)
            found = self._of_seat(seat, shown[mine])
            actions[mine] = found.actions
            faults |= {int(mine[i]): fault for i, fault in found.faults.items()}
        return Answers(actions, faults)

    def _of_seat(self, seat: int, requests: Requests) -> Answers:
        if seat in self._broken:
            return Answers.of([self._broken[seat]] * len(requests))
        if not self.stopped and not self.alone:
            many = self._bot(seat).ask_batch(requests)
            if many is not None:
                return Answers(many)
        return Answers.of([self._one(seat, requests[[i]]) for i in range(len(requests))])

    def _one(self, seat: int, request: Requests) -> int | Fault:
        if self.stopped:
            return Fault(TIME, f"{UNASKED}: its process had died or been stopped {STOPS} times")
        answer = self._bot(seat).ask_one(request)
        if self.alone and isinstance(answer, Fault):
            self._broken[seat] = answer  # what it remembered of this game may be gone
        return answer

    def close(self) -> None:
        """The processes are ended."""
        for bot in [*self._bots.values(), *([self._spare] if self._spare else [])]:
            bot.close()


def make_player(
    agent: str | AgentText | Agent,
    game: Game,
    seed: int,
    limit: float | None,
    compiled: bool = True,
    bots: BotTerms = TERMS,
) -> Player:
    """Get an agent, or one that is named as in `make_agent`, ready for a game; raises AgentError if it cannot play it.

    Without `compiled`, a compiled policy answers through `act_batch` like any other agent; `bots` are the terms for one
    from outside.
    """
    parsed = parse_agent(agent) if isinstance(agent, str) else agent
    if isinstance(parsed, AgentText) and parsed.outside:
        return Outside(parsed.here, game, seed, limit, bots)
    made = make_agent(parsed, game.name) if isinstance(parsed, AgentText) else parsed
    made.prepare(game)
    if not made.per_table:
        return Builtin(made, game, seed, limit, compiled)
    make = (lambda: make_agent(parsed, game.name)) if isinstance(parsed, AgentText) else (lambda: copy.deepcopy(made))
    return Remembering(make, game, seed, limit)


__all__ = ["STOPS", "Answers", "Builtin", "Outside", "Player", "Remembering", "make_player"]
