"""Who decides in konfrontation, and what is legal (section 4, Legality)."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from ..core.legal import allow, allow_bits
from . import hooks
from .services import (
    actor,
    exposed,
    free_resource,
    free_unit,
    removable,
    targets_at,
)
from .state import (
    ALL_CHARACTERS,
    ALL_SUPPORTS,
    CHARACTERS,
    DECLARING,
    MAX_BID,
    MAY_ATTACK,
    MAY_GATHER,
    MAY_RECRUIT,
    MAY_RESOURCE,
    MAY_SUPPORT,
    UNITS,
    Action,
    Frame,
    Interrupt,
    Phase,
)


@kernel
def to_act(s: Any, p: Any) -> int:
    """Bit set of the seats that owe a decision; both sides at bids and votes."""
    if s.status or s.due_first or s.due_natures:
        return 0
    if s.depth:
        f = s.depth - 1
        return 0 if s.f_phase[f] == Frame.LOT else 1 << s.f_seat[f]
    phase = s.phase
    if phase == Phase.ACTION:
        return 1 << actor(s, p)
    if phase in (Phase.BID, Phase.VOTE):
        bits = 0 if s.sealed[0] else 1 << s.attacker
        return bits if s.sealed[1] else bits | 1 << s.defender
    if phase in DECLARING or phase == Phase.RESPONSE:
        return 1 << s.attacker
    if phase == Phase.SPOILS_UNIT and p.loser_chooses and s.spoils == Action.SPOILS_REMOVE:  # A7
        return 1 << s.attacker
    return 1 << s.defender


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Write the legal actions of a seat: int64[3], zeroed before (section 4, Legality)."""
    if s.depth:
        f = s.depth - 1
        hooks.legal_of(s, p, s.f_owner[f], s.f_phase[f], seat, words)
        return
    phase = s.phase
    if phase == Phase.ACTION:
        legal_actions(s, p, seat, words)
    elif phase == Phase.DECL_FACTION:
        for d in range(1, p.factions):
            if targets_at(s, p, seat, (seat + d) % p.factions):
                allow(words, Action.FACTION + d - 1)
    elif phase == Phase.DECL_TARGET:
        allow_bits(words, Action.ITEM, targets_at(s, p, seat, s.defender))
    elif phase == Phase.DECL_TYPE:
        if p.protected and CHARACTERS <= s.target < UNITS:
            allow(words, Action.TYPE + s.nature[s.defender, s.target])
        else:
            allow_bits(words, Action.TYPE, p.allowed_types)
    elif phase == Phase.DECL_COMMIT:
        legal_commit(s, seat, 0, words)
    elif phase == Phase.EVADE:
        allow_bits(words, Action.RUN_HOME, 3)
    elif phase == Phase.DEFEND:
        legal_commit(s, seat, 1, words)
    elif phase == Phase.BID:
        most = min(MAX_BID, s.power[seat])
        most = max(0, min(most, hooks.bid_limit(s, p, seat, most)))
        allow_bits(words, Action.BID, (1 << most + 1) - 1)
    elif phase == Phase.VOTE:
        allow_bits(words, Action.VOTE_DRAW, 3)
    elif phase == Phase.VICTIM:
        allow_bits(words, Action.ITEM, exposed(s, p, seat, s.commit[1], s.kind))
    elif phase in (Phase.FATE, Phase.RESPONSE):
        if s.question >= UNITS or removable(s, seat, 1 << s.question, s.kind):  # R27
            allow(words, Action.REMOVE)
        allow(words, Action.HANDOVER)
    elif phase == Phase.SPOILS:
        allow(words, Action.SPOILS_POWER)
        if spoils_units(s, p, Action.SPOILS_REMOVE):
            allow(words, Action.SPOILS_REMOVE)
        if spoils_units(s, p, Action.SPOILS_DEMAND):
            allow(words, Action.SPOILS_DEMAND)
    elif phase == Phase.SPOILS_UNIT:
        allow_bits(words, Action.ITEM, spoils_units(s, p, s.spoils))


@kernel
def legal_actions(s: Any, p: Any, seat: int, words: Any) -> None:
    """R7, R29, R31, R33, A22."""
    idle = s.project[seat] == 0
    if p.project_interrupt == Interrupt.LOCKED and not idle and not s.worked:
        allow(words, Action.CONTINUE)
        return
    may = p.allowed_actions
    allow(words, Action.PASS)
    if may & MAY_GATHER:
        allow(words, Action.GATHER)
    if not idle and not s.worked:
        allow(words, Action.CONTINUE)
    if may & MAY_RECRUIT and free_unit(s, seat, False) >= 0:
        if s.power[seat] >= hooks.recruit_price(s, p, seat, p.recruit_cost):
            allow_bits(words, Action.RECRUIT, 15)
    if idle and not s.worked:
        if may & MAY_RESOURCE and free_resource(s, seat) >= 0:
            allow_bits(words, Action.START_RESOURCE, (1 << p.resource_max_turns) - 1)
        if may & MAY_SUPPORT and free_unit(s, seat, True) >= 0:
            allow_bits(words, Action.START_SUPPORT, 0xFFF)
    if may & MAY_ATTACK and can_attack(s, p, seat):
        allow(words, Action.ATTACK)
    if hooks.has_window(Phase.ACTION):
        hooks.options(s, p, seat, Phase.ACTION, words)


@kernel
def can_attack(s: Any, p: Any, seat: int) -> bool:
    """R7: not yet attacked, a character, and somebody with a legal target."""
    if s.attacked or not s.units[seat] & ALL_CHARACTERS or not hooks.may_attack(s, p, seat, 1):
        return False
    for d in range(1, p.factions):
        if targets_at(s, p, seat, (seat + d) % p.factions):
            return True
    return False


@kernel
def legal_commit(s: Any, seat: int, side: int, words: Any) -> None:
    """COMMIT: units in increasing order; supports and the attacker's DONE need a character (R3, R9, R22)."""
    chosen = s.commit[side]
    led = chosen & ALL_CHARACTERS
    units = s.units[seat]
    if chosen:
        last = 1
        while chosen >> last:
            last += 1
        units = units >> last << last
    if not led:
        units &= ~ALL_SUPPORTS
    allow_bits(words, Action.ITEM, units)
    if led or side == 1:
        allow(words, Action.DONE)


@kernel
def spoils_units(s: Any, p: Any, what: int) -> int:
    """SPOILS_UNIT: units of the attacker that may be removed, or demanded (A8, A9), as a bit set."""
    if what == Action.SPOILS_REMOVE:
        return removable(s, s.attacker, s.commit[0], s.kind)
    return exposed(s, p, s.attacker, s.units[s.attacker] if p.demand_any else s.commit[0], s.kind)
