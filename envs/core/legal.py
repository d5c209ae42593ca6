"""Sets of legal actions as rules write them: bits in words of 32."""

from __future__ import annotations

from typing import Any

from .jit import kernel


@kernel
def allow(words: Any, action: int) -> None:
    """Add an action to a legal-action set."""
    words[action >> 5] |= 1 << (action & 31)


@kernel
def allow_bits(words: Any, start: int, bits: int) -> None:
    """Add the actions start + i for every bit i of `bits` (bits 0..21)."""
    both = bits << (start & 31)
    words[start >> 5] |= both & 0xFFFFFFFF
    high = both >> 32
    if high:
        words[(start >> 5) + 1] |= high
