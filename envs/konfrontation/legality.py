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
    ATTACK,
    BID,
    CHARACTERS,
    CONTINUE,
    DONE,
    FACTION,
    FR_LOT,
    GATHER,
    HANDOVER,
    ITEM,
    LOCKED,
    MAX_BID,
    MAY_ATTACK,
    MAY_GATHER,
    MAY_RECRUIT,
    MAY_RESOURCE,
    MAY_SUPPORT,
    PASS,
    PH_ACTION,
    PH_BID,
    PH_COMMIT,
    PH_DEFEND,
    PH_EVADE,
    PH_FACTION,
    PH_FATE,
    PH_RESPONSE,
    PH_SPOILS,
    PH_SPOILS_UNIT,
    PH_TARGET,
    PH_TYPE,
    PH_VICTIM,
    PH_VOTE,
    RECRUIT,
    REMOVE,
    RESOURCE,
    RUN_HOME,
    SPOILS_DEMAND,
    SPOILS_POWER,
    SPOILS_REMOVE,
    SUPPORT,
    TYPE,
    UNITS,
    VOTE_DRAW,
)


@kernel
def to_act(s: Any, p: Any) -> int:
    """Bit set of the seats that owe a decision; both sides at bids and votes."""
    if s.status or s.due_first or s.due_natures:
        return 0
    if s.depth:
        f = s.depth - 1
        return 0 if s.f_phase[f] == FR_LOT else 1 << s.f_seat[f]
    phase = s.phase
    if phase == PH_ACTION:
        return 1 << actor(s, p)
    if phase in (PH_BID, PH_VOTE):
        bits = 0 if s.sealed[0] else 1 << s.attacker
        return bits if s.sealed[1] else bits | 1 << s.defender
    if phase <= PH_COMMIT or phase == PH_RESPONSE:
        return 1 << s.attacker
    if phase == PH_SPOILS_UNIT and p.loser_chooses and s.spoils == SPOILS_REMOVE:  # A7
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
    if phase == PH_ACTION:
        legal_actions(s, p, seat, words)
    elif phase == PH_FACTION:
        for d in range(1, p.factions):
            if targets_at(s, p, seat, (seat + d) % p.factions):
                allow(words, FACTION + d - 1)
    elif phase == PH_TARGET:
        allow_bits(words, ITEM, targets_at(s, p, seat, s.defender))
    elif phase == PH_TYPE:
        if p.protected and CHARACTERS <= s.target < UNITS:
            allow(words, TYPE + s.nature[s.defender, s.target])
        else:
            allow_bits(words, TYPE, p.allowed_types)
    elif phase == PH_COMMIT:
        legal_commit(s, seat, 0, words)
    elif phase == PH_EVADE:
        allow_bits(words, RUN_HOME, 3)
    elif phase == PH_DEFEND:
        legal_commit(s, seat, 1, words)
    elif phase == PH_BID:
        most = min(MAX_BID, s.power[seat])
        most = max(0, min(most, hooks.bid_limit(s, p, seat, most)))
        allow_bits(words, BID, (1 << most + 1) - 1)
    elif phase == PH_VOTE:
        allow_bits(words, VOTE_DRAW, 3)
    elif phase == PH_VICTIM:
        allow_bits(words, ITEM, exposed(s, p, seat, s.commit[1], s.kind))
    elif phase in (PH_FATE, PH_RESPONSE):
        if s.question >= UNITS or removable(s, seat, 1 << s.question, s.kind):  # R27
            allow(words, REMOVE)
        allow(words, HANDOVER)
    elif phase == PH_SPOILS:
        allow(words, SPOILS_POWER)
        if spoils_units(s, p, SPOILS_REMOVE):
            allow(words, SPOILS_REMOVE)
        if spoils_units(s, p, SPOILS_DEMAND):
            allow(words, SPOILS_DEMAND)
    elif phase == PH_SPOILS_UNIT:
        allow_bits(words, ITEM, spoils_units(s, p, s.spoils))


@kernel
def legal_actions(s: Any, p: Any, seat: int, words: Any) -> None:
    """R7, R29, R31, R33, A22."""
    idle = s.project[seat] == 0
    if p.project_interrupt == LOCKED and not idle and not s.worked:
        allow(words, CONTINUE)
        return
    may = p.allowed_actions
    allow(words, PASS)
    if may & MAY_GATHER:
        allow(words, GATHER)
    if not idle and not s.worked:
        allow(words, CONTINUE)
    if may & MAY_RECRUIT and free_unit(s, seat, False) >= 0:
        if s.power[seat] >= hooks.recruit_price(s, p, seat, p.recruit_cost):
            allow_bits(words, RECRUIT, 15)
    if idle and not s.worked:
        if may & MAY_RESOURCE and free_resource(s, seat) >= 0:
            allow_bits(words, RESOURCE, (1 << p.resource_max_turns) - 1)
        if may & MAY_SUPPORT and free_unit(s, seat, True) >= 0:
            allow_bits(words, SUPPORT, 0xFFF)
    if may & MAY_ATTACK and can_attack(s, p, seat):
        allow(words, ATTACK)
    if hooks.has_window(PH_ACTION):
        hooks.options(s, p, seat, PH_ACTION, words)


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
    allow_bits(words, ITEM, units)
    if led or side == 1:
        allow(words, DONE)


@kernel
def spoils_units(s: Any, p: Any, what: int) -> int:
    """SPOILS_UNIT: units of the attacker that may be removed, or demanded (A8, A9), as a bit set."""
    if what == SPOILS_REMOVE:
        return removable(s, s.attacker, s.commit[0], s.kind)
    return exposed(s, p, s.attacker, s.units[s.attacker] if p.demand_any else s.commit[0], s.kind)
