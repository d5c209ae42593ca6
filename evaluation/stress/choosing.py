"""Mixtures that no other strategy found exploits: of all strategies, and of each learner's seed alone.

What a rule is worth is the difference of two such mixtures' results, where nobody has it and where one side has it
alone. Learners find other strategies in either, by luck; so what is found in one of the two is tried in the other as
well, and who has the rule may play as if it had not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..tournament import metagame as mg
from .conditions import NOBODY
from .context import Context, slug
from .dominance import resampled
from .learning import COUNTER, Learners, course, learner_of
from .strategies import COUNTERS, Chosen, Pair, Prelude, Strategy, mixture_of

CHOICES = 60  # resamples whose equilibria are averaged
LIKELY = 0.03  # weight from which on a strategy is worth countering
SHARED = 3  # strategies of a side that are tried in another condition, beside the last counters
Pools = dict[str, list[list[Strategy]]]  # by condition: the strategies of every side that is compared


def choose(context: Context, prelude: Prelude, learners: Learners, joins: bool = True) -> Chosen:
    """Let each side learn to counter the other's mixture, round by round, then choose on fresh games.

    `joins`: what is played is joined with what uses the module best. Of a rule that changes nothing there is no best
    use, and what is played must not differ by having it.
    """
    context.begin("choose")
    conditions = context.bench.holder_conditions()
    pools: Pools = {
        name: [pool_of(context, prelude, learners, name, side) for side in context.sides] for name in conditions
    }
    liked: Pools = {}
    for number in range(1, context.budget.rounds + 1):
        liked = _counter(context, prelude, pools, number)
    tried = {name: [list(pool) for pool in pools[name]] for name in pools}
    for name, side, strategy in shared(context, liked):
        _join(tried[name][side], strategy)
    blocks = _matrices(context, tried, context.budget.choose, "choose")
    mixtures = {name: _mixtures(context, blocks[name], tried[name][0], tried[name][-1]) for name in conditions}
    more = joined_with_uses(context, prelude, learners, mixtures) if joins else {}
    for name, found in (_extended(context, tried, blocks, more) if more else {}).items():
        mixtures[name] = _mixtures(context, found, tried[name][0], tried[name][-1])
        for side, made in zip(context.sides, more[name]):  # later steps know of those that are played
            played = mixtures[name][-1][0 if side == context.sides[0] else 1].strategies
            for strategy in made:
                if strategy in played:
                    _join(pools[name][side], strategy)
    return Chosen(pools, mixtures)


def _join(pool: list[Strategy], strategy: Strategy) -> None:
    """Add a strategy to a pool that has none of its name."""
    if all(strategy.name != known.name for known in pool):
        pool.append(strategy)


def joined_with_uses(
    context: Context, prelude: Prelude, learners: Learners, mixtures: Mapping[str, Sequence[Pair]]
) -> Pools:
    """What is played by a side that has the module, or where nobody has it, with its use as a course has learned it.

    Who plays the rest of the game best need not have found out when a rule pays; who has may play the rest worse.
    Learners of one seed are not put together with those of another.
    """
    out: Pools = {}
    for name, condition in context.bench.holder_conditions().items() if context.used else ():
        uses = [s for where, s in learners.made if where == name and s.scope == "whether"]
        made: list[list[Strategy]] = [[] for _ in context.sides]
        for at, side in enumerate(context.sides):
            if side not in condition.holders:
                continue
            pairs = [*mixtures[name], *mixtures.get(NOBODY, ())]
            played = [s for pair in pairs for s in pair[0 if at == 0 else 1].strategies]
            for plain in (strategy.free for strategy in played):
                if plain.scope == "whether" or plain == prelude.anchor:
                    continue  # that is the course itself
                for use in uses:
                    if _seed_of(plain) in (None, _seed_of(use)):
                        _join(made[at], plain.deciding(use))
        if any(made):
            out[name] = made
    return out


def _extended(context: Context, pools: Pools, blocks: Mapping[str, np.ndarray], more: Pools) -> dict[str, np.ndarray]:
    """Blocks of margins of the pools with `more` strategies, which join them; only what is new is played."""
    conditions, games = context.bench.holder_conditions(), []
    for name, made in more.items():
        rows, columns = pools[name][0], pools[name][-1]
        variants = [c for c in context.variants(conditions[name], context.ends) if c.side == 0]
        games.append((variants, made[0], [*columns, *made[-1]]))
        games.append((variants, rows, made[-1]))
    games = [game for game in games if game[1] and game[2]]
    got = iter(context.matrices("choose", games, context.budget.choose, "choose"))
    out: dict[str, np.ndarray] = {}
    for name, made in more.items():
        known = blocks[name]
        below = next(got) if made[0] else np.zeros((len(known), 0, known.shape[2] + len(made[-1])))
        beside = next(got) if made[-1] else np.zeros((len(known), known.shape[1], 0))
        out[name] = np.concatenate([np.concatenate([known, beside], axis=2), below], axis=1)
        for pool, strategies in zip(pools[name], made):
            pool += strategies
    return out


def shared(context: Context, liked: Mapping[str, Sequence[Sequence[Strategy]]]) -> Iterator[tuple[str, int, Strategy]]:
    """What is worth trying in another condition than that in which it was found: (condition, side, strategy).

    Among the condition in which nobody has the module and those in which one side has it alone: each tries what was
    liked in any other. Who has the module leaves it alone with what was found without it: so nobody is worse off by
    what nobody has to use. What differs by the use alone differs by nothing where there is none.
    """
    alone = {} if context.bench.several else {context.bench.alone(side): side for side in context.sides}
    rooms = {NOBODY: -1} | alone if NOBODY in liked else {}
    for found in rooms:
        for side in context.sides if found in liked else ():
            for strategy in liked[found][side]:
                if strategy.use != "as_is" or strategy.scope == "whether":
                    continue  # it would not be itself without the module
                for other, holder in rooms.items():
                    if other != found and other in liked:
                        held = side == holder and context.declinable
                        yield other, side, strategy.using("never") if held else strategy


def pool_of(context: Context, prelude: Prelude, learners: Learners, name: str, side: int) -> list[Strategy]:
    """The strategies of a side in a condition before anybody counters them."""
    anchor = prelude.anchor
    out = list(prelude.baselines)
    holds = side in context.bench.holder_conditions()[name].holders and context.used
    if holds and not context.declinable:  # it has all the answers wherever it asks
        out.append(anchor.answering_blindly)
        out += [anchor.answering(action, text) for action, text in context.answers]
    elif holds:
        out += [anchor.using(use) for use in ("always", "never", "coin", "random")]
        others = [s for s in prelude.baselines if s.base not in ("random", anchor.base)]
        out += [s.using("always") for s in others]  # a holder should not be easier to read than others
    for where, strategy in learners.made:
        if where == name and (strategy.scope == "everywhere" or holds):
            out.append(strategy)
    return out


def _matrices(context: Context, pools: Pools, deals: int, use: str) -> dict[str, np.ndarray]:
    """Blocks of margins (blocks, rows, columns) of the pools of every condition, over handicaps of side 0."""
    conditions = context.bench.holder_conditions()
    games = [
        ([c for c in context.variants(conditions[name], context.ends) if c.side == 0], rows[0], rows[-1])
        for name, rows in pools.items()
    ]
    return dict(zip(pools, context.matrices("choose", games, deals, use)))


def _equilibrium(samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean equilibrium mixtures of rows and columns of resampled matrices.

    An equilibrium of noisy means may rest on a lucky strategy alone; the mean of those of resamples does not.
    """
    row = mg.maximin_many(samples)[1].mean(axis=0)
    column = mg.maximin_many(-samples.swapaxes(1, 2))[1].mean(axis=0)
    return row, column


def _counter(context: Context, prelude: Prelude, pools: Pools, number: int) -> Pools:
    """Each side of every condition learns to beat the other's mixture: a step of policy-space response oracles.

    (Lanctot et al. 2017.) One step alone leaves the side ahead that happened to find the better answer. The
    answers join the pools. Returned are they and the SHARED strategies that were played most in these mixtures.
    """
    b = context.budget
    later = "" if number == 1 else f"-{number}"
    first = _matrices(context, pools, max(b.choose // 2, 20), f"choose first{later}")
    jobs, made, liked = [], [], Pools()
    for name, condition in context.bench.holder_conditions().items():
        row, column = _equilibrium(resampled(first[name], CHOICES, context.seed("choices")))
        liked[name] = [
            [pool[i] for i in np.argsort(-weights, kind="stable")[:SHARED] if weights[i] > LIKELY]
            for pool, weights in zip(pools[name], (row, column))
        ]
        for side in context.answered:
            weights = column if side == 0 else row
            against = pools[name][-1] if side == 0 else pools[name][0]
            opponents = [(s, w) for s, w in zip(against, weights.tolist()) if w > LIKELY]
            net, role = f"counter-{slug(name)}-{side}{later}.npz", f"counter {side} {number}"
            variants = context.variants(condition, context.ends)
            jobs.append(course(context, prelude, COUNTER, net, role, variants, opponents, [side], 0.0, b.learn_counter))
            seat = context.bench.side_names[side]
            label = f"{COUNTERS} as {seat} where {name} has it"
            label += f", round {number}" if number > 1 else ""
            learner = learner_of(COUNTER, label, jobs[-1].args["net"], prelude.anchor.base, role)
            made.append((name, side, replace(learner, seat=seat)))
    context.need("choose", jobs)
    for name, side, strategy in made:
        pools[name][side].append(strategy)
        liked[name][side].append(strategy)
    return liked


def _mixtures(
    context: Context, blocks: np.ndarray, rows: Sequence[Strategy], columns: Sequence[Strategy]
) -> list[Pair]:
    """Equilibria of the pools with one learner's seed each, and, last, of the whole pools."""
    samples = resampled(blocks, CHOICES, context.seed("choices"))
    out: list[Pair] = []
    for s in [*range(1, context.budget.seeds + 1), None]:
        keep_r = [i for i, x in enumerate(rows) if s is None or _seed_of(x) in (s, None)]
        keep_c = [j for j, x in enumerate(columns) if s is None or _seed_of(x) in (s, None)]
        row, column = _equilibrium(samples[:, keep_r][:, :, keep_c])
        out.append(
            (
                mixture_of([rows[i] for i in keep_r], row.tolist()),
                mixture_of([columns[j] for j in keep_c], column.tolist()),
            )
        )
    return out


def _seed_of(strategy: Strategy) -> int | None:
    """The learner's seed of a strategy, from its name; None for those that every pool has."""
    found = re.search(r"\((\d+)\)(?:, never uses it)?$", strategy.name)
    return int(found[1]) if found else None


__all__ = ["choose", "pool_of", "shared"]
