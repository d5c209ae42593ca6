"""Does the module create a dominant strategy? The matrix game of all strategies found, with and without it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..tournament import metagame as mg
from ..tournament.blocks import percentile_interval

Floats = npt.NDArray[np.float64]
LEVEL = 0.95
_ENTROPIES = 40  # resamples whose equilibrium of greatest entropy is found, which takes many programs each
_LP_RESAMPLES = 200  # linear programs are the slow part


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


def dominance(
    names: Sequence[str], margins: Floats, use_rates: Sequence[float], resamples: int, seed: int
) -> dict[str, Any]:
    """What the matrix game of some strategies says; `margins` (blocks, n, n) as in `stress_play.matrix`.

    `use_rates` tells how often each strategy uses the module where it could. Strategies that are dominated, the
    strategy (if any) that no other one ever surpasses, the maximum-entropy equilibrium with the effective number of
    strategies, the share of it that uses the module, and the cyclic share of the matrix.
    """
    blocks = antisymmetric(margins)
    m = blocks.mean(axis=0)
    n, count = len(m), len(blocks)
    samples = resampled(blocks, resamples, seed)
    few = samples[: min(resamples, _LP_RESAMPLES)]
    nash = mg.max_entropy_nash(m)
    mixtures = mg.nash_many(few)
    rates = np.asarray(use_rates, dtype=np.float64)
    dominated = mg.dominated_many(few).mean(axis=0)
    verdicts = [mg.mixed_domination(m, k) for k in range(n)]
    best = (samples >= samples.max(axis=-2, keepdims=True) - 1e-12).all(axis=-1).mean(axis=0)
    top = int(np.argmax(best))
    entropy = [effective_number(nash), *(effective_number(mg.max_entropy_nash(x)) for x in few[:_ENTROPIES])]
    halves = blocks[::2].mean(axis=0), blocks[1::2].mean(axis=0)
    cycles = [mg.cyclic_share(*_halves(blocks, seed + i)) for i in range(1, 41)]
    return {
        "strategies": [
            {
                "name": names[k],
                "nash": float(nash[k]),
                "nash_mean": float(mixtures[:, k].mean()),
                "dominated": bool(verdicts[k].weak),
                "dominated_share": float(dominated[k]),
                "margin": verdicts[k].margin,
                "by": mg.mixture_text(verdicts[k].weights, names) if verdicts[k].weak else "",
                "exploitability": float(mg.exploitability(m)[k]),
                "use_rate": None if not np.isfinite(rates[k]) else float(rates[k]),
            }
            for k in range(n)
        ],
        "matrix": m.tolist(),
        "error": (blocks.std(axis=0, ddof=1) / count**0.5).tolist(),
        "dominant": {"name": names[top], "share": float(best[top])},
        "effective": {"value": entropy[0], "low": interval_of(np.array(entropy[1:]), count)[0],
                      "high": interval_of(np.array(entropy[1:]), count)[1]},
        "cyclic": {"value": mg.cyclic_share(*halves), "low": float(np.quantile(cycles, 0.025)),
                   "high": float(np.quantile(cycles, 0.975))},
        "module_mass": mass(nash, mixtures, rates, count),
        "blocks": count,
    }  # fmt: skip


def _halves(blocks: Floats, seed: int) -> tuple[Floats, Floats]:
    order = np.random.default_rng(seed).permutation(len(blocks))
    half = len(blocks) // 2
    return blocks[order[:half]].mean(axis=0), blocks[order[half:]].mean(axis=0)


def effective_number(mixture: Floats) -> float:
    """exp of the entropy: how many strategies a mixture amounts to (Hill 1973)."""
    x = mixture[mixture > 0]
    return float(np.exp(-(x * np.log(x)).sum()))


def mass(nash: Floats, mixtures: Floats, rates: Floats, blocks: int) -> dict[str, float] | None:
    """Share of the equilibrium's chances to use the module that are taken; None if no strategy ever had one."""
    known = np.isfinite(rates)
    if not known.any():
        return None
    filled = np.where(known, rates, 0.0)
    low, high = interval_of(mixtures @ filled, blocks)
    return {"value": float(nash @ filled), "low": low, "high": high}


__all__ = ["dominance", "effective_number"]
