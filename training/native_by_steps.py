"""Updates of the native learner one decision after the other, from Python: where agents or advisers must be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..envs.core.listed_play import Decide
from ..envs.core.rows import Rows
from .native_games import unjudged
from .native_kernel import Span, act, lay_out

if TYPE_CHECKING:
    from .native import NativeLearner


class StepByStep:
    """Plays the tables of a learner through an update; the decisions of a step are kept together."""

    def __init__(self, learner: NativeLearner) -> None:
        self.learner = learner

    def play(self) -> tuple[np.ndarray, np.ndarray]:
        """One decision at all tables after the other: rewards float32[n, steps], int8[n, steps] how games ended."""
        learner, tables = self.learner, self.learner.tables
        config = learner.config
        n, steps = len(learner.noise), config.steps
        actions, rewards = np.empty(n, np.int64), np.zeros((n, steps), np.float32)
        ends, end = np.zeros((n, steps), np.int8), np.zeros(n, np.int8)
        reward = np.zeros(n)
        used = legal = judged = 0
        for t in range(steps):
            used, legal = self.make_room(t, used, legal)
            if tables.whole is not None:
                judged = self.make_room_apart(t, judged, tables.whole)
            for ended in tables.play(actions, reward, end, self.decider(t, actions)):
                learner.meter.count_all(ended.opponents, ended.returns)
            for where, rows in tables.stopped(end):  # a game that was stopped is worth what it promised
                if learner.judges:
                    raise unjudged(config.game)
                reward[where] += config.discount * learner.values(rows)
            rewards[:, t], ends[:, t] = reward, end
        return rewards, ends

    def decider(self, t: int, actions: np.ndarray) -> Decide:
        """What draws the learner's `actions`, int64[n], at some tables, and keeps them as its decisions of step t."""
        learner, tables, steps = self.learner, self.learner.tables, self.learner.config.steps
        nets, noise, decided, judged = learner.nets, learner.noise, learner.decided, learner.judged
        rows, whole = tables.rows, tables.whole or tables.rows

        def decide(begin: int, end: int, part: int) -> None:
            act(
                nets, rows, whole, tables.advice, decided, judged, span=Span(begin, end, t, steps), noise=noise,
                actions=actions, work=learner.works[part].at,
            )  # fmt: skip

        return decide

    def make_room(self, t: int, used: int, legal: int) -> tuple[int, int]:
        """Say where the decisions of step t are kept, behind `used` inputs and `legal` actions; both counts then."""
        learner, d = self.learner, self.learner.decided
        need, need_legal = lay_out(
            learner.tables.rows.sizes,
            d.starts,
            d.legal,
            step=t,
            steps=learner.config.steps,
            used=used,
            used_legal=legal,
        )
        learner.decided = d._replace(
            index=grown(d.index, need), values=grown(d.values, need), then=grown(d.then, need_legal),
            goals=grown(d.goals, need_legal), worth=grown(d.worth, need_legal if learner.judges else 0),
        )  # fmt: skip
        return need, need_legal

    def make_room_apart(self, t: int, used: int, whole: Rows) -> int:
        """Say where what the critic is shown is kept at step t, behind `used` inputs; their number then."""
        learner, d = self.learner, self.learner.decided_whole
        need, _ = lay_out(whole.sizes, d.starts, d.legal, step=t, steps=learner.config.steps, used=used, used_legal=0)
        learner.decided_whole = d._replace(index=grown(d.index, need), values=grown(d.values, need))
        return need


def grown(array: np.ndarray, size: int) -> np.ndarray:
    """The array with room for `size` numbers at least."""
    return array if size <= len(array) else np.concatenate([array, np.empty(size, array.dtype)])


__all__ = ["StepByStep"]
