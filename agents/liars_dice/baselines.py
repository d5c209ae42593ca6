"""Baselines of liar's dice: they ask how likely a bid is by their own dice, and dare more or less."""

from __future__ import annotations

from typing import Any

from ...envs.core.jit import kernel
from ..declaration import Baseline

HONEST, LIKELY, BOLD = 1.0, 0.5, 0.2  # how likely a bid must be


@kernel
def chance_of(s: Any, p: Any, seat: int, bid: int) -> float:
    """How likely a bid holds if the other's dice are as they fall."""
    if p.face_first:
        quantity, face = 1 + bid % (2 * p.dice), bid // (2 * p.dice)
    else:
        quantity, face = 1 + bid // p.faces, bid % p.faces
    wild = p.faces - 1
    need = quantity - s.count[seat, face]
    hit = 1.0 / p.faces
    if face != wild:
        need -= s.count[seat, wild]
        hit *= 2.0
    if need <= 0:
        return 1.0
    total = 0.0
    for k in range(need, p.dice + 1):
        ways = 1.0
        for i in range(k):
            ways *= (p.dice - i) / (k - i)
        total += ways * hit**k * (1.0 - hit) ** (p.dice - k)
    return total


@kernel
def by_chance(s: Any, p: Any, seat: int, rng: Any, least: float) -> int:
    """The lowest bid that is likely enough; doubts if there is none, or what the other says is not."""
    total = 2 * p.dice * p.faces
    if s.last >= 0 and (s.last == total - 1 or chance_of(s, p, seat, s.last) < least):
        return total
    best, highest = s.last + 1, -1.0
    for bid in range(s.last + 1, total):
        chance = chance_of(s, p, seat, bid)
        if chance >= least:
            return bid
        if chance > highest:
            best, highest = bid, chance
    return best if s.last < 0 else total


@kernel
def honest(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Bids what its own dice show, believes nothing else."""
    return by_chance(s, p, seat, rng, HONEST)


@kernel
def likely(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Bids and believes what is as likely as not."""
    return by_chance(s, p, seat, rng, LIKELY)


@kernel
def bold(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Bids and believes what has one chance in five."""
    return by_chance(s, p, seat, rng, BOLD)


@kernel
def doubter(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Doubts every bid; begins with the likeliest one."""
    return by_chance(s, p, seat, rng, 2.0)


BASELINES = {
    "honest": Baseline(honest, "bids what its own dice show, believes nothing else"),
    "likely": Baseline(likely, "bids and believes what is as likely as not"),
    "bold": Baseline(bold, "bids and believes what has one chance in five"),
    "doubter": Baseline(doubter, "doubts every bid; begins with the likeliest one"),
}
