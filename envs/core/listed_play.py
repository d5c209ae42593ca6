"""Tables for learners that read lists: what of each observation is not as usual, and the legal actions.

The games are those of `learner_tables.LearnerTables`, move by move; observations of many zeros are neither written out
nor read again, and no info is made for a game that ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from .game import Game
from .learner_tables import LearnerTables
from .rows import Rows, check_listed, list_values
from .vec_drivers import (
    Following,
    Going,
    Learner,
    Questions,
    Replies,
    Rules,
    Span,
    learner_moves,
    move_unlocked,
    present_all,
    present_learners,
)

AT_ONCE = 64  # questions that are answered together in compiled code: few, so that they stay in the cache

Decide = Callable[[int, int, int], object]  # tables `begin` to `end`, as part i of the work

Answer = Callable[[Rows, np.ndarray, np.ndarray, np.ndarray], Any]  # lists, seats, tables, seeds -> integers[m]


def lists(game: Game, n: int, usual: np.ndarray | None = None) -> Rows:
    """Room for n lists of what is not `usual`, float32[L] (None: not 0); what stands in it means nothing until written.

    Numbers that hardly ever change need not be told again and again.
    """
    entries = game.layout.size + game.n_actions
    return Rows(
        observations=np.zeros((1, game.layout.size), np.float32),
        masks=np.zeros((0, game.n_actions), np.int8),
        index=np.empty((n, entries), np.int32),
        values=np.empty((n, entries), np.float32),
        sizes=np.zeros((n, 2), np.int64),
        usual=np.zeros(0, np.float32) if usual is None else np.ascontiguousarray(usual, np.float32),
    )


def whole_lists(game: Game, n: int) -> Rows:
    """Room for n lists of all that any seat sees; see `vec_drivers.present_all`."""
    entries = game.n_seats * game.layout.size + game.n_actions
    return lists(game, 0)._replace(
        observations=np.zeros((2, game.layout.size), np.float32),
        index=np.empty((n, entries), np.int32),
        values=np.empty((n, entries), np.float32),
        sizes=np.zeros((n, 2), np.int64),
    )


def some(rows: Rows, part: slice) -> Rows:
    """Some of the lists, in the same memory; with working space of their own."""
    return Rows(
        observations=np.zeros_like(rows.observations),
        masks=rows.masks,
        index=rows.index[part],
        values=rows.values[part],
        sizes=rows.sizes[part],
        usual=rows.usual,
    )


class Ended(NamedTuple):
    """Games that ended in a step: `tables` int64[m], the learner's `returns` float64[m], `opponents` int64[m, seats].

    Those without a decision of the learner are left out.
    """

    tables: np.ndarray
    returns: np.ndarray
    opponents: np.ndarray


class AtOnce(Protocol):
    """Who answers for other seats in compiled code, and who works on which tables."""

    def replies(self, env: LearnerTables, room: Questions, part: int) -> Replies:
        """How the questions in a room are answered, by part i of the work; asked once for each room."""
        ...

    def share(self, n: int, work: Callable[[int, int, int], object]) -> None:
        """Have `work(begin, end, part)` done for all of 0..n-1, in as many parts as there are rooms at most."""
        ...


class ListedPlay:
    """Tables whose learner and opponents are shown lists; `own` is what the learner has to answer now.

    `answer(lists, seats, tables, seeds)` answers for the other seats, as `learner_tables.Opponents` does, but where
    somebody answers `at_once`; then the work may be done in `parts` parts.
    """

    def __init__(
        self, env: LearnerTables, own: Rows, answer: Answer, at_once: AtOnce | None = None, parts: int = 1
    ) -> None:
        self.env, self.own, self.answer = env, own, answer
        self.asked = lists(env.game, len(env._asked_seeds), own.usual)
        self.shown = [some(own, slice(None)) for _ in range(parts)]  # each with working space of its own
        self.at_once = at_once if env.game.kernel.compiled else None  # else rules are entered with Python's lock held
        self.replies: list[Replies] = []

    def _rooms(self) -> Iterator[Questions]:
        env, m = self.env, max(AT_ONCE, self.env.game.n_seats)
        for _ in self.shown:
            seats, tables = np.zeros((2, m), np.int64)
            yield Questions(
                rows=lists(env.game, m, self.own.usual),
                seats=seats,
                tables=tables,
                seeds=np.zeros(m, np.uint64),
                generators=env._seeds_for_opponents,
            )

    def _prepare(self, at_once: AtOnce) -> None:
        self.replies = self.replies or [at_once.replies(self.env, room, i) for i, room in enumerate(self._rooms())]

    def going(self) -> list[Going]:
        """What compiled code plays on with, for each part of the work; where everybody is answered `at_once` alone."""
        env = self.env
        assert self.at_once is not None
        self._prepare(self.at_once)
        rules, course, questions = Rules(*env._rules, env.skip_forced), env._course(), env._questions(self.asked)
        return [
            Going(rules, course, Learner(env._done, env._rewards, rows, env._terminal), questions, replies)
            for rows, replies in zip(self.shown, self.replies)
        ]

    def follow(self, depth: int) -> Following:
        """Who is to sit at every table in its next games, `depth` of them; what goes on of what was counted."""
        env, n = self.env, self.env.num_envs
        following = Following(
            ids=np.zeros((n, depth, env.game.n_seats), np.int64), taken=np.zeros(n, np.int64), episodes=env.episodes,
            idle=env._idle, fixed=-1 if env.seat is None else env.seat,
        )  # fmt: skip
        self.assign(following, np.arange(n))
        return following

    def assign(self, following: Following, tables: np.ndarray) -> None:
        """Say anew who is to sit at some tables, int64[k], in the games to come."""
        env, depth = self.env, following.ids.shape[1]
        assert env.assign is not None
        which = np.repeat(tables, depth)
        later = np.tile(np.arange(1, depth + 1), len(tables))
        seats = (which + env.episodes[which] + later) % env.game.n_seats
        if env.seat is not None:
            seats[:] = env.seat
        following.ids[tables] = env.assign(which, seats).reshape(len(tables), depth, -1)
        following.taken[tables] = 0

    def begin(self) -> None:
        """New games at all tables, as `LearnerTables.reset`."""
        self.env.restart()
        self._go([])

    def look(self) -> None:
        """Show what the learner has to answer now, after the tables were loaded."""
        env = self.env
        k, p, words, _ = env._rules
        env._checked(present_learners(k, p, words, env.states, seats=env.seats, rows=self.own))

    def look_everywhere(self, rows: Rows) -> None:
        """Write what any seat sees at all tables into `whole_lists`, now that the learner's own lists are there."""
        env = self.env
        k, p, *_ = env._rules
        present_all(k, p, env._course(), self.own, rows=rows, span=Span(0, env.num_envs))

    def play(self, actions: np.ndarray, decide: Decide | None = None) -> tuple[np.ndarray, np.ndarray, Ended]:
        """Take the learner's actions, int64[n]: rewards float64[n], int8[n] how games ended (0: not), those games.

        The first two are valid until the next step. `decide` writes the actions of some tables just before they are
        taken, as they then are at hand. IllegalAction as of `LearnerTables`; other parts may have moved by then.
        """
        env = self.env
        k, p, *_ = env._rules
        course, take_up = env._course(), move_unlocked if env.game.kernel.compiled else learner_moves

        def move(begin: int, end: int, part: int) -> None:
            if decide is not None:
                decide(begin, end, part)
            wrong = int(check_listed(self.own, actions, begin, end))
            if wrong >= 0:
                env._illegal("the learner", wrong, int(env.seats[wrong]), actions[wrong])
            take_up(k, p, course, span=Span(begin, end), actions=actions)

        env._rewards[:] = 0.0
        env._done[:] = 0
        ended: list[Ended] = []
        self._go(ended, move)
        return env._rewards, env._done, Ended(*(np.concatenate(column) for column in zip(*ended, self._none)))

    def last_words(self, tables: np.ndarray) -> Rows:
        """What the learner saw at the end of games that were stopped at some tables in the last step, as lists."""
        out = lists(self.env.game, len(tables), self.own.usual)
        for i, table in enumerate(tables.tolist()):
            list_values(self.env._terminal[table].copy(), out, i)
        return out

    @property
    def _none(self) -> Ended:
        return Ended(np.zeros(0, np.int64), np.zeros(0), np.zeros((0, self.env.game.n_seats), np.int64))

    def _go(self, ended: list[Ended], move: Callable[[int, int, int], None] | None = None) -> None:
        env = self.env

        def answers(m: int) -> Any:
            return self.answer(some(self.asked, slice(m)), env._asked[0, :m], env._asked[1, :m], env._asked_seeds[:m])

        def report(tables: np.ndarray) -> None:
            played = env._played(tables)
            ended.append(Ended(played, env._returns[played], env.opponent_ids[played]))

        share = None
        if self.at_once is not None:
            share = self.at_once.share
            self._prepare(self.at_once)
        env.play_on(self.shown, self.asked, answers, report, self.replies, share, move)


__all__ = ["Answer", "AtOnce", "Decide", "Ended", "ListedPlay", "lists", "some", "whole_lists"]
