"""Many tables with a learner at one seat of each, the other seats answered inside a step: what vector forms share."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

import numpy as np
from gymnasium import spaces

from .abi import STOPPED
from .batch import check_tables
from .checks import check_seed
from .errors import IllegalAction, ProbespielError, RulesetError
from .game import Game, Position
from .registry import make_game
from .rng import rng_table
from .rows import Rows, check_choices, check_listed
from .vec_drivers import (
    Course,
    Learner,
    Questions,
    Replies,
    Rules,
    Span,
    answer,
    begin,
    begin_unlocked,
    draw_seeded,
    keys_of,
    learner_moves,
    play_through,
    play_unlocked,
    present_learners,
)

QUESTION_BYTES = 1 << 26  # the buffer of questions to opponents is kept below this size, if one table allows it
WORTH_SHARING = 64  # tables or decisions a part: to wake another thread takes as long as it takes to do so many
MAX_UNPLAYED = 10_000  # games in a row in which the learner had nothing to decide, before that counts as an error


class Opponents(Protocol):
    """What answers for the other seats, for all tables at once; asked until the learner is to move everywhere."""

    def __call__(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, tables: np.ndarray, seeds: np.ndarray, /
    ) -> np.ndarray:
        """One legal action for each of the m questions, integers[m].

        `observations` float32[m, L] and `masks` int8[m, A] are valid during the call only; `seats` and `tables`, both
        int64[m], say who is asked; `seeds` uint64[m] are fresh random bits for the choice, so that equal seeds of the
        environment give equal games. `env.opponent_ids[tables, seats]` says which opponent is meant,
        `env.keys(tables, seats)` gives information-state keys, and `env.states` (uint8[n, size], not to be modified)
        the records, for agents that gather what they may know themselves.
        """
        ...


Share = Callable[[int, Callable[[int, int, int], object]], None]  # n, work(begin, end, part) -> all of 0..n-1 done


def _alone(n: int, work: Callable[[int, int, int], object]) -> None:
    """A `Share` that shares nothing."""
    work(0, n, 0)


Assign = Callable[[np.ndarray, np.ndarray], np.ndarray]


def random_opponents(
    observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, tables: np.ndarray, seeds: np.ndarray
) -> np.ndarray:
    """Uniform legal actions, int64[m]; see `Opponents`."""
    actions = np.empty(len(masks), dtype=np.int64)
    draw_seeded(masks, seeds, actions)
    return actions


def written_out(observations: np.ndarray, masks: np.ndarray) -> Rows:
    """Rows that are written out, float32[r, L] and int8[r, A]."""
    return Rows(observations, masks, *_NO_LISTS)


_NO_LISTS = (
    np.zeros((0, 0), np.int32),
    np.zeros((0, 0), np.float32),
    np.zeros((0, 2), np.int64),
    np.zeros(0, np.float32),
)
_NOBODY = (np.zeros(0, np.int64), np.zeros(0, np.int64))  # which opponents, actions


class LearnerTables:
    """`n` tables of a game: observations float32[n, L], actions integers[n], masks int8[n, A].

    At every table one seat is the learner's: `seat`, or, if that is None, seat (table + episode) % n_seats, so that it
    rotates. A step takes the learner's action at every table and plays on, `opponents` answering for the other seats,
    until the learner is to move everywhere; its reward is the change of its seat's payoff since its last move, the
    final outcome included. Finished tables start again at once: `infos[i]` then holds "terminal_observation",
    "TimeLimit.truncated", "episode" (as Monitor gives it), "seat" and "opponent_ids" (int64[n_seats]) of the game that
    ended. With `skip_forced` a decision with a single legal action is taken without asking, for the learner as for the
    others. With `whole_side` the learner decides for all seats of the side of its seat, which must share payoffs;
    `seats` holds the one that is asked. Games in which the learner had nothing to decide are played, but not reported:
    `unplayed` counts them.

    `opponent_ids` int64[n, n_seats] are for the opponents' own use (0 at first). `assign(tables, seats)` is called
    before new games begin at `tables` with the learner at `seats`, and gives their ids, int64[k] or int64[k, n_seats].

    An illegal action of the learner or of an opponent raises IllegalAction before any table has moved on it. A legal
    set is never empty: a rule set that leaves a seat without an action raises RulesetError.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        opponents: Opponents = random_opponents,
        *,
        scenario: str | None = None,
        modules: Mapping[str, Any] | None = None,
        seat: int | str | None = None,
        skip_forced: bool = True,
        whole_side: bool = False,
        assign: Assign | None = None,
        seed: int | None = None,
        **config: Any,
    ) -> None:
        if isinstance(game, str):
            game = make_game(game, scenario, modules, **config)
        elif scenario is not None or modules or config:
            raise ProbespielError(
                "scenario, modules and options belong to a game given by name, not to a finished Game"
            )
        check_tables(n)
        self.game = game
        self.opponents = opponents
        self.assign = assign
        self.skip_forced = bool(skip_forced)
        self.whole_side = bool(whole_side)
        self._own = np.array([1 << i for i in range(game.n_seats)], dtype=np.int64)  # whose seats it decides for
        if whole_side:
            for _, members in game.sides:
                self._own[list(members)] = sum(1 << i for i in members)
        self.seat = None if seat is None else game.seat_index(seat)
        low, high = game.layout.bounds()
        self.num_envs = n
        self.observation_space: spaces.Space[Any] = spaces.Box(low, high, dtype=np.float32)
        self.action_space: spaces.Space[Any] = spaces.Discrete(game.n_actions)
        seats, length = game.n_seats, game.layout.size
        self.states = np.zeros((n, game.state_size), dtype=np.uint8)
        self.seats = np.zeros(n, dtype=np.int64)  # the learner's
        self.opponent_ids = np.zeros((n, seats), dtype=np.int64)
        self.episodes = np.full(n, -1, dtype=np.int64)  # number of the current game at each table
        self.unplayed = 0
        self._dice = np.zeros(n, dtype=np.uint64)
        self._bits = np.zeros(n, dtype=np.int64)  # seats of the current cycle that still owe an answer
        self._paid = np.zeros(n)  # the learner's payoff when it was last rewarded
        self._moves = np.zeros(n, dtype=np.int64)  # the learner's decisions in this game
        self._seeds_for_opponents = np.zeros(n, dtype=np.uint64)
        self._ready = np.zeros(n, dtype=np.int8)  # 1: the learner is to move
        self._ended = np.zeros(n, dtype=np.int8)  # status of a game that has just ended and was not yet reported
        self._idle = np.zeros(n, dtype=np.int64)  # games in a row without a decision of the learner
        self._terminal = np.zeros((n, length), dtype=np.float32)
        self._rewards = np.zeros(n)
        self._returns = np.zeros(n)  # sum of rewards of the current game
        self._done = np.zeros(n, dtype=np.int8)
        self._observations = np.zeros((n, length), dtype=np.float32)
        self.masks = np.zeros((n, game.n_actions), dtype=np.int8)
        self._choices: np.ndarray | None = None
        others = max(seats - 1, 1)
        row_bytes = 4 * length + game.n_actions
        self._rows = rows = max(others, min(n * others, QUESTION_BYTES // row_bytes))
        self._asked_observations = np.zeros((rows, length), dtype=np.float32)
        self._asked_masks = np.zeros((rows, game.n_actions), dtype=np.int8)
        self._asked = np.zeros((2, rows), dtype=np.int64)  # seats, tables
        self._asked_seeds = np.zeros(rows, dtype=np.uint64)
        self._began = time.time()
        self._reseed(int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> 1) if seed is None else seed)

    def _reseed(self, seed: int) -> None:
        n, seed = self.num_envs, check_seed(seed)
        self._dice[:] = rng_table(seed, n, "vec-dice")
        self._seeds_for_opponents[:] = rng_table(seed, n, "vec-opponents")
        self.episodes[:] = -1

    @property
    def _rules(self) -> tuple[int, int, int, int]:
        return self.game.address, self.game.params_address, self.game.words, self.game.capacity

    def _checked(self, code: int) -> int:
        self.game.kernel.raise_pending()
        if code < 0:
            self._stuck(-code - 1)
        return code

    def _stuck(self, table: int) -> NoReturn:
        position = self.position(table)
        names = ", ".join(self.game.seats[s].name for s in position.to_act()) or "nobody"
        raise RulesetError(
            f"game {self.game.name}, table {table}: the game goes on, but {names} is to act in phase "
            f"{position.phase()!r} and has no legal action"
        )

    def position(self, table: int) -> Position:
        """A copy of the position at a table."""
        data = self.states[table].copy().view(self.game.state_dtype)
        return Position(self.game, data=data)

    def keys(self, tables: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Hashes of the information states of `seats` at `tables` now, int64[m]."""
        out = np.zeros(len(tables), dtype=np.int64)
        k, p, *_ = self._rules
        keys_of(k, p, self.states, np.asarray(tables, np.int64), seats=np.asarray(seats, np.int64), out=out)
        self._checked(0)
        return out

    def reset(self, seed: int | None = None) -> np.ndarray:
        """Begin new games at all tables, with a seed with new dice; observations float32[n, L]."""
        self.restart(seed)
        self._new_rows()
        self._play([])
        return self._observations

    def restart(self, seed: int | None = None) -> None:
        """Begin new games at all tables, before anybody has moved; a seed gives new dice."""
        if seed is not None:
            self._reseed(seed)
        self._choices = None
        self._done[:] = 0
        self._ready[:] = 0
        self._begin(np.arange(self.num_envs))

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """`choose` and `go_on`."""
        self.choose(actions)
        return self.go_on()

    def choose(self, actions: np.ndarray) -> None:
        """Keep the learner's actions, integers[n], for `go_on`; IllegalAction names table, seat and legal ones."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise IllegalAction(
                f"actions: integers of shape ({self.num_envs},), not {chosen.dtype} of shape {chosen.shape}"
            )
        if not self._ready.all():
            raise ProbespielError("the games have not begun: call reset()")
        self._choices = chosen.astype(np.int64)
        wrong = int(check_choices(self.masks, self._choices, self.num_envs))
        if wrong >= 0:
            self._choices = None
            self._illegal("the learner", wrong, int(self.seats[wrong]), chosen[wrong])

    def _illegal(self, who: str, table: int, seat: int, action: Any) -> NoReturn:
        try:
            self.position(table).apply(seat, int(action))
        except IllegalAction as error:
            raise IllegalAction(f"table {table}, {who}: {error}") from None
        raise IllegalAction(f"table {table}, {who}: action {action!r} is not legal")

    def go_on(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Observations float32[n, L], rewards float32[n], dones bool[n], infos; all new arrays at every step."""
        if self._choices is None:
            raise ProbespielError("actions of the learner are missing: choose them before the tables go on")
        k, p, *_ = self._rules
        learner_moves(k, p, self._course(), span=Span(0, self.num_envs), actions=self._choices)
        self._choices = None
        self._checked(0)
        self._rewards[:] = 0.0
        self._done[:] = 0
        self._new_rows()
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._play(infos)
        rewards = self._rewards.astype(np.float32)
        return self._observations, rewards, self._done != 0, infos

    @property
    def observations(self) -> np.ndarray:
        """What the learner sees at every table, float32[n, L]."""
        return self._observations

    @property
    def paid(self) -> np.ndarray:
        """The payoff of the learner's seat at every table when it was last rewarded, float64[n]."""
        return self._paid

    def begin_again(self, tables: np.ndarray) -> None:
        """Give up the games at some tables, int64[k], and begin new ones there; others stay as they are."""
        self._ready[tables] = 0
        self._begin(tables)
        self._play([{} for _ in range(self.num_envs)])

    def _new_rows(self) -> None:
        self._observations = np.empty_like(self._observations)
        self.masks = np.empty_like(self.masks)

    def _play(self, infos: list[dict[str, Any]]) -> None:
        """Play on until the learner is to move at every table."""
        own, asked = (
            written_out(self._observations, self.masks),
            written_out(self._asked_observations, self._asked_masks),
        )
        self.play_on([own], asked, self._answers, lambda ended: self._report(ended, infos))

    def play_on(
        self,
        own: Sequence[Rows],
        asked: Rows,
        answers: Callable[[int], Any],
        report: Callable[[np.ndarray], None],
        replies: Sequence[Replies] = (),
        share: Share | None = None,
        move: Callable[[int, int, int], None] | None = None,
    ) -> None:
        """Play on until the learner is to move at every table, with decisions shown as `own` and `asked` want it.

        First `move(begin, end, part)` moves for the learner at tables `begin` to `end`, if there is one.

        `answers(m)` gives the actions for the first m questions `asked`, which `_ask` checks; `report` gets the tables
        whose games have ended, before new ones begin there. `replies` answer without being asked from here; where they
        answer everything, `share` may share out the tables, those of part i with `own[i]` and `replies[i]`.
        """
        rules = Rules(*self._rules, self.skip_forced)
        questions, course = self._questions(asked), self._course()
        ready = replies or [Replies(0, 0, -1, self.opponent_ids, questions, *_NOBODY)]
        left = np.zeros(len(ready), np.int64)

        def play(begin: int, end: int, part: int, through: Any = play_unlocked) -> None:
            learner = Learner(done=self._done, rewards=self._rewards, rows=own[part], terminal=self._terminal)
            left[part] = through(rules, course, Span(begin, end), learner, questions=questions, replies=ready[part])

        def move_and_play(begin: int, end: int, part: int) -> None:
            if move is not None:
                move(begin, end, part)
            play(begin, end, part)

        n = waiting = self.num_envs
        while True:
            left[:] = 0
            if share is not None and replies and self.opponent_ids.max() <= replies[0].last:
                if waiting >= 2 * WORTH_SHARING:
                    share(n, move_and_play)  # nothing is left to be asked, so no part needs `questions`
                else:
                    move_and_play(0, n, 0)
            else:
                if move is not None:
                    (share or _alone)(n, move)
                    self._checked(0)
                play(0, n, 0, play_through)
            move = None
            stuck = left[left < 0]
            m = self._checked(int(stuck[0]) if len(stuck) else int(left[0]))
            if m:
                self._ask(m, asked, answers(m))
            ended = np.flatnonzero(self._ended)
            if len(ended):
                report(ended)
                self._begin(ended, share)
                waiting = len(ended)
            elif not m and self._ready.all():
                return

    def _questions(self, asked: Rows) -> Questions:
        """Room for questions that are put from here."""
        seats, tables = self._asked
        return Questions(
            rows=asked, seats=seats, tables=tables, seeds=self._asked_seeds, generators=self._seeds_for_opponents
        )

    def _course(self) -> Course:
        return Course(
            states=self.states,
            dice=self._dice,
            seats=self.seats,
            own=self._own,
            bits=self._bits,
            ready=self._ready,
            ended=self._ended,
            moves=self._moves,
            paid=self._paid,
            returns=self._returns,
        )

    def _answers(self, m: int) -> Any:
        """What the opponents say to the m questions."""
        seats, tables = self._asked[0, :m], self._asked[1, :m]
        return self.opponents(self._asked_observations[:m], self._asked_masks[:m], seats, tables, self._asked_seeds[:m])

    def _ask(self, m: int, asked: Rows, answers: Any) -> None:
        """Check the answers to the m questions, take them."""
        k, p, *_ = self._rules
        seats, tables = self._asked[0, :m], self._asked[1, :m]
        given = np.asarray(answers)
        if given.shape != (m,) or given.dtype.kind not in "iu":
            raise IllegalAction(
                f"the opponents gave {given.dtype} of shape {given.shape} for {m} questions: integers of shape ({m},)"
            )
        actions = given.astype(np.int64)
        wrong = int(check_listed(asked, actions, 0, m) if len(asked.sizes) else check_choices(asked.masks, actions, m))
        if wrong >= 0:
            table, seat = int(tables[wrong]), int(seats[wrong])
            self._illegal(f"opponent {self.opponent_ids[table, seat]}", table, seat, given[wrong])
        answer(k, p, self.states, seats, tables=tables, actions=actions, bits=self._bits)
        self._checked(0)

    def _report(self, tables: np.ndarray, infos: list[dict[str, Any]]) -> None:
        """Write the infos of games that have just ended; those without a decision of the learner are only counted."""
        elapsed = round(time.time() - self._began, 6)
        tables = self._played(tables)
        for i, observation, status, r, moves, seat, ids in zip(
            tables.tolist(),
            self._terminal[tables],  # a copy
            self._ended[tables].tolist(),
            self._returns[tables].tolist(),
            self._moves[tables].tolist(),
            self.seats[tables].tolist(),
            self.opponent_ids[tables],
        ):
            infos[i] = {
                "terminal_observation": observation,
                "TimeLimit.truncated": status == STOPPED,
                "episode": {"r": r, "l": moves, "t": elapsed},
                "seat": seat,
                "opponent_ids": ids,
            }

    def _played(self, tables: np.ndarray) -> np.ndarray:
        """Those of the tables whose games have just ended where the learner decided something; others are counted."""
        played = self._moves[tables] > 0
        self._idle[tables] = np.where(played, 0, self._idle[tables] + 1)
        self.unplayed += int(len(tables) - played.sum())
        self._check_idle(tables)
        return tables[played]

    def _check_idle(self, tables: np.ndarray) -> None:
        if self._idle[tables].max() > MAX_UNPLAYED:
            raise RulesetError(
                f"game {self.game.name}: the learner had nothing to decide in {MAX_UNPLAYED} games in a row at table "
                f"{int(tables[self._idle[tables].argmax()])}"
            )

    def _begin(self, tables: np.ndarray, share: Share | None = None) -> None:
        """Begin the next game at some tables: seat, opponents, dice; `share` may share them out."""
        k, p, *_ = self._rules
        self.episodes[tables] += 1
        n_seats = self.game.n_seats
        self.seats[tables] = (tables + self.episodes[tables]) % n_seats if self.seat is None else self.seat
        if self.assign is not None:
            ids = np.asarray(self.assign(tables, self.seats[tables].copy()))
            if ids.shape not in ((len(tables),), (len(tables), n_seats)) or ids.dtype.kind not in "iu":
                raise ProbespielError(
                    f"assign gave {ids.dtype} of shape {ids.shape} for {len(tables)} tables: integers of shape "
                    f"({len(tables)},) or ({len(tables)}, {n_seats})"
                )
            self.opponent_ids[tables] = ids[:, None] if ids.ndim == 1 else ids
        course = self._course()
        if share is None:
            begin(k, p, course, tables, span=Span(0, len(tables)))
        else:
            share(len(tables), lambda first, last, _: begin_unlocked(k, p, course, tables, span=Span(first, last)))
        self._checked(0)

    _stored = ("states", "seats", "opponent_ids", "episodes", "_dice", "_bits", "_paid", "_moves", "_returns", "_idle",
               "_seeds_for_opponents")  # fmt: skip

    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything that going on exactly needs, as arrays; to be taken between two steps."""
        if not self._ready.all() or self._choices is not None:
            raise ProbespielError("state_dict: only between two steps, after reset()")
        stored = {name.lstrip("_"): np.array(getattr(self, name)) for name in self._stored}
        return {**stored, "unplayed": np.array(self.unplayed), "ruleset": np.array(self.game.ruleset)}

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> np.ndarray:
        """Go on from `state_dict()`; observations float32[n, L]. ProbespielError if game or number of tables differ."""
        if str(state["ruleset"]) != self.game.ruleset:
            raise ProbespielError(f"stored for rules {state['ruleset']}, these are {self.game.ruleset}")
        for name in self._stored:
            target, source = getattr(self, name), state[name.lstrip("_")]
            if target.shape != source.shape or target.dtype != source.dtype:
                raise ProbespielError(
                    f"stored {name.lstrip('_')} is {source.dtype}{source.shape}, needed {target.dtype}{target.shape}"
                )
        for name in self._stored:
            getattr(self, name)[:] = state[name.lstrip("_")]
        self.unplayed = int(state["unplayed"])
        self._choices = None
        self._ready[:] = 1
        self._ended[:] = 0
        self._new_rows()
        k, p, words, _ = self._rules
        self._checked(
            present_learners(
                k, p, words, self.states, seats=self.seats, rows=written_out(self._observations, self.masks)
            )
        )
        return self._observations


__all__ = ["WORTH_SHARING", "Assign", "LearnerTables", "Opponents", "Share", "random_opponents", "written_out"]
