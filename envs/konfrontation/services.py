"""What rules and rule modules do with the record: holdings, strength, events, questions, the stack."""

from __future__ import annotations

from typing import Any

from ..core.abi import STOPPED, lowest_bit
from ..core.jit import kernel
from ..core.legal import allow, allow_bits  # noqa: F401 - rule modules find them here
from ..core.modules.asking import (  # noqa: F401 - rule modules find them here
    allow_for,
    answer_of,
    ask_all,
    throw_die,
)
from ..core.modules.hooks import amount_of, has, kind_of, target_of  # noqa: F401 - rule modules find them here
from ..core.rng import mix
from . import hooks
from .state import (
    ALL_CHARACTERS,
    ALL_RESOURCES,
    ALL_SUPPORTS,
    CHARACTERS,
    EVENT,
    EVENTS,
    ON_OTHER,
    ON_POWER,
    ON_RESOURCE,
    ON_UNIT,
    STACK,
    T_OTHER,
    T_POWER,
    T_RESOURCE,
    UNITS,
    Event,
    Frame,
    Station,
    Why,
)

AT, LOW = EVENT.at, EVENT.low


# --- events and what was seen -----------------------------------------------------------------------------------------


@kernel
def emit(s: Any, kind: int, seat: int, a: int, b: int, c: int) -> None:
    """Append an event of `EVENT`: a kind, a seat or -1, and three numbers. Everybody sees it."""
    if s.n_events < EVENTS:
        first = kind | (seat - LOW[1]) << AT[1] | (a - LOW[2]) << AT[2]
        s.events[s.n_events] = first | (b - LOW[3]) << AT[3] | (c - LOW[4]) << AT[4]
        s.n_events += 1


@kernel
def note(s: Any, x: int) -> None:
    """Roll something that everybody has seen into the history's hash."""
    s.public = mix(s.public, x)


# --- sets of actions --------------------------------------------------------------------------------------------------


# --- holdings ---------------------------------------------------------------------------------------------------------


@kernel
def gain(s: Any, p: Any, seat: int, amount: int) -> None:
    """Power from the bank, clipped at once (R33); for rule modules."""
    gain_by(s, p, seat, amount, Why.RULE)


@kernel
def gain_by(s: Any, p: Any, seat: int, amount: int, why: int) -> None:
    """Power from the bank, clipped at once (R33), and the reader is told why (`Why`)."""
    before = s.power[seat]
    s.power[seat] = min(p.power_cap, before + amount)
    if s.power[seat] != before:
        emit(s, Event.POWER, seat, s.power[seat] - before, s.power[seat], why)


@kernel
def lose(s: Any, p: Any, seat: int, amount: int) -> None:
    """Power to the bank, as far as there is any; for rule modules."""
    lose_by(s, p, seat, amount, Why.RULE)


@kernel
def lose_by(s: Any, p: Any, seat: int, amount: int, why: int) -> None:
    """Power to the bank, as far as there is any, and the reader is told why (`Why`)."""
    less = min(amount, s.power[seat])
    s.power[seat] -= less
    if less:
        emit(s, Event.POWER, seat, -less, s.power[seat], why)


@kernel
def control_points(s: Any, seat: int) -> int:
    """Sizes of the owned resources, and what destroyed ones paid (A5)."""
    points = s.bonus[seat]
    left = s.resources[seat]
    while left:
        points += s.extent[seat, lowest_bit(left)]
        left &= left - 1
    return points


@kernel
def strength_points(s: Any, seat: int) -> int:
    """Sum of unit values (R32)."""
    points = 0
    left = s.units[seat]
    while left:
        points += s.value[seat, lowest_bit(left)]
        left &= left - 1
    return points


@kernel
def net_worth(s: Any, p: Any, seat: int) -> float:
    """Weighted sum of all that a faction holds (section 4)."""
    return (
        p.w_power * s.power[seat]
        + p.w_cp * control_points(s, seat)
        + p.w_unit * strength_points(s, seat)
        + p.w_other * s.special[seat]
    )


@kernel
def free_unit(s: Any, seat: int, support: bool) -> int:
    """Lowest free slot of a kind as a unit number, or -1."""
    free = ~s.units[seat] & (ALL_SUPPORTS if support else ALL_CHARACTERS)
    return lowest_bit(free) if free else -1


@kernel
def free_resource(s: Any, seat: int) -> int:
    """Lowest free slot for a resource, or -1."""
    free = ~s.resources[seat] & ALL_RESOURCES
    return lowest_bit(free) if free else -1


@kernel
def put_unit(s: Any, seat: int, unit: int, nature: int, value: int) -> None:
    """A unit in a free slot."""
    s.units[seat] |= 1 << unit
    s.nature[seat, unit] = nature
    s.value[seat, unit] = value


@kernel
def put_resource(s: Any, seat: int, slot: int, extent: int) -> None:
    """A resource in a free slot."""
    s.resources[seat] |= 1 << slot
    s.extent[seat, slot] = extent


@kernel
def settle(s: Any, p: Any, loser: int, winner: int, what: int, handed: bool) -> None:
    """A unit or resource (numbered like a target) leaves `loser`: removed, or handed over if there is room (R33)."""
    if what < UNITS:
        nature, value = s.nature[loser, what], s.value[loser, what]
        s.units[loser] &= ~(1 << what)
        s.nature[loser, what] = 0
        s.value[loser, what] = 0
        slot = free_unit(s, winner, what >= CHARACTERS) if handed else -1
        if slot >= 0:
            put_unit(s, winner, slot, nature, value)
            emit(s, Event.HANDED, loser, what, slot, winner)
        else:
            emit(s, Event.GONE, loser, what, 0, nature)
        return
    r = what - T_RESOURCE
    extent = s.extent[loser, r]
    s.resources[loser] &= ~(1 << r)
    s.extent[loser, r] = 0
    slot = free_resource(s, winner) if handed else -1
    if slot >= 0:
        put_resource(s, winner, slot, extent)
        emit(s, Event.HANDED, loser, what, slot + T_RESOURCE, winner)
    else:
        if p.destroyed_resource_pays:  # A5
            s.bonus[winner] += extent
        emit(s, Event.GONE, loser, what, extent if p.destroyed_resource_pays else 0, winner)


@kernel
def actor(s: Any, p: Any) -> int:
    """The faction whose part of the turn it is (R28)."""
    return (s.first + s.place) % p.factions


# --- the confrontation ------------------------------------------------------------------------------------------------


@kernel
def side_of(s: Any, seat: int) -> int:
    """0 the attacker, 1 the defender, -1 neither."""
    if not s.active:
        return -1
    return 0 if seat == s.attacker else (1 if seat == s.defender else -1)


@kernel
def seat_of(s: Any, side: int) -> int:
    """The faction of a side."""
    return s.attacker if side == 0 else s.defender


@kernel
def strength_of(s: Any, p: Any, seat: int, units: int, kind: int) -> int:
    """Strength of some units (bit set) in a confrontation of a type (R3, R5, R24, R25, A10)."""
    out = 0
    while units:
        unit = lowest_bit(units)
        units &= units - 1
        value = s.value[seat, unit]
        if s.nature[seat, unit] == kind:
            value = value - 1 + p.nature_multiplier if p.double_base else value * p.nature_multiplier
        out += hooks.unit_strength(s, p, seat, unit, kind, value)
    return out


@kernel
def removable(s: Any, seat: int, units: int, kind: int) -> int:
    """R27: those of some units that a type of confrontation can remove: characters, and supports of that nature."""
    out = units & ALL_CHARACTERS
    left = units & ALL_SUPPORTS
    while left:
        unit = lowest_bit(left)
        left &= left - 1
        if s.nature[seat, unit] == kind:
            out |= 1 << unit
    return out


@kernel
def exposed(s: Any, p: Any, seat: int, units: int, kind: int) -> int:
    """A9: those of some units that can be victims or demanded in a type of confrontation."""
    return removable(s, seat, units, kind) if p.protected else units


@kernel
def targets_at(s: Any, p: Any, attacker: int, defender: int) -> int:
    """DECL_TARGET: legal targets (bit set of target numbers)."""
    found = 0
    if p.allowed_targets & ON_UNIT:
        found = s.units[defender]
        if p.protected:
            left = found & ALL_SUPPORTS
            while left:
                unit = lowest_bit(left)
                left &= left - 1
                if not p.allowed_types >> s.nature[defender, unit] & 1:
                    found &= ~(1 << unit)
    if p.allowed_targets & ON_RESOURCE:
        found |= s.resources[defender] << T_RESOURCE
    if p.allowed_targets & ON_POWER:
        found |= 1 << T_POWER
    if p.allowed_targets & ON_OTHER:
        found |= 1 << T_OTHER
    return hooks.targets(s, p, attacker, defender, found)


@kernel
def close_confrontation(s: Any, result: int) -> None:
    """The confrontation is over (Result); whatever else was to come in it is dropped."""
    s.result = result
    s.pc = Station.CLOSED


@kernel
def wait(s: Any, phase: int) -> None:
    """The core asks in a phase of its own."""
    s.phase = phase
    s.pc = Station.WAITING


# --- the stack: what modules ask for ----------------------------------------------------------------------------------


@kernel
def push(s: Any, phase: int, owner: int, seat: int, a: int, b: int) -> None:
    """A frame; what lies under it goes on when it is gone."""
    f = s.depth
    if f >= STACK:  # endless questions of a module: stop the game instead of corrupting it
        s.status = STOPPED
        return
    s.f_phase[f], s.f_owner[f], s.f_seat[f], s.f_a[f], s.f_b[f] = phase, owner, seat, a, b
    s.depth = f + 1


@kernel
def pop(s: Any) -> None:
    """Drop the top frame."""
    s.depth -= 1
    f = s.depth
    s.f_phase[f], s.f_owner[f], s.f_seat[f], s.f_a[f], s.f_b[f] = 0, 0, 0, 0, 0


@kernel
def ask(s: Any, owner: int, phase: int, seat: int) -> None:
    """Module `owner` asks a seat in one of its phases; see the hooks `legal_of` and `answered`."""
    push(s, phase, owner, seat, 0, 0)


@kernel
def task(s: Any, owner: int, what: int, seat: int) -> None:
    """Module `owner` goes on in its hook `task` when all that it asks for from now on is answered."""
    push(s, Frame.TASK, owner, seat, what, 0)


@kernel
def lot(s: Any, owner: int, what: int, seat: int, faces: int) -> None:
    """Module `owner` wants a fair die; its hook `fell` gets the outcome."""
    push(s, Frame.LOT, owner, seat, what, faces)


@kernel
def begin_step(s: Any, event: int, seats: int) -> None:
    """Call a `step` hook (Moment) of all modules for some seats (bit set), one after the other."""
    if hooks.event_modules(event):
        push(s, Frame.STEP, event, seats, 0, seats)


@kernel
def go_on_step(s: Any, p: Any) -> None:
    """The next call of the `step` hook on top of the stack."""
    f = s.depth - 1
    event = s.f_owner[f]
    if s.f_seat[f] == 0:
        s.f_a[f] += 1
        s.f_seat[f] = s.f_b[f]
    if s.f_a[f] >= hooks.event_modules(event) or s.f_seat[f] == 0:
        pop(s)
        return
    seat = lowest_bit(s.f_seat[f])
    s.f_seat[f] &= s.f_seat[f] - 1
    hooks.event_call(s, p, event, s.f_a[f], seat)
