"""What a system declares about baselines that draw: from which chances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Mixtures:
    """The chances of some baselines wherever they draw.

    `function(s, p, seat, out)`, marked `@kernel`, writes them for all `baselines`, float64[A] by action, zeroed before;
    it leaves zeros where it does not know them. It may read only what the seat may know. Declared as `MIXTURES` in
    `agents/<system>/mixtures.py`.
    """

    function: Callable[..., None]
    baselines: tuple[str, ...]


__all__ = ["Mixtures"]
