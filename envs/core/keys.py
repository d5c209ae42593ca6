"""Seeds that tell nothing about each other: everything that players may see of a match is derived one-way from here.

A *key* (32 bytes) is made of a seed and words that say what it is for, by keyed BLAKE2b (RFC 7693).
Whoever knows any number of values of one key can compute neither the key, nor another value, nor another key. A *small*
seed can still be found by trying all, so a seed that must stay secret has `SECRET_BITS` random bits.
"""

from __future__ import annotations

import secrets
from hashlib import blake2b

import numpy as np

from .checks import fail

SECRET_BITS = 128
_WORDS = 8  # of 64 bits in one BLAKE2b digest


def secret_seed() -> int:
    """A seed that nobody can guess, 0..2**128-1, from the operating system."""
    return secrets.randbits(SECRET_BITS)


def check_seed(seed: int) -> int:
    """A seed that keys can be made of; raises RulesetError for one outside 0..2**128-1."""
    if not 0 <= seed < 1 << SECRET_BITS:
        raise fail("seed", seed, f"an integer 0..2**{SECRET_BITS}-1")
    return int(seed)


def key_of(seed: int, *parts: object) -> bytes:
    """The key, 32 bytes, of a seed (0..2**128-1, else RulesetError) for the use that the printable `parts` name."""
    text = "\x1f".join(str(part) for part in parts)
    return blake2b(text.encode(), digest_size=32, key=check_seed(seed).to_bytes(SECRET_BITS // 8, "little")).digest()


def keyed_seed(key: bytes, *numbers: int) -> int:
    """A seed, 0..2**63-1, of a key and some integers (0..2**64-1)."""
    data = b"".join(int(number).to_bytes(8, "little") for number in numbers)
    return int.from_bytes(blake2b(data, digest_size=8, key=key).digest(), "little") >> 1


def keyed_words(key: bytes, numbers: np.ndarray) -> np.ndarray:
    """64 random bits, uint64[n], for each of `numbers` int64[n] (0..2**63-1): of the key and that number alone."""
    # One digest serves eight numbers that follow each other, so that deals cost a tenth of a microsecond each.
    digests, at = np.unique(numbers // _WORDS, return_inverse=True)
    data = b"".join(blake2b(number.to_bytes(8, "little"), key=key).digest() for number in digests.tolist())
    words = np.frombuffer(data, dtype="<u8").reshape(-1, _WORDS)
    return words[at, numbers % _WORDS].astype(np.uint64)


__all__ = ["SECRET_BITS", "check_seed", "key_of", "keyed_seed", "keyed_words", "secret_seed"]
