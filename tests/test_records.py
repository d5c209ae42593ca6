"""Records of interpreted rules: what numpy's own record does, field by field, in the same memory; integers are ints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.records import record_class, record_in, records_of

DTYPE = np.dtype([("turn", "i4"), ("hp", "i2", (2, 3)), ("worth", "f8"), ("marks", "u1", (5,)), ("wide", "i8")])


@pytest.fixture
def both() -> tuple[np.ndarray, Any, Any]:
    """Some memory, as `np.record` and as a record of ours."""
    array = np.zeros(2, dtype=DTYPE)
    array.view("u1")[:] = np.random.default_rng(3).integers(0, 120, array.nbytes)
    address = array.ctypes.data + DTYPE.itemsize  # the second, so that an address is not taken for the array's
    return array, array.view(np.recarray)[1], records_of(DTYPE)(address)


def test_reading_gives_what_numpy_gives(both: tuple[np.ndarray, Any, Any]) -> None:
    _, theirs, ours = both
    for name in DTYPE.names or ():
        old, new = getattr(theirs, name), getattr(ours, name)
        if name in ("turn", "wide"):
            assert type(new) is int and new == old, name
        else:
            assert type(old) is type(new) and np.array_equal(old, new) and old.dtype == new.dtype, name


def test_writing_reaches_the_memory_and_nothing_beside_it(both: tuple[np.ndarray, Any, Any]) -> None:
    array, theirs, ours = both
    before = array.copy()
    ours.turn = 7
    ours.turn += 1
    ours.hp[1, 2] = -5
    ours.marks = 3
    ours.worth = 0.5
    assert theirs.turn == 8 and theirs.hp[1, 2] == -5 and (theirs.marks == 3).all() and theirs.worth == 0.5
    assert ours.turn == 8 and ours.worth == 0.5
    assert array[0] == before[0] and theirs.wide == before[1]["wide"]
    array[1]["wide"] = 11
    assert ours.wide == 11, "no copy"


def test_what_numpy_refuses_is_refused(both: tuple[np.ndarray, Any, Any]) -> None:
    _, theirs, ours = both
    for record in (theirs, ours):
        with pytest.raises(OverflowError):
            record.turn = 1 << 40
        with pytest.raises(IndexError):
            record.marks[5] = 1
        with pytest.raises(AttributeError, match="turns"):
            _ = record.turns
        with pytest.raises(AttributeError):
            record.turns = 1


def test_an_address_keeps_its_record_and_others_have_their_own() -> None:
    at, array = records_of(DTYPE), np.zeros(1000, dtype=DTYPE)
    addresses = [array.ctypes.data + i * DTYPE.itemsize for i in range(len(array))]
    assert at(addresses[0]) is at(addresses[0])
    for i, address in enumerate(addresses):  # more than are kept
        at(address).turn = i
    assert (array["turn"] == np.arange(1000)).all() and at(addresses[3]).turn == 3
    assert record_class(DTYPE) is record_class(np.dtype(DTYPE.descr)), "one class for the same fields"


def test_fields_are_items_too_and_the_memory_lives_as_long_as_the_record() -> None:
    array = np.zeros((1, 1), dtype=DTYPE)
    record = record_in(array)
    record["hp"][1] = 4
    record["turn"] = 2
    assert array["hp"][0, 0].tolist() == [[0, 0, 0], [4, 4, 4]] and record.turn == record["turn"] == 2
    del array
    assert record.hp.sum() == 12
    with pytest.raises(AttributeError, match="turns"):
        record["turns"]
