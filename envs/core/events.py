"""How an event of a log is packed into one int64: declared once, read by the `emit` of kernels and by `unpack`."""

from __future__ import annotations

from .errors import RulesetError

BITS = 63  # of an int64 that is never negative


class EventLayout:
    """The numbers of an event in the order of their bits: of each how many bits it takes and its lowest value.

    `at` and `low` are what a kernel packs by: number i is added as `(value - low[i]) << at[i]`. Raises RulesetError if
    the numbers do not fit.
    """

    def __init__(self, **numbers: tuple[int, int]) -> None:
        self.names = tuple(numbers)
        self.bits = tuple(bits for bits, _ in numbers.values())
        self.low = tuple(low for _, low in numbers.values())
        self.at = tuple(sum(self.bits[:i]) for i in range(len(self.bits)))
        if sum(self.bits) > BITS:
            raise RulesetError(f"the numbers {', '.join(self.names)} of an event take {sum(self.bits)} bits of {BITS}")

    def unpack(self, event: int) -> tuple[int, ...]:
        """The numbers of a packed event, in the order of their declaration."""
        return tuple((int(event) >> at & (1 << bits) - 1) + low for at, bits, low in zip(self.at, self.bits, self.low))

    def high(self, name: str) -> int:
        """The highest value of a number."""
        i = self.names.index(name)
        return self.low[i] + (1 << self.bits[i]) - 1


__all__ = ["EventLayout"]
