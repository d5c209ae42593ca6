"""Numbered names of a rule set (phases, stations, events, action ids): every number stands in one place.

A system's `state.py` declares them as an `IntEnum`: `Phase = IntEnum("Phase", "DECLARE REACT COUNTER", start=0)`, or a
class where numbers follow from the sizes of blocks (see `core.actions`). Kernels say `Phase.REACT`, and tables of texts
take the same names by `names_of(Phase)`, so that no second list has to keep the same order. Kernels ask for a member or
for a set (`phase in (Phase.REACT, Phase.COUNTER)`); order means something only where the declaration says so.

numba folds a member to a constant, at no cost at run time. As an argument it has one type for the whole enumeration,
where a plain global number has one for every value, so that fewer variants of a function are compiled. It can
neither index a constant tuple by a member nor take it as an argument of `max`: say `Phase.REACT.value` there.
"""

from __future__ import annotations

from enum import IntEnum

from .errors import RulesetError


def names_of(codes: type[IntEnum]) -> tuple[str, ...]:
    """The names of an enumeration in lower case, by number 0, 1, ...; raises RulesetError if a number is missing."""
    if [int(code) for code in codes] != list(range(len(codes))):
        raise RulesetError(
            f"{codes.__name__}: its numbers are {[int(c) for c in codes]}; they must count from 0 without gaps"
        )
    return tuple(code.name.lower() for code in codes)
