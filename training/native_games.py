"""Whole updates of games in compiled code: tables in chunks, each through all its decisions while it is at hand.

Where nobody but policies sits opposite and no adviser is asked, nothing has to be done in Python between two decisions:
the policy acts, the rules and the other seats go on, and a game that ends is followed by the next. What is played at a
table depends on its own dice alone, and so neither on the chunks nor on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..envs.core.abi import STOPPED
from ..envs.core.errors import ProbespielError
from ..envs.core.learner_tables import MAX_UNPLAYED
from ..envs.core.listed_play import lists, some
from ..envs.core.rows import list_values
from ..envs.core.vec_drivers import Following, Going, begin_next, learner_moves, play_through, present_all
from ..envs.core.vec_drivers import Span as Here
from .native_kernel import NO_ANSWERS, Span, act, lay_out, look_at, parted, show_list, value

if TYPE_CHECKING:
    from .native import NativeLearner

CHUNK = 128  # tables that stay in the cache together
AHEAD = 2  # decisions a game for which games are assigned beforehand: of shorter ones more are asked for on the way
# how far a chunk has come: steps, whether the learner has moved, room that is used, games without a decision of it
STEP, MOVED, USED, LEGAL, JUDGED, UNPLAYED = range(6)
DONE, FULL, UNASSIGNED, UNJUDGED, IDLE, OPEN = range(6)  # why `play_steps` returns


class Pages(NamedTuple):
    """Lists of all tables: what the learner is shown, `rows`, and the critic, `whole` (Rows).

    `own` and `seen` are those of the tables of one scenario, which begin at table `first`; `last` has room for one.
    """

    rows: Any
    whole: Any
    own: Any
    seen: Any
    last: Any
    first: int


class Kept(NamedTuple):
    """What comes of every decision: `rewards` float32[n, steps], `ends` int8[n, steps] (0: the game goes on).

    Of games that ended there, `who` int64[n, steps, seats] sat at the table and what the learner earned, `returns`
    float64[n, steps].
    """

    rewards: Any
    ends: Any
    who: Any
    returns: Any


class Pace(NamedTuple):
    """How far a chunk is, `progress` int64[6], and the `limits` int64[6] of its room; the `discount`, who `judges`.

    That is whether the critic judges every action, so that it cannot say what a game that was stopped is worth.
    """

    progress: Any
    limits: Any
    discount: float
    judges: int


@parted
def promised(nets, pages, terminal, i, work):
    """What the critic expects where a game was stopped: of `terminal` float32[n, L], row i, which is 0 afterwards."""
    list_values(terminal[i], pages.last, 0)
    show_list(pages.last, NO_ANSWERS, 0, work, j=0)
    look_at(nets, nets.critic_weights, nets.critic, work, many=1)
    return value(nets, work, 0)


@parted
def follow_up(nets, going, following, pages, kept, pace, span, work):
    """Play on until the learner is to move at every table of a span; see `play_steps` for what is returned."""
    rules, tables, learner, progress = going.rules, going.course, going.learner, pace.progress
    ids, first, t = going.replies.ids, pages.first, progress[STEP]
    while True:
        left = play_through(rules, tables, span, learner, questions=going.questions, replies=going.replies)
        if left != 0:
            return left if left < 0 else OPEN
        over, short = 0, False
        for i in range(span.begin, span.end):
            if not tables.ended[i]:
                continue
            over += 1
            if following.taken[i] == following.ids.shape[1]:
                short = True
                continue
            if tables.moves[i] > 0:
                following.idle[i] = 0
                kept.returns[first + i, t] = tables.returns[i]
                for seat in range(ids.shape[1]):
                    kept.who[first + i, t, seat] = ids[i, seat]
                if tables.ended[i] == STOPPED:
                    if pace.judges:
                        return UNJUDGED
                    ahead = promised(nets, pages, learner.terminal, i, work=work)
                    learner.rewards[i] += np.float32(pace.discount) * ahead
            else:
                following.idle[i] += 1
                progress[UNPLAYED] += 1
                if following.idle[i] > MAX_UNPLAYED:
                    return IDLE
            begin_next(rules.kernel, rules.params, tables, following, ids=ids, i=i)
        if short:
            return UNASSIGNED
        if over == 0:
            return DONE


@parted
def play_steps(nets, going, following, pages, decisions, judged, kept, pace, span, noise, actions, work):
    """Play the tables of a span through `span.steps` decisions of the learner, and keep them; goes on where it was.

    DONE, or why it stopped: FULL where `decisions` have no more room for it, UNASSIGNED where nobody is known for a
    next game, UNJUDGED where a game was stopped and the critic judges actions alone, IDLE where the learner has had
    nothing to decide for long; -1 - table where the rules leave a seat without an action.
    """
    progress, limits, steps, first = pace.progress, pace.limits, span.steps, pages.first
    rules, learner, here = going.rules, going.learner, Here(span.begin, span.end)
    at, to = (first + span.begin) * steps, (first + span.end) * steps
    while progress[STEP] < steps:
        t = progress[STEP]
        if progress[MOVED] == 0:
            used, legal, seen = progress[USED], progress[LEGAL], progress[JUDGED]
            for i in range(span.begin, span.end):
                used += pages.own.sizes[i, 1]
                legal += pages.own.sizes[i, 1] - pages.own.sizes[i, 0]
                if nets.apart:
                    seen += pages.seen.sizes[i, 1]
            if used > limits[USED] or legal > limits[LEGAL] or seen > limits[JUDGED]:
                return FULL
            lay_out(
                pages.own.sizes[span.begin : span.end], decisions.starts[at:to], decisions.legal[at:to], t, steps=steps,
                used=progress[USED], used_legal=progress[LEGAL],
            )  # fmt: skip
            if nets.apart:
                lay_out(
                    pages.seen.sizes[span.begin : span.end], judged.starts[at:to], judged.legal[at:to], t, steps=steps,
                    used=progress[JUDGED], used_legal=0,
                )  # fmt: skip
            act(
                nets, pages.rows, pages.whole, NO_ANSWERS, decisions, judged,
                span=Span(first + span.begin, first + span.end, t, steps), noise=noise, actions=actions, work=work,
            )  # fmt: skip
            learner_moves(rules.kernel, rules.params, going.course, span=here, actions=actions[first:])
            for i in range(span.begin, span.end):
                learner.rewards[i] = 0.0
                learner.done[i] = 0
            progress[USED], progress[LEGAL], progress[JUDGED], progress[MOVED] = used, legal, seen, 1
        why = follow_up(nets, going, following, pages, kept=kept, pace=pace, span=here, work=work)
        if why != DONE:
            return why
        for i in range(span.begin, span.end):
            kept.rewards[first + i, t] = learner.rewards[i]
            kept.ends[first + i, t] = learner.done[i]
        if nets.apart:
            present_all(rules.kernel, rules.params, going.course, pages.own, rows=pages.seen, span=here)
        progress[STEP], progress[MOVED] = t + 1, 0
    return DONE


class Chunk:
    """Some tables of a scenario, `begin` to `end`, and how far they have come in an update."""

    def __init__(self, play: int, first: int, begin: int, end: int) -> None:
        self.play, self.first, self.begin, self.end = play, first, begin, end
        self.progress, self.why = np.zeros(6, np.int64), DONE


class Throughout:
    """Plays all tables of a learner through an update. Every chunk has room of its own for its decisions."""

    def __init__(self, learner: NativeLearner) -> None:
        self.learner = learner
        tables = learner.tables
        self.chunks = [
            Chunk(i, part.start, begin, min(begin + CHUNK, part.stop - part.start))
            for i, part in enumerate(tables.tables.parts)
            for begin in range(0, part.stop - part.start, CHUNK)
        ]
        game = tables.tables.envs[0].game
        self.last = [lists(game, 1, tables.rows.usual) for _ in learner.works]
        self.seen = [
            [some(tables.whole, part) for _ in learner.works] if tables.whole is not None else None
            for part in tables.tables.parts
        ]
        self.room = np.zeros(3, np.int64)  # of a chunk: inputs, legal actions, inputs of the critic

    def play(self) -> Kept:
        """`config.steps` decisions at every table, into `learner.decided`; games that ended are counted."""
        learner, tables = self.learner, self.learner.tables
        n, steps = tables.tables.num_envs, learner.config.steps
        seats = tables.tables.envs[0].game.n_seats
        kept = Kept(
            np.zeros((n, steps), np.float32), np.zeros((n, steps), np.int8), np.zeros((n, steps, seats), np.int64),
            np.zeros((n, steps)),
        )  # fmt: skip
        going = [play.going() for play in tables.plays]
        following = [play.follow(max(1, steps // AHEAD)) for play in tables.plays]
        actions = np.zeros(n, np.int64)
        self.open_rooms()
        while left := [chunk for chunk in self.chunks if chunk.why != DONE]:
            learner.crew.do(
                [self.job(chunk, going[chunk.play], following[chunk.play], kept, actions) for chunk in left]
            )
            for chunk in left:
                self.help(chunk, following[chunk.play])
            if any(chunk.why == FULL for chunk in left):
                self.widen()
        for chunk in self.chunks:
            tables.plays[chunk.play].env.unplayed += int(chunk.progress[UNPLAYED])
        ended = kept.ends != 0
        learner.meter.count_all(kept.who[ended], kept.returns[ended])
        return kept

    def job(
        self, chunk: Chunk, going: list[Going], following: Following, kept: Kept, actions: np.ndarray
    ) -> Callable[[int], None]:
        """What plays a chunk on, as part i of the work."""
        learner, tables = self.learner, self.learner.tables
        span = Span(chunk.begin, chunk.end, 0, learner.config.steps)
        own = tables.plays[chunk.play].own
        limits = np.zeros(6, np.int64)
        limits[USED : JUDGED + 1] = self.room * (self.chunks.index(chunk) + 1)

        def work(part: int) -> None:
            seen = self.seen[chunk.play]
            pages = Pages(
                tables.rows, tables.whole or tables.rows, own, own if seen is None else seen[part], self.last[part],
                chunk.first,
            )  # fmt: skip
            pace = Pace(chunk.progress, limits, learner.config.discount, int(learner.judges))
            chunk.why = play_steps(
                learner.nets, going[part], following, pages, learner.decided, learner.judged, kept=kept, pace=pace,
                span=span, noise=learner.noise, actions=actions, work=learner.works[part].at,
            )  # fmt: skip

        return work

    def open_rooms(self) -> None:
        """Give every chunk an empty room for its decisions."""
        if not self.room.any():  # once, from what is shown now
            self.room = self.needed() * self.learner.config.steps * 5 // 4
            self.lay_out(self.room)
        for c, chunk in enumerate(self.chunks):
            chunk.progress[:], chunk.why = 0, FULL
            chunk.progress[USED : JUDGED + 1] = c * self.room

    def needed(self) -> np.ndarray:
        """The most that a chunk keeps in a step: inputs, legal actions, inputs of the critic; int64[3]."""
        tables = self.learner.tables
        shown, seen = tables.rows.sizes, tables.whole.sizes if tables.whole is not None else np.zeros((0, 2), np.int64)
        parts = [slice(chunk.first + chunk.begin, chunk.first + chunk.end) for chunk in self.chunks]
        needs = [(shown[p, 1].sum(), (shown[p, 1] - shown[p, 0]).sum(), seen[p, 1].sum()) for p in parts]
        return np.array(needs, np.int64).max(axis=0)

    def widen(self) -> None:
        """Give every chunk half as much room again, and move there what it has kept."""
        old, decided, judged = self.room, self.learner.decided, self.learner.decided_whole
        self.lay_out(np.maximum(old * 3 // 2, old + self.needed()))
        steps = self.learner.config.steps
        now, now_judged = self.learner.decided, self.learner.decided_whole
        for c, chunk in enumerate(self.chunks):
            used, shift = chunk.progress[USED : JUDGED + 1].copy(), c * (self.room - old)
            for kind, before, after in (
                (0, decided.index, now.index),
                (0, decided.values, now.values),
                (1, decided.then, now.then),
                (1, decided.worth, now.worth),
                (2, judged.index, now_judged.index),
                (2, judged.values, now_judged.values),
            ):
                begin, end = int(c * old[kind]), int(used[kind])
                after[begin + shift[kind] : end + shift[kind]] = before[begin:end]
            chunk.progress[USED : JUDGED + 1] += shift
            made = int(chunk.progress[STEP] + chunk.progress[MOVED])
            rows = slice((chunk.first + chunk.begin) * steps, (chunk.first + chunk.end) * steps)
            for starts, kind in ((now.starts, 0), (now.legal, 1), (now_judged.starts, 2)):
                starts[rows].reshape(-1, steps)[:, :made] += shift[kind]

    def lay_out(self, room: np.ndarray) -> None:
        """Make rooms of this size, int64[3]; what stands in them means nothing."""
        learner, self.room = self.learner, room
        inputs, legal, seen = (room * len(self.chunks)).tolist()
        learner.decided = learner.decided._replace(
            index=np.empty(inputs, np.int32), values=np.empty(inputs, np.float32), then=np.empty(legal, np.float32),
            goals=np.empty(legal, np.float32), worth=np.empty(legal if learner.judges else 0, np.float32),
        )  # fmt: skip
        learner.decided_whole = learner.decided_whole._replace(
            index=np.empty(seen, np.int32), values=np.empty(seen, np.float32)
        )

    def help(self, chunk: Chunk, following: Following) -> None:
        """Do what compiled code left to be done before a chunk can go on; raises what went wrong there."""
        learner, play = self.learner, self.learner.tables.plays[chunk.play]
        play.env._checked(min(chunk.why, 0))
        if chunk.why == UNJUDGED:
            raise unjudged(learner.config.game)
        if chunk.why == IDLE:
            play.env._check_idle(np.arange(chunk.begin, chunk.end))
        if chunk.why == OPEN:
            raise AssertionError("a question is open, though policies answer all")
        if chunk.why == UNASSIGNED:
            here = np.arange(chunk.begin, chunk.end)
            play.assign(following, here[following.taken[here] == following.ids.shape[1]])


def unjudged(game: str) -> ProbespielError:
    """The error that a game was stopped, of which a critic of actions cannot say what it is worth."""
    return ProbespielError(
        f"critic = 'actions', but games of {game} are stopped before they end, and then no action is left to be "
        "judged: take critic = 'all' or 'own'"
    )


__all__ = ["Throughout", "unjudged"]
