"""What the stress lab's strategies learn: when to use the module, the whole game, and how to beat given opponents.

Every course of learning is a rollout policy iteration (see `rollouts`) over the handicaps of one condition, so that a
network knows every handicap at which worth is measured later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ...envs.core.rng import derive_seed
from .conditions import Condition
from .context import Context, slug
from .findings import Course
from .guided import ActionValues, Guided
from .lab import NETS, Lab
from .rollouts import Table, teach
from .strategies import ANSWERS_IT, USES_IT, Prelude, Strategy
from .workers import Job

TEMPERATURE = 0.02  # of strategies that learned the whole game, in standard deviations of a game's result
EXPLORE = 0.1
USE, FREE, COUNTER = "use", "free", "counter"
SHARES = {USE: 1.0, FREE: 0.4, COUNTER: 0.5}  # chances that a decision is branched
AGAIN = 40_000  # decisions that a course about the module alone learns from again: what pays may be rare
MARKED = 10.0  # decisions of a game about the module, at most, as far as that can be told beforehand
OTHERS = 4  # baselines besides the strongest against which the whole game is learned


@dataclass(frozen=True)
class Learners:
    """Strategies that were learned, each with the condition in which it was, and what the courses did."""

    made: tuple[tuple[str, Strategy], ...]
    courses: tuple[Course, ...]


def learn(context: Context, prelude: Prelude) -> Learners:
    """Learners of every condition, from several seeds: of when to use the module, and of the whole game."""
    context.begin("learn")
    b, anchor = context.budget, prelude.anchor
    jobs: list[Job] = []
    made: list[tuple[str, Strategy]] = []
    all_of_them = [(anchor, 0.4), *((s, 0.15) for s in prelude.others[:OTHERS])]
    for name, condition in context.bench.holder_conditions().items():
        variants = context.variants(condition, context.ends, mirrored=True)
        for s in range(b.seeds):
            if condition.holders and context.used:
                net, role = f"use-{slug(name)}-{s}.npz", f"use {s}"
                sides = [h for h in condition.holders if h in context.sides]
                opponents = [(anchor, 0.5)]
                jobs.append(course(context, prelude, USE, net, role, variants, opponents, sides, 0.5, b.learn_use))
                way = USES_IT if context.declinable else ANSWERS_IT
                label = f"{way} where {name} has it ({s + 1})"
                made.append((name, learner_of(USE, label, jobs[-1].args["net"], anchor.base, role)))
            net, role = f"free-{slug(name)}-{s}.npz", f"free {s}"
            sides = context.sides
            jobs.append(course(context, prelude, FREE, net, role, variants, all_of_them, sides, 1.0, b.learn_free))
            label = f"learned where {name} has it ({s + 1})"
            made.append((name, learner_of(FREE, label, jobs[-1].args["net"], anchor.base, role)))
    learned = context.need("learn", jobs)
    courses = [
        Course(name, s.name, a["branched"], a["games"], a["error"]) for (name, s), a in zip(made, learned)
    ]  # fmt: skip
    return Learners(tuple(made), tuple(courses))


def course(
    context: Context, prelude: Prelude, kind: str, net: str, role: str, conditions: Sequence[Condition],
    opponents: Sequence[tuple[Strategy, float]], sides: Sequence[int], together: float, games: int,
) -> Job:  # fmt: skip
    """The job of one course of learning, see `train`; its seed goes by its `role`, which all conditions have alike.

    So a rule that changes nothing leads to the same learner as no rule, and what two learners differ by is the rule's.
    Where games are long and decisions have many actions, fewer decisions of as many games are branched.
    """
    asked = prelude
    if kind == USE:  # the module's actions are tried, and one of all others
        legal = min(prelude.legal, len(context.marked) + 1)
        asked = replace(prelude, choices=min(prelude.choices, MARKED), legal=legal)
    share = share_of(context.budget.learn_work, games, SHARES[kind], asked, context.observation)
    args = {
        "kind": kind, "net": context.file_of(net, conditions[0]), "conditions": list(conditions),
        "anchor": prelude.anchor.base, "opponents": list(opponents), "sides": list(sides), "together": together,
        "games": games, "share": share, "work": decisions_in(context.budget.learn_work, context.observation),
        "scale": context.scale, "seed": context.seed("learn", kind, role),
    }  # fmt: skip
    return Job("train", args)


def share_of(work: float, games: int, share: float, prelude: Prelude, observation: int) -> float:
    """The chance that a decision is branched, at most `share`, so that all continuations are no more than `work`.

    Work is counted in decisions of a game with a short observation.
    """
    one = prelude.legal * max(prelude.length, 1.0) / 2  # decisions by which one is branched
    return min(share, decisions_in(work, observation) / (one * max(games * prelude.choices, 1.0)))


def decisions_in(work: float, observation: int) -> float:
    """Decisions of a game with an observation of so many numbers that take the time of `work` with a short one."""
    return work / (1.0 + observation / 600.0)


def learner_of(kind: str, name: str, net: str, anchor: str, role: str) -> Strategy:
    """The strategy that a course of learning leads to, which throws as all of its role do."""
    if kind == USE:
        return Strategy(name, base=anchor, net=net, scope="whether", stream=role)
    temperature = TEMPERATURE if kind == FREE else 0.0
    return Strategy(name, base=anchor, net=net, scope="everywhere", temperature=temperature, stream=role)


# What workers do


def seats_for(lab: Lab, condition: Condition, side: int, mine: int, other: int) -> tuple[int, ...]:
    """Who sits where when player `mine` has a side and `other` all other seats."""
    own = set(lab.bench.side_seats(condition, side))
    n = len(lab.bench.side_seats(condition, 0)) + sum(
        len(lab.bench.side_seats(condition, s)) for s in range(1, len(lab.bench.sides))
    )
    return tuple(mine if seat in own else other for seat in range(n))


def tables_of(
    lab: Lab, conditions: Sequence[Condition], sides: Sequence[int], opponents: Sequence[float], together: float
) -> list[Table]:
    """Tables at which player 0 learns on every side of `sides` against players 1.. with the given shares.

    With the share `together` it sits on all sides at once and learns on all of them.
    """
    out: list[Table] = []
    for condition in conditions:
        game = lab.game(condition)
        everybody = tuple(True for _ in range(game.n_seats))
        if together > 0:
            out.append(Table(game, together, tuple(0 for _ in everybody), everybody))
        for side in sides:
            for index, share in enumerate(opponents):
                if share > 0:
                    seats = seats_for(lab, condition, side, 0, index + 1)
                    out.append(Table(game, share / len(sides), seats, tuple(s == 0 for s in seats)))
    return _even(out)


def _even(tables: list[Table]) -> list[Table]:
    """Larger shares as repeated tables, in quarters of the largest: tables of one game are drawn evenly."""
    most = max(t.share for t in tables)
    return [t for t in tables for _ in range(max(1, round(4 * t.share / most)))]


def train(
    lab: Lab,
    kind: str,
    net: str,
    conditions: Sequence[Condition],
    anchor: str,
    opponents: Sequence[tuple[Strategy, float]],
    sides: Sequence[int],
    together: float,
    games: int,
    share: float,
    work: float,
    scale: float,
    seed: int,
) -> dict[str, Any]:
    """One course of learning; writes the network to the file `net` and tells what was done."""
    bench = lab.bench
    first = lab.game(conditions[0])
    values = ActionValues(first, derive_seed(seed, "weights") % (1 << 31))
    plan = learner_of(kind, "learner", net, anchor, "learner")
    me = Guided(
        "learner", anchor, lab.marks, "as_is", values, plan.scope,
        temperature=0.0 if kind == USE else TEMPERATURE, explore=EXPLORE,
    )  # fmt: skip
    others = [bench.player(strategy, lab.marks) for strategy, _ in opponents]
    for other in others:
        assert isinstance(other, Guided)
    players = [me, *[o for o in others if isinstance(o, Guided)]]
    leaver = -1
    if kind == USE:  # what is done without the module is the anchor's, so that this alone has to be measured
        leaver = len(players)
        players.append(Guided("leaver", anchor, lab.marks, "never"))
        players[leaver].stream = me.name
    tables = tables_of(lab, conditions, sides, [share for _, share in opponents], together)
    learned = teach(
        values, players, tables, games, derive_seed(seed, "teach"), scale, lab.marks, only_marked=kind == USE,
        share=share, leaver=leaver, work=work, again=AGAIN if kind == USE else 0,
    )  # fmt: skip
    path = lab.folder / NETS / net
    path.parent.mkdir(parents=True, exist_ok=True)
    values.save(path)
    return {"net": net, **asdict(learned)}


__all__ = ["COUNTER", "FREE", "USE", "Learners", "course", "learn", "learner_of", "share_of", "train"]
