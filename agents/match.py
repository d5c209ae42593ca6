"""Matches: many games between agents, with seeds that make every game repeatable by itself.

Three ways lead to the same results. Games in which all agents are compiled policies run in one compiled loop. Else many
tables advance in lockstep: the decisions that are due are gathered, and each agent answers its own in one call. A game
with a bot from outside that remembers things is played by itself.

Seeds. The dice of a game depend on the seed of the match and the number of the deal alone; the seed of a decision on
the seed of the match, deal, seat, name of the agent, and number of decisions that the seat took before. Hence a deal is
the same for all pairings and seatings, and neither the order of games, nor batches, processes or further agents change
one.

Secrets. Dice, tables and agents have keys of their own (`envs/core/keys.py`), and what a bot from outside gets as seeds
is derived from its decisions' seeds by one more key: nothing that it sees tells the seed of the match, the dice to come
or the seeds of others. That binds if the seed of the match cannot be guessed. A deal that a bot plays against another
opponent has other dice (`series` of `deal_seeds`), so that it does not know the cards from before; its seats in a game
live in processes of their own, unless `shared_bots`.

Forfeits. A seat forfeits if its agent answers what is no legal action (ILLEGAL), raises or dies (EXCEPTION), or needs
longer than the time limit for a move (TIME). The game ends at once. It is a loss for the seat's side: the side's seats
get the worst payoff that uniformly random play shows (`ordinary_range`: -3 in a duel of einBlatt), all others the best.
If seats of all sides, of two at least, forfeit at the same moment, the game is a draw with the payoff halfway between.
An outside bot whose process died or had to be stopped STOPS times in one call of `play` is not asked any more: it
forfeits at its first decision of every game left.

Time. An outside bot has the limit for every single move (if it answers in batches: for each batch, until it fails at
one). A built-in agent answers many decisions in one call and cannot be stopped: it forfeits them afterwards if their
mean time is over the limit. Its first call is not timed, since compiled code is loaded then.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..envs.core.batch import start_tables
from ..envs.core.errors import ProbespielError, RulesetError
from ..envs.core.game import Game
from ..envs.core.keys import check_seed, key_of, keyed_seed, keyed_words
from .base import Agent, Requests
from .faults import Fault, illegal
from .match_kernel import (
    EXCEPTION,
    FORFEITED,
    ILLEGAL,
    STUCK,
    TIME,
    Agents,
    Answers,
    Games,
    Sheet,
    Tables,
    advance,
    ask_compiled,
    collect,
    decide,
    mark_illegal,
    play_compiled,
)
from .outside import TERMS, BotTerms
from .players import STOPS, Player, make_player
from .registry import AgentText

MOVE_SECONDS = 10.0  # the default limit
BATCH = 1024  # tables in lockstep
_SAMPLE = 1000  # games of random play behind `ordinary_range`


@dataclass(frozen=True)
class Schedule:
    """Games to play, one a row.

    `seating` int64[n, seats]: index of the agent in each seat; `dice`, `tables` uint64[n]: generators of the dice and
    seeds of the tables, from which those of the decisions come.
    """

    seating: np.ndarray
    dice: np.ndarray
    tables: np.ndarray

    @classmethod
    def of(cls, seed: int, deals: Any, seating: Any) -> Schedule:
        """The games of some deals (numbers from 0 on, int64[n]) with a seating for each, int64[n, seats].

        Raises RulesetError for a seed outside 0..2**128-1.
        """
        return cls(np.ascontiguousarray(seating, dtype=np.int64), *deal_seeds(seed, deals))

    def __len__(self) -> int:
        return len(self.seating)


def deal_seeds(seed: int, deals: Any, series: Sequence[str] = ()) -> tuple[np.ndarray, np.ndarray]:
    """`dice` and `tables` (see `Schedule`), uint64[n], of some deals, int64[n]; another `series` has others."""
    numbers = np.asarray(deals, dtype=np.int64)
    return keyed_words(key_of(seed, "dice", *series), numbers), keyed_words(key_of(seed, "table", *series), numbers)


def agent_seed(seed: int, stream: str) -> int:
    """The seed, 0..2**63-1, of all that an agent of a `stream` throws in a match of `seed`."""
    return keyed_seed(key_of(seed, "agent", stream))


@dataclass
class Outcome:
    """What became of the games of a schedule, one a row.

    `payoffs` float64[n, seats]; `results` int8[n, seats]: +1 for the seats of the side with the highest mean payoff, 0
    if several sides share it, else -1; `decisions` int32[n, seats]; `offences` int8[n, seats] (0, ILLEGAL, EXCEPTION,
    TIME); `status` int8[n] (1 ended, 2 stopped by the limit of decisions, FORFEITED). `messages` tells of each offence
    by (row, seat); `stopped` lists the agents that were not asked any more.
    """

    payoffs: np.ndarray
    results: np.ndarray
    decisions: np.ndarray
    offences: np.ndarray
    status: np.ndarray
    messages: dict[tuple[int, int], str] = field(default_factory=dict)
    stopped: tuple[int, ...] = ()

    @property
    def lengths(self) -> np.ndarray:
        """Decisions of all seats together, int32[n]."""
        return self.decisions.sum(axis=1, dtype=np.int32)


def _name_of(agent: str | AgentText | Agent) -> str:
    if isinstance(agent, Agent):
        return agent.name or type(agent).__name__
    return agent.text if isinstance(agent, AgentText) else agent


class Match:
    """A table of agents for one game; `play` plays schedules. Use it as a context manager, or `close` it.

    `agents` are names as in `make_agent`, or agents; two of one name are refused. Raises AgentError for one that cannot
    be made or cannot play the game. `seed` is 0..2**128-1; `move_seconds` limits a move (None: no limit); `bots` are
    the terms for bots from outside.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[str | AgentText | Agent],
        seed: int = 0,
        move_seconds: float | None = MOVE_SECONDS,
        batch: int = BATCH,
        compiled: bool = True,
        bots: BotTerms = TERMS,
    ) -> None:
        if move_seconds is not None and not move_seconds > 0:
            raise ProbespielError(f"move_seconds = {move_seconds!r} is not allowed: a number above 0, or None")
        if batch < 1:
            raise ProbespielError(f"batch = {batch!r} is not allowed: an integer of at least 1")
        names = [_name_of(agent) for agent in agents]
        for name in names:
            if names.count(name) > 1:
                raise ProbespielError(f"agent {name!r} takes part twice: give each agent a name of its own")
        self.game, self.seed, self.batch = game, check_seed(seed), batch
        self.players: list[Player] = []
        try:
            for name, agent in zip(names, agents, strict=True):
                stream = (agent.stream if isinstance(agent, Agent) else "") or name
                thrown = agent_seed(seed, stream)
                self.players.append(make_player(agent, game, thrown, move_seconds, compiled, bots))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Match:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def may_forfeit(self) -> bool:
        """Whether an agent may forfeit: compiled ones are not timed, raise nothing and choose what is legal."""
        return any(player.native is None for player in self.players)

    def close(self) -> None:
        """Stop the processes of outside bots and close all agents."""
        for player in self.players:
            player.close()
        self.players = []

    def play(self, schedule: Schedule, absent: Collection[int] = ()) -> Outcome:
        """Play all games; agents in `absent` (indexes) are not asked and forfeit.

        Raises RulesetError for rules that leave a game without an end or a seat without a legal action.
        """
        n, seats = schedule.seating.shape
        if n and not 0 <= schedule.seating.min() <= schedule.seating.max() < len(self.players):
            raise ProbespielError(f"seating: agents are 0..{len(self.players) - 1}")
        outcome = Outcome(
            np.zeros((n, seats)),
            np.zeros((n, seats), dtype=np.int8),
            np.zeros((n, seats), dtype=np.int32),
            np.zeros((n, seats), dtype=np.int8),
            np.zeros(n, dtype=np.int8),
        )
        taking_part = np.flatnonzero(np.bincount(schedule.seating.ravel()))
        for index in taking_part:
            self.players[index].restart(index in absent)
        native = np.array([player.native is not None for player in self.players])
        alone = np.array([player.alone for player in self.players])
        in_loop = native[schedule.seating].all(axis=1)
        by_itself = alone[schedule.seating].any(axis=1)
        self._play_compiled(schedule, np.flatnonzero(in_loop), outcome)
        together = np.flatnonzero(~in_loop & ~by_itself)
        for start in range(0, len(together), self.batch):
            self._play_lockstep(schedule, together[start : start + self.batch], outcome)
        for row in np.flatnonzero(by_itself):
            self._begin_alone(schedule, int(row))
            self._play_lockstep(schedule, np.array([row]), outcome)
        self._score(outcome)
        outcome.stopped = tuple(int(i) for i in taking_part if self.players[i].stopped)
        return outcome

    def _play_compiled(self, schedule: Schedule, rows: np.ndarray, outcome: Outcome) -> None:
        if not len(rows):
            return
        game = self.game
        n, seats = len(rows), game.n_seats
        at = rows if n < len(outcome.status) else slice(None)  # all games at once are not copied
        policies = [player.native for player in self.players]
        payoffs = np.zeros((n, game.capacity))
        decisions, answers = np.zeros((n, seats), dtype=np.int32), np.zeros((n, seats), dtype=np.int64)
        offences, status = np.zeros((n, seats), dtype=np.int8), np.zeros(n, dtype=np.int8)
        play_compiled(
            game.address,
            game.params_address,
            game.state_size,
            game.words,
            agents=Agents(
                policies=np.array([0 if policy is None else policy.address for policy in policies]),
                which=np.array([0 if policy is None else policy.which for policy in policies]),
                seeds=np.array([player.seed for player in self.players]),
            ),
            sheets=Sheet(
                seating=schedule.seating[at],
                decisions=decisions,
                offences=offences,
                answers=answers,
            ),
            games=Games(dice=schedule.dice[rows], tables=schedule.tables[at], payoffs=payoffs, status=status),
        )
        self._raise_pending()
        if (status == STUCK).any():
            self._stuck(int(rows[np.flatnonzero(status == STUCK)[0]]))
        outcome.payoffs[at] = payoffs[:, :seats]
        outcome.decisions[at], outcome.offences[at], outcome.status[at] = decisions, offences, status
        for i, seat in np.argwhere(offences):
            outcome.messages[int(rows[i]), int(seat)] = illegal(game, int(answers[i, seat])).message

    def _begin_alone(self, schedule: Schedule, row: int) -> None:
        for index in np.unique(schedule.seating[row]):
            seats = np.flatnonzero(schedule.seating[row] == index).tolist()
            self.players[index].begin(seats, int(schedule.tables[row]))

    def _play_lockstep(self, schedule: Schedule, rows: np.ndarray, outcome: Outcome) -> None:
        """Play the games `rows` together, one answer of every seat to act at a time."""
        game = self.game
        k, p, n, seats = game.address, game.params_address, len(rows), game.n_seats
        seating, dice, tables = schedule.seating[rows], schedule.dice[rows], schedule.tables[rows]
        states = np.zeros((n, game.state_size), dtype=np.uint8)
        payoffs = np.zeros((n, game.capacity))
        decisions, status = np.zeros((n, seats), dtype=np.int32), np.zeros(n, dtype=np.int8)
        live = np.arange(n, dtype=np.int64)
        at, seat, legal = (np.zeros(shape, np.int64) for shape in (n * seats, n * seats, (n * seats, game.words)))
        for player in self.players:
            player.clear()
        start_tables(k, p, states, dice)
        together = Tables(states=states, dice=dice, status=status, decisions=decisions, payoffs=payoffs)
        nothing = np.zeros(0, dtype=np.int64)  # throws no die, but finds games that are over before they begin
        left = advance(k, p, together, live, n_live=n, answers=Answers(rows=nothing, seats=nothing, actions=nothing))
        while left:
            m = collect(k, p, states, live, n_live=left, rows=at, seats=seat, words=legal)
            self._raise_pending()
            if m < 0:
                self._stuck(int(rows[-1 - m]))
            asked = _Asked(states, tables, decisions, at[:m], seat[:m], legal[:m])
            actions, faults = self._ask(asked, seating[at[:m], seat[:m]])
            for i, fault in faults.items():
                row, s = int(at[i]), int(seat[i])
                status[row] = FORFEITED
                outcome.offences[rows[row], s] = fault.code
                outcome.messages[int(rows[row]), s] = fault.message
            answers = Answers(rows=at[:m], seats=seat[:m], actions=actions)
            left = advance(k, p, together, live, n_live=left, answers=answers)
        self._raise_pending()
        outcome.payoffs[rows] = payoffs[:, :seats]
        outcome.decisions[rows], outcome.status[rows] = decisions, status

    def _ask(self, asked: _Asked, agents: np.ndarray) -> tuple[np.ndarray, dict[int, Fault]]:
        """The answers of all seats to act, int64[m], and what is wrong with some of them."""
        actions = np.full(len(agents), -1, dtype=np.int64)
        faults: dict[int, Fault] = {}
        for index in np.unique(agents):
            mine = np.flatnonzero(agents == index)
            player = self.players[index]
            if player.native is None:
                found = player.ask(asked.requests(self.game, mine, player.seed), asked.at[mine], asked.tables)
                actions[mine] = found.actions
                faults.update({int(mine[i]): fault for i, fault in found.faults.items()})
            else:
                actions[mine] = asked.compiled(self.game, mine, player)
        wrong = np.zeros(len(agents), dtype=np.int8)
        wrong[list(faults)] = 1
        mark_illegal(asked.legal, actions, wrong)
        for i in np.flatnonzero(wrong):
            if int(i) not in faults:
                faults[int(i)] = illegal(self.game, int(actions[i]))
        return actions, faults

    def _raise_pending(self) -> None:
        for player in self.players:
            if player.native is not None:
                player.native.raise_pending()
        self.game.kernel.raise_pending()

    def _stuck(self, row: int) -> None:
        raise RulesetError(
            f"game {self.game.name}, game {row} of the schedule: it goes on, but nobody is to act, or somebody who is "
            "has no legal action"
        )

    @cached_property
    def ordinary_range(self) -> tuple[float, float]:
        """The lowest and the highest payoff of any seat in 1000 games of uniformly random play with fixed dice."""
        with Match(self.game, ["random"], 0, None) as sample:
            seating = np.zeros((_SAMPLE, self.game.n_seats), dtype=np.int64)
            payoffs = sample.play(Schedule.of(0, np.arange(_SAMPLE), seating)).payoffs
        return float(payoffs.min()), float(payoffs.max())

    def _score(self, outcome: Outcome) -> None:
        """Pay for forfeits, and fill in who won."""
        sides = [list(seats) for _, seats in self.game.sides]
        for row in np.flatnonzero(outcome.status == FORFEITED):
            low, high = self.ordinary_range
            lost = [bool(outcome.offences[row, seats].any()) for seats in sides]
            for seats, bad in zip(sides, lost):
                shared = all(lost) and len(sides) > 1  # nobody shares with a side that plays alone
                outcome.payoffs[row, seats] = (low + high) / 2 if shared else low if bad else high
        side_of = np.zeros(outcome.payoffs.shape[1], dtype=np.int64)
        for index, seats in enumerate(sides):
            side_of[seats] = index
        decide(outcome.payoffs, side_of, np.bincount(side_of), outcome.results)


@dataclass(frozen=True)
class _Asked:
    """Decisions that are due in a lockstep: seat `seat[i]` at table `at[i]`, with its legal set `legal[i]`."""

    states: np.ndarray
    tables: np.ndarray
    decisions: np.ndarray
    at: np.ndarray
    seat: np.ndarray
    legal: np.ndarray

    def requests(self, game: Game, mine: np.ndarray, agent_seed: np.uint64) -> Requests:
        at, seat = self.at[mine], self.seat[mine]
        return Requests.gather(game, self.states, at, seat, agent_seed, self.tables[at], self.decisions[at, seat])

    def compiled(self, game: Game, mine: np.ndarray, player: Player) -> np.ndarray:
        actions = np.zeros(len(mine), dtype=np.int64)
        policy = player.native
        assert policy is not None
        ask_compiled(
            game.address,
            game.params_address,
            self.states,
            agents=Agents(
                policies=np.array([policy.address]), which=np.array([policy.which]), seeds=np.array([player.seed])
            ),
            tables=self.tables,
            decisions=self.decisions,
            answers=Answers(rows=self.at[mine], seats=self.seat[mine], actions=actions),
        )
        return actions


__all__ = [
    "EXCEPTION",
    "FORFEITED",
    "ILLEGAL",
    "MOVE_SECONDS",
    "STOPS",
    "TIME",
    "Match",
    "Outcome",
    "Schedule",
    "agent_seed",
    "deal_seeds",
]
