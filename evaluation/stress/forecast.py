"""How long a stress test will take: what it will play, counted beforehand, times the pace of this game on this machine.

What is played follows from the budget, the pools of strategies and what games of the strongest baseline are like. The
pace is measured by workers that all play a little at the same time, as they will later. No result of the test depends
on it: it is asked for anew whenever a test begins or goes on, and never kept. It is taken in processor time, which is
steady, and stretched by what the clock showed in all while it was taken: beside other work everything takes longer.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from typing import Any

import numpy as np

from ..tournament import metagame as mg
from .answers import ANSWERED, FINALISTS
from .budget import BUDGETS, Budget, fitted
from .choosing import pool_of
from .conditions import EVERYBODY, NOBODY, Condition
from .context import Context
from .dynamics import ladder_of, ladder_plan, rung
from .exact import POSITIONS, time_to_solve
from .exploit import CANDIDATES, looked_at
from .game_levels import BLOCKS, deals_of, games_of_level, level_named, sims_of
from .lab import NETS, Lab
from .learning import AGAIN, COUNTER, FREE, MARKED, OTHERS, USE, Learners, course, decisions_in, train
from .levels import EXPERTS, LEVELS
from .play import play
from .progress import duration
from .rollouts import TURNS
from .sample import COMPARED
from .stakes import plan, stakes
from .strategies import Mixture, Prelude, Strategy
from .workers import Failed, Job

# amounts by what is done: games of all pairs, by baselines and by those who learned, games of mixtures (the strongest
# and those who learned), decisions branched in self-play and against others that stay as they are, courses of learning,
# decisions learned from again, simulations, decisions tried, programs, positions of games that are solved; for each
# level of play that is asked, by its name, games and matches that begin
GAMES, LEARNED, MIXED, BRANCHES, ANSWERS, COURSES = "games", "learned", "mixed", "branches", "answers", "courses"
AGAINS, SEARCHES, STAKES, PROGRAMS, SOLVED = "again", "searches", "stakes", "programs", "solved"
LEVEL, MATCHES = "level ", "matches of level "
Work = Counter[str]
# strategies for each learner's seed, and more, that a holder joins with what a course has learned of use, about; and
# those of them that both sides play in the end
JOINED, KEPT = (6, 3), (3, 2)
LENGTHS = 40  # games by which is told how much longer they are with the module
USED = 20  # games of a course about the module by which the pace is taken
# of what mixtures play that part has learned, about; baselines, which are the rest, decide faster than networks
OF_LEARNERS = 1 / 3
TRIED = 4  # strategies of other conditions that a side tries in the end, about (`choosing.shared`)
OF_TRIED = 1 / 4  # of these and of those that are joined have learned the whole game, about
LEAST = 0.6  # seconds of two steps: jobs are given out, answers kept
SECONDS = 120.0  # for the pace; rules that take longer are not waited for
PACE_NET = "pace.npz"


@dataclass(frozen=True)
class Pace:
    """Seconds that one of each kind of work takes one worker while all work.

    `decisions`: those of a game that a course of learning can branch, by its kind; `depths`: decisions of all
    continuations of one that is branched. `positions`: those of a game that can be solved, at most; 0 where it cannot,
    infinite where it has more than were tried. `slower`: how many times longer by the clock than by the processor all
    took, which `seconds` hold. All that is for games in which everybody has the module; where nobody has it they have
    `plain` times as many decisions.
    """

    seconds: Mapping[str, float]
    decisions: Mapping[str, float] = field(default_factory=dict)
    depths: Mapping[str, float] = field(default_factory=dict)
    positions: float = 0.0
    slower: float = 1.0
    plain: float = 1.0

    def of(self, work: Mapping[str, float]) -> float:
        """Seconds of some work."""
        return sum(amount * self.seconds.get(kind, 0.0) for kind, amount in work.items())

    def where(self, held: float, work: Mapping[str, float]) -> Work:
        """Some work in games in which this share of the sides has the module, in units of those in which all have it.

        Games are as long as they have decisions; of a branched decision or a search there are as many, each as long.
        """
        part = self.plain + (1.0 - self.plain) * held
        power = {GAMES: 1, LEARNED: 1, MIXED: 1, BRANCHES: 2, ANSWERS: 2, STAKES: 2, SEARCHES: 2}
        return Work({kind: amount * part ** power.get(kind, 0) for kind, amount in work.items()})


@dataclass(frozen=True)
class Forecast:
    """Expected seconds of every step that is still to come, by the budget of the test, and in all by every budget.

    `asks`: how often each step asks its workers; `slower`: how many times longer by the clock than by the processor
    all took while the pace was taken, which all seconds hold.
    """

    steps: Mapping[str, float]
    budgets: Mapping[str, float]
    asks: Mapping[str, int]
    slower: float = 1.0

    def told(self, budget: str, workers: int) -> str:
        """In words, for the `budget` that was chosen."""
        others = ", ".join(f"{name} {duration(s)}" for name, s in self.budgets.items() if name != budget)
        processes = f"{workers} process" + ("es" if workers > 1 else "")
        return f"This takes about {duration(self.budgets[budget])} with {processes} (--budget {others})."


def forecast(context: Context, prelude: Prelude, joins: bool = True) -> Forecast | None:
    """What is still to come will take; None if the pace could not be measured: rules may fail, which later steps tell.

    `context` is sized, `prelude` known; `joins` as in `choosing.choose`.
    """
    pace = ask_pace(context, prelude)
    if pace is None:
        return None
    found = {name: steps_of(_with(context, name), prelude, pace, joins) for name in BUDGETS}
    mine = context.bench.settings.budget
    return Forecast(
        found[mine], {name: sum(steps.values()) for name, steps in found.items()}, asks_of(context), pace.slower
    )


def with_budget(context: Context, budget: str, share: float) -> Context:
    """The context with so much of a budget."""
    length, work = context.facts.length, context.bench.work
    made, _ = fitted(BUDGETS[budget], length, context.observation, context.compiled, work, share)
    return replace(context, budget=made)


def _with(context: Context, budget: str) -> Context:
    if budget == context.bench.settings.budget:
        return context
    return with_budget(context, budget, context.shares.get(budget, 1.0))


def steps_of(context: Context, prelude: Prelude, pace: Pace, joins: bool = True) -> dict[str, float]:
    """Expected seconds of every step after the baselines."""
    out, workers = {}, context.workers.count
    for step, work in work_of(context, prelude, pace, joins).items():
        alone = {kind: work.pop(kind, 0) for kind in (PROGRAMS, SOLVED)}  # by this process, or by one worker
        jobs = work.pop("jobs", workers)
        out[step] = LEAST / 2 + pace.of(work) / min(workers, max(jobs, 1)) + pace.of(alone)
    return out


def _paid(context: Context) -> int:
    """Games by which is told what sides are paid, where that is not told by a lead (see `paid`)."""
    bench = context.bench
    asked = 1 if bench.for_all else 1 + len(context.sides)
    return 0 if bench.zero_sum or len(bench.sides) < 2 else asked * 2 * (context.budget.measure // 4)


def asks_of(context: Context) -> dict[str, int]:
    """How often every step asks its workers, where it is more than once."""
    sides = len(context.sides)
    measure = (2 + 13 * sides if context.bench.several else 2) + (_paid(context) > 0)
    return {
        "choose": 2 * context.budget.rounds + 1, "measure": measure, "bounds": 14, "use": 2 + sides, "dominance": 3,
        "levels": 8 + 3 * sides, "effect": 2, "exploit": 8 * max(1, len(context.answered)),
    }  # fmt: skip


def work_of(context: Context, prelude: Prelude, pace: Pace, joins: bool = True) -> dict[str, Work]:
    """What every step after the baselines does, by kind; `jobs` are those that can run side by side."""
    b, bench = context.budget, context.bench
    names = list(bench.holder_conditions())
    pools = {name: _pools(context, prelude, name) for name in names}
    two = len(bench.sides) == 2 and not bench.for_all
    handicaps = sorted({0, *b.curve, *b.differences}) if bench.can_handicap else [0]
    cells = sum(bench.possible(Condition().handicapped(side, n)) for side in context.sides for n in handicaps)
    alone = len(context.sides) * (len(b.differences) if bench.can_handicap else 1)
    conditions = cells + alone + 1 + 2 * bench.can_mirror
    measured = conditions * b.measure
    most = POSITIONS[b.name]  # of a condition; the first one with more ends the trial
    exact = 0 < pace.positions <= most
    games = conditions + 1 - len(context.sides) * (1 - 2 * bool(context.used))  # nobody's once; two of held uses each
    solved = games * pace.positions if exact else most if pace.positions else 0
    conditions_of = bench.holder_conditions()
    held = {name: len(conditions_of[name].holders) / len(bench.sides) for name in names}
    both = [held[NOBODY], held[EVERYBODY]]  # what is compared in both games
    lone = [held[bench.alone(side)] for side in context.sides]

    def mean(work: Work, *shares: float) -> Work:
        out = Work()
        for share in shares:
            out.update(Work({kind: amount / len(shares) for kind, amount in pace.where(share, work).items()}))
        return out

    free, use, counter = (_learned(context, prelude, pace, kind) for kind in (FREE, USE, COUNTER))
    learn = Work(jobs=len(names) * b.seeds)
    choose = Work(jobs=len(names) * max(len(context.answered), 1))
    for name in names:
        for _ in range(b.seeds):
            learn.update(pace.where(held[name], free))
            if context.used and name != NOBODY:
                learn.update(pace.where(held[name], use))
    for number in range(b.rounds):
        for name in names:
            sizes = [size + number for size in pools[name]]
            choose.update(pace.where(held[name], _pairs(sizes, [b.seeds + number] * 2, max(b.choose // 2, 20))))
            for _ in context.answered:
                choose.update(pace.where(held[name], counter))
    last = {name: [size + b.rounds for size in pools[name]] for name in names}
    tried = {name: TRIED * (two and name != EVERYBODY) for name in names}
    known = b.seeds + b.rounds  # of those that learned the whole game
    for name, sizes in last.items():
        both_ways = [size + tried[name] for size in sizes], [known + tried[name] * OF_TRIED] * 2
        choose.update(pace.where(held[name], _pairs(*both_ways, b.choose)))
    more = (JOINED[0] * b.seeds + JOINED[1]) * (joins and context.used)
    for name, (r, c) in last.items():
        first, rest = (more * (side in conditions_of[name].holders) for side in (context.sides[0], context.sides[-1]))
        joined = (first * (c + tried[name] + rest) + (r + tried[name]) * rest) * b.choose
        choose.update(pace.where(held[name], {GAMES: joined * (1 - OF_TRIED), LEARNED: joined * OF_TRIED}))
    choose.update({PROGRAMS: 0.02 * len(names) * (b.rounds + b.seeds + 1)})

    candidates = max(map(max, last.values())) + b.seeds
    best = Counter({MIXED: b.choose * (candidates + ANSWERED * min(candidates, FINALISTS))})
    bounds = Work(jobs=6)
    for share in [held[NOBODY], *lone] if two else []:
        for _ in range(2):
            bounds.update(pace.where(share, counter + best + Work({MIXED: b.measure})))
    uses = 0.25 * context.used  # the first of the games in which a use decides is taken
    shown, sample = (
        Work({BRANCHES: part * games * replicates * prelude.choices / 2})
        for part, (games, replicates) in ((0.5, looked_at(prelude, CANDIDATES)), (uses, looked_at(prelude, COMPARED)))
    )
    # an answer with it and one without, out of all strategies of both, and what can be done with it by the latter
    shared = max(map(max, last.values())) + max(last[NOBODY]) + 2 * b.seeds
    ways = (2 + b.seeds if context.used else 1) * ANSWERED
    sought = Counter({MIXED: b.choose * (2 * (shared + ANSWERED * FINALISTS) + ways) + 4 * b.measure})
    alike = Work()  # in each of two conditions, of every side, to what the others play in either
    for _ in range(2 * len(context.sides) if bench.several else 0):
        alike.update(mean(counter + counter + sought, held[NOBODY], *lone))
    exploit = Work(jobs=2 * b.seeds)
    for _ in context.answered if len(bench.sides) > 1 else ():
        exploit.update(mean(sought + shown + Work({MIXED: b.show}), held[NOBODY], *lone))
        for _ in range(2 * b.seeds):
            exploit.update(mean(counter, held[NOBODY], *lone))

    kept = (KEPT[0] * b.seeds + KEPT[1]) * (joins and context.used)
    joint = [last[name][0] + kept * (name != NOBODY) for name in (NOBODY, EVERYBODY)]
    ladder, rungs = ladder_plan(b, prelude)
    simulations = rungs * prelude.choices * sum(w + s for w, s in pairwise(ladder)) / 2
    used = b.rates + 6 * b.samples + len(context.sides) * 5 * b.measure // 2
    looked, share = plan(b.stakes, prelude.length, prelude.choices, prelude.legal, context.observation)
    work = {
        "learn": learn,
        "choose": choose,
        "measure": mean(Work({MIXED: measured + _paid(context)}), held[NOBODY], *lone)
        + Work({SOLVED: solved, "jobs": cells}) + alike,
        "bounds": bounds,
        "use": mean(Work({MIXED: used if context.marked else 0}), *lone, held[EVERYBODY]),
        "dominance": pace.where(held[NOBODY], _pairs([joint[0]] * 2, [known] * 2, b.matrix))
        + _pairs([joint[1]] * 2, [known + kept * OF_TRIED] * 2, 2 * b.matrix)
        + Work({PROGRAMS: 8 + 5 * (max(joint) / 18) ** 2} if len(bench.sides) > 1 else {}),
        "dynamics": mean(Work({MIXED: 4 * b.course * b.replicates, SEARCHES: 4 * simulations}), *both),
        "levels": mean(_levels(context, prelude, pace), *both),
        "effect": mean(Work({MIXED: 4 * b.measure, STAKES: 4 * looked * share * prelude.choices}), *both),
        "exploit": exploit,
        "sample": mean(sample + Work({MIXED: 2 * b.show}), held[NOBODY], *lone),
    }  # fmt: skip
    return {step: amounts for step, amounts in work.items() if step != "bounds" or (two and not exact)}


def _levels(context: Context, prelude: Prelude, pace: Pace) -> Work:
    """Games of the levels' baselines, of the levels that can be afforded, and games with oversights.

    A level of which the pace is not known plays like searches of as many simulations.
    """
    b, sides = context.budget, len(context.sides)
    asked, plain = Work(), 16.0 * max(20, b.measure // 4)  # two steps, two sides, four conditions
    for name, number in LEVELS.items():
        agent = level_named(context, number)
        games = 2.0 * sides * deals_of(context, prelude, agent)
        if LEVEL + name in pace.seconds:
            asked.update({LEVEL + name: games, MATCHES + name: 2 * sides * BLOCKS})
        else:
            asked.update({SEARCHES: games * prelude.choices * sims_of(agent)})
        plain += 0 if games or name == EXPERTS else 2 * sides * max(20, b.measure // 2)
    overlooked = sides * (5 if context.used else 2) * max(20, b.measure // 4)
    rated = 4 * sides * max(40, b.rates // 4) if context.used else 0
    return Work({GAMES: plain, MIXED: overlooked + rated}) + asked


def _pairs(sizes: Sequence[float], learned: Sequence[float], deals: float) -> Work:
    """Games of each of the first side with each of the last, of whom so many learned, in games of a kind alone."""
    games = math.prod(sizes) * deals
    part = float(np.mean([few / size for few, size in zip(learned, sizes, strict=True)]))
    return Work({GAMES: games * (1 - part), LEARNED: games * part})


def _pools(context: Context, prelude: Prelude, name: str) -> list[int]:
    """How many strategies the sides of a condition have before anybody counters them."""
    conditions, seeds = context.bench.holder_conditions(), context.budget.seeds
    sizes = []
    for side in (context.sides[0], context.sides[-1]):
        learned = seeds * (2 if side in conditions[name].holders and context.used else 1)
        sizes.append(len(pool_of(context, prelude, Learners((), ()), name, side)) + learned)
    return sizes


def _learned(context: Context, prelude: Prelude, pace: Pace, kind: str) -> Work:
    """What a course of learning plays, and how many decisions it branches until its work is used up."""
    games, share = _games(context.budget, kind), _share(context, prelude, kind)
    if kind == USE:  # one decision of a game about the module, or what it adds to them; it learns on half of the sides
        added = prelude.choices * (1.0 - pace.plain)
        each = max(0.3 * min(prelude.choices, 1.0), min(0.5 * added, MARKED))
    else:  # between those of one who has hardly learned and those of the baseline, on as many sides as are learned on
        sides = 0.75 if kind == FREE else 0.5 if len(context.bench.sides) > 1 else 1.0
        each = float(np.sqrt(pace.decisions[kind] * prelude.choices * sides))
    branched, work = games * share * each, decisions_in(context.budget.learn_work, context.observation)
    if pace.depths.get(kind):  # learners of the module's own questions play like the baseline, and are as good
        branched = min(branched, work / pace.depths[kind])
    again = min(AGAIN, TURNS * branched) if kind == USE else 0
    return Work({COURSES: 1, GAMES: games, BRANCHES if kind == FREE else ANSWERS: branched, AGAINS: again})


def _games(budget: Budget, kind: str) -> int:
    return {FREE: budget.learn_free, USE: budget.learn_use, COUNTER: budget.learn_counter}[kind]


def _share(context: Context, prelude: Prelude, kind: str) -> float:
    """The chance that a course of this kind branches a decision."""
    games = _games(context.budget, kind)
    return course(context, prelude, kind, "", "", [Condition()], [], [], 0.0, games).args["share"]


def ask_pace(context: Context, prelude: Prelude) -> Pace | None:
    """What all workers find when they are asked at the same time; None if one has no answer."""
    agents = {name: level_named(context, number) for name, number in LEVELS.items()}
    agents = {name: agent for name, agent in agents.items() if deals_of(context, prelude, agent)}
    job = Job("pace", {"agents": agents, "choices": prelude.choices,
                       "anchor": prelude.anchor, "others": prelude.others[:OTHERS],
                       "shares": {kind: _share(context, prelude, kind) for kind in (FREE, COUNTER)},
                       "ladder": context.budget.ladder[:2], "rollout": prelude.rollout, "scale": context.scale,
                       "enough": context.budget.pace, "positions": POSITIONS[context.budget.name],
                       "seed": context.seed("pace")}, SECONDS)  # fmt: skip
    context.workers.facts = context.facts
    for first in (True, False):  # one alone compiles what the others then find
        jobs = [replace(job, args={**job.args, "number": n}) for n in range(1 if first else context.workers.count)]
        answers = [answer for _, answer in context.workers.run(jobs, context.watcher.tick)]
        for left in (context.folder / NETS).glob(f"*-{PACE_NET}"):  # as many as workers: no part of the test
            left.unlink()
        if any(isinstance(answer, Failed) for answer in answers):
            return None
    game = np.random.default_rng(1).normal(size=(18, 18))
    mg.max_entropy_nash(game - game.T)  # the first one loads the solver
    begun = time.process_time()
    for _ in range(3):
        mg.max_entropy_nash(game - game.T)
    programs = 40 * (time.process_time() - begun) / 3
    slower = float(np.mean([a["slower"] for a in answers]))
    seconds, decisions, depths = (
        {kind: float(np.mean([a[what][kind] for a in answers])) for kind in answers[0][what]}
        for what in ("seconds", "decisions", "depths")
    )
    return Pace(
        {kind: slower * each for kind, each in {**seconds, PROGRAMS: programs}.items()}, decisions, depths,
        answers[0]["positions"], slower, float(answers[0]["plain"]),
    )  # fmt: skip


# What workers do


def pace(
    lab: Lab, anchor: Strategy, others: Sequence[Strategy], choices: float, shares: Mapping[str, float],
    ladder: Sequence[int], rollout: str, scale: float, enough: float, positions: int, seed: int, number: int,
    agents: Mapping[str, str],
) -> dict[str, Any]:  # fmt: skip
    """Processor seconds of one of each kind of work when everybody has it, and how many times slower the clock was.

    `agents`: those of levels of the game that will be asked, by the names of the levels.

    And, for each kind of course, the decisions of a game at which the one who learns sits, and those of the
    continuations of one that is branched; and the positions of the game, of `positions` at most, see `Pace`.
    """
    begun, used = time.monotonic(), time.process_time()
    everybody, net, sides = lab.bench.everybody(), f"{number}-{PACE_NET}", list(lab.bench.compared)
    learner = Strategy("pace", base=anchor.base, net=net, scope="everywhere", temperature=0.02)
    played = [0.0, 0.0, 0.0]  # games of courses, decisions that they branched, and those of continuations

    def learn(
        kind: str, file: str, opponents: Sequence[tuple[Strategy, float]], where: Sequence[int], together: float
    ) -> Callable[[int], float]:
        def learned(games: int) -> float:
            made = train(
                lab, FREE, file, [everybody], anchor.base, opponents, where, together, games, shares[kind], math.inf,
                scale, seed,
            )  # fmt: skip
            played[:] = played[0] + games, played[1] + made["branched"], played[2] + made["spent"]
            return float(made["branched"])

        return learned

    free = learn(FREE, net, [(anchor, 0.4), *((s, 0.15) for s in others)], sides, 1.0)
    known = [anchor, *others]
    against = [(learner, OF_LEARNERS), *((baseline, (1 - OF_LEARNERS) / len(known)) for baseline in known)]
    counter = learn(COUNTER, f"counter-{net}", against, sides[-1:], 0.0)

    strong_ones = [anchor, learner]
    pairs = list(product(range(len(known)), range(len(known))))

    def games(deals: int, who: Sequence[Strategy] = known, how: Sequence[tuple[int, int]] = pairs) -> float:
        seated = [pair for pair in how for _ in range(deals)]
        play(lab, everybody, who, seated, np.tile(np.arange(deals), len(how)), seed)
        return float(len(seated))

    def mixed(deals: int) -> float:
        drawn = [0] * round(1 / OF_LEARNERS - 1) + [1]  # numbers of `strong_ones`, a learner as often as it is met
        return games(deals, strong_ones, list(product(drawn, drawn)))

    ((strong, weak),) = ladder_of(ladder, rollout)

    def searches(deals: int) -> float:
        rung(lab, everybody, strong, weak, (0, deals), seed)
        return deals * choices * sum(ladder)

    alone = Mixture((learner,), (1.0,))

    def tried(deals: int) -> float:
        stakes(lab, everybody, alone, alone, deals, min(1.0, 4 / max(choices, 1.0)), scale, (), seed)
        return deals * min(choices, 4.0)

    seconds, branched, decisions, depths = {COURSES: 0.0}, {}, {}, {}
    for kind, name, work in ((FREE, BRANCHES, free), (COUNTER, ANSWERS, counter)):
        played[:] = 0.0, 0.0, 0.0
        seconds[name], once = timed(work, 4, enough)
        seconds[COURSES] = max(seconds[COURSES], once)
        branched[name] = played[1] / played[0]
        decisions[kind] = branched[name] / shares[kind]
        depths[kind] = played[2] / max(played[1], 1.0)
    seconds[GAMES], _ = timed(games, 4, enough)
    seconds[LEARNED], _ = timed(lambda deals: games(deals, [learner], [(0, 0)]), 4 * len(pairs), enough)
    seconds[MIXED], _ = timed(mixed, 4, enough)
    seconds[SEARCHES], _ = timed(searches, 1, enough)
    seconds[STAKES] = timed(tried, 2, enough)[0] / 2  # about half of those who play then are baselines
    for level, agent in agents.items():  # for the most part not searching, but what an agent does about a decision

        def asked(deals: int, agent: str = agent) -> float:
            games_of_level(lab, everybody, agent, np.arange(deals), seed, sides[0])
            return float(deals)

        seconds[LEVEL + level], seconds[MATCHES + level] = timed(asked, 1, enough)
    for name, count in branched.items():  # what a course plays beside its branches is counted by itself
        seconds[name] = max(seconds[name] - seconds[GAMES] / count, 0.0) if count else 0.0
    seconds[AGAINS] = 0.0
    if lab.marks.actions:  # a course about the module learns again from what it found
        first = time.process_time()
        made = train(lab, USE, f"use-{net}", [everybody], anchor.base, [(anchor, 0.5)], sides, 0.5, USED, 1.0, math.inf,
                     scale, seed)  # fmt: skip
        rest = time.process_time() - first - seconds[COURSES] - USED * seconds[GAMES]
        rest -= made["branched"] * seconds[ANSWERS]
        seconds[AGAINS] = max(rest, 0.0) / max(min(AGAIN, TURNS * made["branched"]), 1)
    _, seconds[SOLVED], known = time_to_solve(lab, everybody, positions, 20 * enough)
    lengths = [
        float(play(lab, where, [anchor], [(0, 0)] * LENGTHS, np.arange(LENGTHS), seed).lengths.mean())
        for where in (Condition(), everybody)
    ]
    spent = time.process_time() - used
    slower = max((time.monotonic() - begun) / spent, 1.0) if spent else 1.0
    return {"seconds": seconds, "decisions": decisions, "depths": depths, "positions": known, "slower": slower,
            "plain": lengths[0] / max(lengths[1], 1.0)}  # fmt: skip


def timed(
    work: Callable[[int], float], size: int, enough: float, clock: Callable[[], float] = time.process_time
) -> tuple[float, float]:
    """Seconds of a unit of `work`, and of beginning: it is given a size and tells how many units it did.

    The size grows until `enough` pass; the two largest tell what each unit adds.
    """
    work(1)  # it may have to be compiled
    before, first = (0.0, 0.0), 0.0
    while True:
        begun = clock()
        done = work(size)
        passed = clock() - begun
        first = first or passed
        if passed >= min(max(enough, 2 * first), 4 * enough) or size >= 1 << 16:
            break
        before = (done, passed)
        size *= 4 if passed < enough / 4 else 2
    if not done:
        return 0.0, passed
    units, seconds = done - before[0], passed - before[1]
    mean = passed / done
    each = min(max(seconds / units, 0.3 * mean), mean) if before[0] and units > 0 else mean
    return each, passed - each * done


__all__ = ["Forecast", "Pace", "ask_pace", "forecast", "pace", "steps_of", "timed", "with_budget", "work_of"]
