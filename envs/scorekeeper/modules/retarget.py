"""retarget (reading of A6 and A38): on his turn a fighter may turn his declared attack to another target or zone."""

from __future__ import annotations

from typing import Any

from ..module import ME, Module
from ..services import allow, allow_bits, ask_module, emit, mode_of, reaches
from ..state import ATTACKS, Action, Declared, Event

module = Module("retarget", "On the turn a declared attack may be turned to another target or zone, its kind stays.")
module.param("zones", True, doc="the zone may change, too; else only the target")
CHANGE = module.phase(
    "retarget", "carry it out, or a new attack?", "ein anderes Ziel oder eine andere Zone für den Angriff?"
)


@module.hook
def turn(s: Any, p: Any, seat: int) -> None:
    """A38: the fighter on turn is asked if there is another choice now."""
    what = s.declared[seat]
    if what not in ATTACKS:
        return
    mode = mode_of(what)
    for slot in range(4):
        e = p.enemy[seat, slot]
        if e >= 0 and reaches(s, p, seat, e, mode):
            if e != s.d_target[seat] or (p.retarget_zones and p.aiming):
                ask_module(s, ME, CHANGE, seat)
                return


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """`execute` for the attack as declared, or an attack of the same kind that is possible now."""
    allow(words, Action.EXECUTE)
    what, zone = s.declared[seat], s.d_zone[seat]
    mode = mode_of(what)
    zones = 1 << zone
    if p.retarget_zones:
        zones = 0xFF if p.aiming else 1
    for slot in range(4):
        e = p.enemy[seat, slot]
        if e >= 0 and reaches(s, p, seat, e, mode):
            mine = 1 << zone if e == s.d_target[seat] else 0
            allow_bits(words, Action.MELEE + 32 * (what - Declared.MELEE) + 8 * slot, zones & ~mine)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """The new target and zone are public like a declaration."""
    if action != Action.EXECUTE:
        slot = action - Action.MELEE
        s.d_target[seat] = p.enemy[seat, (slot >> 3) & 3]
        s.d_zone[seat] = slot & 7
        emit(s, Event.DECLARE, seat, s.declared[seat], (s.d_target[seat] + 1) | s.d_zone[seat] << 4)
