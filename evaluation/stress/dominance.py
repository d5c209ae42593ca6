"""Does the module create a dominant strategy? The matrix game of all strategies found, with and without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..tournament import metagame as mg
from ..tournament.blocks import percentile_interval
from .changes import quantile
from .conditions import EVERYBODY, NOBODY, Condition
from .context import Context
from .dynamics import jackknife_error
from .findings import Dominance, Dominant, Interval, MatrixGame, StrategyRow
from .seated import Seated, seated
from .strategies import Chosen, Prelude, Strategy
from .workers import Job

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]
LEVEL = 0.95
_ENTROPIES = 40  # resamples whose equilibrium of greatest entropy is found, which takes many programs each
LP_RESAMPLES = 200  # linear programs are the slow part
_SPLITS = 10  # of the blocks into halves
# deviations of a result by which strategies begin to differ: of results of weak play, as all meet weak strategies, too,
# and fewer are lost in the luck of the games. Where strong play nearly always ends alike that may be much; it is told
ALIKE = 0.1
SAME = float(np.exp(-0.5))  # likeness of two that differ by as much


@dataclass(frozen=True)
class Variety:
    """How many strategies the equilibrium amounts to, and what share is cyclic, with nobody and everybody having it.

    `different` float64[resamples] and `cyclic` float64[blocks] are, by condition, numbers from resampled blocks, and
    shares without one block at a time; both from the same blocks in all conditions. The third is that of the strategies
    found with the module, without it, from fewer resamples; `value` is its number of different strategies. The cyclic
    share is that of strategies that use the module as they like: to hold some to a way of use is the lab's doing.
    `lucky_different` and `lucky_cyclic` float64[learned] are the same figures without one learned strategy at a time,
    by which is told how far the luck of learning moves them.
    """

    different: tuple[Floats, Floats, Floats]
    cyclic: tuple[Floats, Floats, Floats]
    blocks: int
    value: float
    lucky_different: tuple[Floats, Floats, Floats]
    lucky_cyclic: tuple[Floats, Floats, Floats]


def look_for_dominance(context: Context, prelude: Prelude, chosen: Chosen) -> tuple[Dominance, Variety]:
    """The matrix game of all strategies, without the module and with it, on fresh games."""
    context.begin("dominance")
    b = context.budget
    conditions = context.bench.holder_conditions()
    players = {name: seated(chosen.pools[name], prelude.anchor) for name in (NOBODY, EVERYBODY)}
    wanted = [met(conditions[name], pool) for name, pool in players.items()]
    wanted.append(met(conditions[NOBODY], players[EVERYBODY]))
    *blocks, moved = context.matrices("dominance", wanted, b.matrix, "matrix")
    made, different = [], []
    for (name, pool), found in zip(players.items(), blocks):
        rates = [float("nan")] * len(pool)
        if name == EVERYBODY and context.marked:
            rates = _use_rates(context, pool, prelude.anchor)
        seed = context.seed("resample")
        games = len(pool) ** 2 * b.matrix
        game, numbers = solved([p.name for p in pool], found, rates, b.resamples, seed, games, context.scale)
        made.append(game)
        different.append(numbers)
    value, numbers = variety_of(antisymmetric(moved), b.resamples, context.seed("resample"), context.scale)
    pools = (players[NOBODY], players[EVERYBODY], players[EVERYBODY])
    games = [antisymmetric(found) for found in (*blocks, moved)]
    learned = [learned_of(pool) for pool in pools]
    equilibria = [equilibria_without(part, which) for part, which in zip(games, learned)]
    free_of = [liking(pool) for pool in pools]
    free = [part[:, own][:, :, own] for part, own in zip(games, free_of)]
    first, second, third = (cyclic_by_block(part) for part in free)
    lucky_cyclic = [
        without_each(part, learned_of([pool[i] for i in own]), cyclic_of)
        for part, pool, own in zip(free, pools, free_of)
    ]
    lucky_different = [
        np.array([different_number(nash, likeness(part[:, rest][:, :, rest], context.scale)) for rest, nash in each])
        for part, each in zip(games, equilibria)
    ]
    told = [
        with_luck(game, each, by_block, lucky)
        for game, each, by_block, lucky in zip(made, equilibria, (first, second), lucky_cyclic)
    ]
    variety = Variety(
        (different[0], different[1], numbers), (first, second, third), len(moved), value,
        (lucky_different[0], lucky_different[1], lucky_different[2]),
        (lucky_cyclic[0], lucky_cyclic[1], lucky_cyclic[2]),
    )  # fmt: skip
    return Dominance(told[0], told[1]), variety


def met(condition: Condition, pool: Sequence[Seated]) -> tuple[list[Condition], list[Strategy], list[Strategy]]:
    """What is played for the matrix of some ways to play: each on side 0 against each in all other seats."""
    return [condition], [way.first for way in pool], [way.rest for way in pool]


def with_luck(
    game: MatrixGame, equilibria: Sequence[tuple[Indices, Floats]], by_block: Floats, lucky_cyclic: Floats
) -> MatrixGame:
    """A matrix game whose intervals hold the luck of learning, too, and the cyclic share of strategies held to no use.

    `equilibria` without one learned strategy at a time, see `equilibria_without`; `by_block` and `lucky_cyclic` are the
    cyclic share without one block, and without one of the learned strategies that are held to no use, at a time.
    """
    rates = np.array([row.use_rate or 0.0 for row in game.strategies])
    half = quantile(len(by_block), 1) * jackknife_error(by_block)
    mean, taken = float(by_block.mean()), game.module_mass
    return replace(
        game,
        effective=reaching(game.effective, np.array([effective_number(nash) for _, nash in equilibria]), 1.0, np.inf),
        cyclic=reaching(Interval(mean, mean - half, mean + half), lucky_cyclic, 0.0, 1.0),
        module_mass=taken and reaching(taken, np.array([nash @ rates[rest] for rest, nash in equilibria]), 0.0, 1.0),
        learned=len(equilibria),
    )


def reaching(found: Interval, lucky: Floats, least: float, most: float) -> Interval:
    """An interval of the games alone, widened by the luck of learning, within what the number can be.

    `lucky`: the number without one learned strategy at a time (jackknife, Student's quantile for their number); both
    errors are independent (MOVER: Zou and Donner 2008). Of one strategy alone the luck cannot be told; none has any.
    """
    if len(lucky) < 2:
        return found
    luck = quantile(len(lucky), 1) * jackknife_error(lucky)
    low, high = (float(np.hypot(end - found.value, luck)) for end in (found.low, found.high))
    return Interval(found.value, max(found.value - low, least), min(found.value + high, most))


def liking(pool: Sequence[Seated]) -> list[int]:
    """Which of some strategies are not held to a way of using the module."""
    return [i for i, way in enumerate(pool) if way.as_liked]


def learned_of(pool: Sequence[Seated]) -> list[int]:
    """Which of some strategies were learned, and would be others by another luck."""
    return [i for i, way in enumerate(pool) if way.learned]


def equilibria_without(blocks: Floats, learned: Sequence[int]) -> list[tuple[Indices, Floats]]:
    """What is left of a matrix (blocks, n, n) without one strategy of `learned` at a time, and its equilibrium."""
    return [(rest, mg.max_entropy_nash(blocks[:, rest][:, :, rest].mean(axis=0))) for rest in _rests(blocks, learned)]


def without_each(blocks: Floats, learned: Sequence[int], figure: Callable[[Floats], float]) -> Floats:
    """A figure of a matrix (blocks, n, n) without one strategy of `learned` at a time, float64[learned]."""
    return np.array([figure(blocks[:, rest][:, :, rest]) for rest in _rests(blocks, learned)], dtype=np.float64)


def _rests(blocks: Floats, learned: Sequence[int]) -> list[Indices]:
    return [np.delete(np.arange(blocks.shape[-1]), left) for left in learned]


def _use_rates(context: Context, players: Sequence[Seated], opponent: Strategy) -> list[float]:
    """How often each strategy uses the module where it can; NaN if it was never offered."""
    args = {"condition": context.bench.everybody(), "strategies": [way.first for way in players],
            "elsewhere": [way.rest for way in players], "opponent": opponent,
            "deals": max(40, context.budget.rates // 20), "seed": context.seed("use rates")}  # fmt: skip
    (answer,) = context.need("dominance", [Job("use_rates", args)])
    return [float("nan") if r is None else float(r) for r in answer["rates"]]


def antisymmetric(blocks: Floats) -> Floats:
    """The matrix game over both ways of sitting, (blocks, n, n), from margins of side 0 in (blocks, n, n)."""
    return (blocks - blocks.swapaxes(-1, -2)) / 2


def resampled(blocks: Floats, resamples: int, seed: int) -> Floats:
    """Means of blocks drawn with replacement, (resamples, ...)."""
    n = len(blocks)
    weights = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=resamples) / n
    return np.tensordot(weights, blocks, axes=1)


def interval_of(samples: Floats, blocks: int) -> tuple[float, float]:
    """Expanded percentile interval of a number resampled."""
    low, high = percentile_interval(samples, LEVEL, blocks)
    return float(low), float(high)


def matrix_game(
    names: Sequence[str], margins: Floats, use_rates: Sequence[float], resamples: int, seed: int, games: int = 0
) -> MatrixGame:
    """What the matrix game of some strategies says, see `solved`; results deviate by 1."""
    return solved(names, margins, use_rates, resamples, seed, games, 1.0)[0]


def solved(
    names: Sequence[str], margins: Floats, use_rates: Sequence[float], resamples: int, seed: int, games: int,
    scale: float,
) -> tuple[MatrixGame, Floats]:  # fmt: skip
    """What the matrix game of some strategies says; `margins` (blocks, n, n) as in `play.matrix`, of so many `games`.

    `use_rates` tells how often each strategy uses the module where it could, `scale` is the deviation of a result.
    Strategies that are dominated, the strategy (if any) that is best against all that are worth playing, the
    maximum-entropy equilibrium with the effective number of strategies, the share of it that uses the module, and the
    cyclic share of the matrix. Second: the number of different strategies in resampled matrices.
    """
    blocks = antisymmetric(margins)
    m = blocks.mean(axis=0)
    n, count = len(m), len(blocks)
    samples = resampled(blocks, resamples, seed)
    few = samples[: min(resamples, LP_RESAMPLES)]
    nash = mg.max_entropy_nash(m)
    mixtures = mg.nash_many(few)
    rates = np.asarray(use_rates, dtype=np.float64)
    dominated = mg.dominated_many(few).mean(axis=0)
    verdicts = [mg.mixed_domination(m, k) for k in range(n)]
    alike = likeness(blocks, scale)
    best = best_of(few, alike, worth_playing(few))
    top = max(range(n), key=lambda k: (best[k], m[k].mean()))
    many = int((alike[top] >= SAME).sum())
    equilibria = [mg.max_entropy_nash(x) for x in few[:_ENTROPIES]]
    entropies = np.array([effective_number(x) for x in equilibria])
    different = np.array([different_number(x, alike) for x in equilibria])
    cycles = cyclic_by_block(blocks)
    cyclic, half = float(cycles.mean()), quantile(count, 1) * jackknife_error(cycles)
    exploitability = mg.exploitability(m)
    game = MatrixGame(
        strategies=tuple(
            StrategyRow(
                name=names[k],
                nash=float(nash[k]),
                nash_mean=float(mixtures[:, k].mean()),
                dominated=bool(verdicts[k].weak),
                dominated_share=float(dominated[k]),
                margin=verdicts[k].margin,
                by=mg.mixture_text(verdicts[k].weights, names) if verdicts[k].weak else "",
                exploitability=float(exploitability[k]),
                use_rate=None if not np.isfinite(rates[k]) else float(rates[k]),
            )
            for k in range(n)
        ),
        matrix=tuple(map(tuple, m.tolist())),
        error=tuple(map(tuple, (blocks.std(axis=0, ddof=1) / count**0.5).tolist())),
        dominant=Dominant(names[top], float(best[top]), many, ALIKE * scale if many > 1 else 0.0),
        effective=Interval(effective_number(nash), *interval_of(entropies, count)),
        cyclic=Interval(cyclic, cyclic - half, cyclic + half),
        module_mass=mass(nash, mixtures, rates, count),
        blocks=count,
        games=games,
        different=Interval(different_number(nash, alike), *interval_of(different, count)),
    )
    return game, different


def variety_of(blocks: Floats, resamples: int, seed: int, scale: float) -> tuple[float, Floats]:
    """The number of different strategies in the equilibrium of a matrix (blocks, n, n), and in half the resamples."""
    alike = likeness(blocks, scale)
    samples = resampled(blocks, resamples, seed)[: _ENTROPIES // 2]
    numbers = np.array([different_number(mg.max_entropy_nash(x), alike) for x in samples])
    return number_of(blocks, scale), numbers


def number_of(blocks: Floats, scale: float) -> float:
    """The number of different strategies in the equilibrium of a matrix (blocks, n, n)."""
    return different_number(mg.max_entropy_nash(blocks.mean(axis=0)), likeness(blocks, scale))


def cyclic_of(blocks: Floats) -> float:
    """The cyclic share of a matrix (blocks, n, n), mean of splits."""
    return float(np.mean([mg.cyclic_share(*_halves(blocks, split)) for split in range(_SPLITS)]))


def cyclic_by_block(blocks: Floats) -> Floats:
    """The cyclic share of a matrix (blocks, n, n) without one block at a time, float64[blocks]; mean of splits."""
    count = len(blocks)
    out = np.zeros(count)
    for left in range(count):
        out[left] = cyclic_of(np.delete(blocks, left, axis=0))
    return out


def likeness(blocks: Floats, scale: float) -> Floats:
    """How alike strategies are, (n, n): 1 for such that fare alike against all, towards 0 the more they differ.

    exp(-d² / 2), d the root mean square of what two rows of the matrix (blocks, n, n) differ by, in units of `ALIKE`
    deviations of a result; squares are products of two halves of the games, so that noise averages out.
    """
    a, b = blocks[::2].mean(axis=0), blocks[1::2].mean(axis=0)
    gaps = [x[:, None, :] - x[None, :, :] for x in (a, b)]
    squares = np.maximum((gaps[0] * gaps[1]).mean(axis=2), 0.0)
    return np.exp(-squares / (2 * (ALIKE * scale) ** 2))


def worth_playing(samples: Floats) -> npt.NDArray[np.bool_]:
    """Which strategies of matrices (count, n, n) are left when dominated ones drop out again and again, bool[count, n].

    Counter-strategies err where their opponent never led them; who did best against such errors alone would pass for a
    rival of what is always right, although nobody would play what errs. All that are dominated, if only weakly, drop
    out at once, so that no order decides.
    """
    left = np.ones(samples.shape[:2], dtype=bool)
    rows = np.arange(len(samples))  # matrices in which something dropped out last time
    while len(rows):
        own, kept = samples[rows], left[rows]
        beyond = -2.0 * np.abs(own).max(axis=(1, 2), keepdims=True) - 1.0  # so nothing that is gone dominates
        seen = np.where(kept[:, :, None], np.where(kept[:, None, :], own, 0.0), beyond)
        gone = mg.dominated_many(seen) & kept
        left[rows] = kept & ~gone
        rows = rows[gone.any(axis=1)]
    return left


def best_of(samples: Floats, alike: Floats, left: npt.NDArray[np.bool_]) -> Floats:
    """In what share of resampled matrices (resamples, n, n) each strategy is best against all `left`, float64[n].

    `left` bool[resamples, n] is what is worth playing. Strategies that are alike count as one (see `likeness`):
    learners that find the same best way to play are no rivals. Where all of them are alike none is best.
    """
    out = np.zeros(samples.shape[-1])
    for k in range(len(out)):
        rivals = alike[k] < SAME
        if not rivals.any():
            continue
        standing = (left & rivals)[:, :, None]
        most = np.where(standing, samples, -np.inf).max(axis=1)
        reached = ((samples[:, k, :] >= most - 1e-12) | ~left).all(axis=-1)
        out[k] = (reached & (left & ~rivals).any(axis=-1)).mean()
    return out


def different_number(mixture: Floats, alike: Floats) -> float:
    """How many strategies a mixture amounts to if such that are alike count as one (Leinster and Cobbold 2012)."""
    x = mixture > 0
    return float(np.exp(-(mixture[x] * np.log((alike @ mixture)[x])).sum()))


def _halves(blocks: Floats, seed: int) -> tuple[Floats, Floats]:
    order = np.random.default_rng(seed).permutation(len(blocks))
    half = len(blocks) // 2
    return blocks[order[:half]].mean(axis=0), blocks[order[half:]].mean(axis=0)


def effective_number(mixture: Floats) -> float:
    """exp of the entropy: how many strategies a mixture amounts to (Hill 1973)."""
    x = mixture[mixture > 0]
    return float(np.exp(-(x * np.log(x)).sum()))


def mass(nash: Floats, mixtures: Floats, rates: Floats, blocks: int) -> Interval | None:
    """Share of the equilibrium's chances to use the module that are taken; None if no strategy ever had one."""
    known = np.isfinite(rates)
    if not known.any():
        return None
    filled = np.where(known, rates, 0.0)
    return Interval(float(nash @ filled), *interval_of(mixtures @ filled, blocks))


__all__ = [
    "LP_RESAMPLES", "Variety", "best_of", "cyclic_by_block", "cyclic_of", "different_number", "effective_number",
    "equilibria_without", "learned_of", "likeness", "liking", "look_for_dominance", "matrix_game", "met", "number_of",
    "reaching", "resampled", "solved", "variety_of", "with_luck", "without_each", "worth_playing",
]  # fmt: skip
