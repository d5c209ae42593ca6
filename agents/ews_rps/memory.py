"""The memory of a predictor: slots for the histories of many tables, at addresses that compiled code can use."""

from __future__ import annotations

import numpy as np

from . import predictors as engine

SLOTS = 2048  # tables that are played at the same time; pages of memory are taken only as they come into use
FIRST = 4  # slots in use at the beginning


class Memory:
    """Slots that hold what was learnt from a history; a history that has none is learnt again.

    `more` numbers of a slot are room for what others learn besides the predictors.
    """

    def __init__(self, symbols: int, slots: int = SLOTS, more: int = 0) -> None:
        self._heads = np.zeros((slots, engine.HEAD), dtype=np.int64)
        self._bytes = np.zeros((slots, engine.bytes_each(symbols)), dtype=np.uint8)
        self._numbers = np.zeros((slots, engine.numbers_each(symbols) + more), dtype=np.float64)
        self._table = np.zeros(engine.MEMORY, dtype=np.int64)
        self._table[[engine.M_SLOTS, engine.M_ACTIVE, engine.M_SYMBOLS]] = slots, min(FIRST, slots), symbols
        self._table[[engine.M_BYTES_EACH, engine.M_NUMBERS_EACH]] = self._bytes.shape[1], self._numbers.shape[1]
        self._table[engine.M_HEADS] = self._heads.ctypes.data
        self._table[engine.M_BYTES] = self._bytes.ctypes.data
        self._table[engine.M_NUMBERS] = self._numbers.ctypes.data

    @property
    def address(self) -> int:
        """Address of the table, int64[MEMORY]."""
        return self._table.ctypes.data

    @property
    def active(self) -> int:
        """Slots in use."""
        return int(self._table[engine.M_ACTIVE])

    @property
    def latest(self) -> np.ndarray:
        """Numbers of the slot that was used last, float64[.]; not to be written."""
        found = self._numbers[self._heads[:, engine.H_STAMP].argmax()]
        found.flags.writeable = False
        return found
