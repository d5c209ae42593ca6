"""Random numbers for compiled drivers (splitmix64) and the rolling hash behind information-state keys.

Every function works compiled, from plain Python, and under NUMBA_DISABLE_JIT=1, with the same results.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from .jit import config, driver

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15

if TYPE_CHECKING or config.DISABLE_JIT:

    def next_u64(rng: np.ndarray) -> int:
        """Advance `rng` (uint64[1], modified in place) and return 64 random bits (Steele et al. 2014, splitmix64)."""
        x = (int(rng[0]) + _GAMMA) & _MASK
        rng[0] = x
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
        return x ^ (x >> 31)

    def rand_below(rng: np.ndarray, k: int) -> int:
        """A uniform integer 0..k-1, 1 <= k < 2**31, without bias (Lemire's method on 31 bits)."""
        while True:
            m = (next_u64(rng) >> 33) * int(k)
            low = m & 0x7FFFFFFF
            if low >= k or low >= (0x80000000 - k) % k:
                return m >> 31

    def rand_float(rng: np.ndarray) -> float:
        """A uniform float64 in [0, 1)."""
        return (next_u64(rng) >> 11) * (1.0 / 9007199254740992.0)

    def mix(h: Any, x: Any) -> int:
        """Roll `x` into the hash `h`, both int64; the order matters, and mix(h, h) is nothing special."""
        z = int(h) & _MASK ^ (int(x) * 0xC2B2AE3D27D4EB4F) & _MASK
        z = (z * 0xD6E8FEB86659FD93 + _GAMMA) & _MASK
        z ^= z >> 32
        return z - (1 << 64) if z >= 1 << 63 else z

else:

    @njit(inline="always")
    def next_u64(rng):
        """Advance `rng` (uint64[1], modified in place) and return 64 random bits (Steele et al. 2014, splitmix64)."""
        x = rng[0] + np.uint64(0x9E3779B97F4A7C15)
        rng[0] = x
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))

    @driver(allocates=False)
    def rand_below(rng, k):
        """A uniform integer 0..k-1, 1 <= k < 2**31, without bias (Lemire's method on 31 bits)."""
        while True:
            m = np.int64(next_u64(rng) >> np.uint64(33)) * k
            low = m & 0x7FFFFFFF
            if low >= k or low >= (0x80000000 - k) % k:
                return m >> 31

    @driver(allocates=False)
    def rand_float(rng):
        """A uniform float64 in [0, 1)."""
        return np.float64(next_u64(rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)

    @driver
    def mix(h, x):
        """Roll `x` into the hash `h`, both int64; the order matters, and mix(h, h) is nothing special."""
        z = np.uint64(h) ^ np.uint64(x) * np.uint64(0xC2B2AE3D27D4EB4F)
        z = z * np.uint64(0xD6E8FEB86659FD93) + np.uint64(0x9E3779B97F4A7C15)
        z ^= z >> np.uint64(32)
        return np.int64(z)


def derive_seed(*parts: object) -> int:
    """A 63-bit seed from any printable parts (names, numbers), the same in every process and on every platform."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little") >> 1


def rng_array(*parts: object) -> np.ndarray:
    """A generator state, uint64[1], seeded by `derive_seed(*parts)`."""
    return np.array([derive_seed(*parts)], dtype=np.uint64)


def rng_table(seed: int, n: int, *parts: object) -> np.ndarray:
    """`n` independent generator states, uint64[n]: state i depends on the seed, the parts and i alone."""
    base = np.uint64(derive_seed(seed, *parts))
    with np.errstate(over="ignore"):
        x = base + (np.arange(n, dtype=np.uint64) + np.uint64(1)) * np.uint64(0xD1342543DE82EF95)
        x = (x ^ (x >> np.uint64(32))) * np.uint64(0xDABA0B6EB09322E3)
        x = (x ^ (x >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return x ^ (x >> np.uint64(32))
