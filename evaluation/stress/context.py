"""What every step of a stress test works with: the bench, the budget, its seeds, and jobs for the workers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...envs.core.errors import ProbespielError
from ...envs.core.jit import digest
from ...envs.core.rng import derive_seed
from .away import Away
from .budget import Budget, fitted
from .conditions import EVERYBODY, NOBODY, Bench, Condition
from .lab import Facts
from .progress import Watcher
from .store import Store
from .strategies import Pair, Strategy
from .workers import Failed, Job, Workers

MANY_ANSWERS = 6  # from more on a question has too many answers for each of them to be a strategy

# steps with the share of the time that each takes, as far as that can be told beforehand, and what they do
STEPS = {
    "build": (30, "compiling the rules"),
    "break": (6, "looking for what breaks"),
    "prelude": (2, "comparing the baselines"),
    "learn": (22, "learning to play with and without it"),
    "choose": (12, "choosing strategies"),
    "measure": (12, "measuring its worth"),
    "bounds": (8, "asking for best answers"),
    "use": (6, "watching its use"),
    "dominance": (10, "looking for dominant strategies"),
    "dynamics": (16, "measuring luck and depth"),
    "levels": (4, "asking who it is for"),
    "effect": (6, "telling what it does to the game"),
    "exploit": (8, "looking for the exploit"),
    "sample": (2, "looking for a game that it decides"),
}


class LabFailure(ProbespielError):
    """The lab itself has failed: nothing is known of the module by that."""

    def __init__(self, context: Context, step: str, text: str) -> None:
        super().__init__(
            f"the stress lab failed while {STEPS[step][1]}: {text.strip()}\n"
            "This is an error of the lab and says nothing about the module. Please report it with this text and "
            f"{context.folder / context.store.kind.file}; --resume tries again from here."
        )


class NotShown(ProbespielError):
    """The rules under test have failed in a game that cannot be shown: without a replay there is no verdict."""

    def __init__(self, step: str, text: str, games: int) -> None:
        super().__init__(
            f"the rules failed while {STEPS[step][1]}: {text.strip()}\n"
            "That happened in games of strong play, or when games were solved; in "
            f"{games:,} games of wilful random play it did not show, so that there is neither a replay nor a verdict. "
            "Mend the rule where the text points, and test again."
        )


class Unanswered(Exception):
    """A job has no answer, perhaps because of the rules under test."""

    def __init__(self, step: str, job: Job, failed: Failed) -> None:
        super().__init__(failed.text)
        self.step, self.job, self.failed = step, job, failed


@dataclass(frozen=True)
class Context:
    """A stress test under way, as its steps see it.

    `marked` are the module's actions, `compiled` whether the rules are; `facts`, `offered` (whether an action of the
    module was ever legal), `scale` (deviation of results) and `observation` (its length) are known once breakage was
    looked for. `tag` keeps networks apart that were learned with other sizes. `asks`: how often a step asks, once it
    is known what the test will take. `shares`: of every budget what can be afforded of it (see `affording`).
    """

    bench: Bench
    budget: Budget
    store: Store
    workers: Workers | Away
    watcher: Watcher
    marked: frozenset[int]
    compiled: bool = True
    facts: Facts = field(default_factory=Facts)
    offered: bool = False
    scale: float = 1.0
    observation: int = 0
    tag: str = ""
    asks: Mapping[str, int] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """Where everything is kept."""
        return self.store.folder

    @property
    def sides(self) -> list[int]:
        """Indexes of the sides that are compared."""
        return self.bench.compared

    @property
    def answered(self) -> list[int]:
        """Those that others can learn to beat: with more than two sides nobody else plays as one."""
        return self.sides if len(self.bench.sides) <= 2 else self.sides[:1]

    @property
    def used(self) -> bool:
        """Whether the module has actions, and they were ever legal."""
        return bool(self.marked) and self.offered

    @property
    def declinable(self) -> bool:
        """Whether who has the module can use its actions or leave them alone."""
        return self.used and not self.facts.forced

    @property
    def answers(self) -> list[tuple[int, str]]:
        """The module's actions with their texts, where it must be answered by one of a few; else none.

        Where each answer is beaten by another one the equilibrium mixes all of them: such a mixture cannot be made of
        what a few learners found, which lean to one answer each.
        """
        if not self.used or self.declinable or not 1 < len(self.marked) <= MANY_ANSWERS:
            return []
        describe = self.bench.spec(self.bench.everybody()).actions.describe
        return [(action, describe(action)) for action in sorted(self.marked)]

    @property
    def ends(self) -> tuple[int, int]:
        """The largest handicaps, fewer and more, at which worth is measured."""
        return min(self.budget.differences), max(self.budget.differences)

    def sized(self, facts: Facts, offered: bool, scale: float, observation: int) -> tuple[Context, float]:
        """The context for a game of known length and size of observation, and the factor of its budget."""
        budget, factor = fitted(self.budget, facts.length, observation, self.compiled, self.bench.work)
        marked = self.marked - frozenset(facts.declining)
        found = replace(
            self, budget=budget, facts=facts, offered=offered, scale=scale, observation=observation, marked=marked
        )
        return found, factor

    def seed(self, *parts: object) -> int:
        """A seed for one use."""
        return derive_seed(self.bench.settings.seed, "stress", *parts)

    def file_of(self, net: str, condition: Condition) -> str:
        """The file of a network that is learned in a condition: other parameters and other sizes have other files."""
        more = [self.tag, condition.params] if condition.params else [self.tag]
        return f"{digest([json.dumps(more)])[:16]}-{net}" if any(more) else net

    def begin(self, step: str) -> None:
        """Tell that a step begins."""
        self.watcher.begin(step)

    def ask(self, step: str, jobs: Sequence[Job]) -> list[Any]:
        """Answers of jobs in their order, `Failed` where the rules may be to blame that there is none.

        Finished jobs are not done again. Raises LabFailure where the lab is to blame.
        """
        answers: list[Any] = [None] * len(jobs)
        paths = [self.store.path_of(job, self.facts) for job in jobs]
        todo: list[int] = []
        share = 1.0 / max(len(jobs), 1) / self.asks.get(step, 1)
        for i, path in enumerate(paths):
            if path in paths[:i]:  # the same work again
                continue
            answers[i] = self.store.get(path)
            if answers[i] is None:
                todo.append(i)
            else:
                self.watcher.advance(step, share, played=False)
        self.workers.facts = self.facts
        for at, answer in self.workers.run([jobs[i] for i in todo], self.watcher.tick):
            i = todo[at]
            answers[i] = answer
            if not isinstance(answer, Failed):
                self.store.put(paths[i], answer)
                answers[i] = self.store.get(paths[i])
            elif answer.kind == "failed":
                raise LabFailure(self, step, f"{jobs[i].kind}: {answer.text}")
            self.watcher.advance(step, share)
        return [answers[paths.index(path)] for path in paths]

    def need(self, step: str, jobs: Sequence[Job]) -> list[Any]:
        """The same, where every job must have an answer; raises Unanswered if one has none."""
        answers = self.ask(step, jobs)
        for job, answer in zip(jobs, answers):
            if isinstance(answer, Failed):
                raise Unanswered(step, job, answer)
        return answers

    def variants(self, condition: Condition, amounts: Sequence[int], mirrored: bool = False) -> list[Condition]:
        """The condition with handicaps for the sides, as far as the scenario allows them, and mirrored."""
        out = [condition]
        if self.bench.can_handicap:
            for side in self.sides:
                made = [condition.handicapped(side, n) for n in amounts if n]
                out += [c for c in made if self.bench.possible(c)]
        if mirrored and self.bench.can_mirror:
            out.append(replace(condition, mirrored=True))
        return out

    def cells(
        self, step: str, wanted: Sequence[tuple[Condition, Sequence[Pair]]], deals: int, use: str, hero: int = 0
    ) -> list[np.ndarray]:
        """Margins of side `hero`, float64[deals], on the same fresh deals for several conditions with who plays there.

        The first of a pair plays on that side, the second on all others.
        """
        seed = self.seed(use)
        jobs = [
            Job(
                "measure",
                {"condition": c, "mixtures": list(mixtures), "deals": (0, deals), "seed": seed, "hero": hero},
                float(deals),
            )
            for c, mixtures in wanted
        ]
        return [np.asarray(answer["margins"], dtype=np.float64) for answer in self.need(step, jobs)]

    def matrices(
        self, step: str, games: Sequence[tuple[Sequence[Condition], Sequence[Strategy], Sequence[Strategy]]],
        deals: int, use: str,
    ) -> list[np.ndarray]:  # fmt: skip
        """Blocks of margins float64[blocks, rows, columns] on fresh deals for conditions, rows and columns."""
        half = max(1, deals // 2)
        parts = [part for part in ((0, half), (half, deals)) if part[1] > part[0]]
        jobs = [
            Job("matrix", {"conditions": list(conditions), "rows": list(rows), "columns": list(columns), "deals": part,
                           "blocks": 10, "seed": self.seed(use)})
            for conditions, rows, columns in games
            for part in parts
        ]  # fmt: skip
        blocks = [np.asarray(answer) for answer in self.need(step, jobs)]
        return [np.concatenate(blocks[i : i + len(parts)]) for i in range(0, len(blocks), len(parts))]


def slug(text: str) -> str:
    """A text as part of a file's name."""
    return "".join(c if c.isalnum() else "_" for c in text)[:60]


__all__ = ["EVERYBODY", "NOBODY", "STEPS", "Context", "LabFailure", "NotShown", "Unanswered", "slug"]
